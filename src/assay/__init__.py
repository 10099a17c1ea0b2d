"""Assay evaluates machine translation, and evaluates the evaluation.

>>> import assay
>>> corpus = assay.Corpus(translations=["the cat sat"], references=[["the cat sat down"]])
>>> round(assay.metric("f1").evaluate(corpus).corpus_score(), 2)
85.71

Names load when they are first used, so that ``import assay`` is quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.version import __version__

if TYPE_CHECKING:
    from assay.data.campaign import Campaign
    from assay.data.conversion import write
    from assay.data.corpus import Corpus, Segment
    from assay.data.external import read_scores
    from assay.data.formats.judgement_files import read_judgements
    from assay.data.judgements import ErrorSpan, Judgement, Judgements
    from assay.data.reading import read
    from assay.data.texts import Texts
    from assay.errors import AssayError, InputError, MissingExtra, ParameterError, UnknownName
    from assay.learned.combine import combine
    from assay.learned.model_file import QualityModel, load_predictor
    from assay.learned.predictor import Predictor
    from assay.metrics.base import BestReference, Metric
    from assay.metrics.blanc import Blanc
    from assay.metrics.bleu import Bleu
    from assay.metrics.chrf import Chrf
    from assay.metrics.gtm import Gtm
    from assay.metrics.hter import Hter
    from assay.metrics.meteor import Meteor
    from assay.metrics.modbleu import ModBleu
    from assay.metrics.nist import Nist
    from assay.metrics.per import Per
    from assay.metrics.registry import metric, metric_names, register
    from assay.metrics.ter import Ter
    from assay.metrics.tunable import Candidates, Tunable
    from assay.metrics.unigrams import F1, Fmean, Precision, Recall
    from assay.metrics.wer import Cer, Wer
    from assay.people.normalise import normalise
    from assay.people.statistics.base import Statistic
    from assay.people.statistics.registry import register_statistic
    from assay.questions.base import Question, option
    from assay.questions.calls import agreement, compare, learn, meta_evaluate, predict, score, tune
    from assay.questions.explain import explain, explain_segment
    from assay.questions.studies.base import Study
    from assay.questions.studies.registry import study
    from assay.results.figure import Figure
    from assay.results.result import Column, Result, View
    from assay.scoring.statistics import Statistics
    from assay.significance.intervals import Interval
    from assay.text.batch import Batch
    from assay.text.recipe import Recipe, Sequences

#: Public names and the modules they come from.
_HOMES = {
    "AssayError": "assay.errors",
    "Batch": "assay.text.batch",
    "BestReference": "assay.metrics.base",
    "Blanc": "assay.metrics.blanc",
    "Bleu": "assay.metrics.bleu",
    "Campaign": "assay.data.campaign",
    "Candidates": "assay.metrics.tunable",
    "Cer": "assay.metrics.wer",
    "Chrf": "assay.metrics.chrf",
    "Column": "assay.results.result",
    "Corpus": "assay.data.corpus",
    "ErrorSpan": "assay.data.judgements",
    "F1": "assay.metrics.unigrams",
    "Figure": "assay.results.figure",
    "Fmean": "assay.metrics.unigrams",
    "Gtm": "assay.metrics.gtm",
    "Hter": "assay.metrics.hter",
    "InputError": "assay.errors",
    "Interval": "assay.significance.intervals",
    "Judgement": "assay.data.judgements",
    "Judgements": "assay.data.judgements",
    "Meteor": "assay.metrics.meteor",
    "Metric": "assay.metrics.base",
    "MissingExtra": "assay.errors",
    "ModBleu": "assay.metrics.modbleu",
    "Nist": "assay.metrics.nist",
    "ParameterError": "assay.errors",
    "Per": "assay.metrics.per",
    "Precision": "assay.metrics.unigrams",
    "Predictor": "assay.learned.predictor",
    "QualityModel": "assay.learned.model_file",
    "Question": "assay.questions.base",
    "Recall": "assay.metrics.unigrams",
    "Recipe": "assay.text.recipe",
    "Result": "assay.results.result",
    "Segment": "assay.data.corpus",
    "Sequences": "assay.text.recipe",
    "Statistic": "assay.people.statistics.base",
    "Statistics": "assay.scoring.statistics",
    "Study": "assay.questions.studies.base",
    "Ter": "assay.metrics.ter",
    "Texts": "assay.data.texts",
    "Tunable": "assay.metrics.tunable",
    "UnknownName": "assay.errors",
    "View": "assay.results.result",
    "Wer": "assay.metrics.wer",
    "agreement": "assay.questions.calls",
    "combine": "assay.learned.combine",
    "compare": "assay.questions.calls",
    "explain": "assay.questions.explain",
    "explain_segment": "assay.questions.explain",
    "learn": "assay.questions.calls",
    "load_predictor": "assay.learned.model_file",
    "meta_evaluate": "assay.questions.calls",
    "metric": "assay.metrics.registry",
    "metric_names": "assay.metrics.registry",
    "normalise": "assay.people.normalise",
    "option": "assay.questions.base",
    "predict": "assay.questions.calls",
    "read": "assay.data.reading",
    "read_judgements": "assay.data.formats.judgement_files",
    "read_scores": "assay.data.external",
    "register": "assay.metrics.registry",
    "register_statistic": "assay.people.statistics.registry",
    "score": "assay.questions.calls",
    "study": "assay.questions.studies.registry",
    "tune": "assay.questions.calls",
    "write": "assay.data.conversion",
}

__all__ = [
    "AssayError",
    "Batch",
    "BestReference",
    "Blanc",
    "Bleu",
    "Campaign",
    "Candidates",
    "Cer",
    "Chrf",
    "Column",
    "Corpus",
    "ErrorSpan",
    "F1",
    "Figure",
    "Fmean",
    "Gtm",
    "Hter",
    "InputError",
    "Interval",
    "Judgement",
    "Judgements",
    "Meteor",
    "Metric",
    "MissingExtra",
    "ModBleu",
    "Nist",
    "ParameterError",
    "Per",
    "Precision",
    "Predictor",
    "QualityModel",
    "Question",
    "Recall",
    "Recipe",
    "Result",
    "Segment",
    "Sequences",
    "Statistic",
    "Statistics",
    "Study",
    "Ter",
    "Texts",
    "Tunable",
    "UnknownName",
    "View",
    "Wer",
    "__version__",
    "agreement",
    "combine",
    "compare",
    "explain",
    "explain_segment",
    "learn",
    "load_predictor",
    "meta_evaluate",
    "metric",
    "metric_names",
    "normalise",
    "option",
    "predict",
    "read",
    "read_judgements",
    "read_scores",
    "register",
    "register_statistic",
    "score",
    "study",
    "tune",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
