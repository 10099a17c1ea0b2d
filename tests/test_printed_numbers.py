"""Numbers that people read, through the doors that they use: each by a sum done by hand, or by another program."""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import scipy.special
import scipy.stats

import assay
from assay.data.external import ExternalScores
from assay.people.metric_tests import grid_permutation, system_permutation
from assay.people.statistics.system_pairs import pair_p_values
from assay.results.result import Row
from assay.significance.draws import Units
from studies.judged_campaign import campaign as small_campaign


@dataclass(frozen=True, kw_only=True)
class Words(assay.Metric):
    """So many points for each word of the translation: segment scores that a test can choose."""

    name: ClassVar[str] = "words"
    points: float = 1.0

    @property
    def columns(self):
        return ("points", "segments")

    def count(self, batch):
        return np.column_stack([self.points * batch.translations.lengths(), np.ones(len(batch))])

    def score(self, rows):
        return rows[..., 0] / rows[..., 1]


def worded(**systems):
    """A campaign in which each system has so many words per segment."""
    texts = {name: [" ".join(["word"] * count) for count in counts] for name, counts in systems.items()}
    return assay.Campaign("worded", texts, {"A": ["word"] * len(next(iter(texts.values())))})


def runs(name, scores, segments):
    """Runs of one system, each with the same score on every segment."""
    return {f"{name}@{number}": [score] * segments for number, score in enumerate(scores)}


def judged(human, *others):
    """A campaign with these judgements (systems by segments) by one rater, and metrics with these scores."""
    human = np.asarray(human, dtype=float)
    names = [f"s{number}" for number in range(len(human))]
    lines = [f"segment {number}" for number in range(human.shape[1])]
    rows = [
        assay.Judgement(name, segment, float(human[row, segment]), "da", "r")
        for row, name in enumerate(names)
        for segment in range(human.shape[1])
        if not math.isnan(human[row, segment])
    ]
    campaign = assay.Campaign("judged", dict.fromkeys(names, lines), {"A": lines})
    scores = [
        ExternalScores(f"m{number}", segments=dict(zip(names, np.asarray(grid, dtype=float), strict=True)))
        for number, grid in enumerate(others)
    ]
    return campaign.with_judgements(assay.Judgements.of(rows, "inline")), scores


def meta(human, *others, **options):
    campaign, scores = judged(human, *others)
    return assay.meta_evaluate(campaign, (), scores=scores, **{"samples": 0, "test": "none", **options})


def pairs_of(found):
    """The tests between metrics."""
    return [Row(row) for row in found.table("comparisons")]


def just_below(level):
    return 0.999999 * level


# What compare prints.


def test_the_effect_is_the_mean_difference_in_deviations_of_one_segment():
    # x leads by 3 and by 1 words in turn: a mean of 2 and a standard deviation of 1, so d = 2, however many segments.
    for segments in (16, 64):
        campaign = worded(x=[4, 2] * (segments // 2), y=[1] * segments)
        pair = assay.compare(campaign, Words(), permutations=100, samples=10_000).of("x", "y")
        assert pair.delta == pytest.approx(2.0)
        assert pair.effect == pytest.approx(2.0, rel=0.05)


def test_runs_of_two_systems_are_tested_as_welch_did():
    # All segments of a run are alike, so that training is the only chance, and the test is Welch's of scipy. By hand:
    # shares 4/3 and 1/4 of the variance with 2 and 1 degrees of freedom: (19/12)^2 / ((16/9)/2 + (1/16)/1) = 2.635.
    x, y = (10, 12, 14), (5, 6)
    pair = assay.compare(worded(**runs("x", x, 8), **runs("y", y, 8)), Words(), permutations=100).of("x", "y")
    welch = scipy.stats.ttest_ind(x, y, equal_var=False)
    assert welch.df == pytest.approx(2.635, abs=5e-4)
    assert pair.p == pytest.approx(welch.pvalue, rel=1e-9)
    assert list(pair.interval) == pytest.approx(list(welch.confidence_interval(0.95)), rel=1e-9)


def test_segments_and_runs_share_their_degrees_of_freedom():
    # x has 1 to 9 words in nine segments and one more in the second run; y has 1 word throughout. The number N of
    # segments in a sample is Poisson's, so segments add (60/9) E[1/N] to the variance of the difference, with 8 degrees
    # of freedom. Runs add 0.5/2 for x and, as y has one run, whose chance is taken to be that of x, 0.5 for y, with 1.
    campaign = worded(**{"x@1": range(1, 10), "x@2": range(2, 11)}, y=[1] * 9)
    found = assay.compare(campaign, Words(), permutations=100, samples=5000)
    pair = found.of("x", "y")
    selection = found.of("x", table="scores").sigma_selection
    inverse = sum(scipy.stats.poisson.pmf(n, 9) / n for n in range(1, 60))
    assert selection**2 == pytest.approx(60 / 9 * inverse, rel=0.05)
    variance = selection**2 + 0.75
    freedom = variance**2 / (selection**4 / 8 + 0.75**2 / 1)
    assert freedom == pytest.approx(3.9, abs=0.3)
    assert pair.p == pytest.approx(2 * scipy.stats.t.sf(4.5 / math.sqrt(variance), freedom), rel=1e-9)
    reach = scipy.stats.t.isf(0.025, freedom) * math.sqrt(variance)
    assert list(pair.interval) == pytest.approx([4.5 - reach, 4.5 + reach], rel=1e-9)


def test_segment_scores_that_differ_by_a_billionth_are_equal():
    # A word is 1e-10 points. Nine words more are 0.9 billionths, a tie; eleven are 1.1, a win or a loss.
    campaign = worded(x=[10, 1, 12, 1, 12, 5], y=[1, 10, 1, 12, 1, 5])
    pair = assay.compare(campaign, Words(points=1e-10), permutations=100).of("x", "y")
    if pair.a == "y":
        pair = SimpleNamespace(wins=pair.losses, losses=pair.wins, ties=pair.ties)
    assert (pair.wins, pair.losses, pair.ties) == (2, 1, 3)


# Significant is what has p <= alpha, wherever something is tested.


@pytest.mark.parametrize(
    ("correction", "adjusted"), [("none", 2 / 32), ("holm", 3 * 2 / 32), ("benjamini-hochberg", 2 / 32)]
)
def test_systems_differ_at_p_equal_to_alpha(correction, adjusted):
    # Each system beats the next by one word in all of five segments: of 32 swaps only none and all are as far apart,
    # p = 2/32 for each of three pairs. Holm takes the smallest three times, and the others are no smaller; Benjamini
    # and Hochberg take the largest once, and the others are no larger.
    campaign = worded(x=[3] * 5, y=[2] * 5, z=[1] * 5)
    options = {"correction": correction, "permutations": 100, "samples": 10}

    def clusters(found):
        return [(row["rank"], row["system"]) for row in found.table("clusters")]

    at = assay.compare(campaign, Words(), alpha=adjusted, **options)
    tested = [(pair["p"], pair["p_adjusted"], pair["significant"]) for pair in at.table("pairs")]
    assert tested == [(2 / 32, adjusted, True)] * 3
    assert clusters(at) == [(1, "x"), (2, "y"), (3, "z")]
    assert [(one["best_rank"], one["worst_rank"]) for one in at.table("scores")] == [(1, 1), (2, 2), (3, 3)]
    below = assay.compare(campaign, Words(), alpha=just_below(adjusted), **options)
    assert not any(pair["significant"] for pair in below.table("pairs"))
    assert clusters(below) == [(1, "x"), (1, "y"), (1, "z")]


@pytest.mark.filterwarnings("ignore:No difference at the system level can be significant")
@pytest.mark.parametrize("correction", ["none", "holm", "benjamini-hochberg"])
@pytest.mark.parametrize("test", ["perm-both", "williams"])
def test_metrics_differ_at_p_equal_to_alpha(test, correction):
    generator = np.random.default_rng(11)
    human = generator.normal(size=(6, 30)) + 0.3 * np.arange(6)[:, None]
    others = [human + noise * generator.normal(size=human.shape) for noise in (0.5, 3.0, 6.0)]
    # Without a number of swaps there are more of them where alpha is smaller.
    options = {"levels": "system", "statistics": "pearson", "test": test, "correction": correction, "permutations": 999}
    pairs = pairs_of(meta(human, *others, **options))
    levels = [pair.p_adjusted for pair in pairs if 0.0 < pair.p_adjusted < 1.0]
    assert levels
    for level in levels:
        at = pairs_of(meta(human, *others, alpha=level, **options))
        assert [pair.significant for pair in at] == [pair.p_adjusted <= level for pair in pairs]
        below = pairs_of(meta(human, *others, alpha=just_below(level), **options))
        assert [pair.significant for pair in below] == [pair.p_adjusted < level for pair in pairs]


def test_metrics_are_clusters_at_p_equal_to_alpha():
    generator = np.random.default_rng(12)
    human = generator.normal(size=(5, 40)).round()
    others = [human + noise * generator.normal(size=human.shape) for noise in (1.5, 2.2)]
    options = {"levels": "segment", "statistics": "kendall", "groupings": "item", "test": "perm-both"}
    ((_, _, p),) = [(one.metric_a, one.metric_b, one.p) for one in pairs_of(meta(human, *others, **options))]
    assert 0.0 < p < 1.0
    for alpha, expected in ((p, [(1, "m0"), (2, "m1")]), (just_below(p), [(1, "m0"), (1, "m1")])):
        found = meta(human, *others, alpha=alpha, **options).table("clusters")
        assert [(row["rank"], row["metric"]) for row in found] == expected


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize(("p", "told"), [(0.05, True), (0.0500001, False)])
def test_a_rater_tells_control_items_at_p_equal_to_alpha(monkeypatch, p, told):
    # No exact p of Wilcoxon's is 0.05, so that scipy is made to say it.
    monkeypatch.setattr(scipy.stats, "wilcoxon", lambda *_, **__: SimpleNamespace(pvalue=p))
    rows = [("da", number, 80.0 + number) for number in range(8)] + [("da-bad", number, 40.0) for number in range(8)]
    judgements = [assay.Judgement("s", number, score, kind, "r") for kind, number, score in rows]
    found = assay.agreement(
        assay.Judgements.of(judgements, "inline"), kind="da", control="da-bad", samples=5, splits=2
    ).to_dict()
    assert [(one["p"], one["told_apart"]) for one in found["controls"]] == [(p, told)]


@pytest.mark.parametrize(("tail", "clusters"), [(0.025, 2), (0.0250001, 1)])
def test_judges_part_systems_at_p_equal_to_alpha(monkeypatch, tail, clusters):
    # Two tails of 0.025 are 0.05; Student's t is made to give them, for no judgements hit them exactly.
    monkeypatch.setattr(scipy.special, "stdtr", lambda *_: tail)
    rows = [("x", number, 4.0 + number % 3) for number in range(9)] + [("y", number, 3.0) for number in range(9)]
    judgements = [
        assay.Judgement(system, number, score, "da", rater) for system, number, score in rows for rater in "ab"
    ]
    found = assay.agreement(assay.Judgements.of(judgements, "inline"), samples=20, splits=2).to_dict()
    assert next(row["clusters"] for row in found["effect"] if row["method"] == "none") == clusters


def test_a_study_finds_systems_different_at_p_equal_to_alpha():
    human = np.array([[5, 4, 5, 4, 5, 4, 5, 4], [4, 4, 5, 4, 4, 4, 4, 4]], dtype=float)
    # The same test, two-sided: twice the smaller tail of 2,000 swaps.
    tail = float(pair_p_values(human, Units.segments(8), samples=2000)[1, 0])
    p = 2.0 * min(tail, 1.0 - tail)
    assert 0.05 < p < 0.5
    campaign, _ = judged(human)
    references = {name: ["segment one", "segment two"] * 4 for name in "AB"}
    campaign = assay.Campaign("two", dict(campaign.systems), references, human=campaign.judgements)
    for alpha, groups in ((p, {"human"}), (just_below(p), {"human", "equal 1"})):
        found = assay.study("score-distribution", campaign, metrics="recall", alpha=alpha)
        assert {row["group"] for row in found.table()} == groups


@pytest.mark.parametrize(("p", "said"), [(0.001, 1), (0.0010001, 0)])
def test_pseudo_documents_set_metrics_apart_at_p_equal_to_the_level(monkeypatch, p, said):
    monkeypatch.setattr(scipy.stats, "wilcoxon", lambda *_, **__: SimpleNamespace(pvalue=p))
    options = {"metrics": ("bleu", "recall"), "lengths": (3, 12), "per_length": 20}
    found = assay.study("pseudo-documents", small_campaign(), **options)
    assert sum("or more between metrics are significant" in finding for finding in found.findings) == said


# What meta prints.


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_an_outlier_is_two_and_a_half_deviations_from_the_median(side):
    # The others have -2, -1, 0 and 1, or the same upside down: the median is 0, the median distance from it 1, and a
    # deviation 1.4826.
    def outliers(deviations):
        scores = side * np.array([-2.0, -1.0, 0.0, 1.0, 1.4826 * deviations])
        human = np.repeat(scores[:, None], 3, axis=1)
        return [row["system"] for row in meta(human, human, levels="system").table("outliers")]

    assert outliers(2.49) == []
    assert outliers(2.51) == ["s4"]


def single(segments, there, others):
    """Two readings of ten segments: the first varies where ``there`` is drawn, the second where ``others`` are."""
    first, second = np.zeros(segments), np.zeros(segments)
    first[there] = 1.0
    second[list(others)] = 1.0
    return first, second


#: Ten segments are drawn from ten. The first is among them in 1 - 0.9^10 = 65 % of all draws, two that are named in
#: 1 - 2 x 0.9^10 + 0.8^10 = 41 %, the first and at least one of two others in
#: 1 - 0.9^10 - 0.8^10 + 0.7^10 = 57 %: in so many draws both sides vary, and have a correlation.
DEFINED = [((0, [0]), True), ((0, [1, 2]), True), ((0, [1]), False)]


@pytest.mark.parametrize(("places", "shown"), DEFINED)
def test_an_interval_needs_a_correlation_in_half_of_the_draws(places, shown):
    first, second = single(10, *places)
    found = meta([first], [second], levels="segment", statistics="pearson", groupings="none", samples=1000)
    (row,) = found.table()
    assert row["value"] == pytest.approx(np.corrcoef(first, second)[0, 1])
    assert (row["low"] is not None, row["high"] is not None) == (shown, shown)


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
@pytest.mark.parametrize(("places", "shown"), DEFINED)
def test_an_interval_of_two_judges_needs_a_correlation_in_half_of_the_draws(places, shown):
    scores = dict(zip("ab", single(10, *places), strict=True))
    judgements = [
        assay.Judgement("s", number, float(score), "da", rater)
        for rater, column in scores.items()
        for number, score in enumerate(column)
    ]
    found = assay.agreement(assay.Judgements.of(judgements, "inline"), samples=1000, splits=2)
    row = next(row for row in found.table() if row["statistic"] == "pearson")
    assert row["value"] == pytest.approx(np.corrcoef(*scores.values())[0, 1])
    assert (row["low"] is not None, row["high"] is not None) == (shown, shown)


def test_a_swap_without_a_correlation_counts_against_the_difference_of_metrics():
    # One segment, two systems; the metrics say the opposite of each other. Of four swaps two leave the difference of
    # the taus at 2 or -2, and two make both metrics constant, without a tau: p = 4/4.
    human, metrics = np.array([[1.0], [2.0]]), np.array([[[0.0], [1.0]], [[1.0], [0.0]]])
    pair = grid_permutation("kendall", metrics, human, "item")[0, 1]
    assert (pair.delta, pair.p) == (2.0, 1.0)


def test_a_swap_without_a_correlation_of_systems_counts_against_the_difference_of_metrics():
    # Four systems as +, +, -, - and as the opposite, where people say 4, 3, 2, 1. Of 16 swaps 2 are as far apart as
    # what was seen (2 x 0.894), 2 make both metrics constant, and the others have less (0.775 at most): p = 4/16.
    human, signs = np.array([4.0, 3.0, 2.0, 1.0]), np.array([[1.0], [1.0], [-1.0], [-1.0]])
    pair = system_permutation("pearson", np.array([signs, -signs]), human)[0, 1]
    assert pair.delta == pytest.approx(2 * 2 / math.sqrt(5))
    assert pair.p == pytest.approx(4 / 16, abs=0.04)


# Draws of systems and of segments.

COUNT = 8


def own_segments():
    """As many systems as segments: people love each system in its own segment, the later ones more, and only there."""
    return np.where(np.eye(COUNT, dtype=bool), 3.0 * COUNT, -1.0) * np.arange(COUNT)[:, None]


def independent_draws():
    """Both draws by numpy, from two generators: the middle of Pearson's with 0, 1, 2 ..., as wide as for so few."""
    one, other = np.random.default_rng(101), np.random.default_rng(202)
    found = []
    for segments, systems in zip(one.poisson(1, (5000, COUNT)), other.poisson(1, (5000, COUNT)), strict=True):
        drawn = np.repeat(np.arange(COUNT), systems)
        human = (own_segments() @ segments)[drawn]
        if len(drawn) and np.ptp(drawn) > 0 and np.ptp(human) > 0:
            found.append(np.corrcoef(drawn, human)[0, 1])
    # Student's t of 7 degrees of freedom, and the root of 8/7: 0.006 at either end instead of 0.025.
    tail = scipy.stats.norm.cdf(scipy.stats.t.ppf(0.025, COUNT - 1) * math.sqrt(COUNT / (COUNT - 1)))
    return np.quantile(found, [tail, 1 - tail])


def test_systems_are_drawn_apart_from_segments():
    # If the same numbers drew both, every system would come with its own segment, and the interval would lie above 0.
    low, high = independent_draws()
    assert low < -0.6
    found = meta(own_segments(), np.tile(np.arange(COUNT)[:, None], COUNT), levels="system", statistics="pearson",
                 samples=2000)  # fmt: skip
    (row,) = found.table()
    assert (row["low"], row["high"]) == (pytest.approx(low, abs=0.1), pytest.approx(high, abs=0.1))


def test_a_study_draws_systems_apart_from_segments():
    low, high = independent_draws()
    campaign, _ = judged(own_segments())
    words = "a b c d e f g h".split()  # noqa: SIM905 - a list is no easier to read
    texts = {f"s{number}": [" ".join(words[: number + 1])] * COUNT for number in range(COUNT)}
    campaign = assay.Campaign("own", texts, {"A": [" ".join(words)] * COUNT}, human=campaign.judgements)
    found = assay.study("correlations", campaign, metrics="recall", stemmer="none", resample="both", samples=2000)
    (row,) = found.table()
    assert row["pearson_low"] == pytest.approx(low, abs=0.1)
    assert row["pearson_high"] == pytest.approx(high, abs=0.1)


# What learn prints.


def test_the_interval_of_a_calibration_error_stands_around_it():
    # The majority is as sure as it is right: its error is 0. A sample's is the distance of its accuracy from that of
    # all: for a normal one of deviation s it is 0.798 s in the mean and up to 2.241 s in 97.5 of 100 samples.
    # Moved down by that mean, the interval ends at 1.443 s, and at 0. That of the accuracy reaches 1.960 s.
    generator = np.random.default_rng(4)
    grades = np.where(generator.random(300) < 0.7, 2.0, 1.0)
    campaign, scores = judged([grades], [generator.normal(size=300)])
    found = assay.learn(campaign, "scores", scores=scores, tasks="grades", models="ordinal", folds=3, samples=4000)
    rows = {row["statistic"]: row for row in found.table() if row["model"] == "majority"}
    accuracy, error = rows["accuracy"], rows["ece"]
    assert accuracy["value"] == pytest.approx((grades == 2.0).mean())
    assert error["value"] == pytest.approx(0.0, abs=1e-12)
    assert error["low"] == 0.0
    reach = (accuracy["high"] - accuracy["low"]) / 2
    assert error["high"] == pytest.approx(reach * 1.443 / 1.960, rel=0.08)


# What a study says of chance.


def gains_of(metrics):
    """Gains of so many metrics by six recipes at two levels."""
    found = assay.study("case-and-stem", small_campaign(), metrics=metrics, samples=20)
    return sum(row["gain_low"] is not None for row in found.table()), found


def test_a_study_of_gains_says_that_one_in_twenty_is_sure_by_chance():
    # Six metrics by five recipes beside the raw text at two levels: 60 gains. Where 0 lies outside of 95 % of the
    # samples, on either side, a gain is sure: 60/20 = 3.
    gains, found = gains_of(("bleu", "ter", "precision", "recall", "f1", "fmean"))
    assert gains == 60
    assert "If there were no gains at all, 3.0 of these 60 would be sure by chance in the mean." in found.findings
    # Less than one is one.
    gains, found = gains_of(("recall",))
    assert gains == 10
    assert "If there were no gains at all, 0.5 of these 10 would be sure by chance in the mean." in found.findings


def test_the_picture_of_gains_says_that_one_in_twenty_is_sure_by_chance():
    _, found = gains_of(("recall",))
    subtitle = found.chart().data["title"]["subtitle"]
    assert "bold: 0 lies outside of the interval, as it does by chance in one cell of twenty" in subtitle
