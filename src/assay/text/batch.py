"""A run of segments as a metric sees them: token ids, cooked once per recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.data.corpus import Corpus, Segment
from assay.data.texts import Texts
from assay.properties import cached_property
from assay.text.recipe import Cooked, Recipe, Sequences


@dataclass(frozen=True, eq=False)
class Batch:
    """Translations with their references under one recipe.

    ``present`` has a row per reference and a column per segment: where it is false the segment lacks that reference,
    and what stands there is not to be looked at. ``threads`` goes to the kernels.
    """

    translation_texts: Texts
    reference_texts: tuple[Texts, ...]
    present: NDArray[np.bool_] = field(repr=False)
    recipe: Recipe
    threads: int = 1
    cooked: Cooked = field(default_factory=dict, repr=False)
    #: For each reference whether it is targeted, a post-edit of these translations; empty if none is.
    targeted: tuple[bool, ...] = ()
    #: The source of each segment, for metrics that look at it; None where there is none.
    source_texts: Texts | None = None
    #: What is done to references, where that is not what is done to translations.
    reference_recipe: Recipe | None = None
    #: What these segments were cut from, and where they stand in it, for metrics that look at documents.
    cut_from: tuple[Corpus, Codes] | None = field(default=None, repr=False)
    #: What other programs say of each segment, by the name of their scores, for metrics that look at it.
    scores: Mapping[str, Array] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.translation_texts)

    @cached_property
    def translations(self) -> Sequences:
        """The translations' token ids."""
        # Whoever looks at translations will look at references, and all at once is faster.
        columns = (self.translation_texts, *(() if self.reference_recipe else self.reference_texts))
        return self.recipe.cook(columns, self.threads, self.cooked)[0]

    @cached_property
    def references(self) -> tuple[Sequences, ...]:
        """The token ids of each reference."""
        recipe = self.reference_recipe or self.recipe
        return tuple(recipe.cook(self.reference_texts, self.threads, self.cooked))

    @cached_property
    def source(self) -> Sequences | None:
        """The source's token ids, where there is one."""
        if self.source_texts is None:
            return None
        return self.recipe.cook([self.source_texts], self.threads, self.cooked)[0]

    def before(self, segment: int, count: int | None = None) -> list[Segment]:
        """What stands before a segment in its document, in order: all of it, or the last ``count`` segments.

        Nothing where documents are not known, or the metric does not say that it looks at them.
        """
        names = None if self.cut_from is None else self.cut_from[0].documents
        if self.cut_from is None or names is None:
            return []
        corpus, place = self.cut_from[0], int(self.cut_from[1][segment])
        start = place
        while start and names[start - 1] == names[place] and (count is None or place - start < count):
            start -= 1
        return [corpus[index] for index in range(start, place)]

    def against(self, references: Sequence[int]) -> Batch:
        """The same segments with these references alone, by number; what is cooked stays cooked."""
        chosen = list(references)
        return replace(
            self,
            reference_texts=tuple(self.reference_texts[index] for index in chosen),
            present=np.ascontiguousarray(self.present[chosen]),
            targeted=tuple(self.targeted[index] for index in chosen) if self.targeted else (),
        )

    def only(self, segments: NDArray[np.bool_]) -> Batch:
        """Some of the segments."""
        return replace(
            self,
            translation_texts=self.translation_texts.only(segments),
            reference_texts=tuple(column.only(segments) for column in self.reference_texts),
            present=np.ascontiguousarray(self.present[:, segments]),
            cooked={},
            source_texts=None if self.source_texts is None else self.source_texts.only(segments),
            cut_from=None if self.cut_from is None else (self.cut_from[0], self.cut_from[1][segments]),
            scores={name: values[segments] for name, values in self.scores.items()},
        )

    def under(self, recipe: Recipe) -> Batch:
        """The same segments under another recipe, for metrics that look at text in two ways."""
        return self if recipe == self.recipe else replace(self, recipe=recipe)

    def translation_units(self, segment: int = 0) -> tuple[str, ...]:
        """The words or characters of one translation, for people to look at."""
        return self.recipe.units(self.translation_texts[segment])

    def reference_units(self, index: int, segment: int = 0) -> tuple[str, ...]:
        """The words or characters of one reference, for people to look at."""
        return (self.reference_recipe or self.recipe).units(self.reference_texts[index][segment])

    def under_stems(self, *stems: str) -> list[Batch]:
        """The same segments under each of these stemmers, with the recipe as it is otherwise.

        All are cooked at once, this batch included: tokenizing costs more than stemming.
        """
        columns = (self.translation_texts, *self.reference_texts)
        self.recipe.cook(columns, self.threads, self.cooked, stems=stems)
        return [self.under(replace(self.recipe, stem=stem)) for stem in stems]

    def reference_lengths(self) -> NDArray[np.float64]:
        """Ids per reference and segment: references by segments."""
        return np.stack([reference.lengths() for reference in self.references])

    def mean_reference_length(self) -> NDArray[np.float64]:
        """The mean over the references that each segment has."""
        total = np.where(self.present, self.reference_lengths(), 0.0).sum(axis=0)
        mean: NDArray[np.float64] = total / self.present.sum(axis=0)
        return mean


def batch_of(
    translations: Sequence[str],
    references: Sequence[Sequence[str]],
    recipe: Recipe,
    *,
    targeted: Sequence[Sequence[str]] = (),
    source: Sequence[str] | None = None,
) -> Batch:
    """A batch out of plain lists, one full list per reference: for tests and for looking closely."""
    columns = tuple(Texts.of(reference, "references") for reference in (*references, *targeted))
    flags = (False,) * len(references) + (True,) * len(targeted)
    present = np.ones((len(columns), len(translations)), dtype=np.bool_)
    texts = None if source is None else Texts.of(source, "source")
    return Batch(Texts.of(translations, "translations"), columns, present, recipe, targeted=flags, source_texts=texts)
