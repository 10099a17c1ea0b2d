"""``assay.learn``: train predictors of people's judgements from many metrics, and say honestly how good they are."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.reading import read
from assay.errors import AssayWarning, InputError, ParameterError, UnknownName
from assay.learned.features.feature import Feature
from assay.learned.result import Learning, LearningSetup
from assay.learned.training.registry import MODELS, read_models
from assay.learned.training.scikit import OneThread, load_sklearn
from assay.learned.trials.cross_validation import cross_validate, require_classes
from assay.learned.trials.examples import Examples, gather
from assay.learned.trials.folds import GROUPS, USUAL_FOLDS, Folds, make_folds
from assay.learned.trials.grades import Grades, grades_of, read_grades
from assay.learned.trials.measures import Resampling
from assay.learned.trials.plan import Found, Plan, Wanted, plan_of, scored_by
from assay.learned.trials.results import Evaluation
from assay.learned.trials.tasks import ALL, Task, read_tasks, tasks_of
from assay.meta.request import Names, listed
from assay.metrics.base import Metric
from assay.scoring.evaluate import Progress, thread_count

#: As a set of features: those of the score files alone.
ONLY_SCORES = "scores"
#: With more features than these, leaving each out takes long; it is done on demand.
MANY_FEATURES = 15
#: Shares of the whole that features, folds and intervals take, for the bar.
FEATURES_SHARE, FOLDS_SHARE = 0.05, 0.85
#: A grade with fewer translations cannot be told from the others.
FEWEST_PER_GRADE = 10


def learn(
    campaign: Campaign | str | Path,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric = "paper",
    *,
    kind: Names = None,
    tasks: Iterable[str] | str = ALL,
    models: str | tuple[str, ...] | list[str] = MODELS,
    grades: str | int | Sequence[float] | None = None,
    group: str = "segment",
    folds: int = USUAL_FOLDS,
    left_out: bool | None = None,
    references: Names = None,
    systems: Names = None,
    targeted: Names = None,
    scores: Sequence[ExternalScores] = (),
    normalise: str = "none",
    missing: float | None = None,
    lower_is_better: bool = False,
    samples: int = 1000,
    seed: int = 1,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Learning:
    """Learn to predict judgements of one kind, and measure it by cross-validation.

    ``features`` are metrics, parts of them, or the sets ``paper`` and ``wide``; ``scores`` of other programs join in,
    and as a feature ``"scores"`` stands for them alone.

    ``group`` says what must not be in both halves of a fold: a segment (so that no sentence is both learnt from and
    tested on), a document, a system, or nothing. ``left_out`` measures what each feature contributes; without a wish
    that is done for up to fifteen features.
    """
    load_sklearn()
    asked = read_tasks(tasks)
    chosen = read_models(models)
    cuts = read_grades(grades)
    if group not in GROUPS:
        raise UnknownName.of("way to group", group, GROUPS)
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    examples = _examples(
        campaign, features, kind=kind, references=references, systems=systems, targeted=targeted, scores=scores,
        normalise=normalise, missing=missing, lower_is_better=lower_is_better, seed=seed, threads=threads,
        progress=_share(progress, 0.0, FEATURES_SHARE),
    )  # fmt: skip
    made = grades_of(examples.target, examples.judged, cuts)
    _require_enough(made, examples)
    wanted = Wanted(chosen, left_out=len(examples.table.names) <= MANY_FEATURES if left_out is None else left_out)
    run = _Learning(examples, made, group, folds, seed)
    return run.run(asked, wanted, all_asked=ALL in listed(tasks), samples=samples, threads=threads, progress=progress)


def _examples(
    campaign: Campaign | str | Path,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric,
    *,
    kind: Names,
    references: Names,
    systems: Names,
    targeted: Names,
    scores: Sequence[ExternalScores],
    **options: object,
) -> Examples:
    if isinstance(campaign, (str, Path)):
        campaign = read(campaign)
    if not isinstance(campaign, Campaign):
        raise InputError(f"assay.learn takes a campaign or its path, not a {type(campaign).__name__}.")
    campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    return gather(campaign, _resolved(features, scores), kind=listed(kind, ()) or None, scores=scores, **options)  # type: ignore[arg-type]


def _resolved(
    features: Iterable[str | Feature | Metric] | str | Feature | Metric, scores: Sequence[ExternalScores]
) -> list[str | Feature | Metric]:
    """The features, with what stands for those of score files replaced by them."""
    named = [features] if isinstance(features, (str, Feature, Metric)) else list(features)
    if ONLY_SCORES not in named:
        return named
    if not scores:
        raise ParameterError(
            "--features scores takes the features from score files, and there are none: --scores FILE."
        )
    external = [Feature.external(one.name, higher_is_better=one.higher_is_better) for one in scores]
    return [*external, *(one for one in named if one != ONLY_SCORES)]


def _require_enough(grades: Grades, examples: Examples) -> None:
    counts = np.bincount(grades.of(examples.target), minlength=len(grades))
    if counts.min() < FEWEST_PER_GRADE:
        grade = int(counts.argmin())
        raise InputError(
            f"Grade {grades.labels[grade]} ({grades.range_of(grade)}) has {counts[grade]} of {len(examples):,} "
            f"translations; at least {FEWEST_PER_GRADE} are needed to learn it and to test it. Use fewer grades "
            "(--grades 3) or other cut points (--grades A,B)."
        )


def _share(progress: Progress | None, start: float, length: float) -> Progress | None:
    return None if progress is None else lambda done: progress(start + length * done)


class _Learning:
    """One run: folds, the plan, cross-validation, measures."""

    def __init__(self, examples: Examples, grades: Grades, group: str, folds: int, seed: int) -> None:
        self.examples, self.grades, self.seed = examples, grades, seed
        self.folds = make_folds(examples.groups(group), folds, seed=seed, group=group)
        self.random: Folds | None = None
        if group != "none" and len(np.unique(self.folds.groups)) < len(examples):
            # Where every group has one translation, random folds are the same.
            self.random = make_folds(examples.groups("none"), folds, seed=seed, group="none")

    def run(
        self,
        asked: Sequence[str],
        wanted: Wanted,
        *,
        all_asked: bool,
        samples: int,
        threads: int | None,
        progress: Progress | None,
    ) -> Learning:
        """Everything."""
        tasks, reasons = tasks_of(asked, self.examples, self.grades, all_asked=all_asked)
        for reason in reasons:
            warnings.warn(reason, AssayWarning, stacklevel=4)
        needed = self._with_scorers(tasks, wanted)
        for task in needed:
            for folds in (self.folds, self.random):
                if folds is not None:
                    require_classes(task, folds)
        names = self.examples.table.names
        plan = plan_of(tasks, wanted, names, self.folds, random=self.random, scorers=needed[len(tasks) :])
        found = self._cross_validate(plan, thread_count(threads), progress)
        with OneThread()():
            evaluation = self._evaluate(needed, tasks, wanted, found, samples)
        if progress is not None:
            progress(1.0)
        pairs = next((task.preferences for task in tasks if task.preferences is not None), None)
        setup = LearningSetup(
            kind=self.examples.kind,
            features=self.examples.table.names,
            models=wanted.models,
            tasks=tuple(task.name for task in tasks),
            group=self.folds.group,
            folds=len(self.folds),
            unit=self._unit,
            samples=samples,
            seed=self.seed,
            pairs=0 if pairs is None else len(pairs.pairs),
            ties=0 if pairs is None else pairs.ties,
        )
        return Learning(
            examples=self.examples,
            grades=self.grades,
            setup=setup,
            results=tuple(evaluation.results),
            folds=self.folds,
            tasks=tuple(tasks),
            confusions=evaluation.confusions,
            calibration=tuple(evaluation.calibration),
            chosen=tuple(evaluation.chosen),
        )

    @property
    def _unit(self) -> str:
        """What is drawn for intervals: whole documents where folds keep them together, else segments."""
        return "document" if self.folds.group == "document" else "segment"

    def _with_scorers(self, tasks: Sequence[Task], wanted: Wanted) -> list[Task]:
        """The tasks, and those whose scores decide pairs."""
        names = {task.name for task in tasks}
        lacking = {
            scored_by(task, model) for task in tasks for model in (*wanted.models, "uniform") if task.kind == "pairs"
        } - names
        if not lacking:
            return list(tasks)
        extra, _ = tasks_of(sorted(lacking), self.examples, self.grades, all_asked=True)
        return [*tasks, *extra]

    def _cross_validate(self, plan: Plan, threads: int, progress: Progress | None) -> Found:
        runs = list(plan.runs.values())
        held = cross_validate(
            runs,
            self.examples,
            seed=self.seed,
            threads=threads,
            progress=_share(progress, FEATURES_SHARE, FOLDS_SHARE),
        )
        return {run.key: one for run, one in zip(runs, held, strict=True)}

    def _evaluate(
        self,
        needed: Sequence[Task],
        asked: Sequence[Task],
        wanted: Wanted,
        found: Found,
        samples: int,
    ) -> Evaluation:
        resampling = Resampling.of(self.examples.groups(self._unit), samples, self.seed, self.folds.fold)
        evaluation = Evaluation(self.examples, needed, wanted, folds=self.folds, found=found, resampling=resampling)
        evaluation.run(asked)
        return evaluation
