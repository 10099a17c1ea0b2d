"""Approximate randomisation and bootstrap beside sacreBLEU's, on systems that differ."""

from __future__ import annotations

import random

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.significance.draws import weighted_sums

significance = pytest.importorskip("sacrebleu.significance")
metrics = pytest.importorskip("sacrebleu.metrics")

SEGMENTS, SAMPLES = 200, 4000
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "table", "and", "then", "it", "slept", "."]


def noisy(lines, share, seed):
    generator = random.Random(seed)
    return [
        " ".join(generator.choice(WORDS) if generator.random() < share else word for word in line.split())
        for line in lines
    ]


@pytest.fixture(scope="module")
def texts():
    generator = random.Random(1)
    reference = [" ".join(generator.choices(WORDS, k=generator.randrange(5, 20))) for _ in range(SEGMENTS)]
    systems = {"base": noisy(reference, 0.4, 1), "close": noisy(reference, 0.385, 2), "far": noisy(reference, 0.3, 3)}
    return reference, systems


@pytest.fixture(scope="module")
def theirs(texts):
    reference, systems = texts
    test = significance.PairedTest(
        list(systems.items()),
        {"BLEU": metrics.BLEU(), "chrF2": metrics.CHRF()},
        [reference],
        test_type="ar",
        n_samples=SAMPLES,
    )
    return test()[1]


@pytest.mark.parametrize(("name", "their_name"), [("bleu", "BLEU"), ("chrf", "chrF2")])
def test_p_values_of_randomisation_agree(texts, theirs, name, their_name):
    reference, systems = texts
    found = assay.compare(Campaign("peers", systems, {"A": reference}), name, baseline="base", permutations=SAMPLES)
    for index, system in enumerate(systems):
        result = theirs[their_name][index]
        assert found.of(name, system=system, table="scores").score == pytest.approx(result.score, abs=1e-9)
        if system == "base":
            continue
        p = found.of(name, a=system, b="base").p
        # Both are shares of so many draws: four standard errors of their difference.
        error = 4 * np.sqrt(2 * max(p * (1 - p), 1 / SAMPLES) / SAMPLES)
        assert p == pytest.approx(result.p_value, abs=error)


def test_bootstrap_means_agree_under_the_same_draws(texts, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    reference, systems = texts
    test = significance.PairedTest(
        list(systems.items()), {"BLEU": metrics.BLEU()}, [reference], test_type="bs", n_samples=500
    )
    results = test()[1]["BLEU"]
    drawn = np.random.default_rng(12345).choice(SEGMENTS, size=(500, SEGMENTS), replace=True)
    counts = np.stack([np.bincount(row, minlength=SEGMENTS) for row in drawn]).astype(float)
    bleu = assay.Bleu()
    for result, lines in list(zip(results, systems.values(), strict=True))[1:]:
        rows = bleu.evaluate(assay.Corpus(translations=lines, references=[reference])).rows
        (sums,) = weighted_sums([rows], [counts], 500)
        # sacreBLEU adds up in single precision; its own formula on our sums says the same to the last digits.
        assert float(bleu.score(sums).mean()) == pytest.approx(result.mean, abs=1e-6)
        formula = [metrics.BLEU()._compute_score_from_stats(row.tolist()).score for row in sums]
        assert float(bleu.score(sums).mean()) == pytest.approx(float(np.mean(formula)), abs=1e-9)


def test_two_copies_are_equal_here(texts):
    # sacreBLEU counts only larger differences, and finds copies of one file significantly different.
    reference, systems = texts
    copies = {"one": systems["base"], "other": systems["base"]}
    assert (
        assay.compare(Campaign("copies", copies, {"A": reference}), "bleu", permutations=200).of("one", "other").p
        == 1.0
    )
