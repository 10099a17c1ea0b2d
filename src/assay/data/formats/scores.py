"""Scores of metrics in files: mt-metrics-eval's, and tables with a header.

mt-metrics-eval's are called ``NAME-REF.seg.score`` and so on, and have a block per system in the order of the test set.
Tables are TSV or CSV. Long: ``metric, system, segment, score``, where ``segment`` may also be ``document`` or
``domain``, or be left out for scores of systems, and ``metric`` may be left out for the file's name. Wide: no
``score``, and one column per metric.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.files import plain_name, read_bytes
from assay.data.formats import format_by_ending
from assay.data.lines import texts_of
from assay.data.tables import Row, read_table, spell_number, spell_table
from assay.errors import AssayWarning, InputError, Place, nearest

#: What stands for a score that is missing.
NOTHING = ("", "-", "None", "nan", "NaN", "null")
#: Names of mt-metrics-eval's files, and what their endings say.
NAME = re.compile(r"(.+)\.(seg|doc|domain|sys)\.score")
LEVELS = {"seg": "segments", "doc": "documents", "domain": "domains", "sys": "systems"}
#: Columns of a table that say what a score is of, and their levels.
UNITS = {"segment": "segments", "document": "documents", "domain": "domains"}
KNOWN = ("metric", "system", "score", *UNITS)
WHAT = (
    "A table of scores has the columns metric, system, segment and score, or system, segment and one column per metric."
)
#: A level, a metric, a system, and a segment's number or the name of a document or domain ("" for a system).
Item = tuple[str, str, str, int | str]


@dataclass
class Collected:
    """The scores of one file as they come: checked against the campaign, counted, and made into arrays."""

    path: str
    campaign: Campaign
    higher_is_better: bool = True
    scores: dict[Item, float] = field(default_factory=dict)
    lines: dict[Item, int] = field(default_factory=dict)
    #: How many lines there are of systems that the campaign does not have.
    strangers: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item, text: str, line: int) -> None:
        """One more score; a second one of the same item is an error."""
        score = self._number(text, line)
        if item in self.lines:
            level, metric, system, unit = item
            what = f"{level[:-1]} {unit!r} of {system!r}" if level != "systems" else f"system {system!r}"
            raise InputError(
                f"a second score of {metric!r} for {what}; the first is in line {self.lines[item]}.",
                "Keep one of them.",
                Place(self.path, line),
            )
        self.lines[item] = line
        if item[2] in self.campaign.systems:
            self.scores[item] = score
        else:
            self.strangers[item[2]] = self.strangers.get(item[2], 0) + 1

    def _number(self, text: str, line: int) -> float:
        """A number, or NaN where there is none."""
        if text.strip() in NOTHING:
            return float("nan")
        try:
            score = float(text)
        except ValueError:
            score = float("inf")
        if not np.isfinite(score):
            what = f"the score is {text!r}, but a number is needed, or None where there is none."
            raise InputError(what, place=Place(self.path, line))
        return score

    def unit(self, level: str, name: str, line: int) -> str:
        """``name``, if the campaign has such a document or domain."""
        names = getattr(self.campaign, level)
        if names is None or name not in names:
            near = nearest(name, set(names or ()))
            guess = f"Did you mean {near!r}?" if near else ""
            raise InputError(f"the campaign has no {level[:-1]} {name!r}.", guess, Place(self.path, line))
        return name

    def finish(self) -> list[ExternalScores]:
        """The scores per metric, and a note of what is not in them."""
        if not self.lines:
            raise InputError("there are no scores in it.", place=Place(self.path))
        if self.strangers:
            listed = ", ".join(f"{system!r} ({count})" for system, count in self.strangers.items())
            self._warn(
                f"{sum(self.strangers.values())} scores are of systems that {self.campaign.name} does not have and are "
                f"not used: {listed}."
            )
        if not self.scores:
            what = f"no system of {self.campaign.name} has a score in it."
            there = f"{', '.join(self.campaign.systems)}; the file has {', '.join(self.strangers)}."
            raise InputError(what, f"The campaign has {there}", Place(self.path))
        grouped: dict[str, dict[str, dict[str, dict[int | str, float]]]] = {}
        for (level, metric, system, unit), score in self.scores.items():
            grouped.setdefault(metric, {}).setdefault(level, {}).setdefault(system, {})[unit] = score
        found = [
            ExternalScores(
                name,
                higher_is_better=self.higher_is_better,
                origin=self.path,
                **{level: self._level(level, parts) for level, parts in levels.items()},
            )
            for name, levels in grouped.items()
        ]
        self._tell_missing(found)
        return found

    def _level(self, level: str, by_system: dict[str, dict[int | str, float]]) -> Mapping[str, Any]:
        """What stands under a level: numbers, numbers by name, or an array with a place for every segment."""
        if level == "systems":
            return {system: units[""] for system, units in by_system.items()}
        if level != "segments":
            return by_system
        arrays = {}
        for system, units in by_system.items():
            arrays[system] = np.full(len(self.campaign), np.nan)
            arrays[system][np.array(list(units), dtype=np.int64)] = list(units.values())
        return arrays

    def _tell_missing(self, found: list[ExternalScores]) -> None:
        gaps: dict[tuple[str, str], list[str]] = {}
        for scores in found:
            if scores.missing:
                self._warn(f"{scores.missing} scores of {scores.name!r} are missing.")
            for level in scores.levels:
                without = [system for system in self.campaign.systems if system not in getattr(scores, level)]
                if without:
                    gaps.setdefault((level, ", ".join(without)), []).append(scores.name)
        for (level, systems), names in gaps.items():
            self._warn(f"no scores of {', '.join(names)} for {level}: {systems}.")

    def _warn(self, message: str) -> None:
        warnings.warn(AssayWarning(message, place=Place(self.path)), stacklevel=5)


def is_score_file(path: str | Path) -> bool:
    """Whether a file is called as mt-metrics-eval calls them."""
    return NAME.fullmatch(plain_name(Path(path).name)) is not None


def read_score_file(path: str | Path, campaign: Campaign, *, higher_is_better: bool = True) -> list[ExternalScores]:
    """The scores of one of mt-metrics-eval's files; its name says of which metric and at which level."""
    found = NAME.fullmatch(plain_name(Path(path).name))
    if found is None:
        what = "a score file is called NAME.seg.score, or doc, domain or sys instead of seg."
        raise InputError(what, place=Place(str(path)))
    metric, level = found[1], LEVELS[found[2]]
    collected = Collected(str(path), campaign, higher_is_better)
    units = _units(campaign, level, str(path))
    width, needed = (3, "domain, system and score") if level == "domains" else (2, "system and score")
    counts: dict[str, int] = {}
    for number, line in enumerate(texts_of(read_bytes(path), str(path)), start=1):
        cells = line.split("\t") if "\t" in line else line.split()
        if len(cells) != width:
            what = f"{len(cells)} fields, but {needed} are needed, with a tab between."
            raise InputError(what, place=Place(str(path), number))
        *domain, system, text = (cell.strip() for cell in cells)
        index = counts[system] = counts.get(system, -1) + 1
        if level in ("segments", "documents") and index >= len(units):
            what = (
                f"one score of {system!r} too many; the campaign has {len(units)} {level}, and there is one score for "
                "each, in their order."
            )
            raise InputError(what, place=Place(str(path), number))
        unit = collected.unit(level, domain[0], number) if domain else "" if level == "systems" else units[index]
        collected.add((level, metric, system, unit), text, number)
    if level in ("segments", "documents"):
        for system, last in counts.items():
            if last + 1 < len(units):
                what = (
                    f"{last + 1} scores of {system!r}, but the campaign has {len(units)} {level}, and there is one "
                    "score for each, in their order; None stands for one that is missing."
                )
                raise InputError(what, place=Place(str(path)))
    return collected.finish()


def _units(campaign: Campaign, level: str, path: str) -> Sequence[int | str]:
    """What there is a score for, in the order in which scores come."""
    if level == "segments":
        return range(len(campaign))
    if level == "documents":
        if campaign.documents is None:
            what = f"scores of documents, but {campaign.name} does not name its documents."
            raise InputError(what, place=Place(path))
        return list(dict.fromkeys(campaign.documents))
    return sorted(set(campaign.domains or ())) if level == "domains" else [""]


def write_score_files(scores: Iterable[ExternalScores], campaign: Campaign) -> Mapping[str, bytes]:
    """mt-metrics-eval's files of these scores, by name; missing ones are ``None``."""
    files: dict[str, bytes] = {}
    for one in scores:
        for short, level in LEVELS.items():
            if level not in one.levels:
                continue
            units = _units(campaign, level, one.origin or one.name)
            lines = []
            for system, values in getattr(one, level).items():
                for unit in units:
                    score = values if level == "systems" else _value(values, unit)
                    prefix = f"{unit}\t" if level == "domains" else ""
                    lines.append(f"{prefix}{system}\t{'None' if np.isnan(score) else repr(float(score))}\n")
            files[f"{one.name}.{short}.score"] = "".join(lines).encode()
    return files


def _value(values: object, unit: int | str) -> float:
    if isinstance(values, np.ndarray):
        return float(values[int(unit)])
    return float(values.get(unit, np.nan)) if isinstance(values, Mapping) else float("nan")


def read_score_table(path: str | Path, campaign: Campaign, *, higher_is_better: bool = True) -> list[ExternalScores]:
    """The scores of a table."""
    name, quoted = str(path), format_by_ending(path) == "csv"
    table = read_table(name, "," if quoted else "\t", quoted=quoted, needed=("system",), what=WHAT, bare=True)
    table.content = ""
    metrics = [column for column in table.header if column not in KNOWN] if "score" not in table.header else []
    if "score" not in table.header and not metrics:
        raise InputError("neither a column 'score' nor one column per metric.", place=Place(name, 1))
    collected = Collected(name, campaign, higher_is_better)
    own = Path(plain_name(path)).stem
    segments = _Segments(campaign)
    for row in table:
        level, unit = _unit(row, collected, segments)
        if metrics:
            for metric in metrics:
                collected.add((level, metric, row.raw("system"), unit), row.raw(metric), row.line)
        else:
            metric = row.raw("metric") if "metric" in row.columns else own
            collected.add((level, metric, row.raw("system"), unit), row.raw("score"), row.line)
    return collected.finish()


def _unit(row: Row, collected: Collected, segments: _Segments) -> tuple[str, int | str]:
    """The level and what the score is of."""
    for column, level in UNITS.items():
        name = row.raw(column)
        if name.strip() not in NOTHING:
            return level, segments.number(row) if column == "segment" else collected.unit(level, name, row.line)
    return "systems", ""


class _Segments:
    """Segments by their names, if they have names, or else by their numbers."""

    def __init__(self, campaign: Campaign) -> None:
        names = campaign.segment_names()
        self.numbers = {name: number for number, name in enumerate(names)}
        self.count = len(names)
        self.distinct = len(self.numbers) == len(names)

    def number(self, row: Row) -> int:
        text = row.raw("segment")
        if self.distinct and text in self.numbers:
            return self.numbers[text]
        if len(text) < 10 and text.isascii() and text.isdecimal() and int(text) < self.count:
            return int(text)
        known = ", or known by name" if self.distinct else ""
        what = (
            f"the segment is {text!r}, but the campaign has {self.count} segments, numbered from 0 to {self.count - 1}"
            f"{known}."
        )
        raise InputError(what, place=row.place)


def write_score_table(scores: Iterable[ExternalScores], campaign: Campaign) -> bytes:
    """A long TSV of all levels; a score that is missing is ``-``."""
    listed = list(scores)
    columns = [column for column, level in UNITS.items() if any(level in one.levels for one in listed)]
    rows = [["metric", "system", *columns, "score"]]
    for one in listed:
        for system, units, value in _items(one, campaign.segment_names()):
            rows.append([one.name, system, *(units.get(column, "-") for column in columns), spell_number(value)])
    return b"".join(spell_table(rows))


def _items(one: ExternalScores, names: Sequence[str]) -> Iterator[tuple[str, dict[str, str], float]]:
    for system, values in (one.segments or {}).items():
        for name, value in zip(names, values.tolist(), strict=True):
            yield system, {"segment": name}, value
    for column, groups in (("document", one.documents), ("domain", one.domains)):
        for system, by_name in (groups or {}).items():
            for name, value in by_name.items():
                yield system, {column: name}, float(value)
    for system, value in (one.systems or {}).items():
        yield system, {}, float(value)
