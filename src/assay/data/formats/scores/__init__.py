"""Scores of metrics that ran elsewhere, read from files, whatever the format: one is a file, and one line here.

A format yields rows of scores (``base.py``); ``joining.py`` puts them to a campaign, or makes one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from assay.arguments import checked
from assay.data.campaign import Campaign
from assay.data.external import ExternalScores, Lazily
from assay.data.files import entries, is_folder, largest, plain_name, read_head, reading_up_to, require_text
from assay.data.formats.scores.base import ScoreFormat, ScoreRows
from assay.data.formats.scores.joining import placed
from assay.data.formats.scores.table import PREFIX, metric_name
from assay.data.problems import note
from assay.errors import InputError, Place
from assay.registry import Registry

_HERE = "assay.data.formats.scores"

#: Formats by name, in the order in which a file is tried.
SCORE_FORMATS: Registry[ScoreFormat] = Registry(
    "format of scores",
    {
        "mtme-metric": f"{_HERE}.mt_metrics_eval:FORMAT",
        "wmt25": f"{_HERE}.wmt25:FORMAT",
        "metricx": f"{_HERE}.metricx:FORMAT",
        "every-eval-ever": f"{_HERE}.every_eval_ever:FORMAT",
        "lm-eval": f"{_HERE}.lm_eval:FORMAT",
        "inspect": f"{_HERE}.inspect:ARCHIVE",
        "inspect-json": f"{_HERE}.inspect:JSON",
        "comet-json": f"{_HERE}.comet:JSON",
        "comet": f"{_HERE}.comet:FORMAT",
        "gemba": f"{_HERE}.numbers:GEMBA",
        "scores": f"{_HERE}.table:FORMAT",
        "numbers": f"{_HERE}.numbers:FORMAT",
    },
    "assay.scores",
)
#: How names of files begin that are read by themselves, or with others, or by people.
_OTHERS = ("human.", "readme", "license", "results_", "result.json")
_SAMPLES = "samples_"
#: What Every Eval Ever calls its files, and how many folders they lie in at most.
_UUID = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.json|_samples\.jsonl)(?:\.gz|\.zst)?$", re.IGNORECASE
)
_DEPTH = 4


@checked
def read_scores(
    path: str | Path,
    campaign: Campaign,
    *,
    higher_is_better: bool = True,
    score_format_name: str | None = None,
    largest: int | str | None = None,
) -> list[ExternalScores]:
    """The scores in a file, or in all score files of a folder, per metric, for the segments of a campaign.

    The format is found by the file's name and first lines unless it is given; where it says itself which direction is
    better, ``higher_is_better`` changes nothing. Read it with the whole campaign, before segments are chosen: some
    formats know segments by their order. ``largest`` says how much may come of a compressed file (``"8GB"``), where
    that is more than the usual limit.
    """
    with reading_up_to(largest):
        return placed(read_rows(path, score_format_name, campaign), campaign, higher_is_better)


def read_rows(path: str | Path, name: str | None = None, campaign: Campaign | None = None) -> list[ScoreRows]:
    """The rows of a score file, or of all those in a folder; which others are there is said."""
    if not is_folder(path):
        return SCORE_FORMATS[name or _guess_score_format(path)].read(str(path), campaign)
    files = {file: name or recognised(file) for file in _score_files(path)}
    rows = [one for file, of in files.items() if of for one in SCORE_FORMATS[of].read(str(file), campaign)]
    others = [file.name for file, of in files.items() if of is None]
    if not rows:
        raise InputError("no file of scores that a format is known of.", _advice(), Place(str(path)))
    if others:
        note(f"not read, for no format of scores is known by it: {', '.join(others)}.", Place(str(path)))
    return rows


def has_scores(folder: str | Path) -> bool:
    """Whether a folder has a file of scores."""
    return any(map(recognised, filter(Path.is_file, _score_files(folder))))


def _score_files(folder: str | Path) -> list[Path]:
    """The files of a folder that may have scores: all that are not hidden, but judgements and what belongs to others.

    Logs of samples may stand in a folder for each model; Every Eval Ever's files, called by a UUID, lie in
    data/COLLECTION/DEVELOPER/MODEL.
    """
    there = [file for file in entries(folder) if not file.name.startswith(".")]
    files = [file for file in there if not is_folder(file)]
    below = [file for inner in there if is_folder(inner) for file in entries(inner) if file.name.startswith(_SAMPLES)]
    for depth in range(1, _DEPTH + 1):
        below += sorted(file for file in Path(folder).glob(f"{'*/' * depth}*.json*") if _UUID.match(file.name))
    kept = [file for file in files if not plain_name(file.name).lower().startswith(_OTHERS)]
    # What lies beside records of instances and tells no scores says which way is better, and is read with them.
    about = {f"{file.name.partition('_samples.jsonl')[0]}.json" for file in kept if "_samples.jsonl" in file.name}
    return [file for file in (*kept, *below) if file.name not in about or recognised(file)]


def recognised(path: str | Path) -> str | None:
    """The name of the first format that recognises the file; None if none does."""
    head, name = read_head(path), Path(plain_name(path)).name
    return next((known for known in SCORE_FORMATS if SCORE_FORMATS[known].recognises(name, head)), None)


def _guess_score_format(path: str | Path) -> str:
    """The name of the first format that recognises the file, which has to have scores."""
    name = recognised(path)
    if name is not None:
        return name
    if Path(plain_name(path)).suffix.lower() in (".tsv", ".csv"):
        return "scores"
    require_text(path)
    raise InputError("no known format of scores.", _advice(), Place(str(path)))


def _advice() -> str:
    names = ", ".join(SCORE_FORMATS)
    return f"Name it if it is one of {names}, or write a table with the columns system, segment and score."


def metrics_beside(folder: Path, campaign: Campaign) -> Mapping[str, ExternalScores]:
    """The scores in the files ``scores.<metric>.tsv`` of a campaign folder, which are read when they are needed."""
    files: dict[str, Path] = {}
    for file in entries(folder):
        if file.name.startswith(PREFIX) and plain_name(file.name).endswith(".tsv"):
            name = metric_name(str(file))
            if name in files:
                what = f"both {files[name].name} and {file.name} are there."
                raise InputError(what, "Keep one of them.", Place(str(folder)))
            files[name] = file
    if not files:
        return {}
    return Lazily({name: partial(_one_metric, file, name, campaign, largest()) for name, file in files.items()})


def _one_metric(path: Path, name: str, campaign: Campaign, most: int | None) -> ExternalScores:
    """The scores of the metric that a file is named after."""
    read = read_scores(path, campaign, score_format_name="scores", largest=most)
    others = [one.name for one in read if one.name != name]
    if others:
        what = f"scores of {', '.join(others)}, but a file of that name has those of {name} alone."
        raise InputError(
            what, f"Give it the columns system, segment and score, or pass it as --scores {path}.", Place(str(path))
        )
    return read[0]
