"""Scores that another program computed, as a metric: a neural one, a judge, whatever wrote a file of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from assay.arrays import Flags
from assay.errors import InputError, ParameterError
from assay.metrics.base import Metric, Rows, Scores
from assay.metrics.combination import require_own_recipes
from assay.metrics.options import option_fields
from assay.text.batch import Batch

#: Scores that stay below are shown with more decimals.
_SMALL = 2.0
#: If so many scores are all the same, it is said that nothing follows from their interval; of fewer there may be none.
_SEVERAL = 5


@dataclass(frozen=True, kw_only=True)
class GivenScores(Metric):
    """Scores of translations that stand in a file; the score of a corpus is the mean of those that are there.

    ``path`` is a file of any known format of scores; ``metric`` says which, where the file has several. Without a path
    it is one of the campaign's own, out of ``scores.<metric>.tsv`` or ``--scores``: there its name is enough.
    """

    name: ClassVar[str] = "scores"
    label: ClassVar[str] = "scores"
    summary: ClassVar[str] = "what another program says of each translation, out of a file"
    is_average: ClassVar[bool] = True
    percent: ClassVar[bool] = False
    compares: ClassVar[bool] = False
    sees_references: ClassVar[bool] = False

    path: str | None = field(default=None, metadata={"takes": "a file of scores"})
    metric: str | None = field(default=None, metadata={"takes": "which of the scores in the file"})
    #: Whether lower scores are better, where the format of the file does not say so itself.
    lower: bool = False
    #: What the scores are called in the campaign that has them, where that says which they are.
    named: str | None = field(default=None, repr=False)
    #: What was found out where the file was read: which way is better, and a digest of all scores; None before.
    higher_is_better: bool = field(default=True, repr=False, compare=False)  # type: ignore[misc]
    digest: str | None = field(default=None, repr=False, compare=False)
    #: Scores between -2 and 2, as many neural metrics have, would all look alike with two.
    decimals: int = field(default=2, repr=False, compare=False)  # type: ignore[misc]

    def check(self) -> None:
        require_own_recipes(self, "whoever computed the scores")
        if self.path is None and self.named is None:
            raise ParameterError("scores needs path, a file: scores(path=FILE).")
        if self.named is not None:
            # That is all that one types, and all that tables say.
            vars(self).update(name=self.named, label=self.named)

    @property
    def sees_scores(self) -> tuple[str, ...]:  # type: ignore[override]
        """Its own."""
        return (str(self),)

    @property
    def said_fields(self) -> Sequence[Field[Any]]:
        """Those of the file; none where a name says it all."""
        own = [one for one in option_fields(type(self)) if one.name in ("path", "metric", "lower")]
        return own if self.named is None else []

    @property
    def cuts_words(self) -> bool:
        """No: nobody looks at words here."""
        return False

    @property
    def readers(self) -> tuple[Metric, ...]:
        """None: texts were read by somebody else."""
        return ()

    def resolved_by(self, *, higher_is_better: bool, digest: str, largest: float) -> Self:
        """The same once its file is read; ``largest`` is the largest score in it, whatever its sign."""
        return replace(self, higher_is_better=higher_is_better, digest=digest, decimals=4 if largest < _SMALL else 2)

    def resources(self) -> Mapping[str, str]:
        return {} if self.digest is None else {"scores": self.digest}

    @property
    def columns(self) -> tuple[str, ...]:
        return ("score", "segments")

    def count(self, batch: Batch) -> Rows:
        """The score and a 1; nothing but zeros where there is no score."""
        if str(self) not in batch.scores:
            raise InputError(f"{self}: there are no such scores of single segments.")
        scores = batch.scores[str(self)]
        there = ~np.isnan(scores)
        return np.column_stack([np.where(there, scores, 0.0), there])

    def score(self, rows: Rows) -> Scores:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(rows[..., 0] / rows[..., 1])

    def missing(self, rows: Rows) -> Flags:
        return np.asarray(rows[..., 1] == 0.0)

    def sizes(self, rows: Rows) -> Scores:
        return rows[..., 1]

    def remarks(self, rows: Rows) -> Sequence[str]:
        missing = self.missing(rows)
        lacking, scores = int(missing.sum()), rows[~missing, 0]
        said = [f"{lacking:,} of {len(rows):,} segments have no score of {self}, and so no part in its mean."]
        alike = (
            f"All {len(scores):,} scores of {self} are {scores.max(initial=-np.inf):g}: nothing says how others would "
            "turn out, nor does an interval."
        )
        return [*(said if lacking else ()), *((alike,) if len(scores) >= _SEVERAL and np.ptp(scores) == 0.0 else ())]
