"""Ranks that the evidence bears: clusters and rank ranges, as WMT reports them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: Whether the first of two systems is significantly better than the second.
Better = Callable[[str, str], bool]


@dataclass(frozen=True)
class _Cluster:
    """Systems between which the evidence does not decide; all of them beat all of the next cluster."""

    rank: int
    systems: tuple[str, ...]


def clusters(ranked: Sequence[str], better: Better) -> list[_Cluster]:
    """Cut the ranking wherever every system above is significantly better than every system below.

    >>> wins = {("a", "c"), ("b", "c")}
    >>> [cluster.systems for cluster in clusters(["a", "b", "c"], lambda one, other: (one, other) in wins)]
    [('a', 'b'), ('c',)]
    """
    groups: list[_Cluster] = []
    start = 0
    for cut in range(1, len(ranked) + 1):
        if cut == len(ranked) or all(better(above, below) for above in ranked[:cut] for below in ranked[cut:]):
            groups.append(_Cluster(start + 1, tuple(ranked[start:cut])))
            start = cut
    return groups


def rank_range(system: str, systems: Sequence[str], better: Better) -> tuple[int, int]:
    """The best and the worst rank that the evidence leaves to a system."""
    others = [other for other in systems if other != system]
    above = sum(better(other, system) for other in others)
    below = sum(better(system, other) for other in others)
    return 1 + above, len(systems) - below
