"""Wrong calls of every public function and class: a third of them each time; ``make fuzz`` tries more."""

import inspect
from collections.abc import Iterator

import numpy as np
import pytest

import assay
from fuzz.calls import CAMPAIGN, CORPUS, WRONG, calls, try_one, wrong_calls
from fuzz.outcomes import Outcomes

#: What nobody calls: errors, and what answers and metrics are made of, which people read and do not make.
NOT_CALLED = {
    "AssayError", "AssayWarning", "InputError", "MissingExtra", "ParameterError", "UnknownName", "__version__",
    "Batch", "Candidates", "Column", "Figure", "Interval", "Sequences", "View", "metric_names", "option",
    "BestReference", "Question", "Study", "Statistic", "Run",
}  # fmt: skip
STATISTICS = assay.metric("f1").evaluate(CORPUS)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """Where nothing of what is named exists."""
    monkeypatch.chdir(tmp_path)


def test_every_public_name_is_called(tmp_path):
    called = {call.name.partition(".")[0] for call in calls(tmp_path)}
    assert called == set(assay.__all__) - NOT_CALLED


def test_a_wrong_call_is_refused_by_the_name_of_its_argument(tmp_path):
    outcomes = Outcomes("wrong calls")
    for call in calls(tmp_path):
        for number, (parameter, arguments) in enumerate(wrong_calls(call)):
            if (number + number // len(WRONG)) % 3 == 0:
                try_one(call, parameter, arguments, outcomes)
    assert not outcomes.escaped, str(outcomes)
    assert outcomes.tried > 6000
    assert outcomes.refused > outcomes.taken


@pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")
def test_the_calls_that_are_made_wrong_are_right(tmp_path):
    for call in calls(tmp_path):
        if call.name != "register_statistic":
            call.function(**call.arguments)


SMALL = {"systems": {"s": ["a"]}, "references": {"r": ["a"]}}
SAID = [
    (lambda: assay.score(CAMPAIGN, None), "No metric was named"),
    (lambda: assay.score(CAMPAIGN, assay.Bleu), "names no metrics. They are named 'bleu,chrf', or"),
    (lambda: assay.score("bleu", CAMPAIGN), r"takes the campaign first: score\(campaign, metrics\)"),
    (lambda: assay.score(CAMPAIGN, "f1", seed=None), "seed is None, but it takes a whole number"),
    (lambda: assay.score(CAMPAIGN, "f1", samples=True), "samples is True, but it takes a whole number"),
    (lambda: assay.score(CAMPAIGN, "f1", progress="yes"), "progress is 'yes', but it takes a function"),
    (lambda: assay.metric("f1").evaluate(CORPUS, threads=2.0), "threads is 2.0, but it takes a whole number from 1 to"),
    (lambda: assay.combine(CAMPAIGN, "f1", scores="a.tsv"), "scores is 'a.tsv', but it takes a list, each an External"),
    (lambda: assay.meta_evaluate(CAMPAIGN, "f1", scores=2.5), "scores is 2.5, but it takes FILE"),
    (lambda: assay.meta_evaluate(CAMPAIGN, "f1", kind="da", levels=[]), "No levels were named"),
    (lambda: assay.learn(CAMPAIGN, left_out="no"), "left_out is 'no', but it takes true or false"),
    (lambda: assay.read(None), "read: path is None, but it takes a word or a Path"),
    (lambda: assay.predict(CAMPAIGN, 5), "model is 5, but it takes a word or a Path or a QualityModel"),
    (lambda: assay.tune(CAMPAIGN, assay.Fmean), "metric is .*Fmean.*, but it takes a Metric"),
    (lambda: assay.validate("x", campaign=1), "campaign is 1, but it takes CAMPAIGN"),
    (lambda: assay.Campaign("x", **SMALL, documents="a"), "documents is 'a', but it takes a list"),
    (lambda: assay.Campaign("x", ["a"], {}), r"systems is \['a'\], but it takes a dictionary"),
    (lambda: assay.score(assay.Campaign("x", {"s": []}, {"r": []}), "f1"), "x has no segments, so there is nothing"),
    (lambda: CAMPAIGN.choose(systems=3), "systems is 3, but it takes a list, each a word or a word or none"),
    (lambda: assay.explain("f1", translation="a", references=["a"], reference_names=["x", "x"]), "1 different names"),
    (lambda: STATISTICS.interval(samples=0), "samples is 0, .* but it takes 1 to 1,000,000 samples"),
    (lambda: CAMPAIGN.judgements.of_systems(np.array([1.0])), "is no judged system, and no list of names"),
]


@pytest.mark.parametrize(("call", "message"), SAID)
def test_what_is_said_names_the_argument_and_what_was_meant(call, message):
    with pytest.raises((assay.AssayError, TypeError), match=message):
        call()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"segment": 1.7}, "the segment is 1.7, but it takes a whole number or none"),
        ({"segment": -60}, "the segment is -60, but it takes a whole number from 0 on, or none"),
        ({"segment": True}, "the segment is True"),
        ({"score": "5"}, "the score is '5', but it takes a finite number"),
        ({"system": None}, "the system is None, but it takes a word"),
        ({"rater": 3}, "the rater is 3, but it takes a word or none"),
    ],
)
def test_judgements_are_made_of_what_they_say(changed, message):
    row = {"system": "A", "segment": 0, "score": 1.0, "kind": "da"}
    with pytest.raises(assay.InputError, match=f"x, judgement 2: {message}"):
        assay.Judgements.of([assay.Judgement(**row), assay.Judgement(**row | changed)], "x")
    # Numbers of numpy are numbers, and documents have no segment.
    sound = [assay.Judgement(**row | {"segment": segment}) for segment in (np.int64(3), None)]
    assert assay.Judgements.of(sound, "x").segment.tolist() == [3, -1]


TRANSLATIONS = ["the cat sat", "a dog ran"]
TRUE = [["the cat sat", "a dog ran"], ["a cat sat down", "the dog was running"]]


def test_as_many_references_as_segments_are_not_read_the_wrong_way_round():
    turned = [list(pair) for pair in zip(*TRUE, strict=True)]
    corpus = assay.Corpus(translations=TRANSLATIONS, references=TRUE)
    # Each translation is its own first reference.
    assert assay.metric("f1").evaluate(corpus).corpus_score() == 100.0
    with pytest.raises(assay.InputError, match=r"2 lists of 2 texts.*references_by_segment=\[...\].*reference_names="):
        assay.Corpus(translations=TRANSLATIONS, references=turned)
    same = assay.Corpus(translations=TRANSLATIONS, references_by_segment=turned)
    assert assay.metric("f1").evaluate(same).corpus_score() == 100.0
    # Who names them means them. The second translation then has "a cat sat down" and "the dog was running": 2 of the 3
    # + 4 words are the same at best, and of the first all 6.
    named = assay.Corpus(translations=TRANSLATIONS, references=turned, reference_names=["x", "y"])
    assert assay.metric("f1").evaluate(named).corpus_score() == pytest.approx(100 * (6 + 2) / (6 + 7))


def test_texts_that_are_as_near_either_way_are_read_as_they_are_given():
    for texts in (["a", "b"], ["", ""], ["猫", "犬"]):
        corpus = assay.Corpus(translations=texts, references=[texts, texts])
        assert len(corpus.references) == 2


def test_a_list_that_can_be_read_once_is_not_read_by_the_check():
    def names() -> Iterator[str]:
        yield "A"

    assert list(CAMPAIGN.choose(systems=names()).systems) == ["A"]


def test_signatures_stay_what_they_are():
    assert list(inspect.signature(assay.read).parameters) == ["path", "input_format", "pair", "largest"]
    with pytest.raises(TypeError, match=r"read\(\) missing 1 required positional argument: 'path'"):
        assay.read()
