"""Is this file or folder sound? Everything that can be found wrong with it, not only the first thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.checks import judgement_findings, text_findings
from assay.data.conversion import holds_judgements
from assay.data.files import read_bytes
from assay.data.formats import campaign_format
from assay.data.formats.folder import judgement_file
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.mt_metrics_eval import choose_pair
from assay.data.judgements import Judgements
from assay.data.lines import texts_of
from assay.data.problems import Finding, Problems
from assay.data.reading import guess_format, guess_judgement_format
from assay.errors import InputError, Place


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
    findings = _judgements(name, kind, campaign) if judged else _campaign(name, kind, chosen)
    return Validation(name, kind, _in_order(findings))


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once, file by file, and in the order of lines."""
    distinct = dict.fromkeys(findings)
    order = {file: number for number, file in enumerate(dict.fromkeys(one.place.file for one in distinct))}
    return tuple(sorted(distinct, key=lambda one: (order[one.place.file], one.place.line or 0, one.place.column or 0)))


def _judgements(path: str, kind: str, campaign: Campaign | None, systems: Collection[str] = ()) -> list[Finding]:
    """What is wrong with a file of judgements; ``systems`` are known beside those of the campaign."""
    problems = Problems(lenient=True)
    judgements = problems.attempt(lambda: JUDGEMENT_FORMATS[kind].read(path, campaign, problems), path)
    if judgements is not None and len(judgements):
        problems.findings += judgement_findings(judgements, campaign, systems)
    return problems.findings


def _campaign(path: str, kind: str, pair: str | None) -> list[Finding]:
    """What is wrong with a campaign of any format and its judgements, or with a file of plain lines."""
    problems = Problems(lenient=True)
    if kind == "lines":
        texts = problems.attempt(lambda: texts_of(read_bytes(path), path, problems), path)
        if texts is not None and not len(texts):
            problems.findings.append(Finding(Place(path), "the file is empty: there are no segments."))
        return problems.findings
    campaign = problems.attempt(lambda: campaign_format(kind).read(path, pair, problems), path)

    def locate(kind: str, name: str, index: int | None) -> Place:
        file, before = problems.places.get((kind, name), (path, None))
        return Place(file, None if before is None or index is None else before + index + 1)

    findings = [*problems.findings, *(text_findings(campaign, locate) if campaign is not None else ())]
    human = judgement_file(Path(path)) if campaign is None else campaign.human
    # Systems are known whether their files are sound or not.
    systems = [name for text, name in problems.places if text == "system"]
    for file in () if human is None or isinstance(human, Judgements) else human.paths:
        try:
            format_name = guess_judgement_format(file)
        except InputError as error:
            if kind != "folder":
                findings.append(Finding(Place(str(file)), error.text, "warning"))
                continue
            format_name = "assay"
        findings += _judgements(str(file), format_name, campaign, systems)
    return findings
