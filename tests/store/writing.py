"""Adds runs to a store until it is stopped: a process for tests that stop it at any moment, or have several at once.

For each line on standard input a child is forked, whose number is printed; ``STORE TIMES SEED`` says where it writes,
how often, and which texts, and it prints ``done`` in the end.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import warnings

import assay

WORDS = [f"w{number}" for number in range(50)]


def main() -> None:
    # What is imported and made once is there already when a child begins.
    with tempfile.TemporaryDirectory() as folder:
        write(str(assay.Store.create(f"{folder}/store").path), 1, 0)
    for line in sys.stdin:
        store, times, seed = line.split()
        child = os.fork()
        if child == 0:
            write(store, int(times), int(seed))
            os._exit(0)
        tell(str(child))
        _, status = os.waitpid(child, 0)
        tell("done" if status == 0 else "stopped")


def tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def write(store: str, times: int, seed: int) -> None:
    draw = random.Random(seed)
    warnings.simplefilter("error")
    for _ in range(times):
        texts = [[" ".join(draw.choices(WORDS, k=6)) for _ in range(20)] for _ in range(3)]
        campaign = assay.Campaign("made", {"a": texts[0], "b": texts[1]}, {"r": texts[2]})
        assay.score(campaign, "wer,per,f1", samples=20, segments=True, store=store)


if __name__ == "__main__":
    main()
