"""BLEU, NIST, chrF, PER and unigrams: words shaded by their longest match, and a bar per order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from assay.explanation.coverage import longest_matches
from assay.explanation.svg.canvas import Box, Canvas, text_width
from assay.explanation.words import joined, reads_right_to_left, visible
from assay.metrics.pictures import NgramMatches, NgramOrder

LINE, BOX, PAGE = 40.0, 22.0, 860.0
BAR = 260.0


def draw_ngrams(canvas: Canvas, picture: NgramMatches, names: Sequence[str]) -> None:
    """The text flows as it is read, to the right or to the left."""
    y = 0.0
    if picture.reference_index is not None:
        canvas.text(0, 12, f"against reference {names[picture.reference_index]}", "small")
        y = 22.0
    units: tuple[Literal["word", "character"], ...] = ("word", "character")
    for unit in units:
        orders = [order for order in picture.orders if order.unit == unit]
        if not orders:
            continue
        words = picture.translation if unit == "word" else picture.translation_characters
        y = _flow(canvas, words, longest_matches(picture, unit), max(order.order for order in orders), y)
        for order in orders:
            _bar(canvas, order, y)
            y += 26
        y += 10
    canvas.text(0, y + 8, "shades: the longest n-gram through a word that counts; dashed: none", "small")


def _flow(canvas: Canvas, words: Sequence[str], longest: Sequence[int], most: int, y: float) -> float:
    """Words in lines, each with the length of its longest match below; returns where the lines end."""
    mirrored = reads_right_to_left(words)
    single = all(len(word) <= 1 for word in words)
    gap = 1.0 if single else 6.0
    x = 0.0
    for word, length in zip(words, longest, strict=True):
        across = text_width(visible(word)) + (6 if single else 12)
        if x > 0 and x + across > PAGE:
            x, y = 0.0, y + LINE
        level = 0 if length == 0 else min(3, 1 + 2 * length // (most + 1))
        left = PAGE - x - across if mirrored else x
        title = f"longest match: {length}" if length else "no match"
        canvas.rectangle(Box(left, y, across, BOX), f"level{level}", title)
        canvas.text(left + across / 2, y + 15, visible(word), "middle")
        if length and most > 1:
            canvas.text(left + across / 2, y + 33, str(length), "small middle")
        x += across + gap
    return y + LINE + 6 if words else y


def _bar(canvas: Canvas, order: NgramOrder, y: float) -> None:
    matched = sum(match.matched for match in order.matches)
    share = matched / order.translation_total if order.translation_total else 0.0
    characters = f"{order.order} character{'s' if order.order > 1 else ''}"
    canvas.text(0, y + 13, f"{order.order}-gram" if order.unit == "word" else characters, "small")
    canvas.rectangle(Box(90, y + 3, BAR, 12), "rest")
    found = ", ".join(f"{joined(match.words, order.unit)} ×{match.matched}" for match in order.matches[:200])
    if share:
        canvas.rectangle(Box(90, y + 3, BAR * share, 12), "bar", found)
    recall = "" if order.reference_total is None else f" · {order.reference_total} in the reference"
    weighted = any(match.weight != 1.0 for match in order.matches)
    worth = f" · {sum(match.matched * match.weight for match in order.matches):.2f} bits" if weighted else ""
    numbers = f"{matched} of {order.translation_total} ({100 * share:.1f} %){recall}{worth}"
    canvas.text(90 + BAR + 10, y + 13, numbers, "small")
