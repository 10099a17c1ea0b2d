"""``assay score`` as score files, which mt-metrics-eval and ``meta --scores`` read."""

import json
import warnings

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning
from oracles.mt_metrics_eval import load


@pytest.fixture
def evaluated(tmp_path):
    """The demo campaign as a folder of mt-metrics-eval."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        assay.write(assay.read(CAMPAIGN), tmp_path / "demo", output_format="mt-metrics-eval", pair="en-de")
    (tmp_path / "demo/metric-scores").mkdir()
    return tmp_path / "demo"


def test_a_folder_of_score_files_is_read_by_mt_metrics_eval(command, evaluated):
    scores = evaluated / "metric-scores/en-de"
    levels = ("--segments", "--documents", "--domains")
    result = command(
        "score", evaluated, "-m", "bleu,ter", *levels, "--samples", "0", "--format", "mtme-score", "-o", f"{scores}/"
    )
    assert (result.code, result.out) == (0, "")
    assert "Note: Higher is better in score files: those of ter are written with a minus.\n" in result.err
    answer = json.loads((scores / "result.json").read_text())
    found = load(evaluated, "en-de")
    assert {name for name, _ in found.metrics} == {"bleu-A.B.C", "ter-A.B.C"}
    for metric, sign in (("bleu", 1), ("ter", -1)):
        name = f"{metric}-A.B.C"
        for level, table in (("sys", "scores"), ("seg", "segments"), ("doc", "documents")):
            rows = [row for row in answer[table] if row["metric"] == metric]
            for system in found.systems:
                expected = [sign * row["score"] for row in rows if row["system"] == system]
                assert found.metrics[name, level][system] == expected
        # Their reader sorts domains by name.
        expected = {
            (row["system"], row["domain"]): sign * row["score"] for row in answer["domains"] if row["metric"] == metric
        }
        domains = sorted({domain for _, domain in expected})
        for system, column in found.metrics[name, "domain"].items():
            assert column == [expected[system, domain] for domain in domains]


def test_scores_come_back_with_the_right_sign(command, evaluated, tmp_path):
    # Better systems have lower TER: correlations with people must not change sign on the way through a file.
    options = (
        "--level",
        "system,segment",
        "--statistic",
        "pearson",
        "--samples",
        "0",
        "--kind",
        "adequacy",
        "--format",
        "json",
        "-q",
    )
    direct = json.loads(command("meta", evaluated, "-m", "bleu,ter", *options).out)["results"]
    command(
        "score", evaluated, "-m", "bleu,ter", "--segments", "--format", "mtme-score", "-o", f"{tmp_path}/scores/", "-q"
    )
    read = json.loads(command("meta", evaluated, "--scores", tmp_path / "scores", *options).out)["results"]
    values = {(row["metric"], row["level"], row["grouping"]): row["value"] for row in read}
    # Of two metrics those of systems, of segments, and of segments within items.
    assert len(values) == len(direct) == 6
    for row in direct:
        assert values[f"{row['metric']}-A.B.C", row["level"], row["grouping"]] == pytest.approx(row["value"], abs=1e-12)
        assert row["value"] > 0


@pytest.mark.parametrize(("ending", "lines"), [("seg", 300), ("sys", 5)])
def test_one_file_has_the_level_of_its_name(command, evaluated, tmp_path, ending, lines):
    file = tmp_path / f"mine.{ending}.score"
    assert command("score", evaluated, "-m", "chrf", "--segments", "-o", file).code == 0
    system, score = file.read_text().splitlines()[0].split("\t")
    assert system in assay.read(evaluated).systems
    assert 0 < float(score) < 100
    assert len(file.read_text().splitlines()) == lines


def test_standard_output_has_the_main_table(command, evaluated):
    of_systems = command("score", evaluated, "-m", "chrf", "--format", "mtme-score").out
    assert len(of_systems.splitlines()) == 5
    assert (
        len(command("score", evaluated, "-m", "chrf", "--segments", "--format", "mtme-score").out.splitlines()) == 300
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-m", "bleu,chrf", "-o", "x.sys.score"), "A score file holds one metric, and there are 2. All of them:"),
        (("-m", "bleu", "-o", "x.seg.score"), "x.seg.score takes segments: add --segments."),
        (("-m", "bleu", "-o", "x.score"), "a score file is called NAME.seg.score"),
        (("-m", "bleu", "--segments", "--where", "domain=news", "-o", "x.seg.score"), "so that none can be left out"),
    ],
)  # fmt: skip
def test_what_no_score_file_can_hold_is_said(command, evaluated, monkeypatch, options, message):
    monkeypatch.chdir(evaluated.parent)
    result = command("score", evaluated, *options, "-q")
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert not list(evaluated.parent.glob("*.score"))


def test_only_scores_are_score_files(command, evaluated, tmp_path):
    result = command("compare", evaluated, "-m", "bleu", "-o", tmp_path / "x.sys.score", "-q")
    assert result.code == 2
    assert "--format mtme-score is for assay score" in result.err
