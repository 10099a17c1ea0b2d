"""TER by hand."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.text.batch import batch_of
from metrics.scored import evaluate, parts, row, score

MINISTER = "the prime minister of sri lanka criticises the country's president"
PRESIDENT = "president of sri lanka criticized by the country's prime minister"


def picture(spelling, translation, *references):
    metric = assay.metric(spelling)
    return metric.picture(batch_of([translation], [[one] for one in references], metric.recipe))


def test_worked_example():
    # "prime minister" goes forward and "president" to the end: two shifts, three words. Then "the" is missing,
    # "criticized" is too many and "by" is another word than "criticises": five edits for ten words.
    assert score("ter", PRESIDENT, MINISTER) == pytest.approx(50)


def test_row_of_the_worked_example():
    assert row("ter", PRESIDENT, MINISTER) == {
        "insertions": 1,
        "deletions": 1,
        "substitutions": 1,
        "shifts": 2,
        "words_shifted": 3,
        "reference_length": 10,
        "chosen_length": 10,
        "bounded": 0,
    }


def test_parts_of_the_worked_example():
    found = parts("ter", PRESIDENT, MINISTER)
    assert (found["edits"], found["shifts"], found["bounded_segments"]) == (5, 2, 0)


def test_a_block_of_words_moves_for_one_edit():
    # "a b c d e" moves behind "x": one edit of six words, however many words move.
    assert score("ter", "a b c d e x", "x a b c d e") == pytest.approx(100 / 6)


def test_a_shift_that_only_pays_for_itself_is_taken():
    # Without it: "b" is too many, then missing. With it: one shift, nothing else.
    assert row("ter", "b a c d", "a c d b")["shifts"] == 1
    # "x" costs one either way, and then the shift of "b" saves one edit for one.
    found = row("ter", "b x", "y b")
    assert (found["shifts"], found["insertions"] + found["deletions"] + found["substitutions"]) == (1, 1)


def test_without_distance_or_size_nothing_moves():
    for option in ("shift_distance=0", "shift_size=0"):
        found = row(f"ter({option})", "a b c d e x", "x a b c d e")
        assert (found["shifts"], found["insertions"], found["deletions"]) == (0, 1, 1)


def test_a_target_that_is_too_far_away_is_none():
    # The last word, number 8, goes to the very front, behind "word -1": a distance of 9.
    words = [f"w{number}" for number in range(9)]
    moved = " ".join([*words[1:], words[0]])
    assert score("ter(shift_distance=9)", moved, " ".join(words)) == pytest.approx(100 / 9)
    assert score("ter(shift_distance=8)", moved, " ".join(words)) == pytest.approx(200 / 9)


def test_a_longer_block_moves_in_pieces():
    # Four words, two at a time.
    assert row("ter(shift_size=2)", "a b c d e f g h i", "e f g h i a b c d")["shifts"] == 2
    assert row("ter", "a b c d e f g h i", "e f g h i a b c d")["shifts"] == 1


def test_a_narrow_beam_may_hide_the_cheapest_way():
    # Six words too many at the front put the matches six cells away from the column's best.
    translation, reference = "1 2 3 4 5 6 a b c d e f g h", "a b c d e f g h"
    assert score("ter", translation, reference) == pytest.approx(75)
    assert score("ter(beam=1)", translation, reference) >= 75


def test_case_does_not_matter_unless_the_recipe_says_so():
    assert score("ter", "The Cat", "the cat") == 0
    assert score("ter(lowercase=false)", "The Cat", "the cat") == pytest.approx(100)


def test_only_ascii_white_space_cuts_words():
    assert score("ter", "a\u00a0b", "a b") == pytest.approx(100)
    assert score("ter(tokenize=none)", "a\u00a0b", "a b") == 0


def test_an_empty_translation_misses_every_word():
    assert score("ter", "", "a b") == pytest.approx(100)


def test_against_an_empty_reference_everything_is_wrong_once():
    # As TERcom: three edits, no words, rate 1.
    assert score("ter", "a b c", "") == pytest.approx(100)
    assert row("ter", "a b c", "")["insertions"] == 3


def test_two_empty_texts_agree():
    assert score("ter", "", "") == 0


def test_in_a_corpus_an_empty_reference_adds_edits_and_no_words():
    # 3 edits for no words, and none for four.
    assert evaluate("ter", ["a b c", "a b c d"], ["", "a b c d"]).corpus_score() == pytest.approx(75)


def test_fewest_edits_over_the_mean_length():
    # 2 edits to the first, 1 to the second; lengths 4 and 2, on average 3.
    assert score("ter", "a b", "a b c d", "a x") == pytest.approx(100 / 3)


def test_of_equally_good_references_the_first_counts():
    assert row("ter", "a", "a b", "a b c", "b")["chosen_length"] == 2
    assert row("ter", "a", "b", "a b", "a b c")["chosen_length"] == 1


def test_absent_references_are_not_there():
    corpus = assay.Corpus(translations=["a b", "a b"], references_by_segment=[["a b c d"], ["a b c d", "a b"]])
    assert assay.Ter().evaluate(corpus).segment_scores() == pytest.approx([50, 0])


def test_the_corpus_rate_adds_edits_and_words():
    # 1 of 1 and 0 of 3.
    statistics = evaluate("ter", ["x", "a b c"], ["y", "a b c"])
    assert statistics.segment_scores().tolist() == [100, 0]
    assert statistics.corpus_score() == pytest.approx(25)


def test_lower_is_better():
    assert not assay.Ter.higher_is_better


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("beam=0", "beam is 0, but it takes a whole number from 1"),
        ("beam=-3", "beam is -3"),
        ("beam=2.5", "beam is 2.5, but it takes a whole number"),
        ("beam=wide", "beam is 'wide', but it takes a whole number"),
        ("beam=10000000", "beam is 10000000"),
        ("shift_distance=-1", "shift_distance is -1, but it takes a whole number from 0"),
        ("shift_size=-1", "shift_size is -1, but it takes a whole number from 0"),
    ],
)
def test_impossible_options(option, words):
    with pytest.raises(assay.ParameterError, match=words):
        assay.metric(f"ter({option})")


def test_a_file_without_line_ends_is_refused():
    long = "a b c " * 10_000
    with pytest.raises(assay.InputError, match="missing its line ends"):
        evaluate("ter", [long], [long + "d"])


def test_two_thousand_words_that_repeat_end_with_a_remark():
    random = np.random.default_rng(1)
    translation, reference = (" ".join(map(str, random.integers(0, 30, 2000))) for _ in range(2))
    with pytest.warns(UserWarning, match="ter gave up looking for further shifts in 1 of 2 segments"):
        statistics = evaluate("ter", ["a b", translation], ["a b", reference])
    assert statistics.parts()["bounded_segments"] == 1
    # What was found until then is a way from one text to the other: so many words on either side.
    found = dict(zip(statistics.metric.columns, statistics.rows[1], strict=True))
    assert found["insertions"] == found["deletions"]
    assert found["deletions"] + found["substitutions"] <= 2000


def test_no_remark_without_need():
    rows = evaluate("ter", ["a b"], ["b a"]).rows
    assert assay.Ter().remarks(rows) == ()


def test_the_picture_shows_shifts_and_edits():
    found = picture("ter", PRESIDENT, MINISTER)
    assert found.reference_index == 0
    # "prime minister", words 8 and 9, go behind the first word; then that one, "president", goes to the end.
    assert [(shift.words, shift.source, shift.target) for shift in found.shifts] == [((8, 9), 8, 1), ((0,), 0, 9)]
    shown = [(edit.operation, edit.translation, edit.reference) for edit in found.edits if edit.operation != "match"]
    assert shown == [("deletion", None, 0), ("insertion", 4, None), ("substitution", 5, 6)]


@pytest.mark.parametrize("seed", range(40))
def test_pictures_have_the_counts_of_the_row(seed):
    random = np.random.default_rng(seed)
    texts = [" ".join(map(str, random.integers(0, 9, random.integers(0, 25)))) for _ in range(3)]
    found, counts = picture("ter", *texts), row("ter", *texts)
    for operation in ("insertion", "deletion", "substitution"):
        assert sum(edit.operation == operation for edit in found.edits) == counts[f"{operation}s"]
    assert len(found.shifts) == counts["shifts"]
    assert sum(len(shift.words) for shift in found.shifts) == counts["words_shifted"]
    assert len(found.reference) == counts["chosen_length"]
    # Every word stands there once, those of the translation as it was written.
    assert sorted(edit.translation for edit in found.edits if edit.translation is not None) == list(
        range(len(found.translation))
    )
    assert [edit.reference for edit in found.edits if edit.reference is not None] == list(range(len(found.reference)))
    for edit in found.edits:
        if edit.operation == "match":
            assert found.translation[edit.translation] == found.reference[edit.reference]


def test_sacrebleus_signature_where_it_splits_words_as_we_do():
    expected = "TER|nrefs:2|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"
    assert assay.metric("ter(tokenize=none)").sacrebleu_signature(2) == expected
    assert "case:mixed" in assay.metric("ter(tokenize=none,lowercase=false)").sacrebleu_signature(1)
    for other in (
        "ter",
        "ter(tokenize=none,beam=25)",
        "ter(tokenize=tercom:normalize)",
        "ter(tokenize=none,stem=english)",
    ):
        assert assay.metric(other).sacrebleu_signature(1) is None
