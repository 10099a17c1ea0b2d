"""ROUGE-1.5.5, the Perl program: recall, precision and F of every segment, as it prints them with five digits."""

from __future__ import annotations

import re

import pytest

import assay
from goldens.folder import corpus, files, language, table

#: What the options of each run are here.
RUNS = {
    "plain": {},
    "stems": {"stem": "rouge"},
    "best": {"references": "best"},
    "any-gap": {"alpha": 0.8},
    "weighted": {"weight": 1.2},
    "weighted-best": {"weight": 2.0, "references": "best"},
}
FILES = files("rouge/*.tsv")


def options(variant: str) -> dict[str, object]:
    """Ours of a variant as the program names it: ``ROUGE-2``, ``ROUGE-SU4``, ``ROUGE-S*``."""
    if variant[0].isdigit():
        return {"variant": "n", "order": int(variant)}
    if variant == "L" or variant.startswith("W-"):
        return {"variant": variant[0].lower()}
    letters, gap = re.fullmatch(r"(SU?)(\*|\d+)", variant).groups()
    return {"variant": letters.lower(), "skip": None if gap == "*" else int(gap)}


def test_all_runs_are_here():
    # Two sets of texts with one and with two references, four runs each, and two more of the one without empty lines.
    assert len(FILES) == 2 * 2 * 4 + 2 * 2


@pytest.mark.parametrize("name", FILES, ids=lambda name: name.removeprefix("rouge/").removesuffix(".tsv"))
def test_every_segment(name):
    texts, translation, references, run = re.fullmatch(r"rouge/([^.]+)\.(hyp\..+)\.refs(\d)\.(.+)\.tsv", name).groups()
    letters = "AB"[: int(references)]
    segments = corpus(texts, translation, *(f"ref.{letter}.{language(texts)}" for letter in letters))
    heading, *lines = table(name)
    for column in range(1, len(heading), 3):
        variant = heading[column].removeprefix("ROUGE-").removesuffix(".r")
        for place, measure in enumerate(("recall", "precision", "f")):
            metric = assay.Rouge(measure=measure, **options(variant), **RUNS[run])
            expected = [100 * float(line[column + place]) for line in lines]
            # The program rounds recall and precision to five digits before it makes F of them.
            close = pytest.approx(expected, rel=0, abs=0.0015 if measure == "f" else 0.00051)
            assert metric.evaluate(segments).segment_scores() == close, (variant, measure)
