"""The pictures of the studies, drawn from what they say of the demo: what is in them, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.errors import InputError
from assay.questions.studies.registry import study_class
from assay.questions.studies.set_lines import ordered_sets, set_lines
from assay.results.charts import COLORS
from results.drawn import hostile, is_drawn, layers, texts, values

pytest.importorskip("vl_convert", reason="figures need the extra plots")
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

SYSTEMS = {"compass", "gravel", "human", "lantern", "rosetta"}


def studied(name, **options):
    return assay.study(name, CAMPAIGN, **options).to_dict()


def pictured(name, tables, *, campaign="demo", **options):
    """The picture that a study with these options makes of tables."""
    return study_class(name)(**options).picture(campaign, tables)


def panels(spec):
    """Pictures with layers, line by line."""
    inner = [*spec.get("vconcat", ()), *spec.get("hconcat", ())]
    return [spec] if "layer" in spec else [panel for one in inner for panel in panels(one)]


@pytest.fixture(scope="module")
def greedy():
    return studied("greedy-matching")


def test_greedy_matching_shows_both_shares_beside_what_the_paper_claims(greedy):
    figure = pictured("greedy-matching", greedy)
    share, worst, key = panels(figure.spec)
    assert is_drawn(figure)
    # Five systems and all of them together, with two exponents.
    assert [len(values(panel, "point")) for panel in (share, worst)] == [12, 12]
    drawn = {(row["name"], row["group"]): row["value"] for row in values(share, "point")}
    assert drawn["human", "2"] == pytest.approx(100 * 59 / 60)
    assert drawn == {(row["system"], f"{row['exponent']:g}"): pytest.approx(row["share"]) for row in greedy["table"]}
    assert [values(panel, "rule")[0]["at"] for panel in (share, worst)] == [99.0, 80.0]
    assert "paper: 99 %" in texts(share)
    assert texts(key) == ["2", "3", "exponent"]
    # All systems together stand below the others.
    assert layers(share, "point")[0]["encoding"]["y"]["scale"]["domain"][-1] == "all systems"


def test_greedy_matching_leaves_out_what_could_not_be_decided(greedy):
    without = {"share": None, "low": None, "high": None}
    rows = [row | without if row["system"] == "human" else row for row in greedy["table"]]
    share, worst, _ = panels(pictured("greedy-matching", {"table": rows}).spec)
    assert [len(values(panel, "point")) for panel in (share, worst)] == [10, 12]


def test_meteor_aligner_shows_how_often_and_how_much():
    figure = pictured("meteor-aligner", studied("meteor-aligner"))
    often, much = panels(figure.spec)
    assert is_drawn(figure)
    assert {row["name"]: row["value"] for row in values(often, "point")}["compass"] == pytest.approx(10.0)
    # Corpus scores are not added up, so all systems together have no change.
    assert {row["name"] for row in values(much, "point")} == SYSTEMS
    # Both panels have the same lines, the most changed system first.
    orders = [layers(panel, "point")[0]["encoding"]["y"]["scale"]["domain"] for panel in (often, much)]
    assert orders[0] == orders[1] == ["gravel", "human", "lantern", "rosetta", "compass", "all systems"]


@pytest.fixture(scope="module")
def recipes():
    return studied(
        "case-and-stem", kind="adequacy", metrics="bleu,ter", recipes=("raw", "lowercase", "lowercase+stem"), samples=50
    )


def test_case_and_stem_is_a_cell_per_metric_and_recipe(recipes):
    rows = recipes["table"]
    figure = pictured("case-and-stem", recipes, recipes=("raw", "lowercase", "lowercase+stem"))
    assert is_drawn(figure)
    system, segment = panels(figure.spec)
    assert [len(values(panel, "rect")) for panel in (system, segment)] == [6, 6]
    row = next(row for row in rows if (row["level"], row["metric"], row["recipe"]) == ("system", "ter", "lowercase"))
    assert f"{row['correlation']:.3f}" in texts(system)
    said = f"{row['gain']:+.3f} ({row['gain_low']:+.3f} – {row['gain_high']:+.3f})"
    assert said in texts(system)
    # Without a change a cell is as white as it gets, and better is bluer than worse.
    cells = {(cell["line"], cell["column"]): cell["color"] for cell in values(system, "rect")}
    assert cells["bleu", "raw"] == "#F6F6F6"
    bold = [
        row["line"]
        for layer in layers(system, "text")
        if layer["mark"]["fontWeight"] == "bold"
        for row in layer["data"]["values"]
    ]
    sure = [
        row
        for row in rows
        if row["level"] == "system" and row["gain_low"] is not None and row["gain_low"] * row["gain_high"] > 0
    ]
    assert sorted(bold) == sorted(2 * [row["metric"] for row in sure])


def test_a_change_without_chance_is_bold():
    row = {"level": "system", "metric": "m", "correlation": 0.5, "low": None, "high": None}
    rows = [
        row | {"recipe": "raw", "gain": None, "gain_low": None, "gain_high": None},
        row | {"recipe": "stem", "gain": 0.02, "gain_low": 0.01, "gain_high": 0.03},
        row | {"recipe": "lowercase", "gain": -0.01, "gain_low": -0.02, "gain_high": 0.01},
    ]
    spec = pictured("case-and-stem", {"table": rows}, recipes=("raw", "stem", "lowercase")).spec
    bold = [layer for layer in layers(spec, "text") if layer["mark"]["fontWeight"] == "bold"]
    assert [texts({"layer": [layer]}) for layer in bold] == [["0.500"], ["+0.020 (+0.010 – +0.030)"]]
    # 0.02 has the full blue, and half of it to the other side is half way from white to orange.
    assert [cell["color"] for cell in values(spec, "rect")] == ["#F6F6F6", "#7FB8DA", "#F3CCAE"]


@pytest.fixture(scope="module")
def followed():
    return studied("correlations", kind="adequacy", metrics="bleu,ter", samples=50)


def test_correlations_are_intervals_above_and_scatters_below(followed):
    figure = pictured("correlations", followed, kind="adequacy", samples=50)
    assert is_drawn(figure)
    key, systems, differences, *scatters = panels(figure.spec)
    assert texts(key) == ["words", "stems", ""]
    # Two metrics, each on words and on stems.
    shown = {(row["name"], row["kind"]): row["value"] for row in values(systems, "point")}
    assert shown == {(row["metric"], row["text"]): pytest.approx(row["pearson"]) for row in followed["table"]}
    assert len(values(differences, "point")) == 4
    # Of each metric four systems on words and stems, and their six pairs; an error rate is upside down.
    assert [len(values(panel, "point")) for panel in scatters] == [8, 8, 12, 12]
    reversed_ = [layers(panel, "point")[0]["encoding"]["y"]["scale"]["reverse"] for panel in scatters]
    assert reversed_ == [False, True, False, False]


def test_sentence_level_has_a_panel_per_quality():
    found = studied("sentence-level", kind=("adequacy", "fluency"), metrics="recall", modules="exact", samples=50)
    figure = pictured("sentence-level", found, samples=50)
    assert is_drawn(figure)
    key, *qualities = panels(figure.spec)
    assert texts(key) == ["raw judges", "z", "quantile", ""]
    assert [panel["title"]["text"] for panel in qualities] == ["adequacy", "fluency", "adequacy+fluency"]
    # Recall and METEOR, each with three ways to normalise.
    assert [len(values(panel, "point")) for panel in qualities] == [6, 6, 6]
    row = next(
        row for row in found["table"] if (row["kind"], row["normalise"], row["metric"]) == ("fluency", "z", "recall")
    )
    assert f"{row['correlation']:.3f}" in texts(qualities[1])
    domains = [layers(panel, "point")[0]["encoding"]["x"]["scale"]["domain"] for panel in qualities]
    assert domains[0] == domains[1] == domains[2]


def test_recall_weight_rings_the_weight_that_was_chosen_elsewhere():
    tables = studied("recall-weight", kind="adequacy", steps=10, samples=50, unit="segment")
    found, figure = tables["table"], pictured("recall-weight", tables)
    assert is_drawn(figure)
    halves = panels(figure.spec)
    assert len(halves) == 2
    for panel, test in zip(halves, ("half B", "half A"), strict=True):
        own = [row for row in found if row["test"] == test]
        [chosen] = [row for row in own if row["chosen"]]
        [ring] = values(panel, "point")
        assert (ring["x"], ring["y"]) == pytest.approx((chosen["alpha"], chosen["correlation"]))
        assert f"chosen: {chosen['alpha']:.2f}, reaches {chosen['correlation']:.3f}" in texts(panel)
        # Eleven weights where it is tested, with a band, and eleven where it was chosen, without.
        assert (len(values(panel, "line")), len(values(panel, "area"))) == (22, 11)
        assert {f"where chosen ({own[0]['train']})", "tested"} <= set(texts(panel))
    # A correlation is called by the name of its inventor.
    assert "Pearson of fmean with people" in figure.spec["title"]["subtitle"][0]
    assert layers(halves[0], "line")[0]["encoding"]["y"]["title"] == "Pearson with people"


def test_reference_count_is_a_line_per_metric_with_the_range_of_sets():
    tables = studied("reference-count", kind="adequacy", metrics="bleu,chrf", samples=50)
    found, figure = tables["table"], pictured("reference-count", tables)
    assert is_drawn(figure)
    system, segment = panels(figure.spec)
    for level, panel in (("system", system), ("segment", segment)):
        rows = [row for row in found if (row["level"], row["statistic"]) == (level, "pearson")]
        # Two metrics with one, two and three references.
        assert len(values(panel, "line")) == len(rows) == 6
        drawn = {(row["name"], round(row["x"])): (row["low"], row["y"], row["high"]) for row in values(panel, "line")}
        assert drawn == {(row["metric"], row["k"]): (row["low"], row["mean"], row["high"]) for row in rows}
        # Bars of two metrics stand 0.06 apart.
        assert sorted({round(row["x"], 2) for row in values(panel, "rule")})[:2] == [0.97, 1.03]


@pytest.fixture(scope="module")
def documents():
    return studied("pseudo-documents", kind="adequacy", metrics="bleu,ter", lengths=(1, 10, 60), per_length=40)


def test_pseudo_documents_have_a_curve_per_metric_and_one_of_the_judges(documents):
    figure = pictured("pseudo-documents", documents, kind="adequacy", per_length=40)
    assert is_drawn(figure)
    curves, judges = panels(figure.spec)
    shown = {(row["name"], row["x"]): row["y"] for row in values(curves, "line")}
    assert shown == {(row["curve"], row["length"]): row["correlation"] for row in documents["table"]}
    assert set(texts(curves)) == {"bleu", "ter", "judge against judge"}
    # Every translation has three judges: 240 dots of the two who agree least.
    assert len(values(judges, "point")) == 240
    assert judges["title"]["text"] == "the two judges who agree least"
    assert len(panels(pictured("pseudo-documents", {"table": documents["table"]}).spec)) == 1


def test_numbers_of_references_are_told_apart_by_dashes():
    row = {"metric": "bleu", "correlation": 0.5, "low": None, "high": None}
    rows = [
        row | {"curve": f"bleu, {count} refs", "references": count, "length": length}
        for count in (1, 3)
        for length in (1, 8)
    ]
    spec = pictured("pseudo-documents", {"table": rows}).spec
    looks = {row["name"]: (row["color"], row["dash"]) for row in values(spec, "line")}
    assert looks == {"bleu, 1 refs": (COLORS[0], [1, 0]), "bleu, 3 refs": (COLORS[0], [6, 3])}


def test_references_show_every_score_of_every_translation():
    found = studied("references", metrics="bleu,wer", k=(1, 2))
    figure = pictured("references", found, metrics="bleu,wer")
    assert is_drawn(figure)
    grid = panels(figure.spec)
    assert [panel["title"]["text"] for panel in grid] == ["bleu, k = 1", "bleu, k = 2", "wer, k = 1", "wer, k = 2"]
    # Five systems against three sets of one or of two of three references. Of A, B and C each stands against two
    # sets of one of the others, and one of two.
    assert [len(values(panel, "tick")) for panel in grid] == [21, 18, 21, 18]
    assert [len(values(panel, "point")) for panel in grid] == [8, 8, 8, 8]
    assert [layers(panel, "point")[0]["encoding"]["x"]["scale"]["reverse"] for panel in grid] == [
        False,
        False,
        True,
        True,
    ]
    kinds = {row["name"]: (row["shape"], row["color"]) for row in values(grid[0], "point")}
    assert (kinds["A"], kinds["gravel"]) == (("circle", COLORS[0]), ("triangle-up", COLORS[1]))
    bars = {row["name"]: (row["low"], row["high"]) for row in values(grid[0], "rule")}
    row = next(row for row in found["table"] if (row["system"], row["metric"], row["k"]) == ("rosetta", "bleu", 1))
    # One standard deviation around the mean, cut at the range.
    assert bars["rosetta"] == pytest.approx((row["low"], row["mean"] + row["sd"]))
    assert row["mean"] - row["sd"] < row["low"]


def test_lines_show_every_translation_against_every_set():
    result = assay.study("references", CAMPAIGN, metrics="bleu,wer", k=(1, 2))
    assert [figure.name for figure in result.figures] == ["spread", "lines"]
    figure = result.chart("lines")
    assert is_drawn(figure)
    # Two metrics and the sets below them, with one and with two references.
    bleu, wer, sets, *with_two = panels(figure.spec)
    assert [panel["title"]["text"] for panel in (bleu, wer)] == ["bleu, k = 1, 3 sets", "wer, k = 1, 3 sets"]
    assert len(with_two) == 3
    order = ordered_sets([row for row in result.table("scores") if (row["metric"], row["k"]) == ("bleu", 1)])
    scores = {(row["system"], row["references"]): row["score"] for row in result.table("scores") if row["k"] == 1
              and row["metric"] == "bleu"}  # fmt: skip
    drawn = {(row["name"], order[int(row["x"])]): row["y"] for row in values(bleu, "point")}
    assert drawn == pytest.approx(scores)
    # People have whole lines, systems dashed ones; error rates are turned around.
    dashes = {row["name"]: row["dash"] for row in values(bleu, "line")}
    assert (dashes["A"], dashes["gravel"]) == ([1, 0], [6, 3])
    assert layers(wer, "line")[0]["encoding"]["y"]["scale"]["reverse"]
    names = sorted(order)
    assert {(row["x"], names[int(row["y"])]) for row in values(sets, "point")} == set(enumerate(order))


def test_lines_of_many_sets_are_thinned_evenly():
    named = {"system": "a", "kind": "human", "metric": "bleu", "compared": "segments", "k": 3}
    scores = [named | {"references": f"r{place:04}", "score": float(place)} for place in range(1000)]
    figure = set_lines("many", scores, ())
    drawn = [row["y"] for row in values(panels(figure.spec)[0], "point")]
    assert (len(drawn), drawn[0], drawn[-1]) == (80, 0.0, 999.0)
    assert "Of more than 80 sets so many are drawn" in " ".join(figure.spec["title"]["subtitle"])
    with pytest.raises(InputError, match="one set of references only"):
        set_lines("one", scores[:1], ())


def test_many_sets_of_references_are_thinned_from_lowest_to_highest():
    named = {"system": "a", "metric": "bleu", "compared": "segments", "k": 2}
    row = named | {"mean": 500.0, "sd": 1.0, "low": 0.0, "high": 999.0}
    scores = [named | {"kind": "human", "score": float(score)} for score in range(1000)]
    figure = pictured("references", {"table": [row], "scores": scores})
    ticks = [tick["tick"] for tick in values(figure.spec, "tick")]
    assert (len(ticks), ticks[0], ticks[-1]) == (120, 0.0, 999.0)
    said = " ".join(figure.spec["title"]["subtitle"])
    assert "Of more than 120 sets so many are drawn" in said
    assert "All of them are human translations." in said


def test_sizes_that_do_not_fit_are_named():
    named = {"system": "a", "metric": "bleu", "compared": "segments"}
    rows = [named | {"k": size, "mean": 1.0, "sd": 0.0, "low": 1.0, "high": 1.0} for size in range(1, 7)]
    scores = [named | {"kind": "system", "k": size, "score": 1.0} for size in range(1, 7)]
    figure = pictured("references", {"table": rows, "scores": scores})
    assert [panel["title"]["text"][-1] for panel in panels(figure.spec)] == ["1", "2", "4", "6"]
    assert "Not drawn: k = 3, 5." in " ".join(figure.spec["title"]["subtitle"])


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """The demo's own texts, five lines further down."""
    folder = tmp_path_factory.mktemp("other")
    for path in Path(CAMPAIGN).glob("ref.*.txt"):
        lines = path.read_text().splitlines()
        (folder / path.name).write_text("\n".join([*lines[5:], *lines[:5]]) + "\n")
    return studied("foreign-texts", others=[str(folder)], metrics=("bleu", "wer"), k=2, text="segments")["table"]


def test_foreign_texts_are_named_where_they_come_nearest(foreign):
    figure = pictured("foreign-texts", {"table": foreign}, metrics="bleu,wer")
    assert is_drawn(figure)
    bleu, wer = panels(figure.spec)
    for panel, metric, sign in ((bleu, "bleu", 1), (wer, "wer", -1)):
        own = [row for row in foreign if row["metric"] == metric]
        # Five systems and three references that are true, and three that are not.
        assert len(values(panel, "point")) == len(own) == 11
        worst = min((row for row in own if row["kind"] != "foreign"), key=lambda row: sign * row["mean"])
        best = max((row for row in own if row["kind"] == "foreign"), key=lambda row: sign * row["mean"])
        assert sorted(filter(None, texts(panel))) == sorted([worst["system"], best["system"]])
        # The text itself stands above the others, and its worst translation first.
        assert layers(panel, "point")[0]["encoding"]["y"]["scale"]["domain"][0] == own[0]["text"]
    assert layers(wer, "point")[0]["encoding"]["x"]["scale"]["reverse"]
    shapes = {row["kind"]: row["shape"] for row in values(bleu, "point")}
    assert shapes == {"human": "circle", "system": "square", "foreign": "triangle-up"}
    assert "green squares systems" in " ".join(figure.spec["title"]["subtitle"])
    people = [row for row in foreign if row["kind"] != "system"]
    said = " ".join(pictured("foreign-texts", {"table": people}, metrics="bleu,wer").spec["title"]["subtitle"])
    assert "Blue circles are true human translations, orange triangles other texts." in said


@pytest.fixture(scope="module")
def distribution():
    return studied("score-distribution", kind="adequacy", metrics="bleu", bins=10)


def test_score_distribution_has_one_height_for_all_groups(distribution):
    rows, bins = distribution["table"], distribution["histograms"]
    figure = pictured("score-distribution", distribution)
    assert is_drawn(figure)
    people, equal = panels(figure.spec)
    assert [len(values(panel, "rect")) for panel in (people, equal)] == [10, 10]
    whole = next(row for row in rows if (row["group"], row["system"]) == ("human", "all"))
    assert f"mean {whole['mean']:.1f}, SD {whole['sd']:.1f}" in texts(people)
    assert people["title"]["subtitle"] == ["A, B, C; 2 references each"]
    tops = [layers(panel, "rect")[0]["encoding"]["y"]["scale"]["domain"] for panel in (people, equal)]
    assert tops[0] == tops[1] == [0.0, pytest.approx(1.18 * max(row["share"] for row in bins))]
    # All shares of a group are 100 %.
    assert sum(row["count"] for row in values(people, "rect")) == pytest.approx(100)


def undefined(tables, *columns):
    return {**tables, "table": [row | dict.fromkeys(columns) for row in tables["table"]]}


def test_where_no_correlation_is_defined_it_is_said(recipes, followed, documents):
    for name, tables in (
        ("case-and-stem", undefined(recipes, "correlation")),
        ("correlations", undefined(followed, "differences")),
        ("pseudo-documents", undefined(documents, "correlation")),
        ("reference-count", {"table": []}),
    ):
        with pytest.raises(InputError, match="nothing to draw: the people, or every metric, give all the same score"):
            pictured(name, tables)


NAMED = "</script><script>alert(1)</script>\x9b\x85\n"
#: Of a fixture's tables, which study draws them, and which columns hold names that strangers chose.
OF_STRANGERS = {
    "greedy": ("greedy-matching", {"table": ("system",)}),
    "recipes": ("case-and-stem", {"table": ("metric",)}),
    "followed": ("correlations", {"table": ("metric",), "points": ("metric",)}),
    "documents": ("pseudo-documents", {"table": ("curve",), "points": ("first", "second")}),
    "foreign": ("foreign-texts", {"table": ("text", "system")}),
    "distribution": ("score-distribution", {"table": ("system",), "histograms": ()}),
}


@pytest.mark.parametrize("name", OF_STRANGERS)
def test_nobodys_name_breaks_a_picture(request, name):
    study, columns = OF_STRANGERS[name]
    given = request.getfixturevalue(name)
    tables = given if isinstance(given, dict) else {"table": given}
    # Judges' own curve has no references, and its name is ours.
    kept = {table: [row for row in tables[table] if row.get("references", 1)] for table in columns}
    spoilt = {table: hostile(kept[table], *names) for table, names in columns.items()}
    options = {"kind": NAMED} if name == "followed" else {}
    figure = pictured(study, spoilt, campaign=NAMED, **options)
    assert is_drawn(figure)
    assert "<script>alert" not in figure.to_bytes("html").decode()
