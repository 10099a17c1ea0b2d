"""Predictors of people's judgements from many metrics: all models cross-validated, and the one that is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.errors import ParameterError
from assay.learned import measures
from assay.learned.cross_validation import ALL_FEATURES, WITHOUT, HeldOut, Key
from assay.learned.folds import Folds
from assay.learned.learners import PREFERENCE, UNTRAINED, learner
from assay.learned.measures import BINS, Bootstrap, share
from assay.learned.model_file import HeldOutScore, ModelCard, QualityModel, TrainingData, versions
from assay.learned.tasks import Examples, Task, classes_of
from assay.learned.training import TrainingSet, one_thread
from assay.people.agreement.measures import exact_agreement, kappa
from assay.people.grades import Grades
from assay.significance.association import spearman

MAJORITY, BEST_SINGLE = "majority", "best-single"
_NO_FEATURES, CHOSEN_INSIDE = "none", "one, chosen inside"

#: Statistics under every draw, by name.
_Drawn = dict[str, Array]
_Rows = list[dict[str, Any]]


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
    held_out: Mapping[Key, HeldOut] = field(repr=False)
    #: One number about one model, with its interval; ``group`` is what the folds kept together, if anything.
    results: _Rows = field(default_factory=list, repr=False)
    #: Of the task of grades: what each model took each grade for, and how often it was right that was so sure.
    confusions: _Rows = field(default_factory=list, repr=False)
    calibration: _Rows = field(default_factory=list, repr=False)
    #: What was chosen inside the training part of each fold.
    chosen: _Rows = field(default_factory=list, repr=False)

    @property
    def unit(self) -> str:
        """What is drawn for intervals: whole documents where folds keep them together, else segments."""
        return "document" if self.folds.group == "document" else "segment"

    @property
    def dealt(self) -> str:
        """What the folds keep together, in words."""
        return "dealt out at random" if self.folds.group == "none" else f"grouped by {self.folds.group}"

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
        """A predictor for the first task, learnt from all examples; of several models the best on held-out folds.

        That choice saw the held-out scores, so those on the card are a little too good when many models compete.
        """
        task, table = self.tasks[0], self.examples.table
        able = [PREFERENCE] if task.kind == "pairs" else [one for one in self.models if task.kind in learner(one).tasks]
        if not able:
            raise ParameterError(f"None of {', '.join(self.models)} can be saved for the task {task.name}.")
        name = model or max(able, key=lambda one: self.row(one, task.name, task.statistic)["value"] or -1.0)
        if name not in able:
            raise ParameterError(f"A {name} cannot be saved for the task {task.name}; {', '.join(able)} can.")
        about = task.targets(self.examples, self.folds.groups, self.seed)
        with one_thread():
            trained = learner(name).fit(TrainingSet(table.values, about, self.examples.better))
        settings = {key: f"{value:g}" for key, value in trained.chosen.items()}
        return QualityModel.of(trained.model, table.features, self._card(task, name, settings))

    def save(self, path: str | Path, model: str | None = None, *, overwrite: bool = False) -> Path:
        """Write that predictor to a file, for ``assay predict``; the same seed gives the same bytes."""
        return self.predictor(model).save(path, overwrite=overwrite)

    def _card(self, task: Task, model: str, settings: dict[str, str]) -> ModelCard:
        labels, kind = self.grades.labels, self.examples.kind
        graded, several = task.name == "grades", len(self.models) > 1 and task.kind != "pairs"
        unit = {
            "scores": f"score of kind {kind}",
            "pairs": "preference; only differences count",
            "classes": f"expected grade, {labels[0]} to {labels[-1]}" if graded else f"probability of {task.name}",
        }
        judged = hashlib.sha256(np.ascontiguousarray(self.examples.target).tobytes()).hexdigest()[:16]
        note = f"Of {', '.join(self.models)}; held-out scores are those of the one that was saved."
        return ModelCard(
            task=task.name,
            unit=unit[task.kind],
            method=model,
            kinds=(kind,),
            training=(TrainingData.of(self.examples.table, judgements=judged),),
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
            notes=(note,) if several else (),
        )

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
            if task is self.tasks[0]:
                self._features(task, name, held, main)
            self._choose(task, name, ALL_FEATURES, held.chosen)
            self._random(task, name, main)

    def _add(self, model: str, task: Task, features: str, drawn: _Drawn, group: str | None = None) -> None:
        about = {"model": model, "task": task.name, "features": features}
        for statistic, values in drawn.items():
            row = about | {"statistic": statistic} | self._bootstrap.estimate(values).row()
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

    def _calibrate(self, model: str, counts: Array, certainty: Array, right: Array) -> None:
        for place in np.flatnonzero(counts[0] > 0).tolist():
            stretch = {"low": place / BINS, "high": (place + 1) / BINS, "n": int(counts[0, place])}
            accuracy = self._bootstrap.estimate(right[:, place]).row("accuracy", "accuracy_low", "accuracy_high")
            sure = {"certainty": float(certainty[0, place])}
            self.calibration.append({"model": model} | stretch | sure | accuracy)

    def _singles(self, task: Task) -> dict[str, _Drawn]:
        """Each feature alone; then the best of them, chosen anew in each training part: by the tree, and by any."""
        learners, names, folds = task.single_models(self.models), self.examples.table.names, self.folds
        held = {(name, one): self.held_out[name, task.name, one, folds.group] for name in learners for one in names}
        for (name, feature), alone in held.items():
            self._add(name, task, feature, self._measure(task, name, alone.outputs, briefly=True))
        sets = {BEST_SINGLE: learners}
        if len(learners) > 1:
            # What the paper compares with: single features given to the same learner.
            sets = {f"{BEST_SINGLE}-{learners[0]}": learners[:1], **sets}
        bars: dict[str, _Drawn] = {}
        for bar, several in sets.items():
            tried = {key: alone for key, alone in held.items() if key[0] in several}
            inside = [alone.inside for alone in tried.values()] if task.kind != "scores" else self._follow(task)
            # In every fold the feature that is best inside its training part.
            which = np.nanargmax(inside, axis=0)
            outputs = np.stack([alone.outputs for alone in tried.values()])
            bars[bar] = self._measure(task, bar, outputs[which[folds.fold], np.arange(len(folds.fold))])
            self._add(bar, task, CHOSEN_INSIDE, bars[bar])
            picked = [dict(zip(("by", "feature"), [*tried][place], strict=True)) for place in which.tolist()]
            self._choose(task, bar, CHOSEN_INSIDE, picked)
        return bars

    def _follow(self, task: Task) -> list[Array]:
        """How far each feature follows the scores of each training part, up or down: features by folds.

        One feature cannot fit its training part better than any other, so nothing has to be held out to choose it.
        """
        parts = [self.folds.training(fold) for fold in range(len(self.folds))]
        values = self.examples.table.values.T
        follows = [[abs(spearman(column[part], task.target[part])) for part in parts] for column in values]
        return [np.nan_to_num(line) for line in follows]

    def _features(self, task: Task, model: str, held: HeldOut, whole: Array) -> None:
        """What a model loses when a feature is shuffled, and when it is left out."""
        names = self.examples.table.names
        if held.costs is not None:
            *costs, n = self._bootstrap.sums(*held.costs.T, np.ones(len(held.costs))).T
            for feature, cost in zip(names, costs, strict=True):
                self._add(model, task, feature, {"permutation-importance": cost / n})
        for feature in names:
            without = self.held_out.get((model, task.name, WITHOUT + feature, self.folds.group))
            if without is not None:
                drawn = self._measure(task, model, without.outputs, briefly=True)
                self._add(model, task, WITHOUT + feature, drawn | {"loss": whole - drawn["accuracy"]})

    def _random(self, task: Task, model: str, whole: Array) -> None:
        """The same on folds that tear segments apart, and what that seems to gain."""
        held = self.held_out.get((model, task.name, ALL_FEATURES, "none"))
        if held is not None and self.folds.group != "none":
            drawn = self._measure(task, model, held.outputs, briefly=True)
            gain = {"gain-of-random-folds": drawn[task.statistic] - whole}
            self._add(model, task, ALL_FEATURES, drawn | gain, group="none")
