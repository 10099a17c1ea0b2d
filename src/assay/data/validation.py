"""Is this file or folder sound? Everything that can be found wrong with it, not only the first thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.checks import judgement_findings, text_findings
from assay.data.conversion import holds_judgements
from assay.data.files import plain_name, read_bytes
from assay.data.formats import campaign_format
from assay.data.formats.folder import TextFiles, campaign_files, folder_campaign
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.markup import campaign_of_markup
from assay.data.formats.mt_metrics_eval import HumanScores, choose_pair, pair_campaign, pair_files
from assay.data.lines import texts_of
from assay.data.problems import Finding, Problems
from assay.data.reading import MARKUP, guess_format, guess_judgement_format
from assay.errors import InputError, Place

#: How many lines stand before the first segment of a table.
HEADER = {"tsv": 1, "csv": 1, "jsonl": 0}


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
        raise InputError("no such file or folder.", place=Place(name or repr(name)))
    try:
        judged = holds_judgements(path, input_format)
        kind = input_format or (guess_judgement_format(path) if judged else guess_format(path))
    except InputError as error:
        return Validation(name, "unknown", (Finding.of(error, name),))
    chosen = choose_pair(Path(path), pair) if kind == "mt-metrics-eval" else None
    found = _judgements(name, kind, campaign) if judged else _campaign(Path(path), kind, chosen)
    return Validation(name, kind, _in_order(found))


def _in_order(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, file by file, and in the order of lines."""
    distinct = list(dict.fromkeys(found))
    files = list(dict.fromkeys(one.place.file for one in distinct))
    order = {file: number for number, file in enumerate(files)}
    return tuple(sorted(distinct, key=lambda one: (order[one.place.file], one.place.line or 0, one.place.column or 0)))


def _judgements(path: str, kind: str, campaign: Campaign | None, systems: Collection[str] = ()) -> list[Finding]:
    """What is wrong with a file of judgements; ``systems`` are known beside those of the campaign."""
    problems = Problems(lenient=True)
    found = problems.attempt(lambda: JUDGEMENT_FORMATS[kind].read(path, campaign, problems), path)
    if found is not None and len(found):
        problems.findings += judgement_findings(found, campaign, systems)
    return problems.findings


def _campaign(path: Path, kind: str, pair: str | None) -> list[Finding]:
    """What is wrong with a campaign of any format, or with a file of plain lines."""
    if kind == "folder":
        return _folder(path)
    if kind == "mt-metrics-eval" and pair is not None:
        return _mt_metrics_eval(path, pair)
    if kind in MARKUP:
        return _markup(path, kind)
    return _lines(str(path)) if kind == "lines" else _table(str(path), kind)


def _lines(path: str) -> list[Finding]:
    problems = Problems(lenient=True)
    found = problems.attempt(lambda: texts_of(read_bytes(path), path, problems), path)
    if found is not None and not len(found):
        problems.findings.append(Finding(Place(path), "the file is empty: there are no segments."))
    return problems.findings


def _table(path: str, kind: str) -> list[Finding]:
    problems = Problems(lenient=True)
    campaign = problems.attempt(lambda: campaign_format(kind).read(path, None, problems), path)
    if campaign is None or problems.errors:
        return problems.findings
    header = HEADER.get(kind)
    # Where a cell holds line ends, nobody knows the line of a segment.
    lines = -1 if header is None else read_bytes(path).rstrip(b"\n").count(b"\n") + 1 - header
    before = header if lines == len(campaign) else None

    def locate(_kind: str, _name: str, index: int | None) -> Place:
        return Place(path, None if before is None or index is None else index + before + 1)

    return [*problems.findings, *text_findings(campaign, locate)]


def _markup(path: Path, kind: str) -> list[Finding]:
    from assay.data.formats.sgml import read_sets, sgml_files
    from assay.data.formats.wmt_xml import read_documents

    problems = Problems(lenient=True)
    files = sgml_files(path)
    read = partial(read_sets, problems=problems) if kind == "sgml" else read_documents
    marked = [one for file in files if (one := problems.attempt(partial(read, file), str(file))) is not None]
    if len(marked) < len(files) or not marked:
        return problems.findings
    campaign = problems.attempt(lambda: campaign_of_markup(path.name, marked, problems), str(path))
    if campaign is None:
        return problems.findings
    places = {(stream.kind, stream.name): stream.path for file in marked for stream in file.streams.values()}
    return [
        *problems.findings,
        *text_findings(campaign, lambda kind, name, _: Place(places.get((kind, name), str(path)))),
    ]


def _folder(path: Path) -> list[Finding]:
    problems = Problems(lenient=True)
    files = problems.attempt(lambda: campaign_files(path, problems), str(path)) or TextFiles(path, problems)
    campaign = problems.attempt(lambda: folder_campaign(files), str(path))
    found = _texts(campaign, files)
    human = next((file for file in sorted(path.glob("human.tsv*")) if plain_name(file.name) == "human.tsv"), None)
    if human is not None:
        found += _judgements(str(human), "assay", campaign, _systems(files))
    return found


def _mt_metrics_eval(path: Path, pair: str) -> list[Finding]:
    problems = Problems(lenient=True)
    files = problems.attempt(lambda: pair_files(path, pair, problems), str(path)) or TextFiles(path, problems)
    campaign = problems.attempt(lambda: pair_campaign(files, pair), str(path))
    found = _texts(campaign, files)
    for file in campaign.human.paths if campaign is not None and isinstance(campaign.human, HumanScores) else ():
        try:
            name = guess_judgement_format(file)
        except InputError as error:
            found.append(Finding(Place(str(file)), error.text, "warning"))
            continue
        found += _judgements(str(file), name, campaign, _systems(files))
    return found


def _texts(campaign: Campaign | None, files: TextFiles) -> list[Finding]:
    """What is wrong with the files of a folder, and with the texts in them."""

    def locate(kind: str, name: str, index: int | None) -> Place:
        return Place(str(files.files.get((kind, name), files.folder)), None if index is None else index + 1)

    return [*files.problems.findings, *(text_findings(campaign, locate) if campaign is not None else ())]


def _systems(files: TextFiles) -> list[str]:
    """The names of the systems, whether their files are sound or not."""
    return [name for kind, name in files.files if kind == "system"]
