"""Do intervals of agreement hold the truth as often as they promise?"""

from __future__ import annotations

import numpy as np
import pytest

from assay.meta.agreement.draws import Draws, Estimate
from assay.meta.agreement.pairs import measure
from assay.meta.agreement.ratings import Ratings
from assay.meta.agreement.reliability import Units, alphas, intraclass, split_halves
from meta.judged import judged

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
        ratings = Ratings.of(campaign(generator))
        units, draws = Units.of(ratings), Draws.of(30, 300, run)
        halves = split_halves(ratings, samples=300, seed=run, splits=20)
        found = {
            **intraclass(units, draws),
            **alphas(units, None, ratings.score[ratings.shared], draws),
            **measure(ratings.between(), None, samples=300, seed=run).pooled,
            **{row["statistic"]: Estimate(row["value"], row["low"], row["high"]) for row in halves},
        }
        for name, truth in TRUTH.items():
            held[name] += found[name].low <= truth <= found[name].high
    assert all(0.91 <= count / runs <= 0.98 for count in held.values()), held
