"""Everything that Assay raises on purpose.

::

    AssayError
    ├── InputError (ValueError)          texts, files or judgements that cannot be used
    ├── ParameterError (ValueError)      an option with an impossible value
    ├── UnknownName (LookupError)        no metric, option, tokenizer or system of that name
    └── MissingExtra (ImportError)       an optional package is needed; the message says which

    AssayWarning (UserWarning)           nothing is wrong, but somebody should know

A message says where, what, and what to do. The command line prints it and exits with 2. Where is data, a ``Place``:
the text is made of it and never read back.
"""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Iterable
from typing import NamedTuple

#: So many characters of what is wrong, and of what to do, are said.
_LONGEST = 1_000


class Place(NamedTuple):
    """Where something stands: a file and, counted from 1, a line and a column; ``part`` names what has neither.

    >>> print(Place("human.tsv", 3, 5)), print(Place("esa.csv", 3, part="field 7"))
    human.tsv, line 3, column 5
    esa.csv, line 3, field 7
    (None, None)
    """

    file: str
    line: int | None = None
    column: int | None = None
    part: str = ""

    def __str__(self) -> str:
        line = "" if self.line is None else f", line {self.line}"
        column = "" if self.column is None else f", column {self.column}"
        return f"{self.file}{line}{column}{self.part and f', {self.part}'}"


class AssayError(Exception):
    """The root: ``except assay.AssayError`` catches whatever Assay raises on purpose."""


class InputError(AssayError, ValueError):
    """Texts, files or judgements that cannot be used as they are: what is wrong, what to do, and where.

    >>> print(InputError("3 fields, but the header has 6.", "Add the others.", Place("human.tsv", 3)))
    human.tsv, line 3: 3 fields, but the header has 6. Add the others.
    """

    def __init__(self, what: str, remedy: str = "", place: Place | None = None) -> None:
        # A name or a cell of any length may be quoted in it.
        self.what, self.remedy, self.place = _cut(what), _cut(remedy), place
        super().__init__(_placed(self.text, place))

    @property
    def text(self) -> str:
        """What is wrong and what to do, without the place."""
        return f"{self.what} {self.remedy}" if self.remedy else self.what


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


def _placed(text: str, place: Place | None) -> str:
    return text if place is None else f"{place}: {text}"


class ParameterError(AssayError, ValueError):
    """An option has a value that its metric cannot work with."""


class UnknownName(AssayError, LookupError):
    """A name that nothing answers to; the message offers the nearest ones."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str], most: int | None = None) -> UnknownName:
        """The error for ``name``, with what the user may have meant; of many names the ``most``, the nearest first.

        >>> print(UnknownName.of("metric", "blue", ["bleu", "chrf"]))
        There is no metric 'blue'. Did you mean 'bleu'? Known: bleu, chrf.
        >>> print(UnknownName.of("document", "d9", ["a", "b", "d1"], most=2))
        There is no document 'd9'. Did you mean 'd1'? Known: d1, b and 1 more.
        """
        names = sorted(known)
        near = nearest(name, names) if isinstance(name, str) else None
        more = 0 if most is None else max(len(names) - most, 0)
        names = names if most is None else difflib.get_close_matches(str(name), names, n=most, cutoff=0.0)
        guess = f" Did you mean {near!r}?" if near else ""
        listed = f" Known: {', '.join(names)}{f' and {more:,} more' if more else ''}." if names else ""
        return cls(f"There is no {kind} {shown(name, 200)}.{guess}{listed}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What somebody may have meant, capitals aside.

    >>> nearest("BLUE", ["bleu", "chrf"])
    'bleu'
    """
    folded = {candidate.casefold(): candidate for candidate in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    return folded[near[0]] if near else None


def shown(value: object, most: int = 60) -> str:
    """A value as messages quote it: however long it is, they stay short.

    >>> shown("5O"), len(shown("9" * 5000))
    ("'5O'", 60)
    """
    text = repr(value[: most + 1] if isinstance(value, str) else value)
    return text if len(text) <= most else f"{text[: most - 3]}..."


def counted(number: int, what: str) -> str:
    """A number of things, in the singular where there is one.

    >>> counted(1, "rater"), counted(2000, "judgement")
    ('1 rater', '2,000 judgements')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


class MissingExtra(AssayError, ImportError):
    """An optional package is not installed."""

    @classmethod
    def of(cls, what: str, extra: str) -> MissingExtra:
        """The error for a feature that needs ``extra``.

        The command names the packages themselves, so that it works wherever Assay came from.
        """
        packages = " ".join(_packages(extra)) or f"'assay-mt[{extra}]'"
        command = f"{shlex.quote(sys.executable)} -m pip install {packages}"
        return cls(f"{what} needs the optional packages of the extra [{extra}]. Install them with: {command}")


def _packages(extra: str) -> list[str]:
    """The packages of an extra, as the installed package declares them."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        declared = requires("assay-mt") or []
    except PackageNotFoundError:
        return []
    wanted = re.compile(rf"extra == ['\"]{re.escape(extra)}['\"]")
    return [re.split(r"[^\w.-]", line)[0] for line in declared if wanted.search(line)]


class AssayWarning(UserWarning):
    """Something was done that the user may want to know of; the command line prints it.

    ``level`` is ``note``, or ``warning`` where a number may mislead.
    """

    def __init__(self, text: str, *, level: str = "note", place: Place | None = None) -> None:
        super().__init__(_placed(text, place))
        self.text, self.level, self.place = text, level, place
