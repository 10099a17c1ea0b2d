"""What the columns of a table mean, whatever its format."""

from __future__ import annotations

from collections.abc import Iterable

from assay.errors import InputError

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


def role(column: str) -> tuple[str, str]:
    """What a column is, and under which name: ``("reference", "A")`` for ``reference.A`` and ``ref.A``.

    Columns with no known meaning are systems.
    """
    head, dot, tail = column.partition(".")
    head = ALIASES.get(head, head)
    if head == "reference":
        return "reference", tail if dot else "reference"
    if not dot and head in ("source", *LABELS):
        return head, head
    return "system", column


def require_columns(name: str, roles: Iterable[tuple[str, str]]) -> None:
    """Refuse a table without references or with two columns for one thing."""
    seen: set[tuple[str, str]] = set()
    for one in roles:
        if one in seen:
            raise InputError(f"{name}, line 1: two columns for {one[0]} {one[1]!r}. Give each column its own name.")
        seen.add(one)
    if not any(kind == "reference" for kind, _ in seen):
        raise InputError(
            f"{name}, line 1: no column called reference or reference.<id>. "
            "A table has the columns segment, source, reference (or reference.<id>), and one per system."
        )
