"""Every answer that draws says what it drew, and what that assumes; documents may be named badly."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import assay
from assay.demo import CAMPAIGN
from assay.questions.asked import ask_by_name
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import study_class
from learned.small_models import quality_model

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

#: Every question that draws from segments, small enough to be quick.
ASKED = {
    "score": {"metrics": "chrf", "samples": 20},
    "compare": {"metrics": "chrf", "samples": 20, "permutations": 50},
    "meta": {"metrics": "chrf", "kind": "adequacy", "samples": 20, "permutations": 20},
    "agreement": {"kind": "adequacy", "samples": 20, "splits": 4},
    "learn": {
        "features": "chrf,wer", "kind": "adequacy", "tasks": "grades", "models": "ordinal", "grades": 2, "folds": 3,
        "samples": 10,
    },
    "tune": {"metric": "chrf", "kind": "adequacy", "folds": 3, "samples": 10},
    "predict": {"model": quality_model(), "samples": 20},
    "case-and-stem": {"metrics": "fmean", "kind": "adequacy", "samples": 10, "recipes": ("raw", "stem")},
    "correlations": {"metrics": "fmean", "kind": "adequacy", "samples": 10},
    "recall-weight": {"kind": "adequacy", "samples": 10, "steps": 3},
    "sentence-level": {"metrics": "fmean", "kind": "adequacy", "samples": 10, "modules": ("exact",)},
    "reference-count": {"metrics": "fmean", "kind": "adequacy", "samples": 5},
    "reference-similarity": {"metrics": "fmean", "kind": "adequacy", "samples": 5},
    "gtm-exponent": {"exponents": (1, 2), "kind": "adequacy", "samples": 10},
    "score-distribution": {"metrics": "fmean", "kind": "adequacy"},
    "leaderboard": {"metrics": "fmean", "kind": "adequacy", "samples": 20},
}  # fmt: skip

#: Names of the documents of 60 segments, and what is said of them.
NAMED = {
    "ten": ([f"d{place // 6}" for place in range(60)], "Drawn: 10 documents"),
    "none": (None, "Drawn: 60 segments, taken as independent, for documents are not known."),
    "blank": ([""] * 60, "Drawn: 60 segments, taken as independent, for documents are not known."),
    "one": (
        ["d"] * 60,
        "Drawn: 60 segments, taken as independent, for all are of one document: how others would turn out is not "
        "known.",
    ),
    "single": (
        [f"d{place}" for place in range(60)],
        "Drawn: 60 segments, taken as independent, for each is a document of its own.",
    ),
    "some": (
        [f"d{place // 5}" if place < 20 else "" for place in range(60)],
        "Drawn: 4 documents and 40 segments that name none",
    ),
    "one and blank": (
        ["d" if place < 20 else "-" for place in range(60)],
        "Drawn: 60 segments, taken as independent, for one document alone is named: how others would turn out is not "
        "known.",
    ),
    "three": (
        [f"d{place // 20}" for place in range(60)],
        "Drawn: 3 documents: too few for intervals and p-values, which take 5. With --unit segment segments are taken "
        "as independent.",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def demo():
    return assay.read(CAMPAIGN)


def asked(name, campaign, **options):
    question = QUESTIONS[name] if name in QUESTIONS else study_class(name)
    return ask_by_name(question, campaign, ASKED[name] | options)


def documents(campaign, labels):
    return replace(campaign, documents=None if labels is None else tuple(labels))


@pytest.mark.parametrize("name", ASKED)
def test_every_question_says_what_is_drawn(demo, name):
    for case in ("ten", "none"):
        labels, said = NAMED[case]
        findings = asked(name, documents(demo, labels)).findings
        (sentence,) = [each for each in findings if each.startswith("Drawn: ")]
        assert sentence.startswith(said)
        unit = "segment" if case == "none" else "document"
        # No sentence says of segments what is true of documents.
        for words in re.findall(
            r"(?:samples of|bootstrap over|allow for other|intervals over) (\w+)", " ".join(findings)
        ):
            assert words == f"{unit}s", findings


@pytest.mark.parametrize("case", NAMED)
def test_documents_that_are_named_badly_are_told(demo, case):
    labels, said = NAMED[case]
    for name in ("score", "compare", "meta", "agreement"):
        findings = asked(name, documents(demo, labels)).findings
        (sentence,) = [each for each in findings if each.startswith("Drawn: ")]
        assert sentence.startswith(said)


def test_only_judged_segments_are_counted(demo):
    labels = documents(demo, NAMED["ten"][0])
    some = labels.with_judgements(labels.judgements.only(labels.judgements.segment < 33))
    for name in ("meta", "tune", "learn", "correlations", "agreement"):
        findings = asked(name, some).findings
        # 33 segments are five documents of six and half of a sixth.
        assert "Drawn: 6 documents, with all their segments (33), for those of a document are alike." in findings


def test_too_few_documents_are_tested_by_nothing(demo):
    few = asked("compare", documents(demo, NAMED["three"][0]))
    assert few.findings[0] == "Nothing is tested, and there are no intervals; seed 1."
    assert {row["p"] for row in few.table("pairs")} == {None}


def test_metrics_and_judges_are_tested_by_no_fewer_documents_than_systems_are(demo):
    three = documents(demo, NAMED["three"][0])
    found = asked("meta", three, metrics="chrf,wer")
    # What goes by systems can be said of any texts; swaps of three documents say nothing of others.
    assert {row["level"] for row in found.table("comparisons")} == {"system"}
    assert {row["level"] for row in found.table("clusters")} == {"system"}
    (drawn,) = [each for each in found.findings if each.startswith("Drawn: ")]
    assert drawn.endswith("Metrics are compared by a test that goes by systems.")
    for level in ("document", "segment"):
        said = f"Metrics are not compared at the {level} level: perm-both takes 5 documents or more."
        assert said in [str(note) for note in found.notes]
    for test in ("williams", "perm-both"):
        rows = asked("meta", three, metrics="chrf,wer", test=test).table("comparisons")
        assert {row["level"] for row in rows} == ({"system"} if test == "williams" else set())
    assert {row["clusters"] for row in asked("agreement", three).table("effect")} == {0}
    assert "cluster" not in asked("agreement", three).render("text")


def test_folds_count_segments_that_name_no_document(demo):
    some = documents(demo, NAMED["some"][0])
    # Four documents and 40 segments are 44 things to deal out: the usual ten folds.
    assert asked("tune", some, folds=None, samples=0).setup["folds"] == 10


def test_agreement_draws_documents_with_all_their_segments(demo):
    labels = np.array(NAMED["ten"][0])
    by_document = asked("agreement", documents(demo, labels), samples=200)
    # The same judgements of ten segments, each the whole of a document, with a system for each of its segments.
    rows = [
        assay.Judgement(f"{one.system} {one.segment % 6}", one.segment // 6, one.score, one.kind, one.rater)
        for one in demo.judgements.of_kind("adequacy")
    ]
    keyed = assay.Judgements.of(rows, "folded")
    folded = ask_by_name(
        QUESTIONS["agreement"], assay.Campaign("c", {}, {}, human=keyed), ASKED["agreement"] | {"samples": 200}
    )
    ours, theirs = (
        {row["statistic"]: row["high"] - row["low"] for row in result.table() if row["low"] is not None}
        for result in (by_document, folded)
    )
    # Documents are drawn by name and segments by number, so the samples differ, but not what they are samples of.
    for name in ("pearson", "alpha-interval", "icc-2-1"):
        assert 0.6 < ours[name] / theirs[name] < 1.67
    assert by_document.setup["unit"] == "document"


def test_judgements_alone_know_their_documents(demo):
    rows = [
        assay.Judgement(one.system, one.segment, one.score, one.kind, one.rater, document=f"d{one.segment // 6}")
        for one in demo.judgements.of_kind("adequacy")
    ]
    alone = ask_by_name(QUESTIONS["agreement"], assay.Judgements.of(rows, "alone"), ASKED["agreement"])
    whole = asked("agreement", documents(demo, NAMED["ten"][0]))
    # Halves are drawn by all that is known of a judgement, its document included.
    ours, theirs = (
        [row for row in one.table() if not row["statistic"].startswith("split-half")] for one in (alone, whole)
    )
    assert ours == theirs
    assert alone.findings[-1] == whole.findings[-1]
    by_segment = ask_by_name(
        QUESTIONS["agreement"], assay.Judgements.of(rows, "alone"), ASKED["agreement"] | {"unit": "segment"}
    )
    assert by_segment.findings[-1] == "Drawn: 60 segments, taken as independent, as --unit says."


def test_segments_that_name_no_document_are_in_none(demo):
    labels = [f"d{place // 5}" if place < 20 else ("", "-")[place % 2] for place in range(60)]
    some = documents(demo, labels)
    options = {"levels": "document", "statistics": "pearson,kendall", "groupings": "none"}
    whole = asked("meta", some, **options)
    # Four documents of four systems each, as if the other segments had never been judged.
    assert {row["n"] for row in whole.table()} == {16}
    kept = some.with_judgements(some.judgements.only(some.judgements.segment < 20))
    alone = asked("meta", kept, **options)
    assert [row["value"] for row in whole.table()] == [row["value"] for row in alone.table()]
    one = documents(demo, NAMED["one and blank"][0])
    with pytest.raises(assay.InputError, match="does not tell documents apart"):
        asked("meta", one, **options)


def test_what_was_not_judged_is_told(demo):
    judgements = demo.judgements.of_kind("adequacy")
    first = judgements.system.codes == 0
    # One of five systems lacks 30 of its 60 segments: 270 of 300 translations.
    some = demo.with_judgements(judgements.only(~(first & (judgements.segment < 30))))
    said = (
        "90 % of the translations of judged segments were judged, not the same segments for all systems: people's "
        "scores of systems and documents are adjusted for segments. --plain-means takes the means of what was judged."
    )
    everyone = {"with_humans": True}
    assert said in asked("meta", some, **everyone).findings
    assert said not in asked("meta", some, levels="segment", **everyone).findings
    assert said not in asked("meta", some, plain_means=True, **everyone).findings
    assert said in asked("tune", some, level="system", **everyone).findings
    assert any(each.endswith(said) for each in asked("correlations", some, **everyone).findings)
    assert not any("adjusted" in each for each in asked("meta", demo).findings)
    # 299 of 300 are not all of them.
    nearly = demo.with_judgements(judgements.only(~(first & (judgements.segment < 1))))
    assert said.replace("90 %", "99 %") in asked("meta", nearly).findings
