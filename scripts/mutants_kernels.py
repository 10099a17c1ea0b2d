"""Mutants of the kernels as cargo-mutants names them; what cargo's tests let live is put to the tests in Python."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants_making import ROOT
from mutants_running import MEMORY, WORK, copied_tree, import_libraries, run_tests, side_by_side
from mutants_table import KILLED, Row, check_explained, read_table, show, write_table
from mutants_tests import digest_of

PACKAGE = "assay-kernels"
SOURCE = ROOT / "crates" / "kernels" / "src"
COMPILED = "src/assay/kernels/_compiled.abi3.so"
# So long may tests compute for one mutant, in cargo's tests and in Python's, and one test in Python beyond it.
SECONDS = 60
LONGEST = 60
# What is compiled only to be thrown away: quickly, and what has not changed is not compiled again.
PROFILES = {
    "dev": {"debug": "0"},
    "test": {"debug": "0"},
    "release": {"lto": "'off'", "codegen-units": "16", "opt-level": "1", "incremental": "true"},
}
# The tests in Python that a kernel is put to: files in these folders named for a part of its path, or for these words.
FOLDERS = ("text", "data", "metrics", "significance", "people", "scoring", "goldens", "peers")
WORDS = {
    "association": ("kendall", "tests", "statistics", "correlation"),
    "characters": ("chrf", "cer", "languages"),
    "draws": ("intervals", "pairs", "promises"),
    "edits": ("wer", "cer", "per", "jiwer"),
    "events": ("meteor",),
    "hashing": ("recipe", "bleu", "chrf", "nist"),
    "information": ("nist", "survey", "mteval"),
    "jumps": ("eed",),
    "lines": ("corpus", "damaged"),
    "overlap": ("bleu", "chrf", "gleu", "unigrams"),
    "parallel": ("engine", "bleu"),
    "ranks": ("ribes",),
    "recipe": ("languages", "stems", "tokenizers"),
    "room": ("memory", "engine"),
    "sequences": ("bleu", "wer"),
    "stems": ("stem", "snowball", "rouge", "meteor"),
    "steps": ("pictures",),
    "subsequences": ("rouge",),
    "swaps": ("soft_accuracy", "tests", "pairs", "association"),
    "synonyms": ("meteor",),
    "paraphrases": ("meteor",),
    "ter": ("tercom", "hter"),
    "thresholds": ("calibration", "ranking_kendall", "association", "acc23"),
    "tokenizers": ("tokenizers", "languages", "recipe", "bleu", "normalizer"),
}
# And in any case these, over all metrics.
ALWAYS = ("tests/laws/test_laws.py", "tests/metrics/test_oracles.py", "tests/goldens/test_shipped.py")


@dataclass(frozen=True)
class KernelMutant:
    """A change as cargo-mutants names it."""

    key: str
    name: str
    path: str
    line: int
    function: str
    before: str
    after: str
    diff: str

    @property
    def module(self) -> str:
        """The kernel: the first part of its path."""
        return Path(self.path).relative_to(SOURCE.relative_to(ROOT)).parts[0].removesuffix(".rs")

    def row(self, outcome: str, by: str, tests: int, seconds: float) -> Row:
        """What became of it."""
        digest = kill_digest(self, by) if outcome in KILLED else whole_digest()
        return Row(
            self.key, self.path, self.line, self.function, self.before, self.after, outcome, by, tests, 0,
            round(seconds, 2), digest,
        )  # fmt: skip


def whole_digest() -> str:
    """Of all Rust and all tests, on which hangs that a mutant survives."""
    return digest_of([*(ROOT / "crates").rglob("*.rs"), *(ROOT / "tests").rglob("*.py")])


def kill_digest(one: KernelMutant, by: str) -> str:
    """Of the files of the kernel, and of the test that failed."""
    modules = {one.module, by.partition("::")[0]}
    files = {path for path in SOURCE.rglob("*.rs") if path.relative_to(SOURCE).parts[0].removesuffix(".rs") in modules}
    test = ROOT / by.partition("::")[0]
    return digest_of(files | ({test} if test.is_file() else set()))


def kernel_mutants() -> list[KernelMutant]:
    """All changes that cargo-mutants would make."""
    command = ["cargo", "mutants", "--list", "--json", "--package", PACKAGE]
    listed = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    turns: Counter[tuple[str, ...]] = Counter()
    found = []
    for entry in listed:
        removed, added = _changed_lines(entry["diff"])
        function = (entry["function"] or {}).get("function_name", "")
        named = (entry["file"], function, removed, added)
        turns[named] += 1
        key = hashlib.sha256("\n".join([*named, str(turns[named])]).encode()).hexdigest()[:16]
        line = entry["span"]["start"]["line"]
        found.append(KernelMutant(key, entry["name"], entry["file"], line, function, removed, added, entry["diff"]))
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
    earlier = read_table(table)
    rows = {one.key: earlier[one.key] for one in everything if _still_stands(one, earlier.get(one.key))}
    trees: list[Path] = []
    # A change that does not compile is no mutant: the next one takes its place.
    while missing := [one for one in _viable(shuffled, rows, number) if one.key not in rows]:
        if not trees:
            import_libraries()
            os.environ["CARGO_BUILD_JOBS"] = "1"
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))  # for all that is started, too
            trees = [copied_tree(f"tree-kernels-{worker}") for worker in range(workers)]
            check_machine(trees[0])
        for row in side_by_side(trees, _put_to_tests, missing):
            rows[row.key] = row
            write_table(table, rows.values())
            print(
                f"{row.outcome:9} {row.seconds:6.1f} s  {row.path}:{row.line}  {row.by or row.after[:120]}", flush=True
            )
    show("kernels", len(everything), [rows[one.key] for one in _viable(shuffled, rows, number)])


def check_machine(tree: Path) -> None:
    """What is not changed passes, and what cannot be compiled is noticed."""
    whole = tree / SOURCE.relative_to(ROOT) / "lib.rs"
    for text, expected in (("", "survived"), ("compile_error!();", "unviable")):
        with _written(whole, whole.read_text(encoding="utf-8") + text):
            outcome, by = _cargo_tests(tree, "")
        if outcome != expected:
            sys.exit(f"without any mutant cargo's tests do not pass, or are not run: {outcome} {by}")


def _still_stands(one: KernelMutant, row: Row | None) -> bool:
    """Whether an earlier outcome holds: a kill while kernel and test are as they were, all else while everything is."""
    return row is not None and row.digest == (kill_digest(one, row.by) if row.outcome in KILLED else whole_digest())


def _viable(shuffled: list[KernelMutant], rows: dict[str, Row], number: int) -> list[KernelMutant]:
    return [one for one in shuffled if one.key not in rows or rows[one.key].outcome != "unviable"][:number]


def _put_to_tests(tree: Path, one: KernelMutant) -> Row:
    """What became of a mutant: under cargo's tests, and under Python's where it is still alive."""
    began = time.monotonic()
    path, number = tree / one.path, 0
    with _written(path, patched(path.read_text(encoding="utf-8"), one.diff)):
        outcome, by = _cargo_tests(tree, one.module)
        if outcome == "survived" and _cargo(tree, "build", "--release", "--package", "assay-python")[0]:
            raise SystemExit(f"{one.name} does not compile into the package")
    if outcome == "survived":
        outcome, by, number = _python_tests(tree, one)
    return one.row(outcome, by, number, time.monotonic() - began)


def _cargo_tests(tree: Path, module: str) -> tuple[str, str]:
    """All tests in Rust but examples, those of the module first."""
    if _cargo(tree, "test", "--package", PACKAGE, "--lib", "--no-run")[0]:
        return "unviable", ""
    for chosen in ([f"{module}::"], []):
        code, said = _cargo(tree, "test", "--package", PACKAGE, "--lib", "--", *chosen, limit=SECONDS)
        if f"(signal: {signal.SIGXCPU:d}" in said:
            return "late", ""
        if code:
            failed = re.search(r"^test (\S+) .*\bFAILED$", said, re.MULTILINE)
            return "killed", failed[1] if failed else "cargo test"
    return "survived", ""


def _cargo(tree: Path, *arguments: str, limit: int = 3600) -> tuple[int, str]:
    """cargo's exit code and what it said; no process may compute for longer than ``limit`` seconds."""
    settings = [f"profile.{name}.{key}={value}" for name, of in PROFILES.items() for key, value in of.items()]
    configured = [part for setting in settings for part in ("--config", setting)]
    command = ["cargo", arguments[0], "--target-dir", str(WORK / f"build-{tree.name}"), *configured, *arguments[1:]]
    with (tree / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:
        started = subprocess.Popen(command, cwd=tree, stdout=output, stderr=output, start_new_session=True)
        resource.prlimit(started.pid, resource.RLIMIT_CPU, (limit, limit + 10))
        try:
            code = started.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(started.pid, signal.SIGKILL)
        output.seek(0)
        return code, output.read()


@contextlib.contextmanager
def _written(path: Path, text: str) -> Iterator[None]:
    """A file of the copy with another text, and as it was again."""
    original = path.read_text(encoding="utf-8")
    try:
        path.write_text(text, encoding="utf-8")
        yield
    finally:
        path.write_text(original, encoding="utf-8")


def _python_tests(tree: Path, one: KernelMutant) -> tuple[str, str, int]:
    """What became of it under the tests in Python for its kernel, the test that failed, and how many ran."""
    words = {*Path(one.path.removesuffix(".rs")).parts[3:], *WORDS.get(one.module, ())}
    named = [
        path.relative_to(tree).as_posix()
        for folder in FOLDERS
        for path in sorted((tree / "tests" / folder).rglob("test_*.py"))
        if any(f"_{word}_" in f"{path.stem}_" for word in words)
    ]
    files = [*named, *(file for file in ALWAYS if file not in named)]
    while True:
        shutil.copy(WORK / f"build-{tree.name}" / "release" / "lib_compiled.so", tree / COMPILED)
        ended = run_tests(tree, files, lambda: _First(_FAILING), limit=7200.0)
        shutil.copy2(ROOT / COMPILED, tree / COMPILED)
        failed = ended.wrote.get("failed", "")
        # A test that fails without any mutant, too, says nothing.
        if not failed or failed in _FAILING or run_tests(tree, [failed], lambda: _First(set()), limit=7200.0).code == 0:
            break
        _FAILING.add(failed)
        print(f"left out, as it fails without a mutant, too: {failed}", flush=True)
    number = max(1, ended.wrote.get("tests", 1))
    if ended.late or ended.code == -signal.SIGXCPU:
        return "late", "", number
    if failed:
        return "killed", failed, number
    return ("survived" if ended.code in (0, 2) else "crashed"), "", number  # 2 where a minute was over


_FAILING: set[str] = set()


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
    """A plug-in of pytest: not the tests that fail anyway, and none after a minute; remembers what failed first."""

    def __init__(self, failing: set[str]) -> None:
        self.failing = failing
        self.failed = ""
        self.tests = 0
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS + LONGEST, SECONDS + LONGEST + 10))

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid not in self.failing]

    def pytest_collectreport(self, report: Any) -> None:
        self.failed = self.failed or (report.nodeid or "import" if report.failed else "")

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.tests += report.when == "call"
        self.failed = self.failed or (report.nodeid if report.failed else "")

    def pytest_runtest_teardown(self, item: Any) -> None:
        if time.process_time() > SECONDS:
            item.session.shouldstop = "enough"

    def told(self) -> dict[str, Any]:
        """The first test that failed, and how many ran."""
        return {"failed": self.failed, "tests": self.tests}
