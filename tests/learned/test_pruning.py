"""Trees are scikit-learn's, pruned at a price that the inner folds choose."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from assay.learned.model import Classes
from assay.learned.training import Targets, TrainingSet, goodness
from assay.learned.trees import LEAST_IN_LEAF, MOST_LEAVES, PRICES, fit_tree, goodness_at, pruned

CLASSES = Classes(("1", "2", "3"), (1.0, 2.0, 3.0))


def training_set(graded=True, rows=400, seed=4):
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=rows)
    values = 0.6 * quality[:, None] + generator.normal(size=(rows, 4))
    target = np.digitize(quality, [-0.5, 0.6]) if graded else quality
    groups = np.arange(rows) // 2
    return TrainingSet(values, Targets(target, CLASSES if graded else None, groups, groups, 1), (True,) * 4)


def prices(taught):
    return PRICES[::6] * (taught.target.var() if taught.classes is None else 2 / 3)


@pytest.mark.parametrize("graded", [True, False])
def test_every_price_gives_the_tree_that_scikit_learn_gives(graded):
    taught = training_set(graded)
    kind = DecisionTreeClassifier if graded else DecisionTreeRegressor
    sizes = set()
    for price in prices(taught):
        peer = kind(min_samples_leaf=LEAST_IN_LEAF, max_leaf_nodes=MOST_LEAVES, random_state=1, ccp_alpha=price).fit(
            taught.values, taught.target
        )
        model = pruned(taught, float(price))
        model.check()
        sizes.add(int((model.tree.feature < 0).sum()))
        assert int((model.tree.feature < 0).sum()) == peer.get_n_leaves()
        expected = peer.predict_proba(taught.values) if graded else peer.predict(taught.values)[:, None]
        assert model.tree.outputs(taught.values) == pytest.approx(expected, abs=1e-12)
    assert len(sizes) > 4


@pytest.mark.parametrize("graded", [True, False])
def test_one_tree_tells_how_good_it_is_at_every_price(graded):
    taught, other = training_set(graded), training_set(graded, seed=9)
    tried = prices(taught)
    for price, value in zip(tried, goodness_at(tried, taught, other), strict=True):
        # goodness is a mean, and scikit-learn prunes.
        assert value == pytest.approx(goodness(pruned(taught, float(price)), other) * len(other), abs=1e-9)


def test_classes_that_a_training_part_lacks_are_never_predicted():
    taught = training_set()
    rows = np.flatnonzero(taught.target != 1)
    some = TrainingSet(taught.values[rows], taught.targets.only(rows), taught.better)
    assert (pruned(some, 0.0).probabilities(taught.values)[:, 1] == 0.0).all()
    right = goodness_at(np.array([0.0]), some, taught)[0]
    assert right == (pruned(some, 0.0).grades(taught.values) == taught.target).sum()


def test_of_equally_good_prices_the_highest_is_taken():
    taught = training_set()
    nothing = TrainingSet(np.zeros_like(taught.values), taught.targets, taught.better)
    shares = np.bincount(taught.target) / len(taught)
    # All trees are the root alone, which costs Gini's index.
    assert fit_tree(nothing).chosen == {"price": pytest.approx(1 - (shares**2).sum()), "leaves": 1}


def test_noise_is_pruned_away():
    taught = training_set()
    noise = np.random.default_rng(1).normal(size=taught.values.shape)
    shuffled = TrainingSet(noise, taught.targets, taught.better)
    assert fit_tree(shuffled).chosen["leaves"] < 12
    assert fit_tree(taught).chosen["leaves"] >= 3
