"""What people said of translations: one row per judgement, whatever file it came from."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import starmap
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import declared_fields, describe_type, fits
from assay.arrays import Codes, Flags
from assay.data.problems import require_text
from assay.errors import InputError, ParameterError, Place, UnknownName, counted, shown
from assay.properties import cached_property

#: Sums of squares of larger scores could not be squared again, as intervals of variances are made.
LARGEST_SCORE = 1e30
#: What is named in a judgement, and so a column of names in many.
_NAMES = ("system", "kind", "rater", "document", "ranking", "reference")


@dataclass(frozen=True)
class ErrorSpan:
    """An error that somebody marked: from ``start`` up to ``end``, in characters of the translation.

    Without a place it belongs to the whole segment. ``in_source`` says that the places are in the source (an omission).
    """

    severity: str
    category: str = ""
    start: int | None = None
    end: int | None = None
    in_source: bool = False
    #: What the file says that the error costs, where it says so.
    weight: float | None = None


@dataclass(frozen=True)
class Judgement:
    """One judgement. Higher scores are better; NaN stands for a judgement without a score.

    Without a segment it is of the document, and without a document of the whole system. Scores of one ``ranking`` are
    comparable with each other alone.
    """

    system: str
    segment: int | None
    score: float
    kind: str
    rater: str | None = None
    document: str | None = None
    ranking: str | None = None
    spans: tuple[ErrorSpan, ...] | None = None
    #: Further columns of the file.
    further: Mapping[str, str] = field(default_factory=dict)
    #: Where it stood, for messages; 0 where it stood nowhere.
    line: int = 0
    #: The reference that the rater saw and judged against, where that is known.
    reference: str | None = None


@dataclass(frozen=True, eq=False)
class Factor:
    """A column of names that come again and again: each once, and for each row its number; -1 where a row has none.

    >>> Factor.of(["b", None, "a", "b"])
    Factor(names=('b', 'a'))
    >>> Factor.of(["b", None, "a", "b"]).codes.tolist()
    [0, -1, 1, 0]
    """

    names: tuple[str, ...]
    codes: NDArray[np.int64] = field(repr=False)

    @classmethod
    def empty(cls, count: int = 0) -> Factor:
        """A column in which no row has a name."""
        return cls((), np.full(count, -1, dtype=np.int64))

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Factor:
        """Names are numbered in the order in which they first come."""
        numbers: dict[str, int] = {}
        codes = [-1 if value is None else numbers.setdefault(value, len(numbers)) for value in values]
        return cls(tuple(numbers), np.array(codes, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str | None]:
        return (self.names[code] if code >= 0 else None for code in self.codes.tolist())

    def __getitem__(self, row: int) -> str | None:
        code = self.codes[row]
        return self.names[code] if code >= 0 else None

    def holds(self, names: Iterable[str]) -> Flags:
        """Whether each row has one of these names."""
        wanted = set(names)
        return np.isin(self.codes, [code for code, name in enumerate(self.names) if name in wanted])

    def only(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> Factor:
        """These rows, with the names that are left in them."""
        codes = self.codes[rows]
        kept = np.unique(codes[codes >= 0])
        renumbered = np.full(len(self.names) + 1, -1, dtype=np.int64)
        renumbered[kept] = np.arange(len(kept))
        return Factor(tuple(self.names[code] for code in kept), renumbered[codes])

    def alphabetic(self) -> Factor:
        """The same with names in the order of the alphabet, whichever row came first.

        >>> Factor.of(["b", None, "a", "b"]).alphabetic().codes.tolist()
        [1, -1, 0, 1]
        """
        names = sorted(self.names)
        return Factor(tuple(names), np.array([*map(names.index, self.names), -1], dtype=np.int64)[self.codes])

    def renamed(self, rename: Callable[[str], str | None]) -> Factor:
        """Every name as ``rename`` has it, which is asked once for each; None takes the name away from its rows."""
        renamed = Factor.of(map(rename, self.names))
        # The last place is that of rows without a name, which have the number -1.
        return Factor(renamed.names, np.append(renamed.codes, -1)[self.codes])


@dataclass(frozen=True, eq=False)
class Judgements:
    """Many judgements as columns; all have the same length.

    ``segment`` is -1 where a judgement is not of a segment. Several judgements by one rater of one item under one
    kind are repeats, and are kept.
    """

    origin: str
    system: Factor = field(repr=False)
    segment: NDArray[np.int64] = field(repr=False)
    score: NDArray[np.float64] = field(repr=False)
    kind: Factor = field(repr=False)
    rater: Factor = field(repr=False)
    document: Factor = field(repr=False)
    ranking: Factor = field(repr=False)
    line: NDArray[np.int64] = field(repr=False)
    #: Per judgement the errors that were marked, or None where none could be; empty if that holds for all.
    spans: tuple[tuple[ErrorSpan, ...] | None, ...] = field(default=(), repr=False)
    further: Mapping[str, Factor] = field(default_factory=dict, repr=False)
    #: How many judgements of the file each one is the mean of; None where each stands for itself.
    behind: NDArray[np.int64] | None = field(default=None, repr=False)
    #: The reference that each judgement was made against, where that is known.
    reference: Factor = field(default_factory=Factor.empty, repr=False)

    @classmethod
    def of(cls, judgements: Iterable[Judgement], origin: str) -> Judgements:
        """Columns out of single judgements; ``origin`` is what messages call the file."""
        if not fits(judgements, Iterable[Judgement]):
            raise ParameterError(f"judgements is {shown(judgements)}, but it takes a list of assay.Judgement.")
        rows = list(judgements)
        _check_rows(rows, origin)
        keys = dict.fromkeys(key for row in rows for key in row.further)
        named: dict[str, Any] = {name: Factor.of(map(attrgetter(name), rows)) for name in _NAMES}
        for name, column in named.items():
            require_text(name, column.names)
        return cls(
            origin=origin,
            **named,
            segment=np.array([-1 if row.segment is None else row.segment for row in rows], dtype=np.int64),
            score=np.array([row.score for row in rows], dtype=np.float64),
            line=np.array([row.line for row in rows], dtype=np.int64),
            spans=tuple(row.spans for row in rows) if any(row.spans is not None for row in rows) else (),
            further={key: Factor.of(row.further.get(key) for row in rows) for key in keys},
        )

    def __post_init__(self) -> None:
        if not len(self.reference) and len(self):
            object.__setattr__(self, "reference", Factor.empty(len(self)))
        too_large = np.flatnonzero(np.abs(self.score) > LARGEST_SCORE)
        if len(too_large):
            row = int(too_large[0])
            what = f"the score is {self.score[row]:g}, but it takes a number that can be added up and squared."
            raise InputError(what, f"The largest is {LARGEST_SCORE:g}.", self.place(row))

    def __len__(self) -> int:
        return len(self.score)

    def __iter__(self) -> Iterator[Judgement]:
        segments = (None if segment < 0 else segment for segment in self.segment.tolist())
        rows = zip(*self.further.values(), strict=True) if self.further else ((),) * len(self)
        further = (
            {key: value for key, value in zip(self.further, row, strict=True) if value is not None} for row in rows
        )
        columns = zip(
            self.system, segments, self.score.tolist(), self.kind, self.rater, self.document, self.ranking,
            self.spans or (None,) * len(self), further, self.line.tolist(), self.reference, strict=True,
        )  # fmt: skip
        return starmap(Judgement, columns)

    @cached_property
    def digest(self) -> str:
        """Sixteen hexadecimal digits that stand for who said what of which translation."""
        hashed = hashlib.sha256()
        for name in _NAMES:
            factor: Factor = getattr(self, name)
            if name == "reference" and not factor.names:
                # Judgements without one have the digest that they had before there were any.
                continue
            hashed.update("\n".join(factor.names).encode() + np.ascontiguousarray(factor.codes).tobytes())
        hashed.update(self.segment.tobytes() + self.score.tobytes())
        return hashed.hexdigest()[:16]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of judgement there are."""
        return self.kind.names

    @property
    def parts(self) -> Codes:
        """A number for what was judged of a system: its segment, or the document, or the whole."""
        last = int(self.segment.max(initial=-1))
        return np.where(self.segment >= 0, self.segment, last + 2 + self.document.codes)

    def place(self, row: int) -> Place:
        """Where a judgement stood: ``human.tsv, line 17``."""
        line = int(self.line[row])
        return Place(self.origin, line) if line else Place(self.origin, part=f"judgement {row + 1}")

    def only(self, rows: Flags | NDArray[np.int64]) -> Judgements:
        """These judgements alone."""
        numbers = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        return replace(
            self,
            **{name: getattr(self, name).only(numbers) for name in _NAMES},
            **{name: getattr(self, name)[numbers] for name in ("segment", "score", "line")},
            spans=tuple(self.spans[row] for row in numbers.tolist()) if self.spans else (),
            further={key: column.only(numbers) for key, column in self.further.items()},
            behind=None if self.behind is None else self.behind[numbers],
        )

    def count(self, rows: Flags) -> int:
        """How many judgements of the file are in these rows."""
        return int(rows.sum()) if self.behind is None else int(self.behind[rows].sum())

    def of_kind(self, name: str) -> Judgements:
        """Judgements of a kind, or of several (``a/b``, ``a+b``), whose numbers are in this order."""
        kinds = self._kinds_in(name)
        order = np.array([kinds.index(kind) if kind in kinds else -1 for kind in self.kinds])[self.kind.codes]
        return replace(self, kind=Factor(tuple(kinds), order)).only(order >= 0)

    def _kinds_in(self, name: str) -> list[str]:
        """The kinds that a name speaks of."""
        if name in self.kinds:
            return [name]
        if {"+", "/"} <= set(name):
            raise ParameterError(f"The kind {name!r} has both + (means) and / (together). Use one of them.")
        return fitting("kind of judgement", self.kinds, re.split("[+/]", name))

    def averaged(self, name: str) -> tuple[Judgements, int]:
        """For ``a+b`` the mean score per rater and item, and how many judgements have no counterpart of each kind.

        Several judgements by one rater of one item under one kind are one, their mean.
        """
        kinds = self._kinds_in(name)
        if (self.ranking.codes >= 0).any():
            raise ParameterError(f"{self.origin}: ranks have no mean. Take the kinds apart: --kind {','.join(kinds)}.")
        scored = self.only(~np.isnan(self.score))
        documents = np.where(scored.segment < 0, scored.document.codes, -1)
        keys = np.stack([scored.system.codes, scored.segment, documents, scored.rater.codes], axis=1)
        _, first, case = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        case = case.reshape(-1)
        total, complete = np.zeros(len(first)), np.ones(len(first), dtype=np.bool_)
        for kind in kinds:
            rows = scored.kind.holds([kind])
            count = np.bincount(case[rows], minlength=len(first))
            total += np.bincount(case[rows], scored.score[rows], len(first)) / np.maximum(count, 1)
            complete &= count > 0
        behind = np.bincount(case, minlength=len(first))
        # As they stand in the file, by the first judgement of each rater and item.
        order = np.argsort(first)[complete[np.argsort(first)]]
        means = replace(
            scored.only(first[order]),
            score=total[order] / len(kinds),
            kind=Factor.of([name] * len(order)),
            spans=(),
            further={},
            behind=behind[order],
        )
        return means, int(behind[~complete].sum())

    def of_kinds(self, kinds: Iterable[str] | str) -> Judgements:
        """Judgements of these kinds; names may hold ``*`` and ``?``."""
        return self.only(self.kind.holds(fitting("kind of judgement", self.kinds, kinds)))

    def of_systems(self, systems: Iterable[str] | str) -> Judgements:
        """Judgements of these systems; names may hold ``*`` and ``?``."""
        return self.only(self.system.holds(fitting("judged system", self.system.names, systems)))

    def of_segments(self, segments: NDArray[np.int64]) -> Judgements:
        """Judgements of these segments, numbered anew in their order; of documents and systems all are kept."""
        numbers = np.full(max(int(self.segment.max(initial=-1)), int(segments.max(initial=-1))) + 2, -2, dtype=np.int64)
        numbers[segments] = np.arange(len(segments))
        numbers[-1] = -1
        renumbered = numbers[self.segment]
        return replace(self, segment=renumbered).only(renumbered > -2)

    def joined(self, other: Judgements) -> Judgements:
        """The judgements of both; rankings that both number alike stay apart."""
        taken = set(self.ranking.names)
        rest = [replace(one, ranking=f"{other.origin} {one.ranking}") if one.ranking in taken else one for one in other]
        return Judgements.of([*self, *rest], f"{self.origin} and {other.origin}")

    def alike(self) -> list[str]:
        """What is to be said of names that look the same and are not; they count as different ones."""
        return [
            message
            for what in ("system", "rater", "document", "kind", "reference")
            if (message := alike(what, getattr(self, what).names))
        ]

    def check_segments(self, count: int) -> None:
        """Refuse segments that a campaign of ``count`` segments does not have."""
        outside = np.flatnonzero(self.segment >= count)
        if len(outside):
            first = int(outside[0])
            raise InputError(
                f"segment {int(self.segment[first])}, but the campaign has {count} segments, numbered from 0 to "
                f"{count - 1} ({counted(len(outside), 'such judgement')}).",
                "Numbers begin with 0.",
                self.place(first),
            )


def _check_rows(rows: list[Judgement], origin: str) -> None:
    """Refuse what cannot stand in a judgement, and segments before the first, which would be none at all."""
    if {*map(type, rows)} - {Judgement}:
        raise ParameterError(f"judgements has {shown(rows[0])}, but it takes a list of assay.Judgement.")
    for name, hint in declared_fields(Judgement).items():
        # What fits is a matter of the type, so one of each type is looked at.
        column = [getattr(row, name) for row in rows]
        for kind in {*map(type, column)}:
            first = next(number for number, value in enumerate(column) if type(value) is kind)
            if not fits(column[first], hint):
                what = f"the {name} is {shown(column[first])}, but it takes {describe_type(hint)}."
                raise InputError(what, place=Place(origin, part=f"judgement {first + 1}"))
    below = next((number for number, row in enumerate(rows) if row.segment is not None and row.segment < 0), None)
    if below is not None:
        what = f"the segment is {rows[below].segment}, but it takes a whole number from 0 on, or none."
        raise InputError(what, place=Place(origin, part=f"judgement {below + 1}"))


def difference(first: str, second: str) -> str | None:
    """In what alone two names differ, if it is something that people do not see or do not mean.

    >>> difference("anna ", "anna"), difference("Anna", "anna"), difference("anna", "anne")
    ('in blanks at the ends', 'in capitals', None)
    """
    if first == second or _folded(first) != _folded(second):
        return None
    if first.strip() == second.strip():
        return "in blanks at the ends"
    if unicodedata.normalize("NFC", first) == unicodedata.normalize("NFC", second):
        return "in how accents are encoded (Unicode normal forms)"
    return "in capitals" if first.casefold() == second.casefold() else "in blanks, capitals and how accents are encoded"


def _folded(name: str) -> str:
    """A name without blanks at its ends, capitals and ways to encode accents."""
    return unicodedata.normalize("NFC", name).strip().casefold()


def alike(what: str, names: Iterable[str]) -> str:
    """What is to be said if names differ in nothing that one sees; nothing where none do.

    >>> alike("rater", ["anna", "ben", "anna "])
    "the raters 'anna' and 'anna ' differ only in blanks at the ends, and count as two."
    """
    first: dict[str, str] = {}
    pairs = [(other, name) for name in names if (other := first.setdefault(_folded(name), name)) != name]
    if not pairs:
        return ""
    further = f" ({len(pairs)} such pairs)" if len(pairs) > 1 else ""
    # Escapes show what letters do not.
    both = " and ".join(map(ascii, pairs[0]))
    return f"the {what}s {both} differ only {difference(*pairs[0])}, and count as two{further}."


def fitting(what: str, known: Collection[str], given: Iterable[str] | str) -> list[str]:
    """The names that are given, or that fit a pattern with ``*`` and ``?``, without those that ``!NAME`` leaves out.

    There has to be one for each. Where nothing but names to leave out is given, all others are meant.

    >>> fitting("system", ["a1", "a2", "b"], "a*,!a2"), fitting("system", ["a1", "a2", "b"], ["!b"])
    (['a1'], ['a1', 'a2'])
    """
    if not fits(given, str | Iterable[str]):
        raise ParameterError(f"{shown(given)} is no {what}, and no list of names of any.")
    kept, left_out = dict[str, None](), dict[str, None]()
    texts = [given] if isinstance(given, str) else given
    for name in (part for text in texts for part in ([text] if text in known else text.split(","))):
        pattern = name if name in known else name.strip()
        is_left_out = pattern not in known and pattern.startswith("!")
        pattern = pattern[1:] if is_left_out else pattern
        meant = [pattern] if pattern in known else [one for one in known if fnmatchcase(one, pattern)]
        if not meant:
            raise UnknownName.of(what, pattern, known)
        (left_out if is_left_out else kept).update(dict.fromkeys(meant))
    return [name for name in (kept or known if left_out else kept) if name not in left_out]


def with_rankings(judgements: Judgements) -> Judgements:
    """Give ids to rankings that stand one after the other without any.

    A new ranking begins where the segment, the rater or the kind changes, or where a system comes again. Judgements
    that have an id keep it.
    """
    names: list[str | None] = []
    current: tuple[int, ...] | None = None
    seen: set[int] = set()
    taken = set(judgements.ranking.names)
    number, name = 0, ""
    columns = (judgements.segment, judgements.rater.codes, judgements.kind.codes, judgements.system.codes)
    for known, segment, rater, kind, system in zip(
        judgements.ranking, *(column.tolist() for column in columns), strict=True
    ):
        if known is not None:
            names.append(known)
            current = None
            continue
        if (segment, rater, kind) != current or system in seen:
            current, seen = (segment, rater, kind), set()
            number += 1
            while (name := str(number)) in taken:
                number += 1
        seen.add(system)
        names.append(name)
    return replace(judgements, ranking=Factor.of(names))
