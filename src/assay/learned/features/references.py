"""Which segments have a reference that features can be computed against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.learned.features.feature import Feature

Flags = NDArray[np.bool_]


def referenced(campaign: Campaign, features: Sequence[Feature]) -> Flags:
    """Whether each segment has a word in a reference that every feature can see.

    Most metrics see post-edits only where a campaign has nothing else. Scores of other programs need no reference.
    """
    sees_targeted = {feature.metric.sees_targeted for feature in features if feature.metric is not None}
    if not sees_targeted:
        return np.ones(len(campaign), dtype=np.bool_)
    others = [name for name in campaign.references if name not in campaign.post_edits]
    # A post-edit that is needed everywhere is asked for elsewhere, with a message of its own.
    return with_words(campaign, others if False in sees_targeted and others else list(campaign.references))


def with_words(campaign: Campaign, names: Iterable[str]) -> Flags:
    """Whether each segment has a word in one of these references."""
    found = np.zeros(len(campaign), dtype=np.bool_)
    for name in names:
        filled = np.fromiter((bool(text.strip()) for text in campaign.references[name]), np.bool_, len(campaign))
        found |= filled & campaign.present.get(name, filled)
    return found
