"""What lm-evaluation-harness logs with ``--log_samples``: ``samples_TASK_DATE.jsonl`` in a folder of the model.

A line is one document under one filter: ``{"doc_id": 0, "filter": "none", "metrics": ["acc"], "acc": 1.0, ...}``. The
file ``results_DATE.json`` beside it names the model and says of which metrics higher is better, where it is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import is_stream
from assay.data.formats.scores.base import ScoreFormat, ScoreItem, ScoreRows, file_name, json_score, read_json, rows_of
from assay.data.json_lines import is_position, json_text, read_objects
from assay.data.problems import note
from assay.errors import InputError, Place

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9.:+-]+)")
_HEAD = re.compile(r'\{"doc_id": ?[0-9]+, ?"doc"')
_WHAT = 'A line of lm-evaluation-harness is {"doc_id": 0, "filter": "none", "metrics": ["acc"], "acc": 1.0, ...}.'
#: What every line has that is no metric; older versions do not list the metrics.
_FIXED = frozenset(
    [
        "doc_id",
        "doc",
        "target",
        "arguments",
        "resps",
        "filtered_resps",
        "filter",
        "metrics",
        "doc_hash",
        "prompt_hash",
        "target_hash",
    ]
)


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    matched = _NAME.fullmatch(file_name(path))
    task = matched["task"] if matched else file_name(path)
    results = _results(path, matched["date"] if matched else "")
    model = json_text(results.get("model_name"), Place(path), "model_name") or _folder(path)
    left_out: Counter[str] = Counter()
    rows = rows_of(_items(path, model, task, left_out), path, numbered="domain")
    if left_out:
        listed = ", ".join(left_out)
        note(f"not read, for their values are no scores of single documents: {listed}.", Place(path))
    directions = results.get("higher_is_better")
    known = directions.get(task) if isinstance(directions, dict) else None
    return [_directed(one, known if isinstance(known, dict) else {}) for one in rows]


def _results(path: str, date: str) -> Mapping[str, Any]:
    """What the file of results says that was written with the samples."""
    beside = Path(path).parent / f"results_{date}.json"
    if not date or is_stream(path) or not beside.is_file():
        return {}
    value = read_json(str(beside), "lm-evaluation-harness writes an object of results.")
    return value if isinstance(value, dict) else {}


def _folder(path: str) -> str:
    """The folder that a file is in, which the harness names after the model."""
    return Path(path).resolve().parent.name or file_name(path)


def _directed(rows: ScoreRows, known: Mapping[str, Any]) -> ScoreRows:
    direction = known.get(rows.metric.partition(",")[0])
    return replace(rows, higher_is_better=direction) if isinstance(direction, bool) else rows


def _items(path: str, model: str, task: str, left_out: Counter[str]) -> Iterator[ScoreItem]:
    for place, value in read_objects(path, _WHAT):
        document, metrics = value.get("doc_id"), value.get("metrics")
        if not is_position(document):
            raise InputError(f"doc_id is {document!r:.40}, but a number from 0 on is needed.", _WHAT, place)
        if metrics is not None and not isinstance(metrics, list):
            raise InputError(f"metrics is {metrics!r:.40}, but a list of names is needed.", _WHAT, place)
        filtered = json_text(value.get("filter"), place, "filter") or "none"
        for name in map(str, metrics) if metrics is not None else [key for key in value if key not in _FIXED]:
            score = value.get(name)
            if isinstance(score, (list, dict)) or (metrics is None and isinstance(score, str)):
                left_out[name] += 1
                continue
            score = float(score) if isinstance(score, bool) else json_score(score, place, name)
            # As the harness names them where there are several filters.
            metric = name if filtered == "none" else f"{name},{filtered}"
            yield ScoreItem(metric, model, str(document), score, place.line or 0, domain=task)


FORMAT = ScoreFormat(
    lambda name, head: name.endswith(".jsonl") and _HEAD.match(head) is not None,
    _read,
)
