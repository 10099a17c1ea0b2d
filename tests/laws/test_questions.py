"""Laws of all questions: what must not matter does not, and an answer can be read back."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.campaign import only
from assay.demo import CAMPAIGN
from assay.questions.asked import Data, ask_by_name
from assay.questions.kept.base import chosen_options, question_class
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import EVERYTHING, STUDIES, study_class
from assay.results.rendering import STYLES
from learned.small_models import quality_model

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

KEPT = str(Path(__file__).parents[1] / "store" / "version-1")
ORCHARD = Path(__file__).parents[1] / "snapshots" / "campaigns" / "orchard"
#: What each question is asked, small enough to be quick; kinds are chosen where judgements are asked. Behind the name
#: of a question may stand in which way it is asked.
ASKED = {
    "score": {"metrics": "bleu,chrf", "samples": 20, "documents": True, "domains": True},
    "compare": {"metrics": "chrf", "samples": 20, "permutations": 50},
    "meta": {"metrics": "bleu,chrf", "kind": "adequacy", "samples": 20, "permutations": 20},
    "agreement": {"kind": "adequacy", "samples": 20, "splits": 4},
    "describe": {},
    "report": {"metrics": "bleu", "kind": "adequacy", "samples": 20},
    "features": {"features": "bleu,wer", "kind": "adequacy"},
    "explain": {"metrics": "bleu,ter,gtm", "system": "compass", "segment": "4"},
    "learn": {
        "features": "bleu,wer", "kind": "adequacy", "tasks": "grades", "models": "ordinal", "grades": 2, "folds": 3,
        "samples": 10,
    },
    "tune": {"metric": "fmean", "kind": "adequacy", "folds": 3, "samples": 10},
    "pseudo-documents": {"metrics": "bleu", "kind": "adequacy", "per_length": 10, "lengths": (1, 10)},
    "misleading-ngrams": {"metrics": "bleu", "kind": "adequacy", "least": 5},
    "gtm-exponent": {"kind": "adequacy", "exponents": (1, 2), "samples": 10},
    "untranslated": {"kind": "adequacy", "samples": 10},
    "greedy-matching": {},
    "case-and-stem": {"metrics": "fmean", "kind": "adequacy", "samples": 10, "recipes": ("raw", "stem")},
    "correlations": {"metrics": "fmean", "kind": "adequacy", "samples": 10},
    "recall-weight": {"kind": "adequacy", "samples": 10, "steps": 3},
    "sentence-level": {"metrics": "fmean", "kind": "adequacy", "samples": 10, "modules": ("exact",)},
    "sentence-scatter": {"metrics": "fmean", "kind": "adequacy", "samples": 10, "dots": 10},
    "equal-grades": {"metrics": "fmean", "kind": "adequacy", "samples": 10},
    "consistency": {"metrics": "bleu,fmean", "splits": 4},
    "meteor-aligner": {},
    "discount": {"samples": 10},
    "references": {"metrics": "fmean", "k": 1},
    # Of two references, some segments have equally good ones under fmean on these tokens.
    "reference-count": {"metrics": "bleu", "kind": "adequacy", "samples": 5},
    "reference-similarity": {"metrics": "bleu", "kind": "adequacy", "samples": 5},
    "synthetic-references": {"metrics": "bleu", "kind": "adequacy", "samples": 5},
    "foreign-texts": {"metrics": "fmean", "others": (str(ORCHARD),), "k": 1, "text": "both"},
    "leaderboard": {"metrics": "fmean", "kind": "adequacy", "samples": 20},
    "score-distribution": {"metrics": "bleu", "kind": "adequacy"},
    "predict": {"model": quality_model(), "documents": True, "domains": True, "samples": 20},
    "all": {"metrics": "bleu", "kind": "adequacy", "k": 1, "others": (str(ORCHARD),)},
    # Where nothing is dealt out: all of one campaign and then of another, the whole text and one judge of it.
    "recall-weight, elsewhere": {
        "kind": "adequacy", "samples": 10, "steps": 3, "test_on": str(ORCHARD), "test_kind": "adequacy",
    },
    "pseudo-documents, whole": {"metrics": "fmean", "kind": "adequacy", "per_length": 10, "lengths": 30},
}  # fmt: skip

#: What is asked of no campaign.
LOOKED_UP = {
    "metrics": {"metric": "bleu"},
    "recipes": {"text": "It's 4.50 &amp; more."},
    "validate": {"paths": (str(ORCHARD),), "campaign": str(CAMPAIGN), "errors_only": True},
    "show": {"run": "score-925e", "store": KEPT},
    "history": {"metrics": "bleu", "store": KEPT},
    "diff": {"before": "score-925e", "after": "compare", "store": KEPT},
    "rerun": {"run": "compare", "campaign": str(CAMPAIGN), "store": KEPT},
    "sql": {"query": "select * from scores", "store": KEPT},
}

NAMES = sorted(ASKED)
JUDGED = [name for name in NAMES if "kind" in ASKED[name]]


def question_of(name):
    plain = name.partition(",")[0]
    return QUESTIONS[plain] if plain in QUESTIONS else study_class(plain)


@pytest.fixture(scope="module")
def campaign():
    """A part of the demo, so that every question is answered quickly."""
    whole = assay.read(CAMPAIGN)
    part = only(whole, np.arange(0, 60, 2))
    return replace(part, human=part.judgements)


def asked(name, campaign, progress=None, **options):
    if name == "pseudo-documents, whole":
        campaign = campaign.with_judgements(of_one_judge(campaign.judgements))
    return ask_by_name(question_of(name), campaign, ASKED[name] | options, progress)


def of_one_judge(judgements):
    first = min(judgements.rater.names)
    return assay.Judgements.of([row for row in judgements if row.rater == first], "one judge")


@pytest.fixture(scope="module")
def answers(campaign):
    """Each question's answer, found once."""
    known = {}

    def answer(name):
        if name not in known:
            known[name] = asked(name, campaign)
        return known[name]

    return answer


def test_every_question_is_asked():
    assert {name.partition(",")[0] for name in NAMES} | {*LOOKED_UP} == {*QUESTIONS, *STUDIES, *EVERYTHING}


@pytest.mark.parametrize("name", [*NAMES, *LOOKED_UP])
def test_an_answer_is_read_back_and_renders_the_same(answers, name):
    result = ask_by_name(QUESTIONS[name], None, LOOKED_UP[name]) if name in LOOKED_UP else answers(name)
    again = assay.Result.from_json(result.to_json())
    assert again.to_json() == result.to_json()
    # Drawings of one figure differ in the numbers that the converter gives to their parts. No page of its own is kept.
    bare, read = (replace(one, figures=(), page=None) for one in (result, again))
    for style in STYLES:
        if style not in ("junit", "svg", "mtme-score", "every-eval-ever"):
            assert read.render(style) == bare.render(style)


@pytest.mark.parametrize("name", NAMES)
def test_a_question_is_made_again_out_of_its_record(answers, name):
    result = answers(name)
    document = json.loads(result.to_json())
    asked_first = question_class(document)
    assert asked_first is question_of(name)
    chosen = chosen_options(document["options"], asked_first)
    # A model that is in memory alone has no file.
    chosen[asked_first] |= {"model": ASKED[name]["model"]} if "model" in chosen[asked_first] else {}
    again = asked_first(**chosen[asked_first]).options(Data(**chosen[Data]))
    assert json.loads(json.dumps(again)) == document["options"]


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_says_what_it_takes_to_ask_again(answers, name):
    document = json.loads(answers(name).to_json())
    assert document["campaign"] == "campaign"
    assert document["options"]["seed"] == 1
    assert document["digests"]
    assert document["signatures"] or name in ("explain", "agreement", "describe", "untranslated")
    assert document["assay"] == assay.__version__


@pytest.mark.parametrize("name", NAMES)
def test_threads_change_no_bit(answers, campaign, name):
    assert asked(name, campaign, threads=1).to_json() == answers(name).to_json()


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("explain", "all")])
def test_who_is_interrupted_at_a_piece_of_the_work_is_at_its_end(campaign, name):
    reports = []
    asked(name, campaign, progress=reports.append, threads=1)
    heard, last = [], len(reports) // 2

    def interrupt(share):
        heard.append(share)
        if len(heard) > last:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        asked(name, campaign, progress=interrupt, threads=1)
    # No piece was finished after it.
    assert heard == reports[: last + 1]


#: Which of a pair stands first is a matter of order.
SIDES = {"a_first": "first", "b_first": "first"}
#: Where references are equally good for a segment the first one counts, as in the programs whose metrics these are.
TIED = ("recall-weight", "recall-weight, elsewhere")
#: Segments of another text stand beside those of the same number, so both are turned.
NUMBERED = ("foreign-texts",)
#: In which segments are drawn or dealt out by their places, whatever document they are of.
PLACED = ("learn", "pseudo-documents")


def is_of_halves(row, column):
    """Whether a value comes from random halves of the judgements, which are drawn by who judged which segment."""
    halves = str(row.get("statistic", "")).startswith("split-half") or row.get("metric") == "perfect metric"
    return halves or column == "ceiling"


def is_of_places(row, column):
    """Whether a value comes from halves of judgements, or from samples that are cut into documents by places."""
    cut = "curve" in row and column in ("low", "high", "behind_low", "behind_high")
    return cut or is_of_halves(row, column)


def is_of_drawn_systems(row, column):
    """Whether a value comes from draws of systems, or from swaps of metrics system by system: by their names."""
    drawn = {"level", "systems"} & row.keys() and column in ("low", "high", "p", "p_adjusted", "significant", "rank")
    return drawn or is_of_halves(row, column)


def is_of_time(_row, column):
    """Whether a value looks for what changed while people judged: judgements are in the order in which they were."""
    return column.startswith("drift")


def values(result, old="", new="", *, without=(), but=None):
    """Every number of every table, by the words of its row, ``but`` some.

    Of ``all`` the tables of studies that are ``without`` the law are left out.
    """
    found = {}
    for table, rows in result.tables.items():
        question = table.partition(".")[0] if "." in table else result.question
        if question in without and result.question == "all":
            continue
        for row in rows:
            named = [cell for key, cell in row.items() if isinstance(cell, str) and _names(key)]
            words = [_word(cell.replace(old, new) if old else cell) for cell in named]
            for key, cell in row.items():
                # Where a reference stands in GTM's grid is a matter of its place among the others.
                spared = (question, key) == ("explain", "column") or (but is not None and but(row, key))
                if isinstance(cell, (int, float)) and not spared:
                    found.setdefault((table, SIDES.get(key, key), *sorted(words)), []).append(cell)
    return {key: sorted(cells) for key, cells in found.items()}


def _names(column):
    """Whether a column says what its row is about; of several that are equal, any may be the lowest or highest."""
    return column not in {"signature", "anchor"} and not column.startswith(("low_", "high_"))


def _word(text):
    """Sets of references are the same in any order."""
    return "+".join(sorted(text.split("+")))


def assert_same(one, other, old="", new="", **but):
    """The same numbers; of a system that was renamed the other one's name is put for its own."""
    one, other = values(one, old, new, **but), values(other, **but)
    assert one.keys() == other.keys()
    for key, cells in one.items():
        # Sums of many numbers differ in their last digits with the order of these.
        assert cells == pytest.approx(other[key], rel=1e-9, abs=1e-8), key


@pytest.mark.parametrize("name", JUDGED)
def test_the_order_of_judgements_does_not_matter(answers, campaign, name):
    rows = list(campaign.judgements)
    random.Random(3).shuffle(rows)
    shuffled = campaign.with_judgements(assay.Judgements.of(rows, "shuffled"))
    assert_same(asked(name, shuffled), answers(name), but=is_of_time)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in PLACED])
def test_the_order_of_systems_does_not_matter(answers, campaign, name):
    turned = replace(campaign, systems=dict(reversed(campaign.systems.items())))
    assert_same(asked(name, turned), answers(name), without=PLACED)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in TIED])
def test_the_order_of_references_does_not_matter(answers, campaign, name):
    turned = replace(campaign, references=dict(reversed(campaign.references.items())))
    assert_same(asked(name, turned), answers(name), without=TIED)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in (*PLACED, *NUMBERED)])
def test_the_order_of_segments_does_not_matter(answers, campaign, name):
    turned = only(campaign, np.arange(len(campaign))[::-1])
    assert_same(asked(name, turned), answers(name), without=[*PLACED, *NUMBERED], but=is_of_places)


def test_two_texts_may_be_turned_together(campaign, tmp_path):
    other = tmp_path / "orchard"
    other.mkdir()
    for file in (*ORCHARD.glob("sys.*.txt"), *ORCHARD.glob("ref.*.txt")):
        lines = file.read_text().splitlines(keepends=True)
        (other / file.name).write_text("".join(reversed(lines)))
    one, two = (
        asked("foreign-texts", only(campaign, segments), others=str(path), text="segments")
        for segments, path in ((np.arange(24), ORCHARD), (np.arange(24)[::-1], other))
    )
    assert_same(one, two)


# What describes a campaign lists names in the order of the alphabet.
@pytest.mark.parametrize("name", [name for name in NAMES if name not in {*PLACED, "describe"}])
def test_a_renamed_system_changes_nothing_but_its_name(answers, campaign, name):
    systems = {"zebra" if one == "compass" else one: texts for one, texts in campaign.systems.items()}
    rows = [replace(row, system="zebra" if row.system == "compass" else row.system) for row in campaign.judgements]
    renamed = replace(campaign, systems=systems, human=assay.Judgements.of(rows, "renamed"))
    options = {"system": "zebra"} if name == "explain" else {}
    result = asked(name, renamed, **options)
    assert_same(result, answers(name), "zebra", "compass", without=PLACED, but=is_of_drawn_systems)
