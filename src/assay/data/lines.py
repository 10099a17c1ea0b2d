"""Plain text: one segment per line, UTF-8, plain or compressed."""

from __future__ import annotations

import os
import re
import stat
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

import numpy as np

from assay import kernels
from assay.data.files import is_compressed, read_bytes, read_start
from assay.data.problems import LISTED, STRICT, Problems
from assay.data.texts import Bounds, Column, FileTexts, Texts
from assay.errors import AssayWarning, InputError, Place

#: The byte order mark of UTF-8, and those of other encodings.
_MARK = b"\xef\xbb\xbf"
_FOREIGN_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
#: Files with more bytes stay on disk and are read slice by slice.
_LARGE = 64_000_000
#: So many bytes of a large file are checked at a time.
_CHUNK = 32_000_000
REMEDY = "Every file has one line per segment; an empty line stands for an empty segment."


def read_lines(path: str | Path, problems: Problems = STRICT) -> Column:
    """The lines of a file; ``-`` is standard input."""
    size = _regular_size(path)
    if size is not None and size > _LARGE and not is_compressed(path) and not problems.lenient:
        return _scan_large(str(path))
    return texts_of(read_bytes(path), str(path), problems)


def read_head(path: str | Path) -> str:
    """How a file begins, as far as it can be decoded and without a byte order mark: enough to tell what it is."""
    return read_start(path).removeprefix(_MARK).decode(errors="replace")


def texts_of(buffer: bytes, name: str, problems: Problems = STRICT) -> Texts:
    """The lines of a buffer; ``name`` is what errors call it."""
    if problems.lenient:
        _tell_flaws(buffer, name, problems)
        buffer = buffer.removeprefix(_MARK)
    else:
        buffer = _without_mark(buffer, name)
    try:
        starts, ends = kernels.scan_lines(buffer)
    except ValueError as error:
        raise _flaw(name, *error.args) from None
    return Texts(buffer, starts, ends)


def spell_lines(column: Column | Sequence[str], path: str) -> Iterator[bytes]:
    """The content of a file that ``read_lines`` reads back as these texts.

    A text that ends with a carriage return needs lines that end as on Windows, or it would lose it.
    """
    end = "\r\n" if any(text.endswith("\r") for text in column) else "\n"
    for number, text in enumerate(column):
        if "\n" in text:
            what = f"segment {number} holds a line end, but here every line is a segment."
            raise InputError(what, "Write CSV or JSON Lines instead.", Place(path))
        if number == 0 and text.startswith("\ufeff"):
            # The first mark of a file is not text; this one is.
            yield _MARK
        yield (text + end).encode()


def _regular_size(path: str | Path) -> int | None:
    """The size of an ordinary file, or None for what can only be read through."""
    try:
        state = Path(path).stat()
    except OSError:
        return None
    return state.st_size if stat.S_ISREG(state.st_mode) else None


def _scan_large(path: str) -> FileTexts:
    """A large file as a column: its lines are checked chunk by chunk, and stay where they are."""
    with ExitStack() as stack:
        file = stack.enter_context(Path(path).open("rb"))
        modified = os.fstat(file.fileno()).st_mtime_ns
        starts, ends = _bounds(path, file)
        # From here on the column closes it.
        stack.pop_all()
    return FileTexts(path, file, starts, ends, modified)


def _bounds(path: str, file: BinaryIO) -> tuple[Bounds, Bounds]:
    starts: list[Bounds] = []
    ends: list[Bounds] = []
    position, lines, rest = 0, 0, b""
    while True:
        chunk = file.read(_CHUNK)
        buffer = rest + chunk
        if not starts:
            text = _without_mark(buffer, path)
            position, buffer = len(buffer) - len(text), text
        # A line may go on in the next chunk.
        cut = buffer.rfind(b"\n") + 1 if chunk else len(buffer)
        whole, rest = buffer[:cut], buffer[cut:]
        try:
            chunk_starts, chunk_ends = kernels.scan_lines(whole)
        except ValueError as error:
            line, column, byte = error.args
            raise _flaw(path, line + lines, column, byte) from None
        starts.append(chunk_starts + position)
        ends.append(chunk_ends + position)
        lines += len(chunk_starts)
        position += len(whole)
        if not chunk:
            return np.concatenate(starts), np.concatenate(ends)


def refuse_foreign(buffer: bytes, name: str) -> None:
    """Say so if a file is of another encoding, which its first bytes tell."""
    for mark, encoding in _FOREIGN_MARKS.items():
        if buffer.startswith(mark):
            what = f"the file is {encoding}, but text is UTF-8."
            raise InputError(what, f"Convert it: iconv -f {encoding} -t UTF-8", Place(name, 1, 1))


def _without_mark(buffer: bytes, name: str) -> bytes:
    refuse_foreign(buffer, name)
    if buffer.startswith(_MARK):
        message = f"{name} begins with a byte order mark, which is not counted as text."
        warnings.warn(message, AssayWarning, stacklevel=2)
    return buffer.removeprefix(_MARK)


def _flaw(name: str, line: int, column: int, byte: int) -> InputError:
    what, remedy = "a NUL byte.", "Is this a binary file, or UTF-16? Text is UTF-8 without NUL."
    if byte:
        what = f"the byte 0x{byte:02x} is not valid UTF-8."
        remedy = "Convert the file, for example: iconv -f ISO-8859-1 -t UTF-8"
    return InputError(what, remedy, Place(name, line, column))


def _tell_flaws(buffer: bytes, name: str, problems: Problems) -> None:
    """Everything that is wrong with the bytes of a text, which nobody reads further then."""
    before = problems.errors
    try:
        refuse_foreign(buffer, name)
    except InputError as error:
        problems.add(InputError(error.what, place=error.place))
        problems.stop(before)
    if buffer.startswith(_MARK):
        problems.warn("a byte order mark, which is not counted as text.", Place(name, 1))
        buffer = buffer.removeprefix(_MARK)
    windows = buffer.count(b"\r\n")
    if windows:
        line = buffer.count(b"\n", 0, buffer.index(b"\r\n")) + 1
        others = buffer.count(b"\n") - windows
        beside = f", and {others} in a line feed alone" if others else ""
        message = f"{windows} lines end as on Windows (CR LF){beside}; both are read as line ends."
        problems.warn(message, Place(name, line))
    for count, position in enumerate(_bad_bytes(buffer)):
        if count == LISTED:
            what = f"more than {LISTED} bytes are wrong; the others are not listed."
            problems.add(InputError(what, place=Place(name)))
            break
        start = buffer.rfind(b"\n", 0, position) + 1
        column = len(buffer[start:position].decode(errors="replace")) + 1
        flaw = _flaw(name, buffer.count(b"\n", 0, position) + 1, column, buffer[position])
        problems.add(InputError(flaw.what, place=flaw.place))
    problems.stop(before)


def _bad_bytes(buffer: bytes) -> list[int]:
    """Where bytes are wrong, in order; not many more of them than are listed."""
    bad = [nul.start() for nul in re.finditer(b"\0", buffer)][: LISTED + 1]
    position = 0
    while position < len(buffer) and len(bad) <= 2 * LISTED + 2:
        try:
            buffer[position:].decode()
            break
        except UnicodeDecodeError as error:
            bad.append(position + error.start)
            position += error.end
    return sorted(bad)
