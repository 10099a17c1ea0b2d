"""BLANC by hand, beside its slow and obvious twin, and beside the metrics that are special cases of it."""

from __future__ import annotations

from dataclasses import replace
from math import exp, inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import assay
from assay.demo import CAMPAIGN
from assay.metrics.blanc import BUCKETS, Blanc, skip_ngrams
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score
from oracles import blanc as oracle

TRANSLATION, REFERENCE = "the cat sat now", "the cat sat on the mat"

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-zh-en"

#: Few different words, so that most are repeated.
texts = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
#: Long enough for every bucket.
long_texts = st.lists(st.sampled_from("abcdefghijkl"), min_size=18, max_size=24).map(" ".join)
thorough = settings(max_examples=150)


def texts_of(campaign: Path) -> tuple[list[str], list[str]]:
    """300 segments of two systems, and their reference."""
    found = assay.read(campaign)
    reference, *_ = found.references.values()
    first, second, *_ = found.systems.values()
    return [*list(first)[:150], *list(second)[:150]], list(reference)[:150] * 2


CORPORA = [
    pytest.param(CAMPAIGN, id="demo"),
    pytest.param(
        REAL,
        id="wmt23",
        marks=pytest.mark.skipif(not REAL.is_dir(), reason=f"the campaign of WMT23 is not at {REAL}"),
    ),
]


def test_the_example_of_the_page():
    # Without gaps: 3 words, "the cat" and "cat sat", one triple. "the ... sat" has a gap of 1 on both sides.
    found = row("blanc(order=3,gap=1)", TRANSLATION, REFERENCE)
    assert found == {
        "common_1": 3,
        "common_2_gap_0": 2,
        "common_2_gap_1": 1,
        "common_3_gap_0": 1,
        "common_3_gap_1": 0,
        "translation_1": 4,
        "translation_2_gap_0": 3,
        "translation_2_gap_1": 2,
        "translation_3_gap_0": 2,
        "translation_3_gap_1": 2,
        "reference_1": 6,
        "reference_2_gap_0": 5,
        "reference_2_gap_1": 4,
        "reference_3_gap_0": 4,
        "reference_3_gap_1": 6,
    }


def test_gaps_decay_in_all_three_sums():
    # Half per word skipped: 2 + 1/2 of 3 + 2/2 pairs in the translation, of 5 + 4/2 in the reference.
    half = 0.6931471805599453
    found = parts(f"blanc(order=2,gap=1,decay={half})", TRANSLATION, REFERENCE)
    assert found["precision_2"] == pytest.approx(100 * 2.5 / 4)
    assert found["recall_2"] == pytest.approx(100 * 2.5 / 7)
    # F of words: 2 * 3 / (4 + 6); of pairs: 2 * 2.5 / (4 + 7).
    expected = 50 * (6 / 10 + 5 / 11)
    assert score(f"blanc(order=2,gap=1,decay={half})", TRANSLATION, REFERENCE) == pytest.approx(expected)


def test_weights_say_how_much_each_size_matters():
    # 6/10 of words and, without gaps, 2 * 2 / (3 + 5) of pairs.
    assert score("blanc(order=2,gap=0,weights=[3,1])", TRANSLATION, REFERENCE) == pytest.approx(100 * (1.8 + 0.5) / 4)
    assert score("blanc(order=2,gap=0,weights=[1,0])", TRANSLATION, REFERENCE) == pytest.approx(60)


def test_alpha_is_the_weight_of_recall():
    spelling = "blanc(order=1,alpha={})"
    found = [score(spelling.format(alpha), TRANSLATION, REFERENCE) for alpha in (0, 0.5, 0.9, 1)]
    assert found == pytest.approx([75, 60, score("fmean", TRANSLATION, REFERENCE), 50])


def test_the_wider_of_the_two_gaps_counts():
    # "a b" is tight in the translation and 2 words apart in the reference.
    found = row("blanc(order=2)", "a b", "a x y b")
    assert found["common_2_gap_2"] == 1
    assert found["common_2_gap_0"] == found["common_2_gap_1"] == 0


def test_each_sequence_of_words_counts_as_often_as_on_both_sides():
    # a-b three times and b-a once, against a-b once and b-a three times; a-a and b-b once each.
    found = row("blanc(order=2,gap=2)", "a b a b", "b a b a")
    assert sum(found[f"common_2_gap_{gap}"] for gap in (0, 1, 2)) == 4


def test_buckets_end_where_the_gap_ends():
    assert Blanc(gap=0).buckets == ((0, 0),)
    assert Blanc(gap=5).buckets == ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5))
    assert Blanc(gap=20).buckets[-3:] == ((9, 12), (13, 16), (17, 20))
    assert Blanc().buckets[-2:] == ((13, 16), (17, None))
    assert len(Blanc().columns) == 3 * (1 + 3 * (len(BUCKETS) + 1)) == 93


def test_a_bucket_counts_as_its_smallest_gap():
    # "a" and "b" are 6 words apart, in the bucket of 5 and 6: of all 28 pairs of the translation one in that bucket
    # has a gap of 6 and two have 5; the others are 7, 6, 5, 4 and 3 with gaps of 0 to 4.
    found = parts("blanc(order=2,decay=0.1)", "a 1 2 3 4 5 6 b", "a x x x x x x b")
    total = sum((7 - gap) * exp(-0.1 * gap) for gap in range(5)) + 3 * exp(-0.1 * 5)
    assert found["precision_2"] == found["recall_2"] == pytest.approx(100 * exp(-0.1 * 5) / total)


def test_what_is_beyond_the_last_bucket_counts_as_a_gap_of_32():
    # Of "a" and "b", 20 words apart, with nothing else in common: 22 words have 231 pairs, 10 of them that far.
    between = range(20)
    found = parts("blanc(order=2,decay=0.1)", f"a {' '.join(map(str, between))} b", f"a {'x ' * 20}b")
    gaps = [(0, 21), (1, 20), (2, 19), (3, 18), (4, 17), (5, 31), (7, 27), (9, 42), (13, 26), (32, 10)]
    assert found["precision_2"] == pytest.approx(100 * exp(-3.2) / sum(count * exp(-0.1 * gap) for gap, count in gaps))


def test_perfect_translations_score_100():
    for spelling in ("blanc", "blanc(decay=0)", "blanc(order=6,gap=3,weights=[0,0,1,1,1,1],alpha=0.3)"):
        for text in ("a", "a b", "a b a b a b a b", "the the the", " ".join(map(str, range(40)))):
            assert score(spelling, text, text) == pytest.approx(100)


def test_empty_texts():
    assert score("blanc", "", "a b") == score("blanc", "a b", "") == 0
    assert score("blanc", "", "") == 100


def test_sizes_that_neither_side_has_do_not_count():
    # One word of two: F1 of words is 2/3; there is a pair on one side only, so it counts, and triples do not.
    assert score("blanc", "a", "a b") == pytest.approx(100 * (2 / 3 + 0) / 2)
    assert score("blanc", "a", "a") == pytest.approx(100)


def test_where_no_weighted_size_is_there_words_decide():
    assert score("blanc(order=2,weights=[0,1])", "a", "a") == pytest.approx(100)
    assert score("blanc(order=2,weights=[0,1])", "a", "b") == 0


def test_the_best_reference_counts_by_the_formula():
    # The first has both words far apart, the second one word of one.
    translation, first, second = "a b", "a x x x x b", "a"
    assert score("blanc(order=1,alpha=1)", translation, first, second) == pytest.approx(100)
    assert row("blanc(order=1,alpha=1)", translation, first, second)["reference_1"] == 1
    assert row("blanc(order=2,weights=[0,1])", translation, first, second)["reference_1"] == 6


def test_corpora_add_rows():
    statistics = evaluate("blanc(order=1)", ["a b", "c"], ["a x", "c d"])
    # 2 words in common, 3 and 4 in all.
    assert statistics.corpus_score() == pytest.approx(100 * 4 / 7)


def test_what_decays_without_end_has_no_gaps():
    corpus = assay.Corpus(translations=["a b c a b", "x a b"], references=[["a b a c b", "a x b"]])
    tight = replace(Blanc(gap=0), alpha=0.3).evaluate(corpus)
    assert Blanc(decay=800, alpha=0.3).evaluate(corpus).segment_scores() == pytest.approx(tight.segment_scores())


def test_long_segments_finish():
    numbers = " ".join(str(number * number % 601) for number in range(1200))
    assert score("blanc", numbers, numbers) == pytest.approx(100)
    same = " ".join(["the"] * 2000)
    assert score("blanc", same, same) == pytest.approx(100)
    assert score("blanc(gap=3)", same, same) == pytest.approx(100)


def test_too_many_skip_ngrams_are_refused_with_what_helps(monkeypatch):
    # So that the test does not wait for as long as a user would.
    monkeypatch.setattr("assay.metrics.blanc.EFFORT", 10_000_000)
    generator = np.random.default_rng(1)
    long = [" ".join(map(str, generator.integers(0, 900, 2500))) for _ in range(2)]
    with pytest.raises(assay.InputError, match=r"2,500 words .* too many skip-n-grams .* gap=8"):
        score("blanc", *long)
    assert 0 < score("blanc(gap=8)", *long) < 100


def test_ten_thousand_words_are_refused_before_anything_is_counted(monkeypatch):
    monkeypatch.setattr("assay.kernels.common_skip_ngrams", lambda *_: pytest.fail("it counts"))
    generator = np.random.default_rng(1)
    long = [" ".join(map(str, generator.integers(0, 5000, 10_000))) for _ in range(2)]
    with pytest.raises(assay.InputError, match=r"blanc: a segment has 10,000 words .* line ends"):
        score("blanc", *long)


def test_wide_gaps_in_repeated_words_are_refused_before_they_are_listed():
    # Each of 10,000 words begins 300 pairs, each of which can go on in some hundred ways: a list of 20 gigabytes.
    same = " ".join(["the"] * 10_000)
    with pytest.raises(assay.InputError, match=r"10,000 words .* too many skip-n-grams .* gap=8"):
        score("blanc(gap=300)", same, same)


def test_endless_segments_are_refused():
    with pytest.raises(assay.InputError, match="missing its line ends"):
        score("blanc", "a " * 20_000, "b " * 20_000)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("blanc(order=0)", "order is 0, but it takes a whole number from 1 to 16"),
        ("blanc(order=17)", "order is 17"),
        ("blanc(gap=-1)", "gap is -1, but it takes none, or a whole number from 0"),
        ("blanc(gap=1.5)", "gap is 1.5"),
        ("blanc(decay=-1)", "decay is -1, but it takes a number from 0"),
        ("blanc(alpha=1.2)", "alpha is 1.2, but it takes a number from 0"),
        ("blanc(weights=[1,2])", "4 weights of at least 0"),
        ("blanc(weights=[0,0,0,0])", "not all 0"),
        ("blanc(weights=[1,-1,1,1])", "weights of at least 0"),
    ],
)
def test_values_without_sense_are_refused(spelling, message):
    with pytest.raises(assay.ParameterError, match=message.replace("[", r"\[")):
        assay.metric(spelling)


@given(st.integers(0, 12), st.integers(1, 5), st.none() | st.integers(0, 12))
def test_how_many_there_are(length, size, gap):
    listed = oracle.skip_ngrams([str(place) for place in range(length)], size, inf if gap is None else gap)
    assert skip_ngrams(np.array([float(length)]), size, gap).tolist() == [listed.total()]


@thorough
@given(translation=texts, reference=texts, order=st.integers(1, 5), gap=st.none() | st.integers(0, 9))
@example(translation="a b a c a b", reference="a b c a b a", order=5, gap=None)
def test_rows_are_those_of_the_oracle(translation, reference, order, gap):
    metric = Blanc(order=order, gap=gap)
    agrees_with_oracle(metric, translation, reference)


@settings(max_examples=25)
@given(translation=long_texts, reference=long_texts, gap=st.none() | st.integers(10, 22))
def test_rows_of_longer_texts_are_those_of_the_oracle(translation, reference, gap):
    agrees_with_oracle(Blanc(order=4, gap=gap), translation, reference)


def agrees_with_oracle(metric: Blanc, translation: str, reference: str) -> None:
    found = row(str(metric), translation, reference)
    ends = [inf if last is None else last for _, last in metric.buckets]
    ours, theirs = translation.split(), reference.split()
    expected = [oracle.within(ours, theirs, 1, 0)]
    for size in range(2, metric.order + 1):
        expected += oracle.bucketed(ours, theirs, size, ends)
    assert list(found.values()) == [one[side] for side in range(3) for one in expected]


@thorough
@given(
    translation=texts,
    reference=texts,
    weights=st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.0]), min_size=1, max_size=4).filter(any),
    decay=st.sampled_from([0.0, 0.2, 1.5]),
    alpha=st.sampled_from([0.0, 0.4, 1.0]),
    gap=st.none() | st.integers(0, 7),
)
def test_scores_are_those_of_the_oracle(*, translation, reference, weights, decay, alpha, gap):
    metric = Blanc(order=len(weights), gap=gap, decay=decay, alpha=alpha, weights=tuple(weights))
    ends = [inf if last is None else last for _, last in metric.buckets]
    expected = oracle.score(
        translation.split(), reference.split(), weights=weights, decay=decay, alpha=alpha, ends=ends
    )
    found = score(str(metric), translation, reference)
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert 0 <= found <= 100 + 1e-9


@given(text=st.lists(st.sampled_from("abcde"), min_size=1, max_size=12).map(" ".join), decay=st.floats(0, 5))
def test_nothing_is_better_than_the_reference_itself(text, decay):
    assert score(f"blanc(decay={decay!r})", text, text) == pytest.approx(100, rel=1e-12)


@pytest.mark.parametrize("campaign", CORPORA)
@pytest.mark.parametrize("order", [1, 2, 4, 7])
def test_without_gaps_precision_and_recall_are_those_of_clipped_ngrams(campaign, order):
    translations, references = texts_of(campaign)
    found = evaluate(f"blanc(order={order},gap=0)", translations, references)
    ngrams = assay.Bleu(order=order, tokenize="none:ascii")
    there = assay.Corpus(translations=translations, references=[references])
    turned = assay.Corpus(translations=references, references=[translations])
    precision, recall = (ngrams.evaluate(corpus).rows for corpus in (there, turned))
    ours = found.metric.parts(found.rows)
    for size in range(order):
        for name, rows in (("precision", precision), ("recall", recall)):
            matches, totals = (half[:, size] for half in ngrams.matches_and_totals(rows))
            expected = 100 * np.divide(matches, totals, out=np.zeros(len(rows)), where=totals > 0)
            np.testing.assert_allclose(ours[f"{name}_{size + 1}"], expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("campaign", CORPORA)
@pytest.mark.parametrize("skip", [None, 0, 4, 9])
def test_pairs_without_decay_are_rouge_s(campaign, skip):
    translations, references = texts_of(campaign)
    spelling = f"blanc(order=2,weights=[0,1],decay=0,gap={'none' if skip is None else skip})"
    found = evaluate(spelling, translations, references)
    ours, scores = found.metric.parts(found.rows), found.segment_scores()
    repeated = 0
    for index, (translation, reference) in enumerate(zip(translations, references, strict=True)):
        words = translation.split(), reference.split()
        if max(map(len, words)) < 2:
            continue
        repeated += len(set(words[0])) < len(words[0])
        expected = oracle.rouge_s(*words, inf if skip is None else skip)
        measured = ours["precision_2"][index], ours["recall_2"][index], scores[index]
        assert measured == pytest.approx([100 * value for value in expected], rel=1e-12, abs=1e-12)
    assert repeated > 10


def test_only_the_formula_changes_with_what_can_be_tuned():
    metric = Blanc(order=3)
    batch = batch_of(["a b c a", "x"], [["a c b", "y x"], ["b a a", "x x"]], metric.recipe)
    assert [one.name for one in metric.tunables] == ["decay", "weights[2]", "weights[3]", "alpha"]
    assert {one.changes for one in metric.tunables} == {"formula"}
    other = metric.tuned({"decay": 1.7, "weights[3]": 0.2, "alpha": 0.9})
    assert other == Blanc(order=3, decay=1.7, weights=(1, 1, 0.2), alpha=0.9)
    rows = metric.candidates(batch).rows
    assert rows.shape == (2, 2, len(metric.columns))
    assert np.array_equal(rows, other.candidates(batch).rows)
    best = other.choose(other.score(rows), batch.present)
    assert np.array_equal(rows[best, np.arange(2)], other.count(batch))


def test_the_picture_shows_common_ngrams_with_the_best_reference():
    metric = Blanc(order=2)
    picture = metric.picture(batch_of(["a b c"], [["x y"], ["a b d"]], metric.recipe))
    assert picture.reference_index == 1
    assert [[match.words for match in order.matches] for order in picture.orders] == [[("a",), ("b",)], [("a", "b")]]
