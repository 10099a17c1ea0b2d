"""The list of statistics."""

from __future__ import annotations

import pytest

from assay.errors import UnknownName
from assay.meta.statistics.grids import GRID_STATISTICS
from assay.meta.statistics.registry import LEVELS, STATISTICS, statistic, statistics_at


def test_what_a_grid_has_is_listed_with_its_groupings():
    for name, found in STATISTICS.items():
        assert bool(found.groupings) == (name in GRID_STATISTICS)
        assert bool(found.groupings) == ("segment" in found.levels)
        assert found.label
        assert found.summary
        assert found.source
    assert [name for name, found in STATISTICS.items() if found.minimum > 2] == ["pearson-differences"]


def test_every_statistic_is_at_some_level():
    assert {found.name for level in LEVELS for found in statistics_at(level)} == set(STATISTICS)


def test_an_unknown_statistic_is_told():
    with pytest.raises(UnknownName, match="Did you mean 'spearman'"):
        statistic("spaerman")
