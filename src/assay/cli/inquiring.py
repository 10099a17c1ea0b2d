"""What studies are given by the command line: texts, judgements, and who takes part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import click

from assay.cli.inputs import Inputs, input_options, systems_option, where_option
from assay.cli.judging import judgement_options, with_judging
from assay.data.filters import where
from assay.questions.asked import Asked, Data

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Asking:
    """What a command line says of the campaign that a study looks at."""

    given: Inputs
    systems: str | None
    judgement_files: tuple[str, ...]
    judgement_format: str | None
    weights: str | None
    seed: int
    threads: int | None

    def inquiry(self, command: str) -> Asked:
        """The campaign, read, and the circumstances; ``command`` stands in advice."""
        # Judgements first: a file of them is of all segments.
        campaign = with_judging(
            self.given.whole(command), self.judgement_files, self.judgement_format, self.weights
        )  # fmt: skip
        if self.given.conditions:
            campaign = where(campaign, *self.given.conditions)
        if self.given.targeted_names is not None:
            campaign = campaign.mark_targeted(self.given.targeted_names)
        chosen = {"systems": self.systems, "references": self.given.refs}
        data = Data(**chosen, seed=self.seed, threads=self.threads)  # type: ignore[arg-type]
        return Asked((campaign,), data, judged=True)


def inquiry_options(command: F) -> F:
    """Options of texts, judgements, systems, seed and threads: they come as one, ``asking``."""

    @wraps(command)
    def with_asking(
        *,
        given: Inputs,
        systems: str | None,
        judgement_files: tuple[str, ...],
        judgement_format: str | None,
        weights: str | None,
        seed: int,
        threads: int | None,
        **others: Any,
    ) -> Any:
        asking = Asking(given, systems, judgement_files, judgement_format, weights, seed, threads)
        return command(asking=asking, **others)

    made: Any = with_asking
    for option in (
        click.option("--threads", type=click.IntRange(1, 1024), help="How many threads (default: all there are)."),
        click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of what is drawn."),
        judgement_options,
        systems_option,
        where_option,
        input_options,
    ):
        made = option(made)
    return cast("F", made)
