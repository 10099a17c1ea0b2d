"""Which segment of a campaign a judgement is of, where a file counts in its own way.

Files count segments from 0 or from 1, over the whole test set or within each document. A campaign settles it: the first
way of counting under which every source text, or every name of a document, is the campaign's own is the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.data.campaign import Campaign
from assay.data.problems import note
from assay.errors import InputError, Place

FROM_1, FROM_0, IN_DOCUMENT_1, IN_DOCUMENT_0 = (
    "the whole test set from 1",
    "the whole test set from 0",
    "each document from 1",
    "each document from 0",
)
#: Texts of a campaign may differ here and there from those that were judged: up to this share is a note, not an error.
_TOLERATED = 0.05


@dataclass(slots=True)
class Item:
    """What a file says of where a judgement belongs."""

    line: int
    overall: int | None = None
    within: int | None = None
    document: str | None = None
    source: str | None = None


def place_all(path: str, items: Sequence[Item], campaign: Campaign | None, orders: Sequence[str]) -> list[int]:
    """The segment of each item, counted from 0; ``orders`` are ways of counting, the likeliest first."""
    if campaign is None:
        return _without_campaign(path, items, orders)
    where = Places(campaign)
    tried = {}
    for order in orders:
        segments = [where.segment(item, order) for item in items]
        flaws = [row for row, item in enumerate(items) if not where.agrees(item, segments[row])]
        tried[order] = segments, flaws
        if not flaws:
            break
    order = min(tried, key=lambda order: len(tried[order][1]))
    segments, flaws = tried[order]
    placed = [segment for segment in segments if segment is not None]
    if not flaws:
        return placed
    by_text = [where.candidates(item.document, item.source) for item in items]
    if all(len(candidates) == 1 for candidates in by_text):
        return [segment for (segment,) in by_text]
    if len(placed) == len(items) and len(flaws) <= _TOLERATED * len(items):
        message = (
            f"{len(flaws)} of {len(items)} texts or names of documents are not those of the campaign; "
            f"segments are taken by their numbers, counting {order}."
        )
        note(message, Place(path))
        return placed
    item, segment = items[flaws[0]], segments[flaws[0]]
    what = f"its source or document is not that of segment {segment} of the campaign"
    if segment is None:
        number = item.overall if item.overall is not None else item.within
        what = f"segment {number} of document {item.document!r} is none of the campaign's {where.count} segments"
    raise InputError(
        f"{what} (counting {order}; {len(flaws)} of {len(items)} items do not fit).",
        "Is this the campaign that was judged?",
        Place(path, item.line),
    )


def needs_campaign(path: str, reason: str, what: str = "the campaign", which: str = "which is which") -> InputError:
    """The error of a file that says too little of where its judgements belong."""
    return InputError(f"{reason}, so {what} is needed to know {which}.", "Give the campaign with it.", Place(path))


def _without_campaign(path: str, items: Sequence[Item], orders: Sequence[str]) -> list[int]:
    """Numbers over the whole test set need no campaign; from 0 if a 0 is among them."""
    numbers = [item.overall for item in items if item.overall is not None]
    if len(numbers) < len(items) or (FROM_1 not in orders and FROM_0 not in orders):
        raise needs_campaign(path, "segments are numbered within documents")
    distinct = {(item.document, item.within if item.within is not None else item.source) for item in items}
    if len(set(numbers)) == 1 and len(distinct) > 1:
        raise needs_campaign(path, f"every line has the same number of segment, {numbers[0]}")
    first = 0 if 0 in numbers or orders[0] == FROM_0 else 1
    return [number - first for number in numbers]


class Places:
    """Where the segments, documents and texts of a campaign are."""

    def __init__(self, campaign: Campaign) -> None:
        self.count = len(campaign)
        self.documents = campaign.documents
        self.sources = None if campaign.source is None else [_plain(text) for text in campaign.source]
        self.members: dict[str, list[int]] = {}
        for segment, document in enumerate(campaign.documents or ()):
            self.members.setdefault(document, []).append(segment)
        self.texts: dict[tuple[str | None, str], list[int]] = {}
        for segment, text in enumerate(self.sources or ()):
            self.texts.setdefault((None, text), []).append(segment)
            if self.documents is not None:
                self.texts.setdefault((self.documents[segment], text), []).append(segment)

    def segment(self, item: Item, order: str) -> int | None:
        """The segment by one way of counting; None if the campaign has none there."""
        if order in (FROM_0, FROM_1):
            number = None if item.overall is None else item.overall - (order == FROM_1)
            return number if number is not None and 0 <= number < self.count else None
        members = self.members.get(item.document or "", [])
        number = None if item.within is None else item.within - (order == IN_DOCUMENT_1)
        return members[number] if number is not None and 0 <= number < len(members) else None

    def agrees(self, item: Item, segment: int | None) -> bool:
        """Whether there is such a segment, and the text, or else the name of the document, is its own."""
        if segment is None:
            return False
        if self.sources is not None and item.source is not None:
            return self.sources[segment] == _plain(item.source)
        return self.documents is None or item.document in (None, self.documents[segment])

    def candidates(self, document: str | None, source: str | None) -> list[int]:
        """All segments with this source text, of this document if it is known; none for no text."""
        if source is None:
            return []
        text = _plain(source)
        return self.texts.get((document, text)) or self.texts.get((None, text), [])


def _plain(text: str) -> str:
    """A text without what differs between copies of it: spaces around it, and several in a row."""
    return " ".join(text.split())
