"""``assay metrics``: what there is, with options and sources."""

from __future__ import annotations

import click

from assay.cli.output import emit, look_of, output_options
from assay.report.listing import render_metric, render_metrics


@click.command("metrics", short_help="The metrics there are.")
@click.argument("name", required=False)
@output_options
def command(name: str | None, style: str, output: str | None, quiet: bool, no_color: bool) -> None:  # noqa: ARG001
    """The metrics there are; with a NAME, all options of that one."""
    look = look_of(no_color, output)
    emit(render_metrics(style, look) if name is None else render_metric(name, style, look), output)
