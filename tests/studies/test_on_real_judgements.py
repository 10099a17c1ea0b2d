"""The studies on real campaigns: what the guide says of them."""

from __future__ import annotations

import pytest

import assay
from assay import meta_evaluate
from assay.questions.studies.pseudo_documents import JUDGES
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
    ("own", "expected"), [(False, [0.085, 0.088, 0.092, 0.094]), (True, [0.085, 0.104, 0.109, 0.122])]
)
def test_every_module_of_meteor_helps_on_zh_en(zh_en, own, expected):
    result = assay.study(
        "sentence-level", zh_en, kind="mqm", metrics=("bleu(effective_order=false)",), normalise=("none",), samples=100,
        own_recipes=own,
    )  # fmt: skip
    values = [row["correlation"] for row in result.table()]
    assert values == sorted(values)
    assert [round(value, 3) for value in values] == expected
