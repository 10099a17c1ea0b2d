"""What does each further reference bring? After Turian et al. (2003), Figure 5b, and Lavie et al. (2004), section 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from assay.arrays import Array, Flags
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.people.ratings import People
from assay.people.scores import scores_of, steady
from assay.people.statistics.registry import several_on_grid
from assay.people.statistics.registry import statistic as named_statistic
from assay.questions.asked import Asked
from assay.questions.base import JUDGED, Averaged, metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, defined, different, grouped, those, usable_references, watched
from assay.questions.studies.judged import JudgedStudy
from assay.results import charts
from assay.results.charts import DASHES, Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import Shard, thread_count
from assay.scoring.statistics import Statistics
from assay.scoring.subsets import SubsetCounter, names_of, subsets_of
from assay.significance.draws import NOTHING, Draws, estimate, named, number_or_none

_STATISTICS = ("pearson", "spearman", "kendall")


@dataclass(frozen=True, kw_only=True)
class ReferenceCount(JudgedStudy):
    """Correlation with people for every set of references, set by set, then over all sets of one size."""

    name = "reference-count"
    averaged: ClassVar[Averaged] = {"table": (("metric", "level", "statistic", "k"), ("mean",))}
    question = "What does each further reference bring to a metric's correlation with people?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 2, JUDGED: 3}
    source = "Turian, Shen & Melamed (2003), Figure 5b; Lavie, Sagae & Jayaraman (2004), section 5"
    columns = (
        Column("metric"), Column("level"), Column("statistic"), Column("k", "k", "d"), Column("n", "sets", ","),
        Column("mean", "mean", ".3f"), Column("sd", "SD", ".3f"), Column("low", "range", ".3f", high="high"),
        Column("gain", "gain", "+.3f", low="gain_low", high="gain_high"), Column("low_references", "lowest with"),
        Column("high_references", "highest with"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        (SENTENCE_BLEU, "nist", "chrf", "meteor", "gtm"), "Metrics, with their recipes."
    )
    statistic: tuple[str, ...] = option(_STATISTICS, "Which correlations.")
    scope: Literal["judged", "all"] = option("judged", "Segments that metrics score.")
    k: tuple[int, ...] = option((), "How many references at a time. Default: every k.", metavar="1,3", least=1)
    most: int = option(200, "Sets of one size above this are drawn at random.", metavar="N", least=1)
    samples: int = option(
        200, "Bootstrap samples of segments, for intervals of gains; 0 for none.", metavar="N", least=0
    )

    def check(self) -> None:
        sound = len(self.statistic) > 0 and set(self.statistic) <= set(_STATISTICS)
        self.require(sound, "statistic", f"some of {', '.join(_STATISTICS)}")

    def answer(self, asked: Asked) -> Result:
        texts = usable_references(asked.chosen, self.name, fewest=2)
        sizes = self._sizes(len(texts), asked.campaign.name)
        judged = self.judged(asked)
        subsets = [
            (size, subset) for size in sizes for subset in subsets_of(len(texts), size, most=self.most, seed=asked.seed)
        ]
        draws = Draws.of(
            replace(judged.units, whole=None), self.samples, asked.seed, systems=named(judged.people.systems)
        )
        correlating = SetCorrelations(judged.people, self.statistic, draws, asked.seed, everything=self.scope == "all")
        shard = Shard(0, len(asked.chosen), thread_count(asked.threads))
        tables: dict[str, Table] = {"table": [], "sets": []}
        for done, metric in enumerate(self.metrics):
            counter = SubsetCounter(metric, judged.campaign.systems, texts, shard=shard, known=asked.counted)
            sets: Table = []
            drawn: list[Array] = []
            for size, subset in watched(subsets, asked, done / len(self.metrics), (done + 1) / len(self.metrics)):
                counts = [counter.statistics(system, subset) for system in judged.people.systems]
                for (level, statistic), values in correlating.measure(metric, counts).items():
                    cells = {"metric": asked.name_of(metric), "level": level, "statistic": statistic, "k": size}
                    value = number_or_none(float(values[0]))
                    sets.append(cells | {"references": names_of(subset, list(texts)), "value": value})
                    drawn.append(values)
            tables["table"] += _summaries(sets, drawn, correlating.draws.size)
            tables["sets"] += sets
        said, usage = (
            [*_findings(tables["table"]), *([judged.drawn()] if self.samples else []), *correlating.notes],
            [str(judged.usage)],
        )
        return self.result(asked, tables, said, self.metrics, usage=usage, kind=judged.people.name)

    def _sizes(self, count: int, campaign: str) -> list[int]:
        for size in self.k:
            if size > count:
                raise InputError(
                    f"k is {size}, but {campaign} has {counted(count, 'reference')} in use. Choose a smaller --k, or "
                    "more references with --refs."
                )
        return sorted(set(self.k)) or list(range(1, count + 1))

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Correlation over the number of references, a panel per level."""
        statistic = self.statistic[0]
        rows = defined(those(tables["table"], statistic=statistic), "mean")
        panels = []
        for level, here in grouped(rows, "level"):
            sizes, names = sorted(different(here, "k")), different(here, "metric")
            panels.append(
                charts.lines(
                    here, x="k", y="mean", series="metric", ends=("low", "high"), ranges=True, nudge=0.06, dots=46,
                    dashes={name: DASHES[place % len(DASHES)] for place, name in enumerate(names)},
                    across=Axis(
                        title="References", domain=(sizes[0] - 0.3, sizes[-1] + 0.3), ticks=sizes, format="d",
                        grid=False,
                    ),
                    up=Axis(title=f"{statistic.capitalize()}'s correlation", ticks=6),
                    heading=f"{level} level", width=300, height=260,
                )
            )  # fmt: skip
        most = max(row["n"] for row in tables["table"])
        said = f"lines are means over all sets of k references (up to {most} sets), bars the lowest and highest set."
        title = "What does each further reference bring?"
        return charts.figure("figure", charts.beside(*panels, spacing=50), title, [f"{campaign}: {said}"])


class SetCorrelations:
    """People's scores, and the draws of segments that all sets share; the first draw has every segment once.

    Metrics score the segments that were judged, or all with ``everything``. Units are those of the segments that are
    here: each set of references is fitted to them.
    """

    def __init__(
        self, people: People, statistics: Sequence[str], draws: Draws, seed: int, *, everything: bool = False
    ) -> None:
        self.statistics, self.seed, self.people, self.draws = statistics, seed, people, draws
        self.mask: Flags = people.mask | everything
        self.human = people.system_scores(self.draws.weights)
        grid = people.grid
        self.grid = grid if np.isfinite(grid).any() else None
        alone = "No segment has a score of its own, so the system level is all."
        self.notes = [] if self.grid is not None else [alone]

    def measure(self, metric: Metric, counted: Sequence[Statistics]) -> dict[tuple[str, str], Array]:
        """All correlations of one set: a value per draw, by level and statistic."""
        source = scores_of(metric, counted, self.people, self.mask)
        scores = steady(source.drawn_scores(self.draws))
        values = {
            ("system", name): named_statistic(name).over(self.human, scores, self.draws.systems)
            for name in self.statistics
        }
        if self.grid is not None:
            below = several_on_grid(self.statistics, steady(source.grid), self.grid, self.draws, "none", seed=self.seed)
            values |= {("segment", name): value for name, value in below.items()}
        return values


def _summaries(sets: Table, drawn: Sequence[Array], units: int) -> Iterator[dict[str, Any]]:
    """A row per level, statistic and size: mean and range over sets, and what it is more than with one size less.

    ``drawn`` has for each row of ``sets`` its value under every draw.
    """
    rows = [row | {"drawn": values} for row, values in zip(sets, drawn, strict=True)]
    rows.sort(key=lambda row: (row["level"] != "system", _STATISTICS.index(row["statistic"]), row["k"]))
    for _, here in grouped(rows, "level", "statistic"):
        previous: Array | None = None
        for size, several in grouped(here, "k"):
            values = np.stack([row["drawn"] for row in several])
            mean, observed = values.mean(axis=0), values[:, 0]
            sound = bool(np.isfinite(observed).all())
            low, high = (several[observed.argmin()], several[observed.argmax()]) if sound else (several[0],) * 2
            gain = NOTHING if previous is None else estimate(mean - previous, units)
            previous = mean
            sd = number_or_none(float(observed.std(ddof=1))) if len(several) > 1 else None
            yield (
                {name: low[name] for name in ("metric", "level", "statistic")}
                | {"k": size, "n": len(several), "mean": number_or_none(float(mean[0])), "sd": sd}
                | {"low": low["value"], "high": high["value"], **gain.row("gain", "gain_low", "gain_high")}
                | {"low_references": low["references"] if sound else None}
                | {"high_references": high["references"] if sound else None}
            )


def _findings(rows: Table) -> Iterator[str]:
    """From the fewest references to the most, for the first statistic of each level."""
    for (metric, level), here in grouped(rows, "metric", "level"):
        statistic = here[0]["statistic"]
        able = [row for row in those(here, statistic=statistic) if row["mean"] is not None]
        if len(able) > 1:
            first, last = able[0], able[-1]
            said = (
                f"{metric}, {level} level: {statistic} {first['mean']:.3f} with {first['k']}, {last['mean']:.3f} with "
                f"{last['k']} references"
            )
            if first["n"] > 1:
                said += f"; with {first['k']} it is {first['low']:.3f} to {first['high']:.3f}, as references are chosen"
            yield f"{said}."
