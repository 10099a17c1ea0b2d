"""Means of what few people and a judge of everything say: by hand, by brute force, and by another program."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from assay.errors import ParameterError
from assay.significance.draws import Units, bootstrap_counts, interval
from assay.significance.prediction_powered import PredictionPowered

NAN = float("nan")
#: Ten segments, of which people judged six of the first system and seven of the second.
PEOPLE = np.array(
    [[2.0, 4.0, 3.0, 5.0, 1.0, 4.0, NAN, NAN, NAN, NAN], [3.0, 5.0, 3.0, 4.0, 2.0, NAN, 4.0, 5.0, NAN, NAN]]
)
JUDGE = np.array(
    [[1.0, 3.0, 3.0, 4.0, 1.0, 2.0, 5.0, 4.0, 2.0, 5.0], [2.0, 4.0, 3.0, 5.0, 1.0, 3.0, 4.0, 3.0, NAN, 1.0]]
)
DOCUMENTS = Units.documents([*"aabbccddee"])


def powered(people, judge, units=None):
    people, judge = np.atleast_2d(people), np.atleast_2d(judge)
    return PredictionPowered(people, judge, Units.segments(people.shape[1]) if units is None else units)


def plain(people, judge):
    """People's mean, the slope, and the corrected mean of lists, as a textbook has them."""
    there = ~np.isnan(people) & ~np.isnan(judge)
    slope = np.polyfit(judge[there], people[there], 1)[0]
    mean = people[there].mean()
    return mean, slope, mean + slope * (np.nanmean(judge) - judge[there].mean())


def left_out(function, people, judge, codes):
    """The function without each unit in turn."""
    return np.array([function(people[..., codes != code], judge[..., codes != code]) for code in np.unique(codes)])


def by_student(value, without, judged):
    """The interval and p of a value by hand: a variance of judged units, another of the rest."""
    apart, variances, below = value - without, 0.0, 0.0
    for part in (apart[judged], apart[~judged]):
        if len(part) and np.any(part):
            square = (judged.sum() - 1) / judged.sum() * (part**2).sum()
            inner = part - part.mean()
            with np.errstate(divide="ignore"):
                freedom = 2 * len(part) / (len(part) * (inner**4).sum() / (inner**2).sum() ** 2 - 1)
            freedom = max(min(freedom, len(part) - 1), 3) if freedom > 0 else 3
            variances, below = variances + square, below + square**2 / freedom
    freedom = variances**2 / below
    half = scipy.stats.t.ppf(0.975, freedom) * variances**0.5
    return value - half, value + half, 2 * scipy.stats.t.sf(abs(value) / variances**0.5, freedom)


def test_a_corrected_mean_by_hand():
    # People said 2, 4, 3 where the judge said 1, 2, 3: means 3 and 2, slope (1 + 0 + 0) / 2. Of all five items
    # the judge's mean is 3, one more, so half a point is added.
    found = powered([2.0, 4.0, 3.0, NAN, NAN], [1.0, 2.0, 3.0, 4.0, 5.0])
    assert (found.people_means[0], found.judge_means[0], found.slopes[0], found.corrected_means[0]) == (3, 3, 0.5, 3.5)
    assert (found.judged[0], found.items[0]) == (3, 5)
    # Of fewer than five units nothing is said of others.
    assert found.corrected_mean(0).low is None
    assert found.worth().value is None


@pytest.mark.parametrize("units", [Units.segments(10), DOCUMENTS], ids=["segments", "documents"])
@pytest.mark.parametrize("system", [0, 1])
def test_means_and_intervals_by_brute_force(units, system):
    people, judge = PEOPLE[system], JUDGE[system]
    if units is DOCUMENTS:
        # Five documents have to be judged, or there is no interval.
        people = np.where(np.isin(np.arange(10), [7, 9]), 3.0, people)
    found = powered(people, judge, units)
    mean, slope, corrected = plain(people, judge)
    assert found.people_means[0] == pytest.approx(mean, rel=1e-12)
    assert found.slopes[0] == pytest.approx(slope, rel=1e-12)
    assert found.corrected_means[0] == pytest.approx(corrected, rel=1e-12)
    codes = units.codes
    judged = np.array([(~np.isnan(people) & ~np.isnan(judge))[codes == code].any() for code in np.unique(codes)])
    for estimate, place in ((found.people_mean(0), 0), (found.corrected_mean(0), 2)):
        without = left_out(lambda *cells: plain(*cells)[place], people, judge, codes)  # noqa: B023
        low, high, _ = by_student(plain(people, judge)[place], without, judged)
        assert (estimate.low, estimate.high) == (pytest.approx(low, rel=1e-9), pytest.approx(high, rel=1e-9))


def test_people_alone_have_the_interval_of_a_textbook():
    place = np.arange(40)
    people = np.where(place % 2 == 0, (place * 37 % 11) / 1.0, NAN)
    given = people[~np.isnan(people)]
    half = scipy.stats.t.ppf(0.975, 19) * given.std(ddof=1) / 20**0.5
    estimate = powered(people, place * 1.0).people_mean(0)
    assert (estimate.low, estimate.high) == pytest.approx((given.mean() - half, given.mean() + half), rel=1e-9)


def test_a_difference_sees_that_systems_share_their_segments():
    found = powered(PEOPLE, JUDGE)

    def apart(people, judge):
        return plain(people[0], judge[0])[2] - plain(people[1], judge[1])[2]

    without = left_out(apart, PEOPLE, JUDGE, np.arange(10))
    judged = ~np.isnan(PEOPLE).all(axis=0)
    low, high, p = by_student(apart(PEOPLE, JUDGE), without, judged)
    estimate, found_p = found.difference(0, 1)
    assert estimate.value == pytest.approx(apart(PEOPLE, JUDGE), rel=1e-12)
    assert (estimate.low, estimate.high) == (pytest.approx(low, rel=1e-9), pytest.approx(high, rel=1e-9))
    assert found_p == pytest.approx(p, rel=1e-9)
    # Two copies of one system differ by nothing.
    twice = powered(PEOPLE[[0, 0]], JUDGE[[0, 0]])
    assert (twice.difference(0, 1).estimate.row(), twice.difference(0, 1).p) == (
        {"value": 0.0, "low": 0.0, "high": 0.0},
        1.0,
    )


def test_ppi_python_says_the_same():
    # ppi-python 0.2.3 in an environment of its own, with the λ that Assay estimates:
    # ppi_mean_pointestimate(people[:400], judge[:400], judge[400:], lam=λ * 1600 / 2000), for there the judge's mean is
    # over the other 1,600 items instead of all 2,000, and ppi_mean_ci of the same.
    place = np.arange(2000)
    judge = (place * 7919 % 1000) / 10.0
    people = np.where(place < 400, 0.4 * judge + (place * 104729 % 997) / 20.0, NAN)
    found = powered(people, judge)
    assert found.slopes[0] == pytest.approx(0.40865788320972163, rel=1e-12)
    assert found.corrected_means[0] == pytest.approx(44.37638421, rel=1e-9)
    # Its interval is by the normal, with λ taken as known: of 400 judged items a hundredth shorter at most.
    estimate, (low, high) = found.corrected_mean(0), (42.87836061, 45.87440781)
    assert 1.0 < (estimate.high - estimate.low) / (high - low) < 1.01
    # People alone: 42.594518 to 46.239982.
    alone = found.people_mean(0)
    assert 1.0 < (alone.high - alone.low) / (46.239981514 - 42.594518486) < 1.01


def test_what_a_judge_adds_to_every_score_and_its_scale_do_not_matter():
    found = powered(PEOPLE, JUDGE)
    other = powered(PEOPLE, 1000.0 - 0.01 * JUDGE)
    assert other.corrected_means == pytest.approx(found.corrected_means, rel=1e-9)
    assert other.slopes == pytest.approx(-100.0 * found.slopes, rel=1e-9)
    assert other.corrected_mean(1).low == pytest.approx(found.corrected_mean(1).low, rel=1e-9)


def test_a_judge_that_says_the_same_of_all_leaves_people_alone():
    found = powered(PEOPLE[0], np.full(10, 0.1))
    assert (found.slopes[0], found.corrected_means[0]) == (0.0, found.people_means[0])
    # Six judgements are worth six.
    assert found.worth().value == 6.0
    assert found.corrected_mean(0) == found.people_mean(0)
    assert found.selection().p is None


def test_where_everything_is_judged_people_stand():
    found = powered(JUDGE[0] + np.arange(10) % 3, JUDGE[0])
    assert found.corrected_means[0] == pytest.approx(found.people_means[0], rel=1e-15)
    assert found.worth().value == pytest.approx(10.0)
    assert found.selection().estimate.value is None


def test_a_judge_that_is_always_right_is_worth_all_items():
    place = np.arange(200)
    judge = (place * 7919 % 97) / 10.0
    found = powered(np.where(place % 10 == 0, 3.0 * judge + 1.0, NAN), judge)
    # The judged are 20 of 200; where those vary a little more than all there are no more items than there are.
    assert 0.7 * 200 < found.worth().value <= 200
    assert found.corrected_means[0] == pytest.approx(3.0 * judge.mean() + 1.0, rel=1e-12)


@pytest.mark.parametrize("units", [Units.segments(10), DOCUMENTS], ids=["segments", "documents"])
def test_worth_is_judgements_times_variance_by_variance(units):
    people = np.where(np.arange(10) == 9, 3.0, PEOPLE)
    found = powered(people, JUDGE, units)
    squares = np.zeros((2, len(units)))
    for system in (0, 1):
        for row, place in enumerate((0, 2)):
            without = left_out(lambda *cells: plain(*cells)[place], people[system], JUDGE[system], units.codes)  # noqa: B023
            squares[row] += (without - plain(people[system], JUDGE[system])[place]) ** 2
    # Seven and eight items were judged, of ten and of nine.
    judged = [(~np.isnan(people) & ~np.isnan(JUDGE))[:, units.codes == code].any() for code in np.unique(units.codes)]
    left = squares.sum(axis=1)[:, None] - squares[:, judged]
    draws = [weights @ squares.T for weights in bootstrap_counts(units.keys, 50, 3)]
    drawn = np.concatenate(draws).T
    with np.errstate(invalid="ignore"):
        values, without = (np.minimum(7.5 * both[0] / both[1], 9.5) for both in (drawn, left))
    estimate = found.worth(samples=50, seed=3)
    assert estimate.value == pytest.approx(7.5 * squares[0].sum() / squares[1].sum(), rel=1e-9)
    ends = interval(values, sum(judged), jackknife=without)
    assert (estimate.low, estimate.high) == pytest.approx(ends, rel=1e-9)
    assert estimate.low <= estimate.value <= estimate.high


def test_selection_by_hand():
    # The judge's means are 14 / 6 over judged items and 16 / 4 over the others, its deviation that over all items.
    found = powered(PEOPLE[0], JUDGE[0])
    estimate, p = found.selection(0)
    apart = (14 / 6 - 4.0) / JUDGE[0].std()
    assert estimate.value == pytest.approx(apart, rel=1e-12)

    def difference(people, judge):
        return (judge[~np.isnan(people)].mean() - judge[np.isnan(people)].mean()) / JUDGE[0].std()

    without = left_out(difference, PEOPLE[0], JUDGE[0], np.arange(10))
    low, high, wanted = by_student(apart, without, ~np.isnan(PEOPLE[0]))
    assert (estimate.low, estimate.high, p) == pytest.approx((low, high, wanted), rel=1e-9)
    # Of both systems: the second has 22 / 7 over seven judged items, 4 / 2 over two others. Weights are 6 x 4 / 10 and
    # 7 x 2 / 9.
    second = 22 / 7 - 2.0
    weights = np.array([2.4, 14 / 9])
    spread = np.concatenate([line[~np.isnan(line)] - np.nanmean(line) for line in JUDGE]).std()
    both = (weights @ [14 / 6 - 4.0, second]) / weights.sum() / spread
    assert powered(PEOPLE, JUDGE).selection().estimate.value == pytest.approx(both, rel=1e-12)


def test_judged_items_that_the_judge_finds_better_are_told_from_a_random_sample():
    place = np.arange(200)
    judge = (place * 7919 % 97) / 10.0
    assert powered(np.where(place % 7 == 0, 1.0 * place, NAN), judge).selection().p > 0.05
    assert powered(np.where(judge > 8.0, 1.0 * place, NAN), judge).selection().p < 1e-6


def test_a_system_that_nobody_judged_has_no_corrected_mean():
    found = powered(np.vstack([PEOPLE[0], np.full(10, NAN)]), JUDGE)
    assert np.isnan(found.corrected_means[1])
    assert np.isnan(found.slopes[1])
    assert found.corrected_mean(1).value is None
    assert found.difference(0, 1).p is None
    assert found.worth(1).value is None
    assert found.worth().value == found.worth(0).value


def test_tables_that_do_not_fit_are_refused():
    with pytest.raises(ParameterError, match=r"have shapes \(1, 3\) and \(1, 2\)"):
        powered([1.0, 2.0, 3.0], [1.0, 2.0])
    with pytest.raises(ParameterError, match="Units of 10 segments are not of 3"):
        powered([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], DOCUMENTS)
