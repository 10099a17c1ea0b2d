"""``assay agreement``: how far raters agree, how severe each of them is, and what each normalisation does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, ClassVar, Literal, Self

import numpy as np

from assay.data.external import as_judgements
from assay.data.judgements import Judgements
from assay.errors import InputError, ParameterError, UnknownName, counted
from assay.metrics.base import Metric
from assay.people import pictures
from assay.people.agreement.effect import effect_rows, every_normalisation, metric_rows, system_rows
from assay.people.agreement.measures import (
    SPLITS,
    GradeAgreement,
    Pairwise,
    SharedItems,
    coefficients,
    comparison_rows,
    grade_agreement,
    measure,
    span_rows,
    split_halves,
)
from assay.people.agreement.ratings import RatedItems, control_rows, rater_rows
from assay.people.grades import Grades, grades_of, read_grades
from assay.people.normalise import METHODS as NORMALISATIONS
from assay.people.normalise import normalise
from assay.people.usage import Chosen, choose
from assay.properties import cached_property
from assay.questions.asked import ELSEWHERE, UNREFERENCED, Asked, Data, units_said
from assay.questions.base import JUDGES, KIND, Question, metrics_option, option
from assay.results.figure import Figure, Figures
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table, View
from assay.scoring.statistics import NO_DOCUMENT, units_of
from assay.significance.draws import FEWEST_LEFT_OUT, NO_INTERVAL, Interval, Units, jackknife_interval
from assay.significance.tests import is_significant

#: So many pairs and raters are listed without being asked for.
_FEW_PAIRS, _FEW_RATERS = 10, 20
#: The normalisation that is drawn beside raw scores, where none was chosen.
_BESIDE = "z"

_CORRELATIONS = {"pearson": "Pearson's r", "spearman": "Spearman's ρ", "kendall": "Kendall's τ-b"}
_GRADED = {
    "exact-agreement": "same grade",
    "kappa": "Cohen's κ",
    "kappa-linear": "κ, linear weights",
    "kappa-quadratic": "κ, quadratic weights",
}
#: Statistics of two raters that the table of pairs shows.
_OF_PAIRS = _CORRELATIONS | {name: _GRADED[name] for name in ("exact-agreement", "kappa-quadratic")}
#: What is compared with what: how statistics begin there, and how each goes on and is called.
_PARTS = (
    ("Two raters", "", _CORRELATIONS | _GRADED),
    ("All raters", "alpha-", {way: f"Krippendorff's α, {way}" for way in ("nominal", "ordinal", "interval")}),
    ("All raters", "icc-", {f"{way}-{size}": f"ICC({way},{size})" for size in "1k" for way in "123"}),
    ("One against the mean of the others", "others-", _CORRELATIONS),
    ("Two halves of the raters", "split-half", {"": "r of segments", "-all": "stepped up to all raters"}),
    ("Two halves of the raters", "split-half-system", {"": "r of systems", "-all": "stepped up to all raters"}),
    (
        "Which of two systems is better", "comparison-",
        {"agreement": "same answer", "kappa-third": "κ, chance of 1/3", "kappa": "κ, chance by ties"},
    ),
    ("Marked errors", "span-", {"f1": "F1 of characters", "f1-severity": "F1, same severity"}),
    ("Marked errors", "error-", {"agreement": "any error or none", "kappa": "κ of any error or none"}),
    ("The same rater again", "repeat-", _CORRELATIONS | _GRADED),
    (
        "The same rater again", "repeat-comparison-",
        {"agreement": "same answer on two systems", "kappa-third": "κ of it, chance of 1/3",
         "kappa": "κ of it, chance by ties"},
    ),
)  # fmt: skip
#: In which part of the table a statistic stands, and how people call it.
_LABELS = {
    f"{prefix}{name}": {"part": part, "label": label} for part, prefix, names in _PARTS for name, label in names.items()
}

#: How the numbers of judgements are called in a sentence, and those that were not asked for in one of their own.
_USES = {
    "between_raters": "{:,} are of items that two or more raters rated",
    "repeats": "{:,} repeat what the same rater rated before",
    "one_rater": "{:,} are of items that one rater rated alone",
    "ranked": "{:,} are in rankings",
    "alone_in_ranking": "{:,} stand alone in theirs",
    "no_score": "{:,} have no score",
    "missing": "{:,} have the score that stands for none",
    "no_rater": "{:,} name no rater",
}
_ASIDE = {
    "no_counterpart": "{:,} have no counterpart of every kind, and are in no mean.",
    "other_kinds": "{:,} of other kinds were not chosen.",
    "other_systems": "{:,} of other systems were not chosen.",
    "other_segments": f"{{:,}} are {ELSEWHERE}.",
    "no_reference": f"{{:,}} are {UNREFERENCED}.",
}

_ITEMS = Column("items", format=",d")
_RESULTS = (
    Column("label", "agreement"), Column("value", format=".3f"), Column("low", "95 % interval", ".3f", high="high"),
    Column("raters", format=",d"), _ITEMS,
)  # fmt: skip
_GRADES = (
    Column("scores"), Column("ratings", format=",d"),
    Column("same", "other rater the same", ".1f", "%", low="same_low", high="same_high"),
    Column("share", "by chance", ".1f", "%"),
    Column("within_one", "within one grade", ".1f", "%", low="within_one_low", high="within_one_high"),
    Column("chance_within_one", "by chance", ".1f", "%"),
    Column("kappa", "κ of the grade", ".3f", low="kappa_low", high="kappa_high"),
)  # fmt: skip
_ABOUT_GRADES = (
    "where a rater gave the grade, what another rater of the item gave; chance: how often the grade (and its "
    "neighbours) are given at all; κ of the grade (Fleiss, 1971): agreement beyond that chance, 1 fully; the lowest "
    "and the highest grade have one neighbour to be mistaken for and the others two, which helps them on any scale"
)
_RATERS = (
    Column("ratings", format=",d"), Column("mean", format=".2f"), Column("sd", format=".2f"),
    Column("median", format=".2f"), Column("share_lowest", "lowest", ".0%"), Column("share_highest", "highest", ".0%"),
    Column("severity", format="+.2f"), Column("severity_low", "95 % interval", ".2f", high="severity_high"),
    Column("drift", format="+.2f"), Column("others_pearson", "r with others", ".2f"), Column("flags"),
)  # fmt: skip
_CONTROLS = (
    _ITEMS, Column("difference", format="+.2f"), Column("p", format=".4f"),
    Column("p_adjusted", "p (holm)", ".4f"), Column("told_apart", "told apart", "yes|no")
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Kind:
    """Judgements that are taken as one kind."""

    chosen: Chosen
    #: As people gave them, and as they are measured.
    raw: RatedItems
    ratings: RatedItems
    #: What segments are drawn with.
    units: Units
    #: The document of each segment; nothing where none is known.
    documents: Sequence[str]
    #: How many served what, and how many did not, and why.
    used: dict[str, int]

    @cached_property
    def normalised(self) -> dict[str, Judgements]:
        """Under every normalisation."""
        return every_normalisation(self.chosen.judgements)

    @property
    def said(self) -> str:
        """What was rated by whom, for pictures."""
        return f"{self.chosen.name}: {len(self.raw):,} ratings by {len(self.raw.raters)} raters"


@dataclass
class _Agreed:
    """How far raters agree, with each other and with themselves, and what one should know when reading it."""

    #: A row per statistic; one per pair of raters; one per rater against the mean of the others.
    results: Table = field(default_factory=list)
    pairs: Table = field(default_factory=list)
    others: Table = field(default_factory=list)
    grades: Grades | None = None
    #: Agreement grade by grade, where there are several.
    by_grade: GradeAgreement | None = None
    remarks: list[str] = field(default_factory=list)

    def add(self, measured: Pairwise, groups: str) -> None:
        """The means over groups, and which of them were too small to count."""
        self.results += measured.pooled
        if measured.left_out:
            self.remarks.append(f"Means over {groups} leave out {measured.left_out}.")


@dataclass(frozen=True, kw_only=True)
class Agreement(Question):
    """Can I trust the judges? Agreement between raters and with themselves, their severity, and what normalising does.

      assay agreement campaign/ --kind mqm

      assay agreement campaign/ --kind da/da-repeat --normalise z -m bleu,chrf

      assay agreement human.tsv --figure judges.svg --raters anna,bilal

    Judgements are in the campaign's human.tsv, or in files of any known format: --judgements FILE, or FILE alone. Of
    --kind a,b each is measured apart; in a/b a rater who judged an item under both has judged it again.
    """

    name: ClassVar[str] = "agreement"
    question: ClassVar[str] = "Can I trust the judges?"
    needs: ClassVar[Mapping[str, int]] = {JUDGES: 1}
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "scores", "judgements", "units")
    needs_texts: ClassVar[bool] = False
    leading: ClassVar[str] = "kind"
    working: ClassVar[str] = "Measuring"
    pictures: ClassVar[tuple[str, ...]] = ("judges", "severity", "distributions", "normalisation")

    kind: tuple[str, ...] = option((), KIND, metavar="KIND,...")
    normalise: str = option("none", "Raters against each other.", choices=NORMALISATIONS)
    missing: float | None = option(None, "A score that stands for no judgement.", metavar="SCORE")
    lower_is_better: bool = option(False, "Turn the judgements' sign.")
    grades: int | Iterable[float] | str | None = option(
        None,
        "For kappa: N grades of equal size, or cut points (30,50,70; one is 50,).",
        metavar="N | CUTS",
        parse=read_grades,
    )
    metrics: tuple[Metric, ...] = metrics_option((), "Whose correlation to look at, too.", scores=True)
    judge: tuple[str, ...] = option(
        (), "Scores of the campaign that count as a rater's, each; of --scores all.", metavar="NAME,..."
    )
    control: tuple[str, ...] = option(
        (), "Kinds of quality control, held against the chosen ones.", metavar="KIND[,KIND]"
    )
    everything: bool = option(False, "List every pair and every rater.", flag="--all")
    raters: tuple[str, ...] = option(
        (), "Which two judges to draw.  [default: with most items in common]", metavar="A,B"
    )
    splits: int = option(SPLITS, "Random halves.", metavar="N", least=1, most=100_000)
    resample: Literal["items", "raters", "both"] = option(
        "items", "What intervals allow for: other items, other raters."
    )
    samples: int = option(1000, "Bootstrap samples.", metavar="N", least=2, most=1_000_000)

    def check(self) -> None:
        two = len(self.raters) == len(set(self.raters)) == 2
        self.require(two or not self.raters, "raters", "two different raters with a comma between")

    def scores_all(self, data: Data) -> bool:
        return bool(self.metrics)

    def with_scores(self, given: Sequence[Metric]) -> Self:
        """The same: scores are raters here."""
        return self

    def _judgements(self, asked: Asked) -> Judgements:
        """What people say, and what programs do that are taken for raters, of the same kinds."""
        campaign, people = asked.campaign, asked.campaign.judgements
        named = self.judge or [name for name in asked.score_names if name not in map(str, self.metrics)]
        if not named and people is None and not campaign.has_texts:
            named = tuple(campaign.scores)
        for name in named:
            if name not in campaign.scores:
                raise UnknownName.of("scores called", name, campaign.scores)
        if not named:
            return asked.judgements
        kinds = ("scores",) if people is None else people.kinds
        judged = as_judgements([campaign.scores[name] for name in named], asked.chosen.systems, kinds)
        return judged if people is None else asked.judgements.joined(judged)

    def answer(self, asked: Asked) -> Result:
        if any(metric.sees_references for metric in self.metrics) and not asked.campaign.has_texts:
            raise ParameterError("Metrics need the translations: give a campaign, and the judgements beside it.")
        judgements = self._judgements(asked)
        kind, drawn = self._kind(asked, judgements), {"samples": self.samples, "seed": asked.seed}
        agreed = self._agreed(kind, drawn)
        asked.report(0.3)
        agreed.results = self._about_raters(kind, agreed, drawn)
        asked.report(0.4)
        tables, variances = self._tables(kind, agreed, asked, drawn)
        pair, usage = self._pair(tables["pairs"], kind.raw.raters), _usage(kind.used)
        asked.report(1.0)
        setup = {
            "kind": kind.chosen.name, "origin": kind.chosen.judgements.origin, "normalise": self.normalise,
            "grades": None if agreed.grades is None else agreed.grades.method,
            "cuts": [] if agreed.grades is None else agreed.grades.cuts,
            **drawn, "unit": kind.units.name, "resample": self.resample, "splits": self.splits,
            "lower_is_better": self.lower_is_better, "missing": self.missing,
            "variances": variances, "used": kind.used, "usage": usage,
            "extremes": None if agreed.by_grade is None else agreed.by_grade.extremes,
        }  # fmt: skip
        several = agreed.grades is not None and len(agreed.grades) > 1
        graded = [f"Grades: {agreed.grades.method}."] if agreed.grades is not None and several else []
        return Result(
            "agreement",
            tables,
            tuple(view for view in self._views(tables, kind) if tables[view.table]),
            (
                *agreed.remarks,
                *self._scales(kind, asked),
                usage,
                *graded,
                *_extremes(agreed.by_grade),
                *self._drawing(agreed, len(kind.ratings.raters), asked.seed, kind.units.name),
                _drawn(kind),
            ),
            setup=setup,
            digests=asked.digests() if self.metrics else {"judgements": judgements.digest},
            signatures={str(metric): asked.signature(metric) for metric in self.metrics if tables["metrics"]},
            figures=Figures(lambda: self._figures(tables, kind, pair)),
        )

    def _scales(self, kind: _Kind, asked: Asked) -> Iterator[str]:
        """Which raters use another scale than others, where some are programs and nobody made them comparable."""
        raters = kind.raw.judgements.rater
        if self.normalise != "none" or asked.campaign.judgements is None or not asked.campaign.scores:
            return
        people = set(asked.campaign.judgements.rater.names)
        programs = [name for name in raters.names if name not in people]
        of_people = kind.raw.judgements.score[~raters.holds(programs)]
        low, high = float(np.nanmin(of_people)), float(np.nanmax(of_people))
        for name in programs:
            own = kind.raw.judgements.score[raters.holds([name])]
            least, most = float(np.nanmin(own)), float(np.nanmax(own))
            if not 0.5 < (most - least) / max(high - low, 1e-300) < 2.0 or least >= high or most <= low:
                yield (
                    f"{name} gives {least:g} to {most:g}, people {low:g} to {high:g}: with such scales correlations "
                    "say how far they agree; grades, κ, α, ICC and halves of raters take one scale: --normalise z."
                )

    def _drawing(self, agreed: _Agreed, raters: int, seed: int, unit: str) -> Iterator[str]:
        """What intervals are about, where there are any."""
        drawn = f"bootstrap over {unit}s, {self.samples:,} samples, seed {seed}"
        if not agreed.results:
            return
        if self.resample == "items":
            yield (
                f"Intervals: {drawn}. They are about these raters: others may agree more or less, which --resample "
                "both allows for."
            )
        elif raters < FEWEST_LEFT_OUT:
            yield (
                f"No intervals of agreement: what other raters would say takes {FEWEST_LEFT_OUT} raters, and there are "
                f"{raters}. --resample items gives intervals for other items. Those of pairs and of single raters are "
                f"for other items: {drawn}."
            )
        else:
            left_out = "what agreement is without each rater in turn, by Student's t"
            yield f"Intervals of agreement: {drawn}; and {left_out}. Those of pairs and of single raters: items alone."

    def _about_raters(self, kind: _Kind, agreed: _Agreed, drawn: Mapping[str, Any]) -> Table:
        """The results, with intervals that allow for other raters where that is asked for."""
        if self.resample == "items":
            return agreed.results
        without: dict[str, list[float]] = {}
        for code in range(len(kind.ratings.raters)):
            judgements = kind.ratings.judgements
            rest = RatedItems(judgements.only(judgements.rater.codes != code), kind.ratings.units)
            if len(rest):
                for row in self._agreed(replace(kind, ratings=rest), {**drawn, "samples": 0}, agreed.grades).results:
                    if row["value"] is not None:
                        without.setdefault(row["statistic"], []).append(row["value"])
        table: Table = []
        for row in agreed.results:
            ends, left_out = NO_INTERVAL, np.array(without.get(row["statistic"], []))
            if row["value"] is not None:
                ends = jackknife_interval(row["value"], left_out, Interval(row["low"], row["high"]))
            table.append(row | {"low": ends.low, "high": ends.high})
        return table

    def _agreed(self, kind: _Kind, drawn: Mapping[str, Any], grades: Grades | None = None) -> _Agreed:
        """Agreement on scores and on the grades that they make; of rankings, on which of two systems is better."""
        ratings = kind.ratings
        if kind.chosen.ranked:
            results = comparison_rows(ratings, repeats=True, **drawn)
            nothing = "No two systems were ranked twice on the same segment: nothing can be said of agreement."
            return _Agreed(results, remarks=[] if results else [nothing])
        grades = grades or grades_of(ratings.score, read_grades(self.grades), turned=self.lower_is_better)
        agreed, several = _Agreed(grades=grades), grades if len(grades) > 1 else None
        if np.ptp(ratings.score) == 0.0:
            agreed.remarks.append(
                f"All {len(ratings):,} ratings are {ratings.score[0]:g}: no correlation is defined, and that raters "
                "say the same says nothing of how they would judge what differs."
            )
        elif several is None:
            agreed.remarks.append("All scores lie in one grade, so there is no agreement on grades to speak of.")
        if len(ratings.raters) == 1:
            agreed.remarks.append(f"There is a single rater ({ratings.raters[0]}): nobody to agree with.")
        elif len(ratings.shared) == 0:
            agreed.remarks.append(
                f"No item was rated by two of the {len(ratings.raters)} raters: nobody to agree with."
            )
        else:
            self._between(agreed, ratings, several, drawn)
        repeated = ratings.repeated()
        if len(repeated):
            agreed.add(measure(repeated, several, "repeat-", **drawn), "raters who rated items again")
        # Scores that one rater gave again say more than comparisons of them.
        agreed.results += comparison_rows(ratings, repeats=False, **drawn)
        return agreed

    def _between(self, agreed: _Agreed, ratings: RatedItems, grades: Grades | None, drawn: Mapping[str, Any]) -> None:
        """What several raters say of the same items."""
        paired, items = ratings.between(), SharedItems(ratings)
        pairs = measure(paired, grades, **drawn)
        agreed.add(pairs, "pairs of raters")
        others = measure(ratings.against_others(), None, "others-", **drawn)
        agreed.results += coefficients(items, grades, **drawn) + others.pooled
        agreed.results += split_halves(items, splits=self.splits, **drawn) + span_rows(ratings, paired, **drawn)
        agreed.pairs, agreed.others = pairs.groups, others.groups
        agreed.by_grade = None if grades is None else grade_agreement(items, grades, **drawn)

    def _kind(self, asked: Asked, given: Judgements) -> _Kind:
        """Judgements as they are measured, and the fate of all of them."""
        chosen = self._chosen(given, self.kind)
        units, documents = self._units(asked, chosen.judgements)
        judgements, raw = chosen.judgements, RatedItems(chosen.judgements, units)
        if len(raw) == 0:
            origin = judgements.origin
            raise InputError(f"{origin}: none of {chosen.total:,} judgements has both a rater and a score.")
        plain = self.normalise == "none"
        ratings = raw if plain else RatedItems(normalise(judgements, self.normalise), units)
        used = {"judgements": chosen.total, **raw.used(ranked=chosen.ranked)}
        if judgements.behind is not None:
            used |= {"judgements": len(judgements), "means_of": int(judgements.behind.sum())}
        aside = {
            "no_rater": len(judgements) - len(raw),
            **chosen.unused,
            "other_systems": len(asked.campaign.judgements) - len(asked.judgements) if asked.campaign.judgements else 0,
            "other_segments": asked.judged_elsewhere.get(ELSEWHERE, 0),
            "no_reference": asked.judged_elsewhere.get(UNREFERENCED, 0),
        }
        used |= {reason: count for reason, count in aside.items() if count or reason == "other_kinds"}
        return _Kind(chosen, raw, ratings, units, documents, used)

    def _units(self, asked: Asked, judgements: Judgements) -> tuple[Units, Sequence[str]]:
        """What segments are drawn with, and the documents that they are of, where these are known.

        Without a campaign judgements tell themselves which document their segment is in.
        """
        if asked.campaign.systems:
            return asked.units(asked.campaign), asked.campaign.documents or ()
        segments = int(judgements.segment.max(initial=-1)) + 1
        documents = [NO_DOCUMENT[0]] * segments
        for segment, name in zip(judgements.segment.tolist(), judgements.document, strict=True):
            if segment >= 0 and name is not None:
                documents[segment] = name
        known = any(documents)
        return units_of(documents if known else None, segments, asked.data.unit), documents if known else ()

    def _chosen(self, judgements: Judgements, kind: Iterable[str]) -> Chosen:
        return choose(judgements, kind, missing=self.missing, lower_is_better=self.lower_is_better)

    def _tables(
        self, kind: _Kind, agreed: _Agreed, asked: Asked, drawn: Mapping[str, Any]
    ) -> tuple[dict[str, Table], Mapping[str, float]]:
        """Every table, with the kind of judgement in every row; and the variances of the model of severity."""
        variances: Mapping[str, float] = {}
        of_kind = {"kind": kind.chosen.name}
        results = [
            {"statistic": row["statistic"]} | of_kind | row | _LABELS[row["statistic"]] for row in agreed.results
        ]
        tables: dict[str, Table] = {"results": results, "pairs": agreed.pairs}
        tables["grades"] = [] if agreed.by_grade is None else agreed.by_grade.rows
        tables |= {name: [] for name in ("raters", "controls", "normalisation", "effect", "metrics")}
        if self.control:
            controls = self._chosen(asked.judgements.of_kinds(self.control), "*").judgements
            tables["controls"] = control_rows(kind.raw, controls)
        if not kind.chosen.ranked:
            tables["raters"], variances = rater_rows(kind.raw, agreed.others)
            asked.report(0.6)
            tables["normalisation"] = system_rows(kind.normalised, kind.units, **drawn)
            tables["effect"] = effect_rows(tables["normalisation"])
            if self.metrics:
                tables["metrics"] = metric_rows(
                    kind.normalised,
                    asked.judged_campaign(),
                    self.metrics,
                    units=kind.units,
                    threads=asked.threads,
                    **drawn,
                )
        named = {name: [row if "kind" in row else of_kind | row for row in rows] for name, rows in tables.items()}
        return named, variances

    def _views(self, tables: Mapping[str, Table], kind: _Kind) -> Iterator[View]:
        """Everything in the order of the questions."""
        where, title = {"kind": kind.chosen.name}, f"{kind.chosen.judgements.origin}: {kind.chosen.name}"
        if self.normalise != "none":
            title += f", normalised: {self.normalise}"
        yield View(title, "results", _RESULTS, where=where, under="part")
        if self.everything or len(tables["pairs"]) <= _FEW_PAIRS * len({row["statistic"] for row in tables["pairs"]}):
            keys = (Column("a", "rater"), Column("b", "rater"), _ITEMS)
            yield View(
                "Pairs of raters", "pairs", (Column("value", "{}", ".2f", low="low", high="high"),), keys=keys,
                over="statistic", labels=_OF_PAIRS, where=where | {"statistic": list(_OF_PAIRS)},
            )  # fmt: skip
        title_of_grades = "How far raters agree on each grade, %"
        yield View(title_of_grades, "grades", _GRADES, (Column("grade"),), where=where, notes=(_ABOUT_GRADES,))
        yield self._raters_view(tables["raters"], where, "Raters" if tables["results"] else f"{title}: raters")
        yield from self._control_views(tables["controls"])
        if len({row["system"] for row in tables["normalisation"]}) > 1:
            yield _systems_view(tables["effect"], tables["normalisation"], where, kind.units.name)
        note = (
            "correlation with human scores, as assay meta measures it: metrics on the segments that were judged, "
            f"intervals over {kind.units.name}s, at the system level over systems too"
        )
        yield View(
            "What normalisation does to the metrics", "metrics",
            (Column("value", "{}", ".3f", low="low", high="high"),),
            keys=(Column("metric"), Column("level"), Column("statistic"), Column("n", format=",d")), over="method",
            where=where, notes=(note,),
        )  # fmt: skip

    def _raters_view(self, raters: Table, where: Mapping[str, Any], title: str) -> View:
        """The most severe first; of many, those at both ends."""
        notes = [
            "lowest, highest: ratings at the lowest and the highest score that anybody gave; severity: points below "
            "the average rater on the same work, by a mixed model; drift: points from the first rating to the last"
        ]
        if not self.everything and len(raters) > _FEW_RATERS:
            shown = [*raters[: _FEW_RATERS // 2], *raters[-_FEW_RATERS // 2 :]]
            where = {**where, "rater": [row["rater"] for row in shown]}
            flagged = sum(bool(row["flags"]) for row in raters)
            notes.append(
                f"{len(shown)} of {len(raters)} raters are shown, from both ends; {flagged} have a flag: --all shows "
                "them"
            )
        return View(title, "raters", _RATERS, keys=(Column("rater"),), where=where, notes=tuple(notes))

    def _control_views(self, controls: Table) -> Iterator[View]:
        """Raters on the items of each control, those who did not tell them apart first."""
        for kind in dict.fromkeys(row["control"] for row in controls):
            rows = [row for row in controls if row["control"] == kind]
            order = [row["rater"] for row in sorted(rows, key=lambda row: (row["told_apart"], row["rater"]))]
            passed = sum(row["told_apart"] for row in rows)
            notes = [f"{passed} of {len(rows)} raters tell {kind} from the originals (p ≤ 0.05, Holm)"]
            unable = [row["items"] for row in rows if not is_significant(row["smallest_p"], 0.05)]
            if unable:
                notes.append(
                    f"{counted(len(unable), 'rater')} could not have passed, whatever they gave: {max(unable)} items "
                    f"or fewer give no p that is small enough once it is adjusted for {len(rows)} raters"
                )
            yield View(
                f"Quality control: {kind}", "controls", _CONTROLS, keys=(Column("rater"),), order=tuple(order),
                where={"control": kind} if self.everything else {"control": kind, "rater": order[:_FEW_PAIRS]},
                notes=tuple(notes),
            )  # fmt: skip

    def _figures(self, tables: Mapping[str, Table], kind: _Kind, pair: tuple[str, str] | None) -> Iterator[Figure]:
        """The pictures for which there is something to draw."""
        if not tables["raters"]:
            return iter(())
        return pictures.drawn(
            *([] if pair is None else [lambda: self._judges(pair, tables["pairs"], kind)]),
            lambda: pictures.severity(tables["raters"], said=kind.said),
            lambda: self._distributions(tables["raters"], kind),
            lambda: pictures.normalisation(tables["normalisation"], tables["effect"], said=kind.said),
        )

    def _pair(self, pairs: Table, known: Sequence[str]) -> tuple[str, str] | None:
        """The two judges who were named, or those with most items in common."""
        if not self.raters:
            return (pairs[0]["a"], pairs[0]["b"]) if pairs else None
        for name in self.raters:
            if name not in known:
                raise UnknownName.of("rater", name, known)
        first, second = self.raters
        if not any({row["a"], row["b"]} == {first, second} for row in pairs):
            raise InputError(f"{first} and {second} have fewer than three items in common.")
        return first, second

    def _judges(self, pair: tuple[str, str], pairs: Table, kind: _Kind) -> Figure:
        """Two judges against each other."""
        ratings, scores = kind.ratings, list[dict[int, float]]()
        for name in pair:
            rows = ratings.shared[ratings.rater[ratings.shared] == ratings.raters.index(name)]
            scores.append(dict(zip(ratings.item[rows].tolist(), ratings.score[rows].tolist(), strict=True)))
        first, second = scores
        counts = Counter((first[item], second[item]) for item in first if item in second)
        both = [row for row in pairs if {row["a"], row["b"]} == set(pair)]
        return pictures.judges(
            [{"first": a, "second": b, "items": items} for (a, b), items in sorted(counts.items())],
            {row["statistic"]: row for row in both if row["statistic"] in _CORRELATIONS},
            first=pair[0],
            second=pair[1],
            kind=kind.chosen.name,
            said="" if self.normalise == "none" else f", normalised: {self.normalise}",
        )

    def _distributions(self, raters: Table, kind: _Kind) -> Figure:
        """What scores each rater gives, before and after normalisation."""
        raw, method = kind.raw, _BESIDE if self.normalise == "none" else self.normalise
        after = kind.ratings if method == self.normalise else RatedItems(kind.normalised[method])
        rows = []
        for scores, given in (("raw", raw.score), ("normalised", after.score)):
            for name in (row["rater"] for row in raters):
                values = given[raw.rater == raw.raters.index(name)]
                levels = {f"p{level}": float(np.quantile(values, level / 100)) for level in (5, 25, 50, 75, 95)}
                rows.append({"rater": name, "scores": scores, "mean": float(values.mean()), **levels})
        return pictures.distributions(rows, method=method, meaning=NORMALISATIONS[method], said=kind.said)


def _extremes(by_grade: GradeAgreement | None) -> Iterator[str]:
    """Whether raters tell very good and very bad translations better than those between, as Paul et al. say."""
    if by_grade is None or by_grade.extremes is None or by_grade.extremes["difference"] is None:
        return
    told = by_grade.extremes
    low, high = told["low"], told["high"]
    ends = bracketed(low, high, "+.2f")
    numbers = (
        f"κ {told['extremes']:.2f} in the mean against {told['between']:.2f} between, {told['difference']:+.2f}{ends}"
    )
    if low is None or high is None or low <= 0.0 <= high:
        yield f"Whether raters agree more on the lowest and highest grade than on those between is not sure: {numbers}."
    elif low > 0.0:
        yield (
            f"Raters agree more on the lowest and the highest grade than on those between, as Paul, Finch and Sumita "
            f"(2007) say: {numbers}."
        )
    else:
        yield (
            "Raters agree less on the lowest and the highest grade than on those between, unlike what Paul, Finch and "
            f"Sumita (2007) say: {numbers}."
        )


def _drawn(kind: _Kind) -> str:
    """What is drawn as a whole, of the segments that were rated."""
    rated = np.unique(kind.raw.judgements.segment[kind.raw.judgements.segment >= 0])
    among = np.isin(np.arange(max(len(kind.documents), int(rated.max(initial=-1)) + 1)), rated)
    return units_said(kind.units.name, kind.units.count(among), [*compress(kind.documents, among)], len(rated))


def _systems_view(effect: Table, systems: Table, where: Mapping[str, Any], unit: str) -> View:
    """Mean scores and ranks of the systems under every normalisation."""
    notes = [
        "human score of a system: the mean over segments of the mean over ratings, adjusted for segments where systems "
        "were not rated on the same ones"
    ]
    raw, *others = effect
    for row in others:
        if row["tau"] is not None:
            moved = f"{row['moved']} systems change places, by {row['largest_move']} at most"
            places = moved if row["moved"] else "nobody changes places"
            clusters = f"; {counted(row['clusters'], 'cluster')}" if row["clusters"] else ""
            notes.append(f"{row['method']}: {places}; τ with raw ranks {row['tau']:.3f}{clusters}")
    clusters, scored = counted(raw["clusters"], "cluster"), [row["rank"] is not None for row in systems]
    if raw["clusters"]:
        notes.append(f"raw scores give {clusters} (bootstrap over {unit}s, Holm, alpha 0.05)")
    if not all(scored):
        apart = "shares no judged segment with the others" if any(scored) else "no two were judged on the same segment"
        notes.append(f"– instead of a score: {apart}, and easy segments cannot be told from good systems")
    columns = (Column("score", "{}", ".2f"), Column("rank", format="d"))
    return View(
        "What normalisation does to the systems", "normalisation", columns, keys=(Column("system"),), over="method",
        where=where, notes=tuple(notes),
    )  # fmt: skip


def _usage(used: Mapping[str, int]) -> str:
    """How many judgements served what, and how many did not, and why."""
    parts = [words.format(used[name]) for name, words in _USES.items() if used.get(name)]
    aside = [words.format(used[name]) for name, words in _ASIDE.items() if used.get(name)]
    means = f"means of {used['means_of']:,} judgements" if "means_of" in used else "judgements"
    return " ".join([f"Of {used['judgements']:,} {means} {', '.join(parts)}.", *aside])
