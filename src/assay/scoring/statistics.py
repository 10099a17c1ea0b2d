"""What counting leaves: one row per segment, from which every score of one metric and system comes; and signatures.

A signature is one line that says exactly what was computed, on which texts, by which version.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.arguments import checked
from assay.arrays import Flags
from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.errors import AssayError, AssayWarning, InputError, ParameterError
from assay.metrics.base import Metric, Rows, Scores
from assay.metrics.options import spell
from assay.results.rendering import bracketed
from assay.significance.draws import FEWEST_UNITS, Interval, Units, interval, resampled_scores
from assay.version import __version__

if TYPE_CHECKING:
    from assay.results.result import Result

#: Parts of a campaign that have scores of their own, and what one of them is called.
Level = Literal["segments", "documents", "domains"]
KEYS: dict[Level, str] = {"segments": "segment", "documents": "document", "domains": "domain"}

#: What is drawn and swapped as a whole.
Unit = Literal["segment", "document"]
#: What stands for the name of a document where there is none.
NO_DOCUMENT = ("", "-")
_MOST_SAMPLES = 1_000_000

T = TypeVar("T")
R = TypeVar("R")


class Provenance(NamedTuple):
    """What only the run knows: which texts were counted. Digests stand for them."""

    translation: str
    references: tuple[str, ...]
    segments: int
    #: Those of the references that are targeted.
    targeted: tuple[str, ...] = ()
    source: str | None = None
    #: Segments in which counting ended at a bound.
    bounded: tuple[int, ...] = ()

    @classmethod
    def of(cls, corpus: Corpus, bounded: Sequence[int] = (), *, referenced: bool = True) -> Provenance:
        """Where rows that are counted on all of a corpus come from, by a metric that looks at references, or not."""
        references = tuple(column.digest for column in corpus.references) if referenced else ()
        targeted = tuple(compress(references, corpus.targeted_flags()))
        source = None if corpus.source is None else corpus.source.digest
        return cls(corpus.translations.digest, references, len(corpus), targeted, source, tuple(bounded))

    def signature(
        self, metric: Metric, *, seed: int | None = None, samples: int | None = None, systems: bool = False
    ) -> str:
        """The metric with all its fields, then the run; digests are the first digits of a 128-bit hash.

        With ``systems`` it is that of all systems with the same references: no translation is named.
        """
        drawn = {"seed": seed, "samples": samples}
        texts = {
            "translation": [] if systems else [self.translation],
            "reference": self.references,
            "targeted": self.targeted,
            "source": [self.source] if metric.sees_source and self.source is not None else [],
            "fitted": metric.fitted_on or (),
        }
        # Up to ten segments by their numbers, and how many more there are.
        listed = [*map(str, self.bounded[:10]), *([f"{len(self.bounded) - 10}-more"] if self.bounded[10:] else [])]
        named = {name: "+".join(digest[:12] for digest in digests) for name, digests in texts.items() if digests}
        files = {option: digest[:12] for option, digest in metric.resources().items()}
        return "|".join(
            [
                spell(metric.resolved, all_fields=True),
                f"references:{len(self.references)}",
                f"segments:{self.segments}",
                *([f"bounded:{'+'.join(listed)}"] if listed and not systems else []),
                *(f"{name}:{value}" for name, value in drawn.items() if value is not None),
                f"version:{__version__}",
                *(f"{name}:{digests}" for name, digests in (*named.items(), *files.items())),
            ]
        )


class _Fit(Protocol):
    """What a metric was fitted to, for the rows of several systems."""

    def influence(self, counted: Sequence[Statistics], units: Units) -> list[Rows]:
        """What each unit brings to the sum of each system's rows, the fit included; NaN where nobody can say."""


class _Gone:
    """The fit of rows that came without their texts."""

    def influence(self, counted: Sequence[Statistics], units: Units) -> list[Rows]:
        """NaN: nobody can say."""
        return [np.full((len(units), one.rows.shape[1]), np.nan) for one in counted]


@dataclass(frozen=True, eq=False)
class Statistics:
    """The rows of one metric on one system's translations, with what they were counted from.

    ``documents`` and ``domains`` are the groups of the segments, where the corpus has them.
    """

    metric: Metric
    rows: Rows = field(repr=False)
    provenance: Provenance
    documents: tuple[str, ...] | None = field(default=None, repr=False)
    domains: tuple[str, ...] | None = field(default=None, repr=False)
    #: Where the segments stand in the campaign that they were chosen from: they are drawn by that.
    places: NDArray[np.int64] | None = field(default=None, repr=False)
    #: Where the metric was fitted for these rows: to what, the texts that they were counted on, and which of their
    #: segments they are of; None for all.
    fit: _Fit | None = field(default=None, repr=False)
    corpus: Corpus | None = field(default=None, repr=False)
    segments: Flags | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.metric.average == "documents":
            object.__setattr__(self, "rows", self.metric.in_documents(self.rows, self.documents, self._named))

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def _named(self) -> Flags | None:
        """Which segments name their document; None where documents are not known at all."""
        if self.documents is None or (self.documents and {*self.documents} <= {*NO_DOCUMENT}):
            return None
        return np.array([name not in NO_DOCUMENT for name in self.documents], dtype=np.bool_)

    def taking_part(self, segments: Flags) -> Rows:
        """The rows with 0 for all segments but these."""
        rows = np.where(segments[:, None], self.rows, 0.0)
        if self.metric.average != "documents" or self._named is None:
            return rows
        return self.metric.in_documents(rows, self.documents, self._named & segments)

    def of_one_document(self) -> Statistics:
        """The same rows where all are of one document, whose score no average over documents changes."""
        if self.metric.average != "documents":
            return self
        plain = self.metric.plain
        return replace(self, metric=plain, rows=self.rows[:, : len(plain.columns)])

    def require_whole_documents(self, weights: NDArray[Any]) -> None:
        """Refuse weights (any number of rows by segments) that take documents apart, if the metric averages them."""
        if self.metric.average != "documents":
            return
        members = Units.documents(self._labels("documents")).codes
        first = np.zeros(int(members.max(initial=-1)) + 1, dtype=np.intp)
        first[members[::-1]] = np.arange(len(members))[::-1]
        named = self._named
        if (weights != weights[..., first[members]])[..., named if named is not None else slice(None)].sum():
            raise InputError(
                f"{self.metric} is a mean over documents, so that only whole documents can be drawn or picked, and "
                "here segments are. Take --unit document where that is an option, or average=segments."
            )

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: rows without their texts, so that there the fit cannot be made anew."""
        return vars(self) | {"fit": None if self.fit is None else _Gone(), "corpus": None}

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Which segments could not be scored: their rows are NaN."""
        return np.asarray(np.isnan(self.rows).any(axis=1))

    @property
    def missing(self) -> Flags:
        """Which segments have no score, and so no part in any sum."""
        return self.metric.missing(self.rows)

    def only(self, segments: Flags) -> Statistics:
        """The rows of some segments; the metric's fit stays that of all."""
        chosen = segments
        if self.segments is not None:
            chosen = self.segments.copy()
            chosen[chosen] = segments
        documents, domains = (
            None if names is None else tuple(compress(names, segments)) for names in (self.documents, self.domains)
        )
        places = (np.arange(len(self)) if self.places is None else self.places)[segments]
        rows = self.rows[segments]
        return replace(self, rows=rows, documents=documents, domains=domains, places=places, segments=chosen)

    def total(self) -> Rows:
        """The sum of all rows. A NaN row stands for a segment that could not be scored, and is an error here."""
        total: Rows = self.rows.sum(axis=0)
        if np.isnan(total).any():
            failed = self.failed
            first = int(failed.argmax())
            raise InputError(
                f"{self.metric}: {int(failed.sum())} of {len(self)} segments have no score, "
                f"the first is segment {first}. A corpus score over the others alone would not be comparable."
            )
        return total

    def corpus_score(self) -> float:
        """The score of all segments together."""
        return float(self._score(self.total()))

    def segment_scores(self) -> Scores:
        """A score per segment."""
        return self._score(self.rows, self.metric.for_segments())

    def _score(self, rows: Rows, metric: Metric | None = None) -> Scores:
        """Scores, checked: a metric of a user's own may be wrong."""
        scores = np.asarray(attempt(self.metric, "scoring", (metric or self.metric).score, rows), dtype=np.float64)
        if scores.shape != rows.shape[:-1]:
            raise AssayError(f"{self.metric} gave scores of shape {scores.shape} for rows of shape {rows.shape}.")
        return scores

    def weighted_scores(self, weights: NDArray[np.float64]) -> Scores:
        """A score per row of ``weights`` (any number of rows by segments): counts, not proportions."""
        self.require_whole_documents(weights)
        self.total()
        return self._score(weights @ self.rows)

    def group_scores(self, labels: Sequence[str]) -> dict[str, float]:
        """A score per group of segments, groups in order of appearance."""
        if len(labels) != len(self):
            raise InputError(f"{len(labels)} group labels for {len(self)} segments.")
        self.total()
        groups = Units.documents(labels)
        return dict(zip(dict.fromkeys(labels), self._score(groups.sums(self.rows)).tolist(), strict=True))

    def document_scores(self) -> dict[str, float]:
        """A score per document; segments that name none have no part in them."""
        scores = self.group_scores(self._labels("documents"))
        return {name: score for name, score in scores.items() if name not in NO_DOCUMENT}

    def domain_scores(self) -> dict[str, float]:
        """A score per domain."""
        return self.group_scores(self._labels("domains"))

    @checked
    def interval(
        self, *, unit: Unit | None = None, seed: int = 1, samples: int = 1000, confidence: float = 0.95
    ) -> Interval:
        """A percentile bootstrap interval of the corpus score, resampling documents where they are known."""
        if not 1 <= samples <= _MOST_SAMPLES or seed < 0 or not 0 < confidence < 1:
            raise ParameterError(
                f"interval: samples is {samples}, seed {seed} and confidence {confidence}, but it takes 1 to "
                f"{_MOST_SAMPLES:,} samples, a seed from 0 on, and a confidence between 0 and 1."
            )
        whole = None
        if self.corpus is not None:
            whole = self.corpus.whole or (None if self.segments is None else self.corpus)
        units = units_of(self.documents, len(self), unit, self.places, whole)
        return intervals([self], units, seed=seed, samples=samples, confidence=confidence)[0]

    def parts(self) -> dict[str, float]:
        """The components of the corpus score."""
        return {name: float(value) for name, value in self.metric.parts(self.total()).items()}

    def signature(self, *, seed: int | None = None, samples: int | None = None) -> str:
        """One line that says exactly what was computed."""
        return self.provenance.signature(self.metric, seed=seed, samples=samples)

    def result(self, *, seed: int = 1, samples: int = 1000) -> Result:
        """The corpus score with its interval and parts, in every format that answers have."""
        from assay.results.result import Column, Result, View

        low, high = self.interval(seed=seed, samples=samples)
        signature = self.signature(seed=seed, samples=samples)
        row = {"metric": str(self.metric), "score": self.corpus_score(), "low": low, "high": high}
        columns = (Column("score", format=".2f"), Column("low", "95 % interval", ".2f", high="high"))
        return Result(
            "score",
            {"scores": [row], "parts": [{"part": name, "value": value} for name, value in self.parts().items()]},
            (View(f"{len(self)} segments", "scores", columns, keys=(Column("metric"),)),),
            signatures={str(self.metric): signature},
        )

    def __str__(self) -> str:
        low, high = self.interval()
        arrow = "↑" if self.metric.higher_is_better else "↓"
        ends = bracketed(low, high, ".2f")
        return f"{self.metric.label} {arrow} {self.corpus_score():.2f}{ends} over {len(self)} segments"

    def _repr_html_(self) -> str:
        return self.result()._repr_html_()

    def _labels(self, name: Literal["documents", "domains"]) -> tuple[str, ...]:
        labels, file = {"documents": (self.documents, "docs.txt"), "domains": (self.domains, "domains.txt")}[name]
        if labels is None:
            raise InputError(f"The corpus names no {name}. Give {name}=[...], one per segment, or a {file} file.")
        return labels


def units_of(
    documents: Sequence[str] | None,
    segments: int,
    unit: Unit | None,
    places: NDArray[np.int64] | None = None,
    whole: Campaign | Corpus | None = None,
) -> Units:
    """What is drawn as a whole: ``unit`` or, where that is left open, documents if there are several, else segments.

    Segments of a document are alike, so that they say less than as many of any documents. A segment whose document has
    no name is drawn by itself. Segments are known by their ``places`` in the campaign that they were chosen from, the
    ``whole``, if metrics are fitted to that.
    """
    places = np.arange(segments) if places is None else places
    if unit is None:
        known = set(documents or ()).difference(NO_DOCUMENT)
        unit = "document" if 1 < len(known) < segments else "segment"
    if unit == "document" and documents is None:
        raise InputError("unit=document needs the document of each segment: docs.txt of a folder, one per line.")
    unnamed = sum(name in NO_DOCUMENT for name in documents or ()) if unit == "document" else 0
    if unnamed:
        warnings.warn(
            f"{unnamed:,} of {segments:,} segments name no document; each of them is drawn by itself.",
            AssayWarning,
            stacklevel=3,
        )
    units = _units(documents, unit, places)
    return units if whole is None else units.within(_units(whole.documents, unit, np.arange(len(whole))))


def _units(documents: Sequence[str] | None, unit: Unit, places: NDArray[np.int64]) -> Units:
    if unit == "segment":
        return Units.segments(places.astype(np.uint64))
    labels = zip(places.tolist(), documents or (), strict=True)
    return Units.documents([f"\n{place}" if name in NO_DOCUMENT else name for place, name in labels])


def drawn_rows(statistics: Iterable[Statistics], units: Units) -> list[Rows]:
    """What draws of ``units`` add up for each of these scores: a row per unit, whose sum is that of all rows.

    It is the sum of the unit's rows. A metric that was fitted for these rows depends on the units in a second way, by
    its fit: then it is what the unit brings to the sum of all rows, the fit included, with a row for each unit of the
    whole that it was fitted to. Where that would take too long rows are NaN, so that there is no interval; it is said.
    """
    listed = list(statistics)
    for counted in listed:
        counted.require_whole_documents(units.codes)
    tables = [units.sums(counted.rows) for counted in listed]
    fits = {id(counted.fit): counted.fit for counted in listed if counted.fit is not None}
    for key, fit in fits.items() if len(units) >= FEWEST_UNITS else ():
        places = [place for place, counted in enumerate(listed) if id(counted.fit) == key]
        for place, rows in zip(places, fit.influence([listed[place] for place in places], units), strict=True):
            # Leaving out one unit after the other takes off more, or less, than there is: all get the same share of it.
            tables[place] = rows + (tables[place].sum(axis=0) - rows.sum(axis=0)) / len(rows)
    blind = dict.fromkeys(str(one.metric) for one, rows in zip(listed, tables, strict=True) if np.isnan(rows).any())
    if blind:
        each = f"{len(units.whole or units):,} {units.name}s"
        warnings.warn(
            f"{', '.join(blind)}: no intervals, nor tests that draw {units.name}s. The metric is fitted to the "
            f"references, and intervals take a fit without each of {each} in turn: there is too much text for that, or "
            "it is no longer at hand. Draw larger units (--unit document), or choose fewer segments and fit the metric "
            "to them (--where NAME=VALUE --refit).",
            AssayWarning,
            stacklevel=3,
        )
    return tables


def intervals(
    statistics: Iterable[Statistics],
    units: Units,
    *,
    seed: int = 1,
    samples: int = 1000,
    confidence: float = 0.95,
    progress: Callable[[float], None] | None = None,
) -> list[Interval]:
    """Intervals of many corpus scores over the same segments, all from the same samples of units."""
    listed = list(statistics)
    totals, tables = [counted.total() for counted in listed], drawn_rows(listed, units)
    jobs = [(counted._score, rows) for counted, rows in zip(listed, tables, strict=True)]
    resampled = resampled_scores(jobs, units, samples=samples, seed=seed, progress=progress)
    return [
        interval(scores, len(units), jackknife=score(total - rows)[: len(units)], confidence=confidence)
        for total, (score, rows), scores in zip(totals, jobs, resampled, strict=True)
    ]


def attempt(metric: Metric, doing: str, work: Callable[[T], R], argument: T) -> R:
    """What a metric's own code gives; an error that it did not mean to raise says whose it is."""
    try:
        return work(argument)
    except (AssayError, MemoryError):
        raise
    except Exception as error:
        raise AssayError(f"{metric} failed while {doing}: {type(error).__name__}: {error}") from error


def misshapen(metric: Metric, rows: Rows, segments: int) -> AssayError:
    """Rows that are not what the metric promises."""
    return AssayError(
        f"{metric} gave rows of shape {rows.shape} for {segments} segments and {len(metric.columns)} columns."
    )


def finite_or_none(value: float) -> float | None:
    """What JSON can hold: it knows neither NaN nor infinity."""
    return value if math.isfinite(value) else None
