"""CER, the character error rate: edit distance over characters, per reference character."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.metrics.edit_rate import EditRate
from assay.metrics.registry import register
from assay.text.recipe import Unit


@register
@dataclass(frozen=True, kw_only=True)
class Cer(EditRate):
    """0 is perfect; spaces between words count as characters, those at the ends of a segment do not."""

    name: ClassVar[str] = "cer"
    label: ClassVar[str] = "CER"
    summary: ClassVar[str] = "character insertions, deletions and substitutions per reference character"
    unit: ClassVar[Unit] = "text"
    counted: ClassVar[str] = "characters"
