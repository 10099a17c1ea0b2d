"""A campaign as named columns, which is how TSV, CSV, JSON Lines and Parquet hold it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.texts import Texts
from assay.errors import InputError, Place

#: What a column is, and under which name: ``("reference", "A")``.
Role = tuple[str, str]
#: Other tools' names for what we call otherwise.
ALIASES = {
    "src": "source",
    "ref": "reference",
    "doc": "document",
    "docid": "document",
    "id": "segment",
    "seg": "segment",
}
LABELS = ("segment", "document", "domain")


@lru_cache(maxsize=4096)
def role(column: str) -> Role:
    """What a column is, and under which name: ``("reference", "A")`` for ``reference.A`` and ``ref.A``.

    Columns with no known meaning are systems; ``system.<name>`` is one whose name would have another meaning, and
    ``column.<name>`` a further column of labels.
    """
    head, dot, tail = column.partition(".")
    if dot and head in ("system", "column"):
        return head, tail
    head = ALIASES.get(head, head)
    if head == "reference":
        return "reference", tail if dot else "reference"
    if not dot and head in ("source", *LABELS):
        return head, head
    return "system", column


def spelled(kind: str, name: str) -> str:
    """The column for something, such that ``role`` reads it back.

    >>> spelled("system", "online-A"), spelled("system", "source"), spelled("reference", "B")
    ('online-A', 'system.source', 'reference.B')
    """
    if kind == "system":
        return name if role(name) == ("system", name) else f"system.{name}"
    if kind == "reference":
        return name if name == "reference" else f"reference.{name}"
    return f"column.{name}" if kind == "column" else name


def require_columns(name: str, roles: Iterable[Role]) -> None:
    """Refuse a table without references or with two columns for one thing."""
    seen: set[Role] = set()
    for kind, key in roles:
        if (kind, key) in seen:
            what = f"two columns for {kind} {key!r}."
            raise InputError(what, "Give each column its own name.", Place(name, 1))
        seen.add((kind, key))
    if not any(kind == "reference" for kind, _ in seen):
        raise InputError(
            "no column called reference or reference.<id>.",
            "A table has the columns segment, source, reference (or reference.<id>), and one per system.",
            Place(name, 1),
        )


def campaign_of(
    name: str, cells: Mapping[Role, Sequence[str]], present: Mapping[str, NDArray[np.bool_]] | None = None
) -> Campaign:
    """A campaign out of columns by role."""

    def labels(kind: str) -> tuple[str, ...] | None:
        return tuple(cells[kind, kind]) if (kind, kind) in cells else None

    def texts(wanted: str, called: str = "") -> dict[str, Texts]:
        columns = {key: column for (kind, key), column in cells.items() if kind == wanted}
        return {key: Texts.of(column, f"{name}: {called}{key}") for key, column in columns.items()}

    return Campaign(
        name=Path(name).name,
        systems=texts("system"),
        references=texts("reference", "reference "),
        source=texts("source").get("source"),
        documents=labels("document"),
        domains=labels("domain"),
        segments=labels("segment"),
        columns=texts("column"),
        present=present or {},
    )


def columns_of(campaign: Campaign) -> dict[Role, Iterable[str]]:
    """The texts of a campaign by role, in the order in which a table shows them."""
    labels = {"segment": campaign.segments, "document": campaign.documents, "domain": campaign.domains}
    cells: dict[Role, Iterable[str]] = {(kind, kind): texts for kind, texts in labels.items() if texts is not None}
    cells |= {("column", name): texts for name, texts in campaign.columns.items()}
    if campaign.source is not None:
        cells["source", "source"] = campaign.source
    cells |= {("reference", name): texts for name, texts in campaign.references.items()}
    return cells | {("system", name): texts for name, texts in campaign.systems.items()}
