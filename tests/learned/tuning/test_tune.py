"""Tuning: what it reports is what ``assay meta`` says, what it holds out stays unseen, and it finds what is there."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

import assay
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.learned.folds import judged_folds
from assay.learned.tuning.measures import PLAIN, SystemMeasure, on_scale
from assay.learned.tuning.search import CountedMetric, NestedSearch, ParameterGrid
from assay.metrics.base import Metric
from assay.metrics.tunable import Tunable
from assay.people.usage import people_of
from assay.scoring.candidates import candidates_of, evaluate_candidates
from oracles.tuning import held_out_segments
from studies.judged_campaign import campaign, without

SMALL = {"samples": 30, "folds": 3, "curves": False}


def judged_by(whole, metric, noise=0.0, seed=5):
    """The campaign with what a metric says as its judgements."""
    generator = np.random.default_rng(seed)
    rows = [
        Judgement(system=name, segment=segment, rater="r", score=float(score + noise * generator.normal()), kind="da")
        for name in whole.systems
        for segment, score in enumerate(assay.metric(metric).evaluate(whole.corpus(name)).segment_scores())
    ]
    return whole.with_judgements(Judgements.of(rows, "inline"))


@pytest.mark.parametrize(
    ("metric", "level", "statistic", "grouping"),
    [
        ("meteor", "segment", "pearson", "none"),
        ("fmean", "segment", "spearman", "none"),
        ("fmean", "segment", "kendall", "none"),
        ("chrf", "segment", "kendall", "item"),
        ("fmean", "segment", "pearson", "system"),
        ("blanc", "segment", "pearson", "none"),
        ("bleu", "system", "pearson", None),
        ("meteor", "system", "pearson", None),
        ("chrf", "system", "accuracy", None),
    ],
)
def test_values_are_those_of_meta(metric, level, statistic, grouping):
    whole = campaign(references=2, segments=16)
    found = assay.tune(whole, metric, level=level, statistic=statistic, grouping=grouping, **SMALL)
    shown = assay.meta_evaluate(
        whole, [metric], levels=level, statistics=statistic, groupings=grouping, samples=0,
        test="none",
    )  # fmt: skip
    assert found.of(which="default").where_fitted == pytest.approx(
        shown.of(metric, statistic, level, grouping).value, abs=1e-12
    )
    if level == "segment":
        assert found.of(which="default").value == pytest.approx(found.of(which="default").where_fitted, abs=1e-12)
    # What the tuned metric is worth where it was fitted is what anybody finds who types it.
    again = assay.meta_evaluate(
        whole, [str(found.made)], levels=level, statistics=statistic, groupings=grouping, samples=0, test="none"
    )
    assert found.of(which="tuned").where_fitted == pytest.approx(again.table()[0]["value"], abs=1e-12)


def test_accuracy_of_segments_is_the_share_of_pairs_in_like_order():
    whole = campaign(segments=16)
    found = assay.tune(whole, "fmean", statistic="accuracy", **SMALL)
    tau = assay.meta_evaluate(whole, "fmean", levels="segment", statistics="tau23", groupings="item", samples=0)
    assert found.setup["grouping"] == "item"
    assert found.of(which="default").value == pytest.approx((tau.table()[0]["value"] + 1) / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("metric", "parameters", "statistic"),
    [
        ("meteor", None, "pearson"),
        ("meteor", "weights", "pearson"),
        ("chrf", None, "kendall"),
        ("gtm", None, "kendall"),
        ("bleu", "order", "pearson"),
        ("blanc", None, "pearson"),
    ],
)
def test_the_held_out_value_is_that_of_metrics_that_count_all_by_themselves(metric, parameters, statistic):
    whole = judged_by(campaign(references=2, segments=20), "precision", noise=6.0)
    found = assay.tune(whole, metric, parameters=parameters, statistic=statistic, **SMALL)
    people, _ = people_of(whole)
    fold_of = judged_folds(whole, people, "document", 3, 1).fold
    metrics = [row["metric"] for row in found.table("folds")]
    scores, human = held_out_segments(whole, (metric, metrics, fold_of), people.grid)
    wanted = pearsonr(scores, human) if statistic == "pearson" else kendalltau(np.round(scores, 9), human)
    assert found.of(which="tuned").value == pytest.approx(wanted.statistic, abs=1e-9)
    assert found.of(which="difference").value == pytest.approx(
        found.of(which="tuned").value - found.of(which="default").value, abs=1e-12
    )


@pytest.mark.parametrize("level", ["segment", "system"])
@pytest.mark.parametrize("group", ["segment", "document", "system"])
def test_no_judgement_of_a_held_out_fold_plays_a_part_in_its_metric(level, group):
    whole = judged_by(campaign(systems=6, segments=18), "recall", noise=8.0)
    options = {"level": level, "group": group, "folds": 3, "samples": 0, "curves": False}
    before = assay.tune(whole, "fmean", **options)
    people, _ = people_of(whole)
    fold = judged_folds(whole, people, group, 3, 1).fold
    of = {name: place for place, name in enumerate(people.systems)}

    def inside(one):
        return fold[of[one.system] if group == "system" else one.segment] == 1

    spoiled = [replace(one, score=-one.score) if inside(one) else one for one in whole.judgements]
    after = assay.tune(whole.with_judgements(Judgements.of(spoiled, "inline")), "fmean", **options)
    assert after.table("folds")[1]["metric"] == before.table("folds")[1]["metric"]
    assert after.table("folds")[1]["share"] == before.table("folds")[1]["share"]
    # The other folds did see them.
    assert after.table("folds")[0]["training"] != before.table("folds")[0]["training"]


def test_it_finds_the_number_that_made_the_judgements():
    whole = judged_by(campaign(segments=40), "fmean(alpha=0.2)", noise=0.5)
    found = assay.tune(whole, "fmean", seed=2, **SMALL)
    assert found.made.alpha == pytest.approx(0.2, abs=0.05)
    assert all(row["value"] == pytest.approx(0.2, abs=0.1) for row in found.table("chosen"))
    assert found.of(which="difference").low > 0
    assert found.findings[0].startswith("Tuning helps: +")
    assert str(found.made) == f"fmean(alpha={found.made.alpha:g})"


def test_it_finds_the_exponent_that_made_the_judgements():
    whole = judged_by(campaign(segments=40), "gtm(exponent=2.5)", noise=0.5)
    found = assay.tune(whole, "gtm", **SMALL)
    assert str(found.made) == "gtm(exponent=2.5)"
    assert found.setup["counted"] == 11


def test_it_finds_the_order_and_the_weights_together():
    whole = judged_by(campaign(segments=40), "bleu(order=2,weights=[1,3])", noise=0.5)
    found = assay.tune(whole, "bleu", parameters="all", **SMALL)
    # A weight of 0 leaves an order out, so other orders can say the same.
    assert found.of(which="tuned").value > 0.98
    assert {row["parameter"] for row in found.table("parameters")} >= {"order", "weights[2]"}


def test_noise_is_not_learned():
    whole = judged_by(campaign(segments=40), "fmean", noise=1e6)
    found = assay.tune(whole, "meteor", **SMALL)
    assert found.of(which="difference").low <= 0
    assert "Tuning helps" not in found.findings[0]
    assert found.of(which="tuned").value < found.of(which="tuned").where_fitted + 0.1


def test_the_same_seed_gives_the_same_result_on_any_number_of_threads():
    whole = campaign(segments=12, references=2)
    one, two = (assay.tune(whole, "meteor", samples=20, folds=3, threads=threads) for threads in (1, 3))
    assert one.to_json() == two.to_json()
    other = assay.tune(whole, "meteor", samples=20, folds=3, seed=2)
    assert other.to_json() != one.to_json()


def test_module_weights_of_meteor_are_counted_anew():
    whole = judged_by(campaign(segments=20), "meteor(weights=[1,0.1,0.1])", noise=1.0)
    found = assay.tune(whole, "meteor", parameters="weights", **SMALL)
    assert found.setup["recounted"]
    assert found.setup["counted"] > 1
    assert [row["parameter"] for row in found.table("parameters")] == ["weights[2]", "weights[3]"]


def test_one_place_of_several_is_tuned_alone():
    whole = campaign(segments=16)
    found = assay.tune(whole, "bleu", parameters="weights[3]", **SMALL)
    assert [row["parameter"] for row in found.table("parameters")] == ["weights[3]"]


def test_curves_have_every_parameter_with_the_present_and_the_tuned_value():
    whole = judged_by(campaign(segments=20), "fmean(alpha=0.2)", noise=3.0)
    found = assay.tune(whole, "meteor", folds=3, samples=0)
    for number in found.table("parameters"):
        own = [row for row in found.table("curves") if row["parameter"] == number["parameter"]]
        values = [row["value"] for row in own]
        assert values == sorted(values)
        assert {number["default"], number["tuned"]} <= set(values)
        assert all(row["training"] is not None and row["held_out"] is not None for row in own)


def test_statistics_are_those_of_scipy():
    generator = np.random.default_rng(2)
    for size in (2, 3, 50, 400):
        x, y = generator.integers(6, size=size) * 1.0, generator.integers(9, size=size) * 1.0
        x[:2], y[:2] = (0.0, 1.0), (2.0, 1.0)
        for name, function in (("pearson", pearsonr), ("spearman", spearmanr), ("kendall", kendalltau)):
            assert PLAIN[name](x, y) == pytest.approx(function(x, y).statistic, abs=1e-12)
        for function in PLAIN.values():
            assert np.isnan(function(x, np.ones(size)))
            assert np.isnan(function(x[:1], y[:1]))


def test_a_line_brings_scores_to_a_mean_and_a_spread():
    # Mean 2 and spread 1 become mean 30 and spread 5.
    scaled = on_scale(np.array([2.0, 4.0]), np.array([1.0, 3.0]), np.array([25.0, 35.0]))
    assert scaled.tolist() == [30.0, 40.0]
    same = np.array([1.0, 5.0, 2.0])
    assert on_scale(np.array([7.1]), same, same).tolist() == [7.1]
    # Scores that are all alike stay where they are: no line gives them a spread.
    assert on_scale(np.array([7.1]), np.ones(3), same).tolist() == [7.1]


@dataclass(frozen=True, kw_only=True)
class Sparse(Metric):
    """One's own: shared letters to the power of ``power``; the third segment fails."""

    name: ClassVar[str] = "sparse"
    power: float = 1.0

    @property
    def columns(self):
        return ("share", "one")

    @property
    def tunables(self):
        return (Tunable("power", self.power, 0.1, 4.0, log=True),)

    def count(self, batch):
        shares = [
            len(set(one) & set(other)) / (len(set(one) | set(other)) or 1)
            for one, other in zip(batch.translation_texts, batch.reference_texts[0], strict=True)
        ]
        rows = np.column_stack([shares, np.ones(len(shares))])
        rows[2] = np.nan
        return rows

    def score(self, rows):
        return 100 * (rows[..., 0] / np.maximum(rows[..., 1], 1)) ** self.power


def test_a_metric_of_ones_own_is_tuned_and_what_it_cannot_score_is_said():
    whole = campaign(segments=16)
    with pytest.warns(AssayWarning, match="sparse has no score for 5 of 80 judged segments"):
        found = assay.tune(whole, Sparse(), **SMALL)
    assert found.setup["cells"] == 75
    assert found.table("parameters")[0]["parameter"] == "power"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metric": "f1"}, ParameterError, "f1 has no parameters to tune. These metrics have: bleu, chrf"),
        ({"parameters": "alpa"}, UnknownName, "no parameter of meteor 'alpa'. Did you mean 'alpha'"),
        ({"parameters": "weights[9]"}, UnknownName, "no parameter of meteor"),
        ({"folds": 2}, ParameterError, "folds is 2, but it takes 3 to 25"),
        ({"folds": 13, "group": "segment"}, InputError, "12 judged segments, which cannot be shared out into 13 folds"),
        ({"group": "document", "folds": 7}, InputError, "6 judged documents"),
        ({"group": "system", "folds": 6}, InputError, "5 judged systems"),
        ({"group": "rater"}, ParameterError, "group is 'rater', but it takes segment, document, system"),
        ({"level": "document"}, ParameterError, "level is 'document', but it takes system, segment"),
        ({"statistic": "spa"}, ParameterError, "statistic is 'spa', but it takes pearson"),
        ({"systems": "s0,s1", "level": "system"}, InputError, "3 judged systems, and small has 2"),
        ({"systems": "s0", "statistic": "accuracy"}, InputError, "compares systems"),
        ({"kind": "mqm"}, UnknownName, "mqm"),
    ],
)
def test_what_cannot_be_tuned_is_refused(options, error, message):
    with pytest.raises(error, match=message.replace("[", r"\[").replace("?", r"\?")):
        assay.tune(campaign(), **{"metric": "meteor", "samples": 0, **options})


@dataclass(frozen=True, kw_only=True)
class Wide(Sparse):
    """Two numbers with a hundred values together."""

    name: ClassVar[str] = "wide"
    other: float = 1.0

    @property
    def tunables(self):
        values = tuple(float(value) for value in range(1, 11))
        return tuple(Tunable(name, 1.0, changes="rows", values=values) for name in ("power", "other"))


def test_many_counts_are_refused():
    with pytest.raises(ParameterError, match=r"Text would be counted 100 times \(10 of power, 10 of other\)"):
        assay.tune(campaign(), Wide())


def test_judgements_that_say_nothing_are_refused():
    whole = campaign()
    with pytest.raises(InputError, match="small has no judgements"):
        assay.tune(campaign(judged=False), "meteor")
    constant = [replace(one, score=3.0) for one in whole.judgements]
    with pytest.raises(InputError, match="all judgements are the same"):
        assay.tune(whole.with_judgements(Judgements.of(constant, "inline")), "meteor")
    missing = [replace(one, score=float("nan")) if one.segment < 6 else one for one in whole.judgements]
    found = assay.tune(
        whole.with_judgements(Judgements.of(missing, "inline")), "fmean", folds=3, samples=0, group="segment"
    )
    assert found.setup["used"]["unused"] == {"without a score": 60}
    with pytest.raises(InputError, match="cannot be shared out into 10 folds"):
        assay.tune(without(whole, lambda one: one.segment < 4), "fmean", group="segment")


def test_ranks_have_no_scores_of_segments():
    whole = campaign(segments=16)
    rows = [
        Judgement(system=name, segment=segment, rater="r", score=-float(place), kind="rr-rank")
        for segment in range(16)
        for place, name in enumerate(whole.systems)
    ]
    ranked = whole.with_judgements(Judgements.of(rows, "inline"))
    with pytest.raises(InputError, match="no scores of single segments"):
        assay.tune(ranked, "fmean")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        found = assay.tune(ranked, "fmean", level="system", folds=3, samples=0)
    assert found.of(which="default").value > 0.5


def of_whole_systems(seed):
    """Judgements of whole systems, drawn at random: nothing of a metric is in them."""
    whole, generator = campaign(systems=6, segments=20, judged=False), np.random.default_rng(seed)
    rows = [Judgement(system=name, segment=None, score=float(generator.normal()), kind="da") for name in whole.systems]
    return whole.with_judgements(Judgements.of(rows, "inline"))


def test_systems_are_held_out_at_the_system_level():
    found = assay.tune(campaign(segments=20), "fmean", level="system", samples=30, curves=False)
    assert (found.setup["group"], found.setup["folds"]) == ("system", 5)
    # Each system has its score from the metric that did not see it, and the statistic is over all five.
    assert found.of(which="default").value == pytest.approx(found.of(which="default").where_fitted, abs=1e-12)


def counted_systems(whole, metric, folds):
    """How far a metric follows people's scores of systems, of which some are held out, and the metric as counted."""
    people, _ = people_of(whole)
    fitted, systems = evaluate_candidates(assay.metric(metric), whole.corpora(), threads=1)
    candidates = candidates_of(systems.values(), people.mask)
    dealt = judged_folds(whole, people, "system", folds, 1)
    measure = SystemMeasure(people.mask, dealt, (fitted, candidates), people=people, statistic="pearson")
    return measure, CountedMetric(fitted, ParameterGrid(fitted.tunables), candidates)


def test_a_held_out_system_says_what_all_say_less_what_the_others_say():
    whole = campaign()
    measure, _ = counted_systems(whole, "fmean", 5)
    scores = [assay.metric("fmean").evaluate(whole.corpus(name)).corpus_score() for name in whole.systems]
    human = [np.mean([one.score for one in whole.judgements if one.system == name]) for name in whole.systems]
    every = pearsonr(scores, human).statistic
    expected = {}
    for place, fold in enumerate(measure.folds.fold.tolist()):
        others = pearsonr(np.delete(scores, place), np.delete(human, place)).statistic
        # The jackknife: five times what five say, less four times what four of them say.
        expected[fold] = 5 * every - 4 * others
    found = measure.singles(dict.fromkeys(range(5), measure.default), frozenset())
    assert found == pytest.approx([expected[fold] for fold in range(5)], abs=1e-12)


def test_a_search_without_every_fold_and_every_two_of_them_and_one_with_all_are_told_of():
    measure, counted = counted_systems(campaign(segments=6), "fmean", 3)
    told = []
    NestedSearch(measure, [counted], 1).run(told.append)
    # Three pairs of three folds, three folds and none: seven searches.
    assert told == pytest.approx([done / 7 for done in range(1, 8)])


def test_noise_of_systems_is_not_learned():
    verdicts = [
        assay.tune(of_whole_systems(seed), "fmean", level="system", samples=200, curves=False).findings[0]
        for seed in range(12)
    ]
    assert not any(verdict.startswith("Tuning helps") for verdict in verdicts)


def test_judgements_of_whole_systems_cannot_be_held_out_by_segments():
    with pytest.raises(InputError, match=r"whole systems were judged, .* Take --group system"):
        assay.tune(of_whole_systems(1), "fmean", level="system", group="segment", **SMALL)


def test_segments_held_out_at_the_system_level_are_of_these_very_systems():
    whole = judged_by(campaign(segments=24, systems=6), "fmean(alpha=0.1)", noise=0.5)
    found = assay.tune(whole, "fmean", level="system", group="segment", **SMALL)
    assert "segments of these very systems" in found.findings[0] or found.setup["share"] == 0.0
    # The mean of the folds, each with people's means of its own segments.
    assert found.of(which="tuned").value == pytest.approx(
        np.mean([row["held_out"] for row in found.table("folds")]), abs=1e-9
    )
    assert found.of(which="tuned").low <= found.of(which="tuned").value <= found.of(which="tuned").high


def test_numbers_that_make_no_difference_stay_as_they_are():
    # Single words alone have no gaps to decay over.
    whole = judged_by(campaign(segments=20), "blanc(order=2,weights=[1,0],alpha=0.2)")
    found = assay.tune(whole, "blanc(order=2,weights=[1,0])", **SMALL)
    assert found.made.decay == assay.metric("blanc").decay
    assert found.made.alpha == pytest.approx(0.2, abs=0.02)


def test_a_first_weight_of_nothing_is_no_measure_of_the_others():
    rouge = assay.metric("blanc(order=2,weights=[0,2])")
    assert [one.name for one in rouge.tunables] == ["decay", "weights[1]", "alpha"]
    assert rouge.tuned({"weights[1]": 0.5}).weights == (0.5, 1.0)
    assay.tune(judged_by(campaign(segments=20), "recall"), rouge, **SMALL)
