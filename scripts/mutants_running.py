"""Tests in a process of their own, over a copy of the repository in which one line may be changed.

Libraries are imported once; each run is a fork that imports Assay and the tests it needs. Nothing is ever changed in
the repository itself, so an interruption leaves no mutant behind.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mutants_making import ROOT, Mutant

WORK = ROOT / "target" / "mutants"
# A mutant may ask for all memory there is.
MEMORY = 8 << 30
HEAVY = [
    "numpy",
    "scipy.stats",
    "scipy.optimize",
    "scipy.special",
    "hypothesis.strategies",
    "hypothesis.extra.numpy",
    "sklearn.ensemble",
    "sklearn.linear_model",
    "click.testing",
    "msgspec",
    "pytest",
    "pandas",
    "sacrebleu",
]
# The same examples of hypothesis each time; that it is imported already is no reason for a warning.
OPTIONS = ["-p", "no:cacheprovider", "-p", "no:xdist", "--hypothesis-seed=0", "--tb=no"]
OPTIONS += ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]


@dataclass(frozen=True)
class Ended:
    """How a run ended: pytest's exit code, or why there is none."""

    code: int
    seconds: float
    wrote: dict[str, Any] = field(default_factory=dict)
    late: bool = False


def import_libraries() -> None:
    """What every test needs and no mutant changes, once for all forks."""
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def copied_tree(name: str) -> Path:
    """The repository's files and the compiled kernels in a folder of their own, fresh."""
    tree = WORK / name
    shutil.rmtree(tree, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    compiled = [path.relative_to(ROOT).as_posix() for path in (ROOT / "src").rglob("_compiled*.so")]
    for path in [*filter(None, listed.stdout.decode().split("\0")), *compiled]:
        if (ROOT / path).is_file():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, tree / path)
    return tree


@contextlib.contextmanager
def changed(tree: Path, mutant: Mutant) -> Iterator[None]:
    """The copy with the mutant in it, and without it again."""
    path = tree / mutant.path
    original, stamp = path.read_text(encoding="utf-8"), path.stat().st_mtime
    try:
        path.write_text(mutant.applied(original), encoding="utf-8")
        os.utime(path, (stamp + 10, stamp + 10))  # so that no compiled file of the original is taken for it
        yield
    finally:
        path.write_text(original, encoding="utf-8")
        os.utime(path, (stamp, stamp))


def run_tests(
    tree: Path, files: list[str], plugin: Callable[[], Any], *, limit: float, cached: bool = False, stop: bool = True
) -> Ended:
    """pytest over ``files`` in a fork; what ``plugin().told()`` gives comes back."""
    answer = tree / "answer.json"
    answer.unlink(missing_ok=True)
    began = time.monotonic()
    child = os.fork()
    if child == 0:
        _child(tree, files, plugin, answer, cached=cached, stop=stop)
    status, late = _waited(child, began + limit)
    seconds = time.monotonic() - began
    wrote: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8")) if answer.exists() else {}
    return Ended(os.waitstatus_to_exitcode(status), seconds, wrote, late)


def _waited(child: int, until: float) -> tuple[int, bool]:
    """The exit status, and whether time was up. Nothing that was started outlives the run, or this process."""
    try:
        while time.monotonic() < until:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status, False
            time.sleep(0.02)
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1], True


def _child(tree: Path, files: list[str], plugin: Callable[[], Any], answer: Path, *, cached: bool, stop: bool) -> None:
    code = 70
    try:
        if "assay" in sys.modules:
            raise RuntimeError("Assay was imported before the mutant was made")
        os.setsid()
        os.chdir(tree)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        with (tree / "output.txt").open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        sys.path.insert(0, str(tree / "src"))
        os.environ["PYTHONPATH"] = str(tree / "src")
        sys.dont_write_bytecode = not cached
        if not cached:
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        import pytest

        made = plugin()
        code = int(pytest.main([*OPTIONS, *(["-x"] if stop else []), *files], plugins=[made]))
        answer.write_text(json.dumps(made.told()), encoding="utf-8")
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def side_by_side(trees: list[Path], work: Any, jobs: list[Any]) -> Iterator[Any]:
    """``work(tree, job)`` for every job, one worker for each copy of the repository."""
    if len(trees) == 1:
        yield from (work(trees[0], job) for job in jobs)
        return
    context = multiprocessing.get_context("fork")
    free = context.Queue()
    for tree in trees:
        free.put(tree)
    with context.Pool(len(trees), _take_tree, (free, work)) as pool:
        yield from pool.imap_unordered(_in_tree, jobs)


_TAKEN: list[Any] = []


def _take_tree(free: Any, work: Any) -> None:
    _TAKEN[:] = [free.get(), work]


def _in_tree(job: Any) -> Any:
    tree, work = _TAKEN
    return work(tree, job)
