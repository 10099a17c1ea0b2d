"""Two ratings per item: every statistic per group, and over all groups weighted by how many items they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.meta.agreement import weighted
from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.grades import Grades
from assay.meta.agreement.ratings import Paired

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

#: Groups with fewer items have no say: two points always lie on a line.
LEAST_ITEMS = 3

CORRELATIONS = ("pearson", "spearman", "kendall")
GRADED = ("exact-agreement", "kappa", "kappa-linear", "kappa-quadratic")


@dataclass(frozen=True)
class GroupResult:
    """One group: its raters, its items, and each statistic."""

    names: tuple[str, ...]
    items: int
    statistics: Mapping[str, Estimate]


@dataclass(frozen=True)
class GroupedResult:
    """All groups, and the mean over them."""

    groups: tuple[GroupResult, ...]
    pooled: Mapping[str, Estimate]
    #: Groups that had too few items, and the items that were in them.
    small_groups: int
    small_items: int
    raters: int
    items: int


def measure(paired: Paired, grades: Grades | None, *, samples: int, seed: int) -> GroupedResult:
    """Correlations, and agreement on grades where there are grades; resampling segments."""
    names = (*CORRELATIONS, *(GRADED if grades is not None else ()))
    draws = Draws.of(max(paired.units, 1), samples, seed)
    top = {name: np.zeros(len(draws.weights)) for name in names}
    bottom = {name: np.zeros(len(draws.weights)) for name in names}
    sizes = np.bincount(paired.group, minlength=len(paired.names))
    order = np.argsort(paired.group, kind="stable")
    ends = np.cumsum(sizes)
    found = []
    for code, (end, size) in enumerate(zip(ends.tolist(), sizes.tolist(), strict=True)):
        if size < LEAST_ITEMS:
            continue
        rows = order[end - size : end]
        there, unit = np.unique(paired.unit[rows], return_inverse=True)
        weights = np.ascontiguousarray(draws.weights[:, there])
        values = statistics(paired.x[rows], paired.y[rows], unit, weights, grades)
        total = weights @ np.bincount(unit)
        for name, each in values.items():
            fine = np.isfinite(each)
            top[name] += np.where(fine, each * total, 0.0)
            bottom[name] += np.where(fine, total, 0.0)
        found.append(
            GroupResult(paired.names[code], size, {name: draws.estimate(each) for name, each in values.items()})
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = {name: draws.estimate(top[name] / bottom[name]) for name in names}
    small = sizes < LEAST_ITEMS
    large = ~small[paired.group]
    return GroupedResult(
        groups=tuple(sorted(found, key=lambda group: (-group.items, group.names))),
        pooled=pooled,
        small_groups=int((small & (sizes > 0)).sum()),
        small_items=int(sizes[small].sum()),
        raters=len({name for group in found for name in group.names}),
        items=len(np.unique(paired.item[large])),
    )


def statistics(x: Floats, y: Floats, unit: Codes, weights: Floats, grades: Grades | None) -> dict[str, Floats]:
    """Every statistic under every row of weights."""
    found = {
        "pearson": weighted.pearson(x, y, unit, weights),
        "spearman": weighted.spearman(x, y, unit, weights),
        "kendall": weighted.kendall(x, y, unit, weights),
    }
    if grades is not None:
        size = len(grades)
        cells = grades.of(x) * size + grades.of(y)
        table = weighted.contingency(cells, size * size, unit, weights).reshape(-1, size, size)
        found["exact-agreement"] = weighted.exact_agreement(table)
        for name, power in (("kappa", 0), ("kappa-linear", 1), ("kappa-quadratic", 2)):
            found[name] = weighted.kappa(table, weighted.kappa_costs(size, power))
    return found
