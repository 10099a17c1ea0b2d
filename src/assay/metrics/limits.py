"""Segments that no aligning metric should try: whole files whose line ends are missing."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError
from assay.metrics.base import Scores
from assay.text.batch import Batch


def refuse_endless(
    batch: Batch, name: str, largest: float, *, counted: str = "words", others: Sequence[Scores] | None = None
) -> None:
    """Refuse segments whose two lengths multiply to more than ``largest``.

    ``others`` are lengths to be held against the translations', each reference's own unless they are given.
    """
    lengths = batch.translations.lengths()
    for other in others or [reference.lengths() for reference in batch.references]:
        sizes = lengths * other
        if sizes.size and sizes.max() > largest:
            worst = int(sizes.argmax())
            raise InputError(
                f"{name}: a segment has {int(lengths[worst]):,} {counted} in the translation and "
                f"{int(other[worst]):,} in the reference, too many to compare each with each. "
                "Is the file missing its line ends? Every segment is a line of its own."
            )
