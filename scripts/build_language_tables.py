"""Take the word lists of METEOR and the dictionary of WordNet out of their packages, once, by hand.

A score only agrees with METEOR's if its word lists do. Nobody should need Java and 130 MB of packages to tokenise a
sentence, so the little that matters is kept in the package, and this script says where it came from.

Run it from anywhere, with pip and Debian's apt-get at hand and Assay installed; it always writes the same bytes:

    python scripts/build_language_tables.py [FOLDER]

FOLDER keeps what was downloaded, and what lies there is not downloaded again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from meteor_word_lists import KINDS, LANGUAGES, write_tables
from table_sources import DEBIAN, JAR, METEOR, PATTERN, Sources
from wordnet_table import write_wordnet

TABLES = Path(__file__).resolve().parents[1] / "src" / "assay" / "text" / "tables"

README = f"""# Word lists of METEOR 1.5, and WordNet 3.0

Written by `scripts/build_language_tables.py`; do not edit by hand. Their licences differ from that of the code around
them.

The word lists have one entry per line, UTF-8, in METEOR's order. Comments, blank lines, spaces at the ends and repeated
entries are left out: to METEOR they mean nothing. What is odd here is odd there: the Czech list of prefixes is empty,
three Spanish entries are wrongly encoded.

Source: METEOR 1.5, its jar (`{JAR}`) as carried by PyPI's
`{METEOR}`.

Licence: LGPL-2.1, as METEOR.
"""


def main(folder: Path) -> None:
    """Download, read, write."""
    TABLES.mkdir(parents=True, exist_ok=True)
    sources = Sources(folder)
    with sources.meteor_jar() as jar:
        sections = [write_tables(TABLES, jar, kind) for kind in KINDS]
        sections.append(write_wordnet(TABLES, sources, jar))
    write_text(TABLES / "README.md", "\n".join([README, *sections]))
    print(f"{TABLES}: {len(KINDS) * len(LANGUAGES)} word lists, WordNet from {PATTERN} and {DEBIAN}, and README.md")


def write_text(path: Path, text: str) -> None:
    """UTF-8 and line feeds on every platform, so that the files do not depend on who ran this."""
    path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary))
