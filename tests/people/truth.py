"""Independent values for real campaigns, read from the page that holds them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
TRUTH = DATA / "TRUTH.md"

needs_data = pytest.mark.skipif(not TRUTH.exists(), reason="the real campaigns are not beside the repository")


@dataclass(frozen=True)
class SystemRow:
    """A line of the tables at system level."""

    campaign: str
    kind: str
    references: str
    systems: int
    scope: str
    metric: str
    pearson: float
    spearman: float
    kendall: float


def system_rows() -> list[SystemRow]:
    """The tables ``System level`` and ``TER``."""
    if not TRUTH.exists():
        return []
    rows = []
    for line in TRUTH.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 9 and cells[4] in ("judged", "all"):
            rows.append(
                SystemRow(
                    cells[0],
                    cells[1].replace("+", ","),
                    cells[2].replace("+", ","),
                    int(cells[3]),
                    cells[4],
                    cells[5],
                    *map(float, cells[6:]),
                )
            )
    return rows


def ort_rows() -> list[tuple[str, float, float, float, float]]:
    """References, mean BLEU, and the correlations with zeros dropped."""
    if not TRUTH.exists():
        return []
    pattern = re.compile(
        r"^(R[\dR+]*): mean BLEU ([\d.]+); vs human \(zeros dropped, 12 systems\) "
        r"Pearson ([\d.]+) Spearman ([\d.]+) Kendall ([\d.]+)$"
    )
    found = [pattern.match(line) for line in TRUTH.read_text().splitlines()]
    return [(one[1], *(float(one[place]) for place in range(2, 6))) for one in found if one]


def segment_rows() -> list[tuple[str, str, float, float, float]]:
    """References, metric, and the correlations with direct assessment at segment level."""
    if not TRUTH.exists():
        return []
    found = []
    for line in TRUTH.read_text().splitlines():
        start = re.match(r"^refs ([\w+]+): (.*)$", line)
        if start is None:
            continue
        for metric, *values in re.findall(
            r"(sentBLEU|chrF) vs DA Pearson ([\d.]+) Spearman ([\d.]+) Kendall ([\d.]+)", start[2]
        ):
            found.append((start[1], metric, *map(float, values)))
    return found
