"""A campaign folder: ``src.txt``, ``ref.<id>.txt``, ``sys.<name>.txt``, and labels per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.data.campaign import Campaign, Role
from assay.data.files import REMEDY, Files, plain_name, read_lines, spell_lines
from assay.data.formats import CampaignFormat, say_lost
from assay.data.formats.judgement_files import JudgementFile
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.problems import GaveUp, Problems, note
from assay.data.texts import Texts
from assay.errors import AssayError, InputError, Place

_LAYOUT = "A campaign folder holds ref.<id>.txt, sys.<name>.txt and, if you like, src.txt, docs.txt and domains.txt."
#: Names of files that are no further columns, and what is in them.
OWN = {"src": "source", "docs": "document", "domains": "domain", "segments": "segment"}
#: What any other file with as many lines is.
_FURTHER = "column"


@dataclass
class TextFiles:
    """The files of a folder that have one line per segment, by what they hold."""

    folder: Path
    problems: Problems
    files: dict[Role, Path] = field(default_factory=dict)

    def add(self, role: Role, file: Path) -> None:
        """One more file; the same thing twice is an error."""
        if role not in self.files:
            self.files[role] = file
            if self.problems.lenient:
                self.problems.places[role] = str(file), 0
            return
        other = self.files[role].name
        what, place = f"both {other} and {file.name} are there.", Place(str(file.parent))
        if self.problems.lenient:
            thing = f"{role[0]} {role[1]!r}" if role[1] else plain_name(file.name).removesuffix(".txt")
            what, place = f"{thing} is in {other} as well.", Place(str(file))
        self.problems.add(InputError(what, "Keep one of them.", place))

    def columns(self, read: Callable[[Role, Path], Texts], first: Role) -> dict[Role, Texts]:
        """What is in the files but further columns, as many lines in each as in the ``first``.

        Who wants to know all that is wrong hears of the files that differ from most others.
        """
        columns: dict[Role, Texts] = {}
        for role, file in self.files.items():
            try:
                columns |= {role: read(role, file)} if role[0] != _FURTHER else {}
            except AssayError as error:
                self.problems.add(error, str(file))
        if not columns:
            raise GaveUp("No file can be read.")
        lengths = Counter(len(column) for column in columns.values())
        expected = lengths.most_common(1)[0][0] if self.problems.lenient else len(columns[first])
        usual = next(self.files[role] for role, column in columns.items() if len(column) == expected)
        if not self.problems.lenient:
            usual = self.files[first]
        if expected == 0:
            what = "the file is empty, so there are no segments to score."
            self.problems.add(InputError(what, place=Place(str(usual))))
        for role, column in columns.items():
            if len(column) != expected:
                line = min(len(column), expected) + 1 if self.problems.lenient else None
                other = usual.name if self.problems.lenient else usual
                what = f"{len(column)} lines, but {other} has {expected}."
                self.problems.add(InputError(what, REMEDY, Place(str(self.files[role]), line)))
        return {role: column for role, column in columns.items() if len(column) == expected}


def _text_files(folder: Path, problems: Problems) -> TextFiles:
    """The text files of a campaign folder, further columns included."""
    files = TextFiles(folder, problems)
    for file in sorted(folder.iterdir()):
        name = plain_name(file.name)
        if not file.is_file() or not name.endswith(".txt") or name.startswith(".") or name in ("sys..txt", "ref..txt"):
            _mention_if_meant(file, problems)
            continue
        stem = name.removesuffix(".txt")
        head, dot, tail = stem.partition(".")
        kind = {"ref": "reference", "sys": "system"}.get(head) if dot else None
        files.add((kind, tail) if kind else (OWN[stem], "") if stem in OWN else (_FURTHER, stem), file)
    if not any(kind == "reference" for kind, _ in files.files):
        problems.add(InputError("no file called ref.<id>.txt.", _LAYOUT, Place(str(folder))))
    return files


def _mention_if_meant(file: Path, problems: Problems) -> None:
    """Say so if a file looks like a system or a reference and cannot be used."""
    if file.name.lower().startswith(("sys.", "ref.")):
        reason = f"not called {file.name[:3]}.<name>.txt"
        if not file.exists():
            reason = "a broken link"
        elif file.is_dir():
            reason = "a folder"
        message = f"{file.name} is left out: it is {reason}."
        problems.warn(message, Place(str(file.parent))) if problems.lenient else note(message)


def _read(path: str, _pair: str | None, problems: Problems) -> Campaign:
    """The campaign in a folder; all files must have the same number of lines."""
    files = _text_files(Path(path), problems)
    first = next((role for role in files.files if role[0] == "reference"), ("", ""))
    columns = files.columns(lambda _, file: read_lines(file, problems), first)
    columns |= dict(_further_columns(files, *next(iter(columns.items()))))
    return Campaign.of_parts(path, columns, human=judgement_file(Path(path)))


def _further_columns(files: TextFiles, usual: Role, other: Texts) -> Iterator[tuple[Role, Texts]]:
    """Any other text file with as many lines: something to filter and bucket by."""
    expected = len(other)
    for role, file in files.files.items():
        if role[0] != _FURTHER:
            continue
        try:
            column = read_lines(file)
        except InputError as error:
            note(f"{file.name} is not used as a column: {error}")
            continue
        if len(column) == expected:
            yield role, column
        elif abs(len(column) - expected) <= max(2, expected // 100):
            what = f"{len(column)} lines, but {files.files[usual].name} has {expected}, so it is not used as a column."
            files.problems.warn(what, Place(str(file)))


def judgement_file(folder: Path) -> JudgementFile | None:
    """``human.tsv``, plain or compressed."""
    for ending in ("", ".gz", ".zst"):
        file = folder / f"human.tsv{ending}"
        if file.is_file():
            return JudgementFile((file,))
    return None


def _write(campaign: Campaign, path: str, _pair: str | None = None) -> Files:
    """The files of a campaign folder, its judgements in ``human.tsv``."""
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
    return files


def file_name(name: str, path: str) -> str:
    """``name``, if a file can be called so."""
    if not name or name.startswith(".") or name in ("sys.", "ref.") or any(sign in name for sign in "/\\\0"):
        raise InputError(f"no file can be called {name!r}.", "Write a table or JSON Lines instead.", Place(path))
    return name


FORMAT = CampaignFormat(
    "folder",
    "a campaign folder: src.txt, ref.<id>.txt, sys.<name>.txt, docs.txt, human.tsv ...",
    _read,
    _write,
)
