"""Models that learn on one campaign and are tested on another: what a saved model says there, held against scipy."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr

import assay
from assay.data.external import ExternalScores
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError, ParameterError
from studies.campaign_folder import written
from studies.judged_campaign import campaign
from studies.test_case_and_stem import human_means

QUICK = {"features": "f1,wer,chrf", "samples": 0, "left_out": False}


@pytest.fixture(scope="module")
def learnt_from():
    return campaign(segments=30, seed=3)


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    return written(campaign(segments=20, seed=11), tmp_path_factory.mktemp("campaigns") / "B")


def predicted(learnt_from, other, folder, task, model, **options):
    """What a model that was saved without the option says of the other campaign, systems by segments, and people."""
    file = folder / "model.json"
    assay.learn(learnt_from, tasks=task, models=model, save=str(file), folds=3, **QUICK, **options)
    rows = assay.predict(other, str(file), segments=True, samples=0).table("segments")
    # Without the last digits of their arithmetic: means that are equal are ties.
    return rows, np.concatenate(list(human_means(assay.read(other)).values())).round(9)


@pytest.mark.parametrize("model", ["ridge", "tree"])
def test_regression_is_what_the_saved_model_says_of_the_other_campaign(learnt_from, other, tmp_path, model):
    found = assay.learn(learnt_from, tasks="regression", models=model, test_on=other, **QUICK)
    rows, people = predicted(learnt_from, other, tmp_path, "regression", model)
    scores = np.array([row["score"] for row in rows])
    value = {
        row["statistic"]: row["value"] for row in found.table() if (row["model"], row["features"]) == (model, "all")
    }
    assert value["spearman"] == pytest.approx(spearmanr(scores, people).statistic, abs=1e-9)
    assert value["pearson"] == pytest.approx(pearsonr(scores, people).statistic, abs=1e-9)
    assert value["mae"] == pytest.approx(np.abs(scores - people).mean(), abs=1e-9)
    assert value["rmse"] == pytest.approx(np.sqrt(((scores - people) ** 2).mean()), abs=1e-9)


def test_grades_are_cut_where_the_first_campaign_cuts_them(learnt_from, other, tmp_path):
    found = assay.learn(learnt_from, tasks="grades", models="ordinal", grades=3, test_on=other, **QUICK)
    rows, people = predicted(learnt_from, other, tmp_path, "grades", "ordinal", grades=3)
    ours = np.concatenate(list(human_means(learnt_from).values()))
    cuts = found.setup["cuts"]
    # Three grades of about the same size where they are learnt, not where they are tested.
    assert np.bincount(np.searchsorted(cuts, ours, side="right")).tolist() == pytest.approx([50, 50, 50], abs=3)
    truth = np.searchsorted(cuts, people, side="right") + 1
    right = np.mean([int(row["grade"]) == grade for row, grade in zip(rows, truth, strict=True)])
    assert found.of(model="ordinal", statistic="accuracy", features="all")["value"] == pytest.approx(right)
    counts = {row["grade"]: row["translations"] for row in found.table("grades")}
    assert counts == {str(grade): int((truth == grade).sum()) for grade in (1, 2, 3)}
    # The bar is the most frequent grade of the campaign that is tested.
    assert found.of(model="majority", statistic="accuracy")["value"] == pytest.approx(np.bincount(truth).max() / 100)


def test_the_best_single_feature_is_chosen_where_models_learn(learnt_from, other):
    found = assay.learn(learnt_from, tasks="regression", models="ridge", test_on=other, **QUICK)
    people = np.concatenate(list(human_means(learnt_from).values()))
    follows = {}
    for name in ("f1", "wer", "chrf"):
        metric = assay.metric(name)
        scores = [metric.evaluate(learnt_from.corpus(system)).segment_scores() for system in learnt_from.systems]
        follows[name] = abs(spearmanr(np.concatenate(scores), people).statistic)
    (row,) = [row for row in found.table("chosen") if row["model"] == "best-single"]
    assert (row["feature"], row["fold"]) == (max(follows, key=follows.get), 1)


def test_pairs_of_the_other_campaign_are_decided(learnt_from, other, tmp_path):
    found = assay.learn(learnt_from, tasks="pairwise", models="ridge", test_on=other, **QUICK)
    rows, _ = predicted(learnt_from, other, tmp_path, "regression", "ridge")
    scores = np.array([row["score"] for row in rows]).reshape(5, 20)
    people = np.stack(list(human_means(assay.read(other)).values()))
    right = [
        (np.sign(scores[a, one] - scores[b, one]) * np.sign(people[a, one] - people[b, one]) + 1) / 2
        for one in range(20)
        for a in range(5)
        for b in range(a)
        if people[a, one] != people[b, one]
    ]
    assert found.of(model="ridge", task="pairwise", statistic="accuracy")["value"] == pytest.approx(np.mean(right))


def test_both_campaigns_are_in_the_record_and_sentences(learnt_from, other):
    found = assay.learn(learnt_from, tasks="regression", models="ridge", test_on=other, **QUICK)
    assert found.findings[0] == "small: 300 of 300 judgements were used."
    assert found.findings[1] == "B: 200 of 200 judgements were used."
    assert any(said.startswith("Learnt on small, tested on B; pruning") for said in found.findings)
    assert {"f1", "f1, B"} <= set(found.signatures)
    assert {"sys.s0", "B/sys.s0", "B/judgements"} <= set(found.digests)
    assert (found.setup["learnt_on"], found.setup["test_on"], found.setup["translations"]) == ("small", "B", 100)
    assert json.loads(found.to_json())["options"]["test_on"] == other
    assert found.table("folds") == [
        {"kind": "adequacy", "fold": 1, "group": "campaign", "translations": 100, "groups": 10}
    ]


def test_judgements_on_another_scale_are_tested_by_order(learnt_from, tmp_path):
    made = campaign(segments=20, seed=11)
    rows = [Judgement(one.system, one.segment, one.score * 10 + 500, one.kind, one.rater) for one in made.judgements]
    far = written(made.with_judgements(Judgements.of(rows, "inline")), tmp_path / "far")
    near = written(made, tmp_path / "near")
    with pytest.raises(InputError, match=r"far: all translations have one grade.*--task regression,pairwise"):
        assay.learn(learnt_from, tasks="grades", models="ordinal", test_on=far, **QUICK)
    with pytest.warns(AssayWarning, match="far: all translations have one grade"):
        found = assay.learn(learnt_from, models="ridge", test_on=far, **QUICK)
    assert {row["task"] for row in found.table()} == {"regression", "pairwise"}
    same = assay.learn(learnt_from, models="ridge", tasks="regression,pairwise", test_on=near, **QUICK)
    for statistic in ("spearman", "pearson"):
        rows = [one.of(model="ridge", statistic=statistic, features="all") for one in (found, same)]
        assert rows[0]["value"] == pytest.approx(rows[1]["value"], abs=1e-9)


def test_what_goes_with_folds_alone_is_refused(learnt_from, other, tmp_path):
    with pytest.raises(ParameterError, match="--save goes without --test-on"):
        assay.learn(learnt_from, test_on=other, save=str(tmp_path / "model.json"), **QUICK)
    scores = [ExternalScores("own", segments={name: np.arange(30.0) for name in learnt_from.systems})]
    with pytest.raises(ParameterError, match="--scores goes without --test-on"):
        assay.learn(learnt_from, test_on=other, scores=scores, **QUICK)
    with pytest.raises(ParameterError, match="folds"):
        assay.learn(learnt_from, test_on=other, folds=3, **QUICK)
    with pytest.raises(InputError, match="has the very translations to choose on"):
        assay.learn(assay.read(other), test_on=other, tasks="regression", models="ridge", **QUICK)


def test_the_tree_that_is_printed_and_drawn_is_learnt_from_the_first_campaign(learnt_from, other):
    options = {"tasks": "grades,regression", "models": "tree", "grades": 3, **QUICK}
    found = assay.learn(learnt_from, test_on=other, **options)
    # Without another campaign it is learnt from the same translations: 30 segments of five systems.
    assert found.table("rules") == assay.learn(learnt_from, folds=3, **options).table("rules")
    assert sum(row["translations"] for row in found.table("rules") if row["task"] == "grades") == 150
    (view, _) = [view for view in found.views if view.table == "rules"]
    assert view.notes[0] == "Learnt from all 150 translations of small: right counts what it has seen."
    assert "small, adequacy, learnt from all 150 translations" in json.dumps(found.figures[1].spec)
