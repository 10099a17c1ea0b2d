"""What METEOR's modules, the quality asked for and normalised judges bring at segment level: Lavie's lecture (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.data.problems import note
from assay.errors import InputError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.meteor import Meteor
from assay.metrics.registry import metrics as named_metrics
from assay.people.levels import GridLevel
from assay.people.normalise import METHODS
from assay.people.ratings import Ratings
from assay.people.scores import Scores
from assay.people.usage import listed_kinds
from assay.questions.asked import Asked
from assay.questions.base import SCORED, Averaged, metric_option, metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, Study, defined, different, grouped, those, watched
from assay.questions.studies.judged import JudgedSystems, gained, is_sure, judged_systems
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.rendering import bracketed
from assay.results.result import Column, Result, Table
from assay.significance.draws import Estimate

#: All scores of segments together, as in the lecture; and those of each system by themselves.
_CELL, _WITHIN = ("pearson", "none"), ("pearson", "system")
#: A smaller change comes from rounding: judgements without raters are all moved alike.
_NOTHING = 1e-6
#: What stands for METEOR's module of stems with WordNet's base forms, the lecture's WNstem.
_WORDNET_STEM = "wnstem"
#: Judgements by their kind, which may be a mean of kinds, and normalisation.
_Readings = Mapping[tuple[str, str], JudgedSystems]


@dataclass(frozen=True, kw_only=True)
class SentenceLevel(Study):
    """Pearson's correlation over segments of metrics and METEOR's modules with every quality and normalisation."""

    name = "sentence-level"
    averaged: ClassVar[Averaged] = {"table": (("metric", "normalise"), ("correlation",))}
    question = "What do METEOR's modules, each quality and normalised judges bring at segment level?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SCORED: 1}
    source = "Lavie's lecture (2007), its tables of sentence-level correlations"
    # All qualities stand in one table.
    kinds_apart = False
    columns = (
        Column("metric"), Column("kind", "quality"), Column("normalise", "judges"),
        Column("translations", "translations", ",d"), Column("correlation", "Pearson", ".3f", low="low", high="high"),
        Column("by_system", "within systems", ".3f"), Column("module_gain", "over exact", "+.3f"),
        Column("judge_gain", "over raw", "+.3f"),
    )  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        (SENTENCE_BLEU, "modbleu", "precision", "recall", "fmean"), "Metrics beside METEOR."
    )
    meteor: Meteor = metric_option(
        "meteor", "METEOR with language, tables and so on: meteor(language=de).", flag="--meteor"
    )
    modules: tuple[str, ...] = option(
        ("exact", "exact+stem", "exact+wnstem", "exact+stem+synonym"),
        "METEOR's modules, each list a METEOR of its own, wnstem for stems from WordNet; the first is the base.",
    )
    kind: tuple[str, ...] = option(
        (), "The qualities: adequacy,fluency. Of several, their mean (a+b) is one more.", metavar="KIND,..."
    )
    normalise: tuple[str, ...] = option(("none", "z", "quantile"), "Ways to normalise raters; the first is the base.")
    missing: float | None = option(None, "A score that stands for no judgement.", metavar="SCORE")
    lower_is_better: bool = option(False, "Turn the judgements' sign.")
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    def check(self) -> None:
        self.require_different("normalise", "different ways: none,z")
        for method in self.normalise:
            if method not in METHODS:
                raise UnknownName.of("normalisation", method, METHODS)
        sound = isinstance(self.meteor, Meteor) and self.meteor.modules is None
        self.require(sound, "meteor", "meteor without modules (--modules)")
        self.require_different("modules", "different lists: exact,exact+stem")
        named_metrics([*self.metrics, *self.meteors()])

    def meteors(self) -> list[Meteor]:
        """A METEOR for every list of modules; a stemmer of one's own goes with the module alone."""
        return [self._with_modules(modules.split("+")) for modules in self.modules]

    def _with_modules(self, modules: Sequence[str]) -> Meteor:
        stem = self.meteor.stem if "stem" in modules else None
        if _WORDNET_STEM in modules:
            # METEOR's module of stems, with the base forms of WordNet's morphology in place of a stemmer's.
            language = self.meteor.settings.language
            wanted = f"lists without {_WORDNET_STEM} for language={language}: WordNet's base forms are English"
            self.require(language == "en", "modules", wanted)
            stem = "wordnet"
        named = ["stem" if module == _WORDNET_STEM else module for module in modules]
        return replace(self.meteor, modules="+".join(named), stem=stem)

    def answer(self, asked: Asked) -> Result:
        readings = self._readings(asked)
        first, *_ = readings.values()
        judged = {name for reading in readings.values() for name in reading.people.systems}
        systems = {name: texts for name, texts in asked.campaign.systems.items() if name in judged}
        grids = {key: _grid(reading.ratings(), tuple(systems)) for key, reading in readings.items()}
        judged_anywhere = np.any([np.isfinite(grid) for grid in grids.values()], axis=0)
        whole = replace(
            first,
            campaign=replace(first.campaign, systems=systems),
            people=replace(first.people, systems=tuple(systems), mask=judged_anywhere),
        )
        metrics = [*self.metrics, *self.meteors()]
        rows = self._rows(grids, whole.sources(metrics), whole)
        # The same whatever the normalisation.
        used = list(dict.fromkeys(f"{each.people.name}: {each.used('segment')}" for each in readings.values()))
        said = [*self._findings(rows, whole.units.name), whole.drawn()]
        return self.result(asked, {"table": rows}, said, metrics, usage=used)

    def _readings(self, asked: Asked) -> _Readings:
        """The judgements of each kind under each normalisation."""
        kinds, judgements = asked.kinds(self.kind), asked.campaign.judgements
        if not kinds and judgements is not None and len(judgements.kinds) > 1:
            raise InputError(
                f"{judgements.origin}: there are several kinds of judgement: {listed_kinds(judgements)}. Name the "
                f"qualities with --kind A,B: {self.name} looks at each of them, and of several at their mean, too."
            )
        mean = "+".join(kinds) if len(kinds) > 1 and not any("+" in kind for kind in kinds) else None
        readings: dict[tuple[str, str], JudgedSystems] = {}
        for method, kind in product(self.normalise, [*kinds, *([mean] if mean else [])] or [""]):
            try:
                reading = judged_systems(
                    self.name, asked, fewest=1, kind=[kind] if kind else [], normalise=method, missing=self.missing,
                    lower_is_better=self.lower_is_better,
                )  # fmt: skip
            except InputError as error:
                # The mean is there where it can be had: nobody asked for it.
                if kind != mean:
                    raise
                note(f"No mean of the qualities: {error}")
                continue
            # Ranks cannot be normalised: that they are no scores is the better reason.
            readings[reading.ratings().name, method] = reading
        return readings

    def _rows(self, grids: Mapping[tuple[str, str], Array], sources: Sequence[Scores], judged: JudgedSystems) -> Table:
        meteors = zip(self.meteors(), self.modules, strict=True)
        labels = {judged.asked.name_of(metric): f"METEOR {modules}" for metric, modules in meteors}
        spellings = [str(metric) for metric in (*self.metrics, *self.meteors())]
        seed, draws = judged.asked.seed, (judged.draws(self.samples), judged.draws(0))
        rows: Table = []
        base: dict[tuple[str, str], Estimate] = {}
        for (kind, method), grid in watched(list(grids.items()), judged.asked, 0.4):
            drawn, as_it_is = (GridLevel(grid, each, seed=seed) for each in draws)
            exact: Estimate | None = None
            for source, spelling in zip(sources, spellings, strict=True):
                measured = drawn.measure([_CELL], source)[_CELL]
                within = as_it_is.measure([_WITHIN], source)[_WITHIN]
                raw = base.setdefault((source.name, kind), measured)
                label = labels.get(source.name, source.name)
                rows.append(
                    {"metric": label, "kind": kind, "normalise": method, "translations": measured.n}
                    | {**measured.row("correlation"), "by_system": within.value}
                    | gained(measured, exact if source.name in labels else None, "module_gain")
                    | gained(measured, raw if raw is not measured else None, "judge_gain")
                    | {"spelling": spelling}
                )
                if source.name in labels and exact is None:
                    exact = measured
        return rows

    def _findings(self, rows: Table, unit: str) -> Iterator[str]:
        yield (
            f"Pearson over all translations of all segments; intervals and gains from {self.samples:,} samples of "
            f"{unit}s. Within systems: the mean of the correlations that single systems have."
        )
        for kind, here in grouped(rows, "kind"):
            raw = [row for row in those(here, normalise=self.normalise[0]) if row["correlation"] is not None]
            if not raw:
                yield f"{kind}: no correlation is defined, for all scores are alike."
                continue
            best = max(raw, key=lambda row: row["correlation"])
            said = [f"{kind}: {best['metric']} is closest to people ({best['correlation']:.3f})"]
            base, *normalised = those(here, metric=f"METEOR {self.modules[-1]}")
            if base["module_gain"] is not None:
                said.append(f"{self.modules[-1]} instead of {self.modules[0]} brings {_gain(base, 'module_gain')}")
            for row in normalised:
                if row["judge_gain"] is None or abs(row["judge_gain"]) < _NOTHING:
                    said.append(f"normalising by {row['normalise']} changes nothing")
                else:
                    said.append(f"judges normalised by {row['normalise']} bring {_gain(row, 'judge_gain')}")
            yield "; ".join(said) + "."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Every metric's correlation, a panel per quality."""
        names = {"none": "raw judges"}
        rows = [
            row | {"judges": names.get(row["normalise"], row["normalise"]), "said": f"{row['correlation']:.3f}"}
            for row in defined(tables["table"], "correlation")
        ]
        colors = charts.palette(different(rows, "judges"))
        ends = [row[name] for row in rows for name in ("low", "high", "correlation") if row[name] is not None]
        low, high = min(0.0, *ends), max(ends)
        axis = Axis(domain=(low - (0.12 * (high - low) if low < 0 else 0.0), high + 0.14 * (high - low)), zero=True)
        panels = [
            charts.interval_dots(
                here, name="metric", value="correlation", ends=("low", "high"), label="said", group="judges",
                colors=colors, axis=axis, names=not place, step=15, heading=quality,
            )
            for place, (quality, here) in enumerate(grouped(rows, "kind"))
        ]  # fmt: skip
        said = "Pearson over all translations of all segments; bars hold 95 % of"
        whole = charts.beside(*panels, spacing=30)
        return charts.figure(
            "figure",
            charts.above(charts.key(colors), whole) if len(colors) > 1 else whole,
            "What follows people, segment by segment?",
            [f"{campaign}: {said} {self.samples:,} samples"],
        )


def _grid(people: Ratings, systems: Sequence[str]) -> Array:
    """What people say of the segments of all systems that somebody judged."""
    grid = np.full((len(systems), people.grid.shape[1]), np.nan)
    grid[[systems.index(name) for name in people.systems]] = people.grid
    return grid


def _gain(row: Mapping[str, Any], name: str) -> str:
    interval = bracketed(row[f"{name}_low"], row[f"{name}_high"], "+.3f")
    return f"{row[name]:+.3f}{interval}" + ("" if is_sure(row, name) else ", which may be chance")
