"""Paul, Finch and Sumita (2007), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from assay.questions.base import Question
from assay.questions.learn import Learn
from assay.questions.papers.base import Exhibit, Here, Paper, Tables, Verdict, cell, pairs
from assay.questions.studies.base import different, those
from assay.results.result import Column, Table

_NAME = "paul2007"
_MAJORITY, _PROPOSED, _RANDOM = "majority", "all features", "all features, random folds"
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


def _percent(row: Mapping[str, Any], **names: str) -> dict[str, Any]:
    """Numbers of a row in per cent, under these names."""
    return {name: None if row.get(own) is None else 100.0 * row[own] for name, own in names.items()}


def _results(tables: Tables, name: str, **cells: Any) -> Table:
    """The results with these cells, in per cent, with what the paper calls their task; ``name`` is the value's."""
    _, tasks = _names(tables)
    return [
        {"task": tasks.get(row["task"], row["task"]), **_percent(row, **{name: "value", "low": "low", "high": "high"})}
        for row in those(tables["results"], **cells)
    ]


def _shares(tables: Tables) -> Table:
    names, _ = _names(tables)
    return [
        {"grade": names[row["grade"]], "own": row["grade"], **_percent(row, share="share")} for row in tables["grades"]
    ]


def _accuracies(*, splits: bool) -> Callable[[Tables], Table]:
    """Accuracy of the most frequent class, and of the tree with all features, task by task.

    Where folds keep documents together, those of the paper, which tear them apart, are a row of their own.
    """

    def rows(tables: Tables) -> Table:
        tree, group = {"model": "tree", "features": "all"}, tables["results"][0]["group"]
        models = {_MAJORITY: {"model": "majority"}, _PROPOSED: tree | {"group": group}}
        models |= {} if group == "none" else {_RANDOM: tree | {"group": "none"}}
        return [
            row | {"features": shown}
            for task in different(tables["results"], "task")
            if (task != "grades") == splits
            for shown, cells in models.items()
            for row in _results(tables, "accuracy", task=task, statistic="accuracy", **cells)
        ]

    return rows


def _gains(rows: Table) -> Verdict:
    up = [tree - base for base, tree in pairs(rows, "accuracy", "features", (_MAJORITY, _PROPOSED), "task")]
    if not up:
        return None, "Nothing was learnt."
    reach = f"{min(up):+.1f}" if len(up) == 1 else f"{min(up):+.1f} to {max(up):+.1f}"
    return min(up) > 0, f"The tree gains {reach} points over the most frequent class."


def _table_6(tables: Tables) -> Table:
    names, _ = _names(tables)
    tree = {"model": "tree", "task": "grades", "features": "all"}
    return [
        row | {"grade": name}
        for grade, name in names.items()
        for row in _results(tables, "recall", **tree, statistic=f"accuracy-grade-{grade}")
    ]


def _extremes(rows: Table) -> Verdict:
    values = [row["recall"] for row in rows if row["recall"] is not None]
    if len(values) < 3:
        return None, "There are fewer than three grades."
    ends, middle = min(values[0], values[-1]), max(values[1:-1])
    said = f"The best and the worst grade are recognised in {ends:.1f} % or more, those between in"
    return ends > middle, f"{said} {middle:.1f} % at most."


def _table_8(tables: Tables) -> Table:
    numbers = [f"{way}{end}" for way in ("alone", "left_out") for end in ("", "_low", "_high")]
    return [
        {"feature": row["name"], **_percent(row, **{name: name for name in numbers})}
        for row in tables["features"]
        if row.get("task", "grades") == "grades"
    ]


def _meteor_first(rows: Table) -> Verdict:
    able, left = ([row for row in rows if row[name] is not None] for name in ("alone", "left_out"))
    if not able:
        return None, "No feature was tried alone."
    best = max(able, key=lambda row: row["alone"])
    said = f"{best['feature']} is best alone ({best['alone']:.1f} %)"
    if not left:
        return best["feature"] == "meteor", f"{said}; none was left out."
    least = min(left, key=lambda row: row["left_out"])
    said += f", and {least['feature']} costs most when left out ({least['left_out']:.1f} %)."
    return best["feature"] == least["feature"] == "meteor", said


def _table_9(tables: Tables) -> Table:
    tree = {"model": "tree", "features": "all"}
    honest = _results(tables, "honest", **tree, statistic="gain-over-best-single-tree")
    return [
        row | {"honest": cell(honest, "honest", task=row["task"])}
        for row in _results(tables, "gain", **tree, statistic="gain-over-best-single-in-hindsight")
    ]


def _combination_helps(rows: Table) -> Verdict:
    gains = [row["gain"] for row in rows if row["gain"] is not None]
    if not gains:
        return None, "No single feature was tried."
    up = sum(gain > 0 for gain in gains)
    said = f"All features together gain in {up} of {len(gains)} tasks, {max(gains):+.1f} points at most."
    return up == len(gains), said


def _seen(rows: Table) -> Verdict:
    said = "; ".join(f"grade {row['grade']} {row['share']:.1f} %" for row in rows) + "."
    if any(row["own"] != row["grade"] for row in rows):
        # Pictures of what was learnt have the campaign's own grades.
        own, paper = (f"{rows[0][name]} to {rows[-1][name]}" for name in ("own", "grade"))
        said += f" What is {own} in the pictures of learn is {paper} beside the paper."
    return None, said


EXHIBITS = (
    Exhibit(
        _NAME, "Table 3", "page 2", "How people graded",
        "Very good and very bad translations are the most frequent.",
        _learn, _shares, (Column("grade"),), (Column("share", "share %", ".1f"),), _seen,
    ),
    Exhibit(
        _NAME, "Table 5", "page 3", "Accuracy of all grades at once",
        "The tree gains 24 to 33 points over the baseline.",
        _learn, _accuracies(splits=False), (Column("features", "by"),), (_ACCURACY,), _gains,
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
        _learn, _accuracies(splits=True), (Column("task"), Column("features", "by")), (_ACCURACY,), _gains,
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
