"""One system's translations beside their references: what a metric looks at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.arguments import fits
from assay.arrays import Array
from assay.data.texts import Texts
from assay.errors import InputError, shown
from assay.properties import cached_property


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
    whose lengths may differ. As many references as segments that are nearer to the translations the other way round
    are refused, unless ``reference_names`` says that they are meant. ``targeted`` are further references, full lists
    that were made by correcting these very translations: human post-edits. ``documents`` and ``domains`` name the
    group of each segment.
    """

    translations: Texts
    references: tuple[Texts, ...]
    reference_names: tuple[str, ...]
    present: NDArray[np.bool_] = field(repr=False)
    #: The names of those references that are targeted: post-edits of the translations.
    targeted: frozenset[str] = frozenset()
    source: Texts | None = None
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    domains: tuple[str, ...] | None = field(default=None, repr=False)
    #: What these segments were chosen from, on all of which metrics are fitted, and their places in it.
    whole: Corpus | None = field(default=None, repr=False)
    places: NDArray[np.int64] | None = field(default=None, repr=False)
    #: What other programs say of each translation, by the name of their scores; NaN where they say nothing.
    scores: Mapping[str, Array] = field(default_factory=dict, repr=False)

    def __init__(
        self,
        *,
        translations: Iterable[str],
        references: Sequence[Iterable[str]] | None = None,
        references_by_segment: Sequence[Sequence[str]] | None = None,
        targeted: Sequence[Iterable[str]] | None = None,
        source: Iterable[str] | None = None,
        documents: Iterable[str] | None = None,
        domains: Iterable[str] | None = None,
        reference_names: Sequence[str] | None = None,
    ) -> None:
        column = Texts.of(translations, "translations")
        if len(column) == 0:
            raise InputError("translations has no segments, so there is nothing to score.")
        columns, present = _untargeted(references, references_by_segment, targeted is not None, len(column))
        if references is not None and reference_names is None:
            _require_orientation(column, columns)
        names = _names(reference_names, len(columns))
        post_edits = () if targeted is None else _reference_columns(targeted, len(column), "targeted")
        targeted_names = ("pe",) if len(post_edits) == 1 else tuple(f"pe.{n + 1}" for n in range(len(post_edits)))
        clash = set(names) & set(targeted_names)
        if clash:
            raise InputError(f"The name {min(clash)!r} is that of a targeted reference. Give references other names.")
        vars(self).update(
            translations=column,
            references=columns + post_edits,
            reference_names=names + targeted_names,
            present=np.concatenate([present, np.ones((len(post_edits), len(column)), dtype=np.bool_)]),
            targeted=frozenset(targeted_names),
            source=None if source is None else _same_length(source, "source", len(column)),
            documents=_labels(documents, "documents", len(column)),
            domains=_labels(domains, "domains", len(column)),
            whole=None,
            places=None,
            scores={},
        )

    @classmethod
    def of_columns(
        cls,
        translations: Texts,
        references: Mapping[str, Texts],
        *,
        present: NDArray[np.bool_] | None = None,
        targeted: frozenset[str] = frozenset(),
        source: Texts | None = None,
        documents: tuple[str, ...] | None = None,
        domains: tuple[str, ...] | None = None,
        whole: Corpus | None = None,
        places: NDArray[np.int64] | None = None,
        scores: Mapping[str, Array] | None = None,
    ) -> Corpus:
        """A corpus out of columns that the door has checked already: nothing is copied."""
        corpus = object.__new__(cls)
        everywhere = np.ones((len(references), len(translations)), dtype=np.bool_)
        vars(corpus).update(
            translations=translations,
            references=tuple(references.values()),
            reference_names=tuple(references),
            present=everywhere if present is None else present,
            targeted=targeted,
            source=source,
            documents=documents,
            domains=domains,
            whole=whole,
            places=places,
            scores=scores or {},
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
        references = {self.reference_names[number]: self.references[number].slice(index, index + 1) for number in there}
        return Corpus.of_columns(
            self.translations.slice(index, index + 1),
            references,
            targeted=self.targeted & references.keys(),
            source=None if self.source is None else self.source.slice(index, index + 1),
            scores={name: values[index : index + 1] for name, values in self.scores.items()},
        )

    @cached_property
    def untargeted(self) -> Corpus:
        """What metrics see that are not about post-edits: the other references, or all if there are no others.

        A segment that has none of the others keeps its post-edits.
        """
        flags = np.array(self.targeted_flags(), dtype=np.bool_)
        if flags.all() or not flags.any():
            return self
        needed = ~self.present[~flags].any(axis=0)
        present = self.present & (~flags[:, None] | needed)
        kept = np.flatnonzero(present.any(axis=1))
        chosen = {self.reference_names[index]: self.references[index] for index in kept}
        return Corpus.of_columns(
            self.translations,
            chosen,
            present=present[kept],
            source=self.source,
            documents=self.documents,
            domains=self.domains,
            whole=None if self.whole is None else self.whole.untargeted,
            places=self.places,
            scores=self.scores,
        )

    def targeted_flags(self) -> tuple[bool, ...]:
        """For each reference whether it is targeted."""
        return tuple(name in self.targeted for name in self.reference_names)

    def require_targeted(self, where: str = "", segment_names: Sequence[str] | None = None) -> None:
        """Refuse a corpus in which not every segment has every targeted reference, or that has none of them."""
        place = f"{where}: " if where else ""
        if not self.targeted:
            raise InputError(
                f"{place}no reference is targeted, that is, a human post-edit of these translations. Give one: "
                "ref.pe.txt in a campaign folder (ref.pe.<system>.txt for one system), --targeted NAME or FILE on the "
                "command line, Corpus(targeted=[lines]) in Python."
            )
        for name, there in zip(self.reference_names, self.present, strict=True):
            if name in self.targeted and not there.all():
                first = int(there.argmin())
                segment = segment_names[first] if segment_names else first
                raise InputError(
                    f"{place}the targeted reference {name!r} has no text for segment {segment} (line {first + 1}). "
                    "Every segment needs a post-edit; an empty one says that nothing of the translation was kept."
                )


def _untargeted(
    references: Sequence[Iterable[str]] | None,
    by_segment: Sequence[Sequence[str]] | None,
    has_targeted: bool,
    expected: int,
) -> tuple[tuple[Texts, ...], NDArray[np.bool_]]:
    """Columns in whichever way they were given, and where they are present; none at all if post-edits are enough."""
    if references is None and by_segment is None and has_targeted:
        return (), np.ones((0, expected), dtype=np.bool_)
    if (references is None) == (by_segment is None):
        raise InputError(
            "Give references=[first, second, ...], one full list per reference, or "
            "references_by_segment=[[...], ...], one list per segment: exactly one of them."
        )
    if references is None:
        return _transpose(by_segment, expected)
    columns = _reference_columns(references, expected, "references")
    return columns, np.ones((len(columns), expected), dtype=np.bool_)


def _require_orientation(translations: Texts, columns: tuple[Texts, ...]) -> None:
    """Refuse as many references as segments if, turned, they are nearer to every translation.

    Both readings have the same shape, so the texts decide: how many pairs of neighbouring characters a translation has
    in common with what would be its references. Who names the references has said that they are meant.
    """
    if not len(columns) == len(translations) > 1:
        return
    count = len(columns)
    theirs = [[_pairs(text) for text in column] for column in columns]
    given, turned = np.zeros(count), np.zeros(count)
    for segment, ours in enumerate(map(_pairs, translations)):
        given[segment] = sum((ours & column[segment]).total() for column in theirs)
        turned[segment] = sum((ours & text).total() for text in theirs[segment])
    if (turned >= given).all() and turned.sum() > given.sum():
        raise InputError(
            f"references has {count} lists of {count} texts, and each would be one full reference. But they are nearer "
            "to the translations if each list has the references of one segment: references_by_segment=[...]. If they "
            "are right as they are, say so by naming them: reference_names=[...]."
        )


def _pairs(text: str) -> Counter[tuple[str, str]]:
    return Counter(pairwise(text))


def _names(given: Sequence[str] | None, count: int) -> tuple[str, ...]:
    if given is None:
        return tuple(str(number) for number in range(1, count + 1))
    names = tuple(given) if fits(given, Iterable[str]) else ()
    if len(names) != count or len(set(names)) != len(names):
        raise InputError(f"reference_names is {shown(given)}, but {count} different names are needed.")
    return names


def _same_length(texts: Iterable[str], name: str, expected: int) -> Texts:
    column = Texts.of(texts, name)
    if len(column) != expected:
        raise InputError(
            f"{name} has {len(column)} segments, but translations has {expected}. "
            "Every list has one text per segment; an empty string stands for an empty segment."
        )
    return column


def _labels(labels: Iterable[str] | None, name: str, expected: int) -> tuple[str, ...] | None:
    if labels is None:
        return None
    listed = tuple(Texts.of(labels, name))
    if len(listed) != expected:
        raise InputError(f"{name} has {len(listed)} entries, but translations has {expected} segments.")
    return listed


def _reference_columns(references: Sequence[Iterable[str]], expected: int, name: str) -> tuple[Texts, ...]:
    needed = f"one full list per reference is needed. For a single reference write {name}=[lines]."
    references = _lists(references, name, needed)
    if len(references) == 0:
        raise InputError(f"{name} is empty: at least one reference is needed.")
    if len(references) == expected and all(_size(item) != expected for item in references):
        by_segment = "references_by_segment=..., or give" if name == "references" else "the transpose:"
        raise InputError(
            f"{name} holds {expected} lists, one per segment. Pass them as "
            f"{by_segment} one full list per reference in {name}=[first, second, ...]."
        )
    return tuple(_same_length(item, f"{name}[{index}]", expected) for index, item in enumerate(references))


def _transpose(
    by_segment: Sequence[Sequence[str]] | None, expected: int
) -> tuple[tuple[Texts, ...], NDArray[np.bool_]]:
    """One column per reference number, with empty texts where a segment has fewer."""
    name = "references_by_segment"
    by_segment = _lists(by_segment, name, f"a list of references per segment is needed: {name}=[[first, second], ...].")
    if len(by_segment) != expected:
        raise InputError(
            f"{name} has {len(by_segment)} lists, but translations has {expected} segments. "
            "If each list is one whole reference, pass references=... instead."
        )
    for index, items in enumerate(by_segment):
        if isinstance(items, (str, bytes, set, frozenset, dict)) or _size(items) is None:
            raise InputError(f"{name}[{index}] is {items!r}, but a list of strings is needed.")
        if len(items) == 0:
            raise InputError(f"{name}[{index}] is empty: every segment needs a reference.")
    columns = tuple(
        Texts.of(texts, f"{name}[...][{number}]") for number, texts in enumerate(zip_longest(*by_segment, fillvalue=""))
    )
    sizes = np.array([len(items) for items in by_segment])
    return columns, np.arange(len(columns))[:, None] < sizes[None, :]


def _lists(value: Any, name: str, needed: str) -> list[Any]:
    """Generators and arrays of lists as a list of them; anything else is an error that says what is ``needed``."""
    if isinstance(value, Mapping):
        raise InputError(f"{name} is a dictionary. Give a list, and the names as reference_names=[...].")
    try:
        listed = list(value)
    except TypeError:
        raise InputError(f"{name} is {value!r}, but a list of lists of strings is needed.") from None
    if isinstance(value, (str, bytes, Texts)) or (listed and all(isinstance(item, str) for item in listed)):
        raise InputError(f"{name} is one list of strings, but {needed}")
    return listed


def _size(value: object) -> int | None:
    try:
        return len(value)  # type: ignore[arg-type]
    except TypeError:
        return None
