"""A judge beside people: each number by a sum done by hand, or by the formula that it is of."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats

from assay.errors import AssayWarning
from assay.people.agreement.measures import SharedItems, coefficients
from assay.people.agreement.ratings import RatedItems
from assay.people.judge_bias import slope, trait_bias
from assay.people.judges import JudgeTest
from assay.people.levels import Resampling, level_of
from assay.people.ratings import Ratings
from assay.people.scores import MeanScores
from assay.significance.draws import Draws, Units
from assay.significance.prediction_powered import PredictionPowered
from people.judged import judged

NAN = float("nan")
SYSTEMS = ("a", "b", "c", "d")


def people_of(*tables, systems=SYSTEMS):
    """Ratings of systems by segments, one table a rater; NaN is no rating."""
    tables = [np.asarray(table, dtype=float) for table in tables]
    rows = [
        (systems[row], segment, f"r{rater}", float(table[row, segment]))
        for rater, table in enumerate(tables)
        for row in range(len(table))
        for segment in range(table.shape[1])
        if not np.isnan(table[row, segment])
    ]
    return Ratings.of(judged(*rows), systems[: len(tables[0])], tables[0].shape[1])


def judge_of(grid, **further):
    grid = np.asarray(grid, dtype=float)
    return MeanScores("m", SYSTEMS[: len(grid)], np.ones(grid.shape, dtype=np.bool_), grid, **further)


def made(seed=1, *, systems=4, segments=40, noise=0.5, spread=0.5):
    """People's scores and a judge's; systems get worse from first to last."""
    generator = np.random.default_rng(seed)
    quality = -spread * np.arange(systems)[:, None] + generator.normal(size=segments)
    quality = quality + 0.5 * generator.normal(size=(systems, segments))
    return tuple(quality + noise * generator.normal(size=quality.shape) for _ in range(2))


def test_wrong_calls_by_hand():
    # People: 4, 3, 2, 2 in the mean; the judge: 4, 1, 3, 2. It has b below c and below d, and tells c from d, which
    # people do not: three pairs of six.
    people = np.array([[4.0], [3.0], [2.0], [2.0]]) + np.array([0.0, 1.0, -1.0, 0.5, -0.5, 0.0])
    judge = np.array([[4.0], [1.0], [3.0], [2.0]]) + np.zeros(6)
    rows, said = JudgeTest(units=Units.segments(6), samples=20).calls(people_of(people), judge_of(judge))
    assert (rows[0]["value"], rows[0]["n"]) == (3.0, 6)
    # Swaps of six segments that all point one way come in 2 of 64 ways; p-values count an equal outcome by half: 1 / 64
    # for each of five pairs, by Holm 5 / 64 at least.
    assert len(rows) == 1
    assert said[0].startswith("m would have called 3")
    assert said[0].endswith(" of 6 pairs of systems wrongly.")
    alone, (text,) = JudgeTest(units=Units.segments(6), samples=20, correction="none").calls(
        people_of(people), judge_of(judge)
    )
    # Of the five that people tell apart the judge turns two round.
    assert (alone[1]["value"], alone[1]["n"]) == (2.0, 5)
    assert text.endswith("of the 5 that people tell apart.")


def test_wrong_calls_are_what_accuracy_leaves():
    people, judge = made(systems=4, noise=2.0, spread=0.2)
    side, other, units = people_of(people), judge_of(judge), Units.documents([str(place // 2) for place in range(40)])
    resampling = Resampling(resample="segments", units=units, samples=50, seed=3)
    level = level_of("system", side, None, resampling)
    accuracy = level.measure([("accuracy", None)], other)["accuracy", None]
    rows = JudgeTest(units=units, samples=50, seed=3).calls(side, other).rows
    assert rows[0]["value"] == pytest.approx(6 * (1 - accuracy.value), rel=1e-12)
    assert (rows[0]["low"], rows[0]["high"]) == pytest.approx((6 * (1 - accuracy.high), 6 * (1 - accuracy.low)))


def test_of_two_systems_nothing_is_called():
    people, judge = made(systems=2)
    rows, said = JudgeTest(units=Units.segments(40), samples=20).calls(people_of(people), judge_of(judge))
    assert rows == []
    assert said == ("m: no pair of systems is called rightly or wrongly: it takes 3 judged systems, not 2.",)


def test_agreement_with_a_rater_stands_beside_that_of_raters():
    first, judge = made()
    second = first + np.random.default_rng(5).normal(size=first.shape)
    second[0, :10] = NAN
    people = people_of(first, second)
    rows = JudgeTest(units=Units.segments(40), samples=50).agreement(people, judge_of(judge)).rows
    row = next(row for row in rows if row["of"] == "pearson")
    # On the 150 items that both judged, the mean over both raters.
    both = ~np.isnan(second)
    wanted = np.mean([scipy.stats.pearsonr(side[both], judge[both])[0] for side in (first, second)])
    assert row["value"] == pytest.approx(wanted, rel=1e-12)
    assert row["people"] == pytest.approx(scipy.stats.pearsonr(first[both], second[both])[0], rel=1e-12)
    assert row["n"] == both.sum() == 150
    assert row["low"] < row["value"] < row["high"]
    assert row["people_low"] < row["people"] < row["people_high"]


def test_agreement_where_each_item_has_one_rater():
    first, judge = made()
    rows, said = JudgeTest(units=Units.segments(40), samples=50).agreement(people_of(first), judge_of(judge))
    wanted = scipy.stats.pearsonr(first.ravel(), judge.ravel())[0]
    assert rows[0]["value"] == pytest.approx(wanted, rel=1e-12)
    assert rows[0]["people"] is None
    assert said[0].startswith(f"m agrees with a single rater by a pearson correlation of {wanted:.2f} (")


def test_consistency_is_between_runs():
    first, second = made(noise=0.3)
    judgements = people_of(first, second).judgements
    test = JudgeTest(units=Units.segments(40), samples=50)
    rows, said = test.consistency("m", judgements)
    wanted = {row["statistic"]: row for row in coefficients(
        SharedItems(RatedItems(judgements, test.units)), None, samples=50, seed=1
    )}  # fmt: skip
    assert [row["of"] for row in rows] == ["alpha-interval", "icc-2-1"]
    for row in rows:
        assert (row["value"], row["low"]) == (wanted[row["of"]]["value"], wanted[row["of"]]["low"])
        assert row["n"] == 160
    assert said[0].startswith("m with itself, where several of its runs scored an item: alpha-interval 0.")
    # A few items say little.
    few = people_of(first[:, :4], second[:, :4]).judgements
    assert test.consistency("m", few).rows == []
    again = judged(
        *(("a", place, "r", float(score)) for table in (first, second) for place, score in enumerate(table[0]))
    )
    assert [row["of"] for row in test.consistency("m", again).rows] == ["repeat-pearson"]


def test_biases_are_corrected_for_their_number():
    people, judge = made(segments=120, systems=4)
    lengths = np.random.default_rng(2).integers(10, 100, size=people.shape).astype(float)
    logarithms = np.log1p(lengths)
    judge = judge + 1.0 * (logarithms - logarithms.mean(axis=0))
    test = JudgeTest(units=Units.segments(120), samples=400)
    rows, said = test.biases(people_of(people), judge_of(judge), lengths=lengths, families={"x": ["a"]})
    names = [row["bias"] for row in rows]
    assert names == ["score level", "length of output", "length of segment", "position in file", "family x"]
    raw = [row["p"] for row in rows]
    assert [row["p_adjusted"] for row in rows] == pytest.approx(
        [min(1.0, max(p * (5 - sorted(raw).index(p)) for p in raw if p <= own)) for own in raw]
    )
    assert [row["neutral"] for row in rows] == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert rows[1]["p_adjusted"] < 0.05
    assert "m prefers outputs longer than other systems' of the segment, beside people's scores." in said
    # Longer than the other systems' of the segment, and segments that are longer in the mean; by their logarithms.
    draws, shape = Draws.of(120, 400, 1), people.shape
    of_segment = np.broadcast_to(np.log(1.0 + lengths).mean(axis=0), shape)
    traits = [np.log(1.0 + lengths) - of_segment, of_segment, np.broadcast_to(np.arange(120.0), shape)]
    for row, trait in zip(rows[1:4], traits, strict=True):
        assert row["value"] == pytest.approx(trait_bias(judge, people, trait, draws).estimate.value, rel=1e-9)
    member = np.broadcast_to(np.array([[1.0], [0.0], [0.0], [0.0]]), shape)
    family = trait_bias(judge, people, member, draws, in_deviations=False)
    assert rows[4]["value"] == pytest.approx(family.estimate.value, rel=1e-9)
    assert rows[0]["value"] == pytest.approx(slope(judge, people, draws).estimate.value, rel=1e-9)
    # On another scale a slope says nothing.
    rows = test.biases(people_of(people), judge_of(1000.0 + 100.0 * judge)).rows
    assert [row["bias"] for row in rows] == ["position in file"]


def test_what_people_do_not_tell_is_said():
    people, judge = made(systems=1)
    rows, said = JudgeTest(units=Units.segments(40), samples=20).biases(people_of(people), judge_of(judge))
    assert {row["value"] for row in rows} == {None}
    assert said[0].startswith(
        "m: nothing is said of score level, position in file: it does not vary, or people's scores"
    )
    assert len(said) == 1


def few_judged(seed=1):
    """People judged every fourth segment of what the judge scored."""
    people, judge = made(seed, segments=80)
    return np.where(np.arange(80) % 4 == 0, people, NAN), judge


def test_corrected_means_are_those_of_prediction_powered_inference():
    people, judge = few_judged()
    test = JudgeTest(units=Units.segments(80), samples=50)
    # An error rate: higher is better inside, and people see it turned.
    (rows, said), pairs = test.corrected(people_of(people), judge_of(judge, sign=-1.0))
    powered = PredictionPowered(people, judge, test.units)
    assert [row["system"] for row in rows] == sorted(
        SYSTEMS, key=lambda name: -powered.corrected_means[SYSTEMS.index(name)]
    )
    row = next(row for row in rows if row["system"] == "b")
    assert row["people"] == pytest.approx(np.nanmean(people[1]), rel=1e-12)
    assert row["judge_mean"] == pytest.approx(-judge[1].mean(), rel=1e-12)
    estimate = powered.corrected_mean(1)
    assert (row["corrected"], row["low"], row["high"]) == pytest.approx((estimate.value, estimate.low, estimate.high))
    assert (row["judged"], row["items"], row["slope"]) == (20, 80, pytest.approx(-powered.slopes[1]))
    # As it is printed: people's mean, plus λ times the difference of the judge's means.
    there = ~np.isnan(people[1])
    assert row["corrected"] == pytest.approx(
        row["people"] + row["slope"] * (row["judge_mean"] + judge[1][there].mean())
    )
    worth = powered.worth(1, samples=50)
    assert (row["worth"], row["worth_low"], row["worth_high"]) == pytest.approx((worth.value, worth.low, worth.high))
    assert len(pairs) == 6
    first = pairs[0]
    names = [SYSTEMS.index(first[key]) for key in ("system_a", "system_b")]
    wanted, p = powered.difference(*names)
    assert (first["delta"], first["low"], first["p"]) == pytest.approx((wanted.value, wanted.low, p))
    assert all(pair["delta"] >= 0.0 for pair in pairs)
    assert min(pair["p_adjusted"] for pair in pairs) == pytest.approx(6 * min(pair["p"] for pair in pairs))
    assert said[1].startswith("Nothing in m's scores says that judged items are no random sample: it scores them by ")


def test_worth_is_said():
    people, judge = few_judged()
    test = JudgeTest(units=Units.segments(80), samples=50)
    (row,), (said,) = test.worth(people_of(people), judge_of(judge))
    estimate = PredictionPowered(people, judge, test.units).worth(samples=50)
    assert (row["value"], row["low"], row["high"]) == pytest.approx((estimate.value, estimate.low, estimate.high))
    assert row["n"] == 20
    ends = f"({estimate.low:.0f} – {estimate.high:.0f})"
    assert (
        said
        == f"With m, 20 judged items of a system tell as much of its mean as {estimate.value:.0f} {ends} would alone."
    )


def test_items_that_were_chosen_by_their_score_are_warned_of():
    people, judge = made(segments=80)
    people = np.where(judge > 0.0, people, NAN)
    with pytest.warns(
        AssayWarning,
        match=r"^Judged items are no random sample of all: m scores them otherwise than the others, by \+1\.\d\d "
        r"\(\+\d\.\d\d – \+\d\.\d\d\) of its standard deviations\. Corrected",
    ):
        JudgeTest(units=Units.segments(80), samples=20).corrected(people_of(people), judge_of(judge))
    # Of one system alone it is named.
    people, judge = few_judged()
    people[0] = np.where(judge[0] > 0.6, people[0], NAN)
    people[0, judge[0] > 0.6] = judge[0, judge[0] > 0.6]
    with pytest.warns(AssayWarning, match=r" for a of its standard deviations\. Corrected"):
        JudgeTest(units=Units.segments(80), samples=20).corrected(people_of(people), judge_of(judge))


def test_five_looks_at_chance_are_not_one():
    # Four systems and all of them together: one p-value is below 0.05, and by Holm none is.
    people, judge = few_judged(40)
    powered = PredictionPowered(people, judge, Units.segments(80))
    p_values = [powered.selection().p, *(powered.selection(place).p for place in range(4))]
    assert 0.01 < min(p_values) < 0.05
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        JudgeTest(units=Units.segments(80), samples=20).corrected(people_of(people), judge_of(judge))


def test_a_judge_of_what_people_judged_corrects_nothing():
    people, judge = made()
    test = JudgeTest(units=Units.segments(40), samples=20)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        (rows, said), _ = test.corrected(people_of(people), judge_of(judge))
    assert all(row["corrected"] == pytest.approx(row["people"]) for row in rows)
    assert said == (
        "m scores nothing that people did not judge, so it corrects nothing. Corrected means take a judge of all "
        "segments, of which people judged some.",
    )
    assert test.worth(people_of(people), judge_of(judge)).rows == []


def test_a_judge_that_scored_nothing_that_people_judged_says_so():
    people, judge = few_judged()
    judge[~np.isnan(people)] = NAN
    test = JudgeTest(units=Units.segments(80), samples=20)
    (rows, said), pairs = test.corrected(people_of(people), judge_of(judge))
    assert (rows, pairs) == ([], [])
    assert said == ("m: no segment was judged by people and scored by it, too.",)
    assert test.agreement(people_of(people), judge_of(judge)).rows == []
