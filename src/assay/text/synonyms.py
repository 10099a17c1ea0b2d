"""Synonyms: WordNet's, which come with the package, or a dictionary of the user's own."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from assay.errors import InputError
from assay.kernels import Synonyms
from assay.text.dictionaries import PARTS_OF_SPEECH, SYNSETS, read_meteor, read_plain, read_wordnet
from assay.text.tables import TABLES

WORDNET = "wordnet-3.0.bin"

#: Path, size and time of change of each file that a dictionary depends on.
_Stamp = tuple[tuple[str, int, int], ...]


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
    return _read(Path(path), _stamp(Path(path)))


def has_base_forms(path: str | Path | None) -> bool:
    """Whether a dictionary knows base forms: WordNet's and METEOR's format do, a plain table of synonyms does not."""
    return path is None or _is_wordnet(Path(path)) or _is_meteor(Path(path))


def _is_wordnet(path: Path) -> bool:
    return path.is_dir() or path.name.startswith("index.")


def _is_meteor(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(SYNSETS)


@lru_cache(maxsize=1)
def _wordnet() -> Synonyms:
    return Synonyms.from_table((TABLES / WORDNET).read_bytes())


@lru_cache(maxsize=8)
def _read(path: Path, _: _Stamp) -> Synonyms:
    if _is_wordnet(path):
        return read_wordnet(path).compiled()
    if _is_meteor(path):
        return read_meteor(path).compiled()
    return read_plain(path).compiled()


def dictionary_files(path: Path) -> list[Path]:
    """The files that are read for a dictionary, as far as they are there; ``path`` itself is the first."""
    folder = path if path.is_dir() else path.parent
    beside = [path, *(folder / f"{part}.exc" for part in PARTS_OF_SPEECH)]
    if path.is_dir():
        beside += [folder / name for name in ("index.sense", *(f"index.{part}" for part in PARTS_OF_SPEECH))]
    else:
        beside.append(path.with_name(path.name.replace(SYNSETS, ".exceptions")) if path.name else path)
    return beside


def _stamp(path: Path) -> _Stamp:
    """What changes when the dictionary does."""
    try:
        path.stat()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}. Give a folder or file of synonyms.") from None
    states = [(str(file), file.stat()) for file in dictionary_files(path) if file.exists()]
    return tuple((name, state.st_size, state.st_mtime_ns) for name, state in states)
