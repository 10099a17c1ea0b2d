"""Folders of mt-metrics-eval."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zstandard

import assay
from assay.data.campaign import Campaign
from assay.data.conversion import write
from assay.data.formats import read
from assay.data.judgements import Judgement, Judgements
from assay.data.texts import Texts
from assay.data.validation import check_path
from assay.errors import AssayWarning, InputError, ParameterError
from data.campaign_folders import CAMPAIGNS
from oracles.mt_metrics_eval import EvalSet, RefusedError, load


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
        source=Texts.of(["1", "2", "3"]),
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
        source=Texts.of(["1", "2"]),
        domains=("news", "chat"),
        human=Judgements.of([Judgement("a", None, 80.0, "da", document="news", further={"level": "domain"})], "test"),
    )
    write(campaign, tmp_path / "mt", output_format="mt-metrics-eval", pair="en-de")
    assert (tmp_path / "mt/human-scores/en-de.da.domain.score").read_text() == "news\ta\t80.0\n"


def small(**more: Any) -> Campaign:
    """A campaign that mt-metrics-eval reads as it is; ``more`` changes it."""
    parts: dict[str, Any] = {
        "systems": {"a": ["x", "y", "z"], "b.2-c": ["u", "v", ""]},
        "references": {"refA": ["r", "s", "t"]},
        "source": ["1", "2", "3"],
        "documents": ("one", "one", "two"),
        "domains": ("news", "news", "chat"),
        "human": Judgements.of([Judgement("a", 2, 80.0, "da"), Judgement("b.2-c", None, -1.0, "mqm")], "test"),
    }
    return Campaign("test", **parts | more)


def judged(*judgements: Judgement) -> Judgements:
    return Judgements.of(judgements, "test")


def written(campaign: Campaign, folder: Path) -> tuple[EvalSet, str]:
    """What mt-metrics-eval reads of a campaign, and what was said of it."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", AssayWarning)
        write(campaign, folder, output_format="mt-metrics-eval", pair="en-de")
    return load(folder, "en-de"), "\n".join(str(one.message) for one in said)


def test_what_fits_is_read_by_mt_metrics_eval_without_a_word(tmp_path: Path) -> None:
    found, said = written(small(), tmp_path / "mt")
    assert said == ""
    assert (found.source, found.domains) == (["1", "2", "3"], ["news", "news", "chat"])
    assert found.documents == ["one", "one", "two"]
    assert found.systems == {"a": ["x", "y", "z"], "b.2-c": ["u", "v", ""]}
    assert found.human == {("da", "seg"): {"a": [None, None, 80.0]}, ("mqm", "sys"): {"b.2-c": [-1.0]}}
    assert check_path(tmp_path / "mt") == ("mt-metrics-eval", ())


def test_documents_are_in_one_piece_there(tmp_path: Path) -> None:
    documents = ("one", "a b", "one", "-", "a_b", "", "one")
    texts = list("1234567")
    campaign = small(
        systems={"a": texts}, references={"refA": texts}, source=texts, documents=documents, domains=None, human=None
    )
    found, said = written(campaign, tmp_path / "mt")
    assert found.documents == ["one", "a_b_2", "one_2", "-", "a_b", "-_2", "one_3"]
    assert "cannot read 1 name of documents: 'a b' is 'a_b_2'." in said
    assert "needs every document in one piece, and 1 is not: every piece is a document of its own, such as" in said
    assert "such as 'one_2' of 'one'." in said
    assert read(tmp_path / "mt").documents == ("one", "a_b_2", "one_2", "-", "a_b", "-", "one_3")


def test_judgements_of_documents_keep_to_those_in_one_piece(tmp_path: Path) -> None:
    campaign = small(
        documents=("torn", "w hole", "torn"),
        human=judged(
            Judgement("a", None, 1.0, "da", document="torn"),
            Judgement("a", None, 2.0, "da", document="w hole"),
            Judgement("a", None, 3.0, "da", document="nowhere"),
            Judgement("a", None, 4.0, "da", document="chat", further={"level": "domain"}),
            Judgement("a", None, 5.0, "da", document="law", further={"level": "domain"}),
        ),
    )
    found, said = written(campaign, tmp_path / "mt")
    assert found.documents == ["torn", "w_hole", "torn_2"]
    assert found.human["da", "doc"] == {"a": [None, 2.0, None]}
    # Domains are sorted: chat, news.
    assert found.human["da", "domain"] == {"a": [4.0, None]}
    assert "3 judgements of documents that are not there or not in one piece, or of unknown domains." in said


@pytest.mark.parametrize(("name", "judged_as"), [("A", "refA"), ("refA", "refA"), ("human-A", "human-A")])
def test_a_reference_that_was_judged_is_a_system_there(tmp_path: Path, name: str, judged_as: str) -> None:
    campaign = small(
        references={name: ["r", "s", "t"]},
        human=judged(Judgement(judged_as, 1, 7.0, "da"), Judgement("a", 0, 1.0, "da")),
    )
    found, said = written(campaign, tmp_path / "mt")
    # It is known as a person by having the name of the reference.
    (known,) = found.references
    assert known == name.replace("-", "_")
    assert found.systems[known] == ["r", "s", "t"]
    assert found.human["da", "seg"] == {known: [None, 7.0, None], "a": [1.0, None, None]}
    assert f"{judged_as!r} was judged, so that reference {name!r} is written as a system, too." in said


def test_judgements_of_systems_without_translations_have_no_place_there(tmp_path: Path) -> None:
    human = judged(Judgement("a", 0, 1.0, "da"), Judgement("HUMAN", 0, 2.0, "da"), Judgement("gone", None, 3.0, "da"))
    found, said = written(small(human=human), tmp_path / "mt")
    assert found.human == {("da", "seg"): {"a": [1.0, None, None]}}
    assert "2 judgements of systems without translations (HUMAN, gone)." in said


def test_names_are_changed_where_it_cannot_read_them(tmp_path: Path) -> None:
    campaign = small(
        systems={"my system": ["x", "y", "z"], "my_system": ["u", "v", "w"]},
        references={"v1.2": ["r", "s", "t"], "all": ["o", "p", "q"], "v1-2": ["l", "m", "n"], "pe.a": ["i", "j", "k"]},
        domains=("tv news", "tv news", "chat"),
        human=judged(Judgement("my system", 0, 1.0, "da")),
    )
    found, said = written(campaign, tmp_path / "mt")
    first = {name: texts[0] for name, texts in found.references.items()}
    assert first == {"v1_2": "r", "all_2": "o", "v1_2_2": "l", "pe_a": "i"}
    assert {name: texts[0] for name, texts in found.systems.items()} == {"my_system_2": "x", "my_system": "u"}
    assert found.domains == ["tv_news", "tv_news", "chat"]
    assert found.human["da", "seg"] == {"my_system_2": [1.0, None, None]}
    assert "post-edits that are references like others there: pe_a." in said
    assert "cannot read 4 names of references: 'v1.2' is 'v1_2', 'all' is 'all_2', 'v1-2' is 'v1_2_2' ...." in said


def test_texts_that_are_missing_say_so_and_come_back(tmp_path: Path) -> None:
    campaign = small(
        source=None,
        references={"refA": ["r", "", ""], "refB": ["u", "v", "w"]},
        present={"refA": np.array([True, False, True])},
    )
    found, said = written(campaign, tmp_path / "mt")
    assert found.source == [None, None, None]
    assert found.references["refA"] == ["r", None, ""]
    assert "mt-metrics-eval needs a source: every line of it says that there is none." in said
    after = read(tmp_path / "mt")
    assert after.source is None
    assert after.present["refA"].tolist() == [True, False, True]
    assert [*after.references["refA"]] == ["r", "", ""]


def test_translations_that_are_missing_count_as_empty(tmp_path: Path) -> None:
    written(small(), tmp_path / "mt")
    (tmp_path / "mt/system-outputs/en-de/a.txt").write_text("x\n[No translation supplied]\nz\n")
    with pytest.warns(AssayWarning, match=r"1 translation of 'a' missing .* counted as empty"):
        campaign = read(tmp_path / "mt")
    assert [*campaign.systems["a"]] == ["x", "", "z"]


def test_texts_with_line_ends_are_json_there(tmp_path: Path) -> None:
    campaign = small(
        systems={"a": ["x\ry", "y", "z\r"]}, references={"refA": ["r\n", "", "t"]}, human=None,
        present={"refA": np.array([True, False, True])},
    )  # fmt: skip
    found, _ = written(campaign, tmp_path / "mt")
    assert found.systems["a"] == ["x\ry", "y", "z\r"]
    assert found.references["refA"] == ["r\n", None, "t"]
    after = read(tmp_path / "mt")
    assert [*after.systems["a"]] == ["x\ry", "y", "z\r"]
    assert after.present["refA"].tolist() == [True, False, True]


def test_nothing_is_written_for_it_without_a_reference(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mt-metrics-eval reads no folder without references"):
        written(small(references={}), tmp_path / "mt")


#: What is written into which file, the line where it is wrong, and what of it is said.
DAMAGES = {
    "no source": ("sources/en-de.txt", None, None, "needs this file, and it is not there"),
    "no documents": ("documents/en-de.docs", None, None, "needs this file, and it is not there"),
    "no reference": ("references/en-de.refA.txt", None, None, "needs a reference"),
    "torn": ("documents/en-de.docs", "n a\nn b\nn a\n", 3, "needs every document in one piece, and 'a' begins again"),
    "blank": ("documents/en-de.docs", "n\ta b\nn\tc d\nn\ta e\n", 3, "in one piece, and 'a' begins again"),
    "compressed": ("references/en-de.refB.txt.gz", "1\n2\n3\n", None, "reads no compressed files"),
    "dash": ("references/en-de.ref-B.txt", "1\n2\n3\n", None, "takes no blank, . or - in the name of a reference"),
    "dot": ("references/en-de.v.refA.txt", "1\n2\n3\n", None, "takes no blank, . or - in the name of a reference"),
    "all": ("references/en-de.all.txt", "1\n2\n3\n", None, "nor all or src"),
    "return": ("system-outputs/en-de/a.txt", "1\n2\r2\n3\n", 2, "takes the carriage return in this line for its end"),
    "stranger": ("human-scores/en-de.x.sys.score", "a 1\nHUMAN None\n", 2, "and 'HUMAN' is not there"),
    "words": ("human-scores/en-de.x.sys.score", "a\t1\nb c\t1\n", 2, "finds too many or too few words here"),
    "level": ("human-scores/en-de.x.word.score", "a 1\n", None, "takes the word before .score for the level"),
    "domain": ("human-scores/en-de.x.domain.score", "law a 1\n", 1, "and 'law' is none"),
    "metric's name": ("metric-scores/en-de/BLEU.sys.score", "a 1\nb.2-c 2\n", None, "behind the last -"),
    "reference": ("metric-scores/en-de/BLEU-refB.sys.score", "a 1\nb.2-c 2\n", None, "of a metric: refA, all, src"),
    "None": ("metric-scores/en-de/BLEU-refA.sys.score", "a 1\nb.2-c None\n", 2, "needs a number for every score"),
    "system": ("metric-scores/en-de/BLEU-src.sys.score", "a 1\n", None, "needs 1 score of 'b.2-c', and there are 0"),
    "too few": ("metric-scores/en-de/X-all.doc.score", "a 1\na 2\nb.2-c 1\n", None, "needs 2 scores of 'b.2-c'"),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_mt_metrics_eval_refuses_is_an_error(tmp_path: Path, damage: str) -> None:
    name, text, line, message = DAMAGES[damage]
    folder = tmp_path / "mt"
    written(small(), folder)
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).unlink(missing_ok=True)
    if text is not None:
        content = text.encode()
        (folder / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    with pytest.raises(RefusedError):
        load(folder, "en-de")
    _, findings = check_path(folder)
    told = [one for one in findings if "mt-metrics-eval" in one.message and message in one.message]
    assert [(one.severity, one.place.line) for one in told] == [("error", line)]


@pytest.mark.parametrize("name", ["human-scores/en-de.x.seg.score", "metric-scores/en-de/BLEU-refA.seg.score"])
def test_a_score_file_that_is_no_text_is_one_error(tmp_path: Path, name: str) -> None:
    written(small(), tmp_path / "mt")
    (tmp_path / "mt" / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "mt" / name).write_bytes(b"a\t1\na\t\xff\na\t2\n")
    assert [(one.place.line, one.severity) for one in check_path(tmp_path / "mt")[1]] == [(2, "error")]


@pytest.mark.skipif(not CAMPAIGNS.is_dir(), reason="real campaigns stand beside the repository")
@pytest.mark.parametrize(
    ("name", "pair", "documents", "judged_systems"),
    # Before, mt-metrics-eval refused all of these: documents in pieces, HUMAN and wmtref without texts, no source.
    [("mlqe-pe-et-en", "et-en", 3963, 1), ("wmt21-ru-en-da", "ru-en", 107, 10), ("ort20-en-cs", "en-cs", 1, 12),
     ("bible-de/mark", "el-de", 16, 0)],
)  # fmt: skip
def test_real_campaigns_are_read_by_it(
    tmp_path: Path, name: str, pair: str, documents: int, judged_systems: int
) -> None:
    campaign = read(CAMPAIGNS / name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssayWarning)
        write(campaign, tmp_path / "mt", output_format="mt-metrics-eval", pair=pair)
    found = load(tmp_path / "mt", pair)
    assert len(found.source) == len(campaign)
    assert len(set(found.documents)) == documents
    assert found.systems.keys() == campaign.systems.keys()
    assert all(len(scores) == judged_systems for scores in found.human.values())
