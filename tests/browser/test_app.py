"""The front end in a real browser: frame, systems, metrics, people; a page of the demo and one with hostile names."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from urllib.parse import quote

import pytest

import assay

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")]

DEMO = Path(assay.__file__).parent / "demo" / "campaign"
VIEWS = ["overview", "systems", "metrics", 'metrics?level="segment"', "people"]

NASTY = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror='window.hacked=1'>",
    '"><svg onload=window.hacked=1>',
    "javascript:window.hacked=1",
    "a\x1b[31m\x9b31m\u0085b, مرحبا 訳 \u202e",
]

#: Listens to what the page must not do.
_LISTEN = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""

#: Waits until nothing is on its way.
_STILL = "() => !document.querySelector('[aria-busy=true]') && document.querySelector('#app h1')"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A page of the demo; its metrics are one with everything, one where lower is better, and one without intervals."""
    file = tmp_path_factory.mktemp("demo") / "report.html"
    file.write_text(assay.report(str(DEMO), "bleu,ter,nist", samples=50).render("html"), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A page of a campaign whose names are all an attacker's."""
    lines = [
        "the cat sat on the mat", "hello world", "a third line", "and a fourth one here", "five",
        "six words are in this line",
    ]  # fmt: skip
    systems = {name: [*lines[:index], *(line[::-1] for line in lines[index:])] for index, name in enumerate(NASTY)}
    judgements = [
        assay.Judgement(system, segment, float((index + segment * 3 + rater) % 7), NASTY[1], NASTY[rater], NASTY[0])
        for index, system in enumerate(systems)
        for segment in range(len(lines))
        for rater in range(3)
    ]
    campaign = assay.Campaign(
        NASTY[0],
        systems=systems,
        references={NASTY[0]: lines, NASTY[1]: [line.upper() for line in lines]},
        documents=tuple(NASTY[index // 3] for index in range(len(lines))),
        domains=tuple(NASTY[index // 2] for index in range(len(lines))),
        columns={NASTY[2]: list(lines)},
        human=assay.Judgements.of(judgements, NASTY[3]),
    )
    file = tmp_path_factory.mktemp("hostile") / "report.html"
    file.write_text(assay.report(campaign, "bleu,chrf", samples=50).render("html"), encoding="utf-8", errors="replace")
    return file


def state_of(view, **state):
    """The hash that names a view and a state."""
    parts = [f"{name}={quote(json.dumps(value))}" for name, value in state.items()]
    return f"#/{view}{'?' if parts else ''}{'&'.join(parts)}"


@pytest.fixture
def opened(chromium):
    """Opens a page at a state, with the network off; at the end nothing may have gone wrong in it."""
    contexts = []

    def call(file, hash_="#/overview", width=1280, scheme="light"):
        context = chromium.new_context(
            offline=True, viewport={"width": width, "height": 900}, color_scheme=scheme, accept_downloads=True,
            permissions=["clipboard-read", "clipboard-write"],
        )  # fmt: skip
        contexts.append(context)
        page = context.new_page()
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda said: page.problems.append(said.text) if said.type == "error" else None)
        page.on("request", lambda request: page.problems.append(request.url)
                if not request.url.startswith(("file:", "data:", "blob:")) else None)  # fmt: skip
        page.add_init_script(_LISTEN)
        page.goto(file.as_uri() + hash_)
        still(page)
        return page

    yield call
    for context in contexts:
        for page in context.pages:
            assert page.problems == []
            assert page.evaluate("window.violations") == []
            assert page.evaluate("window.hacked") is None
        context.close()


def still(page):
    """Wait for what is on its way."""
    page.wait_for_function(_STILL)
    page.wait_for_load_state("networkidle")


def settle(page):
    """Wait for the view that a change has asked for, its intervals among it."""
    page.wait_for_function("() => document.querySelectorAll('#app > .view').length === 1")
    still(page)


def state(page):
    return page.evaluate("assay.app.state")


def column(page, name, table="systems"):
    """The cells of a column of a table by its heading, by the names of their rows; intervals stay behind."""
    return page.evaluate(
        """([table, name]) => {
            const rows = [...document.querySelectorAll(`#table-${table} tr`)].map((row) => [...row.children]);
            const place = rows[0].findIndex((cell) => cell.innerText.replace(/[ ▾▴↑↓]+$/, "") === name);
            const text = (cell) => (cell.querySelector(".value") ?? cell.querySelector("bdi") ?? cell).innerText.trim();
            return Object.fromEntries(rows.slice(1).map((row) => [text(row[0]), text(row[place])]));
        }""",
        [table, name],
    )


def first_column(page, table="systems"):
    return page.locator(f"#table-{table} tbody th bdi:first-child").all_inner_texts()


def test_a_filter_counts_everything_anew(opened, demo):
    page = opened(demo, state_of("systems"))
    page.click("#filter-add")
    page.select_option("#filter-name", "document")
    page.fill("#filter-value", "harbour-news")
    page.click("#filter-value-add")
    settle(page)
    expected = assay.score(str(DEMO), "bleu,ter,nist", samples=50, where=["document=harbour-news"])
    assert page.inner_text("#kept") == "9 of 60 segments"
    assert state(page)["filter"] == {"where": ["document=harbour-news"]}
    for metric in ("bleu", "ter", "nist"):
        shown = column(page, metric.upper())
        for system in ("compass", "gravel", "human", "lantern", "rosetta"):
            assert shown[system] == f"{expected.of(system, metric).score:.2f}"
    # Nine segments of one document are drawn as segments: both ends are those of the command line.
    row = expected.of("rosetta", "bleu")
    page.wait_for_function("() => document.querySelector('#table-systems .interval').innerText !== ''")
    assert f"{row.low:.2f} – {row.high:.2f}" in page.inner_text("#table-systems tbody")
    # Without the chip all of them are there again.
    page.click("#chip-0")
    settle(page)
    assert page.inner_text("#kept") == "60 segments"
    assert column(page, "BLEU")["rosetta"] == f"{assay.score(str(DEMO), 'bleu', samples=0).of('rosetta').score:.2f}"


def test_a_metric_that_is_fitted_anew_has_no_interval(opened, demo):
    page = opened(demo, state_of("systems"))
    heads = [text.strip(" ▾▴↑↓") for text in page.locator("#table-systems thead th").all_inner_texts()]
    interval = "#table-systems tbody tr:first-child > :nth-child({}) .interval"
    bleu, ter, nist = (interval.format(heads.index(name) + 1) for name in ("BLEU", "TER", "NIST"))
    for known in (bleu, ter):
        page.wait_for_function("(place) => document.querySelector(place).innerText !== ''", arg=known)
    assert page.inner_text(nist) == ""


def test_differences_are_of_the_baseline_that_is_chosen(opened, demo):
    page = opened(demo, state_of("systems", b="lantern"))
    bleu = {row["system"]: row["score"] for row in assay.score(str(DEMO), "bleu", samples=0).table()}
    shown = column(page, "Δ BLEU")
    assert shown["lantern"] == "baseline"
    for system in ("compass", "rosetta"):
        assert shown[system] == f"{bleu[system] - bleu['lantern']:+.2f}"
    # By a test of all pairs, which the page holds; under a filter there is none, and it says how to get one.
    kept = assay.compare(str(DEMO), "bleu,ter,nist", samples=50)
    p_value = kept.of("bleu", "rosetta", "lantern", table="pairs")["p_adjusted"]
    assert column(page, "p, BLEU")["rosetta"].split(" *")[0] == (f"{p_value:.4f}" if p_value >= 0.0001 else "< 0.0001")
    page.evaluate("assay.app.set({filter: {where: ['domain=news']}})")
    settle(page)
    assert "p, BLEU" not in page.inner_text("#table-systems thead")
    assert f"assay explore {shlex.quote(str(DEMO))}" in page.inner_text(".needs-server")


def test_columns_sort_both_ways_and_the_address_says_so(opened, demo):
    page = opened(demo, state_of("systems"))
    assert first_column(page) == ["rosetta", "human", "compass", "lantern", "gravel"]
    # Of TER the lowest is best, and comes first.
    page.click("#sort-systems-ter")
    assert first_column(page)[0] == "rosetta"
    assert page.get_attribute("#table-systems th[aria-sort]", "aria-sort") == "ascending"
    page.click("#sort-systems-ter")
    assert first_column(page)[0] == "gravel"
    assert page.evaluate("document.activeElement.id") == "sort-systems-ter"
    page.reload()
    settle(page)
    assert first_column(page)[0] == "gravel"
    page.click("#sort-systems-system")
    assert first_column(page) == sorted(first_column(page))


def test_columns_are_chosen_and_moved(opened, demo):
    page = opened(demo, state_of("systems"))
    heads = lambda: [text.strip(" ▾▴↑↓") for text in page.locator("#table-systems thead th").all_inner_texts()]  # noqa: E731
    assert "NIST" in heads()
    page.click("#columns-systems")
    page.uncheck("#column-systems-nist")
    assert "NIST" not in heads()
    before = heads().index("TER")
    page.click('[id="column-systems-ter-left"]')
    assert heads().index("TER") == before - 1
    assert page.evaluate("document.activeElement.id") == "column-systems-ter-left"
    shown = heads()
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "columns-systems"
    page.reload()
    settle(page)
    assert heads() == shown


def test_a_and_b_are_picked_and_swapped(opened, demo):
    page = opened(demo, state_of("systems"))
    page.select_option("#pair-a", "rosetta")
    page.select_option("#pair-b", "human")
    settle(page)
    assert (state(page)["a"], state(page)["b"]) == ("rosetta", "human")
    page.click("#pair-swap")
    settle(page)
    assert (state(page)["a"], state(page)["b"]) == ("human", "rosetta")
    assert page.locator("#table-systems tbody tr", has_text="rosetta").locator(".letter").inner_text() == "B"
    page.keyboard.press("x")
    settle(page)
    assert (state(page)["a"], state(page)["b"]) == ("rosetta", "human")
    # The next one, which is never the other of the pair.
    page.keyboard.press("b")
    settle(page)
    assert (state(page)["a"], state(page)["b"]) == ("rosetta", "lantern")
    # The same system on both sides swaps them.
    page.select_option("#pair-a", "lantern")
    settle(page)
    assert (state(page)["a"], state(page)["b"]) == ("lantern", "rosetta")


def test_numbers_lead_to_their_segments(opened, demo):
    page = opened(demo, state_of("systems", b="gravel"))
    page.locator("#table-systems tbody tr", has_text="rosetta").locator("td a").first.click()
    settle(page)
    now = state(page)
    assert (now["view"], now["a"], now["metric"], now["sort"], now["descending"]) == (
        "segments", "rosetta", "bleu", "score", False,
    )  # fmt: skip
    page.go_back()
    settle(page)
    assert state(page)["view"] == "systems"
    page.locator("#table-systems tbody tr", has_text="rosetta").locator("td a").nth(1).click()
    settle(page)
    now = state(page)
    assert (now["view"], now["a"], now["b"], now["sort"]) == ("segments", "rosetta", "gravel", "delta")


@pytest.mark.parametrize(("chart", "view"), [("delta", "systems"), ("groups", "systems"), ("judged", "people")])
def test_a_bar_leads_to_as_many_segments_as_it_says(opened, demo, chart, view):
    page = opened(demo, state_of(view))
    bars = page.locator(f"#chart-{chart} [role=link]")
    bars.first.wait_for()
    # Judgements lie on the edges between bars, and are counted once.
    for place in (0, bars.count() // 2, bars.count() - 1):
        bar = bars.nth(place)
        count = re.search(r"n = (\d+)|: (\d+)$", bar.get_attribute("aria-label"))
        bar.press("Enter")
        settle(page)
        assert state(page)["view"] == "segments"
        assert page.inner_text("#kept") == f"{count[1] or count[2]} of 60 segments"
        page.go_back()
        settle(page)
        bars.first.wait_for()


def test_a_lasso_leads_to_its_segments(opened, demo):
    page = opened(demo, state_of("metrics", level="segment", of="gravel"))
    box = page.locator("#chart-points svg.scatter").bounding_box()
    page.click("#points-lasso")
    left, top, right, bottom = box["x"] + 40, box["y"] + 20, box["x"] + box["width"] - 5, box["y"] + box["height"] - 50
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in [(right, top), (right, bottom), (left, bottom), (left, top)]:
        page.mouse.move(x, y, steps=4)
    page.mouse.up()
    # Around everything: all that gravel translated.
    assert "60 points chosen" in page.inner_text(".chosen-points")
    page.click("#lasso-open")
    settle(page)
    now = state(page)
    assert (now["view"], now["a"], now["filter"]) == ("segments", "gravel", {"segments": list(range(60))})
    page.go_back()
    settle(page)
    # A small one by keys: the first point, and the next two.
    page.focus("#chart-points svg.scatter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    assert "3 points chosen" in page.inner_text(".chosen-points")
    page.click("#lasso-filter")
    settle(page)
    assert len(state(page)["filter"]["segments"]) == 3
    assert page.inner_text("#kept") == "3 of 60 segments"


def test_a_point_leads_to_its_segment(opened, demo):
    page = opened(demo, state_of("metrics", level="segment", of="gravel"))
    page.focus("#chart-points svg.scatter")
    page.keyboard.press("ArrowRight")
    said = page.inner_text("#points-status")
    page.keyboard.press("Enter")
    settle(page)
    assert state(page)["view"] == "segment"
    assert said.startswith(f"gravel, segment {state(page)['segment']}:")


@pytest.mark.parametrize("x", ["metric:bleu", "metric:ter"])
def test_the_fitted_line_ends_where_the_picture_does(opened, demo, x):
    page = opened(demo, state_of("metrics", level="segment", x=x, y="kind:adequacy"))
    low, high, slope, *ends = page.evaluate(
        """() => {
            const svg = document.querySelector("#chart-points svg.scatter");
            const of = (line, name) => line[name].baseVal.value;
            const grid = [...svg.querySelectorAll("line.grid")].find((one) => of(one, "y1") !== of(one, "y2"));
            const line = svg.querySelector("line.fitted");
            const [x1, x2, y1, y2] = ["x1", "x2", "y1", "y2"].map((name) => of(line, name));
            return [of(grid, "y1"), of(grid, "y2"), (y2 - y1) / (x2 - x1), y1, y2];
        }"""
    )
    assert slope
    assert min(low, high) - 1e-6 <= min(ends) < max(ends) <= max(low, high) + 1e-6


def test_the_correlation_is_of_the_points_that_the_filter_keeps(opened, demo):
    filter_ = {"where": ["domain=news"]}
    axes = {"x": "metric:bleu", "y": "metric:ter"}
    page = opened(demo, state_of("metrics", level="segment", of="compass", filter=filter_, **axes))
    result = assay.score(str(DEMO), "bleu,ter", samples=0, segments=True, where=["domain=news"], systems="compass")
    frame = result.frame("segments").pivot_table(index="segment", columns="metric", values="score")
    assert f"Pearson {frame['bleu'].corr(frame['ter']):.3f}".replace("-", "−") in page.inner_text("#correlation")
    assert f"n = {len(frame)} " in page.inner_text("#correlation")
    assert "Lower is better for TER" in page.inner_text("#correlation")


def test_raters_are_summed_up_under_the_filter(opened, demo):
    page = opened(demo, state_of("people", filter={"where": ["document=cat-story"]}))
    rows = [line.split("\t") for line in (DEMO / "human.tsv").read_text().splitlines()]
    head, documents = rows[0], (DEMO / "docs.txt").read_text().splitlines()
    judged = [dict(zip(head, row, strict=False)) for row in rows[1:]]
    kept = [
        float(row["score"])
        for row in judged
        if row["rater"] == "anna" and row["kind"] == "adequacy" and documents[int(row["segment"])] == "cat-story"
    ]
    assert column(page, "n", "raters")["anna"] == str(len(kept))
    assert column(page, "Mean", "raters")["anna"] == f"{sum(kept) / len(kept):.2f}"


@pytest.mark.parametrize("view", VIEWS)
def test_an_address_shows_the_same_again(opened, demo, view):
    filter_ = {"where": ["domain=news"], "ranges": [{"of": "length", "least": 3, "most": None}]}
    given = {"filter": filter_, "a": "rosetta", "b": "lantern", "metric": "ter", "kind": "fluency"}
    base, _, query = view.partition("?")
    page = opened(demo, state_of(base, **given) + (f"&{query}" if query else ""))
    read = "() => document.getElementById('app').innerText + document.querySelector('.controls').innerText"
    page.wait_for_timeout(500)
    settle(page)
    first = page.evaluate(read)
    page.reload()
    settle(page)
    page.wait_for_timeout(500)
    settle(page)
    assert page.evaluate(read) == first
    assert "domain = news" in first
    assert "words ≥ 3" in first


def test_the_keyboard_alone_is_enough(opened, demo):
    page = opened(demo)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "To the content"
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "nav-systems":
            break
    page.keyboard.press("Enter")
    settle(page)
    assert state(page)["view"] == "systems"
    assert page.evaluate("document.activeElement.id") == "nav-systems"
    page.keyboard.press("f")
    assert page.evaluate("document.activeElement.id") == "filter-name"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("plum-*")
    page.keyboard.press("Enter")
    settle(page)
    assert page.inner_text("#kept") == "7 of 60 segments"
    # A letter that is typed into a field is a letter, and the field keeps the focus.
    assert page.evaluate("document.activeElement.id") == "filter-value"
    page.keyboard.type("x")
    assert page.input_value("#filter-value") == "x"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.id") == "filter-add"
    page.focus("#box-systems")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.querySelector('bdi').innerText") == first_column(page)[1]
    second = first_column(page)[1]
    page.keyboard.press("Enter")
    settle(page)
    assert (state(page)["view"], state(page)["a"]) == ("segments", second)
    page.keyboard.press("g")
    page.keyboard.press("m")
    settle(page)
    assert state(page)["view"] == "metrics"
    page.keyboard.press("?")
    assert page.locator("dialog[open]").count() == 1
    assert "Swap A and B" in page.inner_text("dialog")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_single_keys_can_be_switched_off(opened, demo):
    page = opened(demo)
    page.click("#help")
    page.uncheck("#keys-on")
    page.click("#help-close")
    page.keyboard.press("x")
    assert state(page)["a"] is None
    page.click("#help")
    page.check("#keys-on")
    page.click("#help-close")
    page.keyboard.press("x")
    settle(page)
    # The best two systems come first: rosetta, then compass.
    assert state(page)["a"] == "compass"


def test_typing_a_search_keeps_focus_and_letters(opened, demo):
    page = opened(demo, state_of("systems"))
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "filter-search"
    page.keyboard.type("the harbour", delay=60)
    page.wait_for_function("() => assay.app.state.filter.search?.text === 'the harbour'")
    settle(page)
    assert page.input_value("#filter-search") == "the harbour"
    assert page.evaluate("document.activeElement.id") == "filter-search"
    files = [path for path in DEMO.glob("*.txt") if path.name.startswith(("src", "ref", "sys"))]
    texts = [file.read_text().splitlines() for file in files]
    found = sum(any("the harbour" in text[place].lower() for text in texts) for place in range(60))
    assert page.inner_text("#kept") == f"{found} of 60 segments"
    # What is no regular expression is said where it was typed.
    page.fill("#filter-search", "(")
    page.check("#filter-regex")
    page.wait_for_function("() => document.getElementById('kept').innerText.includes('regular expression')")
    page.wait_for_selector("#app [role=alert]")


def clipboard(page):
    page.wait_for_function("() => document.querySelector('.toast.shown')")
    return page.evaluate("navigator.clipboard.readText()")


def test_a_table_is_copied_as_text(opened, demo):
    hidden = [f"{metric}:{part}" for metric in ("bleu", "ter", "nist") for part in ("delta", "p", "cluster")]
    hidden += ["ter", "nist", "people:adequacy", "people:fluency"]
    page = opened(demo, state_of("systems", tables={"systems": {"sort": ["bleu", True], "hidden": hidden}}))
    page.wait_for_function("() => document.querySelector('#table-systems .interval').innerText !== ''")
    result = assay.score(str(DEMO), "bleu", samples=50)
    best = result.of("rosetta")
    page.click("#copy-systems")
    page.click("#copy-systems-latex")
    said = f"{best.score:.2f} ({best.low:.2f} -- {best.high:.2f})"
    latex = clipboard(page)
    assert "\\begin{tabular}{lr}\n\\toprule\nSystem & BLEU $\\uparrow$ \\\\\n\\midrule\n" in latex
    assert f"rosetta & {said} \\\\" in latex
    page.click("#copy-systems")
    page.click("#copy-systems-markdown")
    markdown = clipboard(page)
    said = f"{best.score:.2f} ({best.low:.2f} – {best.high:.2f})"
    assert f"| System | BLEU ↑ |\n| --- | ---: |\n| rosetta | {said} |" in markdown
    page.click("#copy-systems")
    page.click("#copy-systems-csv")
    rows = list(csv.reader(io.StringIO(clipboard(page))))
    assert rows[0] == ["System", "BLEU", "BLEU low", "BLEU high"]
    assert rows[1][0] == "rosetta"
    # Programs get every digit.
    assert [float(value) for value in rows[1][1:]] == pytest.approx([best.score, best.low, best.high], abs=1e-9)


def test_what_is_copied_as_a_command_prints_the_same_numbers(opened, demo):
    page = opened(demo, state_of("systems", b="lantern", filter={"where": ["domain=news,service", "document!=rail*"]}))
    page.click("#copy-command")
    command = shlex.split(clipboard(page))
    assert command[:3] == ["assay", "compare", str(DEMO)]
    done = subprocess.run(
        [sys.executable, "-m", "assay", *command[1:], "--format", "json", "--no-store"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    scores = {(row["system"], row["metric"]): row["score"] for row in json.loads(done.stdout)["scores"]}
    assert column(page, "BLEU")["rosetta"] == f"{scores['rosetta', 'bleu']:.2f}"
    page.click("#copy-python")
    page.wait_for_function("() => navigator.clipboard.readText().then((text) => text.startsWith('import'))")
    space = {}
    exec(page.evaluate("navigator.clipboard.readText()"), space)
    assert space["result"].of("rosetta", "bleu", table="scores")["score"] == pytest.approx(scores["rosetta", "bleu"])


def test_a_picture_is_taken_along_as_svg_and_png(opened, demo):
    page = opened(demo, state_of("systems"), scheme="dark")
    with page.expect_download() as waited:
        page.click("#ranking-svg")
    root = ET.fromstring(Path(waited.value.path()).read_text(encoding="utf-8"))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"rosetta", "human", "compass", "lantern", "gravel"} <= set(texts)
    drawn = ET.tostring(root, encoding="unicode")
    assert "var(" not in drawn
    assert "style=" not in drawn
    # On white paper, whatever the page looks like; A is blue.
    assert "rgb(0, 114, 178)" in drawn
    with page.expect_download() as waited:
        page.click("#ranking-png")
    assert Path(waited.value.path()).read_bytes().startswith(b"\x89PNG\r\n")
    assert waited.value.suggested_filename == "BLEU.png"


@pytest.mark.parametrize("view", VIEWS)
def test_hostile_names_are_text(opened, hostile, view):
    page = opened(hostile, f"#/{view}")
    page.wait_for_timeout(300)
    still(page)
    parts = [page.locator(part).first.text_content() for part in ("header", ".controls", "main", "footer")]
    shown = "".join(parts)
    assert NASTY[1] in shown
    # What would be done is shown: an escape, and marks that turn the writing round.
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    for document in NASTY[:2]:
        page.evaluate("(value) => assay.app.set({filter: {where: [`document=${value}`]}})", document)
        settle(page)
        assert page.inner_text("#kept") == "3 of 6 segments"


def test_hostile_names_are_one_word_of_a_shell(opened, hostile):
    page = opened(hostile, state_of("systems", filter={"where": [f"document={NASTY[1]}"]}))
    page.click("#copy-command")
    words = shlex.split(clipboard(page))
    assert words[-2:] == ["--where", f"document={NASTY[1]}"]


#: Every control has a name, every role is one that exists, ids are there once, headings leave out no level, and text
#: stands out from what is behind it.
_CHECK = """() => {
    const wrong = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const seen = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
    const textOf = (id) => document.getElementById(id)?.textContent ?? "";
    const said = (one) => [
        one.getAttribute("aria-label") ?? "",
        ...(one.getAttribute("aria-labelledby") ?? "").split(" ").map(textOf),
        ...[...(one.labels ?? [])].map((label) => label.innerText),
        one.matches("input, select, textarea") ? "" : one.textContent,
    ].join("").trim();
    const controls = "input, select, textarea, button, a, summary, [role=link], [role=region], [tabindex='0']";
    for (const one of all(controls)) if (seen(one) && !said(one)) wrong.push(["no name", one.outerHTML.slice(0, 120)]);
    for (const image of all("img, [role=img]")) {
        const text = image.getAttribute("alt") ?? image.getAttribute("aria-label");
        if (seen(image) && !text) wrong.push(["no text for a picture", image.outerHTML.slice(0, 120)]);
    }
    const roles = "alert group img link region search status button list listitem navigation".split(" ");
    for (const one of all("[role]")) if (!roles.includes(one.getAttribute("role"))) wrong.push(["role", one.outerHTML]);
    const ids = all("[id]").map((one) => one.id);
    for (const id of ids.filter((one, place) => ids.indexOf(one) !== place)) wrong.push(["twice", id]);
    for (const name of ["aria-controls", "aria-labelledby"]) {
        const named = all(`[${name}]`).flatMap((one) => one.getAttribute(name).split(" "));
        for (const id of named) if (!ids.includes(id)) wrong.push(["names nothing", id]);
    }
    if (all("h1").length !== 1 || all("main").length !== 1) wrong.push(["one h1, one main"]);
    let level = 0;
    for (const heading of all("h1, h2, h3, h4").filter(seen)) {
        const now = Number(heading.tagName[1]);
        if (now > level + 1) wrong.push(["leaves out a level", heading.textContent]);
        level = now;
    }
    for (const table of all("table")) {
        if (!table.querySelector("caption") || !table.querySelector("th[scope=col]")) wrong.push(["table", table.id]);
    }
    const parse = (text) => {
        const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
        return text.startsWith("color(srgb") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
    };
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const behind = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const color = parse(getComputedStyle(at).backgroundColor);
            if (color[3] > 0.99) return color;
        }
        return [255, 255, 255];
    };
    const unseen = "script, style, title, option, .hidden, .skip, .toast";
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const node = texts.currentNode;
        const one = node.parentElement;
        if (!node.data.trim() || !seen(one) || one.closest(unseen) || one.disabled) continue;
        const style = getComputedStyle(one);
        const color = parse(one instanceof SVGElement ? style.fill : style.color);
        if (Number(style.opacity) < 1 || color[3] < 1) wrong.push(["see-through", node.data]);
        const [first, second] = [light(color), light(behind(one))].sort((x, y) => y - x);
        const contrast = (first + 0.05) / (second + 0.05);
        if (contrast < 4.5) wrong.push(["contrast", contrast.toFixed(2), node.data.slice(0, 40)]);
    }
    return wrong;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_everything_has_a_name_and_can_be_read(opened, demo, view, scheme):
    page = opened(demo, f"#/{view}", scheme=scheme)
    page.wait_for_timeout(300)
    still(page)
    if view == "systems":
        page.click("#filter-add")
        page.click("#columns-systems")
    assert page.evaluate(_CHECK) == []
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    page.wait_for_timeout(300)
    assert page.evaluate(_CHECK) == []
    if view == "overview":
        page.click("#help")
        assert page.evaluate(_CHECK) == []


@pytest.mark.parametrize("file", ["demo", "hostile"])
@pytest.mark.parametrize("width", [390, 2560])
@pytest.mark.parametrize("view", VIEWS)
def test_nothing_scrolls_sideways(opened, request, view, width, file):
    page = opened(request.getfixturevalue(file), f"#/{view}", width=width)
    page.wait_for_timeout(200)
    still(page)
    page.click("#filter-add")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate("for (const one of document.querySelectorAll('#app details')) one.open = true")
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_prints_its_tables_whole(opened, demo):
    page = opened(demo, state_of("systems"))
    page.emulate_media(media="print")
    for box in page.locator("#app .box").all():
        assert box.evaluate("(one) => getComputedStyle(one).overflow") == "visible"
    assert page.locator("nav").is_hidden()
    assert page.pdf().startswith(b"%PDF")


def test_a_filter_that_keeps_nothing_is_said(opened, demo):
    page = opened(demo, state_of("systems", filter={"where": ["document=nowhere"]}))
    assert page.inner_text("#kept") == "0 of 60 segments"
    assert "keeps no segment" in page.inner_text("#app")
    assert set(column(page, "BLEU").values()) == {"–"}


def test_an_address_with_nonsense_shows_what_it_can(opened, demo):
    tables = {"systems": {"sort": 3, "hidden": {}, "order": 5}, "raters": 7}
    page = opened(demo, state_of("systems", a=7, b=None, metric="x", filter=[1], tables=tables, by=9))
    assert first_column(page)[0] == "rosetta"
    for nonsense in ("#/nowhere?filter={", "#/%zz?a=%zz"):
        page.evaluate(f"location.hash = '{nonsense}'")
        settle(page)
        assert page.inner_text("#nav-overview[aria-current]")
    page.evaluate("location.hash = '#/systems?filter=' + encodeURIComponent('{\"where\":[\"colour=red\"]}')")
    settle(page)
    assert "colour" in page.inner_text("#app [role=alert]")


def test_a_filter_is_kept_under_a_name(opened, demo):
    page = opened(demo, state_of("systems", filter={"where": ["domain=news"]}))
    page.click("#filter-save")
    page.fill("#slice-name", "only news")
    page.click("#slice-save")
    page.wait_for_selector("#slices")
    page.click("#filter-clear")
    settle(page)
    assert state(page)["filter"] == {}
    page.click("#slices")
    page.click("#slice-0")
    settle(page)
    assert state(page)["filter"] == {"where": ["domain=news"]}
    page.click("#slices")
    page.click("#slice-forget-0")
    page.wait_for_selector("#slices", state="detached")


def test_headings_stand_on_one_line_whether_they_sort_or_not(modules):
    tops = modules.evaluate("""async () => {
        const { table } = await import("/app/table.js");
        const style = document.createElement("style");
        style.textContent = await (await fetch("/app/app.css")).text();
        document.head.append(style);
        const columns = [true, false].map((sortable, place) => (
            { id: `c${place}`, title: "Heading", value: () => 1, decimals: 0, sortable }));
        document.body.append(table({ state: {} }, { id: "two", title: "Two", rows: [1], columns }));
        return [...document.querySelectorAll("#table-two thead th")].map((cell) => {
            const range = document.createRange();
            range.selectNodeContents(document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode());
            return range.getBoundingClientRect().top;
        });
    }""")
    assert tops[0] == pytest.approx(tops[1], abs=0.5)


def test_words_in_narrow_cells_stay_whole(modules):
    # A cell is as wide as its longest word, and the table scrolls where there is no room.
    widths = modules.evaluate("""async () => {
        const style = document.createElement("style");
        style.textContent = await (await fetch("/app/app.css")).text();
        document.head.append(style);
        const box = document.createElement("div");
        box.className = "box";
        box.style.width = "60px";
        box.innerHTML = "<table><tr><td><span>uninterrupted</span></td><td>of several words</td></tr></table>";
        document.body.append(box);
        return [box.querySelector("span").getClientRects().length, box.scrollWidth > box.clientWidth];
    }""")
    assert widths == [1, True]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A page of two systems of which one has two runs, drawn with 50 samples."""
    folder = tmp_path_factory.mktemp("runs") / "campaign"
    folder.mkdir()
    lines = [f"line {number} of a text that is somewhat longer" for number in range(12)]
    texts = {
        "ref.R": lines,
        "sys.base@1": [f"{line} indeed" for line in lines],
        "sys.base@2": [line.replace("text", "word") for line in lines],
        "sys.other": [line.replace("line", "row") for line in lines],
    }
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    file = folder.parent / "report.html"
    file.write_text(assay.report(str(folder), "chrf,ter", samples=50).render("html"), encoding="utf-8")
    return file


def test_runs_of_one_system_are_said_to_stand_by_themselves(opened, runs):
    page = opened(runs, state_of("systems", a="other", b="base@1"))
    said = page.inner_text("#table-systems .said")
    assert "Runs stand by themselves here, such as base@1 and base@2" in said
    # Tests are of systems with all their runs: no column here has them.
    assert not re.search(r"^(p|Cluster),", "\n".join(page.locator("#table-systems th").all_inner_texts()), re.MULTILINE)
    page.click("#table-systems .said a")
    settle(page)
    assert "base" in page.inner_text(".answer")
    page = opened(runs, state_of("systems", a="other", b="base@1", filter={"segments": [0, 1, 2, 3, 4, 5, 6, 7]}))
    page.click("#copy-command")
    # The command knows systems, not runs.
    assert (
        clipboard(page).partition(" --where ")[0].endswith(" --metric chrf --metric ter --baseline base --samples 50")
    )


def test_a_command_that_is_copied_draws_and_corrects_as_the_page_does(opened, demo):
    page = opened(demo, state_of("systems", b="lantern"))
    page.click("#copy-command")
    # 50 samples, and p-values of all pairs.
    assert clipboard(page).endswith(" --pairs --samples 50")
    page = opened(demo, state_of("metrics"))
    page.click("#copy-command")
    assert clipboard(page).endswith(" --kind adequacy --samples 50")


def test_rankings_are_no_silence_of_people(opened, tmp_path):
    lines = [f"line {number} of a text" for number in range(8)]
    systems = {name: [f"{line} {name}" for line in lines] for name in ("a", "b", "c")}
    ranks = [
        assay.Judgement(system, segment, -float(rank), "rr-rank", "ann", ranking=f"r{segment}")
        for segment in range(8)
        for rank, system in enumerate(systems)
    ]
    campaign = assay.Campaign("ranked", systems, {"R": lines}, human=assay.Judgements.of(ranks, "ranked"))
    file = tmp_path / "ranked.html"
    file.write_text(assay.report(campaign, "chrf,ter", samples=20).render("html"), encoding="utf-8")
    page = opened(file, "#/metrics")
    assert "people's rankings" in page.inner_text(".view-head")
    assert page.locator("#table-correlations").count() == 1
    page.click("#copy-command")
    assert clipboard(page).startswith("assay meta ")
    assert "--kind rr-rank" in clipboard(page)


def test_every_kind_of_judgement_has_a_column(opened, tmp_path):
    lines = [f"line {number} of a text" for number in range(6)]
    systems = {name: [f"{line} {name}" for line in lines] for name in ("a", "b")}
    given = [
        assay.Judgement(system, segment, float(segment), f"k{kind}", "ann")
        for system in systems
        for segment in range(6)
        for kind in range(5)
    ]
    campaign = assay.Campaign("kinds", systems, {"R": lines}, human=assay.Judgements.of(given, "kinds"))
    file = tmp_path / "kinds.html"
    file.write_text(assay.report(campaign, "chrf", samples=20).render("html"), encoding="utf-8")
    page = opened(file, "#/systems")
    assert page.locator("#table-systems th", has_text="People: k").count() == 4
    page.click("#columns-systems")
    page.check("[id='column-systems-people:k4']")
    assert page.locator("#table-systems th", has_text="People: k").count() == 5


def test_a_page_of_references_alone_opens_its_segments(opened, tmp_path):
    lines = [f"line {number}" for number in range(6)]
    campaign = assay.Campaign("references", systems={}, references={"A": lines, "B": [line.upper() for line in lines]})
    file = tmp_path / "references.html"
    file.write_text(assay.report(campaign).render("html"), encoding="utf-8")
    page = opened(file, state_of("segment", segment=3))
    assert "LINE 3" in page.inner_text("#app")


def test_one_of_a_kind_is_said_in_the_singular(opened, tmp_path):
    campaign = assay.Campaign("one", systems={"a": ["hello big world"]}, references={"R": ["hello world"]})
    file = tmp_path / "one.html"
    file.write_text(assay.report(campaign, "chrf,ter").render("html"), encoding="utf-8")
    page = opened(file, "#/systems")
    assert "n = 1 segment; no intervals: 1 segment is too few." in page.inner_text("#table-systems .said")
    assert page.inner_text("#kept") == "1 segment"
    page.click("#nav-metrics")
    settle(page)
    assert "n = 1 system." in page.inner_text("#correlation")
