"""``assay metrics``: what there is, with options and sources."""

from __future__ import annotations

import click

from assay.cli.output import answering
from assay.questions.listing import list_metrics, list_options
from assay.results.result import Result


def _answer(name: str | None) -> Result:
    return list_metrics() if name is None else list_options(name)


command = answering(
    "metrics",
    _answer,
    "The metrics there are; with a NAME, all options of that one.",
    click.Argument(["name"], required=False),
)
