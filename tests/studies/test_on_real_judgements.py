"""The studies on real campaigns: what the guide says of them."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay import meta_evaluate
from assay.data.judgements import Judgement, Judgements
from assay.people.pseudo_documents import JUDGES, DocumentCurves, JudgementPool
from assay.people.scores import metric_scores
from assay.people.usage import people_of
from assay.significance.draws import Units
from people.judged import DATA, needs_data

pytestmark = [needs_data, pytest.mark.filterwarnings("ignore:System 'refA' is itself")]


@pytest.fixture(scope="module")
def zh_en():
    return assay.read(DATA / "wmt23-zh-en")


def test_recall_follows_people_best_and_stemming_helps_on_zh_en(zh_en):
    metrics = ("precision", "recall", "f1")
    for own, recall, value in ((False, "recall(tokenize=13a)", 0.792), (True, "recall", 0.756)):
        result = assay.study("correlations", zh_en, kind="mqm", metrics=metrics, samples=50, own_recipes=own)
        found = {(row["metric"], row["text"]): row["pearson"] for row in result.table()}
        assert round(found["recall", "words"], 3) == value
        assert found["recall", "words"] > found["f1", "words"] > found["precision", "words"]
        assert all(found[name, "stems"] > found[name, "words"] for name in metrics)
        same = meta_evaluate(zh_en, [recall], kind="mqm", levels="system", statistics="pearson", samples=0, test="none")
        assert found["recall", "words"] == pytest.approx(same.table()[0]["value"], abs=1e-12)


def test_f1_and_bleu_change_places_with_their_tokens_on_en_de():
    campaign = assay.read(DATA / "wmt23-en-de")
    options = {"kind": "mqm", "metrics": ("f1", "bleu"), "stemmer": "none", "samples": 5}
    together, own = (
        {
            row["metric"]: row["pearson"]
            for row in assay.study("correlations", campaign, own_recipes=each, **options).table()
        }
        for each in (False, True)
    )
    assert {name: round(value, 3) for name, value in together.items()} == {"f1": 0.902, "bleu": 0.927}
    assert {name: round(value, 3) for name, value in own.items()} == {"f1": 0.930, "bleu": 0.927}


def test_eighteen_segments_of_zh_en_have_judges_to_compare(zh_en):
    result = assay.study("pseudo-documents", zh_en, kind="mqm", metrics=("recall",), lengths=(1, 18), per_length=100)
    judges = {row["length"]: row["correlation"] for row in result.table() if row["curve"] == JUDGES}
    assert list(judges) == [1, 18]
    assert judges[1] < 0.5 < judges[18]
    assert "Judge against judge: 18 segments on which two judges scored 270 translations." in result.findings


def test_judges_disagree_on_short_texts_of_en_de():
    campaign = assay.read(DATA / "wmt23-en-de")
    result = assay.study(
        "pseudo-documents", campaign, kind="esa-1/esa-2", metrics=("chrf",), lengths=(1, 207), per_length=300
    )
    found = {(row["curve"], row["length"]): row["correlation"] for row in result.table()}
    # On one segment the metric follows a judge better than another judge does; on all of them worse.
    assert found[JUDGES, 1] < found["chrf", 1]
    assert found[JUDGES, 207] > 0.9 > found["chrf", 207]


def test_a_weight_chosen_on_zh_en_is_too_much_for_ha_en(zh_en):
    result = assay.study(
        "recall-weight", zh_en, kind="mqm", test_on=str(DATA / "wmt21-ha-en-da"), test_kind="da-z", samples=200
    )
    (chosen,) = [row for row in result.table() if row["chosen"]]
    assert chosen["alpha"] == 1.0
    assert chosen["gain_high"] < 0


@pytest.mark.parametrize(
    ("own", "expected"), [(False, [0.085, 0.088, 0.092, 0.088, 0.094]), (True, [0.085, 0.104, 0.109, 0.105, 0.122])]
)
def test_every_module_of_meteor_helps_on_zh_en(zh_en, own, expected):
    result = assay.study(
        "sentence-level", zh_en, kind="mqm", metrics=("bleu(effective_order=false)",), normalise=("none",), samples=100,
        own_recipes=own,
    )  # fmt: skip
    values = [row["correlation"] for row in result.table()]
    assert [round(value, 3) for value in values] == expected
    # WordNet's stems, the last but one, bring less than Porter's.
    others = [*values[:3], values[-1]]
    assert others == sorted(others)


@pytest.fixture(scope="module")
def ru_en():
    return assay.read(DATA / "wmt21-ru-en-da")


def judged_blindly(campaign, share, seed):
    """Judgements as they were allotted, by people who see how hard a segment is and nothing of systems."""
    generator = np.random.default_rng([seed, round(100 * share)])
    names = list(campaign.systems)[:4]
    recall = np.mean([assay.metric("recall").evaluate(campaign.corpus(name)).segment_scores() for name in names], 0)
    level = (recall - recall.mean()) / recall.std()
    judged = sorted({(one.system, one.segment, one.rater) for one in campaign.judgements if one.kind == "da-z"})
    rows = [
        Judgement(system, segment, float(level[segment] + generator.normal()), "da", rater)
        for system, segment, rater in judged
        if system in campaign.systems and generator.random() < share
    ]
    return campaign.with_judgements(Judgements.of(rows, "blind"))


@pytest.mark.parametrize(("share", "judged"), [(1.0, "89 %"), (0.3, "38 %")])
def test_blind_judges_are_followed_by_no_metric_on_the_design_of_ru_en(ru_en, share, judged):
    # Means over the segments that were judged for a system gave 0.11 here, and 0.35 with 30 % of the judgements.
    blind = judged_blindly(ru_en, share, 0)
    result = assay.study("pseudo-documents", blind, metrics="recall", lengths=(10,), per_length=100)
    (row,) = result.table()
    assert row["low"] < 0.0 < row["high"]
    assert any(f"{judged} of their" in sentence for sentence in result.findings)
    values = []
    for seed in range(1, 13):
        people, _ = people_of(judged_blindly(ru_en, share, seed))
        pool = JudgementPool.of(people)
        sources = {"recall": metric_scores(ru_en, [assay.metric("recall")], people)[0]}
        segments = np.flatnonzero(pool.rankable(1))
        curves = DocumentCurves(pool, segments, sources, Units.segments(len(ru_en)), seed)
        values.append(curves.drawn(10, 100).values["recall"].mean())
    assert abs(np.mean(values)) < 3 * np.std(values, ddof=1) / 12**0.5
    assert abs(np.mean(values)) < 0.05
