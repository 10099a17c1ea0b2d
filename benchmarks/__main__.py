"""Run the benchmarks that are named, or all."""

from __future__ import annotations

import sys
from importlib import import_module

QUESTIONS = {
    "speed": "How many times faster than each peer, on the same texts in the same process?",
    "lightness": "What do import, --help and a whole command cost beside importing numpy?",
    "scaling": "Does the cost grow linearly with the number of segments?",
    "comparison": "How long do all pairs of 16 systems take beside sacreBLEU's test against one?",
    "calibration": "Do tests and intervals keep their promise? (half an hour)",
    "memory": "How much memory does a pair of 500 MB files take?",
}


def main(names: list[str]) -> None:
    for name in names or QUESTIONS:
        if name not in QUESTIONS:
            sys.exit(f"There is no benchmark {name!r}. There are: {', '.join(QUESTIONS)}.")
        print(f"== {name}: {QUESTIONS[name]}\n", flush=True)
        import_module(f"benchmarks.{name}").main()
        print(flush=True)


main(sys.argv[1:])
