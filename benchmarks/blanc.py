"""How long does it take to count all common skip-n-grams of up to four words, beside listing them in Python?

The listing is what the definition says, word for word: a ``Counter`` of all skip-n-grams of either side within each
limit on the gap. It takes so long that it is timed on the first segments of at most 25 words, ours on the same. Then
ours counts 3,000 segments, whatever their length.
"""

from __future__ import annotations

import time
from collections import Counter
from itertools import combinations
from math import inf

import assay
from assay.metrics.blanc import Blanc
from benchmarks.speed import best_times
from benchmarks.texts import real_texts

LISTED, LONGEST = 40, 25
SEGMENTS = 3000
SPELLINGS = ("blanc", "blanc(gap=16)", "blanc(gap=8)", "blanc(gap=4)", "blanc(gap=0)", "blanc(order=6)")


def listed(metric: Blanc, translation: list[str], reference: list[str]) -> list[int]:
    """Common skip-n-grams of each size within each limit."""
    limits = [inf if last is None else last for _, last in metric.buckets]
    found = []
    for size in range(1, metric.order + 1):
        sides = [list(combinations(enumerate(words), size)) for words in (translation, reference)]
        for limit in limits:
            ours, theirs = (
                Counter(
                    tuple(word for _, word in chosen)
                    for chosen in side
                    if chosen[-1][0] - chosen[0][0] + 1 - size <= limit
                )
                for side in sides
            )
            found.append((ours & theirs).total())
    return found


def main() -> None:
    origin, translations, reference = real_texts()
    print(origin)
    metric = Blanc()
    pairs = list(zip(translations, reference, strict=True))
    short = [pair for pair in pairs if max(len(text.split()) for text in pair) <= LONGEST][:LISTED]
    few = assay.Corpus(translations=[one for one, _ in short], references=[[other for _, other in short]])
    ours, theirs = best_times(
        lambda: metric.evaluate(few, threads=1).corpus_score(),
        lambda: float(sum(sum(listed(metric, one.split(), other.split())) for one, other in short)),
        2,
    )
    print(
        f"{len(short)} segments of at most {LONGEST} words: {ours * 1e3:.1f} ms, listed {theirs * 1e3:,.0f} ms, ",
        end="",
    )
    print(f"{theirs / ours:,.0f}x\n")
    many = (pairs * (SEGMENTS // len(pairs) + 1))[:SEGMENTS]
    corpus = assay.Corpus(translations=[one for one, _ in many], references=[[other for _, other in many]])
    print(f"{SEGMENTS:,} segments{'':<8}{'columns':>8}{'threads':>9}{'seconds':>10}{'of processor':>14}")
    for spelling in SPELLINGS:
        for threads in (1, 2):
            chosen = assay.metric(spelling)
            started, used = time.perf_counter(), time.process_time()
            chosen.evaluate(corpus, threads=threads)
            took, worked = time.perf_counter() - started, time.process_time() - used
            print(f"{spelling:<22}{len(chosen.columns):>8}{threads:>9}{took:>10.2f}{worked:>14.2f}", flush=True)
