"""Measures are those of scikit-learn and scipy, and their samples are what they would be on copied rows."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import cohen_kappa_score, f1_score, recall_score

from assay.learned import measures
from assay.learned.measures import Bootstrap
from assay.people.agreement.measures import exact_agreement, kappa


@pytest.fixture
def answers():
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 4, 300)
    predicted = np.where(generator.random(300) < 0.5, truth, generator.integers(0, 4, 300))
    units = generator.integers(0, 40, 300)
    return truth, predicted, units


def of_one_fold(units, samples=0):
    return Bootstrap.of(units.astype(np.uint64), samples, seed=1, folds=np.zeros(len(units), dtype=int))


def copies(bootstrap, draw):
    """The rows of a sample, each as often as its unit was drawn."""
    times = bootstrap.weights[draw, bootstrap.units].astype(int)
    return np.repeat(np.arange(len(bootstrap.units)), times)


@pytest.mark.parametrize("draw", [0, 1, 7])
def test_classes_are_measured_as_scikit_learn_does(answers, draw):
    truth, predicted, units = answers
    bootstrap = of_one_fold(units, 10)
    confusion = bootstrap.confusion(truth, predicted, 4)
    rows = copies(bootstrap, draw)
    y, guess = truth[rows], predicted[rows]
    assert exact_agreement(confusion)[draw] == pytest.approx((y == guess).mean(), abs=1e-12)
    assert measures.macro_f1(confusion)[draw] == pytest.approx(f1_score(y, guess, average="macro"), abs=1e-12)
    quadratic = cohen_kappa_score(y, guess, weights="quadratic")
    assert kappa(confusion, 2)[draw] == pytest.approx(quadratic, abs=1e-12)
    recalls = recall_score(y, guess, average=None)
    assert measures.recalls(confusion)[draw] == pytest.approx(recalls, abs=1e-12)


@pytest.mark.parametrize("draw", [0, 3])
def test_correlations_are_means_over_folds_of_those_within(answers, draw):
    _, _, units = answers
    generator = np.random.default_rng(1)
    x = generator.normal(size=300).round(1)
    y = x + generator.normal(size=300).round(1)
    fold = units % 3
    bootstrap = Bootstrap.of(units.astype(np.uint64), 5, seed=2, folds=fold)
    rows = copies(bootstrap, draw)
    parts = [rows[fold[rows] == number] for number in range(3)]
    spearman = sum(len(part) * spearmanr(x[part], y[part])[0] for part in parts) / len(rows)
    pearson = sum(len(part) * np.corrcoef(x[part], y[part])[0, 1] for part in parts) / len(rows)
    assert bootstrap.within_folds(x, y, "spearman")[draw] == pytest.approx(spearman, abs=1e-12)
    assert bootstrap.within_folds(x, y, "pearson")[draw] == pytest.approx(pearson, abs=1e-12)


def test_predictions_that_know_nothing_but_their_fold_have_no_correlation():
    # Taken together these have a correlation of -1: the mean outside a fold is high where the fold is low.
    fold = np.repeat([0, 1], 10)
    truth = fold + np.tile(np.linspace(-0.1, 0.1, 10), 2)
    bootstrap = Bootstrap.of(np.arange(20), 0, seed=1, folds=fold)
    assert bootstrap.within_folds(1.0 - fold, truth, "spearman")[0] == 0.0


def test_errors_are_in_the_mean():
    # Off by 1, 1 and 4: the mean is 2, the root of the mean square is the root of 6.
    bootstrap = of_one_fold(np.arange(3))
    mean, root = measures.errors(bootstrap, np.array([0.0, 0.0, 0.0]), np.array([1.0, -1.0, 4.0]))
    assert mean[0] == pytest.approx(2.0)
    assert root[0] == pytest.approx(6.0**0.5)


def test_calibration_error_of_a_worked_example():
    # Twice 0.75 sure and right once: off by 0.25. Twice 0.55 sure and right twice: off by 0.45. In the mean 0.35.
    certain = np.array([[0.25, 0.75], [0.25, 0.75], [0.45, 0.55], [0.45, 0.55]])
    counts, sure, right = measures.calibration(of_one_fold(np.arange(4)), certain, np.array([1, 0, 1, 1]))
    assert measures.calibration_error(counts, sure, right)[0] == pytest.approx(0.35)
    assert counts[0, 7] == 2
    assert right[0, 5] == 1.0


def test_an_answer_that_is_alone_in_its_stretch_of_certainty_counts():
    # Once 0.95 sure and wrong: off by 0.95. Three times 0.65 sure and right: off by 0.35. In the mean 2 / 4 = 0.5.
    certain = np.array([[0.05, 0.95], [0.35, 0.65], [0.35, 0.65], [0.35, 0.65]])
    found = measures.calibration(of_one_fold(np.arange(4)), certain, np.array([0, 1, 1, 1]))
    assert measures.calibration_error(*found)[0] == pytest.approx(0.5)


def test_draws_of_the_calibration_error_lie_around_its_value():
    # Whole: twice 0.2 apart and twice 0.1, in the mean 0.15. Draws: 0.2 (four of the first), 0.1 and, of two answers
    # that are right half as often, 0.6. Their mean is 0.3, so each is moved down by 0.15, but not below 0.
    counts = np.array([[2.0, 2.0], [4.0, 0.0], [0.0, 4.0], [2.0, 0.0]])
    sure = np.array([[0.7, 0.9], [0.7, np.nan], [np.nan, 0.9], [0.6, np.nan]])
    right = np.array([[0.5, 1.0], [0.5, np.nan], [np.nan, 1.0], [0.0, np.nan]])
    found = measures.calibration_error(counts, sure, right)
    assert found == pytest.approx([0.15, 0.05, 0.0, 0.45])


def test_a_sample_draws_the_units_that_there_are_by_their_keys():
    # Three units, however they are numbered: one translation, two, and one.
    bootstrap = of_one_fold(np.array([4, 9, 9, 7]), samples=50)
    assert bootstrap.weights.shape == (51, 3)
    assert bootstrap.weights[0].tolist() == [1.0, 1.0, 1.0]
    # What a unit counts does not depend on which others there are.
    alone = of_one_fold(np.array([9]), samples=50)
    assert alone.weights[:, 0].tolist() == bootstrap.weights[:, 2].tolist()
