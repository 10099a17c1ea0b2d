"""What MetricX's ``predict`` writes: JSON Lines, each the object that it was given with a ``prediction`` from 0 to 25.

Lower is better there. ``system_id`` and ``segment_id``, which its ``evaluate`` reads, are used where they are; else the
file is one system's, in the order of the test set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.data.campaign import Campaign
from assay.data.formats.scores.base import ScoreFormat, ScoreItem, ScoreRows, file_name, json_score, rows_of
from assay.data.json_lines import first_object, is_position, json_text, read_objects
from assay.errors import InputError

_WHAT = 'A line of MetricX is an object with a prediction: {"hypothesis": "..", "reference": "..", "prediction": 1.5}.'
_SCORED = ("hypothesis", "system_id")


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    return rows_of(_items(path), path, numbered="test set", higher_is_better=False)


def _items(path: str) -> Iterator[ScoreItem]:
    stem = file_name(path)
    counts: Counter[str] = Counter()
    for place, value in read_objects(path, _WHAT):
        if "prediction" not in value:
            raise InputError("no prediction.", _WHAT, place)
        score = json_score(value["prediction"], place, "prediction")
        if score < 0:
            what = f"the prediction is {score:g}, but MetricX gives 0 (best) to 25."
            raise InputError(what, "If they were negated, write them as a table: system, segment, score.", place)
        system = json_text(value.get("system_id"), place, "system_id")
        # What the file says neither of the system nor of the metric is what it is called.
        metric, system = ("MetricX", stem) if system is None else (stem, system)
        segment = value.get("segment_id", counts[system])
        if not is_position(segment):
            raise InputError(f"segment_id is {segment!r}, but a number from 0 on is needed.", place=place)
        counts[system] += 1
        yield ScoreItem(metric, system, str(segment), score, place.line or 0)


def _recognises(name: str, head: str) -> bool:
    if not name.endswith(".jsonl"):
        return False
    first = first_object(head)
    return "prediction" in first and any(key in first for key in _SCORED)


FORMAT = ScoreFormat(_recognises, _read)
