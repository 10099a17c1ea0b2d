"""What do the larger studies cost, and how often would a tool that looks at the text each time score in that time?

The campaigns are Luke 1-4 in twelve German translations and WMT23 Chinese-English, else the demo campaign. sacreBLEU
scores a few of the same translations against the same sets of references, or a few of the same documents, in this
process; its time for all of them follows from their number.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import combinations, islice
from math import comb

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats import read
from assay.demo import CAMPAIGN
from benchmarks.commands import CAMPAIGNS, command_seconds, processor_seconds

REAL = CAMPAIGNS.is_dir()
LUKE = CAMPAIGNS / "bible-de" / "luke1-4" if REAL else CAMPAIGN
CHINESE = CAMPAIGNS / "wmt23-zh-en" if REAL else CAMPAIGN
KIND = "mqm" if REAL else "adequacy"
SIZES = (1, 2, 4) if REAL else (1, 2)
EIGHT = "bleu,nist,chrf,ter,gtm,precision,recall,fmean"
LANGUAGE = "de" if REAL else "en"
#: Corpora that the peer is timed on.
TRIED = 30
LENGTHS, DOCUMENTS = 10, 1000


def sets_of(campaign: Campaign, sizes: Sequence[int]) -> int:
    """How many scores ``references`` makes per metric: every translation against all sets of the other references."""
    names, systems = len(campaign.references), len(campaign.systems)
    return sum(names * comb(names - 1, size) + systems * comb(names, size) for size in sizes)


def peer_of_references(campaign: Campaign) -> tuple[int, float]:
    """How many scores ``references`` makes per metric, and what they would take with sacreBLEU."""
    from sacrebleu.metrics.bleu import BLEU

    names = list(campaign.references)
    others, scores = len(names) - 1, sets_of(campaign, SIZES)
    lines = {name: list(campaign.references[name]) for name in names}
    metric = BLEU()
    started = time.perf_counter()
    for chosen in islice(combinations(names[1:], max(SIZES)), TRIED):
        metric.corpus_score(lines[names[0]], [lines[name] for name in chosen])
    tried = min(TRIED, comb(others, max(SIZES)))
    return scores, (time.perf_counter() - started) / tried * scores


def peer_of_documents(campaign: Campaign) -> tuple[int, float]:
    """How many documents ``pseudo-documents`` scores per metric, and what they would take with sacreBLEU."""
    from sacrebleu.metrics.bleu import BLEU

    reference = list(next(iter(campaign.references.values())))
    translations = list(next(iter(campaign.systems.values())))
    generator = np.random.default_rng(1)
    # The middle of the lengths, which are about as many times longer each than the one before.
    lengths = np.geomspace(1, len(reference), LENGTHS).astype(int)
    metric = BLEU(effective_order=True)
    started = time.perf_counter()
    for length in lengths:
        for _ in range(TRIED // 10):
            chosen = generator.choice(len(reference), int(length), replace=False)
            metric.corpus_score([translations[at] for at in chosen], [[reference[at] for at in chosen]])
    taken = (time.perf_counter() - started) / (len(lengths) * (TRIED // 10))
    scores = LENGTHS * DOCUMENTS * len(campaign.systems)
    return scores, taken * scores


def main() -> None:
    luke, chinese = read(LUKE), read(CHINESE)
    quiet = ["-q", "--format", "json"]
    sizes = ",".join(str(size) for size in SIZES)
    study = ["study", "references", str(LUKE), "--k", sizes, *quiet]
    taken = command_seconds([*study, "-m", "bleu"])
    scores, peer = peer_of_references(luke)
    print(f"references, {luke.name}, k = {sizes}, BLEU, {scores:,} scores: {taken:.1f} s (aim 10 s)", end="; ")
    print(f"sacreBLEU, from a sample: {peer:.0f} s, {peer / taken:.0f}x", flush=True)
    taken = command_seconds([*study, "-m", f"bleu,nist,meteor(language={LANGUAGE}),gtm"])
    print(f"references, BLEU, NIST, METEOR and GTM: {taken:.1f} s (aim 60 s)", flush=True)
    for number, size in enumerate(SIZES, start=1):
        several = ",".join(str(size) for size in SIZES[:number])
        taken = processor_seconds(["study", "references", str(LUKE), "--k", several, "-m", "bleu", *quiet])
        scores = sets_of(luke, SIZES[:number])
        print(f"references, k up to {size}, BLEU, {scores:,} scores: {taken:.1f} s of processors", flush=True)
    given = [str(CHINESE), "--kind", KIND, "-m", EIGHT, *quiet]
    taken = command_seconds(["study", "pseudo-documents", *given])
    scores, peer = peer_of_documents(chinese)
    print(f"pseudo-documents, {chinese.name}, 8 metrics, {scores:,} scores each: {taken:.1f} s (aim 60 s)", end="; ")
    print(f"sacreBLEU for one of the metrics, from a sample: {peer:.0f} s, {peer / taken:.0f}x", flush=True)
    taken = command_seconds(["study", "case-and-stem", *given])
    print(f"case-and-stem, {chinese.name}, 6 recipes and 8 metrics: {taken:.1f} s (aim 30 s)", flush=True)


if __name__ == "__main__":
    main()
