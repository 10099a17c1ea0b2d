"""How trials end: something sound comes out, or it is refused in words. Whatever else happens has escaped."""

from __future__ import annotations

import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import AssayError, AssayWarning


@dataclass
class Outcomes:
    """How many trials of a kind were taken, refused, and neither."""

    what: str
    taken: int = 0
    refused: int = 0
    #: What else happened, with where, and for each the trial that did it first.
    escaped: Counter[str] = field(default_factory=Counter)
    first: dict[str, str] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        return self.taken + self.refused + self.escaped.total()

    def __str__(self) -> str:
        kinds = "".join(f"\n{count:6} {what}: {self.first[what]}" for what, count in self.escaped.most_common())
        ends = f"{self.taken:,} taken, {self.refused:,} refused, {self.escaped.total():,} escaped"
        return f"{self.tried:,} {self.what}: {ends}{kinds}"

    def escape(self, what: str, trial: str) -> None:
        """Something else happened."""
        self.escaped[what] += 1
        self.first.setdefault(what, trial[:400])

    @contextmanager
    def trial(
        self, described: Callable[[], str], wrong: Callable[[Exception], str | None] | None = None
    ) -> Iterator[None]:
        """One trial; ``wrong`` may say what is wrong with an error that was meant."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", AssayWarning)
                yield
            self.taken += 1
        except (AssayError, TypeError, AssertionError) as error:
            flaw = "a message of more than 2,000 characters" if len(str(error)) > 2000 else wrong and wrong(error)
            if flaw or not isinstance(error, AssayError if wrong is None else (AssayError, TypeError)):
                self.escape(f"{flaw or ''} {type(error).__name__} {error}"[:300] + _place(error), described())
            else:
                self.refused += 1
        except Exception as error:
            self.escape(f"{type(error).__name__}{_place(error)}", described())


def _place(error: Exception) -> str:
    """Where an error came from: the last place that is Assay's own."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/assay/" in frame.filename]
    place = (own or frames)[-1]
    return f" at {Path(place.filename).name}:{place.lineno}"
