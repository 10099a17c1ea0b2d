"""Proportional odds (McCullagh, 1980): the chance of a grade above each cut point, all with the same slopes.

With two grades it is logistic regression. Features are standardised before; the penalty is ``l2 / 2`` times the squared
length of the slopes, beside the mean negative log-likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

#: A probability below this counts as this much, so that its logarithm is a number.
TINY = 1e-300
#: The gradient of a maximum, in units of the mean log-likelihood; and where only penalties are compared.
EXACT, ROUGH = 1e-9, 1e-4
MOST_STEPS = 500


@dataclass(frozen=True, eq=False)
class Odds:
    """The chance of grade j or lower is the logistic function of ``cuts[j]`` less ``values @ slopes``."""

    cuts: Array
    slopes: Array

    def log_likelihood(self, values: Array, grades: Codes) -> float:
        """In the mean over examples."""
        low, high = _logistic(self.cuts, values @ self.slopes, grades)
        return float(np.log(np.maximum(high - low, TINY)).mean())


def fit_odds(
    values: Array, grades: Codes, count: int, l2: float, *, start: Odds | None = None, tolerance: float = EXACT
) -> Odds:
    """The most likely cut points and slopes under a penalty; all ``count`` grades occur."""
    from scipy.optimize import minimize

    first = _start(grades, count, values.shape[1]) if start is None else _packed(start)
    found = minimize(
        _loss,
        first,
        args=(values, grades, count, l2),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": MOST_STEPS, "gtol": tolerance, "ftol": 1e-6 * tolerance, "maxls": 50},
    )
    return Odds(*_unpacked(found.x, count))


def _start(grades: Codes, count: int, features: int) -> Array:
    """Cut points that give each grade its share, and no slope."""
    shares = np.cumsum(np.bincount(grades, minlength=count))[:-1] / len(grades)
    shares = np.clip(shares, 1e-6, 1 - 1e-6)
    return _packed(Odds(np.log(shares / (1 - shares)), np.zeros(features)))


def _packed(odds: Odds) -> Array:
    """Free numbers: the first cut, the logarithms of the steps to the next, the slopes."""
    steps = np.log(np.maximum(np.diff(odds.cuts), 1e-6))
    return np.concatenate([odds.cuts[:1], steps, odds.slopes])


def _unpacked(packed: Array, count: int) -> tuple[Array, Array]:
    steps = np.exp(packed[1 : count - 1])
    return packed[0] + np.concatenate([[0.0], np.cumsum(steps)]), packed[count - 1 :]


def _logistic(cuts: Array, shift: Array, grades: Codes) -> tuple[Array, Array]:
    """The chance to be below each example's grade, and up to it."""
    from scipy.special import expit

    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    return expit(edges[grades] - shift), expit(edges[grades + 1] - shift)


def _loss(packed: Array, values: Array, grades: Codes, count: int, l2: float) -> tuple[float, Array]:
    """The mean negative log-likelihood with its penalty, and the gradient."""
    cuts, slopes = _unpacked(packed, count)
    low, high = _logistic(cuts, values @ slopes, grades)
    chance = np.maximum(high - low, TINY)
    loss = -np.log(chance).mean() + 0.5 * l2 * float(slopes @ slopes)
    # Of the logistic function, s(1-s).
    at_low, at_high = low * (1.0 - low) / chance, high * (1.0 - high) / chance
    by_cut = np.zeros(count + 1)
    by_cut -= np.bincount(grades + 1, weights=at_high, minlength=count + 1)
    by_cut += np.bincount(grades, weights=at_low, minlength=count + 1)
    by_cut = by_cut[1:-1] / len(grades)
    # A step moves its own cut and all above it.
    onwards = np.cumsum(by_cut[::-1])[::-1]
    steps = onwards[1:] * np.exp(packed[1 : count - 1])
    by_slope = values.T @ (at_high - at_low) / len(grades) + l2 * slopes
    return loss, np.concatenate([onwards[:1], steps, by_slope])
