"""A saved quality model as a metric: what people would say of a translation, as far as features tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np

from assay.arrays import Codes
from assay.errors import InputError, ParameterError
from assay.learned.model_file import QualityModel, load_model_once
from assay.metrics.base import Influence, Metric, Rows, Scores, ratio, sums_of_units
from assay.metrics.combination import Surveys, require_own_recipes
from assay.properties import cached_property
from assay.text.batch import Batch

#: Before probabilities and features; the last counts segments without a word in any reference.
_OWN_COLUMNS = ("score", "segments", "without_reference")


@dataclass(frozen=True, kw_only=True)
class Predictor(Metric):
    """The score that a saved model predicts, in the unit of the judgements that it learned from.

    ``path`` is a file that ``assay learn`` wrote, ``task`` one of those that it holds models of. The score of a corpus
    is the mean over its segments that have a word in a reference, as in ``assay predict``.
    """

    name: ClassVar[str] = "predictor"
    label: ClassVar[str] = "Predictor"
    summary: ClassVar[str] = "what a saved model of many metrics predicts that people would say"
    is_average: ClassVar[bool] = True
    percent: ClassVar[bool] = False

    path: str = field(metadata={"takes": "a file that assay learn --save wrote"})
    #: Which of the models in the file.
    task: str | None = field(
        default=None, metadata={"takes": "a task that the file has a model of; the first by default"}
    )
    #: The metrics of the features, fitted to the references; None before.
    fitted: tuple[Metric, ...] | None = field(default=None, repr=False, compare=False)
    fitted_on: tuple[str, ...] | None = field(default=None, repr=False)  # type: ignore[misc]

    def check(self) -> None:
        require_own_recipes(self, "each feature of the model")
        if self.model.external:
            raise InputError(
                f"{self.path}: the model needs scores of other programs ({', '.join(self.model.external)}), which no "
                "metric can compute from texts. Use assay predict MODEL CAMPAIGN --scores FILE."
            )
        if self.model.layers:
            raise InputError(
                f"{self.path}: the model needs layers over the texts ({', '.join(self.model.layers)}), which no metric "
                "is given. Use assay predict MODEL CAMPAIGN --layer NAME=FOLDER."
            )
        targeted = [metric.name for metric in self.metrics if metric.sees_targeted]
        if targeted:
            raise InputError(
                f"{self.path}: the model needs {targeted[0]}, which is about post-edits, while a metric sees the other "
                "references. Use assay predict MODEL CAMPAIGN."
            )

    @property
    def cuts_words(self) -> bool:
        """The model says how each feature cuts words, and no recipe or language changes that."""
        return False

    @cached_property
    def model(self) -> QualityModel:
        """What the file holds of the task."""
        return load_model_once(self.path).of_task(self.task)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics behind the features, each once."""
        return tuple(dict.fromkeys(one.metric for one in self.model.features if one.metric is not None))

    @property
    def parts_of_model(self) -> tuple[Metric, ...]:
        return self.metrics

    @property
    def sees_source(self) -> bool:  # type: ignore[override]
        """Whether one of the features does."""
        return any(metric.sees_source for metric in self.metrics)

    def resources(self) -> Mapping[str, str]:
        return {"model": self.model.digest}

    @property
    def columns(self) -> tuple[str, ...]:
        return (*_OWN_COLUMNS, *self._shares, *(feature.name for feature in self.model.features))

    @property
    def _shares(self) -> tuple[str, ...]:
        """What the probabilities of the grades are called."""
        classes = self.model.classes
        return () if classes is None else tuple(f"share_{name}" for name in classes.names)

    @property
    def needs_survey(self) -> bool:
        return self.fitted is None and any(metric.needs_survey for metric in self.metrics)

    def survey(self, batch: Batch) -> Surveys:
        return Surveys.of(self.metrics, batch)

    def fit(self, survey: Surveys, fitted_on: tuple[str, ...]) -> Self:
        return replace(self, fitted=survey.fitted(self.metrics, fitted_on), fitted_on=fitted_on)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence:
        """What each unit's own rows are: features are taken as they are, as ``assay predict`` takes them.

        A model may jump where a feature moves a little, and then leaving out one unit after the other says nothing of
        how the score varies.
        """
        return lambda rows, _, of: sums_of_units(rows, of, units)

    def count(self, batch: Batch) -> Rows:
        if self.needs_survey:
            raise ParameterError("predictor counts only after a survey of all references; use evaluate().")
        self.model.require_present_definition()
        rows = {
            metric: fitted.count(batch.under(metric.recipe))
            for metric, fitted in zip(self.metrics, self.fitted or self.metrics, strict=True)
        }
        columns = [one.values(rows[one.metric]) for one in self.model.features if one.metric is not None]
        values = np.column_stack(columns)
        scores, shares = self.model.apply(values)
        known = np.empty((len(values), 0)) if shares is None else shares
        words = np.where(batch.present, batch.reference_lengths(), 0.0).sum(axis=0)
        # Who has nothing to be compared with is no part of a mean.
        rows_of = np.column_stack([scores, np.ones(len(values)), np.zeros(len(values)), known, values])
        return np.where((words > 0.0)[:, None], rows_of, np.eye(rows_of.shape[1])[2])

    def score(self, rows: Rows) -> Scores:
        return ratio(rows[..., 0], rows[..., 1])

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """The mean probability of each grade, on 0 to 100, and the mean of each feature."""
        count, own = len(self._shares), len(_OWN_COLUMNS)
        return {
            name: (100.0 if index < count else 1.0) * ratio(rows[..., own + index], rows[..., 1])
            for index, name in enumerate(self.columns[own:])
        }

    def remarks(self, rows: Rows) -> Sequence[str]:
        """How many segments are left out, for there is nothing to compare them with."""
        without = int(rows[:, 2].sum())
        if not without:
            return ()
        return (
            f"predictor: {without:,} of {len(rows):,} segments have no word in their references. Nothing can be "
            "predicted of them: they are left out of the mean, and each has 0 for itself.",
        )
