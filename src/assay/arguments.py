"""Arguments of public functions: looked at by the types that they declare, before anything is done.

Options of metrics and questions are brought to their types by ``metrics/options.py``; this is for all other calls.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from functools import cache, wraps
from numbers import Integral, Real
from typing import Any, Literal, ParamSpec, TypeVar

from assay.errors import ParameterError, shown

P = ParamSpec("P")
R = TypeVar("R")
UNIONS = (types.UnionType, typing.Union)


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function that refuses arguments which are not what it declares, by their names."""

    @wraps(function)
    def call(*given: P.args, **named: P.kwargs) -> R:
        signature, hints = _declared(function)
        try:
            arguments = signature.bind(*given, **named).arguments
        except TypeError:
            # Python's own words name the function, too.
            return function(*given, **named)
        for name, value in arguments.items():
            if name in hints and not fits(value, hints[name]):
                wanted = describe_type(hints[name])
                raise ParameterError(f"{function.__name__}: {name} is {shown(value)}, but it takes {wanted}.")
        return function(*given, **named)

    return call


@cache
def _declared(function: Callable[..., Any]) -> tuple[inspect.Signature, dict[str, Any]]:
    """The arguments that a function takes, and the types of those whose names are known where it stands."""
    signature, hints = inspect.signature(function), {}
    for name, parameter in signature.parameters.items():
        single = parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        if single and isinstance(parameter.annotation, str):
            try:
                hints[name] = eval(parameter.annotation, function.__globals__)
            except NameError:
                # Imported for type checkers alone.
                continue
    return signature, hints


def check_fields(owner: Any, *left: str) -> None:
    """Refuse values of a dataclass that are not what its fields declare; those that are ``left`` it sees to itself."""
    for name, hint in declared_fields(owner.__class__).items():
        value = getattr(owner, name)
        if name not in left and not fits(value, hint):
            kind = type(owner).__name__
            raise ParameterError(f"{kind}: {name} is {shown(value)}, but it takes {describe_type(hint)}.")


@cache
def declared_fields(cls: type[Any]) -> dict[str, Any]:
    """The types of the fields that one gives a dataclass."""
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.init}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is what a type says; of lists that may be read but once, the items are not looked at."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in UNIONS:
        return any(fits(value, choice) for choice in inner)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if hint in (None, types.NoneType):
        return value is None
    if hint in (int, float):
        return isinstance(value, Integral if hint is int else Real) and not isinstance(value, bool)
    if origin is Callable:
        return callable(value) and not isinstance(value, type)
    if origin is not None and issubclass(origin, Mapping):
        return isinstance(value, Mapping) and all(fits(key, inner[0]) and fits(value[key], inner[1]) for key in value)
    if origin is not None and origin.__module__ in ("builtins", "collections.abc"):
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            return False
        if not isinstance(value, Collection) or {*map(type, value)} <= {inner[0]}:
            return True
        return all(fits(item, inner[0]) for item in value)
    known = origin or hint
    return known is Any or not isinstance(known, type) or isinstance(value, known)


def describe_type(hint: Any) -> str:
    """What an argument of this type takes, in words."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in UNIONS:
        return " or ".join(dict.fromkeys(map(describe_type, inner)))
    if origin is Literal:
        return ", ".join(str(known) for known in inner)
    if origin is tuple:
        return f"a list such as [a,b], each {describe_type(inner[0])}"
    if origin is Callable:
        return "a function"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"a dictionary of names, each with {describe_type(inner[1])}"
    if origin is not None and origin.__module__ in ("builtins", "collections.abc"):
        return f"a list, each {describe_type(inner[0])}"
    hint = origin or hint
    names = {
        str: "a word",
        int: "a whole number",
        float: "a finite number",
        bool: "true or false",
        types.NoneType: "none",
    }
    if hint in names or not isinstance(hint, type):
        return names.get(hint, str(hint))
    return f"{'an' if hint.__name__[0] in 'AEIOU' else 'a'} {hint.__name__}"
