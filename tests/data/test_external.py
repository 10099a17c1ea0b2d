"""Scores of metrics that ran elsewhere: mt-metrics-eval's files and tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores, merge
from assay.data.formats.scores import read_scores
from assay.errors import AssayWarning, InputError

DATA = Path(__file__).parents[2].parent / "shared" / "data" / "wmt23-en-de"

CAMPAIGN = Campaign(
    "test",
    systems={"A": ["a", "b", "c"], "B": ["a", "b", "c"]},
    references={"ref": ["a", "b", "c"]},
    documents=("d2", "d1", "d2"),
    domains=("news", "chat", "news"),
)


def file(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def read(folder: Path, name: str, text: str) -> ExternalScores:
    (found,) = read_scores(file(folder, name, text), CAMPAIGN)
    return found


def test_blocks_of_segments_are_read_in_the_order_of_the_campaign(tmp_path: Path) -> None:
    found = read(tmp_path, "COMET-refA.seg.score", "B\t1\nA\t4.5\nB\t2\nB 3e-1\nA\t5\nA\t6\n")
    assert found.name == "COMET-refA"
    assert found.levels == ("segments",)
    assert found.segments is not None
    assert found.segments["B"].tolist() == [1.0, 2.0, 0.3]
    assert found.segments["A"].tolist() == [4.5, 5.0, 6.0]
    assert found.of_segments(np.array([2, 0])).segments["A"].tolist() == [6.0, 4.5]  # type: ignore[index]


def test_documents_come_in_their_order_and_domains_by_name(tmp_path: Path) -> None:
    documents = read(tmp_path, "m.doc.score", "A\t1\nA\t2\nB\t3\nB\t4\n").documents
    assert documents == {"A": {"d2": 1.0, "d1": 2.0}, "B": {"d2": 3.0, "d1": 4.0}}
    domains = read(tmp_path, "m.domain.score", "chat\tA\t1\nnews\tA\t2\nchat\tB\t3\nnews\tB\t4\n").domains
    assert domains == {"A": {"chat": 1.0, "news": 2.0}, "B": {"chat": 3.0, "news": 4.0}}


def test_files_of_a_folder_are_merged_by_metric(tmp_path: Path) -> None:
    file(tmp_path, "m.sys.score", "A\t1\nB\t2\n")
    file(tmp_path, "m.doc.score", "A\t1\nA\t2\nB\t3\nB\t4\n")
    file(tmp_path, "n.sys.score", "A\t1\nB\t2\n")
    first, second = read_scores(tmp_path, CAMPAIGN)
    assert (first.name, first.levels) == ("m", ("documents", "systems"))
    assert (second.name, second.systems) == ("n", {"A": 1.0, "B": 2.0})
    with pytest.raises(InputError, match=r"scores of 'n' for systems of 'A' are in .* as well"):
        merge([second, second])


def test_files_of_several_systems_are_merged_by_metric() -> None:
    one = ExternalScores("m", {"A": np.array([1.0])}, systems={"A": 1.0}, origin="a", spans={"A": ((),)})
    other = ExternalScores("m", {"B": np.array([2.0])}, origin="b", spans={"B": (None,)})
    (found,) = merge([one, other])
    assert (found.scored, found.systems, found.spans) == (("A", "B"), {"A": 1.0}, {"A": ((),), "B": (None,)})
    assert found.origin == "a and b"
    with pytest.raises(InputError, match="of 'm' higher is better in one file and lower in another"):
        merge([one, ExternalScores("m", {"B": np.array([2.0])}, higher_is_better=False)])


def test_systems_that_the_campaign_lacks_are_counted(tmp_path: Path) -> None:
    with pytest.warns(AssayWarning, match=r"2 scores are of systems that test does not have.*'C' \(1\), 'D' \(1\)"):
        found = read(tmp_path, "m.sys.score", "A\t1\nB\t2\nC\t3\nD\t4\n")
    assert found.systems == {"A": 1.0, "B": 2.0}
    stranger = file(tmp_path, "m.sys.score", "C\t3\n")
    with pytest.warns(AssayWarning), pytest.raises(InputError, match="no system of test has a score in it"):
        read_scores(stranger, CAMPAIGN)


def test_missing_scores_and_systems_are_counted(tmp_path: Path) -> None:
    with pytest.warns(AssayWarning) as caught:
        found = read(tmp_path, "m.seg.score", "A\t1\nA\tNone\nA\t-\n")
    assert found.missing == 2
    assert sorted(str(one.message).split(": ")[-1] for one in caught) == [
        "2 scores of 'm' are missing (A 2).",
        "B.",
    ]
    cells = [(metric, system, segment) for metric in "mn" for system in "AB" for segment in range(3)]
    rows = [f"{metric}\t{system}\t{segment}\t{segment or '-'}" for metric, system, segment in cells]
    with pytest.warns(AssayWarning) as caught:
        read_scores(file(tmp_path, "two.tsv", "\n".join(["metric\tsystem\tsegment\tscore", *rows, ""])), CAMPAIGN)
    assert [str(one.message).split(": ")[-1] for one in caught] == ["2 scores each of 'm', 'n' are missing (A 1, B 1)."]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("m.seg.score", "A\t1\nA\t2\n", "line 2: 'A' has 2 scores, but 3 are needed, one per segment"),
        ("m.seg.score", "A\t1\nA\t2\nA\t3\nA\t4\n", "line 4: 'A' has 4 scores, but 3 are needed, one per segment"),
        ("m.doc.score", "A\t1\n", "'A' has 1 scores, but 2 are needed, one per document of the campaign"),
        ("m.sys.score", "A\t1\nA\t2\n", "line 2: 'A' has 2 scores, but 1 are needed, one per system"),
        ("m.sys.score", "A\n", "line 1: 1 fields, but system and score are needed"),
        ("m.sys.score", "A\tgood\n", "line 1: the score is 'good'"),
        ("m.sys.score", "A\tinf\n", "line 1: the score is 'inf'"),
        ("m.sys.score", "", "m.sys.score: the file is empty"),
        ("m.tsv", "system\tscore\n", "there are no scores in it"),
        ("m.domain.score", "new\tA\t1\n", "line 1: the campaign has no domain 'new'. Did you mean 'news'?"),
        ("m.tsv", "metric\tscore\nm\t1\n", "line 1: no column 'system'"),
        ("m.tsv", "system\tsegment\nA\t1\n", "neither a column 'score' nor one column per metric"),
        ("m.tsv", "system\tx\tx\nA\t1\t1\n", "two columns are called 'x'"),
        ("m.tsv", "system\tsegment\tscore\nA\t3\t1\n", "line 2: the segment is '3', but the campaign has 3 segments"),
        ("m.tsv", "system\tsegment\tscore\nA\t0\t1\nA\t0\t1\n", "line 3: a second score of 'm' for segment 0 of 'A'"),
        ("m.tsv", "system\tscore\nA\n", "line 2: 1 fields, but the header has 2"),
    ],
)
def test_broken_files_are_named_by_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, text)
    assert message in str(caught.value)


def test_tables_are_long_or_wide(tmp_path: Path) -> None:
    long = read(tmp_path, "x.tsv", "metric\tsystem\tscore\nm\tA\t1\nm\tB\t2\n")
    assert (long.name, long.systems) == ("m", {"A": 1.0, "B": 2.0})
    first, second = read_scores(file(tmp_path, "w.csv", "system,m,n\nA,1,2\nB,3,4\n"), CAMPAIGN)
    assert (first.systems, second.systems) == ({"A": 1.0, "B": 3.0}, {"A": 2.0, "B": 4.0})
    rows = "".join(f"{system}\t{number}\t{number * 2}\n" for system in "AB" for number in (2, 0, 1))
    segments = read(tmp_path, "mine.tsv", f"system\tsegment\tscore\n{rows}").segments
    assert segments is not None
    assert segments["A"].tolist() == [0.0, 2.0, 4.0]


def test_segments_are_known_by_their_names(tmp_path: Path) -> None:
    named = Campaign("x", systems={"A": ["a", "b"]}, references={"r": ["a", "b"]}, segments=("1", "0"))
    (found,) = read_scores(file(tmp_path, "m.tsv", "system\tsegment\tscore\nA\t1\t7\nA\t0\t8\n"), named)
    assert found.segments is not None
    assert found.segments["A"].tolist() == [7.0, 8.0]


ALL_LEVELS = (
    "metric\tsystem\tsegment\tdocument\tdomain\tscore\n"
    "m\tA\t0\t-\t-\t0.1\nm\tA\t1\t-\t-\t-\nm\tA\t2\t-\t-\t3\nm\tB\t0\t-\t-\t0\nm\tB\t1\t-\t-\t1\nm\tB\t2\t-\t-\t2\n"
    "m\tA\t-\td2\t-\t1\nm\tA\t-\td1\t-\t2.5\nm\tB\t-\td2\t-\t1\nm\tB\t-\td1\t-\t2\n"
    "m\tA\t-\t-\tchat\t1\nm\tA\t-\t-\tnews\t2\nm\tB\t-\t-\tchat\t1\nm\tB\t-\t-\tnews\t2\n"
    "m\tA\t-\t-\t-\t0.3333333333333333\nm\tB\t-\t-\t-\t2\n"
)
ALL_FILES = {
    "m.seg.score": "A\t0.1\nA\tNone\nA\t3.0\nB\t0.0\nB\t1.0\nB\t2.0\n",
    "m.doc.score": "A\t1.0\nA\t2.5\nB\t1.0\nB\t2.0\n",
    "m.domain.score": "chat\tA\t1.0\nnews\tA\t2.0\nchat\tB\t1.0\nnews\tB\t2.0\n",
    "m.sys.score": "A\t0.3333333333333333\nB\t2.0\n",
}


@pytest.mark.parametrize("files", [{"all.tsv": ALL_LEVELS}, ALL_FILES], ids=["table", "folder"])
def test_a_table_and_a_folder_of_files_say_the_same_at_all_levels(tmp_path: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file(tmp_path, name, text)
    path = tmp_path / "all.tsv" if "all.tsv" in files else tmp_path
    with pytest.warns(AssayWarning, match="1 score of 'm' is missing"):
        (found,) = read_scores(path, CAMPAIGN)
    assert found.documents == {"A": {"d2": 1.0, "d1": 2.5}, "B": {"d2": 1.0, "d1": 2.0}}
    assert found.domains == {"A": {"chat": 1.0, "news": 2.0}, "B": {"chat": 1.0, "news": 2.0}}
    assert found.systems == {"A": 1 / 3, "B": 2.0}
    assert found.segments is not None
    np.testing.assert_array_equal(found.segments["A"], [0.1, np.nan, 3.0])
    np.testing.assert_array_equal(found.segments["B"], [0.0, 1.0, 2.0])


@pytest.mark.parametrize("score", ["1e308", "-2e30"])
def test_scores_that_cannot_be_added_up_are_refused_with_their_line(tmp_path: Path, score: str) -> None:
    text = f"A\t1\nB\t{score}\n"
    with pytest.raises(InputError, match=r"m.sys.score, line 2: the score is .*, but none may be larger than 1e\+30"):
        read_scores(file(tmp_path, "m.sys.score", text), CAMPAIGN)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the campaign is not at {DATA}")
def test_published_scores_of_a_campaign_are_read() -> None:
    with pytest.warns(AssayWarning) as caught:
        found = read_scores(DATA / "published_metrics_sys.tsv", assay.read(DATA))
    assert "12 scores are of systems that wmt23-en-de does not have" in str(caught[0].message)
    bleu = next(one for one in found if one.name == "BLEU-refA")
    assert bleu.levels == ("systems",)
    assert set(assay.read(DATA).systems) - set(bleu.systems or {}) <= {"refA"}
