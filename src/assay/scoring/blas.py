"""Linear algebra on one thread, for work that has threads of its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """While several threads multiply small matrices: theirs would only wait for each other.

    It needs threadpoolctl, which comes with the extra ``learn``; without it nothing changes but the time.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(limits=1, user_api="blas"):
        yield
