"""TSV and CSV with a header: ``segment``, ``source``, ``reference`` or ``reference.<id>``, one column per system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from assay.data.campaign import Campaign
from assay.data.files import Files
from assay.data.formats.base import CampaignFormat, say_lost
from assay.data.formats.columns import campaign_of, columns_of, require_columns, role, spelled
from assay.data.problems import Problems
from assay.data.tables import Table, cells_of, spell_table
from assay.errors import InputError, Place


def read_campaign(path: str, separator: str, problems: Problems) -> Campaign:
    """The campaign in a table. In TSV quotes are text; in CSV they quote."""
    lines = cells_of(path, separator, quoted=separator == ",", skip_empty=False, problems=problems)
    header = next(lines, (1, []))[1]
    if not header:
        raise InputError("the file is empty; a header line is needed.", place=Place(path))
    roles = [role(column.strip()) for column in header]
    require_columns(path, roles)
    cells: list[list[str]] = [[] for _ in header]
    for _, columns in Table(path, header, lines, tell=problems.add, content="segments").columns():
        for texts, more in zip(cells, columns, strict=True):
            texts.extend(more)
    return campaign_of(path, dict(zip(roles, cells, strict=True)))


def write_campaign(campaign: Campaign, path: str, separator: str) -> Files:
    """The table of a campaign; a reference that a segment lacks is an empty cell."""
    say_lost(campaign, path, "judgements", "absent")
    cells = columns_of(campaign)
    header = [spelled(*one) for one in cells]
    for name, (kind, key) in zip(header, cells, strict=True):
        if role(name.strip()) != (kind, key) or (separator == "\t" and re.search(r"[\t\n\r]", name)):
            what = f"the {kind} {key!r} cannot be the name of a column."
            raise InputError(what, "Write JSON Lines instead.", Place(path))
    rows: Iterable[Sequence[str]] = zip(*cells.values(), strict=True)
    if separator == "\t":
        return {"": spell_table(chain([header], _without_tabs(header, rows, path)), checked=True)}
    return {"": spell_table(chain([header], rows), separator, quoted=True)}


def _without_tabs(header: Sequence[str], rows: Iterable[Sequence[str]], path: str) -> Iterator[Sequence[str]]:
    for number, row in enumerate(rows):
        for name, cell in zip(header, row, strict=True):
            # A carriage return before the line end would be taken for a part of it.
            if "\t" in cell or "\n" in cell or (cell.endswith("\r") and name is header[-1]):
                sign = "a tab" if "\t" in cell else "a line end"
                what = f"segment {number} of {name} holds {sign}, which TSV cannot."
                raise InputError(what, "Write CSV or JSON Lines instead.", Place(path))
        yield row


def _format(name: str, separator: str) -> CampaignFormat:
    return CampaignFormat(
        name,
        f"{name.upper()} with a header: segment, source, reference.<id>, and one column per system",
        lambda path, _pair, problems: read_campaign(path, separator, problems),
        lambda campaign, path, _pair: write_campaign(campaign, path, separator),
    )


TSV, CSV = _format("tsv", "\t"), _format("csv", ",")
