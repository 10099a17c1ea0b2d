"""What a format of campaigns has to offer, and what formats say of what they have no place for."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection
from dataclasses import dataclass

from assay.data.campaign import Campaign, is_post_edit
from assay.data.files import Files
from assay.data.problems import Problems
from assay.errors import AssayWarning, ParameterError

#: Languages as formats spell them: ``de``, ``cs_CZ``.
LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?"


@dataclass(frozen=True)
class CampaignFormat:
    """How campaigns of one format are read and written."""

    #: What one types.
    name: str
    #: One line for the help page.
    summary: str
    #: The campaign at a path; the language pair is there for folders that hold several. Errors are raised, or what is
    #: wrong is told to the problems and left out.
    read: Callable[[str, str | None, Problems], Campaign]
    #: The files of a campaign that is to stand at a path; the language pair is there for formats that name languages.
    write: Callable[[Campaign, str, str | None], Files]


def say_lost(campaign: Campaign, path: str, *parts: str, kept: Collection[str] = ()) -> None:
    """Warn of those parts that a campaign has and a file cannot keep.

    Parts are ``segments``, ``documents``, ``domains``, ``columns`` (but for those ``kept``), ``judgements`` and
    ``absent``, the difference between a reference that is missing and one that is empty. Post-edits are known by their
    names in every format.
    """
    lost = [_loss(campaign, part, kept) for part in parts]
    own = sorted(name for name in campaign.post_edits if not is_post_edit(name))
    if own:
        lost.append(f"that {', '.join(own)} are post-edits (call them pe.{own[0]} and so on)")
    for what in lost:
        if what is not None:
            warnings.warn(f"{path} has no place for {what}.", AssayWarning, stacklevel=3)


def _loss(campaign: Campaign, part: str, kept: Collection[str]) -> str | None:
    if part == "columns":
        names = [name for name in campaign.columns if name not in kept]
        return f"the columns {', '.join(names)}" if names else None
    if part == "judgements":
        advice = f"the judgements of {campaign.name}; convert them by themselves, with --to assay"
        return None if campaign.human is None else advice
    if part == "absent":
        counts = {name: int((~flags).sum()) for name, flags in campaign.present.items() if not flags.all()}
        listed = ", ".join(f"{count} of reference {name!r}" for name, count in counts.items())
        return f"the difference between absent and empty references; written as empty: {listed}" if counts else None
    return f"the names of {part}" if getattr(campaign, part) is not None else None


def languages_of(campaign: Campaign, pair: str | None) -> tuple[str, str] | None:
    """Source and target: of ``pair`` if it is given, else of the campaign's name, if it holds exactly one pair."""
    if pair is not None:
        return split_pair(pair)
    found = re.findall(rf"(?<![A-Za-z_])(?=({LANGUAGE})-({LANGUAGE})(?![A-Za-z_]))", campaign.name)
    return (found[0][0], found[0][1]) if len(found) == 1 else None


def split_pair(pair: str) -> tuple[str, str]:
    """The two languages of a pair.

    >>> split_pair("en-de")
    ('en', 'de')
    """
    source, dash, target = pair.partition("-")
    if not dash or not all(re.fullmatch(r"[A-Za-z]{2,8}(?:[_-][A-Za-z0-9]{1,8})*", one) for one in (source, target)):
        raise ParameterError(f"The language pair is {pair!r}, but it takes two languages, as in en-de.")
    return source, target
