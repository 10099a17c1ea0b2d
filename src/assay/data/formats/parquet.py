"""Parquet: a table of the same columns as TSV, where nothing (null) is a reference that a segment lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.formats.base import CampaignFormat, Files
from assay.data.formats.lines import read_bytes
from assay.data.formats.losses import say_lost
from assay.data.formats.roles import LABELS, require_columns, role, spelled
from assay.data.formats.table import campaign_of, columns_of
from assay.errors import InputError, MissingExtra


def read_parquet(path: str | Path) -> Campaign:
    """The campaign in a Parquet file."""
    name = str(path)
    arrow, parquet = _packages(name)
    try:
        table = parquet.read_table(arrow.BufferReader(read_bytes(path)))
    except arrow.ArrowException as error:
        raise InputError(f"{name}: not a sound Parquet file ({str(error).strip()}).") from None
    roles = [role(column) for column in table.column_names]
    require_columns(name, roles)
    if table.num_rows == 0:
        raise InputError(f"{name}: a header but no segments.")
    cells: dict[tuple[str, str], list[str]] = {}
    present: dict[str, NDArray[np.bool_]] = {}
    for (kind, key), header, column in zip(roles, table.column_names, table.columns, strict=True):
        values = _values(arrow, column, kind, f"{name}, column {header!r}")
        there = np.array([value is not None for value in values], dtype=np.bool_)
        if not there.all():
            if kind != "reference":
                row = int(there.argmin())
                raise InputError(f"{name}, column {header!r}, row {row}: nothing (null), but every segment needs one.")
            present[key] = there
        cells[kind, key] = [value or "" for value in values]
    return replace(campaign_of(name, cells), present=present)


def _values(arrow: Any, column: Any, kind: str, place: str) -> list[str | None]:
    """Strings, and numbers where they are labels."""
    found = column.type.value_type if arrow.types.is_dictionary(column.type) else column.type
    numbered = kind in LABELS and (arrow.types.is_integer(found) or arrow.types.is_floating(found))
    known = (arrow.types.is_string, arrow.types.is_large_string, arrow.types.is_null)
    if not numbered and not any(is_one(found) for is_one in known):
        raise InputError(f"{place}: it holds {found}, but strings are needed.")
    return [None if value is None else str(value) for value in column.to_pylist()]


def write_parquet(campaign: Campaign, path: str) -> Files:
    """The table of a campaign."""
    arrow, parquet = _packages(path)
    say_lost(campaign, path, "judgements")
    columns = {}
    for (kind, key), texts in columns_of(campaign).items():
        flags = campaign.present.get(key) if kind == "reference" else None
        absent = None if flags is None else ~flags
        columns[spelled(kind, key)] = arrow.array(list(texts), arrow.string(), mask=absent)

    def content() -> Iterator[bytes]:
        out = arrow.BufferOutputStream()
        parquet.write_table(arrow.table(columns), out, compression="zstd")
        yield out.getvalue().to_pybytes()

    return {"": content()}


def _packages(path: str) -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra.of(f"{path}: Parquet", "parquet") from None
    return pyarrow, pyarrow.parquet


FORMATS = (
    CampaignFormat(
        "parquet",
        "Parquet with the columns of a TSV (extra parquet)",
        lambda path, _pair: read_parquet(path),
        lambda campaign, path, _pair: write_parquet(campaign, path),
    ),
)
