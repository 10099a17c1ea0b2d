"""``assay show``: an answer that was given before, in any format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.questions.asked import Asked
from assay.questions.kept.base import OfStore, run_option
from assay.results.result import Result


@dataclass(frozen=True, kw_only=True)
class Show(OfStore):
    """Show an answer again: a run of a store, or a result file, in any format, as it was then.

    A run is named by any part of its name that no other has; `last` is the one that was added last, `last~1` the one
    before it.
    """

    name: ClassVar[str] = "show"
    question: ClassVar[str] = "What was answered?"
    arguments: ClassVar[tuple[str, ...]] = ("run",)
    repeats: ClassVar[bool] = True

    run: str = run_option()

    def answer(self, asked: Asked) -> Result:
        return self.found(self.run).result
