"""Comparisons as people read them: standings with letters, pairs with p-values, clusters, what changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.comparison.buckets import Bucket
from assay.comparison.calibration import Measured
from assay.comparison.changes import Change, Stretch
from assay.comparison.gate import Gate
from assay.comparison.result import Comparison, Pair, Standing
from assay.errors import ParameterError
from assay.metrics.base import Metric
from assay.metrics.registry import heading
from assay.report.tables import PLAIN, Look, Table, separated

#: So many pairs are listed without being asked for.
FEW_PAIRS = 10

_SUPERSCRIPTS = str.maketrans("abcdefghijklmnopqrstuvwxyz0123456789", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹")


class Report:
    """A comparison with everything that was asked for beside it."""

    def __init__(
        self,
        comparison: Comparison,
        *,
        all_pairs: bool = False,
        changed: Sequence[tuple[list[Change], list[Change]]] = (),
        buckets: Sequence[Bucket] = (),
        measured: Sequence[Measured] = (),
        gate: Gate | None = None,
    ) -> None:
        self.comparison = comparison
        self.all_pairs = all_pairs
        self.changed = changed
        self.buckets = buckets
        self.measured = measured
        self.gate = gate

    def render(self, style: str, look: Look = PLAIN) -> str:
        """The report in one of the output formats; ``junit`` is the gate alone."""
        if style == "json":
            return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False, indent=2) + "\n"
        if style == "junit":
            if self.gate is None:
                raise ParameterError("--format junit is for the gate: --baseline NAME --fail-if-worse.")
            return self.gate.to_junit()
        if style in ("tsv", "csv"):
            return separated(self._rows(), "\t" if style == "tsv" else ",")
        return "\n".join(table.render(style, look) for table in self.tables())

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON holds it."""
        found = self.comparison.to_dict()
        if self.changed:
            found["segments"] = [change.row() for better, worse in self.changed for change in (*better, *worse)]
        if self.buckets:
            found["buckets"] = [bucket.row() for bucket in self.buckets]
        if self.measured:
            found["calibration"] = [one.row() for one in self.measured]
        if self.gate is not None:
            found["gate"] = {
                "failed": self.gate.failed,
                "verdicts": [
                    {"metric": str(one.pair.metric), "system": one.pair.a, "failed": one.failed, "reason": one.reason}
                    for one in self.gate.verdicts
                ],
            }
        return found

    def _rows(self) -> list[dict[str, Any]]:
        """The one table of TSV and CSV: the most special one that was asked for."""
        asked = [name for name in ("changed", "buckets", "measured") if getattr(self, name)]
        if len(asked) > 1:
            raise ParameterError(
                "TSV and CSV hold one table: ask for one of --segments, --by and --calibrate, or JSON."
            )
        if self.changed:
            listed = [change.row() for better, worse in self.changed for change in (*better, *worse)]
            return [{**row, "references": " ||| ".join(row["references"])} for row in listed]
        if self.buckets:
            return [bucket.row() for bucket in self.buckets]
        if self.measured:
            return [one.row() for one in self.measured]
        return self.comparison.table()

    def tables(self) -> list[Table]:
        """Everything as tables, in the order of the questions."""
        comparison = self.comparison
        found = [standings_table(comparison, metric) for metric in comparison.metrics]
        if self.all_pairs or len(comparison.pairs) <= FEW_PAIRS * len(comparison.metrics):
            found += [pairs_table(comparison, metric) for metric in comparison.metrics]
        found += [table for metric in comparison.metrics for table in decomposition_tables(comparison, metric)]
        found += bucket_tables(self.buckets, comparison)
        found += [table for both in self.changed for table in change_tables(*both)]
        if self.measured:
            found.append(calibration_table(self.measured))
        last = found[-1]
        found[-1] = replace(last, notes=(*last.notes, *self._notes()))
        return found

    def _notes(self) -> list[str]:
        setup = self.comparison.setup
        against = f" against {setup.baseline}" if setup.baseline else ""
        drawn = f", {setup.samples:,} {'swaps' if setup.test == 'randomisation' else 'samples'}"
        notes = [
            f"Test: paired {setup.test}{against} over {setup.units:,} {setup.unit}s"
            f"{drawn if setup.test in ('randomisation',) else ''}, two-sided, {setup.correction} over all pairs of a "
            f"metric, alpha {setup.alpha:g}; intervals: {setup.interval}, {setup.bootstrap_samples:,} samples; "
            f"seed {setup.seed}."
        ]
        if self.gate is not None:
            notes += [f"{'FAILED' if one.failed else 'passed'}: {one.reason}" for one in self.gate.verdicts]
        return notes


def standings_table(comparison: Comparison, metric: Metric) -> Table:
    """Systems, the best first; superscripts are the letters of the systems that one significantly beats."""
    standings = comparison.of(metric)
    several_runs = any(standing.spread.runs > 1 for standing in standings)
    headings = ["rank", "system", heading(metric, list(comparison.metrics)), "95 % interval"]
    if several_runs:
        headings += ["runs", "σ selection", "σ training"]
    rows = [_standing(standing, several_runs) for standing in standings]
    found = comparison.clusters.get(str(metric))
    notes = ["ranks are those that the tests leave open; superscripts name the systems that one beats"]
    if found is not None and len(found) < len(standings):
        notes.append("clusters: " + " > ".join("{" + ", ".join(cluster.systems) + "}" for cluster in found))
    notes += _power_notes(comparison, metric)
    return Table(f"{metric}", headings, rows, [False, False, *(True for _ in headings[2:])], notes)


def _standing(standing: Standing, several_runs: bool) -> list[str]:
    best, worst = standing.best_rank, standing.worst_rank
    beats = standing.beats.translate(_SUPERSCRIPTS)
    cells = [
        f"{best}" if best == worst else f"{best}–{worst}",
        f"{standing.letter} {standing.system}",
        f"{standing.score:.2f}{beats}",
        f"{standing.interval.low:.2f} – {standing.interval.high:.2f}",
    ]
    if several_runs:
        training = standing.spread.training
        cells += [
            str(standing.spread.runs),
            f"{standing.spread.selection:.2f}",
            "–" if training is None else f"{training:.2f}",
        ]
    return cells


def _power_notes(comparison: Comparison, metric: Metric) -> list[str]:
    """What this test set can show, from the closest pair of neighbours."""
    pairs = [pair for pair in comparison.pairs if pair.metric == metric]
    smallest = min(pairs, key=lambda pair: pair.power.detectable)
    largest = max(pairs, key=lambda pair: pair.power.detectable)
    low, high = smallest.power.detectable, largest.power.detectable
    reach = f"{low:.2f}" if f"{low:.2f}" == f"{high:.2f}" else f"{low:.2f} to {high:.2f}"
    notes = [f"a true difference of {reach} is found in 80 % of such test sets"]
    closest = min(pairs, key=lambda pair: abs(pair.delta))
    if closest.power.needed is not None and not closest.significant:
        notes[0] += (
            f"; the {abs(closest.delta):.2f} between {closest.a} and {closest.b} would need about "
            f"{closest.power.needed:,} {comparison.setup.unit}s"
        )
    return notes


def pairs_table(comparison: Comparison, metric: Metric) -> Table:
    """One line per pair."""
    headings = ["A", "B", "Δ", "95 % interval", "p", "adjusted", "", "effect", "wins", "losses", "ties"]
    pairs = [pair for pair in comparison.pairs if pair.metric == metric]
    right = [False, False, True, True, True, True, False, True, True, True, True]
    return Table(f"Pairs: {metric}", headings, [_pair(pair) for pair in pairs], right)


def _pair(pair: Pair) -> list[str]:
    return [
        pair.a,
        pair.b,
        f"{pair.delta:+.2f}",
        f"{pair.interval.low:+.2f} – {pair.interval.high:+.2f}",
        p_text(pair.p),
        p_text(pair.p_adjusted),
        "*" if pair.significant else "",
        "–" if pair.effect is None else f"{pair.effect:+.3f}",
        f"{pair.wins:,}",
        f"{pair.losses:,}",
        f"{pair.ties:,}",
    ]


def p_text(value: float) -> str:
    """A p-value to four digits."""
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"


def decomposition_tables(comparison: Comparison, metric: Metric) -> list[Table]:
    """For few pairs of BLEU: what brevity and each precision contribute."""
    pairs = [pair for pair in comparison.pairs if pair.metric == metric and pair.decomposition]
    if not pairs or len(pairs) > FEW_PAIRS:
        return []
    names = list(pairs[0].decomposition or {})
    rows = [
        [pair.a, pair.b, f"{pair.delta:+.2f}", *(f"{(pair.decomposition or {})[name]:+.2f}" for name in names)]
        for pair in pairs
    ]
    headings = ["A", "B", "Δ", *(name.replace("_", " ") for name in names)]
    right = [False, False, *(True for _ in headings[2:])]
    return [Table(f"Where the difference comes from: {metric}", headings, rows, right)]


def bucket_tables(buckets: Sequence[Bucket], comparison: Comparison) -> list[Table]:
    """A table per metric: groups of segments, with a line per pair."""
    tables = []
    for metric in comparison.metrics:
        own = [bucket for bucket in buckets if bucket.metric == metric]
        if not own:
            continue
        rows = [
            [
                bucket.bucket,
                f"{bucket.segments:,}",
                bucket.a,
                bucket.b,
                f"{bucket.score_a:.2f}",
                f"{bucket.score_b:.2f}",
                f"{bucket.delta:+.2f}",
                f"{bucket.interval.low:+.2f} – {bucket.interval.high:+.2f}",
            ]
            for bucket in own
        ]
        headings = [own[0].by, "segments", "A", "B", "score A", "score B", "Δ", "95 % interval"]
        right = [False, True, False, False, True, True, True, True]
        tables.append(Table(f"By {own[0].by}: {metric}", headings, rows, right))
    return tables


def change_tables(better: Sequence[Change], worse: Sequence[Change]) -> list[Table]:
    """The segments that moved most, with both translations; what differs stands in brackets."""
    tables = []
    for changes, word in ((better, "better"), (worse, "worse")):
        if not changes:
            continue
        first = changes[0]
        rows: list[list[str]] = []
        for change in changes:
            rows.append(
                [
                    f"{change.segment} ({change.delta:+.2f})",
                    f"{change.score_a:.2f}",
                    change.a,
                    marked(change.translation_a),
                ]
            )
            rows.append(["", f"{change.score_b:.2f}", change.b, marked(change.translation_b)])
            rows += [["", "", "reference", text] for text in change.references]
            if change.source is not None:
                rows.append(["", "", "source", change.source])
        title = f"Where {first.a} is {word} than {first.b}: {first.metric}"
        tables.append(Table(title, ["segment (Δ)", "score", "", "text"], rows, [False, True, False, False]))
    return tables


def marked(stretches: Sequence[Stretch]) -> str:
    """A translation with brackets round what the other does not have."""
    return " ".join(f"[{stretch.text}]" if stretch.differs else stretch.text for stretch in stretches)


def calibration_table(measured: Sequence[Measured]) -> Table:
    """Promised and measured, in per cent."""
    rows = [
        [
            str(one.metric),
            one.what,
            one.method,
            "" if one.promised is None else f"{100 * one.promised:g} %",
            f"{100 * one.rate.share:.1f} %",
            f"{100 * one.rate.interval.low:.1f} – {100 * one.rate.interval.high:.1f} %",
        ]
        for one in measured
    ]
    first = measured[0]
    headings = ["metric", "what", "method", "promised", "measured", "99 % interval"]
    notes = (
        f"{first.rate.of:,} simulations of {first.units:,} units each, drawn from the rows of these systems; "
        "for false positives the two systems' outputs change places at random",
    )
    return Table("Calibration on these texts", headings, rows, [False, False, False, True, True, True], notes)
