"""Where results go: standard output, or a file that appears whole or not at all; and what is said beside them."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from assay.data.files import write_files
from assay.errors import AssayError, AssayWarning, InputError, ParameterError
from assay.results.figure import figure_kind, load_converter
from assay.results.rendering import STYLES, Look
from assay.results.result import Result
from assay.results.visible import visible

#: Seconds before a progress bar appears, and between two of its states: short work should not flicker.
_PATIENCE, _PAUSE = 1.0, 0.1
_BAR = 40


@dataclass(frozen=True)
class _Output:
    """How a command line wants its answer: format, file or folder, which table, which figure."""

    style: str
    path: str | None
    #: Whether all tables are wanted, a file each.
    is_folder: bool
    look: Look
    figure: str | None
    picture: str | None


def output_of(values: dict[str, Any], **files: str | None) -> _Output:
    """How the answer is wanted, taken out of what was typed; what cannot be done fails before long work.

    ``files`` are further ones that will be written, by their options.
    """
    path, wanted = values.pop("path"), values.pop("style")
    figure, picture = values.pop("figure", None), values.pop("picture", None)
    is_folder = path is not None and (path.endswith(("/", os.sep)) or Path(path).is_dir())
    look = look_of(values, path)
    check_outputs(output=None if is_folder else path, figure=figure, **files)
    if path in (None, "-") or is_folder:
        style = wanted or ("tsv" if is_folder else "text")
    else:
        style = _style_of_file(path, wanted)
    if not STYLES[style].one_table:
        if look.table is not None:
            raise ParameterError("--table is for TSV and CSV, which hold one table; the other formats show them all.")
        if look.guard_formulas:
            raise ParameterError("--guard-formulas is for TSV and CSV.")
        if is_folder:
            raise ParameterError(f"{path} is a folder: it takes every table as a file, --format tsv or csv.")
    if picture is not None and figure is None:
        raise ParameterError("--picture goes with --figure FILE: where to?")
    if figure is not None:
        figure_kind(figure)
        load_converter()
    return _Output(style, path, is_folder, look, figure, picture)


def _style_of_file(path: str, wanted: str | None) -> str:
    """The format of a file by its ending; an ending that nobody knows, or that contradicts ``wanted``, is an error."""
    ending = Path(path).suffix.lower()
    endings = {"": wanted or "text"} | {known: name for name in STYLES for known in STYLES[name].endings}
    if ending not in endings:
        listed = ", ".join(sorted(filter(None, endings)))
        raise ParameterError(f"{path}: a file that ends in {ending} has no known format. Known: {listed}.")
    if wanted not in (None, endings[ending]):
        raise ParameterError(
            f"{path} ends in {ending}, which is {endings[ending]}, but --format says {wanted}. Leave one of them out."
        )
    return endings[ending]


def look_of(values: dict[str, Any], path: str | None = None) -> Look:
    """In colour and to width on a terminal, where nobody asked for none; else plainly."""
    terminal = path in (None, "-") and sys.stdout is not None and sys.stdout.isatty()
    plain = values.pop("no_color") or "NO_COLOR" in os.environ
    width = values.pop("width", None) or (os.get_terminal_size().columns if terminal else None)
    return Look(terminal and not plain, width, values.pop("table", None), values.pop("guard_formulas", False))


def check_outputs(**paths: str | None) -> None:
    """Fail before long work where one of several files cannot be written, or where two of them are the same one.

    They are named by their options: ``check_outputs(output="a.txt", figure="b.svg")``.
    """
    taken: dict[Path, str] = {}
    for name, given in paths.items():
        if given is None or given == "-":
            continue
        path = Path(given)
        _check_writable(path)
        if path.exists() and not path.is_file():
            # A pipe or a device takes whatever comes.
            continue
        if path.resolve() in taken:
            raise ParameterError(
                f"--{taken[path.resolve()]} and --{name} are the same file ({given}), and one would replace the other. "
                "Name two files."
            )
        taken[path.resolve()] = name


def _check_writable(path: Path) -> None:
    if path.is_dir():
        reason = "it is a folder"
    elif not path.parent.is_dir():
        reason = f"no folder {path.parent}"
    elif not os.access(path.parent, os.W_OK):
        reason = f"no permission for {path.parent}"
    else:
        return
    raise InputError(f"{path}: cannot be written ({reason}). Choose another file.")


def emit(text: str, path: str | None = None) -> None:
    """Print ``text``, or write it to a file in one step."""
    if path is not None and path != "-":
        write(path, text.encode())
        return
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


def write(path: str | Path, content: bytes) -> None:
    """Write beside ``path``, then move into place: no reader ever sees half a file."""
    write_files({"": [content]}, path, overwrite=True)


def deliver(result: Result, output: _Output) -> None:
    """Print a result, or write it to files, as it was asked for."""
    if output.figure is not None:
        _draw(result, output.figure, output.picture)
    if output.is_folder:
        _write_tables(result, Path(str(output.path)), output)
        return
    style = STYLES[output.style]
    text = style.render(result, output.look)
    if style.one_table:
        _tell_of_others(result, output.look.table)
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
    write(path, drawn)


def _tell_of_others(result: Result, table: str | None) -> None:
    """What one table has no room for."""
    usage = result.setup.get("usage")
    if isinstance(usage, str):
        warnings.warn(usage, AssayWarning, stacklevel=1)
    shown = result.main or next(iter(result.tables))
    others = [name for name in result.tables if name != shown and result.tables[name]]
    if others and table is None:
        listed = ", ".join(others)
        warnings.warn(f"This is the table {shown}; others: {listed} (--table NAME).", AssayWarning, stacklevel=1)


def _write_tables(result: Result, folder: Path, output: _Output) -> None:
    """Every table as a file, and the whole as result.json."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror or error}). Choose another folder.") from None
    style = STYLES[output.style]
    looks = {name: replace(output.look, table=name) for name in result.tables}
    texts = {f"{name}{style.endings[0]}": style.render(result, look) for name, look in looks.items()}
    for name, text in (texts | {"result.json": result.render("json")}).items():
        write(folder / name, text.encode())


def output_parameters(*, figures: bool = True, pictures: Sequence[str] = ()) -> list[click.Parameter]:
    """``--format``, ``-o`` and the like, the same in every command; ``--figure`` where there is something to draw."""
    several = f"Which picture.  [default: {pictures[0]}]" if pictures else "Which picture, where there are several."
    drawn: list[click.Parameter] = [
        click.Option(["--figure"], metavar="FILE", help="Draw a picture: FILE.svg, FILE.png, FILE.html or FILE.pdf."),
        click.Option(
            ["--picture"],
            type=click.Choice(pictures) if pictures else str,
            metavar=None if pictures else "NAME",
            help=several,
        ),
    ]
    usual = "How to print.  [default: text, or by the ending of -o]"
    whole = "Write to a file, whole or not at all; every table into a folder."
    guard = "In TSV and CSV an apostrophe before what a spreadsheet would run."
    return [
        *(drawn if figures else []),
        click.Option(["--format", "style"], type=click.Choice(list(STYLES)), help=usual),
        click.Option(["-o", "--output", "path"], metavar="FILE | FOLDER/", help=whole),
        click.Option(["--table"], metavar="NAME", help="Which table TSV and CSV hold."),
        click.Option(["--width"], type=click.IntRange(20, 10_000), metavar="N", help="Break text at this width."),
        click.Option(["--guard-formulas"], is_flag=True, help=guard),
        click.Option(["-q", "--quiet"], is_flag=True, help="No notes and no progress on standard error."),
        click.Option(["--no-color"], is_flag=True, help="No colours (NO_COLOR works too)."),
    ]


@contextmanager
def notes(quiet: bool) -> Iterator[None]:
    """Show warnings as notes on standard error, when the work is done; not with ``--quiet``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", AssayWarning)
        try:
            yield
        finally:
            said = {str(warning.message): getattr(warning.message, "level", "note") for warning in caught}
            for message, level in said.items():
                if not quiet:
                    click.echo(f"{level.capitalize()}: {visible(message)}", err=True)


@contextmanager
def progress(title: str, quiet: bool) -> Iterator[Callable[[float], None] | None]:
    """Yields a function to be told the share that is done, or nothing where nobody watches; nothing is left behind."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    started = shown = time.monotonic()

    def report(share: float) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - started > _PATIENCE and now - shown > _PAUSE:
            shown = now
            sys.stderr.write(f"\r\x1b[K{bar(title, share, now - started)}")
            sys.stderr.flush()

    try:
        yield report
    finally:
        if shown > started:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def bar(title: str, share: float, seconds: float) -> str:
    """One state of the bar, with the time that is left if the work goes on as it did.

    >>> bar("Scoring", 0.25, 20.0)
    'Scoring ━━━━━━━━━━──────────────────────────────  25 %  1:00 left'
    """
    done = min(max(share, 0.0), 1.0)
    filled = round(_BAR * done)
    left = f"  {_clock(seconds * (1 - done) / done)} left" if done > 0.02 else ""
    return f"{title} {'━' * filled}{'─' * (_BAR - filled)} {100 * done:3.0f} %{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
