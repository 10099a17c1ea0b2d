"""What a learner is given, and what it gives back; and scikit-learn, imported where something is learnt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes, Flags
from assay.errors import MissingExtra, ParameterError
from assay.learned.folds import make_folds
from assay.learned.model import Classes, Grader, Model
from assay.properties import cached_property

#: Folds inside the training part, in which pruning, penalties and numbers of trees are chosen.
_INNER_FOLDS = 3
#: Of scikit-learn: what it is given was checked before, and its options are ours.
_SETTINGS = {"assume_finite": True, "skip_parameter_validation": True}


def all_pairs(segments: Codes) -> Codes:
    """All pairs of translations of one segment, two columns of row numbers, in a fixed order."""
    order = np.argsort(segments, kind="stable")
    ordered = segments[order]
    found = []
    # The second of a pair stands one place behind the first, two places, and so on, while the segment is the same.
    for apart in range(1, len(segments)):
        same = np.flatnonzero(ordered[apart:] == ordered[:-apart])
        if not len(same):
            break
        found.append(np.stack([order[same], order[same + apart]], axis=1))
    return np.concatenate(found) if found else np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Targets:
    """What is to be learnt about some translations, whatever the features that they are seen through.

    ``target`` holds numbers of classes where there are ``classes``, else scores. ``groups`` must not be torn apart
    when something is chosen inside; ``segments`` say which translations preferences compare.
    """

    target: NDArray[Any]
    classes: Classes | None
    groups: Codes
    segments: Codes
    seed: int

    @cached_property
    def pairs(self) -> Codes:
        """Pairs of translations of one segment that people decided, the better one first; ties are left out."""
        pairs = all_pairs(self.segments)
        ahead = self.target[pairs[:, 0]] - self.target[pairs[:, 1]]
        better_first: Codes = np.where(ahead[:, None] > 0, pairs, pairs[:, ::-1])[ahead != 0]
        return better_first

    @cached_property
    def inner(self) -> list[list[tuple[Codes, Targets]]]:
        """Folds inside: rows to learn from and rows to judge by, with their targets, by the same groups.

        Where fewer groups are left than folds, as with two systems, the rows themselves are dealt out.
        """
        few = len(np.unique(self.groups)) < _INNER_FOLDS
        folds = make_folds(np.arange(len(self.groups)) if few else self.groups, _INNER_FOLDS, seed=self.seed)
        parts = [(folds.training(number), folds.tested(number)) for number in range(_INNER_FOLDS)]
        return [[(np.flatnonzero(rows), self.only(rows)) for rows in part] for part in parts]

    def only(self, rows: Flags | Codes) -> Targets:
        """Those of some translations."""
        return Targets(self.target[rows], self.classes, self.groups[rows], self.segments[rows], self.seed)


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """The training part of a fold: all that a learner ever sees."""

    values: Array
    targets: Targets
    #: Of each feature, whether more is better; None where nobody can say.
    better: tuple[bool | None, ...]

    def __len__(self) -> int:
        return len(self.values)

    @property
    def inputs(self) -> int:
        """How many features there are."""
        return int(self.values.shape[1])

    @property
    def classes(self) -> Classes | None:
        """The classes, where there are some."""
        return self.targets.classes

    @property
    def graded(self) -> Classes:
        """The classes, where there must be some."""
        if self.classes is None:
            raise ParameterError("These are scores, and have no classes.")
        return self.classes

    @property
    def target(self) -> NDArray[Any]:
        """Numbers of classes, or scores."""
        return self.targets.target

    def inner(self) -> Iterator[tuple[TrainingSet, TrainingSet]]:
        """Learn from the first, judge by the second: folds inside the training part."""
        for part in self.targets.inner:
            training, held = (TrainingSet(self.values[rows], targets, self.better) for rows, targets in part)
            yield training, held

    def only(self, rows: Flags) -> TrainingSet:
        """Some of the translations."""
        return replace(self, values=self.values[rows], targets=self.targets.only(rows))

    def of_features(self, columns: list[int]) -> TrainingSet:
        """Some of the features."""
        better = tuple(self.better[column] for column in columns)
        return replace(self, values=np.ascontiguousarray(self.values[:, columns]), better=better)


@dataclass(frozen=True, eq=False)
class Trained:
    """A model, what was chosen inside the training part to get it, and how good it was there."""

    model: Model
    chosen: Mapping[str, float] = field(default_factory=dict)
    #: The share of right answers (or minus the mean squared error) on the inner folds; NaN where nothing was chosen.
    inside: float = float("nan")


@dataclass(frozen=True)
class Learner:
    """Makes a model out of a training set."""

    name: str
    #: Which tasks it can do: ``classes``, ``scores``, ``pairs``.
    tasks: tuple[str, ...]
    #: Fits the model, with everything that has to be chosen chosen inside the training set.
    fit: Callable[[TrainingSet], Trained]


def held_out(data: TrainingSet, fit: Callable[[TrainingSet], Model]) -> float:
    """How good what ``fit`` makes is on inner folds that it has not seen: what learners of one feature compete by."""
    return sum(goodness(fit(training), held) * len(held) for training, held in data.inner()) / len(data)


def goodness(model: Model, data: TrainingSet) -> float:
    """The share of right answers, or minus the mean squared error."""
    if isinstance(model, Grader):
        return float((model.grades(data.values) == data.target).mean())
    return -float(((model.score(data.values) - data.target) ** 2).mean())


def load_sklearn() -> Any:
    """scikit-learn, or the advice to install it."""
    try:
        import sklearn
        import sklearn.tree
    except ImportError as error:
        raise MissingExtra.of("Learning a predictor", "learn") from error
    return sklearn


@contextmanager
def one_thread() -> Iterator[Callable[[], None]]:
    """Linear algebra and boosting on one thread while something is learnt: the same bits whatever the machine has.

    Folds run side by side instead. Libraries are looked for once, because that takes longer than to learn a small
    tree. OpenMP and scikit-learn keep settings per thread of Python, so each worker has to call what this gives.
    """
    sklearn = load_sklearn()
    from threadpoolctl import ThreadpoolController

    controller = ThreadpoolController()

    def join() -> None:
        controller.limit(limits=1)
        sklearn.set_config(**_SETTINGS)

    with controller.limit(limits=1), sklearn.config_context(**_SETTINGS):
        yield join
