"""``assay score``: every system with every metric, each score with its interval."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Flags
from assay.data.campaign import Campaign
from assay.data.problems import note
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.metrics.given import GivenScores
from assay.metrics.registry import DEFAULT_METRICS, heading
from assay.questions.asked import Asked, about_few, mention_means, mention_recipes, seen_references, segment_remarks
from assay.questions.base import Question, metrics_option, option
from assay.questions.gates import fail_under_option, gate_findings, read_limits, under_limits
from assay.results.result import Column, Result, Table, View
from assay.scoring.statistics import (
    KEYS,
    NO_DOCUMENT,
    Level,
    Statistics,
    finite_or_none,
    intervals,
    units_of,
)
from assay.significance.draws import FEWEST_UNITS, NO_INTERVAL, Interval, Units, design_effect


@dataclass(frozen=True, kw_only=True)
class Score(Question):
    """How good is each system? Corpus scores with 95 % bootstrap intervals.

    CAMPAIGN is a folder with ref.<id>.txt and sys.<name>.txt, a folder of mt-metrics-eval, or a .tsv, .csv, .jsonl,
    .parquet, .sgm or .xml file. With -r, the arguments are files of translations instead, one segment per line, or
    SGML or WMT XML; - is standard input. References called pe or pe.<anything> are human post-edits, which hter is
    about and other metrics leave aside.
    """

    name: ClassVar[str] = "score"
    question: ClassVar[str] = "How good is each system?"
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "scores", "units")
    working: ClassVar[str] = "Scoring"

    metrics: tuple[Metric, ...] = metrics_option(
        DEFAULT_METRICS, "bleu, 'bleu(order=2)', bleu,chrf ...; see assay metrics.", scores=True
    )
    segments: bool = option(False, "A score per segment as well; in TSV and CSV instead.")
    documents: bool = option(False, "A score per document as well; in TSV and CSV instead.")
    domains: bool = option(False, "A score per domain as well; in TSV and CSV instead.")
    worst: int | None = option(
        None, "The N worst segments of each system, with their texts; in TSV and CSV instead.", metavar="N", least=1
    )
    best: int | None = option(None, "The N best ones, likewise.", metavar="N", least=1)
    samples: int = option(1000, "Bootstrap samples; 0 for no interval.", metavar="N", least=0, most=1_000_000)
    fail_under: tuple[str, ...] = fail_under_option()
    sacrebleu_signature: bool = option(False, "sacreBLEU's signature too, where it computes the same.")

    def answer(self, asked: Asked) -> Result:
        campaign, limits = asked.chosen, read_limits(self.fail_under)
        levels: tuple[Level, ...] = tuple(level for level in KEYS if getattr(self, level))
        of_systems = not (len(campaign) or levels or self.worst or self.best)
        if of_systems and all(isinstance(metric, GivenScores) for metric in self.metrics):
            return self._of_whole_systems(asked, limits)
        if levels:
            require_labels(campaign, levels)
        mention_recipes(self.metrics)
        counted = asked.count(self.metrics, campaign, asked.part(0.0, 0.5 if self.samples else 1.0))
        mention_means(counted, campaign)
        units = asked.units()
        groups = {level: _Groups.of(campaign, level, units) for level in levels if level != "segments"}
        ranges = self._intervals(counted, units, asked, 0.75 if groups else 1.0)
        effects = self._design_effects(counted, units)
        drawn = {"seed": asked.seed, "samples": self.samples} if self.samples else {}
        scores: Table = []
        parts: Table = []
        for (system, metric), statistics in counted.items():
            score = math.nan if statistics.failed.any() else statistics.corpus_score()
            keys = {"system": system, "metric": metric}
            row = keys | {"score": score if math.isfinite(score) else None}
            row |= ranges.get((system, metric), {"low": None, "high": None})
            row["signature"] = statistics.provenance.signature(statistics.metric, **drawn, systems=False)
            if self.sacrebleu_signature:
                row["sacrebleu_signature"] = _sacrebleu(statistics)
            scores.append(row)
            if row["score"] is not None:
                parts += [keys | {"part": name, "value": value} for name, value in statistics.parts().items()]
        ranked = self._ranked(scores)
        columns = (Column("score", "{}", ".2f"), Column("low", "95 % interval", ".2f", high="high"))
        views = [self._scores_view(campaign, columns if ranges else columns[:1], ranked)]
        tables, last = {"scores": scores}, self.metrics[-1]
        of_segments = self.segments or self.worst or self.best
        remarks = tuple(segment_remarks(self.metrics, counted.values())) if of_segments else ()
        for level in levels:
            start, each = 0.75 + 0.25 * (len(tables) - 1) / len(levels), 0.25 / len(levels)
            part = replace(asked, progress=asked.part(start, start + each))
            spans = self._group_intervals(counted, groups[level], part) if level in groups else {}
            tables[level] = [
                {"system": system, "metric": metric, KEYS[level]: name, "score": value}
                | (spans.get((system, metric, name), NO_INTERVAL)._asdict() if level in groups else {})
                for (system, metric), statistics in counted.items()
                for name, value in _level_scores(campaign, statistics, level)
            ]
            if level == "segments" and (self.worst or self.best):
                # Those that are shown with their texts are enough to read.
                continue
            views += [
                View(
                    f"{level.capitalize()}: {heading(metric, self.metrics)}",
                    level,
                    tuple(
                        column.with_decimals(metric.decimals)
                        for column in columns[: 2 if any(span.low is not None for span in spans.values()) else 1]
                    ),
                    keys=(Column(KEYS[level]),),
                    over="system",
                    labels={system: system for system in ranked},
                    where={"metric": str(metric)},
                    # Below the last of them, what is said of all.
                    notes=remarks if level == "segments" and metric == last else (),
                )
                for metric in self.metrics
            ]
        for name, count in (("worst", self.worst), ("best", self.best)):
            if count is not None:
                rows = [row for key in counted for row in _extremes(campaign, key, counted[key], name, count)]
                tables["texts"] = tables.get("texts", []) + rows
                views += [self._texts_view(name, metric, system) for system in ranked for metric in self.metrics]
                views[-1] = replace(views[-1], notes=remarks)
        verdicts = list(under_limits(limits, self.metrics, scores)) if limits else []
        drawn_from = (asked.about_units(units, effects), *(each.about() for each in groups.values())) if ranges else ()
        return Result(
            "score",
            tables | {"parts": parts} | ({"verdicts": verdicts} if verdicts else {}),
            tuple(views),
            (*drawn_from, *gate_findings(verdicts)),
            setup={
                **self._scales(),
                **({"unit": units.name, "units": len(units), "design_effect": effects} if ranges else {}),
            },
            signatures=self._signatures(counted, drawn),
            main="texts" if "texts" in tables else levels[0] if len(levels) == 1 else "scores",
            failed=any(row["failed"] for row in verdicts),
        )

    def _of_whole_systems(self, asked: Asked, limits: Sequence[tuple[str, float]]) -> Result:
        """What files say of whole systems, where they say nothing of segments: there is nothing to draw from."""
        campaign, signatures = asked.chosen, asked.signatures(self.metrics)
        if not any(campaign.given(str(metric)).systems for metric in self.metrics):
            raise InputError(f"{campaign.name} has no segments, so there is nothing to score.")
        scores: Table = [
            {"system": system, "metric": str(metric), "score": finite_or_none(known.get(system, math.nan))}
            | {"low": None, "high": None, "signature": signatures[str(metric)]}
            for metric in self.metrics
            for known in [campaign.given(str(metric)).systems or {}]
            for system in campaign.systems
        ]
        verdicts = list(under_limits(limits, self.metrics, scores)) if limits else []
        return Result(
            "score",
            {"scores": scores, "parts": []} | ({"verdicts": verdicts} if verdicts else {}),
            (self._scores_view(campaign, (Column("score", "{}", ".2f"),), self._ranked(scores)),),
            (*gate_findings(verdicts),),
            setup=self._scales(),
            signatures=signatures,
            failed=any(row["failed"] for row in verdicts),
        )

    def _ranked(self, scores: Table) -> tuple[str, ...]:
        """The best system by the first metric first; those without a score stand last."""
        sign = -1.0 if self.metrics[0].higher_is_better else 1.0
        merits = {row["system"]: row["score"] for row in scores if row["metric"] == str(self.metrics[0])}
        return tuple(sorted(merits, key=lambda system: (merits[system] is None, sign * (merits[system] or 0.0))))

    def _scores_view(self, campaign: Campaign, columns: tuple[Column, ...], ranked: tuple[str, ...]) -> View:
        return View(
            _describe(campaign),
            "scores",
            columns,
            keys=(Column("system"),),
            over="metric",
            labels={str(metric): heading(metric, self.metrics) for metric in self.metrics},
            decimals={str(metric): metric.decimals for metric in self.metrics if metric.decimals != 2},
            order=ranked,
        )

    def _scales(self) -> dict[str, Any]:
        """By metric, which way is better, and the ends of its scale."""
        return {
            "better": {str(metric): "higher" if metric.higher_is_better else "lower" for metric in self.metrics},
            "bounds": {str(metric): list(metric.bounds) for metric in self.metrics},
        }

    def _texts_view(self, name: str, metric: Metric, system: str) -> View:
        return View(
            f"{name.capitalize()} segments of {system}: {heading(metric, self.metrics)}",
            "texts",
            (Column("text"),),
            keys=(Column("segment"), Column("score", None, f".{metric.decimals}f"), Column("who", "")),
            where={"shown": name, "system": system, "metric": str(metric)},
        )

    def _intervals(
        self, counted: Mapping[tuple[str, str], Statistics], units: Units, asked: Asked, until: float
    ) -> dict[tuple[str, str], dict[str, float | None]]:
        """The ends of the interval of every system and metric; what could not be scored has none, and that is said."""
        whole = {key: statistics for key, statistics in counted.items() if not statistics.failed.any()}
        without = [
            f"{metric} of {system} ({int(statistics.failed.sum()):,})"
            for (system, metric), statistics in counted.items()
            if statistics.failed.any()
        ]
        if without:
            note(f"There is no corpus score where single segments have none: {', '.join(without)}.")
        if not self.samples:
            return {}
        # What has scores of some segments alone is drawn from these.
        alike: dict[bytes, list[tuple[str, str]]] = {}
        for key, statistics in whole.items():
            alike.setdefault(statistics.missing.tobytes(), []).append(key)
        found: dict[tuple[str, str], dict[str, float | None]] = {}
        for done, (flags, keys) in enumerate(alike.items()):
            there = ~np.frombuffer(flags, dtype=np.bool_)
            counted_there = [whole[key] if there.all() else whole[key].only(there) for key in keys]
            drawn_from = units if there.all() else units.only(there)
            share = (until - 0.5) / len(alike)
            progress = asked.part(0.5 + done * share, 0.5 + (done + 1) * share)
            ends = (
                intervals(counted_there, drawn_from, samples=self.samples, seed=asked.seed, progress=progress)
                if there.any()
                else [NO_INTERVAL] * len(keys)
            )
            found |= {key: span._asdict() for key, span in zip(keys, ends, strict=True)}
        return {key: found[key] for key in whole}

    def _group_intervals(
        self, counted: Mapping[tuple[str, str], Statistics], groups: _Groups, asked: Asked
    ) -> dict[tuple[str, str, str], Interval]:
        """The intervals of documents or domains, by system, metric and name, all from the same samples."""
        found: dict[tuple[str, str, str], Interval] = {}
        for done, (name, here) in enumerate(groups.members.items() if self.samples else ()):
            asked.report(done / len(groups.members))
            if groups.sizes[name] >= FEWEST_UNITS:
                parts = [statistics.only(here) for statistics in counted.values()]
                if groups.level == "documents":
                    parts = [part.of_one_document() for part in parts]
                spans = intervals(parts, groups.units.only(here), samples=self.samples, seed=asked.seed)
                found |= {(*key, name): span for key, span in zip(counted, spans, strict=True)}
        return found

    def _design_effects(self, counted: Mapping[tuple[str, str], Statistics], units: Units) -> dict[str, float]:
        """By metric, the median over systems."""
        effects: dict[str, list[float]] = {}
        for (_, metric), statistics in counted.items():
            if not statistics.failed.any():
                influence = -statistics.metric.score(statistics.total() - statistics.rows)
                effects.setdefault(metric, []).append(design_effect(influence, units))
        return {metric: float(median(of_systems)) for metric, of_systems in effects.items()}

    def _signatures(self, counted: Mapping[tuple[str, str], Statistics], drawn: dict[str, int]) -> dict[str, str]:
        """A line per metric; digests of translations stand in the table, one per score."""
        lines = {}
        systems = list(dict.fromkeys(system for system, _ in counted))
        for metric in map(str, self.metrics):
            statistics = [counted[system, metric] for system in systems]
            line = statistics[0].provenance.signature(statistics[0].metric, **drawn, systems=len(systems) > 1)
            if len({of_system.provenance.references for of_system in statistics}) > 1:
                line = re.sub(r"\|(reference|targeted):[^|]*", "", line)
            lines[metric] = line
            theirs = _sacrebleu(statistics[0]) if self.sacrebleu_signature else None
            if theirs is not None:
                lines[f"{metric}, sacreBLEU"] = f"sacreBLEU: {theirs}"
        return lines


@dataclass(frozen=True, eq=False)
class _Groups:
    """Documents or domains: which segments each has, and what is drawn within it."""

    level: Level
    units: Units
    members: dict[str, Flags]
    #: How many units each has.
    sizes: dict[str, int]

    @classmethod
    def of(cls, campaign: Campaign, level: Level, units: Units) -> _Groups:
        """Of a document segments are drawn; of a domain what is drawn of the whole, documents where they are known."""
        if level == "documents":
            units = units_of(None, len(campaign), "segment", campaign.places, campaign.whole)
        labels = getattr(campaign, level)
        codes = Units.documents(labels).codes
        members = {name: codes == code for code, name in enumerate(dict.fromkeys(labels))}
        unnamed = [members.pop(name).sum() for name in NO_DOCUMENT if level == "documents" and name in members]
        if unnamed:
            note(f"{counted(int(sum(unnamed)), 'segment')} without a document, and so without a part in scores of any.")
        return cls(level, units, members, {name: units.count(here) for name, here in members.items()})

    def about(self) -> str:
        """What was drawn within them, what that assumes, and how many have too few of it."""
        enough = [size for size in self.sizes.values() if size >= FEWEST_UNITS]
        lacking, alone = len(self.sizes) - len(enough), self.units.name == "segment"
        said = f"Intervals of {self.level} draw the {self.units.name}s of each"
        said += f" ({min(enough):,} to {max(enough):,})" if enough else ""
        said += ", taken as independent" if alone else ""
        if lacking:
            said += f"; {lacking:,} of {len(self.sizes):,} have fewer than {FEWEST_UNITS}, too few for one"
            said += "" if alone else ". With --unit segment segments are taken as independent"
        return f"{said}.{about_few(min(enough), f'as few as {min(enough)}') if enough else ''}"


def _describe(campaign: Campaign) -> str:
    """A campaign in one line: segments, systems, references."""
    named = [f"{name} (targeted)" if name in campaign.targeted else name for name in campaign.references]
    plural = "reference" if len(named) == 1 else "references"
    counts = f"{counted(len(campaign), 'segment')}, {counted(len(campaign.systems), 'system')}"
    return f"{campaign.name}: {counts}, {f'{plural} ' if named else 'no reference'}{', '.join(named)}"


def require_labels(campaign: Campaign, levels: tuple[Level, ...]) -> None:
    """Fail before the work if documents or domains are asked for and have no names."""
    for level in levels:
        names = {*(getattr(campaign, level) or ())} - ({*NO_DOCUMENT} if level == "documents" else set())
        if level != "segments" and not names:
            file = {"documents": "docs.txt", "domains": "domains.txt"}[level]
            raise InputError(
                f"{campaign.name} names no {level}. A campaign folder has them in {file}, one per line; "
                f"a table in the column {KEYS[level]}."
            )


def _level_scores(campaign: Campaign, statistics: Statistics, level: Level) -> list[tuple[Any, float]]:
    """Names and scores of the segments, documents or domains behind one score."""
    if level == "segments":
        values = statistics.segment_scores().tolist()
        return list(zip(campaign.segments or range(len(values)), values, strict=True))
    grouped = statistics.document_scores() if level == "documents" else statistics.domain_scores()
    return list(grouped.items())


def _extremes(campaign: Campaign, key: tuple[str, str], statistics: Statistics, shown: str, count: int) -> Table:
    """The ``count`` segments with the worst or best scores of a system, a row per text; equal ones as they come."""
    scores, rising = statistics.segment_scores(), (shown == "worst") == statistics.metric.higher_is_better
    system, metric = key
    order = np.argsort(scores if rising else -scores, kind="stable")
    texts = {"translation": campaign.systems[system]}
    texts |= {f"reference {name}": column for name, column in seen_references(statistics.metric, campaign).items()}
    texts |= {} if campaign.source is None else {"source": campaign.source}
    names = campaign.segments or range(len(scores))
    return [
        {"system": system, "metric": metric, "shown": shown, "rank": rank, "segment": names[at]}
        | {"score": scores[at] if who == "translation" else None, "who": who, "text": column[at]}
        for rank, at in enumerate(order[np.isfinite(scores[order])][:count].tolist(), start=1)
        for who, column in texts.items()
    ]


def _sacrebleu(statistics: Statistics) -> str | None:
    """sacreBLEU's line, where sacreBLEU computes the same number."""
    return statistics.metric.sacrebleu_signature(len(statistics.provenance.references))
