"""What METEOR's modules, the quality asked for and normalised judges bring at segment level: Lavie's lecture (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from assay.errors import InputError, UnknownName
from assay.meta.benches import GridBench, Measured
from assay.meta.choosing import listed_kinds
from assay.meta.normalise import METHODS
from assay.meta.result import number_or_none
from assay.meta.sources import Source
from assay.meta.statistics.draws import Array
from assay.meta.usage import Usage
from assay.metrics.meteor import Meteor
from assay.metrics.registry import metric as named_metric
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.studies.base import Column, StudyResult
from assay.questions.studies.parts.judged import Judged, JudgedStudy, gained, is_sure, judged, kinds_of, valued
from assay.questions.studies.parts.recipes import SENTENCE_BLEU
from assay.questions.studies.pictures.segment_panels import segment_panels
from assay.results.result import Result
from assay.scoring.evaluate import Progress

#: All scores of segments together, as in the lecture; and those of each system by themselves.
CELL, WITHIN = ("pearson", "none"), ("pearson", "system")
#: A smaller change comes from rounding: judgements without raters are all moved alike.
NOTHING = 1e-6


@dataclass(frozen=True, eq=False)
class _View:
    """People's scores of segments under one kind, or a sum of kinds, and one normalisation."""

    quality: str
    normalise: str
    grid: Array


@dataclass(frozen=True, kw_only=True)
class SentenceLevel(JudgedStudy):
    """Pearson's correlation over segments of metrics and METEOR's modules with every quality and normalisation."""

    name: ClassVar[str] = "sentence-level"
    question: ClassVar[str] = "What do METEOR's modules, each quality and normalised judges bring at segment level?"
    source: ClassVar[str] = "Lavie's lecture (2007), its tables of sentence-level correlations"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("metric", "metric"),
        Column("quality", "quality"),
        Column("normalise", "judges"),
        Column("translations", "translations", ",d"),
        Column("correlation", "Pearson", ".3f"),
        Column("low", "low", ".3f"),
        Column("high", "high", ".3f"),
        Column("by_system", "within systems", ".3f"),
        Column("module_gain", "over exact", "+.3f"),
        Column("judge_gain", "over raw", "+.3f"),
    )

    metric: tuple[str, ...] = option(
        (SENTENCE_BLEU, "modbleu", "precision", "recall", "fmean"), "Metrics beside METEOR."
    )
    meteor: str = option("meteor", "METEOR with language, tables and so on: meteor(language=de).")
    modules: tuple[str, ...] = option(
        ("exact", "exact+stem", "exact+stem+synonym"),
        "METEOR's modules, each list a METEOR of its own; the first is the base.",
    )
    kind: tuple[str, ...] = option((), "The qualities: adequacy,fluency. Of several, their sum is one more.")
    normalise: tuple[str, ...] = option(("none", "z", "quantile"), "Ways to normalise raters; the first is the base.")
    samples: int = option(1000, "For intervals: how often segments are drawn anew.")

    def check(self) -> None:
        self.require(self.samples >= 2, "samples", "a whole number of at least 2")
        self.require(len(set(self.normalise)) == len(self.normalise) > 0, "normalise", "different ways: none,z")
        for method in self.normalise:
            if method not in METHODS:
                raise UnknownName.of("normalisation", method, METHODS)
        given = named_metric(self.meteor)
        self.require(
            isinstance(given, Meteor) and given.modules is None, "meteor", "meteor without modules (--modules)"
        )
        self.require(len(set(self.modules)) == len(self.modules) > 0, "modules", "different lists: exact,exact+stem")
        named_metrics([*self.metric, *self._meteors().values()])

    def _meteors(self) -> dict[str, Meteor]:
        """A METEOR for every list of modules."""
        given = named_metric(self.meteor)
        if not isinstance(given, Meteor):
            raise TypeError(self.meteor)
        # A stemmer of one's own goes with the module alone.
        return {
            modules: replace(given, modules=modules, stem=given.stem if "stem" in modules.split("+") else None)
            for modules in self.modules
        }

    def answer(self, asked: Asked) -> Result:
        kinds = kinds_of(self.kind)
        if not kinds and asked.campaign.judgements is not None and len(asked.campaign.judgements.kinds) > 1:
            raise InputError(
                f"{asked.campaign.judgements.origin}: there are several kinds of judgement: "
                f"{listed_kinds(asked.campaign.judgements)}. Name the qualities with --kind A,B: {self.name} looks at "
                "each of them, and of several at their sum, too."
            )
        readings: dict[tuple[str, str], Judged] = {}
        for kind in kinds or ("",):
            for method in self.normalise:
                readings[kind, method] = judged(
                    self.name, asked, kind=(kind,) if kind else (), normalise=method, missing=self.missing, fewest=1
                )
                # Ranks cannot be normalised: that they are no scores is the better reason.
                readings[kind, method].ratings()
        first = next(iter(readings.values()))
        everybody = tuple(
            name for name in asked.campaign.systems if any(name in one.people.systems for one in readings.values())
        )
        scored = replace(first.campaign, systems={name: asked.campaign.systems[name] for name in everybody})
        views = list(_views(readings, everybody, self.normalise))
        metrics = [*named_metrics(self.metric), *self._meteors().values()]
        judged_anywhere = np.any([np.isfinite(view.grid) for view in views], axis=0)
        people = replace(first.people, systems=everybody, judged=judged_anywhere)
        whole = Judged(self.name, scored, people, first.usage, asked.threads)
        sources = whole.sources(metrics, asked.progress)
        rows = self._rows(views, sources, whole, asked.seed, asked.progress)
        said = (*self._findings(rows), *_usages(readings))
        return self.result(asked, tuple(rows), said)

    def _rows(
        self, views: Sequence[_View], sources: Sequence[Source], found: Judged, seed: int, progress: Progress | None
    ) -> list[dict[str, Any]]:
        labels = {str(metric): f"METEOR {modules}" for modules, metric in self._meteors().items()}
        draws, observed = found.draws(self.samples, seed), found.draws(0, seed)
        rows: list[dict[str, Any]] = []
        base: dict[tuple[str, str], Measured] = {}
        for done, view in enumerate(views, start=1):
            bench, as_it_is = (
                GridBench("segment", view.grid, one, lambda source: source.segments(), seed)
                for one in (draws, observed)
            )
            exact: Measured | None = None
            for source in sources:
                one = bench.measure([CELL], source)[CELL]
                within = as_it_is.measure([WITHIN], source)[WITHIN]
                modular = source.name in labels
                raw = base.setdefault((source.name, view.quality), one)
                rows.append(
                    {
                        "metric": labels.get(source.name, source.name),
                        "quality": view.quality,
                        "normalise": view.normalise,
                        "translations": one.n,
                        **valued(one),
                        "by_system": number_or_none(within.value),
                        **gained(one, exact if modular else None, "module_gain"),
                        **gained(one, raw if raw is not one else None, "judge_gain"),
                        "spelling": source.name,
                    }
                )
                if modular and exact is None:
                    exact = one
            if progress is not None:
                progress(0.4 + 0.6 * done / len(views))
        return rows

    def _findings(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield (
            f"Pearson over all translations of all segments; intervals and gains from {self.samples:,} samples of "
            "segments. Within systems: the mean of the correlations that single systems have."
        )
        full = f"METEOR {self.modules[-1]}"
        for quality in dict.fromkeys(row["quality"] for row in rows):
            raw = [row for row in rows if (row["quality"], row["normalise"]) == (quality, self.normalise[0])]
            best = max(
                (row for row in raw if row["correlation"] is not None), key=lambda row: row["correlation"], default=None
            )
            if best is None:
                yield f"{quality}: no correlation is defined, for all scores are alike."
                continue
            said = [f"{quality}: {best['metric']} is closest to people ({best['correlation']:.3f})"]
            last = next(row for row in raw if row["metric"] == full)
            if last["module_gain"] is not None:
                said.append(f"{self.modules[-1]} instead of {self.modules[0]} brings {_gain(last, 'module_gain')}")
            for method in self.normalise[1:]:
                row = next(
                    one for one in rows if (one["quality"], one["normalise"], one["metric"]) == (quality, method, full)
                )
                if row["judge_gain"] is None or abs(row["judge_gain"]) < NOTHING:
                    said.append(f"normalising by {method} changes nothing")
                else:
                    said.append(f"judges normalised by {method} bring {_gain(row, 'judge_gain')}")
            yield "; ".join(said) + "."

    def chart(self, result: StudyResult) -> Any:
        """A panel per quality and normalisation: every metric's correlation with its interval."""
        return segment_panels(result)


def _views(
    readings: Mapping[tuple[str, str], Judged], systems: Sequence[str], methods: Sequence[str]
) -> Iterator[_View]:
    """What people say under each kind, and under their sum, for each normalisation."""
    kinds = list(dict.fromkeys(kind for kind, _ in readings))
    for method in methods:
        grids = []
        for kind in kinds:
            found = readings[kind, method]
            people = found.ratings()
            grid = np.full((len(systems), len(found.campaign)), np.nan)
            for row, name in enumerate(people.systems):
                grid[systems.index(name)] = people.grid[row]
            grids.append(grid)
            yield _View(people.kind, method, grid)
        if len(grids) > 1:
            both = np.sum(grids, axis=0)
            if not np.isfinite(both).any():
                raise InputError(
                    f"sentence-level adds {', '.join(kinds)} up, and no translation of a segment has them all. "
                    "Take them one by one."
                )
            yield _View("+".join(kinds), method, both)


def _usages(readings: Mapping[tuple[str, str], Judged]) -> list[str]:
    """How many judgements of each kind were used: the same whatever the normalisation."""
    found: dict[str, Usage] = {}
    for (_, _), one in readings.items():
        found.setdefault(one.people.kind, one.used("segment"))
    return [f"{kind}: {usage}" for kind, usage in found.items()]


def _gain(row: Mapping[str, Any], name: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    interval = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
    return f"{row[name]:+.3f}{interval}" + ("" if is_sure(row, name) else ", which may be chance")
