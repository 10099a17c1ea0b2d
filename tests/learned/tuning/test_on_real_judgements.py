"""What the guide says of real campaigns."""

from __future__ import annotations

import pytest

import assay
from meta.judged import DATA, needs_data

pytestmark = [
    needs_data,
    pytest.mark.filterwarnings("ignore:System 'refA' is itself"),
    pytest.mark.filterwarnings("ignore:Nobody judged mt-tok"),
]


@pytest.mark.parametrize(
    ("campaign", "options", "alpha", "before", "after"),
    [
        ("mlqe-pe-et-en", {"kind": "da", "references": "pe"}, 0.03, 0.481, 0.518),
        ("wmt21-ha-en-da", {"kind": "da-z", "level": "system"}, 0.7, 0.910, 0.938),
        ("wmt23-en-de", {"kind": "mqm", "level": "system"}, 0.16, 0.888, 0.956),
    ],
)
def test_the_weight_of_recall(campaign, options, alpha, before, after):
    found = assay.tune(DATA / campaign, "fmean", samples=100, curves=False, **options)
    assert found.metric.alpha == alpha
    assert (round(found.default.value, 3), round(found.tuned.value, 3)) == (before, after)
    assert found.verdict.startswith("Tuning helps")
