"""``assay study`` with judges: options as they are typed, files of judgements, and what is said where they lack."""

from __future__ import annotations

import json

import pytest

from assay.demo import CAMPAIGN

DEMO = str(CAMPAIGN)
USED = "720 of 1,800 judgements were used. Not used: 900 of another kind; 180 of people who stand as systems (human)."
JUDGED = ("pseudo-documents", "case-and-stem", "correlations", "recall-weight", "sentence-level")


def quick(study):
    return ("--kind", "adequacy", "--per-length" if study == "pseudo-documents" else "--samples", "20", "--quiet")


@pytest.mark.parametrize("study", JUDGED)
def test_every_study_prints_in_every_format(command, study):
    found = json.loads(command("study", study, DEMO, *quick(study), "--format", "json").out)
    assert found["study"] == study
    assert any(USED in one for one in found["findings"])
    columns = list(found["table"][0])
    assert command("study", study, DEMO, *quick(study), "--format", "tsv").out.splitlines()[0].split("\t") == columns
    assert (
        "| metric" in command("study", study, DEMO, *quick(study), "--format", "markdown").out
        or study == "recall-weight"
    )


def test_metrics_share_a_recipe_unless_it_is_said(command):
    typed = ("study", "correlations", DEMO, *quick("correlations"), "-m", "bleu,ter")
    assert "does stemming help? Word metrics on the same tokens (13a, case kept).\n" in command(*typed).out
    assert "does stemming help? Each metric on its own tokens.\n" in command(*typed, "--own-recipes").out
    # With one metric there is nothing to share.
    refused = command("study", "recall-weight", DEMO, "--own-recipes")
    assert refused.code == 2
    assert "No such option" in refused.err


@pytest.mark.parametrize("study", JUDGED)
def test_without_judgements_the_way_to_give_them_is_named(command, study, campaign):
    result = command("study", study, campaign)
    assert result.code == 2
    assert "has no judgements. Put a human.tsv into the folder" in result.err


@pytest.mark.parametrize("study", JUDGED)
def test_a_kind_has_to_be_chosen(command, study):
    result = command("study", study, DEMO)
    assert result.code == 2
    assert "there are several kinds of judgement: adequacy (900), fluency (900)" in result.err


def test_judgements_come_from_a_file_and_go_with_their_segments(command, tmp_path):
    rows = [line.split("\t") for line in (CAMPAIGN / "human.tsv").read_text().splitlines()]
    place = rows[0].index("kind")
    kept = [row for row in rows if row[place] in ("kind", "fluency")]
    file = tmp_path / "mine.tsv"
    file.write_text("".join("\t".join(row) + "\n" for row in kept))
    arguments = (
        "study",
        "correlations",
        DEMO,
        "--metric",
        "bleu,gtm(exponent=2)",
        "--samples",
        "20",
        "--format",
        "json",
    )
    mine = json.loads(command(*arguments, "--judgements", str(file)).out)
    own = json.loads(command(*arguments, "--kind", "fluency").out)
    assert mine["table"] == own["table"]
    assert [row["metric"] for row in own["table"]] == ["bleu", "bleu", "gtm(exponent=2)", "gtm(exponent=2)"]
    # Twenty of sixty segments, and their judgements with them.
    fewer = command(*arguments, "--judgements", str(file), "--where", "segment=1?,2?")
    assert "judgements were used" in json.loads(fewer.out)["findings"][-1]
    assert json.loads(fewer.out)["table"] != own["table"]


def test_wrong_options_are_told_before_any_work(command):
    for study, arguments, said in (
        ("pseudo-documents", ("--lengths", "100"), "a document of 100 segments cannot be made from campaign"),
        ("pseudo-documents", ("--lengths", "0"), "lengths is 0, but it takes a whole number of at least 1"),
        ("case-and-stem", ("--recipes", "raw,upper"), "There is no step of a recipe 'upper'"),
        ("correlations", ("--resample", "judges"), "'judges' is not one of 'segments', 'both'"),
        ("recall-weight", ("--test-on", "nowhere"), "nowhere"),
        ("recall-weight", ("--test-on", DEMO), "has the very translations to choose on"),
        ("recall-weight", ("--train", DEMO), "There is no --train here any more."),
        ("recall-weight", ("--train-kind", "da"), "--test-kind that of --test-on"),
        ("sentence-level", ("--modules", "stem"), "modules"),
    ):
        result = command("study", study, DEMO, "--kind", "adequacy", *arguments)
        assert result.code == 2, study
        assert said in result.err
        assert "Traceback" not in result.err
