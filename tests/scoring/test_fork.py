"""A child made by ``os.fork`` scores, whatever the threads of its parent were doing at that moment."""

import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import assay
from assay.properties import cached_property

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")

#: The threads of this process, where the operating system lists them.
TASKS = Path("/proc/self/task")
#: Seconds after which a child is taken for hung. Nothing waits so long unless the test fails.
PATIENCE = 120


def run_in_child(work):
    """What ``work`` gives in a child of this process, as text; a child that hangs is ended, and the test fails."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, str(work()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        is_done, _, _ = select.select([reading], [], [], PATIENCE)
        if not is_done:
            os.kill(child, signal.SIGKILL)
        assert is_done, "the child hangs"
        return os.read(reading, 1000).decode()
    finally:
        os.waitpid(child, 0)
        os.close(reading)


class Slow:
    """A value whose computation another thread may be in the middle of."""

    def __init__(self, wait):
        self.wait = wait

    @cached_property
    def value(self):
        """The answer."""
        self.wait()
        return 42


def test_a_child_computes_what_another_thread_was_computing():
    begun, done = threading.Event(), threading.Event()
    slow = Slow(lambda: (begun.set(), done.wait()))
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    begun.wait()
    try:
        assert run_in_child(lambda: Slow(lambda: None).value) == "42"
    finally:
        done.set()
        thread.join()


def test_a_value_is_computed_once_and_all_get_the_same():
    calls = []
    slow = Slow(lambda: calls.append(1))
    assert (slow.value, slow.value, calls) == (42, 42, [1])
    assert Slow.value.__doc__ == "The answer."
    # A thread that comes second gets what the first one left.
    nested = Slow(lambda: vars(nested).setdefault("value", 43))
    assert (nested.value, nested.value) == (43, 43)


def test_nobody_takes_the_property_that_has_a_lock():
    modules = Path(assay.__file__).parent.rglob("*.py")
    assert [str(path) for path in modules if re.search(r"functools import.*cached_property", path.read_text())] == []


@pytest.mark.skipif(not TASKS.is_dir(), reason="threads are counted in /proc")
def test_kernels_keep_no_threads_that_a_child_would_miss():
    corpus = assay.Corpus(translations=["a b c d"] * 1000, references=[["a b d c"] * 1000])
    before = set(TASKS.iterdir())
    assay.metric("bleu").evaluate(corpus, threads=5)
    # A thread that has been waited for is listed until the operating system has cleared it away.
    tries = iter(range(20_000))
    while set(TASKS.iterdir()) - before and next(tries, None) is not None:
        time.sleep(0.001)
    assert set(TASKS.iterdir()) - before == set()


#: Six threads score without end; meanwhile fifteen children are made, each of which has to score.
UNDER_LOAD = """
import itertools, sys, threading
import assay
from assay.data import files
from assay.data.files import read_lines
from test_fork import run_in_child

files._LARGE = 100
numbers, is_over = itertools.count(), threading.Event()

def score():
    threads = 2 + next(numbers) % 4
    metrics = [assay.metric(name) for name in ("bleu", "nist", "meteor")]
    corpus = assay.Corpus(translations=translations, references=[reference])
    return [round(metric.evaluate(corpus, threads=threads).corpus_score(), 6) for metric in metrics]

def keep_scoring():
    while not is_over.is_set():
        assert score() == expected

translations, reference = (read_lines(path) for path in sys.argv[1:])
assert type(reference).__name__ == "FileTexts"
expected = score()
threads = [threading.Thread(target=keep_scoring) for _ in range(6)]
for thread in threads:
    thread.start()
try:
    children = [run_in_child(score) for _ in range(15)]
finally:
    is_over.set()
    for thread in threads:
        thread.join()
assert children == [str(expected)] * 15, children
print("done")
"""


def test_children_made_while_other_threads_score_can_score(tmp_path):
    paths = tmp_path / "sys.txt", tmp_path / "ref.txt"
    for step, path in enumerate(paths, start=2):
        path.write_text("".join(f"the cat sat on mat {n % step} of {n % 7}\n" for n in range(300)))
    folder = str(Path(__file__).parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])}
    command = [sys.executable, "-c", UNDER_LOAD, *map(str, paths)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.stdout == "done\n", ended.stderr
