"""Agreement against its peers, live: Krippendorff's alpha of ``krippendorff``, Cohen's kappa of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from assay.people.agreement.measures import (
    SharedItems,
    alpha_interval,
    alpha_nominal,
    alpha_ordinal,
    contingency,
    kappa,
)
from assay.people.agreement.ratings import RatedItems
from people.judged import grid


def table(seed, items=60, raters=6, values=7):
    generator = np.random.default_rng(seed)
    quality = generator.integers(values, size=(items, 1))
    found = np.clip(quality + generator.integers(-2, 3, size=(items, raters)), 0, values - 1).astype(float)
    found[generator.random(found.shape) < 0.4] = np.nan
    return found[(~np.isnan(found)).sum(axis=1) > 1]


@pytest.mark.parametrize("seed", range(5))
def test_alpha(seed):
    krippendorff = pytest.importorskip("krippendorff", reason="krippendorff is the peer (extra: peers)")
    scores = table(seed)
    ratings = RatedItems(grid([[None if np.isnan(score) else score for score in row] for row in scores]))
    items, once = SharedItems(ratings), np.ones((1, len(scores)))
    found = {
        "nominal": alpha_nominal(items, items.given.astype(int), once),
        "ordinal": alpha_ordinal(items, once),
        "interval": alpha_interval(items, once),
    }
    for level, value in found.items():
        expected = krippendorff.alpha(reliability_data=scores.T, level_of_measurement=level)
        assert value[0] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("power", "weights"), [(0, None), (1, "linear"), (2, "quadratic")])
@pytest.mark.parametrize("seed", range(5))
def test_kappa(seed, power, weights):
    metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the peer (extra: peers)")
    generator = np.random.default_rng(seed)
    x, y = generator.integers(5, size=(2, 80))
    counts = contingency(x * 5 + y, 25, np.arange(80), np.ones((1, 80))).reshape(1, 5, 5)
    found = kappa(counts, power)[0]
    assert found == pytest.approx(metrics.cohen_kappa_score(x, y, weights=weights), abs=1e-9)
