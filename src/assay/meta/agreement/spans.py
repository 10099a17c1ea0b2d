"""Did two raters mark the same errors? F1 of the characters that they marked."""

from __future__ import annotations

import numpy as np

from assay.data.judgements import ErrorSpan
from assay.meta.agreement.draws import Draws, rows_of
from assay.meta.agreement.pairs import Paired
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.weighted import Floats
from assay.results.result import Table

#: From the mildest to the gravest; where one rater's errors overlap, the graver one counts.
SEVERITIES = ("neutral", "minor", "major", "critical")

#: Characters that were marked, with their severity; those of the source stand apart.
Marked = dict[tuple[bool, int], str]


def span_agreement(ratings: Ratings, between: Paired, *, samples: int, seed: int) -> Table:
    """Over all pairs of raters together; nothing if no item has marked errors from two raters.

    An error without a place (of the whole segment) marks no characters, and where nobody marked any there is nothing
    to agree on: such items count for ``error-agreement`` alone.
    """
    spans = ratings.judgements.spans
    if not spans or between.rows is None:
        return []
    marked: dict[int, tuple[Marked, bool]] = {}
    for row in {*between.rows[0].tolist(), *between.rows[1].tolist()}:
        given = spans[row]
        if given is not None:
            marked[row] = characters(given), len(given) > 0
    kept = [
        place
        for place, (one, two) in enumerate(zip(*(rows.tolist() for rows in between.rows), strict=True))
        if one in marked and two in marked
    ]
    if not kept:
        return []
    counted = np.array([_counts(marked, int(between.rows[0][at]), int(between.rows[1][at])) for at in kept])
    units, unit = np.unique(between.unit[kept], return_inverse=True)
    rows = np.stack([np.bincount(unit, weights=column) for column in counted.T], axis=1)
    draws = Draws.of(len(units), samples, seed)
    found = {name: draws.estimate(each) for name, each in span_values(draws.weights @ rows).items()}
    names = {name for code in np.unique(between.group[kept]) for name in between.names[code]}
    return rows_of(found, len(names), len(np.unique(between.item[kept])))


def characters(spans: tuple[ErrorSpan, ...]) -> Marked:
    """What these errors mark, character by character."""
    found: Marked = {}
    for span in spans:
        if span.start is None or span.end is None:
            continue
        for place in range(span.start, span.end):
            key = (span.in_source, place)
            if key not in found or _gravity(span.severity) > _gravity(found[key]):
                found[key] = span.severity.lower()
    return found


def _gravity(severity: str) -> int:
    known = severity.lower()
    return SEVERITIES.index(known) if known in SEVERITIES else -1


def _counts(marked: dict[int, tuple[Marked, bool]], one: int, two: int) -> tuple[float, ...]:
    """Marked by both, with the same severity, by either added up; items, both or neither with errors, with errors."""
    (first, errors), (second, others) = marked[one], marked[two]
    both = first.keys() & second.keys()
    same = sum(first[place] == second[place] for place in both)
    return len(both), same, len(first) + len(second), 1.0, float(errors == others), (errors + others) / 2.0


def span_values(sums: Floats) -> dict[str, Floats]:
    """F1 of characters, F1 where severities count, and agreement on whether there is an error, by chance corrected."""
    both, same, either, count, agreed, errors = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        share, rate = agreed / count, errors / count
        chance = rate**2 + (1.0 - rate) ** 2
        return {
            "span-f1": 2.0 * both / either,
            "span-f1-severity": 2.0 * same / either,
            "error-agreement": share,
            "error-kappa": np.where(chance < 1.0, (share - chance) / (1.0 - chance), np.nan),
        }
