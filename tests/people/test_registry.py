"""The list of statistics."""

from __future__ import annotations

import numpy as np
import pytest

from assay.errors import ParameterError, UnknownName
from assay.people.statistics import registry
from assay.people.statistics.base import LEVELS, Statistic
from assay.people.statistics.registry import (
    BUILT_IN,
    cells,
    grid_statistic_names,
    register_statistic,
    statistic,
)


def test_what_a_grid_has_is_listed_with_its_groupings():
    for name in BUILT_IN:
        found = statistic(name)
        assert found.name == name
        assert bool(found.groupings) == (name in grid_statistic_names())
        assert bool(found.groupings) == ("segment" in found.levels and not found.ranked)
        assert found.label
        assert found.summary
        assert found.source
        assert not found.usual or "system" in found.levels
        assert set(found.usual_groupings) <= set(found.groupings)
    assert [name for name in BUILT_IN if statistic(name).fewest > 2] == ["pearson-differences"]


def test_every_statistic_of_scores_is_at_some_level():
    ranked = {name for name in BUILT_IN if statistic(name).ranked}
    assert ranked == {"kendall-wmt12", "kendall-wmt13", "kendall-wmt14"}
    assert {name for level in LEVELS for name, _ in cells(level, ["all"])} == set(BUILT_IN) - ranked


def test_an_unknown_statistic_is_told():
    with pytest.raises(UnknownName, match="Did you mean 'spearman'"):
        statistic("spaerman")


def test_without_a_choice_the_usual_ones_are_measured():
    names = ["pearson", "spearman", "kendall", "accuracy", "spa", "pearson-differences"]
    assert cells("system") == [(name, None) for name in names]
    below = [("pearson", "none"), ("spearman", "none"), ("kendall", "none"), ("kendall", "item")]
    assert cells("segment") == cells("document") == [*below, ("acc23", "item"), ("acc23-heldout", "item")]


def test_named_statistics_have_the_groupings_that_were_named_or_make_sense():
    assert cells("segment", ["tau23", "acc23", "spa"]) == [("tau23", "none"), ("tau23", "item"), ("acc23", "item")]
    assert cells("segment", ["acc23", "kendall-like"], ["system"]) == [("acc23", "system")]
    assert cells("segment", [], ["system"])[:2] == [("pearson", "system"), ("spearman", "system")]
    assert cells("system", ["accuracy", "acc23"], ["item"]) == [("accuracy", None)]
    assert len(cells("segment", ["all"], ["all"])) == 7 * 3 + 2


def test_rankings_have_statistics_of_their_own_at_the_segment_level():
    years = [("kendall-wmt12", None), ("kendall-wmt13", None), ("kendall-wmt14", None)]
    assert cells("segment", ranked=True) == cells("segment", ["all"], ranked=True) == years
    assert cells("segment", ["kendall-wmt13", "pearson"], ranked=True) == [("kendall-wmt13", None)]
    assert cells("system", ["kendall-wmt13", "pearson"], ranked=True) == [("pearson", None)]


class Named(Statistic):
    name = "named"
    label = summary = "nothing"

    def compute(self, human, metric, weights):
        return (human * metric * weights).sum(axis=-1)


@pytest.fixture
def clean(monkeypatch):
    monkeypatch.setattr(registry.STATISTICS, "added", {})


@pytest.mark.usefixtures("clean")
def test_a_statistic_may_be_registered_again_but_not_another_of_its_name():
    assert register_statistic(Named) is Named
    register_statistic(Named)
    assert statistic("named").compute(np.array([2.0]), np.array([3.0]), np.array([1.0])) == 6.0
    assert list(registry.STATISTICS)[-1] == "named"
    other = type("Other", (Named,), {})
    with pytest.raises(ParameterError, match="Two statistics are called 'named'"):
        register_statistic(other)
    for name, message in (("pearson", "Two statistics"), ("all", "needs a name"), ("two words", "needs a name")):
        with pytest.raises(ParameterError, match=message):
            register_statistic(type("Other", (Named,), {"name": name}))
    with pytest.raises(ParameterError, match="is not a subclass of"):
        register_statistic(dict)
