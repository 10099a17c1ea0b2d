from collections.abc import Sequence
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

Pair = tuple[NDArray[np.uint64], NDArray[np.int64]]
Operation = Literal["match", "substitution", "insertion", "deletion"]
Edit = tuple[Operation, int | None, int | None]
MeteorSide = tuple[Pair, Pair | None, Pair | None, Pair | None, Pair | None]

@final
class Recipe:
    def __new__(
        cls,
        *,
        normalize: str,
        lowercase: str,
        tokenizer: str,
        options: list[str],
        words: list[str],
        remove_punctuation: bool,
        stem: str | None,
        synonyms: Synonyms | None,
        unit: str,
    ) -> Recipe: ...
    def cook(self, columns: list[tuple[bytes, NDArray[np.int64], NDArray[np.int64]]], threads: int) -> list[Pair]: ...
    def cook_stems(
        self,
        others: list[Recipe],
        columns: list[tuple[bytes, NDArray[np.int64], NDArray[np.int64]]],
        threads: int,
    ) -> list[list[Pair]]: ...
    def tokens(self, text: str) -> list[str]: ...

@final
class MeteorMatcher:
    def __new__(
        cls,
        *,
        stem: bool,
        synonyms: Synonyms | None,
        paraphrases: Paraphrases | None,
        function_words: NDArray[np.uint64],
        aligner: str,
        beam: int,
        weights: list[float],
    ) -> MeteorMatcher: ...
    def count(self, translations: MeteorSide, references: MeteorSide, threads: int) -> NDArray[np.float64]: ...
    def links(
        self, translations: MeteorSide, references: MeteorSide, segment: int
    ) -> list[tuple[int, int, int, int, int]]: ...

@final
class ParaphraseReader:
    def __new__(cls) -> ParaphraseReader: ...
    def feed(self, piece: bytes) -> None: ...
    def finish(self) -> Paraphrases: ...

@final
class Paraphrases:
    def __len__(self) -> int: ...
    @property
    def phrases(self) -> int: ...
    @property
    def longest(self) -> int: ...
    @property
    def digest(self) -> str: ...
    def of(self, phrase: str) -> list[tuple[int, int]]: ...

@final
class Survey:
    def __new__(cls) -> Survey: ...
    def add(
        self,
        ids: NDArray[np.uint64],
        offsets: NDArray[np.int64],
        present: NDArray[np.bool_],
        order: int,
    ) -> None: ...
    def merge(self, other: Survey) -> None: ...
    def arrays(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], int]: ...
    @staticmethod
    def from_arrays(keys: NDArray[np.uint64], counts: NDArray[np.uint64], words: int) -> Survey: ...

@final
class Synonyms:
    @property
    def words(self) -> int: ...
    @property
    def forms(self) -> int: ...
    @property
    def bases(self) -> int: ...
    @property
    def digest(self) -> str: ...
    @staticmethod
    def from_table(table: bytes) -> Synonyms: ...
    @staticmethod
    def from_entries(
        words: list[tuple[str, list[int]]],
        exceptions: list[tuple[str, list[str]]],
        english_suffixes: bool,
    ) -> Synonyms: ...
    def table(self) -> bytes: ...
    def senses(self, word: str) -> list[int]: ...
    def base(self, word: str) -> str: ...
    def lemma(self, word: str) -> str: ...

def stemmers() -> list[str]: ...
def token_ids(tokens: list[str]) -> NDArray[np.uint64]: ...
def phrase_key(phrase: str) -> int: ...
def pack(texts: list[str]) -> tuple[bytes, tuple[NDArray[np.int64], NDArray[np.int64]]]: ...
def scan_lines(buffer: bytes) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def digest(buffer: bytes, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> str: ...
def clipped_matches(
    translations: Pair,
    references: Sequence[Pair],
    present: NDArray[np.bool_],
    order: int,
    threads: int,
) -> NDArray[np.float64]: ...
def common_skip_ngrams(
    translations: Pair,
    references: Pair,
    order: int,
    gaps: list[int],
    beyond: bool,
    effort: int,
    threads: int,
) -> NDArray[np.float64]: ...
def join_synonyms(
    translations: tuple[Pair, Pair, Pair], references: tuple[Pair, Pair, Pair], synonyms: Synonyms, threads: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]: ...
def matched_information(
    translations: Pair,
    references: Sequence[Pair],
    present: NDArray[np.bool_],
    survey: Survey,
    order: int,
    zero_quirk: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def matched_ngrams(
    translations: Pair,
    references: Sequence[Pair],
    present: NDArray[np.bool_],
    order: int,
    zero_quirk: bool,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64], NDArray[np.uint64]]: ...
def edit_operations(translations: Pair, references: Pair, threads: int) -> NDArray[np.float64]: ...
def ranked_words(translations: Pair, references: Pair, threads: int) -> NDArray[np.float64]: ...
def common_subsequences(translations: Pair, references: Pair, weight: float, threads: int) -> NDArray[np.float64]: ...
def jumping_edits(
    translations: Pair, references: Pair, costs: tuple[float, float, float], threads: int
) -> NDArray[np.float64]: ...
def character_edits(
    translations: tuple[Pair, Pair], references: tuple[Pair, Pair], threads: int
) -> NDArray[np.float64]: ...
def match_sizes(
    translations: Pair,
    references: Sequence[Pair],
    present: NDArray[np.bool_],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    exponent: float,
    paper: bool,
    effort: int | None,
    threads: int,
) -> NDArray[np.float64]: ...
def matching(
    translation: NDArray[np.uint64],
    references: list[NDArray[np.uint64]],
    weights: tuple[NDArray[np.float64], NDArray[np.float64]] | None,
    exponent: float,
    paper: bool,
    effort: int | None,
) -> tuple[float, float, list[tuple[int, int, int, float]], list[tuple[int, int]], list[tuple[int, int]]]: ...
def edit_script(translation: NDArray[np.uint64], reference: NDArray[np.uint64]) -> list[Edit]: ...

#: Beam, distance and size of TERcom's search; None for sacreBLEU's.
_Limits = tuple[int, int, int] | None

def translation_edits(translations: Pair, references: Pair, limits: _Limits, threads: int) -> NDArray[np.float64]: ...
def translation_edit_script(
    translation: NDArray[np.uint64], reference: NDArray[np.uint64], limits: _Limits
) -> tuple[list[Edit], list[tuple[list[int], int, int]]]: ...

_Cells = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint32]]
_Pairs = tuple[NDArray[np.uint32], NDArray[np.uint32]] | None

def associations(cells: _Cells, weights: NDArray[np.float64], family: str) -> NDArray[np.float64]: ...
def best_thresholds(
    cells: _Cells, weights: NDArray[np.float64], counts: NDArray[np.float64], pairs: _Pairs
) -> NDArray[np.float64]: ...
def agreement_at(
    cells: _Cells, weights: NDArray[np.float64], thresholds: NDArray[np.float64], pairs: _Pairs
) -> NDArray[np.float64]: ...
def swapped_shares(
    metrics: NDArray[np.float64],
    human: NDArray[np.float64],
    flags: NDArray[np.uint8],
    pairs: list[tuple[int, int]],
    kendall: bool,
    threads: int,
) -> NDArray[np.float64]: ...

#: The seed, and the number of what is drawn for.
_Stream = tuple[int, int]

def draw_counts(stream: _Stream, keys: NDArray[np.uint64], first: int, draws: int) -> NDArray[np.float64]: ...
def draw_swaps(stream: _Stream, keys: NDArray[np.uint64], first: int, draws: int) -> NDArray[np.uint8]: ...
def draw_order(stream: _Stream, keys: NDArray[np.uint64], draw: int) -> NDArray[np.uint64]: ...
def text_keys(names: list[str]) -> NDArray[np.uint64]: ...
