"""What does each further reference bring? After Turian et al. (2003), Figure 5b, and Lavie et al. (2004), section 5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.wording import counted
from assay.errors import InputError
from assay.figures import dress, load_altair
from assay.meta.benches import steady, with_observed
from assay.meta.people import People
from assay.meta.result import number_or_none, quantile_pair
from assay.meta.statistics.draws import Draws
from assay.meta.statistics.grids import several_on_grid
from assay.meta.statistics.system_pairs import SYSTEM_STATISTICS
from assay.metrics.base import Metric
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, StudyResult
from assay.questions.studies.parts.judged import NormalisedStudy
from assay.questions.studies.parts.recipes import SENTENCE_BLEU
from assay.questions.studies.parts.reference_sets import require_several, usable_references
from assay.questions.studies.pictures.emptiness import nothing_to_draw
from assay.questions.studies.pictures.lines import Line, curves
from assay.results.result import Result
from assay.scoring.evaluate import Progress, Shard, thread_count
from assay.scoring.subsets import Subset, SubsetCounter, names_of, subsets_of
from assay.significance.weights import bootstrap_counts

Array = NDArray[np.float64]

#: Below so many systems no correlation over systems says anything.
STATISTICS = ("pearson", "spearman", "kendall")
LEVELS = ("system", "segment")
#: Level and statistic.
Cell = tuple[str, str]


@dataclass(frozen=True, kw_only=True)
class ReferenceCount(NormalisedStudy):
    """Correlation with people for every set of references, set by set, then over all sets of one size."""

    name: ClassVar[str] = "reference-count"
    question: ClassVar[str] = "What does each further reference bring to a metric's correlation with people?"
    source: ClassVar[str] = "Turian, Shen & Melamed (2003), Figure 5b; Lavie, Sagae & Jayaraman (2004), section 5"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("metric", "metric"),
        Column("level", "level"),
        Column("statistic", "statistic"),
        Column("k", "k", "d"),
        Column("n", "sets", ","),
        Column("mean", "mean", ".3f"),
        Column("sd", "SD", ".3f"),
        Column("low", "lowest", ".3f"),
        Column("high", "highest", ".3f"),
        Column("gain", "gain", "+.3f"),
        Column("gain_low", "low", "+.3f"),
        Column("gain_high", "high", "+.3f"),
        Column("low_references", "lowest with"),
        Column("high_references", "highest with"),
    )

    metric: tuple[str, ...] = option((SENTENCE_BLEU, "nist", "chrf", "meteor", "gtm"), "Metrics, with their recipes.")
    statistic: tuple[str, ...] = option(STATISTICS, "Which correlations.")
    scope: Literal["judged", "all"] = option("judged", "Segments that metrics score.")
    k: tuple[int, ...] = option((), "How many references at a time: 1,3. Default: every k.")
    most: int = option(200, "Sets of one size above this are drawn at random.")
    samples: int = option(200, "Draws of segments behind the intervals of gains; 0 for none.")

    def check(self) -> None:
        named_metrics(self.metric)
        self.require(all(size >= 1 for size in self.k), "k", "numbers of references from 1 on, such as 1,3")
        self.require(self.most >= 1, "most", "a whole number from 1 on")
        self.require(self.samples >= 0, "samples", "a whole number from 0 on")
        sound = len(self.statistic) > 0 and set(self.statistic) <= set(STATISTICS)
        self.require(sound, "statistic", f"some of {', '.join(STATISTICS)}")

    def answer(self, asked: Asked) -> Result:
        chosen = asked.chosen
        texts = usable_references(chosen, self.name)
        require_several(texts, asked.campaign.name, self.name)
        sizes = self._sizes(len(texts), asked.campaign.name)
        asked_people = self.judged(asked)
        subsets = {size: subsets_of(len(texts), size, most=self.most, seed=asked.seed) for size in sizes}
        named = {size: [names_of(subset, list(texts)) for subset in subsets[size]] for size in sizes}
        bench = _Bench(asked_people.people, self, asked.seed)
        shard = Shard(0, len(chosen), thread_count(asked.threads))
        rows: list[dict[str, Any]] = []
        details: list[dict[str, Any]] = []
        metrics = named_metrics(self.metric)
        for done, metric in enumerate(metrics):

            def share(own: float, before: int = done) -> None:
                asked.report((before + own) / len(metrics))

            counter = SubsetCounter(metric, asked_people.campaign.systems, texts, shard=shard)
            found = bench.measure_all(metric, counter, subsets, share)
            rows += summaries(str(metric), found, named)
            details += single_sets(str(metric), found, named)
        said = (*findings(rows), *bench.notes, str(asked_people.usage))
        return self.result(asked, rows, said, details={"sets": details})

    def _sizes(self, count: int, campaign: str) -> list[int]:
        for size in self.k:
            if size > count:
                raise InputError(
                    f"k is {size}, but {campaign} has {counted(count, 'reference')} in use. Choose a smaller --k, or "
                    "more references with --refs."
                )
        return sorted(set(self.k)) or list(range(1, count + 1))

    def chart(self, result: StudyResult) -> Any:
        """Correlation over the number of references: a panel per level, a line per metric."""
        altair = load_altair()
        statistic = self.statistic[0]
        panels = []
        for level in LEVELS:
            rows = [row for row in result.rows if (row["level"], row["statistic"]) == (level, statistic)]
            rows = [row for row in rows if row["mean"] is not None]
            if rows:
                lines = [
                    Line(metric, [row for row in rows if row["metric"] == metric])
                    for metric in dict.fromkeys(row["metric"] for row in rows)
                ]
                title = f"{level} level"
                panels.append(
                    curves(
                        altair, lines, title=title, across="References", up=f"{statistic.capitalize()}'s correlation"
                    )
                )
        if not panels:
            raise nothing_to_draw()
        most = max(row["n"] for row in result.rows)
        said = [
            f"{result.campaign}: lines are means over all sets of k references (up to {most} sets), "
            "bars the lowest and highest set."
        ]
        return dress(altair.hconcat(*panels, spacing=50), "What does each further reference bring?", said)


class _Bench:
    """People's scores, and the draws of segments that all sets share; the first draw has every segment once."""

    def __init__(self, people: People, study: ReferenceCount, seed: int) -> None:
        self.people, self.study, self.seed = people, study, seed
        segments = people.judged.shape[1]
        blocks = list(bootstrap_counts(segments, study.samples, seed)) if study.samples else []
        drawn = np.concatenate(blocks) if blocks else np.ones((0, segments))
        self.draws = with_observed(Draws(drawn, np.ones((len(drawn), len(people.systems)))))
        self.mask = people.judged if study.scope == "judged" else np.ones_like(people.judged)
        self.human = people.system_scores(self.draws.segments)
        grid = people.segment_scores()
        self.grid = grid if grid is not None and np.isfinite(grid).any() else None
        self.notes = (
            () if self.grid is not None else ("No segment has a score of its own, so the system level is all.",)
        )

    def measure_all(
        self, metric: Metric, counter: SubsetCounter, subsets: Mapping[int, Sequence[Subset]], progress: Progress
    ) -> dict[int, dict[Cell, Array]]:
        """All correlations of one metric, by size: sets by draws."""
        total, done = sum(map(len, subsets.values())), 0
        found: dict[int, dict[Cell, Array]] = {}
        for size, own in subsets.items():
            measured = []
            for subset in own:
                measured.append(self.measure(metric, counter, subset))
                done += 1
                progress(done / total)
            found[size] = {cell: np.stack([one[cell] for one in measured]) for cell in measured[0]}
        return found

    def measure(self, metric: Metric, counter: SubsetCounter, subset: Subset) -> dict[Cell, Array]:
        """All correlations of one set: a value per draw."""
        sign = 1.0 if metric.higher_is_better else -1.0
        rows = [counter.rows(system, subset) for system in self.people.systems]
        masked = [np.where(mask[:, None], one, 0.0) for mask, one in zip(self.mask, rows, strict=True)]
        scores = np.stack([sign * metric.score(self.draws.segments @ one) for one in masked], axis=1)
        scores = steady(scores)
        found: dict[Cell, Array] = {
            ("system", name): SYSTEM_STATISTICS[name](scores, self.human) for name in self.study.statistic
        }
        if self.grid is not None:
            segments = steady(np.stack([sign * metric.score(one) for one in rows]))
            values = several_on_grid(self.study.statistic, segments, self.grid, self.draws, "none", seed=self.seed)
            found |= {("segment", name): value for name, value in values.items()}
        return found


def summaries(
    metric: str, found: Mapping[int, Mapping[Cell, Array]], named: Mapping[int, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """A row per level, statistic and size: mean and range over sets, and what it is more than with one size less."""
    for cell in sorted(next(iter(found.values())), key=lambda cell: (LEVELS.index(cell[0]), STATISTICS.index(cell[1]))):
        previous: Array | None = None
        for size, values in found.items():
            own = values[cell]
            mean = own.mean(axis=0)
            observed = own[:, 0]
            sound = np.isfinite(observed).all()
            low, high = (int(observed.argmin()), int(observed.argmax())) if sound else (0, 0)
            gain = None if previous is None else mean - previous
            ends = (None, None) if gain is None else quantile_pair(gain[1:])
            yield {
                "metric": metric,
                "level": cell[0],
                "statistic": cell[1],
                "k": size,
                "n": len(own),
                "mean": number_or_none(float(mean[0])),
                "sd": number_or_none(float(observed.std(ddof=1))) if len(own) > 1 else None,
                "low": number_or_none(float(observed[low])),
                "high": number_or_none(float(observed[high])),
                "gain": None if gain is None else number_or_none(float(gain[0])),
                "gain_low": ends[0],
                "gain_high": ends[1],
                "low_references": named[size][low] if sound else None,
                "high_references": named[size][high] if sound else None,
            }
            previous = mean


def single_sets(
    metric: str, found: Mapping[int, Mapping[Cell, Array]], named: Mapping[int, Sequence[str]]
) -> Iterator[dict[str, Any]]:
    """Every correlation of every set."""
    for size, values in found.items():
        for index, references in enumerate(named[size]):
            for (level, statistic), own in values.items():
                value = number_or_none(float(own[index, 0]))
                yield {
                    "metric": metric, "level": level, "statistic": statistic,
                    "k": size, "references": references, "value": value,
                }  # fmt: skip


def findings(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """From the fewest references to the most, for the first statistic of each level."""
    seen: set[tuple[str, str]] = set()
    for row in rows:
        if (row["metric"], row["level"]) in seen:
            continue
        seen.add((row["metric"], row["level"]))
        own = [
            one
            for one in rows
            if all(one[key] == row[key] for key in ("metric", "level", "statistic")) and one["mean"] is not None
        ]
        if len(own) < 2:
            continue
        first, last = own[0], own[-1]
        sentence = (
            f"{row['metric']}, {row['level']} level: {row['statistic']} {first['mean']:.3f} with {first['k']}, "
            f"{last['mean']:.3f} with {last['k']} references"
        )
        if first["n"] > 1:
            sentence += f"; with {first['k']} it is {first['low']:.3f} to {first['high']:.3f}, as references are chosen"
        yield f"{sentence}."
