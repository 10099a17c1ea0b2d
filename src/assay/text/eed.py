"""How the extended edit distance prepares texts: punctuation apart from words, as its authors do it."""

from __future__ import annotations

import re
import unicodedata

_MARK = re.compile(r"([.!?,])")
_SPACES = re.compile(r"\s+")
#: A decimal point between spaces.
_POINT = re.compile(r"(\d) ([.,]) (\d)")
#: A title, and whatever stands one space behind it: meant is its full stop, but any character gives way to one.
_TITLE = re.compile(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .")
_ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}


def set_apart(text: str) -> str:
    """The text with a space before each mark and no more than one anywhere.

    >>> set_apart("It cost 3 . 5  dollars, Mr. Fox! ")
    'It cost 3.5 dollars , Mr. Fox !'
    """
    text = _SPACES.sub(" ", _MARK.sub(r" \1", text.rstrip()))
    text = _TITLE.sub(r"\1.", _POINT.sub(r"\1\2\3", text))
    for apart, together in _ABBREVIATIONS.items():
        text = text.replace(apart, together)
    return text


def unified(text: str) -> str:
    """Japanese: characters that look alike are alike (NFKC).

    >>> unified("ＮＨＫ ")
    'NHK'
    """
    return unicodedata.normalize("NFKC", text.rstrip())
