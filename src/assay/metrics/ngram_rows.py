"""The row that BLEU, its relatives and NIST share: two lengths, then a number found and a number possible per order."""

from __future__ import annotations

import numpy as np

from assay.metrics.base import Rows, Scores


def ngram_columns(found: str, order: int) -> tuple[str, ...]:
    """Names of the row's numbers; ``found`` says what is counted per order."""
    orders = range(1, order + 1)
    return (
        "translation_length",
        "reference_length",
        *(f"{found}_{n}" for n in orders),
        *(f"totals_{n}" for n in orders),
    )


def ngram_rows(lengths: Scores, reference_lengths: Scores, found: Rows) -> Rows:
    """Rows out of their parts; the totals per order follow from the translations' lengths."""
    order = found.shape[1]
    rows = np.empty((len(lengths), 2 + 2 * order))
    rows[:, 0] = lengths
    rows[:, 1] = reference_lengths
    rows[:, 2 : 2 + order] = found
    np.maximum(lengths[:, None] - np.arange(order), 0.0, out=rows[:, 2 + order :])
    return rows
