"""Run the benchmarks that are named, or all."""

from __future__ import annotations

import sys
from importlib import import_module

QUESTIONS = {
    "speed": "How many times faster than each peer, on the same texts in the same process?",
    "tercom": "How many times faster than TERcom, the Java program, with its start-up taken off?",
    "lightness": "What do import, --help and a whole command cost beside importing numpy?",
    "scaling": "Does the cost grow linearly with the number of segments?",
    "memory": "How much memory does a pair of 500 MB files take?",
}


def main(arguments: list[str]) -> None:
    for argument in arguments or QUESTIONS:
        # A benchmark of another program may be given the path to it: name=PATH.
        name, _, path = argument.partition("=")
        if name not in QUESTIONS:
            sys.exit(f"There is no benchmark {name!r}. There are: {', '.join(QUESTIONS)}.")
        print(f"== {name}: {QUESTIONS[name]}\n", flush=True)
        import_module(f"benchmarks.{name}").main(*([path] if path else []))
        print(flush=True)


main(sys.argv[1:])
