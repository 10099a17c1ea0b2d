"""Every Eval Ever's files, version 0.3.0 of its schemas: ``UUID.json`` about a system, and ``UUID_samples.jsonl``.

The first is an object with the scores of the system, a result for each metric. A line of the second is one instance of
the system under one result; of which of them lower is better, ``UUID.json`` beside it says. The metric is what both
call ``evaluation_result_id`` or, without one, ``evaluation_name``.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.files import Files, is_folder, is_stream, plain_name, read_head
from assay.data.formats.scores.base import ScoreFormat, ScoreItem, ScoreRows, file_name, json_score, read_json, rows_of
from assay.data.json_lines import json_text, read_objects, spell_objects
from assay.data.problems import note
from assay.errors import InputError, Place, shown
from assay.results.every_eval_ever import NO_TIME, VERSION, Record, judged, one_of, result_of, sample_of

#: Versions of this number and below are read.
_NEWEST = (0, 3)
#: An object about a system, whose keys may come in any order, and a line about an instance.
_ABOUT = re.compile(r'\s*\{(?=.*"evaluation_id"\s*:)(?=.*"(?:evaluation_results|model_info)"\s*:)', re.DOTALL)
_HEAD = re.compile(r'\{[^\n]*"evaluation_id":[^\n]*"sample_id":')
_WHAT = 'A line is {"model_id": .., "evaluation_name": .., "sample_id": .., "evaluation": {"score": 1}, ...}.'
_WHAT_ABOUT = (
    "Every Eval Ever has an object there, with schema_version, evaluation_id, model_info with an id, and "
    "evaluation_results, each with evaluation_name, metric_config with lower_is_better, and score_details with a score."
)
_SAMPLES = "_samples"
#: What a level that nobody knows is written as.
_UNKNOWN = -1
#: Parts of a result that scores have no place for, and what they hold.
_LOST = {
    "uncertainty": "intervals and standard errors (uncertainty)",
    "generation_config": "how outputs were made (generation_config)",
    "llm_scoring": "which model judged (llm_scoring)",
    "level_names": "names of levels (level_names)",
}


def _recognises(name: str, head: str) -> bool:
    return (name.endswith(".jsonl") and _HEAD.match(head) is not None) or _is_about(name, head)


def _is_about(name: str, head: str) -> bool:
    return not name.endswith(".jsonl") and _ABOUT.match(head) is not None


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    if _is_about(plain_name(path), read_head(path)):
        return _of_system(path)
    known = _results(path)
    rows = rows_of(_items(path, known), path, numbered="domain")
    return [_directed(one, known.get(one.metric, {})) for one in rows]


def _of_system(path: str) -> list[ScoreRows]:
    """The scores of the one system that a file is about."""
    value, place = read_json(path, _WHAT_ABOUT), Place(path)
    version = value.get("schema_version")
    numbers = re.match(r"(\d{1,9})\.(\d{1,9})(?:\.|$)", version) if isinstance(version, str) else None
    if numbers is None:
        raise InputError(f"schema_version is {shown(version)}, but a version such as {VERSION} is needed.", place=place)
    if (int(numbers[1]), int(numbers[2])) > _NEWEST:
        what = f"its schema_version is {shown(version)}, and Assay knows those up to {VERSION}."
        raise InputError(what, "Use a newer Assay, or convert the file to that version.", place)
    system = json_text(_part(value, "model_info", place).get("id"), place, "the id in model_info")
    results = value.get("evaluation_results")
    if system is None or not isinstance(results, list):
        missing = "id in model_info" if system is None else "list of evaluation_results"
        raise InputError(f"no {missing}.", _WHAT_ABOUT, place)
    names = _metrics_of(results)
    items, lower, lost = [], {}, set()
    for number, (metric, one) in enumerate(zip(names, results, strict=True)):
        here = place._replace(part=f"evaluation_results[{number}]")
        if metric is None:
            raise InputError("no evaluation_name.", _WHAT_ABOUT, here)
        config, details = (_part(one, name, here) for name in ("metric_config", "score_details"))
        if not isinstance(config.get("lower_is_better"), bool):
            raise InputError("lower_is_better is neither true nor false.", _WHAT_ABOUT, here)
        if "score" not in details:
            raise InputError("no score in score_details.", _WHAT_ABOUT, here)
        score = json_score(details["score"], here)
        if score == _UNKNOWN and config.get("has_unknown_level") is True:
            score = math.nan
        items.append(ScoreItem(metric, system, "", score, level="systems"))
        lower[metric] = config["lower_is_better"]
        lost |= {name for name in _LOST if name in one or name in config or name in details}
    if lost:
        listed = ", ".join(what for name, what in _LOST.items() if name in lost)
        note(f"Of Every Eval Ever's files scores are read, and not {listed}.")
    return [replace(one, higher_is_better=not lower[one.metric]) for one in rows_of(items, path)]


def _part(value: Any, name: str, place: Place) -> Mapping[str, Any]:
    """An object in an object."""
    part = value.get(name) if isinstance(value, dict) else None
    if not isinstance(part, dict):
        raise InputError(f"no {name}.", _WHAT_ABOUT, place)
    return part


def _metrics_of(results: Sequence[Any]) -> list[str | None]:
    """What each result is of: its id, or its name, with the metric where several results without an id have one."""
    named = [one if isinstance(one, dict) else {} for one in results]
    ids = [_text(one.get("evaluation_result_id")) for one in named]
    tasks = [_text(one.get("evaluation_name")) for one in named]
    without = Counter(task for known, task in zip(ids, tasks, strict=True) if known is None)
    found = []
    for one, known, task in zip(named, ids, tasks, strict=True):
        config = one.get("metric_config")
        config = config if isinstance(config, dict) else {}
        metric = _text(config.get("metric_id")) or _text(config.get("metric_name"))
        found.append(known or (f"{task}/{metric}" if task and metric and without[task] > 1 else task))
    return found


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _results(path: str) -> dict[str, Mapping[str, Any]]:
    """What the file about all instances says of each metric."""
    beside = Path(path).parent / f"{file_name(path).removesuffix(_SAMPLES)}.json"
    if is_stream(path) or not file_name(path).endswith(_SAMPLES) or not beside.is_file():
        return {}
    value = read_json(str(beside), _WHAT_ABOUT)
    listed = value.get("evaluation_results") if isinstance(value, dict) else None
    results = listed if isinstance(listed, list) else []
    known = zip(_metrics_of(results), results, strict=True)
    configs = {metric: one.get("metric_config") for metric, one in known if metric is not None}
    return {metric: config for metric, config in configs.items() if isinstance(config, dict)}


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
    """Records of instances, a line for each score of a segment; as ``.json`` or into a folder, files about systems."""
    folder = is_folder(path) or path.endswith(("/", os.sep))
    if folder or plain_name(path).endswith(".json"):
        return _about_systems(campaign, path, folder=folder)
    if not any(scores.segments for scores in campaign.scores.values()):
        what = f"{campaign.name} has no scores of segments, which these records are of."
        remedy = "Scores of systems are written as .json." if any(map(_of_systems, campaign.scores.values())) else ""
        raise InputError(what, remedy, Place(path))
    lost = [f"that lower is better of {one.name}" for one in campaign.scores.values() if not one.higher_is_better]
    _say_lost(campaign.scores.values(), path, ("segments",), lost)
    return {
        "": spell_objects(
            {"schema_version": VERSION, "evaluation_id": f"{campaign.name}/{system}", **sample}
            for system, sample in _samples(campaign, campaign.scores)
        )
    }


def _about_systems(campaign: Campaign, path: str, *, folder: bool) -> Files:
    """A file for each system that has scores, with its segments beside it, or of one system alone."""
    known = {name: one for name, one in campaign.scores.items() if _of_systems(one)}
    if not known:
        what = f"{campaign.name} has no scores of systems, which these files are about."
        raise InputError(what, "Scores of segments are written as .jsonl.", Place(path))
    samples: dict[str, list[dict[str, Any]]] = {}
    for system, sample in _samples(campaign, known) if folder else ():
        samples.setdefault(system, []).append(sample)
    results: dict[str, list[dict[str, Any]]] = {}
    for metric, one in known.items():
        for system, score in _of_systems(one).items():
            if not math.isnan(score):
                found = result_of(metric, campaign.name, score, higher_is_better=one.higher_is_better)
                results.setdefault(system, []).append(found)
    others = [f"scores of {name}, which are of no whole systems" for name in campaign.scores if name not in known]
    _say_lost(known.values(), path, ("segments", "systems") if folder else ("systems",), others)
    note(NO_TIME)
    records = [Record(campaign.name, system, of, samples.get(system, ())) for system, of in results.items()]
    if folder:
        return {name: [text.encode()] for record in records for name, text in record.files().items()}
    return {"": [one_of(records, path, "Write all of them into a folder, FOLDER/.").encode()]}


def _of_systems(scores: ExternalScores) -> Mapping[str, float]:
    return scores.systems or {}


def _say_lost(scores: Collection[ExternalScores], path: str, kept: Sequence[str], more: Sequence[str]) -> None:
    written = (ExternalScores(one.name, **{level: getattr(one, level) for level in kept}) for one in scores)
    missing = sum(one.missing for one in written)
    others = {level for one in scores for level in one.levels if level not in kept}
    lost = [f"{missing} missing scores"] * bool(missing) + [f"scores of {level}" for level in sorted(others)]
    if lost or more:
        note(f"{path} has no place for {', '.join([*lost, *more])}.")


def _samples(campaign: Campaign, known: Mapping[str, ExternalScores]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each score of a segment as a record, with its system."""
    names = campaign.segment_names()
    labels = {"document": campaign.documents, "cluster": campaign.columns.get("cluster")}
    for metric, one in known.items():
        for system, scores in (one.segments or {}).items():
            texts = campaign.systems.get(system) if campaign.has_texts else None
            for place, score in enumerate(scores.tolist()):
                if math.isnan(score):
                    continue
                sample = sample_of(
                    system,
                    campaign.domains[place] if campaign.domains else campaign.name,
                    names[place],
                    raw="" if campaign.source is None else campaign.source[place],
                    reference=[
                        column[place]
                        for reference, column in campaign.references.items()
                        if reference not in campaign.present or campaign.present[reference][place]
                    ],
                    output=[] if texts is None else [texts[place]],
                    metadata={label: column[place] for label, column in labels.items() if column is not None},
                )
                yield system, {**sample, "evaluation_result_id": metric, **judged(score, best=score == 1)}


FORMAT = ScoreFormat(_recognises, _read)
