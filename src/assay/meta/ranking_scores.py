"""Scores of systems from who beat whom: shares of wins, and models that explain all outcomes at once.

Shares work on sums over segments, with any number of axes in front, so that weights over segments give their intervals.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, MissingExtra, UnknownName
from assay.meta.rankings import Pairs, Wins, wins

Scores = NDArray[np.float64]


def win_share(won: Scores, lost: Scores, tied: Scores) -> Scores:  # noqa: ARG001 - ties do not count here
    """``win / (win + loss)``: ties do not count (Bojar et al. 2011). NaN for a system that only tied."""
    return _ratio(won, won + lost)


def win_or_tie_share(won: Scores, lost: Scores, tied: Scores) -> Scores:
    """``(win + tie) / (win + tie + loss)``: better than or equal to others, as WMT counted until 2010."""
    return _ratio(won + tied, won + tied + lost)


def expected_wins(won: Scores) -> Scores:
    """The mean over opponents of ``win / (win + loss)`` against each (Koehn 2012), from ... × K × K wins.

    Strong and weak opponents count the same, however often one met them. An opponent that one never met or only tied
    with does not count.
    """
    against = _ratio(won, won + np.swapaxes(won, -1, -2))
    met = ~np.isnan(against)
    return _ratio(np.where(met, against, 0.0).sum(axis=-1), met.sum(axis=-1))


def _ratio(part: Scores, whole: Scores | NDArray[np.int64]) -> Scores:
    some = np.asarray(whole, dtype=np.float64)
    share: Scores = np.divide(part, some, out=np.full(np.shape(some), np.nan), where=some > 0)
    return share


def bradley_terry(found: Wins) -> Scores:
    """Strengths that explain all wins at once, zero on average: their differences are log odds of winning.

    A tie is half a win for each side. The maximum of the likelihood does not depend on the order of judgements.
    """
    choix = _choix()
    matrix = found.wins + found.ties / 2
    _check_connected(found.systems, matrix)
    return np.asarray(choix.ilsr_pairwise_dense(matrix, alpha=0.0, max_iter=1000, tol=1e-10), dtype=np.float64)


def gaussian_skill(found: Wins) -> Scores:
    """TrueSkill's model: a skill with a normal prior and normal noise on every comparison; posterior means.

    TrueSkill passes over the judgements once, so its numbers depend on their order. Here expectation propagation runs
    until nothing changes, and the order does not matter. Ties do not count.
    """
    choix = _choix()
    counts = np.rint(found.wins).astype(np.int64)
    better, worse = (np.repeat(side, counts[np.nonzero(counts)]) for side in np.nonzero(counts))
    if not len(better):
        raise InputError("No two systems were ranked apart, so there is nothing to score.")
    data = list(zip(better.tolist(), worse.tolist(), strict=True))
    means, _ = choix.ep_pairwise(len(found.systems), data, alpha=1.0, model="probit")
    return np.asarray(means - means.mean(), dtype=np.float64)


def _check_connected(systems: tuple[str, ...], matrix: Scores) -> None:
    """A system that nobody beats, or a group of them, has no finite strength: say so before the model diverges."""
    from scipy.sparse.csgraph import connected_components

    count, labels = connected_components(matrix > 0, directed=True, connection="strong")
    if count > 1:
        sizes = np.bincount(labels)
        apart = [systems[index] for index in np.flatnonzero(labels == sizes.argmin())]
        raise InputError(
            f"{', '.join(apart)}: never beaten by the other systems, never better than them, or never compared "
            "with them, "
            "so that a Bradley-Terry model has no finite strengths. Use expected-wins or gaussian."
        )


def _choix() -> ModuleType:
    try:
        import choix
    except ImportError as error:
        raise MissingExtra.of("A model of rankings", "rankings") from error
    module: ModuleType = choix
    return module


def _shares(share: Callable[[Any, Any, Any], Scores]) -> Callable[[Wins], Scores]:
    return lambda found: share(found.wins.sum(axis=1), found.wins.sum(axis=0), found.ties.sum(axis=1))


#: Ways to score systems by their rankings.
METHODS: dict[str, Callable[[Wins], Scores]] = {
    "wins": _shares(win_share),
    "wins-or-ties": _shares(win_or_tie_share),
    "expected-wins": lambda found: expected_wins(found.wins),
    "bradley-terry": bradley_terry,
    "gaussian": gaussian_skill,
}


def ranking_scores(found: Pairs | Wins, method: str = "wins") -> dict[str, float]:
    """A score per system by one of ``METHODS``; higher is better."""
    if method not in METHODS:
        raise UnknownName.of("way to score rankings", method, METHODS)
    counted = wins(found) if isinstance(found, Pairs) else found
    return dict(zip(counted.systems, METHODS[method](counted).tolist(), strict=True))
