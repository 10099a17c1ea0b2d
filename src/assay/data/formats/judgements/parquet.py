"""Judgements as Parquet: the columns of the table, ``spans`` as JSON, further columns as text.

Needs the extra ``parquet``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.jsonl import KNOWN, judgement_of, object_of
from assay.data.judgements import Judgement, Judgements
from assay.data.parquet import column_names, read_arrow, spell_arrow
from assay.data.problems import Problems
from assay.errors import InputError, Place

NEEDED = ("system", "score")


def recognises(name: str, _head: str) -> bool:
    """By the name alone."""
    return name.endswith(".parquet")


def read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements. Repeats are kept; errors name the row as a line."""
    table = read_arrow(path)
    if not set(NEEDED) <= set(table.column_names):
        what = f"the columns system and score are needed, but it has {', '.join(table.column_names)}."
        raise InputError(what, place=Place(path))
    if table.num_rows == 0:
        raise InputError("no judgements in it.", place=Place(path))
    rows = ((Place(path, number), row) for number, row in enumerate(table.to_pylist(), start=1))
    return Judgements.of(problems.each(rows, _judgement), path)


def _judgement(placed: tuple[Place, dict[str, Any]]) -> Judgement:
    place, row = placed
    if isinstance(row.get("spans"), str):
        try:
            row["spans"] = json.loads(row["spans"])
        except (ValueError, RecursionError) as error:
            raise InputError(f"spans is not JSON ({error}).", place=place) from None
    return judgement_of((place, row))


def has_columns(path: str) -> bool:
    """Whether a Parquet file has what judgements need, and so is no table of texts."""
    return set(NEEDED) <= set(column_names(path))


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """All there is."""
    rows = [object_of(one) for one in judgements]
    for row in rows:
        if "spans" in row:
            row["spans"] = json.dumps(row["spans"], ensure_ascii=False)
    names = [*KNOWN, *(name for name in judgements.further if name not in KNOWN)]
    types = {"segment": "int64", "score": "float64"}
    columns = {name: ([row.get(name) for row in rows], types.get(name, "string")) for name in names}
    return {"": spell_arrow(columns)}


FORMAT = JudgementFormat("parquet", "the columns of the table as Parquet", recognises, read, write)
