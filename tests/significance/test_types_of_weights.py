"""Weights come as whole numbers or in single precision, too."""

from functools import partial

import numpy as np
import pytest

from assay.significance.association import kendall_b, over_rows, pearson, spearman


@pytest.mark.parametrize("function", [pearson, spearman, kendall_b, partial(over_rows, "kendall_c")])
@pytest.mark.parametrize("items", [30, 3000])
def test_weights_in_single_precision_are_summed_in_double(function, items):
    # A third is no number of binary places, so a sum in single precision is off in the eighth digit.
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(2, items))
    weights = (generator.integers(1, 9, size=items) / 3).astype(np.float32)
    assert function(x, y, weights) == pytest.approx(function(x, y, weights.astype(np.float64)), rel=1e-13)


def test_weights_of_one_byte_do_not_overflow():
    # Pairs weigh 20 * 20 = 400, 20 and 20; the last is the other way round: (400 + 20 - 20) / 440.
    weights = np.array([20, 20, 1], dtype=np.uint8)
    assert kendall_b(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0]), weights) == pytest.approx(10 / 11)
