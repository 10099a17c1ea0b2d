"""Judgements in and out: one module per format, each with a ``FORMAT``."""

from __future__ import annotations

from importlib import import_module

from assay.data.formats.judgements.base import JudgementFormat
from assay.errors import UnknownName

#: Names of formats and their modules, in the order in which a file is tried.
MODULES = {
    "mqm": "mqm",
    "mqm-marot": "mqm_marot",
    "mqm-unbabel": "mqm_unbabel",
    "mqm-averages": "mqm_averages",
    "error-spans": "error_spans",
    "ranking": "ranking",
    "ranking-wmt": "ranking_wmt",
    "assay": "table",
    "adequacy-fluency": "grades",
    "mtme-score": "mtme_score",
    "mtme-rating": "mtme_rating",
    "mtme-rating-jsonl": "mtme_rating_jsonl",
    "pearmut": "pearmut",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "esa": "appraise",
}


def judgement_format(name: str) -> JudgementFormat:
    """The format of that name."""
    if name not in MODULES:
        raise UnknownName.of("format of judgements", name, MODULES)
    module = import_module(f"assay.data.formats.judgements.{MODULES[name]}")
    found: JudgementFormat = module.FORMAT
    return found
