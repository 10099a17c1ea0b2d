"""Which segments the items of an Appraise campaign are: they are numbered within the task that a user was given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign
from assay.data.formats.judgements.parts.placing import FROM_0, FROM_1, Item, Places
from assay.data.formats.lines import read_bytes
from assay.errors import InputError

#: A line, who judged it, the name of its document with what Appraise adds to it, and the number of the item.
Entry = tuple[int, str, str | None, int]
#: The source text of every item of a task, by document and number.
Task = dict[tuple[str, int], str]


def segments_of(path: str, items: Sequence[Entry], campaign: Campaign | None) -> list[int]:
    """The segment of each item, -1 where it cannot be known.

    The texts in the campaign's batches decide, if they lie beside the file. Else the numbers may count the whole test
    set, which the names of documents confirm. Else the items of a document, in their order, are its segments, if
    there are as many of them. Without names of documents the numbers count the whole test set from 0.
    """
    if all(document is None for _, _, document, _ in items):
        _check_range(path, items, campaign)
        return [item for _, _, _, item in items]
    if campaign is None or campaign.documents is None:
        raise InputError(
            f"{path}: items are numbered as their rater saw them, so a campaign that names its documents is "
            "needed to know "
            "which segment is which. Give the campaign with it."
        )
    where = Places(campaign)
    _check_documents(path, items, where)
    batches = _batches(path)
    if batches:
        return _by_text(path, items, where, batches)
    for order in (FROM_0, FROM_1):
        entries = [Item(line, item, None, _plain(document)) for line, _, document, item in items]
        segments = [where.segment(entry, order) for entry in entries]
        placed = [segment for segment in segments if segment is not None]
        if len(placed) == len(items) and all(map(where.agrees, entries, placed)):
            return placed
    return _by_order(items, where)


def _plain(document: str | None) -> str | None:
    """The document's own name: Appraise adds the system, and marks copies: ``name#system#bad2``."""
    return None if document is None else document.split("#")[0]


def _check_range(path: str, items: Sequence[Entry], campaign: Campaign | None) -> None:
    for line, _, _, item in items:
        if campaign is not None and item >= len(campaign):
            raise InputError(
                f"{path}, line {line}: item {item}, but the campaign has {len(campaign)} segments, from 0 on."
            )


def _check_documents(path: str, items: Sequence[Entry], where: Places) -> None:
    for line, _, document, _ in items:
        if (_plain(document) or "") not in where.members:
            raise InputError(
                f"{path}, line {line}, field 8: the campaign has no document {_plain(document)!r}. "
                "Is this the campaign that was judged?"
            )


def _batches(path: str) -> list[Task]:
    """The tasks in the files with ``batch`` in their names that lie beside the scores."""
    found: list[Task] = []
    for file in sorted(Path(path).parent.glob("*batch*.json")) if path != "-" else ():
        try:
            tasks = json.loads(read_bytes(file))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{file}: not JSON ({error}).") from None
        for task in tasks if isinstance(tasks, list) else ():
            try:
                texts = {(str(one["documentID"]), int(one["itemID"])): str(one["sourceText"]) for one in _items(task)}
            except (ValueError, TypeError) as error:
                raise InputError(f"{file}: an itemID that is no number ({error}).") from None
            if texts:
                found.append(texts)
    return found


def _texts_by_user(path: str, items: Sequence[Entry], batches: list[Task]) -> dict[str, Task]:
    """The task of each user: the only one that has all items that the user judged."""
    judged: dict[str, dict[tuple[str, int], int]] = {}
    for line, user, document, number in items:
        judged.setdefault(user, {}).setdefault((document or "", number), line)
    found: dict[str, Task] = {}
    for user, keys in judged.items():
        fitting = [task for task in batches if keys.keys() <= task.keys()]
        if not fitting:
            best = max(batches, key=lambda task: len(keys.keys() & task.keys()))
            document, number = next(key for key in keys if key not in best)
            raise InputError(
                f"{path}, line {keys[document, number]}: item {number} of document {document!r} is not in the "
                "batches file "
                "with the other items of this user."
            )
        if any(task[key] != fitting[0][key] for task in fitting for key in keys):
            raise InputError(
                f"{path}: several batches have the items of {user!r}. Leave only those of this campaign beside "
                "the scores."
            )
        found[user] = fitting[0]
    return found


def _items(task: Any) -> list[dict[str, Any]]:
    """The items of a task that have what is needed."""
    needed = {"documentID", "itemID", "sourceText"}
    found = task.get("items") if isinstance(task, dict) else None
    return [
        item for item in (found if isinstance(found, list) else ()) if isinstance(item, dict) and needed <= item.keys()
    ]


def _by_text(path: str, items: Sequence[Entry], where: Places, batches: list[Task]) -> list[int]:
    """Segments by the text of the item; where a document repeats a text, in the order of the items."""
    if where.sources is None:
        raise InputError(f"{path}: a batches file lies beside it, but the campaign has no source to find its texts in.")
    texts = _texts_by_user(path, items, batches)
    segments = [-1] * len(items)
    last: dict[tuple[str, str | None], int] = {}
    for index in sorted(range(len(items)), key=lambda index: (items[index][1], items[index][2] or "", items[index][3])):
        line, user, document, number = items[index]
        text = texts[user][document or "", number]
        candidates = where.candidates(_plain(document), text)
        if not candidates:
            raise InputError(
                f"{path}, line {line}: the text of item {number} of document {document!r} is not in the campaign: "
                f"{text[:60]!r}."
            )
        before = last.get((user, document), -1)
        segments[index] = next((one for one in candidates if one > before), candidates[0])
        last[user, document] = segments[index]
    return segments


def _by_order(items: Sequence[Entry], where: Places) -> list[int]:
    """Segments by their order within documents that were judged as a whole."""
    groups: dict[tuple[str, str], set[int]] = {}
    for _, user, document, number in items:
        groups.setdefault((user, document or ""), set()).add(number)
    places = {}
    for (user, document), numbers in groups.items():
        members = where.members[_plain(document) or ""]
        if len(members) == len(numbers):
            ordered = zip(sorted(numbers), members, strict=True)
            places.update({(user, document, number): segment for number, segment in ordered})
    return [places.get((user, document or "", number), -1) for _, user, document, number in items]
