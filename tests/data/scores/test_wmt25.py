"""Files of WMT25's automatic scores."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.campaign import Campaign
from assay.data.conversion import convert
from assay.errors import AssayWarning, InputError, UnknownName

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "wmt25-scores"


def line(document: str, pair: str = "en-cs", **scores: object) -> str:
    return json.dumps({"language_pair": pair, "domain": "news", "document_id": document, "metric_scores": scores})


def write(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("".join(f"{one}\n" for one in lines))
    return path


def test_paragraphs_are_items_of_documents(tmp_path: Path) -> None:
    write(tmp_path, "A.jsonl", line("d2", m=[1, None], n=[3, 4]), line("d1", m=[5], n=[6]))
    write(tmp_path, "B.jsonl", line("d1", m=[7]), line("d2", m=[8, 9]))
    with pytest.warns(AssayWarning):
        campaign = assay.read(tmp_path)
    assert campaign.segments == ("d2:0", "d2:1", "d1:0")
    assert (campaign.documents, campaign.domains) == (("d2", "d2", "d1"), ("news",) * 3)
    segments = campaign.scores["m"].segments
    assert segments is not None
    np.testing.assert_array_equal(segments["A"], [1, np.nan, 5])
    np.testing.assert_array_equal(segments["B"], [8, 9, 7])
    assert campaign.scores["n"].scored == ("A",)


def test_a_campaign_has_the_paragraphs_where_its_documents_have_them(tmp_path: Path) -> None:
    texts = Campaign("x", {"A": ["a"] * 3}, {"r": ["a"] * 3}, documents=("d1", "d2", "d2"))
    path = write(tmp_path, "A.jsonl", line("d2", m=[1, 2]), line("d1", m=[3]))
    (found,) = assay.read_scores(path, texts)
    assert found.segments is not None
    assert found.segments["A"].tolist() == [3.0, 1.0, 2.0]
    with pytest.raises(InputError, match=r"line 1: the segment is '2' of document 'd2', which has 2, numbered from 0"):
        assay.read_scores(write(tmp_path, "A.jsonl", line("d2", m=[1, 2, 3])), texts)
    with pytest.raises(InputError, match=r"line 2: the campaign has no document 'd3'"):
        assay.read_scores(write(tmp_path, "A.jsonl", line("d1", m=[1]), line("d3", m=[3])), texts)


def test_one_pair_of_languages_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, "A.jsonl", line("d", m=[1]), line("d", "en-de", m=[2]))
    with pytest.raises(InputError, match=r"several language pairs: en-cs, en-de. Choose one \(--pair\)"):
        assay.read(path)
    segments = assay.read(path, pair="en-de").scores["m"].segments
    assert segments is not None
    assert segments["A"].tolist() == [2.0]
    with pytest.raises(UnknownName, match="no language pair 'en-fr'"):
        assay.read(path, pair="en-fr")
    assert convert(path, tmp_path / "x.tsv", pair="en-cs").content == "1 system, 0 references, 1 segment"
    named = Campaign("wmt25-en-cs", {"A": ["a"]}, {"r": ["a"]}, documents=("d",))
    (found,) = assay.read_scores(path, named)
    assert found.segments is not None
    assert found.segments["A"].tolist() == [1.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (line("d", m=[1, 2], n=[1]), "line 1: 1 scores of 'n', but 2 of 'm'"),
        (line("d", m=0.5), "line 1: the scores of 'm' are no list"),
        (line("d", m=["good"]), "line 1: score 0 of 'm' is 'good', but a number is needed"),
        (line("d", m=[True]), "line 1: score 0 of 'm' is True, but a number is needed"),
        (line("", m=[1]), "line 1: no document_id"),
        (
            line("d", m=[1]) + "\n" + line("d", m=[1]),
            "line 2: a second score of 'm' for segment 0 of document 'd' of 'A'",
        ),
        (line("d"), "there are no scores in it"),
    ],
)
def test_what_is_wrong_is_named_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(write(tmp_path, "A.jsonl", text))
    assert message in str(caught.value)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the scores are not at {DATA}")
def test_published_files_and_the_table_made_of_them_agree() -> None:
    with pytest.warns(AssayWarning, match=r"1 score of 'GEMBA-ESA-CMDA' is missing \(Gemma-3-12B 1\)"):
        table = assay.read(DATA / "en-cs_CZ.tsv.gz")
    # 384 paragraphs and 42 systems, as its README counts them.
    assert (len(table), len(table.systems), len(table.scores)) == (384, 42, 5)
    files = assay.read(DATA / "original", pair="en-cs_CZ")
    assert tuple(files.systems) == ("CUNI-DocTransformer", "ctpc_nlp")
    place = {name: number for number, name in enumerate(table.segments or ())}
    order = [place[name] for name in files.segments or ()]
    for metric, scores in files.scores.items():
        for system, values in (scores.segments or {}).items():
            theirs = table.scores[metric].segments
            assert theirs is not None
            np.testing.assert_array_equal(values, theirs[system][order])
