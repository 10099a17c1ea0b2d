"""What is no text is refused with what it is, however it is called, and is never scored as lines."""

import gzip
import io
import os
import sqlite3
import subprocess
import sys
import tarfile
import zipfile

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from assay.data.conversion import convert, write
from assay.data.files import read_lines
from assay.data.foreign import refusal
from assay.data.formats import read
from assay.data.formats.judgements import read_judgements
from assay.data.validation import check_path
from assay.demo import CAMPAIGN
from assay.errors import InputError


def zipped(*names):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "<x/>" * 1000)
    return buffer.getvalue()


def parquet():
    buffer = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"reference": ["a"], "mine": ["b"]}), buffer)
    return buffer.getvalue()


def tar():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"), io.BytesIO(b""))
    return buffer.getvalue()


def sqlite(tmp_path):
    path = tmp_path / "made.db"
    with sqlite3.connect(path) as connection:
        connection.execute("create table a (b)")
    return path.read_bytes()


TEXT = "Zwei Häuser.\nDas ist ein Satz.\n"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
FOREIGN = {
    "an XLSX workbook": zipped("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/worksheets/sheet1.xml"),
    "a Word document": zipped("[Content_Types].xml", "word/document.xml"),
    "a PowerPoint file": zipped("[Content_Types].xml", "ppt/presentation.xml"),
    "a zip archive": zipped("a.txt"),
    "an old Excel or Word file": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512),
    "a PDF": b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n",
    "an RTF document": rb"{\rtf1\ansi Hello}",
    "a gzip file": gzip.compress(TEXT.encode()),
    "a zstd file": zstandard.compress(TEXT.encode()),
    "a bzip2 file": b"BZh91AY&SY\x94\x93",
    "an xz file": b"\xfd7zXZ\x00\x00\x04\xe6\xd6\xb4F",
    "a tar archive": tar(),
    "a Parquet file": parquet(),
    "a picture (PNG)": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a picture (JPEG)": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "a picture (GIF)": b"GIF89a\x01\0\x01\0\x80\0\0",
    "a Python pickle": b"\x80\x04\x95\x10",
    "a NumPy array": b"\x93NUMPY\x01\0v\0{'descr'",
    "XLIFF": f'{XML}<xliff version="1.2"><file><trans-unit><source>a</source></trans-unit></file></xliff>'.encode(),
    "TMX": f'{XML}<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n<tmx version="1.4"><body><tu><tuv><seg>a</seg></tuv>'.encode(),
    "an HTML page": b"<!DOCTYPE html>\n<html><head><title>a</title></head><body>b</body></html>\n",
    "NIST SGML": b'<refset setid="a" srclang="de" trglang="en">\n<doc docid="d"><seg id="1">a</seg></doc>\n</refset>\n',
    "WMT's XML": f'{XML}<dataset id="a"><doc id="d"/></dataset>'.encode(),
    "XML": f"{XML}<!-- what? --><something>a</something>".encode(),
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-16LE": TEXT.encode("utf-16-le"),
    "UTF-16BE": TEXT.encode("utf-16-be"),
    "UTF-32": TEXT.encode("utf-32"),
    "UTF-32LE": ("Привет, мир.\n" * 3).encode("utf-32-le"),
    "UTF-32BE": TEXT.encode("utf-32-be"),
    "a catalogue of translations (PO)": b'\xef\xbb\xbf# Deutsch\n#, fuzzy\n\nmsgid ""\nmsgstr "Language: de"\n',
    "subtitles": b"1\r\n00:00:01,000 --> 00:00:02,500\r\nHallo.\r\n",
    "a pointer of Git LFS": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
}
#: What such a file is called at home, where its name alone must not make a folder or a text of it.
ENDINGS = ("xlsx", "docx", "xlf", "tmx", "html", "pdf", "zip", "txt", "json", "ods", "sqlite", "png", "po")


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("name", ["sys.txt", "judged.tsv", "table.csv", "lines.jsonl", "scores.seg.score"])
def test_what_is_no_text_is_refused_with_what_it_is(tmp_path, kind, name):
    path = tmp_path / name
    path.write_bytes(FOREIGN[kind])
    said = f"the file is {kind}, but text is UTF-8" if kind.startswith("UTF") else f"this looks like {kind}"
    for attempt in (read_lines, read_judgements, read):
        with pytest.raises(InputError) as caught:
            attempt(path)
        assert said in str(caught.value), attempt
        assert str(path) in str(caught.value)
        # What to do is said, too.
        assert caught.value.remedy
    _, findings = check_path(path)
    assert [said in finding.message for finding in findings] == [True]


def test_a_database_is_refused(tmp_path):
    path = tmp_path / "sys.txt"
    path.write_bytes(sqlite(tmp_path))
    with pytest.raises(InputError, match="this looks like an SQLite database"):
        read_lines(path)


@pytest.mark.parametrize(
    "text",
    [
        "<b>Fett</b> ist das.",
        "<html> ist ein Element.",
        "<seg>a</seg>",
        "PK und PAR1 und BZh und GIF89a und %PDF",
        "PAR1",
        "GIF89a ist ein Format.",
        "<!-- ein Kommentar -->",
        "<?php echo 1 ?>",
        "<- links",
        "II. Teil",
        "MM*",
        "7z",
        "\ufeffPK",
        "ORC",
        "msgid und msgstr",
        "# msgid",
        "1",
        "WEBVTT-Dateien",
        "",
    ],
)
def test_a_text_that_only_looks_a_little_like_something_else_is_read(text):
    assert refusal("a.txt", f"{text}\nnoch eine Zeile\n".encode()) is None


def test_a_page_under_another_name_is_not_taken_for_a_campaign(tmp_path):
    for name, kind in (
        ("a.xml", "TMX"),
        ("a.xml", "XLIFF"),
        ("a.sgm", "TMX"),
        ("a.xml", "an HTML page"),
        ("a.sgm", "a zip archive"),
    ):
        path = tmp_path / name
        path.write_bytes(FOREIGN[kind])
        with pytest.raises(InputError, match=f"this looks like {kind}"):
            read(path)
    path = tmp_path / "a.parquet"
    path.write_bytes(FOREIGN["an XLSX workbook"])
    with pytest.raises(InputError, match="this looks like an XLSX workbook"):
        read(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_folder_is_made_under_the_name_of_a_file(tmp_path, ending):
    target = tmp_path / f"out.{ending}"
    for attempt in (lambda: write(read(CAMPAIGN), target), lambda: convert(CAMPAIGN, target)):
        with pytest.raises(InputError, match=rf"a campaign is not written as \.{ending}, and a folder of that name"):
            attempt()
    assert not target.exists()
    # Who means it says so.
    assert write(read(CAMPAIGN), target, output_format="folder")
    assert target.is_dir()


def test_a_name_with_a_point_is_a_folder_all_the_same(tmp_path):
    assert write(read(CAMPAIGN), tmp_path / "wmt23.en-de.v2")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("attempt", [read_lines, read_judgements, read, check_path])
def test_pipes_and_devices_are_refused_at_once(tmp_path, attempt):
    # Nobody writes into the pipe: whoever opened it would wait for ever.
    os.mkfifo(tmp_path / "pipe.tsv")
    with pytest.raises(InputError, match=r"pipe\.tsv: this is a named pipe, which may never answer, and is not read"):
        attempt(tmp_path / "pipe.tsv")
    for device in ("/dev/zero", "/dev/urandom", "/dev/null"):
        with pytest.raises(InputError, match=f"{device}: this is a device, which is not read"):
            attempt(device)


JUDGED = "system\tsegment\tdocument\trater\tscore\tkind\n" + "A\t0\td\tr\t1\tda\n" * 20_000
SCRIPT = """
import sys
import assay
from assay.data.formats.judgements import read_judgements
from assay.data.files import read_lines
print(len(read_judgements(sys.argv[1])), len(read_lines(sys.argv[1])))
"""


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="this system has no /dev/fd")  # noqa: PTH112
def test_a_pipe_of_the_shell_is_read_whole_though_it_is_looked_at_first():
    """``--judgements <(zcat x.gz)``: what tells the format is not lost, and the pipe can be named twice."""
    reading, writing = os.pipe()
    child = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, f"/dev/fd/{reading}"], pass_fds=[reading], stdout=subprocess.PIPE, text=True
    )
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(JUDGED.encode())
    assert child.communicate()[0].split() == ["20000", "20001"]
    standard = [sys.executable, "-c", SCRIPT, "/dev/stdin"]
    found = subprocess.run(standard, input=JUDGED, text=True, capture_output=True, check=True)
    assert found.stdout.split() == ["20000", "20001"]
