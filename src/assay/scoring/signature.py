"""Signatures: one line that says exactly what was computed, on which texts, by which version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.data.texts import Column
from assay.metrics.base import Metric
from assay.metrics.spelling import spell
from assay.version import __version__


@dataclass(frozen=True, eq=False)
class Provenance:
    """What only the run knows: which texts were counted. They are digested when somebody asks."""

    translations: Column = field(repr=False)
    references: tuple[Column, ...] = field(repr=False)

    @property
    def translation_digest(self) -> str:
        """Stands for the translations."""
        return self.translations.digest

    @property
    def reference_digests(self) -> tuple[str, ...]:
        """One per reference."""
        return tuple(column.digest for column in self.references)

    def signature(self, metric: Metric, *, seed: int | None = None, samples: int | None = None) -> str:
        """The metric with all its fields, then the run; digests are the first digits of a 128-bit hash."""
        drawn = [] if seed is None else [f"seed:{seed}", f"samples:{samples}"]
        fitted = [f"fitted:{_short(metric.fitted_on)}"] if metric.fitted_on else []
        return "|".join(
            [
                spell(metric, all_fields=True),
                f"references:{len(self.references)}",
                f"segments:{len(self.translations)}",
                *drawn,
                f"version:{__version__}",
                f"translation:{self.translation_digest[:12]}",
                f"reference:{_short(self.reference_digests)}",
                *fitted,
            ]
        )


def _short(digests: Sequence[str]) -> str:
    return "+".join(digest[:12] for digest in digests)
