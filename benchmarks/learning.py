"""How long do all tables of Paul, Finch and Sumita (2007) take for 10,000 judged translations?

Ten systems of 1,000 segments, one a little worse than the other; people's scores are the share of words that is left of
the best system, with noise. One command: nine features, all tasks, four models and the baselines, each feature alone
and each left out, grouped and random folds, 1,000 samples for every interval. The aim is 45 seconds on two cores. On a
busy machine the seconds of the processor say more than those on the clock. Fewer segments show how the work grows.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path

from benchmarks.commands import processor_seconds
from benchmarks.comparison import noisy
from benchmarks.texts import real_texts

SYSTEMS, SEGMENTS = 10, (250, 500, 1000)
AIM = 45.0


def write_campaign(folder: Path, segments: int) -> None:
    """Texts, and a human.tsv."""
    _, translations, reference = real_texts()
    translations, reference = translations[:segments], reference[:segments]
    generator = random.Random(1)
    judgements = ["system\tsegment\tdocument\trater\tscore\tkind"]
    (folder / "ref.A.txt").write_text("\n".join(reference) + "\n", encoding="utf-8")
    for number in range(SYSTEMS):
        lines = noisy(translations, 0.05 * number, number)
        (folder / f"sys.s{number}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for segment, (line, best) in enumerate(zip(lines, translations, strict=True)):
            words = list(zip(line.split(), best.split(), strict=True))
            kept = sum(one == other for one, other in words) / max(len(words), 1)
            judgements.append(f"s{number}\t{segment}\t-\ta\t{100 * kept + generator.gauss(0, 20):.3f}\tda")
    (folder / "human.tsv").write_text("\n".join(judgements) + "\n", encoding="utf-8")


def main() -> None:
    for segments in SEGMENTS:
        with tempfile.TemporaryDirectory() as name:
            write_campaign(Path(name), segments)
            started = time.perf_counter()
            processor = processor_seconds(["learn", name, "-q", "--format", "json"])
            wall = time.perf_counter() - started
        aim = f" (aim {AIM:.0f} s)" if segments == SEGMENTS[-1] else ""
        print(
            f"assay learn, {SYSTEMS * segments:,} translations, all tables and intervals: {wall:.0f} s on the "
            f"clock{aim}, {processor:.0f} s of processors, on {os.cpu_count()} of them",
            flush=True,
        )


if __name__ == "__main__":
    main()
