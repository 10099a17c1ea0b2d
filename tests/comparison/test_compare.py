"""Comparisons of small campaigns whose answers are known."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay.comparison.compare import compare
from assay.comparison.runs import runs_of
from assay.data.campaign import Campaign
from assay.demo import CAMPAIGN
from assay.errors import AssayError, InputError, UnknownName

WORDS = ["a", "b", "c", "d", "e", "f", "g", "h"]


def campaign_of(**systems):
    generator = random.Random(1)
    reference = [" ".join(generator.choices(WORDS, k=8)) for _ in range(len(next(iter(systems.values()))))]
    return Campaign("test", systems, {"A": reference})


def noisy(reference, share, seed):
    """The reference with some words replaced."""
    generator = random.Random(seed)
    return [
        " ".join(generator.choice(WORDS) if generator.random() < share else word for word in line.split())
        for line in reference
    ]


@pytest.fixture
def trio():
    generator = random.Random(2)
    reference = [" ".join(generator.choices(WORDS, k=10)) for _ in range(120)]
    systems = {"good": noisy(reference, 0.2, 1), "twin": noisy(reference, 0.2, 1), "bad": noisy(reference, 0.7, 3)}
    documents = tuple(f"d{index // 4}" for index in range(120))
    columns = {"genre": ["odd" if index % 2 else "even" for index in range(120)]}
    return Campaign("trio", systems, {"A": reference}, documents=documents, columns=columns)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap", "t", "wilcoxon"])
@pytest.mark.parametrize("unit", ["segment", "document"])
def test_copies_are_equal_and_the_bad_one_is_worse(trio, test, unit):
    found = compare(trio, "bleu,chrf", test=test, unit=unit, samples=1000)
    for metric in ("bleu", "chrf"):
        twins = found.pair(metric, "good", "twin")
        assert (twins.p, twins.p_adjusted, twins.delta, twins.significant) == (1.0, 1.0, 0.0, False)
        assert found.pair(metric, "good", "bad").significant
        assert [cluster.systems for cluster in found.clusters[metric]] == [("good", "twin"), ("bad",)]
        assert [(one.best_rank, one.worst_rank) for one in found.of(metric)] == [(1, 2), (1, 2), (3, 3)]


def test_lower_is_better_where_it_is(trio):
    found = compare(trio, "wer", samples=500)
    assert [one.system for one in found.of("wer")][-1] == "bad"
    assert found.of("wer")[0].beats == "c"


def test_few_segments_are_enumerated():
    # Six segments have 64 swaps. By hand: the corpus difference under each of them.
    generator = random.Random(5)
    systems = {name: [" ".join(generator.choices(WORDS, k=6)) for _ in range(6)] for name in ("x", "y")}
    found = compare(campaign_of(**systems), "f1", samples=10_000)
    (pair,) = found.pairs
    assert pair.exact
    assert found.setup.samples == 64
    rows = {name: found.statistics[name, "f1"].rows for name in ("x", "y")}
    metric = assay.metric("f1")

    def difference(swaps):
        swap = np.array(swaps)[:, None] == 1
        first = np.where(swap, rows["y"], rows["x"]).sum(0)
        second = np.where(swap, rows["x"], rows["y"]).sum(0)
        return abs(float(metric.score(first) - metric.score(second)))

    observed = difference([0] * 6)
    reached = sum(difference(swaps) >= observed - 1e-9 for swaps in product([0, 1], repeat=6))
    assert pair.p == reached / 64


def test_the_same_numbers_on_any_number_of_threads(trio):
    one, two, eight = (compare(trio, "bleu,chrf,wer", samples=300, threads=threads) for threads in (1, 2, 8))
    assert one.to_json() == two.to_json() == eight.to_json()


def test_the_baseline_is_compared_with_each(trio):
    found = compare(trio, "bleu", baseline="bad", samples=300)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("good", "bad"), ("twin", "bad")]
    assert found.clusters == {}


def test_one_weight_matrix_for_all(trio):
    # What is compared beside a pair does not change its p-value, only the correction.
    alone = compare(trio, "chrf", systems="good,bad", samples=400).pair("chrf", "good", "bad")
    among = compare(trio, "bleu,chrf", samples=400).pair("chrf", "good", "bad")
    assert (alone.p, alone.interval) == (among.p, among.interval)


def test_a_bleu_difference_is_the_sum_of_its_parts(trio):
    pair = compare(trio, "bleu", samples=100).pair("bleu", "good", "bad")
    assert sum(pair.decomposition.values()) == pytest.approx(pair.delta, abs=1e-9)
    assert list(pair.decomposition) == ["brevity", "precision_1", "precision_2", "precision_3", "precision_4"]


def test_wins_losses_and_ties_are_all_segments(trio):
    pair = compare(trio, "wer", samples=100).pair("wer", "good", "bad")
    assert pair.wins + pair.losses + pair.ties == 120
    assert pair.wins > pair.losses


def test_json_holds_what_is_promised(trio):
    found = json.loads(compare(trio, "bleu", samples=100).to_json())
    assert {"assay", "command", "pairs", "clusters", "test"} <= set(found)
    expected = {"metric", "a", "b", "delta", "low", "high", "p", "p_adjusted", "significant"}
    assert expected <= set(found["pairs"][0])
    assert set(found["clusters"][0]) == {"metric", "rank", "systems"}


def test_bca_and_percentile_are_close_on_the_demo():
    campaign = assay.read(CAMPAIGN)
    ends = {}
    for interval in ("percentile", "bca"):
        found = compare(campaign, "chrf", systems="rosetta,gravel", interval=interval, samples=100)
        ends[interval] = list(found.pairs[0].interval)
    assert ends["percentile"] == pytest.approx(ends["bca"], abs=1.0)
    assert ends["percentile"] != ends["bca"]


def test_runs_of_a_system_belong_together():
    assert runs_of(["a@1", "a@2", "b", "@x", "y@"]) == {"a": ("a@1", "a@2"), "b": ("b",), "@x": ("@x",), "y@": ("y@",)}


def test_training_is_a_source_of_chance():
    generator = random.Random(2)
    reference = [" ".join(generator.choices(WORDS, k=10)) for _ in range(150)]
    systems = {f"x@{run}": noisy(reference, 0.30 + 0.06 * run, run) for run in range(3)}
    systems |= {f"y@{run}": noisy(reference, 0.33 + 0.06 * run, 10 + run) for run in range(3)}
    found = compare(Campaign("runs", systems, {"A": reference}), "bleu", samples=500)
    standing = found.of("bleu")[0]
    assert found.setup.test == "two-level t"
    assert standing.spread.runs == 3
    assert standing.spread.training > standing.spread.selection
    # Runs scatter more than the two systems differ, which a test of one run each would not know.
    assert not found.pairs[0].significant
    # The interval knows it, too, and more segments would not help.
    assert found.pairs[0].interval.low < 0 < found.pairs[0].interval.high
    assert found.pairs[0].power.needed is None
    single = {name: text for name, text in systems.items() if name in ("x@0", "y@2")}
    assert compare(Campaign("one", single, {"A": reference}), "bleu", samples=500).pairs[0].significant


def test_one_system_is_told(trio):
    with pytest.raises(InputError, match="needs two systems"):
        compare(trio, "bleu", systems="good")


def test_a_baseline_that_is_not_there_is_told(trio):
    with pytest.raises(UnknownName, match="goood"):
        compare(trio, "bleu", baseline="goood")


@pytest.mark.parametrize(
    "options",
    [{"test": "coin"}, {"correction": "tukey"}, {"interval": "wald"}, {"alpha": 0.0}, {"samples": 0}, {"unit": "word"}],
    ids=str,
)
def test_options_that_make_no_sense_are_told(trio, options):
    with pytest.raises(AssayError, match="|".join(options)):
        compare(trio, "bleu", **options)


def test_documents_are_needed_for_their_unit():
    with pytest.raises(InputError, match=r"docs\.txt"):
        compare(campaign_of(x=["a"], y=["b"]), "bleu", unit="document")


def test_a_single_segment_decides_nothing():
    for test in ("randomisation", "bootstrap", "t", "wilcoxon"):
        (pair,) = compare(campaign_of(x=["a b c d"], y=["e f g h"]), "f1", test=test).pairs
        assert pair.p == 1.0


def test_empty_translations_are_a_result():
    (pair,) = compare(campaign_of(x=[""] * 20, y=[""] * 20), "bleu").pairs
    assert (pair.delta, pair.p, pair.effect) == (0.0, 1.0, None)


@dataclass(frozen=True, kw_only=True)
class Shy(assay.Metric):
    """A metric of a user's own that cannot score everything."""

    name: ClassVar[str] = "shy"

    @property
    def columns(self):
        return ("score", "segments")

    def count(self, batch):
        lengths = batch.translations.lengths()
        return np.column_stack([np.where(lengths > 0, lengths, np.nan), np.ones(len(batch))])

    def score(self, rows):
        return rows[..., 0] / rows[..., 1]


def test_a_segment_without_a_score_is_told():
    with pytest.raises(InputError, match="shy gave 1 of 2 segments of 'x' no score"):
        compare(campaign_of(x=["a", ""], y=["b", "c"]), Shy())
