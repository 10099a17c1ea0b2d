"""The words of a batch as METEOR sees them: as they are, by stem, by base form, in lower case, and by length."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.text.batch import Batch
from assay.text.function_words import function_words

if TYPE_CHECKING:
    from assay.metrics.meteor import Meteor

Pair = tuple[NDArray[np.uint64], NDArray[np.int64]]
#: Words, then stems, base forms, words in lower case and lengths where they are needed: as the kernel takes them.
Side = tuple[Pair, Pair | None, Pair | None, Pair | None, Pair | None]


@dataclass(frozen=True)
class Views:
    """A batch in all the ways in which METEOR looks at it."""

    translations: Side
    references: tuple[Side, ...]

    @classmethod
    def of(cls, metric: Meteor, batch: Batch) -> Views:
        """The views that a metric's modules need; words are cut once for all of them."""
        modules, recipe = metric.settings.modules, metric.recipe
        batch = batch.under(recipe)
        base = f"wordnet-base:{metric.synonyms}" if metric.synonyms else "wordnet-base"
        names = {"stem": metric.settings.stem or "", "synonym": base}
        wanted = {module: name for module, name in names.items() if module in modules}
        stemmed = dict(zip(wanted, batch.under_stems(*wanted.values()), strict=True))
        # METEOR looks function words up in lower case, whatever it compares.
        folded = batch.under(replace(recipe, lowercase=True)) if recipe.lowercase is not True else None
        sizes = batch.under(replace(recipe, unit="length")) if metric.characters else None
        beside = (stemmed.get("stem"), stemmed.get("synonym"), folded, sizes)
        return cls(
            _translations(batch, *beside),
            tuple(_references(index, batch, *beside) for index in range(len(batch.reference_texts))),
        )

    def function_words(self, language: str) -> list[frozenset[int]]:
        """Where the first segment has function words: in the translation, then in each reference."""
        found = []
        for words, _, _, folded, _ in (self.translations, *self.references):
            ids, offsets = folded or words
            found.append(frozenset(np.flatnonzero(np.isin(ids[: offsets[1]], function_words(language))).tolist()))
        return found


def _translations(words: Batch, *beside: Batch | None) -> Side:
    stems, bases, folded, sizes = (view.translations.pair if view is not None else None for view in beside)
    return words.translations.pair, stems, bases, folded, sizes


def _references(index: int, words: Batch, *beside: Batch | None) -> Side:
    stems, bases, folded, sizes = (view.references[index].pair if view is not None else None for view in beside)
    return words.references[index].pair, stems, bases, folded, sizes
