"""``assay``: the command line. Commands load when they are called, so that ``--help`` is quick."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click

from assay.cli.peers import advice, swallowed
from assay.errors import AssayError, AssayWarning, UnknownName
from assay.questions.registry import QUESTIONS
from assay.version import __version__

#: Commands in the order of the help page, each with the line that it shows there.
COMMANDS = {
    "score": "How good is each system? Corpus scores with intervals.",
    "compare": "Is A really better than B? All pairs, p-values, clusters.",
    "meta": "Can I trust the metric? Agreement with human judgements.",
    "agreement": "Can I trust the judges? Raters, normalisation and its effect.",
    "explain": "Why this score? One segment: alignment, edits, n-grams, grid.",
    "study": "A question about metrics, answered by a table and a figure.",
    "paper": "A whole paper on your data, its printed numbers beside yours.",
    "tune": "Fit a metric's parameters to human judgements.",
    "learn": "Can many metrics together predict what people say?",
    "predict": "What would people say? A saved model applied to translations.",
    "features": "The table behind learn: features and judgements of translations.",
    "describe": "What is in this campaign? Texts, judgements, what it can answer.",
    "report": "A page of its own: scores, tests, judges and every sentence.",
    "explore": "The same alive in the browser, for data of any size.",
    "store": "A folder in which answers are kept: make, check, merge.",
    "show": "An answer that was kept, or a result file, in any format.",
    "history": "What was asked when; a score over runs, as table and picture.",
    "diff": "Which numbers moved between two answers, and why.",
    "rerun": "The same question again: the same answer, or what differs.",
    "sql": "Any question to a store, in SQL.",
    "convert": "Between formats of campaigns, and of judgements.",
    "validate": "Is this file or folder sound? What is wrong, and where.",
    "metrics": "The metrics there are, with their options.",
    "recipes": "The tokenizers, stemmers and other steps before counting.",
    "completion": "What makes a shell complete commands, metrics and names.",
    "demo": "See it work on a small invented campaign.",
}


class _LazyGroup(click.Group):
    """A group that knows its commands by name and imports one only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(name for name in QUESTIONS if name not in COMMANDS)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        if cmd_name in QUESTIONS:
            from assay.cli.asking import command_of

            return command_of(QUESTIONS[cmd_name])
        if cmd_name not in COMMANDS:
            raise UnknownName.of("command", cmd_name, self.list_commands(ctx))
        command: click.Command = getattr(import_module(f"assay.cli.{cmd_name}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            # click would print an empty line before ours.
            raise click.Abort from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS.get(name) or self._line(name)) for name in self.list_commands(ctx)])

    def _line(self, name: str) -> str:
        """What a command of another package says of itself; a broken one must not hide the others."""
        try:
            return QUESTIONS[name].question
        except (AssayError, AttributeError) as error:
            return str(error)


#: The whole command line; what ``--debug`` means is seen to by ``assay.__main__``.
cli = _LazyGroup(
    "assay",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="""Evaluate machine translation, and evaluate the evaluation.

    A campaign folder holds ref.<id>.txt, sys.<name>.txt and, if you like, src.txt, docs.txt and domains.txt:

      assay score campaign/

      assay score -r reference.txt translation.txt -m bleu,chrf
    """,
)
click.version_option(__version__, prog_name="assay")(cli)
click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    help="Show the traceback of an error, and why something is counted that a store has not.",
)(cli)


def run(arguments: list[str], *, debug: bool = False) -> int:
    """The exit code of a command line; who is interrupted hears of it from ``assay.__main__``."""
    try:
        # What is said before a command has begun to collect its notes: of plug-ins, say.
        with warnings.catch_warnings(), _logging(debug):
            warnings.simplefilter("always", AssayWarning)
            warnings.showwarning = _note  # type: ignore[assignment]
            result = cli.main(args=arguments, prog_name="assay", standalone_mode=False)
    except AssayError as error:
        if debug:
            raise
        other = swallowed(arguments)
        return _fail(str(error) if other is None else f"{error}\n{other} is another program's. {advice(other)}")
    except (click.exceptions.Abort, KeyboardInterrupt):
        return 130
    except click.NoSuchOption as error:
        # Options of earlier versions, and those of other programs, say what to type instead.
        question = error.ctx and error.ctx.obj
        new = getattr(question, "renamed", {}).get(error.option_name)
        if new is not None:
            return _fail(f"There is no {error.option_name} here any more. {new}", error)
        typed = next((word for word in arguments if word.startswith(error.option_name)), error.option_name)
        known = advice(typed) if "texts" in getattr(question, "takes", ()) else None
        return _fail(error.format_message() if known is None else f"There is no {typed} here. {known}", error)
    except click.ClickException as error:
        return _fail(error.format_message(), error if isinstance(error, click.UsageError) else None)
    except SystemExit as error:
        # The reader of a pipe went away, as head does: click leaves with 1. The exit code is that of other programs.
        return 141 if error.code == 1 else 0
    except OSError as error:
        if debug:
            raise
        named = f" {error.filename}:" if error.filename else ""
        return _fail(f"The system says of what was read or written:{named} {error.strerror or error}.")
    except MemoryError:
        return _fail("Not enough memory. Score fewer metrics or systems at a time, or draw fewer samples.")
    except Exception as error:
        if debug:
            raise
        what = f"An error of Assay itself ({type(error).__name__}: {error})."
        return _fail(f"{what} Run the command with --debug and report what it shows.")
    return result if isinstance(result, int) else 0


@contextmanager
def _logging(wanted: bool) -> Iterator[None]:
    """Show what is logged on standard error, if it is wanted."""
    logger, handler = logging.getLogger("assay"), logging.StreamHandler()
    if wanted:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def _note(message: Warning | str, *_: Any) -> None:
    from assay.results.visible import visible

    click.echo(f"{getattr(message, 'level', 'note').capitalize()}: {visible(str(message))}", err=True)


def _fail(message: str, usage: click.UsageError | None = None) -> int:
    hint = f"\nTry '{usage.ctx.command_path} --help'." if usage is not None and usage.ctx is not None else ""
    click.echo(f"assay: {message}{hint}", err=True)
    return 2
