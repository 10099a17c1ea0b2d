"""Features: how they are typed, what they are worth, and the table of them."""

import numpy as np
import pytest

import assay
from assay.data.external import ExternalScores
from assay.errors import InputError, ParameterError, UnknownName
from assay.learned.features import FEATURE_SETS, Feature, feature_set, feature_table, read_features
from assay.learned.signatures import FeatureSignature

ORDERS = "bleu(order=5,smoothing=none)"


@pytest.fixture
def campaign():
    return assay.Campaign(
        "small",
        systems={"one": ["the cat sat on the mat", "a b"], "two": ["the cat", "b a"]},
        references={"A": ["the cat sat on a mat", "a b"]},
        documents=("d1", "d2"),
    )


@pytest.mark.parametrize(
    "spelling",
    [
        "bleu",
        "bleu(order=2)",
        "bleu:precision_4",
        "wer(tokenize=none):hits",
        "wer(tokenize=13a):insertions/reference_length",
        "meteor(language=de):chunks",
        "ter:shifts",
        "nist:information_2",
    ],
)
def test_a_feature_prints_as_it_was_typed(spelling):
    feature = Feature.parse(spelling)
    assert str(feature) == feature.name == spelling
    assert Feature.parse(str(feature)) == feature


def test_a_signature_leaves_nothing_open():
    fields = "normalize=none,lowercase=false,tokenize=none:ascii,remove_punctuation=false,stem=none"
    assert str(FeatureSignature.of(Feature.parse("wer:hits"))) == f"wer({fields}):hits"
    assert (
        str(FeatureSignature.of(Feature("COMET", higher_is_better=True))) == "a score of another program, from a file"
    )


def test_white_space_is_forgiven():
    assert Feature.parse(" bleu( order=2 ) : precision_1 ") == Feature.parse("bleu(order=2):precision_1")


@pytest.mark.parametrize(
    ("spelling", "error", "words"),
    [
        ("bleu:precison_4", UnknownName, "Did you mean 'precision_4'"),
        ("bleu:precision_5", UnknownName, "no part of bleu 'precision_5'"),
        ("ter:shifts/length", UnknownName, "no part of ter 'length'"),
        ("blue", UnknownName, "no metric 'blue'"),
        ("bleu:", ParameterError, "Cannot read the feature"),
        ("bleu:a:b", ParameterError, "Cannot read the feature"),
        ("", ParameterError, "No feature was named"),
        ("bleu,bleu", ParameterError, "Two features are called 'bleu'"),
        ("paper,bleu", ParameterError, "Two features are called 'bleu'"),
    ],
)
def test_what_is_no_feature_is_refused(spelling, error, words):
    with pytest.raises(error, match=words):
        read_features(spelling)


def test_a_list_may_mix_everything():
    found = read_features(["chrf,ter:shifts", assay.metric("wer"), Feature("COMET", higher_is_better=True)])
    assert [feature.name for feature in found] == ["chrf", "ter:shifts", "wer", "COMET"]
    with pytest.raises(ParameterError, match="not by 3"):
        read_features([3])


def test_which_way_is_better():
    better = {
        str(one): one.higher_is_better for one in read_features("bleu,ter,bleu:precision_2,ter:shifts,meteor:chunks")
    }
    assert better == {"bleu": True, "ter": False, "bleu:precision_2": True, "ter:shifts": False, "meteor:chunks": None}


def test_the_paper_has_nine():
    names = [feature.name for feature in feature_set("paper")]
    assert names == ["bleu", "nist", "meteor", "gtm", "wer", "per", "ter", "4-gram", "5-gram"]


def test_the_wide_set_holds_the_paper_s():
    paper, wide = feature_set("paper"), feature_set("wide")
    assert wide[: len(paper)] == paper
    assert {"1-gram-recall", "length-ratio", "ter-shifts", "chunks", "chrf", "gtm-3"} <= {one.name for one in wide}


def test_sets_speak_other_languages():
    german = {one.name: one.metric for one in feature_set("wide", language="de", tokenize="intl")}
    assert german["meteor"].language == german["chunks"].language == "de"
    assert german["bleu"].tokenize == german["ter-shifts"].tokenize == "intl"
    # METEOR's tokenizer is that of its language, and chrF counts characters.
    assert german["meteor"].tokenize == "meteor"
    assert german["chrf"].tokenize == "none"
    with pytest.raises(UnknownName, match="set of features 'papre'"):
        feature_set("papre")


def test_n_gram_recall_by_hand(campaign):
    # The reference has 6 words: bigrams "the cat", "cat sat", "sat on" match of 5; trigrams 2 of 4.
    table = feature_table(campaign, [f"{ORDERS}:recall_1", f"{ORDERS}:recall_2", f"{ORDERS}:recall_3"])
    assert table.values[0] == pytest.approx([100 * 5 / 6, 60.0, 50.0])
    # "the cat": 2 of 6, 1 of 5, none of 4.
    assert table.values[2] == pytest.approx([200 / 6, 20.0, 0.0])
    # "a b" has no trigram, and nothing is found of it.
    assert table.values[1] == pytest.approx([100.0, 100.0, 0.0])


def test_recall_never_passes_all():
    # The closest reference has one word; all three of the translation stand in the other.
    campaign = assay.Campaign("two", {"s": ["a b"]}, {"A": ["x"], "B": ["a b c d"]})
    assert feature_table(campaign, ["bleu:recall_1"]).values.tolist() == [[100.0]]


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_values_are_those_of_the_metrics(campaign):
    table = feature_table(campaign, feature_set("wide"), threads=2)
    assert table.values.shape == (4, len(feature_set("wide")))
    bleu = "bleu(smoothing=none,effective_order=false)"
    scores = assay.score(campaign, [bleu, "nist", "meteor", "ter"], samples=0, segments=True)
    for name, column in ((bleu, "bleu"), ("nist", "nist"), ("meteor", "meteor"), ("ter", "ter")):
        expected = [row["score"] for row in scores.table("segments") if row["metric"] == name]
        assert table.column(column).tolist() == expected
    # The paper's BLEU is 0 without a common 4-gram.
    assert table.column("bleu")[2] == 0.0


def test_rows_know_whose_they_are(campaign):
    table = feature_table(campaign, "f1")
    assert [(row["system"], row["segment"]) for row in table.table()] == [
        ("one", "0"),
        ("one", "1"),
        ("two", "0"),
        ("two", "1"),
    ]
    assert [table.campaign.documents[segment] for segment in table.segments] == ["d1", "d2", "d1", "d2"]
    assert table.references == ("A",)
    assert table.systems.tolist() == [0, 0, 1, 1]
    assert table.segments.tolist() == [0, 1, 0, 1]


def test_some_rows_and_columns_can_be_taken(campaign):
    wanted = np.array([[True, False], [False, True]])
    table = feature_table(campaign, "f1,wer,per", wanted=wanted)
    assert table.table()[1]["segment"] == "1"
    assert (table.systems.tolist(), table.segments.tolist()) == ([0, 1], [0, 1])
    whole = feature_table(campaign, "f1,wer,per")
    assert table.values.tolist() == whole.values[wanted.ravel()].tolist()
    assert table.without("wer").names == ("f1", "per")
    assert table.without("wer").values.tolist() == table.values[:, [0, 2]].tolist()
    for call in (table.column, table.without):
        with pytest.raises(UnknownName, match="feature 'bleu'"):
            call("bleu")
    with pytest.raises(ParameterError, match="wanted has shape"):
        feature_table(campaign, "f1", wanted=wanted[:1])


def test_systems_and_references_are_chosen(campaign):
    assert feature_table(campaign, "f1", systems="two").campaign.systems.keys() == {"two"}
    with pytest.raises(UnknownName, match="reference 'B'"):
        feature_table(campaign, "f1", references="B")


def external(name="COMET", **segments):
    return ExternalScores(name, {system: np.array(values) for system, values in segments.items()}, origin="comet.tsv")


def test_scores_of_other_programs_join_in(campaign):
    table = feature_table(campaign, "f1", scores=[external(one=[0.9, 0.8], two=[0.1, 0.2])])
    assert table.names == ("f1", "COMET")
    assert table.column("COMET").tolist() == [0.9, 0.8, 0.1, 0.2]
    assert table.features[1] == Feature("COMET", higher_is_better=True)


def test_a_missing_score_is_named(campaign):
    scores = [external(one=[0.9, np.nan], two=[0.1, 0.2])]
    with pytest.raises(InputError, match=r"'COMET' has no value for segment 1 of 'one' \(1 of 4 translations"):
        feature_table(campaign, "f1", scores=scores)
    # Rows that nobody wants need no score.
    wanted = np.array([[True, False], [True, True]])
    assert len(feature_table(campaign, "f1", scores=scores, wanted=wanted)) == 3


def test_an_infinite_score_is_named(campaign):
    with pytest.raises(InputError, match=r"'COMET' has the value inf for segment 0 of 'two'"):
        feature_table(campaign, "f1", scores=[external(one=[0.9, 0.5], two=[np.inf, 0.2])])


def test_a_system_without_scores_is_named(campaign):
    with pytest.raises(InputError, match="'COMET' has no value for segment 0 of 'two'"):
        feature_table(campaign, "f1", scores=[external(one=[0.9, 0.5])])


def test_a_score_file_without_segments_is_refused(campaign):
    with pytest.raises(InputError, match=r"comet.tsv: 'COMET' has no scores of segments"):
        feature_table(campaign, "f1", scores=[ExternalScores("COMET", systems={"one": 1.0}, origin="comet.tsv")])


def test_an_external_feature_needs_its_file(campaign):
    wanted = [Feature.parse("f1"), Feature("COMET", higher_is_better=True)]
    with pytest.raises(InputError, match="'COMET' is a score that another program computed"):
        feature_table(campaign, wanted)
    with pytest.raises(InputError, match="The score files given have: MetricX"):
        feature_table(campaign, wanted, scores=[external("MetricX", one=[1.0, 1.0], two=[1.0, 1.0])])
    with pytest.raises(ParameterError, match="comes from a score file"):
        wanted[1].values(np.zeros((1, 2)))


def test_a_score_may_not_take_the_name_of_a_feature(campaign):
    with pytest.raises(ParameterError, match="Two features are called 'f1'"):
        feature_table(campaign, "f1", scores=[external("f1", one=[0.9, 0.8], two=[0.1, 0.2])])


def test_post_edits_are_for_features_about_them():
    campaign = assay.Campaign("edited", {"s": ["a b c"]}, {"A": ["a b d"], "pe.s": ["a b c"]})
    with pytest.warns(assay.errors.AssayWarning, match="Post-edits are left aside by wer"):
        table = feature_table(campaign, "wer,hter")
    assert table.values.tolist() == [[pytest.approx(100 / 3), 0.0]]
    assert table.references == ("A", "pe.s")


def test_only_a_campaign_has_features():
    with pytest.raises(assay.ParameterError, match=r"campaign is \['a'\], but it takes a Campaign or a word or a Path"):
        feature_table(["a"], "f1")


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_empty_texts_have_finite_features(name):
    campaign = assay.Campaign("empty", {"s": ["", "a", ""]}, {"A": ["", "", "a"]})
    assert np.isfinite(feature_table(campaign, name).values).all()


def test_the_papers_features_are_its_metrics_and_the_precisions_of_four_and_five_words():
    texts = {"systems": {"s": ["a b c d e x", "the cat"]}, "references": {"A": ["a b c d e y", "a cat sat"]}}
    table = feature_table(assay.Campaign("two", **texts), "paper")
    assert table.names == ("bleu", "nist", "meteor", "gtm", "wer", "per", "ter", "4-gram", "5-gram")
    # Two of three runs of four words are the reference's, and one of two of five; there are none in two words.
    assert table.column("4-gram").tolist() == pytest.approx([200 / 3, 0.0])
    assert table.column("5-gram").tolist() == pytest.approx([50.0, 0.0])
    corpus = assay.Campaign("two", **texts).corpus("s")
    for name in ("nist", "meteor", "gtm", "wer", "per", "ter"):
        assert table.column(name).tolist() == assay.metric(name).evaluate(corpus).segment_scores().tolist()
    # The geometric mean of four precisions, of which the second text has none of two words.
    assert table.column("bleu").tolist() == pytest.approx([100 * (5 / 6 * 4 / 5 * 3 / 4 * 2 / 3) ** 0.25, 0.0])


def test_edits_of_the_wide_set_are_per_word_of_the_reference():
    # Four words for five: c is missing and x stands for d. One deletion and one substitution, nothing else.
    campaign = assay.Campaign("one", systems={"s": ["a b x e"]}, references={"A": ["a b c d e"]})
    table = feature_table(campaign, "wide")
    for metric in ("ter", "wer"):
        edits = [table.column(f"{metric}-{edit}")[0] for edit in ("insertions", "deletions", "substitutions")]
        assert sorted(edits) == pytest.approx([0.0, 1 / 5, 1 / 5])
        assert edits[2] == pytest.approx(1 / 5)
    assert table.column("reference-length").tolist() == [5.0]
    assert table.column("length-ratio").tolist() == [0.8]
    # Three single words of four match: of the translation's four, and of the reference's five.
    assert [table.column(name)[0] for name in ("1-gram", "1-gram-recall")] == pytest.approx([75.0, 60.0])
