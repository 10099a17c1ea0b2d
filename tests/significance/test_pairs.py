"""Pairs of systems by hand: rows of numbers whose score is their mean."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from assay.significance import pairs
from assay.significance.draws import (
    NO_INTERVAL,
    Interval,
    Units,
    bootstrap_counts,
    degrees_of_freedom,
    numbered,
    swap_flags,
)
from assay.significance.pairs import PairedTest, Sampled, TwoLevels, borrowing
from assay.significance.tests import is_significant, stretched_tail


def mean(rows):
    return rows[..., 0] / rows[..., 1]


def rows(*scores):
    return np.column_stack([np.array(scores, dtype=float), np.ones(len(scores))])


def paired(units, **options):
    usual = {"test": "randomisation", "correction": "holm", "alpha": 0.05, "interval": "percentile"}
    units = Units.segments(units) if isinstance(units, int) else units
    return PairedTest(**{**usual, "units": units, "seed": 1, "samples": 50, "permutations": 1000, **options})


def drawn(test, **systems):
    runs = {system: tuple(f"{system}@{number}" for number in range(len(own))) for system, own in systems.items()}
    tables = {(run, "m"): table for system in runs for run, table in zip(runs[system], systems[system], strict=True)}
    found = test.resample(tables, {"m": mean}, runs, test.units)
    return [found[system, "m"] for system in systems]


def p_of(test, first, second, progress=None):
    (p,) = test.p_values({"x": first, "y": second}, [("x", "y")], progress=progress)
    return p


def test_six_units_have_sixty_four_swaps():
    # x leads by 1, 1, 1, 1, 1 and 3: sums of 8; only all swaps or none are as large.
    test = paired(6)
    first, second = drawn(test, x=[rows(2, 2, 2, 2, 2, 4)], y=[rows(1, 1, 1, 1, 1, 1)])
    found = p_of(test, first, second)
    assert (found.value, found.exact) == (2 / 64, True)
    assert test.settings()["permutations"] == 64
    assert (test.settings()["unit"], test.settings()["units"]) == ("segment", 6)


def test_where_swaps_are_too_few_to_show_anything_t_is_taken():
    # 2/32 is more than 0.05, so no swaps of five units could be significant. x leads by 1, 1, 1, 1 and 3: 1.4 with an
    # error of the root of 0.8/5. Both systems count 5, 5, 5, 5 and 7: (4 25 + 49)^2 / (4 625 + 2401) - 1 = 3.53.
    test = paired(5)
    assert test.few
    assert test.settings()["test"] == "few-cluster t"
    assert test.settings()["permutations"] is None
    found = p_of(test, *drawn(test, x=[rows(2, 2, 2, 2, 4)], y=[rows(1, 1, 1, 1, 1)]))
    assert found.value == pytest.approx(2 * stats.t.sf(1.4 / np.sqrt(0.16), 149**2 / 4901 - 1), rel=1e-9)
    # Six comparisons take more units than one; without a correction their number does not matter.
    assert [paired(8, comparisons=count).few for count in (6, 7)] == [False, True]
    assert not paired(8, comparisons=7, correction="none").few
    assert not paired(5, test="bootstrap").few
    # Of four there is no p at all.
    assert not paired(4).few


def test_few_units_of_unequal_size_are_called_different_as_rarely_as_promised():
    # Eight documents whose lengths differ tenfold; which output is whose is a matter of chance. Welch's degrees of
    # freedom for equal sizes, 7, would give 9 %.
    generator, test, rejected = np.random.default_rng(5), paired(8, comparisons=10), 0
    simulations = 1500
    for _ in range(simulations):
        sizes = np.exp(generator.normal(scale=1.2, size=8))
        gaps = sizes * generator.normal(size=8)
        tables = [np.column_stack([sizes * 5 + sign * gaps, sizes * 10]) for sign in (0.5, -0.5)]
        found = p_of(test, *(Sampled(mean, (table,), (np.empty(0),)) for table in tables))
        rejected += is_significant(found.value, 0.05)
    # In 99 of 100 such simulations of a test that rejects 5 % it is at most 6.5 %.
    assert 0.005 < rejected / simulations < 0.065


def test_four_units_have_no_p():
    test = paired(4)
    assert p_of(test, *drawn(test, x=[rows(2, 2, 2, 4)], y=[rows(1, 1, 1, 1)])) is None
    assert test.interval_of(*drawn(test, x=[rows(2, 2, 2, 4)], y=[rows(1, 1, 1, 1)])) == (None, None)


def normal_rows(number, units=40):
    return rows(*np.random.default_rng(number).normal(size=units))


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_draws_may_come_in_any_blocks(test, monkeypatch):
    test = paired(40, test=test)
    first, second = drawn(test, x=[normal_rows(1)], y=[normal_rows(2)])
    whole, shares = p_of(test, first, second), []
    monkeypatch.setattr(pairs, "CHUNK", 7)
    assert p_of(test, first, second, shares.append) == whole
    assert len(shares) == 143
    assert shares[-1] == 1.0
    assert shares == sorted(shares)


def test_randomisation_by_hand():
    test = paired(40)
    first, second = drawn(test, x=[normal_rows(1)], y=[normal_rows(2)])
    apart = (first.rows[0] - second.rows[0])[:, 0]
    flags = np.concatenate(list(swap_flags(numbered(40), 1000, 1))).astype(float)
    sums = (1.0 - 2.0 * flags) @ apart
    assert p_of(test, first, second).value == ((abs(sums) >= abs(apart.sum()) - 1e-9).sum() + 1) / 1001


def test_bootstrap_by_hand():
    test = paired(40, test="bootstrap")
    first, second = drawn(test, x=[normal_rows(1)], y=[normal_rows(2)])
    apart = (first.rows[0] - second.rows[0])[:, 0]
    weights = np.concatenate(list(bootstrap_counts(numbered(40), 1000, 1)))
    means = weights @ apart / weights.sum(axis=1) - apart.mean()
    share = ((abs(means) >= abs(apart.mean())).sum() + 1) / 1001
    assert p_of(test, first, second).value == pytest.approx(stretched_tail(share, 40))


def test_documents_change_places_as_a_whole():
    units = Units.documents([name for name in "abcdefgh" for _ in range(5)])
    test = paired(units)
    first, second = drawn(test, x=[units.sums(normal_rows(1))], y=[units.sums(normal_rows(2))])
    found = p_of(test, first, second)
    assert (found.exact, test.draws) == (True, 2**8)
    apart = units.sums(normal_rows(1) - normal_rows(2))[:, 0]
    signs = np.array(list(product([1, -1], repeat=8)))
    assert found.value == (abs(signs @ apart) >= abs(apart.sum()) - 1e-9).mean()


def test_many_pairs_get_the_draws_that_they_need():
    assert paired(100, permutations=None).draws == 10_000
    # 528 pairs: Holm asks the smallest p-value to be 0.05 / 528; a fifth of that takes 52,800 draws.
    assert paired(100, permutations=None, comparisons=528).draws == 52_800
    assert paired(100, permutations=None, comparisons=105, alpha=0.01).draws == 52_500
    assert paired(100, permutations=None, comparisons=10_000).draws == 100_000
    assert paired(100, permutations=777, comparisons=528).draws == 777
    assert paired(100, permutations=None, comparisons=528).smallest == pytest.approx(528 / 52_801)
    assert paired(100, permutations=777, comparisons=528).smallest > 0.05
    assert paired(100, permutations=777, comparisons=528, correction="none").smallest == pytest.approx(1 / 778)
    assert paired(100, test="t", comparisons=528).smallest == 0.0


def test_a_system_has_the_mean_of_its_runs():
    # Runs with the scores 3 and 5: a mean of 4, and a standard deviation over runs of the square root of 2.
    runs = [rows(1, 2, 3, 4, 5), rows(3, 4, 5, 6, 7)]
    first, second = drawn(paired(5, several_runs=True), x=runs, y=[rows(1, 1, 1, 1, 1)])
    assert (first.value, first.variance) == (4.0, pytest.approx(2.0))
    # Both runs go up and down together, so all of it is training.
    assert first.training == pytest.approx(2**0.5)
    assert (second.value, second.training, second.selection) == (1.0, None, 0.0)
    # Without the first unit the runs have 3.5 and 5.5.
    assert first.jackknife.tolist() == [4.5, 4.25, 4.0, 3.75, 3.5]


def test_chance_between_equally_good_runs_is_no_training():
    # Runs that are noise around one quality: their scores vary by 1 / sqrt(200), and none of that is training.
    test, found = paired(200, several_runs=True, samples=200), []
    for number in range(40):
        runs = [normal_rows(100 * number + run, 200) for run in range(5)]
        (system,) = drawn(test, x=runs)
        found.append((system.variance, system.training**2))
    variance, training = np.mean(found, axis=0)
    assert variance == pytest.approx(1 / 200, rel=0.2)
    # Half of the estimates are cut off at 0, so that a little is left.
    assert training < 0.3 * variance


def test_one_run_borrows_how_training_varies():
    # Five runs with a variance of 2.5 and one run: 2.5 x (1/5 + 1) with 4 degrees of freedom.
    runs = [rows(*np.full(5, score)) for score in (1.0, 2.0, 3.0, 4.0, 5.0)]
    test = paired(5, several_runs=True)
    first, second = drawn(test, x=runs, y=[rows(6, 6, 6, 6, 6)])
    alone = test.error(first, second)
    lent = borrowing({("x", "m"): first, ("y", "m"): second})
    both = test.error(lent["x", "m"], lent["y", "m"])
    assert (alone.error**2, alone.freedom) == (pytest.approx(0.5), pytest.approx(4.0))
    assert (both.error**2, both.freedom) == (pytest.approx(3.0), pytest.approx(4.0))
    # As Student's t of five against one.
    theirs = 2 * stats.t.sf(3.0 / 3.0**0.5, 4)
    assert both.p_value(-3.0).value == pytest.approx(theirs)
    # Its own score has no other interval for it.
    assert test.error(lent["y", "m"]).error == 0.0


def test_intervals_for_all_pairs_together_hold_together():
    # Ten pairs of noise: each interval by itself leaves one in twenty out, all of them together hold in 95 of 100.
    inside, alone = 0, 0
    for number in range(200):
        test = paired(60, samples=200)
        systems = drawn(test, **{name: [normal_rows(1000 * number + place, 60)] for place, name in enumerate("abcde")})
        pairs_of = [(first, second) for place, first in enumerate(systems) for second in systems[place + 1 :]]
        inside += all(low <= 0.0 <= high for low, high in test.simultaneous(pairs_of))
        alone += all(low <= 0.0 <= high for low, high in (test.interval_of(*pair) for pair in pairs_of))
    assert 0.90 <= inside / 200 <= 0.99
    assert alone / 200 < 0.85


def test_runs_widen_intervals_for_all_pairs_together():
    # Of three pairs each leaves out a third of 5 %: Student's t of its own errors and degrees of freedom.
    test = paired(60, several_runs=True)
    runs = {name: [normal_rows(10 * place + run, 60) for run in range(2)] for place, name in enumerate("abc")}
    systems = drawn(test, **runs)
    pairs_of = [(first, second) for place, first in enumerate(systems) for second in systems[place + 1 :]]
    for pair, together in zip(pairs_of, test.simultaneous(pairs_of), strict=True):
        chance = test.error(*pair)
        reach = stats.t.ppf(1 - 0.05 / 6, chance.freedom) * chance.error
        assert together == pytest.approx((pair[0].value - pair[1].value - reach, pair[0].value - pair[1].value + reach))
        assert together.low < test.interval_of(*pair).low


def test_the_effect_is_a_difference_in_deviations_of_one_unit():
    # An error of 0.25 over 64 units is a deviation of 0.25 x 8 = 2 of one of them.
    assert paired(64).effect(3.0, 0.25) == 1.5
    assert paired(5).effect(1.0, 1.0) == pytest.approx(5**-0.5)
    # Of four units there is no test either.
    assert paired(4).effect(1.0, 1.0) is None
    assert paired(64).effect(0.0, 0.0) is None


def test_four_times_the_segments_show_half_the_difference():
    # Student's t of 999 degrees: (1.96234 + 0.84198) x 0.5 = 1.40216; at the ends 0.5 and 2 of the difference that
    # takes (1.40216 / 2)^2 x 1000 = 491.5 segments at least, and (1.40216 / 0.5)^2 x 1000 = 7,864.2 at most.
    detectable, fewest, most = paired(1000).power(0.5, Interval(0.5, 2.0))
    assert (round(detectable, 4), fewest, most) == (1.4022, 492, 7865)
    # An interval that holds 0 gives no upper end.
    assert paired(1000).power(0.5, Interval(-0.5, 2.0))[1:] == (492, None)
    assert paired(1000).power(0.5, Interval(-2.0, -0.5))[1:] == (492, 7865)
    assert paired(100).power(0.5, NO_INTERVAL) == (None, None, None)


def test_power_is_for_the_correction_that_was_used():
    # Of 66 pairs the first has to be below 0.05 / 66.
    expected = (stats.t.ppf(1 - 0.05 / 66 / 2, 999) + stats.t.ppf(0.8, 999)) * 0.5
    usual = paired(1000, comparisons=66, permutations=None)
    assert usual.power(0.5, Interval(0.5, 2.0))[0] == pytest.approx(expected)
    plain = paired(1000, comparisons=66, correction="none").power(0.5, Interval(0.5, 2.0))[0]
    assert plain == pytest.approx(1.40214, abs=1e-4)


def test_the_level_is_that_which_the_correction_leaves():
    # Holm's: with 60 of 66 pairs found, six are left to divide 5 % by. Benjamini and Hochberg's: the 61st of 66.
    names, usual = ("holm", "benjamini-hochberg", "none"), {"comparisons": 66, "permutations": None}
    of_66 = {name: paired(1000, correction=name, **usual) for name in names}
    assert [test.level(60) for test in of_66.values()] == [0.05 / 6, pytest.approx(0.05 * 61 / 66), 0.05]
    assert [test.level(66) for test in of_66.values()] == [0.05, 0.05, 0.05]
    expected = (stats.t.ppf(1 - 0.05 / 6 / 2, 999) + stats.t.ppf(0.8, 999)) * 0.5
    assert of_66["holm"].power(0.5, Interval(0.5, 2.0), 60)[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    "options",
    [{"test": "t"}, {"test": "wilcoxon"}, {"several_runs": True}, {"permutations": 1000, "comparisons": 66}],
)
def test_tests_of_something_else_say_nothing_of_power(options):
    # t and Wilcoxon's look at segment scores, more segments do not help where training is chance, and of 66 pairs none
    # can be significant with 1,000 draws, whatever the difference: 66/1001.
    assert paired(100, **options).power(1.0, Interval(1.0, 4.0)) == (None, None, None)


def test_the_level_itself_is_significant():
    assert is_significant(0.05, paired(10).alpha)
    assert not is_significant(0.0500001, paired(10).alpha)


@pytest.mark.parametrize("runs", [((10, 12, 14), (5, 6)), ((1, 2, 3, 4), (2, 2.5, 3))])
def test_training_alone_is_welchs_test(runs):
    spreads = [(float(np.var(own, ddof=1)) / len(own), len(own) - 1) for own in runs]
    levels = TwoLevels.of(0.0, 100, spreads)
    theirs = stats.ttest_ind(*runs, equal_var=False)
    delta = float(np.mean(runs[0]) - np.mean(runs[1]))
    assert levels.freedom == pytest.approx(theirs.df)
    assert levels.p_value(delta).value == pytest.approx(theirs.pvalue)
    assert list(levels.interval(delta)) == pytest.approx(list(theirs.confidence_interval(0.95)))


def test_two_sources_of_chance_share_their_degrees_of_freedom():
    # Variances 0.09 with 8 degrees and 0.5 / 2 with 1: 0.34^2 / (0.09^2 / 8 + 0.25^2 / 1) = 0.1156 / 0.0635125.
    levels = TwoLevels.of(0.3, 9, [(0.25, 1)])
    assert levels.error == pytest.approx(0.34**0.5)
    assert levels.freedom == pytest.approx(0.1156 / 0.0635125)


def test_what_never_varies_is_as_likely_as_a_coin_that_falls_so_every_time():
    nothing = TwoLevels.of(0.0, 10, [])
    assert (nothing.p_value(0.0).value, nothing.p_value(0.1).value) == (1.0, 2 / 2**10)
    assert list(nothing.interval(2.0)) == [2.0, 2.0]


def test_pairs_that_are_clearly_alike_have_the_usual_draws_alone():
    # 200 comparisons ask for 20,000 draws. Where one unit in two leads, thousands of the first 10,000 reach what was
    # seen; where all lead by much, none does, and all draws are taken: 1 by 20,001.
    test = paired(40, permutations=None, comparisons=200)
    assert (test.draws, test.stops, test.settings()["stops"]) == (20_000, True, True)
    alike, ahead = (drawn(test, x=[rows(*x)], y=[rows(*([0] * 40))]) for x in ([1, -1.1] * 20, range(20, 60)))
    (p,) = test.p_values(dict(zip("xy", alike, strict=True)), [("x", "y")])
    usual = paired(40, permutations=10_000, comparisons=200)
    assert p.value == p_of(usual, *alike).value > 0.01
    assert p_of(test, *ahead).value == 1 / 20_001
    # Together they have what they have apart, and whoever chose a number has that one.
    both = {"a": alike[0], "b": alike[1], "c": ahead[0], "d": ahead[1]}
    apart = test.p_values(both, [("a", "b"), ("c", "d")])
    assert [each.value for each in apart] == [p.value, 1 / 20_001]
    assert not paired(40, permutations=20_000, comparisons=200).stops
    assert not paired(14, permutations=None, comparisons=200).stops


def test_draws_of_nothing_do_not_narrow_simultaneous_intervals():
    # Of five units nothing is drawn once in 148 times: such draws leave the largest deviation as it is.
    test = paired(5, samples=4000)
    first, second = drawn(test, x=[rows(1, 2, 3, 4, 6)], y=[rows(1, 1, 1, 1, 1)])
    assert np.isnan(first.resampled).any()
    (ends,) = test.simultaneous([(first, second)])
    apart = first.resampled - second.resampled
    apart = np.abs(apart[np.isfinite(apart)] - 2.2)
    error = np.nanstd(first.resampled - second.resampled, ddof=1)
    reach = np.interp(0.95 * (len(apart) + 1) - 1, np.arange(len(apart)), np.sort(apart)) / error
    # As many errors of Student's t as leave as much beyond, by the degrees of freedom of this one pair.
    freedom = degrees_of_freedom(5, first.jackknife - second.jackknife)
    reach = -stats.t(freedom).ppf(stats.norm.cdf(-reach)) * (5 / 4) ** 0.5
    assert ends.high == pytest.approx(2.2 + reach * error)
    assert ends.low == pytest.approx(4.4 - ends.high)


def test_lent_variances_count_by_their_degrees_of_freedom():
    # Three runs with a variance of 1 and two with one of 4: (2 * 1 + 1 * 4) / 3 = 2, with 3 degrees of freedom.
    test = paired(6, several_runs=True)
    runs = {"x": (1, 2, 3), "y": (0, 8**0.5), "z": (1,)}
    found = drawn(test, **{name: [rows(*[value] * 6) for value in values] for name, values in runs.items()})
    lent = borrowing({(name, "m"): sampled for name, sampled in zip("xyz", found, strict=True)})
    assert lent["z", "m"].borrowed == (pytest.approx(2.0), 3)
    assert lent["x", "m"].borrowed is None


@pytest.mark.parametrize("freedom", [4, 29, 30, 200])
@pytest.mark.parametrize("tail", [0.2, 0.025, 0.025 / 528])
def test_quantiles_for_power_are_student_s(freedom, tail):
    assert pairs._student_quantile(tail, freedom) == pytest.approx(stats.t(freedom).ppf(tail), rel=1e-4)


def sized(test, **systems):
    """As metrics that are means have them: with the sizes of units."""
    return [replace(one, size=lambda rows: rows[..., 1]) for one in drawn(test, **systems)]


def test_rare_differences_are_no_surer_than_with_two_more():
    # Three of 30 differ, by 1, 1 and 2: s is the root of 2. With s and -s the mean of 32 is 1/8, and the sum of squares
    # 6 and twice 2, less 32/64. Samples end at 0, of which there are some without these three.
    test, ties = paired(30, samples=1000), [0.0, 1, 2] * 9
    first, second = sized(test, x=[rows(1, 1, 2, *ties)], y=[rows(0, 0, 0, *ties)])
    plain = drawn(test, x=[rows(1, 1, 2, *ties)], y=[rows(0, 0, 0, *ties)])
    error = np.sqrt(9.5 / 31 / 32)
    for kind in ("percentile", "bca"):
        by = replace(test, interval=kind)
        assert by.interval_of(*plain).low >= 0.0
        assert by.interval_of(first, second).low == pytest.approx(1 / 8 - stats.t.ppf(0.975, 31) * error)
        assert by.interval_of(first, second).high == by.interval_of(*plain).high > 1 / 8
        assert -by.interval_of(second, first).high == pytest.approx(by.interval_of(first, second).low)
    # Of ten pairs together each leaves out a tenth of 5 %.
    (low, _), *_ = test.simultaneous([(first, second)] * 10)
    assert low == pytest.approx(1 / 8 - stats.t.ppf(0.9975, 31) * error)
    # Where ten units differ, or all, samples are enough; nine are too few.
    for units, differing, enough in ((30, 10, True), (7, 7, True), (30, 9, False)):
        some, ones = paired(units, samples=1000), np.arange(units)
        tables = {"x": [rows(*ones)], "y": [rows(*(ones + (ones < differing)))]}
        assert (some.interval_of(*sized(some, **tables)) == some.interval_of(*drawn(some, **tables))) == enough


def test_documents_that_do_not_differ_would_by_a_step():
    # Ten documents of two answers have 0, 1 or 2 right ones, both systems the same: a step is 1 of 2 answers, 0.5.
    test, table = paired(10, samples=200), np.array([[0.0, 2], [1, 2], [2, 2], *[[1, 2]] * 7])
    first, second = sized(test, x=[table], y=[table])
    reach = stats.t.ppf(0.975, 11) * np.sqrt(2 * 0.5**2 / 11 / 12)
    assert test.interval_of(first, second) == (pytest.approx(-reach), pytest.approx(reach))
    # Of 0, 1 and 3 the smallest step is 1.
    graded = rows(*[0.0] * 4, *[1.0] * 3, *[3.0] * 3)
    reach = stats.t.ppf(0.975, 11) * np.sqrt(2 / 11 / 12)
    assert test.interval_of(*sized(test, x=[graded], y=[graded])).high == pytest.approx(reach)
    # Scores without steps, each another, differ by nothing if they do not; if all are the same nobody can say.
    same = rows(*np.linspace(0, 1, 10))
    assert test.interval_of(*sized(test, x=[same], y=[same])) == (0.0, 0.0)
    constant = rows(*[1.0] * 10)
    assert test.interval_of(*sized(test, x=[constant], y=[constant])) == NO_INTERVAL
