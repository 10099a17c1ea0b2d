"""Options of metrics and questions: read from text, brought to the type that a field declares, and printed again.

``bleu(order=2,smoothing=add-k)`` reads and prints.
"""

from __future__ import annotations

import math
import re
import types
import typing
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from assay.arguments import UNIONS, describe_type
from assay.errors import AssayError, ParameterError

if TYPE_CHECKING:
    from assay.metrics.base import Metric

#: Options of every metric: they make its recipe.
TEXT_OPTIONS = ("normalize", "lowercase", "tokenize", "remove_punctuation", "stem")

#: Values that need no quotes.
_PLAIN = re.compile(r"[^\s\"'(),=\[\]]+")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE | re.ASCII)
_UNFIT = object()

#: The types that the fields of a dataclass declare.
declared_types: Callable[[type[Any]], dict[str, Any]] = lru_cache(maxsize=256)(typing.get_type_hints)  # type: ignore[assignment]


class Options:
    """A frozen dataclass whose fields people choose: each is brought to what it declares, or refused.

    A field's metadata may say more: ``parse`` makes its value; ``least`` and ``most`` bound it; where ``repeat`` is
    there, a list may come as one text, with commas between unless it is true. ``takes`` are the words that it takes, or
    what they stand for, where the type does not list them.
    """

    name: ClassVar[str] = "assay"

    def __post_init__(self) -> None:
        hints = declared_types(type(self))
        for field in fields(self):  # type: ignore[arg-type]
            value, hint, meta = getattr(self, field.name), hints[field.name], field.metadata
            if meta.get("parse") is not None:
                try:
                    object.__setattr__(self, field.name, meta["parse"](value))
                except AssayError:
                    raise
                except (AttributeError, TypeError, ValueError, OverflowError) as error:
                    raise self._refused(field, hint, value) from error
                continue
            if "repeat" in meta and typing.get_origin(hint) is tuple and (value is None or isinstance(value, str)):
                value = () if value is None else (value,) if meta["repeat"] else split_list(value)
            fitted = _fit(value, hint)
            if fitted is _UNFIT:
                raise self._refused(field, hint, value)
            object.__setattr__(self, field.name, fitted)
            if meta.get("least") is not None:
                self._check_range(field)
        self.check()

    def _refused(self, field: Field[Any], hint: Any, value: Any) -> ParameterError:
        given = f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else repr(value)
        return ParameterError(f"{self.name}: {field.name} is {given}, but it takes {describe_option(field, hint)}.")

    def check(self) -> None:
        """Refuse values that have the right type and make no sense."""

    def require(self, sound: bool, option: str, wanted: str) -> None:
        """Raise unless ``sound``: for use in ``check``."""
        if not sound:
            value = spell_value(getattr(self, option))
            raise ParameterError(f"{self.name}: {option} is {value}, but it takes {wanted}.")

    def _check_range(self, field: Field[Any]) -> None:
        value, least, most = getattr(self, field.name), field.metadata["least"], field.metadata["most"]
        for number in value if isinstance(value, tuple) else () if value is None else (value,):
            if number < least or (most is not None and number > most):
                bounds = f"of at least {least:g}" if most is None else f"from {least:g} to {most:,}"
                kind = "a whole number" if isinstance(number, int) else "a number"
                raise ParameterError(
                    f"{self.name}: {field.name} is {spell_value(number)}, but it takes {kind} {bounds}."
                )


def _fit(value: Any, hint: Any) -> Any:
    if type(value) is hint and hint in (bool, int, str):
        return value
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in UNIONS:
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
        return _UNFIT if any(item is _UNFIT for item in fitted) else fitted
    if hint is str:
        # "none" names a tokenizer and a normal form as well as no value at all.
        sound = isinstance(value, (str, int)) and not isinstance(value, bool)
        return "none" if value is None else str(value) if sound else _UNFIT
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


def read_typed(text: str, hint: Any, owner: str) -> Any:
    """An option's text on a command line as its type has it; lists have commas between."""
    kinds = (hint, *typing.get_args(hint))
    if str in kinds or any(typing.get_origin(kind) is Literal for kind in kinds):
        return text if typing.get_origin(hint) is not tuple else tuple(split_list(text))
    if typing.get_origin(hint) is tuple:
        return tuple(_read_value(part, owner) for part in split_list(text))
    return _read_value(text, owner)


def describe_option(field: Field[Any], hint: Any) -> str:
    """What an option takes, in words."""
    return field.metadata.get("takes") or (describe_type(hint) if hint is not Any else field.metadata["metavar"])


def spell(
    metric: Metric, *, all_fields: bool = False, also: Collection[str] = (), usual: Mapping[str, Any] | None = None
) -> str:
    """What one would type to get ``metric``: fields that differ from their defaults, and ``also`` these, or all.

    ``usual`` are other values than the defaults that need not be said. A field whose metadata says that it came
    ``later`` never shows its default: signatures and model files from before say the same.
    """
    usual = usual or {}
    written = []
    for field in metric.said_fields:
        value = getattr(metric, field.name)
        shown = (all_fields and not field.metadata.get("later")) or field.name in also
        default = usual.get(field.name, field.default)
        if shown or default is MISSING or value != default:
            written.append(f"{field.name}={spell_value(value)}")
    return f"{metric.name}({','.join(written)})" if written else metric.name


def option_fields(cls: type[Metric]) -> list[Field[Any]]:
    """The fields that anybody types: the metric's own first, then its average, then those of its recipe."""
    shown = [field for field in fields(cls) if field.init and field.repr]
    return sorted(shown, key=lambda field: (field.name in TEXT_OPTIONS, field.name == "average"))


def is_required(field: Field[Any]) -> bool:
    """Whether a field has no default."""
    return field.default is MISSING and field.default_factory is MISSING


def spell_value(value: Any) -> str:
    """One value as it is typed.

    >>> [spell_value(value) for value in (True, None, 2.0, "add-k", (0.5, 0.5), "my model.spm")]
    ['true', 'none', '2', 'add-k', '[0.5,0.5]', '"my model.spm"']
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, tuple):
        return f"[{','.join(spell_value(item) for item in value)}]"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else '"' + text.replace('"', '""') + '"'


def split_list(text: str) -> list[str]:
    """Cut ``bleu,chrf(word_order=2)`` at the commas that stand outside of brackets and quotes."""
    parts = [""]
    depth, quote = 0, ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in "([":
            depth += 1
        elif character in ")]":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append("")
            continue
        parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def read(text: str) -> tuple[str, dict[str, Any]]:
    """The name and the options in one metric's spelling.

    >>> read("bleu(order=2, weights=[0.7,0.3], smoothing=add-k)")
    ('bleu', {'order': 2, 'weights': (0.7, 0.3), 'smoothing': 'add-k'})
    """
    match = re.fullmatch(r"\s*([^\s(]+)\s*(?:\((.*)\)\s*)?", text, re.DOTALL)
    if match is None:
        raise ParameterError(f"Cannot read the metric {text!r}. Write name, or name(option=value,option=value).")
    name, inside = match.groups()
    options: dict[str, Any] = {}
    for part in split_list(inside or ""):
        key, equals, value = part.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key:
            raise ParameterError(f"Cannot read {part!r} in the metric {text!r}. Options are written option=value.")
        if key in options:
            raise ParameterError(f"The metric {text!r} gives {key} twice.")
        options[key] = _read_value(value.strip(), text)
    return name, options


def _read_value(text: str, where: str) -> Any:
    """A number, true, false, none, a list in square brackets, a quoted or a plain word."""
    if text.startswith("[") and text.endswith("]"):
        return tuple(_read_value(part, where) for part in split_list(text[1:-1]))
    if len(text) >= 2 and text[0] in "\"'" and text[-1] == text[0]:
        return text[1:-1].replace(text[0] * 2, text[0])
    word = text.lower()
    if word in {"true", "false"}:
        return word == "true"
    if word == "none":
        return None
    if _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else float(text)
    if _PLAIN.fullmatch(text):
        return text
    raise ParameterError(f"Cannot read the value {text!r} in the metric {where!r}. Put it in quotes.")
