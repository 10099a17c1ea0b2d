"""The exponent of GTM by the quality of systems: against scipy, with groups and gains by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr, spearmanr

import assay
from assay.data.judgements import Judgements
from assay.errors import InputError, ParameterError
from studies.judged_campaign import campaign

QUICK = {"exponents": (1, 2), "samples": 20}


def grids(whole, exponent):
    """Scores of GTM and of people: systems by segments."""
    metric = assay.metric(f"gtm(exponent={exponent})")
    scores = []
    for texts in whole.systems.values():
        corpus = assay.Corpus(translations=list(texts), references=[list(whole.references["r0"])])
        scores.append(metric.evaluate(corpus).segment_scores())
    cells = {name: place for place, name in enumerate(whole.systems)}
    human, count = np.zeros((2, len(cells), len(whole)))
    for one in whole.judgements:
        human[cells[one.system], one.segment] += one.score
        count[cells[one.system], one.segment] += 1
    # Scores that are equal up to rounding are ties.
    return np.round(scores, 9), human / count


def test_a_row_is_the_mean_over_segments_of_scipys_correlation_over_systems_of_the_group():
    whole = campaign(systems=7)
    result = assay.study("gtm-exponent", whole, **QUICK)
    # Systems get worse from the first to the last: the better half has four of seven.
    groups = {"all systems": range(7), "better half": range(4), "worse half": range(4, 7)}
    by_hand = {}
    for exponent in (1, 2):
        metric, human = grids(whole, exponent)
        for name, members in groups.items():
            chosen = list(members)
            values = [
                spearmanr(metric[chosen, at], human[chosen, at]).statistic
                for at in range(len(whole))
                if np.ptp(metric[chosen, at]) > 1e-9 and np.ptp(human[chosen, at]) > 1e-9
            ]
            by_hand[name, exponent] = np.mean(values)
    rows = {(row["group"], row["exponent"]): row for row in result.table()}
    assert {key: row["correlation"] for key, row in rows.items()} == pytest.approx(by_hand, abs=1e-9)
    for name, members in groups.items():
        assert rows[name, 1]["n"] == len(members)
        assert rows[name, 1]["gain"] is None
        assert rows[name, 2]["gain"] == pytest.approx(by_hand[name, 2] - by_hand[name, 1])
        best = max((1, 2), key=lambda exponent: by_hand[name, exponent])
        assert [rows[name, exponent]["best"] for exponent in (1, 2)] == [best == 1, best == 2]
    (more,) = result.table("gains")
    gains = {name: by_hand[name, 2] - by_hand[name, 1] for name in groups}
    assert more["more"] == pytest.approx(gains["better half"] - gains["worse half"])
    assert more["more_low"] < more["more"] < more["more_high"]


@pytest.mark.parametrize(("statistic", "expected"), [("pearson", pearsonr), ("kendall", kendalltau)])
def test_systems_on_the_whole_are_scipys_correlation_of_their_scores(statistic, expected):
    whole = campaign(systems=6)
    result = assay.study("gtm-exponent", whole, level="system", statistic=statistic, groups=2, **QUICK)
    _, human = grids(whole, 1)
    metric = assay.metric("gtm(exponent=2)")
    scores = [
        metric.evaluate(
            assay.Corpus(translations=list(texts), references=[list(whole.references["r0"])])
        ).corpus_score()
        for texts in whole.systems.values()
    ]
    people = human.mean(axis=1)
    order = np.argsort(-people)
    for name, members in (("all systems", order), ("better half", order[:3]), ("worse half", order[3:])):
        row = next(row for row in result.table() if (row["group"], row["exponent"]) == (name, 2))
        value = expected(np.array(scores)[members], people[members]).statistic
        assert row["correlation"] == pytest.approx(value, abs=1e-9)


def test_groups_are_halves_then_thirds_and_say_who_is_in_them():
    twelve = assay.study("gtm-exponent", campaign(systems=12), **QUICK)
    assert [row["group"] for row in twelve.table("groups")] == ["best third", "middle third", "worst third"]
    assert [row["n"] for row in twelve.table("groups")] == [4, 4, 4]
    lows, highs = ([row[end] for row in twelve.table("groups")] for end in ("human_low", "human_high"))
    assert all(low > high for low, high in zip(lows, highs[1:], strict=False))
    given = {name: [] for name in campaign(systems=12).systems}
    for one in campaign(systems=12).judgements:
        given[one.system].append(one.score)
    for row in twelve.table("groups"):
        means = [np.mean(given[name]) for name in row["names"].split(", ")]
        assert (row["human_low"], row["human_high"]) == pytest.approx((min(means), max(means)))
    halves = assay.study("gtm-exponent", campaign(systems=12), groups=2, **QUICK)
    assert [row["group"] for row in halves.table("groups")] == ["better half", "worse half"]
    assert {row["group"] for row in halves.table()} == {"all systems", "better half", "worse half"}


def test_few_systems_are_not_split_and_it_is_said():
    result = assay.study("gtm-exponent", campaign(systems=5), **QUICK)
    assert {row["group"] for row in result.table()} == {"all systems"}
    assert result.table("gains") == []
    assert "Systems are not split by quality: parts of 3 take 6, and there are 5 systems." in result.findings


def test_where_order_matters_among_good_systems_alone_the_larger_exponent_gains_there():
    # Good systems differ in the order of words, which people see; bad ones in which words there are.
    generator = np.random.default_rng(3)
    words = [f"w{number}" for number in range(200)]
    references = [[words[place] for place in generator.permutation(200)[:12]] for _ in range(60)]
    texts: dict[str, list[str]] = {}
    for number in range(8):
        lines = []
        for line in references:
            made = list(line)
            if number < 4:
                # So many words change places; whether one is wrong is chance.
                made[int(generator.integers(12))] = "x" if generator.random() < 0.5 else "y"
                made[0] = line[0] if generator.random() < 0.5 else "x"
                for _ in range(number + int(generator.integers(2))):
                    first, second = generator.integers(12, size=2)
                    made[first], made[second] = made[second], made[first]
            else:
                lost = generator.permutation(12)[: number + int(generator.integers(2))]
                made = ["x" if place in lost else word for place, word in enumerate(line)]
            lines.append(" ".join(made))
        texts[f"s{number}"] = lines
    rows = [
        assay.Judgement(name, segment, 8.0 - number + 0.2 * float(generator.normal()), "da", "a")
        for number, name in enumerate(texts)
        for segment in range(60)
    ]
    whole = assay.Campaign("order", texts, {"r": [" ".join(line) for line in references]})
    result = assay.study("gtm-exponent", whole.with_judgements(Judgements.of(rows, "inline")), exponents=(1, 2))
    (more,) = result.table("gains")
    assert more["more_low"] > 0
    assert any(said.endswith("more than the worse half, as the paper expects.") for said in result.findings)


def test_what_cannot_be_varied_is_refused():
    with pytest.raises(ParameterError, match="gtm without exponent"):
        assay.study("gtm-exponent", campaign(), metric="gtm(exponent=2)")
    with pytest.raises(ParameterError, match="gtm without exponent"):
        assay.study("gtm-exponent", campaign(), metric="bleu")
    with pytest.raises(ParameterError, match="different numbers above 0"):
        assay.study("gtm-exponent", campaign(), exponents=(2, 2))
    with pytest.raises(ParameterError, match="a number above 0"):
        assay.study("gtm-exponent", campaign(), exponents=(0,))
    two = campaign(systems=2)
    with pytest.raises(InputError, match="needs at least 3"):
        assay.study("gtm-exponent", two)


def test_the_figure_has_a_curve_for_each_group():
    figure = assay.study("gtm-exponent", campaign(systems=6), **QUICK).chart()
    (panel,) = [figure.data] if "layer" in figure.data else figure.data["hconcat"]
    (line,) = [layer for layer in panel["layer"] if layer["mark"]["type"] == "line"]
    assert {row["name"] for row in line["data"]["values"]} == {"all systems", "better half", "worse half"}
