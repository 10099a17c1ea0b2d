"""Folders of mt-metrics-eval: ``sources``, ``documents``, ``references``, ``system-outputs`` and ``human-scores``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign, JudgementFiles, Role, is_post_edit, is_same_reference
from assay.data.files import (
    Files,
    entries,
    is_folder,
    largest,
    plain_name,
    read_lines,
    require_file,
    spell_lines,
)
from assay.data.formats import UNKNOWN_LANGUAGES, CampaignFormat, languages_of, say_lost
from assay.data.formats.folder import file_name, read_columns, refuse_second
from assay.data.formats.judgements import guess_judgement_format, read_judgements
from assay.data.formats.judgements.base import NoJudgements
from assay.data.formats.judgements.mt_metrics_eval import levels_of, rating_files, score_files
from assay.data.json_lines import read_objects, spell_objects
from assay.data.judgements import Factor, Judgements
from assay.data.problems import Problems, note
from assay.data.texts import Texts
from assay.errors import InputError, Place, counted

#: The field of JSON Lines that holds each text.
_FIELDS = {"source": "source", "reference": "target", "system": "hypothesis"}
#: What stands where nothing is known; a number behind it makes unknown documents two where they are in two pieces.
_NOTHING = "-"
_UNKNOWN = re.compile(rf"{_NOTHING}(_\d+)?")
#: The line of a text that is missing.
_MISSING = "[No translation supplied]"
#: What no name may hold, because it ends it; and what no reference may be called.
_BLANK = r"\s"
_UNFIT_REFERENCE = rf"{_BLANK}|[.-]"
_RESERVED = ("all", "src")


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
    present = _take_missing(columns)
    if ("document", "") in columns:
        columns |= _labels(columns.pop(("document", "")), str(files["document", ""]), problems)
    campaign = Campaign.of_parts(path, columns, f"{folder.resolve().name}-{pair}", present=present)
    if problems.lenient:
        labels = [line.split() for line in read.get(("document", ""), ())]
        problems.every(_refusals(folder, pair, files, campaign, labels), problems.add)
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
        if value.get(key, "") is None:
            return _MISSING
        if not isinstance(value.get(key), str):
            raise InputError(f"no string {key!r}.", place=place)
        return str(value[key])

    before = problems.errors
    what = f'A line is an object such as {{"{key}": "..."}}.'
    texts = list(problems.each(read_objects(str(file), what, problems, every_line=True), text))
    problems.stop(before)
    return Texts.of(texts, str(file))


def _take_missing(columns: dict[Role, Iterable[str]]) -> dict[str, NDArray[np.bool_]]:
    """Make texts empty that are said to be missing; which segments have each reference that not all have."""
    present = {}
    for (kind, name), texts in [*columns.items()]:
        if kind == "document" or not isinstance(texts, Texts):
            continue
        likely = np.flatnonzero(texts.lengths() == len(_MISSING)).tolist()
        missing = [index for index in likely if texts[index] == _MISSING]
        if missing:
            gone = set(missing)
            columns[kind, name] = ["" if index in gone else text for index, text in enumerate(texts)]
        if missing and kind == "reference":
            present[name] = ~np.isin(np.arange(len(texts)), missing)
        elif missing and kind == "system":
            note(f"{counted(len(missing), 'translation')} of {name!r} missing ({_MISSING}), counted as empty.")
        elif missing and len(missing) == len(texts):
            del columns[kind, name]
    return present


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
    labels = {
        (kind, ""): [_NOTHING if _UNKNOWN.fullmatch(row[index]) else row[index] for row in rows]
        for index, kind in enumerate(("domain", "document"))
    }
    return {role: names for role, names in labels.items() if set(names) != {_NOTHING}}


def _refusals(
    folder: Path, pair: str, files: Mapping[Role, Path], campaign: Campaign, labels: list[list[str]]
) -> Iterator[InputError]:
    """What mt-metrics-eval's own reader refuses, or reads as something else, though Assay reads it.

    ``labels`` are the words of each line that names a domain and a document.
    """
    documents = folder / f"documents/{pair}.docs"
    for role, needed in (("source", ""), folder / f"sources/{pair}.txt"), (("document", ""), documents):
        if role not in files:
            yield _refusal("needs this file, and it is not there", needed)
    yield from _refused_documents(files.get(("document", ""), documents), labels)
    if not campaign.references:
        yield _refusal("needs a reference", folder / "references")
    for (kind, name), file in files.items():
        if file.name != plain_name(file.name):
            yield _refusal("reads no compressed files", file)
        if kind == "reference" and (re.search(_UNFIT_REFERENCE, name) or name in _RESERVED):
            yield _refusal("takes no blank, . or - in the name of a reference, nor all or src", file)
        texts = campaign.parts.get((kind, name), ()) if plain_name(file.name).endswith(".txt") else ()
        torn = next((line for line, text in enumerate(texts, start=1) if "\r" in text), None)
        if torn is not None:
            yield _refusal("takes the carriage return in this line for its end", file, torn)
    for below, prefix in ("human-scores", f"{pair}."), (f"metric-scores/{pair}", ""):
        for name in _names(folder / below):
            if name.startswith(prefix) and name.endswith(".score"):
                yield from _refused_scores(folder / below / name, not prefix, campaign, labels)


def _refusal(what: str, file: Path, line: int | None = None) -> InputError:
    return InputError(f"mt-metrics-eval {what}.", place=Place(str(file), line))


def _refused_documents(file: Path, labels: list[list[str]]) -> Iterator[InputError]:
    """Documents that end at a blank, or begin again."""
    begun: Counter[str] = Counter()
    for document, run in groupby(enumerate(labels, start=1), lambda numbered: " ".join(numbered[1][1:2])):
        line, label = next(run)
        begun[document] += 1
        if len(label) > 2:
            yield _refusal(f"takes the name of this document to end at a blank: {document!r}", file, line)
        if begun[document] == 2:
            yield _refusal(f"needs every document in one piece, and {document!r} begins again here", file, line)


def _refused_scores(file: Path, is_metric: bool, campaign: Campaign, labels: list[list[str]]) -> Iterator[InputError]:
    """What a file of scores has to have, and this one has not."""
    units = {"seg": len(campaign), "doc": len({label[1] for label in labels if label[1:]}), "sys": 1, "domain": 0}
    domains = {label[0] for label in labels if label}
    stem, _, level = file.name.removesuffix(".score").rpartition(".")
    if level not in units or not stem:
        yield _refusal("takes the word before .score for the level: seg, doc, domain or sys", file)
        return
    try:
        texts = read_lines(file)
    except InputError as error:
        # Judgements are read by others, who tell it.
        yield from [error] if is_metric else []
        return
    lines: Counter[str] = Counter()
    for number, text in enumerate(texts, start=1):
        cells = text.split()
        if len(cells) != (3 if level == "domain" else 2):
            yield _refusal("takes blanks for the ends of names, and finds too many or too few words here", file, number)
            return
        lines[cells[-2]] += 1
        if lines[cells[-2]] == 1 and cells[-2] not in campaign.systems:
            what = f"takes scores of systems in system-outputs alone, and {cells[-2]!r} is not there"
            yield _refusal(what, file, number)
        if level == "domain" and cells[0] not in domains:
            yield _refusal(f"knows the domains of the documents alone, and {cells[0]!r} is none", file, number)
        if is_metric and cells[-1] == "None":
            yield _refusal("needs a number for every score of a metric", file, number)
    if is_metric:
        _, dash, named = stem.rpartition("-")
        used = {*campaign.references} if named == "all" else {*named.split(".")} - {"src"}
        if not dash or not used <= campaign.references.keys():
            there = ", ".join([*campaign.references, "all", "src"])
            yield _refusal(f"takes the word behind the last - for the references of a metric: {there}", file)
        for system in campaign.systems.keys() - used if units[level] else ():
            if lines[system] != units[level]:
                what = f"needs {counted(units[level], 'score')} of {system!r}, and there are {lines[system]}"
                yield _refusal(what, file)


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
    if not campaign.references:
        what = "mt-metrics-eval reads no folder without references, and there are none."
        raise InputError(what, "Write another format, such as JSON Lines.", Place(path))
    both = "-".join(languages)
    say_lost(campaign, path, "scores", "segments", "columns")
    fitted = _fitted(campaign, path)
    labels = zip(fitted.domains or (), fitted.documents or (), strict=True)
    files = {f"documents/{both}.docs": spell_lines(["\t".join(label) for label in labels], path)}
    stems = {("source", ""): f"sources/{both}"}
    stems |= {("reference", name): f"references/{both}.{file_name(name, path)}" for name in fitted.references}
    stems |= {("system", name): f"system-outputs/{both}/{file_name(name, path)}" for name in fitted.systems}
    for (kind, name), stem in stems.items():
        texts: Sequence[str] | Texts = fitted.parts.get((kind, name), (_MISSING,) * len(fitted))
        if kind == "reference" and name in fitted.present:
            flags = fitted.present[name].tolist()
            texts = [text if there else _MISSING for text, there in zip(texts, flags, strict=True)]
        # Its reader takes a carriage return for the end of a line.
        if any("\r" in text or "\n" in text for text in texts):
            files[f"{stem}.jsonl"] = spell_objects(map(partial(_object, _FIELDS[kind]), texts))
        else:
            files[f"{stem}.txt"] = spell_lines(texts, f"{path}/{stem}.txt")
    judgements = fitted.judgements
    human = {} if judgements is None else score_files(judgements, fitted)
    # Ratings are errors that people marked; scores are all else.
    human |= rating_files(judgements, fitted) if judgements is not None and judgements.spans else {}
    for name, content in human.items():
        files[f"human-scores/{both}.{file_name(name, path)}"] = iter([content.encode()])
    return {**files}


def _object(field: str, text: str) -> dict[str, str | None]:
    return {field: None if text == _MISSING else text}


def _fitted(campaign: Campaign, path: str) -> Campaign:
    """The campaign as mt-metrics-eval's reader takes it; what had to be changed for it is said."""
    place, nothing = Place(path), (_NOTHING,) * len(campaign)
    if campaign.source is None:
        note("mt-metrics-eval needs a source: every line of it says that there is none.", place)
    domains = [name or _NOTHING for name in campaign.domains or nothing]
    documents, whole = _in_one_piece([name or _NOTHING for name in campaign.documents or nothing], place)
    domain_names = _renamed("domain", domains, place)
    reference_names = _renamed("reference", campaign.references, place, _UNFIT_REFERENCE)
    post_edits = [reference_names[name] for name in sorted(campaign.targeted) if is_post_edit(name)]
    unknown = ", ".join(name for name in post_edits if not is_post_edit(name))
    if unknown:
        note(f"post-edits that are references like others there: {unknown}.", place)
    system_names = _renamed("system", campaign.systems, place)
    systems, judgements = {**campaign.systems}, campaign.judgements
    for name in judgements.system.names if judgements is not None else ():
        reference = next((one for one in campaign.references if is_same_reference(name, one)), None)
        if reference is None or name in systems or reference_names[reference] in system_names.values():
            continue
        # It knows by their names that they are the same.
        systems[name], system_names[name] = campaign.references[reference], reference_names[reference]
        note(f"{name!r} was judged, so that reference {reference!r} is written as a system, too.", place)
    return replace(
        campaign,
        systems={system_names[name]: texts for name, texts in systems.items()},
        references={reference_names[name]: texts for name, texts in campaign.references.items()},
        present={reference_names[name]: flags for name, flags in campaign.present.items()},
        targeted=frozenset(),
        domains=tuple(domain_names[name] for name in domains),
        documents=tuple(documents),
        human=judgements and _judged(judgements, system_names, {"doc": whole, "domain": domain_names}, place),
    )


def _in_one_piece(documents: list[str], place: Place) -> tuple[list[str], dict[str, str]]:
    """The document of each segment, all of them in one piece; and how those are called that were so before."""
    runs = [(document, len([*run])) for document, run in groupby(documents)]
    pieces = _fit([document for document, _ in runs], _BLANK)
    named: dict[str, list[str]] = {}
    for (document, _), piece in zip(runs, pieces, strict=True):
        named.setdefault(document, []).append(piece)
    _mention("document", {document: several[0] for document, several in named.items()}, place)
    torn = {document: several for document, several in named.items() if len(several) > 1 and document != _NOTHING}
    if torn:
        first, several = next(iter(torn.items()))
        are = f"{len(torn)} {'is' if len(torn) == 1 else 'are'}"
        what = f"mt-metrics-eval needs every document in one piece, and {are} not:"
        note(f"{what} every piece is a document of its own, such as {several[1]!r} of {first!r}.", place)
    by_segment = [piece for (_, length), piece in zip(runs, pieces, strict=True) for _ in range(length)]
    return by_segment, {document: several[0] for document, several in named.items() if len(several) == 1}


def _judged(
    judgements: Judgements, systems: Mapping[str, str], units: Mapping[str, Mapping[str, str]], place: Place
) -> Judgements:
    """The judgements of what is there, under the names that it has there; the others are counted."""
    levels, names = levels_of(judgements).tolist(), [name or "" for name in judgements.document]
    unit = [units.get(level, {}).get(name) for level, name in zip(levels, names, strict=True)]
    of_units = np.isin(levels, [*units])
    known, placed = judgements.system.holds(systems), ~of_units | np.array([name is not None for name in unit])
    strangers = ", ".join(judgements.system.only(~known).names)
    for left, reason in (
        (~known, f"systems without translations ({strangers})"),
        (known & ~placed, "documents that are not there or not in one piece, or of unknown domains"),
    ):
        if left.any():
            note(f"left out for mt-metrics-eval: {counted(int(left.sum()), 'judgement')} of {reason}.", place)
    system = judgements.system.renamed(systems.get)
    return replace(judgements, system=system, document=Factor.of(unit)).only(known & placed)


def _renamed(kind: str, names: Iterable[str], place: Place, unfit: str = _BLANK) -> dict[str, str]:
    """How each name is written; it is said if that is another way."""
    old = [*dict.fromkeys(names)]
    new = dict(zip(old, _fit(old, unfit), strict=True))
    _mention(kind, new, place)
    return new


def _mention(kind: str, names: Mapping[str, str], place: Place) -> None:
    changed = [f"{old!r} is {new!r}" for old, new in names.items() if old != new]
    if changed:
        listed = ", ".join(changed[:3]) + (" ..." if len(changed) > 3 else "")
        what = f"mt-metrics-eval cannot read {counted(len(changed), 'name')} of {kind}s"
        note(f"{what}: {listed}.", place)


def _fit(names: Sequence[str], unfit: str) -> list[str]:
    """Names that mt-metrics-eval can read, no two of them the same: ``_`` stands for what it cannot.

    >>> _fit(["a b", "a_b", "c", "a b", "all"], r"\\s")
    ['a_b_2', 'a_b', 'c', 'a_b_3', 'all_2']
    """
    fit = {name for name in names if not re.search(unfit, name)} - {*_RESERVED}
    taken = {*fit, *_RESERVED}
    made = []
    for name in names:
        base = re.sub(unfit, "_", name)
        numbered = (f"{base}_{number}" for number in count(2))
        new = name if name in fit else next(one for one in chain([base], numbered) if one not in taken)
        # Who comes again needs another name.
        fit.discard(name)
        taken.add(new)
        made.append(new)
    return made


FORMAT = CampaignFormat(_read, _write)
