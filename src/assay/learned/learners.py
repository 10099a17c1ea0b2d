"""Learners by name, each of which makes a model that is data; and the kinds of model that a file may hold."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from assay.errors import UnknownName
from assay.learned.combination import MEANS, Graded, Plain, SomeColumns, fit_mean
from assay.learned.linear import Logistic, Ordinal, fit_ordinal, fit_preference, fit_ridge
from assay.learned.training import Learner
from assay.learned.trees import BoostedGrader, TreeGrader, fit_boosting, fit_tree

#: The kinds of model that a file may hold. There are no others: a name in a file never leads to code of its choice.
#: To apply one takes numpy and nothing else; to read one runs no code.
AnyModel = Plain | SomeColumns | Graded | Logistic | Ordinal | TreeGrader | BoostedGrader

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
        *(Learner(name, ("classes", "scores", "pairs"), partial(fit_mean, mean)) for name, mean in MEANS.items()),
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
