"""How long does it take to explain a segment of 60 words, once modules and tables are loaded?"""

from __future__ import annotations

import random
import time

import assay

METRICS = ("bleu", "nist", "chrf(word_order=2)", "wer", "cer", "per", "f1", "ter", "gtm(exponent=2)", "meteor")
WORDS = 60
AIM = 50.0


def texts() -> tuple[str, str]:
    """Two sentences that share most of their words, in another order."""
    generator = random.Random(1)
    words = [f"word{generator.randrange(40)}" for _ in range(WORDS)]
    other = words[WORDS // 2 :] + words[: WORDS // 2]
    return " ".join(words), " ".join(word if generator.random() < 0.8 else "other" for word in other)


def milliseconds(metric: str, style: str) -> float:
    """The best of five rounds; the first one loads what it needs and does not count."""
    translation, reference = texts()
    times = []
    for _ in range(6):
        started = time.perf_counter()
        explanation = assay.explain(metric, translation=translation, references=[reference])
        explanation.render(style)
        times.append(time.perf_counter() - started)
    return 1e3 * min(times[1:])


def main() -> None:
    styles = ("text", "svg", "html", "json")
    print(f"{'metric':<22}" + "".join(f"{style:>10}" for style in styles) + f"   aim {AIM:g} ms")
    for metric in METRICS:
        times = [milliseconds(metric, style) for style in styles]
        print(f"{metric:<22}" + "".join(f"{value:>7.1f} ms" for value in times), flush=True)


if __name__ == "__main__":
    main()
