"""Stores of earlier versions are read by this one; those of later versions, and what is no store, are refused in words.

``version-1`` was written by the first version that had stores and is never made anew: ``version-1-shown`` is what its
runs looked like then.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.store.upkeep import findings

pytest.importorskip("duckdb")

HERE = Path(__file__).parent
FIRST, SHOWN = HERE / "version-1", HERE / "version-1-shown"
RUNS = sorted(path.name for path in (FIRST / "runs").iterdir())
#: What sacreBLEU says of the texts of compass in that store.
BLEU = 45.703345
DIGESTS = {name: digest for digest, name in (line.split() for line in (SHOWN / "json.sha256").read_text().splitlines())}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_an_earlier_version_is_shown_as_it_was(name, capfd):
    assert run(["show", name, "--store", str(FIRST)]) == 0
    assert capfd.readouterr().out == (SHOWN / f"{name}.txt").read_text(encoding="utf-8")
    assert run(["show", name, "--store", str(FIRST), "--format", "json"]) == 0
    assert hashlib.sha256(capfd.readouterr().out.encode()).hexdigest() == DIGESTS[name]


def test_a_store_of_an_earlier_version_is_sound():
    assert [one for one in findings(assay.Store(FIRST)) if one.is_wrong] == []
    assert len(assay.Store(FIRST).runs()) == len(RUNS) == 6


def test_a_store_of_an_earlier_version_answers_queries():
    rows = assay.sql("select system, metric, score from scores where question = 'score' order by all", store=FIRST)
    assert rows.table()[:2] == [
        {"system": "compass", "metric": "bleu", "score": pytest.approx(BLEU, abs=5e-7)},
        # 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0 and 7 halves: 62 / 24.
        {"system": "compass", "metric": "judge", "score": pytest.approx(62 / 24)},
    ]
    counts = {
        name: assay.sql(f"select count(*) as n from {name}", store=FIRST).table()[0]["n"]
        for name in ("segments", "judgements", "texts", "external_scores")
    }
    # 12 segments: 4 systems by 2 metrics and 2 by the judge; 3 judges of 4 systems and 2 kinds; 1 + 3 + 4 texts.
    assert counts == {"segments": 120, "judgements": 288, "texts": 96, "external_scores": 24}


def test_scores_of_an_earlier_version_have_a_history():
    (row, *_) = assay.history(store=FIRST, metrics="bleu", systems="compass").table()
    assert row["score"] == pytest.approx(BLEU, abs=5e-7)


def test_a_store_of_a_newer_version_is_refused_with_what_to_do(tmp_path, capfd):
    store = assay.Store.create(tmp_path / "store")
    (store.path / "store.json").write_text('{"store": 2, "assay": "9.0"}\n')
    with pytest.raises(
        assay.InputError, match=r"newer Assay \(layout 2; this one reads up to 1\).*Install that version"
    ):
        assay.Store(store.path)
    assert run(["history", "--store", str(store.path)]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_a_run_of_a_newer_version_is_left_out_and_named(tmp_path):
    store = tmp_path / "store"
    shutil.copytree(FIRST, store)
    record = store / "runs" / RUNS[0] / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"store": 2}))
    with pytest.warns(assay.AssayWarning, match=r"1 of the runs .* newer Assay.*assay store check"):
        assert len(assay.Store(store).runs()) == 5
    (found,) = [one for one in findings(assay.Store(store)) if one.is_wrong]
    assert (found.state, found.path.name) == ("newer", RUNS[0])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "this is no store"),
        ("{", "damaged"),
        ("[]", "no store, or its mark is damaged"),
        ('{"store": true}', "no store"),
    ],
)
def test_a_folder_that_is_no_store_is_refused(tmp_path, content, said):
    if content is not None:
        (tmp_path / "store.json").write_text(content)
    with pytest.raises(assay.InputError, match=said):
        assay.Store(tmp_path)


def test_a_folder_that_is_not_there_is_refused_with_how_to_make_one(tmp_path):
    with pytest.raises(assay.InputError, match=r"no such folder.*assay store create"):
        assay.Store(tmp_path / "nowhere")


def test_without_a_store_here_a_command_says_so(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    assert run(["history"]) == 2
    said = capfd.readouterr().err
    assert "There is no store in this folder. Name one: --store DIR. Make one: assay store create CAMPAIGN." in said


def test_a_store_is_not_made_twice_nor_among_other_files(tmp_path):
    assay.Store.create(tmp_path / "new")
    with pytest.raises(assay.InputError, match="there is a store already"):
        assay.Store.create(tmp_path / "new")
    folder = tmp_path / "campaign"
    folder.mkdir()
    (folder / "ref.A.txt").write_text("a\n")
    assert assay.Store.create(folder).path == folder / ".assay"
    with pytest.raises(assay.InputError, match="there is a store already"):
        assay.Store.create(folder)
    with pytest.raises(assay.InputError, match="cannot be made there"):
        assay.Store.create("\ud800")
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(assay.InputError, match="this is a file"):
        assay.Store.create(file)
    with pytest.raises(assay.InputError, match="this is a file, and a store is a folder"):
        assay.Store(file)


def test_what_is_left_of_a_store_that_was_never_finished_is_in_nobodys_way(tmp_path, monkeypatch):
    for folder in ("new", "campaign"):
        (tmp_path / "campaign").mkdir(exist_ok=True)
        (tmp_path / "campaign" / "ref.A.txt").write_text("a\n")
        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
            with pytest.raises(assay.InputError, match=r"cannot be made there \(No space left on device\)"):
                assay.Store.create(tmp_path / folder)
        assert [path.name for path in tmp_path.rglob("*")] == ["campaign", "ref.A.txt"]
    # Somebody was stopped in the middle.
    for half in (tmp_path / "new", tmp_path / "campaign" / ".assay"):
        (half / "runs").mkdir(parents=True)
    assert assay.Store.create(tmp_path / "new").path == tmp_path / "new"
    assert assay.Store.create(tmp_path / "campaign").path == tmp_path / "campaign" / ".assay"


def test_a_store_that_is_closed_to_whoever_asks_is_no_folder_without_one(tmp_path, monkeypatch, recwarn):
    (tmp_path / "ref.A.txt").write_text("a\n")
    (tmp_path / "sys.one.txt").write_text("a\n")
    assay.Store.create(tmp_path)
    original = Path.is_file

    def is_file(path):
        if path.parent.name == ".assay":
            raise PermissionError(13, "no")
        return original(path)

    monkeypatch.setattr(Path, "is_file", is_file)
    monkeypatch.setattr(Path, "read_bytes", is_file)
    assay.score(tmp_path, "wer", samples=0)
    assert "Nothing is kept. " in str(recwarn[0].message)
    assert "store.json: cannot be read (Permission denied)." in str(recwarn[0].message)
