"""Rows of scores put to the segments of a campaign, or made a campaign of their own, without texts.

An item is a segment by its name or number; where numbers begin anew in each document it is a segment of a document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assay.arrays import Array, Codes
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.formats.judgements.places import Places
from assay.data.formats.scores.base import ScoreRows
from assay.data.judgements import Factor
from assay.data.problems import note
from assay.data.texts import Texts
from assay.errors import InputError, Place, UnknownName, counted, nearest

#: So many systems are named that lack scores.
_LISTED = 5
#: What stands for a label that an item does not have.
_NOTHING = "-"
#: The name of an item's document, "" where that does not tell items apart, and its own name.
_Item = tuple[str, str]


def placed(rows: Iterable[ScoreRows], campaign: Campaign, higher_is_better: bool = True) -> list[ExternalScores]:
    """Scores by metric, of the systems that the campaign has; what is not in them is said."""
    given = list(rows)
    pairs = {name for one in given for name in one.pair.names}
    pair = next((pair for pair in pairs if pair in campaign.name), None) if len(pairs) > 1 else None
    parts = _by_metric(part for one in _of_pair(given, pair) for part in _with_runs(one, campaign.systems))
    within = _begin_anew(parts)
    strangers: Counter[str] = Counter()
    kept = []
    for one in parts:
        places = _segments(one, campaign, within) if one.level == "segments" else _units(one, campaign)
        _refuse_second(one, places)
        known = np.array([name in campaign.systems for name in one.system.names])[one.system.codes]
        strangers.update(name for name in one.only(~known).system if name is not None)
        if known.any():
            kept.append((one.only(known), places[known]))
    files = Place(_origin(parts))
    if strangers:
        listed = ", ".join(f"{system!r} ({count})" for system, count in strangers.items())
        are, of = ("is", "of a system") if strangers.total() == 1 else ("are", "of systems")
        what = (
            f"{counted(strangers.total(), 'score')} {are} {of} that {campaign.name} does not have, and {are} not used"
        )
        note(f"{what}: {listed}.", files)
    if not kept:
        there = f"{', '.join(campaign.systems)}; the file has {', '.join(strangers)}."
        raise InputError(f"no system of {campaign.name} has a score in it.", f"The campaign has {there}", files)
    return _scores(kept, len(campaign), [*campaign.systems], higher_is_better)


def campaign_of(
    rows: Iterable[ScoreRows], name: str, pair: str | None = None, higher_is_better: bool = True
) -> Campaign:
    """A campaign without texts: its segments, their labels and the systems are those that have scores."""
    parts = _by_metric(part for one in _by_task(_of_pair([*rows], pair)) for part in _with_runs(one, None))
    of_segments = [one for one in parts if one.level == "segments"]
    within = _begin_anew(parts)
    documents = _documents_of(of_segments, within)
    items = _in_order(documents, within)
    numbers = {item: number for number, item in enumerate(items)}
    places = {id(one): _of_items(one, within, lambda _, item: numbers[item]) for one in of_segments}
    labels = {label: _labels(of_segments, places, label, len(items)) for label in ("domain", "cluster")}
    kept = []
    for one in parts:
        known = places[id(one)] if one.level == "segments" else one.unit.codes
        _refuse_second(one, known)
        kept.append((one, known))
    systems = [*dict.fromkeys(system for one in parts for system in one.system.names)]
    scores = _scores(kept, len(items), systems, higher_is_better)
    named = [documents[item] for item in items]
    return Campaign(
        name,
        dict.fromkeys(systems, Texts.of([""] * len(items))),
        {},
        segments=tuple(f"{document}:{unit}" if within else unit for document, unit in items) or None,
        documents=tuple(named) if any(named) else None,
        domains=labels["domain"],
        columns={} if labels["cluster"] is None else {"cluster": Texts.of(labels["cluster"], "cluster")},
        scores={one.name: one for one in scores},
    )


def _by_metric(rows: Iterable[ScoreRows]) -> list[ScoreRows]:
    """The rows of all files, those of one metric and level together."""
    groups: dict[tuple[str, str], list[ScoreRows]] = {}
    for one in rows:
        groups.setdefault((one.metric, one.level), []).append(one)
    return [ScoreRows.together(several) for several in groups.values()]


def _of_pair(rows: Sequence[ScoreRows], pair: str | None) -> list[ScoreRows]:
    """The rows of one pair of languages, which has to be chosen where files have several."""
    pairs = dict.fromkeys(name for one in rows for name in one.pair.names)
    if pair is None and len(pairs) > 1:
        what = f"scores of several language pairs: {', '.join(pairs)}."
        raise InputError(what, "Choose one (--pair), or keep each in files of its own.", Place(_origin(rows)))
    if pair is None:
        return [*rows]
    if pair not in pairs:
        raise UnknownName.of("language pair", pair, pairs)
    chosen = ((one, one.pair.holds([pair])) for one in rows)
    return [one.only(of_pair) for one, of_pair in chosen if of_pair.any()]


def _by_task(rows: Sequence[ScoreRows]) -> list[ScoreRows]:
    """Items that are named anew in each domain, a task of a harness, bear its name where there are several."""
    named = [one for one in rows if one.numbered == "domain"]
    if len({task for one in named for task in one.domain.names}) < 2:
        return [*rows]
    return [replace(one, unit=_joined_names(one.domain, one.unit)) if one in named else one for one in rows]


def _joined_names(first: Factor, second: Factor) -> Factor:
    """Two names in each row as one, with a colon between."""
    codes = first.codes * len(second.names) + second.codes
    pairs, which = np.unique(codes, return_inverse=True)
    names = [f"{first.names[pair // len(second.names)]}:{second.names[pair % len(second.names)]}" for pair in pairs]
    factor = Factor.of(names)
    return Factor(factor.names, factor.codes[which.reshape(-1)])


def _origin(parts: Sequence[ScoreRows]) -> str:
    """The files that rows are from."""
    files = dict.fromkeys(name for one in parts for name in one.file.names)
    return " and ".join(files) if len(files) <= 2 else f"{next(iter(files))} and {len(files) - 1} others"


def _with_runs(rows: ScoreRows, systems: Mapping[str, Any] | None) -> Iterator[ScoreRows]:
    """Runs as systems called ``name@run``; where there are texts of ``name`` alone, they are runs of the metric."""
    runs = rows.run.names
    if not runs:
        yield rows
        return
    codes = (rows.system.codes + 1) * (len(runs) + 1) + rows.run.codes
    _, firsts, inverse = np.unique(codes, return_index=True, return_inverse=True)
    named = [(rows.system[row] or "", rows.run[row]) for row in firsts.tolist()]
    by_metric = systems is not None and not any(f"{name}@{run}" in systems for name, run in named if run is not None)
    if not by_metric:
        names = [name if run is None else f"{name}@{run}" for name, run in named]
        system = Factor.of(names)
        yield replace(rows, system=Factor(system.names, system.codes[inverse.reshape(-1)]))
        return
    for code, run in enumerate((*runs, None)):
        of_run = rows.run.codes == (-1 if run is None else code)
        if of_run.any():
            yield replace(rows.only(of_run), metric=rows.metric if run is None else f"{rows.metric}@{run}")


def _begin_anew(parts: Sequence[ScoreRows]) -> bool:
    """Whether segments are numbered within their documents: the format says so, or several documents have one name."""
    listed = [one for one in parts if one.level == "segments"]
    if any(one.numbered == "document" for one in listed):
        return True
    pairs = {pair for one in listed if one.document.names for pair in _distinct(one)[0] if pair[0]}
    return len({unit for _, unit in pairs}) < len(pairs)


def _distinct(rows: ScoreRows) -> tuple[list[_Item], Codes, Codes]:
    """Each document and segment that rows name, in their order; where each stands first, and which one a row has."""
    codes = (rows.document.codes + 1) * (len(rows.unit.names) + 1) + rows.unit.codes
    _, firsts, inverse = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    ranks = np.empty_like(order)
    ranks[order] = np.arange(len(order))
    pairs = [(rows.document[row] or "", rows.unit[row] or "") for row in firsts[order].tolist()]
    return pairs, firsts[order], ranks[inverse.reshape(-1)]


def _of_items(rows: ScoreRows, within: bool, place: Callable[[int, _Item], int]) -> Codes:
    """What ``place`` says of each row, which is asked once for each item, with the first row that names it."""
    pairs, firsts, which = _distinct(rows)
    items = [pair if within else ("", pair[1]) for pair in pairs]
    return np.array([place(row, item) for row, item in zip(firsts.tolist(), items, strict=True)], dtype=np.int64)[which]


def _segments(rows: ScoreRows, campaign: Campaign, within: bool) -> Codes:
    """The segment of the campaign that each row is of; who names none of them is refused with the line."""
    count, documents = len(campaign), campaign.documents
    names = campaign.segment_names()
    unique = rows.numbered != "test set" and len(set(names)) == count
    numbers = {name: number for number, name in enumerate(names)} if unique else {}

    def by_name(row: int, item: _Item) -> int:
        unit = item[1]
        if unit in numbers:
            return numbers[unit]
        if _is_number(unit) and int(unit) < count:
            return int(unit)
        known = ", or known by name" if numbers else ""
        there = f"the campaign has {count} segments, numbered from 0 to {count - 1}{known}."
        raise InputError(f"the segment is {unit!r}, but {there}", place=rows.place(row))

    if not within:
        places = _of_items(rows, within, by_name)
        if documents is None or not rows.document.names or _agree(rows, places, documents):
            return places
    if documents is None:
        what = f"segments are numbered within documents, and {campaign.name} names no documents."
        raise InputError(what, "Name them in docs.txt, or number segments over the whole test set.", rows.place(0))
    members = Places(campaign).members

    def by_document(row: int, item: _Item) -> int:
        document, unit = item
        if document not in members:
            raise _no_such("document", document, members, rows.place(row))
        there = members[document]
        if _is_number(unit) and int(unit) < len(there):
            return there[int(unit)]
        what = f"the segment is {unit!r} of document {document!r}, which has {len(there)}, numbered from 0."
        raise InputError(what, place=rows.place(row))

    return _of_items(rows, True, by_document)


def _agree(rows: ScoreRows, places: Codes, documents: Sequence[str]) -> bool:
    """Whether segments are of the documents that the rows name."""
    pairs, firsts, _ = _distinct(rows)
    return all(name in ("", documents[places[row]]) for (name, _), row in zip(pairs, firsts.tolist(), strict=True))


def _is_number(text: str) -> bool:
    return len(text) < 10 and text.isascii() and text.isdecimal()


def _units(rows: ScoreRows, campaign: Campaign) -> Codes:
    """The document or domain that each row is of, which the campaign has to have."""
    known = {"documents": campaign.documents, "domains": campaign.domains}.get(rows.level)
    for code, name in enumerate(rows.unit.names if rows.level != "systems" else ()):
        if name not in (known or ()):
            place = rows.place(int((rows.unit.codes == code).argmax()))
            raise _no_such(rows.level[:-1], name, known or (), place)
    return rows.unit.codes


def _no_such(what: str, name: str, known: Iterable[str], place: Place) -> InputError:
    near = nearest(name, known)
    return InputError(f"the campaign has no {what} {name!r}.", f"Did you mean {near!r}?" if near else "", place)


def _refuse_second(rows: ScoreRows, places: Codes) -> None:
    """Refuse two scores of one metric, system and unit; both lines are named."""
    keys = rows.system.codes * (int(places.max(initial=0)) + 2) + places
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if len(again):
        row = int(order[again + 1].min())
        first = int((keys == keys[row]).argmax())
        one, other = rows.place(first), rows.place(row)
        where = f"line {one.line}" if one.line and one.file == other.file else str(one)
        what = f"a second score of {rows.metric!r} for {rows.what(row)}; the first is in {where}."
        raise InputError(what, "Keep one of them.", other)


def _scores(
    parts: Sequence[tuple[ScoreRows, Codes]], count: int, systems: Sequence[str], higher_is_better: bool
) -> list[ExternalScores]:
    """Scores by metric out of rows and what each is of; what is missing is said."""
    read: dict[str, ExternalScores] = {}
    gaps: dict[tuple[str, str], list[str]] = {}
    missing: dict[tuple[int, str], list[str]] = {}
    for rows, places in parts:
        by_system = _arrays(rows, places, count) if rows.level == "segments" else _by_unit(rows)
        known = {rows.level: by_system} | ({"spans": _spans(rows, places, count)} if rows.spans else {})
        if rows.metric not in read:
            stated = rows.higher_is_better is not None
            higher = rows.higher_is_better if rows.higher_is_better is not None else higher_is_better
            read[rows.metric] = ExternalScores(rows.metric, higher_is_better=higher, direction_known=stated)
        origin = _origin([one for one, _ in parts if one.metric == rows.metric])
        read[rows.metric] = replace(read[rows.metric], **known, origin=origin)
        without = [system for system in systems if system not in by_system]
        if without:
            gaps.setdefault((rows.level, ", ".join(without)), []).append(rows.metric)
    for one in read.values():
        missing.setdefault((one.missing, _lacking(one)), []).append(repr(one.name))
    files = Place(_origin([rows for rows, _ in parts]))
    for (number, listed), names in missing.items():
        if number:
            each = " each" if len(names) > 1 else ""
            are = "is" if number == 1 else "are"
            note(f"{counted(number, 'score')}{each} of {', '.join(names)} {are} missing ({listed}).", files)
    for (level, without_any), names in gaps.items():
        note(f"no scores of {', '.join(names)} for {level}: {without_any}.", files)
    return list(read.values())


def _lacking(scores: ExternalScores) -> str:
    """How many scores each system lacks, those that lack most first."""
    counts = {name: scores.of_systems([name]).missing for name in scores.scored}
    most = sorted((name for name in counts if counts[name]), key=lambda name: -counts[name])
    more = f" and {len(most) - _LISTED} others" if len(most) > _LISTED else ""
    return ", ".join(f"{name} {counts[name]}" for name in most[:_LISTED]) + more


def _arrays(rows: ScoreRows, places: Codes, count: int) -> dict[str, Array]:
    grid = np.full((len(rows.system.names), count), np.nan)
    grid[rows.system.codes, places] = rows.score
    return dict(zip(rows.system.names, grid, strict=True))


def _by_unit(rows: ScoreRows) -> dict[str, Any]:
    """The score of each system, or by its documents or domains."""
    if rows.level == "systems":
        return {rows.system[row] or "": score for row, score in enumerate(rows.score.tolist())}
    by_system: dict[str, dict[str, float]] = {}
    for system, unit, score in zip(rows.system, rows.unit, rows.score.tolist(), strict=True):
        by_system.setdefault(system or "", {})[unit or ""] = score
    return by_system


def _spans(rows: ScoreRows, places: Codes, count: int) -> dict[str, tuple[Any, ...]]:
    spans: dict[str, list[Any]] = {name: [None] * count for name in rows.system.names}
    for system, place, marked in zip(rows.system, places.tolist(), rows.spans, strict=True):
        spans[system or ""][place] = marked
    return {name: tuple(listed) for name, listed in spans.items()}


def _documents_of(parts: Sequence[ScoreRows], within: bool) -> dict[_Item, str]:
    """Every item in the order in which they come, with the document that it is of."""
    documents: dict[_Item, str] = {}
    first: dict[_Item, Place] = {}
    for one in parts:
        pairs, firsts, _ = _distinct(one)
        for pair, row in zip(pairs, firsts.tolist(), strict=True):
            item = pair if within else ("", pair[1])
            documents[item] = documents.get(item) or pair[0]
            first.setdefault(item, one.place(row))
    without = next((item for item in documents if not documents[item]), None)
    if without is not None and any(documents.values()):
        what = f"segment {without[1]!r} has no document, but others have one."
        raise InputError(what, "Name the document of every segment, or of none.", first[without])
    return documents


def _in_order(documents: Mapping[_Item, str], within: bool) -> list[_Item]:
    """Items as they come, but by their numbers where they have numbers, and those of a document together."""
    groups: dict[str, list[_Item]] = {}
    for item, document in documents.items():
        groups.setdefault(document if within else "", []).append(item)
    ordered: list[_Item] = []
    for items in groups.values():
        numbers = all(_is_number(unit) for _, unit in items)
        ordered += sorted(items, key=lambda item: int(item[1])) if numbers else items
    return ordered


def _labels(parts: Sequence[ScoreRows], places: Mapping[int, Codes], label: str, count: int) -> tuple[str, ...] | None:
    """A label of each item; two of one item are refused, and None says that nobody labels any."""
    labels: dict[int, str] = {}
    for one in parts:
        factor: Factor = getattr(one, label)
        if not factor.names:
            continue
        pairs = np.stack([places[id(one)], factor.codes])
        _, firsts = np.unique(pairs, axis=1, return_index=True)
        for row in sorted(firsts.tolist()):
            place, name = int(places[id(one)][row]), factor[row]
            if name is not None and labels.setdefault(place, name) != name:
                what = f"the {label} of {one.what(row)} is {name!r}, and {labels[place]!r} elsewhere."
                raise InputError(what, "An item has one.", one.place(row))
    return tuple(labels.get(place, _NOTHING) for place in range(count)) if labels else None
