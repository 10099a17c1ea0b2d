"""What a judge goes by beside quality: by hand, by brute force, and where people's scores are noisy."""

from __future__ import annotations

import numpy as np
import pytest

from assay.people.judge_bias import known_without, slope, trait_bias
from assay.significance.draws import Draws, Units
from assay.significance.tests import bootstrap_p

NAN = float("nan")


def test_what_is_known_without_a_cell_by_hand():
    # Means of systems are 2 and 5. Of the first cell: (2 + 3) / 2 of its system's other segments, and the other system
    # is 1 below its mean on the segment.
    people = np.array([[1.0, 2.0, 3.0], [4.0, 6.0, NAN]])
    known = known_without(people, Units.segments(3))
    wanted = np.array([[2.5 - 1.0, 2.0 + 1.0, 1.5 + 0.0], [6.0 - 1.0, 4.0 + 0.0, NAN]])
    assert known == pytest.approx(wanted, nan_ok=True)
    # Segments of its document are left out of its system's mean, too.
    known = known_without(people, Units.documents(["a", "a", "b"]))
    wanted = np.array([[3.0 - 1.0, 3.0 + 1.0, 1.5 + 0.0], [NAN, NAN, NAN]])
    assert known == pytest.approx(wanted, nan_ok=True)


def made(generator, *, systems=6, segments=150, of_people=0.0, of_judge=0.0, bias=0.0, steep=1.0):
    """Quality that goes down with a trait, seen with noise on either side."""
    trait = generator.normal(size=(systems, segments))
    quality = 0.3 * generator.normal(size=(systems, 1)) + 0.7 * generator.normal(size=segments) - 0.4 * trait
    quality = quality + 0.5 * generator.normal(size=trait.shape)
    people = quality + of_people * generator.normal(size=trait.shape)
    judge = steep * quality + bias * trait + of_judge * generator.normal(size=trait.shape)
    return judge, people, trait


def test_coefficients_by_brute_force():
    judge, people, trait = made(np.random.default_rng(1), of_people=0.5, of_judge=0.5, bias=0.2)
    people[0, :20], trait[1, 3] = NAN, NAN
    units = Units.documents([str(place // 3) for place in range(150)])
    draws = Draws.of(units, 40, 1)
    known = known_without(people, units)
    there = np.isfinite(people) & np.isfinite(trait)
    y, h, z, x = (values[there] for values in (judge, people, known, trait))
    y, x = (y - y.mean()) / y.std(), (x - x.mean()) / x.std()

    def coefficient(weights):
        # First what people would say by what is known, then the judge's score by that.
        weights = np.broadcast_to(weights, there.shape)[there]
        root = np.sqrt(weights)[:, None]
        first = np.column_stack([np.ones(len(y)), z, x])
        fitted = first @ np.linalg.lstsq(first * root, h * root[:, 0], rcond=None)[0]
        second = np.column_stack([np.ones(len(y)), fitted, x])
        return np.linalg.lstsq(second * root, y * root[:, 0], rcond=None)[0][2]

    values = np.array([coefficient(weights) for weights in draws.weights])
    found = trait_bias(judge, people, trait, draws)
    wanted = draws.estimate(values)
    assert found.estimate.value == pytest.approx(wanted.value, rel=1e-9)
    assert (found.estimate.low, found.estimate.high) == pytest.approx((wanted.low, wanted.high), rel=1e-9)
    assert found.p == bootstrap_p(values[1:], values[0], 50).value
    assert found.n == there.sum()


@pytest.mark.parametrize(("of_people", "of_judge"), [(0.0, 1.0), (0.7, 0.7), (1.0, 0.3)])
@pytest.mark.parametrize("bias", [0.0, 0.3])
def test_noise_on_either_side_is_no_bias(of_people, of_judge, bias):
    # Where there is none, standardised scores subtracted from each other go with the trait by 0.13, -0.01 and -0.11,
    # and the judge's regressed on people's by 0.00, -0.13 and -0.23.
    generator, apart = np.random.default_rng(2), []
    for number in range(12):
        judge, people, trait = made(generator, of_people=of_people, of_judge=of_judge, bias=bias)
        found = trait_bias(judge, people, trait, Draws.of(150, 100, number))
        apart.append(found.estimate.value - bias * trait.std() / judge.std())
    assert np.mean(apart) == pytest.approx(0.0, abs=0.03)


def test_a_bias_is_told_from_none():
    judge, people, trait = made(np.random.default_rng(3), of_people=0.7, of_judge=0.7, bias=0.3)
    draws = Draws.of(150, 500, 1)
    assert trait_bias(judge, people, trait, draws).p < 0.01
    assert trait_bias(judge - 0.3 * trait, people, trait, draws).p > 0.05


def test_a_family_is_taken_as_it_is():
    judge, people, _ = made(np.random.default_rng(4), systems=8, of_people=0.5, of_judge=0.5)
    member = np.broadcast_to(np.arange(8)[:, None] < 3, judge.shape).astype(float)
    judge = judge + 1.0 * member
    found = trait_bias(judge, people, member, Draws.of(150, 200, 1), in_deviations=False)
    # One point, in the judge's standard deviations.
    assert found.estimate.value == pytest.approx(1.0 / judge.std(), abs=0.1)
    assert found.p < 0.01


@pytest.mark.parametrize("steep", [0.5, 1.0, 2.0])
def test_a_slope_is_that_of_quality_not_of_noise(steep):
    judge, people, _ = made(np.random.default_rng(11), of_people=1.0, of_judge=0.3, steep=steep)
    found = slope(judge, people, Draws.of(150, 300, 1))
    # Regressed on people's noisy scores it would be half as steep.
    assert 0.8 * steep < found.estimate.value < 1.25 * steep
    assert found.estimate.low <= steep <= found.estimate.high
    assert (found.p < 0.01) is (steep != 1.0)


@pytest.mark.parametrize("what", ["one system", "constant trait", "constant people", "noise", "nothing judged"])
def test_nothing_is_said_where_people_do_not_tell(what):
    systems = 1 if what == "one system" else 3
    judge, people, trait = made(np.random.default_rng(6), systems=systems, of_people=0.3)
    if what == "constant trait":
        trait = np.ones_like(trait)
    if what == "constant people":
        people = np.ones_like(people)
    if what == "noise":
        people = np.random.default_rng(7).normal(size=people.shape)
    if what == "nothing judged":
        people = np.full_like(people, NAN)
    found = trait_bias(judge, people, trait, Draws.of(150, 100, 1))
    assert (found.estimate.value, found.p) == (None, None)
    if what != "constant trait":
        assert slope(judge, people, Draws.of(150, 100, 1)).estimate.value is None


def test_of_few_units_there_is_neither_interval_nor_p():
    judge, people, trait = made(np.random.default_rng(8), systems=40, segments=4)
    found = trait_bias(judge, people, trait, Draws.of(4, 100, 1))
    assert found.estimate.low is None
    assert found.p is None
