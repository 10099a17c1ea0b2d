"""Files: read whole, as bytes or as lines, plain or compressed with gzip or zstd, and written whole or not at all.

A line is a segment, in UTF-8. Large files of lines stay on disk.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO
from weakref import WeakKeyDictionary

import numpy as np

from assay.data.problems import LISTED, STRICT, Problems, note
from assay.data.texts import Bounds, FileTexts, Texts
from assay.errors import InputError, MissingExtra, Place, nearest
from assay.kernels import scan_lines

#: So many bytes tell what a file is.
_HEAD = 65_536
#: How names of compressed files end.
COMPRESSED = (".gz", ".zst")
#: The content of files, in pieces: ``""`` is the file that was named, any other name one in the folder that was named.
Files = Mapping[str, Iterable[bytes]]
#: The byte order mark of UTF-8, and with those of UTF-16.
_MARK = b"\xef\xbb\xbf"
_MARKS = (_MARK, b"\xff\xfe", b"\xfe\xff")
#: Files with more bytes stay on disk and are read slice by slice.
_LARGE = 64_000_000
#: So many bytes of a large file are checked at a time.
_CHUNK = 32_000_000
REMEDY = "Every file has one line per segment; an empty line stands for an empty segment."
#: What came from standard input.
_kept: WeakKeyDictionary[BinaryIO, bytes] = WeakKeyDictionary()


def plain_name(path: str | Path) -> str:
    """A path without the ending that says how it is compressed.

    >>> plain_name("sys.one.txt.zst"), plain_name("sys.one.txt")
    ('sys.one.txt', 'sys.one.txt')
    """
    name = str(path)
    ending = Path(name).suffix
    return name.removesuffix(ending) if ending in COMPRESSED else name


def read_bytes(path: str | Path) -> bytes:
    """The whole content, decompressed, or an error that says what is wrong with the file; ``-`` is standard input."""
    if str(path) == "-":
        return _standard_input()
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise _explain(path, error) from None
    return _decompressed(path, content) if Path(path).suffix in COMPRESSED else content


def read_head(path: str | Path) -> str:
    """How a file begins, as far as it can be decoded and without a byte order mark: enough to tell what it is.

    No more of it is read and decompressed than is needed.
    """
    if str(path) == "-":
        start = _standard_input()[:_HEAD]
    else:
        try:
            with Path(path).open("rb") as file:
                start = file.read(_HEAD)
        except OSError as error:
            raise _explain(path, error) from None
        if Path(path).suffix in COMPRESSED:
            start = _decompressed(path, start, whole=False)[:_HEAD]
    return start.removeprefix(_MARK).decode(errors="replace")


def _standard_input() -> bytes:
    """All of standard input. It is kept: who looks at how it begins has to read it, and it can be read once only."""
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("Standard input is closed, so - cannot be read.")
    stream = sys.stdin.buffer
    if stream not in _kept:
        _kept[stream] = stream.read()
    return _kept[stream]


def _explain(path: str | Path, error: OSError) -> InputError:
    if isinstance(error, FileNotFoundError):
        folder = Path(path).parent
        near = nearest(Path(path).name, [file.name for file in folder.iterdir()] if folder.is_dir() else [])
        guess = f"Did you mean {near!r}?" if near else ""
        return InputError("no such file or folder.", guess, Place(str(path)))
    if isinstance(error, IsADirectoryError):
        return InputError("this is a folder, but a file is needed.", place=Place(str(path)))
    return InputError(f"cannot be read ({error.strerror or error}).", place=Place(str(path)))


def _decompressed(path: str | Path, content: bytes, *, whole: bool = True) -> bytes:
    """All there is in a file. A frame of a whole file that stops short is an error, which not every reader notices."""
    _, decompressor, error_class = _codec(path)
    parts: list[bytes] = []
    while content or not parts:
        frame = decompressor()
        try:
            parts.append(frame.decompress(content))
        except error_class as error:
            raise _unsound(path, error) from None
        if not frame.eof:
            if whole:
                raise _unsound(path, "it ends too early")
            break
        content = frame.unused_data.lstrip(b"\0")
    return b"".join(parts)


def _unsound(path: str | Path, error: object) -> InputError:
    kind = "gzip" if Path(path).suffix == ".gz" else "zstd"
    if "header" in str(error):
        error = f"it does not begin as {kind} files do"
    return InputError(f"not a sound {kind} file ({error}).", "Compress it again.", Place(str(path)))


def _codec(path: str | Path) -> tuple[Any, Any, type[Exception]]:
    """What compresses, what decompresses a frame, and its error, for a file of that name.

    zstd is Python's own from 3.14 on, else the package zstandard.
    """
    if Path(path).suffix == ".gz":
        # Neither time nor name stands in it: the same content gives the same file.
        return partial(zlib.compressobj, wbits=31), partial(zlib.decompressobj, wbits=31), zlib.error
    try:
        zstd = import_module("compression.zstd")
        return zstd.ZstdCompressor, zstd.ZstdDecompressor, zstd.ZstdError
    except ImportError:
        try:
            package = import_module("zstandard")
        except ImportError:
            raise MissingExtra.of(f"{path}: zstd", "zst") from None
    return package.ZstdCompressor().compressobj, package.ZstdDecompressor().decompressobj, package.ZstdError


def read_lines(path: str | Path, problems: Problems = STRICT) -> Texts:
    """The lines of a file; ``-`` is standard input."""
    # What is not an ordinary file can only be read through.
    is_large = Path(path).is_file() and Path(path).stat().st_size > _LARGE
    if is_large and Path(path).suffix not in COMPRESSED and not problems.lenient:
        return _scan_large(str(path))
    return texts_of(read_bytes(path), str(path), problems)


def texts_of(buffer: bytes, name: str, problems: Problems = STRICT) -> Texts:
    """The lines of a buffer; ``name`` is what errors call it."""
    if problems.lenient:
        _tell_flaws(buffer, name, problems)
    elif buffer.startswith(_MARKS):
        _mention_mark(buffer, name)
    buffer = buffer.removeprefix(_MARK)
    try:
        starts, ends = scan_lines(buffer)
    except ValueError as error:
        raise _flaw(name, *error.args) from None
    return Texts(buffer, starts, ends)


def spell_lines(column: Texts | Sequence[str], path: str) -> Iterator[bytes]:
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
        if not starts and buffer.startswith(_MARKS):
            _mention_mark(buffer, path)
            position, buffer = len(_MARK), buffer.removeprefix(_MARK)
        # A line may go on in the next chunk.
        cut = buffer.rfind(b"\n") + 1 if chunk else len(buffer)
        whole, rest = buffer[:cut], buffer[cut:]
        try:
            chunk_starts, chunk_ends = scan_lines(whole)
        except ValueError as error:
            line, column, byte = error.args
            raise _flaw(path, line + lines, column, byte) from None
        starts.append(chunk_starts + position)
        ends.append(chunk_ends + position)
        lines += len(chunk_starts)
        position += len(whole)
        if not chunk:
            return np.concatenate(starts), np.concatenate(ends)


def _mention_mark(buffer: bytes, name: str) -> None:
    """Say that a buffer begins with a byte order mark; that of UTF-16 is an error."""
    if not buffer.startswith(_MARK):
        raise _foreign(name)
    note(f"{name} begins with a byte order mark, which is not counted as text.")


def _foreign(name: str) -> InputError:
    remedy = "Convert it: iconv -f UTF-16 -t UTF-8"
    return InputError("the file is UTF-16, but text is UTF-8.", remedy, Place(name, 1, 1))


def _flaw(name: str, line: int, column: int, byte: int) -> InputError:
    what, remedy = "a NUL byte.", "Is this a binary file, or UTF-16? Text is UTF-8 without NUL."
    if byte:
        what = f"the byte 0x{byte:02x} is not valid UTF-8."
        remedy = "Convert the file, for example: iconv -f ISO-8859-1 -t UTF-8"
    return InputError(what, remedy, Place(name, line, column))


def _tell_flaws(buffer: bytes, name: str, problems: Problems) -> None:
    """Everything that is wrong with the bytes of a text, which nobody reads further then."""
    before = problems.errors
    if buffer.startswith(_MARKS[1:]):
        problems.add(InputError(_foreign(name).what, place=_foreign(name).place))
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


def _compressed(path: str | Path, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Content as it is to stand in a file of that name."""
    if Path(path).suffix not in COMPRESSED:
        yield from chunks
        return
    compressor = _codec(path)[0]()
    for chunk in chunks:
        yield compressor.compress(chunk)
    yield compressor.flush()


def write_files(files: Files, path: str | Path, *, overwrite: bool = False, consent: str = "--force") -> list[Path]:
    """Write the file at ``path`` (under ``""``) and those beside it, or a folder of files there.

    Everything is written elsewhere first and then moved. What is there already is an error, or with ``overwrite``
    replaced; a folder is replaced only if it holds nothing else. Links are followed, and what is neither file nor
    folder (a pipe, a device) is written to as it is. ``consent`` is the option that says ``overwrite``.
    """
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as out:
                out.writelines(_compressed(target, _only_file(files, str(target))))
            return [target]
        if not target.resolve().parent.is_dir():
            raise InputError(f"cannot be written (no folder {target.parent}).", place=Place(str(target)))
        if "" not in files:
            _require_room(files, target, overwrite, consent)
            return _write_beside(files, target, target)
        named = {name or target.name: content for name, content in files.items()}
        for name in named:
            _require_free(target.parent / name, overwrite, consent)
        return _write_beside(named, target, target.parent)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror or error}).", place=Place(str(path))) from None


def put_out(files: Files) -> None:
    """Write what would be one file to standard output."""
    for chunk in _only_file(files, "standard output"):
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


def _only_file(files: Files, target: str) -> Iterable[bytes]:
    """The content of the file that was named, if there is no other."""
    if list(files) != [""]:
        raise InputError(f"There are {len(files)} files to write, and {target} can take one. Name a folder instead.")
    return files[""]


def _write_beside(files: Files, target: Path, folder: Path) -> list[Path]:
    """Write files to a folder of their own beside the target, and then put them into ``folder``, or in its place."""
    parent = target.resolve().parent
    with tempfile.TemporaryDirectory(".part", f".{target.name}.", parent, ignore_cleanup_errors=True) as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        for name, content in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            with (new / name).open("wb") as out:
                out.writelines(_compressed(name, content))
        try:
            if folder != target:
                for name in files:
                    (new / name).replace(folder / name)
            else:
                if target.exists():
                    target.replace(old)
                new.replace(target)
        except BaseException:
            if old.exists() and not target.exists():
                old.replace(target)
            raise
    return [folder / name for name in files]


def _require_free(target: Path, overwrite: bool, consent: str) -> None:
    """Refuse to write a file where something else is."""
    if target.is_dir():
        raise InputError("this is a folder, but a file is to be written there.", place=Place(str(target)))
    if os.path.lexists(target) and not overwrite:
        raise InputError(f"{target} is there already. Replace it with {consent}, or choose another name.")


def _require_room(files: Files, target: Path, overwrite: bool, consent: str) -> None:
    """Refuse to touch what is there and is not about to be written anew."""
    if Path(target).suffix in COMPRESSED:
        what = "a folder is written there, which cannot be compressed."
        raise InputError(what, "Leave out the ending.", Place(str(target)))
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise InputError("this is a file, but a folder is to be written there.", place=Place(str(target)))
    there = {str(file.relative_to(target)) for file in target.rglob("*") if not file.is_dir() or file.is_symlink()}
    if there and not overwrite:
        raise InputError(
            f"{target} is there already and is not empty. Replace it with {consent}, or choose another name."
        )
    others = sorted(there - files.keys())
    if others:
        listed = ", ".join(others[:5]) + (" ..." if len(others) > 5 else "")
        what = f"{target} holds files that would be lost: {listed}."
        raise InputError(f"{what} Remove them first, or choose another name.")
