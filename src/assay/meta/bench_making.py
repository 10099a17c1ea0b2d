"""Where agreement looks for benches; they are in ``benches``."""

from __future__ import annotations

from assay.data.campaign import Campaign
from assay.meta import benches
from assay.meta.people import People
from assay.meta.request import Request


def benches_of(campaign: Campaign, people: People, request: Request) -> tuple[list[benches.Bench], list[str]]:
    """A bench for each level that was asked for, and why there is none for the others."""
    return benches.benches_of(campaign, people, request.levels, request)
