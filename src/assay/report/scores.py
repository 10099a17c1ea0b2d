"""Score tables as people read them: a line per system, a column per metric, the best first."""

from __future__ import annotations

import re

from assay.errors import ParameterError
from assay.metrics.base import Metric
from assay.report.tables import PLAIN, Look, Table, separated
from assay.scoring.score import KEYS, Level, Score, ScoreTable
from assay.scoring.statistics import finite_or_none

INTERVAL = "95 % interval"


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
    tables = [scores_table(result, sacrebleu_signature=sacrebleu_signature)]
    for level in levels:
        tables += level_tables(result, level)
    return "\n".join(table.render(style, look) for table in tables)


def scores_table(result: ScoreTable, *, sacrebleu_signature: bool = False) -> Table:
    """Corpus scores with intervals, and below them what was computed."""
    intervals = any(score.interval is not None for score in result.scores)
    headings = ["system"]
    for metric in result.metrics:
        headings += [heading(metric, result.metrics), INTERVAL][: 1 + intervals]
    rows = []
    for system in result.ranked_systems():
        scores = [result.of(system, metric) for metric in result.metrics]
        rows.append([system, *(cell for score in scores for cell in score_cells(score)[: 1 + intervals])])
    right = [False, *(True for _ in headings[1:])]
    notes = tuple(_notes(result, sacrebleu_signature))
    return Table(_title(result), headings, rows, right, notes, group=1 + intervals)


def level_tables(result: ScoreTable, level: Level) -> list[Table]:
    """Scores of segments, documents or domains: a table per metric, with a column per system."""
    systems = result.ranked_systems()
    tables = []
    for metric in result.metrics:
        columns = [result.level_of(result.of(system, metric), level) for system in systems]
        rows = [
            [str(cells[0][0]), *(number(finite_or_none(score)) for _, score in cells)]
            for cells in zip(*columns, strict=True)
        ]
        title = f"{level.capitalize()}: {heading(metric, result.metrics)}"
        tables.append(Table(title, [KEYS[level], *systems], rows, [False, *(True for _ in systems)]))
    return tables


def heading(metric: Metric, among: list[Metric]) -> str:
    """The metric's label, or its spelling where options or another metric ask for it, and which way is better."""
    twice = [other.label for other in among].count(metric.label) > 1
    plain = str(metric) == metric.name
    return f"{metric.label if plain and not twice else metric} {'↑' if metric.higher_is_better else '↓'}"


def number(value: float | None) -> str:
    """To two digits; a dash where there is none."""
    return "–" if value is None else f"{value:.2f}"


def score_cells(score: Score) -> list[str]:
    """The score and its interval to two digits."""
    if score.interval is None:
        return [number(score.score), "–"]
    return [number(score.score), f"{score.interval.low:.2f} – {score.interval.high:.2f}"]


def _title(result: ScoreTable) -> str:
    campaign = result.campaign
    targeted = campaign.post_edits
    references = ", ".join(f"{name} (targeted)" if name in targeted else name for name in campaign.references)
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
            references = {result.of(system, metric).statistics.provenance.digests[1:] for system in result.systems}
            if len(references) > 1:
                signature = re.sub(r"\|(reference|targeted):[^|]*", "", signature)
        notes.append(signature)
        theirs = score.sacrebleu_signature() if sacrebleu_signature else None
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
