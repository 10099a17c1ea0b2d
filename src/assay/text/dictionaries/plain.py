"""A table of synonyms for any language: one set per line, tabs between its words, comments behind ``#``."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError
from assay.text.dictionaries.entries import Entries, fault, numbered_lines


def read_plain(path: Path) -> Entries:
    """Each line is a set of synonyms; a word may be in several.

    Nothing is known of the language, so a word is looked up as it stands.
    """
    words: dict[str, list[int]] = {}
    for number, line in numbered_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        synonyms = [word.strip() for word in line.split("\t")]
        if len(synonyms) < 2:
            raise fault(path, number, f"only one word, {line.strip()!r}. Put a tab between the words of a set.")
        if "" in synonyms:
            raise fault(path, number, "an empty word. One tab stands between two words, none at the ends.")
        for word in synonyms:
            words.setdefault("_".join(word.split()), []).append(number)
    if not words:
        raise InputError(f"{path}: no set of synonyms in it. Write one per line, with tabs between the words.")
    return Entries(words)
