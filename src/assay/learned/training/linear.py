"""Learners of weighted sums: ridge and ordinal regression, and preferences learnt from pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.arrays import Array, Codes
from assay.learned.models.base import Scaling
from assay.learned.models.combination import Graded, Plain, SomeColumns
from assay.learned.models.linear import Cut, Linear, Ordinal, Preference
from assay.learned.training.learner import Trained, TrainingSet, held_out
from assay.significance.draws import stream

#: Penalties that are tried on standardised features: per example, and beside the mean log-likelihood.
_RIDGE_PENALTIES = (10.0, 1.0, 0.1, 0.01, 0.001, 0.0001)
_PENALTIES = _RIDGE_PENALTIES[1:]
#: So little that one feature's slope is what it would be without.
_NEXT_TO_NOTHING = 1e-8
#: A probability below this counts as this much, so that its logarithm is a number.
_TINY = 1e-300
#: The gradient of a maximum, in units of the mean log-likelihood; and where only penalties are compared.
_EXACT, _ROUGH = 1e-9, 1e-4
MOST_STEPS = 500
#: More pairs than these teach nothing new about a few weights; so many are drawn.
_MOST_PAIRS = 20_000


def fit_ridge(data: TrainingSet) -> Trained:
    """Least squares with a penalty that the inner folds choose by the squared error.

    For classes the number of the class is predicted, and the prediction cut into classes (see ``graded``).
    """
    squares = np.zeros(len(_RIDGE_PENALTIES))
    for training, held in data.inner():
        for place, one in enumerate(ridge_lines(training, _RIDGE_PENALTIES)):
            squares[place] += ((one.score(held.values) - held.target) ** 2).sum()
    best = int(squares.argmin())
    penalty = _RIDGE_PENALTIES[best : best + 1]
    (line,) = ridge_lines(data, penalty)
    chosen = {"l2": _RIDGE_PENALTIES[best]}
    if data.classes is None:
        return Trained(line, chosen, -float(squares[best]) / len(data))
    if data.inputs > 1:
        return Trained(graded(line, data), chosen)
    inside = held_out(data, lambda part: graded(ridge_lines(part, penalty)[0], part))
    return Trained(graded(line, data), chosen, inside)


def ridge_lines(data: TrainingSet, penalties: tuple[float, ...]) -> list[Linear]:
    """The best weighted sum under each penalty, from one decomposition."""
    scaling = Scaling.of(data.values)
    z = scaling(data.values)
    mean = float(data.target.mean())
    values, vectors = np.linalg.eigh(z.T @ z / len(z))
    turned = vectors.T @ (z.T @ (data.target - mean) / len(z))

    def weights(penalty: float) -> Array:
        return np.asarray(vectors @ (turned / (np.maximum(values, 0.0) + penalty)))

    return [Linear(scaling, weights(penalty), mean, inputs=z.shape[1]) for penalty in penalties]


def fit_ordinal(data: TrainingSet) -> Trained:
    """Proportional odds with a penalty that the inner folds choose by the likelihood."""
    if data.inputs == 1:
        # One slope and some cut points need no penalty.
        model, _ = _ordinal(data, _NEXT_TO_NOTHING)
        return Trained(model, {}, held_out(data, lambda part: _ordinal(part, _NEXT_TO_NOTHING, tolerance=_ROUGH)[0]))
    likelihood = np.zeros(len(_PENALTIES))
    for training, held in data.inner():
        start = None
        for place, penalty in enumerate(_PENALTIES):
            inside, start = _ordinal(training, penalty, start, _ROUGH)
            likelihood[place] += start.log_likelihood(inside.scaling(held.values), held.grades)
    best = _PENALTIES[int(likelihood.argmax())]
    model, _ = _ordinal(data, best)
    return Trained(model, {"l2": best})


def _ordinal(
    data: TrainingSet, penalty: float, start: Odds | None = None, tolerance: float = _EXACT
) -> tuple[Ordinal, Odds]:
    scaling = Scaling.of(data.values)
    odds = fit_odds(scaling(data.values), data.grades, len(data.graded), penalty, start=start, tolerance=tolerance)
    return Ordinal(scaling, odds.slopes, odds.cuts, data.graded, inputs=data.inputs), odds


def graded(model: Plain | SomeColumns, data: TrainingSet) -> Graded | Ordinal:
    """Grades out of a model that knows scores only: its score becomes the one feature of an ordinal regression.

    The cut points are those that the data make most likely; of a weighted sum it is an ordinal regression again.
    """
    scores = model.score(data.values)[:, None]
    scaling = Scaling.of(scores)
    odds = fit_odds(scaling(scores), data.grades, len(data.graded), _NEXT_TO_NOTHING)
    if isinstance(model, Linear):
        slope = odds.slopes[0] / scaling.spread[0]
        cuts = odds.cuts + slope * (scaling.centre[0] - model.intercept)
        return Ordinal(model.scaling, np.asarray(model.weights * slope), cuts, data.graded, inputs=model.inputs)
    return Graded(model, Cut(scaling, odds.slopes, odds.cuts, data.graded), inputs=model.inputs)


@dataclass(frozen=True, eq=False)
class Odds:
    """Proportional odds (McCullagh, 1980): the chance of grade j or lower is the logistic function of ``cuts[j]`` less
    ``values @ slopes``. With two grades it is logistic regression."""

    cuts: Array
    slopes: Array

    def log_likelihood(self, values: Array, grades: Codes) -> float:
        """In the mean over examples."""
        low, high = _chances(self.cuts, values @ self.slopes, grades)
        return float(np.log(np.maximum(high - low, _TINY)).mean())


def fit_odds(
    values: Array, grades: Codes, count: int, l2: float, *, start: Odds | None = None, tolerance: float = _EXACT
) -> Odds:
    """The most likely cut points and slopes; all ``count`` grades occur, and features are standardised.

    The penalty is ``l2 / 2`` times the squared length of the slopes, beside the mean negative log-likelihood.
    """
    if start is None:
        # Cut points that give each grade its share, and no slope.
        shares = np.clip(np.cumsum(np.bincount(grades, minlength=count))[:-1] / len(grades), 1e-6, 1 - 1e-6)
        start = Odds(np.log(shares / (1 - shares)), np.zeros(values.shape[1]))
    # Free numbers: the first cut, the logarithms of the steps to the next, the slopes.
    packed = np.concatenate([start.cuts[:1], np.log(np.maximum(np.diff(start.cuts), 1e-6)), start.slopes])
    options = {"gtol": tolerance, "ftol": 1e-6 * tolerance, "maxls": 50}
    found = _minimum(odds_loss, packed, (values, grades, count, l2), options)
    return Odds(*_unpacked(found, count))


def _unpacked(packed: Array, count: int) -> tuple[Array, Array]:
    steps = np.exp(packed[1 : count - 1])
    return packed[0] + np.concatenate([[0.0], np.cumsum(steps)]), packed[count - 1 :]


def _chances(cuts: Array, shift: Array, grades: Codes) -> tuple[Array, Array]:
    """The chance to be below each example's grade, and up to it."""
    from scipy.special import expit

    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    return expit(edges[grades] - shift), expit(edges[grades + 1] - shift)


def odds_loss(packed: Array, values: Array, grades: Codes, count: int, l2: float) -> tuple[float, Array]:
    """The mean negative log-likelihood with its penalty, and the gradient."""
    cuts, slopes = _unpacked(packed, count)
    low, high = _chances(cuts, values @ slopes, grades)
    chance = np.maximum(high - low, _TINY)
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


def _minimum(loss: Any, start: Array, arguments: tuple[Any, ...], options: dict[str, float]) -> Array:
    from scipy.optimize import minimize

    settings = {"maxiter": MOST_STEPS, **options}
    return np.asarray(minimize(loss, start, args=arguments, jac=True, method="L-BFGS-B", options=settings).x)


def fit_preference(data: TrainingSet) -> Trained:
    """Logistic regression of the difference between two translations (Bradley and Terry's model with features)."""
    right, likelihood = np.zeros(len(_PENALTIES)), np.zeros(len(_PENALTIES))
    pairs = 0
    for training, held in data.inner():
        scaling = Scaling.of(training.values)
        apart, tested = differences(training, scaling), differences(held, scaling)
        pairs += len(tested)
        weights = np.zeros(data.inputs)
        for place, penalty in enumerate(_PENALTIES):
            weights = preference_weights(apart, penalty, weights)
            ahead = tested @ weights
            likelihood[place] -= np.logaddexp(0.0, -ahead).sum()
            right[place] += (ahead > 0).sum() + 0.5 * (ahead == 0).sum()
    best = int(likelihood.argmax())
    scaling = Scaling.of(data.values)
    weights = preference_weights(differences(data, scaling), _PENALTIES[best])
    model = Preference(scaling, weights, inputs=data.inputs)
    return Trained(model, {"l2": _PENALTIES[best]}, float(right[best]) / max(pairs, 1))


def differences(data: TrainingSet, scaling: Scaling) -> Array:
    """For each pair that people decided the better translation's features less the worse one's."""
    pairs = data.targets.pairs
    if len(pairs) > _MOST_PAIRS:
        generator = stream(data.targets.seed, "preferences")
        pairs = pairs[np.sort(generator.choice(len(pairs), _MOST_PAIRS, replace=False))]
    z = scaling(data.values)
    return z[pairs[:, 0]] - z[pairs[:, 1]]


def preference_weights(apart: Array, penalty: float, start: Array | None = None) -> Array:
    """The weights that make the better one most likely to be preferred."""
    from scipy.special import expit

    start = np.zeros(apart.shape[1]) if start is None else start
    if not len(apart):
        # All pairs are in the part that is tested: nobody is preferred.
        return start

    def loss(weights: Array) -> tuple[float, Array]:
        chance = expit(apart @ weights)
        value = -float(np.log(np.maximum(chance, _TINY)).mean()) + 0.5 * penalty * float(weights @ weights)
        return value, -(apart.T @ (1.0 - chance)) / len(apart) + penalty * weights

    return _minimum(loss, start, (), {"gtol": 1e-9, "ftol": 1e-15})
