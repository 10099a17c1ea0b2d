"""What a format of campaigns has to offer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from assay.data.campaign import Campaign

#: The content of files, in pieces: ``""`` is the file that was named, any other name one in the folder that was named.
Files = Mapping[str, Iterable[bytes]]


@dataclass(frozen=True)
class CampaignFormat:
    """How campaigns of one format are read and written."""

    #: What one types.
    name: str
    #: One line for the help page.
    summary: str
    #: The campaign at a path; the language pair is there for folders that hold several.
    read: Callable[[str, str | None], Campaign]
    #: The files of a campaign that is to stand at a path; the language pair is there for formats that name languages.
    write: Callable[[Campaign, str, str | None], Files]
