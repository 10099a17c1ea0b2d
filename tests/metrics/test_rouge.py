"""ROUGE: sums by hand, its slow twin, its names and its stems."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from metrics.scored import evaluate, parts, score
from oracles import rouge as oracle

words = st.lists(st.sampled_from(["a", "b", "c", "the", "0"]), max_size=9).map(" ".join)
texts = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=3)


def test_lins_example_by_hand():
    # Lin (2004), S1, S2, S3: "police kill the gunman" has 3 of 4 words in order, "the gunman kill police" 2 of 4.
    reference = "police killed the gunman"
    assert score("rouge-l", "police kill the gunman", reference) == pytest.approx(75.0)
    assert score("rouge-l", "the gunman kill police", reference) == pytest.approx(50.0)
    # Pairs, of six each: police-the, police-gunman, the-gunman; the-gunman alone.
    assert score("rouge-s", "police kill the gunman", reference) == pytest.approx(100 * 3 / 6)
    assert score("rouge-s", "the gunman kill police", reference) == pytest.approx(100 * 1 / 6)


def test_precision_recall_and_f_by_hand():
    # Two words of three, and of four: P = 2/3, R = 1/2; alpha weighs precision.
    ours, theirs = "the cat barked", "the black cat sat"
    assert parts("rouge", ours, theirs) == pytest.approx({"precision": 200 / 3, "recall": 50.0})
    assert score("rouge(measure=recall)", ours, theirs) == pytest.approx(50.0)
    assert score("rouge", ours, theirs) == pytest.approx(100 * (2 * 2 / 3 * 1 / 2) / (2 / 3 + 1 / 2))
    assert score("rouge(alpha=1)", ours, theirs) == pytest.approx(200 / 3)
    assert score("rouge(alpha=0)", ours, theirs) == pytest.approx(50.0)


def test_pairs_with_and_without_single_words():
    # "a b c" and "a b d": ab of three pairs; with single words, but for the last, a and b of two more.
    assert score("rouge-s", "a b c", "a b d") == pytest.approx(100 / 3)
    assert score("rouge-su", "a b c", "a b d") == pytest.approx(100 * 3 / 5)
    # Without gaps "a c" is no pair: of ab, bc and ad, db none is in common.
    assert score("rouge(variant=s,skip=0)", "a b d", "a d b") == 0.0
    assert score("rouge(variant=s,skip=1)", "a b d", "a d b") == pytest.approx(200 / 3)


def test_runs_of_words_weigh_more():
    # Three in a row, at a weight of 2: 9 of 9 for precision, and of 9^2 for recall, as the program has it.
    found = parts("rouge(variant=w,weight=2)", "a b c", "a b c")
    assert found == pytest.approx({"precision": 100.0, "recall": 100 * (9 / 81) ** 0.5})


def test_all_references_count_or_the_one_with_the_best_recall():
    # Against both: 1 + 2 of 2 + 2 words, and of 3 + 2.
    average = parts("rouge", "a b", "a x y", "a b")
    assert average == pytest.approx({"precision": 75.0, "recall": 60.0})
    assert score("rouge(references=best)", "a b", "a x y", "a b") == 100.0
    # The best by recall, not by F: one of one against two of four.
    assert parts("rouge(references=best)", "a b c d", "a b x y", "a") == pytest.approx(
        {"precision": 25.0, "recall": 100.0}
    )


def test_the_corpus_score_is_the_mean():
    assert evaluate("rouge", ["a b", "x"], ["a b", "y"]).corpus_score() == pytest.approx(50.0)


def test_words_are_the_programs():
    # Case, hyphens, and all that is neither a letter nor a digit of ASCII.
    assert score("rouge", "Well-known: 3.5 é!", "well known 3 5") == 100.0
    assert score("rouge", "!", "?") == 0.0


@pytest.mark.parametrize(
    ("typed", "spelling"),
    [
        ("rouge1", "rouge"),
        ("ROUGE-1", "rouge"),
        ("rouge2", "rouge(order=2)"),
        ("Rouge-2", "rouge(order=2)"),
        ("rougeL", "rouge(variant=l)"),
        ("ROUGE-L", "rouge(variant=l)"),
        ("rougeLsum", "rouge(variant=l)"),
        ("rouge-w", "rouge(variant=w)"),
        ("ROUGE-S", "rouge(variant=s)"),
        ("rouge-su", "rouge(variant=su)"),
        ("ROUGE-SU4(skip=9)", "rouge(variant=su,skip=9)"),
    ],
)
def test_names_of_other_programs(typed, spelling):
    assert str(assay.metric(typed)) == spelling


@pytest.mark.parametrize(
    "spelling",
    [
        *(
            "rouge(order=0)",
            "rouge(variant=x)",
            "rouge(variant=s,skip=-1)",
            "rouge(alpha=2)",
            "rouge(variant=w,weight=0)",
        ),
        # Options of other variants.
        *("rouge(variant=l,order=2)", "rouge(skip=3)", "rouge(variant=l,weight=2)"),
    ],
)
def test_options_that_make_no_sense_are_refused(spelling):
    with pytest.raises(assay.ParameterError):
        assay.metric(spelling)


def test_stems_are_the_programs():
    # Short words stay, irregular forms have WordNet's base, and -ent goes behind -al.
    stems = assay.Recipe(stem="rouge").tokens("was geese better running accidental agreement apologies Straße")
    assert stems == ["was", "goose", "good", "run", "accid", "agreem", "apolog", "Straße"]
    # Both words of the translation, two of three of the reference.
    found = parts("rouge(stem=rouge)", "cats walking", "the cat walked")
    assert found == pytest.approx({"precision": 100.0, "recall": 200 / 3})
    # WordNet's base form is not stemmed, but the word itself is: "geese" is "goose", and "goose" is "goos".
    assert score("rouge(stem=rouge)", "geese", "goose") == 0.0


def test_recalls_that_differ_by_rounding_are_equal_and_the_first_reference_counts():
    # All of either reference is there, so both recalls are 1; weighted, one comes out as 1 less the last bit.
    found = parts("rouge(variant=w,weight=1.2,references=best)", "a a a", "a", "a a a")
    # 1 of 3^1.2 and the root of it: a third.
    assert found == pytest.approx({"precision": 100 / 3, "recall": 100.0})


@settings(max_examples=250)
@given(
    texts=texts,
    variant=st.sampled_from(["n", "l", "w", "s", "su"]),
    order=st.integers(1, 4),
    skip=st.sampled_from([None, 0, 1, 4]),
    weight=st.sampled_from([1.0, 1.2, 2.0]),
    alpha=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    rule=st.sampled_from(["average", "best"]),
)
def test_scores_are_those_of_the_slow_twin(*, texts, variant, order, skip, weight, alpha, rule):
    own = {"n": {"order": order}, "l": {}, "w": {"weight": weight}}.get(variant, {"skip": skip})
    translations, references = zip(*texts, strict=True)
    corpus = assay.Corpus(translations=translations, references_by_segment=references)
    for place, measure in enumerate(("precision", "recall", "f")):
        metric = assay.Rouge(variant=variant, measure=measure, alpha=alpha, references=rule, **own)
        expected = []
        for ours, several in texts:
            counts = [
                oracle.count(ours.split(), one.split(), variant, order=order, skip=skip, weight=weight)
                for one in several
            ]
            expected.append(100 * oracle.measures(counts, variant, weight, alpha, rule)[place])
        assert metric.evaluate(corpus).segment_scores() == pytest.approx(expected, rel=1e-9, abs=1e-9)
