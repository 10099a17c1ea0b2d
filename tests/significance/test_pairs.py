"""Pairs of systems by hand: rows of numbers whose score is their mean."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from assay.significance import pairs
from assay.significance.pairs import PairedTest, TwoLevels, swapped_differences
from assay.significance.tests import is_significant


def mean(rows):
    return rows[..., 0] / rows[..., 1]


def rows(*scores):
    return np.column_stack([np.array(scores, dtype=float), np.ones(len(scores))])


def paired(units, **options):
    usual = {"test": "randomisation", "correction": "holm", "alpha": 0.05, "unit": "segment", "interval": "percentile"}
    return PairedTest(**{**usual, "units": units, "seed": 1, "samples": 50, "permutations": 1000, **options})


def drawn(test, **systems):
    runs = {system: tuple(f"{system}@{number}" for number in range(len(own))) for system, own in systems.items()}
    tables = {(run, "m"): table for system in runs for run, table in zip(runs[system], systems[system], strict=True)}
    return [test.draw(tables, {"m": mean}, runs)[system, "m"] for system in systems]


def test_two_units_have_four_swaps():
    # x leads by 3 and by 1: sums +4, -2, +2, -4, and two of the four are as large as the first.
    test = paired(2)
    first, second = drawn(test, x=[rows(4, 2)], y=[rows(1, 1)])
    found = test.p_value(first, second)
    assert (found.value, found.exact) == (0.5, True)
    assert test.settings()["permutations"] == 4


def test_swaps_may_come_in_any_blocks(monkeypatch):
    test = paired(40)
    generator = np.random.default_rng(1)
    first, second = drawn(test, x=[rows(*generator.normal(size=40))], y=[rows(*generator.normal(size=40))])
    whole = np.concatenate(list(swapped_differences(first, second)))
    monkeypatch.setattr(pairs, "CHUNK", 7)
    blocks = list(swapped_differences(first, second))
    assert len(blocks) == 143
    assert (np.concatenate(blocks) == whole).all()


def test_who_needs_no_swaps_has_none():
    first, second = drawn(paired(2, test="t"), x=[rows(4, 2)], y=[rows(1, 1)])
    assert list(swapped_differences(first, second)) == []


@pytest.mark.parametrize(("test", "middle"), [("randomisation", 0.5), ("bootstrap", 1.0)])
def test_samples_and_swaps_are_half_of_the_work_each(test, middle):
    shares = []
    tables = {("x", "m"): rows(4, 2), ("y", "m"): rows(1, 1)}
    paired(2, test=test).draw(tables, {"m": mean}, {"x": ("x",), "y": ("y",)}, progress=shares.append)
    assert shares == sorted({middle, 1.0})


def test_a_system_has_the_mean_of_its_runs():
    # Runs with the scores 2 and 4: a mean of 3, and a standard deviation over runs of the square root of 2.
    first, second = drawn(paired(3, several_runs=True), x=[rows(1, 2, 3), rows(3, 4, 5)], y=[rows(1, 1, 1)])
    assert (first.value, first.training) == (3.0, pytest.approx(2**0.5))
    assert (second.value, second.training, second.selection) == (1.0, None, 0.0)
    # Without the first unit the runs have 2.5 and 4.5.
    assert first.jackknife.tolist() == [3.5, 3.0, 2.5]


def test_the_effect_is_a_difference_in_deviations_of_one_unit():
    # An error of 0.25 over 64 units is a deviation of 0.25 x 8 = 2 of one of them.
    assert paired(64).effect(3.0, 0.25) == 1.5
    assert paired(64).effect(0.0, 0.0) is None


def test_four_times_the_segments_show_half_the_difference():
    # (1.95996 + 0.84162) x 0.5 = 1.401, and 1.401^2 x 1000 = 1962.2 segments show a whole point.
    detectable, needed = paired(1000).power(1.0, 0.5)
    assert (round(detectable, 3), needed) == (1.401, 1963)
    assert paired(100).power(1.0, 0.5)[0] == pytest.approx(2 * paired(400).power(1.0, 0.25)[0])
    assert paired(100).power(0.0, 0.5)[1] is None
    # At 2.8 standard errors the segments there are suffice.
    assert paired(100).power(2.8016, 1.0)[1] == 100


def test_more_segments_do_not_help_where_training_is_chance():
    assert paired(100, several_runs=True).power(2.8016, 1.0)[1] is None


def test_the_level_itself_is_significant():
    assert is_significant(0.05, paired(10).alpha)
    assert not is_significant(0.0500001, paired(10).alpha)


@pytest.mark.parametrize("runs", [((10, 12, 14), (5, 6)), ((1, 2, 3, 4), (2, 2.5, 3))])
def test_training_alone_is_welchs_test(runs):
    spreads = [(float(np.std(own, ddof=1)), len(own)) for own in runs]
    levels = TwoLevels.of(0.0, 100, spreads)
    theirs = stats.ttest_ind(*runs, equal_var=False)
    delta = float(np.mean(runs[0]) - np.mean(runs[1]))
    assert levels.freedom == pytest.approx(theirs.df)
    assert levels.p_value(delta).value == pytest.approx(theirs.pvalue)
    assert list(levels.interval(delta)) == pytest.approx(list(theirs.confidence_interval(0.95)))


def test_two_sources_of_chance_share_their_degrees_of_freedom():
    # Variances 0.09 with 8 degrees and 0.5 / 2 with 1: 0.34^2 / (0.09^2 / 8 + 0.25^2 / 1) = 0.1156 / 0.0635125.
    levels = TwoLevels.of(0.3, 9, [(0.5**0.5, 2)])
    assert levels.error == pytest.approx(0.34**0.5)
    assert levels.freedom == pytest.approx(0.1156 / 0.0635125)


def test_what_never_varies_is_certain():
    nothing = TwoLevels.of(0.0, 10, [])
    assert (nothing.p_value(0.0).value, nothing.p_value(0.1).value) == (1.0, 0.0)
    assert list(nothing.interval(2.0)) == [2.0, 2.0]
