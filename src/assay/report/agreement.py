"""Agreement as people read it: statistics, raters, pairs, and what normalisation does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.data.wording import counted
from assay.errors import ParameterError
from assay.meta.agreement.draws import Estimate
from assay.meta.agreement.groups import CORRELATIONS, GroupResult
from assay.meta.agreement.raters import Rater
from assay.meta.agreement.result import STATISTICS, Agreement, show
from assay.meta.normalise import METHODS
from assay.report.tables import PLAIN, Look, Table, separated

#: So many pairs and raters are listed without being asked for.
FEW_PAIRS, FEW_RATERS = 10, 20

#: What TSV and CSV can hold.
TABLES = ("results", "pairs", "raters", "normalisation", "effect", "metrics", "controls")

#: How the numbers of judgements are called in a sentence.
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


#: The same for those that were not asked for.
_ASIDE = {
    "other_kinds": "{:,} of other kinds were not chosen.",
    "other_segments": "{:,} are of segments that --where leaves out.",
}


def render_agreement(
    agreement: Agreement, style: str, look: Look = PLAIN, *, table: str | None = None, everything: bool = False
) -> str:
    """The report in one of the output formats; ``table`` names the one that TSV and CSV hold."""
    if style == "json":
        return agreement.to_json() + "\n"
    if style in ("tsv", "csv"):
        return separated(_rows(agreement, table or "results"), "\t" if style == "tsv" else ",")
    if table is not None:
        raise ParameterError("--table is for TSV and CSV, which hold one table; all others show them all.")
    return "\n".join(found.render(style, look) for found in tables(agreement, everything))


def _rows(agreement: Agreement, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = agreement.to_dict()[table]
    return [{**row, "flags": ", ".join(row["flags"])} if "flags" in row else row for row in found]


def tables(agreement: Agreement, everything: bool = False) -> list[Table]:
    """Everything as tables, in the order of the questions."""
    found = [results_table(agreement)]
    if agreement.pairs and (everything or len(agreement.pairs) <= FEW_PAIRS):
        found.append(pairs_table(agreement.pairs))
    if agreement.raters:
        found.append(raters_table(agreement.raters, everything))
    if agreement.controls:
        found.append(controls_table(agreement))
    if agreement.effects is not None and len(agreement.raw.judgements.system.names) > 1:
        found.append(systems_table(agreement))
    if agreement.effects is not None and agreement.effects.metrics:
        found.append(metrics_table(agreement))
    found[-1] = replace(found[-1], notes=(*found[-1].notes, *_notes(agreement)))
    return found


def results_table(agreement: Agreement) -> Table:
    """Statistics under lines that say what is compared with what."""
    rows: list[list[str]] = []
    last = ""
    for one in agreement.results:
        part, name = STATISTICS[one.statistic]
        if part != last:
            rows.append([part, "", "", "", ""])
        interval = _interval(one.estimate.low, one.estimate.high)
        rows.append([f"  {name}", show(one.estimate.value), interval, str(one.raters), f"{one.items:,}"])
        last = part
    title = f"{agreement.origin}: {agreement.kind}"
    if agreement.setup.normalise != "none":
        title += f", normalised: {agreement.setup.normalise}"
    headings = ["agreement", "value", "95 % interval", "raters", "items"]
    return Table(title, headings, rows, [False, True, True, True, True], agreement.remarks)


def _interval(low: float | None, high: float | None, digits: int = 3) -> str:
    return "–" if low is None or high is None else f"{low:.{digits}f} – {high:.{digits}f}"


def pairs_table(pairs: Sequence[GroupResult]) -> Table:
    """One line per pair of raters, those with most items in common first."""
    others = [name for name in ("exact-agreement", "kappa-quadratic") if name in pairs[0].statistics]
    names = [*CORRELATIONS, *others]
    headings = ["raters", "items", *(STATISTICS[name][1] for name in names)]
    rows = [
        [", ".join(pair.names), f"{pair.items:,}", *(_with_interval(pair.statistics[name]) for name in names)]
        for pair in pairs
    ]
    return Table("Pairs of raters", headings, rows, [False, *(True for _ in headings[1:])])


def _with_interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return show(estimate.value, 2)
    return f"{show(estimate.value, 2)} [{estimate.low:.2f}, {estimate.high:.2f}]"


def raters_table(raters: Sequence[Rater], everything: bool = False) -> Table:
    """The most severe first; of many, those at both ends and those with a flag."""
    shown = list(raters)
    if not everything and len(raters) > FEW_RATERS:
        half = FEW_RATERS // 2
        shown = [*raters[:half], *raters[-half:]]
    headings = [
        "rater",
        "ratings",
        "mean",
        "sd",
        "median",
        "at ends",
        "severity",
        "95 % interval",
        "drift",
        "r with others",
    ]
    rows = [
        [
            rater.name,
            f"{rater.ratings:,}",
            f"{rater.mean:.2f}",
            show(rater.deviation, 2),
            f"{rater.median:.2f}",
            f"{rater.lowest + rater.highest:.0%}",
            "–" if rater.severity.value is None else f"{rater.severity.value:+.2f}",
            _interval(rater.severity.low, rater.severity.high, 2),
            "–" if rater.drift.value is None else f"{rater.drift.value:+.2f}",
            show(rater.others.value, 2),
            ", ".join(rater.flags),
        ]
        for rater in shown
    ]
    notes = [
        "at ends: ratings at the lowest or highest score that anybody gave; severity: points below the average rater "
        "on the same work, by a mixed model; drift: points from the first rating to the last"
    ]
    if len(shown) < len(raters):
        flagged = sum(bool(rater.flags) for rater in raters)
        notes.append(
            f"{len(shown)} of {len(raters)} raters are shown, from both ends; {flagged} have a flag: --all shows them"
        )
    return Table("Raters", [*headings, "flags"], rows, [False, *(True for _ in headings[1:]), False], notes)


def controls_table(agreement: Agreement) -> Table:
    """Raters on control items, those who did not tell them apart first."""
    order = sorted(agreement.controls, key=lambda one: (one.kind, one.told_apart, one.rater))
    kinds = dict.fromkeys(one.kind for one in order)
    shown = [one for kind in kinds for one in [each for each in order if each.kind == kind][:FEW_PAIRS]]
    rows = [
        [
            one.kind,
            one.rater,
            f"{one.items:,}",
            f"{one.difference:+.2f}",
            "–" if one.p is None else f"{one.p:.4f}",
            "yes" if one.told_apart else "no",
        ]
        for one in shown
    ]
    notes = []
    for kind in kinds:
        told = [one.told_apart for one in order if one.kind == kind]
        notes.append(f"{kind}: {sum(told)} of {len(told)} raters tell it from the originals (p ≤ 0.05)")
    headings = ["control", "rater", "items", "difference", "p", "told apart"]
    return Table("Quality control", headings, rows, [False, False, True, True, True, False], notes)


def systems_table(agreement: Agreement) -> Table:
    """Mean scores and ranks of the systems under every normalisation."""
    effects = agreement.effects
    if effects is None:
        raise TypeError("There are no effects to show.")
    by_key = {(one.method, one.system): one for one in effects.systems}
    order = [one.system for one in effects.systems if one.method == "none"]
    headings = ["system"] + [name for method in METHODS for name in (method, "rank")]
    rows = [
        [system]
        + [
            cell
            for method in METHODS
            for cell in (show(by_key[method, system].score.value, 2), str(by_key[method, system].rank))
        ]
        for system in order
    ]
    notes = ["human score of a system: the mean over segments of the mean over ratings"]
    for row in effects.summary()[1:]:
        if row["tau"] is None:
            continue
        moved = (
            "nobody changes places"
            if not row["moved"]
            else f"{row['moved']} systems change places, by {row['largest_move']} at most"
        )
        found = counted(row["clusters"], "cluster")
        notes.append(f"{row['method']}: {moved}; τ with raw ranks {row['tau']:.3f}; {found}")
    raw = counted(effects.summary()[0]["clusters"], "cluster")
    notes.append(f"raw scores give {raw} (bootstrap over segments, Holm, alpha 0.05)")
    title = "What normalisation does to the systems"
    return Table(title, headings, rows, [False, *(True for _ in headings[1:])], notes, group=2)


def metrics_table(agreement: Agreement) -> Table:
    """How far metrics follow the judges under every normalisation."""
    effects = agreement.effects
    if effects is None:
        raise TypeError("There are no effects to show.")
    rows: dict[tuple[str, str, str], list[str]] = {}
    for one in effects.metrics:
        key = (one.metric, one.level, one.statistic)
        # One cell, which comes again where a narrow terminal breaks the table.
        cells = rows.setdefault(key, [f"{one.metric}, {one.level}, {one.statistic}", f"{one.n:,}"])
        cells.append(show(one.estimate.value))
        if one.method == "none":
            cells.append(_interval(one.estimate.low, one.estimate.high, 2))
    headings = ["metric, level, statistic", "n", "none", "95 % interval", *list(METHODS)[1:]]
    right = [False, *(True for _ in headings[1:])]
    note = (
        "correlation with human scores, as assay meta measures it: metrics on the segments that were judged, intervals "
        "over segments, at the system level over systems too"
    )
    return Table("What normalisation does to the metrics", headings, list(rows.values()), right, (note,))


def usage_note(agreement: Agreement) -> str:
    """How many judgements served what, and how many did not, and why."""
    used = agreement.used
    parts = [_USES[name].format(count) for name, count in used.items() if name in _USES and count]
    aside = [words.format(used[name]) for name, words in _ASIDE.items() if used.get(name)]
    return " ".join([f"Of {used['judgements']:,} judgements {', '.join(parts)}.", *aside])


def _notes(agreement: Agreement) -> list[str]:
    setup = agreement.setup
    notes = [usage_note(agreement)]
    if setup.grades is not None:
        notes.append(f"Grades: {setup.grades}.")
    notes.append(f"Intervals: bootstrap over segments, {setup.samples:,} samples, seed {setup.seed}.")
    return notes
