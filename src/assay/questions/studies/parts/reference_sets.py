"""Candidates against sets of references: who stands against whom, which sets there are, and all scores."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.texts import Column, Texts
from assay.data.wording import counted
from assay.errors import AssayWarning, InputError, UnknownName
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.scoring.evaluate import Progress, Shard, thread_count
from assay.scoring.subsets import Subset, SubsetCounter, names_of, subsets_of

#: How texts are compared: segment by segment, as one long segment, or both ways.
Text = Literal["segments", "whole", "both"]
#: What stands behind the name of a metric where texts were compared as a whole.
UNSEGMENTED = ", unsegmented"


@dataclass(frozen=True, eq=False)
class Cast:
    """Translations of one text by name, and the references that they stand against.

    A candidate that is itself a reference is never compared with itself: ``own`` says which one it is.
    """

    campaign: str
    candidates: Mapping[str, Column] = field(repr=False)
    references: Mapping[str, Column] = field(repr=False)
    own: Mapping[str, str] = field(repr=False)
    #: Candidates that translate another text; they may be by the hand of a reference.
    foreign: frozenset[str] = frozenset()

    @property
    def reference_names(self) -> list[str]:
        """The references, as sets number them."""
        return list(self.references)

    def is_human(self, candidate: str) -> bool:
        """Whether a candidate is one of the references."""
        return candidate in self.own and candidate not in self.foreign

    def free(self, candidate: str, subset: Subset) -> bool:
        """Whether a candidate may stand against a set: it is no part of it."""
        return candidate not in self.own or self.reference_names.index(self.own[candidate]) not in subset

    def largest(self, candidate: str) -> int:
        """How many references there are for a candidate."""
        return len(self.references) - (candidate in self.own)

    def unsegmented(self) -> Cast:
        """The same texts, each as one long segment."""
        whole = {id(column): as_whole(column) for column in (*self.candidates.values(), *self.references.values())}
        return replace(
            self,
            candidates={name: whole[id(column)] for name, column in self.candidates.items()},
            references={name: whole[id(column)] for name, column in self.references.items()},
        )


def as_whole(column: Column) -> Texts:
    """All segments as one."""
    return Texts.of([" ".join(column)])


def cast_of(asked: Asked, study: str) -> Cast:
    """All systems, and each reference beside the others; the choice of systems is one among them all."""
    chosen = asked.campaign.choose(references=asked.data.references or None)
    own_words = usable_references(chosen, study)
    # A system may be called like a reference whose text it does not have.
    labels = {name if name not in chosen.systems else f"ref.{name}": name for name in own_words}
    everyone = {**chosen.systems, **{label: own_words[name] for label, name in labels.items()}}
    wanted = everyone if not asked.data.systems else _chosen(everyone, asked.data.systems)
    own = {label: name for label, name in labels.items() if label in wanted}
    return Cast(chosen.name, wanted, own_words, own)


def usable_references(campaign: Campaign, study: str) -> dict[str, Column]:
    """References that all segments have; post-edits were made from one system's words, and are none."""
    found = {name: texts for name, texts in campaign.references.items() if name not in campaign.post_edits}
    for name in found:
        present = campaign.present.get(name)
        if present is not None and not present.all():
            missing = campaign.segment_names()[int((~present).argmax())]
            raise InputError(
                f"{campaign.name}: reference {name!r} has no segment {missing}, and {study} needs references for all "
                "segments. Choose others with --refs."
            )
    if not found:
        raise InputError(f"{campaign.name} has no reference that {study} could use.")
    _warn_of_empty_lines(found)
    return found


def require_several(references: Mapping[str, Column], campaign: str, study: str) -> None:
    """Refuse a campaign in which there are no sets of references to compare."""
    if len(references) < 2:
        raise InputError(
            f"{study} compares sets of references, and {campaign} has {len(references)} in use. It needs at least two."
        )


def _warn_of_empty_lines(references: Mapping[str, Column]) -> None:
    """Say where a reference has no words and another one does: as a candidate or alone it would be no translation."""
    empty = {name: texts.lengths() == 0 for name, texts in references.items()}
    everywhere = np.logical_and.reduce(list(empty.values()))
    for name, lines in empty.items():
        count = int((lines & ~everywhere).sum())
        if count:
            warnings.warn(
                f"Reference {name!r} is empty in {count:,} segments where others have words, and scores there say "
                f"nothing. Leave them out: --where 'ref.{name}!='.",
                AssayWarning,
                stacklevel=3,
            )


def _chosen(everyone: Mapping[str, Column], wanted: tuple[str, ...]) -> dict[str, Column]:
    patterns = list(wanted)
    found: dict[str, Column] = {}
    for pattern in (given.strip() for given in patterns):
        names = [name for name in everyone if name == pattern or fnmatchcase(name, pattern)]
        if not names:
            raise UnknownName.of("translation", pattern, everyone)
        found |= {name: everyone[name] for name in names}
    return found


@dataclass(frozen=True, eq=False)
class Scored:
    """The scores of one metric against all sets of one size: sets by candidates, NaN where one is part of the set."""

    metric: Metric
    #: What tables call the metric: with a word if texts were not segmented.
    label: str
    size: int
    subsets: Sequence[Subset] = field(repr=False)
    candidates: tuple[str, ...]
    scores: NDArray[np.float64] = field(repr=False)
    reference_names: Sequence[str] = field(repr=False)

    @property
    def merits(self) -> NDArray[np.float64]:
        """The scores, turned so that more is better."""
        return self.scores if self.metric.higher_is_better else -self.scores

    def of(self, candidate: str) -> tuple[NDArray[np.float64], list[str]]:
        """A candidate's scores, and the references of each."""
        column = self.scores[:, self.candidates.index(candidate)]
        there = np.flatnonzero(~np.isnan(column))
        return column[there], [names_of(self.subsets[index], self.reference_names) for index in there.tolist()]


def sizes_of(cast: Cast, wanted: Sequence[int], study: str) -> list[int]:
    """The sizes of sets: those wanted or, without a wish, all that some candidate can have."""
    largest = max(map(cast.largest, cast.candidates))
    if largest < 1:
        raise InputError(
            f"{cast.campaign} has {len(cast.references)} reference and no system, and {study} compares a translation "
            "with others. Give a second reference or a system."
        )
    for size in wanted:
        if size > largest:
            raise InputError(
                f"k is {size}, but {cast.campaign} has {counted(len(cast.references), 'reference')} in use, of which "
                f"a translation can stand against at most {largest}. Choose a smaller --k, or more references with "
                "--refs."
            )
    return sorted(set(wanted)) or list(range(1, largest + 1))


def score_sets(
    cast: Cast,
    metrics: Sequence[Metric],
    sizes: Sequence[int],
    *,
    text: Text = "segments",
    most: int,
    seed: int,
    threads: int | None,
    progress: Progress | None = None,
) -> Iterator[Scored]:
    """Every candidate against every set of references that it is no part of: metrics outside, sizes inside."""
    ways = {"segments": (cast,), "whole": (cast.unsegmented(),), "both": (cast, cast.unsegmented())}[text]
    subsets = {size: subsets_of(len(cast.references), size, most=most, seed=seed) for size in sizes}
    total = len(ways) * len(metrics) * sum(map(len, subsets.values()))
    done = 0
    for way in ways:
        shard = Shard(0, len(next(iter(way.references.values()))), thread_count(threads))
        label = "" if way is cast else UNSEGMENTED
        for metric in metrics:
            counter = SubsetCounter(metric, way.candidates, way.references, shard=shard)
            for size in sizes:
                scores = np.full((len(subsets[size]), len(cast.candidates)), np.nan)
                for row, subset in enumerate(subsets[size]):
                    for column, candidate in enumerate(cast.candidates):
                        if way.free(candidate, subset):
                            scores[row, column] = counter.score(candidate, subset)
                    done += 1
                    if progress is not None and done % 16 == 0:
                        progress(done / total)
                yield Scored(
                    metric, str(metric) + label, size, subsets[size], tuple(cast.candidates), scores,
                    cast.reference_names,
                )  # fmt: skip
