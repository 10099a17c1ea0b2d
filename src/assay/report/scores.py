"""Score tables as people read them: a line per system, a column per metric, the best first."""

from __future__ import annotations

from dataclasses import replace

from assay.errors import ParameterError
from assay.metrics.base import Metric
from assay.report.tables import PLAIN, Look, Table, separated
from assay.scoring.score import Level, Score, ScoreTable

INTERVAL = "95 % interval"
#: Columns between two cells.
GAP = 3


def render_scores(
    result: ScoreTable,
    style: str,
    *,
    levels: tuple[Level, ...] = (),
    look: Look = PLAIN,
    sacrebleu_signature: bool = False,
) -> str:
    """``result`` in one of the output formats."""
    if style == "json":
        return result.to_json(*levels, sacrebleu_signature=sacrebleu_signature) + "\n"
    if style in ("tsv", "csv"):
        separator = "\t" if style == "tsv" else ","
        return _one_table(result, separator, levels, sacrebleu_signature=sacrebleu_signature)
    tables = scores_tables(result, look, sacrebleu_signature=sacrebleu_signature)
    for level in levels:
        tables += level_tables(result, level)
    return "\n".join(table.render(style, look) for table in tables)


def scores_tables(result: ScoreTable, look: Look = PLAIN, *, sacrebleu_signature: bool = False) -> list[Table]:
    """Corpus scores with intervals, and below them what was computed; several tables where one is too wide."""
    systems = result.ranked_systems()
    names = [["system"], *([system] for system in systems)]
    groups = [names]
    for metric in result.metrics:
        columns = [
            [heading(metric, result.metrics), INTERVAL],
            *(score_cells(result.of(system, metric)) for system in systems),
        ]
        columns[0] = columns[0][: len(columns[1])]
        wider = [left + right for left, right in zip(groups[-1], columns, strict=True)]
        if len(groups[-1][0]) > 1 and _width(wider) > (look.width or 10_000):
            groups.append([left + right for left, right in zip(names, columns, strict=True)])
        else:
            groups[-1] = wider
    tables = [Table("", lines[0], lines[1:], [False, *(True for _ in lines[0][1:])]) for lines in groups]
    tables[0] = replace(tables[0], title=_title(result))
    tables[-1] = replace(tables[-1], notes=tuple(_notes(result, sacrebleu_signature)))
    return tables


def _width(lines: list[list[str]]) -> int:
    return sum(max(map(len, column)) for column in zip(*lines, strict=True)) + GAP * (len(lines[0]) - 1)


def level_tables(result: ScoreTable, level: Level) -> list[Table]:
    """Scores of segments, documents or domains: a table per metric, with a column per system."""
    key = level[:-1]
    systems = result.ranked_systems()
    rows = result.level(level)
    tables = []
    for metric in result.metrics:
        cells: dict[str, dict[str, str]] = {}
        for row in rows:
            if row["metric"] == str(metric):
                cells.setdefault(str(row[key]), {})[row["system"]] = number(row["score"])
        title = f"{level.capitalize()}: {heading(metric, result.metrics)}"
        lines = [[name, *(values[system] for system in systems)] for name, values in cells.items()]
        tables.append(Table(title, [key, *systems], lines, [False, *(True for _ in systems)]))
    return tables


def heading(metric: Metric, among: list[Metric]) -> str:
    """The metric's label with an arrow that says which way is better; its spelling where labels clash."""
    twice = [other.label for other in among].count(metric.label) > 1
    return f"{metric if twice else metric.label} {'↑' if metric.higher_is_better else '↓'}"


def number(value: float | None) -> str:
    """To two digits; a dash where there is none."""
    return "–" if value is None else f"{value:.2f}"


def score_cells(score: Score) -> list[str]:
    """The score and its interval to two digits."""
    if score.interval is None:
        return [f"{score.score:.2f}"]
    return [f"{score.score:.2f}", f"{score.interval.low:.2f} – {score.interval.high:.2f}"]


def _title(result: ScoreTable) -> str:
    campaign = result.campaign
    references = ", ".join(campaign.references)
    plural = "reference" if len(campaign.references) == 1 else "references"
    counts = f"{_count(len(campaign), 'segment')}, {_count(len(campaign.systems), 'system')}"
    return f"{campaign.name}: {counts}, {plural} {references}"


def _count(number: int, thing: str) -> str:
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def _notes(result: ScoreTable, sacrebleu_signature: bool) -> list[str]:
    """A signature per metric; digests of translations stand in the other formats, one per score."""
    notes = []
    for metric in result.metrics:
        score = result.of(result.systems[0], metric)
        signature = score.signature
        if len(result.systems) > 1:
            digest = score.statistics.provenance.translation_digest[:12]
            signature = signature.replace(f"|translation:{digest}", "")
        notes.append(signature)
        theirs = metric.sacrebleu_signature(len(result.campaign.references)) if sacrebleu_signature else None
        if theirs is not None:
            notes.append(f"sacreBLEU: {theirs}")
    return notes


def _one_table(result: ScoreTable, separator: str, levels: tuple[Level, ...], *, sacrebleu_signature: bool) -> str:
    if len(levels) > 1:
        raise ParameterError(
            f"TSV and CSV hold one table: ask for one of {', '.join('--' + level for level in levels)}, or for JSON."
        )
    if levels:
        return separated(result.level(levels[0]), separator)
    rows = result.table(sacrebleu_signature=sacrebleu_signature)
    return separated([{key: value for key, value in row.items() if key != "parts"} for row in rows], separator)
