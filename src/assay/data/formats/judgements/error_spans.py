"""A plain table of errors: ``system segment rater [kind] start end category severity [weight] [is_source_error]``.

Segments count from 0, ``start`` and ``end`` are characters (``end`` is the first one after the error), ``missing`` or
``-`` stands for no place. An item without errors has no row here, so the table alone does not say who found nothing:
if ``human.tsv`` lies beside it, the judgements come from there and the errors are put to them. An item of
``human.tsv`` without rows has no errors, unless its score (0 or below, as MQM has it) says that it must have had
some.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements import table
from assay.data.formats.judgements.base import JudgementFormat, say_left_out, say_losses, without_other_levels
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import mqm_weights, own_score, usual_weights
from assay.data.problems import Problems
from assay.data.tables import Row, header_of, read_table, spell_number, spell_table
from assay.errors import AssayWarning, InputError, Place, UnknownName

NEEDED = ("system", "segment", "start", "end", "severity")
HEADER = ("system", "segment", "rater", "kind", "start", "end", "category", "severity", "weight", "is_source_error")
WHAT = f"A table of errors has the columns {', '.join(HEADER)}, with tabs between."
NO_PLACE = ("missing", "-", "")
KIND = "mqm"

#: System, segment, rater and kind: what one list of errors belongs to.
Key = tuple[str, int, str | None, str]


def recognises(_name: str, head: str) -> bool:
    """A header with the needed columns and without a score."""
    columns = set(header_of(head))
    return set(NEEDED) <= columns and "score" not in columns


def read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements of ``human.tsv`` with these errors, or of the items in the table alone."""
    found: dict[Key, list[ErrorSpan]] = {}
    lines: dict[Key, int] = {}
    rows = read_table(path, needed=NEEDED, what=WHAT, problems=problems)
    for line, key, span in problems.each(rows, _error):
        found.setdefault(key, []).append(span)
        lines.setdefault(key, line)
    beside = _human_file(path)
    joined = None if beside is None else _joined(path, beside, found, lines, problems)
    if joined is not None:
        return joined
    message = (
        "items without errors have no row here and are missing. With human.tsv in the same folder, which says "
        "who judged what, they are there."
    )
    warnings.warn(AssayWarning(message, place=Place(path)), stacklevel=2)
    return _alone(path, found, lines, problems)


def _error(row: Row) -> tuple[int, Key, ErrorSpan]:
    """The line of an error, what it belongs to, and the error."""
    kind = row.maybe("kind") or KIND
    key = (row.needed("system", "system"), row.integer("segment", "segment"), row.maybe("rater"), kind)
    severity = row.needed("severity", "severity")
    category = row.maybe("category") or ""
    if category.startswith("["):
        # Appraise writes the levels of a category as a list: ['Accuracy', 'Omission'].
        category = "/".join(part.strip(" '\"") for part in category.strip("[]").split(","))
    in_source = row.raw("is_source_error").strip().casefold() in ("1", "true")
    weight = row.number("weight", "weight")
    known = None if np.isnan(weight) else weight
    if row.raw("start") in NO_PLACE or row.raw("end") in NO_PLACE:
        return row.line, key, ErrorSpan(severity, category, in_source=in_source, weight=known)
    start, end = row.integer("start", "start"), row.integer("end", "end")
    if end < start:
        raise row.flaw("end", f"the error ends at {end}, before it begins at {start}")
    return row.line, key, ErrorSpan(severity, category, start, end, in_source, known)


def _human_file(path: str) -> str | None:
    for ending in ("", ".gz"):
        file = Path(path).parent / f"human.tsv{ending}"
        if path != "-" and file.is_file():
            return str(file)
    return None


def _joined(
    path: str, beside: str, found: Mapping[Key, list[ErrorSpan]], lines: Mapping[Key, int], problems: Problems
) -> Judgements | None:
    """The judgements of the kinds that the table has errors of; None if ``human.tsv`` has none of these kinds."""
    judgements = table.read(beside)
    kinds = [kind for kind in judgements.kinds if kind in {key[3] for key in found}]
    if not kinds:
        return None
    chosen = judgements.of_kinds(kinds)
    keys = list(zip(chosen.system, chosen.segment.tolist(), chosen.rater, chosen.kind, strict=True))
    judged = Counter(keys)
    stray = [key for key in found if key not in judged]
    if stray:
        system, segment, rater, kind = stray[0]
        what = (
            f"system {system!r}, segment {segment} was not judged by {rater!r} ({kind}) according to {beside} "
            f"({len(stray)} such items)."
        )
        problems.add(InputError(what, place=Place(path, lines[stray[0]])))
    costly = {kind for kind in kinds if not (chosen.of_kinds([kind]).score > 0).any()}
    left_out: Counter[str] = Counter()
    spans = []
    for key, score in zip(keys, chosen.score.tolist(), strict=True):
        errors = found.get(key)  # type: ignore[arg-type]
        if errors is not None and judged[key] > 1:
            left_out["lists of errors of items that one rater judged twice, which cannot be told apart"] += 1
            errors = None
        elif errors is None and key[3] in costly and score != 0:
            left_out["lists of errors of judgements that cost something, but have no errors here"] += 1
        else:
            errors = errors or []
        spans.append(None if errors is None else tuple(errors))
    say_left_out(path, left_out)
    return replace(chosen, spans=tuple(spans))


def _alone(path: str, found: Mapping[Key, list[ErrorSpan]], lines: Mapping[Key, int], problems: Problems) -> Judgements:
    usual = usual_weights(span.category for spans in found.values() for span in spans)

    def judgement(item: tuple[Key, list[ErrorSpan]]) -> Judgement:
        (system, segment, rater, kind), spans = item
        # Kinds of ESA campaigns have severities that Google's tables do not know.
        weights = mqm_weights("esa-campaign") if any(one.severity == "undecided" for one in spans) else usual
        line = lines[item[0]]
        try:
            score = own_score(spans, weights)
        except UnknownName as error:
            raise InputError(str(error), place=Place(path, line)) from None
        return Judgement(system, segment, score, kind, rater, spans=tuple(spans), line=line)

    return Judgements.of(problems.each(found.items(), judgement), path)


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """Two tables: the errors, and ``human.tsv`` with the scores and with items that have no errors."""
    kept = without_other_levels(judgements, "error-spans")
    if not any(kept.spans):
        raise InputError("nobody marked an error, so a table of errors would be empty.", place=Place(kept.origin))
    say_losses(kept, "error-spans", ("rater", "document", "ranking", "spans", "kind", "further"))
    return {"": b"".join(spell_table(_rows(kept))), "human.tsv": table.content(kept)}


def _rows(judgements: Judgements) -> Iterator[tuple[str, ...]]:
    yield HEADER
    for one in judgements:
        item = (one.system, str(one.segment), one.rater or "-", one.kind)
        for span in one.spans or ():
            place = ("missing", "missing") if span.start is None else (str(span.start), str(span.end))
            weight = "-" if span.weight is None else spell_number(span.weight)
            yield *item, *place, span.category or "-", span.severity, weight, str(int(span.in_source))


FORMAT = JudgementFormat("error-spans", "a table with one row per error, beside human.tsv", recognises, read, write)
