"""How many times faster is scoring rows anew than counting anew, and what does a whole tuning cost?

Translations of 10,000 segments that lose more and more words, with invented judgements: METEOR's formula has four
parameters. A step of the search is one value of them, scored and correlated; the other way would count all text again
at each step.
"""

from __future__ import annotations

import time

import numpy as np

import assay
from assay.data.judgements import Judgement, Judgements
from assay.learned.folds import judged_folds
from assay.learned.tuning.measures import SegmentMeasure
from assay.learned.tuning.search import CountedMetric, ParameterGrid
from assay.people.usage import people_of
from assay.scoring.candidates import candidates_of, evaluate_candidates
from benchmarks.texts import english_texts

SYSTEMS = 7
STEPS = 50


def judged_campaign() -> assay.Campaign:
    """Systems get worse from first to last, and so do their judgements."""
    generator = np.random.default_rng(1)
    translations, reference = english_texts()
    systems = {
        f"s{number}": assay.Texts.of(
            [" ".join(word for word in line.split() if generator.random() > 0.05 * number) for line in translations],
            f"s{number}",
        )
        for number in range(SYSTEMS)
    }
    rows = [
        Judgement(system=name, segment=segment, rater="r", score=float(-number + 2 * generator.normal()), kind="da")
        for number, name in enumerate(systems)
        for segment in range(len(reference))
    ]
    made = assay.Campaign(name="invented", systems=systems, references={"A": assay.Texts.of(reference, "A")})
    return made.with_judgements(Judgements.of(rows, "invented"))


def step_seconds(campaign: assay.Campaign) -> tuple[float, float]:
    """One count of all text, and one step on its rows."""
    people, _ = people_of(campaign)
    metric = assay.metric("meteor")
    started = time.perf_counter()
    metric, systems = evaluate_candidates(metric, campaign.corpora())
    counting = time.perf_counter() - started
    grid = ParameterGrid(one for one in metric.tunables if one.changes == "formula")
    counted = CountedMetric(metric, grid, candidates_of(systems.values(), people.mask))
    folds = judged_folds(campaign, people, "segment", 10, 1)
    measure = SegmentMeasure(
        people.mask,
        folds,
        (metric, counted.candidates),
        human=people.grid,
        statistic="pearson",
        grouping="none",
    )
    started = time.perf_counter()
    for step in range(1, STEPS + 1):
        measure.value(measure.trial(counted.at((-(step % 50), 0, 0, 0)), counted.candidates), frozenset([0]))
    return counting, (time.perf_counter() - started) / STEPS


def main() -> None:
    campaign = judged_campaign()
    counting, step = step_seconds(campaign)
    print(f"METEOR, {SYSTEMS * len(campaign):,} judged segments: counting {counting * 1000:,.0f} ms, ", end="")
    print(f"a step on the same rows {step * 1000:.1f} ms, {counting / step:,.0f}x", flush=True)
    for statistic in ("pearson", "kendall"):
        started, used = time.perf_counter(), time.process_time()
        tried = assay.tune(campaign, "meteor", statistic=statistic).setup["tried"]
        print(f"assay tune meteor, {statistic}, 10 folds, {tried:,} values tried: ", end="")
        print(
            f"{time.perf_counter() - started:.1f} s, {time.process_time() - used:.1f} s of processor (aim 60 s); ",
            end="",
        )
        print(f"counting anew at each would take {tried * counting:,.0f} s", flush=True)


if __name__ == "__main__":
    main()
