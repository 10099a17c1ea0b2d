"""The features of every translation of a campaign: one row per system and segment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.reading import read
from assay.errors import InputError, ParameterError, UnknownName
from assay.learned.features.feature import Feature, require_different_names
from assay.learned.features.feature import features as named_features
from assay.metrics.base import Metric
from assay.scoring.evaluate import Progress, evaluate_all


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Values of features: rows by features, all finite.

    ``systems`` and ``segments`` say whose row it is, by number; systems stand outside, segments inside.
    """

    features: tuple[Feature, ...]
    values: Array = field(repr=False)
    system_names: tuple[str, ...]
    #: The number of each row's system among ``system_names``.
    systems: Codes = field(repr=False)
    #: The number of each row's segment in the campaign, from 0.
    segments: Codes = field(repr=False)
    segment_names: tuple[str, ...] = field(repr=False)
    #: The document of each segment of the campaign, where it names them; likewise domains.
    segment_documents: tuple[str, ...] | None = field(default=None, repr=False)
    segment_domains: tuple[str, ...] | None = field(default=None, repr=False)
    #: The references that the features were computed against.
    references: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called."""
        return tuple(feature.name for feature in self.features)

    @property
    def signatures(self) -> tuple[str, ...]:
        """Each feature as exactly as a signature has it: its metric with all fields, and the part."""
        return tuple(feature.signature for feature in self.features)

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each row."""
        labels = self.segment_documents
        return None if labels is None else tuple(labels[index] for index in self.segments.tolist())

    def column(self, name: str) -> Array:
        """The values of one feature."""
        if name not in self.names:
            raise UnknownName.of("feature", name, self.names)
        values: Array = self.values[:, self.names.index(name)]
        return values

    def only(self, names: Sequence[str]) -> FeatureTable:
        """These features alone, in this order."""
        for name in names:
            if name not in self.names:
                raise UnknownName.of("feature", name, self.names)
        chosen = [self.names.index(name) for name in names]
        kept = tuple(self.features[index] for index in chosen)
        return replace(self, features=kept, values=np.ascontiguousarray(self.values[:, chosen]))

    def without(self, *names: str) -> FeatureTable:
        """All features but these."""
        for name in names:
            if name not in self.names:
                raise UnknownName.of("feature", name, self.names)
        return self.only([name for name in self.names if name not in names])

    def take(self, rows: Codes | Flags) -> FeatureTable:
        """These rows alone, by number or by flag."""
        return replace(self, values=self.values[rows], systems=self.systems[rows], segments=self.segments[rows])

    def among(self, segments: Codes, campaign: Campaign) -> FeatureTable:
        """The same rows in a larger campaign, of which these are the ``segments`` that were looked at."""
        return replace(
            self,
            segments=segments[self.segments],
            segment_names=campaign.segment_names(),
            segment_documents=campaign.documents,
            segment_domains=campaign.domains,
        )

    def grid(self, per_row: Array) -> Array:
        """A number per row as systems by segments; NaN where there is no row."""
        found = np.full((len(self.system_names), len(self.segment_names)), np.nan)
        found[self.systems, self.segments] = per_row
        return found

    def table(self) -> list[dict[str, Any]]:
        """A dictionary per row: system, segment, and each feature."""
        return [
            {
                "system": self.system_names[system],
                "segment": self.segment_names[segment],
                **dict(zip(self.names, line, strict=True)),
            }
            for system, segment, line in zip(
                self.systems.tolist(), self.segments.tolist(), self.values.tolist(), strict=True
            )
        ]


def feature_table(
    campaign: Campaign | str | Path,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric = "paper",
    *,
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    targeted: Iterable[str] | str | None = None,
    scores: Sequence[ExternalScores] = (),
    wanted: Flags | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> FeatureTable:
    """Compute features of all translations; those of ``scores`` join in, under their names.

    ``wanted`` (systems by segments) chooses the rows, all by default. Where one of them lacks a value, or has one that
    is no finite number, that is an error. An external feature among ``features`` must be in ``scores``.
    """
    campaign = read(campaign) if isinstance(campaign, (str, Path)) else campaign
    if not isinstance(campaign, Campaign):
        raise InputError(f"Features are computed of a campaign or its path, not of a {type(campaign).__name__}.")
    if (systems, references, targeted) != (None, None, None):
        campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    chosen = _with_external(named_features(features), scores)
    names = tuple(campaign.systems)
    shape = (len(names), len(campaign))
    if wanted is not None and wanted.shape != shape:
        raise ParameterError(
            f"wanted has shape {wanted.shape}, but there are {shape[0]} systems of {shape[1]} segments."
        )
    rows, segments = np.nonzero(np.ones(shape, dtype=np.bool_) if wanted is None else wanted)
    columns = _computed(campaign, chosen, threads, progress)
    by_name = {one.name: one for one in scores}
    values = np.empty((len(rows), len(chosen)))
    for index, feature in enumerate(chosen):
        grid = _external_grid(by_name[feature.name], names, shape) if feature.is_external else columns[index]
        values[:, index] = grid[rows, segments]
    table = FeatureTable(
        chosen,
        values,
        names,
        rows,
        segments,
        campaign.segment_names(),
        campaign.documents,
        campaign.domains,
        _references_seen(campaign, chosen),
    )
    _require_finite(table, campaign.name)
    return table


def _references_seen(campaign: Campaign, features: Sequence[Feature]) -> tuple[str, ...]:
    """The references that features are computed against: post-edits only where a metric is about them, or all are."""
    targeted = {feature.metric.sees_targeted for feature in features if feature.metric is not None}
    names: dict[str, None] = {}
    for corpus in campaign.corpora().values() if targeted else ():
        for sees in targeted:
            names |= dict.fromkeys((corpus if sees else corpus.untargeted).reference_names)
    return tuple(name for name in campaign.references if name in names)


def _with_external(chosen: tuple[Feature, ...], scores: Sequence[ExternalScores]) -> tuple[Feature, ...]:
    """The features with those of score files behind them; each external one needs its file."""
    known = [one.name for one in scores]
    missing = [feature.name for feature in chosen if feature.is_external and feature.name not in known]
    if missing:
        there = f" The score files given have: {', '.join(known)}." if known else ""
        raise InputError(
            f"The feature {missing[0]!r} is a score that another program computed, and no score file has it. "
            f"Give the file with --scores FILE.{there}"
        )
    external = {feature.name for feature in chosen if feature.is_external}
    joined = (
        *chosen,
        *(
            Feature.external(one.name, higher_is_better=one.higher_is_better)
            for one in scores
            if one.name not in external
        ),
    )
    require_different_names(joined)
    return joined


def _computed(
    campaign: Campaign, chosen: Sequence[Feature], threads: int | None, progress: Progress | None
) -> dict[int, Array]:
    """Values of the features that are computed here, by their number: systems by segments.

    A metric is counted once, whatever number of its parts are features.
    """
    metrics = list(dict.fromkeys(feature.metric for feature in chosen if feature.metric is not None))
    if not metrics:
        return {}
    for metric in metrics:
        if metric.sees_targeted:
            campaign.require_targeted(metric.name)
    corpora = campaign.corpora()
    counted = evaluate_all(metrics, corpora, threads=threads, progress=progress)
    found: dict[int, Array] = {}
    for index, feature in enumerate(chosen):
        if feature.metric is not None:
            rows = [counted[system, str(feature.metric)].rows for system in corpora]
            found[index] = np.stack([feature.values(of_system) for of_system in rows])
    return found


def _external_grid(scores: ExternalScores, systems: Sequence[str], shape: tuple[int, int]) -> Array:
    if scores.segments is None:
        raise InputError(
            f"{scores.origin or scores.name}: {scores.name!r} has no scores of segments, which features are made of."
        )
    grid = np.full(shape, np.nan)
    for row, name in enumerate(systems):
        if name in scores.segments:
            grid[row] = scores.segments[name]
    return grid


def _require_finite(table: FeatureTable, campaign: str) -> None:
    """Refuse values that no model can work with, and name the first."""
    bad = ~np.isfinite(table.values)
    if not bad.any():
        return
    row, column = (int(index) for index in np.argwhere(bad)[0])
    value = table.values[row, column]
    what = "no value" if np.isnan(value) else f"the value {value}"
    raise InputError(
        f"{campaign}: the feature {table.names[column]!r} has {what} for segment "
        f"{table.segment_names[int(table.segments[row])]} of {table.system_names[int(table.systems[row])]!r} "
        f"({int(bad.any(axis=1).sum()):,} of {len(table):,} translations lack a feature). Leave the feature out, or "
        "complete its scores."
    )


def referenced(campaign: Campaign, features: Sequence[Feature]) -> Flags:
    """Whether each segment has a word in a reference that every feature can see.

    Most metrics see post-edits only where a campaign has nothing else. Scores of other programs need no reference.
    """
    sees_targeted = {feature.metric.sees_targeted for feature in features if feature.metric is not None}
    if not sees_targeted:
        return np.ones(len(campaign), dtype=np.bool_)
    others = [name for name in campaign.references if name not in campaign.targeted]
    # A post-edit that is needed everywhere is asked for elsewhere, with a message of its own.
    return with_words(campaign, others if False in sees_targeted and others else list(campaign.references))


def with_words(campaign: Campaign, names: Iterable[str]) -> Flags:
    """Whether each segment has a word in one of these references."""
    found = np.zeros(len(campaign), dtype=np.bool_)
    for name in names:
        filled = np.fromiter((bool(text.strip()) for text in campaign.references[name]), np.bool_, len(campaign))
        found |= filled & campaign.present.get(name, filled)
    return found
