"""The mean of several metrics' scores, as a metric: what they count stands side by side in its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from assay.arrays import Codes
from assay.errors import ParameterError
from assay.metrics.base import Counter, Influence, Metric, Rows, Scores, sums_of_units
from assay.metrics.options import TEXT_OPTIONS, spell
from assay.properties import cached_property
from assay.text.batch import Batch
from assay.text.recipe import Recipe


class Surveys(dict[Metric, Any]):
    """What several metrics need to know of all references, one survey for each that asks; they add up."""

    @classmethod
    def of(cls, metrics: Sequence[Metric], batch: Batch) -> Surveys:
        return cls({one: one.survey(batch.under(one.recipe)) for one in metrics if one.needs_survey})

    def fitted(self, metrics: Sequence[Metric], fitted_on: tuple[str, ...]) -> tuple[Metric, ...]:
        """The metrics, those that asked with what was found."""
        return tuple(one.fit(self[one], fitted_on) if one in self else one for one in metrics)

    def __iadd__(self, other: Surveys) -> Surveys:
        for metric, survey in other.items():
            self[metric] += survey
        return self

    def __add__(self, other: Surveys) -> Surveys:
        return Surveys({metric: survey + other[metric] for metric, survey in self.items()})

    def __mul__(self, times: int) -> Surveys:
        return Surveys({metric: survey * times for metric, survey in self.items()})


def _spellings(given: Any) -> tuple[str, ...]:
    """Metrics as they are typed, out of a list of them or one text with commas between."""
    from assay.metrics.registry import metrics

    return tuple(map(_spelled, metrics(given)))


def _spelled(metric: Metric, typed: Metric | None = None) -> str:
    """A metric as it is typed, with what was ``typed`` of its recipe even if it is as usual: no language changes it."""
    return spell(metric, also=(typed or metric).chosen & {"language", *TEXT_OPTIONS})


def require_own_recipes(metric: Metric, whose: str) -> None:
    """Refuse options of a recipe where each part has its own."""
    for option in fields(Metric):
        if option.name in TEXT_OPTIONS and getattr(metric, option.name) != option.default:
            raise ParameterError(
                f"{metric.name}: {option.name} is given, but {whose} has its own recipe for texts. Leave it out."
            )


@dataclass(frozen=True, kw_only=True)
class Combination(Metric):
    """The mean of the scores of ``metrics``, 0 to 100; error rates count as 100 less the rate.

    All metrics have the same weight. Only metrics on 0 to 100 can be combined.
    """

    name: ClassVar[str] = "combination"
    label: ClassVar[str] = "combination"
    summary: ClassVar[str] = "the mean of the scores of several metrics"

    metrics: tuple[str, ...] = field(metadata={"parse": _spellings, "takes": "two metrics or more: [bleu,chrf,ter]"})
    #: The metrics, fitted to the references; None before.
    fitted: tuple[Metric, ...] | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    def check(self) -> None:
        self.require(len(self.metrics) > 1, "metrics", "two metrics or more: [bleu,chrf,ter]")
        require_own_recipes(self, "each metric of a combination")
        for part in self._named:
            if not part.percent:
                raise ParameterError(f"combination: {part} has a scale of its own, and others are on 0 to 100.")
            if part.sees_targeted:
                raise ParameterError(f"combination: {part} is about post-edits, and others are about references.")

    @cached_property
    def combined(self) -> tuple[Metric, ...]:
        """The metrics whose scores are averaged."""
        return self.fitted or self._named

    @property
    def _named(self) -> tuple[Metric, ...]:
        from assay.metrics.registry import metric

        return tuple(map(metric, self.metrics))

    @property
    def bounds(self) -> tuple[float | None, float]:
        """Error rates without an end may pull it below 0."""
        endless = any(part.bounds[1] is None for part in self.combined)
        return None if endless else 0.0, 100.0

    @property
    def cuts_words(self) -> bool:
        """Each metric has its own recipe."""
        return False

    @property
    def sees_source(self) -> bool:  # type: ignore[override]
        """Whether one of the metrics does."""
        return any(part.sees_source for part in self.combined)

    def in_language(self, code: str) -> Metric:
        return self._changed(metrics=tuple(_spelled(part.in_language(code)) for part in self.combined))

    def in_recipe(self, recipe: Recipe) -> Metric:
        return self._changed(metrics=tuple(_spelled(part.in_recipe(recipe), part) for part in self.combined))

    def named_beside(self, recipe: Recipe) -> str:
        beside = tuple(part.named_beside(recipe) for part in self.combined)
        return spell(replace(self, metrics=beside, fitted=None))

    @property
    def readers(self) -> tuple[Metric, ...]:
        return self.combined

    @property
    def rows_version(self) -> int:  # type: ignore[override]
        """Another one whenever that of a metric is."""
        return sum(part.rows_version for part in self.combined)

    def resources(self) -> Mapping[str, str]:
        return {
            f"{number}.{option}": digest
            for number, part in enumerate(self.combined, start=1)
            for option, digest in part.resources().items()
        }

    @property
    def resolved(self) -> Metric:
        parts = (spell(part.resolved, all_fields=True) for part in self.combined)
        return replace(self, metrics=tuple(parts))

    @property
    def needs_survey(self) -> bool:
        return self.fitted is None and any(part.needs_survey for part in self.combined)

    def survey(self, batch: Batch) -> Surveys:
        return Surveys.of(self.combined, batch)

    def fit(self, survey: Surveys, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, fitted=survey.fitted(self.combined, fitted_on), fitted_on=fitted_on)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence:
        """What each unit's own rows are: fits are taken as they are."""
        return lambda rows, _, of: sums_of_units(rows, of, units)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(
            f"{number}.{column}" for number, part in enumerate(self.combined, start=1) for column in part.columns
        )

    def count(self, batch: Batch) -> Rows:
        return np.hstack([part.count(batch.under(part.recipe)) for part in self.combined])

    def counter(self, batch: Batch) -> Counter:
        counters = [part.counter(batch.under(part.recipe)) for part in self.combined]
        return lambda references: np.hstack([count(references) for count in counters])

    def _apart(self, rows: Rows) -> list[tuple[Metric, Rows]]:
        """Each metric with its own columns."""
        ends = np.cumsum([len(part.columns) for part in self.combined])
        return list(zip(self.combined, np.split(rows, ends[:-1], axis=-1), strict=True))

    def score(self, rows: Rows) -> Scores:
        return np.asarray(np.mean([_turned(part, part.score(own)) for part, own in self._apart(rows)], axis=0))

    def for_segments(self) -> Metric:
        single = tuple(part.for_segments() for part in self.combined)
        return self if single == self.combined else replace(self, metrics=tuple(map(str, single)), fitted=single)

    def segment_scoring(self) -> str | None:
        ways = {str(part): way for part in self.combined if (way := part.segment_scoring())}
        return "; ".join(f"by {part} {way}" for part, way in ways.items()) or None

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """The score of each metric, error rates as they are."""
        return {str(part): part.score(own) for part, own in self._apart(rows)}

    def decompose(self, first: Rows, second: Rows) -> Mapping[str, float]:
        """What each metric contributes to the difference."""
        pairs = zip(self._apart(first), self._apart(second), strict=True)
        share = 1.0 / len(self.combined)
        return {
            str(part): share * float(_turned(part, part.score(ours)) - _turned(part, part.score(theirs)))
            for (part, ours), (_, theirs) in pairs
        }

    def remarks(self, rows: Rows) -> Sequence[str]:
        return [remark for part, own in self._apart(rows) for remark in part.remarks(own)]

    def bounded(self, rows: Rows) -> Sequence[int]:
        return sorted({segment for part, own in self._apart(rows) for segment in part.bounded(own)})


def _turned(metric: Metric, scores: Scores) -> Scores:
    """Scores of which higher ones are better."""
    return scores if metric.higher_is_better else 100.0 - scores
