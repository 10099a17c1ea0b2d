"""Signatures: one line that says exactly what was computed, on which texts, by which version."""

from __future__ import annotations

from dataclasses import dataclass

from assay.metrics.base import Metric
from assay.metrics.spelling import spell
from assay.version import __version__


@dataclass(frozen=True)
class Provenance:
    """What only the run knows: how many segments and references, and digests of their texts."""

    segments: int
    references: int
    translation_digest: str
    reference_digests: tuple[str, ...]

    def signature(self, metric: Metric, *, seed: int | None = None, samples: int | None = None) -> str:
        """The metric with all its fields, then the run; digests are the first digits of a 128-bit hash."""
        drawn = [] if seed is None else [f"seed:{seed}", f"samples:{samples}"]
        return "|".join(
            [
                spell(metric, all_fields=True),
                f"references:{self.references}",
                f"segments:{self.segments}",
                *drawn,
                f"version:{__version__}",
                f"translation:{self.translation_digest[:12]}",
                f"reference:{'+'.join(digest[:12] for digest in self.reference_digests)}",
            ]
        )
