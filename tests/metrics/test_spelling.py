"""Metrics as text: what is typed is what is printed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.metrics.options import read, spell, split_list
from assay.metrics.registry import metrics

#: All that can be typed without an option.
NAMES = [name for name in assay.metric_names() if name not in ("predictor", "combination", "scores")]


@pytest.mark.parametrize(
    "spelling",
    [
        *NAMES,
        "bleu(order=2)",
        "bleu(smoothing=none)",
        "bleu(tokenize=none)",
        "bleu(tokenize=intl:split-non-ascii,lowercase=ascii)",
        "bleu(order=2,weights=[0.7,0.3])",
        "bleu(smoothing=add-k,smoothing_value=0.5)",
        "bleu(convention=mteval,reference_length=shortest)",
        "bleu(normalize=nfkc,lowercase=true,remove_punctuation=true,stem=german)",
        "bleu(tokenize=meteor:de+no-punctuation)",
        'bleu(tokenize="spm:my model.spm")',
        "modbleu(brevity=false)",
        "nist(order=3,zero_quirk=false)",
        "chrf(word_order=2,beta=1.5,whitespace=true,smoothing=true)",
        "chrf(beta=1e-05)",
        "per(surplus=corpus)",
        "fmean(alpha=0.25)",
    ],
)
def test_a_metric_prints_as_it_was_typed(spelling):
    metric = assay.metric(spelling)
    assert assay.metric(str(metric)) == metric
    assert hash(assay.metric(str(metric))) == hash(metric)
    assert sorted(read(str(metric))[1].items(), key=str) == sorted(read(spelling)[1].items(), key=str)


@pytest.mark.parametrize("name", NAMES)
def test_all_fields_spelled_out_give_the_same_metric(name):
    metric = assay.metric(name)
    assert assay.metric(spell(metric, all_fields=True)) == metric


def test_defaults_are_not_printed():
    assert str(assay.metric("bleu(order=4,smoothing=exp,tokenize=13a,stem=none)")) == "bleu"
    assert str(assay.metric("chrf(beta=2.0)")) == "chrf"


def test_options_may_come_as_arguments():
    assert assay.metric("bleu", order=2) == assay.metric("bleu(order=2)") == assay.Bleu(order=2)


def test_hyphens_and_spaces_are_forgiven():
    assert assay.metric(" bleu( effective-order = true , order=2 ) ") == assay.Bleu(effective_order=True, order=2)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_any_path_survives_printing(path):
    metric = assay.Bleu(tokenize=f"spm:{path}")
    assert assay.metric(str(metric)) == metric


@given(st.floats(min_value=1e-9, max_value=1e6))
def test_any_number_survives_printing(beta):
    assert assay.metric(str(assay.Chrf(beta=beta))).beta == beta


def test_a_list_is_cut_outside_of_brackets():
    assert split_list("bleu,chrf(word_order=2,beta=3), bleu(weights=[1,2],order=2)") == [
        "bleu",
        "chrf(word_order=2,beta=3)",
        "bleu(weights=[1,2],order=2)",
    ]
    assert [str(metric) for metric in metrics("bleu,wer")] == ["bleu", "wer"]


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("", "Cannot read the metric ''"),
        ("bleu(order=2", "Cannot read the metric"),
        ("bleu(order)", "Options are written option=value"),
        ("bleu(order=2,order=3)", "gives order twice"),
        ("bleu(tokenize=a b)", "Put it in quotes"),
    ],
)
def test_what_cannot_be_read_is_refused(spelling, message):
    with pytest.raises(assay.ParameterError, match=message):
        assay.metric(spelling)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("blue", "There is no metric 'blue'. Did you mean 'bleu'"),
        ("bleu(smothing=exp)", "There is no option of bleu 'smothing'. Did you mean 'smoothing'"),
        ("bleu(tokenize=13b)", "There is no tokenizer '13b'. Did you mean '13a'"),
        ("bleu(stem=englsh)", "There is no stemmer 'englsh'. Did you mean 'english'"),
        ("bleu(normalize=nfd)", "There is no normal form 'nfd'. Did you mean 'nfc'"),
        ("bleu(tokenize=none:asci)", "There is no option of tokenizer none 'asci'. Did you mean 'ascii'"),
        ("bleu(tokenize=meteor:ru+no-punct)", "There is no option of tokenizer meteor 'no-punct'"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest_one(spelling, message):
    with pytest.raises(assay.UnknownName, match=message.replace("(", r"\(")):
        assay.metric(spelling)


def test_an_option_given_twice_is_refused():
    with pytest.raises(assay.ParameterError, match="order given twice"):
        assay.metric("bleu(order=2)", order=3)


def test_a_metric_asked_for_twice_is_refused():
    with pytest.raises(assay.ParameterError, match="Asked for twice: bleu"):
        metrics("bleu,wer,bleu(order=4)")


def test_a_changed_metric_prints_as_what_it_is_now():
    plain = assay.metric("bleu")
    assert str(plain) == "bleu"
    assert str(replace(plain, order=2)) == "bleu(order=2)"
    assert plain == assay.metric("bleu")


def test_quotes_may_hold_nothing():
    assert read("predictor(path=\"\",other='')") == ("predictor", {"path": "", "other": ""})
