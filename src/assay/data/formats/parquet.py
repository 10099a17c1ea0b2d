"""Parquet: a table of the same columns as TSV, where nothing (null) is a reference that a segment lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.files import Files, read_bytes
from assay.data.formats.base import CampaignFormat, say_lost
from assay.data.formats.columns import LABELS, campaign_of, columns_of, require_columns, role, spelled
from assay.data.problems import Problems
from assay.errors import InputError, MissingExtra, Place


def read_campaign(path: str, _pair: str | None, _problems: Problems) -> Campaign:
    """The campaign in a Parquet file."""
    table = read_arrow(path)
    roles = [role(column) for column in table.column_names]
    require_columns(path, roles)
    if table.num_rows == 0:
        raise InputError("a header but no segments.", place=Place(path))
    cells: dict[tuple[str, str], list[str]] = {}
    present: dict[str, NDArray[np.bool_]] = {}
    for (kind, key), header, column in zip(roles, table.column_names, table.columns, strict=True):
        values = _values(column, kind, Place(path, part=f"column {header!r}"))
        there = np.array([value is not None for value in values], dtype=np.bool_)
        if not there.all():
            if kind != "reference":
                place = Place(path, part=f"column {header!r}, row {int(there.argmin())}")
                raise InputError("nothing (null), but every segment needs one.", place=place)
            present[key] = there
        cells[kind, key] = [value or "" for value in values]
    return campaign_of(path, cells, present)


def _values(column: Any, kind: str, place: Place) -> list[str | None]:
    """Strings, and numbers where they are labels."""
    types = _packages()[0].types
    found = column.type.value_type if types.is_dictionary(column.type) else column.type
    numbered = kind in LABELS and (types.is_integer(found) or types.is_floating(found))
    if not numbered and not any(known(found) for known in (types.is_string, types.is_large_string, types.is_null)):
        raise InputError(f"it holds {found}, but strings are needed.", place=place)
    return [None if value is None else str(value) for value in column.to_pylist()]


def write_campaign(campaign: Campaign, path: str, _pair: str | None) -> Files:
    """The table of a campaign."""
    _packages(path)
    say_lost(campaign, path, "judgements")
    columns = {}
    for (kind, key), texts in columns_of(campaign).items():
        flags = campaign.present.get(key) if kind == "reference" else None
        values = (
            list(texts)
            if flags is None
            else [text if there else None for text, there in zip(texts, flags, strict=True)]
        )
        columns[spelled(kind, key)] = values, "string"
    return {"": [spell_arrow(columns, "zstd")]}


def read_arrow(path: str) -> Any:
    """The table in a file."""
    return _opened(path, lambda file: file.read())


def column_names(path: str) -> list[str]:
    """What the columns of a file are called."""
    return list(_opened(path, lambda file: file.schema_arrow.names))


def _opened(path: str, look: Any) -> Any:
    arrow, parquet = _packages(path)
    try:
        return look(parquet.ParquetFile(arrow.BufferReader(read_bytes(path))))
    except (arrow.ArrowException, OSError) as error:
        raise InputError(f"not a sound Parquet file ({str(error).strip()}).", place=Place(path)) from None


def spell_arrow(columns: Mapping[str, tuple[Sequence[Any], str]], compression: str = "snappy") -> bytes:
    """A file out of columns, each with its type."""
    arrow, parquet = _packages()
    table = arrow.table({name: arrow.array(values, getattr(arrow, of)()) for name, (values, of) in columns.items()})
    out = arrow.BufferOutputStream()
    parquet.write_table(table, out, compression=compression)
    content: bytes = out.getvalue().to_pybytes()
    return content


def _packages(path: str = "") -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra.of(f"{path}: Parquet" if path else "Parquet", "parquet") from None
    return pyarrow, pyarrow.parquet


FORMAT = CampaignFormat("parquet", "Parquet with the columns of a TSV (extra parquet)", read_campaign, write_campaign)
