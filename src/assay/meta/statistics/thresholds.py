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
