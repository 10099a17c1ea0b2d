"""A progress bar for work that takes more than a second, on a terminal's standard error only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

#: Seconds before a bar appears: short work should not flicker.
PATIENCE = 1.0


@contextmanager
def progress(title: str, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Yields a function to be told the share that is done, or nothing where nobody watches."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    bar: Any = None
    task: Any = None
    started = time.monotonic()

    def report(share: float) -> None:
        nonlocal bar, task
        if bar is None and time.monotonic() - started > PATIENCE:
            from rich.console import Console
            from rich.progress import Progress

            bar = Progress(console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task(title, total=1.0)
        if bar is not None:
            bar.update(task, completed=share)

    try:
        yield report
    finally:
        if bar is not None:
            bar.stop()
