"""What the columns of a table mean, whatever its format."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

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


@lru_cache(maxsize=4096)
def role(column: str) -> tuple[str, str]:
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
