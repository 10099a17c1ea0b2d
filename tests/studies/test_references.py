"""The study of references: every set of them, what moves, what changes places, and the tables of real texts."""

from __future__ import annotations

import json
import re
from itertools import combinations
from statistics import mean, stdev

import numpy as np
import pytest
from scipy import stats

import assay
from assay.data.campaign import Campaign
from assay.errors import AssayWarning
from assay.metrics.registry import BUILT_IN
from assay.questions.studies.references import (
    SetScores,
    _rank_correlations,
    _references_needed,
    _Separation,
    smallest_size,
)
from assay.questions.studies.set_lines import ordered_sets, set_lines
from assay.scoring.evaluate import Shard
from assay.scoring.subsets import SubsetCounter, subsets_of
from assay.significance.draws import bootstrap_counts, interval, numbered
from people.truth import DATA, TRUTH, needs_data

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "and", "then", "big", "small"]


def random_texts(seed: int, count: int, segments: int = 8, shortest: int = 0) -> list[list[str]]:
    """Texts that share words by chance, with an empty segment now and then, unless there is a ``shortest``."""
    generator = np.random.default_rng(seed)
    return [
        [" ".join(generator.choice(WORDS, generator.integers(shortest, 12))) for _ in range(segments)]
        for _ in range(count)
    ]


@pytest.fixture
def campaign() -> Campaign:
    texts = random_texts(1, 6, shortest=1)
    names = ("good", "poor")
    return Campaign(
        name="small",
        systems=dict(zip(names, texts[:2], strict=True)),
        references=dict(zip("ABCD", texts[2:], strict=True)),
    )


def row(result: assay.Result, system: str, metric: str, k: int) -> dict:
    [found] = [one for one in result.table() if (one["system"], one["metric"], one["k"]) == (system, metric, k)]
    return found


#: All that can be computed without resources of its own.
# One that needs a file is counted in tests/learned.
COUNTED = [name for name in BUILT_IN if name not in ("hter", "predictor", "combination", "scores")] + [
    "bleu(order=2,reference_length=shortest)",
    "bleu(reference_length=average)",
    "chrf(word_order=2)",
    "gtm(exponent=2)",
    "meteor(variant=meteor07)",
    "per(surplus=corpus)",
]


@pytest.mark.parametrize("name", COUNTED)
def test_sets_of_references_count_as_if_they_were_alone(name):
    texts = random_texts(7, 5)
    references = dict(zip("ABCD", texts[1:], strict=True))
    whole = Campaign(name="whole", systems={"s": texts[0]}, references=references)
    metric = assay.metric(name)
    counter = SubsetCounter(metric, whole.systems, whole.references)
    for size in (1, 2, 4):
        for subset in combinations(range(4), size):
            alone = whole.choose(references=["ABCD"[index] for index in subset]).corpus("s")
            np.testing.assert_allclose(
                counter.rows("s", subset), metric.evaluate(alone).rows, rtol=1e-12, atol=1e-12, err_msg=str(subset)
            )


def test_absent_references_do_not_count():
    batch = Shard(0, 2, 1).batch(
        assay.Corpus(translations=["a b", "a b"], references_by_segment=[["a b", "c"], ["c d"]]), assay.metric("bleu")
    )
    for metric in map(assay.metric, ("bleu", "wer", "chrf", "ter", "meteor")):
        np.testing.assert_array_equal(metric.counter(batch)([0, 1]), metric.count(batch))


def test_too_many_sets_are_drawn_with_the_seed():
    drawn = subsets_of(20, 3, most=50, seed=1)
    assert len(set(drawn)) == 50
    assert drawn == subsets_of(20, 3, most=50, seed=1) != subsets_of(20, 3, most=50, seed=2)


@pytest.mark.parametrize("metric", ["bleu", "wer"])
def test_every_translation_against_every_set_of_the_others(campaign, metric):
    result = assay.study("references", campaign, metrics=[metric], k=[1, 2])
    everyone = {**campaign.systems, **campaign.references}
    for system, text in everyone.items():
        for k in (1, 2):
            scores = {}
            for subset in combinations([name for name in campaign.references if name != system], k):
                texts = [list(campaign.references[name]) for name in subset]
                corpus = assay.Corpus(translations=list(text), references=texts)
                scores["+".join(subset)] = assay.metric(metric).evaluate(corpus).corpus_score()
            found = row(result, system, metric, k)
            assert (found["n"], found["mean"]) == (len(scores), pytest.approx(mean(scores.values())))
            assert found["sd"] == pytest.approx(stdev(scores.values()))
            assert found["low"] == pytest.approx(min(scores.values()))
            assert scores[found["high_references"]] == pytest.approx(found["high"])
            assert scores[found["low_references"]] == pytest.approx(found["low"])


def test_columns_are_those_that_programs_read(campaign):
    names = ["system", "metric", "k", "n", "mean", "sd", "low", "high", "low_references", "high_references"]
    names.append("compared")
    assert list(assay.study("references", campaign, metrics="f1", k=2).table()[0]) == names


#: Scores by hand: recall of single words.
ORDERED = Campaign(
    name="ordered",
    systems={"machine": ["a b x x"]},
    references={"A": ["a b c d"], "B": ["a b c e"], "C": ["f g h i"]},
)


def test_humans_and_machines():
    # Against A: B has 3 of 4, C none, the machine 2. Against B the same with A. Against C all have none.
    result = assay.study("references", ORDERED, metrics="recall", k=1)
    [found] = result.table("separability")
    # Humans above the machine: 1 of 2 pairs, 1 of 2, and two ties.
    assert (found["n"], found["separated"], found["auc"]) == (3, 0, pytest.approx(100 * (1 + 1 + 0.5 + 0.5) / 6))
    places = {one["system"]: (one["best"], one["worst"], one["mean"]) for one in result.table("ranks")}
    assert places["A"] == (1, 1, 1)
    assert places["C"] == (3, 3, 3)
    assert places["machine"] == (1, 2, pytest.approx(5 / 3))
    pairs = {(one["a"], one["b"]): (one["n"], one["a_first"], one["b_first"]) for one in result.table("pairs")}
    assert pairs["machine", "C"] == (2, 2, 0)
    assert pairs["machine", "A"] == (2, 0, 1)
    assert pairs["A", "B"] == (1, 0, 0)


def test_order_that_depends_on_references():
    campaign = Campaign(
        name="fickle", systems={"x": ["a b"], "y": ["c d"]}, references={"A": ["a b"], "B": ["c d"], "C": ["c b"]}
    )
    result = assay.study("references", campaign, metrics="f1", k=1, systems="x,y")
    [found] = result.table("order")
    assert (found["pairs"], found["changing"], found["share"]) == (1, 1, 100)
    assert "1 of 1 (k = 1)" in " ".join(result.findings)


def test_error_rates_are_better_when_lower():
    campaign = Campaign(name="rates", systems={"m": ["x y"]}, references={"A": ["a b"], "B": ["a b"]})
    [found] = assay.study("references", campaign, metrics="wer", k=1).table("separability")
    assert (found["separated"], found["auc"]) == (100, 100)


def test_ranks_of_metrics_and_of_whole_texts_agree_as_scipy_says(campaign):
    result = assay.study("references", campaign, metrics="bleu,wer", k=[1, 2], text="both")
    scores = {}
    for one in result.table("scores"):
        # A lower error rate is better.
        merit = one["score"] if one["metric"] == "bleu" else -one["score"]
        scores.setdefault((one["metric"], one["compared"], one["k"]), {})[one["references"], one["system"]] = merit
    found = result.table("rank_agreement")
    ways = {(one["metric_a"], one["compared_a"], one["metric_b"], one["compared_b"]) for one in found}
    assert ways == {
        ("bleu", "segments", "wer", "segments"),
        ("bleu", "whole", "wer", "whole"),
        ("bleu", "segments", "bleu", "whole"),
        ("wer", "segments", "wer", "whole"),
    }
    assert len(found) == 8
    for one in found:
        first = scores[one["metric_a"], one["compared_a"], one["k"]]
        second = scores[one["metric_b"], one["compared_b"], one["k"]]
        sets = {references for references, _ in first}
        names = {name for _, name in first}
        for statistic, measure in (("kendall", stats.kendalltau), ("spearman", stats.spearmanr)):
            values = []
            for references in sets:
                here = [name for name in names if (references, name) in first]
                pair = ([scores[references, name] for name in here] for scores in (first, second))
                values.append(measure(*pair).statistic)
            ends = (mean(values), min(values), max(values))
            assert (one[statistic], one[f"{statistic}_low"], one[f"{statistic}_high"]) == pytest.approx(ends)
            averages = [
                [mean(value for (_, who), value in scores.items() if who == name) for name in sorted(names)]
                for scores in (first, second)
            ]
            assert one[f"{statistic}_of_means"] == pytest.approx(measure(*averages).statistic)
        # Of four references, those that are not in the set stand against it, and two systems.
        assert (one["n"], one["translations"]) == (len(sets), 6 - one["k"])
    assert "bleu and wer rank translations with Kendall's tau of" in " ".join(result.findings)


def test_the_same_order_is_counted_and_one_candidate_has_none():
    # Precision is half of recall here, so that both rank alike.
    alike = Campaign(name="alike", systems={"x": ["a b"], "y": ["a q"]}, references={"A": ["a b"], "B": ["b a"]})
    [one] = assay.study("references", alike, metrics="precision,recall", k=1, systems="x,y").table("rank_agreement")
    assert (one["n"], one["same"], one["kendall"], one["spearman"]) == (2, 2, 1, pytest.approx(1))
    # With k = 2 each of three references stands alone against its set: ranks are those of means.
    alone = Campaign(name="alone", systems={}, references={"A": ["a b c"], "B": ["a b d"], "C": ["a e f"]})
    [one] = assay.study("references", alone, metrics="precision,recall", k=2).table("rank_agreement")
    assert (one["n"], one["kendall"], one["translations"], one["kendall_of_means"]) == (0, None, None, 1)
    assert assay.study("references", alone, metrics="recall", k=2).table("rank_agreement") == []


def test_rankings_but_for_one_swap_are_not_the_same():
    # Of seven translations 21 pairs, one of which is the other way round in the second set; one is part of the first.
    first = np.array([[1.0, 2, 3, 4, 5, 6, np.nan], [1, 2, 3, 4, 5, 6, 7]])
    second = np.array([[2.0, 3, 4, 5, 6, 7, np.nan], [1, 2, 3, 4, 5, 7, 6]])
    one, other = (
        SetScores(assay.metric("f1"), name, "segments", 1, ("A", "B"), tuple("abcdefg"), scores)
        for name, scores in (("one", first), ("other", second))
    )
    row = _rank_correlations(one, other)
    assert (row["n"], row["same"], row["translations"]) == (2, 1, 6)
    assert (row["kendall_low"], row["kendall_high"]) == pytest.approx((1 - 2 / 21, 1))


def test_the_interval_of_the_smallest_number_reaches_the_whole_numbers_around_it():
    # With one reference in none of the data's sets; in one draw of 45, and with two in all.
    drawn = {1: np.array([0.0, 100.0, *[0.0] * 44]), 2: np.full(46, 100.0)}
    separations = [
        _Separation("f1", "segments", size, 3, separated, separated, 200) for size, separated in drawn.items()
    ]
    low, high = interval(np.array([1.0, *[2.0] * 44]), 200)
    assert 1 < low < 2 == high
    [row] = _references_needed(separations)
    assert (row["k"], row["low"], row["high"], row["never"]) == (2, 1, 2, 0)
    assert row["answer"] == "2 (1 – 2)"


def test_sentences_say_what_the_tables_do():
    # Recall. Against A: B has 75, C and the machine 50. Against B the same with A. Against C all have 50, but the
    # machine 25. So the means are 62.5, 62.5, 50 and 125 / 3, a factor of 1.5, and the deviations 17.68, 17.68, 0 and
    # 14.43; with two references people have one set each, and the machine 50 with all three.
    words = {"A": ["a b c d"], "B": ["a b c e"], "C": ["b c f g"]}
    said = Campaign(name="said", systems={"m": ["a b x x"]}, references=words)
    findings = assay.study("references", said, metrics="recall", k=[1, 2], samples=0).findings
    assert "recall: mean deviation over sets of references 12.45 (k = 1), 0.00 (k = 2)." in findings
    findings = assay.study("references", said, metrics="recall", k=1, samples=0).findings
    assert "recall, k = 1: means run from 41.67 (m) to 62.50 (A), a factor of 1.5." in findings
    factor = "recall, k = 1: with B the human translation A has 75.00, and C has 50.00: a factor of 1.5."
    assert factor in findings


def test_sizes_that_separate_and_none():
    # 1: in no set, 2: in all; the second draw in neither, the third with one already.
    separated = np.array([[0.0, 50.0, 100.0, np.nan], [100.0, 99.0, 50.0, 100.0]])
    np.testing.assert_array_equal(smallest_size([1, 2], separated), [2, 3, 1, np.nan])


def drawn_separation(campaign: Campaign, k: int, weights: np.ndarray) -> np.ndarray:
    """With F1, the share of sets that separate people from machines, and of pairs; once for each row of weights."""
    everyone = {**campaign.systems, **campaign.references}
    clear, wins, pairs = [], 0.0, 0
    for subset in combinations(campaign.references, k):
        references = [list(campaign.references[name]) for name in subset]
        scores = {
            name: assay.metric("f1")
            .evaluate(assay.Corpus(translations=list(text), references=references))
            .weighted_scores(weights)
            for name, text in everyone.items()
            if name not in subset
        }
        people = [name for name in campaign.references if name not in subset]
        differences = np.stack([scores[person] - scores[machine] for person in people for machine in campaign.systems])
        clear.append((differences > 0).all(axis=0))
        wins = wins + (differences > 0).sum(axis=0) + 0.5 * (differences == 0).sum(axis=0)
        pairs += len(differences)
    return np.stack([100 * np.mean(clear, axis=0), 100 * wins / pairs])


@pytest.fixture
def nearly() -> Campaign:
    """People keep seven words of ten, the machine about as many."""
    generator = np.random.default_rng(4)

    def text(name: str, kept: float) -> list[str]:
        return [
            " ".join(f"w{word}" if generator.random() < kept else f"{name}{word}" for word in range(10))
            for _ in range(12)
        ]

    references = {name: text(name, 0.75) for name in "ABCD"}
    return Campaign(name="nearly", systems={"m": text("m", 0.62)}, references=references)


def test_separation_under_draws_is_that_of_the_drawn_texts(nearly):
    result = assay.study("references", nearly, metrics="f1", k=[1, 2, 3], samples=60, unit="segment")
    weights = np.concatenate([np.ones((1, 12)), *bootstrap_counts(numbered(12), 60, 1)])
    drawn = {k: drawn_separation(nearly, k, weights) for k in (1, 2, 3)}
    for one in result.table("separability"):
        for name, values in zip(("separated", "auc"), drawn[one["k"]], strict=True):
            low, high = interval(values[1:], 12)
            expected = (values[0], low, high)
            assert (one[name], one[f"{name}_low"], one[f"{name}_high"]) == pytest.approx(expected)
    smallest = [next((k for k in (1, 2, 3) if drawn[k][0][draw] == 100), 4) for draw in range(61)]
    low, high = interval(np.array(smallest[1:], dtype=float), 12)
    [one] = result.table("references_needed")
    # Draws differ in how many they need, and some need more than there are.
    assert len(set(smallest)) > 2
    assert one["k"] == smallest[0] < 4
    assert (one["low"], one["high"]) == (np.floor(low), None if high > 3 else np.ceil(high))
    assert one["never"] == pytest.approx(100 * np.mean([size == 4 for size in smallest[1:]]))
    assert f"f1: {one['k']} is the smallest number of references with which every human" in " ".join(result.findings)


def test_a_number_of_references_that_is_never_enough_is_said():
    # The machine has the people's very words.
    same = Campaign(name="same", systems={"m": ["a b"] * 6}, references={"A": ["a b"] * 6, "B": ["a c"] * 6})
    result = assay.study("references", same, metrics="f1", k=1, samples=20)
    [one] = result.table("references_needed")
    assert (one["k"], one["low"], one["high"], one["answer"]) == (None, None, None, "none up to 1")
    assert one["never"] == 100
    assert "f1: with no number of references that was tried (1) every human translation" in " ".join(result.findings)
    assert assay.study("references", same, metrics="f1", k=1, systems="A,B").table("references_needed") == []
    [without] = assay.study("references", same, metrics="f1", k=1, samples=0).table("references_needed")
    assert (without["never"], without["answer"]) == (None, "none up to 1")


def test_sets_are_ordered_by_what_they_give_to_whoever_stands_against_them():
    # x has 3 and 5, mean 4; y has 1, 3 and 8, mean 4: A is -1 and -3, B +1 and -1, C +4.
    rows = [("x", "A", 3.0), ("x", "B", 5.0), ("y", "A", 1.0), ("y", "B", 3.0), ("y", "C", 8.0)]
    scores = [{"system": name, "references": subset, "score": score} for name, subset, score in rows]
    assert ordered_sets(scores) == ["A", "B", "C"]
    assert ordered_sets(scores, sign=-1.0) == ["C", "B", "A"]


def test_a_whole_text_is_one_segment(campaign):
    both = assay.study("references", campaign, metrics="bleu", k=2, text="both")
    joined = {name: [" ".join(texts)] for name, texts in {**campaign.systems, **campaign.references}.items()}
    whole = Campaign(
        name="small",
        systems={name: joined[name] for name in campaign.systems},
        references={name: joined[name] for name in campaign.references},
    )
    expected = assay.study("references", whole, metrics="bleu", k=2)
    for one in expected.table():
        assert dict(both.of(one["system"], compared="whole")) == one | {"compared": "whole"}
    segments = assay.study("references", campaign, metrics="bleu", k=2)
    assert both.of("good", compared="segments") == segments.of("good")


def test_references_alone_are_enough():
    alone = Campaign(name="alone", systems={}, references={"A": ["a b"], "B": ["a c"], "C": ["a d"]})
    result = assay.study("references", alone, metrics="f1")
    assert sorted({one["k"] for one in result.table()}) == [1, 2]
    # A against B and C together is a single set.
    assert row(result, "A", "f1", 2)["sd"] is None
    assert row(result, "A", "f1", 1)["sd"] == 0
    assert result.table("separability") == []


def test_all_sizes_unless_some_are_chosen(campaign):
    with pytest.warns(AssayWarning, match="k = 4: fewer other references than that for A, B, C, D"):
        result = assay.study("references", campaign, metrics="f1")
    assert {one["system"] for one in result.table() if one["k"] == 4} == {"good", "poor"}


def test_what_is_drawn_is_said(campaign):
    with pytest.warns(AssayWarning, match="k = 2: of 6 sets of references 3 are drawn"):
        one = assay.study("references", campaign, metrics="f1", k=2, most=3)
    with pytest.warns(AssayWarning):
        assert one.to_json() == assay.study("references", campaign, metrics="f1", k=2, most=3, threads=1).to_json()


def test_bad_input_says_what_is_missing(campaign):
    with pytest.raises(assay.InputError, match="k is 9, but small has 4 references in use"):
        assay.study("references", campaign, k=9)
    with pytest.raises(assay.ParameterError, match="k is 0, but it takes a whole number of at least 1"):
        assay.study("references", campaign, k=0)
    lonely = Campaign(name="lonely", systems={}, references={"A": ["a"]})
    with pytest.raises(assay.InputError, match="lonely has 1 in use"):
        assay.study("references", lonely)
    with pytest.raises(assay.UnknownName, match="no translation 'best'"):
        assay.study("references", campaign, systems="best")
    gaps = Campaign(
        name="gaps", systems={"s": ["a", "b"]}, references={"A": ["a", "b"], "B": ["a", ""]},
        present={"B": np.array([True, False])},
    )  # fmt: skip
    with pytest.raises(assay.InputError, match="reference 'B' has no segment 1"):
        assay.study("references", gaps)


@pytest.mark.filterwarnings("ignore:In 1 of 3 segments all references are empty")
def test_empty_references_are_told():
    gaps = Campaign(name="gaps", systems={}, references={"A": ["a", "b", ""], "B": ["a", "", ""]})
    with pytest.warns(AssayWarning, match="Reference 'B' is empty in 1 segment where others have words.* --where"):
        assay.study("references", gaps, metrics="f1")
    silent = Campaign(name="silent", systems={}, references={"A": ["a"], "B": [""], "C": ["a"]})
    with pytest.warns(AssayWarning, match="'B' is empty in 1 segment .* Leave it out: --refs A,C"):
        assay.study("references", silent, metrics="f1")


def test_same_table_and_same_figure_byte_for_byte(campaign):
    pytest.importorskip("vl_convert")
    one, other = (
        assay.study("references", campaign, metrics="bleu,wer", k=[1, 2], threads=threads) for threads in (1, 3)
    )
    assert one.to_json() == other.to_json()
    drawn = one.chart().to_bytes("svg")
    assert drawn == other.chart().to_bytes("svg")
    assert all(name in drawn.decode() for name in ("good", "poor", "bleu, k = 1", "wer, k = 2"))


#: A cell of the tables: a score, and perhaps the references it was reached with.
CELL = re.compile(r"([\d.]+)(?: \(([\w+]+)\))?")


def luke_tables() -> list[tuple[list[str], list[list[str]]]]:
    """The tables of Luke 1-4: candidates, and the cells of each."""
    if not TRUTH.exists():
        return []
    found = []
    for part in TRUTH.read_text().split("### German Luke")[1:]:
        lines = [line for line in part.splitlines() if line.startswith("| ") and "candidate" not in line]
        cells = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
        found.append(([line[0] for line in cells], cells))
    return found


@needs_data
@pytest.mark.parametrize(("candidates", "table"), luke_tables(), ids=lambda value: str(len(value)))
def test_luke(candidates, table):
    result = assay.study(
        "references", DATA / "bible-de" / "luke1-4", metrics="bleu", k=[1, 2, 4], references=candidates
    )
    for line in table:
        name, cells = line[0], line[1:]
        single = row(result, name, "bleu", 1)
        assert [f"{single[key]:.2f}" for key in ("mean", "sd")] == cells[:2]
        for k, (count, average, deviation, low, high) in ((2, cells[2:7]), (4, cells[7:12])):
            found = row(result, name, "bleu", k)
            # The tables have 0.00 for a single set.
            assert (found["sd"] is None) == (count == "1")
            assert [str(found["n"]), f"{found['mean']:.2f}", f"{found['sd'] or 0.0:.2f}"] == [count, average, deviation]
            for cell, side in ((low, "low"), (high, "high")):
                score, references = CELL.fullmatch(cell).groups()
                assert f"{found[side]:.2f}" == score
                if references is not None:
                    assert found[f"{side}_references"] == references


@needs_data
def test_the_paper_s_elberfelder():
    references = ["elberfelder1905", "bengel1753", "schlachter1951"]
    result = assay.study("references", DATA / "bible-de" / "luke1-4", metrics="bleu", k=2, references=references)
    # Culy & Riehemann report 0.6434 for their editions.
    assert f"{row(result, 'elberfelder1905', 'bleu', 2)['mean']:.2f}" == "62.71"


@pytest.mark.parametrize(
    ("systems", "whose"),
    [
        ("A,B", "All of them are human translations."),
        ("good,poor", "All of them are machine translations."),
        ("A,good", "Blue circles are human translations, orange triangles systems."),
    ],
)
def test_the_picture_says_whose_translations_it_shows(campaign, systems, whose):
    figure = assay.study("references", campaign, metrics="f1", k=[1], systems=systems).chart()
    assert whose in " ".join(figure.data["title"]["subtitle"])


def test_json_is_plain(campaign):
    found = json.loads(assay.study("references", campaign, metrics="f1", k=[1]).to_json())
    assert set(found) >= {"table", "scores", "pairs", "ranks", "order", "separability"}


@pytest.mark.parametrize(("sets", "arranged"), [(6, "hconcat"), (30, "vconcat")])
def test_many_sets_of_references_stand_below_each_other_where_they_would_be_too_wide_for_a_page(sets, arranged):
    # A column is 26 pixels wide: 6 sets twice are 2 * 340, the least there is, and 30 sets twice 2 * 760, the most.
    scores = [
        {"system": system, "kind": "human", "metric": "bleu", "k": k, "compared": "segments"}
        | {"references": f"{number:02}+{k}", "score": float(number + place)}
        for k in (2, 4)
        for number in range(sets)
        for place, system in enumerate(("s", "t"))
    ]
    assert arranged in set_lines("c", scores, ()).data
