"""What a meta-evaluation is asked for, checked before any work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assay.errors import ParameterError, UnknownName
from assay.meta.known import KNOWN, OF_RANKINGS
from assay.significance.corrections import CORRECTIONS

LEVELS = ("system", "document", "segment")
#: What is drawn: ``points`` are systems and segments at the system level, and segments below it.
RESAMPLES = ("points", "segments", "systems", "both")
#: What each of them is, in words.
DRAWN = {
    "points": "segments, at the system level of systems too",
    "segments": "segments",
    "systems": "systems",
    "both": "segments and systems",
}
SCOPES = ("judged", "all")
UNITS = ("segment", "document")
GROUPINGS = ("none", "item", "system")
#: Tests between two metrics.
TESTS = ("perm-both", "williams", "wilcoxon", "none")

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
#: Stands for all statistics, or all groupings.
ALL = "all"

Names = Iterable[str] | str | None


@dataclass(frozen=True)
class Request:
    """What is to be measured, and how; checked when it is made."""

    levels: tuple[str, ...]
    #: None of them means the usual ones.
    statistics: tuple[str, ...] = ()
    groupings: tuple[str, ...] = ()
    scope: str = "judged"
    resample: str = "points"
    unit: str = "segment"
    samples: int = 1000
    seed: int = 1
    test: str = "perm-both"
    correction: str = "holm"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        for kind, names, known in (
            ("level", self.levels, LEVELS),
            ("statistic", self.statistics, (*KNOWN, ALL)),
            ("grouping", self.groupings, (*GROUPINGS, ALL)),
            ("scope", (self.scope,), SCOPES),
            ("way to resample", (self.resample,), RESAMPLES),
            ("unit", (self.unit,), UNITS),
            ("test between metrics", (self.test,), TESTS),
            ("correction", (self.correction,), CORRECTIONS),
        ):
            for name in names:
                if name not in known:
                    raise UnknownName.of(kind, name, known)
        if not 0.0 < self.alpha < 1.0:
            raise ParameterError(f"alpha is {self.alpha}, but it takes a number between 0 and 1.")
        if self.samples < 0:
            raise ParameterError(f"samples is {self.samples}, but it takes a whole number of at least 0.")

    def cells(self, level: str, *, ranked: bool = False) -> list[tuple[str, str | None]]:
        """Statistics with their groupings that make sense at a level; ``ranked`` if people ranked."""
        usual = USUAL["system" if level == "system" else "items"]
        if ranked and level == "segment":
            everything = ALL in self.statistics or not self.statistics
            return [(name, None) for name in OF_RANKINGS if everything or name in self.statistics]
        if not self.statistics and not self.groupings:
            return list(usual)
        names = (
            tuple(KNOWN)
            if ALL in self.statistics
            else self.statistics or tuple(dict.fromkeys(name for name, _ in usual))
        )
        found: list[tuple[str, str | None]] = []
        for name in names:
            if name in OF_RANKINGS or level not in KNOWN[name].levels:
                continue
            found += [(name, None)] if level == "system" else [(name, grouping) for grouping in self._groupings(name)]
        return found

    def _groupings(self, statistic: str) -> Sequence[str]:
        """The groupings to take a statistic under."""
        known = [grouping for grouping in GROUPINGS if grouping in KNOWN[statistic].groupings]
        if ALL in self.groupings:
            return known
        if self.groupings:
            return [grouping for grouping in known if grouping in self.groupings]
        # Tie thresholds over all pairs of all segments take a minute, and nobody reports them.
        usual = ("item",) if statistic.startswith("acc23") else ("none", "item")
        return [grouping for grouping in known if grouping in usual]


def listed(names: Names, default: Iterable[str] = ()) -> tuple[str, ...]:
    """Names as they were given, in a list or with commas between; each once.

    >>> listed("mqm, da"), listed(None, ["mqm"])
    (('mqm', 'da'), ('mqm',))
    """
    if names is None:
        return tuple(default)
    several = names.split(",") if isinstance(names, str) else list(names)
    return tuple(dict.fromkeys(name.strip() for name in several))
