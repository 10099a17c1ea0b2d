"""The learners there are, by name."""

from __future__ import annotations

from assay.errors import UnknownName
from assay.learned.training.boosting import BoostingLearner
from assay.learned.training.combination import RankLearner, UniformLearner
from assay.learned.training.lesson import Learner
from assay.learned.training.ordinal import OrdinalLearner
from assay.learned.training.preference import PreferenceLearner
from assay.learned.training.ridge import RidgeLearner
from assay.learned.training.tree import TreeLearner

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
        UniformLearner,
        RankLearner,
        PreferenceLearner,
    )
}


def learner(name: str) -> Learner:
    """A learner by its name."""
    if name not in _LEARNERS:
        raise UnknownName.of("model", name, _LEARNERS)
    return _LEARNERS[name]()


def read_models(given: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Names of models, in a list or with commas between, each once.

    >>> read_models("tree, ridge")
    ('tree', 'ridge')
    """
    names = [name.strip() for name in given.split(",")] if isinstance(given, str) else list(given)
    for name in names:
        if name not in MODELS:
            raise UnknownName.of("model", name, MODELS)
    return tuple(dict.fromkeys(names))
