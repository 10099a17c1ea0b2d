"""N-grams that pull a metric away from people: one that was planted is found, and where none was, none."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import assay
from assay import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.errors import AssayWarning, InputError
from assay.questions.studies.misleading_ngrams import Compared, _tested
from studies.judged_campaign import campaign

WORDS = [f"w{number}" for number in range(30)]


def made(seed, *, planted=0.0, segments=150, systems=6, noise=0.6):
    """People see how many words are right, and think less by ``planted`` where "w0" is among them; metrics see words.

    Each reference has twelve words; a system gets some of them right, and puts others in their place.
    """
    generator = np.random.default_rng(seed)
    references = [[WORDS[place] for place in generator.integers(len(WORDS), size=12)] for _ in range(segments)]
    texts: dict[str, list[str]] = {f"s{number}": [] for number in range(systems)}
    rows = []
    for number, (name, lines) in enumerate(texts.items()):
        for segment, line in enumerate(references):
            kept = generator.random(len(line)) < 0.8 - 0.08 * number
            lines.append(" ".join(word if there else "x" for word, there in zip(line, kept, strict=True)))
            right = sum(kept)
            misled = sum(there and word == "w0" for word, there in zip(line, kept, strict=True))
            score = right - planted * misled + noise * generator.normal()
            rows.append(Judgement(system=name, segment=segment, rater="a", score=float(score), kind="adequacy"))
    documents = tuple(f"d{segment // 3}" for segment in range(segments))
    hands = {"r": [" ".join(line) for line in references]}
    whole = Campaign(name="made", systems=texts, references=hands, documents=documents)
    return whole.with_judgements(Judgements.of(rows, "inline"))


def test_a_planted_ngram_is_found_and_comes_first():
    result = assay.study("misleading-ngrams", made(1, planted=2.0), metrics="precision", least=10)
    first = result.table()[0]
    assert (first["ngram"], first["direction"], first["found"]) == ("w0", "above people", True)
    assert first["low"] > 0
    assert any(finding.startswith("precision is pulled above people by “w0”") for finding in result.findings)


def test_examples_are_those_in_which_metric_and_people_are_furthest_apart():
    whole = made(1, planted=2.0)
    result = assay.study("misleading-ngrams", whole, metrics="precision", least=10, rate=0.1)
    systems = list(whole.systems)
    people, metric = np.zeros((2, len(systems), len(whole)))
    for one in whole.judgements:
        people[systems.index(one.system), one.segment] = one.score
    for place, name in enumerate(systems):
        metric[place] = assay.metric("precision").evaluate(whole.corpus(name)).segment_scores()
    known = (people.std(axis=0) > 1e-9) & (metric.std(axis=0) > 1e-9)
    people, metric = ((scores - scores.mean(axis=0)) / scores.std(axis=0) for scores in (people, metric))
    matching = [
        (float(metric[place, segment] - people[place, segment]), name, str(segment))
        for place, (name, lines) in enumerate(whole.systems.items())
        for segment, line in enumerate(lines)
        if known[segment] and "w0" in line.split() and "w0" in whole.references["r"][segment].split()
    ]
    examples = [row for row in result.table("examples") if row["ngram"] == "w0"]
    for row, (apart, name, segment) in zip(examples, sorted(matching, reverse=True), strict=False):
        assert (row["system"], row["segment"]) == (name, segment)
        assert row["metric_z"] - row["people_z"] == pytest.approx(apart)
        assert "[w0]" in row["text"]
    assert len(examples) == 2
    said = " ".join(result.findings)
    assert f"over {6 * known.sum()} translations of {known.sum()} segments." in said
    values = [row["p"] for row in result.table("ngrams")]
    # At a rate of 10 % one finding in ten is chance; of all tests one in twenty has p of 0.05 or less.
    looking = sum(p <= 0.05 for p in values)
    assert f" {looking} have p ≤ 0.05, where {len(values) / 20:.1f} would by chance" in said
    assert "of such findings about 1 in 10 is chance." in said


def test_a_planted_ngram_that_people_like_pulls_the_other_way():
    first = assay.study("misleading-ngrams", made(2, planted=-2.0), metrics="precision", least=10).table()[0]
    assert (first["ngram"], first["direction"], first["found"]) == ("w0", "below people", True)
    assert first["high"] < 0


def test_where_none_misleads_none_is_found():
    # At a rate of 5 % one campaign in twenty may find something: of 40 more than 6 would in 1 of 100 tries.
    found = [
        any(row["found"] for row in assay.study("misleading-ngrams", made(seed), metrics="precision", least=5).table())
        for seed in range(40)
    ]
    assert sum(found) <= 6


def test_p_values_are_even_where_none_misleads():
    tests = [
        row["p"]
        for seed in range(12)
        for row in assay.study("misleading-ngrams", made(seed), metrics="precision", least=5).table("ngrams")
    ]
    assert len(tests) > 300
    # Of 360 p-values 18 would be below 0.05; words share cells, so the bounds are wide.
    assert 0.02 < np.mean(np.array(tests) <= 0.05) < 0.09
    assert 0.4 < np.mean(np.array(tests) <= 0.5) < 0.6


def left_over(values, columns):
    """What least squares leave of values."""
    return values - columns @ np.linalg.lstsq(columns, values, rcond=None)[0]


def test_residuals_are_those_of_a_regression_on_the_metric_systems_and_segments():
    generator = np.random.default_rng(5)
    human, metric = generator.normal(size=(2, 5, 20)) + np.arange(5)[:, None]
    human[2, 3] = np.nan
    compared = Compared.of(metric, human)
    cells = np.isfinite(human)
    assert (compared.cells == cells).all()
    z = {}
    for name, values in (("human", human), ("metric", metric)):
        known = np.where(cells, values, np.nan)
        z[name] = (known - np.nanmean(known, axis=0)) / np.nanstd(known, axis=0)
    assert np.allclose(compared.metric[cells], z["metric"][cells])
    system, segment = np.nonzero(cells)
    dummies = np.column_stack([z["metric"][cells], np.eye(5)[system], np.eye(20)[segment][:, 1:]])
    residual = left_over(z["human"][cells], dummies)
    assert np.allclose(compared.residual[cells], residual, atol=1e-7)
    partial = [left_over(z[name][cells], dummies[:, 1:]) for name in ("human", "metric")]
    assert compared.correlation == pytest.approx(np.corrcoef(partial)[0, 1], abs=1e-7)
    # Nobody tells systems apart in one segment, and the metric in another.
    human[:, 7], metric[:, 9] = 1.0, 0.3
    assert (compared.segments, Compared.of(metric, human).segments) == (20, 18)


def test_a_row_is_students_t_over_units():
    generator = np.random.default_rng(6)
    human, metric = generator.normal(size=(2, 4, 30))
    compared = Compared.of(metric, human)
    counts = generator.integers(0, 3, size=(4, 30)).astype(float)
    cells = np.flatnonzero(counts.ravel())
    units = np.arange(30) // 3
    (row,) = _tested({("of", "the"): (cells, counts.ravel()[cells])}, compared, units, 5)
    # Matches less their means in segments, times residuals, summed over each unit.
    apart = counts - counts.mean(axis=0)
    differs = apart.any(axis=0)
    sums = (apart * compared.residual).sum(axis=0)
    by_unit = np.array([sums[(units == unit) & differs].sum() for unit in range(10) if differs[units == unit].any()])
    tested = stats.ttest_1samp(by_unit, 0.0)
    assert row["p"] == pytest.approx(tested.pvalue)
    assert row["pull"] == pytest.approx(-by_unit.sum() / (apart**2).sum())
    ends = tested.confidence_interval(0.95)
    scale = len(by_unit) / (apart**2).sum()
    assert (row["low"], row["high"]) == pytest.approx((-ends.high * scale, -ends.low * scale))
    assert (row["matches"], row["translations"]) == (int(counts.sum()), int((counts > 0).sum()))
    assert (row["segments"], row["units"]) == (int(differs.sum()), len(by_unit))


def test_matches_are_clipped_by_the_reference_that_has_most():
    texts = {"a": ["the the the cat"] * 6, "b": ["a dog the"] * 6, "c": ["cat cat"] * 6}
    hands = {"r": ["the cat the"] * 6, "q": ["the dog"] * 6}
    generator = np.random.default_rng(1)
    rows = [
        Judgement(system=name, segment=segment, rater="a", score=float(generator.normal()), kind="k")
        for name in texts
        for segment in range(6)
    ]
    whole = Campaign(name="t", systems=texts, references=hands).with_judgements(Judgements.of(rows, "inline"))
    rows = assay.study("misleading-ngrams", whole, metrics="bleu", least=5).table("ngrams")
    kept = {row["ngram"]: row["matches"] for row in rows}
    # "the": two in a and one in b, in each of six segments; "cat": one in a and one in c. r has "the cat", as a does.
    assert (kept["the"], kept["cat"], kept["the cat"]) == (18, 12, 6)


def test_ngrams_that_match_in_the_same_translations_are_one_test():
    whole = made(3)
    texts = {name: [line.replace("w1 ", "w1 w1b ") for line in lines] for name, lines in whole.systems.items()}
    hands = {"r": [line.replace("w1 ", "w1 w1b ") for line in whole.references["r"]]}
    doubled = Campaign(name="t", systems=texts, references=hands, documents=whole.documents)
    doubled = doubled.with_judgements(whole.judgements)
    rows = assay.study("misleading-ngrams", doubled, metrics="bleu", least=10).table("ngrams")
    alike = next(row for row in rows if "w1b" in row["ngram"].split())
    assert alike["ngram"] == "w1 w1b"
    assert "w1b" in alike["also"].split(", ")
    assert len({row["ngram"] for row in rows}) == len(rows)


def test_the_correction_is_that_of_benjamini_and_hochberg():
    rows = assay.study("misleading-ngrams", made(1, planted=1.0), metrics="precision", least=10).table("ngrams")
    corrected = stats.false_discovery_control([row["p"] for row in rows])
    assert [row["q"] for row in rows] == pytest.approx(corrected.tolist())
    assert all(row["found"] == (row["q"] <= 0.05) for row in rows)


def test_metrics_that_count_no_ngrams_are_named():
    with pytest.raises(InputError, match="ter, chrf do not"):
        assay.study("misleading-ngrams", campaign(), metrics=("ter", "chrf"))
    with pytest.warns(AssayWarning, match="do not count n-grams of words: ter"):
        assay.study("misleading-ngrams", campaign(), metrics=("ter", "bleu"), least=2)


def test_too_few_documents_are_refused():
    few = replace(campaign(segments=8), documents=tuple("aabbccdd"))
    with pytest.raises(InputError, match="takes 5, and small has 4 documents"):
        assay.study("misleading-ngrams", few)


def test_what_nobody_tells_apart_is_said():
    whole = campaign()
    rows = [replace(one, score=1.0) for one in whole.judgements]
    tied = whole.with_judgements(Judgements.of(rows, "inline"))
    with pytest.raises(InputError, match="no segment has 3 systems that both people and metric tell apart"):
        assay.study("misleading-ngrams", tied)


def test_where_all_ngrams_are_rare_a_smaller_number_is_named():
    with pytest.raises(InputError, match="between systems in 20 segments and 5 documents"):
        assay.study("misleading-ngrams", campaign())


def test_the_figure_has_a_line_for_each_ngram_that_is_shown():
    result = assay.study("misleading-ngrams", made(1, planted=2.0), metrics="precision", least=10, most=4)
    assert len(result.table()) == 4
    names = Counter(
        row["name"]
        for panel in result.chart().data["vconcat"][1]["hconcat"]
        for layer in panel["layer"]
        if layer["mark"]["type"] == "point"
        for row in layer["data"]["values"]
    )
    assert names == Counter(row["ngram"] for row in result.table())
    # There may be fewer than could be shown.
    assert "the n-grams that stand out most, 4 at most" in " ".join(result.chart().data["title"]["subtitle"])
