"""``--calibrate``: what the tests and intervals are worth on these very texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.comparison.laboratory import part_of
from assay.comparison.result import Comparison
from assay.comparison.units import Unit, unit_rows
from assay.metrics.base import Metric
from assay.significance.calibration import Rate, calibrate_intervals, calibrate_tests
from assay.significance.tests import TESTS, TestName

SIMULATIONS = 1000
#: Draws within a simulation.
SAMPLES = 500


@dataclass(frozen=True)
class Measured:
    """How often one promise was kept or broken: a false-positive rate, a power or a coverage, as a share."""

    metric: Metric
    what: str
    method: str
    promised: float | None
    rate: Rate
    units: int

    def row(self) -> dict[str, Any]:
        """As JSON and tables hold it."""
        return {
            "metric": str(self.metric),
            "what": self.what,
            "method": self.method,
            "promised": self.promised,
            "measured": self.rate.share,
            "low": self.rate.interval.low,
            "high": self.rate.interval.high,
            "simulations": self.rate.of,
            "units": self.units,
        }


def calibrate(
    comparison: Comparison,
    *,
    tests: Sequence[TestName] = TESTS,
    simulations: int = SIMULATIONS,
    samples: int = SAMPLES,
    progress: Callable[[float], None] | None = None,
) -> list[Measured]:
    """False alarms, discoveries and coverage, simulated from the rows of the first pair of each metric."""
    setup = comparison.setup
    unit: Unit = "document" if setup.unit == "document" else "segment"
    found = []
    for number, metric in enumerate(comparison.metrics):
        pair = next(pair for pair in comparison.pairs if pair.metric == metric)
        keys = [(comparison.runs[system][0], str(metric)) for system in (pair.a, pair.b)]
        first, second = (unit_rows(comparison.statistics[key], unit) for key in keys)
        start, step = number / len(comparison.metrics), 1 / len(comparison.metrics)
        rates = calibrate_tests(
            (first, second),
            metric.score,
            tests,
            units=setup.units,
            simulations=simulations,
            samples=samples,
            alpha=setup.alpha,
            seed=setup.seed,
            progress=part_of(progress, start, start + 0.8 * step),
        )
        covered = calibrate_intervals(
            first,
            metric.score,
            units=setup.units,
            simulations=simulations,
            samples=samples,
            seed=setup.seed,
            progress=part_of(progress, start + 0.8 * step, start + step),
        )
        for rate in rates:
            found.append(Measured(metric, "false positives", rate.test, setup.alpha, rate.false_positives, setup.units))
            if rate.power is not None:
                found.append(Measured(metric, "power", rate.test, None, rate.power, setup.units))
        found += [Measured(metric, "coverage", name, 0.95, rate, setup.units) for name, rate in covered.items()]
    return found
