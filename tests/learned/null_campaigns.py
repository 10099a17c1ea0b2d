"""Campaigns in which nothing can be learnt: judgements that know nothing of translations, drawn from a seed.

``python tests/learned/null_campaigns.py 300`` prints how often something is found in so many of them.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

import assay
from assay.data.external import ExternalScores
from assay.data.judgements import Judgement, Judgements
from assay.learned.folds import Folds
from assay.metrics.base import Metric
from assay.metrics.tunable import Tunable

SYSTEMS = 5
NOISES = ("translation", "segment", "document")


@dataclass(frozen=True, kw_only=True)
class Written(Metric):
    """A metric whose three numbers are written in the translation, with weights for two of them."""

    name: ClassVar[str] = "written"
    first: float = 0.5
    second: float = 0.5

    @property
    def columns(self):
        return ("a", "b", "c", "one")

    @property
    def tunables(self):
        return (Tunable("first", self.first, 0.0, 2.0), Tunable("second", self.second, 0.0, 2.0))

    def count(self, batch):
        rows = [[float(word) for word in text.split()] + [1.0] for text in batch.translation_texts]
        return np.array(rows)

    def score(self, rows):
        return (rows[..., 0] + self.first * rows[..., 1] + self.second * rows[..., 2]) / np.maximum(rows[..., 3], 1.0)


def null_campaign(seed, noise, *, segments=200, documents=40):
    """Numbers that go by document, segment and translation, and judgements that go by one of them and know nothing."""
    generator = np.random.default_rng([seed, NOISES.index(noise)])
    label = np.arange(segments) * documents // segments

    def varied(shares):
        parts = (
            generator.normal(size=documents)[label],
            generator.normal(size=segments),
            generator.normal(size=(SYSTEMS, segments)),
        )
        return sum(
            share * np.broadcast_to(part, (SYSTEMS, segments)) for share, part in zip(shares, parts, strict=True)
        )

    numbers = np.stack([varied((0.7, 0.5, 0.5)) for _ in range(3)])
    human = varied({"translation": (0, 0, 1), "segment": (0, 1, 0.3), "document": (1, 0, 0.3)}[noise])
    names = [f"s{number}" for number in range(SYSTEMS)]
    texts = {
        name: [" ".join(f"{value:.4f}" for value in numbers[:, row, segment]) for segment in range(segments)]
        for row, name in enumerate(names)
    }
    rows = [
        Judgement(system=name, segment=segment, rater="a", score=float(human[row, segment]), kind="da")
        for row, name in enumerate(names)
        for segment in range(segments)
    ]
    campaign = assay.Campaign(
        "null", texts, {"A": ["x"] * segments}, documents=tuple(f"d{one}" for one in label),
        human=Judgements.of(rows, "inline"),
    )  # fmt: skip
    scores = [
        ExternalScores(letter, segments=dict(zip(names, table, strict=True)))
        for letter, table in zip("abc", numbers, strict=True)
    ]
    return campaign, scores


def tuning_helps(seed, noise, **options):
    """Whether tuning says that it helps."""
    campaign, _ = null_campaign(seed, noise)
    found = assay.tune(campaign, Written(), curves=False, samples=300, folds=5, threads=1, **options)
    return found.findings[0].startswith("Tuning helps")


def learnt_something(seed, noise, **options):
    """Whether the interval of the rank correlation of ridge regression lies above 0."""
    campaign, scores = null_campaign(seed, noise)
    found = assay.learn(
        campaign, "scores", scores=scores, tasks="regression", models="ridge", samples=300, threads=1, **options
    )
    row = found.of(model="ridge", task="regression", statistic="spearman", features="all", group=found.setup["group"])
    return row.low > 0


def shares(function, campaigns, start=0, **options):
    """By what the noise goes by, the share of campaigns in which something is found."""
    seeds = range(start, start + campaigns)
    return {noise: sum(function(seed, noise, **options) for seed in seeds) / campaigns for noise in NOISES}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    count = int(sys.argv[1])
    widened = Folds.widened
    for function, unit, rule in product((tuning_helps, learnt_something), (None, "segment"), (True, False)):
        Folds.widened = widened if rule else lambda _, values: values  # type: ignore[method-assign]
        cells = "  ".join(f"{name} {share:.1%}" for name, share in shares(function, count, unit=unit).items())
        sys.stdout.write(f"{function.__name__}, {unit or 'document'}s{'' if rule else ', not widened'}: {cells}\n")
