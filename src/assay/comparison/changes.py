"""What changed? The segments on which two systems differ most, with the differing words marked."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np

from assay.comparison.result import Comparison
from assay.data.campaign import Campaign
from assay.metrics.base import Metric


@dataclass(frozen=True)
class Stretch:
    """Words that both translations have at this place, or that only one has."""

    text: str
    differs: bool


@dataclass(frozen=True)
class Change:
    """One segment: both translations, their scores, and what the difference does to the corpus score."""

    metric: Metric
    segment: str
    a: str
    b: str
    score_a: float
    score_b: float
    delta: float
    #: How far the corpus score of ``a`` would move if this segment were ``b``'s.
    influence: float
    source: str | None
    references: tuple[str, ...]
    translation_a: tuple[Stretch, ...]
    translation_b: tuple[Stretch, ...]

    def row(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {
            "metric": str(self.metric),
            "segment": self.segment,
            "a": self.a,
            "b": self.b,
            "score_a": self.score_a,
            "score_b": self.score_b,
            "delta": self.delta,
            "influence": self.influence,
            "source": self.source,
            "references": list(self.references),
            "translation_a": " ".join(stretch.text for stretch in self.translation_a),
            "translation_b": " ".join(stretch.text for stretch in self.translation_b),
        }


def differing_words(first: str, second: str) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """Both texts cut into stretches that they share and stretches that they do not.

    >>> ours, theirs = differing_words("the cat sat down", "the dog sat down")
    >>> [(stretch.text, stretch.differs) for stretch in ours]
    [('the', False), ('cat', True), ('sat down', False)]
    """
    words = first.split(), second.split()
    sides: tuple[list[Stretch], list[Stretch]] = ([], [])
    for kind, *spans in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for side, own, (start, stop) in zip(sides, words, (spans[:2], spans[2:]), strict=True):
            if stop > start:
                side.append(Stretch(" ".join(own[start:stop]), kind != "equal"))
    return tuple(sides[0]), tuple(sides[1])


def changes(
    comparison: Comparison, campaign: Campaign, metric: Metric, pair: tuple[str, str], count: int
) -> tuple[list[Change], list[Change]]:
    """The ``count`` segments on which the first system gains most, and those on which it loses most.

    Segments on which the two have the same score are in neither list. Of several runs the first is shown.
    """
    keys = [(_first_run(comparison, system), str(metric)) for system in pair]
    first, second = (comparison.statistics[key] for key in keys)
    scores_a, scores_b = first.segment_scores(), second.segment_scores()
    delta = scores_a - scores_b
    gain = delta if metric.higher_is_better else -delta
    total = first.total()
    influence = float(metric.score(total)) - metric.score(total - first.rows + second.rows)
    order = np.argsort(-gain, kind="stable")
    better = [int(index) for index in order[:count] if gain[index] > 0]
    worse = [int(index) for index in order[::-1][:count] if gain[index] < 0]
    names = campaign.segment_names()

    def change(index: int) -> Change:
        texts = [campaign.systems[run][index] for run, _ in keys]
        marked = differing_words(*texts)
        return Change(
            metric,
            names[index],
            *pair,
            float(scores_a[index]),
            float(scores_b[index]),
            float(delta[index]),
            float(influence[index]),
            None if campaign.source is None else campaign.source[index],
            tuple(column[index] for column in campaign.references.values()),
            *marked,
        )

    return [change(index) for index in better], [change(index) for index in worse]


def _first_run(comparison: Comparison, system: str) -> str:
    return comparison.runs[system][0]
