"""What is wrong with what is read: raised at once, or collected for who wants to know all of it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from assay.errors import AssayError, AssayWarning, InputError, Place

#: So many findings of one sort are listed for a file.
LISTED = 100
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


#: Who does not ask for more hears of the first error alone.
STRICT = Problems()


def note(text: str, place: Place | None = None) -> None:
    """Something that whoever called the caller should know."""
    warnings.warn(AssayWarning(text, place=place), stacklevel=3)
