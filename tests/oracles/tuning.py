"""What a tuning is worth on held-out folds, the slow way: every metric counts all the text itself."""

from __future__ import annotations

import numpy as np

import assay


def held_out_segments(campaign, folds, human):
    """Scores and judgements of all segments, each scored by the metric of its fold.

    ``folds`` has a metric per fold, its first is the untuned one; ``fold_of`` a fold per segment.
    """
    default, metrics, fold_of = folds
    scores = np.full(human.shape, np.nan)
    before = _grid(campaign, default)
    for fold, metric in enumerate(metrics):
        grid = _grid(campaign, metric)
        seen = (fold_of != fold)[None, :] & np.isfinite(human)
        # To the mean and spread of the untuned metric, as they are on what the metric was fitted to.
        grid = (grid - grid[seen].mean()) / grid[seen].std() * before[seen].std() + before[seen].mean()
        scores[:, fold_of == fold] = grid[:, fold_of == fold]
    known = np.isfinite(human)
    return scores[known], human[known]


def _grid(campaign, spelling):
    metric = assay.metric(spelling)
    sign = 1.0 if metric.higher_is_better else -1.0
    return np.stack([sign * metric.evaluate(campaign.corpus(name)).segment_scores() for name in campaign.systems])
