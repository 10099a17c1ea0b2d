"""What libraries raise about a damaged file becomes an error with its place; thousands more are tried in tests/fuzz."""

import csv
import errno
import io
import os
import zlib
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from assay.cli.main import run
from assay.data import files
from assay.data.conversion import write
from assay.data.files import read_lines
from assay.data.formats import CampaignFormat, read
from assay.data.formats.judgements import guess_judgement_format, read_judgements
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.problems import STRICT
from assay.data.segmentation import ids_in
from assay.demo import CAMPAIGN
from assay.errors import InputError


def refused(path, *words, reading=read):
    with pytest.raises(InputError) as caught:
        reading(path)
    assert caught.value.place.file.startswith(str(path))
    for word in words:
        assert word in str(caught.value)


def parquet(path, **columns):
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), buffer, compression="none", use_dictionary=False)
    path.write_bytes(buffer.getvalue())


def test_parquet_with_a_text_that_is_no_utf_8(tmp_path):
    path = tmp_path / "a.parquet"
    for columns, reading in (
        ({"reference": ["ein Wort"], "mine": ["b"]}, read),
        ({"system": ["ein Wort"], "score": [1.0]}, read_judgements),
    ):
        parquet(path, **columns)
        path.write_bytes(path.read_bytes().replace(b"ein Wort", b"ein\xffWort"))
        refused(path, "not a sound Parquet file", "UTF8", reading=reading)


def test_parquet_that_was_cut_short(tmp_path):
    path = tmp_path / "a.parquet"
    parquet(path, reference=["a"], mine=["b"])
    whole = path.read_bytes()
    for size in (0, 3, 20, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:size])
        refused(path, "not a sound Parquet file")
        refused(path, "not a sound Parquet file", reading=read_judgements)


def test_columns_of_parquet_that_hold_no_texts(tmp_path):
    path = tmp_path / "a.parquet"
    for values in ([["a"]], [{"a": 1}], [b"\xff"], [1.5]):
        parquet(path, reference=["a"], mine=values)
        refused(path, "column 'mine': it holds", "but strings are needed")


def test_a_carriage_return_in_a_first_line_is_no_csv_and_harms_no_other_format(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_bytes(b'system\tsegment\tscore\tno\rte\nA\t0\t1\t"x\n')
    assert guess_judgement_format(path) == "assay"
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,"b\n')
    refused(path, "no known format of judgements", reading=read_judgements)


@pytest.mark.parametrize("encoding", ["utf-9", "x", "utf-7", "big5", "base64", "idna"])
def test_xml_in_an_encoding_that_is_not_read(tmp_path, encoding):
    path = tmp_path / "a.xml"
    path.write_text(f"<?xml version='1.0' encoding='{encoding}'?>\n<dataset><doc id='a'/></dataset>\n")
    refused(path, f"line 1, column 1: the encoding '{encoding}' is not read. Convert the file to UTF-8")


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-16", "iso-8859-1", "windows-1252", "us-ascii"])
def test_xml_in_other_encodings_is_read(tmp_path, encoding):
    path = tmp_path / "a.xml"
    text = "<dataset><doc id='a'><ref><seg id='1'>H{}user</seg></ref></doc></dataset>".format(
        "" if "ascii" in encoding else "ä"
    )
    path.write_bytes(f"<?xml version='1.0' encoding='{encoding}'?>\n{text}".encode(encoding))
    assert list(read(path).references["reference"]) == ["Huser" if "ascii" in encoding else "Häuser"]


@pytest.mark.parametrize("depth", [200, 100_000])
def test_json_that_is_nested_too_deeply_is_refused_with_its_line(tmp_path, depth):
    deep = "[" * depth + "]" * depth
    cases = {
        "annotations.jsonl": f'{{"user_id": "u", "annotation": [{deep}]}}\n',
        "judgements.jsonl": f'{{"system": {deep}, "score": 1}}\n',
        "campaign.jsonl": f'{{"reference": {deep}, "A": "x"}}\n',
    }
    for name, text in cases.items():
        path = tmp_path / name
        path.write_text(text)
        reading = (
            read
            if name.startswith("c")
            else lambda path: read_judgements(path, judgement_format_name=FORMATS[path.name])
        )
        with pytest.raises(InputError, match=rf"{name}, line 1: .*nested too deeply"):
            reading(path)


FORMATS = {"annotations.jsonl": "pearmut", "judgements.jsonl": "jsonl"}


def test_links_that_lead_to_each_other(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for reading in (read, read_lines, read_judgements):
        refused(tmp_path / "a", "cannot be read (Too many levels of symbolic links)", reading=reading)
    with pytest.raises(InputError, match=r"cannot be written \("):
        write(read(CAMPAIGN), tmp_path / "a")
    (tmp_path / "campaign").mkdir()
    (tmp_path / "campaign" / "ref.A.txt").symlink_to(tmp_path / "a")
    refused(tmp_path / "campaign", "ref.A.txt: cannot be read (Too many levels of symbolic links)")


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b"])
def test_names_that_no_file_can_have(name, capfd):
    for reading in (read, read_lines, read_judgements):
        with pytest.raises(InputError, match=r"cannot be read \(File name too long\)|no file can have such a name"):
            reading(name)
    assert run(["validate", name]) == 2
    assert "Assay itself" not in capfd.readouterr().err


def test_a_folder_that_nobody_may_look_into(tmp_path, monkeypatch):
    def forbidden(_):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "iterdir", forbidden)
    refused(tmp_path, "cannot be read (Permission denied)")


def test_a_disk_that_fails_while_it_is_read(tmp_path, monkeypatch):
    class Failing(io.BytesIO):
        def read(self, *_):
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    (tmp_path / "a.tsv").write_text("reference\tA\na\tb\n")
    monkeypatch.setattr(files, "_opened", lambda _: Failing())
    refused(tmp_path / "a.tsv", "cannot be read (Input/output error)")


@pytest.mark.parametrize(
    "raised",
    [
        OSError(5, "Input/output error"),
        EOFError("early"),
        csv.Error("field larger than field limit"),
        zlib.error("Error -3"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        RecursionError("maximum recursion depth exceeded"),
        LookupError("unknown encoding: x"),
        pyarrow.ArrowInvalid("Invalid: bad offsets"),
    ],
)
def test_one_door_turns_what_libraries_raise(raised):
    def broken(*_):
        raise raised

    for reader in (CampaignFormat(broken, broken).read, JudgementFormat(broken, broken, broken).read):
        with pytest.raises(InputError, match=r"^some\.file: ") as caught:
            reader("some.file", None, STRICT)
        assert caught.value.__cause__ is raised


@pytest.mark.parametrize(
    "raised",
    [KeyError("x"), TypeError("x"), IndexError("x"), AttributeError("x"), ValueError("x"), ZeroDivisionError()],
)
def test_mistakes_of_our_own_are_not_hidden(raised):
    def broken(*_):
        raise raised

    with pytest.raises(type(raised)) as caught:
        CampaignFormat(broken, broken).read("some.file", None, STRICT)
    assert caught.value is raised


def test_a_range_of_ids_does_not_fill_the_memory():
    assert ids_in("v.1-v.999999999") == ("v.1-v.999999999",)
    assert ids_in("v.1-v." + "9" * 5000) == ("v.1-v." + "9" * 5000,)
    assert ids_in("v.٣-v.٥") == ("v.٣-v.٥",)


def test_what_is_quoted_is_cut(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"system": "A", "score": 1, "segment": "' + "9" * 50_000 + '"}\n')
    with pytest.raises(InputError) as caught:
        read_judgements(path)
    assert len(str(caught.value)) < 1500
    assert str(caught.value).endswith("but a number from 0 on is needed, or null for none.")
