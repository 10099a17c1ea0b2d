"""A line per translation over sets of references, so that crossings are seen, as in Culy & Riehemann (2003)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from statistics import fmean
from typing import Any

from assay.errors import InputError
from assay.questions.studies.base import different, grouped, those
from assay.results import charts
from assay.results.charts import DASHES, MUTED, Axis, Spec
from assay.results.figure import Figure
from assay.results.result import Table

#: Of more sets of one size so many are drawn, evenly from those that give the lowest scores to the highest.
_DRAWN = 80
#: The numbers of references of the paper's figures, and how many are drawn at most.
_USUAL, _MOST = (2, 4), 2
_HEIGHT, _LINE = 240, 15
#: Pixels that panels side by side take at most, without the names beside them.
_WIDEST = 800


def set_lines(campaign: str, scores: Table, lower: Collection[str]) -> Figure:
    """The scores of every translation, set by set: a panel per metric, and below it which references are in a set.

    Scores have system, kind, metric, k, compared, references and score; for metrics in ``lower`` less is better.
    """
    counts = {size: len(different(here, "references")) for size, here in grouped(scores, "k")}
    sizes = sorted(size for size, sets in counts.items() if sets > 1)
    if not sizes:
        raise InputError("There is nothing to draw: every translation stands against one set of references only.")
    # Those of the paper first, then the largest ones.
    usual = [size for size in _USUAL if size in sizes]
    shown = sorted([*usual, *(size for size in reversed(sizes) if size not in usual)][:_MOST])
    columns = [_column(those(scores, k=size), lower) for size in shown]
    dashed = "Dashed lines are systems, others human translations. " if len(different(scores, "kind")) > 1 else ""
    said = [
        f"{campaign}: every set of k references stands in a column, and its dots below say which references are in it. "
        "Sets that give low scores are on the left.",
        "A dot is the score of a translation; its line has none at sets that hold the translation itself. "
        f"{dashed}Where lines cross, references decide who is first.",
    ]
    left = [str(size) for size in sorted(counts) if size not in shown]
    further = f"Not drawn: k = {', '.join(left)}." if left else ""
    if any(counts[size] > _DRAWN for size in shown):
        further += f" Of more than {_DRAWN} sets so many are drawn, spread evenly."
    said += [further.strip()] if further else []
    title = "Does the order of translations depend on the references?"
    # Many sets side by side would be shrunk to fit a page until nobody can read them.
    wide = sum(column["vconcat"][0]["width"] for column in columns) > _WIDEST
    whole = charts.above(*columns, spacing=40) if wide else charts.beside(*columns, spacing=60)
    return charts.figure("lines", whole, title, said)


def ordered_sets(scores: Table, *, sign: float = 1.0) -> list[str]:
    """Sets of references from those that give the lowest scores to those that give the highest.

    Not all translations stand against all sets, so that each score is taken less the mean of its translation.

    >>> rows = [("x", "A", 3.0), ("x", "B", 5.0), ("y", "A", 1.0), ("y", "B", 3.0), ("y", "C", 8.0), ("y", "D", 0.0)]
    >>> ordered_sets([{"system": name, "references": subset, "score": score} for name, subset, score in rows])
    ['D', 'A', 'B', 'C']
    """
    means = {name: fmean(row["score"] for row in here) for name, here in grouped(scores, "system")}
    effects = {
        references: sign * fmean(row["score"] - means[row["system"]] for row in here)
        for references, here in grouped(scores, "references")
    }
    return sorted(effects, key=lambda references: (effects[references], references))


def _column(scores: Table, lower: Collection[str]) -> Spec:
    """All metrics with sets of one size, one below the other, and the sets at the bottom: all have one order."""
    first = next(here for _, here in grouped(scores, "metric", "compared"))
    sets = ordered_sets(first, sign=-1.0 if first[0]["metric"] in lower else 1.0)
    count = len(sets)
    if count > _DRAWN:
        sets = [sets[round(place * (count - 1) / (_DRAWN - 1))] for place in range(_DRAWN)]
    place = {references: number for number, references in enumerate(sets)}
    width = max(340, min(760, 26 * len(sets)))
    across = Axis(domain=(-0.5, len(sets) - 0.5), ticks=range(len(sets)), shown=False)
    # One look for a translation in all panels: the best one is first.
    kinds = {row["system"]: row["kind"] for row in first}
    colors = charts.palette(kinds)
    dashes = {name: DASHES[0] if kind == "human" else DASHES[1] for name, kind in kinds.items()}
    panels = []
    for (metric, compared), here in grouped(scores, "metric", "compared"):
        whole = ", unsegmented" if compared == "whole" else ""
        rows = [row | {"place": place[row["references"]]} for row in here if row["references"] in place]
        panels.append(
            charts.lines(
                rows, x="place", y="score", series="system", across=across, colors=colors, dashes=dashes, dots=22,
                flush=True, up=Axis(ticks=5, reverse=metric in lower), width=width, height=_HEIGHT,
                heading=f"{metric}{whole}, k = {here[0]['k']}, {count:,} sets",
            )
        )  # fmt: skip
    return charts.above(*panels, _members(sets, across, width), spacing=14)


def _members(sets: Sequence[str], across: Axis, width: int) -> Spec:
    """Which references are in each set: a dot where one is."""
    inside = [(number, name) for number, references in enumerate(sets) for name in references.split("+")]
    names = sorted({name for _, name in inside})
    rows: list[Mapping[str, Any]] = [{"place": number, "line": names.index(name)} for number, name in inside]
    up = Axis(domain=(-0.5, len(names) - 0.5), ticks=range(len(names)), labels=names, reverse=True)
    return charts.scatter(
        rows, x="place", y="line", across=across, up=up, color=MUTED, area=min(40.0, (width / len(sets) - 2) ** 2),
        opacity=1.0, width=width, height=_LINE * len(names),
    )  # fmt: skip
