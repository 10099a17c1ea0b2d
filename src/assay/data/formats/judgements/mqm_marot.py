"""Marot's MQM table: as Google's, with ``docSegId``, ``globalSegId`` and a last column ``metadata`` of JSON.

Rows without a rater carry metadata alone, and severities that begin with ``HOTW`` test attention: neither is a
judgement. Raters whose names begin with ``AutoMQM`` are programs: their judgements are of the kind ``automqm``. A
``globalSegId`` that is the same in all rows stands for none, and then the campaign has to be known.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import header_of, header_rows
from assay.data.formats.judgements.parts.mqm_rows import Columns, judgements_of, ratings, say_rescored, written
from assay.data.judgements import Judgements

COLUMNS = Columns(within="docSegId", overall="globalSegId", note="metadata")
NEEDED = ("system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity")
GOOGLE = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
WHAT = f"Marot's MQM table has the columns {', '.join(NEEDED)} and metadata, with tabs between."


def recognises(_name: str, head: str) -> bool:
    """A header with Marot's columns; a line before it may warn of training on the data."""
    return set(NEEDED) <= set(header_of(head))


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """One judgement per rater and segment; its score is minus the weighted sum of its errors."""
    _, rows = header_rows(path, needed=NEEDED, what=WHAT)
    return judgements_of(path, ratings(path, rows, COLUMNS, lambda _: None), campaign, COLUMNS.note)


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The table; scores are not in it."""
    content = written(
        judgements,
        campaign,
        "mqm-marot",
        header=(*NEEDED, COLUMNS.note),
        row=lambda cells, _, note: [*(cells[name] for name in GOOGLE), note or "{}"],
        note=COLUMNS.note,
    )
    say_rescored(judgements, "mqm-marot")
    return {"": content}


FORMAT = JudgementFormat("mqm-marot", "Marot's MQM table, as published since 2024", recognises, read, write)
