"""Folders of mt-metrics-eval: ``sources``, ``documents``, ``references``, ``system-outputs`` and ``human-scores``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.base import CampaignFormat, Files
from assay.data.formats.compression import plain_name
from assay.data.formats.folder import file_name
from assay.data.formats.json_fields import read_field
from assay.data.formats.judgements import JUDGEMENT_FORMATS
from assay.data.formats.judgements.parts.unjudged import NoJudgements
from assay.data.formats.lines import read_lines, require_same_length, spell_lines
from assay.data.formats.losses import say_lost
from assay.data.judgement_reading import guess_judgement_format, read_judgements
from assay.data.judgements import Judgements
from assay.data.languages import LANGUAGE, languages_of
from assay.data.texts import Column, Texts
from assay.errors import AssayWarning, InputError

#: What stands where nothing is known.
NOTHING = "-"


def looks_like(path: str | Path) -> bool:
    """Whether a folder has this layout."""
    return any((Path(path) / below).is_dir() for below in ("references", "system-outputs", "sources"))


def read_mt_metrics_eval(path: str | Path, pair: str | None = None) -> Campaign:
    """One language pair of a folder; it has to be named if there are several."""
    folder = Path(path)
    chosen = choose_pair(folder, pair)
    files: dict[tuple[str, str], tuple[Path, str]] = {
        **{("source", name): (file, "source") for name, file in _files(folder / "sources", chosen) if not name},
        **{("reference", name): (file, "target") for name, file in _files(folder / "references", f"{chosen}.")},
        **{("system", name): (file, "hypothesis") for name, file in _files(folder / "system-outputs" / chosen, "")},
    }
    if not files:
        raise InputError(f"{folder}: no source, reference or translation of {chosen}.")
    columns = {key: _column(file, field) for key, (file, field) in files.items()}
    first, expected = str(next(iter(files.values()))[0]), len(next(iter(columns.values())))
    for key, (file, _) in files.items():
        require_same_length(columns[key], str(file), expected, first)
    domains, documents = _documents(folder / "documents", chosen, expected, first)
    campaign = Campaign(
        name=f"{folder.resolve().name}-{chosen}",
        systems={name: column for (kind, name), column in columns.items() if kind == "system"},
        references={name: column for (kind, name), column in columns.items() if kind == "reference"},
        source=columns.get(("source", "")),
        documents=documents,
        domains=domains,
    )
    human = sorted((folder / "human-scores").glob(f"{chosen}.*"))
    return replace(campaign, human=HumanScores(tuple(human), campaign)) if human else campaign


def choose_pair(folder: Path, pair: str | None) -> str:
    """The pair that was asked for, or the only one."""
    found = {name.partition(".")[0] for below in ("sources", "references") for name in _names(folder / below)}
    found |= {entry.name for entry in (folder / "system-outputs").glob("*") if entry.is_dir()}
    pairs = sorted(found)
    if not pairs:
        raise InputError(
            f"{folder}: no language pair. A folder of mt-metrics-eval holds sources/en-de.txt, "
            "references/en-de.refA.txt and system-outputs/en-de/<system>.txt."
        )
    if pair is None and len(pairs) > 1:
        raise InputError(f"{folder}: {len(pairs)} language pairs. Choose one with --pair: {', '.join(pairs)}.")
    if pair is not None and pair not in pairs:
        raise InputError(f"{folder}: no language pair {pair!r}. There are: {', '.join(pairs)}.")
    return pair or pairs[0]


def _names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*") if file.is_file()) if folder.is_dir() else []


def _files(folder: Path, prefix: str) -> Iterator[tuple[str, Path]]:
    """Texts by name, without what they begin and end with."""
    seen: dict[str, Path] = {}
    for name in _names(folder):
        plain = plain_name(name)
        if not name.startswith(prefix) or name.startswith(".") or not plain.endswith((".txt", ".jsonl")):
            continue
        key = plain.removeprefix(prefix).removesuffix(".txt").removesuffix(".jsonl")
        if key in seen:
            raise InputError(f"{folder}: both {seen[key].name} and {name} are there. Keep one of them.")
        seen[key] = folder / name
        yield key, folder / name


def _column(file: Path, field: str) -> Column:
    return read_field(file, field) if plain_name(file.name).endswith(".jsonl") else read_lines(file)


def _documents(
    folder: Path, pair: str, expected: int, other: str
) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """Domains and documents."""
    file = next((folder / name for name in _names(folder) if plain_name(name) == f"{pair}.docs"), None)
    if file is None:
        return None, None
    lines = require_same_length(read_lines(file), str(file), expected, other)
    rows = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t") if "\t" in line else line.split(None, 1)
        if len(cells) != 2:
            raise InputError(f"{file}, line {number}: {line!r}, but a domain and a document are needed.")
        rows.append(cells)
    domains, documents = (tuple(row[index] for row in rows) for index in (0, 1))
    return tuple(None if set(names) == {NOTHING} else names for names in (domains, documents))  # type: ignore[return-value]


@dataclass(frozen=True)
class HumanScores:
    """Files of scores and ratings that are read when somebody asks."""

    paths: tuple[Path, ...]
    campaign: Campaign

    @cached_property
    def judgements(self) -> Judgements:
        """What is in all of them."""
        found: list[Judgements] = []
        scores = {plain_name(path.name) for path in self.paths}
        for path in self.paths:
            if plain_name(path.name).removesuffix(".rating") + ".score" in scores - {plain_name(path.name)}:
                warnings.warn(f"{path} is left out: the scores beside it tell the same.", AssayWarning, stacklevel=2)
                continue
            try:
                name = guess_judgement_format(path)
            except InputError:
                warnings.warn(f"{path} is left out: no known format of judgements.", AssayWarning, stacklevel=2)
                continue
            try:
                found.append(read_judgements(path, campaign=self.campaign, judgement_format_name=name))
            except NoJudgements as error:
                warnings.warn(f"Left out is {error}", AssayWarning, stacklevel=2)
        return reduce(Judgements.joined, found) if found else Judgements.of([], str(self.paths[0].parent))


def write_mt_metrics_eval(campaign: Campaign, path: str, pair: str | None) -> Files:
    """The files of a folder that mt-metrics-eval reads."""
    languages = languages_of(campaign, pair)
    if languages is None:
        raise InputError(f"{path}: files are named after languages here. Say which, for example --pair en-de.")
    both = "-".join(languages)
    say_lost(campaign, path, "segments", "columns", "absent")
    _mention_names(campaign, path)
    files: dict[str, Iterable[bytes]] = {}
    if campaign.source is not None:
        files[f"sources/{both}.txt"] = spell_lines(campaign.source, f"{path}/sources/{both}.txt")
    files[f"documents/{both}.docs"] = spell_lines(_document_lines(campaign, path), f"{path}/documents/{both}.docs")
    for name, texts in campaign.references.items():
        files[f"references/{both}.{file_name(name, path)}.txt"] = spell_lines(texts, f"{path}: reference {name}")
    for name, texts in campaign.systems.items():
        files[f"system-outputs/{both}/{file_name(name, path)}.txt"] = spell_lines(texts, f"{path}: system {name}")
    return {**files, **_human_files(campaign, path, both)}


def _document_lines(campaign: Campaign, path: str) -> Texts:
    nothing = (NOTHING,) * len(campaign)
    for name in (*(campaign.domains or ()), *(campaign.documents or ())):
        if "\t" in name or not name:
            raise InputError(f"{path}: {name!r} cannot be the name of a document or a domain here.")
    rows = zip(campaign.domains or nothing, campaign.documents or nothing, strict=True)
    return Texts.of([f"{domain}\t{document}" for domain, document in rows], "documents")


def _mention_names(campaign: Campaign, path: str) -> None:
    """Say what mt-metrics-eval itself would not read, though Assay does."""
    odd = [name for name in campaign.references if re.search(r"[.\s-]", name) or name in ("all", "src")]
    odd += [name for name in campaign.systems if re.search(r"\s", name)]
    labels = {*(campaign.domains or ()), *(campaign.documents or ())}
    odd += sorted(name for name in labels if re.search(r"\s", name))
    if odd:
        told = ", ".join(odd[:5]) + (" ..." if len(odd) > 5 else "")
        warnings.warn(
            f"{path}: mt-metrics-eval takes no spaces in names, nor . or - in those of references: {told}.",
            AssayWarning,
            stacklevel=3,
        )


def _human_files(campaign: Campaign, path: str, pair: str) -> dict[str, Iterable[bytes]]:
    judgements = campaign.judgements
    if judgements is None:
        return {}
    # Ratings are errors that people marked; scores are all else.
    wanted = ["mtme-score", *(["mtme-rating"] if judgements.spans else [])]
    if any(name not in JUDGEMENT_FORMATS for name in wanted):
        say_lost(campaign, path, "judgements")
        return {}
    files: dict[str, Iterable[bytes]] = {}
    for name in wanted:
        for file, content in JUDGEMENT_FORMATS[name].write(judgements, campaign).items():
            files[f"human-scores/{pair}.{_score_name(file, judgements, name)}"] = [content]
    return files


def _score_name(file: str, judgements: Judgements, name: str) -> str:
    """What a file of judgements is called, without the languages; one that is alone has no name yet."""
    if file:
        return re.sub(rf"^{LANGUAGE}-{LANGUAGE}\.", "", file)
    levels = {"seg": (judgements.segment >= 0).any(), "doc": bool(judgements.document.names), "sys": True}
    level = next(level for level, there in levels.items() if there)
    return f"{judgements.kinds[0]}.{level}.{name.removeprefix('mtme-')}"


FORMATS = (
    CampaignFormat(
        "mt-metrics-eval",
        "a folder of mt-metrics-eval; --pair chooses the languages",
        read_mt_metrics_eval,
        write_mt_metrics_eval,
    ),
)
