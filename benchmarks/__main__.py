"""Run the benchmarks that are named, or all; ``--jar gtm=FILE`` brings a Java program in (gtm, meteor, tercom)."""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.java import JARS

QUESTIONS = {
    "speed": "How many times faster than each peer, on the same texts in the same process?",
    "tercom": "How many times faster than TERcom, the Java program, with its start-up taken off? And long segments",
    "blanc": "How long do all common skip-n-grams take beside listing them?",
    "explanation": "How long does it take to explain a segment of 60 words?",
    "lightness": "What do import, --help and a whole command cost beside importing numpy?",
    "scaling": "Does the cost grow linearly with the number of segments?",
    "printing": "How long does it take to print scores of 100 systems by 10 metrics, in every format?",
    "comparison": "How long do all pairs of 16 systems take beside sacreBLEU's test against one?",
    "meta": "How fast are tie calibration and permutations beside plain Python, and what do all statistics cost?",
    "studies": "What do the larger studies cost beside scoring each text anew with sacreBLEU?",
    "tuning": "How many times faster is scoring rows anew than counting anew, and what does a whole tuning cost?",
    "learning": "How long do all tables of a learned predictor take for 10,000 judged translations?",
    "calibration": "Do tests and intervals keep their promise? Writes docs/concepts/significance.md (half an hour)",
    "scores": "Do tests of scores in files? Writes docs/concepts/scores-of-files.md (a quarter of an hour)",
    "judges": "Do corrected means keep their promise? Writes docs/concepts/judges.md (a quarter of an hour)",
    "store": "What do a million segment scores cost a store, and what does it save?",
    "filtering": "How long do scores and intervals of 20 systems take in a browser, under a filter?",
    "exploring": "What does each request of the explorer take over a million segments, and how much memory?",
    "scrolling": "How long are the frames of a browser that scrolls through 100,000 segments?",
    "memory": "How much memory does a pair of 500 MB files take?",
}


def main(arguments: list[str]) -> None:
    names = read_jars(arguments)
    for name in names or QUESTIONS:
        if name not in QUESTIONS:
            sys.exit(f"There is no benchmark {name!r}. There are: {', '.join(QUESTIONS)}.")
        print(f"== {name}: {QUESTIONS[name]}\n", flush=True)
        import_module(f"benchmarks.{name}").main()
        print(flush=True)


def read_jars(arguments: list[str]) -> list[str]:
    """Takes note of the jars; what is left are names."""
    names = []
    rest = iter(arguments)
    for argument in rest:
        if argument != "--jar":
            names.append(argument)
            continue
        program, equals, path = next(rest, "").partition("=")
        if not equals:
            sys.exit("A jar is given as --jar PROGRAM=FILE.")
        JARS[program] = path
    return names


main(sys.argv[1:])
