"""Pearson's r of systems corrected for noise: what it is, by how much it is off, and how often its intervals hold."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import assay
from assay import Campaign, meta_evaluate
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, ParameterError
from assay.metrics.registry import metrics
from assay.people.levels import Resampling, SystemLevel
from assay.people.noise import disattenuated
from assay.people.scores import MeanScores, metric_scores
from assay.people.usage import people_of
from assay.significance.draws import Units
from oracles import meta as oracle
from people.truth import DATA, needs_data

#: What intervals are to cover.
PROMISED = (0.93, 0.97)


def scores_of(grid, name="scores", **given):
    systems = tuple(f"s{number}" for number in range(len(grid)))
    return MeanScores(name, systems, np.isfinite(grid), grid, **given)


def corrected(human, metric, *, units=None, samples=0, **given):
    people = scores_of(human, "people")
    resampling = Resampling(units=units or Units.segments(human.shape[1]), samples=0)
    level = SystemLevel(people, resampling.draws(people, "system", None), seed=1)
    return disattenuated(level, scores_of(metric, **given), samples=samples, seed=1)


def simulated(generator, systems, segments, raters, r, *, spread="normal"):
    """Judgements and scores of a metric (systems by segments), and the correlation of the true scores of the systems.

    The two share half of what they find in a single translation; the difficulty of segments is the same for all.
    """
    draw = {
        "normal": generator.normal,
        "skewed": lambda size: 1.0 - generator.exponential(size=size),
        "long tails": lambda size: generator.standard_t(4, size=size) / np.sqrt(2.0),
    }[spread]
    quality, other = draw(size=(2, systems))
    seen = r * quality + np.sqrt(1.0 - r**2) * other
    single = generator.normal(size=(systems, segments))
    own = 0.5 * single + np.sqrt(0.75) * generator.normal(size=single.shape)
    difficulty = 0.5 * generator.normal(size=segments)
    judged = generator.normal(0.0, 1.0 / np.sqrt(raters), single.shape)
    human = 0.3 * quality[:, None] + difficulty + 0.6 * single + judged
    return human, 0.3 * seen[:, None] + difficulty + 0.8 * own, float(np.corrcoef(quality, seen)[0, 1])


def measured(times, *setting, spread="normal"):
    """The mean error of the plain and of the corrected value, and how often both intervals hold the truth."""
    generator, errors, held = np.random.default_rng(11), [], []
    r = setting[3]
    for _ in range(times):
        human, metric, true = simulated(generator, *setting, spread=spread)
        found = corrected(human, metric, samples=300)
        if isinstance(found, str) or found.these.low is None:
            continue
        plain = np.corrcoef(human.mean(axis=1), metric.mean(axis=1))[0, 1]
        errors.append((plain - true, found.value - true))
        held.append((found.these.low <= true <= found.these.high, found.new.low <= r <= found.new.high))
    return np.mean(errors, axis=0), np.mean(held, axis=0), len(held)


def test_it_is_what_the_definition_gives():
    generator = np.random.default_rng(3)
    human, metric, _ = simulated(generator, 6, 40, 2, 0.8)
    expected, reliability = oracle.disattenuated(human.tolist(), metric.tolist())
    found = corrected(human, metric)
    assert found.value == pytest.approx(expected, abs=1e-12)
    assert found.reliability == pytest.approx(reliability, abs=1e-12)
    assert found.these == found.new == (None, None)


def test_noise_in_common_is_taken_off():
    # All noise is on both sides: it has a covariance, which pulls r towards 1.
    generator = np.random.default_rng(1)
    quality = np.linspace(-0.2, 0.2, 12)
    seen = generator.permutation(quality)
    shared = generator.normal(size=(12, 60))
    human, metric = quality[:, None] + shared, seen[:, None] + shared
    true = np.corrcoef(quality, seen)[0, 1]
    plain = np.corrcoef(human.mean(axis=1), metric.mean(axis=1))[0, 1]
    assert plain - true > 0.15
    assert abs(corrected(human, metric).value - true) < abs(plain - true) / 2


def test_documents_are_left_out_whole():
    # Each document is four copies of a segment, so that the noise is that of the forty documents alone.
    human, metric, _ = simulated(np.random.default_rng(5), 8, 40, 1, 0.7)
    copies = Units.documents([f"d{segment // 4}" for segment in range(160)])
    once, four = corrected(human, metric), corrected(human.repeat(4, axis=1), metric.repeat(4, axis=1), units=copies)
    assert four.value == pytest.approx(once.value, abs=1e-12)
    alone = corrected(human.repeat(4, axis=1), metric.repeat(4, axis=1))
    assert alone.reliability[0] > once.reliability[0] + 0.05


def test_many_segments_are_left_out_in_parts(monkeypatch):
    human, metric, _ = simulated(np.random.default_rng(6), 10, 400, 1, 0.8)
    one_by_one = corrected(human, metric)
    monkeypatch.setattr("assay.people.noise._MOST_PARTS", 100)
    monkeypatch.setattr("assay.people.noise.BLOCK_CELLS", 3000)
    in_parts = corrected(human, metric)
    assert in_parts.value != one_by_one.value
    assert in_parts.value == pytest.approx(one_by_one.value, abs=0.02)


def test_segments_that_some_systems_lack_are_allowed_for():
    generator = np.random.default_rng(8)
    errors = []
    for _ in range(40):
        human, metric, true = simulated(generator, 12, 80, 1, 0.8)
        human[generator.random(human.shape) < 0.4] = np.nan
        found = corrected(human, metric)
        errors.append(found.value - true)
    assert abs(np.mean(errors)) < 0.05


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda human, metric: (human[:4], metric[:4]), "it takes 5 systems and 5 segments"),
        (lambda human, metric: (human[:, :4], metric[:, :4]), "it takes 5 systems and 5 segments"),
        (lambda human, metric: (human, metric * 0.0), "systems differ no more than noise"),
        (
            lambda human, metric: (human - human.mean(axis=1, keepdims=True), metric),
            "systems differ no more than noise",
        ),
    ],
)
def test_why_there_may_be_none(change, reason):
    human, metric, _ = simulated(np.random.default_rng(2), 8, 30, 1, 0.8)
    assert corrected(*change(human, metric)).startswith(reason)


def test_scores_of_whole_systems_have_no_noise_that_is_known():
    human, metric, _ = simulated(np.random.default_rng(2), 8, 30, 1, 0.8)
    assert "whole systems" in corrected(human, metric, given={"s3": 1.0})
    human[3, 1:] = np.nan
    assert "one segment alone" in corrected(human, metric)


def test_a_metric_that_is_the_judgements_themselves_is_right():
    human, _, _ = simulated(np.random.default_rng(2), 8, 30, 1, 0.8)
    found = corrected(human, human, samples=100)
    assert found.value == pytest.approx(1.0, abs=1e-12)
    assert found.these == found.new == (None, None)


def test_few_segments_in_short():
    # A small part of the table of docs/concepts/meta-evaluation.md.
    (plain, value), held, count = measured(120, 12, 50, 1, 0.77)
    assert count >= 118
    assert plain < -0.07
    assert abs(value) < 0.03
    assert (held >= 0.9).all()


CELLS = [
    (systems, segments, raters, r, spread)
    for spread in ("normal", "skewed", "long tails")
    for systems in (10, 20)
    for segments, raters in ((50, 1), (50, 4), (200, 1), (200, 4))
    for r in (0.5, 0.77, 0.95)
]


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(map(str, cell)))
def test_intervals_hold(cell):
    times = 1000
    (_, value), held, _ = measured(times, *cell[:4], spread=cell[4])
    # By so much chance moves a share of so many campaigns, in 99 of 100 cases.
    slack = 2.58 * np.sqrt(0.05 * 0.95 / times)
    assert PROMISED[0] - slack <= held[0] <= PROMISED[1] + slack
    lowest = PROMISED[0] if cell[4] == "normal" else 0.91
    assert lowest - slack <= held[1] <= PROMISED[1] + slack
    assert abs(value) <= 0.03


@needs_data
@pytest.mark.slow
@pytest.mark.parametrize("name", ["wmt23-en-de", "wmt23-zh-en"])
def test_some_real_segments_tell_what_all_of_them_tell(name):
    whole = assay.read(DATA / name)
    campaign = replace(whole, systems={system: texts for system, texts in whole.systems.items() if system != "refA"})
    people, _ = people_of(campaign, kind="mqm")
    (source,) = metric_scores(campaign, metrics("chrf"), people)
    resampling = Resampling(units=Units.segments(len(campaign)), samples=0)
    generator, found = np.random.default_rng(1), []

    def on(segments):
        cells = np.isin(np.arange(len(campaign)), segments) & people.mask
        level = SystemLevel(people.only(cells), resampling.draws(people, "system", None), seed=1)
        some = source.only(cells)
        return np.corrcoef(level.human[0], level.scores(some)[0])[0, 1], disattenuated(level, some, samples=300, seed=1)

    judged = np.flatnonzero(people.mask.any(axis=0))
    truth = on(judged)[1].value
    for _ in range(100):
        plain, some = on(generator.choice(judged, 50, replace=False))
        if not isinstance(some, str) and some.these.low is not None:
            found.append((plain - truth, some.value - truth, some.these.low <= truth <= some.these.high))
    plain, value, held = np.mean(found, axis=0)
    assert plain < -0.03
    assert abs(value) < 0.03
    assert held >= 0.85


def judged_campaign(systems=8, segments=40, raters=2):
    generator = np.random.default_rng(4)
    human, metric, _ = simulated(generator, systems, segments, 1, 0.8)
    names = [f"s{number}" for number in range(systems)]
    rows = [
        Judgement(names[system], segment, float(score + generator.normal()), "people", f"r{rater}")
        for (system, segment), score in np.ndenumerate(human)
        for rater in range(raters)
    ]
    rows += [
        Judgement(names[system], segment, float(score), "metric") for (system, segment), score in np.ndenumerate(metric)
    ]
    texts = {name: [""] * segments for name in names}
    return Campaign("example", texts, {"ref": [""] * segments}, human=Judgements.of(rows, "example")), metric


def asked(**options):
    campaign, metric = judged_campaign()
    usual = {"kind": "people", "beside": "metric", "levels": "system", "test": "none", "disattenuated": True}
    return meta_evaluate(campaign, (), **usual | options), campaign, metric


def test_meta_shows_both_values_and_says_what_they_are_about():
    found, campaign, metric = asked(samples=200)
    (row,) = found.table("disattenuated")
    grid = np.full(metric.shape, 0.0)
    of_people = campaign.human.only(
        np.array([name == "people" for name in campaign.human.kind.names])[campaign.human.kind.codes]
    )
    np.add.at(grid, (of_people.system.codes, of_people.segment), of_people.score / 2)
    expected, reliability = oracle.disattenuated(grid.tolist(), metric.tolist())
    assert row["value"] == pytest.approx(expected, abs=1e-9)
    assert (row["reliability_people"], row["reliability_metric"]) == pytest.approx(reliability, abs=1e-9)
    assert row["plain"] == found.of("human:metric", "pearson").value < row["value"]
    assert row["low_systems"] < row["low"] < row["value"] < row["high"] <= row["high_systems"] <= 1.0
    text = found.render("text")
    assert "these judgements on these segments" in text
    assert "There is no such correction of spearman, kendall, accuracy, spa, pearson-differences." in text
    assert "Corrected for noise: pearson at the system level" in text
    plain, _, _ = asked(samples=0, disattenuated=False)
    assert "these judgements on these segments" in plain.render("text")
    assert "disattenuated" not in plain.tables


def test_there_are_no_intervals_without_samples():
    found, _, _ = asked(samples=0)
    (row,) = found.table("disattenuated")
    assert row["low"] is row["high"] is row["low_systems"] is None


@pytest.mark.parametrize("options", [{"levels": "segment"}, {"statistics": "kendall"}])
def test_it_is_about_pearson_of_systems(options):
    with pytest.raises(ParameterError, match="--level system and pearson"):
        asked(samples=0, **options)


def test_meta_says_why_there_is_none():
    campaign, _ = judged_campaign(systems=4)
    with pytest.warns(AssayWarning, match="human:metric: not corrected for noise: it takes 5 systems"):
        found = meta_evaluate(
            campaign, (), kind="people", beside="metric", levels="system", samples=0, test="none", disattenuated=True
        )
    assert found.table("disattenuated") == []
