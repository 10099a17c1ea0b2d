"""mt-metrics-eval's score files: ``NAME-REF.seg.score`` and so on, a block per system in the order of the test set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.formats.compression import plain_name
from assay.data.formats.lines import read_bytes, texts_of
from assay.data.formats.scores.collected import Collected, score_of, unit_of
from assay.errors import InputError

LEVELS = {"seg": "segments", "doc": "documents", "domain": "domains", "sys": "systems"}
NAME = re.compile(r"(.+)\.(seg|doc|domain|sys)\.score")


def is_score_file(path: str | Path) -> bool:
    """Whether a file is called as mt-metrics-eval calls them."""
    return NAME.fullmatch(plain_name(Path(path).name)) is not None


def read_score_file(path: str | Path, campaign: Campaign, *, higher_is_better: bool = True) -> list[ExternalScores]:
    """The scores of one file; its name says of which metric and at which level."""
    found = NAME.fullmatch(plain_name(Path(path).name))
    if found is None:
        raise InputError(f"{path}: a score file is called NAME.seg.score, or doc, domain or sys instead of seg.")
    metric, level = found[1], LEVELS[found[2]]
    collected = Collected(str(path), campaign, higher_is_better)
    units = units_of(campaign, level, str(path))
    counts: dict[str, int] = {}
    for number, line in enumerate(texts_of(read_bytes(path), str(path)), start=1):
        place = f"{path}, line {number}"
        cells = line.split("\t") if "\t" in line else line.split()
        width = 3 if level == "domains" else 2
        if len(cells) != width:
            needed = "domain, system and score" if width == 3 else "system and score"
            raise InputError(f"{place}: {len(cells)} fields, but {needed} are needed, with a tab between.")
        *domain, system, text = (cell.strip() for cell in cells)
        index = counts[system] = counts.get(system, -1) + 1
        if level == "domains":
            unit: int | str = unit_of(campaign.domains, domain[0], "domain", place)
        elif level != "systems" and index >= len(units):
            raise InputError(
                f"{place}: one score of {system!r} too many; the campaign has {len(units)} {level}, and there is one "
                "score for each, in their order."
            )
        else:
            unit = "" if level == "systems" else units[index]
        collected.add((level, metric, system, unit), score_of(text, place), number)
    if level in ("segments", "documents"):
        for system, last in counts.items():
            if last + 1 < len(units):
                raise InputError(
                    f"{path}: {last + 1} scores of {system!r}, but the campaign has {len(units)} {level}, and there is "
                    "one score for each, in their order; None stands for one that is missing."
                )
    return collected.finish()


def units_of(campaign: Campaign, level: str, path: str) -> list[int] | list[str]:
    """What there is a score for, in the order in which scores come."""
    if level == "segments":
        return list(range(len(campaign)))
    if level == "documents":
        if campaign.documents is None:
            raise InputError(f"{path}: scores of documents, but {campaign.name} does not name its documents.")
        return list(dict.fromkeys(campaign.documents))
    return sorted(set(campaign.domains or ())) if level == "domains" else [""]


def write_score_files(scores: Iterable[ExternalScores], campaign: Campaign) -> Mapping[str, bytes]:
    """The files of these scores, by name; missing ones are ``None``."""
    files: dict[str, bytes] = {}
    for one in scores:
        for short, level in LEVELS.items():
            parts = getattr(one, level)
            if parts is None:
                continue
            units = units_of(campaign, level, one.origin or one.name)
            lines = []
            for system, values in parts.items():
                for unit in units:
                    score = values if level == "systems" else _value(values, unit)
                    prefix = f"{unit}\t" if level == "domains" else ""
                    lines.append(f"{prefix}{system}\t{'None' if np.isnan(score) else repr(float(score))}\n")
            files[f"{one.name}.{short}.score"] = "".join(lines).encode()
    return files


def _value(values: object, unit: int | str) -> float:
    if isinstance(values, np.ndarray):
        return float(values[int(unit)])
    return float(values.get(unit, np.nan)) if isinstance(values, Mapping) else float("nan")
