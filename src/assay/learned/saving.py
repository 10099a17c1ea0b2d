"""The predictor that is kept: fitted on everything, with a card that says what it reached on what it had not seen."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np

from assay.data.formats.compression import is_compressed
from assay.errors import InputError, ParameterError
from assay.learned.combine import training_data
from assay.learned.result import Learning
from assay.learned.saved.model_card import HeldOutScore, ModelCard, TrainingData, versions
from assay.learned.saved.model_file import QualityModel
from assay.learned.training.registry import PREFERENCE, learner, read_models
from assay.learned.training.scikit import OneThread
from assay.learned.trials.cross_validation import lesson_of
from assay.learned.trials.results import main_statistic
from assay.learned.trials.tasks import Task, read_tasks


def check_savable(path: str | None, model: str | None, *, overwrite: bool, models: str, tasks: str) -> None:
    """Fail before long work, not behind it."""
    if path is None:
        if model is not None or overwrite:
            raise ParameterError("--save-model and --overwrite go with --save FILE.")
        return
    if is_compressed(path):
        raise InputError(f"{path}: a model is a plain JSON file. Leave out the ending of the compression.")
    if Path(path).exists() and not overwrite:
        raise InputError(f"{path}: there is a file already. Choose another name, or say --overwrite.")
    if model is not None and model not in read_models(models):
        raise ParameterError(f"--save-model is {model}, which is not among the models that are learnt ({models}).")
    first = read_tasks(tasks)[0]
    if first == "pairwise" and model is not None:
        raise ParameterError(
            f"For --task pairwise a {PREFERENCE} is saved, which learns from pairs: leave out --save-model {model}, or "
            f"ask for another task first (--task regression,pairwise)."
        )
    if first == "regression" and (model or ",".join(read_models(models))) == "ordinal":
        raise ParameterError("ordinal predicts grades, and --task regression has none: nothing can be saved.")


def final_predictor(found: Learning, model: str | None = None) -> QualityModel:
    """A predictor for the first task, learnt from all examples; of several models the best on held-out folds.

    That choice saw the held-out scores, so those on the card are a little too good when many models compete.
    """
    task = next(one for one in found.tasks)
    able = (
        [PREFERENCE] if task.kind == "pairs" else [one for one in found.setup.models if task.kind in learner(one).tasks]
    )
    if not able:
        raise ParameterError(f"None of {', '.join(found.setup.models)} can be saved for the task {task.name}.")
    statistic = main_statistic(task)
    name = model or max(able, key=lambda one: found.of(one, task.name, statistic).value or -1.0)
    if name not in able:
        raise ParameterError(f"A {name} cannot be saved for the task {task.name}; {', '.join(able)} can.")
    columns = range(len(found.setup.features))
    with OneThread()():
        learnt = learner(name).learn(lesson_of(task, found.examples, columns, found.folds.groups, found.setup.seed))
    settings = {key: f"{value:g}" for key, value in learnt.chosen.items()}
    return QualityModel.of(learnt.model, found.examples.table.features, _card(found, task, name, settings))


def _card(found: Learning, task: Task, model: str, settings: dict[str, str]) -> ModelCard:
    together = "dealt out at random" if found.setup.group == "none" else f"grouped by {found.setup.group}"
    held_out = tuple(
        HeldOutScore(one.statistic, one.value, one.low, one.high)
        for one in found.find(model=model, task=task.name, features="all")
        if one.value is not None
    )
    graded = task.name == "grades"
    several = len(found.setup.models) > 1 and task.kind != "pairs"
    note = f"Of {', '.join(found.setup.models)}; held-out scores are those of the one that was saved."
    return ModelCard(
        task=task.name,
        unit=_unit(found, task),
        method=model,
        kinds=(found.setup.kind,),
        training=(_training(found),),
        grades=found.grades.labels if graded else (),
        cuts=found.grades.cuts if graded else (),
        folds=f"{found.setup.folds} folds, {together}",
        held_out=held_out,
        settings=settings,
        versions=versions("scipy", "scikit-learn"),
        seed=found.setup.seed,
        notes=(note,) if several else (),
    )


def _unit(found: Learning, task: Task) -> str:
    if task.kind == "scores":
        return f"score of kind {found.setup.kind}"
    if task.kind == "pairs":
        return "preference; only differences count"
    if task.name == "grades":
        return f"expected grade, {found.grades.labels[0]} to {found.grades.labels[-1]}"
    return f"probability of {task.name}"


def _training(found: Learning) -> TrainingData:
    judged = hashlib.sha256(np.ascontiguousarray(found.examples.target).tobytes()).hexdigest()[:16]
    return training_data(found.examples.campaign, found.examples.table, {"judgements": judged})
