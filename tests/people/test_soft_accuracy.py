"""Soft pairwise accuracy and its p-values."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from assay import meta_evaluate
from assay.data.judgements import Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.errors import ParameterError
from assay.metrics.registry import metrics
from assay.people.scores import metric_scores
from assay.people.statistics import system_pairs
from assay.people.statistics.registry import statistic
from assay.people.statistics.system_pairs import pair_p_normal
from assay.people.usage import people_of
from assay.significance.draws import Draws, Units, numbered, swap_flags
from oracles import meta as oracle


def spa(p_metric, p_human, weights=None):
    return statistic("spa").compute(p_human, p_metric, np.ones(p_metric.shape[-1]) if weights is None else weights)


def pair_p_values(contributions, samples=1000, seed=1):
    """Of segments that are swapped one by one."""
    return system_pairs.pair_p_values(contributions, Units.segments(contributions.shape[1]), samples=samples, seed=seed)


def signs_of(segments, samples, seed):
    return 1.0 - 2.0 * np.vstack(list(swap_flags(numbered(segments), samples, seed)))


@pytest.mark.parametrize("rounded", [False, True])
def test_p_values_are_those_of_the_definition(rounded):
    generator = np.random.default_rng(1)
    contributions = generator.normal(size=(4, 15)) + np.arange(4)[:, None] * 0.3
    if rounded:
        contributions = contributions.round()
    contributions[1, 3] = contributions[2, 7] = np.nan
    found = pair_p_values(contributions, samples=200, seed=5)
    signs = signs_of(15, 200, 5)
    for a, b in itertools.permutations(range(4), 2):
        assert found[a, b] == pytest.approx(oracle.permutation_p(contributions[a], contributions[b], signs), abs=1e-12)


def test_the_reference_definition_where_nothing_ties():
    # mt-metrics-eval counts draws that reach the observed lead, for pairs in listed order.
    generator = np.random.default_rng(2)
    metric, human = generator.normal(size=(2, 5, 40)) + np.arange(5)[:, None] * 0.2
    signs = signs_of(40, 300, 1)
    tables = []
    for scores in (metric, human):
        flipped = signs @ scores.T
        totals = scores.sum(axis=1)
        tables.append(
            [
                np.mean(flipped[:, a] - flipped[:, b] >= totals[a] - totals[b])
                for a, b in itertools.combinations(range(5), 2)
            ]
        )
    expected = 1 - np.mean(np.abs(np.subtract(*tables)))
    found = spa(pair_p_values(metric, 300, seed=1), pair_p_values(human, 300, seed=1))
    assert found == pytest.approx(expected, abs=1e-12)


@given(st.permutations(range(5)), st.integers(0, 50))
@settings(max_examples=40)
def test_the_order_of_systems_does_not_matter(order, seed):
    # Few distinct values, so that many draws tie with what was observed.
    metric, human = np.random.default_rng(seed).integers(3, size=(2, 5, 12)).astype(float)
    one = spa(pair_p_values(metric, 100), pair_p_values(human, 100))
    other = spa(pair_p_values(metric[order], 100), pair_p_values(human[order], 100))
    assert one == pytest.approx(other, abs=1e-12)
    p = pair_p_values(metric, 100)
    assert p + p.T == pytest.approx(np.ones((5, 5)), abs=1e-12)


def test_counting_ties_in_full_would_depend_on_the_order():
    # Two systems that are alike to people (p = 1 both ways if ties count in full), not to the metric (0.25 or so).
    human = np.zeros((2, 6))
    metric = np.array([[1.0, 0, 1, 0, 0, 0], [0.0, 0, 0, 0, 0, 0]])
    p = pair_p_values(metric, 2000)
    assert p[0, 1] == pytest.approx(0.125, abs=0.03)
    assert pair_p_values(human)[0, 1] == 0.5
    assert spa(p, pair_p_values(human)) == pytest.approx(1 - (0.5 - p[0, 1]))


def test_what_ties_in_one_pair_is_not_decided_by_another():
    # The first leads by 2 and by 1: of four swaps one reaches 3, and counts by half. A third is a million million away.
    near = np.array([[3.0, 2.0], [1.0, 1.0]])
    p = pair_p_values(np.vstack([near, np.full(2, 1e12)]), 2000)
    assert p[0, 1] == pytest.approx(0.125, abs=0.03)
    assert p[0, 1] == pair_p_values(near, 2000)[0, 1]


def test_the_normal_approximation_is_close_to_permutation():
    generator = np.random.default_rng(3)
    # Skewed and discrete, as MQM scores are: mostly 0, a few large penalties.
    contributions = -generator.poisson(0.6, size=(8, 300)) * generator.integers(1, 6, size=(8, 300)) * 1.0
    contributions += np.arange(8)[:, None] * 0.05
    exact = pair_p_values(contributions, samples=20_000)
    near = pair_p_normal(contributions, Draws.observed(8, 300))[0]
    # 20,000 draws know p to 0.007 (two standard errors); the rest is the approximation's.
    assert np.abs(exact - near).max() < 0.012
    assert np.abs(exact - near).mean() < 0.004


def test_weights_are_repeated_segments():
    generator = np.random.default_rng(4)
    contributions = generator.normal(size=(3, 10))
    contributions[0, 2] = np.nan
    counts = generator.integers(3, size=10)
    drawn = pair_p_normal(contributions, Draws.given(counts[None].astype(float), np.ones((1, 3))))
    repeated = np.repeat(contributions, counts, axis=1)
    again = pair_p_normal(repeated, Draws.observed(3, repeated.shape[1]))
    assert drawn == pytest.approx(again, abs=1e-12)


def test_segments_of_a_document_are_swapped_together_in_every_draw():
    # Each of 40 documents has one segment three times: as a whole it is one difference that is three times as large,
    # and p-values are those of 40 segments. Segments by themselves would make 120 of them, and smaller p-values.
    once = np.random.default_rng(7).normal(size=(4, 40))
    thrice, documents = np.repeat(once, 3, axis=1), Units.documents([f"d{place // 3}" for place in range(120)])
    whole = pair_p_normal(thrice, Draws.of(documents, 20, 1))
    alone = pair_p_normal(once, Draws.of(Units("document", documents.keys), 20, 1))
    assert whole == pytest.approx(alone, abs=1e-12)
    assert whole[0] == pytest.approx(system_pairs.pair_p_values(thrice, documents, samples=20_000), abs=0.02)
    apart = pair_p_normal(thrice, Draws.of(120, 20, 1))
    assert np.abs(apart[0] - 0.5).sum() > 1.1 * np.abs(whole[0] - 0.5).sum()


def test_weighing_systems_leaves_their_copies_out():
    p, q = pair_p_values(np.random.default_rng(5).normal(size=(3, 20))), np.full((3, 3), 0.5)
    # Systems drawn 2, 1 and 0 times: the pair of the first two alone.
    assert spa(p, q, np.array([2.0, 1.0, 0.0])) == pytest.approx(1 - abs(p[0, 1] - 0.5))
    assert math.isnan(spa(p, q, np.array([3.0, 0.0, 0.0])))


def test_systems_without_a_common_segment_are_no_pair():
    contributions = np.array([[1.0, np.nan, 2.0], [np.nan, 3.0, np.nan], [0.0, 1.0, 0.0]])
    p = pair_p_values(contributions)
    assert math.isnan(p[0, 1])
    assert not math.isnan(spa(p, p))
    assert math.isnan(pair_p_normal(contributions, Draws.observed(3, 3))[0, 0, 1])


def test_what_does_not_fit_is_told():
    with pytest.raises(ParameterError, match="at least 1"):
        pair_p_values(np.ones((2, 3)), samples=0)
    with pytest.raises(ParameterError, match="do not fit"):
        pair_p_normal(np.ones((2, 3)), Draws.observed(2, 4))


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_means_of_segments_are_those_of_mt_metrics_eval():
    # BLEU of a system is no mean of segments: by the definition of mt-metrics-eval, of segment scores.
    campaign = assay.read(CAMPAIGN)
    found = meta_evaluate(
        campaign, "bleu,f1", kind="adequacy", levels="system", statistics="spa,spa-segments", samples=0, test="none",
        unit="segment", seed=3, with_humans=True,
    )  # fmt: skip
    people, _ = people_of(campaign, kind="adequacy")
    people = replace(people, adjusted=False)
    signs = signs_of(len(campaign), 1000, 3)
    for source in metric_scores(campaign, metrics("bleu,f1"), people):
        tables = [
            [
                oracle.permutation_p(grid[a], grid[b], signs)
                for a, b in itertools.combinations(range(len(people.systems)), 2)
            ]
            for grid in (people.grid, np.where(people.mask, source.grid, np.nan))
        ]
        expected = 1 - np.mean(np.abs(np.subtract(*tables)))
        assert found.of(source.name, "spa-segments").value == pytest.approx(expected, abs=1e-12)
        assert abs(found.of(source.name, "spa").value - expected) > 1e-4


def test_scores_that_are_means_of_segments_have_one_soft_accuracy():
    generator = np.random.default_rng(5)
    grids = {kind: generator.normal(size=(6, 30)) + np.arange(6)[:, None] * 0.2 for kind in ("people", "metric")}
    rows = [
        Judgement(f"s{system}", segment, float(score), kind)
        for kind, grid in grids.items()
        for (system, segment), score in np.ndenumerate(grid)
    ]
    texts = {f"s{system}": [""] * 30 for system in range(6)}
    campaign = assay.Campaign("example", texts, {"ref": [""] * 30}, human=Judgements.of(rows, "example"))
    found = meta_evaluate(
        campaign, (), kind="people", beside="metric", levels="system", statistics="spa,spa-segments", samples=50,
        test="none",
    )  # fmt: skip
    one, other = (found.of("human:metric", name) for name in ("spa", "spa-segments"))
    assert (one.value, one.low, one.high) == (other.value, other.low, other.high)
