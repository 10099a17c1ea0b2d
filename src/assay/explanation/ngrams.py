"""BLEU, NIST, chrF, PER, BLANC and unigrams: how far each word is matched, and the matches of each order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from assay.explanation.canvas import (
    PAGE,
    Box,
    Canvas,
    Line,
    fold,
    joined,
    reads_right_to_left,
    shorten,
    text_width,
    visible,
)
from assay.metrics.pictures import Ngram, NgramMatches, NgramOrder, Words
from assay.results.text import width_of as columns_of

#: Columns of a bar, where there is room.
_BAR = 20
#: From no match to a long one.
_SHADES = ("red", "yellow", "green", "bold green")

#: Pixels of a line of words, of a box, and of a bar.
LINE, _BOX, _BAR_PIXELS = 40.0, 22.0, 260.0


class _Unit(NamedTuple):
    """The n-grams of words, or those of characters."""

    unit: str
    words: Words
    orders: list[NgramOrder]

    @property
    def most(self) -> int:
        return max(order.order for order in self.orders)

    def longest(self) -> list[int]:
        """For each word (or character) the length of the longest n-gram through it that counts; 0 for none.

        An n-gram that counts less often than it occurs counts where it comes first.
        """
        longest = [0] * len(self.words)
        for order in self.orders:
            for position in (position for match in order.matches for places in match.places for position in places):
                longest[position] = max(longest[position], order.order)
            if order.worth is not None:
                continue
            left = {match.words: match.matched for match in order.matches}
            for start in range(len(self.words) - order.order + 1):
                ngram = self.words[start : start + order.order]
                if left.get(ngram, 0) > 0:
                    left[ngram] -= 1
                    for position in range(start, start + order.order):
                        longest[position] = max(longest[position], order.order)
        return longest

    def level(self, length: int) -> int:
        """How strongly a match of this length is shaded, from 0 to 3."""
        return 0 if length == 0 else min(3, 1 + 2 * length // (self.most + 1))


def _units(picture: NgramMatches) -> Iterator[_Unit]:
    for unit, words in (("word", picture.translation), ("character", picture.translation_characters)):
        orders = [order for order in picture.orders if order.unit == unit]
        if orders:
            yield _Unit(unit, words, orders)


def _numbers(order: NgramOrder) -> tuple[int, float, float | None]:
    """How many n-grams count, which share of the translation's that is, and their information, where it has any.

    Of skip-n-grams the share is of what they are worth, and of words with weights of what they weigh.
    """
    matched = sum(match.matched for match in order.matches) + order.unlisted
    if order.worth is not None:
        common, whole, _ = order.worth
        return matched, common / whole if whole else 0.0, None
    if order.weighed is not None:
        common, whole, _ = order.weighed
        return matched, common / whole if whole else 0.0, None
    share = matched / order.translation_total if order.translation_total else 0.0
    weighted = any(match.weight != 1.0 for match in order.matches)
    return matched, share, sum(match.matched * match.weight for match in order.matches) if weighted else None


def rows(picture: NgramMatches) -> Iterator[tuple[str, dict[str, Any]]]:
    """What it shows, as rows of tables: each with the table's name."""
    skips = any(order.worth is not None for order in picture.orders)
    for order in picture.orders:
        for match in order.matches:
            words = ("" if order.unit == "character" else " ").join(match.words)
            row = {"order": order.order, "unit": order.unit, "ngram": words, "matched": match.matched}
            counts = {"translation_count": match.translation_count, "reference_count": match.reference_count}
            gap = {"gap": match.gap} if skips else {}
            yield "ngrams", row | counts | {"weight": match.weight} | gap


def lines(picture: NgramMatches, names: Sequence[str], width: int) -> Iterator[Line]:
    """The translation with the longest match of each word below it, then a bar and a list per order."""
    if picture.reference_index is not None:
        yield Line(f"against reference {names[picture.reference_index]}", "dim")
    for unit in _units(picture):
        longest = unit.longest()
        styles = [_SHADES[unit.level(length)] for length in longest]
        marks = ["·" if length == 0 else "✓" if unit.most == 1 else str(length) for length in longest]
        label, gap = ("translation", 2) if unit.unit == "word" else ("characters", 1)
        cells, below = (list(zip(texts, styles, strict=True)) for texts in (unit.words, marks))
        if unit.words:
            yield from fold([(label, cells), ("longest match" if unit.most > 1 else "matched", below)], width, gap=gap)
        for order, line in zip(unit.orders, _bars(unit.orders, width, _where(picture)), strict=True):
            yield line
            if order.worth is not None:
                counted = f"{_numbers(order)[0]:,} of {order.translation_total:,} skip-{order.order}-grams"
                yield Line(f"        {counted} count, by their gaps", "dim")
            yield from _listed(order, width)
        yield Line()
    if any(order.order > 1 for order in picture.orders):
        what = "skip-n-gram" if any(order.worth is not None for order in picture.orders) else "n-gram"
        yield Line(f"longest match: n of the longest {what} through a word that counts; · none", "dim")


def _where(picture: NgramMatches) -> str:
    """What the translation is held against: one reference, or all of them together."""
    return "reference" if picture.reference_index is not None else "references together"


def _bars(orders: Sequence[NgramOrder], width: int, where: str) -> Iterator[Line]:
    """A bar for each order, as long as the longest of their numbers leaves room for."""
    said = [_counts(order, where) for order in orders]
    length = max(min(_BAR, width - 9 - max(map(columns_of, said))), 5)
    for order, numbers in zip(orders, said, strict=True):
        full = round(_numbers(order)[1] * length)
        name = f"{order.order}-gram" if order.unit == "word" else f"{order.order} chars"
        line = Line(f"{name:<8}")
        line.add("█" * full, "green")
        line.add("░" * (length - full), "dim")
        line.add(f" {numbers}")
        yield line


def _counts(order: NgramOrder, where: str) -> str:
    matched, share, bits = _numbers(order)
    if order.worth is not None:
        return _worth(order)
    if order.weighed is not None:
        return _weighed(order, where)
    recall = "" if order.reference_total is None else f", of {order.reference_total} in the {where}"
    worth = "" if bits is None else f", {bits:.2f} bits"
    return f"{matched} of {order.translation_total} ({100 * share:.1f} %){recall}{worth}"


def _worth(order: NgramOrder) -> str:
    """What skip-n-grams count, for those with wide gaps count less."""
    common, whole, other = order.worth or (0.0, 0.0, 0.0)
    share = 100 * common / whole if whole else 0.0
    return f"{common:.2f} of {whole:.2f} ({share:.1f} %), of {other:.2f} there"


def _weighed(order: NgramOrder, where: str) -> str:
    """How many words match, and what they weigh."""
    matched, share, _ = _numbers(order)
    common, whole, other = order.weighed or (0.0, 0.0, 0.0)
    words = f"{matched} of {order.translation_total} words"
    return f"{words} weigh {common:.2f} of {whole:.2f} ({100 * share:.1f} %), of {other:.2f} in the {where}"


def _listed(order: NgramOrder, width: int) -> Iterator[Line]:
    """The matches of one order on one line; what does not fit is counted."""
    shown: list[str] = []
    used = 8
    for number, match in enumerate(order.matches):
        text = _text_of(match, order.unit) + (f" {match.weight:.2f}" if order.weighed is not None else "")
        rest = f"… {len(order.matches) - number + order.unlisted:,} more"
        if used + columns_of(text) + 3 + columns_of(rest) > width and number:
            shown.append(rest)
            break
        shown.append(shorten(text, max(width - used, 20)))
        used += columns_of(shown[-1]) + 3
    if shown:
        yield Line("        " + " · ".join(shown), "dim")


def _text_of(match: Ngram, unit: str) -> str:
    text = joined(match.words, unit)
    if match.gap:
        times = f" ×{match.matched}" if match.matched > 1 else ""
        return f"{text}{_skipped(match)}{times}"
    if match.matched < match.translation_count:
        return f"{text} (×{match.translation_count}, counts {match.matched})"
    return f"{text} (×{match.matched})" if match.matched > 1 else text


def _skipped(match: Ngram) -> str:
    """How many words are skipped inside, on the side that skips more."""
    return "" if match.gap in {"", "0"} else f" (skips {match.gap})"


def draw(canvas: Canvas, picture: NgramMatches, names: Sequence[str]) -> None:
    """Words shaded by their longest match, as they are read, to the right or to the left; then a bar per order."""
    y = 0.0
    if picture.reference_index is not None:
        canvas.text(0, 12, f"against reference {names[picture.reference_index]}", "small")
        y = 22.0
    for unit in _units(picture):
        y = _draw_words(canvas, unit, y)
        for order in unit.orders:
            _draw_bar(canvas, order, y, _where(picture))
            y += 26
        y += 10
    what = "skip-n-gram" if any(order.worth is not None for order in picture.orders) else "n-gram"
    canvas.text(0, y + 8, f"shades: the longest {what} through a word that counts; dashed: none", "small")


def _draw_words(canvas: Canvas, unit: _Unit, y: float) -> float:
    """Words in lines, each with the length of its longest match below; returns where the lines end."""
    mirrored = reads_right_to_left(unit.words)
    gap, room = (1.0, 6) if all(len(word) <= 1 for word in unit.words) else (6.0, 12)
    x = 0.0
    for word, length in zip(unit.words, unit.longest(), strict=True):
        shown = shorten(visible(word), 90)
        across = text_width(shown) + room
        if x > 0 and x + across > PAGE:
            x, y = 0.0, y + LINE
        left = PAGE - x - across if mirrored else x
        title = f"longest match: {length}" if length else "no match"
        canvas.rectangle(Box(left, y, across, _BOX), f"level{unit.level(length)}", title)
        canvas.text(left + across / 2, y + 15, shown, "middle", to_the_left=mirrored)
        if length and unit.most > 1:
            canvas.text(left + across / 2, y + 33, str(length), "small middle")
        x += across + gap
    return y + LINE + 6 if unit.words else y


def _draw_bar(canvas: Canvas, order: NgramOrder, y: float, where: str) -> None:
    matched, share, bits = _numbers(order)
    characters = f"{order.order} character{'s' if order.order > 1 else ''}"
    words = f"{'' if order.worth is None else 'skip-'}{order.order}-gram"
    canvas.text(0, y + 13, words if order.unit == "word" else characters, "small")
    canvas.rectangle(Box(90, y + 3, _BAR_PIXELS, 12), "rest")
    matches = ", ".join(
        f"{joined(match.words, order.unit)}{_skipped(match)} ×{match.matched}"
        + (f" (weighs {match.weight:.2f})" if order.weighed is not None else "")
        for match in order.matches[:200]
    )
    if share:
        canvas.rectangle(Box(90, y + 3, _BAR_PIXELS * share, 12), "bar", matches)
    recall = "" if order.reference_total is None else f" · {order.reference_total} in the {where}"
    worth = "" if bits is None else f" · {bits:.2f} bits"
    numbers = f"{matched} of {order.translation_total} ({100 * share:.1f} %){recall}{worth}"
    if order.weighed is not None:
        numbers = _weighed(order, where)
    if order.worth is not None:
        numbers = f"{_worth(order)} · {matched:,} of {order.translation_total:,} count, by their gaps"
    canvas.text(90 + _BAR_PIXELS + 10, y + 13, numbers, "small")
