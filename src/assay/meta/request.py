"""What agreement, tune and studies still ask for by these names; each goes when they take fields of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.meta.resampling import Resampling
from assay.meta.statistics.base import GROUPINGS
from assay.meta.statistics.registry import cells

__all__ = ["GROUPINGS", "Names", "Request", "listed"]

Names = Iterable[str] | str | None


@dataclass(frozen=True)
class Request(Resampling):
    """What is to be measured, and what intervals of it allow for."""

    levels: tuple[str, ...]
    #: None of them means the usual ones.
    statistics: tuple[str, ...] = ()
    groupings: tuple[str, ...] = ()

    def cells(self, level: str, *, ranked: bool = False) -> list[tuple[str, str | None]]:
        """Statistics with their groupings that make sense at a level; ``ranked`` if people ranked."""
        return cells(level, self.statistics, self.groupings, ranked=ranked)


def listed(names: Names, default: Iterable[str] = ()) -> tuple[str, ...]:
    """Names as they were given, in a list or with commas between; each once.

    >>> listed("mqm, da"), listed(None, ["mqm"])
    (('mqm', 'da'), ('mqm',))
    """
    if names is None:
        return tuple(default)
    several = names.split(",") if isinstance(names, str) else list(names)
    return tuple(dict.fromkeys(name.strip() for name in several))
