"""How intervals of scores are drawn: the same options wherever a score has one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def bootstrap_options(command: F) -> F:
    """``--seed``, ``--samples`` and ``--threads``."""
    for option in (
        click.option("--threads", type=click.IntRange(1, 1024), help="How many threads (default: all there are)."),
        click.option(
            "--samples",
            type=click.IntRange(0, 1_000_000),
            default=1000,
            show_default=True,
            help="Bootstrap samples; 0 for no interval.",
        ),
        click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the bootstrap."),
    ):
        command = option(command)
    return command
