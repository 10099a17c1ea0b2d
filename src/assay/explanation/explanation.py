"""The explanation of one segment's score: numbers, picture, and the ways to look at them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.metrics.base import Metric
from assay.metrics.pictures import Picture


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one translation scored what it did.

    ``score`` is None where the metric could not score the segment. ``picture`` is one of the types of
    ``assay.metrics.pictures``, or None for a metric that has nothing but ``parts`` to show.
    """

    metric: Metric
    translation: str
    references: tuple[str, ...]
    reference_names: tuple[str, ...]
    score: float | None
    parts: Mapping[str, float | None]
    picture: Picture | None = field(repr=False)
    source: str | None = None
    #: Where the segment comes from, if it comes from a campaign.
    system: str | None = None
    segment: str | None = None
    #: What a reader should know: that a search was cut short, say.
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Metric and score, with what they are about."""
        score = "no score" if self.score is None else f"{self.score:.2f}"
        where = [f"system {self.system}"] if self.system is not None else []
        where += [f"segment {self.segment}"] if self.segment is not None else []
        return " · ".join([f"{self.metric.label} {score}", *where])

    def to_text(self, *, color: bool = False, width: int | None = None) -> str:
        """For a terminal; readable without colour. ``width`` is where lines are folded, 100 columns by default."""
        from assay.explanation.terminal import draw

        return draw(self, color=color, width=width or 100)
