"""Pseudo-documents: what they are made of, how far their curves may be off, and whether intervals keep their word."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats

from assay.errors import ParameterError
from assay.people.pseudo_documents import DocumentCurves, Documents, JudgementPool, _Parts
from assay.people.scores import Scores
from assay.significance.draws import NO_INTERVAL, Units, crossed, named, numbered, summed_interval


@dataclass(frozen=True, eq=False)
class Grid(Scores):
    """A metric whose scores of documents are the means of those of segments."""

    def system_scores(self, weights):
        return np.asarray(weights @ self.grid.T) / np.asarray(weights.sum(axis=1)).reshape(-1, 1)

    def contributions(self):
        return self.grid


def curves_of(metrics, rows, *, units=None, seed=1, judges=1, raters=9):
    """Curves of ``metrics`` (systems by segments); ``rows`` are systems, segments, raters and scores, a column each."""
    shape = next(iter(metrics.values())).shape
    systems = tuple(f"s{number}" for number in range(shape[0]))
    system, segment, rater, score = rows
    cell = system * shape[1] + segment
    order = np.lexsort((rater, cell))
    size = np.bincount(cell, minlength=shape[0] * shape[1])
    pool = JudgementPool(
        score[order],
        size.reshape(shape),
        crossed(named(systems), numbered(shape[1])).reshape(shape),
        rater[order],
        tuple(f"r{number}" for number in range(raters)),
    )
    sources = {name: Grid(name, systems, np.ones(shape, dtype=np.bool_), grid) for name, grid in metrics.items()}
    segments = np.flatnonzero(pool.rankable(judges))
    return DocumentCurves(pool, segments, sources, units or Units.segments(shape[1]), seed, judges)


def judged(scores, rater=0):
    """Rows of one rater's scores (systems by segments); a rater for each segment, or for each cell."""
    system, segment = np.indices(scores.shape)
    return system.ravel(), segment.ravel(), np.broadcast_to(rater, scores.shape).ravel(), scores.ravel()


def joined(*parts):
    return tuple(np.concatenate(columns) for columns in zip(*parts, strict=True))


def test_documents_hold_different_segments():
    documents = Documents.random(np.arange(20), 5, 30, seed=2)
    weights = documents.weights(20)
    assert weights.shape == (30, 20)
    assert set(np.asarray(weights).ravel()) == {0.0, 1.0}
    assert (weights.sum(axis=1) == 5).all()
    assert (documents.segment == Documents.random(np.arange(20), 5, 30, seed=2).segment).all()
    with pytest.raises(ParameterError, match="cannot be made"):
        Documents.random(np.arange(4), 5, 1, seed=2)


def test_short_documents_have_the_weights_that_long_ones_have():
    documents = Documents.random(np.arange(40), 3, 10, seed=2)
    weights = documents.weights(40)
    assert not isinstance(weights, np.ndarray)
    by_hand = np.zeros((10, 40))
    for number in range(10):
        by_hand[number, documents.segment[3 * number : 3 * number + 3]] = 1.0
    assert (weights.toarray() == by_hand).all()


def ranked_alike(generator, segments, systems=5):
    """Scores of a metric and of people, as unlike on each segment as chance makes them."""
    return generator.normal(size=(systems, segments)), generator.normal(size=(systems, segments))


def spearmans(metric, human):
    return np.array([stats.spearmanr(metric[:, at], human[:, at]).statistic for at in range(metric.shape[1])])


@pytest.mark.parametrize("segments", [20, 100])
def test_the_error_of_single_segments_is_that_of_a_mean(segments):
    # Documents of one segment: the curve is the mean over segments of their Spearman, which varies as any mean does.
    # 100 segments are drawn in parts of 20.
    metric, human = ranked_alike(np.random.default_rng(3), segments)
    expected = spearmans(metric, human).var() / segments
    found = [curves_of({"m": metric}, judged(human), seed=seed).doubt(1).units.variance("m") for seed in range(1, 9)]
    assert np.mean(found) == pytest.approx(expected, rel=0.12)


def test_documents_that_are_alike_inside_are_drawn_as_a_whole():
    # Twenty documents of five equal segments: the error is that of twenty values, not of a hundred.
    metric, human = (np.repeat(grid, 5, axis=1) for grid in ranked_alike(np.random.default_rng(4), 20))
    units = Units.documents([f"d{at // 5}" for at in range(100)])
    expected = spearmans(metric, human).var() / 20
    found = [
        curves_of({"m": metric}, judged(human), units=units, seed=seed).doubt(1).units.variance("m")
        for seed in range(1, 9)
    ]
    assert np.mean(found) == pytest.approx(expected, rel=0.15)


def test_what_chance_does_in_documents_is_no_error_of_units():
    # All segments are alike. Of two judges one ranks as the metric does and one the other way round, and who is drawn
    # is drawn anew for each cell: documents differ much, and other segments would change nothing.
    metric = np.repeat(np.arange(5.0)[:, None], 30, axis=1)
    curves = curves_of({"m": metric}, joined(judged(metric, 0), judged(-metric, 1)))
    drawn = curves.drawn(1, 500).values["m"]
    assert drawn.std() > 0.4
    found = [
        curves_of({"m": metric}, joined(judged(metric, 0), judged(-metric, 1)), seed=seed).doubt(1).units.variance("m")
        for seed in range(1, 13)
    ]
    # The mean of 30 segments would vary by drawn.var() / 30, were they different: about 0.01.
    assert abs(np.mean(found)) < 0.1 * drawn.var() / 30


def test_what_cuts_of_one_part_differ_by_is_taken_off():
    # Means of the cuts: 2 and 4 of the first part, 0 and 7 of the second. Those of the parts, 3 and 3.5, have a
    # variance of 0.125; those of cuts, 2 and 24.5, are 13.25 in the mean, of which a mean of two cuts has half.
    values = {"m": np.array([1.0, 3.0, 4.0, 0.0, 6.0, 8.0, np.nan])}
    parts = _Parts(values, np.array([0, 0, 1, 2, 3, 3, 3]), parts=2, times=2, scale=0.5, freedom=1.0)
    assert parts.variance("m") == pytest.approx(0.5 * (0.125 - 13.25 / 2))


def test_the_error_of_judges_is_that_of_a_mean_over_judges():
    # Each of nine judges has segments of his own and one opinion on all of them: on single segments Spearman is the
    # judge's. So the variance over judges is that of a mean of nine, and that of what a judge judged in a unit that of
    # a mean of 90 segments.
    generator = np.random.default_rng(5)
    opinions = generator.normal(size=(6, 9))
    rater = np.repeat(np.arange(9), 10)
    metric, human = np.repeat(np.arange(6.0)[:, None], 90, axis=1), opinions[:, rater]
    values = spearmans(metric[:, :9], opinions)
    doubts = [curves_of({"m": metric}, judged(human, rater), seed=seed).doubt(1) for seed in range(1, 9)]
    of_judges, of_both = (np.mean([doubt.judges[part].variance("m") for doubt in doubts]) for part in (0, 1))
    assert of_judges == pytest.approx(values.var(ddof=1) / 9, rel=0.15)
    assert of_both == pytest.approx(values[rater].var() / 90, rel=0.15)
    assert doubts[0].judges[0].freedom == 8
    # Units and judges and no more than once what is in both; documents by themselves come on top.
    doubt = doubts[0]
    parts = [doubt.units.variance("m"), *(part.variance("m") for part in doubt.judges)]
    low, high = doubt.interval(0.3, 0.001, "m")
    assert (low, high) == tuple(summed_interval(0.3, [(parts[0], 89.0), (0.001, np.inf), (parts[1] - parts[2], 8.0)]))
    assert low < 0.3 < high


def test_differences_of_curves_are_paired():
    # Two metrics that are the same but for one segment in ten: their difference varies far less than either.
    metric, human = ranked_alike(np.random.default_rng(6), 60)
    other = metric.copy()
    other[:, ::10] *= -1.0
    doubt = curves_of({"m": metric, "o": other}, judged(human)).doubt(1)
    expected = (spearmans(metric, human) - spearmans(other, human)).var() / 60
    assert doubt.units.variance("m", "o") == pytest.approx(expected, rel=0.5)
    assert doubt.units.variance("m", "o") < doubt.units.variance("m")


def test_variances_add_up_and_few_of_something_widen():
    # Satterthwaite: (0.04 + 0.01)^2 / (0.04^2/4 + 0.01^2/20) = 0.0025 / 0.000405 = 6.17 degrees of freedom.
    half = stats.t.ppf(0.975, 0.0025 / 0.000405) * 0.05**0.5
    assert summed_interval(1.0, [(0.04, 4.0), (0.01, 20.0)]) == pytest.approx((1.0 - half, 1.0 + half))
    # What is negative by chance is nothing.
    assert summed_interval(1.0, [(0.04, 4.0), (-0.01, 20.0)]) == summed_interval(1.0, [(0.04, 4.0)])
    assert summed_interval(1.0, [(0.0, 4.0)]) == (1.0, 1.0)
    assert summed_interval(1.0, [(float("nan"), 4.0), (0.1, 3.0)]) == NO_INTERVAL


def test_few_units_few_judges_and_nameless_ones_are_not_drawn_from():
    metric, human = ranked_alike(np.random.default_rng(7), 12)
    few = Units.documents([f"d{at // 3}" for at in range(12)])
    assert curves_of({"m": metric}, judged(human), units=few).doubt(1).interval(0.1, 0.1, "m") == NO_INTERVAL
    for raters, there in ((2, False), (3, True)):
        doubt = curves_of({"m": metric}, judged(human, np.arange(12) % raters)).doubt(1)
        assert (doubt.judges is not None) is there
    doubt = curves_of({"m": metric}, judged(human, np.arange(12) % 4 - 1)).doubt(1)
    assert doubt.judges is None
    assert doubt.units is not None


def test_judges_who_judged_other_segments_do_not_count():
    metric, human = ranked_alike(np.random.default_rng(8), 12)
    rows = joined(judged(human), tuple(np.array(column) for column in ([0, 1], [3, 4], [1, 2], [0.0, 0.0])))
    # On segments 5 to 11 there is one judge alone.
    curves = curves_of({"m": metric}, rows)
    assert curves.pool.raters_of(np.arange(5, 12)) == 1
    assert curves.pool.raters_of(np.arange(12)) == 3


#: Campaigns in which two metrics see the systems' quality, each with an error of its own per system and per segment:
#: documents, segments of each, judges, judges of a segment, what judges have against systems, and what documents do.
CAMPAIGNS = {
    "segments": {"units": 60},
    "few segments": {"units": 10},
    "documents": {"units": 15, "size": 6, "by_document": 0.5},
    "judges": {"units": 60, "raters": 12, "taste": 0.4},
    "two judges each": {"units": 60, "raters": 12, "each": 2, "taste": 0.4},
}


def campaign(seed, *, units, size=1, raters=1, each=1, taste=0.0, by_document=0.0, systems=8):
    """Segments, documents and judges are other ones each time; systems and metrics stay."""
    fixed, generator = np.random.default_rng(5), np.random.default_rng([seed, 7])
    quality = np.linspace(0.0, 1.5, systems)[:, None]
    own = {"m": fixed.normal(0.0, 0.25, (systems, 1)), "o": fixed.normal(0.0, 0.5, (systems, 1))}
    count, document = units * size, np.repeat(np.arange(units), size)
    truth = quality + generator.normal(size=count) + generator.normal(0.0, 0.5, (systems, count))
    truth += generator.normal(0.0, by_document, (systems, units))[:, document]
    metrics = {name: truth + error + generator.normal(size=truth.shape) for name, error in own.items()}
    tastes = generator.normal(0.0, taste, (systems, raters)) + generator.normal(0.0, 0.5, raters)
    rows = []
    turns = np.stack([generator.permutation(raters)[:each] for _ in range(units)])[document]
    for turn in range(each):
        rater = turns[:, turn]
        rows.append(judged(truth + tastes[:, rater] + generator.normal(size=truth.shape), rater))
    whole = Units.segments(count) if size == 1 else Units.documents([f"d{at}" for at in document])
    return curves_of(metrics, joined(*rows), units=whole, seed=seed, raters=raters)


def measured(options, length, seeds, *, documents=200):
    """The difference of two curves and the first one, in many campaigns: value, interval, 1.96 errors of documents."""
    rows = []
    for seed in seeds:
        curves = campaign(seed, **options)
        drawn, doubt = curves.drawn(length, documents).values, curves.doubt(length)
        row = []
        for whole, names in ((drawn["m"] - drawn["o"], ("m", "o")), (drawn["m"], ("m",))):
            values = whole[np.isfinite(whole)]
            error = values.var(ddof=1) / len(values)
            row.append((values.mean(), *doubt.interval(values.mean(), error, *names), 1.96 * error**0.5))
        rows.append(row)
    return np.array(rows)


def held(rows, truth):
    """The share of intervals that hold the truth: of the difference, and of the curve."""
    return ((rows[:, :, 1] <= truth) & (truth <= rows[:, :, 2])).mean(axis=0)


def population(options, length, documents=20_000):
    """What documents have of which no two share a segment: the truth, where segments are drawn by themselves."""
    size = max(length, 400) // length * length
    values = []
    for seed in range(10_000, 10_000 + documents * length // size):
        curves = campaign(seed, **options | {"units": size})
        cut = Documents.of([np.arange(first, first + length) for first in range(0, size, length)])
        drawn = curves._correlations(cut, curves.pool.means(cut, seed, judges=1))
        values.append([np.nanmean(drawn["m"] - drawn["o"]), np.nanmean(drawn["m"])])
    return np.mean(values, axis=0)


def test_intervals_hold_what_a_large_population_has():
    # 60 campaigns of 60 segments: 57 of 95 % are expected, and at least 52 in all but one of 200 cases.
    truth = population({"units": 60}, 5, documents=4_000)
    rows = measured({"units": 60}, 5, range(60), documents=100)
    assert (held(rows, truth) >= 52 / 60).all()
    # Documents share segments: 1.96 of their standard errors, as was printed, hold it in half of the campaigns.
    assert (np.mean(np.abs(rows[:, :, 0] - truth) <= rows[:, :, 3], axis=0) < 0.75).all()


@pytest.mark.slow
@pytest.mark.parametrize("length", [1, 8, 60])
@pytest.mark.parametrize("name", CAMPAIGNS)
def test_intervals_keep_their_word(name, length):
    options = CAMPAIGNS[name]
    length = min(length, options["units"] * options.get("size", 1))
    rows = measured(options, length, range(200))
    # What such campaigns have in the mean: with documents and judges that come again a long text is worth less.
    truth = rows[:, :, 0].mean(axis=0)
    assert (held(rows, truth) >= 0.9).all(), held(rows, truth)
    if name == "segments" and length < 60:
        assert truth == pytest.approx(population(options, length), abs=0.02)
