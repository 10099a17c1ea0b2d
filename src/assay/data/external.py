"""Scores of metrics that ran elsewhere: COMET, MetricX, a judge that is a language model, or whatever wrote numbers.

Files of them are read in ``data/formats/scores``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.data.judgements import ErrorSpan, Factor, Judgements
from assay.errors import InputError, Place

_Scores = NDArray[np.float64]
T = TypeVar("T")

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

    def of_system(self, system: str, segments: int) -> _Scores:
        """The scores of one system's segments, NaN where there are none."""
        known = (self.segments or {}).get(system)
        return np.full(segments, np.nan) if known is None else known

    def _listed(self) -> Iterator[tuple[str, _Scores]]:
        """All scores: what they are of, and an array of them."""
        for level in self.levels:
            for system, scores in getattr(self, level).items():
                names, values = ([*scores], [*scores.values()]) if isinstance(scores, Mapping) else ([], scores)
                yield repr((level, system, names)), np.asarray(values, dtype=np.float64)

    @property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that stand for all scores and which way is better."""
        digest = hashlib.sha256(repr(self.higher_is_better).encode())
        for what, values in self._listed():
            digest.update(what.encode() + values.tobytes())
        return digest.hexdigest()[:16]

    @property
    def largest(self) -> float:
        """The largest score, whatever its sign; 0 where there is none."""
        return max((float(np.nanmax(np.abs(values), initial=0.0)) for _, values in self._listed()), default=0.0)

    def of_systems(self, systems: Iterable[str]) -> ExternalScores:
        """The scores of these systems alone, as far as there are any."""
        kept = set(systems)
        parts = {
            part: {name: scores for name, scores in getattr(self, part).items() if name in kept}
            for part in (*self.levels, *_spans(self))
        }
        return replace(self, **parts)  # type: ignore[arg-type]


class Lazily(Mapping[str, T]):
    """Values by name that are read, or made, when somebody asks for them, and once: most commands do not."""

    def __init__(self, readers: Mapping[str, Callable[[], T]]) -> None:
        self._readers = {name: cache(reader) for name, reader in readers.items()}
        #: The names of those that somebody asked for.
        self.asked_for: set[str] = set()

    def __getitem__(self, name: str) -> T:
        self.asked_for.add(name)
        return self._readers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


def each(
    scores: Mapping[str, ExternalScores], change: Callable[[ExternalScores], ExternalScores]
) -> Mapping[str, ExternalScores]:
    """All scores as ``change`` has them; files that nobody has read yet are not read for it."""
    if isinstance(scores, Lazily):
        return Lazily({name: lambda name=name: change(scores[name]) for name in scores})  # type: ignore[misc]
    return {name: change(one) for name, one in scores.items()}


def as_judgements(scores: Sequence[ExternalScores], systems: Iterable[str], kinds: Iterable[str]) -> Judgements:
    """What programs say of segments as judgements of these kinds: each is a rater, and what it says higher is better.

    Runs of one, ``name@1`` and ``name@2``, are one rater who judges again.
    """
    names, of_kinds = [*systems], [*kinds]
    columns = [
        (one, row, places, (1.0 if one.higher_is_better else -1.0) * values[places])
        for one in scores
        for row, system in enumerate(names)
        for values in [(one.segments or {}).get(system)]
        if values is not None
        for places in [np.flatnonzero(~np.isnan(values))]
    ]
    if not columns:
        raise InputError(f"{', '.join(one.name for one in scores)}: there are no scores of single segments.")
    raters = Factor.of([one.name.rpartition("@")[0] or one.name for one, *_ in columns])
    times = [len(places) for _, _, places, _ in columns]
    marked: list[tuple[ErrorSpan, ...] | None] = []
    for one, row, places, _ in columns:
        known = (one.spans or {}).get(names[row])
        marked += [None if known is None else known[place] for place in places]
    count = len(of_kinds)
    segment = np.concatenate([places for _, _, places, _ in columns])
    nothing = Factor.empty(len(segment) * count)
    return Judgements(
        origin=" and ".join(dict.fromkeys(one.origin or one.name for one in scores)),
        system=Factor(tuple(names), np.tile(np.repeat([row for _, row, _, _ in columns], times), count)),
        segment=np.tile(segment, count),
        score=np.tile(np.concatenate([values for *_, values in columns]), count),
        kind=Factor(tuple(of_kinds), np.repeat(np.arange(count), len(segment))),
        rater=Factor(raters.names, np.tile(np.repeat(raters.codes, times), count)),
        document=nothing,
        ranking=nothing,
        line=np.zeros(len(segment) * count, dtype=np.int64),
        spans=(*marked,) * count if any(spans is not None for spans in marked) else (),
    )


def merge(scores: Iterable[ExternalScores]) -> list[ExternalScores]:
    """One object per metric: what several files say of one metric, of other systems or levels, is put together."""
    merged: dict[str, ExternalScores] = {}
    for one in scores:
        if one.name not in merged:
            merged[one.name] = one
            continue
        first = merged[one.name]
        filled = (*one.levels, *_spans(one))
        parts: dict[str, Any] = {part: {**(getattr(first, part) or {}), **getattr(one, part)} for part in filled}
        for level in one.levels:
            twice = set(getattr(first, level) or ()) & set(getattr(one, level))
            if twice:
                what = f"scores of {one.name!r} for {level} of {min(twice)!r} are in {first.origin} as well."
                raise InputError(what, "Keep one of them.", Place(one.origin))
        if first.higher_is_better != one.higher_is_better:
            what = f"of {one.name!r} higher is better in one file and lower in another."
            raise InputError(what, place=Place(one.origin))
        merged[one.name] = replace(first, **parts, origin=f"{first.origin} and {one.origin}")
    return list(merged.values())


def _spans(scores: ExternalScores) -> tuple[str, ...]:
    return () if scores.spans is None else ("spans",)
