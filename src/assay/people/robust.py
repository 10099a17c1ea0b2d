"""How much hangs on single systems: outliers, leaving one out, and the best k alone.

One system far below all others makes any metric look good (Mathur, Baldwin and Cohn, 2020), and among the best systems
metrics follow people less (Ma et al., 2019).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from assay.arrays import Array, Flags
from assay.people.levels import Level, SystemLevel
from assay.people.scores import Scores
from assay.results.result import Table
from assay.significance.draws import estimate

#: An outlier is further from the median than so many deviations, estimated by the median absolute deviation.
_CUT = 2.5
#: What makes the median absolute deviation of normal values their standard deviation.
_NORMAL = 1.4826
#: Statistics that are taken over subsets of systems.
_STATISTICS = ("pearson", "kendall")
#: A curve over the best k systems ends here.
_FEWEST = 4


def outliers_of(scores: Array) -> Flags:
    """Which systems are far from the others; none where more than half are alike, or none has a score.

    >>> outliers_of(np.array([-1.0, -1.2, -0.9, -1.1, -9.0])).tolist()
    [False, False, False, False, True]
    """
    if np.isnan(scores).all():
        return np.zeros(len(scores), dtype=np.bool_)
    middle = np.nanmedian(scores)
    deviation = _NORMAL * np.nanmedian(np.abs(scores - middle))
    if not deviation > 0:
        return np.zeros(len(scores), dtype=np.bool_)
    far: Flags = np.abs(scores - middle) / deviation > _CUT
    return far


def over_systems(levels: Iterable[Level], sources: Sequence[Scores]) -> dict[str, Table]:
    """How much hangs on single systems, and where each of them stands; nothing where systems have no scores."""
    level = next((level for level in levels if isinstance(level, SystemLevel)), None)
    if level is None:
        return {"robust": [], "top": [], "outliers": [], "points": []}
    names, far = level.people.systems, outliers_of(level.human[0])
    choices = [("robust", "without outliers", ~far)] if far.any() else []
    if len(names) > _FEWEST:
        choices += [("robust", f"without {name}", np.array([other != name for other in names])) for name in names]
    # The best k systems in the eyes of people, from all of them down to four.
    ranks = np.argsort(np.argsort(-np.nan_to_num(level.human[0], nan=-np.inf), kind="stable"), kind="stable")
    choices += [("top", f"top {size}", ranks < size) for size in range(len(ranks), _FEWEST - 1, -1)]
    outliers = [{"system": name} for name, out in zip(names, far, strict=True) if out]
    tables: dict[str, Table] = {"robust": [], "top": [], "outliers": outliers, "points": points_of(level, sources, far)}
    for source, statistic, (table, label, chosen) in product(sources, _STATISTICS, choices):
        (measured,) = level.measure([(statistic, None)], source, chosen).values()
        keys = {"metric": source.name, "statistic": statistic, "systems": label}
        tables[table].append(keys | measured.row() | {"n": measured.n})
    return tables


def points_of(level: SystemLevel, sources: Sequence[Scores], outliers: Flags) -> Table:
    """Every system as every metric and as people see it, with intervals on both."""
    human, units = level.human, len(level.draws.units)
    rows = []
    for source in sources:
        scores = level.scores(source)
        for index, system in enumerate(level.people.systems):
            if not (np.isfinite(scores[0, index]) and np.isfinite(human[0, index])):
                continue
            score = estimate(source.sign * scores[:, index], units)
            rows.append(
                {
                    "metric": source.name,
                    "system": system,
                    "score": score.value,
                    "higher_is_better": source.sign > 0,
                    "low": score.low,
                    "high": score.high,
                    **estimate(human[:, index], units).row("human", "human_low", "human_high"),
                    "segments": int(level.people.mask[index].sum()),
                    "outlier": bool(outliers[index]),
                }
            )
    return rows
