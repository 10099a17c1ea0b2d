"""Campaigns in and out: a format is one file, with what :class:`CampaignFormat` asks for, and one line here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from assay.data.files import plain_name
from assay.errors import UnknownName

if TYPE_CHECKING:
    from assay.data.formats.base import CampaignFormat

#: Formats by name: where they are, and how the names of their files end.
CAMPAIGN_FORMATS: dict[str, tuple[str, tuple[str, ...]]] = {
    "folder": ("folder:FORMAT", ()),
    "tsv": ("table:TSV", (".tsv",)),
    "csv": ("table:CSV", (".csv",)),
    "jsonl": ("table:JSONL", (".jsonl",)),
    "parquet": ("table:PARQUET", (".parquet",)),
    "sgml": ("sgml:FORMAT", (".sgm", ".sgml")),
    "wmt-xml": ("wmt_xml:FORMAT", (".xml",)),
    "mt-metrics-eval": ("mt_metrics_eval:FORMAT", ()),
}


def campaign_format(name: str) -> CampaignFormat:
    """The format of that name."""
    if name not in CAMPAIGN_FORMATS:
        raise UnknownName.of("input format", name, CAMPAIGN_FORMATS)
    module, _, attribute = CAMPAIGN_FORMATS[name][0].partition(":")
    found: CampaignFormat = getattr(import_module(f"assay.data.formats.{module}"), attribute)
    return found


def format_by_ending(path: str | Path) -> str | None:
    """The format that a file's name tells, compressed or not.

    >>> format_by_ending("test.SGM.gz"), format_by_ending("test.txt")
    ('sgml', None)
    """
    ending = Path(plain_name(path)).suffix.lower()
    return next((name for name, (_, endings) in CAMPAIGN_FORMATS.items() if ending in endings), None)
