"""Comparisons of small campaigns whose answers are known."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, replace
from itertools import product
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay import compare
from assay.data.campaign import Campaign
from assay.demo import CAMPAIGN
from assay.errors import AssayError, AssayWarning, InputError, UnknownName
from assay.results.result import Result
from assay.significance.pairs import PairedTest, runs_of
from assay.significance.tests import PValue

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
    found = compare(trio, "bleu,chrf", test=test, unit=unit, permutations=1000)
    for metric in ("bleu", "chrf"):
        twins = found.of(metric, "good", "twin")
        assert (twins.p, twins.p_adjusted, twins.delta, twins.significant) == (1.0, 1.0, 0.0, False)
        assert found.of(metric, "good", "bad").significant
        of_metric = [row for row in found.table("clusters") if row["metric"] == metric]
        assert [(row["rank"], row["system"]) for row in of_metric] == [(1, "good"), (1, "twin"), (3, "bad")]
        assert [(row["best_rank"], row["worst_rank"]) for row in scores(found, metric)] == [(1, 2), (1, 2), (3, 3)]


def scores(found, metric):
    return [row for row in found.table("scores") if row["metric"] == metric]


def test_lower_is_better_where_it_is(trio):
    found = compare(trio, "wer", permutations=500)
    assert [row["system"] for row in found.table("scores")][-1] == "bad"
    assert [(row["letter"], row["beats"]) for row in found.table("scores")] == [("a", "c"), ("b", "c"), ("c", "")]


def test_few_segments_are_enumerated():
    # Six segments have 64 swaps. By hand: the corpus difference under each of them.
    generator = random.Random(5)
    systems = {name: [" ".join(generator.choices(WORDS, k=6)) for _ in range(6)] for name in ("x", "y")}
    campaign = campaign_of(**systems)
    found = compare(campaign, "f1", permutations=10_000)
    (pair,) = found.table("pairs")
    assert pair["exact"]
    assert (found.setup["permutations"], found.setup["exact"]) == (64, True)
    metric = assay.metric("f1")
    rows = {name: metric.evaluate(campaign.corpus(name)).rows for name in ("x", "y")}

    def difference(swaps):
        swap = np.array(swaps)[:, None] == 1
        first = np.where(swap, rows["y"], rows["x"]).sum(0)
        second = np.where(swap, rows["x"], rows["y"]).sum(0)
        return abs(float(metric.score(first) - metric.score(second)))

    observed = difference([0] * 6)
    reached = sum(difference(swaps) >= observed - 1e-9 for swaps in product([0, 1], repeat=6))
    assert pair["p"] == reached / 64


def test_the_same_numbers_on_any_number_of_threads(trio):
    one, two, eight = (compare(trio, "bleu,chrf,wer", permutations=300, threads=threads) for threads in (1, 2, 8))
    assert one.to_json() == two.to_json() == eight.to_json()


def test_the_baseline_is_compared_with_each(trio):
    found = compare(trio, "bleu", baseline="bad", permutations=300)
    assert [(pair["a"], pair["b"]) for pair in found.table("pairs")] == [("good", "bad"), ("twin", "bad")]
    assert found.table("clusters") == []
    # Of good and twin nobody tested which is better, so nobody has a rank.
    assert {(row["best_rank"], row["worst_rank"]) for row in found.table("scores")} == {(None, None)}
    assert "rank" not in str(found)


def test_one_weight_matrix_for_all(trio):
    # What is compared beside a pair does not change its p-value, only the correction.
    alone = compare(trio, "chrf", systems="good,bad", permutations=400).of("chrf", "good", "bad")
    among = compare(trio, "bleu,chrf", permutations=400).of("chrf", "good", "bad")
    assert (alone.p, alone.interval) == (among.p, among.interval)


def test_a_bleu_difference_is_the_sum_of_its_parts(trio):
    found = compare(trio, "bleu,chrf", permutations=100)
    parts = {
        row["part"]: row["value"] for row in found.table("decomposition") if (row["a"], row["b"]) == ("good", "bad")
    }
    assert sum(parts.values()) == pytest.approx(found.of("bleu", "good", "bad").delta, abs=1e-9)
    assert list(parts) == ["brevity", "precision_1", "precision_2", "precision_3", "precision_4"]
    # Only BLEU can tell.
    assert {row["metric"] for row in found.table("decomposition")} == {"bleu"}


def test_wins_losses_and_ties_are_all_segments(trio):
    pair = compare(trio, "wer", permutations=100).of("wer", "good", "bad")
    assert pair.wins + pair.losses + pair.ties == 120
    assert pair.wins > pair.losses


def test_json_holds_what_is_promised_and_can_be_read_back(trio):
    result = compare(trio, "bleu", permutations=100)
    found = json.loads(result.to_json())
    assert (found["command"], next(iter(result.tables))) == ("compare", "pairs")
    expected = {"metric", "a", "b", "delta", "low", "high", "p", "p_adjusted", "significant"}
    assert expected <= set(found["pairs"][0])
    assert set(found["clusters"][0]) == {"metric", "rank", "system"}
    assert found["setup"] == {
        "test": "randomisation",
        "correction": "holm",
        "alpha": 0.05,
        "unit": "document",
        "units": 30,
        "interval": "percentile",
        "seed": 1,
        "samples": 1000,
        "permutations": 100,
        "exact": False,
        "comparisons": 3,
        "baseline": None,
        "simultaneous": False,
        "stops": False,
        "design_effect": {"bleu": pytest.approx(1.0, abs=0.9)},
    }
    assert list(found["signatures"]) == ["bleu"]
    again = Result.from_json(result.to_json())
    for style in ("text", "markdown", "latex", "tsv"):
        assert again.render(style) == result.render(style)


def test_a_test_without_swaps_names_none(trio):
    setup = compare(trio, "chrf", test="t", permutations=100).setup
    assert (setup["permutations"], setup["exact"]) == (None, False)


def test_the_picture_shows_differences_of_few_pairs_and_scores_of_many(trio):
    few = compare(trio, "chrf", permutations=100).chart()
    assert few.name == "pairs"
    points = next(layer for layer in panel(few)["layer"] if layer["mark"]["type"] == "point")["data"]["values"]
    assert [point["name"] for point in points] == ["good – twin", "good – bad", "twin – bad"]
    assert [point["kind"] for point in points] == ["not significant", "significant", "significant"]
    # Six systems are fifteen pairs, more than are listed unless somebody asks.
    reference = next(iter(trio.references.values()))
    many = Campaign("many", {f"s{seed}": noisy(reference, 0.3, seed) for seed in range(6)}, {"A": reference})
    assert compare(many, "chrf", permutations=100).chart().name == "scores"
    assert compare(many, "chrf", permutations=100, pairs=True).chart().name == "pairs"


def panel(figure):
    spec = figure.data
    while "layer" not in spec:
        spec = (spec.get("hconcat") or spec["vconcat"])[0]
    return spec


def test_many_pairs_are_listed_if_somebody_asks(trio):
    reference = next(iter(trio.references.values()))
    many = Campaign("many", {f"s{seed}": noisy(reference, 0.3, seed) for seed in range(6)}, {"A": reference})
    short, whole = (compare(many, "bleu", permutations=100, pairs=pairs) for pairs in (False, True))
    assert "Pairs: bleu" not in str(short)
    assert "Pairs: bleu" in str(whole)
    assert len(short.table("pairs")) == len(whole.table("pairs")) == 15


def test_bca_and_percentile_are_close_on_the_demo():
    campaign = assay.read(CAMPAIGN)
    ends = {}
    for interval in ("percentile", "bca"):
        found = compare(campaign, "chrf", systems="rosetta,gravel", interval=interval, permutations=100)
        ends[interval] = list(found.of("chrf", "rosetta", "gravel").interval)
    assert ends["percentile"] == pytest.approx(ends["bca"], abs=3.0)
    assert ends["percentile"] != ends["bca"]


def test_runs_of_a_system_belong_together():
    assert runs_of(["a@1", "a@2", "b", "@x", "y@"]) == {"a": ("a@1", "a@2"), "b": ("b",), "@x": ("@x",), "y@": ("y@",)}


def test_training_is_a_source_of_chance():
    generator = random.Random(2)
    reference = [" ".join(generator.choices(WORDS, k=10)) for _ in range(150)]
    systems = {f"x@{run}": noisy(reference, 0.30 + 0.06 * run, run) for run in range(3)}
    systems |= {f"y@{run}": noisy(reference, 0.33 + 0.06 * run, 10 + run) for run in range(3)}
    found = compare(Campaign("runs", systems, {"A": reference}), "bleu", permutations=500)
    best = found.table("scores")[0]
    assert found.setup["test"] == "two-level t"
    assert best["runs"] == 3
    assert best["sigma_training"] > best["sigma_selection"]
    assert "σ training" in str(found)
    # Runs scatter more than the two systems differ, which a test of one run each would not know.
    (pair,) = found.table("pairs")
    assert not pair["significant"]
    # The interval knows it, too, and more segments would not help.
    assert pair["low"] < 0 < pair["high"]
    assert (pair["detectable_delta"], pair["needed_units_low"]) == (None, None)
    single = {name: text for name, text in systems.items() if name in ("x@0", "y@2")}
    (pair,) = compare(Campaign("one", single, {"A": reference}), "bleu", permutations=500).table("pairs")
    assert pair["significant"]


def test_one_system_is_told(trio):
    with pytest.raises(InputError, match="needs two systems"):
        compare(trio, "bleu", systems="good")


def test_a_baseline_that_is_not_there_is_told(trio):
    with pytest.raises(UnknownName, match="goood"):
        compare(trio, "bleu", baseline="goood")


@pytest.mark.parametrize(
    "options",
    [
        {"test": "coin"},
        {"correction": "tukey"},
        {"interval": "wald"},
        {"alpha": 0.0},
        {"alpha": 1.0},
        {"samples": 0},
        {"unit": "word"},
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_told(trio, options):
    with pytest.raises(AssayError, match="|".join(options)):
        compare(trio, "bleu", **options)


def test_documents_are_needed_for_their_unit():
    with pytest.raises(InputError, match=r"docs\.txt"):
        compare(campaign_of(x=["a"], y=["b"]), "bleu", unit="document")


@pytest.mark.parametrize("segments", [1, 4])
def test_few_segments_decide_nothing(segments):
    for test in ("randomisation", "bootstrap", "t", "wilcoxon"):
        few = campaign_of(x=["a b c d"] * segments, y=["e f g h"] * segments)
        found = compare(few, "f1", test=test)
        (pair,) = found.table("pairs")
        assert (pair["p"], pair["p_adjusted"], pair["significant"], pair["low"]) == (None, None, False, None)
        assert "[" not in str(found).split("Test:")[0].replace("[a", "")


def test_empty_translations_are_a_result():
    found = compare(campaign_of(x=[""] * 20, y=[""] * 20), "bleu")
    (pair,) = found.table("pairs")
    assert (pair["delta"], pair["p"], pair["effect"]) == (0.0, 1.0, None)
    # Of a score of 0 nobody can say what it is made of.
    assert "decomposition" not in found.tables


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


@dataclass(frozen=True, kw_only=True)
class Length(assay.Metric):
    """A metric of a user's own whose differences have one part."""

    name: ClassVar[str] = "length"

    @property
    def columns(self):
        return ("words",)

    def count(self, batch):
        return batch.translations.lengths()[:, None].astype(float)

    def score(self, rows):
        return rows[..., 0]

    def decompose(self, first, second):
        return {"words_alone": float(first[0] - second[0])}


def test_a_difference_of_one_part_is_shown_like_others():
    found = compare(campaign_of(x=["a b c", "d e"], y=["a", "b"]), Length())
    # Five words against two.
    assert found.table("decomposition") == [
        {"metric": "length", "a": "x", "b": "y", "delta": 3.0, "part": "words_alone", "value": 3.0}
    ]
    (view,) = [view for view in found.views if view.table == "decomposition"]
    assert (view.title, view.labels) == ("Where the difference comes from: length", {"words_alone": "words alone"})


def test_a_segment_without_a_score_is_told():
    with pytest.raises(InputError, match="shy gave 1 of 2 segments of 'x' no score"):
        compare(campaign_of(x=["a", ""], y=["b", "c"]), Shy())


def test_more_systems_than_letters_have_names_of_their_own():
    texts = {f"s{number:02}": [f"a {'b ' * min(number, 29)}".strip()] * 6 for number in range(28)}
    rows = compare(campaign_of(**texts), "f1", permutations=20, samples=2).table("scores")
    # 25 letters, for q is never raised, and then a1, b1, c1.
    assert [row["letter"] for row in rows] == [*"abcdefghijklmnoprstuvwxyz", "a1", "b1", "c1"]


def test_segments_that_name_no_document_are_not_called_documents(trio):
    some = [name if place < 60 else "" for place, name in enumerate(trio.documents)]
    with pytest.warns(AssayWarning, match="60 of 120 segments name no document"):
        found = compare(replace(trio, documents=tuple(some)), "bleu", permutations=200)
    # 15 documents and 60 segments are 75 units.
    assert found.setup["units"] == 75
    assert found.findings[0].startswith("Test: paired randomisation over documents, 200 swaps")
    assert found.findings[1].startswith("Drawn: 15 documents and 60 segments that name none.")


@pytest.mark.parametrize(("p", "doubted"), [(0.0026, True), (0.0025, False), (0.05, True), (0.051, False)])
def test_a_p_value_of_systems_of_different_lengths_is_doubted(monkeypatch, trio, p, doubted):
    # A twentieth of alpha is 0.0025: of smaller p-values no more than 5 % are false alarms, whatever the lengths.
    monkeypatch.setattr(PairedTest, "p_values", lambda _self, _systems, pairs, *_: [PValue(p)] * len(pairs))
    long = [f"{line} {' '.join(line.split()[:2])}" for line in trio.systems["good"]]
    campaign = replace(trio, systems={"long": long, "bad": trio.systems["bad"]})
    said = [finding for finding in compare(campaign, "bleu", samples=20).findings if "longer" in finding]
    # Two words of ten again: 23 letters and spaces instead of 19.
    expected = (
        "long is 21 % longer than bad. Randomisation asks whether outputs could change places: of so different "
        f"lengths the p-value of bleu ({p:.2g}) may be too small. --test bootstrap looks at the scores alone."
    )
    assert said == ([expected] if doubted else [])
    short = replace(trio, systems={name: trio.systems[name] for name in ("good", "bad")})
    assert not any("longer" in finding for finding in compare(short, "bleu", samples=20).findings)


def test_how_to_read_the_tables_is_said_once_and_clusters_of_each_metric():
    systems = {"x": ["a b c"] * 6, "y": ["a b d"] * 6, "z": ["e"] * 6}
    shown = str(compare(campaign_of(**systems), "f1,recall,precision", permutations=20, samples=2))
    assert shown.count("superscripts name the systems that one beats") == 1
    assert shown.count(" system ") == 3
    assert shown.index("\nprecision\n") < shown.index("superscripts")
    assert shown.count("clusters: ") == 3
