"""Statistics under weights are those of the sample that the weights stand for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.people.agreement.measures import contingency, exact_agreement, kappa
from assay.significance.association import under
from oracles import agreement as oracle

SEEDS = range(6)


def sample(seed, values=6, items=40, units=9):
    generator = np.random.default_rng(seed)
    x = generator.integers(values, size=items).astype(float) if values else generator.normal(size=items)
    y = generator.integers(values, size=items).astype(float) if values else x + generator.normal(size=items)
    unit = np.concatenate([np.arange(units), generator.integers(units, size=items - units)])
    weights = np.vstack([np.ones(units), generator.multinomial(units, np.full(units, 1 / units), size=7)])
    return x, y, unit, weights


@pytest.mark.parametrize("values", [3, 6, 0])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("pearson", stats.pearsonr),
        ("spearman", stats.spearmanr),
        ("kendall_b", stats.kendalltau),
    ],
)
def test_correlations_are_those_of_the_repeated_sample(ours, theirs, seed, values):
    x, y, unit, weights = sample(seed, values)
    found = under(ours, x, y, weights.T, unit)
    for value, row in zip(found, weights, strict=True):
        one, two = (oracle.repeated(column, unit, row) for column in (x, y))
        assert value == pytest.approx(theirs(one, two).statistic, abs=1e-12)


@pytest.mark.parametrize("power", [0, 1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_is_that_of_the_repeated_sample(seed, power):
    x, y, unit, weights = sample(seed, 4)
    table = contingency((x * 4 + y).astype(int), 16, unit, weights).reshape(-1, 4, 4)
    found = kappa(table, power)
    for value, row in zip(found, weights, strict=True):
        one, two = (oracle.repeated(column, unit, row) for column in (x, y))
        assert value == pytest.approx(oracle.kappa(one, two, 4, power), abs=1e-9)


def test_kappa_worked_by_hand():
    # 20 items: both yes 8, both no 6, only the first 2, only the second 4. Agreement 14/20 = 0.7; by chance
    # 10/20 * 12/20 + 10/20 * 8/20 = 0.5. Kappa (0.7 - 0.5) / 0.5 = 0.4.
    table = np.array([[8.0, 2.0], [4.0, 6.0]])
    assert kappa(table, 0) == pytest.approx(0.4)
    assert exact_agreement(table) == pytest.approx(0.7)


def test_what_does_not_vary_has_no_correlation():
    flat, other = np.full(5, 3.3), np.arange(5.0)
    for measure in ("pearson", "spearman", "kendall_b"):
        assert np.isnan(under(measure, flat, other, np.ones((5, 1)), np.arange(5))).all()


def test_large_scores_keep_their_digits():
    x = 1e6 + np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    y = 1e6 + np.array([1.0, 0.0, 3.0, 2.0, 4.0])
    found = under("pearson", x, y, np.ones((5, 1)), np.arange(5))[0]
    assert found == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
