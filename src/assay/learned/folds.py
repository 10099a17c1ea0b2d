"""Folds that keep what belongs together: no group is in both halves of any of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.campaign import Campaign
from assay.errors import InputError, ParameterError
from assay.people.levels import document_labels
from assay.people.ratings import People
from assay.scoring.statistics import units_of
from assay.significance.draws import Keys, named, shuffled

#: What no fold of judgements tears apart.
Group = Literal["segment", "document", "system"]
USUAL_FOLDS = 10
#: When a metric is tuned, one of three folds is held out and one chooses; the number of searches grows with the square.
_FEWEST_TO_TUNE, _MOST_TO_TUNE = 3, 25


@dataclass(frozen=True, eq=False)
class Folds:
    """For each unit (a translation, a segment, a system) the fold in which it is tested; -1 where it takes no part."""

    #: What is kept together.
    group: str
    fold: Codes
    #: The group of each unit.
    groups: Codes

    def __len__(self) -> int:
        return int(self.fold.max()) + 1

    def tested(self, number: int) -> Flags:
        """Which units are tested in a fold."""
        return np.asarray(self.fold == number)

    def training(self, number: int) -> Flags:
        """Which units are learnt from when a fold is tested."""
        return ~self.tested(number)

    def widened(self, values: Array) -> Array:
        """Draws of a cross-validated statistic, farther from the value, which stands first: for what is learnt from.

        Draws of what is tested leave the models as they are. But those of different folds learnt from nearly the same,
        and each fold that is tested has taught the others, so that their luck is shared. Nadeau and Bengio (2003)
        multiply the variance by 1 + K/(K-1) for K folds. One fold, tested as a whole, has taught nobody: its
        draws stay as they are.
        """
        count = len(self)
        if count == 1:
            return values
        return np.asarray(values[:1] + np.sqrt(1.0 + count / (count - 1.0)) * (values - values[:1]))

    def outside(self, excluded: Iterable[int]) -> Flags:
        """Which units are in none of these folds."""
        return ~np.isin(self.fold, list(excluded))


def make_folds(groups: Keys | Codes, count: int, *, seed: int, group: str = "segment") -> Folds:
    """Folds of examples, of nearly equal size; groups are dealt out at random, larger ones first.

    ``groups`` has what the group of each example is known by.
    """
    if count < 2:
        raise ParameterError(f"There are {count} folds, but it takes at least 2.")
    keys, codes = np.unique(groups, return_inverse=True)
    sizes = np.bincount(codes)
    if len(sizes) < count:
        what = "translation" if group == "none" else group
        raise InputError(
            f"There are {len(sizes)} {what}s for {count} folds, and no {what} may be in two of them. Ask for fewer "
            f"(--folds {max(2, len(sizes))}) or group otherwise (--group)."
            if len(sizes) > 1
            else f"There is one {what} only: it cannot be both learnt from and tested on. Group otherwise (--group)."
        )
    return Folds(group, _deal(sizes, keys.astype(np.uint64), count, seed)[codes], codes.astype(np.int64))


def _deal(sizes: Codes, keys: Keys, count: int, seed: int) -> Codes:
    """The fold of each group: in random order, larger ones first, each to the fold that has least."""
    order = shuffled(keys, seed, "folds of examples")
    order = order[np.argsort(-sizes[order], kind="stable")]
    fold = np.empty(len(sizes), dtype=np.int64)
    if (sizes == sizes[0]).all():
        fold[order] = np.arange(len(order)) % count
        return fold
    totals = np.zeros(count, dtype=np.int64)
    for one in order.tolist():
        smallest = int(totals.argmin())
        fold[one] = smallest
        totals[smallest] += sizes[one]
    return fold


def require_folds(count: int) -> None:
    """Refuse fewer or more folds than a metric can be tuned on."""
    if not _FEWEST_TO_TUNE <= count <= _MOST_TO_TUNE:
        raise ParameterError(
            f"folds is {count}, but it takes {_FEWEST_TO_TUNE} to {_MOST_TO_TUNE}: one is held out, one chooses, and "
            "the others train."
        )


def judged_folds(campaign: Campaign, people: People, group: Group, count: int, seed: int) -> Folds:
    """Folds of what people judged, shared out at random: a fold for every system, or for every segment."""
    require_folds(count)
    judged = np.asarray(people.mask.any(axis=int(group == "system")))
    codes, keys = np.arange(len(judged)), named(people.systems)
    if group == "document" and document_labels(campaign.documents) is None:
        raise InputError(
            f"{campaign.name} does not tell documents apart (docs.txt), so they cannot be held out. "
            "Take --group segment."
        )
    if group != "system":
        drawn = units_of(campaign.documents, len(judged), group, campaign.places)
        codes, keys = drawn.spread(np.arange(len(drawn))), drawn.keys
    units = np.unique(codes[judged])
    if len(units) < count:
        noun = f"judged {group}" + ("" if len(units) == 1 else "s")
        raise InputError(
            f"{campaign.name} has {len(units)} {noun}, which cannot be shared out into {count} folds. Take fewer folds "
            f"(--folds, at least {_FEWEST_TO_TUNE}) or another --group."
        )
    fold = np.full(int(codes.max()) + 1, -1, dtype=np.int64)
    fold[units[shuffled(keys[units], seed, "folds of judgements")]] = np.arange(len(units)) % count
    return Folds(group, fold[codes], codes)
