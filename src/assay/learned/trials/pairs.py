"""Pairs of translations of one segment of which people prefer one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int64]


def all_pairs(segments: Codes) -> Codes:
    """All pairs of examples of one segment, two columns of row numbers, in a fixed order."""
    order = np.argsort(segments, kind="stable")
    ordered = segments[order]
    found = []
    # The second of a pair stands one place behind the first, two places, and so on, while the segment is the same.
    for apart in range(1, len(segments)):
        same = np.flatnonzero(ordered[apart:] == ordered[:-apart])
        if not len(same):
            break
        found.append(np.stack([order[same], order[same + apart]], axis=1))
    return np.concatenate(found) if found else np.empty((0, 2), dtype=np.int64)


def pairs_of(segments: Codes, target: Array) -> Codes:
    """Pairs that people decided, the better one first; ties are left out."""
    pairs = all_pairs(segments)
    ahead = target[pairs[:, 0]] - target[pairs[:, 1]]
    better_first: Codes = np.where(ahead[:, None] > 0, pairs, pairs[:, ::-1])[ahead != 0]
    return better_first


@dataclass(frozen=True, eq=False)
class Preferences:
    """The decided pairs of a campaign, the better one first, and how many ties there were beside them."""

    pairs: Codes
    ties: int

    @classmethod
    def of(cls, segments: Codes, target: Array) -> Preferences:
        """All pairs of translations of one segment."""
        decided = pairs_of(segments, target)
        return cls(decided, len(all_pairs(segments)) - len(decided))

    def right(self, scores: Array) -> Array:
        """For each pair 1 if the better one has the higher score, half if scores are equal."""
        ahead = scores[self.pairs[:, 0]] - scores[self.pairs[:, 1]]
        return np.where(ahead > 0, 1.0, np.where(ahead == 0, 0.5, 0.0))
