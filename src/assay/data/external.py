"""Scores of metrics that ran elsewhere: COMET, MetricX, or whatever wrote a file of numbers.

mt-metrics-eval's are called ``NAME-REF.seg.score`` and so on, and have a block per system in the order of the test set.
Tables are TSV or CSV. Long: ``metric, system, segment, score``, where ``segment`` may also be ``document`` or
``domain``, or be left out for scores of systems, and ``metric`` may be left out for the file's name. Wide: no
``score``, and one column per metric.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import checked
from assay.data.campaign import Campaign
from assay.data.files import entries, is_folder, plain_name, reading_up_to
from assay.data.formats import format_by_ending
from assay.data.formats.judgements.mt_metrics_eval import scores_in_order
from assay.data.judgements import LARGEST_SCORE
from assay.data.problems import STRICT, note
from assay.data.tables import Row, finite, read_table
from assay.errors import InputError, Place, nearest, shown

_Scores = NDArray[np.float64]
#: What stands for a score that is missing.
_NOTHING = ("", "-", "None", "nan", "NaN", "null")
#: Names of mt-metrics-eval's files, and what their endings say.
_NAME = re.compile(r"(.+)\.(seg|doc|domain|sys)\.score")
_ENDINGS = {"seg": "segments", "doc": "documents", "domain": "domains", "sys": "systems"}
#: From the finest to the coarsest.
_LEVELS = tuple(_ENDINGS.values())
#: Columns of a table that say what a score is of, and their levels.
_UNITS = {"segment": "segments", "document": "documents", "domain": "domains"}
_WHAT = (
    "A table of scores has the columns metric, system, segment and score, or system, segment and one column per metric."
)
#: A level, a metric, a system, and a segment's number or the name of a document or domain ("" for a system).
_Item = tuple[str, str, str, int | str]


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

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that there are scores of, the finest first."""
        return tuple(level for level in _LEVELS if getattr(self, level) is not None)

    @property
    def missing(self) -> int:
        """How many scores are NaN."""
        values = (scores for level in self.levels for scores in getattr(self, level).values())
        return sum(int(np.isnan([*one.values()] if isinstance(one, Mapping) else one).sum()) for one in values)

    def of_segments(self, segments: NDArray[np.int64]) -> ExternalScores:
        """The scores of these segments alone, in this order; those of documents and systems stay as they are."""
        if self.segments is None:
            return self
        return replace(self, segments={system: scores[segments] for system, scores in self.segments.items()})


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
        parts = {level: getattr(one, level) for level in one.levels}
        merged[one.name] = replace(first, **parts, origin=f"{first.origin} and {one.origin}")
    return list(merged.values())


@checked
def read_scores(
    path: str | Path, campaign: Campaign, *, higher_is_better: bool = True, largest: int | str | None = None
) -> list[ExternalScores]:
    """The scores in a file, or in all score files of a folder, per metric.

    A file is one of mt-metrics-eval's (``NAME-REF.seg.score``, ``doc``, ``domain`` or ``sys``) or a TSV or CSV with a
    header. Read it with the whole campaign, before segments are chosen: such files know segments by their order.
    ``largest`` says how much may come of a compressed file (``"8GB"``), where that is more than the usual limit.
    """
    files = entries(path) if is_folder(path) else [Path(path)]
    matched = {str(file): _NAME.fullmatch(plain_name(file.name)) for file in files}
    if is_folder(path):
        matched = {file: name for file, name in matched.items() if name is not None}
        if not matched:
            raise InputError("no file called NAME.seg.score, NAME.sys.score or the like.", place=Place(str(path)))
    read = []
    with reading_up_to(largest):
        for file, name in matched.items():
            in_order = None if name is None else _items_in_order(file, campaign, name[1], name[2])
            items = _items_of_table(file, campaign) if in_order is None else in_order
            read += _by_metric(file, campaign, items, higher_is_better)
    return merge(read)


def _items_in_order(path: str, campaign: Campaign, metric: str, ending: str) -> Iterator[tuple[_Item, float, int]]:
    """The scores of one of mt-metrics-eval's files; its name says of which metric and at which level."""
    for line, system, score, segment, name in scores_in_order(path, ending, campaign, STRICT, _number):
        unit = name or "" if segment is None else segment
        yield (_ENDINGS[ending], metric, system, unit), score, line


def _items_of_table(path: str, campaign: Campaign) -> Iterator[tuple[_Item, float, int]]:
    quoted = format_by_ending(path) == "csv"
    table = read_table(path, "," if quoted else "\t", quoted=quoted, needed=("system",), what=_WHAT, bare=True)
    table.content = ""
    known = ("metric", "system", "score", *_UNITS)
    metrics = [] if "score" in table.header else [column for column in table.header if column not in known]
    if "score" not in table.header and not metrics:
        raise InputError("neither a column 'score' nor one column per metric.", place=Place(path, 1))
    stem = Path(plain_name(path)).stem
    names = campaign.segment_names()
    numbers = {name: number for number, name in enumerate(names)} if len(set(names)) == len(names) else {}
    for row in table:
        column = next((column for column in _UNITS if row.raw(column).strip() not in _NOTHING), "")
        unit: int | str = _segment(row, numbers, len(names)) if column == "segment" else row.raw(column)
        cells = {name: name for name in metrics} or {row.raw("metric") if "metric" in row.columns else stem: "score"}
        for metric, cell in cells.items():
            yield (_UNITS.get(column, "systems"), metric, row.raw("system"), unit), _number(row, cell), row.line


def _number(row: Row, name: str = "score") -> float:
    """A number, or NaN where there is none."""
    text = row.raw(name)
    score = np.nan if text.strip() in _NOTHING else finite(text)
    if score is None:
        what = f"the score is {shown(text)}, but a number is needed, or None where there is none."
        raise InputError(what, place=row.place)
    if abs(score) > LARGEST_SCORE:
        raise InputError(f"the score is {score:g}, but none may be larger than {LARGEST_SCORE:g}.", place=row.place)
    return score


def _segment(row: Row, numbers: Mapping[str, int], count: int) -> int:
    """A segment by its name, if segments have names of their own, or else by its number."""
    text = row.raw("segment")
    if text in numbers:
        return numbers[text]
    if len(text) < 10 and text.isascii() and text.isdecimal() and int(text) < count:
        return int(text)
    known = ", or known by name" if numbers else ""
    there = f"the campaign has {count} segments, numbered from 0 to {count - 1}{known}."
    raise InputError(f"the segment is {shown(text)}, but {there}", place=row.place)


def _by_metric(
    path: str, campaign: Campaign, items: Iterable[tuple[_Item, float, int]], higher_is_better: bool
) -> list[ExternalScores]:
    """The scores of a file by metric, each of one item once; what is not in them is said."""
    gaps: dict[tuple[str, str], list[str]] = {}
    missing: dict[int, list[str]] = {}
    read = []
    for metric, levels in _grouped(path, campaign, items).items():
        scores = ExternalScores(metric, **levels, higher_is_better=higher_is_better, origin=path)
        read.append(scores)
        missing.setdefault(scores.missing, []).append(repr(metric))
        for level, by_system in levels.items():
            without = [system for system in campaign.systems if system not in by_system]
            if without:
                gaps.setdefault((level, ", ".join(without)), []).append(metric)
    for count, names in missing.items():
        if count:
            each = " each" if len(names) > 1 else ""
            note(f"{count} scores{each} of {', '.join(names)} are missing.", Place(path))
    for (level, systems), names in gaps.items():
        note(f"no scores of {', '.join(names)} for {level}: {systems}.", Place(path))
    return read


def _grouped(
    path: str, campaign: Campaign, items: Iterable[tuple[_Item, float, int]]
) -> dict[str, dict[str, dict[str, Any]]]:
    """Scores by metric, level and system, of the systems that the campaign has.

    What stands there is a number, numbers by name, or an array with a place for every segment.
    """
    known = {"documents": set(campaign.documents or ()), "domains": set(campaign.domains or ())}
    lines: dict[_Item, int] = {}
    #: How many lines there are of systems that the campaign does not have.
    strangers: Counter[str] = Counter()
    grouped: dict[str, dict[str, dict[str, Any]]] = {}
    for item, score, line in items:
        level, metric, system, unit = item
        if level in known and unit not in known[level]:
            near = nearest(str(unit), known[level])
            guess = f"Did you mean {near!r}?" if near else ""
            raise InputError(f"the campaign has no {level[:-1]} {unit!r}.", guess, Place(path, line))
        if item in lines:
            what = f"{level[:-1]} {unit!r} of {system!r}" if level != "systems" else f"system {system!r}"
            raise InputError(
                f"a second score of {metric!r} for {what}; the first is in line {lines[item]}.",
                "Keep one of them.",
                Place(path, line),
            )
        lines[item] = line
        if system not in campaign.systems:
            strangers[system] += 1
            continue
        by_system = grouped.setdefault(metric, {}).setdefault(level, {})
        if level == "systems":
            by_system[system] = score
            continue
        if system not in by_system:
            by_system[system] = np.full(len(campaign), np.nan) if level == "segments" else {}
        by_system[system][unit] = score
    if not lines:
        raise InputError("there are no scores in it.", place=Place(path))
    if strangers:
        listed = ", ".join(f"{system!r} ({count})" for system, count in strangers.items())
        what = f"{strangers.total()} scores are of systems that {campaign.name} does not have and are not used"
        note(f"{what}: {listed}.", Place(path))
    if not grouped:
        there = f"{', '.join(campaign.systems)}; the file has {', '.join(strangers)}."
        raise InputError(f"no system of {campaign.name} has a score in it.", f"The campaign has {there}", Place(path))
    return grouped
