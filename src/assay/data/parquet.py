"""Parquet, which needs the extra ``parquet``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assay.data.files import read_bytes
from assay.errors import InputError, MissingExtra, Place


def read_arrow(path: str) -> Any:
    """The table in a file."""
    return _opened(path, lambda file: file.read())


def column_names(path: str) -> list[str]:
    """What the columns of a file are called."""
    return list(_opened(path, lambda file: file.schema_arrow.names))


def spell_arrow(columns: Mapping[str, tuple[Sequence[Any], str]], compression: str = "snappy") -> bytes:
    """A file out of columns, each with its type."""
    arrow, parquet = packages()
    table = arrow.table({name: arrow.array(values, getattr(arrow, of)()) for name, (values, of) in columns.items()})
    out = arrow.BufferOutputStream()
    parquet.write_table(table, out, compression=compression)
    content: bytes = out.getvalue().to_pybytes()
    return content


def packages(path: str = "") -> tuple[Any, Any]:
    """pyarrow and its part for Parquet; ``path`` is what needs them."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra.of(f"{path}: Parquet" if path else "Parquet", "parquet") from None
    return pyarrow, pyarrow.parquet


def _opened(path: str, look: Any) -> Any:
    arrow, parquet = packages(path)
    try:
        return look(parquet.ParquetFile(arrow.BufferReader(read_bytes(path))))
    except (arrow.ArrowException, OSError) as error:
        raise InputError(f"not a sound Parquet file ({str(error).strip()}).", place=Place(path)) from None
