"""Every Eval Ever's records of single instances, version 0.3.0 of its schema: JSON Lines, ``UUID_samples.jsonl``.

A line is one instance of one system under one result, ``evaluation_result_id``, which is the metric here. ``UUID.json``
beside it says of which results lower is better, where it is there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import Files, is_stream
from assay.data.formats.scores.base import ScoreFormat, ScoreItem, ScoreRows, file_name, json_score, read_json, rows_of
from assay.data.json_lines import json_text, read_objects, spell_objects
from assay.data.problems import note
from assay.errors import InputError, Place

_VERSION = "0.3.0"
_HEAD = re.compile(r'\{[^\n]*"evaluation_id":[^\n]*"sample_id":')
_WHAT = 'A line is {"model_id": .., "evaluation_name": .., "sample_id": .., "evaluation": {"score": 1}, ...}.'
_SAMPLES = "_samples"
#: What a level that nobody knows is written as.
_UNKNOWN = -1


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    known = _results(path)
    rows = rows_of(_items(path, known), path, numbered="domain")
    return [_directed(one, known.get(one.metric, {})) for one in rows]


def _results(path: str) -> dict[str, Mapping[str, Any]]:
    """What the file about all instances says of each metric."""
    beside = Path(path).parent / f"{file_name(path).removesuffix(_SAMPLES)}.json"
    if is_stream(path) or not file_name(path).endswith(_SAMPLES) or not beside.is_file():
        return {}
    value = read_json(str(beside), "Every Eval Ever has an object there.")
    listed = value.get("evaluation_results") if isinstance(value, dict) else None
    known: dict[str, Mapping[str, Any]] = {}
    for one in listed if isinstance(listed, list) else ():
        config = one.get("metric_config") if isinstance(one, dict) else None
        if isinstance(config, dict):
            known[str(one.get("evaluation_result_id") or one.get("evaluation_name"))] = config
    return known


def _directed(rows: ScoreRows, config: Mapping[str, Any]) -> ScoreRows:
    lower = config.get("lower_is_better")
    return replace(rows, higher_is_better=not lower) if isinstance(lower, bool) else rows


def _items(path: str, known: Mapping[str, Mapping[str, Any]]) -> Iterator[ScoreItem]:
    for place, value in read_objects(path, _WHAT):
        names = ("model_id", "evaluation_name", "sample_id", "evaluation_result_id")
        system, task, sample, result = (json_text(value.get(name), place, name) for name in names)
        evaluation = value.get("evaluation")
        if system is None or task is None or sample is None or not isinstance(evaluation, dict):
            keys = ("model_id", "evaluation_name", "sample_id", "evaluation")
            missing = next(key for key in keys if not value.get(key) or key == "evaluation")
            raise InputError(f"no {missing}.", _WHAT, place)
        metric = result or task
        score = json_score(evaluation.get("score"), place)
        if score == _UNKNOWN and known.get(metric, {}).get("has_unknown_level") is True:
            score = math.nan
        labels = value.get("metadata")
        labels = labels if isinstance(labels, dict) else {}
        document, cluster = (json_text(labels.get(name), place, name) for name in ("document", "cluster"))
        yield ScoreItem(metric, system, sample, score, place.line or 0, document=document, domain=task, cluster=cluster)


def write(campaign: Campaign, path: str, _pair: str | None) -> Files:
    """A record for each score of a segment; ``is_correct`` says that it is 1, as it does for logs of harnesses."""
    if not any(scores.segments for scores in campaign.scores.values()):
        what = f"{campaign.name} has no scores of segments, and every-eval-ever holds nothing else."
        raise InputError(what, place=Place(path))
    missing = sum(
        math.isnan(score)
        for one in campaign.scores.values()
        for scores in (one.segments or {}).values()
        for score in scores.tolist()
    )
    others = {level for one in campaign.scores.values() for level in one.levels if level != "segments"}
    lost = [f"{missing} missing scores"] * bool(missing) + [f"scores of {level}" for level in sorted(others)]
    lost += [f"that lower is better of {one.name}" for one in campaign.scores.values() if not one.higher_is_better]
    if lost:
        note(f"{path} has no place for {', '.join(lost)}.")
    return {"": spell_objects(_records(campaign))}


def _records(campaign: Campaign) -> Iterator[dict[str, Any]]:
    names = campaign.segment_names()
    for metric, one in campaign.scores.items():
        for system, scores in (one.segments or {}).items():
            for place, score in enumerate(scores.tolist()):
                if not math.isnan(score):
                    sampled = {"model_id": system, "evaluation_result_id": metric, "sample_id": names[place]}
                    judged = {"evaluation": {"score": score, "is_correct": score == 1}}
                    yield {**_instance(campaign, system, place), **sampled, **judged}


def _instance(campaign: Campaign, system: str, place: int) -> dict[str, Any]:
    """What a record says of a segment of a system, whatever its score."""
    texts = campaign.systems.get(system)
    labels = {"document": campaign.documents, "cluster": campaign.columns.get("cluster")}
    references = [
        column[place]
        for reference, column in campaign.references.items()
        if reference not in campaign.present or campaign.present[reference][place]
    ]
    return {
        "schema_version": _VERSION,
        "evaluation_id": f"{campaign.name}/{system}",
        "evaluation_name": campaign.domains[place] if campaign.domains else campaign.name,
        "interaction_type": "single_turn",
        "input": {
            "raw": campaign.source[place] if campaign.source is not None else "",
            "reference": references,
        },
        "output": {"raw": [] if texts is None else [texts[place]]},
        "answer_attribution": [],
        "metadata": {key: column[place] for key, column in labels.items() if column is not None},
    }


FORMAT = ScoreFormat(lambda name, head: name.endswith(".jsonl") and _HEAD.match(head) is not None, _read)
