"""What is counted is kept under everything that counting reads, and is counted again when any of it is another."""

from __future__ import annotations

import logging
import shutil
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.scoring import evaluate
from assay.store import rows
from assay.store.folder import Store
from assay.store.rows import keys_in

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::assay.AssayWarning")

DEMO = Path(assay.__file__).parent / "demo" / "campaign"
#: So many systems has it.
SYSTEMS = 5


@pytest.fixture
def demo(tmp_path):
    folder = tmp_path / "demo"
    shutil.copytree(DEMO, folder)
    Store.create(folder)
    return folder


@contextmanager
def counting(monkeypatch):
    """Which systems are counted under which metric, in order."""
    counted = []
    original = evaluate.Task.rows

    def rows(task, shard):
        counted.append((task.system, task.metric.name))
        return original(task, shard)

    with monkeypatch.context() as patch:
        patch.setattr(evaluate.Task, "rows", rows)
        yield counted


def segment_files(demo, metric):
    """The kept rows of a metric, as other programs read them."""
    import pyarrow.parquet

    tables = [pyarrow.parquet.read_table(path) for path in (demo / ".assay" / "rows").glob("*/*.parquet")]
    return [table for table in tables if metric in table.column_names]


def test_compare_and_meta_count_nothing_that_score_has_counted(demo, monkeypatch):
    with counting(monkeypatch) as counted:
        assay.score(demo, "bleu,meteor", language="en")
        assert len(counted) == 2 * SYSTEMS
        counted.clear()
        assay.compare(demo, "bleu,meteor", permutations=50, samples=50)
        assay.meta_evaluate(demo, "bleu,meteor", kind="adequacy", samples=50)
    assert counted == []


def test_only_the_system_whose_text_has_changed_is_counted_again(demo, monkeypatch):
    assay.score(demo, "chrf")
    (first, *_) = systems = sorted(demo.glob("sys.*.txt"))
    assert len(systems) == SYSTEMS
    first.write_text(first.read_text().replace("e", "a", 1))
    with counting(monkeypatch) as counted:
        assay.score(demo, "chrf")
    assert counted == [(first.name[4:-4], "chrf")]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda patch: patch.setattr(assay.Ter, "rows_version", 99), "-> 99"),
        (lambda patch: patch.setattr(evaluate, "tables_digest", lambda: "other"), "word lists"),
    ],
)
def test_a_mended_kernel_and_other_word_lists_are_counted_anew_and_debugging_says_why(
    demo, monkeypatch, caplog, change, said
):
    assay.score(demo, "ter")
    with monkeypatch.context() as patch, counting(patch) as counted:
        change(patch)
        with caplog.at_level(logging.DEBUG, "assay.store"):
            assay.score(demo, "ter")
    assert len(counted) == SYSTEMS
    assert all(said in record.getMessage() for record in caplog.records)
    assert len(caplog.records) == SYSTEMS


def test_debugging_names_the_text_that_is_another(demo, caplog):
    assay.score(demo, "ter")
    references = sorted(demo.glob("ref.*.txt"))
    references[0].write_text(references[0].read_text().replace("e", "a", 1))
    with caplog.at_level(logging.DEBUG, "assay.store"):
        assay.score(demo, "ter")
    assert {record.getMessage().split(" is counted: ")[1].split(" ")[6] for record in caplog.records} == {"reference"}


def test_a_file_of_rows_has_each_segment_with_its_score_and_the_numbers_behind_it(demo):
    result = assay.score(demo, "ter", segments=True)
    (table,) = segment_files(demo, "insertions")
    kept = table.to_pydict()
    campaign = assay.read(demo)
    of_segments = result.table("segments")
    assert kept["segment_score"] == [row["score"] for row in of_segments]
    assert kept["segment"] == [*range(len(campaign))] * SYSTEMS
    rows = assay.metric("ter").evaluate(campaign.corpus(next(iter(campaign.systems)))).rows
    columns = assay.metric("ter").columns
    first = np.column_stack([kept[name][: len(campaign)] for name in columns])
    assert (first == rows).all()


def test_rows_that_are_damaged_are_counted_again_and_it_is_said(demo, monkeypatch):
    before = assay.score(demo, "ter")
    (path,) = (demo / ".assay" / "rows").glob("*/*.parquet")
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 0xFF
    path.write_bytes(content)
    with counting(monkeypatch) as counted, pytest.warns(assay.AssayWarning, match="counted again"):
        after = assay.score(demo, "ter")
    assert len(counted) == SYSTEMS
    assert after.tables == before.tables
    # What was counted again stands in its place.
    with counting(monkeypatch) as counted:
        assay.score(demo, "ter")
    assert counted == []


@pytest.mark.parametrize(("limit", "value"), [("_MOST_WAITING", 0), ("_LONGEST", -1.0)])
def test_rows_wait_for_others_until_they_are_many_or_it_is_long(demo, monkeypatch, limit, value):
    assay.score(demo, "ter", samples=0)
    assert len([*(demo / ".assay" / "rows").glob("*/*.parquet")]) == 1
    monkeypatch.setattr(rows, limit, value)
    assay.score(demo, "wer", samples=0)
    # Now a file for each system.
    assert len([*(demo / ".assay" / "rows").glob("*/*.parquet")]) == 1 + SYSTEMS


def test_rows_with_fewer_numbers_than_their_metric_has_are_counted_again(demo, monkeypatch):
    import pyarrow.parquet

    before = assay.score(demo, "ter", samples=0)
    (path,) = (demo / ".assay" / "rows").glob("*/*.parquet")
    table = pyarrow.parquet.read_table(path)
    pyarrow.parquet.write_table(table.drop_columns(table.column_names[-1]), path)
    with counting(monkeypatch) as counted, pytest.warns(assay.AssayWarning, match="are not those of ter"):
        assert assay.score(demo, "ter", samples=0).tables == before.tables
    assert len(counted) == SYSTEMS


def test_nothing_is_kept_or_used_where_nobody_wants_it(demo, monkeypatch):
    assay.score(demo, "ter")
    store = Store(demo)
    with counting(monkeypatch) as counted:
        assay.score(demo, "ter", no_store=True)
    assert len(counted) == SYSTEMS
    assert len(store.runs()) == 1


def test_a_store_elsewhere_is_used_if_it_is_named(demo, tmp_path, monkeypatch):
    other = Store.create(tmp_path / "other")
    assay.score(demo, "ter", store=other.path)
    assert len(other.runs()) == 1
    assert Store(demo).runs() == []
    with counting(monkeypatch) as counted:
        assay.score(assay.read(demo), "ter", store=str(other.path))
    assert counted == []
    # Of what was in memory there is no path to ask again.
    assert [run.record["asked"] is None for run in other.runs()] == [False, True]


def test_candidates_of_a_metric_that_is_tuned_are_kept_too(demo, monkeypatch):
    options = {"kind": "adequacy", "parameters": "alpha"}
    first = assay.tune(demo, "fmean", **options)
    monkeypatch.setattr(assay.Fmean, "candidates", lambda *_: pytest.fail("counted"))
    assert assay.tune(demo, "fmean", **options).tables == first.tables


def test_keys_are_spelt_out_in_the_file(demo):
    assay.score(demo, "ter")
    (path,) = (demo / ".assay" / "rows").glob("*/*.parquet")
    keys = keys_in(path).values()
    assert len(keys) == SYSTEMS
    assert all(key.startswith("metric:ter(") and "|translation:" in key for key in keys)


def test_learning_and_the_features_behind_it_count_nothing_twice(demo, monkeypatch):
    options = {"kind": "adequacy"}
    assay.features(demo, **options)
    with counting(monkeypatch) as counted:
        assay.features(demo, **options)
        assay.learn(demo, **options)
    assert counted == []
