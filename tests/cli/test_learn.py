"""``assay learn`` on the demo campaign, and what it refuses."""

import json
import sys

import pytest

from assay.demo import CAMPAIGN
from results.drawn import layers

QUICK = ("--folds", "3", "--model", "tree,ordinal", "--samples", "50", "--threads", "1")


def refused(result, *words):
    assert result.code == 2
    assert result.out == ""
    assert "assay: " in result.err
    for word in words:
        assert word in result.err


def test_the_tables_of_the_paper_come_out(command):
    result = command("learn", CAMPAIGN, "--kind", "adequacy", *QUICK)
    assert result.code == 0
    for number in (3, 5, 6, 7, 8, 9):
        assert f"the paper's Table {number})" in result.out
    for words in ("calibration", "random folds", "Which of two", "regression", "Cut points: 1.5, 2.5, 3.5, 4.5"):
        assert words in result.out
    assert "720 of 1,800 judgements were used" in result.out


def test_json_tsv_and_a_saved_model_that_predicts(command, tmp_path):
    model = tmp_path / "model.json"
    words = ("learn", CAMPAIGN, "--kind", "adequacy", "--task", "grades", *QUICK)
    result = command(*words, "--format", "json", "--save", model)
    found = json.loads(result.out)
    assert [row["grade"] for row in found["grades"]] == ["5", "4", "3", "2", "1"]
    assert found["setup"]["group"] == "document"
    before = model.read_bytes()
    refused(command(*words, "--save", model), "there is a file already", "--overwrite")
    again = command(*words, "--format", "tsv", "--save", model, "--overwrite")
    assert again.out.startswith("kind\tmodel\ttask\tfeatures\tstatistic\tvalue\tlow\thigh\tgroup\tmark\n")
    # The same seed gives the same file.
    assert model.read_bytes() == before
    assert command("predict", model, CAMPAIGN, "-q").code == 0


def test_the_figure_is_written(command, tmp_path):
    figure = tmp_path / "learnt.svg"
    result = command("learn", CAMPAIGN, "--kind", "adequacy", "--task", "grades", *QUICK, "--figure", figure, "-q")
    assert result.code == 0
    assert "what each feature is worth" in figure.read_text()


def test_bad_input_is_refused(command, tmp_path):
    base = ("learn", CAMPAIGN)
    refused(command(*base), "several kinds of judgement", "--kind")
    refused(command(*base, "--kind", "adequacy", "--grades", "many"), "--grades is 'many'")
    refused(command(*base, "--kind", "adequacy", "--grades", "100,200"), "one class only")
    refused(command(*base, "--kind", "adequacy", "--folds", "100"), "8 documents for 100 folds")
    refused(command(*base, "--kind", "adequacy", "--task", "rank"), "There is no task 'rank'")
    refused(command(*base, "--kind", "adequacy", "--model", "forest"), "There is no model 'forest'")
    refused(command(*base, "--kind", "adequacy", "--features", "blue"), "There is no metric 'blue'")
    refused(command(*base, "--kind", "adequacy", "--features", "scores"), "--scores FILE")
    refused(command(*base, "--kind", "adequacy", "--save", tmp_path / "a" / "b.json"), "no folder")
    refused(command(*base, "--kind", "adequacy", "--save-model", "tree"), "--save FILE")
    refused(command(*base, "--kind", "adequacy", "--figure", "x.doc"), "ends in .svg, .png, .html")
    assert list(tmp_path.iterdir()) == []


def test_a_campaign_without_judgements_is_refused(command, campaign):
    refused(command("learn", campaign), "has no judgements", "human.tsv")


def test_score_files_with_gaps_are_refused(command, tmp_path):
    file = tmp_path / "other.tsv"
    lines = ["metric\tsystem\tsegment\tscore"]
    for system in ("compass", "gravel", "human", "lantern", "rosetta"):
        lines += [
            f"other\t{system}\t{segment}\t{segment / 7}" for segment in range(60) if (system, segment) != ("gravel", 9)
        ]
    file.write_text("\n".join(lines) + "\n")
    refused(
        command("learn", CAMPAIGN, "--kind", "adequacy", "--scores", file),
        "'other' has no value for segment 9 of 'gravel'",
    )


def test_scikit_learn_is_asked_for_by_name(command, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    refused(command("learn", CAMPAIGN, "--kind", "adequacy"), "-m pip install scikit-learn")


@pytest.mark.parametrize("group", ["document", "system", "none"])
def test_other_groups(command, group):
    result = command(
        "learn",
        CAMPAIGN,
        "--kind",
        "adequacy",
        "--task",
        "grades",
        "--group",
        group,
        "--grades",
        "4,",
        *QUICK,
        "--format",
        "json",
    )
    assert json.loads(result.out)["folds"][0]["group"] == group


def test_what_cannot_be_saved_is_refused_before_the_work(command, tmp_path):
    base = ("learn", tmp_path / "no-such-campaign", "--save", tmp_path / "model.json")
    refused(command(*base, "--task", "pairwise", "--save-model", "ridge"), "a preference is saved")
    refused(command(*base, "--task", "regression", "--save-model", "ordinal"), "ordinal predicts grades")
    refused(command(*base, "--task", "regression", "--model", "ordinal"), "ordinal predicts grades")


def test_a_model_that_appears_during_the_work_stays_and_the_option_is_named(command, tmp_path, monkeypatch):
    model = tmp_path / "model.json"
    monkeypatch.setattr("assay.questions.learn.check_savable", lambda _: model.write_text("mine"))
    words = ("learn", CAMPAIGN, "--kind", "adequacy", "--task", "regression", "--folds", "3", "--model", "ridge")
    refused(command(*words, "--samples", "0", "--threads", "1", "--save", model), "Replace it with --overwrite")
    assert model.read_text() == "mine"


def test_the_numbers_under_the_axes_of_the_figure_have_room(command):
    words = ("learn", CAMPAIGN, "--kind", "adequacy", "--task", "grades", "--folds", "3", "--model", "ordinal")
    result = command(*words, "--samples", "20", "--threads", "1", "--format", "json", "-q")
    [figure] = json.loads(result.out)["figures"]
    ticks = {
        layer["encoding"]["x"].get("title"): layer["encoding"]["x"]["axis"]["tickCount"]
        for layer in layers(figure["spec"], "point")
    }
    wanted = ("right answers, %", "how sure ordinal is, %", "right answers lost when shuffled, points")
    assert ticks == dict.fromkeys(wanted, 6)


def test_features_without_a_direction_leave_the_untrained_means_without_an_opinion(command):
    options = ("--features", "bleu:length_ratio", "--kind", "adequacy", "--samples", "0", "--task", "pairwise")
    result = command("learn", CAMPAIGN, *options, "--model", "ridge", "--format", "json")
    assert (
        "Of no feature is it known whether more of it is better, so that uniform and rank-average say the" in result.err
    )
    # Half of the pairs are right where all are equal.
    found = {row["model"]: row["value"] for row in json.loads(result.out)["results"] if row["statistic"] == "accuracy"}
    assert (found["uniform"], found["rank-average"]) == (0.5, 0.5)


def test_nothing_is_learnt_from_means_of_systems(command):
    assert "--plain-means" not in command("learn", "--help").out
    assert "about means of systems" in command("learn", CAMPAIGN, "--kind", "adequacy", "--plain-means").err
