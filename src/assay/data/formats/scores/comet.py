"""What ``comet-score`` prints (``FILE<tab>Segment 0<tab>score: 0.83``, ``FILE<tab>score: 0.81``), and writes with
``--to_json``.

In JSON each translation file has a list of segments, ``{"src": .., "mt": .., "ref": .., "COMET": 0.83}``; xCOMET adds
``errors`` where it found some. Systems are named after those files, and the metric after the file with the scores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from assay.data.campaign import Campaign
from assay.data.files import read_bytes, texts_of
from assay.data.formats import file_stem
from assay.data.formats.judgements.base import error_objects, span_of
from assay.data.formats.scores.base import (
    ScoreFormat,
    ScoreItem,
    ScoreRows,
    file_name,
    json_score,
    number,
    read_json,
    rows_of,
)
from assay.data.judgements import ErrorSpan
from assay.data.problems import note
from assay.errors import InputError, Place

_LINE = re.compile(r"(?P<file>[^\t]+)\t(?:Segment (?P<segment>[0-9]{1,9})\t)?score: (?P<score>.*)")
_HEAD = re.compile(r"^[^\t\n]+\t(?:Segment [0-9]+\t)?score: (?:-?[0-9.]+|nan)\r?$", re.MULTILINE)
_WHAT = "A line is FILE<tab>Segment 0<tab>score: 0.83, or FILE<tab>score: 0.81."
#: What it prints beside scores.
_BESIDE = ("Predictions saved in: ", "CacheInfo(")
_JSON = re.compile(r'"COMET"\s*:\s*(?:-?[0-9]|NaN)')
_WHAT_JSON = 'comet-score --to_json writes {"FILE": [{"src": "..", "mt": "..", "COMET": 0.83}, ...]}.'


def _read(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    metric = file_name(path)
    scored: list[tuple[int, str, str | None, float]] = []
    others: list[int] = []
    for line, text in enumerate(texts_of(read_bytes(path), path), start=1):
        matched = _LINE.fullmatch(text)
        if matched is not None:
            score = number(matched["score"], Place(path, line))
            scored.append((line, matched["file"], matched["segment"], score))
        elif text.strip() and not text.startswith(_BESIDE):
            others.append(line)
    if others and scored:
        note(
            f"{len(others)} lines are no scores of comet-score and are not read, the first is {others[0]}.", Place(path)
        )
    elif others:
        raise InputError("this is no line of comet-score.", _WHAT, Place(path, others[0]))
    names = _systems(file for _, file, _, _ in scored)
    items = (
        ScoreItem(metric, names[file], segment or "", score, line, "systems" if segment is None else "segments")
        for line, file, segment, score in scored
    )
    return rows_of(items, path, numbered="test set", higher_is_better=True)


def _read_json(path: str, _campaign: Campaign | None) -> list[ScoreRows]:
    value, metric = read_json(path, _WHAT_JSON), file_name(path)
    if isinstance(value, list):
        # The segments of one file alone, which is what the file with the scores is called.
        value, metric = {metric: value}, "COMET"
    if not isinstance(value, dict) or not all(isinstance(listed, list) for listed in value.values()):
        raise InputError("this is no output of comet-score.", _WHAT_JSON, Place(path))
    names = _systems(value)
    # A model that finds errors in one segment has found none where none are listed.
    marks = any(isinstance(one, dict) and one.get("errors") for listed in value.values() for one in listed)
    items = (item for file, listed in value.items() for item in _segments(path, metric, names[file], listed, marks))
    return rows_of(items, path, numbered="test set", higher_is_better=True)


def _segments(path: str, metric: str, system: str, listed: list[Any], marks: bool) -> Iterator[ScoreItem]:
    """The scores of one translation file, with the errors in it if the model ``marks`` any."""
    for index, one in enumerate(listed):
        place = Place(path, part=f"segment {index} of {system!r}")
        if not isinstance(one, dict) or "COMET" not in one:
            raise InputError("no score called 'COMET'.", _WHAT_JSON, place)
        yield ScoreItem(
            metric, system, str(index), json_score(one["COMET"], place),
            spans=_errors(one, place) if marks else None,
        )  # fmt: skip


def _errors(segment: Mapping[str, Any], place: Place) -> tuple[ErrorSpan, ...]:
    return tuple(map(partial(span_of, place=place), error_objects(segment.get("errors"), place, "errors")))


def _systems(files: Iterable[str]) -> dict[str, str]:
    """The systems that files are of: their names without folders and endings, or all of it where these are alike."""
    listed = dict.fromkeys(files)
    stems = Counter(map(file_stem, listed))
    return {file: file_stem(file) if stems[file_stem(file)] == 1 else file for file in listed}


FORMAT = ScoreFormat(lambda _name, head: _HEAD.search(head) is not None, _read)
JSON = ScoreFormat(lambda name, head: name.endswith(".json") and _JSON.search(head) is not None, _read_json)
