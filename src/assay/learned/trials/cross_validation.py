"""Every example predicted once by a model that never saw its group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np

from assay.errors import InputError
from assay.learned.models.base import Grader, Model
from assay.learned.training.lesson import Learner, Learnt, Lesson
from assay.learned.training.scikit import OneThread
from assay.learned.trials.examples import Array, Codes, Examples
from assay.learned.trials.folds import Folds
from assay.learned.trials.tasks import Task
from assay.scoring.evaluate import Progress

#: How often a feature is shuffled among the held-out examples to see what that costs.
SHUFFLES = 5


@dataclass(frozen=True, eq=False)
class Run:
    """A learner on some of the features, for a task, on certain folds."""

    task: Task = field(repr=False)
    learner: Learner
    #: What the features are called together: ``all``, one name, ``without`` a name.
    features: str
    columns: tuple[int, ...]
    folds: Folds = field(repr=False)
    #: Whether to shuffle each feature and see what that costs.
    shuffled: bool = False

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Model, task, features, and what the folds keep together."""
        return self.learner.name, self.task.name, self.features, self.folds.group


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What was predicted for each example: probabilities of classes, or a score."""

    outputs: Array
    #: How good the models were on their own inner folds, one number per fold.
    inside: Array
    #: What was chosen inside each training part.
    chosen: tuple[Mapping[str, float], ...]
    #: For each example and feature the share of shuffles that turned a right answer wrong, less those that turned a
    #: wrong one right.
    costs: Array | None = None

    @property
    def predicted(self) -> Codes:
        """The number of the likeliest class."""
        return np.asarray(self.outputs.argmax(axis=1), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Part:
    """One fold of a run."""

    outputs: Array
    learnt: Learnt
    costs: Array | None


def cross_validate(
    runs: Sequence[Run],
    examples: Examples,
    *,
    seed: int,
    threads: int,
    progress: Progress | None = None,
) -> list[HeldOut]:
    """All folds of all runs, side by side; the result does not depend on how many at a time."""
    jobs = [(run, fold) for run in runs for fold in range(len(run.folds))]
    done = 0

    def work(job: tuple[Run, int]) -> _Part:
        nonlocal done
        part = _fold(*job, examples, seed)
        done += 1
        if progress is not None:
            progress(done / len(jobs))
        return part

    parts = _mapped(work, jobs, threads)
    found, place = [], 0
    for run in runs:
        own = parts[place : place + len(run.folds)]
        place += len(own)
        found.append(_joined(run, own, examples))
    return found


def _mapped(work: Callable[[tuple[Run, int]], _Part], jobs: Sequence[tuple[Run, int]], threads: int) -> list[_Part]:
    alone = OneThread()
    with alone():
        if threads == 1:
            return [work(job) for job in jobs]
        with ThreadPoolExecutor(threads, initializer=alone.join) as pool:
            return list(pool.map(work, jobs))


def lesson_of(task: Task, examples: Examples, columns: Sequence[int], groups: Codes, seed: int) -> Lesson:
    """All examples as a lesson about some of the features."""
    return Lesson(
        values=np.ascontiguousarray(examples.table.values[:, list(columns)]),
        target=task.target,
        classes=task.classes,
        groups=groups,
        seed=seed,
        segments=examples.segments,
        better=tuple(examples.better[column] for column in columns),
    )


def _fold(run: Run, fold: int, examples: Examples, seed: int) -> _Part:
    whole = lesson_of(run.task, examples, run.columns, run.folds.groups, seed)
    tested = run.folds.tested(fold)
    learnt = run.learner.learn(whole.only(~tested))
    held = whole.only(tested)
    costs = _costs(learnt.model, held, seed + fold) if run.shuffled else None
    return _Part(_outputs(learnt.model, held.values), learnt, costs)


def _outputs(model: Model, values: Array) -> Array:
    return model.probabilities(values) if isinstance(model, Grader) else model.score(values)


def _costs(model: Model, held: Lesson, seed: int) -> Array:
    """What shuffling each feature among the held-out examples does to right answers."""
    if not isinstance(model, Grader):
        raise InputError("Only graders have right answers to lose.")
    generator = np.random.default_rng([seed, 13])
    right = (model.grades(held.values) == held.grades).astype(np.float64)
    costs = np.zeros(held.values.shape)
    for column in range(held.values.shape[1]):
        for _ in range(SHUFFLES):
            mixed = held.values.copy()
            mixed[:, column] = mixed[generator.permutation(len(mixed)), column]
            costs[:, column] += right - (model.grades(mixed) == held.grades)
    return costs / SHUFFLES


def _joined(run: Run, parts: Sequence[_Part], examples: Examples) -> HeldOut:
    """The folds of a run put together, every example in its place."""
    outputs = np.empty((len(examples), *parts[0].outputs.shape[1:]))
    costs = np.empty((len(examples), len(run.columns))) if run.shuffled else None
    for fold, part in enumerate(parts):
        tested = run.folds.tested(fold)
        outputs[tested] = part.outputs
        if costs is not None:
            costs[tested] = part.costs
    inside = np.array([part.learnt.inside for part in parts])
    return HeldOut(outputs, inside, tuple(part.learnt.chosen for part in parts), costs)


def require_classes(task: Task, folds: Folds) -> None:
    """Refuse folds whose training part lacks a class altogether."""
    if task.classes is None:
        return
    for fold in range(len(folds)):
        counts = np.bincount(task.truth[~folds.tested(fold)], minlength=len(task.classes))
        if (counts == 0).any():
            label = task.classes.names[int((counts == 0).argmax())]
            total = int((task.truth == int((counts == 0).argmax())).sum())
            raise InputError(
                f"All {total} translations of grade {label} are in one fold, so that nothing can be learnt of it. "
                "Use fewer grades or other cut points (--grades), or group otherwise (--group)."
            )


def majority(task: Task, folds: Folds) -> HeldOut:
    """The paper's baseline: for every example the class that is most frequent in the whole database.

    A majority of the training part alone would be right less often than by chance where classes are equally frequent:
    of what is frequent outside a fold, there is less inside.
    """
    if task.classes is None:
        raise InputError("Scores have no most frequent class.")
    counts = np.bincount(task.truth, minlength=len(task.classes))
    shares = np.tile(counts / counts.sum(), (len(task.truth), 1))
    return HeldOut(shares, np.full(len(folds), np.nan), tuple({} for _ in range(len(folds))))


def best_of(candidates: Sequence[HeldOut], inside: Array, folds: Folds) -> tuple[HeldOut, list[int]]:
    """In every fold the candidate that was best ``inside`` the training part (candidates by folds); and which."""
    which = np.nanargmax(inside, axis=0).tolist()
    outputs = np.empty_like(candidates[0].outputs)
    for fold, winner in enumerate(which):
        tested = folds.tested(fold)
        outputs[tested] = candidates[winner].outputs[tested]
    return HeldOut(outputs, inside.max(axis=0), tuple({} for _ in which)), which
