"""Which gains are to be believed: of many, some lie above zero by chance; others are over a bar below chance."""

from __future__ import annotations

from assay.learned.result import Learning, Result
from assay.learned.trials.results import BEST_SINGLE, MAJORITY

#: Where nothing is gained, so many intervals of 95 % lie above zero: one in forty.
ONE_IN = 40
#: Stands behind a gain that says nothing good of the model.
MARK = "*"


def is_gain(one: Result) -> bool:
    """Whether this is a difference to a baseline, with an interval."""
    return one.statistic.startswith("gain-over-") and one.low is not None


def above_chance(found: Learning, model: str, task: str) -> bool:
    """Whether a model surely knows something: more than the majority, half of the pairs, or no correlation."""
    statistic, chance = {"pairwise": ("accuracy", 0.5), "regression": ("spearman", 0.0)}.get(
        task, (f"gain-over-{MAJORITY}", 0.0)
    )
    shown = found.find(model=model, task=task, statistic=statistic, features="all")
    return any(one.low is not None and one.low > chance for one in shown)


def hollow(found: Learning, one: Result | None) -> bool:
    """Whether a gain over a single feature lies above zero though the model itself is not above chance."""
    if one is None or one.low is None or one.low <= 0 or not one.statistic.startswith(f"gain-over-{BEST_SINGLE}"):
        return False
    return not above_chance(found, one.model, one.task)


def chance_notes(found: Learning) -> list[str]:
    """What to keep in mind when the gains of a report are read."""
    gains = [one for one in found.results if is_gain(one) and one.group == found.setup.group]
    if not gains:
        return []
    above = sum(1 for one in gains if one.low is not None and one.low > 0)
    notes = [
        f"{above} of {len(gains)} gains have intervals above zero; where nothing is gained, about "
        f"{len(gains) / ONE_IN:.1f} of {len(gains)} do so by chance alone."
    ]
    if any(hollow(found, one) for one in gains):
        notes.append(f"{MARK} The model itself is not surely above chance, so this gain says nothing good of it.")
    return notes
