"""What every question is given: whoever waits is told, threads are those that were asked for, and options are kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest

import assay
from assay.data.external import ExternalScores
from assay.data.texts import Texts
from assay.questions.asked import Asked, ask_by_name
from assay.questions.meta import Meta
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import STUDIES, study_class
from studies.judged_campaign import campaign

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

WHOLE = replace(campaign(references=3), source=Texts.of(["Das rote Haus"] * 12))
LEARN = {"tasks": "regression", "models": "ridge", "folds": 2, "samples": 0, "left_out": False}
#: Questions over texts that take long on large ones, with options that make them quick here.
LONG = {
    "score": {"metrics": "f1", "samples": 10},
    "compare": {"metrics": "f1,wer", "samples": 10, "permutations": 10},
    "meta": {"metrics": "f1", "samples": 10, "permutations": 10},
    "tune": {"metric": "fmean", "samples": 10},
    "learn": LEARN | {"features": "f1,wer"},
    "agreement": {"samples": 10, "splits": 3},
    "pseudo-documents": {"metrics": "f1", "per_length": 10, "lengths": (1, 10)},
    "misleading-ngrams": {"metrics": "f1", "least": 2},
    "gtm-exponent": {"exponents": (1, 2), "samples": 10},
    "untranslated": {"samples": 10},
    "greedy-matching": {},
    "case-and-stem": {"metrics": "f1", "recipes": ("raw", "stem"), "samples": 10},
    "correlations": {"metrics": "f1", "samples": 10},
    "recall-weight": {"samples": 10, "steps": 3},
    "sentence-level": {"metrics": "f1", "samples": 10},
    "sentence-scatter": {"metrics": "f1", "kind": "adequacy", "samples": 5},
    "equal-grades": {"metrics": "f1", "kind": "adequacy", "samples": 5},
    "consistency": {"metrics": "f1", "splits": 3},
    "discount": {"samples": 5},
    "meteor-aligner": {},
    "references": {"metrics": "f1,wer"},
    "reference-count": {"metrics": "f1,wer", "samples": 5},
    "reference-similarity": {"metrics": "f1,wer", "samples": 5},
    "synthetic-references": {"metrics": "f1", "samples": 5},
    "foreign-texts": {"metrics": "f1", "text": "both"},
    "score-distribution": {"metrics": "f1"},
    "leaderboard": {"metrics": "f1", "samples": 5},
}


def asked(name, progress=None, **options):
    question = QUESTIONS[name] if name in QUESTIONS else study_class(name)
    return ask_by_name(question, WHOLE, LONG[name] | options, progress)


def shares_of(name, tmp_path, **options):
    """What whoever waits for an answer is told."""
    if name == "foreign-texts":
        (tmp_path / "other.txt").write_text("some other text\nof two lines\n")
        options["others"] = (str(tmp_path / "other.txt"),)
    shares = []
    asked(name, shares.append, **options)
    return shares


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in LONG),
        ("score", {"samples": 0}),
        ("compare", {"test": "t"}),
        ("compare", {"calibrate": True, "simulations": 2}),
    ],
    ids=str,
)
def test_what_is_done_grows_from_report_to_report_until_it_is_all(name, options, tmp_path):
    shares = shares_of(name, tmp_path, **options)
    assert len(shares) == 1 or 0.0 < shares[0] < 1.0
    assert all(before < after for before, after in pairwise(shares))
    assert shares[-1] == pytest.approx(1.0, abs=1e-12)


def test_every_study_says_how_far_it_is():
    assert set(STUDIES) <= set(LONG)


@dataclass(frozen=True, kw_only=True)
class Watchful(assay.Metric):
    """How many words are those of the first reference; it keeps how many threads it was given."""

    name: ClassVar[str] = "watchful"
    threads: ClassVar[set[int]] = set()

    @property
    def columns(self):
        return ("shared", "words")

    def count(self, batch):
        self.threads.add(batch.threads)
        shared = [
            len(set(ours.split()) & set(theirs.split()))
            for ours, theirs in zip(batch.translation_texts, batch.reference_texts[0], strict=True)
        ]
        return np.column_stack([shared, batch.translations.lengths()]).astype(float)

    def score(self, rows):
        return rows[..., 0] / rows[..., 1]


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("score", "metrics"),
        ("compare", "metrics"),
        ("meta", "metrics"),
        ("learn", "features"),
        ("correlations", "metrics"),
        ("references", "metrics"),
        ("reference-count", "metrics"),
    ],
)
def test_a_metric_gets_the_threads_that_were_asked_for(name, option):
    Watchful.threads.clear()
    # As many as hardly any machine would take by itself.
    asked(name, threads=67, **{option: Watchful()})
    assert Watchful.threads == {67}


def test_a_question_answers_of_a_campaign_alone_as_where_all_is_said():
    question = Meta(metrics="f1", samples=10, permutations=10)
    alone = question.answer(Asked((WHOLE,), judged=True))
    whole = asked("meta", metrics="f1")
    assert alone.tables == whole.tables
    # Five systems, twelve segments, two raters.
    assert alone.findings == whole.findings
    assert "120 of 120 judgements were used." in alone.findings


def test_scores_that_came_from_no_file_are_kept_by_their_name():
    values = {name: np.arange(12.0) + number for number, name in enumerate(WHOLE.systems)}
    found = asked("meta", scores=[ExternalScores("COMET", values), ExternalScores("BLEURT", values, origin="b.tsv")])
    assert found.options["scores"] == ["COMET", "b.tsv"]


class Watching(list):
    """A progress that shows what there is to do."""

    def __init__(self):
        super().__init__()
        self.work = []

    def __call__(self, share):
        self.append(share)

    def announce(self, work):
        self.work.append((work, len(self)))


def test_what_takes_long_says_beforehand_how_much_it_is():
    watching = {name: Watching() for name in ("meta", "references", "learn")}
    for name, progress in watching.items():
        asked(name, progress)
    assert watching["meta"].work == [("1 metric, 10 samples", 0)]
    # Five systems against 3, 3 and 1 sets of one, two and three references, and each of three references against the 2
    # sets of one and the 1 set of two others: 35 and 9, by two metrics.
    assert watching["references"].work == [("88 comparisons", 0)]
    # Ridge, two means without training and each feature alone in two folds, and ridge in two random ones: 2 x (1 + 2 +
    # 2 + 1); 5 systems of 12 segments were judged.
    [(work, before)] = watching["learn"].work
    assert work == "12 fits on 60 translations"
    # Learning itself begins behind the counting of features.
    assert 0 < before < len(watching["learn"])
    assert watching["learn"][before - 1] == pytest.approx(0.1)


def test_learning_is_told_from_its_first_moment():
    watching = Watching()
    asked("learn", watching)
    assert watching[0] < 0.01
    # Two features of five systems, and as many steps.
    assert sum(share < 0.1 for share in watching) >= 10


def test_each_kind_says_what_there_is_to_do():
    watching = Watching()
    question, judged = QUESTIONS["meta"], campaign(kinds=("adequacy", "fluency"))
    ask_by_name(question, judged, LONG["meta"] | {"kind": ("adequacy", "fluency")}, watching)
    assert [work for work, _ in watching.work] == ["1 metric, 10 samples"] * 2
