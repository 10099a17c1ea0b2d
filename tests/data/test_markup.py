"""NIST's SGML and WMT's XML: one file or several, matched by document and segment, and refused with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.data.formats.named_files import read_files
from assay.errors import InputError

SOURCE = """<srcset setid="test" srclang="en">
<doc docid="a" genre="news"><hl><seg id="1">one</seg></hl>
<p><seg id="2"> two
  lines </seg></p></doc>
<DOC DOCID=b genre="chat"><SEG ID=1>AT&T &lt;x&gt; &#x201C;q&#8221; &nbsp;</SEG></DOC>
</srcset>
"""
REFERENCES = """<!DOCTYPE mteval SYSTEM "mteval-xml-v1.5.dtd">
<!-- a comment
with <seg> -->
<refset setid="test" srclang="en" trglang="de">
<doc docid="b" sysid="first"><seg id="1">r-b1</seg></doc>
<doc docid="a" sysid="first"><seg id="2">r-a2</seg><seg id="1">r-a1</seg></doc>
<doc docid="a" sysid="second"><seg id="1">s-a1</seg><seg id="2"></seg></doc>
</refset>
"""
TRANSLATIONS = """<tstset setid="test" srclang="en" trglang="de" sysid="mine">
<doc docid="a"><seg id="1">t-a1</seg><seg id="2">t-a2</seg></doc>
<doc docid="b"><seg id="1">t-b1</seg></doc>
</tstset>
<tstset setid="test" sysid="theirs">
<doc docid="a"><seg id="1">u-a1</seg><seg id="2">u-a2</seg></doc>
<doc docid="b"><seg id="1">u-b1</seg></doc>
</tstset>
"""


def write(folder: Path, **files: str) -> dict[str, Path]:
    paths = {name: folder / f"{name}.sgm" for name in files}
    for name, text in files.items():
        paths[name].write_text(text, encoding="utf-8")
    return paths


def error_of(folder: Path, **files: str) -> str:
    paths = write(folder, **files)
    with pytest.raises(InputError) as caught:
        read_files([paths["tst"]], [paths["ref"]])
    return str(caught.value).replace(str(folder), "")


def test_sets_in_three_files_are_matched_by_document_and_segment(tmp_path: Path) -> None:
    paths = write(tmp_path, src=SOURCE, ref=REFERENCES, tst=TRANSLATIONS)
    campaign = read_files([paths["tst"]], [paths["ref"]], paths["src"])
    assert list(campaign.source or []) == ["one", "two lines", "AT&T <x> “q” &nbsp;"]
    assert {name: list(texts) for name, texts in campaign.references.items()} == {
        "first": ["r-a1", "r-a2", "r-b1"],
        "second": ["s-a1", "", ""],
    }
    assert {name: list(texts) for name, texts in campaign.systems.items()} == {
        "mine": ["t-a1", "t-a2", "t-b1"],
        "theirs": ["u-a1", "u-a2", "u-b1"],
    }
    # The second reference has an empty segment, and lacks another.
    assert campaign.present["second"].tolist() == [True, True, False]
    assert campaign.documents == ("a", "a", "b")
    assert campaign.domains == ("news", "news", "chat")


def test_sets_in_one_file_and_in_a_folder_are_a_campaign(tmp_path: Path) -> None:
    write(tmp_path, src=SOURCE, ref=REFERENCES, tst=TRANSLATIONS)
    folder = assay.read(tmp_path)
    whole = tmp_path / "whole.xml"
    whole.write_text("<mteval>" + SOURCE + REFERENCES + TRANSLATIONS + "</mteval>", encoding="utf-8")
    one = assay.read(whole)
    for campaign in (folder, one):
        assert list(campaign.systems) == ["mine", "theirs"]
        assert list(campaign.references["first"]) == ["r-a1", "r-a2", "r-b1"]


def test_lines_are_matched_with_sets_by_their_order(tmp_path: Path) -> None:
    paths = write(tmp_path, src=SOURCE, ref=REFERENCES)
    plain = tmp_path / "mine.txt"
    plain.write_text("1\n2\n3\n")
    campaign = read_files([plain], [paths["ref"]], paths["src"])
    assert list(campaign.systems["mine"]) == ["1", "2", "3"]
    plain.write_text("1\n2\n")
    with pytest.raises(InputError, match=r"mine\.txt: 2 lines, but .*src\.sgm has 3 segments"):
        read_files([plain], [paths["ref"]], paths["src"])


def test_files_with_one_name_are_told_apart_by_their_own(tmp_path: Path) -> None:
    first, second = TRANSLATIONS.split("<tstset", 2)[1:]
    paths = write(tmp_path, ref=REFERENCES, one=f"<tstset{first}", two=f"<tstset{second.replace('theirs', 'mine')}")
    campaign = read_files([paths["one"], paths["two"]], [paths["ref"]])
    assert list(campaign.systems) == ["one", "two"]


def test_a_test_set_may_be_a_reference_and_a_post_edit(tmp_path: Path) -> None:
    paths = write(tmp_path, ref=TRANSLATIONS, tst=TRANSLATIONS)
    campaign = read_files([paths["tst"]], [], targeted=[paths["ref"]])
    assert set(campaign.references) == campaign.targeted == {"mine", "theirs"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('id="1">t-a1', 'id="9">t-a1', "/tst.sgm, line 2: system 'mine' has a segment '9' of document 'a', which"),
        ("t-a1</seg>", "t-a1", "/tst.sgm: system 'mine' lacks 1 of 3 segments, the first of them segment '2'"),
        ('<seg id="2">t-a2', '<seg id="1">t-a2', "/tst.sgm, line 2: document 'a' has a segment '1' twice in system"),
        ('<doc docid="b"><seg id="1">t-b1</seg></doc>', "", "lacks 1 of 3 segments, the first of them segment '1' of"),
        ('docid="b"', "", "/tst.sgm, line 3, column 1: <doc> without docid"),
        ('<tstset setid="test" srclang="en" trglang="de" sysid="mine">', "", "line 2, column 1: <doc> outside of"),
        ('<doc docid="a">', "", "line 2, column 1: <seg> outside of <doc>"),
        ('<seg id="1">t-b1', "t-b1", "line 3, column 20: </seg> without <seg>"),
        (TRANSLATIONS, "plain", "/tst.sgm: no <seg> in a <srcset>, <refset> or <tstset>"),
    ],
)
def test_broken_sets_are_named_by_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert message in error_of(tmp_path, ref=REFERENCES, tst=TRANSLATIONS.replace(old, new, 1))


def test_a_segment_that_never_ends_is_named(tmp_path: Path) -> None:
    last = TRANSLATIONS.rindex("</seg>")
    text = TRANSLATIONS[:last] + TRANSLATIONS[last + 6 :]
    assert "/tst.sgm, line 7, column 16: <seg> without </seg>" in error_of(tmp_path, ref=REFERENCES, tst=text)


def test_a_test_set_alone_asks_for_references(tmp_path: Path) -> None:
    paths = write(tmp_path, tst=TRANSLATIONS)
    with pytest.raises(InputError, match=r"no <refset>\. Give references and translations together"):
        assay.read(paths["tst"])


XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="wmt">
<collection id="general">
<doc origlang="en" id="a" domain="news">
<src lang="en"><p><seg id="1">one</seg></p><p><seg id="2">two &amp; &#x201C;</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">eins</seg><seg id="2">zwei</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">uno</seg></p></ref>
<hyp system="mine" language="de"><p><seg id="1">ein</seg><seg id="2"/></p></hyp>
<supplemental type="clean"><p><seg id="1">1</seg><seg id="2">2</seg></p></supplemental>
</doc>
</collection>
<doc origlang="de" id="b" testsuite="hard">
<src lang="en"><p><seg id="1">three</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">drei</seg></p></ref>
<hyp system="mine"><p><seg id="1">3</seg></p></hyp>
<supplemental type="clean"><p><seg id="1">3</seg></p></supplemental>
</doc>
</dataset>
"""


def xml(folder: Path, text: str, name: str = "test.xml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_dataset_is_a_campaign(tmp_path: Path) -> None:
    campaign = assay.read(xml(tmp_path, XML))
    assert list(campaign.source or []) == ["one", "two & “", "three"]
    assert list(campaign.references["A"]) == ["eins", "zwei", "drei"]
    assert campaign.present["B"].tolist() == [True, False, False]
    assert list(campaign.systems["mine"]) == ["ein", "", "3"]
    assert campaign.documents == ("a", "a", "b")
    assert campaign.domains == ("news", "news", "")
    assert {name: list(texts) for name, texts in campaign.columns.items()} == {
        "clean": ["1", "2", "3"],
        "collection": ["general", "general", ""],
        "origlang": ["en", "en", "de"],
        "testsuite": ["", "", "hard"],
    }


def test_references_and_translations_in_files_of_their_own_share_the_source(tmp_path: Path) -> None:
    import re

    references = xml(tmp_path, re.sub("<hyp.*?</hyp>", "", XML), "ref.xml")
    translations = xml(tmp_path, re.sub("<ref.*?</ref>", "", XML), "hyp.xml")
    campaign = read_files([translations], [references])
    assert list(campaign.systems) == ["mine"]
    assert list(campaign.references) == ["A", "B"]
    other = xml(tmp_path, re.sub("<ref.*?</ref>", "", XML).replace("three", "four"), "other.xml")
    with pytest.raises(InputError, match=r"other\.xml, line 13: the source of segment '1' of document 'b' is another"):
        read_files([other], [references])
    with pytest.raises(InputError, match=r"hyp\.xml: no <ref>"):
        assay.read(translations)


BOMB = """<?xml version="1.0"?>
<!DOCTYPE dataset [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<dataset id="x"><doc id="a"><ref><seg id="1">&b;</seg></ref></doc></dataset>
"""
OUTSIDE = BOMB.replace('<!ENTITY a "lol">', '<!ENTITY a SYSTEM "file:///etc/passwd">')


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_document_types_are_refused_before_anything_is_expanded(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"test\.xml, line 2, column \d+: a document type"):
        assay.read(xml(tmp_path, text))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("eins</seg>", "eins", "test.xml, line 6, column "),
        ("eins", "e<b>i</b>ns", "line 6, column 47: <b> inside a segment"),
        ("eins", "ëë&uuml;ns", "line 6, column 48: not XML (undefined entity)"),
        ('id="a"', "", "line 4, column 1: <doc> without id"),
        ('type="clean"', "", "<supplemental> without type"),
        ('<hyp system="mine"><p><seg id="1">3</seg></p></hyp>', "", "system 'mine' lacks 1 of 3 segments"),
        ("<dataset", "<datasets", "not XML (mismatched tag)"),
        (XML, "<dataset/>", "no <seg> in a <src>, <ref> or <hyp>"),
        (XML, "<ref/>", "<ref> outside of <doc>"),
        (XML, "<dataset><seg/></dataset>", "<seg> outside of <src>"),
    ],
)
def test_broken_datasets_are_named_by_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        assay.read(xml(tmp_path, XML.replace(old, new, 1)))
    assert message in str(caught.value)
