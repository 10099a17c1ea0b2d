"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from assay.data.formats.compression import compressed, is_compressed
from assay.errors import InputError


def place(
    files: Mapping[str, Iterable[bytes]], path: str | Path, *, overwrite: bool = False, consent: str = "--force"
) -> list[Path]:
    """Write the file at ``path`` (under ``""``) and those beside it, or a folder of files there.

    Everything is written elsewhere first and then moved. What is there already is an error, or with ``overwrite``
    replaced; a folder is replaced only if it holds nothing else. Links are followed, and what is neither file nor
    folder (a pipe, a device) is written to as it is. ``consent`` is the option that says ``overwrite``.
    """
    target = Path(path).resolve() if Path(path).is_symlink() else Path(path)
    try:
        if target.exists() and not target.is_file() and not target.is_dir():
            _write_through(files, target)
            return [target]
        if "" in files:
            targets = {target.parent / name if name else target: content for name, content in files.items()}
            return _place_files(targets, overwrite, consent)
        return _place_folder(files, target, overwrite, consent)
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}).") from None


def _write_through(files: Mapping[str, Iterable[bytes]], target: Path) -> None:
    if list(files) != [""]:
        raise InputError(
            f"{target}: there are {len(files)} files to write, and it can take one. Name a folder instead."
        )
    with target.open("wb") as out:
        out.writelines(compressed(target, files[""]))


def _place_files(targets: Mapping[Path, Iterable[bytes]], overwrite: bool, consent: str) -> list[Path]:
    for target in targets:
        if target.is_dir():
            raise InputError(f"{target}: this is a folder, but a file is to be written there.")
        if os.path.lexists(target) and not overwrite:
            raise InputError(f"{target} is there already. Replace it with {consent}, or choose another name.")
        if not target.parent.is_dir():
            raise InputError(f"{target}: cannot be written (no folder {target.parent}).")
    written: dict[Path, Path] = {}
    try:
        for target, content in targets.items():
            handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
            written[target] = Path(name)
            with os.fdopen(handle, "wb") as file:
                file.writelines(compressed(target, content))
            written[target].chmod(0o666 & ~_mask())
        for target, part in written.items():
            part.replace(target)
    finally:
        for part in written.values():
            with suppress(OSError):
                part.unlink()
    return list(targets)


def _place_folder(files: Mapping[str, Iterable[bytes]], target: Path, overwrite: bool, consent: str) -> list[Path]:
    if is_compressed(target):
        raise InputError(f"{target}: a folder is written there, which cannot be compressed. Leave out the ending.")
    if not target.resolve().parent.is_dir():
        raise InputError(f"{target}: cannot be written (no folder {target.parent}).")
    _require_room(files, target, overwrite, consent)
    beside = Path(tempfile.mkdtemp(dir=target.resolve().parent, prefix=f".{target.name}.", suffix=".part"))
    try:
        whole = beside / "new"
        for name, content in files.items():
            file = whole / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as out:
                out.writelines(content)
        if target.exists():
            target.replace(beside / "old")
        whole.replace(target)
    except BaseException:
        if (beside / "old").exists() and not target.exists():
            (beside / "old").replace(target)
        raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return [target / name for name in files]


def _require_room(files: Mapping[str, Iterable[bytes]], target: Path, overwrite: bool, consent: str) -> None:
    """Refuse to touch what is there and is not about to be written anew."""
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise InputError(f"{target}: this is a file, but a folder is to be written there.")
    there = {str(file.relative_to(target)) for file in target.rglob("*") if not file.is_dir() or file.is_symlink()}
    if there and not overwrite:
        raise InputError(
            f"{target} is there already and is not empty. Replace it with {consent}, or choose another name."
        )
    others = sorted(there - files.keys())
    if others:
        told = ", ".join(others[:5]) + (" ..." if len(others) > 5 else "")
        raise InputError(f"{target} holds files that would be lost: {told}. Remove them first, or choose another name.")


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def put_out(files: Mapping[str, Iterable[bytes]]) -> None:
    """Write what would be one file to standard output."""
    if list(files) != [""]:
        raise InputError(
            f"There are {len(files)} files to write, and standard output can take one. Name a folder instead."
        )
    for chunk in files[""]:
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()
