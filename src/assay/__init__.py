"""Assay evaluates machine translation, and evaluates the evaluation.

>>> import assay
>>> corpus = assay.Corpus(translations=["the cat sat"], references=[["the cat sat down"]])
>>> round(assay.metric("f1").evaluate(corpus).corpus_score(), 2)
85.71

Names load when they are first used, so that ``import assay`` is quick. ``__init__.pyi`` has them for editors and type
checkers, and is written by ``make docs``.
"""

from __future__ import annotations

from importlib import import_module

from assay.version import __version__ as __version__

#: The public names, by the module that they come from.
_PUBLIC = {
    "data.campaign": ["Campaign"],
    "data.conversion": ["write"],
    "data.corpus": ["Corpus", "Segment"],
    "data.formats.judgements": ["read_judgements"],
    "data.formats.scores": ["read_scores"],
    "data.judgements": ["ErrorSpan", "Judgement", "Judgements"],
    "data.formats": ["read"],
    "data.mqm_weights": ["weighted"],
    "data.segmentation": ["merge"],
    "data.texts": ["Texts"],
    "errors": ["AssayError", "AssayWarning", "InputError", "MissingExtra", "ParameterError", "UnknownName"],
    "explorer.explore": ["explore"],
    "learned.features": ["feature_set", "feature_table"],
    "learned.model_file": ["QualityModel", "combine", "load_predictor"],
    "learned.predictor": ["Predictor"],
    "metrics.base": ["BestReference", "Metric"],
    "metrics.blanc": ["Blanc"],
    "metrics.bleu": ["Bleu"],
    "metrics.character_ter": ["CharacterTer"],
    "metrics.chrf": ["Chrf"],
    "metrics.combination": ["Combination"],
    "metrics.cosine": ["Cosine"],
    "metrics.eed": ["Eed"],
    "metrics.gleu": ["Gleu"],
    "metrics.gtm": ["Gtm"],
    "metrics.hter": ["Hter"],
    "metrics.lm": ["LanguageModel"],
    "metrics.meteor": ["Meteor"],
    "metrics.modbleu": ["ModBleu"],
    "metrics.nist": ["Nist"],
    "metrics.per": ["Per"],
    "metrics.registry": ["metric", "metric_names", "register"],
    "metrics.ribes": ["Ribes"],
    "metrics.rouge": ["Rouge"],
    "metrics.ter": ["Ter"],
    "metrics.tunable": ["Candidates", "Tunable"],
    "metrics.unigrams": ["F1", "Fmean", "Precision", "Recall"],
    "metrics.wer": ["Cer", "Wer"],
    "people.normalise": ["normalise"],
    "people.statistics.base": ["Statistic"],
    "people.statistics.registry": ["register_statistic"],
    "questions.base": ["Question", "option"],
    "questions.calls": [
        "agreement",
        "compare",
        "describe",
        "diff",
        "features",
        "history",
        "learn",
        "meta_evaluate",
        "predict",
        "report",
        "rerun",
        "score",
        "show",
        "sql",
        "tune",
        "validate",
    ],
    "questions.explain": ["explain", "explain_segment"],
    "questions.papers.registry": ["paper"],
    "questions.studies.base": ["Study"],
    "questions.studies.registry": ["study"],
    "results.figure": ["Figure"],
    "results.result": ["Column", "Result", "View"],
    "scoring.statistics": ["Statistics"],
    "significance.draws": ["Interval"],
    "store.folder": ["Run", "Store"],
    "text.batch": ["Batch"],
    "text.recipe": ["Recipe", "Sequences"],
}
_HOMES = {name: f"assay.{module}" for module, names in _PUBLIC.items() for name in names}

__all__ = sorted(["__version__", *_HOMES])  # noqa: PLE0605 - a list of names, made of the table


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
