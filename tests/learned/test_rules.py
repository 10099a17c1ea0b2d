"""A tree as rules: conditions that lead to a leaf, and the translations that it is about."""

import numpy as np
import pytest

import assay
from assay.learned import pictures
from assay.learned.model import Classes
from assay.learned.rules import branches_of, rules_of
from assay.learned.trees import Tree, TreeGrader, TreeRegressor
from learned.small_models import SHARES, THREE, tree
from learned.taught import taught
from results.drawn import is_drawn, texts, values

NAMES = ("f1", "wer")
#: F1 and WER of six translations, and their grades.
VALUES = np.array([[100.0, 0.0], [60.0, 50.0], [20.0, 90.0], [40.0, 60.0], [80.0, 25.0], [70.0, 26.0]])
GRADES = np.array([2, 1, 0, 1, 1, 2])


def grader():
    return TreeGrader(tree(SHARES), THREE, inputs=2)


def test_a_rule_is_the_way_to_a_leaf_and_counts_what_arrives_there():
    rules = rules_of(branches_of(grader(), NAMES, VALUES, GRADES))
    # 20 and 40 are up to 40; of the others 0 and 25 are up to 25, and 50 and 26 are not.
    assert [(rule["rule"], rule["conditions"], rule["translations"]) for rule in rules] == [
        (1, "f1 <= 40", 2),
        (2, "f1 > 40 and wer <= 25", 2),
        (3, "f1 > 40 and wer > 25", 2),
    ]
    # The leaves' largest shares: 0.8 of bad, 0.75 of good, 0.5 of fair.
    assert [rule["prediction"] for rule in rules] == ["bad", "good", "fair"]
    assert [[rule[f"count_{name}"] for name in THREE.names] for rule in rules] == [[1, 1, 0], [0, 1, 1], [0, 1, 1]]
    assert [rule["right"] for rule in rules] == [0.5, 0.5, 0.5]
    # A rule is right of those that have its own grade, not of those that have the most frequent one.
    others = rules_of(branches_of(grader(), NAMES, VALUES, np.array([2, 1, 1, 1, 2, 2])))
    assert [rule["right"] for rule in others] == [0.0, 1.0, 0.5]


def test_bounds_of_one_feature_are_said_once():
    deep = Tree(
        feature=np.array([0, -1, 0, 0, -1, -1, -1]),
        threshold=np.array([10.0, 0.0, 50.0, 20.0, 0.0, 0.0, 0.0]),
        left=np.array([1, -1, 3, 4, -1, -1, -1]),
        right=np.array([2, -1, 6, 5, -1, -1, -1]),
        values=np.array([[0.0], [1.0], [0.0], [0.0], [2.0], [3.0], [4.0]]),
    )
    found = rules_of(
        branches_of(TreeRegressor(deep, inputs=1), ["f1"], np.array([[15.0], [30.0]]), np.array([1.0, 5.0]))
    )
    assert [rule["conditions"] for rule in found] == ["f1 <= 10", "10 < f1 <= 20", "20 < f1 <= 50", "f1 > 50"]
    assert [(rule["prediction"], rule["translations"], rule["mean"]) for rule in found] == [
        (1.0, 0, None), (2.0, 1, 1.0), (3.0, 1, 5.0), (4.0, 0, None),
    ]  # fmt: skip


def test_a_tree_without_a_split_is_one_rule():
    alone = Tree(*(np.array([value]) for value in (-1, 0.0, -1, -1)), values=np.array([[0.25, 0.75]]))
    found = rules_of(
        branches_of(TreeGrader(alone, Classes(("<3", ">=3"), (0.0, 1.0)), inputs=2), NAMES, VALUES, GRADES % 2)
    )
    assert [(rule["conditions"], rule["prediction"], rule["count_<3"], rule["count_>=3"]) for rule in found] == [
        ("always", ">=3", 3, 3)
    ]


def test_rules_are_those_of_scikit_learn():
    sklearn = pytest.importorskip("sklearn.tree")
    campaign, scores = taught(120)
    found = assay.learn(campaign, "scores", scores=scores, tasks="grades", models="tree", grades=3, samples=0, folds=3)
    made = found.made
    fitted = sklearn.DecisionTreeClassifier(
        min_samples_leaf=5,
        max_leaf_nodes=128,
        ccp_alpha=made.fitted(made.tasks[0], "tree").chosen["price"],
        random_state=1,
    ).fit(made.examples.table.values.astype(np.float32), made.tasks[0].target)
    leaf = fitted.apply(made.examples.table.values.astype(np.float32))
    # Leaves in the order of the tree, the way up to a threshold first: how many of each grade are in them.
    wanted, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if fitted.tree_.children_left[node] < 0:
            wanted.append(np.bincount(made.tasks[0].target[leaf == node], minlength=3).tolist())
        else:
            waiting += [fitted.tree_.children_right[node], fitted.tree_.children_left[node]]
    rules = found.table("rules")
    assert len(rules) > 2
    assert [[rule["count_1"], rule["count_2"], rule["count_3"]] for rule in rules] == wanted
    assert sum(rule["translations"] for rule in rules) == len(made.examples)
    # What is saved says the same.
    shares = made.predictor("tree").probabilities(made.examples.table)
    assert sorted({tuple(np.round(row, 9)) for row in shares.tolist()}) == sorted(
        {tuple(np.round(np.array(counts) / sum(counts), 9)) for counts in wanted}
    )


def test_rules_are_printed_where_the_tree_alone_learns_and_kept_where_it_is_among_others():
    campaign, scores = taught(40, 3)
    options = {"scores": scores, "tasks": "grades,regression", "grades": 2, "samples": 0, "folds": 2, "left_out": False}
    alone = assay.learn(campaign, "scores", models="tree", **options)
    assert [view.title for view in alone.views if view.table == "rules"] == [
        "The tree for grades as rules", "The tree for regression as rules",
    ]  # fmt: skip
    beside = assay.learn(campaign, "scores", models="tree,ridge", **options)
    assert beside.table("rules") == alone.table("rules")
    assert not [view for view in beside.views if view.table == "rules"]
    without = assay.learn(campaign, "scores", models="ridge", **options)
    assert without.table("rules") == []
    assert [figure.name for figure in without.figures] == ["learnt"]


def test_the_picture_has_every_branch_and_a_bar_at_each_leaf():
    pytest.importorskip("vl_convert")
    figure = pictures.tree(branches_of(grader(), NAMES, VALUES, GRADES), task="grades", said="six")
    assert is_drawn(figure)
    words = texts(figure.spec)
    for text in ("all 6", "f1 <= 40", "f1 > 40", "wer <= 25", "wer > 25", "bad: 2, 50 % right", "good: 2, 50 % right"):
        assert text in words
    bars = values(figure.spec["vconcat"][1], "rect")
    # A bar is 110 wide, and each of the two translations at a leaf half of it.
    assert {round(row["to"] - row["x"]) for row in bars} == {55}
    assert len(bars) == 6


def test_of_a_large_tree_branches_are_cut_off_and_counted():
    # A comb: each node sends one leaf off and goes on with the rest.
    rows = [{"node": 0, "parent": None, "condition": "", "leaf": False, "prediction": "1", "translations": 99}]
    for place in range(30):
        last = 2 * place
        one = {"parent": last, "translations": 1}
        rows += [
            {"node": last + 1, "condition": "a", "leaf": True, "prediction": "1"} | one,
            {
                "node": last + 2,
                "parent": last,
                "condition": "b",
                "leaf": place == 29,
                "prediction": "2",
                "translations": 1,
            },
        ]
    shown = pictures._cut(rows)
    ends = [row for row in shown if not any(other["parent"] == row["node"] for other in shown)]
    assert len(ends) == 24
    # 23 single leaves are drawn, and 31 there are.
    assert ends[-1]["said"] == "2: 1 (8 leaves behind it)"
