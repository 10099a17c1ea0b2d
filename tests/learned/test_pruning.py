"""Pruning is scikit-learn's, for every price at once."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from assay.learned.models.base import Classes
from assay.learned.training.learner import Targets, TrainingSet
from assay.learned.training.tree import LEAST_IN_LEAF, MOST_LEAVES, Grown, TreeLearner

CLASSES = Classes(("1", "2", "3"), (1.0, 2.0, 3.0))


def training_set(graded=True, rows=400, seed=4):
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=rows)
    values = 0.6 * quality[:, None] + generator.normal(size=(rows, 4))
    target = np.digitize(quality, [-0.5, 0.6]).astype(float) if graded else quality
    groups = np.arange(rows) // 2
    return TrainingSet(values, Targets(target, CLASSES if graded else None, groups, groups, 1), (True,) * 4)


@pytest.mark.parametrize("graded", [True, False])
def test_every_price_gives_the_tree_that_scikit_learn_gives(graded):
    taught = training_set(graded)
    grown = Grown.of(taught)
    steps = grown.prices()
    kind = DecisionTreeClassifier if graded else DecisionTreeRegressor
    for price in np.sqrt(steps[1:-1] * steps[2:])[::7]:
        peer = kind(
            min_samples_leaf=LEAST_IN_LEAF, max_leaf_nodes=MOST_LEAVES, random_state=1, ccp_alpha=float(price)
        ).fit(taught.values, taught.grades if graded else taught.target)
        tree = grown.pruned(float(price))
        assert int((tree.feature < 0).sum()) == peer.get_n_leaves()
        expected = peer.predict_proba(taught.values) if graded else peer.predict(taught.values)[:, None]
        assert tree.outputs(taught.values) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("graded", [True, False])
def test_what_is_counted_per_node_is_what_the_pruned_tree_does(graded):
    taught, other = training_set(graded), training_set(graded, seed=9)
    grown = Grown.of(taught)
    prices = np.array([0.0, 0.002, 0.01, 1.0])
    found = grown.goodness(other, prices)
    for price, value in zip(prices, found, strict=True):
        outputs = grown.pruned(float(price)).outputs(other.values)
        direct = (
            (outputs.argmax(axis=1) == other.grades).sum() if graded else -((outputs[:, 0] - other.target) ** 2).sum()
        )
        assert value == pytest.approx(direct, abs=1e-9)


def test_noise_is_pruned_away():
    taught = training_set()
    noise = np.random.default_rng(1).normal(size=taught.values.shape)
    shuffled = TrainingSet(noise, taught.targets, taught.better)
    assert TreeLearner().fit(shuffled).chosen["leaves"] < 12
    assert TreeLearner().fit(taught).chosen["leaves"] >= 3
