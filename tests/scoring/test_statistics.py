"""Every view of a result comes from its rows."""

import json
import pickle

import numpy as np
import pytest

import assay
from assay.scoring.statistics import units_of

CORPUS = assay.Corpus(
    translations=["a b c", "a x", "d e f g", "q"],
    references=[["a b c", "a b", "d e f", "r"]],
    documents=["one", "two", "one", "two"],
    domains=["news", "news", "news", "chat"],
)


def evaluate(spelling="f1"):
    return assay.metric(spelling).evaluate(CORPUS)


def test_groups_score_as_corpora_of_their_own():
    statistics = evaluate("bleu(order=2,tokenize=none)")
    alone = assay.Corpus(translations=["a b c", "d e f g"], references=[["a b c", "d e f"]])
    assert (
        statistics.document_scores()["one"]
        == assay.metric("bleu(order=2,tokenize=none)").evaluate(alone).corpus_score()
    )
    assert list(statistics.document_scores()) == ["one", "two"]
    assert list(statistics.domain_scores()) == ["news", "chat"]


def test_groups_can_be_any_labels():
    statistics = evaluate()
    assert statistics.group_scores(["one", "two", "one", "two"]) == statistics.document_scores()
    # 3 of 3 and 3 words; 4 of 7 and 6; F1 is twice the matches per word of both sides.
    assert statistics.group_scores("abbb") == pytest.approx({"a": 100.0, "b": 100 * 2 * 4 / (7 + 6)})


def test_groups_need_labels():
    plain = assay.Corpus(translations=["a"], references=[["a"]])
    with pytest.raises(assay.InputError, match="names no domains"):
        assay.metric("f1").evaluate(plain).domain_scores()
    with pytest.raises(assay.InputError, match="2 group labels for 4 segments"):
        evaluate().group_scores(["a", "b"])


def test_weights_of_one_are_the_corpus():
    statistics = evaluate()
    scores = statistics.weighted_scores(np.vstack([np.ones(4), [1, 0, 0, 0]]))
    assert scores[0] == statistics.corpus_score()
    assert scores[1] == statistics.segment_scores()[0] == 100.0


def test_an_interval_holds_the_score_and_repeats():
    words = [f"a b c{number} d" for number in range(12)]
    corpus = assay.Corpus(translations=words, references=[[word.replace("c1", "x") for word in words]])
    statistics = assay.metric("f1").evaluate(corpus)
    low, high = statistics.interval(seed=5)
    assert low <= statistics.corpus_score() <= high
    assert low < high
    assert (low, high) == tuple(statistics.interval(seed=5))
    assert (low, high) != tuple(statistics.interval(seed=6))


def test_fewer_than_five_segments_have_no_interval():
    assert evaluate().interval() == (None, None)
    assert str(evaluate()).startswith("F1")
    assert "[" not in str(evaluate())


def test_documents_are_drawn_where_they_are_known():
    # Ten documents of two segments that are alike: twenty segments by themselves would know the score better.
    words = [f"a b c{number // 2} d" for number in range(20)]
    references = [[word.replace("c1", "x").replace("c4", "y") for word in words]]
    documents = [f"d{number // 2}" for number in range(20)]
    statistics = assay.metric("f1").evaluate(
        assay.Corpus(translations=words, references=references, documents=documents)
    )
    wide, narrow = statistics.interval(), statistics.interval(unit="segment")
    assert wide.high - wide.low > 1.2 * (narrow.high - narrow.low)
    assert wide == statistics.interval(unit="document")
    with pytest.raises(assay.InputError, match=r"docs\.txt"):
        assay.metric("f1").evaluate(assay.Corpus(translations=words, references=references)).interval(unit="document")


@pytest.mark.parametrize(
    ("documents", "unit", "name", "count"),
    [
        (None, None, "segment", 4),
        (["a", "a", "a", "a"], None, "segment", 4),
        (["a", "b", "c", "d"], None, "segment", 4),
        (["a", "a", "b", "b"], None, "document", 2),
        (["a", "a", "b", "b"], "segment", "segment", 4),
        (["a", "b", "c", "d"], "document", "document", 4),
        (["-", "-", "-", "-"], None, "segment", 4),
    ],
)
def test_what_is_drawn_as_a_whole(documents, unit, name, count):
    units = units_of(documents, 4, unit)
    assert (units.name, len(units)) == (name, count)


def test_segments_without_a_document_are_drawn_by_themselves():
    with pytest.warns(assay.AssayWarning, match="2 of 5 segments name no document"):
        units = units_of(["a", "", "a", "b", "-"], 5, None)
    assert (len(units), units.members.tolist()) == (4, [0, 1, 0, 2, 3])


def test_what_is_chosen_keeps_its_draws():
    places = np.array([3, 1])
    assert units_of(None, 2, None, places).keys.tolist() == [3, 1]


def test_a_row_of_nan_is_never_summed_silently():
    statistics = evaluate()
    rows = statistics.rows.copy()
    rows[2] = np.nan
    broken = assay.Statistics(statistics.metric, rows, statistics.provenance)
    with pytest.raises(assay.InputError, match="1 of 4 segments have no score, the first is segment 2"):
        broken.corpus_score()
    with pytest.raises(assay.InputError, match="no score"):
        broken.interval()
    assert np.isnan(broken.segment_scores()[2])


def test_signatures_say_what_was_computed():
    signature = evaluate("fmean(alpha=0.5)").signature(seed=1, samples=10)
    assert signature.startswith("fmean(alpha=0.5,normalize=none,lowercase=false,tokenize=none:ascii,")
    assert "|references:1|segments:4|seed:1|samples:10|version:" in signature


def test_signatures_change_with_the_texts():
    other = assay.Corpus(translations=["a b c", "a x", "d e f g", "Q"], references=[["a b c", "a b", "d e f", "r"]])
    assert evaluate().signature() != assay.metric("f1").evaluate(other).signature()


def test_statistics_show_themselves_as_answers_do():
    statistics = evaluate()
    result = statistics.result(samples=20)
    row = result.table()[0]
    assert row["score"] == statistics.corpus_score()
    assert (row["low"], row["high"]) == tuple(statistics.interval(samples=20))
    assert {part["part"]: part["value"] for part in result.table("parts")} == statistics.parts()
    assert result.signatures == {"f1": statistics.signature(seed=1, samples=20)}
    assert json.loads(result.to_json())["scores"] == [row]
    assert "F1" in str(statistics)
    assert "f1" in statistics._repr_html_()


def test_rows_travel_without_their_texts():
    texts = ["a rather long text, over and over"] * 1000
    corpus = assay.Corpus(translations=texts, references=[texts])
    statistics = assay.metric("nist").evaluate(corpus)
    packed = pickle.dumps(statistics)
    again = pickle.loads(packed)
    assert again.signature() == statistics.signature()
    assert again.corpus_score() == statistics.corpus_score()
    assert texts[0].encode() not in packed
