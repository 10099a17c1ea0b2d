"""Which lines of two texts go together, where nothing says so: by their lengths and the rare words that both have.

Lengths are compared as Gale & Church (1993) do: translations of long passages are long. A path through both texts is
made of beads, each of which joins a few lines of one to a few of the other, and the cheapest path wins. The cost of a
bead is the negative logarithm of how likely such lengths are, and of how usual such a bead is. Texts that translate the
same share names, numbers and, in one language, words: each rare word that stands on both sides of a bead makes it
cheaper. No line is ever split.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import counted

#: Lines of either text in a bead.
_Shape = tuple[int, int]
#: How usual beads are after Gale & Church (1993, Table 5), as the shares that nltk has, too.
GALE_CHURCH: Mapping[_Shape, float] = {
    (1, 1): 0.89, (1, 0): 0.0099, (0, 1): 0.0099, (2, 1): 0.089, (1, 2): 0.089, (2, 2): 0.011,
}  # fmt: skip
#: The same, and beads of more lines, which verses and paragraphs need: each further line is ten times as rare.
_SHAPES: Mapping[_Shape, float] = {
    **GALE_CHURCH,
    **{(1, lines): 0.089 * 0.1 ** (lines - 2) for lines in range(3, 7)},
    **{(lines, 1): 0.089 * 0.1 ** (lines - 2) for lines in range(3, 7)},
    (2, 3): 0.0011, (3, 2): 0.0011,
}  # fmt: skip
#: The variance of a translation's length per character (Gale & Church 1993, section 3.2).
_VARIANCE = 6.8
#: The same where most lines share a rare word: of 7 to 60 it found most of the cuts on German translations of the
#: gospels whose verses were joined at random.
_LOOSE = 40.0
#: How many lines around the place of as many characters are looked at, at first; twice as many where that is too few.
_RADIUS = 64
#: A word in more lines of a text, or in more than a tenth of them, is no sign of where one is.
_MOST_LINES = 8
#: What a shared word is worth, of the logarithm of how rare it is.
_WORTH = 0.5
#: What a segment costs in the mean where lengths fit and words take nothing off.
_DOUBTFUL = 1.0
#: So often a word counts in a bead.
_MOST_TIMES = 3
#: Above so many letters in the mean there are no blanks between words, and pairs of letters take their place.
_LONG_WORDS = 12
_WORD = re.compile(r"\w+")

_Gains = Mapping[_Shape, Any]


class Bead(NamedTuple):
    """Lines of two texts that go together, each from a number up to another, and what that costs."""

    first: tuple[int, int]
    second: tuple[int, int]
    cost: float


def align(first: Sequence[str], second: Sequence[str]) -> list[Bead]:
    """Beads from the first lines to the last; each has at least a line of either text, if both have any.

    A line without a counterpart joins the neighbour in which the other text is longer than one would expect.

    >>> german = ["Am Anfang war das Wort.", "Und das Wort war bei Gott, und Gott war das Wort."]
    >>> english = ["In the beginning was the Word.", "And the Word was with God,", "and the Word was God."]
    >>> [(bead.first, bead.second) for bead in align(german, english)]
    [((0, 1), (0, 1)), ((1, 2), (1, 3))]
    """
    lengths = [np.array([len(line) for line in lines], dtype=np.float64) for lines in (first, second)]
    rare = _rare_words(*map(_words, (first, second)))
    # Where words tell, lengths need not: two lines that share none may well be as long.
    variance = _LOOSE if _tell(rare, first, second) else _VARIANCE
    beads = align_lengths(*lengths, shapes=_SHAPES, variance=variance, gains=_shared_words(first, second, rare))
    return _without_empty(beads, *lengths)


def doubt(first: Sequence[str], second: Sequence[str], beads: Sequence[Bead]) -> str | None:
    """Why two texts may not go together as their beads say: what they share says little, or says so."""
    rare = _rare_words(*map(_words, (first, second)))
    if not _tell(rare, first, second):
        return f"share {counted(len(rare), 'rare word')}, so that it is mostly lengths which say what goes together"
    mean = sum(bead.cost for bead in beads) / max(len(beads), 1)
    if mean > _DOUBTFUL:
        return f"share words, but not where lines are as long ({mean:.1f} a segment): they may be different texts"
    return None


def _ratio(first: Array, second: Array) -> float:
    """How many characters of the second text stand for one of the first."""
    return float(second.sum() / first.sum()) if first.sum() > 0 and second.sum() > 0 else 1.0


def align_lengths(
    first: Array, second: Array, *, shapes: Mapping[_Shape, float] = GALE_CHURCH, ratio: float | None = None,
    variance: float = _VARIANCE, gains: _Gains | None = None,
) -> list[Bead]:  # fmt: skip
    """The cheapest path by lengths in characters, less what ``gains`` take off: a sparse matrix per shape of bead.

    ``ratio`` is how many characters of the second text stand for one of the first; without it, as many as there are.
    """
    ends = [np.concatenate([[0.0], np.cumsum(lengths)]) for lengths in (first, second)]
    model = _Lengths(_ratio(first, second) if ratio is None else ratio, variance, shapes)
    # The line of the second text that has the same share of its text before it.
    shares = [end / max(end[-1], 1.0) for end in ends]
    middle = np.searchsorted(shares[1], shares[0])
    radius = _RADIUS
    while True:
        low = np.clip(middle - radius, 0, len(second))
        high = np.clip(middle + radius, 0, len(second))
        low[0], high[-1] = 0, len(second)
        beads = _cheapest(ends, (low, high), model, gains or {})
        reached = [(bead.first[1], bead.second[1]) for bead in beads]
        # What runs along the edge of the band may want to leave it.
        inside = all((low[i] < j or low[i] == 0) and (j < high[i] or high[i] == len(second)) for i, j in reached)
        if (beads or not len(first) + len(second)) and inside:
            return beads
        if radius > len(second):
            raise ValueError("No path leads from the first lines to the last.")
        radius *= 2


class _Lengths(NamedTuple):
    """What lengths of lines that go together are like: their ratio and variance, and how usual shapes of beads are."""

    ratio: float
    variance: float
    shapes: Mapping[_Shape, float]

    def costs(self, first: Array | float, second: Array | float, shape: _Shape) -> Array:
        """Of beads by the characters on both sides: of a normal deviate, on both tails, and of the shape."""
        from scipy.special import log_ndtr

        mean = np.maximum((first + np.asarray(second) / self.ratio) / 2.0, 1e-9)
        deviate = (first * self.ratio - np.asarray(second)) / np.sqrt(mean * self.variance)
        return np.asarray(-(np.log(2.0) + log_ndtr(-np.abs(deviate)) + np.log(self.shapes[shape])))

    def of_row(self, ends: Sequence[Array], i: int, columns: tuple[int, int], shape: _Shape) -> Array:
        """Of beads that end at line ``i`` of the first text, and in these columns of the second."""
        (taken, given), (start, stop) = shape, columns
        second = ends[1][start:stop] - ends[1][start - given : stop - given]
        return self.costs(ends[0][i] - ends[0][i - taken], second, shape)


def _cheapest(
    ends: Sequence[Array], band: tuple[NDArray[np.intp], NDArray[np.intp]], model: _Lengths, gains: _Gains
) -> list[Bead]:
    """The beads of the cheapest path within a band; none if no path stays in it.

    Row by row: costs of all beads that take a line of the first text at once, and then those that take none.
    """
    count, width = len(ends[0]) - 1, len(ends[1])
    known = list(model.shapes)
    # The cost of a line of the second text alone does not depend on the first.
    alone = np.zeros(width)
    if (0, 1) in known:
        alone[1:] = np.cumsum(model.costs(0.0, np.diff(ends[1]), (0, 1)))
    deepest = max(taken for taken, _ in known)
    rows: dict[int, Array] = {}
    chosen: list[NDArray[np.int8]] = []
    for i in range(count + 1):
        low, high = int(band[0][i]), int(band[1][i]) + 1
        best, by = np.full(high - low, np.inf), np.full(high - low, -1, dtype=np.int8)
        if i == 0:
            best[0] = 0.0
        for number, (taken, given) in enumerate(known):
            start = max(low, given)
            if not 0 < taken <= i or start >= high:
                continue
            total = model.of_row(ends, i, (start, high), (taken, given))
            if (taken, given) in gains:
                _take_off(total, gains[taken, given], i, start)
            total += rows[i - taken][start - given : high - given]
            better = total < best[start - low :]
            best[start - low :][better] = total[better]
            by[start - low :][better] = number
        if (0, 1) in known:
            beyond = best - alone[low:high]
            least = np.minimum.accumulate(beyond)
            # Sums are large, and would come out a little lower by rounding alone; differences are the very same ones.
            skipped = least < beyond
            best[skipped], by[skipped] = (least + alone[low:high])[skipped], known.index((0, 1))
        rows[i] = np.full(width, np.inf)
        rows[i][low:high] = best
        rows.pop(i - deepest, None)
        chosen.append(by)
    if not np.isfinite(rows[count][-1]):
        return []
    beads, i, j = [], count, width - 1
    while i or j:
        shape = known[int(chosen[i][j - int(band[0][i])])]
        cost = model.of_row(ends, i, (j, j + 1), shape)
        if shape in gains:
            _take_off(cost, gains[shape], i, j)
        beads.append(Bead((i - shape[0], i), (j - shape[1], j), float(cost[0])))
        i, j = i - shape[0], j - shape[1]
    return beads[::-1]


def _take_off(costs: Array, gains: Any, i: int, start: int) -> None:
    """Make beads cheaper by the words that their sides share; ``costs`` are those of row ``i`` from a column on."""
    here = slice(gains.indptr[i], gains.indptr[i + 1])
    columns = gains.indices[here] - start
    inside = (columns >= 0) & (columns < len(costs))
    costs[columns[inside]] -= gains.data[here][inside]


def _rare_words(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]) -> dict[str, float]:
    """Words that stand in few lines of both texts, in order, with what each of them is worth."""
    spread = [Counter(word for line in lines for word in set(line)) for lines in (first, second)]
    most = [min(_MOST_LINES, max(1, len(lines) // 10)) for lines in (first, second)]
    return {
        word: _WORTH * float(np.log(min(len(first) / spread[0][word], len(second) / spread[1][word])))
        for word in sorted(spread[0].keys() & spread[1].keys())
        if all(spread[side][word] <= most[side] for side in (0, 1))
    }


def _tell(rare: Mapping[str, float], first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether there are enough words in common to say which lines go together."""
    return 2 * len(rare) >= min(len(first), len(second))


def _shared_words(first: Sequence[str], second: Sequence[str], rare: Mapping[str, float]) -> _Gains:
    """What rare words on both sides take off each bead, by its shape.

    Matrices are over the ends of beads. A word counts as often as both sides have it, so that joining two beads brings
    nothing that they had not before.
    """
    from scipy.sparse import csr_array

    if not rare:
        return {}
    texts, number = [_words(lines) for lines in (first, second)], {word: place for place, word in enumerate(rare)}
    worth = np.array([*rare.values()])
    counts = []
    for lines in texts:
        # Row 0 is before the first line: rows are ends of beads.
        cells = Counter((row + 1, number[word]) for row, line in enumerate(lines) for word in line if word in number)
        places = np.array(list(cells), dtype=np.int64).reshape(-1, 2).T
        shape = (len(lines) + 1, len(rare))
        counts.append(csr_array((np.array(list(cells.values()), dtype=np.float64), tuple(places)), shape=shape))
    gains: dict[_Shape, Any] = {}
    for taken, given in (shape for shape in _SHAPES if 0 not in shape):
        windows = [_windows(of_text, lines) for of_text, lines in zip(counts, (taken, given), strict=True)]
        total = None
        for times in range(1, _MOST_TIMES + 1):
            has = [csr_array((window >= times).astype(np.float64)) for window in windows]
            product = has[0].multiply(worth[None, :]).tocsr() @ has[1].T
            total = product if total is None else total + product
        gains[taken, given] = csr_array(total)
    return gains


def _windows(counts: Any, lines: int) -> Any:
    """How often each word stands in so many lines that end at each."""
    from scipy.sparse import coo_array, csr_array

    cells = coo_array(counts)
    rows = np.concatenate([cells.row + back for back in range(lines)])
    inside = rows < counts.shape[0]
    columns, values = np.tile(cells.col, lines)[inside], np.tile(cells.data, lines)[inside]
    # Cells that come several times are added up.
    return csr_array(coo_array((values, (rows[inside], columns)), shape=counts.shape))


def _words(lines: Sequence[str]) -> list[list[str]]:
    """The words of each line, or pairs of letters where words have no blanks between them."""
    words = [_WORD.findall(line.lower()) for line in lines]
    letters = [len(word) for line in words for word in line]
    if letters and sum(letters) > _LONG_WORDS * len(letters):
        return [[word[place : place + 2] for word in line for place in range(len(word) - 1)] for line in words]
    return words


def _without_empty(beads: Sequence[Bead], first: Array, second: Array) -> list[Bead]:
    """Beads in which both texts have lines: others join the neighbour with which lengths fit better."""
    kept = list(beads)
    model = _Lengths(_ratio(first, second), _VARIANCE, {(1, 1): 1.0})

    def misfit(bead: Bead) -> float:
        lengths = first[slice(*bead.first)].sum(), second[slice(*bead.second)].sum()
        return float(model.costs(*lengths, (1, 1)))

    def joined(place: int) -> Bead:
        one, other = kept[place], kept[place + 1]
        return Bead((one.first[0], other.first[1]), (one.second[0], other.second[1]), one.cost + other.cost)

    place = 0
    while place < len(kept) and len(kept) > 1:
        bead = kept[place]
        if bead.first[0] < bead.first[1] and bead.second[0] < bead.second[1]:
            place += 1
            continue
        sides = [side for side in (place - 1, place) if 0 <= side < len(kept) - 1]
        # What fits worse apart than together, in all: with either neighbour, less what that one has alone.
        side = min(sides, key=lambda side: misfit(joined(side)) - misfit(kept[side if side < place else side + 1]))
        kept[side : side + 2] = [joined(side)]
        place = max(side - 1, 0)
    return kept
