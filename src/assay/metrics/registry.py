"""Metrics by name: the built-in ones, those registered, and those of installed packages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from assay.arguments import fits
from assay.errors import ParameterError, UnknownName, shown
from assay.metrics.base import Metric
from assay.metrics.options import is_required, option_fields, read, split_list
from assay.registry import Registry

#: Built-in metrics and the classes that define them, in the order of ``assay metrics``.
BUILT_IN = {
    "bleu": "assay.metrics.bleu:Bleu",
    "modbleu": "assay.metrics.modbleu:ModBleu",
    "nist": "assay.metrics.nist:Nist",
    "chrf": "assay.metrics.chrf:Chrf",
    "ter": "assay.metrics.ter:Ter",
    "hter": "assay.metrics.hter:Hter",
    "wer": "assay.metrics.wer:Wer",
    "cer": "assay.metrics.wer:Cer",
    "per": "assay.metrics.per:Per",
    "meteor": "assay.metrics.meteor:Meteor",
    "precision": "assay.metrics.unigrams:Precision",
    "recall": "assay.metrics.unigrams:Recall",
    "f1": "assay.metrics.unigrams:F1",
    "fmean": "assay.metrics.unigrams:Fmean",
    "gtm": "assay.metrics.gtm:Gtm",
    "blanc": "assay.metrics.blanc:Blanc",
    "cosine": "assay.metrics.cosine:Cosine",
    "ribes": "assay.metrics.ribes:Ribes",
    "gleu": "assay.metrics.gleu:Gleu",
    "character-ter": "assay.metrics.character_ter:CharacterTer",
    "eed": "assay.metrics.eed:Eed",
    "rouge": "assay.metrics.rouge:Rouge",
    "lm": "assay.metrics.lm:LanguageModel",
    "combination": "assay.metrics.combination:Combination",
    "scores": "assay.metrics.given:GivenScores",
    # From a room above, which nothing here imports by itself.
    "predictor": "assay.learned.predictor:Predictor",
}
METRICS: Registry[type[Metric]] = Registry("metric", BUILT_IN, "assay.metrics")

#: What is computed when nobody says.
DEFAULT_METRICS = ("bleu", "chrf")

#: What people type for a metric that is spelled otherwise here, in small letters.
ALSO = {
    "chrf++": "chrf(word_order=2)",
    "chrf2++": "chrf(word_order=2)",
    "chrfpp": "chrf(word_order=2)",
    "chrf2": "chrf",
    "sacrebleu": "bleu",
    "sentence-bleu": "bleu(effective_order=true)",
    "sentencebleu": "bleu(effective_order=true)",
    "sentbleu": "bleu(effective_order=true)",
    "google-bleu": "gleu",
    "google_bleu": "gleu",
    "character_ter": "character-ter",
    "rouge1": "rouge",
    "rouge-1": "rouge",
    "rouge2": "rouge(order=2)",
    "rouge-2": "rouge(order=2)",
    "rougel": "rouge(variant=l)",
    "rouge-l": "rouge(variant=l)",
    # Segments are sentences here, so that the one by sentences is the same.
    "rougelsum": "rouge(variant=l)",
    "rouge-w": "rouge(variant=w)",
    "rouge-s": "rouge(variant=s)",
    "rouge-s4": "rouge(variant=s)",
    "rouge-su": "rouge(variant=su)",
    "rouge-su4": "rouge(variant=su)",
}
#: Metrics that other programs compute, with models that Assay has not.
_ELSEWHERE = re.compile(
    r"(unbabel/|google/)?(wmt\d\d-)?(x?comet|metricx|bleurt|bert[-_]?score|gemba|yisi|prism|sentinel)", re.IGNORECASE
)

M = TypeVar("M", bound=Metric)


def register(metric: type[M]) -> type[M]:
    """Class decorator: make a metric of your own known by its name.

    The same class may be registered again, as notebooks do; another one of the same name is an error.
    """
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise ParameterError(f"{metric!r} is not a subclass of assay.Metric.")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", getattr(metric, "name", "")):
        raise ParameterError(
            f"{metric.__qualname__} needs a name of letters, digits, dots, hyphens and underscores: "
            f'name: ClassVar[str] = "my-metric".'
        )
    METRICS.add(metric.name, metric)
    return metric


def metric_class(name: str) -> type[Metric]:
    """The class behind a name; loads only the file that defines it."""
    loaded = METRICS[name]
    if not (isinstance(loaded, type) and issubclass(loaded, Metric)):
        raise ParameterError(f"The entry point {name!r} leads to {loaded!r}, which is not an assay.Metric.")
    if loaded.name != name:
        raise ParameterError(f"The entry point {name!r} leads to a metric called {loaded.name!r}. Give both one name.")
    return loaded


def metric_names() -> list[str]:
    """All names: built-in ones first, then others by alphabet."""
    return list(METRICS)


def metric(name: str, **options: Any) -> Metric:
    """A metric by its name or spelling: ``metric("bleu", order=2)`` is ``metric("bleu(order=2)")``."""
    if not isinstance(name, str):
        raise ParameterError(f"A metric is named by a string such as 'bleu(order=2)', not by {name!r}.")
    name, spelled = read(name)
    if name not in METRICS.built_in and name not in METRICS:
        name, implied = read(_meant(name))
        spelled = _joined(name, implied, spelled)
    cls = metric_class(name)
    options = _joined(name, spelled, options)
    known = {field.name: field for field in option_fields(cls)}
    for option in options:
        if option not in known:
            raise UnknownName.of(f"option of {name}", option, known)
    try:
        return cls(**options)
    except TypeError:
        missing = [option for option, field in known.items() if is_required(field) and option not in options]
        if not missing:
            raise
        raise ParameterError(f"{name} needs {', '.join(missing)}: {name}({missing[0]}=...).") from None


def _joined(name: str, first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    twice = set(first) & set(second)
    if twice:
        raise ParameterError(f"{name}: {', '.join(sorted(twice))} given twice.")
    return first | second


def _meant(name: str) -> str:
    """The spelling here of what people type elsewhere: other capitals, or another program's name."""
    folded = name.casefold()
    if folded in ALSO:
        return ALSO[folded]
    if _ELSEWHERE.match(name):
        raise UnknownName(
            f"{name} is computed by a program of its own, with a model that Assay has not. Give the scores that it "
            "wrote: --scores FILE in any command, or scores.NAME.tsv in the campaign's folder and -m NAME."
        )
    return next((known for known in METRICS if known.casefold() == folded), name)


def _is_known(spelling: str) -> bool:
    """Whether a metric has this name, here or where people come from."""
    name = read(spelling)[0]
    return name in METRICS or (_ELSEWHERE.match(name) is None and read(_meant(name))[0] in METRICS)


def metrics(
    given: Iterable[str | Metric] | str | Metric, otherwise: Callable[[str], Metric] | None = None
) -> list[Metric]:
    """Metrics out of spellings and metrics; one string may hold several, with commas between.

    A name that no metric has is an error, or whatever ``otherwise`` makes of it.
    """
    if not fits(given, Iterable[str | Metric] | str | Metric):
        raise ParameterError(f"{shown(given)} names no metrics. They are named 'bleu,chrf', or [assay.Bleu(order=2)].")
    items = [given] if isinstance(given, (str, Metric)) else list(given)
    named: list[Metric] = []
    for item in items:
        parts = [] if isinstance(item, Metric) else split_list(item)
        named += [item] if isinstance(item, Metric) else []
        named += [metric(part) if otherwise is None or _is_known(part) else otherwise(part) for part in parts]
    doubled = {str(item) for item in named if named.count(item) > 1}
    if doubled:
        raise ParameterError(f"Asked for twice: {', '.join(sorted(doubled))}.")
    if not named:
        raise ParameterError("No metric was named.")
    return named


def heading(metric: Metric, among: Iterable[Metric]) -> str:
    """How tables head a metric's column: its label, or its spelling where options or another metric ask for it.

    An arrow says which way is better.
    """
    twice = [other.label for other in among].count(metric.label) > 1
    plain = str(metric) == metric.name
    return f"{metric.label if plain and not twice else metric} {'↑' if metric.higher_is_better else '↓'}"
