"""How many judgements were used, how many were not, and why: nothing is dropped in silence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Usage:
    """The fate of all judgements that were there."""

    total: int
    #: Reasons and how many judgements each kept out; every judgement counts once.
    unused: Mapping[str, int] = field(default_factory=dict)

    @property
    def used(self) -> int:
        """How many took part."""
        return self.total - sum(self.unused.values())

    def beside(self, count: int, reason: str) -> Usage:
        """With so many further judgements that were kept out before."""
        return Usage(self.total + count, {**self.unused, reason: count}) if count else self

    def without(self, *reasons: str) -> Usage:
        """As if the judgements that these reasons kept out had not been there."""
        unused = {reason: count for reason, count in self.unused.items() if reason not in reasons}
        return Usage(self.total - sum(self.unused.values()) + sum(unused.values()), unused)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"judgements": self.total, "used": self.used, "unused": dict(self.unused)}

    def __str__(self) -> str:
        said = f"{self.used:,} of {self.total:,} judgements were used"
        if not self.unused:
            return f"{said}."
        reasons = "; ".join(f"{count:,} {reason}" for reason, count in self.unused.items())
        return f"{said}. Not used: {reasons}."
