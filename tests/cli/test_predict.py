"""assay predict on the command line, and what it refuses."""

import csv
import io
import json
import pickle

import pytest

from assay.learned.features import Feature
from cli.test_bad_input import refused
from learned.small_models import FEATURES, quality_model


@pytest.fixture
def model(tmp_path):
    return quality_model().save(tmp_path / "model.json")


def test_a_table_of_systems(command, model, campaign):
    result = command("predict", model, campaign)
    assert result.code == 0
    lines = result.out.splitlines()
    assert lines[0] == ("campaign: 3 segments, references A, B; predicted by pencil: expected grade, 0 to 2")
    # Two documents are too few for an interval.
    assert lines[2].split() == ["system", "score", "↑", "%", "bad", "%", "fair", "%", "good"]
    # A WER of 1/8 and two perfect segments: 1.75 each. "cat mat" and the rest have an F1 of at most 44 or 40.
    assert lines[4].split()[:2] == ["good", "1.75"]
    assert lines[-1].startswith("predictor refs:2 v")
    assert "learned from 1 reference per segment, and here are 2" in result.err


def test_every_format(command, model, campaign):
    for style in ("text", "markdown", "latex", "tsv", "csv", "json"):
        result = command("predict", model, campaign, "--refs", "A", "--format", style, "-q")
        assert result.code == 0
        assert "good" in result.out
        assert result.err == ""


def test_segments_in_a_file(command, model, campaign, tmp_path):
    out = tmp_path / "predictions.tsv"
    assert command("predict", model, campaign, "--refs", "A", "--segments", "--format", "tsv", "-o", out).code == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text()), delimiter="\t"))
    assert len(rows) == 6
    assert rows[0]["grade"] == "good"
    assert float(rows[0]["probability_good"]) == 0.75


def test_of_several_levels_a_file_holds_the_one_that_is_named(command, model, campaign):
    words = ("predict", model, campaign, "--refs", "A", "--format", "tsv", "--segments", "--documents")
    assert command(*words).out.startswith("system\tscore\tlow")
    assert "others: segments, documents (--table NAME)" in command(*words).err
    assert command(*words, "--table", "documents").out.startswith("system\tdocument\tscore")


def test_all_levels_as_json(command, model, campaign):
    result = command(
        "predict", model, campaign, "--refs", "A", "--segments", "--documents", "--domains", "--format", "json"
    )
    document = json.loads(result.out)
    assert [len(document[level]) for level in ("predictions", "segments", "documents", "domains")] == [2, 6, 4, 4]
    assert document["setup"]["model"]["card"]["task"] == "43210"


def test_all_levels_as_text(command, model, campaign):
    result = command("predict", model, campaign, "--refs", "A", "--segments", "--documents", "--domains")
    assert "P(fair)" in result.out
    assert "Documents" in result.out
    assert "Domains" in result.out


def test_a_model_of_scores(command, campaign, tmp_path):
    path = quality_model("linear").save(tmp_path / "linear.json")
    result = command("predict", path, campaign, "--refs", "A", "--segments", "--samples", 0)
    assert result.code == 0
    assert "%" not in result.out.splitlines()[2]


def test_the_card(command, model):
    result = command("predict", model, "--card")
    assert result.code == 0
    for words in ("61.5 (55 – 68)", "spearman: 0.4", "10 folds, grouped by segment", "tokenize=none:ascii", "30, 70"):
        assert words in result.out
    assert (
        json.loads(command("predict", model, "--card", "--format", "json").out)["setup"]["model"]["card"]["seed"] == 1
    )
    assert command("predict", model, "--card", "--format", "tsv").out.startswith("field\tvalue\nmethod\tpencil\n")


def test_some_systems_and_segments(command, model, campaign):
    result = command("predict", model, campaign, "--refs", "A", "--systems", "poor", "--where", "domain=news")
    assert "campaign: 2 segments" in result.out
    assert "good " not in "".join(result.out.splitlines()[4:])


def test_scores_of_other_programs(command, campaign, tmp_path):
    path = quality_model("linear", features=(FEATURES[0], Feature("comet", higher_is_better=True))).save(
        tmp_path / "comet.json"
    )
    scores = tmp_path / "comet.tsv"
    lines = [f"{system}\t{segment}\t{segment * 10}" for system in ("good", "poor") for segment in range(3)]
    scores.write_text("\n".join(["system\tsegment\tcomet", *lines]) + "\n")
    refused(command("predict", path, campaign), "'comet' is a score that another program computed", "--scores FILE")
    refused(command("score", campaign, "-m", f"predictor(path={path})"), "needs scores of other programs (comet)")
    chosen = command("predict", path, campaign, "--refs", "A", "--scores", scores, "--where", "domain=news")
    assert chosen.code == 0
    refused(
        command("predict", path, campaign, "--scores", scores, "--scores-lower", "comet"),
        "higher values were better when the model was trained",
    )
    scores.write_text("\n".join(["system\tsegment\tcomet", *lines[:-1]]) + "\npoor\t2\tNaN\n")
    refused(
        command("predict", path, campaign, "--scores", scores, "-q"), "'comet' has no value for segment 2 of 'poor'"
    )


def test_the_predictor_is_a_metric(command, model, campaign):
    metric = f"predictor(path={model})"
    assert command("score", campaign, "-m", f"{metric},bleu").code == 0
    assert command("compare", campaign, "-m", metric, "--samples", 20).code == 0
    assert command("explain", campaign, "--system", "good", "--segment", 0, "-m", metric).code == 0
    judgements = [
        f"{system}\t{segment}\tr\t{score}\tda"
        for system, scores in (("good", (90, 80, 95)), ("poor", (10, 20, 5)))
        for segment, score in enumerate(scores)
    ]
    (campaign / "human.tsv").write_text("\n".join(["system\tsegment\trater\tscore\tkind", *judgements]) + "\n")
    result = command("meta", campaign, "-m", metric, "--level", "segment", "--samples", 20)
    assert result.code == 0
    assert "predictor" in result.out


def test_bad_files(command, campaign, tmp_path):
    good = quality_model().to_json()
    path = tmp_path / "bad.json"
    for content, words in (
        (good[:800], "the file ends in the middle of a value"),
        (good.replace("61.5", "99.5"), "was changed after Assay wrote it"),
        (good.replace('"version": 1', '"version": 7'), "written by a newer Assay"),
        ('{"a":' * 100_000, "nested so deeply"),
        ("", "it is empty"),
        ("not json", "does not begin with {"),
        (good.replace('"seed":1', '"seed":1e999'), "the number 1e999 is too large for a model"),
    ):
        path.write_text(content)
        refused(command("predict", path, campaign), "bad.json", words)
        refused(command("score", campaign, "-m", f"predictor(path={path})"), "bad.json", words)
    path.write_bytes(pickle.dumps({"model": [1, 2]}))
    refused(command("predict", path, "--card"), "bad.json", "Assay never reads one")
    with path.open("wb") as file:
        file.truncate(2**30)
    refused(command("predict", path, campaign), "larger than 16 MB", "It was not read")


def test_bad_usage(command, model, campaign, tmp_path):
    refused(command("predict"), "Missing argument 'MODEL'")
    refused(command("predict", model), "Nothing to predict")
    refused(command("predict", "", "--card"), "No model file was named")
    refused(command("predict", tmp_path / "nowhere.json", campaign), "nowhere.json: cannot be read")
    refused(command("predict", campaign, model), "this is a folder, but a model is one file")
    refused(command("predict", model, campaign, "--refs", "C"), "There is no reference 'C'")
    refused(command("predict", model, campaign, "-o", tmp_path / "no" / "file"), "cannot be written")
    refused(command("predict", model, campaign, "--format", "tsv", "--table", "segments", "-q"), "no table 'segments'")
    (campaign / "docs.txt").unlink()
    refused(command("predict", model, campaign, "--documents"), "names no documents")


def test_segments_without_a_reference_have_no_prediction(command, model, campaign):
    lines = (campaign / "ref.A.txt").read_text().splitlines()
    (campaign / "ref.A.txt").write_text("\n".join([lines[0], "", lines[2]]) + "\n")
    result = command("predict", model, campaign, "--refs", "A", "--segments")
    assert "campaign: 2 segments" in result.out
    assert "1 of 3 segments are left out" in result.err
    assert [line.split()[2:] for line in result.out.splitlines() if line.split()[:2] == ["good", "1"]] == [["–"] * 5]
    rows = csv.DictReader(
        io.StringIO(command("predict", model, campaign, "--refs", "A", "--segments", "--format", "csv", "-q").out)
    )
    assert [row["score"] == "" for row in rows] == [False, True, False] * 2


def test_a_card_is_shown_without_looking_at_the_files_that_it_names(command, campaign, tmp_path):
    words = tmp_path / "synonyms.tsv"
    words.write_text("sofa\tcouch\n")
    feature = Feature.parse(f"meteor(synonyms={words})")
    path = quality_model(features=(feature, FEATURES[1])).save(tmp_path / "synonyms.json")
    words.write_text("a secret without tabs\n")
    assert command("predict", path, "--card").code == 0
    for result in (command("predict", path, campaign), command("score", campaign, "-m", f"predictor(path={path})")):
        refused(result, "the file named by option synonyms is not the one that the model was trained with")
        assert "secret" not in result.err
