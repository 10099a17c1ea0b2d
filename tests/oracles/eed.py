"""The extended edit distance by its whole table, a row per character of the reference."""

from __future__ import annotations

import math


def eed(
    translation: str,
    reference: str,
    *,
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
) -> float:
    """On 0 to 1, of texts that are prepared already.

    >>> eed(" ab ", " ab ")
    0.06976744186046512
    """
    columns = range(len(translation) + 1)
    table = [[0.0 if column == 0 else 1.0 for column in columns]]
    visits = dict.fromkeys(columns, 0)
    for character in reference:
        above, row = table[-1], []
        for column in columns:
            ways = [math.inf if column else above[0] + 1.0]
            if column:
                same = translation[column - 1] == character
                ways += [row[column - 1] + deletion, above[column - 1] + (not same), above[column] + insertion]
            row.append(min(ways))
        visits[row.index(min(row))] += 1
        if character == " ":
            row = [min(cost, min(row) + alpha) for cost in row]
        table.append(row)
    # Once is as it should be.
    uneven = rho * sum(abs(count - 1) for count in visits.values())
    whole = len(reference) + uneven
    return min(1.0, (table[-1][-1] + uneven) / whole if whole else table[-1][-1])
