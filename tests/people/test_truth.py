"""Correlations of real campaigns, against values that were computed with other programs."""

from __future__ import annotations

import csv
import re
import warnings
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import assay
from assay import meta_evaluate
from assay.data.campaign import only, segments_where
from assay.data.external import ExternalScores
from assay.data.formats.judgements import read_judgements
from assay.data.formats.scores import read_scores
from assay.people.ratings import Ratings
from assay.people.usage import people_of
from assay.results.result import Row
from people.truth import DATA, TRUTH, SystemRow, needs_data, ort_rows, segment_rows, system_rows

pytestmark = [needs_data, pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")]

#: The page prints four digits.
PRINTED = 5.0e-5 + 1e-9
#: Kendall's tau of sentence BLEU hangs on the last digits of its arithmetic there: 100.00000000000004 beats 100.
NOISE = 1.0e-4


@cache
def campaign(name: str) -> assay.Campaign:
    return assay.read(DATA / name)


OURS = [row for row in system_rows() if row.metric != "TER"]
TER = [row for row in system_rows() if row.metric == "TER"]


@pytest.mark.slow
@pytest.mark.parametrize("row", TER, ids=lambda row: row.campaign)
def test_sacrebleus_ter_read_from_a_file_correlates_as_on_the_page(row: SystemRow) -> None:
    # The page has sacreBLEU's TER; ours is TERcom's, which differs in a few long segments.
    sacrebleu = pytest.importorskip("sacrebleu")
    whole = campaign(row.campaign)
    references = [list(whole.references[row.references])]
    scores = {
        name: sacrebleu.metrics.TER().corpus_score(list(texts), references).score
        for name, texts in whole.systems.items()
    }
    external = ExternalScores("TER", systems=scores, higher_is_better=False)
    found = meta_evaluate(
        whole,
        (),
        kind=row.kind.replace(",", "/"),
        scores=[external],
        levels="system",
        samples=0,
        test="none",
        plain_means=True,
    )
    for statistic in ("pearson", "spearman", "kendall"):
        assert found.of("TER", statistic).value == pytest.approx(getattr(row, statistic), abs=PRINTED)


@pytest.mark.parametrize("row", TER, ids=lambda row: row.campaign)
def test_our_ter_correlates_nearly_as_sacrebleus(row: SystemRow) -> None:
    found = meta_evaluate(
        campaign(row.campaign),
        "ter",
        kind=row.kind.replace(",", "/"),
        scope=row.scope,
        plain_means=True,
        levels="system",
        samples=0,
        test="none",
    )
    assert found.of("ter", "pearson").value == pytest.approx(row.pearson, abs=0.01)


@pytest.mark.parametrize("row", OURS, ids=lambda row: f"{row.campaign}-{row.kind}-{row.references}-{row.metric}")
def test_correlations_of_systems_are_those_of_the_page(row: SystemRow) -> None:
    found = meta_evaluate(
        campaign(row.campaign), row.metric.lower(), kind=row.kind.replace(",", "/"), references=row.references,
        scope=row.scope, plain_means=True,
        levels="system", samples=0, test="none",
    )  # fmt: skip
    assert len(found.setup["systems"]) == row.systems
    metric = row.metric.lower()
    for statistic in ("pearson", "spearman", "kendall"):
        assert found.of(metric, statistic).value == pytest.approx(getattr(row, statistic), abs=PRINTED)


@pytest.mark.parametrize("row", ort_rows(), ids=lambda row: row[0])
def test_every_combination_of_references_is_that_of_the_page(row: tuple[str, float, float, float, float]) -> None:
    references, bleu, pearson, spearman, kendall = row
    found = meta_evaluate(
        campaign("ort20-en-cs"), "bleu", references=references.replace("+", ","), missing=0.0, levels="system",
        samples=0, test="none", scope="all", plain_means=True,
    )  # fmt: skip
    assert np.mean([point["score"] for point in found.table("points")]) == pytest.approx(bleu, abs=0.005 + 1e-9)
    assert found.of("bleu", "pearson").value == pytest.approx(pearson, abs=PRINTED)
    assert found.of("bleu", "spearman").value == pytest.approx(spearman, abs=PRINTED)
    assert found.of("bleu", "kendall").value == pytest.approx(kendall, abs=PRINTED)


@pytest.mark.parametrize("row", segment_rows(), ids=lambda row: f"{row[0]}-{row[1]}")
def test_correlations_of_segments_are_those_of_the_page(row: tuple[str, str, float, float, float]) -> None:
    references, metric, *expected = row
    # A post-edit is a plain reference here, and the segments are those that have all references.
    untargeted = replace(campaign("mlqe-pe-et-en"), targeted=frozenset())
    whole = only(untargeted, segments_where(untargeted, "ref.indep1!="))
    assert len(whole) == 995
    spelled = {"sentBLEU": "bleu(effective_order=true)", "chrF": "chrf"}[metric]
    found = meta_evaluate(
        whole, spelled, kind="da", references=references.replace("+", ","), systems="mt", levels="segment",
        statistics="pearson,spearman,kendall", groupings="none", samples=0, test="none",
    )  # fmt: skip
    name = found.table()[0]["metric"]
    for statistic, value in zip(("pearson", "spearman", "kendall"), expected, strict=True):
        tolerance = NOISE if (metric, statistic) == ("sentBLEU", "kendall") else PRINTED
        assert found.of(name, statistic, "segment").value == pytest.approx(value, abs=tolerance)


def test_direct_assessment_follows_post_edits_as_on_the_page() -> None:
    expected = re.search(
        r"human DA mean vs published -HTER: Pearson ([\d.]+) Spearman ([\d.]+) Kendall ([\d.]+)", TRUTH.read_text()
    )
    assert expected is not None
    judged = campaign("mlqe-pe-et-en")
    found = meta_evaluate(
        only(judged, segments_where(judged, "ref.indep1!=")), (), kind="da", beside="hter-neg", systems="mt",
        references="indep1", levels="segment", statistics="pearson,spearman,kendall", groupings="none",
        samples=0, test="none",
    )  # fmt: skip
    for place, statistic in enumerate(("pearson", "spearman", "kendall"), start=1):
        value = found.of("human:hter-neg", statistic, "segment").value
        assert value == pytest.approx(float(expected[place]), abs=PRINTED)


def test_rankings_score_systems_as_on_the_page() -> None:
    text = TRUTH.read_text()
    rankings = read_judgements(DATA / "wmt12-cs-en-rr" / "rankings.tsv")
    for judged in (campaign("wmt12-cs-en-rr"), campaign("wmt12-cs-en-rr").with_judgements(rankings)):
        found = meta_evaluate(judged, "bleu,chrf", levels="system", scope="all", samples=0, test="none")
        for name, label in (("bleu", "BLEU"), ("chrf", "chrF")):
            expected = re.search(rf"^{label}: Pearson ([\d.]+) Spearman ([\d.]+) Kendall ([\d.]+)$", text, re.MULTILINE)
            assert expected is not None
            for place, statistic in enumerate(("pearson", "spearman", "kendall"), start=1):
                assert found.of(name, statistic).value == pytest.approx(float(expected[place]), abs=PRINTED)
        scores = {(point["metric"], point["system"]): Row(point) for point in found.table("points")}
        for system, win, bleu, chrf in re.findall(r"^  (\S+) +win ([\d.]+) BLEU ([\d.]+) chrF ([\d.]+)$", text, re.M):
            assert scores["bleu", system].human == pytest.approx(float(win), abs=PRINTED)
            assert scores["bleu", system].score == pytest.approx(float(bleu), abs=0.005 + 1e-9)
            assert scores["chrf", system].score == pytest.approx(float(chrf), abs=0.005 + 1e-9)


@pytest.mark.parametrize("name", ["wmt21-ru-en-da", "wmt21-ha-en-da"])
def test_official_scores_of_systems_come_out_of_single_judgements(name: str) -> None:
    people, _ = people_of(campaign(name), kind="da-z/da-z-repeat", plain_means=True)
    scores = dict(zip(people.systems, people.system_scores(np.ones((1, len(campaign(name)))))[0], strict=True))
    with (DATA / name / "human_sys_official.tsv").open() as file:
        official = {row["system"]: float(row["da_z"]) for row in csv.DictReader(file, delimiter="\t")}
    assert scores.keys() <= official.keys()
    for system, score in scores.items():
        assert score == pytest.approx(official[system], abs=0.0005 + 1e-6)


def test_the_mean_of_raters_is_the_published_score_of_a_segment() -> None:
    people, _ = people_of(campaign("wmt23-en-de"), kind="mqm")
    assert isinstance(people, Ratings)
    assert int(people.mask.sum()) == 13 * 460


def test_published_scores_of_systems_are_ours() -> None:
    whole = campaign("wmt23-en-de")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        published = {one.name: one for one in read_scores(DATA / "wmt23-en-de" / "published_metrics_sys.tsv", whole)}
    ours = assay.score(whole, "bleu", samples=0)
    bleu = next(one for name, one in published.items() if name.startswith("BLEU"))
    for row in ours.table("scores"):
        assert row["score"] == pytest.approx(bleu.systems[row["system"]], abs=1e-9)
