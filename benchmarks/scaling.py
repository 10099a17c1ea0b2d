"""Does the cost grow linearly with the number of segments? From a thousand to a million, one thread."""

from __future__ import annotations

import time

import assay
from benchmarks.texts import real_texts

SIZES = (1_000, 10_000, 100_000, 1_000_000)
METRICS = ("bleu", "chrf", "wer", "per", "nist")


def repeated(lines: list[str], size: int) -> list[str]:
    """As many lines as wanted."""
    return (lines * (size // len(lines) + 1))[:size]


def main() -> None:
    origin, translations, reference = real_texts()
    print(f"{origin}; microseconds per segment, repeated to each size")
    print(f"{'metric':<8}" + "".join(f"{size:>12,}" for size in SIZES) + f"{'last/first':>12}")
    for spelling in METRICS:
        # The first use of a metric loads it.
        assay.metric(spelling).evaluate(assay.Corpus(translations=["a"], references=[["a"]])).corpus_score()
        costs = []
        for size in SIZES:
            corpus = assay.Corpus(translations=repeated(translations, size), references=[repeated(reference, size)])
            started = time.perf_counter()
            assay.metric(spelling).evaluate(corpus, threads=1).corpus_score()
            costs.append((time.perf_counter() - started) / size * 1e6)
        row = "".join(f"{cost:>12.2f}" for cost in costs)
        print(f"{spelling:<8}{row}{costs[-1] / costs[0]:>12.2f}", flush=True)
