"""What is wrong with what is read: raised at once, or collected for who wants to know all of it."""

from __future__ import annotations

import csv
import sys
import warnings
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal, TypeVar
from xml.parsers.expat import ExpatError

from assay.errors import AssayError, AssayWarning, InputError, Place, shown

#: So many findings of one sort are listed for a file.
LISTED = 100
#: What libraries raise because of what is in a file, beside those of packages that may not be there. LookupError is not
#: among them, because that may be a slip of our own: only the bare class is what unknown encodings raise.
_OF_LIBRARIES = (OSError, EOFError, UnicodeError, RecursionError, csv.Error, zlib.error, ExpatError)
_OF_PACKAGES = (("pyarrow", "ArrowException"), ("zstandard", "ZstdError"), ("compression.zstd", "ZstdError"))
_T = TypeVar("_T")
_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class Finding:
    """An error makes a file unusable, or its numbers wrong; a warning is something that somebody should look at."""

    place: Place
    message: str
    severity: Literal["error", "warning"] = "error"

    @classmethod
    def of(cls, said: AssayError | AssayWarning, file: str) -> Finding:
        """What a reader said; of ``file``, if it did not say where."""
        place: Place = getattr(said, "place", None) or Place(file)
        text = getattr(said, "text", str(said))
        severity: Literal["error", "warning"] = "error" if isinstance(said, AssayError) else "warning"
        return cls(place._replace(part=""), f"{place.part}: {text}" if place.part else text, severity)

    @property
    def where(self) -> str:
        """``file:line:column``, as editors know it."""
        return ":".join(str(part) for part in self.place[:3] if part is not None)


class GaveUp(InputError):
    """Everything that is wrong has been told already, and nothing of the file can be used."""


class Aside(AssayWarning):
    """Something to know that is as it should be, and so no finding."""


@dataclass(eq=False)
class Problems:
    """What a reader is handed to tell of what is wrong. Unless it is ``lenient``, the first error is raised."""

    lenient: bool = False
    findings: list[Finding] = field(default_factory=list)
    #: Where a reader has each text from: its file, and the lines before its first segment, if segments are lines.
    places: dict[tuple[str, str], tuple[str, int | None]] = field(default_factory=dict)
    #: Errors that name a line, by file.
    _lines: Counter[str] = field(default_factory=Counter)

    @property
    def errors(self) -> int:
        """How many errors were told."""
        return sum(one.severity == "error" for one in self.findings)

    def add(self, error: AssayError, file: str = "") -> None:
        """One more error."""
        if not self.lenient:
            raise error
        if isinstance(error, GaveUp):
            return
        finding = Finding.of(error, file)
        if finding.place.line is not None:
            self._lines[finding.place.file] += 1
        count = self._lines[finding.place.file]
        if count <= LISTED:
            self.findings.append(finding)
        elif count == LISTED + 1:
            message = f"more than {LISTED} lines are wrong; the others are not listed."
            self.findings.append(Finding(Place(finding.place.file), message))

    def warn(self, text: str, place: Place) -> None:
        """Something to look at, for who wants to know all; others are not bothered."""
        if self.lenient:
            self.findings.append(Finding(place, text, "warning"))

    def each(self, things: Iterable[_Thing], read: Callable[[_Thing], _T]) -> Iterator[_T]:
        """What ``read`` makes of each thing; those that it refuses are told of and left out."""
        for thing in things:
            try:
                value = read(thing)
            except InputError as error:
                self.add(error)
            else:
                yield value

    def every(self, things: Iterable[_Thing], take: Callable[[_Thing], None]) -> None:
        """Let ``take`` take in each thing; those that it refuses are told of."""
        for _ in self.each(things, take):
            pass

    def stop(self, before: int = 0) -> None:
        """Give up if there are more errors than before: what is left would mean something else."""
        if self.errors > before:
            raise GaveUp("Nothing can be read.")

    def attempt(self, work: Callable[[], _T], file: str) -> _T | None:
        """What can be read, or None; what is said in passing is a finding, too. Without a place it is of ``file``."""
        result = None
        before = self.errors
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", AssayWarning)
            try:
                result = work()
            except AssayError as error:
                # After lines that cannot be read, what is wrong with the file as a whole is their consequence.
                if self.errors == before or Finding.of(error, file).place.line is not None:
                    self.add(error, file)
        for note in notes:
            if isinstance(note.message, AssayWarning) and not isinstance(note.message, Aside):
                self.findings.append(Finding.of(note.message, file))
        return result


@contextmanager
def guarded(path: str) -> Iterator[None]:
    """Turn what libraries raise because of what is in a file into an ``InputError``.

    Every format is read through this one door. What mistakes of our own raise (TypeError, KeyError) stays what it is.
    """
    try:
        yield
    except AssayError:
        raise
    except Exception as error:
        if not _is_foreign(error):
            raise
        raise InputError(_reason(error), place=Place(path)) from error


def _is_foreign(error: Exception) -> bool:
    """Whether a library raised this because of a file."""
    packages = (getattr(sys.modules.get(module), name, None) for module, name in _OF_PACKAGES)
    known = (*_OF_LIBRARIES, *(error_class for error_class in packages if error_class is not None))
    return isinstance(error, known) or type(error) is LookupError


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "something in it is nested too deeply."
    text = (getattr(error, "strerror", None) or str(error)).strip().split("\n")[0][:200]
    return f"cannot be read ({text.rstrip('.')})."


def require_writable(what: str, names: Iterable[str], place: Place, *, needed: bool = False) -> None:
    """Refuse to write names that nobody could read again: with NUL or half a character; if ``needed``, empty ones."""
    for name in names:
        sound = "\0" not in name and not any("\ud800" <= sign <= "\udfff" for sign in name)
        if not sound or (needed and name in ("", "-")):
            raise InputError(
                f"a {what} cannot be called {shown(name)}: it could not be read again.", "Rename it.", place
            )


def require_text(what: str, names: Iterable[str]) -> None:
    """Refuse names that are no text: half a character can be neither printed nor compared."""
    listed = list(names)
    try:
        "\n".join(listed).encode()
    except UnicodeEncodeError:
        name = next(name for name in listed if any("\ud800" <= sign <= "\udfff" for sign in name))
        raise InputError(f"a {what} cannot be called {shown(name)}: half a character is no text.") from None


#: Who does not ask for more hears of the first error alone.
STRICT = Problems()


def note(text: str, place: Place | None = None) -> None:
    """Something that whoever called the caller should know."""
    warnings.warn(AssayWarning(text, place=place), stacklevel=3)
