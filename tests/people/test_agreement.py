"""``assay.agreement``: what comes out for good judgements, for odd ones, and for none."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

import assay
from assay.data.formats.judgements import read_judgements
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning
from assay.people.agreement.ratings import RatedItems, drift
from assay.people.grades import grades_of, read_grades
from assay.people.scores import adjusted_means
from people.judged import DATA, grid, judged, needs_data

FEW = {"samples": 50, "splits": 10}

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")


@pytest.fixture(scope="module")
def demo():
    return assay.agreement(CAMPAIGN, kind="adequacy", **FEW)


def by_rater(kind):
    """The demo's scores as items by raters."""
    judgements = assay.read(CAMPAIGN).judgements.of_kinds(kind)
    table = {}
    for one in judgements:
        table.setdefault((one.system, one.segment), {})[one.rater] = one.score
    return np.array([[row[name] for name in ("anna", "bilal", "carmen")] for row in table.values()])


def test_pooled_correlations_are_means_over_pairs(demo):
    # Every pair has the same 300 items, so that the weighted mean is the plain one.
    scores = by_rater("adequacy")
    pairs = [(0, 1), (0, 2), (1, 2)]
    for name, theirs in (("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall", stats.kendalltau)):
        expected = np.mean([theirs(scores[:, a], scores[:, b]).statistic for a, b in pairs])
        assert demo.of(name).value == pytest.approx(expected, abs=1e-9)


def test_one_against_the_mean_of_the_others(demo):
    scores = by_rater("adequacy")
    expected = [stats.pearsonr(scores[:, a], np.delete(scores, a, axis=1).mean(axis=1)).statistic for a in range(3)]
    assert demo.of("others-pearson").value == pytest.approx(np.mean(expected), abs=1e-9)


def test_every_value_has_an_interval_around_it(demo):
    assert len(demo.table()) > 20
    for row in demo.table():
        assert row["low"] <= row["value"] <= row["high"], row["statistic"]
        assert row["raters"] == 3


def test_every_statistic_stands_under_a_part_by_the_name_that_people_know(demo):
    row = demo.of("split-half-system-all")
    assert (row.part, row.label) == ("Two halves of the raters", "stepped up to all raters")
    shown = demo.render("text").splitlines()
    # What is said of all raters stands between the lines that name this part and the next one.
    first, last = shown.index("All raters"), shown.index("One against the mean of the others")
    assert [line.split("   ")[0] for line in shown[first + 1 : last]] == [
        f"  {row['label']}" for row in demo.table() if row["part"] == "All raters"
    ]


def test_json_has_what_the_interface_promises(demo):
    found = json.loads(demo.to_json())
    assert found["command"] == "agreement"
    columns = ["statistic", "kind", "value", "low", "high", "raters", "items", "part", "label"]
    assert list(found["results"][0]) == columns
    assert len(found["pairs"]) == 3 * 7
    assert [row["rater"] for row in found["raters"]] == ["bilal", "carmen", "anna"]
    assert {row["method"] for row in found["normalisation"]} == {"none", "z", "robust-z", "quantile", "mixed"}
    assert found["setup"]["used"]["judgements"] == 900
    assert found["setup"]["used"]["other_kinds"] == 900
    assert set(found["setup"]["variances"]) == {"segment", "item", "rater", "error"}
    assert list(found["digests"]) == ["judgements"]
    assert "Two raters" in demo._repr_html_()


def test_every_table_says_of_which_kind_it_is(demo):
    for name in ("results", "pairs", "raters", "normalisation", "effect"):
        assert {row["kind"] for row in demo.table(name)} == {"adequacy"}


def test_a_result_that_was_kept_reads_the_same(demo):
    again = assay.Result.from_json(demo.to_json())
    assert again.render("text") == demo.render("text")
    assert again.chart("severity").data == demo.chart("severity").data


def test_the_same_seed_gives_the_same_numbers(demo):
    assert assay.agreement(CAMPAIGN, kind="adequacy", **FEW).to_json() == demo.to_json()
    assert assay.agreement(CAMPAIGN, kind="adequacy", seed=2, **FEW).to_json() != demo.to_json()


def test_z_takes_severity_away_from_the_intraclass_correlation(demo):
    # A shift or stretch per rater leaves Pearson's r alone, and ICC(2,1) comes near to it.
    found = assay.agreement(CAMPAIGN, kind="adequacy", normalise="z", **FEW)
    assert found.of("pearson").value == pytest.approx(demo.of("pearson").value, abs=1e-9)
    assert found.of("icc-2-1").value > demo.of("icc-2-1").value + 0.02


def test_several_kinds_and_none_chosen_is_an_error_with_their_counts():
    with pytest.raises(assay.InputError, match=r"adequacy \(900\), fluency \(900\)"):
        assay.agreement(CAMPAIGN)


def test_segments_can_be_chosen():
    found = assay.agreement(CAMPAIGN, kind="adequacy", where="document=cat-story", **FEW)
    assert found.setup["used"]["judgements"] == 120
    # Of 1,800 judgements 120 of each of two kinds are left.
    assert found.setup["used"]["other_segments"] == 1560
    with pytest.raises(assay.ParameterError, match="Give the campaign"):
        assay.agreement(grid([[1, 2], [2, 1]]), where="domain=news")


def test_a_single_rater_has_nobody_to_agree_with():
    found = assay.agreement(judged(("s", 0, "a", 1.0), ("s", 1, "a", 2.0)), **FEW)
    assert found.table() == []
    assert "single rater (a)" in found.findings[0]
    assert found.setup["used"]["one_rater"] == 2
    # The tables that are left say what they are of.
    assert str(found).startswith("inline: da: raters\n")


def test_raters_without_common_items_have_nobody_to_agree_with():
    found = assay.agreement(judged(("s", 0, "a", 1.0), ("s", 1, "b", 2.0)), **FEW)
    assert "No item was rated by two of the 2 raters" in found.findings[0]


def test_a_constant_rater_has_no_correlation_and_a_flag():
    found = assay.agreement(grid([[3, 1], [3, 2], [3, 3], [3, 4]]), **FEW)
    assert found.of("pearson").value is None
    assert found.of("exact-agreement").value == pytest.approx(0.25)
    assert "constant" in found.of("a", table="raters").flags


def test_two_equal_ratings_are_constant_and_a_single_one_is_not():
    found = assay.agreement(grid([[3, 1, 5], [3, 2, None], [None, 3, None]]), **FEW)
    flags = {row["rater"]: row["flags"] for row in found.table("raters")}
    assert flags == {"a": "few ratings, constant", "b": "few ratings", "c": "few ratings"}


def test_what_is_not_used_is_counted_with_the_reason():
    rows = [("s", n, rater, float(n)) for n in range(4) for rater in ("a", "b")]
    rows += [("s", 9, "a", 5.0), ("s", 0, "a", 3.0), ("s", 1, "a", math.nan), ("s", 1, None, 2.0)]
    found = assay.agreement(judged(*rows), **FEW)
    assert found.setup["used"] == {
        "judgements": 12,
        "between_raters": 8,
        "repeats": 1,
        "one_rater": 1,
        "no_score": 1,
        "no_rater": 1,
        "other_kinds": 0,
    }


def test_no_judgement_with_rater_and_score_is_an_error():
    with pytest.raises(assay.InputError, match="none of 2 judgements has both"):
        assay.agreement(judged(("s", 0, None, 1.0), ("s", 1, "a", math.nan)))


def test_a_value_can_stand_for_a_missing_score():
    table = [[1, 2], [2, 2], [3, 4], [-1, 5], [4, 4]]
    found = assay.agreement(grid(table), missing=-1, **FEW)
    without = assay.agreement(grid([row for row in table if -1 not in row]), **FEW)
    assert found.setup["used"]["missing"] == 1
    assert found.of("pearson").value == pytest.approx(without.of("pearson").value)


def test_scores_can_be_turned_round():
    table = [[1, 2], [2, 2], [3, 4], [6, 5], [4, 4]]
    plain, turned = (assay.agreement(grid(table), lower_is_better=flag, grades="3,5", **FEW) for flag in (False, True))
    assert turned.of("kappa-linear").value == pytest.approx(plain.of("kappa-linear").value)
    assert turned.setup["cuts"] == pytest.approx((-5.0, -3.0))
    assert turned.of("icc-3-1").value == pytest.approx(plain.of("icc-3-1").value)
    means = [[row["mean"] for row in found.table("raters")] for found in (plain, turned)]
    assert means[1] == pytest.approx([-mean for mean in reversed(means[0])])


def test_repeats_are_found_within_a_kind_and_across_kinds():
    rows = [("s", n, "a", float(score), "da") for n, score in enumerate([1, 2, 3, 4])]
    rows += [("s", n, "a", float(score), "da-repeat") for n, score in enumerate([1, 3, 2, 4])]
    found = assay.agreement(judged(*rows), kind="da/da-repeat", **FEW)
    # Ranks 1 2 3 4 and 1 3 2 4: rho = 1 - 6 * 2 / 60.
    assert found.of("repeat-spearman").value == pytest.approx(0.8)
    assert found.of("repeat-exact-agreement").value == pytest.approx(0.5)
    assert found.setup["used"]["repeats"] == 4


def test_tables_setup_and_signatures_speak_of_all_kinds():
    rows = [("s", n, rater, float(n + (rater == "b")), kind) for n in range(4) for rater in "ab" for kind in ("x", "y")]
    rows += [("s", 0, "a", 1.0, "y")]
    texts = [f"word {n} of four" for n in range(4)]
    campaign = assay.Campaign("small", systems={"s": texts}, references={"A": texts}).with_judgements(judged(*rows))
    found = assay.agreement(campaign, kind="x,y", metrics="chrf", **FEW)
    assert {row["kind"] for row in found.table("metrics")} == {"x", "y"}
    # Four segments by two raters are 8 judgements of each kind; of the second one is a repeat.
    assert found.setup["kind"] == "x, y"
    assert [found.setup["kinds"][kind]["used"]["repeats"] for kind in "xy"] == [0, 1]
    assert "x: Of 8 judgements" in found.setup["usage"]
    assert "y: Of 9 judgements" in found.setup["usage"]
    assert list(found.signatures) == ["chrf"]


def test_only_the_first_of_repeats_counts_between_raters():
    table = [[1, 2], [2, 2], [3, 4], [6, 5]]
    repeated = grid(table).joined(judged(("s", 0, "a", 100.0)))
    plain = assay.agreement(grid(table), **FEW).of("pearson").value
    assert assay.agreement(repeated, **FEW).of("pearson").value == pytest.approx(plain)


def test_the_first_of_repeats_is_the_first_in_the_file_however_kinds_alternate():
    rows = [("s", n, rater, score, "xy"[n % 2]) for score in (1.0, 2.0) for n in range(40) for rater in "ab"]
    ratings = RatedItems(judged(*rows))
    # Two raters of 40 items, who gave 1 to all of them first and 2 later.
    assert ratings.score[ratings.shared].tolist() == [1.0] * 80


def ranking(name, rater, systems, segment=0):
    """A ranking from the best to the worst."""
    return [Judgement(one, segment, -float(rank), "rr", rater, ranking=name) for rank, one in enumerate(systems)]


def test_rankings_are_judged_by_their_pairs():
    rows = [*ranking("1", "a", "xyz"), *ranking("2", "b", "xzy"), *ranking("3", "b", "yx"), *ranking("4", "c", "x")]
    found = assay.agreement(Judgements.of(rows, "inline"), **FEW)
    # x-y: a and b agree once, and once not (b's second ranking); x-z: agree; y-z: not. 2 of 4.
    assert found.of("comparison-agreement").value == pytest.approx(0.5)
    # b compared x and y twice, with different answers.
    assert found.of("repeat-comparison-agreement").value == pytest.approx(0.0)
    assert found.setup["used"]["alone_in_ranking"] == 1
    assert [name for name, rows in found.tables.items() if rows] == ["results"]
    assert found.figures == ()


def test_rankings_beside_scores_are_an_error():
    mixed = Judgements.of([*ranking("1", "a", "xy"), Judgement("x", 0, 1.0, "da", "b")], "inline")
    with pytest.raises(assay.InputError, match="this is no ranking, but others are"):
        assay.agreement(mixed, kind="/".join(mixed.kinds))


def test_kinds_called_rr_are_rankings_without_ids_too():
    # Two raters rank x, y and z on two segments, one after the other as in a file.
    rows = [
        Judgement(system, segment, -float(rank), "rr-rank", rater)
        for segment in range(2)
        for rater, order in (("a", "xyz"), ("b", "xzy"))
        for rank, system in enumerate(order, start=1)
    ]
    found = assay.agreement(Judgements.of(rows, "inline"), **FEW)
    assert found.setup["used"] == {"judgements": 12, "ranked": 12, "alone_in_ranking": 0, "other_kinds": 0}
    # Of three pairs of systems they agree on two.
    assert found.of("comparison-agreement").value == pytest.approx(2 / 3)
    assert not found.table("raters")
    with pytest.raises(assay.ParameterError, match="no scale to normalise"):
        assay.agreement(Judgements.of(rows, "inline"), normalise="z", **FEW)


def marked(rater, *spans, system="s", segment=0):
    found = tuple(ErrorSpan(severity, start=start, end=end) for severity, start, end in spans)
    return Judgement(system, segment, -float(len(spans)), "mqm", rater, spans=found)


def test_marked_errors_are_compared_by_their_characters():
    # a marks 0-10 as major, b marks 5-15 as minor and 20-25 as major: 5 characters in common of 10 + 15.
    rows = [marked("a", ("major", 0, 10)), marked("b", ("minor", 5, 15), ("major", 20, 25))]
    # Nobody marks anything in the second segment; only a does in the third, 4 characters.
    rows += [
        marked("a", segment=1),
        marked("b", segment=1),
        marked("a", ("minor", 0, 4), segment=2),
        marked("b", segment=2),
    ]
    found = assay.agreement(Judgements.of(rows, "inline"), **FEW)
    assert found.of("span-f1").value == pytest.approx(2 * 5 / 29)
    assert found.of("span-f1-severity").value == pytest.approx(0.0)
    assert found.of("error-agreement").value == pytest.approx(2 / 3)
    # Three of six times there is an error, so chance agrees on one half: (2/3 - 1/2) / (1/2).
    assert found.of("error-kappa").value == pytest.approx(1 / 3)


def test_of_overlapping_errors_the_graver_one_counts():
    rows = [marked("a", ("minor", 0, 10), ("major", 0, 4)), marked("b", ("major", 0, 4), ("minor", 4, 10))]
    found = assay.agreement(Judgements.of(rows, "inline"), **FEW)
    assert found.of("span-f1-severity").value == pytest.approx(1.0)


def test_errors_of_an_unknown_severity_stay_below_those_of_a_known_one():
    rows = [marked("a", ("minor", 0, 4), ("odd", 0, 10)), marked("b", ("odd", 4, 10), ("minor", 0, 4))]
    found = assay.agreement(Judgements.of(rows, "inline"), **FEW)
    assert found.of("span-f1-severity").value == pytest.approx(1.0)


def test_control_items_are_held_against_the_same_raters_originals():
    rows = [("s", n, rater, 80.0 + n, "da") for n in range(8) for rater in ("good", "careless")]
    rows += [("s", n, "good", 40.0, "da-bad") for n in range(8)]
    rows += [("s", n, "careless", 80.0 + n + (-1) ** n, "da-bad") for n in range(8)]
    found = assay.agreement(judged(*rows), kind="da", control="da-bad", **FEW)
    told = {row["rater"]: row for row in found.table("controls")}
    assert told["good"]["told_apart"]
    assert told["good"]["difference"] == pytest.approx(40.0 - 83.5)
    assert not told["careless"]["told_apart"]
    assert {(row["control"], row["kind"]) for row in told.values()} == {("da-bad", "da")}
    with pytest.raises(assay.InputError, match="as --kind and as --control"):
        assay.agreement(judged(*rows), kind="da", control="da", **FEW)


def shown(result, title):
    """The first cells of a table as people read it."""
    text = result.render("text")
    body = text[text.index(f"{title}\n\n") :].split("\n\n")[1].splitlines()
    return [line.split()[0] for line in body[2:]]


def test_of_many_raters_and_pairs_all_are_shown_when_asked_for():
    # 30 raters, each with nine points less than the one before, rate the same five segments.
    table = [[9 * rater + segment for rater in range(30)] for segment in range(5)]
    raters = [f"r{number:02}" for number in range(30)]
    found, everything = (assay.agreement(grid(table, raters), everything=flag, **FEW) for flag in (False, True))
    assert found.tables == everything.tables
    # The most severe first: r00 to r09 and r20 to r29, and none of 30 * 29 / 2 pairs.
    assert shown(found, "Raters") == [*raters[:10], *raters[20:]]
    assert "20 of 30 raters are shown, from both ends; 30 have a flag: --all shows them" in str(found)
    assert "Pairs of raters" not in str(found)
    assert shown(everything, "Raters") == raters
    assert len(shown(everything, "Pairs of raters")) == 435


def test_raters_who_did_not_tell_control_items_apart_come_first():
    names = [f"r{number:02}" for number in range(12)]
    rows = [("s", n, rater, 80.0 + n, "da") for n in range(12) for rater in names]
    # The last two raters give the degraded translations what they gave the originals.
    rows += [("s", n, rater, 80.0 + n if rater in names[10:] else 40.0, "bad") for n in range(12) for rater in names]
    found, everything = (
        assay.agreement(judged(*rows), kind="da", control="bad", everything=flag, **FEW) for flag in (False, True)
    )
    assert shown(found, "Quality control: bad") == [*names[10:], *names[:8]]
    assert shown(everything, "Quality control: bad") == [*names[10:], *names[:10]]
    assert "10 of 12 raters tell bad from the originals (p ≤ 0.05, Holm)" in str(found)


def test_drift_is_the_way_from_the_first_rating_to_the_last():
    assert drift(np.linspace(1.0, 4.0, 50) + np.tile([0.01, -0.01], 25))[0].value == pytest.approx(3.0, abs=0.01)
    assert drift(np.ones(3))[0].value is None


def test_drift_of_independent_ratings_is_students_regression():
    # Neighbours that are rather unlike are taken as independent.
    residuals = np.tile([1.0, -1.0], 20) + np.linspace(0.0, 1.0, 40)
    found, p = drift(residuals)
    line = stats.linregress(np.linspace(-0.5, 0.5, 40), residuals)
    assert p == pytest.approx(line.pvalue, rel=1e-9)
    assert found.high - found.value == pytest.approx(stats.t.ppf(0.975, 38) * line.stderr, rel=1e-9)


@pytest.mark.parametrize("alike", [0.0, 0.3, 0.6])
def test_ratings_that_are_like_their_neighbours_are_not_called_drift(alike):
    # At 5 %, 400 raters of 200 ratings: up to 31 are within the 99 % bound. As independent ones 34 % drifted at 0.6.
    generator = np.random.default_rng(5)
    noise = generator.normal(size=(400, 200)) * np.sqrt(1.0 - alike**2)
    ratings = noise.copy()
    for place in range(1, 200):
        ratings[:, place] += alike * ratings[:, place - 1]
    assert sum(drift(each)[1] <= 0.05 for each in ratings) <= 31


def test_p_values_of_controls_are_adjusted_for_the_number_of_raters():
    # All eight differences to one side: p = 2/256 each. Of six raters Holm takes 6, 5, ... times the smallest.
    rows = [("s", n, f"r{rater}", 80.0 + n, "da") for n in range(8) for rater in range(6)]
    rows += [("s", n, f"r{rater}", 40.0 - n if rater < 5 else 80.5 + n, "bad") for n in range(8) for rater in range(6)]
    rows += [("s", n, "idle", 70.0, kind) for n in range(8) for kind in ("da", "bad")]
    found = assay.agreement(judged(*rows), kind="da", control="bad", **FEW).table("controls")
    assert [row["p"] for row in found if row["rater"] != "idle"] == pytest.approx([2 / 256] * 6)
    assert [row["p_adjusted"] for row in found if row["rater"] != "idle"] == pytest.approx([12 / 256] * 6)
    idle = next(row for row in found if row["rater"] == "idle")
    assert (idle["p"], idle["p_adjusted"], idle["told_apart"]) == (None, None, False)


def test_intervals_can_allow_for_other_raters(demo):
    found = assay.agreement(CAMPAIGN, kind="adequacy", resample="both", **FEW)
    assert "about these raters" in demo.findings[-2]
    assert "without each rater in turn" in found.findings[-2]
    # By hand, with three raters: r of each pair is what is left without the third.
    scores, here = by_rater("adequacy"), demo.of("pearson")
    left = np.arctanh([stats.pearsonr(scores[:, a], scores[:, b]).statistic for a, b in ((0, 1), (0, 2), (1, 2))])
    raters = 2 / 3 * ((left - left.mean()) ** 2).sum()
    items = ((np.arctanh(here.high) - np.arctanh(here.low)) / 2 / stats.norm.ppf(0.975)) ** 2
    half = stats.t.ppf(0.975, 2 * ((raters + items) / raters) ** 2) * np.sqrt(raters + items)
    expected = np.tanh([np.arctanh(here.value) - half, np.arctanh(here.value) + half])
    assert found.of("pearson").interval == pytest.approx(tuple(expected), abs=1e-9)


def test_two_raters_say_nothing_of_others():
    found = assay.agreement(grid([[1, 2], [2, 2], [3, 4], [6, 5], [4, 4], [2, 1]]), resample="both", **FEW)
    assert found.of("pearson").value is not None
    assert found.of("pearson").interval is None


def test_intervals_that_allow_for_other_raters_hold_the_truth():
    # Severity of raters counts in alpha and ICC(2,1): 1 / (1 + 0.25 + 0.64). Over items alone 86 to 88 % hold it.
    generator, held = np.random.default_rng(3), []
    for _ in range(40):
        table = generator.normal(size=(40, 1)) + generator.normal(0, 0.5, (1, 5)) + generator.normal(0, 0.8, (40, 5))
        found = assay.agreement(grid(table.tolist()), resample="both", samples=60, splits=1)
        held += [found.of(name).low <= 1 / 1.89 <= found.of(name).high for name in ("alpha-interval", "icc-2-1")]
    assert np.mean(held) > 0.88


@pytest.mark.parametrize(
    ("wanted", "message"),
    [(1, "2 to 100 grades"), ("x", "a number of grades"), ("5,4", "rising order"), ([], "rising order")],
)
def test_impossible_grades_are_refused(wanted, message):
    with pytest.raises(assay.ParameterError, match=message):
        read_grades(wanted)


def test_scores_on_a_cut_belong_to_the_grade_above():
    assert grades_of(np.arange(5.0), read_grades("2,")).of(np.array([1.9, 2.0])).tolist() == [0, 1]


def test_many_equal_scores_leave_fewer_grades():
    scores = np.array([0.0] * 60 + list(range(-1, -41, -1)), dtype=float)
    found = grades_of(scores, 5)
    assert len(found) == 3
    assert "leave 3" in found.method


def test_judgements_of_whole_systems_have_no_interval():
    rows = [Judgement(system, None, score, "da", rater) for rater, scores in (("a", (1, 2, 3)), ("b", (2, 2, 3)))
            for system, score in zip("xyz", map(float, scores), strict=True)]  # fmt: skip
    found = assay.agreement(Judgements.of(rows, "inline"), **FEW).of("pearson")
    assert found.value == pytest.approx(stats.pearsonr([1, 2, 3], [2, 2, 3]).statistic)
    assert found.interval is None


def test_metrics_need_translations():
    with pytest.raises(assay.ParameterError, match="Metrics need the translations"):
        assay.agreement(grid([[1, 2], [2, 1]]), metrics="bleu")


def test_what_is_no_judgement_is_refused():
    with pytest.raises(assay.InputError, match="takes a campaign, judgements or a path, not a int"):
        assay.agreement(7)


def test_judgements_alone_are_a_campaign_without_texts(demo):
    path = f"{CAMPAIGN}/human.tsv"
    for given in (path, assay.read_judgements(path)):
        found = assay.agreement(given, "adequacy", **FEW)
        assert found.tables == demo.tables
        assert (found.campaign, found.digests) == (path, demo.digests)


def test_systems_can_be_chosen_with_texts_or_without():
    path = f"{CAMPAIGN}/human.tsv"
    with_texts, alone = (assay.agreement(one, "adequacy", systems="gravel,lan*", **FEW) for one in (CAMPAIGN, path))
    assert with_texts.tables == alone.tables
    assert {row["system"] for row in alone.table("normalisation")} == {"gravel", "lantern"}
    # Of five systems with 360 judgements each, three were not chosen.
    assert alone.setup["used"]["other_systems"] == 1080
    with pytest.raises(assay.UnknownName, match=r"no judged system 'gravl'\. Did you mean 'gravel'"):
        assay.agreement(path, "adequacy", systems="gravl")


def test_shared_ratings_stand_item_by_item():
    ratings = RatedItems(grid([[1, 2, None], [None, 3, None], [4, None, 5]]))
    assert ratings.score[ratings.shared].tolist() == [1, 2, 4, 5]
    assert len(ratings.between()) == 2


@needs_data
def test_metrics_are_held_against_the_judges_as_published():
    # Independent values for BLEU and chrF against MQM over 12 systems, on the judged segments.
    with pytest.warns(AssayWarning, match="judged items of refA cannot be held against metrics"):
        found = assay.agreement(DATA / "wmt23-en-de", kind="mqm", metrics="bleu,chrf", **FEW)
    raw = {"table": "metrics", "method": "none", "level": "system"}
    assert found.of("bleu", "pearson", **raw).value == pytest.approx(0.9267, abs=5e-5)
    assert found.of("bleu", "kendall", **raw).value == pytest.approx(0.7879, abs=5e-5)
    assert found.of("chrf", "pearson", **raw).value == pytest.approx(0.8756, abs=5e-5)
    assert list(found.signatures) == ["bleu", "chrf"]


@needs_data
def test_system_scores_are_adjusted_for_the_segments_that_were_judged():
    judgements = read_judgements(DATA / "wmt21-ru-en-da" / "human.tsv").of_kind("da-z/da-z-repeat")
    found = assay.agreement(judgements, kind="da-z/da-z-repeat", **FEW)
    ours = {row["system"]: row["score"] for row in found.table("normalisation") if row["method"] == "none"}
    names, segments = judgements.system.names, int(judgements.segment.max()) + 1
    sums, counts = np.zeros((2, len(names), segments))
    for row in range(len(judgements)):
        sums[judgements.system.codes[row], judgements.segment[row]] += judgements.score[row]
        counts[judgements.system.codes[row], judgements.segment[row]] += 1
    cells = sums / np.where(counts > 0, counts, np.nan)
    expected = adjusted_means(cells, np.ones((1, segments)))[0]
    assert ours == pytest.approx(dict(zip(names, expected, strict=True)), abs=1e-9)


def test_control_items_too_few_for_the_number_of_raters_are_told():
    # Four raters, all of whose control items are lower: eight of three raters, 2 / 256 each, and five of the first,
    # 2 / 32, which is more than 0.05 by itself.
    rows = [("a", item, f"r{rater}", 50.0 + item, "da") for rater in range(4) for item in range(8)]
    rows += [
        ("a", item, f"r{rater}", 10.0 + item / 2, "bad") for rater in range(4) for item in range(8 if rater else 5)
    ]
    found = assay.agreement(judged(*rows), kind="da", control="bad", **FEW)
    by_rater = {row["rater"]: row for row in found.table("controls")}
    # With five items 2 / 32, once for itself: the other three were told apart before.
    assert by_rater["r0"]["smallest_p"] == 2 / 32
    assert by_rater["r1"]["smallest_p"] == by_rater["r1"]["p_adjusted"] == 4 * 2 / 256
    note = "1 rater could not have passed, whatever they gave: 5 items or fewer give no p that is small enough"
    (view,) = [view for view in found.views if view.title == "Quality control: bad"]
    assert view.notes[1].startswith(note)


def test_neighbours_that_are_alike_make_a_drift_less_sure_by_hand():
    residuals = np.array([0.0, 2.0, 1.0, 3.0, 5.0, 4.0, 4.0, 7.0, 6.0, 9.0, 8.0, 11.0])
    count = len(residuals)
    time = np.arange(count) / (count - 1) - 0.5
    slope, intercept, *_ = stats.linregress(time, residuals)
    left = residuals - intercept - slope * time
    # The correlation of neighbours is -0.5 here, so that nothing is taken off; around a slow wave it is near 1.
    for wave in (0.0, 3.0 * np.sin(np.arange(count) / 2.0)):
        around = left + wave
        whole = slope * time + around
        again = stats.linregress(time, whole)
        rest = whole - again.intercept - again.slope * time
        r = sum(one * other for one, other in zip(rest[1:], rest[:-1], strict=True)) / sum(rest**2)
        alike = min(max((count * r + 2) / (count - 4), 0.0), 0.99)
        worth = (1 - alike) / (1 + alike)
        freedom = max(count * worth - 2, 1)
        found, p = drift(whole)
        assert found.value == pytest.approx(again.slope)
        assert p == pytest.approx(2 * stats.t.sf(abs(again.slope) / (again.stderr / worth**0.5), freedom))


def counted_pairs(rows):
    """Grade by grade: ratings, and the mean share of the other ratings of the item that are the same, and within one.

    ``rows`` are the grades that each item was given, in any order.
    """
    found = {}
    for item in rows:
        for place, grade in enumerate(item):
            others = item[:place] + item[place + 1 :]
            same = sum(other == grade for other in others) / len(others)
            near = sum(abs(other - grade) <= 1 for other in others) / len(others)
            found.setdefault(grade, []).append((same, near))
    return {grade: (len(shares), *np.mean(shares, axis=0)) for grade, shares in found.items()}


def of_items(rows):
    """Judgements in which rater a, b, c ... gave an item these grades."""
    return Judgements.of(
        [
            Judgement(system="s", segment=segment, rater="abcdefgh"[place], score=float(grade), kind="x")
            for segment, item in enumerate(rows)
            for place, grade in enumerate(item)
        ],
        "inline",
    )


def test_agreement_on_a_grade_by_hand():
    # Items of two, three and two raters. Grade 3 is given four times: in the first item by both (1 and 1), in the
    # second by two of three (1/2 and 1/2). Grade 1 once, beside two 3s (0), and twice in the third item (1 and 1).
    rows = [[3, 3], [3, 3, 1], [1, 1], [2, 3]]
    found = {row["grade"]: row for row in assay.agreement(of_items(rows), **FEW).table("grades")}
    assert found["3"]["ratings"] == 5
    # (1 + 1 + 1/2 + 1/2 + 0) / 5, where 5 of 9 ratings are 3s.
    assert found["3"]["same"] == pytest.approx(3 / 5)
    assert found["3"]["share"] == pytest.approx(5 / 9)
    assert found["3"]["kappa"] == pytest.approx((3 / 5 - 5 / 9) / (1 - 5 / 9))
    # The 3 beside a 2 is within one grade of it.
    assert found["3"]["within_one"] == pytest.approx(4 / 5)
    assert found["3"]["chance_within_one"] == pytest.approx(6 / 9)
    assert found["1"]["same"] == pytest.approx(2 / 3)
    assert found["2"]["same"] == 0.0
    assert found["2"]["within_one"] == 1.0


def test_agreement_on_grades_is_that_of_all_pairs_counted_one_by_one():
    generator = np.random.default_rng(5)
    rows = [
        np.clip(generator.integers(1, 6) + generator.integers(-1, 2, size=generator.integers(2, 6)), 1, 5).tolist()
        for _ in range(60)
    ]
    wanted, total = counted_pairs(rows), sum(map(len, rows))
    result = assay.agreement(of_items(rows), **FEW)
    for row in result.table("grades"):
        ratings, same, near = wanted[int(row["grade"])]
        assert (row["ratings"], row["same"], row["within_one"]) == pytest.approx((ratings, same, near))
        assert row["kappa"] == pytest.approx((same - ratings / total) / (1 - ratings / total))
        assert row["kappa_low"] <= row["kappa"] <= row["kappa_high"]
    kappas = {row["grade"]: row["kappa"] for row in result.table("grades")}
    extremes = (kappas["5"] + kappas["1"]) / 2 - (kappas["2"] + kappas["3"] + kappas["4"]) / 3
    assert result.setup["extremes"]["difference"] == pytest.approx(extremes)


def test_kappa_of_a_grade_is_that_of_fleiss_where_all_items_have_as_many_raters():
    scores = by_rater("adequacy")
    items, raters = scores.shape
    rows = {row["grade"]: row for row in assay.agreement(CAMPAIGN, kind="adequacy", **FEW).table("grades")}
    weights, kappas = [], []
    for grade in (1, 2, 3, 4, 5):
        # Fleiss, Levin and Paik (2003), 18.47: 1 - sum n_ij (n - n_ij) / (N n (n - 1) p q).
        counts = (scores == grade).sum(axis=1)
        share = counts.sum() / scores.size
        disagreement = (counts * (raters - counts)).sum() / (items * raters * (raters - 1) * share * (1 - share))
        assert rows[str(grade)]["kappa"] == pytest.approx(1 - disagreement)
        weights.append(share * (1 - share))
        kappas.append(1 - disagreement)
    # Their mean, weighted by p q, is Fleiss' kappa of all grades.
    table = np.stack([(scores == grade).sum(axis=1) for grade in (1, 2, 3, 4, 5)], axis=1)
    observed = ((table**2).sum(axis=1) - raters).mean() / (raters * (raters - 1))
    chance = ((table.sum(axis=0) / scores.size) ** 2).sum()
    assert np.average(kappas, weights=weights) == pytest.approx((observed - chance) / (1 - chance))


@pytest.mark.parametrize(
    ("noisy", "said"),
    [
        # Raters who differ in the middle alone, and raters who differ at the ends alone.
        ((2, 3, 4), "agree more on the lowest and the highest grade"),
        ((1, 5), "agree less on the lowest and the highest grade"),
    ],
)
def test_a_sentence_says_whether_extremes_are_told_apart(noisy, said):
    generator = np.random.default_rng(1)
    swap = {2: (2, 3, 4), 3: (2, 3, 4), 4: (2, 3, 4), 1: (1, 5), 5: (1, 5)}
    rows = []
    for _ in range(200):
        truth = int(generator.integers(1, 6))
        rows.append([int(generator.choice(swap[truth])) if truth in noisy else truth for _ in range(2)])
    findings = assay.agreement(of_items(rows), **FEW).findings
    assert any(said in text for text in findings)


def test_continuous_scores_are_graded_by_cut_points_and_two_grades_have_no_middle():
    generator = np.random.default_rng(2)
    rows = [[float(mean + noise) for noise in generator.normal(size=2)] for mean in generator.normal(50, 20, size=40)]
    result = assay.agreement(of_items(rows), grades="50,", **FEW)
    assert [(row["grade"], row["scores"]) for row in result.table("grades")] == [
        ("2", "50 or more"), ("1", "below 50")
    ]  # fmt: skip
    assert result.setup["extremes"] is None
    cut = counted_pairs([[int(score >= 50) + 1 for score in item] for item in rows])
    assert result.table("grades")[0]["same"] == pytest.approx(cut[2][1])


def test_nobody_to_agree_with_has_no_table_of_grades():
    assert assay.agreement(of_items([[1], [2], [3]]), **FEW).table("grades") == []
