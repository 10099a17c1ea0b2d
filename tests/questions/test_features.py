"""Features and judgements of a campaign as one table: every number is what its own command gives."""

import json

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from assay.errors import InputError, ParameterError
from learned.taught import taught

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")


def test_a_row_has_the_metrics_own_scores_and_the_mean_of_the_judgements():
    found = assay.features(CAMPAIGN, "bleu(smoothing=none),wer", systems="gravel")
    rows = found.table()
    # One system of 60 segments.
    assert len(rows) == 60
    campaign = assay.read(CAMPAIGN)
    for column, spelling in (("bleu(smoothing=none)", "bleu(smoothing=none)"), ("wer", "wer")):
        # Features are the score of the row as it stands, as learn takes them.
        metric = assay.metric(spelling)
        wanted = metric.score(metric.evaluate(campaign.corpus("gravel")).rows)
        assert [row[column] for row in rows] == pytest.approx(np.asarray(wanted).tolist())
    # The lines of human.tsv, added up by hand.
    lines = [line.split("\t") for line in (CAMPAIGN / "human.tsv").read_text().splitlines()[1:]]
    for kind in ("adequacy", "fluency"):
        for row in rows:
            given = [
                float(line[4]) for line in lines if (line[0], line[1], line[5]) == ("gravel", row["segment"], kind)
            ]
            assert row[f"judgements_{kind}"] == len(given) == 3
            assert row[f"human_{kind}"] == pytest.approx(sum(given) / 3)
    documents = (CAMPAIGN / "docs.txt").read_text().splitlines()
    assert [row["document"] for row in rows] == documents


def test_the_rows_are_those_that_learn_learns_from():
    rows = assay.features(CAMPAIGN, "bleu,wer", kind="adequacy").table()
    learnt = assay.learn(
        CAMPAIGN, "bleu,wer", kind="adequacy", tasks="regression", models="ridge", folds=2, samples=0
    ).made.examples
    assert len(rows) == len(learnt) == 240
    assert [[row["bleu"], row["wer"]] for row in rows] == learnt.table.values.tolist()
    assert [row["human_adequacy"] for row in rows] == learnt.target.tolist()


def test_what_nobody_judged_has_no_score_and_what_no_file_scores_no_feature():
    campaign, scores = taught.__wrapped__(segments=6, systems=2)
    judged = [one for one in campaign.judgements if (one.system, one.segment) != ("s1", 3)]
    scores[0].segments["s0"][2] = np.nan
    found = assay.features(campaign.with_judgements(assay.Judgements.of(judged, "inline")), "scores", scores=scores)
    rows = {(row["system"], row["segment"]): row for row in found.table()}
    assert (rows["s1", "3"]["human_da"], rows["s1", "3"]["judgements_da"]) == (None, 0)
    assert rows["s0", "2"]["one"] is None
    assert rows["s0", "2"]["human_da"] is not None
    assert "da: 11 translations judged. 11 of 11 judgements were used." in found.findings


def test_a_campaign_without_judgements_has_features_alone(tmp_path):
    for name in ("ref.A.txt", "sys.one.txt"):
        (tmp_path / name).write_text("a b c d\n\n" if name.startswith("ref") else "a b c d\ne\n")
    found = assay.features(tmp_path, "wer,precision")
    # The second segment has no reference: nothing can be said of it.
    assert [(row["wer"], row["precision"]) for row in found.table()] == [(0.0, 100.0), (None, None)]
    assert list(found.table()[0]) == ["system", "document", "segment", "wer", "precision"]
    assert "1 segment without a word in any reference: features are empty there." in found.findings
    with pytest.raises(InputError, match="has no judgements"):
        assay.features(tmp_path, "wer", kind="adequacy")


def test_kinds_may_be_chosen_and_joined():
    found = assay.features(CAMPAIGN, "wer", kind="adequacy+fluency", systems="compass")
    row = found.table()[0]
    # Three raters gave both; their means are 4.0 and 4.0.
    assert row["judgements_adequacy+fluency"] == 3
    assert row["human_adequacy+fluency"] == pytest.approx(4.0)


def test_a_feature_that_is_called_like_another_column_is_refused():
    campaign, scores = taught.__wrapped__(segments=6, systems=2)
    scores = [scores[0].__class__("segment", segments=scores[0].segments)]
    with pytest.raises(ParameterError, match="Two columns would be called 'segment'"):
        assay.features(campaign, "scores", scores=scores)


def test_the_table_is_the_one_that_tsv_holds():
    found = assay.features(CAMPAIGN, "wer", systems="gravel")
    lines = found.render("tsv").splitlines()
    assert len(lines) == 61
    document = json.loads(found.to_json())
    assert document["columns"][0] == {"column": "wer", "is": "wer", "better": "lower"}
