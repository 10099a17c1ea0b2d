"""Everything that Assay raises on purpose.

::

    AssayError
    ├── InputError (ValueError)          texts, files or judgements that cannot be used
    ├── ParameterError (ValueError)      an option with an impossible value
    ├── UnknownName (LookupError)        no metric, option, tokenizer or system of that name
    └── MissingExtra (ImportError)       an optional package is needed; the message says which

    AssayWarning (UserWarning)           nothing is wrong, but somebody should know

A message says where, what, and what to do. The command line prints it and exits with 2.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class AssayError(Exception):
    """The root: ``except assay.AssayError`` catches whatever Assay raises on purpose."""


class InputError(AssayError, ValueError):
    """Texts, files or judgements that cannot be used as they are."""


class ParameterError(AssayError, ValueError):
    """An option has a value that its metric cannot work with."""


class UnknownName(AssayError, LookupError):
    """A name that nothing answers to; the message offers the nearest ones."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str]) -> UnknownName:
        """The error for ``name``, with what the user may have meant.

        >>> print(UnknownName.of("metric", "blue", ["bleu", "chrf"]))
        There is no metric 'blue'. Did you mean 'bleu'? Known: bleu, chrf.
        """
        names = sorted(known)
        near = nearest(name, names)
        guess = f" Did you mean {near!r}?" if near else ""
        listed = f" Known: {', '.join(names)}." if names else ""
        return cls(f"There is no {kind} {name!r}.{guess}{listed}")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """What somebody may have meant, capitals aside.

    >>> nearest("BLUE", ["bleu", "chrf"])
    'bleu'
    """
    folded = {candidate.casefold(): candidate for candidate in known}
    near = difflib.get_close_matches(name.casefold(), folded, n=1, cutoff=0.5)
    return folded[near[0]] if near else None


class MissingExtra(AssayError, ImportError):
    """An optional package is not installed."""

    @classmethod
    def of(cls, what: str, extra: str) -> MissingExtra:
        """The error for a feature that needs ``extra``."""
        return cls(f"{what} needs an optional package. Install it with: pip install 'assay-mt[{extra}]'")


class AssayWarning(UserWarning):
    """Something was done that the user may want to know of; the command line prints it.

    ``level`` is ``note``, or ``warning`` where a number may mislead.
    """

    def __init__(self, text: str, *, level: str = "note") -> None:
        super().__init__(text)
        self.level = level
