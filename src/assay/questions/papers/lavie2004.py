"""Lavie, Sagae and Jayaraman (2004), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Callable

from assay.questions.base import Question
from assay.questions.papers.base import VALUE, WHAT, Exhibit, Here, Paper, Tables, Verdict, cell, table, what
from assay.results.result import Column, Table

_NAME = "lavie2004"
_PEARSON = Column("pearson", "Pearson", ".3f", low="pearson_low", high="pearson_high")
_DIFFERENCES = Column("differences", "Pearson", ".3f", low="differences_low", high="differences_high")
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
    """The weight of recall at which Fmean follows people most."""
    found: dict[float, list[float]] = {}
    for row in tables["table"]:
        if row["training"] is not None:
            found.setdefault(row["alpha"], []).append(row["training"])
    best = max(found, key=lambda alpha: sum(found[alpha]) / len(found[alpha]), default=None)
    return [] if best is None else what(("weight of recall", best))


def _mostly_recall(rows: Table) -> Verdict:
    weight = rows[0]["value"]
    return weight >= _ALMOST_ALL, f"People are followed most with a weight of {weight:.2f} on recall."


def _more_references(rows: Table) -> Verdict:
    first, last = min(row["k"] for row in rows), max(row["k"] for row in rows)
    pairs = [
        (cell(rows, "mean", metric=row["metric"], statistic=row["statistic"], level=row["level"], k=first), row["mean"])
        for row in rows
        if row["k"] == last
    ]
    able = [(one, other) for one, other in pairs if one is not None and other is not None]
    if not able or first == last:
        return None, "There is one number of references only."
    up = sum(other > one for one, other in able)
    return up > len(able) / 2, f"From {first} to {last} references {up} of {len(able)} correlations grow."


def _weighted(rows: Table) -> Verdict:
    plain, weighted = (cell(rows, "pearson", metric=name, text="words") for name in ("fmean", "fmean(weights=idf)"))
    if plain is None or weighted is None:
        return None, "Fmean has no correlation here."
    return weighted > plain, f"Fmean {plain:.3f}, with words weighted by their idf {weighted:.3f}."


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
        _correlations, table, _METRIC, (_PEARSON,), _recall_first("pearson"),
    ),
    Exhibit(
        _NAME, "Tables 3, 4", "pages 8 and 9", "The same of differences between pairs of systems",
        "Recall and Fmean follow people more than BLEU and NIST do, and precision least.",
        _correlations, table, _METRIC, (_DIFFERENCES,), _recall_first("differences"),
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
        (Column("mean", "mean", ".3f"),), _more_references,
    ),
    Exhibit(
        _NAME, "Section 5, words", "page 9", "Matched words weighted by how rare they are",
        "Planned: matching semantically important words should carry more weight.",
        lambda paper, here: paper.study(
            "correlations", kind=here.total, metrics=("fmean", "fmean(weights=idf)", "fmean(weights=function-words)")
        ),
        table, _METRIC, (_PEARSON,), _weighted,
    ),
)  # fmt: skip
