"""Which learner is run on which features for which task: all that the tables need, and nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.learned.training.registry import PREFERENCE, UNTRAINED, learner
from assay.learned.trials.cross_validation import HeldOut, Run
from assay.learned.trials.folds import Folds
from assay.learned.trials.tasks import Task

ALL_FEATURES = "all"
WITHOUT = "without "

Key = tuple[str, str, str, str]


@dataclass(eq=False)
class Plan:
    """Runs by what they are; a run that two tables need is there once."""

    names: tuple[str, ...]
    folds: Folds
    runs: dict[Key, Run] = field(default_factory=dict)

    def add(
        self,
        task: Task,
        model: str,
        features: str = ALL_FEATURES,
        *,
        folds: Folds | None = None,
        shuffled: bool = False,
    ) -> None:
        """Ask for a run, unless it is there."""
        run = Run(task, learner(model), features, self._columns(features), folds or self.folds, shuffled)
        self.runs.setdefault(run.key, run)

    def _columns(self, features: str) -> tuple[int, ...]:
        if features == ALL_FEATURES:
            return tuple(range(len(self.names)))
        if features in self.names:
            return (self.names.index(features),)
        left_out = features.removeprefix(WITHOUT)
        return tuple(place for place, name in enumerate(self.names) if name != left_out)


@dataclass(frozen=True)
class Wanted:
    """What is to be measured beside the models themselves."""

    models: tuple[str, ...]
    #: Each feature alone, from which the best single one is chosen.
    alone: bool = True
    #: Each feature left out.
    left_out: bool = True

    @property
    def ablated(self) -> str:
        """The model whose features are taken one by one: the tree, as in the paper, if it is there."""
        return "tree" if "tree" in self.models else self.models[0]


def single_models(task: Task, wanted: Wanted) -> tuple[str, ...]:
    """Learners that a single feature is given to, of which the best inside the training part stands for it."""
    if task.kind == "classes":
        return tuple(dict.fromkeys((wanted.ablated, "ordinal")))
    return ("ridge",) if task.kind == "scores" else (PREFERENCE,)


def contestants(task: Task, models: Sequence[str]) -> list[str]:
    """Models that answer a task with all features, combinations without training among them."""
    if task.kind == "pairs":
        return [*UNTRAINED, PREFERENCE, *models]
    return [*UNTRAINED, *(name for name in models if task.kind in learner(name).tasks)]


def plan_of(
    tasks: Sequence[Task],
    wanted: Wanted,
    names: tuple[str, ...],
    folds: Folds,
    *,
    random: Folds | None = None,
    scorers: Sequence[Task] = (),
) -> Plan:
    """All runs for the tasks that were asked for; ``scorers`` are further ones that decide pairs: see ``scored_by``.

    What is measured of the first task alone: leaving features out and shuffling them, if it has classes, and
    ``random`` folds, if it is not about pairs. They would tear pairs apart, so that the two halves of one would be
    scored by different models, each of which has seen the judgement of the other half.
    """
    plan = Plan(names, folds)
    by_name = {task.name: task for task in (*tasks, *scorers)}
    first = tasks[0]
    graded = first if first.kind == "classes" else None
    for task in tasks:
        for name in contestants(task, wanted.models):
            via = by_name[scored_by(task, name)]
            plan.add(via, name, shuffled=via is graded and name in wanted.models)
        if wanted.alone:
            for name in single_models(task, wanted):
                for feature in names:
                    plan.add(task, name, feature)
    if wanted.left_out and graded is not None and len(names) > 1:
        for feature in names:
            plan.add(graded, wanted.ablated, WITHOUT + feature)
    if random is not None and first.kind != "pairs":
        for name in contestants(first, wanted.models):
            if name in wanted.models:
                plan.add(first, name, folds=random)
    return plan


def scored_by(task: Task, model: str) -> str:
    """The task whose predictions a model answers with: of two translations the one with the higher score is better."""
    if task.kind != "pairs" or model == PREFERENCE:
        return task.name
    return "grades" if model == "ordinal" else "regression"


Found = dict[Key, HeldOut]
