"""How long does it take to print the scores of 100 systems by 10 metrics, each with its interval, in every format?"""

from __future__ import annotations

import time

import assay
from assay.results.rendering import STYLES
from benchmarks.texts import real_texts

SYSTEMS, SEGMENTS, ROUNDS = 100, 20, 5
METRICS = "bleu,bleu(order=2),bleu(lowercase=true),chrf,chrf(word_order=2),nist,wer,cer,per,f1"
#: Formats that a table of scores has no content for, or that hold one metric or system alone.
OTHERS = ("junit", "svg", "mtme-score", "every-eval-ever")


def scored() -> assay.Result:
    """Scores of systems that differ in where their segments begin."""
    _, translations, reference = real_texts()
    texts = {f"system-{start:02}": translations[start : start + SEGMENTS] for start in range(SYSTEMS)}
    systems = {name: assay.Texts.of(lines) for name, lines in texts.items()}
    campaign = assay.Campaign("printing", systems, {"A": assay.Texts.of(reference[:SEGMENTS])})
    return assay.score(campaign, METRICS, samples=100)


def main() -> None:
    result = scored()
    print(f"{SYSTEMS} systems, {len(METRICS.split(','))} metrics, {len(result.table())} scores with their intervals")
    for style in STYLES:
        if style not in OTHERS:
            times = []
            for _ in range(ROUNDS):
                started = time.perf_counter()
                text = result.render(style)
                times.append(time.perf_counter() - started)
            print(f"{style:<10}{min(times) * 1e3:>8.1f} ms{len(text):>12,} characters", flush=True)
    started = time.perf_counter()
    result.render("text", width=120)
    print(f"{'text, broken at 120':<20}{(time.perf_counter() - started) * 1e3:>8.1f} ms")
