"""Names and options that people bring along from other programs."""

from __future__ import annotations

import shlex
import shutil

import pytest

import assay
from assay.cli.peers import advice
from assay.demo import CAMPAIGN
from assay.errors import AssayError


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("BLEU", "bleu"),
        ("Bleu(order=2)", "bleu(order=2)"),
        ("sacrebleu", "bleu"),
        ("sacreBLEU(lowercase=true)", "bleu(lowercase=true)"),
        ("chrF", "chrf"),
        ("chrF2", "chrf"),
        ("chrf++", "chrf(word_order=2)"),
        ("chrF2++", "chrf(word_order=2)"),
        ("chrF++(beta=3)", "chrf(word_order=2,beta=3)"),
        ("sentence-bleu", "bleu(effective_order=true)"),
        ("METEOR", "meteor"),
        ("GTM(exponent=2)", "gtm(exponent=2)"),
    ],
)
def test_what_people_type_is_the_metric_they_mean(typed, meant):
    assert assay.metric(typed) == assay.metric(meant)


def test_what_a_name_says_already_cannot_be_said_otherwise():
    with pytest.raises(AssayError, match=r"chrf: word_order given twice"):
        assay.metric("chrf++(word_order=1)")


@pytest.mark.parametrize(
    "name", ["comet", "COMET22", "xcomet-xl", "wmt22-comet-da", "metricx-24", "BERTScore", "bleurt"]
)
def test_neural_metrics_say_how_scores_come_in(name, command):
    result = command("score", CAMPAIGN, "-m", name)
    assert result.code == 2
    assert "--scores FILE in any command" in result.err
    assert name in result.err


def test_near_misses_are_still_answered_by_the_nearest_name():
    with pytest.raises(AssayError, match="Did you mean 'bleu'"):
        assay.metric("blue")


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("ref.txt -i sys.txt", "assay score -r REFERENCE TRANSLATION"),
        ("-t wmt17 -l en-de", "downloads no test sets"),
        ("-l en-de", "--language ja"),
        ("-tok 13a", "--language zh"),
        ("--tokenize 13a", "tokenize=zh"),
        ("-lc", "lowercase=true"),
        ("-f json", "--format json"),
        ("-b", "--format tsv"),
        ("-w 4", "all of them"),
        ("-sl", "--segments"),
        ("--paired-bs", "assay compare --test bootstrap"),
        ("-c", "-m cer"),
        ("--to_json out.json", "-o FILE.json"),
        ("--model Unbabel/wmt22-comet-da", "--scores FILE"),
        ("--batch_size=8", "--scores FILE"),
    ],
)
def test_options_of_other_programs_are_answered_with_ours(typed, answer, command):
    result = command("score", *shlex.split(typed))
    assert result.code == 2
    assert answer in result.err
    assert result.out == ""


def test_the_answer_names_commands_and_options_that_there_are(command):
    # Whatever an answer tells to type is in the help page of score, or of the command that it names.
    pages = {name: command(name, "--help").out for name in ("score", "compare", "meta", "explain")}
    for flag in ("-i", "-l", "-f", "-sl", "-cin", "-pbs", "-parn", "-j", "--to_json", "--model", "--sources"):
        words = advice(flag).replace(".", " ").replace(",", " ").replace(":", " ").split()
        page = next((pages[name] for name in ("compare", "meta", "explain") if name in words), pages["score"])
        for word in words:
            if word.startswith("-"):
                assert word in page, (flag, word)


def test_a_second_reference_behind_one_r_is_doubted(command, tmp_path):
    for name in ("ref.A.txt", "ref.B.txt", "sys.gravel.txt"):
        shutil.copy(CAMPAIGN / name, tmp_path / name)
    first, second, system = (tmp_path / name for name in ("ref.A.txt", "ref.B.txt", "sys.gravel.txt"))
    result = command("score", "-r", first, second, system, "-m", "bleu")
    assert result.code == 0
    assert f"type: -r {first} -r {second} {system}" in result.err
    assert result.err.startswith("Warning: ")
    # Both are scored all the same, as they were typed.
    assert "B " in result.out
    assert "gravel" in result.out
    assert "Warning" not in command("score", "-r", first, "-r", second, system, "-m", "bleu").err


def test_metrics_with_blanks_between_them_are_answered_with_commas(command, tmp_path):
    result = command("score", CAMPAIGN, "-m", "bleu", "chrf++", "TER")
    assert (result.code, result.out) == (2, "")
    assert "no file 'chrf++', which is the name of a metric" in result.err
    assert "commas between them: -m METRIC,chrf++,TER" in result.err
    files = ("-r", CAMPAIGN / "ref.A.txt", CAMPAIGN / "sys.gravel.txt")
    assert "-m METRIC,chrf\n" in command("score", *files, "-m", "bleu", "chrf").err
    # A file may be called like a metric.
    shutil.copy(CAMPAIGN / "sys.gravel.txt", tmp_path / "ter")
    assert command("score", *files[:2], tmp_path / "ter", "-m", "bleu", "--samples", "0").code == 0
