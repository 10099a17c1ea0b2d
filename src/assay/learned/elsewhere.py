"""Models that learn on one campaign and are tested on another, of which they have seen nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from assay.arrays import Array
from assay.learned.experiment import Experiment, Part, Run, joined, learnt_and_tested
from assay.learned.folds import Folds
from assay.learned.tasks import Examples, Task, tasks_of
from assay.learned.training import one_thread
from assay.scoring.evaluate import Progress
from assay.significance.association import spearman
from assay.threads import workers


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

    def follow(self, task: Task) -> list[Array]:
        """How far each feature follows the scores that are learnt from."""
        values, target = self.taught.table.values.T, self._taught([task])[task.name].target
        return [np.nan_to_num([abs(spearman(column, target))]) for column in values]

    def cross_validate(self, progress: Progress | None = None) -> None:
        """Every run learns from all that is learnt from, and says what it makes of all that is tested."""
        runs = [run for run, _ in self.jobs]
        tasks = self._taught([run.task for run in runs])
        groups = np.unique(self.taught.groups(self.taught_group), return_inverse=True)[1].astype(np.int64)
        learnt = {name: task.targets(self.taught, groups, self.seed) for name, task in tasks.items()}
        asked = {run.task.name: run.task.targets(self.examples, self.folds.groups, self.seed) for run in runs}

        def work(run: Run) -> Part:
            training = self.taught.table.values[:, run.columns], learnt[run.task.name]
            held_out = self.examples.table.values[:, run.columns], asked[run.task.name]
            return learnt_and_tested(run, training, held_out, self.taught.better, self.seed)

        with one_thread() as join, workers(self.threads, join) as pool:
            for done, part in enumerate(pool.map(work, runs), start=1):
                self.held_out[runs[done - 1].key] = joined(runs[done - 1], [part])
                if progress is not None:
                    progress(done / len(runs))

    def _taught(self, asked: list[Task]) -> dict[str, Task]:
        """The same tasks, as they are asked of what is learnt from."""
        names = ["splits" if task.name.startswith("grade>=") else task.name for task in asked]
        return {task.name: task for task in tasks_of(dict.fromkeys(names), self.taught, self.grades, all_asked=False)}
