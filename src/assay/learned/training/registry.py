"""The learners there are, by name; two of them combine features without training."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np

from assay.errors import UnknownName
from assay.learned.models.combination import RankMean, SomeColumns, UniformMean
from assay.learned.training.boosting import BoostingLearner
from assay.learned.training.learner import Learner, Trained, TrainingSet
from assay.learned.training.linear import OrdinalLearner, PreferenceLearner, RidgeLearner, graded
from assay.learned.training.tree import TreeLearner


class _UniformLearner(Learner):
    """The mean of standardised features, all of equal weight of which it is known whether more is better.

    No judgement decides about a weight. Only where grades are wanted, the cut points come from the training part.
    """

    name: ClassVar[str] = "uniform"
    tasks: ClassVar[tuple[str, ...]] = ("classes", "scores", "pairs")
    mean: ClassVar[type[UniformMean] | type[RankMean]] = UniformMean

    def fit(self, data: TrainingSet) -> Trained:
        columns = np.array([place for place, better in enumerate(data.better) if better is not None], dtype=np.int64)
        signs = np.array([1 if better else -1 for better in data.better if better is not None], dtype=np.int64)
        model = SomeColumns(self.mean.of(data.values[:, columns], signs), columns, inputs=data.inputs)
        return Trained(model if data.classes is None else graded(model, data))


class _RankLearner(_UniformLearner):
    """The mean of ranks among the training part."""

    name: ClassVar[str] = "rank-average"
    mean: ClassVar[type[UniformMean] | type[RankMean]] = RankMean


#: What ``--model`` takes.
MODELS = ("tree", "boosting", "ordinal", "ridge")
#: Combinations that look at no judgement, always beside them.
UNTRAINED = ("uniform", "rank-average")
#: Learns from pairs, and so is there for pairs alone.
PREFERENCE = "preference"

_LEARNERS: dict[str, type[Learner]] = {
    one.name: one
    for one in (
        TreeLearner,
        BoostingLearner,
        OrdinalLearner,
        RidgeLearner,
        _UniformLearner,
        _RankLearner,
        PreferenceLearner,
    )
}


def learner(name: str) -> Learner:
    """A learner by its name."""
    if name not in _LEARNERS:
        raise UnknownName.of("model", name, _LEARNERS)
    return _LEARNERS[name]()


def read_models(names: Iterable[str]) -> tuple[str, ...]:
    """Names of models, each once."""
    for name in names:
        if name not in MODELS:
            raise UnknownName.of("model", name, MODELS)
    return tuple(dict.fromkeys(names))
