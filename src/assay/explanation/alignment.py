"""METEOR: both sentences, with what links their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from assay.explanation.canvas import (
    BOX,
    Box,
    Canvas,
    Line,
    Place,
    beside,
    box_width,
    dealt,
    fold,
    in_lines,
    isolated,
    joined,
    lines_for,
    reads_right_to_left,
    text_width,
)
from assay.metrics.pictures import Alignment, Link, Words

#: A sign for each way of matching; other matchers have a star.
_SIGNS = {"exact": "=", "stem": "~", "synonym": "≈", "paraphrase": "¶"}
_STYLES = {"exact": "green", "stem": "cyan", "synonym": "yellow", "paraphrase": "magenta"}

#: Pixels from a line of the translation to the next, and to the line of the reference below it.
_ROWS, _APART = 130.0, 76.0


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


def lines(picture: Alignment, names: Sequence[str], width: int, *, what: str = "chunk") -> Iterator[Line]:
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
            left, right = map(isolated, _linked(picture, link))
            yield Line(f"{link.kind}: {left} {_SIGNS.get(link.kind, '*')} {right}", _STYLES.get(link.kind, ""))
    used = dict.fromkeys([*_SIGNS, *(link.kind for link in picture.links)])
    signs = " · ".join(f"{_SIGNS.get(kind, '*')} {kind}" for kind in used)
    yield Line(f"numbers are {what}s · {signs} · “·” is unmatched", "dim")


def _linked(picture: Alignment, link: Link) -> tuple[str, str]:
    """The words on both sides of a link."""
    return joined(picture.translation[slice(*link.translation)]), joined(picture.reference[slice(*link.reference)])


def _style(link: Link | None, is_function_word: bool) -> str:
    matched = "" if link is None else _STYLES.get(link.kind, "blue")
    return f"{matched} italic".strip() if is_function_word else matched


def draw(canvas: Canvas, picture: Alignment, names: Sequence[str], *, what: str = "chunk") -> None:
    """The translation above the reference, in lines that fit a page, with links between them.

    Both are cut into equally many lines, so that most links are between a line and the one below it.
    """
    sides = _sides(picture, names)
    widths = [[box_width(word) for word in side.words] for side in sides]
    lines = max(map(lines_for, widths))
    to_the_left = reads_right_to_left(picture.reference)
    unlabelled = (in_lines(dealt(across, lines), across) for across in widths)
    placed = beside((side.name for side in sides), *unlabelled, mirrored=to_the_left)
    tops = [[_ROWS * line + (_APART if lower else 0.0) for line in range(lines)] for lower in (False, True)]
    for link in picture.links:
        upper, x = _middle(placed[0][slice(*link.translation)])
        lower, to_x = _middle(placed[1][slice(*link.reference)])
        y, to_y = tops[0][upper], tops[1][lower]
        # Whichever of the two stands above, the link runs between its lower edge and the other's upper one.
        y, to_y = (y + BOX, to_y) if to_y > y else (y, to_y + BOX)
        canvas.link((x, y), (to_x, to_y), _kind(link), _title(picture, link, what))
    for side, places_of, line_tops in zip(sides, placed, tops, strict=True):
        for y in line_tops:
            canvas.text(0, y + BOX / 2 + 4, side.name, "small")
        for position, (word, place) in enumerate(zip(side.words, places_of, strict=True)):
            matched = side.link_of.get(position)
            kind = "" if matched is None else _kind(matched)
            title = "unmatched" if matched is None else _title(picture, matched, what)
            slanted = " function" if position in side.function_words else ""
            box = Box(place.x, line_tops[place.line], place.across, BOX)
            canvas.word(box, word, kind + slanted, title, to_the_left=to_the_left)
    _legend(canvas, _ROWS * lines + 4, picture, what)


def _middle(places: Sequence[Place]) -> tuple[int, float]:
    """The line of some words, and the middle of those of them that stand in it."""
    here = [place.middle for place in places if place.line == places[0].line]
    return places[0].line, (min(here) + max(here)) / 2


def _kind(link: Link) -> str:
    return link.kind if link.kind in _SIGNS else "other"


def _title(picture: Alignment, link: Link, what: str) -> str:
    left, right = _linked(picture, link)
    return f"{link.kind}, {what} {link.chunk + 1}: {left} – {right}"


def _legend(canvas: Canvas, y: float, picture: Alignment, what: str) -> None:
    x = 0.0
    for kind in dict.fromkeys(map(_kind, picture.links)):
        canvas.path(f"M{x:g} {y - 4:g}h34", kind)
        canvas.text(x + 40, y, kind, "small")
        x += 40 + text_width(kind, 11) + 18
    chunks = len({link.chunk for link in picture.links})
    slanted = (
        "; function words slanted" if picture.translation_function_words | picture.reference_function_words else ""
    )
    canvas.text(x, y, f"{chunks} {what}{'s' if chunks != 1 else ''}{slanted}", "small")
    canvas.reach(x, y + 6)
