"""Tables for other libraries."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from assay.errors import MissingExtra, UnknownName

_LIBRARIES = ("pandas", "polars")


def frame(rows: list[dict[str, Any]], library: str | None) -> Any:
    """A data frame: pandas, or polars where only that is there; ``library`` chooses."""
    if library is not None and library not in _LIBRARIES:
        raise UnknownName.of("library of data frames", library, _LIBRARIES)
    for name in _LIBRARIES if library is None else (library,):
        if find_spec(name) is not None:
            module = import_module(name)
            if name == "pandas":
                return module.DataFrame.from_records(rows)
            return module.from_dicts(rows, infer_schema_length=None) if rows else module.DataFrame()
    raise MissingExtra(
        f"A data frame needs {library or 'pandas or polars'}. Install it: pip install {library or 'pandas'}"
    )


def arrow(rows: list[dict[str, Any]]) -> Any:
    """An Arrow table."""
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra.of("An Arrow table", "parquet") from error
    names = list(dict.fromkeys(name for row in rows for name in row))
    return pyarrow.table({name: [row.get(name) for row in rows] for name in names})
