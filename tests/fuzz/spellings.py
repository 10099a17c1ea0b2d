"""Spellings of metrics at random: each is refused, or a metric, and what that prints is read as the same one."""

from __future__ import annotations

import random

import assay
from assay.metrics.options import option_fields, spell
from assay.metrics.registry import BUILT_IN, metric_class, metrics
from fuzz.outcomes import Outcomes

_VALUES = (
    "0", "1", "2", "-1", "4", "0.5", "1e3", "1e999", "nan", "inf", "true", "False", "none", "", "[]", "[1]",
    "[0.5,0.5]", "[a,b]", "[[1]]", "'x'", '"a""b"', "'", '"', "exp", "add-k", "floor", "ascii", "13a", "char", "intl",
    "zh", "none:ascii", "meteor:de", "tercom:normalize+asian", "english", "wordnet:/nowhere", "spm:/nowhere",
    "/etc/passwd", "1_0", "\u0663", "\uff13", "9" * 30, "x" * 300, "\0", "\ud800", "\u202e", "a b", "a=b", "(1)", ")",
    "closest", "mteval", "paper", "lecture2007", "de", "exact+stem",
)  # fmt: skip
_SIGNS = (*"()[],='\" \t\n\0#:+-._\u00e9\u0663", "bleu", "order=2", "chrf++", "comet", "e\u0301")
_NAMES = (*BUILT_IN, "BLEU", "chrf++", "sacrebleu", "comet", "nope", "", "blue", "\u0431leu")


def spelling(chance: random.Random) -> str:
    """One metric or several, with options that may be theirs, and some signs too many or too few."""
    text = ",".join(_one(chance) for _ in range(chance.choice((1, 1, 1, 2, 3))))
    for _ in range(chance.choice((0, 0, 1, 2, 4))):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 3)))
        text = text[:start] + chance.choice(_SIGNS) + text[end:]
    return text


def _one(chance: random.Random) -> str:
    name = chance.choice(_NAMES)
    known = [field.name for field in option_fields(metric_class(name))] if name in BUILT_IN else ["order"]
    options = [
        f"{chance.choice((*known, 'nope')) if chance.random() < 0.9 else ''}={chance.choice(_VALUES)}"
        for _ in range(chance.choice((0, 1, 1, 2, 3)))
    ]
    return f"{name}({','.join(options)})" if options else name


def try_one(seed: int, outcomes: Outcomes) -> None:
    """Read one spelling; what comes of it reads as itself, also with all its fields spelled out."""
    text = spelling(random.Random(f"spelling {seed}"))
    with outcomes.trial(lambda: repr(text)):
        for metric in metrics(text):
            for again in (str(metric), spell(metric, all_fields=True)):
                assert assay.metric(again) == metric, f"{again} is another metric"
