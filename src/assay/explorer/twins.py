"""Which formula of the page's JavaScript computes the score of a metric, and with which parameters.

``static/numbers/formulas.js`` holds the formulas. A twin is what one of them takes: its name and its numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from assay.learned.predictor import Predictor
from assay.metrics.base import Metric
from assay.metrics.blanc import Blanc
from assay.metrics.bleu import Bleu
from assay.metrics.character_ter import CharacterTer
from assay.metrics.chrf import Chrf
from assay.metrics.combination import Combination
from assay.metrics.cosine import Cosine
from assay.metrics.eed import Eed
from assay.metrics.given import GivenScores
from assay.metrics.gleu import Gleu
from assay.metrics.gtm import Gtm
from assay.metrics.hter import Hter
from assay.metrics.lm import LanguageModel
from assay.metrics.meteor import Meteor
from assay.metrics.modbleu import ModBleu
from assay.metrics.nist import Nist
from assay.metrics.per import Per
from assay.metrics.ribes import Ribes
from assay.metrics.rouge import Rouge
from assay.metrics.ter import Ter
from assay.metrics.unigrams import F1, Fmean, Precision, Recall
from assay.metrics.weighed import WeighedWords
from assay.metrics.wer import Cer, Wer

#: The name of a formula and its parameters: what JSON can hold.
_Twin = dict[str, Any]


def twin(metric: Metric, *, segments: bool = False) -> _Twin | None:
    """The formula of a metric's ``score`` or, of single ``segments``, of ``for_segments().score``; None without one.

    What it takes is a row of the metric, or a sum of rows. ``missing`` names the column that is 0 where a segment has
    no score, and so no part in sums; ``sizes`` that which says how many scores a sum of rows is the mean of.
    """
    metric = metric.for_segments() if segments else metric
    if metric.average == "documents":
        return None
    if metric.average == "segments":
        counted = len(metric.plain.columns)
        return _ratio(counted, counted + 1) | {"sizes": counted + 1}
    of = _FORMULAS.get(type(metric))
    return None if of is None else of(metric)


def reason(metric: Metric, *, segments: bool = False) -> str:
    """Why a metric has no twin, in a sentence; nothing where it has one."""
    if twin(metric, segments=segments) is not None:
        return ""
    parts = metric.combined if isinstance(metric, Combination) else (metric,)
    if any(part.average == "documents" for part in parts):
        return "A mean over documents depends on which segments of each are kept, which no sum of counts says."
    return f"{metric.name} is no metric of Assay's own, so that the page has no formula of it."


def draws_intervals(metric: Metric) -> bool:
    """Whether sums of rows under draws are all that its interval takes: not if it is fitted anew without each unit."""
    refitted = (isinstance(metric, Nist) and metric.weights == "information") or (
        isinstance(metric, WeighedWords) and metric.weights == "idf"
    )
    return twin(metric) is not None and (metric.average != "corpus" or not refitted)


def _ratio(over: int, under: int, scale: float = 1.0) -> _Twin:
    """One column by another; 0 where there is nothing to divide by."""
    return {"formula": "ratio", "over": over, "under": under, "scale": scale}


def _mean(metric: Metric) -> _Twin:
    """Of what is the mean of its segments."""
    return _ratio(0, len(metric.columns) - 1, 100.0)


def _bleu(metric: Bleu) -> _Twin:
    return {
        "formula": "bleu",
        "order": metric.order,
        "counted": metric.counted_order,
        "weights": list(metric.weights or (1.0,) * metric.order),
        "smoothing": metric.smoothing,
        "value": metric._value,
        "effective": bool(metric.effective_order),
        "convention": metric.convention,
    }


def _blanc(metric: Blanc) -> _Twin:
    weights = list(metric.weights or (1.0,) * metric.order)
    return {"formula": "blanc", "weights": weights, "decay": metric._decay.tolist(), "alpha": metric.alpha}


def _meteor(metric: Meteor) -> _Twin:
    numbers = metric.settings.parameters
    return {
        "formula": "meteor",
        **{name: getattr(numbers, name) for name in ("alpha", "beta", "gamma", "delta")},
        "weights": list(numbers.weights),
        "chunks": metric.columns.index("penalized_chunks"),
        "matches": metric.columns.index("penalized_matches"),
    }


def _shares(measure: str, alpha: float = 0.5, empty: float = 100.0) -> _Twin:
    """Precision, recall or their harmonic mean with a weight on recall; ``empty`` is the score of two empty texts."""
    return {"formula": "shares", "measure": measure, "alpha": alpha, "empty": empty}


def _combination(metric: Combination) -> _Twin | None:
    parts: list[_Twin] = []
    at = 0
    for part in metric.combined:
        formula = twin(part)
        if formula is None:
            return None
        parts.append({"twin": formula, "from": at, "turned": not part.higher_is_better})
        at += len(part.columns)
    return {"formula": "combination", "parts": parts}


#: By class, so that a subclass of somebody's own, which may score otherwise, has none.
_FORMULAS: dict[type[Metric], Callable[[Any], _Twin | None]] = {
    Bleu: _bleu,
    ModBleu: lambda one: {"formula": "modbleu", "order": one.order, "brevity": one.brevity},
    Nist: lambda one: {"formula": "nist", "order": one.order},
    Chrf: lambda one: {
        "formula": "chrf",
        "orders": one.char_order + one.word_order,
        "beta": one.beta,
        "smoothing": one.smoothing,
    },
    Ter: lambda _: {"formula": "ter"},
    Hter: lambda _: {"formula": "ter"},
    Wer: lambda _: {"formula": "wer"},
    Cer: lambda _: {"formula": "wer"},
    Per: lambda one: {"formula": "per", "surplus": one.surplus},
    Meteor: _meteor,
    Precision: lambda _: _shares("precision"),
    Recall: lambda _: _shares("recall"),
    F1: lambda _: _shares("f"),
    Fmean: lambda one: _shares("f", one.alpha),
    Gtm: lambda one: _shares(one.measure, empty=0.0),
    Blanc: _blanc,
    Cosine: lambda _: _ratio(0, 1),
    Ribes: _mean,
    Gleu: lambda _: _ratio(0, 1, 100.0),
    CharacterTer: _mean,
    Eed: _mean,
    Rouge: _mean,
    LanguageModel: lambda _: {"formula": "perplexity"},
    Combination: _combination,
    # Nothing by nothing is no score.
    GivenScores: lambda _: _ratio(0, 1) | {"missing": 1, "sizes": 1},
    Predictor: lambda _: _ratio(0, 1),
}
