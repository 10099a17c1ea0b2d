"""Pictures of what was learnt and tuned, drawn from the rows of what the demo gives."""

from __future__ import annotations

import pytest

import assay
from assay.demo import CAMPAIGN
from assay.errors import InputError
from assay.learned import pictures
from assay.results.charts import COLORS, GREY
from results.drawn import HOSTILE, hostile, is_drawn, layers, texts, values

pytest.importorskip("vl_convert", reason="figures need the extra plots")
pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")


def panels(spec):
    """Pictures with layers, line by line."""
    inner = [*spec.get("vconcat", ()), *spec.get("hconcat", ())]
    return [spec] if "layer" in spec else [panel for one in inner for panel in panels(one)]


@pytest.fixture(scope="module")
def learnt():
    found = assay.learn(
        CAMPAIGN,
        "bleu,ter",
        kind="adequacy",
        tasks="grades",
        models="tree",
        folds=3,
        left_out=False,
        samples=20,
        with_humans=True,
    )
    return found.to_dict()


@pytest.fixture(scope="module")
def tuned():
    return assay.tune(CAMPAIGN, "fmean", kind="adequacy", folds=3, samples=20).to_dict()


def drawn(found, **changed):
    rows = found | changed
    return pictures.learnt(
        rows["results"], rows["confusions"], rows["calibration"], models=["tree"], tasks=["grades"], group="document",
        said=["demo"],
    )  # fmt: skip


def test_what_was_learnt_is_four_panels(learnt):
    figure = drawn(learnt)
    assert is_drawn(figure)
    models, confusion, calibration, importance = panels(figure.spec)
    rows = {
        row["model"]: row for row in learnt["results"] if row["statistic"] == "accuracy" and row["group"] == "document"
    }
    shown = {row["name"]: row for row in values(models, "point")}
    assert shown["tree"]["value"] == pytest.approx(100 * learnt_accuracy(learnt, "tree"))
    # The most frequent grade, 5, has 126 of 300 translations.
    assert shown["most frequent grade"]["value"] == pytest.approx(100 * 126 / 300)
    assert (shown["tree"]["color"], shown["most frequent grade"]["color"]) == (COLORS[0], GREY)
    assert "majority" in rows
    # Five grades by five; each line is 100 %, the highest grade on top.
    cells = values(confusion, "rect")
    assert len(cells) == 25
    for grade in "12345":
        assert sum(cell["shade"] for cell in cells if cell["line"] == grade) == pytest.approx(100)
    assert layers(confusion, "rect")[0]["encoding"]["y"]["scale"]["domain"] == list("54321")
    stretches = [row for row in learnt["calibration"] if row["model"] == "tree"]
    assert [(row["x"], row["y"]) for row in values(calibration, "point")] == [
        pytest.approx((100 * row["certainty"], 100 * row["accuracy"])) for row in stretches
    ]
    assert texts(calibration) == [f"{row['n']:,}" for row in stretches]
    assert {row["name"] for row in values(importance, "point")} == {"bleu", "ter"}


def learnt_accuracy(found, model):
    [row] = [
        row
        for row in found["results"]
        if (row["model"], row["statistic"], row["features"], row["group"]) == (model, "accuracy", "all", "document")
    ]
    return row["value"]


def test_what_was_not_measured_is_not_drawn(learnt):
    assert len(panels(drawn(learnt, confusions=[], calibration=[]).spec)) == 2
    bare = [row for row in learnt["results"] if row["statistic"] == "accuracy"]
    assert len(panels(drawn(learnt, results=bare, confusions=[], calibration=[]).spec)) == 1
    with pytest.raises(InputError, match="nothing to draw"):
        drawn(learnt, results=[])


def test_scores_are_told_by_rank_correlation():
    row = {"task": "regression", "statistic": "spearman", "low": 0.4, "high": 0.6, "group": "segment"}
    rows = [row | {"model": model, "features": "all", "value": 0.5} for model in ("uniform", "ridge")]
    rows.append(row | {"model": "best-single-tree", "features": "one, chosen inside", "value": 0.4})
    figure = pictures.learnt(rows, models=["ridge"], tasks=["regression"], group="segment", said=[])
    [panel] = panels(figure.spec)
    assert [(dot["name"], dot["value"]) for dot in values(panel, "point")] == [
        ("mean, untrained", 0.5), ("ridge", 0.5), ("best single feature (tree)", 0.4),
    ]  # fmt: skip
    assert texts(panel) == ["0.50", "0.50", "0.40"]


def test_a_parameter_has_both_curves_and_what_the_folds_chose(tuned):
    figure = pictures.tuned(
        tuned["curves"], tuned["parameters"], tuned["chosen"], metric="fmean", statistic="pearson", said="demo"
    )
    assert is_drawn(figure)
    [panel] = panels(figure.spec)
    for name in ("training", "held_out"):
        curve = {row["x"]: row["y"] for row in values(panel, "line") if row["name"] == name}
        assert curve == {row["value"]: row[name] for row in tuned["curves"]}
    assert [row["x"] for row in values(panel, "tick")] == [row["value"] for row in tuned["chosen"]]
    assert "as it is 0.9" in texts(panel)
    at = next(row for row in tuned["curves"] if row["value"] == pytest.approx(0.9))
    assert (0.9, at["held_out"]) in [pytest.approx((row["x"], row["y"])) for row in values(panel, "point")]


def test_a_parameter_of_ratios_is_drawn_in_ratios():
    curves = [
        {"parameter": "beta", "value": value, "training": value, "held_out": None} for value in (1.0, 10.0, 100.0)
    ]
    parameters = [{"parameter": "beta", "default": 1.0, "tuned": 10.0, "log": True}]
    chosen = [{"parameter": "beta", "value": value} for value in (10.0, None)]
    figure = pictures.tuned(curves, parameters, chosen, metric="chrf", statistic="pearson", said="")
    assert is_drawn(figure)
    assert layers(figure.spec, "line")[0]["encoding"]["x"]["scale"]["type"] == "log"
    # 10 is half way between 1 and 100, in the middle of 250 pixels; the words of both values stand apart.
    places = {row["text"]: row["x"] for row in values(figure.spec, "text")}
    assert places["tuned 10"] - places["as it is 1"] >= 60
    assert len(values(figure.spec, "tick")) == 1
    # Nothing is known of held-out folds, so there is no ring.
    assert not layers(figure.spec, "point")


def test_four_parameters_stand_two_by_two():
    curves = [{"parameter": name, "value": at, "training": at, "held_out": at} for name in "abcd" for at in (0.0, 1.0)]
    parameters = [{"parameter": name, "default": None, "tuned": None} for name in "abcd"]
    spec = pictures.tuned(curves, parameters, [], metric="m", statistic="pearson", said="").spec
    assert [len(line["hconcat"]) for line in spec["vconcat"]] == [2, 2]
    with pytest.raises(InputError, match="Tune with curves=True"):
        pictures.tuned([], parameters, [], metric="m", statistic="pearson", said="")


def test_nobodys_name_breaks_a_picture(learnt, tuned):
    results = hostile(learnt["results"], "features")
    for row, was in zip(results, learnt["results"], strict=True):
        row["features"] = was["features"] if was["features"] in pictures.WHOLE else row["features"]
    curves, parameters = hostile(tuned["curves"], "parameter"), hostile(tuned["parameters"], "parameter")
    for figure in (
        drawn(learnt, results=results),
        pictures.tuned(curves, parameters, [], metric=HOSTILE[0], statistic=HOSTILE[1], said=HOSTILE[2]),
    ):
        assert is_drawn(figure)
        assert "<script>alert" not in figure.to_bytes("html").decode()
