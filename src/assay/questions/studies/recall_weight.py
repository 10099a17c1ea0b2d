"""What balance of precision and recall follows people best? Lavie, Sagae & Jayaraman (2004), section 2.2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.reading import read
from assay.errors import InputError
from assay.meta.benches import GridBench, Measured, SystemBench, document_labels
from assay.meta.sources import RowSource
from assay.metrics.registry import metric as named_metric
from assay.metrics.unigrams import Fmean
from assay.questions.asked import Asked, Data
from assay.questions.base import option
from assay.questions.studies.base import Column, StudyResult
from assay.questions.studies.parts.balances import balances
from assay.questions.studies.parts.judged import FEWEST_SYSTEMS, Judged, NormalisedStudy, gained, judged, valued
from assay.questions.studies.pictures.weight_curves import weight_curves
from assay.results.result import Result

Codes = NDArray[np.int64]
#: Weights of recall that have a name: precision alone, the balanced mean, the paper's, recall alone.
NAMED = {0.0: "precision", 0.5: "F1", 0.9: "the paper's", 1.0: "recall"}


@dataclass(frozen=True, eq=False)
class _Part:
    """Some segments of a campaign, and what every balance scores on them; ``name`` is what tables call it."""

    name: str
    judged: Judged
    sources: Sequence[RowSource]
    segments: Codes


@dataclass(frozen=True, kw_only=True)
class RecallWeight(NormalisedStudy):
    """Fmean under every weight of recall: one is chosen on some segments, and what it is worth is seen on others."""

    name: ClassVar[str] = "recall-weight"
    question: ClassVar[str] = "What balance of precision and recall follows people best?"
    source: ClassVar[str] = "Lavie, Sagae & Jayaraman (2004), section 2.2: nine tenths of the weight on recall"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("test", "tested on"),
        Column("alpha", "weight of recall", ".2f"),
        Column("role", "which"),
        Column("training", "where chosen", ".3f"),
        Column("correlation", "where tested", ".3f"),
        Column("low", "low", ".3f"),
        Column("high", "high", ".3f"),
        Column("gain", "over F1", "+.3f"),
        Column("gain_low", "low", "+.3f"),
        Column("gain_high", "high", "+.3f"),
    )

    metric: str = option("fmean", "Fmean with its recipe: fmean(lowercase=true,stem=porter).")
    steps: int = option(20, "How many steps the weight takes from 0 to 1.")
    train: str = option("", "Choose on this campaign, and test on all segments; else on halves, both ways.")
    train_kind: tuple[str, ...] = option((), "Which judgements of --train; else --kind.")
    split: Literal["segment", "document"] = option("segment", "Halves of segments, or of whole documents.")
    level: Literal["system", "segment"] = option("system", "Of systems, or of segments.")
    statistic: Literal["pearson", "spearman", "kendall"] = option(
        "pearson", "The correlation: pearson, spearman or kendall."
    )
    samples: int = option(1000, "For intervals: how often segments are drawn anew.")

    def check(self) -> None:
        given = named_metric(self.metric)
        sound = isinstance(given, Fmean) and given.alpha == Fmean().alpha
        self.require(sound, "metric", "fmean without alpha, which the study varies: fmean(stem=porter)")
        self.require(2 <= self.steps <= 1000, "steps", "a whole number from 2 to 1000")
        self.require(self.samples >= 2, "samples", "a whole number of at least 2")
        self.require(not self.train_kind or bool(self.train), "train_kind", "no value without train")

    @property
    def alphas(self) -> tuple[float, ...]:
        """The weights of recall that are tried: the steps, and those with a name."""
        steps = {round(step / self.steps, 10) for step in range(self.steps + 1)}
        return tuple(sorted(steps | set(NAMED)))

    def answer(self, asked: Asked) -> Result:
        fewest = FEWEST_SYSTEMS if self.level == "system" else 1
        found = self.judged(asked, fewest=fewest)
        if self.train:
            other = judged(
                self.name,
                replace(asked, campaigns=(read(self.train),), data=Data(seed=asked.seed, threads=asked.threads)),
                kind=self.train_kind or self.kind, normalise=self.normalise, missing=self.missing, fewest=fewest,
            )  # fmt: skip
            _require_other(other.campaign, found.campaign)
            tasks = [(self._whole(other), self._whole(found))]
            used = [
                f"{other.campaign.name}: {other.used(self.level)}",
                f"{found.campaign.name}: {found.used(self.level)}",
            ]
        else:
            one, two = self._halves(found, asked.seed)
            tasks = [(one, two), (two, one)]
            used = [str(found.used(self.level))]
        rows: list[dict[str, Any]] = []
        for done, (training, test) in enumerate(tasks, start=1):
            rows += self._rows(training, test, asked.seed)
            asked.report(0.4 + 0.6 * done / len(tasks))
        return self.result(asked, tuple(rows), (*self._findings(rows), *used))

    def _whole(self, found: Judged) -> _Part:
        every = np.arange(len(found.campaign))
        return _Part(found.campaign.name, found, self._sources(found), every)

    def _sources(self, found: Judged) -> list[RowSource]:
        given = named_metric(self.metric)
        if not isinstance(given, Fmean):
            raise TypeError(self.metric)
        return balances(given, self.alphas, found)

    def _halves(self, found: Judged, seed: int) -> tuple[_Part, _Part]:
        """Two halves at random, of the segments that somebody judged or of whole documents."""
        generator = np.random.default_rng([seed, 11])
        segments = np.flatnonzero(found.people.judged.any(axis=0))
        if self.split == "document":
            labels = document_labels(found.campaign.documents)
            if labels is None:
                raise InputError(
                    f"{self.name}: split=document needs two documents or more, and {found.campaign.name} does not tell "
                    "them apart or has one (docs.txt). Take split=segment, or choose on another campaign (--train)."
                )
            codes = labels.codes[segments]
            units = generator.permutation(np.unique(codes))
        else:
            codes, units = segments, generator.permutation(segments)
        if len(units) < 2:
            raise InputError(
                f"{self.name} chooses a weight on one half and tests it on the other: it needs two judged "
                f"{self.split}s or more, and {found.campaign.name} has {len(units)}."
            )
        sources = self._sources(found)
        parts = np.array_split(units, 2)
        one, two = (
            _Part(f"half {name}", found, sources, segments[np.isin(codes, part)])
            for name, part in zip("AB", parts, strict=True)
        )
        return one, two

    def _measure(self, part: _Part, samples: int, seed: int) -> list[Measured]:
        """The correlation of every balance on some segments."""
        draws = part.judged.draws(samples, seed, among=part.segments)
        bench: SystemBench | GridBench
        if self.level == "system":
            bench = SystemBench(part.judged.people, draws, seed=seed)
        else:
            grid = part.judged.ratings().grid
            bench = GridBench("segment", grid, draws, lambda source: source.segments(), seed)
        cell = (self.statistic, None if self.level == "system" else "none")
        return [bench.measure([cell], source)[cell] for source in part.sources]

    def _rows(self, training: _Part, test: _Part, seed: int) -> list[dict[str, Any]]:
        chosen_by = np.array([one.value for one in self._measure(training, 0, seed)])
        if np.isnan(chosen_by).all():
            raise InputError(
                f"{self.name}: on {training.name} no balance has a correlation with people, for systems have all the "
                "same score there. It takes more segments to choose on."
            )
        measured = self._measure(test, self.samples, seed)
        best = int(np.nanargmax(chosen_by))
        balanced = self.alphas.index(0.5)
        rows = []
        for index, alpha in enumerate(self.alphas):
            one = Measured(chosen_by[index], np.empty(0), 0)
            role = ", ".join((["chosen"] if index == best else []) + ([NAMED[alpha]] if alpha in NAMED else []))
            rows.append(
                {
                    "train": training.name,
                    "test": test.name,
                    "alpha": alpha,
                    "role": role,
                    "chosen": index == best,
                    "training": valued(one)["correlation"],
                    **valued(measured[index]),
                    **gained(measured[index], measured[balanced] if index != balanced else None),
                }
            )
        return rows

    def _findings(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """What the chosen weight is worth where it was not chosen."""
        for row in rows:
            if not row["chosen"]:
                continue
            if row["correlation"] is None:
                yield f"Chosen on {row['train']}: {row['alpha']:.2f}; on {row['test']} it has no correlation."
                continue
            said = (
                f"Chosen on {row['train']}: a weight of {row['alpha']:.2f} on recall. On {row['test']} it reaches "
                f"{row['correlation']:.3f}{_range(row['low'], row['high'])}"
            )
            if row["gain"] is not None:
                said += f", {row['gain']:+.3f} over F1{_range(row['gain_low'], row['gain_high'])}"
            paper = next(one for one in rows if one["alpha"] == 0.9 and one["test"] == row["test"])
            if paper["correlation"] is not None:
                said += f"; the paper's 0.9 reaches {paper['correlation']:.3f}"
            yield said + "."
        yield f"{self.statistic.capitalize()} at the {self.level} level; intervals allow for other segments."

    def chart(self, result: StudyResult) -> Any:
        """Correlation over the weight of recall, where it was chosen and where it was tested."""
        return weight_curves(result, self.statistic)


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" [{low:.3f}, {high:.3f}]"


def _require_other(training: Campaign, test: Campaign) -> None:
    """Refuse a weight that is tested where it was chosen."""
    known = {texts.digest for texts in training.systems.values()}
    same = [name for name, texts in test.systems.items() if texts.digest in known]
    if same:
        raise InputError(
            f"recall-weight: {test.name} has the very translations to choose on ({', '.join(same)}), and a weight is "
            "not tested where it was chosen. Give another campaign to --train, or leave it out for halves."
        )
