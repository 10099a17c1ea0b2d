"""Segments whose references are all empty: said, and left out with ``--skip-empty-references``."""

import json

import pytest

import assay
from assay.errors import AssayWarning, InputError, ParameterError

pytestmark = [
    pytest.mark.filterwarnings("ignore:2 of 4 segments left out"),
    pytest.mark.filterwarnings("ignore:Nothing at the document level"),
]

REFERENCE = ("a b c d", "", "  ", "e f g h")
SYSTEMS = {
    "one": ("a b c x", "p q", "r", "e f g h"),
    "two": ("a b x x", "p", "r s t", "e f g x"),
    "three": ("x x x x", "", "r", "e x g x"),
}
#: Words that are wrong, segment by segment; the reference has 4 in the first and the last.
#: one 1 2 1 0, two 2 1 3 1, three 4 0 1 2.
WITH, WITHOUT = {"one": 50.0, "two": 87.5, "three": 87.5}, {"one": 12.5, "two": 37.5, "three": 75.0}
SAID = "In 2 of 4 segments all references are empty."


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "holes"
    folder.mkdir()
    lines = {"ref.A.txt": REFERENCE, "domains.txt": ("news", "news", "chat", "chat")}
    lines |= {f"sys.{name}.txt": texts for name, texts in SYSTEMS.items()}
    for name, texts in lines.items():
        (folder / name).write_text("".join(f"{text}\n" for text in texts))
    rows = ["system\tsegment\tdocument\trater\tscore\tkind"]
    for place, name in enumerate(SYSTEMS):
        rows += [f"{name}\t{segment}\t-\tann\t{90 - 20 * place + segment}\tda" for segment in range(4)]
    (folder / "human.tsv").write_text("\n".join(rows) + "\n")
    return folder


def scores(result):
    return {row["system"]: row["score"] for row in json.loads(result.out)["scores"]}


@pytest.mark.parametrize("name", ["score", "compare", "meta"])
def test_segments_without_any_reference_are_warned_of(command, folder, name):
    result = command(name, folder, "-m", "wer")
    assert result.code == 0
    assert f"Warning: {SAID} Translations are compared with nothing there" in result.err
    assert "--skip-empty-references" in result.err


def test_they_are_left_out_and_counted(command, folder):
    plain = command("score", folder, "-m", "wer", "--samples", "0", "--format", "json")
    assert scores(plain) == WITH
    skipped = command("score", folder, "-m", "wer", "--samples", "0", "--format", "json", "--skip-empty-references")
    assert scores(skipped) == WITHOUT
    assert skipped.err == "Note: 2 of 4 segments left out: all their references are empty.\n"
    assert json.loads(skipped.out)["options"]["skip_empty_references"] is True
    found = assay.score(folder, "wer", samples=0, skip_empty_references=True)
    assert {row["system"]: row["score"] for row in found.table("scores")} == WITHOUT


def test_they_go_together_with_where(command, folder):
    result = command(
        "score", folder, "-m", "wer", "--samples", "0", "--skip-empty-references", "--where", "domain=chat",
        "--format", "json",
    )  # fmt: skip
    # The last segment alone: 0, 1 and 2 of 4 words are wrong.
    assert scores(result) == {"one": 0.0, "two": 25.0, "three": 50.0}
    assert "1 of 2 segments left out" in result.err


def test_their_judgements_are_counted_among_those_not_used(command, folder):
    result = command("meta", folder, "-m", "wer", "--skip-empty-references", "--where", "domain=chat")
    # Three systems: two segments of news, and one of chat.
    assert (
        "3 of 12 judgements were used. Not used: 6 of segments that --where leaves out; 3 of segments whose references "
        "are all empty."
    ) in result.out
    agreed = command("agreement", folder, "--skip-empty-references")
    assert "6 are of segments whose references are all empty." in agreed.out


def test_compare_is_about_the_others(command, folder):
    result = command("compare", folder, "-m", "wer", "--skip-empty-references", "--format", "json")
    data = json.loads(result.out)
    assert {row["system"]: row["score"] for row in data["scores"]} == WITHOUT
    assert "2 of 4 segments left out" in result.err


def test_scores_of_other_programs_go_with_their_segments(folder):
    external = folder.parent / "other.tsv"
    values = {"one": (4, 9, 9, 3), "two": (3, 0, 0, 2), "three": (2, 0, 9, 1)}
    rows = [f"{name}\t{segment}\t{value}" for name, given in values.items() for segment, value in enumerate(given)]
    external.write_text("system\tsegment\tscore\n" + "\n".join(rows) + "\n")
    result = assay.meta_evaluate(folder, scores=[external], statistics="pearson", skip_empty_references=True, samples=0)
    # People say 91.5, 71.5 and 51.5 of the two that are left, the others 3.5, 2.5 and 1.5: on one line.
    (row,) = [row for row in result.table("results") if row["level"] == "system"]
    assert row["value"] == pytest.approx(1.0)


def test_scores_of_other_programs_alone_need_no_reference(folder, recwarn):
    external = folder.parent / "other.tsv"
    rows = [f"{name}\t{segment}\t{place - segment}" for place, name in enumerate(SYSTEMS) for segment in range(4)]
    external.write_text("system\tsegment\tscore\n" + "\n".join(rows) + "\n")
    assay.meta_evaluate(folder, scores=[external], statistics="pearson", samples=0)
    assert not [warning for warning in recwarn if "empty" in str(warning.message)]


def test_only_references_in_use_count(folder):
    (folder / "ref.B.txt").write_text("a\nb\nc\nd\n")
    # The second reference has words everywhere.
    assay.score(folder, "wer", samples=0)
    with pytest.warns(AssayWarning, match=SAID):
        assay.score(folder, "wer", samples=0, references="A")
    # Post-edits are no references to most metrics, and what hter is about.
    (folder / "ref.B.txt").rename(folder / "ref.pe.txt")
    with pytest.warns(AssayWarning) as caught:
        assay.score(folder, "hter,wer", samples=0)
    # That many are empty; that tokens differ; that post-edits are left aside.
    assert [SAID in str(warning.message) for warning in caught] == [True, False, False]
    assay.score(folder, "hter", samples=0)
    assay.score(folder, "wer", samples=0, references="pe")


@pytest.mark.parametrize(("empty", "all_segments", "said"), [(1, 99, True), (1, 100, False), (11, 2000, True)])
@pytest.mark.filterwarnings("ignore:In ")
def test_few_of_many_are_not_worth_a_word(empty, all_segments, said):
    references = [""] * empty + ["a b"] * (all_segments - empty)
    campaign = assay.Campaign("c", {"s": ["a b"] * all_segments}, {"A": references})
    notes = assay.score(campaign, "wer", samples=0).notes
    assert [remark.level for remark in notes] == ["warning"] * said


def test_nothing_left_is_an_error():
    campaign = assay.Campaign("c", {"s": ["a", "b"]}, {"A": ["", " "], "B": ["\t", ""]})
    wanted = r"^c: no segment is left, for all references \(A, B\) of all 2 segments are empty\."
    with pytest.raises(InputError, match=wanted):
        assay.score(campaign, "wer", skip_empty_references=True)


def test_judgements_alone_have_no_references(folder):
    with pytest.raises(ParameterError, match="--skip-empty-references chooses segments"):
        assay.agreement(folder / "human.tsv", skip_empty_references=True)


def test_a_segment_that_lacks_a_reference_has_none():
    from numpy import array

    present = {"A": array([True, False]), "B": array([False, False])}
    campaign = assay.Campaign("c", {"s": ["a b", "c"]}, {"A": ["a x", ""], "B": ["", ""]}, present=present)
    with pytest.warns(AssayWarning, match="1 of 2 segments left out"):
        (row,) = assay.score(campaign, "wer", samples=0, skip_empty_references=True).table("scores")
    assert row["score"] == 50.0


def test_blank_texts_are_found_by_whatever_white_space_they_hold():
    from assay.data.texts import Texts

    texts = ["", " ", "\t\u00a0", "\u2003\u3000", "a", " a", "あ", "\u2014", "\u200b", "\x85"]
    assert Texts.of(texts).blank().tolist() == [not text.strip() for text in texts]
    assert Texts.of([]).blank().tolist() == []
    many = ["x", " "] * 9000
    assert Texts.of(many).blank().sum() == 9000
