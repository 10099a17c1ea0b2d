"""The two judges who agree least: Figure 3 of Turian, Shen & Melamed (2003)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.data.judgements import Judgements
from assay.meta.agreement.ratings import Ratings

#: Judges who share fewer translations may disagree by chance.
FEWEST_SHARED = 20
#: Dots are moved within this share of the scale, so that equal ones can be seen: the paper's 0.2 on 1 to 5.
SKEW = 0.05


@dataclass(frozen=True)
class LeastAgreeing:
    """Two judges, how far they agree, and their scores of the translations that both judged."""

    first: str
    second: str
    spearman: float
    shared: int
    points: Sequence[dict[str, Any]]

    def __str__(self) -> str:
        return (
            f"The two judges who agree least are {self.first} and {self.second}: Spearman {self.spearman:.3f} over the "
            f"{self.shared:,} translations that both judged."
        )


def least_agreeing(judgements: Judgements, *, seed: int) -> LeastAgreeing | None:
    """Of all judges with enough translations in common those with the lowest Spearman; None if there are none."""
    from scipy.stats import spearmanr

    pairs = Ratings.of(judgements.only(judgements.segment >= 0)).between()
    found: list[tuple[float, int]] = []
    for group in range(len(pairs.names)):
        own = pairs.group == group
        x, y = pairs.x[own], pairs.y[own]
        if len(x) >= FEWEST_SHARED and np.ptp(x) > 0 and np.ptp(y) > 0:
            found.append((float(spearmanr(x, y).statistic), group))
    if not found:
        return None
    value, group = min(found)
    own = pairs.group == group
    x, y = pairs.x[own], pairs.y[own]
    generator = np.random.default_rng([seed, 12])
    reach = SKEW * (max(x.max(), y.max()) - min(x.min(), y.min()))
    moved = [values + generator.uniform(-reach / 2, reach / 2, size=len(values)) for values in (x, y)]
    first, second = pairs.names[group]
    columns = zip(x.tolist(), y.tolist(), moved[0].tolist(), moved[1].tolist(), strict=True)
    points = [{"x": one, "y": other, "shown_x": left, "shown_y": up} for one, other, left, up in columns]
    return LeastAgreeing(first, second, value, len(x), [{"first": first, "second": second} | point for point in points])
