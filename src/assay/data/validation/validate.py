"""``validate``: a file or a folder, read as strictly as possible."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from assay.data.campaign import Campaign
from assay.data.conversion import holds_judgements
from assay.data.formats import format_by_ending
from assay.data.formats.compression import plain_name
from assay.data.formats.judgements.parts.unjudged import NobodyJudged
from assay.data.formats.lines import read_bytes
from assay.data.formats.markup import Markup, campaign_of_markup
from assay.data.formats.mt_metrics_eval import HumanScores, choose_pair
from assay.data.judgement_reading import guess_judgement_format, read_judgements
from assay.data.judgements import Judgements
from assay.data.reading import guess_format, read
from assay.data.validation.encoding import encoding_findings
from assay.data.validation.finding import Finding
from assay.data.validation.folders import Folder, campaign_folder, mt_metrics_eval_folder
from assay.data.validation.judgements import judgement_findings
from assay.data.validation.rows import read_rows
from assay.data.validation.texts import text_findings
from assay.errors import AssayError, AssayWarning, InputError

T = TypeVar("T")


@dataclass(frozen=True)
class Validation:
    """What was found at one path."""

    path: str
    #: What it was taken for.
    input_format: str
    findings: tuple[Finding, ...]


def validate(
    path: str | Path,
    *,
    input_format: str | None = None,
    campaign: Campaign | None = None,
    pair: str | None = None,
) -> Validation:
    """Everything that is wrong with a file or folder, and what should be looked at.

    ``campaign`` is what a file of judgements is about; ``pair`` chooses in a folder of mt-metrics-eval.
    """
    name = str(path)
    if name != "-" and (not name or not Path(path).exists()):
        raise InputError(f"{name!r}: no such file or folder." if not name else f"{path}: no such file or folder.")
    try:
        judged = holds_judgements(path, input_format)
        kind = input_format or (guess_judgement_format(path) if judged else guess_format(path))
    except InputError as error:
        return Validation(name, "unknown", (Finding.of_error(error, name),))
    chosen = choose_pair(Path(path), pair) if kind == "mt-metrics-eval" else None
    try:
        found = judgement_file_findings(name, kind, campaign) if judged else _campaign(Path(path), kind, chosen)
    except InputError as error:
        found = [Finding.of_error(error, name)]
    return Validation(name, kind, _in_order(found))


def _campaign(path: Path, kind: str, pair: str | None) -> list[Finding]:
    """What is wrong with a campaign of any format, or with a file of plain lines."""
    if kind == "folder":
        return _folder(path)
    if kind == "mt-metrics-eval" and pair is not None:
        return _mt_metrics_eval(path, pair)
    if kind in ("sgml", "wmt-xml"):
        return _markup(path, kind)
    return _lines(str(path)) if kind == "lines" else _table(str(path), kind)


def _lines(path: str) -> list[Finding]:
    """What is wrong with plain lines."""
    content = read_bytes(path)
    return encoding_findings(content, path) if content else [Finding(path, "the file is empty: there are no segments.")]


def _in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, file by file, and in the order of lines."""
    distinct = list(dict.fromkeys(found))
    files = list(dict.fromkeys(one.file for one in distinct))
    return tuple(sorted(distinct, key=lambda one: (files.index(one.file), one.line or 0, one.column or 0)))


def judgement_file_findings(
    path: str, name: str, campaign: Campaign | None, systems: Collection[str] = ()
) -> list[Finding]:
    """What is wrong with a file of judgements; ``systems`` are known beside those of the campaign."""
    found = [] if format_by_ending(path) == "parquet" else encoding_findings(read_bytes(path), path)
    if any(one.severity == "error" for one in found):
        return found
    # In mt-metrics-eval's files the place of a line is its meaning, so no line can be left out.
    by_rows = format_by_ending(path) in ("tsv", "csv", "jsonl") and not name.startswith("mtme")
    header = -1 if not by_rows else int(format_by_ending(path) != "jsonl" and name != "esa")

    def once(file: str) -> Judgements:
        return read_judgements(file, campaign=campaign, judgement_format_name=name)

    (judgements, lines, flaws), notes = _noting(lambda: read_rows(path, once, header=header), path)
    found += [*flaws, *notes]
    if judgements is not None:
        if lines is not None:
            judgements = replace(judgements, line=lines[judgements.line])
        found += judgement_findings(judgements, path, campaign, systems)
    return found


def _folder(path: Path) -> list[Finding]:
    folder = campaign_folder(path)
    campaign, found = _checked(folder, "folder")
    files = {("segment", ""): folder.files.get(("segments", "")), ("source", ""): folder.files.get(("src", ""))}

    def locate(kind: str, name: str, index: int | None) -> tuple[str, int | None]:
        file = folder.files.get((kind, name)) or files.get((kind, name)) or path
        return str(file), None if index is None else index + 1

    if campaign is not None:
        found += text_findings(campaign, locate)
    human = next((file for file in sorted(path.glob("human.tsv*")) if plain_name(file.name) == "human.tsv"), None)
    if human is not None:
        found += judgement_file_findings(str(human), "assay", campaign, folder.systems)
    return found


def _mt_metrics_eval(path: Path, pair: str) -> list[Finding]:
    folder = mt_metrics_eval_folder(path, pair)
    campaign, found = _checked(folder, "mt-metrics-eval", pair)
    if campaign is None:
        return found

    def locate(kind: str, name: str, index: int | None) -> tuple[str, int | None]:
        return str(folder.files.get((kind, name), path)), None if index is None else index + 1

    found += text_findings(campaign, locate)
    for file in campaign.human.paths if isinstance(campaign.human, HumanScores) else ():
        try:
            name = guess_judgement_format(file)
        except InputError as error:
            found.append(replace(Finding.of_error(error, str(file)), severity="warning"))
            continue
        found += judgement_file_findings(str(file), name, campaign, folder.systems)
    return found


def _checked(folder: Folder, kind: str, pair: str | None = None) -> tuple[Campaign | None, list[Finding]]:
    """The campaign of a folder, or as much of it as is sound, with what is wrong."""
    found = folder.check()
    if any(one.severity == "error" for one in found):
        return _noting(folder.campaign, str(folder.path))[0], found
    (campaign, flaws), notes = _noting(lambda: _attempt(folder.path, kind, pair), str(folder.path))
    return campaign, [*found, *flaws, *notes]


def _table(path: str, kind: str) -> list[Finding]:
    found = [] if kind == "parquet" else encoding_findings(read_bytes(path), path)
    if any(one.severity == "error" for one in found):
        return found
    header = {"tsv": 1, "csv": 1, "jsonl": 0}.get(kind, -1)
    (campaign, _, flaws), notes = _noting(
        lambda: read_rows(path, lambda file: read(file, input_format=kind), header=header), path
    )
    found += [*flaws, *notes]
    if campaign is None or flaws:
        return found
    by_line = header >= 0 and read_bytes(path).rstrip(b"\n").count(b"\n") + 1 == len(campaign) + header

    def locate(_kind: str, _name: str, index: int | None) -> tuple[str, int | None]:
        return path, index + header + 1 if by_line and index is not None else None

    return found + text_findings(campaign, locate)


def _markup(path: Path, kind: str) -> list[Finding]:
    from assay.data.formats.sgml import read_sets, sgml_files
    from assay.data.formats.wmt_xml import read_documents

    files = sgml_files(path)
    found: list[Finding] = []
    marked: list[Markup] = []
    for file in files:
        if kind == "sgml":
            found += encoding_findings(read_bytes(file), str(file))
        if not any(one.severity == "error" for one in found):
            one = _caught(partial(read_sets if kind == "sgml" else read_documents, file), str(file))
            if isinstance(one, Finding):
                found.append(one)
            else:
                marked.append(one)
    if len(marked) < len(files) or not marked:
        return found
    problems: list[str] = []
    campaign = _caught(lambda: campaign_of_markup(path.name, marked, problems.append), str(path))
    for problem in problems:
        named = next((file.path for file in marked if problem.startswith(file.path)), str(path))
        found.append(Finding.of_error(InputError(problem), named))
    if isinstance(campaign, Finding):
        return [*found, campaign]
    places = {(stream.kind, stream.name): stream.path for file in marked for stream in file.streams.values()}
    return found + text_findings(campaign, lambda kind, name, _: (places.get((kind, name), str(path)), None))


def _attempt(path: Path, kind: str, pair: str | None) -> tuple[Campaign | None, list[Finding]]:
    found = _caught(lambda: read(path, input_format=kind, pair=pair), str(path))
    return (None, [found]) if isinstance(found, Finding) else (found, [])


def _caught(work: Callable[[], T], file: str) -> T | Finding:
    try:
        return work()
    except AssayError as error:
        return Finding.of_error(error, file)


def _noting(work: Callable[[], T], file: str) -> tuple[T, list[Finding]]:
    """What a reader says in passing are findings, too; of marks the bytes have told already."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", AssayWarning)
        result = work()
    messages = dict.fromkeys(str(one.message) for one in caught if not issubclass(one.category, NobodyJudged))
    found = [Finding.of_error(InputError(message), file) for message in messages if "byte order mark" not in message]
    return result, [replace(one, severity="warning") for one in found]
