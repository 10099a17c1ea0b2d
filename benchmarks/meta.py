"""How many times faster are tie calibration than a direct search and permutations than scipy, and what does all cost?

The grids have the shape of WMT23 English-German: 12 systems, 557 segments, human scores of MQM's kind (many of them
equal), twelve metrics. The direct search tries every distance between two systems of a segment as the threshold and
counts all pairs anew each time, in numpy; it is timed on some of the thresholds, and its time grows with their number.

PERM-BOTH of Kendall's tau over all cells is timed on one thread, beside scipy's tau of the same mixed scores in a loop,
which is what mt-metrics-eval does; scipy is timed on some of the draws.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from assay import read
from assay.arrays import Array
from assay.demo import CAMPAIGN
from assay.metrics.registry import metrics as named_metrics
from assay.people.metric_tests import grid_permutation
from assay.people.scores import metric_scores
from assay.people.statistics.base import GROUPINGS, Grid
from assay.people.statistics.registry import grid_statistic_names, several_on_grid, statistic
from assay.people.usage import people_of
from assay.significance.draws import Draws, bootstrap_counts, numbered
from benchmarks.commands import CAMPAIGNS, command_seconds
from benchmarks.commands import processor_seconds as command_processor_seconds

SYSTEMS, SEGMENTS, METRICS, SAMPLES = 12, 557, 12, 1000
#: WMT23 English-German with MQM; the demo campaign where it is not at hand.
REAL = CAMPAIGNS / "wmt23-en-de"
#: Twelve metrics, from cheap to dear.
NAMES = (
    "bleu", "nist", "chrf", "chrf(word_order=2)", "ter", "wer", "per", "f1", "fmean", "meteor", "gtm", "cer",
)  # fmt: skip
#: Thresholds that the direct search is timed on, and draws that scipy is.
TRIED = 200
LOOPED = 50


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


def meta_words(*options: str, metrics: int = len(NAMES)) -> list[str]:
    """The whole command on a campaign with judgements."""
    folder, kind = (REAL, "mqm") if REAL.is_dir() else (CAMPAIGN, "adequacy")
    return ["meta", str(folder), "--kind", kind, "-m", ",".join(NAMES[:metrics]), "-q", "--format", "json", *options]


def direct_search(metric: Array, human: Array, thresholds: Array) -> float:
    """The best mean share of agreeing pairs, threshold by threshold."""
    first, second = np.triu_indices(len(metric), k=1)
    difference, people = metric[first] - metric[second], human[first] - human[second]
    distance, tied, concordant = np.abs(difference), people == 0, difference * people > 0
    return max(float(np.where(distance <= epsilon, tied, concordant).mean()) for epsilon in thresholds)


def processor_seconds(function: Callable[[], object]) -> float:
    """Of this process, all its threads."""
    started = time.process_time()
    function()
    return time.process_time() - started


def judged_cells() -> tuple[Array, Array]:
    """BLEU and chrF of WMT23 English-German (metrics by systems by segments), and people; made up if not at hand."""
    if not REAL.is_dir():
        metrics, people = grids()
        return metrics[:2], people
    campaign = read(REAL)
    judged, _ = people_of(campaign, kind="mqm")
    sources = metric_scores(campaign, named_metrics("bleu,chrf"), judged)
    return np.stack([source.grid for source in sources]), judged.grid


def permutations_in_a_loop(metrics: Array, people: Array, draws: int) -> None:
    """PERM-BOTH with scipy's tau-b, one draw after the other."""
    from scipy.stats import kendalltau

    there = ~np.isnan(people)
    human, (first, second) = people[there], ((grid[there] - grid[there].mean()) / grid[there].std() for grid in metrics)
    generator = np.random.default_rng(1)
    for _ in range(draws):
        swap = generator.random(len(human)) < 0.5
        kendalltau(human, np.where(swap, second, first))
        kendalltau(human, np.where(swap, first, second))


def main() -> None:
    where = "WMT23 English-German" if REAL.is_dir() else "the demo campaign"
    for title, options in (("the usual statistics", []), ("all statistics", ["--statistic", "all"])):
        taken = command_seconds(meta_words(*options))
        print(f"assay meta, {len(NAMES)} metrics on {where}, {title}, 1,000 samples: {taken:.1f} s", flush=True)
    for number, samples in ((3, 1000), (6, 1000), (12, 1000), (12, 2000)):
        taken = command_processor_seconds(meta_words("--samples", str(samples), metrics=number))
        print(f"assay meta, {number} metrics, {samples:,} samples: {taken:.1f} s of processors", flush=True)

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
    pair, judged = judged_cells()
    taken = processor_seconds(lambda: grid_permutation("kendall", pair, judged, "none", samples=SAMPLES))
    looped = processor_seconds(lambda: permutations_in_a_loop(pair, judged, LOOPED)) * SAMPLES / LOOPED
    print(
        f"a pair of metrics, {SAMPLES:,} permutations of kendall over {int(np.isfinite(judged).sum()):,} cells of ",
        end="",
    )
    print(f"{where}, processor: {taken:.2f} s, scipy in a loop {looped:.1f} s, {looped / taken:.0f}x", flush=True)


if __name__ == "__main__":
    main()
