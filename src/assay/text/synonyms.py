"""Synonyms: WordNet's, which come with the package, or a dictionary of the user's own.

A format of dictionaries is a function from files to entries: WordNet's, METEOR's, a plain table. In WordNet a set of
synonyms is known by its offset in the data file. METEOR leaves the part of speech out, and so do we: 296 offsets of
WordNet 3.0 stand for a set of two parts of speech.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from assay.data.files import read_bytes, texts_of
from assay.errors import InputError, Place
from assay.kernels import Synonyms
from assay.text.tables import TABLES

WORDNET = "wordnet-3.0.bin"
#: Sets of synonyms have 32-bit numbers.
_LARGEST = 2**32 - 1
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_SENSE_INDEX = "index.sense"
#: How METEOR's files end; ``.exceptions`` lie beside them.
_SYNSETS = ".synsets"


@dataclass(frozen=True)
class Entries:
    """The sets that each word is in, and the bases of irregular forms, the most likely first."""

    words: dict[str, list[int]]
    exceptions: dict[str, list[str]] = field(default_factory=dict)
    english_suffixes: bool = False

    def compiled(self) -> Synonyms:
        """The same, ready to be looked up by token id."""
        return Synonyms.from_entries(list(self.words.items()), list(self.exceptions.items()), self.english_suffixes)


def load_synonyms(path: str | Path | None = None) -> Synonyms:
    """The dictionary at ``path``, or WordNet 3.0; read when it is first asked for, and again when a file has changed.

    ``path`` is a folder or an index file in WordNet's format, a ``.synsets`` file in METEOR's, or else a table with one
    set of synonyms per line and tabs between the words.

    >>> wordnet = load_synonyms()
    >>> wordnet.lemma("went"), set(wordnet.senses("sofas")) <= set(wordnet.senses("couch"))
    ('go', True)
    """
    if path is None:
        return _wordnet()
    try:
        Path(path).stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}. Give a folder or file of synonyms.") from None
    states = [(str(file), file.stat()) for file in dictionary_files(Path(path)) if file.exists()]
    return _read(Path(path), tuple((name, state.st_size, state.st_mtime_ns) for name, state in states))


@lru_cache(maxsize=1)
def _wordnet() -> Synonyms:
    return Synonyms.from_table((TABLES / WORDNET).read_bytes())


@lru_cache(maxsize=8)
def _read(path: Path, _: tuple[tuple[str, int, int], ...]) -> Synonyms:
    """A dictionary whose files have this path, size and time of change."""
    return _reader(path)(path).compiled()


def has_base_forms(path: str | Path | None) -> bool:
    """Whether a dictionary knows base forms: WordNet's and METEOR's format do, a plain table of synonyms does not."""
    return path is None or _reader(Path(path)) is not _read_plain


def _reader(path: Path) -> Callable[[Path], Entries]:
    """What reads a dictionary; its name says in which format it is."""
    if path.is_dir() or path.name.startswith("index."):
        return read_wordnet
    return read_meteor if path.name.removesuffix(".gz").endswith(_SYNSETS) else _read_plain


def dictionary_files(path: Path) -> list[Path]:
    """The files that are read for a dictionary, as far as they are there; ``path`` itself is the first."""
    folder = path if path.is_dir() else path.parent
    beside = [path, *(folder / f"{part}.exc" for part in PARTS_OF_SPEECH)]
    if path.is_dir():
        beside += [folder / name for name in ("index.sense", *(f"index.{part}" for part in PARTS_OF_SPEECH))]
    else:
        beside.append(path.with_name(path.name.replace(_SYNSETS, ".exceptions")) if path.name else path)
    return beside


def _numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file, counted from 1, plain or gzipped."""
    return enumerate(texts_of(read_bytes(path), str(path)), start=1)


def _fault(path: Path, line: int, what: str) -> InputError:
    """The error for one line of a dictionary.

    Nothing of the line is quoted: a metric's name may come from somebody else, and may name any file there is.
    """
    return InputError(what, place=Place(str(path), line))


def _set_number(text: str, path: Path, line: int) -> int:
    """The number of a set of synonyms."""
    if not (text.isascii() and text.isdigit()) or int(text) > _LARGEST:
        raise _fault(path, line, "something is not the number of a set of synonyms, a whole number below 2^32.")
    return int(text)


def _read_plain(path: Path) -> Entries:
    """A table for any language: each line is a set of synonyms with tabs between them; comments stand behind ``#``.

    A word may be in several. Nothing is known of the language, so a word is looked up as it stands.
    """
    words: dict[str, list[int]] = {}
    for number, line in _numbered_lines(path):
        if not line.strip() or line.startswith("#"):
            continue
        synonyms = [word.strip() for word in line.split("\t")]
        if len(synonyms) < 2:
            raise _fault(path, number, "only one word. Put a tab between the words of a set.")
        if "" in synonyms:
            raise _fault(path, number, "an empty word. One tab stands between two words, none at the ends.")
        for word in synonyms:
            words.setdefault("_".join(word.split()), []).append(number)
    if not words:
        raise InputError(f"{path}: no set of synonyms in it. Write one per line, with tabs between the words.")
    return Entries(words)


def read_meteor(path: Path) -> Entries:
    """METEOR's words with their sets, and bases with their irregular forms; two lines per entry."""
    words: dict[str, list[int]] = {}
    for number, word, sets in _pairs_of_lines(path, "a word", "the numbers of its sets"):
        words.setdefault(word, []).extend(_set_number(text, path, number + 1) for text in sets)
    exceptions: dict[str, list[str]] = {}
    beside = path.with_name(path.name.replace(_SYNSETS, ".exceptions"))
    if beside.is_file():
        for _, base, forms in _pairs_of_lines(beside, "a base", "its irregular forms"):
            for form in forms:
                exceptions.setdefault(form, []).append(base)
    return Entries(words, exceptions, english_suffixes=True)


def _pairs_of_lines(path: Path, first: str, second: str) -> Iterator[tuple[int, str, list[str]]]:
    """The number of each entry's first line, what stands there, and what stands in the second."""
    lines = _numbered_lines(path)
    for number, line in lines:
        head = line.strip()
        if not head or " " in head:
            raise _fault(path, number, f"{first} is expected here, alone; {second} follow on the next line.")
        _, rest = next(lines, (0, ""))
        values = rest.split()
        if not values:
            raise _fault(path, number + 1, f"{second} are expected here, for {first} on the line before.")
        yield number, head, values


def read_wordnet(path: Path) -> Entries:
    """The dictionary in a folder, or in one of its index files with the exceptions that lie beside it."""
    folder = path if path.is_dir() else path.parent
    words: dict[str, list[int]] = {}
    occurrences: Counter[str] = Counter()
    for index in _indexes(path):
        if index.name.removesuffix(".gz") == _SENSE_INDEX:
            _read_senses(index, words, occurrences)
        else:
            _read_index(index, words)
    if not words:
        raise InputError(f"{path}: no words in it. Give the folder of a WordNet database, such as .../dict.")
    return Entries(words, _read_exceptions(folder, occurrences), english_suffixes=True)


def _indexes(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    if (path / _SENSE_INDEX).is_file():
        return [path / _SENSE_INDEX]
    indexes = [path / f"index.{part}" for part in PARTS_OF_SPEECH if (path / f"index.{part}").is_file()]
    if not indexes:
        raise InputError(
            f"{path}: neither index.sense nor index.noun, index.verb, index.adj or index.adv is in this folder. "
            "Give the folder of a WordNet database, such as .../dict."
        )
    return indexes


def _read_senses(path: Path, words: dict[str, list[int]], occurrences: Counter[str]) -> None:
    """Lines such as ``couch%1:06:00:: 04256520 1 5``: sense, set, rank, occurrences in tagged texts."""
    for number, line in _numbered_lines(path):
        fields = line.split()
        lemma, percent, _ = fields[0].partition("%") if fields else ("", "", "")
        if len(fields) != 4 or not lemma or not percent or not fields[3].isdecimal():
            raise _fault(path, number, "not a line of WordNet's index.sense, such as 'couch%1:06:00:: 04256520 1 5'.")
        words.setdefault(lemma, []).append(_set_number(fields[1], path, number))
        occurrences[lemma] += int(fields[3])


def _read_index(path: Path, words: dict[str, list[int]]) -> None:
    """Lines such as ``sofa n 1 2 @ ~ 1 1 04256520``: lemma, part of speech, numbers of sets and pointers, ..., sets."""
    for number, line in _numbered_lines(path):
        # The licence at the top is indented.
        if line.startswith("  ") or not line:
            continue
        fields = line.split()
        sizes = [int(size) for size in fields[2:4] if size.isdecimal()]
        if len(sizes) < 2 or not sizes[0] or len(fields) != 6 + sum(sizes):
            raise _fault(path, number, "not a line of a WordNet index, such as 'sofa n 1 2 @ ~ 1 1 04256520'.")
        words.setdefault(fields[0], []).extend(_set_number(text, path, number) for text in fields[-sizes[0] :])


def _read_exceptions(folder: Path, occurrences: Counter[str]) -> dict[str, list[str]]:
    """Lines such as ``went go``: an irregular form and its bases; what occurs most is taken for the likeliest."""
    exceptions: dict[str, list[str]] = {}
    for part in PARTS_OF_SPEECH:
        path = folder / f"{part}.exc"
        if not path.is_file():
            continue
        for number, line in _numbered_lines(path):
            form, *bases = line.split() or [""]
            if form and not bases:
                raise _fault(path, number, "an irregular form without its base; a line reads 'went go'.")
            if form:
                exceptions.setdefault(form, []).extend(bases)
    return {form: sorted(bases, key=lambda base: -occurrences[base]) for form, bases in exceptions.items()}
