"""What does METEOR's discount for scattered matches do to scores? The curve of Lavie's lecture (2007), in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.errors import InputError, ParameterError
from assay.metrics.base import Metric
from assay.metrics.meteor import Meteor
from assay.people.scores import steady
from assay.questions.asked import Asked
from assay.questions.base import CANDIDATES, metrics_option, option
from assay.questions.studies.base import ONE_METRIC, Study, candidates, different, grouped, those, watched
from assay.results import charts
from assay.results.charts import Axis, Mark
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table
from assay.scoring.statistics import Statistics
from assay.significance.draws import Draws

#: Points of a curve, from a fragmentation of 0 to one of 1.
_STEPS = 100
#: A power below 1 rises most where it begins: between the first two steps a straight line would be far below it.
_FIRST = (0.00001, 0.0001, 0.001, 0.0025, 0.005)
#: Parts of a distribution that are shown: ends, quartiles and the middle.
_SHARES = {"lowest": 0.05, "quartile": 0.25, "median": 0.5, "third_quartile": 0.75, "highest": 0.95}


@dataclass(frozen=True, kw_only=True)
class Discount(Study):
    """METEOR with and without its discount, system by system, and the curve that the discount follows.

    A translation whose matches stand in many pieces is discounted: by gamma times the fragmentation to the power of
    beta. Each METEOR keeps its own tokens.
    """

    name = "discount"
    question = "What does METEOR's discount for scattered matches do to scores?"
    source = "Lavie (2007), lecture: the effect of the discounting factor, 0.5 times the cube of fragmentation"
    needs: ClassVar[Mapping[str, int]] = {CANDIDATES: 1}
    takes = ONE_METRIC
    columns = (
        Column("metric"), Column("system"), Column("segments", "matched segments", ",d"),
        Column("fragmentation", "fragmentation", ".3f"),
        Column("mean", "mean discount %", ".2f", low="low", high="high"), Column("median", "median %", ".2f"),
        Column("without", "without", ".2f"), Column("score", "score", ".2f"),
        Column("rank_without", "rank without", "d"), Column("rank", "rank", "d"),
    )  # fmt: skip

    #: Not those that ``study all -m`` chooses: they need not be METEORs.
    meteors: tuple[Metric, ...] = metrics_option(
        ("meteor(variant=lecture2007)", "meteor"), "METEORs: variants, languages, gamma, beta."
    )
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        strange = [str(metric) for metric in self.meteors if not isinstance(metric, Meteor)]
        if strange:
            raise ParameterError(
                f"{self.name}: {', '.join(strange)} has no discount for scattered matches; take meteor."
            )

    def answer(self, asked: Asked) -> Result:
        corpora = candidates(asked)
        counted = asked.count(self.meteors, corpora, asked.part(0.0, 0.8))
        draws = Draws.of(asked.units(), self.samples, asked.seed)
        rows, curves = list[dict[str, Any]](), list[dict[str, Any]]()
        for metric in watched(self.meteors, asked, 0.8):
            here = [_row(system, counted[system, str(metric)], draws) for system in corpora]
            for name, rank in (("without", "rank_without"), ("score", "rank")):
                for row, place in zip(here, _ranks([row[name] for row in here]), strict=True):
                    row[rank] = place
            rows += [{"metric": asked.name_of(metric), **row} for row in here]
            curves += _curve(metric)
        if not any(row["segments"] for row in rows):
            raise InputError(
                f"{asked.campaign.name}: no translation has a word of its reference, and none is discounted."
            )
        said = [*self._findings(rows, curves), asked.about_units(asked.units())]
        return self.result(asked, {"table": rows, "curves": curves}, said, self.meteors)

    def _findings(self, rows: Table, curves: Table) -> Iterator[str]:
        for metric, here in grouped(rows, "metric"):
            curve = those(curves, metric=metric)
            numbers = f"{curve[0]['gamma']:g} times fragmentation to the power of {curve[0]['beta']:g}"
            steep = f", half of that at a fragmentation of {0.5 ** (1.0 / curve[0]['beta']):.2f}"
            means = [row for row in here if row["mean"] is not None]
            least, most = (choose(means, key=lambda row: row["mean"]) for choose in (min, max))
            yield (
                f"{metric}: at most {curve[-1]['discount']:.1f} % off ({numbers}){steep}. Here a matched segment loses "
                f"from {least['mean']:.2f} %{bracketed(least['low'], least['high'], '.2f')} ({least['system']}) to "
                f"{most['mean']:.2f} %{bracketed(most['low'], most['high'], '.2f')} ({most['system']}) in the mean."
            )
            swapped = [
                f"{one['system']} and {other['system']}"
                for one, other in combinations(here, 2)
                if (one["without"] - other["without"]) * (one["score"] - other["score"]) < 0
            ]
            pairs = len(here) * (len(here) - 1) // 2
            if pairs:
                named = f" ({', '.join(swapped[:5])}{' and others' if len(swapped) > 5 else ''})" if swapped else ""
                yield f"{metric}: the discount turns round {len(swapped)} of {pairs} pairs of systems{named}."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """The curves, and beside them how the discount is distributed over each system's segments."""
        rows = [row for row in tables["table"] if row["mean"] is not None]
        metrics, top = different(rows, "metric"), max(row["discount"] for row in tables["curves"]) or 1.0
        colors = charts.palette(metrics)
        curve = charts.lines(
            tables["curves"], x="fragmentation", y="discount", series="metric", colors=colors, dots=0, names=(),
            across=Axis(title="fragmentation", domain=(0.0, 1.0)), width=330, height=260,
            up=Axis(title="discount, %", domain=(0.0, 1.05 * top)),
            marks=[Mark(mean, f"{mean:.2f}", colors[metric]) for metric, mean in _usual(rows).items()],
            heading=["What is taken off", "dashed: mean fragmentation of these texts"],
        )  # fmt: skip
        step = max(13.0, 24.0 - 3.0 * len(metrics))
        spread = charts.interval_dots(
            [row | {"said": f"{row['median']:.1f}"} for row in rows], name="system", value="median", label="said",
            ends=("lowest", "highest"), box=("quartile", "third_quartile"), group="metric", colors=colors, step=step,
            axis=Axis(title="discount, %", zero=True), width=330,
            heading=["Segments of each system", "median, half of the segments, and 90 % of them"],
        )  # fmt: skip
        whole = charts.above(charts.key(colors), charts.beside(curve, spread))
        return charts.figure("figure", whole, self.question, [f"{campaign}: METEOR's discount for fragmentation"])


def _row(system: str, counted: Statistics, draws: Draws) -> dict[str, Any]:
    """A system's scores with and without the discount, and what single segments lose; none where nothing matches."""
    rows = np.where(counted.failed[:, None], 0.0, counted.rows)
    metric, parts = counted.metric, counted.metric.parts(rows)
    matched = np.asarray(parts["translation_matched_words"] > 0)
    discount, fragmentation = (np.where(matched, parts[name], 0.0) for name in ("penalty", "fragmentation"))
    total = rows.sum(axis=0)
    whole = metric.parts(total)
    sums = draws.weights @ np.stack([discount, matched.astype(np.float64)], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = draws.estimate(sums[:, 0] / np.where(sums[:, 1] > 0, sums[:, 1], np.nan))
    count = int(matched.sum())
    shares = np.quantile(discount[matched], list(_SHARES.values())).tolist() if count else [None] * len(_SHARES)
    return (
        {"system": system, "segments": count, "unmatched": len(matched) - count}
        | {"fragmentation": float(fragmentation[matched].mean()) if count else None}
        | mean.row("mean")
        | dict(zip(_SHARES, shares, strict=True))
        | {"without": float(whole["fmean"]), "discount": float(whole["penalty"]), "score": float(metric.score(total))}
    )


def _curve(metric: Metric) -> Iterator[dict[str, Any]]:
    """What is taken off at every fragmentation, in percent."""
    if not isinstance(metric, Meteor):
        return
    numbers = metric.settings.parameters
    for share in (0.0, *_FIRST, *(step / _STEPS for step in range(1, _STEPS + 1))):
        discount = 100.0 * numbers.gamma * share**numbers.beta
        yield (
            {"metric": str(metric), "fragmentation": share, "discount": discount}
            | {"gamma": numbers.gamma, "beta": numbers.beta}
        )


def _usual(rows: Table) -> dict[str, float]:
    """The mean fragmentation of all systems' matched segments, by metric."""
    means = {}
    for metric, here in grouped(rows, "metric"):
        total = sum(row["segments"] for row in here)
        means[metric] = sum(row["fragmentation"] * row["segments"] for row in here) / total
    return means


def _ranks(scores: Sequence[float]) -> list[int]:
    """1 for the highest; equal scores share a rank."""
    values: Array = steady(np.array(scores))
    return [1 + int((values > value).sum()) for value in values]
