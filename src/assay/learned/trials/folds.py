"""Folds that keep what belongs together: no group is in both halves of any of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, ParameterError

Codes = NDArray[np.int64]

#: What may be kept together; ``none`` deals the translations out one by one, as Paul et al. (2007) did.
GROUPS = ("segment", "document", "system", "none")
USUAL_FOLDS = 10


@dataclass(frozen=True, eq=False)
class Folds:
    """For each example the fold in which it is tested; it takes part in training in all the others."""

    #: What is kept together.
    group: str
    fold: Codes
    #: The group of each example, from 0.
    groups: Codes

    def __len__(self) -> int:
        return int(self.fold.max()) + 1

    def tested(self, number: int) -> NDArray[np.bool_]:
        """Which examples are tested in a fold."""
        return np.asarray(self.fold == number)


def make_folds(groups: Codes, count: int, *, seed: int, group: str = "segment") -> Folds:
    """So many folds of nearly equal size; groups are dealt out at random, larger ones first."""
    if count < 2:
        raise ParameterError(f"There are {count} folds, but it takes at least 2.")
    _, codes = np.unique(groups, return_inverse=True)
    sizes = np.bincount(codes)
    if len(sizes) < count:
        raise InputError(
            f"There are {len(sizes)} {_plural(group)} for {count} folds, and no {_single(group)} may be in two of "
            f"them. Ask for fewer (--folds {max(2, len(sizes))}) or group otherwise (--group)."
            if len(sizes) > 1
            else f"There is one {_single(group)} only: it cannot be both learnt from and tested on. "
            "Group otherwise (--group)."
        )
    return Folds(group, _deal(sizes, count, seed)[codes], codes.astype(np.int64))


def _deal(sizes: Codes, count: int, seed: int) -> Codes:
    """The fold of each group: in random order, larger ones first, each to the fold that has least."""
    shuffled = np.random.default_rng([seed, 7]).permutation(len(sizes))
    order = shuffled[np.argsort(-sizes[shuffled], kind="stable")]
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


def _single(group: str) -> str:
    return "translation" if group == "none" else group


def _plural(group: str) -> str:
    return f"{_single(group)}s"
