"""Folders of mt-metrics-eval: ``sources``, ``documents``, ``references``, ``system-outputs`` and ``human-scores``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache, partial, reduce
from pathlib import Path
from typing import Any

from assay.data.campaign import Campaign, JudgementFiles, Role
from assay.data.files import Files, entries, is_folder, largest, plain_name, read_lines, require_file, spell_lines
from assay.data.formats import UNKNOWN_LANGUAGES, CampaignFormat, languages_of, say_lost
from assay.data.formats.folder import file_name, read_columns, refuse_second
from assay.data.formats.judgements import guess_judgement_format, read_judgements
from assay.data.formats.judgements.base import NoJudgements
from assay.data.formats.judgements.mt_metrics_eval import rating_files, score_files
from assay.data.json_lines import read_objects
from assay.data.judgements import Judgements
from assay.data.problems import Problems, note
from assay.data.texts import Texts
from assay.errors import InputError, Place

#: The field of JSON Lines that holds each text.
_FIELDS = {"source": "source", "reference": "target", "system": "hypothesis"}
#: What stands where nothing is known.
_NOTHING = "-"


def _read(path: str, pair: str | None, problems: Problems) -> Campaign:
    """One language pair of a folder; it has to be named if there are several."""
    folder = Path(path)
    pair = choose_pair(folder, pair)
    files = _text_files(folder, pair, problems)
    first = next((role for role in files if role[0] != "document"), None)
    if first is None:
        raise InputError(f"no source, reference or translation of {pair}.", place=Place(path))
    read = read_columns(files, lambda role, file: _column(role, file, problems), first, problems)
    columns: dict[Role, Iterable[str]] = {**read}
    if ("document", "") in columns:
        columns |= _labels(columns.pop(("document", "")), str(files["document", ""]), problems)
    campaign = Campaign.of_parts(path, columns, f"{folder.resolve().name}-{pair}")
    human = tuple(
        folder / "human-scores" / name for name in _names(folder / "human-scores") if name.startswith(f"{pair}.")
    )
    for file in human:
        require_file(file)
    reader = cache(partial(_read_human, human, campaign, largest()))
    return replace(campaign, human=JudgementFiles(human, reader)) if human else campaign


def _text_files(folder: Path, pair: str, problems: Problems) -> dict[Role, Path]:
    """The files of one language pair."""
    files: dict[Role, Path] = {}
    for kind, (below, prefix) in {
        "source": ("sources", pair),
        "reference": ("references", f"{pair}."),
        "system": (f"system-outputs/{pair}", ""),
        "document": ("documents", pair),
    }.items():
        endings = (".docs",) if kind == "document" else (".txt", ".jsonl")
        for name in _names(folder / below):
            plain = plain_name(name)
            if name.startswith(prefix) and not name.startswith(".") and plain.endswith(endings):
                key = plain.removeprefix(prefix).rpartition(".")[0]
                if bool(key) == (kind in ("reference", "system")):
                    file = folder / below / name
                    if files.setdefault((kind, key), file) is not file:
                        refuse_second((kind, key), files[kind, key], file, problems)
    return files


def choose_pair(folder: Path, pair: str | None) -> str:
    """The pair that was asked for, or the only one."""
    texts = ("sources", "references")
    there = {name.partition(".")[0] for below in texts for name in _names(folder / below) if "." in name}
    there |= {name for name in _names(folder / "system-outputs") if is_folder(folder / "system-outputs" / name)}
    pairs = sorted(there)
    if not pairs:
        remedy = (
            "A folder of mt-metrics-eval holds sources/en-de.txt, references/en-de.refA.txt and "
            "system-outputs/en-de/<system>.txt."
        )
        raise InputError("no language pair.", remedy, Place(str(folder)))
    if pair is None and len(pairs) > 1:
        remedy = f"Choose one with --pair: {', '.join(pairs)}."
        raise InputError(f"{len(pairs)} language pairs.", remedy, Place(str(folder)))
    if pair is not None and pair not in pairs:
        raise InputError(f"no language pair {pair!r}.", f"There are: {', '.join(pairs)}.", Place(str(folder)))
    return pair or pairs[0]


def _names(folder: Path) -> list[str]:
    """What is in a folder, whether it can be read or not: a text that is not there must not be left out in silence."""
    return [file.name for file in entries(folder) if not file.name.startswith(".")] if is_folder(folder) else []


def _column(role: Role, file: Path, problems: Problems) -> Texts:
    """The lines of a file, or one field of every line of JSON Lines."""
    if not plain_name(file.name).endswith(".jsonl"):
        return read_lines(file, problems)
    key = _FIELDS[role[0]]

    def text(placed: tuple[Place, dict[str, Any]]) -> str:
        place, value = placed
        if not isinstance(value.get(key), str):
            raise InputError(f"no string {key!r}.", place=place)
        return str(value[key])

    before = problems.errors
    what = f'A line is an object such as {{"{key}": "..."}}.'
    texts = list(problems.each(read_objects(str(file), what, problems, every_line=True), text))
    problems.stop(before)
    return Texts.of(texts, str(file))


def _labels(lines: Iterable[str], file: str, problems: Problems) -> dict[Role, Iterable[str]]:
    """Domains and documents, of which a line names one each."""

    def both(numbered: tuple[int, str]) -> list[str]:
        number, line = numbered
        cells = line.split("\t") if "\t" in line else line.split(None, 1)
        if len(cells) != 2:
            raise InputError(f"{line!r}, but a domain and a document are needed.", place=Place(file, number))
        return cells

    listed = list(lines)
    rows = list(problems.each(enumerate(listed, start=1), both))
    if len(rows) < len(listed):
        return {}
    labels = {(kind, ""): [row[index] for row in rows] for index, kind in enumerate(("domain", "document"))}
    return {role: names for role, names in labels.items() if set(names) != {_NOTHING}}


def _read_human(paths: tuple[Path, ...], campaign: Campaign, most: int | None) -> Judgements:
    """What is in all files of scores and ratings; ``most`` may come of each that is compressed."""
    read: list[Judgements] = []
    scores = {plain_name(path.name) for path in paths}
    for path in paths:
        if plain_name(path.name).removesuffix(".rating") + ".score" in scores - {plain_name(path.name)}:
            note(f"{path} is left out: the scores beside it tell the same.")
            continue
        try:
            name = guess_judgement_format(path)
        except InputError:
            note(f"{path} is left out: no known format of judgements.")
            continue
        try:
            read.append(read_judgements(path, campaign=campaign, judgement_format_name=name, largest=most))
        except NoJudgements as error:
            note(f"Left out is {error}")
    return reduce(Judgements.joined, read) if read else Judgements.of([], str(paths[0].parent))


def _write(campaign: Campaign, path: str, pair: str | None) -> Files:
    """The files of a folder that mt-metrics-eval reads."""
    languages = languages_of(campaign, pair)
    if languages == UNKNOWN_LANGUAGES:
        what = "files are named after languages here."
        raise InputError(what, "Say which, for example --pair en-de.", Place(path))
    both = "-".join(languages)
    say_lost(campaign, path, "segments", "columns", "absent")
    nothing = (_NOTHING,) * len(campaign)
    labels = list(zip(campaign.domains or nothing, campaign.documents or nothing, strict=True))
    names = sorted({name for label in labels for name in label})
    for name in names:
        if "\t" in name or not name:
            raise InputError(f"{name!r} cannot be the name of a document or a domain here.", place=Place(path))
    # What mt-metrics-eval itself would not read, though Assay does.
    odd = [name for name in campaign.references if re.search(r"[.\s-]", name) or name in ("all", "src")]
    odd += [name for name in (*campaign.systems, *names) if re.search(r"\s", name)]
    if odd:
        listed = ", ".join(odd[:5]) + (" ..." if len(odd) > 5 else "")
        note(f"mt-metrics-eval takes no spaces in names, nor . or - in those of references: {listed}.", Place(path))
    documents = [f"{domain}\t{document}" for domain, document in labels]
    files = {f"documents/{both}.docs": spell_lines(documents, f"{path}/documents/{both}.docs")}
    if campaign.source is not None:
        files[f"sources/{both}.txt"] = spell_lines(campaign.source, f"{path}/sources/{both}.txt")
    for name, texts in campaign.references.items():
        files[f"references/{both}.{file_name(name, path)}.txt"] = spell_lines(texts, f"{path}: reference {name}")
    for name, texts in campaign.systems.items():
        files[f"system-outputs/{both}/{file_name(name, path)}.txt"] = spell_lines(texts, f"{path}: system {name}")
    judgements = campaign.judgements
    human = {} if judgements is None else score_files(judgements, campaign)
    # Ratings are errors that people marked; scores are all else.
    human |= rating_files(judgements, campaign) if judgements is not None and judgements.spans else {}
    return {**files, **{f"human-scores/{both}.{name}": [content.encode()] for name, content in human.items()}}


FORMAT = CampaignFormat(_read, _write)
