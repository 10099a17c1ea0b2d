"""Models that learn on one campaign and are tested on another, of which they have seen nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.learned.experiment import Experiment
from assay.learned.folds import Folds
from assay.learned.tasks import Examples, Task, tasks_of
from assay.learned.training import TrainingSet
from assay.significance.association import spearman


@dataclass(frozen=True, eq=False)
class Elsewhere(Experiment):
    """One fold: examples, tasks and folds are those of the campaign that is tested on.

    Everything that is chosen is chosen inside ``taught``, the examples that are learnt from. Grades are cut where they
    are cut there.
    """

    taught: Examples = field(kw_only=True, repr=False)
    #: What is not torn apart where something is chosen inside them.
    taught_group: str = field(kw_only=True)

    widening: ClassVar[str] = "the models stay as they are"

    @property
    def dealt(self) -> str:
        return f"learnt on {self.taught.campaign.name}"

    @property
    def tested(self) -> str:
        return f"learnt on {self.taught.campaign.name}, tested on {self.examples.campaign.name}"

    def both_folds(self) -> list[Folds]:
        """None: nothing is dealt out."""
        return []

    @property
    def learnt_from(self) -> Examples:
        """The examples of the other campaign."""
        return self.taught

    def everything(self, task: Task) -> TrainingSet:
        """All of them, with the same task as it is asked of them."""
        name = "splits" if task.name.startswith("grade>=") else task.name
        asked = tasks_of([name], self.taught, self.grades, all_asked=False)
        groups = np.unique(self.taught.groups(self.taught_group), return_inverse=True)[1].astype(np.int64)
        return next(one for one in asked if one.name == task.name).training_set(self.taught, groups, self.seed)

    def parts(self, task: Task, folds: Folds, fold: int) -> tuple[TrainingSet, TrainingSet]:
        """Every run learns from all that is learnt from, and says what it makes of all that is tested."""
        return self.everything(task), task.training_set(self.examples, folds.groups, self.seed)

    def follow(self, task: Task) -> list[Array]:
        """How far each feature follows the scores that are learnt from."""
        learnt = self.everything(task)
        return [np.nan_to_num([abs(spearman(column, learnt.target))]) for column in learnt.values.T]
