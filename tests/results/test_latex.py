"""LaTeX compiles, whatever names hold: by pdflatex where there is one, by its characters elsewhere."""

import re
import shutil
import subprocess

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.results.latex import latex
from assay.results.result import Column, Result, View

NASTY = "</script>_&%$#{}~^\\|\x1b[31m\n\u2028 naïve Øre Łódź ß Δσ≈≤ ↑↓ 訳 العربية ἄ ẹ̀ 𝔘 😀 “q” `x` 'y' \"z\" ⟨⟩ ᵃᵇ ½ €"
DOCUMENT = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n%s\n\\end{document}\n"

needs_pdflatex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed: make tools")


def results():
    """Results of several commands, and one with everything that a name can hold."""
    rows = [{"name": NASTY, "value": 1.0, "low": 0.5, "high": 2.0, "mark": "ab"}]
    columns = (Column("value", NASTY, "+.2f", low="low", high="high", mark="mark", better="lower"),)
    yield Result("nasty", {"t": rows}, (View(NASTY, "t", columns, (Column("name"),), notes=(NASTY,)),), (NASTY,))
    yield assay.score(CAMPAIGN, "chrf,wer", samples=10, domains=True)
    yield assay.study("references", CAMPAIGN, metrics="bleu", k=1)


@needs_pdflatex
def test_pdflatex_goes_through(tmp_path):
    for number, result in enumerate(results()):
        file = tmp_path / f"table{number}.tex"
        file.write_text(DOCUMENT % result.render("latex"), encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", file.name]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


def test_every_character_is_one_that_pdflatex_knows():
    for result in results():
        shown = [line for line in result.render("latex").splitlines() if not line.startswith("%")]
        # What pdflatex has no letter for stands in the second argument, which pdflatex skips.
        bare = re.sub(r"\\assayletter\{\[U\+[0-9A-F]+\]\}\{[^}]*\}", "", "\n".join(shown))
        assert bare.isascii(), sorted({letter for letter in bare if not letter.isascii()})


def test_letters_are_spelled():
    assert latex("50 % of a_b") == r"50 \% of a\_b"
    assert latex("naïve Øre") == r"na\"{\i}ve \O{}re"
    assert latex("Δ ≈ 訳") == r"$\Delta$ $\approx$ \assayletter{[U+8A33]}{訳}"


def test_comments_stay_comments():
    result = Result("q", {"t": [{"a": 1}]}, (View("Title\n\\input{/etc/passwd}", "t", (Column("a"),)),), ("x\ny",))
    lines = result.render("latex").splitlines()
    assert lines[:2] == ["% Title␊\\input{/etc/passwd}", "% x␊y"]
