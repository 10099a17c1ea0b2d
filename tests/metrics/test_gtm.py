"""GTM by hand, and beside its slow and obvious twin."""

from __future__ import annotations

from math import inf, sqrt
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import assay
from assay.errors import AssayWarning
from assay.metrics.pictures import BitextGrid, Run
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score
from oracles import gtm as oracle

#: The numbers of the paper's Figure 1: hits for 7 words, in runs of 4, 2 and 1; B is twice in the translation.
REFERENCE = "A B C D E F G H I"
TRANSLATION = "G A B C D B H I"

#: Greedy takes "b c d e f" first, and breaks "a b c d" and "e f g h" apart.
TRAP = "a b c d e f g h", "a b c d x e f g h y b c d e f"


def picture(spelling: str, translation: str, *references: str) -> BitextGrid:
    metric = assay.metric(spelling)
    return metric.picture(batch_of([translation], [[one] for one in references], metric.recipe))


def test_the_papers_first_figure():
    # Maximum match size 7 with single words; 4² + 2² + 1² = 21 with squares.
    assert row("gtm", TRANSLATION, REFERENCE) == {"size": 7, "translation_length": 8, "reference_length": 9}
    assert row("gtm(exponent=2)", TRANSLATION, REFERENCE)["size"] == pytest.approx(sqrt(21))
    assert sqrt(21) == pytest.approx(4.6, abs=0.05)


def test_precision_recall_and_f():
    # 7/8, 7/9, and 2 * 7 / (8 + 9).
    found = parts("gtm", TRANSLATION, REFERENCE)
    assert found["precision"] == pytest.approx(87.5)
    assert found["recall"] == pytest.approx(700 / 9)
    assert found["f"] == score("gtm", TRANSLATION, REFERENCE) == pytest.approx(1400 / 17)
    assert score("gtm(measure=precision)", TRANSLATION, REFERENCE) == pytest.approx(87.5)
    assert score("gtm(measure=recall)", TRANSLATION, REFERENCE) == pytest.approx(700 / 9)


def test_a_perfect_translation_is_one_run():
    for spelling in ("gtm", "gtm(exponent=2)", "gtm(exponent=0.5)", "gtm(exponent=2,matching=exact)"):
        assert score(spelling, REFERENCE, REFERENCE) == pytest.approx(100)


def test_runs_are_worth_more_than_their_words():
    assert score("gtm", "c d a b", "a b c d") == pytest.approx(100)
    # Two runs of two: the root of 8, of 4 words.
    assert score("gtm(exponent=2)", "c d a b", "a b c d") == pytest.approx(25 * sqrt(8))


def test_below_an_exponent_of_one_broken_runs_can_pass_100():
    # (1 + 1)^2 = 4 of 2 words, as the program has it.
    assert score("gtm(exponent=0.5)", "b a", "a b") == pytest.approx(200)


def test_empty_texts_score_nothing():
    assert score("gtm", "", "a b") == score("gtm", "a b", "") == score("gtm", "", "") == 0


def test_only_ascii_white_space_cuts_words_and_case_is_kept():
    assert score("gtm", "a\u00a0b", "a b") == 0
    assert score("gtm", "A", "a") == 0
    assert score("gtm(lowercase=true,tokenize=none)", "A\u00a0b", "a b") == pytest.approx(100)


def test_corpora_add_sizes_and_lengths():
    # Roots come first: sqrt(8) + 2 over 4 + 2 words.
    statistics = evaluate("gtm(exponent=2)", ["c d a b", "x y"], ["a b c d", "x y"])
    assert statistics.corpus_score() == pytest.approx(100 * (sqrt(8) + 2) / 6)


def test_runs_do_not_cross_from_one_reference_into_the_next():
    # "a b" ends the first reference and "c" begins the second; 2 of them fit the mean length.
    assert row("gtm(exponent=2)", "a b c", "a b", "c d") == {"size": 2, "translation_length": 3, "reference_length": 2}


def test_several_references_match_up_to_their_mean_length():
    # Mean length 2.5: of "a b c" two and a half words count in the program, and two in the paper.
    assert row("gtm(exponent=2)", "a b c d", "a b c", "d x")["size"] == pytest.approx(2.5)
    assert row("gtm(exponent=2,cap=paper)", "a b c d", "a b c", "d x")["size"] == pytest.approx(2)


def test_absent_references_are_none():
    corpus = assay.Corpus(translations=["a b", "a b"], references_by_segment=[["a c d"], ["a c d", "b"]])
    assert assay.Gtm().evaluate(corpus).rows.tolist() == [[1, 2, 3], [2, 2, 2]]


def test_the_grid_of_one_segment():
    grid = picture("gtm(exponent=2)", "a b c d", "a b c", "d")
    assert grid.translation == ("a", "b", "c", "d")
    assert grid.references == (("a", "b", "c"), ("d",))
    assert grid.barriers == (3, 5)
    assert grid.hits == ((0, 0), (1, 1), (2, 2), (3, 4))
    assert grid.runs == (Run(row=0, column=0, length=2, counted=2.0),)
    assert sorted(grid.capped) == [(2, 2), (3, 4)]


def test_a_capped_run_keeps_a_fraction_in_the_grid():
    grid = picture("gtm", "a b c d", "a b c", "d x")
    assert grid.runs == (Run(row=0, column=0, length=3, counted=2.5),)
    assert grid.capped == ((3, 4),)


def test_the_grid_has_the_matching_before_the_cap():
    grid = picture("gtm(exponent=2)", "a b c d", "a b c", "d")
    assert grid.initial == (Run(0, 0, 3, 3.0), Run(3, 4, 1, 1.0))
    assert picture("gtm(exponent=2)", "a b c", "a b c").initial == ()


@pytest.mark.parametrize("cap", ["gtm14", "paper"])
@pytest.mark.parametrize("matching", ["greedy", "exact"])
def test_before_the_cap_the_grid_has_the_runs_of_a_pass_without_one(cap, matching):
    random = Random(5)
    seen = 0
    for _ in range(200):
        texts = [[random.choice("abcd") for _ in range(random.randint(1, 7))] for _ in range(4)]
        spelling = f"gtm(exponent=2,cap={cap},matching={matching})"
        grid = picture(spelling, *map(" ".join, texts))
        seen += bool(grid.initial)
        if grid.initial and matching == "greedy":
            runs = oracle.greedy(texts[0], texts[1:], inf)
            assert sorted((run.row, run.column, run.counted) for run in grid.initial) == sorted(runs)
        kept = {cell for run in grid.runs for cell in run.cells}
        if grid.initial and cap == "paper":
            assert {cell for run in grid.initial for cell in run.cells} == kept | set(grid.capped)
    assert seen > 50


def test_the_grid_leaves_absent_references_out():
    metric = assay.Gtm()
    corpus = assay.Corpus(translations=["a b", "a"], references_by_segment=[["a"], ["a", "b"]])
    whole = batch_of(["a b", "a"], [["a", "a"], ["", "b"]], metric.recipe)
    batch = type(whole)(whole.translation_texts, whole.reference_texts, corpus.present, metric.recipe)
    assert metric.picture(batch).references == (("a",),)


def test_greedy_matching_can_miss_the_maximum():
    # 25 + 4 + 1 against 16 + 16.
    assert row("gtm(exponent=2)", *TRAP)["size"] == pytest.approx(sqrt(30))
    found = row("gtm(exponent=2,matching=exact)", *TRAP)
    assert found["size"] == found["size_bound"] == pytest.approx(sqrt(32))
    assert found["unproved"] == 0
    assert [run.length for run in picture("gtm(exponent=2,matching=exact)", *TRAP).runs] == [4, 4]


def test_without_enough_steps_the_best_found_comes_with_a_bound_and_a_warning():
    with pytest.warns(AssayWarning, match="1 of 1 segments have the best matching found in 10 steps, without proof"):
        statistics = evaluate("gtm(exponent=2,matching=exact,effort=10)", [TRAP[0]], [TRAP[1]])
    size, _, _, bound, unproved = statistics.rows[0]
    assert size == pytest.approx(sqrt(30))
    assert bound > sqrt(32)
    assert unproved == 1
    found = statistics.parts()
    assert found["unproved_segments"] == 1
    assert found["score_bound"] > found["f"]
    # The F-measure of the bound: lengths are 8 and 15.
    assert found["score_bound"] == pytest.approx(100 * 2 * bound / (8 + 15))


def test_long_segments_of_repeated_words_finish():
    one = " ".join(["the"] * 2000)
    assert row("gtm(exponent=2)", one, one)["size"] == pytest.approx(2000)
    blocks = " ".join((["the"] * 50 + ["x"]) * 39), " ".join((["the"] * 37 + ["y"]) * 52)
    assert row("gtm(exponent=2)", *blocks)["size"] > 200
    with pytest.warns(AssayWarning, match="without proof"):
        found = row("gtm(exponent=2,matching=exact)", *blocks)
    assert found["size_bound"] >= found["size"] > 200


def test_large_exponents_stay_finite():
    # What counts is the longest run, whatever the power.
    assert row("gtm(exponent=2000)", "a b c x d", "a b c y d")["size"] == pytest.approx(3)
    assert row("gtm(exponent=2000,matching=exact)", *TRAP)["size"] == pytest.approx(5)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("gtm(exponent=0)", "exponent is 0, but it takes a number above 0"),
        ("gtm(exponent=-1)", "exponent is -1, but it takes a number above 0"),
        ("gtm(exponent=nan)", "exponent is nan, but it takes a finite number"),
        ("gtm(exponent=inf)", "exponent is inf, but it takes a finite number"),
        ("gtm(exponent=0.5,matching=exact)", "at least 1 with matching=exact"),
        ("gtm(effort=-1)", "effort is -1"),
        ("gtm(measure=f1)", "measure is 'f1', but it takes f, precision, recall"),
        ("gtm(cap=none)", "cap is None, but it takes gtm14, paper"),
    ],
)
def test_impossible_values_are_refused(spelling, message):
    with pytest.raises(assay.ParameterError, match=message.replace("(", r"\(")):
        assay.metric(spelling)


def test_sizes_beyond_all_numbers_are_refused():
    with pytest.raises(assay.ParameterError, match="more than a number can hold"):
        score("gtm(exponent=0.0001)", "a x b y c", "c b a")


def test_a_file_without_line_ends_is_refused():
    long = "a " * 400_000
    with pytest.raises(assay.InputError, match="missing its line ends"):
        evaluate("gtm", [long], [long])


words = st.lists(st.sampled_from("abc"), max_size=9)
few = st.lists(st.sampled_from("abcd"), max_size=6)


@settings(max_examples=300)
@given(
    translation=words,
    references=st.lists(words, min_size=1, max_size=3),
    exponent=st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0]),
)
def test_greedy_runs_and_sizes_are_the_oracles(translation, references, exponent):
    texts = " ".join(translation), *map(" ".join, references)
    metric = f"gtm(exponent={exponent})"
    limit = min(len(translation), oracle.mean_length(references))
    expected = oracle.greedy(translation, references, limit)
    assert [(run.row, run.column, run.counted) for run in picture(metric, *texts).runs] == expected
    assert row(metric, *texts)["size"] == pytest.approx(oracle.greedy_size(translation, references, exponent))
    paper = oracle.greedy_size(translation, references, exponent, "paper")
    assert row(f"gtm(exponent={exponent},cap=paper)", *texts)["size"] == pytest.approx(paper)


@settings(max_examples=100)
@given(segments=st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_ragged_corpora_are_the_oracles(segments):
    corpus = assay.Corpus(
        translations=[" ".join(translation) for translation, _ in segments],
        references_by_segment=[[" ".join(one) for one in references] for _, references in segments],
    )
    rows = assay.Gtm(exponent=2).evaluate(corpus).rows
    for found, (translation, references) in zip(rows, segments, strict=True):
        size = oracle.greedy_size(translation, references, 2)
        assert found.tolist() == pytest.approx([size, len(translation), oracle.mean_length(references)])


@settings(max_examples=150)
@given(
    translation=few,
    references=st.lists(few, min_size=1, max_size=2),
    exponent=st.sampled_from([1.0, 1.5, 2.0, 3.0]),
    cap=st.sampled_from(["gtm14", "paper"]),
)
def test_the_exact_matching_is_the_true_maximum(translation, references, exponent, cap):
    assume(sum(map(len, references)) <= 9)
    spelling = f"gtm(exponent={exponent},cap={cap},matching=exact)"
    texts = " ".join(translation), *map(" ".join, references)
    found = row(spelling, *texts)
    expected = oracle.true_maximum(translation, references, exponent, cap)
    assert found["size"] == found["size_bound"] == pytest.approx(expected)
    assert oracle.size([run.counted for run in picture(spelling, *texts).runs], exponent) == pytest.approx(expected)


@settings(max_examples=30)
@given(
    pieces=st.lists(st.tuples(st.integers(0, 6), st.integers(2, 5)), min_size=2, max_size=3),
    exponent=st.sampled_from([1.5, 2.0, 3.0]),
)
def test_phrases_that_overlap_are_matched_exactly(pieces, exponent):
    translation = "abcdefgh"
    reference = [word for start, length in pieces for word in (*translation[start : start + length], "x")]
    found = row(f"gtm(exponent={exponent},matching=exact)", " ".join(translation), " ".join(reference))
    assert found["size"] == pytest.approx(oracle.true_maximum(translation, [reference], exponent))


@settings(max_examples=100)
@given(translation=words, references=st.lists(words, min_size=2, max_size=2), exponent=st.sampled_from([0.5, 2.0]))
def test_both_caps_give_one_size_where_the_mean_is_whole(translation, references, exponent):
    assume(sum(map(len, references)) % 2 == 0)
    texts = " ".join(translation), *map(" ".join, references)
    program, paper = (row(f"gtm(exponent={exponent},cap={cap})", *texts)["size"] for cap in ("gtm14", "paper"))
    assert program == pytest.approx(paper)


@settings(max_examples=60)
@given(translation=words, references=st.lists(words, min_size=1, max_size=3))
def test_single_words_need_no_search(translation, references):
    # With an exponent of 1 the size is the number of common words, up to the cap.
    texts = " ".join(translation), *map(" ".join, references)
    together = [word for reference in references for word in reference]
    common = sum(min(translation.count(word), together.count(word)) for word in set(translation))
    expected = min(common, oracle.mean_length(references))
    assert row("gtm", *texts)["size"] == pytest.approx(expected)
    assert row("gtm(matching=exact)", *texts)["size"] == pytest.approx(expected)
