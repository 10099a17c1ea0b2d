"""The study of recall's weight: rows scored anew are rows counted anew, and nothing is tested where it was chosen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import pearsonr

import assay
from assay.errors import InputError
from assay.questions.asked import Asked
from assay.questions.studies.judged import judged_systems
from assay.questions.studies.recall_weight import balances
from oracles import draws
from studies.judged_campaign import campaign
from studies.test_case_and_stem import corpus_scores, human_means

SMALL = {"steps": 4, "samples": 30}


def test_scoring_rows_anew_is_counting_anew_whichever_reference_wins():
    whole = campaign(references=3)
    whole = replace(whole, present={"r1": np.arange(12) % 2 == 0})
    found = judged_systems("recall-weight", Asked((whole,)), fewest=3)
    alphas = (0.0, 0.3, 0.9, 1.0)
    for alpha, source in zip(alphas, balances(assay.metric("fmean"), alphas, found), strict=True):
        metric = assay.metric("fmean", alpha=alpha)
        counted = [metric.evaluate(whole.corpus(name)).rows for name in whole.systems]
        for rows, statistics in zip(counted, source.statistics, strict=True):
            assert np.array_equal(rows, statistics.rows)


def test_the_weight_is_chosen_on_one_half_and_measured_on_the_other():
    whole = campaign()
    result = assay.study("recall-weight", whole, **SMALL)
    # Halves of the six documents of two segments each, as they are drawn.
    drawn = sorted(range(6), key=lambda number: draws.order(1, "halves of a campaign", draws.text_key(f"d{number}"), 0))
    halves = {
        "half A": [segment for segment in range(12) if segment // 2 in drawn[:3]],
        "half B": [segment for segment in range(12) if segment // 2 in drawn[3:]],
    }
    people = human_means(whole)
    values = {}
    for name, chosen in halves.items():
        human = [np.mean([scores[one] for one in chosen]) for scores in people.values()]
        for alpha in (0.0, 0.25, 0.5, 0.75, 0.9, 1.0):
            found = corpus_scores(whole, f"fmean(alpha={alpha})", chosen)
            values[name, alpha] = pearsonr(found, human).statistic
    for row in result.table():
        assert row["correlation"] == pytest.approx(values[row["test"], row["alpha"]], abs=1e-9)
        assert row["training"] == pytest.approx(values[row["train"], row["alpha"]], abs=1e-9)
        assert row["train"] != row["test"]
    for test in halves:
        own = [row for row in result.table() if row["test"] == test]
        (best,) = [row for row in own if row["chosen"]]
        assert best["training"] == max(row["training"] for row in own)
        # What is said is the value on the other half, beside F1's and the paper's there.
        (said,) = [
            finding for finding in result.findings if f"On {test} it reaches {best['correlation']:.3f}" in finding
        ]
        assert said.endswith(f"; the paper's 0.9 reaches {values[test, 0.9]:.3f}.")
        if best["alpha"] != 0.5:
            assert best["gain"] == pytest.approx(values[test, best["alpha"]] - values[test, 0.5], abs=1e-9)
            assert f", {best['gain']:+.3f} over F1" in said


def test_halves_of_documents_keep_documents_whole():
    result = assay.study("recall-weight", campaign(), split="document", **SMALL)
    assert {row["test"] for row in result.table()} == {"half A", "half B"}
    one = replace(campaign(), documents=("d",) * 12)
    with pytest.raises(InputError, match="split=document needs two documents or more"):
        assay.study("recall-weight", one, split="document", **SMALL)


@pytest.fixture
def other(tmp_path):
    """Another campaign, as a folder."""
    other = campaign(seed=8)
    folder = tmp_path / "other"
    folder.mkdir()
    for name, texts in other.systems.items():
        (folder / f"sys.{name}.txt").write_text("\n".join(texts) + "\n")
    (folder / "ref.A.txt").write_text("\n".join(other.references["r0"]) + "\n")
    rows = [f"{one.system}\t{one.segment}\t-\t{one.rater}\t{one.score}\t{one.kind}" for one in other.judgements]
    (folder / "human.tsv").write_text("\n".join(["system\tsegment\tdocument\trater\tscore\tkind", *rows]) + "\n")
    return folder


def test_the_weight_is_chosen_on_the_campaign_and_tested_on_another(other):
    whole, elsewhere = campaign(), assay.read(other)
    result = assay.study("recall-weight", whole, test_on=str(other), **SMALL)
    assert {(row["train"], row["test"]) for row in result.table()} == {("small", "other")}
    for name, one in (("training", whole), ("correlation", elsewhere)):
        human = [np.mean(scores) for scores in human_means(one).values()]
        for row in result.table():
            scores = corpus_scores(one, f"fmean(alpha={row['alpha']})", range(12))
            assert row[name] == pytest.approx(pearsonr(scores, human).statistic, abs=1e-9)
    (best,) = [row for row in result.table() if row["chosen"]]
    assert best["training"] == max(row["training"] for row in result.table())
    assert result.findings[-2:] == (
        "small: 120 of 120 judgements were used.",
        "other: 120 of 120 judgements were used.",
    )


def test_both_campaigns_are_in_the_record(other):
    result = assay.study("recall-weight", campaign(), test_on=str(other), **SMALL)
    alone = assay.study("recall-weight", campaign(), **SMALL)
    elsewhere = assay.study("recall-weight", other, **SMALL)
    assert result.signatures == {
        "fmean": alone.signatures["fmean"],
        "fmean, other": elsewhere.signatures["fmean"],
    }
    theirs = {f"other/{name}": digest for name, digest in elsewhere.digests.items()}
    assert result.digests == {**alone.digests, **theirs}
    assert "other/judgements" in result.digests


def test_the_judgements_of_the_other_campaign_are_chosen_by_test_kind(other):
    rows = (other / "human.tsv").read_text().splitlines()
    marks = [row.replace("adequacy", "fluency") for row in rows[1::3]]
    (other / "human.tsv").write_text("\n".join([*rows, *marks]) + "\n")
    options = {"kind": "adequacy", "test_kind": "fluency", **SMALL}
    result = assay.study("recall-weight", campaign(), test_on=str(other), **options)
    assert {(row["kind"], row["test_kind"]) for row in result.table()} == {("adequacy", "fluency")}
    assert result.findings[-1] == "other: 40 of 160 judgements were used. Not used: 120 of another kind."


def test_kinds_to_choose_on_are_taken_apart_and_tested_on_the_same_judgements(other):
    options = {"test_on": str(other), "test_kind": "adequacy", **SMALL}
    both = assay.study("recall-weight", campaign(kinds=("adequacy", "fluency")), kind="adequacy,fluency", **options)
    for kind in ("adequacy", "fluency"):
        alone = assay.study("recall-weight", campaign(kinds=("adequacy", "fluency")), kind=kind, **options)
        assert [row for row in both.table() if row["kind"] == kind] == alone.table()
    # Each has a table of its own for people.
    assert [view.where["kind"][0] for view in both.views] == ["adequacy", "fluency"]
    assert both.digests == alone.digests


def test_nothing_is_tested_where_it_was_chosen(other):
    with pytest.raises(InputError, match="has the very translations to choose on"):
        assay.study("recall-weight", assay.read(other), test_on=str(other), **SMALL)


def test_the_old_spelling_is_answered_with_the_new_one(other):
    with pytest.raises(
        assay.ParameterError, match=r"no option train any more.*assay study recall-weight A --test-on B"
    ):
        assay.study("recall-weight", campaign(), train=str(other))
    with pytest.raises(assay.ParameterError, match=r"no option train_kind any more.*--test-kind that of --test-on"):
        assay.study("recall-weight", campaign(), train_kind="mqm")


def test_segments_can_be_asked_too():
    result = assay.study("recall-weight", campaign(), level="segment", statistic="kendall", **SMALL)
    assert all(row["correlation"] is not None for row in result.table())
    assert "Kendall at the segment level; intervals allow for other documents." in result.findings


def test_what_is_wrong_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("recall-weight", campaign(judged=False))
    with pytest.raises(InputError, match="needs two judged segments or more, and small has 1"):
        assay.study("recall-weight", campaign(segments=1))
    with pytest.raises(InputError, match="at least 3 that were judged"):
        assay.study("recall-weight", campaign(systems=2))
    for options in ({"metric": "bleu"}, {"metric": "fmean(alpha=0.3)"}, {"steps": 1}, {"test_kind": ("mqm",)}):
        with pytest.raises(assay.ParameterError, match="recall-weight"):
            assay.study("recall-weight", campaign(), **options)


def test_same_seed_same_table_and_figure_on_any_threads():
    pytest.importorskip("vl_convert")
    made = [assay.study("recall-weight", campaign(), threads=threads, **SMALL) for threads in (1, 3)]
    assert made[0].to_json() == made[1].to_json()
    one, two = (result.chart().to_bytes("svg") for result in made)
    assert one == two
    for text in ("tested on half A", "where chosen (half A)", "F1", "weight of recall"):
        assert text in one.decode()
    assert assay.study("recall-weight", campaign(), seed=2, **SMALL).to_json() != made[0].to_json()


def test_a_band_is_told_where_there_is_one():
    # Halves of three documents have no interval, those of six segments have.
    said = [
        assay.study("recall-weight", campaign(), split=split, unit=split, **SMALL).chart().data["title"]["subtitle"][0]
        for split in ("document", "segment")
    ]
    assert ["band: 95 %" in line for line in said] == [False, True]
