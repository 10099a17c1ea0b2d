"""What every study is given: a campaign, who of it takes part, and how the work is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from assay.data.campaign import Campaign
from assay.scoring.evaluate import Progress

Names = Iterable[str] | str | None


@dataclass(frozen=True, eq=False)
class Inquiry:
    """A campaign and the circumstances of a study; ``systems`` and ``references`` choose among its texts."""

    campaign: Campaign
    systems: Names = None
    references: Names = None
    #: Of whatever is drawn at random.
    seed: int = 1
    threads: int | None = None
    progress: Progress | None = field(default=None, repr=False)

    @cached_property
    def chosen(self) -> Campaign:
        """The campaign with the systems and references that were asked for."""
        return self.campaign.choose(systems=self.systems, references=self.references)

    def report(self, share: float) -> None:
        """Tell whoever waits which share of the work is done."""
        if self.progress is not None:
            self.progress(share)
