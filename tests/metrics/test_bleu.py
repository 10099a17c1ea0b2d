"""BLEU by hand: worked examples, corner cases and options."""

from __future__ import annotations

import math

import numpy as np
import pytest

import assay
from assay.questions.asked import segment_remarks
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score

MAT = "the cat sat on the mat"


def test_worked_example():
    # Matches 5/6, 3/5, 2/4, 1/3; equal lengths, so no brevity penalty. The product of precisions is 1/12.
    assert score("bleu", "the cat sat on a mat", MAT) == pytest.approx(100 * (1 / 12) ** (1 / 4))


def test_row_of_the_worked_example():
    assert list(row("bleu", "the cat sat on a mat", MAT).values()) == [6, 6, 5, 3, 2, 1, 6, 5, 4, 3]


def test_parts_of_the_worked_example():
    found = parts("bleu", "the cat sat on a mat", MAT)
    assert [found[f"precision_{n}"] for n in (1, 2, 3, 4)] == pytest.approx([500 / 6, 60, 50, 100 / 3])
    assert found["brevity_penalty"] == 1
    assert found["length_ratio"] == 1
    assert (found["translation_length"], found["reference_length"]) == (6, 6)


IRAQ = "the Iraqi weapons are to be handed over to the army within two weeks"
SURRENDER = "the Iraqi weapons will be surrendered to the army in two weeks"


def test_the_lecture_example():
    # Lavie (2007): two, weeks, weapons, army of 8 words; "two weeks" of 7 pairs; nothing longer.
    found = row("bleu", "in two weeks Iraq's weapons will give army", IRAQ)
    assert [found[f"matches_{n}"] for n in (1, 2, 3, 4)] == [4, 1, 0, 0]
    assert [found[f"totals_{n}"] for n in (1, 2, 3, 4)] == [8, 7, 6, 5]


def test_the_lecture_example_of_clipping():
    # "the" stands twice in each reference: 2/4, not 4/4.
    found = row("bleu(order=1)", "the the the the", IRAQ, SURRENDER)
    assert (found["matches_1"], found["totals_1"]) == (2, 4)


def test_a_perfect_translation_scores_100():
    assert score("bleu", MAT, MAT) == pytest.approx(100)


def test_repeated_words_are_clipped():
    # Papineni's example: "the" stands twice in the first reference, once in the second.
    found = row("bleu(order=1)", "the the the the the the the", "the cat is on the mat", "there is a cat on the mat")
    assert found["matches_1"] == 2
    assert found["totals_1"] == 7


def test_matches_may_come_from_different_references():
    # Words 1 and 2 as in the first, 3 and 4 as in the second; no reference has the bigram across.
    found = row("bleu(order=2)", "a b c d", "a b x x", "y y c d")
    assert (found["matches_1"], found["matches_2"]) == (4, 2)


def test_a_short_translation_pays_for_brevity():
    # All n-grams match; 4 words against 6 cost exp(1 - 6/4).
    assert score("bleu", "the cat sat on", MAT) == pytest.approx(100 * math.exp(-0.5))


def test_a_long_translation_pays_in_precision_alone():
    # 6/8, 5/7, 4/6, 3/5: the product is 3/14.
    assert score("bleu", MAT + " right now", MAT) == pytest.approx(100 * (3 / 14) ** (1 / 4))


def test_of_two_equally_close_references_the_shorter_counts():
    four, six = "a b c d", "a b c d e f"
    assert row("bleu", "a b c d e", four, six)["reference_length"] == 4
    assert row("bleu", "a b c d e", six, four)["reference_length"] == 4


@pytest.mark.parametrize(("choice", "length"), [("closest", 6), ("shortest", 2), ("average", 11 / 3)])
def test_which_reference_length_counts(choice, length):
    spelling = f"bleu(reference_length={choice})"
    assert row(spelling, "a b c d e", "a b", "a b c", "a b c d e f")["reference_length"] == pytest.approx(length)


def test_absent_references_neither_match_nor_have_a_length():
    corpus = assay.Corpus(translations=["a b", "c d e"], references_by_segment=[["a b c"], ["x", "c d", "y y y y y y"]])
    rows = assay.Bleu(order=1, reference_length="shortest").evaluate(corpus).rows
    assert rows[:, 1].tolist() == [3, 1]
    assert rows[:, 2].tolist() == [2, 2]
    rows = assay.Bleu(order=1, reference_length="average").evaluate(corpus).rows
    assert rows[:, 1].tolist() == [3, 3]


def test_the_corpus_score_adds_counts_not_scores():
    # Matches 1/2 and 2/2 add to 3/4, though the mean of the scores is 75 by chance only at equal lengths.
    statistics = evaluate("bleu(order=1)", ["a x", "b c d d"], ["a y", "b c d e"])
    assert statistics.segment_scores() == pytest.approx([50, 75])
    assert statistics.corpus_score() == pytest.approx(100 * 4 / 6)


@pytest.mark.parametrize("options", ["", "(effective_order=true)", "(convention=mteval)", "(smoothing=add-k)"])
def test_an_empty_translation_scores_0(options):
    assert score(f"bleu{options}", "", "a b") == 0
    assert score(f"bleu{options}", " \t ", "a b") == 0


@pytest.mark.parametrize("options", ["", "(effective_order=true)", "(smoothing=add-k)", "(smoothing=floor)"])
def test_nothing_matches_an_empty_reference(options):
    assert score(f"bleu{options}", "a b", "") == 0
    assert score(f"bleu{options}", "", "") == 0


def test_a_segment_shorter_than_the_order_scores_0():
    assert score("bleu", "one two three", "one two three") == 0


def test_with_effective_order_a_short_segment_is_scored_by_the_orders_it_has():
    assert score("bleu(effective_order=true)", "one two three", "one two three") == pytest.approx(100)
    assert score("bleu(effective_order=true)", "word", "word") == pytest.approx(100)


def test_add_k_gives_a_perfect_precision_to_orders_that_are_not_there():
    # sacreBLEU adds k before it asks whether an order is there: 1/1 (no k), then (0+1)/(0+1) three times. So all
    # orders count, with or without effective_order: a b / a c has 1/2, 1/2, 1, 1.
    for options in ("smoothing=add-k", "smoothing=add-k,effective_order=true"):
        assert score(f"bleu({options})", "word", "word") == pytest.approx(100)
        assert score(f"bleu({options})", "a b", "a c") == pytest.approx(100 * (1 / 4) ** (1 / 4))


@pytest.mark.parametrize(
    ("smoothing", "product"),
    [
        # "a b c d" against "a b x d": 3/4, 1/3, 0/2, 0/1.
        ("none", 0),
        ("exp", 3 / 4 * 1 / 3 * (1 / 2) / 2 * (1 / 4) / 1),
        ("floor", 3 / 4 * 1 / 3 * 0.1 / 2 * 0.1 / 1),
        ("floor,smoothing_value=0.5", 3 / 4 * 1 / 3 * 0.5 / 2 * 0.5 / 1),
        ("add-k", 3 / 4 * 2 / 4 * 1 / 3 * 1 / 2),
        ("add-k,smoothing_value=2", 3 / 4 * 3 / 5 * 2 / 4 * 2 / 3),
    ],
)
def test_smoothings(smoothing, product):
    assert score(f"bleu(smoothing={smoothing})", "a b c d", "a b x d") == pytest.approx(100 * product ** (1 / 4))


@pytest.mark.parametrize("smoothing", ["none", "exp", "floor", "add-k"])
def test_no_smoothing_helps_where_no_word_matches(smoothing):
    assert score(f"bleu(smoothing={smoothing})", "a b c d", "w x y z") == 0


def test_weights_of_orders():
    # 3/4 and 1/3 with weights 3 to 1.
    expected = 100 * ((3 / 4) ** 3 * (1 / 3)) ** (1 / 4)
    assert score("bleu(order=2,weights=[3,1])", "a b c d", "a b x d") == pytest.approx(expected)
    assert score("bleu(order=2,weights=[0.75,0.25])", "a b c d", "a b x d") == pytest.approx(expected)


def test_an_order_of_weight_0_is_not_looked_at():
    assert score("bleu(weights=[1,0,0,0],smoothing=none)", "a x", "a y") == pytest.approx(50)


class TestMtevalsConvention:
    def test_orders_that_are_not_there_cost_nothing(self):
        assert score("bleu(convention=mteval)", "word", "word") == pytest.approx(100)

    def test_a_single_wrong_word_has_half_a_match(self):
        # (1/2)^(1/4) is .8409, as mteval gives.
        assert score("bleu(convention=mteval)", "word", "other") == pytest.approx(84.08964152537145)

    def test_without_smoothing_orders_that_are_not_there_count_as_zero(self):
        assert score("bleu(convention=mteval,smoothing=none)", "word", "word") == 0

    def test_long_segments_are_scored_as_sacrebleu_does(self):
        pair = "the cat sat on a mat", MAT
        assert score("bleu(convention=mteval)", *pair) == pytest.approx(score("bleu", *pair))


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("bleu(order=0)", "order is 0, but it takes a whole number from 1 to 64"),
        ("bleu(order=65)", "order is 65, but it takes a whole number from 1 to 64"),
        ("bleu(order=2.5)", "order is 2.5, but it takes a whole number"),
        ("bleu(order=nan)", "order is nan, but it takes a whole number"),
        ("bleu(smoothing=expo)", "smoothing is 'expo', but it takes none, floor, add-k, exp"),
        ("bleu(reference_length=longest)", "it takes closest, shortest, average"),
        ("bleu(weights=[1,1])", "4 weights of at least 0"),
        ("bleu(weights=[1,1,1,-1])", "4 weights of at least 0"),
        ("bleu(weights=[0,0,0,0])", "not all 0"),
        ("bleu(smoothing_value=1)", "only with floor, add-k, method4, method6 or method7"),
        ("bleu(smoothing=floor,smoothing_value=-1)", "at least 0"),
        ("bleu(convention=mteval,smoothing=floor)", "none or exp under mteval's convention"),
        ("bleu(convention=mteval,effective_order=true)", "false under mteval's convention"),
        ("bleu(lowercase=yes)", "lowercase is 'yes', but it takes true or false or ascii"),
    ],
)
def test_impossible_options_are_refused(spelling, message):
    with pytest.raises(assay.ParameterError, match=message):
        assay.metric(spelling)


@pytest.mark.parametrize("value", ["nan", "inf", "true", "much", "[1]"])
def test_a_smoothing_value_is_a_finite_number(value):
    with pytest.raises(assay.ParameterError, match="smoothing_value is"):
        assay.metric(f"bleu(smoothing=floor,smoothing_value={value})")


@pytest.mark.parametrize("weights", ["[nan,1,1,1]", "[inf,1,1,1]", "[1,1,1,a]", "true", "equal", "[]"])
def test_weights_are_finite_numbers(weights):
    with pytest.raises(assay.ParameterError, match="weights is"):
        assay.metric(f"bleu(weights={weights})")


def test_sacrebleus_signature_is_given_only_where_sacrebleu_has_the_score():
    assert assay.Bleu().sacrebleu_signature(1) == "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert "|eff:yes|" in assay.Bleu(effective_order=True).sacrebleu_signature(1)
    for spelling in ("bleu(order=3)", "bleu(stem=english)", "bleu(convention=mteval)", "bleu(tokenize=intl)"):
        assert assay.metric(spelling).sacrebleu_signature(1) is None
    for spelling in ("bleu(lowercase=ascii)", "bleu(tokenize=ja-mecab)"):
        assert assay.metric(spelling).sacrebleu_signature(1) is None


def test_only_the_ratio_of_weights_matters():
    corpus = assay.Corpus(translations=["a b c d e"], references=[["a b c x e"]])
    small = assay.metric("bleu(weights=[0.1,0.2,0.3,0.4])").evaluate(corpus).corpus_score()
    large = assay.metric("bleu(weights=[1e307,2e307,3e307,4e307])").evaluate(corpus).corpus_score()
    assert large == pytest.approx(small)


def test_a_difference_is_split_into_brevity_and_precision():
    # 8 of 10 words against 5 of 5 where 10 were wanted: 80 and 100/e. Logarithms differ by 1 for brevity and by ln 0.8
    # for precision; the logarithmic mean of the scores, 43.2 over 0.777, makes points of them.
    bleu = assay.metric("bleu", order=1)
    whole, short = np.array([10.0, 10, 8, 10]), np.array([5.0, 10, 5, 5])
    scale = (80 - 100 / math.e) / (1 + math.log(0.8))
    assert bleu.decompose(whole, short) == pytest.approx({"brevity": scale, "precision_1": scale * math.log(0.8)})
    assert sum(bleu.decompose(whole, short).values()) == pytest.approx(80 - 100 / math.e)


def test_equal_scores_have_nothing_to_split_and_a_score_of_nothing_cannot_be():
    bleu = assay.metric("bleu", order=1)
    some, nothing = np.array([10.0, 10, 8, 10]), np.array([10.0, 10, 0, 10])
    assert bleu.decompose(some, some) == {"brevity": 0.0, "precision_1": 0.0}
    assert bleu.decompose(some, nothing) == {}
    assert assay.metric("chrf").decompose(some, some) == {}


def test_the_picture_shows_the_words_of_every_reference():
    metric = assay.Bleu(order=2)
    picture = metric.picture(batch_of(["a cat!"], [["a dog."], ["the cat!"]], metric.recipe))
    assert picture.references == (("a", "dog", "."), ("the", "cat", "!"))
    assert (picture.reference_index, picture.translation) == (None, ("a", "cat", "!"))


def test_single_segments_have_effective_order_and_a_corpus_has_not():
    corpus = assay.Corpus(translations=["one two three", "a b c d e"], references=[["one two three", "a b c d x"]])
    usual, refused = (assay.metric(name).evaluate(corpus) for name in ("bleu", "bleu(effective_order=false)"))
    # Three words have no 4-gram: 100 by the orders that they have, and 0 by all four.
    assert usual.segment_scores()[0] == pytest.approx(100.0)
    assert refused.segment_scores()[0] == 0.0
    # Of five words 4/5, 3/4, 2/3 and 1/2 match: their product is 1/5, either way.
    assert usual.segment_scores()[1] == refused.segment_scores()[1] == pytest.approx(100 * 0.2**0.25)
    assert usual.corpus_score() == refused.corpus_score()
    assert "effective_order=false" in usual.signature()


def test_where_segments_are_scored_it_is_said_how():
    metrics = [assay.metric(name) for name in ("bleu(smoothing=floor)", "chrf", "bleu", "bleu(order=2)")]
    way = "are scored with effective_order=true: without the orders that a segment is too short for, smoothing"
    assert list(segment_remarks(metrics)) == [
        f"Single segments under bleu(smoothing=floor) {way} floor.",
        # Those of which the same is said share a sentence.
        f"Single segments under bleu, bleu(order=2) {way} exp.",
    ]


def test_the_best_single_reference_has_all_matches_and_the_length():
    # "a b c d" matches a pair of either reference: together both, alone one. Of equally good references the first
    # counts.
    both = row("bleu(order=2,tokenize=none)", "a b c d", "a b x y z", "c d w")
    assert (both["matches_1"], both["matches_2"], both["reference_length"]) == (4, 2, 3)
    best = row("bleu(order=2,tokenize=none,references=best)", "a b c d", "a b x y", "c d w v")
    assert (best["matches_1"], best["matches_2"], best["reference_length"]) == (2, 1, 4)
    # 2/4 words and 1/3 pairs, against "a b x y z" times exp(1 - 5/4): the shorter one is better.
    found = score("bleu(order=2,tokenize=none,references=best)", "a b c d", "a b x y z", "c d w")
    assert found == pytest.approx(100 * (2 / 4 * 1 / 3) ** 0.5)


def test_an_absent_reference_is_never_the_best():
    corpus = assay.Corpus(translations=["a", "b"], references_by_segment=[["x"], ["b", "b"]])
    assert assay.metric("bleu(references=best)").evaluate(corpus).segment_scores().tolist() == [0, 100]


def test_the_picture_against_the_best_single_reference_shows_it_alone():
    metric = assay.metric("bleu(references=best,tokenize=none)")
    picture = metric.picture(batch_of(["a b c"], [["a x y"], ["a b y"]], metric.recipe))
    assert (picture.reference_index, picture.orders[0].reference_total) == (1, 3)


def test_sacrebleu_has_no_signature_for_the_best_single_reference():
    statistics = evaluate("bleu(references=best)", ["a"], ["a"], ["b"])
    assert statistics.metric.sacrebleu_signature(2) is None
    assert "references=best" in statistics.signature()
    assert "references=" not in evaluate("bleu", ["a"], ["a"], ["b"]).signature()


def test_numbered_smoothings_by_hand():
    # "a b x y" against "a b c d": 2/4 words, 1/3 pairs, no triple of 2, no quadruple of 1, nothing longer.
    texts = "a b x y", "a b c d"
    log = math.log(4)
    # Method 4: ln 4 / (2 * 5) of a triple, ln 4 / (4 * 5) of a quadruple.
    product = 1 / 2 * 1 / 3 * (log / 10 / 2) * (log / 20 / 1)
    assert score("bleu(smoothing=method4,tokenize=none)", *texts) == pytest.approx(100 * product**0.25)
    # Method 5: (3/2 + 1/2 + 1/3) / 3 = 7/9, (7/9 + 1/3 + 0) / 3 = 10/27, a third of it, and a third of that.
    product = 7 / 9 * 10 / 27 * 10 / 81 * 10 / 243
    assert score("bleu(smoothing=method5,tokenize=none)", *texts) == pytest.approx(100 * product**0.25)
    # Method 6: of triples (0 + 5 * (1/9) / (1/2)) / (2 + 5) = 10/63, of quadruples (0 + 5 * (10/63)^2 / (1/3)) / 6.
    product = 1 / 2 * 1 / 3 * 10 / 63 * (5 * (10 / 63) ** 2 * 3 / 6)
    assert score("bleu(smoothing=method6,tokenize=none)", *texts) == pytest.approx(100 * product**0.25)


def test_methods_that_look_one_order_further_count_it():
    assert assay.metric("bleu(order=2,smoothing=method5)").columns[-3:] == ("totals_1", "totals_2", "totals_3")
    assert row("bleu(order=2,smoothing=method7,tokenize=none)", "a b c", "a b c")["matches_3"] == 1


def test_numbered_smoothings_score_segments_as_a_corpus_and_have_no_signature_of_sacrebleu():
    metric = assay.metric("bleu(smoothing=method4)")
    assert metric.for_segments() == metric
    assert metric.sacrebleu_signature(1) is None
    with pytest.raises(assay.ParameterError, match="smoothing_value is 0, but it takes a number above 0"):
        assay.metric("bleu(smoothing=method4,smoothing_value=0)")


@pytest.mark.parametrize(
    ("spelling", "short", "unmatched"),
    [
        ("bleu", 0, 0),
        ("bleu(effective_order=false)", 2, 0),
        ("bleu(effective_order=false,smoothing=add-k)", 0, 0),
        ("bleu(smoothing=none)", 0, 1),
        ("bleu(smoothing=none,average=segments)", 0, 1),
        ("bleu(smoothing=none,convention=mteval)", 2, 1),
        ("bleu(order=2,effective_order=false)", 1, 0),
    ],
)
def test_segments_that_score_0_for_want_of_n_grams_are_counted(spelling, short, unmatched):
    # "a b c" and "one" are too short for four, "one" for two; "a b y d f" shares no triple with its reference.
    # "none" has no word of its reference, and 0 is what it deserves.
    translations = ["a b c", "a b c d e", "a b x d v", "one", "none"]
    statistics = evaluate(spelling, translations, ["a b c", "a b c d e", "a b y d f", "one", "other"])
    found = [int(segments.sum()) for segments in statistics.metric.zeros(statistics.rows).values()]
    assert found == [short, unmatched]
    said = list(segment_remarks([statistics.metric], [statistics, statistics]))
    assert any(f"{2 * short} of 10 scores of segments" in line for line in said) == bool(short)
    assert any("for want of matches" in line for line in said) == bool(unmatched)


def test_an_explanation_says_why_the_score_is_0():
    options = {"translation": "a b", "references": ["a b"]}
    (row,) = assay.explain("bleu(effective_order=false)", **options).table("explanations")
    assert row["remarks"].startswith("The score is 0 for want of n-grams")
    (row,) = assay.explain("bleu", **options).table("explanations")
    assert "want of" not in row["remarks"]
