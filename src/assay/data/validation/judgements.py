"""What looks wrong in judgements that can be read."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.judgements import Judgements
from assay.data.validation.finding import Finding, warning
from assay.data.wording import counted
from assay.errors import nearest

#: Where scores of a kind usually lie; the first pattern that fits counts.
USUAL = (
    ("*-z", -10.0, 10.0),
    ("*-z-*", -10.0, 10.0),
    ("da*", 0.0, 100.0),
    ("esa*", 0.0, 100.0),
    ("sqm*", 0.0, 100.0),
    ("mqm*", -math.inf, 0.0),
    ("hter-neg*", -math.inf, 0.0),
    ("hter*", 0.0, math.inf),
    ("adequacy*", 0.0, 7.0),
    ("fluency*", 0.0, 7.0),
)
#: A rater who gives one score only is worth a look from so many judgements on.
CONSTANT = 10


def judgement_findings(
    judgements: Judgements, file: str, campaign: Campaign | None = None, systems: Collection[str] = ()
) -> list[Finding]:
    """Systems, segments and documents that the campaign lacks, odd scores, constant raters, repeats.

    ``systems`` are known beside those of the campaign.
    """
    found = [*_ranges(judgements, file), *_constant_raters(judgements, file), *_repeats(judgements, file)]
    found += _lone_rankings(judgements, file)
    if campaign is not None:
        found += [
            *_systems(judgements, file, {*campaign.systems, *campaign.references, *systems}),
            *_segments(judgements, file, campaign),
        ]
        found += _documents(judgements, file, campaign)
    return found


def _line(judgements: Judgements, rows: NDArray[np.int64]) -> int | None:
    return int(judgements.line[rows[0]]) or None


def _systems(judgements: Judgements, file: str, known: Collection[str]) -> Iterator[Finding]:
    for code, name in enumerate(judgements.system.names):
        if name not in known:
            rows = np.flatnonzero(judgements.system.codes == code)
            near = nearest(name, known)
            guess = f" Did you mean {near!r}?" if near else ""
            message = f"{counted(len(rows), 'judgement')} of system {name!r}, which the campaign does not have.{guess}"
            yield warning(file, message, _line(judgements, rows))


def _segments(judgements: Judgements, file: str, campaign: Campaign) -> Iterator[Finding]:
    rows = np.flatnonzero(judgements.segment >= len(campaign))
    if len(rows):
        yield Finding(
            file,
            f"{counted(len(rows), 'judgement')} of segments that the campaign does not have, the first of them "
            f"{int(judgements.segment[rows[0]])}: there are {len(campaign)}, numbered from 0.",
            "error",
            _line(judgements, rows),
        )


def _documents(judgements: Judgements, file: str, campaign: Campaign) -> Iterator[Finding]:
    if campaign.documents is None:
        return
    numbers = {name: number for number, name in enumerate(dict.fromkeys(campaign.documents))}
    of_segment = np.array([numbers[name] for name in campaign.documents], dtype=np.int64)
    translated = np.array([numbers.get(name, -2) for name in judgements.document.names] + [-1], dtype=np.int64)
    told = translated[judgements.document.codes]
    inside = (judgements.segment >= 0) & (judgements.segment < len(campaign))
    true = of_segment[np.where(inside, judgements.segment, 0)]
    rows = np.flatnonzero(inside & (judgements.document.codes >= 0) & (told != true))
    if len(rows):
        first = int(rows[0])
        segment = int(judgements.segment[first])
        yield Finding(
            file,
            f"{counted(len(rows), 'judgement')} under a document other than the campaign has it, the first of them "
            f"{judgements.document[first]!r} for segment {segment}, which belongs to {campaign.documents[segment]!r}.",
            "error",
            _line(judgements, rows),
        )
    unknown = np.flatnonzero((judgements.segment < 0) & (told == -2))
    if len(unknown):
        name = judgements.document[int(unknown[0])]
        count = counted(len(unknown), "judgement")
        message = f"{count} of documents that the campaign does not have, the first of them {name!r}."
        yield warning(file, message, _line(judgements, unknown))


def _ranges(judgements: Judgements, file: str) -> Iterator[Finding]:
    for code, kind in enumerate(judgements.kinds):
        usual = next(((low, high) for pattern, low, high in USUAL if fnmatchcase(kind.lower(), pattern)), None)
        if usual is None:
            continue
        low, high = usual
        with np.errstate(invalid="ignore"):
            outside = (judgements.score < low) | (judgements.score > high)
        rows = np.flatnonzero((judgements.kind.codes == code) & outside)
        if len(rows):
            bounds = f"from {low:g} to {high:g}" if math.isfinite(low + high) else f"{low:g} and above"
            bounds = f"{high:g} and below" if low == -math.inf else bounds
            message = (
                f"{counted(len(rows), 'score')} of kind {kind!r} outside of what is usual, {bounds}; the first of them "
                f"is {judgements.score[rows[0]]:g}."
            )
            yield warning(file, message, _line(judgements, rows))


def _constant_raters(judgements: Judgements, file: str) -> Iterator[Finding]:
    scored = np.flatnonzero(~np.isnan(judgements.score) & (judgements.rater.codes >= 0))
    pairs = np.stack([judgements.kind.codes[scored], judgements.rater.codes[scored]], axis=1)
    for kind, rater in np.unique(pairs, axis=0).tolist():
        rows = scored[(pairs == (kind, rater)).all(axis=1)]
        of_kind = judgements.score[scored[pairs[:, 0] == kind]]
        if len(rows) >= CONSTANT and np.ptp(judgements.score[rows]) == 0 and np.ptp(of_kind) > 0:
            message = (
                f"rater {judgements.rater.names[rater]!r} gave the same score, {judgements.score[rows[0]]:g}, to all "
                f"{len(rows)} items of kind {judgements.kinds[kind]!r}."
            )
            yield warning(file, message, _line(judgements, rows))


def _repeats(judgements: Judgements, file: str) -> Iterator[Finding]:
    """Judgements of one item by one rater, of one kind: some formats mean repeats, others a slip."""
    seen: dict[tuple[int, ...], int] = {}
    again: dict[int, list[tuple[int, int]]] = {}
    columns = (
        judgements.kind.codes, judgements.rater.codes, judgements.system.codes, judgements.segment,
        judgements.document.codes, judgements.ranking.codes,
    )  # fmt: skip
    for row, key in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        if key[1] < 0:
            continue
        if key in seen:
            again.setdefault(key[0], []).append((row, seen[key]))
        seen.setdefault(key, row)
    for kind, pairs in again.items():
        row, first = pairs[0]
        line = int(judgements.line[first])
        where = f" (here again, first in line {line})" if line else ""
        message = (
            f"{counted(len(pairs), 'judgement')} of kind {judgements.kinds[kind]!r} by a rater who has judged the item "
            f"before{where}; they count as repeats."
        )
        yield warning(file, message, int(judgements.line[row]) or None)


def _lone_rankings(judgements: Judgements, file: str) -> Iterator[Finding]:
    codes = judgements.ranking.codes
    counts = np.bincount(codes[codes >= 0], minlength=len(judgements.ranking.names))
    rows = np.flatnonzero(np.isin(codes, np.flatnonzero(counts == 1)))
    if len(rows):
        message = f"{counted(len(rows), 'ranking')} with one item only, which ranks nothing."
        yield warning(file, message, _line(judgements, rows))
