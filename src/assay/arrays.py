"""Types of arrays, under one name each in all rooms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
#: Whole numbers: places, counts, and numbers that stand for names.
Codes = NDArray[np.int64]
Flags = NDArray[np.bool_]
