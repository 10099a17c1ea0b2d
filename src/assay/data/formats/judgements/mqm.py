"""The MQM tables of Google, Marot and Unbabel: one row per error, the texts in every row, marked with ``<v>`` and
``</v>`` in target or source. A row ``No-error`` says that there is none.

Google's: ``system doc doc_id seg_id rater source target category severity [comment]``; ``seg_id`` counts segments of
the whole test set from 1, ``doc_id`` within the document from 1. Quotation marks are text.

Marot's: as Google's, with ``docSegId``, ``globalSegId`` and a last column ``metadata`` of JSON. Rows without a rater
carry metadata alone, and severities that begin with ``HOTW`` test attention: neither is a judgement. Raters whose names
begin with ``AutoMQM`` are programs: their judgements are of the kind ``automqm``. A ``globalSegId`` that is the same in
all rows stands for none, and then the campaign has to be known.

Unbabel's: as Google's, in quotation marks where needed, with the segment's score in ``misc``: JSON with ``mqm``, the
score of the whole segment, higher is better; it stands in every row of the segment.
"""

from __future__ import annotations

import json
import math
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.data.campaign import Campaign
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.judgements.base import (
    JudgementFormat,
    refuse_repeats,
    say_left_out,
    say_losses,
    with_errors,
    without_other_levels,
)
from assay.data.formats.judgements.places import FROM_0, FROM_1, IN_DOCUMENT_0, IN_DOCUMENT_1, Item, place_all
from assay.data.formats.judgements.spans import marked, marked_span, unmarked
from assay.data.json_lines import json_number
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.lines import read_head
from assay.data.mqm_weights import NO_ERROR, usual_weights
from assay.data.problems import Problems
from assay.data.tables import SEPARATOR, Row, header_of, read_table, spell_table
from assay.errors import AssayWarning, InputError, Place, UnknownName

ORDERS = (FROM_1, FROM_0, IN_DOCUMENT_1, IN_DOCUMENT_0)
#: How names of raters begin that are programs, and the kind of their judgements.
AUTOMATIC = "automqm"
NO_ERROR_CELL = "No-error"
#: The other tables of MQM that people have, which are told apart by their headers.
OTHERS = ("mqm-marot", "mqm-unbabel", "mqm-averages", "error-spans")


@dataclass(frozen=True)
class Spelling:
    """How one of the tables calls its columns."""

    name: str
    #: The columns in their order, and those without which a table is another one.
    header: tuple[str, ...]
    needed: tuple[str, ...]
    #: What the table has, in words.
    what: str
    within: str = "doc_id"
    overall: str = "seg_id"
    note: str = "comment"
    quoted: bool = False
    #: Whether the table says the score of the whole segment.
    scored: bool = False

    def read(self, path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
        """One judgement per rater and segment; its score is what the table says, or minus the weights of its errors."""
        table = read_table(path, quoted=self.quoted, needed=self.needed, what=self.what, problems=problems)
        ratings: dict[tuple[str | int | None, ...], Rating] = {}
        left_out: Counter[str] = Counter()
        problems.every(table, lambda row: self._take(row, ratings, left_out))
        say_left_out(path, left_out)
        if not ratings:
            raise InputError("no judgements in it.", place=Place(path))
        return self._judgements(path, list(ratings.values()), campaign, problems)

    def _take(self, row: Row, ratings: dict[tuple[str | int | None, ...], Rating], left_out: Counter[str]) -> None:
        """Put one row to the others of its rater and segment; what is no judgement is counted."""
        severity, category = row.raw("severity").strip(), row.raw("category").strip()
        if not row.raw("rater").strip():
            left_out["rows without a rater, which hold no judgement"] += 1
            return
        if severity.casefold().startswith("hotw"):
            left_out["rows that test the rater's attention"] += 1
            return
        system, item, rater = row.needed("system", "system"), self._item(row), row.maybe("rater")
        unrateable = severity.casefold() == "unrateable"
        sound = severity.casefold() in NO_ERROR or category.casefold() in NO_ERROR
        if not severity and not sound:
            raise row.flaw("severity", "an error without a severity; No-error stands for none")
        score = _score_in_misc(row) if self.scored else None
        key = (system, item.document, item.within, item.overall, rater)
        rating = ratings.setdefault(key, Rating(item, system, rater))
        rating.unrateable |= unrateable
        if not unrateable and not sound:
            rating.spans.append(marked_span(row.raw("source"), row.raw("target"), severity, category))
        if self.note in row.columns:
            rating.notes.append(row.raw(self.note))
        if score is not None:
            rating.scores.append(score)

    def _item(self, row: Row) -> Item:
        overall, within = row.maybe(self.overall), row.maybe(self.within)
        return Item(
            line=row.line,
            overall=None if overall is None else row.integer(self.overall, "segment"),
            within=None if within is None else row.integer(self.within, "number in the document"),
            document=row.maybe("doc"),
            source=unmarked(row.raw("source"))[0] or None,
        )

    def _judgements(
        self, path: str, ratings: list[Rating], campaign: Campaign | None, problems: Problems
    ) -> Judgements:
        segments = place_all(path, [rating.item for rating in ratings], campaign, ORDERS)
        weights = usual_weights(span.category for rating in ratings for span in rating.spans)

        def judgement(placed: tuple[Rating, int]) -> Judgement:
            rating, segment = placed
            try:
                score = sum(rating.scores) / len(rating.scores) if rating.scores else weights.score(rating.spans)
            except UnknownName as error:
                raise InputError(str(error), place=Place(path, rating.item.line)) from None
            notes = rating.notes if any(text not in ("", "{}") for text in rating.notes) else []
            kept = notes[0] if len(notes) == 1 else json.dumps(notes, ensure_ascii=False)
            return Judgement(
                rating.system,
                segment,
                math.nan if rating.unrateable else score,
                AUTOMATIC if (rating.rater or "").casefold().startswith(AUTOMATIC) else "mqm",
                rating.rater,
                rating.item.document,
                spans=None if rating.unrateable else tuple(rating.spans),
                further={self.note: kept} if notes else {},
                line=rating.item.line,
            )

        return Judgements.of(problems.each(zip(ratings, segments, strict=True), judgement), path)

    def write(self, judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
        """The table; scores are in it only if it says so."""
        if campaign is None:
            raise InputError(f"{self.name} holds the texts in every row. Give the campaign to write it.")
        kept = with_errors(without_other_levels(judgements, self.name), self.name)
        refuse_repeats(kept, self.name)
        say_losses(kept, self.name, ("rater", "document", "spans"), own_kinds=("mqm",), own_columns=(self.note,))
        content = b"".join(spell_table(self._rows(kept, campaign), quoted=self.quoted))
        if not self.scored:
            _say_rescored(judgements, self.name)
        return {"": content}

    def _rows(self, judgements: Judgements, campaign: Campaign) -> Iterator[list[str]]:
        yield list(self.header)
        within = _places_in_documents(campaign)
        for one in judgements:
            notes = _notes(one.further.get(self.note, ""), len(one.spans or ()))
            for note, cells in zip(notes, _cells(one, campaign, within, self.name), strict=False):
                empty = "{}" if self.note == "metadata" else ""
                last = json.dumps({"mqm": one.score}) if self.scored else note or empty
                yield [SEPARATOR.sub(" ", cell) for cell in (*cells, last)]


@dataclass
class Rating:
    """What one rater said of one segment of one system."""

    item: Item
    system: str
    rater: str | None
    spans: list[ErrorSpan] = field(default_factory=list)
    #: Notes in the order of the rows, as the table has them.
    notes: list[str] = field(default_factory=list)
    unrateable: bool = False
    #: What the table itself says that the score is.
    scores: list[float] = field(default_factory=list)


def _score_in_misc(row: Row) -> float:
    value = row.json("misc", "misc")
    if not isinstance(value, dict) or "mqm" not in value:
        raise row.flaw("misc", "no mqm in misc, where the segment's score stands")
    return json_number(value["mqm"], row.place, "mqm in misc")


def _say_rescored(judgements: Judgements, format_name: str) -> None:
    """Say that scores are made anew from the errors when the table is read, where that changes them."""
    weights = usual_weights(span.category for spans in judgements.spans for span in spans or ())
    others = 0
    for spans, score in zip(judgements.spans, judgements.score.tolist(), strict=False):
        if spans is not None:
            try:
                others += abs(weights.score(spans) - score) > 1e-9
            except UnknownName:
                others += 1
    if others:
        warnings.warn(
            f"{format_name} has no place for scores: {others} of them are not those of the weights "
            f"{weights.name!r}, which is how the table will be read.",
            AssayWarning,
            stacklevel=3,
        )


def _notes(text: str, count: int) -> list[str]:
    """One note per row of an item, as they were read."""
    rows = max(count, 1)
    try:
        several = json.loads(text) if text.startswith("[") else None
    except (ValueError, RecursionError):
        several = None
    if isinstance(several, list) and len(several) == rows and all(isinstance(one, str) for one in several):
        return several
    return [text, *[""] * (rows - 1)]


def _places_in_documents(campaign: Campaign) -> list[int]:
    """For each segment how many of its document come before it."""
    before: Counter[str] = Counter()
    places = []
    for document in campaign.documents or ("",) * len(campaign):
        places.append(before[document])
        before[document] += 1
    return places


def _cells(one: Judgement, campaign: Campaign, within: list[int], format_name: str) -> Iterator[list[str]]:
    """The cells of each row of an item that all tables have, in their order."""
    if one.system not in campaign.systems:
        raise UnknownName.of(f"system in the campaign, whose text {format_name} needs,", one.system, campaign.systems)
    segment = one.segment or 0
    source = campaign.source[segment] if campaign.source is not None else ""
    target = campaign.systems[one.system][segment]
    document = campaign.documents[segment] if campaign.documents else one.document or campaign.name
    item = [one.system, document, str(within[segment] + 1), str(segment + 1), one.rater or "rater"]
    for span in one.spans or (ErrorSpan(NO_ERROR_CELL, NO_ERROR_CELL),):
        texts = [source, target]
        if span.start is not None and span.end is not None:
            place = 0 if span.in_source else 1
            texts[place] = marked(texts[place], span.start, span.end)
        yield [*item, *texts, span.category, span.severity]


_GOOGLE = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
_MAROT = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity")
_UNBABEL = ("system", "doc", "doc_id", "rater", "category", "severity", "misc")
GOOGLE = Spelling(
    "mqm",
    (*_GOOGLE, "comment"),
    _GOOGLE,
    f"Google's MQM table has the columns {', '.join(_GOOGLE)} and perhaps comment, with tabs between.",
)
MAROT = Spelling(
    "mqm-marot",
    (*_MAROT, "metadata"),
    _MAROT,
    f"Marot's MQM table has the columns {', '.join(_MAROT)} and metadata, with tabs between.",
    within="docSegId",
    overall="globalSegId",
    note="metadata",
)
UNBABEL = Spelling(
    "mqm-unbabel",
    (*_GOOGLE, "misc"),
    _UNBABEL,
    f"Unbabel's MQM table has the columns {', '.join((*_GOOGLE, 'misc'))}, with tabs between.",
    quoted=True,
    scored=True,
)


def recognises_google(_name: str, head: str) -> bool:
    """A header with Google's columns and without Unbabel's."""
    columns = set(header_of(head))
    return set(_GOOGLE) <= columns and "misc" not in columns


def read_google(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements of Google's table, or of one of MQM in any of the other shapes."""
    head = read_head(path)
    for name in OTHERS:
        if JUDGEMENT_FORMATS[name].recognises(path, head):
            return JUDGEMENT_FORMATS[name].read(path, campaign, problems)
    return GOOGLE.read(path, campaign, problems)


FORMAT = JudgementFormat("mqm", "Google's MQM table, one row per error", recognises_google, read_google, GOOGLE.write)
MAROT_FORMAT = JudgementFormat(
    "mqm-marot",
    "Marot's MQM table, as published since 2024",
    lambda _name, head: set(_MAROT) <= set(header_of(head)),
    MAROT.read,
    MAROT.write,
)
UNBABEL_FORMAT = JudgementFormat(
    "mqm-unbabel",
    "Unbabel's MQM table, with scores in misc",
    lambda _name, head: set(_UNBABEL) <= set(header_of(head)),
    UNBABEL.read,
    UNBABEL.write,
)
