"""Statistics by name: the built-in ones, those registered, and those of installed packages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

from assay.arrays import Array
from assay.errors import ParameterError, UnknownName
from assay.people.statistics.base import GROUPINGS, Grid, Grouping, Statistic
from assay.registry import Registry
from assay.significance.draws import Draws

#: Built-in statistics and the classes that define them, in the order in which they are listed.
BUILT_IN = {
    "pearson": "assay.people.statistics.correlations:Pearson",
    "spearman": "assay.people.statistics.correlations:Spearman",
    "kendall": "assay.people.statistics.correlations:Kendall",
    "kendall-c": "assay.people.statistics.correlations:KendallC",
    "kendall-like": "assay.people.statistics.correlations:KendallLike",
    "accuracy": "assay.people.statistics.system_pairs:Accuracy",
    "acc23": "assay.people.statistics.acc23:Acc23",
    "acc23-heldout": "assay.people.statistics.acc23:Acc23HeldOut",
    "tau23": "assay.people.statistics.correlations:Tau23",
    "spa": "assay.people.statistics.system_pairs:SoftPairwiseAccuracy",
    "spa-segments": "assay.people.statistics.system_pairs:SoftPairwiseAccuracyOfSegments",
    "pearson-differences": "assay.people.statistics.system_pairs:PearsonOfDifferences",
    "pdp": "assay.people.statistics.system_pairs:PairwiseDifferencePearson",
    "kendall-wmt12": "assay.people.statistics.correlations:KendallWmt12",
    "kendall-wmt13": "assay.people.statistics.correlations:KendallWmt13",
    "kendall-wmt14": "assay.people.statistics.correlations:KendallWmt14",
}
#: Stands for all statistics, or all groupings.
ALL = "all"

S = TypeVar("S", bound=type[Statistic])

#: By their names: built-in ones first, then others by alphabet.
STATISTICS: Registry[type[Statistic]] = Registry("statistic", BUILT_IN, "assay.statistics")


def register_statistic(given: S) -> S:
    """Class decorator: make a statistic known by its name; the same class may be registered again."""
    if not (isinstance(given, type) and issubclass(given, Statistic)):
        raise ParameterError(f"{given!r} is not a subclass of assay.Statistic.")
    name = getattr(given, "name", "")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]*", name) or name == ALL:
        raise ParameterError(
            f"{given.__qualname__} needs a name of letters, digits, dots, hyphens and underscores other than 'all'."
        )
    STATISTICS.add(name, given)
    return given


def statistic(name: str) -> Statistic:
    """The statistic of that name; loads only the file that defines it.

    >>> statistic("kendall").label
    "Kendall's tau-b"
    """
    loaded = STATISTICS[name]
    if name not in BUILT_IN and getattr(register_statistic(loaded), "name", None) != name:
        raise ParameterError(f"The entry point is called {name!r}, and its statistic {loaded.name!r}.")
    return loaded()


def grid_statistic_names() -> list[str]:
    """Those that have a value on a grid of systems by segments."""
    return [name for name in STATISTICS if statistic(name).groupings]


def cells(
    level: str, statistics: Sequence[str] = (), groupings: Sequence[str] = (), *, ranked: bool = False
) -> list[tuple[str, str | None]]:
    """Statistics with their groupings that make sense at a level; none given: the usual ones.

    ``ranked`` if people ranked translations rather than scored them.
    """
    of_ranks = ranked and level == "segment"
    everything = ALL in statistics or (of_ranks and not statistics)
    names = STATISTICS if everything or not statistics else statistics
    chosen: list[tuple[str, str | None]] = []
    for each in map(statistic, names):
        if each.ranked != of_ranks or level not in each.levels:
            continue
        if level == "system" or of_ranks:
            wanted = bool(statistics) or of_ranks or each.usual
            chosen += [(each.name, None)] if wanted else []
        elif statistics or each.usual_groupings:
            wanted_groupings = groupings or (each.named_groupings if statistics else each.usual_groupings)
            chosen += [
                (each.name, grouping)
                for grouping in GROUPINGS
                if grouping in each.groupings and (ALL in groupings or grouping in wanted_groupings)
            ]
    return chosen


def of_a_grid(name: str, grouping: str) -> Statistic:
    """A statistic that has a value on a grid under a grouping."""
    known = statistic(name)
    if not known.groupings:
        raise UnknownName.of("statistic of a grid", known.name, grid_statistic_names())
    if grouping not in GROUPINGS:
        raise UnknownName.of("grouping", grouping, GROUPINGS)
    if grouping not in known.groupings:
        raise ParameterError(f"{known.name}: its grouping is {', '.join(known.groupings)}, not {grouping}.")
    return known


def on_grid(name: str, metric: Array, human: Array, draws: Draws, grouping: Grouping, *, seed: int = 1) -> Array:
    """One value per draw; NaN where it is not defined."""
    return several_on_grid([name], metric, human, draws, grouping, seed=seed)[name]


def several_on_grid(
    statistics: Sequence[str], metric: Array, human: Array, draws: Draws, grouping: Grouping, *, seed: int = 1
) -> dict[str, Array]:
    """Several statistics at once, which share what they count.

    ``seed`` is for what acc23 samples where there are too many pairs, and for the folds of acc23-heldout.
    """
    known = [of_a_grid(name, grouping) for name in statistics]
    grid = Grid.of(metric, human, draws, grouping, seed)
    return {each.name: each.of_grid(grid).values for each in known}
