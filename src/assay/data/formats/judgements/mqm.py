"""Google's MQM table: ``system doc doc_id seg_id rater source target category severity [comment]``, one row per error.

``seg_id`` counts segments of the whole test set from 1, ``doc_id`` within the document from 1. Errors are marked with
``<v>`` and ``</v>`` in target or source, a row ``No-error`` says that there is none. Quotation marks are text.
"""

from __future__ import annotations

from collections.abc import Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements import error_spans, mqm_averages, mqm_marot, mqm_unbabel
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import header_of, header_rows
from assay.data.formats.judgements.parts.mqm_rows import Columns, judgements_of, ratings, say_rescored, written
from assay.data.formats.lines import read_head
from assay.data.judgements import Judgements

COLUMNS = Columns(within="doc_id", overall="seg_id", note="comment")
NEEDED = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
WHAT = f"Google's MQM table has the columns {', '.join(NEEDED)} and perhaps comment, with tabs between."


def recognises(_name: str, head: str) -> bool:
    """A header with Google's columns and without Unbabel's."""
    columns = header_of(head)
    return set(NEEDED) <= set(columns) and "misc" not in columns


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """One judgement per rater and segment; its score is minus the weighted sum of its errors.

    Tables of MQM in any of the other shapes are read, too.
    """
    head = read_head(path)
    for other in (mqm_marot.FORMAT, mqm_unbabel.FORMAT, mqm_averages.FORMAT, error_spans.FORMAT):
        if other.recognises(path, head):
            return other.read(path, campaign)
    _, rows = header_rows(path, needed=NEEDED, what=WHAT)
    return judgements_of(path, ratings(path, rows, COLUMNS, lambda _: None), campaign, COLUMNS.note)


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The table; scores are not in it."""
    header = (*NEEDED, COLUMNS.note)
    content = written(
        judgements,
        campaign,
        "mqm",
        header=header,
        row=lambda cells, _, note: [*(cells[name] for name in NEEDED), note],
        note=COLUMNS.note,
    )
    say_rescored(judgements, "mqm")
    return {"": content}


FORMAT = JudgementFormat("mqm", "Google's MQM table, one row per error", recognises, read, write)
