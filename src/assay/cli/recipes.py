"""``assay recipes``: what can be done to a text before counting."""

from __future__ import annotations

import click

from assay.cli.output import answering
from assay.questions.listing import list_recipes, list_tokens
from assay.results.result import Result


def _answer(text: str | None) -> Result:
    return list_recipes() if text is None else list_tokens(text)


command = answering(
    "recipes",
    _answer,
    "The tokenizers, stemmers and other steps that every metric takes as options.",
    click.Option(["--text"], metavar="TEXT", help="Show what every built-in tokenizer makes of a text."),
)
