"""Mutants of the kernels by cargo-mutants; what cargo's tests let live is compiled and put to the tests in Python."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants_making import ROOT
from mutants_running import WORK, copied_tree, import_libraries, run_tests
from mutants_table import Row, check_explained, read_table, show, write_table
from mutants_tests import digest_of, kept_name, package_digest, read, record, test_files

OUTPUT = WORK / "kernels"
PACKAGE = "assay-kernels"
# Those tests in Python that hang on the kernels.
TESTS = ("tests/text/", "tests/metrics/", "tests/significance/", "tests/goldens/", "tests/peers/", "tests/laws/")
OUTCOMES = {"CaughtMutant": "killed", "Timeout": "late", "MissedMutant": "survived", "Unviable": "unviable"}


@dataclass(frozen=True)
class KernelMutant:
    """A change as cargo-mutants names it."""

    key: str
    number: int
    name: str
    path: str
    line: int
    function: str
    before: str
    after: str
    diff: str

    def row(self, outcome: str, by: str, seconds: float) -> Row:
        """What became of it."""
        digest = crates_digest()
        return Row(
            self.key, self.path, self.line, self.function, self.before, self.after, outcome, by, 0, 0,
            round(seconds, 2), digest,
        )  # fmt: skip


def crates_digest() -> str:
    """Of all Rust, on which every outcome hangs."""
    return digest_of((ROOT / "crates").rglob("*.rs"))


def kernel_mutants() -> list[KernelMutant]:
    """All changes that cargo-mutants would make."""
    command = ["cargo", "mutants", "--list", "--json", "--package", PACKAGE]
    listed = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    turns: Counter[tuple[str, ...]] = Counter()
    found = []
    for number, entry in enumerate(listed):
        removed, added = _changed_lines(entry["diff"])
        function = (entry["function"] or {}).get("function_name", "")
        named = (entry["file"], function, removed, added)
        turns[named] += 1
        key = hashlib.sha256("\n".join([*named, str(turns[named])]).encode()).hexdigest()[:16]
        line = entry["span"]["start"]["line"]
        found.append(
            KernelMutant(key, number, entry["name"], entry["file"], line, function, removed, added, entry["diff"])
        )
    return found


def _changed_lines(diff: str) -> tuple[str, str]:
    lines = diff.splitlines()[3:]
    mark = " /* ~ changed by cargo-mutants ~ */"
    return tuple(  # type: ignore[return-value]
        " ".join(" ".join(line[1:] for line in lines if line[:1] == sign).replace(mark, "").split()) for sign in "-+"
    )


def run(number: int, seed: int, workers: int) -> None:
    """A sample, first by cargo's tests; survivors by Python's."""
    everything = kernel_mutants()
    check_explained((one.path, one.function, one.before, one.after) for one in everything)
    shuffled = sorted(everything, key=lambda one: hashlib.sha256(f"{seed} {one.key}".encode()).digest())
    table = WORK / f"kernels-{seed}.tsv"
    whole = crates_digest()
    rows = {key: row for key, row in read_table(table).items() if row.digest == whole}
    if any(one.key not in rows or _doubtful(rows[one.key]) for one in _viable(shuffled, rows, number)):
        import_libraries()
        tree = copied_tree("tree-kernels")
    # A change that does not compile is no mutant: the next one takes its place.
    while missing := [one for one in _viable(shuffled, rows, number) if one.key not in rows]:
        one = missing[0]
        outcome, seconds = _by_cargo(tree, one, len(everything), workers)
        _keep(table, rows, one.row(outcome, "cargo test" if outcome == "killed" else "", seconds))
    sample = _viable(shuffled, rows, number)
    tests = _python_tests(tree) if any(_doubtful(rows[one.key]) for one in sample) else {}
    for one in sample:
        if _doubtful(rows[one.key]):
            _keep(table, rows, _by_python(tree, tests, one, rows[one.key]))
    show("kernels", len(everything), [rows[one.key] for one in sample])


def _doubtful(row: Row) -> bool:
    """Whether cargo's tests have let it live and Python's have not seen it."""
    return row.outcome == "survived" and row.tests == 0


def _keep(table: Path, rows: dict[str, Row], row: Row) -> None:
    rows[row.key] = row
    write_table(table, rows.values())
    print(f"{row.outcome:9} {row.seconds:6.1f} s  {row.path}:{row.line}  {row.by or row.after[:120]}", flush=True)


def _viable(shuffled: list[KernelMutant], rows: dict[str, Row], number: int) -> list[KernelMutant]:
    return [one for one in shuffled if one.key not in rows or rows[one.key].outcome != "unviable"][:number]


def _by_cargo(tree: Path, one: KernelMutant, of: int, workers: int) -> tuple[str, float]:
    """cargo-mutants over the one shard in which the mutant is alone, compiled after others in the same copy."""
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    command = ["cargo", "mutants", "--in-place", "--package", PACKAGE, "--output", str(OUTPUT), "--baseline", "skip"]
    command += ["--sharding", "round-robin", "--shard", f"{one.number}/{of}", "--timeout", "300"]
    jobs = {"CARGO_BUILD_JOBS": str(workers), "CARGO_PROFILE_TEST_OPT_LEVEL": "1"}
    with (tree / "output.txt").open("w") as output:
        subprocess.run(command, cwd=tree, check=False, env={**os.environ, **jobs}, stdout=output, stderr=output)
    outcomes = json.loads((OUTPUT / "mutants.out" / "outcomes.json").read_text(encoding="utf-8"))["outcomes"]
    (outcome,) = [told for told in outcomes if isinstance(told["scenario"], dict)]
    if outcome["scenario"]["Mutant"]["name"] != one.name:
        raise SystemExit(f"cargo-mutants made {outcome['scenario']['Mutant']['name']} instead of {one.name}")
    return OUTCOMES[outcome["summary"]], sum(phase["duration"] for phase in outcome["phase_results"])


def _python_tests(tree: Path) -> dict[str, list[str]]:
    """The tests in those folders that pass without a mutant, quick files first."""
    package = package_digest()
    found = []
    for file in test_files():
        if file.startswith(TESTS):
            name = kept_name(file, package)
            if not name.exists():
                record(tree, file, name)
            found.append(read(file, name))
    return {one.file: one.tests for one in sorted(found, key=lambda one: sum(one.seconds)) if one.tests}


def _by_python(tree: Path, tests: dict[str, list[str]], one: KernelMutant, row: Row) -> Row:
    """The mutant compiled into the package, and the tests that hang on kernels."""
    began = time.monotonic()
    path = tree / one.path
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(patched(original, one.diff), encoding="utf-8")
        command = [
            "cargo",
            "build",
            "--quiet",
            "--release",
            "--package",
            "assay-python",
            "--target-dir",
            str(WORK / "build"),
        ]
        command += ["--config", "profile.release.lto='off'", "--config", "profile.release.codegen-units=16"]
        subprocess.run([*command, "--config", "profile.release.opt-level=2"], cwd=tree, check=True)
    finally:
        path.write_text(original, encoding="utf-8")
    shutil.copy(WORK / "build" / "release" / "lib_compiled.so", tree / "src/assay/kernels/_compiled.abi3.so")
    ended = run_tests(tree, list(tests), lambda: _First(tests), limit=1800.0)
    seconds = row.seconds + time.monotonic() - began
    number = max(1, ended.wrote.get("tests", 1))
    if ended.late:
        outcome = "late"
    elif ended.code:
        outcome = "killed" if ended.wrote.get("failed") else "crashed"
    else:
        outcome = "survived"
    by = ended.wrote.get("failed", "")
    return Row(**{**row.__dict__, "outcome": outcome, "by": by, "seconds": round(seconds, 2), "tests": number})


def patched(source: str, diff: str) -> str:
    """A text with cargo-mutants' one hunk in it."""
    _, _, head, *body = diff.split("\n")
    start = int(re.match(r"@@ -(\d+)", head)[1]) - 1  # type: ignore[index]
    old = [line[1:] for line in body if line[:1] in (" ", "-")]
    new = [line[1:] for line in body if line[:1] in (" ", "+")]
    lines = source.split("\n")
    if lines[start : start + len(old)] != old:
        raise ValueError(f"the text is not what cargo-mutants saw at line {start + 1}")
    return "\n".join([*lines[:start], *new, *lines[start + len(old) :]])


class _First:
    """A plug-in of pytest: only these tests; remembers what failed first."""

    def __init__(self, tests: dict[str, list[str]]) -> None:
        self.known = {test for some in tests.values() for test in some}
        self.failed = ""
        self.tests = 0

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid in self.known]

    def pytest_collectreport(self, report: Any) -> None:
        self.failed = self.failed or (report.nodeid or "import" if report.failed else "")

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.tests += report.when == "call"
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def told(self) -> dict[str, Any]:
        """The first test that failed, and how many ran."""
        return {"failed": self.failed, "tests": self.tests}
