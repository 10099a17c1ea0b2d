"""``assay.predict``: a saved model applied to new translations."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.filters import only
from assay.data.reading import read
from assay.errors import AssayWarning, InputError, ParameterError
from assay.learned.features.references import referenced
from assay.learned.features.table import FeatureTable, feature_table
from assay.learned.models.base import Array
from assay.learned.prediction import Prediction
from assay.learned.saved.model_file import QualityModel, load_model
from assay.scoring.evaluate import Progress
from assay.significance.intervals import Interval, percentile_interval
from assay.significance.weights import resampled_sums
from assay.version import __version__


def load_predictor(path: str | Path) -> QualityModel:
    """The model in a file that ``assay learn`` wrote. It is data: loading it runs nothing."""
    return load_model(path)


def predict(
    campaign: Campaign | str | Path,
    model: QualityModel | str | Path,
    *,
    systems: Iterable[str] | str | None = None,
    references: Iterable[str] | str | None = None,
    targeted: Iterable[str] | str | None = None,
    scores: Sequence[ExternalScores] = (),
    seed: int = 1,
    samples: int = 1000,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Prediction:
    """Predict what people would say of every translation; ``samples=0`` leaves the intervals out.

    ``scores`` are those of other programs that the model has among its features. Segments without a word in any
    reference are left out, with a warning.
    """
    chosen = model if isinstance(model, QualityModel) else load_model(model)
    if samples < 0:
        raise ParameterError(f"samples is {samples}, but it takes a whole number of at least 0.")
    campaign = read(campaign) if isinstance(campaign, (str, Path)) else campaign
    if not isinstance(campaign, Campaign):
        raise InputError(f"assay.predict takes a campaign or its path, not a {type(campaign).__name__}.")
    campaign = campaign.choose(systems=systems, references=references, targeted=targeted)
    chosen.require_present_definition()
    needed = [one for one in scores if one.name in chosen.external]
    _mention_unused(scores, chosen)
    kept = _with_references(campaign, chosen)
    some = campaign if len(kept) == len(campaign) else only(campaign, kept)
    table = feature_table(
        some, chosen.features, scores=[one.of_segments(kept) for one in needed], threads=threads, progress=progress
    )
    _require_same_direction(needed, chosen)
    _mention_differences((campaign, some), table.references, chosen)
    found, probabilities = chosen.predictions(table)
    return Prediction(
        campaign.name,
        table.references,
        chosen,
        table.among(kept, campaign),
        found,
        probabilities,
        _intervals(table, found, samples, seed) if samples else (),
        _signature(some, table, chosen, seed if samples else None, samples),
    )


def _with_references(campaign: Campaign, model: QualityModel) -> NDArray[np.int64]:
    """The numbers of the segments that can be compared with a reference; the others are counted in a note."""
    there = referenced(campaign, model.features)
    count = int((~there).sum())
    if not there.any():
        raise InputError(
            f"{campaign.name}: no segment has a word in the references {', '.join(campaign.references)}. Choose others "
            "with --refs."
        )
    if count:
        warnings.warn(
            f"{count:,} of {len(campaign):,} segments are left out, because they have no word in the references "
            f"{', '.join(campaign.references)}. Choose others with --refs.",
            AssayWarning,
            stacklevel=3,
        )
    return np.flatnonzero(there)


def _intervals(table: FeatureTable, scores: Array, samples: int, seed: int) -> tuple[Interval, ...]:
    """Of the systems' means, all from the same samples of segments."""
    grid = table.grid(scores)
    (sums,) = resampled_sums([np.ascontiguousarray(grid.T)], samples, seed)
    count = grid.shape[1]
    return tuple(
        # What a segment does to a mean is its distance from it, but for a factor.
        percentile_interval(sums[:, row] / count, influence=grid[row] - grid[row].mean())
        for row in range(len(grid))
    )


def _signature(campaign: Campaign, table: FeatureTable, model: QualityModel, seed: int | None, samples: int) -> str:
    """One line that says which model saw which texts."""
    digests = "+".join(campaign.references[name].digest[:12] for name in table.references)
    return "|".join(
        [
            f"model:{model.digest[:12]}",
            f"kind:{model.model.kind}",
            f"references:{len(table.references)}",
            f"segments:{len(campaign)}",
            *([] if seed is None else [f"seed:{seed}", f"samples:{samples}"]),
            f"version:{__version__}",
            *([f"reference:{digests}"] if digests else []),
        ]
    )


def _mention_unused(scores: Sequence[ExternalScores], model: QualityModel) -> None:
    unused = [one.name for one in scores if one.name not in model.external]
    if unused:
        warnings.warn(
            f"The model has no feature {', '.join(map(repr, unused))}; these scores are not used.",
            AssayWarning,
            stacklevel=3,
        )


def _require_same_direction(scores: Sequence[ExternalScores], model: QualityModel) -> None:
    better = {feature.name: feature.higher_is_better for feature in model.features}
    for one in scores:
        if better[one.name] != one.higher_is_better:
            way = "higher" if better[one.name] else "lower"
            raise InputError(
                f"{one.origin or one.name}: of {one.name!r} {way} values were better when the model was trained. "
                "Say with --scores-lower of which metrics lower values are better."
            )


def _mention_differences(campaigns: Iterable[Campaign], references: Sequence[str], model: QualityModel) -> None:
    """Say where the campaign is unlike what the model learned from, or is the very same.

    It comes with all segments and with those that have references alone: a model may have learned from either.
    """
    counts = {len(one.references) for one in model.card.training}
    if counts and len(references) not in counts:
        known = " or ".join(str(count) for count in sorted(counts))
        warnings.warn(
            f"The model learned from {known} reference{'' if counts == {1} else 's'} per segment, and here are "
            f"{len(references)}: most metrics rise with more references, and predictions with them. Choose "
            "references with --refs.",
            AssayWarning,
            stacklevel=3,
        )
    # What saw no judgement has learned nothing by heart.
    learned = {digest for one in model.card.training for digest in one.digests.values()}
    seen = dict.fromkeys(
        name for campaign in campaigns for name, column in campaign.systems.items() if column.digest in learned
    )
    if seen and model.card.kinds:
        warnings.warn(
            f"The model was trained on these very translations: {', '.join(seen)}. What it says of them is no test of "
            "it; its card has the results on segments that it had not seen.",
            AssayWarning,
            stacklevel=3,
        )
