"""Judgements in and out: a format is one file, with what :class:`JudgementFormat` asks for, and one line here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from assay.arguments import checked
from assay.data.files import is_stream, plain_name, read_bytes, read_head, reading_up_to, require_text, texts_of
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.judgements import Judgements
from assay.data.problems import STRICT, note
from assay.errors import InputError, Place
from assay.registry import Registry

if TYPE_CHECKING:
    from assay.data.campaign import Campaign

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


@checked
def read_judgements(
    path: str | Path,
    *,
    campaign: Campaign | None = None,
    judgement_format_name: str | None = None,
    largest: int | str | None = None,
) -> Judgements:
    """The judgements in a file; the format is found by its name and first lines unless it is given.

    ``largest`` says how much may come of a compressed or Parquet file (``"8GB"``), where that is more than usual.
    """
    with reading_up_to(largest):
        name = judgement_format_name or guess_judgement_format(path)
        judgements = JUDGEMENT_FORMATS[name].read(str(path), campaign, STRICT)
    for message in judgements.alike():
        note(message, Place(judgements.origin))
    return judgements


def guess_judgement_format(path: str | Path) -> str:
    """The name of the first format that recognises the file."""
    head = read_head(path)
    # Standard input has no name that could tell: then what is in it has to.
    unnamed = ("-.parquet",) if head.startswith("PAR1") else ("-.tsv", "-.jsonl", "-.csv")
    names = unnamed if is_stream(path) else (Path(plain_name(path)).name,)
    for name in names:
        for known in JUDGEMENT_FORMATS:
            if JUDGEMENT_FORMATS[known].recognises(name, head):
                return known
    require_text(path)
    if head.startswith("\ufffd"):
        # It is not UTF-8, and that is what is wrong.
        texts_of(read_bytes(path), str(path))
    raise InputError(
        "no known format of judgements.",
        f"Name it if it is one of {', '.join(JUDGEMENT_FORMATS)}, or write a table with the columns system, segment, "
        "document, rater, score and kind.",
        Place(str(path)),
    )
