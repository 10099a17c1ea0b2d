"""What a model predicts for the translations of a campaign: scores, grades and their probabilities."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.errors import InputError, UnknownName
from assay.learned.features.table import FeatureTable
from assay.learned.models.base import Array
from assay.learned.saved.model_file import QualityModel
from assay.scoring.statistics import KEYS, Level, name_file
from assay.significance.intervals import Interval
from assay.version import __version__


@dataclass(frozen=True, eq=False)
class Prediction:
    """Predictions for every translation that has a reference; ``features`` are what they were made from.

    ``probabilities`` (rows by grades) is None of a model that gives scores alone.
    """

    campaign: str
    references: tuple[str, ...]
    model: QualityModel
    features: FeatureTable = field(repr=False)
    scores: Array = field(repr=False)
    probabilities: Array | None = field(repr=False)
    #: One per system, or none at all.
    intervals: tuple[Interval, ...] = field(repr=False)
    signature: str

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems, in the campaign's order."""
        return self.features.system_names

    @property
    def grade_names(self) -> tuple[str, ...]:
        """The grades from the worst to the best; empty of a model that gives scores alone."""
        return () if self.model.classes is None else self.model.classes.names

    @property
    def segment_count(self) -> int:
        """How many segments were predicted; those without a reference were not."""
        return len(np.unique(self.features.segments))

    def ranked_systems(self) -> list[str]:
        """The best first."""
        means = {row["system"]: row["score"] for row in self.table()}
        return sorted(self.systems, key=lambda system: -means[system])

    def table(self) -> list[dict[str, Any]]:
        """A row per system: the mean score with its interval, and the share of each grade, 0 to 100."""
        rows = []
        for number, system in enumerate(self.systems):
            chosen = self.features.systems == number
            interval = self.intervals[number] if self.intervals else None
            rows.append(
                {
                    "system": system,
                    "score": float(self.scores[chosen].mean()),
                    "low": None if interval is None else interval.low,
                    "high": None if interval is None else interval.high,
                    **self._shares(chosen),
                    "segments": int(chosen.sum()),
                }
            )
        return rows

    def _shares(self, chosen: Any) -> dict[str, float | None]:
        if self.probabilities is None:
            return {}
        if not chosen.any():
            return {f"share_{name}": None for name in self.grade_names}
        means = 100.0 * self.probabilities[chosen].mean(axis=0)
        return {f"share_{name}": share for name, share in zip(self.grade_names, means.tolist(), strict=True)}

    def segments(self) -> list[dict[str, Any]]:
        """A row per translation: its score, and of a grader its likeliest grade and the probability of each, 0 to 1.

        All are None for a segment that was left out, because it has no reference.
        """
        table = self.features
        rows: list[dict[str, Any]] = []
        place = np.full((len(self.systems), len(table.segment_names)), -1)
        place[table.systems, table.segments] = np.arange(len(table))
        for system, places in zip(self.systems, place.tolist(), strict=True):
            for segment, row in zip(table.segment_names, places, strict=True):
                score = None if row < 0 else float(self.scores[row])
                rows.append({"system": system, "segment": segment, "score": score, **self._grade(row)})
        return rows

    def _grade(self, row: int) -> dict[str, Any]:
        """The likeliest grade of a row, and the probability of each; of no row (-1) None."""
        if self.probabilities is None:
            return {}
        shares = [None] * len(self.grade_names) if row < 0 else self.probabilities[row].tolist()
        likeliest = None if row < 0 else self.grade_names[int(self.probabilities[row].argmax())]
        return {
            "grade": likeliest,
            **{f"probability_{name}": one for name, one in zip(self.grade_names, shares, strict=True)},
        }

    def level(self, level: Level) -> list[dict[str, Any]]:
        """A row per system and segment, document or domain."""
        if level not in KEYS:
            raise UnknownName.of("level", level, KEYS)
        if level == "segments":
            return self.segments()
        table = self.features
        labels = table.segment_documents if level == "documents" else table.segment_domains
        if labels is None:
            raise InputError(f"{self.campaign} names no {level}. A campaign folder has them in {name_file(level)}.")
        group = np.array(labels, dtype=object)[table.segments]
        rows = []
        for number, system in enumerate(self.systems):
            for name in dict.fromkeys(labels):
                chosen = (table.systems == number) & (group == name)
                count = int(chosen.sum())
                # All of its segments may be without a reference.
                mean = float(self.scores[chosen].mean()) if count else None
                rows.append(
                    {"system": system, KEYS[level]: name, "score": mean, **self._shares(chosen), "segments": count}
                )
        return rows

    def to_dict(self, *levels: Level) -> dict[str, Any]:
        """All that ``assay predict --format json`` prints."""
        return {
            "assay": __version__,
            "command": "predict",
            "model": {
                "kind": self.model.model.kind,
                "digest": self.model.digest,
                "features": [str(feature) for feature in self.model.features],
                "card": self.model.card.to_data(),
            },
            "signature": self.signature,
            "scores": self.table(),
            **{level: self.level(level) for level in levels},
        }

    def to_json(self, *levels: Level) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(*levels), ensure_ascii=False, allow_nan=False, indent=2)

    def _repr_html_(self) -> str:
        from html import escape

        def cells(values: Iterable[object], tag: str) -> str:
            shown = (f"{one:.2f}" if isinstance(one, float) else "–" if one is None else str(one) for one in values)
            return "".join(f"<{tag}>{escape(one)}</{tag}>" for one in shown)

        rows = self.table()
        lines = "".join(f"<tr>{cells(row.values(), 'td')}</tr>" for row in rows)
        return f"<table><tr>{cells(rows[0], 'th')}</tr>{lines}</table>"
