"""The pictures of the metrics that count edits, and what they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.metrics.pictures import Edit, EditScript, Shift
from assay.text.batch import Batch
from assay.text.sequences import Sequences


def edit_script(
    batch: Batch,
    reference_index: int,
    edits: Iterable[tuple[str, int | None, int | None]],
    shifts: Iterable[tuple[Sequence[int], int, int]] = (),
) -> EditScript:
    """The picture of the first segment of ``batch`` beside one of its references."""
    return EditScript(
        batch.translation_units(),
        batch.reference_units(reference_index),
        reference_index,
        tuple(Edit(*edit) for edit in edits),  # type: ignore[arg-type]
        tuple(Shift(tuple(words), source, target) for words, source, target in shifts),
    )


def first_ids(sequences: Sequences) -> NDArray[np.uint64]:
    """The ids of the first segment."""
    return sequences.ids[: sequences.offsets[1]]
