"""Random input of five kinds until a budget of seconds is used up: ``make fuzz SECONDS=300 SEED=7 KIND=names``."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from fuzz import calls, files, kernels, names, spellings
from fuzz.outcomes import Outcomes

#: One round of trials, of which the number is the seed.
_Round = Callable[[int, Outcomes], None]


def _files(folder: Path) -> _Round:
    targets = files.targets(folder)
    return lambda number, outcomes: [files.try_one(target, number, outcomes) for target in targets] and None


def _kernels(_: Path) -> _Round:
    properties = kernels.properties()
    return lambda number, outcomes: [kernels.try_one(*one, number, outcomes) for one in properties] and None


def _calls(folder: Path) -> _Round:
    right = calls.calls(folder)

    def round_of(number: int, outcomes: Outcomes) -> None:
        chance = random.Random(f"calls {number}")
        for call in right:
            calls.try_random(call, chance, outcomes)

    return round_of


#: What is tried, what a trial is called, and what makes a round of them.
KINDS: dict[str, tuple[str, Callable[[Path], _Round]]] = {
    "files": ("damaged files", _files),
    "spellings": ("metric strings", lambda _: spellings.try_one),
    "kernels": ("inputs to kernels", _kernels),
    "calls": ("wrong calls", _calls),
    "names": ("campaigns with hostile names", lambda folder: lambda n, outcomes: names.try_one(n, folder, outcomes)),
}


def main(seconds: float, seed: int, kinds: list[str]) -> int:
    """Try each kind for its share of the time; 1 if anything else than a result or an error in words came of it."""
    escaped = 0
    for kind in kinds:
        what, begin = KINDS[kind]
        outcomes, end = Outcomes(what), time.monotonic() + seconds / len(kinds)
        with files.scratch() as folder:
            # Where nothing of what is named by chance exists.
            os.chdir(folder)
            one_round = begin(folder)
            for number in count(seed * 1_000_000):
                one_round(number, outcomes)
                if time.monotonic() > end:
                    break
            os.chdir("/")
        sys.stdout.write(f"{kind}: {outcomes}\n")
        sys.stdout.flush()
        escaped += outcomes.escaped.total()
    return int(escaped > 0)


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3:] or [*KINDS]))
