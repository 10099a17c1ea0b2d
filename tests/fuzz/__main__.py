"""Random damage until a budget of seconds is used up: ``make fuzz SECONDS=300 SEED=7``."""

from __future__ import annotations

import sys
import time
from itertools import count

from fuzz.files import Outcomes, scratch, targets, try_one


def main(seconds: float, seed: int) -> int:
    """Try every target in turn; 1 if anything else than a result or an error of Assay's own came of one."""
    outcomes, end = Outcomes(), time.monotonic() + seconds
    with scratch() as folder:
        files = targets(folder)
        for number in count(seed * 1_000_000):
            for target in files:
                try_one(target, number, outcomes)
            if time.monotonic() > end:
                break
    sys.stdout.write(f"{outcomes}\n")
    return int(bool(outcomes.escaped))


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2])))
