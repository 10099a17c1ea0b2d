"""Every example predicted once by a model that never saw its group: which learner runs on which features for what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from assay.arrays import Array, Codes
from assay.learned.folds import Folds
from assay.learned.learners import learner
from assay.learned.model import Grader
from assay.learned.tasks import Examples, Task, ablated
from assay.learned.training import Learner, Targets, Trained, TrainingSet, one_thread
from assay.scoring.evaluate import Progress
from assay.significance.draws import stream

#: What the features of a run are called together, beside the name of one.
ALL_FEATURES, WITHOUT = "all", "without "
#: How often a feature is shuffled among the held-out examples to see what that costs.
_SHUFFLES = 5
#: Training parts that are remembered at a time: runs on the same part follow each other.
_REMEMBERED = 8

#: What a model predicts in one fold, how it was trained, and what shuffling features costs.
_Part = tuple[Array, Trained, Array | None]
#: Model, task, features, and what the folds keep together.
Key = tuple[str, str, str, str]


@dataclass(frozen=True, eq=False)
class _Run:
    """A learner on some of the features, for a task, on certain folds."""

    task: Task = field(repr=False)
    learner: Learner
    features: str
    columns: list[int]
    folds: Folds = field(repr=False)
    #: Whether to shuffle each feature and see what that costs.
    shuffled: bool = False

    @property
    def key(self) -> Key:
        """What it is; two of one key are the same."""
        return self.learner.name, self.task.name, self.features, self.folds.group


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What was predicted for each example: probabilities of classes, or a score."""

    outputs: Array
    #: How good the models were on their own inner folds, one number per fold.
    inside: Array
    #: What was chosen inside each training part.
    chosen: list[Mapping[str, float]]
    #: For each example and feature the share of shuffles that turned a right answer wrong, less those that turned a
    #: wrong one right.
    costs: Array | None


def planned_runs(
    tasks: Sequence[Task],
    scorers: Sequence[Task],
    models: Sequence[str],
    names: Sequence[str],
    folds: Folds,
    *,
    left_out: bool,
    random: Folds | None = None,
) -> Iterable[_Run]:
    """All runs for the tasks that were asked for, none twice; ``scorers`` are further tasks that decide pairs.

    What is measured of the first task alone: leaving features out and shuffling them, if it has classes, and
    ``random`` folds, if it is not about pairs. They would tear pairs apart, so that the two halves of one would be
    scored by different models, each of which has seen the judgement of the other half.
    """
    every, first = list(range(len(names))), tasks[0]
    by_name = {task.name: task for task in (*tasks, *scorers)}
    runs = []
    for task in tasks:
        for name in task.contestants(models):
            via = by_name[task.scored_by(name)]
            shuffled = via is first and via.kind == "classes" and name in models
            runs.append(_Run(via, learner(name), ALL_FEATURES, every, folds, shuffled))
        for name in task.single_models(models):
            runs += [_Run(task, learner(name), feature, [place], folds) for place, feature in enumerate(names)]
    if left_out and first.kind == "classes" and len(names) > 1:
        for place, feature in enumerate(names):
            others = [column for column in every if column != place]
            runs.append(_Run(first, learner(ablated(models)), WITHOUT + feature, others, folds))
    if random is not None and first.kind != "pairs":
        able = [name for name in first.contestants(models) if name in models]
        runs += [_Run(first, learner(name), ALL_FEATURES, every, random) for name in able]
    # The first of each key.
    return {run.key: run for run in reversed(runs)}.values()


def cross_validate(
    runs: Iterable[_Run], examples: Examples, *, seed: int, threads: int, progress: Progress | None = None
) -> dict[Key, HeldOut]:
    """All folds of all runs, side by side; the result does not depend on how many at a time."""
    jobs = [(run, fold) for run in runs for fold in range(len(run.folds))]
    # Those that train on the same examples for the same task after each other.
    jobs.sort(key=lambda job: (job[0].task.name, job[0].folds.group, job[1]))

    @lru_cache(_REMEMBERED)
    def targets_of(task: Task, folds: Folds, fold: int) -> tuple[Targets, Targets]:
        whole = task.targets(examples, folds.groups, seed)
        return whole.only(folds.training(fold)), whole.only(folds.tested(fold))

    def work(job: tuple[_Run, int]) -> _Part:
        run, fold = job
        return _fold(run, fold, targets_of(run.task, run.folds, fold), examples, seed + fold)

    parts: dict[_Run, list[_Part]] = {}
    with one_thread() as join, ThreadPoolExecutor(threads, initializer=join) as pool:
        for done, part in enumerate(pool.map(work, jobs), start=1):
            parts.setdefault(jobs[done - 1][0], []).append(part)
            if progress is not None:
                progress(done / len(jobs))
    return {run.key: _joined(run, of_folds) for run, of_folds in parts.items()}


def _fold(run: _Run, fold: int, parts: tuple[Targets, Targets], examples: Examples, seed: int) -> _Part:
    tested, (training, held) = run.folds.tested(fold), parts
    values = examples.table.values[:, run.columns]
    better = tuple(examples.better[column] for column in run.columns)
    trained = run.learner.fit(TrainingSet(np.ascontiguousarray(values[~tested]), training, better))
    shown, model = np.ascontiguousarray(values[tested]), trained.model
    if not isinstance(model, Grader):
        return model.score(shown), trained, None
    return model.probabilities(shown), trained, _costs(model, shown, held.target, seed) if run.shuffled else None


def _costs(model: Grader, values: Array, grades: Codes, seed: int) -> Array:
    """What shuffling each feature among the held-out examples does to right answers."""
    generator = stream(seed, "shuffled features")
    right = (model.grades(values) == grades).astype(np.float64)
    costs = np.zeros(values.shape)
    for column in range(values.shape[1]):
        mixed = np.tile(values, (_SHUFFLES, 1))
        mixed[:, column] = np.concatenate(
            [values[generator.permutation(len(values)), column] for _ in range(_SHUFFLES)]
        )
        for answers in np.split(model.grades(mixed), _SHUFFLES):
            costs[:, column] += right - (answers == grades)
    return costs / _SHUFFLES


def _joined(run: _Run, parts: Sequence[_Part]) -> HeldOut:
    """The folds of a run put together, every example in its place."""
    outputs, trained, costs = zip(*parts, strict=True)
    place = np.argsort(np.argsort(run.folds.fold, kind="stable"))
    inside, chosen = np.array([one.inside for one in trained]), [one.chosen for one in trained]
    joined = np.concatenate(costs)[place] if run.shuffled else None
    return HeldOut(np.concatenate(outputs)[place], inside, chosen, joined)
