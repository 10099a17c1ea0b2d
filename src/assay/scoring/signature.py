"""Signatures: one line that says exactly what was computed, on which texts, by which version."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from assay.metrics.base import Metric
from assay.metrics.options import spell
from assay.version import __version__


class Digested(Protocol):
    """A column of texts, or what stands for it."""

    @property
    def digest(self) -> str:
        """Hexadecimal digits that stand for the texts."""

    def __len__(self) -> int: ...


@dataclass(frozen=True)
class Digest:
    """What stands for texts that stayed at home."""

    digest: str
    segments: int

    def __len__(self) -> int:
        return self.segments


@dataclass(frozen=True, eq=False)
class Provenance:
    """What only the run knows: which texts were counted. They are digested when somebody asks."""

    translations: Digested = field(repr=False)
    references: tuple[Digested, ...] = field(repr=False)
    #: For each reference whether it is targeted; empty if none is.
    targeted: tuple[bool, ...] = ()
    source: Digested | None = field(default=None, repr=False)

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """Stand for the translations, then for each reference."""
        return tuple(column.digest for column in (self.translations, *self.references))

    def __reduce__(self) -> tuple[object, ...]:
        # Rows travel between processes; the texts they came from stay at home.
        segments, (first, *others) = len(self.translations), self.digests
        source = None if self.source is None else Digest(self.source.digest, segments)
        references = tuple(Digest(digest, segments) for digest in others)
        return Provenance, (Digest(first, segments), references, self.targeted, source)

    def signature(
        self, metric: Metric, *, seed: int | None = None, samples: int | None = None, systems: bool = False
    ) -> str:
        """The metric with all its fields, then the run; digests are the first digits of a 128-bit hash.

        With ``systems`` it is that of all systems with the same references: no translation is named.
        """
        drawn = {"seed": seed, "samples": samples}
        translation, *references = self.digests
        texts = {
            "translation": [] if systems else [translation],
            "reference": references,
            "targeted": [digest for digest, flag in zip(references, self.targeted, strict=False) if flag],
            "source": [self.source.digest] if metric.sees_source and self.source is not None else [],
            "fitted": metric.fitted_on or (),
        }
        return "|".join(
            [
                spell(metric.resolved, all_fields=True),
                f"references:{len(references)}",
                f"segments:{len(self.translations)}",
                *(f"{name}:{value}" for name, value in drawn.items() if value is not None),
                f"version:{__version__}",
                *(f"{name}:{'+'.join(one[:12] for one in digests)}" for name, digests in texts.items() if digests),
                *(f"{option}:{digest[:12]}" for option, digest in metric.resources().items()),
            ]
        )
