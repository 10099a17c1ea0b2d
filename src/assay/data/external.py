"""Scores of metrics that ran elsewhere: COMET, MetricX, or whatever wrote a file of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.files import write_files
from assay.errors import InputError, Place

Scores = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExternalScores:
    """One metric's scores, at whichever levels its files have them; NaN is a score that is missing.

    ``segments`` has an array per system with a score for every segment of the campaign.
    """

    name: str
    segments: Mapping[str, Scores] | None = field(default=None, repr=False)
    documents: Mapping[str, Mapping[str, float]] | None = field(default=None, repr=False)
    domains: Mapping[str, Mapping[str, float]] | None = field(default=None, repr=False)
    systems: Mapping[str, float] | None = field(default=None, repr=False)
    higher_is_better: bool = True
    #: The files that they came from.
    origin: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that there are scores of, the finest first."""
        return tuple(level for level in LEVELS if getattr(self, level) is not None)

    @property
    def missing(self) -> int:
        """How many scores are NaN."""
        count = sum(int(np.isnan(scores).sum()) for scores in (self.segments or {}).values())
        for groups in (self.documents, self.domains):
            count += sum(int(np.isnan(score)) for scores in (groups or {}).values() for score in scores.values())
        return count + sum(int(np.isnan(score)) for score in (self.systems or {}).values())

    def of_segments(self, segments: NDArray[np.int64]) -> ExternalScores:
        """The scores of these segments alone, in this order; those of documents and systems stay as they are."""
        if self.segments is None:
            return self
        return replace(self, segments={system: scores[segments] for system, scores in self.segments.items()})


#: From the finest to the coarsest.
LEVELS = ("segments", "documents", "domains", "systems")


def merge(scores: Iterable[ExternalScores]) -> list[ExternalScores]:
    """One object per metric: what several files say of one metric at different levels is put together."""
    found: dict[str, ExternalScores] = {}
    for one in scores:
        first = found.get(one.name)
        if first is None:
            found[one.name] = one
            continue
        twice = [level for level in one.levels if level in first.levels]
        if twice:
            what = f"scores of {one.name!r} for {twice[0]} are in {first.origin} as well."
            raise InputError(what, "Keep one of them.", Place(one.origin))
        if first.higher_is_better != one.higher_is_better:
            what = f"of {one.name!r} higher is better in one file and lower in another."
            raise InputError(what, place=Place(one.origin))
        parts = {level: getattr(one, level) for level in one.levels}
        found[one.name] = replace(first, **parts, origin=f"{first.origin} and {one.origin}")
    return list(found.values())


def read_scores(path: str | Path, campaign: Campaign, *, higher_is_better: bool = True) -> list[ExternalScores]:
    """The scores in a file, or in all score files of a folder, per metric.

    A file is one of mt-metrics-eval's (``NAME-REF.seg.score``, ``doc``, ``domain`` or ``sys``) or a TSV or CSV with a
    header. Read it with the whole campaign, before segments are chosen: such files know segments by their order.
    """
    from assay.data.formats.scores import is_score_file, read_score_file, read_score_table

    folder = Path(path)
    if folder.is_dir():
        files = sorted(file for file in folder.iterdir() if is_score_file(file))
        if not files:
            raise InputError("no file called NAME.seg.score, NAME.sys.score or the like.", place=Place(str(path)))
        return merge(
            one for file in files for one in read_score_file(file, campaign, higher_is_better=higher_is_better)
        )
    read = read_score_file if is_score_file(path) else read_score_table
    return read(path, campaign, higher_is_better=higher_is_better)


def write_scores(
    scores: Iterable[ExternalScores], path: str | Path, campaign: Campaign, *, overwrite: bool = False
) -> list[Path]:
    """Write scores as one TSV, or into a folder as mt-metrics-eval's files; the files that were written come back."""
    from assay.data.formats import format_by_ending
    from assay.data.formats.scores import write_score_files, write_score_table

    if format_by_ending(path) == "tsv":
        return write_files({"": [write_score_table(scores, campaign)]}, path, overwrite=overwrite)
    files = {name: [content] for name, content in write_score_files(scores, campaign).items()}
    return write_files(files, path, overwrite=overwrite)
