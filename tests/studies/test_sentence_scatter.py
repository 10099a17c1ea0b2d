"""The scatter of sentences: scipy's line and R, and dots of a page that lead to their segments."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from scipy.stats import linregress, pearsonr

import assay
from assay.errors import InputError
from assay.results import charts
from assay.results.charts import Axis
from studies.judged_campaign import campaign
from studies.test_case_and_stem import human_means

SMALL = {"metrics": ("f1", "ter"), "samples": 30}


def scores_of(whole, metric, names):
    return np.concatenate([assay.metric(metric).evaluate(whole.corpus(name)).segment_scores() for name in names])


@pytest.mark.parametrize("metric", ["f1", "wer"])
def test_line_and_r_are_scipys_over_all_systems_and_each(metric):
    whole, people = campaign(), human_means(campaign())
    result = assay.study("sentence-scatter", whole, metrics=metric, samples=30, own_recipes=True)
    assert [row["system"] for row in result.table()] == ["all systems", "s0", "s1", "s2", "s3", "s4"]
    for row in result.table():
        names = list(whole.systems) if row["system"] == "all systems" else [row["system"]]
        human, score = np.concatenate([people[name] for name in names]), scores_of(whole, metric, names)
        line = linregress(human, score)
        assert row["translations"] == 12 * len(names)
        assert (row["intercept"], row["slope"]) == pytest.approx((line.intercept, line.slope), abs=1e-9)
        if np.ptp(score) == 0.0:
            # s0 is the reference itself.
            assert (row["system"], row["correlation"]) == ("s0", None)
            continue
        # Of an error rate R is turned, and the line is that of the printed score.
        sign = 1 if metric == "f1" else -1
        assert row["correlation"] == pytest.approx(sign * pearsonr(human, score).statistic, abs=1e-9)
        assert row["low"] < row["correlation"] < row["high"]


def test_further_metrics_are_set_against_the_first():
    result = assay.study("sentence-scatter", campaign(), **SMALL)
    first, second = (result.of(metric=metric, system="all systems") for metric in SMALL["metrics"])
    assert first["gain"] is None
    assert second["gain"] == pytest.approx(second["correlation"] - first["correlation"], abs=1e-12)
    assert any(said.startswith(f"ter less f1: {second['gain']:+.3f} (") for said in result.findings)


def test_points_have_what_the_metric_prints_and_sentences_have_the_range_of_single_systems():
    whole = campaign()
    result = assay.study("sentence-scatter", whole, metrics="wer", samples=30, own_recipes=True)
    scores = {name: scores_of(whole, "wer", [name]) for name in whole.systems}
    for point in result.table("points"):
        # An error rate as it is printed: low is good.
        assert point["score"] == pytest.approx(scores[point["system"]][int(point["segment"])])
    people = human_means(whole)
    # s0 is the reference, and has no R.
    single = [-pearsonr(people[name], scores[name]).statistic for name in list(whole.systems)[1:]]
    every = -pearsonr(np.concatenate(list(people.values())), np.concatenate(list(scores.values()))).statistic
    (said,) = [line for line in result.findings if line.startswith("wer: R = ")]
    assert said.startswith(f"wer: R = {every:.3f} (")
    assert said.endswith(f"over 60 translations; within single systems from {min(single):.3f} to {max(single):.3f}.")


def test_one_system_has_no_row_of_all():
    result = assay.study("sentence-scatter", campaign(), systems="s2", **SMALL)
    assert [row["system"] for row in result.table()] == ["s2", "s2"]
    assert result.chart().data["title"]["subtitle"][0] == "small, s2: a dot per translation (12 translations)"


def test_dots_are_a_random_part_with_their_texts_and_the_line_is_over_all():
    whole = campaign(references=2)
    result = assay.study("sentence-scatter", whole, dots=7, **SMALL)
    points = result.table("points")
    assert len(points) == 14
    for point in points:
        segment = int(point["segment"])
        assert point["human"] == pytest.approx(human_means(whole)[point["system"]][segment])
        assert point["translation"] == whole.systems[point["system"]][segment]
        assert [point["ref.r0"], point["ref.r1"]] == [whole.references[name][segment] for name in ("r0", "r1")]
    # The same translations for both metrics, each with an id of its own.
    chosen = [[(one["system"], one["segment"]) for one in points if one["metric"] == name] for name in ("f1", "ter")]
    assert chosen[0] == chosen[1]
    assert len({one["anchor"] for one in points}) == 7
    every = assay.study("sentence-scatter", whole, **SMALL)
    assert len(every.table("points")) == 120
    assert every.table() == result.table()


def test_the_first_system_can_be_drawn_alone():
    # To all translations of the very first one of the campaign f1 gives the same.
    options = {"systems": "s1,s2,s3", **SMALL}
    every, alone = (
        assay.study("sentence-scatter", campaign(), first_system=first, **options) for first in (False, True)
    )
    assert alone.table() == every.table()
    own = [row for row in every.table("points") if row["system"] == "s1"]
    assert alone.table("points") == own
    # A dot for each of both metrics.
    said = f"small, s1: a dot per translation ({len(own) // 2} translations)"
    assert alone.chart().data["title"]["subtitle"][0] == said
    row = every.of(metric="f1", system="s1")
    assert f"f1: R = {row['correlation']:.3f} " in str(alone.chart().data)


def test_a_dot_of_a_page_leads_to_its_segment():
    pytest.importorskip("vl_convert")
    result = assay.study("sentence-scatter", campaign(), dots=9, **SMALL)
    page = result.render("html")
    targets = re.findall(r'<tr id="(segment-[0-9a-f]{12})">(.*?)</tr>', page)
    links = re.findall(r'<a href="#([^"]+)" title="([^"]+)" style="left:([0-9.]+)%;top:([0-9.]+)%"></a>', page)
    assert len(targets) == 9
    assert sorted(name for name, *_ in links) == sorted([name for name, _ in targets] * 2)
    rows = dict(targets)
    for name, said, *_ in links:
        system, segment = re.match(r"(\w+), segment (\w+): people", said).groups()
        point = result.of(system=system, segment=segment, table="points")
        assert point["anchor"] == name
        assert point["translation"] in unescape(rows[name])
    # Printed, the segments would be too many: they are for pages alone, and the sentences stand below the table.
    text = result.render("text")
    assert "those of the picture" not in text
    assert "those of the picture" in page
    assert text.index("R is Pearson's") > text.index("over first")


def test_links_lie_over_their_dots():
    pytest.importorskip("vl_convert")
    rows = [
        {"x": 1.0, "y": 10.0, "link": "segment-0123456789ab: one"},
        {"x": 3.0, "y": 30.0, "link": "segment-0123456789ac: two"},
    ]
    axes = {"across": Axis(domain=(0.0, 4.0)), "up": Axis(domain=(0.0, 40.0))}
    panel = charts.scatter(rows, x="x", y="y", link="link", width=200, height=100, **axes)
    image = charts.figure("figure", panel, "Dots").to_image()
    (left, top), (right, bottom) = (map(float, place) for place in re.findall(r"left:([0-9.]+)%;top:([0-9.]+)%", image))
    width, height = (
        float(size)
        for size in re.search(r'viewBox="0 0 (\S+) (\S+)"', charts.figure("figure", panel, "Dots").to_svg()).groups()
    )
    # Two of four steps of 200 pixels across, and 20 of 40 of 100 pixels up.
    assert (right - left) * width / 100 == pytest.approx(100.0, abs=0.1)
    assert (top - bottom) * height / 100 == pytest.approx(50.0, abs=0.1)
    # Behind the margin of 16 pixels, and axes before them.
    assert left * width / 100 > 16 + 50


@pytest.mark.parametrize(
    ("line", "ends"),
    [
        # From 5 at 0 up by 2: it leaves 0 to 20 at 7.5. From 30 down by 4: it comes in at 2.5, and leaves at 7.5.
        ((5.0, 2.0), [(0.0, 5.0), (7.5, 20.0)]),
        ((30.0, -4.0), [(2.5, 20.0), (7.5, 0.0)]),
        ((12.0, 0.0), [(0.0, 12.0), (10.0, 12.0)]),
        ((25.0, 0.0), []),
        ((25.0, 1.0), []),
    ],
)
def test_a_line_ends_where_the_panel_does(line, ends):
    axes = {"across": Axis(domain=(0.0, 10.0)), "up": Axis(domain=(0.0, 20.0))}
    spec = charts.scatter([{"x": 1.0, "y": 1.0}], x="x", y="y", line=line, **axes)
    drawn = [layer["data"]["values"] for layer in spec["layer"] if layer["mark"]["type"] == "line"]
    assert [(end["x"], end["y"]) for layer in drawn for end in layer] == ends


def test_names_and_texts_of_strangers_stay_text():
    pytest.importorskip("vl_convert")
    whole = campaign(systems=1)
    nasty = '"><script>window.hacked=1</script>'
    texts = [f"{nasty} {line}" for line in whole.systems["s0"]]
    made = assay.Campaign(
        name=nasty, systems={nasty: texts}, references={f"{nasty}!": texts[::-1]}, documents=whole.documents
    )
    judged = made.with_judgements(
        assay.Judgements.of([assay.Judgement(nasty, one, float(one % 3), nasty) for one in range(12)], "inline")
    )
    page = assay.study("sentence-scatter", judged, metrics="f1", samples=5).render("html")
    assert "<script" not in page
    assert page.count('<a href="#segment-') == 12


def test_a_drawing_of_strangers_has_no_links():
    figure = assay.results.figure.Figure(
        "drawn", svg='<svg viewBox="0 0 1 1"><path aria-label="segment-0123456789ab: x"/></svg>'
    )
    assert "<a" not in figure.to_image()


def test_what_is_wrong_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("sentence-scatter", campaign(judged=False))
    for options in ({"dots": 1}, {"samples": 0}):
        with pytest.raises(assay.ParameterError, match="sentence-scatter"):
            assay.study("sentence-scatter", campaign(), **options)
