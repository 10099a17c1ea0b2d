"""``assay show``: an answer that was given before, in any format."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Any, ClassVar

from assay.errors import shown
from assay.questions.asked import Asked
from assay.questions.base import option
from assay.questions.kept.base import OfStore
from assay.results.result import Result


def run_name(given: Any) -> str:
    """How a run is named: as text."""
    if not isinstance(given, str) or not given:
        raise TypeError(f"{shown(given)} is no run.")
    return given


def run_option() -> Any:
    """A run that has to be named."""
    text = "A run: its name or a part of it, last, last~1, its folder; or FILE.json."
    return option(MISSING, text, metavar="RUN | FILE", parse=run_name)


@dataclass(frozen=True, kw_only=True)
class Show(OfStore):
    """Show an answer again: a run of a store, or a result file, in any format, as it was then.

    A run is named by any part of its name that no other has; `last` is the one that was added last, `last~1` the one
    before it.
    """

    name: ClassVar[str] = "show"
    question: ClassVar[str] = "What was answered?"
    leading: ClassVar[str] = "run"
    argument: ClassVar[str | None] = "run"
    repeats: ClassVar[bool] = True

    run: str = run_option()

    def answer(self, asked: Asked) -> Result:
        return self.result_of(self.run)
