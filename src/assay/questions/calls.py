"""Questions as Python functions: ``assay.score(campaign, "bleu")``.

Signatures are made of the questions' fields; ``calls.pyi`` has them for editors and type checkers, and is written by
``make docs``.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any

from assay.data.campaign import Campaign
from assay.metrics.options import declared_types
from assay.questions.asked import Data, ask_by_name
from assay.questions.base import Question
from assay.questions.registry import QUESTIONS
from assay.results.result import Result

#: Functions and the questions that they ask.
CALLS = {
    "score": "score",
    "compare": "compare",
    "meta_evaluate": "meta",
    "agreement": "agreement",
    "learn": "learn",
    "predict": "predict",
    "features": "features",
    "tune": "tune",
    "describe": "describe",
    "report": "report",
    "validate": "validate",
    "history": "history",
    "show": "show",
    "diff": "diff",
    "rerun": "rerun",
    "sql": "sql",
}


def __getattr__(name: str) -> Callable[..., Result]:
    if name not in CALLS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return call_of(name)


def call_of(name: str) -> Callable[..., Result]:
    """The function that asks one question: the campaign, if it takes one, then its leading option, others by name."""
    question = QUESTIONS[CALLS[name]]
    own = question.positional()
    first = ["campaign", *own] if question.takes else [*own]

    def call(*given: Any, progress: Any = None, **options: Any) -> Result:
        if len(given) > len(first):
            several = f"{'a campaign and ' if question.takes else ''}{' and '.join(own)}"
            raise TypeError(f"{name}() takes {several}; name the other options.")
        options = dict(zip(first, given, strict=False)) | options
        if question.takes and "campaign" not in options:
            raise TypeError(f"{name}() needs a campaign: {name}(campaign, ...).")
        if question.takes and isinstance(options.get(own[0]), Campaign):
            raise TypeError(f"{name}() takes the campaign first: {name}(campaign, {own[0]}).")
        campaign = options.pop("campaign") if question.takes else None
        return ask_by_name(question, campaign, options, progress)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = question.__doc__
    call.__signature__ = _signature_of(question)  # type: ignore[attr-defined]
    return call


def _signature_of(question: type[Question]) -> inspect.Signature:
    """What a call of the question takes."""
    own = question.positional()
    options = sorted(fields(question), key=lambda field: field.name not in own)
    given = "Campaign | str | Path" if question.needs_texts else "Campaign | Judgements | str | Path"
    given = given if question.campaigns == "one" else f"{given} | Sequence[{given}]"
    parameters = [_parameter("campaign", given, inspect.Parameter.empty, leading=True)] if question.takes else []
    data = ((Data, field) for field in question.data_fields(Data))
    for cls, field in [*((question, field) for field in options), *data]:
        accepted = _accepted(field, declared_types(cls)[field.name])
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        parameters.append(_parameter(field.name, accepted, default, leading=field.name in own))
    parameters.append(_parameter("progress", "Callable[[float], None] | None", None))
    return inspect.Signature(parameters, return_annotation="Result")


def _parameter(name: str, annotation: str, default: Any, *, leading: bool = False) -> inspect.Parameter:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if leading else inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def _accepted(field: Field[Any], hint: Any) -> str:
    """What a caller may give for a field: lists may come as one text with commas between."""
    if field.metadata.get("flag") == "-m, --metric":
        return "Iterable[str | Metric] | str | Metric"
    if field.metadata.get("parse") is not None:
        return "Any"
    text = inspect.formatannotation(hint).replace("typing.", "").replace("NoneType", "None")
    if re.search(r"\w\.\w", text):
        # A class of its own, which callers rarely name.
        return "Any"
    text = re.sub(r"Optional\[(.*)\]$", r"\1 | None", text)
    return f"Iterable[{text[6:].split(',')[0]}] | str | None" if text.startswith("tuple[") else text
