"""Meta-evaluation on small campaigns whose values can be told by hand, or by scipy."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import assay
from assay import meta_evaluate
from assay.data.external import ExternalScores
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.people.ratings import Ratings
from assay.people.robust import outliers_of
from assay.people.scores import steady
from assay.people.usage import people_of
from assay.results.result import Result, Row

SEGMENTS = 40
SYSTEMS = ("one", "two", "three", "four", "five")
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "more", "red", "bird", "by", "an", "old", "tree"]


def campaign(seed: int = 3, raters: int = 1, *, noise: float = 1.0) -> assay.Campaign:
    """Systems that garble more and more words, and raters who notice, with some noise."""
    generator = np.random.default_rng(seed)
    reference = [" ".join(generator.choice(WORDS, size=12)) for _ in range(SEGMENTS)]
    systems: dict[str, list[str]] = {}
    judgements: list[Judgement] = []
    for place, name in enumerate(SYSTEMS):
        systems[name] = []
        for segment, text in enumerate(reference):
            words = text.split()
            for index in range(len(words)):
                if generator.random() < 0.1 + 0.1 * place:
                    words[index] = "x"
            systems[name].append(" ".join(words))
            kept = sum(word != "x" for word in words)
            for rater in range(raters):
                score = kept + noise * generator.normal()
                judgements.append(Judgement(name, segment, score, "da", f"r{rater}", line=len(judgements) + 2))
    documents = tuple(f"d{segment // 8}" for segment in range(SEGMENTS))
    made = assay.Campaign("made", systems, {"A": reference}, documents=documents)
    return made.with_judgements(Judgements.of(judgements, "human.tsv"))


def rows(found: Result, table: str = "results") -> list[Row]:
    return [Row(one) for one in found.table(table)]


def human_grid(whole: assay.Campaign) -> np.ndarray:
    people, _ = people_of(whole)
    assert isinstance(people, Ratings)
    return people.grid


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_systems_correlate_as_scipy_says() -> None:
    whole = campaign()
    found = meta_evaluate(whole, "bleu,ter", levels="system", samples=0, test="none")
    human = human_grid(whole).mean(axis=1)
    for metric, sign in (("bleu", 1), ("ter", -1)):
        scores = np.array([sign * assay.metric(metric).evaluate(whole.corpus(name)).corpus_score() for name in SYSTEMS])
        assert found.of(metric, "pearson").value == pytest.approx(stats.pearsonr(scores, human)[0], abs=1e-9)
        assert found.of(metric, "spearman").value == pytest.approx(stats.spearmanr(scores, human)[0], abs=1e-9)
        assert found.of(metric, "kendall").value == pytest.approx(stats.kendalltau(scores, human)[0], abs=1e-9)


def test_segments_correlate_as_scipy_says_in_every_grouping() -> None:
    whole = campaign()
    found = meta_evaluate(
        whole, "chrf", levels="segment", statistics="pearson,kendall", groupings="all", samples=0, test="none"
    )
    human = human_grid(whole)
    scores = np.stack([assay.metric("chrf").evaluate(whole.corpus(name)).segment_scores() for name in SYSTEMS])
    together = stats.kendalltau(scores.ravel(), human.ravel())[0]
    within_segments = np.nanmean([stats.pearsonr(scores[:, one], human[:, one])[0] for one in range(SEGMENTS)])
    within_systems = np.mean([stats.pearsonr(scores[one], human[one])[0] for one in range(len(SYSTEMS))])
    assert found.of("chrf", "kendall", "segment", "none").value == pytest.approx(together, abs=1e-9)
    assert found.of("chrf", "pearson", "segment", "item").value == pytest.approx(within_segments, abs=1e-9)
    assert found.of("chrf", "pearson", "segment", "system").value == pytest.approx(within_systems, abs=1e-9)


def test_documents_correlate_as_scipy_says() -> None:
    whole = campaign()
    found = meta_evaluate(whole, "f1", levels="document", samples=0, test="none")
    human = human_grid(whole).reshape(len(SYSTEMS), 5, 8).mean(axis=2)
    scores = np.stack(
        [list(assay.metric("f1").evaluate(whole.corpus(name)).document_scores().values()) for name in SYSTEMS]
    )
    expected = stats.pearsonr(scores.ravel(), human.ravel())[0]
    assert found.of("f1", "pearson", "document", "none").value == pytest.approx(expected, abs=1e-9)
    assert found.of("f1", "pearson", "document", "none").n == 25


def test_every_value_has_an_interval_that_holds_it() -> None:
    found = meta_evaluate(campaign(), "bleu,chrf", statistics="all", groupings="all", samples=200)
    assert {result.level for result in rows(found)} == {"system", "document", "segment"}
    for result in rows(found):
        if result.value is None:
            continue
        assert result.interval is not None, result
        assert result.interval.low <= result.interval.high
    usual = [one for one in rows(found) if one.statistic in ("pearson", "kendall") and one.level == "segment"]
    for result in usual:
        assert result.interval.low < result.value < result.interval.high


def test_more_segments_make_shorter_intervals_and_systems_longer_ones() -> None:
    whole = campaign()
    options = {"levels": "system", "statistics": "pearson", "samples": 400, "test": "none"}
    width = {}
    for resample in ("segments", "systems", "both"):
        interval = meta_evaluate(whole, "chrf", resample=resample, **options).of("chrf", "pearson").interval
        width[resample] = interval.high - interval.low
    assert width["segments"] < width["both"]


def test_threads_and_repetition_do_not_matter() -> None:
    first, second = (
        meta_evaluate(campaign(), "bleu,chrf", samples=50, threads=threads, seed=7).to_json() for threads in (1, 4)
    )
    assert first == second


def test_a_metric_that_is_the_judgements_reaches_one() -> None:
    whole = campaign()
    grid = human_grid(whole)
    twin = ExternalScores("twin", segments={name: grid[row] * 2 + 1 for row, name in enumerate(SYSTEMS)})
    found = meta_evaluate(whole, (), scores=[twin], statistics="all", groupings="all", samples=0, test="none")
    for result in rows(found):
        if result.statistic == "kendall-like":
            # No two judgements of a segment are 25 points apart here.
            assert result.value in (None, 0.0)
        else:
            assert result.value == pytest.approx(1.0, abs=0.03 if result.statistic == "spa" else 1e-9), result


def test_scores_of_which_lower_is_better_are_turned() -> None:
    whole = campaign()
    grid = human_grid(whole)
    errors = ExternalScores(
        "errors", segments={name: -grid[row] for row, name in enumerate(SYSTEMS)}, higher_is_better=False
    )
    found = meta_evaluate(whole, (), scores=[errors], levels="system", samples=0, test="none")
    assert found.of("errors", "pearson").value == pytest.approx(1.0, abs=1e-9)
    # People, too, may count errors.
    turned = whole.with_judgements(replace(whole.judgements, score=-whole.judgements.score))
    flipped = meta_evaluate(turned, "bleu", lower_is_better=True, levels="system", samples=0, test="none")
    straight = meta_evaluate(whole, "bleu", levels="system", samples=0, test="none")
    assert flipped.of("bleu", "pearson").value == pytest.approx(straight.of("bleu", "pearson").value, abs=1e-12)


def test_scores_of_systems_alone_are_judged_with_a_note() -> None:
    scores = {name: -place for place, name in enumerate(SYSTEMS)}
    external = ExternalScores("given", systems=scores)
    with pytest.warns(AssayWarning, match="do not come from segments"):
        found = meta_evaluate(campaign(), (), scores=[external], levels="system", samples=100)
    assert found.of("given", "spearman").value == pytest.approx(1.0)


def test_what_was_not_used_is_counted_and_said() -> None:
    whole = campaign()
    more = [
        Judgement("HUMAN", 0, 5.0, "da"),
        Judgement("one", 0, math.nan, "da"),
        Judgement("one", 1, 0.0, "da"),
        Judgement("one", 1, 3.0, "other"),
    ]
    judged = whole.with_judgements(whole.judgements.joined(Judgements.of(more, "more.tsv")))
    people, usage = people_of(judged, kind="da", missing=0.0)
    assert usage.total == SEGMENTS * 5 + 4
    assert usage.used == SEGMENTS * 5
    assert dict(usage.unused) == {
        "of another kind": 1,
        "without a score": 1,
        "equal to 0 (missing)": 1,
        "of systems that are not scored (HUMAN)": 1,
    }
    assert str(usage).startswith("200 of 204 judgements were used. Not used: 1 of another kind; ")
    assert len(people.systems) == 5


def test_several_kinds_must_be_chosen_from() -> None:
    whole = campaign()
    mixed = whole.with_judgements(whole.judgements.joined(Judgements.of([Judgement("one", 0, 1.0, "mqm")], "x")))
    with pytest.raises(InputError, match=r"several kinds of judgement: da \(200\), mqm \(1\)"):
        meta_evaluate(mixed, "bleu")


def test_a_campaign_without_judgements_is_refused() -> None:
    with pytest.raises(InputError, match=r"has no judgements. Put a human\.tsv"):
        meta_evaluate(replace(campaign(), human=None), "bleu")


def test_two_systems_are_too_few_for_their_level_and_enough_for_segments() -> None:
    with pytest.warns(AssayWarning, match="it takes 3 judged systems, not 2"):
        found = meta_evaluate(campaign(), "bleu", systems="one,two", samples=0)
    assert {result.level for result in rows(found)} == {"document", "segment"}
    with pytest.raises(InputError, match="it takes 3 judged systems"):
        meta_evaluate(campaign(), "bleu", systems="one,two", levels="system")


def test_one_system_has_segments_alone() -> None:
    with pytest.warns(AssayWarning, match="judged systems, not 1"):
        found = meta_evaluate(campaign(), "bleu", systems="one", samples=50)
    assert {result.grouping for result in rows(found)} == {"none"}


def test_a_constant_metric_has_no_value() -> None:
    constant = ExternalScores("constant", segments={name: np.ones(SEGMENTS) for name in SYSTEMS})
    found = meta_evaluate(campaign(), (), scores=[constant], statistics="pearson,kendall", samples=50)
    assert all(result.value is None and result.interval is None for result in rows(found))
    assert json.loads(found.to_json())["results"][0]["value"] is None


def test_gaps_of_a_metric_are_counted() -> None:
    whole = campaign()
    grid = human_grid(whole).copy()
    grid[0, :5] = np.nan
    gaps = ExternalScores("gaps", segments={name: grid[row] for row, name in enumerate(SYSTEMS)})
    twelve = [gaps, *(replace(gaps, name=f"m{number}") for number in range(2, 13))]
    with pytest.warns(AssayWarning, match="without a score"):
        found = meta_evaluate(whole, (), scores=twelve, levels="segment", samples=0, test="none")
    # One note for all of them.
    (said,) = [remark for remark in found.notes if "without a score" in remark]
    assert said.endswith(f": gaps (5 of 200), {', '.join(f'm{number} (5 of 200)' for number in range(2, 13))}.")
    assert found.of("gaps", "pearson", "segment", "none").n == 195


@pytest.mark.parametrize("test", [None, "perm-both"])
def test_a_metric_with_gaps_changes_no_other_pair(test) -> None:
    whole = campaign()
    grid = human_grid(whole).copy()
    grid[0, :30] = np.nan
    gaps = ExternalScores("gaps", segments={name: grid[row] for row, name in enumerate(SYSTEMS)})
    alone = meta_evaluate(whole, "bleu,chrf", samples=0, test=test, permutations=99, correction="none")
    with pytest.warns(AssayWarning) as caught:
        beside = meta_evaluate(
            whole, "bleu,chrf", scores=[gaps], samples=0, test=test, permutations=99, correction="none"
        )
    said = " ".join(str(one.message) for one in caught)
    assert "Tested on fewer than 200 segments of systems, those that both metrics have: bleu and gaps (170)" in said
    kept = [row for row in beside.table("comparisons") if "gaps" not in (row["metric_a"], row["metric_b"])]
    assert kept == alone.table("comparisons")
    others = [row for row in beside.table("comparisons") if row not in kept and row["level"] == "segment"]
    assert [row["n"] for row in others] == [170, 170]


def test_a_pair_is_tested_as_if_there_were_only_what_both_metrics_have() -> None:
    whole = campaign()
    grid = human_grid(whole) + np.random.default_rng(4).normal(size=(5, SEGMENTS))
    gapped = grid.copy()
    gapped[:, 20:] = np.nan
    gaps = ExternalScores("gaps", segments=dict(zip(SYSTEMS, gapped, strict=True)))
    with pytest.warns(AssayWarning):
        beside = meta_evaluate(whole, "bleu", scores=[gaps], samples=0, levels="system")
    half = assay.data.campaign.only(whole, np.arange(20))
    full = ExternalScores("gaps", segments=dict(zip(SYSTEMS, grid[:, :20], strict=True)))
    alone = meta_evaluate(half, "bleu", scores=[full], samples=0, levels="system")
    (one,), (other,) = (found.table("comparisons") for found in (beside, alone))
    assert one == {key: pytest.approx(cell) if isinstance(cell, float) else cell for key, cell in other.items()}


def test_wilcoxon_is_refused_with_what_to_use_instead() -> None:
    with pytest.raises(ParameterError, match=r"share segments.* williams or jackknife"):
        meta_evaluate(campaign(), "bleu,chrf", test="wilcoxon")


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_too_few_permutations_for_so_many_pairs_are_said() -> None:
    # 1/21 times 3 pairs is 0.143.
    with pytest.warns(AssayWarning, match=r"20 permutations give no p below 0.143 once corrected for 3 comparisons"):
        meta_evaluate(campaign(), "bleu,chrf,ter", levels="segment", samples=0, permutations=20)


def test_statistics_that_are_not_grouped_by_item_are_doubted_where_metrics_are_compared() -> None:
    def said(given: assay.Campaign, **options: str) -> list[str]:
        found = meta_evaluate(given, "bleu,chrf", levels="segment", samples=0, permutations=20, **options)
        return [finding for finding in found.findings if "as independent. Errors" in finding]

    whole = campaign()
    assert said(whole) == said(whole, statistics="kendall", groupings="item") == []
    for options in ({"statistics": "pearson"}, {"statistics": "kendall", "groupings": "system"}):
        (sentence,) = said(whole, **options)
        assert sentence.startswith("perm-both takes what systems have in one document as independent. Errors that a ")
        assert f"pass for a difference in {options['statistics']} too often" in sentence
    (sentence,) = said(whole, test="williams")
    assert sentence.startswith("williams takes what systems have in one document as independent")
    # One system has nobody to share its errors with.
    assert said(whole.choose(systems=["one"]), statistics="pearson") == []


def test_people_are_the_ceiling_where_they_judged_twice() -> None:
    single = meta_evaluate(campaign(), "bleu", samples=0, test="none")
    assert single.of("bleu", "kendall", "segment", "item").ceiling is None
    assert single.of("bleu", "pearson").ceiling is not None
    several = meta_evaluate(campaign(raters=4), "bleu", samples=0, test="none")
    noisy = meta_evaluate(campaign(raters=4, noise=5.0), "bleu", samples=0, test="none")
    reached = several.of("bleu", "pearson", "segment", "none").ceiling
    assert 0.5 < reached < 1.0
    assert noisy.of("bleu", "pearson", "segment", "none").ceiling < reached


def test_halves_share_the_judgements_and_see_the_same_segments() -> None:
    people, _ = people_of(campaign())
    one, other = people.halves(1, 0)
    assert not (one.mask & other.mask).any()
    assert (one.mask | other.mask).all()
    # All systems are judged on the same segments in each half.
    assert (one.mask == one.mask[0]).all()
    several, _ = people_of(campaign(raters=4))
    first, second = several.halves(1, 0)
    assert len(first.judgements) == len(second.judgements) == 2 * SEGMENTS * 5
    assert (first.mask & second.mask).all()


def test_another_kind_of_judgement_is_measured_like_a_metric() -> None:
    whole = campaign()
    other = replace(whole.judgements, kind=Judgements.of([Judgement("a", 0, 1.0, "sqm")] * 200, "x").kind)
    both = whole.with_judgements(whole.judgements.joined(other))
    found = meta_evaluate(both, (), kind="da", beside="sqm", samples=0, test="none")
    assert "human:sqm: 200 of 200 judgements were used." in found.findings
    assert found.setup["beside"] == {"human:sqm": {"judgements": 200, "used": 200, "unused": {}}}
    assert {row.metric for row in rows(found)} == {"human:sqm"}
    assert found.of("human:sqm", "pearson").value == pytest.approx(1.0)


def test_post_edits_are_judgements() -> None:
    whole = campaign()
    edited = replace(
        whole, references={**whole.references, "pe": whole.references["A"]}, targeted=frozenset({"pe"}), human=None
    )
    with pytest.warns(AssayWarning, match="left aside"):
        found = meta_evaluate(edited, "ter", kind="hter", levels="segment", samples=0, test="none")
    # The post-edit is the reference here, so HTER is TER.
    assert found.of("ter", "pearson", "segment", "none").value == pytest.approx(1.0)
    with pytest.raises(InputError, match="no post-edits to make them from"):
        meta_evaluate(whole, "ter", kind="hter")


def ranked_campaign() -> assay.Campaign:
    """Each segment ranks all systems by how many words they kept."""
    whole = campaign()
    grid = human_grid(whole)
    rankings = [
        Judgement(name, segment, -float((grid[:, segment] > grid[row, segment]).sum()), "rr", "r", ranking=str(segment))
        for segment in range(SEGMENTS)
        for row, name in enumerate(SYSTEMS)
    ]
    return whole.with_judgements(Judgements.of(rankings, "rankings.tsv"))


@pytest.mark.parametrize("ranking", ["wins", "wins-or-ties", "expected-wins", "bradley-terry", "gaussian"])
def test_rankings_become_scores_of_systems(ranking: str) -> None:
    found = meta_evaluate(ranked_campaign(), "bleu", ranking=ranking, levels="system", samples=20, test="none")
    order = sorted(rows(found, "points"), key=lambda point: -point.human)
    assert [point.system for point in order] == list(SYSTEMS)
    assert found.of("bleu", "kendall").value == pytest.approx(1.0)


def test_rankings_have_kendalls_tau_of_their_own_at_segments() -> None:
    found = meta_evaluate(ranked_campaign(), "chrf", samples=100)
    results = {result.statistic: result for result in rows(found) if result.level == "segment"}
    assert list(results) == ["kendall-wmt12", "kendall-wmt13", "kendall-wmt14"]
    # Ties of the metric: wrong, left out, or nothing.
    assert results["kendall-wmt12"].value <= results["kendall-wmt14"].value <= results["kendall-wmt13"].value
    assert results["kendall-wmt14"].interval is not None


def test_a_ranking_of_one_is_counted() -> None:
    whole = ranked_campaign()
    alone = Judgements.of([Judgement("one", 0, -1.0, "rr", "r", ranking="alone")], "x")
    _, usage = people_of(whole.with_judgements(whole.judgements.joined(alone)))
    assert usage.unused == {"alone in their ranking": 1}


def test_outliers_are_named_and_left_out_beside() -> None:
    assert outliers_of(np.array([1.0, 1.1, 0.9, 1.2, 9.0])).tolist() == [False, False, False, False, True]
    assert not outliers_of(np.array([1.0, 1.0, 1.0, 5.0])).any()
    found = meta_evaluate(campaign(), "bleu", levels="system", samples=50)
    labels = {subset.systems for subset in rows(found, "robust")}
    assert {f"without {name}" for name in SYSTEMS} <= labels
    assert [subset.n for subset in rows(found, "top") if subset.statistic == "pearson"] == [5, 4]
    assert all(subset.interval is not None for subset in rows(found, "top") if subset.value is not None)


@pytest.mark.parametrize("test", ["perm-both", "williams"])
def test_a_metric_that_follows_people_beats_one_that_does_not(test: str) -> None:
    whole = campaign()
    grid = human_grid(whole)
    generator = np.random.default_rng(5)
    good = ExternalScores("good", segments={name: grid[row] for row, name in enumerate(SYSTEMS)})
    poor = ExternalScores("poor", segments={name: generator.normal(size=SEGMENTS) for name in SYSTEMS})
    found = meta_evaluate(whole, (), scores=[good, poor], samples=100, test=test)
    assert {pair.level for pair in rows(found, "comparisons")} >= {"system"}
    segment = [pair for pair in rows(found, "comparisons") if pair.level == "segment"]
    for pair in segment:
        assert (pair.metric_a, pair.metric_b, pair.significant) == ("good", "poor", True)
        assert pair.delta > 0
        assert pair.p_adjusted >= pair.p - 1e-12
    assert segment
    clusters = [(row.rank, row.metric) for row in rows(found, "clusters") if row.level == "segment"]
    assert clusters == [(1, "good"), (2, "poor")]


def test_twins_do_not_differ() -> None:
    whole = campaign()
    grid = human_grid(whole) + np.random.default_rng(2).normal(size=(5, SEGMENTS))
    twins = [ExternalScores(name, segments=dict(zip(SYSTEMS, grid, strict=True))) for name in ("a", "b")]
    found = meta_evaluate(whole, (), scores=twins, samples=50)
    assert [pair.p for pair in rows(found, "comparisons")] == [1.0] * 3
    assert not any(pair.significant for pair in rows(found, "comparisons"))


def test_names_that_nothing_answers_to() -> None:
    for options, message in (
        ({"levels": "sentence"}, "There is no level 'sentence'"),
        ({"statistics": "pearsn"}, "Did you mean 'pearson'"),
        ({"groupings": "items"}, "Did you mean 'item'"),
    ):
        with pytest.raises(UnknownName, match=message):
            meta_evaluate(campaign(), "bleu", **options)
    with pytest.raises(ParameterError, match="test is t, but it takes williams, jackknife, perm-both, none"):
        meta_evaluate(campaign(), "bleu", test="t")
    with pytest.raises(ParameterError, match="resample is 'words', but it takes points, segments, systems, both"):
        meta_evaluate(campaign(), "bleu", resample="words")
    with pytest.raises(ParameterError, match="alpha is 2"):
        meta_evaluate(campaign(), "bleu", alpha=2.0)
    with pytest.raises(InputError, match="Two metrics are called 'bleu'"):
        meta_evaluate(campaign(), "bleu", scores=[ExternalScores("bleu", systems=dict.fromkeys(SYSTEMS, 1.0))])
    with pytest.raises(InputError, match="No metric may be called 'perfect metric'"):
        meta_evaluate(campaign(), scores=[ExternalScores("perfect metric", systems=dict.fromkeys(SYSTEMS, 1.0))])


def test_last_digits_of_arithmetic_decide_nothing() -> None:
    assert steady(np.array([100.00000000000004, 100.0, np.nan]))[:2].tolist() == [100.0, 100.0]
    assert steady(np.array([1e-20, 2e-20])) == pytest.approx([1e-20, 2e-20], rel=1e-12, abs=0)
    assert steady(np.zeros(2)).tolist() == [0.0, 0.0]


def test_documents_may_be_drawn_as_a_whole() -> None:
    by_segment = meta_evaluate(
        campaign(), "bleu", levels="system", samples=200, resample="segments", unit="segment", test="none"
    )
    by_document = meta_evaluate(
        campaign(), "bleu", levels="system", samples=200, resample="segments", unit="document", test="none"
    )
    assert by_segment.of("bleu", "pearson").value == by_document.of("bleu", "pearson").value
    assert by_segment.of("bleu", "pearson").interval != by_document.of("bleu", "pearson").interval
    with pytest.raises(InputError, match="unit=document needs"):
        meta_evaluate(replace(campaign(), documents=None), "bleu", levels="system", unit="document")


@pytest.mark.filterwarnings("ignore:Word metrics see different tokens")
def test_judgements_that_are_all_equal_have_no_correlation_however_many_raters_there_are():
    # The mean of three times 0.1 is 0.10000000000000002 by the sum, and 0.1 in truth.
    whole, raters = campaign(), np.random.default_rng(1).integers(1, 8, size=(len(SYSTEMS), SEGMENTS))
    equal = [
        Judgement(system, segment, 0.1, "x", rater=f"r{rater}")
        for row, system in enumerate(SYSTEMS)
        for segment in range(SEGMENTS)
        for rater in range(raters[row, segment])
    ]
    judged = whole.with_judgements(Judgements.of(equal, "equal"))
    people, _ = people_of(judged, kind="x")
    assert set(people.grid.ravel().tolist()) == {0.1}
    assert set(people.system_scores(np.random.default_rng(2).integers(0, 3, size=(9, SEGMENTS))).ravel()) == {0.1}
    with pytest.warns(AssayWarning, match=rf"All {raters.sum()} judgements of x are 0.1: no correlation"):
        found = meta_evaluate(judged, "bleu,f1", kind="x", samples=20)
    rows = found.table("results")
    assert {"pearson", "kendall", "accuracy", "spa", "acc23", "acc23-heldout"} <= {row["statistic"] for row in rows}
    assert {row[cell] for row in rows for cell in ("value", "low", "high", "epsilon")} == {None}
    assert found.table("comparisons") == []


@pytest.mark.parametrize("score", [1e308, -2e30, math.inf])
def test_scores_that_cannot_be_added_up_are_refused_with_their_line(score):
    good, bad = Judgement("one", 0, 1.0, "x", line=2), Judgement("one", 1, score, "x", line=3)
    with pytest.raises(InputError, match=r"file.tsv, line 3: the score is .* added up and squared. The largest is"):
        Judgements.of([good, bad], "file.tsv")
    assert len(Judgements.of([good, replace(bad, score=-1e30)], "file.tsv")) == 2
