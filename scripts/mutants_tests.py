"""Which tests execute which lines, found once and kept, and those that a mutant is put to.

Every file of tests runs alone, so that what one of its tests keeps for the next is executed in that file, too. What was
found stands until the package or that file changes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants_making import ROOT, Mutant
from mutants_running import WORK, Ended, run_tests

KEPT = WORK / "coverage"
# A file of tests may take so long, in seconds.
LONGEST = 1800.0


@dataclass
class Covered:
    """One file's tests, with their seconds, and the lines of the package that each executed."""

    file: str
    tests: list[str]
    seconds: list[float]
    lines: dict[str, dict[int, list[int]]]  # path, line: which tests

    def executing(self, path: str, lines: tuple[int, int] | None) -> set[int]:
        """The tests that executed one of the lines of ``path``; any line of it without ``lines``."""
        executed = self.lines.get(path, {})
        wanted = executed if lines is None else [line for line in range(lines[0], lines[1] + 1) if line in executed]
        return {test for line in wanted for test in executed[line]}


@dataclass(frozen=True)
class Chosen:
    """What a mutant is put to: files in order, in each the tests in order, and the seconds they take without it."""

    tests: dict[str, list[str]]
    seconds: float
    executing: int  # of all tests, within the budget or not


def test_files() -> list[str]:
    """All that pytest collects: files of tests, and modules and pages with examples."""
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", *(ROOT / "src").rglob("*.py")]
    examples = [path for path in pages if ">>>" in path.read_text(encoding="utf-8")]
    return sorted(path.relative_to(ROOT).as_posix() for path in [*(ROOT / "tests").rglob("test_*.py"), *examples])


def digest_of(paths: Iterable[Path]) -> str:
    """Of what files say, in order."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def package_digest() -> str:
    """Of all that tests may execute but that is no test: the package, helpers beside tests."""
    tests = ROOT / "tests"
    helpers = [path for path in tests.rglob("*.py") if not path.name.startswith("test_")]
    return digest_of([*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.so"), *helpers])


def kept_name(file: str, package: str) -> Path:
    """Where the lines that a file's tests execute are kept."""
    own = digest_of([ROOT / file])
    return KEPT / f"{file.replace('/', '.')}-{hashlib.sha256(f'{package} {own}'.encode()).hexdigest()[:12]}.json.gz"


def record(tree: Path, file: str, name: Path) -> Ended:
    """Run one file's tests and keep which lines they execute."""
    ended = run_tests(tree, [file], lambda: _Recorder(tree), limit=LONGEST, cached=True, stop=False)
    KEPT.mkdir(parents=True, exist_ok=True)
    for old in KEPT.glob(f"{file.replace('/', '.')}-*.json.gz"):
        old.unlink()
    told = ended.wrote or {"tests": [], "seconds": [], "lines": {}, "failed": ["all"]}
    name.write_bytes(gzip.compress(json.dumps(told).encode(), 5))
    return ended


def read(file: str, name: Path) -> Covered:
    """What was kept of one file's tests."""
    told = json.loads(gzip.decompress(name.read_bytes()))
    lines = {
        path: {int(line): tests for line, tests in executed.items()} for path, executed in told["lines"].items()
    }  # fmt: skip
    return Covered(file, told["tests"], told["seconds"], lines)


def chosen_for(mutant: Mutant, covered: list[Covered], budget: float) -> Chosen:
    """The tests that execute the changed statement, the room's own and quick files first, then the rest of those files.

    What stands outside of functions is executed at import: there it is every test that executes anything of the file.
    """
    room = mutant.path.split("/")[2].removesuffix(".py")
    near = (f"tests/{room}/", f"src/assay/{room}/")
    found = []
    for one in covered:
        executing = one.executing(mutant.path, mutant.lines if mutant.function else None)
        if executing:
            spent = sum(one.seconds[test] for test in executing)
            found.append((not one.file.startswith(near), spent / len(executing), one, executing))
    found.sort(key=lambda entry: entry[:2])
    tests: dict[str, list[str]] = {}
    spent = 0.0
    for rest in (False, True):
        for *_, one, executing in found:
            for test, name in enumerate(one.tests):
                if (test in executing) != rest and (spent < budget or one.seconds[test] < 0.01):
                    tests.setdefault(one.file, []).append(name)
                    spent += one.seconds[test]
    return Chosen(tests, spent, sum(len(executing) for *_, executing in found))


class _Recorder:
    """A plug-in of pytest: each test's seconds, and the lines it executes."""

    def __init__(self, tree: Path) -> None:
        import coverage

        self.tree = tree
        self.coverage = coverage.Coverage(
            data_file=None, config_file=False, source=[str(tree / "src" / "assay")], messages=False
        )
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.began = 0.0
        self.coverage.start()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.coverage.switch_context(nodeid)
        self.began = time.perf_counter()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.seconds[nodeid] = time.perf_counter() - self.began
        self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def told(self) -> dict[str, Any]:
        """Without tests that fail, or that are skipped, as it is."""
        self.coverage.stop()
        tests = [test for test in self.seconds if test not in self.failed]
        numbers = {test: number for number, test in enumerate(tests)}
        data = self.coverage.get_data()
        lines = {}
        for path in data.measured_files():
            executed = {
                line: sorted(numbers[test] for test in contexts if test in numbers)
                for line, contexts in data.contexts_by_lineno(path).items()
            }
            name = Path(path).relative_to(self.tree).as_posix()
            lines[name] = {line: found for line, found in executed.items() if found}
        return {
            "tests": tests,
            "seconds": [round(self.seconds[test], 4) for test in tests],
            "lines": lines,
            "failed": sorted(self.failed),
        }
