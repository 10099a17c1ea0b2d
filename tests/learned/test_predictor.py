"""A saved model as a metric: it obeys the laws, and works where metrics do."""

import numpy as np
import pytest

import assay
from assay import demo
from assay.errors import AssayWarning, InputError, ParameterError
from assay.learned.combination import RankMean
from assay.learned.features import Feature, feature_set, feature_table
from assay.learned.model_file import QualityModel, signs
from assay.metrics.options import spell
from assay.scoring import evaluate as evaluating
from assay.scoring.subsets import SubsetCounter
from assay.testing import LAWS
from learned.small_models import CAMPAIGN, CARD, FEATURES, MODELS, quality_model


def with_nist():
    """A model whose features ask for a survey, three recipes and a part."""
    features = (*feature_set("paper"), Feature.parse("chrf"))
    table = feature_table(CAMPAIGN, features)
    return QualityModel.of(RankMean.of(table.values, signs(features)), features, CARD)


@pytest.fixture(params=[*MODELS, "nist"])
def saved(request, tmp_path):
    model = with_nist() if request.param == "nist" else quality_model(request.param)
    return model.save(tmp_path / "a model.json")


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_law(law, saved):
    law(assay.metric("predictor", path=str(saved)))


def test_it_prints_as_it_is_typed(saved):
    metric = assay.metric(f'predictor(path="{saved}")')
    assert metric == assay.Predictor(path=str(saved))
    assert assay.metric(spell(metric, all_fields=True)) == metric
    with pytest.raises(ParameterError, match="predictor needs path"):
        assay.metric("predictor")


def test_a_score_by_hand(tmp_path):
    # "a b c" for "a b d": F1 is 2/3 and WER 1/3. F1 66.7 > 40 and WER 33.3 > 25: 1 · 0.5 + 2 · 0.25.
    # "a b": F1 100, WER 0: 1 · 0.25 + 2 · 0.75 = 1.75. The corpus has their mean.
    path = quality_model().save(tmp_path / "model.json")
    corpus = assay.Corpus(translations=["a b c", "a b"], references=[["a b d", "a b"]])
    statistics = assay.metric("predictor", path=str(path)).evaluate(corpus)
    assert statistics.segment_scores().tolist() == [1.0, 1.75]
    assert statistics.corpus_score() == 1.375
    parts = statistics.parts()
    assert parts["share_good"] == pytest.approx(50.0)
    assert parts["f1"] == pytest.approx((200 / 3 + 100) / 2)
    assert list(parts) == ["share_bad", "share_fair", "share_good", "f1", "wer"]


def test_it_scores_what_predict_predicts(saved):
    scored = assay.score(CAMPAIGN, [assay.Predictor(path=str(saved))], seed=3, segments=True)
    predicted = assay.predict(CAMPAIGN, saved, seed=3, segments=True)
    for score, row in zip(scored.table("scores"), predicted.table(), strict=True):
        assert score["score"] == pytest.approx(row["score"], rel=1e-12)
        # Two documents are too few for an interval.
        assert (score["low"], score["high"]) == (row["low"], row["high"]) == (None, None)
    alone = [(row["system"], row["score"]) for row in scored.table("segments")]
    assert alone == [(row["system"], row["score"]) for row in predicted.table("segments")]


def test_its_intervals_are_those_of_predict(tmp_path):
    path = quality_model("linear").save(tmp_path / "model.json")
    scored = assay.score(demo.CAMPAIGN, [assay.Predictor(path=str(path))], references="A", seed=3)
    predicted = assay.predict(demo.CAMPAIGN, path, references="A", seed=3)
    for score, row in zip(scored.table("scores"), predicted.table(), strict=True):
        assert (score["low"], score["high"]) == pytest.approx((row["low"], row["high"]), rel=1e-9)


def test_the_signature_holds_the_digest_of_the_model(saved):
    metric = assay.Predictor(path=str(saved))
    signature = assay.score(CAMPAIGN, [metric], samples=0).table("scores")[0]["signature"]
    assert f"model:{metric.model.digest[:12]}" in signature


def test_it_is_compared_and_explained(tmp_path):
    path = quality_model().save(tmp_path / "model.json")
    compared = assay.compare(CAMPAIGN, metrics=[f"predictor(path={path})", "f1"], samples=50)
    assert {row["metric"] for row in compared.table()} == {f"predictor(path={path})", "f1"}
    explanation = assay.explain(f"predictor(path={path})", translation="a b", references=["a b"])
    assert explanation.made[0].picture is None
    assert "share good 75" in str(explanation)


def test_nist_is_fitted_to_all_references(tmp_path):
    path = with_nist().save(tmp_path / "model.json")
    metric = assay.Predictor(path=str(path))
    assert metric.needs_survey
    statistics = metric.evaluate(CAMPAIGN.corpus("one"))
    assert not statistics.metric.needs_survey
    assert statistics.metric.fitted_on
    column = statistics.metric.columns.index("nist")
    alone = assay.metric("nist").evaluate(CAMPAIGN.corpus("one"))
    assert statistics.rows[:, column].tolist() == alone.segment_scores().tolist()
    with pytest.raises(ParameterError, match="only after a survey"):
        metric.count(None)
    assert not assay.Predictor(path=str(quality_model().save(tmp_path / "plain.json"))).needs_survey


def test_many_shards_are_one(tmp_path, monkeypatch):
    # Surveys of three shards add up; every metric for itself is counted in one.
    path = with_nist().save(tmp_path / "model.json")
    whole = assay.predict(CAMPAIGN, path, samples=0, segments=True)
    monkeypatch.setattr(evaluating, "SHARD_SEGMENTS", 1)
    cut = assay.score(CAMPAIGN, [assay.Predictor(path=str(path))], samples=0, segments=True)
    assert [row["score"] for row in cut.table("segments")] == [row["score"] for row in whole.table("segments")]


def test_sets_of_references_count_as_if_they_were_alone(tmp_path):
    path = with_nist().save(tmp_path / "model.json")
    whole = assay.Campaign(
        "whole",
        {"s": ["the cat sat on the mat", "a b c d"]},
        {"A": ["the cat sat on a mat", "a b c"], "B": ["a cat", "d c b a"], "C": ["the mat", "b c d"]},
    )
    metric = assay.Predictor(path=str(path))
    counter = SubsetCounter(metric, whole.systems, whole.references)
    for subset in ((0,), (1,), (0, 2), (0, 1, 2)):
        alone = whole.choose(references=["ABC"[index] for index in subset]).corpus("s")
        assert counter.rows("s", subset) == pytest.approx(metric.evaluate(alone).rows, rel=1e-12, abs=1e-12)


def test_options_of_texts_belong_to_the_features(tmp_path):
    path = quality_model().save(tmp_path / "model.json")
    with pytest.raises(ParameterError, match="lowercase is given, but each feature"):
        assay.Predictor(path=str(path), lowercase=True)


def test_features_that_no_text_gives_are_refused(tmp_path):
    comet = quality_model(features=(FEATURES[0], Feature("COMET", higher_is_better=True))).save(tmp_path / "comet.json")
    with pytest.raises(InputError, match=r"needs scores of other programs \(COMET\).*--scores FILE"):
        assay.Predictor(path=str(comet))
    edited = quality_model(features=(FEATURES[0], Feature.parse("hter"))).save(tmp_path / "hter.json")
    with pytest.raises(InputError, match="needs hter, which is about post-edits"):
        assay.Predictor(path=str(edited))


def test_a_wrong_file_is_an_error_where_it_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.json: cannot be read"):
        assay.metric(f"predictor(path={tmp_path}/nowhere.json)")


def test_a_file_that_changes_is_read_again(tmp_path):
    path = quality_model("regression-tree").save(tmp_path / "model.json")
    first = assay.Predictor(path=str(path)).model
    assert assay.Predictor(path=str(path)).model is first
    quality_model("linear").save(path, overwrite=True)
    assert assay.Predictor(path=str(path)).model.model.kind == "linear"


def test_a_word_list_that_changes_is_noticed(tmp_path):
    words = tmp_path / "synonyms.tsv"
    words.write_text("sofa\tcouch\n")
    features = (Feature.parse(f"meteor(synonyms={words})"), FEATURES[1])
    path = quality_model(features=features).save(tmp_path / "model.json")
    assert assay.Predictor(path=str(path)).model.features == features
    words.write_text("sofa\tcouch\nbig\tlarge\n")
    with pytest.raises(InputError, match="option synonyms is not the one"):
        assay.Predictor(path=str(path))


def test_rows_hold_shares_that_add_up(saved):
    metric = assay.Predictor(path=str(saved))
    rows = metric.evaluate(CAMPAIGN.corpus("two")).rows
    shares = [index for index, name in enumerate(metric.columns) if name.startswith("share_")]
    if shares:
        assert np.allclose(rows[:, shares].sum(axis=1), 1.0)


@pytest.mark.filterwarnings("ignore:In . of 3 segments all references are empty", "ignore:The model learned from 1")
def test_segments_without_a_reference_are_left_out_of_the_mean_as_predict_does(tmp_path):
    model = quality_model()
    metric = assay.Predictor(path=str(model.save(tmp_path / "model.json")))
    campaign = assay.Campaign("gaps", {"s": ["a b", "a b", "c d"]}, {"A": ["a b", "", "c"]})
    with pytest.warns(AssayWarning, match=r"s: predictor: 1 of 3 segments have no word in .* left out of the mean"):
        scored = assay.score(campaign, [metric], segments=True)
    with pytest.warns(AssayWarning, match=r"1 of 3 segments are left out"):
        predicted = assay.predict(campaign, model, segments=True)
    ours, theirs = scored.table("scores")[0], predicted.table()[0]
    # 1.75 of the first, as above; the mean of what is there.
    assert ours["score"] == theirs["score"] == np.mean([row["score"] for row in predicted.table("segments")][::2])
    assert [row["score"] for row in scored.table("segments")] == [1.75, 0.0, predicted.table("segments")[2]["score"]]
    assert scored.table("parts")[-2]["value"] == pytest.approx(250 / 3)
    # Where one of two references lacks altogether, the other is empty: what stands in its place is no reference.
    lacking = assay.Campaign(
        "lacking",
        campaign.systems,
        {"A": ["a b", "a b", ""], "B": ["x", "", "c d"]},
        present={"A": np.array([True, False, True]), "B": np.array([False, True, False])},
    )
    with pytest.warns(AssayWarning, match="2 of 3 segments"):
        ours = assay.score(lacking, [metric], samples=0).table("scores")[0]["score"]
    with pytest.warns(AssayWarning, match="2 of 3 segments"):
        theirs = assay.predict(lacking, model, samples=0).table()[0]["score"]
    assert ours == theirs == 1.75


@pytest.mark.filterwarnings("ignore:In 1 of 3 segments all references are empty")
def test_another_reference_with_words_is_enough(tmp_path):
    path = quality_model().save(tmp_path / "model.json")
    campaign = assay.Campaign("gaps", {"s": ["a b", "a b", "c"]}, {"A": ["a b", "", "c"]})
    both = assay.Campaign("full", campaign.systems, {**campaign.references, "B": ["a", "a b", ""]})
    assert (
        assay.Predictor(path=str(path)).remarks(assay.Predictor(path=str(path)).evaluate(both.corpus("s")).rows) == ()
    )
