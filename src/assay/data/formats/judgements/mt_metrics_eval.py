"""mt-metrics-eval's scores, Google's averages of MQM, which are such scores, and mt-metrics-eval's ratings.

Score files are ``SYSTEM<tab>SCORE``, one block per system in the order of the test set. The name says the rest:
``en-de.mqm.seg.score`` is the kind ``mqm`` per segment, ``.doc.score`` per document, ``.sys.score`` per system, and
``.domain.score`` has ``DOMAIN SYSTEM SCORE``. Scores of metrics (``BLEU-refA.seg.score``) are the same. ``None`` stands
where nobody judged.

Google's averages over raters are ``system mqm_avg_score seg_id``, with blanks or tabs between, segments from 1.

Ratings are marked errors per segment, in two spellings. ``.seg.rating``: ``SYSTEM<tab>{"errors": [...]}<tab>RATER``,
one block per system in the order of the test set. ``en-de.mqm.rater1.seg.rating`` is the kind ``mqm`` by ``rater1``,
unless a third column names the rater. ``None`` stands for a segment that was not rated. Standalone: JSON Lines with the
texts, ``segment_id`` counted from 0 over the test set. A score is minus the scores of the errors, or their weights
where they have none.
"""

from __future__ import annotations

import json
import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.files import plain_name, read_bytes, texts_of
from assay.data.formats import LANGUAGE
from assay.data.formats.judgements import base
from assay.data.formats.judgements.places import FROM_0, Item, place_all
from assay.data.json_lines import first_object, is_position, json_object, json_text, read_objects, spell_objects
from assay.data.judgements import ErrorSpan, Factor, Judgement, Judgements
from assay.data.mqm_weights import scored_by_errors
from assay.data.problems import Aside, Problems, note
from assay.data.tables import Row, read_table
from assay.errors import InputError, Place

_T = TypeVar("_T")
#: A pair of languages before the rest of a name: ``en-de.``, ``en-zh_CN.``.
_LANGUAGES = rf"(?:{LANGUAGE}-{LANGUAGE}\.)?"
_NAME = re.compile(rf"{_LANGUAGES}(?P<kind>.+)\.(?P<level>seg|doc|domain|sys)\.score")
#: What the further column is called that tells a domain's judgement from a document's.
_LEVEL = "level"
_AVERAGES = ("system", "mqm_avg_score", "seg_id")
_AVERAGES_KIND = "mqm-avg"
_RATING_NAME = re.compile(rf"{_LANGUAGES}(?P<kind>[^.]+)(?:\.(?P<rater>.+))?\.seg\.rating")
_RATING = 'A rating is {"errors": [...]}, or None.'
_OBJECT = (
    'A line is an object such as {"source": "a", "hypothesis": "b", "errors": [], "segment_id": 0, "system_id": "A"}.'
)


def _read(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """The judgements, of no rater; documents are named with the campaign's help. Units without one are counted."""
    matched = _NAME.fullmatch(Path(plain_name(path)).name)
    if matched is None:
        what = "a score file is called NAME.seg.score, NAME.doc.score, NAME.domain.score or NAME.sys.score,"
        raise InputError(what, "because its level stands nowhere else.", Place(path))
    kind, level = matched["kind"], matched["level"]
    further = {_LEVEL: level} if level == "domain" else {}
    judgements = (
        Judgement(system, segment, score, kind, None, unit, further=further, line=line)
        for line, system, score, segment, unit in scores_in_order(path, level, campaign, problems, _score)
    )
    return _judged_alone(Judgements.of(judgements, path))


def _score(row: Row) -> float:
    if not row.cells[-1]:
        raise row.flaw("score", "no score; None stands for none")
    return row.number("score", "score")


def _judged_alone(judgements: Judgements) -> Judgements:
    """The judgements that have a score, of a file with a line for every item; how many lines have none is said."""
    there = ~np.isnan(judgements.score)
    if not there.any():
        raise base.NoJudgements("no judgements in it, only None.", place=Place(judgements.origin))
    if not there.all():
        message = f"left out were {int((~there).sum())} lines with None, where nobody judged."
        warnings.warn(Aside(message, place=Place(judgements.origin)), stacklevel=3)
    return judgements.only(there)


def scores_in_order(
    path: str,
    level: str,
    campaign: Campaign | None,
    problems: Problems,
    number: Callable[[Row], float],
) -> Iterator[tuple[int, str, float, int | None, str | None]]:
    """Line, system and score, with the segment's number or the name of the document or domain, of a score file.

    Each system has as many scores as there are units. ``number`` is what a line's cell with the score says.
    """
    width = 3 if level == "domain" else 2
    columns = {"domain": 0, "system": width - 2, "score": width - 1}
    domains: set[tuple[str, str]] = set()

    def scored(line: int, text: str) -> tuple[str, tuple[float, str]]:
        cells = text.split()
        if len(cells) != width:
            # Names may hold blanks where fields have tabs between.
            cells = [cell.strip() for cell in text.split("\t")] if "\t" in text else cells
            if len(cells) != width or not all(cells[:-1]):
                shape = "domain, system and score" if width == 3 else "system and score"
                raise InputError(f"{len(cells)} fields, but {shape} are needed.", place=Place(path, line))
        domain, system = cells[0], cells[-2]
        if width == 3:
            if (domain, system) in domains:
                raise InputError(f"a second score of {system!r} on domain {domain!r}.", place=Place(path, line))
            domains.add((domain, system))
        return system, (number(Row(path, line, cells, columns)), domain)

    rows = _in_blocks(path, level, campaign, problems, scored, things="scores")
    names = _documents(path, campaign) if level == "doc" else ()
    for line, system, index, (score, domain) in rows:
        unit = domain if level == "domain" else names[index] if names else None
        yield line, system, score, index if level == "seg" else None, unit


def _in_blocks(
    path: str,
    level: str,
    campaign: Campaign | None,
    problems: Problems,
    read: Callable[[int, str], tuple[str, _T]],
    *,
    things: str,
) -> list[tuple[int, str, int, _T]]:
    """Line, system, number among the lines of that system, and what ``read`` makes of the line, besides its system.

    Each system has as many lines as there are segments or documents, or one; of domains any number.
    """
    rows: list[tuple[int, str, int, _T]] = []
    counts: Counter[str] = Counter()
    last: dict[str, int] = {}
    lines = enumerate(texts_of(read_bytes(path), path, problems), start=1)
    for line, (system, value) in problems.each(lines, lambda line: (line[0], read(*line))):
        rows.append((line, system, counts[system], value))
        counts[system] += 1
        last[system] = line
    # The place of a line is its meaning, so that no line can be left out.
    problems.stop()
    if not rows:
        raise InputError("the file is empty.", place=Place(path))
    expected, what = next(iter(counts.values())), f"as {rows[0][1]!r} has"
    if level == "sys":
        expected, what = 1, "one per system"
    elif level == "doc":
        expected, what = len(_documents(path, campaign)), "one per document of the campaign, in their order"
    elif campaign is not None:
        expected, what = len(campaign), "one per segment of the campaign, in their order"
    for system, count in counts.items():
        if count != expected and level != "domain":
            raise InputError(
                f"{system!r} has {count} {things}, but {expected} are needed, {what}.",
                "None stands for a unit without any.",
                Place(path, last[system]),
            )
    return rows


def _documents(path: str, campaign: Campaign | None) -> tuple[str, ...]:
    if campaign is None or campaign.documents is None:
        what = "scores of documents come in the order of the test set, so a campaign that names its documents is needed"
        raise InputError(what, "to know which is which.", Place(path))
    return tuple(dict.fromkeys(campaign.documents))


def score_files(judgements: Judgements, campaign: Campaign | None) -> dict[str, str]:
    """One file per kind and level; means over raters and repeats, and None where nobody judged."""
    named = replace(judgements, further={key: value for key, value in judgements.further.items() if key != _LEVEL})
    base.prepared(named.only(named.segment >= 0), "mtme-score", ("kind",))
    base.prepared(named.only(named.segment < 0), "mtme-score", ("document", "kind"))
    levels = levels_of(judgements)
    return {
        f"{kind}.{level}.score": _content(judgements.only(rows), level, campaign)
        for kind in judgements.kinds
        for level in ("seg", "doc", "domain", "sys")
        if (rows := judgements.kind.holds([kind]) & (levels == level)).any()
    }


def levels_of(judgements: Judgements) -> NDArray[np.str_]:
    """Of each judgement what it is about: ``seg``, ``doc``, ``domain`` or ``sys``."""
    unit = judgements.document.codes >= 0
    named_level = judgements.further.get(_LEVEL, Factor.of([None] * len(judgements)))
    of_domain = unit & named_level.holds(["domain"])
    return np.select([judgements.segment >= 0, of_domain, unit], ["seg", "domain", "doc"], "sys")


def _written(
    files: Callable[[Judgements, Campaign | None], Mapping[str, str]],
    judgements: Judgements,
    campaign: Campaign | None,
) -> Mapping[str, bytes]:
    """Files under the names that mt-metrics-eval wants; one that is alone is the file that was named.

    The pair of languages stands first, if the campaign's own name has it at its end.
    """
    named = files(judgements, campaign)
    pair = re.search(r"(?:^|[^a-z])([a-z]{2,3}-[a-z]{2,3})(?:$|[^a-z])", "" if campaign is None else campaign.name)
    prefix = f"{pair[1]}." if pair else ""
    return {f"{prefix}{name}" if len(named) > 1 else "": content.encode() for name, content in named.items()}


def _content(judgements: Judgements, level: str, campaign: Campaign | None) -> str:
    """The file of one kind and level."""
    units: Sequence[int | str | None] = [None]
    if level == "seg":
        units = range(base.segment_count(judgements, campaign))
    elif level == "domain":
        units = judgements.document.names
    elif level == "doc":
        units = _documents(judgements.origin, campaign)
        stray = next((name for name in judgements.document.names if name not in units), None)
        if stray is not None:
            raise InputError(f"document {stray!r} is not one of the campaign.", place=Place(judgements.origin))
    means = _means(judgements, "mtme-score", "score files have")
    items = [(system, unit) for system in judgements.system.names for unit in units]
    if level == "domain":
        return "".join(
            f"{unit}\t{system}\t{means[system, unit]}\n" for system, unit in items if (system, unit) in means
        )
    return "".join(f"{system}\t{means.get((system, unit), 'None')}\n" for system, unit in items)


def _means(judgements: Judgements, format_name: str, fields: str) -> dict[tuple[str, int | str | None], str]:
    """The mean score of each system and unit, in the order in which they first come; None without any score.

    Each rater counts once: repeats are averaged first. It is said if anything was averaged, or has no score.
    """
    for name in judgements.system.names:
        if len(name.split()) != 1:
            raise InputError(f"The system {name!r} has a blank in its name, and {fields} blanks between fields.")
    rated: dict[tuple[str, int | str | None], dict[str | int, list[float]]] = {}
    for row, one in enumerate(judgements):
        scores = rated.setdefault((one.system, one.document if one.segment is None else one.segment), {})
        if not math.isnan(one.score):
            # Nobody is named: then each judgement is somebody's own.
            scores.setdefault(row if one.rater is None else one.rater, []).append(one.score)
    # Kinds are named, because the same words twice are said once.
    of_kind = f"of kind {', '.join(judgements.kinds)}"
    if len(rated) < len(judgements):
        count = len(judgements)
        note(f"{format_name} holds one score per item: {count} judgements {of_kind} became {len(rated)} means.")
    unscored = int(np.isnan(judgements.score).sum())
    if unscored:
        what = f"{unscored} judgements {of_kind} without a score from items that nobody judged"
        note(f"{format_name} cannot tell {what}.")
    return {
        key: repr(float(np.mean([np.mean(scores) for scores in raters.values()]))) if raters else "None"
        for key, raters in rated.items()
    }


def _read_averages(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per line, of no rater; ``None`` stands where nobody judged."""
    what = f"The header {' '.join(_AVERAGES)} is needed, with blanks or tabs between."
    table = read_table(path, "", needed=_AVERAGES, what=what, bare=True, problems=problems)
    seen: set[tuple[str, int]] = set()

    def average(row: Row) -> Judgement:
        system, segment = row.raw("system"), row.integer("seg_id", "segment", least=1) - 1
        if (system, segment) in seen:
            raise InputError(f"a second average of {system!r} on segment {segment + 1}.", place=row.place)
        seen.add((system, segment))
        # The file says -0.0 for no errors.
        return Judgement(
            system, segment, row.number("mqm_avg_score", "score") + 0.0, _AVERAGES_KIND, line=row.line
        )  # fmt: skip

    return _judged_alone(Judgements.of(problems.each(table, average), path))


def _write_averages(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """Means over raters and repeats."""
    kept = base.prepared(judgements, "mqm-averages", (), own_kinds=(_AVERAGES_KIND, "mqm"), segments=True)
    base.only_kind(kept, "Choose one to average.")
    means = _means(kept, "mqm-averages", "mqm-averages has")
    rows = [f"{system} {score} {int(segment or 0) + 1}" for (system, segment), score in means.items()]
    return {"": "\n".join([" ".join(_AVERAGES), *rows, ""]).encode()}


def _read_ratings(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per rated segment; the n-th line of a system is its n-th segment."""
    matched = _RATING_NAME.fullmatch(Path(plain_name(path)).name)
    kind, rater = (matched["kind"], matched["rater"]) if matched else ("mqm", None)

    def rating(line: int, text: str) -> tuple[str, tuple[tuple[ErrorSpan, ...], str] | None]:
        """The errors and who marked them; None for a segment that was not rated."""
        cells, place = text.split("\t"), Place(path, line)
        if len(cells) not in (2, 3):
            raise InputError(f"{len(cells)} fields, but system, rating and perhaps rater are needed.", place=place)
        if cells[1].strip() == "None":
            return cells[0], None
        spans = _spans(json_object(cells[1], place._replace(column=len(cells[0]) + 2), _RATING), place)
        return cells[0], (spans, cells[2].strip() if len(cells) == 3 else rater or kind)

    rows = _in_blocks(path, "seg", campaign, problems, rating, things="lines")
    ratings = [
        Judgement(system, segment, 0.0, kind, rated[1], spans=rated[0], line=line)
        for line, system, segment, rated in rows
        if rated is not None
    ]
    if not ratings:
        raise InputError("no ratings in it.", place=Place(path))
    return scored_by_errors(Judgements.of(ratings, path), problems=problems)


def _spans(rating: Mapping[str, Any], place: Place) -> tuple[ErrorSpan, ...]:
    """The errors of a rating; from 0 to 0 is no place."""
    if "errors" not in rating:
        raise InputError("no errors in the rating.", f"{_RATING} A rating without errors has an empty list.", place)
    spans = [base.span_of(error, place) for error in base.error_objects(rating["errors"], place, "errors")]
    return tuple(replace(one, start=None, end=None) if (one.start, one.end) == (0, 0) else one for one in spans)


def rating_files(judgements: Judgements, campaign: Campaign | None) -> dict[str, str]:
    """One file per kind and rater."""
    holds = ("rater", "spans", "kind")
    kept = base.prepared(judgements, "mtme-rating", holds, segments=True, errors=True, repeats=False)
    count = base.segment_count(kept, campaign)
    blocks: dict[tuple[str, str], dict[str, list[str]]] = {}
    for one in kept:
        rater = one.rater or "rater"
        rating = {"errors": [_error(span) for span in one.spans or ()]}
        systems = blocks.setdefault((one.kind, rater), {})
        lines = systems.setdefault(one.system, [f"{one.system}\tNone"] * count)
        lines[one.segment or 0] = f"{one.system}\t{json.dumps(rating)}\t{rater}"
    return {
        # A name needs no rater where there is one only: lines have it.
        f"{kind}.{rater}.seg.rating" if len(blocks) > 1 else f"{kind}.seg.rating": "".join(
            f"{line}\n" for lines in systems.values() for line in lines
        )
        for (kind, rater), systems in blocks.items()
    }


def _error(span: ErrorSpan) -> dict[str, Any]:
    """As mt-metrics-eval writes an error, which always has a place there: from 0 to 0 stands for none."""
    return {
        "start": span.start or 0,
        "end": span.end or 0,
        "category": span.category or None,
        "severity": span.severity,
        "score": span.weight,
        "is_source_error": span.in_source,
    }


def _read_standalone(path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per line. Repeats are kept."""
    read = list(problems.each(read_objects(path, _OBJECT, problems), _standalone))
    judgements = [judgement for judgement, _ in read]
    if campaign is not None:
        segments = place_all(path, [item for _, item in read], campaign, [FROM_0])
        judgements = [replace(one, segment=segment) for one, segment in zip(judgements, segments, strict=True)]
    return scored_by_errors(Judgements.of(judgements, path), problems=problems)


def _standalone(placed: tuple[Place, Mapping[str, Any]]) -> tuple[Judgement, Item]:
    """A judgement without a score, and where it belongs."""
    place, value = placed
    segment, system = value.get("segment_id"), json_text(value.get("system_id"), place, "system_id")
    if not is_position(segment):
        raise InputError(f"segment_id is {segment!r}, but a number from 0 on is needed.", place=place)
    if system is None:
        raise InputError("no system_id.", place=place)
    document = json_text(value.get("document_id"), place, "document_id")
    spans, line = _spans(value, place), place.line or 0
    rater = json_text(value.get("rater_id"), place, "rater_id")
    item = Item(line, segment, None, document, json_text(value.get("source"), place, "source"))
    return Judgement(system, segment, 0.0, "mqm", rater, document, spans=spans, line=line), item


def _write_standalone(judgements: Judgements, campaign: Campaign | None) -> Mapping[str, bytes]:
    """The ratings with the texts of the campaign."""
    texts = base.require_campaign(campaign, "mtme-rating-jsonl")
    kept = base.prepared(
        judgements, "mtme-rating-jsonl", ("rater", "document", "spans"), own_kinds=("mqm",), segments=True, errors=True
    )
    return {"": b"".join(spell_objects(_object(one, texts) for one in kept))}


def _object(judgement: Judgement, campaign: Campaign) -> dict[str, Any]:
    source, target, document = base.texts_of_segment(judgement, campaign, "mtme-rating-jsonl")
    return {
        "source": source,
        "hypothesis": target,
        "errors": [_error(span) for span in judgement.spans or ()],
        "document_id": document,
        "segment_id": judgement.segment,
        "system_id": judgement.system,
        "rater_id": judgement.rater,
        "src_lang": None,
        "tgt_lang": None,
    }


SCORES = base.JudgementFormat(
    lambda name, _head: _NAME.fullmatch(name) is not None, _read, partial(_written, score_files)
)
AVERAGES = base.JudgementFormat(
    lambda _name, head: tuple(head.split("\n", 1)[0].split()) == _AVERAGES, _read_averages, _write_averages
)
RATINGS = base.JudgementFormat(
    lambda name, _head: _RATING_NAME.fullmatch(name) is not None, _read_ratings, partial(_written, rating_files)
)
STANDALONE = base.JudgementFormat(
    lambda name, head: name.endswith((".jsonl", ".json")) and {"errors", "hypothesis"} <= first_object(head).keys(),
    _read_standalone,
    _write_standalone,
)
