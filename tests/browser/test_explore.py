"""The explorer in a real browser: every page, wide and narrow, with the server that the command starts."""

from __future__ import annotations

import re
import shutil
import threading
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.explorer.session import Explore, Session
from assay.questions.asked import Data

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.AssayWarning")]

pytest.importorskip("starlette", reason="The extra explore is not installed")

from assay.explorer.server import Explorer  # noqa: E402

SIZES = [(1280, 800), (390, 844)]
PAGES = {
    "overview": "demo-campaign", "systems": "Systems", "segments": "Segments", "metrics": "Metrics", "people": "People",
    "references": "References", "studies": "Studies", "papers": "Papers", "others": "Other answers", "ask": "Ask",
    "runs": "Runs", "add": "Add files",
}  # fmt: skip
#: What is a question of its own that takes far longer than a test.
LONG = 'ask?question="pseudo-documents"&options={"kind":"adequacy","per_length":"100000"}'


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The demo campaign, with a store that knows two answers."""
    folder = tmp_path_factory.mktemp("explored") / "demo-campaign"
    shutil.copytree(CAMPAIGN, folder)
    store = assay.Store.create(folder)
    assay.score(folder, "bleu,chrf", samples=20, store=store.path)
    assay.score(folder, "bleu,chrf", samples=20, where="domain=news", store=store.path)
    return folder


@pytest.fixture(scope="module")
def explorer(folder):
    with assay.explore(folder, "bleu,chrf,ter", samples=200, port=0, no_browser=True) as explorer:
        yield explorer


@pytest.fixture
def opened(chromium):
    """Opens a page of an explorer; whatever it complains of fails the test at its end."""
    pages = []

    def call(explorer, hash="overview", size=SIZES[0], **how):  # noqa: A002
        width, height = size
        page = chromium.new_context(viewport={"width": width, "height": height}, **how).new_page()
        page.problems, page.forgiven = [], r"$^"
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("console", lambda said: page.problems.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: page.problems.append(asked.url) if not _is_own(asked.url, explorer) else None)
        page.goto(f"{explorer.url}#/{hash}")
        settled(page)
        pages.append(page)
        return page

    yield call
    for page in pages:
        assert [problem for problem in page.problems if not re.search(page.forgiven, problem)] == []
        page.context.close()


def _is_own(url, explorer):
    return url.startswith((explorer.url.partition("?")[0], "data:", "blob:", "about:"))


def settled(page):
    """Wait until the page shows what was asked for."""
    page.wait_for_selector("#app:not([aria-busy=true]) :is(h1, .error:not([hidden]))")


def until(page, said, what=None):
    """Wait until an expression of the page is true; the policy of the page lets Playwright's own way do nothing."""
    ends = time.monotonic() + 20
    while not page.evaluate(f"(what) => {said}", what):
        assert time.monotonic() < ends, (said, what)
        page.wait_for_timeout(40)


def at(page, view):
    """Wait until the address names a view, and it is there."""
    until(page, "location.hash.startsWith(`#/${what}`)", view)
    settled(page)


def ask(page):
    """Send the form; gives the id of the job."""
    known = page.locator(".job").evaluate_all("jobs => jobs.map((job) => job.id)")
    page.click("#run-question")
    until(page, "(one => one && !what.includes(one.id))(document.querySelector('.job'))", known)
    return page.locator(".job").first.get_attribute("id")


def fits(page):
    """Whether nothing stands out of the window."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def column(page, table, place):
    """The texts of one column of a table."""
    return page.locator(f"#table-{table} tbody tr").evaluate_all(
        "(rows, place) => rows.map((row) => row.children[place].innerText.split('\\n')[0].trim())", place
    )


def choose(page, condition):
    """Add a condition to the filter, as people do."""
    name, how, value = re.split("(!?=)", condition)
    page.click("#filter-add")
    page.select_option("#filter-name", name)
    page.select_option("#filter-how", how)
    page.fill("#filter-value", value)
    page.click("#filter-value-add")
    page.wait_for_selector(".chip")
    settled(page)


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_every_page_is_there_and_is_no_wider_than_the_window(explorer, opened, size):
    page = opened(explorer, size=size)
    for name, title in PAGES.items():
        page.click(f"#nav-{name}")
        until(page, "document.querySelector('#app h1')?.textContent === what", title)
        assert fits(page), name
        assert page.locator("#app .error:not([hidden])").count() == 0, name


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_a_filter_gives_the_scores_of_where(explorer, opened, folder, size):
    page = opened(explorer, "systems", size)
    choose(page, "document!=rail-notice")
    expected = assay.score(folder, "bleu,chrf,ter", samples=200, where="document!=rail-notice", no_store=True)
    until(page, "document.querySelectorAll('#table-systems .interval:not(:empty)').length >= 15")
    names = page.locator("#table-systems tbody th bdi").all_inner_texts()
    bleu = {row["system"]: row["score"] for row in expected.table() if row["metric"] == "bleu"}
    assert names == sorted(bleu, key=bleu.get, reverse=True)
    heads = page.locator("#table-systems thead th").all_inner_texts()
    for metric, label in {"bleu": "BLEU", "chrf": "chrF", "ter": "TER"}.items():
        place = next(number for number, head in enumerate(heads) if head.startswith(label))
        scores = dict(zip(names, column(page, "systems", place), strict=True))
        assert scores == {row["system"]: f"{row['score']:.2f}" for row in expected.table() if row["metric"] == metric}
    row = expected.of("rosetta", "bleu")
    assert f"{row['low']:.2f} – {row['high']:.2f}" in page.inner_text("#table-systems")
    n = page.inner_text("#kept").split()[0]
    assert n == str(assay.describe(folder, where="document!=rail-notice", no_store=True).setup.get("segments", n))


def test_a_table_is_sorted_by_a_click(explorer, opened):
    page = opened(explorer, "systems")
    best = column(page, "systems", 0)
    page.click("#sort-systems-system")
    assert column(page, "systems", 0) == sorted(best)
    page.reload()
    settled(page)
    assert column(page, "systems", 0) == sorted(best)


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_a_segment_is_opened_from_the_list_and_has_everything_about_it(explorer, opened, size):
    page = opened(explorer, 'segments?a="rosetta"&b="compass"', size)
    page.click("#row-0-open")
    at(page, "segment?")
    text = page.inner_text("#app")
    source = (CAMPAIGN / "src.txt").read_text().splitlines()[0]
    for said in (source, "rosetta", "compass", "gravel", "human", "lantern", "adequacy"):
        assert said in text
    assert fits(page)


def test_a_dot_of_a_picture_leads_to_segments(explorer, opened):
    page = opened(explorer, "overview")
    page.locator("#app .chart .leads").first.click()
    at(page, "segments")
    assert page.locator("#app .segment-name").count() > 0


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
def test_a_study_is_asked_and_its_answer_opened(explorer, opened, folder, size):
    page = opened(explorer, 'ask?question="reference-similarity"', size)
    page.fill("#field-metrics", "chrf")
    page.fill("#field-samples", "20")
    assert "assay study reference-similarity" in page.inner_text(".typed")
    page.click(f"#open-{ask(page)}")
    page.wait_for_selector(".answer table")
    assert page.inner_text("h1") == "References"
    expected = assay.study("reference-similarity", folder, metrics="chrf", samples=20, no_store=True)
    shown = page.inner_text(".answer")
    for sentence in expected.findings[:3]:
        assert sentence in shown
    assert page.locator(".answer img").evaluate_all("all => all.every((one) => one.complete && one.naturalWidth > 50)")
    assert fits(page)


def test_a_table_is_copied_and_a_picture_saved(explorer, opened):
    page = opened(explorer, 'ask?question="reference-similarity"', permissions=["clipboard-read", "clipboard-write"])
    page.fill("#field-metrics", "chrf")
    page.fill("#field-samples", "20")
    page.click(f"#open-{ask(page)}")
    page.wait_for_selector(".answer table")
    row = page.locator(".answer tbody tr").first.locator("th, td").all_inner_texts()
    copied = {}
    for kind in ("latex", "markdown", "csv"):
        page.locator("[id^=copy-answer]").first.click()
        page.locator(f"[id^=copy-answer][id$={kind}]").first.click()
        until(page, "document.querySelector('.toast')?.textContent.startsWith('Copied as')")
        copied[kind] = page.evaluate("navigator.clipboard.readText()")
    assert f"{row[0]} & {row[1]}" in copied["latex"]
    assert f"| {row[0]} | {row[1]}" in copied["markdown"]
    assert copied["csv"].splitlines()[1].startswith(f"{row[0]},")
    page.click("#copy-command")
    until(page, "document.querySelector('.toast')?.textContent === 'Copied'")
    command = page.evaluate("navigator.clipboard.readText()")
    assert command.startswith("assay study reference-similarity ")
    assert command.endswith(" -m chrf --samples 20")
    for kind, begin in {"SVG": b"<svg", "PNG": b"\x89PNG"}.items():
        with page.expect_download() as given:
            page.locator(".answer figure").first.get_by_role("button", name=kind).click()
        assert Path(given.value.path()).read_bytes().startswith(begin)


NASTY = [
    "<script>alert(1)</script>", "javascript:alert(1)", '"><img src=x onerror=alert(1)>', "{{constructor}}",
    "__proto__", "\u202etxet eht fo noitcerid",
]  # fmt: skip


def test_hostile_names_are_shown_as_text_on_every_page(opened):
    lines = ["the cat sat on the mat", "hello world", NASTY[0], NASTY[1], NASTY[2], "six words are in this line"]
    systems = {name: [*lines[:index], *(line[::-1] for line in lines[index:])] for index, name in enumerate(NASTY)}
    judgements = [
        assay.Judgement(system, segment, float((index + segment * 3 + rater) % 7), NASTY[1], NASTY[rater], NASTY[0])
        for index, system in enumerate(systems)
        for segment in range(len(lines))
        for rater in range(3)
    ]
    campaign = assay.Campaign(
        NASTY[0],
        source=lines,
        systems=systems,
        references={NASTY[2]: lines, NASTY[3]: [line.upper() for line in lines]},
        documents=tuple(NASTY[index // 3] for index in range(len(lines))),
        columns={NASTY[2]: list(lines)},
        human=assay.Judgements.of(judgements, NASTY[3]),
    )
    with assay.explore(campaign, "chrf", samples=20, no_browser=True) as explorer:
        page = opened(explorer)
        page.on("dialog", lambda dialog: page.problems.append(dialog.message))
        for name in [*PAGES, "segment"]:
            page.goto(f"{explorer.url}#/{name}?segment=2&question=%22score%22")
            settled(page)
            page.wait_for_load_state("networkidle")
            assert page.locator("#app .error:not([hidden])").count() == 0, name
            assert page.locator("#app script, #app iframe, #app [onerror]").count() == 0
        page.goto(f"{explorer.url}#/systems")
        page.wait_for_selector("#table-systems")
        shown = page.inner_text("#table-systems")
        for name in NASTY:
            assert name.replace("\u202e", "\\u202e") in shown


def test_a_study_is_asked_of_what_the_filter_keeps(explorer, opened, folder):
    page = opened(explorer, 'ask?question="score"&filter={"where":["domain=news"]}')
    page.fill("#field-metrics", "chrf")
    page.fill("#field-samples", "20")
    page.click(f"#open-{ask(page)}")
    page.wait_for_selector(".answer table")
    expected = assay.score(folder, "chrf", samples=20, where="domain=news", no_store=True)
    assert f"{expected.of('rosetta')['score']:.2f}" in page.inner_text(".answer")


def test_a_job_goes_on_while_others_are_looked_at_and_is_cancelled(explorer, opened):
    page = opened(explorer, LONG)
    job = ask(page)
    page.wait_for_selector(f"#{job} progress")
    page.click("#nav-systems")
    page.wait_for_selector("#table-systems")
    page.reload()
    settled(page)
    page.click("#nav-ask")
    page.click(f"#cancel-{job}")
    page.wait_for_selector(f"#{job}.cancelled")
    assert "Cancelled" in page.inner_text(f"#{job}")
    assert page.locator(f"#{job} progress").count() == 0


def test_a_question_that_cannot_be_answered_says_why(explorer, opened):
    page = opened(explorer, 'ask?question="correlations"')
    page.click("#run-question")
    page.wait_for_selector("#app .error:not([hidden])")
    assert "--kind" in page.inner_text("#app .error:not([hidden])")
    page.forgiven = "400"


def test_what_stands_in_a_form_is_there_after_a_reload(explorer, opened):
    page = opened(explorer, 'ask?question="references"')
    page.fill("#field-k", "1,2")
    assert "--k 1,2" in page.inner_text(".typed")
    page.reload()
    settled(page)
    assert page.input_value("#field-k") == "1,2"


def test_a_translation_is_added_and_a_wrong_file_is_refused_with_a_sentence(folder, opened, tmp_path):
    own = tmp_path / "sys.mine.txt"
    shutil.copyfile(CAMPAIGN / "ref.A.txt", own)
    short = tmp_path / "sys.short.txt"
    short.write_text("one line\n")
    with assay.explore(folder, "bleu", samples=20, port=0, no_browser=True, no_store=True) as explorer:
        page = opened(explorer, "add")
        page.set_input_files("#files", [short])
        page.click("#add-0")
        page.wait_for_selector(".upload .error")
        assert "60" in page.inner_text(".upload .error")
        page.click("#drop-0")
        page.set_input_files("#files", [own])
        page.click("#add-0")
        page.wait_for_selector(".upload.added")
        page.click("#nav-systems")
        page.wait_for_selector("#table-systems")
        assert "mine" in " ".join(column(page, "systems", 0))
        page.forgiven = "400"


def test_a_file_is_dropped_on_the_page(explorer, opened):
    page = opened(explorer, "add")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["a\\n"], "ref.D.txt"));
            const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true });
            document.querySelector(".dropzone").dispatchEvent(drop);
        }"""
    )
    assert page.input_value("#kind-0") == "reference"
    assert page.input_value("#name-0") == "D"


def test_runs_are_listed_opened_compared_and_followed(explorer, opened):
    page = opened(explorer, "runs")
    page.wait_for_selector("#table-runs tbody tr")
    page.locator("#table-runs tbody a").last.click()
    page.wait_for_selector("#run table")
    assert "rosetta" in page.inner_text("#run")
    # The first two are of this module's store.
    page.locator("[id^=before-]").last.check()
    settled(page)
    page.locator("[id^=after-]").nth(-2).check()
    page.wait_for_selector("#diff")
    page.goto(f"{explorer.url}#/runs")
    page.reload()
    settled(page)
    page.select_option("#over-metric", "bleu")
    page.wait_for_selector("#over table")


def test_an_answer_in_a_file_is_shown_without_its_campaign(folder, opened, tmp_path):
    result = assay.study("reference-similarity", folder, metrics="chrf", samples=20, no_store=True)
    (tmp_path / "result.json").write_text(result.to_json())
    with assay.explore(tmp_path / "result.json", no_browser=True) as explorer:
        page = opened(explorer)
        assert result.findings[0] in page.inner_text("#app")
        page.click("#nav-references")
        at(page, "references")
        assert result.findings[0] in page.inner_text("#app")


def test_a_store_is_explored_with_the_campaigns_of_its_runs(folder, opened):
    with assay.explore(folder / ".assay", "chrf", samples=20, no_browser=True) as explorer:
        page = opened(explorer, "systems")
        assert "rosetta" in page.inner_text("#table-systems")
        page.click("#nav-runs")
        page.wait_for_selector("#table-runs tbody tr")


def test_a_slice_is_saved_and_taken_again(explorer, opened):
    page = opened(explorer, "systems")
    choose(page, "domain=news")
    page.click("#filter-save")
    page.fill("#slice-name", "the news")
    page.click("#slice-save")
    page.click("#filter-clear")
    settled(page)
    page.click("#nav-runs")
    page.get_by_role("link", name="the news").click()
    page.wait_for_selector(".chip")
    assert "news" in page.inner_text(".chip")


def test_everything_is_reached_by_keys(explorer, opened):
    page = opened(explorer, "overview")
    page.keyboard.press("g")
    page.keyboard.press("e")
    page.wait_for_selector("#app .segment-name")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    at(page, "segment?")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
    page.keyboard.press("/")
    until(page, "document.activeElement.id === 'filter-search'")
    page.keyboard.press("Escape")
    # A form is filled in and sent without a mouse.
    page.goto(f'{explorer.url}#/ask?question="describe"')
    page.reload()
    settled(page)
    page.focus("#run-question")
    known = page.locator(".job").evaluate_all("jobs => jobs.map((job) => job.id)")
    page.keyboard.press("Enter")
    until(page, "(one => one && !what.includes(one.id))(document.querySelector('.job'))", known)


@pytest.mark.parametrize(
    "hash",
    [
        'systems?a="rosetta"&b="gravel"&filter={"where":["domain=news"]}',
        'segments?a="rosetta"&b="gravel"&sort="delta"&filter={"search":{"text":"the","in":"all"}}',
        'segment?segment=3&a="rosetta"',
        'metrics?level="segment"&metric="chrf"',
        'ask?question="references"&options={"k":"1"}',
    ],
)
def test_a_reloaded_address_shows_the_same(explorer, opened, hash):  # noqa: A002
    page = opened(explorer, hash)
    page.wait_for_load_state("networkidle")
    text, address = page.inner_text("#app h1"), page.url
    first = page.locator("#app").inner_text()
    page.reload()
    settled(page)
    page.wait_for_load_state("networkidle")
    assert (page.inner_text("#app h1"), page.url) == (text, address)
    until(page, "document.getElementById('app').innerText === what", first)


def test_the_back_button_goes_back(explorer, opened):
    page = opened(explorer, "overview")
    page.click("#nav-systems")
    page.wait_for_selector("#table-systems")
    page.click("#nav-people")
    settled(page)
    page.go_back()
    page.wait_for_selector("#table-systems")


def test_a_server_that_goes_away_is_told_in_a_sentence(folder, opened):
    with assay.explore(folder, "chrf", samples=20, port=0, no_browser=True, no_store=True) as explorer:
        page = opened(explorer, "overview")
    page.forgiven = "ERR_CONNECTION_REFUSED|Failed to load resource"
    page.click("#nav-segments")
    page.wait_for_selector("#app .error")
    assert len(page.inner_text("#app .error")) > 20
    assert "fetch" not in page.inner_text("#app .error").lower()


def test_a_port_in_use_is_passed_over(explorer, folder):
    taken = int(re.search(r":(\d+)/", explorer.url)[1])
    with assay.explore(folder, "chrf", samples=20, port=taken, no_browser=True, no_store=True) as other:
        assert int(re.search(r":(\d+)/", other.url)[1]) > taken


def test_another_host_needs_the_token_that_is_in_the_address(folder, opened):
    with assay.explore(folder, "chrf", samples=20, host="0.0.0.0", port=0, no_browser=True, no_store=True) as explorer:
        port = re.search(r":(\d+)/", explorer.url)[1]
        with pytest.raises(HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/")
        assert refused.value.code == 403
        page = opened(explorer)
        assert page.inner_text("h1") == "demo-campaign"
        assert "token" not in page.url
        # Browsers take that header from secure pages alone.
        page.forgiven = "Cross-Origin-Opener-Policy"


def test_a_file_that_changes_while_it_is_shown_is_told(opened, tmp_path):
    folder = tmp_path / "demo-campaign"
    shutil.copytree(CAMPAIGN, folder)
    with assay.explore(folder, "chrf", samples=20, port=0, no_browser=True) as explorer:
        page = opened(explorer, "systems")
        lines = (folder / "sys.gravel.txt").read_text()
        (folder / "sys.gravel.txt").write_text(lines.replace("the", "a"))
        for name in ("segments", "systems", "people", "segments", "systems"):
            page.click(f"#nav-{name}")
            settled(page)
            page.wait_for_timeout(300)
        page.wait_for_selector(".stale:not([hidden])")
        assert "changed" in page.inner_text(".stale")


def test_pages_are_dark_where_people_want_them_dark(explorer, opened):
    page = opened(explorer, "ask", color_scheme="dark")
    red, green, blue = map(
        int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]
    )
    assert max(red, green, blue) < 60


def test_the_first_screen_fills_as_answers_come(opened):
    session = Session.open(Explore(metrics="chrf", samples=20), str(CAMPAIGN), Data())
    go = threading.Event()
    with Explorer(session) as explorer:
        session.jobs.add(lambda _: go.wait(20), question="", command="", title="a job before", usual=True)
        session.ask_usual()
        page = opened(explorer)
        assert "best" not in page.inner_text(".findings")
        go.set()
        # Nobody reloads the page: what was asked at the start is there when it is answered.
        until(page, "document.querySelector('.findings')?.innerText.includes('significantly better')")
        page.click("#nav-systems")
        until(page, "document.querySelector('#table-systems')?.innerText.includes('p-values:')")
