"""How much memory does a pair of 500 MB files take? The whole command, interval included, in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.texts import real_texts

SIZE = 500_000_000
#: Runs the command line and prints the most memory that the process ever held, in kilobytes.
PROGRAM = """
import resource, sys
from assay.cli.main import run
code = run(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""


def write_large(path: Path, lines: list[str], copies: int) -> None:
    """The lines, over and over."""
    block = "".join(f"{line}\n" for line in lines).encode()
    with path.open("wb") as file:
        for _ in range(copies):
            file.write(block)


def main() -> None:
    origin, translations, reference = real_texts()
    copies = SIZE // len("".join(f"{line}\n" for line in reference).encode()) + 1
    print(f"{origin}, repeated {copies:,} times: {copies * len(reference):,} segments")
    with tempfile.TemporaryDirectory() as folder:
        texts = Path(folder)
        write_large(texts / "out.txt", translations, copies)
        write_large(texts / "ref.txt", reference, copies)
        sizes = [f"{(texts / name).stat().st_size / 1e6:.0f} MB" for name in ("out.txt", "ref.txt")]
        for metrics, samples in (("bleu", "100"), ("bleu,chrf", "100"), ("bleu,chrf,wer,per", "100")):
            arguments = ["score", "-r", "ref.txt", "out.txt", "-m", metrics, "--samples", samples]
            started = time.perf_counter()
            result = subprocess.run(
                [sys.executable, "-c", PROGRAM, *arguments], cwd=texts, check=True, capture_output=True, text=True
            )
            seconds = time.perf_counter() - started
            peak = int(result.stderr.split()[-1]) / 1e6
            print(f"{' and '.join(sizes)}, -m {metrics}: {peak:.2f} GB at most, {seconds:.0f} s", flush=True)
