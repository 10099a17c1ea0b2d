"""Questions as Python functions: ``assay.score(campaign, "bleu")``. Their signatures are made of the fields."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from assay.metrics.options import declared_types
from assay.questions.asked import Data, Given
from assay.questions.base import Question
from assay.questions.registry import ask_by_name, question_class
from assay.results.result import Result


def _call(name: str, doc: str) -> Callable[..., Result]:
    """A function that asks one question: the campaign first, then its leading option, all others by name."""

    def call(campaign: Given, *given: Any, progress: Any = None, **options: Any) -> Result:
        question = question_class(name)
        if len(given) > 1:
            raise TypeError(f"{call.__name__}() takes a campaign and {question.leading}; name the other options.")
        if given:
            options = {question.leading: given[0], **options}
        return ask_by_name(question, campaign, options, progress)

    call.__doc__ = doc
    return call


def signature_of(question: type[Question]) -> inspect.Signature:
    """What a call of the question takes."""
    types = declared_types(question)
    own = sorted(fields(question), key=lambda one: one.name != question.leading)
    kinds = inspect.Parameter
    parameters = [kinds("campaign", kinds.POSITIONAL_OR_KEYWORD, annotation="Campaign | str | Path")]
    for one in (*own, *(one for one in fields(Data) if one.metadata["group"] in ("", "run", *question.takes))):
        kind = kinds.POSITIONAL_OR_KEYWORD if one.name == question.leading else kinds.KEYWORD_ONLY
        hint = types.get(one.name) if one in own else declared_types(Data)[one.name]
        parameters.append(kinds(one.name, kind, default=one.default, annotation=accepted(one, hint)))
    progress = kinds("progress", kinds.KEYWORD_ONLY, default=None, annotation="Progress | None")
    return inspect.Signature([*parameters, progress], return_annotation="Result")


def accepted(one: Any, hint: Any) -> str:
    """What a caller may give for a field: lists may come as one text with commas between."""
    if one.metadata.get("flag") == "-m, --metric":
        return "Iterable[str | Metric] | str | Metric"
    text = inspect.formatannotation(hint).replace("typing.", "").replace("NoneType", "None")
    return f"Iterable[{text[6:].split(',')[0]}] | str | None" if text.startswith("tuple[") else text


score = _call("score", "How good is each system? Corpus scores with 95 % bootstrap intervals.")
score.__name__ = "score"
