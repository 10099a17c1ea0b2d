"""Writing: from a campaign to files, whatever the format."""

from __future__ import annotations

from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats import campaign_format, format_by_ending
from assay.data.placing import place


def write(
    campaign: Campaign,
    path: str | Path,
    *,
    output_format: str | None = None,
    pair: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write a campaign, whole or not at all; the files that were written come back.

    The format is known by the ending of the name, and is a campaign folder where that tells nothing. ``pair`` are the
    languages, as in ``en-de``, for formats that name them. What a format has no place for is told by a warning.
    """
    chosen = campaign_format(output_format or guess_output_format(path))
    return place(chosen.write(campaign, str(path), pair), path, overwrite=overwrite)


def guess_output_format(path: str | Path) -> str:
    """The format that a name tells: a folder, if nothing else."""
    return format_by_ending(path) or "folder"
