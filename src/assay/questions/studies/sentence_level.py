"""What METEOR's modules, the quality asked for and normalised judges bring at segment level: Lavie's lecture (2007)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from assay.errors import InputError, UnknownName
from assay.meta.benches import Measured, number_or_none
from assay.meta.choosing import listed_kinds
from assay.meta.normalise import METHODS
from assay.meta.sources import Source
from assay.metrics.base import Metric
from assay.metrics.meteor import Meteor
from assay.metrics.registry import metrics as named_metrics
from assay.questions.asked import Asked
from assay.questions.base import metric_option, metrics_option, option
from assay.questions.studies import pictures
from assay.questions.studies.base import SENTENCE_BLEU, Study
from assay.questions.studies.judged import Array, JudgedSystems, gained, is_sure, judged_systems, segment_bench, valued
from assay.results.result import Column, Result, Table

#: All scores of segments together, as in the lecture; and those of each system by themselves.
CELL, WITHIN = ("pearson", "none"), ("pearson", "system")
#: A smaller change comes from rounding: judgements without raters are all moved alike.
NOTHING = 1e-6
#: Judgements of one kind under one normalisation.
Readings = Mapping[tuple[str, str], JudgedSystems]


@dataclass(frozen=True, eq=False)
class _Quality:
    """People's scores of segments under one kind, or a mean of kinds, and one normalisation."""

    kind: str
    normalise: str
    grid: Array


@dataclass(frozen=True, kw_only=True)
class SentenceLevel(Study):
    """Pearson's correlation over segments of metrics and METEOR's modules with every quality and normalisation."""

    name: ClassVar[str] = "sentence-level"
    question: ClassVar[str] = "What do METEOR's modules, each quality and normalised judges bring at segment level?"
    source: ClassVar[str] = "Lavie's lecture (2007), its tables of sentence-level correlations"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("metric"),
        Column("kind", "quality"),
        Column("normalise", "judges"),
        Column("translations", "translations", ",d"),
        Column("correlation", "Pearson", ".3f", low="low", high="high"),
        Column("by_system", "within systems", ".3f"),
        Column("module_gain", "over exact", "+.3f"),
        Column("judge_gain", "over raw", "+.3f"),
    )

    metrics: tuple[Metric, ...] = metrics_option(
        (SENTENCE_BLEU, "modbleu", "precision", "recall", "fmean"), "Metrics beside METEOR."
    )
    meteor: Meteor = metric_option(
        "meteor", "METEOR with language, tables and so on: meteor(language=de).", flag="--meteor"
    )
    modules: tuple[str, ...] = option(
        ("exact", "exact+stem", "exact+stem+synonym"),
        "METEOR's modules, each list a METEOR of its own; the first is the base.",
    )
    kind: tuple[str, ...] = option(
        (), "The qualities: adequacy,fluency. Of several, their mean (a+b) is one more.", metavar="KIND,..."
    )
    normalise: tuple[str, ...] = option(("none", "z", "quantile"), "Ways to normalise raters; the first is the base.")
    missing: float | None = option(None, "A score that stands for no judgement.", metavar="SCORE")
    lower_is_better: bool = option(False, "Turn the judgements' sign.")
    samples: int = option(1000, "Bootstrap samples of segments, for intervals.", metavar="N", least=2)

    @property
    def kinds_apart(self) -> tuple[str, ...]:
        """None: all qualities stand in one table."""
        return ()

    def check(self) -> None:
        self.require(len(set(self.normalise)) == len(self.normalise) > 0, "normalise", "different ways: none,z")
        for method in self.normalise:
            if method not in METHODS:
                raise UnknownName.of("normalisation", method, METHODS)
        sound = isinstance(self.meteor, Meteor) and self.meteor.modules is None
        self.require(sound, "meteor", "meteor without modules (--modules)")
        self.require(len(set(self.modules)) == len(self.modules) > 0, "modules", "different lists: exact,exact+stem")
        named_metrics([*self.metrics, *self.meteors()])

    def meteors(self) -> list[Meteor]:
        """A METEOR for every list of modules; a stemmer of one's own goes with the module alone."""
        return [
            replace(self.meteor, modules=modules, stem=self.meteor.stem if "stem" in modules.split("+") else None)
            for modules in self.modules
        ]

    def answer(self, asked: Asked) -> Result:
        readings = self._readings(asked)
        first = next(iter(readings.values()))
        everybody = tuple(
            name for name in asked.campaign.systems if any(name in one.people.systems for one in readings.values())
        )
        qualities = list(_qualities(readings, everybody))
        judged_anywhere = np.any([np.isfinite(quality.grid) for quality in qualities], axis=0)
        whole = replace(
            first,
            campaign=replace(first.campaign, systems={name: asked.campaign.systems[name] for name in everybody}),
            people=replace(first.people, systems=everybody, judged=judged_anywhere),
        )
        metrics = [*self.metrics, *self.meteors()]
        rows = self._rows(qualities, whole.sources(metrics), whole)
        # The same whatever the normalisation.
        used = list(dict.fromkeys(f"{one.people.kind}: {one.used('segment')}" for one in readings.values()))
        return self.result(
            asked, rows, [*self._findings(rows), *used], metrics,
            lambda: pictures.sentence_level(rows, campaign=asked.campaign.name, samples=self.samples),
            usage=" ".join(used),
        )  # fmt: skip

    def _readings(self, asked: Asked) -> Readings:
        """The judgements of each kind under each normalisation."""
        kinds, judgements = asked.kinds(self.kind), asked.campaign.judgements
        if not kinds and judgements is not None and len(judgements.kinds) > 1:
            raise InputError(
                f"{judgements.origin}: there are several kinds of judgement: {listed_kinds(judgements)}. Name the "
                f"qualities with --kind A,B: {self.name} looks at each of them, and of several at their mean, too."
            )
        if len(kinds) > 1 and not any("+" in kind for kind in kinds):
            kinds.append("+".join(kinds))
        found: dict[tuple[str, str], JudgedSystems] = {}
        for method in self.normalise:
            for kind in kinds or ("",):
                own = judged_systems(
                    self.name, asked, fewest=1, kind=[kind] if kind else [], normalise=method, missing=self.missing,
                    lower_is_better=self.lower_is_better,
                )  # fmt: skip
                # Ranks cannot be normalised: that they are no scores is the better reason.
                own.ratings()
                found[kind, method] = own
        return found

    def _rows(
        self, qualities: Sequence[_Quality], sources: Sequence[Source], found: JudgedSystems
    ) -> list[dict[str, Any]]:
        labels = {
            str(metric): f"METEOR {modules}" for modules, metric in zip(self.modules, self.meteors(), strict=True)
        }
        seed, draws = found.asked.seed, (found.draws(self.samples), found.draws(0))
        rows: Table = []
        base: dict[tuple[str, str], Measured] = {}
        for done, quality in enumerate(qualities, start=1):
            drawn, as_it_is = (segment_bench(quality.grid, one, seed) for one in draws)
            exact: Measured | None = None
            for source in sources:
                one = drawn.measure([CELL], source)[CELL]
                within = as_it_is.measure([WITHIN], source)[WITHIN]
                raw = base.setdefault((source.name, quality.kind), one)
                rows.append(
                    {
                        "metric": labels.get(source.name, source.name),
                        "kind": quality.kind,
                        "normalise": quality.normalise,
                        "translations": one.n,
                        **valued(one),
                        "by_system": number_or_none(within.value),
                        **gained(one, exact if source.name in labels else None, "module_gain"),
                        **gained(one, raw if raw is not one else None, "judge_gain"),
                        "spelling": source.name,
                    }
                )
                if source.name in labels and exact is None:
                    exact = one
            found.asked.report(0.4 + 0.6 * done / len(qualities))
        return rows

    def _findings(self, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield (
            f"Pearson over all translations of all segments; intervals and gains from {self.samples:,} samples of "
            "segments. Within systems: the mean of the correlations that single systems have."
        )
        for kind in dict.fromkeys(row["kind"] for row in rows):
            own = [row for row in rows if row["kind"] == kind]
            raw = [row for row in own if row["normalise"] == self.normalise[0] and row["correlation"] is not None]
            if not raw:
                yield f"{kind}: no correlation is defined, for all scores are alike."
                continue
            best = max(raw, key=lambda row: row["correlation"])
            said = [f"{kind}: {best['metric']} is closest to people ({best['correlation']:.3f})"]
            full = {row["normalise"]: row for row in own if row["metric"] == f"METEOR {self.modules[-1]}"}
            base = full.pop(self.normalise[0])
            if base["module_gain"] is not None:
                said.append(f"{self.modules[-1]} instead of {self.modules[0]} brings {_gain(base, 'module_gain')}")
            for method, row in full.items():
                if row["judge_gain"] is None or abs(row["judge_gain"]) < NOTHING:
                    said.append(f"normalising by {method} changes nothing")
                else:
                    said.append(f"judges normalised by {method} bring {_gain(row, 'judge_gain')}")
            yield "; ".join(said) + "."


def _qualities(readings: Readings, systems: Sequence[str]) -> Iterator[_Quality]:
    """What people say under each kind and normalisation, of all systems that somebody judged."""
    for (_, method), reading in readings.items():
        people = reading.ratings()
        grid = np.full((len(systems), people.grid.shape[1]), np.nan)
        for row, name in enumerate(people.systems):
            grid[systems.index(name)] = people.grid[row]
        yield _Quality(people.kind, method, grid)


def _gain(row: Mapping[str, Any], name: str) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    interval = "" if low is None or high is None else f" [{low:+.3f}, {high:+.3f}]"
    return f"{row[name]:+.3f}{interval}" + ("" if is_sure(row, name) else ", which may be chance")
