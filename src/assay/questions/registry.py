"""Questions by name, and how they are asked from Python."""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from assay.errors import ParameterError, UnknownName
from assay.questions.asked import Data, Given, ask
from assay.questions.base import Question, make
from assay.results.result import Result
from assay.scoring.evaluate import Progress

#: Questions that are commands, and the classes that define them.
BUILT_IN = {
    "score": "assay.questions.score:Score",
}


@lru_cache(maxsize=1)
def _plug_ins() -> dict[str, Any]:
    return {entry.name: entry for entry in entry_points(group="assay.questions")}


def question_names() -> list[str]:
    """All questions that are commands of their own."""
    return [*BUILT_IN, *(name for name in _plug_ins() if name not in BUILT_IN)]


def question_class(name: str) -> type[Question]:
    """The class behind a name; loads only the file that defines it."""
    if name in BUILT_IN:
        module, _, cls = BUILT_IN[name].partition(":")
        found: type[Question] = getattr(import_module(module), cls)
        return found
    if name not in _plug_ins():
        raise UnknownName.of("question", name, question_names())
    loaded = _plug_ins()[name].load()
    if not (isinstance(loaded, type) and issubclass(loaded, Question)):
        raise ParameterError(f"The entry point {_plug_ins()[name].value} of question {name!r} is not a Question.")
    return loaded


def ask_by_name(
    question: type[Question], given: Given, options: dict[str, Any], progress: Progress | None = None
) -> Result:
    """Ask with keyword arguments: those of the question, and those that choose data."""
    chosen = {one.name for one in fields(Data) if one.metadata["group"] in ("", "run", *question.takes)}
    own = {name: value for name, value in options.items() if name not in chosen}
    data = {name: value for name, value in options.items() if name in chosen}
    return ask(make(question, own, question.name), given, Data(**data), progress)
