"""The seven kinds of picture: what is shown where, and that nobody's name can break them."""

from __future__ import annotations

import itertools
import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from assay.errors import InputError
from assay.results import charts, figure
from assay.results.charts import COLORS, GREY, Axis, Mark
from results.drawn import HOSTILE, is_drawn, layers, texts, values

MERGES = [{"first": 0, "second": 1, "height": 1.0}, {"first": 2, "second": 3, "height": 4.0}]


def dots(names, **options):
    rows = [{"n": name, "v": place / 4, "l": place / 4 - 0.1, "h": place / 4 + 0.1} for place, name in enumerate(names)]
    return charts.interval_dots(rows, name="n", value="v", ends=("l", "h"), **options)


def one_of_each(names):
    """All primitives with these names wherever names can stand."""
    rows = [{"n": name, "x": place, "y": place**2, "g": name} for place, name in enumerate(names)]
    curves = [{"n": name, "x": x, "y": x * place} for place, name in enumerate(names) for x in (1, 2)]
    bins = [{"a": 0, "b": 1, "c": 3}]
    merges = [{"first": 0, "second": 1, "height": 1.0}]
    merges += [{"first": place, "second": len(names) + place - 2, "height": place} for place in range(2, len(names))]
    return {
        "key": charts.key(charts.palette(names), title=names[0]),
        "interval_dots": dots(names, label="n", kind="n", marks=[Mark(0.5, names[0])], heading=names[1]),
        "scatter": charts.scatter(rows, x="x", y="y", name="n", label="n", kind="g", regression=True),
        "lines": charts.lines(
            curves, x="x", y="y", series="n", names=("left", "right"),
            across=Axis(title=names[0], ticks=[1, 2], labels=[names[0], list(names)]),
        ),
        "histogram": charts.histogram(bins, start="a", end="b", count="c", mean=0.4, label=names[0], heading=names),
        "heat_grid": charts.heat_grid(
            rows, column="n", line="g", shade="x", text="n", below="n", across=names[0], split="i"
        ),
        "bars": charts.bars(rows, name="n", value="x", group="g", label="n", stacked=True),
        "dendrogram": charts.dendrogram(merges, names=names),
        "branching": charts.branching(
            [
                {"node": place, "parent": place - 1 if place else None, "condition": name, "said": name, "n": place}
                for place, name in enumerate(names)
            ],
            shares={"n": names[0]}, colors={names[0]: GREY}, heading=names,
        ),
    }  # fmt: skip


@pytest.mark.parametrize("kind", one_of_each(["a", "b", "c"]))
def test_no_name_breaks_a_picture_or_stops_the_program(kind):
    pytest.importorskip("vl_convert")
    figure = charts.figure(kind, one_of_each(HOSTILE)[kind], HOSTILE[0], HOSTILE)
    assert is_drawn(figure)
    page = figure.to_bytes("html").decode()
    assert "<script>alert" not in page
    assert page.lower().count("</script>") == 2
    assert not set("\x9b\x85\u2028\ud800") & set(page.partition("vegaEmbed('#picture'")[2])


def test_a_title_does_not_leave_the_attribute_it_stands_in():
    pytest.importorskip("vl_convert")
    image = charts.figure("f", dots(["a"]), 'a" onload="alert(1)').to_image()
    assert 'alt="a&quot; onload=&quot;alert(1)" src="data:' in image


@pytest.mark.parametrize(
    ("places", "moved"),
    [
        # Two that touch stand around their middle, 1.05; a third that is far away stays.
        (([1.0, 1.1, 5.0], {}), [0.55, 1.55, 5.0]),
        # Three of the same: one stays, the others stand above and below, the first of them first.
        (([2.0, 2.0, 2.0], {}), [1.0, 2.0, 3.0]),
        # The pair around 9.25 would reach 9.75, which is too high.
        (([9.5, 9.0], {"high": 9.6}), [9.6, 8.6]),
        (([0.1, 0.0], {"low": 0.0}), [1.0, 0.0]),
        # Four need three gaps, and there is room for two: the end gives way.
        (([0.0, 0.0, 0.0, 0.0], {"low": 0.0, "high": 2.0}), [0.0, 1.0, 2.0, 3.0]),
        (([], {}), []),
    ],
)
def test_names_are_moved_apart_and_stay_near(places, moved):
    given, limits = places
    assert charts.spread(given, 1.0, **limits) == pytest.approx(moved)


def test_what_is_not_finite_is_left_out_and_an_interval_without_an_end_ends_in_its_dot():
    rows = [
        {"n": "known", "v": np.float64(0.5), "l": math.nan, "h": np.float32(0.75)},
        {"n": "unknown", "v": math.nan, "l": 0.0, "h": 1.0},
        {"n": "none", "v": None, "l": 0.0, "h": 1.0},
    ]
    spec = charts.interval_dots(rows, name="n", value="v", ends=("l", "h"))
    [rule] = values(spec, "rule")
    assert (rule["name"], rule["low"], rule["value"], rule["high"]) == ("known", 0.5, 0.5, 0.75)
    assert [row["name"] for row in values(spec, "point")] == ["known"]


@pytest.mark.parametrize("value", [None, math.nan, math.inf, "many"])
def test_without_a_number_there_is_nothing_to_draw(value):
    with pytest.raises(InputError, match="nothing to draw"):
        charts.interval_dots([{"n": "a", "v": value}], name="n", value="v")


def test_numbers_stand_on_the_outer_side_of_a_line_at_zero():
    rows = [{"n": "up", "v": 0.4, "t": "+0.4"}, {"n": "down", "v": -0.4, "t": "−0.4"}]
    spec = charts.interval_dots(rows, name="n", value="v", label="t", axis=Axis(zero=True))
    left, right = layers(spec, "text")
    assert (texts({"layer": [left]}), left["mark"]["align"]) == (["−0.4"], "right")
    assert (texts({"layer": [right]}), right["mark"]["align"]) == (["+0.4"], "left")
    # From -0.4 to 0.4 with a margin of 5 %, and room for the number that would cover names: 0.8 (0.05 + 0.12). That on
    # the right stands beyond the axis, so that no tick is higher than what there is: a correlation has no 1.1.
    assert right["encoding"]["x"]["scale"]["domain"] == pytest.approx([-0.4 - 0.8 * 0.17, 0.4 + 0.8 * 0.05])


def test_groups_stand_below_each_other_in_the_line_of_a_name():
    rows = [{"n": name, "g": group, "v": 1.0} for name in ("a", "b", "c") for group in ("x", "y")]
    spec = charts.interval_dots(rows, name="n", value="v", group="g", order=["c"], step=16)
    [point] = layers(spec, "point")
    assert point["encoding"]["y"]["scale"]["domain"] == ["c", "a", "b"]
    assert point["encoding"]["yOffset"]["scale"]["domain"] == ["x", "y"]
    # Three names, each with two lines of 16 pixels and 8 between.
    assert spec["height"] == 3 * (2 * 16 + 8)
    assert {row["group"]: row["color"] for row in values(spec, "point")} == {"x": "#0072B2", "y": "#D55E00"}


def test_a_dot_whose_groups_are_not_all_there_stands_in_the_middle_of_its_line():
    rows = [{"n": name, "g": group, "v": 1.0} for name, group in ("ax", "az", "by", "cz", "cx")]
    spec = charts.interval_dots(rows, name="n", value="v", group="g", step=16)
    # Of three groups no name has more than two: half a place above the middle, half a place below, or in the middle.
    assert spec["height"] == 3 * (2 * 16 + 8)
    [point] = layers(spec, "point")
    assert point["encoding"]["yOffset"]["scale"]["domain"] == [-1, 1]
    found = [(row["name"], row["group"], row["lane"]) for row in values(spec, "point")]
    assert found == [("a", "x", -0.5), ("a", "z", 0.5), ("b", "y", 0.0), ("c", "z", 0.5), ("c", "x", -0.5)]
    assert is_drawn(charts.figure("f", spec, "f"))


def test_texts_beside_dots_cover_neither_dots_nor_each_other():
    # On 300 pixels for 0 to 100 they are 24 apart, and 1,073 is 30 wide; the last is far away.
    rows = [{"x": x, "y": 50.0, "t": text} for x, text in ((54, "780"), (46, "1,073"), (62, "146"), (90, "74"))]
    axes = {"across": Axis(domain=(0.0, 100.0)), "up": Axis(domain=(0.0, 100.0))}
    spec = charts.scatter(rows, x="x", y="y", label="t", **axes)
    down = {row["text"]: layer["mark"]["dy"] for layer in layers(spec, "text") for row in layer["data"]["values"]}
    # From left to right: above its line, below it for the text before, and in it where nothing is near.
    assert down == {"1,073": -12.0, "780": 12.0, "146": 0.0, "74": 0.0}


def test_words_above_the_picture_are_moved_apart():
    spec = dots(["a", "b"], marks=[Mark(0.10, "first"), Mark(0.11, "other")], axis=Axis(domain=(-1, 2)), width=900)
    [words] = layers(spec, "text")
    # Five letters of 6 pixels: around 331.5, where both lines are, they stand 30 apart.
    assert [row["x"] for row in words["data"]["values"]] == pytest.approx([316.5, 346.5])


def test_names_of_dots_have_a_line_each_and_are_joined_to_them():
    rows = [{"s": f"system {place}", "x": place, "y": 0.001 * place} for place in range(30)]
    spec = charts.scatter(rows, x="x", y="y", name="s", width=320, height=100)
    # Thirty lines of 13 pixels.
    assert spec["height"] == 390
    [words] = layers(spec, "text")
    places = sorted(row["y"] for row in words["data"]["values"])
    assert min(b - a for a, b in itertools.pairwise(places)) >= charts.LINE - 1e-6
    assert next(row["px"] for row in layers(spec, "rule")[-1]["data"]["values"]) == pytest.approx(
        # 0 of -1.45 to 30.45, a margin of 5 % of 29.
        320 * 1.45 / 31.9
    )


def test_a_curve_is_named_where_it_ends():
    rows = [{"c": "long", "x": x, "y": x} for x in (1, 2, 3)] + [{"c": "short", "x": x, "y": x + 1} for x in (1, 2)]
    spec = charts.lines(rows, x="x", y="y", series="c", up=Axis(domain=(0, 4)), width=200, height=100)
    at_edge, beside = layers(spec, "text")
    [long], [short] = (layer["data"]["values"] for layer in (at_edge, beside))
    # The long one ends at the right, 3 of 4 up; the short one half way, at 3 as well.
    assert (long["text"], long["py"]) == ("long", 25.0)
    assert (short["name"], short["px"], short["py"]) == ("short", 100.0, 25.0)


def test_bands_are_drawn_only_where_both_ends_are_known():
    rows = [{"c": "a", "x": x, "y": 1, "l": low, "h": 2} for x, low in ((1, 0), (2, None), (3, 0.5))]
    spec = charts.lines(rows, x="x", y="y", series="c", ends=("l", "h"))
    assert [row["x"] for row in values(spec, "area")] == [1, 3]
    assert len(values(spec, "line")) == 3
    assert not layers(charts.lines(rows, x="x", y="y", series="c", ends=("l", "h"), ranges=True), "area")


def test_series_are_moved_against_each_other():
    rows = [{"c": name, "x": 1, "y": 1} for name in "abc"]
    spec = charts.lines(rows, x="x", y="y", series="c", nudge=0.1)
    assert [row["x"] for row in values(spec, "line")] == pytest.approx([0.9, 1.0, 1.1])


def test_a_place_on_a_logarithmic_axis():
    axis = Axis(log=True).over([1, 100])
    # 10 is half way between 1 and 100.
    assert axis.place(10, 300) == pytest.approx(150)
    assert Axis(domain=(0, 4)).place(1, 100, up=True) == 75
    assert Axis(domain=(0, 4), reverse=True).place(1, 100, up=True) == 25
    # What has no logarithm is drawn as it is.
    assert not Axis(log=True).over([0, 100]).log


def test_a_single_value_still_has_an_axis():
    # A twentieth of 5 to either side, and of the half that this is a twentieth again.
    assert Axis().over([5.0, 5.0]).domain == pytest.approx((4.725, 5.275))
    # An accuracy of 1 for all metrics has no 1.02 beside it.
    assert Axis().over([5.0, 5.0]).ticks == [5.0]
    assert Axis(ticks=[4, 6]).over([5.0]).ticks == [4, 6]
    assert Axis().over([]).domain == pytest.approx((-0.05, 1.05))
    assert Axis(zero=True).over([10.0]).domain == pytest.approx((0.0, 10.5))


def test_bars_of_a_stack_begin_where_the_last_one_ends():
    rows = [{"n": "a", "g": group, "v": value} for group, value in (("x", 3), ("y", 2), ("z", -1), ("w", -2))]
    spec = charts.bars(rows, name="n", value="v", group="g", stacked=True)
    assert [(row["from"], row["to"]) for row in values(spec, "bar")] == [(0, 3), (3, 5), (0, -1), (-1, -3)]
    beside = charts.bars(rows, name="n", value="v", group="g")
    assert [(row["from"], row["to"]) for row in values(beside, "bar")] == [(0, 3), (0, 2), (0, -1), (0, -2)]


def test_cells_are_coloured_by_how_far_they_are_from_zero():
    rows = [{"c": place, "l": "m", "v": value, "t": "", "b": value == 2} for place, value in enumerate((2, 1, 0, -4))]
    spec = charts.heat_grid(
        rows, column="c", line="l", shade="v", text="t", bold="b", colors=("#000000", "#FFFFFF", "#0000FF")
    )
    # 4 is the most: a half of blue, a quarter of blue (255 less a quarter is 191), white, black.
    assert [row["color"] for row in values(spec, "rect")] == ["#8080FF", "#BFBFFF", "#FFFFFF", "#000000"]
    assert [row["ink"] for row in values(spec, "rect")] == ["#222222", "#222222", "#222222", "white"]
    plain, bold = layers(spec, "text")
    assert (len(plain["data"]["values"]), len(bold["data"]["values"])) == (3, 1)
    assert bold["mark"]["fontWeight"] == "bold"


def test_a_histogram_has_its_mean_and_one_deviation_within_its_range():
    rows = [{"a": 0, "b": 1, "c": 4}, {"a": 1, "b": 2, "c": 0}]
    spec = charts.histogram(rows, start="a", end="b", count="c", mean=0.5, sd=0.8, label="mean 0.5")
    line, deviation = values(spec, "rule")
    assert line["mean"] == 0.5
    # 0.5 ± 0.8, cut at 0; at 93 % of the height, which is 1.18 times that of the highest bar.
    assert (deviation["from"], deviation["to"], deviation["top"]) == pytest.approx((0, 1.3, 0.93 * 1.18 * 4))


def test_a_tree_joins_names_half_way_between_them():
    spec = charts.dendrogram(MERGES, names=["a", "b", "c"], step=20, cut=2.0)
    # The last merge, 2 and 3, is the root: c is first, then a and b, at 10, 30 and 50 pixels.
    assert {row["text"]: row["y"] for row in values(spec, "text")} == {"c": 10, "a": 30, "b": 50}
    cut, *joins = values(spec, "rule")
    assert cut == {"at": 2.0}
    assert [(row["from"], row["to"], row["y"], row["y2"]) for row in joins] == [
        (0, 1, 30, 30), (0, 1, 50, 50), (1, 1, 30, 50),
        (0, 4, 10, 10), (1, 4, 40, 40), (4, 4, 10, 40),
    ]  # fmt: skip


def test_a_tree_needs_a_merge_less_than_it_has_names():
    with pytest.raises(InputError, match="4 names takes 3 merges, and there are 2"):
        charts.dendrogram(MERGES, names=["a", "b", "c", "d"])


def test_panels_fill_line_after_line():
    spec = charts.panels([dots([name]) for name in "abcde"], columns=2)
    assert [len(line["hconcat"]) for line in spec["vconcat"]] == [2, 2, 1]
    assert "hconcat" in charts.panels([dots(["a"])])


def test_the_title_of_a_figure_does_not_replace_the_heading_of_a_panel():
    figure = charts.figure("f", dots(["a"], heading=["panel", "and more"]), "whole", ["below"])
    assert (figure.name, figure.title, figure.spec["title"]["text"]) == ("f", "whole", "whole")
    [panel] = figure.spec["hconcat"]
    assert (panel["title"]["text"], panel["title"]["subtitle"]) == ("panel", ["and more"])
    assert figure.spec["config"]["font"] == "Helvetica, Arial, sans-serif"


def test_titles_are_no_longer_than_their_picture_is_wide():
    panel = dots(["a"], width=340)
    drawn = charts.figure(
        "f", panel, "anna and bilal give 48% of items the same score; else anna is milder", ["x " * 40]
    )
    # 340 pixels are 40 letters of a title and 56 of the lines below it.
    assert drawn.spec["title"]["text"] == ["anna and bilal give 48% of items the", "same score; else anna is milder"]
    assert list(map(len, drawn.spec["title"]["subtitle"])) == [55, 23]
    assert drawn.title == "anna and bilal give 48% of items the same score; else anna is milder"
    # Two panels side by side have room for both, and what is between them.
    wide = charts.figure(
        "f", charts.beside(panel, panel), "48% of items have the same score; else anna is milder than bilal"
    )
    assert wide.spec["title"]["text"] == wide.title


def test_a_range_that_is_given_grows_where_it_would_hide_data():
    assert Axis(domain=(0.0, 1.0)).over([0.2, 0.9]).domain == (0.0, 1.0)
    assert Axis(domain=(0.0, 1.0)).over([-0.3, None, 1.2]).domain == (-0.3, 1.2)
    # What a logarithm cannot show does not spoil the rest.
    assert Axis(domain=(1.0, 10.0), log=True).over([0.0, 20.0]).domain == (1.0, 20.0)
    # Dots lie at 0 and 0.25, their intervals reach from -0.1 to 0.35.
    encoding = layers(dots(["a", "b"], axis=Axis(domain=(0.0, 0.2))), "point")[0]["encoding"]
    assert encoding["x"]["scale"]["domain"] == [-0.1, 0.35]
    bars = charts.histogram([{"a": 0, "b": 1, "c": 8}], start="a", end="b", count="c", up=Axis(domain=(0.0, 5.0)))
    assert layers(bars, "rect")[0]["encoding"]["y"]["scale"]["domain"] == [0.0, 8.0]


def test_labels_at_the_ends_of_an_axis_stand_below_their_ticks():
    rows = [{"n": "a", "x": x, "y": x} for x in (1, 2)]
    spec = charts.lines(rows, x="x", y="y", series="n")
    assert layers(spec, "line")[0]["encoding"]["x"]["axis"]["labelFlush"] is False


def test_ticks_that_would_meet_are_left_out_but_never_the_ends():
    ticks = list(range(1, 101))
    axis = Axis(domain=(1, 100), ticks=ticks).spaced(200)
    assert (axis.ticks[0], axis.ticks[-1]) == (1, 100)
    # "100" takes 18 pixels, with 8 between two of them; a tick is 200 / 99 = 2.02 pixels from the next, so 13 apart.
    assert axis.ticks[:3] == [1, 14, 27]
    assert all(other - tick >= 13 for tick, other in itertools.pairwise(axis.ticks))
    assert Axis(domain=(1, 4), ticks=[1, 2, 3, 4]).spaced(200).ticks == [1, 2, 3, 4]
    # Named ticks are all wanted, and numbers of ticks are the converter's to choose.
    assert Axis(domain=(0, 2), ticks=[0, 1, 2], labels=["a", "b", "c"]).spaced(20).ticks == [0, 1, 2]
    assert Axis(domain=(0, 2), ticks=5).spaced(200).ticks == 5


def test_a_logarithmic_axis_has_ticks_from_end_to_end():
    ticks = Axis(domain=(0.05, 5.0), log=True).spaced(400).ticks
    assert ticks == pytest.approx([0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0])
    # Between two powers of ten there may be none of these.
    assert Axis(domain=(3.0, 4.0), log=True).spaced(400).ticks == [3.0, 4.0]


def test_forty_series_have_forty_colours():
    names = [f"metric {number}" for number in range(40)]
    colors = list(charts.palette(names).values())
    assert colors[: len(COLORS)] == list(COLORS)
    assert len(set(colors)) == 40
    # Those beside each other differ by a good part of what colours can differ by (441).
    for one, other in itertools.pairwise(colors):
        apart = [int(one[place : place + 2], 16) - int(other[place : place + 2], 16) for place in (1, 3, 5)]
        assert math.hypot(*apart) > 60


def test_beyond_the_colours_lines_are_dashed_and_dots_have_other_shapes():
    names = [f"m{number}" for number in range(10)]
    rows = [{"n": name, "x": x, "y": place * x} for place, name in enumerate(names) for x in (1, 2)]
    dashes = {row["name"]: tuple(row["dash"]) for row in values(charts.lines(rows, x="x", y="y", series="n"), "line")}
    assert dashes["m6"] == (1, 0)
    assert dashes["m7"] == (6, 3)
    spec = charts.scatter(rows, x="x", y="y", kind="n")
    assert {row["kind"]: row["shape"] for row in values(spec, "point")}["m6"] == "circle"
    assert {row["kind"]: row["shape"] for row in values(spec, "point")}["m7"] == "square"
    assert layers(spec, "point")[0]["encoding"]["shape"]["field"] == "shape"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # Without the mark 300 would be read as a part of the name, and stand on its left.
        ("שם, 300 translations", "שם\u200e, 300 translations"),
        ("حملة 2 (95 %), da", "حملة 2\u200e (95 %), da"),
        # A name with its number alone is as its language has it.
        ("שם 12", "שם 12"),
        ("bleu, 300 translations", "bleu, 300 translations"),
    ],
)
def test_numbers_behind_a_name_from_right_to_left_belong_to_our_words(text, shown):
    spec = charts.figure("x", dots(["a", "b"]), "title", [text]).data
    assert spec["title"]["subtitle"] == [shown]


def test_every_text_of_a_drawing_says_how_wide_it_is():
    pytest.importorskip("vl_convert")
    rows = [{"n": name, "v": 1.0} for name in ("Ab & c", "訳", "")]
    drawn = charts.figure("f", charts.interval_dots(rows, name="n", value="v"), "A" * 40 + " b").to_svg()
    written = {
        node.text: node.get("textLength") for node in ElementTree.fromstring(drawn).iter() if node.tag.endswith("}text")
    }
    # Of 12 pixels: A 667, b 556, c 500, & 667 and two blanks of 278 thousandths.
    assert written["Ab & c"] == f"{12 * 2.946:.1f}"
    # Whatever letter it is: how wide depends on the fonts that the converter finds.
    assert 5.0 <= float(written["訳"]) <= 13.0
    lines = [node for node in ElementTree.fromstring(drawn).iter() if node.tag.endswith("}tspan")]
    # Bold, of 15 pixels: forty times 722, and 611.
    assert [(node.text, node.get("textLength")) for node in lines] == [("A" * 40, "433.2"), ("b", "9.2")]


@pytest.mark.parametrize(("line", "same"), [("Krüger", "Kruger"), ("Čapková & Müller", "Capkova & Muller")])
def test_letters_with_marks_have_a_width_as_all_others(line, same):
    pytest.importorskip("vl_convert")
    # Marks make no letter of Helvetica wider; the name would be cut off at the left, where it ends in other fonts.
    rows = [{"n": name, "v": 1.0} for name in (line, same)]
    drawn = ElementTree.fromstring(charts.figure("f", charts.interval_dots(rows, name="n", value="v"), "t").to_svg())
    widths = {node.text: node.get("textLength") for node in drawn.iter() if node.text in (line, same)}
    assert widths[line] == widths[same]
    assert float(widths[same]) > 30.0


@pytest.mark.parametrize("bold", [False, True])
def test_letters_are_as_wide_as_the_converter_measures_them(bold):
    vl_convert = pytest.importorskip("vl_convert")
    # A text that decides how wide its picture is, of letters that no font draws nearer to some than to others.
    text = "".join(letter for letter in map(chr, range(33, 127)) if not letter.isalnum() or letter in "xnmBHO058")
    title = {"text": text, "fontSize": 100, "fontWeight": "bold" if bold else "normal", "anchor": "start"}
    spec = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "padding": 0, "title": title, "mark": "point"}
    spec |= {"width": 1, "height": 1, "data": {"values": []}, "config": {"font": "Helvetica, Arial, sans-serif"}}
    drawn = figure._as_wide_as_measured(vl_convert.vegalite_to_svg(spec))
    [width] = re.findall(r'viewBox="0 0 ([0-9.]+) ', drawn)
    assert float(re.search('textLength="([0-9.]+)"', drawn)[1]) == pytest.approx(float(width), rel=0.02)


@pytest.mark.parametrize(("group", "height"), [(None, 3 * 12), ("g", 3 * (12 + 8))])
def test_lines_of_one_group_are_as_far_apart_as_those_of_several(group, height):
    # Names of 12 pixels would touch each other in lines of 12.
    rows = [{"n": name, "g": "x", "v": 1.0} for name in "abc"]
    assert charts.interval_dots(rows, name="n", value="v", group=group, step=12)["height"] == height


def test_what_stands_below_a_heading_is_no_wider_than_its_panel():
    # At 6 pixels for a letter 50 of them are as wide as the panel; what is wider would push away its neighbour.
    systems = ", ".join(f"system-{number}" for number in range(8))
    rows = [{"from": 0.0, "to": 1.0, "n": 3}]
    spec = charts.histogram(rows, start="from", end="to", count="n", heading=["bleu", systems], width=300)
    lines = spec["title"]["subtitle"]
    assert len(lines) == 2
    assert max(map(len, lines)) <= 50
    assert " ".join(lines) == systems


def test_a_label_stands_on_the_side_that_is_said():
    rows = [{"n": name, "v": 1.0, "low": 0.5, "high": 2.0, "said": name, "side": side} for name, side in LABELLED]
    spec = charts.interval_dots(
        rows, name="n", value="v", ends=("low", "high"), label="said", label_side="side", axis=Axis(zero=True)
    )
    found = {
        row["text"]: (layer["mark"]["align"], layer["encoding"]["x"]["field"])
        for layer in layers(spec, "text")
        for row in layer["data"]["values"]
    }
    assert found == {"a": ("right", "low"), "b": ("left", "high")}


#: Names, and the side on which each is written.
LABELLED = (("a", "left"), ("b", "right"))


@pytest.mark.parametrize(
    ("subtitle", "name", "added"),
    [
        ("c: bars hold 95 %", "esa-1", ["kind: esa-1"]),
        # What is named there already is not said twice; a part of another name is no name.
        ("c, esa-1; bars hold 95 %", "esa-1", []),
        ("c-esa-1: bars hold 95 %", "esa-1", ["kind: esa-1"]),
        ("c: bars hold 95 %", "a\u0000b", ["kind: a␀b"]),
    ],
)
def test_a_picture_says_whose_it_is_once(subtitle, name, added):
    picture = charts.figure("f", dots(["a", "b"]), "title", [subtitle])
    assert charts.with_name(picture, "kind", name).data["title"]["subtitle"] == [subtitle, *added]


def test_a_picture_is_the_same_to_the_letter_whatever_was_drawn_before_it():
    pytest.importorskip("vl_convert")
    rows = [{"x": place, "y": place + 1, "t": 'url(#clip7)" id="clip7'} for place in range(3)]
    panels = [charts.scatter(rows, x="x", y="y", name="t", label="t", identity=True) for _ in range(2)]
    drawing = figure.Figure("two", charts.above(*panels))
    first, second = drawing.to_svg(), drawing.to_svg()
    assert first == second
    # An area for the line of each panel, and texts as they are.
    assert re.findall('<clipPath id="([^"]*)"', first) == ["clip1", "clip2"]
    assert re.findall(r'clip-path="url\(#([^"]*)\)"', first) == ["clip1", "clip2"]
    assert "clip7" in first
