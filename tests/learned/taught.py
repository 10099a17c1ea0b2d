"""Campaigns for tests in which it is known what there is to learn, and where the real ones lie."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.data.external import ExternalScores
from assay.data.judgements import Judgement, Judgements

DATA = Path(__file__).parents[2].parent / "shared" / "data"

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no campaigns with human judgements at {DATA}")


@cache
def taught(segments=60, systems=4, *, noise=1.0, seed=3, whole=False):
    """A campaign with judgements, and scores of three metrics: ``one`` and ``two`` know half of the quality each.

    ``nothing`` knows nothing. Judgements are a quality with noise; ``whole`` rounds them to 1, 2 and 3. Tests share it:
    who changes it takes ``taught.__wrapped__()``.
    """
    generator = np.random.default_rng(seed)
    names = [f"s{number}" for number in range(systems)]
    first, second = generator.normal(size=(2, systems, segments))
    quality = first + second + noise * generator.normal(size=first.shape)
    if whole:
        quality = np.clip(np.round(quality) + 2, 1, 3)
    rows = [
        Judgement(system=name, segment=segment, rater="a", score=float(quality[row, segment]), kind="da")
        for row, name in enumerate(names)
        for segment in range(segments)
    ]
    lines = [f"segment {number}" for number in range(segments)]
    campaign = assay.Campaign(
        name="taught",
        systems=dict.fromkeys(names, lines),
        references={"A": lines},
        documents=tuple(f"d{number // 5}" for number in range(segments)),
        human=Judgements.of(rows, "inline"),
    )
    scores = [
        ExternalScores(label, segments=dict(zip(names, table, strict=True)))
        for label, table in (("one", first), ("two", second), ("nothing", generator.normal(size=first.shape)))
    ]
    return campaign, scores


#: What was learnt, by what was asked: results never change, so that tests share them.
_LEARNT = {}


def learnt(campaign_and_scores, **options):
    """What is learnt from a campaign and scores: once, unless it is saved."""
    campaign, scores = campaign_and_scores
    settings = {"tasks": "grades", "models": "ordinal", "folds": 5, "samples": 200, "threads": 1, **options}
    asked = id(campaign), *map(id, scores), repr(sorted(settings.items(), key=str))
    if "save" in settings or asked not in _LEARNT:
        found = assay.learn(campaign, settings.pop("features", "scores"), scores=scores, **settings)
        # The campaign stays as long as what it is known by.
        _LEARNT[asked] = campaign_and_scores, found
    return _LEARNT[asked][1]
