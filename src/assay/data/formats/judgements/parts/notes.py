"""Saying what was left out when judgements are read, and what a format cannot hold when they are written."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np

from assay.data.judgements import Judgements
from assay.errors import AssayWarning, InputError

if TYPE_CHECKING:
    from assay.data.campaign import Campaign

#: No test set has so many segments; more lines than that are written for no number alone.
MANY = 10_000_000


def say_left_out(path: str, left_out: Counter[str]) -> None:
    """One note with how many rows of a file are no judgements, by reason."""
    reasons = [f"{count} {reason}" for reason, count in left_out.items() if count]
    if reasons:
        warnings.warn(f"{path}: left out were {', '.join(reasons)}.", AssayWarning, stacklevel=3)


def say_losses(
    judgements: Judgements,
    format_name: str,
    holds: Collection[str],
    *,
    own_kinds: Collection[str] = (),
    own_columns: Collection[str] = (),
) -> None:
    """One note with all that a format has no place for.

    ``holds`` names what it keeps, ``own_kinds`` the kinds that it gives to judgements where it does not keep those, and
    ``own_columns`` the further columns that it has itself.
    """
    spans = sum(one is not None for one in judgements.spans)
    filled = [name for name, column in judgements.further.items() if (column.codes >= 0).any()]
    further = [name for name in filled if name not in own_columns]
    kinds = [kind for kind in judgements.kinds if kind not in own_kinds or len(judgements.kinds) > 1]
    lost = {
        "rater": (int((judgements.rater.codes >= 0).sum()), "names of raters"),
        "document": (int((judgements.document.codes >= 0).sum()), "names of documents"),
        "ranking": (int((judgements.ranking.codes >= 0).sum()), "ids of rankings"),
        "spans": (spans, "lists of marked errors"),
        "kind": (len(kinds), f"names of kinds ({', '.join(kinds)})"),
        "further": (len(further), f"further columns ({', '.join(further)})"),
    }
    said = [f"{count} {what}" for key, (count, what) in lost.items() if count and key not in holds]
    if said:
        warnings.warn(f"The format {format_name} has no place for {', '.join(said)}.", AssayWarning, stacklevel=3)


def say_span_losses(judgements: Judgements, format_name: str, *, source: bool = True) -> None:
    """One note with what a format has no place for in marked errors: costs of their own, and places in the source."""
    spans = [span for errors in judgements.spans for span in errors or ()]
    costs = sum(span.weight is not None for span in spans)
    places = sum(span.in_source for span in spans) if source else 0
    said = [
        f"{count} {what}" for count, what in ((costs, "costs of errors"), (places, "places in the source")) if count
    ]
    if said:
        warnings.warn(f"The format {format_name} has no place for {', '.join(said)}.", AssayWarning, stacklevel=3)


def without_other_levels(judgements: Judgements, format_name: str) -> Judgements:
    """Judgements of segments alone; those of documents and systems are counted and said."""
    of_segments = judgements.segment >= 0
    others = int((~of_segments).sum())
    if others == len(judgements):
        raise InputError(f"{judgements.origin}: no judgements of segments, and {format_name} holds no others.")
    if others:
        warnings.warn(
            f"The format {format_name} has no place for {others} judgements of documents or systems.",
            AssayWarning,
            stacklevel=3,
        )
    return judgements.only(of_segments)


def with_errors(judgements: Judgements, format_name: str) -> Judgements:
    """Judgements in which errors could be marked; others are counted and said."""
    flags = np.array([spans is not None for spans in judgements.spans or (None,) * len(judgements)], dtype=np.bool_)
    if not flags.any():
        raise InputError(f"{judgements.origin}: no judgement has marked errors, and {format_name} holds nothing else.")
    if not flags.all():
        warnings.warn(
            f"The format {format_name} has no place for {int((~flags).sum())} judgements without marked errors.",
            AssayWarning,
            stacklevel=3,
        )
    return judgements.only(flags)


def segment_count(judgements: Judgements, campaign: Campaign | None) -> int:
    """How many segments there are, for formats with a line for each, judged or not."""
    if campaign is not None:
        return len(campaign)
    count = int(judgements.segment.max()) + 1
    if count > MANY:
        raise InputError(
            f"{judgements.origin}: a judgement of segment {count - 1}, and every segment before it would have a line. "
            "Give the campaign, to say how many there are."
        )
    return count


def refuse_repeats(judgements: Judgements, format_name: str) -> None:
    """Refuse two judgements of one item by one rater where a format would run them together."""
    columns = (judgements.system.codes, judgements.segment, judgements.rater.codes, judgements.kind.codes)
    _, firsts = np.unique(np.stack(columns), axis=1, return_index=True)
    if len(firsts) < len(judgements):
        repeated = int(np.setdiff1d(np.arange(len(judgements)), firsts)[0])
        raise InputError(
            f"{judgements.place(repeated)}: system {judgements.system[repeated]!r}, segment "
            f"{int(judgements.segment[repeated])} was judged before by the same rater, and {format_name} has no place "
            f"for repeats ({len(judgements) - len(firsts)} of them). Choose one of them, or write jsonl."
        )
