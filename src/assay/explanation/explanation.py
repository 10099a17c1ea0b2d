"""The explanation of one segment's score: numbers, picture, and the ways to look at them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from assay.metrics.base import Metric
from assay.metrics.pictures import Alignment, EditScript, Grid, NgramMatches, Picture
from assay.version import __version__

#: What JSON calls each picture.
KINDS: dict[type[Picture], str] = {
    Alignment: "alignment",
    EditScript: "edits",
    Grid: "grid",
    NgramMatches: "ngrams",
}


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

    def table(self) -> list[dict[str, Any]]:
        """Score and parts, a row each."""
        return [{"name": "score", "value": self.score}] + [
            {"name": name, "value": value} for name, value in self.parts.items()
        ]

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        return {
            "metric": str(self.metric),
            "system": self.system,
            "segment": self.segment,
            "score": self.score,
            "parts": dict(self.parts),
            "remarks": list(self.remarks),
            "source": self.source,
            "translation": self.translation,
            "references": dict(zip(self.reference_names, self.references, strict=True)),
            "picture": None if self.picture is None else {"kind": KINDS[type(self.picture)], **_plain(self.picture)},
        }

    def to_json(self) -> str:
        """The same as text."""
        return to_json([self])

    def to_text(self, *, color: bool = False, width: int | None = None) -> str:
        """For a terminal; readable without colour. ``width`` is where lines are folded, 100 columns by default."""
        from assay.explanation.terminal import draw

        return draw(self, color=color, width=width or 100)

    def to_svg(self) -> str:
        """A drawing that stands alone."""
        from assay.explanation.svg import draw

        return draw([self])

    def to_html(self) -> str:
        """A page that stands alone."""
        from assay.explanation.page import page

        return page([self])

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from assay.explanation.page import section

        return section(self)


def to_json(explanations: list[Explanation]) -> str:
    """What ``assay explain --format json`` prints."""
    tables = {
        "assay": __version__,
        "command": "explain",
        "explanations": [explanation.to_dict() for explanation in explanations],
    }
    return json.dumps(tables, ensure_ascii=False, allow_nan=False, indent=2)


def _plain(picture: Picture) -> dict[str, Any]:
    """A picture in lists and dictionaries; sets come out sorted, so that the same picture is the same text."""
    return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in asdict(picture).items()}
