"""Names beside points, moved apart where they would cover each other."""

from __future__ import annotations

from collections.abc import Sequence


def spread(values: Sequence[float], gap: float, most: float | None = None) -> list[float]:
    """Values moved up until they are ``gap`` apart, in their order; none beyond ``most``, if there is room.

    >>> spread([0.5, 0.1, 0.51], 0.1)
    [0.5, 0.1, 0.6]
    >>> spread([9.5, 9.0], 1.0, most=10.0)
    [10.0, 9.0]
    """
    order = sorted(range(len(values)), key=lambda one: values[one])
    moved: dict[int, float] = {}
    last = float("-inf")
    for index in order:
        last = max(values[index], last + gap)
        moved[index] = last
    if most is not None:
        highest = most
        for index in reversed(order):
            moved[index] = min(moved[index], highest)
            highest = moved[index] - gap
    return [moved[index] for index in range(len(values))]
