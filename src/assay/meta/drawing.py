"""Which segments and systems are drawn, and how often: what intervals allow for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.data.factor import Factor
from assay.errors import InputError
from assay.meta.benches import with_observed
from assay.meta.people import Array, Flags, People
from assay.meta.request import Request
from assay.meta.statistics.draws import Draws
from assay.significance.weights import bootstrap_counts

#: Below so many systems no statistic over systems says anything.
FEWEST_SYSTEMS = 3
#: Systems are drawn from another stream than segments.
SYSTEM_STREAM = 1_000_003


@dataclass(frozen=True)
class Drawing:
    """Draws for every level, the same ones whichever metric asks; the first has everything once."""

    people: People
    labels: Factor | None
    request: Request

    def of_segments(self, level: str) -> Draws:
        """Segments, or whole documents if they are the unit, and systems where the level calls for it."""
        if self.request.unit == "segment":
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
        return judged if self.request.scope == "judged" and judged.any() else np.ones_like(judged)

    def _counts(self, taking_part: Flags) -> Array:
        """How often each unit was drawn; those that take no part never are."""
        counts = np.zeros((self.request.samples, len(taking_part)))
        if self.request.resample == "systems":
            counts[:, taking_part] = 1.0
        else:
            counts[:, taking_part] = _drawn(int(taking_part.sum()), self.request.samples, self.request.seed)
        return counts

    def _with_systems(self, segments: Array, level: str) -> Draws:
        count = len(self.people.systems)
        kept = ("segments",) if level == "system" else ("segments", "points")
        if self.request.resample in kept or count < FEWEST_SYSTEMS:
            systems = np.ones((self.request.samples, count))
        else:
            systems = _drawn(count, self.request.samples, self.request.seed + SYSTEM_STREAM)
        return with_observed(Draws(segments, systems))


def _drawn(count: int, samples: int, seed: int) -> Array:
    blocks = list(bootstrap_counts(count, samples, seed))
    return np.concatenate(blocks) if blocks else np.ones((0, count))
