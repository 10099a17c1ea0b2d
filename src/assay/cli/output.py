"""Where results go: standard output, or a file that appears whole or not at all; and what is said beside them.

How they are wanted is said by options, which are made of fields here as those of questions are.
"""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from assay.cli.completion import offered
from assay.data.files import write_files
from assay.errors import AssayError, AssayWarning, InputError, ParameterError
from assay.metrics.options import declared_types, spell_value
from assay.properties import cached_property
from assay.questions.base import option
from assay.registry import Registry
from assay.results.figure import figure_kind, load_converter
from assay.results.rendering import STYLES, Look
from assay.results.result import Result
from assay.results.visible import visible


@dataclass
class Output:
    """How a command line wants its answer: options that are the same in every command.

    What cannot be done fails when this is made, before long work.
    """

    figure: str | None = option(
        None, "Draw a picture: FILE.svg, FILE.png, FILE.html or FILE.pdf.", metavar="FILE", group="figures"
    )
    picture: str | None = option(None, "Which picture, where there are several.", metavar="NAME", group="figures")
    style: str | None = option(
        None, "How to print.  [default: text, or by the ending of -o]", flag="--format", choices=STYLES
    )
    path: str | None = option(
        None,
        "Write to a file, whole or not at all; every table into a folder.",
        flag="-o, --output",
        metavar="FILE | FOLDER/",
    )
    table: str | None = option(None, "Which table TSV and CSV hold.", metavar="NAME")
    cite: bool = option(False, "Print what a paper cites for this, instead of the tables; with -o beside them.")
    signatures: bool = option(False, "Whole signatures, which say exactly what was computed; JSON always has them.")
    width: int | None = option(None, "Break text at this width.", metavar="N", least=20, most=10_000)
    guard_formulas: bool = option(False, "In TSV and CSV an apostrophe before what a spreadsheet would run.")
    quiet: bool = option(False, "No notes and no progress on standard error.", flag="-q, --quiet")
    no_color: bool = option(False, "No colours (NO_COLOR works too).")
    #: A file that the question itself will write: its own option, where it has one.
    save: str | None = None
    look: Look = field(init=False)
    #: Whether all tables are wanted, a file each.
    is_folder: bool = field(init=False)

    def __post_init__(self) -> None:
        path = self.path = None if self.path == "-" else self.path
        self.is_folder = path is not None and (path.endswith(("/", os.sep)) or Path(path).is_dir())
        # In colour and to width on a terminal, where nobody asked for none; else plainly.
        terminal = path is None and sys.stdout is not None and sys.stdout.isatty()
        color = terminal and not self.no_color and "NO_COLOR" not in os.environ
        width = self.width or (os.get_terminal_size().columns if terminal else None)
        self.look = Look(color, width, self.table, self.guard_formulas, signatures=self.signatures, file=path)
        if path or self.figure or self.save:
            check_outputs(output=None if self.is_folder else path, figure=self.figure, save=self.save)
        if path is None or self.is_folder:
            self.style = self.style or ("tsv" if self.is_folder else "text")
        else:
            self.style = _style_of_file(path, self.style)
        one_table = STYLES[self.style].one_table
        if self.table is not None and not one_table:
            raise ParameterError("--table is for TSV and CSV, which hold one table; the other formats show them all.")
        if self.guard_formulas and not one_table:
            raise ParameterError("--guard-formulas is for TSV and CSV.")
        if self.is_folder and STYLES[self.style].files is None:
            raise ParameterError(f"{path} is a folder: it takes every table as a file, --format tsv or csv.")
        if self.picture is not None and self.figure is None:
            raise ParameterError("--picture goes with --figure FILE: where to?")
        if self.figure is not None:
            figure_kind(self.figure)
            load_converter()

    def deliver(self, result: Result) -> str:
        """Print a result, or write it to files, as it was asked for; given back is what belongs behind the notes."""
        if self.figure is not None:
            _draw(result, self.figure, self.picture)
        style = STYLES[str(self.style)]
        if self.cite:
            emit(result.render("bibtex"))
            if self.path is None:
                return ""
        if self.is_folder and style.files is not None:
            _write_folder(Path(str(self.path)), style.files(result, self.look), result.render("json"))
            return ""
        text, last = style.render(result, self.look), ""
        if style.one_table:
            _tell_of_others(result, self.table)
        if self.path is None and self.style == "text" and result.signatures:
            text, blank, last = text.rpartition("\n\n")
            text, last = f"{text}{blank[1:]}", f"{blank[1:]}{last}"
        emit(text, self.path)
        return last


def printing_options() -> list[click.Option]:
    """How to print, for commands that draw nothing."""
    return [parameter(Output, field) for field in fields(Output) if field.metadata.get("group") == ""]


def parameter(cls: type[Any], field: Field[Any]) -> click.Option:
    """The option of a field."""
    meta, hint = field.metadata, declared_types(cls)[field.name]
    flags = (meta.get("flag") or f"--{field.name.replace('_', '-')}").split(", ")
    text = meta["help"]() if callable(meta["help"]) else meta["help"]
    if hint is bool or set(get_args(hint)) == {bool, NoneType}:
        names = [*flags, field.name] if hint is bool else [f"{flags[0]}/--no-{flags[0][2:]}", field.name]
        return click.Option(names, is_flag=True, default=None, help=text)
    kind = _checked(hint, meta)
    default = "" if field.default is MISSING else spell_value(field.default).strip("[]")
    # What stands for all, or for nothing in particular, is said by the text.
    shown = "" if default in ("", "none") else f"  [default: {default}]"
    return click.Option(
        [*flags, field.name],
        multiple=bool(meta.get("repeat")),
        metavar=meta.get("metavar") or (None if isinstance(kind, click.Choice) else "VALUE"),
        type=kind,
        help=f"{text}{shown}".strip(),
        shell_complete=offered,
    )


def _checked(hint: Any, meta: Mapping[str, Any]) -> Any:
    """The type that click checks itself, so that its messages name the option: names, or a number; else it is text."""
    inner = [part for part in get_args(hint) if part is not NoneType]
    plain = inner[0] if NoneType in get_args(hint) and len(inner) == 1 else hint
    names = meta.get("choices") or (get_args(plain) if get_origin(plain) is Literal else ())
    if isinstance(names, Registry):
        return _Registered(names)
    if names:
        return click.Choice(tuple(map(str, names)))
    least, most = meta.get("least"), meta.get("most")
    if plain is int:
        return click.INT if least is None else click.IntRange(least, most)
    if plain is float:
        return click.FLOAT if least is None else click.FloatRange(least, most)
    return str


class _Registered(click.Choice[str]):
    """Names of a registry. Packages are asked for theirs only where it takes that: for a page of help, say."""

    def __init__(self, registry: Registry[Any]) -> None:
        self.registry, self.case_sensitive = registry, True

    @cached_property
    def choices(self) -> tuple[str, ...]:
        """All names."""
        return tuple(self.registry)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, if it is one."""
        return value if value in self.registry.built_in else super().convert(value, param, ctx)


def _style_of_file(path: str, wanted: str | None) -> str:
    """The format of a file by its ending; an ending that nobody knows, or that contradicts ``wanted``, is an error."""
    ending = Path(path).suffix.lower()
    endings = {"": wanted or "text"}
    for name in STYLES:
        # Of several formats that end alike the first is meant, unless another is named.
        endings |= {known: name for known in STYLES[name].endings if known not in endings or name == wanted}
    if ending not in endings:
        listed = ", ".join(sorted(filter(None, endings)))
        raise ParameterError(f"{path}: a file that ends in {ending} has no known format. Known: {listed}.")
    if wanted not in (None, endings[ending]):
        raise ParameterError(
            f"{path} ends in {ending}, which is {endings[ending]}, but --format says {wanted}. Leave one of them out."
        )
    return endings[ending]


def check_outputs(**paths: str | None) -> None:
    """Fail before long work where one of several files cannot be written, or where two of them are the same one.

    They are named by their options: ``check_outputs(output="a.txt", figure="b.svg")``.
    """
    taken: dict[Path, str] = {}
    for name, given in paths.items():
        if given is None or given == "-":
            continue
        path = Path(given)
        target = _writable(path)
        if path.exists() and not path.is_file():
            # A pipe or a device takes whatever comes.
            continue
        if target in taken:
            raise ParameterError(
                f"--{taken[target]} and --{name} are the same file ({given}), and one would replace the other. "
                "Name two files."
            )
        taken[target] = name


def _writable(path: Path) -> Path:
    """Where a file that can be written really lies."""
    try:
        target = path.resolve()
    except (OSError, RuntimeError):
        # Up to Python 3.12 it is a RuntimeError.
        reason = "its links lead to each other"
    else:
        if path.is_dir():
            reason = "it is a folder"
        elif not path.parent.is_dir():
            reason = f"no folder {path.parent}"
        elif not os.access(path.parent, os.W_OK):
            reason = f"no permission for {path.parent}"
        else:
            return target
    raise InputError(f"{path}: cannot be written ({reason}). Choose another file.")


def emit(text: str, path: str | None = None) -> None:
    """Print ``text``, or write it to a file in one step."""
    if path is not None:
        _write(path, text.encode())
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


def _write(path: str | Path, content: bytes) -> None:
    """Write beside ``path``, then move into place: no reader ever sees half a file."""
    write_files({"": [content]}, path, overwrite=True)


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
    _write(path, drawn)


def _tell_of_others(result: Result, table: str | None) -> None:
    """What one table has no room for."""
    usage = result.setup.get("usage")
    if isinstance(usage, str):
        warnings.warn(usage, AssayWarning, stacklevel=1)
    shown = result.main or next(iter(result.tables))
    views = [view for view in result.views if view.table == (table or shown)]
    # What stands below a view of a part of the table says nothing of the rest.
    if len({view.section for view in views}) == len(views):
        for below in dict.fromkeys(line for view in views for line in view.notes):
            warnings.warn(below, AssayWarning, stacklevel=1)
    others = [name for name in result.tables if name != shown and result.tables[name]]
    if others and table is None:
        listed = ", ".join(others)
        warnings.warn(f"This is the table {shown}; others: {listed} (--table NAME).", AssayWarning, stacklevel=1)


def _write_folder(folder: Path, texts: Mapping[str, str], whole: str) -> None:
    """Files in a folder, which is made where there is none, and the whole as result.json: all of them, or none."""
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made ({error.strerror or error}). Choose another folder.") from None
    files = {name: [text.encode()] for name, text in {**texts, "": whole}.items()}
    try:
        write_files(files, folder / "result.json", overwrite=True)
    except InputError:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def notes(quiet: bool) -> Iterator[None]:
    """Show warnings as notes on standard error, when the work is done; not with ``--quiet``."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", AssayWarning)
        try:
            yield
        except KeyboardInterrupt:
            caught.clear()
            raise
        finally:
            said = {str(warning.message): getattr(warning.message, "level", "note") for warning in caught}
            for message, level in said.items():
                if not quiet:
                    click.echo(f"{level.capitalize()}: {visible(message)}", err=True)
