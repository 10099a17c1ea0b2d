"""Translations against sets of references: who stands against whom, which sets there are, and all scores."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.data.texts import Texts
from assay.errors import InputError, UnknownName, counted
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.questions.studies.base import warn
from assay.results.result import Column
from assay.scoring.evaluate import Shard, thread_count
from assay.scoring.subsets import Subset, SubsetCounter, names_of, subsets_of

#: How texts are compared: segment by segment, as one long segment, or both ways.
Text = Literal["segments", "whole", "both"]
#: How a translation's scores over sets of references are shown.
SPREAD_COLUMNS = (
    Column("metric"), Column("compared"), Column("k", "k", "d"), Column("n", "n", ","), Column("mean", "mean", ".2f"),
    Column("sd", "SD", ".2f"), Column("low", "range", ".2f", high="high"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Translations:
    """Translations of one text by name, and the references that they stand against.

    One that is itself a reference is never compared with itself: ``reference_of`` says which one it is.
    """

    campaign: str
    texts: Mapping[str, Texts] = field(repr=False)
    references: Mapping[str, Texts] = field(repr=False)
    reference_of: Mapping[str, str] = field(repr=False)
    #: Those of another text; they may be by the hand of a reference.
    foreign: frozenset[str] = frozenset()

    def kind(self, name: str) -> str:
        """Whose it is: human if it is one of the references."""
        return "foreign" if name in self.foreign else "human" if name in self.reference_of else "system"

    def free(self, name: str, subset: Subset) -> bool:
        """Whether it may stand against a set: it is no part of it."""
        return name not in self.reference_of or list(self.references).index(self.reference_of[name]) not in subset

    def largest(self, name: str) -> int:
        """How many references there are for it."""
        return len(self.references) - (name in self.reference_of)

    def unsegmented(self) -> Translations:
        """The same texts, each as one long segment."""
        both = (*self.texts.values(), *self.references.values())
        whole = {id(column): Texts.of([" ".join(column)]) for column in both}
        texts, references = (
            {name: whole[id(column)] for name, column in columns.items()} for columns in (self.texts, self.references)
        )
        return replace(self, texts=texts, references=references)

    def sizes(self, wanted: Sequence[int], study: str) -> list[int]:
        """The sizes of sets: those wanted or, without a wish, all that some translation can have."""
        largest, count = max(map(self.largest, self.texts)), len(self.references)
        if largest < 1:
            raise InputError(
                f"{self.campaign} has {count} reference and no system, and {study} compares a translation with others. "
                "Give a second reference or a system."
            )
        for size in wanted:
            if size > largest:
                raise InputError(
                    f"k is {size}, but {self.campaign} has {counted(count, 'reference')} in use, of which a "
                    f"translation can stand against at most {largest}. Choose a smaller --k, or more references with "
                    "--refs."
                )
        return sorted(set(wanted)) or list(range(1, largest + 1))


def translations_of(asked: Asked, study: str, *, fewest: int = 1) -> Translations:
    """All systems, and each reference beside the others; the choice of systems is one among them all."""
    chosen = asked.campaign.choose(references=asked.data.references or None)
    references = usable_references(chosen, study, fewest=fewest)
    # A system may be called like a reference whose text it does not have.
    labels = {name if name not in chosen.systems else f"ref.{name}": name for name in references}
    everyone = {**chosen.systems, **{label: references[name] for label, name in labels.items()}}
    wanted = {} if asked.data.systems else dict(everyone)
    for pattern in (given.strip() for given in asked.data.systems):
        names = [name for name in everyone if name == pattern or fnmatchcase(name, pattern)]
        if not names:
            raise UnknownName.of("translation", pattern, everyone)
        wanted |= {name: everyone[name] for name in names}
    reference_of = {label: name for label, name in labels.items() if label in wanted}
    return Translations(chosen.name, wanted, references, reference_of)


def usable_references(campaign: Campaign, study: str, *, fewest: int = 1) -> dict[str, Texts]:
    """References that all segments have; post-edits were made from one system's words, and are none."""
    usable = {name: texts for name, texts in campaign.references.items() if name not in campaign.targeted}
    for name in usable:
        _require_whole(campaign, name, f"and {study} needs references for all segments")
    if not usable:
        raise InputError(f"{campaign.name} has no reference that {study} could use.")
    empty = {name: texts.lengths() == 0 for name, texts in usable.items()}
    everywhere = np.logical_and.reduce(list(empty.values()))
    for name, lines in empty.items():
        # As a candidate or alone it would be no translation.
        count = int((lines & ~everywhere).sum())
        if count:
            warn(
                f"Reference {name!r} is empty in {count:,} segments where others have words, and scores there say "
                f"nothing. Leave them out: --where 'ref.{name}!='."
            )
    if len(usable) < fewest:
        raise InputError(
            f"{study} compares sets of references, and {campaign.name} has {len(usable)} in use. It needs at least two."
        )
    return usable


def _require_whole(campaign: Campaign, name: str, why: str) -> None:
    """Refuse a reference that some segment lacks."""
    present = campaign.present.get(name)
    if present is not None and not present.all():
        missing = campaign.segment_names()[int((~present).argmax())]
        raise InputError(
            f"{campaign.name}: reference {name!r} has no segment {missing}, {why}. Choose others with --refs."
        )


def candidates(asked: Asked) -> dict[str, Corpus]:
    """A corpus per system or, where there are references alone, per reference beside the others."""
    if asked.campaign.systems:
        return asked.chosen.corpora()
    chosen = asked.campaign.choose(references=asked.data.references or None)
    # A post-edit was made from one system's words, and is no translation of its own.
    people = {name: texts for name, texts in chosen.references.items() if name not in chosen.targeted}
    if len(people) < 2:
        raise InputError(
            f"{chosen.name} has no system, and {len(people)} of its references in use. "
            "Without systems each reference is compared with the others, so at least two are needed."
        )
    chosen = replace(chosen, references=people, systems=people, targeted=frozenset(), leaves_references_out=False)
    everyone = chosen.choose(systems=asked.data.systems or None)
    corpora = {}
    for name in everyone.systems:
        _require_whole(everyone, name, "so it cannot be a candidate")
        others = {other: texts for other, texts in everyone.references.items() if other != name}
        corpora[name] = replace(everyone, references=others).corpus(name)
    return corpora


@dataclass(frozen=True, eq=False)
class SetScores:
    """The scores of one metric against all sets of one size: sets by translations, NaN where one is part of the set."""

    metric: Metric
    #: Whether segments were compared, or whole texts.
    compared: str
    size: int
    #: The references of each set, as tables name them.
    sets: Sequence[str] = field(repr=False)
    names: tuple[str, ...]
    scores: NDArray[np.float64] = field(repr=False)

    @property
    def cells(self) -> dict[str, Any]:
        """What tables call it."""
        return {"metric": str(self.metric), "k": self.size, "compared": self.compared}

    @property
    def merits(self) -> NDArray[np.float64]:
        """The scores, turned so that more is better."""
        return self.scores if self.metric.higher_is_better else -self.scores

    def of(self, name: str) -> tuple[NDArray[np.float64], list[str]]:
        """A translation's scores, and the references of each."""
        column = self.scores[:, self.names.index(name)]
        there = np.flatnonzero(~np.isnan(column))
        return column[there], [self.sets[index] for index in there.tolist()]

    def spread(self) -> Iterator[dict[str, Any]]:
        """Mean, deviation and range of each translation over the sets that it is no part of: the best mean first."""
        with warnings.catch_warnings():
            # A translation that is part of every set has no mean.
            warnings.simplefilter("ignore", RuntimeWarning)
            means = np.nanmean(self.merits, axis=0)
        for name in (self.names[index] for index in np.argsort(-means, kind="stable")):
            scores, references = self.of(name)
            if len(scores):
                low, high = scores.argmin(), scores.argmax()
                # The deviation is that of a sample; a single set does not deviate.
                sd = float(scores.std(ddof=1)) if len(scores) > 1 else 0.0
                yield (
                    {"system": name, "metric": str(self.metric), "k": self.size, "n": len(scores)}
                    | {"mean": float(scores.mean()), "sd": sd, "low": float(scores[low]), "high": float(scores[high])}
                    | {"low_references": references[low], "high_references": references[high]}
                    | {"compared": self.compared}
                )

    def separability(self, upper: NDArray[np.bool_], lower: NDArray[np.bool_]) -> dict[str, Any] | None:
        """How often some translations are above others: over sets, and over pairs within them; None without any."""
        clear, wins, pairs, sets = 0, 0.0, 0, 0
        for merits in self.merits:
            there = ~np.isnan(merits)
            difference = merits[upper & there][:, None] - merits[lower & there][None, :]
            if difference.size:
                clear += bool((difference > 0).all())
                wins += float((difference > 0).sum() + 0.5 * (difference == 0).sum())
                pairs, sets = pairs + difference.size, sets + 1
        return {"n": sets, "separated": 100.0 * clear / sets, "auc": 100.0 * wins / pairs} if sets else None


def label(row: Mapping[str, Any]) -> str:
    """A metric as sentences and pictures call it: with a word if texts were compared as a whole."""
    return f"{row['metric']}, unsegmented" if row["compared"] == "whole" else str(row["metric"])


def score_sets(
    translations: Translations, metrics: Sequence[Metric], sizes: Sequence[int], asked: Asked, *, text: Text, most: int
) -> Iterator[SetScores]:
    """Every translation against every set of references that it is no part of: metrics outside, sizes inside.

    What is drawn instead of tried is said, and who cannot stand against so many.
    """
    names = list(translations.references)
    for size in sizes:
        sets = comb(len(names), size)
        if sets > most:
            warn(f"k = {size}: of {sets:,} sets of references {most:,} are drawn (--most).")
        without = ", ".join(name for name in translations.texts if translations.largest(name) < size)
        if without:
            warn(f"k = {size}: fewer other references than that for {without}, of which nothing is said.")
    subsets = {size: subsets_of(len(names), size, most=most, seed=asked.seed) for size in sizes}
    ways = ("segments", "whole") if text == "both" else (text,)
    total, done = len(ways) * len(metrics) * sum(map(len, subsets.values())), 0
    for compared in ways:
        way = translations if compared == "segments" else translations.unsegmented()
        shard = Shard(0, len(next(iter(way.references.values()))), thread_count(asked.threads))
        for metric in metrics:
            counter = SubsetCounter(metric, way.texts, way.references, shard=shard, known=asked.counted)
            for size, several in subsets.items():
                scores = np.full((len(several), len(way.texts)), np.nan)
                for row, subset in enumerate(several):
                    for column, name in enumerate(way.texts):
                        if way.free(name, subset):
                            scores[row, column] = counter.score(name, subset)
                    done += 1
                    if done % 16 == 0:
                        asked.report(done / total)
                named = [names_of(subset, names) for subset in several]
                yield SetScores(metric, compared, size, named, tuple(way.texts), scores)
