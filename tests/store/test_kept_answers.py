"""What was asked when, which numbers moved between two answers and why, and whether an answer is still the same."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

import assay
from assay.cli.main import run
from assay.demo import CAMPAIGN

pytest.importorskip("pyarrow")
pytestmark = pytest.mark.filterwarnings("ignore::assay.AssayWarning")


@pytest.fixture
def demo(tmp_path, monkeypatch):
    """The demo campaign with a store, in the folder in which commands are typed."""
    shutil.copytree(CAMPAIGN, tmp_path / "demo")
    assay.Store.create(tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    return Path("demo")


def typed(line, capfd):
    """The exit code of a command, and what it prints."""
    code = run(line.split())
    return code, capfd.readouterr().out


def reasons(result):
    return [(row["what"], row["name"]) for row in result.table("differences")]


# History


def test_history_shows_the_commands_as_they_were_typed(demo, capfd):
    lines = [
        "score demo -m bleu,ter --segments --samples 50",
        "compare demo -m 'bleu(order=2)' --baseline compass --samples 50 --permutations 50 --seed 7",
        "meta demo --kind adequacy -m chrf --where domain=news --samples 20 --refs A,B",
        "study score-distribution demo -m bleu",
        "tune fmean demo --kind adequacy --folds 3",
        "score -r demo/ref.A.txt demo/sys.compass.txt -m bleu --store demo",
    ]
    for line in lines:
        assert run([*line.replace("'", "").split(), "-q"]) == 0
    rows = assay.history(store=demo).table()
    capfd.readouterr()
    assert [row["asked"] for row in rows] == [
        "assay score demo -m bleu,ter --segments --samples 50",
        "assay compare demo -m 'bleu(order=2)' --baseline compass --samples 50 --permutations 50 --seed 7",
        "assay meta demo --kind adequacy -m chrf --samples 20 --refs A,B --where domain=news",
        "assay study score-distribution demo -m bleu",
        "assay tune fmean demo --kind adequacy --folds 3",
        "assay score -r demo/ref.A.txt demo/sys.compass.txt -m bleu",
    ]
    assert [row["question"] for row in rows] == ["score", "compare", "meta", "score-distribution", "tune", "score"]
    assert [row["campaign"] for row in rows][:5] == ["demo"] * 5
    assert sorted(row["time"] for row in rows) == [row["time"] for row in rows]


def test_a_score_from_run_to_run_stands_beside_its_change_and_the_reason(demo):
    first = assay.score(demo, "bleu,ter")
    assay.score(demo, "bleu", samples=0)
    file = demo / "sys.gravel.txt"
    file.write_text(file.read_text().replace("e", "a", 40))
    last = assay.score(demo, "bleu,ter")
    rows = assay.history(metrics="bleu", systems="gravel,compass", store=demo).table()
    assert [(row["system"], row["score"], row["change"]) for row in rows] == [
        *(("compass", first.of("compass", "bleu").score, change) for change in (None, 0.0, 0.0)),
        ("gravel", first.of("gravel", "bleu").score, None),
        ("gravel", first.of("gravel", "bleu").score, 0.0),
        ("gravel", last.of("gravel", "bleu").score, last.of("gravel", "bleu").score - first.of("gravel", "bleu").score),
    ]
    assert [row["because"] for row in rows] == ["", "", "", "", "", "text sys.gravel"]
    assert rows[0]["low"] == first.of("compass", "bleu").low
    assert rows[1]["low"] is None


def test_the_picture_of_a_history_has_a_panel_per_metric_and_a_point_per_run(demo):
    for seed in (1, 2):
        assay.score(demo, "bleu,ter", samples=20, seed=seed)
    result = assay.history(metrics="bleu,ter", systems="gravel", store=demo)
    drawn = json.dumps(result.chart("scores").to_dict())
    scores = {row["score"] for row in result.table()}
    assert len(scores) == 2
    assert all(drawn.count(f'"y": {score}') >= 2 for score in scores)
    assert result.chart("scores").to_bytes("svg").startswith(b"<svg")


def test_runs_are_chosen_by_command_campaign_and_time(demo):
    assay.score(demo, "bleu", samples=0)
    assay.agreement(demo, kind="adequacy", samples=10, splits=2)
    assert [row["question"] for row in assay.history(store=demo, of="score").table()] == ["score"]
    assert len(assay.history(store=demo, campaign="demo", since="2020-01-01").table()) == 2
    assert len(assay.history(store=demo, limit=1).table()) == 1
    for options in ({"of": "compare"}, {"campaign": "other"}, {"since": "2999-01-01"}):
        with pytest.raises(assay.InputError, match="has no runs with"):
            assay.history(store=demo, **options)
    with pytest.raises(assay.ParameterError, match="a day, or a moment"):
        assay.history(store=demo, since="yesterday")
    with pytest.raises(assay.UnknownName, match="metric with scores in these runs"):
        assay.history(store=demo, metrics="chrf")


def test_a_run_of_a_question_that_is_not_installed_any_more_is_listed(demo):
    assay.score(demo, "bleu", samples=0)
    (record,) = (demo / ".assay" / "runs").glob("*/run.json")
    document = json.loads(record.read_text())
    document["result"]["command"] = "gone"
    record.write_text(json.dumps(document))
    assert assay.history(store=demo).table()[0]["asked"] == "assay gone demo"


# Show


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize("ending", ["txt", "json", "tsv", "csv", "md", "tex", "html"])
def test_show_writes_byte_for_byte_what_the_command_wrote(ending):
    assert run(["compare", "demo", "-m", "bleu,chrf", "-q", "--samples", "50", "-o", f"first.{ending}"]) == 0
    assert run(["show", "last", "--store", "demo", "-q", "-o", f"second.{ending}"]) == 0
    assert Path(f"first.{ending}").read_bytes() == Path(f"second.{ending}").read_bytes()
    assert (
        run(["show", "first.json" if ending == "json" else "compare", "--store", "demo", "-q", "-o", f"third.{ending}"])
        == 0
    )
    assert Path(f"first.{ending}").read_bytes() == Path(f"third.{ending}").read_bytes()


def test_a_record_of_every_eval_ever_has_the_time_of_the_run(demo):
    line = "score demo -m bleu --samples 0 --systems compass -q --format every-eval-ever -o"
    assert run([*line.split(), "record.json"]) == 0
    (kept,) = assay.Store(demo).runs()
    moment = datetime.fromisoformat(kept.time).timestamp()
    assert json.loads(Path("record.json").read_text())["evaluation_timestamp"] == f"{moment:.0f}"
    assert run(["show", "last", "--store", "demo", "-q", "--format", "every-eval-ever", "-o", "again.json"]) == 0
    assert Path("again.json").read_bytes() == Path("record.json").read_bytes()


@pytest.mark.usefixtures("demo")
def test_show_breaks_text_at_the_same_width(capfd):
    assert run(["compare", "demo", "-m", "bleu", "-q", "--samples", "50", "--width", "60"]) == 0
    first = capfd.readouterr().out
    assert run(["show", "last", "--store", "demo", "-q", "--width", "60"]) == 0
    assert capfd.readouterr().out == first


def test_runs_are_named_by_parts_by_last_and_by_their_folders(demo):
    for metric in ("bleu", "ter", "chrf"):
        assay.score(demo, metric, samples=0)
    runs = assay.Store(demo).runs()
    assert [run.result.signatures.keys() >= {name} for run, name in zip(runs, ("bleu", "ter", "chrf"), strict=True)]
    for name, wanted in {"last": 2, "last~1": 1, "last~2": 0, runs[1].id[-4:]: 1, str(runs[0].folder): 0}.items():
        assert assay.show(name, store=demo).to_json() == runs[wanted].result.to_json()
    with pytest.raises(assay.ParameterError, match="part of the names of 3 runs"):
        assay.show("score", store=demo)
    with pytest.raises(assay.UnknownName, match="There is no run 'nothing'"):
        assay.show("nothing", store=demo)
    with pytest.raises(assay.UnknownName, match=r"no run 'last~3': .* has 3"):
        assay.show("last~3", store=demo)
    with pytest.raises(assay.InputError, match=r"absent\.json"):
        assay.show("absent.json", store=demo)


# Diff


def test_the_same_answer_twice_is_the_same(demo):
    for _ in range(2):
        assay.compare(demo, "bleu", samples=50, permutations=50)
    result = assay.diff("last~1", "last", store=demo)
    assert result.setup["same"]
    assert reasons(result) == []
    (said,) = result.findings
    assert said.startswith("The same: all ")


def test_numbers_that_moved_stand_with_before_after_and_the_text_that_is_the_reason(demo):
    before = assay.score(demo, "bleu,chrf", samples=0)
    file = demo / "sys.gravel.txt"
    lines = file.read_text().split("\n")
    lines[3], lines[17] = "other words", "and more"
    file.write_text("\n".join(lines))
    after = assay.score(demo, "bleu,chrf", samples=0)
    result = assay.diff("last~1", "last", store=demo)
    moved = {(row["row"], row["column"]): row for row in result.table("numbers") if row["table"] == "scores"}
    assert set(moved) == {("gravel, bleu", "score"), ("gravel, chrf", "score")}
    for metric in ("bleu", "chrf"):
        row, old, new = moved[f"gravel, {metric}", "score"], before.of("gravel", metric), after.of("gravel", metric)
        assert (row["before"], row["after"], row["change"]) == (old.score, new.score, new.score - old.score)
        assert row["because"] == "text sys.gravel"
    (reason,) = result.table("differences")
    assert (reason["what"], reason["name"], reason["more"]) == ("text", "sys.gravel", "2 of 60 segments: 3, 17")
    assert result.findings[-1] == "The reason: text sys.gravel; nothing else differs."


def test_an_option_is_a_reason_for_intervals_and_further_metrics_are_none_for_scores(demo):
    assay.score(demo, "bleu,ter", samples=20)
    assay.score(demo, "bleu", samples=500)
    result = assay.diff("last~1", "last", store=demo)
    assert reasons(result) == [("option", "metrics"), ("option", "samples")]
    assert {row["column"] for row in result.table("numbers")} == {"low", "high"}
    assert {row["because"] for row in result.table("numbers")} == {"option samples"}
    assert {row["only"] for row in result.table("rows")} == {"before"}
    assert {(row["table"], row["rows"]) for row in result.table("alone")} == {("scores", 5), ("parts", 5 * 9)}
    assert "The reason: option samples; nothing else that differs concerns these numbers." in result.findings


def test_other_systems_are_no_reason_for_what_a_system_has_by_itself(demo):
    assay.score(demo, "bleu", samples=20, systems="compass,gravel")
    assay.score(demo, "bleu", samples=20, systems="compass", seed=2)
    result = assay.diff("last~1", "last", store=demo)
    assert reasons(result) == [("option", "systems"), ("option", "seed"), ("text", "sys.gravel")]
    assert {row["because"] for row in result.table("numbers")} == {"option seed"}
    # A further reference is one.
    assay.score(demo, "bleu", samples=0, systems="compass", references="A,B")
    assay.score(demo, "bleu", samples=0, systems="compass", references="A,B,C")
    row = assay.diff("last~1", "last", store=demo).of("compass, bleu", "score")
    assert row.because == "option references; text ref.C"


def test_a_fit_on_the_whole_is_a_reason_if_it_is_another_alone(demo):
    chosen = {"samples": 0, "where": "domain=news"}
    assay.score(demo, "nist,bleu", samples=0)
    assay.score(demo, "nist,bleu", **chosen)
    # What was chosen explains all.
    assert "counting" not in {what for what, _ in reasons(assay.diff("last~1", "last", store=demo))}
    place = (demo / "domains.txt").read_text().split("\n").index("everyday")
    file = demo / "ref.A.txt"
    lines = file.read_text().split("\n")
    lines[place] = "words that nobody has"
    file.write_text("\n".join(lines))
    assay.score(demo, "nist,bleu", **chosen)
    result = assay.diff("last~1", "last", store=demo)
    assert [(row["what"], row["name"], row["more"]) for row in result.table("differences")] == [
        ("counting", "fitted on the whole", "of nist")
    ]
    assert {row["of_metric"] for row in result.table("numbers")} == {"nist"}


def test_judgements_are_a_reason_and_counted(demo):
    options = {"kind": "adequacy", "samples": 20, "permutations": 20}
    assay.meta_evaluate(demo, "bleu", **options)
    file = demo / "human.tsv"
    lines = file.read_text().splitlines()
    place = next(place for place, line in enumerate(lines) if line.endswith("adequacy"))
    cells = lines[place].split("\t")
    cells[4] = "1" if cells[4] != "1" else "2"
    lines[place] = "\t".join(cells)
    file.write_text("\n".join([*lines, lines[place].replace(cells[3], "dora")]) + "\n")
    assay.meta_evaluate(demo, "bleu", **options)
    (reason,) = assay.diff("last~1", "last", store=demo).table("differences")
    assert reason["what"] == "judgements"
    assert reason["more"] == "1 of 1,800 gone, 2 new"


def test_a_mended_metric_and_another_version_are_reasons(demo, monkeypatch):
    assay.score(demo, "bleu,ter", samples=0)
    with monkeypatch.context() as patch:
        patch.setattr(assay.Ter, "rows_version", 99)
        assay.score(demo, "bleu,ter", samples=0)
    result = assay.diff("last~1", "last", store=demo)
    (reason,) = result.table("differences")
    assert (reason["what"], reason["name"], reason["after"], reason["more"]) == (
        "counting", "version of rows", "99", "of ter",
    )  # fmt: skip
    first, second = (run.result for run in assay.Store(demo).runs())
    Path("a.json").write_text(first.to_json())
    Path("b.json").write_text(replace(second, version="0.0.1").to_json())
    assert reasons(assay.diff("a.json", "b.json")) == [("version", "assay")]


def test_two_systems_stand_side_by_side(demo):
    first = assay.score(demo, "bleu", systems="compass", samples=0)
    second = assay.score(demo, "bleu", systems="rosetta", samples=0)
    result = assay.diff("last~1", "last", store=demo)
    row = result.of("rosetta, bleu", "score")
    assert (row.before, row.after) == (first.table()[0]["score"], second.table()[0]["score"])
    assert result.findings[0] == "Side by side: compass and rosetta."
    # Of several systems one says which is which.
    assay.score(demo, "bleu", systems="compass,gravel", samples=0)
    assay.score(demo, "bleu", systems="lantern,gravel", samples=0)
    result = assay.diff("last~1", "last", store=demo, called="compass=lantern")
    assert {row["row"] for row in result.table("numbers") if row["table"] == "scores"} == {"lantern, bleu"}
    with pytest.raises(assay.UnknownName, match=r"no system .* in .* 'nobody'"):
        assay.diff("last~1", "last", store=demo, called="nobody=lantern")
    with pytest.raises(assay.ParameterError, match="takes OLD=NEW"):
        assay.diff("last~1", "last", store=demo, called="compass")


def test_answers_to_different_questions_are_held_together_by_the_tables_of_both(demo):
    assay.score(demo, "bleu", samples=20)
    assay.compare(demo, "bleu", samples=500, permutations=20)
    result = assay.diff("last~1", "last", store=demo)
    assert ("question", "") in reasons(result)
    assert result.setup["tables"] == ["scores"]
    assert {row["column"] for row in result.table("numbers")} == {"low", "high"}
    assay.agreement(demo, kind="adequacy", samples=10, splits=2)
    with pytest.raises(assay.ParameterError, match="nothing to hold together"):
        assay.diff("last~2", "last", store=demo)


def test_sums_in_another_order_are_told_from_changes(demo):
    result = assay.score(demo, "bleu", samples=0)
    rows = [row | {"score": row["score"] * (1 + 1e-13)} for row in result.table("scores")]
    Path("a.json").write_text(result.to_json())
    Path("b.json").write_text(replace(result, tables={**result.tables, "scores": rows}).to_json())
    found = assay.diff("a.json", "b.json")
    assert len(found.table("numbers")) == 5
    assert "less than a billionth" in " ".join(found.findings)


def test_the_picture_of_a_difference_has_both_values_with_intervals(demo):
    assay.score(demo, "bleu", samples=50)
    file = demo / "sys.gravel.txt"
    file.write_text(file.read_text().replace("e", "a", 40))
    assay.score(demo, "bleu", samples=50)
    result = assay.diff("last~1", "last", store=demo)
    drawn = json.dumps(result.chart().to_dict())
    row = result.of("gravel, bleu", "score")
    assert f'"value": {row.before}' in drawn
    assert f'"value": {row.after}' in drawn
    assert '"rosetta"' not in drawn


# Rerun


@pytest.mark.usefixtures("demo")
@pytest.mark.parametrize(
    "line",
    [
        "score demo -m bleu,ter --segments --samples 20 --where domain=news",
        "compare demo -m chrf --samples 20 --permutations 50 --seed 3 --language en",
        "meta demo --kind adequacy,fluency -m bleu --samples 20",
        "agreement demo --kind adequacy --samples 10 --splits 2",
        "study references demo -m fmean --k 1",
        "tune fmean demo --kind adequacy --folds 3 --samples 10",
        "score -r demo/ref.A.txt -r demo/ref.B.txt demo/sys.compass.txt -m chrf --store demo",
        "explain demo -m ter --system compass --segment 4",
        "describe demo",
        "paper lavie2004 demo --kind adequacy",
    ],
)
def test_the_same_question_of_the_same_files_has_the_same_answer(line, capfd, tmp_path, monkeypatch):
    assert run([*line.split(), "-q"]) == 0
    capfd.readouterr()
    # From another folder, too.
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    code, out = typed("rerun last --store ../demo -q", capfd)
    assert (code, out.partition(":")[0]) == (0, "The same")
    # Nothing is kept of it.
    assert len(assay.Store("../demo").runs()) == 1


def test_a_rerun_says_what_differs_and_fails(demo, capfd):
    assay.score(demo, "bleu", samples=0)
    file = demo / "sys.gravel.txt"
    file.write_text(file.read_text().replace("e", "a", 40))
    code, out = typed("rerun last --store demo", capfd)
    assert code == 1
    assert "gravel, bleu" in out
    assert "The reason: text sys.gravel; nothing else differs." in out


def test_a_rerun_names_segments_mended_metrics_and_libraries(demo, monkeypatch):
    assay.score(demo, "ter", samples=0)
    (kept,) = assay.Store(demo).runs()
    record = json.loads((kept.folder / "run.json").read_text())
    record["versions"]["numpy"] = "1.0"
    (kept.folder / "run.json").write_text(json.dumps(record))
    file = demo / "sys.gravel.txt"
    lines = file.read_text().split("\n")
    lines[3] = "other words"
    file.write_text("\n".join(lines))
    monkeypatch.setattr(assay.Ter, "rows_version", 99)
    result = assay.rerun("last", store=demo)
    assert [(row["what"], row["name"], row["more"]) for row in result.table("differences")] == [
        ("text", "sys.gravel", "1 of 60 segments: 3"),
        ("counting", "version of rows", "of ter"),
        ("version", "numpy", ""),
    ]
    assert (result.setup["before"], result.setup["after"]) == (kept.id, "score")
    assert len(assay.Store(demo).runs()) == 1


def test_a_campaign_that_was_moved_is_found_by_its_store_or_by_name(demo, capfd):
    assay.score(demo, "bleu", samples=0)
    demo.rename("moved")
    assert typed("rerun last --store moved", capfd)[0] == 0
    # A store of its own does not say where the campaign is.
    Path("moved/.assay").rename("apart")
    assert run(["rerun", "last", "--store", "apart"]) == 2
    assert "was asked of demo in" in capfd.readouterr().err
    assert typed("rerun last --store apart --campaign moved", capfd)[0] == 0


def test_what_was_asked_in_memory_or_of_standard_input_needs_a_campaign(demo):
    assay.score(assay.read(demo), "bleu", samples=0, store=demo)
    with pytest.raises(assay.InputError, match=r"texts in memory.*--campaign CAMPAIGN"):
        assay.rerun("last", store=demo)
    assert assay.rerun("last", store=demo, campaign=demo).setup["same"]
    Path("a.json").write_text(assay.show("last", store=demo).to_json())
    with pytest.raises(assay.ParameterError, match="a result file, which does not say"):
        assay.rerun("a.json")


@pytest.mark.usefixtures("demo")
def test_a_model_is_not_saved_again_when_learning_is_repeated(capfd):
    pytest.importorskip("sklearn")
    line = "learn demo --features bleu,wer --kind adequacy --model ridge --task regression --folds 3 --samples 10"
    assert run([*line.split(), "--save", "model.json", "-q"]) == 0
    capfd.readouterr()
    before = Path("model.json").stat().st_mtime_ns
    code, out = typed("rerun last --store demo", capfd)
    assert (code, out.partition(":")[0]) == (0, "The same")
    assert Path("model.json").stat().st_mtime_ns == before
