"""The smallest segmentation that several texts have in common: segments are joined, never split."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

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
