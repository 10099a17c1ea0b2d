"""scikit-learn, imported where something is learnt, and held to one thread so that its sums have one order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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


@contextmanager
def one_thread() -> Iterator[None]:
    """Linear algebra and boosting on one thread: the same bits whatever the machine has.

    Folds run side by side instead. OpenMP counts its threads per thread of Python, so each of them has to ask.
    """
    load_sklearn()
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield
