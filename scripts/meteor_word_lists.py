"""METEOR's word lists: non-breaking prefixes and function words, one file per language."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = {
    "cs": "czech",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "ru": "russian",
}


def prefixes(text: str) -> list[str]:
    """Entries as METEOR uses them: trimmed, each once, without comments and blank lines.

    METEOR trims too: its Spanish list has "Fil " with a space, and it keeps the dot of "Fil. X".
    `#NUMERIC_ONLY#` after an entry is part of it: that prefix keeps its dot only before a number.
    """
    return [line for line in words(text) if not line.startswith("#")]


def words(text: str) -> list[str]:
    """Words, trimmed, each once."""
    lines = (line.strip() for line in text.split("\n"))
    return list(dict.fromkeys(line for line in lines if line))


@dataclass(frozen=True)
class Kind:
    """One sort of word list: where the jar has it, what we call it, and how to read it."""

    name: str
    member: str
    read: Callable[[str], list[str]]
    describe: str


KINDS = (
    Kind(
        name="nonbreaking",
        member="nonbreaking/{language}.prefixes",
        read=prefixes,
        describe="Words, without their final dot, whose dot does not end a sentence. After some of them stands\n"
        "`#NUMERIC_ONLY#`: their dot stays only if a number follows. METEOR derived its lists from the\n"
        "non-breaking prefix lists of the Moses tokeniser (from Europarl's tools).",
    ),
    Kind(
        name="function",
        member="function/{language}.words",
        read=words,
        describe="Function words, punctuation included, which count less than others. METEOR's lists for further\n"
        "languages are empty.",
    ),
)


def write_tables(folder: Path, jar: zipfile.ZipFile, kind: Kind) -> str:
    """Write one file per language; return what the README says about them."""
    counts = {}
    for code, language in LANGUAGES.items():
        entries = kind.read(jar.read(kind.member.format(language=language)).decode("utf-8"))
        content = "".join(f"{entry}\n" for entry in entries)
        (folder / f"{kind.name}.{code}.txt").write_text(content, encoding="utf-8", newline="\n")
        counts[code] = len(entries)
    sizes = ", ".join(f"{code} {count}" for code, count in counts.items())
    return f"## `{kind.name}.<language>.txt`\n\n{kind.describe}\n\nFrom `{kind.member}` in the jar. Entries: {sizes}.\n"
