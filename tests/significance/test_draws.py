"""Random weights: a pure function of seed, stream, draw and key; and what is estimated under them."""

import re
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.significance import draws
from assay.significance.draws import (
    FEWEST_UNITS,
    NOTHING,
    STREAMS,
    Draws,
    Units,
    bootstrap_counts,
    crossed,
    design_effect,
    estimate,
    fisher,
    interval,
    named,
    numbered,
    random_numbers,
    recentred,
    resampled_scores,
    shuffled,
    stream,
    swap_flags,
    weighted_sums,
)
from oracles import draws as oracle


def all_counts(keys, samples, seed):
    keys = numbered(keys) if isinstance(keys, int) else keys
    return np.concatenate(list(bootstrap_counts(keys, samples, seed)))


def all_swaps_of(keys, samples, seed):
    return np.concatenate(list(swap_flags(keys, samples, seed)))


VECTORS = {
    "names": [0, 17719986817005038919, 18301430634553027042, 14893513410241762228],
    "counts": [[0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 3.0]],
    "swaps": [[1, 1, 0, 1, 1, 0, 0, 0], [0, 1, 1, 0, 0, 1, 0, 1]],
}
KEYS = np.array([0, 1, 77, 2**40 + 5, 2**64 - 1], dtype=np.uint64)


@pytest.mark.parametrize("seed", [0, 1, 2**32 - 1])
def test_draws_are_those_of_the_definition(seed):
    counts, swaps = all_counts(KEYS, 11, seed), all_swaps_of(KEYS, 260, seed)
    for place, key in enumerate(KEYS.tolist()):
        assert counts[:, place].tolist() == [oracle.count(seed, "units", key, draw) for draw in range(11)]
        assert swaps[:, place].tolist() == [oracle.swapped(seed, "swaps", key, draw) for draw in range(260)]
        numbers = [int(random_numbers(KEYS, seed, "preferences", draw)[place]) for draw in (0, 3)]
        assert numbers == [oracle.order(seed, "preferences", key, draw) for draw in (0, 3)]


def test_vectors_for_whoever_draws_elsewhere():
    # What another program has to compute, in whatever language; the first three are Random123's known answers.
    assert oracle.philox((0, 0, 0, 0), (0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
    ones, pi = 0xFFFFFFFF, (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344, 0xA4093822, 0x299F31D0)
    assert oracle.philox((ones,) * 4, (ones,) * 2) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)
    assert oracle.philox(pi[:4], pi[4:]) == (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)
    names = ["", "a", "document 17", "日本語"]
    assert named(names).tolist() == [oracle.text_key(name) for name in names]
    assert named(names).tolist() == VECTORS["names"]
    assert all_counts(numbered(8), 2, seed=1).tolist() == VECTORS["counts"]
    assert all_swaps_of(numbered(8), 2, seed=1).tolist() == VECTORS["swaps"]


def test_counts_are_poissons():
    # 200,000 of them: how often 0, 1, 2, 3 come is e^-1 / k!, give or take four standard errors.
    drawn = all_counts(2000, 100, seed=1)
    for count, share in enumerate([0.36788, 0.36788, 0.18394, 0.06131]):
        assert (drawn == count).mean() == pytest.approx(share, abs=4 * (share / 200_000) ** 0.5)
    # And no two units, or rows, go together.
    for table in (drawn, drawn.T):
        together = np.corrcoef(table[:50])[np.triu_indices(50, k=1)]
        assert abs(together).max() < 5 / table.shape[1] ** 0.5


def test_every_unit_changes_places_in_about_half_of_the_swaps():
    flags = all_swaps_of(numbered(500), 10_000, seed=1)
    assert abs(flags.mean(axis=0) - 0.5).max() < 4 * 0.5 / 100
    assert set(np.unique(flags)) == {0, 1}


def test_who_is_left_out_changes_nothing_for_the_others():
    every, some = named("abcdefgh"), named("hbd")
    places = [7, 1, 3]
    assert np.array_equal(all_counts(every, 20, 1)[:, places], all_counts(some, 20, 1))
    assert np.array_equal(all_swaps_of(every, 200, 1)[:, places], all_swaps_of(some, 200, 1))
    order = [place for place in shuffled(every, 1, "preferences").tolist() if place in places]
    assert order == [places[place] for place in shuffled(some, 1, "preferences")]


def test_the_seed_decides():
    assert np.array_equal(all_counts(9, 20, seed=3), all_counts(9, 20, seed=3))
    assert not np.array_equal(all_counts(9, 20, seed=3), all_counts(9, 20, seed=4))


def test_blocks_do_not_matter(monkeypatch):
    whole, swaps = all_counts(11, 50, seed=1), all_swaps_of(numbered(11), 300, seed=1)
    monkeypatch.setattr(draws, "SAMPLE_CELLS", 30)
    monkeypatch.setattr(draws, "SWAP_CELLS", 500)
    assert np.array_equal(all_counts(11, 50, seed=1), whole)
    assert np.array_equal(all_swaps_of(numbered(11), 300, seed=1), swaps)


def test_cells_of_systems_and_segments_have_keys_of_their_own():
    keys = crossed(named(["one", "other", "third"]), numbered(1000))
    assert len(np.unique(keys)) == 3000
    # The halves of the system's key change places.
    other = int(named(["other"])[0])
    assert int(keys[1005]) == ((other % 2**32 << 32) + (other >> 32) + 5) % 2**64
    # Systems and documents may have the same names: two cells are two things.
    letters = named(["a", "b", "c"])
    assert len(np.unique(crossed(letters, letters))) == 9
    assert len(np.unique(crossed(numbered(50), numbered(50)))) == 2500


def test_all_tables_see_the_same_samples():
    table = np.random.default_rng(0).random((30, 2))
    first, second = weighted_sums([table, table[:, :1]], bootstrap_counts(numbered(30), 10, 1), 10)
    assert np.array_equal(first[:, 0], second[:, 0])
    assert np.array_equal(first, all_counts(30, 10, seed=1) @ table)


def test_sums_in_several_blocks_are_those_in_one(monkeypatch):
    tables = [np.arange(12.0).reshape(6, 2), np.arange(6.0)[:, None]]
    whole = weighted_sums(tables, bootstrap_counts(numbered(6), 7, 1), 7)
    # Two samples of six units at a time: 2, 2, 2 and 1 of the 7; each table by itself.
    monkeypatch.setattr(draws, "SAMPLE_CELLS", 12)
    monkeypatch.setattr(draws, "_STACKED_CELLS", 0)
    shares = []
    blocks = weighted_sums(tables, bootstrap_counts(numbered(6), 7, 1), 7, shares.append)
    for part, all_at_once in zip(blocks, whole, strict=True):
        assert np.array_equal(part, all_at_once)
    assert shares == [2 / 7, 4 / 7, 6 / 7, 1.0]


def test_a_sample_of_nothing_has_no_score():
    # Of five units none is drawn in about one of 150 samples.
    rows, units = np.ones((5, 1)), Units.segments(5)
    (scores,) = resampled_scores([(lambda sums: sums[..., 0], rows)], units, samples=2000, seed=1)
    empty = (all_counts(5, 2000, seed=1).sum(axis=1) == 0).tolist()
    assert np.isnan(scores).tolist() == empty
    assert 4 <= sum(empty) <= 26
    assert resampled_scores([], units, samples=10, seed=1) == []


def test_percentiles_cut_off_equal_tails():
    # Of 1..999 the k-th stands at k/1000, so the middle 95 % runs from 25 to 975; a million units widen nothing.
    values = np.arange(1.0, 1000.0)
    assert tuple(interval(values, 10**6)) == pytest.approx((25.0, 975.0), abs=1e-3)
    assert tuple(interval(values, 10**6, confidence=0.5)) == pytest.approx((250.0, 750.0), abs=1e-3)


def test_few_units_have_no_interval():
    values = np.arange(1.0, 1000.0)
    assert interval(values, FEWEST_UNITS - 1) == (None, None)
    assert interval(values, FEWEST_UNITS).low is not None
    assert interval(np.array([]), 100) == (None, None)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, float("nan")])
def test_impossible_confidence(confidence):
    with pytest.raises(assay.ParameterError, match="between 0 and 1"):
        interval(np.arange(10.0), 10, confidence=confidence)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_impossible_seeds_and_samples(seed):
    with pytest.raises(assay.ParameterError, match=f"seed is {seed}"):
        all_counts(3, 3, seed=seed)
    with pytest.raises(assay.ParameterError, match=f"seed is {seed}"):
        stream(seed, "units")
    with pytest.raises(assay.ParameterError, match="samples is -5"):
        all_counts(3, -5, seed=1)


def test_units_add_up_and_spread():
    units = Units.documents(["a", "b", "a", "c"])
    assert (units.name, len(units), units.members.tolist()) == ("document", 3, [0, 1, 0, 2])
    assert units.sums(np.array([[1.0], [2.0], [4.0], [8.0]])).tolist() == [[5.0], [2.0], [8.0]]
    assert units.spread(np.array([[1.0, 2.0, 3.0]])).tolist() == [[1.0, 2.0, 1.0, 3.0]]
    assert units.keys.tolist() == named("abc").tolist()
    some = units.only(np.array([True, False, True, True]))
    assert (some.keys.tolist(), some.members.tolist()) == (named("ac").tolist(), [0, 0, 1])
    assert Units.segments(4).only(np.array([False, True, False, True])).keys.tolist() == [1, 3]


def test_the_design_effect_by_hand():
    # Influences 1, 1, -1, -1: documents of two alike have sums 2 and -2, 8 x 2 / 1 between them; alone it is 4 x 4 / 3.
    influence = np.array([1.0, 1.0, -1.0, -1.0])
    assert design_effect(influence, Units.documents("aabb")) == pytest.approx(16 / (16 / 3))
    # Documents that go against each other cancel.
    assert design_effect(influence, Units.documents("abab")) == 0.0
    assert design_effect(influence, Units.segments(4)) == 1.0
    assert design_effect(np.ones(4), Units.documents("aabb")) == 1.0


def sources():
    home = Path(assay.__file__).parent
    return {str(path.relative_to(home)): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}


def test_whatever_is_random_comes_from_a_named_stream():
    random = re.compile(
        r"np\.random\.(?!Generator)|from numpy\.random|import random$|RandomState|default_rng", re.MULTILINE
    )
    assert [name for name, text in sources().items() if random.search(text)] == ["significance/draws.py"]


def test_every_stream_has_one_name_and_every_name_a_use():
    named = {name for text in sources().values() for name in re.findall(r'"([^"\n]+)"', text)}
    assert len(set(STREAMS)) == len(STREAMS)
    unused = [name for name in STREAMS if sum(text.count(f'"{name}"') for text in sources().values()) < 2]
    assert unused == []
    assert named.issuperset(STREAMS)


def test_no_two_streams_draw_the_same():
    first = [random_numbers(numbered(4), 5, name).tolist() for name in STREAMS]
    assert len({tuple(numbers) for numbers in first}) == len(STREAMS)
    assert len({stream(5, name).random() for name in STREAMS}) == len(STREAMS)
    assert stream(5, "one judge", 3).random() != stream(5, "one judge", 4).random()


def test_the_first_draw_is_the_data_as_they_are():
    draws = Draws.of(6, 10, seed=1, systems=3, vary=("units", "systems"))
    assert len(draws) == 11
    assert draws.weights.shape == (11, 6)
    assert (draws.weights[0] == 1).all()
    assert np.array_equal(draws.weights[1:], all_counts(6, 10, 1))
    assert (draws.systems[0] == 1).all()
    assert np.array_equal(draws.systems[1:], np.concatenate(list(bootstrap_counts(numbered(3), 10, 1, "systems"))))
    # Of the two there are fewer systems to draw from.
    assert draws.size == 3
    assert draws.systems_vary
    assert not Draws.of(6, 10, seed=1, systems=3).systems_vary
    assert not draws.without_samples().systems_vary
    assert Draws.given(np.ones((2, 6)), np.full((2, 3), 2.0)).without_samples().systems_vary


def test_nothing_is_drawn_of_what_takes_no_part():
    among = np.array([True, False, True, True])
    draws = Draws.of(4, 50, seed=1, among=among)
    assert (draws.weights[0] == 1).all()
    assert (draws.weights[1:, 1] == 0).all()
    assert np.array_equal(draws.weights[1:], all_counts(4, 50, 1) * among)
    assert draws.size == 3


def test_segments_of_a_document_are_drawn_together():
    draws = Draws.of(Units.documents("aab"), 20, seed=1)
    assert draws.weights.shape == (21, 3)
    assert (draws.weights[:, 0] == draws.weights[:, 1]).all()
    assert np.array_equal(draws.weights[1:, [0, 2]], all_counts(named("ab"), 20, 1))


def test_cells_of_a_document_are_swapped_together():
    draws = Draws.of(Units.documents("aab"), 0, seed=1, systems=named(["x", "y"]))
    flags = np.concatenate(list(draws.cell_swaps(100, 1)))
    assert flags.shape == (100, 2, 3)
    assert np.array_equal(flags[:, :, 0], flags[:, :, 1])
    assert (flags[:, 0] != flags[:, 1]).any()
    system = int(named(["y"])[0])
    cell = ((system % 2**32 << 32) + (system >> 32) + int(named(["b"])[0])) % 2**64
    assert flags[:, 1, 2].tolist() == [oracle.swapped(1, "swaps", cell, draw) for draw in range(100)]


def test_few_units_are_left_out_one_by_one():
    draws = Draws.of(3, 5, seed=1, jackknife=True)
    assert (draws.weights[6:] == 1 - np.eye(3)).all()
    assert len(Draws.of(1, 5, seed=1, jackknife=True).weights) == 6
    assert len(Draws.of(251, 5, seed=1, jackknife=True).weights) == 6


def test_an_estimate_needs_a_value_in_half_of_the_draws():
    values = np.array([5.0, 4.0, 6.0, np.nan, np.nan])
    # Two draws that stand at 1/3 and 2/3: the 2.5 % beyond either are no further out than they.
    assert estimate(values, 100).row() == {"value": 5.0, "low": 4.0, "high": 6.0}
    assert estimate(np.append(values, np.nan), 100).row() == {"value": 5.0, "low": None, "high": None}
    assert estimate(values, 4).row() == {"value": 5.0, "low": None, "high": None}
    assert estimate(values[[3, 1, 2]], 100).row() == {"value": None, "low": None, "high": None}
    assert (estimate(values, 100).n, NOTHING.n, len(NOTHING.values)) == (0, 0, 0)


def test_few_units_widen_an_interval():
    values = np.arange(1000.0)
    narrow, wide = estimate(values, 10**6), estimate(values, 5)
    assert narrow.low > wide.low
    assert wide.high > narrow.high
    # One unit of a hundred that decides everything leaves less beyond than a hundred that are alike.
    heavy, even = np.eye(100)[0], np.tile([1.0, -1.0], 50)
    alike = estimate(values, 100, jackknife=even)
    assert estimate(values, 100, jackknife=heavy).low < alike.low < narrow.low
    # What is not known without one of the units widens nothing more.
    assert estimate(values, 100, jackknife=np.where(heavy > 0, np.nan, 0.0)).low == estimate(values, 100).low


def test_fishers_scale_has_two_ends():
    low, high = fisher(np.array([-1.0, 1.0]))
    # artanh(1 - 1e-12) = ln(2e12 - 1) / 2 = 14.162
    assert (low, high) == pytest.approx((-14.162, 14.162), abs=1e-3)


def test_the_interval_of_a_difference_is_that_of_differences():
    first, second = np.array([3.0, 1.0, 5.0]), np.array([1.0, 0.0, 5.0])
    # Draw by draw 1 and 0, though the two intervals are 4 and 5 wide.
    difference = estimate(first, 10) - estimate(second, 10)
    assert difference.row("gain") == {"gain": 2.0, "low": 0.0, "high": 1.0}


def test_draws_are_moved_until_their_median_is_the_value():
    # The median of 0.1, 0.2 and 0.9 is 0.2: all move by 0.3, and none above 1.
    moved = recentred(np.array([0.5, 0.1, 0.2, 0.9]), scale="plain")
    assert moved == pytest.approx([0.5, 0.4, 0.5, 1.0])
    # On Fisher's scale the median becomes the value, and what is below stays below.
    turned = recentred(np.array([0.5, 0.1, 0.2, 0.9]), scale="fisher")
    assert turned[[0, 2]] == pytest.approx([0.5, 0.5])
    # artanh 0.1 - artanh 0.2 + artanh 0.5 = 0.10034 - 0.20273 + 0.54931 = 0.44691, whose tanh is 0.4194.
    assert turned[1] == pytest.approx(0.4194, abs=1e-4)


def test_documents_are_left_out_whole():
    units = Units.documents(["a", "a", "b", "c"])
    draws = Draws.of(units, 2, 1, jackknife=True)
    assert draws.weights[3:].tolist() == [[0, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]
