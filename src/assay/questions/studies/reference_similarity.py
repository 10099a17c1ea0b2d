"""Are references alike, and which one is not? After Culy & Riehemann (2003), section 4, on strict and free ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import different, grouped, those, usable_references
from assay.questions.studies.judged import JudgedStudy, JudgedSystems
from assay.questions.studies.reference_count import SetCorrelations
from assay.questions.studies.references import drawn_scores
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import Shard, thread_count
from assay.scoring.subsets import Subset, SubsetCounter
from assay.significance.draws import Draws, Estimate, Units, estimate, named

#: Fewer references have no one that is less like the others than these are.
_FEWEST = 3
_STATISTICS = ("pearson", "kendall")
#: Dixon's ratio (Dixon 1950; Rorabacher 1991, Table 1, r10): of 3, 4, ... normal numbers, how much of the range lies
#: between the lowest and the next one in 5 of 100 cases, or more. Of more than 30 it is less than the last.
_DIXON = (
    0.941, 0.765, 0.642, 0.560, 0.507, 0.468, 0.437, 0.412, 0.392, 0.376, 0.361, 0.349, 0.338, 0.329, 0.320, 0.313,
    0.306, 0.300, 0.295, 0.290, 0.285, 0.281, 0.277, 0.273, 0.269, 0.266, 0.263, 0.260,
)  # fmt: skip
#: Pixels of a cell of the matrix, and so of a line of the tree.
_CELL = (36, 24)


@dataclass(frozen=True, eq=False)
class Similarity:
    """How alike references are under one metric, on the data as they are and then in every draw."""

    metric: Metric
    names: tuple[str, ...]
    #: Scores of one reference against another, itself among them: draws by translations by references.
    scores: Array = field(repr=False)
    units: int

    @property
    def pairs(self) -> Array:
        """Similarity of two: the mean of what either has against the other. Draws by references by references."""
        return np.asarray((self.scores + self.scores.swapaxes(1, 2)) / 2.0)

    @property
    def means(self) -> Array:
        """The mean similarity of each to the others: draws by references."""
        apart = ~np.eye(len(self.names), dtype=np.bool_)
        return np.asarray(self.pairs.mean(axis=2, where=apart))

    @property
    def merits(self) -> Array:
        """The same means, turned so that more is more alike."""
        return self.means if self.metric.higher_is_better else -self.means

    @property
    def least(self) -> int:
        """The one that is least like the others."""
        return int(self.merits[0].argmin())

    def distances(self) -> Array:
        """How much two have less than what they have against themselves, in the mean; never below 0."""
        pairs, own = self.pairs[0], np.diagonal(self.scores[0])
        lost = (own[:, None] + own[None, :]) / 2.0 - pairs
        return np.asarray(np.maximum(lost if self.metric.higher_is_better else -lost, 0.0))

    def merges(self) -> Table:
        """Which references join first, by average linkage; numbers count the names from 0 and then merges, as scipy."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        members = {number: [name] for number, name in enumerate(self.names)}
        rows = []
        for step, (first, second, height, size) in enumerate(linkage(squareform(self.distances()), "average")):
            inside = members[len(self.names) + step] = [*members[int(first)], *members[int(second)]]
            rows.append(
                {"step": step + 1, "first": int(first), "second": int(second), "height": float(height)}
                | {"size": int(size), "references": "+".join(sorted(inside))}
            )
        return rows

    def gap(self) -> tuple[Estimate, Estimate]:
        """How far the least similar one is from the next, and which share of the range of all that is."""
        others = np.delete(self.merits, self.least, axis=1)
        lowest, gaps = self.merits[:, self.least], others.min(axis=1) - self.merits[:, self.least]
        reach = self.merits.max(axis=1) - np.minimum(lowest, others.min(axis=1))
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(reach > 0, gaps / reach, 0.0)
        return estimate(gaps, self.units), estimate(np.where(np.isnan(gaps), np.nan, ratio), self.units)


def dixon_bound(count: int) -> float:
    """What Dixon's ratio of so many numbers passes at one end in 5 of 100 cases by chance.

    >>> dixon_bound(3), dixon_bound(12), dixon_bound(40)
    (0.941, 0.376, 0.26)
    """
    return _DIXON[min(count - _FEWEST, len(_DIXON) - 1)]


@dataclass(frozen=True, kw_only=True)
class ReferenceSimilarity(JudgedStudy):
    """Each reference against each other one, the least similar one, and what leaving it out does."""

    name = "reference-similarity"
    question = "Are the references alike, and what does the least similar one do?"
    needs: ClassVar[Mapping[str, int]] = {"references": _FEWEST}
    source = "Culy & Riehemann (2003), section 4"
    columns = (
        Column("metric"), Column("reference"), Column("similarity", "mean similarity", ".2f", low="low", high="high"),
        Column("nearest", "most alike"), Column("nearest_similarity", "similarity", ".2f"),
        Column("farthest", "least alike"), Column("farthest_similarity", "similarity", ".2f"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "least_similar": (
            Column("metric"), Column("reference", "least similar"), Column("next", "next"),
            Column("gap", "gap", ".2f", low="gap_low", high="gap_high"),
            Column("ratio", "share of the range", ".2f", low="ratio_low", high="ratio_high"),
            Column("bound", "by chance", ".3f"), Column("outlier", "outlier", "yes|no"),
        ),
        "left_out": (
            Column("metric"), Column("reference", "left out"), Column("system", "translation"),
            Column("score", "all references", ".2f"), Column("without", "without it", ".2f"),
            Column("without_another", "without another", ".2f"),
            Column("delta", "difference", "+.2f", low="delta_low", high="delta_high"), Column("rank", "rank", "d"),
            Column("rank_without", "without it", "d"),
        ),
        "correlations": (
            Column("metric"), Column("reference", "left out"), Column("level"), Column("statistic"),
            Column("value", "all references", ".3f"), Column("without", "without it", ".3f"),
            Column("without_another", "without another", ".3f"),
            Column("delta", "difference", "+.3f", low="delta_low", high="delta_high"),
        ),
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(("bleu", "chrf"), "Metrics, with their recipes.")
    samples: int = option(200, "Bootstrap samples for intervals; 0 for none.", metavar="N", least=0)

    def answer(self, asked: Asked) -> Result:
        """The seed is that of the samples."""
        # In one order, whatever the campaign has: equals are named by it.
        texts = dict(sorted(usable_references(asked.chosen, self.name).items()))
        if len(texts) < _FEWEST:
            raise InputError(
                f"{self.name} compares references with each other, and {asked.chosen.name} has "
                f"{len(texts)} in use. It needs at least {_FEWEST}, for of fewer none is less like the others."
            )
        # Every set of references is fitted to the segments that are here.
        units = replace(asked.units(), whole=None)
        shard = Shard(0, len(asked.chosen), thread_count(asked.threads))
        judged, notes = self._judges(asked)
        tables: dict[str, Table] = {
            name: [] for name in ("table", "matrix", "merges", "least_similar", "left_out", "correlations")
        }
        for done, metric in enumerate(self.metrics):
            between = SubsetCounter(metric, texts, texts, shard=shard, known=asked.counted)
            alike = self._similarity(between, tuple(texts), units, asked)
            cells = {"metric": asked.name_of(metric)}
            tables["table"] += [cells | row for row in _similarities(alike)]
            tables["matrix"] += [cells | row for row in _matrix(alike)]
            tables["merges"] += [cells | row for row in alike.merges()]
            tables["least_similar"].append(cells | _least_similar(alike))
            left_out = cells | {"reference": alike.names[alike.least]}
            whole = tuple(range(len(texts)))
            # Without systems each of the other references is a candidate, and does not stand against itself.
            counter, candidates = (
                between,
                {
                    name: tuple(each for each in whole if each != place)
                    for place, name in enumerate(texts)
                    if place != alike.least
                },
            )
            if asked.chosen.systems:
                counter = SubsetCounter(metric, asked.chosen.systems, texts, shard=shard, known=asked.counted)
                candidates = dict.fromkeys(asked.chosen.systems, whole)
            rows = _left_out_scores(alike, counter, candidates, units, asked.seed)
            tables["left_out"] += [left_out | row for row in rows]
            if judged is not None:
                counter = SubsetCounter(metric, judged.campaign.systems, texts, shard=shard, known=asked.counted)
                rows = _correlations(alike, counter, judged, self.samples)
                tables["correlations"] += [left_out | row for row in rows]
            asked.report((done + 1) / len(self.metrics))
        said = [*_findings(tables), *([asked.about_units(units)] if self.samples else []), *notes]
        usage = [] if judged is None else [str(judged.usage)]
        kind = None if judged is None else judged.people.name
        result = self.result(asked, tables, said, self.metrics, usage=usage, kind=kind)
        column, key = Column("similarity", "{}", ".1f"), (Column("metric"), Column("a", "reference"))
        matrix = View("Similarity of two: either against the other, in the mean", "matrix", (column,), key, over="b")
        return replace(result, views=(result.views[0], matrix, *result.views[1:]))

    def _judges(self, asked: Asked) -> tuple[JudgedSystems | None, list[str]]:
        """What people say of the systems, where they say anything; else why nothing is correlated."""
        campaign = asked.chosen
        if not self.kind and (campaign.judgements is None or not len(campaign.judgements) or not campaign.systems):
            return None, ["No correlations with people: nobody judged systems here."]
        try:
            return self.judged(asked), []
        except InputError as error:
            # Judgements that somebody chose have to be there; others are no reason to say nothing of references.
            if self.kind:
                raise
            return None, [f"No correlations with people: {error}"]

    def _similarity(self, counter: SubsetCounter, names: tuple[str, ...], units: Units, asked: Asked) -> Similarity:
        """Each reference against each, itself among them."""
        scores = np.full((1 + self.samples, len(names), len(names)), np.nan)
        for place in range(len(names)):
            rows = [counter.statistics(name, (place,)) for name in names]
            scores[0, :, place] = [one.corpus_score() for one in rows]
            if self.samples:
                scores[1:, :, place] = drawn_scores(rows, units, self.samples, asked.seed)
        return Similarity(counter.metric, names, scores, len(units))

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """The tree of references beside the matrix of their similarities, in the order of the tree."""
        lines = []
        for metric, rows in grouped(tables["matrix"], "metric"):
            names = different(rows, "a")
            merges = those(tables["merges"], metric=metric)
            order = [names[leaf] for leaf in _leaves(merges, len(names))]
            number = {name: str(place + 1) for place, name in enumerate(order)}
            lines_ = {name: f"{name} ({number[name]})" for name in order}
            middle = float(np.mean([row["similarity"] for row in rows if row["a"] != row["b"]]))
            # Less alike has the warm colour, whichever way the metric runs.
            sign = -1.0 if any(str(one) == metric and not one.higher_is_better for one in self.metrics) else 1.0
            cells = [
                {"line": lines_[row["a"]], "column": number[row["b"]]}
                | {"shade": sign * (row["similarity"] - middle), "text": _shown(row["similarity"])}
                for row in rows
                if row["a"] != row["b"]
            ]
            tree = charts.dendrogram(
                merges, names=[lines_[name] for name in names], step=_CELL[1], width=220,
                axis=Axis(title="distance", ticks=4), heading=f"{metric}: which references join first",
            )  # fmt: skip
            grid = charts.heat_grid(
                cells, column="column", line="line", shade="shade", text="text", cell=_CELL, on_top=True,
                columns=[*number.values()], lines_=[*lines_.values()], colors=("#F0A367", "#FFFFFF", "#7FB8DA"),
                heading=f"{metric}: similarity",
            )  # fmt: skip
            lines.append(charts.beside(tree, grid, spacing=40))
        least = [f"{row['reference']} ({row['metric']})" for row in tables["least_similar"]]
        said = [
            f"{campaign}: the score of either reference against the other, in the mean. Blue is more alike than the "
            "mean of all, orange less.",
            "The distance of two is what they lose against a text that is compared with itself; groups join at the "
            f"mean distance of their members. Least similar to the others: {', '.join(least)}.",
        ]
        return charts.figure("figure", charts.above(*lines), "Are the references alike?", said)


def _shown(value: float) -> str:
    """A similarity in a small cell: scores up to 100 as whole numbers, those of NIST with a digit.

    >>> _shown(43.6), _shown(7.93)
    ('44', '7.9')
    """
    return f"{value:.0f}" if abs(value) >= 10.0 else f"{value:.1f}"


def _leaves(merges: Table, count: int) -> list[int]:
    """The numbers of names as the tree has them from top to bottom.

    >>> _leaves([{"first": 1, "second": 2}, {"first": 0, "second": 3}], 3)
    [0, 1, 2]
    """
    inside = {number: [number] for number in range(count)}
    for step, row in enumerate(merges):
        inside[count + step] = [*inside[row["first"]], *inside[row["second"]]]
    return inside[2 * count - 2]


def _similarities(alike: Similarity) -> Iterator[dict[str, Any]]:
    """A row per reference, the least similar one first."""
    pairs = alike.pairs[0] if alike.metric.higher_is_better else -alike.pairs[0]
    own = np.eye(len(alike.names), dtype=np.bool_)
    near, far = np.where(own, -np.inf, pairs).argmax(axis=1), np.where(own, np.inf, pairs).argmin(axis=1)
    for place in np.argsort(alike.merits[0], kind="stable").tolist():
        ends = {"nearest": near[place], "farthest": far[place]}
        yield (
            {"reference": alike.names[place], **estimate(alike.means[:, place], alike.units).row("similarity")}
            | {end: alike.names[other] for end, other in ends.items()}
            | {f"{end}_similarity": alike.pairs[0, place, other] for end, other in ends.items()}
        )


def _matrix(alike: Similarity) -> Iterator[dict[str, Any]]:
    """A row for each two references, in both orders: what one has against the other, and both in the mean.

    Each stands beside itself, too, so that the matrix is whole.
    """
    distances = alike.distances()
    for a, first in enumerate(alike.names):
        for b, second in enumerate(alike.names):
            of_pair = {"similarity": alike.pairs[0, a, b], "distance": distances[a, b]}
            yield {"a": first, "b": second, "score": alike.scores[0, a, b]} | of_pair


def _least_similar(alike: Similarity) -> dict[str, Any]:
    """The least similar reference, how far it is from the next, and whether that makes it an outlier."""
    gap, ratio = alike.gap()
    bound, order = dixon_bound(len(alike.names)), np.argsort(alike.merits[0], kind="stable")
    return (
        {"reference": alike.names[alike.least], "similarity": alike.means[0, alike.least]}
        | {"next": alike.names[order[1]], "next_similarity": alike.means[0, order[1]]}
        | gap.row("gap", "gap_low", "gap_high")
        | ratio.row("ratio", "ratio_low", "ratio_high")
        # Without an interval nobody can say.
        | {"bound": bound, "outlier": None if ratio.low is None else ratio.low > bound}
    )


def _left_out_scores(
    alike: Similarity, counter: SubsetCounter, candidates: Mapping[str, Subset], units: Units, seed: int
) -> Iterator[dict[str, Any]]:
    """A row per candidate: with all references, without the least similar one, and without another one in the mean.

    ``candidates`` have the references that each stands against: one that is a reference not against itself.
    """
    # Against all references, and without each: draws by candidates by one and then references.
    samples = len(alike.scores) - 1
    values = np.full((1 + samples, len(candidates), 1 + len(alike.names)), np.nan)
    names, wanted = list(candidates), dict[Subset, list[tuple[int, int]]]()
    for place, whole in enumerate(candidates.values()):
        wanted.setdefault(whole, []).append((place, 0))
        for other in whole:
            wanted.setdefault(tuple(each for each in whole if each != other), []).append((place, 1 + other))
    for subset, cells in wanted.items():
        rows, (places, columns) = [counter.statistics(names[place], subset) for place, _ in cells], np.array(cells).T
        values[0, places, columns] = [one.corpus_score() for one in rows]
        if samples:
            values[1:, places, columns] = drawn_scores(rows, units, samples, seed)
    everything, without, another = _left_out(values, alike.least)
    sign = -1.0 if alike.metric.higher_is_better else 1.0
    ranks = [1 + (sign * one[0][None, :] < sign * one[0][:, None]).sum(axis=1) for one in (everything, without)]
    for place, name in enumerate(names):
        delta = estimate(without[:, place] - another[:, place], len(units))
        yield (
            {"system": name, "score": everything[0, place], "without": without[0, place]}
            | {"without_another": another[0, place], **delta.row("delta", "delta_low", "delta_high")}
            | {"rank": int(ranks[0][place]), "rank_without": int(ranks[1][place])}
        )


def _left_out(values: Array, least: int) -> tuple[Array, Array, Array]:
    """With all references, without the least similar one, and the mean of what is had without each other one."""
    without = values[..., 1:]
    others = np.delete(without, least, axis=-1)
    return values[..., 0], without[..., least], np.nanmean(others, axis=-1)


def _correlations(
    alike: Similarity, counter: SubsetCounter, judged: JudgedSystems, samples: int
) -> Iterator[dict[str, Any]]:
    """Correlation with people: with all references, without the least similar one, and without another in the mean."""
    people, seed = judged.people, judged.asked.seed
    draws = Draws.of(replace(judged.units, whole=None), samples, seed, systems=named(people.systems))
    correlating = SetCorrelations(people, _STATISTICS, draws, seed)
    whole = tuple(range(len(alike.names)))
    sets = [whole, *(tuple(other for other in whole if other != place) for place in whole)]
    measured = [
        correlating.measure(alike.metric, [counter.statistics(name, subset) for name in people.systems])
        for subset in sets
    ]
    for level, statistic in measured[0]:
        values = np.stack([of_set[level, statistic] for of_set in measured], axis=-1)
        everything, without, another = _left_out(values, alike.least)
        delta = estimate(without - another, draws.size)
        yield (
            {"level": level, "statistic": statistic, "value": _number(everything), "without": _number(without)}
            | {"without_another": _number(another), **delta.row("delta", "delta_low", "delta_high")}
        )


def _number(values: Array) -> float | None:
    """The value on the data as they are."""
    return estimate(values[:1], 0).value


def _findings(tables: Mapping[str, Table]) -> Iterator[str]:
    """Who is least similar, whether that is an outlier, and what leaving it out does."""
    for row in tables["least_similar"]:
        metric, name = row["metric"], row["reference"]
        of_it = next(one for one in tables["table"] if (one["metric"], one["reference"]) == (metric, name))
        yield (
            f"{metric}: {name} is least similar to the others ({row['similarity']:.2f} in the mean"
            f"{_ends(of_it, '', '.2f')}); the next is {row['next']} with {row['next_similarity']:.2f}."
        )
        share = f"what lies between them is {row['ratio']:.2f} of the range of all"
        bound = f"{row['bound']:.3f} is what chance passes in 5 of 100 cases"
        if row["outlier"] is None:
            yield f"{metric}: whether {name} is an outlier cannot be said without an interval; {share}, and {bound}."
        else:
            verdict = "is an outlier" if row["outlier"] else "is not called an outlier"
            yield f"{metric}: {name} {verdict}: {share} ({_ends(row, 'ratio_', '.2f')[2:]}), and {bound}."
        here = those(tables["left_out"], metric=metric)
        deltas = [one["delta"] for one in here]
        moved = sum(
            (a["rank"] - b["rank"]) * (a["rank_without"] - b["rank_without"]) < 0 for a, b in combinations(here, 2)
        )
        pairs = len(here) * (len(here) - 1) // 2
        ends = f"scores are {min(deltas):+.2f} to {max(deltas):+.2f} away from what they are"
        order = f", and {moved} of {counted(pairs, 'pair')} change{'s' if pairs == 1 else ''} order"
        if len(here) == 1:
            ends, order = f"the score of {here[0]['system']} is {deltas[0]:+.2f} away from what it is", ""
        yield f"{metric}: without {name} {ends} without another reference{order}."
        for one in those(tables["correlations"], metric=metric, statistic=_STATISTICS[0]):
            if one["delta"] is not None:
                yield (
                    f"{metric}, {one['level']} level: {one['statistic']} {one['value']:.3f} with all, "
                    f"{one['without']:.3f} without {name}, {one['without_another']:.3f} without another "
                    f"({one['delta']:+.3f}{_ends(one, 'delta_', '+.3f')})."
                )


def _ends(row: Mapping[str, Any], name: str, spelling: str) -> str:
    """The interval of a value in a sentence, or nothing."""
    low, high = row[f"{name}low"], row[f"{name}high"]
    return "" if low is None else f", 95 %: {low:{spelling}} – {high:{spelling}}"
