"""How long do all 120 pairs of 16 systems take beside sacreBLEU, which tests 15 of them against one?

Texts have the shape of a WMT test set: 16 systems, 3,004 segments. We test every pair under every metric in one
command. sacreBLEU is timed with three systems, one of them the baseline; its work is the same for each further one,
so its time for sixteen is that of the baseline plus fifteen times what a system costs.
"""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from assay.demo import CAMPAIGN
from benchmarks.commands import CAMPAIGNS, command_seconds
from benchmarks.texts import real_texts

SYSTEMS, SEGMENTS = 16, 3004
METRICS = {"bleu": "BLEU", "chrf": "CHRF", "ter": "TER"}


def noisy(lines: list[str], share: float, seed: int) -> list[str]:
    """Translations with a share of their words replaced by others of the same text."""
    generator = random.Random(seed)
    words = [word for line in lines for word in line.split()]
    return [
        " ".join(generator.choice(words) if generator.random() < share else word for word in line.split())
        for line in lines
    ]


def write_campaign(folder: Path) -> tuple[dict[str, list[str]], list[str]]:
    """Sixteen systems, one a little worse than the other."""
    _, translations, reference = real_texts()
    translations, reference = translations[:SEGMENTS], reference[:SEGMENTS]
    systems = {f"s{number:02}": noisy(translations, 0.004 * number, number) for number in range(SYSTEMS)}
    for name, lines in {**{f"sys.{name}": lines for name, lines in systems.items()}, "ref.A": reference}.items():
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return systems, reference


def our_seconds(folder: Path, options: list[str]) -> float:
    """The whole command, start-up included; the best of three."""
    program = "from assay.__main__ import main; main()"
    command = [sys.executable, "-c", program, "compare", str(folder), "-m", ",".join(METRICS), "-q", *options]
    times = []
    for _ in range(3):
        started = time.perf_counter()
        subprocess.run([*command, "--format", "json"], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return min(times)


def their_seconds(systems: dict[str, list[str]], reference: list[str], test: str, samples: int) -> float:
    """Sixteen systems against a baseline, by sacreBLEU's Python interface; from the times of one and of three."""
    significance = import_module("sacrebleu.significance")
    metrics = import_module("sacrebleu.metrics")
    total = 0.0
    for name in METRICS.values():
        seconds = []
        for count in (2, 3):
            chosen = list(systems.items())[:count]
            started = time.perf_counter()
            significance.PairedTest(
                chosen, {name: getattr(metrics, name)()}, [reference], test_type=test, n_samples=samples
            )()
            seconds.append(time.perf_counter() - started)
        total += seconds[0] + (SYSTEMS - 2) * (seconds[1] - seconds[0])
    return total


def two_systems() -> tuple[str, list[str]]:
    """A campaign, and what compares two of its systems: WMT23 English-German, or the demo where it is not at hand."""
    real = CAMPAIGNS / "wmt23-en-de"
    folder, systems = (real, "GPT4-5shot,ONLINE-A") if real.is_dir() else (CAMPAIGN, "rosetta,compass")
    return folder.name, ["compare", str(folder), "--systems", systems, "-q", "--format", "json"]


def two_systems_seconds() -> float:
    """The whole command as people type it first, start-up included."""
    return statistics.median(command_seconds(two_systems()[1]) for _ in range(10))


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        systems, reference = write_campaign(folder)
        print(f"{SYSTEMS} systems, {len(reference):,} segments, {', '.join(METRICS)}")
        print(f"{'test':<32}{'assay, 120 pairs':>18}{'sacreBLEU, 15 pairs':>21}{'factor':>9}{'aim':>6}")
        tests = (
            ("10,000 randomisations", ["--permutations", "10000"], "ar", 10_000),
            ("1,000 bootstrap samples", ["--test", "bootstrap", "--samples", "1000"], "bs", 1000),
        )
        for title, options, test, samples in tests:
            ours = our_seconds(folder, options)
            theirs = their_seconds(systems, reference, test, samples)
            print(f"{title:<32}{ours:>16.2f} s{theirs:>19.1f} s{theirs / ours:>8.0f}x{100:>5}x", flush=True)
        print(f"two systems of {two_systems()[0]}, the default test: {two_systems_seconds():.2f} s, the median of ten")
        score = ["score", str(folder), "-m", "nist"]
        plain, full = (min(command_seconds([*score, *more]) for _ in range(3)) for more in (["--samples", "0"], []))
        print(f"NIST of all systems: {plain:.2f} s; with intervals, fitted without each segment in turn: {full:.2f} s")


if __name__ == "__main__":
    main()
