"""Normalising: what each method makes of scores, of odd raters, and of raters who saw different systems."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import assay
from assay.data.formats.judgements import read_judgements
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning
from assay.people.normalise import METHODS, normalise, quantile_map
from assay.people.severity import Crossed, fit_severities
from oracles import agreement as oracle
from people.judged import DATA, judged, needs_data

#: Rater a: 1, 2, 3, 4, 100; rater b: 10, 20.
ROWS = [("s", n, "a", score) for n, score in enumerate([1.0, 2.0, 3.0, 4.0, 100.0])]
ROWS += [("s", 0, "b", 10.0), ("s", 1, "b", 20.0)]


def of_rater(judgements, name):
    return judgements.score[judgements.rater.holds([name])]


def test_none_leaves_everything():
    judgements = judged(*ROWS)
    assert normalise(judgements, "none") is judgements


def test_z_is_by_the_sample_deviation():
    found = normalise(judged(*ROWS), "z")
    assert of_rater(found, "a") == pytest.approx(stats.zscore([1, 2, 3, 4, 100], ddof=1))
    # Mean 15, deviation the root of 50.
    assert of_rater(found, "b") == pytest.approx([-5 / 50**0.5, 5 / 50**0.5])


def test_robust_z_by_hand():
    # Median 3; distances 2, 1, 0, 1, 97 have the median 1.
    found = normalise(judged(*ROWS), "robust-z")
    assert of_rater(found, "a") == pytest.approx(np.array([-2, -1, 0, 1, 97]) / 1.4826)


def test_robust_z_of_one_favourite_score_uses_the_mean_distance():
    # More than half are 0, so the median distance is 0. The mean one is 10 / 5 = 2.
    rows = [("s", n, "a", score) for n, score in enumerate([0.0, 0.0, 0.0, 0.0, -10.0])]
    with pytest.warns(
        AssayWarning, match=r"1 rater who gave one score more than half of the time \(da: a\).*5 judgements"
    ):
        found = normalise(judged(*rows), "robust-z")
    assert found.score == pytest.approx([0, 0, 0, 0, -10 / (1.2533 * 2)])


def test_quantile_mapping_of_a_single_rater_changes_nothing():
    scores = np.array([3.0, 1.0, 1.0, 4.0, 4.0, 4.0, 9.0])
    assert quantile_map(scores, np.sort(scores)) == pytest.approx(scores)


def test_quantile_mapping_gives_every_rater_the_pooled_distribution():
    generator = np.random.default_rng(1)
    rows = [("s", n, "mild", 80 + 10 * generator.normal()) for n in range(400)]
    rows += [("s", n, "severe", 30 + 25 * generator.normal()) for n in range(400)]
    judgements = judged(*rows)
    found = normalise(judgements, "quantile")
    for name in ("mild", "severe"):
        assert np.quantile(of_rater(found, name), [0.1, 0.5, 0.9]) == pytest.approx(
            np.quantile(judgements.score, [0.1, 0.5, 0.9]), abs=2.0
        )
        ranks = stats.rankdata(of_rater(found, name))
        assert np.array_equal(ranks, stats.rankdata(of_rater(judgements, name)))


@pytest.mark.parametrize(("method", "expected"), [("z", 0.0), ("robust-z", 0.0), ("quantile", 3.0)])
def test_a_constant_rater_and_one_of_a_single_rating_are_counted_and_said(method, expected):
    rows = [("s", n, "a", score) for n, score in enumerate([1.0, 2.0, 3.0, 4.0, 5.0])]
    rows += [("s", n, "same", 3.0) for n in range(4)] + [("s", 0, "once", 2.0)]
    with pytest.warns(AssayWarning, match=r"2 raters with one rating or always the same score .*5 judgements"):
        found = normalise(judged(*rows), method)
    assert np.isfinite(found.score).all()
    assert of_rater(found, "same") == pytest.approx([expected] * 4)
    assert of_rater(found, "once") == pytest.approx([expected])


@pytest.mark.parametrize("method", [name for name in METHODS if name != "none"])
def test_judgements_without_a_rater_are_counted_and_said(method):
    rows = [*ROWS, ("s", 0, None, 7.0), ("s", 1, None, 9.0)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = normalise(judged(*rows), method)
    assert any("2 judgements without a rater" in str(warning.message) for warning in caught)
    assert np.isfinite(found.score).all()
    if method == "mixed":
        assert found.score[-2:] == pytest.approx([7.0, 9.0])


@pytest.mark.parametrize("method", METHODS)
def test_missing_scores_stay_missing_and_move_nobody(method):
    full, gap = normalise(judged(*ROWS), method), normalise(judged(*ROWS, ("s", 2, "b", float("nan"))), method)
    assert np.isnan(gap.score[-1])
    assert gap.score[:-1] == pytest.approx(full.score)


def test_kinds_are_normalised_apart():
    rows = [
        ("s", n, "a", score, kind)
        for kind, scale in (("da", 1), ("sqm", 100))
        for n, score in enumerate([1.0 * scale, 3.0 * scale])
    ]
    found = normalise(judged(*rows), "z")
    assert found.score[:2] == pytest.approx(found.score[2:])


def test_rankings_have_no_scale():
    ranked = Judgements.of([Judgement("s", 0, -1.0, "rr", "a", ranking="1")], "inline")
    with pytest.raises(assay.ParameterError, match="rankings, which have no scale"):
        normalise(ranked, "z")


def test_an_unknown_method_is_named():
    with pytest.raises(assay.UnknownName, match="Did you mean 'quantile'"):
        normalise(judged(*ROWS), "quantiles")


def campaign(seed, segments=60, raters=8, own_systems=True):
    """Raters of known severity; each saw two of six systems (or all of them), whose qualities differ a lot."""
    generator = np.random.default_rng(seed)
    quality, severity = np.arange(6) * 2.0, generator.normal(0.0, 2.0, raters)
    severity -= severity.mean()
    difficulty, special = generator.normal(0.0, 1.5, segments), generator.normal(0.0, 1.0, (segments, 6))
    rows = []
    for rater in range(raters):
        systems = [rater % 6, (rater + 1) % 6] if own_systems else range(6)
        for segment in generator.choice(segments, 40, replace=False):
            for system in systems:
                score = quality[system] + difficulty[segment] + special[segment, system] - severity[rater]
                rows.append((f"s{system}", int(segment), f"r{rater}", score + generator.normal()))
    return judged(*rows), quality, severity


@pytest.mark.parametrize("seed", range(3))
def test_the_mixed_model_finds_the_severities(seed):
    judgements, _, severity = campaign(seed)
    codes = [judgements.rater.names.index(f"r{number}") for number in range(8)]
    found = fit_severities(judgements)
    assert found.severity[codes] == pytest.approx(severity, abs=0.8)
    low, high = (ends[codes] for ends in found.interval())
    assert ((low < severity) & (severity < high)).sum() >= 6


def mean_error(judgements, quality):
    """How far system means are from the truth, both standardised."""
    means = np.array([judgements.score[judgements.system.holds([f"s{n}"])].mean() for n in range(6)])
    return np.abs(stats.zscore(means) - stats.zscore(quality)).mean()


@pytest.mark.parametrize("seed", range(5))
def test_the_mixed_model_beats_z_where_raters_saw_different_systems(seed):
    judgements, quality, _ = campaign(seed)
    mixed, z = (mean_error(normalise(judgements, method), quality) for method in ("mixed", "z"))
    assert mixed < 0.5 * z


def small(seed):
    """Judgements of three systems by four raters, two of each item; scores, systems, segments and raters of them."""
    generator = np.random.default_rng(seed)
    segments, systems, raters = 8, 3, 4
    effects = [
        generator.normal(0.0, width, size)
        for width, size in ((2.0, segments), (1.0, segments * systems), (1.5, raters))
    ]
    rows = []
    for segment in range(segments):
        for system in range(systems):
            for rater in generator.choice(raters, 2, replace=False):
                mean = system + effects[0][segment] + effects[1][segment * systems + system] + effects[2][rater]
                rows.append((f"s{system}", segment, f"r{rater}", mean + generator.normal()))
    judgements = judged(*rows)
    return judgements, (judgements.score, judgements.system.codes, judgements.segment, judgements.rater.codes)


@pytest.mark.parametrize("seed", range(3))
def test_the_likelihood_is_that_of_the_whole_covariance_matrix(seed):
    # Constants differ, so differences between points are compared; the error's variance is profiled out.
    _, (score, system, segment, rater) = small(seed)
    others = {"segment": segment, "item": segment * 3 + system, "rater": rater}
    model, freedom = Crossed(score, system, segment, rater, raters=4), len(score) - 3
    ours, theirs = [], []
    for ratios in ([0.5, 0.2, 1.0], [2.0, 0.7, 0.1], [1e-4, 1.5, 3.0]):
        equations = model._assemble(np.array(ratios))
        names = ("segment", "item", "rater")
        variances = {name: ratio * equations.error for name, ratio in zip(names, ratios, strict=True)}
        variances["error"] = equations.error
        ours.append(equations.badness)
        theirs.append(oracle.restricted_badness(score, system, others, variances) - freedom)
    assert np.diff(ours) == pytest.approx(np.diff(theirs), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_severities_are_the_best_linear_predictions(seed):
    judgements, (score, system, segment, rater) = small(seed)
    found = fit_severities(judgements)
    others = {"segment": segment, "item": segment * 3 + system}
    effects = oracle.best_predictions(score, system, rater, others, found.variances)
    assert found.severity == pytest.approx(effects.mean() - effects, abs=1e-6)


def test_the_fit_is_at_the_top_of_the_likelihood():
    model = Crossed(*small(1)[1], raters=4)
    best = model.fit()
    top = model._assemble(best).badness
    for place in range(3):
        for factor in (0.8, 1.25):
            moved = best.copy()
            moved[place] *= factor
            assert model._assemble(moved).badness > top - 1e-3


def test_severities_are_shown_without_what_is_left_of_each_score():
    shown = repr(fit_severities(small(1)[0]))
    assert "severity=" in shown
    assert "residual" not in shown


def test_one_rater_is_neither_severe_nor_mild():
    with pytest.warns(AssayWarning, match="single rater"):
        found = normalise(judged(*ROWS[:5]), "mixed")
    assert found.score == pytest.approx([1, 2, 3, 4, 100])


@needs_data
def test_wmts_published_z_scores_have_the_sample_deviation_over_all_that_a_worker_rated():
    # All kinds together, quality control too: standardising them again changes nothing but the last printed digit.
    judgements = read_judgements(DATA / "wmt21-ru-en-da" / "human.tsv")
    together = Judgements.of(
        [Judgement(one.system, one.segment, one.score, "da", one.rater) for one in judgements], "together"
    )
    assert np.abs(normalise(together, "z").score - judgements.score).max() < 1e-5


@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-3])
@pytest.mark.parametrize("seed", range(8))
def test_scores_without_noise_and_tiny_campaigns_have_finite_severities(seed, noise):
    generator = np.random.default_rng(seed)
    segments, systems, raters = (int(size) for size in generator.integers([1, 1, 2], [6, 4, 5]))
    severity = generator.normal(size=raters)
    rows = [
        (f"s{system}", segment, f"r{rater}", 10 + system + segment - severity[rater] + noise * generator.normal())
        for segment in range(segments)
        for system in range(systems)
        for rater in range(raters)
    ]
    found = normalise(judged(*rows), "mixed")
    assert np.isfinite(found.score).all()
    if segments > 1:
        # Raters differ by their severity alone, so that what is left of a rater's mean is the same for all.
        means = [of_rater(found, f"r{rater}").mean() for rater in range(raters)]
        assert np.ptp(means) == pytest.approx(0.0, abs=0.05)
