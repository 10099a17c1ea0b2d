"""Predictions as tables, and the card of the model behind them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assay.errors import ParameterError
from assay.learned.prediction import Prediction
from assay.learned.saved.model_file import QualityModel
from assay.report.tables import PLAIN, Look, Table, separated
from assay.scoring.statistics import KEYS, Level
from assay.version import __version__

INTERVAL = "95 % interval"


def number(value: float | None) -> str:
    """To two digits; a dash where there is none."""
    return "–" if value is None else f"{value:.2f}"


def render_predictions(result: Prediction, style: str, *, levels: tuple[Level, ...] = (), look: Look = PLAIN) -> str:
    """``result`` in one of the output formats."""
    if style == "json":
        return result.to_json(*levels) + "\n"
    if style in ("tsv", "csv"):
        require_one_table(style, levels)
        rows = result.level(levels[0]) if levels else result.table()
        return separated(rows, "\t" if style == "tsv" else ",")
    tables = [_systems(result), *(_level(result, level) for level in levels)]
    return "\n".join(table.render(style, look) for table in tables)


def require_one_table(style: str, levels: tuple[Level, ...]) -> None:
    """Refuse several levels in a format that holds one table."""
    if style in ("tsv", "csv") and len(levels) > 1:
        asked = ", ".join("--" + level for level in levels)
        raise ParameterError(f"TSV and CSV hold one table: ask for one of {asked}, or for JSON.")


def _systems(result: Prediction) -> Table:
    by_name = {row["system"]: row for row in result.table()}
    rows = [by_name[system] for system in result.ranked_systems()]
    headings = ["system", "score ↑", *([INTERVAL] if result.intervals else []), *_share_headings(result)]
    cells = [
        [
            row["system"],
            number(row["score"]),
            *([f"{row['low']:.2f} – {row['high']:.2f}"] if result.intervals else []),
            *_share_cells(result, row),
        ]
        for row in rows
    ]
    return Table(_title(result), headings, cells, _right(headings, 1), (result.signature,))


def _level(result: Prediction, level: Level) -> Table:
    key = KEYS[level]
    names = result.grade_names
    graded = level == "segments" and bool(names)
    shares = [f"P({name})" for name in names] if graded else _share_headings(result)
    headings = ["system", key, *(["grade"] if graded else []), "score", *shares]
    rows = []
    for row in result.level(level):
        likely = [number(row[f"probability_{name}"]) for name in names] if graded else _share_cells(result, row)
        grade = ["–" if row["grade"] is None else str(row["grade"])] if graded else []
        rows.append([row["system"], str(row[key]), *grade, number(row["score"]), *likely])
    return Table(level.capitalize(), headings, rows, _right(headings, 2))


def _share_headings(result: Prediction) -> list[str]:
    return [f"% {name}" for name in result.grade_names]


def _share_cells(result: Prediction, row: Mapping[str, Any]) -> list[str]:
    shares = [row[f"share_{name}"] for name in result.grade_names]
    return ["–" if share is None else f"{share:.1f}" for share in shares]


def _right(headings: list[str], words: int) -> list[bool]:
    return [index >= words for index in range(len(headings))]


def _title(result: Prediction) -> str:
    segments = result.segment_count
    card = result.model.card
    learner = f" by {card.method}" if card.method else ""
    return (
        f"{result.campaign}: {segments:,} segment{'' if segments == 1 else 's'}, references "
        f"{', '.join(result.references)}; predicted{learner}: {card.unit}"
    )


def render_card(model: QualityModel, path: str, style: str, look: Look = PLAIN) -> str:
    """The card in one of the output formats."""
    rows = _card_rows(model)
    if style == "json":
        document = {
            "assay": __version__,
            "command": "predict",
            "model": {
                "kind": model.model.kind,
                "digest": model.digest,
                "features": [signature.to_data() for signature in model.signatures],
                "card": model.card.to_data(),
            },
        }
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    if style in ("tsv", "csv"):
        listed = [{"field": name, "value": value} for name, value in rows]
        return separated(listed, "\t" if style == "tsv" else ",")
    title = f"{path}: a model of kind {model.model.kind}"
    return Table(title, ["field", "value"], [list(row) for row in rows], [False, False]).render(style, look)


def _card_rows(model: QualityModel) -> list[tuple[str, str]]:
    card = model.card
    rows = [("method", card.method), ("task", card.task), ("unit", card.unit), ("judgements", ", ".join(card.kinds))]
    for one in card.training:
        systems = f"{len(one.systems)} system{'' if len(one.systems) == 1 else 's'}"
        counts = f"{one.translations:,} judged translations, {one.segments:,} segments, {systems}"
        rows.append(("trained on", f"{one.campaign}: {counts}, references {', '.join(one.references)}"))
        rows += [("digest", f"{what}: {digest}") for what, digest in one.digests.items()]
    rows += [
        ("grades", ", ".join(card.grades)),
        ("cut points", ", ".join(f"{cut:g}" for cut in card.cuts)),
        ("folds", card.folds),
    ]
    for result in card.held_out:
        interval = "" if result.low is None or result.high is None else f" [{result.low:.4g}, {result.high:.4g}]"
        rows.append(("held out", f"{result.statistic}: {result.value:.4g}{interval}"))
    for feature in model.signatures:
        spelled = feature.fields or "a score of another program, from a file"
        part = f":{feature.part}" if feature.part else ""
        digests = "".join(f"|{option}:{digest[:12]}" for option, digest in feature.resources.items())
        rows.append((f"feature {feature.name}", f"{spelled}{part}{digests}"))
    rows += [(f"setting {name}", value) for name, value in card.settings.items()]
    rows += [(f"version of {name}", value) for name, value in card.versions.items()]
    rows += [("seed", "" if card.seed is None else str(card.seed)), *(("note", note) for note in card.notes)]
    rows.append(("content digest", model.digest))
    return [(name, value) for name, value in rows if value]
