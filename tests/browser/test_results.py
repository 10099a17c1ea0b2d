"""Answers in the page, in a real browser: cell by cell those of Python, and harmless whatever stands in them."""

from __future__ import annotations

import json
import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import assay
import assay.explorer
from assay.demo import CAMPAIGN
from assay.questions.studies.registry import STUDIES, study_class
from assay.results.rendering import Cell, grids
from assay.results.result import Column, Remark, Result, View

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.AssayWarning")]


NASTY = [
    "<script>window.hacked=1</script>",
    "</script><script>window.hacked=1</script>",
    '"><img src=x onerror=window.hacked=1>',
    "javascript:window.hacked=1",
    "a\x1b[31m\x9b31m\u0085b",
    "line\nbreak\u2028and\u2029more\ttab",
    "\u202etxet eht fo noitcerid",
    "half a letter: \ud800",
    "constructor",
    "__proto__",
    "{{constructor.constructor('window.hacked=1')()}}",
]

#: A small answer of each question; the same of every study.
ASKED = {
    "score": lambda: assay.score(
        CAMPAIGN, "bleu,chrf,ter,nist", documents=True, domains=True, segments=True, worst=3, samples=20
    ),
    "compare": lambda: assay.compare(CAMPAIGN, "bleu,chrf,ter", samples=20, permutations=100, segments=5),
    "meta": lambda: assay.meta_evaluate(
        CAMPAIGN, "bleu,chrf,ter", kind="adequacy,fluency", samples=20, permutations=50
    ),
    "agreement": lambda: assay.agreement(CAMPAIGN, kind="adequacy,fluency", samples=20, splits=4),
    "describe": lambda: assay.describe(CAMPAIGN),
    "features": lambda: assay.features(CAMPAIGN, "bleu,chrf"),
    "learn": lambda: assay.learn(
        CAMPAIGN, kind="adequacy", samples=10, models="tree,ridge", tasks="grades,regression", folds=3, left_out=False
    ),
    "tune": lambda: assay.tune(CAMPAIGN, "meteor", kind="adequacy", samples=10),
    "explain": lambda: assay.explain("ter,meteor,gtm,bleu,chrf", translation="a cat sat", references=["the cat sat"]),
    "paper": lambda: assay.paper("lavie2004", CAMPAIGN, kind="adequacy", samples=10),
}
#: Studies that take longer as they are; what they cannot do without.
STUDY = {
    "pseudo-documents": {"metrics": "bleu", "per_length": 5, "lengths": (1, 5)},
    "sentence-level": {"kind": "adequacy,fluency"},
    "foreign-texts": {"others": ("other.txt",)},
    "references": {"k": (1, 2), "samples": 20},
}


@pytest.fixture(scope="module")
def page(modules):
    return modules


def _of_python(result):
    """Every grid, down to the marks of its cells."""
    return [
        {
            "title": grid.title,
            "headings": list(grid.headings),
            "rows": [
                [[one.text, one.mark, one.head] if isinstance(one, Cell) else [one, "", False] for one in row]
                for row in grid.rows
            ],
            "said": [[str(cell) for cell in row] for row in grid.rows],
            "right": list(grid.right),
            "keys": grid.keys,
            "group": grid.group,
            "notes": list(grid.notes),
            "lines": list(grid.lines),
            "section": grid.section,
            "anchors": list(grid.anchors),
            "isOnPage": grid.on_page,
        }
        for grid in grids(result, page=True)
    ]


def _of_page(page, result):
    return page.evaluate(
        """async (text) => {
            const { grids, said } = await import("/data/grids.js");
            return grids(JSON.parse(text)).map(({ columns, table, rows, ...grid }) => ({
                ...grid,
                rows: rows.map((row) => row.map((cell) => [cell.text, cell.mark, cell.head])),
                said: rows.map((row) => row.map(said)),
            }));
        }""",
        result.to_json(),
    )


def equal(page, result):
    """Whether the page has the same cells; how many they are."""
    result = replace(result, figures=())
    expected, found = _of_python(result), _of_page(page, result)
    assert [grid["title"] for grid in found] == [grid["title"] for grid in expected]
    for one, other in zip(found, expected, strict=True):
        assert one == other
    return sum(len(row) for grid in expected for row in grid["rows"])


@pytest.mark.parametrize("question", ASKED)
def test_every_cell_of_an_answer_is_that_of_python(page, question):
    assert equal(page, ASKED[question]()) > 5


@pytest.mark.parametrize("name", STUDIES)
def test_every_cell_of_a_study_is_that_of_python(page, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("other.txt").write_text("a text about something else\n" * 60)
    options = {"kind": "adequacy"} if "kind" in study_class(name).__dataclass_fields__ else {}
    assert equal(page, assay.study(name, CAMPAIGN, **{**options, **STUDY.get(name, {})})) > 2


def test_every_cell_of_several_campaigns_is_that_of_python(page, tmp_path):
    for name in ("one", "two"):
        shutil.copytree(CAMPAIGN, tmp_path / name)
    assert equal(page, assay.score([tmp_path / "one", tmp_path / "two"], "bleu,chrf", samples=20)) > 30


def test_every_cell_of_what_a_store_answers_is_that_of_python(page, tmp_path):
    pytest.importorskip("duckdb", reason="DuckDB is not installed")
    folder = tmp_path / "demo-campaign"
    shutil.copytree(CAMPAIGN, folder)
    store = assay.Store.create(folder)
    assay.score(folder, "bleu", samples=20)
    assay.score(folder, "bleu", samples=20, systems="gravel,compass")
    assert equal(page, assay.history(store=store.path)) > 4
    assert equal(page, assay.history(store=store.path, metrics="bleu")) > 4
    assert equal(page, assay.diff("last~1", "last", store=store.path)) > 1
    query = "select system, round(avg(score), 2) as mean, count(*) as n from scores group by system order by system"
    assert equal(page, assay.sql(query, store=store.path)) == 15


def test_numbers_are_written_as_python_writes_them(page):
    chance = random.Random(1)
    # What lies exactly between two numbers of so many digits goes to the even one, as in Python.
    values = [0.5, 1.5, 2.5, 0.125, 0.375, 56.25, -0.125, 2.675, 1234.5, 1e-5, 1e22, 5e-324, 0.0, -0.0, -0.001, 9.9995]
    values += [chance.uniform(-200, 200) for _ in range(200)]
    values += [chance.choice((-1, 1)) * 10 ** chance.uniform(-12, 25) for _ in range(200)]
    values += [round(chance.uniform(-3000, 3000)) / 64 for _ in range(200)]
    values += [chance.randint(-(10**7), 10**7) for _ in range(200)]
    specs = [".2f", ".3f", "+.3f", ".0f", ",.2f", ".4g", ".6g", "+.6g", "g", ".0%", ".1%", ",", "", "d", ",d"]
    cases = [(value, spec) for value in values for spec in specs if _is_told(value, spec)]
    found = page.evaluate(
        """async (text) => {
            const { formatted } = await import("/data/grids.js");
            return JSON.parse(text).map(([value, spec]) => formatted(value, spec));
        }""",
        json.dumps(cases),
    )
    assert found == [format(value, spec) for value, spec in cases]


def _is_told(value, spec):
    """Whether JSON tells all that this format shows: it does not tell 5.0 from 5."""
    return isinstance(value, int) or (not spec.endswith("d") and (spec not in ("", ",") or value != int(value)))


def hostile():
    rows = [
        {"system": name, "document": name, "segment": name, "n": number, "low": 0.5, "high": 2.0, "mark": name}
        for number, name in enumerate(NASTY)
    ]
    columns = (Column("n", NASTY[0], ".2f", low="low", high="high", mark="mark"), Column("document"))
    views = (
        View(NASTY[0], "rows", columns, (Column("system"),), notes=tuple(NASTY), under="segment"),
        View("spread", "rows", (Column("n", "{}", ".1f"),), (Column("document"),), over="system"),
        View("labelled", "rows", (Column("n", "{}", "d"),), over="system", labels={name: name[::-1] for name in NASTY}),
        View("part", "rows", (Column("system"), Column("n", better="higher")), section=NASTY[0], anchor="system"),
        View("lines", "rows", (Column("system"),), line="{system}: {constructor} {n}"),
        View("chosen", "rows", (Column("n"),), (Column("system"),), where={"system": NASTY[:3]}, order=tuple(NASTY)),
    )
    return Result(
        "q", {"rows": rows}, views, tuple(NASTY), tuple(map(Remark, NASTY)), campaign=NASTY[0],
        signatures={name: name for name in NASTY}, setup={name: name for name in NASTY},
    )  # fmt: skip


def test_hostile_cells_are_those_of_python(page):
    assert equal(page, hostile()) > 100


#: An app as views know it, of which nothing else is there.
APP = """
    const app = {
        state: { campaign: 0, filter: {}, tables: {} }, round: 1, isCurrent: () => true, manifest: { results: [] },
        campaign: { systems: data.names, labels: [{ name: "document", values: data.names }], metrics: [], segments: 9,
                    named: true, people: [], references: [], kinds: [], words: [] },
        pair: [null, null], source: { can: {} }, set() {}, note() {}, link: () => "#/segments",
    };
"""


def test_hostile_answers_are_shown_as_text(page):
    svg = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>window.hacked = 1</script></svg>"
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    shown = page.evaluate(
        f"""async (text) => {{
            const data = JSON.parse(text);
            {APP}
            const {{ resultElement }} = await import("/views/results.js");
            const element = resultElement(app, {{ result: data.result, figures: data.figures }});
            document.getElementById("app").append(element);
            await Promise.all([...element.querySelectorAll("img")].map((image) => image.decode()));
            return {{
                cells: [...element.querySelectorAll("tbody th")].map((cell) => cell.textContent),
                links: [...element.querySelectorAll("a")].map((link) => link.getAttribute("href")),
                foreign: element.querySelectorAll("script, iframe, object, embed, svg script").length,
                images: [...element.querySelectorAll("img")].map((image) => image.src.slice(0, 5)),
            }};
        }}""",
        json.dumps(
            {
                "names": NASTY,
                "result": json.loads(hostile().to_json()),
                "figures": [{"name": f"{name}.x", "title": name, "svg": svg} for name in NASTY],
            }
        ),
    )
    assert problems == []
    assert page.evaluate("window.hacked") is None
    assert shown["foreign"] == 0
    assert "<script>window.hacked=1</script>" in shown["cells"]
    assert "half a letter: \\ud800" in shown["cells"]
    assert set(shown["links"]) == {"#/segments"}
    assert shown["images"] == ["blob:"] * len(NASTY)


def test_cells_lead_to_what_they_name(page):
    rows = [{"system": "a", "document": "d*1", "segment": 4, "metric": "bleu", "score": 1.0}]
    keys = (Column("system"), Column("document"), Column("segment", format="d"))
    view = View("t", "rows", (Column("score", format=".1f"),), keys)
    found = page.evaluate(
        """async (result) => {
            const labels = [{ name: "document", values: ["d*1"] }];
            const campaign = { systems: ["a"], labels, segments: 9, named: false, metrics: [{ name: "bleu" }] };
            const app = { state: { campaign: 0, tables: {} }, manifest: { results: [] }, campaign, source: { can: {} },
                          link: (changes) => "#/" + encodeURIComponent(JSON.stringify(changes)) };
            const { resultElement } = await import("/views/results.js");
            const links = resultElement(app, { result, figures: [] }).querySelectorAll("tbody a");
            return [...links].map((link) => JSON.parse(decodeURIComponent(link.getAttribute("href").slice(2))));
        }""",
        json.loads(Result("q", {"rows": rows}, (view,)).to_json()),
    )
    segment = {"view": "segment", "a": "a", "metric": "bleu", "segment": 4}
    assert found == [{"view": "segments", "a": "a"}, segment, segment, segment]


def test_dots_of_a_picture_lead_to_the_segments_of_their_rows(page):
    rows = [{"system": "a", "segment": 4, "anchor": "segment-0123456789ab"}]
    view = View("t", "rows", (Column("system"), Column("segment", format="d")), anchor="anchor")
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100">'
        '<g transform="translate(50,20)">'
        '<path aria-label="segment-0123456789ab: a dot" transform="translate(10,5)" d=""/>'
        '<path aria-label="segment-ba9876543210: of no row" transform="translate(20,5)" d=""/></g></svg>'
    )
    found = page.evaluate(
        """async ({ result, svg }) => {
            const campaign = { systems: ["a"], labels: [], segments: 9, named: false, metrics: [] };
            const app = { state: { campaign: 0, tables: {} }, manifest: { results: [] }, campaign, source: { can: {} },
                          link: (changes) => "#/" + encodeURIComponent(JSON.stringify(changes)) };
            const { resultElement } = await import("/views/results.js");
            const links = resultElement(app, { result, figures: [{ name: "f", title: "f", svg }] })
                .querySelectorAll(".linked a");
            const changes = (link) => JSON.parse(decodeURIComponent(link.getAttribute("href").slice(2)));
            return [...links].map((link) => [changes(link), link.title, link.style.left, link.style.top]);
        }""",
        {"result": json.loads(Result("q", {"rows": rows}, (view,)).to_json()), "svg": svg},
    )
    # 50 + 10 of 200, and 20 + 5 of 100.
    assert found == [[{"view": "segment", "a": "a", "segment": 4}, "a dot", "30%", "25%"]]


def test_an_answer_is_asked_again_by_its_call_of_python(page, tmp_path, monkeypatch):
    shutil.copytree(CAMPAIGN, tmp_path / "demo-campaign")
    monkeypatch.chdir(tmp_path)
    answers = [
        assay.score("demo-campaign", "bleu,chrf", samples=20, documents=True, systems="compass,gravel"),
        assay.compare("demo-campaign", "bleu(order=2),chrf", samples=20, permutations=50, where="document=rail-notice"),
        assay.meta_evaluate("demo-campaign", "bleu", kind="adequacy", samples=20, permutations=50),
        assay.study("reference-similarity", "demo-campaign", metrics="chrf", systems="gravel,compass"),
    ]
    for result in answers:
        call = page.evaluate(
            """async (result) => {
                const app = { state: { campaign: 0, filter: {} },
                              source: { queries: () => ({ commandOf: () => ({ options: [], complete: true }) }) } };
                const { pythonOf } = await import("/views/results.js");
                const words = ["demo-campaign", "--refs", "A"];
                return pythonOf(app, result, { index: 0, path: "demo-campaign", words });
            }""",
            json.loads(result.to_json()),
        )
        made = {}
        exec(call.replace("print(result)", ""), made)
        assert made["result"].to_json() == result.to_json()


@pytest.mark.parametrize("question", ["score", "compare", "meta", "agreement", "paper"])
def test_a_notebook_shows_tables_and_pictures_by_itself_and_fetches_nothing(page, question):
    result = ASKED[question]()
    notebook = page.context.browser.new_context(offline=True).new_page()
    asked = []
    notebook.on("request", lambda request: asked.append(request.url))
    notebook.set_content(f"<!doctype html><title>notebook</title><main>{result._repr_html_()}</main>")
    widths = notebook.locator("figure img").evaluate_all("all => all.map((image) => image.naturalWidth)")
    assert len(widths) == len(result.figures)
    assert all(width > 100 for width in widths)
    assert notebook.locator("table").count() >= 1
    assert notebook.locator("script").count() == 0
    assert [url for url in asked if not url.startswith("data:")] == []
    notebook.context.close()
