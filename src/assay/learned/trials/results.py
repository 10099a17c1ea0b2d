"""From held-out predictions to results: every measure of every model, with paired gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from assay.arrays import Array
from assay.learned.folds import Folds
from assay.learned.models.base import expected
from assay.learned.training.registry import UNTRAINED
from assay.learned.trials import measures
from assay.learned.trials.cross_validation import (
    ALL_FEATURES,
    WITHOUT,
    HeldOut,
    Key,
    ablated,
    best_of,
    contestants,
    majority,
    scored_by,
    single_models,
)
from assay.learned.trials.examples import Examples
from assay.learned.trials.measures import BINS, Bootstrap, Calibration
from assay.learned.trials.tasks import Task
from assay.significance.association import spearman

MAJORITY, BEST_SINGLE = "majority", "best-single"
NO_FEATURES, CHOSEN_INSIDE = "none", "one, chosen inside"

_Drawn = dict[str, Array]
Rows = list[dict[str, Any]]


class Evaluation:
    """Measures everything under the same draws, so that differences are paired."""

    def __init__(
        self,
        examples: Examples,
        tasks: Sequence[Task],
        models: Sequence[str],
        *,
        folds: Folds,
        found: Mapping[Key, HeldOut],
        bootstrap: Bootstrap,
    ) -> None:
        self.examples, self.tasks, self.models, self.folds = examples, tasks, models, folds
        self.found, self.bootstrap = found, bootstrap
        #: One number about one model, with its interval; ``group`` is what the folds kept together, if anything.
        self.results: Rows = []
        #: Of the task of grades: what each model took each grade for, and how often it was right that was so sure.
        self.confusions: Rows = []
        self.calibration: Rows = []
        #: What was chosen inside the training part of each fold.
        self.chosen: Rows = []

    def run(self, asked: Sequence[Task]) -> None:
        """All results of the tasks that were asked for."""
        for task in asked:
            self._task(task)

    def _held(self, task: Task, model: str, features: str = ALL_FEATURES) -> HeldOut:
        return self.found[model, scored_by(task, model), features, self.folds.group]

    def _task(self, task: Task) -> None:
        measured: dict[str, _Drawn] = {}
        if task.kind == "classes":
            measured[MAJORITY] = self._measure(task, MAJORITY, majority(task, self.folds))
            self._add(MAJORITY, task, NO_FEATURES, measured[MAJORITY])
        bars = self._singles(task)
        for name in contestants(task, self.models):
            held = self._held(task, name)
            drawn = self._measure(task, name, held)
            self._add(name, task, ALL_FEATURES, drawn)
            main = main_statistic(task)
            for bar, other in {**measured, **bars}.items():
                self._add(name, task, ALL_FEATURES, {f"gain-over-{bar}": drawn[main] - other[main]})
            if held.costs is not None:
                self._importance(task, name, held)
            if name == ablated(self.models) and task is self.tasks[0]:
                self._left_out(task, name, drawn)
            self._keep_chosen(task, name, ALL_FEATURES, held.chosen)
            self._random(task, name, drawn)

    def _add(self, model: str, task: Task, features: str, drawn: _Drawn, group: str | None = None) -> None:
        for statistic, values in drawn.items():
            low, high = self.bootstrap.interval(values)
            value = float(values[0]) if np.isfinite(values[0]) else None
            about = {"model": model, "task": task.name, "features": features, "statistic": statistic}
            self.results.append(about | {"value": value, "low": low, "high": high, "group": group or self.folds.group})

    def _measure(self, task: Task, model: str, held: HeldOut, *, briefly: bool = False) -> _Drawn:
        """Every measure of a model; ``briefly`` the main one alone."""
        if task.kind == "classes":
            return self._classes(task, model, held, briefly)
        if task.preferences is not None:
            right = task.preferences.right(self._scores(task, model, held))
            pairs = np.stack([right, np.ones(len(right))], axis=1)
            sums = self.bootstrap.sums(pairs, task.preferences.pairs[:, 0])
            return {"accuracy": sums[:, 0] / np.where(sums[:, 1] > 0, sums[:, 1], np.nan)}
        drawn = {"spearman": self.bootstrap.spearman(held.outputs, task.target)}
        if briefly:
            return drawn
        drawn["pearson"] = self.bootstrap.pearson(held.outputs, task.target)
        if model not in UNTRAINED:
            # Combinations without training are on a scale of their own.
            drawn["mae"], drawn["rmse"] = measures.errors(self.bootstrap, task.target, held.outputs)
        return drawn

    def _scores(self, task: Task, model: str, held: HeldOut) -> Array:
        """One number per translation: of probabilities the expected grade."""
        via = next(one for one in self.tasks if one.name == scored_by(task, model))
        return held.outputs if via.classes is None else expected(held.outputs, via.classes.worth)

    def _classes(self, task: Task, model: str, held: HeldOut, briefly: bool) -> _Drawn:
        confusion = self.bootstrap.confusion(task.truth, held.predicted, held.outputs.shape[1])
        drawn = {"accuracy": measures.accuracy(confusion)}
        if briefly:
            return drawn
        drawn["macro-f1"] = measures.macro_f1(confusion)
        drawn["quadratic-kappa"] = measures.quadratic_kappa(confusion)
        calibration = Calibration.of(self.bootstrap, held.outputs, task.truth)
        if task.classes is not None and task.name == "grades":
            if model != MAJORITY:
                grade = expected(held.outputs, task.classes.worth)
                drawn["spearman"] = self.bootstrap.spearman(grade, self.examples.target)
            self._keep_confusion(model, task.classes.names, confusion[0])
            for label, values in zip(task.classes.names, measures.recalls(confusion).T, strict=True):
                drawn[f"accuracy-grade-{label}"] = values
            if model in self.models:
                self._keep_calibration(model, calibration)
        drawn["ece"] = _recentred(calibration.error())
        return drawn

    def _keep_confusion(self, model: str, names: Sequence[str], counts: Array) -> None:
        for truth, line in zip(names, counts.astype(int).tolist(), strict=True):
            for predicted, n in zip(names, line, strict=True):
                self.confusions.append({"model": model, "truth": truth, "predicted": predicted, "n": n})

    def _keep_calibration(self, model: str, found: Calibration) -> None:
        for place in np.flatnonzero(found.counts[0] > 0).tolist():
            low, high = self.bootstrap.interval(found.right[:, place])
            self.calibration.append(
                {
                    "model": model,
                    "low": place / BINS,
                    "high": (place + 1) / BINS,
                    "n": int(found.counts[0, place]),
                    "certainty": float(found.certainty[0, place]),
                    "accuracy": float(found.right[0, place]),
                    "accuracy_low": low,
                    "accuracy_high": high,
                }
            )

    def _singles(self, task: Task) -> dict[str, _Drawn]:
        """Each feature alone; then the best of them, chosen anew in each training part: by the tree, and by any."""
        learners = single_models(task, self.models)
        names = self.examples.table.names
        for name in learners:
            for feature in names:
                held = self._held(task, name, feature)
                self._add(name, task, feature, self._measure(task, name, held, briefly=True))
        bars: dict[str, _Drawn] = {}
        sets = {BEST_SINGLE: learners}
        if len(learners) > 1:
            # What the paper compares with: single features given to the same learner.
            sets = {f"{BEST_SINGLE}-{learners[0]}": learners[:1], **sets}
        for bar, several in sets.items():
            candidates = [(name, feature) for name in several for feature in names]
            every = [self._held(task, *one) for one in candidates]
            inside = self._rank_correlations(task) if task.kind == "scores" else np.stack([one.inside for one in every])
            best, which = best_of(every, inside, self.folds)
            bars[bar] = self._measure(task, several[0] if task.kind == "pairs" else bar, best)
            self._add(bar, task, CHOSEN_INSIDE, bars[bar])
            picked = [{"by": candidates[one][0], "feature": candidates[one][1]} for one in which]
            self._keep_chosen(task, bar, CHOSEN_INSIDE, picked)
        return bars

    def _rank_correlations(self, task: Task) -> Array:
        """How far each feature follows the scores of each training part, up or down: features by folds.

        One feature cannot fit its training part better than any other, so nothing has to be held out to choose it.
        """
        found = np.zeros((len(self.examples.table.names), len(self.folds)))
        for fold in range(len(self.folds)):
            training = self.folds.training(fold)
            for place, column in enumerate(self.examples.table.values[training].T):
                found[place, fold] = np.nan_to_num(abs(spearman(column, task.target[training])))
        return found

    def _left_out(self, task: Task, model: str, whole: _Drawn) -> None:
        for feature in self.examples.table.names:
            key = (model, task.name, WITHOUT + feature, self.folds.group)
            if key in self.found:
                drawn = self._measure(task, model, self.found[key], briefly=True)
                self._add(model, task, WITHOUT + feature, drawn)
                self._add(model, task, WITHOUT + feature, {"loss": whole["accuracy"] - drawn["accuracy"]})

    def _importance(self, task: Task, model: str, held: HeldOut) -> None:
        if held.costs is None or task is not self.tasks[0]:
            return
        sums = self.bootstrap.sums(np.column_stack([held.costs, np.ones(len(held.costs))]))
        for feature, values in zip(self.examples.table.names, (sums[:, :-1] / sums[:, -1:]).T, strict=True):
            self._add(model, task, feature, {"permutation-importance": values})

    def _keep_chosen(self, task: Task, model: str, features: str, by_fold: Sequence[Mapping[str, Any]]) -> None:
        for fold, chosen in enumerate(by_fold, start=1):
            if chosen:
                self.chosen.append({"fold": fold, "model": model, "task": task.name, "features": features, **chosen})

    def _random(self, task: Task, model: str, whole: _Drawn) -> None:
        """The same on folds that tear segments apart, and what that seems to gain."""
        held = self.found.get((model, task.name, ALL_FEATURES, "none"))
        if held is None or self.folds.group == "none":
            return
        drawn = self._measure(task, model, held, briefly=True)
        main = main_statistic(task)
        drawn["gain-of-random-folds"] = drawn[main] - whole[main]
        self._add(model, task, ALL_FEATURES, drawn, group="none")


def _recentred(drawn: Array) -> Array:
    """Draws around the value: a sample is always worse calibrated than the whole, by what chance adds to distances."""
    if len(drawn) < 2:
        return drawn
    around = np.maximum(drawn - (np.nanmean(drawn[1:]) - drawn[0]), 0.0)
    around[0] = drawn[0]
    return np.asarray(around)


def main_statistic(task: Task) -> str:
    """What gains are gains of."""
    return "spearman" if task.kind == "scores" else "accuracy"
