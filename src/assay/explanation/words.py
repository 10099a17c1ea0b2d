"""How words look: spaces made visible, widths of any script, the direction of reading; lines of them on a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from assay.results.text import width_of as width

#: What stands for a character that nobody would see.
_VISIBLE = {" ": "␣", "\t": "⇥", "\u00a0": "⍽", "\u3000": "□"}

#: Colours and weights, by name.
_CODES = {"bold": 1, "dim": 2, "italic": 3, "red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36}

#: A word as it is shown, or a mark, and its style; nothing at all where the word is None.
Cell = tuple[str | None, str]

_JOINERS = "\u200c\u200d"

#: Keep a word's direction to itself, so that columns stay in their order.
_ISOLATE, _END = "\u2068", "\u2069"


def visible(word: str) -> str:
    """A word with nothing invisible in it; an empty one is shown as such."""
    shown = "".join(_VISIBLE.get(character) or _shown(character) for character in word)
    return shown or "∅"


def _shown(character: str) -> str:
    # Controls, line ends and non-characters: XML forbids most of them, and nobody would see the others. Marks that join
    # letters belong to their word; those that turn the direction would turn the whole line.
    category = unicodedata.category(character)
    if category in ("Cc", "Cn", "Cs", "Zl", "Zp", "Zs") or (category == "Cf" and character not in _JOINERS):
        return f"\\u{ord(character):04x}"
    return character


def pad(word: str, columns: int, *, right: bool = False) -> str:
    """A visible word filled up with spaces; a right-to-left one is kept from turning its neighbours round."""
    shown = visible(word)
    space = " " * max(columns - width(shown), 0)
    if _is_right_to_left(shown):
        shown = f"{_ISOLATE}{shown}{_END}"
    return space + shown if right else shown + space


def shorten(text: str, columns: int) -> str:
    """A text cut to so many columns, with an ellipsis."""
    if width(text) <= columns:
        return text
    while text and width(text) > columns - 1:
        text = text[:-1]
    return text + "…"


def reads_right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters are Arabic, Hebrew or another script that runs to the left."""
    directions = [unicodedata.bidirectional(character) for word in words for character in word]
    right_to_left = sum(direction in ("R", "AL") for direction in directions)
    return right_to_left > sum(direction == "L" for direction in directions)


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def joined(words: Sequence[str], unit: str = "word") -> str:
    """Words with spaces between them, or characters without."""
    return ("" if unit == "character" else " ").join(map(visible, words))


class Line:
    """A line made of pieces that may have a style such as ``bold green``."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self._pieces = [(text, style)]

    def add(self, text: str, style: str = "") -> None:
        """Add a piece."""
        self._pieces.append((text, style))

    def drawn(self, color: bool) -> str:
        """The line, with escape codes where there are colours."""
        return "".join(_painted(text, style) if color and style else text for text, style in self._pieces).rstrip()


def _painted(text: str, style: str) -> str:
    codes = ";".join(str(_CODES[name]) for name in style.split())
    return f"\x1b[{codes}m{text}\x1b[0m"


def fold(lines: Sequence[tuple[str, Sequence[Cell]]], total: int, *, gap: int = 2) -> Iterator[Line]:
    """Labelled lines of equally many cells, in as many blocks as the width asks for, with a blank line behind each."""
    label = max(width(name) for name, _ in lines) + 2
    columns = zip(*(cells for _, cells in lines), strict=True)
    widths = [max(0 if word is None else width(visible(word)) for word, _ in column) for column in columns]
    start = 0
    while start < len(widths):
        stop, used = start, label
        while stop < len(widths) and (stop == start or used + gap + widths[stop] <= total):
            used += gap + widths[stop]
            stop += 1
        for name, cells in lines:
            line = Line(name.ljust(label) if start == 0 else " " * label, "dim")
            for (word, style), room in zip(cells[start:stop], widths[start:stop], strict=True):
                line.add(" " * room if word is None else pad(word, room), style)
                line.add(" " * gap)
            yield line
        yield Line()
        start = stop
