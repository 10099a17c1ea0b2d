"""Work in threads, so that Control-C is heard at once: only the main thread hears it, and only between its own steps.

Whoever is interrupted leaves. Threads that are in the middle of something end with that piece of work, and the command
line does not wait for them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")
Item = TypeVar("Item")


@contextmanager
def workers(threads: int, begin: Callable[[], None] | None = None) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads, each of which calls ``begin`` first; after an error or interrupt nobody waits for it."""
    pool = ThreadPoolExecutor(threads, initializer=begin)
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def in_threads(work: Callable[[Item], T], items: Sequence[Item], threads: int) -> list[T]:
    """The results of independent work, in order: numpy lets go of the lock."""
    if threads == 1 or len(items) < 2:
        return [work(item) for item in items]
    with workers(threads) as pool:
        return list(pool.map(work, items))


def interruptible(work: Callable[[], T]) -> T:
    """What ``work`` gives. Compiled loops hear no interrupt, so the main thread waits for another that runs them."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    with workers(1) as pool:
        return pool.submit(copy_context().run, work).result()
