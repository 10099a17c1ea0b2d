"""What ``assay store`` can do, by name."""

from __future__ import annotations

from importlib import import_module

from assay.errors import UnknownName
from assay.questions.base import Question
from assay.results.result import Column, Result, View

#: What is done to a store, and the classes that do it.
STORE = {"create": "manage:Create", "check": "manage:Check", "remove": "manage:Remove", "merge": "manage:Merge"}


def store_class(name: str) -> type[Question]:
    """The class behind a name."""
    if name not in STORE:
        raise UnknownName.of("command of assay store", name, STORE)
    module, _, cls = STORE[name].partition(":")
    found: type[Question] = getattr(import_module(f"assay.questions.kept.{module}"), cls)
    return found


def list_store() -> Result:
    """A row for each."""
    rows = [{"command": f"assay store {name}", "what it does": store_class(name).question} for name in STORE]
    return Result("store", {"commands": rows}, (View("", "commands", tuple(Column(name) for name in rows[0])),))
