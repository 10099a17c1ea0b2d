"""``assay meta`` as people type it."""

from __future__ import annotations

import json

import pytest

import assay
from assay.demo import CAMPAIGN

QUICK = ("--samples", "20")
USED = "720 of 1,800 judgements were used. Not used: 900 of another kind; 180 of people who stand as systems (human)."


def test_the_demo_campaign(command):
    result = command("meta", CAMPAIGN, "--kind", "adequacy", "-m", "bleu,ter", *QUICK)
    assert result.code == 0
    assert "System level" in result.out
    assert "Segment level, systems within each segment" in result.out
    assert USED in result.out
    assert "perfect metric" in result.out


@pytest.mark.parametrize("style", ["json", "tsv", "csv", "markdown", "latex"])
def test_every_format(command, style):
    result = command("meta", CAMPAIGN, "--kind", "fluency", "-m", "chrf", "--format", style, *QUICK)
    assert result.code == 0
    assert "chrf" in result.out


def test_json_has_the_promised_tables(command):
    found = json.loads(command("meta", CAMPAIGN, "--kind", "adequacy", "--format", "json", *QUICK).out)
    assert {"metric", "level", "statistic", "value", "low", "high", "n"} <= found["results"][0].keys()
    assert {"metric_a", "metric_b", "level", "statistic", "delta", "p"} <= found["comparisons"][0].keys()
    unused = {"of another kind": 900, "of people who stand as systems (human)": 180}
    used = {name: found["setup"][name] for name in ("judgements", "used", "unused")}
    assert used == {"judgements": 1800, "used": 720, "unused": unused}
    assert found["setup"]["usage"] == USED
    assert {row["kind"] for name in ("results", "comparisons", "clusters", "points") for row in found[name]} == {
        "adequacy"
    }
    assert found["signatures"]["bleu"].startswith("bleu(")


@pytest.mark.parametrize("picture", ["correlations", "systems", "differences", "top"])
@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_pictures(command, tmp_path, picture, ending):
    figure = tmp_path / f"figure.{ending}"
    options = ("--picture", picture, "--figure", figure, "--level", "system", "--test", "none")
    result = command("meta", CAMPAIGN, "--kind", "adequacy", *options, *QUICK)
    assert result.code == 0, result.err
    content = figure.read_bytes()
    assert content.startswith({"svg": b"<svg", "png": b"\x89PNG", "html": b"<!doctype html>"}[ending])
    if ending == "html":
        # Nothing is fetched from elsewhere.
        assert b'src="http' not in content


def test_the_same_picture_byte_for_byte(command, tmp_path):
    files = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for file in files:
        command("meta", CAMPAIGN, "--kind", "adequacy", "--figure", file, "--picture", "systems", *QUICK)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_scores_from_files_and_judgements_from_files(command, tmp_path):
    table = tmp_path / "metric.tsv"
    lines = ["metric\tsystem\tsegment\tscore"]
    for place, system in enumerate(("compass", "gravel", "lantern", "rosetta")):
        lines += [f"mine\t{system}\t{segment}\t{place + segment % 3}" for segment in range(60)]
    table.write_text("\n".join(lines) + "\n")
    options = (
        "--judgements",
        CAMPAIGN / "human.tsv",
        "--kind",
        "adequacy",
        "--systems",
        "compass,gravel,lantern,rosetta",
    )
    result = command("meta", CAMPAIGN, "--scores", table, *options, "--format", "json", *QUICK)
    assert result.code == 0, result.err
    found = json.loads(result.out)
    assert {row["metric"] for row in found["results"]} == {"mine"}
    # Error rates are turned round.
    turned = command(
        "meta", CAMPAIGN, "--scores", table, "--scores-lower", "mine", *options, "--format", "json", *QUICK
    )
    values = [
        next(row["value"] for row in one["results"] if row["statistic"] == "pearson")
        for one in (found, json.loads(turned.out))
    ]
    assert values[0] == pytest.approx(-values[1])


def test_segments_are_chosen(command):
    result = command("meta", CAMPAIGN, "--kind", "adequacy", "--where", "document=harbour-news", "-m", "chrf", *QUICK)
    assert result.code == 0
    assert "Nothing at the document level" in result.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "several kinds of judgement: adequacy (900), fluency (900). Choose with --kind"),
        (("--kind", "adequate"), "Did you mean 'adequacy'"),
        (("--kind", "adequacy", "--judgements", "nowhere.tsv"), "nowhere.tsv: no such file"),
        (("--kind", "adequacy", "--scores", "nowhere.seg.score"), "nowhere.seg.score: no such file"),
        (("--kind", "adequacy", "--level", "words"), "There is no level 'words'"),
        (("--kind", "adequacy", "--statistic", "person"), "Did you mean 'pearson'"),
        (("--kind", "adequacy", "--where", "domain"), "NAME=VALUE"),
        (("--kind", "adequacy", "--figure", "x.gif"), "ends in .svg, .png, .html, .pdf"),
        (("--kind", "adequacy", "--beside", "mqm"), "There is no kind of judgement 'mqm'"),
        (("--kind", "adequacy", "--weights", "google"), "--weights scores marked errors"),
        (("--kind", "adequacy", "--judgement-format", "mqm"), "--judgement-format goes with --judgements"),
        (("--kind", "adequacy", "--systems", "gravel", "--level", "system"), "it takes 3 judged systems"),
        (("--kind", "adequacy", "--figure", "x.svg", "--picture", "clouds"), "'clouds' is not one of 'correlations'"),
        (("--kind", "adequacy", "--save", "x.json"), "There is no --save here any more. A result is kept by -o"),
        (("--kind", "adequacy", "--normalise", "zz"), "'zz' is not one of 'none', 'z'"),
        (("--kind", "adequacy", "--permutations", "0"), "--permutations"),
    ],
)
def test_bad_input_is_refused_with_a_remedy(command, options, message):
    result = command("meta", CAMPAIGN, *options, *QUICK)
    assert result.code == 2
    assert message in result.err
    assert "Traceback" not in result.err
    assert result.out == ""


def test_judgements_of_segments_that_are_not_there(command, tmp_path):
    path = tmp_path / "human.tsv"
    path.write_text("system\tsegment\tscore\nrosetta\t60\t1\n")
    result = command("meta", CAMPAIGN, "--judgements", path)
    assert result.code == 2
    assert f"{path}, line 2: segment 60, but the campaign has 60 segments" in result.err


def test_judgements_of_no_known_system(command, tmp_path):
    path = tmp_path / "human.tsv"
    path.write_text("system\tsegment\tscore\nnobody\t0\t1\n")
    result = command("meta", CAMPAIGN, "--judgements", path)
    assert result.code == 2
    assert "none of the judgements can be used. 0 of 1" in result.err
    assert "1 of systems that are not scored (nobody)" in result.err


def test_score_files_of_mt_metrics_eval_are_judged_at_both_levels(command, tmp_path):
    systems = ("compass", "gravel", "human", "lantern", "rosetta")
    worth = {"rosetta": 4, "compass": 3, "human": 5, "lantern": 2, "gravel": 1}
    segments = [f"{system}\t{worth[system] + segment % 7}" for system in systems for segment in range(60)]
    (tmp_path / "MINE-refA.seg.score").write_text("\n".join(segments) + "\n")
    # A system's score that is no mean of its segments stands for itself.
    (tmp_path / "MINE-refA.sys.score").write_text("".join(f"{name}\t{10 * worth[name]}\n" for name in systems))
    files = [word for name in ("seg", "sys") for word in ("--scores", tmp_path / f"MINE-refA.{name}.score")]
    options = ("--kind", "adequacy", "--format", "json", "-m", "chrf", "--with-humans")
    result = command("meta", CAMPAIGN, *files, *options, *QUICK)
    assert result.code == 0, result.err
    found = json.loads(result.out)
    mine = next(name for name in {row["metric"] for row in found["results"]} if name.startswith("MINE"))
    assert {row["level"] for row in found["results"] if row["metric"] == mine} == {"system", "document", "segment"}
    scores = {row["system"]: row["score"] for row in found["points"] if row["metric"] == mine}
    assert scores["human"] == 50.0
    assert "do not come from segments" in result.err
    short = tmp_path / "SHORT-refA.seg.score"
    short.write_text("\n".join(segments[:-1]) + "\n")
    refused = command("meta", CAMPAIGN, "--kind", "adequacy", "--scores", short, *QUICK)
    assert refused.code == 2
    assert "SHORT-refA.seg.score" in refused.err


def test_more_permutations_make_finer_p_values(command):
    options = ("--kind", "adequacy", "--level", "system", "--test", "perm-both", "--correction", "none", *QUICK)
    for permutations in (19, 199):
        found = json.loads(command("meta", CAMPAIGN, *options, "--permutations", permutations, "--format", "json").out)
        # The draw that swaps nothing is one of them, so p is a multiple of 1 / (permutations + 1).
        scaled = [row["p"] * (permutations + 1) for row in found["comparisons"]]
        assert scaled == [pytest.approx(round(value)) for value in scaled]
        assert found["options"]["permutations"] == permutations


def test_a_result_file_shows_the_same_tables_again(command, tmp_path):
    file = tmp_path / "meta.json"
    shown = command("meta", CAMPAIGN, "--kind", "adequacy", *QUICK).out
    command("meta", CAMPAIGN, "--kind", "adequacy", "-o", file, *QUICK)
    assert assay.Result.from_json(file.read_text(encoding="utf-8")).render("text") == shown


def test_every_table_goes_into_a_folder(command, tmp_path):
    assert command("meta", CAMPAIGN, "--kind", "adequacy", "-o", f"{tmp_path}/out/", *QUICK).code == 0
    names = {file.stem for file in (tmp_path / "out").glob("*.tsv")}
    assert names == {"results", "ceilings", "comparisons", "clusters", "robust", "top", "outliers", "points"}
    lines = (tmp_path / "out" / "clusters.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["kind", "level", "statistic", "grouping", "rank", "metric"]
