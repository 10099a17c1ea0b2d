"""Texts that are split differently: the smallest segmentation that they have in common, and campaigns merged to it.

Segments are joined, never split.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign, Part, Role
from assay.data.files import plain_name, read_lines
from assay.data.filters import label_column
from assay.data.formats import guess_format
from assay.data.formats.judgement_files import read_judgements
from assay.data.judgements import Judgements
from assay.data.problems import note
from assay.data.reading import read
from assay.data.texts import Texts
from assay.errors import InputError, Place

#: How the files are called that say what each line of a text holds: ``segments.ref.A.txt``.
OWN_IDS = "segments."
#: The files of a folder with labels that merged segments keep.
_OWN_LABELS = {"document": "docs", "domain": "domains"}
_TAIL = re.compile(r"(.*?)(\d+)")


@dataclass(frozen=True)
class Split:
    """How one text is split: its lines, and the ids of what each line holds.

    A line may hold several ids, and several lines may hold parts of one. A ``complete`` text should have words for
    everything; where it has none, they stand elsewhere.
    """

    lines: Sequence[str] = field(repr=False)
    ids: Sequence[tuple[str, ...]] = field(repr=False)
    complete: bool = True

    @cached_property
    def words(self) -> list[int]:
        """How many words each line has."""
        return [len(line.split()) for line in self.lines]


@dataclass(frozen=True)
class _Segmentation:
    """Segments as ids in order, and for each text the segment of each line."""

    segments: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[int, ...]] = field(repr=False)


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
        if first and last and first[1] == last[1] and int(first[2]) < int(last[2]):
            return [f"{first[1]}{number}" for number in range(int(first[2]), int(last[2]) + 1)]
    return None


def _name_of(ids: Sequence[str]) -> str:
    """What a segment is called: the first id and, if there are several, the last."""
    return ids[0] if len(ids) == 1 else f"{ids[0]}-{ids[-1]}"


def common_segmentation(splits: Mapping[str, Split]) -> _Segmentation:
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
    joined = [False] * len(order)
    for of_lines in spans.values():
        highest = -1
        for low, high in of_lines:
            # Lines that stand in another order join all between them.
            first, last = (min(low, highest), max(high, highest)) if 0 <= low < highest else (low, high)
            joined[first:last] = [True] * (last - first)
            highest = max(highest, high)
    while _join_gaps(joined, splits, spans):
        pass
    segment, numbers = 0, []
    for together in (*joined[:-1], False):
        numbers.append(segment)
        segment += not together
    segments: list[list[str]] = [[] for _ in range(segment)]
    for one, number in zip(order, numbers, strict=True):
        segments[number].append(one)
    places = {name: tuple(numbers[low] for low, _ in of_lines) for name, of_lines in spans.items()}
    return _Segmentation(tuple(map(tuple, segments)), places)


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


def _join_gaps(joined: list[bool], splits: Mapping[str, Split], spans: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Join the first segments for which some complete text has no words; whether there were any."""
    bounds = _bounds(joined)
    words = {name: _words(split, spans[name], bounds) for name, split in splits.items()}
    expected = [sum(counts[index] for counts in words.values()) for index in range(len(bounds))]
    for name, counts in words.items():
        if not splits[name].complete or not any(counts):
            continue
        for index, count in enumerate(counts):
            # What nobody has words for is no difference between texts.
            if count == 0 and expected[index] > 0:
                last = index
                while last + 1 < len(counts) and counts[last + 1] == 0:
                    last += 1
                before = counts[index - 1] / expected[index - 1] if index else -1.0
                behind = counts[last + 1] / expected[last + 1] if last + 1 < len(counts) else -1.0
                low, high = (index - 1, last) if before >= behind else (index, last + 1)
                start, stop = bounds[low][0], bounds[high][1]
                joined[start:stop] = [True] * (stop - start)
                return True
    return False


def _bounds(joined: Sequence[bool]) -> list[tuple[int, int]]:
    """The first and the last position of each segment."""
    ends = [index for index, together in enumerate(joined) if not together or index == len(joined) - 1]
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


def _words(split: Split, spans: Sequence[tuple[int, int]], bounds: Sequence[tuple[int, int]]) -> list[int]:
    """How many words a text has in each segment."""
    segment_at = {start: index for index, (low, high) in enumerate(bounds) for start in range(low, high + 1)}
    counts = [0] * len(bounds)
    for count, (low, _) in zip(split.words, spans, strict=True):
        counts[segment_at[low]] += count
    return counts


@dataclass(frozen=True)
class Merge:
    """Segments that became one, and the texts that made it necessary."""

    segment: str
    parts: tuple[str, ...]
    because: tuple[str, ...]

    def __str__(self) -> str:
        reason = f" (for {', '.join(self.because)})" if self.because else ""
        return f"{self.segment}{reason}"


@dataclass(frozen=True)
class Merging:
    """A campaign after merging, and what was merged."""

    campaign: Campaign
    merges: tuple[Merge, ...]


def merge(campaign: Campaign, by: str | None = None) -> Merging:
    """Join segments of a campaign: those with the same label one after the other in column ``by`` or, without a column,
    those that some reference, or the source, has no words for.

    An empty translation of a system is a fault of the system, and joins nothing.
    """
    ids = [ids_in(name) or (name,) for name in campaign.segment_names()]
    if len({one for several in ids for one in several}) < sum(map(len, ids)):
        # Names that repeat name nothing, so numbers do.
        ids = [(str(index),) for index in range(len(ids))]
    if by is not None:
        labels = list(label_column(campaign, by))
        runs = [list(group) for _, group in groupby(range(len(labels)), key=labels.__getitem__)]
        counts = Counter(labels[run[0]] for run in runs)
        repeated = [label for label, count in counts.items() if count > 1]
        if repeated:
            note(
                f"{campaign.name}: {len(repeated)} values of {by} stand in several places, the first is "
                f"{repeated[0]!r}. Only neighbours are merged."
            )
        segmentation = _Segmentation(
            tuple(tuple(one for index in run for one in ids[index]) for run in runs),
            {"": tuple(number for number, run in enumerate(runs) for _ in run)},
        )
        return _merged(campaign, segmentation, "", {})
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
    return _merged(campaign, common_segmentation(splits), next(iter(splits)), splits)


def read_merged(
    path: str | Path, *, by: str | None = None, input_format: str | None = None, pair: str | None = None
) -> Merging:
    """The campaign of any format, merged; a folder may say for each text what its lines hold.

    ``segments.ref.A.txt`` has an id, or several, for each line of ``ref.A.txt``; texts without such a file have the ids
    of ``segments.txt``.
    """
    folder = Path(path)
    files = {} if not folder.is_dir() else {plain_name(file.name): file for file in sorted(folder.iterdir())}
    split_files = [name for name in files if name.startswith((f"{OWN_IDS}ref.", f"{OWN_IDS}sys.", f"{OWN_IDS}src"))]
    if not split_files or by is not None or guess_format(path) != "folder":
        return merge(read(path, input_format=input_format, pair=pair), by)
    splits = {
        name.removesuffix(".txt"): _read_split(name.removesuffix(".txt"), file, files, folder)
        for name, file in files.items()
        if name.endswith(".txt") and (name.startswith(("ref.", "sys.")) or name == "src.txt")
    }
    segmentation = common_segmentation(splits)
    count, kinds = len(segmentation.segments), {"ref": "reference", "sys": "system", "src": "source"}
    roles = {name: (kinds[name[:3]], name[4:]) for name in splits}
    labels = _labels_by_id(files, segmentation)
    used = {*splits, *(_OWN_LABELS[kind] for kind, _ in labels), "segments"}
    left = [name for name in files if name.endswith(".txt") and not name.startswith(OWN_IDS)]
    left = [name for name in left if name.removesuffix(".txt") not in used]
    if left:
        note(f"not merged, as nothing says what their lines hold: {', '.join(left)}.", Place(str(folder)))
    places = {name: segmentation.places[text] for text, (kind, name) in roles.items() if kind == "system"}
    human = _moved(read_judgements(files["human.tsv"]), places) if "human.tsv" in files else None
    texts = {role: _join(splits[name].lines, segmentation.places[name], count) for name, role in roles.items()}
    names = {("segment", ""): tuple(map(_name_of, segmentation.segments))}
    campaign = Campaign.of_parts(str(folder), {**texts, **labels, **names}, human=human)
    return Merging(campaign, _merges(segmentation, splits))


def _read_split(name: str, file: Path, files: Mapping[str, Path], folder: Path) -> Split:
    ids_file = files.get(f"{OWN_IDS}{name}.txt", files.get("segments.txt"))
    if ids_file is None:
        what = f"nothing says what the lines of {file.name} hold."
        raise InputError(what, f"Give {OWN_IDS}{name}.txt, or segments.txt for all.", Place(str(folder)))
    lines, cells = list(read_lines(file)), list(read_lines(ids_file))
    if len(lines) != len(cells):
        what = f"{len(cells)} lines, but {file} has {len(lines)}."
        raise InputError(what, "Every line needs its id.", Place(str(ids_file)))
    ids = [ids_in(cell) for cell in cells]
    if () in ids:
        raise InputError("no id.", f"Every line of {file.name} needs one.", Place(str(ids_file), ids.index(()) + 1))
    return Split(lines, ids, complete=not name.startswith("sys."))


def _labels_by_id(files: Mapping[str, Path], segmentation: _Segmentation) -> dict[Role, tuple[str, ...]]:
    """Documents and domains of the ids in ``segments.txt``, at the first id of each segment that has one."""
    cells = [ids_in(cell) for cell in read_lines(files["segments.txt"])] if "segments.txt" in files else []
    labels = {}
    for kind, name in _OWN_LABELS.items():
        column = list(read_lines(files[f"{name}.txt"])) if cells and f"{name}.txt" in files else []
        if cells and len(column) == len(cells):
            of = {one: label for ids, label in zip(cells, column, strict=True) for one in ids}
            labels[kind, ""] = tuple(next((of[one] for one in ids if one in of), "") for ids in segmentation.segments)
    return labels


def _merged(campaign: Campaign, segmentation: _Segmentation, key: str, splits: Mapping[str, Split]) -> Merging:
    """A campaign all of whose texts have the same lines, with some of them joined."""
    places = segmentation.places[key]
    lines: list[list[int]] = [[] for _ in segmentation.segments]
    for line, place in enumerate(places):
        lines[place].append(line)

    def joined(role: Role, part: Part) -> Iterable[str]:
        kind, name = role
        if kind == "segment":
            return tuple(map(_name_of, segmentation.segments))
        if kind in ("source", "reference", "system"):
            return _join(part, places, len(lines))
        labels = list(part)
        mixed = [number for number, several in enumerate(lines) if len({labels[line] for line in several}) > 1]
        if mixed:
            note(
                f"{campaign.name}: {len(mixed)} merged segments had several values of {name or kind}, the first is "
                f"{_name_of(segmentation.segments[mixed[0]])}. They keep that of their first part."
            )
        return tuple(labels[several[0]] for several in lines)

    judgements = campaign.judgements
    made = replace(campaign, segments=campaign.segment_names()).with_parts(
        joined,
        present={
            name: np.array([flags[several].all() for several in lines]) for name, flags in campaign.present.items()
        },
        human=None if judgements is None else _moved(judgements, dict.fromkeys(campaign.systems, places)),
    )
    return Merging(made, _merges(segmentation, splits))


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


def _merges(segmentation: _Segmentation, splits: Mapping[str, Split]) -> tuple[Merge, ...]:
    """What became one, and who has fewer lines with words there than others."""
    merges = []
    for number, ids in enumerate(segmentation.segments):
        if len(ids) < 2:
            continue
        counts = {
            name: sum(
                place == number and bool(line.strip())
                for place, line in zip(segmentation.places[name], split.lines, strict=True)
            )
            for name, split in splits.items()
        }
        most = max(counts.values(), default=0)
        because = tuple(name for name, count in counts.items() if count < most)
        # A segment that all texts have in one line was not merged here, whatever its name covers.
        lines = most if splits else sum(place == number for place in segmentation.places[""])
        if lines > 1:
            merges.append(Merge(_name_of(ids), ids, because))
    return tuple(merges)
