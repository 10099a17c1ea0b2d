"""mt-metrics-eval's score files: ``SYSTEM<tab>SCORE``, one block per system in the order of the test set.

The name says the rest: ``en-de.mqm.seg.score`` is the kind ``mqm`` per segment, ``.doc.score`` per document,
``.sys.score`` per system, and ``.domain.score`` has ``DOMAIN SYSTEM SCORE``. Scores of metrics
(``BLEU-refA.seg.score``) are the same. ``None`` stands where nobody judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.compression import plain_name
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, lines_of
from assay.data.formats.judgements.parts.means import means
from assay.data.formats.judgements.parts.notes import say_losses, segment_count
from assay.data.formats.judgements.parts.unjudged import judged_alone
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError

#: A pair of languages: ``en-de``, ``en-zh_CN``.
LANGUAGES = r"[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?"
NAME = re.compile(rf"(?:{LANGUAGES}\.)?(?P<kind>.+)\.(?P<level>seg|doc|domain|sys)\.score")
#: What the further column is called that tells a domain's judgement from a document's.
LEVEL = "level"


@dataclass(frozen=True)
class Line:
    """One line: a score of a system on its n-th unit."""

    number: int
    system: str
    score: float
    index: int
    domain: str | None = None


def recognises(name: str, _head: str) -> bool:
    """By the name alone."""
    return NAME.fullmatch(name) is not None


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """The judgements, of no rater; documents are named with the campaign's help. Units without one are counted."""
    matched = NAME.fullmatch(Path(plain_name(path)).name)
    if matched is None:
        raise InputError(
            f"{path}: a score file is called NAME.seg.score, NAME.doc.score, NAME.domain.score or NAME.sys.score, "
            "because its level stands nowhere else."
        )
    kind, level = matched["kind"], matched["level"]
    found = list(_lines(path, level))
    if not found:
        raise InputError(f"{path}: the file is empty.")
    names = _documents(path, campaign) if level == "doc" else None
    _check_blocks(path, found, level, campaign, names)
    return judged_alone(Judgements.of((_judgement(line, kind, level, names) for line in found), path))


def _lines(path: str, level: str) -> Iterator[Line]:
    width = 3 if level == "domain" else 2
    seen: dict[str, int] = {}
    domains: set[tuple[str, str]] = set()
    for number, text in enumerate(lines_of(path), start=1):
        cells = text.split()
        if len(cells) != width:
            shape = "domain, system and score" if width == 3 else "system and score"
            raise InputError(f"{path}, line {number}: {len(cells)} fields, but {shape} are needed.")
        row = Row(path, number, cells, {"system": width - 2, "score": width - 1})
        domain = cells[0] if width == 3 else None
        if domain is not None and (domain, cells[1]) in domains:
            raise InputError(f"{path}, line {number}: a second score of {cells[1]!r} on domain {domain!r}.")
        domains.add((cells[0], cells[1]))
        system = row.raw("system")
        index = seen[system] = seen.get(system, -1) + 1
        yield Line(number, system, row.number("score", "score"), index, domain)


def _documents(path: str, campaign: Campaign | None) -> tuple[str, ...]:
    if campaign is None or campaign.documents is None:
        raise InputError(
            f"{path}: scores of documents come in the order of the test set, so a campaign that names its documents is "
            "needed to know which is which."
        )
    return tuple(dict.fromkeys(campaign.documents))


def _check_blocks(
    path: str, found: list[Line], level: str, campaign: Campaign | None, names: tuple[str, ...] | None
) -> None:
    """Each system has as many scores as there are units."""
    sizes: dict[str, int] = {}
    for line in found:
        sizes[line.system] = line.index + 1
    if level == "domain":
        return
    first = next(iter(sizes))
    expected, what = sizes[first], f"as {first!r} has"
    if level == "sys":
        expected, what = 1, "one per system"
    elif names is not None:
        expected, what = len(names), "one per document of the campaign"
    elif campaign is not None:
        expected, what = len(campaign), "one per segment of the campaign"
    for system, size in sizes.items():
        if size != expected:
            last = next(line.number for line in reversed(found) if line.system == system)
            raise InputError(
                f"{path}, line {last}: {system!r} has {size} scores, but {expected} are needed, {what}. None "
                "stands for a "
                "unit without a score."
            )


def _judgement(line: Line, kind: str, level: str, names: tuple[str, ...] | None) -> Judgement:
    segment = line.index if level == "seg" else None
    document = names[line.index] if names is not None else line.domain
    further = {LEVEL: "domain"} if level == "domain" else {}
    return Judgement(line.system, segment, line.score, kind, document=document, further=further, line=line.number)


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """One file per kind and level; means over raters and repeats, and None where nobody judged."""
    named = replace(judgements, further={key: value for key, value in judgements.further.items() if key != LEVEL})
    say_losses(named.only(named.segment >= 0), "mtme-score", ("kind",))
    say_losses(named.only(named.segment < 0), "mtme-score", ("document", "kind"))
    files: dict[str, bytes] = {}
    for kind in judgements.kinds:
        for level, chosen in _levels(judgements.of_kinds([kind])).items():
            files[f"{pair_of(campaign)}{kind}.{level}.score"] = _content(chosen, level, campaign)
    return {"": next(iter(files.values()))} if len(files) == 1 else files


def _levels(judgements: Judgements) -> dict[str, Judgements]:
    """The judgements by what they are of."""
    of_domain = np.array([value == "domain" for value in judgements.further.get(LEVEL, ())], dtype=np.bool_)
    of_domain = of_domain if len(of_domain) else np.zeros(len(judgements), dtype=np.bool_)
    of_segment = judgements.segment >= 0
    of_document = ~of_segment & ~of_domain & (judgements.document.codes >= 0)
    flags = {"seg": of_segment, "doc": of_document, "domain": of_domain & ~of_segment}
    flags["sys"] = ~(of_segment | of_document | of_domain)
    return {level: judgements.only(rows) for level, rows in flags.items() if rows.any()}


def _content(judgements: Judgements, level: str, campaign: Campaign | None) -> bytes:
    units = _units(judgements, level, campaign)
    numbers = {name: number for number, name in enumerate(units)}
    if level != "seg":
        places = [numbers[name or ""] for name in judgements.document]
        judgements = replace(judgements, segment=np.array(places, dtype=np.int64))
    scores = means(judgements, "mtme-score")
    lines = []
    for system in judgements.system.names:
        if len(system.split()) != 1:
            raise InputError(
                f"The system {system!r} has a blank in its name, and score files have blanks between fields."
            )
        for number, unit in enumerate(units):
            score = scores.get((system, number), np.nan)
            if level == "domain" and (system, number) not in scores:
                continue
            text = "None" if np.isnan(score) else repr(score)
            lines.append(f"{unit}\t{system}\t{text}" if level == "domain" else f"{system}\t{text}")
    return ("\n".join(lines) + "\n").encode()


def _units(judgements: Judgements, level: str, campaign: Campaign | None) -> list[str]:
    if level == "seg":
        return [str(number) for number in range(segment_count(judgements, campaign))]
    if level == "sys":
        return [""]
    if level == "domain":
        return list(judgements.document.names)
    known = _documents(judgements.origin, campaign)
    stray = next((name for name in judgements.document.names if name not in known), None)
    if stray is not None:
        raise InputError(f"{judgements.origin}: document {stray!r} is not one of the campaign.")
    return list(known)


def pair_of(campaign: Campaign | None) -> str:
    """The pair of languages that mt-metrics-eval wants in a name, if the campaign's own name has it at its end."""
    found = (
        re.search(r"(?:^|[^a-z])([a-z]{2,3}-[a-z]{2,3})(?:$|[^a-z])", campaign.name) if campaign is not None else None
    )
    return f"{found[1]}." if found else ""


FORMAT = JudgementFormat(
    "mtme-score", "mt-metrics-eval's .seg.score, .doc.score, .domain.score, .sys.score", recognises, read, write
)
