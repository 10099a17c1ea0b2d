"""Learners give what their textbook says, and what scikit-learn predicts."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, Ridge

from assay.learned import linear
from assay.learned.learners import MODELS, UNTRAINED, learner
from assay.learned.linear import (
    Scaling,
    differences,
    fit_odds,
    log_likelihood,
    odds_loss,
    preference_weights,
    ridge_lines,
)
from assay.learned.model import Classes, plain
from assay.learned.tasks import Task
from assay.learned.training import Targets, TrainingSet, all_pairs, goodness, one_thread
from assay.learned.trees import RATE, boosted, class_shares, compared, grow, staged_outputs, start_of

CLASSES = Classes(("1", "2", "3", "4"), (1.0, 2.0, 3.0, 4.0))


def training_set(kind="classes", rows=400, seed=4):
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=rows)
    values = 0.8 * quality[:, None] + generator.normal(size=(rows, 3))
    graded = kind == "classes"
    target = np.digitize(quality, [-0.7, 0.0, 0.7]) if graded else quality
    groups = np.arange(rows) // 4
    return TrainingSet(values, Targets(target, CLASSES if graded else None, groups, groups, 1), (True, True, None))


@pytest.mark.parametrize("count", [2, 5])
def test_the_gradient_of_the_odds_is_that_of_their_likelihood(count):
    generator = np.random.default_rng(2)
    values, grades = generator.normal(size=(50, 3)), generator.integers(0, count, 50)
    packed = generator.normal(size=count - 1 + 3) * 0.3

    def loss(x):
        return odds_loss(x, values, grades, count, 0.1)

    assert check_grad(lambda x: loss(x)[0], lambda x: loss(x)[1], packed) < 1e-6


def test_two_ordered_grades_are_logistic_regression():
    taught = training_set()
    upper = (taught.target >= 2).astype(int)
    cuts, slopes = fit_odds(taught.values, upper, 2, 0.01)
    # Their penalty is on the sum of the log-likelihoods.
    peer = LogisticRegression(C=1 / (0.01 * len(upper)), tol=1e-12, max_iter=10_000).fit(taught.values, upper)
    assert slopes == pytest.approx(peer.coef_[0], abs=1e-5)
    assert -cuts[0] == pytest.approx(peer.intercept_[0], abs=1e-5)


def test_odds_find_what_made_the_grades():
    generator = np.random.default_rng(8)
    values = generator.normal(size=(20_000, 2))
    grades = np.digitize(values @ [1.5, -0.5] + generator.logistic(size=20_000), [-1.0, 0.5])
    cuts, slopes = fit_odds(values, grades, 3, 1e-9)
    assert slopes == pytest.approx([1.5, -0.5], abs=0.06)
    assert cuts == pytest.approx([-1.0, 0.5], abs=0.06)


def test_log_likelihood_of_a_worked_example():
    # Half of all are below 0: the chance of either grade is a half.
    odds = np.array([0.0]), np.array([0.0])
    assert log_likelihood(odds, np.ones((3, 1)), np.array([0, 1, 1])) == pytest.approx(np.log(0.5))


def test_ridge_is_scikit_learns():
    taught = training_set("scores")
    (line,) = ridge_lines(taught, (0.1,))
    z = line.scaling(taught.values)
    peer = Ridge(alpha=0.1 * len(z)).fit(z, taught.target)
    assert line.score(taught.values) == pytest.approx(peer.predict(z), abs=1e-10)


def test_preferences_are_logistic_regression_of_differences():
    taught = training_set("scores")
    apart = differences(taught, Scaling.of(taught.values))
    both, labels = np.vstack([apart, -apart]), np.repeat([1, 0], len(apart))
    peer = LogisticRegression(C=1 / (0.01 * len(both)), fit_intercept=False, tol=1e-12, max_iter=10_000)
    assert preference_weights(apart, 0.01) == pytest.approx(peer.fit(both, labels).coef_[0], abs=1e-5)


def test_of_very_many_pairs_some_are_drawn_none_twice(monkeypatch):
    taught = training_set("scores")
    scaling = Scaling.of(taught.values)
    # 100 segments of four translations, none of them alike: six pairs of each.
    every = differences(taught, scaling).tolist()
    assert len(every) == 600
    monkeypatch.setattr(linear, "_MOST_PAIRS", 599)
    assert len({tuple(one) for one in differences(taught, scaling).tolist()}) == 599
    monkeypatch.setattr(linear, "_MOST_PAIRS", 100)
    drawn, again = (differences(taught, scaling).tolist() for _ in range(2))
    # Distinct, in the order in which they were, and the same for the same seed.
    places = [every.index(one) for one in drawn]
    assert len(places) == 100
    assert places == sorted(set(places))
    assert again == drawn
    reseeded = replace(taught, targets=replace(taught.targets, seed=2))
    assert differences(reseeded, scaling).tolist() != drawn


def test_an_ordinal_regression_says_which_penalty_it_has():
    taught = training_set()
    learnt = learner("ordinal").fit(taught)
    penalty = learnt.chosen["l2"]
    z = learnt.model.scaling(taught.values)
    # Where the slopes are most likely, what the likelihood gains by a longer one is what the penalty takes: the
    # gradient is 0 under the penalty that is named, and not under another.
    steps = np.log(np.diff(learnt.model.thresholds))
    packed = np.concatenate([learnt.model.thresholds[:1], steps, learnt.model.weights])
    assert np.abs(odds_loss(packed, z, taught.target, 4, penalty)[1]).max() < 1e-5
    assert np.abs(odds_loss(packed, z, taught.target, 4, penalty + 0.01)[1]).max() > 1e-3


def test_the_mean_of_no_features_says_the_same_of_all():
    # Nobody can say of any feature whether more is better, so none is averaged.
    undirected = replace(training_set("scores"), better=(None, None, None))
    assert not learner("uniform").fit(undirected).model.score(undirected.values).any()


def test_the_first_round_of_boosting_goes_a_step_towards_the_mean_of_each_leaf():
    taught = training_set("scores")
    (tree,) = next(grow(taught))
    mean = taught.target.mean()
    assert start_of(taught) == pytest.approx([mean])
    leaf = tree.leaves(compared(taught.values, tree.single))
    for place in np.unique(leaf):
        there = taught.target[leaf == place] - mean
        # Least squares with a penalty of 1: what is left, over one more than there are.
        assert tree.values[place, 0] == pytest.approx(there.sum() / (len(there) + 1.0))
    model = boosted(taught, 1)
    assert model.score(taught.values) == pytest.approx(mean + RATE * tree.values[leaf, 0])


def test_the_first_round_of_two_classes_is_a_newton_step():
    whole = training_set()
    classes = Classes(("low", "high"), (0.0, 1.0))
    about = replace(whole.targets, target=(whole.target >= 2).astype(int), classes=classes)
    taught = replace(whole, targets=about)
    (tree,) = next(grow(taught))
    share = taught.target.mean()
    assert start_of(taught) == pytest.approx([np.log(share / (1.0 - share))])
    leaf = tree.leaves(compared(taught.values, tree.single))
    for place in np.unique(leaf):
        there = taught.target[leaf == place]
        # The slope of the log-likelihood over its curvature and a penalty of 1.
        expected = (there - share).sum() / (len(there) * share * (1.0 - share) + 1.0)
        assert tree.values[place, 0] == pytest.approx(expected)


def test_a_round_of_several_classes_splits_once_for_all_of_them():
    taught = training_set()
    trees = next(grow(taught))
    assert len(trees) == len(taught.classes)
    assert all(tree.splits_like(trees[0]) for tree in trees)
    shares = np.bincount(taught.target) / len(taught)
    assert class_shares(start_of(taught)[None]) == pytest.approx(shares[None])
    # What is gained by one class is lost by others, so slopes sum to 0 in every leaf.
    leaf = trees[0].leaves(compared(taught.values, True))
    for place in np.unique(leaf):
        count = int((leaf == place).sum())
        slopes = [tree.values[place, 0] * (count * p * (1 - p) + 1.0) for tree, p in zip(trees, shares, strict=True)]
        assert sum(slopes) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("kind", ["classes", "scores"])
def test_staged_outputs_are_those_of_the_model_with_so_many_rounds(kind):
    taught, other = training_set(kind), training_set(kind, seed=11)
    for rounds, raw in enumerate(islice(staged_outputs(taught, other), 3), start=1):
        assert raw == pytest.approx(boosted(taught, rounds).boosting.outputs(other.values), abs=1e-12)


@pytest.mark.parametrize("kind", ["classes", "scores"])
def test_boosting_is_as_good_as_scikit_learns_own(kind):
    taught, other = training_set(kind), training_set(kind, seed=11)
    peer = (GradientBoostingClassifier if kind == "classes" else GradientBoostingRegressor)(
        learning_rate=RATE, n_estimators=20, max_leaf_nodes=8, min_samples_leaf=20, random_state=1
    ).fit(taught.values, taught.target)
    model = boosted(taught, 20)
    if kind == "classes":
        peers = (peer.predict(other.values) == other.target).mean()
    else:
        peers = -((peer.predict(other.values) - other.target) ** 2).mean()
    assert goodness(model, other) > peers - 0.1 * abs(peers)


@pytest.mark.parametrize("name", [*MODELS, *UNTRAINED])
def test_every_learner_tells_grades_better_than_chance(name):
    with one_thread():
        model = learner(name).fit(training_set()).model
    other = training_set(seed=12)
    assert (model.grades(other.values) == other.target).mean() > 0.32
    assert np.corrcoef(model.score(other.values), other.target)[0, 1] > 0.5
    assert model.probabilities(other.values).sum(axis=1) == pytest.approx(np.ones(len(other.values)), abs=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_the_same_seed_gives_the_same_model_bit_for_bit(name):
    with one_thread():
        one, other = (plain(learner(name).fit(training_set()).model) for _ in range(2))
    assert one == other


def test_pairs_are_of_one_segment_and_ties_are_counted():
    segments = np.array([0, 1, 0, 0, 1])
    assert sorted(map(sorted, all_pairs(segments).tolist())) == [[0, 2], [0, 3], [1, 4], [2, 3]]
    found = Task.pairwise(segments, np.array([1.0, 5.0, 3.0, 1.0, 5.0]))
    assert found.ties == 2
    assert sorted(found.pairs.tolist()) == [[2, 0], [2, 3]]
    # The first of them is right, equal scores are half right.
    assert found.right(np.array([0.0, 0.0, 2.0, 2.0, 0.0])).sum() == 1.5


def test_one_feature_of_an_ordinal_regression_competes_by_its_inner_folds():
    whole = training_set(rows=120)
    alone = replace(whole, values=whole.values[:, :1], better=(True,))
    # By hand: fit on two thirds, count right answers on the third.
    right = 0
    for training, held in alone.inner():
        right += int((learner("ordinal").fit(training).model.grades(held.values) == held.target).sum())
    assert learner("ordinal").fit(alone).inside == pytest.approx(right / 120, abs=1.5 / 120)


@pytest.mark.parametrize("name", ["tree", "ordinal", "ridge"])
def test_a_feature_that_knows_nothing_looks_better_where_it_was_fitted_than_inside(name):
    inside, fitted = [], []
    for seed in range(20):
        noise = np.random.default_rng([seed, 8]).normal(size=(60, 1))
        about_noise = replace(training_set(rows=60, seed=seed), values=noise, better=(True,))
        with one_thread():
            learnt = learner(name).fit(about_noise)
        inside.append(learnt.inside)
        fitted.append(goodness(learnt.model, about_noise))
    assert np.mean(fitted) > np.mean(inside) + 0.02
