"""WMT's Kendall on rankings: variants, weights, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import InputError, UnknownName
from assay.meta.ranking_kendall import METRIC_TIES, kendall_of_sums, kendall_on_pairs, kendall_rows, segment_rows
from oracles.rankings import kendall

FIRST = np.array([3.0, 1.0, 2.0, 2.0, 5.0])
SECOND = np.array([1.0, 2.0, 2.0, 1.0, 1.0])
OUTCOME = np.array([1, 1, -1, 0, 1])


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
    assert kendall_on_pairs(FIRST, SECOND, OUTCOME, variant=variant) == pytest.approx(value)


pair = st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([-1, 0, 1]), st.integers(0, 2))


@given(st.lists(pair, min_size=1, max_size=30), st.sampled_from(sorted(METRIC_TIES)))
def test_values_are_those_of_the_loops(found: list[tuple[int, int, int, int]], variant: str) -> None:
    first, second, outcome, weights = (np.array(column) for column in zip(*found, strict=True))
    value = kendall_on_pairs(first, second, outcome, weights.astype(np.float64)[None, :], variant)
    try:
        metric = list(zip(first.tolist(), second.tolist(), strict=True))
        expected = kendall(metric, outcome.tolist(), weights.tolist(), variant)
    except ZeroDivisionError:
        expected = np.nan
    np.testing.assert_allclose(value, [expected], atol=1e-12)


def test_weights_over_segments_need_the_rows_of_segments_alone() -> None:
    generator = np.random.default_rng(1)
    segment = generator.integers(0, 6, size=200)
    first, second = generator.integers(0, 4, size=(2, 200)).astype(np.float64)
    outcome = generator.integers(-1, 2, size=200)
    weights = generator.integers(0, 3, size=(10, 6)).astype(np.float64)
    direct = kendall_on_pairs(first, second, outcome, weights[:, segment], "wmt14")
    rows = segment_rows(kendall_rows(first, second, outcome, "wmt14"), segment, 6)
    np.testing.assert_allclose(kendall_of_sums(weights @ rows), direct, atol=1e-12)


def test_missing_scores_and_unknown_variants_are_refused() -> None:
    with pytest.raises(InputError, match="1 of 5 pairs have no metric score"):
        kendall_on_pairs(np.array([np.nan, 1, 2, 2, 5]), SECOND, OUTCOME)
    with pytest.raises(UnknownName, match="Known: wmt12, wmt13, wmt14"):
        kendall_on_pairs(FIRST, SECOND, OUTCOME, variant="wmt1")
