"""Metrics by name: the built-in ones, those registered, and those of installed packages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any, TypeVar

from assay.errors import AssayError, ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.options import is_required, option_fields, read, split_list

#: Built-in metrics and the modules that define them, in the order of ``assay metrics``.
BUILT_IN = {
    "bleu": "bleu",
    "modbleu": "modbleu",
    "nist": "nist",
    "chrf": "chrf",
    "ter": "ter",
    "hter": "hter",
    "wer": "wer",
    "cer": "wer",
    "per": "per",
    "meteor": "meteor",
    "precision": "unigrams",
    "recall": "unigrams",
    "f1": "unigrams",
    "fmean": "unigrams",
    "gtm": "gtm",
    "blanc": "blanc",
    # From a room above, which nothing here imports by itself.
    "predictor": "assay.learned.predictor",
}

#: What is computed when nobody says.
DEFAULT_METRICS = ("bleu", "chrf")

#: Packages announce metrics of their own under this group of entry points.
ENTRY_POINTS = "assay.metrics"

M = TypeVar("M", bound=Metric)

_registered: dict[str, type[Metric]] = {}


def register(metric: type[M]) -> type[M]:
    """Class decorator: make a metric known by its name.

    The same class may be registered again, as notebooks do; another one of the same name is an error.
    """
    if not (isinstance(metric, type) and issubclass(metric, Metric)):
        raise ParameterError(f"{metric!r} is not a subclass of assay.Metric.")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", getattr(metric, "name", "")):
        raise ParameterError(
            f"{metric.__qualname__} needs a name of letters, digits, dots, hyphens and underscores: "
            f'name: ClassVar[str] = "my-metric".'
        )
    known = _registered.get(metric.name)
    if known is not None and (known.__module__, known.__qualname__) != (metric.__module__, metric.__qualname__):
        raise ParameterError(
            f"Two metrics are called {metric.name!r}: {known.__module__}.{known.__qualname__} and "
            f"{metric.__module__}.{metric.__qualname__}. Give one of them another name."
        )
    _registered[metric.name] = metric
    return metric


def metric_class(name: str) -> type[Metric]:
    """The class behind a name; loads only the file that defines it."""
    if name in BUILT_IN:
        module = BUILT_IN[name]
        import_module(module if "." in module else f"assay.metrics.{module}")
    elif name not in _registered:
        _load_entry_point(name)
    if name not in _registered:
        raise UnknownName.of("metric", name, metric_names())
    return _registered[name]


def metric_names() -> list[str]:
    """All names: built-in ones first, then others by alphabet."""
    others = set(_registered) | {entry.name for entry in _entry_points()}
    return [*BUILT_IN, *sorted(others - set(BUILT_IN))]


def metric(name: str, **options: Any) -> Metric:
    """A metric by its name or spelling: ``metric("bleu", order=2)`` is ``metric("bleu(order=2)")``."""
    if not isinstance(name, str):
        raise ParameterError(f"A metric is named by a string such as 'bleu(order=2)', not by {name!r}.")
    name, spelled = read(name)
    cls = metric_class(name)
    twice = set(spelled) & set(options)
    if twice:
        raise ParameterError(f"{name}: {', '.join(sorted(twice))} given twice.")
    options = spelled | options
    known = {field.name: field for field in option_fields(cls)}
    for option in options:
        if option not in known:
            raise UnknownName.of(f"option of {name}", option, known)
    try:
        return cls(**options)
    except TypeError:
        missing = [option for option, field in known.items() if is_required(field) and option not in options]
        if not missing:
            raise
        raise ParameterError(f"{name} needs {', '.join(missing)}: {name}({missing[0]}=...).") from None


def metrics(given: Iterable[str | Metric] | str | Metric) -> list[Metric]:
    """Metrics out of spellings and metrics; one string may hold several, with commas between."""
    items = [given] if isinstance(given, (str, Metric)) else list(given)
    found: list[Metric] = []
    for item in items:
        found += [item] if isinstance(item, Metric) else [metric(part) for part in split_list(item)]
    doubled = {str(one) for one in found if found.count(one) > 1}
    if doubled:
        raise ParameterError(f"Asked for twice: {', '.join(sorted(doubled))}.")
    if not found:
        raise ParameterError("No metric was named.")
    return found


def heading(metric: Metric, among: Iterable[Metric]) -> str:
    """How tables head a metric's column: its label, or its spelling where options or another metric ask for it.

    An arrow says which way is better.
    """
    twice = [other.label for other in among].count(metric.label) > 1
    plain = str(metric) == metric.name
    return f"{metric.label if plain and not twice else metric} {'↑' if metric.higher_is_better else '↓'}"


def _entry_points() -> list[Any]:
    from importlib.metadata import entry_points

    return list(entry_points(group=ENTRY_POINTS))


def _load_entry_point(name: str) -> None:
    for entry in _entry_points():
        if entry.name != name:
            continue
        try:
            loaded = entry.load()
        except AssayError:
            raise
        except Exception as error:
            raise ParameterError(f"The metric {name!r} of {entry.value} cannot be loaded: {error}") from error
        if not (isinstance(loaded, type) and issubclass(loaded, Metric)):
            raise ParameterError(f"The entry point {entry.value} of metric {name!r} is not an assay.Metric.")
        if loaded.name != name:
            raise ParameterError(
                f"The entry point {name!r} leads to a metric called {loaded.name!r}. Give both one name."
            )
        register(loaded)
