"""Words in common with one reference, for metrics that choose the best reference per segment."""

from __future__ import annotations

import numpy as np

from assay import kernels
from assay.metrics.base import Scores
from assay.text.batch import Batch


def common_words(batch: Batch, index: int) -> tuple[Scores, Scores, Scores]:
    """Matched words, words of the translation and words of reference ``index``, per segment.

    A word counts as often as it stands on both sides.
    """
    reference = batch.references[index]
    alone = np.ones((1, len(batch)), dtype=np.bool_)
    matches = kernels.clipped_matches(batch.translations.pair, [reference.pair], alone, 1, batch.threads)
    return matches[:, 0], batch.translations.lengths(), reference.lengths()
