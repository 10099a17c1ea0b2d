"""Real texts where they are at hand, else the demo campaign repeated: the same for us and for the peers."""

from __future__ import annotations

from pathlib import Path

from assay.demo import CAMPAIGN

#: Texts of WMT21, beside the repository on the developers' machines.
INPUTS = Path(__file__).parents[1].parent / "shared" / "golden" / "inputs"
PARTS = (
    ("de-en/hyp.Online-A.en", "de-en/ref.A.en"),
    ("en-de/hyp.Online-A.de", "en-de/ref.A.de"),
    ("en-de/hyp.Facebook-AI.de", "en-de/ref.A.de"),
)


def lines(path: Path) -> list[str]:
    """The lines of a file, which end at a line feed only."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def english_texts() -> tuple[list[str], list[str]]:
    """1,448 English segments, for programs that know the language: translations, and one reference."""
    if INPUTS.is_dir():
        translations = lines(INPUTS / "de-en/hyp.Online-A.en") + lines(INPUTS / "de-en/hyp.UF.en")
        reference = lines(INPUTS / "de-en/ref.A.en") * 2
    else:
        translations, reference = lines(CAMPAIGN / "sys.compass.txt") * 50, lines(CAMPAIGN / "ref.A.txt") * 50
    return translations[:1448], reference[:1448]


def real_texts() -> tuple[str, list[str], list[str]]:
    """What the texts are, the translations, and one reference."""
    if INPUTS.is_dir():
        translations = [line for part in PARTS for line in lines(INPUTS / part[0])]
        reference = [line for part in PARTS for line in lines(INPUTS / part[1])]
        origin = "WMT21 news"
    else:
        translations = lines(CAMPAIGN / "sys.compass.txt") * 50
        reference = lines(CAMPAIGN / "ref.A.txt") * 50
        origin = "the demo campaign, repeated"
    words = sum(len(line.split()) for line in reference)
    return f"{origin}: {len(reference):,} segments, {words:,} reference words", translations, reference
