"""Where results go: standard output, or a file that appears whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import click

from assay.errors import AssayError, AssayWarning, InputError, ParameterError
from assay.results.figure import figure_kind, load_converter
from assay.results.rendering import STYLES, Look, render, style_of_file
from assay.results.result import Result
from assay.results.visible import visible


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


@dataclass(frozen=True)
class Output:
    """How a command line wants its answer: format, file, which table, which figure."""

    style: str | None = None
    path: str | None = None
    table: str | None = None
    width: int | None = None
    guard_formulas: bool = False
    figure: str | None = None
    picture: str | None = None
    quiet: bool = False
    no_color: bool = False

    @classmethod
    def taken_from(cls, values: dict[str, Any]) -> Output:
        """What was typed, taken out of ``values``."""
        return cls(**{name: values.pop(name) for name in [one.name for one in fields(cls)] if name in values})

    @property
    def is_folder(self) -> bool:
        """Whether all tables are wanted, a file each."""
        return self.path is not None and (self.path.endswith(("/", os.sep)) or Path(self.path).is_dir())

    @property
    def chosen_style(self) -> str:
        """The format asked for, or that of the file's ending."""
        if self.path in (None, "-"):
            return self.style or "text"
        if self.is_folder:
            return self.style or "tsv"
        return style_of_file(str(self.path), self.style)

    @property
    def look(self) -> Look:
        """In colour and to width on a terminal, where nobody asked for none; else plainly."""
        look = Look(width=self.width, table=self.table, guard_formulas=self.guard_formulas)
        if self.path not in (None, "-") or sys.stdout is None or not sys.stdout.isatty():
            return look
        color = not self.no_color and "NO_COLOR" not in os.environ
        return replace(look, color=color, width=self.width or os.get_terminal_size().columns)


def check_output(output: Output, **files: str | None) -> None:
    """Fail before long work, not behind it: formats, files that cannot be written, figures that cannot be drawn."""
    check_outputs(output=None if output.is_folder else output.path, figure=output.figure, **files)
    style = STYLES[output.chosen_style]
    if output.table is not None and not style.one_table:
        raise ParameterError("--table is for TSV and CSV, which hold one table; the other formats show them all.")
    if output.guard_formulas and not style.one_table:
        raise ParameterError("--guard-formulas is for TSV and CSV.")
    if output.is_folder and not style.one_table:
        raise ParameterError(f"{output.path} is a folder: it takes every table as a file, --format tsv or csv.")
    if output.picture is not None and output.figure is None:
        raise ParameterError("--picture goes with --figure FILE: where to?")
    if output.figure is not None:
        figure_kind(output.figure)
        load_converter()


def deliver(result: Result, output: Output) -> None:
    """Print a result, or write it to files, as it was asked for."""
    style = output.chosen_style
    if output.figure is not None:
        _draw(result, output.figure, output.picture)
    if output.is_folder:
        _write_tables(result, Path(str(output.path)), style, output)
        return
    text = render(result, style, output.look)
    if STYLES[style].one_table:
        _tell_of_others(result, output)
    emit(text, output.path)


def _draw(result: Result, path: str, picture: str | None) -> None:
    figure = result.chart(picture)
    try:
        drawn = figure.to_bytes(figure_kind(path))
    except ParameterError:
        raise
    except AssayError as error:
        # A picture never costs the tables.
        warnings.warn(AssayWarning(f"{path}: {error}", level="warning"), stacklevel=1)
        return
    write_atomically(Path(path), drawn)


def _tell_of_others(result: Result, output: Output) -> None:
    """What one table has no room for."""
    usage = result.setup.get("usage")
    if isinstance(usage, str):
        warnings.warn(usage, AssayWarning, stacklevel=1)
    shown = output.table or result.main or next(iter(result.tables))
    others = [name for name in result.tables if name != shown and result.tables[name]]
    if others and output.table is None:
        listed = ", ".join(others)
        warnings.warn(f"This is the table {shown}; others: {listed} (--table NAME).", AssayWarning, stacklevel=1)


def _write_tables(result: Result, folder: Path, style: str, output: Output) -> None:
    """Every table as a file, and the whole as result.json."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror or error}). Choose another folder.") from None
    (ending,) = STYLES[style].endings
    texts = {f"{name}{ending}": render(result, style, replace(output.look, table=name)) for name in result.tables}
    for name, text in (texts | {"result.json": render(result, "json")}).items():
        write_atomically(folder / name, text)


def output_parameters(*, figures: bool = True, pictures: Sequence[str] = ()) -> list[click.Parameter]:
    """``--format``, ``-o`` and the like, the same in every command; ``--figure`` where there is something to draw."""
    drawn = [
        click.Option(["--figure"], metavar="FILE", help="Draw a picture: FILE.svg, FILE.png, FILE.html or FILE.pdf."),
        click.Option(["--picture"], type=click.Choice(pictures), help=f"Which picture.  [default: {pictures[0]}]")
        if pictures
        else click.Option(["--picture"], metavar="NAME", help="Which picture, where there are several."),
    ]
    return [
        *(drawn if figures else []),
        click.Option(
            ["--format", "style"],
            type=click.Choice(list(STYLES)),
            help="How to print.  [default: text, or by the ending of -o]",
        ),
        click.Option(
            ["-o", "--output", "path"],
            metavar="FILE | FOLDER/",
            help="Write to a file, whole or not at all; every table into a folder.",
        ),
        click.Option(["--table"], metavar="NAME", help="Which table TSV and CSV hold."),
        click.Option(["--width"], type=click.IntRange(20, 10_000), metavar="N", help="Break text at this width."),
        click.Option(
            ["--guard-formulas"],
            is_flag=True,
            help="In TSV and CSV an apostrophe before what a spreadsheet would run.",
        ),
        click.Option(["-q", "--quiet"], is_flag=True, help="No notes and no progress on standard error."),
        click.Option(["--no-color"], is_flag=True, help="No colours (NO_COLOR works too)."),
    ]


def answering(
    name: str, answer: Callable[..., Result], text: str, *parameters: click.Parameter, figures: bool = False
) -> click.Command:
    """A command that looks something up: ``answer`` gets its parameters and gives a result."""

    def call(**values: Any) -> int:
        output = Output.taken_from(values)
        check_output(output)
        with notes(output.quiet):
            result = replace(answer(**values), options=values)
            deliver(result, output)
        return int(result.failed)

    return click.Command(name, callback=call, params=[*parameters, *output_parameters(figures=figures)], help=text)


@contextmanager
def notes(quiet: bool) -> Iterator[None]:
    """Show warnings as notes on standard error, when the work is done; not with ``--quiet``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", AssayWarning)
        try:
            yield
        finally:
            said = {str(one.message): getattr(one.message, "level", "note") for one in caught}
            for message, level in said.items():
                if not quiet:
                    click.echo(f"{level.capitalize()}: {visible(message)}", err=True)
