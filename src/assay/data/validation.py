"""Is this file or folder sound? Everything that can be found wrong with it, not only the first thing."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

import numpy as np

from assay.data.campaign import Campaign, Role, is_same_reference
from assay.data.conversion import holds_judgements
from assay.data.files import is_folder, is_stream, read_bytes, require_file, texts_of
from assay.data.formats import campaign_format, guess_format
from assay.data.formats.folder import judgement_file
from assay.data.formats.judgements import JUDGEMENT_FORMATS, guess_judgement_format
from assay.data.formats.mt_metrics_eval import choose_pair
from assay.data.judgements import Judgements, alike, difference
from assay.data.problems import Finding, Problems
from assay.errors import InputError, Place, counted, nearest

#: The place of a text in a segment, or of all of it: ``("reference", "A", 3)``, ``("system", "B", None)``.
_Locate = Callable[[str, str, int | None], Place]
#: Where scores of a kind usually lie; the first pattern that fits counts.
_USUAL = (
    ("*-z", -10.0, 10.0),
    ("*-z-*", -10.0, 10.0),
    ("da*", 0.0, 100.0),
    ("esa*", 0.0, 100.0),
    ("sqm*", 0.0, 100.0),
    ("mqm*", -math.inf, 0.0),
    ("hter-neg*", -math.inf, 0.0),
    ("hter*", 0.0, math.inf),
    ("adequacy*", 0.0, 7.0),
    ("fluency*", 0.0, 7.0),
)
#: A rater who gives one score only is worth a look from so many judgements on.
_CONSTANT = 10


def check_path(
    path: str | Path,
    *,
    input_format: str | None = None,
    campaign: Campaign | None = None,
    pair: str | None = None,
) -> tuple[str, tuple[Finding, ...]]:
    """What a file or folder is taken for, everything that is wrong with it, and what should be looked at.

    ``campaign`` is what a file of judgements is about; ``pair`` chooses in a folder of mt-metrics-eval.
    """
    name = str(path)
    if not name:
        raise InputError("no such file or folder.", place=Place(repr(name)))
    if not is_folder(path) and not is_stream(path):
        require_file(path)
    try:
        judged = holds_judgements(path, input_format)
        kind = input_format or (guess_judgement_format(path) if judged else guess_format(path))
    except InputError as error:
        return "unknown", (Finding.of(error, name),)
    chosen = choose_pair(Path(path), pair) if kind == "mt-metrics-eval" else None
    findings = dict.fromkeys(_judgements(name, kind, campaign) if judged else _campaign(name, kind, chosen))
    # Each once, file by file, and in the order of lines.
    order = {file: number for number, file in enumerate(dict.fromkeys(one.place.file for one in findings))}
    places = {one: (order[one.place.file], one.place.line or 0, one.place.column or 0) for one in findings}
    return kind, tuple(sorted(findings, key=places.__getitem__))


def _judgements(path: str, kind: str, campaign: Campaign | None, systems: Collection[str] = ()) -> list[Finding]:
    """What is wrong with a file of judgements; ``systems`` are known beside those of the campaign."""
    problems = Problems(lenient=True)
    judgements = problems.attempt(lambda: JUDGEMENT_FORMATS[kind].read(path, campaign, problems), path)
    findings = problems.findings
    if judgements is not None and len(judgements):
        for look in (_ranges, _constant_raters, _repeats, _lone_rankings, _alike_names):
            findings += look(judgements)
        if campaign is not None:
            findings += _systems(judgements, {*campaign.systems, *campaign.references, *systems})
            findings += (*_segments(judgements, campaign), *_documents(judgements, campaign))
    return findings


def _campaign(path: str, kind: str, pair: str | None) -> list[Finding]:
    """What is wrong with a campaign of any format and its judgements, or with a file of plain lines."""
    problems = Problems(lenient=True)
    if kind == "lines":
        texts = problems.attempt(lambda: texts_of(read_bytes(path), path, problems), path)
        if texts is not None and not len(texts):
            problems.findings.append(Finding(Place(path), "the file is empty: there are no segments."))
        return problems.findings
    campaign = problems.attempt(lambda: campaign_format(kind).read(path, pair, problems), path)

    def locate(kind: str, name: str, index: int | None) -> Place:
        file, before = problems.places.get((kind, name), (path, None))
        return Place(file, None if before is None or index is None else before + index + 1)

    findings = problems.findings
    if campaign is not None:
        for look in (_without_references, _empty_references, _same_texts, _segment_names, _alike_parts):
            findings += look(campaign, locate)
    human = problems.attempt(lambda: judgement_file(Path(path)), path) if campaign is None else campaign.human
    # Systems are known whether their files are sound or not.
    systems = [name for text, name in problems.places if text == "system"]
    for file in () if human is None or isinstance(human, Judgements) else human.paths:
        try:
            format_name = guess_judgement_format(file)
        except InputError as error:
            if kind != "folder":
                findings.append(Finding(Place(str(file)), error.text, "warning"))
                continue
            format_name = "assay"
        findings += _judgements(str(file), format_name, campaign, systems)
    return findings


def _without_references(campaign: Campaign, locate: _Locate) -> Iterator[Finding]:
    if len(campaign.present) < len(campaign.references) or not campaign.references:
        return
    without = np.flatnonzero(~np.stack([campaign.present[name] for name in campaign.references]).any(axis=0))
    if len(without):
        first = int(without[0])
        message = f"{counted(len(without), 'segment')} without any reference, the first of them segment {first}."
        yield Finding(locate("reference", next(iter(campaign.references)), first), message)


def _empty_references(campaign: Campaign, locate: _Locate) -> Iterator[Finding]:
    for name, column in campaign.references.items():
        present = campaign.present.get(name)
        empty = [index for index, text in enumerate(column) if not text.strip() and (present is None or present[index])]
        if empty:
            count = "1 segment is" if len(empty) == 1 else f"{len(empty)} of {len(column)} segments are"
            message = f"reference {name!r}: {count} empty, the first of them segment {empty[0]}."
            yield Finding(locate("reference", name, empty[0]), message, "warning")


def _same_texts(campaign: Campaign, locate: _Locate) -> Iterator[Finding]:
    """Pairs of texts that are the same in every segment; a system that bears a reference's name may be."""
    earlier: dict[str, list[Role]] = {}
    for (kind, name), part in campaign.parts.items():
        if isinstance(part, tuple) or kind == "column":
            continue
        for other_kind, other in earlier.setdefault(part.digest, []):
            if kind == "system" and other_kind == "reference" and is_same_reference(name, other):
                continue
            first = "the source" if other_kind == "source" else f"{other_kind} {other!r}"
            message = f"{kind} {name!r} is the same text as {first}, in every segment."
            yield Finding(locate(kind, name, None), message, "warning")
        earlier[part.digest].append((kind, name))


def _segment_names(campaign: Campaign, locate: _Locate) -> Iterator[Finding]:
    names = campaign.segments or ()
    if len(set(names)) == len(names):
        return
    seen: dict[str, int] = {}
    for index, name in enumerate(names):
        if name in seen:
            message = f"segment {index} is called {name!r}, as segment {seen[name]} is."
            yield Finding(locate("segment", "", index), message)
        seen.setdefault(name, index)


def _alike_parts(campaign: Campaign, locate: _Locate) -> Iterator[Finding]:
    """Names of the campaign that look the same and are not."""
    names = {
        "system": campaign.systems,
        "reference": campaign.references,
        "document": dict.fromkeys(campaign.documents or ()),
        "domain": dict.fromkeys(campaign.domains or ()),
    }
    for kind, known in names.items():
        message = alike(kind, known)
        if message:
            yield Finding(locate(kind, "", None), message, "warning")


def _finding(
    judgements: Judgements, row: int, message: str, severity: Literal["error", "warning"] = "warning"
) -> Finding:
    """What is to be said of some judgements, the first of which is in this row."""
    return Finding(Place(judgements.origin, int(judgements.line[row]) or None), message, severity)


def _systems(judgements: Judgements, known: Collection[str]) -> Iterator[Finding]:
    for code, name in enumerate(judgements.system.names):
        if name not in known:
            rows = np.flatnonzero(judgements.system.codes == code)
            same = next((other for other in known if difference(name, other)), None)
            near = nearest(name, known)
            guess = f" Did you mean {near!r}?" if near else ""
            if same is not None:
                # Escapes show what letters do not.
                guess = f" It has {same!a}, and {name!a} differs from it only {difference(name, same)}."
            message = f"{counted(len(rows), 'judgement')} of system {name!r}, which the campaign does not have.{guess}"
            yield _finding(judgements, rows[0], message)


def _segments(judgements: Judgements, campaign: Campaign) -> Iterator[Finding]:
    rows = np.flatnonzero(judgements.segment >= len(campaign))
    if len(rows):
        message = (
            f"{counted(len(rows), 'judgement')} of segments that the campaign does not have, the first of them "
            f"{int(judgements.segment[rows[0]])}: there are {len(campaign)}, numbered from 0."
        )
        yield _finding(judgements, rows[0], message, "error")


def _documents(judgements: Judgements, campaign: Campaign) -> Iterator[Finding]:
    if campaign.documents is None:
        return
    inside = (judgements.segment >= 0) & (judgements.segment < len(campaign))
    true = np.array(campaign.documents, dtype=object)[np.where(inside, judgements.segment, 0)]
    named, wrong = judgements.document.codes >= 0, np.array([*judgements.document], dtype=object) != true
    rows = np.flatnonzero(inside & named & wrong)
    if len(rows):
        first = int(rows[0])
        segment = int(judgements.segment[first])
        message = (
            f"{counted(len(rows), 'judgement')} under a document other than the campaign has it, the first of them "
            f"{judgements.document[first]!r} for segment {segment}, which belongs to {campaign.documents[segment]!r}."
        )
        yield _finding(judgements, first, message, "error")
    unknown = np.flatnonzero((judgements.segment < 0) & named & ~judgements.document.holds(campaign.documents))
    if len(unknown):
        name = judgements.document[int(unknown[0])]
        count = counted(len(unknown), "judgement")
        message = f"{count} of documents that the campaign does not have, the first of them {name!r}."
        yield _finding(judgements, unknown[0], message)


def _ranges(judgements: Judgements) -> Iterator[Finding]:
    for code, kind in enumerate(judgements.kinds):
        bounds = (usual for pattern, *usual in _USUAL if fnmatchcase(kind.lower(), pattern))
        low, high = next(bounds, (-math.inf, math.inf))
        with np.errstate(invalid="ignore"):
            outside = (judgements.score < low) | (judgements.score > high)
        rows = np.flatnonzero((judgements.kind.codes == code) & outside)
        if len(rows):
            usual = f"from {low:g} to {high:g}" if math.isfinite(low + high) else f"{low:g} and above"
            usual = f"{high:g} and below" if low == -math.inf else usual
            message = (
                f"{counted(len(rows), 'score')} of kind {kind!r} outside of what is usual, {usual}; the first of them "
                f"is {judgements.score[rows[0]]:g}."
            )
            yield _finding(judgements, rows[0], message)


def _alike_names(judgements: Judgements) -> Iterator[Finding]:
    for message in judgements.alike():
        yield Finding(Place(judgements.origin), message, "warning")


def _constant_raters(judgements: Judgements) -> Iterator[Finding]:
    scored = np.flatnonzero(~np.isnan(judgements.score) & (judgements.rater.codes >= 0))
    pairs = np.stack([judgements.kind.codes[scored], judgements.rater.codes[scored]], axis=1)
    for kind, rater in np.unique(pairs, axis=0).tolist():
        rows = scored[(pairs == (kind, rater)).all(axis=1)]
        of_kind = judgements.score[scored[pairs[:, 0] == kind]]
        if len(rows) >= _CONSTANT and np.ptp(judgements.score[rows]) == 0 and np.ptp(of_kind) > 0:
            message = (
                f"rater {judgements.rater.names[rater]!r} gave the same score, {judgements.score[rows[0]]:g}, to all "
                f"{len(rows)} items of kind {judgements.kinds[kind]!r}."
            )
            yield _finding(judgements, rows[0], message)


def _repeats(judgements: Judgements) -> Iterator[Finding]:
    """Judgements of one item by one rater, of one kind: some formats mean repeats, others a slip."""
    names = ("kind", "rater", "system", "document", "ranking", "reference")
    factors = [getattr(judgements, name) for name in names]
    items = np.stack([judgements.segment, *(factor.codes for factor in factors)], axis=1)
    rated = np.flatnonzero(judgements.rater.codes >= 0)
    _, firsts, item = np.unique(items[rated], axis=0, return_index=True, return_inverse=True)
    before = rated[firsts[item.reshape(-1)]]
    again = np.flatnonzero(before < rated)
    kinds = judgements.kind.codes[rated[again]]
    for kind in dict.fromkeys(kinds.tolist()):
        repeats = again[kinds == kind]
        line = int(judgements.line[before[repeats[0]]])
        where = f" (here again, first in line {line})" if line else ""
        message = (
            f"{counted(len(repeats), 'judgement')} of kind {judgements.kinds[kind]!r} by a rater who has judged the "
            f"item before{where}; they count as repeats."
        )
        yield _finding(judgements, int(rated[repeats[0]]), message)


def _lone_rankings(judgements: Judgements) -> Iterator[Finding]:
    codes = judgements.ranking.codes
    counts = np.bincount(codes[codes >= 0], minlength=len(judgements.ranking.names))
    rows = np.flatnonzero(np.isin(codes, np.flatnonzero(counts == 1)))
    if len(rows):
        message = f"{counted(len(rows), 'ranking')} with one item only, which ranks nothing."
        yield _finding(judgements, rows[0], message)
