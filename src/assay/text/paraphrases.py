"""Paraphrases: a table in METEOR's format, which the user gives."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from assay.data.files import require_file
from assay.errors import InputError
from assay.kernels import ParaphraseReader, Paraphrases

#: How much of a table is read at a time; METEOR's English one has 270 MB.
_PIECE = 4_000_000
_GZIP = b"\x1f\x8b"


def load_paraphrases(path: str | Path) -> Paraphrases:
    """The table at ``path``, plain or gzipped; read once, and again when the file has changed.

    An entry has three lines: a probability, which is not used, a phrase and its paraphrase.
    """
    try:
        state = Path(path).stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}. Give a table of paraphrases.") from None
    require_file(path)
    return _read(Path(path), state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4)
def _read(path: Path, _size: int, _changed: int) -> Paraphrases:
    reader = ParaphraseReader()
    try:
        for piece in _pieces(path):
            reader.feed(piece)
        paraphrases = reader.finish()
    except InputError:
        raise
    except ValueError as error:
        line, what = error.args
        raise InputError(f"{path}, line {line}: {what}.") from None
    if not len(paraphrases):
        raise InputError(f"{path}: no paraphrases in it. An entry is a probability, a phrase and its paraphrase.")
    return paraphrases


def _pieces(path: Path) -> Iterator[bytes]:
    """The table's bytes; what is gzipped is known by how it begins, for METEOR's files are not always named so."""
    try:
        with path.open("rb") as file:
            packed = file.peek(2)[:2] == _GZIP
            with gzip.open(file) if packed else file as content:
                while piece := content.read(_PIECE):
                    yield piece
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: not a sound gzip file ({error}). Fetch or compress it again.") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}. Give a table of paraphrases.") from None
