"""Things that can be added: built in under a name, or announced by an installed package as an entry point."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

from assay.errors import AssayError, AssayWarning, ParameterError, UnknownName
from assay.properties import cached_property

T = TypeVar("T")


@dataclass(eq=False)
class Registry(Generic[T]):
    """One kind of thing by name; a thing is loaded when somebody asks for it."""

    kind: str
    #: Where each is: ``module:attribute``.
    built_in: Mapping[str, str]
    #: The group of entry points in which packages announce further ones.
    group: str
    #: What this process brings itself.
    added: dict[str, Any] = field(default_factory=dict)

    def add(self, name: str, thing: Any) -> None:
        """Make a class known; the same one may come again, as in notebooks, and another of its name is an error."""
        known = self.added.get(name, thing)
        first = self.built_in.get(name, f"{known.__module__}:{known.__qualname__}")
        second = f"{thing.__module__}:{thing.__qualname__}"
        if first != second:
            raise ParameterError(
                f"Two {self.kind}s are called {name!r}: {first} and {second}. Give one of them another name."
            )
        self.added[name] = thing

    @cached_property
    def _announced(self) -> dict[str, Any]:
        """Entry points by name; what cannot be meant, because its name is taken or cannot be typed, is said."""
        # Imported where it is needed: most commands name nothing but what is built in.
        from importlib.metadata import entry_points

        known: dict[str, Any] = {}
        for entry in entry_points(group=self.group):
            taken = self.built_in.get(entry.name) or getattr(known.get(entry.name), "value", None)
            if not entry.name.isprintable():
                self._mention(f"The {self.kind} {entry.name!a} of {entry.value} is left out: nobody can type its name.")
            elif taken in (None, entry.value):
                known[entry.name] = entry
            else:
                self._mention(f"The {self.kind} {entry.name!r} of {entry.value} is left out: {taken} has that name.")
        return known

    @staticmethod
    def _mention(text: str) -> None:
        warnings.warn(AssayWarning(text, level="warning"), stacklevel=4)

    def __iter__(self) -> Iterator[str]:
        """All names: built-in ones first, then others by alphabet; who looks for one of the first asks no package."""
        yield from self.built_in
        yield from sorted({*self.added, *self._announced} - self.built_in.keys())

    def __getitem__(self, name: str) -> T:
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            loaded: T = getattr(import_module(module), attribute)
        elif name in self.added:
            loaded = self.added[name]
        elif name not in self._announced:
            raise UnknownName.of(self.kind, name, self)
        else:
            loaded = self._load(name)
        return loaded

    def _load(self, name: str) -> T:
        """What an entry point leads to, whatever happens on the way; what it prints is not part of any answer."""
        entry, printed = self._announced[name], io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="replace")
        try:
            with redirect_stdout(printed):
                loaded: T = entry.load()
        except (AssayError, KeyboardInterrupt):
            raise
        except BaseException as error:
            reason = f"it calls sys.exit({error})" if isinstance(error, SystemExit) else error
            raise ParameterError(f"The {self.kind} {name!r} of {entry.value} cannot be loaded: {reason}") from error
        if printed.closed or printed.tell():
            self._mention(f"What {entry.value} prints when the {self.kind} {name!r} is loaded is left out.")
        return loaded
