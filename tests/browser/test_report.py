"""Reports in a real browser: from a disk, offline, with the numbers that Python gives."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.explorer.packing import shown_of
from assay.explorer.queries import Queries
from assay.explorer.report import Report
from assay.questions.asked import Data, _open_data

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")]

SNAPSHOTS = Path(__file__).parents[1] / "snapshots" / "campaigns"
SHARED = Path(__file__).parents[3] / "shared" / "data"
METRICS = "bleu,chrf,ter,meteor,nist,bleu(average=segments),bleu(average=documents)"
#: Campaigns and how a report of them is asked; real ones where they lie beside the repository.
CAMPAIGNS = {
    "demo": (CAMPAIGN, {"metrics": METRICS}),
    "news of the demo": (CAMPAIGN, {"metrics": METRICS, "where": "domain!=news"}),
    "segments of the demo": (CAMPAIGN, {"metrics": "chrf", "unit": "segment"}),
    "orchard": (SNAPSHOTS / "orchard", {"metrics": "bleu,gtm"}),
    "tram": (SNAPSHOTS / "tram", {"metrics": "bleu,ter"}),
    **{
        path.name: (path, {"metrics": "bleu,chrf"})
        for path in (sorted(SHARED.iterdir()) if SHARED.is_dir() else ())
        if path.name in ("wmt23-en-de", "wmt21-ha-en-da", "mlqe-pe-et-en")
    },
}


def opened(chromium, file):
    """A page from a disk with the network off, when its program has begun."""
    page = chromium.new_context(offline=True).new_page()
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda said: page.problems.append(said.text) if said.type in ("error", "warning") else None)
    page.asked = []
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_function("globalThis.assay !== undefined")
    return page


@pytest.fixture(scope="module", params=CAMPAIGNS)
def both(request, chromium, tmp_path_factory):
    """A report in the browser, and the queries of the same campaign in Python."""
    campaign, options = CAMPAIGNS[request.param]
    data = {name: value for name, value in options.items() if name != "metrics"}
    question = Report(metrics=options["metrics"], samples=200)
    if data.get("where"):
        data["where"] = (data["where"],)
    (shown,) = shown_of(_open_data(str(campaign), Data(**data), question), question.metrics, 200)
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(assay.report(str(campaign), samples=200, **options).render("html"), encoding="utf-8")
    page = opened(chromium, file)
    yield page, Queries(shown)
    assert page.problems == []
    page.context.close()


def asked(page, name, options):
    """What the page answers."""
    return page.evaluate(
        "([name, options]) => assay.source.queries(0)[name](options).catch((error) => ({failed: error.message}))",
        [name, options],
    )


def same(one, other, path=""):
    """The same values; numbers to 1e-9."""
    if isinstance(one, dict) and isinstance(other, dict):
        assert one.keys() == other.keys(), path
        for key in one:
            same(one[key], other[key], f"{path}.{key}")
    elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        assert len(one) == len(other), f"{path}: {one} {other}"
        for place, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            same(mine, theirs, f"{path}[{place}]")
    elif isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9), f"{path}: {one} {other}"
    else:
        assert one == other, f"{path}: {one!r} {other!r}"


def filters(queries, count, seed=1):
    """Random filters of all forms."""
    rng, shown = random.Random(seed), queries.shown
    systems, metrics = queries.systems, list(queries.metrics)
    kinds = [] if shown.judgements is None else list(shown.judgements.kinds)
    yield {}
    for _ in range(count):
        parts = {}
        if shown.labels and rng.random() < 0.6:
            parts["where"] = [condition(rng, shown) for _ in range(rng.choice((1, 1, 2)))]
        if rng.random() < 0.5:
            parts["ranges"] = [one_range(rng, queries, systems, metrics, kinds)]
        if rng.random() < 0.3 and shown.campaign.has_texts:
            word = rng.choice(next(iter(shown.campaign.systems.values()))[rng.randrange(len(shown))].split() or ["a"])
            parts["search"] = {
                "text": word,
                "case": rng.random() < 0.5,
                "in": rng.choice(("all", "systems", "references")),
            }
        if rng.random() < 0.15:
            parts["segments"] = rng.sample(range(len(shown)), min(len(shown), 12))
        yield parts


def condition(rng, shown):
    """A condition of --where."""
    name = rng.choice(list(shown.labels))
    values = rng.sample(shown.labels[name][1], min(len(shown.labels[name][1]), rng.randint(1, 4)))
    values = [
        value if rng.random() < 0.7 else f"{value[:2]}*" for value in values if "," not in value and "[" not in value
    ]
    return f"{name}{rng.choice(('=', '=', '!='))}{','.join(values)}"


def one_range(rng, queries, systems, metrics, kinds):
    """A range, whose ends are values that there are."""
    of = rng.choice(["length", "score", "delta", *(["human"] if kinds else [])])
    parts = {
        "length": {},
        "score": {"metric": rng.choice(metrics), "system": rng.choice(systems)},
        "delta": {"metric": rng.choice(metrics), "a": rng.choice(systems), "b": rng.choice(systems)},
        "human": {
            "kind": rng.choice(kinds) if kinds else "",
            "system": rng.choice([None, *systems]),
            "rater": rng.choice([None, *(queries.shown.judgements.rater.names if kinds else ())]),
        },
    }[of]
    values = sorted(value for value in queries._values({"of": of, **parts}).tolist() if math.isfinite(value))
    ends = sorted(rng.choices(values, k=2)) if values else [0, 1]
    # Beside values, for those that are equal may differ in their last digits.
    return {"of": of, **parts, "least": ends[0] - 1e-6, "most": rng.choice((ends[1] + 1e-6, None))}


def compared(both, name, options):
    """The same answer from the page and from Python."""
    page, queries = both
    mine, theirs = asked(page, name, options), json.loads(json.dumps(queries.ask(name, options)))
    # How segments are named in a command, which the page knows without being told.
    theirs.pop("where", None)
    same(mine, theirs, f"{name} {json.dumps(options)}: ")
    return mine


def test_scores_intervals_and_differences_under_filters_are_those_of_python(both):
    _, queries = both
    own = [metric for metric in queries.metrics if "documents" not in metric]
    drawn = [metric for metric in own if "nist" not in metric]
    for number, chosen in enumerate(filters(queries, 20)):
        compared(both, "scores", {"filter": chosen, "metrics": own})
        if number < 8:
            pairs = [[metric, system] for metric in drawn for system in queries.systems]
            compared(both, "intervals", {"filter": chosen, "of": pairs})
            options = {"filter": chosen, "against": queries.systems[0], "metrics": drawn}
            compared(both, "deltas", options)
            compared(both, "deltas", options | {"intervals": True})


def typed(rng, shown):
    """A filter that --where can express, of one or two conditions; of documents often just a few."""
    names = [*shown.labels, "segment"]
    listed = []
    for _ in range(rng.choice((1, 1, 2))):
        name = rng.choice(names)
        values = [*shown.campaign.segment_names()] if name == "segment" else shown.labels[name][1]
        values = [value for value in values if value and not set(value) & set(",*?[") and value == value.strip()]
        some = rng.sample(values, min(len(values), rng.choice((1, 2, 3, 5, 8, 30))))
        listed.append(f"{name}{rng.choice(('=', '=', '!='))}{','.join(some)}")
    return listed


def test_numbers_under_twenty_filters_are_those_of_the_commands(both):
    page, queries = both
    rng, shown = random.Random(7), queries.shown
    campaign = shown.asked.campaign
    drawn = [one for one in shown.metrics if not {"nist", "documents"} & {one.name, one.average}]
    given = {"unit": shown.asked.data.unit, "samples": 200}
    for _ in range(20):
        chosen = {"where": typed(rng, shown)}
        where = tuple(chosen["where"])
        mine = asked(page, "scores", {"filter": chosen})
        command = page.evaluate("(chosen) => assay.source.queries(0).commandOf(chosen)", chosen)
        assert command == {"options": [word for one in where for word in ("--where", one)], "complete": True}
        try:
            scored = assay.score(campaign, drawn, where=where, **given)
        except assay.InputError:
            # The command refuses what leaves nothing.
            assert mine["n"] == 0
            continue
        rows = {(row["metric"], row["system"]): row for row in scored.tables["scores"]}
        pairs = [[str(metric), system] for metric in drawn for system in shown.campaign.systems]
        ends = {
            (metric, system): two
            for metric, system, *two in asked(page, "intervals", {"filter": chosen, "of": pairs})["intervals"]
        }
        for key, row in rows.items():
            same(mine["scores"][key[0]][key[1]], row["score"], f"{where} {key}")
            same(ends[key], [row["low"], row["high"]], f"{where} {key}")
        if len(shown.campaign.systems) > 1 and not any("@" in system for system in shown.systems):
            first = shown.systems[0]
            tested = assay.compare(campaign, drawn, where=where, baseline=first, permutations=10, **given)
            theirs = {
                (row["metric"], row["a"]): [row["delta"], row["low"], row["high"]] for row in tested.tables["pairs"]
            }
            options = {"filter": chosen, "against": first, "metrics": [str(one) for one in drawn], "intervals": True}
            deltas = {(metric, system): rest for metric, system, *rest in asked(page, "deltas", options)["deltas"]}
            same(deltas, theirs, str(where))


def test_segments_in_every_order_are_those_of_python(both):
    _, queries = both
    systems, metrics = queries.systems, [metric for metric in queries.metrics if "documents" not in metric]
    a, b, kinds = systems[0], systems[-1], [] if queries.shown.judgements is None else queries.shown.judgements.kinds
    orders = [
        {"by": "position"},
        {"by": "length"},
        {"by": "score", "metric": metrics[0], "a": a},
        {"by": "delta", "metric": metrics[-1], "a": a, "b": b},
        {"by": "disagreement", "metric": metrics[0], "other": metrics[-1], "a": a},
        {"by": "disagreement", "metric": metrics[0], "other": metrics[-1], "a": a, "b": b},
        *({"by": by, "kind": kind, "metric": metrics[0], "a": b} for kind in kinds[:1] for by in ("human", "gap")),
    ]
    for number, chosen in enumerate(filters(queries, 6, seed=2)):
        for sort in orders:
            options = {"filter": chosen, "sort": sort, "metrics": metrics, "descending": number % 2 == 0, "from": 3}
            page, _ = both
            mine = asked(page, "segments", options | {"count": 40, **({"kind": kinds[0]} if kinds else {})})
            theirs = queries.ask("segments", options | {"count": 40, **({"kind": kinds[0]} if kinds else {})})
            # Equal ones may differ in their last digits, and so change places.
            same([row["key"] for row in mine["rows"]], [row["key"] for row in theirs["rows"]], json.dumps(options))
            by_place = {row["segment"]: row for row in theirs["rows"]}
            shared = [row for row in mine["rows"] if row["segment"] in by_place]
            assert mine["n"] == theirs["n"]
            assert not theirs["rows"] or shared
            same(shared, [json.loads(json.dumps(by_place[row["segment"]])) for row in shared], json.dumps(options))


def test_groups_are_those_of_python(both):
    _, queries = both
    own = [metric for metric in queries.metrics if "documents" not in metric]
    for chosen in filters(queries, 6, seed=3):
        for by in ("length", *queries.shown.labels):
            compared(both, "groups", {"filter": chosen, "by": by, "metrics": own})
        compared(both, "groups", {"filter": chosen, "by": "length", "bins": [3, 7], "metrics": own})


def test_points_distributions_and_raters_are_those_of_python(both):
    _, queries = both
    kinds = [] if queries.shown.judgements is None else list(queries.shown.judgements.kinds)
    metrics, systems = [metric for metric in queries.metrics if "documents" not in metric], queries.systems
    for chosen in filters(queries, 6, seed=4):
        for y in ({"metric": metrics[-1]}, *({"kind": kind} for kind in kinds[:2])):
            for level in ("system", "segment"):
                options = {"filter": chosen, "level": level, "x": {"metric": metrics[0]}, "y": y, "most": 50}
                compared(both, "points", options)
        for b in (None, systems[-1]):
            options = {"filter": chosen, "metric": metrics[0], "a": systems[0], "b": b, "bins": 7}
            (page, _), theirs = both, queries.ask("distribution", options)
            mine = asked(page, "distribution", options)
            # A value at an edge may fall to either side.
            same({**mine, "counts": sum(mine["counts"])}, {**theirs, "counts": sum(theirs["counts"])})
            moved = zip(mine["counts"], theirs["counts"], strict=True)
            assert sum(abs(one - other) for one, other in moved) <= max(0.1 * mine["n"], 4)
        for kind in kinds:
            compared(both, "raters", {"filter": chosen, "kind": kind})


def test_ngrams_are_those_of_python(both):
    _, queries = both
    if not queries.campaign.has_texts or not queries.campaign.references:
        pytest.skip("There are no texts.")
    a, b = queries.systems[0], queries.systems[-1]
    for chosen in filters(queries, 4, seed=5):
        compared(both, "ngrams", {"filter": chosen, "a": a, "b": b})
    reference = next(iter(queries.campaign.references))
    compared(both, "ngrams", {"filter": {}, "a": b, "b": a, "reference": reference, "most": 2, "limit": 5})


def test_a_segment_and_texts_are_those_of_python(both):
    _, queries = both
    columns = [*queries._texts, *(f"column.{name}" for name in queries.shown.columns)]
    for place in (0, 1, len(queries) - 1):
        compared(both, "segment", {"segment": place})
        compared(both, "texts", {"segments": [place, 0], "columns": columns})


@pytest.mark.parametrize(
    "chosen",
    [
        {"where": ["planet=mars"]},
        {"where": ["nothing"]},
        {"search": {"text": "(", "regex": True, "in": "all"}},
        {"search": {"text": "a", "in": "nowhere"}},
        {"ranges": [{"of": "score", "metric": "nothing", "system": "nobody"}]},
    ],
)
def test_a_filter_that_means_nothing_is_answered_by_a_sentence(both, chosen):
    page, _ = both
    answer = asked(page, "scores", {"filter": chosen})
    assert set(answer) == {"error"}
    assert answer["error"].endswith((".", "?"))


def test_what_no_condition_fulfils_is_nothing_and_no_error(both):
    page, queries = both
    name = next(iter(queries.shown.labels), "segment")
    answer = asked(page, "scores", {"filter": {"where": [f"{name}=nobody has this"]}})
    assert answer["n"] == 0
    assert {score for of_metric in answer["scores"].values() for score in of_metric.values()} == {None}


NASTY = [
    "<script>window.hacked=1</script>",
    "javascript:window.hacked=1",
    '"><img src=x onerror=window.hacked=1>',
    "half \ud800 of a character",
    "tab\tand\x1b[31mred",
]


def hostile():
    """A campaign whose systems, documents, raters and texts are an attacker's."""
    texts = [f"{nasty} {number}".replace("\ud800", "") for number, nasty in enumerate(NASTY * 3)]
    systems = {name.replace("\ud800", "\ufffd").replace("\t", " ").replace("\x1b", ""): texts for name in NASTY}
    documents = tuple(NASTY[number // 3].replace("\ud800", "") for number in range(15))
    judgements = [
        assay.Judgement(system, place, float(place % 4), NASTY[0], NASTY[rater].replace("\ud800", ""))
        for system in systems
        for place in range(15)
        for rater in (0, 1)
    ]
    human = assay.Judgements.of(judgements, "hostile")
    columns = {name: assay.Texts.of(column) for name, column in systems.items()}
    return assay.Campaign(
        NASTY[0], columns, {NASTY[2]: assay.Texts.of(texts)}, assay.Texts.of(texts), documents=documents, human=human
    )


def test_names_of_strangers_run_nothing_in_any_view(chromium, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(assay.report(hostile(), "chrf", samples=10).render("html"), encoding="utf-8")
    page = opened(chromium, file)
    for view in ("overview", "systems", "segments", "segment?segment=3", "metrics", "people", "references", "others"):
        page.evaluate("(view) => { location.hash = `#/${view}`; }", view)
        page.wait_for_timeout(700)
    assert page.evaluate("window.hacked") is None
    assert page.problems == []
    assert [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page.context.close()


def test_a_bundle_opens_from_a_disk_and_reads_its_files_when_they_are_wanted(chromium, tmp_path):
    assay.report(CAMPAIGN, "chrf", samples=20, bundle=tmp_path / "report")
    page = opened(chromium, tmp_path / "report" / "index.html")
    mine = asked(page, "scores", {"filter": {"where": ["domain=news"]}})
    assert mine["n"] == 16
    texts = asked(page, "texts", {"segments": [2], "columns": ["source"]})
    assert texts["source"] == [list(assay.read(CAMPAIGN).source)[2]]
    ends = asked(page, "intervals", {"filter": {}, "of": [["chrf", "rosetta"]]})["intervals"]
    row = assay.score(CAMPAIGN, "chrf", samples=20).of(system="rosetta")
    same(ends, [["chrf", "rosetta", row.low, row.high]])
    assert page.problems == []
    assert all(url.startswith(("file:", "blob:", "data:")) for url in page.asked)
    page.context.close()


def test_without_a_program_findings_and_tables_are_seen(chromium, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(assay.report(CAMPAIGN, "chrf", samples=20).render("html"), encoding="utf-8")
    page = chromium.new_context(java_script_enabled=False, offline=True).new_page()
    page.goto(file.as_uri())
    assert "By chrF rosetta is best with 77.37" in page.inner_text("main")
    assert page.locator("main table").count() > 5
    assert page.locator("main img").first.evaluate is not None
    page.context.close()


def test_a_condition_on_texts_that_are_not_all_there_is_refused(chromium, tmp_path):
    file = tmp_path / "report.html"
    whole = assay.report(CAMPAIGN, "chrf", samples=20)
    size = len(whole.render("html").encode())
    small = assay.report(CAMPAIGN, "chrf", samples=20, most=size - 10_000)
    file.write_text(small.render("html"), encoding="utf-8")
    page = opened(chromium, file)
    assert "texts of some segments alone" in asked(page, "scores", {"filter": {"where": ["source=*a*"]}})["error"]
    found = asked(page, "scores", {"filter": {"search": {"text": "e", "in": "source"}}})
    kept = page.evaluate("assay.source.manifest.campaigns[0].kept.segments")
    assert 0 < found["n"] <= kept < 60
    page.context.close()


def test_a_question_about_another_filter_takes_the_place_of_the_one_before(chromium, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(assay.report(CAMPAIGN, "bleu,chrf", samples=20_000).render("html"), encoding="utf-8")
    page = opened(chromium, file)
    both = page.evaluate(
        """async () => {
          const queries = assay.source.queries(0);
          const of = [["bleu", "rosetta"], ["chrf", "compass"]];
          const asked = [{}, {where: ["domain=news"]}].map((filter) => queries.intervals({filter, of}));
          return (await Promise.allSettled(asked)).map((one) => one.reason?.name ?? one.status);
        }"""
    )
    assert both == ["AbortError", "fulfilled"]
    page.context.close()
