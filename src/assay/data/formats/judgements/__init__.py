"""Judgements in and out: a format is one file, with what :class:`JudgementFormat` asks for, and one line here."""

from __future__ import annotations

from assay.data.formats.judgements.base import JudgementFormat
from assay.registry import Registry

_HERE = "assay.data.formats.judgements"

#: Formats by name, in the order in which a file is tried.
JUDGEMENT_FORMATS: Registry[JudgementFormat] = Registry(
    "format of judgements",
    {
        "mqm": f"{_HERE}.mqm:FORMAT",
        "mqm-marot": f"{_HERE}.mqm:MAROT_FORMAT",
        "mqm-unbabel": f"{_HERE}.mqm:UNBABEL_FORMAT",
        "mqm-averages": f"{_HERE}.mt_metrics_eval:AVERAGES",
        "error-spans": f"{_HERE}.error_spans:FORMAT",
        "ranking": f"{_HERE}.ranking:FORMAT",
        "ranking-wmt": f"{_HERE}.ranking:WMT",
        "assay": f"{_HERE}.table:FORMAT",
        "adequacy-fluency": f"{_HERE}.grades:FORMAT",
        "mtme-score": f"{_HERE}.mt_metrics_eval:SCORES",
        "mtme-rating": f"{_HERE}.mt_metrics_eval:RATINGS",
        "mtme-rating-jsonl": f"{_HERE}.mt_metrics_eval:STANDALONE",
        "pearmut": f"{_HERE}.pearmut:FORMAT",
        "jsonl": f"{_HERE}.table:JSONL",
        "parquet": f"{_HERE}.table:PARQUET",
        "esa": f"{_HERE}.appraise:FORMAT",
    },
    "assay.judgements",
)
