"""Texts that are split differently: the smallest segmentation that they have in common, and campaigns merged to it.

Segments are joined, never split.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.arguments import checked
from assay.data.campaign import Campaign, Part, Role, label_column
from assay.data.files import entries, is_folder, plain_name, read_lines
from assay.data.formats import guess_format, read
from assay.data.formats.judgements import read_judgements
from assay.data.judgements import Judgements
from assay.data.problems import note
from assay.data.texts import Texts
from assay.errors import InputError, Place

#: How the files are called that say what each line of a text holds: ``segments.ref.A.txt``.
OWN_IDS = "segments."
#: The files of a folder with labels that merged segments keep.
_OWN_LABELS = {"document": "docs", "domain": "domains"}
_TAIL = re.compile(r"(.*?)([0-9]{1,9})", re.DOTALL)
#: No line holds more segments: no range alone makes a campaign longer than that.
_LONGEST_RANGE = 10_000


@dataclass(frozen=True)
class Split:
    """How one text is split: its lines, and the ids of what each line holds.

    A line may hold several ids, and several lines may hold parts of one. A ``complete`` text should have words for
    everything; where it has none, they stand elsewhere.
    """

    lines: Sequence[str] = field(repr=False)
    ids: Sequence[tuple[str, ...]] = field(repr=False)
    complete: bool = True


class Segmentation(NamedTuple):
    """Segments as ids in order, and for each text the segment of each line."""

    segments: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[int, ...]]


def ids_in(text: str) -> tuple[str, ...]:
    """The ids in a cell: one, several with spaces or commas between, or a range with the same name on both sides.

    >>> ids_in("Luke.1.28-Luke.1.30"), ids_in("a, b"), ids_in("news-12")
    (('Luke.1.28', 'Luke.1.29', 'Luke.1.30'), ('a', 'b'), ('news-12',))
    """
    items = [item for item in re.split(r"[\s,;+]+", text.strip()) if item]
    return tuple(one for item in items for one in _range(item) or [item])


def _range(item: str) -> list[str] | None:
    for place in (index for index, sign in enumerate(item) if sign in "-–"):
        first, last = _TAIL.fullmatch(item[:place]), _TAIL.fullmatch(item[place + 1 :])
        if first and last and first[1] == last[1] and 0 < int(last[2]) - int(first[2]) < _LONGEST_RANGE:
            return [f"{first[1]}{number}" for number in range(int(first[2]), int(last[2]) + 1)]
    return None


def name_of(ids: Sequence[str]) -> str:
    """What a segment is called: the first id and, if there are several, the last."""
    return ids[0] if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"


def common_segmentation(splits: Mapping[str, Split]) -> Segmentation:
    """The finest segmentation in which every line of every text lies in one segment, in order.

    Where a complete text has no words for a segment, the segment joins a neighbour: that in which the text has more
    words than the others lead one to expect.
    """
    order = _common_order([split.ids for split in splits.values()])
    position = {one: index for index, one in enumerate(order)}
    spans = {
        name: [(min(map(position.__getitem__, ids)), max(map(position.__getitem__, ids))) for ids in split.ids]
        for name, split in splits.items()
    }
    # joined[p] says that p and p + 1 belong to one segment.
    joined = np.zeros(len(order), dtype=np.bool_)
    for of_lines in spans.values():
        highest = -1
        for low, high in of_lines:
            # Lines that stand in another order join all between them.
            first, last = (min(low, highest), max(high, highest)) if 0 <= low < highest else (low, high)
            joined[first:last] = True
            highest = max(highest, high)
    starts = {name: [low for low, _ in of_lines] for name, of_lines in spans.items()}
    words = {name: [len(line.split()) for line in split.lines] for name, split in splits.items()}
    complete = [name for name, split in splits.items() if split.complete]
    while _join_gap(joined, starts, words, complete):
        pass
    numbers = _segment_numbers(joined)
    runs = groupby(range(len(order)), key=numbers.__getitem__)
    segments = tuple(tuple(order[index] for index in run) for _, run in runs)
    return Segmentation(segments, {name: tuple(numbers[of_lines].tolist()) for name, of_lines in starts.items()})


def _segment_numbers(joined: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The segment of each position."""
    return np.cumsum(np.r_[False, ~joined[:-1]])


def _common_order(texts: Iterable[Sequence[tuple[str, ...]]]) -> list[str]:
    """All ids: those of the text with the most, and others behind what they follow elsewhere."""
    sequences = [list(dict.fromkeys(one for ids in lines for one in ids)) for lines in texts]
    order = max(sequences, key=len)[:]
    known = set(order)
    for sequence in sequences:
        for index, one in enumerate(sequence):
            if one not in known:
                order.insert(order.index(sequence[index - 1]) + 1 if index else 0, one)
                known.add(one)
    return order


def _join_gap(
    joined: NDArray[np.bool_],
    starts: Mapping[str, Sequence[int]],
    words: Mapping[str, Sequence[int]],
    complete: Iterable[str],
) -> bool:
    """Join the first segments for which some complete text has no words; whether there were any."""
    numbers = _segment_numbers(joined)
    counts = {name: np.bincount(numbers[starts[name]], words[name], numbers[-1] + 1) for name in words}
    expected = np.sum(list(counts.values()), axis=0)
    for count in (counts[name] for name in complete):
        # What nobody has words for is no difference between texts.
        gaps = np.flatnonzero((count == 0) & (expected > 0))
        if len(gaps) and count.any():
            first = int(gaps[0])
            behind = next((index for index in range(first, len(count)) if count[index]), len(count))
            # How much of what all texts have there this one has; there is nothing before the first, behind the last.
            share = np.append(count / np.maximum(expected, 1), -1.0)
            low, high = (
                (first - 1, behind - 1) if share[first - 1 if first else -1] >= share[behind] else (first, behind)
            )
            inside = np.flatnonzero((numbers >= low) & (numbers <= high))
            joined[inside[0] : inside[-1]] = True
            return True
    return False


@checked
def merge(campaign: Campaign, by: str | None = None) -> tuple[Campaign, tuple[str, ...]]:
    """Join segments of a campaign, and say in words which were joined.

    They are those with the same label one after the other in column ``by`` or, without a column, those that some
    reference, or the source, has no words for. An empty translation of a system is a fault of the system, and joins
    nothing.
    """
    ids = [ids_in(name) or (name,) for name in campaign.segment_names()]
    if len({one for several in ids for one in several}) < sum(map(len, ids)):
        # Names that repeat name nothing, so numbers do.
        ids = [(str(index),) for index in range(len(ids))]
    if by is not None:
        return _merged(campaign, _runs(campaign, by, ids), {by: Split(list(map(str, range(len(ids)))), ids)})
    splits = {
        f"ref.{name}": Split(list(texts), ids, complete=name not in campaign.present)
        for name, texts in campaign.references.items()
    }
    if campaign.source is not None:
        splits["src"] = Split(list(campaign.source), ids)
    if not splits:
        raise InputError(
            f"{campaign.name} has no reference, so there is nothing to merge by. Name a column: --by COLUMN."
        )
    return _merged(campaign, common_segmentation(splits), splits)


def _runs(campaign: Campaign, by: str, ids: Sequence[tuple[str, ...]]) -> Segmentation:
    """Neighbours with the same label as segments."""
    labels = list(label_column(campaign, by))
    runs = [list(group) for _, group in groupby(range(len(labels)), key=labels.__getitem__)]
    counts = Counter(labels[run[0]] for run in runs)
    repeated = [label for label, count in counts.items() if count > 1]
    if repeated:
        note(
            f"{campaign.name}: {len(repeated)} values of {by} stand in several places, the first is "
            f"{repeated[0]!r}. Only neighbours are merged."
        )
    return Segmentation(
        tuple(tuple(one for index in run for one in ids[index]) for run in runs),
        {by: tuple(number for number, run in enumerate(runs) for _ in run)},
    )


def read_merged(
    path: str | Path, *, by: str | None = None, input_format: str | None = None, pair: str | None = None
) -> tuple[Campaign, tuple[str, ...]]:
    """The campaign of any format, merged, and what was merged; a folder may say for each text what its lines hold.

    ``segments.ref.A.txt`` has an id, or several, for each line of ``ref.A.txt``; texts without such a file have the ids
    of ``segments.txt``.
    """
    folder = Path(path)
    files = folder_files(folder)
    if not has_own_ids(files) or by is not None or guess_format(path) != "folder":
        try:
            return merge(read(path, input_format=input_format, pair=pair), by)
        except InputError:
            texts = text_files(files) if guess_format(path) == "folder" else {}
            counts = {file.name: len(read_lines(file)) for file in texts.values()}
            if by is not None or len(set(counts.values())) < 2:
                raise
            (one, lines), (other, others) = next(pair for pair in pairwise(counts.items()) if pair[0][1] != pair[1][1])
            what = f"{one} has {lines} lines and {other} {others}, and nothing says what lines hold."
            remedy = (
                f"Give {OWN_IDS}NAME.txt for texts that are split in their own way, or have lines aligned: --align."
            )
            raise InputError(what, remedy, Place(str(folder))) from None
    stems = _stems(files)
    splits = {name: _read_split(name, file, stems) for name, file in text_files(files).items()}
    segmentation = common_segmentation(splits)
    return merged_folder(folder, splits, segmentation), merges_of(segmentation, splits)


def folder_files(folder: Path) -> dict[str, Path]:
    """The files of a campaign folder by name, without what says how they are compressed."""
    return {plain_name(file.name): file for file in entries(folder)} if is_folder(folder) else {}


def _stems(files: Mapping[str, Path]) -> dict[str, Path]:
    return {name.removesuffix(".txt"): file for name, file in files.items() if name.endswith(".txt")}


def text_files(files: Mapping[str, Path]) -> dict[str, Path]:
    """Its texts: ``ref.A``, ``sys.x``, ``src``."""
    return {name: file for name, file in _stems(files).items() if name.startswith(("ref.", "sys.")) or name == "src"}


def has_own_ids(files: Iterable[str]) -> bool:
    """Whether a folder says for some text what its lines hold."""
    return any(name.startswith((f"{OWN_IDS}ref.", f"{OWN_IDS}sys.", f"{OWN_IDS}src")) for name in files)


def merged_folder(folder: Path, splits: Mapping[str, Split], segmentation: Segmentation) -> Campaign:
    """The campaign of a folder whose texts are joined to these segments, with labels and judgements."""
    files = folder_files(folder)
    stems = _stems(files)
    kinds = {"ref": "reference", "sys": "system", "src": "source"}
    parts: dict[Role, Iterable[str]] = {
        (kinds[name[:3]], name[4:]): _join(split.lines, segmentation.places[name], len(segmentation.segments))
        for name, split in splits.items()
    }
    labels = _labels_by_id(stems, segmentation)
    used = {*splits, *(_OWN_LABELS[kind] for kind, _ in labels), "segments"}
    left = [f"{name}.txt" for name in stems if name not in used and not name.startswith(OWN_IDS)]
    if left:
        note(f"not merged, as nothing says what their lines hold: {', '.join(left)}.", Place(str(folder)))
    places = {name[4:]: segmentation.places[name] for name in splits if name.startswith("sys.")}
    human = _moved(read_judgements(files["human.tsv"]), places) if "human.tsv" in files else None
    parts |= labels | {("segment", ""): map(name_of, segmentation.segments)}
    return Campaign.of_parts(str(folder), parts, human=human)


def _read_split(name: str, file: Path, stems: Mapping[str, Path]) -> Split:
    ids_file = stems.get(f"{OWN_IDS}{name}", stems.get("segments"))
    if ids_file is None:
        what = f"nothing says what the lines of {file.name} hold."
        raise InputError(what, f"Give {OWN_IDS}{name}.txt, or segments.txt for all.", Place(str(file.parent)))
    lines, cells = list(read_lines(file)), list(read_lines(ids_file))
    if len(lines) != len(cells):
        what = f"{len(cells)} lines, but {file} has {len(lines)}."
        raise InputError(what, "Every line needs its id.", Place(str(ids_file)))
    ids = [ids_in(cell) for cell in cells]
    if () in ids:
        raise InputError("no id.", f"Every line of {file.name} needs one.", Place(str(ids_file), ids.index(()) + 1))
    return Split(lines, ids, complete=not name.startswith("sys."))


def _labels_by_id(stems: Mapping[str, Path], segmentation: Segmentation) -> dict[Role, tuple[str, ...]]:
    """Documents and domains of the ids in ``segments.txt``, at the first id of each segment that has one."""
    cells = [ids_in(cell) for cell in read_lines(stems["segments"])] if "segments" in stems else []
    labels = {}
    for kind, name in _OWN_LABELS.items():
        column = list(read_lines(stems[name])) if cells and name in stems else []
        if cells and len(column) == len(cells):
            of = {one: label for ids, label in zip(cells, column, strict=True) for one in ids}
            labels[kind, ""] = tuple(next((of[one] for one in ids if one in of), "") for ids in segmentation.segments)
    return labels


def _merged(
    campaign: Campaign, segmentation: Segmentation, splits: Mapping[str, Split]
) -> tuple[Campaign, tuple[str, ...]]:
    """A campaign all of whose texts have the same lines, with some of them joined."""
    places = segmentation.places[next(iter(splits))]
    lines = [[line for line, _ in run] for _, run in groupby(enumerate(places), key=itemgetter(1))]

    def joined(role: Role, part: Part) -> Iterable[str]:
        kind, name = role
        if kind == "segment":
            return map(name_of, segmentation.segments)
        if kind in ("source", "reference", "system"):
            return _join(part, places, len(lines))
        labels = list(part)
        mixed = [number for number, several in enumerate(lines) if len({labels[line] for line in several}) > 1]
        if mixed:
            note(
                f"{campaign.name}: {len(mixed)} merged segments had several values of {name or kind}, the first is "
                f"{name_of(segmentation.segments[mixed[0]])}. They keep that of their first part."
            )
        return [labels[several[0]] for several in lines]

    judgements = campaign.judgements
    if campaign.scores:
        note(f"{campaign.name}: scores of {', '.join(campaign.scores)} are of unmerged segments and are left out.")
    made = replace(campaign, segments=campaign.segment_names()).with_parts(
        joined,
        present={
            name: np.array([flags[several].all() for several in lines]) for name, flags in campaign.present.items()
        },
        human=None if judgements is None else _moved(judgements, dict.fromkeys(campaign.systems, places)),
        scores={},
    )
    return made, merges_of(segmentation, splits)


def _join(lines: Iterable[str], places: Sequence[int], count: int) -> Texts:
    """The lines of each segment, with a space between."""
    parts: list[list[str]] = [[] for _ in range(count)]
    for line, place in zip(lines, places, strict=True):
        if line.strip():
            parts[place].append(line)
    return Texts.of([" ".join(several) for several in parts])


def _moved(judgements: Judgements, places: Mapping[str, Sequence[int]]) -> Judgements:
    """Judgements of parts as judgements of the whole; several of one segment stand beside each other."""
    moved = judgements.segment.copy()
    for code, system in enumerate(judgements.system.names):
        of_system = places.get(str(system), next(iter(places.values()), ()))
        rows = (judgements.system.codes == code) & (judgements.segment >= 0)
        outside = rows & (judgements.segment >= len(of_system))
        if outside.any():
            first = int(np.flatnonzero(outside)[0])
            what = (
                f"segment {int(judgements.segment[first])}, but {system} has {len(of_system)} lines, numbered from 0."
            )
            raise InputError(what, place=judgements.place(first))
        moved[rows] = np.asarray(of_system, dtype=np.int64)[judgements.segment[rows]]
    if (moved != judgements.segment).any():
        note(
            "Judgements of merged segments were of their parts: they now stand beside each other for the whole, and "
            "the rest is numbered anew."
        )
    return replace(judgements, segment=moved)


def merges_of(segmentation: Segmentation, splits: Mapping[str, Split]) -> tuple[str, ...]:
    """What became one, and who has fewer lines with words there than others."""
    counts = {
        name: Counter(place for place, line in zip(segmentation.places[name], split.lines, strict=True) if line.strip())
        for name, split in splits.items()
    }
    merges = []
    for number, ids in enumerate(segmentation.segments):
        most = max(count[number] for count in counts.values())
        # A segment that all texts have in one line was not merged here, whatever its name covers.
        if len(ids) > 1 and most > 1:
            because = ", ".join(name for name, count in counts.items() if count[number] < most)
            merges.append(f"{name_of(ids)} (for {because})" if because else name_of(ids))
    return tuple(merges)
