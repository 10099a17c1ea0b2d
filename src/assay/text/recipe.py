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
from assay.text.tables import METEOR_LANGUAGES, nonbreaking_prefixes
from assay.text.tokenizers import External, Spelling

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


#: Cooked columns of a shard, by column and recipe: systems share references, metrics share recipes.
Cooked = dict[tuple[int, "Recipe"], Sequences]


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

    def cook(
        self, columns: Sequence[Texts], threads: int = 1, known: Cooked | None = None, *, stems: Sequence[str] = ()
    ) -> list[Sequences]:
        """Token ids of each column's texts; columns are worked on side by side, and what is ``known`` is left alone.

        With ``stems`` the ids under these stemmers become known, too: tokenizing costs more than stemming.
        """
        known = {} if known is None else known
        recipes = [self, *(replace(self, stem=stem) for stem in stems)]
        raw = [texts for texts in columns if any((id(texts), recipe) not in known for recipe in recipes)]
        if raw:
            (compiled, external), *others = (recipe._compiled() for recipe in recipes)
            given = raw
            if external is not None:
                given = [Texts.of(external([self._prepare(text) for text in texts])) for texts in raw]
            arrays = [(texts.buffer, texts.starts, texts.ends) for texts in given]
            if stems:
                cooked = compiled.cook_stems([other for other, _ in others], arrays, threads)
            else:
                cooked = [[pair] for pair in compiled.cook(arrays, threads)]
            for texts, pairs in zip(raw, cooked, strict=True):
                known |= {(id(texts), recipe): Sequences(*pair) for recipe, pair in zip(recipes, pairs, strict=True)}
        return [known[id(texts), self] for texts in columns]

    def tokens(self, text: str) -> list[str]:
        """The tokens of one text, for people to look at.

        >>> Recipe(tokenize="13a", lowercase=True).tokens("Don't panic, it's 4.50!")
        ["don't", 'panic', ',', "it's", '4.50', '!']
        """
        compiled, external = self._compiled()
        if external is not None:
            text = external([self._prepare(text)])[0]
        return compiled.tokens(text)

    def resources(self) -> Mapping[str, str]:
        """Digests of the files of the user's own that the recipe depends on, by option."""
        stem = Stem.parse(self.stem) if self.stem else None
        dictionary = stem.dictionary() if stem and stem.path else None
        return {"stem": dictionary.digest} if dictionary else {}

    def _compiled(self) -> tuple[kernels.CompiledRecipe, External | None]:
        """What runs in Rust, and what has to run before it: an external tokenizer, which puts spaces between tokens."""
        spelling = Spelling.parse(self.tokenize)
        name = spelling.tokenizer.name
        external = None if spelling.tokenizer.load is None else _external(spelling)
        languages = [option for option in spelling.options if option in METEOR_LANGUAGES]
        stem = Stem.parse(self.stem) if self.stem else None
        compiled = kernels.CompiledRecipe(
            normalize="none" if external else self.normalize,
            lowercase="no" if external else {False: "no", True: "unicode", "ascii": "ascii"}[self.lowercase],
            tokenizer="none" if external else name,
            options=list(spelling.options),
            words=[word for code in languages for word in nonbreaking_prefixes(code)],
            remove_punctuation=self.remove_punctuation,
            stem=stem.name if stem else None,
            # Read when the first text is cooked, and again when its file has changed.
            synonyms=stem.dictionary() if stem else None,
            unit=self.unit,
        )
        return compiled, external

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


#: Loading a model takes longer than using it.
_external = lru_cache(maxsize=256)(Spelling.external)
