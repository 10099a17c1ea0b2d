"""Files that the metric of a feature depends on: compared byte for byte with those of the training before any is read.

A model file may name any file of the computer. What is not the file that the model was trained with is not parsed, and
nothing of it is shown.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from assay.errors import InputError
from assay.metrics.base import Metric
from assay.text.stems import Stem
from assay.text.synonyms import dictionary_files
from assay.text.tokenizers import Spelling

#: METEOR's largest table of paraphrases has 270 MB.
MOST_BYTES = 1024**3
#: What stands for a file that is named and not there; a metric may never look at it.
ABSENT = "absent"


def file_digests(metric: Metric) -> dict[str, str]:
    """Size and digest of the files behind each option that names one."""
    found = {}
    for option, files in _files(metric).items():
        total = _size(option, files)
        found[option] = ABSENT if total is None else f"{total}:{_digest(files)}"
    return found


def require_same_files(feature: str, saved: Mapping[str, str], metric: Metric) -> None:
    """Refuse a feature whose files are not those of the training; of files of another size nothing is read."""
    present = _files(metric)
    for option in (*present, *saved):
        files, expected = present.get(option), saved.get(option, "")
        try:
            total = None if files is None else _size(option, files)
        except InputError as error:
            raise InputError(f"The feature {feature!r}: {error}") from None
        same = total is not None and expected.partition(":")[0] == str(total)
        if same and files is not None:
            same = expected == f"{total}:{_digest(files)}"
        if not same and not (total is None and expected == ABSENT):
            there = ", which is not there," if files is not None and total is None else ""
            raise InputError(
                f"The feature {feature!r}: the file named by option {option}{there} is not the one that the model was "
                "trained with. Put that one there, or train the model again."
            )


def _files(metric: Metric) -> dict[str, tuple[Path, ...]]:
    """The files behind each option."""
    found: dict[str, tuple[Path, ...]] = {}
    stem = metric.stem
    dictionaries = {"stem": Stem.parse(stem).path if stem else None, "synonyms": getattr(metric, "synonyms", None)}
    for option, path in dictionaries.items():
        if path is not None:
            found[option] = tuple(dict.fromkeys(dictionary_files(Path(path))))
    tables = {"tokenize": Spelling.parse(metric.tokenize).path, "paraphrases": getattr(metric, "paraphrases", None)}
    return found | {option: (Path(path),) for option, path in tables.items() if path is not None}


def _size(option: str, files: tuple[Path, ...]) -> int | None:
    """All bytes together; None where the first file, which is the one that was named, is not there."""
    total = 0
    for number, file in enumerate(files):
        try:
            state = file.stat()
        except (OSError, ValueError):
            if number == 0:
                return None
            continue
        if stat.S_ISREG(state.st_mode):
            total += state.st_size
        elif not stat.S_ISDIR(state.st_mode):
            raise InputError(f"option {option} names {str(file)!r}, which is no ordinary file. It was not read.")
    if total > MOST_BYTES:
        raise InputError(f"the files of option {option} are larger than {MOST_BYTES // 2**20:,} MB. None was read.")
    return total


def _digest(files: tuple[Path, ...]) -> str:
    """Of names and contents, in this order."""
    whole = hashlib.sha256()
    for file in files:
        if file.is_file():
            state = file.stat()
            content = _content(str(file), state.st_size, state.st_mtime_ns, state.st_ino)
            whole.update(f"{file.name}\n{content}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


@lru_cache(maxsize=64)
def _content(path: str, size: int, *_: int) -> str:
    """Of one file, up to the size that it has."""
    try:
        with Path(path).open("rb") as file:
            digest, left = hashlib.sha256(), size
            while left > 0 and (piece := file.read(min(left, 2**20))):
                digest.update(piece)
                left -= len(piece)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}).") from None
    return digest.hexdigest()
