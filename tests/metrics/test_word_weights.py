"""Words that do not all weigh the same, and all references at once: precision, recall, F1, Fmean and GTM."""

from __future__ import annotations

from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

import assay
from assay.data.texts import Texts
from assay.demo import CAMPAIGN
from assay.metrics.base import Metric
from assay.metrics.options import spell_value
from assay.metrics.pictures import BitextGrid, NgramMatches
from assay.scoring.evaluate import Shard
from assay.scoring.subsets import SubsetCounter
from assay.significance.draws import Units
from assay.text.batch import batch_of
from assay.text.tables import METEOR_LANGUAGES, list_of_function_words
from assay.text.word_weights import DocumentFrequencies
from metrics.scored import evaluate, row, score
from oracles import gtm as gtm_oracle
from oracles import unigrams as oracle

PAIR = "the cat sat now", "the cat sat on the mat"
#: The weight of recall in each of the family.
FAMILY = {"precision": 0.0, "recall": 1.0, "f1": 0.5, "fmean": 0.9}

words = st.lists(st.sampled_from(["a", "b", "c", "d", "the"]), max_size=8)
segments = st.lists(st.tuples(words, st.lists(words, min_size=1, max_size=3)), min_size=1, max_size=4)
#: Sums of these are exact, so that ties are ties.
tables = st.dictionaries(st.sampled_from(["a", "b", "c", "the"]), st.sampled_from([0.0, 0.25, 0.5, 1.0, 3.0]))
thorough = settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])


def table(folder: Path, text: str) -> str:
    """A file of weights, as it is spelled in a metric."""
    path = folder / "weights.tsv"
    path.write_text(text, encoding="utf-8")
    return spell_value(str(path))


def given_weights(folder: Path, weights: dict[str, float], other: float) -> str:
    return table(folder, "".join(f"{word}\t{weight}\n" for word, weight in {**weights, "<other>": other}.items()))


def corpus_of(given_segments) -> assay.Corpus:
    return assay.Corpus(
        translations=[" ".join(translation) for translation, _ in given_segments],
        references_by_segment=[[" ".join(one) for one in references] for _, references in given_segments],
    )


def test_a_table_by_hand(tmp_path):
    # the 0.25, cat 3, all others 2. Matches: 0.25 + 3 + 2. Translation: 0.25 + 3 + 2 + 2. Reference: 0.25 + 3 + 2 + 2 +
    # 0.25 + 2.
    weights = table(tmp_path, "# mine\nthe\t0.25\n\ncat\t3\n<other>\t2\n")
    found = row(f"fmean(weights={weights})", *PAIR)
    assert found == {"matches": 5.25, "translation_length": 7.25, "reference_length": 9.5}
    assert score(f"precision(weights={weights})", *PAIR) == pytest.approx(100 * 5.25 / 7.25)
    assert score(f"recall(weights={weights})", *PAIR) == pytest.approx(100 * 5.25 / 9.5)
    assert score(f"f1(weights={weights})", *PAIR) == pytest.approx(100 * 2 * 5.25 / (7.25 + 9.5))
    assert score(f"fmean(weights={weights})", *PAIR) == pytest.approx(100 * 5.25 / (0.9 * 9.5 + 0.1 * 7.25))


def test_words_that_are_not_in_the_table_weigh_1(tmp_path):
    assert row(f"recall(weights={table(tmp_path, f'the{chr(9)}0')})", *PAIR)["reference_length"] == 4


@thorough
@given(given_segments=segments, weights=tables, other=st.sampled_from([0.5, 1.0, 2.0]))
@pytest.mark.parametrize("name", FAMILY)
def test_weighed_words_beside_the_obvious_twin(name, given_segments, weights, other, tmp_path):
    alpha = FAMILY[name]
    statistics = assay.metric(f"{name}(weights={given_weights(tmp_path, weights, other)})").evaluate(
        corpus_of(given_segments), threads=1
    )
    expected = []
    for translation, references in given_segments:
        each = [oracle.weighed(translation, [one], weights, other) for one in references]
        expected.append(max(each, key=lambda counts: round(oracle.weighed_fmean(counts, alpha), 12)))
    assert statistics.rows == pytest.approx(np.array(expected))
    scores = [100 * oracle.weighed_fmean(counts, alpha) for counts in expected]
    assert statistics.segment_scores() == pytest.approx(scores)


@thorough
@given(given_segments=segments, weights=tables)
@pytest.mark.parametrize("name", FAMILY)
def test_the_union_of_references_beside_the_obvious_twin(name, given_segments, weights, tmp_path):
    alpha = FAMILY[name]
    file = given_weights(tmp_path, weights, 1.0)
    for options, table_ in (("", {}), (f",weights={file}", weights)):
        metric = assay.metric(f"{name}(references=union{options})")
        statistics = metric.evaluate(corpus_of(given_segments), threads=1)
        expected = [oracle.weighed(translation, references, table_) for translation, references in given_segments]
        assert statistics.rows == pytest.approx(np.array(expected))
        scores = [100 * oracle.weighed_fmean(counts, alpha) for counts in expected]
        assert statistics.segment_scores() == pytest.approx(scores)


def test_the_union_by_hand():
    # "a b" and "a c c": a, b and twice c. The translation has a, c and c of these four, and x besides.
    found = row("fmean(references=union)", "a c c x", "a b", "a c c")
    assert found == {"matches": 3, "translation_length": 4, "reference_length": 4}
    # A word counts as often as one reference has it, not as often as all have it together.
    assert row("recall(references=union)", "a a a", "a", "a")["matches"] == 1


def test_with_one_reference_the_union_is_the_best():
    for name in FAMILY:
        best, union = (
            evaluate(spelling, ["a b b", ""], ["b a c", "x"]) for spelling in (name, f"{name}(references=union)")
        )
        assert best.rows.tolist() == union.rows.tolist()


def test_a_copy_of_one_reference_has_no_full_recall_of_the_union():
    assert score("recall", "a b", "a b", "c d") == 100
    assert score("recall(references=union)", "a b", "a b", "c d") == 50


def test_sets_of_references_are_counted_as_they_are_alone():
    references = {"A": Texts.of(["a b", "c"]), "B": Texts.of(["a a", "d"]), "C": Texts.of(["b c", "c d"])}
    for spelling in ("fmean(references=union)", "fmean(weights=idf)", "f1(weights=idf,references=union)"):
        counter = SubsetCounter(assay.metric(spelling), {"s": Texts.of(["a b c", "c d"])}, references)
        for subset in ((0,), (0, 2), (0, 1, 2)):
            alone = assay.Corpus.of_columns(
                Texts.of(["a b c", "c d"]), {str(place): list(references.values())[place] for place in subset}
            )
            assert counter.rows("s", subset) == pytest.approx(assay.metric(spelling).evaluate(alone).rows)


def test_weights_of_1_change_no_bit(tmp_path, demo):
    ones = table(tmp_path, "the\t1\n")
    spellings = [*FAMILY, "gtm", "gtm(exponent=2)", "gtm(exponent=1.7,cap=paper)", "gtm(exponent=0.5,lowercase=true)"]
    for spelling in spellings:
        name, _, options = spelling.rstrip(")").partition("(")
        weighed = f"{name}({','.join(filter(None, [options, f'weights={ones}']))})"
        for corpus in demo.corpora().values():
            plain = assay.metric(spelling).evaluate(corpus)
            assert np.array_equal(plain.rows, assay.metric(weighed).evaluate(corpus).rows), spelling


@pytest.fixture(scope="module")
def demo():
    return assay.read(CAMPAIGN)


def test_idf_by_hand():
    # Two segments with one reference each: "a" is in both, "b" and "c" in one, "x" in none.
    statistics = evaluate("recall(weights=idf)", ["a x", "c"], ["a b b", "a c"])
    both, one, none = 1.0, log(3 / 2) + 1, log(3) + 1
    assert statistics.rows.tolist() == [
        pytest.approx([both, both + none, both + 2 * one]),
        pytest.approx([one, one, both + one]),
    ]


def test_each_reference_is_a_document():
    # Of four references, "a" is in three: segment 1 has it in both of its references.
    metric = assay.metric("recall(weights=idf,references=union)")
    corpus = assay.Corpus(translations=["a", "b"], references=[["a", "b"], ["a a", "a"]])
    assert metric.evaluate(corpus).rows[0, 0] == pytest.approx(log(5 / 4) + 1)


@thorough
@given(given_segments=segments)
def test_idf_is_scikit_learns(given_segments):
    documents = [one for _, references in given_segments for one in references]
    if not any(documents):
        return
    vectorizer = TfidfVectorizer(analyzer=lambda words: words, smooth_idf=True).fit(documents)
    expected = dict(zip(vectorizer.get_feature_names_out(), vectorizer.idf_, strict=True))
    ours, unseen = oracle.idf(documents)
    assert ours == pytest.approx(expected)
    corpus = corpus_of(given_segments)
    statistics = assay.metric("fmean(weights=idf,references=union)").evaluate(corpus, threads=1)
    rows = [oracle.weighed(translation, references, ours, unseen) for translation, references in given_segments]
    assert statistics.rows == pytest.approx(np.array(rows))


def test_frequencies_of_shards_add_up():
    texts, recipe = ["a b", "a a", "", "c a"], assay.metric("recall").recipe
    whole = batch_of(texts, [texts], recipe)
    first, rest = (whole.only(np.array(part)) for part in ([True, False, False, False], [False, True, True, True]))
    parts = [DocumentFrequencies.of(batch.references, batch.present) for batch in (first, rest, whole)]
    added, repeated = parts[0] + parts[1], parts[2] * 3
    for left, right, times in ((added, parts[2], 1), (repeated, parts[2], 3)):
        assert left.ids.tolist() == right.ids.tolist()
        assert (left.counts.tolist(), left.documents) == ((right.counts * times).tolist(), right.documents * times)


@pytest.mark.parametrize("spelling", ["fmean(weights=idf)", "gtm(weights=idf,exponent=2)"])
def test_what_a_unit_brings_is_what_leaving_it_out_takes_away(spelling):
    translations = ["a b c", "c d", "a x b", "b b"]
    references = ["a c b", "d c a", "a b", "c b"]
    metric = assay.metric(spelling)
    counted = metric.evaluate(assay.Corpus(translations=translations, references=[references]))
    assert counted.fit is not None
    (found,) = counted.fit.influence([counted], Units.segments(4))
    for left_out in range(4):
        others = [place for place in range(4) if place != left_out]
        corpus = assay.Corpus(
            translations=[translations[place] for place in others], references=[[references[place] for place in others]]
        )
        assert found[left_out] == pytest.approx(counted.total() - metric.evaluate(corpus).total())


@thorough
@given(given_segments=segments, references=st.sampled_from(["best", "union"]))
def test_all_units_at_once_are_as_one_after_the_other(given_segments, references):
    if references == "best":
        # With several references another one may become the best when a unit is left out.
        given_segments = [(translation, several[:1]) for translation, several in given_segments]
    counted = assay.metric(f"fmean(weights=idf,references={references})").evaluate(corpus_of(given_segments), threads=1)
    assert counted.fit is not None
    members = np.arange(len(given_segments), dtype=np.int64) // 2
    units = int(members.max()) + 1
    batch = Shard(0, len(given_segments), 1).batch(counted.fit.corpus, counted.metric)
    if units == 1:
        return
    at_once, slowly = (
        work(counted.metric, batch, members, units)(counted.rows, batch, members)
        for work in (type(counted.metric).influence, Metric.influence)
    )
    assert at_once == pytest.approx(slowly, abs=1e-9)


def test_function_words_by_hand():
    # "the" and "on" are on METEOR's list and weigh 0.25 each, the others 0.75.
    found = row("recall(weights=function-words)", *PAIR)
    assert found["matches"] == 0.25 + 0.75 + 0.75
    assert found["reference_length"] == 3 * 0.25 + 3 * 0.75
    # With delta 1 only content words count: cat and sat of cat, sat and mat.
    assert score("recall(weights=function-words,delta=1)", *PAIR) == pytest.approx(200 / 3)
    # With delta one half all weigh the same.
    assert score("recall(weights=function-words,delta=0.5)", *PAIR) == pytest.approx(score("recall", *PAIR))


def test_function_words_have_the_delta_of_meteor_in_their_language():
    found = [
        assay.metric(f"recall(weights=function-words,function_words={code})").resolved.delta
        for code in METEOR_LANGUAGES
    ]
    assert found == [assay.metric(f"meteor(language={code})").settings.parameters.delta for code in METEOR_LANGUAGES]


def test_function_words_are_known_in_capitals_and_as_stems():
    assert row("recall(weights=function-words)", "The THE the", "The THE the")["matches"] == 0.75
    assert "has" in list_of_function_words("en")
    assert row("recall(weights=function-words,stem=porter)", "has", "has")["matches"] == 0.25


def test_a_language_brings_its_function_words():
    german = assay.metric("f1(weights=function-words)").in_language("de")
    assert (german.resolved.function_words, german.resolved.delta) == ("de", 0.55)
    assert assay.metric("f1(weights=function-words,function_words=fr)").in_language("de").function_words == "fr"
    assert assay.metric("f1").in_language("de") == assay.metric("f1")
    with pytest.raises(assay.ParameterError, match="no list of function words"):
        assay.metric("f1(weights=function-words)").in_language("zh")


def test_words_of_a_table_go_through_the_recipe(tmp_path):
    weights = table(tmp_path, "Walked\t5\nsits\t3\nsitting\t4\n<other>\t1\n")
    spelling = f"recall(lowercase=true,stem=porter,weights={weights})"
    # "walks" has the stem of Walked; the two forms of "sit" have their mean.
    assert row(spelling, "walks sit x", "walks sit x")["matches"] == 5 + 3.5 + 1
    assert row(f"recall(weights={weights})", "walks sit x", "walks sit x")["matches"] == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("the\t1\ncat 2\n", r"line 2: 0 tabs, and there has to be one\. A line is a word, a tab and a number"),
        ("the\t1\t2\n", "line 1: 2 tabs"),
        ("the\tmuch\n", "line 1: what is behind the tab is no weight"),
        ("the\t-1\n", "line 1: what is behind the tab is no weight"),
        ("the\tnan\n", "line 1: what is behind the tab is no weight"),
        ("\t1\n", "line 1: no word before the tab"),
        ("the\t1\ncat\t1\nthe\t2\n", "line 3: a word that line 1 has already"),
        ("<other>\t0\nthe\t0\n", "no word has a weight above 0"),
        ("<other>\t0\n", "no word has a weight above 0"),
        ("# nothing yet\n\n", "no word with a weight is in it"),
        ("cat\t1\nNew York\t1\n", "line 2: the metric cuts this word into 2 words"),
    ],
)
def test_a_bad_table_says_where_and_what_to_do(tmp_path, text, said):
    weights = table(tmp_path, text)
    with pytest.raises(assay.InputError, match=said) as refused:
        score(f"fmean(weights={weights})", *PAIR)
    assert "much" not in str(refused.value)


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(assay.InputError, match=r"idff: No such file.*none, idf, function-words or a file"):
        score("fmean(weights=idff)", *PAIR)


@pytest.mark.parametrize(
    ("spelling", "said"),
    [
        ("f1(delta=0.3)", "delta is 0.3, but it takes no value unless weights=function-words"),
        ("f1(weights=idf,function_words=de)", "function_words is de, but it takes no value"),
        ("f1(weights=function-words,delta=2)", "delta is 2, but it takes a number from 0 to 1"),
        ("gtm(weights=idf,matching=exact)", "no weights with matching=exact"),
    ],
)
def test_options_that_make_no_sense_are_refused(spelling, said):
    with pytest.raises(assay.ParameterError, match=said):
        assay.metric(spelling)


def test_an_unknown_list_is_refused():
    with pytest.raises(assay.UnknownName, match="list of function words 'xx'"):
        assay.metric("f1(weights=function-words,function_words=xx)")


def test_the_signature_names_weights_and_digests_the_table(tmp_path):
    weights = table(tmp_path, "the\t0.5\n")
    before = evaluate(f"fmean(weights={weights})", ["a"], ["a"]).signature()
    assert "|weights:" in before
    (tmp_path / "weights.tsv").write_text("the\t0.25\n")
    assert evaluate(f"fmean(weights={weights})", ["a"], ["a"]).signature() != before
    assert (
        "fmean(weights=function-words,delta=0.75,function_words=en,"
        in evaluate("fmean(weights=function-words)", ["a"], ["a"]).signature()
    )
    assert "weights" not in evaluate("fmean", ["a"], ["a"]).signature()
    assert "fitted:" in evaluate("gtm(weights=idf)", ["a"], ["a"]).signature()


def test_gtm_with_weights_by_hand(tmp_path):
    # a weighs 3: "a b c" weighs 5 and "a b" 4, so that the size is the root of 25 + 16. Both sides weigh 9 and 10.
    weights = table(tmp_path, "a\t3\n")
    found = row(f"gtm(exponent=2,weights={weights})", "a b c a b", "a b x a b c")
    assert found == {"size": pytest.approx(sqrt(41)), "translation_length": 9, "reference_length": 10}
    # With an exponent of 1 it is what the words weigh.
    assert row(f"gtm(weights={weights})", "a b c a b", "a b x a b c")["size"] == 9


def test_the_heaviest_run_comes_first(tmp_path):
    # "x y" weighs 8 and "a b x" 6: "x y" is taken, and leaves "a b" with 2. By words "a b x" would come first.
    weights = table(tmp_path, "x\t4\ny\t4\n")
    found = row(f"gtm(exponent=2,weights={weights})", "a b x y", "a b x q x y")
    assert found["size"] == pytest.approx(sqrt(64 + 4))
    assert row("gtm(exponent=2)", "a b x y", "a b x q x y")["size"] == pytest.approx(sqrt(9 + 1))


@thorough
@given(
    given_segments=segments,
    weights=tables,
    exponent=st.sampled_from([0.5, 1.0, 2.0, 3.5]),
    cap=st.sampled_from(["gtm14", "paper"]),
)
def test_gtm_with_weights_beside_the_obvious_twin(given_segments, weights, exponent, cap, tmp_path):
    metric = assay.metric(f"gtm(exponent={exponent},cap={cap},weights={given_weights(tmp_path, weights, 1.0)})")
    rows = metric.evaluate(corpus_of(given_segments), threads=1).rows
    expected = [
        gtm_oracle.weighed_size(translation, references, weights, exponent, cap)
        for translation, references in given_segments
    ]
    assert rows == pytest.approx(np.array(expected))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    translation=words.filter(lambda text: len(text) < 6),
    reference=words.filter(lambda text: len(text) < 6),
    weights=tables,
)
def test_with_an_exponent_of_1_no_matching_weighs_more(translation, reference, weights, tmp_path):
    metric = assay.metric(f"gtm(weights={given_weights(tmp_path, weights, 1.0)})")
    found = metric.evaluate(corpus_of([(translation, [reference])]), threads=1).rows[0, 0]
    every = gtm_oracle.matchings(translation, gtm_oracle.columns([reference]))
    best = max(sum(weights.get(translation[place], 1.0) for place in matching) for matching in every)
    assert found == pytest.approx(best)


def test_huge_and_tiny_weights_stay_finite(tmp_path):
    weights = table(tmp_path, "a\t1000000\nb\t0.000001\n")
    assert score(f"gtm(exponent=900,weights={weights})", "a a x", "a a x") == pytest.approx(100)
    assert score(f"gtm(exponent=900,weights={weights})", "b b", "b b") == pytest.approx(100)


def test_explanations_show_weights(tmp_path):
    weights = table(tmp_path, "the\t0.25\n")
    metric = assay.metric(f"fmean(weights={weights})")
    picture = metric.picture(batch_of([PAIR[0]], [[PAIR[1]]], metric.recipe))
    assert isinstance(picture, NgramMatches)
    (order,) = picture.orders
    assert [(match.words, match.weight) for match in order.matches] == [(("the",), 0.25), (("cat",), 1), (("sat",), 1)]
    assert order.weighed == (2.25, 3.25, 4.5)
    metric = assay.metric(f"gtm(weights={weights})")
    grid = metric.picture(batch_of([PAIR[0]], [[PAIR[1]]], metric.recipe))
    assert isinstance(grid, BitextGrid)
    assert grid.weights == (0.25, 1, 1, 1)
    assert [(run.length, run.counted, grid.size_of(run)) for run in grid.runs] == [(3, 2.25, 2.25)]


def test_explanations_of_the_union_show_all_references():
    metric = assay.metric("fmean(references=union)")
    picture = metric.picture(batch_of(["a c c x"], [["a b"], ["a c c"]], metric.recipe))
    assert isinstance(picture, NgramMatches)
    assert (picture.reference_index, picture.orders[0].reference_total) == (None, 4)
    assert sum(match.matched for match in picture.orders[0].matches) == 3
