"""Texts that are split differently: the smallest segmentation that they have in common, and campaigns merged to it.

Segments are joined, never split.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.files import plain_name
from assay.data.filters import label_column
from assay.data.judgements import Judgements
from assay.data.lines import read_lines
from assay.data.reading import JudgementFile, guess_format, read
from assay.data.texts import Column, Texts
from assay.errors import AssayWarning, InputError, Place

#: How the files are called that say what each line of a text holds: ``segments.ref.A.txt``.
OWN_IDS = "segments."
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
class Segmentation:
    """Segments as ids in order, and for each text the segment of each line."""

    segments: tuple[tuple[str, ...], ...]
    places: Mapping[str, tuple[int, ...]] = field(repr=False)


def ids_in(text: str) -> tuple[str, ...]:
    """The ids in a cell: one, several with spaces or commas between, or a range with the same name on both sides.

    >>> ids_in("Luke.1.28-Luke.1.30"), ids_in("a, b"), ids_in("news-12")
    (('Luke.1.28', 'Luke.1.29', 'Luke.1.30'), ('a', 'b'), ('news-12',))
    """
    found: list[str] = []
    for item in re.split(r"[\s,;+]+", text.strip()):
        found += _range(item) or ([item] if item else [])
    return tuple(found)


def _range(item: str) -> list[str] | None:
    for place in (index for index, sign in enumerate(item) if sign in "-–"):
        first, last = _TAIL.fullmatch(item[:place]), _TAIL.fullmatch(item[place + 1 :])
        if first and last and first[1] == last[1] and int(first[2]) < int(last[2]):
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
    spans = {name: [_span(ids, position) for ids in split.ids] for name, split in splits.items()}
    # joined[p] says that p and p + 1 belong to one segment.
    joined = [False] * len(order)
    for own in spans.values():
        for low, high in _in_order(own):
            joined[low:high] = [True] * (high - low)
    while _join_gaps(joined, splits, spans):
        pass
    segment, numbers = 0, []
    for together in (*joined[:-1], False):
        numbers.append(segment)
        segment += not together
    segments: list[list[str]] = [[] for _ in range(segment)]
    for one, number in zip(order, numbers, strict=True):
        segments[number].append(one)
    places = {name: tuple(numbers[low] for low, _ in own) for name, own in spans.items()}
    return Segmentation(tuple(map(tuple, segments)), places)


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


def _span(ids: Sequence[str], position: Mapping[str, int]) -> tuple[int, int]:
    places = [position[one] for one in ids]
    return min(places), max(places)


def _in_order(spans: Sequence[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """The spans, and for lines that stand in another order the span of all between."""
    highest = -1
    for low, high in spans:
        yield (min(low, highest), max(high, highest)) if 0 <= low < highest else (low, high)
        highest = max(highest, high)


def _join_gaps(joined: list[bool], splits: Mapping[str, Split], spans: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Join the first segments for which some complete text has no words; whether there were any."""
    bounds = _bounds(joined)
    words = {name: _words(split, spans[name], bounds) for name, split in splits.items()}
    expected = [sum(own[index] for own in words.values()) for index in range(len(bounds))]
    for name, own in words.items():
        if not splits[name].complete or not any(own):
            continue
        for index, count in enumerate(own):
            # What nobody has words for is no difference between texts.
            if count == 0 and expected[index] > 0:
                last = index
                while last + 1 < len(own) and own[last + 1] == 0:
                    last += 1
                before = own[index - 1] / expected[index - 1] if index else -1.0
                behind = own[last + 1] / expected[last + 1] if last + 1 < len(own) else -1.0
                low, high = (index - 1, last) if before >= behind else (index, last + 1)
                start, stop = bounds[low][0], bounds[high][1]
                joined[start:stop] = [True] * (stop - start)
                return True
    return False


def _bounds(joined: Sequence[bool]) -> list[tuple[int, int]]:
    """The first and the last position of each segment."""
    found, start = [], 0
    for index in range(len(joined)):
        if index == len(joined) - 1 or not joined[index]:
            found.append((start, index))
            start = index + 1
    return found


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
    names = campaign.segment_names()
    ids = _distinct([ids_in(name) or (name,) for name in names], names)
    if by is not None:
        labels = list(label_column(campaign, by))
        runs = [list(group) for _, group in groupby(range(len(labels)), key=labels.__getitem__)]
        _warn_of_repeats(campaign.name, by, [labels[run[0]] for run in runs])
        segmentation = Segmentation(
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
    own = {} if not folder.is_dir() else {plain_name(file.name): file for file in sorted(folder.iterdir())}
    split_files = [name for name in own if name.startswith((f"{OWN_IDS}ref.", f"{OWN_IDS}sys.", f"{OWN_IDS}src"))]
    if not split_files or by is not None or guess_format(path) != "folder":
        return merge(read(path, input_format=input_format, pair=pair), by)
    texts = {
        name.removesuffix(".txt"): file
        for name, file in own.items()
        if name.endswith(".txt") and (name.startswith(("ref.", "sys.")) or name == "src.txt")
    }
    splits = {name: _read_split(name, file, own, folder) for name, file in texts.items()}
    segmentation = common_segmentation(splits)
    return _assembled(folder, own, splits, segmentation)


def _read_split(name: str, file: Path, own: Mapping[str, Path], folder: Path) -> Split:
    ids_file = own.get(f"{OWN_IDS}{name}.txt", own.get("segments.txt"))
    if ids_file is None:
        what = f"nothing says what the lines of {file.name} hold."
        raise InputError(what, f"Give {OWN_IDS}{name}.txt, or segments.txt for all.", Place(str(folder)))
    lines, cells = list(read_lines(file)), list(read_lines(ids_file))
    if len(lines) != len(cells):
        what = f"{len(cells)} lines, but {file} has {len(lines)}."
        raise InputError(what, "Every line needs its id.", Place(str(ids_file)))
    ids = [ids_in(cell) for cell in cells]
    for number, found in enumerate(ids, start=1):
        if not found:
            raise InputError("no id.", f"Every line of {file.name} needs one.", Place(str(ids_file), number))
    return Split(lines, ids, complete=not name.startswith("sys."))


def _assembled(
    folder: Path, own: Mapping[str, Path], splits: Mapping[str, Split], segmentation: Segmentation
) -> Merging:
    """A campaign out of texts that were split differently."""
    texts = {
        name: _join(split.lines, segmentation.places[name], len(segmentation.segments))
        for name, split in splits.items()
    }
    systems = {name[4:]: column for name, column in texts.items() if name.startswith("sys.")}
    labels = _labels_by_id(own, segmentation)
    used = {*texts, *labels, "segments", *(name.removesuffix(".txt") for name in own if name.startswith(OWN_IDS))}
    left = [name for name in own if name.endswith(".txt") and name.removesuffix(".txt") not in used]
    if left:
        message = f"not merged, as nothing says what their lines hold: {', '.join(left)}."
        warnings.warn(AssayWarning(message, place=Place(str(folder))), stacklevel=3)
    human = None
    for name, file in own.items():
        if name == "human.tsv":
            places = {name[4:]: segmentation.places[name] for name in texts if name.startswith("sys.")}
            human = _moved(JudgementFile((file,)).judgements, places)
    campaign = Campaign(
        name=folder.resolve().name,
        systems=systems,
        references={name[4:]: column for name, column in texts.items() if name.startswith("ref.")},
        source=texts.get("src"),
        documents=labels.get("docs"),
        domains=labels.get("domains"),
        segments=tuple(map(name_of, segmentation.segments)),
        human=human,
    )
    return Merging(campaign, _merges(segmentation, splits))


def _labels_by_id(own: Mapping[str, Path], segmentation: Segmentation) -> dict[str, tuple[str, ...]]:
    """Documents and domains of the ids in ``segments.txt``, at the first id of each segment that has one."""
    if "segments.txt" not in own:
        return {}
    cells = [ids_in(cell) for cell in read_lines(own["segments.txt"])]
    found = {}
    for name in ("docs", "domains"):
        if f"{name}.txt" in own:
            column = list(read_lines(own[f"{name}.txt"]))
            if len(column) == len(cells):
                of = {one: label for ids, label in zip(cells, column, strict=True) for one in ids}
                found[name] = tuple(next((of[one] for one in ids if one in of), "") for ids in segmentation.segments)
    return found


def _merged(campaign: Campaign, segmentation: Segmentation, key: str, splits: Mapping[str, Split]) -> Merging:
    """A campaign all of whose texts have the same lines, with some of them joined."""
    places = segmentation.places[key]
    count = len(segmentation.segments)
    lines: list[list[int]] = [[] for _ in range(count)]
    for line, place in enumerate(places):
        lines[place].append(line)

    def joined(columns: Mapping[str, Column]) -> dict[str, Texts]:
        return {name: _join(list(column), places, count) for name, column in columns.items()}

    def labels(name: str, given: Sequence[str] | None) -> tuple[str, ...] | None:
        if given is None:
            return None
        mixed = [segment for segment, own in enumerate(lines) if len({given[line] for line in own}) > 1]
        if mixed:
            warnings.warn(
                f"{campaign.name}: {len(mixed)} merged segments had several values of {name}, the first is "
                f"{name_of(segmentation.segments[mixed[0]])}. They keep that of their first part.",
                AssayWarning,
                stacklevel=4,
            )
        return tuple(given[own[0]] for own in lines)

    judgements = campaign.judgements
    made = replace(
        campaign,
        systems=joined(campaign.systems),
        references=joined(campaign.references),
        source=None if campaign.source is None else _join(list(campaign.source), places, count),
        columns={
            name: Texts.of(labels(name, list(column)) or ()) for name, column in campaign.columns.items()
        },
        documents=labels("document", campaign.documents),
        domains=labels("domain", campaign.domains),
        segments=tuple(map(name_of, segmentation.segments)),
        present={name: np.array([flags[own].all() for own in lines]) for name, flags in campaign.present.items()},
        human=None if judgements is None else _moved(judgements, dict.fromkeys(campaign.systems, places)),
    )  # fmt: skip
    return Merging(made, _merges(segmentation, splits))


def _join(lines: Sequence[str], places: Sequence[int], count: int) -> Texts:
    """The lines of each segment, with a space between."""
    parts: list[list[str]] = [[] for _ in range(count)]
    for line, place in zip(lines, places, strict=True):
        if line.strip():
            parts[place].append(line)
    return Texts.of([" ".join(own) for own in parts])


def _moved(judgements: Judgements, places: Mapping[str, Sequence[int]]) -> Judgements:
    """Judgements of parts as judgements of the whole; several of one segment stand beside each other."""
    moved = judgements.segment.copy()
    for code, system in enumerate(judgements.system.names):
        own = places.get(str(system), next(iter(places.values()), ()))
        rows = (judgements.system.codes == code) & (judgements.segment >= 0)
        outside = rows & (judgements.segment >= len(own))
        if outside.any():
            first = int(np.flatnonzero(outside)[0])
            what = f"segment {int(judgements.segment[first])}, but {system} has {len(own)} lines, numbered from 0."
            raise InputError(what, place=judgements.place(first))
        moved[rows] = np.asarray(own, dtype=np.int64)[judgements.segment[rows]]
    parts = int((moved != judgements.segment).sum())
    if parts:
        warnings.warn(
            "Judgements of merged segments were of their parts: they now stand beside each other for the whole, and "
            "the rest is numbered anew.",
            AssayWarning,
            stacklevel=4,
        )
    return replace(judgements, segment=moved)


def _merges(segmentation: Segmentation, splits: Mapping[str, Split]) -> tuple[Merge, ...]:
    """What became one, and who has fewer lines with words there than others."""
    found = []
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
            found.append(Merge(name_of(ids), ids, because))
    return tuple(found)


def _distinct(ids: list[tuple[str, ...]], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Ids of lines; numbers instead, where names repeat and so name nothing."""
    everything = [one for own in ids for one in own]
    if len(set(everything)) == len(everything):
        return ids
    return [(str(index),) for index in range(len(names))]


def _warn_of_repeats(campaign: str, by: str, labels: Sequence[str]) -> None:
    repeated = [label for label in dict.fromkeys(labels) if labels.count(label) > 1] if len(labels) < 5000 else []
    if repeated:
        warnings.warn(
            f"{campaign}: {len(repeated)} values of {by} stand in several places, the first is {repeated[0]!r}. Only "
            "neighbours are merged.",
            AssayWarning,
            stacklevel=4,
        )
