"""Runs of mteval by the names of their folders: ``<files>.<references>.v<version>.<option>...``."""

from __future__ import annotations

import assay
from goldens.folder import corpus, files, references, translation


def runs() -> list[str]:
    """All runs but the one that died: 11b divides by zero at an empty translation when it scores BLEU."""
    return [name.split("/")[1] for name in files("mteval/*/out.txt") if "/edge-nr.refAB.v11b.c.b/" not in name]


def metrics_of(run: str) -> list[str]:
    """What a run scored: ``-b`` is BLEU alone, ``-n`` NIST alone."""
    flags = run.split(".")
    return [name for name, other in (("BLEU", "n"), ("NIST", "b")) if other not in flags]


def scale(name: str) -> float:
    """mteval's BLEU runs from 0 to 1."""
    return 100.0 if name == "BLEU" else 1.0


def metric(run: str, name: str, order: int | None = None) -> assay.Metric:
    """Ours with the run's options."""
    flags = run.split(".")
    tokenize = ("intl:split-non-ascii" if "e" in flags else "intl") if "intl" in flags else "13a"
    text = {"tokenize": tokenize, "lowercase": "ascii" if "default" in flags else False}
    if name == "NIST":
        return assay.metric("nist", order=order or 5, **text)
    old = "v11b" in flags
    return assay.metric(
        "bleu",
        order=order or 4,
        convention="mteval",
        smoothing="none" if old or "nosmooth" in flags else "exp",
        reference_length="shortest" if old or "shortest" in flags else "closest",
        **text,
    )


def evaluate(run: str, name: str, system: str, order: int | None = None) -> assay.Statistics:
    """One system of a run; the corner cases have one alone."""
    folder, letters, *_ = run.split(".")
    names = references(folder, letters.removeprefix("ref"))
    return metric(run, name, order).evaluate(corpus(folder, translation(folder, system), *names))
