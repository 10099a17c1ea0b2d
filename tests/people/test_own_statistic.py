"""A statistic of one's own: registering it is enough for the command, its help, intervals, tests and clusters."""

from __future__ import annotations

import json
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN
from assay.errors import ParameterError
from assay.people.metric_tests import grid_permutation, system_permutation
from assay.people.statistics import registry
from assay.people.statistics.base import GROUPINGS, Statistic
from assay.people.statistics.registry import on_grid
from assay.significance.draws import Draws, crossed, numbered, swap_flags


class Cosine(Statistic):
    """The cosine of both sides, which a test computes in one line."""

    name = "cosine"
    label = "the cosine"
    summary = "the cosine of the angle between both sides"
    source = "a test"
    fewest = 3

    def compute(self, human, metric, weights):
        with np.errstate(invalid="ignore", divide="ignore"):
            across = (weights * human * metric).sum(axis=-1)
            return across / np.sqrt((weights * human**2).sum(axis=-1) * (weights * metric**2).sum(axis=-1))


def cosine(x, y):
    there = ~np.isnan(x) & ~np.isnan(y)
    x, y = x[there], y[there]
    return x @ y / np.sqrt((x @ x) * (y @ y)) if len(x) >= 3 else np.nan


@pytest.fixture(autouse=True)
def plugged_in(monkeypatch):
    """As if a package had announced it."""
    entry = SimpleNamespace(name="cosine", value="somewhere:Cosine", load=lambda: Cosine)
    monkeypatch.setitem(registry.STATISTICS.__dict__, "_announced", {"cosine": entry})
    monkeypatch.setattr(registry.STATISTICS, "added", {})


def problem():
    generator = np.random.default_rng(5)
    human, metric = generator.normal(size=(2, 5, 7))
    human[0, :3] = np.nan
    metric[2:, 4] = np.nan
    return metric, human


def slow(metric, human, grouping):
    """Group by group, without weights."""
    if grouping == "none":
        return cosine(metric.ravel(), human.ravel())
    groups = zip(metric.T, human.T, strict=True) if grouping == "item" else zip(metric, human, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.nanmean([cosine(*group) for group in groups])


def repeated(grid, segments, systems):
    return np.repeat(np.repeat(grid, systems, axis=0), segments, axis=1)


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_it_has_a_value_on_every_grid_and_under_every_draw(grouping):
    metric, human = problem()
    segments, systems = np.array([2, 0, 1, 1, 3, 0, 1]), np.array([1, 2, 0, 1, 1])
    draws = Draws.given(np.stack([np.ones(7), segments, np.ones(7)]), np.stack([np.ones(5), np.ones(5), systems]))
    found = on_grid("cosine", metric, human, draws, grouping)
    assert found[0] == pytest.approx(slow(metric, human, grouping), abs=1e-12)
    if grouping == "none":
        for row, drawn in ((1, (segments, np.ones(5, dtype=int))), (2, (np.ones(7, dtype=int), systems))):
            expected = slow(repeated(metric, *drawn), repeated(human, *drawn), grouping)
            assert found[row] == pytest.approx(expected, abs=1e-12)


def test_fewer_points_than_it_needs_have_no_value():
    # Each segment has two systems, and it takes three; all together there are four cells.
    grid = np.array([[1.0, 2.0], [2.0, 1.0]])
    assert np.isnan(on_grid("cosine", grid, grid, Draws.observed(2, 2), "item")[0])
    assert on_grid("cosine", grid, grid, Draws.observed(2, 2), "none")[0] == pytest.approx(1.0)


@pytest.mark.parametrize("grouping", GROUPINGS)
def test_metrics_are_tested_by_it_as_if_mixed_one_by_one(grouping):
    metric, human = problem()
    other = metric + np.random.default_rng(6).normal(size=metric.shape)
    (found,) = grid_permutation("cosine", np.stack([metric, other]), human, grouping, samples=40, seed=3).values()
    missing = np.isnan(metric) | np.isnan(human)
    x, y = (np.where(missing, np.nan, grid) for grid in (metric, other))
    x, y = ((grid - np.nanmean(grid)) / np.nanstd(grid) for grid in (x, y))
    observed = slow(x, human, grouping) - slow(y, human, grouping)
    reached = 1
    for flags in np.vstack(list(swap_flags(crossed(*map(numbered, x.shape)), 40, 3))):
        swap = flags.reshape(x.shape) == 1
        delta = slow(np.where(swap, y, x), human, grouping) - slow(np.where(swap, x, y), human, grouping)
        reached += abs(delta) >= abs(observed) - 1e-9
    assert (found.delta, found.p) == pytest.approx((observed, reached / 41), abs=1e-9)
    assert 0 < system_permutation("cosine", np.stack([metric, other]), np.arange(5.0), samples=40)[0, 1].p <= 1


def test_the_command_measures_tests_and_clusters_by_it(capfdbinary):
    options = ["--kind", "adequacy", "--statistic", "cosine", "--grouping", "all", "--samples", "20", "-m", "bleu,ter"]
    options.append("--with-humans")
    assert run(["meta", str(CAMPAIGN), *options, "--permutations", "50", "--format", "json"]) == 0
    found = json.loads(capfdbinary.readouterr().out)
    cells = {(row["level"], row["grouping"]) for row in found["results"]}
    below = {(level, grouping) for level in ("document", "segment") for grouping in GROUPINGS}
    assert cells == {("system", None), *below}
    for row in found["results"]:
        assert row["low"] <= row["value"] <= row["high"]
        # It does not say what it would be of correlated normal scores.
        assert row["ceiling"] is None
    assert {row["level"] for row in found["comparisons"]} == {"system", "document", "segment"}
    assert {row["statistic"] for row in found["clusters"]} == {"cosine"}
    bleu, people = (
        np.array([row[side] for row in found["points"] if row["metric"] == "bleu"]) for side in ("score", "human")
    )
    assert found["results"][0]["value"] == pytest.approx(cosine(bleu, people), abs=1e-9)


def test_help_and_python_know_it(capfdbinary):
    assert run(["meta", "--help"]) == 0
    assert b"cosine" in capfdbinary.readouterr().out
    found = assay.meta_evaluate(
        CAMPAIGN, "bleu", kind="adequacy", statistics="cosine", levels="system", samples=0, with_humans=True
    )
    assert found.of("bleu", "cosine").value > 0.9
    with pytest.raises(LookupError, match="Did you mean 'cosine'"):
        assay.meta_evaluate(CAMPAIGN, "bleu", kind="adequacy", statistics="cosin")


def test_an_entry_point_of_another_name_or_type_is_refused(monkeypatch):
    entry = SimpleNamespace(name="sine", value="somewhere:Cosine", load=lambda: Cosine)
    monkeypatch.setitem(registry.STATISTICS.__dict__, "_announced", {"sine": entry})
    with pytest.raises(ParameterError, match="is called 'sine', and its statistic 'cosine'"):
        registry.statistic("sine")
    entry.load = lambda: "no class"
    with pytest.raises(ParameterError, match="is not a subclass"):
        registry.statistic("sine")


def test_half_a_ceiling_is_refused_in_words(monkeypatch, capfd):
    # What halves of judgements say as a correlation, and no way back: an error of whoever wrote the statistic.
    monkeypatch.setattr(Cosine, "as_pearson", lambda _self, values, _points: values)
    words = ["--kind", "adequacy", "-m", "bleu", "--level", "system", "--statistic", "cosine", "--samples", "20"]
    assert run(["meta", str(CAMPAIGN), *words, "--test", "none"]) == 2
    assert capfd.readouterr().err.endswith("The statistic cosine has as_pearson, so it needs from_pearson, too.\n")
