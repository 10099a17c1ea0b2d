"""Metrics as text: ``bleu(order=2,smoothing=add-k)`` reads and prints."""

from __future__ import annotations

import re
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

from assay.errors import ParameterError

if TYPE_CHECKING:
    from assay.metrics.base import Metric

#: Options of every metric: they make its recipe.
TEXT_OPTIONS = ("normalize", "lowercase", "tokenize", "remove_punctuation", "stem")

#: Values that need no quotes.
_PLAIN = re.compile(r"[^\s\"'(),=\[\]]+")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)", re.IGNORECASE)


def spell(metric: Metric, *, all_fields: bool = False) -> str:
    """What one would type to get ``metric``: fields that differ from their defaults, or all of them."""
    written = []
    for field in option_fields(type(metric)):
        value = getattr(metric, field.name)
        if all_fields or field.default is MISSING or value != field.default:
            written.append(f"{field.name}={spell_value(value)}")
    return f"{metric.name}({','.join(written)})" if written else metric.name


def option_fields(cls: type[Metric]) -> list[Field[Any]]:
    """The fields that anybody types: the metric's own first, then those of its recipe."""
    shown = [field for field in fields(cls) if field.init and field.repr]
    return sorted(shown, key=lambda field: field.name in TEXT_OPTIONS)


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
        options[key] = read_value(value.strip(), text)
    return name, options


def read_value(text: str, where: str) -> Any:
    """A number, true, false, none, a list in square brackets, a quoted or a plain word."""
    if text.startswith("[") and text.endswith("]"):
        return tuple(read_value(part, where) for part in split_list(text[1:-1]))
    if len(text) >= 2 and text[0] in "\"'" and text[-1] == text[0]:
        return text[1:-1].replace(text[0] * 2, text[0])
    word = text.lower()
    if word in {"true", "false"}:
        return word == "true"
    if word == "none":
        return None
    if _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[+-]?\d{1,18}", text) else float(text)
    if _PLAIN.fullmatch(text):
        return text
    raise ParameterError(f"Cannot read the value {text!r} in the metric {where!r}. Put it in quotes.")
