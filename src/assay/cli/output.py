"""Where results go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from assay.errors import AssayWarning, InputError, ParameterError
from assay.report.tables import FORMATS, PLAIN, Look

F = TypeVar("F", bound=Callable[..., Any])


def emit(text: str, output: str | None) -> None:
    """Print ``text``, or write it to ``output`` in one step."""
    if output is None or output == "-":
        if sys.stdout is None:
            raise InputError("Standard output is closed. Write to a file with -o.")
        try:
            sys.stdout.buffer.write(text.encode())
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            # What is left in the buffer can never be written; without this Python would try again at the end.
            sys.stdout = None
            raise InputError(f"Standard output cannot be written ({error.strerror or error}).") from None
        return
    write_atomically(Path(output), text)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write beside ``path``, then move into place: no reader ever sees half a file.

    A link is followed, and what is no ordinary file (a pipe, a device) is written to as it is.
    """
    path = path.resolve()
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written ({error.strerror or error}). Choose another file.") from None


def check_writable(output: str | None) -> None:
    """Fail before long work, not behind it."""
    if output is None or output == "-":
        return
    path = Path(output)
    if path.is_dir():
        raise InputError(f"{path}: cannot be written (it is a folder). Choose another file.")
    if not path.parent.is_dir():
        raise InputError(f"{path}: cannot be written (no folder {path.parent}). Choose another file.")
    if not os.access(path.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written (no permission for {path.parent}). Choose another file.")


def check_outputs(**paths: str | None) -> None:
    """Fail before long work where one of several files cannot be written, or where two of them are the same one.

    They are named by their options: ``check_outputs(output="a.txt", figure="b.svg")``.
    """
    taken: dict[Path, str] = {}
    for name, given in paths.items():
        check_writable(given)
        if given is None or given == "-" or (Path(given).exists() and not Path(given).is_file()):
            # A pipe or a device takes whatever comes.
            continue
        whole = Path(given).resolve()
        if whole in taken:
            raise ParameterError(
                f"--{taken[whole]} and --{name} are the same file ({given}), and one would replace the other. "
                "Name two files."
            )
        taken[whole] = name


def look_of(no_color: bool, output: str | None) -> Look:
    """How to print: in colour and to width on a terminal, where nobody asked for none; else plainly."""
    if output not in (None, "-") or sys.stdout is None or not sys.stdout.isatty():
        return PLAIN
    return Look(not no_color and "NO_COLOR" not in os.environ, os.get_terminal_size().columns)


@contextmanager
def notes(quiet: bool) -> Iterator[None]:
    """Show warnings as notes on standard error, when the work is done; not with ``--quiet``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", AssayWarning)
        try:
            yield
        finally:
            for message in dict.fromkeys(str(warning.message) for warning in caught):
                if not quiet:
                    click.echo(f"Note: {message}", err=True)


def output_options(command: F) -> F:
    """``--format``, ``-o``, ``-q`` and ``--no-color``, the same in every command."""
    for option in (
        click.option("--no-color", is_flag=True, help="No colours (NO_COLOR works too)."),
        click.option("-q", "--quiet", is_flag=True, help="No notes and no progress on standard error."),
        click.option("-o", "--output", metavar="FILE", help="Write to a file, whole or not at all."),
        click.option(
            "--format", "style", type=click.Choice(FORMATS), default="text", show_default=True, help="How to print."
        ),
    ):
        command = option(command)
    return command
