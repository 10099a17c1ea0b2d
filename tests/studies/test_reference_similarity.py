"""The study of how alike references are: by hand, beside scipy, and beside scores of single corpora."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import numpy as np
import pytest
from scipy import stats
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

import assay
from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.questions.studies.reference_similarity import Similarity, _least_similar, dixon_bound
from assay.significance.draws import bootstrap_counts, interval, numbered
from results.drawn import is_drawn, layers, texts, values

#: F1 by hand: A and B share 3 of 4 words, C 2 of 4 with A and 1 with B, D one word with each.
FOUR = Campaign(
    name="four",
    systems={},
    references={"A": ["a b c d"] * 6, "B": ["a b c e"] * 6, "C": ["a d f g"] * 6, "D": ["a h i j"] * 6},
)
PAIRS = {("A", "B"): 75, ("A", "C"): 50, ("A", "D"): 25, ("B", "C"): 25, ("B", "D"): 25, ("C", "D"): 25}


def cells(result: assay.Result, table: str, *names: str) -> list[tuple]:
    return [tuple(row[name] for name in names) for row in result.table(table)]


def test_similarity_is_the_mean_of_either_against_the_other():
    result = assay.study("reference-similarity", FOUR, metrics="f1", samples=0)
    expected = PAIRS | {(b, a): value for (a, b), value in PAIRS.items()} | {(name, name): 100 for name in "ABCD"}
    found = {(row["a"], row["b"]): row["similarity"] for row in result.table("matrix")}
    assert found == pytest.approx(expected)
    # Precision of a short text against a long one is not that of the long one against it.
    uneven = Campaign(name="uneven", systems={}, references={"A": ["a b"], "B": ["a b c d"], "C": ["x"]})
    rows = assay.study("reference-similarity", uneven, metrics="precision", samples=0).table("matrix")
    scores = {(row["a"], row["b"]): (row["score"], row["similarity"], row["distance"]) for row in rows}
    assert scores["A", "B"] == pytest.approx((100, 75, 25))
    assert scores["B", "A"] == pytest.approx((50, 75, 25))


def test_the_least_similar_one_is_named_first():
    result = assay.study("reference-similarity", FOUR, metrics="f1", samples=0)
    # A: (75 + 50 + 25) / 3, B: (75 + 25 + 25) / 3, C: (50 + 25 + 25) / 3, D: 25.
    means = [("D", 25), ("C", 100 / 3), ("B", 125 / 3), ("A", 50)]
    assert cells(result, "table", "reference", "similarity") == [(name, pytest.approx(value)) for name, value in means]
    assert cells(result, "table", "nearest", "nearest_similarity")[2] == ("A", pytest.approx(75))
    assert cells(result, "table", "farthest", "farthest_similarity")[1][1] == pytest.approx(25)
    [least] = result.table("least_similar")
    assert (least["reference"], least["next"]) == ("D", "C")
    # The gap of 8.33 is a third of the range from 25 to 50; without draws nobody is called an outlier.
    assert (least["gap"], least["ratio"]) == (pytest.approx(100 / 3 - 25), pytest.approx(1 / 3))
    assert (least["bound"], least["outlier"]) == (0.765, None)
    assert "D is least similar to the others (25.00 in the mean); the next is C with 33.33." in " ".join(
        result.findings
    )


def test_error_rates_are_alike_where_they_are_low():
    result = assay.study("reference-similarity", FOUR, metrics="wer", samples=0)
    # In its place, C shares one word with each of the others, as D does; A and B have one of four words wrong.
    found = cells(result, "table", "reference", "similarity")
    assert found == [
        ("C", pytest.approx(75)),
        ("D", pytest.approx(75)),
        ("A", pytest.approx(175 / 3)),
        ("B", pytest.approx(175 / 3)),
    ]
    distances = {(row["a"], row["b"]): row["distance"] for row in result.table("matrix")}
    assert (distances["A", "B"], distances["A", "A"]) == pytest.approx((25, 0))
    # From the lowest rate to the next lowest one is nothing; D stands beside C.
    [least] = result.table("least_similar")
    assert (least["gap"], least["ratio"]) == (0, 0)


def test_the_tree_joins_as_average_linkage_does_by_hand():
    result = assay.study("reference-similarity", FOUR, metrics="f1", samples=0)
    # Distances are 100 less similarity. A and B join at 25; C is (50 + 75) / 2 = 62.5 from both, 75 from D, and joins
    # them; D is 75 from all three.
    assert cells(result, "merges", "references", "height", "size") == [
        ("A+B", pytest.approx(25), 2),
        ("A+B+C", pytest.approx(62.5), 3),
        ("A+B+C+D", pytest.approx(75), 4),
    ]


def test_the_tree_is_scipy_s_also_for_scores_without_a_bound():
    generator = np.random.default_rng(2)
    scores = generator.uniform(3, 9, (1, 7, 7))
    scores[0][np.diag_indices(7)] = generator.uniform(10, 14, 7)
    alike = Similarity(assay.metric("nist"), tuple("abcdefg"), scores, 10)
    distances = np.zeros((7, 7))
    for a in range(7):
        for b in range(7):
            # What two have against themselves, in the mean, less what they have against each other.
            own = (scores[0, a, a] + scores[0, b, b]) / 2
            distances[a, b] = own - (scores[0, a, b] + scores[0, b, a]) / 2
    expected = linkage(squareform(distances, checks=False), "average")
    found = [[row["first"], row["second"], row["height"], row["size"]] for row in alike.merges()]
    np.testing.assert_allclose(found, expected)


def test_bounds_of_dixon_s_ratio_are_passed_in_five_of_a_hundred_cases():
    generator = np.random.default_rng(3)
    for count in range(3, 31):
        drawn = np.sort(generator.standard_normal((40_000, count)), axis=1)
        ratio = (drawn[:, 1] - drawn[:, 0]) / (drawn[:, -1] - drawn[:, 0])
        # Four standard errors of a share of 0.05 among so many are 0.0044.
        assert abs((ratio > dixon_bound(count)).mean() - 0.05) < 0.0044, count


def words(generator: np.random.Generator, kept: float, other: str) -> list[str]:
    return [
        " ".join(f"w{place}" if generator.random() < kept else f"{other}{place}" for place in range(12))
        for _ in range(20)
    ]


@pytest.fixture
def free() -> Campaign:
    """Four strict references and a free one, and three systems."""
    generator = np.random.default_rng(1)
    references = {name: words(generator, 0.85, name) for name in "ABCD"} | {"F": words(generator, 0.2, "F")}
    systems = {name: words(generator, kept, name) for name, kept in (("x", 0.8), ("y", 0.6), ("z", 0.4))}
    judgements = [
        Judgement(system, segment, float(level + segment % 3), "da")
        for system, level in (("x", 70), ("y", 60), ("z", 50))
        for segment in range(20)
    ]
    return Campaign(name="free", systems=systems, references=references, human=Judgements.of(judgements, "human.tsv"))


def f1(text, references) -> assay.Statistics:
    corpus = assay.Corpus(translations=list(text), references=[list(each) for each in references])
    return assay.metric("f1").evaluate(corpus)


def test_an_outlier_is_called_one_where_the_interval_says_so(free):
    result = assay.study("reference-similarity", free, metrics="f1", samples=80, unit="segment")
    weights = np.concatenate([np.ones((1, 20)), *bootstrap_counts(numbered(20), 80, 1)])
    names = list(free.references)
    drawn = np.array(
        [[f1(free.references[a], [free.references[b]]).weighted_scores(weights) for b in names] for a in names]
    )
    pairs = (drawn + drawn.swapaxes(0, 1)) / 2
    means = np.array([sum(pairs[a, b] for b in range(5) if b != a) / 4 for a in range(5)])
    for place, name in enumerate(names):
        row = result.of(reference=name, table="table")
        assert (row.similarity, row.low, row.high) == pytest.approx((means[place, 0], *interval(means[place, 1:], 20)))
    [least] = result.table("least_similar")
    gap = means[:4].min(axis=0) - means[4]
    ratio = gap / (means.max(axis=0) - np.minimum(means[4], means[:4].min(axis=0)))
    assert least["reference"] == "F"
    assert (least["gap"], least["gap_low"]) == pytest.approx((gap[0], interval(gap[1:], 20).low))
    assert (least["ratio"], least["ratio_low"]) == pytest.approx((ratio[0], interval(ratio[1:], 20).low))
    assert least["outlier"] is True
    assert least["ratio_low"] > least["bound"] == 0.642
    assert "F is an outlier" in " ".join(result.findings)
    strict = assay.study("reference-similarity", free, metrics="f1", samples=80, references="A,B,C,D", unit="segment")
    assert strict.table("least_similar")[0]["outlier"] is False
    assert "is not called an outlier" in " ".join(strict.findings)


def test_an_outlier_on_these_texts_alone_is_not_called_one():
    # As they are: A has 80, 80 and 30, B and C 80, 60 and 30, D 30 thrice: the gap is 0.8 of the range, above 0.765. In
    # half of the draws B and C have 20 with each other, and the gap is 0.4 of it.
    scores = np.full((41, 4, 4), 80.0)
    scores[:, 3] = scores[:, :, 3] = 30.0
    scores[:, 1, 2] = scores[:, 2, 1] = [60.0, *[60.0] * 20, *[20.0] * 20]
    row = _least_similar(Similarity(assay.metric("f1"), tuple("ABCD"), scores, 50))
    assert (row["reference"], row["ratio"], row["ratio_low"]) == ("D", pytest.approx(0.8), pytest.approx(0.4))
    assert (row["bound"], row["outlier"]) == (0.765, False)


def test_places_and_pairs_that_change_are_counted():
    # x has the free reference's words: 100, and nothing without it; y and z have half of the strict ones' words.
    strict = {name: [f"a b c {name}"] for name in "ABC"}
    whole = Campaign(
        name="free",
        systems={"x": ["q r s t"], "y": ["a b y y"], "z": ["a b z z"]},
        references={**strict, "F": ["q r s t"]},
    )
    result = assay.study("reference-similarity", whole, metrics="f1", samples=0)
    places = {row["system"]: (row["rank"], row["rank_without"]) for row in result.table("left_out")}
    assert places == {"x": (1, 3), "y": (2, 1), "z": (2, 1)}
    # x changes places with both; y and z are equal before and after.
    said = (
        "scores are -100.00 to +0.00 away from what they are without another reference, and 2 of 3 pairs change order"
    )
    assert f"f1: without F {said}." in result.findings
    alone = assay.study("reference-similarity", whole, metrics="f1", samples=0, systems="x")
    one = "f1: without F the score of x is -100.00 away from what it is without another reference."
    assert one in alone.findings
    two = assay.study("reference-similarity", whole, metrics="f1", samples=0, systems="x,y")
    assert any(finding.endswith("and 1 of 1 pair changes order.") for finding in two.findings)


def test_leaving_it_out_is_compared_with_leaving_out_another(free):
    result = assay.study("reference-similarity", free, metrics="f1", samples=20, unit="segment")
    scores = {}
    for system, text in free.systems.items():
        score = {
            left: f1(text, [free.references[name] for name in "ABCDF" if name != left]).corpus_score()
            for left in ("", *"ABCDF")
        }
        another = mean(score[left] for left in "ABCD")
        row = result.of(system, table="left_out")
        assert (row.score, row.without, row.without_another) == pytest.approx((score[""], score["F"], another))
        assert row.delta == pytest.approx(score["F"] - another)
        assert row.delta_low <= row.delta <= row.delta_high
        scores[system] = score
    assert [row["rank"] for row in result.table("left_out")] == [1, 2, 3]
    # Pearson over three systems, with all references and without each.
    people = [mean(row + segment % 3 for segment in range(20)) for row in (70, 60, 50)]
    of_set = {left: stats.pearsonr([scores[name][left] for name in "xyz"], people).statistic for left in ("", *"ABCDF")}
    row = result.of("system", "pearson", table="correlations")
    another = mean(of_set[left] for left in "ABCD")
    assert (row.value, row.without, row.without_another) == pytest.approx((of_set[""], of_set["F"], another))
    assert row.delta == pytest.approx(of_set["F"] - another)


def test_without_systems_the_other_references_are_candidates(free):
    alone = replace(free, systems={}, human=None)
    result = assay.study("reference-similarity", alone, metrics="f1", samples=0)
    assert {row["system"] for row in result.table("left_out")} == set("ABCD")
    score = {
        left: f1(free.references["A"], [free.references[name] for name in "BCDF" if name != left]).corpus_score()
        for left in ("", *"BCDF")
    }
    row = result.of("A", table="left_out")
    expected = (score[""], score["F"], mean(score[left] for left in "BCD"))
    assert (row.score, row.without, row.without_another) == pytest.approx(expected)
    assert result.table("correlations") == []
    assert "No correlations with people: nobody judged systems here." in result.findings


def test_what_is_missing_is_said(free):
    with pytest.raises(assay.InputError, match=r"free has 2 in use\. It needs at least 3"):
        assay.study("reference-similarity", free, references="A,B")
    with pytest.raises(assay.InputError):
        assay.study("reference-similarity", replace(free, human=None), kind="da")
    kinds = Judgements.of([Judgement("x", 0, 1.0, "da"), Judgement("x", 0, 1.0, "mqm")], "human.tsv")
    several = assay.study("reference-similarity", replace(free, human=kinds), metrics="f1", samples=0)
    assert any("several kinds of judgement" in finding for finding in several.findings)


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_the_picture_has_the_tree_beside_the_matrix_in_one_order():
    pytest.importorskip("vl_convert")
    result = assay.study("reference-similarity", CAMPAIGN, metrics="ter", samples=0)
    figure = result.chart()
    assert is_drawn(figure)
    (line,) = figure.data["vconcat"]
    tree, grid = line["hconcat"]
    merges = result.table("merges")
    assert max(row["to"] for row in values(tree, "rule")) == pytest.approx(merges[-1]["height"])
    order = layers(grid, "rect")[0]["encoding"]["y"]["scale"]["domain"]
    assert [name for name in texts(tree) if name in order] == order
    shown = {(row["line"][0], row["column"]): row["text"] for row in values(grid, "rect")}
    # Three references, each beside two others.
    assert len(shown) == 6
    least = result.table("least_similar")[0]["reference"]
    assert f"Least similar to the others: {least} (ter)." in " ".join(figure.data["title"]["subtitle"])
