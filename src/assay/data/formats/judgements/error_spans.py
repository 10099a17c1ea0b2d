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
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, header_of, header_rows
from assay.data.formats.judgements.parts.notes import say_left_out, say_losses, without_other_levels
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.mqm_weights import mqm_weights, own_score, usual_weights
from assay.errors import AssayWarning, InputError, UnknownName

NEEDED = ("system", "segment", "start", "end", "severity")
HEADER = ("system", "segment", "rater", "kind", "start", "end", "category", "severity", "weight", "is_source_error")
WHAT = f"A table of errors has the columns {', '.join(HEADER)}, with tabs between."
NO_PLACE = ("missing", "-", "")
KIND = "mqm"

Key = tuple[str, int, str | None, str]


def recognises(_name: str, head: str) -> bool:
    """A header with the needed columns and without a score."""
    columns = set(header_of(head))
    return set(NEEDED) <= columns and "score" not in columns


def read(path: str, campaign: Campaign | None = None) -> Judgements:  # noqa: ARG001 - segments have numbers
    """The judgements of ``human.tsv`` with these errors, or of the items in the table alone."""
    _, rows = header_rows(path, needed=NEEDED, what=WHAT)
    found: dict[Key, list[ErrorSpan]] = {}
    lines: dict[Key, int] = {}
    for row in rows:
        key = (row.needed("system", "system"), row.integer("segment", "segment"), row.maybe("rater"),
               row.maybe("kind") or KIND)  # fmt: skip
        found.setdefault(key, []).append(_span(row))
        lines.setdefault(key, row.line)
    beside = _human_file(path)
    if beside is not None:
        joined = _joined(path, beside, found, lines)
        if joined is not None:
            return joined
    warnings.warn(
        f"{path}: items without errors have no row here and are missing. With human.tsv in the same folder, which says "
        "who judged what, they are there.",
        AssayWarning,
        stacklevel=2,
    )
    return Judgements.of(_alone(path, found, lines), path)


def _span(row: Row) -> ErrorSpan:
    severity = row.needed("severity", "severity")
    category = row.maybe("category") or ""
    if category.startswith("["):
        # Appraise writes the levels of a category as a list: ['Accuracy', 'Omission'].
        category = "/".join(part.strip(" '\"") for part in category.strip("[]").split(","))
    in_source = row.raw("is_source_error").strip().casefold() in ("1", "true")
    weight = row.number("weight", "weight")
    known = None if np.isnan(weight) else weight
    if row.raw("start") in NO_PLACE or row.raw("end") in NO_PLACE:
        return ErrorSpan(severity, category, in_source=in_source, weight=known)
    start, end = row.integer("start", "start"), row.integer("end", "end")
    if end < start:
        raise row.flaw("end", f"the error ends at {end}, before it begins at {start}")
    return ErrorSpan(severity, category, start, end, in_source, known)


def _human_file(path: str) -> str | None:
    for ending in ("", ".gz"):
        file = Path(path).parent / f"human.tsv{ending}"
        if path != "-" and file.is_file():
            return str(file)
    return None


def _joined(
    path: str, beside: str, found: Mapping[Key, list[ErrorSpan]], lines: Mapping[Key, int]
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
        raise InputError(
            f"{path}, line {lines[stray[0]]}: system {stray[0][0]!r}, segment {stray[0][1]} was not judged by "
            f"{stray[0][2]!r} ({stray[0][3]}) according to {beside} ({len(stray)} such items)."
        )
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


def _alone(path: str, found: Mapping[Key, list[ErrorSpan]], lines: Mapping[Key, int]) -> Iterator[Judgement]:
    usual = usual_weights(span.category for spans in found.values() for span in spans)
    for key, spans in found.items():
        system, segment, rater, kind = key
        # Kinds of ESA campaigns have severities that Google's tables do not know.
        weights = mqm_weights("esa-campaign") if any(one.severity == "undecided" for one in spans) else usual
        try:
            score = own_score(spans, weights)
        except UnknownName as error:
            raise InputError(f"{path}, line {lines[key]}: {error}") from None
        yield Judgement(system, segment, score, kind, rater, spans=tuple(spans), line=lines[key])


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """Two tables: the errors, and ``human.tsv`` with the scores and with items that have no errors."""
    kept = without_other_levels(judgements, "error-spans")
    if not any(kept.spans):
        raise InputError(f"{kept.origin}: nobody marked an error, so a table of errors would be empty.")
    say_losses(kept, "error-spans", ("rater", "document", "ranking", "spans", "kind", "further"))
    lines = ["\t".join(HEADER)]
    for one in kept:
        for span in one.spans or ():
            place = ("missing", "missing") if span.start is None else (str(span.start), str(span.end))
            weight = "-" if span.weight is None else table.spell_score(span.weight)
            item = (one.system, str(one.segment), one.rater or "-", one.kind)
            cells = (*item, *place, span.category or "-", span.severity, weight, str(int(span.in_source)))
            lines.append("\t".join(" ".join(cell.split("\t")) for cell in cells))
    return {"": ("\n".join(lines) + "\n").encode(), "human.tsv": table.content(kept)}


FORMAT = JudgementFormat("error-spans", "a table with one row per error, beside human.tsv", recognises, read, write)
