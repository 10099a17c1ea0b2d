"""What is in a campaign: every number by hand, what would be left out, and what it can answer."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from statistics import stdev

import numpy as np
import pytest

import assay
from assay.data.judgements import Judgement, Judgements
from assay.demo import CAMPAIGN
from assay.questions.asked import ask_by_name
from assay.questions.describe import Describe
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import STUDIES, study_class
from studies.judged_campaign import campaign

pytestmark = pytest.mark.filterwarnings("ignore::assay.errors.AssayWarning")

NAN = float("nan")


def judgements(*rows, kind="da"):
    """Rows of system, segment, rater and score."""
    return Judgements.of(
        [Judgement(system, segment, score, kind, rater) for system, segment, rater, score in rows], "inline"
    )


#: Four segments in two documents and none; a reference that is empty once, another that is a post-edit; system b is
#: called like a person's, c is the reference itself, and x@1 and x@2 are runs of one system.
TEXTS = {
    "a": ["one two", "three", "four five six", ""],
    "refB": ["мир", "мир труд", "май и труд", "мир"],
    "r": ["one two", "three four", "", "one"],
    "x@1": ["a", "b", "c", "d"],
    "x@2": ["a b", "b c", "c d", "d e"],
}
SMALL = assay.Campaign(
    "small",
    TEXTS,
    {"r": TEXTS["r"], "pe": ["eins", "zwei", "drei", "vier"]},
    source=["x y z", "x", "x y", "x"],
    documents=("d1", "d1", "d2", "-"),
    domains=("news", "news", "chat", "news"),
    columns={"split": ["a", "b", "a", "b"]},
    human=judgements(
        # Items: a/0 by ann, bob and ann again; a/1 by ann, bob and cy; a/2 by nobody with a name; x@1/0 by cy;
        # what ann says of the document d2 and of the whole of a; a system that is not there; one without a score.
        ("a", 0, "ann", 1.0), ("a", 0, "bob", 2.0), ("a", 0, "ann", 3.0),
        ("a", 1, "ann", 1.0), ("a", 1, "bob", 2.0), ("a", 1, "cy", 2.0),
        ("a", 2, None, 4.0), ("x@1", 0, "cy", NAN), ("a", None, "ann", 5.0), ("gone", 3, "bob", 5.0),
    ),
)  # fmt: skip


def described(given=SMALL, **options):
    return assay.describe(given, **options)


def rows(table, key, given=SMALL, **options):
    return {row[key]: row for row in described(given, **options).table(table)}


def numbers(given=SMALL, **options):
    return {part: row["number"] for part, row in rows("contents", "part", given, **options).items()}


def test_everything_is_counted():
    # The system r is the reference r, and left out everywhere.
    assert numbers() == {
        "segments": 4, "documents": 2, "domains": 2, "columns": 1, "source": 1, "references": 2, "systems": 3,
        "judgements": 10,
    }  # fmt: skip
    details = {part: row["details"] for part, row in rows("contents", "part").items()}
    assert details["documents"] == "1 to 2 segments each; 1 segment in none"
    even = rows("contents", "part", campaign())["documents"]
    assert (even["number"], even["details"]) == (6, "2 segments each")
    assert details["domains"] == "chat 1, news 3"
    assert details["systems"] == "4 runs: a, refB, x"
    assert details["references"] == "pe, r"
    assert details["columns"] == "split"
    assert details["judgements"] == "da 10"


def test_lengths_are_those_of_all_segments():
    found = rows("lengths", "text")
    assert list(found) == ["source", "ref.r", "ref.pe", "sys.a", "sys.refB", "sys.x@1", "sys.x@2"]
    row = found["sys.a"]
    # Words: 2, 1, 3, 0. The mean is 6 / 4; deviations ½, -½, 1½, -1½ have squares ¼ + ¼ + 2¼ + 2¼ = 5; 5 / 3 = 1.667.
    assert (row["words_min"], row["words_max"], row["words_mean"]) == (0, 3, 1.5)
    assert row["words_sd"] == pytest.approx((5 / 3) ** 0.5)
    # Characters: 7, 5, 13, 0.
    assert (row["characters_min"], row["characters_max"], row["characters_mean"]) == (0, 13, 6.25)
    assert row["characters_sd"] == pytest.approx(stdev([7, 5, 13, 0]))
    assert (row["segments"], row["empty"]) == (4, 1)
    # Letters of two bytes are one character: 3, 8, 10, 3.
    assert found["sys.refB"]["characters_mean"] == 6.0
    alone = rows("lengths", "text", where="segment=0")["source"]
    assert (alone["words_mean"], alone["words_sd"]) == (3.0, None)


def test_a_reference_that_some_segments_lack_has_the_others():
    partly = replace(SMALL, present={"r": np.array([True, False, True, True])})
    row = rows("lengths", "text", partly)["ref.r"]
    # Words without the second: 2, 0, 1.
    assert (row["segments"], row["empty"], row["words_mean"]) == (3, 1, 1.0)


def test_scripts_are_shares_of_letters():
    mixed = assay.Campaign("m", {"s": ["Ab мир 12", "漢字 かな カナ"]}, {"r": ["ab", "cd"]})
    shares = {(row["text"], row["script"]): row["share"] for row in described(mixed).table("scripts")}
    # Two Latin letters, three Cyrillic, two Han, two Hiragana, two Katakana: eleven, digits aside.
    assert shares["sys.s", "Cyrillic"] == pytest.approx(3 / 11)
    assert {script for text, script in shares if text == "sys.s"} == {
        "Latin",
        "Cyrillic",
        "Han",
        "Hiragana",
        "Katakana",
    }
    assert shares["ref.r", "Latin"] == 1.0
    assert rows("lengths", "text")["sys.refB"]["script"] == "Cyrillic"
    assert rows("lengths", "text", mixed)["sys.s"]["script"].startswith("Cyrillic 27%, ")


def test_a_system_in_another_script_and_a_language_without_spaces_are_said():
    findings = described().findings
    assert "sys.refB is mostly Cyrillic, and no reference is: is it the right file?" in findings
    thai = assay.Campaign("t", {"s": ["สวัสดี"]}, {"r": ["สวัสดีครับ"]})
    assert any(sentence.endswith("--language th.") and "Thai" in sentence for sentence in described(thai).findings)


def test_judgements_are_counted_by_item_judge_and_cell():
    (row,) = described().table("judgements")
    assert (row["judgements"], row["judges"], row["systems"]) == (10, 3, 3)
    # a/0, a/1, a/2, x@1/0, the whole of a, gone/3.
    assert row["items"] == 6
    # Judges with names: 2, 3, none, 1, 1, 1. The one without does not count: 8 / 5.
    assert (row["judges_min"], row["judges_max"], row["judges_mean"]) == (1, 3, 1.6)
    # a/0, a/1, a/2 and x@1/0 of four systems (a, refB and two runs) in four segments.
    assert (row["cells"], row["all_cells"], row["share"]) == (4, 16, 0.25)


def test_who_judged_the_same_items():
    found = described()
    # ann and bob share a/0 and a/1, cy shares a/1 with both.
    assert [(row["a"], row["b"], row["items"]) for row in found.table("overlap")] == [
        ("ann", "bob", 2), ("ann", "cy", 1), ("bob", "cy", 1)
    ]  # fmt: skip
    (row,) = found.table("judgements")
    assert (row["pairs"], row["pairs_sharing"]) == (3, 3)
    assert (row["shared_min"], row["shared_median"], row["shared_max"]) == (1, 1, 2)
    assert "da: 3 of 3 pairs of judges judged the same items: 1 to 2, 1 in the median." in found.findings
    apart = SMALL.with_judgements(judgements(("a", 0, "ann", 1.0), ("a", 1, "bob", 1.0)))
    assert "da: no two of 2 judges judged the same item." in described(apart).findings


def test_what_would_be_left_out_is_counted_with_its_reason():
    reasons = {(row["what"], row["reason"].split(":")[0].split(",")[0]) for row in described().table("left_out")}
    assert reasons == {
        ("system r", "it is itself a reference in use"),
        ("system refB", "one of the people who stand as systems"),
        ("reference pe", "a post-edit"),
        ("1 segment", "their references are all empty"),
        ("1 judgement of gone", "there is no such system in the campaign"),
        ("1 judgement", "they have no score"),
        ("1 judgement", "they name no judge"),
        ("system refB", "nobody judged it"),
        ("system x@2", "nobody judged it"),
    }


def test_what_is_left_out_is_counted():
    many = assay.Campaign(
        "many",
        {"a": ["x"] * 5},
        {"r": ["y", " ", "", "z", "z"], "q": ["", "", "", "z", "z"]},
        documents=("d",) * 5,
        human=Judgements.of(
            [
                *(Judgement("gone", 0, 1.0, "da", "ann") for _ in range(3)),
                *(Judgement("a", 0, NAN, "da", "ann") for _ in range(2)),
                *(Judgement("a", 0, 1.0, "da") for _ in range(4)),
                *(Judgement("a", None, 1.0, "da", "ann", document="e") for _ in range(6)),
            ],
            "inline",
        ),
    )
    found = described(many).table("left_out")
    # Of five segments the second and the third have no word in either reference.
    assert [(row["what"], row["number"]) for row in found] == [
        ("2 segments", 2), ("3 judgements of gone", 3), ("6 judgements", 6), ("2 judgements", 2), ("4 judgements", 4)
    ]  # fmt: skip
    assert [row["reason"] for row in found[2:]] == [
        "the campaign has no such documents", "they have no score", "they name no judge, and agreement leaves them out"
    ]  # fmt: skip


def test_nothing_is_left_out_of_a_sound_campaign():
    found = described(campaign())
    assert found.table("left_out") == []
    assert "What would be left out" not in found.render("text")
    kept = [row["reason"] for row in described(with_humans=True).table("left_out") if row["what"] == "system refB"]
    assert kept == ["nobody judged it: left out where metrics are held against judgements"]


def test_choices_of_data_are_described():
    assert numbers(systems="a", references="r", where="domain=news") == {
        "segments": 3, "documents": 1, "domains": 1, "columns": 1, "source": 1, "references": 1, "systems": 1,
        # Those of a in the segments 0 and 1, and of the whole of it.
        "judgements": 7,
    }  # fmt: skip
    two = SMALL.with_judgements(SMALL.judgements.joined(judgements(("a", 0, "ann", 1.0), kind="mqm")))
    assert [row["kind"] for row in described(two).table("judgements")] == ["da", "mqm"]
    assert [row["kind"] for row in described(two, kind="mqm").table("judgements")] == ["mqm"]


def test_judgements_alone_are_described():
    found = described(SMALL.judgements)
    assert numbers(SMALL.judgements) == {
        # The segments 0 to 3, and the systems a, x@1 and gone.
        "segments": 4, "documents": 0, "domains": 0, "columns": 0, "source": 0, "references": 0, "systems": 3,
        "judgements": 10,
    }  # fmt: skip
    (row,) = found.table("judgements")
    # Cells a/0, a/1, a/2, x@1/0 and gone/3 of three systems in four segments.
    assert (row["cells"], row["all_cells"]) == (5, 12)
    assert [row["command"] for row in found.table("commands") if row["answered"]] == ["agreement", "report"]


def test_a_file_is_a_campaign_or_judgements_by_what_is_in_it(tmp_path):
    assay.write(campaign(judged=False), tmp_path / "c.tsv")
    assert numbers(tmp_path / "c.tsv")["systems"] == 5
    assert numbers(CAMPAIGN / "human.tsv")["judgements"] == 1800
    with pytest.raises(assay.InputError, match="no such file"):
        described(tmp_path / "nowhere.tsv")


def test_every_format_has_it():
    found = described()
    assert json.loads(found.to_json())["lengths"][0]["text"] == "source"
    for style in ("html", "markdown", "latex", "text"):
        assert "refB" in found.render(style)


QUICK = {
    "score": {"metrics": "f1", "samples": 0},
    "compare": {"metrics": "f1", "samples": 10, "permutations": 10},
    "explain": {"metrics": "f1", "segment": "0"},
    "meta": {"metrics": "f1", "samples": 0},
    "tune": {"metric": "fmean", "samples": 10},
    "learn": {"features": "f1,wer", "tasks": "regression", "models": "ridge", "folds": 2, "grades": 2, "samples": 0},
    "agreement": {"samples": 2, "splits": 1},
    "pseudo-documents": {"metrics": "f1", "per_length": 5, "lengths": (1, 5)},
    "misleading-ngrams": {"metrics": "f1", "least": 2},
    "gtm-exponent": {"exponents": (1, 2), "samples": 10},
    "untranslated": {"samples": 10},
    "case-and-stem": {"metrics": "f1", "recipes": ("raw", "stem"), "samples": 5},
    "correlations": {"metrics": "f1", "samples": 5},
    "recall-weight": {"samples": 5, "steps": 2},
    "sentence-level": {"metrics": "f1", "samples": 5, "modules": ("exact",)},
    "references": {"metrics": "f1"},
    "reference-count": {"metrics": "f1", "samples": 5},
    "reference-similarity": {"metrics": "f1", "samples": 5},
    "score-distribution": {"metrics": "f1"},
    "leaderboard": {"metrics": "f1", "samples": 5},
}
WHOLE = campaign(references=2)
GIVEN = {
    "whole": WHOLE,
    "one reference": campaign(),
    "no judgements": campaign(references=2, judged=False),
    "one system": replace(campaign(), systems={"s3": campaign().systems["s3"]}),
    "two systems": campaign(systems=2, references=2),
    "references alone": replace(campaign(references=3, judged=False), systems={}),
    "one reference alone": replace(campaign(judged=False), systems={}),
    "systems alone": replace(campaign(judged=False), references={}),
    "people alone": replace(
        WHOLE, systems={f"human{number}": texts for number, texts in enumerate(WHOLE.systems.values())}, human=None
    ),
    "ranks": WHOLE.with_judgements(
        Judgements.of(
            [
                replace(one, kind="rr", score=-one.score, ranking=f"{one.segment} {one.rater}")
                for one in WHOLE.judgements
            ],
            "inline",
        )
    ),
    "no names": WHOLE.with_judgements(Judgements.of([replace(one, rater=None) for one in WHOLE.judgements], "inline")),
    "judgements alone": WHOLE.judgements,
}


@pytest.mark.parametrize("given", GIVEN)
def test_what_is_said_to_be_answered_is_answered(given):
    wrong = []
    for row in described(GIVEN[given]).table("commands"):
        name = row["command"].removeprefix("study ")
        question = QUESTIONS[name] if name in QUESTIONS else study_class(name)
        if name in ("predict", "foreign-texts"):
            # They need something beside the campaign.
            assert row["said"].endswith(": 1 needed, 0 there")
            continue
        first = {"system": next(iter(getattr(GIVEN[given], "systems", ())), None)} if name == "explain" else {}
        said = "yes"
        try:
            ask_by_name(question, GIVEN[given], QUICK.get(name, {}) | first)
        except assay.AssayError as error:
            said = str(error)
        if row["answered"] is not (said == "yes") or (said == "yes") is not (row["said"] == "yes"):
            wrong.append((name, row["said"], said))
    assert wrong == []


def test_each_command_and_study_is_listed_once():
    listed = [row["command"] for row in described().table("commands")]
    asked = [name for name in QUESTIONS if QUESTIONS[name].takes and name != "describe"]
    assert listed == [*asked, *(f"study {name}" for name in STUDIES)]
    assert [field.name for field in fields(Describe)] == ["kind"]


def test_kinds_that_a_question_can_use_are_named():
    rows = [*WHOLE.judgements, *(replace(one, kind="anonymous", rater=None) for one in WHOLE.judgements)]
    found = described(WHOLE.with_judgements(Judgements.of(rows, "inline")))
    said = {row["command"]: (row["kinds"], row["said"]) for row in found.table("commands")}
    assert said["agreement"] == ("adequacy", "yes, of adequacy")
    assert said["meta"] == ("adequacy,anonymous", "yes")
    assert said["score"] == (None, "yes")
    assert said["study reference-count"][1] == "yes"
    fewer = {row["command"]: row["said"] for row in described(campaign(systems=2)).table("commands")}
    assert fewer["study correlations"] == "no: judged systems: 3 needed, 2 there"
    assert fewer["study reference-count"] == "no: references: 2 needed, 1 there"


def test_judgements_of_whole_systems_have_no_cells():
    rows = [Judgement(name, None, float(place), "da", "ann") for place, name in enumerate(("a", "x@1"))]
    (row,) = described(SMALL.with_judgements(Judgements.of(rows, "inline"))).table("judgements")
    assert (row["items"], row["cells"], row["all_cells"], row["share"]) == (2, 0, 16, 0.0)
    (row,) = described(Judgements.of(rows, "inline")).table("judgements")
    assert (row["cells"], row["all_cells"], row["share"]) == (0, 0, None)


def test_ranks_among_scores_of_one_kind_can_be_used_by_nobody():
    rows = [Judgement("a", 0, 1.0, "da", "ann", ranking="1"), Judgement("a", 1, 1.0, "da", "ann")]
    found = described(SMALL.with_judgements(Judgements.of(rows, "inline")))
    reasons = {row["what"]: row["reason"] for row in found.table("left_out")}
    assert "scores and ranks have no common scale" in reasons["2 judgements of kind da"]
    assert not found.of("meta", table="commands").answered


def test_references_that_judges_saw_are_counted():
    rows = [replace(one, reference=("r0", "refr1", None)[one.segment % 3]) for one in WHOLE.judgements]
    found = described(WHOLE.with_judgements(Judgements.of(rows, "inline")))
    # Twelve segments of five systems, by two raters: 40 judgements of each.
    assert "adequacy: judged against the references r0 40, refr1 40; 40 do not say." in found.findings
    assert found.table("judgements")[0]["references"] == 2
    assert not any("does not have" in said for said in found.findings)
    strange = [replace(one, reference="E01") for one in WHOLE.judgements]
    found = described(WHOLE.with_judgements(Judgements.of(strange, "inline")))
    assert "Judged against references that the campaign does not have: E01." in found.findings
