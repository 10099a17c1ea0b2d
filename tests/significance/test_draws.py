"""Bootstrap weights: counts that sum to n, the same for everybody; and what is estimated under them."""

import re
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.significance import draws
from assay.significance.draws import (
    NOTHING,
    STREAMS,
    Draws,
    bootstrap_counts,
    estimate,
    fisher,
    percentile_interval,
    recentred,
    resampled_sums,
    stream,
)


def all_counts(segments, samples, seed):
    return np.concatenate(list(bootstrap_counts(segments, samples, seed)))


def test_every_sample_draws_as_many_segments_as_there_are():
    counts = all_counts(segments=17, samples=200, seed=1)
    assert counts.shape == (200, 17)
    assert (counts.sum(axis=1) == 17).all()


def test_the_seed_decides():
    assert np.array_equal(all_counts(9, 20, seed=3), all_counts(9, 20, seed=3))
    assert not np.array_equal(all_counts(9, 20, seed=3), all_counts(9, 20, seed=4))


def test_blocks_do_not_matter(monkeypatch):
    whole = all_counts(11, 50, seed=1)
    monkeypatch.setattr(draws, "SAMPLE_CELLS", 30)
    assert np.array_equal(all_counts(11, 50, seed=1), whole)


def test_segments_are_drawn_evenly():
    # Each of 4 segments is drawn once per sample on average; 4,000 samples have a standard error of 0.014.
    assert np.allclose(all_counts(4, 4000, seed=1).mean(axis=0), 1.0, atol=0.06)


def test_all_tables_see_the_same_samples():
    table = np.random.default_rng(0).random((30, 2))
    first, second = resampled_sums([table, table[:, :1]], samples=10, seed=1)
    assert np.allclose(first[:, 0], second[:, 0])
    assert resampled_sums([], samples=10, seed=1) == []


def test_sums_are_those_of_the_drawn_segments():
    table = np.arange(12.0).reshape(6, 2)
    (sums,) = resampled_sums([table], samples=5, seed=1)
    assert np.array_equal(sums, all_counts(6, 5, seed=1) @ table)


def test_sums_in_several_blocks_are_those_in_one(monkeypatch):
    tables = [np.arange(12.0).reshape(6, 2), np.arange(6.0)[:, None]]
    whole = resampled_sums(tables, samples=7, seed=1)
    # Two samples of six units at a time: 2, 2, 2 and 1 of the 7; each table by itself.
    monkeypatch.setattr(draws, "SAMPLE_CELLS", 12)
    monkeypatch.setattr(draws, "_STACKED_CELLS", 0)
    shares = []
    for part, all_at_once in zip(resampled_sums(tables, 7, 1, shares.append), whole, strict=True):
        assert np.array_equal(part, all_at_once)
    assert shares == [2 / 7, 4 / 7, 6 / 7, 1.0]


def test_percentiles_cut_off_equal_tails():
    # Of 1..999 the k-th stands at k/1000, so the middle 95 % runs from 25 to 975.
    interval = percentile_interval(np.arange(1.0, 1000.0))
    assert tuple(interval) == pytest.approx((25.0, 975.0))
    assert tuple(percentile_interval(np.arange(1.0, 1000.0), confidence=0.5)) == pytest.approx((250.0, 750.0))


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, float("nan")])
def test_impossible_confidence(confidence):
    with pytest.raises(assay.ParameterError, match="between 0 and 1"):
        percentile_interval(np.arange(10.0), confidence)


def test_impossible_seeds_and_samples():
    with pytest.raises(assay.ParameterError, match="seed is -1"):
        all_counts(3, 3, seed=-1)
    with pytest.raises(assay.ParameterError, match="samples is -5"):
        all_counts(3, -5, seed=1)
    with pytest.raises(assay.ParameterError, match="at least one sample"):
        percentile_interval(np.array([]))


def sources():
    home = Path(assay.__file__).parent
    return {str(path.relative_to(home)): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}


def test_whatever_is_random_comes_from_a_named_stream():
    random = re.compile(
        r"np\.random\.(?!Generator)|from numpy\.random|import random$|RandomState|default_rng", re.MULTILINE
    )
    assert [name for name, text in sources().items() if random.search(text)] == ["significance/draws.py"]


def test_every_stream_has_one_name_and_every_name_a_use():
    named = [name for text in sources().values() for name in re.findall(r'stream\([\w.]+, "([^"]+)"', text)]
    assert sorted({*named, "segments"}) == sorted(STREAMS)


def test_streams_draw_what_they_always_drew():
    # The same numbers for two names is how it is; other numbers would change what people have printed.
    assert stream(5, "segments").random() == np.random.default_rng(5).random()
    assert stream(5, "systems").random() == np.random.default_rng(1_000_008).random()
    assert stream(5, "one judge", 3).random() == np.random.default_rng([5, 8, 3]).random()
    assert stream(5, "simulated pairs").random() == stream(5, "halves of ratings").random()
    with pytest.raises(assay.ParameterError, match="seed is -1"):
        stream(-1, "segments")


def test_the_first_draw_is_the_data_as_they_are():
    draws = Draws.of(6, 10, seed=1, systems=3, vary=("units", "systems"))
    assert len(draws) == 11
    assert draws.weights.shape == (11, 6)
    assert (draws.weights[0] == 1).all()
    assert (draws.weights.sum(axis=1) == 6).all()
    assert (draws.systems[0] == 1).all()
    assert (draws.systems.sum(axis=1) == 3).all()
    assert draws.systems_vary
    assert not Draws.of(6, 10, seed=1, systems=3).systems_vary
    assert not draws.without_samples().systems_vary
    assert Draws.given(np.ones((2, 6)), np.full((2, 3), 2.0)).without_samples().systems_vary


def test_nothing_is_drawn_of_what_takes_no_part():
    among = np.array([True, False, True, True])
    draws = Draws.of(4, 50, seed=1, among=among)
    assert (draws.weights[0] == 1).all()
    assert (draws.weights[1:, 1] == 0).all()
    assert (draws.weights[1:].sum(axis=1) == 3).all()
    assert draws.units == 3


def test_segments_of_a_document_are_drawn_together():
    draws = Draws.of(2, 20, seed=1, members=np.array([0, 0, 1]))
    assert draws.weights.shape == (21, 3)
    assert (draws.weights[:, 0] == draws.weights[:, 1]).all()
    # Two documents are drawn: as often as the first is missing, the second is there twice.
    assert (draws.weights[:, 0] + draws.weights[:, 2] == 2).all()


def test_few_units_are_left_out_one_by_one():
    draws = Draws.of(3, 5, seed=1, jackknife=True)
    assert (draws.weights[6:] == 1 - np.eye(3)).all()
    assert len(Draws.of(1, 5, seed=1, jackknife=True).weights) == 6
    assert len(Draws.of(251, 5, seed=1, jackknife=True).weights) == 6


def test_an_estimate_needs_a_value_in_half_of_the_draws():
    values = np.array([5.0, 4.0, 6.0, np.nan, np.nan])
    # Two draws that stand at 1/3 and 2/3: the 2.5 % beyond either are no further out than they.
    assert estimate(values).row() == {"value": 5.0, "low": 4.0, "high": 6.0}
    assert estimate(values, half_is_enough=False).row() == {"value": 5.0, "low": None, "high": None}
    assert estimate(values, several=False).row() == {"value": 5.0, "low": None, "high": None}
    assert estimate(values[[3, 1, 2]]).row() == {"value": None, "low": None, "high": None}
    assert (estimate(values).n, NOTHING.n, len(NOTHING.values)) == (0, 0, 0)


def test_few_units_widen_an_interval_and_one_does_not_count():
    values = np.arange(1000.0)
    narrow, wide = estimate(values), estimate(values, units=5)
    assert narrow.low > wide.low
    assert wide.high > narrow.high
    # Of 1..999 the k-th stands at k/1000.
    assert (narrow.low, narrow.high) == pytest.approx((25.0, 975.0))
    # One unit of a hundred that decides everything leaves less beyond than a hundred that are alike.
    heavy, even = np.eye(100)[0], np.tile([1.0, -1.0], 50)
    assert estimate(values, jackknife=heavy).low < estimate(values, jackknife=even).low < narrow.low
    # What is not known without one of the units widens nothing.
    assert estimate(values, jackknife=np.where(heavy > 0, np.nan, 0.0)).low == narrow.low


def test_fishers_scale_has_two_ends():
    low, high = fisher(np.array([-1.0, 1.0]))
    # artanh(1 - 1e-12) = ln(2e12 - 1) / 2 = 14.162
    assert (low, high) == pytest.approx((-14.162, 14.162), abs=1e-3)


def test_the_interval_of_a_difference_is_that_of_differences():
    first, second = np.array([3.0, 1.0, 5.0]), np.array([1.0, 0.0, 5.0])
    # Draw by draw 1 and 0, though the two intervals are 4 and 5 wide.
    assert (estimate(first) - estimate(second)).row("gain") == {"gain": 2.0, "low": 0.0, "high": 1.0}


def test_draws_are_moved_until_their_median_is_the_value():
    # The median of 0.1, 0.2 and 0.9 is 0.2: all move by 0.3, and none above 1.
    moved = recentred(np.array([0.5, 0.1, 0.2, 0.9]), scale="plain")
    assert moved == pytest.approx([0.5, 0.4, 0.5, 1.0])
    # On Fisher's scale the median becomes the value, and what is below stays below.
    turned = recentred(np.array([0.5, 0.1, 0.2, 0.9]), scale="fisher")
    assert turned[[0, 2]] == pytest.approx([0.5, 0.5])
    # artanh 0.1 - artanh 0.2 + artanh 0.5 = 0.10034 - 0.20273 + 0.54931 = 0.44691, whose tanh is 0.4194.
    assert turned[1] == pytest.approx(0.4194, abs=1e-4)
