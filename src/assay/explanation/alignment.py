"""METEOR: both sentences, with what links their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from assay.explanation.canvas import Box, Canvas, Line, fold, joined, text_width, widest
from assay.metrics.pictures import Alignment, Link, Words

#: A sign for each way of matching; other matchers have a star.
_SIGNS = {"exact": "=", "stem": "~", "synonym": "≈", "paraphrase": "¶"}
_STYLES = {"exact": "green", "stem": "cyan", "synonym": "yellow", "paraphrase": "magenta"}

_ROW, _BOX, _GUTTER = 25.0, 21.0, 130.0


class _Side(NamedTuple):
    """One of the two sentences, with the link of each word that has one."""

    name: str
    words: Words
    link_of: Mapping[int, Link]
    function_words: frozenset[int]


def _sides(picture: Alignment, names: Sequence[str]) -> list[_Side]:
    sides = []
    for side, name in (("translation", "translation"), ("reference", f"reference {names[picture.reference_index]}")):
        link_of = {position: link for link in picture.links for position in range(*getattr(link, side))}
        sides.append(_Side(name, getattr(picture, side), link_of, getattr(picture, f"{side}_function_words")))
    return sides


def rows(picture: Alignment) -> Iterator[tuple[str, dict[str, Any]]]:
    """What it shows, as rows of tables: each with the table's name."""
    for link in picture.links:
        row: dict[str, Any] = {"kind": link.kind, "chunk": link.chunk}
        for side in ("translation", "reference"):
            start, end = getattr(link, side)
            row |= {f"{side}_start": start, f"{side}_end": end, side: " ".join(getattr(picture, side)[start:end])}
        yield "links", row


def lines(picture: Alignment, names: Sequence[str], width: int) -> Iterator[Line]:
    """A mark below each matched word: the number of the chunk and the sign of the match, the same on both sides."""
    sides = _sides(picture, names)
    label = max(len(side.name) for side in sides)
    for side in sides:
        links = [side.link_of.get(position) for position in range(len(side.words))]
        cells = [
            (word, _style(link, position in side.function_words))
            for position, (word, link) in enumerate(zip(side.words, links, strict=True))
        ]
        marks = [("·" if link is None else f"{link.chunk + 1}{_SIGNS.get(link.kind, '*')}", "dim") for link in links]
        if side.words:
            yield from fold([(side.name.ljust(label), cells), ("", marks)], width)
        else:
            yield Line(f"{side.name.ljust(label)}  ∅")
            yield Line()
    for link in picture.links:
        if link.kind != "exact":
            left, right = _linked(picture, link)
            yield Line(f"{link.kind}: {left} {_SIGNS.get(link.kind, '*')} {right}", _STYLES.get(link.kind, ""))
    used = dict.fromkeys([*_SIGNS, *(link.kind for link in picture.links)])
    signs = " · ".join(f"{_SIGNS.get(kind, '*')} {kind}" for kind in used)
    yield Line(f"numbers are chunks · {signs} · “·” is unmatched", "dim")


def _linked(picture: Alignment, link: Link) -> tuple[str, str]:
    """The words on both sides of a link."""
    return joined(picture.translation[slice(*link.translation)]), joined(picture.reference[slice(*link.reference)])


def _style(link: Link | None, is_function_word: bool) -> str:
    matched = "" if link is None else _STYLES.get(link.kind, "blue")
    return f"{matched} italic".strip() if is_function_word else matched


def draw(canvas: Canvas, picture: Alignment, names: Sequence[str]) -> None:
    """The translation on the left, the reference on the right, downwards, so that long sentences fit a page."""
    sides, top = _sides(picture, names), 26.0
    left, right = (widest((side.name, *side.words)) for side in sides)
    places = ((0.0, left), (left + _GUTTER, right))
    for side, (x, _) in zip(sides, places, strict=True):
        canvas.text(x, 14, side.name, "small")
    for link in picture.links:
        start = (left, top + _ROW * sum(link.translation) / 2 - (_ROW - _BOX) / 2)
        end = (left + _GUTTER, top + _ROW * sum(link.reference) / 2 - (_ROW - _BOX) / 2)
        canvas.link(start, end, _kind(link), _title(picture, link))
    for side, (x, across) in zip(sides, places, strict=True):
        for position, word in enumerate(side.words):
            matched = side.link_of.get(position)
            kind = "" if matched is None else _kind(matched)
            title = "unmatched" if matched is None else _title(picture, matched)
            slanted = " function" if position in side.function_words else ""
            canvas.word(Box(x, top + _ROW * position, across, _BOX), word, kind + slanted, title)
    _legend(canvas, top + _ROW * max(len(side.words) for side in sides) + 20, picture)


def _kind(link: Link) -> str:
    return link.kind if link.kind in _SIGNS else "other"


def _title(picture: Alignment, link: Link) -> str:
    left, right = _linked(picture, link)
    return f"{link.kind}, chunk {link.chunk + 1}: {left} – {right}"


def _legend(canvas: Canvas, y: float, picture: Alignment) -> None:
    x = 0.0
    for kind in dict.fromkeys(map(_kind, picture.links)):
        canvas.path(f"M{x:g} {y - 4:g}h34", kind)
        canvas.text(x + 40, y, kind, "small")
        x += 40 + text_width(kind, 11) + 18
    chunks = len({link.chunk for link in picture.links})
    canvas.text(x, y, f"{chunks} chunk{'s' if chunks != 1 else ''}; function words slanted", "small")
    canvas.reach(x, y + 6)
