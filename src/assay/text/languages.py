"""Languages that are written without spaces between words: how the field cuts them, and whether a recipe does.

Where a whole clause is one token, scores of words say little: texts are looked at, and whoever asks is told.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from assay.data.texts import Texts
from assay.properties import cached_property
from assay.text.recipe import Recipe

#: How many segments are looked at, and how much of each: enough to know a script, and no work even for large files.
_SEGMENTS, _CHARACTERS = 200, 400
#: The least share of letters that are in a script, for a text to be written in it: names in another one are fewer.
_LEAST_SHARE = 0.3
#: Japanese has about one kana for each Chinese character; Chinese has none.
_LEAST_KANA = 0.05
#: Tokens of more letters of such a script, in the mean, are no words: these have two to four.
_LONGEST_WORDS = 5.0


@dataclass(frozen=True)
class _Writing:
    """A language whose words are not what stands between spaces, and the tokenizer that cuts them here."""

    code: str
    name: str
    tokenizer: str


#: By code. Korean has spaces, but sacreBLEU cuts it into morphemes. Nothing here knows the words of the languages
#: behind it: their characters are counted.
UNSPACED = {
    code: _Writing(code, name, tokenizer)
    for code, name, tokenizer in (
        ("ja", "Japanese", "ja-mecab"),
        ("zh", "Chinese", "zh"),
        ("ko", "Korean", "ko-mecab"),
        ("th", "Thai", "char"),
        ("km", "Khmer", "char"),
        ("lo", "Lao", "char"),
        ("my", "Burmese", "char"),
        ("bo", "Tibetan", "char"),
    )
}

_KANA = "\u3041-\u3096\u30a1-\u30fa\u30fc\u31f0-\u31ff\uff66-\uff9d"
_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
#: Base letters of each script; vowel signs and tones stand on them.
_RANGES = {
    "zh": _KANA + _HAN,
    "th": "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46",
    "lo": "\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec6\u0edc-\u0edf",
    "my": "\u1000-\u102a\u103f\u1050-\u1055\ua9e0-\ua9ef\uaa60-\uaa7a",
    "km": "\u1780-\u17b3",
    "bo": "\u0f40-\u0f6c",
}
_LETTERS = {code: re.compile(f"[{ranges}]") for code, ranges in _RANGES.items()}
#: A letter of a script that has no spaces between words.
UNSPACED_LETTER = re.compile(f"[{''.join(_RANGES.values())}]")
_KANA_LETTER = re.compile(f"[{_KANA}]")
_ANY_LETTER = re.compile(r"[^\W\d_]")
#: Scripts that are told from others by their letters.
_SCRIPTS = {"Latin": re.compile("[A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]"),
            "Cyrillic": re.compile("[\u0400-\u052f]")}  # fmt: skip

#: First words of the names of letters that are no names of scripts.
_UNICODE = {"CJK": "Han", "IDEOGRAPHIC": "Han", "KATAKANA-HIRAGANA": "Katakana", "HALFWIDTH": "Katakana",
            "FULLWIDTH": "Latin", "FEMININE": "Latin", "MASCULINE": "Latin", "MICRO": "Greek"}  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """Some of the texts, from which one can tell what they are written in."""

    texts: tuple[str, ...]

    @classmethod
    def of(cls, columns: Iterable[Texts]) -> Sample:
        """Segments from all over the columns, as many of each."""
        listed = list({id(column): column for column in columns}.values())[:_SEGMENTS]
        each = max(_SEGMENTS // max(len(listed), 1), 1)
        taken = [
            column[index][:_CHARACTERS]
            for column in listed
            for index in dict.fromkeys(np.linspace(0, len(column) - 1, each, dtype=np.int64).tolist())
            if len(column)
        ]
        return _looked_at(tuple(taken))

    @cached_property
    def _joined(self) -> str:
        return "\n".join(self.texts)

    @cached_property
    def letters(self) -> int:
        """How many there are."""
        return len(_ANY_LETTER.findall(self._joined))

    def share_in(self, script: str) -> float:
        """Which share of the letters is Latin or Cyrillic."""
        return len(_SCRIPTS[script].findall(self._joined)) / max(self.letters, 1)

    def scripts(self) -> dict[str, float]:
        """Which share of the letters each script has, the largest first; a script is called as Unicode calls it.

        >>> Sample(("Мир ab1",)).scripts()
        {'Cyrillic': 0.6, 'Latin': 0.4}
        """
        words = (unicodedata.name(letter, "other").split()[0] for letter in _ANY_LETTER.findall(self._joined))
        counts = Counter(_UNICODE.get(word, word).capitalize() for word in words)
        ranked = sorted(counts.items(), key=lambda script: (-script[1], script[0]))
        return {script: count / self.letters for script, count in ranked}

    @cached_property
    def writing(self) -> _Writing | None:
        """The language without spaces that these texts are in, judged by their script; None for all others."""
        if not UNSPACED_LETTER.search(self._joined):
            return None
        counts = {code: len(letters.findall(self._joined)) for code, letters in _LETTERS.items()}
        code = max(counts, key=counts.__getitem__)
        if counts[code] < max(_LEAST_SHARE * self.letters, 1.0):
            return None
        japanese = code == "zh" and len(_KANA_LETTER.findall(self._joined)) >= _LEAST_KANA * counts[code]
        return UNSPACED["ja" if japanese else code]

    def letters_per_token(self, recipe: Recipe) -> float:
        """How many letters of the script a token has that has one; infinite where a recipe drops all of them."""
        if self.writing is None:
            return 0.0
        letters = _LETTERS["zh" if self.writing.code == "ja" else self.writing.code]
        counts = [len(letters.findall(token)) for text in self.texts for token in recipe.tokens(text)]
        tokens = sum(count > 0 for count in counts)
        return sum(counts) / tokens if tokens else float("inf")

    def is_cut(self, recipe: Recipe) -> bool:
        """Whether a recipe cuts these texts into something like words."""
        return recipe.unit != "word" or self.letters_per_token(recipe) <= _LONGEST_WORDS


@lru_cache(maxsize=8)
def _looked_at(texts: tuple[str, ...]) -> Sample:
    """One sample of the same texts, however often it is asked for."""
    return Sample(texts)


def uncut(sample: Sample, recipes: Sequence[tuple[str, Recipe]]) -> tuple[str, str] | None:
    """What is to be said of metrics, by name and recipe, that take whole clauses of these texts for words; and done."""
    writing = sample.writing
    names = [] if writing is None else [name for name, recipe in recipes if not sample.is_cut(recipe)]
    if writing is None or not names:
        return None
    cut = "counts characters" if writing.tokenizer == "char" else f"cuts words by {writing.tokenizer}"
    return (
        f"{', '.join(names)}: the references look like {writing.name}, which has no spaces between words, so that "
        "whole clauses count as words here. Such scores say little: systems may be ranked wrongly, and error rates may "
        "pass 100.",
        f"Use --language {writing.code}, which {cut}.",
    )
