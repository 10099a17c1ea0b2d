"""Kernels on random input, against their slow and obvious twins: the tests that compare both, fed with random bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature
from typing import Any

from fuzz.outcomes import Outcomes

#: Where kernels are compared with oracles by properties.
_MODULES = (
    "metrics.test_oracles", "metrics.test_gtm", "metrics.test_blanc", "metrics.test_ribes",
    "metrics.test_gleu", "metrics.test_character_ter", "metrics.test_eed", "metrics.test_rouge",
    "text.test_recipe", "text.test_paraphrases",
    "significance.test_association", "people.test_rankings", "people.test_ranking_kendall",
)  # fmt: skip


def properties() -> list[tuple[str, Callable[[bytes], Any]]]:
    """What holds for any input, by its name, each as a function of bytes, which stand for an input."""
    return list(_properties())


def _properties() -> Iterator[tuple[str, Callable[[bytes], Any]]]:
    for module in _MODULES:
        for name, function in vars(import_module(module)).items():
            # Those that want more than random input are run by pytest alone.
            if hasattr(function, "hypothesis") and not signature(function).parameters:
                yield f"{module}.{name}", function.hypothesis.fuzz_one_input


def try_one(name: str, check: Callable[[bytes], Any], seed: int, outcomes: Outcomes) -> None:
    """One random input; bytes that stand for none are not counted."""
    chance = random.Random(f"{name} {seed}")
    content = chance.randbytes(chance.choice((200, 1000, 5000)))
    with outcomes.trial(lambda: f"{name} {seed}"):
        used = check(content)
    outcomes.taken -= used is None
