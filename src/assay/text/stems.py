"""Stemmers by name: Snowball's run on rules, ``wordnet`` looks lemmas up in a dictionary."""

from __future__ import annotations

from dataclasses import dataclass

from assay import kernels
from assay.errors import InputError, ParameterError, UnknownName
from assay.text.synonyms import has_base_forms, load_synonyms

#: Those that need a dictionary: WordNet's, or one given as ``wordnet:PATH``.
_DICTIONARY = ("wordnet", "wordnet-base")
#: What METEOR needs, and nobody would ask for: older rules than Snowball's, and base forms without irregular ones.
INTERNAL = ("german-meteor", "hungarian-meteor", "portuguese-meteor", "wordnet-base")


def stemmers() -> list[str]:
    """All names for users, sorted."""
    return sorted([*kernels.stemmers(), "wordnet"])


@dataclass(frozen=True)
class Stem:
    """A stemmer, and the dictionary that was spelled out for it."""

    name: str
    path: str | None = None

    @classmethod
    def parse(cls, text: str) -> Stem:
        """Read ``name`` or ``wordnet:PATH``.

        >>> Stem.parse("wordnet:my/dict")
        Stem(name='wordnet', path='my/dict')
        """
        name, colon, path = text.partition(":")
        if name not in (*kernels.stemmers(), "wordnet", *INTERNAL):
            raise UnknownName.of("stemmer", name, stemmers())
        if colon and (name not in _DICTIONARY or not path):
            raise ParameterError(
                f"stem is {text!r}, but only wordnet takes a dictionary of your own, as stem=wordnet:PATH."
            )
        return cls(name, path or None)

    def dictionary(self) -> kernels.Synonyms | None:
        """What lemmas are looked up in, for those that look them up."""
        if self.name not in _DICTIONARY:
            return None
        synonyms = load_synonyms(self.path)
        if self.name == "wordnet" and not has_base_forms(self.path):
            raise InputError(
                f"{self.path}: a plain table of synonyms has no base forms, so it cannot serve as a stemmer. "
                "Give a dictionary in WordNet's or METEOR's format."
            )
        return synonyms
