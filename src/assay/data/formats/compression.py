"""Files compressed with gzip or zstd: known by how their names end, and read and written as if they were not."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.errors import InputError, MissingExtra

ENDINGS = (".gz", ".zst")


def plain_name(path: str | Path) -> str:
    """A path without the ending that says how it is compressed.

    >>> plain_name("sys.one.txt.zst"), plain_name("sys.one.txt")
    ('sys.one.txt', 'sys.one.txt')
    """
    name = str(path)
    return name.removesuffix(Path(name).suffix) if Path(name).suffix in ENDINGS else name


def is_compressed(path: str | Path) -> bool:
    """Whether the name says so."""
    return Path(path).suffix in ENDINGS


def read_file(path: str | Path) -> bytes:
    """The content of a file, decompressed if its name says so; operating system errors pass through."""
    content = Path(path).read_bytes()
    if Path(path).suffix == ".gz":
        try:
            return gzip.decompress(content)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise _unsound(path, error) from None
    return _without_zstd(path, content) if Path(path).suffix == ".zst" else content


def read_start(path: str | Path, size: int) -> bytes:
    """How the content of a file begins; no more of it is read and decompressed than is needed."""
    ending = Path(path).suffix
    with Path(path).open("rb") as file:
        if ending not in ENDINGS:
            return file.read(size)
        decompressor, error_class = (zlib.decompressobj(wbits=31), zlib.error) if ending == ".gz" else _zstd(path)
        found = b""
        try:
            while len(found) < size and not decompressor.eof and (chunk := file.read(size)):
                found += decompressor.decompress(chunk)
        except error_class as error:
            raise _unsound(path, error) from None
    return found[:size]


def _unsound(path: str | Path, error: object) -> InputError:
    kind = "gzip" if Path(path).suffix == ".gz" else "zstd"
    return InputError(f"{path}: not a sound {kind} file ({error}). Compress it again.")


def _zstd(path: str | Path) -> tuple[Any, type[Exception]]:
    reader, error_class = _zstd_reader(path)
    return reader(), error_class


def _without_zstd(path: str | Path, content: bytes) -> bytes:
    """All frames of a zstd file. A frame that stops short is an error, which not every reader notices."""
    decompressor, error_class = _zstd_reader(path)
    parts: list[bytes] = []
    rest = content
    while rest or not parts:
        frame = decompressor()
        try:
            parts.append(frame.decompress(rest))
        except error_class as error:
            raise _unsound(path, error) from None
        if not frame.eof:
            raise _unsound(path, "it ends too early")
        rest = frame.unused_data
    return b"".join(parts)


def _zstd_reader(path: str | Path) -> tuple[Any, type[Exception]]:
    """What decompresses a frame, and its error: Python's own from 3.14 on, else the package zstandard."""
    try:
        own = import_module("compression.zstd")
    except ImportError:
        package = _zstandard(path)
        return package.ZstdDecompressor().decompressobj, package.ZstdError
    return own.ZstdDecompressor, own.ZstdError


def _zstandard(path: str | Path) -> Any:
    try:
        return import_module("zstandard")
    except ImportError:
        raise MissingExtra.of(f"{path}: zstd", "zst") from None


def compressed(path: str | Path, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Content as it is to stand in a file of that name."""
    ending = Path(path).suffix
    if ending not in ENDINGS:
        yield from chunks
        return
    if ending == ".gz":
        # Neither time nor name stands in it: the same content gives the same file.
        compressor: Any = zlib.compressobj(wbits=31)
    else:
        compressor = _zstd_writer(path)
    for chunk in chunks:
        yield compressor.compress(chunk)
    yield compressor.flush()


def _zstd_writer(path: str | Path) -> Any:
    try:
        return import_module("compression.zstd").ZstdCompressor()
    except ImportError:
        return _zstandard(path).ZstdCompressor().compressobj()
