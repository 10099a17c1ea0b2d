"""Word lists and dictionaries that come with the package: see README.md for where they are from."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay import kernels

#: Plain files beside this one: finding them by other means loads a dozen modules.
TABLES = Path(__file__).parent

METEOR_LANGUAGES = ("en", "cs", "fr", "es", "de", "ru")
#: METEOR has a code of its own for Czech.
_ALIASES = {"cz": "cs"}


@cache
def tables_digest() -> str:
    """Sixteen hexadecimal digits that stand for all of them: rows that were counted with other ones are others."""
    hashed = hashlib.sha256()
    for file in sorted(TABLES.glob("*.*.*")):
        hashed.update(file.name.encode() + file.read_bytes())
    return hashed.hexdigest()[:16]


@lru_cache(maxsize=8)
def nonbreaking_prefixes(language: str) -> list[str]:
    """Abbreviations behind which METEOR's normaliser keeps a full stop."""
    return (TABLES / f"nonbreaking.{language}.txt").read_text(encoding="utf-8").split("\n")


def list_of_function_words(language: str) -> list[str]:
    """METEOR's function words, which count less than others, in small letters; none without a list."""
    code = _ALIASES.get(language, language)
    if code not in METEOR_LANGUAGES:
        return []
    return (TABLES / f"function.{code}.txt").read_text(encoding="utf-8").removesuffix("\n").split("\n")


@lru_cache(maxsize=8)
def function_words(language: str) -> NDArray[np.uint64]:
    """The token ids of METEOR's function words, rising; METEOR looks tokens up in lower case, as the list is.

    >>> len(function_words("en")), len(function_words("fi"))
    (93, 0)
    """
    ids = np.sort(kernels.token_ids(list_of_function_words(language)))
    ids.setflags(write=False)
    return ids
