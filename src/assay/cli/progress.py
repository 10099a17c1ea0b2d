"""How far the work is, for whoever watches a terminal; nothing of it is left there."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Event, Thread

#: Seconds of the program before a bar appears, and between two of its states: short work should not flicker.
_PATIENCE, _PAUSE = 0.8, 0.2
#: Its length, where there is room; what is announced beside it leaves it at least so much.
_LENGTH, _SHORTEST = 40, 10
#: From which share on a time is told: before, it would be a guess.
_ENOUGH = 0.02


@contextmanager
def progress(title: str, quiet: bool) -> Iterator[Bar | None]:
    """Yields a bar to be told the share that is done, or nothing where nobody watches; nothing is left behind."""
    # A daemon may have no standard error at all, and a dumb terminal cannot clear a line.
    if quiet or sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    bar, stopped, started = Bar(title, _marks()), Event(), time.monotonic()

    def draw() -> None:
        # Work that is silent has a bar, too. What the program has done before, its imports, counts as waiting.
        pause = max(_PATIENCE - time.process_time(), 0.0)
        with suppress(OSError):
            while not stopped.wait(pause):
                sys.stderr.write(f"\r{bar.line(time.monotonic() - started, _columns())}\x1b[K")
                sys.stderr.flush()
                pause = _PAUSE

    drawer = Thread(target=draw, daemon=True)
    drawer.start()
    try:
        yield bar
    finally:
        stopped.set()
        drawer.join()
        if bar.seen:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@dataclass
class Bar:
    """A bar that tells the share that is done, and a time left that never grows.

    >>> bar = Bar("Scoring")
    >>> bar(0.25)
    >>> bar.line(seconds=20.0, columns=80)
    'Scoring ━━━━━━━━━━──────────────────────────────  25 %  1:00 left'
    >>> bar.announce("1,258 fits on 5,980 translations")
    >>> bar.line(seconds=20.0, columns=80)
    'Scoring (1,258 fits on 5,980 translations) ━━━━━──────────────  25 %  1:00 left'
    """

    title: str
    #: What is done, and what is not.
    marks: str = "━─"
    share: float = 0.0
    #: What there is to do, where that was announced.
    work: str = ""
    #: The seconds that were said to be left; infinite before.
    told: float = math.inf
    #: Whether it has been shown.
    seen: bool = False

    def __call__(self, share: float) -> None:
        """Take down the share that is done."""
        self.share = min(max(share, self.share), 1.0)

    def announce(self, work: str) -> None:
        """Take down what there is to do."""
        self.work = f" ({work})"

    def line(self, seconds: float, columns: int) -> str:
        """What is shown after so many seconds, in one line of a terminal with so many columns."""
        self.seen, done = True, self.share
        said = f" {100 * done:3.0f} %{self._time(seconds, done)}"
        # A line that reaches the last column may go on in the next, and would not be cleared.
        room = columns - len(self.title) - len(said) - 2
        title = self.title + (self.work if len(self.work) + _SHORTEST <= room else "")
        length = max(min(_LENGTH, room - len(title) + len(self.title)), 0)
        filled = round(length * done)
        return f"{title} {self.marks[0] * filled}{self.marks[1] * (length - filled)}{said}"[: max(columns - 1, 0)]

    def _time(self, seconds: float, done: float) -> str:
        """The time left if the work goes on as it did: never more than was told, or nothing where it is much more."""
        if done < _ENOUGH:
            return f"  {_clock(seconds)} so far"
        left = seconds * (1 - done) / done
        self.told = min(self.told, left)
        return f"  {_clock(self.told)} left" if left <= 2 * self.told + 5 else ""


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _marks() -> str:
    """What a bar is made of, in letters that the terminal knows."""
    try:
        "━─".encode(sys.stderr.encoding or "ascii")
    except (UnicodeError, LookupError):
        return "#-"
    return "━─"


def _columns() -> int:
    """How wide the terminal is now."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return 80
