"""What became of mutants: rows in a table, survivors that are explained, and the share that was killed."""

from __future__ import annotations

import csv
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from mutants_making import ROOT

EXPLAINED = ROOT / "tests" / "mutants" / "explained.toml"
# A test failed; the tests took too long; the process fell over.
KILLED = ("killed", "late", "crashed")
Named = tuple[str, str, str, str]


@dataclass(frozen=True)
class Row:
    """What became of one mutant."""

    key: str
    path: str
    line: int
    function: str
    before: str
    after: str
    outcome: str  # one of KILLED, survived, or untested: no test executes it
    by: str  # the test that failed
    tests: int  # that it was put to
    executing: int  # tests that execute it
    seconds: float
    digest: str  # of what the outcome hangs on

    @property
    def named(self) -> Named:
        """As an explanation names it."""
        return self.path, self.function, self.before, self.after


def read_table(path: Path) -> dict[str, Row]:
    """The rows of an earlier run, by key."""
    if not path.exists():
        return {}
    kinds = {field.name: {"int": int, "float": float}.get(str(field.type), str) for field in fields(Row)}
    with path.open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file, dialect="excel-tab"))
    rows = [Row(**{name: kinds[name](cell) for name, cell in row.items()}) for row in cells]
    return {row.key: row for row in rows}


def write_table(path: Path, rows: Iterable[Row]) -> None:
    """All rows so far, in one step, so that an interruption leaves a whole table."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".half")
    with half.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], dialect="excel-tab")
        writer.writeheader()
        writer.writerows(asdict(row) for row in rows)
    half.replace(path)


def explained() -> dict[Named, str]:
    """Mutants that no test can notice, each with its reason."""
    entries = tomllib.loads(EXPLAINED.read_text(encoding="utf-8")).get("mutant", [])
    return {(one["path"], one["function"], one["before"], one["after"]): one["reason"] for one in entries}


def check_explained(made: Iterable[Named]) -> None:
    """Every explanation for these files is of a mutant that can still be made."""
    made = set(made)
    files = {path for path, *_ in made}
    gone = [named for named in explained() if named[0] in files and named not in made]
    if gone:
        listed = "\n".join(f"  {path} {function}: {before}  ->  {after}" for path, function, before, after in gone)
        sys.exit(f"{EXPLAINED.relative_to(ROOT)} explains mutants that cannot be made any more:\n{listed}")


def show(room: str, of: int, rows: list[Row]) -> None:
    """What survived without an explanation, and the room's line for the table in docs/concepts/mutants.md."""
    known = explained()
    alive = [row for row in rows if row.outcome not in KILLED]
    unexplained = [row for row in alive if row.named not in known]
    for row in unexplained:
        print(f"\n{row.outcome}: {row.path}:{row.line} {row.function}, {row.tests} tests, {row.executing} execute it")
        print(f"  - {row.before}\n  + {row.after}")
    print(f"\n{sum(row.seconds for row in rows) / max(len(rows), 1):.1f} seconds per mutant")
    print(shares(room, of, len(rows), len(rows) - len(alive), len(alive) - len(unexplained)))


def shares(room: str, of: int, drawn: int, killed: int, same: int) -> str:
    """A line of the table: those that are explained are no mutants, so the share is of the others."""
    from scipy.stats import binomtest

    counted = max(drawn - same, 1)
    interval = binomtest(killed, counted).proportion_ci(method="exact")
    share = f"{100 * killed / counted:.1f} % | {100 * interval.low:.1f} to {100 * interval.high:.1f} %"
    return f"| `{room}` | {of:,} | {drawn} | {killed} | {same} | {drawn - killed - same} | {share} |"
