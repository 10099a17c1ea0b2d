"""Signatures, short and whole, below everything else; and intervals, which are written in one way."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.results.result import Column, Remark, Result, View

WHOLE = "bleu(order=4,lowercase=false,tokenize=13a)|references:2|segments:60|seed:1|version:0.2|reference:ab12+cd34"
PEOPLE = ("text", "markdown", "latex", "html")
SNAPSHOTS = Path(__file__).parents[1] / "snapshots" / "expected"


def result_of(signatures, **options):
    view = View("Title", "t", (Column("a"),))
    return Result("score", {"t": [{"a": 1}]}, (view,), ("a finding",), signatures=signatures, **options)


def last_lines(signatures, **look):
    return result_of(signatures).render("text", **look).split("\n\n")[-1].splitlines()


@pytest.mark.parametrize("style", PEOPLE)
def test_people_see_a_short_line_below_everything_else(style):
    result = result_of({"bleu": WHOLE}, notes=(Remark("a note"),))
    # The digest is the beginning of that of the whole line.
    short = f"bleu 13a mixed refs:2 v0.2 #{hashlib.sha256(WHOLE.encode()).hexdigest()[:6]}"
    shown = result.render(style)
    assert WHOLE not in shown
    assert shown.index("a finding") < shown.index(short)
    assert shown.rfind("a note") < shown.index(short)
    assert WHOLE in result.render(style, signatures=True)
    assert short not in result.render(style, signatures=True)


def test_notebooks_see_it_too():
    assert "bleu 13a mixed refs:2 v0.2 #" in result_of({"bleu": WHOLE})._repr_html_()


def test_programs_get_the_whole():
    result = result_of({"bleu": WHOLE})
    assert WHOLE in result.to_json()
    assert WHOLE in result.render("tsv", table="signatures")
    assert Result.from_json(result.to_json()).render("text") == result.render("text")


@pytest.mark.parametrize(
    ("name", "whole", "shown"),
    [
        # What the name says is not said again.
        ("bleu(tokenize=zh)", "bleu(lowercase=false,tokenize=zh)|references:1|version:1.0", "bleu(tokenize=zh) mixed"),
        ("x(lowercase=ascii)", "x(lowercase=ascii,tokenize=13a)|references:1|version:1.0", "x(lowercase=ascii) 13a"),
        ("meteor", "meteor(lowercase=true,tokenize=meteor:en)|references:1|version:1.0", "meteor meteor:en lowercase"),
        # A metric of one's own may have no recipe, and a model says it elsewhere.
        ("mine", "mine()|references:1|version:1.0", "mine"),
        ("predictor", "model:ab12|kind:ridge|references:1|segments:9|version:1.0", "predictor"),
    ],
)  # fmt: skip
def test_a_short_line_says_tokenizer_and_case_where_there_are_any(name, whole, shown):
    (line,) = last_lines({name: whole})
    assert re.sub(" #[0-9a-f]{6}$", "", line) == f"{shown} refs:1 v1.0"


def test_another_reference_or_seed_has_another_digest():
    campaign = assay.read(CAMPAIGN)
    lines = {
        str(assay.score(campaign, "bleu", samples=5, **options)).splitlines()[-1]
        for options in ({}, {"seed": 2}, {"references": "A,B"}, {"references": "B,C"})
    }
    # Two of them have two references, and differ by the digest alone.
    assert len(lines) == 4
    assert len({line.partition("#")[0] for line in lines}) == 2
    assert str(assay.score(campaign, "bleu", samples=5)).splitlines()[-1] in lines


def test_lines_of_other_programs_stay_whole():
    theirs = "sacreBLEU: BLEU|nrefs:2|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0"
    assert last_lines({"bleu, sacreBLEU": theirs}) == [theirs]


def test_signatures_stand_behind_the_notes_of_a_terminal():
    command = [sys.executable, "-m", "assay", "score", str(CAMPAIGN), "-m", "bleu,wer", "--samples", "0"]
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, text=True).stdout
    note, blank, bleu, wer = shown.splitlines()[-4:]
    assert note.startswith("Note: Word metrics see different tokens")
    assert blank == ""
    assert bleu.startswith("bleu 13a mixed refs:3 v")
    assert wer.startswith("wer none:ascii mixed refs:3 v")


def test_metrics_that_are_worth_the_same_share_a_number():
    said = assay.score(CAMPAIGN, "bleu,bleu(lowercase=true),chrf", samples=5).findings[0]
    assert "worth about 60 independent ones by bleu and bleu(lowercase=true), 32 by chrf." in said


@pytest.mark.parametrize("style", PEOPLE)
def test_every_interval_is_written_in_one_way(style):
    rows = [{"a": 0.5, "low": 0.25, "high": 0.75, "first": 1, "last": 3}]
    columns = (
        Column("a", format=".2f", low="low", high="high"),
        Column("low", "95 % interval", ".2f", high="high"),
        Column("first", "rank", "d", high="last"),
    )
    shown = Result("q", {"t": rows}, (View("", "t", columns),)).render(style).replace("--", "–")
    for cell in ("0.50 (0.25 – 0.75)", "1 – 3"):
        assert cell in shown
    assert shown.count("0.25 – 0.75") == 2


def test_nothing_that_commands_print_has_another_way():
    other = re.compile(r"[\w%] \[[-+]?\d+\.\d+, [-+]?\d+\.\d+\]")
    files = [file for file in SNAPSHOTS.rglob("*.txt") if file.name.split(".")[-2] in (*PEOPLE, "junit")]
    assert len(files) > 200
    assert [file.name for file in files if other.search(file.read_text(encoding="utf-8"))] == []


def test_a_score_prints_its_interval_in_that_way_too():
    corpus = assay.Corpus(translations=["a b"] * 9 + ["a c"], references=[["a b"] * 10])
    assert re.search(r"^F1 ↑ 95\.00 \(\d+\.\d\d – \d+\.\d\d\) over 10", str(assay.metric("f1").evaluate(corpus)))
