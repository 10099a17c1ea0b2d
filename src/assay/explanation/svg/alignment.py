"""METEOR: the translation's words on the left, the reference's on the right, lines between matched ones."""

from __future__ import annotations

from collections.abc import Sequence

from assay.explanation.svg.canvas import Box, Canvas, text_width
from assay.explanation.words import joined, visible
from assay.metrics.pictures import Alignment, Link

ROW, BOX, GUTTER = 25.0, 21.0, 130.0
KNOWN = ("exact", "stem", "synonym", "paraphrase")


def draw_alignment(canvas: Canvas, alignment: Alignment, names: Sequence[str]) -> None:
    """Sentences run downwards, so that long ones fit a page."""
    left = _widest(("translation", *alignment.translation))
    right = _widest((f"reference {names[alignment.reference_index]}", *alignment.reference))
    top = 26.0
    canvas.text(0, 14, "translation", "small")
    canvas.text(left + GUTTER, 14, f"reference {names[alignment.reference_index]}", "small")
    for link in alignment.links:
        start = (left, top + ROW * sum(link.translation) / 2 - (ROW - BOX) / 2)
        end = (left + GUTTER, top + ROW * sum(link.reference) / 2 - (ROW - BOX) / 2)
        canvas.link(start, end, _kind(link), _title(alignment, link))
    sides = (
        (0.0, left, alignment.translation, [(link.translation, link) for link in alignment.links]),
        (left + GUTTER, right, alignment.reference, [(link.reference, link) for link in alignment.links]),
    )
    functions = (alignment.translation_function_words, alignment.reference_function_words)
    for (x, across, words, spans), function_words in zip(sides, functions, strict=True):
        link_of = {position: link for span, link in spans for position in range(*span)}
        for position, word in enumerate(words):
            own = link_of.get(position)
            kind = "" if own is None else _kind(own)
            title = "unmatched" if own is None else _title(alignment, own)
            slanted = " function" if position in function_words else ""
            canvas.word(Box(x, top + ROW * position, across, BOX), word, kind + slanted, title)
    bottom = top + ROW * max(len(alignment.translation), len(alignment.reference)) + 20
    _legend(canvas, bottom, alignment)


def _kind(link: Link) -> str:
    return link.kind if link.kind in KNOWN else "other"


def _title(alignment: Alignment, link: Link) -> str:
    words = joined(alignment.translation[slice(*link.translation)])
    others = joined(alignment.reference[slice(*link.reference)])
    return f"{link.kind}, chunk {link.chunk + 1}: {words} – {others}"


def _widest(words: Sequence[str]) -> float:
    return max(text_width(visible(word)) for word in words) + 14


def _legend(canvas: Canvas, y: float, alignment: Alignment) -> None:
    x = 0.0
    for kind in dict.fromkeys(_kind(link) for link in alignment.links):
        canvas.path(f"M{x:g} {y - 4:g}h34", kind)
        canvas.text(x + 40, y, kind, "small")
        x += 40 + text_width(kind, 11) + 18
    chunks = len({link.chunk for link in alignment.links})
    canvas.text(x, y, f"{chunks} chunk{'s' if chunks != 1 else ''}; function words slanted", "small")
    canvas.reach(x, y + 6)
