"""What is learnt from, and what is predicted: judged translations with their features; grades out of their scores,
whether a grade is reached, the score itself, the better of two."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign, only, with_words
from assay.data.external import ExternalScores
from assay.errors import AssayWarning, InputError, UnknownName
from assay.learned.features import Feature, FeatureTable, feature_table
from assay.learned.folds import Folds
from assay.learned.learners import PREFERENCE, UNTRAINED, learner
from assay.learned.model import Classes
from assay.learned.training import Targets, TrainingSet, all_pairs
from assay.metrics.base import Metric
from assay.people.grades import Grades
from assay.people.ratings import People
from assay.people.usage import Usage
from assay.scoring.evaluate import Counted, Progress
from assay.scoring.statistics import NO_DOCUMENT, units_of
from assay.significance.draws import Keys, named

#: Fewer translations than these teach nothing that could be tested.
_FEWEST = 20
#: How many grades continuous scores are cut into, unless somebody says otherwise: as many as the paper has.
_USUAL_GRADES = 5
#: Judgements with no more different whole numbers than this are grades as they stand.
_MOST_OWN_GRADES = 10
#: A grade with fewer translations cannot be told from the others.
_FEWEST_PER_GRADE = 10

#: What ``--task`` takes; ``splits`` are all questions whether a grade is reached.
TASKS = ("grades", "splits", "regression", "pairwise")
ALL = "all"
#: Preferences about fewer segments can neither be learnt nor tested.
_FEWEST_SEGMENTS = 10


@dataclass(frozen=True, eq=False)
class Examples:
    """A row per judged translation: features, and what people say in the mean."""

    table: FeatureTable = field(repr=False)
    target: Array = field(repr=False)
    #: The single judgements, of which ``target`` has the means.
    judged: Array = field(repr=False)
    kind: str
    usage: Usage
    #: The same of each campaign, where there are several; systems and segments are numbered through all of them.
    parts: tuple[Examples, ...] = field(default=(), repr=False)
    #: How scores of several campaigns came on one scale, in words; nothing of one campaign.
    scale: str = ""

    def __len__(self) -> int:
        return len(self.target)

    @property
    def name(self) -> str:
        """What the campaigns are called."""
        return ", ".join(part.campaign.name for part in self.parts or (self,))

    @property
    def places(self) -> list[tuple[str, str]]:
        """Of each number of a segment the campaign and what it is called there."""
        return [(part.campaign.name, name) for part in self.parts or (self,) for name in part.campaign.segment_names()]

    @property
    def campaign(self) -> Campaign:
        """Whose translations they are."""
        return self.table.campaign

    @property
    def better(self) -> tuple[bool | None, ...]:
        """Of each feature, whether more is better."""
        return tuple(feature.higher_is_better for feature in self.table.features)

    def groups(self, group: str) -> Keys:
        """What belongs together, by its key; nothing of one campaign belongs to what is in another."""
        if group == "campaign":
            names = np.array([len(part) for part in self.parts or (self,)])
            return np.repeat(named([part.campaign.name for part in self.parts or (self,)]), names)
        if self.parts:
            known = [part for part in self.parts if part.tells_documents]
            # A campaign that does not know its documents goes by segments, if others do know theirs.
            kept = [group if group != "document" or part in known or not known else "segment" for part in self.parts]
            keys = [part.groups(own) ^ named([part.campaign.name]) for part, own in zip(self.parts, kept, strict=True)]
            return np.concatenate(keys)
        systems, places = named([*self.campaign.systems])[self.table.systems], self.campaign.places
        segments = (self.table.segments if places is None else places[self.table.segments]).astype(np.uint64)
        if group != "document":
            return {"none": systems + segments, "segment": segments, "system": systems}[group]
        labels = self.campaign.documents
        if labels is None or not self.tells_documents:
            raise InputError(
                f"{self.campaign.name} does not say which document a segment is in, so folds cannot keep documents "
                "together. Put a docs.txt into the folder, or use --group segment."
            )
        units = units_of(labels, len(labels), "document", places)
        return units.spread(units.keys)[self.table.segments]

    @property
    def tells_documents(self) -> bool:
        """Whether the campaign says which document a segment is in."""
        return not all(name in NO_DOCUMENT for name in self.campaign.documents or ())


def joined_examples(parts: Sequence[Examples], *, one_scale: bool) -> Examples:
    """The examples of several campaigns as one training set.

    Scores are taken as they are where they are on ``one_scale``, or where all campaigns have the same few grades; else
    those of each campaign are standardised: less their mean, by their standard deviation.
    """
    own = [np.unique(part.judged) for part in parts]
    graded = all(_are_grades(values) for values in own) and len({(values[0], values[-1]) for values in own}) == 1
    targets, judged = [part.target for part in parts], [part.judged for part in parts]
    scale = "Scores of all campaigns are taken as they are, on one scale."
    if not (one_scale or graded):
        for part in parts:
            if np.ptp(part.target) == 0.0:
                raise InputError(
                    f"{part.campaign.name}: all scores are {part.target[0]:g}, and cannot be standardised."
                )
        targets = [(target - target.mean()) / target.std() for target in targets]
        judged = targets
        scale = (
            "Scores of each campaign are standardised (less their mean, by their standard deviation), for they need "
            "not be on one scale. --grades with cut points, or --normalise, takes them as they are."
        )
    first, tables = parts[0].table, [part.table for part in parts]
    segments = np.cumsum([0, *(len(part.campaign) for part in parts)])
    systems = np.cumsum([0, *(len(part.campaign.systems) for part in parts)])
    table = replace(
        first,
        values=np.concatenate([one.values for one in tables]),
        systems=np.concatenate([one.systems + start for one, start in zip(tables, systems, strict=False)]),
        segments=np.concatenate([one.segments + start for one, start in zip(tables, segments, strict=False)]),
    )
    if len(table) < _FEWEST:
        raise InputError(
            f"{len(table)} judged translations of all campaigns are too few to learn from and test on; it takes at "
            f"least {_FEWEST}."
        )
    unused: Counter[str] = Counter()
    for part in parts:
        unused.update(part.usage.unused)
    usage = Usage(sum(part.usage.total for part in parts), dict(unused))
    kind = "/".join(dict.fromkeys(part.kind for part in parts))
    joined = np.concatenate(targets)
    return Examples(_without_constants(table), joined, np.concatenate(judged), kind, usage, tuple(parts), scale)


def _are_grades(values: Array) -> bool:
    """Whether these are a few whole numbers."""
    return bool(2 <= len(values) <= _MOST_OWN_GRADES and (values == np.round(values)).all())


def examples_of(
    campaign: Campaign,
    people: People,
    usage: Usage,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric,
    *,
    scores: Sequence[ExternalScores] = (),
    threads: int | None = None,
    progress: Progress | None = None,
    learnt: bool = False,
    several: bool = False,
    layers: Mapping[str, str] | None = None,
    known: Counted | None = None,
) -> Examples:
    """The judged translations of a campaign of which every segment has a reference; what is left out is counted.

    Features that are the same for all of them are left out, unless models have ``learnt`` elsewhere to look at them,
    or these are one of ``several`` campaigns, which are looked at together.
    """
    grid = people.grid
    if np.isnan(grid).all():
        raise InputError(
            f"{campaign.name}: judgements of kind {people.name} give no score to single segments, which a predictor "
            "learns from. Choose others with --kind."
        )
    coarse = int((people.judgements.segment < 0).sum())
    if coarse:
        usage = Usage(usage.total, {**usage.unused, "of whole documents or systems": coarse})
    campaign = replace(campaign, systems={name: campaign.systems[name] for name in people.systems})
    wanted = ~np.isnan(grid)
    if int(wanted.sum()) < (1 if several else _FEWEST):
        raise InputError(
            f"{campaign.name}: {int(wanted.sum())} judged translations are too few to learn from and test on; it takes "
            f"at least {_FEWEST}. {usage}"
        )
    table = feature_table(
        campaign, features, scores=scores, wanted=wanted, threads=threads, progress=progress, layers=layers, known=known
    )
    table = table if learnt or several else _without_constants(table)
    single = people.judgements.score[people.judgements.segment >= 0]
    return Examples(table, grid[table.systems, table.segments], single, people.name, usage)


def with_references(
    campaign: Campaign, scores: Sequence[ExternalScores]
) -> tuple[Campaign, Sequence[ExternalScores], int]:
    """Segments that have a reference of their own: not only a post-edit, and not an empty line.

    A post-edit was made from the very translation that is to be graded. Who wants features that see it says so by
    ``hter``, which they are for.
    """
    others = [name for name in campaign.references if name not in campaign.targeted]
    there = with_words(campaign, others or campaign.references)
    if there.all() or not there.any():
        return campaign, scores, 0
    kept = np.flatnonzero(there)
    before = 0 if campaign.judgements is None else len(campaign.judgements)
    campaign = only(campaign, kept)
    after = 0 if campaign.judgements is None else len(campaign.judgements)
    return campaign, [one.of_segments(kept) for one in scores], before - after


def _without_constants(table: FeatureTable) -> FeatureTable:
    """Features that are the same for every translation say nothing; they are left out, and named."""
    constant = [name for name, column in zip(table.names, table.values.T, strict=True) if np.ptp(column) == 0.0]
    if len(constant) == len(table.names):
        raise InputError("Every feature is the same for all translations: there is nothing to learn from.")
    if constant:
        warnings.warn(
            f"Left out, because the same for every translation: {', '.join(constant)}.", AssayWarning, stacklevel=2
        )
        return table.without(*constant)
    return table


def classes_of(grades: Grades) -> Classes:
    """Grades as classes, each worth the number that it is called by."""
    return Classes(grades.labels, tuple(map(float, grades.labels)))


def learnable_grades(scores: Array, judged: Array, given: int | tuple[float, ...] | None) -> Grades:
    """Grades for ``scores`` that all occur; ``judged`` are the single judgements, which may be grades themselves.

    Quantiles are those of all scores, before any fold is made. Cut points are the question that is asked of every
    predictor alike, not a part of any answer: no predictor sees a score that it is tested on because of them.
    """
    own = np.unique(judged)
    if isinstance(given, int):
        grades = _quantile_grades(scores, given)
    elif given is not None:
        grades = Grades(given, "stated", tuple(map(str, range(1, len(given) + 2))))
    elif _are_grades(own):
        # Without those that no mean of several judges comes near.
        there = _own_grades(own).counts(scores) > 0
        grades = _own_grades(own[there] if there.sum() > 1 else own)
    else:
        grades = _usual_grades(scores)
    _require_all(grades, scores)
    return grades


def _own_grades(values: Array) -> Grades:
    middles = (values[:-1] + values[1:]) / 2.0
    return Grades(tuple(middles.tolist()), "judged", tuple(f"{value:g}" for value in values))


def _usual_grades(scores: Array) -> Grades:
    """Five quantiles, or as many as equal scores allow."""
    possible = (count for count in range(_USUAL_GRADES, 2, -1) if len(set(_quantiles(scores, count))) == count - 1)
    count = next(possible, 2)
    grades = _quantile_grades(scores, count)
    if count < _USUAL_GRADES:
        warnings.warn(
            f"Too many scores are equal for {_USUAL_GRADES} grades of about the same size: there are {count}. State "
            "cut points for others: --grades A,B.",
            AssayWarning,
            stacklevel=3,
        )
    return grades


def _quantiles(scores: Array, count: int) -> tuple[float, ...]:
    """Cut points between different scores, each where the share below it is nearest to its quantile."""
    values, counts = np.unique(scores, return_counts=True)
    if len(values) < 2:
        raise InputError(
            f"All {len(scores):,} scores are {scores[0]:g}: there is one grade only, and nothing to learn. "
            "Choose other judgements with --kind."
        )
    below = np.cumsum(counts)[:-1] / len(scores)
    wanted = np.arange(1, count) / count
    nearest = np.abs(below[None, :] - wanted[:, None]).argmin(axis=1)
    return tuple(values[nearest + 1].tolist())


def _quantile_grades(scores: Array, count: int) -> Grades:
    cuts = _quantiles(scores, count)
    if len(set(cuts)) < len(cuts):
        values, counts = np.unique(scores, return_counts=True)
        most = int(counts.argmax())
        raise InputError(
            f"Quantiles cannot make {count} grades of these scores: too many are equal ({counts[most]:,} of "
            f"{len(scores):,} are {values[most]:g}), so that a grade would be empty. Ask for fewer grades (--grades 3) "
            "or state the cut points (--grades A,B,C)."
        )
    return Grades(cuts, "quantiles", tuple(map(str, range(1, count + 1))))


def _require_all(grades: Grades, scores: Array) -> None:
    """Refuse a single grade, and grades that no score has."""
    counts = grades.counts(scores)
    reach = f"The scores go from {scores.min():g} to {scores.max():g}"
    if np.count_nonzero(counts) < 2:
        only = int(counts.argmax())
        raise InputError(
            f"All {len(scores):,} translations have grade {grades.labels[only]} ({grades.range_of(only)}): there is "
            f"one class only, and nothing to learn. {reach}; choose other cut points or judgements."
        )
    if (counts == 0).any():
        empty = int(counts.argmin())
        raise InputError(
            f"No translation has grade {grades.labels[empty]} ({grades.range_of(empty)}). {reach}; choose other cut "
            "points, or a number of grades: --grades 5."
        )


def require_enough(grades: Grades, scores: Array) -> None:
    """Refuse grades that too few translations have."""
    counts = grades.counts(scores)
    grade = int(counts.argmin())
    if counts[grade] < _FEWEST_PER_GRADE:
        raise InputError(
            f"Grade {grades.labels[grade]} ({grades.range_of(grade)}) has {counts[grade]} of {len(scores):,} "
            f"translations; at least {_FEWEST_PER_GRADE} are needed to learn it and to test it. Use fewer grades "
            "(--grades 3) or other cut points (--grades A,B)."
        )


@dataclass(frozen=True, eq=False)
class Task:
    """A question asked of every translation (or pair), with its true answers.

    ``kind`` is ``classes``, ``scores`` or ``pairs``; ``target`` has the number of each class, or the score, by which
    pairs are decided.
    """

    name: str
    kind: str
    target: NDArray[Any] = field(repr=False)
    classes: Classes | None = None
    #: Of pairs: those that people decided, the better one first, and how many ties there were beside them.
    pairs: Codes = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64), repr=False)
    ties: int = 0

    @classmethod
    def pairwise(cls, segments: Codes, target: Array) -> Task:
        """Which of two translations of one segment is better?"""
        decided = Targets(target, None, segments, segments, 0).pairs
        return cls("pairwise", "pairs", target, None, decided, len(all_pairs(segments)) - len(decided))

    @property
    def statistic(self) -> str:
        """What gains are gains of."""
        return "spearman" if self.kind == "scores" else "accuracy"

    def right(self, scores: Array) -> Array:
        """For each pair 1 if the better one has the higher score, half if scores are equal."""
        ahead = scores[self.pairs[:, 0]] - scores[self.pairs[:, 1]]
        return np.where(ahead > 0, 1.0, np.where(ahead == 0, 0.5, 0.0))

    def training_set(self, examples: Examples, groups: Codes, seed: int) -> TrainingSet:
        """All examples with what is to be learnt about them; ``groups`` belong together."""
        targets = Targets(self.target, self.classes, groups, examples.table.segments, seed)
        return TrainingSet(examples.table.values, targets, examples.better)

    def contestants(self, models: Sequence[str]) -> list[str]:
        """Models that answer it with all features, combinations without training among them."""
        if self.kind == "pairs":
            return [*UNTRAINED, PREFERENCE, *models]
        return [*UNTRAINED, *(name for name in models if self.kind in learner(name).tasks)]

    def single_models(self, models: Sequence[str]) -> tuple[str, ...]:
        """Learners that a single feature is given to, of which the best inside the training part stands for it."""
        if self.kind == "classes":
            return tuple(dict.fromkeys((ablated(models), "ordinal")))
        return ("ridge",) if self.kind == "scores" else (PREFERENCE,)

    def scored_by(self, model: str) -> str:
        """The task whose predictions a model answers with: the better of two translations has the higher score."""
        if self.kind != "pairs" or model == PREFERENCE:
            return self.name
        return "grades" if model == "ordinal" else "regression"

    def majority(self) -> Array:
        """The paper's baseline: for every example the class that is most frequent in the whole database.

        A majority of the training part alone would be right less often than by chance where classes are equally
        frequent: of what is frequent outside a fold, there is less inside.
        """
        counts = np.bincount(self.target, minlength=len(self.classes or ()))
        return np.tile(counts / counts.sum(), (len(self.target), 1))

    def require_classes(self, folds: Folds) -> None:
        """Refuse folds whose training part lacks a class altogether."""
        if self.classes is None:
            return
        for fold in range(len(folds)):
            counts = np.bincount(self.target[folds.training(fold)], minlength=len(self.classes))
            if (counts == 0).any():
                lacking = int(counts.argmin())
                count = int((self.target == lacking).sum())
                raise InputError(
                    f"All {count} translations of grade {self.classes.names[lacking]} are in one fold, so that "
                    "nothing can be learnt of it. Use fewer grades or other cut points (--grades), or group otherwise "
                    "(--group)."
                )


def ablated(models: Sequence[str]) -> str:
    """The model whose features are taken one by one: the tree, as in the paper, if it is there."""
    return "tree" if "tree" in models else models[0]


def read_tasks(names: Iterable[str]) -> tuple[str, ...]:
    """The tasks of these names, in the order in which they are reported.

    >>> read_tasks(["pairwise", "grades"]), len(read_tasks(["all"]))
    (('grades', 'pairwise'), 4)
    """
    for name in names:
        if name not in (*TASKS, ALL):
            raise UnknownName.of("task", name, (*TASKS, ALL))
    return TASKS if ALL in names else tuple(name for name in TASKS if name in names)


def tasks_of(names: Iterable[str], examples: Examples, grades: Grades, *, all_asked: bool = True) -> list[Task]:
    """The tasks of these names; one that cannot be had is an error, or a warning where ``all_asked`` for it."""
    codes = grades.of(examples.target)
    tasks: list[Task] = []
    for name in names:
        if name == "grades":
            tasks.append(Task("grades", "classes", codes, classes_of(grades)))
        elif name == "splits" and len(grades) > 2:
            # Whether a grade is reached, the paper's 4_3210 and so on; two grades are split already.
            for grade, label in reversed([*enumerate(grades.labels)][1:]):
                classes = Classes((f"<{label}", f">={label}"), (0.0, 1.0))
                tasks.append(Task(f"grade>={label}", "classes", (codes >= grade).astype(np.int64), classes))
        elif name == "regression":
            tasks.append(Task("regression", "scores", examples.target))
        elif name == "pairwise":
            task = Task.pairwise(examples.table.segments, examples.target)
            segments = len(np.unique(examples.table.segments[task.pairs[:, 0]]))
            if segments >= _FEWEST_SEGMENTS:
                tasks.append(task)
            elif all_asked:
                warnings.warn(_too_few(segments, task.ties), AssayWarning, stacklevel=3)
            else:
                raise InputError(_too_few(segments, task.ties))
    if not tasks:
        raise InputError("There are two grades only, which is one split: ask for --task grades.")
    return tasks


def _too_few(segments: int, ties: int) -> str:
    there = "there are none" if segments == 0 else f"there {'is' if segments == 1 else 'are'} {segments}"
    alike = f" ({ties:,} pairs were judged alike)" if ties else ""
    return (
        f"Pairwise preference needs at least {_FEWEST_SEGMENTS} segments of which two systems were judged, and judged "
        f"differently; {there}{alike}. Judge several systems on the same segments, or ask for other tasks (--task)."
    )
