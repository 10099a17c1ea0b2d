"""Campaigns as tables with a header: ``segment``, ``source``, ``reference`` or ``reference.<id>``, a column per system.

In TSV quotes are text; in CSV they quote. Parquet has the same columns, and nothing (null) is a reference that a
segment lacks. JSON Lines has one object per segment, in which a reference may be missing:
``{"segment": "s1", "source": "...", "references": ["...", "..."], "systems": {"A": "...", "B": "..."}}``; ``document``
and ``domain`` label it. References may also be ``reference`` or ``reference.<id>``, and systems may be keys of their
own. ``columns`` holds further labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import LABELS, Campaign, Role
from assay.data.files import Files, read_bytes
from assay.data.formats import CampaignFormat, say_lost
from assay.data.json_lines import read_objects, refuse_surrogates, spell_objects
from assay.data.problems import Problems
from assay.data.tables import SEPARATOR, Table, cells_of, packages, read_arrow, spell_arrow, spell_table
from assay.errors import InputError, Place

#: Other tools' names for what we call otherwise.
_ALIASES = {
    "src": "source",
    "ref": "reference",
    "doc": "document",
    "docid": "document",
    "id": "segment",
    "seg": "segment",
}
#: Keys of JSON Lines that hold an object of texts by name, and what these are.
_GROUPS = {"systems": "system", "translations": "system", "tgt": "system", "columns": "column"}


@lru_cache(maxsize=4096)
def _role(column: str) -> Role:
    """What a column is, and under which name: ``("reference", "A")`` for ``reference.A`` and ``ref.A``.

    Columns with no known meaning are systems; ``system.<name>`` is one whose name would have another meaning, and
    ``column.<name>`` a further column of labels.
    """
    head, dot, tail = column.partition(".")
    if dot and head in ("system", "column"):
        return head, tail
    head = _ALIASES.get(head, head)
    if head == "reference":
        return "reference", tail if dot else "reference"
    return (head, "") if not dot and head in ("source", *LABELS) else ("system", column)


def _spelled(kind: str, name: str) -> str:
    """The column for something, such that ``_role`` reads it back.

    >>> _spelled("system", "online-A"), _spelled("system", "source"), _spelled("reference", "B")
    ('online-A', 'system.source', 'reference.B')
    """
    plain = _role(name) == (kind, name) if kind == "system" else name == "reference"
    return kind if not name else name if plain and kind != "column" else f"{kind}.{name}"


def _require_columns(path: str, roles: Sequence[Role]) -> None:
    """Refuse a table without references or with two columns for one thing."""
    for kind, name in roles:
        if roles.count((kind, name)) > 1:
            what = f"two columns for {kind} {name or kind!r}."
            raise InputError(what, "Give each column its own name.", Place(path, 1))
    if not any(kind == "reference" for kind, _ in roles):
        raise InputError(
            "no column called reference or reference.<id>.",
            "A table has the columns segment, source, reference (or reference.<id>), and one per system.",
            Place(path, 1),
        )


def _campaign(path: str, columns: Mapping[Role, Sequence[str | None]], place: Callable[[Role, int], Place]) -> Campaign:
    """A campaign out of columns. None is a reference that a segment lacks, and an error elsewhere."""
    texts: dict[Role, Iterable[str]] = {}
    present: dict[str, NDArray[np.bool_]] = {}
    for (kind, name), column in columns.items():
        if None in column:
            there = np.array([text is not None for text in column], dtype=np.bool_)
            if kind != "reference":
                what = f"no {kind} {name or kind!r}, which other lines have."
                raise InputError(what, place=place((kind, name), int(there.argmin())))
            present[name] = there
        texts[kind, name] = [text or "" for text in column]
    return Campaign.of_parts(path, texts, Path(path).name, present=present)


def _read_separated(separator: str, path: str, _pair: str | None, problems: Problems) -> Campaign:
    lines = cells_of(path, separator, quoted=separator == ",", skip_empty=False, problems=problems)
    header = next(lines, (1, []))[1]
    if not header:
        raise InputError("the file is empty; a header line is needed.", place=Place(path))
    roles = [_role(column.strip()) for column in header]
    _require_columns(path, roles)
    cells: list[list[str]] = [[] for _ in header]
    for _, columns in Table(path, header, lines, tell=problems.add, content="segments").columns():
        for texts, more in zip(cells, columns, strict=True):
            texts.extend(more)
    _tell_lines(path, roles, len(cells[0]), problems, header=1)
    return Campaign.of_parts(path, dict(zip(roles, cells, strict=True)), Path(path).name)


def _tell_lines(path: str, roles: Iterable[Role], count: int, problems: Problems, header: int) -> None:
    """Say in which lines segments stand, unless a line is bad or cells hold line ends, so that nobody knows."""
    if problems.lenient:
        problems.stop()
        lines = read_bytes(path).rstrip(b"\n").count(b"\n") + 1 - header
        problems.places = dict.fromkeys([*roles, ("segment", "")], (path, header if lines == count else None))


def _write_separated(separator: str, campaign: Campaign, path: str, _pair: str | None) -> Files:
    """The table of a campaign; a reference that a segment lacks is an empty cell."""
    say_lost(campaign, path, "scores", "judgements", "absent")
    header = [_spelled(*role) for role in campaign.parts]
    for name, (kind, key) in zip(header, campaign.parts, strict=True):
        if _role(name.strip()) != (kind, key) or (separator == "\t" and SEPARATOR.search(name)):
            what = f"the {kind} {key!r} cannot be the name of a column."
            raise InputError(what, "Write JSON Lines instead.", Place(path))
    rows: Iterable[Sequence[str]] = zip(*campaign.parts.values(), strict=True)
    if separator == "\t":
        return {"": spell_table(chain([header], _without_tabs(header, rows, path)), checked=True)}
    return {"": spell_table(chain([header], rows), separator, quoted=True)}


def _without_tabs(header: Sequence[str], rows: Iterable[Sequence[str]], path: str) -> Iterator[Sequence[str]]:
    for number, row in enumerate(rows):
        for name, cell in zip(header, row, strict=True):
            # A carriage return before the line end would be taken for a part of it.
            if "\t" in cell or "\n" in cell or (cell.endswith("\r") and name is header[-1]):
                sign = "a tab" if "\t" in cell else "a line end"
                what = f"segment {number} of {name} holds {sign}, which TSV cannot."
                raise InputError(what, "Write CSV or JSON Lines instead.", Place(path))
        yield row


def _read_json_lines(path: str, _pair: str | None, problems: Problems) -> Campaign:
    objects = read_objects(path, "Every line is one segment: {...}.", problems, every_line=True)
    segments = list(problems.each(objects, _segment))
    if not segments:
        raise InputError("the file is empty, so there are no segments to score.", place=Place(path))
    roles = list(dict.fromkeys(role for segment in segments for role in segment))
    _require_columns(path, roles)
    # Segments are lines, unless some of these are no segments.
    problems.stop()
    _tell_lines(path, roles, len(segments), problems, header=0)
    columns = {role: [segment.get(role) for segment in segments] for role in roles}
    return _campaign(path, columns, lambda _, index: Place(path, index + 1))


def _segment(placed: tuple[Place, dict[str, Any]]) -> dict[Role, str]:
    """The texts of a segment by what they are."""
    place, value = placed
    segment: dict[Role, str] = {}
    for role, text, name in _texts(value, place):
        if not isinstance(text, str):
            raise InputError(f"{name} is {text!r}, but a string is needed.", place=place)
        if role in segment:
            what = f"two texts for {role[0]} {role[1] or role[0]!r}."
            raise InputError(what, "Give each its own name.", place)
        segment[role] = refuse_surrogates(text, place, f"{name}: ")
    return segment


def _texts(segment: dict[str, Any], place: Place) -> Iterator[tuple[Role, Any, str]]:
    """What an object holds: what it is, the text, and what messages call it."""
    for key, value in segment.items():
        if key == "references" and value is not None:
            if not isinstance(value, list):
                raise InputError(f"references is {value!r}, but a list of strings is needed.", place=place)
            texts = ((("reference", str(number + 1)), text, f"{key}[{number}]") for number, text in enumerate(value))
            yield from (text for text in texts if text[1] is not None)
        elif key in _GROUPS and isinstance(value, dict):
            yield from (((_GROUPS[key], name), text, f"{key}.{name}") for name, text in value.items())
        elif value is not None:
            role = _role(key)
            yield role, str(value) if role[0] in LABELS and isinstance(value, (int, float)) else value, key


def _write_json_lines(campaign: Campaign, path: str, _pair: str | None) -> Files:
    """An object per segment; a reference that a segment lacks is left out of it."""
    say_lost(campaign, path, "scores", "judgements")
    return {"": spell_objects(_objects(campaign))}


def _objects(campaign: Campaign) -> Iterator[dict[str, Any]]:
    groups = {"system": "systems", "column": "columns"}
    columns = _columns(campaign)
    for row in zip(*columns.values(), strict=True):
        segment: dict[str, Any] = {}
        for (kind, name), text in zip(columns, row, strict=True):
            if kind in groups:
                segment.setdefault(groups[kind], {})[name] = text
            elif text is not None:
                segment[_spelled(kind, name)] = text
        yield segment


def _columns(campaign: Campaign) -> dict[Role, Iterable[str | None]]:
    """All texts and labels; None is a reference that a segment lacks."""
    columns: dict[Role, Iterable[str | None]] = {**campaign.parts}
    for name, flags in campaign.present.items():
        texts = zip(campaign.references[name], flags, strict=True)
        columns["reference", name] = [text if flag else None for text, flag in texts]
    return columns


def _read_parquet(path: str, _pair: str | None, _problems: Problems) -> Campaign:
    table = read_arrow(path)
    roles = [_role(column) for column in table.column_names]
    _require_columns(path, roles)
    if table.num_rows == 0:
        raise InputError("a header but no segments.", place=Place(path))
    names = dict(zip(roles, table.column_names, strict=True))
    columns = {
        role: _values(table[name], role[0], Place(path, part=f"column {name!r}")) for role, name in names.items()
    }
    return _campaign(path, columns, lambda role, index: Place(path, part=f"column {names[role]!r}, row {index}"))


def _values(column: Any, kind: str, place: Place) -> list[str | None]:
    """Strings, and numbers where they are labels."""
    types = packages()[0].types
    held = column.type.value_type if types.is_dictionary(column.type) else column.type
    numbered = kind in LABELS and (types.is_integer(held) or types.is_floating(held))
    if not numbered and not any(known(held) for known in (types.is_string, types.is_large_string, types.is_null)):
        raise InputError(f"it holds {held}, but strings are needed.", place=place)
    return [None if value is None else str(value) for value in column.to_pylist()]


def _write_parquet(campaign: Campaign, path: str, _pair: str | None) -> Files:
    packages(path)
    say_lost(campaign, path, "scores", "judgements")
    columns = {_spelled(*role): ([*texts], "string") for role, texts in _columns(campaign).items()}
    return {"": [spell_arrow(columns, "zstd")]}


TSV, CSV = (
    CampaignFormat(partial(_read_separated, separator), partial(_write_separated, separator))
    for separator in ("\t", ",")
)
JSONL = CampaignFormat(_read_json_lines, _write_json_lines)
PARQUET = CampaignFormat(_read_parquet, _write_parquet)
