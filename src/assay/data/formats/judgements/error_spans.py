"""A plain table of errors: ``system segment rater [kind] start end category severity [weight] [is_source_error]``.

Segments count from 0, ``start`` and ``end`` are characters (``end`` is the first one after the error), ``missing`` or
``-`` stands for no place. An item without errors has no row here, so the table alone does not say who found nothing:
if ``human.tsv`` lies beside it, the judgements come from there and the errors are put to them. An item of
``human.tsv`` without rows has no errors, unless its score (0 or below, as MQM has it) says that it must have had
some.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements import table
from assay.data.formats.judgements.base import JudgementFormat, prepared, say_left_out
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import mqm_weights, scored_by_errors, usual_weights
from assay.data.problems import STRICT, Problems, note
from assay.data.tables import Row, header_of, read_table, spell_number, spell_table
from assay.errors import InputError, Place

_NEEDED = ("system", "segment", "start", "end", "severity")
_HEADER = ("system", "segment", "rater", "kind", "start", "end", "category", "severity", "weight", "is_source_error")
_WHAT = f"A table of errors has the columns {', '.join(_HEADER)}, with tabs between."
_NO_PLACE = ("missing", "-", "")
_KIND = "mqm"

#: System, segment, rater and kind: what one list of errors belongs to.
_Key = tuple[str, int, str | None, str]


def _read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements of ``human.tsv`` with these errors, or of the items in the table alone."""
    errors: dict[_Key, list[ErrorSpan]] = {}
    lines: dict[_Key, int] = {}
    rows = read_table(path, needed=_NEEDED, what=_WHAT, problems=problems)
    for line, key, span in problems.each(rows, _error):
        errors.setdefault(key, []).append(span)
        lines.setdefault(key, line)
    files = [Path(path).parent / f"human.tsv{ending}" for ending in ("", ".gz")] if path != "-" else []
    beside = next((str(file) for file in files if file.is_symlink() or file.exists()), None)
    joined = None if beside is None else _joined(path, beside, errors, lines, problems)
    if joined is not None:
        return joined
    message = (
        "items without errors have no row here and are missing. With human.tsv in the same folder, which says "
        "who judged what, they are there."
    )
    note(message, Place(path))
    judgements = Judgements.of(
        (
            Judgement(*key[:2], 0.0, key[3], key[2], spans=tuple(spans), line=lines[key])
            for key, spans in errors.items()
        ),
        path,
    )
    usual, esa = usual_weights(judgements), mqm_weights("esa-campaign")

    def score(spans: tuple[ErrorSpan, ...]) -> float:
        # Kinds of ESA campaigns have severities that Google's tables do not know.
        weights = esa if any(span.severity == "undecided" for span in spans) else usual
        return weights.score(spans, stated=True)

    return scored_by_errors(judgements, score, problems)


def _error(row: Row) -> tuple[int, _Key, ErrorSpan]:
    """The line of an error, what it belongs to, and the error."""
    kind = row.maybe("kind") or _KIND
    key = (row.needed("system", "system"), row.integer("segment", "segment"), row.maybe("rater"), kind)
    severity = row.needed("severity", "severity")
    category = row.maybe("category") or ""
    if category.startswith("["):
        # Appraise writes the levels of a category as a list: ['Accuracy', 'Omission'].
        category = "/".join(part.strip(" '\"") for part in category.strip("[]").split(","))
    in_source = row.raw("is_source_error").strip().casefold() in ("1", "true")
    weight = row.number("weight", "weight")
    start = end = None
    if row.raw("start") not in _NO_PLACE and row.raw("end") not in _NO_PLACE:
        start, end = row.integer("start", "start"), row.integer("end", "end")
        if end < start:
            raise row.flaw("end", f"the error ends at {end}, before it begins at {start}")
    return row.line, key, ErrorSpan(severity, category, start, end, in_source, None if np.isnan(weight) else weight)


def _joined(
    path: str, beside: str, errors: Mapping[_Key, list[ErrorSpan]], lines: Mapping[_Key, int], problems: Problems
) -> Judgements | None:
    """The judgements of the kinds that the table has errors of; None if ``human.tsv`` has none of these kinds."""
    judgements = table.read(beside, None, STRICT)
    kinds = [kind for kind in judgements.kinds if kind in {key[3] for key in errors}]
    if not kinds:
        return None
    chosen = judgements.of_kinds(kinds)
    keys = list(zip(chosen.system, chosen.segment.tolist(), chosen.rater, chosen.kind, strict=True))
    judged = Counter(keys)
    stray = [key for key in errors if key not in judged]
    if stray:
        system, segment, rater, kind = stray[0]
        what = (
            f"system {system!r}, segment {segment} was not judged by {rater!r} ({kind}) according to {beside} "
            f"({len(stray)} such items)."
        )
        problems.add(InputError(what, place=Place(path, lines[stray[0]])))
    costly = {kind for kind in kinds if not (chosen.of_kinds([kind]).score > 0).any()}
    left_out: Counter[str] = Counter()
    spans: list[tuple[ErrorSpan, ...] | None] = []
    for key, score in zip(keys, chosen.score.tolist(), strict=True):
        marked = errors.get(key)  # type: ignore[arg-type]
        if marked is not None and judged[key] > 1:
            left_out["lists of errors of items that one rater judged twice, which cannot be told apart"] += 1
            spans.append(None)
        elif marked is None and key[3] in costly and score != 0:
            left_out["lists of errors of judgements that cost something, but have no errors here"] += 1
            spans.append(None)
        else:
            spans.append(tuple(marked or ()))
    say_left_out(path, left_out)
    return replace(chosen, spans=tuple(spans))


def _write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """Two tables: the errors, and ``human.tsv`` with the scores and with items that have no errors."""
    holds = ("rater", "document", "ranking", "reference", "spans", "kind", "further")
    kept = prepared(judgements, "error-spans", holds, segments=True)
    if not any(kept.spans):
        raise InputError("nobody marked an error, so a table of errors would be empty.", place=Place(kept.origin))
    rows: list[tuple[str, ...]] = [_HEADER]
    for one in kept:
        item = (one.system, str(one.segment), one.rater or "-", one.kind)
        for span in one.spans or ():
            place = ("missing", "missing") if span.start is None else (str(span.start), str(span.end))
            weight = "-" if span.weight is None else spell_number(span.weight)
            rows.append((*item, *place, span.category or "-", span.severity, weight, str(int(span.in_source))))
    return {"": b"".join(spell_table(rows)), "human.tsv": table.content(kept)}


FORMAT = JudgementFormat(
    # The needed columns, and no scores beside them.
    lambda _name, head: {*header_of(head)} & {*_NEEDED, "score"} == {*_NEEDED},
    _read,
    _write,
)
