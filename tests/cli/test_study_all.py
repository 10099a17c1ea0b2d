"""``assay study all`` and ``assay convert --merge``: one page, and what was merged."""

import base64
import json
import re

import pytest


def test_all_studies_on_one_page(command, campaign, tmp_path):
    pytest.importorskip("vl_convert")
    page = tmp_path / "page.html"
    result = command("study", "all", campaign, "-m", "bleu,f1", "-o", page)
    assert (result.code, result.out) == (0, "")
    text = page.read_text()
    assert text.startswith("<!doctype html>")
    # What stands at the top leads to the answers below; each has its table, its figure and its options.
    for name in ("references", "greedy-matching", "score-distribution"):
        assert f'<a href="#{name}">{name}</a>' in text
        [section] = re.findall(f'<section class="answer" id="{name}">(.*?)</section>', text, re.DOTALL)
        # The sets of references have a picture of their own.
        assert section.count("<figure>") == (2 if name == "references" else 1)
        assert f"<h2>{name}: " in section
        assert "<table>" in section
        assert "Options: " in section
    # What it cannot answer says why, on the page and on standard error.
    assert ">foreign-texts needs other texts to compare with" in text
    assert 'id="foreign-texts"' not in text
    assert "Note: no answer to foreign-texts: foreign-texts needs other texts" in result.err
    figures = re.findall(r'src="data:image/svg\+xml;base64,([^"]+)"', text)
    assert figures
    assert all(base64.b64decode(figure).startswith(b"<svg") for figure in figures)
    # Nothing is loaded from elsewhere.
    assert "http://" not in text
    assert "https://" not in text
    again = tmp_path / "again.html"
    assert command("study", "all", campaign, "-m", "bleu,f1", "--threads", "1", "-o", again).code == 0
    assert again.read_bytes() == page.read_bytes()


def test_all_studies_are_one_result(command, campaign, tmp_path):
    arguments = (campaign, "-m", "f1", "-q")
    found = json.loads(command("study", "all", *arguments, "--format", "json").out)
    assert (found["command"], found["study"]) == ("study", "all")
    by_name = {one["study"]: one for one in found["studies"]}
    assert (by_name["references"]["answered"], by_name["references"]["reason"]) == (True, None)
    assert not by_name["foreign-texts"]["answered"]
    assert "needs other texts" in by_name["foreign-texts"]["reason"]
    # Every table is that of the study alone, and so are its sentences.
    alone = json.loads(command("study", "references", *arguments, "--format", "json").out)
    for name in ("table", "separability", "order", "ranks", "pairs", "scores"):
        assert found[f"references.{name}"] == alone[name]
    notes = [note for view in found["views"] if view.get("section") == "references" for note in view.get("notes", ())]
    assert notes[: len(alone["findings"])] == alone["findings"]
    assert found["setup"]["references"]["options"] == alone["options"]
    assert {"references.spread", "references.lines"} <= {figure["name"] for figure in found["figures"]}
    # A line per metric says what was computed.
    assert {"f1", "gtm(exponent=2)", "meteor(aligner=meteor15)"} <= set(found["signatures"])
    # Formats with room for one table hold the list of studies, or any table by name; a folder takes them all.
    assert command("study", "all", *arguments, "--format", "tsv").out.startswith("study\tquestion\tanswered\treason\n")
    table = command("study", "all", *arguments, "--format", "tsv", "--table", "references.order").out
    assert table.startswith("metric\tk\tcompared\tpairs\tchanging\tshare\n")
    assert command("study", "all", *arguments, "-o", f"{tmp_path / 'tables'}/").code == 0
    assert (tmp_path / "tables" / "references.order.tsv").read_text() == table


def test_judgements_from_elsewhere_serve_all_studies(command, campaign, tmp_path):
    rows = [f"{system}\t{segment}\t{len(system) + segment}\tda" for system in ("good", "poor") for segment in range(2)]
    (tmp_path / "others.tsv").write_text("\n".join(["system\tsegment\tscore\tkind", *rows]) + "\n")
    arguments = ("study", "all", campaign, "-m", "f1", "--format", "json", "-q")
    without, given = (
        {one["study"]: one for one in json.loads(command(*arguments, *more).out)["studies"]}
        for more in ((), ("--judgements", tmp_path / "others.tsv"))
    )
    assert "no judgements" in without["correlations"]["reason"]
    assert "at least 3 that were judged" in given["correlations"]["reason"]


def test_several_kinds_are_taken_in_turn(command, campaign):
    (campaign / "sys.fair.txt").write_text("the cat sat on a mat\nhello world how you now ?\na line here , my friend\n")
    judged = {"adequacy": ("good", "fair", "poor"), "fluency": ("good", "fair", "poor"), "style": ("good", "poor")}
    rows = [
        f"{system}\t{segment}\t{len(systems) - place + segment}\t{kind}"
        for kind, systems in judged.items()
        for place, system in enumerate(systems)
        for segment in range(3)
    ]
    (campaign / "human.tsv").write_text("\n".join(["system\tsegment\tscore\tkind", *rows]) + "\n")
    arguments = (campaign, "-m", "f1", "--format", "json")
    result = command("study", "all", *arguments)
    assert "Several kinds of judgement, each in turn: adequacy (9), fluency (9), style (6)" in result.err
    found = json.loads(result.out)
    alone = json.loads(command("study", "correlations", *arguments, "--kind", "adequacy,fluency", "-q").out)
    assert found["correlations.table"] == alone["table"]
    # Nobody judged the style of a third system, which does not keep the other kinds from their answer.
    row = next(row for row in found["studies"] if row["study"] == "correlations")
    assert row["answered"]
    assert row["reason"].startswith("style: correlations compares systems")
    assert "no answer to correlations: style: correlations compares systems" in result.err
    titles = [view["title"] for view in found["views"] if view["table"] == "correlations.table"]
    assert [title.partition(":")[0] for title in titles] == ["correlations, adequacy", "correlations, fluency"]
    # One that is named is one that has to be there.
    assert command("study", "correlations", *arguments, "--kind", "style").code == 2


def test_a_wrong_option_is_no_matter_of_the_campaign(command, campaign):
    result = command("study", "all", campaign, "-m", "blue")
    assert (result.code, result.out) == (2, "")
    assert "no metric 'blue'" in result.err


def test_options_of_a_study_are_typed(command, campaign):
    arguments = ("--k", "1", "-m", "f1", "-m", "wer", "--format", "json")
    found = json.loads(command("study", "references", campaign, *arguments).out)
    assert {one["metric"] for one in found["table"]} == {"f1", "wer"}
    assert {one["k"] for one in found["table"]} == {1}
    result = command("study", "references", campaign, "--k", "7")
    assert result.code == 2
    assert "k is 7" in result.err


def test_convert_reports_what_it_merged(command, tmp_path):
    folder = tmp_path / "gaps"
    folder.mkdir()
    (folder / "ref.A.txt").write_text("a\nb\nc\n")
    (folder / "ref.B.txt").write_text("a\nb c\n\n")
    result = command("convert", "--merge", folder, tmp_path / "merged")
    assert result.code == 0
    assert "Merged 1-2 (for ref.B)" in result.out
    assert (tmp_path / "merged" / "ref.A.txt").read_text() == "a\nb c\n"
    assert "Nothing had to be merged" in command("convert", "--merge", tmp_path / "merged", tmp_path / "again").out
    refused = command("convert", "--by", "document", folder, tmp_path / "other")
    assert refused.code == 2
    assert "goes with --merge" in refused.err
