"""Predictors of people's judgements from many metrics: all models cross-validated, and the one that is kept.

Every example is predicted once by a model that never saw its group: first it is planned which learner runs on which
features for what, then all of it is run, then measured.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes
from assay.data.problems import note
from assay.errors import ParameterError
from assay.learned import measures
from assay.learned.folds import Folds, make_folds
from assay.learned.learners import PREFERENCE, UNTRAINED, learner
from assay.learned.measures import BINS, Bootstrap, share
from assay.learned.model import Grader
from assay.learned.model_file import HeldOutScore, ModelCard, QualityModel, TrainingData, versions
from assay.learned.rules import branches_of
from assay.learned.tasks import Examples, Task, ablated, classes_of, tasks_of
from assay.learned.training import Learner, Trained, TrainingSet, one_thread
from assay.learned.trees import TreeGrader, TreeRegressor
from assay.people.agreement.measures import exact_agreement, kappa
from assay.people.grades import Grades
from assay.properties import cached_property
from assay.results.result import Table
from assay.scoring.evaluate import Progress
from assay.significance.association import spearman
from assay.significance.draws import stream
from assay.threads import workers

MAJORITY, BEST_SINGLE = "majority", "best-single"
#: The paper's bar: the feature that did best alone on the very folds that it is measured on.
HINDSIGHT = f"{BEST_SINGLE}-in-hindsight"
#: How far a feature alone is below the best one; left out, how much less is lost than without the one that costs most.
BEHIND = "behind-best"
_NO_FEATURES, CHOSEN_INSIDE = "none", "one, chosen inside"
#: What the features of a run are called together, beside the name of one.
ALL_FEATURES, WITHOUT = "all", "without "
#: Statistics that are no share of 1; and shares, which are not below 0.
_UNBOUNDED, _SHARES = ("mae", "rmse"), ("accuracy", "macro-f1", "ece")
#: How often a feature is shuffled among the held-out examples to see what that costs.
_SHUFFLES = 5
#: Training parts that are remembered at a time: runs on the same part follow each other.
_REMEMBERED = 8

#: What a model predicts in one fold, how it was trained, and what shuffling features costs.
Part = tuple[Array, Trained, Array | None]
#: Model, task, features, and what the folds keep together.
_Key = tuple[str, str, str, str]
#: Statistics under every draw, by name.
_Drawn = dict[str, Array]
_Rows = list[dict[str, Any]]


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
    def key(self) -> _Key:
        """What it is; two of one key are the same."""
        return self.learner.name, self.task.name, self.features, self.folds.group


@dataclass(frozen=True, eq=False)
class _HeldOut:
    """What was predicted for each example: probabilities of classes, or a score."""

    outputs: Array
    #: How good the models were on their own inner folds, one number per fold.
    inside: Array
    #: What was chosen inside each training part.
    chosen: list[Mapping[str, float]]
    #: For each example and feature the share of shuffles that turned a right answer wrong, less those that turned a
    #: wrong one right.
    costs: Array | None


def _learnt_and_tested(run: _Run, training: TrainingSet, held_out: TrainingSet, seed: int) -> Part:
    """A model that learnt from some examples, and what it says of others."""
    trained, held = run.learner.fit(training.of_features(run.columns)), held_out.of_features(run.columns)
    model = trained.model
    if not isinstance(model, Grader):
        return model.score(held.values), trained, None
    costs = _costs(model, held.values, held.target, seed) if run.shuffled else None
    return model.probabilities(held.values), trained, costs


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


def _joined(run: _Run, parts: Sequence[Part]) -> _HeldOut:
    """The folds of a run put together, every example in its place."""
    outputs, trained, costs = zip(*parts, strict=True)
    place = np.argsort(np.argsort(run.folds.fold, kind="stable"))
    inside, chosen = np.array([one.inside for one in trained]), [one.chosen for one in trained]
    of_all = np.concatenate(costs)[place] if run.shuffled else None
    return _HeldOut(np.concatenate(outputs)[place], inside, chosen, of_all)


@dataclass(frozen=True, eq=False)
class Experiment:
    """Models that were trained and tested on different examples, and all that it takes to fit one of them on all."""

    examples: Examples = field(repr=False)
    grades: Grades
    tasks: Sequence[Task]
    models: tuple[str, ...]
    folds: Folds = field(repr=False)
    samples: int
    seed: int
    threads: int
    #: What is drawn as a whole for intervals: segments or documents.
    unit: str = "segment"
    #: What is to be learnt: runs, and which of their folds.
    jobs: list[tuple[_Run, int]] = field(default_factory=list, repr=False)
    #: What was predicted for examples that a model had not seen.
    held_out: dict[_Key, _HeldOut] = field(default_factory=dict, repr=False)
    #: One number about one model, with its interval; ``group`` is what the folds kept together, if anything.
    results: _Rows = field(default_factory=list, repr=False)
    #: Of the task of grades: what each model took each grade for, and how often it was right that was so sure.
    confusions: _Rows = field(default_factory=list, repr=False)
    calibration: _Rows = field(default_factory=list, repr=False)
    #: What was chosen inside the training part of each fold.
    chosen: _Rows = field(default_factory=list, repr=False)

    @property
    def dealt(self) -> str:
        """What the folds keep together, in words."""
        return "dealt out at random" if self.folds.group == "none" else f"grouped by {self.folds.group}"

    @property
    def tested(self) -> str:
        """What models were tested on, in words."""
        return f"{len(self.folds)} folds {self.dealt}"

    #: How sure intervals are of the models, in words.
    widening: ClassVar[str] = (
        "the models stay as they are, and intervals are widened for what they learnt from (Nadeau and Bengio, 2003)"
    )

    def find(self, **cells: str) -> _Rows:
        """All results with these cells, such as ``statistic="accuracy"``; folds are the usual ones unless named."""
        cells.setdefault("group", self.folds.group)
        return [row for row in self.results if all(row[name] == value for name, value in cells.items())]

    def row(
        self, model: str, task: str, statistic: str = "accuracy", features: str = ALL_FEATURES
    ) -> Mapping[str, Any]:
        """One result on the usual folds; one without a value where nothing was measured."""
        rows = self.find(model=model, task=task, statistic=statistic, features=features)
        return rows[0] if rows else {"value": None, "low": None, "high": None}

    @cached_property
    def _bootstrap(self) -> Bootstrap:
        """All statistics are taken under the same draws, so that gains are paired."""
        return Bootstrap.of(self.examples.groups(self.unit), self.samples, self.seed, self.folds.fold, self.threads)

    def predictor(self, model: str | None = None) -> QualityModel:
        """Predictors for all tasks, learnt from all examples; of several models the best on held-out folds.

        That choice saw the held-out scores, so those on the card are a little too good when many models compete. A
        ``model`` that is named is taken for all tasks that it can do.
        """
        table, made = self.examples.table, []
        unable = [task.name for task in self.tasks if not self._able(task)]
        if len(unable) == len(self.tasks):
            raise ParameterError(f"None of {', '.join(self.models)} can be saved for the task {unable[0]}.")
        if model is not None and not any(model in self._able(task) for task in self.tasks):
            others = ", ".join(self._able(self.tasks[0]))
            raise ParameterError(f"A {model} cannot be saved for the task {self.tasks[0].name}; {others} can.")
        if unable:
            note(f"Not saved: {', '.join(unable)}, which none of the models ({', '.join(self.models)}) does.")
        for task in (one for one in self.tasks if one.name not in unable):
            able = self._able(task)
            best = max(able, key=lambda one: self.row(one, task.name, task.statistic)["value"] or -1.0)
            name = best if model is None or model not in able else model
            trained = self.fitted(task, name)
            settings = {key: f"{value:g}" for key, value in trained.chosen.items()}
            made.append(QualityModel.of(trained.model, table.features, self._card(task, name, settings)))
        return QualityModel.together(made)

    def _able(self, task: Task) -> list[str]:
        """The models that can be saved for a task."""
        if task.kind == "pairs":
            return [PREFERENCE]
        return [name for name in self.models if task.kind in learner(name).tasks]

    def fitted(self, task: Task, model: str) -> Trained:
        """A model of all that is learnt from, as it is saved."""
        with one_thread():
            return learner(model).fit(self.everything(task))

    def branches(self) -> dict[str, Table]:
        """The decision tree of each task that has one, learnt from all there is: its nodes, from the root on."""
        if "tree" not in self.models:
            return {}
        able = [task for task in self.tasks if task.kind in learner("tree").tasks]
        found = {}
        for task in able:
            model, learnt = self.fitted(task, "tree").model, self.everything(task)
            if isinstance(model, (TreeGrader, TreeRegressor)):
                found[task.name] = branches_of(model, self.examples.table.names, learnt.values, learnt.target)
        return found

    def save(self, path: str | Path, model: str | None = None, *, overwrite: bool = False) -> Path:
        """Write those predictors to a file, for ``assay predict``; the same seed gives the same bytes."""
        return self.predictor(model).save(path, overwrite=overwrite)

    def _card(self, task: Task, model: str, settings: dict[str, str]) -> ModelCard:
        labels, kind = self.grades.labels, self.examples.kind
        graded, several = task.name == "grades", len(self.models) > 1 and task.kind != "pairs"
        unit = {
            "scores": f"score of kind {kind}",
            "pairs": "preference; only differences count",
            "classes": f"expected grade, {labels[0]} to {labels[-1]}" if graded else f"probability of {task.name}",
        }
        parts = self.examples.parts or (self.examples,)
        judged = [hashlib.sha256(np.ascontiguousarray(one.target).tobytes()).hexdigest()[:16] for one in parts]
        note = f"Of {', '.join(self.models)}; held-out scores are those of the one that was saved."
        return ModelCard(
            task=task.name,
            unit=unit[task.kind],
            method=model,
            kinds=(kind,),
            training=tuple(
                TrainingData.of(one.table, judgements=digest) for one, digest in zip(parts, judged, strict=True)
            ),
            grades=labels if graded else (),
            cuts=self.grades.cuts if graded else (),
            folds=f"{len(self.folds)} folds, {self.dealt}",
            held_out=tuple(
                HeldOutScore(row["statistic"], row["value"], row["low"], row["high"])
                for row in self.find(model=model, task=task.name, features=ALL_FEATURES)
                if row["value"] is not None
            ),
            settings=settings,
            versions=versions("scipy", "scikit-learn"),
            seed=self.seed,
            notes=((note,) if several else ()) + ((self.examples.scale,) if self.examples.scale else ()),
        )

    @property
    def learnt_from(self) -> Examples:
        """What models are made from where nothing is held out."""
        return self.examples

    def everything(self, task: Task) -> TrainingSet:
        """All that is learnt from, with what people say of it."""
        return task.training_set(self.examples, self.folds.groups, self.seed)

    def parts(self, task: Task, folds: Folds, fold: int) -> tuple[TrainingSet, TrainingSet]:
        """What is learnt from in a fold, and what is tested."""
        whole = task.training_set(self.examples, folds.groups, self.seed)
        return whole.only(folds.training(fold)), whole.only(folds.tested(fold))

    def plan(self, *, left_out: Collection[Task]) -> None:
        """Which learner runs on which features for what: all folds of all runs.

        Features are left out one by one for the tasks ``left_out`` that have classes.
        """
        self.jobs.extend((run, fold) for run in self._planned_runs(left_out) for fold in range(len(run.folds)))
        # Those that train on the same examples for the same task after each other.
        self.jobs.sort(key=lambda job: (job[0].task.name, job[0].folds.group, job[1]))

    def cross_validate(self, progress: Progress | None = None) -> None:
        """All that was planned, side by side; the result does not depend on how many at a time."""
        jobs, parts_of = self.jobs, lru_cache(_REMEMBERED)(self.parts)

        def work(job: tuple[_Run, int]) -> Part:
            run, fold = job
            return _learnt_and_tested(run, *parts_of(run.task, run.folds, fold), self.seed + fold)

        parts: dict[_Run, list[Part]] = {}
        with one_thread() as join, workers(self.threads, join) as pool:
            for done, part in enumerate(pool.map(work, jobs), start=1):
                parts.setdefault(jobs[done - 1][0], []).append(part)
                if progress is not None:
                    progress(done / len(jobs))
        self.held_out.update({run.key: _joined(run, of_folds) for run, of_folds in parts.items()})

    def _planned_runs(self, left_out: Collection[Task]) -> Iterable[_Run]:
        """All runs for the tasks that were asked for, and for further ones that decide pairs; none twice.

        What is measured of the first task alone: shuffled features, if it has classes, and random folds, if it is not
        about pairs. They would tear pairs apart, so that the two halves of one would be scored by different models,
        each of which has seen the judgement of the other half.
        """
        tasks, models, names, folds = self.tasks, self.models, self.examples.table.names, self.folds
        every, first = list(range(len(names))), tasks[0]
        by_name = {task.name: task for task in tasks}
        lacking = {task.scored_by(name) for task in tasks for name in task.contestants(models)} - set(by_name)
        if lacking:
            by_name |= {task.name: task for task in tasks_of(sorted(lacking), self.examples, self.grades)}
        splits = self.both_folds()
        for task, dealt in product(by_name.values(), splits):
            task.require_classes(dealt)
        runs = []
        for task in tasks:
            for name in task.contestants(models):
                via = by_name[task.scored_by(name)]
                shuffled = via is first and via.kind == "classes" and name in models
                runs.append(_Run(via, learner(name), ALL_FEATURES, every, folds, shuffled))
            for name in task.single_models(models):
                runs += [_Run(task, learner(name), feature, [place], folds) for place, feature in enumerate(names)]
        for task in (one for one in tasks if one in left_out and one.kind == "classes" and len(names) > 1):
            for place, feature in enumerate(names):
                others = [column for column in every if column != place]
                runs.append(_Run(task, learner(ablated(models)), WITHOUT + feature, others, folds))
        if first.kind != "pairs":
            able = [name for name in first.contestants(models) if name in models]
            runs += [_Run(first, learner(name), ALL_FEATURES, every, random) for random in splits[1:] for name in able]
        # The first of each key.
        return {run.key: run for run in reversed(runs)}.values()

    def both_folds(self) -> list[Folds]:
        """The folds, and random ones; where every group has one translation, these would be the same."""
        if self.folds.group == "none" or len(np.unique(self.folds.groups)) == len(self.examples):
            return [self.folds]
        return [self.folds, make_folds(self.examples.groups("none"), len(self.folds), seed=self.seed, group="none")]

    def evaluate(self) -> None:
        """Measure all that was predicted, and keep the rows."""
        with one_thread():
            for task in self.tasks:
                self._evaluate(task)

    def _evaluate(self, task: Task) -> None:
        models, group = self.models, self.folds.group
        bars: dict[str, _Drawn] = {}
        if task.kind == "classes":
            bars[MAJORITY] = self._measure(task, MAJORITY, task.majority())
            self._add(MAJORITY, task, _NO_FEATURES, bars[MAJORITY])
        bars |= self._singles(task)
        for name in task.contestants(models):
            held = self.held_out[name, task.scored_by(name), ALL_FEATURES, group]
            drawn = self._measure(task, name, held.outputs)
            main = drawn[task.statistic]
            gains = {f"gain-over-{bar}": main - other[task.statistic] for bar, other in bars.items()}
            self._add(name, task, ALL_FEATURES, drawn | gains)
            if task.kind == "classes":
                self._features(task, name, held, main)
            self._choose(task, name, ALL_FEATURES, held.chosen)
            self._random(task, name, main)

    def _add(self, model: str, task: Task, features: str, drawn: _Drawn, group: str | None = None) -> None:
        about = {"model": model, "task": task.name, "features": features}
        for statistic, values in drawn.items():
            # The majority has learnt nothing of single texts.
            drawn_values = values if model == MAJORITY else self.folds.widened(values)
            if statistic not in _UNBOUNDED:
                drawn_values = np.clip(drawn_values, 0.0 if statistic.startswith(_SHARES) else -1.0, 1.0)
            row = about | {"statistic": statistic} | self._bootstrap.estimate(drawn_values).row()
            self.results.append(row | {"group": group or self.folds.group})

    def _choose(self, task: Task, model: str, features: str, by_fold: Iterable[Mapping[str, Any]]) -> None:
        about = {"model": model, "task": task.name, "features": features}
        self.chosen.extend({"fold": fold, **about, **chosen} for fold, chosen in enumerate(by_fold, 1) if chosen)

    def _measure(self, task: Task, model: str, outputs: Array, *, briefly: bool = False) -> _Drawn:
        """Every measure of a model; ``briefly`` the main one alone."""
        if task.kind == "classes":
            return self._classes(task, model, outputs, briefly)
        if task.kind == "pairs":
            right = task.right(outputs if outputs.ndim == 1 else classes_of(self.grades).expected(outputs))
            sums = self._bootstrap.sums(right, np.ones(len(right)), rows=task.pairs[:, 0])
            return {"accuracy": share(*sums.T)}
        drawn = {"spearman": self._bootstrap.within_folds(outputs, task.target, "spearman")}
        if briefly:
            return drawn
        drawn["pearson"] = self._bootstrap.within_folds(outputs, task.target, "pearson")
        if model not in UNTRAINED:
            # Combinations without training are on a scale of their own.
            drawn["mae"], drawn["rmse"] = measures.errors(self._bootstrap, task.target, outputs)
        return drawn

    def _classes(self, task: Task, model: str, outputs: Array, briefly: bool) -> _Drawn:
        confusion = self._bootstrap.confusion(task.target, outputs.argmax(axis=1), outputs.shape[1])
        drawn = {"accuracy": exact_agreement(confusion)}
        if briefly:
            return drawn
        drawn["macro-f1"] = measures.macro_f1(confusion)
        drawn["quadratic-kappa"] = kappa(confusion, 2)
        calibration = measures.calibration(self._bootstrap, outputs, task.target)
        if task.name == "grades":
            classes = classes_of(self.grades)
            if model != MAJORITY:
                grade = classes.expected(outputs)
                drawn["spearman"] = self._bootstrap.within_folds(grade, self.examples.target, "spearman")
            for label, line, recalled in zip(classes.names, confusion[0], measures.recalls(confusion).T, strict=True):
                drawn[f"accuracy-grade-{label}"] = recalled
                taken = zip(classes.names, line.astype(int).tolist(), strict=True)
                self.confusions.extend(
                    {"model": model, "truth": label, "predicted": other, "n": n} for other, n in taken
                )
            if model in self.models:
                self._calibrate(model, *calibration)
        drawn["ece"] = measures.calibration_error(*calibration)
        return drawn

    def by_campaign(self) -> _Rows:
        """How often each model is right of the translations of each campaign, where there are several."""
        rows, start = [], 0
        for part in self.examples.parts:
            own = np.arange(start, start + len(part))
            start += len(part)
            for task in (one for one in self.tasks if one.kind == "classes"):
                for name in task.contestants(self.models):
                    outputs = self.held_out[name, task.name, ALL_FEATURES, self.folds.group].outputs[own]
                    right = (outputs.argmax(axis=1) == task.target[own]).astype(np.float64)
                    drawn = share(*self._bootstrap.sums(right, np.ones(len(own)), rows=own).T)
                    value = self._bootstrap.estimate(np.clip(self.folds.widened(drawn), 0.0, 1.0)).row()
                    about = {"campaign": part.campaign.name, "task": task.name, "model": name}
                    rows.append(about | {"statistic": "accuracy"} | value | {"translations": len(part)})
        return rows

    def _calibrate(self, model: str, counts: Array, certainty: Array, right: Array) -> None:
        for place in np.flatnonzero(counts[0] > 0).tolist():
            stretch = {"low": place / BINS, "high": (place + 1) / BINS, "n": int(counts[0, place])}
            drawn = np.clip(self.folds.widened(right[:, place]), 0.0, 1.0)
            accuracy = self._bootstrap.estimate(drawn).row("accuracy", "accuracy_low", "accuracy_high")
            sure = {"certainty": float(certainty[0, place])}
            self.calibration.append({"model": model} | stretch | sure | accuracy)

    def _singles(self, task: Task) -> dict[str, _Drawn]:
        """Each feature alone; then the best of them, chosen anew in each training part: by the tree, and by any."""
        learners, names, folds = task.single_models(self.models), self.examples.table.names, self.folds
        held = {(name, one): self.held_out[name, task.name, one, folds.group] for name in learners for one in names}
        drawn = {key: self._measure(task, key[0], alone.outputs, briefly=True) for key, alone in held.items()}
        best = {name: max(names, key=lambda one: drawn[name, one][task.statistic][0]) for name in learners}
        for (name, feature), values in drawn.items():
            behind = drawn[name, best[name]][task.statistic] - values[task.statistic]
            self._add(name, task, feature, values | {BEHIND: behind})
        sets = {BEST_SINGLE: learners}
        if len(learners) > 1:
            # What the paper compares with: single features given to the same learner.
            sets = {f"{BEST_SINGLE}-{learners[0]}": learners[:1], **sets}
        # Of the learner that the paper has, where it is there.
        bars: dict[str, _Drawn] = {HINDSIGHT: drawn[learners[0], best[learners[0]]]}
        for bar, several in sets.items():
            tried = {key: alone for key, alone in held.items() if key[0] in several}
            inside = [alone.inside for alone in tried.values()] if task.kind != "scores" else self.follow(task)
            # In every fold the feature that is best inside its training part.
            which = np.nanargmax(inside, axis=0)
            outputs = np.stack([alone.outputs for alone in tried.values()])
            bars[bar] = self._measure(task, bar, outputs[which[folds.fold], np.arange(len(folds.fold))])
            self._add(bar, task, CHOSEN_INSIDE, bars[bar])
            picked = [dict(zip(("by", "feature"), [*tried][place], strict=True)) for place in which.tolist()]
            self._choose(task, bar, CHOSEN_INSIDE, picked)
        return bars

    def follow(self, task: Task) -> list[Array]:
        """How far each feature follows the scores of each training part, up or down: features by folds.

        One feature cannot fit its training part better than any other, so nothing has to be held out to choose it.
        """
        parts = [self.folds.training(fold) for fold in range(len(self.folds))]
        values = self.examples.table.values.T
        follows = [[abs(spearman(column[part], task.target[part])) for part in parts] for column in values]
        return [np.nan_to_num(line) for line in follows]

    def _features(self, task: Task, model: str, held: _HeldOut, whole: Array) -> None:
        """What a model loses when a feature is shuffled, and when it is left out."""
        names = self.examples.table.names
        if held.costs is not None:
            *costs, n = self._bootstrap.sums(*held.costs.T, np.ones(len(held.costs))).T
            for feature, cost in zip(names, costs, strict=True):
                self._add(model, task, feature, {"permutation-importance": cost / n})
        group = self.folds.group
        without = {
            feature: self._measure(task, model, one.outputs, briefly=True)["accuracy"]
            for feature in names
            if (one := self.held_out.get((model, task.name, WITHOUT + feature, group))) is not None
        }
        dearest = min(without.values(), key=lambda values: float(values[0]), default=whole)
        for feature, accuracy in without.items():
            drawn = {"accuracy": accuracy, "loss": whole - accuracy, BEHIND: accuracy - dearest}
            self._add(model, task, WITHOUT + feature, drawn)

    def _random(self, task: Task, model: str, whole: Array) -> None:
        """The same on folds that tear segments apart, and what that seems to gain."""
        held = self.held_out.get((model, task.name, ALL_FEATURES, "none"))
        if held is not None and self.folds.group != "none":
            drawn = self._measure(task, model, held.outputs, briefly=True)
            gain = {"gain-of-random-folds": drawn[task.statistic] - whole}
            self._add(model, task, ALL_FEATURES, drawn | gain, group="none")
