"""What a format of scores has to offer, and what formats share: rows of scores, and numbers as they are spelled."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.campaign import Campaign
from assay.data.external import LEVELS
from assay.data.files import plain_name, read_bytes, texts_of
from assay.data.json_lines import decoded_json, json_number
from assay.data.judgements import LARGEST_SCORE, ErrorSpan, Factor
from assay.data.problems import guarded, require_text
from assay.data.tables import finite
from assay.errors import InputError, Place, shown

#: What stands for a score that is missing.
MISSING = frozenset(("", "-", "None", "null", "nan", "NaN", "NA"))
#: What a file may say beside the scores: labels of segments, ``run``, which tells runs of one system apart, and the
#: pair of languages.
LABELS = ("document", "domain", "cluster", "run", "pair")
_FACTORS = ("file", "system", "unit", *LABELS)


class ScoreItem(NamedTuple):
    """One score of a file. ``unit`` is the name or number of a segment, or the name of a document or domain."""

    metric: str
    system: str
    unit: str
    score: float
    #: Where it stands in the file; 0 if lines say nothing there.
    line: int = 0
    level: str = "segments"
    document: str | None = None
    domain: str | None = None
    cluster: str | None = None
    run: str | None = None
    pair: str | None = None
    spans: tuple[ErrorSpan, ...] | None = None


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """Scores of a file that are of one metric and level, as columns of the same length; NaN is a missing one."""

    file: Factor
    metric: str
    level: str
    system: Factor
    unit: Factor
    score: Array
    line: Codes
    document: Factor
    domain: Factor
    cluster: Factor
    run: Factor
    pair: Factor
    spans: tuple[tuple[ErrorSpan, ...] | None, ...] = ()
    #: What segments are numbered within, from 0, where the format says so; nothing where they have names, or numbers
    #: that a table gave them.
    numbered: Literal["", "test set", "document", "domain"] = ""
    #: Whether higher scores are better, where the format says so, and not only who reads it.
    higher_is_better: bool | None = None

    def __len__(self) -> int:
        return len(self.score)

    def place(self, row: int) -> Place:
        """Where a score stands."""
        return Place(self.file[row] or "", int(self.line[row]) or None)

    def what(self, row: int) -> str:
        """What a score is of, for messages."""
        system = repr(self.system[row])
        if self.level == "systems":
            return f"system {system}"
        name = self.document[row] if self.level == "segments" else None
        document = "" if name is None else f" of document {name!r}"
        unit = self.unit[row] or ""
        return f"{self.level[:-1]} {unit if unit.isdecimal() else repr(unit)}{document} of {system}"

    def only(self, rows: Flags) -> ScoreRows:
        """These rows alone."""
        if rows.all():
            return self
        return replace(
            self,
            **{name: getattr(self, name).only(rows) for name in _FACTORS},
            score=self.score[rows],
            line=self.line[rows],
            spans=tuple(self.spans[row] for row in np.flatnonzero(rows)) if self.spans else (),
        )

    @classmethod
    def together(cls, parts: Sequence[ScoreRows]) -> ScoreRows:
        """Rows of one metric and level out of several files."""
        first = parts[0]
        for one in parts[1:]:
            if one.higher_is_better != first.higher_is_better:
                what = f"of {one.metric!r} higher is better in one file and lower in another, {first.place(0)}."
                raise InputError(what, "Read them apart.", one.place(0))
        if len(parts) == 1:
            return first
        factors: dict[str, Any] = {name: joined([getattr(one, name) for one in parts]) for name in _FACTORS}
        return replace(
            first,
            **factors,
            score=np.concatenate([one.score for one in parts]),
            line=np.concatenate([one.line for one in parts]),
            spans=tuple(span for one in parts for span in one.spans or (None,) * len(one)) if first.spans else (),
        )


def joined(factors: Sequence[Factor]) -> Factor:
    """Columns of names below each other."""
    names = dict.fromkeys(name for factor in factors for name in factor.names)
    numbers = {name: number for number, name in enumerate(names)}
    codes = [np.array([*map(numbers.__getitem__, one.names), -1], dtype=np.int64)[one.codes] for one in factors]
    return Factor(tuple(names), np.concatenate(codes))


def rows_of(items: Iterable[ScoreItem], path: str, **known: Any) -> list[ScoreRows]:
    """Columns out of single scores, for each metric and level; ``known`` is what the format says of all of them."""
    listed = list(items)
    columns = dict(zip(ScoreItem._fields, zip(*listed, strict=True), strict=True)) if listed else {}
    if not listed:
        return []
    spans = columns.pop("spans")
    return split_rows(
        path,
        {name: Factor.of(columns[name]) for name in ("metric", "level", "system", "unit", *LABELS)},
        np.array(columns["score"], dtype=np.float64),
        np.array(columns["line"], dtype=np.int64),
        spans=spans if any(one is not None for one in spans) else (),
        **known,
    )


def split_rows(path: str, factors: dict[str, Factor], score: Array, line: Codes, **known: Any) -> list[ScoreRows]:
    """Rows of a file, apart by metric and level, in the order in which these come."""
    for name, factor in factors.items():
        require_text(name, factor.names)
    too_large = np.flatnonzero(np.abs(score) > LARGEST_SCORE)
    if len(too_large):
        row = int(too_large[0])
        what = f"the score is {score[row]:g}, but none may be larger than {LARGEST_SCORE:g}."
        raise InputError(what, place=Place(path, int(line[row]) or None))
    metric, level = factors["metric"], factors["level"]
    rest: dict[str, Any] = {name: factor for name, factor in factors.items() if name not in ("metric", "level")}
    file = Factor((path,), np.zeros(len(score), dtype=np.int64))
    whole = ScoreRows(file, "", "", **rest, score=score, line=line, **known)
    apart = []
    for code, name in enumerate(metric.names):
        for place in sorted(range(len(level.names)), key=lambda place: LEVELS.index(level.names[place])):
            rows = (metric.codes == code) & (level.codes == place)
            if rows.any():
                apart.append(replace(whole.only(rows), metric=name, level=level.names[place]))
    return apart


@dataclass(frozen=True)
class ScoreFormat:
    """How scores of one format are recognised and read."""

    #: Whether a file is of the format, by its name (without ``.gz`` and ``.zst``) and its first kilobytes.
    recognises: Callable[[str, str], bool]
    #: The scores in a file; the campaign is there for formats that count by the order of the test set.
    reader: Callable[[str, Campaign | None], Sequence[ScoreRows]]

    def read(self, path: str, campaign: Campaign | None = None) -> list[ScoreRows]:
        """What the format reads; what its libraries raise is an ``InputError``, and so is a file without scores."""
        with guarded(path):
            rows = list(self.reader(path, campaign))
        if not any(map(len, rows)):
            raise InputError("there are no scores in it.", place=Place(path))
        return rows


def file_name(path: str) -> str:
    """What a file is called, without folders and without endings: the name of the system or the metric in it.

    >>> file_name("scores/wmt22-comet-da.json.gz"), file_name("v2.0.txt")
    ('wmt22-comet-da', 'v2.0')
    """
    return Path(plain_name(path)).stem or path


def read_json(path: str, what: str) -> Any:
    """The value in a file of JSON; ``what`` tells how it looks."""
    return parsed_json(texts_of(read_bytes(path), path).buffer, Place(path), what)


def parsed_json(content: bytes, place: Place, what: str) -> Any:
    """The value that is spelled at a place."""
    try:
        return decoded_json(content.decode(), unique=True)
    except json.JSONDecodeError as error:
        where = place._replace(line=error.lineno, column=error.colno)
        raise InputError(f"not JSON ({error.msg}).", what, where) from None
    except ValueError as error:
        raise InputError(f"cannot be read ({error}).", what, place) from None


def number(text: str, place: Place, what: str = "the score") -> float:
    """A number, or NaN where one of the words stands that say that it is missing."""
    score = np.nan if text.strip() in MISSING else finite(text)
    if score is None:
        message = f"{what} is {shown(text)}, but a number is needed, or None where there is none."
        raise InputError(message, _remedy(text.strip()), place)
    return score


def _remedy(text: str) -> str:
    """How a number is written that was written in another way."""
    plain = text.replace("_", "").replace(",", ".", 1)
    if finite(plain) is None:
        return ""
    return f"Write it with a decimal point: {plain}" if "," in text else f"Write its digits alone: {plain}"


def json_score(value: Any, place: Place, what: str = "the score") -> float:
    """A number of JSON, or one of the words in a string; NaN where it is null, or NaN as Python spells it."""
    if isinstance(value, str):
        return number(value, place, what)
    return math.nan if isinstance(value, float) and math.isnan(value) else json_number(value, place, what)
