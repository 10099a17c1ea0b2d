"""Every metric against its slow and obvious twin, on few words so that clipping and ties really happen."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assay
from oracles import bleu as bleu_oracle
from oracles import chrf as chrf_oracle
from oracles import edits as edits_oracle
from oracles import nist as nist_oracle
from oracles import sacrebleu_ter as sacrebleu_ter_oracle
from oracles import ter as ter_oracle
from oracles import tokenizers
from oracles import unigrams as unigrams_oracle

words = st.lists(st.sampled_from(["a", "b", "c", "0", "the"]), max_size=9).map(" ".join)
segment = st.tuples(words, st.lists(words, min_size=1, max_size=3))
#: Segments with one to three references each, not all the same number.
corpora = st.lists(segment, min_size=1, max_size=4)
thorough = settings(max_examples=150)


def evaluate(metric: assay.Metric, segments) -> assay.Statistics:
    translations, references = zip(*segments, strict=True)
    return metric.evaluate(assay.Corpus(translations=translations, references_by_segment=references), threads=1)


def tokens(segments):
    return [(translation.split(), [one.split() for one in references]) for translation, references in segments]


@thorough
@given(
    segments=corpora,
    order=st.integers(1, 6),
    smoothing=st.sampled_from(["none", "floor", "add-k", "exp"]),
    value=st.sampled_from([None, 0.0, 0.5, 3.0]),
    effective_order=st.booleans(),
    reference_length=st.sampled_from(["closest", "shortest", "average"]),
    data=st.data(),
)
def test_bleu(*, segments, order, smoothing, value, effective_order, reference_length, data):
    value = value if smoothing in ("floor", "add-k") else None
    weights = data.draw(st.none() | st.lists(st.sampled_from([0.0, 0.5, 2.0]), min_size=order, max_size=order))
    weights = weights if weights and any(weights) else None
    metric = assay.Bleu(
        order=order,
        smoothing=smoothing,
        smoothing_value=value,
        effective_order=effective_order,
        reference_length=reference_length,
        weights=weights and tuple(weights),
        tokenize="none",
    )
    statistics = evaluate(metric, segments)
    options = {"weights": weights, "smoothing": smoothing, "value": value, "effective_order": effective_order}
    for row, one in zip(statistics.rows, tokens(segments), strict=True):
        counts = bleu_oracle.count([one], order, reference_length)
        assert row.tolist() == pytest.approx([counts.length, counts.reference, *counts.matches, *counts.totals])
        assert metric.score(row) == pytest.approx(bleu_oracle.bleu(counts, **options), abs=1e-9)
    counts = bleu_oracle.count(tokens(segments), order, reference_length)
    assert statistics.corpus_score() == pytest.approx(bleu_oracle.bleu(counts, **options), abs=1e-9)
    assert statistics.parts()["brevity_penalty"] == pytest.approx(bleu_oracle.brevity_penalty(counts))


@thorough
@given(segments=corpora, order=st.integers(1, 6), smoothing=st.sampled_from(["none", "exp"]))
def test_bleu_by_mtevals_convention(segments, order, smoothing):
    metric = assay.Bleu(order=order, smoothing=smoothing, convention="mteval", tokenize="none")
    statistics = evaluate(metric, segments)
    each = [bleu_oracle.mteval_bleu(bleu_oracle.count([one], order), smoothing) for one in tokens(segments)]
    assert statistics.segment_scores() == pytest.approx(each, abs=1e-9)
    whole = bleu_oracle.mteval_bleu(bleu_oracle.count(tokens(segments), order), smoothing)
    assert statistics.corpus_score() == pytest.approx(whole, abs=1e-9)


@thorough
@given(segments=corpora, order=st.integers(1, 6), brevity=st.booleans())
def test_modbleu(segments, order, brevity):
    statistics = evaluate(assay.ModBleu(order=order, brevity=brevity, tokenize="none"), segments)
    each = [bleu_oracle.modbleu(bleu_oracle.count([one], order), brevity) for one in tokens(segments)]
    assert statistics.segment_scores() == pytest.approx(each, abs=1e-9)
    whole = bleu_oracle.modbleu(bleu_oracle.count(tokens(segments), order), brevity)
    assert statistics.corpus_score() == pytest.approx(whole, abs=1e-9)


@thorough
@given(segments=corpora, order=st.integers(1, 6), zero_quirk=st.booleans())
def test_nist(segments, order, zero_quirk):
    statistics = evaluate(assay.Nist(order=order, zero_quirk=zero_quirk, tokenize="none"), segments)
    information = nist_oracle.Information(tokens(segments), order, zero_quirk)
    each = [nist_oracle.nist([one], information, order) for one in tokens(segments)]
    assert statistics.segment_scores() == pytest.approx(each, abs=1e-9)
    whole = nist_oracle.nist(tokens(segments), information, order)
    assert statistics.corpus_score() == pytest.approx(whole, abs=1e-9)


@thorough
@given(segments=corpora, order=st.integers(1, 6))
def test_nist_without_weights(segments, order):
    class Each(nist_oracle.Information):
        def of(self, ngram):
            return 1.0

    statistics = evaluate(assay.Nist(order=order, weights="none", tokenize="none"), segments)
    each = [nist_oracle.nist([one], Each([]), order) for one in tokens(segments)]
    assert statistics.segment_scores() == pytest.approx(each, abs=1e-9)
    whole = nist_oracle.nist(tokens(segments), Each([]), order)
    assert statistics.corpus_score() == pytest.approx(whole, abs=1e-9)


@thorough
@given(
    segments=corpora,
    char_order=st.integers(1, 7),
    word_order=st.integers(0, 3),
    beta=st.sampled_from([0.5, 1.0, 2.0, 3.0]),
    whitespace=st.booleans(),
    smoothing=st.booleans(),
)
def test_chrf(*, segments, char_order, word_order, beta, whitespace, smoothing):
    metric = assay.Chrf(
        char_order=char_order, word_order=word_order, beta=beta, whitespace=whitespace, smoothing=smoothing
    )
    statistics = evaluate(metric, segments)

    def units(text: str) -> chrf_oracle.Units:
        return (list(text) if whitespace else tokenizers.characters(text)), tokenizers.chrf_words(text)

    chosen = [
        chrf_oracle.best_row(
            [chrf_oracle.row(units(translation), units(one), char_order, word_order) for one in references],
            beta,
            smoothing,
        )
        for translation, references in segments
    ]
    assert statistics.rows.tolist() == [list(map(float, np.ravel(row))) for row in chosen]
    each = [chrf_oracle.score(row, beta, smoothing) for row in chosen]
    assert statistics.segment_scores() == pytest.approx(each, abs=1e-9)
    assert statistics.corpus_score() == pytest.approx(
        chrf_oracle.score(chrf_oracle.added(chosen), beta, smoothing), abs=1e-9
    )


@thorough
@given(
    segments=corpora,
    beam=st.integers(1, 5) | st.just(20),
    distance=st.integers(0, 5) | st.just(50),
    size=st.integers(0, 3) | st.just(10),
)
def test_ter(segments, beam, distance, size):
    statistics = evaluate(assay.Ter(beam=beam, shift_distance=distance, shift_size=size), segments)
    limits = ter_oracle.Limits(beam, distance, size)
    each = []
    for row, (translation, references) in zip(statistics.rows, tokens(segments), strict=True):
        index, result = ter_oracle.best(translation, references, limits)
        mean = sum(map(len, references)) / len(references)
        assert row.tolist() == [*result.row(), mean, len(references[index]), 0]
        each.append(100 * result.edits / mean if mean else 100.0 * (result.edits > 0))
    assert statistics.segment_scores() == pytest.approx(each)


@thorough
@given(
    words=st.lists(st.integers(0, 30), min_size=1, max_size=60),
    cuts=st.lists(st.integers(0, 60), max_size=6),
    other=st.lists(st.integers(0, 30), max_size=30),
    beam=st.integers(1, 20),
)
def test_ter_of_longer_texts_whose_blocks_moved(words, cuts, other, beam):
    reference = list(map(str, words))
    translation = reference + list(map(str, other))
    for cut in cuts:
        place = cut % len(translation)
        translation = translation[place : place + 7] + translation[:place] + translation[place + 7 :]
    [row] = evaluate(assay.Ter(beam=beam), [(" ".join(translation), [" ".join(reference)])]).rows
    result = ter_oracle.ter(translation, reference, ter_oracle.Limits(beam))
    assert row[:5].tolist() == result.row()


@thorough
@given(segments=corpora)
def test_ter_by_sacrebleus_convention(segments):
    statistics = evaluate(assay.Ter(convention="sacrebleu"), segments)
    each = []
    for row, (translation, references) in zip(statistics.rows, tokens(segments), strict=True):
        index, result = sacrebleu_ter_oracle.best(translation, references)
        mean = sum(map(len, references)) / len(references)
        assert row.tolist() == [*result.row(), mean, len(references[index]), 0]
        each.append(100 * (result.edits / mean) if mean else 100.0 * (result.edits > 0))
    assert statistics.segment_scores().tolist() == each


@settings(max_examples=60)
@given(
    words=st.lists(st.integers(0, 60), min_size=1, max_size=70),
    cuts=st.lists(st.integers(0, 70), max_size=5),
    front=st.lists(st.integers(0, 60), max_size=40),
    repeats=st.sampled_from([1, 1, 1, 2, 60]),
)
def test_ter_by_sacrebleus_convention_of_longer_texts(words, cuts, front, repeats):
    # Words in front push the cheapest way out of the band; a text many times as long makes the band wider.
    reference = list(map(str, words))
    translation = list(map(str, front)) + reference
    for cut in cuts:
        place = cut % len(translation)
        translation = translation[place : place + 7] + translation[:place] + translation[place + 7 :]
    reference = reference[:3] * repeats if repeats > 2 else reference * repeats
    for ours, theirs in ((translation, reference), (reference, translation[:4])):
        [row] = evaluate(assay.Ter(convention="sacrebleu"), [(" ".join(ours), [" ".join(theirs)])]).rows
        assert row[:5].tolist() == sacrebleu_ter_oracle.ter(ours, theirs).row()


@thorough
@given(segments=corpora)
def test_wer(segments):
    statistics = evaluate(assay.Wer(), segments)
    chosen = [edits_oracle.best_edits(references, translation) for translation, references in tokens(segments)]
    assert statistics.rows.tolist() == [list(map(float, row)) for row in chosen]
    assert statistics.segment_scores() == pytest.approx([100 * float(edits_oracle.rate(row)) for row in chosen])
    total = [sum(column) for column in zip(*chosen, strict=True)]
    assert statistics.corpus_score() == pytest.approx(100 * float(edits_oracle.rate(total)))


@thorough
@given(segments=corpora)
def test_cer(segments):
    statistics = evaluate(assay.Cer(), segments)
    chosen = [edits_oracle.best_edits(references, translation) for translation, references in segments]
    assert statistics.rows.tolist() == [list(map(float, row)) for row in chosen]


@thorough
@given(reference=st.text("ab", max_size=150), translation=st.text("ab", max_size=150))
def test_long_edits_cross_machine_words(reference, translation):
    [row] = evaluate(assay.Cer(), [(translation, [reference])]).rows
    assert tuple(row) == edits_oracle.edits(reference, translation)
    assert row[1:].sum() == edits_oracle.distances(reference, translation)[-1][-1]


@thorough
@given(segments=corpora, surplus=st.sampled_from(["segment", "corpus"]))
def test_per(segments, surplus):
    statistics = evaluate(assay.Per(surplus=surplus), segments)
    chosen = [unigrams_oracle.best_per(translation, references) for translation, references in tokens(segments)]
    assert statistics.rows[:, :3].tolist() == [list(map(float, row)) for row in chosen]
    assert statistics.segment_scores() == pytest.approx([100 * float(unigrams_oracle.per([row])) for row in chosen])
    assert statistics.corpus_score() == pytest.approx(100 * float(unigrams_oracle.per(chosen, surplus)))


@pytest.mark.parametrize(
    ("spelling", "recall_weight"),
    [
        ("precision", Fraction(0)),
        ("recall", Fraction(1)),
        ("f1", Fraction(1, 2)),
        ("fmean", Fraction(9, 10)),
        ("fmean(alpha=0.25)", Fraction(1, 4)),
    ],
)
@thorough
@given(segments=corpora)
def test_unigrams(spelling, recall_weight, segments):
    statistics = evaluate(assay.metric(spelling), segments)
    rows = [tuple(map(int, row)) for row in statistics.rows]
    for row, (translation, references) in zip(rows, tokens(segments), strict=True):
        assert row == unigrams_oracle.best(translation, references, recall_weight)
    each = [100 * float(unigrams_oracle.fmean(row, recall_weight)) for row in rows]
    assert statistics.segment_scores() == pytest.approx(each)
    total = tuple(sum(column) for column in zip(*rows, strict=True))
    assert statistics.corpus_score() == pytest.approx(100 * float(unigrams_oracle.fmean(total, recall_weight)))
