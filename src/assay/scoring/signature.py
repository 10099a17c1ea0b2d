"""Signatures: one line that says exactly what was computed, on which texts, by which version."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol

from assay.data.texts import Column
from assay.metrics.base import Metric
from assay.metrics.spelling import spell
from assay.version import __version__


class Digested(Protocol):
    """Texts, or what stands for them."""

    @property
    def digest(self) -> str:
        """Hexadecimal digits that stand for the texts."""


class Digest(NamedTuple):
    """What stands for texts that stayed at home."""

    digest: str


@dataclass(frozen=True, eq=False)
class Provenance:
    """What only the run knows: which texts were counted. They are digested when somebody asks."""

    segments: int
    #: The translations, then each reference.
    columns: tuple[Digested, ...] = field(repr=False)
    #: For each reference whether it is targeted; empty if none is.
    targeted: tuple[bool, ...] = ()
    source: Digested | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        translations: Column,
        references: tuple[Column, ...],
        targeted: tuple[bool, ...] = (),
        source: Column | None = None,
    ) -> Provenance:
        """What was counted: one column of translations against these references."""
        return cls(len(translations), (translations, *references), targeted, source)

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """Stand for the translations, then for each reference."""
        return tuple(column.digest for column in self.columns)

    def __reduce__(self) -> tuple[object, ...]:
        # Rows travel between processes; the texts they came from stay at home.
        source = None if self.source is None else Digest(self.source.digest)
        return Provenance, (self.segments, tuple(map(Digest, self.digests)), self.targeted, source)

    def signature(
        self, metric: Metric, *, seed: int | None = None, samples: int | None = None, systems: bool = False
    ) -> str:
        """The metric with all its fields, then the run; digests are the first digits of a 128-bit hash.

        With ``systems`` it is that of all systems with the same references: no translation is named.
        """
        drawn = [] if seed is None else [f"seed:{seed}"]
        drawn += [] if samples is None else [f"samples:{samples}"]
        post_edits = [digest for digest, flag in zip(self.digests[1:], self.targeted, strict=False) if flag]
        fitted = [f"fitted:{_short(metric.fitted_on)}"] if metric.fitted_on else []
        return "|".join(
            [
                spell(metric.resolved, all_fields=True),
                f"references:{len(self.digests) - 1}",
                f"segments:{self.segments}",
                *drawn,
                f"version:{__version__}",
                *([] if systems else [f"translation:{self.digests[0][:12]}"]),
                f"reference:{_short(self.digests[1:])}",
                *([f"targeted:{_short(post_edits)}"] if post_edits else []),
                *([f"source:{self.source.digest[:12]}"] if metric.sees_source and self.source else []),
                *fitted,
                *(f"{option}:{digest[:12]}" for option, digest in metric.resources().items()),
            ]
        )


def _short(digests: Sequence[str]) -> str:
    return "+".join(digest[:12] for digest in digests)
