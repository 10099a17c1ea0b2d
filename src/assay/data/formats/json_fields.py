"""One field of every line of a JSON Lines file."""

from __future__ import annotations

from pathlib import Path

from assay.data.formats.json_objects import json_object
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.texts import Texts
from assay.errors import InputError


def read_field(path: Path, field: str) -> Texts:
    """The texts under one key."""
    texts = []
    for number, line in enumerate(texts_of(read_bytes(path), str(path)), start=1):
        place = f"{path}, line {number}"
        text = json_object(line, place, f'A line is an object such as {{"{field}": "..."}}.').get(field)
        if not isinstance(text, str):
            raise InputError(f"{place}: no string {field!r}.")
        texts.append(text)
    return Texts.of(texts, str(path))
