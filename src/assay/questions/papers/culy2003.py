"""Culy and Riehemann (2003), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Callable

from assay.errors import counted
from assay.questions.base import Question
from assay.questions.describe import Describe
from assay.questions.papers.base import (
    VALUE,
    WHAT,
    Exhibit,
    Here,
    Paper,
    Tables,
    Verdict,
    cell,
    table,
    values_seen,
    what,
    with_more_references,
)  # fmt: skip
from assay.questions.studies.base import different, grouped, those
from assay.results.result import Column, Table

_NAME = "culy2003"
#: As many references at a time as in the paper.
_SIZES = (2, 4)
_PEOPLE, _SYSTEMS, _SAME = "lowest of people", "highest of systems", "highest of systems, same references"
_HIGH, _LOW = "largest score of one translation", "its smallest score"
_BLEU, _NIST = (Column("value", "BLEU", ".2f"),), (Column("value", "NIST", ".4f"),)
#: What is better by less than this share is just slightly better.
_SLIGHTLY = 0.1
_BOTH = "It takes human translations and systems against the same references."


def _references(paper: Paper, here: Here) -> Question:
    """Each human translation is scored against the others, so that one reference less is left for it."""
    most = max(here.references - 1, 1)
    return paper.study("references", metrics=("bleu", "nist"), k=_sizes(most), text="both")


def _sizes(most: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(min(size, most) for size in _SIZES))


def _similar(paper: Paper, here: Here) -> Question:
    return paper.study("reference-similarity", kind=here.total)


def _scores(tables: Tables, metric: str, compared: str = "segments", *, most: bool = True) -> Table:
    """Every score of the largest sets of references, or of the smallest ones."""
    rows = [row for row in tables["scores"] if row["metric"] == metric and row["compared"] == compared]
    size = (max if most else min)((row["k"] for row in rows), default=0)
    return [row for row in rows if row["k"] == size]


def _kinds(metric: str, compared: str, *, most: bool) -> Callable[[Tables], Table]:
    """The lowest score of a person, and the highest of a system: of all, and against the same references."""

    def rows(tables: Tables) -> Table:
        scores = _scores(tables, metric, compared, most=most)
        lowest = min(those(scores, kind="human"), key=lambda row: row["score"], default=None)
        systems = those(scores, kind="system")
        if lowest is None or not systems:
            return []
        rivals = [row["score"] for row in those(systems, references=lowest["references"])]
        highest = max(row["score"] for row in systems)
        return what((_PEOPLE, lowest["score"]), (_SAME, max(rivals, default=None)), (_SYSTEMS, highest))

    return rows


def _outscored(rivals: str, *, slightly: bool = False) -> Callable[[Table], Verdict]:
    """Whether a system is above a person; or else, whether the person is just slightly better."""

    def holds(rows: Table) -> Verdict:
        human, systems = (cell(rows, "value", what=name) for name in (_PEOPLE, rivals))
        if human is None or systems is None:
            return None, "No system has a score against the same references."
        said = f"The lowest human score is {human:.4g}, the {rivals} {systems:.4g}."
        return 0.0 < human - systems < _SLIGHTLY * human if slightly else systems > human, said

    return holds


def _extremes(tables: Tables) -> Table:
    """The translation whose score depends most on the choice of references."""
    groups = grouped(_scores(tables, "bleu", most=False), "system")
    scores = [[row["score"] for row in rows] for _, rows in groups]
    widest = max(scores, key=lambda values: max(values) - min(values), default=None)
    return what((_HIGH, max(widest)), (_LOW, min(widest))) if widest else []


def _choice_decides(rows: Table) -> Verdict:
    high, low = (row["value"] for row in rows)
    if high == low:
        return None, "There is one set of references for each translation."
    return high - low > 1.0, f"One translation has from {low:.2f} to {high:.2f}, by the choice of references alone."


def _order_changes(rows: Table) -> Verdict:
    first = rows[0]
    said = f"With {counted(first['k'], 'reference')} {first['changing']} of {counted(first['pairs'], 'pair')} of"
    return first["changing"] > 0, f"{said} translations change their order."


def _deviations(tables: Tables) -> Table:
    return those(tables["table"], metric="bleu", compared="segments")


def _agreement(tables: Tables) -> Table:
    return [row | {"pair": f"{row['a']} and {row['b']}"} for row in tables["rank_agreement"]]


def _alike(rows: Table) -> Verdict:
    able = [row["kendall"] for row in rows if row["kendall"] is not None]
    if not able:
        return None, "There is nothing to rank."
    return min(able) >= 0.7, f"Kendall's correlation of ranks is {min(able):.2f} to {max(able):.2f}."


def _four_separate(rows: Table) -> Verdict:
    of_bleu = those(rows, metric="bleu")
    sizes = sorted(different(of_bleu, "k"))
    few, many = (cell(of_bleu, "auc", k=size) for size in (sizes[0], sizes[-1]))
    if len(sizes) < 2 or few is None or many is None:
        return None, "There is one number of references only."
    said = f"Human translations are above systems in {few:.1f} % of cases with {sizes[0]} references"
    return many > few, f"{said}, {many:.1f} % with {sizes[-1]}."


def _free_one(rows: Table) -> Verdict:
    least = min(rows, key=lambda row: row["similarity"])
    return None, f"{least['reference']} is least like the others under {least['metric']} ({least['similarity']:.1f})."


def _texts(tables: Tables) -> Table:
    numbers = {row["part"]: row["number"] for row in tables["contents"]}
    return what(("human translations", numbers["references"]), ("systems", numbers["systems"]))


def _others(tables: Tables) -> Table:
    """Other texts beside the two true human translations that are lowest."""
    rows = []
    for row in tables["separability"]:
        of_metric = those(tables["table"], metric=row["metric"], k=row["k"], compared=row["compared"])
        low = sorted(true["mean"] for true in those(of_metric, kind="human"))
        rows.append(row | {"lowest_true": low[0] if low else None, "next_true": low[1] if len(low) > 1 else None})
    return rows


def _nearer(rows: Table) -> Verdict:
    """Whether some true translation is nearer to another text than to the true one above it."""
    able = [row for row in rows if row["next_true"] is not None]
    if not able:
        return None, "It takes two true human translations."
    near = sum(row["lowest_true"] - row["highest"] < row["next_true"] - row["lowest_true"] for row in able)
    said = f"In {near} of {len(able)} cases the lowest true translation is nearer to the other text than to the next"
    return near > 0, f"{said} true one."


EXHIBITS = (
    Exhibit(
        _NAME, "Table 1", "page 2", "The texts",
        "Five translations of Luke and six of Tom Sawyer, and two systems.",
        lambda _paper, _here: Describe(), _texts, WHAT, VALUE, values_seen,
    ),
    Exhibit(
        _NAME, "Figures 1, 4", "pages 3 and 4", "BLEU against four references at most, people and systems",
        "Some machine translations outscore some professional human translations.",
        _references, _kinds("bleu", "segments", most=True), WHAT, _BLEU, _outscored(_SAME), _BOTH,
    ),
    Exhibit(
        _NAME, "Figure 2", "page 3", "NIST against four references at most, the text undivided",
        "The worst human translation is just slightly better than the best machine translation.",
        _references, _kinds("nist", "whole", most=True), WHAT, _NIST, _outscored(_SAME, slightly=True), _BOTH,
    ),
    Exhibit(
        _NAME, "Figures 3, 5", "pages 4 and 5", "BLEU against two references at most",
        "Scores vary substantially with which two references are used.",
        _references, _extremes, WHAT, _BLEU, _choice_decides,
    ),
    Exhibit(
        _NAME, "Section 3, order", "page 3", "Which of two translations is better, by the choice of references",
        "Even the relative ranking of two translations with respect to each other changes.",
        _references, lambda tables: those(tables["order"], metric="bleu", compared="segments"),
        (Column("k", "references", "d"),),
        (Column("pairs", "pairs", ","), Column("changing", "that change their order", ",")), _order_changes,
        "There is one set of references for each pair.",
    ),
    Exhibit(
        _NAME, "Tables 2, 3", "pages 4 and 5", "Standard deviation of BLEU over sets of references",
        "Deviations are much larger with two references than with four.",
        _references, _deviations, (Column("system", "translation"), Column("k", "references", "d")),
        (Column("sd", "SD", ".2f"),), with_more_references("sd", "k", "system", numbers="deviations", grow=False),
    ),
    Exhibit(
        _NAME, "Figure 6", "page 5", "NIST against two references at most",
        "It is even harder to tell some human translations from systems.",
        _references, _kinds("nist", "segments", most=False), WHAT, _NIST, _outscored(_SYSTEMS), _BOTH,
    ),
    Exhibit(
        _NAME, "Section 3", "page 3", "Do BLEU and NIST rank alike, and segments and undivided text?",
        "They do: relative rankings do not differ substantially.",
        _references, _agreement, (Column("pair", "ranks by"), Column("k", "references", "d")),
        (Column("kendall", "Kendall", ".2f", low="kendall_low", high="kendall_high"),), _alike,
    ),
    Exhibit(
        _NAME, "Section 4, references", "page 6", "How well people are told from systems",
        "With four references the contrast between good and not so good translations is much clearer.",
        _references, lambda tables: those(tables["separability"], compared="segments"),
        (Column("metric"), Column("k", "references", "d")),
        (
            Column("auc", "human above system %", ".1f", low="auc_low", high="auc_high"),
            Column("separated", "all humans above all systems %", ".1f"),
        ),
        _four_separate, _BOTH,
    ),
    Exhibit(
        _NAME, "Section 4, style", "page 6", "How like the others each reference is",
        "It is critical to control the style of references: a free one stands apart from strict ones.",
        _similar, table, (Column("metric"), Column("reference")),
        (Column("similarity", "mean similarity", ".2f", low="low", high="high"),), _free_one,
    ),
    Exhibit(
        _NAME, "Figures 7, 8", "page 7", "Other texts against these references",
        "Some true translation is closer to another text than to another true translation.",
        lambda paper, _here: paper.study("foreign-texts", metrics=("bleu", "nist"), others=paper.others),
        _others, (Column("text"), Column("metric")),
        (
            Column("highest", "its highest", ".2f"), Column("lowest_true", "lowest true human one", ".2f"),
            Column("next_true", "next true one", ".2f"), Column("separated", "told apart %", ".1f"),
        ),
        _nearer,
    ),
)  # fmt: skip
