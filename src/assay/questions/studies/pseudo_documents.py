"""How reliable are metrics on short texts? Figures 3 to 5 of Turian, Shen & Melamed (2003), on one's own texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.judgements import Judgements
from assay.errors import InputError, ParameterError, counted
from assay.metrics.base import Metric
from assay.people.agreement.ratings import RatedItems
from assay.people.levels import FEWEST_SYSTEMS
from assay.people.pseudo_documents import JUDGES, DocumentCurves, Doubt, Drawn, JudgementPool
from assay.people.scores import Scores
from assay.questions.asked import Asked
from assay.questions.base import SCORED, metrics_option, option
from assay.questions.studies.base import WITH_SCORES, Study, defined, different, those, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, is_sure
from assay.results import charts
from assay.results.charts import COLORS, DASHES, INK, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table, View
from assay.significance.association import spearman
from assay.significance.draws import FEWEST_LEFT_OUT, FEWEST_UNITS, Units, quantiles, stream
from assay.significance.tests import is_significant, wilcoxon_p

#: So many lengths between one segment and the whole text, unless somebody names them.
_LENGTHS = 10
#: The level of significance of Turian, Shen & Melamed (2003).
_LEVEL = 0.001
#: Deviations below this are rounding.
_NOTHING = 1e-12
#: Where so large a share of the segments was judged for all systems, documents are made of these alone.
_ENOUGH = 0.5
#: Judges who share fewer translations may disagree by chance.
_FEWEST_SHARED = 20
#: Intervals that allow for other judges hold the truth a little less often than they say where judges are fewer.
_FEW_JUDGES = 10
#: Dots are moved within this share of the scale, so that equal ones can be seen: the paper's 0.2 on 1 to 5.
_SKEW = 0.05

_TITLE = "How reliable are metrics on short texts?"
#: What panels are called.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

#: A curve by its label: the scores of a metric, and under how many references.
_Curves = Mapping[str, tuple[Scores, int]]


@dataclass(frozen=True, kw_only=True)
class PseudoDocuments(JudgedStudy):
    """Spearman's correlation over systems in random documents of n segments, averaged over documents, for every n."""

    name = "pseudo-documents"
    takes = WITH_SCORES
    question = "How reliable is each metric on short texts, beside the judges themselves?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SCORED: 3}
    source = "Turian, Shen & Melamed (2003), Figures 3 to 5: judges disagree on short texts"
    renamed: ClassVar[Mapping[str, str]] = {
        **Study.renamed,
        "--samples": "Documents are no bootstrap samples: --per-length N says how many there are of each length.",
    }
    columns = (
        Column("curve", "metric"), Column("references", "refs", "d"), Column("length", "segments", ",d"),
        Column("size", "segments", ",.1f"), Column("documents", "documents", ",d"),
        Column("correlation", "mean Spearman", ".3f", low="low", high="high"),
        Column("unranked", "cannot rank", ",d"), Column("with_unranked", "these as 0", ".3f"),
        Column("spread_low", "middle 90 %", ".2f", high="spread_high"),
        Column("behind", "behind best", ".3f", low="behind_low", high="behind_high"), Column("p", "p", ".4f"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "two_judges": (
            Column("curve", "on segments with two judges"), Column("references", "refs", "d"),
            Column("length", "segments", ",d"),
            Column("correlation", "mean Spearman", ".3f", low="low", high="high"),
        )
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu", "nist", "nist(weights=none)", "chrf", "ter", "gtm", "gtm(exponent=2)", "recall", "fmean"),
        "Metrics, with their recipes: gtm(lowercase=true,stem=porter).",
        scores=True,
    )
    lengths: tuple[int, ...] = option(
        (), "Segments of a document. Without it, ten lengths up to the whole text.", metavar="1,10,100", least=1
    )
    per_length: int = option(1000, "Documents of each length.", metavar="N", least=2)
    whole_documents: bool = option(
        False, "Put whole documents of the campaign together, each read by one judge; --lengths counts them."
    )
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
        units = self._units(asked, judged)
        pool = JudgementPool.of(people, units.codes if self.whole_documents else None)
        # The segments on which enough systems have a judge, or two, to rank them.
        segments, shared = (np.flatnonzero(pool.rankable(judges)) for judges in (1, 2))
        complete = np.flatnonzero((pool.size > 0).all(axis=0))
        longest = max((1,) if self.whole_documents else (1, *self.lengths))
        if len(complete) >= max(_ENOUGH * len(segments), longest):
            segments = complete
        if not len(segments):
            raise InputError(
                f"{self.name} ranks systems on the same segments. It needs segments on which {FEWEST_SYSTEMS} systems "
                f"or more were judged, and {asked.campaign.name} has none."
            )
        curves = dict(self._curves(judged))
        sources = {label: source for label, (source, _) in curves.items()}
        ranked = DocumentCurves(pool, segments, sources, units, asked.seed)
        most = len(ranked.pieces)
        lengths = self._lengths(most, asked.campaign.name)
        rows: Table = []
        values: list[Drawn] = []
        for length in watched(lengths, asked, 0.4):
            drawn, doubt = ranked.drawn(length, self.per_length), ranked.doubt(length)
            values.append(drawn)
            here = _rows(drawn, doubt, length, curves)
            rows += _beside_best(here, drawn.values, doubt, whole=length == most)
        beside: Table = []
        ranked = replace(ranked, segments=shared, judges=2)
        for length in self._shared_lengths(lengths, len(ranked.pieces)):
            beside += _rows(ranked.drawn(length, self.per_length), ranked.doubt(length), length, curves)
        rows += those(beside, curve=JUDGES)
        tables: dict[str, Table] = {"table": rows}
        said = [
            *_findings(rows, lengths, [drawn.values for drawn in values], whole=most, piece=self._piece),
            *_unranked_said(rows, self.per_length - int(values[0].ranked.sum()), lengths[0], self._piece),
            *_judges_said(pool, segments, shared),
        ]
        points = _least_agreeing(people.judgements, seed=asked.seed)
        if points:
            tables["points"] = points
        if 0 < len(shared) < len(segments):
            tables["two_judges"] = beside
            said += _beside_said(beside, self._piece)
        said += _least_said(points)
        about = [_about_intervals(pool, segments, units)] if any(row["correlation"] is not None for row in rows) else []
        notes = {"table": [*about, *_about_p(rows)]}
        if self.whole_documents:
            said.append(_whole_said(segments, units))
        ranks_all = not any(row["unranked"] for row in rows)
        hidden = (*(("unranked", "with_unranked") if ranks_all else ()), *(() if self.whole_documents else ("size",)))
        result = self.result(
            asked, tables, said, self.metrics, usage=[judged.used("segment")], kind=people.name, notes=notes,
            hidden=hidden,
        )  # fmt: skip
        return replace(result, views=tuple(map(_of_whole, result.views))) if self.whole_documents else result

    @property
    def _piece(self) -> str:
        """What documents are put together from."""
        return "whole document" if self.whole_documents else "segment"

    def _units(self, asked: Asked, judged: JudgedSystems) -> Units:
        """What is drawn for intervals; whole documents are drawn as they are."""
        if not self.whole_documents:
            return asked.units(judged.campaign)
        if asked.data.unit == "segment":
            raise ParameterError(
                "--whole-documents puts documents together, and --unit segment takes documents apart. Leave one out."
            )
        return replace(asked, data=replace(asked.data, unit="document")).units(judged.campaign)

    def _lengths(self, most: int, name: str) -> tuple[int, ...]:
        for length in self.lengths:
            if length > most:
                raise InputError(
                    f"{self.name}: a document of {length:,} {self._piece}s cannot be made from {name}, where {most:,} "
                    f"have {FEWEST_SYSTEMS} judged systems or more. Take lengths up to {most:,}."
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

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Correlation over the length of documents, and the two judges who agree least."""
        whole = self._curves_drawn(tables["table"])
        if tables.get("points"):
            whole = charts.beside(whole, _two_judges(tables["points"], self._scores_said), spacing=50)
        said = f"{campaign}, {', '.join(self.kind) or 'all judgements'}; {self._drawn_said}"
        return charts.figure("figure", whole, _TITLE, [said])

    def pictures_of_kinds(self, campaign: str, answers: Mapping[str, Result]) -> Iterator[Figure]:
        """The curves of each kind side by side, as in Figures 4a and 4b, and below them its judges who agree least."""
        able = {
            kind: answer.tables for kind, answer in answers.items()
            if any(row["correlation"] is not None for row in answer.tables["table"])
        }  # fmt: skip
        if len(able) < 2:
            return
        rows = [row for tables in able.values() for row in tables["table"]]
        panels = [
            self._curves_drawn(tables["table"], rows, heading=f"({letter}) {kind}")
            for letter, (kind, tables) in zip(_LETTERS, able.items(), strict=False)
        ]
        below = [
            _two_judges(tables["points"], self._scores_said, kind)
            for kind, tables in able.items()
            if tables.get("points")
        ]
        whole = charts.panels(panels, columns=2, spacing=60)
        if below:
            whole = charts.above(whole, charts.panels(below, columns=2, spacing=60), spacing=40)
        recipe = next(iter(answers.values())).setup.get("recipe")
        shared = [f"Word metrics on the same tokens ({recipe})."] if recipe and recipe != "own" else []
        yield charts.figure("figure", whole, _TITLE, [f"{campaign}; {self._drawn_said}", *shared])

    @property
    def _drawn_said(self) -> str:
        made = " of whole documents" if self.whole_documents else ""
        return (
            f"{self.per_length:,} random documents{made} of each length; bands: 95 %, for other "
            f"{'documents' if self.whole_documents else 'segments'} and judges"
        )

    @property
    def _scores_said(self) -> str:
        """What is done to judges' scores, behind their names."""
        return "" if self.normalise == "none" else f" ({self.normalise})"

    def _curves_drawn(self, table: Table, beside: Table | None = None, heading: str | None = None) -> Spec:
        """Correlation over the length of documents, on a scale that those ``beside`` share."""
        rows = defined(table, "correlation")
        curves = {row["curve"]: row for row in rows if row["curve"] != JUDGES}
        metrics, counts = different(curves.values(), "metric"), sorted(different(curves.values(), "references"))
        # A colour for each metric, and a dash for each number of references; metrics beyond the colours are dashed.
        colors, tints = {JUDGES: INK}, charts.palette(metrics, COLORS[:6])
        dashes: dict[str, Sequence[int]] = {JUDGES: (2, 2)}
        for name, row in curves.items():
            place = metrics.index(row["metric"])
            step = counts.index(row["references"]) if len(counts) > 1 else place // 6
            colors[name], dashes[name] = tints[str(row["metric"])], DASHES[step % len(DASHES)]
        ends = [row[end] for row in beside or rows for end in ("correlation", "low", "high") if row[end] is not None]
        low, high = Axis().over(ends, margin=0.04).domain or (0.0, 1.0)
        return charts.lines(
            rows, x="length", y="correlation", series="curve", ends=("low", "high"), colors=colors, dashes=dashes,
            across=Axis(
                title=f"{self._piece}s in a document (logarithmic)", log=True, format=",d", grid=False,
                domain=(1, max(2, *different(rows, "length"))),
                ticks=sorted({row["length"] for row in rows if row["curve"] != JUDGES}),
            ),
            up=Axis(
                title="mean Spearman correlation with people", domain=(max(low, -1.0), min(high, 1.0)), zero=low < 0
            ),
            height=380, heading=heading,
        )  # fmt: skip


def _of_whole(view: View) -> View:
    """A view of documents that are put together from whole ones."""
    headings = {"length": "documents in it", "documents": "drawn"}
    columns = (replace(column, heading=headings.get(column.name, column.heading)) for column in view.columns)
    return replace(view, columns=tuple(columns))


def _whole_said(segments: Codes, units: Units) -> str:
    """What whole documents are, and by how many judges they were read."""
    sizes = np.bincount(units.codes[segments])
    sizes = sizes[sizes > 0]
    many = f"{sizes.min():,} to {sizes.max():,}" if sizes.min() < sizes.max() else f"{sizes[0]:,}"
    return (
        f"Documents are put together from {len(sizes):,} whole documents of the campaign, of {many} segments that "
        "enough systems were judged on. For each of them and each system one of its judges is drawn, who stays for the "
        "whole document as far as he judged it."
    )


def _two_judges(points: Table, scores: str, kind: str = "") -> Spec:
    """Scores of two judges, each dot moved a little so that equal ones can be seen."""
    axis = Axis().over(point[name] for point in points for name in ("shown_x", "shown_y"))
    first = points[0]
    return charts.scatter(
        points, x="shown_x", y="shown_y", color=INK, area=16, opacity=0.45, width=240, height=240,
        across=replace(axis, title=f"{first['first']}{scores}"), up=replace(axis, title=f"{first['second']}{scores}"),
        heading=[
            f"{kind}{': ' if kind else ''}the two judges who agree least",
            f"Spearman {first['spearman']:.3f}, {len(points):,} translations; random skew of {first['skew']:.3g}",
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


def summary(values: Array, length: int, ranked: Flags | None = None) -> dict[str, Any]:
    """The mean over documents, and what the middle 90 % of single documents have.

    Of the documents that people ``ranked``, those without a value are ones that the metric cannot rank: they are left
    out of ``correlation``, and are correlations of 0 in ``with_unranked``.
    """
    unranked = 0 if ranked is None else int((ranked & ~np.isfinite(values)).sum())
    values = values[np.isfinite(values)]
    row: dict[str, Any] = {"length": length, "documents": len(values), "unranked": unranked}
    row |= dict.fromkeys(("correlation", "low", "high", "with_unranked", "spread_low", "spread_high"))
    if len(values) + unranked > 1:
        row["with_unranked"] = float(values.sum() / (len(values) + unranked))
    if len(values) < 2:
        return row
    row["correlation"] = float(values.mean())
    if np.ptp(values) > _NOTHING:
        row["spread_low"], row["spread_high"] = quantiles(values, [0.05, 0.95])
    return row


def _drawing(values: Array) -> float:
    """The variance of a mean over documents, as far as it is due to drawing so many and no more."""
    values = values[np.isfinite(values)]
    return float(values.var(ddof=1)) / len(values)


def _rows(drawn: Drawn, doubt: Doubt, length: int, curves: _Curves) -> Table:
    """All curves at one length."""
    rows: Table = []
    for label, values in drawn.values.items():
        named: dict[str, Any] = dict.fromkeys(
            ("curve", "metric", "references", "behind", "behind_low", "behind_high", "p")
        )
        if label in curves:
            source, references = curves[label]
            named |= {"metric": source.name, "references": references}
        size = {} if drawn.segments is None else {"size": drawn.segments}
        row = named | {"curve": label} | size | summary(values, length, drawn.ranked)
        if row["correlation"] is not None:
            low, high = doubt.interval(row["correlation"], _drawing(values), label)
            # No correlation lies beyond 1.
            row |= {"low": None if low is None else max(low, -1.0), "high": None if high is None else min(high, 1.0)}
        rows.append(row)
    return rows


def _beside_best(rows: Table, drawn: Mapping[str, Array], doubt: Doubt, *, whole: bool) -> Table:
    """Rows of one length, each beside the highest; documents of the ``whole`` text are one, and test nothing."""
    able = [row for row in rows if row["correlation"] is not None]
    best = max(able, key=lambda row: row["correlation"], default=None)
    for row in able:
        if best is not None and row is not best:
            pair = best["curve"], row["curve"]
            difference, p = compared(*(drawn[curve] for curve in pair))
            row |= {"behind": difference, "p": None if whole else p}
            apart = drawn[pair[0]] - drawn[pair[1]]
            if difference is not None and np.isfinite(apart).sum() > 1:
                low, high = doubt.interval(difference, _drawing(apart), *pair)
                row |= {"behind_low": low, "behind_high": high}
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
    # Dots are moved by their places, which the order of rows must not change.
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    generator = stream(seed, "places of dots")
    reach = _SKEW * (max(x.max(), y.max()) - min(x.min(), y.min()))
    shown = [each + generator.uniform(-reach / 2, reach / 2, size=len(each)) for each in (x, y)]
    return [
        {"first": first, "second": second, "x": x, "y": y, "shown_x": shown_x, "shown_y": shown_y}
        | {"spearman": values[group], "skew": float(reach)}
        for x, y, shown_x, shown_y in np.column_stack([x, y, *shown]).tolist()
    ]


def _least_said(points: Table) -> Iterator[str]:
    if points:
        yield (
            f"The two judges who agree least are {points[0]['first']} and {points[0]['second']}: Spearman "
            f"{points[0]['spearman']:.3f} over the {len(points):,} translations that both judged."
        )


def _about_intervals(pool: JudgementPool, segments: Codes, units: Units) -> str:
    """What intervals allow for, or why there are none."""
    units = units.only(np.isin(np.arange(pool.size.shape[1]), segments))
    drawn = counted(len(units), units.name)
    if len(units) < FEWEST_UNITS:
        named = "" if units.name == "segment" else " With --unit segment segments are taken as independent."
        return f"No intervals: there are {drawn}, and what others would give takes {FEWEST_UNITS} to say.{named}"
    raters = pool.raters_of(segments)
    others = f"other {units.name}s and other judges, from samples of {drawn} and parts of {raters} judges"
    if raters is not None and raters < _FEW_JUDGES:
        others += ", so few that intervals may be short"
    if raters is None:
        others = (
            f"other {units.name}s, from samples of {drawn}; some judgements name no rater, and are taken as if each "
            "came from a judge of its own"
        )
    elif raters < FEWEST_LEFT_OUT:
        others = (
            f"other {units.name}s, from samples of {drawn}, as {counted(raters, 'judge')} would see them: too few to "
            "say what other judges would"
        )
    elif (pool.size[:, segments] > 1).any():
        others += "; those of judge against judge are about these judges"
    return f"Intervals, 95 %: for {others}."


def _about_p(rows: Table) -> Iterator[str]:
    if any(row["p"] is not None for row in rows):
        known = any(row["behind_low"] is not None for row in rows)
        others = " The interval of what a metric is behind the best does." if known else ""
        yield (
            "p: Wilcoxon's signed ranks over documents, as in the paper. Documents share segments, so their number is "
            f"no sample size: p is about these segments, and says nothing of others.{others}"
        )


def _findings(
    rows: Table, lengths: Sequence[int], values: Sequence[Mapping[str, Array]], *, whole: int, piece: str = "segment"
) -> Iterator[str]:
    for length, judges, metrics in _at_ends(rows, lengths):
        documents = f"Documents of {counted(length, piece)}"
        if not metrics:
            yield (
                f"{documents}: no correlation is defined, for people, or all metrics, give all systems the same score."
            )
            continue
        best, worst = metrics[0], metrics[-1]
        people = "".join(f", judge against judge {row['correlation']:.3f}" for row in judges)
        if worst is not best and best["correlation"] - worst["correlation"] < _NOTHING:
            yield f"{documents}: all metrics are equally close to the judges ({best['correlation']:.3f}){people}."
            continue
        furthest = "" if worst is best else f", {worst['curve']} furthest ({worst['correlation']:.3f})"
        yield f"{documents}: {best['curve']} is closest to the judges ({best['correlation']:.3f}){furthest}{people}."
        yield from _surely_behind(documents, metrics)
    if len(values[0]) > 1:
        # All documents of the whole text are the same, and no test says anything there.
        edge = significant_from([drawn for length, drawn in zip(lengths, values, strict=True) if length < whole])
        if edge is not None:
            yield (
                f"On these segments all differences of {edge:.3f} or more between metrics are significant (Wilcoxon's "
                f"signed ranks over documents, p ≤ {_LEVEL:g}); which of them hold for others is what intervals say."
            )


def _unranked_said(rows: Table, by_people: int, length: int, piece: str) -> Iterator[str]:
    """In how many of the shortest documents a metric ranks nobody, and what its mean is if these count."""
    documents = f"documents of {counted(length, piece)}"
    tied = [row for row in those(rows, length=length) if row["unranked"] and row["curve"] != JUDGES]
    if tied:
        listed = "; ".join(
            f"{row['curve']} {row['unranked']:,}"
            + (
                f" (mean {row['correlation']:.3f} without them, {row['with_unranked']:.3f} with them as 0)"
                if row["correlation"] is not None
                else ""
            )
            for row in sorted(tied, key=lambda row: -row["unranked"])
        )
        yield (
            f"A metric cannot rank systems where it gives all of them the same score: {listed} of the {documents}. "
            "Such documents are left out of its mean, and are correlations of 0 in the column beside it."
        )
    if by_people:
        yield (
            f"In {by_people:,} of the {documents} people give all systems the same score, and nothing can be held "
            "against them; these are in no mean."
        )


def _surely_behind(documents: str, metrics: Table) -> Iterator[str]:
    """Which metrics would be behind the best with other segments, too."""
    if len(metrics) < 2 or all(row["behind_low"] is None for row in metrics):
        return
    surely = [row["curve"] for row in metrics if row["behind_low"] is not None and is_sure(row, "behind")]
    if surely:
        yield f"{documents}: also on other segments behind {metrics[0]['curve']}: {', '.join(surely)}."
    else:
        yield f"{documents}: on other segments any of these metrics may be the closest."


def _at_ends(rows: Table, lengths: Sequence[int]) -> Iterator[tuple[int, Table, Table]]:
    """At the first length and at the last the row of judges, and those of metrics, the highest first."""
    for length in dict.fromkeys((lengths[0], lengths[-1])):
        here = [row for row in those(rows, length=length) if row["correlation"] is not None]
        metrics = sorted((row for row in here if row["curve"] != JUDGES), key=lambda row: -row["correlation"])
        yield length, those(here, curve=JUDGES), metrics


def _judges_said(pool: JudgementPool, segments: Codes, shared: Codes) -> Iterator[str]:
    """On what the curves rest, and why there is none for judges, if there is none."""
    judged, whole = pool.size[:, segments] > 0, pool.size.shape[1]
    share, who = f"{min(round(100.0 * judged.mean()), 99)} %", f"{FEWEST_SYSTEMS} systems or more"
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


def _beside_said(rows: Table, piece: str = "segment") -> Iterator[str]:
    """Judges and metrics on the segments that two judges scored, from the shortest documents to the longest."""
    for length, judges, metrics in _at_ends(rows, sorted(different(rows, "length"))):
        if judges and metrics:
            yield (
                f"On these segments alone, documents of {counted(length, piece)}: judge against judge "
                f"{judges[0]['correlation']:.3f}, and closest to a judge {metrics[0]['curve']} "
                f"({metrics[0]['correlation']:.3f})."
            )
