"""Folders of mt-metrics-eval."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import zstandard

import assay
from assay.data.campaign import Campaign
from assay.data.conversion import write
from assay.data.formats import read
from assay.data.judgements import Judgement, Judgements
from assay.data.texts import Texts
from assay.errors import AssayWarning, InputError, ParameterError


def folder(path: Path, pair: str = "en-de") -> Path:
    files = {
        f"sources/{pair}.txt": "one\ntwo\n",
        f"documents/{pair}.docs": "news\ta\nchat b c\n",
        f"references/{pair}.refA.txt": "eins\nzwei\n",
        f"system-outputs/{pair}/mine.v1.txt": "ein\n\n",
        f"system-outputs/{pair}/refA.txt": "eins\nzwei\n",
    }
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def test_one_language_pair_is_found(tmp_path: Path) -> None:
    campaign = assay.read(folder(tmp_path / "wmt"))
    assert campaign.name == "wmt-en-de"
    assert list(campaign.systems) == ["mine.v1", "refA"]
    assert list(campaign.references["refA"]) == ["eins", "zwei"]
    assert campaign.documents == ("a", "b c")
    assert campaign.domains == ("news", "chat")


def test_one_of_several_language_pairs_is_chosen(tmp_path: Path) -> None:
    folder(folder(tmp_path), "en-cs_CZ")
    with pytest.raises(InputError, match=r"2 language pairs\. Choose one with --pair: en-cs_CZ, en-de"):
        assay.read(tmp_path)
    assert assay.read(tmp_path, pair="en-cs_CZ").name.endswith("-en-cs_CZ")
    with pytest.raises(InputError, match="no language pair 'en-fr'"):
        assay.read(tmp_path, pair="en-fr")


def test_a_pair_is_for_these_folders_alone(tmp_path: Path) -> None:
    (tmp_path / "ref.A.txt").write_text("a\n")
    with pytest.raises(ParameterError, match="--pair chooses languages in a folder of mt-metrics-eval"):
        assay.read(tmp_path, pair="en-de")


def test_texts_may_be_compressed_and_json(tmp_path: Path) -> None:
    folder(tmp_path)
    (tmp_path / "sources/en-de.txt").unlink()
    (tmp_path / "sources/en-de.txt.gz").write_bytes(gzip.compress(b"one\ntwo\n"))
    (tmp_path / "references/en-de.refA.txt").unlink()
    lines = "".join(json.dumps({"target": text}) + "\n" for text in ("eins", "zwei"))
    (tmp_path / "references/en-de.refA.jsonl.zst").write_bytes(zstandard.compress(lines.encode()))
    campaign = assay.read(tmp_path)
    assert list(campaign.source or []) == ["one", "two"]
    assert list(campaign.references["refA"]) == ["eins", "zwei"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("references/en-de.refA.txt", "eins\n", "refA.txt: 1 lines, but"),
        ("documents/en-de.docs", "news\ta\n", "en-de.docs: 1 lines, but"),
        ("documents/en-de.docs", "news\nnews\ta\n", "en-de.docs, line 1: 'news', but a domain and a document"),
        ("references/en-de.refB.jsonl", "{}\n{}\n", "refB.jsonl, line 1: no string 'target'"),
        ("references/en-de.refB.jsonl", "{\n", "refB.jsonl, line 1, column 2: not JSON"),
        ("references/en-de.refA.txt.gz", "", "both en-de.refA.txt and en-de.refA.txt.gz are there"),
    ],
)
def test_broken_folders_are_named_by_file_and_line(tmp_path: Path, name: str, text: str, message: str) -> None:
    folder(tmp_path)
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as caught:
        assay.read(tmp_path)
    assert message in str(caught.value)


def test_a_folder_without_any_pair_says_what_one_holds(tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    with pytest.raises(InputError, match=r"no language pair\. A folder of mt-metrics-eval holds"):
        assay.read(tmp_path)


def test_judgements_keep_their_number_from_a_folder_to_mt_metrics_eval_and_back(tmp_path: Path) -> None:
    campaign = Campaign(
        "test",
        systems={"a": Texts.of(["x", "y", "z"]), "b": Texts.of(["u", "v", "w"])},
        references={"refA": Texts.of(["r", "s", "t"])},
        human=Judgements.of([Judgement("a", 2, 80.0, "da"), Judgement("b", 0, -1.0, "mqm")], "test"),
    )
    write(campaign, tmp_path / "mt", output_format="mt-metrics-eval", pair="en-de")
    # A file of which nobody knows anything is no harm.
    (tmp_path / "mt/human-scores/en-de.sqm.seg.score").write_text("a\tNone\n" * 3)
    with pytest.warns(AssayWarning) as caught:
        found = read(tmp_path / "mt").judgements or ()
    assert [(one.system, one.segment, one.score, one.kind) for one in found] == [
        ("a", 2, 80.0, "da"),
        ("b", 0, -1.0, "mqm"),
    ]
    said = " ".join(str(one.message) for one in caught)
    assert said.count("left out were 2 lines with None, where nobody judged") == 2
    assert "en-de.sqm.seg.score: no judgements in it, only None." in said


def test_scores_of_domains_alone_are_written_as_such(tmp_path: Path) -> None:
    campaign = Campaign(
        "test",
        systems={"a": Texts.of(["x", "y"])},
        references={"refA": Texts.of(["r", "s"])},
        domains=("news", "chat"),
        human=Judgements.of([Judgement("a", None, 80.0, "da", document="news", further={"level": "domain"})], "test"),
    )
    write(campaign, tmp_path / "mt", output_format="mt-metrics-eval", pair="en-de")
    assert (tmp_path / "mt/human-scores/en-de.da.domain.score").read_text() == "news\ta\t80.0\n"
