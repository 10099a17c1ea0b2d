"""What README and getting started show can be typed as it stands; ``make newcomer`` does it in fresh clones."""

import sys
from pathlib import Path

import pytest
from scripts import newcomer

SHOWN = [line for page in newcomer.PAGES for line in newcomer.commands(page.read_text(encoding="utf-8"))]
#: Assay of the Python that runs.
FOUND = f"export PATH='{Path(sys.executable).parent}':$PATH"


@pytest.mark.parametrize("command", [line for line in dict.fromkeys(SHOWN) if "assay " in line])
def test_a_command_that_is_shown_can_be_typed(command, tmp_path):
    newcomer.lay_out(tmp_path)
    assert newcomer.problem(command, tmp_path, FOUND) is None


def test_pages_show_every_command_that_asks_something():
    typed = " ".join(SHOWN)
    for name in (
        "make demo",
        "make test",
        *(f"assay {name} " for name in ("score", "compare", "meta", "study", "learn")),
    ):
        assert name in typed


def test_commands_are_what_terminals_show_without_output_and_comments():
    page = """# A page

```
$ assay score a  # scores
system   BLEU
```

```sh
# Two lines that are one:
assay compare a \\
  --baseline b

cat a | assay score -r '#1' -
```

```python
>>> import assay
```

```text
assay: not this
```
"""
    assert newcomer.commands(page) == [
        "assay score a",
        "assay compare a    --baseline b",
        "cat a | assay score -r '#1' -",
    ]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("assay score nowhere", "exit code 2\nassay: nowhere: no such file or folder"),
        ("assay score nowhere; true", "exit code 2"),
        ("assay score nowhere | cat", "exit code 2"),
        ("false", "exit code 1"),
    ],
)
def test_what_ends_in_an_error_is_found(command, said, tmp_path):
    assert newcomer.problem(command, tmp_path, FOUND).startswith(said)


def test_a_gate_may_fail(tmp_path):
    newcomer.lay_out(tmp_path)
    gate = "assay compare demo-campaign -m chrf --baseline rosetta --systems rosetta,gravel --fail-if-worse"
    assert newcomer.problem(gate, tmp_path, FOUND) is None


def test_the_script_fails_where_a_command_does_and_says_what_it_did_not_try(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text("```\nassay metrics bleu\nassay metrics belu\nmake demo\n```\n")
    monkeypatch.setattr(newcomer, "PAGES", (page,))
    assert newcomer.main(["--here"]) == 1
    printed = capsys.readouterr().out
    assert "$ assay metrics bleu\n$ assay metrics belu\nfailed: exit code 2\n" in printed
    assert "not tried: make demo\n  it sets up an environment" in printed
    assert printed.endswith("1 failed, 1 not tried.\n")
