"""What do ``import assay``, ``assay --help`` and a whole ``assay score`` cost beside importing numpy?"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.texts import english_texts, real_texts

ROUNDS = 15


def best_times(commands: Sequence[Sequence[str]]) -> list[float]:
    """Seconds of the best run of each, runs taken in turn."""
    best = [float("inf")] * len(commands)
    # As after an installation: Python keeps what it compiled.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        kept["PYTHONPYCACHEPREFIX"] = folder
        for _ in range(ROUNDS):
            for index, command in enumerate(commands):
                started = time.perf_counter()
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=kept)
                best[index] = min(best[index], time.perf_counter() - started)
    return best


def main() -> None:
    program = str(Path(sys.executable).with_name("assay"))
    origin, translations, reference = real_texts()
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder)
        (texts / "out.txt").write_bytes("".join(f"{line}\n" for line in translations).encode())
        (texts / "ref.txt").write_bytes("".join(f"{line}\n" for line in reference).encode())
        for name, lines in zip(("out.en.txt", "ref.en.txt"), english_texts(), strict=True):
            (texts / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
        commands = {
            'python -c "import numpy"': [sys.executable, "-c", "import numpy"],
            'python -c "import assay"': [sys.executable, "-c", "import assay"],
            "assay --help": [program, "--help"],
            "assay score -m bleu": [program, "score", "-r", f"{texts}/ref.txt", f"{texts}/out.txt", "-m", "bleu"],
            "assay score (bleu, chrf)": [program, "score", "-r", f"{texts}/ref.txt", f"{texts}/out.txt"],
            "assay score -m meteor (*)": [
                *(program, "score", "-r", f"{texts}/ref.en.txt", f"{texts}/out.en.txt", "-m", "meteor"),
            ],
        }
        times = best_times(list(commands.values()))
    print(f"{origin}; (*) on {len(english_texts()[0]):,} segments of English")
    for label, seconds in zip(commands, times, strict=True):
        print(f"{label:<28}{seconds * 1e3:>8.0f} ms{seconds / times[0]:>8.2f} x numpy")
