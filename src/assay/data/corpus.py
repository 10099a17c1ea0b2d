"""One system's translations beside their references: what a metric looks at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.data.texts import Column, FileTexts, Texts, as_column
from assay.errors import InputError


@dataclass(frozen=True)
class Segment:
    """One translation with its references, as strings."""

    translation: str
    references: tuple[str, ...]
    source: str | None = None


@dataclass(frozen=True, eq=False, init=False)
class Corpus:
    """Translations, each with one or more references.

    Give either ``references``, one full list per reference, or ``references_by_segment``, one list per segment,
    whose lengths may differ. ``documents`` and ``domains`` name the group of each segment.
    """

    translations: Column
    references: tuple[Column, ...]
    reference_names: tuple[str, ...]
    present: NDArray[np.bool_] = field(repr=False)
    source: Column | None = None
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    domains: tuple[str, ...] | None = field(default=None, repr=False)

    def __init__(
        self,
        *,
        translations: Iterable[str],
        references: Sequence[Iterable[str]] | None = None,
        references_by_segment: Sequence[Sequence[str]] | None = None,
        source: Iterable[str] | None = None,
        documents: Iterable[str] | None = None,
        domains: Iterable[str] | None = None,
        reference_names: Sequence[str] | None = None,
    ) -> None:
        column = as_column(translations, "translations")
        if len(column) == 0:
            raise InputError("translations has no segments, so there is nothing to score.")
        if (references is None) == (references_by_segment is None):
            raise InputError(
                "Give references=[first, second, ...], one full list per reference, or "
                "references_by_segment=[[...], ...], one list per segment: exactly one of them."
            )
        if references is not None:
            columns = _reference_columns(references, len(column))
            present = np.ones((len(columns), len(column)), dtype=np.bool_)
        else:
            columns, present = _transpose(references_by_segment, len(column))
        if reference_names is None:
            reference_names = [str(number) for number in range(1, len(columns) + 1)]
        names = tuple(reference_names)
        if isinstance(reference_names, str) or len(names) != len(columns) or len(set(names)) != len(names):
            raise InputError(f"reference_names is {reference_names!r}, but {len(columns)} different names are needed.")
        self._set(
            translations=column,
            references=columns,
            reference_names=names,
            present=present,
            source=None if source is None else _same_length(as_column(source, "source"), "source", len(column)),
            documents=_labels(documents, "documents", len(column)),
            domains=_labels(domains, "domains", len(column)),
        )

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def of_columns(
        cls,
        translations: Column,
        references: Mapping[str, Column],
        *,
        present: NDArray[np.bool_] | None = None,
        source: Column | None = None,
        documents: tuple[str, ...] | None = None,
        domains: tuple[str, ...] | None = None,
    ) -> Corpus:
        """A corpus out of columns that the door has checked already: nothing is copied."""
        corpus = object.__new__(cls)
        everywhere = np.ones((len(references), len(translations)), dtype=np.bool_)
        corpus._set(
            translations=translations,
            references=tuple(references.values()),
            reference_names=tuple(references),
            present=everywhere if present is None else present,
            source=source,
            documents=documents,
            domains=domains,
        )
        return corpus

    def __len__(self) -> int:
        return len(self.translations)

    def __getitem__(self, index: int) -> Segment:
        references = tuple(
            column[index] for column, there in zip(self.references, self.present, strict=True) if there[index]
        )
        source = None if self.source is None else self.source[index]
        return Segment(self.translations[index], references, source)

    def only(self, index: int) -> Corpus:
        """One segment as a corpus of its own, with the references that it has."""
        there = [number for number, flags in enumerate(self.present) if flags[index]]
        return Corpus.of_columns(
            self.translations.slice(index, index + 1),
            {self.reference_names[number]: self.references[number].slice(index, index + 1) for number in there},
            source=None if self.source is None else self.source.slice(index, index + 1),
        )


def _same_length(column: Column, name: str, expected: int) -> Column:
    if len(column) != expected:
        raise InputError(
            f"{name} has {len(column)} segments, but translations has {expected}. "
            "Every list has one text per segment; an empty string stands for an empty segment."
        )
    return column


def _labels(labels: Iterable[str] | None, name: str, expected: int) -> tuple[str, ...] | None:
    if labels is None:
        return None
    listed = tuple(as_column(labels, name))
    if len(listed) != expected:
        raise InputError(f"{name} has {len(listed)} entries, but translations has {expected} segments.")
    return listed


def _reference_columns(references: Sequence[Iterable[str]], expected: int) -> tuple[Column, ...]:
    references = _listed(references, "references")
    if isinstance(references, (str, bytes, Texts, FileTexts)) or _holds_strings(references):
        raise InputError(
            "references is one list of strings, but one full list per reference is needed. "
            "For a single reference write references=[lines]."
        )
    if len(references) == 0:
        raise InputError("references is empty: at least one reference is needed.")
    if len(references) == expected and all(_size(item) != expected for item in references):
        raise InputError(
            f"references holds {expected} lists, one per segment. Pass them as "
            "references_by_segment=..., or give one full list per reference in references=[first, second, ...]."
        )
    columns = []
    for index, item in enumerate(references):
        name = f"references[{index}]"
        columns.append(_same_length(as_column(item, name), name, expected))
    return tuple(columns)


def _transpose(
    by_segment: Sequence[Sequence[str]] | None, expected: int
) -> tuple[tuple[Column, ...], NDArray[np.bool_]]:
    """One column per reference number, with empty texts where a segment has fewer."""
    by_segment = _listed(by_segment, "references_by_segment")
    if isinstance(by_segment, (str, bytes)) or _holds_strings(by_segment):
        raise InputError(
            "references_by_segment is one list of strings, but a list of references per segment is needed: "
            "references_by_segment=[[first, second], ...]."
        )
    if len(by_segment) != expected:
        raise InputError(
            f"references_by_segment has {len(by_segment)} lists, but translations has {expected} segments. "
            "If each list is one whole reference, pass references=... instead."
        )
    for index, items in enumerate(by_segment):
        if isinstance(items, (str, bytes, set, frozenset, dict)) or _size(items) is None:
            raise InputError(f"references_by_segment[{index}] is {items!r}, but a list of strings is needed.")
        if len(items) == 0:
            raise InputError(f"references_by_segment[{index}] is empty: every segment needs a reference.")
    count = max(len(items) for items in by_segment)
    columns = tuple(
        Texts.of(
            [items[number] if number < len(items) else "" for items in by_segment],
            f"references_by_segment[...][{number}]",
        )
        for number in range(count)
    )
    sizes = np.array([len(items) for items in by_segment])
    return columns, np.arange(count)[:, None] < sizes[None, :]


def _listed(value: Any, name: str) -> Any:
    """Generators and arrays as lists; what cannot be listed is an error."""
    if isinstance(value, (str, bytes, Texts, FileTexts)):
        return value
    if isinstance(value, Mapping):
        raise InputError(f"{name} is a dictionary. Give a list, and the names as reference_names=[...].")
    try:
        return list(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, but a list of lists of strings is needed.") from None


def _holds_strings(value: Sequence[object]) -> bool:
    return len(value) > 0 and all(isinstance(item, str) for item in value)


def _size(value: object) -> int | None:
    try:
        return len(value)  # type: ignore[arg-type]
    except TypeError:
        return None
