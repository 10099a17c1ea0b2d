"""Which segments of a campaign to use: ``split=test``, ``domain!=news``, ``ref.second!=`` (where that is not empty)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.texts import Column, Texts
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

    def texts(columns: dict[str, Column]) -> dict[str, Column]:
        return {name: pick(column, segments) for name, column in columns.items()}

    def labels(given: Sequence[str] | None) -> tuple[str, ...] | None:
        return None if given is None else tuple(given[index] for index in segments.tolist())

    return replace(
        campaign,
        systems=texts(dict(campaign.systems)),
        references=texts(dict(campaign.references)),
        columns=texts(dict(campaign.columns)),
        source=None if campaign.source is None else pick(campaign.source, segments),
        documents=labels(campaign.documents),
        domains=labels(campaign.domains),
        segments=labels(campaign.segment_names()),
        present={name: flags[segments] for name, flags in campaign.present.items()},
        human=None if judgements is None else judgements.of_segments(segments),
    )


def pick(column: Column, segments: NDArray[np.int64]) -> Texts:
    """These texts of a column; those of a large file are read into memory."""
    if isinstance(column, Texts):
        return Texts(column.buffer, column.starts[segments], column.ends[segments])
    return Texts.of([column[index] for index in segments.tolist()], column.path)


def _fulfilled(campaign: Campaign, condition: str) -> NDArray[np.bool_]:
    name, equals, value = condition.partition("=")
    if not equals or not name.rstrip("!"):
        raise ParameterError(f"--where {condition!r}: write NAME=VALUE or NAME!=VALUE.")
    column = label_column(campaign, name.removesuffix("!").strip())
    patterns = [pattern.strip() for pattern in value.split(",")]
    found = np.array([any(text == one or fnmatchcase(text, one) for one in patterns) for text in column])
    return ~found if name.endswith("!") else found


def label_column(campaign: Campaign, name: str) -> Sequence[str] | Column:
    """What stands in a column: ``document``, ``domain``, ``segment``, ``source``, further ones, or a text."""
    known: dict[str, Sequence[str] | Column | None] = {
        "document": campaign.documents,
        "domain": campaign.domains,
        "segment": campaign.segment_names(),
        "source": campaign.source,
        **campaign.columns,
        **{f"ref.{key}": texts for key, texts in campaign.references.items()},
        **{f"sys.{key}": texts for key, texts in campaign.systems.items()},
    }
    there = {key: column for key, column in known.items() if column is not None}
    if name not in there:
        raise UnknownName.of("column to choose segments by", name, there)
    return there[name]
