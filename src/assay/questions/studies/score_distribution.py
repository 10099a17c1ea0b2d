"""Do humans score high and alike? Segment scores of human translations, after Lavie's lecture (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.errors import InputError
from assay.errors import counted as number_of
from assay.metrics.base import Metric
from assay.people.statistics.system_pairs import pair_p_values
from assay.questions.asked import Asked
from assay.questions.base import EITHER, metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, grouped, those, usable_references, watched
from assay.questions.studies.judged import JudgedStudy
from assay.results import charts
from assay.results.charts import COLORS, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.statistics import Statistics
from assay.significance.tests import is_significant

#: The group of people's translations, and the row of all translations of a group.
HUMAN, TOGETHER = "human", "all"
#: What the lecture reports for the reference translations of 2003, in percent: mean and deviation.
_LECTURE = {"bleu": (37.27, 21.38), "meteor": (65.04, 13.10)}


@dataclass(frozen=True, eq=False)
class _Group:
    """Translations that ought to score alike, each with its references; ``judged`` is what people gave them."""

    name: str
    corpora: Mapping[str, Corpus]
    kind: str | None = None
    judged: Mapping[str, float] = field(default_factory=dict)
    #: The same with one reference fewer, as many as people have: without each of them in turn. People have that anyway.
    fewer: tuple[Mapping[str, Corpus], ...] = ()


@dataclass(frozen=True, kw_only=True)
class ScoreDistribution(JudgedStudy):
    """Histograms of segment scores, of human translations and of systems that judges cannot tell apart."""

    name = "score-distribution"
    question = "Do human translations score high and alike, and systems that judges find equal?"
    needs: ClassVar[Mapping[str, int]] = {"references": 1, EITHER: 2}
    source = "Lavie (2007), lecture: BLEU 0.3727 ± 0.2138, METEOR 0.6504 ± 0.1310 for reference translations"
    columns = (
        Column("group"), Column("system", "translation"), Column("metric"), Column("references", "references", "d"),
        Column("segments", "segments", ","), Column("mean", "mean", ".2f"), Column("sd", "SD", ".2f"),
        Column("median", "median", ".2f"), Column("zero", "at zero %", ".1f"), Column("corpus", "corpus score", ".2f"),
        Column("judged", "judged", ".3f"), Column("equal_references", "as many references for all", "d"),
        Column("equal_mean", "mean", ".2f"), Column("equal_sd", "SD", ".2f"),
        Column("equal_corpus", "corpus score", ".2f"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option((SENTENCE_BLEU, "meteor"), "Metrics, with their recipes.")
    alpha: float = option(0.05, "Systems are equal if they differ with a larger p than this.", metavar="P")
    permutations: int = option(
        2000, "Draws of the test of whether judges tell two systems apart.", metavar="N", least=1, most=1_000_000
    )
    bins: int = option(20, "Bars of a histogram.", metavar="N", least=2, most=1000)

    def check(self) -> None:
        self.require(0.0 < self.alpha < 1.0, "alpha", "a number between 0 and 1")

    def answer(self, asked: Asked) -> Result:
        """The seed is that of the test of whether judges tell systems apart."""
        groups, notes, usage = self._groups(asked)
        counted = [
            (group, [asked.count(self.metrics, corpora) for corpora in (group.corpora, *group.fewer)])
            for group in watched(groups, asked)
        ]
        tables: dict[str, Table] = {"table": [], "histograms": []}
        for name, metric in ((str(metric), asked.name_of(metric)) for metric in self.metrics):
            of_groups = [
                (group, [{system: rows[system, name] for system in group.corpora} for rows in several])
                for group, several in counted
            ]
            every = [statistics.segment_scores() for _, (scores, *_) in of_groups for statistics in scores.values()]
            for group, (scores, *fewer) in of_groups:
                tables["table"] += _distributions(group, metric, scores, fewer or [scores])
                tables["histograms"] += _histogram(group, metric, scores, bin_edges(every, self.bins))
        return self.result(asked, tables, [*_findings(tables["table"]), *notes], self.metrics, usage=usage)

    def _groups(self, asked: Asked) -> tuple[list[_Group], list[str], list[str]]:
        """The groups that a campaign allows, why there are no others, and what became of judgements."""
        campaign = asked.chosen
        texts = usable_references(campaign, self.name)
        groups, notes, usage = list[_Group](), list[str](), list[str]()
        if len(texts) > 1:
            others = {name: {other: texts[other] for other in texts if other != name} for name in texts}
            groups.append(_Group(HUMAN, {name: Corpus.of_columns(texts[name], others[name]) for name in texts}))
        else:
            notes.append("No human translations: each reference is scored against the others, and there is one only.")
        if not campaign.systems:
            notes.append("No equal systems: there are no systems.")
        elif campaign.judgements is None or not len(campaign.judgements):
            notes.append("No equal systems: nobody judged them.")
        else:
            kept = replace(campaign, references=texts, present={}, targeted=frozenset())
            try:
                equal, said = self._equal_systems(asked, kept)
                usage = said[:1]
                groups, notes = groups + equal, notes + said
            except InputError as error:
                # Judgements that somebody chose have to be there; others are no reason to say nothing of people.
                if self.kind or not groups:
                    raise
                notes.append(f"No equal systems: {error}")
        if not groups:
            raise InputError(
                f"{campaign.name}: {' '.join(notes)} {self.name} needs two references, or systems with judgements."
            )
        return groups, notes, usage

    def _equal_systems(self, asked: Asked, campaign: Campaign) -> tuple[list[_Group], list[str]]:
        """Groups of systems that judges do not tell apart; what became of the judgements, and why there is no group."""
        people, usage = self.people(asked, campaign)
        scores = people.system_scores(np.ones((1, len(campaign))))[0]
        drawn = {"samples": self.permutations, "seed": asked.seed}
        units = asked.units(campaign)
        one_sided = pair_p_values(people.contributions(), units, **drawn)
        p = 2.0 * np.minimum(one_sided, 1.0 - one_sided)
        groups = []
        for number, members in enumerate(equal_groups(scores, p, self.alpha), start=1):
            judged = {people.systems[index]: float(scores[index]) for index in members}
            corpora = {name: campaign.corpus(name) for name in judged}
            fewer = tuple({name: part.corpus(name) for name in judged} for part in _without_each(campaign))
            groups.append(_Group(f"equal {number}", corpora, people.name, judged, fewer))
        none = f"No equal systems: judges tell all {len(people.systems)} apart (p ≤ {self.alpha:g})."
        drawn_of = asked.about_units(units, campaign=campaign, among=people.judged)
        return groups, [str(usage), drawn_of, *([] if groups else [none])]

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Segment scores: metrics side by side, groups of translations one below the other."""
        rows, bins = tables["table"], tables["histograms"]
        panels: list[list[Spec]] = []
        for group, of_group in grouped(rows, "group"):
            who, color = "not told apart by judges", COLORS[1]
            if group == HUMAN:
                who, color = "human translations", COLORS[0]
            panels.append([])
            for metric, (first, *others) in grouped(of_group, "metric"):
                members = [row["system"] for row in (first, *others) if row["system"] != TOGETHER]
                named = ", ".join(members[:4]) + (f" and {len(members) - 4} more" if len(members) > 4 else "")
                # All groups have one height, so that they can be compared.
                top = 1.18 * max(row["share"] for row in those(bins, metric=metric))
                panels[-1].append(
                    charts.histogram(
                        those(bins, group=group, metric=metric), start="from", end="to", count="share", color=color,
                        mean=first["mean"], sd=first["sd"],
                        label=f"mean {first['mean']:.1f}, SD {first['sd'] or 0.0:.1f}",
                        across=Axis(grid=False), up=Axis(title="% of segments", ticks=4, domain=(0.0, top)),
                        heading=[f"{metric}: {who}", f"{named}; {number_of(first['references'], 'reference')} each"],
                    )
                )  # fmt: skip
        said = f"{campaign}: segment scores. Lines are means, bars beside them one standard deviation."
        whole = charts.above(*(charts.beside(*line, spacing=30) for line in panels))
        return charts.figure("figure", whole, "Do equally good translations score high and alike?", [said])


def _without_each(campaign: Campaign) -> list[Campaign]:
    """The campaign without each of its references in turn; nothing if it has one only."""
    references = campaign.references
    return [
        replace(campaign, references={other: texts for other, texts in references.items() if other != name})
        for name in (references if len(references) > 1 else ())
    ]


def equal_groups(scores: Array, p: Array, alpha: float) -> list[list[int]]:
    """Systems from best to worst, in groups within which no two differ; those that are alone are left out.

    Without a common segment there is no p, and nobody can say that two are equal.

    >>> p = np.array([[1.0, 0.5, 0.01], [0.5, 1.0, 0.2], [0.01, 0.2, 1.0]])
    >>> equal_groups(np.array([3.0, 2.0, 1.0]), p, 0.05)
    [[0, 1]]
    """
    groups: list[list[int]] = []
    for index in np.argsort(-scores, kind="stable").tolist():
        tested = [p[index, other] for other in groups[-1]] if groups else [np.nan]
        if any(np.isnan(value) or is_significant(value, alpha) for value in tested):
            groups.append([index])
        else:
            groups[-1].append(index)
    return [group for group in groups if len(group) > 1]


def bin_edges(scores: Sequence[Array], bins: int) -> Array:
    """From 0 to 100 where all scores are there; else from the lowest to the highest, 0 among them."""
    low, high = min(float(values.min()) for values in scores), max(float(values.max()) for values in scores)
    bounded = low >= 0.0 and 20.0 < high <= 100.0 + 1e-9
    return np.linspace(0.0, 100.0, bins + 1) if bounded else np.linspace(min(low, 0.0), high or 1.0, bins + 1)


def _distributions(
    group: _Group, metric: str, scores: Mapping[str, Statistics], fewer: Sequence[Mapping[str, Statistics]]
) -> Iterator[dict[str, Any]]:
    """A row per translation, and one for all of the group together.

    ``fewer`` are the scores with as many references as people have, a set of references each: their mean, deviation
    and corpus score are means over these sets.
    """
    segments = {name: statistics.segment_scores() for name, statistics in scores.items()}
    several = {TOGETHER: np.concatenate(list(segments.values()))} if len(segments) > 1 else {}
    for name, values in {**several, **segments}.items():
        members = segments if name == TOGETHER else [name]
        judged = [group.judged[member] for member in members if member in group.judged]
        named = {"kind": group.kind, "group": group.name, "system": name, "metric": metric}
        against = len(next(iter(group.corpora.values())).references)
        spread = {"mean": float(values.mean()), "sd": float(values.std(ddof=1)) if len(values) > 1 else None}
        spread |= {"median": float(np.median(values)), "zero": 100.0 * float((values == 0).mean())}
        corpus = None if name == TOGETHER and several else scores[name].corpus_score()
        given = {"corpus": corpus, "judged": float(np.mean(judged)) if judged else None}
        sets = [np.concatenate([of_set[member].segment_scores() for member in members]) for of_set in fewer]
        alike: dict[str, Any] = {"equal_references": len(next(iter(fewer[0].values())).provenance.references)}
        alike |= {"equal_mean": float(np.mean([values.mean() for values in sets]))}
        alike |= {"equal_sd": float(np.mean([one.std(ddof=1) for one in sets])) if len(values) > 1 else None}
        alike |= {
            "equal_corpus": None if corpus is None else float(np.mean([one[name].corpus_score() for one in fewer]))
        }
        yield named | {"references": against, "segments": len(values)} | spread | given | alike


def _histogram(group: _Group, metric: str, scores: Mapping[str, Statistics], edges: Array) -> Iterator[dict[str, Any]]:
    """The share of the group's segments in each bin."""
    values = np.concatenate([statistics.segment_scores() for statistics in scores.values()])
    # The last bin has its upper edge, which rounding may pass.
    counts = np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0]
    for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
        named = {"kind": group.kind, "group": group.name, "metric": metric, "from": float(low), "to": float(high)}
        yield named | {"segments": int(count), "share": 100.0 * float(count) / len(values)}


def _findings(rows: Table) -> Iterator[str]:
    """Means and deviations beside the lecture's, and what metrics make of systems that are equal."""
    for group, of_group in grouped(rows, "group"):
        for metric, here in grouped(of_group, "metric"):
            members = [row for row in here if row["system"] != TOGETHER] or here
            alike = f"{metric} mean {here[0]['mean']:.2f}, SD {here[0]['sd']:.2f}"
            low, high = (
                choose(row["mean" if group == HUMAN else "corpus"] for row in members) for choose in (min, max)
            )
            if group == HUMAN:
                said = _LECTURE.get(metric.partition("(")[0])
                beside = f" (the lecture: {said[0]:.2f} and {said[1]:.2f})" if said else ""
                yield f"Human translations: {alike}{beside}; single translators from {low:.2f} to {high:.2f}."
            else:
                names = ", ".join(row["system"] for row in members)
                yield f"Judges do not tell {names} apart: {alike}; corpus scores from {low:.2f} to {high:.2f}."
                if here[0]["equal_references"] < here[0]["references"]:
                    count = number_of(here[0]["equal_references"], "reference")
                    yield (
                        f"With {count}, as human translations have, {names}: {metric} mean "
                        f"{here[0]['equal_mean']:.2f}, SD {here[0]['equal_sd']:.2f}, in the mean over sets of so many."
                    )
