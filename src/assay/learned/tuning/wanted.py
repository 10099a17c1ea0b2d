"""Which numbers of a metric are to be tuned."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from assay.errors import ParameterError, UnknownName
from assay.metrics.base import Metric
from assay.metrics.registry import BUILT_IN
from assay.metrics.registry import metric as named_metric
from assay.metrics.tunable import Tunable

#: Stands for all parameters.
ALL = "all"
#: Counts of the text that take longer than anybody waits.
MOST_COUNTS = 64


def wanted_tunables(metric: Metric, names: Sequence[str]) -> tuple[Tunable, ...]:
    """The tunables of these names; without names those of the formula alone, or all where there are none.

    A name may be an option that holds several numbers: ``weights`` is ``weights[2]``, ``weights[3]`` and so on.
    """
    known = metric.tunables
    if not known:
        able = ", ".join(name for name in BUILT_IN if _is_tunable(name))
        raise ParameterError(f"{metric.name} has no parameters to tune. These metrics have: {able}.")
    for name in names:
        if name not in {one.name for one in known} | {one.option for one in known} | {ALL}:
            raise UnknownName.of(f"parameter of {metric.name}", name, [*(one.name for one in known), ALL])
    return _named(known, names)


def moving(metric: Metric, names: Sequence[str]) -> list[Tunable]:
    """Of a variant of the metric the numbers that are looked for on the same rows."""
    return [one for one in _named(metric.tunables, names) if one.changes != "rows"]


def _named(known: tuple[Tunable, ...], names: Sequence[str]) -> tuple[Tunable, ...]:
    if ALL in names:
        return known
    if not names:
        return tuple(one for one in known if one.changes == "formula") or known
    return tuple(one for one in known if one.name in names or one.option in names)


def _is_tunable(name: str) -> bool:
    try:
        return bool(named_metric(name).tunables)
    except ParameterError:
        # It needs an option, as a predictor needs its file.
        return False


def counted_variants(wanted: Sequence[Tunable]) -> list[dict[str, float]]:
    """The values of what changes rows, each combination once, the present one first."""
    discrete = [one for one in wanted if one.changes == "rows"]
    listed = [sorted({one.start, *one.values}) for one in discrete]
    found = [dict(zip((one.name for one in discrete), values, strict=True)) for values in product(*listed)]
    if len(found) > MOST_COUNTS:
        counts = ", ".join(f"{len(values)} of {one.name}" for one, values in zip(discrete, listed, strict=True))
        raise ParameterError(
            f"Text would be counted {len(found)} times ({counts}). Tune fewer of these at once: --parameters NAME,..."
        )
    present = {one.name: one.start for one in discrete}
    return [present, *(values for values in found if values != present)]
