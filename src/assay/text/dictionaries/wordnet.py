"""WordNet's own files: ``index.sense``, or ``index.noun`` and its sisters, and the exceptions in ``*.exc``.

A set of synonyms is known by its offset in WordNet's data file. METEOR leaves the part of speech out, and so do we: 296
offsets of WordNet 3.0 stand for a set of two parts of speech.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from assay.errors import InputError
from assay.text.dictionaries.entries import Entries, fault, numbered_lines, set_number

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
SENSE_INDEX = "index.sense"


def read_wordnet(path: Path) -> Entries:
    """The dictionary in a folder, or in one of its index files with the exceptions that lie beside it."""
    folder = path if path.is_dir() else path.parent
    words: dict[str, list[int]] = {}
    occurrences: Counter[str] = Counter()
    for index in _indexes(path):
        if index.name.removesuffix(".gz") == SENSE_INDEX:
            _read_senses(index, words, occurrences)
        else:
            _read_index(index, words)
    if not words:
        raise InputError(f"{path}: no words in it. Give the folder of a WordNet database, such as .../dict.")
    return Entries(words, _read_exceptions(folder, occurrences), english_suffixes=True)


def _indexes(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    if (path / SENSE_INDEX).is_file():
        return [path / SENSE_INDEX]
    found = [path / f"index.{part}" for part in PARTS_OF_SPEECH if (path / f"index.{part}").is_file()]
    if not found:
        raise InputError(
            f"{path}: neither index.sense nor index.noun, index.verb, index.adj or index.adv is in this folder. "
            "Give the folder of a WordNet database, such as .../dict."
        )
    return found


def _read_senses(path: Path, words: dict[str, list[int]], occurrences: Counter[str]) -> None:
    """Lines such as ``couch%1:06:00:: 04256520 1 5``: sense, set, rank, occurrences in tagged texts."""
    for number, line in numbered_lines(path):
        fields = line.split()
        lemma, percent, _ = fields[0].partition("%") if fields else ("", "", "")
        if len(fields) != 4 or not lemma or not percent or not fields[3].isdecimal():
            raise fault(path, number, "not a line of WordNet's index.sense, such as 'couch%1:06:00:: 04256520 1 5'.")
        words.setdefault(lemma, []).append(set_number(fields[1], path, number))
        occurrences[lemma] += int(fields[3])


def _read_index(path: Path, words: dict[str, list[int]]) -> None:
    """Lines such as ``sofa n 1 2 @ ~ 1 1 04256520``: lemma, part of speech, numbers of sets and pointers, ..., sets."""
    for number, line in numbered_lines(path):
        # The licence at the top is indented.
        if line.startswith("  ") or not line:
            continue
        fields = line.split()
        sizes = [int(size) for size in fields[2:4] if size.isdecimal()]
        if len(sizes) < 2 or not sizes[0] or len(fields) != 6 + sum(sizes):
            raise fault(path, number, "not a line of a WordNet index, such as 'sofa n 1 2 @ ~ 1 1 04256520'.")
        words.setdefault(fields[0], []).extend(set_number(text, path, number) for text in fields[-sizes[0] :])


def _read_exceptions(folder: Path, occurrences: Counter[str]) -> dict[str, list[str]]:
    """Lines such as ``went go``: an irregular form and its bases; what occurs most is taken for the likeliest."""
    exceptions: dict[str, list[str]] = {}
    for part in PARTS_OF_SPEECH:
        path = folder / f"{part}.exc"
        if not path.is_file():
            continue
        for number, line in numbered_lines(path):
            form, *bases = line.split() or [""]
            if form and not bases:
                raise fault(path, number, "an irregular form without its base; a line reads 'went go'.")
            if form:
                exceptions.setdefault(form, []).extend(bases)
    return {form: sorted(bases, key=lambda base: -occurrences[base]) for form, bases in exceptions.items()}
