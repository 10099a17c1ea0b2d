"""Things that can be added: built in under a name, or announced by an installed package as an entry point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from assay.errors import AssayError, ParameterError, UnknownName
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
        return {entry.name: entry for entry in entry_points(group=self.group)}

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
            entry = self._announced[name]
            try:
                loaded = entry.load()
            except AssayError:
                raise
            except Exception as error:
                raise ParameterError(f"The {self.kind} {name!r} of {entry.value} cannot be loaded: {error}") from error
        return loaded
