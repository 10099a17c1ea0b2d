"""Automatic scores of WMT25's general translation task: JSON Lines, one file per system, one document per line.

``{"language_pair": "en-cs_CZ", "domain": "news", "document_id": "d1", "metric_scores": {"COMET": [0.7, 0.4]}}`` has one
score per metric and paragraph; an item is a paragraph of a document. The file's name is the system's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import plain_name
from assay.data.formats.scores.base import ScoreFormat, ScoreItem, ScoreRows, json_score, rows_of
from assay.data.json_lines import first_object, json_text, read_objects
from assay.errors import InputError, Place

_WHAT = 'A line is one document: {"document_id": "d1", "metric_scores": {"COMET": [0.7, 0.4]}}.'


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    system = Path(plain_name(path)).stem
    items = (_items(system, *placed) for placed in read_objects(path, _WHAT))
    return rows_of(chain.from_iterable(items), path, numbered="document")


def _items(system: str, place: Place, value: dict[str, Any]) -> Iterator[ScoreItem]:
    document = json_text(value.get("document_id"), place, "document_id")
    metrics = value.get("metric_scores")
    if document is None or not isinstance(metrics, dict):
        missing = "no document_id" if document is None else "metric_scores is no object of lists"
        raise InputError(f"{missing}.", _WHAT, place)
    domain, pair = (json_text(value.get(key), place, key) for key in ("domain", "language_pair"))
    expected = None
    for metric, scores in metrics.items():
        if not isinstance(scores, list):
            raise InputError(f"the scores of {metric!r} are no list.", _WHAT, place)
        expected = len(scores) if expected is None else expected
        if len(scores) != expected:
            first = next(iter(metrics))
            raise InputError(f"{len(scores)} scores of {metric!r}, but {expected} of {first!r}.", _WHAT, place)
        for number, score in enumerate(scores):
            what = f"score {number} of {metric!r}"
            yield ScoreItem(
                metric, system, str(number), json_score(score, place, what), place.line or 0,
                document=document, domain=domain, pair=pair,
            )  # fmt: skip


FORMAT = ScoreFormat(
    lambda name, head: name.endswith(".jsonl") and isinstance(first_object(head).get("metric_scores"), dict), _read
)
