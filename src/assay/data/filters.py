"""Which segments of a campaign to use: ``split=test``, ``domain!=news``, ``ref.second!=`` (where that is not empty)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign, Part, Role
from assay.data.texts import FileTexts, Texts
from assay.errors import InputError, ParameterError, UnknownName


def where(campaign: Campaign, *conditions: str) -> Campaign:
    """The segments for which every condition holds, as a campaign of their own, its judgements with it.

    A condition is ``NAME=VALUE`` or ``NAME!=VALUE``; the value may hold ``*`` and ``?``, and several values have commas
    between. A name is ``document``, ``domain``, ``segment``, ``source``, a column, ``ref.<id>`` or ``sys.<name>``.
    """
    segments = segments_where(campaign, *conditions)
    return campaign if len(segments) == len(campaign) else only(campaign, segments)


def segments_where(campaign: Campaign, *conditions: str) -> NDArray[np.int64]:
    """The numbers of the segments for which every condition holds."""
    kept = np.ones(len(campaign), dtype=np.bool_)
    for condition in conditions:
        kept &= _fulfilled(campaign, condition)
    if not kept.any():
        raise InputError(f"{campaign.name}: no segment is left where {' and '.join(conditions)}.")
    return np.flatnonzero(kept)


def only(campaign: Campaign, segments: NDArray[np.int64]) -> Campaign:
    """These segments of a campaign, in this order."""
    judgements = campaign.judgements

    def chosen(_role: Role, part: Part) -> Iterable[str]:
        # The texts of a large file are read into memory.
        if isinstance(part, (tuple, FileTexts)):
            return tuple(part[index] for index in segments.tolist())
        return Texts(part.buffer, part.starts[segments], part.ends[segments])

    return replace(campaign, segments=campaign.segment_names()).with_parts(
        chosen,
        present={name: flags[segments] for name, flags in campaign.present.items()},
        human=None if judgements is None else judgements.of_segments(segments),
    )


def _fulfilled(campaign: Campaign, condition: str) -> NDArray[np.bool_]:
    name, equals, value = condition.partition("=")
    if not equals or not name.rstrip("!"):
        raise ParameterError(f"--where {condition!r}: write NAME=VALUE or NAME!=VALUE.")
    column = label_column(campaign, name.removesuffix("!").strip())
    patterns = [pattern.strip() for pattern in value.split(",")]
    fitting = np.array([any(text == one or fnmatchcase(text, one) for one in patterns) for text in column])
    return ~fitting if name.endswith("!") else fitting


def label_column(campaign: Campaign, name: str) -> Part:
    """What stands in a column: ``document``, ``domain``, ``segment``, ``source``, further ones, or a text."""
    prefixes = {"reference": "ref.", "system": "sys."}
    known: dict[str, Part] = {"segment": campaign.segment_names()}
    known |= {f"{prefixes.get(kind, '')}{key or kind}": part for (kind, key), part in campaign.parts.items()}
    if name not in known:
        raise UnknownName.of("column to choose segments by", name, known)
    return known[name]
