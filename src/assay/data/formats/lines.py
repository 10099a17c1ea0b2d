"""Plain text: one segment per line, UTF-8, plain or compressed."""

from __future__ import annotations

import os
import stat
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO
from weakref import WeakKeyDictionary

import numpy as np

from assay import kernels
from assay.data.formats.compression import is_compressed, read_file, read_start
from assay.data.texts import Bounds, Column, FileTexts, Texts
from assay.errors import AssayWarning, InputError, nearest

#: Files above this stay on disk and are read slice by slice.
LARGE = 64_000_000
#: How much of a large file is checked at a time.
CHUNK = 32_000_000

MARK = b"\xef\xbb\xbf"
FOREIGN_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
#: What came from standard input.
_kept: WeakKeyDictionary[BinaryIO, bytes] = WeakKeyDictionary()
REMEDY = "Every file has one line per segment; an empty line stands for an empty segment."


def read_lines(path: str | Path) -> Column:
    """The lines of a file; ``-`` is standard input."""
    size = _regular_size(path)
    if size is not None and size > LARGE and not is_compressed(path):
        return _scan_large(str(path))
    return texts_of(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """The whole content, decompressed, or an error that says what is wrong with the file."""
    if str(path) == "-":
        return _standard_input()
    try:
        return read_file(path)
    except OSError as error:
        raise _explain(path, error) from None


def read_head(path: str | Path, size: int = 65536) -> str:
    """How a file begins, as far as it can be decoded and without a byte order mark: enough to tell what it is."""
    try:
        head = _standard_input()[:size] if str(path) == "-" else read_start(path, size)
    except OSError as error:
        raise _explain(path, error) from None
    return head.removeprefix(MARK).decode(errors="replace")


def _standard_input() -> bytes:
    """All of standard input. It is kept: who looks at how it begins has to read it, and it can be read once only."""
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("Standard input is closed, so - cannot be read.")
    stream = sys.stdin.buffer
    if stream not in _kept:
        _kept[stream] = stream.read()
    return _kept[stream]


def texts_of(buffer: bytes, name: str) -> Texts:
    """The lines of a buffer; ``name`` is what errors call it."""
    buffer = _without_mark(buffer, name)
    try:
        starts, ends = kernels.scan_lines(buffer)
    except ValueError as error:
        raise _flaw(name, *error.args) from None
    return Texts(buffer, starts, ends)


def require_same_length(column: Column, name: str, expected: int, other: str) -> Column:
    """``column``, if it has as many lines as the other file."""
    if len(column) != expected:
        raise InputError(f"{name}: {len(column)} lines, but {other} has {expected}. {REMEDY}")
    return column


def spell_lines(column: Column | Sequence[str], path: str) -> Iterator[bytes]:
    """The content of a file that ``read_lines`` reads back as these texts.

    A text that ends with a carriage return needs lines that end as on Windows, or it would lose it.
    """
    end = "\r\n" if any(text.endswith("\r") for text in column) else "\n"
    for number, text in enumerate(column):
        if "\n" in text:
            raise InputError(
                f"{path}: segment {number} holds a line end, but here every line is a segment. "
                "Write CSV or JSON Lines instead."
            )
        if number == 0 and text.startswith("\ufeff"):
            # The first mark of a file is not text; this one is.
            yield MARK
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
        chunk = file.read(CHUNK)
        buffer = rest + chunk
        if not starts:
            text = _without_mark(buffer, path)
            position, buffer = len(buffer) - len(text), text
        # A line may go on in the next chunk.
        cut = buffer.rfind(b"\n") + 1 if chunk else len(buffer)
        whole, rest = buffer[:cut], buffer[cut:]
        chunk_starts, chunk_ends = _scan_chunk(path, whole, lines)
        starts.append(chunk_starts + position)
        ends.append(chunk_ends + position)
        lines += len(chunk_starts)
        position += len(whole)
        if not chunk:
            return np.concatenate(starts), np.concatenate(ends)


def _scan_chunk(path: str, buffer: bytes, lines_before: int) -> tuple[Bounds, Bounds]:
    try:
        return kernels.scan_lines(buffer)
    except ValueError as error:
        line, column, byte = error.args
        raise _flaw(path, line + lines_before, column, byte) from None


def refuse_utf_16(path: str | Path) -> None:
    """Say so if this is what is wrong with a file."""
    _refuse_foreign(_standard_input()[:2] if str(path) == "-" else read_start(path, 2), str(path))


def _refuse_foreign(buffer: bytes, name: str) -> None:
    for mark, encoding in FOREIGN_MARKS.items():
        if buffer.startswith(mark):
            raise InputError(
                f"{name}, line 1, column 1: the file is {encoding}, but text is UTF-8. "
                f"Convert it: iconv -f {encoding} -t UTF-8"
            )


def _without_mark(buffer: bytes, name: str) -> bytes:
    _refuse_foreign(buffer, name)
    if buffer.startswith(MARK):
        warnings.warn(
            f"{name} begins with a byte order mark, which is not counted as text.", AssayWarning, stacklevel=2
        )
        return buffer[len(MARK) :]
    return buffer


def _flaw(name: str, line: int, column: int, byte: int) -> InputError:
    where = f"{name}, line {line}, column {column}"
    if byte == 0:
        return InputError(f"{where}: a NUL byte. Is this a binary file, or UTF-16? Text is UTF-8 without NUL.")
    return InputError(
        f"{where}: the byte 0x{byte:02x} is not valid UTF-8. Convert the file, "
        "for example: iconv -f ISO-8859-1 -t UTF-8"
    )


def _explain(path: str | Path, error: OSError) -> Exception:
    if isinstance(error, FileNotFoundError):
        folder = Path(path).parent
        siblings = [file.name for file in folder.iterdir()] if folder.is_dir() else []
        near = nearest(Path(path).name, siblings)
        return InputError(f"{path}: no such file or folder." + (f" Did you mean {near!r}?" if near else ""))
    if isinstance(error, IsADirectoryError):
        return InputError(f"{path}: this is a folder, but a file is needed.")
    return InputError(f"{path}: cannot be read ({error.strerror or error}).")
