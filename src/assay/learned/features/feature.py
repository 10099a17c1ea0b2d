"""Features: numbers about one translation, which a predictor learns from.

A feature is the segment score of a metric, a part of it (``bleu:precision_4``), a part per another
(``ter:shifts/reference_length``), or a score that another program computed. Sets of them have names: the nine of Paul,
Finch and Sumita (2007), and a wider one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.errors import ParameterError, UnknownName
from assay.metrics.base import Metric, Rows, Scores, ratio
from assay.metrics.bleu import NgramPrecision
from assay.metrics.options import spell, split_list
from assay.metrics.registry import metric as parse_metric
from assay.metrics.registry import metric_names

#: Parts of which more is better, and parts of which less is. Nobody can say it of others, such as lengths.
_GOOD = re.compile(r"(precision|recall|f|fmean|hits|matches|brevity_penalty|information)(_\w+)?")
_BAD = re.compile(r"(errors|edits|insertions|deletions|substitutions|shifts|words_shifted|penalty|fragmentation)")

#: BLEU as the paper means it: 0 for a segment without a matching 4-gram.
_BLEU = "bleu(smoothing=none)"
#: Precisions of all orders up to 5 from one count; those of the first four are BLEU's.
_ORDERS = "bleu(order=5,smoothing=none)"

#: Names of the paper's Table 8, and what they are here.
_PAPER = {
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
_WIDER = {
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
#: The sets by name, each as what its features are called and how they are typed.
FEATURE_SETS = {"paper": _PAPER, "wide": _PAPER | _WIDER}


@dataclass(frozen=True)
class Feature:
    """One column of a table of features; ``metric`` is None where the score comes from a file of other scores."""

    name: str
    metric: Metric | None = None
    #: A part of the score, or two with a slash between; None is the score itself.
    part: str | None = None
    #: Whether more of it is better; None where nobody can say.
    higher_is_better: bool | None = None

    @classmethod
    def of(cls, metric: Metric, part: str | None = None, *, name: str | None = None) -> Feature:
        """The feature of a metric: its score, or the named part."""
        better: bool | None = metric.higher_is_better
        if part is not None:
            for one in part.split("/", 1):
                if one not in _part_names(metric):
                    raise UnknownName.of(f"part of {metric.name}", one, _part_names(metric))
            first = part.partition("/")[0]
            better = True if _GOOD.fullmatch(first) else False if _BAD.fullmatch(first) else None
        return cls(name or _spelled(metric, part), metric, part, better)

    @classmethod
    def parse(cls, text: str, *, name: str | None = None) -> Feature:
        """A feature as it is typed: ``meteor(language=de)``, ``bleu:precision_4``, ``ter:shifts/reference_length``."""
        match = re.fullmatch(r"\s*([^\s(:]+(?:\s*\(.*\))?)\s*(?::\s*([\w/]+)\s*)?", text, re.DOTALL)
        if match is None:
            raise ParameterError(
                f"Cannot read the feature {text!r}. Write a metric, bleu(order=2), or a part of one, bleu:precision_4."
            )
        spelling, part = match.groups()
        return cls.of(parse_metric(spelling), part, name=name)

    @classmethod
    def external(cls, name: str, *, higher_is_better: bool = True) -> Feature:
        """A score that another program computed, under the name that its file gives it."""
        return cls(name, higher_is_better=higher_is_better)

    @property
    def is_external(self) -> bool:
        """Whether the values come from a score file."""
        return self.metric is None

    def values(self, rows: Rows) -> Scores:
        """The feature of each row of its metric."""
        if self.metric is None:
            raise ParameterError(f"The feature {self.name!r} comes from a score file and cannot be computed.")
        return _part_values(self.metric, rows, self.part)

    @property
    def signature(self) -> str:
        """The metric with all its fields, and the part; of a score from a file its name."""
        if self.metric is None:
            return f"scores:{self.name}"
        part = "" if self.part is None else f":{self.part}"
        digests = "".join(f"|{option}:{digest[:12]}" for option, digest in self.metric.resources().items())
        return f"{spell(self.metric.resolved, all_fields=True)}{part}{digests}"

    def __str__(self) -> str:
        """What one would type to get it, its name aside."""
        return self.name if self.metric is None else _spelled(self.metric, self.part)


def _spelled(metric: Metric, part: str | None) -> str:
    """A metric or a part of it as it is typed."""
    return str(metric) if part is None else f"{metric}:{part}"


def features(given: Iterable[str | Feature | Metric] | str | Feature | Metric) -> tuple[Feature, ...]:
    """Features out of spellings, metrics and features; one string may hold several, with commas between.

    ``paper`` and ``wide`` stand for whole sets. Names are different, or it is an error.
    """
    items = [given] if isinstance(given, (str, Feature, Metric)) else list(given)
    found: list[Feature] = []
    for item in items:
        if isinstance(item, Feature):
            found.append(item)
        elif isinstance(item, Metric):
            found.append(Feature.of(item))
        elif isinstance(item, str):
            for part in split_list(item):
                found += feature_set(part) if part in FEATURE_SETS else [Feature.parse(part)]
        else:
            raise ParameterError(f"A feature is named by a string such as 'bleu:precision_4', not by {item!r}.")
    if not found:
        raise ParameterError("No feature was named.")
    require_different_names(found)
    return tuple(found)


def require_different_names(found: Iterable[Feature]) -> None:
    """Refuse two features of one name."""
    names = [feature.name for feature in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ParameterError(f"Two features are called {twice!r}. Leave one out, or rename one.")


def _part_names(metric: Metric) -> list[str]:
    """All that can stand behind the colon."""
    return list(_parts(metric, np.zeros((1, len(metric.columns)))))


def _part_values(metric: Metric, rows: Rows, part: str | None) -> Scores:
    """The score of each row, or a part of it; ``a/b`` is 0 where b is 0."""
    if part is None:
        return np.asarray(metric.score(rows), dtype=np.float64)
    found = _parts(metric, rows)
    above, slash, below = part.partition("/")
    values = np.asarray(found[above], dtype=np.float64)
    return ratio(values, np.asarray(found[below], dtype=np.float64)) if slash else values


def _parts(metric: Metric, rows: Rows) -> Mapping[str, Scores]:
    """Parts go before columns of the same name."""
    columns = {name: rows[..., index] for index, name in enumerate(metric.columns)}
    return columns | _recalls(metric, rows) | dict(metric.parts(rows))


def _recalls(metric: Metric, rows: Rows) -> dict[str, Scores]:
    """The share of the reference's n-grams that the translation has, for each order that BLEU counts.

    With several references a match may come from any, and the reference is as long as the one whose length BLEU takes.
    Then more could match than the reference has, which counts as all.
    """
    if not isinstance(metric, NgramPrecision):
        return {}
    matches, _ = metric.matches_and_totals(rows)
    found = {}
    for order in range(1, metric.order + 1):
        there = np.maximum(rows[..., 1] - order + 1, 0.0)
        found[f"recall_{order}"] = 100.0 * np.minimum(ratio(matches[..., order - 1], there), 1.0)
    return found


def feature_set(name: str, *, language: str | None = None, tokenize: str | None = None) -> tuple[Feature, ...]:
    """The set called ``name``: ``paper`` or ``wide``.

    ``language`` is METEOR's; ``tokenize`` replaces the tokenizer of all metrics that cut words but METEOR.
    """
    if name not in FEATURE_SETS:
        raise UnknownName.of("set of features", name, FEATURE_SETS)
    further = {"blanc": "blanc"} if name == "wide" and "blanc" in metric_names() else {}
    made = tuple(
        _adapted(Feature.parse(spelling, name=label), language, tokenize)
        for label, spelling in (FEATURE_SETS[name] | further).items()
    )
    require_different_names(made)
    return made


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
