"""One score per item for formats that know no raters."""

from __future__ import annotations

import warnings

import numpy as np

from assay.data.judgements import Judgements
from assay.errors import AssayWarning


def means(judgements: Judgements, format_name: str) -> dict[tuple[str, int], float]:
    """The mean score of each system and segment, in the order in which they first come; NaN without any score.

    Each rater counts once: repeats are averaged first. It is said if anything was averaged, or has no score.
    """
    rated: dict[tuple[str, int], dict[int, list[float]]] = {}
    columns = zip(
        judgements.system, judgements.segment.tolist(), judgements.rater.codes.tolist(), judgements.score.tolist(),
        strict=True,
    )  # fmt: skip
    for row, (system, segment, rater, score) in enumerate(columns):
        # Nobody is named: then each judgement is somebody's own.
        voice = rater if rater >= 0 else -1 - row
        scores = rated.setdefault((str(system), segment), {})
        if not np.isnan(score):
            scores.setdefault(voice, []).append(score)
    result = {
        key: float(np.mean([np.mean(scores) for scores in raters.values()])) if raters else np.nan
        for key, raters in rated.items()
    }
    _say(judgements, len(result), format_name)
    return result


def _say(judgements: Judgements, count: int, format_name: str) -> None:
    # Kinds are named, because the same words twice are said once.
    told = f"of kind {', '.join(judgements.kinds)}"
    if count < len(judgements):
        message = f"{format_name} holds one score per item: {len(judgements)} judgements {told} became {count} means."
        warnings.warn(message, AssayWarning, stacklevel=4)
    unscored = int(np.isnan(judgements.score).sum())
    if unscored:
        message = (
            f"{format_name} cannot tell {unscored} judgements {told} without a score from items that nobody judged."
        )
        warnings.warn(message, AssayWarning, stacklevel=4)
