"""Pairwise preference: which of two translations of one segment is better, learnt from pairs."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from assay.learned.models.base import Scaling
from assay.learned.models.linear import Preference
from assay.learned.training.lesson import Array, Learner, Learnt, Lesson
from assay.learned.trials.pairs import pairs_of

#: Penalties that are tried, beside the mean log-likelihood of standardised features.
PENALTIES = (1.0, 0.1, 0.01, 0.001, 0.0001)
#: More pairs than these teach nothing new about a few weights; so many are drawn.
MOST_PAIRS = 20_000


class PreferenceLearner(Learner):
    """Logistic regression of the difference between two translations (Bradley and Terry's model with features)."""

    name: ClassVar[str] = "preference"
    tasks: ClassVar[tuple[str, ...]] = ("pairs",)

    def learn(self, lesson: Lesson) -> Learnt:
        right = np.zeros(len(PENALTIES))
        likelihood = np.zeros(len(PENALTIES))
        pairs = 0
        for training, held in lesson.inner():
            scaling, apart = _differences(training)
            _, tested = _differences(held, scaling)
            pairs += len(tested)
            for place, penalty in enumerate(PENALTIES):
                ahead = tested @ _weights(apart, penalty)
                likelihood[place] -= np.logaddexp(0.0, -ahead).sum()
                right[place] += (ahead > 0).sum() + 0.5 * (ahead == 0).sum()
        best = int(likelihood.argmax())
        scaling, apart = _differences(lesson)
        weights = _weights(apart, PENALTIES[best])
        model = Preference(scaling, weights, inputs=len(weights))
        return Learnt(model, {"l2": PENALTIES[best]}, float(right[best]) / max(pairs, 1))


def _differences(lesson: Lesson, scaling: Scaling | None = None) -> tuple[Scaling, Array]:
    """For each pair of a lesson the better translation's features less the worse one's."""
    scaling = Scaling.of(lesson.values) if scaling is None else scaling
    pairs = pairs_of(lesson.segments, lesson.target)
    if len(pairs) > MOST_PAIRS:
        pairs = pairs[np.sort(np.random.default_rng([lesson.seed, 11]).choice(len(pairs), MOST_PAIRS, replace=False))]
    z = scaling(lesson.values)
    return scaling, z[pairs[:, 0]] - z[pairs[:, 1]]


def _weights(apart: Array, penalty: float) -> Array:
    """The weights that make the better one most likely to be preferred."""
    from scipy.optimize import minimize
    from scipy.special import expit

    if not len(apart):
        # All pairs are in the part that is tested: nobody is preferred.
        return np.zeros(apart.shape[1])

    def loss(weights: Array) -> tuple[float, Array]:
        ahead = apart @ weights
        value = float(np.logaddexp(0.0, -ahead).mean()) + 0.5 * penalty * float(weights @ weights)
        return value, -(apart.T @ expit(-ahead)) / len(apart) + penalty * weights

    start = np.zeros(apart.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 500, "gtol": 1e-9, "ftol": 1e-15})
    return np.asarray(found.x)
