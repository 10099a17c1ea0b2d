"""What the tests hold: small changes to the code, and whether a test fails. ``make mutants ROOM=metrics NUMBER=300``.

One row per mutant in ``target/mutants/ROOM-SEED.tsv``; started again, only what is missing runs, and survivors when a
test has changed. ``tests/mutants/explained.toml`` says of mutants that no test can notice why that is so.
"""

from __future__ import annotations

import argparse
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import mutants_kernels
from mutants_making import ROOT, Mutant, mutants_of, sampled
from mutants_running import WORK, changed, copied_tree, import_libraries, run_tests, side_by_side
from mutants_table import Row, check_explained, read_table, show, write_table
from mutants_tests import Chosen, Covered, chosen_for, digest_of, kept_name, package_digest, read, record, test_files

ROOMS = ("metrics", "significance", "questions", "people", "learned")


def main() -> None:
    """Run a room, several, or all; print what survived and the shares."""
    arguments = _arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended, too
    rooms = [room for room in arguments.room.split(",") if room] or [*ROOMS, "kernels"]
    for room in rooms:
        if room == "kernels":
            mutants_kernels.run(arguments.number or 100, arguments.seed, arguments.workers)
        else:
            run(room, arguments)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "room", nargs="?", default="", help="rooms, files as significance/pairs, or kernels; all without"
    )
    parser.add_argument("--number", type=int, help="how many (300 of a room, 100 of the kernels)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--budget", type=float, default=60.0, help="seconds of tests that a mutant is put to at most")
    parser.add_argument("--anew", action="store_true", help="forget earlier results")
    return parser.parse_args()


def run(room: str, arguments: argparse.Namespace) -> None:
    """A sample of a room's mutants, each put to the tests that execute it."""
    everything = mutants_of(room)
    check_explained((one.path, one.function, one.before, one.after) for one in everything)
    sample = sampled(everything, arguments.number or 300, arguments.seed)
    table = WORK / f"{room.replace('/', '.')}-{arguments.seed}.tsv"
    rows = {} if arguments.anew else read_table(table)
    package = package_digest()
    whole = digest_of([*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "docs").rglob("*.md")])
    missing = [mutant for mutant in sample if not still_stands(rows.get(mutant.key), whole)]
    if missing:
        import_libraries()
        # Of their own, so that two rooms may run at a time.
        trees = [copied_tree(f"tree-{room.replace('/', '.')}-{worker}") for worker in range(arguments.workers)]
        covered = coverage(trees, package)
        jobs = [(mutant, chosen_for(mutant, covered, arguments.budget), whole) for mutant in missing]
        print(f"{room}: {len(everything)} mutants, {len(sample)} drawn, {len(missing)} to run", flush=True)
        check_machine(trees[0], jobs)
        for row in side_by_side(trees, put_to_tests, jobs):
            rows[row.key] = row
            write_table(table, rows.values())
            print(f"{row.outcome:9} {row.seconds:6.1f} s  {row.path}:{row.line}  {row.by or row.after}", flush=True)
        check_kills(trees[0], [rows[mutant.key] for mutant in sample])
    show(room, len(everything), [rows[mutant.key] for mutant in sample])


def check_machine(tree: Path, jobs: list[tuple[Mutant, Chosen, str]]) -> None:
    """A file that cannot be imported must be noticed, or nothing that is said of mutants is worth anything."""
    mutant, chosen, whole = next(job for job in jobs if job[1].tests)
    broken = replace(mutant, start=0, end=0, text="raise RuntimeError\n")
    row = put_to_tests(tree, (broken, chosen, whole))
    if row.outcome != "killed":
        sys.exit(f"{mutant.path} raises an error at import, and tests pass: {row}")


def check_kills(tree: Path, rows: list[Row]) -> None:
    """The tests that failed pass without a mutant, in this order of theirs: it was the mutants that they noticed."""
    tests: dict[str, list[str]] = {}
    for by in dict.fromkeys(row.by for row in rows if row.outcome == "killed" and "::" in row.by):
        tests.setdefault(by.partition("::")[0], []).append(by)
    ended = run_tests(tree, list(tests), lambda: _Ordered(tests), limit=3600.0)
    if tests and ended.code:
        sys.exit(f"without any mutant, too, this fails: {ended.wrote.get('failed')}")


def still_stands(row: Row | None, whole: str) -> bool:
    """Whether an earlier outcome holds: a kill while both files are as they were, a survivor while everything is."""
    if row is None:
        return False
    if row.outcome == "killed":
        return row.digest == kill_digest(row.path, row.by)
    return row.digest == (whole if row.outcome in ("survived", "untested") else digest_of([ROOT / row.path]))


def kill_digest(path: str, by: str) -> str:
    """Of the changed file and the file of the test that failed."""
    return digest_of({file for file in (ROOT / path, ROOT / by.partition("::")[0]) if file.is_file()})


def coverage(trees: list[Path], package: str) -> list[Covered]:
    """The lines that every test executes; what is not known yet is found out."""
    names = {file: kept_name(file, package) for file in test_files()}
    missing = [(file, name) for file, name in names.items() if not name.exists()]
    for number, (file, failed) in enumerate(side_by_side(trees, _record, missing)):
        print(f"lines executed by {file} ({number + 1} of {len(missing)}){failed}", flush=True)
    return [read(file, name) for file, name in names.items()]


def _record(tree: Path, job: tuple[str, Path]) -> tuple[str, str]:
    file, name = job
    ended = record(tree, file, name)
    failed = ended.wrote.get("failed", ["everything"])
    return file, f": left out as they fail or are skipped: {len(failed)}" if failed else ""


def put_to_tests(tree: Path, job: tuple[Mutant, Chosen, str]) -> Row:
    """One mutant's row."""
    mutant, chosen, whole = job
    number = sum(len(tests) for tests in chosen.tests.values())

    def row(outcome: str, by: str, seconds: float, digest: str) -> Row:
        return Row(
            mutant.key, mutant.path, mutant.lines[0], mutant.function, mutant.before, mutant.after, outcome, by,
            number, chosen.executing, round(seconds, 2), digest,
        )  # fmt: skip

    if not chosen.tests:
        return row("untested", "", 0.0, whole)
    with changed(tree, mutant):
        ended = run_tests(tree, list(chosen.tests), lambda: _Ordered(chosen.tests), limit=30.0 + 5.0 * chosen.seconds)
    if ended.late:
        return row("late", "", ended.seconds, digest_of([ROOT / mutant.path]))
    if ended.code == 0:
        return row("survived", "", ended.seconds, whole)
    if ended.code in (1, 2, 3, 4):  # the last: what all tests need cannot be imported
        by = ended.wrote.get("failed", "") or "import"
        return row("killed", by, ended.seconds, kill_digest(mutant.path, by))
    return row("crashed", f"exit code {ended.code}", ended.seconds, digest_of([ROOT / mutant.path]))


class _Ordered:
    """A plug-in of pytest: only the tests that were chosen, in their order; remembers what failed first."""

    def __init__(self, chosen: dict[str, list[str]]) -> None:
        self.order = {test: number for number, test in enumerate(test for tests in chosen.values() for test in tests)}
        self.failed = ""

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid or "import"

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def pytest_internalerror(self) -> None:
        self.failed = self.failed or "import"

    def told(self) -> dict[str, Any]:
        """The first test that failed."""
        return {"failed": self.failed}


if __name__ == "__main__":
    main()
