"""How many times faster is tie calibration than a direct search, and what do all statistics with intervals cost?

The grids have the shape of WMT23 English-German: 12 systems, 557 segments, human scores of MQM's kind (many of them
equal), twelve metrics. The direct search tries every distance between two systems of a segment as the threshold and
counts all pairs anew each time, in numpy; it is timed on some of the thresholds, and its time grows with their number.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from assay.arrays import Array
from assay.demo import CAMPAIGN
from assay.people.metric_tests import grid_permutation
from assay.people.statistics.base import GROUPINGS, Grid
from assay.people.statistics.registry import grid_statistic_names, several_on_grid, statistic
from assay.significance.draws import Draws, bootstrap_counts, numbered
from benchmarks.commands import CAMPAIGNS, command_seconds

SYSTEMS, SEGMENTS, METRICS, SAMPLES = 12, 557, 12, 1000
#: WMT23 English-German with MQM; the demo campaign where it is not at hand.
REAL = CAMPAIGNS / "wmt23-en-de"
#: Twelve metrics, from cheap to dear.
NAMES = (
    "bleu", "nist", "chrf", "chrf(word_order=2)", "ter", "wer", "per", "f1", "fmean", "meteor", "gtm", "cer",
)  # fmt: skip
#: Thresholds that the direct search is timed on.
TRIED = 200


def grids() -> tuple[Array, Array]:
    """Twelve metrics of differing worth (metrics by systems by segments), and people."""
    generator = np.random.default_rng(1)
    quality = generator.normal(size=(SYSTEMS, SEGMENTS)) + generator.normal(size=SEGMENTS)
    people = -np.round(2.0 * np.maximum(0.0, generator.normal(size=quality.shape) - quality))
    noise = generator.normal(size=(METRICS, SYSTEMS, SEGMENTS)) * np.linspace(0.5, 2.0, METRICS)[:, None, None]
    return quality + noise, people


def seconds(function: Callable[[], object], times: int = 3) -> float:
    """The best of some runs."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        function()
        taken.append(time.perf_counter() - started)
    return min(taken)


def meta_seconds(options: list[str]) -> float:
    """The whole command on a campaign with judgements."""
    folder, kind = (REAL, "mqm") if REAL.is_dir() else (CAMPAIGN, "adequacy")
    given = ["meta", str(folder), "--kind", kind, "-m", ",".join(NAMES), "-q", "--format", "json"]
    return command_seconds([*given, *options])


def direct_search(metric: Array, human: Array, thresholds: Array) -> float:
    """The best mean share of agreeing pairs, threshold by threshold."""
    first, second = np.triu_indices(len(metric), k=1)
    difference, people = metric[first] - metric[second], human[first] - human[second]
    distance, tied, concordant = np.abs(difference), people == 0, difference * people > 0
    return max(float(np.where(distance <= epsilon, tied, concordant).mean()) for epsilon in thresholds)


def main() -> None:
    where = "WMT23 English-German" if REAL.is_dir() else "the demo campaign"
    for title, options in (("the usual statistics", []), ("all statistics", ["--statistic", "all"])):
        taken = meta_seconds(options)
        print(f"assay meta, {len(NAMES)} metrics on {where}, {title}, 1,000 samples: {taken:.1f} s", flush=True)

    metrics, people = grids()
    once = Draws.observed(SYSTEMS, SEGMENTS)
    first, second = np.triu_indices(SYSTEMS, k=1)
    distances = np.unique(np.abs(metrics[0][first] - metrics[0][second]))
    ours = seconds(lambda: statistic("acc23").of_grid(Grid.of(metrics[0], people, once, "item")))
    chosen = distances[:: max(1, len(distances) // TRIED)][:TRIED]
    direct = seconds(lambda: direct_search(metrics[0], people, chosen), 1) * len(distances) / len(chosen)
    print(
        f"tie calibration, {len(distances):,} thresholds: {ours * 1000:.1f} ms, direct search {direct:.1f} s, ", end=""
    )
    print(f"{direct / ours:,.0f}x (aim 20x)", flush=True)

    segments = np.concatenate(list(bootstrap_counts(numbered(SEGMENTS), SAMPLES, seed=1)))
    draws = Draws.given(segments, np.ones((SAMPLES, SYSTEMS)))
    for grouping in GROUPINGS:
        named = [name for name in grid_statistic_names() if grouping in statistic(name).groupings]
        usual = [name for name in named if grouping == "item" or not name.startswith("acc23")]
        for title, chosen_names in (("all but acc23", usual), ("all", named)):
            if title == "all" and usual == named:
                continue
            taken = seconds(
                lambda names=chosen_names, grouping=grouping: [  # type: ignore[misc]
                    several_on_grid(names, metric, people, draws, grouping) for metric in metrics
                ],
                1,
            )
            print(f"{METRICS} metrics, {SAMPLES:,} draws of segments, grouped by {grouping}, ", end="")
            print(f"{len(chosen_names)} statistics: {taken:.1f} s", flush=True)
    for name in ("kendall", "pearson", "acc23"):
        taken = seconds(lambda name=name: grid_permutation(name, metrics, people, "item", samples=SAMPLES), 1)  # type: ignore[misc]
        print(f"66 pairs of metrics, {SAMPLES:,} permutations of {name} by item: {taken:.1f} s", flush=True)


if __name__ == "__main__":
    main()
