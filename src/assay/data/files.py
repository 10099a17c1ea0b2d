"""Files: read whole, as bytes or as lines, plain or compressed with gzip or zstd, and written whole or not at all.

A line is a segment, in UTF-8. Large files of lines stay on disk. Of pipes only standard input is read, and those that
the shell makes for a command: others may never answer, and devices may never end. What is compressed is read in pieces,
and there is a limit to what may come of it.
"""

from __future__ import annotations

import io
import os
import re
import stat
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO
from weakref import WeakKeyDictionary

import numpy as np

from assay.data.foreign import HEAD, refusal
from assay.data.problems import LISTED, STRICT, GaveUp, Problems, note
from assay.data.texts import Bounds, FileTexts, Texts
from assay.errors import InputError, MissingExtra, ParameterError, Place, counted, nearest
from assay.kernels import scan_lines

#: How names of compressed files end.
COMPRESSED = (".gz", ".zst")
#: The content of files, in pieces: ``""`` is the file that was named, any other name one in the folder that was named.
Files = Mapping[str, Iterable[bytes]]
#: The byte order mark of UTF-8.
_MARK = b"\xef\xbb\xbf"
#: Files with more bytes stay on disk and are read slice by slice.
_LARGE = 64_000_000
#: So many bytes of a large file are checked at a time.
_CHUNK = 32_000_000
#: So many bytes may come of a compressed file, of standard input or of a Parquet file, unless somebody says otherwise.
_LARGEST = 2_000_000_000
#: So many times its own size may a compressed file be unpacked, from so many bytes on: texts shrink to a third or a
#: tenth, tables with many repeats to a fiftieth.
_RATIO, _HARMLESS = 200, 64_000_000
#: What the option that raises the limit is for.
LARGEST_HELP = "How much may come of a compressed or Parquet file, or a pipe, such as 8GB (default: 2GB)."
_largest: ContextVar[int | None] = ContextVar("largest", default=None)
_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,3})?) ?([kMGT]?)B?", re.IGNORECASE | re.ASCII)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
#: So much of a compressed file is unpacked at a time: no more than 32 MB can come of it, in either format.
_PIECE = 1024
#: How members of zip archives are compressed, by number, and what stands before each of them.
_DEFLATED = "deflated"
_MEMBERS = {0: "", 8: _DEFLATED, 93: ".zst"}
_LOCAL_HEADER = 30
#: So much of a stream is read at a time.
_BLOCK = 1_000_000
#: Pipes that the shell made for the command: ``<(zcat x.gz)`` is ``/dev/fd/63``.
_DESCRIPTOR = re.compile(r"/dev/stdin|/dev/fd/[0-9]+|/proc/self/fd/[0-9]+")
REMEDY = "Every file has one line per segment; an empty line stands for an empty segment."
#: What came from standard input, and from other pipes, by their numbers.
_kept: WeakKeyDictionary[BinaryIO, bytes] = WeakKeyDictionary()
_kept_pipes: dict[tuple[int, int], bytes] = {}


def plain_name(path: str | Path) -> str:
    """A path without the ending that says how it is compressed.

    >>> plain_name("sys.one.txt.zst"), plain_name("sys.one.txt")
    ('sys.one.txt', 'sys.one.txt')
    """
    name = str(path)
    ending = Path(name).suffix
    return name.removesuffix(ending) if ending in COMPRESSED else name


def byte_count(given: Any) -> int | None:
    """A number of bytes as people write it; None stays None.

    >>> byte_count("8GB"), byte_count("1.5 M"), byte_count(300)
    (8000000000, 1500000, 300)
    """
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and given > 0):
        return given
    matched = _SIZE.fullmatch(given.strip()) if isinstance(given, str) else None
    number = round(float(matched[1]) * _UNITS[matched[2].lower()]) if matched else 0
    if number < 1:
        raise ParameterError(f"largest is {given!r}, but it takes a size such as 500MB or 8GB.")
    return number


def largest() -> int | None:
    """How much may come of a file where somebody has said so."""
    return _largest.get()


@contextmanager
def reading_up_to(given: int | str | None) -> Iterator[None]:
    """Let so many bytes come of each file that is compressed, piped or Parquet; None leaves the limit as it is."""
    token = _largest.set(byte_count(given) or _largest.get())
    try:
        yield
    finally:
        _largest.reset(token)


def check_size(name: str, size: int, packed: int | None = None) -> None:
    """Refuse ``size`` bytes that come of a file if they are too many; ``packed`` are those it was unpacked of."""
    most, place = _largest.get() or _LARGEST, Place(name)
    if size > most:
        raise InputError(f"there are more than {_spelled(most)} in it, and that is the limit.", _raise_to(most), place)
    if packed is not None and _largest.get() is None and size > max(_HARMLESS, _RATIO * packed):
        what = (
            f"its first {_spelled(packed)} unpack to {_spelled(size)}, over {_RATIO} times as much, which no text does."
        )
        raise InputError(what, _raise_to(_LARGEST // 2), place)


def _raise_to(most: int) -> str:
    return f"If you trust it, raise the limit: --largest {_spelled(2 * most).replace(' ', '')}"


def _spelled(size: int) -> str:
    """A size as people read it.

    >>> _spelled(2_000_000_000), _spelled(1_500_000), _spelled(310)
    ('2 GB', '1.5 MB', '310 B')
    """
    unit = next((unit for unit in "tgmk" if size >= _UNITS[unit]), "")
    return f"{size / _UNITS[unit]:.3g} {unit.upper().replace('K', 'k')}B"


def read_bytes(path: str | Path) -> bytes:
    """The whole content, decompressed, or an error that says what is wrong with the file; ``-`` is standard input."""
    if is_stream(path):
        return _streamed(path)
    with _opened(path) as file:
        try:
            if Path(path).suffix not in COMPRESSED:
                return file.read()
            content = io.BytesIO()
            for piece in _expanded(path, file):
                content.write(piece)
            return content.getvalue()
        except OSError as error:
            raise _explain(path, error) from None


def read_members(path: str | Path, wanted: Callable[[str], bool]) -> dict[str, bytes]:
    """The members of a zip archive whose names are ``wanted``; of several of one name the last, as programs append.

    They may be stored, deflated or compressed with zstd, as Inspect's logs are, which ``zipfile`` refuses before 3.14.
    """
    content = read_bytes(path)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = {member.filename: member for member in archive.infolist() if wanted(member.filename)}
    except (zipfile.BadZipFile, ValueError, struct.error, NotImplementedError, OverflowError) as error:
        raise InputError(f"not a sound zip archive ({error}).", place=Place(str(path))) from None
    check_size(str(path), sum(member.file_size for member in members.values()), len(content))
    return {name: _member(path, content, member) for name, member in members.items()}


def _member(path: str | Path, content: bytes, member: zipfile.ZipInfo) -> bytes:
    """What one member of a zip archive holds: no more than it says of itself."""
    place = Place(str(path), part=member.filename)
    codec = _MEMBERS.get(member.compress_type)
    start = member.header_offset
    header = content[start : start + _LOCAL_HEADER]
    if codec is None or member.flag_bits & 1:
        how = "encrypted" if codec is not None else f"compressed by method {member.compress_type}"
        raise InputError(f"it is {how}, which is not read.", "Write the archive anew with another method.", place)
    if len(header) < _LOCAL_HEADER or not header.startswith(b"PK\3\4"):
        raise InputError("the archive has no such member where it says.", "Write it again.", place)
    # Behind the header stand the name and further fields, whose lengths are its last two numbers.
    start += _LOCAL_HEADER + sum(struct.unpack("<HH", header[-4:]))
    packed = content[start : start + member.compress_size]
    whole = io.BytesIO()
    for piece in _expanded(path, io.BytesIO(packed), ending=codec) if codec else [packed]:
        whole.write(piece)
    if whole.tell() != member.file_size or zlib.crc32(whole.getvalue()) != member.CRC:
        raise InputError("the member is not what the archive says of it: damaged.", "Write it again.", place)
    return whole.getvalue()


def read_head(path: str | Path) -> str:
    """How a file begins, as far as it can be decoded and without a byte order mark: enough to tell what it is.

    No more of it is read and decompressed than is needed.
    """
    return _head(path).removeprefix(_MARK).decode(errors="replace")


def require_text(path: str | Path) -> None:
    """Refuse a file that cannot be read, or that is no text by how it begins."""
    error = refusal(str(path), _head(path))
    if error is not None:
        raise error


def require_file(path: str | Path) -> None:
    """Refuse what cannot be opened, and say why."""
    _opened(path).close()


def _head(path: str | Path) -> bytes:
    if is_stream(path):
        return _streamed(path)[:HEAD]
    with _opened(path) as file:
        try:
            if Path(path).suffix not in COMPRESSED:
                return file.read(HEAD)
            start = b""
            for piece in _expanded(path, file, whole=False):
                start += piece
                if len(start) >= HEAD:
                    break
            return start[:HEAD]
        except OSError as error:
            raise _explain(path, error) from None


def is_stream(path: str | Path) -> bool:
    """Whether this is standard input, or a pipe that the shell made for the command."""
    if str(path) == "-":
        return True
    try:
        return _DESCRIPTOR.fullmatch(str(path)) is not None and not stat.S_ISREG(Path(path).stat().st_mode)
    except OSError:
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a folder is there; what cannot be looked at is none."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def entries(folder: str | Path) -> list[Path]:
    """What is in a folder, by name."""
    try:
        return sorted(Path(folder).iterdir())
    except OSError as error:
        raise _explain(folder, error) from None


def _streamed(path: str | Path) -> bytes:
    """All that comes of a stream. It is kept: who looks at how it begins has to read it, and that can be done once."""
    if str(path) == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise InputError("Standard input is closed, so - cannot be read.")
        stream = sys.stdin.buffer
        if stream not in _kept:
            _kept[stream] = _collected(stream, "-")
        return _kept[stream]
    try:
        with Path(path).open("rb") as file:
            state = os.fstat(file.fileno())
            key = state.st_dev, state.st_ino
            if key not in _kept_pipes:
                _kept_pipes[key] = _collected(file, str(path))
            return _kept_pipes[key]
    except OSError as error:
        raise _explain(path, error) from None


def _collected(stream: BinaryIO, name: str) -> bytes:
    content = io.BytesIO()
    while block := stream.read(_BLOCK):
        content.write(block)
        check_size(name, content.tell())
    return content.getvalue()


def _opened(path: str | Path) -> BinaryIO:
    """An ordinary file, open. All else is refused unopened: a pipe may never answer, and a device may never end."""
    place = Place(str(path))
    try:
        mode = Path(path).stat().st_mode
        if stat.S_ISREG(mode):
            return Path(path).open("rb")
    except OSError as error:
        raise _explain(path, error) from None
    except ValueError:
        raise InputError("no file can have such a name.", place=Place(repr(str(path)))) from None
    if stat.S_ISDIR(mode):
        raise InputError("this is a folder, but a file is needed.", place=place)
    if stat.S_ISFIFO(mode):
        remedy = f"Give it as standard input: - < {path}"
        raise InputError("this is a named pipe, which may never answer, and is not read.", remedy, place)
    what = "a socket" if stat.S_ISSOCK(mode) else "a device"
    raise InputError(f"this is {what}, which is not read.", "Give an ordinary file, or - for standard input.", place)


def _explain(path: str | Path, error: OSError) -> InputError:
    place = Place(str(path))
    if isinstance(error, FileNotFoundError):
        if Path(path).is_symlink():
            what = f"a link to {Path(path).readlink()}, which is not there."
            return InputError(what, "Has the file been fetched?", place)
        folder = Path(path).parent
        near = nearest(Path(path).name, [file.name for file in folder.iterdir()] if is_folder(folder) else [])
        guess = f"Did you mean {near!r}?" if near else ""
        return InputError("no such file or folder.", guess, place)
    return InputError(f"cannot be read ({error.strerror or error}).", place=place)


def _expanded(path: str | Path, file: BinaryIO, *, whole: bool = True, ending: str = "") -> Iterator[bytes]:
    """What comes of a compressed file, piece by piece, up to the limit; ``ending`` says how, if not the path.

    A frame of a ``whole`` file that stops short is an error, which not every reader notices.
    """
    _, decompressor, error_class = _codec(path, ending)
    packed, size = 0, 0
    frame, frames = decompressor(), 0
    while piece := file.read(_PIECE):
        packed += len(piece)
        while piece:
            if frame is None:
                # Archives on tapes are filled up with zeros.
                piece = piece.lstrip(b"\0")
                frame = decompressor() if piece else None
                continue
            try:
                content = frame.decompress(piece)
            except error_class as error:
                raise _unsound(path, error, ending) from None
            size += len(content)
            check_size(str(path), size, packed)
            yield content
            piece = frame.unused_data if frame.eof else b""
            frame, frames = (None, frames + 1) if frame.eof else (frame, frames)
    if whole and (frame is not None or not frames):
        raise _unsound(path, "it ends too early", ending)


def _unsound(path: str | Path, error: object, ending: str = "") -> InputError:
    if ending:
        what = f"not a sound zip archive: a member cannot be unpacked ({error})."
        return InputError(what, "Write it again.", Place(str(path)))
    kind = "gzip" if Path(path).suffix == ".gz" else "zstd"
    if "header" in str(error):
        error = f"it does not begin as {kind} files do"
    return InputError(f"not a sound {kind} file ({error}).", "Compress it again.", Place(str(path)))


def _codec(path: str | Path, ending: str = "") -> tuple[Any, Any, type[Exception]]:
    """What compresses, what decompresses a frame, and its error, for a file of that name or, if given, that ending.

    zstd is Python's own from 3.14 on, else the package zstandard. Members of archives have no headers of their own.
    """
    if ending == _DEFLATED:
        return None, partial(zlib.decompressobj, wbits=-15), zlib.error
    if (ending or Path(path).suffix) == ".gz":
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
    if not problems.lenient and not is_stream(path) and Path(path).suffix not in COMPRESSED:
        with _opened(path) as file:
            is_large = os.fstat(file.fileno()).st_size > _LARGE
        if is_large:
            return _scan_large(str(path))
    return texts_of(read_bytes(path), str(path), problems)


def texts_of(buffer: bytes, name: str, problems: Problems = STRICT, *, markup: bool = False) -> Texts:
    """The lines of a buffer; ``name`` is what errors call it, and ``markup`` says that mark-up is expected."""
    wrong = _refused(name, buffer, markup=markup)
    if wrong is not None:
        problems.add(wrong)
        raise GaveUp("Nothing can be read.")
    if problems.lenient:
        _tell_flaws(buffer, name, problems)
    elif buffer.startswith(_MARK):
        _mention_mark(name)
    buffer = buffer.removeprefix(_MARK)
    try:
        starts, ends = scan_lines(buffer)
    except ValueError as error:
        raise _flaw(name, *error.args) from None
    return Texts(buffer, starts, ends)


def _refused(name: str, buffer: bytes, *, markup: bool = False) -> InputError | None:
    """What is said of a buffer that is no text, or has carriage returns for line ends and so one segment."""
    error = refusal(name, buffer[:HEAD], buffer[-HEAD:], markup=markup)
    if error is not None or markup or b"\r" not in buffer or b"\n" in buffer:
        return error
    returns = counted(buffer.count(b"\r"), "line")
    what = f"{returns} end in a carriage return alone, which ends no line here; a line feed does."
    return InputError(what, f"Convert it: tr '\\r' '\\n' < {name} > NEW", Place(name))


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
        file = stack.enter_context(_opened(path))
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
            error = _refused(path, buffer)
            if error is not None:
                raise error
            if buffer.startswith(_MARK):
                _mention_mark(path)
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


def _mention_mark(name: str) -> None:
    """Say that a file begins with a byte order mark."""
    note(f"{name} begins with a byte order mark, which is not counted as text.")


def _flaw(name: str, line: int, column: int, byte: int) -> InputError:
    what, remedy = "a NUL byte.", "Is this a binary file, or UTF-16? Text is UTF-8 without NUL."
    if byte:
        what = f"the byte 0x{byte:02x} is not valid UTF-8."
        remedy = "Convert the file, for example: iconv -f ISO-8859-1 -t UTF-8"
    return InputError(what, remedy, Place(name, line, column))


def _tell_flaws(buffer: bytes, name: str, problems: Problems) -> None:
    """Everything that is wrong with the bytes of a text, which nobody reads further then."""
    before = problems.errors
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
    if "\0" in str(path):
        raise InputError("no file can have such a name.", place=Place(repr(str(path))))
    try:
        target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
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
    except (OSError, RuntimeError, UnicodeError) as error:
        # Links that lead to each other are a RuntimeError up to Python 3.12.
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"cannot be written ({reason}).", place=Place(str(path))) from None


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
                    (folder / name).parent.mkdir(parents=True, exist_ok=True)
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
