"""Pages are tests, too: what one of them registers is unknown to the others."""

import pytest

from assay.metrics.registry import METRICS
from assay.people.statistics.registry import STATISTICS


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    for registry in (METRICS, STATISTICS):
        monkeypatch.setattr(registry, "added", dict(registry.added))


def pytest_collection_modifyitems(items):
    for item in items:
        # The demo campaign has a person among its systems.
        item.add_marker(pytest.mark.filterwarnings("ignore:Left out. people who stand as systems"))
