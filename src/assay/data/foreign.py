"""What is no text of ours: workbooks, archives, pictures, other encodings and mark-up, known by how they begin.

Such a file is refused with what it is; read as lines it would be scored as nonsense, or fail at some byte.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from assay.errors import InputError, Place

#: So many bytes from either end tell what a file is.
HEAD = 65_536
#: So many of them tell the encoding.
_SAMPLE = 4_096
_SHEET = "Save the sheet as TSV or CSV, and read that."
_DOCUMENT = "Save its text as plain lines in UTF-8, one segment per line."
_UNPACK = "Unpack it first."
_TABLE = "Write it as TSV, CSV or JSON Lines."
_LINES = "Write its segments as plain lines, one per line, or as a table (TSV, CSV, JSON Lines)."
_PICTURE = "Texts and tables are needed."


class _Kind(NamedTuple):
    """A kind of file: what it is called, and what to do."""

    name: str
    remedy: str
    #: How the names of such files end.
    endings: tuple[str, ...] = ()
    #: Whether it is mark-up that can be read under another name.
    is_ours: bool = False


_XLSX = _Kind("an XLSX workbook", _SHEET, (".xlsx", ".xlsm"))
_DOCX = _Kind("a Word document (DOCX)", _DOCUMENT, (".docx",))
_PPTX = _Kind("a PowerPoint file (PPTX)", _DOCUMENT, (".pptx",))
_ODS = _Kind("an OpenDocument spreadsheet (ODS)", _SHEET, (".ods",))
_ODT = _Kind("an OpenDocument text (ODT)", _DOCUMENT, (".odt",))
_NUMPY = _Kind("an archive of NumPy arrays (NPZ)", _TABLE, (".npz",))
_ZIP = _Kind("a zip archive", _UNPACK, (".zip",))
#: What stands near either end of a zip archive, and what the archive then is.
_ZIPPED = (
    (b"xl/workbook.", _XLSX), (b"word/document.", _DOCX), (b"ppt/presentation.", _PPTX),
    (b"opendocument.spreadsheet", _ODS), (b"opendocument.text", _ODT), (b".npy", _NUMPY),
)  # fmt: skip
_PARQUET = _Kind("a Parquet file", "Call it .parquet, or give the format by name: parquet.")
#: How files begin.
_MAGIC: tuple[tuple[bytes, _Kind], ...] = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", _Kind("an old Excel or Word file", _SHEET, (".xls", ".doc", ".ppt"))),
    (b"%PDF-", _Kind("a PDF", _DOCUMENT, (".pdf",))),
    (rb"{\rtf1", _Kind("an RTF document", _DOCUMENT, (".rtf",))),
    (b"\x1f\x8b\x08", _Kind("a gzip file", "Call it .gz, and it is unpacked on the way.")),
    (b"\x28\xb5\x2f\xfd", _Kind("a zstd file", "Call it .zst, and it is unpacked on the way.")),
    (b"\xfd7zXZ\0", _Kind("an xz file", _UNPACK, (".xz",))),
    (b"7z\xbc\xaf\x27\x1c", _Kind("a 7z archive", _UNPACK, (".7z",))),
    (b"Rar!\x1a\x07", _Kind("a RAR archive", _UNPACK, (".rar",))),
    (b"PAR1\x15", _PARQUET),
    (b"ARROW1\0\0", _Kind("an Arrow file", _TABLE, (".arrow", ".feather"))),
    (b"SQLite format 3\0", _Kind("an SQLite database", _TABLE, (".sqlite", ".db"))),
    (b"\x89HDF\r\n\x1a\n", _Kind("an HDF5 file", _TABLE, (".h5", ".hdf5"))),
    (b"\x93NUMPY", _Kind("a NumPy array (NPY)", _TABLE, (".npy",))),
    (b"\x89PNG\r\n\x1a\n", _Kind("a picture (PNG)", _PICTURE, (".png",))),
    (b"\xff\xd8\xff", _Kind("a picture (JPEG)", _PICTURE, (".jpg", ".jpeg"))),
    (b"II*\0", _Kind("a picture (TIFF)", _PICTURE)),
    (b"MM\0*", _Kind("a picture (TIFF)", _PICTURE, (".tiff",))),
    (b"\x7fELF", _Kind("a program", _PICTURE)),
    (b"\xde\x12\x04\x95", _Kind("a catalogue of translations (MO)", _LINES, (".mo",))),
    (
        b"version https://git-lfs.github.com/spec/",
        _Kind("a pointer of Git LFS, and the file itself has not been fetched", "Fetch it: git lfs pull"),
    ),
)
#: The same, where a few letters alone could begin a text.
_PATTERNS = (
    (re.compile(rb"\x80[\x02-\x05]"), _Kind("a Python pickle, which is never read", _TABLE, (".pkl", ".pickle"))),
    (re.compile(rb"BZh[1-9]1AY&SY"), _Kind("a bzip2 file", _UNPACK, (".bz2",))),
    (re.compile(rb"GIF8[79]a.{4,7}\0", re.DOTALL), _Kind("a picture (GIF)", _PICTURE, (".gif",))),
    (
        re.compile(rb"RIFF.{4}(WEBP|WAVE|AVI )", re.DOTALL),
        _Kind("a picture, a sound or a film", _PICTURE, (".webp", ".wav")),
    ),
    (
        re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|#[^\n]*\n)*msgid \""),
        _Kind("a catalogue of translations (PO)", _LINES, (".po", ".pot")),
    ),
    (
        re.compile(rb"(?:\xef\xbb\xbf)?(?:WEBVTT\s|\s*\d+\s+\d+:\d\d:\d\d[,.]\d+ --> )"),
        _Kind("subtitles", _LINES, (".srt", ".vtt")),
    ),
)
#: Mark-up, by its first element, behind declarations and comments.
_PROLOGUE = re.compile(
    rb"\s*(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE\b[^\[>]*(?:\[.*?\]\s*)?>\s*)*", re.DOTALL | re.IGNORECASE
)
_ELEMENT = re.compile(rb"<([A-Za-z_][\w.:-]*)[\s/>]")
_NIST = _Kind("NIST SGML", "Call it .sgm, or give the format by name: sgml.", is_ours=True)
_XLIFF = _Kind("XLIFF", _LINES, (".xlf", ".xliff", ".sdlxliff", ".mqxliff"))
_TMX = _Kind("TMX, a translation memory", _LINES, (".tmx",))
_HTML = _Kind("an HTML page", _DOCUMENT, (".html", ".htm", ".xhtml"))
_XML = _Kind("XML", _LINES, is_ours=True)
_ELEMENTS = {
    "xliff": _XLIFF, "tmx": _TMX, "html": _HTML, "mteval": _NIST, "srcset": _NIST, "refset": _NIST, "tstset": _NIST,
    "tbx": _Kind("TBX, a list of terms", _LINES, (".tbx",)),
    "ts": _Kind("a TS file of Qt Linguist", _LINES, (".ts",)),
    "tei": _Kind("TEI", _LINES),
    "martif": _Kind("TBX, a list of terms", _LINES),
    "dataset": _Kind("WMT's XML", "Call it .xml, or give the format by name: wmt-xml.", is_ours=True),
}  # fmt: skip
#: Elements that make a file mark-up without a declaration before them, and how a page begins; segments hold tags, too.
_UNDECLARED = ("xliff", "tmx", "mteval", "srcset", "refset", "tstset")
_PAGE = re.compile(rb"<html[^>]*>\s*<(head|body|!--)", re.IGNORECASE)
_UNICODE = (
    (b"\xff\xfe\0\0", "UTF-32"), (b"\0\0\xfe\xff", "UTF-32"), (b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"),
)  # fmt: skip
#: Other names that no format of ours has, and that a folder should not have by mistake.
_OTHERS = (".txt", ".json", ".tex", ".md", ".yaml", ".yml", ".tar", ".tgz", ".svg")


def endings() -> frozenset[str]:
    """How names of files end that are of no format of ours."""
    kinds = [_ZIP, *(kind for _, kind in (*_ZIPPED, *_MAGIC, *_PATTERNS)), *_ELEMENTS.values()]
    return frozenset(ending for kind in kinds for ending in kind.endings) | frozenset(_OTHERS)


def refusal(name: str, head: bytes, tail: bytes = b"", *, markup: bool = False) -> InputError | None:
    """What is said of a file that is no text, by its first and last bytes; None of one that may be.

    Where ``markup`` is expected, NIST's and WMT's is none of that.

    >>> print(refusal("a.txt", b"%PDF-1.7 ..."))
    a.txt: this looks like a PDF. Save its text as plain lines in UTF-8, one segment per line.
    """
    other = other_kind(name, head, tail, markup=markup)
    encoding = None if other is not None else _encoding(head)
    if encoding is None:
        return other
    remedy = f"Convert it: iconv -f {encoding} -t UTF-8"
    return InputError(f"the file is {encoding}, but text is UTF-8.", remedy, Place(name))


def other_kind(name: str, head: bytes, tail: bytes = b"", *, markup: bool = False) -> InputError | None:
    """The same of a file in any encoding: XML says its own."""
    kind = _binary(head, tail) or _marked(head)
    if kind is None or (markup and kind.is_ours):
        return None
    return InputError(f"this looks like {kind.name}.", kind.remedy, Place(name))


def _binary(head: bytes, tail: bytes) -> _Kind | None:
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        ends = head[:HEAD] + tail[-HEAD:]
        return next((kind for mark, kind in _ZIPPED if mark in ends), _ZIP)
    if head.startswith(b"PAR1") and tail.endswith(b"PAR1"):
        return _PARQUET
    if head[257:262] == b"ustar":
        return _Kind("a tar archive", _UNPACK)
    by_pattern = (kind for pattern, kind in _PATTERNS if pattern.match(head))
    return next((kind for mark, kind in _MAGIC if head.startswith(mark)), next(by_pattern, None))


def _marked(head: bytes) -> _Kind | None:
    """The mark-up that a file begins with. A segment may begin with a tag, too: not every tag makes a file mark-up."""
    start = head[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not start.startswith(b"<"):
        return None
    prologue = _PROLOGUE.match(start)
    behind = start[prologue.end() :] if prologue else start
    element = _ELEMENT.match(behind)
    name = element[1].decode().lower().rpartition(":")[2] if element else ""
    is_declared = start[:9].lower().startswith((b"<?xml", b"<!doctype"))
    return _ELEMENTS.get(name, _XML) if is_declared or name in _UNDECLARED or _PAGE.match(behind) else None


def _encoding(head: bytes) -> str | None:
    """The wider encoding that a file is in: its mark says so, or NUL bytes in every second or fourth place do."""
    marked = next((name for mark, name in _UNICODE if head.startswith(mark)), None)
    if marked is not None:
        return marked
    sample = head[: min(len(head), _SAMPLE) // 4 * 4]
    quarter = len(sample) // 4
    empty = [sample[place::4].count(0) for place in range(4)]
    if not quarter < sum(empty) < len(sample):
        return None
    # In UTF-32 two bytes of every four are empty; in UTF-16 letters of Latin scripts leave one of every two empty.
    if quarter in (min(empty[2:]), min(empty[:2])):
        return "UTF-32LE" if min(empty[2:]) == quarter else "UTF-32BE"
    little, big = empty[1] + empty[3], empty[0] + empty[2]
    if max(little, big) > 0.8 * quarter and min(little, big) < 0.1 * quarter:
        return "UTF-16LE" if little > big else "UTF-16BE"
    return None
