"""What a format has no place for is said, never silently lost."""

from __future__ import annotations

import warnings
from collections.abc import Collection

from assay.data.campaign import Campaign, is_post_edit
from assay.errors import AssayWarning


def say_lost(campaign: Campaign, path: str, *parts: str, kept: Collection[str] = ()) -> None:
    """Warn of those parts that a campaign has and a file cannot keep.

    Parts are ``segments``, ``documents``, ``domains``, ``columns`` (but for those ``kept``), ``judgements`` and
    ``absent``, the difference between a reference that is missing and one that is empty. Post-edits are known by their
    names in every format.
    """
    lost = [_told(campaign, part, kept) for part in parts]
    own = sorted(name for name in campaign.post_edits if not is_post_edit(name))
    if own:
        lost.append(f"that {', '.join(own)} are post-edits (call them pe.{own[0]} and so on)")
    for told in lost:
        if told is not None:
            warnings.warn(f"{path} has no place for {told}.", AssayWarning, stacklevel=3)


def _told(campaign: Campaign, part: str, kept: Collection[str]) -> str | None:
    if part == "columns":
        names = [name for name in campaign.columns if name not in kept]
        return f"the columns {', '.join(names)}" if names else None
    if part == "judgements":
        return (
            f"the judgements of {campaign.name}; convert them by themselves, with --to assay"
            if campaign.human is not None
            else None
        )
    if part == "absent":
        counts = {name: int((~flags).sum()) for name, flags in campaign.present.items() if not flags.all()}
        told = ", ".join(f"{count} of reference {name!r}" for name, count in counts.items())
        return f"the difference between absent and empty references; written as empty: {told}" if counts else None
    named = {
        "documents": "the names of documents",
        "domains": "the names of domains",
        "segments": "the names of segments",
    }
    return named[part] if getattr(campaign, part) is not None else None
