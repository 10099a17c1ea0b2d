"""Scores of metrics that ran elsewhere: COMET, MetricX, a judge that is a language model, or whatever wrote numbers.

Files of them are read in ``data/formats/scores``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from assay.data.judgements import ErrorSpan
from assay.errors import InputError, Place

_Scores = NDArray[np.float64]
#: The levels that scores can be of, from the finest to the coarsest.
LEVELS = ("segments", "documents", "domains", "systems")


@dataclass(frozen=True, eq=False)
class ExternalScores:
    """One metric's scores, at whichever levels its files have them; NaN is a score that is missing.

    ``segments`` has an array per system with a score for every segment of the campaign.
    """

    name: str
    segments: Mapping[str, _Scores] | None = field(default=None, repr=False)
    documents: Mapping[str, Mapping[str, float]] | None = field(default=None, repr=False)
    domains: Mapping[str, Mapping[str, float]] | None = field(default=None, repr=False)
    systems: Mapping[str, float] | None = field(default=None, repr=False)
    higher_is_better: bool = True
    #: The files that they came from.
    origin: str = ""
    #: Whether the format of the files says which direction is better, and nobody had to.
    direction_known: bool = False
    #: By system the errors that were marked in each segment; None where none could be.
    spans: Mapping[str, tuple[tuple[ErrorSpan, ...] | None, ...]] | None = field(default=None, repr=False)

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that there are scores of, the finest first."""
        return tuple(level for level in LEVELS if getattr(self, level) is not None)

    @property
    def scored(self) -> tuple[str, ...]:
        """The systems that there are scores of, at any level."""
        return tuple(dict.fromkeys(system for level in self.levels for system in getattr(self, level)))

    @property
    def missing(self) -> int:
        """How many scores are NaN."""
        values = (scores for level in self.levels for scores in getattr(self, level).values())
        return sum(int(np.isnan([*one.values()] if isinstance(one, Mapping) else one).sum()) for one in values)

    def of_segments(self, segments: NDArray[np.int64]) -> ExternalScores:
        """The scores of these segments alone, in this order; those of documents and systems stay as they are."""
        if self.segments is None:
            return self
        spans = self.spans and {name: tuple(one[place] for place in segments) for name, one in self.spans.items()}
        return replace(self, segments={name: scores[segments] for name, scores in self.segments.items()}, spans=spans)

    def of_systems(self, systems: Iterable[str]) -> ExternalScores:
        """The scores of these systems alone, as far as there are any."""
        kept = set(systems)
        parts = {
            part: {name: scores for name, scores in getattr(self, part).items() if name in kept}
            for part in (*self.levels, *(["spans"] if self.spans else []))
        }
        return replace(self, **parts)  # type: ignore[arg-type]


class ScoreFiles(Mapping[str, ExternalScores]):
    """Scores by metric that are read when somebody asks for them, and once: most commands do not."""

    def __init__(self, readers: Mapping[str, Callable[[], ExternalScores]]) -> None:
        self._readers = {name: cache(reader) for name, reader in readers.items()}

    def __getitem__(self, name: str) -> ExternalScores:
        return self._readers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


def each(
    scores: Mapping[str, ExternalScores], change: Callable[[ExternalScores], ExternalScores]
) -> Mapping[str, ExternalScores]:
    """All scores as ``change`` has them; files that nobody has read yet are not read for it."""
    if isinstance(scores, ScoreFiles):
        return ScoreFiles({name: lambda name=name: change(scores[name]) for name in scores})  # type: ignore[misc]
    return {name: change(one) for name, one in scores.items()}


def merge(scores: Iterable[ExternalScores]) -> list[ExternalScores]:
    """One object per metric: what several files say of one metric at different levels is put together."""
    merged: dict[str, ExternalScores] = {}
    for one in scores:
        if one.name not in merged:
            merged[one.name] = one
            continue
        first = merged[one.name]
        twice = [level for level in one.levels if level in first.levels]
        if twice:
            what = f"scores of {one.name!r} for {twice[0]} are in {first.origin} as well."
            raise InputError(what, "Keep one of them.", Place(one.origin))
        if first.higher_is_better != one.higher_is_better:
            what = f"of {one.name!r} higher is better in one file and lower in another."
            raise InputError(what, place=Place(one.origin))
        parts = {level: getattr(one, level) for level in one.levels} | ({"spans": one.spans} if one.spans else {})
        merged[one.name] = replace(first, **parts, origin=f"{first.origin} and {one.origin}")
    return list(merged.values())
