"""Tables that a benchmark prints, and writes into a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

#: A page of concepts, by its name.
CONCEPTS = Path(__file__).parents[1] / "docs" / "concepts"
#: What stands between a benchmark's own line and this one was written by it.
END = "<!-- end -->"


def written(page: Path, start: str, lines: Iterable[str]) -> None:
    """Print lines, each as soon as it is known; then write them into the page below the line ``start``."""
    kept = []
    for line in lines:
        print(line, flush=True)
        kept.append(line)
    before, _, rest = page.read_text(encoding="utf-8").partition(start)
    _, _, after = rest.partition(END)
    page.write_text("\n".join([before + start, *kept, "", END]) + after, encoding="utf-8")


def shown(page: Path, start: str) -> list[str]:
    """The lines that a benchmark wrote into the page."""
    return page.read_text(encoding="utf-8").partition(start)[2].partition(END)[0].splitlines()


def rows_of(lines: Iterable[str], columns: int, number: int = 1) -> list[list[str]]:
    """The cells of all rows with so many columns of which this one is a number: headings have none."""
    rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [row for row in rows if len(row) == columns and row[number].replace(",", "").isdigit()]
