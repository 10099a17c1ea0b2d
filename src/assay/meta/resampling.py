"""Which segments and systems are drawn, and how often: what intervals allow for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.data.factor import Factor
from assay.errors import InputError
from assay.meta.people import Array, Flags, People
from assay.meta.statistics.draws import Draws
from assay.significance.weights import bootstrap_counts

#: What is drawn, in words: ``points`` are systems and segments at the system level, and segments below it.
DRAWN = {
    "points": "segments, at the system level of systems too",
    "segments": "segments",
    "systems": "systems",
    "both": "segments and systems",
}
#: Below so many systems no statistic over systems says anything.
FEWEST_SYSTEMS = 3
#: Systems are drawn from another stream than segments.
SYSTEM_STREAM = 1_000_003


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """What is drawn, as a whole or one by one, how often, and on which segments metrics score a system."""

    resample: str = "points"
    unit: str = "segment"
    scope: str = "judged"
    samples: int = 1000
    seed: int = 1


@dataclass(frozen=True)
class Drawing:
    """Draws for every level, the same ones whichever metric asks; the first has everything once."""

    people: People
    labels: Factor | None
    resampling: Resampling

    def of_segments(self, level: str) -> Draws:
        """Segments, or whole documents if they are the unit, and systems where the level calls for it."""
        if self.resampling.unit == "segment":
            return self._with_systems(self._counts(self._taking_part()), level)
        if self.labels is None:
            raise InputError("unit=document needs the document of each segment (docs.txt), and more than one.")
        return self._with_systems(self._document_counts(self.labels)[:, self.labels.codes], level)

    def of_documents(self, labels: Factor) -> Draws:
        """Documents, where they are the points."""
        return self._with_systems(self._document_counts(labels), "document")

    def _document_counts(self, labels: Factor) -> Array:
        segments = np.bincount(labels.codes, weights=self._taking_part(), minlength=len(labels.names))
        return self._counts(segments > 0)

    def _taking_part(self) -> Flags:
        """Segments that somebody judged: nothing is drawn from the others, unless metrics score all of them."""
        judged: Flags = np.asarray(self.people.judged.any(axis=0))
        return judged if self.resampling.scope == "judged" and judged.any() else np.ones_like(judged)

    def _counts(self, taking_part: Flags) -> Array:
        """How often each unit was drawn; those that take no part never are."""
        how = self.resampling
        counts = np.zeros((how.samples, len(taking_part)))
        drawn = how.resample != "systems"
        counts[:, taking_part] = _drawn(int(taking_part.sum()), how.samples, how.seed) if drawn else 1.0
        return counts

    def _with_systems(self, segments: Array, level: str) -> Draws:
        how, count = self.resampling, len(self.people.systems)
        kept = ("segments",) if level == "system" else ("segments", "points")
        if how.resample in kept or count < FEWEST_SYSTEMS:
            systems = np.ones((how.samples, count))
        else:
            systems = _drawn(count, how.samples, how.seed + SYSTEM_STREAM)
        return with_observed(Draws(segments, systems))


def with_observed(drawn: Draws) -> Draws:
    """These draws, and in front of them the one that has everything once."""
    # In one order in memory, whatever they were indexed by: sums then have the same last digit.
    return Draws(
        np.ascontiguousarray(np.concatenate([np.ones((1, drawn.segments.shape[1])), drawn.segments])),
        np.ascontiguousarray(np.concatenate([np.ones((1, drawn.systems.shape[1])), drawn.systems])),
    )


def _drawn(count: int, samples: int, seed: int) -> Array:
    blocks = list(bootstrap_counts(count, samples, seed))
    return np.concatenate(blocks) if blocks else np.ones((0, count))
