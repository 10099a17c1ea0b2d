"""A report: what is in it, what it may do, and what it says where something is missing."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html import unescape

import pytest

import assay
from assay.cli.main import run
from assay.data.files import byte_count
from assay.demo import CAMPAIGN

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

NASTY = "</script><script>alert(1)</script>"


def asked(campaign=CAMPAIGN, **options):
    given = [str(one) for one in campaign] if isinstance(campaign, list) else str(campaign)
    return assay.report(given, **{"metrics": "chrf", "samples": 20, **options})


@pytest.fixture(scope="module")
def page():
    return asked().render("html")


def manifest_of(page):
    return json.loads(re.search(r'<script type="application/json" id="manifest">(.*?)</script>', page, re.DOTALL)[1])


def blob_of(page, name):
    number = manifest_of(page)["blobs"][name]["id"]
    text = re.search(rf'<script type="text/plain" id="blob:{number}">(.*?)</script>', page)[1]
    return gzip.decompress(base64.b64decode(text))


def campaign_in(folder, systems, references=("A",), lines=6):
    folder.mkdir(exist_ok=True)
    for kind, names in (("sys", systems), ("ref", references)):
        for name in names:
            text = "".join(f"line {number} of {len(name)} words\n" for number in range(lines))
            (folder / f"{kind}.{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_report_says_what_is_in_it_and_who_is_best():
    result = asked()
    assert {row["part"]: row["number"] for row in result.table("contents")} == {
        "segments": 60, "systems": 5, "references": 3, "metrics": 1, "judgements": 1800,
    }  # fmt: skip
    assert [row["question"] for row in result.table("questions")] == [
        "describe",
        "score",
        "compare",
        "meta",
        "agreement",
    ]
    assert all(row["answered"] for row in result.table("questions"))
    said = " ".join(result.findings)
    assert "campaign: 60 segments, 5 systems, 3 references, 1,800 judgements (adequacy, fluency)." in said
    assert "By chrF rosetta is best with 77.37" in said
    assert "People put rosetta first (adequacy, fluency)." in said
    assert "Metrics and people put the same system first: rosetta." in said
    assert "-o report.html" in said


def test_answers_in_the_page_have_the_numbers_of_the_commands(page):
    listed = {one["question"]: one for one in manifest_of(page)["results"]}
    kept = json.loads(blob_of(page, f"result.{listed['score']['id']}"))["result"]
    alone = assay.score(CAMPAIGN, "chrf", samples=20)
    assert kept["scores"] == alone.table("scores")
    assert kept["options"] == json.loads(alone.to_json())["options"]
    assert listed["score"]["command"] == f"assay score {CAMPAIGN} -m chrf --samples 20"
    pairs = json.loads(blob_of(page, f"result.{listed['compare']['id']}"))["result"]["pairs"]
    assert pairs == assay.compare(CAMPAIGN, "chrf", samples=20).table("pairs")


def test_a_page_runs_its_own_script_and_style_and_nothing_else(page):
    rule = unescape(re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)[1])
    parts = dict(part.split(" ", 1) for part in rule.split("; "))
    script = re.search(r"<script>(.*)</script></body>", page, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)[1]

    def digest(text):
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert parts == {
        "default-src": "'none'", "script-src": digest(script), "style-src": digest(style), "img-src": "data: blob:",
        "worker-src": "blob:", "base-uri": "'none'", "form-action": "'none'",
    }  # fmt: skip
    assert page.count("<style>") == 1
    body = page[page.index("<body>") : page.index('<script type="application/json"')]
    assert " style=" not in body
    assert not re.search(r"\son\w+=", body)
    # Nothing is fetched: links lead into the page, pictures are in it.
    assert set(re.findall(r'(?:src|href)="([a-z]+:|#)', page)) <= {"data:", "#"}


def test_without_a_program_findings_and_tables_are_there(page):
    body = page[page.index('<main id="app">') : page.index("</main>")]
    assert "By chrF rosetta is best with 77.37" in body
    assert "<td" in body
    assert 'src="data:image/svg+xml;base64,' in body


def test_pages_are_the_same_every_time(page):
    again = asked().render("html")

    def timeless(text):
        return re.sub(r'"made": "[^"]*"', "", text)

    assert timeless(again) == timeless(page)


def test_names_and_texts_of_strangers_stay_text(tmp_path):
    folder = campaign_in(tmp_path / "strange", ["a", "<img src=x onerror=alert(1)>"])
    (folder / "sys.a.txt").write_text("".join(f"{NASTY} {number}\n" for number in range(6)), encoding="utf-8")
    (folder / "docs.txt").write_text("".join(f"{NASTY}{number // 2}\n" for number in range(6)), encoding="utf-8")
    page = asked(folder).render("html")
    assert NASTY not in page
    assert "<img src=x" not in page
    entry = manifest_of(page)["campaigns"][0]
    assert "<img src=x onerror=alert(1)>" in entry["systems"]
    assert json.loads(blob_of(page, "c0.text.sys.a"))[3] == f"{NASTY} 3"


def test_what_a_campaign_cannot_answer_stands_there_with_the_reason(tmp_path):
    folder = campaign_in(tmp_path / "bare", ["a"], references=())
    result = asked(folder)
    reasons = {row["question"]: row["reason"] for row in result.table("questions") if not row["answered"]}
    assert set(reasons) == {"score", "compare", "meta", "agreement"}
    assert "compares translations with references" in reasons["score"]
    page = result.render("html")
    assert {one["question"] for one in manifest_of(page)["unanswered"]} == set(reasons)
    assert "compares translations with references" in page[: page.index("</main>")]
    assert manifest_of(page)["campaigns"][0]["metrics"] == []


def test_a_report_of_references_or_of_judgements_alone_works(tmp_path):
    references = asked(campaign_in(tmp_path / "references", [], ["A", "B"]))
    assert manifest_of(references.render("html"))["campaigns"][0]["systems"] == []
    file = tmp_path / "human.tsv"
    rows = [f"{system}\t{place}\t{rater}\t{(place * 3 + len(rater)) % 5}\tda\n" for system in ("x", "y") for place in
            range(6) for rater in ("ann", "bobby")]  # fmt: skip
    file.write_text("system\tsegment\trater\tscore\tkind\n" + "".join(rows))
    entry = manifest_of(asked(file).render("html"))["campaigns"][0]
    assert (entry["systems"], entry["segments"], entry["hasTexts"]) == (["x", "y"], 6, False)
    assert entry["kinds"] == [{"name": "da", "least": 0.0, "most": 4.0}]


def test_several_campaigns_are_one_page(tmp_path):
    folder = campaign_in(tmp_path / "second", ["a", "b"])
    result = asked([CAMPAIGN, folder])
    page = result.render("html")
    manifest = manifest_of(page)
    assert [one["name"] for one in manifest["campaigns"]] == ["campaign", "second"]
    assert {one["campaign"] for one in manifest["results"]} == {0, 1}
    assert {"c0.rows", "c1.rows"} <= set(manifest["blobs"])
    assert any(text.startswith("second: ") for text in result.findings)


def test_a_page_that_is_too_large_has_the_texts_that_matter_and_all_rows(page):
    size = len(page.encode())
    with pytest.warns(assay.AssayWarning, match="the page has the texts of"):
        small = asked(most=size - 15_000).render("html")
    assert len(small.encode()) <= size - 15_000
    kept = manifest_of(small)["campaigns"][0]["kept"]
    texts = json.loads(blob_of(small, "c0.text.source"))
    assert 0 < kept["segments"] == sum(text is not None for text in texts) < 60
    assert kept["said"] in unescape(small[: small.index("</main>")])
    assert blob_of(small, "c0.rows") == blob_of(page, "c0.rows")
    # On the segment where the best systems differ most texts are there.
    rows = assay.score(CAMPAIGN, "chrf", segments=True, samples=0).table("segments")
    best = ("rosetta", "human", "compass", "lantern")
    of = {system: [row["score"] for row in rows if row["system"] == system] for system in best}
    apart = [max(scores) - min(scores) for scores in zip(*of.values(), strict=True)]
    assert texts[apart.index(max(apart))] is not None


def test_a_page_that_no_text_fits_into_says_so():
    with pytest.warns(assay.AssayWarning, match="no room for texts"):
        page = asked(most=1000).render("html")
    assert manifest_of(page)["campaigns"][0]["kept"]["segments"] == 0


def test_a_bundle_is_a_page_and_its_data_beside_it(tmp_path):
    folder = tmp_path / "report"
    result = asked(bundle=folder)
    assert any(str(folder) in text for text in result.findings)
    page = (folder / "index.html").read_text(encoding="utf-8")
    blobs = manifest_of(page)["blobs"]
    assert {file.name for file in (folder / "data").iterdir()} == {f"{one['id']}.js" for one in blobs.values()}
    script = (folder / "data" / f"{blobs['c0.rows']['id']}.js").read_text()
    name, text = re.fullmatch(r'assayBlob\("(\w+)", "([^"]*)"\);\n', script).groups()
    assert name == blobs["c0.rows"]["id"]
    assert len(gzip.decompress(base64.b64decode(text))) == blobs["c0.rows"]["bytes"]
    with pytest.raises(assay.InputError, match="--overwrite"):
        asked(bundle=folder)
    asked(bundle=folder, overwrite=True)


def test_further_questions_and_answers_that_were_kept_are_in_the_page(tmp_path):
    file = tmp_path / "old.json"
    file.write_text(assay.score(CAMPAIGN, "ter", samples=0).to_json())
    page = asked(also=["study references --k 1", "metrics bleu"], results=[file]).render("html")
    listed = [(one["question"], one["section"], one["campaign"]) for one in manifest_of(page)["results"]]
    assert ("references", "references", 0) in listed
    assert ("metrics", "other", None) in listed
    assert listed[-1] == ("score", "systems", None)


def test_a_wrong_further_question_is_refused_before_the_work():
    with pytest.raises(assay.UnknownName, match="nothing"):
        asked(also="study nothing")
    with pytest.raises(assay.ParameterError, match="a page holds no page"):
        asked(also="report")
    with pytest.raises(assay.ParameterError, match="--bundle DIR"):
        asked(overwrite=True)


def test_the_command_writes_the_page(tmp_path, capfd):
    file = tmp_path / "report.html"
    assert run(["report", str(CAMPAIGN), "-m", "chrf", "--samples", "20", "-o", str(file)]) == 0
    assert manifest_of(file.read_text(encoding="utf-8"))["campaigns"][0]["words"] == [str(CAMPAIGN)]
    assert capfd.readouterr().out == ""


def test_a_size_is_read_as_people_write_it():
    assert asked(most="2.5MB").options["most"] == byte_count("2.5MB")
    with pytest.raises(assay.ParameterError, match="most"):
        asked(most="large")


def test_where_there_are_no_texts_none_are_said_to_be_left_out(tmp_path):
    file = tmp_path / "scores.tsv"
    lines = [f"{system}\t{number}\t{number / 7}\n" for system in ("x", "y") for number in range(9)]
    file.write_text("system\tsegment\tjudge\n" + "".join(lines))
    with pytest.warns(assay.AssayWarning, match=r"The page has 0\.\d MB, more than --most says"):
        page = assay.report(str(file), samples=20, most=1000).render("html")
    assert manifest_of(page)["campaigns"][0]["kept"] is None
    assert "there is no room" not in page[: page.index("</main>")]


def test_answers_that_were_asked_of_every_campaign_are_marked():
    page = asked(also=["compare --baseline compass"]).render("html")
    marked = [one["question"] for one in manifest_of(page)["results"] if one["usual"]]
    assert marked == ["describe", "score", "compare", "meta", "agreement"]


def test_systems_are_looked_at_before_people(page):
    # By chrF the person among the systems is second.
    assert manifest_of(page)["campaigns"][0]["pair"] == ["rosetta", "compass"]
