"""Quality control: does a rater tell a degraded translation, or the reference, from the original?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.data.judgements import Judgements
from assay.errors import InputError
from assay.meta.agreement.ratings import Ratings
from assay.significance.tests import is_significant

#: Up to this p-value a rater tells the control items from the originals.
ALPHA = 0.05


@dataclass(frozen=True)
class Control:
    """One rater on one kind of control items; ``difference`` is the control's mean less the original's."""

    rater: str
    kind: str
    items: int
    difference: float
    #: Of Wilcoxon's signed-rank test, two-sided; None where all differences are 0.
    p: float | None
    told_apart: bool

    def row(self) -> dict[str, object]:
        """As JSON and tables hold it."""
        return dict(vars(self))


def controls(judgements: Judgements, originals: str, control: str) -> list[Control]:
    """Each rater's control items beside the same rater's ratings of the same items under the original kinds."""
    plain = judgements.of_kinds(originals)
    found = []
    for kind in judgements.of_kinds(control).kinds:
        if kind in plain.kinds:
            raise InputError(f"{judgements.origin}: {kind} is chosen as --kind and as --control. Choose it for one.")
        found += _of_kind(plain, judgements.of_kinds([kind]), kind)
    return found


def _of_kind(plain: Judgements, control: Judgements, kind: str) -> list[Control]:
    from scipy.stats import wilcoxon

    original = _means(Ratings.of(plain))
    differences: dict[str, list[float]] = {}
    for (rater, system, unit), score in _means(Ratings.of(control)).items():
        if (rater, system, unit) in original:
            differences.setdefault(rater, []).append(score - original[rater, system, unit])
    found = []
    for rater in sorted(differences):
        values = np.array(differences[rater])
        p = float(wilcoxon(values).pvalue) if np.any(values != 0.0) else None
        told_apart = p is not None and is_significant(p, ALPHA)
        found.append(Control(rater, kind, len(values), float(values.mean()), p, told_apart))
    return found


def _means(ratings: Ratings) -> dict[tuple[str, str, int], float]:
    """The mean score by rater, system and segment."""
    sums: dict[tuple[str, str, int], list[float]] = {}
    names = ratings.judgements.system.names
    for score, rater, system, unit in zip(
        ratings.score.tolist(), ratings.rater.tolist(), ratings.system.tolist(), ratings.unit.tolist(), strict=True
    ):
        sums.setdefault((ratings.raters[rater], names[system], unit), []).append(score)
    return {key: sum(scores) / len(scores) for key, scores in sums.items()}
