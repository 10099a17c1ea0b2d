"""What a METEOR metric comes down to once every default that hangs on another option is filled in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from assay.errors import ParameterError, UnknownName
from assay.metrics.meteor_parameters import (
    MODULES,
    Parameters,
    default_modules,
    default_stemmer,
    default_task,
    default_tokenizer,
    known_language,
    parameters,
)

if TYPE_CHECKING:
    from assay.metrics.meteor import Meteor

Aligner = Literal["meteor15", "optimal", "staged"]


@dataclass(frozen=True)
class Settings:
    """The values that a metric works with; ``parameters`` has a weight per module."""

    language: str
    task: str | None
    modules: tuple[str, ...]
    parameters: Parameters
    aligner: Aligner
    tokenize: str
    stem: str | None
    #: The language whose list is used; most have an empty one.
    function_words: str

    def options(self) -> dict[str, object]:
        """The same as options of the metric: what one would type to get them all."""
        numbers = {name: getattr(self.parameters, name) for name in ("alpha", "beta", "gamma", "delta", "weights")}
        return {
            "language": self.language,
            "task": self.task,
            "modules": "+".join(self.modules),
            "aligner": self.aligner,
            "tokenize": self.tokenize,
            "stem": self.stem,
            "function_words": self.function_words,
            **numbers,
        }


def settle(metric: Meteor) -> Settings:
    """Fill in what the metric leaves open; raises where the tables have nothing."""
    language = known_language(metric.language)
    task = metric.task or default_task(metric.variant, language)
    table = parameters(metric.variant, language, task)
    modules = _modules(metric, language, task)
    stem = metric.stem or default_stemmer(metric.variant, language)
    if metric.stem is not None and "stem" not in modules:
        raise ParameterError(
            f"meteor: stem={metric.stem} is given, but the module stem is not among {'+'.join(modules)}. "
            f"Add it, as in modules=exact+stem, or leave the stemmer out."
        )
    if "stem" in modules and stem is None:
        raise ParameterError(
            f"meteor: language={language} has no stemmer of its own. "
            "Name one as stem=NAME, or leave stem out of modules."
        )
    given = {name: getattr(metric, name) for name in ("alpha", "beta", "gamma", "delta")}
    return Settings(
        language=language,
        task=task,
        modules=modules,
        parameters=replace(
            table,
            weights=_weights(metric, table, modules),
            **{name: value for name, value in given.items() if value is not None},
        ),
        aligner=metric.aligner or ("meteor15" if metric.variant == "meteor15" else "staged"),
        tokenize=default_tokenizer(metric.variant, language, task) if metric.tokenize == "meteor" else metric.tokenize,
        stem=stem if "stem" in modules else None,
        function_words=_function_words(metric),
    )


def _function_words(metric: Meteor) -> str:
    """METEOR 1.5 reads its English list whatever the language is."""
    return "en" if metric.function_words is None else known_language(metric.function_words)


def _modules(metric: Meteor, language: str, task: str | None) -> tuple[str, ...]:
    if metric.modules is None:
        tables = (("synonym", metric.synonyms), ("paraphrase", metric.paraphrases))
        return default_modules(metric.variant, language, task, [module for module, path in tables if path is not None])
    chosen = tuple(metric.modules.split("+"))
    for module in chosen:
        if module not in MODULES:
            raise UnknownName.of("module of meteor", module, MODULES)
    in_order = tuple(module for module in MODULES if module in chosen)
    wanted = f"exact alone or followed by others, in the order {'+'.join(MODULES)}"
    metric.require(chosen == in_order and chosen[0] == "exact", "modules", wanted)
    if "synonym" in chosen and language != "en" and metric.synonyms is None:
        raise ParameterError(
            f"meteor: no synonyms come with the package for language={language}. "
            "Give a dictionary as synonyms=PATH, or leave synonym out of modules."
        )
    if "paraphrase" in chosen and metric.paraphrases is None:
        raise ParameterError(
            "meteor: the module paraphrase needs a table in METEOR's format. Give it as paraphrases=PATH."
        )
    return chosen


def _weights(metric: Meteor, table: Parameters, modules: tuple[str, ...]) -> tuple[float, ...]:
    weights = table.weights[: len(modules)] if metric.weights is None else metric.weights
    if len(weights) != len(modules):
        listed = ", ".join(f"{weight:g}" for weight in weights)
        raise ParameterError(
            f"meteor: {len(modules)} modules ({'+'.join(modules)}), but {len(weights)} weights ({listed}). "
            f"Weights stand for modules in their order: give as many, as in weights=[{','.join(['1'] * len(modules))}]."
        )
    return weights
