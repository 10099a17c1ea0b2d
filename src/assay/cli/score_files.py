"""Scores of metrics that ran elsewhere: the same options in every command that takes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores, merge, read_scores
from assay.errors import UnknownName

F = TypeVar("F", bound=Callable[..., Any])


def score_file_options(command: F) -> F:
    """``--scores`` and ``--scores-lower``."""
    for option in (
        click.option("--scores-lower", metavar="A,B", help="Of these metrics in --scores lower values are better."),
        click.option(
            "--scores",
            "score_files",
            multiple=True,
            metavar="FILE",
            help="Scores of other metrics: .seg.score, .sys.score, TSV; repeat it.",
        ),
    ):
        command = option(command)
    return command


def read_score_files(files: tuple[str, ...], lower: str | None, campaign: Campaign) -> list[ExternalScores]:
    """The metrics in score files; files of one metric at several levels are one metric."""
    found = merge(scores for file in files for scores in read_scores(file, campaign))
    names = [name.strip() for name in lower.split(",")] if lower else []
    for name in names:
        if name not in {scores.name for scores in found}:
            raise UnknownName.of("metric in --scores", name, [scores.name for scores in found])
    return [replace(scores, higher_is_better=False) if scores.name in names else scores for scores in found]
