"""A question that is asked of several campaigns: each has its answer, and their mean stands beside it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import rankdata

import assay
from assay.cli.main import run
from assay.data.external import ExternalScores
from assay.demo import CAMPAIGN
from assay.questions.studies.leaderboard import mean_of
from assay.significance.draws import Estimate, estimate
from studies.judged_campaign import campaign as small_campaign


def three():
    """Campaigns of other texts and judges."""
    return [replace(small_campaign(seed=seed), name=f"set{seed}") for seed in (3, 4, 5)]


@pytest.fixture
def _folders(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("first", "second", "other/first"):
        shutil.copytree(CAMPAIGN, tmp_path / name)


def test_each_campaign_has_the_numbers_that_it_has_alone():
    campaigns = three()
    together = assay.meta_evaluate(campaigns, ["bleu", "chrf"], samples=20)
    for campaign in campaigns:
        alone = assay.meta_evaluate(campaign, ["bleu", "chrf"], samples=20).table("results")
        rows = [row for row in together.table("results") if row["campaign"] == campaign.name]
        assert [{**row, "campaign": 0} for row in rows] == [{**row, "campaign": 0} for row in alone]


def test_the_average_is_the_mean_of_what_every_campaign_has():
    result = assay.study("correlations", three(), metrics="bleu,f1", samples=5)
    for column in ("pearson", "differences"):
        values = [row[column] for row in result.table() if row["metric"] == "f1" and row["text"] == "words"]
        *single, mean = values
        assert len(single) == 3
        assert mean == pytest.approx(np.mean(single), abs=1e-12)
    # An interval of the mean is nobody's.
    assert "pearson_low" not in result.of("average", "f1", "words")


def test_a_row_that_one_campaign_lacks_has_no_average():
    two = [replace(small_campaign(seed=count, references=count), name=f"of {count}") for count in (2, 3)]
    result = assay.study("reference-count", two, metrics="f1", samples=2, statistic="pearson")
    assert result.of("average", k=2)["mean"] is not None
    assert result.of("average", k=3)["mean"] is None


def test_of_kinds_with_a_slash_each_campaign_has_its_own():
    first, second, _ = three()
    (kind,) = first.judgements.kinds
    other = second.judgements
    renamed = replace(second, human=replace(other, kind=replace(other.kind, names=("grade",))))
    for study, options in (("leaderboard", {}), ("correlations", {"samples": 5})):
        found = assay.study(study, [first, renamed], metrics="bleu,chrf", kind=f"{kind}/grade", **options)
        plain = assay.study(study, [first, second], metrics="bleu,chrf", kind=kind, **options)
        table = "by_campaign" if study == "leaderboard" else "table"
        values = [
            [row.get("value", row.get("pearson")) for row in answer.table(table) if row["campaign"] != "average"]
            for answer in (found, plain)
        ]
        assert values[0] == values[1]
    # What no campaign has is refused in one as in several.
    for campaigns in (first, [first, renamed]):
        with pytest.raises(assay.AssayError, match="no kind of judgement"):
            assay.study("correlations", campaigns, metrics="bleu,chrf", kind=f"{kind}+nothing", samples=5)
    with pytest.raises(assay.AssayError, match="no kind of judgement 'grade'"):
        assay.study("correlations", first, metrics="bleu,chrf", kind=f"{kind}/grade", samples=5)


@pytest.mark.parametrize("order", [1, -1])
def test_a_campaign_without_the_scores_that_are_asked_for_takes_no_part(order):
    first, second, _ = three()
    scores = {"mine": ExternalScores("mine", {name: np.arange(len(first)) * 1.0 for name in first.systems})}
    campaigns = [replace(first, scores=scores), second][::order]
    with pytest.warns(assay.AssayWarning, match="set4 takes no part: set4 has no scores called 'mine'"):
        found = assay.study("leaderboard", campaigns, metrics="mine", samples=5)
    assert {row["campaign"] for row in found.table("by_campaign")} == {"set3"}
    with pytest.raises(assay.AssayError, match=r"no metric 'mine'|no scores called 'mine'"):
        assay.score(campaigns, "mine", samples=0)


def test_kinds_stay_apart_beside_campaigns():
    kinds = ("adequacy", "fluency")
    two = [replace(small_campaign(seed=seed, kinds=kinds), name=f"set{seed}") for seed in (3, 4)]
    result = assay.study("correlations", two, metrics="f1", samples=2, kind="adequacy,fluency")
    rows = [row for row in result.table() if row["campaign"] == "average" and row["text"] == "words"]
    assert [row["kind"] for row in rows] == ["adequacy", "fluency"]
    for row in rows:
        single = [
            other["pearson"]
            for other in result.table()
            if other["kind"] == row["kind"] and other["text"] == "words" and other["campaign"] != "average"
        ]
        assert row["pearson"] == pytest.approx(sum(single) / 2)


def test_digests_and_signatures_say_whose_they_are():
    result = assay.score(three()[:2], "bleu")
    assert result.campaign == "set3, set4"
    assert {name.partition("/")[0] for name in result.digests} == {"set3", "set4"}
    assert set(result.signatures) == {"bleu, set3", "bleu, set4"}
    assert assay.Result.from_json(result.to_json()).render("text") == result.render("text")


def test_a_list_of_one_campaign_is_that_campaign():
    (first, *_) = three()
    assert assay.score([first], "bleu").render("text") == assay.score(first, "bleu").render("text")


@pytest.mark.usefixtures("_folders")
def test_folders_of_one_name_are_called_by_their_paths(capfd):
    assert run(["score", "first", "other/first", "-m", "bleu", "--samples", "0"]) == 0
    assert str(Path("other/first")) in capfd.readouterr().out


@pytest.mark.usefixtures("_folders")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("score first first -m bleu", "Two campaigns are called 'first'"),
        ("explain first second --system human --segment 1 -m bleu", "explain takes one campaign, not 2"),
        ("tune chrf first second --kind adequacy", "tune takes one campaign, not 2"),
        ("meta first second --judgements first/human.tsv", "--judgements is of one campaign, and there are 2"),
        ("meta first second --scores x.seg.score", "--scores is of one campaign, and there are 2"),
        ("score first nowhere", "nowhere"),
        ("score first first/sys.human.txt", "2 arguments but no reference"),
    ],
)
def test_what_several_campaigns_cannot_be_asked(typed, said, capfd):
    assert run(typed.split()) == 2
    assert said in capfd.readouterr().err


def test_no_campaign_at_all_is_an_error():
    with pytest.raises(assay.InputError, match="there is none in the list"):
        assay.score([], "bleu")


@pytest.mark.usefixtures("_folders")
def test_settings_of_one_of_several_folders_are_not_read_in_silence(capfd):
    Path("first/assay.toml").write_text('metrics = ["wer"]\n', encoding="utf-8")
    assert run(["score", "first", "second", "--samples", "0"]) == 0
    shown = capfd.readouterr()
    assert "first/assay.toml is not read" in shown.err
    assert "BLEU" in shown.out


@pytest.mark.usefixtures("_folders")
def test_all_studies_are_asked_of_all_campaigns():
    typed = "study all first second --kind adequacy -m bleu -o all.json --where domain=everyday"
    assert run(typed.split()) == 0
    result = assay.Result.from_json(Path("all.json").read_text(encoding="utf-8"))
    rows = result.table("correlations.table")
    assert [row["campaign"] for row in rows if row["text"] == "words"] == ["first", "second", "average"]


# --- the leaderboard -------------------------------------------------------------------------------------------------


def test_the_leaderboard_has_means_and_ranks_of_what_meta_measures():
    campaigns, metrics = three(), ["chrf", "f1", "wer"]
    board = assay.study("leaderboard", campaigns, metrics=metrics, statistic="pearson", own_recipes=True, samples=5)
    values = np.array(
        [
            [
                assay.meta_evaluate(campaign, metrics, samples=0).of(name, "pearson", level="system")["value"]
                for name in metrics
            ]
            for campaign in campaigns
        ]
    )
    ranks = np.array([rankdata(-row) for row in values])
    for number, name in enumerate(metrics):
        row = board.of(name, table="table")
        assert row["mean"] == pytest.approx(values[:, number].mean())
        assert row["mean_rank"] == pytest.approx(ranks[:, number].mean())
        assert row["first"] == (values[:, number] == values.max(axis=1)).sum()
        assert row["campaigns"] == 3
    order = [metrics[number] for number in np.argsort(-values.mean(axis=0), kind="stable")]
    assert [row["metric"] for row in board.table()] == order
    best, last = board.table()[0], board.table()[-1]
    assert best["behind"] is None
    assert last["behind"] == pytest.approx(best["mean"] - last["mean"])


def test_the_mean_of_estimates_is_taken_draw_by_draw():
    # Row 0 is the data as they are: (0.5 + 0.7) / 2.
    generator = np.random.default_rng(0)
    first, second = (np.concatenate([[value], value + generator.normal(0, 0.1, 400)]) for value in (0.5, 0.7))
    mean = mean_of([estimate(first, 50), estimate(second, 40)])
    assert mean.value == pytest.approx(0.6)
    # Two independent errors of 0.1 leave 0.1 / sqrt(2) of the mean.
    assert (mean.high - mean.low) / 2 == pytest.approx(1.96 * 0.1 / np.sqrt(2), rel=0.15)


def test_the_mean_is_as_sure_as_the_campaign_with_the_fewest_units():
    values = np.concatenate([[0.5], np.linspace(0.3, 0.7, 99)])
    mean = mean_of([estimate(values, 400), estimate(values, 6)])
    expected = estimate(values, 6)
    assert (mean.low, mean.high) == pytest.approx((expected.low, expected.high))
    assert mean.high > estimate(values, 400).high


def test_where_one_campaign_has_no_interval_neither_has_the_mean():
    mean = mean_of([estimate(np.array([0.5, 0.4, 0.6]), 40), Estimate(0.7, values=np.array([0.7]))])
    assert (mean.value, mean.low, mean.high) == (pytest.approx(0.6), None, None)


def test_a_campaign_without_judges_takes_no_part_and_is_named():
    campaigns = [*three()[:2], replace(small_campaign(seed=9, judged=False), name="unjudged")]
    with pytest.warns(assay.AssayWarning, match="unjudged takes no part"):
        board = assay.study("leaderboard", campaigns, metrics="f1", samples=5)
    assert board.table()[0]["campaigns"] == 2


def test_metrics_that_are_equal_share_a_place():
    two = three()[:2]
    board = assay.study("leaderboard", two, metrics=["f1", "fmean(alpha=0.5)"], samples=5)
    assert [row["rank"] for row in board.table()] == [1, 1]
    assert board.findings[0].startswith("f1 and fmean(alpha=0.5) are first (")
    # Nobody is behind.
    assert not any(said.startswith("Not surely behind") for said in board.findings)


def test_the_picture_of_one_campaign_has_no_mean_beside_it():
    one, two = (assay.study("leaderboard", three()[:count], metrics="f1,wer", samples=5) for count in (1, 2))
    assert "pairwise accuracy with people, over systems" in str(one.chart().data)
    drawn = [str(board.chart().data) for board in (one, two)]
    assert ["'mean'" in text for text in drawn] == [False, True]


def test_accuracy_is_of_systems_alone():
    with pytest.raises(assay.ParameterError, match="pearson, spearman or kendall of segments"):
        assay.study("leaderboard", three(), level="segment")
