"""What stands below the tables of what was learnt."""

from __future__ import annotations

from collections import Counter

import numpy as np

from assay.learned.result import Learning
from assay.learned.trials.results import BEST_SINGLE
from assay.report.chance import chance_notes


def folds_told(found: Learning) -> str:
    """How many folds, and what they keep together."""
    together = "dealt out at random" if found.setup.group == "none" else f"grouped by {found.setup.group}"
    return f"{found.setup.folds} folds {together}"


METHODS = {
    "stated": "as stated",
    "quantiles": "quantiles of all scores, taken once before the folds",
    "judged": "the judges' own grades, means of several to the nearest, halves up",
}


def learning_notes(found: Learning) -> list[str]:
    """Which judgements, which grades, what was chosen, what the intervals mean."""
    cuts = ", ".join(f"{cut:g}" for cut in found.grades.cuts)
    notes = [
        str(found.examples.usage),
        f"Cut points: {cuts} ({METHODS[found.grades.method]}); a score at a cut point has the grade above.",
    ]
    for one in found.chosen:
        if one["model"] == BEST_SINGLE and one["task"] == found.setup.tasks[0]:
            counted = Counter(pick["feature"] for pick in one["folds"])
            listed = ", ".join(f"{name} ({count})" for name, count in counted.most_common())
            notes.append(f"Best single feature for {one['task']}, chosen inside each training part: {listed}.")
    if found.setup.samples:
        notes.append(
            f"Intervals: 95 % of {found.setup.samples:,} samples of {found.setup.unit}s with all their translations; "
            "the models stay as they are. Gains are paired."
        )
    notes += chance_notes(found)
    if found.setup.group != "none" and not found.find(statistic="gain-of-random-folds", group="none"):
        notes.append(_why_no_random_folds(found))
    notes.append(
        f"{folds_told(found).capitalize()}; pruning, penalties, numbers of trees, scales and the best single feature "
        f"were chosen inside each training part. Majority: the most frequent class of all. Seed {found.setup.seed}."
    )
    return notes


def _why_no_random_folds(found: Learning) -> str:
    first = found.tasks[0]
    if len(np.unique(found.folds.groups)) == len(found.examples):
        return f"Every {found.setup.group} has one translation, so random folds would be the same."
    if first.kind == "pairs":
        return (
            "No random folds beside these: they would tear pairs apart, so that the two translations of one would be "
            "scored by different models."
        )
    return f"No random folds beside these: none of the models ({', '.join(found.setup.models)}) does {first.name}."
