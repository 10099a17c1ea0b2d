"""Did two raters mark the same errors? F1 of the characters that they marked."""

from __future__ import annotations

import numpy as np

from assay.arrays import Array
from assay.data.judgements import ErrorSpan
from assay.people.agreement.pairwise import beyond_chance, shares
from assay.people.agreement.ratings import Paired, Ratings, rows_of
from assay.results.result import Table

#: From the mildest to the gravest; where one rater's errors overlap, the graver one counts.
_SEVERITIES = ("neutral", "minor", "major", "critical")

#: Characters that were marked, with their severity; those of the source stand apart.
_Marked = dict[tuple[bool, int], str]


def span_agreement(ratings: Ratings, between: Paired, **draws: int) -> Table:
    """Over all pairs of raters together; nothing if no item has marked errors from two raters.

    An error without a place (of the whole segment) marks no characters, and where nobody marked any there is nothing
    to agree on: such items count for ``error-agreement`` alone.
    """
    spans = ratings.judgements.spans
    rows = list(zip(*(rows.tolist() for rows in between.rows), strict=True)) if spans else []
    kept = [place for place, pair in enumerate(rows) if all(spans[row] is not None for row in pair)]
    if not kept:
        return []
    marked = {
        row: (_characters(spans[row] or ()), bool(spans[row])) for row in {row for place in kept for row in rows[place]}
    }
    counts = np.array([_counts(*(marked[row] for row in rows[place])) for place in kept])
    estimates = shares(list(counts.T), between.unit[kept], _span_values, **draws)
    raters = {name for code in np.unique(between.group[kept]) for name in between.names[code]}
    return rows_of(estimates, len(raters), len(np.unique(between.item[kept])))


def _characters(spans: tuple[ErrorSpan, ...]) -> _Marked:
    """What these errors mark, character by character."""
    marked: _Marked = {}
    for span in spans:
        if span.start is None or span.end is None:
            continue
        for place in range(span.start, span.end):
            key = (span.in_source, place)
            if key not in marked or _gravity(span.severity) > _gravity(marked[key]):
                marked[key] = span.severity.lower()
    return marked


def _gravity(severity: str) -> int:
    known = severity.lower()
    return _SEVERITIES.index(known) if known in _SEVERITIES else -1


def _counts(a: tuple[_Marked, bool], b: tuple[_Marked, bool]) -> tuple[float, ...]:
    """Marked by both, with the same severity, by either added up; items, both or neither with errors, with errors."""
    (first, errors), (second, others) = a, b
    both = first.keys() & second.keys()
    same = sum(first[place] == second[place] for place in both)
    return len(both), same, len(first) + len(second), 1.0, float(errors == others), (errors + others) / 2.0


def _span_values(sums: Array) -> dict[str, Array]:
    """F1 of characters, F1 where severities count, and agreement on whether there is an error, by chance corrected."""
    both, same, either, count, agreed, errors = sums
    share, rate = agreed / count, errors / count
    return {
        "span-f1": 2.0 * both / either,
        "span-f1-severity": 2.0 * same / either,
        "error-agreement": share,
        "error-kappa": beyond_chance(share, rate**2 + (1.0 - rate) ** 2),
    }
