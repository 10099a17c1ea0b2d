"""Combination without training: several metrics as one, with equal weights and no judgement looked at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from assay.arrays import Codes
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.reading import read
from assay.errors import ParameterError, UnknownName
from assay.learned.combination import MEANS
from assay.learned.features import Feature, FeatureTable, feature_table
from assay.learned.model_file import ModelCard, QualityModel, TrainingData, versions
from assay.metrics.base import Metric


def combine(
    campaign: Campaign | str | Path,
    features: Iterable[str | Feature | Metric] | str | Feature | Metric = "paper",
    *,
    method: Literal["uniform", "rank-average"] = "rank-average",
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    scores: Sequence[ExternalScores] = (),
    threads: int | None = None,
) -> QualityModel:
    """The mean of features, brought to one scale by the translations of ``campaign``: a baseline to beat.

    ``uniform`` standardises them, ``rank-average`` takes their ranks. Every feature must have a direction.
    """
    if method not in MEANS:
        raise UnknownName.of("combination", method, MEANS)
    campaign = read(campaign) if isinstance(campaign, (str, Path)) else campaign
    chosen = campaign.choose(systems=systems, references=references)
    table = feature_table(chosen, features, scores=scores, threads=threads)
    model = MEANS[method].of(table.values, signs(table.features))
    card = ModelCard(
        task="none",
        unit=MEANS[method].unit.format(campaign=chosen.name),
        method=f"{method}, without training",
        training=(training_data(chosen, table),),
        versions=versions(),
        notes=("No judgement was looked at: the texts give the scale of each feature, and all weigh alike.",),
    )
    return QualityModel.of(model, table.features, card)


def signs(features: Sequence[Feature]) -> Codes:
    """1 for each feature of which more is better, -1 where less is; an error where nobody can say."""
    for feature in features:
        if feature.higher_is_better is None:
            raise ParameterError(
                f"The feature {feature.name!r} ({feature}) cannot be averaged: nobody can say whether more of it is "
                "better. Leave it out."
            )
    return np.array([1 if feature.higher_is_better else -1 for feature in features], dtype=np.int64)


def training_data(campaign: Campaign, table: FeatureTable, digests: Mapping[str, str] | None = None) -> TrainingData:
    """What a card says of a campaign that a model was made from; ``digests`` adds others, such as of judgements."""
    texts: dict[str, Any] = {f"system {name}": campaign.systems[name].digest for name in table.system_names}
    texts |= {f"reference {name}": campaign.references[name].digest for name in table.references}
    return TrainingData(
        campaign.name,
        table.system_names,
        table.references,
        len(set(table.segments.tolist())),
        len(table),
        texts | dict(digests or {}),
    )
