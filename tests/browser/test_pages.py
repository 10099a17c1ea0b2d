"""Pages in a real browser: with hostile names for everything, no script runs and nothing is fetched."""

from __future__ import annotations

import pytest

import assay
from assay.results import charts
from assay.results.figure import Figure
from assay.results.result import Column, Remark, Result, View

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore:Word metrics see different tokens")]


NASTY = [
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror='window.hacked=1'>",
    '"><svg onload=window.hacked=1>',
    "</style><script>window.hacked=1</script>",
    "a\x1b[31m\x9b31m\u0085b",
    "line\nbreak\u2028and\u2029more",
    "{{constructor.constructor('window.hacked=1')()}}",
]


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a page from disk, with the network off; gives it back when everything has run."""

    def call(html, name="page.html"):
        file = tmp_path / name
        file.write_bytes(html if isinstance(html, bytes) else html.encode())
        context = chromium.new_context(offline=True)
        page = context.new_page()
        page.problems = []
        page.asked = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(file.as_uri())
        page.wait_for_load_state("networkidle")
        return page

    return call


def harmless(page):
    assert page.evaluate("window.hacked") is None
    assert page.title()
    assert [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.problems == []
    return page


@pytest.fixture(scope="module")
def campaign():
    """Systems, documents, references, columns and raters with hostile names."""
    lines = [
        "the cat sat on the mat",
        "hello world",
        "a third line",
        "and a fourth one here",
        "five",
        "six words are in this line",
    ]
    systems = {name: [*lines[:index], *(line[::-1] for line in lines[index:])] for index, name in enumerate(NASTY[:5])}
    judgements = [
        assay.Judgement(system, segment, float((index + segment * 3 + rater) % 7), NASTY[1], NASTY[rater], NASTY[0])
        for index, system in enumerate(systems)
        for segment in range(len(lines))
        for rater in range(3)
    ]
    return assay.Campaign(
        NASTY[0],
        systems=systems,
        references={NASTY[0]: lines, NASTY[1]: [line.upper() for line in lines]},
        documents=tuple(NASTY[index // 3] for index in range(len(lines))),
        domains=tuple(NASTY[index // 2] for index in range(len(lines))),
        columns={NASTY[2]: list(lines)},
        human=assay.Judgements.of(judgements, NASTY[3]),
    )


def test_a_page_with_hostile_names_is_harmless(opened, campaign):
    result = assay.score(campaign, "bleu,wer", samples=20, documents=True, domains=True)
    page = harmless(opened(result.render("html")))
    assert page.locator("table").count() == 5
    assert NASTY[1] in page.content().replace("&lt;", "<").replace("&gt;", ">")


def test_whatever_stands_in_a_result_is_text(opened):
    for name in NASTY:
        rows = [{"a": name, "b": 1.0, "mark": name}]
        view = View(name, "t", (Column("b", name, ".1f", mark="mark"),), (Column("a", name),), notes=(name,))
        figure = Figure(name, svg="<svg xmlns='http://www.w3.org/2000/svg'><text>x</text></svg>", title=name)
        result = Result("q", {"t": rows}, (view,), (name,), (Remark(name),), campaign=name, signatures={name: name},
                        figures=(figure,))  # fmt: skip
        harmless(opened(result.render("html")))


def test_a_figure_with_hostile_names_is_harmless(opened):
    for name in NASTY:
        spec = {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "title": name,
            "data": {"values": [{"x": name, "y": 1}]},
            "mark": "bar",
            "encoding": {
                "x": {"field": "x", "type": "nominal", "title": name},
                "y": {"field": "y", "type": "quantitative"},
            },
        }
        figure = Figure("bars", spec, title=name)
        assert figure.to_bytes("svg")
        page = harmless(opened(figure.to_bytes("html")))
        assert page.locator("svg, canvas").count() >= 1


@pytest.mark.parametrize(("study", "options"), [("references", {"k": 1}), ("greedy-matching", {})])
def test_a_study_with_hostile_names_is_harmless(opened, campaign, study, options):
    result = assay.study(study, campaign, **options)
    harmless(opened(result.render("html")))
    harmless(opened(result.chart().to_bytes("html"), "figure.html"))


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_the_list_of_studies_leads_to_their_answers(opened, campaign):
    result = assay.study("all", campaign, metrics="f1", k=1)
    answered = [row["study"] for row in result.table() if row["answered"]]
    page = harmless(opened(result.render("html")))
    assert page.locator("section.answer").count() == len(answered) > 5
    for name in answered:
        page.locator(f'a[href="#{name}"]').click()
        assert page.evaluate("location.hash") == f"#{name}"
        assert page.locator(f"section#{name} table").count() >= 1
    # Against capitals alone nothing has a score, so one of them has nothing to draw.
    drawn = [figure.name.partition(".")[0] for figure in result.figures]
    assert set(answered) - set(drawn) == {"reference-count"}
    for name in drawn:
        widths = page.locator(f"section#{name} figure img").evaluate_all("all => all.map(one => one.naturalWidth)")
        assert widths
        assert min(widths) > 100


def test_pages_are_read_in_the_dark_and_on_a_phone(chromium, tmp_path, campaign):
    file = tmp_path / "page.html"
    file.write_text(assay.score(campaign, "bleu,chrf,wer,ter,per", samples=20).render("html"))
    context = chromium.new_context(color_scheme="dark", viewport={"width": 390, "height": 800})
    page = context.new_page()
    page.goto(file.as_uri())
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(24, 24, 24)"
    # A wide table scrolls inside itself; the page does not.
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_letters_of_an_explanation_are_not_made_smaller_for_a_phone_than_can_be_read(chromium, tmp_path):
    words = " ".join(f"word{number}" for number in range(40))
    file = tmp_path / "why.html"
    file.write_text(assay.explain("ter", translation=words, references=[words]).render("html"), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 400, "height": 800})
    page.goto(file.as_uri())
    drawn, natural = page.evaluate("(image => [image.width, image.naturalWidth])(document.querySelector('figure img'))")
    # Two thirds of the size that it is drawn in; the picture scrolls in its own box, and the page does not.
    assert drawn >= min(natural, 660)
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    page.close()


def test_no_text_of_a_picture_is_cut_off_whatever_fonts_there_are(chromium):
    dots = charts.interval_dots([{"n": "METEOR exact+stem+synonym", "v": 0.1}], name="n", value="v", width=60)
    picture = charts.figure("f", dots, "How much does the choice of references decide?")
    page = chromium.new_page()
    # As if Helvetica and Arial were missing: another font is wider.
    page.set_content(picture.to_svg().replace("Helvetica, Arial, sans-serif", "monospace"))
    outside = page.evaluate(
        """() => {
            const whole = document.querySelector("svg").getBoundingClientRect();
            return [...document.querySelectorAll("text")].map(text => text.getBoundingClientRect())
                .filter(box => box.left < whole.left || box.right > whole.right + 1).length;
        }"""
    )
    assert outside == 0
    page.close()


def test_a_picture_is_as_wide_on_a_dark_page_as_it_is_drawn(chromium, tmp_path):
    dots = charts.interval_dots([{"n": "a", "v": 0.5}], name="n", value="v", width=120)
    result = Result("q", {"t": [{"a": 1}]}, (View("t", "t", (Column("a"),)),), figures=(charts.figure("f", dots, "f"),))
    file = tmp_path / "page.html"
    file.write_text(result.render("html"), encoding="utf-8")
    page = chromium.new_page(color_scheme="dark")
    page.goto(file.as_uri())
    paper, drawn = page.evaluate(
        "['figure', 'figure img'].map(one => document.querySelector(one).getBoundingClientRect().width)"
    )
    # Its white paper does not glare beside it.
    assert paper == drawn < 300
    page.close()
