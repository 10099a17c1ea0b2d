"""Judgements as Parquet: the columns of the table, ``spans`` as JSON, further columns as text.

Needs the extra ``parquet``.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.jsonl import KNOWN, judgement_of, object_of
from assay.data.formats.lines import read_bytes
from assay.data.judgements import Judgements
from assay.errors import InputError, MissingExtra

NEEDED = ("system", "score")


def recognises(name: str, _head: str) -> bool:
    """By the name alone."""
    return name.endswith(".parquet")


def read(path: str, campaign: Campaign | None = None) -> Judgements:  # noqa: ARG001 - segments have numbers
    """The judgements. Repeats are kept; errors name the row."""
    table = _opened(path).read()
    if not set(NEEDED) <= set(table.column_names):
        raise InputError(
            f"{path}: the columns system and score are needed, but it has {', '.join(table.column_names)}."
        )
    if table.num_rows == 0:
        raise InputError(f"{path}: no judgements in it.")
    rows = (_spans_read(row, path, line) for line, row in enumerate(table.to_pylist(), start=1))
    return Judgements.of((judgement_of(row, path, line) for line, row in enumerate(rows, start=1)), path)


def has_columns(path: str) -> bool:
    """Whether a Parquet file has what judgements need, and so is no table of texts."""
    return set(NEEDED) <= set(_opened(path).schema_arrow.names)


def _opened(path: str) -> Any:
    arrow, parquet = _pyarrow()
    try:
        return parquet.ParquetFile(io.BytesIO(read_bytes(path)))
    except (arrow.ArrowInvalid, OSError) as error:
        raise InputError(f"{path}: not a sound Parquet file ({error}).") from None


def _spans_read(row: dict[str, Any], path: str, line: int) -> dict[str, Any]:
    if isinstance(row.get("spans"), str):
        try:
            return {**row, "spans": json.loads(row["spans"])}
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path}, line {line}: spans is not JSON ({error}).") from None
    return row


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """All there is."""
    arrow, parquet = _pyarrow()
    rows = [object_of(one) for one in judgements]
    for row in rows:
        if "spans" in row:
            row["spans"] = json.dumps(row["spans"], ensure_ascii=False)
    types = {"segment": arrow.int64(), "score": arrow.float64()}
    names = [*KNOWN, *(name for name in judgements.further if name not in KNOWN)]
    columns = {name: arrow.array([row.get(name) for row in rows], types.get(name, arrow.string())) for name in names}
    content = io.BytesIO()
    parquet.write_table(arrow.table(columns), content)
    return {"": content.getvalue()}


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra.of("Parquet", "parquet") from error
    return pyarrow, parquet


FORMAT = JudgementFormat("parquet", "the columns of the table as Parquet", recognises, read, write)
