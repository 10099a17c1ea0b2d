"""The n-grams of a picture are those that the row counted."""

from __future__ import annotations

import random
from collections import Counter
from math import exp, inf

import pytest

import assay
from assay.questions.explain import explain
from oracles import blanc

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


TEXTS = ("the cat sat on the mat and the dog", "the black cat and the dog sat on a mat")


@pytest.mark.parametrize(
    "spelling", ["blanc", "blanc(gap=3,decay=1)", "blanc(order=2)", "blanc(order=1)", "blanc(gap=0)"]
)
def test_blanc_shows_the_skip_ngrams_that_it_counts(spelling):
    found = assay.explain(spelling, translation=TEXTS[0], references=[TEXTS[1]])
    metric, ours, theirs = assay.metric(spelling), TEXTS[0].split(), TEXTS[1].split()
    parts = {row["part"]: row["value"] for row in found.table("parts")}
    for size in range(1, metric.order + 1):
        shown = [row for row in found.table("ngrams") if row["order"] == size]
        # Written out, bucket by bucket: each skip-n-gram at most as often as both texts have it within the gap.
        ends = [inf if last is None else last for _, last in metric.buckets] if size > 1 else [0]
        within = [blanc.skip_ngrams(ours, size, end) & blanc.skip_ngrams(theirs, size, end) for end in ends]
        added = [now - before for before, now in zip([Counter(), *within], within, strict=False)]
        expected = Counter(
            {(" ".join(ngram), number): count for number, new in enumerate(added) for ngram, count in new.items()}
        )
        got = Counter()
        for row in shown:
            place = 0 if size == 1 else [_name(bucket) for bucket in metric.buckets].index(row["gap"])
            got[row["ngram"], place] += row["matched"]
        assert got == expected
        # Matches times what each is worth, by what all of the translation's are worth, are the precision.
        total = sum(
            count * weight for count, weight in zip(_new(ours, size, ends), _weights(metric, size), strict=True)
        )
        assert 100 * sum(row["matched"] * row["weight"] for row in shown) / total == pytest.approx(
            parts[f"precision_{size}"]
        )


def _name(bucket):
    first, last = bucket
    return f"{first}+" if last is None else str(first) if first == last else f"{first}-{last}"


def _new(words, size, ends):
    totals = [blanc.skip_ngrams(words, size, end).total() for end in ends]
    return [now - before for before, now in zip([0, *totals], totals, strict=False)]


def _weights(metric, size):
    return (
        [exp(-metric.decay * (32 if last is None else first)) for first, last in metric.buckets] if size > 1 else [1.0]
    )


def test_skip_ngrams_are_named_with_what_they_skip_and_count():
    # "a c" skips one word in the translation: it counts exp(-0.5) = 0.61, of 1 + 1 + 0.61 and of 1.
    found = assay.explain("blanc(order=2)", translation="a b c", references=["a c"])
    assert "skip-2-gram" in str(found)
    assert "0.61 of 2.61 (23.3 %), of 1.00 there" in str(found)
    assert "1 of 3 skip-2-grams count, by their gaps" in str(found)
    assert "a c (skips 1)" in str(found)
    assert "longest match  2  ·  2" in str(found)
    assert "a c (skips 1)" in found.chart().svg()
    assert "skip-2-gram" in found.chart().svg()


def test_skip_ngrams_that_are_too_many_to_list_are_counted():
    words = " ".join(f"w{number}" for number in range(60))
    found = assay.explain("blanc", translation=words, references=[words])
    # 60 choose 4 is 487,635, all of which count.
    assert "487,635 of 487,635 skip-4-grams count" in str(found)
    listed = sum(row["matched"] for row in found.table("ngrams") if row["order"] == 4)
    assert 0 < listed < 50_000
