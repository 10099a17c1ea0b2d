"""Do intervals of agreement hold the truth as often as they promise?"""

from __future__ import annotations

import numpy as np
import pytest

from assay.people.agreement.measures import SharedItems, coefficients, measure, split_halves
from assay.people.agreement.ratings import RatedItems
from people.judged import judged

#: Segments and items have half of the variance of a rating, noise the other half: one rating has reliability 0.5.
TRUTH = {
    "icc-2-1": 0.5,
    "alpha-interval": 0.5,
    "pearson": 0.5,
    "icc-2-k": 0.8,
    "split-half": 2 / 3,
    "split-half-all": 0.8,
}


def campaign(generator, segments=30, systems=3, raters="abcd"):
    segment, item = generator.normal(0.0, 0.7, segments), generator.normal(0.0, 0.51**0.5, (segments, systems))
    return judged(
        *(
            (f"s{system}", place, rater, segment[place] + item[place, system] + generator.normal())
            for place in range(segments)
            for system in range(systems)
            for rater in raters
        )
    )


@pytest.mark.slow
def test_intervals_hold_the_truth():
    generator, runs = np.random.default_rng(0), 300
    held = dict.fromkeys(TRUTH, 0)
    for run in range(runs):
        ratings = RatedItems(campaign(generator))
        items, drawn = SharedItems(ratings), {"samples": 300, "seed": run}
        rows = coefficients(items, None, **drawn) + split_halves(items, splits=20, **drawn)
        rows += measure(ratings.between(), None, **drawn).pooled
        for row in rows:
            if row["statistic"] in TRUTH:
                held[row["statistic"]] += row["low"] <= TRUTH[row["statistic"]] <= row["high"]
    assert all(0.91 <= count / runs <= 0.98 for count in held.values()), held
