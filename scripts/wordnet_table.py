"""WordNet 3.0 as a table of hashes, checked against the one that METEOR carries."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from table_sources import DEBIAN, PATTERN, Sources, member

from assay import kernels
from assay.text.synonyms import PARTS_OF_SPEECH, WORDNET, Entries, read_meteor, read_wordnet

LICENCE = "wordnet-3.0.LICENSE.txt"


def write_wordnet(folder: Path, sources: Sources, jar: zipfile.ZipFile) -> str:
    """Write the table and its licence; return what the README says about them."""
    with tempfile.TemporaryDirectory() as temporary:
        unpacked = Path(temporary)
        licence = unpack(unpacked, sources)
        entries = read_wordnet(unpacked)
        compare(entries, meteor_entries(unpacked, jar))
    synonyms = entries.compiled()
    require_distinct_hashes(entries)
    (folder / WORDNET).write_bytes(synonyms.table())
    (folder / LICENCE).write_text(licence, encoding="utf-8", newline="\n")
    return f"""## `{WORDNET}`

WordNet 3.0: {synonyms.words:,} words, each with its sets of synonyms, and {synonyms.forms:,} irregular forms of
{synonyms.bases:,} bases. Words are 64-bit hashes. Sets are offsets in WordNet's data files without their part of
speech, as in METEOR's `english.synsets` and `english.exceptions`, which hold exactly the same.

From `index.sense` in PyPI's `{PATTERN}` (source archive) and `*.exc` in Debian's
`{DEBIAN}`.

Licence: WordNet 3.0's, in `{LICENCE}`.
"""


def unpack(folder: Path, sources: Sources) -> str:
    """Lay WordNet's files side by side; return its licence."""
    with sources.pattern_archive() as archive:
        (folder / "index.sense").write_bytes(member(archive, "/wordnet/dict/index.sense"))
        licence = member(archive, "/wordnet/dict/LICENSE.txt").decode("ascii")
    with sources.debian_files() as archive:
        for part in PARTS_OF_SPEECH:
            (folder / f"{part}.exc").write_bytes(member(archive, f"/wordnet/{part}.exc"))
    return "".join(f"{line.rstrip()}\n" for line in licence.rstrip().splitlines())


def meteor_entries(folder: Path, jar: zipfile.ZipFile) -> Entries:
    """What METEOR has."""
    for name in ("english.synsets", "english.exceptions"):
        (folder / name).write_bytes(jar.read(f"synonym/{name}"))
    return read_meteor(folder / "english.synsets")


def compare(ours: Entries, theirs: Entries) -> None:
    """Print how far the two agree, and stop if they do not."""
    for what, mine, other in (
        ("words with their sets", ours.words, theirs.words),
        ("irregular forms with their bases", ours.exceptions, theirs.exceptions),
    ):
        same = sum(set(values) == set(other.get(key, ())) for key, values in mine.items())
        print(f"WordNet: {same:,} of {len(mine):,} {what} are METEOR's, which has {len(other):,}")
        if not same == len(mine) == len(other):
            raise SystemExit("WordNet and METEOR differ; nothing was written.")


def require_distinct_hashes(entries: Entries) -> None:
    """Two words with one hash would be one word in the table."""
    bases = (base for bases in entries.exceptions.values() for base in bases)
    words = sorted({*entries.words, *entries.exceptions, *bases})
    if len(set(kernels.token_ids(words).tolist())) != len(words):
        raise SystemExit("Two words have the same hash; the table needs a longer one.")
