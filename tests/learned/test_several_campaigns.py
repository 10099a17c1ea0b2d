"""Several campaigns in one training set: nothing of one is taken for another's, and folds may keep them apart."""

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.data.campaign import only
from assay.demo import CAMPAIGN
from assay.errors import InputError
from assay.learned.learners import learner

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

QUICK = {"kind": "adequacy", "tasks": "grades", "models": "tree", "samples": 20, "left_out": False}


def half(name, start, change=None):
    """Every other segment of the demo, as a campaign of its own; ``change`` turns scores into others."""
    part = only(assay.read(CAMPAIGN), np.arange(start, 60, 2))
    rows = [replace(row, score=change(row.score) if change else row.score) for row in part.judgements]
    return replace(part, name=name, human=assay.Judgements.of(rows, name), whole=None, places=None)


def test_examples_are_those_of_each_campaign_one_after_the_other():
    found = assay.learn([half("even", 0), half("odd", 1)], "bleu,wer", **QUICK).made.examples
    options = QUICK | {"grades": (3.5,)}
    alone = [assay.learn(half(*one), "bleu,wer", **options).made.examples for one in (("even", 0), ("odd", 1))]
    assert found.target.tolist() == [score for one in alone for score in one.target]
    assert found.table.values.tolist() == [row for one in alone for row in one.table.values.tolist()]
    assert found.usage.used == sum(one.usage.used for one in alone)
    # Segment 0 of one campaign is not that of the other: no pair and no group holds both.
    assert len(np.unique(found.groups("segment"))) == 60
    assert len(np.unique(found.groups("system"))) == 8
    assert len(np.unique(found.groups("document"))) == sum(len(np.unique(one.groups("document"))) for one in alone)
    assert found.scale == "Scores of all campaigns are taken as they are, on one scale."


def test_folds_by_campaign_are_what_learning_on_one_and_testing_on_the_other_gives():
    even, odd = half("even", 0), half("odd", 1)
    options = QUICK | {"grades": (2.5, 3.5, 4.5), "group": "campaign"}
    found = assay.learn([even, odd], "bleu,wer", **options)
    assert found.setup["folds"] == 2
    for fold, campaign in {(row["fold"], row["campaign"]) for row in found.table("fold_segments")}:
        others = [row["fold"] for row in found.table("fold_segments") if row["campaign"] == campaign]
        assert set(others) == {fold}
    rows = {row["campaign"]: row for row in found.table("campaigns") if row["model"] == "rank-average"}
    made = found.made
    task, values = made.tasks[0], made.examples.table.values
    tested = np.repeat([True, False], [len(part) for part in made.examples.parts])
    for name, held in (("even", tested), ("odd", ~tested)):
        # Learnt from the other campaign alone.
        model = learner("rank-average").fit(task.training_set(made.examples, made.folds.groups, 1).only(~held)).model
        right = model.grades(values[held]) == task.target[held]
        assert rows[name]["value"] == pytest.approx(right.mean())
        # Drawn with all others, moved away from the value as Nadeau and Bengio have it (1 + 2/1 of two folds).
        weights = made._bootstrap.weights[:, made._bootstrap.units][:, held]
        drawn = (weights * right).sum(axis=1) / weights.sum(axis=1)
        ends = made._bootstrap.estimate(np.clip(drawn[0] + np.sqrt(3.0) * (drawn - drawn[0]), 0.0, 1.0))
        assert (rows[name]["low"], rows[name]["high"]) == pytest.approx((ends.low, ends.high))
        assert rows[name]["translations"] == 120
    whole = found.of("rank-average", "grades", "accuracy", features="all", group="campaign").value
    shares = [(row["translations"], row["value"]) for row in rows.values()]
    assert whole == pytest.approx(sum(count * value for count, value in shares) / sum(count for count, _ in shares))


def test_scores_on_different_scales_are_standardised_by_campaign_unless_cut_points_are_stated():
    campaigns = [half("even", 0), half("odd", 1, lambda score: 20.0 * score + 0.5)]
    found = assay.learn(campaigns, "bleu,wer", **QUICK)
    assert "standardised" in found.setup["scale"]
    assert any("standardised" in text for text in found.findings)
    for part in found.made.examples.parts:
        start = 0 if part.campaign.name == "even" else len(found.made.examples.parts[0])
        own = found.made.examples.target[start : start + len(part)]
        # By hand: the mean is 0 and the standard deviation 1.
        assert own.tolist() == pytest.approx(((part.target - part.target.mean()) / part.target.std()).tolist())
    stated = assay.learn(campaigns, "bleu,wer", **(QUICK | {"grades": (3.0, 50.0)}))
    assert stated.made.examples.target.max() > 50.0


def test_few_grades_that_are_not_the_same_are_no_common_scale():
    # Single judgements of 1 to 5 here and of 2 to 10 there are five whole numbers each.
    found = assay.learn([half("even", 0), half("odd", 1, lambda score: 2.0 * score)], "bleu,wer", **QUICK)
    assert "standardised" in found.setup["scale"]
    assert found.setup["grades"] == "quantiles"


def test_a_model_of_several_campaigns_names_them_all(tmp_path):
    path = tmp_path / "model.json"
    options = QUICK | {"tasks": "regression,pairwise", "models": "ridge", "grades": (3.5,)}
    found = assay.learn([half("even", 0), half("odd", 1)], "bleu,wer", save=path, **options)
    alone = [assay.learn(half(name, start), "bleu,wer", **options) for name, start in (("even", 0), ("odd", 1))]
    assert found.setup["pairs"] == sum(one.setup["pairs"] for one in alone)
    card = assay.load_predictor(path).card
    assert [(one.campaign, one.segments, one.translations) for one in card.training] == [
        ("even", 30, 120), ("odd", 30, 120),
    ]  # fmt: skip
    assert found.campaign == "even, odd"
    assert {name.rpartition(", ")[2] for name in found.signatures} == {"even", "odd"}


def test_one_campaign_cannot_be_held_out_of_itself():
    with pytest.raises(InputError, match="There is one campaign only"):
        assay.learn(half("even", 0), "bleu,wer", **(QUICK | {"group": "campaign"}))


def test_campaigns_may_call_their_judgements_differently():
    even, odd = half("even", 0), half("odd", 1)
    rows = [replace(one, kind="da") for one in odd.judgements if one.kind == "adequacy"]
    called = replace(odd, human=assay.Judgements.of(rows, "inline"))
    known = assay.learn([even, odd], "bleu,wer", **QUICK)
    found = assay.learn([even, called], "bleu,wer", **QUICK | {"kind": "adequacy/da"})
    assert found.made.examples.kind == "adequacy/da"
    assert found.made.examples.target.tolist() == known.made.examples.target.tolist()
    with pytest.raises(
        InputError, match=r"odd: There is no kind of judgement 'adequacy'\. Known: da\. .*--kind da/da-sqm"
    ):
        assay.learn([even, called], "bleu,wer", **QUICK)
    with pytest.raises(InputError, match="even: There is no kind of judgement 'mqm'"):
        assay.learn([even, called], "bleu,wer", **QUICK | {"kind": "mqm"})
