"""Pictures of metrics beside people and of people beside each other, drawn from the rows of what the demo gives."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from assay.errors import InputError
from assay.people import pictures
from assay.results.charts import COLORS, GREY
from results.drawn import HOSTILE, hostile, is_drawn, layers, texts, values

pytest.importorskip("vl_convert", reason="figures need the extra plots")
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

SAID = "demo, adequacy, 5 systems; bars span 95 % of 50 samples of segments"
RATED = "adequacy: 900 ratings by 3 raters"


def panels(spec):
    """Pictures with layers, line by line."""
    inner = [*spec.get("vconcat", ()), *spec.get("hconcat", ())]
    return [spec] if "layer" in spec else [panel for one in inner for panel in panels(one)]


@pytest.fixture(scope="module")
def meta():
    return assay.meta_evaluate(CAMPAIGN, "bleu,ter", kind="adequacy", samples=50, with_humans=True).to_dict()


@pytest.fixture(scope="module")
def judges():
    return assay.agreement(CAMPAIGN, kind="adequacy", samples=20, splits=5).to_dict()


@pytest.fixture(scope="module")
def ratings():
    """Each rater's score of each translation."""
    with Path(CAMPAIGN, "human.tsv").open() as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["kind"] == "adequacy"]
    found = {}
    for row in rows:
        found.setdefault(row["rater"], {})[row["system"], row["segment"]] = float(row["score"])
    return found


def counted(ratings, first, second):
    pairs = Counter((ratings[first][item], ratings[second][item]) for item in ratings[first])
    return [{"first": one, "second": other, "items": items} for (one, other), items in sorted(pairs.items())]


def test_correlations_show_a_level_each_with_the_best_metric_first(meta):
    figure = pictures.correlations(meta["results"], said=SAID)
    assert is_drawn(figure)
    shown = panels(figure.spec)
    assert [panel["title"]["text"] for panel in shown] == [
        "system level: pearson",
        "document level: pearson, all together",
        "segment level: kendall, within segments",
    ]
    own = [row for row in meta["results"] if (row["level"], row["statistic"]) == ("system", "pearson")]
    assert {row["name"]: (row["low"], row["value"], row["high"]) for row in values(shown[0], "point")} == {
        row["metric"]: (row["low"], row["value"], row["high"]) for row in own
    }
    # The dashed line is what a perfect metric would reach, and the picture says so.
    assert values(shown[0], "rule")[0]["at"] == own[0]["ceiling"]
    assert "dashed: what a metric that knows the true quality would reach" in str(figure.spec["title"])
    best = max(own, key=lambda row: row["value"])["metric"]
    assert layers(shown[0], "point")[0]["encoding"]["y"]["scale"]["domain"][0] == best
    assert texts(shown[0])[0] == f"{max(row['value'] for row in own):.2f}"


def test_a_statistic_that_was_not_measured_gives_way_to_the_first_that_was():
    row = {"metric": "bleu", "level": "system", "statistic": "kendall", "grouping": None, "ceiling": None}
    figure = pictures.correlations([row | {"value": 0.5, "low": None, "high": None}], said="")
    [panel] = panels(figure.spec)
    assert panel["title"]["text"] == "system level: kendall"
    assert "dashed" not in str(figure.spec["title"])
    with pytest.raises(InputError, match="No statistic has a value"):
        pictures.correlations([row | {"value": None, "low": None, "high": None}], said="")


@pytest.mark.parametrize(
    ("found", "range_"),
    [
        # What lies between 0.90 and 0.98 fills the picture, which began at 0; with a twentieth of 0.1 at both ends.
        ([(0.95, 0.92, 0.98), (0.93, 0.90, 0.96)], (0.875, 0.985)),
        # A value without an interval may be below 0, where it was not to be seen.
        ([(-0.4, None, None), (0.6, 0.5, 0.7)], (-0.455, 0.755)),
        # Above 1, as corrected for noise.
        ([(1.1, 0.9, 1.3)], (0.88, 1.32)),
    ],
)
def test_correlations_fill_their_picture_and_all_are_seen(found, range_):
    rows = [
        {"metric": f"m{place}", "level": "system", "statistic": "pearson", "grouping": None, "value": value, "low": low}
        | {"high": high, "ceiling": None}
        for place, (value, low, high) in enumerate(found)
    ]
    [point] = layers(pictures.correlations(rows, said=SAID).data, "point")
    assert point["encoding"]["x"]["scale"]["domain"] == pytest.approx(list(range_))


def test_systems_are_named_beside_both_of_their_scores(meta):
    figure = pictures.systems(meta["points"], meta["results"], kind="adequacy", said=SAID)
    assert is_drawn(figure)
    bleu, ter = panels(figure.spec)
    points = {row["name"]: (row["x"], row["y"]) for row in values(bleu, "point")}
    assert points == {row["system"]: (row["human"], row["score"]) for row in meta["points"] if row["metric"] == "bleu"}
    assert set(texts(bleu)) == {"compass", "gravel", "human", "lantern", "rosetta"}
    pearson = next(row for row in meta["results"] if (row["metric"], row["statistic"]) == ("bleu", "pearson"))
    assert bleu["title"]["text"].startswith(f"bleu: Pearson {pearson['value']:.2f} (")
    # Errors are upside down, so that better is up.
    assert [layers(panel, "point")[0]["encoding"]["y"]["scale"]["reverse"] for panel in (bleu, ter)] == [False, True]


def test_a_system_far_from_the_others_is_orange(meta):
    points = [row | {"outlier": row["system"] == "gravel"} for row in meta["points"]]
    figure = pictures.systems(points, kind="adequacy", said=SAID)
    assert {row["name"] for row in values(figure.spec, "point") if row["kind"] == "far"} == {"gravel"}
    assert "(gravel)" in figure.spec["title"]["subtitle"][1]
    colors = {(row["name"], row["color"]) for row in values(figure.spec, "point")}
    assert {color for name, color in colors if name != "gravel"} == {COLORS[0]}
    assert ("gravel", COLORS[1]) in colors


def test_differences_count_the_pairs_that_agree():
    row = {"metric": "ter", "higher_is_better": False, "outlier": False}
    points = [
        row | {"system": name, "human": human, "score": score}
        for name, human, score in (("a", 3.0, 50.0), ("b", 2.0, 40.0), ("c", 1.0, 60.0))
    ]
    figure = pictures.differences(points, said=SAID)
    assert is_drawn(figure)
    # Of errors less is better: people find a better than b by 1, TER worse by 10; both agree on the other two pairs.
    dots = [(row["x"], row["y"], row["color"]) for row in values(figure.spec, "point")]
    assert dots == [(1.0, -10.0, COLORS[1]), (2.0, 10.0, COLORS[0]), (1.0, 20.0, COLORS[0])]
    [panel] = panels(figure.spec)
    assert panel["title"]["text"] == "ter: 2 of 3 pairs in the same order"


def test_differences_of_the_demo_are_ten_pairs_per_metric(meta):
    shown = panels(pictures.differences(meta["points"], said=SAID).spec)
    assert [len(values(panel, "point")) for panel in shown] == [10, 10]
    with pytest.raises(InputError, match="which were not measured: --level system"):
        pictures.differences([], said="")


def test_top_runs_from_all_systems_to_the_best(meta):
    figure = pictures.top(meta["top"], said="demo, adequacy, 5 systems")
    assert is_drawn(figure)
    own = [row for row in meta["top"] if row["statistic"] == meta["top"][0]["statistic"]]
    assert {(row["name"], row["x"]): row["y"] for row in values(figure.spec, "line")} == {
        (row["metric"], row["n"]): row["value"] for row in own
    }
    assert layers(figure.spec, "line")[0]["encoding"]["x"]["scale"]["reverse"]
    assert set(texts(figure.spec)) == {"bleu", "ter"}
    with pytest.raises(InputError, match="at least four systems"):
        pictures.top([], said="")


def test_two_judges_are_counted_score_by_score(judges, ratings):
    statistics = {
        row["statistic"]: row
        for row in judges["pairs"]
        if (row["a"], row["b"]) == ("anna", "carmen") and row["statistic"] in ("pearson", "spearman", "kendall")
    }
    counts = counted(ratings, "anna", "carmen")
    figure = pictures.judges(counts, statistics, first="anna", second="carmen", kind="adequacy")
    assert is_drawn(figure)
    over, cloud, beside = panels(figure.spec)
    assert sum(row["items"] for row in counts) == 300
    assert {(row["x"], row["y"]) for row in values(cloud, "point")} == {(row["first"], row["second"]) for row in counts}
    # The largest disc fills 0.72 of its cell, of which there are 5.4 in 380 pixels; area is number.
    most = max(row["items"] for row in counts)
    sizes = {(row["x"], row["y"]): row["size"] for row in values(cloud, "point")}
    assert max(sizes.values()) == pytest.approx(0.72 * (380 / 5.4) ** 2)
    assert sizes[5.0, 5.0] == pytest.approx(
        next(row["items"] for row in counts if (row["first"], row["second"]) == (5, 5)) / most * max(sizes.values())
    )
    assert sorted(int(text) for text in texts(cloud) if text) == sorted(row["items"] for row in counts)
    # At the sides every score of either judge is counted: 300 each.
    assert [sum(row["count"] for row in values(panel, "rect")) for panel in (over, beside)] == [300, 300]
    assert f"Pearson {statistics['pearson']['value']:.2f} (" in " ".join(figure.spec["title"]["subtitle"])


def test_who_is_milder_is_said():
    # Of ten items four are the same; of the other six the second judge gives more to five.
    counts = [
        {"first": 1, "second": 1, "items": 4},
        {"first": 1, "second": 2, "items": 5},
        {"first": 2, "second": 1, "items": 1},
    ]
    figure = pictures.judges(counts, {}, first="a", second="b", kind="da")
    assert figure.title == "a and b give 40% of items the same score; else b is milder in 83%"
    assert pictures.judges(counts[:1], {}, first="a", second="b", kind="da").title.endswith(
        "always give the same score"
    )
    with pytest.raises(InputError, match="no items in common"):
        pictures.judges([], {}, first="a", second="b", kind="da")


def test_continuous_scores_are_a_cloud():
    generator = np.random.default_rng(1)
    counts = [{"first": one, "second": other, "items": 1} for one, other in generator.normal(size=(30, 2)).tolist()]
    figure = pictures.judges(counts, {}, first="a", second="b", kind="da")
    assert is_drawn(figure)
    over, cloud, _ = panels(figure.spec)
    assert len(values(cloud, "point")) == 30
    assert not any(texts(cloud))
    assert sum(row["count"] for row in values(over, "rect")) == 30


def test_the_most_severe_rater_is_on_top(judges):
    figure = pictures.severity(judges["raters"], said=RATED)
    assert is_drawn(figure)
    assert figure.title.startswith("bilal is the most severe rater, anna the mildest: 0.51")
    dots, key = panels(figure.spec)
    assert [(row["name"], row["kind"]) for row in values(dots, "point")] == [
        ("bilal", "more severe"), ("carmen", "not told from the average"), ("anna", "milder"),
    ]  # fmt: skip
    assert texts(dots) == ["−0.26", "+0.25", "+0.01"]
    assert texts(key)[:3] == ["more severe", "not told from the average", "milder"]


def test_of_many_raters_those_at_both_ends_are_drawn():
    row = {"severity_low": 0.0, "severity_high": 0.0}
    figure = pictures.severity([row | {"rater": f"r{place}", "severity": -place} for place in range(50)], said="da")
    assert len(values(figure.spec, "point")) == 40 + 3
    assert "40 of 50 raters, from both ends" in figure.spec["title"]["subtitle"][0]
    with pytest.raises(InputError, match="at least two raters"):
        pictures.severity([row | {"rater": "r", "severity": None}], said="da")


def quantiles(ratings, scores):
    rows = []
    for rater, own in ratings.items():
        given = np.array(list(own.values()))
        given = given if scores == "raw" else (given - given.mean()) / given.std(ddof=1)
        levels = np.quantile(given, (0.05, 0.25, 0.5, 0.75, 0.95))
        named = dict(zip(("p5", "p25", "p50", "p75", "p95"), levels, strict=True))
        rows.append({"rater": rater, "scores": scores, "mean": given.mean(), **named})
    return rows


def test_distributions_before_and_after(ratings):
    rows = [*quantiles(ratings, "raw"), *quantiles(ratings, "normalised")]
    figure = pictures.distributions(rows, method="z", meaning="per rater: less the mean", said=RATED)
    assert is_drawn(figure)
    raw, after = panels(figure.spec)
    assert [len(values(panel, "tick")) for panel in (raw, after)] == [3, 3]
    for panel, own in ((raw, rows[:3]), (after, rows[3:])):
        shown = {row["name"]: row for row in values(panel, "point")}
        for row in own:
            drawn = shown[row["rater"]]
            assert [drawn[name] for name in ("low", "from", "to", "high", "value")] == pytest.approx(
                [row[name] for name in ("p5", "p25", "p75", "p95", "mean")]
            )
    # Of z-scores all means are 0.
    assert figure.title == "Mean scores of raters lie between 3.53 and 4.05 before, and come closer after"
    assert figure.spec["title"]["subtitle"][1].endswith("Per rater: less the mean.")


def test_normalisation_has_a_line_per_system_and_a_place_per_method(judges):
    figure = pictures.normalisation(judges["normalisation"], judges["effect"], said=RATED)
    assert is_drawn(figure)
    methods = list(dict.fromkeys(row["method"] for row in judges["normalisation"]))
    drawn = {(row["name"], methods[int(row["x"])]): row["y"] for row in values(figure.spec, "line")}
    assert drawn == {(row["system"], row["method"]): row["rank"] for row in judges["normalisation"]}
    assert figure.title == "No normalisation changes the order of the systems"
    assert {row["color"] for row in values(figure.spec, "line")} == {GREY}
    assert "z 1.00" in figure.spec["title"]["subtitle"][1]


def test_systems_that_change_places_have_colours():
    places = {"none": ("a", "b", "c"), "z": ("b", "a", "c")}
    rows = [
        {"method": method, "system": system, "rank": rank}
        for method, order in places.items()
        for rank, system in enumerate(order, start=1)
    ]
    figure = pictures.normalisation(rows, [], said="da")
    assert figure.title == "2 of 3 systems change places with the normalisation"
    colors = {row["name"]: row["color"] for row in values(figure.spec, "line")}
    assert colors == {"a": COLORS[0], "b": COLORS[1], "c": GREY}
    with pytest.raises(InputError, match="at least two systems"):
        pictures.normalisation(rows[:1], [], said="da")


DRAWN_OF_STRANGERS = {
    "correlations": lambda meta, _: pictures.correlations(hostile(meta["results"], "metric"), said=HOSTILE[0]),
    "systems": lambda meta, _: pictures.systems(
        hostile(meta["points"], "metric", "system"), kind=HOSTILE[0], said=HOSTILE[1]
    ),
    "differences": lambda meta, _: pictures.differences(hostile(meta["points"], "metric", "system"), said=HOSTILE[0]),
    "top": lambda meta, _: pictures.top(hostile(meta["top"], "metric"), said=HOSTILE[0]),
    "judges": lambda _, __: pictures.judges(
        [{"first": 1, "second": 2, "items": 3}], {}, first=HOSTILE[0], second=HOSTILE[1], kind=HOSTILE[3]
    ),
    "severity": lambda _, judges: pictures.severity(hostile(judges["raters"], "rater"), said=HOSTILE[0]),
    "normalisation": lambda _, judges: pictures.normalisation(
        hostile(judges["normalisation"], "system"), judges["effect"], said=HOSTILE[0]
    ),
}


@pytest.mark.parametrize("name", DRAWN_OF_STRANGERS)
def test_nobodys_name_breaks_a_picture(meta, judges, name):
    figure = DRAWN_OF_STRANGERS[name](meta, judges)
    assert is_drawn(figure)
    assert "<script>alert" not in figure.to_bytes("html").decode()
