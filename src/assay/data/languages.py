"""Which languages a campaign is about, where a format wants to know."""

from __future__ import annotations

import re

from assay.data.campaign import Campaign
from assay.errors import ParameterError

#: Languages as formats spell them: ``de``, ``cs_CZ``.
LANGUAGE = r"[a-z]{2,3}(?:_[A-Za-z]{2,4})?"


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
