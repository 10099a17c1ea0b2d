"""How reliable are metrics on short texts? Figures 3 to 5 of Turian, Shen & Melamed (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes
from assay.data.judgements import Judgements
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.people.agreement.ratings import RatedItems
from assay.people.levels import FEWEST_SYSTEMS
from assay.people.metric_tests import pseudo_document_weights
from assay.people.ratings import Ratings, rows_of
from assay.people.scores import Scores, adjusted_means, steady
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import Study, defined, different, those, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems
from assay.results import charts
from assay.results.charts import COLORS, DASHES, INK, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.association import spearman
from assay.significance.draws import Keys, crossed, named, numbered, quantiles, random_numbers, stream
from assay.significance.tests import is_significant, wilcoxon_p

#: What the judges' own curve is called.
JUDGES = "judge against judge"
#: So many lengths between one segment and the whole text, unless somebody names them.
_LENGTHS = 10
#: The level of significance of Turian, Shen & Melamed (2003).
_LEVEL = 0.001
#: Two-sided 95 % of the normal distribution.
_NORMAL = 1.959963984540054
#: Deviations below this are rounding.
_NOTHING = 1e-12
#: Where so large a share of the segments was judged for all systems, documents are made of these alone.
_ENOUGH = 0.5
#: Judges who share fewer translations may disagree by chance.
_FEWEST_SHARED = 20
#: Dots are moved within this share of the scale, so that equal ones can be seen: the paper's 0.2 on 1 to 5.
_SKEW = 0.05

#: A curve by its label: the scores of a metric, and under how many references.
_Curves = Mapping[str, tuple[Scores, int]]


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
        # The segments on which enough systems have a judge, or two, to rank them.
        enough = ((pool.size >= judges).sum(axis=0) >= FEWEST_SYSTEMS for judges in (1, 2))
        segments, shared = map(np.flatnonzero, enough)
        complete = np.flatnonzero((pool.size > 0).all(axis=0))
        if len(complete) >= max(_ENOUGH * len(segments), *self.lengths, 1):
            segments = complete
        if not len(segments):
            raise InputError(
                f"{self.name} ranks systems on the same segments. It needs segments on which {FEWEST_SYSTEMS} systems "
                f"or more were judged, and {asked.campaign.name} has none."
            )
        lengths = self._lengths(len(segments), asked.campaign.name)
        curves = dict(self._curves(judged))
        rows: Table = []
        values: list[dict[str, Array]] = []
        for length in watched(lengths, asked, 0.4):
            values.append(self._correlations(pool, segments, length, curves, asked.seed))
            rows += _beside_best(_rows(values[-1], length, curves), values[-1], whole=length == len(segments))
        beside: Table = []
        for length in self._shared_lengths(lengths, len(shared)):
            beside += _rows(self._correlations(pool, shared, length, curves, asked.seed, judges=2), length, curves)
        rows += those(beside, curve=JUDGES)
        tables: dict[str, Table] = {"table": rows}
        said = [*_findings(rows, lengths, values, whole=len(segments)), *_judges_said(pool, segments, shared)]
        points = _least_agreeing(people.judgements, seed=asked.seed)
        if points:
            tables["points"] = points
        if 0 < len(shared) < len(segments):
            tables["two_judges"] = beside
            said += _beside_said(beside)
        said += _least_said(points)
        return self.result(asked, tables, said, self.metrics, usage=[judged.used("segment")], kind=people.name)

    def _lengths(self, most: int, name: str) -> tuple[int, ...]:
        for length in self.lengths:
            if length > most:
                raise InputError(
                    f"{self.name}: a document of {length:,} segments cannot be made from {name}, where {most:,} have "
                    f"{FEWEST_SYSTEMS} judged systems or more. Take lengths up to {most:,}."
                )
        return tuple(sorted(self.lengths)) or usual_lengths(most)

    def _shared_lengths(self, lengths: Sequence[int], most: int) -> list[int]:
        """The lengths of documents of segments that two judges scored, all of them among these."""
        there = [length for length in lengths if length <= most]
        return there if self.lengths or not most or most in there else [*there, most]

    def _curves(self, judged: JudgedSystems) -> Iterator[tuple[str, tuple[Scores, int]]]:
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
                yield source.name + several, (source, count)

    def _correlations(
        self, pool: JudgementPool, segments: Codes, length: int, curves: _Curves, seed: int, *, judges: int = 1
    ) -> dict[str, Array]:
        """Spearman's correlation over systems in each document: of metrics with a judge, and of two ``judges``."""
        weights = np.zeros((self.per_length, pool.size.shape[1]))
        weights[:, segments] = pseudo_document_weights(len(segments), length, self.per_length, seed)
        human, *others = pool.means(weights, seed, judges=judges, start=length * self.per_length)
        between = {JUDGES: spearman(human, others[0])} if others else {}
        scores = {label: steady(source.system_scores(weights)) for label, (source, _) in curves.items()}
        # All systems are scored on all segments of a document; those that nobody judged there are not ranked.
        return between | {
            label: spearman(np.where(np.isnan(human), np.nan, values), human) for label, values in scores.items()
        }

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


def _rows(drawn: Mapping[str, Array], length: int, curves: _Curves) -> Table:
    """All curves at one length."""
    rows: Table = []
    for label, values in drawn.items():
        named: dict[str, Any] = dict.fromkeys(("curve", "metric", "references", "behind", "p"))
        if label in curves:
            source, references = curves[label]
            named |= {"metric": source.name, "references": references}
        rows.append(named | {"curve": label} | summary(values, length))
    return rows


def _beside_best(rows: Table, drawn: Mapping[str, Array], *, whole: bool) -> Table:
    """Rows of one length, each beside the highest; documents of the ``whole`` text are one, and test nothing."""
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
    count as one judge each. ``start`` and ``size`` say where a cell's judgements stand: systems by segments.
    """

    score: Array
    start: Codes
    size: Codes
    #: What each cell is drawn by: systems by segments.
    keys: Keys

    @classmethod
    def of(cls, ratings: Ratings) -> JudgementPool:
        """The judgements of segments."""
        judgements = ratings.judgements.only(ratings.judgements.segment >= 0)
        shape = ratings.mask.shape
        cells = rows_of(judgements, ratings.systems) * shape[1] + judgements.segment
        # A rater is the same person under all kinds: kinds of repeated judgements exist to see whether raters keep to
        # their word, and that is not what two judges agree on. Whoever has no name is somebody else each time.
        # Judges stand in the order of their names, those without one in that of their scores: rows may come in any.
        names = judgements.rater.names
        known = np.append(np.argsort(np.argsort(np.array(names, dtype=object))), -1).astype(np.int64)
        known = known[judgements.rater.codes]
        nameless = len(names) + np.argsort(np.argsort(judgements.score, kind="stable"))
        judges = np.where(known < 0, nameless, known)
        keys, place = np.unique(np.stack([cells, judges], axis=1), axis=0, return_inverse=True)
        place = place.reshape(-1)
        score = np.bincount(place, weights=judgements.score) / np.bincount(place)
        size = np.bincount(keys[:, 0], minlength=shape[0] * shape[1])
        keys = crossed(named(ratings.systems), numbered(shape[1])).reshape(shape)
        return cls(score, (np.cumsum(size) - size).reshape(shape), size.reshape(shape), keys)

    def means(self, weights: Array, seed: int, *, judges: int, start: int = 0) -> list[Array]:
        """Means over the segments of each document, of one judgement each: documents by systems.

        For two ``judges`` the same twice, by different ones, over the segments that have two. Where systems were judged
        on different segments of a document, the means are adjusted for that. ``start`` is the number of the first draw.
        """
        able = np.asarray(self.size >= judges)
        if not (self.size > 1).any():
            # The same judgements in every document.
            values = np.where(able, self.score[np.where(able, self.start, 0)], np.nan)
            return [steady(adjusted_means(values, weights)) for _ in range(judges)]
        means = [np.full((len(weights), len(self.size)), np.nan) for _ in range(judges)]
        for document, row in enumerate(weights):
            here = np.flatnonzero(row)
            there, first, size = able[:, here], self.start[:, here], np.maximum(self.size[:, here], 1)
            place = np.zeros(size.shape, dtype=np.int64)
            for turn, mean in enumerate(means):
                name, number = ("one judge", "two judges")[judges - 1], judges * (start + document) + turn
                drawn = random_numbers(self.keys[:, here].ravel(), seed, name, number).reshape(size.shape) / 2.0**64
                # The second is any of the others: a step of 1 to size - 1 from the first, round the cell.
                step = turn + np.minimum((drawn * (size - turn)).astype(np.int64), np.maximum(size - turn - 1, 0))
                place = (place + step) % size
                values = np.where(there, self.score[np.where(there, first + place, 0)], np.nan)
                mean[document] = adjusted_means(values, row[None, here])[0]
        return [steady(mean) for mean in means]


def _least_agreeing(judgements: Judgements, *, seed: int) -> Table:
    """The scores of two judges: of all with enough translations in common those with the lowest Spearman.

    ``shown_x`` and ``shown_y`` are the scores moved a little. Nothing if nobody has enough in common.
    """
    pairs = RatedItems(judgements.only(judgements.segment >= 0)).between()
    scores = [(pairs.x[pairs.group == group], pairs.y[pairs.group == group]) for group in range(len(pairs.names))]
    values = [float(spearman(x, y)) if len(x) >= _FEWEST_SHARED else np.nan for x, y in scores]
    if not np.isfinite(values).any():
        return []
    group = int(np.nanargmin(values))
    (first, second), (x, y) = pairs.names[group], scores[group]
    generator = stream(seed, "places of dots")
    reach = _SKEW * (max(x.max(), y.max()) - min(x.min(), y.min()))
    shown = [each + generator.uniform(-reach / 2, reach / 2, size=len(each)) for each in (x, y)]
    return [
        {"first": first, "second": second, "x": x, "y": y, "shown_x": shown_x, "shown_y": shown_y}
        | {"spearman": values[group]}
        for x, y, shown_x, shown_y in np.column_stack([x, y, *shown]).tolist()
    ]


def _least_said(points: Table) -> Iterator[str]:
    if points:
        yield (
            f"The two judges who agree least are {points[0]['first']} and {points[0]['second']}: Spearman "
            f"{points[0]['spearman']:.3f} over the {len(points):,} translations that both judged."
        )


def _findings(
    rows: Table, lengths: Sequence[int], values: Sequence[Mapping[str, Array]], *, whole: int
) -> Iterator[str]:
    for length, judges, metrics in _at_ends(rows, lengths):
        documents = f"Documents of {counted(length, 'segment')}"
        if not metrics:
            yield f"{documents}: nowhere do systems differ, so there is no correlation."
            continue
        best, worst = metrics[0], metrics[-1]
        people = "".join(f", judge against judge {row['correlation']:.3f}" for row in judges)
        furthest = "" if worst is best else f", {worst['curve']} furthest ({worst['correlation']:.3f})"
        yield f"{documents}: {best['curve']} is closest to the judges ({best['correlation']:.3f}){furthest}{people}."
    if len(values[0]) > 1:
        # All documents of the whole text are the same, and no test says anything there.
        edge = significant_from([drawn for length, drawn in zip(lengths, values, strict=True) if length < whole])
        if edge is not None:
            yield (
                f"All differences of {edge:.3f} or more between metrics are significant (Wilcoxon's signed ranks over "
                f"documents, p ≤ {_LEVEL:g})."
            )
        yield (
            "Documents share segments, so their number is no sample size: p, as in the paper, is about these segments, "
            "and says nothing of others."
        )


def _at_ends(rows: Table, lengths: Sequence[int]) -> Iterator[tuple[int, Table, Table]]:
    """At the first length and at the last the row of judges, and those of metrics, the highest first."""
    for length in dict.fromkeys((lengths[0], lengths[-1])):
        here = [row for row in those(rows, length=length) if row["correlation"] is not None]
        metrics = sorted((row for row in here if row["curve"] != JUDGES), key=lambda row: -row["correlation"])
        yield length, those(here, curve=JUDGES), metrics


def _judges_said(pool: JudgementPool, segments: Codes, shared: Codes) -> Iterator[str]:
    """On what the curves rest, and why there is none for judges, if there is none."""
    judged, whole = pool.size[:, segments] > 0, pool.size.shape[1]
    share, who = f"{100.0 * judged.mean():.0f} %", f"{FEWEST_SYSTEMS} systems or more"
    if judged.all():
        share, who = "all", "all systems"
    judgements = counted(int(pool.size[:, segments].sum()), "judgement")
    yield (
        f"Drawn from {len(segments):,} of {whole:,} segments, those on which {who} were judged: {share} of their "
        f"{judged.size:,} translations have a judge ({judgements}, one of each judge)."
    )
    if not judged.all():
        yield (
            "Systems were judged on different segments, so people's means in a document are adjusted for segments, and "
            "metrics score all segments of a document for all systems."
        )
    if len(shared):
        twice = int((pool.size[:, shared] > 1).sum())
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
    for length, judges, metrics in _at_ends(rows, sorted(different(rows, "length"))):
        if judges and metrics:
            yield (
                f"On these segments alone, documents of {counted(length, 'segment')}: judge against judge "
                f"{judges[0]['correlation']:.3f}, and closest to a judge {metrics[0]['curve']} "
                f"({metrics[0]['correlation']:.3f})."
            )
