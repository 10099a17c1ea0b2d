"""Which metric follows people best over several campaigns?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from scipy.stats import rankdata

from assay.data.problems import note
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.people.levels import FEWEST_SYSTEMS
from assay.people.statistics.registry import statistic as named_statistic
from assay.questions.asked import REFUSALS, Asked
from assay.questions.base import JUDGED, Campaigns, metrics_option, option
from assay.questions.studies.base import WITH_SCORES, defined, different, those
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, gained, is_sure
from assay.results import charts
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.draws import Estimate, estimate, number_or_none

#: What stands for all campaigns in the picture.
_MEAN = "mean"


@dataclass(frozen=True, kw_only=True)
class Leaderboard(JudgedStudy):
    """Metrics in the order of how far they follow people, on average over campaigns, with ranks in each of them."""

    name = "leaderboard"
    takes = WITH_SCORES
    question = "Which metric follows people best over these campaigns?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, JUDGED: 3}
    source = "WMT's metrics shared tasks; Lavie (2007), slide 28, has two data sets and their average"
    campaigns: ClassVar[Campaigns] = "together"
    columns = (
        Column("rank", "rank", "d"), Column("metric"),
        Column("mean", "mean", ".3f", low="low", high="high"),
        Column("behind", "behind first", ".3f", low="behind_low", high="behind_high"),
        Column("mean_rank", "mean rank", ".2f"), Column("first", "first in", "d"), Column("campaigns", "of", "d"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "by_campaign": (
            Column("campaign"), Column("metric"), Column("value", "value", ".3f", low="low", high="high"),
            Column("rank", "rank", ".1f"), Column("systems", "systems", "d"),
        )
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "chrf", "ter", "wer", "per", "meteor", "gtm", "fmean"),
        "Metrics, with their recipes.",
        scores=True,
    )
    statistic: Literal["accuracy", "spa", "pearson", "spearman", "kendall"] = option(
        "accuracy", "How metrics are held against people; accuracy is the share of pairs of systems in their order."
    )
    level: Literal["system", "segment"] = option("system", "Of systems, or of all translations of segments together.")
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        systems_only = self.statistic in ("accuracy", "spa")
        self.require(
            self.level == "system" or not systems_only, "statistic", "pearson, spearman or kendall of segments"
        )

    def answer(self, asked: Asked) -> Result:
        taken: dict[str, JudgedSystems] = {}
        measured: dict[str, list[Estimate]] = {}
        refused: dict[str, Exception] = {}
        for done, part in enumerate(asked.parts):
            here = replace(part, progress=asked.part(done / len(asked.parts), (done + 1) / len(asked.parts)))
            try:
                judged = self.judged(here, fewest=FEWEST_SYSTEMS)
                measured[part.name] = self._measure(judged)
                taken[part.name] = judged
            except REFUSALS as error:
                refused[part.name] = error
            here.report(1.0)
        if not measured:
            raise InputError(" ".join({str(why): 0 for why in refused.values()}))
        for name, why in refused.items():
            note(f"{name} takes no part: {why}")
        names = [asked.name_of(metric) for metric in self.metrics]
        kinds = ", ".join(dict.fromkeys(judged.people.name for judged in taken.values()))
        single = _ranked(measured, names)
        tables = {"table": _means(measured, names, single), "by_campaign": single}
        whose = {name: f"{name}: " if asked.several else "" for name in taken}
        said = [*self._findings(tables["table"], len(measured))]
        said += [f"{whose[name]}{judged.drawn()}" for name, judged in taken.items()]
        usage = [f"{whose[name]}{judged.used(self.level)}" for name, judged in taken.items()]
        return self.result(asked, tables, said, self.metrics, usage=usage, kind=kinds)

    def _measure(self, judged: JudgedSystems) -> list[Estimate]:
        """Each metric in one campaign."""
        sources = judged.sources(self.metrics)
        found = judged.measure(self.level, self.statistic, sources, judged.draws(self.samples))
        if all(one.value is None for one in found):
            raise InputError(f"{judged.campaign.name}: no {self.statistic} is defined, for all scores are alike.")
        return found

    def _findings(self, rows: Table, campaigns: int) -> Iterator[str]:
        first, *others = rows
        over = f"{self.statistic} over {self.level}s, the mean of {counted(campaigns, 'campaign')}"
        if first["mean"] is None:
            yield f"{over}: no metric has a value in all of them."
            return
        best = [row["metric"] for row in rows if row["rank"] == 1]
        named = f"{first['metric']} is" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} are"
        yield (
            f"{named} first ({first['mean']:.3f}; {over}). Every campaign counts alike; intervals are "
            "about other texts of these campaigns, not about other campaigns."
        )
        behind = [row for row in others if row["behind"] is not None and row["rank"] != 1]
        close = [row["metric"] for row in behind if not is_sure(row, "behind")]
        if close:
            yield f"Not surely behind it: {', '.join(close)}."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """The mean of each metric with its interval, and every campaign below it."""
        means = [row | {"campaign": _MEAN, "value": row["mean"]} for row in defined(tables["table"], "mean")]
        single = [row for row in tables["by_campaign"] if row["value"] is not None]
        # Of one campaign its value is the mean.
        rows = [*means, *single] if len(different(single, "campaign")) > 1 else single
        colors = charts.palette(different(rows, "campaign"))
        measured = f"{named_statistic(self.statistic).label} with people, over {self.level}s"
        dots = charts.interval_dots(
            [row | {"said": f"{row['value']:.3f}"} for row in rows],
            name="metric", value="value", ends=("low", "high"), label="said", group="campaign", colors=colors,
            order=[row["metric"] for row in means], step=16, heading=measured,
        )  # fmt: skip
        # Those that take part.
        named = ", ".join(different(tables["by_campaign"], "campaign"))
        said = [f"{named}; bars hold 95 % of {self.samples:,} samples of texts"]
        whole = charts.above(charts.key(colors), dots) if len(colors) > 1 else dots
        return charts.figure("figure", whole, self.question, said)


def _ranked(measured: Mapping[str, Sequence[Estimate]], names: Sequence[str]) -> Table:
    """A row per campaign and metric, with the metric's rank there; equal ones share the mean of their ranks."""
    rows: Table = []
    for campaign, found in measured.items():
        values = np.array([np.nan if one.value is None else one.value for one in found])
        ranks = rankdata(-values, nan_policy="omit")
        best = np.nanmax(values)
        for name, one, rank in zip(names, found, ranks, strict=True):
            placed = {"rank": number_or_none(float(rank)), "is_first": one.value == best, "systems": one.n}
            rows.append({"campaign": campaign, "metric": name, **one.row(), **placed})
    return rows


def _means(measured: Mapping[str, Sequence[Estimate]], names: Sequence[str], single: Table) -> Table:
    """A row per metric, the best first: its mean over campaigns, and how far that is behind the best one's."""
    means = {name: mean_of([found[number] for found in measured.values()]) for number, name in enumerate(names)}
    values = np.array([np.nan if one.value is None else one.value for one in means.values()])
    places = dict(zip(means, rankdata(-values, method="min", nan_policy="omit"), strict=True))
    order = sorted(means, key=lambda name: (np.isnan(places[name]), places[name]))
    rows: Table = []
    for name in order:
        there = [row for row in those(single, metric=name) if row["rank"] is not None]
        row: dict[str, Any] = {"rank": None, "metric": name, **means[name].row("mean")}
        if means[name].value is not None:
            row["rank"] = int(places[name])
        # Differences are of the same draws, so that what both have in common falls out.
        behind = name != order[0] and means[name].value is not None
        row |= gained(means[order[0]], means[name] if behind else None, "behind")
        row["mean_rank"] = sum(other["rank"] for other in there) / len(there) if len(there) == len(measured) else None
        rows.append(row | {"first": sum(other["is_first"] for other in there), "campaigns": len(measured)})
    return rows


def mean_of(found: Sequence[Estimate]) -> Estimate:
    """The mean of estimates of independent data, draw by draw; none where one of them has no value."""
    drawn = min(len(one.values) for one in found) if all(one.low is not None for one in found) else 1
    values = [one.values[:drawn] if len(one.values) else np.array([np.nan]) for one in found]
    return estimate(np.mean(values, axis=0), min(one.units for one in found))
