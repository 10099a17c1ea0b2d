"""What studies that ask people work on: judgements that count, metrics counted once, and draws for intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.people.levels import FEWEST_SYSTEMS, GridLevel, SystemLevel
from assay.people.ratings import People, Ratings
from assay.people.scores import Scores, metric_scores
from assay.people.usage import Usage, adjustment, usage_at
from assay.questions.asked import Asked, Judged
from assay.questions.studies.base import Study, warn
from assay.significance.draws import NOTHING, Draws, Estimate, Units, named

#: Draws of fewer segments are all alike, and intervals of them hold nothing.
_FEWEST_SEGMENTS = 5


@dataclass(frozen=True, kw_only=True)
class JudgedStudy(Judged, Study):
    """A study that asks people: which of their judgements count is an option of all of these."""

    def judged(self, asked: Asked, *, fewest: int = FEWEST_SYSTEMS, kind: Sequence[str] = ()) -> JudgedSystems:
        """The systems in the eyes of people; ``kind`` stands for the study's own."""
        options = {
            name: getattr(self, name) for name in ("normalise", "ranking", "missing", "lower_is_better", "plain_means")
        }
        return judged_systems(self.name, asked, fewest=fewest, kind=kind or self.kind, **options)


@dataclass(frozen=True, eq=False)
class JudgedSystems:
    """A campaign's systems in the eyes of people; ``campaign`` has the systems that somebody judged."""

    study: str
    asked: Asked = field(repr=False)
    campaign: Campaign
    people: People
    usage: Usage

    def sources(self, metrics: Sequence[Metric], campaign: Campaign | None = None) -> list[Scores]:
        """The metrics, counted; they score a system's judged segments, or all where whole systems were judged."""
        asked, mask = self.asked, self.people.mask if self.people.mask.any() else ~self.people.mask
        sources = metric_scores(
            self.campaign if campaign is None else campaign, metrics, self.people, mask,
            threads=asked.threads, progress=asked.part(0.0, 0.4), known=asked.counted,
        )  # fmt: skip
        names = map(asked.name_of, metrics)
        return [replace(source, name=name) for source, name in zip(sources, names, strict=True)]

    def ratings(self) -> Ratings:
        """People's scores of segments; refuses ranks, and judgements of whole documents and systems."""
        needed = f"{self.study} needs scores of single segments, and these judgements are"
        if not isinstance(self.people, Ratings):
            raise InputError(f"{needed} ranks. Give judgements with a scale, such as direct assessment or MQM.")
        if not np.isfinite(self.people.grid).any():
            raise InputError(f"{needed} of whole documents or systems.")
        return self.people

    def used(self, level: str) -> str:
        """The fate of all judgements at a level: those of documents serve none here, those of systems not segments."""
        return str(usage_at(level, self.people, self.usage))

    def measure(self, level: str, statistic: str, sources: Iterable[Scores], draws: Draws) -> list[Estimate]:
        """A statistic of each source, over systems or over all translations of segments together, as in the papers."""
        against: SystemLevel | GridLevel
        if level == "system":
            against = SystemLevel(self.people, draws, seed=self.asked.seed)
        else:
            against = GridLevel(self.ratings().grid, draws, seed=self.asked.seed)
        cell = (statistic, None if level == "system" else "none")
        return [against.measure([cell], source)[cell] for source in sources]

    @property
    def units(self) -> Units:
        """What is drawn as a whole."""
        return self.asked.units(self.campaign)

    def drawn(self) -> str:
        """What is drawn as a whole, what that assumes, and whether people's scores of systems are adjusted."""
        judged = self.people.judged
        drawn = self.asked.about_units(self.units, campaign=self.campaign, among=judged if judged.any() else None)
        return " ".join([drawn, *adjustment(self.people)])

    def draws(self, samples: int, *, systems: bool = False, among: NDArray[np.int64] | None = None) -> Draws:
        """The segments as they are, and then as they are drawn; ``among`` some of them only, with ``systems`` too."""
        judged = int(self.people.mask.any(axis=0).sum())
        if 0 < judged < _FEWEST_SEGMENTS:
            warn(
                f"{counted(judged, 'judged segment')}: too few to draw from, so there are no intervals. "
                f"They need {_FEWEST_SEGMENTS}."
            )
            samples = 0
        chosen = None if among is None else np.isin(np.arange(len(self.campaign)), among)
        draws = Draws.of(
            self.units, samples, self.asked.seed, among=chosen,
            systems=named(self.people.systems), vary=("units", "systems") if systems else ("units",),
        )  # fmt: skip
        return draws if chosen is None else replace(draws, first=chosen[None].astype(np.float64))


def judged_systems(study: str, asked: Asked, *, fewest: int, **judgements: Any) -> JudgedSystems:
    """The systems in the eyes of people, whose ``judgements`` are chosen as ``Asked.people`` does.

    Raises where fewer than ``fewest`` systems have any.
    """
    if not asked.chosen.systems:
        raise InputError(f"{asked.chosen.name} has no system. {study} needs systems that people judged.")
    chosen = asked.judged_campaign(judgements.get("kind", ()))
    people, usage = asked.people(chosen, **judgements)
    if len(people.systems) < fewest:
        raise InputError(
            f"{study} compares systems as people and metrics see them. It needs at least {fewest} that were judged, "
            f"and {chosen.name} has {len(people.systems)}: {', '.join(people.systems)}."
        )
    known = replace(chosen, systems={name: chosen.systems[name] for name in people.systems})
    return JudgedSystems(study, asked, known, people, usage)


def gained(measured: Estimate, base: Estimate | None, name: str = "gain") -> dict[str, Any]:
    """How much more one statistic is than another on the same draws; None where there is nothing to compare with."""
    difference = NOTHING if base is None else measured - base
    return difference.row(name, f"{name}_low", f"{name}_high")


def by_chance(rows: Iterable[Mapping[str, Any]], name: str = "gain") -> Iterator[str]:
    """How many gains would look sure if there were none: what a reader of many intervals has to know."""
    gains = sum(row[f"{name}_low"] is not None for row in rows)
    if gains > 1:
        yield f"If there were no gains at all, {gains / 20:.1f} of these {gains} would be sure by chance in the mean."


def is_sure(row: Mapping[str, Any], name: str = "gain") -> bool:
    """Whether the interval of a difference leaves 0 out."""
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    return low is not None and high is not None and bool(low > 0 or high < 0)


def surely(rows: Iterable[Mapping[str, Any]], name: str = "gain") -> tuple[list[str], list[str]]:
    """The metrics that surely gain, and those that surely lose."""
    sure = [row for row in rows if row[name] is not None and is_sure(row, name)]
    up = [row["metric"] for row in sure if row[name] > 0]
    return up, [row["metric"] for row in sure if row["metric"] not in up]
