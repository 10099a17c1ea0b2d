"""Token ids of many segments in two flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Sequences:
    """Ids of all segments, one behind the other, and the offsets at which each begins; the last is the end.

    Ids are stable 64-bit hashes of the tokens' text, or code points where characters are counted.
    """

    ids: NDArray[np.uint64] = field(repr=False)
    offsets: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def pair(self) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """The two arrays, as kernels take them."""
        return self.ids, self.offsets

    def lengths(self) -> NDArray[np.float64]:
        """How many ids each segment has."""
        return np.diff(self.offsets).astype(np.float64)
