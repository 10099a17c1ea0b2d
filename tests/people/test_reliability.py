"""Krippendorff's alpha, intraclass correlations, split halves, comparisons."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.people.agreement.measures import (
    SharedItems,
    alpha_interval,
    alpha_nominal,
    alpha_ordinal,
    coefficients,
    comparison_rows,
    comparison_values,
    half_means,
    intraclass,
    split_halves,
)
from assay.people.agreement.ratings import RatedItems
from assay.significance.association import stepped_up
from assay.significance.draws import Draws
from oracles import agreement as oracle
from people.judged import grid, judged

#: Krippendorff (2011), "Computing Krippendorff's alpha-reliability", example C: four observers, twelve units.
KRIPPENDORFF = [
    [1, 1, None, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [None, 5, 5, 5], [None, None, 1, 1], [None, None, 3, None],
]  # fmt: skip

#: Shrout & Fleiss (1979), table 2: six targets, four judges.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]

ONCE = np.ones((1, 100))


def items_of(table):
    items = SharedItems(RatedItems(grid(table)))
    return items, items.given


def test_alpha_of_krippendorffs_own_example():
    # He gives 0.743 (nominal), 0.815 (ordinal) and 0.849 (interval).
    items, scores = items_of(KRIPPENDORFF)
    once = ONCE[:, :11]
    assert alpha_nominal(items, scores.astype(int) - 1, once)[0] == pytest.approx(0.743, abs=5e-4)
    assert alpha_ordinal(items, once)[0] == pytest.approx(0.815, abs=5e-4)
    assert alpha_interval(items, once)[0] == pytest.approx(0.849, abs=5e-4)


def random_table(seed, items=25, raters=5):
    generator = np.random.default_rng(seed)
    quality = generator.normal(3.0, 1.2, size=(items, 1))
    scores = np.clip(np.round(quality + generator.normal(0.0, 0.8, size=(items, raters))), 1, 5)
    return [[float(score) if generator.random() < 0.6 else None for score in row] for row in scores]


@pytest.mark.parametrize("seed", range(5))
def test_alpha_under_weights_is_that_of_repeated_items(seed):
    table = [row for row in random_table(seed) if sum(score is not None for score in row) > 1]
    items, scores = items_of(table)
    generator = np.random.default_rng(seed)
    weights = np.vstack(
        [np.ones(len(table)), generator.multinomial(len(table), np.full(len(table), 1 / len(table)), 4)]
    )
    found = {
        "nominal": alpha_nominal(items, scores.astype(int) - 1, weights),
        "ordinal": alpha_ordinal(items, weights),
        "interval": alpha_interval(items, weights),
    }
    for number, row in enumerate(weights):
        drawn = [
            [score for score in table[place] if score is not None]
            for place in np.repeat(range(len(table)), row.astype(int))
        ]
        for kind, values in found.items():
            assert values[number] == pytest.approx(oracle.alpha(drawn, kind), abs=1e-9)


def test_intraclass_correlations_of_shrout_and_fleiss():
    # Their table 4: 0.17, 0.29, 0.71 for single ratings, 0.44, 0.62, 0.91 for means of four.
    items, _ = items_of(SHROUT_FLEISS)
    found = {name: float(values[0]) for name, values in intraclass(items, ONCE[:, :6]).items()}
    assert [round(found[f"icc-{way}"], 2) for way in ("1-1", "2-1", "3-1", "1-k", "2-k", "3-k")] == [
        0.17, 0.29, 0.71, 0.44, 0.62, 0.91,
    ]  # fmt: skip
    expected = oracle.shrout_fleiss(np.array(SHROUT_FLEISS, dtype=float))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_intraclass_correlations_of_resampled_balanced_tables(seed):
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(12, 1)) + generator.normal(size=(1, 4)) + generator.normal(size=(12, 4))
    items, _ = items_of(table.tolist())
    weights = generator.multinomial(12, np.full(12, 1 / 12), 3).astype(float)
    found = intraclass(items, weights)
    for number, row in enumerate(weights):
        expected = oracle.shrout_fleiss(np.repeat(table, row.astype(int), axis=0))
        assert {name: values[number] for name, values in found.items()} == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_variances_of_unbalanced_tables_are_hendersons(seed):
    table = [row for row in random_table(seed, items=15) if sum(score is not None for score in row) > 1]
    ratings = RatedItems(grid(table))
    rows = ratings.shared
    item, rater, error = oracle.henderson(ratings.score[rows], ratings.item[rows], ratings.rater[rows])
    found = intraclass(SharedItems(ratings), np.ones((1, len(table))))
    assert found["icc-2-1"][0] == pytest.approx(item / (item + rater + error), abs=1e-9)
    assert found["icc-3-1"][0] == pytest.approx(item / (item + error), abs=1e-9)


def test_halves_are_disjoint_and_whole():
    # The mean of all ratings is 0, around which they are taken.
    items, _ = items_of([[1.0, 2.0, 4.0], [10.0, -17.0]])
    first, second = half_means(items, splits=50, seed=1)
    # Of three ratings one is the first half: its score and twice the mean of the others add up to 7.
    assert first[0] + 2 * second[0] == pytest.approx(np.full(50, 7.0))
    assert set(first[0]) == {1.0, 2.0, 4.0}
    assert set(first[1]) == {10.0, -17.0}


def test_spearman_brown_by_hand():
    # 2 * 0.6 / 1.6
    assert stepped_up(np.array([0.6]))[0] == pytest.approx(0.75)


def values_of(rows):
    return {row["statistic"]: row["value"] for row in rows}


def test_split_halves_of_equal_raters_agree_fully():
    ratings = RatedItems(grid([[score] * 4 for score in (1.0, 2.0, 5.0, 3.0, 4.0, 1.0)]))
    found = values_of(split_halves(SharedItems(ratings), samples=50, seed=1, splits=10))
    # A single system has no correlation over systems.
    assert found == pytest.approx({"split-half": 1.0, "split-half-all": 1.0})


def test_split_halves_rise_with_the_number_of_raters():
    generator = np.random.default_rng(5)
    quality = generator.normal(size=(300, 1))
    noisy = quality + generator.normal(size=(300, 8))
    # Means of m raters have reliability m / (m + 1): halves of 4 correlate by 0.8, halves of 1 by 0.5.
    eight = values_of(split_halves(SharedItems(RatedItems(grid(noisy.tolist()))), samples=20, seed=1))
    two = values_of(split_halves(SharedItems(RatedItems(grid(noisy[:, :2].tolist()))), samples=20, seed=1))
    assert eight["split-half"] == pytest.approx(0.8, abs=0.06)
    assert eight["split-half-all"] == pytest.approx(8 / 9, abs=0.04)
    assert two["split-half"] == pytest.approx(0.5, abs=0.1)


def interval_of_few(drawn, left_out):
    """The interval of 95 % that few segments widen, by scipy: from the samples, and the values without each segment."""
    count, kurtosis = len(left_out), stats.kurtosis(left_out, fisher=False)
    freedom = max(min(2.0 * count / (kurtosis - 1.0), count - 1.0), 3.0)
    tail = stats.norm.cdf(stats.t.ppf(0.025, freedom) * np.sqrt(count / (count - 1.0)))
    return np.quantile(drawn, [tail, 1.0 - tail], method="weibull").tolist()


def interval_in(rows, name):
    return next([row["low"], row["high"]] for row in rows if row["statistic"] == name)


def test_few_segments_widen_the_interval_of_alpha():
    # A segment that is left out is a table without its row.
    drawn = alpha_interval(items_of(SHROUT_FLEISS)[0], Draws.of(6, 500, 3).weights[1:])
    rest = [items_of([*SHROUT_FLEISS[:row], *SHROUT_FLEISS[row + 1 :]])[0] for row in range(6)]
    left_out = [alpha_interval(items, ONCE[:, :5])[0] for items in rest]
    found = coefficients(items_of(SHROUT_FLEISS)[0], None, samples=500, seed=3)
    # Quantiles of Student's t are a series here, right to a per cent.
    expected = interval_of_few(drawn[np.isfinite(drawn)], left_out)
    assert interval_in(found, "alpha-interval") == pytest.approx(expected, abs=2e-3)


def test_few_segments_widen_the_interval_of_split_halves():
    items, _ = items_of(random_table(3, items=12, raters=8))
    pairs = np.concatenate(half_means(items, splits=1, seed=3), axis=1)
    count = len(pairs)
    value = np.corrcoef(pairs.T)[0, 1]
    times = Draws.of(count, 500, 3).weights[1:].astype(int)
    drawn = np.arctanh([np.corrcoef(np.repeat(pairs, row, axis=0).T)[0, 1] for row in times])
    # On Fisher's scale samples are moved until their median is the value.
    drawn = np.tanh(drawn + np.arctanh(value) - np.median(drawn))
    left_out = [np.corrcoef(np.delete(pairs, row, axis=0).T)[0, 1] for row in range(count)]
    found = split_halves(items, samples=500, seed=3, splits=1)
    assert interval_in(found, "split-half") == pytest.approx(interval_of_few(drawn, left_out), abs=2e-3)


def test_comparisons_by_hand():
    # One segment, three systems. Rater a: x > y > z; rater b: x > z > y. They agree on x-y and x-z, not on y-z.
    rows = [("x", 0, "a", 3.0), ("y", 0, "a", 2.0), ("z", 0, "a", 1.0)]
    rows += [("x", 0, "b", 9.0), ("y", 0, "b", 2.0), ("z", 0, "b", 4.0)]
    found = comparison_rows(RatedItems(judged(*rows)), repeats=False, samples=10, seed=1)
    assert {(row["raters"], row["items"]) for row in found} == {(2, 3)}
    # (2/3 - 1/3) / (2/3); without ties chance agrees on one half: (2/3 - 1/2) / (1/2).
    expected = {"comparison-agreement": 2 / 3, "comparison-kappa-third": 0.5, "comparison-kappa": 1 / 3}
    assert values_of(found) == pytest.approx(expected)


def test_chance_agreement_with_ties_by_hand():
    # 10 pairs, 6 agree, a fifth of the answers are ties: chance 0.2^2 + 2 * 0.4^2 = 0.36.
    values = comparison_values(np.array([[10.0], [6.0], [2.0]]))
    assert values["comparison-kappa"][0] == pytest.approx((0.6 - 0.36) / 0.64)


def test_draws_are_the_same_for_the_same_seed():
    assert np.array_equal(Draws.of(20, 30, 4, jackknife=True).weights, Draws.of(20, 30, 4, jackknife=True).weights)
    assert not np.array_equal(Draws.of(20, 30, 4, jackknife=True).weights, Draws.of(20, 30, 5, jackknife=True).weights)
