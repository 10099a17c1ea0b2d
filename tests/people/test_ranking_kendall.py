"""WMT's Kendall on rankings: variants, weights, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError
from assay.people.statistics.registry import statistic
from oracles.rankings import kendall

FIRST = np.array([3.0, 1.0, 2.0, 2.0, 5.0])
SECOND = np.array([1.0, 2.0, 2.0, 1.0, 1.0])
OUTCOME = np.array([1, 1, -1, 0, 1])


def tau(variant, first, second, outcome, weights):
    return statistic(f"kendall-{variant}").compute(outcome, first - second, weights)


@pytest.mark.parametrize(
    ("variant", "value"),
    [
        # Two pairs agree, one does not, one is a tie of the metric; the pair that people tied does not count.
        ("wmt12", (2 - 1 - 1) / 4),
        ("wmt13", (2 - 1) / 3),
        ("wmt14", (2 - 1) / 4),
    ],
)
def test_ties_of_the_metric_count_as_each_year_counted_them(variant: str, value: float) -> None:
    assert tau(variant, FIRST, SECOND, OUTCOME, np.ones(5)) == pytest.approx(value)


pair = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([-1, 0, 1]), st.integers(0, 2))


@given(st.lists(pair, min_size=1, max_size=30), st.sampled_from(["wmt12", "wmt13", "wmt14"]))
def test_values_are_those_of_the_loops(found: list[tuple[int, int, int, int]], variant: str) -> None:
    first, second, outcome, weights = (np.array(column) for column in zip(*found, strict=True))
    value = tau(variant, first, second, outcome, weights.astype(np.float64)[None, :])
    try:
        metric = list(zip(first.tolist(), second.tolist(), strict=True))
        expected = kendall(metric, outcome.tolist(), weights.tolist(), variant)
    except ZeroDivisionError:
        expected = np.nan
    np.testing.assert_allclose(value, [expected], atol=1e-12)


def test_weights_over_segments_repeat_their_pairs() -> None:
    generator = np.random.default_rng(1)
    segment = generator.integers(0, 6, size=200)
    first, second = generator.integers(0, 4, size=(2, 200)).astype(np.float64)
    outcome = generator.integers(-1, 2, size=200)
    weights = generator.integers(0, 3, size=6)
    drawn = np.repeat(np.arange(200), weights[segment])
    repeated = tau("wmt14", first[drawn], second[drawn], outcome[drawn], np.ones(len(drawn)))
    assert tau("wmt14", first, second, outcome, weights[segment]) == pytest.approx(float(repeated), abs=1e-12)


def test_missing_scores_are_refused() -> None:
    with pytest.raises(InputError, match="1 of 5 pairs have no metric score"):
        tau("wmt14", np.array([np.nan, 1, 2, 2, 5]), SECOND, OUTCOME, np.ones(5))
