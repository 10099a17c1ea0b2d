"""How many times faster than TERcom, the Java program, with its start-up taken off?

``python -m benchmarks tercom --jar tercom=PATH`` takes TERcom's jar or the folder of its classes. Each side's best
round counts. What TERcom takes for a single segment is taken for its start-up.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.java import JARS
from benchmarks.speed import assay_work, best_times
from benchmarks.texts import real_texts

ROUNDS = 3
AIM = 10.0
#: Seconds that a single pair of segments may take.
LONGEST = 5.0


class Tercom:
    """TERcom on texts that lie in a folder of their own, in its own format."""

    def __init__(self, java: str, classes: str, folder: Path) -> None:
        self.folder = folder
        self.line = [java, "-Dfile.encoding=UTF-8", "-cp", classes, "ter.TER", "-o", "sum", "-n", str(folder / "out")]

    def rate(self, translations: list[str], references: list[str]) -> float:
        """Its rate over all segments, on the scale of 100."""
        for name, texts in (("translations", translations), ("references", references)):
            lines = [f"{text} (s{number})\n" for number, text in enumerate(texts)]
            (self.folder / name).write_text("".join(lines), encoding="utf-8")
        sides = ["-h", str(self.folder / "translations"), "-r", str(self.folder / "references")]
        finished = subprocess.run([*self.line, *sides], capture_output=True, text=True, check=False)
        found = re.search(r"Total TER: ([\d.]+)", finished.stdout)
        if found is None:
            raise SystemExit(f"TERcom gave no rate: {finished.stderr.strip() or finished.stdout.strip()}")
        return 100.0 * float(found[1])


def long_segments() -> None:
    """Two long segments of random words over few distinct ones: what takes the search longest."""
    for words, distinct in ((1000, 5), (2000, 5), (2000, 30), (9000, 30)):
        random = np.random.default_rng(1)
        one, other = (" ".join(map(str, random.integers(0, distinct, words))) for _ in range(2))
        started = time.process_time()
        with warnings.catch_warnings(action="ignore"):
            found = assay_work("ter", [one], [other], threads=1)()
        took = time.process_time() - started
        print(f"TER, {words:,} words over {distinct}: {took:.1f} s (aim {LONGEST:.0f} s); rate {found:.4f}")


def main() -> None:
    long_segments()
    java = shutil.which("java")
    classes = JARS.get("tercom")
    if java is None or classes is None or not Path(classes).exists():
        missing = "java is not installed" if java is None else f"TERcom is not there ({classes or 'no path was given'})"
        print(f"Left out: {missing}. Give its jar or classes: python -m benchmarks tercom --jar tercom=PATH")
        return
    origin, translations, reference = real_texts()
    print(origin)
    ours = assay_work("ter", translations, reference, threads=1)
    with TemporaryDirectory() as folder:
        tercom = Tercom(java, classes, Path(folder))
        our_time, their_time = best_times(ours, lambda: tercom.rate(translations, reference), ROUNDS)
        start_up = min(_seconds(tercom) for _ in range(ROUNDS))
        rate = tercom.rate(translations, reference)
    factor = (their_time - start_up) / our_time
    print(
        f"TER, 1 thread: assay {our_time * 1e3:.1f} ms, TERcom {their_time * 1e3:.0f} ms with {start_up * 1e3:.0f} ms "
        f"of start-up: {factor:.1f}x (aim {AIM:.0f}x); rates {ours():.4f}, {rate:.4f}"
    )


def _seconds(tercom: Tercom) -> float:
    started = time.perf_counter()
    tercom.rate(["a"], ["a"])
    return time.perf_counter() - started
