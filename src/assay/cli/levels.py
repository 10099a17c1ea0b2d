"""Segments, documents and domains: what a command shows beside whole systems."""

from __future__ import annotations

from assay.data.campaign import Campaign
from assay.errors import InputError
from assay.scoring.statistics import KEYS, Level


def require_labels(campaign: Campaign, levels: tuple[Level, ...]) -> None:
    """Fail before the work if documents or domains are asked for and have no names."""
    for level in levels:
        if level != "segments" and getattr(campaign, level) is None:
            file = {"documents": "docs.txt", "domains": "domains.txt"}[level]
            raise InputError(
                f"{campaign.name} names no {level}. A campaign folder has them in {file}, one per line; "
                f"a table in the column {KEYS[level]}."
            )
