"""What looks wrong in the texts of a campaign that can be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from assay.data.campaign import Campaign, is_same_reference
from assay.data.texts import Column
from assay.data.validation.finding import Finding, warning
from assay.data.wording import counted

#: The file and, if a segment is given, the line of a text: ``("reference", "A", 3)``.
Locate = Callable[[str, str, int | None], tuple[str, int | None]]


def text_findings(campaign: Campaign, locate: Locate) -> list[Finding]:
    """Empty references, files that hold the same text, and names that come twice."""
    found = [*_without_references(campaign, locate), *_empty_references(campaign, locate)]
    return [*found, *_same_texts(campaign, locate), *_segment_names(campaign, locate)]


def _without_references(campaign: Campaign, locate: Locate) -> Iterator[Finding]:
    if len(campaign.present) < len(campaign.references) or not campaign.references:
        return
    without = np.flatnonzero(~np.stack([campaign.present[name] for name in campaign.references]).any(axis=0))
    if len(without):
        first = int(without[0])
        file, line = locate("reference", next(iter(campaign.references)), first)
        told = counted(len(without), "segment")
        yield Finding(file, f"{told} without any reference, the first of them segment {first}.", "error", line)


def _empty_references(campaign: Campaign, locate: Locate) -> Iterator[Finding]:
    for name, column in campaign.references.items():
        present = campaign.present.get(name)
        empty = [index for index, text in enumerate(column) if not text.strip() and (present is None or present[index])]
        if empty:
            file, line = locate("reference", name, empty[0])
            told = "1 segment is" if len(empty) == 1 else f"{len(empty)} of {len(column)} segments are"
            yield warning(file, f"reference {name!r}: {told} empty, the first of them segment {empty[0]}.", line)


def _same_texts(campaign: Campaign, locate: Locate) -> Iterator[Finding]:
    """Pairs of texts that are the same in every segment; a system that bears a reference's name may be."""
    earlier: dict[str, list[tuple[str, str]]] = {}
    parts: list[tuple[str, str, Column]] = []
    if campaign.source is not None:
        parts.append(("source", "", campaign.source))
    parts += [("reference", name, column) for name, column in campaign.references.items()]
    parts += [("system", name, column) for name, column in campaign.systems.items()]
    for kind, name, column in parts:
        for other_kind, other in earlier.setdefault(column.digest, []):
            if kind == "system" and other_kind == "reference" and is_same_reference(name, other):
                continue
            file, _ = locate(kind, name, None)
            first = "the source" if other_kind == "source" else f"{other_kind} {other!r}"
            yield warning(file, f"{kind} {name!r} is the same text as {first}, in every segment.")
        earlier[column.digest].append((kind, name))


def _segment_names(campaign: Campaign, locate: Locate) -> Iterator[Finding]:
    names = campaign.segments or ()
    if len(set(names)) == len(names):
        return
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if name in seen:
            file, line = locate("segment", "", index)
            yield Finding(file, f"segment {index} is called {name!r}, as segment {seen[name]} is.", "error", line)
        seen.setdefault(name, index)
