"""What balance of precision and recall follows people best? Lavie, Sagae & Jayaraman (2004), section 2.2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.metrics.unigrams import Fmean
from assay.people.levels import FEWEST_SYSTEMS, document_labels
from assay.people.scores import MetricScores
from assay.questions.asked import Asked, require_other, with_test
from assay.questions.base import JUDGED, metric_option, option, test_kind_option, test_on_option
from assay.questions.studies.base import ONE_METRIC, Study, defined, grouped, those, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, gained
from assay.results import charts
from assay.results.charts import INK, Axis, Mark, Spec
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table
from assay.scoring.candidates import chosen_rows, evaluate_candidates
from assay.scoring.statistics import Provenance, Statistics, Unit, units_of
from assay.significance.draws import Estimate, number_or_none, shuffled

#: Weights of recall that have a name: precision alone, the balanced mean, the paper's, recall alone.
_NAMED = {0.0: "precision", 0.5: "F1", 0.9: "the paper's", 1.0: "recall"}


@dataclass(frozen=True, eq=False)
class _Part:
    """Some segments of a campaign, and what every balance scores on them; ``name`` is what tables call it."""

    name: str
    judged: JudgedSystems
    sources: Sequence[MetricScores]
    segments: NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class RecallWeight(JudgedStudy):
    """Fmean under every weight of recall: one is chosen on some segments, and what it is worth is seen on others."""

    name = "recall-weight"
    question = "What balance of precision and recall follows people best?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, JUDGED: 3}
    source = "Lavie, Sagae & Jayaraman (2004), section 2.2: nine tenths of the weight on recall"
    takes = ONE_METRIC
    renamed: ClassVar[Mapping[str, str]] = {
        **Study.renamed,
        "--train": "The campaign that is named first is the one to choose on: assay study recall-weight A --test-on B.",
        "--train-kind": "--kind is that of the campaign to choose on, --test-kind that of --test-on.",
    }
    columns = (
        Column("test", "tested on"), Column("alpha", "weight of recall", ".2f"), Column("role", "which"),
        Column("chosen", "chosen", "yes|"), Column("training", "where chosen", ".3f"),
        Column("correlation", "where tested", ".3f", low="low", high="high"),
        Column("gain", "over F1", "+.3f", low="gain_low", high="gain_high"),
    )  # fmt: skip

    metric: Fmean = metric_option("fmean", "Fmean with its recipe: fmean(lowercase=true,stem=porter).")
    steps: int = option(20, "How many steps the weight takes from 0 to 1.", metavar="N", least=2, most=1000)
    test_on: str | None = test_on_option(
        "Choose on all segments, and test on this campaign; else on halves, both ways."
    )
    test_kind: tuple[str, ...] = test_kind_option()
    split: Unit | None = option(None, "Halves of segments, or of whole documents (default: where they are known).")
    level: Literal["system", "segment"] = option("system", "Of systems, or of segments.")
    statistic: Literal["pearson", "spearman", "kendall"] = option("pearson", "The correlation.")
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        sound = isinstance(self.metric, Fmean) and self.metric.alpha == Fmean().alpha
        self.require(sound, "metric", "fmean without alpha, which the study varies: fmean(stem=porter)")
        self.require(not self.test_kind or self.test_on is not None, "test_kind", "no value without test_on")

    @property
    def alphas(self) -> tuple[float, ...]:
        """The weights of recall that are tried: the steps, and those with a name."""
        steps = {round(step / self.steps, 10) for step in range(self.steps + 1)}
        return tuple(sorted(steps | set(_NAMED)))

    def answer(self, asked: Asked) -> Result:
        fewest = FEWEST_SYSTEMS if self.level == "system" else 1
        training = test = self.judged(asked, fewest=fewest)
        if self.test_on is not None:
            elsewhere = asked.elsewhere(self, self.test_on, self.test_kind or self.kind)
            test = self.judged(elsewhere, fewest=fewest, kind=self.test_kind)
            require_other(self.name, training.campaign, test.campaign)
            tasks = [(self._whole(training), self._whole(test))]
            used = [f"{judged.campaign.name}: {judged.used(self.level)}" for judged in (training, test)]
        else:
            first, second = self._halves(training)
            tasks = [(first, second), (second, first)]
            used = [training.used(self.level)]
        rows: Table = []
        for task in watched(tasks, asked, 0.4):
            rows += self._rows(*task)
        said, kind = [*self._findings(rows, test.units.name), test.drawn()], training.people.name
        result = self.result(asked, {"table": rows}, said, [self.metric], usage=used, kind=kind)
        return result if test is training else with_test(result, asked, test.asked, [self.metric])

    def _whole(self, judged: JudgedSystems) -> _Part:
        every = np.arange(len(judged.campaign))
        return _Part(judged.campaign.name, judged, balances(self.metric, self.alphas, judged), every)

    def _halves(self, judged: JudgedSystems) -> list[_Part]:
        """Two halves at random, of the segments that somebody judged or of whole documents."""
        segments = np.flatnonzero(judged.people.mask.any(axis=0))
        campaign = judged.campaign
        if self.split == "document" and document_labels(campaign.documents) is None:
            raise InputError(
                f"{self.name}: split=document needs two documents or more, and {campaign.name} does not tell them "
                "apart or has one (docs.txt). Take split=segment, or test on another campaign (--test-on)."
            )
        drawn = units_of(campaign.documents, len(campaign), self.split, campaign.places)
        codes = drawn.spread(np.arange(len(drawn)))[segments]
        units = np.unique(codes)
        units = units[shuffled(drawn.keys[units], judged.asked.seed, "halves of a campaign")]
        if len(units) < 2:
            raise InputError(
                f"{self.name} chooses a weight on one half and tests it on the other: it needs two judged "
                f"{drawn.name}s or more, and {judged.campaign.name} has {len(units)}."
            )
        sources = balances(self.metric, self.alphas, judged)
        return [
            _Part(f"half {name}", judged, sources, segments[np.isin(codes, half)])
            for name, half in zip("AB", np.array_split(units, 2), strict=True)
        ]

    def _measure(self, part: _Part, samples: int) -> list[Estimate]:
        """The correlation of every balance on some segments."""
        draws = part.judged.draws(samples, among=part.segments)
        return part.judged.measure(self.level, self.statistic, part.sources, draws)

    def _rows(self, training: _Part, test: _Part) -> Iterator[dict[str, Any]]:
        chosen_by = [measured.values[0] for measured in self._measure(training, 0)]
        if np.isnan(chosen_by).all():
            raise InputError(
                f"{self.name}: on {training.name} no balance has a correlation with people, for systems have all the "
                "same score there. It takes more segments to choose on."
            )
        measured = self._measure(test, self.samples)
        best, balanced = int(np.nanargmax(chosen_by)), self.alphas.index(0.5)
        for index, alpha in enumerate(self.alphas):
            named = {"train": training.name, "test": test.name, "test_kind": test.judged.people.name, "alpha": alpha}
            chosen = {"role": _NAMED.get(alpha, ""), "chosen": index == best}
            correlations = {"training": number_or_none(float(chosen_by[index])), **measured[index].row("correlation")}
            gain = gained(measured[index], measured[balanced] if index != balanced else None)
            yield named | chosen | correlations | gain

    def _findings(self, rows: Table, unit: str) -> Iterator[str]:
        """What the chosen weight is worth where it was not chosen."""
        for row in those(rows, chosen=True):
            if row["correlation"] is None:
                yield f"Chosen on {row['train']}: {row['alpha']:.2f}; on {row['test']} it has no correlation."
                continue
            said = (
                f"Chosen on {row['train']}: a weight of {row['alpha']:.2f} on recall. On {row['test']} it reaches "
                f"{row['correlation']:.3f}{bracketed(row['low'], row['high'], '.3f')}"
            )
            if row["gain"] is not None:
                said += f", {row['gain']:+.3f} over F1{bracketed(row['gain_low'], row['gain_high'], '+.3f')}"
            (paper,) = those(rows, alpha=0.9, test=row["test"])
            if paper["correlation"] is not None:
                said += f"; the paper's 0.9 reaches {paper['correlation']:.3f}"
            yield said + "."
        yield f"{self.statistic.capitalize()} at the {self.level} level; intervals allow for other {unit}s."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Correlation over the weight of recall: dashed where it is chosen, a line with its band where it is tested."""
        rows = defined(tables["table"], "correlation", "training")
        up = Axis().over((row[end] for row in rows for end in ("training", "correlation", "low", "high")), margin=0.06)
        ticks = {0.0: "precision", 0.25: "", 0.5: "F1", 0.75: "", 0.9: "paper", 1.0: "recall"}
        across = Axis(
            title="weight of recall", domain=(0.0, 1.0), ticks=list(ticks),
            labels=[[f"{weight:g}", name] for weight, name in ticks.items()],
        )  # fmt: skip
        panels: list[Spec] = []
        for test, here in grouped(rows, "test"):
            elsewhere = f"where chosen ({here[0]['train']})"
            curves = [row | {"curve": "tested", "value": row["correlation"]} for row in here]
            curves += [row | {"curve": elsewhere, "value": row["training"], "low": None, "high": None} for row in here]
            said = "chosen: {alpha:.2f}, reaches {correlation:.3f}"
            chosen = [
                Mark(row["alpha"], said.format(**row), INK, (1, 0), row["correlation"])
                for row in those(here, chosen=True)
            ]
            title = None if panels else f"{self.statistic.capitalize()} with people"
            panels.append(
                charts.lines(
                    curves, x="alpha", y="value", series="curve", ends=("low", "high"), dots=0, marks=chosen,
                    dashes={elsewhere: (5, 4)}, width=360, height=280, heading=f"tested on {test}", across=across,
                    up=replace(up, title=title),
                )
            )  # fmt: skip
        # Halves of few documents have no intervals.
        band = "; band: 95 % of samples" if any(row["low"] is not None for row in rows) else ""
        subtitle = [
            f"{campaign}: {self.statistic.capitalize()} of {self.metric} with people{band}",
            "the ring is the result: the weight that was chosen elsewhere, on the segments it is tested on",
        ]
        return charts.figure("figure", charts.beside(*panels), "How much weight belongs on recall?", subtitle)


def balances(metric: Fmean, alphas: Sequence[float], judged: JudgedSystems) -> list[MetricScores]:
    """A source per weight of recall, from one count of the text.

    With several references each segment counts against the one that scores best, and which one that is hangs on the
    weight. So the rows against every reference are kept, and the choice is made anew for every weight.
    """
    if all(name in judged.campaign.targeted for name in judged.campaign.references):
        raise InputError(f"{judged.study}: {judged.campaign.name} has post-edits only, and no other reference.")
    corpora = judged.campaign.corpora()
    _, candidates = evaluate_candidates(metric, corpora, threads=judged.asked.threads, known=judged.asked.counted)
    texts = {name: Provenance.of(corpus.untargeted) for name, corpus in corpora.items()}
    sources = []
    for balanced in (metric.tuned({"alpha": alpha}) for alpha in alphas):
        counted = [Statistics(balanced, chosen_rows(balanced, candidates[name]), texts[name]) for name in corpora]
        grid = np.stack([statistics.segment_scores() for statistics in counted])
        people = judged.people
        sources.append(
            MetricScores(str(balanced), people.systems, people.mask, grid, counted, adjusted=people.adjusted)
        )
    return sources
