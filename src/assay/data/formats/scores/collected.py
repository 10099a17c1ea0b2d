"""Scores as they come, line by line: checked against the campaign, counted, and made into arrays."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.errors import AssayWarning, InputError, nearest

#: What stands for a score that is missing.
NOTHING = ("", "-", "None", "nan", "NaN", "null")
#: A level, a metric, a system, and a segment's number or the name of a document or domain ("" for a system).
Item = tuple[str, str, str, int | str]


@dataclass
class Collected:
    """The scores of one file."""

    path: str
    campaign: Campaign
    higher_is_better: bool = True
    scores: dict[Item, float] = field(default_factory=dict)
    lines: dict[Item, int] = field(default_factory=dict)
    #: How many lines there are of systems that the campaign does not have.
    strangers: dict[str, int] = field(default_factory=dict)

    def add(self, item: Item, score: float, line: int) -> None:
        """One more score; a second one of the same item is an error."""
        if item in self.lines:
            level, metric, system, unit = item
            told = f"{level[:-1]} {unit!r} of {system!r}" if level != "systems" else f"system {system!r}"
            raise InputError(
                f"{self.path}, line {line}: a second score of {metric!r} for {told}; the first is in line "
                f"{self.lines[item]}. Keep one of them."
            )
        self.lines[item] = line
        if item[2] in self.campaign.systems:
            self.scores[item] = score
        else:
            self.strangers[item[2]] = self.strangers.get(item[2], 0) + 1

    def finish(self) -> list[ExternalScores]:
        """The scores per metric, and a note of what is not in them."""
        if not self.lines:
            raise InputError(f"{self.path}: there are no scores in it.")
        self._tell_strangers()
        if not self.scores:
            raise InputError(
                f"{self.path}: no system of {self.campaign.name} has a score in it. The campaign has "
                f"{', '.join(self.campaign.systems)}; the file has {', '.join(self.strangers)}."
            )
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

    def _tell_strangers(self) -> None:
        if self.strangers:
            told = ", ".join(f"{system!r} ({count})" for system, count in self.strangers.items())
            self._warn(
                f"{sum(self.strangers.values())} scores are of systems that {self.campaign.name} does not have and are "
                f"not used: {told}."
            )

    def _tell_missing(self, found: list[ExternalScores]) -> None:
        gaps: dict[tuple[str, str], list[str]] = {}
        for one in found:
            if one.missing:
                self._warn(f"{one.missing} scores of {one.name!r} are missing.")
            for level in one.levels:
                without = [system for system in self.campaign.systems if system not in getattr(one, level)]
                if without:
                    gaps.setdefault((level, ", ".join(without)), []).append(one.name)
        for (level, systems), names in gaps.items():
            self._warn(f"no scores of {', '.join(names)} for {level}: {systems}.")

    def _warn(self, message: str) -> None:
        warnings.warn(f"{self.path}: {message}", AssayWarning, stacklevel=5)


def score_of(text: str, place: str) -> float:
    """A number, or NaN where there is none."""
    if text.strip() in NOTHING:
        return float("nan")
    try:
        score = float(text)
    except ValueError:
        score = float("inf")
    if not np.isfinite(score):
        raise InputError(f"{place}: the score is {text!r}, but a number is needed, or None where there is none.")
    return score


def unit_of(names: tuple[str, ...] | None, name: str, what: str, place: str) -> str:
    """``name``, if the campaign has such a document or domain."""
    if names is None or name not in names:
        near = nearest(name, set(names or ()))
        guess = f" Did you mean {near!r}?" if near else ""
        raise InputError(f"{place}: the campaign has no {what} {name!r}.{guess}")
    return name
