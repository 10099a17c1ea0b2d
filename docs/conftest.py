"""Pages are tests, too: what one of them registers is unknown to the others."""

import pytest

from assay.people.statistics import registry


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(registry.STATISTICS, "added", dict(registry.STATISTICS.added))
