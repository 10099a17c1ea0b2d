"""What the MQM tables of Google, Marot and Unbabel share: one row per error, the texts in every row."""

from __future__ import annotations

import json
import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assay.data.campaign import Campaign
from assay.data.formats.judgements.parts.cells import Row
from assay.data.formats.judgements.parts.markers import marked, span_of, unmarked
from assay.data.formats.judgements.parts.notes import (
    refuse_repeats,
    say_left_out,
    say_losses,
    with_errors,
    without_other_levels,
)
from assay.data.formats.judgements.parts.placing import FROM_0, FROM_1, IN_DOCUMENT_0, IN_DOCUMENT_1, Item, place_all
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import NO_ERROR, usual_weights
from assay.errors import AssayWarning, InputError, UnknownName

ORDERS = (FROM_1, FROM_0, IN_DOCUMENT_1, IN_DOCUMENT_0)
#: How names of raters begin that are programs, and the kind of their judgements.
AUTOMATIC = "automqm"
NO_ERROR_CELL = "No-error"


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


@dataclass(frozen=True)
class Columns:
    """What a table calls its columns."""

    within: str
    overall: str
    note: str


def ratings(path: str, rows: Iterable[Row], columns: Columns, score: Callable[[Row], float | None]) -> list[Rating]:
    """The rows put together, rater by rater and segment by segment; what is no judgement is counted and said."""
    found: dict[tuple[str | int | None, ...], Rating] = {}
    left_out: Counter[str] = Counter()
    for row in rows:
        severity, category = row.raw("severity").strip(), row.raw("category").strip()
        if not row.raw("rater").strip():
            left_out["rows without a rater, which hold no judgement"] += 1
            continue
        if severity.casefold().startswith("hotw"):
            left_out["rows that test the rater's attention"] += 1
            continue
        system = row.needed("system", "system")
        item = _item(row, columns)
        rater = row.maybe("rater")
        key = (system, item.document, item.within, item.overall, rater)
        one = found.setdefault(key, Rating(item, system, rater))
        _add(one, row, severity, category)
        if columns.note in row.columns:
            one.notes.append(row.raw(columns.note))
        said = score(row)
        if said is not None:
            one.scores.append(said)
    say_left_out(path, left_out)
    if not found:
        raise InputError(f"{path}: no judgements in it.")
    return list(found.values())


def _item(row: Row, columns: Columns) -> Item:
    return Item(
        line=row.line,
        overall=row.integer(columns.overall, "segment") if row.maybe(columns.overall) is not None else None,
        within=row.integer(columns.within, "number in the document") if row.maybe(columns.within) is not None else None,
        document=row.maybe("doc"),
        source=unmarked(row.raw("source"))[0] or None,
    )


def _add(one: Rating, row: Row, severity: str, category: str) -> None:
    if severity.casefold() == "unrateable":
        one.unrateable = True
    elif severity.casefold() in NO_ERROR or category.casefold() in NO_ERROR:
        return
    elif not severity:
        raise row.flaw("severity", "an error without a severity; No-error stands for none")
    else:
        one.spans.append(span_of(row.raw("source"), row.raw("target"), severity, category))


def judgements_of(path: str, found: Sequence[Rating], campaign: Campaign | None, note: str) -> Judgements:
    """Judgements with scores: what the table says, or else minus the usual weights of the errors."""
    segments = place_all(path, [one.item for one in found], campaign, ORDERS)
    weights = usual_weights(span.category for one in found for span in one.spans)

    def rows() -> Iterator[Judgement]:
        for one, segment in zip(found, segments, strict=True):
            try:
                score = sum(one.scores) / len(one.scores) if one.scores else weights.score(one.spans)
            except UnknownName as error:
                raise InputError(f"{path}, line {one.item.line}: {error}") from None
            notes = one.notes if any(text not in ("", "{}") for text in one.notes) else []
            yield Judgement(
                one.system,
                segment,
                math.nan if one.unrateable else score,
                AUTOMATIC if (one.rater or "").casefold().startswith(AUTOMATIC) else "mqm",
                one.rater,
                one.item.document,
                spans=None if one.unrateable else tuple(one.spans),
                further={note: notes[0] if len(notes) == 1 else json.dumps(notes, ensure_ascii=False)} if notes else {},
                line=one.item.line,
            )

    return Judgements.of(rows(), path)


def written(
    judgements: Judgements,
    campaign: Campaign | None,
    format_name: str,
    *,
    header: Sequence[str],
    row: Callable[[Mapping[str, str], Judgement, str], Sequence[str]],
    note: str,
) -> bytes:
    """A table with one row per error; ``row`` orders the cells of a line and adds its last one."""
    if campaign is None:
        raise InputError(f"{format_name} holds the texts in every row. Give the campaign to write it.")
    kept = without_other_levels(judgements, format_name)
    kept = with_errors(kept, format_name)
    refuse_repeats(kept, format_name)
    say_losses(kept, format_name, ("rater", "document", "spans"), own_kinds=("mqm",), own_columns=(note,))
    lines = ["\t".join(header)]
    within = _places_in_documents(campaign)
    for one in kept:
        notes = _notes(one.further.get(note, ""), len(one.spans or ()))
        for index, cells in enumerate(_cells(one, campaign, within, format_name)):
            lines.append("\t".join(_clean(cell) for cell in row(cells, one, notes[index])))
    return ("\n".join(lines) + "\n").encode()


def say_rescored(judgements: Judgements, format_name: str) -> None:
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
            f"{weights.name!r}, which "
            "is how the table will be read.",
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
    if campaign.documents is None:
        return list(range(len(campaign)))
    before: Counter[str] = Counter()
    places = []
    for document in campaign.documents:
        places.append(before[document])
        before[document] += 1
    return places


def _cells(one: Judgement, campaign: Campaign, within: list[int], format_name: str) -> Iterator[dict[str, str]]:
    """The cells of each row of an item by the names that Google's table has for them."""
    if one.system not in campaign.systems:
        raise UnknownName.of(f"system in the campaign, whose text {format_name} needs,", one.system, campaign.systems)
    segment = one.segment or 0
    source = campaign.source[segment] if campaign.source is not None else ""
    target = campaign.systems[one.system][segment]
    document = campaign.documents[segment] if campaign.documents else one.document or campaign.name
    for span in one.spans or (ErrorSpan(NO_ERROR_CELL, NO_ERROR_CELL),):
        here = (span.start, span.end) if span.start is not None and span.end is not None else None
        yield {
            "system": one.system,
            "doc": document,
            "doc_id": str(within[segment] + 1),
            "seg_id": str(segment + 1),
            "rater": one.rater or "rater",
            "source": marked(source, *here) if here and span.in_source else source,
            "target": marked(target, *here) if here and not span.in_source else target,
            "category": span.category,
            "severity": span.severity,
        }


def _clean(cell: str) -> str:
    return cell.replace("\t", " ").replace("\n", " ").replace("\r", " ")
