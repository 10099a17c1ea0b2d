"""Inspect's logs of version 2: ``.eval``, a zip archive whose members are JSON compressed with zstd, and ``.json``.

A log is one model's on one task. Each sample has scores by scorer; a score of several values is a metric for each, and
grades are numbers as Inspect's own metrics take them: C is 1, P is 0.5, I and N are 0. Epochs are runs of the model.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import read_members, texts_of
from assay.data.formats.scores.base import (
    ScoreFormat,
    ScoreItem,
    ScoreRows,
    json_score,
    parsed_json,
    read_json,
    rows_of,
)
from assay.data.json_lines import is_position, json_text
from assay.errors import InputError, Place, shown

#: Members of an archive: what the log is of, the scores of all samples, the same as a log in progress has it, and the
#: samples whole.
_HEADERS = ("header.json", "_journal/start.json")
_SUMMARIES = "summaries.json"
_JOURNAL = re.compile(r"_journal/summaries/([0-9]{1,9})\.json")
_SAMPLE = re.compile(r"samples/[^/]+\.json")
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_JSON = re.compile(r'\s*\{\s*(?:"version"\s*:\s*[0-9]+\s*,\s*)?"status"\s*:\s*"[a-z]+"\s*,')
_WHAT = "A log of Inspect has the model and the task in eval, and samples with scores."


def _read_archive(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    names = read_members(path, lambda name: name in (*_HEADERS, _SUMMARIES) or _JOURNAL.fullmatch(name) is not None)
    values = {
        name: parsed_json(texts_of(content, f"{path}: {name}").buffer, Place(path, part=name), _WHAT)
        for name, content in names.items()
    }
    header = next((values[name] for name in _HEADERS if name in values), None)
    journal = sorted(
        (name for name in values if _JOURNAL.fullmatch(name)), key=lambda name: int(re.sub(r"\D", "", name))
    )
    samples = values.get(_SUMMARIES)
    if samples is None:
        samples = [one for name in journal for one in _listed(values[name], Place(path, part=name))]
    if not samples and not journal:
        # Logs of before there were summaries.
        members = read_members(path, lambda name: _SAMPLE.fullmatch(name) is not None)
        samples = [parsed_json(content, Place(path, part=name), _WHAT) for name, content in members.items()]
    return _rows(path, header, samples)


def _read_json_log(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    value = read_json(path, _WHAT)
    if not isinstance(value, dict):
        raise InputError("this is no log of Inspect.", _WHAT, Place(path))
    return _rows(path, value, value.get("samples") or [])


def _listed(value: Any, place: Place) -> list[Any]:
    if not isinstance(value, list):
        raise InputError("no list of samples.", _WHAT, place)
    return value


def _rows(path: str, header: Any, samples: Any) -> list[ScoreRows]:
    known = header.get("eval") if isinstance(header, dict) else None
    place = Place(path)
    if not isinstance(known, dict):
        raise InputError("it does not say which model and task it is of.", _WHAT, place)
    model, task = (json_text(known.get(name), place, name) for name in ("model", "task"))
    if model is None or task is None:
        raise InputError(f"no {'task' if model else 'model'} is named.", _WHAT, place)
    return rows_of(_items(path, model, task, _listed(samples, place)), path, numbered="domain")


def _items(path: str, model: str, task: str, samples: Iterable[Any]) -> Iterator[ScoreItem]:
    #: The last of several records of one sample counts: it was run again.
    last: dict[tuple[str, int], tuple[Mapping[str, Any], Place]] = {}
    for number, sample in enumerate(samples):
        place = Place(path, part=f"sample {number + 1}")
        name = json_text(sample.get("id"), place, "id") if isinstance(sample, dict) else None
        epoch = sample.get("epoch", 1) if isinstance(sample, dict) else None
        if name is None or not is_position(epoch):
            raise InputError("a sample without an id and the number of its epoch.", _WHAT, place)
        last.pop((name, epoch), None)
        last[name, epoch] = sample, place._replace(part=f"sample {name}")
    several = any(epoch > 1 for _, epoch in last)
    scored = {key: _scores(sample.get("scores"), place) for key, (sample, place) in last.items()}
    metrics = dict.fromkeys(metric for scores in scored.values() for metric in scores)
    for (name, epoch), scores in scored.items():
        run = str(epoch) if several else None
        for metric in metrics:
            # A sample that failed has no score.
            yield ScoreItem(metric, model, name, scores.get(metric, math.nan), domain=task, run=run)


def _scores(value: Any, place: Place) -> dict[str, float]:
    """The numbers of a sample by metric; one of several values is called ``scorer/value``."""
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(score, dict) and "value" in score for score in value.values()):
        raise InputError("its scores are no objects with a value each.", _WHAT, place)
    scores: dict[str, float] = {}
    for scorer, score in value.items():
        parts = score["value"]
        if isinstance(parts, list):
            parts = {str(number): part for number, part in enumerate(parts)}
        if isinstance(parts, dict):
            scores |= {f"{scorer}/{name}": _number(part, place, f"{scorer}/{name}") for name, part in parts.items()}
        else:
            scores[scorer] = _number(parts, place, scorer)
    return scores


def _number(value: Any, place: Place, what: str) -> float:
    """A value as a number, as Inspect's ``value_to_float`` has it; it gives 0 for other text, which is refused here."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, str):
        grade = _GRADES.get(value, _GRADES.get(value.lower()) if len(value) > 1 else None)
        if grade is not None:
            return grade
    try:
        return json_score(value, place, what)
    except InputError:
        words = ", ".join(_GRADES)
        message = f"{what} is {shown(value)}, but a number is needed, or one of {words}."
        raise InputError(message, place=place) from None


ARCHIVE = ScoreFormat(lambda name, head: name.endswith(".eval") and head.startswith("PK"), _read_archive)
JSON = ScoreFormat(
    lambda name, head: name.endswith(".json") and _JSON.match(head) is not None and '"eval"' in head, _read_json_log
)
