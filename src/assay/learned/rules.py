"""A decision tree as people read it: a rule per leaf, with how many translations it is about, and its branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.learned.trees import TreeGrader, TreeRegressor, compared
from assay.results.result import Table

#: Stands in a leaf for a feature.
_LEAF = -1
#: Bounds of a feature: above the first, up to the second.
_Bounds = dict[int, tuple[float, float]]
_ANY = (-np.inf, np.inf)


def branches_of(model: TreeGrader | TreeRegressor, names: Sequence[str], values: Array, target: NDArray[Any]) -> Table:
    """Every node, parents before children, those up to a threshold first: how it is reached, and what it says.

    ``values`` are the features of the translations that are counted, called ``names``, and ``target`` the number of
    each one's class, or its score.
    """
    tree = model.tree
    classes = model.classes if isinstance(model, TreeGrader) else None
    reached = np.zeros((len(tree), len(classes) if classes else 2))
    leaf = tree.leaves(compared(values, tree.single))
    if classes:
        np.add.at(reached, (leaf, target), 1.0)
    else:
        np.add.at(reached, leaf, np.stack([np.ones(len(target)), target], axis=1))
    # Children stand behind their parents.
    for node in np.flatnonzero(tree.feature != _LEAF)[::-1].tolist():
        reached[node] = reached[tree.left[node]] + reached[tree.right[node]]
    rows: Table = []
    for node, parent, bounds, condition in _walk(model, names):
        is_leaf = bool(tree.feature[node] == _LEAF)
        count = int(reached[node].sum() if classes else reached[node, 0])
        row: dict[str, Any] = {"node": node, "parent": parent, "condition": condition, "leaf": is_leaf}
        row |= {"conditions": _spoken(bounds, names), "translations": count}
        if classes:
            said = int(tree.values[node].argmax())
            row["prediction"] = classes.names[said]
            row["right"] = float(reached[node, said] / count) if count else None
            numbers = reached[node].astype(int).tolist()
            row |= {f"count_{name}": number for name, number in zip(classes.names, numbers, strict=True)}
        else:
            row["prediction"] = float(tree.values[node, 0])
            row["mean"] = float(reached[node, 1] / count) if count else None
        rows.append(row)
    return rows


def rules_of(branches: Table) -> Table:
    """A rule per leaf, numbered in the order of the tree."""
    leaves = [row for row in branches if row["leaf"]]
    dropped = ("node", "parent", "condition", "leaf")
    return [
        {"rule": number} | {name: value for name, value in row.items() if name not in dropped}
        for number, row in enumerate(leaves, start=1)
    ]


def _walk(model: TreeGrader | TreeRegressor, names: Sequence[str]) -> Iterator[tuple[int, int | None, _Bounds, str]]:
    """Each node with its parent, the bounds on the way to it, and the last of them in words; depth first."""
    tree = model.tree
    waiting: list[tuple[int, int | None, _Bounds, str]] = [(0, None, {}, "")]
    while waiting:
        node, parent, bounds, condition = waiting.pop()
        yield node, parent, bounds, condition
        feature, threshold = int(tree.feature[node]), float(tree.threshold[node])
        if feature == _LEAF:
            continue
        low, high = bounds.get(feature, _ANY)
        sides = (
            (int(tree.right[node]), (max(low, threshold), high), ">"),
            (int(tree.left[node]), (low, min(high, threshold)), "<="),
        )
        for child, ends, sign in sides:
            waiting.append((child, node, bounds | {feature: ends}, f"{names[feature]} {sign} {threshold:.4g}"))


def _spoken(bounds: _Bounds, names: Sequence[str]) -> str:
    """The conditions of a rule, each feature once.

    >>> _spoken({0: (-np.inf, 40.0), 1: (25.0, 60.0), 2: (3.0, np.inf)}, ["f1", "wer", "nist"])
    'f1 <= 40 and 25 < wer <= 60 and nist > 3'
    """
    said = []
    for feature, (low, high) in bounds.items():
        name = names[feature]
        if np.isinf(low):
            said.append(f"{name} <= {high:.4g}")
        elif np.isinf(high):
            said.append(f"{name} > {low:.4g}")
        else:
            said.append(f"{low:.4g} < {name} <= {high:.4g}")
    return " and ".join(said) or "always"
