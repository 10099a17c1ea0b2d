"""Judgements as agreement sees them: who rated which item, who rated it too, and who rated it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.data.judgements import Judgements
from assay.meta.agreement.pairs import Paired
from assay.meta.agreement.weighted import Codes, Floats
from assay.meta.normalise import units_of


@dataclass(frozen=True, eq=False)
class Ratings:
    """Scores with raters: parallel arrays in the order of the file, and what could not be used."""

    judgements: Judgements = field(repr=False)
    score: Floats = field(repr=False)
    rater: Codes = field(repr=False)
    item: Codes = field(repr=False)
    system: Codes = field(repr=False)
    unit: Codes = field(repr=False)
    raters: tuple[str, ...]
    #: Why judgements are not here, and how many.
    left_out: dict[str, int]

    @classmethod
    def of(cls, judgements: Judgements) -> Ratings:
        """Those that have a score and a rater; the others are counted."""
        missing = np.isnan(judgements.score)
        unknown = ~missing & (judgements.rater.codes < 0)
        found = judgements.only(~missing & ~unknown)
        units = units_of(found)
        _, item = np.unique(units * (len(found.system.names) + 1) + found.system.codes, return_inverse=True)
        reasons = {"no_score": int(missing.sum()), "no_rater": int(unknown.sum())}
        return cls(
            judgements=found,
            score=found.score,
            rater=found.rater.codes,
            item=item.astype(np.int64),
            system=found.system.codes,
            unit=units,
            raters=found.rater.names,
            left_out={reason: count for reason, count in reasons.items() if count},
        )

    def __len__(self) -> int:
        return len(self.score)

    @cached_property
    def first(self) -> NDArray[np.bool_]:
        """Whether a rating is its rater's first one of the item: of the first kind, then in the file."""
        order = np.argsort(self.judgements.kind.codes, kind="stable")
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[order[np.unique(self._rater_items[order], return_index=True)[1]]] = True
        return flags

    @property
    def _rater_items(self) -> Codes:
        return self.item * (len(self.raters) + 1) + self.rater

    @cached_property
    def shared(self) -> Codes:
        """Rows of first ratings of items that at least two raters rated, sorted by item and rater."""
        rows = np.flatnonzero(self.first)
        counts = np.bincount(self.item[rows], minlength=int(self.item.max(initial=-1)) + 1)
        rows = rows[counts[self.item[rows]] > 1]
        return rows[np.lexsort((self.rater[rows], self.item[rows]))]

    def used(self, *, ranked: bool) -> dict[str, int]:
        """How many judgements serve what: between raters, as repeats, in rankings, not at all."""
        if ranked:
            alone = int((np.bincount(self.judgements.ranking.codes) == 1).sum())
            served = {"ranked": len(self) - alone, "alone_in_ranking": alone}
        else:
            first, shared = int(self.first.sum()), len(self.shared)
            served = {"between_raters": shared, "repeats": len(self) - first, "one_rater": first - shared}
        return {"judgements": len(self) + sum(self.left_out.values()), **served, **self.left_out}

    def between(self) -> Paired:
        """Every two raters of an item: groups are pairs of raters."""
        one, two = pairs_within(self.item[self.shared])
        first, second = self.shared[one], self.shared[two]
        key = self.rater[first] * len(self.raters) + self.rater[second]
        codes, group = np.unique(key, return_inverse=True)
        names = tuple((self.raters[code // len(self.raters)], self.raters[code % len(self.raters)]) for code in codes)
        return self._paired(first, second, group, names)

    def repeated(self) -> Paired:
        """Every two ratings of an item by the same rater, the earlier one first: groups are raters."""
        order = np.lexsort((np.arange(len(self)), self.judgements.kind.codes, self._rater_items))
        one, two = pairs_within(self._rater_items[order])
        first, second = order[one], order[two]
        codes, group = np.unique(self.rater[first], return_inverse=True)
        return self._paired(first, second, group, tuple((self.raters[code],) for code in codes))

    def against_others(self) -> Paired:
        """Each rater beside the mean of the others of the item: groups are raters."""
        rows = self.shared
        items, place = np.unique(self.item[rows], return_inverse=True)
        total, count = np.bincount(place, weights=self.score[rows]), np.bincount(place)
        others = (total[place] - self.score[rows]) / (count[place] - 1)
        codes, group = np.unique(self.rater[rows], return_inverse=True)
        units, unit = np.unique(self.unit[rows], return_inverse=True)
        names = tuple((self.raters[code],) for code in codes)
        return Paired(self.score[rows], others, group, unit, items[place], names, len(units))

    def _paired(self, first: Codes, second: Codes, group: Codes, names: tuple[tuple[str, ...], ...]) -> Paired:
        units, unit = np.unique(self.unit[first], return_inverse=True)
        return Paired(
            x=self.score[first],
            y=self.score[second],
            group=group,
            unit=unit,
            item=self.item[first],
            names=names,
            units=len(units),
            rows=(first, second),
        )


def pairs_within(keys: Codes) -> tuple[Codes, Codes]:
    """Positions of every two equal keys; the keys stand together.

    >>> [found.tolist() for found in pairs_within(np.array([7, 7, 7, 9]))]
    [[0, 0, 1], [1, 2, 2]]
    """
    starts = np.flatnonzero(np.diff(keys, prepend=keys[0] - 1 if len(keys) else 0))
    sizes = np.diff(np.append(starts, len(keys)))
    first: list[Codes] = [np.empty(0, dtype=np.int64)]
    second: list[Codes] = [np.empty(0, dtype=np.int64)]
    for size in np.unique(sizes[sizes > 1]):
        one, two = np.triu_indices(int(size), 1)
        begin = starts[sizes == size][:, None]
        first.append((begin + one).ravel())
        second.append((begin + two).ravel())
    one, two = np.concatenate(first), np.concatenate(second)
    order = np.lexsort((two, one))
    return one[order], two[order]
