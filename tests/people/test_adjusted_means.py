"""Systems that were judged on different segments are compared as if they had been judged on the same ones."""

from __future__ import annotations

import numpy as np
import pytest

import assay
from assay.data.judgements import Judgement, Judgements
from assay.people.agreement.measures import SharedItems, half_means, split_halves
from assay.people.agreement.ratings import RatedItems
from assay.people.normalise import normalise
from assay.people.scores import adjusted_means
from assay.people.severity import fit_severities
from assay.people.usage import people_of
from assay.significance.association import pearson, spearman
from oracles import additive

NAN = float("nan")


def test_a_missing_cell_is_what_system_and_segment_bring():
    # The second segment is 4 easier for the first system, so 6 stands for the second system there: (2 + 6) / 2.
    assert adjusted_means(np.array([[1.0, 5.0], [2.0, NAN]]), np.ones((1, 2))).tolist() == [[3.0, 4.0]]
    # Counted three times, the second segment weighs three quarters: (1 + 3 * 5) / 4, and one more.
    assert adjusted_means(np.array([[1.0, 5.0], [2.0, NAN]]), np.array([[1.0, 3.0]])).tolist() == [[4.0, 5.0]]


def test_it_is_the_least_squares_fit_of_the_whole_design():
    generator = np.random.default_rng(3)
    values = generator.normal(size=(6, 40)) + 5.0 * generator.normal(size=40) + np.arange(6)[:, None]
    values[generator.random(values.shape) < 0.5] = NAN
    weights = generator.poisson(1.0, size=(20, 40)).astype(float)
    expected = np.stack([additive.adjusted(values, row) for row in weights])
    assert np.allclose(adjusted_means(values, weights), expected, atol=1e-9)


def test_complete_designs_have_plain_means_to_the_last_bit():
    generator = np.random.default_rng(4)
    values, weights = generator.normal(size=(4, 30)), generator.poisson(1.0, size=(9, 30)).astype(float)
    # Segments that nobody was judged on, and a system without any judgement, are no gaps.
    values[:, 7], values[2] = NAN, NAN
    there = ~np.isnan(values)
    plain = (weights @ np.where(there, values, 0.0).T) / np.where(weights @ there.T > 0, weights @ there.T, NAN)
    assert np.array_equal(adjusted_means(values, weights), plain, equal_nan=True)


def test_several_scores_with_the_same_gaps_are_adjusted_at_once():
    generator = np.random.default_rng(7)
    values = np.where(generator.random((5, 30, 1)) < 0.6, generator.normal(size=(5, 30, 4)), NAN)
    weights = generator.poisson(1.0, size=(8, 30)).astype(float)
    once = np.stack([adjusted_means(values[..., column], weights) for column in range(4)], axis=2)
    assert np.allclose(adjusted_means(values, weights), once, atol=1e-12, equal_nan=True)
    full = generator.normal(size=(5, 30, 2))
    assert np.allclose(adjusted_means(full, np.ones((1, 30)))[0], full.mean(axis=1))


def test_systems_may_meet_by_way_of_many_others():
    # Six systems in a chain, each of which shares one segment with the next, and each is 1 better than the one before.
    chain = np.full((6, 5), NAN)
    for place in range(5):
        chain[place, place], chain[place + 1, place] = place, place + 1.0
    (means,) = adjusted_means(chain, np.ones((1, 5)))
    assert np.allclose(np.diff(means), 1.0)


def test_systems_without_a_common_segment_cannot_be_compared():
    apart = np.array([[1.0, 2.0, NAN, NAN], [3.0, NAN, NAN, NAN], [NAN, NAN, 5.0, 6.0]])
    # Two systems meet in the first segment: 1.5 and 3.5, one with the missing 4; the third meets nobody.
    assert np.array_equal(adjusted_means(apart, np.ones((1, 4))), [[1.5, 3.5, NAN]], equal_nan=True)
    # No two systems meet, and all have as many cells: nothing can be said of any.
    lonely = np.where(np.eye(3, dtype=bool), 1.0, NAN)
    assert np.isnan(adjusted_means(lonely, np.ones((1, 3)))).all()


def test_the_order_of_systems_and_segments_does_not_matter():
    generator = np.random.default_rng(6)
    values = np.where(generator.random((7, 25)) < 0.6, generator.normal(size=(7, 25)), NAN)
    systems, segments = generator.permutation(7), generator.permutation(25)
    once = adjusted_means(values, np.ones((1, 25)))[0]
    again = adjusted_means(values[systems][:, segments], np.ones((1, 25)))[0]
    assert np.allclose(once[systems], again, atol=1e-12)


def null_judges(share: float, generator: np.random.Generator, *, by_system: bool) -> tuple[np.ndarray, np.ndarray]:
    """Judges and a metric that know how hard a segment is and nothing of systems; some cells are judged."""
    difficulty = generator.normal(size=100)
    human, metric = (difficulty + 0.5 * generator.normal(size=(8, 100)) for _ in range(2))
    # Where what is judged depends on the system, each has its own liking for easy segments.
    taste = generator.normal(size=(8, 1)) if by_system else 0.0
    odds = np.log(share / (1.0 - share)) + taste * difficulty
    return np.where(generator.random((8, 100)) < 1.0 / (1.0 + np.exp(-odds)), human, NAN), metric


@pytest.mark.parametrize("by_system", [False, True])
@pytest.mark.parametrize("share", [0.3, 0.89])
def test_judges_who_know_nothing_of_systems_correlate_with_no_metric(share, by_system):
    generator = np.random.default_rng(11)
    plain, adjusted = [], []
    for _ in range(300):
        human, metric = null_judges(share, generator, by_system=by_system)
        ones, there = np.ones((1, 100)), ~np.isnan(human)
        plain.append(float(spearman(np.nanmean(human, axis=1), (metric * there).sum(axis=1) / there.sum(axis=1))))
        adjusted.append(float(spearman(adjusted_means(human, ones)[0], metric.mean(axis=1))))
    # 300 campaigns of 8 systems: a mean Spearman has a standard error of 1 / sqrt(7 * 300) = 0.022.
    assert abs(np.mean(adjusted)) < 3 * 0.022
    # Means over the segments that each system was judged on follow how hard these are.
    assert np.mean(plain) > 0.1


def lopsided(systems: int = 6, segments: int = 40) -> assay.Campaign:
    """Later systems were judged on easier segments alone, and all are as good as each other."""
    words = "a b c d e f g h i j".split()  # noqa: SIM905 - a list is no easier to read
    easy = np.arange(segments) % 10
    generator = np.random.default_rng(5)
    texts = {
        f"s{number}": [" ".join(words[: easy[at] + int(generator.integers(2))]) or "x" for at in range(segments)]
        for number in range(systems)
    }
    rows = [
        Judgement(name, at, float(easy[at] + 0.1 * generator.normal()), "da", "r")
        for number, name in enumerate(texts)
        for at in range(segments)
        if abs(easy[at] - 1.6 * number) <= 4
    ]
    made = assay.Campaign("lopsided", texts, {"A": [" ".join(words)] * segments})
    return made.with_judgements(Judgements.of(rows, "inline"))


def test_meta_does_not_take_easy_segments_for_good_systems():
    campaign = lopsided()
    result = assay.meta_evaluate(campaign, ["recall"], levels="system", statistics="pearson", samples=0, test="none")
    human = np.full((6, 40), NAN)
    for one in campaign.judgements:
        human[int(one.system[1:]), one.segment] = one.score
    metric = [assay.metric("recall").evaluate(campaign.corpus(name)).corpus_score() for name in campaign.systems]
    expected = pearson(additive.adjusted(human, np.ones(40)), np.array(metric))
    assert result.table()[0]["value"] == pytest.approx(float(expected), abs=1e-9)
    assert abs(expected) < 0.9
    own = [
        assay.metric("recall")
        .evaluate(campaign.corpus(name))
        .weighted_scores((~np.isnan(human[at : at + 1])).astype(float))[0]
        for at, name in enumerate(campaign.systems)
    ]
    # The mean over what was judged for a system, of people and metric, is nothing but how easy that was.
    assert pearson(np.nanmean(human, axis=1), np.array(own)) > 0.99


@pytest.mark.filterwarnings("default::assay.errors.AssayWarning")
def test_a_campaign_without_common_segments_says_what_can_be_said():
    campaign = lopsided()
    rows = [one for one in campaign.judgements if one.segment % 6 == int(one.system[1:])]
    apart = campaign.with_judgements(Judgements.of(rows, "inline"))
    with pytest.warns(
        assay.AssayWarning, match="No two systems were judged on the same segment.*single segments can be measured"
    ):
        result = assay.meta_evaluate(apart, ["recall"], statistics="pearson", samples=0, test="none")
    assert {row["level"] for row in result.table()} == {"segment"}
    assert any("3 systems that were judged on common segments, not" in str(note) for note in result.notes)
    # One system that meets nobody is left out of the system level, by name.
    rows = [one for one in campaign.judgements if one.system != "s5" and one.segment > 9]
    rows += [Judgement("s5", segment, 1.0 + segment, "da", "r") for segment in range(9)]
    alone = campaign.with_judgements(Judgements.of(rows, "inline"))
    with pytest.warns(assay.AssayWarning, match="No segment was judged both for s5 and for the other systems"):
        result = assay.meta_evaluate(alone, ["recall"], levels="system", statistics="pearson", samples=0, test="none")
    assert result.table()[0]["n"] == 5


def test_score_files_with_gaps_are_adjusted_as_people_are():
    campaign = lopsided()
    lines = [
        f"x\t{name}\t{segment}\t{segment % 10 + 0.1 * ((segment * number) % 3)}"
        for number, name in enumerate(campaign.systems)
        for segment in range(40)
        if abs(segment % 10 - 1.6 * number) <= 4
    ]
    grid = np.full((6, 40), NAN)
    for line in lines:
        _, name, segment, score = line.split("\t")
        grid[int(name[1:]), int(segment)] = float(score)
    assert np.allclose(adjusted_means(grid, np.ones((1, 40)))[0], additive.adjusted(grid, np.ones(40)), atol=1e-9)
    # The least and the most are apart by what they add to the same segments, not by which segments they have.
    assert np.ptp(np.nanmean(grid, axis=1)) > 2.0
    assert np.ptp(adjusted_means(grid, np.ones((1, 40)))) < 0.2


def test_tuning_scores_all_systems_on_the_same_segments():
    campaign = lopsided()
    tuned = assay.tune(campaign, "fmean", level="system", samples=0, curves=False, folds=3)
    meta = assay.meta_evaluate(campaign, ["fmean"], levels="system", statistics="pearson", samples=0, test="none")
    # Of the metric as it is, on everything: what meta says, in which easy segments make no good systems.
    assert tuned.table()[0]["where_fitted"] == pytest.approx(meta.table()[0]["value"], abs=1e-9)
    plain = {"level": "system", "samples": 0, "curves": False, "folds": 3, "plain_means": True}
    assert assay.tune(campaign, "fmean", **plain).table()[0]["where_fitted"] > 0.9


def test_halves_of_raters_who_know_nothing_of_systems_do_not_agree_on_them():
    generator, found = np.random.default_rng(12), []
    for _ in range(60):
        difficulty = generator.normal(size=60)
        rows = [
            Judgement(f"s{system}", segment, float(difficulty[segment] + 0.7 * generator.normal()), "da", rater)
            for system in range(8)
            for segment in range(60)
            if generator.random() < 0.3
            for rater in "ab"
        ]
        table = split_halves(SharedItems(RatedItems(Judgements.of(rows, "inline"))), samples=0, seed=1, splits=4)
        found += [row["value"] for row in table if row["statistic"] == "split-half-system"]
    # Means over the segments that each system was rated on agree by 0.58: both halves saw the same easy segments.
    assert abs(np.mean(found)) < 3 * np.std(found) / np.sqrt(60)


def test_halves_agree_on_what_is_left_after_segments_by_hand():
    # Three systems; the first half of the raters says 1, 2, 4 and the second 1, 3, 4 of them, and the second segment,
    # which the third system lacks, is 10 easier for all.
    given = {("a", 0): (1, 1), ("b", 0): (2, 3), ("c", 0): (4, 4), ("a", 1): (11, 11), ("b", 1): (12, 13)}
    rows = [
        Judgement(name, at, float(score), "da", rater)
        for (name, at), scores in given.items()
        for rater, score in zip("xy", scores, strict=True)
    ]
    items = SharedItems(RatedItems(Judgements.of(rows, "inline")))
    # Every item is split in one of two ways; the correlation is that of the halves, adjusted: whichever way all four
    # halves go, systems stand at the mean of what they got in a half.
    first, second = half_means(items, splits=3, seed=1)
    grid = np.full((2, 3, 2, 3), NAN)
    for number, half in enumerate((first, second)):
        grid[number][items.item_system, items.item_segment] = half
    by_hand = [
        pearson(*(additive.adjusted(grid[half][..., split], np.ones(2)) for half in (0, 1))) for split in range(3)
    ]
    table = split_halves(items, samples=0, seed=1, splits=3)
    assert table[2]["value"] == pytest.approx(float(np.mean(by_hand)))


@pytest.mark.filterwarnings("default::assay.errors.AssayWarning")
def test_a_system_that_meets_nobody_has_no_rank_among_others():
    rows = [
        Judgement(name, segment, float(number + segment % 3), "da", rater)
        for number, name in enumerate("abc")
        for segment in range(9)
        for rater in "xy"
    ]
    rows += [Judgement("d", segment, -5.0, "da", "x") for segment in range(20, 25)]
    result = assay.agreement(assay.Campaign("c", {}, {}, human=Judgements.of(rows, "inline")), samples=20, splits=2)
    last = [row for row in result.table("normalisation") if row["system"] == "d"]
    assert {(row["score"], row["rank"]) for row in last} == {(None, None)}
    # The other three keep their order under every normalisation.
    assert {row["tau"] for row in result.table("effect")} == {1.0}


def seen_by_sixteen(seed: int) -> assay.Campaign:
    """Six equal systems; documents are hard or easy, and each of sixteen raters has others, of other systems."""
    generator = np.random.default_rng(seed)
    hard = 2.0 * generator.normal(size=24)
    rows = [
        Judgement(f"s{number}", document * 5 + place, hard[document] + 0.5 * generator.normal(), "da", f"r{rater % 16}")
        for number in range(6)
        for document in range(24)
        for rater in [document * 5 + number * 7 + document // 3 * number]
        for place in range(5)
    ]
    texts = {f"s{number}": ["a b"] * 120 for number in range(6)}
    return assay.Campaign("seen", texts, {"A": ["a b"] * 120}, human=Judgements.of(rows, "inline"))


@pytest.mark.parametrize("method", ["z", "robust-z", "quantile"])
@pytest.mark.filterwarnings("ignore:.*raters judged different segments")
def test_normalised_raters_are_held_against_what_they_saw(method):
    campaign = seen_by_sixteen(1)
    (plain, _), (adjusted, _) = (people_of(campaign, method=method, plain_means=flag) for flag in (True, False))
    # Each cell has one judgement, which is lifted by how severe its rater looks on the same work after normalising.
    judged = normalise(campaign.judgements, method)
    lifted = judged.score + fit_severities(judged).severity[judged.rater.codes]
    system = np.array([int(name[1:]) for name in judged.system.names])[judged.system.codes]
    assert np.allclose(adjusted.contributions()[system, judged.segment], lifted, atol=1e-9)
    # Scores of segments stay as the method has them.
    assert np.array_equal(adjusted.grid, plain.grid)
    assert np.array_equal(plain.contributions(), plain.grid)
    # So do halves of these judgements.
    half, _ = adjusted.halves(1, 0)
    assert np.allclose(half.contributions()[half.mask], adjusted.contributions()[half.mask])


def test_raters_who_saw_different_things_are_told():
    with pytest.warns(
        assay.AssayWarning,
        match="z: raters judged different segments or systems.*not for the spreads.*--normalise mixed",
    ):
        people_of(seen_by_sixteen(1), method="z")


@pytest.mark.filterwarnings("ignore:.*raters judged different segments")
def test_equal_systems_stay_nearer_to_each_other():
    apart = np.zeros(2)
    for seed in range(6):
        for place, plain in enumerate((True, False)):
            people, _ = people_of(seen_by_sixteen(seed), method="z", plain_means=plain)
            apart[place] += float(people.system_scores(np.ones((1, 120))).var())
    # Everything was judged, of equal systems: what they differ by is chance and what their raters saw beside.
    assert apart[1] < 0.6 * apart[0]


def test_raters_of_the_same_work_are_normalised_as_ever():
    generator = np.random.default_rng(9)
    rows = [
        Judgement(f"s{number}", segment, float(generator.normal() + ord(rater)), "da", rater)
        for number in range(3)
        for segment in range(20)
        for rater in "ab"
    ]
    texts = {f"s{number}": ["a"] * 20 for number in range(3)}
    campaign = assay.Campaign("same", texts, {"A": ["a"] * 20}, human=Judgements.of(rows, "inline"))
    (plain, _), (adjusted, _) = (people_of(campaign, method="z", plain_means=flag) for flag in (True, False))
    assert np.allclose(plain.system_scores(np.ones((1, 20))), adjusted.system_scores(np.ones((1, 20))), atol=1e-9)
