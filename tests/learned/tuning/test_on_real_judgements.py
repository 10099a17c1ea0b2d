"""What the guide says of real campaigns."""

from __future__ import annotations

import pytest

import assay
from people.judged import DATA, needs_data

pytestmark = [
    needs_data,
    pytest.mark.filterwarnings("ignore:System 'refA' is itself"),
    pytest.mark.filterwarnings("ignore:Nobody judged mt-tok"),
]


@pytest.mark.parametrize(
    ("campaign", "options", "alpha", "before", "after"),
    [
        ("mlqe-pe-et-en", {"kind": "da", "references": "pe"}, 0.03, 0.481, 0.517),
        ("wmt23-en-de", {"kind": "mqm", "level": "system", "group": "segment"}, 0.34, 0.842, 0.897),
    ],
)
def test_the_weight_of_recall(campaign, options, alpha, before, after):
    found = assay.tune(DATA / campaign, "fmean", samples=100, curves=False, **options)
    assert found.made.alpha == alpha
    assert [round(found.of(which=which).value, 3) for which in ("default", "tuned")] == [before, after]
    assert found.findings[0].startswith("Tuning helps")


def test_a_dozen_systems_do_not_settle_the_weight_of_recall():
    found = assay.tune(DATA / "wmt21-ha-en-da", "fmean", kind="da-z", level="system", curves=False)
    assert found.setup["group"] == "system"
    assert [round(found.of(which=which).value, 3) for which in ("default", "tuned")] == [0.908, 0.904]
    assert found.findings[0].startswith("Tuning does not help: fitted on everything, fmean stays as it is")
