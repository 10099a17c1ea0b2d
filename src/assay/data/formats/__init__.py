"""Campaigns in and out: one module per format, each with its ``FORMATS``."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import UnknownName

if TYPE_CHECKING:
    from assay.data.formats.base import CampaignFormat

#: Names of formats and their modules.
MODULES = {
    "folder": "folder",
    "tsv": "table",
    "csv": "table",
    "jsonl": "jsonl",
    "parquet": "parquet",
    "sgml": "sgml",
    "wmt-xml": "wmt_xml",
    "mt-metrics-eval": "mt_metrics_eval",
}
#: How the names of files end.
ENDINGS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".parquet": "parquet",
    ".sgm": "sgml",
    ".sgml": "sgml",
    ".xml": "wmt-xml",
}


def campaign_format(name: str) -> CampaignFormat:
    """The format of that name."""
    if name not in MODULES:
        raise UnknownName.of("input format", name, MODULES)
    module = import_module(f"assay.data.formats.{MODULES[name]}")
    formats: tuple[CampaignFormat, ...] = module.FORMATS
    return next(found for found in formats if found.name == name)


def format_by_ending(path: str | Path) -> str | None:
    """The format that a file's name tells, compressed or not.

    >>> format_by_ending("test.SGM.gz"), format_by_ending("test.txt")
    ('sgml', None)
    """
    from assay.data.formats.compression import plain_name

    return ENDINGS.get(Path(plain_name(path)).suffix.lower())
