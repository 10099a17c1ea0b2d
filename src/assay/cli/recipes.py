"""``assay recipes``: what can be done to a text before counting."""

from __future__ import annotations

import click

from assay.cli.output import emit, look_of, output_options
from assay.report.listing import render_recipes, render_tokens


@click.command("recipes", short_help="Tokenizers, stemmers and other steps.")
@click.option("--text", metavar="TEXT", help="Show what every built-in tokenizer makes of a text.")
@output_options
def command(text: str | None, style: str, output: str | None, quiet: bool, no_color: bool) -> None:  # noqa: ARG001
    """The tokenizers, stemmers and other steps that every metric takes as options."""
    look = look_of(no_color, output)
    emit(render_recipes(style, look) if text is None else render_tokens(text, style, look), output)
