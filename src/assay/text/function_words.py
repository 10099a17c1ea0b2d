"""METEOR's function words, which count less than others."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from assay import kernels
from assay.text.tables import TABLES
from assay.text.tokenizers import METEOR_LANGUAGES

#: METEOR has a code of its own for Czech.
ALIASES = {"cz": "cs"}


@lru_cache(maxsize=8)
def function_words(language: str) -> NDArray[np.uint64]:
    """The token ids of a language's function words, rising; none for a language without a list.

    The list is in lower case, and METEOR looks tokens up in theirs.

    >>> len(function_words("en")), len(function_words("fi"))
    (93, 0)
    """
    code = ALIASES.get(language, language)
    words = []
    if code in METEOR_LANGUAGES:
        table = TABLES / f"function.{code}.txt"
        words = table.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    ids = np.sort(kernels.token_ids(words))
    ids.setflags(write=False)
    return ids
