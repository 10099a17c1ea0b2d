"""Control-C at any moment: one line on standard error, exit code 130, nothing left behind, and nobody waits."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import tomllib
import warnings
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.cli.output import notes
from assay.demo import CAMPAIGN
from assay.errors import AssayWarning
from assay.scoring.evaluate import evaluate_all
from assay.threads import in_threads, workers

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")


def test_an_interrupt_exits_with_130_and_drops_the_notes(capfd, campaign, monkeypatch):
    def interrupted(*_, **__):
        warnings.warn(AssayWarning("half of the work is done"), stacklevel=1)
        raise KeyboardInterrupt

    monkeypatch.setattr("assay.questions.score.Score.answer", interrupted)
    assert run(["score", str(campaign)]) == 130
    # What is said of it is one line, and another's business: see the tests with a process.
    assert capfd.readouterr().err == ""


def test_notes_are_still_said_before_an_error(capfd):
    with pytest.raises(assay.InputError), notes(quiet=False):  # noqa: PT012
        warnings.warn(AssayWarning("something to know"), stacklevel=1)
        raise assay.InputError("something wrong")
    assert capfd.readouterr().err == "Note: something to know\n"


#: What the console script does; when a module is looked for, or a kernel begins, there is an interrupt.
PROGRAM = """
import os, signal, sys, threading

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            os.kill(os.getpid(), signal.SIGINT)

def endless(*_):
    # As a compiled loop, it hears nothing.
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            pass

signal.signal(signal.SIGINT, signal.default_int_handler)
moment, sys.argv = sys.argv[1], ["assay", *sys.argv[2:]]
if moment == "kernel":
    from assay import kernels
    kernels.translation_edits = endless
sys.meta_path.insert(0, Interrupt())
from assay.__main__ import main
main()
"""
#: In the order in which a command imports them: the first is what the console script names.
MOMENTS = (
    "assay.cli", "assay.cli.main", "click", "click.core", "assay.errors", "assay.registry", "assay.cli.asking",
    "numpy", "numpy.linalg", "assay.kernels._compiled", "assay.questions.score", "assay.metrics.bleu", "kernel",
)  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS)
def test_control_c_is_heard_while_modules_are_imported_and_kernels_at_work(moment):
    arguments = ["score", str(CAMPAIGN), "-m", "bleu,ter", "--samples", "10", "--threads", "1"]
    command = [sys.executable, "-c", PROGRAM, moment, *arguments]
    # The limit is for an end that never comes.
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (result.returncode, result.stdout, result.stderr) == (130, "", "assay: interrupted.\n")


def test_the_console_script_begins_where_interrupts_are_heard():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"assay": "assay.__main__:main"}


def test_the_debug_flag_shows_a_traceback_wherever_it_stands():
    command = [sys.executable, "-m", "assay", "score", "nowhere", "--debug"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "Traceback" in result.stderr


class _Long(assay.Recall):
    """A metric that is interrupted while it counts, and does not hear it."""

    name = "long"

    def count(self, batch):
        os.kill(os.getpid(), signal.SIGINT)
        _Long.threads.append(threading.current_thread())
        _Long.released.wait()
        return super().count(batch)


@pytest.mark.parametrize("shards", [1, 3])
def test_whoever_waits_for_a_metric_is_interrupted_before_it_ends(monkeypatch, shards):
    monkeypatch.setattr("assay.scoring.evaluate.SHARD_SEGMENTS", 4)
    monkeypatch.setattr(_Long, "released", threading.Event(), raising=False)
    monkeypatch.setattr(_Long, "threads", [], raising=False)
    corpus = assay.Corpus(translations=["a"] * 4 * shards, references=[["a"] * 4 * shards])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            evaluate_all([_Long()], {"": corpus})
    finally:
        signal.signal(signal.SIGINT, before)
        _Long.released.set()
    # Of all pieces one was begun, not in the thread that hears interrupts.
    assert len(_Long.threads) == 1
    assert _Long.threads[0] is not threading.main_thread()
    _Long.threads[0].join()


def test_an_interrupt_drops_what_no_thread_has_begun():
    begun, released = threading.Event(), threading.Event()

    def work():
        begun.set()
        released.wait()

    with pytest.raises(KeyboardInterrupt), workers(1) as pool:  # noqa: PT012
        futures = [pool.submit(work) for _ in range(10)]
        begun.wait()
        raise KeyboardInterrupt
    # Nobody waited for the first of them, which is at work still.
    assert [future.cancelled() for future in futures] == [False] + [True] * 9
    assert not futures[0].done()
    released.set()


def test_work_in_threads_comes_in_order_and_errors_are_its_own():
    assert in_threads(lambda number: number**2, [3, 1, 2], 2) == [9, 1, 4]
    with pytest.raises(ZeroDivisionError):
        in_threads(lambda number: 1 / number, [1, 0], 2)


@pytest.fixture
def begin():
    """Starts an ``assay`` that hears Control-C, even where the tests are told to ignore it; ends it afterwards."""
    started = []

    def start(*arguments, **options):
        # A child inherits that a signal is ignored, as it is behind nohup and an &, but not that it is handled.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            started.append(subprocess.Popen([sys.executable, "-m", "assay", *arguments], **options))
        finally:
            signal.signal(signal.SIGINT, before)
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


LINES = "".join(f"a line of several words, number {number}\n" for number in range(200_000))


def test_control_c_during_the_work_leaves_nothing_behind(tmp_path, begin):
    (tmp_path / "ref.txt").write_text(LINES)
    process = begin(
        *("score", "-r", "ref.txt", "-", "-o", "scores.json", "--samples", "100000"),
        cwd=tmp_path, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    # A pipe holds far less than all the lines: once they are written, most have been read.
    with process.stdin as pipe:
        pipe.write(LINES)
    process.send_signal(signal.SIGINT)
    with process.stderr as pipe:
        err = pipe.read()
    assert process.wait() == 130
    assert err.strip() == "assay: interrupted."
    assert [file.name for file in tmp_path.iterdir()] == ["ref.txt"]


def test_control_c_under_a_progress_bar_leaves_nothing_behind(tmp_path, begin):
    (tmp_path / "ref.txt").write_text(LINES)
    (tmp_path / "out.txt").write_text(LINES)
    terminal, inside = os.openpty()
    process = begin(
        *("score", "-r", "ref.txt", "out.txt", "-o", "scores.json", "--samples", "100000"),
        cwd=tmp_path, stderr=inside, env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(inside)
    shown = b""
    with os.fdopen(terminal, "rb", buffering=0) as screen:
        while b"Scoring" not in shown and (more := screen.read(1024)):
            shown += more
        process.send_signal(signal.SIGINT)
        # Linux tells of a terminal that nobody writes to any more by an error, others by an empty read.
        with contextlib.suppress(OSError):
            while more := screen.read(1024):
                shown += more
    assert process.wait() == 130
    assert shown.decode().split("\r\n")[-2:] == ["assay: interrupted.", ""]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["out.txt", "ref.txt"]
