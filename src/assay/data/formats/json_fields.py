"""One field of every line of a JSON Lines file."""

from __future__ import annotations

import json
from pathlib import Path

from assay.data.formats.lines import read_bytes, texts_of
from assay.data.texts import Texts
from assay.errors import InputError


def read_field(path: Path, field: str) -> Texts:
    """The texts under one key."""
    texts = []
    for number, line in enumerate(texts_of(read_bytes(path), str(path)), start=1):
        try:
            value = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{path}, line {number}, column {error.colno}: not JSON ({error.msg}).") from None
        text = value.get(field) if isinstance(value, dict) else None
        if not isinstance(text, str):
            raise InputError(f"{path}, line {number}: no string {field!r}.")
        texts.append(text)
    return Texts.of(texts, str(path))
