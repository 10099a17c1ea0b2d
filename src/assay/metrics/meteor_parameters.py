"""METEOR's tables by variant, language and task, and what a metric comes down to once its defaults are filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from assay.errors import ParameterError, UnknownName
from assay.text.tables import METEOR_LANGUAGES

if TYPE_CHECKING:
    from assay.metrics.meteor import Meteor

Variant = Literal["meteor15", "meteor07", "lecture2007", "banerjee2005", "lavie2004"]
Aligner = Literal["meteor15", "optimal", "staged"]
_Fragmentation = Literal["chunks", "chunks-unless-whole", "breaks"]

#: The modules in the order in which they match.
MODULES = ("exact", "stem", "synonym", "paraphrase")

#: Other codes for METEOR's languages: it has its own for Czech and Swedish.
_ALIASES = {"cz": "cs", "sv": "se"}

#: The stemmer of each language that has one, by METEOR's code of the language.
_STEMMERS = {
    "en": "english",
    "fr": "french",
    "es": "spanish",
    "de": "german-meteor",
    "ru": "russian",
    "pt": "portuguese-meteor",
    "da": "danish",
    "ro": "romanian",
    "hu": "hungarian-meteor",
    "tr": "turkish",
    "fi": "finnish",
    "nl": "dutch",
    "it": "italian",
    "no": "norwegian",
    "se": "swedish",
}
LANGUAGES = (*METEOR_LANGUAGES, *(code for code in _STEMMERS if code not in METEOR_LANGUAGES), "other")


@dataclass(frozen=True)
class Parameters:
    """The numbers of the formula; weights stand for modules in the order in which these are listed."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    weights: tuple[float, ...]
    fragmentation: _Fragmentation = "chunks-unless-whole"


RANK = {
    "en": Parameters(0.85, 0.20, 0.60, 0.75, (1.0, 0.6, 0.8, 0.6)),
    "cs": Parameters(0.95, 0.20, 0.60, 0.80, (1.0, 0.4)),
    "fr": Parameters(0.90, 1.40, 0.60, 0.65, (1.0, 0.2, 0.4)),
    "es": Parameters(0.65, 1.30, 0.50, 0.80, (1.0, 0.8, 0.6)),
    "de": Parameters(0.95, 1.00, 0.55, 0.55, (1.0, 0.8, 0.2)),
    "ru": Parameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5)),
}
ENGLISH_ONLY = {
    "adq": Parameters(0.75, 1.40, 0.45, 0.70, (1.0, 1.0, 0.6, 0.8)),
    "hter": Parameters(0.40, 1.50, 0.35, 0.55, (1.0, 0.2, 0.6, 0.8)),
    "util": Parameters(0.65, 0.10, 0.55, 0.65, (1.0, 0.0, 0.0, 0.8)),
}
ANY_LANGUAGE = {
    "li": Parameters(0.75, 1.40, 0.70, 0.50, (1.0, 0.5, 0.5, 0.5)),
    "tune": Parameters(0.50, 1.00, 0.50, 0.50, (1.0, 0.5, 0.5, 0.5)),
    "universal": Parameters(0.70, 1.40, 0.30, 0.70, (1.0, 0.6)),
}
TASKS = ("rank", *ENGLISH_ONLY, *ANY_LANGUAGE)

_ONES = (1.0, 1.0, 1.0, 1.0)
#: Before 1.0 nothing weighed content and function words differently: a delta of one half cancels out.
_EARLY = {
    "lavie2004": Parameters(0.9, 1.0, 0.0, 0.5, _ONES, "chunks"),
    "banerjee2005": Parameters(0.9, 3.0, 0.5, 0.5, _ONES, "chunks"),
    "lecture2007": Parameters(0.9, 3.0, 0.5, 0.5, _ONES, "breaks"),
}
#: Lavie & Agarwal (2007), as the Perl program has them.
METEOR07 = {
    "en": Parameters(0.80, 0.83, 0.28, 0.5, _ONES),
    "cs": Parameters(0.80, 0.83, 0.28, 0.5, _ONES),
    "fr": Parameters(0.76, 0.50, 1.00, 0.5, _ONES),
    "es": Parameters(0.95, 0.50, 0.75, 0.5, _ONES),
    "de": Parameters(0.95, 1.00, 0.98, 0.5, _ONES),
}


def _known_language(language: str) -> str:
    """METEOR's code of a language."""
    code = _ALIASES.get(language, language)
    if code not in LANGUAGES:
        raise UnknownName.of("language of meteor", language, LANGUAGES)
    return code


def is_known(language: str) -> bool:
    """Whether METEOR has that language."""
    return _ALIASES.get(language, language) in LANGUAGES


def stemmer_of(language: str) -> str | None:
    """The stemmer of METEOR 1.5 for a language, if it has one; raises for languages that METEOR does not know."""
    return _default_stemmer("meteor15", _known_language(language))


def needs_tokenizer(metric: Meteor, language: str) -> bool:
    """Whether a variant cuts text by METEOR's normaliser, which does not know the language."""
    normalised = metric.variant not in _EARLY and metric.task != "universal"
    return normalised and _ALIASES.get(language, language) not in METEOR_LANGUAGES


def _default_task(variant: Variant, language: str) -> str | None:
    """METEOR 1.5 ranks where it was tuned for that, and is independent of the language elsewhere."""
    if variant != "meteor15":
        return None
    return "rank" if language in RANK else "li"


def parameters(variant: Variant, language: str, task: str | None) -> Parameters:
    """The row of the tables; raises if there is none."""
    if variant in _EARLY:
        return _EARLY[variant]
    if variant == "meteor07":
        if language not in METEOR07:
            raise ParameterError(
                f"meteor: variant=meteor07 has no parameters for language={language}, only for {', '.join(METEOR07)}. "
                "Take one of those, or variant=meteor15."
            )
        return METEOR07[language]
    if task not in TASKS:
        raise UnknownName.of("task of meteor", str(task), TASKS)
    if task in ANY_LANGUAGE:
        return ANY_LANGUAGE[task]
    table = RANK if task == "rank" else {"en": ENGLISH_ONLY[task]}
    if language not in table:
        raise ParameterError(
            f"meteor: task={task} has parameters for {', '.join(table)} alone, but language is {language}. "
            f"These tasks have them for every language: {', '.join(ANY_LANGUAGE)}."
        )
    return table[language]


def _default_modules(variant: Variant, language: str, task: str | None, given: Sequence[str]) -> tuple[str, ...]:
    """The modules of a variant and a language, less those without a table; ``given`` are those that the user gave."""
    if variant == "lavie2004":
        wanted = {"exact"}
    elif variant == "meteor07" or task == "universal":
        wanted = {"exact", "stem"} if variant == "meteor07" else {"exact", "paraphrase"}
    else:
        wanted = {"exact", "stem", "synonym", "paraphrase"}
    if language not in _STEMMERS:
        wanted -= {"stem"}
    if language != "en":
        wanted -= {"synonym"}
    wanted = (wanted - {"paraphrase"}) | set(given)
    return tuple(module for module in MODULES if module in wanted)


def _default_tokenizer(variant: Variant, language: str, task: str | None) -> str:
    """How a variant cuts text; raises for languages that METEOR's normaliser does not know."""
    if variant in _EARLY or task == "universal":
        return "none:ascii"
    if variant == "meteor07" and language == "en":
        return "ascii-words"
    if language not in METEOR_LANGUAGES:
        raise ParameterError(
            f"meteor: METEOR's normaliser knows {', '.join(METEOR_LANGUAGES)}, but language is {language}. "
            "Give tokenize=none:ascii for text that is tokenized already, or another tokenizer."
        )
    return f"meteor:{language}" if variant == "meteor15" else f"meteor:{language}+no-punctuation"


def _default_stemmer(variant: Variant, language: str) -> str | None:
    """Snowball's of the language; Porter's first one for English before 1.0."""
    return "porter" if variant != "meteor15" and language == "en" else _STEMMERS.get(language)


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
    language = _known_language(metric.language)
    task = metric.task or _default_task(metric.variant, language)
    table = parameters(metric.variant, language, task)
    modules = _modules(metric, language, task)
    stem = metric.stem or _default_stemmer(metric.variant, language)
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
        tokenize=_default_tokenizer(metric.variant, language, task) if metric.tokenize == "meteor" else metric.tokenize,
        stem=stem if "stem" in modules else None,
        function_words=_function_words(metric),
    )


def _function_words(metric: Meteor) -> str:
    """METEOR 1.5 reads its English list whatever the language is."""
    return "en" if metric.function_words is None else _known_language(metric.function_words)


def _modules(metric: Meteor, language: str, task: str | None) -> tuple[str, ...]:
    if metric.modules is None:
        tables = (("synonym", metric.synonyms), ("paraphrase", metric.paraphrases))
        return _default_modules(metric.variant, language, task, [module for module, path in tables if path is not None])
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
