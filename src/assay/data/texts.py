"""Columns of text: one UTF-8 buffer, and where each text begins and ends in it.

A column holds no Python string until somebody asks for one, so a file of a million lines costs its
bytes and sixteen more per line. A column of a large file stays on disk and is read slice by slice.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError, Place, shown
from assay.kernels import digest as digest_of
from assay.kernels import pack
from assay.properties import cached_property

Bounds = NDArray[np.int64]

#: Texts per partial digest: fixed, so that a column digests alike in memory and on disk.
_SHARD = 8192
#: The first bytes of white space, in UTF-8.
_SPACES = np.array(sorted({chr(code).encode()[0] for code in range(0x3001) if chr(code).isspace()}), dtype=np.uint8)


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts. Who needs its bytes takes a slice, which is in memory."""

    buffer: bytes = field(repr=False)
    starts: Bounds = field(repr=False)
    ends: Bounds = field(repr=False)

    @classmethod
    def of(cls, texts: Iterable[str], name: str = "texts") -> Texts:
        """A column out of Python strings; ``name`` is what errors call it."""
        if isinstance(texts, Texts):
            return texts
        if not isinstance(name, str):
            raise InputError(f"name is {shown(name)}, but a word is needed: what errors call the texts.")
        if isinstance(texts, (set, frozenset, dict)):
            raise InputError(
                f"{name} is a {type(texts).__name__}, which has no order of segments. Give a list of strings."
            )
        if isinstance(texts, (str, bytes)):
            raise InputError(
                f"{name} is a single {type(texts).__name__}, but a list of strings is needed, "
                f"one per segment. For one segment write {name}=[text]."
            )
        try:
            listed = list(texts)
        except TypeError:
            raise InputError(f"{name} is {texts!r}, but a list of strings is needed, one per segment.") from None
        try:
            buffer, (starts, ends) = pack(listed)
        except UnicodeError as error:
            index = error.args[0]
            raise InputError(
                f"{name}[{index}] has a lone surrogate, which is no character: {listed[index]!r}. "
                "Decode the text with the right encoding, or drop the character."
            ) from None
        except TypeError as error:
            index = error.args[0]
            kind = type(listed[index]).__name__
            raise InputError(
                f"{name}[{index}] is {shown(listed[index])} ({kind}), but every segment is a string. "
                "An empty string stands for an empty segment."
            ) from None
        if b"\0" in buffer:
            index = int(np.searchsorted(ends, buffer.index(b"\0"), side="right"))
            raise InputError(
                f"{name}[{index}] holds a NUL character: {shown(listed[index])}. "
                "Was it decoded with the wrong encoding?"
            )
        return cls(buffer, starts, ends)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> str:
        return self.buffer[self.starts[index] : self.ends[index]].decode()

    def __iter__(self) -> Iterator[str]:
        # Python's own numbers are far quicker to slice with than numpy's; a shard at a time keeps them few.
        for first in range(0, len(self), _SHARD):
            shard = self.slice(first, first + _SHARD)
            buffer = shard.buffer
            for start, end in zip(shard.starts.tolist(), shard.ends.tolist(), strict=True):
                yield buffer[start:end].decode()

    def slice(self, start: int, stop: int) -> Texts:
        """The texts from ``start`` up to ``stop``, in memory; the buffer is shared."""
        return Texts(self.buffer, self.starts[start:stop], self.ends[start:stop])

    def only(self, segments: NDArray[np.bool_] | NDArray[np.int64]) -> Texts:
        """Some of the texts, all of which are in memory; the buffer is shared."""
        return Texts(self.buffer, self.starts[segments], self.ends[segments])

    def lengths(self) -> Bounds:
        """Bytes of each text."""
        return self.ends - self.starts

    def blank(self) -> NDArray[np.bool_]:
        """Which texts are empty, or hold nothing but white space."""
        flags: NDArray[np.bool_] = self.lengths() == 0
        for first in range(0, len(self), _SHARD):
            shard = self.slice(first, first + _SHARD)
            filled = np.flatnonzero(shard.lengths())
            initials = np.frombuffer(shard.buffer, dtype=np.uint8)[shard.starts[filled]]
            # Few texts begin with white space, so few have to be read.
            for index in filled[np.isin(initials, _SPACES)].tolist():
                flags[first + index] = shard[index].isspace()
        return flags

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that stand for the texts and their boundaries, made of those of the shards."""
        shards = (self.slice(first, first + _SHARD) for first in range(0, len(self), _SHARD))
        joined = "".join(digest_of(shard.buffer, shard.starts, shard.ends) for shard in shards).encode()
        whole = np.array([0], dtype=np.int64), np.array([len(joined)], dtype=np.int64)
        return digest_of(joined, *whole)[:16]


class FileTexts(Texts):
    """A column of texts that stays in its file; slices are read when they are needed."""

    path: str
    file: BinaryIO
    modified: int

    def __init__(self, path: str, file: BinaryIO, starts: Bounds, ends: Bounds, modified: int) -> None:
        vars(self).update(path=path, file=file, starts=starts, ends=ends, modified=modified)
        # The file stays open as long as the column lives, so that nobody can swap it underneath.
        weakref.finalize(self, file.close)

    def __getitem__(self, index: int) -> str:
        position = range(len(self))[index]
        return self.slice(position, position + 1)[0]

    def __reduce__(self) -> tuple[object, ...]:
        return _reopen, (self.path, self.starts, self.ends, self.modified)

    def slice(self, start: int, stop: int) -> Texts:
        """The texts from ``start`` up to ``stop``, read from the file."""
        starts, ends = self.starts[start:stop], self.ends[start:stop]
        first, last = (int(starts[0]), int(ends[-1])) if len(starts) else (0, 0)
        buffer = _read_at(self.file, first, last - first)
        if len(buffer) < last - first or os.fstat(self.file.fileno()).st_mtime_ns != self.modified:
            what = "the file changed while it was being read."
            raise InputError(what, "Run the command again.", Place(self.path))
        return Texts(buffer, starts - first, ends - first)


#: Held while a large file is read where its position has to be moved.
_reading = threading.Lock()


def _read_at(file: BinaryIO, position: int, size: int) -> bytes:
    """So many bytes of a file that several threads share, and with it its position."""
    if not hasattr(os, "pread"):
        # Windows, where nothing forks: elsewhere a child could inherit the lock while another thread holds it.
        with _reading:
            file.seek(position)
            return file.read(size)
    buffer = b""
    while piece := os.pread(file.fileno(), size - len(buffer), position + len(buffer)):
        buffer += piece
    return buffer


def _reopen(path: str, starts: Bounds, ends: Bounds, modified: int) -> FileTexts:
    """A column of a large file in another process: the file is opened again, and must be the same."""
    return FileTexts(path, Path(path).open("rb"), starts, ends, modified)
