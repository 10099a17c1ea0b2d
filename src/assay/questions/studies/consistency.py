"""Does a system get similar scores on similar texts? Split halves of a test set, after Lavie's lecture (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.arrays import Array, Flags
from assay.errors import InputError
from assay.metrics.base import Metric
from assay.people.levels import FEWEST_SYSTEMS
from assay.people.scores import steady
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import WITH_SCORES, Study, those, watched
from assay.results import charts
from assay.results.charts import Axis, Spec
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table
from assay.scoring.statistics import Statistics
from assay.significance.association import over_rows, stepped_up
from assay.significance.draws import Units, number_or_none, quantiles, shuffled

#: Halves of fewer units are single texts.
_FEWEST_UNITS = 4
#: What is measured in every split, and in which range of splits it lies, 95 % of them.
_MEASURES = ("pearson", "stepped_up", "kendall", "difference", "relative")
_RANGE = (0.025, 0.975)


@dataclass(frozen=True, eq=False)
class _Halves:
    """What a metric makes of every system on both halves: splits by systems; and on the whole test set."""

    first: Array
    second: Array
    whole: Array

    @classmethod
    def of(cls, statistics: Sequence[Statistics], taken: Flags) -> _Halves:
        """``taken`` says which segments are in the first half: splits by segments."""
        metric, weights = statistics[0].metric, taken.astype(np.float64)
        scores: list[list[Array]] = [[], [], []]
        for counted in statistics:
            rows = np.where(counted.failed[:, None], 0.0, counted.rows)
            total, half = rows.sum(axis=0), weights @ rows
            for part, sums in zip(scores, (half, total - half, total), strict=True):
                part.append(np.asarray(metric.score(sums), dtype=np.float64))
        return cls(*(steady(np.stack(part, axis=-1)) for part in scores))

    def measured(self) -> dict[str, Array]:
        """How far halves agree, a value per split; correlations are over systems, and take three of them."""
        apart = np.abs(self.first - self.second).mean(axis=1)
        found = dict.fromkeys(_MEASURES, np.full(len(apart), np.nan)) | {"difference": apart}
        spread = float(self.whole.std(ddof=1)) if len(self.whole) >= FEWEST_SYSTEMS else 0.0
        if spread > 0.0:
            pearson, kendall = (over_rows(measure, self.first, self.second) for measure in ("pearson", "kendall_b"))
            found |= {"pearson": pearson, "stepped_up": stepped_up(pearson), "kendall": kendall}
            found["relative"] = apart / spread
        return found


@dataclass(frozen=True, kw_only=True)
class Consistency(Study):
    """Systems' scores on two halves of the test set, over many random splits: do both say the same of them?

    Halves are of whole documents where these are known. No judgements are needed.
    """

    name = "consistency"
    takes = WITH_SCORES
    question = "Does the same system get similar scores on similar texts?"
    source = "Lavie (2007), lecture: a metric should be consistent and reliable"
    columns = (
        Column("metric"), Column("pearson", "Pearson of halves", ".3f", low="pearson_low", high="pearson_high"),
        Column("stepped_up", "of whole sets", ".3f"),
        Column("kendall", "Kendall", ".3f", low="kendall_low", high="kendall_high"),
        Column("difference", "halves differ by", ".2f"), Column("spread", "SD of systems", ".2f"),
        Column("relative", "in SD", ".3f", low="relative_low", high="relative_high"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "chrf", "ter", "meteor"), "Metrics, with their recipes.", scores=True
    )
    splits: int = option(200, "How often the test set is split at random.", metavar="N", least=2, most=100_000)

    def answer(self, asked: Asked) -> Result:
        # Where people are all there is, they are compared.
        campaign = asked.chosen if len(asked.humans) == len(asked.chosen.systems) else asked.judged_campaign()
        if not campaign.systems:
            raise InputError(f"{campaign.name} has no system. {self.name} compares systems' scores on two halves.")
        units = asked.units(campaign)
        if len(units) < _FEWEST_UNITS:
            raise InputError(
                f"{self.name} splits the test set into halves of at least two {units.name}s, and {campaign.name} has "
                f"{len(units)}." + (" Take --unit segment." if units.name == "document" else "")
            )
        taken = self._taken(units, asked.seed)
        counted = asked.count(self.metrics, campaign, asked.part(0.0, 0.6))
        tables: dict[str, Table] = {"table": [], "systems": [], "splits": []}
        base: dict[str, Array] = {}
        for metric in watched(self.metrics, asked, 0.6):
            halves = _Halves.of([counted[system, str(metric)] for system in campaign.systems], taken)
            measured, name = halves.measured(), asked.name_of(metric)
            gain = np.full(self.splits, np.nan)
            if base:
                gain = measured["stepped_up"] - base["stepped_up"]
            base = base or measured
            row: dict[str, Any] = {"metric": name, "systems": len(campaign.systems), "units": len(units)}
            for measure in _MEASURES:
                row |= _summary(measure, measured[measure])
                if measure == "difference":
                    several = len(halves.whole) > 1
                    row["spread"] = number_or_none(float(halves.whole.std(ddof=1))) if several else None
            tables["table"].append(row | _summary("gain", gain))
            tables["systems"] += _of_systems(name, list(campaign.systems), halves)
            tables["splits"] += [
                {"metric": name, "split": number + 1}
                | {measure: number_or_none(float(values[number])) for measure, values in measured.items()}
                for number in range(self.splits)
            ]
        said = [*self._findings(tables["table"], units), *_about(units, taken)]
        return self.result(asked, tables, said, self.metrics)

    def _taken(self, units: Units, seed: int) -> Flags:
        """Which segments are in the first half: splits by segments. Halves have as many units, or one more."""
        flags = np.zeros((self.splits, len(units)), dtype=np.bool_)
        for number in range(self.splits):
            flags[number, shuffled(units.keys, seed, "halves of a test set", number)[: len(units) // 2]] = True
        return units.spread(flags)

    def _findings(self, rows: Table, units: Units) -> Iterator[str]:
        yield (
            f"{self.splits:,} random splits into halves of {units.name}s. Ranges hold 95 % of the splits: they say how "
            "much hangs on which texts are in which half, and are no intervals for other systems. Of whole sets: what "
            "two test sets of this size would agree by, after Spearman and Brown. In SD: how far a system's "
            "halves lie apart, by the deviation between systems."
        )
        able = [row for row in rows if row["stepped_up"] is not None]
        if not able:
            yield f"Correlations of halves take {FEWEST_SYSTEMS} systems with different scores: there are none."
        for row in able:
            ends = bracketed(row["pearson_low"], row["pearson_high"], ".3f")
            relative = "" if row["relative"] is None else f", {row['relative']:.2f} of the SD between systems"
            yield (
                f"{row['metric']}: halves order systems with a Pearson of {row['pearson']:.3f}{ends}, whole sets would "
                f"with {row['stepped_up']:.3f}; a system's halves differ by {row['difference']:.2f} in the "
                f"mean{relative}."
            )
        if len(able) > 1:
            best = max(able, key=lambda row: row["stepped_up"])
            yield f"Most consistent in the mean: {best['metric']}."
        for row in able:
            if row["gain"] is not None:
                ends = bracketed(row["gain_low"], row["gain_high"], "+.3f")
                yield f"{row['metric']} less {rows[0]['metric']}, of whole sets: {row['gain']:+.3f}{ends} over splits."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Systems on both halves of the split that is in the middle, a panel per metric; above, all splits."""
        rows = [row for row in tables["table"] if row["pearson"] is not None and row["relative"] is not None]
        if not rows:
            raise InputError("There is nothing to draw: correlations of halves take three systems with scores.")
        headings = {"pearson": "Pearson of halves over systems", "relative": "how far halves differ, in SD of systems"}
        top = [
            charts.interval_dots(
                [row | {"said": f"{row[measure]:.3f}"} for row in rows], name="metric", value=measure, label="said",
                ends=(f"{measure}_low", f"{measure}_high"), heading=heading, names=measure == "pearson",
            )
            for measure, heading in headings.items()
        ]  # fmt: skip
        panels: list[Spec] = []
        for row in rows:
            halves = those(tables["systems"], metric=row["metric"])
            # The line goes from corner to corner: both axes are of the same scores.
            both = Axis(ticks=4).over(half[side] for half in halves for side in ("first", "second"))
            panels.append(
                charts.scatter(
                    halves, x="first", y="second", line=(0.0, 1.0), area=30, across=replace(both, title="one half"),
                    up=replace(both, title=None if panels else "the other"), heading=row["metric"], width=190,
                    height=170,
                )
            )  # fmt: skip
        said = [
            f"{campaign}: means over {self.splits:,} random splits, bars hold 95 % of them",
            "below: systems in the split whose Pearson is the median; on the line both halves are the same",
        ]
        whole = charts.above(charts.beside(*top), charts.panels(panels, columns=4))
        return charts.figure("figure", whole, self.question, said)


def _summary(name: str, values: Array) -> dict[str, float | None]:
    """The mean over splits, and the range of 95 % of them."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"))
    low, high = quantiles(finite, _RANGE)
    return {name: float(finite.mean()), f"{name}_low": low, f"{name}_high": high}


def _of_systems(metric: str, systems: Sequence[str], halves: _Halves) -> Iterator[dict[str, Any]]:
    """A row per system: its score, how far its halves are apart, and both halves of the split in the middle."""
    pearson = np.nan_to_num(halves.measured()["pearson"])
    middle = int(np.argsort(pearson, kind="stable")[len(pearson) // 2])
    for place, system in enumerate(systems):
        apart = np.abs(halves.first[:, place] - halves.second[:, place])
        yield (
            {"metric": metric, "system": system, "score": float(halves.whole[place])}
            | _summary("difference", apart)
            | {"split": middle + 1, "first": float(halves.first[middle, place])}
            | {"second": float(halves.second[middle, place])}
        )


def _about(units: Units, taken: Flags) -> Iterator[str]:
    """How large halves are."""
    sizes = taken.sum(axis=1)
    reach = f"{sizes.min():,}" if sizes.min() == sizes.max() else f"{sizes.min():,} to {sizes.max():,}"
    yield f"{len(units):,} {units.name}s; the first half has {reach} of {taken.shape[1]:,} segments."
