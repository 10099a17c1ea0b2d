"""How reliable are metrics on short texts? Figures 3 to 5 of Turian, Shen & Melamed (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.judgements import Judgements
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.people.agreement.ratings import Ratings as AgreementRatings
from assay.people.levels import FEWEST_SYSTEMS
from assay.people.metric_tests import pseudo_document_weights
from assay.people.ratings import Ratings, rows_of
from assay.people.scores import Scores, steady
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import Study, defined, different
from assay.questions.studies.judged import JudgedStudy, JudgedSystems
from assay.results import charts
from assay.results.charts import COLORS, DASHES, INK, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.association import spearman
from assay.significance.draws import stream
from assay.significance.intervals import quantiles
from assay.significance.tests import is_significant, wilcoxon_p

#: What judges' own curve is called.
JUDGES = "judge against judge"
#: So many lengths between one segment and the whole text, unless somebody names them.
_LENGTHS = 10
#: The level of significance of Turian, Shen & Melamed (2003).
_LEVEL = 0.001
#: Two-sided 95 % of the normal distribution.
_NORMAL = 1.959963984540054
#: Deviations below this are rounding.
_NOTHING = 1e-12
#: Judges who share fewer translations may disagree by chance.
_FEWEST_SHARED = 20
#: Dots are moved within this share of the scale, so that equal ones can be seen: the paper's 0.2 on 1 to 5.
_SKEW = 0.05


#: What rows of curves have beside their values, where there is nothing to say.
_CELLS: dict[str, Any] = dict.fromkeys(("curve", "metric", "references", "behind", "p"))


@dataclass(frozen=True, eq=False)
class _Curve:
    """A metric under a number of references."""

    label: str
    references: int
    source: Scores

    @property
    def cells(self) -> dict[str, Any]:
        """The cells of a table that say which curve it is."""
        return _CELLS | {"curve": self.label, "metric": self.source.name, "references": self.references}

    def follows(self, human: Array, weights: Array) -> Array:
        """Spearman's correlation over systems in each document."""
        return spearman(steady(self.source.system_scores(weights)), human)


@dataclass(frozen=True, kw_only=True)
class PseudoDocuments(JudgedStudy):
    """Spearman's correlation over systems in random documents of n segments, averaged over documents, for every n."""

    name = "pseudo-documents"
    question = "How reliable is each metric on short texts, beside the judges themselves?"
    source = "Turian, Shen & Melamed (2003), Figures 3 to 5: judges disagree on short texts"
    renamed: ClassVar[Mapping[str, str]] = {
        **Study.renamed,
        "--samples": "Documents are no bootstrap samples: --per-length N says how many there are of each length.",
    }
    columns = (
        Column("curve", "metric"), Column("references", "refs", "d"), Column("length", "segments", ",d"),
        Column("documents", "documents", ",d"),
        Column("correlation", "mean Spearman", ".3f", low="low", high="high"),
        Column("spread_low", "middle 90 %", ".2f", high="spread_high"), Column("behind", "behind best", ".3f"),
        Column("p", "p", ".4f"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "two_judges": (
            Column("curve", "on segments with two judges"), Column("references", "refs", "d"),
            Column("length", "segments", ",d"),
            Column("correlation", "mean Spearman", ".3f", low="low", high="high"),
        )
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "chrf", "ter", "gtm", "gtm(exponent=2)", "recall", "fmean"),
        "Metrics, with their recipes: gtm(lowercase=true,stem=porter).",
    )
    lengths: tuple[int, ...] = option(
        (), "Segments of a document. Without it, ten lengths up to the whole text.", metavar="1,10,100", least=1
    )
    per_length: int = option(1000, "Documents of each length.", metavar="N", least=2)
    reference_counts: tuple[int, ...] = option(
        (), "How many references, the first of them each time. Without it, all.", metavar="1,3", least=1
    )

    def check(self) -> None:
        for name in ("lengths", "reference_counts"):
            numbers = getattr(self, name)
            self.require(len(set(numbers)) == len(numbers), name, "different whole numbers of at least 1")

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked)
        people = judged.ratings()
        pool = JudgementPool.of(people)
        segments, shared = (pool.segments_with(judges) for judges in (1, 2))
        if not len(segments):
            raise InputError(
                f"{self.name} ranks systems on the same segments. It needs segments on which {FEWEST_SYSTEMS} systems "
                f"or more were judged, and {asked.campaign.name} has none."
            )
        lengths = self._lengths(len(segments), asked.campaign.name)
        curves = list(self._curves(judged))
        rows: Table = []
        values: list[dict[str, Array]] = []
        for done, length in enumerate(lengths, start=1):
            weights = self._documents(segments, pool.segments, length, asked.seed)
            (human,) = pool.means(weights, stream(asked.seed, "one judge", length), judges=1)
            values.append({curve.label: curve.follows(human, weights) for curve in curves})
            rows += _rows_at(values[-1], length, curves, whole=length == len(segments))
            asked.report(0.4 + 0.6 * done / len(lengths))
        beside = self._beside_judges(pool, shared, lengths, curves, asked.seed)
        rows += [row for row in beside if row["curve"] == JUDGES]
        tables: dict[str, Table] = {"table": rows}
        said = [*_findings(rows, lengths, values), *_judges_said(pool, segments, shared)]
        points = _least_agreeing(people.judgements, seed=asked.seed)
        if points:
            tables["points"] = points
        if 0 < len(shared) < len(segments):
            tables["two_judges"] = beside
            said += _beside_said(beside)
        usage = judged.used("segment")
        said += [*_least_said(points), usage]
        return self.result(asked, tables, said, self.metrics, usage=usage, kind=people.kind)

    def _lengths(self, most: int, name: str) -> tuple[int, ...]:
        for length in self.lengths:
            if length > most:
                raise InputError(
                    f"{self.name}: a document of {length:,} segments cannot be made from {name}, where {most:,} have "
                    f"{FEWEST_SYSTEMS} judged systems or more. Take lengths up to {most:,}."
                )
        return tuple(sorted(self.lengths)) or usual_lengths(most)

    def _curves(self, judged: JudgedSystems) -> Iterator[_Curve]:
        """Each metric under each number of references."""
        campaign = judged.campaign
        names = [name for name in campaign.references if name not in campaign.targeted]
        for count in self.reference_counts:
            if count > len(names):
                raise InputError(
                    f"{self.name}: {campaign.name} has {counted(len(names), 'reference')} ({', '.join(names)}), "
                    f"and {count} were asked for."
                )
        for count in self.reference_counts or (len(campaign.references),):
            chosen = campaign.choose(references=names[:count]) if self.reference_counts else campaign
            several = f", {counted(count, 'ref')}" if len(self.reference_counts) > 1 else ""
            for source in judged.sources(self.metrics, chosen):
                yield _Curve(source.name + several, count, source)

    def _documents(self, chosen: Codes, segments: int, length: int, seed: int) -> Array:
        """Documents made of the chosen segments, as weights over all."""
        weights = np.zeros((self.per_length, segments))
        weights[:, chosen] = pseudo_document_weights(len(chosen), length, self.per_length, seed)
        return weights

    def _beside_judges(
        self, pool: JudgementPool, shared: Codes, lengths: Sequence[int], curves: Sequence[_Curve], seed: int
    ) -> Table:
        """Judge against judge, and metrics against the first of the two, in the same documents."""
        most = len(shared)
        there = [length for length in lengths if length <= most]
        if most and not self.lengths and most not in there:
            there.append(most)
        rows: Table = []
        for length in there:
            weights = self._documents(shared, pool.segments, length, seed)
            first, second = pool.means(weights, stream(seed, "two judges", length), judges=2)
            rows.append(_CELLS | {"curve": JUDGES} | summary(spearman(first, second), length))
            rows += [curve.cells | summary(curve.follows(first, weights), length) for curve in curves]
        return rows

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Correlation over the length of documents, and the two judges who agree least."""
        rows = defined(tables["table"], "correlation")
        curves = {row["curve"]: row for row in rows if row["curve"] != JUDGES}
        metrics, counts = different(curves.values(), "metric"), sorted(different(curves.values(), "references"))
        # A colour for each metric, and a dash for each number of references; metrics beyond the colours are dashed.
        colors = {JUDGES: INK}
        dashes: dict[str, Sequence[int]] = {JUDGES: (2, 2)}
        for name, row in curves.items():
            place = metrics.index(row["metric"])
            step = counts.index(row["references"]) if len(counts) > 1 else place // 6
            colors[name], dashes[name] = COLORS[place % 6], DASHES[step % len(DASHES)]
        ends = [row[end] for row in rows for end in ("correlation", "low", "high") if row[end] is not None]
        low, high = Axis().over(ends, margin=0.04).domain or (0.0, 1.0)
        whole = charts.lines(
            rows, x="length", y="correlation", series="curve", ends=("low", "high"), colors=colors, dashes=dashes,
            across=Axis(
                title="segments in a document (logarithmic)", log=True, format=",d", grid=False,
                domain=(1, max(2, *different(rows, "length"))),
                ticks=sorted({row["length"] for row in rows if row["curve"] != JUDGES}),
            ),
            up=Axis(
                title="mean Spearman correlation with people", domain=(max(low, -1.0), min(high, 1.0)), zero=low < 0
            ),
            height=380,
        )  # fmt: skip
        if tables.get("points"):
            whole = charts.beside(whole, _two_judges(tables["points"]), spacing=50)
        said = (
            f"{campaign}, {', '.join(self.kind) or 'all judgements'}; {self.per_length:,} random documents of each "
            "length; bands: 95 % of the mean's error"
        )
        return charts.figure("figure", whole, "How reliable are metrics on short texts?", [said])


def _two_judges(points: Table) -> Spec:
    """Scores of two judges, each dot moved a little so that equal ones can be seen."""
    axis = Axis().over(point[name] for point in points for name in ("shown_x", "shown_y"))
    first = points[0]
    return charts.scatter(
        points, x="shown_x", y="shown_y", color=INK, area=16, opacity=0.45, width=240, height=240,
        across=replace(axis, title=first["first"]), up=replace(axis, title=first["second"]),
        heading=[
            "the two judges who agree least",
            f"Spearman {first['spearman']:.2f}, {len(points):,} translations; dots are moved a little",
        ],
    )  # fmt: skip


def usual_lengths(most: int) -> tuple[int, ...]:
    """From one segment to all of them, each about as many times longer than the one before.

    >>> usual_lengths(1000)
    (1, 2, 5, 10, 22, 46, 100, 215, 464, 1000)
    >>> usual_lengths(4)
    (1, 2, 3, 4)
    """
    return tuple(sorted({round(float(length)) for length in np.geomspace(1, most, _LENGTHS)}))


def summary(values: Array, length: int) -> dict[str, Any]:
    """The mean over documents with its interval, and what the middle 90 % of single documents have."""
    values = values[np.isfinite(values)]
    row: dict[str, Any] = {"length": length, "documents": len(values)}
    row |= dict.fromkeys(("correlation", "low", "high", "spread_low", "spread_high"))
    if len(values) < 2:
        return row
    mean, deviation = float(values.mean()), float(values.std(ddof=1))
    if deviation < _NOTHING:
        # The same document again and again.
        return row | {"correlation": mean}
    margin = _NORMAL * deviation / len(values) ** 0.5
    low, high = quantiles(values, [0.05, 0.95])
    interval = {"correlation": mean, "low": mean - margin, "high": mean + margin}
    return row | interval | {"spread_low": low, "spread_high": high}


def _rows_at(drawn: Mapping[str, Array], length: int, curves: Sequence[_Curve], *, whole: bool) -> Table:
    """All curves at one length, each beside the highest; documents of the ``whole`` text are one, and test nothing."""
    rows = [curve.cells | summary(drawn[curve.label], length) for curve in curves]
    able = [row for row in rows if row["correlation"] is not None]
    best = max(able, key=lambda row: row["correlation"], default=None)
    for row in able:
        if best is not None and row is not best:
            difference, p = compared(drawn[best["curve"]], drawn[row["curve"]])
            row |= {"behind": difference, "p": None if whole else p}
    return rows


def compared(first: Array, second: Array) -> tuple[float | None, float | None]:
    """The mean difference of two curves in the same documents, and Wilcoxon's p."""
    both = np.isfinite(first) & np.isfinite(second)
    if not both.any():
        return None, None
    return float((first[both] - second[both]).mean()), wilcoxon_p(first[both], second[both]).value


def significant_from(values: Sequence[Mapping[str, Array]]) -> float | None:
    """The difference from which on all differences between curves are significant; None if the largest is not."""
    differences = sorted(
        (abs(difference), p)
        for drawn in values
        for first, second in combinations(drawn.values(), 2)
        for difference, p in [compared(first, second)]
        if difference is not None and p is not None
    )
    doubtful = [index for index, (_, p) in enumerate(differences) if not is_significant(p, _LEVEL)]
    first_sure = doubtful[-1] + 1 if doubtful else 0
    return differences[first_sure][0] if first_sure < len(differences) else None


@dataclass(frozen=True, eq=False)
class JudgementPool:
    """Judgements cell by cell, a cell being a segment of a system; a judge's repeats of a cell are one, their mean.

    One of each cell, drawn at random, is what a pseudo-document has for a human score. Judgements without a rater
    count as one judge each. ``start`` and ``size`` say where a cell's judgements stand.
    """

    systems: int
    segments: int
    score: Array = field(repr=False)
    cell: Codes = field(repr=False)
    start: Codes = field(repr=False)
    size: Codes = field(repr=False)

    @classmethod
    def of(cls, ratings: Ratings) -> JudgementPool:
        """The judgements of segments."""
        judgements = ratings.judgements.only(ratings.judgements.segment >= 0)
        segments = ratings.judged.shape[1]
        cells = rows_of(judgements, ratings.systems) * segments + judgements.segment
        keys, place = np.unique(np.stack([cells, _judges_of(judgements)], axis=1), axis=0, return_inverse=True)
        place = place.reshape(-1)
        score = np.bincount(place, weights=judgements.score) / np.bincount(place)
        cell, start, size = np.unique(keys[:, 0], return_index=True, return_counts=True)
        return cls(len(ratings.systems), segments, score, cell, start, size)

    def cells_with(self, judges: int) -> Flags:
        """Which cells have so many judges or more: systems by segments."""
        flags = np.zeros(self.systems * self.segments, dtype=np.bool_)
        flags[self.cell[self.size >= judges]] = True
        return flags.reshape(self.systems, self.segments)

    def segments_with(self, judges: int) -> Codes:
        """The segments on which enough systems have so many judges to rank them."""
        return np.flatnonzero(self.cells_with(judges).sum(axis=0) >= FEWEST_SYSTEMS)

    def means(self, weights: Array, generator: np.random.Generator, *, judges: int) -> list[Array]:
        """Means over the segments of each document, of one judgement each: documents by systems.

        For two ``judges`` the same twice, by different ones, over the segments that have two.
        """
        means = [np.full((len(weights), self.systems), np.nan) for _ in range(judges)]
        for system in range(self.systems):
            cells = (self.cell // self.segments == system) & (self.size >= judges)
            if not cells.any():
                continue
            there = weights[:, self.cell[cells] % self.segments]
            count = there.sum(axis=1)
            start, size = self.start[cells], self.size[cells]
            place = np.zeros(there.shape, dtype=np.int64)
            for turn, mean in enumerate(means):
                if (size > 1).any():
                    drawn = generator.random(place.shape)
                    # The second is any of the others: a step of 1 to size - 1 from the first, round the cell.
                    step = 1 + (drawn * (size - 1)).astype(np.int64) if turn else (drawn * size).astype(np.int64)
                    place = (place + step) % size
                total = (there * self.score[start + place]).sum(axis=1)
                mean[:, system] = np.divide(total, count, out=np.full(len(total), np.nan), where=count > 0)
        return [steady(mean) for mean in means]


def _judges_of(judgements: Judgements) -> Codes:
    """A number per judgement for who gave it; whoever has no name is somebody else each time.

    A rater is the same person under all kinds: kinds of repeated judgements exist to see whether raters keep to
    their word, and that is not what two judges agree on.
    """
    known = judgements.rater.codes.astype(np.int64)
    return np.where(known < 0, len(judgements.rater.names) + np.arange(len(judgements)), known)


def _least_agreeing(judgements: Judgements, *, seed: int) -> Table:
    """The scores of two judges: of all with enough translations in common those with the lowest Spearman.

    ``shown_x`` and ``shown_y`` are the scores moved a little. Nothing if nobody has enough in common.
    """
    from scipy.stats import spearmanr

    pairs = AgreementRatings(judgements.only(judgements.segment >= 0)).between()
    scores = {
        group: (pairs.x[pairs.group == group], pairs.y[pairs.group == group]) for group in range(len(pairs.names))
    }
    values = [
        (float(spearmanr(x, y).statistic), group)
        for group, (x, y) in scores.items()
        if len(x) >= _FEWEST_SHARED and np.ptp(x) > 0 and np.ptp(y) > 0
    ]
    if not values:
        return []
    value, group = min(values)
    x, y = scores[group]
    generator = stream(seed, "places of dots")
    reach = _SKEW * (max(x.max(), y.max()) - min(x.min(), y.min()))
    columns = {"x": x, "y": y} | {
        f"shown_{name}": each + generator.uniform(-reach / 2, reach / 2, size=len(each))
        for name, each in (("x", x), ("y", y))
    }
    first, second = pairs.names[group]
    return [
        {"first": first, "second": second} | dict(zip(columns, cells, strict=True)) | {"spearman": value}
        for cells in zip(*(column.tolist() for column in columns.values()), strict=True)
    ]


def _least_said(points: Table) -> Iterator[str]:
    if points:
        yield (
            f"The two judges who agree least are {points[0]['first']} and {points[0]['second']}: Spearman "
            f"{points[0]['spearman']:.3f} over the {len(points):,} translations that both judged."
        )


def _findings(rows: Table, lengths: Sequence[int], values: Sequence[Mapping[str, Array]]) -> Iterator[str]:
    for length in dict.fromkeys((lengths[0], lengths[-1])):
        judges, metrics = _at(rows, length)
        if not metrics:
            yield f"Documents of {_segments(length)}: nowhere do systems differ, so there is no correlation."
            continue
        best, worst = metrics[0], metrics[-1]
        people = "".join(f", judge against judge {row['correlation']:.3f}" for row in judges)
        furthest = "" if worst is best else f", {worst['curve']} furthest ({worst['correlation']:.3f})"
        yield (
            f"Documents of {_segments(length)}: {best['curve']} is closest to the judges ({best['correlation']:.3f})"
            f"{furthest}{people}."
        )
    if len(values[0]) > 1:
        # All documents of the whole text are the same, and no test says anything there.
        edge = significant_from(values[:-1] or values)
        if edge is not None:
            yield (
                f"All differences of {edge:.3f} or more between metrics are significant (Wilcoxon's signed ranks over "
                f"documents, p ≤ {_LEVEL:g}); documents share segments, so this holds for these segments."
            )


def _at(rows: Table, length: int) -> tuple[Table, Table]:
    """At one length the row of judges, and those of metrics, the highest first."""
    here = [row for row in rows if row["length"] == length and row["correlation"] is not None]
    metrics = sorted((row for row in here if row["curve"] != JUDGES), key=lambda row: -row["correlation"])
    return [row for row in here if row["curve"] == JUDGES], metrics


def _judges_said(pool: JudgementPool, segments: Codes, shared: Codes) -> Iterator[str]:
    """On what the curves rest, and why there is none for judges, if there is none."""
    cells = int(pool.cells_with(1)[:, segments].sum())
    yield (
        f"Drawn from {len(segments):,} of {pool.segments:,} segments, those on which {FEWEST_SYSTEMS} systems or "
        f"more were judged ({cells:,} translations, {counted(int(pool.size.sum()), 'judgement')}, one of each judge)."
    )
    if len(shared):
        twice = int(pool.cells_with(2)[:, shared].sum())
        yield (
            f"Judge against judge: {counted(len(shared), 'segment')} on which two judges scored "
            f"{counted(twice, 'translation')}."
        )
    else:
        once = int((pool.size > 1).sum())
        yield (
            f"No curve of judge against judge: it needs segments on which two judges scored {FEWEST_SYSTEMS} systems "
            f"or more, and there are none ({once:,} translations have two judges)."
        )


def _beside_said(rows: Table) -> Iterator[str]:
    """Judges and metrics on the segments that two judges scored, from the shortest documents to the longest."""
    lengths = sorted({row["length"] for row in rows})
    for length in dict.fromkeys((lengths[0], lengths[-1])):
        judges, metrics = _at(rows, length)
        if judges and metrics:
            yield (
                f"On these segments alone, documents of {_segments(length)}: judge against judge "
                f"{judges[0]['correlation']:.3f}, and closest to a judge {metrics[0]['curve']} "
                f"({metrics[0]['correlation']:.3f})."
            )


def _segments(length: int) -> str:
    return counted(length, "segment")
