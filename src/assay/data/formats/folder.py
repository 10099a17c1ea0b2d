"""A campaign folder: ``src.txt``, ``ref.<id>.txt``, ``sys.<name>.txt``, and labels per line."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.base import CampaignFormat, Files
from assay.data.formats.compression import plain_name
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.lines import read_lines, require_same_length, spell_lines
from assay.data.formats.losses import say_lost
from assay.data.judgement_reading import JudgementFile
from assay.data.texts import Column
from assay.errors import AssayWarning, InputError

LAYOUT = "A campaign folder holds ref.<id>.txt, sys.<name>.txt and, if you like, src.txt, docs.txt and domains.txt."


#: Names of files that are no further columns.
OWN = ("src", "docs", "domains", "segments")


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
    """Files by name without ``.txt`` and how they are compressed, sorted; a file that is there twice is an error."""
    seen: dict[str, Path] = {}
    for file in sorted(folder.iterdir()):
        name = plain_name(file.name)
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
        reason = f"not called {file.name[:3]}.<name>.txt"
        if not file.exists():
            reason = "a broken link"
        elif file.is_dir():
            reason = "a folder"
        warnings.warn(f"{file.name} is left out: it is {reason}.", AssayWarning, stacklevel=3)


def _further_columns(files: dict[str, Path], expected: int) -> Iterator[tuple[str, Column]]:
    """Any other text file with as many lines: something to filter and bucket by."""
    for name, file in files.items():
        if name in OWN or name.startswith(("sys.", "ref.")):
            continue
        try:
            column = read_lines(file)
        except InputError as error:
            warnings.warn(f"{file.name} is not used as a column: {error}", AssayWarning, stacklevel=2)
            continue
        if len(column) == expected:
            yield name, column


def write_folder(campaign: Campaign, path: str) -> Files:
    """The files of a campaign folder, its judgements in ``human.tsv``."""
    say_lost(campaign, path, "absent")
    parts: dict[str, Column | Sequence[str] | None] = {
        "src": campaign.source,
        "docs": campaign.documents,
        "domains": campaign.domains,
        "segments": campaign.segments,
        **{f"ref.{name}": texts for name, texts in campaign.references.items()},
        **{f"sys.{name}": texts for name, texts in campaign.systems.items()},
    }
    for name, texts in campaign.columns.items():
        if name in OWN or name.startswith(("sys.", "ref.")):
            raise InputError(f"{path}: a column cannot be called {name!r} in a folder, where that has another meaning.")
        parts[name] = texts
    files: dict[str, Iterable[bytes]] = {}
    for name, part in parts.items():
        if part is not None:
            files[f"{file_name(name, path)}.txt"] = spell_lines(part, f"{path}/{name}.txt")
    if campaign.judgements is not None:
        files["human.tsv"] = [JUDGEMENT_FORMATS["assay"].write(campaign.judgements, campaign)[""]]
    return files


def file_name(name: str, path: str) -> str:
    """``name``, if a file can be called so."""
    if not name or name.startswith(".") or name in ("sys.", "ref.") or any(sign in name for sign in "/\\\0"):
        raise InputError(f"{path}: no file can be called {name!r}. Write a table or JSON Lines instead.")
    return name


FORMATS = (
    CampaignFormat(
        "folder",
        "a campaign folder: src.txt, ref.<id>.txt, sys.<name>.txt, docs.txt, human.tsv ...",
        lambda path, _pair: read_folder(path),
        lambda campaign, path, _pair: write_folder(campaign, path),
    ),
)
