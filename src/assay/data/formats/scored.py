"""Campaigns of scores alone, without texts: any score file, or a folder of such files, with ``human.tsv`` beside them.

They are written as one table, ``scores`` in :mod:`assay.data.formats.scores.table`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.files import Files, is_folder
from assay.data.formats import CampaignFormat, format_by_ending
from assay.data.formats.folder import judgement_file
from assay.data.formats.scores import every_eval_ever, read_rows
from assay.data.formats.scores.joining import campaign_of
from assay.data.formats.scores.table import table_of
from assay.data.problems import Problems, note
from assay.data.tables import spell_table
from assay.errors import InputError, Place


def _read(name: str | None, path: str, pair: str | None, _problems: Problems) -> Campaign:
    """The campaign that score files make; judgements may lie beside them in a folder."""
    campaign = campaign_of(read_rows(path, name), Path(path).resolve().name, pair)
    return replace(campaign, human=judgement_file(Path(path))) if is_folder(path) else campaign


def read_together(paths: Sequence[str]) -> Campaign:
    """The campaign that several files make together, called after the folder of the first."""
    return campaign_of((row for path in paths for row in read_rows(path)), Path(paths[0]).resolve().parent.name)


def _write(campaign: Campaign, path: str, _pair: str | None) -> Files:
    """A table of all scores; texts have no place in it."""
    if not campaign.scores:
        raise InputError(f"{campaign.name} has no scores, so a table of them would be empty.", place=Place(path))
    if campaign.has_texts or campaign.human:
        note(f"{path} has scores alone, and no place for texts and judgements.")
    quoted = format_by_ending(path) == "csv"
    return {"": spell_table(table_of(campaign), "," if quoted else "\t", quoted=quoted)}


def _refuse(name: str | None, _campaign: Campaign, path: str, _pair: str | None) -> Files:
    what = f"scores are not written as {name}." if name else "scores are written as one file."
    raise InputError(what, f"Choose one of {', '.join(_WRITERS)}.", Place(path))


#: Formats that scores are written in.
_WRITERS = {"scores": _write, "every-eval-ever": every_eval_ever.write}


def format_of(name: str | None = None) -> CampaignFormat:
    """Campaigns out of files of this format of scores, or of whichever they are."""
    return CampaignFormat(partial(_read, name), _WRITERS.get(name or "", partial(_refuse, name)), takes_scores=True)


FORMAT = format_of()
