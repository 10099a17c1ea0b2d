"""Cost-complexity pruning (Breiman et al., 1984) of a grown tree, all its steps at once.

Each step collapses the branch that costs least per leaf it saves. A node's *collapse* is the price per leaf from which
on it is a leaf; so one number per node says what the tree looks like at any price.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

#: Prices that differ by less are one: what is left of a difference when sums are added in another order.
SAME = 1e-12


@dataclass(frozen=True, eq=False)
class Prices:
    """When each node becomes a leaf, and its parent: a node is a leaf of the tree at ``own <= price < parent``."""

    own: Array
    parent: Array

    def steps(self) -> Array:
        """Prices at which the tree changes, from 0 (the tree as it was grown) up to the root alone."""
        return np.unique(np.concatenate([[0.0], self.own[np.isfinite(self.own)]]))

    def sums_at(self, per_node: Array, prices: Array) -> Array:
        """What the leaves of the tree add up to at each price."""
        begin = np.searchsorted(prices, self.own, side="left")
        end = np.searchsorted(prices, self.parent, side="left")
        change = np.zeros(len(prices) + 1)
        np.add.at(change, begin, per_node)
        np.add.at(change, np.maximum(end, begin), -per_node)
        return np.cumsum(change)[:-1]

    def leaves_at(self, price: float) -> NDArray[np.bool_]:
        """Which nodes are leaves at a price."""
        return (self.own <= price) & (price < self.parent)


def prices_of(left: Codes, right: Codes, risk: Array) -> Prices:
    """The prices of a tree's nodes; children stand behind their parents, and leaves have -1 for children.

    ``risk`` is what a node costs as a leaf, in the unit of the price.
    """
    count = len(left)
    parent = np.full(count, -1)
    inner = np.flatnonzero(left >= 0)
    parent[left[inner]] = inner
    parent[right[inner]] = inner
    leaves, below = [1] * count, risk.tolist()
    for node in inner[::-1].tolist():
        one, other = int(left[node]), int(right[node])
        leaves[node] = leaves[one] + leaves[other]
        below[node] = below[one] + below[other]
    own = _collapse(left.tolist(), right.tolist(), parent.tolist(), risk=risk.tolist(), leaves=leaves, below=below)
    above = np.where(parent >= 0, own[parent], np.inf)
    return Prices(own, above)


def _collapse(
    left: list[int], right: list[int], parent: list[int], *, risk: list[float], leaves: list[int], below: list[float]
) -> Array:
    """Take the weakest link again and again; a price never falls from one step to the next."""
    own = np.zeros(len(left))
    gone = [False] * len(left)

    def price(node: int) -> float:
        return (risk[node] - below[node]) / (leaves[node] - 1)

    links = [(price(node), node) for node in range(len(left)) if left[node] >= 0]
    heapq.heapify(links)
    current = {node: value for value, node in links}
    reached = 0.0
    while links:
        value, node = heapq.heappop(links)
        if gone[node] or value != current[node]:
            continue
        reached = value if value > reached + SAME else reached
        branch = [node]
        while branch:
            one = branch.pop()
            if left[one] >= 0 and not gone[one]:
                gone[one] = True
                own[one] = reached
                branch += (left[one], right[one])
        saved, cost = leaves[node] - 1, risk[node] - below[node]
        above = parent[node]
        while above >= 0:
            leaves[above] -= saved
            below[above] += cost
            current[above] = price(above)
            heapq.heappush(links, (current[above], above))
            above = parent[above]
    return own


def sums_upwards(left: Codes, right: Codes, per_leaf: Array) -> Array:
    """What each node holds, where ``per_leaf`` says it of leaves: nodes by columns."""
    totals = per_leaf.copy()
    for node in np.flatnonzero(left >= 0)[::-1].tolist():
        totals[node] += totals[left[node]] + totals[right[node]]
    return totals
