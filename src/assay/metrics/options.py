"""Values of metric options: brought to the type that the field declares, or refused with what it takes."""

from __future__ import annotations

import math
import types
import typing
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from assay.errors import ParameterError

_UNFIT = object()


_UNIONS = (types.UnionType, typing.Union)

#: The types that the fields of a dataclass declare.
declared_types = lru_cache(maxsize=256)(typing.get_type_hints)


def fit_option(metric_name: str, name: str, value: Any, hint: Any) -> Any:
    """``value`` as ``hint`` declares it.

    >>> fit_option("chrf", "beta", 2, float)
    2.0
    """
    fitted = _fit(value, hint)
    if fitted is not _UNFIT:
        return fitted
    given = f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else repr(value)
    raise ParameterError(f"{metric_name}: {name} is {given}, but it takes {describe_type(hint)}.")


def _fit(value: Any, hint: Any) -> Any:
    if type(value) is hint and hint in (bool, int, str):
        return value
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in _UNIONS:
        if value is None and types.NoneType in arguments:
            return None
        fitted_choices = (_fit(value, choice) for choice in arguments)
        return next((fitted for fitted in fitted_choices if fitted is not _UNFIT), _UNFIT)
    if origin is Literal:
        spelled = "none" if value is None else str(value)
        return next((known for known in arguments if str(known) == spelled), _UNFIT)
    if origin is tuple:
        items = list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value]
        fitted = tuple(_fit(item, arguments[0]) for item in items)
        return _UNFIT if _UNFIT in fitted else fitted
    if hint is str:
        # "none" names a tokenizer and a normal form as well as no value at all.
        return "none" if value is None else str(value) if isinstance(value, (str, int)) else _UNFIT
    if hint is types.NoneType:
        return _UNFIT
    if hint is bool:
        return bool(value) if isinstance(value, (bool, np.bool_)) else _UNFIT
    if hint in (int, float):
        return _fit_number(value, hint)
    # A field of a type of its own (a fitted table, say) is not an option that anybody types.
    return value


def _fit_number(value: Any, hint: type) -> Any:
    if isinstance(value, bool) or not hasattr(value, "__float__") or isinstance(value, str):
        return _UNFIT
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return _UNFIT
    if not math.isfinite(number):
        return _UNFIT
    if hint is float:
        return number
    return int(number) if number.is_integer() else _UNFIT


def describe_type(hint: Any) -> str:
    """What an option of this type takes, in words."""
    if typing.get_origin(hint) in _UNIONS:
        return " or ".join(describe_type(choice) for choice in typing.get_args(hint))
    if typing.get_origin(hint) is Literal:
        return ", ".join(str(known) for known in typing.get_args(hint))
    if typing.get_origin(hint) is tuple:
        return f"a list such as [a,b], each {describe_type(typing.get_args(hint)[0])}"
    names = {
        str: "a word",
        int: "a whole number",
        float: "a finite number",
        bool: "true or false",
        types.NoneType: "none",
    }
    return names.get(hint, str(hint))
