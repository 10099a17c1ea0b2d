"""Campaign folders whose texts are split differently, and nothing says how: lines are aligned, and the table is shown.

The alignment is a table with a row per segment, which people can correct and give back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from assay.data.alignment import Bead, align, doubt
from assay.data.campaign import Campaign
from assay.data.files import read_lines
from assay.data.formats import guess_format
from assay.data.problems import note
from assay.data.segmentation import (
    OWN_IDS,
    Segmentation,
    Split,
    common_segmentation,
    folder_files,
    has_own_ids,
    ids_in,
    merged_folder,
    merges_of,
    name_of,
    text_files,
)
from assay.data.tables import Row, read_table, spell_table
from assay.errors import InputError, Place, counted

#: What columns with texts are called behind the name of the text: they are for people, and are not read.
_TEXT = " text"
#: Lines of a text in a cell: one, or from one to another.
_LINES = re.compile(r"([0-9]{1,9})(?:\s*[-–]\s*([0-9]{1,9}))?")
_Texts = Mapping[str, Sequence[str]]
_Ids = Sequence[tuple[str, ...]]


class Aligned(NamedTuple):
    """A campaign in the smallest segmentation that its texts have in common."""

    campaign: Campaign
    #: What was merged, in words.
    merges: tuple[str, ...]
    #: The alignment as a table: its lines, the header first.
    rows: list[list[str]]
    #: In one sentence, how it was made.
    said: str

    def spelled(self) -> list[bytes]:
        """The table as a file, which ``read_aligned`` takes back."""
        return list(spell_table(self.rows))


def read_aligned(path: str | Path, table: str | Path | None = None) -> Aligned:
    """A campaign folder with its lines aligned or, with a ``table``, as that one says."""
    folder = Path(path)
    files = folder_files(folder)
    if not files or guess_format(path) != "folder":
        raise InputError(f"{path} is no folder of texts.", "--align takes one with ref.A.txt, ref.B.txt, sys.x.txt.")
    if has_own_ids(files):
        what = f"{OWN_IDS}NAME.txt says here what lines hold, so that there is nothing to align."
        raise InputError(what, "Leave out --align.", Place(str(folder)))
    texts = {name: list(read_lines(file)) for name, file in text_files(files).items()}
    # A system may have said nothing; a reference, or the source, has something to align.
    empty = [
        f"{name}.txt"
        for name, lines in texts.items()
        if not (lines and (name.startswith("sys.") or any(map(str.strip, lines))))
    ]
    if len(texts) < 2 or empty:
        what = f"{', '.join(empty)} has no words." if empty else "there are fewer than two texts to align."
        raise InputError(what, place=Place(str(folder)))
    beads: dict[str, list[Bead]] = {}
    if table is None:
        # A system has the lines of the source that it was made from, where they are as many.
        lines = len(texts.get("src", ()))
        followers = [name for name in texts if name.startswith("sys.") and len(texts[name]) == lines]
        leading = {name: column for name, column in texts.items() if name not in followers}
        cells = list(read_lines(files["segments.txt"])) if "segments.txt" in files else []
        pivot, names = _pivot(leading, cells)
        beads = {name: align(texts[pivot], column) for name, column in leading.items() if name != pivot}
        for name, of_text in beads.items():
            # Texts of one language share words; the source is in another one.
            doubtful = None if "src" in (name, pivot) else doubt(texts[pivot], texts[name], of_text)
            if doubtful is not None:
                note(f"{name} and {pivot} {doubtful}. Look at what --alignment writes.", Place(str(folder)))
        ids = {pivot: names} | {name: _held(of_text, names) for name, of_text in beads.items()}
        ids |= dict.fromkeys(followers, ids.get("src", ()))
        said = f"{counted(len(beads), 'text')} aligned with {pivot}, which has {len(texts[pivot]):,} lines."
    else:
        ids, pivot = _read_ids(str(table), texts), next(iter(texts))
        said = f"Aligned as {table} says."
    splits = {name: Split(lines, ids[name], complete=name[:4] != "sys.") for name, lines in texts.items()}
    segmentation = common_segmentation(splits)
    rows = _table(texts, segmentation, _costs(beads, segmentation, pivot))
    return Aligned(merged_folder(folder, splits, segmentation), merges_of(segmentation, splits), rows, said)


def _pivot(texts: _Texts, cells: Sequence[str]) -> tuple[str, _Ids]:
    """The text that all others are aligned with, and the ids of its lines: those of segments.txt, or their numbers.

    It is one that has as many lines as segments.txt, or else the one with the most: what it has in one line nobody can
    have apart.
    """
    named = [ids_in(cell) for cell in cells]
    fitting = [name for name, lines in texts.items() if len(lines) == len(named)]
    several = Counter(one for ids in named for one in ids)
    if fitting and all(named) and max(several.values()) == 1:
        return fitting[0], named
    finest = max(texts, key=lambda name: len(texts[name]))
    return finest, [(str(number),) for number in range(1, len(texts[finest]) + 1)]


def _held(beads: Sequence[Bead], names: _Ids) -> _Ids:
    """The ids of what each line holds: all of those that its bead joins it with."""
    return [
        tuple(one for ids in names[slice(*bead.first)] for one in ids) for bead in beads for _ in range(*bead.second)
    ]


def _costs(beads: Mapping[str, Sequence[Bead]], segmentation: Segmentation, pivot: str) -> dict[int, float]:
    """What each segment costs, in the mean over the texts that were aligned."""
    costs: dict[int, float] = {}
    for bead in (bead for of_text in beads.values() for bead in of_text):
        place = segmentation.places[pivot][bead.first[0]]
        costs[place] = costs.get(place, 0.0) + bead.cost / len(beads)
    return costs


def _table(texts: _Texts, segmentation: Segmentation, costs: Mapping[int, float]) -> list[list[str]]:
    """A row per segment: its name, its cost, the lines of each text in it, and what these say."""
    inside: dict[str, list[list[int]]] = {}
    for name in texts:
        inside[name] = [[] for _ in segmentation.segments]
        for line, place in enumerate(segmentation.places[name]):
            inside[name][place].append(line)
    rows = [["segment", "cost", *texts, *(f"{name}{_TEXT}" for name in texts)]]
    for place, ids in enumerate(segmentation.segments):
        lines = [inside[name][place] for name in texts]
        numbers = [
            "-".join(str(line + 1) for line in dict.fromkeys((*several[:1], *several[-1:]))) for several in lines
        ]
        words = [" ".join(texts[name][line] for line in several) for name, several in zip(texts, lines, strict=True)]
        rows.append([name_of(ids), f"{costs[place]:.2f}" if place in costs else "-", *numbers, *words])
    return rows


def _read_ids(table: str, texts: _Texts) -> dict[str, _Ids]:
    """The ids of what each line holds, as a table of lines says; all lines have to be there, in order, each once."""
    what = f"It has a row per segment, with a column for each of {', '.join(texts)}: the numbers of its lines there."
    rows = list(read_table(table, needed=("segment", *texts), what=what))
    names = [ids_in(row.raw("segment")) or (str(number),) for number, row in enumerate(rows, start=1)]
    if max(Counter(one for ids in names for one in ids).values(), default=1) > 1:
        # Names that repeat name nothing, so numbers do.
        names = [(str(number),) for number in range(1, len(rows) + 1)]
    held: dict[str, list[tuple[str, ...]]] = {name: [] for name in texts}
    for row, ids in zip(rows, names, strict=True):
        for name, lines in texts.items():
            held[name] += [ids] * _lines_in(row, name, before=len(held[name]), most=len(lines))
    for name, lines in texts.items():
        if len(held[name]) < len(lines):
            missing = (
                f"line {len(held[name]) + 1} of {name}, the first of {len(lines) - len(held[name])}, is in no segment."
            )
            raise InputError(missing, "Every line of every text has to be in one.", Place(table))
    return {name: tuple(ids) for name, ids in held.items()}


def _lines_in(row: Row, name: str, *, before: int, most: int) -> int:
    """How many lines of a text a segment has, which have to follow those before it."""
    cell = row.raw(name).strip()
    if cell in ("", "-"):
        return 0
    found = _LINES.fullmatch(cell)
    if found is None:
        raise row.flaw(name, f"the lines of {name} are {cell!r}, but 7 or 7-8 is needed, or nothing")
    first, last = int(found[1]), int(found[2] or found[1])
    if first != before + 1 or last < first or last > most:
        due = f"line {before + 1} comes next" if before < most else "there are no more"
        raise row.flaw(name, f"the lines of {name} are {cell}, but {due} (it has {most})")
    return last - first + 1
