"""The n-grams of a picture are those that the row counted."""

from __future__ import annotations

import random

import pytest

import assay
from assay.questions.explain import explain

WORDS = ["the", "cat", "sat", "on", "a", "mat", "0", "."]


def random_text(generator: random.Random) -> str:
    return " ".join(generator.choices(WORDS, k=generator.randrange(0, 12)))


def cases():
    generator = random.Random(7)
    for _ in range(60):
        references = [random_text(generator) for _ in range(generator.randrange(1, 4))]
        yield random_text(generator), references


def row_of(metric, translation, references):
    corpus = assay.Corpus(translations=[translation], references_by_segment=[references])
    statistics = metric.evaluate(corpus)
    return dict(zip(metric.columns, statistics.rows[0].tolist(), strict=True))


@pytest.mark.parametrize("metric", [assay.Bleu(), assay.ModBleu(order=2), assay.Bleu(tokenize="char")], ids=str)
def test_matches_of_bleu_add_up_to_its_row(metric):
    for translation, references in cases():
        row = row_of(metric, translation, references)
        for order in explain(metric, translation=translation, references=references).made[0].picture.orders:
            assert sum(match.matched for match in order.matches) == row[f"matches_{order.order}"]
            assert order.translation_total == row[f"totals_{order.order}"]


def test_information_of_nist_adds_up_to_its_row():
    for translation, references in cases():
        row = row_of(assay.Nist(), translation, references)
        for order in explain("nist", translation=translation, references=references).made[0].picture.orders:
            worth = sum(match.matched * match.weight for match in order.matches)
            assert worth == pytest.approx(row[f"information_{order.order}"], abs=1e-12)


@pytest.mark.parametrize("options", [{"word_order": 2}, {"whitespace": True}, {"tokenize": "13a"}], ids=str)
def test_matches_of_chrf_add_up_to_its_row(options):
    metric = assay.Chrf(**options)
    for translation, references in cases():
        row = row_of(metric, translation, references)
        for order in explain(metric, translation=translation, references=references).made[0].picture.orders:
            matched = sum(match.matched for match in order.matches)
            assert matched == row[f"matches_{order.unit}s_{order.order}"]


@pytest.mark.parametrize("name", ["precision", "recall", "f1", "fmean", "per"])
def test_matched_words_add_up_to_the_row(name):
    for translation, references in cases():
        row = row_of(assay.metric(name), translation, references)
        (order,) = explain(name, translation=translation, references=references).made[0].picture.orders
        assert sum(match.matched for match in order.matches) == row["matches"]
        assert order.reference_total == row["reference_length"]


def test_clipping_is_shown():
    # "the" stands seven times in the translation, twice in the reference: the lecture's 2/7.
    picture = (
        explain("bleu", translation="the the the the the the the", references=["the cat is on the mat"]).made[0].picture
    )
    (match,) = picture.orders[0].matches
    assert (match.translation_count, match.reference_count, match.matched) == (7, 2, 2)
