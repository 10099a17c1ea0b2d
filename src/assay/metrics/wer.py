"""WER, the word error rate (Nießen et al., 2000): edit distance to the closest reference, per reference word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.metrics.edit_rate import EditRate
from assay.metrics.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Wer(EditRate):
    """0 is perfect; above 100 there are more errors than words."""

    name: ClassVar[str] = "wer"
    label: ClassVar[str] = "WER"
    summary: ClassVar[str] = "word insertions, deletions and substitutions per reference word"

    tokenize: str = "none:ascii"
