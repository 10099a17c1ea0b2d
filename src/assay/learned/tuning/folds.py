"""Which segments, documents or systems are held out together."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.errors import InputError, ParameterError
from assay.meta.benches import document_labels
from assay.meta.people import Flags, People

Codes = NDArray[np.int64]
Group = Literal["segment", "document", "system"]
GROUPS: tuple[Group, ...] = ("segment", "document", "system")
#: Of three folds one is held out and one chooses; the number of searches grows with the square of the folds.
FEWEST, MOST = 3, 25
USUAL_FOLDS = 10
#: Folds are drawn from another stream than samples.
FOLD_STREAM = 29


@dataclass(frozen=True, eq=False)
class Folds:
    """For every segment, or every system, the fold that it is held out with; -1 where it takes no part."""

    count: int
    group: Group
    #: How many segments, documents or systems were shared out.
    groups: int
    of_segment: Codes | None = field(default=None, repr=False)
    of_system: Codes | None = field(default=None, repr=False)

    def of_cells(self, system: Codes, segment: Codes) -> Codes:
        """The folds of segments of systems."""
        if self.of_segment is not None:
            return self.of_segment[segment]
        if self.of_system is None:
            raise ParameterError("Folds are of segments or of systems.")
        return self.of_system[system]

    def segment_weights(self, excluded: frozenset[int], segments: int) -> NDArray[np.float64]:
        """1 for the segments that are not in these folds; folds of systems leave all segments in."""
        if self.of_segment is None:
            return np.ones(segments)
        return (~np.isin(self.of_segment, list(excluded))).astype(np.float64)

    def systems_left(self, excluded: frozenset[int], systems: int) -> Flags:
        """The systems that are not in these folds; folds of segments leave all systems in."""
        if self.of_system is None:
            return np.ones(systems, dtype=np.bool_)
        return ~np.isin(self.of_system, list(excluded))


def folds_of(campaign: Campaign, people: People, group: Group, count: int, seed: int) -> Folds:
    """Share what people judged out into folds at random."""
    if not FEWEST <= count <= MOST:
        raise ParameterError(
            f"folds is {count}, but it takes {FEWEST} to {MOST}: one is held out, one chooses, and the others train."
        )
    generator = np.random.default_rng([seed, FOLD_STREAM])
    judged = people.judged
    if group == "system":
        found = np.flatnonzero(judged.any(axis=1))
        _require(campaign, found.size, count, group)
        return Folds(count, group, found.size, of_system=_shared_out(found, len(judged), count, generator))
    segments = np.flatnonzero(judged.any(axis=0))
    if group == "segment":
        _require(campaign, segments.size, count, group)
        return Folds(count, group, segments.size, _shared_out(segments, judged.shape[1], count, generator))
    labels = document_labels(campaign.documents)
    if labels is None:
        raise InputError(
            f"{campaign.name} does not tell documents apart (docs.txt), so they cannot be held out. "
            "Take --group segment."
        )
    documents = np.unique(labels.codes[segments])
    _require(campaign, documents.size, count, group)
    of_document = _shared_out(documents, len(labels.names), count, generator)
    return Folds(count, group, documents.size, of_document[labels.codes])


def _shared_out(units: Codes, size: int, count: int, generator: np.random.Generator) -> Codes:
    fold = np.full(size, -1, dtype=np.int64)
    fold[generator.permutation(units)] = np.arange(len(units)) % count
    return fold


def _require(campaign: Campaign, found: int, count: int, group: str) -> None:
    if found < count:
        noun = f"judged {group}" + ("" if found == 1 else "s")
        raise InputError(
            f"{campaign.name} has {found} {noun}, which cannot be shared out into {count} folds. Take fewer folds "
            f"(--folds, at least {FEWEST}) or another --group."
        )
