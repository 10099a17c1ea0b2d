"""Intervals of documents and domains: what is drawn within them, and by which rule."""

import numpy as np
import pytest
from scipy import stats

import assay
from assay.demo import CAMPAIGN
from assay.significance.draws import bootstrap_counts, named, numbered

SAMPLES = 400


def interval_of(keys, errors, words):
    """The rule of docs/concepts/intervals.md in plain steps, for an error rate: errors and words of each unit.

    Student's t is exact here; Assay's is right to a per cent, which moves an end by less than 0.2.
    """
    counts = np.concatenate(list(bootstrap_counts(keys, SAMPLES, seed=1)))
    drawn = counts.any(axis=1)
    scores = 100 * (counts[drawn] @ errors) / (counts[drawn] @ words)
    without = 100 * (errors.sum() - errors) / (words.sum() - words)
    units, kurtosis = len(keys), stats.kurtosis(without, fisher=False)
    freedom = max(min(2 * units / (kurtosis - 1), units - 1), 3)
    tail = stats.norm.cdf(stats.t.ppf(0.025, freedom) * np.sqrt(units / (units - 1)))
    # The k-th of n sorted values stands at k/(n+1), which numpy calls Weibull's.
    return np.quantile(scores, [tail, 1 - tail], method="weibull")


@pytest.fixture(scope="module")
def wer():
    """Errors and words of each segment of one system of the demonstration, and its document."""
    campaign = assay.read(CAMPAIGN)
    statistics = assay.metric("wer").evaluate(campaign.corpus("gravel"))
    hits, substitutions, deletions, insertions = statistics.rows.T
    errors, words = substitutions + deletions + insertions, hits + substitutions + deletions
    return errors, words, np.array(campaign.documents)


def test_a_document_draws_its_segments(wer):
    errors, words, documents = wer
    rows = assay.score(CAMPAIGN, "wer", systems="gravel", documents=True, samples=SAMPLES).table("documents")
    assert [row["document"] for row in rows] == list(dict.fromkeys(documents))
    for row in rows:
        here = documents == row["document"]
        low, high = interval_of(numbered(60)[here], errors[here], words[here])
        assert (row["low"], row["high"]) == (pytest.approx(low, abs=0.2), pytest.approx(high, abs=0.2))
        assert row["low"] < row["score"] < row["high"]


def test_a_domain_draws_its_documents_where_they_are_known(wer):
    errors, words, documents = wer
    campaign = assay.read(CAMPAIGN)
    # Two domains: one of five documents, one of the other three, which are too few.
    names = list(dict.fromkeys(documents))
    labels = ["large" if document in names[:5] else "small" for document in documents]
    changed = assay.Campaign(
        "changed",
        {"gravel": campaign.systems["gravel"]},
        campaign.references,
        documents=tuple(documents.tolist()),
        domains=tuple(labels),
    )
    result = assay.score(changed, "wer", domains=True, samples=SAMPLES)
    large, small = result.table("domains")
    sums = [[column[documents == name].sum() for name in names[:5]] for column in (errors, words)]
    low, high = interval_of(named(names[:5]), *map(np.array, sums))
    assert (large["low"], large["high"]) == (pytest.approx(low, abs=0.2), pytest.approx(high, abs=0.2))
    assert (small["low"], small["high"]) == (None, None)
    assert "Intervals of domains draw the documents of each (5 to 5); 1 of 2 have fewer than 5" in str(result)
    # Without documents, or where it is asked for, segments are drawn.
    alone = assay.score(changed, "wer", domains=True, samples=SAMPLES, unit="segment")
    here = np.array(labels) == "small"
    low, high = interval_of(numbered(60)[here], errors[here], words[here])
    small = alone.table("domains")[1]
    assert (small["low"], small["high"]) == (pytest.approx(low, abs=0.2), pytest.approx(high, abs=0.2))
    assert "Intervals of domains draw the segments of each" in str(alone)


@pytest.mark.parametrize("metric", ["bleu", "ter", "nist"])
def test_a_part_has_the_interval_that_it_has_when_it_is_chosen_alone(metric):
    options = {"samples": SAMPLES, "systems": "compass"}
    whole = assay.score(CAMPAIGN, metric, documents=True, domains=True, unit="segment", **options)
    for level, name in (("document", "cat-story"), ("document", "plum-cake"), ("domain", "news")):
        alone = assay.score(CAMPAIGN, metric, where=f"{level}={name}", unit="segment", **options)
        row = whole.of(name, table=f"{level}s")
        assert row.score == pytest.approx(alone.of("compass").score)
        assert row.interval == pytest.approx(alone.of("compass").interval)


def test_fewer_than_five_segments_have_no_interval_and_that_is_said():
    campaign = assay.read(CAMPAIGN)
    places = [0, 1, 2, 3, 8, 9, 10, 11, 12]
    texts = [[column[place] for place in places] for column in (campaign.systems["compass"], campaign.references["A"])]
    small = assay.Campaign("small", {"s": texts[0]}, {"A": texts[1]}, documents=["four"] * 4 + ["five"] * 5)
    result = assay.score(small, "chrf", documents=True, samples=SAMPLES)
    four, five = result.table("documents")
    assert (four["low"], four["high"]) == (None, None)
    assert five["low"] < five["score"] < five["high"]
    assert (
        "Intervals of documents draw the segments of each (5 to 5), taken as independent; 1 of 2 have fewer than 5, "
        "too few for one. Of as few as 5, 95 % intervals held the truth in only 81 to 98 of 100 simulated test sets."
    ) in str(result)


def test_without_samples_parts_have_no_interval_and_nothing_is_said_of_them():
    result = assay.score(CAMPAIGN, "chrf", documents=True, domains=True, samples=0)
    assert {(row["low"], row["high"]) for row in result.table("documents") + result.table("domains")} == {(None, None)}
    assert "interval" not in str(result).lower()


def test_the_bar_goes_up_while_parts_are_drawn():
    shares = []
    asked = assay.score(CAMPAIGN, "chrf", documents=True, domains=True, samples=50, progress=shares.append)
    assert asked.table("documents")
    assert shares == sorted(shares)
