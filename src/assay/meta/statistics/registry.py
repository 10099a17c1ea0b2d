"""Every statistic by name: what it is, whose it is, and where it makes sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assay.errors import UnknownName
from assay.meta.statistics.grids import GROUPINGS, Grouping

Level = Literal["system", "document", "segment"]
LEVELS: tuple[Level, ...] = ("system", "document", "segment")


@dataclass(frozen=True)
class Statistic:
    """A way to say how far a metric follows people."""

    name: str
    label: str
    summary: str
    source: str
    levels: tuple[Level, ...]
    #: At document and segment level; the first is the usual one. At system level there is nothing to group.
    groupings: tuple[Grouping, ...]
    #: So many systems (at system level) or items of a group are needed for a value.
    minimum: int


_ALL: tuple[Level, ...] = ("system", "document", "segment")
_BELOW: tuple[Level, ...] = ("document", "segment")

_LISTED = (
    Statistic(
        "pearson",
        "Pearson's r",
        "how close the scores are to a straight line",
        "Pearson (1895)",
        _ALL,
        ("none", "item", "system"),
        2,
    ),
    Statistic(
        "spearman",
        "Spearman's rho",
        "Pearson's r of ranks; ties share their mean rank",
        "Spearman (1904)",
        _ALL,
        ("none", "item", "system"),
        2,
    ),
    Statistic(
        "kendall",
        "Kendall's tau-b",
        "pairs ordered alike less pairs ordered unlike, by the pairs that differ on each side",
        "Kendall (1945)",
        _ALL,
        ("none", "item", "system"),
        2,
    ),
    Statistic(
        "kendall-c",
        "Kendall's tau-c",
        "the same numerator, by the most it could be with so few distinct values",
        "Stuart (1953)",
        _ALL,
        ("none", "item", "system"),
        2,
    ),
    Statistic(
        "kendall-like",
        "Kendall-like (WMT17-20)",
        "only pairs that people set 25 points apart; a metric tie counts as wrong",
        "Bojar et al. (2017)",
        _BELOW,
        ("item",),
        2,
    ),
    Statistic(
        "accuracy",
        "pairwise accuracy",
        "the share of pairs of systems that metric and people order alike",
        "Kocmi et al. (2021)",
        ("system",),
        (),
        2,
    ),
    Statistic(
        "acc23",
        "acc23, calibrated",
        "the share of pairs ordered alike, ties among them, at the metric's best tie threshold",
        "Deutsch et al. (2023)",
        _BELOW,
        ("item", "none", "system"),
        2,
    ),
    Statistic(
        "acc23-heldout",
        "acc23, held-out threshold",
        "acc23 with a tie threshold from other segments than those it is judged on",
        "after Deutsch et al. (2023)",
        _BELOW,
        ("item", "none", "system"),
        2,
    ),
    Statistic(
        "tau23",
        "tau23",
        "pairs that agree less pairs that do not, by all pairs; ties count as they are",
        "Deutsch et al. (2023)",
        _BELOW,
        ("item", "none", "system"),
        2,
    ),
    Statistic(
        "spa",
        "soft pairwise accuracy",
        "1 less the mean distance between the metric's and people's p-values for pairs of systems",
        "Thompson et al. (2024)",
        ("system",),
        (),
        2,
    ),
    Statistic(
        "pearson-differences",
        "Pearson's r of differences",
        "Pearson's r of the differences between pairs of systems, better less worse",
        "Coughlin (2003); Lavie et al. (2004)",
        ("system",),
        (),
        3,
    ),
)

#: By name, in the order in which they are listed.
STATISTICS: dict[str, Statistic] = {statistic.name: statistic for statistic in _LISTED}


#: How each year of WMT counted a metric's ties, by the statistic's name.
OF_RANKINGS = {"kendall-wmt12": "wmt12", "kendall-wmt13": "wmt13", "kendall-wmt14": "wmt14"}

_TIES = {
    "wmt12": "a metric's tie counts as wrong",
    "wmt13": "a metric's tie does not count",
    "wmt14": "a metric's tie counts neither way, but is there",
}

#: Those of scores, and those of rankings.
KNOWN: dict[str, Statistic] = {
    **STATISTICS,
    **{
        name: Statistic(
            name,
            f"Kendall's tau ({variant.upper()})",
            f"pairs that people ranked, ordered alike less ordered unlike; {_TIES[variant]}",
            "Callison-Burch et al. (2012); Macháček and Bojar (2013, 2014)",
            ("segment",),
            (),
            1,
        )
        for name, variant in OF_RANKINGS.items()
    },
}

#: Stands for all statistics, or all groupings.
ALL = "all"
#: What is measured unless somebody says otherwise; grouping is of segments or documents.
USUAL: dict[str, tuple[tuple[str, str | None], ...]] = {
    "system": tuple(
        (name, None) for name in ("pearson", "spearman", "kendall", "accuracy", "spa", "pearson-differences")
    ),
    "items": (
        ("pearson", "none"),
        ("spearman", "none"),
        ("kendall", "none"),
        ("kendall", "item"),
        ("acc23", "item"),
        ("acc23-heldout", "item"),
    ),
}


def cells(
    level: str, statistics: Sequence[str] = (), groupings: Sequence[str] = (), *, ranked: bool = False
) -> list[tuple[str, str | None]]:
    """Statistics with their groupings that make sense at a level; none given: the usual ones.

    ``ranked`` if people ranked translations rather than scored them.
    """
    usual = USUAL["system" if level == "system" else "items"]
    if ranked and level == "segment":
        everything = ALL in statistics or not statistics
        return [(name, None) for name in OF_RANKINGS if everything or name in statistics]
    if not statistics and not groupings:
        return list(usual)
    names = tuple(KNOWN) if ALL in statistics else statistics or tuple(dict.fromkeys(name for name, _ in usual))
    found: list[tuple[str, str | None]] = []
    for name in names:
        if name in OF_RANKINGS or level not in KNOWN[name].levels:
            continue
        found += [(name, None)] if level == "system" else [(name, one) for one in _groupings(name, groupings)]
    return found


def _groupings(name: str, wanted: Sequence[str]) -> Sequence[str]:
    """The groupings to take a statistic under."""
    known = [grouping for grouping in GROUPINGS if grouping in KNOWN[name].groupings]
    if ALL in wanted:
        return known
    if wanted:
        return [grouping for grouping in known if grouping in wanted]
    # Tie thresholds over all pairs of all segments take a minute, and nobody reports them.
    usual = ("item",) if name.startswith("acc23") else ("none", "item")
    return [grouping for grouping in known if grouping in usual]


def statistic(name: str) -> Statistic:
    """The statistic of that name.

    >>> statistic("kendall").label
    "Kendall's tau-b"
    """
    if name not in STATISTICS:
        raise UnknownName.of("statistic", name, STATISTICS)
    return STATISTICS[name]


def statistics_at(level: Level) -> list[Statistic]:
    """Those that make sense at a level.

    >>> [found.name for found in statistics_at("system")]
    ['pearson', 'spearman', 'kendall', 'kendall-c', 'accuracy', 'spa', 'pearson-differences']
    """
    return [found for found in _LISTED if level in found.levels]
