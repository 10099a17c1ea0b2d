"""A progress bar for work that takes more than a second, on a terminal's standard error only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

#: Seconds before a bar appears, and between two of its states: short work should not flicker.
PATIENCE, PAUSE = 1.0, 0.1
WIDTH = 40


@contextmanager
def progress(title: str, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Yields a function to be told the share that is done, or nothing where nobody watches; nothing is left behind."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    started = shown = time.monotonic()

    def report(share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - started > PATIENCE and now - shown > PAUSE:
            shown = now
            sys.stderr.write(f"\r\x1b[K{bar(title, share, now - started)}")
            sys.stderr.flush()

    try:
        yield report
    finally:
        if shown > started:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def bar(title: str, share: float, seconds: float) -> str:
    """One state of the bar, with the time that is left if the work goes on as it did.

    >>> bar("Scoring", 0.25, 20.0)
    'Scoring ━━━━━━━━━━──────────────────────────────  25 %  1:00 left'
    """
    done = min(max(share, 0.0), 1.0)
    filled = round(WIDTH * done)
    left = f"  {_clock(seconds * (1 - done) / done)} left" if done > 0.02 else ""
    return f"{title} {'━' * filled}{'─' * (WIDTH - filled)} {100 * done:3.0f} %{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
