"""Which systems take part: chosen and left out by name, and people who stand as systems."""

from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.cli.main import run
from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.demo import CAMPAIGN
from assay.errors import UnknownName
from assay.questions.asked import ask_by_name
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import study_class
from studies.judged_campaign import campaign

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

LEFT_OUT = "Left out: people who stand as systems (human), as WMT does. --with-humans keeps them."
#: Questions that hold metrics against people, with options that make them quick.
CORRELATING = {
    "meta": {"metrics": "f1", "samples": 0},
    "tune": {"metric": "fmean", "samples": 10},
    "learn": {
        "features": "f1,wer", "tasks": "regression", "models": "ridge", "folds": 2, "grades": 2, "samples": 0,
        "left_out": False,
    },
    "agreement": {"metrics": "f1", "samples": 2, "splits": 1},
    "pseudo-documents": {"metrics": "f1", "per_length": 10, "lengths": (1, 10)},
    "misleading-ngrams": {"metrics": "f1", "least": 2},
    "gtm-exponent": {"exponents": (1, 2), "samples": 10},
    "case-and-stem": {"metrics": "f1", "recipes": ("raw", "stem"), "samples": 10},
    "correlations": {"metrics": "f1", "samples": 10},
    "recall-weight": {"samples": 10, "steps": 3},
    "sentence-level": {"metrics": "f1", "samples": 10},
    "reference-count": {"metrics": "f1", "samples": 5},
}  # fmt: skip


def renamed(whole: Campaign, **names: str) -> Campaign:
    """A campaign with other names for some of its systems."""
    rows = [replace(one, system=names.get(one.system, one.system)) for one in whole.judgements]
    systems = {names.get(name, name): texts for name, texts in whole.systems.items()}
    return replace(whole, systems=systems, human=Judgements.of(rows, "inline"))


#: Five systems, the best of which is a person; 12 segments, two judges.
WITH_HUMAN = renamed(campaign(references=2), s0="human")


def asked(name, given, **options):
    question = QUESTIONS[name] if name in QUESTIONS else study_class(name)
    return ask_by_name(question, given, CORRELATING.get(name, {}) | options)


def scored(**options) -> list[str]:
    """The systems that ``assay score`` scores."""
    return [row["system"] for row in assay.score(campaign(), "f1", samples=0, **options).table("scores")]


def said(result) -> list[str]:
    return [str(remark) for remark in result.notes]


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"systems": "*,!s1"}, ["s0", "s2", "s3", "s4"]),
        # Whoever names only what to leave out means all others, and the order does not matter.
        ({"systems": "!s1"}, ["s0", "s2", "s3", "s4"]),
        ({"systems": "!s1,s0,s1"}, ["s0"]),
        ({"systems": ["s[0-2]", "!s0"]}, ["s1", "s2"]),
        ({"without": "s1"}, ["s0", "s2", "s3", "s4"]),
        ({"without": ["s1,s2", "s3"]}, ["s0", "s4"]),
        ({"without": "s[1-4]"}, ["s0"]),
        ({"systems": "s0,s1", "without": "s1"}, ["s0"]),
    ],
    ids=str,
)
def test_systems_are_left_out_by_name(options, left):
    assert sorted(scored(**options)) == left


def test_references_and_kinds_are_left_out_by_name_as_well():
    whole = campaign(references=3, kinds=("adequacy", "fluency", "ease"))
    found = assay.meta_evaluate(whole, "f1", references="!r0", kind="!fluency", samples=0)
    assert found.signatures["f1"].count("references:2") == 1
    assert {row["kind"] for row in found.table("results")} == {"adequacy", "ease"}


def test_a_name_that_begins_so_is_a_name():
    whole = renamed(campaign(), s1="!s1")
    rows = assay.score(whole, "f1", samples=0, systems="!s1").table("scores")
    assert [row["system"] for row in rows] == ["!s1"]


@pytest.mark.parametrize("options", [{"without": "s9"}, {"systems": "*,!s9"}, {"systems": "s9"}], ids=str)
def test_who_is_not_there_cannot_be_left_out(options):
    with pytest.raises(UnknownName, match="There is no system 's9'"):
        scored(**options)


def test_the_command_line_leaves_systems_out(capsys):
    assert run(["score", str(CAMPAIGN), "-m", "bleu", "--without", "human,gravel", "--without", "lantern"]) == 0
    printed = capsys.readouterr().out
    assert "2 systems" in printed
    assert "gravel" not in printed


def test_studies_of_references_leave_them_out_too(tmp_path):
    whole = campaign(references=3)
    rows = asked("references", whole, metrics="f1", without="s0,r1").table("table")
    assert {row["system"] for row in rows} == {"s1", "s2", "s3", "s4", "r0", "r2"}
    # What is left out here need not be there in another text.
    assay.write(replace(campaign(references=2, seed=9, judged=False), name="other"), tmp_path / "other")
    others = asked("foreign-texts", whole, metrics="f1", without="r2,s4", others=(str(tmp_path / "other"),))
    foreign = {row["system"] for row in others.table("table") if row["kind"] == "foreign"}
    assert foreign == {"r0", "r1", "s0", "s1", "s2", "s3"}


def test_judgements_alone_are_chosen_in_the_same_way():
    whole = campaign()
    found = assay.agreement(whole.judgements, without="s0,s1", samples=2, splits=1)
    assert {row["system"] for row in found.table("normalisation")} == {"s2", "s3", "s4"}


@pytest.mark.parametrize(
    ("name", "person"),
    [
        *((name, True) for name in ("ref", "REF", "human", "Human", "refA", "ref-A", "ref_2", "ref.10", "HUMAN1")),
        # Other names of the reference "second".
        *((name, True) for name in ("second", "refsecond", "ref-second", "ref.second")),
        *((name, False) for name in ("reformer", "refa", "refAB", "ref-", "humanoid", "human-like", "xhuman", "first")),
    ],
)  # fmt: skip
def test_who_is_a_person_by_name(name, person):
    whole = renamed(campaign(), s2=name)
    whole = replace(whole, references={"second": next(iter(whole.references.values()))})
    found = assay.meta_evaluate(whole, "f1", samples=0, levels="system")
    assert (name not in found.setup["systems"]) is person
    assert any(name in text for text in said(found)) is person


def test_somebody_may_say_who_is_a_person():
    whole = campaign()
    found = assay.meta_evaluate(whole, "f1", samples=0, human=["s0", "s3,s4"])
    assert found.setup["systems"] == ["s1", "s2"]
    assert "Left out: people who stand as systems (s0, s3, s4), as WMT does. --with-humans keeps them." in said(found)
    with pytest.raises(UnknownName, match="There is no system 's9'"):
        assay.meta_evaluate(whole, "f1", samples=0, human="s9")


@pytest.mark.parametrize("name", CORRELATING)
def test_people_are_left_out_where_metrics_are_held_against_people(name):
    found = asked(name, WITH_HUMAN)
    assert LEFT_OUT in said(found)
    # All else is as if somebody had left the person out by hand, and as if nobody were a person.
    same = asked(name, WITH_HUMAN, systems="!human") if name != "agreement" else found
    assert found.tables == same.tables
    assert LEFT_OUT not in said(same) or name == "agreement"
    kept = asked(name, WITH_HUMAN, with_humans=True)
    assert LEFT_OUT not in said(kept)
    assert kept.tables != found.tables


def test_judgements_of_people_are_counted_with_the_reason():
    found = assay.meta_evaluate(WITH_HUMAN, "f1", samples=0)
    # 5 systems, 12 segments, 2 judges: 120 judgements, 24 of the person.
    assert found.setup["usage"] == (
        "96 of 120 judgements were used. Not used: 24 of people who stand as systems (human)."
    )
    kept = assay.meta_evaluate(WITH_HUMAN, "f1", samples=0, with_humans=True)
    assert kept.setup["usage"] == "120 of 120 judgements were used."
    assert kept.setup["systems"] == ["human", "s1", "s2", "s3", "s4"]


def test_raters_are_normalised_with_what_they_said_of_people():
    rows = [one for one in WITH_HUMAN.judgements if one.system != "human"]
    unseen = WITH_HUMAN.with_judgements(Judgements.of(rows, "inline"))
    found, chosen, gone = (
        assay.meta_evaluate(whole, "f1", normalise="z", samples=0, **options).table("points")
        for whole, options in ((WITH_HUMAN, {}), (WITH_HUMAN, {"without": "human"}), (unseen, {}))
    )
    assert found == chosen
    # Without the best one the judges' means are lower, and what is left stands higher.
    assert found != gone


def test_scores_and_comparisons_keep_people():
    assert "human" in {row["system"] for row in assay.score(WITH_HUMAN, "f1", samples=0).table("scores")}
    pairs = assay.compare(WITH_HUMAN, "f1", samples=10, permutations=10).table("pairs")
    assert "human" in {row[side] for row in pairs for side in ("a", "b")}


def test_agreement_of_judges_is_about_people_as_well():
    found = asked("agreement", WITH_HUMAN)
    kept = asked("agreement", WITH_HUMAN, with_humans=True)
    assert found.table("results") == kept.table("results")
    assert {row["system"] for row in found.table("normalisation")} == {"human", "s1", "s2", "s3", "s4"}
    counts = [{row["n"] for row in one.table("metrics") if row["level"] == "system"} for one in (found, kept)]
    assert counts == [{4}, {5}]
    # Who does not ask for metrics is told nothing of people.
    assert LEFT_OUT not in said(assay.agreement(WITH_HUMAN, kind="*", samples=2, splits=1))


def test_post_edits_of_a_person_are_no_reference_of_others():
    edits = {"pe.human": [f"{line} edited" for line in WITH_HUMAN.systems["human"]]}
    whole = replace(WITH_HUMAN, references={**WITH_HUMAN.references, **edits}, targeted=frozenset(edits))
    found, plain = (assay.meta_evaluate(one, "f1", samples=0) for one in (whole, WITH_HUMAN))
    assert found.table("results") == plain.table("results")


def test_where_nobody_else_is_left_the_reason_is_said():
    everyone = renamed(campaign(systems=2), s0="human", s1="refB")
    with pytest.raises(assay.InputError, match=r"48 of people who stand as systems \(human, refB\)"):
        assay.meta_evaluate(everyone, "f1", samples=0)
