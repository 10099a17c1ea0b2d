"""What a shell completes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from assay.cli.main import cli
from assay.demo import CAMPAIGN


def offered(*words):
    """What is offered for the last word."""
    *before, last = map(str, words)
    made = ShellComplete(cli, {}, "assay", "_ASSAY_COMPLETE").get_completions(before, last)
    return [item.value if item.type == "plain" else item.type for item in made]


def test_commands_studies_and_options():
    assert offered("sc") == ["score"]
    assert offered("study", "re") == ["recall-weight", "references", "reference-count", "reference-similarity"]
    assert "--systems" in offered("score", "--sys")
    assert offered("compare", "--test", "r") == ["randomisation"]


def test_metrics_also_behind_a_comma():
    assert offered("score", "-m", "ch") == ["chrf", "character-ter"]
    assert offered("score", CAMPAIGN, "-m", "bleu,C") == [
        "bleu,chrf", "bleu,cer", "bleu,cosine", "bleu,character-ter", "bleu,combination"
    ]  # fmt: skip
    assert offered("tune", "met") == ["meteor"]


def test_names_of_the_campaign_that_is_typed():
    assert offered("score", CAMPAIGN, "--systems", "rosetta,") == [
        "rosetta,compass", "rosetta,gravel", "rosetta,human", "rosetta,lantern", "rosetta,rosetta"
    ]  # fmt: skip
    assert offered("score", CAMPAIGN, "--refs", "") == ["A", "B", "C"]
    assert offered("compare", CAMPAIGN, "--baseline", "g") == ["gravel"]
    assert offered("meta", CAMPAIGN, "--kind", "") == ["adequacy", "fluency"]
    # Nothing, and no complaint, where the campaign is not there.
    assert offered("meta", "nowhere", "--kind", "") == []


def test_runs_of_the_store_that_is_named():
    kept = Path(__file__).parents[1] / "store" / "version-1"
    runs = sorted((folder.name for folder in (kept / "runs").iterdir()), reverse=True)
    assert offered("show", "--store", kept, "") == ["last", *runs]
    assert offered("diff", "--store", kept, "last", "20261119-061602") == [runs[0]]
    # What is no run may be a file.
    assert offered("show", "--store", kept, "answer") == ["file"]
    assert offered("show", "--store", "nowhere", "2") == ["file"]


def test_files():
    assert offered("score", "x") == ["file"]
    assert offered("score", "-o", "x") == ["file"]
    assert offered("score", "-r", "x") == ["file"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_each_shell(shell, command):
    result = command("completion", shell)
    assert result.code == 0
    assert "_ASSAY_COMPLETE" in result.out
    assert "assay" in result.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
def test_bash_takes_it(command, tmp_path):
    script = tmp_path / "completion.bash"
    script.write_text(command("completion", "bash").out)
    program = tmp_path / "assay"
    program.write_text(f"#!{sys.executable}\nfrom assay.__main__ import main\nmain()\n")
    program.chmod(0o755)
    line = (
        f"source {script}; COMP_WORDS=(assay score -m met); COMP_CWORD=3; _assay_completion assay met -m; "
        "printf '%s\n' \"${COMPREPLY[@]}\""
    )
    path = f"{tmp_path}:/usr/bin:/bin"
    done = subprocess.run(["bash", "-c", line], env={"PATH": path}, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["meteor"], done.stderr


def test_an_unknown_shell_is_answered(command):
    result = command("completion", "tcsh")
    assert result.code == 2
    assert "bash" in result.err
