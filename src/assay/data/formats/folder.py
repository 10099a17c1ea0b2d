"""A campaign folder: ``src.txt``, ``ref.<id>.txt``, ``sys.<name>.txt``, and labels per line."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.lines import read_lines, require_same_length
from assay.data.judgement_reading import JudgementFile
from assay.data.texts import Column
from assay.errors import AssayWarning, InputError

LAYOUT = "A campaign folder holds ref.<id>.txt, sys.<name>.txt and, if you like, src.txt, docs.txt and domains.txt."


def read_folder(path: str | Path) -> Campaign:
    """The campaign in a folder; all files must have the same number of lines."""
    folder = Path(path)
    files = dict(_text_files(folder))
    systems = {name[4:]: file for name, file in files.items() if name.startswith("sys.")}
    references = {name[4:]: file for name, file in files.items() if name.startswith("ref.")}
    if not references:
        raise InputError(f"{folder}: no file called ref.<id>.txt. {LAYOUT}")
    first = next(iter(references.values()))
    first_column = read_lines(first)
    expected = len(first_column)
    if expected == 0:
        raise InputError(f"{first}: the file is empty, so there are no segments to score.")

    def column(file: Path) -> Column:
        texts = first_column if file == first else read_lines(file)
        return require_same_length(texts, str(file), expected, str(first))

    def labels(name: str) -> tuple[str, ...] | None:
        return tuple(column(files[name])) if name in files else None

    return Campaign(
        name=folder.resolve().name,
        systems={name: column(file) for name, file in systems.items()},
        references={name: column(file) for name, file in references.items()},
        source=column(files["src"]) if "src" in files else None,
        documents=labels("docs"),
        domains=labels("domains"),
        segments=labels("segments"),
        columns=dict(_further_columns(files, expected)),
        human=_judgement_file(folder),
    )


def _judgement_file(folder: Path) -> JudgementFile | None:
    """``human.tsv``, plain or compressed."""
    for ending in ("", ".gz", ".zst"):
        file = folder / f"human.tsv{ending}"
        if file.is_file():
            return JudgementFile(file)
    return None


def _text_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Files by name without ``.txt`` and ``.gz``, sorted; a file that is there twice is an error."""
    seen: dict[str, Path] = {}
    for file in sorted(folder.iterdir()):
        name = file.name.removesuffix(".gz")
        if not file.is_file() or not name.endswith(".txt") or name.startswith(".") or name in ("sys..txt", "ref..txt"):
            _mention_if_meant(file)
            continue
        name = name.removesuffix(".txt")
        if name in seen:
            raise InputError(f"{folder}: both {seen[name].name} and {file.name} are there. Keep one of them.")
        seen[name] = file
    return iter(seen.items())


def _mention_if_meant(file: Path) -> None:
    """Say so if a file looks like a system or a reference and cannot be used."""
    if file.name.lower().startswith(("sys.", "ref.")):
        reason = (
            "a broken link" if file.is_symlink() and not file.exists() else f"not called {file.name[:3]}.<name>.txt"
        )
        warnings.warn(f"{file.name} is left out: it is {reason}.", AssayWarning, stacklevel=3)


def _further_columns(files: dict[str, Path], expected: int) -> Iterator[tuple[str, Column]]:
    """Any other text file with as many lines: something to filter and bucket by."""
    known = {"src", "docs", "domains", "segments"}
    for name, file in files.items():
        if name in known or name.startswith(("sys.", "ref.")):
            continue
        try:
            column = read_lines(file)
        except InputError as error:
            warnings.warn(f"{file.name} is not used as a column: {error}", AssayWarning, stacklevel=2)
            continue
        if len(column) == expected:
            yield name, column
