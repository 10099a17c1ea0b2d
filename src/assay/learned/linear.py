"""Weighted sums of features: ridge, logistic, ordinal and pairwise models, and how all but one are learnt."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.arrays import Array, Codes
from assay.errors import InputError
from assay.learned.model import (
    Classes,
    Grader,
    Model,
    Number,
    Numbers,
    Scaling,
    logistic,
    refuse,
    require_length,
    weighted_sum,
)
from assay.learned.training import Trained, TrainingSet, held_out
from assay.properties import cached_property
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

#: Proportional odds (McCullagh, 1980) as cut points and slopes: the chance of grade j or lower is the logistic function
#: of ``cuts[j]`` less ``values @ slopes``. With two grades it is logistic regression.
_Odds = tuple[Array, Array]


class _Weighted(Model, frozen=True):
    """The weighted sum of features on one scale."""

    scaling: Scaling
    weights: Array

    def total(self, values: Array) -> Array:
        """The sum of each row."""
        return weighted_sum(self.scaling(self.checked(values)), self.weights)

    def check(self) -> None:
        self.scaling.require(self.inputs)
        require_length("weights", self.weights, self.inputs)


class Linear(_Weighted, frozen=True, tag="linear"):
    """A weighted sum and a constant, as ridge regression finds them."""

    intercept: Number

    def score(self, values: Array) -> Array:
        return self.total(values) + self.intercept


class Logistic(Grader, _Weighted, frozen=True, tag="logistic"):
    """Two classes: the log odds of the upper one are a weighted sum and a constant."""

    intercept: Number
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        upper = logistic(self.total(values) + self.intercept)
        return np.column_stack([1.0 - upper, upper])

    def check(self) -> None:
        super().check()
        if len(self.classes) != 2:
            raise InputError(f".classes: two are needed, not {len(self.classes)}.")


class Ordinal(Grader, _Weighted, frozen=True, tag="ordinal-logistic"):
    """Ordered classes: the log odds of a class up to the k-th are its threshold less a weighted sum."""

    #: Between neighbouring classes, rising.
    thresholds: Array
    classes: Classes

    def probabilities(self, values: Array) -> Array:
        at_most = logistic(self.thresholds[None, :] - self.total(values)[:, None])
        edges = np.column_stack([np.zeros(len(at_most)), at_most, np.ones(len(at_most))])
        return np.diff(edges, axis=1)

    def check(self) -> None:
        super().check()
        if len(self.classes) < 2:
            raise InputError(".classes: at least two are needed.")
        require_length("thresholds", self.thresholds, len(self.classes) - 1)
        falling = np.diff(self.thresholds, prepend=-np.inf) < 0.0
        refuse("thresholds", self.thresholds, falling, "thresholds rise.")


class Cut(Numbers, frozen=True):
    """Classes cut out of one number that has a scale: an ordinal regression of one feature inside another model."""

    scaling: Scaling
    weights: Array
    thresholds: Array
    classes: Classes

    @cached_property
    def ordinal(self) -> Ordinal:
        """The same as a model."""
        return Ordinal(self.scaling, self.weights, self.thresholds, self.classes, inputs=1)


class Preference(_Weighted, frozen=True, tag="preference"):
    """Which of two translations is better: the log odds are the difference of two weighted sums.

    The score of one translation is its weighted sum; it has no unit, only differences count.
    """

    def score(self, values: Array) -> Array:
        return self.total(values)

    def preference(self, first: Array, second: Array) -> Array:
        """The probability that the first of two translations is better, pair by pair."""
        return logistic(self.score(first) - self.score(second))


def fit_ridge(data: TrainingSet) -> Trained:
    """Least squares with a penalty that the inner folds choose by the squared error.

    For classes the number of the class is predicted, and the prediction cut into classes.
    """
    squares = np.zeros(len(_RIDGE_PENALTIES))
    for training, held in data.inner():
        lines = ridge_lines(training, _RIDGE_PENALTIES)
        squares += [((line.score(held.values) - held.target) ** 2).sum() for line in lines]
    best = int(squares.argmin())
    penalty = _RIDGE_PENALTIES[best : best + 1]
    (line,) = ridge_lines(data, penalty)
    chosen = {"l2": _RIDGE_PENALTIES[best]}
    if data.classes is None:
        return Trained(line, chosen, -float(squares[best]) / len(data))
    if data.inputs > 1:
        return Trained(_cut_line(line, data), chosen)
    inside = held_out(data, lambda part: _cut_line(ridge_lines(part, penalty)[0], part))
    return Trained(_cut_line(line, data), chosen, inside)


def ridge_lines(data: TrainingSet, penalties: tuple[float, ...]) -> list[Linear]:
    """The best weighted sum under each penalty, from one decomposition."""
    scaling = Scaling.of(data.values)
    z = scaling(data.values)
    mean = float(data.target.mean())
    values, vectors = np.linalg.eigh(z.T @ z / len(z))
    turned = vectors.T @ (z.T @ (data.target - mean) / len(z))
    weights = [np.asarray(vectors @ (turned / (np.maximum(values, 0.0) + penalty))) for penalty in penalties]
    return [Linear(scaling, of_penalty, mean, inputs=data.inputs) for of_penalty in weights]


def _cut_line(line: Linear, data: TrainingSet) -> Ordinal:
    """A weighted sum that is cut into classes is an ordinal regression again."""
    cut = fit_cut(line.score(data.values), data)
    slope = cut.weights[0] / cut.scaling.spread[0]
    cuts = cut.thresholds + slope * (cut.scaling.centre[0] - line.intercept)
    return Ordinal(line.scaling, np.asarray(line.weights * slope), cuts, data.graded, inputs=line.inputs)


def fit_cut(scores: Array, data: TrainingSet) -> Cut:
    """Classes out of scores, which become the one feature of an ordinal regression: the most likely cut points."""
    found = _ordinal(scores[:, None], data, _NEXT_TO_NOTHING)
    return Cut(found.scaling, found.weights, found.thresholds, found.classes)


def fit_ordinal(data: TrainingSet) -> Trained:
    """Proportional odds with a penalty that the inner folds choose by the likelihood."""
    if data.inputs == 1:
        # One slope and some cut points need no penalty.
        inside = held_out(data, lambda part: _ordinal(part.values, part, _NEXT_TO_NOTHING, tolerance=_ROUGH))
        return Trained(_ordinal(data.values, data, _NEXT_TO_NOTHING), {}, inside)
    likelihood = np.zeros(len(_PENALTIES))
    for training, held in data.inner():
        odds = None
        for place, penalty in enumerate(_PENALTIES):
            model = _ordinal(training.values, training, penalty, odds, _ROUGH)
            odds = model.thresholds, model.weights
            likelihood[place] += log_likelihood(odds, model.scaling(held.values), held.target)
    best = _PENALTIES[int(likelihood.argmax())]
    return Trained(_ordinal(data.values, data, best), {"l2": best})


def _ordinal(
    values: Array, data: TrainingSet, penalty: float, start: _Odds | None = None, tolerance: float = _EXACT
) -> Ordinal:
    """The grades of a training set out of these features of its examples."""
    scaling = Scaling.of(values)
    cuts, slopes = fit_odds(scaling(values), data.target, len(data.graded), penalty, start=start, tolerance=tolerance)
    return Ordinal(scaling, slopes, cuts, data.graded, inputs=values.shape[1])


def log_likelihood(odds: _Odds, values: Array, grades: Codes) -> float:
    """In the mean over examples."""
    low, high = _chances(odds[0], values @ odds[1], grades)
    return float(np.log(np.maximum(high - low, _TINY)).mean())


def fit_odds(
    values: Array, grades: Codes, count: int, l2: float, *, start: _Odds | None = None, tolerance: float = _EXACT
) -> _Odds:
    """The most likely cut points and slopes; all ``count`` grades occur, and features are standardised.

    The penalty is ``l2 / 2`` times the squared length of the slopes, beside the mean negative log-likelihood.
    """
    if start is None:
        # Cut points that give each grade its share, and no slope.
        shares = np.clip(np.cumsum(np.bincount(grades, minlength=count))[:-1] / len(grades), 1e-6, 1 - 1e-6)
        start = np.log(shares / (1 - shares)), np.zeros(values.shape[1])
    # Free numbers: the first cut, the logarithms of the steps to the next, the slopes.
    cuts, slopes = start
    packed = np.concatenate([cuts[:1], np.log(np.maximum(np.diff(cuts), 1e-6)), slopes])
    options = {"gtol": tolerance, "ftol": 1e-6 * tolerance, "maxls": 50}
    return _unpacked(_minimum(odds_loss, packed, (values, grades, count, l2), options), count)


def _unpacked(packed: Array, count: int) -> _Odds:
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
