"""Sets of features that have names: the nine of Paul, Finch and Sumita (2007), and a wider one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assay.errors import UnknownName
from assay.learned.features.feature import Feature, require_different_names
from assay.metrics.base import Metric
from assay.metrics.registry import metric_names

#: BLEU as the paper means it: 0 for a segment without a matching 4-gram.
_BLEU = "bleu(smoothing=none)"
#: Precisions of all orders up to 5 from one count; those of the first four are BLEU's.
_ORDERS = "bleu(order=5,smoothing=none)"

#: Names of the paper's Table 8, and what they are here.
PAPER = {
    "bleu": _BLEU,
    "nist": "nist",
    "meteor": "meteor",
    "gtm": "gtm",
    "wer": "wer",
    "per": "per",
    "ter": "ter",
    "4-gram": f"{_ORDERS}:precision_4",
    "5-gram": f"{_ORDERS}:precision_5",
}

#: What the wide set has beside them. Edits are counted per reference word: long segments have more of everything.
WIDER = {
    **{f"{order}-gram": f"{_ORDERS}:precision_{order}" for order in (1, 2, 3)},
    **{f"{order}-gram-recall": f"{_ORDERS}:recall_{order}" for order in (1, 2, 3, 4, 5)},
    "brevity": f"{_BLEU}:brevity_penalty",
    "length-ratio": f"{_BLEU}:length_ratio",
    "reference-length": f"{_BLEU}:reference_length",
    **{
        f"ter-{edit.replace('_', '-')}": f"ter:{edit}/reference_length"
        for edit in ("insertions", "deletions", "substitutions", "shifts", "words_shifted")
    },
    **{f"wer-{edit}": f"wer:{edit}/reference_length" for edit in ("insertions", "deletions", "substitutions")},
    "shifts": "ter:shifts",
    "chunks": "meteor:chunks",
    "fragmentation": "meteor:fragmentation",
    "meteor-precision": "meteor:precision",
    "meteor-recall": "meteor:recall",
    "chrf": "chrf",
    "gtm-2": "gtm(exponent=2)",
    "gtm-3": "gtm(exponent=3)",
}


def feature_set(name: str, *, language: str | None = None, tokenize: str | None = None) -> tuple[Feature, ...]:
    """The set called ``name``: ``paper`` or ``wide``.

    ``language`` is METEOR's; ``tokenize`` replaces the tokenizer of all metrics that cut words but METEOR.
    """
    if name not in FEATURE_SETS:
        raise UnknownName.of("set of features", name, FEATURE_SETS)
    made = tuple(
        _adapted(Feature.parse(spelling, name=label), language, tokenize)
        for label, spelling in FEATURE_SETS[name]().items()
    )
    require_different_names(made)
    return made


def _paper() -> dict[str, str]:
    return PAPER


def _wide() -> dict[str, str]:
    return PAPER | WIDER | ({"blanc": "blanc"} if "blanc" in metric_names() else {})


#: The sets by name, each as what its features are called and how they are typed.
FEATURE_SETS: dict[str, Callable[[], dict[str, str]]] = {"paper": _paper, "wide": _wide}


def _adapted(feature: Feature, language: str | None, tokenize: str | None) -> Feature:
    """The feature for another language."""
    one: Metric | None = feature.metric
    if one is None:
        return feature
    options: dict[str, Any] = {}
    if one.name == "meteor" and language is not None:
        options["language"] = language
    if one.name != "meteor" and one.recipe.unit == "word" and tokenize is not None:
        options["tokenize"] = tokenize
    return replace(feature, metric=replace(one, **options)) if options else feature
