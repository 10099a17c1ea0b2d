"""How words look: spaces made visible, widths of any script, the direction of reading."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from assay.results.text import width_of as width

#: What stands for a character that nobody would see.
_VISIBLE = {" ": "␣", "\t": "⇥", "\u00a0": "⍽", "\u3000": "□"}

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
