"""Reading: from a path to a campaign, whatever its format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.folder import read_folder
from assay.data.formats.jsonl import read_jsonl
from assay.data.formats.lines import read_lines, require_same_length
from assay.data.formats.table import read_table
from assay.data.texts import Column
from assay.errors import InputError, UnknownName

FORMATS = ("folder", "tsv", "csv", "jsonl")


def read(path: str | Path, *, input_format: str | None = None) -> Campaign:
    """The campaign in a folder or in a TSV, CSV or JSON Lines file, plain or gzipped."""
    kind = input_format or guess_format(path)
    if kind not in (*FORMATS, "lines"):
        raise UnknownName.of("input format", kind, FORMATS)
    if kind == "folder":
        if not Path(path).is_dir():
            raise InputError(f"{path}: no such folder.")
        return read_folder(path)
    if kind in ("tsv", "csv"):
        return read_table(path, "\t" if kind == "tsv" else ",")
    if kind == "jsonl":
        return read_jsonl(path)
    raise InputError(
        f"{path}: plain lines alone are no campaign. Give a campaign folder, a .tsv, .csv or .jsonl file, "
        "or name the references: -r REFERENCE TRANSLATION."
    )


def guess_format(path: str | Path) -> str:
    """The format by what the path is and how it ends."""
    if Path(path).is_dir():
        return "folder"
    suffix = Path(str(path).removesuffix(".gz").removesuffix(".zst")).suffix.lower()
    return {".tsv": "tsv", ".csv": "csv", ".jsonl": "jsonl"}.get(suffix, "lines")


def read_files(
    translations: Sequence[str | Path],
    references: Sequence[str | Path],
    source: str | Path | None = None,
    targeted: Sequence[str | Path] = (),
) -> Campaign:
    """A campaign out of files of plain lines; each system is named after its file. ``targeted`` are post-edits."""
    if not references and not targeted:
        raise InputError("No reference was given. Name at least one: -r REFERENCE TRANSLATION.")
    if not translations:
        raise InputError("No translation was given. Name at least one file: -r REFERENCE TRANSLATION.")
    for path in (*references, *targeted, *translations):
        if guess_format(path) in ("tsv", "csv", "jsonl"):
            raise InputError(
                f"{path}: a table holds translations and references together. "
                f"Give it alone, without -r: assay score {path}"
            )
    paths = [str(path) for path in (*references, *targeted, *translations, *([source] if source else []))]
    if paths.count("-") > 1:
        raise InputError("Standard input (-) can stand for one file only.")
    columns = _read_all(paths)
    named = _names([*references, *targeted])
    return Campaign(
        name=paths[0],
        systems={name: columns[path] for name, path in _names(translations).items()},
        references={name: columns[path] for name, path in named.items()},
        source=columns[str(source)] if source else None,
        # Who names files one by one says what they are: a reference is not a post-edit for being called so.
        targeted=frozenset(list(named)[len(references) :]),
        leaves_references_out=False,
    )


def _read_all(paths: Sequence[str]) -> dict[str, Column]:
    """The lines of each file, as many as the first one has."""
    expected: int | None = None
    columns: dict[str, Column] = {}
    for path in dict.fromkeys(paths):
        column = read_lines(path)
        if expected is None:
            expected = len(column)
            if expected == 0:
                raise InputError(f"{path}: the file is empty, so there are no segments to score.")
        columns[path] = require_same_length(column, path, expected, paths[0])
    return columns


def _names(paths: Sequence[str | Path]) -> dict[str, str]:
    """Short names for files, longer ones where the short ones clash."""
    given = [str(path) for path in paths]
    twice = sorted({path for path in given if given.count(path) > 1})
    if twice:
        raise InputError(f"{twice[0]}: named twice.")
    short = [_stem(path) for path in given]
    return dict(zip(short if len(set(short)) == len(short) else given, given, strict=True))


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name.removesuffix(".gz").removesuffix(".txt")
    return name.removeprefix("sys.").removeprefix("ref.") or name
