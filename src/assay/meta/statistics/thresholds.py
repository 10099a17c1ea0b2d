"""The tie threshold under which a metric agrees best with people, from pairs sorted once by their distance.

Up to a threshold epsilon the metric calls a pair tied. Raising it past a pair changes that pair alone: one that people
tie becomes right (+1), one that the metric had ordered rightly becomes wrong (-1), any other stays wrong. So the
agreement at every threshold is a running sum along the sorted pairs, and the best one is its maximum.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.meta.statistics.draws import Array

Indices = NDArray[np.intp]
#: Agreements that are equal in exact arithmetic are equal here, and the smallest threshold wins.
EQUAL = 1e-12
#: Pairs that are bounded together in the search for a maximum.
STRETCH = 96


@dataclass(frozen=True)
class SortedPairs:
    """Pairs whose agreement a threshold can change, by rising distance in the metric."""

    #: Which of the pairs given, in order of distance.
    order: Indices
    distance: Array
    #: +1 or -1: what happens to the agreement when the metric calls the pair tied.
    gain: Array
    #: Where each run of equal distances ends.
    ends: Indices

    @classmethod
    def of(cls, metric_difference: Array, human_difference: Array) -> SortedPairs:
        distance = np.abs(metric_difference)
        tied = human_difference == 0
        concordant = metric_difference * np.sign(human_difference) > 0
        movable = np.flatnonzero((distance > 0) & (tied | concordant))
        order = movable[np.argsort(distance[movable], kind="stable")]
        ordered = distance[order]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
        return cls(order=order, distance=ordered, gain=np.where(tied[order], 1.0, -1.0), ends=ends)

    def best(self, changes: Array) -> tuple[Array, Array]:
        """The largest running sum of ``changes`` (draws by sorted pairs), not below 0, and its threshold.

        ``changes`` is overwritten.
        """
        if not len(self.order):
            return np.zeros(len(changes)), np.zeros(len(changes))
        if 2 * len(self.ends) < len(self.order):
            changes = np.add.reduceat(changes, np.concatenate(([0], self.ends[:-1] + 1)), axis=1)
            sums = np.cumsum(changes, axis=1, out=changes)
        else:
            sums = np.cumsum(changes, axis=1, out=changes)
            if len(self.ends) < len(self.order):
                sums = sums[:, self.ends]
        highest = np.maximum(sums.max(axis=1), 0.0)
        first = (sums >= highest[:, None] - EQUAL).argmax(axis=1)
        epsilon = np.where(highest > EQUAL, self.distance[self.ends][first], 0.0)
        return highest, epsilon

    def best_of_groups(self, shares: Array, group: Indices, changes: Array) -> tuple[Array, Array]:
        """The same where a pair changes the agreement by ``changes`` (one number each) times its group's share.

        ``shares`` are draws by groups, ``group`` says of which each sorted pair is. Stretches of pairs are summed by
        matrix products. The sum at a stretch's start, plus all that rises within it, bounds what the stretch can reach,
        and only those that may reach the maximum are gone through.
        """
        if not len(self.order):
            return np.zeros(len(shares)), np.zeros(len(shares))
        edges = self._edges()
        net, rise = (self._by_stretch(edges, shares, group, part) for part in (changes, np.maximum(changes, 0.0)))
        before = np.cumsum(net, axis=1) - net
        known = np.maximum((before + net).max(axis=1), 0.0)
        hopeful = before + rise >= known[:, None] - EQUAL
        highest, epsilon = np.zeros(len(shares)), np.zeros(len(shares))
        is_end = np.zeros(len(self.order), dtype=bool)
        is_end[self.ends] = True
        for number in np.flatnonzero(hopeful.any(axis=0)):
            rows = np.flatnonzero(hopeful[:, number])
            members = np.arange(edges[number], edges[number + 1])
            sums = np.cumsum(shares[rows[:, None], group[members]] * changes[members], axis=1)
            ends = np.flatnonzero(is_end[members])
            sums = sums[:, ends] + before[rows, number, None]
            top = sums.max(axis=1)
            better = top > highest[rows] + EQUAL
            first = (sums >= top[:, None] - EQUAL).argmax(axis=1)[better]
            highest[rows[better]] = top[better]
            epsilon[rows[better]] = self.distance[members[ends[first]]]
        return highest, epsilon

    def at_of_groups(self, shares: Array, group: Indices, changes: Array, epsilon: Array) -> Array:
        """The running sum up to one threshold per draw, with changes as above."""
        if not len(self.order):
            return np.zeros(len(shares))
        edges = self._edges()
        net = self._by_stretch(edges, shares, group, changes)
        before = np.cumsum(net, axis=1) - net
        passed = np.searchsorted(self.distance, epsilon, side="right")
        number = np.minimum(np.searchsorted(edges, passed, side="right") - 1, len(edges) - 2)
        # The rest of the way, within the stretch.
        rows = np.arange(len(shares))
        members = edges[number][:, None] + np.arange(np.diff(edges).max())
        inside = members < passed[:, None]
        members = np.where(inside, members, 0)
        rest = (shares[rows[:, None], group[members]] * changes[members] * inside).sum(axis=1)
        return np.asarray(before[rows, number] + rest)

    @staticmethod
    def _by_stretch(edges: Indices, shares: Array, group: Indices, changes: Array) -> Array:
        """What each stretch adds up to: draws by stretches."""
        stretch = np.repeat(np.arange(len(edges) - 1), np.diff(edges))
        shape = (shares.shape[1], len(edges) - 1)
        table = np.bincount(group * shape[1] + stretch, weights=changes, minlength=shape[0] * shape[1])
        return np.asarray(shares @ table.reshape(shape))

    def _edges(self) -> Indices:
        """Where stretches of about ``STRETCH`` pairs begin and end; equal distances are never parted."""
        wanted = np.arange(STRETCH, len(self.order), STRETCH)
        cuts = self.ends[np.minimum(np.searchsorted(self.ends, wanted), len(self.ends) - 1)] + 1
        return np.unique(np.concatenate(([0], cuts, [len(self.order)])))
