"""Ids for rankings that stand in a file one after the other without any."""

from __future__ import annotations

from dataclasses import replace

from assay.data.factor import Factor
from assay.data.judgements import Judgements


def with_rankings(judgements: Judgements) -> Judgements:
    """Give ids to rankings that stand one after the other without any.

    A new ranking begins where the segment, the rater or the kind changes, or where a system comes again. Judgements
    that have an id keep it.
    """
    names: list[str | None] = []
    current: tuple[int, ...] | None = None
    seen: set[int] = set()
    taken = set(judgements.ranking.names)
    number, name = 0, ""
    columns = (judgements.segment, judgements.rater.codes, judgements.kind.codes, judgements.system.codes)
    for known, segment, rater, kind, system in zip(
        judgements.ranking, *(column.tolist() for column in columns), strict=True
    ):
        if known is not None:
            names.append(known)
            current = None
            continue
        if (segment, rater, kind) != current or system in seen:
            current, seen = (segment, rater, kind), set()
            number += 1
            while (name := str(number)) in taken:
                number += 1
        seen.add(system)
        names.append(name)
    return replace(judgements, ranking=Factor.of(names))
