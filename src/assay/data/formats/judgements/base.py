"""What a format of judgements has to offer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.data.judgements import Judgements

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
    #: The judgements of a file; the campaign is there for formats that number segments by their order alone.
    read: Callable[[str, Campaign | None], Judgements]
    #: The content of one or several files, by name; ``""`` is the file that was named.
    write: Callable[[Judgements, Campaign | None], Mapping[str, bytes]]
