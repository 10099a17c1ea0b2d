"""Culy and Riehemann (2003), exhibit by exhibit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
)
from assay.results.result import Column, Table

_NAME = "culy2003"
#: As many references at a time as in the paper.
_SIZES = (2, 4)
_PEOPLE, _SYSTEMS = "lowest of people", "highest of systems"


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
    """The lowest score of a person, and the highest of a system."""

    def rows(tables: Tables) -> Table:
        scores = _scores(tables, metric, compared, most=most)
        human = [row["score"] for row in scores if row["kind"] == "human"]
        systems = [row["score"] for row in scores if row["kind"] == "system"]
        found = [(_PEOPLE, min(human))] if human else []
        return what(*found, *([(_SYSTEMS, max(systems))] if systems else []))

    return rows


def _outscored(rows: Table) -> Verdict:
    human, systems = (cell(rows, "value", what=name) for name in (_PEOPLE, _SYSTEMS))
    if human is None or systems is None:
        return None, "It takes human translations and systems against the same references."
    return systems > human, f"The lowest human score is {human:.4g}, the highest of a system {systems:.4g}."


def _extremes(tables: Tables) -> Table:
    """The translation whose score depends most on the choice of references."""
    scores = _scores(tables, "bleu", most=False)
    by_name: dict[str, list[float]] = {}
    for row in scores:
        by_name.setdefault(row["system"], []).append(row["score"])
    if not by_name:
        return []
    widest = max(by_name.values(), key=lambda values: max(values) - min(values))
    return what(("largest score of one translation", max(widest)), ("its smallest score", min(widest)))


def _choice_decides(rows: Table) -> Verdict:
    high, low = (row["value"] for row in rows)
    if high == low:
        return None, "There is one set of references for each translation."
    return high - low > 1.0, f"One translation has from {low:.2f} to {high:.2f}, by the choice of references alone."


def _deviations(tables: Tables) -> Table:
    return [row for row in tables["table"] if row["metric"] == "bleu" and row["compared"] == "segments"]


def _fewer_vary_more(rows: Table) -> Verdict:
    sizes = sorted({row["k"] for row in rows if row["sd"] is not None})
    if len(sizes) < 2:
        return None, "There is one number of references with several sets only."
    pairs = [
        (cell(rows, "sd", system=row["system"], k=sizes[0]), row["sd"])
        for row in rows
        if row["k"] == sizes[-1] and row["sd"] is not None
    ]
    able = [(few, many) for few, many in pairs if few is not None]
    down = sum(many < few for few, many in able)
    said = f"From {sizes[0]} to {sizes[-1]} references the deviation of {down} of {len(able)} translations shrinks."
    return down > len(able) / 2, said


def _agreement(tables: Tables) -> Table:
    return [row | {"pair": f"{row['a']} and {row['b']}"} for row in tables["rank_agreement"]]


def _alike(rows: Table) -> Verdict:
    able = [row["kendall"] for row in rows if row["kendall"] is not None]
    if not able:
        return None, "There is nothing to rank."
    return min(able) >= 0.7, f"Kendall's correlation of ranks is {min(able):.2f} to {max(able):.2f}."


def _separability(tables: Tables) -> Table:
    return [row for row in tables["separability"] if row["compared"] == "segments"]


def _four_separate(rows: Table) -> Verdict:
    of_bleu = [row for row in rows if row["metric"] == "bleu"]
    sizes: Sequence[int] = sorted({row["k"] for row in of_bleu})
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


def _nearer(rows: Table) -> Verdict:
    separated = [row["separated"] for row in rows if row["separated"] is not None]
    if not separated:
        return None, "There is nothing to compare."
    return min(
        separated
    ) < 100.0, f"True translations are above all other texts in {min(separated):.0f} % of sets or more."


EXHIBITS = (
    Exhibit(
        _NAME, "Table 1", "page 2", "The texts",
        "Five translations of Luke and six of Tom Sawyer, and two systems.",
        lambda _paper, _here: Describe(), _texts, WHAT, VALUE, values_seen,
    ),
    Exhibit(
        _NAME, "Figures 1, 4", "pages 3 and 4", "BLEU against four references, people and systems",
        "Some machine translations outscore some professional human translations.",
        _references, _kinds("bleu", "segments", most=True), WHAT, VALUE, _outscored,
    ),
    Exhibit(
        _NAME, "Figure 2", "page 3", "NIST against four references, the text undivided",
        "The worst human translation is just slightly better than the best machine translation.",
        _references, _kinds("nist", "whole", most=True), WHAT, VALUE, _outscored,
    ),
    Exhibit(
        _NAME, "Figures 3, 5", "pages 4 and 5", "BLEU against two references",
        "Scores vary substantially with which two references are used, and so does the order of translations.",
        _references, _extremes, WHAT, VALUE, _choice_decides,
    ),
    Exhibit(
        _NAME, "Tables 2, 3", "pages 4 and 5", "Standard deviation of BLEU over sets of references",
        "Deviations are much larger with two references than with four.",
        _references, _deviations, (Column("system", "translation"), Column("k", "references", "d")),
        (Column("sd", "SD", ".2f"),), _fewer_vary_more,
    ),
    Exhibit(
        _NAME, "Figure 6", "page 5", "NIST against two references",
        "It is even harder to tell some human translations from systems.",
        _references, _kinds("nist", "segments", most=False), WHAT, VALUE, _outscored,
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
        _references, _separability, (Column("metric"), Column("k", "references", "d")),
        (
            Column("auc", "human above system %", ".1f", low="auc_low", high="auc_high"),
            Column("separated", "all humans above all systems %", ".1f"),
        ),
        _four_separate,
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
        lambda tables: tables["separability"], (Column("text"), Column("metric")),
        (
            Column("highest", "its highest", ".2f"), Column("lowest_true", "lowest true one", ".2f"),
            Column("separated", "told apart %", ".1f"),
        ),
        _nearer,
    ),
)  # fmt: skip
