"""Do tests and intervals keep their promise? Simulated from the rows of real systems.

For each metric two systems that are close: false positives where the null hypothesis was made true by swapping their
outputs at random, and how often intervals cover the score of the whole set.
"""

from __future__ import annotations

from pathlib import Path

import assay
from assay.demo import CAMPAIGN
from assay.significance.calibration import calibrate_intervals, calibrate_tests
from assay.significance.tests import TESTS

#: A campaign of WMT23, beside the repository on the developers' machines.
REAL = Path(__file__).parents[1].parent / "shared" / "data" / "wmt23-zh-en"
METRICS = ("bleu", "chrf", "ter", "meteor")
SIMULATIONS, SAMPLES = 4000, 1000


def systems() -> tuple[assay.Campaign, str, str]:
    """A campaign and two of its systems that are close."""
    if REAL.is_dir():
        return assay.read(REAL), "ONLINE-A", "GPT4-5shot"
    return assay.read(CAMPAIGN), "rosetta", "compass"


def main() -> None:
    campaign, first, second = systems()
    print(
        f"{campaign.name}: {first} and {second}; {SIMULATIONS:,} simulations, {SAMPLES:,} draws in each, in per cent\n"
    )
    print(f"| metric | segments | {' | '.join(TESTS)} | percentile | BCa |")
    print(f"|---|---:|{'---:|' * (len(TESTS) + 2)}")
    for name in METRICS:
        metric = assay.metric(name)
        rows = [metric.evaluate(campaign.corpus(system)).rows for system in (first, second)]
        for units in (100, 200, 500, 1000, 3000):
            rates = calibrate_tests(
                (rows[0], rows[1]),
                metric.score,
                TESTS,
                units=units,
                simulations=SIMULATIONS,
                samples=SAMPLES,
                alternative=False,
            )
            covered = calibrate_intervals(rows[0], metric.score, units=units, simulations=SIMULATIONS, samples=SAMPLES)
            cells = [100 * rate.share for rate in (rates | covered).values()]
            print(f"| {name} | {units:,} | {' | '.join(f'{cell:.1f}' for cell in cells)} |", flush=True)


if __name__ == "__main__":
    main()
