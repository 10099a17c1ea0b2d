"""What do ``import assay``, ``assay --help`` and a whole ``assay score`` cost beside importing numpy?"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.texts import real_texts

ROUNDS = 15


def best_times(commands: Sequence[Sequence[str]]) -> list[float]:
    """Seconds of the best run of each, runs taken in turn."""
    best = [float("inf")] * len(commands)
    for _ in range(ROUNDS):
        for index, command in enumerate(commands):
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            best[index] = min(best[index], time.perf_counter() - started)
    return best


def main() -> None:
    program = str(Path(sys.executable).with_name("assay"))
    origin, translations, reference = real_texts()
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder)
        (texts / "out.txt").write_bytes("".join(f"{line}\n" for line in translations).encode())
        (texts / "ref.txt").write_bytes("".join(f"{line}\n" for line in reference).encode())
        commands = {
            'python -c "import numpy"': [sys.executable, "-c", "import numpy"],
            'python -c "import assay"': [sys.executable, "-c", "import assay"],
            "assay --help": [program, "--help"],
            "assay score -m bleu": [program, "score", "-r", f"{texts}/ref.txt", f"{texts}/out.txt", "-m", "bleu"],
            "assay score (bleu, chrf)": [program, "score", "-r", f"{texts}/ref.txt", f"{texts}/out.txt"],
        }
        times = best_times(list(commands.values()))
    print(origin)
    for label, seconds in zip(commands, times, strict=True):
        print(f"{label:<28}{seconds * 1e3:>8.0f} ms{seconds / times[0]:>8.2f} x numpy")
