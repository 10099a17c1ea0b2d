"""What errors cost: published tables, tables of one's own, and scores from errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import PUBLISHED, mqm_weights, scored_by_errors, usual_weights, weighted
from assay.errors import InputError, ParameterError, UnknownName


def marked(*spans: ErrorSpan) -> Judgements:
    """One judgement with these errors."""
    return Judgements.of([Judgement("A", 0, 0.0, "mqm", spans=spans)], "mqm.tsv")


@pytest.mark.parametrize(
    ("table", "severity", "category", "cost"),
    [
        ("google", "Major", "Accuracy/Omission", 5),
        ("google", "MAJOR", "Non-translation!", 25),
        ("google", "minor", "Non-translation!", 1),
        ("google", "Minor", "Fluency/Punctuation", 0.1),
        ("google", "Major", "Fluency/Punctuation", 5),
        ("google", "Minor", "Fluency", 1),
        ("google", "Neutral", "Style", 0),
        ("google", "Major", "Source error", 5),
        ("google", "No-error", "No-error", 0),
        ("wmt24", "Critical", "", 5),
        ("wmt24", "major", "Source issue", 0),
        ("wmt24", "minor", "Accuracy/Creative reinterpretation", 0),
        ("wmt24", "major", "Non-translation!", 25),
        ("wmt23", "minor", "fluency/punctuation", 0.1),
        ("marot", "Trivial", "Style", 0.1),
        ("classic", "critical", "Accuracy", 10),
        ("unbabel", "major", "Accuracy", 5),
        ("esa-campaign", "critical", "", 25),
        ("esa-campaign", "undecided", "", 0),
    ],
)
def test_published_tables(table: str, severity: str, category: str, cost: float) -> None:
    assert mqm_weights(table).cost(severity, category) == cost


def test_the_most_specific_pattern_counts_whatever_the_order() -> None:
    weights = mqm_weights({"minor/style/*": 2, "minor/style/awkward": 3, "minor": 1, "*/style": 7})
    assert [weights.cost("minor", category) for category in ("", "other", "style", "style/odd", "style/awkward")] == [
        1, 1, 7, 2, 3,
    ]  # fmt: skip


def test_tables_come_from_files(tmp_path: Path) -> None:
    (tmp_path / "own.tsv").write_text("# mine\nmajor\t10\n\nminor/fluency\t0.5\n")
    (tmp_path / "own.json").write_text('{"major": 10, "minor/fluency": 0.5}')
    for name in ("own.tsv", "own.json"):
        weights = mqm_weights(tmp_path / name)
        assert (weights.cost("Major"), weights.cost("Minor", "Fluency/Grammar")) == (10, 0.5)
        # A minor error of any other kind has no weight here.
        with pytest.raises(UnknownName, match="for the severity 'minor'"):
            weights.cost("minor", "style")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "major 5\n", "line 1: 'major 5'. A line has a pattern"),
        ("a.tsv", "major\tfive\n", "line 1"),
        ("a.tsv", "major\t5\nmajor\t6\n", "line 2: 'major' stands there twice"),
        ("a.tsv", "# nothing\n", "no weights"),
        ("a.json", "[5]", "an object is needed"),
        ("a.json", "{", "not JSON"),
    ],
)
def test_broken_tables_are_refused(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        mqm_weights(tmp_path / name)
    assert message in str(caught.value)


def test_impossible_weights_and_unknown_tables_are_refused(tmp_path: Path) -> None:
    for weight in (float("nan"), "5", True):
        with pytest.raises(ParameterError, match="the weight of 'major'"):
            mqm_weights({"major": weight})  # type: ignore[dict-item]
    with pytest.raises(UnknownName, match="Did you mean 'google'"):
        mqm_weights("goggle")
    with pytest.raises(InputError, match="no such file"):
        mqm_weights(tmp_path / "missing.tsv")


def test_scores_are_made_anew_from_errors_alone() -> None:
    spans = (ErrorSpan("Major", "Source issue"), ErrorSpan("Minor", "Fluency/Punctuation"))
    rows = [
        Judgement("A", 0, -9.0, "mqm", spans=spans),
        Judgement("A", 1, -9.0, "mqm", spans=()),
        Judgement("A", 2, 80.0, "da"),
    ]
    judgements = Judgements.of(rows, "human.tsv")
    assert weighted(judgements).score.tolist() == [-5.1, 0.0, 80.0]
    assert weighted(judgements, "wmt24").score.tolist() == [-0.1, 0.0, 80.0]
    # Scores of zero are not minus zero, which would print oddly.
    assert str(weighted(judgements).score[1]) == "0.0"
    assert judgements.score.tolist() == [-9.0, -9.0, 80.0]


def test_an_unknown_severity_is_named_with_its_place() -> None:
    rows = [Judgement("A", 0, 0.0, "mqm", spans=(ErrorSpan("Dreadful"),), line=7)]
    with pytest.raises(InputError, match=r"mqm\.tsv, line 7: There is no weight .* 'Dreadful'"):
        weighted(Judgements.of(rows, "mqm.tsv"))


def test_what_the_file_says_of_costs_counts_before_the_table() -> None:
    spans = (ErrorSpan("Major", weight=2.0), ErrorSpan("Minor"))
    assert mqm_weights().score(spans, stated=True) == -3.0
    assert scored_by_errors(marked(*spans)).score.tolist() == [-3.0]
    assert weighted(marked(*spans)).score.tolist() == [-6.0]


def test_campaigns_since_2023_are_scored_as_they_were() -> None:
    grammar = ErrorSpan("Minor", "Fluency/Grammar")
    assert usual_weights(marked(grammar, ErrorSpan("Major", "Source error"))).name == "google"
    assert usual_weights(marked(grammar, ErrorSpan("Major", "Source issue"))).name == "wmt24"
    assert set(PUBLISHED) == {"google", "wmt24", "unbabel", "esa-campaign"}
