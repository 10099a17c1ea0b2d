"""What is damaged or unused in a store is found, named and removed, and two stores become one."""

from __future__ import annotations

import errno
import json
import os
import shutil
import time
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN
from assay.questions.asked import ask_by_name
from assay.questions.kept.registry import store_class
from assay.store.rows import keys_in
from assay.store.upkeep import findings

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::assay.AssayWarning")


def asked(name, **options):
    return ask_by_name(store_class(name), None, options)


@pytest.fixture
def demo(tmp_path):
    """The demo campaign with a store of two runs."""
    folder = tmp_path / "demo"
    shutil.copytree(CAMPAIGN, folder)
    assay.Store.create(folder)
    assay.score(folder, "bleu,ter", samples=10)
    assay.meta_evaluate(folder, "ter", kind="adequacy", samples=10, permutations=10)
    return folder


def files(demo, pattern):
    return sorted((demo / ".assay").glob(pattern))


def aged(path, hours):
    moment = time.time() - 3600 * hours
    os.utime(path, (moment, moment))


# Check


def test_a_store_that_is_whole_is_sound(demo):
    result = asked("check", store=demo)
    assert (result.failed, result.table()) == (False, [])
    assert result.findings == (f"{demo / '.assay'}: 2 runs. Sound.",)


@pytest.mark.parametrize(
    ("pattern", "state"),
    [
        ("texts/*.parquet", "damaged"),
        ("rows/*/*.parquet", "damaged"),
        ("judgements/*.parquet", "damaged"),
        ("segments/*.parquet", "damaged"),
        ("runs/*/scores.parquet", "damaged"),
        ("runs/*/views.json", "damaged"),
        ("runs/*/run.json", "damaged"),
    ],
)
@pytest.mark.parametrize("how", ["cut", "flipped", "emptied"])
def test_whatever_is_damaged_is_named(demo, pattern, state, how):
    path = files(demo, pattern)[0]
    content = bytearray(path.read_bytes())
    if how == "flipped" and path.suffix == ".json":
        content[0] ^= 0xFF
    elif how == "flipped":
        # In the pages, where checksums see it: behind the first mark of four bytes.
        content[len(content) // 8] ^= 0xFF
    path.write_bytes({"cut": content[: len(content) // 2], "emptied": b""}.get(how, content))
    result = asked("check", store=demo)
    assert result.failed
    named = path.parent if "runs" in path.parts else path
    assert (state, str(named.relative_to(demo / ".assay"))) in {(row["state"], row["file"]) for row in result.table()}
    assert "Not sound." in result.findings[0]


def test_a_text_that_is_another_than_its_name_says_is_damaged(demo):
    one, other = files(demo, "texts/*.parquet")[:2]
    shutil.copyfile(one, other)
    (row,) = asked("check", store=demo).table()
    assert (row["state"], row["file"]) == ("damaged", f"texts/{other.name}")
    assert "does not hold the text" in row["said"]


def test_what_is_missing_is_named_with_the_run_that_rests_on_it(demo):
    files(demo, "judgements/*.parquet")[0].unlink()
    (row,) = asked("check", store=demo).table()
    assert row["state"] == "missing"
    assert "meta" in row["said"]


def test_rows_that_are_missing_are_named_with_the_run_that_rests_on_them(demo):
    path = next(path for path in files(demo, "rows/*/*.parquet") if "bleu(" in next(iter(keys_in(path).values())))
    path.unlink()
    (row,) = asked("check", store=demo).table()
    assert (row["state"], row["file"]) == ("missing", f"rows/{path.parent.name}")
    assert "score" in row["said"]
    assay.score(demo, "bleu", samples=10)
    assert list(findings(assay.Store(demo))) == []


@pytest.mark.parametrize("how", ["newer", "damaged", "closed"])
def test_what_a_run_rests_on_that_cannot_be_read_is_never_called_unused(demo, how, monkeypatch):
    run_ = assay.Store(demo).runs()[0]
    path = run_.folder / "run.json"
    if how == "newer":
        path.write_text(json.dumps({**run_.record, "store": 2}))
    elif how == "damaged":
        path.write_text("{")
    before = files(demo, "[!r]*/*.parquet") + files(demo, "rows/*/*.parquet")
    for file in before:
        aged(file, 2)
    with monkeypatch.context() as patch:
        if how == "closed":
            # Root may read everything.
            closed = PermissionError(errno.EACCES, "no")
            original = Path.read_bytes
            patch.setattr(Path, "read_bytes", lambda self: raised(closed) if self == path else original(self))
        state = "unreadable" if how == "closed" else how
        assert [one.state for one in findings(assay.Store(demo))] == [state]
        asked("remove", unused=True, store=demo)
        assert files(demo, "[!r]*/*.parquet") + files(demo, "rows/*/*.parquet") == before
        # What is not damaged is not removed as such.
        asked("remove", damaged=True, store=demo)
        assert run_.folder.exists() == (how != "damaged")


def raised(error):
    raise error


def test_files_that_the_system_does_not_let_read_are_no_damage(demo, monkeypatch):
    import pyarrow.parquet

    path = files(demo, "texts/*.parquet")[0]
    original = pyarrow.parquet.ParquetFile

    def opened(file, **options):
        return raised(PermissionError(errno.EACCES, "no")) if file == path else original(file, **options)

    monkeypatch.setattr(pyarrow.parquet, "ParquetFile", opened)
    (row,) = asked("check", store=demo).table()
    assert (row["state"], row["said"]) == ("unreadable", "cannot be read (Permission denied).")
    asked("remove", damaged=True, store=demo)
    assert path.exists()


def test_what_only_takes_room_is_told_and_is_no_damage(demo):
    before = len(list(findings(assay.Store(demo))))
    assay.score(demo, "chrf", samples=10)
    asked("remove", runs="last", store=demo)
    left = demo / ".assay" / "tmp" / "0123-x.parquet"
    left.write_bytes(b"half")
    aged(left, 25)
    result = asked("check", store=demo)
    assert not result.failed
    assert before == 0
    assert sorted(row["state"] for row in result.table()) == ["unfinished", "unused"]


def test_check_fails_as_a_command_if_anything_is_damaged(demo, capfd):
    assert run(["store", "check", str(demo)]) == 0
    files(demo, "texts/*.parquet")[0].write_bytes(b"")
    assert run(["store", "check", str(demo)]) == 1
    out, said = capfd.readouterr()
    assert "Not sound." in out
    assert "Traceback" not in said


# Remove


def test_a_run_is_removed_whole_and_the_others_stay(demo):
    store = assay.Store(demo)
    first, second = store.runs()
    kept = second.result.to_json()
    result = asked("remove", runs=first.id[-4:], store=demo)
    assert [row["file"] for row in result.table()] == [first.id]
    (left,) = store.runs()
    assert left.result.to_json() == kept
    assert files(demo, "tmp/*") == []
    # What only the other run rests on is unused now: rows of BLEU.
    assert [one.state for one in findings(store)] == ["unused"]


def test_a_name_that_is_wrong_removes_nothing(demo):
    store = assay.Store(demo)
    with pytest.raises(assay.UnknownName):
        asked("remove", runs=f"{store.runs()[0].id},nothing".split(","), store=demo)
    assert len(store.runs()) == 2
    with pytest.raises(assay.ParameterError, match="Nothing to remove"):
        asked("remove", store=demo)


def test_unused_files_are_removed_once_they_are_an_hour_old(demo):
    asked("remove", runs="score", store=demo)
    (path,) = [one.path for one in findings(assay.Store(demo))]
    result = asked("remove", unused=True, store=demo)
    assert path.exists()
    assert "younger than an hour stay" in " ".join(result.findings)
    aged(path, 2)
    assert asked("remove", unused=True, store=demo).table() == [
        {"what": "unused", "file": str(path.relative_to(demo / ".assay"))}
    ]
    assert not path.exists()
    assert list(findings(assay.Store(demo))) == []


def test_what_a_command_finds_in_the_store_is_young_again(demo):
    (path, *_) = files(demo, "texts/*.parquet")
    aged(path, 2)
    assay.score(demo, "ter", samples=10)
    assert time.time() - path.stat().st_mtime < 3600


def test_what_is_damaged_is_removed_and_counted_again_by_who_needs_it(demo):
    text, rows = files(demo, "texts/*.parquet")[0], files(demo, "rows/*/*.parquet")[0]
    for path in (text, rows):
        path.write_bytes(b"nothing")
    asked("remove", damaged=True, store=demo)
    assert not text.exists()
    assert not rows.exists()
    assay.score(demo, "bleu,ter", samples=10)
    assert [one for one in findings(assay.Store(demo)) if one.is_wrong] == []


def test_rows_of_candidates_are_used_by_the_run_that_chose_among_them(demo):
    assay.tune(demo, "fmean", kind="adequacy", folds=3, samples=10)
    assert list(findings(assay.Store(demo))) == []


# Merge


def test_two_stores_become_one_and_the_other_stays_as_it_is(demo, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(CAMPAIGN, other)
    assay.Store.create(other)
    file = other / "sys.gravel.txt"
    file.write_text(file.read_text().replace("e", "a"))
    assay.score(other, "bleu,chrf", samples=10)
    before = {path: path.read_bytes() for path in (other / ".assay").rglob("*") if path.is_file()}
    result = asked("merge", others=str(other), store=demo)
    assert not result.failed
    assert {row["what"]: (row["added"], row["known"]) for row in result.table()} == {
        "runs": (1, 0),
        # A file of BLEU under the other text, and one of chrF; texts: one that was changed, eight that are known.
        "rows": (2, 0),
        "texts": (1, 8),
        "segments": (0, 1),
        "judgements": (0, 0),
        "scores": (0, 0),
    }
    assert {path: path.read_bytes() for path in (other / ".assay").rglob("*") if path.is_file()} == before
    merged, alone = assay.Store(demo), assay.Store(other)
    assert len(merged.runs()) == 3
    (run_,) = alone.runs()
    assert merged.run(run_.id).result.to_json() == run_.result.to_json()
    assert list(findings(merged)) == []
    # Once more there is nothing to add.
    again = asked("merge", others=str(other), store=demo)
    assert {row["added"] for row in again.table()} == {0}


def test_two_different_runs_of_one_name_are_both_kept(demo, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(demo, other)
    (path,) = (other / ".assay" / "runs").glob("*score*/scores.parquet")
    shutil.copyfile(next((other / ".assay" / "runs").glob("*meta*/results.parquet")), path)
    asked("merge", others=str(other), store=demo)
    assert len(assay.Store(demo).runs()) == 3


def test_what_is_damaged_there_is_left_out_and_what_is_damaged_here_is_mended(demo, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(demo, other)
    here, there = files(demo, "texts/*.parquet")[0], files(other, "texts/*.parquet")[1]
    content = here.read_bytes()
    here.write_bytes(b"nothing")
    there.write_bytes(b"nothing")
    result = asked("merge", others=str(other), store=demo)
    assert result.failed
    assert [Path(row["file"]).name for row in result.table("left_out")] == [there.name]
    assert here.read_bytes() == content


def test_a_store_is_not_merged_with_itself_nor_with_what_is_none(demo, tmp_path):
    with pytest.raises(assay.ParameterError, match="is the store itself"):
        asked("merge", others=str(demo), store=demo)
    with pytest.raises(assay.InputError, match="no such folder"):
        asked("merge", others=str(tmp_path / "nowhere"), store=demo)
    with pytest.raises(assay.ParameterError, match="Nothing to merge"):
        asked("merge", store=demo)
