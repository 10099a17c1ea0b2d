"""Unbabel's MQM table: as Google's, in quotation marks where needed, with the segment's score in ``misc``.

``misc`` is JSON with ``mqm``, the score of the whole segment, higher is better; it stands in every row of the segment.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, header_of, header_rows, json_number
from assay.data.formats.judgements.parts.mqm_rows import Columns, judgements_of, ratings, written
from assay.data.judgements import Judgements

COLUMNS = Columns(within="doc_id", overall="seg_id", note="comment")
NEEDED = ("system", "doc", "doc_id", "rater", "category", "severity", "misc")
HEADER = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity", "misc")
WHAT = f"Unbabel's MQM table has the columns {', '.join(HEADER)}, with tabs between."


def recognises(_name: str, head: str) -> bool:
    """Google's columns and ``misc``."""
    return set(NEEDED) <= set(header_of(head))


def read(path: str, campaign: Campaign | None = None) -> Judgements:
    """One judgement per rater and segment with the score that the table gives."""
    _, rows = header_rows(path, quoted=True, needed=NEEDED, what=WHAT)
    return judgements_of(path, ratings(path, rows, COLUMNS, _score), campaign, COLUMNS.note)


def _score(row: Row) -> float:
    value = row.json("misc", "misc")
    if not isinstance(value, dict) or "mqm" not in value:
        raise row.flaw("misc", "no mqm in misc, where the segment's score stands")
    return json_number(value["mqm"], f"{row.path}, line {row.line}", "mqm in misc")


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:
    """The table, with scores."""
    plain = written(
        judgements,
        campaign,
        "mqm-unbabel",
        header=HEADER,
        row=lambda cells, one, _: [*(cells[name] for name in HEADER[:-1]), json.dumps({"mqm": one.score})],
        note=COLUMNS.note,
    )
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerows(line.split("\t") for line in plain.decode().removesuffix("\n").split("\n"))
    return {"": text.getvalue().encode()}


FORMAT = JudgementFormat("mqm-unbabel", "Unbabel's MQM table, with scores in misc", recognises, read, write)
