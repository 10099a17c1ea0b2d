"""A tuning as people read it: what it is worth, and the numbers that were found."""

from __future__ import annotations

from assay.learned.tuning.result import FittedNumber, Tuning, Worth
from assay.report.tables import PLAIN, Look, Table, separated

GROUPED = {None: "", "none": "", "item": ", systems within segments", "system": ", segments within systems"}


def render_tuning(found: Tuning, style: str, look: Look = PLAIN) -> str:
    """Two tables and the verdict; TSV and CSV have the first table alone."""
    if style == "json":
        return found.to_json() + "\n"
    if style in ("tsv", "csv"):
        return separated(found.table(), "\t" if style == "tsv" else ",")
    return "\n".join(table.render(style, look) for table in (_worth_table(found), _number_table(found)))


def _worth_table(found: Tuning) -> Table:
    setup = found.setup
    title = (
        f"{found.campaign}: {found.default_metric} tuned to {setup.kind} by {setup.statistic} at the {setup.level} "
        f"level{GROUPED[setup.grouping]}"
    )
    rows = [
        ["as it is", *_cells(found.default, "")],
        ["tuned", *_cells(found.tuned, "")],
        ["difference", *_cells(found.difference, "+")],
    ]
    headings = ["metric", "held out", "95 % interval", "where fitted (flatters)"]
    return Table(title, headings, rows, [False, True, True, True], [found.verdict])


def _cells(worth: Worth, sign: str) -> list[str]:
    interval = "–" if worth.interval is None else f"{worth.interval.low:{sign}.4f} – {worth.interval.high:{sign}.4f}"
    return [f"{worth.value:{sign}.4f}", interval, f"{worth.fitted:{sign}.4f}"]


def _number_table(found: Tuning) -> Table:
    headings = ["parameter", "as it is", "tuned", "mean of folds", "sd", "range"]
    rows = [_number_row(one) for one in found.parameters]
    return Table("Parameters", headings, rows, [False, True, True, True, True, True], _notes(found))


def _number_row(one: FittedNumber) -> list[str]:
    row = one.row()
    ends = "–" if row["lowest"] is None else f"{row['lowest']:.4g} – {row['highest']:.4g}"
    return [one.name, *(_number(row[key]) for key in ("default", "tuned", "mean", "sd")), ends]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _notes(found: Tuning) -> list[str]:
    setup = found.setup
    kept = sum(one.share == 0.0 for one in found.folds)
    shares = f"; {kept} of {setup.folds} folds keep the metric as it is" if kept else ""
    better = sum(
        one.held_out is not None and one.held_out_default is not None and one.held_out > one.held_out_default
        for one in found.folds
    )
    notes = [
        f"Fitted on everything: -m '{found.metric}'",
        f"{setup.folds} folds of {setup.group}s, {setup.points:,} points; better on {better} of the held-out folds"
        f"{shares}. The metric that is fitted on everything goes {found.share:.0%} of the way to the best numbers.",
        f"{setup.tried:,} values tried, text counted {setup.counted} time{'s' if setup.counted != 1 else ''}.",
    ]
    if found.recounted:
        notes.append(
            "Weights of modules also steer the alignment. The search keeps the alignments as they are; the values "
            "above are those of the metric counted anew."
        )
    normalised = "" if setup.normalise == "none" else f", raters normalised ({setup.normalise})"
    drawn = "documents" if setup.group == "document" else "segments"
    intervals = f"; intervals: 95 % of {setup.samples:,} samples of {drawn}" if setup.samples else ""
    notes += [str(found.usage), f"Judgements: {setup.kind}{normalised}{intervals}; seed {setup.seed}."]
    return notes
