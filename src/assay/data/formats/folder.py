"""A campaign folder: ``src.txt``, ``ref.<id>.txt``, ``sys.<name>.txt``, and labels per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from assay.data.campaign import Campaign, JudgementFiles, Role
from assay.data.files import (
    COMPRESSED,
    REMEDY,
    Files,
    entries,
    is_folder,
    largest,
    plain_name,
    read_lines,
    require_file,
    spell_lines,
)
from assay.data.formats import CampaignFormat, say_lost
from assay.data.formats.judgements import JUDGEMENT_FORMATS, read_judgements
from assay.data.formats.scores import metrics_beside
from assay.data.formats.scores.table import table_of
from assay.data.problems import GaveUp, Problems, note
from assay.data.tables import spell_table
from assay.data.texts import Texts
from assay.errors import AssayError, InputError, Place

_LAYOUT = "A campaign folder holds ref.<id>.txt, sys.<name>.txt and, if you like, src.txt, docs.txt and domains.txt."
#: Names of files that are no further columns, and what is in them.
OWN = {"src": "source", "docs": "document", "domains": "domain", "segments": "segment"}
#: What any other file with as many lines is.
_FURTHER = "column"
_File = TypeVar("_File", str, Path)


def refuse_second(role: Role, first: Path, second: Path, problems: Problems) -> None:
    """Say that two files hold the same thing."""
    what, place = f"both {first.name} and {second.name} are there.", Place(str(second.parent))
    if problems.lenient:
        thing = f"{role[0]} {role[1]!r}" if role[1] else plain_name(second.name).removesuffix(".txt")
        what, place = f"{thing} is in {first.name} as well.", Place(str(second))
    problems.add(InputError(what, "Keep one of them.", place))


def read_columns(
    files: Mapping[Role, _File], read: Callable[[Role, _File], Texts], first: Role, problems: Problems
) -> dict[Role, Texts]:
    """What is in the files but further columns, as many lines in each as in the ``first``.

    Who wants to know all that is wrong hears of the files that differ from most others.
    """
    columns: dict[Role, Texts] = {}
    if problems.lenient:
        problems.places = {role: (str(file), 0) for role, file in files.items()}
    for role, file in files.items():
        try:
            columns |= {role: read(role, file)} if role[0] != _FURTHER else {}
        except AssayError as error:
            problems.add(error, str(file))
    if not columns:
        raise GaveUp("No file can be read.")
    if problems.lenient:
        usual = Counter(len(column) for column in columns.values()).most_common(1)[0][0]
        first = next(role for role, column in columns.items() if len(column) == usual)
    expected = len(columns[first])
    if expected == 0:
        what = "the file is empty, so there are no segments to score."
        problems.add(InputError(what, place=Place(str(files[first]))))
    for role, column in columns.items():
        if len(column) != expected:
            line = min(len(column), expected) + 1 if problems.lenient else None
            other = Path(files[first]).name if problems.lenient else files[first]
            what = f"{len(column)} lines, but {other} has {expected}."
            problems.add(InputError(what, REMEDY, Place(str(files[role]), line)))
    return {role: column for role, column in columns.items() if len(column) == expected}


def _text_files(folder: Path, problems: Problems) -> dict[Role, Path]:
    """The text files of a campaign folder, further columns included."""
    files: dict[Role, Path] = {}
    for file in entries(folder):
        name = plain_name(file.name)
        stem = name.removesuffix(".txt")
        head, dot, tail = stem.partition(".")
        kind = {"ref": "reference", "sys": "system"}.get(head) if dot else None
        is_misspelt = bool(dot) and kind is None and head.lower() in ("ref", "sys")
        if stem != name and stem not in ("sys.", "ref.") and not name.startswith(".") and not is_misspelt:
            role = (kind, tail) if kind else (OWN[stem], "") if stem in OWN else (_FURTHER, stem)
            if files.setdefault(role, file) is not file:
                refuse_second(role, files[role], file, problems)
        elif file.name.lower().startswith(("sys.", "ref.")):
            _mention_left_out(file, problems)
    if not any(kind in ("reference", "system") for kind, _ in files):
        problems.add(InputError("no file called ref.<id>.txt.", _LAYOUT, Place(str(folder))))
    return files


def _mention_left_out(file: Path, problems: Problems) -> None:
    """Say so if something looks like a system or a reference and is not called as one, or is not there yet."""
    if file.suffix == ".dvc":
        if not file.with_suffix("").exists():
            what = "a pointer of DVC, and the file itself has not been fetched."
            problems.add(InputError(what, "Fetch it: dvc pull", Place(str(file))))
        return
    if not is_folder(file):
        problems.every([file], require_file)
    message = f"{file.name} is left out: it is not called {file.name[:3].lower()}.<name>.txt."
    problems.warn(message, Place(str(file.parent))) if problems.lenient else note(message)


def _read(path: str, _pair: str | None, problems: Problems) -> Campaign:
    """The campaign in a folder; all files must have the same number of lines."""
    files = _text_files(Path(path), problems)
    first = next((role for role in files if role[0] == "reference"), next(iter(files), ("", "")))
    columns = read_columns(files, lambda _, file: read_lines(file, problems), first, problems)
    usual, column = next(iter(columns.items()))
    further = {role: file for role, file in files.items() if role[0] == _FURTHER}
    columns |= _further_columns(further, len(column), files[usual].name, problems)
    (human,) = [*problems.each([Path(path)], judgement_file)] or [None]
    campaign = Campaign.of_parts(path, columns, human=human)
    return replace(campaign, scores=metrics_beside(Path(path), campaign))


def _further_columns(files: Mapping[Role, Path], expected: int, usual: str, problems: Problems) -> dict[Role, Texts]:
    """Any other text file with as many lines: something to filter and bucket by."""
    columns = {}
    for role, file in files.items():
        try:
            column = read_lines(file)
        except InputError as error:
            note(f"{file.name} is not used as a column: {error}")
            continue
        if len(column) == expected:
            columns[role] = column
        elif abs(len(column) - expected) <= max(2, expected // 100):
            what = f"{len(column)} lines, but {usual} has {expected}, so it is not used as a column."
            problems.warn(what, Place(str(file)))
    return columns


def judgement_file(folder: Path) -> JudgementFiles | None:
    """``human.tsv``, plain or compressed; it is there if anything is called so, and then it has to be a file."""
    files = [folder / f"human.tsv{ending}" for ending in ("", *COMPRESSED)]
    there = next((file for file in files if file.is_symlink() or file.exists()), None)
    if there is None:
        return None
    require_file(there)
    return JudgementFiles((there,), cache(partial(read_judgements, there, largest=largest())))


def _write(campaign: Campaign, path: str, _pair: str | None = None) -> Files:
    """The files of a campaign folder, its judgements in ``human.tsv`` and scores in ``scores.<metric>.tsv``."""
    say_lost(campaign, path, "absent")
    stems = {kind: stem for stem, kind in OWN.items()} | {"reference": "ref.", "system": "sys."}
    files: dict[str, Iterable[bytes]] = {}
    for (kind, key), part in campaign.parts.items():
        if kind == _FURTHER and (key in OWN or key.startswith(("sys.", "ref."))):
            what = f"a column cannot be called {key!r} in a folder, where that has another meaning."
            raise InputError(what, place=Place(path))
        name = f"{stems.get(kind, '')}{key}"
        files[f"{file_name(name, path)}.txt"] = spell_lines(part, f"{path}/{name}.txt")
    if campaign.judgements is not None:
        files["human.tsv"] = [JUDGEMENT_FORMATS["assay"].write(campaign.judgements, campaign)[""]]
    for metric in campaign.scores:
        files[f"scores.{file_name(metric, path)}.tsv"] = spell_table(table_of(campaign, metric))
    return files


def file_name(name: str, path: str) -> str:
    """``name``, if a file can be called so."""
    if not name or name.startswith(".") or name in ("sys.", "ref.") or any(sign in name for sign in "/\\\0"):
        raise InputError(f"no file can be called {name!r}.", "Write a table or JSON Lines instead.", Place(path))
    return name


FORMAT = CampaignFormat(_read, _write)
