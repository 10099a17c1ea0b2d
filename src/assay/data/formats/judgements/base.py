"""What a format of judgements has to offer, and what formats share: what they say of what they leave out or have no
place for, texts of a campaign, and marked errors as objects of JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.data.json_lines import is_position, json_number, json_text
from assay.data.judgements import ErrorSpan, Judgement, Judgements
from assay.data.problems import Problems, guarded, note, require_writable
from assay.errors import InputError, Place, UnknownName

if TYPE_CHECKING:
    from assay.data.campaign import Campaign

#: No test set has more segments: no number alone makes a file longer than that.
_SEGMENTS = 10_000_000


@dataclass(frozen=True)
class JudgementFormat:
    """How judgements of one format are recognised, read and written."""

    #: Whether a file is of the format, by its name (without ``.gz`` and ``.zst``) and its first kilobytes.
    recognises: Callable[[str, str], bool]
    #: Reads a file; the campaign is there for formats that number segments by their order alone. Lines that are wrong
    #: are told to the problems, which raise an error, or collect it; then the line is left out.
    reader: Callable[[str, Campaign | None, Problems], Judgements]
    #: The content of one or several files, by name; ``""`` is the file that was named.
    writer: Callable[[Judgements, Campaign | None], Mapping[str, bytes]]

    def read(self, path: str, campaign: Campaign | None, problems: Problems) -> Judgements:
        """What the format reads; what its libraries raise is an ``InputError``."""
        with guarded(path):
            return self.reader(path, campaign, problems)

    def write(self, judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
        """What the format writes; names that nobody could read again are refused."""
        for what in ("system", "rater", "document", "kind", "ranking", "reference"):
            names = getattr(judgements, what).names
            require_writable(what, names, Place(judgements.origin), needed=what == "system")
        return self.writer(judgements, campaign)


class NoJudgements(InputError):
    """A sound file in which nobody judged anything: no harm among others."""


def system_name(name: str, campaign: Campaign | None, others: Iterable[str] = ()) -> str:
    """The campaign's name of a system: the same, or else the longest one that stands in it between dots.

    ``newstest2016.uedin.4361.cs-en`` is ``uedin``. Without a campaign, or if none stands in it, the first of ``others``
    that does, or the name as it is.
    """
    known = campaign.systems if campaign is not None else {}
    if name in known:
        return name
    inside = [short for short in known if f".{short}." in f".{name}."]
    if inside:
        return max(inside, key=len)
    return next((short for short in others if f".{short}." in f".{name}."), name)


def say_left_out(path: str, left_out: Counter[str], *, kept: bool = True) -> None:
    """One note with how many rows of a file are no judgements, by reason; if nothing is ``kept`` it is refused."""
    reasons = [f"{count} {reason}" for reason, count in left_out.items() if count]
    if reasons:
        note(f"left out were {', '.join(reasons)}.", Place(path))
    if not kept:
        raise InputError("no judgements in it.", place=Place(path))


def prepared(
    judgements: Judgements,
    format_name: str,
    holds: Collection[str],
    *,
    own_kinds: Collection[str] = (),
    own_columns: Collection[str] = (),
    segments: bool = False,
    errors: bool = False,
    repeats: bool = True,
) -> Judgements:
    """The judgements that a format can hold; all that it has no place for is said.

    ``holds`` names what it keeps (of marked errors all, ``spans``, or what is in the translation, ``marks``),
    ``own_kinds`` the kinds that it gives to judgements where it does not keep those, and ``own_columns`` the further
    columns that it has itself. It may hold judgements of ``segments`` alone, or those in which ``errors`` could be
    marked, and may run ``repeats`` together, which then are refused.
    """
    kept = judgements
    if segments:
        nothing = "no judgements of segments, and {} holds no others."
        kept = _only(kept, kept.segment >= 0, format_name, nothing, "judgements of documents or systems")
    if errors:
        nothing = "no judgement has marked errors, and {} holds nothing else."
        marked = [spans is not None for spans in kept.spans or (None,) * len(kept)]
        kept = _only(kept, np.array(marked, dtype=np.bool_), format_name, nothing, "judgements without marked errors")
    if not repeats:
        _refuse_repeats(kept.only(kept.segment >= 0), format_name)
    filled = [name for name, column in kept.further.items() if (column.codes >= 0).any()]
    further = [name for name in filled if name not in own_columns]
    kinds = [kind for kind in kept.kinds if kind not in own_kinds or len(kept.kinds) > 1]
    spans = [span for listed in kept.spans for span in listed or ()]
    marks = "marks" in holds
    lost = {
        "rater": (int((kept.rater.codes >= 0).sum()), "names of raters"),
        "document": (int((kept.document.codes >= 0).sum()), "names of documents"),
        "ranking": (int((kept.ranking.codes >= 0).sum()), "ids of rankings"),
        "reference": (int((kept.reference.codes >= 0).sum()), "names of references that were judged against"),
        "spans": (0 if marks else sum(listed is not None for listed in kept.spans), "lists of marked errors"),
        "costs": (marks * sum(span.weight is not None for span in spans), "costs of errors"),
        "places": (marks * sum(span.in_source for span in spans), "places in the source"),
        "kind": (len(kinds), f"names of kinds ({', '.join(kinds)})"),
        "further": (len(further), f"further columns ({', '.join(further)})"),
    }
    _say_no_place(format_name, (loss for key, loss in lost.items() if key not in holds))
    return kept


def _only(judgements: Judgements, rows: NDArray[np.bool_], format_name: str, nothing: str, others: str) -> Judgements:
    """These judgements; the others are counted and said."""
    if not rows.any():
        raise InputError(nothing.format(format_name), place=Place(judgements.origin))
    _say_no_place(format_name, [(int((~rows).sum()), others)])
    return judgements.only(rows)


def _say_no_place(format_name: str, lost: Iterable[tuple[int, str]]) -> None:
    listed = ", ".join(f"{count} {what}" for count, what in lost if count)
    if listed:
        note(f"The format {format_name} has no place for {listed}.")


def _refuse_repeats(judgements: Judgements, format_name: str) -> None:
    """Refuse two judgements of one item by one rater where a format would run them together."""
    columns = (judgements.system.codes, judgements.segment, judgements.rater.codes, judgements.kind.codes)
    _, firsts = np.unique(np.stack(columns), axis=1, return_index=True)
    if len(firsts) < len(judgements):
        repeated = int(np.setdiff1d(np.arange(len(judgements)), firsts)[0])
        raise InputError(
            f"system {judgements.system[repeated]!r}, segment {int(judgements.segment[repeated])} was judged before by "
            f"the same rater, and {format_name} has no place for repeats ({len(judgements) - len(firsts)} of them).",
            "Choose one of them, or write jsonl.",
            judgements.place(repeated),
        )


def only_kind(judgements: Judgements, remedy: str) -> str:
    """The kind of all judgements, for formats that hold one."""
    if len(judgements.kinds) > 1:
        what = f"judgements of several kinds ({', '.join(judgements.kinds)})."
        raise InputError(what, remedy, Place(judgements.origin))
    return judgements.kinds[0]


def segment_count(judgements: Judgements, campaign: Campaign | None) -> int:
    """How many segments there are, for formats with a line for each, judged or not."""
    if campaign is not None:
        return len(campaign)
    count = int(judgements.segment.max()) + 1
    if count > _SEGMENTS:
        what = f"a judgement of segment {count - 1}, and every segment before it would have a line."
        raise InputError(what, "Give the campaign, to say how many there are.", Place(judgements.origin))
    return count


def require_campaign(campaign: Campaign | None, format_name: str) -> Campaign:
    """The campaign, for formats that hold its texts."""
    if campaign is None:
        raise InputError(f"{format_name} holds the texts in every row. Give the campaign to write it.")
    return campaign


def texts_of_segment(judgement: Judgement, campaign: Campaign, format_name: str) -> tuple[str, str, str | None]:
    """Source, translation and document of what was judged, for formats that hold them."""
    if judgement.system not in campaign.systems:
        what = f"system in the campaign, whose text {format_name} needs,"
        raise UnknownName.of(what, judgement.system, campaign.systems)
    segment = judgement.segment or 0
    source = campaign.source[segment] if campaign.source is not None else ""
    document = campaign.documents[segment] if campaign.documents else judgement.document
    return source, campaign.systems[judgement.system][segment], document


def error_objects(value: Any, place: Place, what: str) -> list[dict[str, Any]]:
    """The objects of a list of errors; nothing where it is null."""
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise InputError(f"{what} is {str(value)[:60]!r}, but a list of errors is needed: [{{...}}, ...].", place=place)
    return value


def span_of(
    error: dict[str, Any], place: Place, *, start: str = "start", end: str = "end", inclusive: bool = False
) -> ErrorSpan:
    """One error. What has no number as its place (``missing``) belongs to the whole segment."""
    severity = json_text(error.get("severity"), place, "severity") or "undecided"
    first, last = error.get(start), error.get(end)
    if isinstance(first, str) or isinstance(last, str) or first is None or last is None:
        first = last = None
    elif not is_position(first) or not is_position(last):
        raise InputError(f"an error from {first!r} to {last!r}, but numbers of characters are needed.", place=place)
    else:
        # Who marks from right to left may leave the ends swapped.
        first, last = min(first, last), max(first, last) + inclusive
    category, weight = error.get("category", error.get("error_type")), error.get("score")
    # The levels of a category may come apart: ["Accuracy", "Omission"] is Accuracy/Omission.
    levels = category if isinstance(category, list) else [category]
    return ErrorSpan(
        severity,
        "/".join(json_text(level, place, "category") or "" for level in levels),
        first,
        last,
        bool(error.get("is_source_error", False)),
        None if weight is None else json_number(weight, place, "the score of an error"),
    )


def appraise_spans(value: Any, place: Place, what: str) -> tuple[ErrorSpan, ...]:
    """Errors as Appraise and Pearmut write them: the last character is part of an error."""
    errors = error_objects(value, place, what)
    return tuple(span_of(error, place, start="start_i", end="end_i", inclusive=True) for error in errors)


def appraise_error(span: ErrorSpan) -> dict[str, Any]:
    """As Appraise and Pearmut write an error: the last character is part of it, and places are in the target alone."""
    missing = span.start is None or span.end is None or span.in_source
    return {
        "start_i": "missing" if missing else span.start,
        "end_i": "missing" if missing or span.end is None else max(span.end - 1, span.start or 0),
        "severity": span.severity,
    }
