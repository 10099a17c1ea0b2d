"""What a format of judgements has to offer, and what formats say of what they leave out or have no place for."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assay.data.judgements import Judgements
from assay.data.limits import SEGMENTS
from assay.data.problems import STRICT, Aside, Problems
from assay.errors import AssayWarning, InputError, Place

if TYPE_CHECKING:
    from assay.data.campaign import Campaign


@dataclass(frozen=True)
class JudgementFormat:
    """How judgements of one format are recognised, read and written."""

    #: What one types.
    name: str
    #: One line for the help page.
    summary: str
    #: Whether a file is of this format, by its name (without ``.gz`` and ``.zst``) and its first kilobytes.
    recognises: Callable[[str, str], bool]
    #: Reads a file; the campaign is there for formats that number segments by their order alone. Lines that are wrong
    #: are told to the problems, which raise an error, or collect it; then the line is left out.
    reader: Callable[[str, Campaign | None, Problems], Judgements]
    #: The content of one or several files, by name; ``""`` is the file that was named.
    write: Callable[[Judgements, Campaign | None], Mapping[str, bytes]]

    def read(self, path: str, campaign: Campaign | None = None, problems: Problems = STRICT) -> Judgements:
        """The judgements of a file."""
        return self.reader(path, campaign, problems)


class NoJudgements(InputError):
    """A sound file in which nobody judged anything: no harm among others."""


def judged_alone(judgements: Judgements) -> Judgements:
    """The judgements that have a score, of a file with a line for every item; how many lines have none is said."""
    there = ~np.isnan(judgements.score)
    if not there.any():
        raise NoJudgements("no judgements in it, only None.", place=Place(judgements.origin))
    if not there.all():
        message = f"left out were {int((~there).sum())} lines with None, where nobody judged."
        warnings.warn(Aside(message, place=Place(judgements.origin)), stacklevel=3)
    return judgements.only(there)


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


def say_left_out(path: str, left_out: Counter[str]) -> None:
    """One note with how many rows of a file are no judgements, by reason."""
    reasons = [f"{count} {reason}" for reason, count in left_out.items() if count]
    if reasons:
        warnings.warn(AssayWarning(f"left out were {', '.join(reasons)}.", place=Place(path)), stacklevel=3)


def _say_no_place(format_name: str, lost: Iterable[tuple[int, str]]) -> None:
    said = ", ".join(f"{count} {what}" for count, what in lost if count)
    if said:
        warnings.warn(f"The format {format_name} has no place for {said}.", AssayWarning, stacklevel=4)


def say_losses(
    judgements: Judgements,
    format_name: str,
    holds: Collection[str],
    *,
    own_kinds: Collection[str] = (),
    own_columns: Collection[str] = (),
) -> None:
    """One note with all that a format has no place for.

    ``holds`` names what it keeps, ``own_kinds`` the kinds that it gives to judgements where it does not keep those, and
    ``own_columns`` the further columns that it has itself.
    """
    filled = [name for name, column in judgements.further.items() if (column.codes >= 0).any()]
    further = [name for name in filled if name not in own_columns]
    kinds = [kind for kind in judgements.kinds if kind not in own_kinds or len(judgements.kinds) > 1]
    lost = {
        "rater": (int((judgements.rater.codes >= 0).sum()), "names of raters"),
        "document": (int((judgements.document.codes >= 0).sum()), "names of documents"),
        "ranking": (int((judgements.ranking.codes >= 0).sum()), "ids of rankings"),
        "spans": (sum(one is not None for one in judgements.spans), "lists of marked errors"),
        "kind": (len(kinds), f"names of kinds ({', '.join(kinds)})"),
        "further": (len(further), f"further columns ({', '.join(further)})"),
    }
    _say_no_place(format_name, (loss for key, loss in lost.items() if key not in holds))


def say_span_losses(judgements: Judgements, format_name: str) -> None:
    """One note with what a format has no place for in marked errors: costs of their own, and places in the source."""
    spans = [span for errors in judgements.spans for span in errors or ()]
    costs, places = sum(span.weight is not None for span in spans), sum(span.in_source for span in spans)
    _say_no_place(format_name, ((costs, "costs of errors"), (places, "places in the source")))


def without_other_levels(judgements: Judgements, format_name: str) -> Judgements:
    """Judgements of segments alone; those of documents and systems are counted and said."""
    of_segments = judgements.segment >= 0
    if not of_segments.any():
        what = f"no judgements of segments, and {format_name} holds no others."
        raise InputError(what, place=Place(judgements.origin))
    _say_no_place(format_name, [(int((~of_segments).sum()), "judgements of documents or systems")])
    return judgements.only(of_segments)


def with_errors(judgements: Judgements, format_name: str) -> Judgements:
    """Judgements in which errors could be marked; others are counted and said."""
    flags = np.array([spans is not None for spans in judgements.spans or (None,) * len(judgements)], dtype=np.bool_)
    if not flags.any():
        what = f"no judgement has marked errors, and {format_name} holds nothing else."
        raise InputError(what, place=Place(judgements.origin))
    _say_no_place(format_name, [(int((~flags).sum()), "judgements without marked errors")])
    return judgements.only(flags)


def segment_count(judgements: Judgements, campaign: Campaign | None) -> int:
    """How many segments there are, for formats with a line for each, judged or not."""
    if campaign is not None:
        return len(campaign)
    count = int(judgements.segment.max()) + 1
    if count > SEGMENTS:
        what = f"a judgement of segment {count - 1}, and every segment before it would have a line."
        raise InputError(what, "Give the campaign, to say how many there are.", Place(judgements.origin))
    return count


def refuse_repeats(judgements: Judgements, format_name: str) -> None:
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


def means(judgements: Judgements, format_name: str) -> dict[tuple[str, int], float]:
    """The mean score of each system and segment, in the order in which they first come; NaN without any score.

    Each rater counts once: repeats are averaged first. It is said if anything was averaged, or has no score.
    """
    rated: dict[tuple[str, int], dict[int, list[float]]] = {}
    columns = zip(
        judgements.system, judgements.segment.tolist(), judgements.rater.codes.tolist(), judgements.score.tolist(),
        strict=True,
    )  # fmt: skip
    for row, (system, segment, rater, score) in enumerate(columns):
        # Nobody is named: then each judgement is somebody's own.
        voice = rater if rater >= 0 else -1 - row
        scores = rated.setdefault((str(system), segment), {})
        if not np.isnan(score):
            scores.setdefault(voice, []).append(score)
    result = {
        key: float(np.mean([np.mean(scores) for scores in raters.values()])) if raters else np.nan
        for key, raters in rated.items()
    }
    # Kinds are named, because the same words twice are said once.
    of_kind = f"of kind {', '.join(judgements.kinds)}"
    said = []
    if len(result) < len(judgements):
        said = [f"holds one score per item: {len(judgements)} judgements {of_kind} became {len(result)} means"]
    unscored = int(np.isnan(judgements.score).sum())
    if unscored:
        said += [f"cannot tell {unscored} judgements {of_kind} without a score from items that nobody judged"]
    for what in said:
        warnings.warn(f"{format_name} {what}.", AssayWarning, stacklevel=3)
    return result
