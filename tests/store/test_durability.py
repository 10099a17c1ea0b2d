"""A store stays whole: a writer is killed, the disk is full or read-only, others write and read."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN
from assay.store.upkeep import findings

pytest.importorskip("duckdb")

WRITING = str(Path(__file__).parent / "writing.py")


@contextmanager
def writers():
    """A process that forks a writer for each line that it is told."""
    process = subprocess.Popen([sys.executable, WRITING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def told(process, line):
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return int(process.stdout.readline())


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def killed(store, times, seed):
    """Kill so many writers at random moments, and look at the store after each."""
    draw, known = random.Random(seed), {}
    with writers() as process:
        for number in range(times):
            started = time.monotonic()
            child = told(process, f"{store.path} 1000 {number}")
            # Any moment: before the first byte, in the middle of a file, between two of them, of this run or the next.
            wanted = len(known) + draw.choice([0, 1])
            while len(store.run_folders()) < wanted and process.poll() is None:
                time.sleep(0.001)
            time.sleep(draw.random() * max(time.monotonic() - started, 0.02))
            os.kill(child, signal.SIGKILL)
            assert process.stdout.readline() == "stopped\n"
            runs = {folder.name: folder for folder in store.run_folders()}
            assert known.keys() <= runs.keys()
            for name in runs.keys() - known.keys():
                # A run that is there can be read, and nothing that it rests on is missing.
                whole = store.run(name)
                assert len(whole.result.table("scores")) == 6
                known[name] = content(runs[name])
        assert {name: content(folder) for name, folder in runs.items()} == known
    assert [one for one in findings(store) if one.is_wrong] == []
    # What was counted is found by who comes next, and nothing is in its way.
    with writers() as process:
        told(process, f"{store.path} 1 0")
        assert process.stdout.readline() == "done\n"
    return len(known)


def test_a_writer_that_is_killed_twenty_times_leaves_whole_runs_alone(tmp_path):
    assert killed(assay.Store.create(tmp_path / "store"), 20, 1) > 5


@pytest.mark.slow
def test_a_writer_that_is_killed_two_hundred_times_leaves_whole_runs_alone(tmp_path):
    assert killed(assay.Store.create(tmp_path / "store"), 200, 2) > 50


def test_two_writers_and_four_readers_are_never_in_each_others_way(tmp_path):
    store = assay.Store.create(tmp_path / "store")
    read = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        "import assay\n"
        "seen = 0\n"
        "while sys.argv[2] not in {path.name for path in assay.Store(sys.argv[1]).path.parent.iterdir()}:\n"
        "    runs = assay.Store(sys.argv[1]).runs()\n"
        "    assert len(runs) >= seen\n"
        "    seen = len(runs)\n"
        "    assay.sql('select metric, avg(score), count(*) from segments group by all', store=sys.argv[1])\n"
        "    assay.sql('select count(*) from scores', store=sys.argv[1])\n"
        "    assert not runs or runs[-1].result.table('scores')\n"
    )
    readers = [
        subprocess.Popen([sys.executable, "-c", read, str(store.path), "end"], stderr=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    with writers() as one, writers() as other:
        # They count the same texts, so that both write the same rows at the same time.
        for process in (one, other):
            told(process, f"{store.path} 12 5")
        assert [process.stdout.readline() for process in (one, other)] == ["done\n", "done\n"]
    (tmp_path / "end").touch()
    said = [reader.communicate()[1] for reader in readers]
    assert said == ["", "", "", ""]
    assert [reader.returncode for reader in readers] == [0, 0, 0, 0]
    assert len(store.runs()) == 24
    assert [one for one in findings(store) if one.state != "unused"] == []
    assert assay.sql("select count(*) as n from segments", store=store.path).table() == [{"n": 2 * 3 * 20}]


@contextmanager
def mounted(folder, *options):
    """A small file system of its own, where one can be had."""
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip("no file system can be mounted here, which takes root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


@pytest.fixture
def demo(tmp_path):
    folder = tmp_path / "demo"
    shutil.copytree(CAMPAIGN, folder)
    return folder


@pytest.mark.skipif(shutil.which("mount") is None, reason="there is no mount")
def test_on_a_full_disk_the_answer_is_printed_and_the_store_is_as_before(demo, tmp_path, capfd):
    with mounted(tmp_path / "small", "size=200k") as disk:
        store = assay.Store.create(disk / "store")
        assert run(["score", str(demo), "-m", "wer", "--store", str(store.path), "-q"]) == 0
        capfd.readouterr()
        before = {path: path.read_bytes() for path in store.path.rglob("*") if path.is_file()}
        (disk / "filler").write_bytes(b"x" * (4096 * ((os.statvfs(disk).f_bavail) - 2)))
        assert run(["score", str(demo), "-m", "meteor,chrf", "--store", str(store.path)]) == 0
        out, said = capfd.readouterr()
        assert "METEOR" in out
        assert "the answer was not kept (No space left on device). The store is as it was." in said
        assert "Traceback" not in said
        after = {path: path.read_bytes() for path in store.path.rglob("*") if path.is_file()}
        # What had been flushed before the disk was full may stay: it is whole.
        assert {path: after.get(path) for path in before} == before
        assert list((store.path / "tmp").iterdir()) == []
        assert [one for one in findings(store) if one.is_wrong] == []
        (disk / "filler").unlink()
        assert run(["score", str(demo), "-m", "wer", "--store", str(store.path), "-q"]) == 0
        assert len(store.runs()) == 2


@pytest.mark.skipif(shutil.which("mount") is None, reason="there is no mount")
def test_a_store_on_a_read_only_disk_is_used_and_nothing_is_kept_which_is_said(demo, tmp_path, capfd, monkeypatch):
    with mounted(tmp_path / "disk", "size=4m") as disk:
        store = assay.Store.create(disk / "store")
        words = ["score", str(demo), "-m", "wer", "--store", str(store.path)]
        assert run([*words, "-q"]) == 0
        first = capfd.readouterr().out
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        monkeypatch.setattr(assay.Wer, "count", lambda *_: pytest.fail("counted"))
        assert run(words) == 0
        out, said = capfd.readouterr()
        assert out == first
        assert "cannot be written to: what is there is used, and nothing is kept." in said
        assert said.count("Warning: ") == 1
        assert len(store.runs()) == 1
        assert run(["store", "remove", "last", "--store", str(store.path)]) == 2
        assert "cannot be written to, so nothing can be removed" in capfd.readouterr().err
        assert run(["history", "--store", str(store.path)]) == 0
        with pytest.raises(assay.InputError, match=r"cannot be made there \(Read-only file system\)"):
            assay.Store.create(disk / "other")


@pytest.mark.parametrize("step", ["rows", "texts", "runs"])
def test_an_error_of_the_disk_at_any_step_costs_a_warning_and_never_the_answer(demo, tmp_path, monkeypatch, step):
    store = assay.Store.create(tmp_path / "store")
    original = type(store).drafted

    def drafted(self, target):
        if step in target.parts:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return original(self, target)

    monkeypatch.setattr(type(store), "drafted", drafted)
    with pytest.warns(assay.AssayWarning, match=r"the answer was not kept \(Input/output error\)"):
        result = assay.score(demo, "wer", samples=0, store=store.path)
    assert len(result.table()) == 5
    assert store.runs() == []


def test_without_the_extra_the_answer_is_printed_and_one_note_says_that_nothing_was_kept(demo, monkeypatch):
    assay.Store.create(demo)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.warns(assay.AssayWarning) as said:
        result = assay.score(demo, "wer", samples=0)
    assert len(result.table()) == 5
    (note,) = [str(one.message) for one in said if "kept" in str(one.message)]
    assert note.startswith("Nothing is kept.")
    assert "extra [store]" in note
    # Who names a store wants it.
    with pytest.raises(assay.MissingExtra):
        assay.score(demo, "wer", samples=0, store=demo)
