"""What is done to a text before counting: the same for translations and references, once per recipe."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.data.texts import Texts
from assay.errors import ParameterError, UnknownName
from assay.text.stems import Stem
from assay.text.tables import TABLES
from assay.text.tokenizers import METEOR_LANGUAGES, Spelling

Lowercase = bool | Literal["ascii"]
Unit = Literal["word", "character", "text", "raw", "length"]
_ASCII_LOWERCASE = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
NORMAL_FORMS = ("none", "nfc", "nfkc")


class Sequences(NamedTuple):
    """Ids of all segments, one behind the other, and the offsets at which each begins; the last is the end.

    Ids are stable 64-bit hashes of the tokens' text, or code points where characters are counted; kernels take the
    pair.
    """

    ids: NDArray[np.uint64]
    offsets: NDArray[np.int64]

    def lengths(self) -> NDArray[np.float64]:
        """How many ids each segment has."""
        return np.diff(self.offsets).astype(np.float64)

    def first(self) -> NDArray[np.uint64]:
        """The ids of the first segment."""
        return self.ids[: self.offsets[1]]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Normal form, case, tokenizer, punctuation and stems, applied in this order.

    ``lowercase`` is Unicode's, or ``"ascii"`` for A to Z alone as in mteval. It comes before tokenizing as in
    sacreBLEU, but behind it with ``meteor``, ``intl`` and ``"ascii"``, as in METEOR and mteval. ``unit`` says what an
    id stands for: a word, a character of a word, or a character of the text with its inner (``text``) or all
    (``raw``) white space. With ``length`` a word's id is its length in UTF-16 units, as METEOR counts characters.
    """

    normalize: str = "none"
    lowercase: Lowercase = False
    tokenize: str = "none"
    remove_punctuation: bool = False
    stem: str | None = None
    unit: Unit = "word"

    def __post_init__(self) -> None:
        if self.normalize not in NORMAL_FORMS:
            raise UnknownName.of("normal form", self.normalize, NORMAL_FORMS)
        if self.lowercase not in (True, False, "ascii"):
            raise ParameterError(f"lowercase is {self.lowercase!r}, but it is true, false or ascii.")
        if self.stem is not None:
            Stem.parse(self.stem)
        Spelling.parse(self.tokenize)

    def cook(self, columns: Sequence[Texts], threads: int = 1) -> list[Sequences]:
        """Token ids of each column's texts; columns are worked on side by side."""
        external = _external(self)
        if external is not None:
            columns = [Texts.of(external([self._prepare(text) for text in texts])) for texts in columns]
        arrays = [(texts.buffer, texts.starts, texts.ends) for texts in columns]
        return [Sequences(*pair) for pair in self._compiled().cook(arrays, threads)]

    def cook_stems(
        self, stems: Sequence[str], columns: Sequence[Texts], threads: int = 1
    ) -> dict[Recipe, list[Sequences]]:
        """This recipe's ids of each column and those under other stemmers, all from tokenizing once."""
        external = _external(self)
        if external is not None:
            columns = [Texts.of(external([self._prepare(text) for text in texts])) for texts in columns]
        arrays = [(texts.buffer, texts.starts, texts.ends) for texts in columns]
        others = [replace(self, stem=stem) for stem in stems]
        cooked = self._compiled().cook_stems([other._compiled() for other in others], arrays, threads)
        views = zip(*cooked, strict=True)
        return {
            recipe: [Sequences(*pair) for pair in view] for recipe, view in zip([self, *others], views, strict=True)
        }

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, for people to look at.

        >>> Recipe(tokenize="13a", lowercase=True).tokens("Don't panic, it's 4.50!")
        ["don't", 'panic', ',', "it's", '4.50', '!']
        """
        external = _external(self)
        if external is not None:
            text = external([self._prepare(text)])[0]
        return self._compiled().tokens(text)

    def resources(self) -> Mapping[str, str]:
        """Digests of the files of the user's own that the recipe depends on, by option."""
        stem = Stem.parse(self.stem) if self.stem else None
        dictionary = stem.dictionary() if stem and stem.path else None
        return {"stem": dictionary.digest} if dictionary else {}

    def _compiled(self) -> kernels.CompiledRecipe:
        # A dictionary is read when the first text is cooked, and is another one when its file has changed.
        return _compile(self, Stem.parse(self.stem).dictionary() if self.stem else None)

    def units(self, text: str) -> tuple[str, ...]:
        """What is counted in one text, for people to look at: its words, or its characters.

        >>> Recipe(unit="character").units("a cat")
        ('a', 'c', 'a', 't')
        """
        if self.unit == "word":
            return tuple(self.tokens(text))
        (cooked,) = self.cook([Texts.of([text])])
        return tuple(map(chr, cooked.ids.tolist()))

    def _prepare(self, text: str) -> str:
        """The steps that come before an external tokenizer."""
        if self.normalize == "nfc":
            text = unicodedata.normalize("NFC", text)
        elif self.normalize == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        if self.lowercase == "ascii":
            return text.translate(_ASCII_LOWERCASE)
        return text.lower() if self.lowercase else text


@lru_cache(maxsize=256)
def _external(recipe: Recipe):  # type: ignore[no-untyped-def]
    return Spelling.parse(recipe.tokenize).external()


@lru_cache(maxsize=256)
def _compile(recipe: Recipe, dictionary: kernels.Synonyms | None) -> kernels.CompiledRecipe:
    spelling = Spelling.parse(recipe.tokenize)
    built_in = spelling.tokenizer.module is None
    case = {False: "no", True: "unicode", "ascii": "ascii"}[recipe.lowercase]
    return kernels.CompiledRecipe(
        # An external tokenizer got the prepared text, and gave it back with spaces.
        normalize=recipe.normalize if built_in else "none",
        lowercase=case if built_in else "no",
        tokenizer=spelling.tokenizer.name if built_in else "none",
        options=list(spelling.options),
        words=_nonbreaking_prefixes(spelling),
        remove_punctuation=recipe.remove_punctuation,
        stem=Stem.parse(recipe.stem).name if recipe.stem else None,
        synonyms=dictionary,
        unit=recipe.unit,
    )


def _nonbreaking_prefixes(spelling: Spelling) -> list[str]:
    """Abbreviations behind which METEOR's normaliser keeps a full stop."""
    if spelling.tokenizer.name != "meteor":
        return []
    language = next(option for option in spelling.options if option in METEOR_LANGUAGES)
    table = TABLES / f"nonbreaking.{language}.txt"
    return table.read_text(encoding="utf-8").split("\n")
