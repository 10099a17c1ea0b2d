"""``assay compare`` as people type it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from assay.demo import CAMPAIGN


def test_two_systems(command, campaign):
    result = command("compare", campaign, "-m", "bleu,chrf")
    assert result.code == 0
    assert "good" in result.out
    assert "Nothing is tested, and there are no intervals; seed 1." in result.out
    assert "2 documents: too few for intervals and p-values, which take 5. With --unit segment" in result.out
    by_segment = command("compare", campaign, "-m", "bleu", "--unit", "segment").out
    assert "Drawn: 3 segments: too few for intervals and p-values, which take 5." in by_segment


def test_files_one_by_one(command, campaign):
    write_worse(campaign, 6)
    files = [campaign / "sys.base.txt", campaign / "sys.new.txt"]
    result = command("compare", "-r", campaign / "ref.A.txt", *files, "-m", "chrf", "--format", "json")
    assert [(pair["exact"], pair["p"]) for pair in json.loads(result.out)["pairs"]] == [(True, 2 / 64)]


def test_a_gate_needs_units_to_test(command, campaign):
    gate = ["compare", campaign, "-m", "chrf", "--baseline", "good", "--fail-if-worse"]
    result = command(*gate)
    assert (result.code, result.out) == (2, "")
    assert "2 documents are too few for one: it takes 5" in result.err
    assert "--unit segment" in result.err
    result = command(*gate, "--unit", "segment")
    assert (result.code, result.out) == (2, "")
    assert "3 segments are too few for one" in result.err
    assert "--unit segment" not in result.err


@pytest.mark.parametrize("style", ["json", "tsv", "csv", "markdown", "latex", "html"])
def test_every_format(command, campaign, style):
    result = command("compare", campaign, "-m", "bleu", "--format", style)
    assert result.code == 0
    assert "good" in result.out


def test_what_changed_and_where(command, campaign):
    result = command("compare", campaign, "-m", "chrf", "--segments", "1", "--by", "domain")
    assert "Where good is better than poor" in result.out
    assert "[" in result.out
    assert "By domain" in result.out


def test_calibration(command, campaign):
    words = ["compare", campaign, "-m", "chrf", "--calibrate", "--simulations", "20"]
    # Of three segments nothing is promised that could be held against what was measured.
    assert "Calibration on these texts" not in command(*words).out
    write_worse(campaign)
    result = command(*words)
    assert "Calibration on these texts" in result.out
    assert "false positives" in result.out


def test_few_units_say_what_their_intervals_cannot_promise(command, campaign):
    # So many of 100, at worst, in docs/concepts/significance.md; from 50 units on nothing needs saying.
    for segments, least in ((5, 81), (7, 81), (8, 88), (49, 88), (50, None)):
        write_worse(campaign, segments)
        for name in ("score", "compare"):
            said = "95 % intervals held the truth in only" in (
                out := " ".join(command(name, campaign, "-m", "chrf").out.split())
            )
            assert said == (least is not None)
            assert least is None or f"held the truth in only {least} to 98 of 100 simulated test sets." in out


def write_worse(campaign, segments=20):
    lines = ["the cat sat on the mat ."] * segments
    for name, text in {"ref.A": lines, "sys.base": lines, "sys.new": ["cat the"] * segments}.items():
        (campaign / f"{name}.txt").write_text("\n".join(text) + "\n")
    for name in ("ref.B", "sys.good", "sys.poor", "docs", "domains"):
        (campaign / f"{name}.txt").unlink(missing_ok=True)


def test_the_gate(command, campaign):
    write_worse(campaign)
    gate = ["compare", campaign, "-m", "chrf", "--baseline", "base", "--fail-if-worse"]
    result = command(*gate)
    assert result.code == 1
    assert "FAILED: chrf: new" in result.out
    assert command(*gate, "--min-delta", "99").code == 0
    junit = command(*gate, "--format", "junit")
    assert junit.code == 1
    assert '<failure message="chrf: new' in junit.out
    found = json.loads(command(*gate, "--format", "json").out)
    assert found["setup"]["failed"] is True
    assert [row["failed"] for row in found["verdicts"]] == [True]


def test_the_gate_closes_at_p_equal_to_alpha(command, campaign):
    # Worse by the same in all of five segments: of 32 swaps only none and all are as far apart, p = 2/32.
    write_worse(campaign, 5)
    gate = ["compare", campaign, "-m", "chrf", "--baseline", "base", "--fail-if-worse", "--alpha"]
    assert command(*gate, "0.0625").code == 1
    assert command(*gate, "0.0624").code == 0


def test_calibration_counts_p_equal_to_alpha(command, campaign):
    # With the same loss in all of 20 segments no swap of 500 is as far apart (2 in a million are): p = 1/501, always.
    write_worse(campaign)
    words = ["compare", campaign, "-m", "chrf", "--calibrate", "--simulations", "20", "--format", "json", "--alpha"]
    for alpha, power in ((1 / 501, 1.0), (0.999 / 501, 0.0)):
        rows = json.loads(command(*words, repr(alpha)).out)["calibration"]
        measured = {row["method"]: row["measured"] for row in rows if row["what"] == "power"}
        assert measured["randomisation"] == power


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["CAMPAIGN", "--systems", "good"], "needs two systems"),
        (["CAMPAIGN", "--baseline", "nobody"], "nobody"),
        (["CAMPAIGN", "--fail-if-worse"], "--baseline"),
        (["CAMPAIGN", "--format", "junit"], "--fail-if-worse"),
        (["CAMPAIGN", "--by", "colour"], "It can be cut by length"),
        (["CAMPAIGN", "--alpha", "2"], "between 0 and 1"),
        (["CAMPAIGN", "--bootstrap-samples", "10"], "--samples"),
        ([], "Nothing to compare"),
    ],
)
def test_bad_input_is_told(command, campaign, arguments, message):
    result = command("compare", *(campaign if word == "CAMPAIGN" else word for word in arguments))
    assert result.code == 2
    assert message in result.err


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ([], "metric\ta\tb\tdelta"),
        (["--segments", "1"], "metric\tsegment\ta\tb"),
        (["--by", "length"], "by\tbucket\tsegments"),
        (["--segments", "1", "--by", "length"], "metric\ta\tb\tdelta"),
        (["--segments", "1", "--by", "length", "--table", "buckets"], "by\tbucket\tsegments"),
    ],
    ids=str,
)
def test_tsv_holds_what_was_asked_for_or_the_pairs(command, campaign, asked, first):
    assert command("compare", campaign, "-m", "chrf", *asked, "--format", "tsv").out.startswith(first)


def test_files_of_different_length_are_told(command, campaign):
    (campaign / "sys.good.txt").write_text("one line\n")
    result = command("compare", campaign)
    assert result.code == 2
    assert "sys.good.txt" in result.err


def test_the_same_name_twice_is_told(command, campaign):
    file = campaign / "sys.good.txt"
    result = command("compare", "-r", campaign / "ref.A.txt", file, file)
    assert result.code == 2
    assert "good" in result.err


def test_two_systems_are_compared_without_loading_scipy():
    # Loading it takes as long as the whole comparison.
    program = (
        "import sys; from assay.cli.main import run; "
        f"code = run(['compare', {str(CAMPAIGN)!r}, '--systems', 'rosetta,compass', '--unit', 'segment', '-q']); "
        "sys.exit(code or 10 * ('scipy' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False).returncode == 0
