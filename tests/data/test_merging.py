"""Texts that are split differently: joined to the smallest common segmentation, never split."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.data.segmentation import Split, common_segmentation, ids_in, merge, read_merged
from assay.errors import AssayWarning


def split(*cells: str) -> Split:
    """A text that says what it holds: its lines are the ids themselves."""
    return Split(list(cells), [ids_in(cell) for cell in cells])


def segments(**splits: Split) -> list[str]:
    return ["+".join(ids) for ids in common_segmentation(splits).segments]


def test_what_one_text_has_in_one_line_is_one_segment():
    assert segments(a=split("1", "2", "3", "4"), b=split("1", "2-3", "4")) == ["1", "2+3", "4"]


def test_overlapping_lines_join_all_that_they_touch():
    assert segments(a=split("1-2", "3", "4"), b=split("1", "2-3", "4")) == ["1+2+3", "4"]


def test_a_finer_text_is_joined():
    assert common_segmentation({"a": split("1", "2"), "b": split("1", "1", "2")}).places["b"] == (0, 0, 1)


def test_another_order_joins_what_lies_between():
    assert segments(a=split("1", "2", "3", "4"), b=split("1", "3", "2", "4")) == ["1", "2+3", "4"]


def test_what_a_text_lacks_joins_a_neighbour():
    # b has twice the words in 3 that one would expect, so those of 2 stand there.
    full = Split(["w w", "w w", "w w", "w w"], [("1",), ("2",), ("3",), ("4",)])
    lacking = Split(["w w", "w w w w", "w w"], [("1",), ("3",), ("4",)])
    assert segments(a=full, b=lacking) == ["1", "2+3", "4"]
    before = Split(["w w w w", "w w", "w w"], [("1",), ("3",), ("4",)])
    assert segments(a=full, b=before) == ["1+2", "3", "4"]


def test_every_line_lies_in_one_segment_and_no_cut_is_missing():
    generator = np.random.default_rng(5)
    for _ in range(50):
        cuts = {name: sorted({0, 12, *generator.integers(1, 12, 6).tolist()}) for name in "abc"}
        splits = {
            name: Split(
                ["w"] * (len(own) - 1),
                [tuple(map(str, range(low, high))) for low, high in pairwise(own)],
            )
            for name, own in cuts.items()
        }
        found = common_segmentation(splits)
        # A cut is common if every text has it.
        common = sorted(set(cuts["a"]) & set(cuts["b"]) & set(cuts["c"]))
        assert [int(ids[0]) for ids in found.segments] == common[:-1]


def test_a_campaign_is_merged_where_a_reference_has_no_words():
    judgements = Judgements.of([Judgement("s", segment, float(segment), "da") for segment in range(4)], "human.tsv")
    campaign = Campaign(
        name="gaps",
        systems={"s": ["s1", "", "s3", "s4"]},
        references={"A": ["a", "b", "c", "d"], "B": ["a", "b c", "", "d"]},
        documents=("x", "x", "x", "y"),
        segments=("v.1", "v.2", "v.3", "v.4"),
        human=judgements,
    )
    with pytest.warns(AssayWarning, match="Judgements of merged segments were of their parts"):
        found, merges = merge(campaign)
    assert list(found.references["A"]) == ["a", "b c", "d"]
    assert list(found.references["B"]) == ["a", "b c", "d"]
    assert list(found.systems["s"]) == ["s1", "s3", "s4"]
    assert found.segments == ("v.1", "v.2-v.3", "v.4")
    assert found.documents == ("x", "x", "y")
    assert found.judgements.segment.tolist() == [0, 1, 1, 2]
    assert list(merges) == ["v.2-v.3 (for ref.B)"]


def test_an_empty_translation_joins_nothing():
    campaign = Campaign(name="silent", systems={"s": ["", "b"]}, references={"A": ["a", "b"]})
    found, merges = merge(campaign)
    assert (len(found), merges) == (2, ())


def test_a_gap_may_stand_beside_what_nobody_has_words_for():
    found, merges = merge(Campaign("silent", {}, {"A": ["", "a", "b"], "B": ["", "", "a b"]}))
    assert [list(texts) for texts in found.references.values()] == [["", "a b"], ["", "a b"]]
    assert merges == ("1-2 (for ref.B)",)


def test_neighbours_with_one_label_are_joined():
    campaign = Campaign(
        name="docs", systems={}, references={"A": ["a", "b", "c"]}, documents=("x", "x", "y"), domains=("n", "m", "n")
    )
    with pytest.warns(AssayWarning, match="several values of domain, the first is 0-1"):
        found, _ = merge(campaign, by="document")
    assert list(found.references["A"]) == ["a b", "c"]
    assert found.domains == ("n", "n")
    with pytest.raises(assay.UnknownName, match="no column to choose segments by 'chapter'"):
        merge(campaign, by="chapter")


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "verses"
    path.mkdir()
    files = {
        "segments.txt": "v.1\nv.2\nv.3\nv.4\n",
        "docs.txt": "x\nx\nx\ny\n",
        "ref.A.txt": "one\ntwo\nthree\nfour\n",
        "ref.B.txt": "eins\nzwei drei\nvier\n",
        "segments.ref.B.txt": "v.1\nv.2-v.3\nv.4\n",
        "sys.s.txt": "un\ndeux\ntrois\nquatre\nencore\n",
        "segments.sys.s.txt": "v.1\nv.2\nv.3\nv.4\nv.4\n",
        "human.tsv": "system\tsegment\tdocument\trater\tscore\tkind\ns\t4\t-\tr\t7\tda\n",
    }
    for name, text in files.items():
        (path / name).write_text(text)
    return path


@pytest.mark.filterwarnings("ignore:Judgements of merged:assay.errors.AssayWarning")
def test_a_folder_says_for_each_text_what_its_lines_hold(folder):
    found, _ = read_merged(folder)
    assert list(found.references["A"]) == ["one", "two three", "four"]
    assert list(found.references["B"]) == ["eins", "zwei drei", "vier"]
    assert list(found.systems["s"]) == ["un", "deux trois", "quatre encore"]
    assert (found.segments, found.documents) == (("v.1", "v.2-v.3", "v.4"), ("x", "x", "y"))
    # The judgement is of the fifth line of the system's own text.
    assert found.judgements.segment.tolist() == [2]


def test_ids_that_do_not_fit_are_refused(folder):
    (folder / "segments.ref.B.txt").write_text("v.1\nv.2-v.3\n")
    with pytest.raises(assay.InputError, match=r"2 lines, but .*ref.B.txt has 3"):
        read_merged(folder)
    (folder / "segments.ref.B.txt").write_text("v.1\n\nv.4\n")
    with pytest.raises(assay.InputError, match="line 2: no id"):
        read_merged(folder)
    (folder / "segments.txt").unlink()
    (folder / "segments.ref.B.txt").write_text("v.1\nv.2-v.3\nv.4\n")
    with pytest.raises(assay.InputError, match=r"nothing says what the lines of ref.A.txt hold"):
        read_merged(folder)


@pytest.mark.filterwarnings("ignore:Judgements of merged:assay.errors.AssayWarning")
def test_merging_twice_is_merging_once(folder):
    once, _ = read_merged(folder)
    again, merges = merge(once)
    assert merges == ()
    assert again.segments == once.segments
    assert [list(texts) for texts in again.references.values()] == [list(t) for t in once.references.values()]
