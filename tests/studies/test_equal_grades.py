"""How far scores vary over equally good sentences: deviations by numpy, intervals by draws taken one by one."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import norm, t

import assay
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError
from oracles import draws as oracle
from studies.judged_campaign import campaign

#: On its own tokens each metric is what ``assay.metric`` makes.
SMALL = {"metrics": ("f1", "wer"), "samples": 30, "own_recipes": True}


def graded():
    """Each translation has one whole grade from 1 to 4, which goes down from system to system."""
    whole = campaign(segments=12)
    rows = [
        Judgement(name, segment, float(4 - (number + segment % 2) // 2 - (segment == 5) * (number == 0)), "grade")
        for number, name in enumerate(whole.systems)
        for segment in range(12)
    ]
    return whole.with_judgements(Judgements.of(rows, "inline"))


def flat(whole, metric):
    """Scores, grades and segments of all translations."""
    scores = [assay.metric(metric).evaluate(whole.corpus(name)).segment_scores() for name in whole.systems]
    given = {(one.system, one.segment): one.score for one in whole.judgements}
    grades = [given[name, segment] for name in whole.systems for segment in range(12)]
    return np.concatenate(scores), np.array(grades), np.tile(np.arange(12), len(whole.systems))


def pooled(scores, grades):
    """The deviation within grades: squares around each mean, by how many are free."""
    parts = [scores[grades == grade] for grade in np.unique(grades)]
    return np.sqrt(
        sum((len(part) - 1) * part.var(ddof=1) for part in parts if len(part) > 1) / (len(scores) - len(parts))
    )


@pytest.mark.parametrize("metric", ["f1", "wer"])
def test_deviations_by_grade_are_numpys(metric):
    whole = graded()
    result = assay.study("equal-grades", whole, **SMALL)
    scores, grades, _ = flat(whole, metric)
    rows = [row for row in result.table() if row["metric"] == metric]
    # Grades that are single scores are called by them, the best first.
    assert [row["grade"] for row in rows] == ["4", "3", "2", "within grades"]
    for row in rows[:-1]:
        own = scores[grades == float(row["grade"])]
        assert row["translations"] == len(own)
        assert row["mean"] == pytest.approx(own.mean())
        assert row["sd"] == pytest.approx(own.std(ddof=1))
        assert row["spread"] == pytest.approx(own.std(ddof=1) / scores.std(ddof=1))
        # Better is right in the picture, for error rates too.
        sign = 1 if metric == "f1" else -1
        assert row["standardised"] == pytest.approx(sign * (own.mean() - scores.mean()) / scores.std(ddof=1))
    whole_row = rows[-1]
    assert whole_row["sd"] == pytest.approx(pooled(scores, grades))
    assert whole_row["spread"] == pytest.approx(pooled(scores, grades) / scores.std(ddof=1))
    assert whole_row["translations"] == 60
    assert whole_row["mean"] == pytest.approx(scores.mean())
    assert all(row["sd_low"] < row["sd"] < row["sd_high"] for row in rows)


def test_intervals_and_differences_come_from_the_same_draws_of_documents():
    whole = graded()
    result = assay.study("equal-grades", whole, **SMALL | {"samples": 150})
    shares = {}
    for metric in ("f1", "wer"):
        scores, grades, segments = flat(whole, metric)
        drawn = []
        for draw in range(150):
            counts = [oracle.count(1, "units", oracle.text_key(f"d{number}"), draw) for number in range(6)]
            times = np.repeat(np.arange(60), [counts[segment // 2] for segment in segments])
            drawn.append(pooled(scores[times], grades[times]) / scores[times].std(ddof=1) if len(times) else np.nan)
        shares[metric] = np.array(drawn)
    # Six documents: Student's t with 5 degrees of freedom, wider by the root of 6/5; the k-th of n stands at k/(n+1).
    tail = norm.cdf(t.ppf(0.025, 5) * np.sqrt(6 / 5))
    for values, name, row in (
        (shares["f1"], "", result.of(metric="f1", grade="within grades")),
        (shares["wer"] - shares["f1"], "gain_", result.of(metric="wer", grade="within grades")),
    ):
        low, high = np.quantile(values[np.isfinite(values)], [tail, 1 - tail], method="weibull")
        assert (row[f"{name}low"], row[f"{name}high"]) == pytest.approx((low, high), abs=1e-9)


def test_the_metric_that_varies_least_is_named_with_the_difference():
    result = assay.study("equal-grades", graded(), **SMALL)
    first, second = (result.of(metric=metric, grade="within grades") for metric in ("f1", "wer"))
    assert second["gain"] == pytest.approx(second["spread"] - first["spread"])
    least = min((first, second), key=lambda row: row["spread"])["metric"]
    assert any(said.endswith(f"{least} varies least.") for said in result.findings)
    assert any(said.startswith(f"wer less f1: {second['gain']:+.3f} (") for said in result.findings)


def test_histograms_have_everybody_once_in_bins_that_metrics_share():
    whole = graded()
    result = assay.study("equal-grades", whole, bins=6, **SMALL)
    bins = result.table("histograms")
    scores, grades, _ = flat(whole, "wer")
    scaled = -(scores - scores.mean()) / scores.std(ddof=1)
    edges = sorted({row["from"] for row in bins} | {max(row["to"] for row in bins)})
    assert len(edges) == 7
    for grade in (2, 3, 4):
        rows = [row for row in bins if (row["metric"], row["grade"]) == ("wer", str(grade))]
        expected = np.histogram(scaled[grades == grade], edges)[0]
        assert [row["translations"] for row in rows] == expected.tolist()
        assert sum(row["share"] for row in rows) == pytest.approx(100.0)
    # Numbers above the panels say what they are of.
    drawn, worst = json.dumps(result.chart().data), result.of(metric="wer", grade="2")
    assert f"grade 2 (the same), {worst['translations']} translations" in drawn
    assert f"wer: {result.of(metric='wer', grade='within grades')['spread']:.3f} of its SD within grades" in drawn


def test_continuous_scores_are_cut_into_grades():
    whole = campaign()
    five = assay.study("equal-grades", whole, **SMALL)
    assert [row["grade"] for row in five.table()[:6]] == ["5", "4", "3", "2", "1", "within grades"]
    assert [row["translations"] for row in five.table()[:5]] == pytest.approx([12] * 5, abs=2)
    stated = assay.study("equal-grades", whole, grades="2,3.5", **SMALL)
    assert [row["scores"] for row in stated.table()[:4]] == ["3.5 or more", "2 to below 3.5", "below 2", "all"]
    assert stated.findings[0].startswith("Grades: cut at 2, 3.5.")


def test_a_metric_that_knows_all_leaves_nothing_and_one_that_is_constant_has_no_share():
    whole = graded()
    columns = {
        name: [f"{'a ' * int(one.score)}".strip() for one in whole.judgements if one.system == name]
        for name in whole.systems
    }
    made = assay.Campaign(name="exact", systems=columns, references={"r": ["a a a a"] * 12}, documents=whole.documents)
    result = assay.study("equal-grades", made.with_judgements(whole.judgements), metrics="recall,precision", samples=20)
    # Recall is a quarter for each grade, and precision 1 for all.
    assert result.of(metric="recall", grade="within grades")["spread"] == pytest.approx(0.0, abs=1e-6)
    assert result.of(metric="precision", grade="within grades")["spread"] is None


def test_what_is_wrong_is_said():
    with pytest.raises(InputError, match="has no judgements"):
        assay.study("equal-grades", campaign(judged=False))
    with pytest.raises(InputError, match="have one grade"):
        assay.study("equal-grades", campaign(), grades="100,", **SMALL)
    with pytest.raises(assay.ParameterError, match="--grades"):
        assay.study("equal-grades", campaign(), grades="1")
