"""Rows of a table as an Arrow table, and back again without any loss.

Columns are typed as data frames and databases want them: numbers, texts, flags, lists. What a column cannot say, the
schema's metadata does: which numbers are whole among others, which rows lack a cell, which cells are JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import MissingExtra

#: The entry of the metadata that says what columns cannot.
_REMARKS = b"assay"
#: Whole numbers that a column of 64 bits holds, and those that a floating point number holds exactly.
_WIDEST, _EXACT = 2**63 - 1, 2**53
_Rows = Sequence[dict[str, Any]]


def to_arrow(rows: _Rows) -> Any:
    """An Arrow table of rows of plain values, columns in the order in which they first come."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra.of("An Arrow table", "parquet") from error
    names = list(dict.fromkeys(name for row in rows for name in row))
    remarks: dict[str, Any] = {"whole": {}, "json": []}
    columns: dict[str, Any] = {}
    for name in names:
        values = [row.get(name) for row in rows]
        kind = _kind_of(values)
        if kind == "mixed":
            remarks["whole"][name] = _runs(type(value) is int for value in values)
            values = [None if value is None else float(value) for value in values]
        if kind == "json":
            remarks["json"].append(name)
            values = [None if value is None else json.dumps(value) for value in values]
        columns[name] = column_of(values, {"mixed": "float64", "json": "string"}.get(kind, kind))
    shapes = {tuple(row): None for row in rows}
    # Which cells there are, and in which order, where that is not the same in all rows.
    if list(shapes) != [tuple(names)]:
        numbers = {shape: number for number, shape in enumerate(shapes)}
        remarks |= {"shapes": [list(shape) for shape in shapes], "shape": _runs(numbers[tuple(row)] for row in rows)}
    kept = {key: value for key, value in remarks.items() if value}
    return pyarrow.table(columns).replace_schema_metadata({_REMARKS: json.dumps(kept)} if kept else None)


def from_arrow(table: Any) -> list[dict[str, Any]]:
    """The rows of a table that ``to_arrow`` made; of any other, a dictionary per row."""
    names = table.column_names
    remarks = json.loads((table.schema.metadata or {}).get(_REMARKS, b"{}"))
    columns = {name: column.to_pylist() for name, column in zip(names, table.columns, strict=True)}
    for name in remarks.get("json", ()):
        columns[name] = [None if value is None else json.loads(value) for value in columns[name]]
    for name, runs in remarks.get("whole", {}).items():
        marked = zip(columns[name], _unrolled(runs), strict=True)
        columns[name] = [int(value) if whole else value for value, whole in marked]
    if "shapes" not in remarks:
        return [dict(zip(names, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    shapes = (remarks["shapes"][number] for number in _unrolled(remarks["shape"]))
    return [{name: columns[name][place] for name in shape} for place, shape in enumerate(shapes)]


def _kind_of(values: Iterable[Any]) -> str:
    """What a column holds: the name of a type, ``list of`` one, ``mixed`` numbers, or else what JSON can say."""
    kinds = {type(value) for value in values if value is not None}
    if len(kinds) != 1:
        whole = [value for value in values if type(value) is int]
        exact = kinds == {int, float} and all(abs(value) <= _EXACT for value in whole)
        return "mixed" if exact else "json" if kinds else "float64"
    (kind,) = kinds
    if kind is int:
        return "int64" if all(abs(value) <= _WIDEST for value in values if value is not None) else "json"
    if kind is str:
        return "string" if all(_is_text(value) for value in values if value is not None) else "json"
    if kind is list:
        inner = [item for value in values if value is not None for item in value]
        of = _kind_of(inner)
        return f"list of {of}" if inner and None not in inner and of in ("string", "int64", "float64") else "json"
    return {bool: "bool_", float: "float64"}.get(kind, "json")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def column_of(values: Sequence[Any] | NDArray[Any], kind: str, missing: NDArray[np.bool_] | None = None) -> Any:
    """An Arrow array of plain values, None among them, or of numpy's numbers, of which some may be ``missing``.

    It is put together here, for what pyarrow makes of lists imports pandas first, which takes longer than all the rest.
    """
    import pyarrow

    if isinstance(values, np.ndarray):
        flags = None if missing is None else pyarrow.py_buffer(np.packbits(~missing, bitorder="little").tobytes())
        # Arrow has a bit for each truth.
        truths = np.packbits(values, bitorder="little") if kind == "bool_" else None
        numbers = np.ascontiguousarray(values, dtype=kind) if truths is None else truths
        return pyarrow.Array.from_buffers(getattr(pyarrow, kind)(), len(values), [flags, pyarrow.py_buffer(numbers)])
    there = [value is not None for value in values]
    flags = None if all(there) else pyarrow.py_buffer(np.packbits(there, bitorder="little").tobytes())
    if kind.startswith("list of "):
        inner = column_of([item for value in values for item in value or ()], kind.removeprefix("list of "))
        ends = _ends(len(value or ()) for value in values)
        listed = pyarrow.list_(inner.type)
        return pyarrow.Array.from_buffers(listed, len(values), [flags, pyarrow.py_buffer(ends)], children=[inner])
    if kind in ("string", "large_string"):
        texts = [(value or "").encode() for value in values]
        ends = _ends(map(len, texts), np.int64 if kind == "large_string" else np.int32)
        buffers = [flags, pyarrow.py_buffer(ends), pyarrow.py_buffer(b"".join(texts))]
    elif kind == "bool_":
        buffers = [flags, pyarrow.py_buffer(np.packbits(np.array(values, dtype=np.bool_), bitorder="little").tobytes())]
    else:
        numbers = np.array([0 if value is None else value for value in values], dtype=kind)
        buffers = [flags, pyarrow.py_buffer(numbers)]
    return pyarrow.Array.from_buffers(getattr(pyarrow, kind)(), len(values), buffers)


def _ends(lengths: Iterable[int], kind: type = np.int32) -> bytes:
    return np.cumsum([0, *lengths], dtype=kind).tobytes()


def _runs(values: Iterable[Any]) -> list[list[Any]]:
    """Each value and how often it comes before the next one.

    >>> _runs([True, True, False])
    [[True, 2], [False, 1]]
    """
    return [[value, sum(1 for _ in same)] for value, same in groupby(values)]


def _unrolled(runs: Iterable[tuple[Any, int]]) -> list[Any]:
    return [value for value, count in runs for _ in range(count)]
