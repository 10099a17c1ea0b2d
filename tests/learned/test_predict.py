"""assay.predict: what a model says of a campaign."""

import json
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.data.campaign import only
from assay.data.external import ExternalScores
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.learned.features import Feature, feature_table
from assay.learned.linear import Linear
from assay.learned.model import Classes, Scaling
from assay.learned.model_file import ModelCard, QualityModel, TrainingData
from assay.learned.trees import TreeGrader
from assay.significance.draws import Units, bootstrap_counts, interval
from learned.small_models import CAMPAIGN, FEATURES, quality_model, tree

PLAIN = ModelCard(task="43210", unit="expected grade, 0 to 2")


def test_predictions_by_hand():
    # F1 and WER: "the cat sat on the mat" 10/12 and 1/6: node 3, 1.75. "a b c d": perfect, 1.75. "x": nothing, node 1.
    result = assay.predict(CAMPAIGN, quality_model(), systems="one", segments=True)
    segments = result.table("segments")
    assert [row["score"] for row in segments] == [1.75, 1.75, 0.2]
    assert [row["grade"] for row in segments] == ["good", "good", "bad"]
    assert segments[2]["probability_bad"] == 0.8
    (row,) = result.table()
    assert row["score"] == pytest.approx((1.75 + 1.75 + 0.2) / 3)
    assert row["share_bad"] == pytest.approx(100 * 0.8 / 3)
    # Two documents are too few for an interval.
    assert (row["low"], row["high"]) == (None, None)
    assert row["segments"] == 3


def test_documents_and_the_order_of_systems():
    result = assay.predict(CAMPAIGN, quality_model(), segments=True, documents=True)
    # "the cat" has an F1 of 50 and a WER of 67, "d c b a" 100 and 100 or less, "a fine line" is perfect.
    assert [row["score"] for row in result.table("segments")[3:]] == [1.0, 1.0, 1.75]
    # Means of 3.7 / 3 and 3.75 / 3.
    assert result.views[0].order == ("two", "one")
    documents = {(row["system"], row["document"]): row["score"] for row in result.table("documents")}
    assert documents["one", "d1"] == 1.75
    assert documents["one", "d2"] == 0.2
    with pytest.raises(InputError, match="names no domains"):
        assay.predict(CAMPAIGN, quality_model(), domains=True)
    with pytest.raises(UnknownName, match="table 'domains'"):
        result.table("domains")


def test_a_model_of_scores_has_no_grades():
    result = assay.predict(CAMPAIGN, quality_model("linear"), segments=True)
    assert set(result.table("segments")[0]) == {"system", "segment", "score"}
    assert set(result.table()[0]) == {"system", "score", "low", "high", "segments"}
    with pytest.raises(ParameterError, match="no probabilities of grades"):
        quality_model("linear").probabilities(feature_table(CAMPAIGN, FEATURES))


def test_the_same_seed_gives_the_same_intervals_on_any_number_of_threads():
    words = np.random.default_rng(7).choice(list("abcdef"), size=(2, 50, 5))
    texts, reference = ([" ".join(line) for line in part] for part in words)
    campaign = assay.Campaign("drawn", {"one": texts}, {"A": reference})
    first = assay.predict(campaign, quality_model("linear"), seed=5, threads=1).table()
    assert first == assay.predict(campaign, quality_model("linear"), seed=5, threads=3).table()
    assert first != assay.predict(campaign, quality_model("linear"), seed=6).table()
    assert assay.predict(CAMPAIGN, quality_model(), samples=0).table()[0]["low"] is None
    with pytest.raises(ParameterError, match="samples is -1"):
        assay.predict(CAMPAIGN, quality_model(), samples=-1)


def test_intervals_are_of_documents_and_as_wide_as_their_unequal_sizes_make_them():
    names = [f"d{number}" for number in range(8) for _ in range(1 if number else 29)]
    words = np.random.default_rng(7).choice(list("abcdef"), size=(2, len(names), 5))
    texts, reference = ([" ".join(line) for line in part] for part in words)
    campaign = assay.Campaign("drawn", {"one": texts}, {"A": reference}, documents=tuple(names))
    found = assay.predict(campaign, quality_model("linear"), segments=True, samples=2000, seed=3)
    scores, units = np.array([row["score"] for row in found.table("segments")]), Units.documents(names)
    sums, sizes = (np.bincount(units.codes, one) for one in (scores, np.ones(len(scores))))
    counts = np.concatenate([*bootstrap_counts(units.keys, 2000, 3)])
    # The mean without each document in turn says how unequal they are.
    without = [np.delete(sums, place).sum() / np.delete(sizes, place).sum() for place in range(8)]
    low, high = interval(counts @ sums / (counts @ sizes), 8, jackknife=np.array(without))
    (row,) = found.table()
    assert (row["low"], row["high"]) == pytest.approx((low, high))
    assert low < interval(counts @ sums / (counts @ sizes), 8).low


def test_json_holds_the_card():
    result = assay.predict(CAMPAIGN, quality_model(), segments=True, documents=True)
    document = json.loads(result.to_json())
    assert document["command"] == "predict"
    assert document["setup"]["model"]["card"]["folds"] == "10 folds, grouped by segment"
    assert document["setup"]["model"]["features"] == ["f1", "wer"]
    assert document["options"]["model"] == quality_model().digest
    assert len(document["segments"]) == 6
    assert ">one</td>" in result._repr_html_()
    # The features that the predictions were made from: two of six translations.
    assert result.made.values.shape == (6, 2)


def test_a_model_comes_from_its_path(tmp_path):
    path = quality_model().save(tmp_path / "model.json")
    assert assay.load_predictor(path).card == quality_model().card
    assert assay.predict(CAMPAIGN, path).table() == assay.predict(CAMPAIGN, quality_model()).table()


def scores(values, **options):
    return ExternalScores("COMET", {"one": np.array(values), "two": np.array(values)}, origin="comet.tsv", **options)


def test_scores_of_other_programs_are_needed_and_used():
    model = quality_model("linear", features=(FEATURES[0], Feature("COMET", higher_is_better=True)), card=PLAIN)
    with pytest.raises(InputError, match=r"'COMET' is a score .* Give the file with --scores FILE"):
        assay.predict(CAMPAIGN, model)
    # F1 is the same; COMET rises by 25, one spread, which weighs -0.5.
    low, high = (
        np.array([row["score"] for row in found.table("segments")])
        for found in (
            assay.predict(CAMPAIGN, model, scores=[scores(values)], segments=True)
            for values in ([0, 0, 0], [25, 25, 25])
        )
    )
    assert high - low == pytest.approx([-0.5] * 6)
    with pytest.raises(InputError, match="higher values were better when the model was trained"):
        assay.predict(CAMPAIGN, model, scores=[scores([1, 2, 3], higher_is_better=False)])
    with pytest.raises(InputError, match="'COMET' has no value for segment 1 of 'one'"):
        assay.predict(CAMPAIGN, model, scores=[scores([1.0, np.nan, 3.0])])


def test_scores_that_no_feature_is_about_are_mentioned():
    with pytest.warns(AssayWarning, match="The model has no feature 'COMET'"):
        assay.predict(CAMPAIGN, quality_model(), scores=[scores([1, 2, 3])])


def trained_on(references, digests):
    data = TrainingData("other", ("one",), references, 3, 3, digests)
    return quality_model(card=ModelCard(task="43210", unit="grade", kinds=("da",), training=(data,)))


def test_another_number_of_references_is_mentioned():
    with pytest.warns(AssayWarning, match="learned from 2 references per segment, and here are 1"):
        assay.predict(CAMPAIGN, trained_on(("A", "B"), {}))


def test_texts_of_the_training_are_mentioned():
    digest = CAMPAIGN.systems["two"].digest
    with pytest.warns(AssayWarning, match="trained on these very translations: two"):
        assay.predict(CAMPAIGN, trained_on(("A",), {"system two": digest}))


def test_a_table_of_other_features_is_refused():
    model = quality_model()
    assert model.scores(feature_table(CAMPAIGN, FEATURES)).shape == (6,)
    with pytest.raises(InputError, match="needs the feature 'wer', which is not there"):
        model.scores(feature_table(CAMPAIGN, "f1"))
    with pytest.raises(InputError, match="in this order"):
        model.scores(feature_table(CAMPAIGN, "wer,f1"))
    lower = (FEATURES[0], Feature.parse("wer(lowercase=true)", name="wer"))
    with pytest.raises(InputError, match=r"'wer' is not .*: lowercase was false and is true"):
        model.scores(feature_table(CAMPAIGN, lower))
    hits = (FEATURES[0], Feature.parse("wer:hits", name="wer"))
    with pytest.raises(InputError, match=r"'wer' is not .*: part was None and is hits"):
        model.scores(feature_table(CAMPAIGN, hits))
    comet = feature_table(
        CAMPAIGN,
        [FEATURES[0], Feature("wer", higher_is_better=True)],
        scores=[ExternalScores("wer", scores([1, 2, 3]).segments)],
    )
    with pytest.raises(InputError, match="origin was computed by Assay and is a score of another program"):
        model.scores(comet)


def test_numbers_beyond_all_bounds_are_refused(tmp_path):
    # Each number is allowed; a spread of 1e-300 makes 1e300 of a distance, and a weight of 1e100 infinity.
    weights = Scaling(np.zeros(2), np.full(2, 1e-300)), np.array([1e100, -1e100])
    model = QualityModel.of(Linear(*weights, 0.0, inputs=2), FEATURES, PLAIN)
    with pytest.raises(InputError, match=r"no finite number for a translation with these features: f1 83.3333, wer"):
        assay.predict(CAMPAIGN, model)
    metric = assay.Predictor(path=str(model.save(tmp_path / "model.json")))
    with pytest.raises(InputError, match="no finite number"):
        assay.score(CAMPAIGN, [metric])


def test_a_grader_whose_worths_overflow_is_refused():
    # Made by hand, not read: what is finite by itself adds up to infinity.
    grader = TreeGrader(tree([[1.0, 1.0, 1.0]] * 5), Classes(("bad", "fair", "good"), (1.7e308,) * 3), inputs=2)
    with pytest.raises(InputError, match="no finite number"):
        QualityModel.of(grader, FEATURES, PLAIN).apply(np.ones((1, 2)))


def test_only_a_campaign_is_predicted():
    # A list is one of campaigns.
    with pytest.raises(InputError, match="not a dict"):
        assay.predict({"a": 1}, quality_model())


#: The second segment has a reference of white space, the third none at all in B.
GAPS = assay.Campaign(
    "gaps",
    systems={"one": ["a b c d", "a b", "x"], "two": ["a b c d", "y", "a fine line"]},
    references={"A": ["a b c d", " ", "a fine line"], "B": ["a b c d", "a b", ""]},
    documents=("d1", "d2", "d3"),
    present={"B": np.array([True, True, False])},
)


def test_segments_without_a_reference_are_left_out_and_counted():
    with pytest.warns(AssayWarning, match=r"1 of 3 segments are left out, because they have no word in the .* A\."):
        result = assay.predict(GAPS, quality_model(), references="A", samples=50, segments=True, documents=True)
    # Perfect, left out, and an F1 of 0.
    first = result.table("segments")[:3]
    assert [row["score"] for row in first] == [1.75, None, 0.2]
    assert [row["grade"] for row in first] == ["good", None, "bad"]
    assert first[1]["probability_good"] is None
    assert [row["segments"] for row in result.table()] == [2, 2]
    assert result.table()[0]["score"] == pytest.approx((1.75 + 0.2) / 2)
    assert result.views[0].title.startswith("gaps: 2 segments")
    documents = result.table("documents")[:3]
    assert [(row["score"], row["segments"]) for row in documents] == [(1.75, 1), (None, 0), (0.2, 1)]
    assert documents[1]["share_good"] is None
    assert json.loads(result.to_json())["segments"][1]["score"] is None
    # The interval is that of the segments that are left.
    alone = assay.predict(only(GAPS, np.array([0, 2])), quality_model(), references="A", samples=50)
    assert result.table() == alone.table()


def test_one_reference_of_several_is_enough():
    with pytest.warns(AssayWarning, match="left out"):
        assay.predict(GAPS, quality_model(), references="B")
    result = assay.predict(GAPS, quality_model(card=PLAIN), references="A,B", segments=True)
    assert None not in [row["score"] for row in result.table("segments")]


def test_an_empty_reference_beside_a_post_edit_is_none():
    # Features see the reference, not what was made from the translation itself.
    texts = {"ref": ["a b c d", ""], "pe.one": ["a b c d", "a b"]}
    campaign = assay.Campaign("edited", {"one": ["a b c d", "a b"]}, texts, targeted=frozenset({"pe.one"}))
    with pytest.warns(AssayWarning) as notes:
        found = assay.predict(campaign, quality_model(), segments=True)
    assert [row["score"] for row in found.table("segments")] == [1.75, None]
    assert any("1 of 2 segments are left out" in str(note.message) for note in notes)


def test_no_reference_at_all_is_an_error():
    campaign = assay.Campaign("empty", {"one": ["a", "b"]}, {"A": ["", " "]})
    with pytest.raises(InputError, match=r"empty: no segment has a word in the references A. Choose others"):
        assay.predict(campaign, quality_model())


def test_scores_of_other_programs_need_no_reference():
    comet = Feature("COMET", higher_is_better=True), Feature("other", higher_is_better=True)
    given = [replace(scores([1, 2, 3]), name=name) for name in ("COMET", "other")]
    model = quality_model("linear", features=comet, card=PLAIN)
    result = assay.predict(GAPS, model, references="A", scores=given, segments=True)
    assert None not in [row["score"] for row in result.table("segments")]


def test_translations_of_the_training_are_known_without_the_segments_that_were_left_out():
    digest = only(GAPS, np.array([0, 2])).systems["two"].digest
    with pytest.warns(AssayWarning) as notes:
        assay.predict(GAPS, trained_on(("A",), {"system two": digest}), references="A")
    assert any("trained on these very translations: two." in str(note.message) for note in notes)


def of_two_tasks():
    """Grades, and whether an F1 of 50 is passed: a node each."""
    split = TreeGrader(
        tree([[0.5, 0.5], [0.9, 0.1], [0.5, 0.5], [0.2, 0.8], [0.4, 0.6]]),
        Classes(("<3", ">=3"), (0.0, 1.0)),
        inputs=2,
    )
    card = ModelCard(task="grade>=3", unit="probability of grade>=3", method="pencil")
    return QualityModel.together([quality_model(), QualityModel.of(split, FEATURES, card)])


def test_every_task_of_a_file_is_predicted_in_a_column_of_its_own(tmp_path):
    model = of_two_tasks()
    found = assay.predict(CAMPAIGN, model, systems="one", segments=True, documents=True, samples=0)
    # As the first task says it alone; the translations come to nodes 3, 3 and 1, with 0.8, 0.8 and 0.1.
    assert [row["score"] for row in found.table("segments")] == [1.75, 1.75, 0.2]
    assert [row["grade>=3"] for row in found.table("segments")] == [0.8, 0.8, 0.1]
    assert found.table()[0]["grade>=3"] == pytest.approx((0.8 + 0.8 + 0.1) / 3)
    assert {row["document"]: row["grade>=3"] for row in found.table("documents")} == {"d1": 0.8, "d2": 0.1}
    assert found.setup["tasks"] == {"43210": "expected grade, 0 to 2", "grade>=3": "probability of grade>=3"}
    assert "grade>=3: probability of grade>=3, by pencil." in found.views[0].notes
    path = model.save(tmp_path / "m.json")
    for task, wanted in ((None, 3.7 / 3), ("grade>=3", 1.7 / 3)):
        metric = assay.metric("predictor", path=str(path), task=task)
        assert metric.evaluate(CAMPAIGN.corpus("one")).corpus_score() == pytest.approx(wanted)
        assert assay.metric(str(metric)) == metric
    with pytest.raises(UnknownName, match="task of the model"):
        assay.metric("predictor", path=str(path), task="grade>=4")


def test_the_card_of_several_tasks_has_each_of_them():
    found = assay.predict(None, of_two_tasks(), card=True)
    tasks = [row["value"] for row in found.table("card") if row["field"] == "task"]
    assert tasks == ["43210", "grade>=3"]
    assert {row["task"] for row in found.table("held_out")} == {"43210"}
    # Of one task nothing has changed.
    assert "task" not in assay.predict(None, quality_model(), card=True).table("held_out")[0]


def test_a_task_that_is_called_like_a_column_is_refused():
    card = ModelCard(task="score", unit="x")
    model = QualityModel.together([quality_model(), QualityModel.of(quality_model("linear").model, FEATURES, card)])
    with pytest.raises(InputError, match="a task that is called 'score'"):
        assay.predict(CAMPAIGN, model)
