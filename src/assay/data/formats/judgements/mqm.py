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
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from assay.data.campaign import Campaign
from assay.data.files import read_head
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.judgements.base import (
    JudgementFormat,
    prepared,
    require_campaign,
    say_left_out,
    texts_of_segment,
)
from assay.data.formats.judgements.places import FROM_0, FROM_1, IN_DOCUMENT_0, IN_DOCUMENT_1, Item, place_all
from assay.data.json_lines import decoded_json, json_number
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import NO_ERROR, scored_by_errors, usual_weights
from assay.data.problems import Problems, note, require_writable
from assay.data.tables import SEPARATOR, Row, header_of, read_table, spell_table
from assay.errors import Place, UnknownName

_ORDERS = (FROM_1, FROM_0, IN_DOCUMENT_1, IN_DOCUMENT_0)
#: How names of raters begin that are programs, and the kind of their judgements.
_AUTOMATIC = "automqm"
_NO_ERROR_CELL = "No-error"
_OPEN, _CLOSE = "<v>", "</v>"
_MARK = re.compile(r"</?v>")
#: The other tables of MQM that people have, which are told apart by their headers.
_OTHERS = ("mqm-marot", "mqm-unbabel", "mqm-averages", "error-spans")


@dataclass
class _Rating:
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


@dataclass(frozen=True)
class _Table:
    """One of the tables: how it calls its columns."""

    name: str
    title: str
    #: All columns but the last; the third is the number within the document, the fourth that over the test set.
    columns: tuple[str, ...]
    last: str
    #: The columns without which a table is another one.
    needed: tuple[str, ...]

    @property
    def scored(self) -> bool:
        """Whether the last column has the score of the segment, as JSON in quotation marks, and not a remark."""
        return self.last == "misc"

    @property
    def remarks(self) -> str:
        """The column of remarks; a table with scores may have one in addition."""
        return "comment" if self.scored else self.last

    def read(self, path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
        """One judgement per rater and segment; its score is what the table says, or minus the weights of its errors."""
        perhaps = ", ".join(name for name in (*self.columns, self.last) if name not in self.needed)
        what = f"{self.title} has the columns {', '.join(self.needed)} and perhaps {perhaps}, with tabs between."
        table = read_table(path, quoted=self.scored, needed=self.needed, what=what, problems=problems)
        ratings: dict[tuple[str | int | None, ...], _Rating] = {}
        left_out: Counter[str] = Counter()
        problems.every(table, lambda row: self._take(row, ratings, left_out))
        say_left_out(path, left_out, kept=bool(ratings))
        segments = place_all(path, [rating.item for rating in ratings.values()], campaign, _ORDERS)
        judgements = Judgements.of(map(self._judgement, ratings.values(), segments), path)
        return judgements if self.scored else scored_by_errors(judgements, problems=problems)

    def _take(self, row: Row, ratings: dict[tuple[str | int | None, ...], _Rating], left_out: Counter[str]) -> None:
        """Put one row to the others of its rater and segment; what is no judgement is counted."""
        severity, category = row.raw("severity").strip(), row.raw("category").strip()
        folded = severity.casefold()
        if not row.raw("rater").strip():
            left_out["rows without a rater, which hold no judgement"] += 1
            return
        if folded.startswith("hotw"):
            left_out["rows that test the rater's attention"] += 1
            return
        system, rater, document = row.needed("system", "system"), row.maybe("rater"), row.maybe("doc")
        numbered = ((self.columns[3], "segment"), (self.columns[2], "number in the document"))
        overall, within = (None if row.maybe(name) is None else row.integer(name, what) for name, what in numbered)
        sound = folded in NO_ERROR or category.casefold() in NO_ERROR
        if not severity and not sound:
            raise row.flaw("severity", "an error without a severity; No-error stands for none")
        score = _score_in_misc(row) if self.scored else None
        key = (system, document, within, overall, rater)
        if key not in ratings:
            item = Item(row.line, overall, within, document, _unmarked(row.raw("source"))[0] or None)
            ratings[key] = _Rating(item, system, rater)
        rating = ratings[key]
        if folded == "unrateable":
            rating.unrateable = True
        elif not sound:
            rating.spans.append(_marked_span(row.raw("source"), row.raw("target"), severity, category))
        if self.remarks in row.columns:
            rating.notes.append(row.raw(self.remarks))
        if score is not None:
            rating.scores.append(score)

    def _judgement(self, rating: _Rating, segment: int) -> Judgement:
        """What a rating says; where the table does not say the score, it is made of the errors later."""
        notes = rating.notes if any(text not in ("", "{}") for text in rating.notes) else []
        kept = notes[0] if len(notes) == 1 else json.dumps(notes, ensure_ascii=False)
        scored = self.scored and not rating.unrateable
        return Judgement(
            rating.system,
            segment,
            sum(rating.scores) / len(rating.scores) if scored else math.nan,
            _AUTOMATIC if (rating.rater or "").casefold().startswith(_AUTOMATIC) else "mqm",
            rating.rater,
            rating.item.document,
            spans=None if rating.unrateable else tuple(rating.spans),
            further={self.remarks: kept} if notes else {},
            line=rating.item.line,
        )

    def write(self, judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
        """The table; scores are in it only if it says so."""
        campaign = require_campaign(campaign, self.name)
        kept = prepared(
            judgements, self.name, ("rater", "document", "spans"), own_kinds=("mqm",), own_columns=(self.last,),
            segments=True, errors=True, repeats=False,
        )  # fmt: skip
        require_writable("rater", map(str.strip, kept.rater.names), Place(kept.origin), needed=True)
        content = b"".join(spell_table(self._rows(kept, campaign), quoted=self.scored))
        if not self.scored:
            _say_rescored(judgements, self.name)
        return {"": content}

    def _rows(self, judgements: Judgements, campaign: Campaign) -> Iterator[list[str]]:
        yield [*self.columns, self.last]
        before: Counter[str] = Counter()
        within = []
        for document in campaign.documents or ("",) * len(campaign):
            before[document] += 1
            within.append(before[document])
        for one in judgements:
            source, target, name = texts_of_segment(one, campaign, self.name)
            place, number = str(within[one.segment or 0]), str((one.segment or 0) + 1)
            item = [one.system, name or campaign.name, place, number, one.rater or "rater"]
            errors = one.spans or (ErrorSpan(_NO_ERROR_CELL, _NO_ERROR_CELL),)
            for span, remark in zip(errors, _notes(one.further.get(self.last, ""), len(errors)), strict=True):
                texts = [source, target]
                if span.start is not None and span.end is not None:
                    side = 0 if span.in_source else 1
                    texts[side] = _marked(texts[side], span.start, span.end)
                empty = "{}" if self.last == "metadata" else ""
                last = json.dumps({"mqm": one.score}) if self.scored else remark or empty
                yield [SEPARATOR.sub(" ", cell) for cell in (*item, *texts, span.category, span.severity, last)]


def _unmarked(text: str) -> tuple[str, int | None, int | None]:
    """The text of an MQM table without its marks, and from where to where it was marked, in characters.

    An error in several parts reaches from the first mark to the last. A mark that nothing closes reaches to the end.

    >>> _unmarked("This is <v>a error</v>.")
    ('This is a error.', 8, 15)
    """
    if "v>" not in text:
        return text, None, None
    pieces = _MARK.split(text)
    marks = _MARK.findall(text)
    clean = "".join(pieces)
    if not marks:
        return clean, None, None
    places = [sum(map(len, pieces[: index + 1])) for index in range(len(marks))]
    starts = [place for mark, place in zip(marks, places, strict=True) if mark == _OPEN]
    ends = [place for mark, place in zip(marks, places, strict=True) if mark == _CLOSE]
    return clean, min(starts, default=0), max(ends, default=len(clean))


def _marked(text: str, start: int, end: int) -> str:
    """The text with marks around a part of it."""
    return f"{text[:start]}{_OPEN}{text[start:end]}{_CLOSE}{text[end:]}"


def _marked_span(source: str, target: str, severity: str, category: str) -> ErrorSpan:
    """The error that a row of a table tells of; a mark in the target counts before one in the source."""
    for in_source, text in ((False, target), (True, source)):
        _, start, end = _unmarked(text)
        if start is not None:
            return ErrorSpan(severity, category, start, end, in_source)
    return ErrorSpan(severity, category)


def _score_in_misc(row: Row) -> float:
    value = row.json("misc", "misc")
    if not isinstance(value, dict) or "mqm" not in value:
        raise row.flaw("misc", "no mqm in misc, where the segment's score stands")
    return json_number(value["mqm"], row.place, "mqm in misc")


def _say_rescored(judgements: Judgements, format_name: str) -> None:
    """Say that scores are made anew from the errors when the table is read, where that changes them."""
    weights = usual_weights(judgements)
    others = 0
    for spans, score in zip(judgements.spans, judgements.score.tolist(), strict=False):
        try:
            others += spans is not None and abs(weights.score(spans) - score) > 1e-9
        except UnknownName:
            others += 1
    if others:
        note(
            f"{format_name} has no place for scores: {others} of them are not those of the weights "
            f"{weights.name!r}, which is how the table will be read."
        )


def _notes(text: str, rows: int) -> list[str]:
    """One note per row of an item, as they were read."""
    try:
        several = decoded_json(text) if text.startswith("[") else None
    except ValueError:
        several = None
    if isinstance(several, list) and len(several) == rows and all(isinstance(one, str) for one in several):
        return several
    return [text, *[""] * (rows - 1)]


_GOOGLE = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
_MAROT = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity")
_UNBABEL = ("system", "doc", "doc_id", "rater", "category", "severity", "misc")


def _read_google(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements of Google's table, or of one of MQM in any of the other shapes."""
    head = read_head(path)
    for name in _OTHERS:
        if JUDGEMENT_FORMATS[name].recognises(path, head):
            return JUDGEMENT_FORMATS[name].read(path, campaign, problems)
    return _GOOGLE_TABLE.read(path, campaign, problems)


_GOOGLE_TABLE = _Table("mqm", "Google's MQM table", _GOOGLE, "comment", _GOOGLE)
_MAROT_TABLE = _Table("mqm-marot", "Marot's MQM table", _MAROT, "metadata", _MAROT)
_UNBABEL_TABLE = _Table("mqm-unbabel", "Unbabel's MQM table", _GOOGLE, "misc", _UNBABEL)
FORMAT = JudgementFormat(
    # The needed columns, and no scores beside them.
    lambda _name, head: {*header_of(head)} & {*_GOOGLE, "misc"} == {*_GOOGLE},
    _read_google,
    _GOOGLE_TABLE.write,
)
MAROT_FORMAT = JudgementFormat(
    lambda _name, head: {*_MAROT} <= {*header_of(head)}, _MAROT_TABLE.read, _MAROT_TABLE.write
)
UNBABEL_FORMAT = JudgementFormat(
    lambda _name, head: {*_UNBABEL} <= {*header_of(head)}, _UNBABEL_TABLE.read, _UNBABEL_TABLE.write
)
