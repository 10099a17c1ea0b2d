"""Long names of systems in files, and a campaign's short ones: ``newstest2016.uedin.4361.cs-en`` is ``uedin``."""

from __future__ import annotations

from collections.abc import Iterable

from assay.data.campaign import Campaign


def system_name(name: str, campaign: Campaign | None, others: Iterable[str] = ()) -> str:
    """The campaign's name of a system: the same, or else the longest one that stands in it between dots.

    Without a campaign, or if none stands in it, the first of ``others`` that does, or the name as it is.
    """
    known = campaign.systems if campaign is not None else {}
    if name in known:
        return name
    inside = [short for short in known if f".{short}." in f".{name}."]
    if inside:
        return max(inside, key=len)
    return next((short for short in others if f".{short}." in f".{name}."), name)
