"""A store answers queries: its tables hold the numbers of the answers, and nothing but queries is let in."""

from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN
from assay.store import sql

pytest.importorskip("duckdb")
pytestmark = pytest.mark.filterwarnings("ignore::assay.AssayWarning")

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "sql.md"
QUERIES = re.findall(r"\n\n((?:[^\n]+\n)+)\n```sql\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
MADE = re.search(r"^```\n((?:assay [^\n]+\n)+)```", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """The store that the page makes, in the folder of the demo campaign."""
    folder = tmp_path_factory.mktemp("kept")
    shutil.copytree(CAMPAIGN, folder / "demo-campaign")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for line in MADE[1].splitlines():
            assert run([*line.split()[1:], "-q"]) == 0
    return folder / "demo-campaign"


def asked(store, query, **options):
    return assay.sql(query, store=store, **options).table()


def test_there_are_ten_queries_and_each_answers(store):
    assert len(QUERIES) == 10
    empty = [said for said, query in QUERIES if not asked(store, query)]
    assert empty == []


def test_segments_have_the_scores_that_the_command_shows(store):
    shown = assay.score(store, "bleu,chrf,ter", segments=True, samples=0, no_store=True).table("segments")
    rows = asked(store, "select system, metric, segment, score from segments", limit=100_000)
    key = ("system", "metric", "segment")
    assert {tuple(row[name] for name in key): row["score"] for row in rows} == {
        tuple(row[name] for name in key): row["score"] for row in shown
    }
    assert len(rows) == len(shown) == 60 * 5 * 3


def test_rows_hold_the_edits_that_a_score_is_made_of(store):
    parts = assay.score(store, "ter", samples=0, no_store=True).table("parts")
    (query,) = (query for said, query in QUERIES if "made of" in said)
    for row in asked(store, query):
        for name in ("insertions", "deletions", "substitutions", "shifts"):
            (value,) = (one["value"] for one in parts if (one["system"], one["part"]) == (row["system"], name))
            assert row[name] == value


@pytest.mark.parametrize(("level", "column"), [("documents", "document"), ("domains", "domain")])
def test_scores_of_rows_together_are_those_of_the_command(store, level, column):
    shown = assay.score(store, "bleu,chrf,ter", samples=0, no_store=True, **{level: True})
    query = f"select system, metric, {column}, corpus_score(rows) as score from rows where current group by all"
    rows = {(row["system"], row["metric"], row[column]): row["score"] for row in asked(store, query)}
    wanted = {(row["system"], row["metric"], row[column]): row["score"] for row in shown.table(level)}
    assert rows.keys() == wanted.keys()
    assert rows == {key: pytest.approx(score, rel=1e-12) for key, score in wanted.items()}
    query = "select system, metric, corpus_score(r) as score from rows r where current group by all"
    whole = {(row["system"], row["metric"]): row["score"] for row in asked(store, query)}
    assert whole == {(row["system"], row["metric"]): pytest.approx(row["score"]) for row in shown.table("scores")}


def test_rows_of_two_metrics_have_no_score_together_and_no_rows_none(store):
    with pytest.raises(
        assay.InputError, match=r"answered\.\ncorpus_score is of one metric, and here rows of bleu and ter"
    ):
        asked(store, "select corpus_score(rows) from rows")
    with pytest.raises(assay.ParameterError, match=r"adds up rows: select corpus_score\(rows\) from rows"):
        asked(store, "select corpus_score(segments) from segments")
    assert asked(store, "select corpus_score(rows) as s from rows where metric = 'nothing'") == [{"s": None}]


def test_correlations_of_the_page_are_those_of_numpy(store):
    (query,) = (query for said, query in QUERIES if "How far" in said)
    campaign = assay.read(store)
    people: dict[tuple[str, int], list[float]] = {}
    for one in campaign.judgements:
        if one.kind == "adequacy":
            people.setdefault((one.system, one.segment), []).append(one.score)
    keys = sorted(people)
    for row in asked(store, query):
        scores = {
            system: assay.metric(row["metric"]).evaluate(campaign.corpus(system)).segment_scores()
            for system in campaign.systems
        }
        pairs = [[scores[system][segment], np.mean(people[system, segment])] for system, segment in keys]
        assert row["pearson"] == pytest.approx(np.corrcoef(np.transpose(pairs))[0, 1], rel=1e-9)
        assert row["segments"] == len(keys)


def test_the_drift_of_a_judge_is_the_mean_distance_from_the_others(store):
    (query,) = (query for said, query in QUERIES if "drift" in said)
    judged = [one for one in assay.read(store).judgements if one.kind == "adequacy"]
    items: dict[tuple[str, int], list[float]] = {}
    for one in judged:
        items.setdefault((one.system, one.segment), []).append(one.score)
    row = next(row for row in asked(store, query) if row["rater"] == "anna")
    # 300 judgements of each judge, so quarters of 75 by segment: 15 segments of five systems.
    first = [
        one.score - np.mean(items[one.system, one.segment])
        for one in judged
        if one.rater == "anna" and one.segment < 15
    ]
    assert len(first) == 75
    assert row["1"] == pytest.approx(np.mean(first))


def test_texts_are_those_of_the_campaign(store):
    campaign = assay.read(store)
    rows = asked(store, "select side, name, segment, text from texts", limit=10_000)
    assert len(rows) == 60 * (1 + 3 + 5)
    sides = {"source": {"": campaign.source}, "reference": campaign.references, "system": campaign.systems}
    assert all(sides[row["side"]][row["name"]][row["segment"]] == row["text"] for row in rows)


def test_runs_say_what_was_asked(store):
    rows = asked(
        store,
        "select question, campaign, version, seed, metrics, options ->> '$.samples' as samples from runs order by time",
    )
    assert [(row["question"], row["metrics"], row["samples"]) for row in rows] == [
        ("score", ["bleu", "chrf", "ter"], "1000"),
        ("score", ["bleu"], "500"),
        ("compare", ["bleu", "chrf"], "1000"),
        ("meta", ["bleu", "chrf"], "1000"),
    ]
    assert {(row["campaign"], row["version"], row["seed"]) for row in rows} == {("demo-campaign", assay.__version__, 1)}


def test_pairs_and_scores_are_the_tables_of_the_answers(store):
    compared = assay.compare(store, no_store=True)
    rows = asked(store, "select metric, a, b, delta, low, high, p, p_adjusted, significant from pairs order by all")
    wanted = [{name: row[name] for name in rows[0]} for row in compared.table("pairs")]
    assert rows == sorted(wanted, key=lambda row: tuple(row.values()))
    times = asked(
        store, "select score, low from scores where system = 'rosetta' and metric = 'bleu' and question = 'score'"
    )
    assert len(times) == 2
    assert times[0]["score"] == times[1]["score"]
    assert times[0]["low"] != times[1]["low"]


@pytest.mark.parametrize(
    "statement",
    [
        "copy (select 1) to 'stolen.csv'",
        "copy (select 1) to 'demo-campaign/.assay/stolen.csv'",
        "copy runs from 'other.csv'",
        "create table x as select 1",
        "create view x as select 1",
        "create macro x() as 1",
        "insert into runs select * from runs",
        "update runs set question = 'x'",
        "delete from runs",
        "drop view runs",
        "alter table runs add column x int",
        "attach 'other.db'",
        "detach memory",
        "use memory",
        "install httpfs",
        "load httpfs",
        "force install httpfs",
        "set lock_configuration = false",
        "set enable_external_access = true",
        "reset memory_limit",
        "pragma enable_profiling",
        "call pragma_version()",
        "export database 'stolen'",
        "import database 'stolen'",
        "begin",
        "checkpoint",
        "vacuum",
        "analyze",
        "prepare x as select 1",
        "explain analyze select 1",
        "select 1; select 2",
        "select 1; copy (select 1) to 'stolen.csv'",
        "",
        "   ",
        "-- nothing",
        "-- pivot",
        "create table pivot as select 1",
        "select 'pivot'; copy (select 1) to 'stolen.csv'",
        "selec 1",
    ],
)
def test_whatever_is_no_query_is_refused(store, statement, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(path for path in store.rglob("*"))
    with pytest.raises((assay.ParameterError, assay.InputError), match=r"no query|statement|cannot be|closed to it"):
        asked(store, statement)
    assert list(tmp_path.iterdir()) == []
    assert sorted(path for path in store.rglob("*")) == before


@pytest.mark.parametrize(
    "query",
    [
        "select * from read_text('{file}')",
        "select * from read_csv('{file}')",
        "select * from read_blob('{file}')",
        "select * from read_parquet('{store}/.assay/segments/*.parquet')",
        "select * from glob('{folder}/*')",
        "select * from '{file}'",
        "select * from sniff_csv('{file}')",
        "select * from parquet_metadata('{store}/.assay/segments/x.parquet')",
        "from '{file}'",
        "select getenv('HOME')",
        "select * from duckdb_secrets() where getvariable('x') = 1 or (select count(*) from read_text('{file}')) > 0",
    ],
)
def test_no_file_can_be_read_nor_the_environment(store, query, tmp_path):
    file = tmp_path / "secret.csv"
    file.write_text("a,b\n1,2\n")
    # Nor what Python has under some name.
    with pytest.raises(assay.AssayError, match=r"closed to it|There is no table|cannot be answered"):
        asked(store, query.format(file=file, folder=tmp_path, store=store))


def test_variables_of_python_are_no_tables(store):
    import pyarrow

    mine = pyarrow.table({"a": [1]})
    with pytest.raises(assay.UnknownName, match="There is no table 'mine'"):
        asked(store, "select * from mine")
    assert len(mine) == 1


def test_a_query_that_never_ends_is_stopped(store):
    with pytest.raises(assay.InputError, match=r"longer than 0\.3 s, and was stopped.*--timeout"):
        asked(store, "select count(*) from range(10000000000) a, range(10000000000) b", timeout=0.3)


def test_a_query_that_hears_nothing_is_left_behind_when_its_time_is_up(store, monkeypatch):
    monkeypatch.setattr(sql, "_PATIENCE", 0.0)
    before = set(threading.enumerate())
    # One function at work on one value, in which DuckDB looks for no interrupt.
    with pytest.raises(assay.InputError, match=r"longer than 0\.01 s, and was stopped"):
        asked(store, "select levenshtein(repeat('a', 40000), repeat('b', 40000))", timeout=0.01)
    (left,) = set(threading.enumerate()) - before
    assert left.is_alive()
    left.join()


def test_this_moment_is_in_utc_as_the_times_of_runs_are(store, monkeypatch):
    query = "select now() - max(time) between interval 0 second and interval 1 hour as lately from runs"
    for zone in ("Asia/Tokyo", "America/New_York"):
        with monkeypatch.context() as patch:
            patch.setenv("TZ", zone)
            assert asked(store, query) == [{"lately": True}]
    with pytest.raises(assay.InputError, match=r"time zone cannot be shown.*::timestamp \(UTC\)"):
        asked(store, "select now()")
    assert asked(store, "select now()::timestamp > max(time) as later from runs") == [{"later": True}]


def test_more_rows_than_wanted_are_cut_and_it_is_said(store):
    with pytest.warns(assay.AssayWarning, match=r"the first 3\. --limit"):
        assert len(asked(store, "select * from range(10)", limit=3)) == 3
    assert len(asked(store, "select * from range(10)", limit=10)) == 10


def test_an_unknown_table_is_answered_with_the_nearest_and_an_unknown_column_with_where(store):
    with pytest.raises(assay.UnknownName, match="Did you mean 'segments'"):
        asked(store, "select * from segmens")
    with pytest.raises(assay.InputError, match=r'(?s)"sytem" not found.*"system".*describe NAME'):
        asked(store, "select sytem from segments")


def test_values_of_all_types_are_plain(store):
    query = (
        "select 1.5::decimal(9, 2) as d, date '2026-01-02' as day, interval 1 day as i, [1, null] as l, "
        "{'a': 'b'} as s, 'nan'::double as n, 170141183460469231731687303715884105727::hugeint as h, "
        "'\\x61'::blob as b, true as t, null as o, 1 as t, uuid '0f8fad5b-d9cb-469f-a165-70867728950e' as u"
    )
    (row,) = asked(store, query)
    assert row == {
        "d": 1.5, "day": "2026-01-02", "i": "1 day, 0:00:00", "l": [1, None], "s": {"a": "b"}, "n": None,
        "h": 170141183460469231731687303715884105727, "b": "61", "t": True, "o": None, "t_1": 1,
        "u": "0f8fad5b-d9cb-469f-a165-70867728950e",
    }  # fmt: skip


def test_without_a_query_tables_and_their_columns_are_listed(store):
    result = assay.sql(store=store)
    rows = {row["table"]: row["rows"] for row in result.table()}
    assert {
        "runs": 4,
        "segments": 900,
        "rows": 900,
        "judgements": 1800,
        "texts": 540,
        "external_scores": 0,
    }.items() <= rows.items()
    columns = [row["column"] for row in result.table("columns") if row["table"] == "pairs"]
    assert columns[:7] == ["run", "time", "question", "campaign", "metric", "a", "b"]
    assert asked(store, "show tables") == [{"name": name} for name in sorted(rows)]


def test_of_a_text_that_has_changed_the_last_one_counts(store, tmp_path):
    folder = tmp_path / "changed"
    shutil.copytree(store, folder)
    before = asked(
        folder, "select system, avg(score) as mean from segments where metric = 'chrf' group by system order by system"
    )
    file = folder / "sys.gravel.txt"
    file.write_text(file.read_text().replace("e", "a"))
    # The folder is called otherwise; the campaign is the same by its name.
    folder.rename(tmp_path / "demo-campaign")
    folder = tmp_path / "demo-campaign"
    assay.score(folder, "chrf", samples=0)
    after = asked(
        folder, "select system, avg(score) as mean from segments where metric = 'chrf' group by system order by system"
    )
    assert [row["system"] for row, old in zip(after, before, strict=True) if row != old] == ["gravel"]
    rows = asked(
        folder,
        "select current, count(*) as n from rows where metric = 'chrf' and system = 'gravel' group by all order by all",
    )
    assert rows == [{"current": False, "n": 60}, {"current": True, "n": 60}]
    texts = asked(folder, "select text from texts where side = 'system' and name = 'gravel' order by segment")
    assert [row["text"] for row in texts] == [*assay.read(folder).systems["gravel"]]


def test_of_a_part_of_a_campaign_segments_have_the_numbers_of_the_whole(tmp_path):
    folder = tmp_path / "demo"
    shutil.copytree(CAMPAIGN, folder)
    assay.Store.create(folder)
    campaign = assay.read(folder)
    document = campaign.documents[30]
    assay.meta_evaluate(folder, "chrf", kind="adequacy", where=f"document={document}", samples=20)
    places = [place for place, name in enumerate(campaign.documents) if name == document]
    for table in ("segments", "judgements"):
        rows = asked(folder, f"select distinct segment from {table} order by segment")
        assert [row["segment"] for row in rows] == places, table
    rows = asked(folder, "select segment, text from texts where side = 'source' order by segment")
    assert [row["text"] for row in rows] == [campaign.source[place] for place in places]
    # Once the whole is there, it counts.
    assay.score(folder, "chrf", samples=0)
    assert asked(folder, "select count(*) as n from segments") == [{"n": 300}]
    # A part that was asked of later does not take its place.
    assay.score(folder, "chrf", samples=0, where=f"document={document}")
    assert asked(folder, "select count(*) as n from segments") == [{"n": 300}]
    assert asked(folder, "select count(*) as n from texts where side = 'source'") == [{"n": 60}]


def test_scores_of_other_programs_are_a_table(tmp_path):
    folder = tmp_path / "demo"
    shutil.copytree(CAMPAIGN, folder)
    assay.Store.create(folder)
    lines = [f"compass\t{segment}\t{segment / 4}" for segment in range(60)]
    (folder / "scores.judge.tsv").write_text("\n".join(["system\tsegment\tscore", *lines]) + "\n")
    assay.score(folder, "judge", systems="compass", samples=0)
    rows = asked(folder, "select metric, level, system, segment, score from external_scores order by segment")
    assert rows[3] == {"metric": "judge", "level": "segment", "system": "compass", "segment": 3, "score": 0.75}
    assert asked(folder, "select sum(score) as total from segments where metric = 'judge'") == [
        {"total": sum(range(60)) / 4}
    ]


def test_damaged_files_are_named_and_the_others_answer(store, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(store, folder)
    (path,) = (folder / ".assay" / "runs").glob("*compare*/pairs.parquet")
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.warns(assay.AssayWarning, match=r"1 file that cannot be read.*pairs\.parquet"):
        assert asked(folder, "select * from pairs") == []
    assert len(asked(folder, "select * from scores")) == 30
    file = max((folder / ".assay" / "rows").glob("*/*.parquet"), key=lambda path: path.stat().st_size)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.warns(assay.AssayWarning, match=file.name):
        assert asked(folder, "select count(distinct metric) as n from segments") == [{"n": 2}]


def test_the_query_may_come_from_standard_input(store, monkeypatch, capfd):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("select 6 * 7 as answer\n"))
    assert run(["sql", "-", "--store", str(store), "--format", "tsv"]) == 0
    assert capfd.readouterr().out == "answer\n42\n"
