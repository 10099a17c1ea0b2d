"""Predictors of people's judgements from many metrics: all models cross-validated, and the one that is kept."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from assay.errors import AssayWarning, InputError, ParameterError
from assay.learned.combine import training_data
from assay.learned.folds import Folds, make_folds
from assay.learned.saved.model_card import HeldOutScore, ModelCard, TrainingData, versions
from assay.learned.saved.model_file import QualityModel
from assay.learned.training.learner import TrainingSet
from assay.learned.training.registry import PREFERENCE, learner
from assay.learned.training.scikit import OneThread
from assay.learned.trials.cross_validation import cross_validate, planned_runs, require_classes, scored_by, targets
from assay.learned.trials.examples import Examples
from assay.learned.trials.grades import Grades
from assay.learned.trials.measures import Bootstrap
from assay.learned.trials.results import Evaluation, Rows, main_statistic
from assay.learned.trials.tasks import ALL, Task, read_tasks, tasks_of
from assay.scoring.evaluate import Progress, thread_count

#: With more features than these, leaving each out takes long; it is done on demand.
_MANY_FEATURES = 15
#: The share of the whole that folds take beside intervals, for the bar.
_FOLDS_SHARE = 0.9
#: A grade with fewer translations cannot be told from the others.
_FEWEST_PER_GRADE = 10


@dataclass(frozen=True, eq=False)
class Experiment:
    """Models that were trained and tested on different examples, and all that it takes to fit one of them on all."""

    examples: Examples = field(repr=False)
    grades: Grades
    tasks: tuple[Task, ...]
    models: tuple[str, ...]
    folds: Folds = field(repr=False)
    samples: int
    seed: int
    #: Rows as JSON holds them.
    results: Rows = field(repr=False)
    confusions: Rows = field(repr=False)
    calibration: Rows = field(repr=False)
    chosen: Rows = field(repr=False)

    @property
    def unit(self) -> str:
        """What is drawn for intervals."""
        return _unit(self.folds)

    def find(self, **cells: str) -> Rows:
        """All results with these cells, such as ``statistic="accuracy"``; folds are the usual ones unless named."""
        cells.setdefault("group", self.folds.group)
        return [row for row in self.results if all(row[name] == value for name, value in cells.items())]

    def predictor(self, model: str | None = None) -> QualityModel:
        """A predictor for the first task, learnt from all examples; of several models the best on held-out folds.

        That choice saw the held-out scores, so those on the card are a little too good when many models compete.
        """
        task = self.tasks[0]
        pairs = task.kind == "pairs"
        able = [PREFERENCE] if pairs else [one for one in self.models if task.kind in learner(one).tasks]
        if not able:
            raise ParameterError(f"None of {', '.join(self.models)} can be saved for the task {task.name}.")
        name = model or max(able, key=lambda one: self._held_out(one, task) or -1.0)
        if name not in able:
            raise ParameterError(f"A {name} cannot be saved for the task {task.name}; {', '.join(able)} can.")
        table = self.examples.table
        about = targets(task, self.examples, self.folds.groups, self.seed)
        with OneThread()():
            trained = learner(name).fit(TrainingSet(table.values, about, self.examples.better))
        settings = {key: f"{value:g}" for key, value in trained.chosen.items()}
        return QualityModel.of(trained.model, table.features, self._card(task, name, settings))

    def save(self, path: str | Path, model: str | None = None, *, overwrite: bool = False) -> Path:
        """Write that predictor to a file, for ``assay predict``; the same seed gives the same bytes."""
        return self.predictor(model).save(path, overwrite=overwrite)

    def _held_out(self, model: str, task: Task) -> float | None:
        (row,) = self.find(model=model, task=task.name, statistic=main_statistic(task), features="all")
        value: float | None = row["value"]
        return value

    def _card(self, task: Task, model: str, settings: dict[str, str]) -> ModelCard:
        together = "dealt out at random" if self.folds.group == "none" else f"grouped by {self.folds.group}"
        held_out = tuple(
            HeldOutScore(row["statistic"], row["value"], row["low"], row["high"])
            for row in self.find(model=model, task=task.name, features="all")
            if row["value"] is not None
        )
        graded = task.name == "grades"
        several = len(self.models) > 1 and task.kind != "pairs"
        note = f"Of {', '.join(self.models)}; held-out scores are those of the one that was saved."
        return ModelCard(
            task=task.name,
            unit=self._predicted(task),
            method=model,
            kinds=(self.examples.kind,),
            training=(self._training(),),
            grades=self.grades.labels if graded else (),
            cuts=self.grades.cuts if graded else (),
            folds=f"{len(self.folds)} folds, {together}",
            held_out=held_out,
            settings=settings,
            versions=versions("scipy", "scikit-learn"),
            seed=self.seed,
            notes=(note,) if several else (),
        )

    def _predicted(self, task: Task) -> str:
        """What a score of the predictor is, in words."""
        if task.kind == "scores":
            return f"score of kind {self.examples.kind}"
        if task.kind == "pairs":
            return "preference; only differences count"
        if task.name == "grades":
            return f"expected grade, {self.grades.labels[0]} to {self.grades.labels[-1]}"
        return f"probability of {task.name}"

    def _training(self) -> TrainingData:
        judged = hashlib.sha256(np.ascontiguousarray(self.examples.target).tobytes()).hexdigest()[:16]
        return training_data(self.examples.campaign, self.examples.table, {"judgements": judged})


def experiment(
    examples: Examples,
    grades: Grades,
    *,
    tasks: Sequence[str],
    models: tuple[str, ...],
    group: str,
    folds: int,
    left_out: bool | None = None,
    samples: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Experiment:
    """Train and test every model on every task; ``left_out`` also without each feature, by default of up to fifteen."""
    _require_enough(grades, examples)
    names = examples.table.names
    left_out = len(names) <= _MANY_FEATURES if left_out is None else left_out
    dealt = make_folds(examples.groups(group), folds, seed=seed, group=group)
    random = _random_folds(examples, dealt, seed)
    asked, reasons = tasks_of(read_tasks(tasks), examples, grades, all_asked=ALL in tasks)
    for reason in reasons:
        warnings.warn(reason, AssayWarning, stacklevel=2)
    scorers = _scorers(asked, models, examples, grades)
    for task in (*asked, *scorers):
        for some in (dealt, random):
            if some is not None:
                require_classes(task, some)
    runs = planned_runs(asked, models, names, dealt, left_out=left_out, random=random, scorers=scorers)
    report = None if progress is None else lambda done: progress(_FOLDS_SHARE * done)
    found = cross_validate(runs, examples, seed=seed, threads=thread_count(threads), progress=report)
    unit = examples.groups(_unit(dealt))
    with OneThread()():
        bootstrap = Bootstrap.of(unit, samples, seed, dealt.fold, threads=thread_count(threads))
        measured = Evaluation(examples, [*asked, *scorers], models, folds=dealt, found=found, bootstrap=bootstrap)
        measured.run(asked)
    return Experiment(
        examples, grades, tuple(asked), models, dealt, samples, seed,
        measured.results, measured.confusions, measured.calibration, measured.chosen,
    )  # fmt: skip


def _unit(folds: Folds) -> str:
    """Whole documents where folds keep them together, else segments."""
    return "document" if folds.group == "document" else "segment"


def _random_folds(examples: Examples, folds: Folds, seed: int) -> Folds | None:
    """Folds that tear groups apart; where every group has one translation, they would be the same."""
    if folds.group == "none" or len(np.unique(folds.groups)) == len(examples):
        return None
    return make_folds(examples.groups("none"), len(folds), seed=seed, group="none")


def _scorers(tasks: Sequence[Task], models: Sequence[str], examples: Examples, grades: Grades) -> list[Task]:
    """Further tasks, whose scores decide pairs."""
    names = {task.name for task in tasks}
    lacking = {
        scored_by(task, model) for task in tasks for model in (*models, "uniform") if task.kind == "pairs"
    } - names
    return tasks_of(sorted(lacking), examples, grades, all_asked=True)[0] if lacking else []


def _require_enough(grades: Grades, examples: Examples) -> None:
    counts = np.bincount(grades.of(examples.target), minlength=len(grades))
    if counts.min() < _FEWEST_PER_GRADE:
        grade = int(counts.argmin())
        raise InputError(
            f"Grade {grades.labels[grade]} ({grades.range_of(grade)}) has {counts[grade]} of {len(examples):,} "
            f"translations; at least {_FEWEST_PER_GRADE} are needed to learn it and to test it. Use fewer grades "
            "(--grades 3) or other cut points (--grades A,B)."
        )
