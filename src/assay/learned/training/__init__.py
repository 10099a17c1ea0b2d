"""Learners by name: each makes a model that is data out of the training part of a fold; two need no training."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np

from assay.errors import UnknownName
from assay.learned.models.combination import MEANS, RankMean, SomeColumns, UniformMean
from assay.learned.training.learner import Learner, Trained, TrainingSet
from assay.learned.training.linear import fit_ordinal, fit_preference, fit_ridge, graded
from assay.learned.training.trees import fit_boosting, fit_tree


def _fit_mean(mean: type[UniformMean] | type[RankMean], data: TrainingSet) -> Trained:
    """The mean of all features of which it is known whether more is better, each of equal weight.

    No judgement decides about a weight. Only where grades are wanted, the cut points come from the training part.
    """
    columns = np.array([place for place, better in enumerate(data.better) if better is not None], dtype=np.int64)
    signs = np.array([1 if better else -1 for better in data.better if better is not None], dtype=np.int64)
    model = SomeColumns(mean.of(data.values[:, columns], signs), columns, inputs=data.inputs)
    return Trained(model if data.classes is None else graded(model, data))


#: What ``--model`` takes.
MODELS = ("tree", "boosting", "ordinal", "ridge")
#: Combinations that look at no judgement, always beside them.
UNTRAINED = tuple(MEANS)
#: Learns from pairs, and so is there for pairs alone.
PREFERENCE = "preference"

_LEARNERS = {
    one.name: one
    for one in (
        Learner("tree", ("classes", "scores"), fit_tree),
        Learner("boosting", ("classes", "scores"), fit_boosting),
        Learner("ordinal", ("classes",), fit_ordinal),
        Learner("ridge", ("classes", "scores"), fit_ridge),
        *(Learner(name, ("classes", "scores", "pairs"), partial(_fit_mean, mean)) for name, mean in MEANS.items()),
        Learner(PREFERENCE, ("pairs",), fit_preference),
    )
}


def learner(name: str) -> Learner:
    """A learner by its name."""
    if name not in _LEARNERS:
        raise UnknownName.of("model", name, _LEARNERS)
    return _LEARNERS[name]


def read_models(names: Iterable[str]) -> tuple[str, ...]:
    """Names of models, each once."""
    for name in names:
        if name not in MODELS:
            raise UnknownName.of("model", name, MODELS)
    return tuple(dict.fromkeys(names))
