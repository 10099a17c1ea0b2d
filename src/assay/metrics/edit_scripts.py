"""The pictures of the metrics that count edits, and what they share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.data.texts import Texts
from assay.errors import InputError
from assay.metrics.pictures import Edit, EditScript, Shift, Words
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
        _units(batch, batch.translation_texts, batch.translations),
        _units(batch, batch.reference_texts[reference_index], batch.references[reference_index]),
        reference_index,
        tuple(Edit(*edit) for edit in edits),  # type: ignore[arg-type]
        tuple(Shift(tuple(words), source, target) for words, source, target in shifts),
    )


def first_ids(sequences: Sequences) -> NDArray[np.uint64]:
    """The ids of the first segment."""
    return sequences.ids[: sequences.offsets[1]]


def _units(batch: Batch, texts: Texts, sequences: Sequences) -> Words:
    """What the first text was counted in: words, or characters, whose ids are their code points."""
    if batch.recipe.unit == "word":
        return tuple(batch.recipe.tokens(texts[0]))
    return tuple(chr(code) for code in first_ids(sequences).tolist())


def refuse_endless(batch: Batch, name: str, counted: str, largest: float) -> None:
    """Refuse segments whose two lengths multiply to more than ``largest``: files without line ends."""
    lengths = batch.translations.lengths()
    for reference in batch.references:
        sizes = lengths * reference.lengths()
        if sizes.size and sizes.max() > largest:
            worst = int(sizes.argmax())
            raise InputError(
                f"{name}: a segment has {int(lengths[worst]):,} {counted} in the translation and "
                f"{int(reference.lengths()[worst]):,} in the reference, too many to compare each with each. "
                "Is the file missing its line ends? Every segment is a line of its own."
            )
