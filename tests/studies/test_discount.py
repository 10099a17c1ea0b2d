"""METEOR's discount: the lecture's curve, sums by hand for small texts, and scores with and without it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

import assay
from assay.errors import InputError

LECTURE = "meteor(variant=lecture2007)"


def small():
    """Four words in one, two and four pieces, and nothing in common."""
    return assay.Campaign(
        name="small",
        references={"r": ["a b c d"] * 6},
        systems={
            "whole": ["a b c d"] * 6,
            "pieces": ["a b c d", "c d a b", "d c b a", "x y", "a b c d", "c d a b"],
            "scattered": ["d c b a"] * 6,
        },
    )


def test_the_curve_is_the_lectures():
    curve = assay.study("discount", small(), meteors=LECTURE, samples=20).table("curves")
    by = {row["fragmentation"]: row["discount"] for row in curve}
    # DF = 0.5 * frag ** 3: 0.0625 for the slide's 0.50, in percent; nothing at 0 and one half at 1.
    assert (by[0.0], by[0.5], by[1.0]) == (0.0, 6.25, 50.0)
    assert len(by) == 106
    # METEOR 1.5 for English: 0.6 * frag ** 0.2; at 0.5 that is 0.6 * 0.87055 = 0.52233.
    other = assay.study("discount", small(), meteors="meteor", samples=20).table("curves")
    assert {row["fragmentation"]: row["discount"] for row in other}[0.5] == pytest.approx(52.233, abs=1e-3)


def test_where_half_is_lost_is_said():
    findings = assay.study("discount", small(), meteors=LECTURE, samples=20).findings
    # Half of 0.5 is 0.25 = 0.5 * x ** 3 at x = 0.5 ** (1 / 3) = 0.7937.
    said = "at most 50.0 % off (0.5 times fragmentation to the power of 3), half of that at a fragmentation of 0.79. "
    assert findings[0].startswith(f"{LECTURE}: {said}")


def test_the_picture_has_quantiles_and_mean_fragmentations_by_hand():
    result = assay.study("discount", small(), meteors=LECTURE, samples=20)
    two = 50.0 / 27.0
    row, values = result.of(system="pieces"), [0, 0, two, two, 50]
    names = ("lowest", "quartile", "median", "third_quartile", "highest")
    assert [row[name] for name in names] == pytest.approx(np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist())
    # Of all segments with a match, 6, 5 and 6 of them: 0, (0 + 1/3 + 1 + 0 + 1/3) and 6 times 1, by 17.
    assert f"'{(5 / 3 + 6) / 17:.2f}'" in str(result.chart().data)
    whole = assay.metric(LECTURE).evaluate(small().corpus("pieces"))
    assert row["discount"] == pytest.approx(100 * (1 - whole.corpus_score() / row["without"]))


def test_discounts_by_hand():
    result = assay.study("discount", small(), meteors=LECTURE, samples=20)
    # One piece: (1 - 1) / (4 - 1) = 0. Two: 1/3, and 0.5 / 27 = 1.852 %. Four: 1, and 50 %. "x y" matches nothing.
    two = 50.0 / 27.0
    row = result.of(system="pieces")
    assert (row["segments"], row["unmatched"]) == (5, 1)
    assert row["fragmentation"] == pytest.approx((0 + 1 / 3 + 1 + 0 + 1 / 3) / 5)
    assert row["mean"] == pytest.approx((0 + two + 50 + 0 + two) / 5)
    # Of 0, 0, two, two and 50 the median is two.
    assert row["median"] == pytest.approx(two)
    assert row["quartile"] == pytest.approx(0.0)
    assert (result.of(system="whole")["mean"], result.of(system="scattered")["mean"]) == pytest.approx((0.0, 50.0))


def test_scores_with_and_without_are_those_of_the_metric_and_of_gamma_zero():
    whole = small()
    result = assay.study("discount", whole, samples=20)
    for row in result.table():
        metric = assay.metric(row["metric"])
        assert row["score"] == pytest.approx(metric.evaluate(whole.corpus(row["system"])).corpus_score())
        plain = assay.metric(row["metric"].rstrip(")") + (",gamma=0)" if "(" in row["metric"] else "(gamma=0)"))
        assert row["without"] == pytest.approx(plain.evaluate(whole.corpus(row["system"])).corpus_score())
    # All words of both are in the reference, in another order.
    lecture = {row["system"]: (row["rank_without"], row["rank"]) for row in result.table() if row["metric"] == LECTURE}
    assert lecture == {"whole": (1, 1), "pieces": (3, 2), "scattered": (1, 3)}
    # Without: 100, 100 and less; with: pieces passes scattered. The tie of whole and scattered is no pair that turns.
    assert f"{LECTURE}: the discount turns round 1 of 3 pairs of systems (pieces and scattered)." in result.findings


def test_intervals_are_of_means_over_matched_segments():
    result = assay.study("discount", small(), meteors=LECTURE, samples=400)
    row = result.of(system="pieces")
    assert row["low"] < row["mean"] < row["high"]
    assert (result.of(system="whole")["low"], result.of(system="whole")["high"]) == pytest.approx((0.0, 0.0))
    drawn = assay.significance.draws.Draws.of(6, 400, 1).weights[1:]
    two = 50.0 / 27.0
    values, there = np.array([0, two, 50, 0, 0, two]), np.array([1, 1, 1, 0, 1, 1])
    means = (drawn @ values)[drawn @ there > 0] / (drawn @ there)[drawn @ there > 0]
    # Six segments: Student's t with 5 degrees of freedom, wider by the root of 6/5; the k-th of n stands at k/(n+1).
    tail = norm.cdf(t.ppf(0.025, 5) * np.sqrt(6 / 5))
    ends = np.quantile(means, [tail, 1 - tail], method="weibull")
    assert (row["low"], row["high"]) == pytest.approx(tuple(ends))


def test_what_is_no_meteor_or_matches_nothing_is_refused():
    with pytest.raises(assay.ParameterError, match=r"bleu has no discount for scattered matches"):
        assay.study("discount", small(), meteors="bleu")
    strange = assay.Campaign(name="strange", references={"r": ["a b"] * 6}, systems={"s": ["x y"] * 6})
    with pytest.raises(InputError, match="strange: no translation has a word of its reference"):
        assay.study("discount", strange, meteors=LECTURE)


def test_the_curve_is_no_straight_line_where_it_rises_most():
    curve = assay.study("discount", small(), meteors="meteor", samples=20).table("curves")
    shares, discounts = ([row[name] for row in curve] for name in ("fragmentation", "discount"))
    assert shares == sorted(shares)
    # METEOR 1.5: at a fragmentation of 0.005 100 * 0.6 * 0.005 ** 0.2 = 20.80, where a line from 0 to 0.01 has 11.94.
    for share in (0.0005, 0.002, 0.005, 0.008):
        assert np.interp(share, shares, discounts) == pytest.approx(60.0 * share**0.2, abs=1.5)
