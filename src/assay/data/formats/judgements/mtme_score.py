"""mt-metrics-eval's score files: ``SYSTEM<tab>SCORE``, one block per system in the order of the test set.

The name says the rest: ``en-de.mqm.seg.score`` is the kind ``mqm`` per segment, ``.doc.score`` per document,
``.sys.score`` per system, and ``.domain.score`` has ``DOMAIN SYSTEM SCORE``. Scores of metrics
(``BLEU-refA.seg.score``) are the same. ``None`` stands where nobody judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.files import plain_name, read_bytes
from assay.data.formats.judgements.base import JudgementFormat, judged_alone, means, say_losses, segment_count
from assay.data.judgements import Judgement, Judgements
from assay.data.lines import texts_of
from assay.data.problems import Problems
from assay.data.tables import Row
from assay.errors import InputError, Place

#: A pair of languages: ``en-de``, ``en-zh_CN``.
LANGUAGES = r"[a-z]{2,3}(?:_[A-Za-z]+)?-[a-z]{2,3}(?:_[A-Za-z]+)?"
NAME = re.compile(rf"(?:{LANGUAGES}\.)?(?P<kind>.+)\.(?P<level>seg|doc|domain|sys)\.score")
#: What the further column is called that tells a domain's judgement from a document's.
LEVEL = "level"


@dataclass(slots=True)
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


def read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements, of no rater; documents are named with the campaign's help. Units without one are counted."""
    matched = NAME.fullmatch(Path(plain_name(path)).name)
    if matched is None:
        what = "a score file is called NAME.seg.score, NAME.doc.score, NAME.domain.score or NAME.sys.score,"
        raise InputError(what, "because its level stands nowhere else.", Place(path))
    kind, level = matched["kind"], matched["level"]
    found = list(_lines(path, level, problems))
    # The place of a line is its meaning, so that no line can be left out.
    problems.stop()
    if not found:
        raise InputError("the file is empty.", place=Place(path))
    names = _documents(path, campaign) if level == "doc" else None
    _check_blocks(path, found, level, campaign, names)
    return judged_alone(Judgements.of((_judgement(line, kind, level, names) for line in found), path))


def _lines(path: str, level: str, problems: Problems) -> Iterator[Line]:
    width = 3 if level == "domain" else 2
    columns = {"system": width - 2, "score": width - 1}
    seen: dict[str, int] = {}
    domains: set[tuple[str, str]] = set()

    def line(numbered: tuple[int, str]) -> Line:
        number, text = numbered
        cells = text.split()
        if len(cells) != width:
            shape = "domain, system and score" if width == 3 else "system and score"
            raise InputError(f"{len(cells)} fields, but {shape} are needed.", place=Place(path, number))
        domain, system = cells[0] if width == 3 else None, cells[width - 2]
        index = seen[system] = seen.get(system, -1) + 1
        if domain is not None:
            if (domain, system) in domains:
                raise InputError(f"a second score of {system!r} on domain {domain!r}.", place=Place(path, number))
            domains.add((domain, system))
        return Line(number, system, Row(path, number, cells, columns).number("score", "score"), index, domain)

    return problems.each(enumerate(texts_of(read_bytes(path), path, problems), start=1), line)


def _documents(path: str, campaign: Campaign | None) -> tuple[str, ...]:
    if campaign is None or campaign.documents is None:
        what = "scores of documents come in the order of the test set, so a campaign that names its documents is needed"
        raise InputError(what, "to know which is which.", Place(path))
    return tuple(dict.fromkeys(campaign.documents))


def _check_blocks(
    path: str, found: Sequence[Line], level: str, campaign: Campaign | None, names: tuple[str, ...] | None
) -> None:
    """Each system has as many scores as there are units."""
    if level == "domain":
        return
    sizes = {line.system: line.index + 1 for line in found}
    last = {line.system: line.number for line in found}
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
            raise InputError(
                f"{system!r} has {size} scores, but {expected} are needed, {what}.",
                "None stands for a unit without a score.",
                Place(path, last[system]),
            )


def _judgement(line: Line, kind: str, level: str, names: tuple[str, ...] | None) -> Judgement:
    segment = line.index if level == "seg" else None
    document = names[line.index] if names is not None else line.domain
    further = {LEVEL: "domain"} if level == "domain" else {}
    return Judgement(line.system, segment, line.score, kind, document=document, further=further, line=line.number)


def write(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """One file per kind and level; means over raters and repeats, and None where nobody judged."""
    named = replace(judgements, further={key: value for key, value in judgements.further.items() if key != LEVEL})
    say_losses(named.only(named.segment >= 0), "mtme-score", ("kind",))
    say_losses(named.only(named.segment < 0), "mtme-score", ("document", "kind"))
    files = {
        f"{pair_of(campaign)}{kind}.{level}.score": _content(chosen, level, campaign)
        for kind in judgements.kinds
        for level, chosen in _levels(judgements.of_kinds([kind])).items()
    }
    return {"": next(iter(files.values()))} if len(files) == 1 else files


def _levels(judgements: Judgements) -> dict[str, Judgements]:
    """The judgements by what they are of."""
    levels = judgements.further.get(LEVEL, (None,) * len(judgements))
    of_domain = np.array([value == "domain" for value in levels], dtype=np.bool_)
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
        raise InputError(f"document {stray!r} is not one of the campaign.", place=Place(judgements.origin))
    return list(known)


def pair_of(campaign: Campaign | None) -> str:
    """The pair of languages that mt-metrics-eval wants in a name, if the campaign's own name has it at its end."""
    name = "" if campaign is None else campaign.name
    found = re.search(r"(?:^|[^a-z])([a-z]{2,3}-[a-z]{2,3})(?:$|[^a-z])", name)
    return f"{found[1]}." if found else ""


FORMAT = JudgementFormat(
    "mtme-score", "mt-metrics-eval's .seg.score, .doc.score, .domain.score, .sys.score", recognises, read, write
)
