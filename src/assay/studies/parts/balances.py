"""Fmean under many weights of recall, from one count of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.errors import InputError
from assay.meta.sources import RowSource
from assay.metrics.base import best_of
from assay.metrics.unigrams import Fmean
from assay.scoring.evaluate import evaluate_all
from assay.scoring.statistics import Statistics
from assay.studies.parts.judged import Judged


def balances(metric: Fmean, alphas: Sequence[float], found: Judged) -> list[RowSource]:
    """A source per weight of recall.

    With several references each segment counts against the one that scores best, and which one that is hangs on the
    weight. So every reference is counted by itself, and the choice is made anew for every weight.
    """
    names = [name for name in found.campaign.references if name not in found.campaign.post_edits]
    if not names:
        raise InputError(f"{found.study}: {found.campaign.name} has post-edits only, and no other reference.")
    counted = [_against(metric, name, found.campaign, found.threads) for name in names]
    rows = np.stack([[one.rows for one in systems] for systems in counted])
    present = _presence(found.campaign, names)
    sources = []
    for alpha in alphas:
        balanced = replace(metric, alpha=alpha)
        statistics = []
        for index, like in enumerate(counted[0]):
            best = best_of(balanced.score(rows[:, index]), present)
            statistics.append(replace(like, metric=balanced, rows=rows[best, index, np.arange(len(best))]))
        sources.append(RowSource(str(balanced), found.people.judged, statistics))
    return sources


def _against(metric: Fmean, reference: str, campaign: Campaign, threads: int | None) -> list[Statistics]:
    """Rows of all systems against one reference; where it is absent, against nothing."""
    alone = replace(campaign, references={reference: campaign.references[reference]}, present={}, targeted=frozenset())
    return evaluate_all([metric], alone.corpora(), threads=threads)


def _presence(campaign: Campaign, names: Sequence[str]) -> NDArray[np.bool_]:
    everywhere = np.ones(len(campaign), dtype=np.bool_)
    return np.stack([campaign.present.get(name, everywhere) for name in names])
