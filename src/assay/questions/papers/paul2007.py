"""Paul, Finch and Sumita (2007), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from assay.questions.base import Question
from assay.questions.learn import Learn
from assay.questions.papers.base import Exhibit, Here, Paper, Tables, Verdict, cell
from assay.results.result import Column, Table

_NAME = "paul2007"
_MAJORITY, _PROPOSED = "majority", "all features"
#: The paper's grades and tasks, best first; those of a campaign with as many grades stand beside them.
_GRADES = ("4", "3", "2", "1", "0")
_SPLITS = ("4_3210", "43_210", "432_10", "4321_0")
_ALL = "43210"
_ACCURACY = Column("accuracy", "accuracy %", ".1f", low="low", high="high")


def _learn(paper: Paper, here: Here) -> Question:
    learn = Learn(kind=here.apart, models=("tree",), tasks=("grades", "splits"))
    return learn if paper.samples is None else replace(learn, samples=paper.samples)


def _names(tables: Tables) -> tuple[dict[str, str], dict[str, str]]:
    """What the paper calls the grades of a campaign, and its tasks; where there are not five, their own names."""
    grades = [row["grade"] for row in tables["grades"]]
    if len(grades) != len(_GRADES):
        return {grade: grade for grade in grades}, {}
    splits = dict(zip((f"grade>={grade}" for grade in grades), _SPLITS, strict=False))
    return dict(zip(grades, _GRADES, strict=True)), splits | {"grades": _ALL}


def _result(tables: Tables, **cells: Any) -> dict[str, Any] | None:
    """A row of the results, in per cent."""
    row = next((row for row in tables["results"] if cells.items() <= row.items()), None)
    return None if row is None else {name: _percent(row[name]) for name in ("value", "low", "high")}


def _percent(value: float | None) -> float | None:
    return None if value is None else 100.0 * value


def _shares(tables: Tables) -> Table:
    names, _ = _names(tables)
    return [{"grade": names[row["grade"]], "share": _percent(row["share"])} for row in tables["grades"]]


def _accuracies(tables: Tables, tasks: Mapping[str, str]) -> Table:
    """Accuracy of the most frequent class, and of the tree with all features."""
    rows: Table = []
    for task, name in tasks.items():
        for shown, model in ((_MAJORITY, "majority"), (_PROPOSED, "tree")):
            features = {} if model == "majority" else {"features": "all"}
            found = _result(tables, model=model, task=task, statistic="accuracy", **features)
            if found is not None:
                ends = {"low": found["low"], "high": found["high"]}
                rows.append({"task": name, "features": shown, "accuracy": found["value"], **ends})
    return rows


def _table_5(tables: Tables) -> Table:
    return _accuracies(tables, {"grades": _ALL})


def _table_7(tables: Tables) -> Table:
    _, tasks = _names(tables)
    split = dict.fromkeys(row["task"] for row in tables["results"] if str(row["task"]).startswith("grade>="))
    return _accuracies(tables, {task: tasks.get(task, task) for task in split})


def _gains(rows: Table) -> Verdict:
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    pairs = [[cell(rows, "accuracy", task=task, features=name) for name in (_MAJORITY, _PROPOSED)] for task in tasks]
    able = [(base, tree) for base, tree in pairs if base is not None and tree is not None]
    if not able:
        return None, "Nothing was learnt."
    up = [tree - base for base, tree in able]
    reach = f"{min(up):+.1f}" if len(up) == 1 else f"{min(up):+.1f} to {max(up):+.1f}"
    return min(up) > 0, f"The tree gains {reach} points over the most frequent class."


def _table_6(tables: Tables) -> Table:
    names, _ = _names(tables)
    rows: Table = []
    for grade, name in names.items():
        found = _result(tables, model="tree", task="grades", features="all", statistic=f"accuracy-grade-{grade}")
        if found is not None:
            rows.append({"grade": name, "recall": found["value"], "low": found["low"], "high": found["high"]})
    return rows


def _extremes(rows: Table) -> Verdict:
    values = [row["recall"] for row in rows if row["recall"] is not None]
    if len(values) < 3:
        return None, "There are fewer than three grades."
    ends, middle = min(values[0], values[-1]), max(values[1:-1])
    said = (
        f"The best and the worst grade are recognised in {ends:.1f} % or more, those between in {middle:.1f} % at most."
    )
    return ends > middle, said


def _table_8(tables: Tables) -> Table:
    numbers = ("alone", "alone_low", "alone_high", "left_out", "left_out_low", "left_out_high")
    return [
        {"feature": row["name"], **{name: _percent(row.get(name)) for name in numbers}}
        for row in tables["features"]
        if row.get("task", "grades") == "grades"
    ]


def _meteor_first(rows: Table) -> Verdict:
    able = [row for row in rows if row["alone"] is not None]
    if not able:
        return None, "No feature was tried alone."
    best = max(able, key=lambda row: row["alone"])
    left = [row for row in rows if row["left_out"] is not None]
    said = f"{best['feature']} is best alone ({best['alone']:.1f} %)"
    if not left:
        return best["feature"] == "meteor", f"{said}; none was left out."
    least = min(left, key=lambda row: row["left_out"])
    said += f", and {least['feature']} costs most when left out ({least['left_out']:.1f} %)."
    return best["feature"] == least["feature"] == "meteor", said


def _table_9(tables: Tables) -> Table:
    _, tasks = _names(tables)
    rows: Table = []
    for task in dict.fromkeys(row["task"] for row in tables["results"]):
        bar = _result(tables, model="tree", task=task, features="all", statistic="gain-over-best-single-in-hindsight")
        honest = _result(tables, model="tree", task=task, features="all", statistic="gain-over-best-single-tree")
        if bar is not None:
            row = {"task": tasks.get(task, task), "gain": bar["value"], "low": bar["low"], "high": bar["high"]}
            rows.append(row | {"honest": None if honest is None else honest["value"]})
    return rows


def _combination_helps(rows: Table) -> Verdict:
    gains = [row["gain"] for row in rows if row["gain"] is not None]
    if not gains:
        return None, "No single feature was tried."
    up = sum(gain > 0 for gain in gains)
    return up == len(
        gains
    ), f"All features together gain in {up} of {len(gains)} tasks, {max(gains):+.1f} points at most."


def _seen(rows: Table) -> Verdict:
    return None, "; ".join(f"grade {row['grade']} {row['share']:.1f} %" for row in rows) + "."


EXHIBITS = (
    Exhibit(
        _NAME, "Table 3", "page 2", "How people graded",
        "Very good and very bad translations are the most frequent.",
        _learn, _shares, (Column("grade"),), (Column("share", "share %", ".1f"),), _seen,
    ),
    Exhibit(
        _NAME, "Table 5", "page 3", "Accuracy of all grades at once",
        "The tree gains 24 to 33 points over the baseline.",
        _learn, _table_5, (Column("features", "by"),), (_ACCURACY,), _gains,
    ),
    Exhibit(
        _NAME, "Table 6", "page 3", "Share of each grade that was recognised",
        "Accuracy is very high for the best and the worst grade, and reduced for all between.",
        _learn, _table_6, (Column("grade"),),
        (Column("recall", "recognised %", ".1f", low="low", high="high"),), _extremes,
    ),
    Exhibit(
        _NAME, "Table 7", "page 3", "Accuracy of whether a grade is reached",
        "The tree beats the baseline for all splits.",
        _learn, _table_7, (Column("task"), Column("features", "by")), (_ACCURACY,), _gains,
    ),
    Exhibit(
        _NAME, "Table 8", "page 4", "Each feature alone, and all without it",
        "METEOR is the most discriminative and the most contributive feature for acceptability and adequacy.",
        _learn, _table_8, (Column("feature"),),
        (
            Column("alone", "alone %", ".1f", low="alone_low", high="alone_high"),
            Column("left_out", "left out %", ".1f", low="left_out_low", high="left_out_high"),
        ),
        _meteor_first,
    ),
    Exhibit(
        _NAME, "Table 9", "page 4", "Gain over the best single feature, in points",
        "All features together beat the best single one in every task.",
        _learn, _table_9, (Column("task"),),
        (
            Column("gain", "over the best of Table 8", "+.1f", low="low", high="high"),
            Column("honest", "over one chosen inside folds", "+.1f"),
        ),
        _combination_helps,
    ),
)  # fmt: skip
