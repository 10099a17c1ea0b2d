"""Other pages in the same browser, names that objects of JavaScript have, and patterns that take long."""

from __future__ import annotations

import random
import socket
import urllib.request
from contextlib import ExitStack
from fnmatch import fnmatchcase

import numpy as np
import pytest

import assay
from assay.data.external import ExternalScores

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.AssayWarning")]

pytest.importorskip("starlette", reason="The extra explore is not installed")

#: What every object of JavaScript has, whether it was given one or not.
OWN = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"]
VIEWS = ["overview", "systems", "segments", "segment", "metrics", "people", "references", "studies", "papers", "ask"]

#: All that a page of somebody else can try: to read, to write, to run, to frame, and to open what is here.
ATTACK = """async (base) => {
    const said = {};
    const note = JSON.stringify({campaign: 0, segment: 0, system: null, text: "hacked"});
    const tried = async (name, work) => {
        try { said[name] = await work(); } catch (error) { said[name] = "failed"; }
    };
    const read = async (path, how = {}) => {
        const answer = await fetch(base + path, how);
        return answer.type === "opaque" ? "failed" : answer.text();
    };
    const element = (name, attributes) => new Promise((resolve) => {
        const made = Object.assign(document.createElement(name), attributes);
        made.onload = () => resolve("loaded");
        made.onerror = () => resolve("failed");
        document.body.append(made);
        setTimeout(() => resolve("failed"), 3000);
    });
    for (const path of ["", "api/manifest", "app.js", "api/notes"]) {
        await tried(`read ${path}`, () => read(path));
        await tried(`read ${path} with cookies`, () => read(path, {credentials: "include"}));
        await tried(`read ${path} without cors`, () => read(path, {mode: "no-cors"}));
    }
    for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded"]) {
        const how = {method: "POST", body: note, headers: {"Content-Type": type}};
        await tried(`write ${type}`, () => read("api/notes", how));
        await tried(`write ${type} without cors`, () => read("api/notes", {...how, mode: "no-cors"}));
        await tried(`file ${type}`, () => read("api/upload?kind=system&name=x&file=x", {...how, mode: "no-cors"}));
    }
    navigator.sendBeacon(base + "api/notes", new Blob([note], {type: "text/plain"}));
    await tried("remove", () => read("api/notes/0", {method: "DELETE"}));
    await tried("script", () => element("script", {src: base + "app.js"}));
    await tried("json", () => element("script", {src: base + "api/manifest"}));
    await tried("style", () => element("link", {rel: "stylesheet", href: base + "app.css"}));
    await tried("picture", () => element("img", {src: base + "favicon.ico"}));
    await tried("worker", () => new Promise((resolve) => {
        const worker = new Worker(base + "worker.js");
        worker.onerror = () => resolve("failed");
        setTimeout(() => resolve("loaded"), 1000);
    }));
    await tried("socket", () => new Promise((resolve) => {
        const made = new WebSocket(base.replace("http", "ws") + "api/jobs");
        made.onopen = () => resolve("loaded");
        made.onerror = () => resolve("failed");
    }));
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
        const form = Object.assign(document.createElement("form"), {
            action: base + "api/notes", method: "post", enctype: type, target: "there",
        });
        const field = document.createElement("input");
        Object.assign(field, {name: note.slice(0, -1) + ', "id": "', value: '"}'});
        form.append(field);
        document.body.append(Object.assign(document.createElement("iframe"), {name: "there"}), form);
        form.submit();
        await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await element("iframe", {src: base, id: "framed"});
    return said;
}"""


@pytest.fixture
def explorer():
    campaign = assay.Campaign("secret campaign", {"a": ["x y", "z"], "b": ["x", "z"]}, {"R": ["x y", "z"]})
    with assay.explore(campaign, "f1", samples=20, no_browser=True) as opened:
        yield opened


def read(explorer, path):
    with urllib.request.urlopen(f"{explorer.url}{path}", timeout=10) as answer:
        return answer.read().decode()


@pytest.mark.parametrize("origin", ["http://evil.test", "http://127.0.0.1:PORT"])
def test_another_page_reads_nothing_and_does_nothing(chromium, explorer, origin):
    context = chromium.new_context()
    page = context.new_page()
    with socket.create_server(("127.0.0.1", 0)) as other:
        # A server of somebody else on this machine is another origin, and yet the same site.
        origin = origin.replace("PORT", str(other.getsockname()[1]))
        empty = "<!doctype html><title>evil</title><body>"
        page.route(f"{origin}/", lambda route: route.fulfill(body=empty, content_type="text/html"))
        page.goto(f"{origin}/")
        said = page.evaluate(ATTACK, explorer.url)
        assert set(said.values()) == {"failed"}, {name: one for name, one in said.items() if one != "failed"}
        framed = next(frame for frame in page.frames if frame.url.startswith(("chrome-error", explorer.url)))
        assert "secret" not in framed.content()
        # What is opened is not at hand, even if it opens.
        with context.expect_page() as opening:
            page.evaluate("(base) => { window.opened = window.open(base); }", explorer.url)
        opening.value.wait_for_load_state()
        assert page.evaluate("() => { try { return window.opened.document.title; } catch { return null; } }") in (
            None,
            "",
        )
        assert page.evaluate("window.opened.closed || window.opened.length === 0")
    assert read(explorer, "api/notes") == "[]"
    assert read(explorer, "api/jobs") == "[]" or "score" in read(explorer, "api/jobs")
    assert '"x"' not in read(explorer, "api/manifest")
    context.close()


@pytest.mark.parametrize("how", ["typed", "link"])
def test_the_address_with_the_token_opens_wherever_it_stands_and_does_not_stay(chromium, how):
    campaign = assay.Campaign("secret campaign", {"a": ["x y"], "b": ["x"]}, {"R": ["x y"]})
    with assay.explore(campaign, "f1", samples=2, no_browser=True, host="0.0.0.0") as opened:
        context = chromium.new_context()
        page, base = context.new_page(), f"http://127.0.0.1:{opened.port}/"
        link = f'<a id="link" href="{base}?token={opened.token}">Look at this</a>'
        page.route("http://mail.test/", lambda route: route.fulfill(body=link, content_type="text/html"))
        page.goto("http://mail.test/")
        if how == "link":
            page.click("#link")
        else:
            page.goto(f"{base}?token={opened.token}")
        page.wait_for_url(base)
        page.wait_for_selector("#app h1")
        assert "secret campaign" in page.title()
        page.go_back()
        assert opened.token not in page.url
        # Without it there is nothing, and another port has nothing of it but what browsers send there.
        stranger = chromium.new_context().new_page()
        assert stranger.goto(base).status == 403
        stranger.context.close()
        context.close()


def own_names():
    lines = ["the cat sat on the mat", "hello world", "a third line", "four words are here", "five"]
    systems = {name: [*lines[:index], *(line[::-1] for line in lines[index:])] for index, name in enumerate(OWN)}
    judgements = [
        assay.Judgement(system, segment, float((index + segment * 3 + rater) % 7), OWN[rater], OWN[rater + 1])
        for index, system in enumerate(OWN[2:])
        for segment in range(len(lines))
        for rater in range(2)
    ]
    given = ExternalScores(OWN[0], {OWN[3]: np.arange(5.0)})
    return assay.Campaign(
        "own names",
        source=lines,
        systems=systems,
        references={OWN[0]: lines, OWN[1]: lines},
        documents=(OWN[1], OWN[1], OWN[0], OWN[0], OWN[2]),
        columns={OWN[1]: OWN, OWN[0]: list("abcde")},
        human=assay.Judgements.of(judgements, "people"),
        scores={OWN[0]: given},
    )


@pytest.mark.parametrize("transport", ["file", "server"])
def test_names_that_every_object_has_are_names(chromium, tmp_path, transport):
    context = chromium.new_context()
    page, problems = context.new_page(), []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
    campaign = own_names()
    expected = assay.score(campaign, "chrf", samples=0)
    file = tmp_path / "report.html"
    with ExitStack() as stack:
        if transport == "file":
            file.write_text(assay.report(campaign, "chrf", samples=20).render("html"), encoding="utf-8")
            base = file.as_uri()
        else:
            base = stack.enter_context(assay.explore(campaign, "chrf", samples=20, no_browser=True)).url
        chosen = f"segment=2&kind=%22{OWN[1]}%22&a=%22{OWN[0]}%22&b=%22{OWN[1]}%22&metric=%22{OWN[0]}%22"
        for view in VIEWS:
            page.goto("about:blank")
            page.goto(f"{base}#/{view}?{chosen}")
            page.wait_for_selector("#app h1")
            page.wait_for_load_state("networkidle")
            assert page.locator("#app .error:not([hidden])").count() == 0, view
            shown = page.inner_text("#app")
            wrong = [word for word in ("[native code]", "[object Object]", "undefined", "NaN") if word in shown]
            assert not wrong, view
        page.goto("about:blank")
        page.goto(f"{base}#/systems")
        page.wait_for_selector("#table-systems")
        shown = page.inner_text("#table-systems")
        for name in OWN:
            assert f"{expected.of(name, 'chrf').score:.2f}" in shown
    assert problems == []
    context.close()


def test_patterns_are_those_of_python_and_many_stars_come_to_an_end(modules):
    chosen = random.Random(7)
    letters = "ab*?[]!-.\\^é😀\n"
    pairs = [
        [
            "".join(chosen.choices(letters, k=chosen.randrange(8))),
            "".join(chosen.choices("ab!-.]é😀\n", k=chosen.randrange(9))),
        ]
        for _ in range(20_000)
    ]
    found = modules.evaluate(
        """async (pairs) => {
            const { fits } = await import("/data/filters.js");
            return pairs.map(([pattern, text]) => fits(text, pattern));
        }""",
        pairs,
    )
    wrong = [(one, said) for one, said in zip(pairs, found, strict=True)
             if said != (one[0] == one[1] or fnmatchcase(one[1], one[0]))]  # fmt: skip
    assert not wrong
    # Tried star by star this would not end in anybody's life: there are 10 to the power of 25 ways.
    found = modules.evaluate(
        """async () => {
            const { fits } = await import("/data/filters.js");
            const [text, pattern] = ["a".repeat(3000), "*a".repeat(9) + "*b"];
            return [fits(text, pattern), fits(`${text}b`, pattern)];
        }"""
    )
    assert found == [False, True]
