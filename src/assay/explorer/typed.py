"""A question as one types it behind ``assay``: ``study references --k 2``, ``paper lavie2004``."""

from __future__ import annotations

import shlex
from dataclasses import MISSING, Field, fields
from typing import Any, get_args

from assay.errors import ParameterError, UnknownName, shown
from assay.metrics.options import declared_types, read_typed
from assay.questions.base import Question
from assay.questions.papers.registry import paper_class
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import study_class

#: Commands with a name behind them, and what has the questions behind it.
_NAMED = {"study": study_class, "paper": paper_class}


def question_of(text: str) -> Question:
    """The question that a command line asks, without its campaign."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ParameterError(f"{shown(text)} cannot be read as a command line: {error}.") from None
    words = words[1:] if words[:1] == ["assay"] else words
    if not words or (words[0] in _NAMED and len(words) == 1):
        wanted = "study references" if not words else f"{words[0]} NAME"
        raise ParameterError(f"{shown(text)} names no question. Type it as behind assay: '{wanted}'.")
    command, *rest = words
    if command in _NAMED:
        question: type[Question] = _NAMED[command](rest.pop(0))
    elif command in QUESTIONS:
        question = QUESTIONS[command]
    else:
        raise UnknownName.of("question", command, [*QUESTIONS, *_NAMED])
    return _made(question, rest, text)


def _made(question: type[Question], words: list[str], text: str) -> Question:
    """The question with the options of a command line, read as there."""
    known = {flag: part for part in fields(question) for flag in _flags(part)}
    hints, given = declared_types(question), dict[str, Any]()
    places = list(question.arguments)
    while words:
        word = words.pop(0)
        if not word.startswith("-") or word == "-":
            if not places:
                raise ParameterError(
                    f"{shown(text)}: {shown(word)} is no option, and the campaign is the report's own."
                )
            part = next(part for part in fields(question) if part.name == places[0])
            given.setdefault(part.name, [])
            given[part.name].append(word)
            places = places if part.metadata.get("repeat") else places[1:]
            continue
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if flag not in known:
            remedy = "Choices of data are the report's own: give it to assay report."
            raise ParameterError(f"{shown(text)}: {question.name} has no option {flag} of its own. {remedy}")
        part = known[flag]
        if bool in (hints[part.name], *get_args(hints[part.name])):
            given[part.name] = [not flag.startswith("--no-")]
            continue
        if not equals:
            if not words:
                raise ParameterError(f"{shown(text)}: {flag} needs a value.")
            value = words.pop(0)
        given.setdefault(part.name, [])
        given[part.name].append(value)
    missing = [part.name for part in fields(question) if part.default is MISSING and part.name not in given]
    if missing:
        raise ParameterError(f"{shown(text)}: {question.name} needs {', '.join(missing)}.")
    parts = {part.name: part for part in fields(question)}
    return question(**{name: _value(parts[name], hints[name], values, question.name) for name, values in given.items()})


def _flags(part: Field[Any]) -> list[str]:
    """What one types for an option."""
    flags = (part.metadata.get("flag") or f"--{part.name.replace('_', '-')}").split(", ")
    return [*flags, f"--no-{flags[0].removeprefix('--')}"]


def _value(part: Field[Any], hint: Any, given: list[Any], owner: str) -> Any:
    """What was typed for an option, once or several times, as its type has it."""
    if part.metadata.get("repeat"):
        return tuple(given)
    last = given[-1]
    raw = not isinstance(last, str) or part.metadata.get("parse") is not None
    return last if raw else read_typed(last, hint, owner)
