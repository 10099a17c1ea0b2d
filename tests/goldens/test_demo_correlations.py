"""The demonstration's scores beside its grades, by sacreBLEU 2.6.0 and scipy: systems, segments, sets of references."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

import assay
from assay import meta_evaluate
from assay.data.external import ExternalScores
from assay.demo import CAMPAIGN
from goldens.folder import path

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

TRUTH = json.loads(path("truth/demo.json").read_text(encoding="utf-8"))
STATISTICS = ("pearson", "spearman", "kendall")
CLOSE = {"rel": 0, "abs": 1e-9}
FEW = {"samples": 5, "splits": 2}


@cache
def campaign() -> assay.Campaign:
    return assay.read(CAMPAIGN)


def by(rows: list[dict], *names: str) -> dict[tuple[str, ...], list[dict]]:
    """The rows in groups that have the same in some columns."""
    found: dict[tuple[str, ...], list[dict]] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


SYSTEMS = by(TRUTH["systems"], "references", "kind")
SEGMENTS = by(TRUTH["segments"], "references", "kind", "system")


def test_every_metric_kind_and_set_of_references_was_counted():
    # Two kinds of grade; seven sets of three references for three metrics of systems, two for two of five's segments.
    assert len(TRUTH["systems"]) == 2 * 7 * 3
    assert len(TRUTH["segments"]) == 2 * 2 * 2 * 5


@pytest.mark.parametrize("key", SYSTEMS, ids="-".join)
def test_correlations_of_systems_are_scipys(key):
    references, kind = key
    found = meta_evaluate(
        campaign(), "bleu,chrf,ter", kind=kind, references=references.replace("+", ","), levels="system", samples=0,
        test="none", with_humans=True,
    )  # fmt: skip
    points = {(point["metric"], point["system"]): point for point in found.table("points")}
    assert len(SYSTEMS[key]) == 3
    for row in SYSTEMS[key]:
        for statistic in STATISTICS:
            assert found.of(row["metric"], statistic).value == pytest.approx(row[statistic], **CLOSE)
        for system, score in row["scores"].items():
            assert points[row["metric"], system]["score"] == pytest.approx(score, **CLOSE)
            assert points[row["metric"], system]["human"] == pytest.approx(TRUTH["grades"][kind][system], **CLOSE)


@pytest.mark.parametrize("kind", TRUTH["grades"])
def test_scores_of_another_program_correlate_the_same(kind):
    [row] = [row for row in SYSTEMS["A+B+C", kind] if row["metric"] == "ter"]
    external = ExternalScores("theirs", systems=row["scores"], higher_is_better=False)
    found = meta_evaluate(
        campaign(), (), kind=kind, scores=[external], levels="system", samples=0, test="none", with_humans=True
    )
    for statistic in STATISTICS:
        assert found.of("theirs", statistic).value == pytest.approx(row[statistic], **CLOSE)


@pytest.mark.parametrize("key", SEGMENTS, ids="-".join)
def test_correlations_of_segments_are_scipys(key):
    references, kind, system = key
    rows = SEGMENTS[key]
    found = meta_evaluate(
        campaign(), [row["metric"] for row in rows], kind=kind, references=references.replace("+", ","),
        systems=system, levels="segment", statistics=STATISTICS, groupings="none", samples=0, test="none",
        with_humans=True,
    )  # fmt: skip
    for name, row in zip(dict.fromkeys(one["metric"] for one in found.table()), rows, strict=True):
        for statistic in STATISTICS:
            assert found.of(name, statistic, "segment").value == pytest.approx(row[statistic], **CLOSE)


@pytest.mark.parametrize("system", TRUTH["beside"])
def test_one_kind_of_grade_follows_the_other_as_scipy_says(system):
    found = meta_evaluate(
        campaign(), (), kind="adequacy", beside="fluency", systems=system, levels="segment", statistics=STATISTICS,
        groupings="none", samples=0, test="none",
        with_humans=True,
    )  # fmt: skip
    for statistic, value in TRUTH["beside"][system].items():
        assert found.of("human:fluency", statistic, "segment").value == pytest.approx(value, **CLOSE)


@pytest.mark.parametrize("kind", TRUTH["grades"])
def test_agreement_holds_systems_and_metrics_against_the_same_grades(kind):
    found = assay.agreement(campaign(), kind=kind, metrics="bleu,chrf", with_humans=True, **FEW)
    means = {row["system"]: row["score"] for row in found.table("normalisation") if row["method"] == "none"}
    assert means == pytest.approx(TRUTH["grades"][kind], **CLOSE)
    values = {
        (row["metric"], row["statistic"]): row["value"]
        for row in found.table("metrics")
        if row["method"] == "none" and row["level"] == "system"
    }
    for row in SYSTEMS["A+B+C", kind]:
        if row["metric"] != "ter":
            for statistic in ("pearson", "kendall"):
                assert values[row["metric"], statistic] == pytest.approx(row[statistic], **CLOSE)


def test_every_set_of_references_has_its_correlations_and_its_mean_in_the_studies():
    counted = assay.study("reference-count", campaign(), metrics="bleu", kind="adequacy", samples=0, with_humans=True)
    values = {
        (one["references"], one["statistic"]): one["value"] for one in counted.table("sets") if one["level"] == "system"
    }
    scored = assay.study("references", campaign(), metrics="bleu")
    systems = [one for one in scored.table("scores") if one["kind"] == "system"]
    rows = [row for row in TRUTH["systems"] if (row["metric"], row["kind"]) == ("bleu", "adequacy")]
    assert len(rows) == 7
    for row in rows:
        for statistic in STATISTICS:
            assert values[row["references"], statistic] == pytest.approx(row[statistic], **CLOSE)
        scores = [one["score"] for one in systems if one["references"] == row["references"]]
        assert len(scores) == 5
        assert np.mean(scores) == pytest.approx(row["mean"], **CLOSE)
