"""Two ratings per item: every statistic per group, and over all groups weighted by how many items they have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from assay.meta.agreement import weighted
from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.grades import Grades
from assay.meta.agreement.weighted import Codes, Floats
from assay.results.result import Table

#: Groups with fewer items have no say: two points always lie on a line.
LEAST_ITEMS = 3


@dataclass(frozen=True, eq=False)
class Paired:
    """Two ratings of each of some items, in groups (a pair of raters, or one rater)."""

    x: Floats
    y: Floats
    group: Codes
    #: The segment, from 0 to ``units - 1``: what is drawn as a whole.
    unit: Codes
    item: Codes
    #: What the groups are called, each a tuple of raters.
    names: tuple[tuple[str, ...], ...]
    units: int
    #: Rows of the ratings behind ``x`` and ``y``, where there is one behind each.
    rows: tuple[Codes, Codes] | None = None

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True)
class Groups:
    """Every group, and the mean over them."""

    #: Per group and statistic: a rater, or two (a and b), items, statistic, value, low, high; the largest group first.
    rows: Table
    pooled: Mapping[str, Estimate]
    #: Groups that had too few items, and the items that were in them.
    small_groups: int
    small_items: int
    raters: int
    items: int


def measure(paired: Paired, grades: Grades | None, *, samples: int, seed: int) -> Groups:
    """Correlations, and agreement on grades where there are grades; resampling segments."""
    draws = Draws.of(max(paired.units, 1), samples, seed)
    top: dict[str, Floats] = {}
    bottom: dict[str, Floats] = {}
    sizes = np.bincount(paired.group, minlength=len(paired.names))
    order = np.argsort(paired.group, kind="stable")
    ends = np.cumsum(sizes)
    found: Table = []
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
            top[name] = top.get(name, 0.0) + np.where(fine, each * total, 0.0)
            bottom[name] = bottom.get(name, 0.0) + np.where(fine, total, 0.0)
            group = {**dict(zip("ab", paired.names[code], strict=False)), "items": size}
            found.append({**group, "statistic": name, **vars(draws.estimate(each))})
    with np.errstate(divide="ignore", invalid="ignore"):
        pooled = {name: draws.estimate(top[name] / bottom[name]) for name in top}
    small = sizes < LEAST_ITEMS
    large = ~small[paired.group]
    return Groups(
        rows=sorted(found, key=lambda row: (-row["items"], row["a"], row.get("b", ""))),
        pooled=pooled,
        small_groups=int((small & (sizes > 0)).sum()),
        small_items=int(sizes[small].sum()),
        raters=len({row[place] for row in found for place in "ab" if place in row}),
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
