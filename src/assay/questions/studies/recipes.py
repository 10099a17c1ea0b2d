"""Metrics under another recipe: case, inflection and punctuation taken away from the text, or left in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assay.errors import UnknownName
from assay.metrics.base import Metric
from assay.metrics.meteor import Meteor

#: What can be done to the text; several are written with + between.
_STEPS = ("raw", "lowercase", "stem", "no-punctuation")


def _steps_of(recipe: str) -> tuple[str, ...]:
    """The steps of a recipe.

    >>> _steps_of("lowercase+stem")
    ('lowercase', 'stem')
    """
    steps = tuple(part.strip() for part in recipe.split("+"))
    for step in steps:
        if step not in _STEPS:
            raise UnknownName.of("step of a recipe", step, _STEPS)
    return steps


def under(metric: Metric, recipe: str, stemmer: str) -> Metric:
    """The metric on text to which exactly these steps are done; normal form and tokenizer stay its own."""
    steps = _steps_of(recipe)
    case: dict[str, Any] = {"lowercase": "lowercase" in steps, "remove_punctuation": "no-punctuation" in steps}
    return replace(with_stems(metric, stemmer if "stem" in steps else None), **case)


def with_stems(metric: Metric, stemmer: str | None) -> Metric:
    """The metric on stems, or on words as they are, and otherwise as it was.

    METEOR stems in a module of its own, beside the words as they are: that module is taken in or left out.
    """
    changed: dict[str, Any] = {"stem": stemmer}
    if isinstance(metric, Meteor):
        modules = [module for module in metric.settings.modules if module != "stem"]
        if stemmer is not None:
            modules.insert(1, "stem")
        changed["modules"] = "+".join(modules)
    return replace(metric, **changed)


def grid_of(metrics: Sequence[Metric], recipes: Sequence[str], stemmer: str) -> list[tuple[Metric, str, Metric]]:
    """Every metric under every recipe: the metric, the recipe, and both together; metrics outside."""
    return [(metric, recipe, under(metric, recipe, stemmer)) for metric in metrics for recipe in recipes]


def bare(metric: Metric) -> str:
    """A metric's name without the steps that a recipe decides on."""
    plain = type(metric)()
    steps = {name: getattr(plain, name) for name in ("lowercase", "remove_punctuation", "stem")}
    return str(replace(metric, **steps))
