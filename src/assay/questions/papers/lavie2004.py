"""Lavie, Sagae and Jayaraman (2004), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean

from assay.questions.base import Question
from assay.questions.papers.base import (
    DIFFERENCES,
    PEARSON,
    VALUE,
    WHAT,
    Exhibit,
    Here,
    Paper,
    Tables,
    Verdict,
    above,
    cell,
    table,
    what,
    with_more_references,
)  # fmt: skip
from assay.questions.studies.base import grouped
from assay.results.result import Column, Table

_NAME = "lavie2004"
_METRIC = (Column("metric"), Column("text"))
#: Weights of recall from here on are almost all of it.
_ALMOST_ALL = 0.8


def _correlations(paper: Paper, here: Here) -> Question:
    return paper.study("correlations", kind=here.total)


def _recall_first(column: str) -> Callable[[Table], Verdict]:
    """Whether recall and Fmean are above BLEU and NIST, and precision below."""

    def holds(rows: Table) -> Verdict:
        names = ("recall", "fmean", "bleu", "nist", "precision")
        recall, fmean, bleu, nist, precision = (cell(rows, column, metric=name, text="words") for name in names)
        if recall is None or fmean is None or bleu is None or nist is None or precision is None:
            return None, "Some of recall, Fmean, BLEU, NIST and precision have no correlation here."
        said = f"recall {recall:.3f}, Fmean {fmean:.3f}, BLEU {bleu:.3f}, NIST {nist:.3f}, precision {precision:.3f}."
        return min(recall, fmean) > max(bleu, nist) and precision < min(recall, fmean, bleu, nist), said

    return holds


def _gains(tables: Tables) -> Table:
    """What stems change, in both statistics."""
    named = ("metric", "pearson_gain", "pearson_gain_low", "pearson_gain_high", "differences_gain")
    return [{name: row.get(name) for name in named} for row in tables["table"] if row["text"] == "stems"]


def _stems_help(rows: Table) -> Verdict:
    gains = [row["pearson_gain"] for row in rows if row["pearson_gain"] is not None]
    if not gains:
        return None, "No gain is defined."
    up = sum(gain > 0 for gain in gains)
    return up > len(gains) / 2, f"Stems raise the correlation of {up} of {len(gains)} metrics."


def _best_weight(tables: Tables) -> Table:
    """The weight of recall at which Fmean follows people most, on average over the parts that it is chosen on."""
    able = (row for row in tables["table"] if row["training"] is not None)
    means = {alpha: fmean(row["training"] for row in rows) for alpha, rows in grouped(able, "alpha")}
    return what(("weight of recall", max(means, key=means.__getitem__))) if means else []


def _mostly_recall(rows: Table) -> Verdict:
    weight = rows[0]["value"]
    return weight >= _ALMOST_ALL, f"People are followed most with a weight of {weight:.2f} on recall."


EXHIBITS = (
    Exhibit(
        _NAME, "Section 2.2", "page 4", "How much weight belongs to recall?",
        "Correlations are highest when almost all of the weight is on recall; Fmean has 0.9 of it.",
        lambda paper, here: paper.study("recall-weight", kind=here.total),
        _best_weight, WHAT, VALUE, _mostly_recall,
    ),
    Exhibit(
        _NAME, "Tables 1, 2", "pages 6 and 7", "Pearson's correlation of systems' scores with the total human score",
        "Recall and Fmean follow people more than BLEU and NIST do, and precision least.",
        _correlations, table, _METRIC, (PEARSON,), _recall_first("pearson"),
    ),
    Exhibit(
        _NAME, "Tables 3, 4", "pages 8 and 9", "Pearson's correlation of differences between pairs of systems",
        "Recall and Fmean follow people more than BLEU and NIST do, and precision least.",
        _correlations, table, _METRIC, (DIFFERENCES,), _recall_first("differences"),
    ),
    Exhibit(
        _NAME, "Section 4.1", "pages 6 and 7", "What stemming changes",
        "Stemming improves the correlations of most metrics.",
        _correlations, _gains, (Column("metric"),),
        (
            Column("pearson_gain", "gain over words", "+.3f", low="pearson_gain_low", high="pearson_gain_high"),
            Column("differences_gain", "of differences", "+.3f"),
        ),
        _stems_help,
    ),
    Exhibit(
        _NAME, "Section 5", "page 9", "Correlation as a function of the number of references",
        "Planned: to measure what further references bring.",
        lambda paper, here: paper.study("reference-count", kind=here.total),
        table, (Column("metric"), Column("level"), Column("statistic"), Column("k", "k", "d")),
        (Column("mean", "mean", ".3f"),), with_more_references("mean", "k", "metric", "level", "statistic"),
    ),
    Exhibit(
        _NAME, "Section 5, words", "page 9", "Matched words weighted by how rare they are",
        "Planned: matching semantically important words should carry more weight.",
        lambda paper, here: paper.study(
            "correlations", kind=here.total, metrics=("fmean", "fmean(weights=idf)", "fmean(weights=function-words)")
        ),
        table, _METRIC, (PEARSON,), above("pearson", "fmean(weights=idf)", "fmean", text="words"),
    ),
)  # fmt: skip
