"""scikit-learn, imported where something is learnt, and held to one thread so that its sums have one order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from assay.errors import MissingExtra


def load_sklearn() -> Any:
    """scikit-learn, or the advice to install it."""
    try:
        import sklearn
        import sklearn.ensemble
        import sklearn.tree
    except ImportError as error:
        raise MissingExtra.of("Learning a predictor", "learn") from error
    return sklearn


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
