"""How reliable are metrics on short texts? Figures 3 to 5 of Turian, Shen & Melamed (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.data.wording import counted
from assay.errors import InputError
from assay.meta.benches import steady
from assay.meta.metric_tests import pseudo_document_weights
from assay.meta.people import Flags
from assay.meta.statistics.draws import Array
from assay.meta.statistics.vectors import spearman
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, StudyResult
from assay.questions.studies.parts.document_curves import LEVEL, NOBODY, Curve, rows_of, significant_from, summary
from assay.questions.studies.parts.drawn_judgements import JudgementPool
from assay.questions.studies.parts.judged import FEWEST_SYSTEMS, Judged, NormalisedStudy
from assay.questions.studies.parts.paired_judges import least_agreeing
from assay.questions.studies.pictures.length_curves import JUDGES, length_curves
from assay.results.result import Result

#: So many lengths between one segment and the whole text, unless somebody names them.
LENGTHS = 10


@dataclass(frozen=True, kw_only=True)
class PseudoDocuments(NormalisedStudy):
    """Spearman's correlation over systems in random documents of n segments, averaged over documents, for every n."""

    name: ClassVar[str] = "pseudo-documents"
    question: ClassVar[str] = "How reliable is each metric on short texts, beside the judges themselves?"
    source: ClassVar[str] = "Turian, Shen & Melamed (2003), Figures 3 to 5: judges disagree on short texts"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("curve", "metric"),
        Column("references", "refs", "d"),
        Column("length", "segments", ",d"),
        Column("documents", "documents", ",d"),
        Column("correlation", "mean Spearman", ".3f"),
        Column("low", "low", ".3f"),
        Column("high", "high", ".3f"),
        Column("spread_low", "5 %", ".2f"),
        Column("spread_high", "95 %", ".2f"),
        Column("behind", "behind best", ".3f"),
        Column("p", "p", ".4f"),
    )

    detail_columns: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "two_judges": (
            Column("curve", "on segments with two judges"),
            Column("references", "refs", "d"),
            Column("length", "segments", ",d"),
            Column("correlation", "mean Spearman", ".3f"),
            Column("low", "low", ".3f"),
            Column("high", "high", ".3f"),
        )
    }

    metric: tuple[str, ...] = option(
        ("bleu", "nist", "chrf", "ter", "gtm", "gtm(exponent=2)", "recall", "fmean"),
        "Metrics, with their recipes: gtm(lowercase=true,stem=porter).",
    )
    lengths: tuple[int, ...] = option((), "Segments of a document: 1,10,100. Without it, ten up to the whole text.")
    samples: int = option(1000, "Documents of each length.")
    reference_counts: tuple[int, ...] = option(
        (), "How many references, the first of them each time: 1,3. Without it, all."
    )

    def check(self) -> None:
        named_metrics(self.metric)
        self.require(self.samples >= 2, "samples", "a whole number of at least 2")
        for name in ("lengths", "reference_counts"):
            numbers = getattr(self, name)
            sound = len(set(numbers)) == len(numbers) and min(numbers, default=1) >= 1
            self.require(sound, name, "different whole numbers of at least 1")

    def answer(self, asked: Asked) -> Result:
        found = self.judged(asked)
        people = found.ratings()
        pool = JudgementPool.of(people)
        segments = _enough(pool.cells_with(1))
        shared = _enough(pool.cells_with(2))
        if not len(segments):
            raise InputError(
                f"{self.name} ranks systems on the same segments. It needs segments on which {FEWEST_SYSTEMS} systems "
                f"or more were judged, and {asked.campaign.name} has none."
            )
        lengths = self._lengths(len(segments), asked.campaign.name)
        curves = list(self._curves(found))
        rows: list[dict[str, Any]] = []
        values: list[dict[str, Array]] = []
        for done, length in enumerate(lengths, start=1):
            weights = _spread_out(segments, len(found.campaign), length, self.samples, asked.seed)
            human = steady(pool.one(weights, np.random.default_rng([asked.seed, 8, length])))
            drawn = {curve.label: spearman(steady(curve.source.systems(weights)), human) for curve in curves}
            values.append(drawn)
            rows += rows_of(drawn, length, curves, whole=length == len(segments))
            asked.report(0.4 + 0.6 * done / len(lengths))
        there = self._judged_lengths(lengths, len(shared))
        beside = self._beside_judges(pool, shared, there, curves, asked.seed)
        rows += [row for row in beside if row["curve"] == JUDGES]
        details = {"two_judges": beside} if 0 < len(shared) < len(segments) else {}
        pair = least_agreeing(people.judgements, seed=asked.seed)
        said = [*_findings(rows, lengths, values), *_judges_said(found, pool, segments, shared)]
        said += [sentence for own in details.values() for sentence in _beside_said(own)]
        said += [str(pair)] if pair is not None else []
        points = () if pair is None else tuple(pair.points)
        said.append(str(found.used("segment")))
        return self.result(asked, tuple(rows), tuple(said), points, details)

    def _lengths(self, most: int, name: str) -> tuple[int, ...]:
        for length in self.lengths:
            if length > most:
                raise InputError(
                    f"{self.name}: a document of {length:,} segments cannot be made from {name}, where {most:,} have "
                    f"{FEWEST_SYSTEMS} judged systems or more. Take lengths up to {most:,}."
                )
        return tuple(sorted(self.lengths)) or usual_lengths(most)

    def _curves(self, found: Judged) -> Iterator[Curve]:
        """Each metric under each number of references."""
        metrics = named_metrics(self.metric)
        names = [name for name in found.campaign.references if name not in found.campaign.post_edits]
        for count in self.reference_counts:
            if count > len(names):
                raise InputError(
                    f"{self.name}: {found.campaign.name} has {counted(len(names), 'reference')} ({', '.join(names)}), "
                    f"and {count} were asked for."
                )
        for count in self.reference_counts or (len(found.campaign.references),):
            chosen = found.campaign.choose(references=names[:count]) if self.reference_counts else found.campaign
            sources = Judged(found.study, chosen, found.people, found.usage, found.threads).sources(metrics)
            for source in sources:
                several = f", {count} ref{'s' if count > 1 else ''}" if len(self.reference_counts) > 1 else ""
                yield Curve(source.name + several, source.name, count, source)

    def _judged_lengths(self, lengths: Sequence[int], most: int) -> list[int]:
        """The lengths of documents made of the segments that two judges scored."""
        there = [length for length in lengths if length <= most]
        return there if self.lengths or not most or most in there else [*there, most]

    def _beside_judges(
        self, pool: JudgementPool, shared: Array, lengths: Sequence[int], curves: Sequence[Curve], seed: int
    ) -> list[dict[str, Any]]:
        """Judge against judge, and metrics against the first of the two, in the same documents."""
        rows: list[dict[str, Any]] = []
        for length in lengths:
            weights = _spread_out(shared, pool.segments, length, self.samples, seed)
            one, other = (steady(means) for means in pool.two(weights, np.random.default_rng([seed, 9, length])))
            rows.append(NOBODY | {"curve": JUDGES} | summary(spearman(one, other), length))
            for curve in curves:
                values = spearman(steady(curve.source.systems(weights)), one)
                rows.append(NOBODY | curve.named() | summary(values, length))
        return rows

    def chart(self, result: StudyResult) -> Any:
        """The paper's figures: curves over the length of documents, and the two judges who agree least."""
        return length_curves(result, self.samples)


def usual_lengths(most: int) -> tuple[int, ...]:
    """From one segment to all of them, each about as many times longer than the one before.

    >>> usual_lengths(1000)
    (1, 2, 5, 10, 22, 46, 100, 215, 464, 1000)
    >>> usual_lengths(4)
    (1, 2, 3, 4)
    """
    found = {round(float(length)) for length in np.geomspace(1, most, LENGTHS)}
    return tuple(sorted(found))


def _enough(cells: Flags) -> Any:
    """The segments on which enough systems were judged to rank them."""
    return np.flatnonzero(cells.sum(axis=0) >= FEWEST_SYSTEMS)


def _spread_out(chosen: Any, segments: int, length: int, samples: int, seed: int) -> Array:
    """Documents made of the chosen segments, as weights over all."""
    weights = np.zeros((samples, segments))
    weights[:, chosen] = pseudo_document_weights(len(chosen), length, samples, seed)
    return weights


def _findings(
    rows: Sequence[Mapping[str, Any]], lengths: Sequence[int], values: Sequence[Mapping[str, Array]]
) -> Iterator[str]:
    for length in dict.fromkeys((lengths[0], lengths[-1])):
        here = [row for row in rows if row["length"] == length and row["correlation"] is not None]
        metrics = sorted((row for row in here if row["curve"] != JUDGES), key=lambda row: -row["correlation"])
        if not metrics:
            yield f"Documents of {_segments(length)}: nowhere do systems differ, so there is no correlation."
            continue
        best, worst = metrics[0], metrics[-1]
        people = "".join(f", judge against judge {r['correlation']:.3f}" for r in here if r["curve"] == JUDGES)
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
                f"documents, p ≤ {LEVEL:g}); documents share segments, so this holds for these segments."
            )


def _judges_said(found: Judged, pool: JudgementPool, segments: Array, shared: Array) -> Iterator[str]:
    """On what the curves rest, and why there is none for judges, if there is none."""
    cells = int(pool.cells_with(1)[:, segments].sum())
    yield (
        f"Drawn from {len(segments):,} of {len(found.campaign):,} segments, those on which {FEWEST_SYSTEMS} systems or "
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


def _beside_said(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Judges and metrics on the segments that two judges scored, from the shortest documents to the longest."""
    lengths = sorted({row["length"] for row in rows})
    for length in dict.fromkeys((lengths[0], lengths[-1])):
        here = [row for row in rows if row["length"] == length and row["correlation"] is not None]
        judges = [row for row in here if row["curve"] == JUDGES]
        metrics = [row for row in here if row["curve"] != JUDGES]
        if judges and metrics:
            best = max(metrics, key=lambda row: row["correlation"])
            yield (
                f"On these segments alone, documents of {_segments(length)}: judge against judge "
                f"{judges[0]['correlation']:.3f}, and closest to a judge {best['curve']} ({best['correlation']:.3f})."
            )


def _segments(length: int) -> str:
    return counted(length, "segment")
