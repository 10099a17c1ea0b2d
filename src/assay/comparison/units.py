"""What is drawn and swapped as a whole: segments, or documents."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.errors import InputError, UnknownName
from assay.metrics.base import Rows
from assay.scoring.statistics import Statistics

Unit = Literal["segment", "document"]
UNITS: tuple[Unit, ...] = ("segment", "document")


def unit_rows(statistics: Statistics, unit: Unit) -> Rows:
    """The rows of each unit: a document's is the sum of its segments'."""
    if unit not in UNITS:
        raise UnknownName.of("unit", unit, UNITS)
    statistics.total()
    if unit == "segment":
        return statistics.rows
    labels = statistics.documents
    if labels is None:
        raise InputError(
            "unit=document needs the document of each segment. A campaign folder has them in docs.txt, one per line."
        )
    numbers = {name: index for index, name in enumerate(dict.fromkeys(labels))}
    sums = np.zeros((len(numbers), statistics.rows.shape[1]))
    np.add.at(sums, [numbers[label] for label in labels], statistics.rows)
    return sums
