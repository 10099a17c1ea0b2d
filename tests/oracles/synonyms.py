"""METEOR's look-up of synonyms, in dictionaries of Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NOUNS = [
    ("s", ""),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
]
VERBS = [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")]
ADJECTIVES = [("er", ""), ("est", ""), ("er", "e"), ("est", "e")]


@dataclass(frozen=True)
class Dictionary:
    """The sets of each word, and the bases of each irregular form."""

    words: Mapping[str, Sequence[int]]
    exceptions: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def base(self, word: str) -> str:
        """The first result of a rule that is a word."""
        if word.endswith("ss") or len(word.encode("utf-16-le")) <= 4:
            return word
        for suffix, replacement in NOUNS + VERBS + ADJECTIVES:
            if word.endswith(suffix):
                candidate = word.removesuffix(suffix) + replacement
                if candidate in self.words:
                    return candidate
        return word

    def senses(self, word: str) -> list[int]:
        """The word's own sets, and those of its bases."""
        bases = self.exceptions.get(word, [self.base(word)])
        return sorted({sense for one in [word, *bases] for sense in self.words.get(one, ())})

    def lemma(self, word: str) -> str:
        """The first base of an irregular form, or the word, or its base."""
        if word in self.exceptions:
            return self.exceptions[word][0]
        return word if word in self.words else self.base(word)


def paraphrases(table: str) -> dict[tuple[str, ...], list[tuple[str, ...]]]:
    """Each phrase with its paraphrases, in the table's order."""
    lines = table.split("\n")
    found: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for phrase, paraphrase in zip(lines[1::3], lines[2::3], strict=False):
        found.setdefault(tuple(phrase.split()), []).append(tuple(paraphrase.split()))
    return found
