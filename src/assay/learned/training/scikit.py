"""scikit-learn, imported where something is learnt, and held to one thread so that its sums have one order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.errors import MissingExtra
from assay.learned.models.trees import LEAF, Tree


def load_sklearn() -> Any:
    """scikit-learn, or the advice to install it."""
    try:
        import sklearn
        import sklearn.tree
    except ImportError as error:
        raise MissingExtra.of("Learning a predictor", "learn") from error
    return sklearn


def single(values: Array) -> NDArray[np.float32]:
    """In single precision, in which scikit-learn's trees see features; they need not look at them again."""
    return np.ascontiguousarray(values, dtype=np.float32)


def plain_tree(fitted: Any, values: Array) -> Tree:
    """A tree of scikit-learn as plain data, with these values at its nodes."""
    nodes = fitted.tree_
    leaf = nodes.children_left < 0
    return Tree(
        feature=np.where(leaf, LEAF, nodes.feature).astype(np.int64),
        threshold=np.where(leaf, 0.0, nodes.threshold),
        left=nodes.children_left.astype(np.int64),
        right=nodes.children_right.astype(np.int64),
        values=values,
    )


class OneThread:
    """Linear algebra and boosting on one thread: the same bits whatever the machine has.

    Folds run side by side instead. Libraries are looked for once, because that takes longer than to learn a small
    tree. OpenMP and scikit-learn keep settings per thread of Python, so each worker has to ``join``.
    """

    #: What it is given was checked before, and its options are ours.
    SETTINGS: ClassVar[dict[str, bool]] = {"assume_finite": True, "skip_parameter_validation": True}

    def __init__(self) -> None:
        self._sklearn = load_sklearn()
        from threadpoolctl import ThreadpoolController

        self._controller = ThreadpoolController()

    def join(self) -> None:
        """For a thread that works for whoever is inside the context."""
        self._controller.limit(limits=1)
        self._sklearn.set_config(**self.SETTINGS)

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """While something is learnt or measured."""
        with self._controller.limit(limits=1), self._sklearn.config_context(**self.SETTINGS):
            yield
