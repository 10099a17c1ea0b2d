"""What a corpus takes, and what it says of input that it cannot take."""

import numpy as np
import pytest

import assay

LINES = ["a b", "c d", "e"]


def corpus_error(**arguments):
    with pytest.raises(assay.InputError) as caught:
        assay.Corpus(**arguments)
    return str(caught.value)


def test_references_are_full_lists():
    corpus = assay.Corpus(translations=LINES, references=[["a", "c", "e"], ["b", "d", "f"]])
    assert len(corpus) == 3
    assert corpus[1] == assay.Segment("c d", ("c", "d"))


def test_references_by_segment_may_differ_in_number():
    corpus = assay.Corpus(translations=LINES, references_by_segment=[["a"], ["c", "d"], ["e"]])
    assert corpus[0].references == ("a",)
    assert corpus[1].references == ("c", "d")
    assert corpus.present.tolist() == [[True, True, True], [False, True, False]]


def test_generators_and_tuples_are_lists_too():
    corpus = assay.Corpus(translations=(line for line in LINES), references=[tuple(LINES)])
    assert [corpus[index].translation for index in range(3)] == LINES


def test_embedded_line_ends_stay_in_their_segment():
    corpus = assay.Corpus(translations=["a\nb"], references=[["a\u2028b"]])
    assert corpus[0] == assay.Segment("a\nb", ("a\u2028b",))


def test_a_single_string_is_not_a_list():
    message = corpus_error(translations="a b c", references=[LINES])
    assert message == (
        "translations is a single str, but a list of strings is needed, one per segment. "
        "For one segment write translations=[text]."
    )


def test_a_flat_list_of_references_is_named_with_the_remedy():
    assert "references=[lines]" in corpus_error(translations=LINES, references=LINES)
    assert "references=[lines]" in corpus_error(translations=["a"], references="a")


def test_references_in_the_wrong_orientation_are_named_with_the_remedy():
    message = corpus_error(translations=LINES, references=[["a", "x"], ["c", "y"], ["e", "z"]])
    assert "references_by_segment" in message
    assert "3 lists, one per segment" in message


def test_references_by_segment_in_the_wrong_orientation_are_named_with_the_remedy():
    message = corpus_error(translations=LINES, references_by_segment=[["a", "c", "e"]])
    assert "1 lists, but translations has 3 segments" in message
    assert "references=" in message


def test_strings_by_segment_are_not_lists_of_references():
    assert "[[first, second], ...]" in corpus_error(translations=LINES, references_by_segment=LINES)


def test_a_segment_without_references_is_named():
    message = corpus_error(translations=LINES, references_by_segment=[["a"], [], ["e"]])
    assert message == "references_by_segment[1] is empty: every segment needs a reference."


def test_different_lengths_are_named_with_both_counts():
    message = corpus_error(translations=LINES, references=[["a", "b"]])
    assert "references[0] has 2 segments, but translations has 3" in message


def test_no_references_at_all():
    assert "exactly one of them" in corpus_error(translations=LINES)
    assert "at least one reference" in corpus_error(translations=LINES, references=[])


def test_both_kinds_of_references_at_once():
    assert "exactly one" in corpus_error(translations=["a"], references=[["a"]], references_by_segment=[["a"]])


def test_no_segments():
    assert "no segments" in corpus_error(translations=[], references=[[]])


def test_what_is_not_a_string_is_named_by_its_place():
    message = corpus_error(translations=["a", None, "c"], references=[LINES])
    assert message.startswith("translations[1] is None (NoneType), but every segment is a string.")
    assert "references[0][2] is 5 (int)" in corpus_error(translations=LINES, references=[["a", "b", 5]])


def test_a_number_for_a_list():
    assert "translations is 5" in corpus_error(translations=5, references=[LINES])


def test_lone_surrogates_are_named_by_their_place():
    message = corpus_error(translations=["fine", "half \ud83d emoji"], references=[["a", "b"]])
    assert message.startswith("translations[1] has a lone surrogate")


def test_nul_characters_are_named_by_their_place():
    message = corpus_error(translations=["fine", "", "n\0l"], references=[LINES])
    assert message.startswith("translations[2] holds a NUL character: 'n\\x00l'.")


def test_documents_must_cover_every_segment():
    assert "documents has 1 entries" in corpus_error(translations=LINES, references=[LINES], documents=["d"])


def test_texts_slice_and_count_without_copying():
    texts = assay.Texts.of(["é", "", "bc"])
    assert list(texts) == ["é", "", "bc"]
    assert texts.lengths().tolist() == [2, 0, 2]
    part = texts.slice(1, 3)
    assert list(part) == ["", "bc"]
    assert part.buffer is texts.buffer


def test_digests_tell_texts_and_their_boundaries_apart():
    digests = {assay.Texts.of(texts).digest for texts in (["ab", "c"], ["a", "bc"], ["abc"], ["ab", "c", ""])}
    assert len(digests) == 4
    assert assay.Texts.of(["ab", "c"]).digest == assay.Texts.of(("ab", "c")).digest


def test_a_corpus_of_numpy_strings():
    corpus = assay.Corpus(translations=np.array(LINES, dtype=object), references=[np.array(LINES, dtype=object)])
    assert corpus[2].translation == "e"


@pytest.mark.parametrize("texts", [{"a", "b"}, {"a": "b"}])
def test_sets_and_dictionaries_have_no_order(texts):
    assert "has no order of segments" in corpus_error(translations=texts, references=[["a", "b"]])


def test_arrays_and_generators_of_references():
    by_segment = np.array([["a", "b"], ["c", "d"], ["e", "f"]], dtype=object)
    assert assay.Corpus(translations=LINES, references_by_segment=by_segment)[1].references == ("c", "d")
    assert len(assay.Corpus(translations=LINES, references=(lines for lines in [LINES, LINES])).references) == 2
    assert "references=[lines]" in corpus_error(translations=LINES, references=np.array(LINES, dtype=object))


def test_other_shapes_of_references():
    assert "reference_names" in corpus_error(translations=LINES, references={"A": LINES})
    assert "references is 5" in corpus_error(translations=LINES, references=5)
    assert "references_by_segment[0]" in corpus_error(translations=["a"], references_by_segment=[{"a"}])
    assert "2 different names" in corpus_error(translations=["a"], references=[["a"], ["b"]], reference_names="AB")
    assert "2 different names" in corpus_error(
        translations=["a"], references=[["a"], ["b"]], reference_names=["A", "A"]
    )
