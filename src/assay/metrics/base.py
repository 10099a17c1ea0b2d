"""What a metric is: it counts, then scores.

``count`` turns a batch of segments into one row of numbers per segment. ``score`` turns a row, or any weighted
sum of rows, into a number; it is pure and works on the last axis. So every view of a result is a sum:
the corpus score is ``score(rows.sum(0))``, segment scores are ``score(rows)``, a document's is the score of its
rows' sum, and a bootstrap is ``score(counts @ rows)``. Nothing ever looks at the text twice.

A metric's dataclass fields are its whole configuration. They name it, compare it, hash it, and it
prints as what one would type to get it.

A metric of your own is a subclass with ``name``, ``columns``, ``count`` and ``score``; ``@register`` makes it known.
One that takes the best of several references is a ``BestReference``. What else it may say, each in one place:

* ``for_segments``: the metric that scores single segments, where one formula does not fit both. Its rows are the same.
* ``is_average``: true where the score of a corpus is nothing but the mean of the scores of its segments. Any other
  has its averages for the asking: ``average=segments`` and ``average=documents`` are options of all (``averages.py``).
* ``survey`` and ``fit``: what it must know of all references before it counts (NIST). Surveys of shards add up with
  ``+``, and ``survey * 3`` is that of texts three times over. ``refit`` is ``fit`` under weights: parts of the texts
  count as often as they were drawn. ``influence`` is what intervals go by: each part of the texts is left out once,
  and the metric fitted to the others.
* ``rows_version``: a number to raise whenever the same text gives other rows than before. It is part of the key
  under which rows are kept between runs.
* ``sees_source``: true where it looks at the source. ``batch.source_texts`` then holds it, or None where there is none;
  other metrics never get to see it, so that their rows need not be counted again when it changes.
* ``sees_documents``: true where it looks at what stands before a segment in its document: ``batch.before(segment)``.
* ``sees_references``: false where it can do without any reference.
* ``tolerance``: by how much a row may move, as a share, with what else is in the batch. It is 0, and laws hold to the
  last bit; neural metrics take something like 1e-6.
* ``bounds``: the least and the largest score, where these are not those of shares or of error rates in percent.
* ``tunables``: the numbers of its formula that judgements can choose.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Codes
from assay.errors import InputError, ParameterError
from assay.metrics.options import TEXT_OPTIONS, Options, option_fields, spell
from assay.metrics.tunable import Candidates, Tunable, options_of
from assay.properties import cached_property
from assay.text.batch import Batch
from assay.text.languages import UNSPACED, Sample
from assay.text.recipe import Lowercase, Recipe, Unit

if TYPE_CHECKING:
    from assay.data.corpus import Corpus
    from assay.metrics.pictures import Picture
    from assay.scoring.statistics import Statistics

Rows = NDArray[np.float64]
Scores = NDArray[np.float64]
#: From the numbers of some references to rows against them.
Counter = Callable[[Sequence[int]], Rows]
#: From the rows of a system, the batch that they were counted on and the unit of each of its segments to what each unit
#: brings to the sum of the rows: units by columns.
Influence = Callable[[Rows, Batch, Codes], Rows]

#: So many rows are counted again at most to find what each unit brings to the score of a system.
MOST_RECOUNTED = 100_000


@dataclass(frozen=True, kw_only=True)
class Metric(Options, ABC):
    """Base class of all metrics; its fields are the recipe that every metric takes."""

    name: ClassVar[str]
    #: How tables head the column; the name, unless it is given.
    label: ClassVar[str]
    #: One line: what the number says; the first of the docstring, unless it is given.
    summary: ClassVar[str]
    higher_is_better: ClassVar[bool] = True
    unit: ClassVar[Unit] = "word"
    #: Whether targeted references, post-edits of the very translations, are what it is about. Other metrics see them
    #: only where there are no others.
    sees_targeted: ClassVar[bool] = False
    #: Whether it looks at the source.
    sees_source: ClassVar[bool] = False
    #: Whether it looks at what stands before a segment in its document.
    sees_documents: ClassVar[bool] = False
    #: By how much rows may move, as a share, with what else is counted at the same time: see ``assay.testing``.
    tolerance: ClassVar[float] = 0.0
    #: Whether it looks at references; else it can do without any.
    sees_references: ClassVar[bool] = True
    #: The names of the scores of other programs that it looks at.
    sees_scores: ClassVar[tuple[str, ...]] = ()
    #: Whether scores are on 0 to 100, or error rates in percent.
    percent: ClassVar[bool] = True
    #: How many decimals people are shown.
    decimals: ClassVar[int] = 2
    #: Whether it compares a translation with its references, so that nothing is better than one of them.
    compares: ClassVar[bool] = True
    #: Whether the score of a corpus is the mean of the scores of its segments.
    is_average: ClassVar[bool] = False
    #: Raised whenever the same text gives other rows: part of the key under which rows are kept.
    rows_version: ClassVar[int] = 1

    normalize: str = "none"
    lowercase: Lowercase = False
    tokenize: str = "none"
    remove_punctuation: bool = False
    stem: str | None = None
    #: Where the score of a corpus comes from: all its counts, or the mean of scores.
    average: Literal["corpus", "segments", "documents"] = field(default="corpus", metadata={"later": True})

    #: The options that were given by whoever made it; the others are as usual.
    chosen: ClassVar[frozenset[str]] = frozenset()

    def __new__(cls, *_: Any, **options: Any) -> Self:
        average, plain = options.get("average"), getattr(cls, "plain_class", None)
        averages = isinstance(average, str) and average in ("segments", "documents")
        if averages and plain is None:
            from assay.metrics.averages import averaged

            made: Self = super().__new__(averaged(cls))  # type: ignore[assignment]
        elif plain is not None and not averages:
            # What is no average any more is made here, whole, since Python asks only metrics of this class to be made.
            return plain(**options)  # type: ignore[no-any-return]
        else:
            made = super().__new__(cls)
        known = {one.name: one.default for one in fields(cls) if one.init}
        # dataclasses.replace gives all fields: those are chosen then that are not as usual.
        whole = options.keys() == known.keys()
        chosen = {name for name, value in options.items() if not (whole and value == known[name])}
        vars(made)["chosen"] = frozenset(chosen)
        return made

    def __post_init__(self) -> None:
        super().__post_init__()
        # Built once here, so that a wrong recipe is an error where it is written.
        _ = self.recipe

    @property
    def recipe(self) -> Recipe:
        """What is done to the text before counting."""
        return Recipe(**{name: getattr(self, name) for name in TEXT_OPTIONS}, unit=self.unit)

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The least and the largest score that there can be; None where there is no end, or nobody knows one."""
        if not self.percent:
            return None, None
        return 0.0, 100.0 if self.higher_is_better else None

    @property
    def cuts_words(self) -> bool:
        """Whether it counts the words that its recipe makes, and not characters."""
        return self.recipe.unit == "word"

    def in_language(self, code: str) -> Metric:
        """This metric for texts in a language: words are cut as the field cuts them, unless a tokenizer was chosen."""
        if code not in UNSPACED or not self.cuts_words or "tokenize" in self.chosen:
            return self
        return self._changed(tokenize=UNSPACED[code].tokenizer)

    def in_recipe(self, recipe: Recipe) -> Metric:
        """This metric on the words of a recipe that several metrics share; options that were chosen stay."""
        if not self.cuts_words:
            return self
        return self._changed(**{name: getattr(recipe, name) for name in TEXT_OPTIONS if name not in self.chosen})

    def named_beside(self, recipe: Recipe) -> str:
        """What one would type to get it where all word metrics have this recipe unless their names say otherwise."""
        return spell(self, usual={name: getattr(recipe, name) for name in TEXT_OPTIONS} if self.cuts_words else None)

    @property
    def said_fields(self) -> Sequence[Field[Any]]:
        """The fields that its spelling may name."""
        return option_fields(type(self))

    def _changed(self, **options: Any) -> Self:
        """The same with other options, which count as chosen, as do those that were chosen before."""
        made = replace(self, **options)
        vars(made)["chosen"] = self.chosen | options.keys()
        return made

    def doubts(self, sample: Sample) -> Sequence[str]:
        """What speaks against this metric for texts such as these, beside words that are not cut: sentences."""
        return ()

    def remedy(self, sample: Sample) -> str:
        """What to type where ``doubts`` are right; a metric that is a part of a saved model is past it."""
        return ""

    @property
    def readers(self) -> tuple[Metric, ...]:
        """Those who look at texts: this metric, or the ones that it is made of."""
        return (self,)

    @property
    def parts_of_model(self) -> tuple[Metric, ...]:
        """The metrics of a saved model, if this is one: they count as they did when it learnt."""
        return ()

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """The names of a row's numbers."""

    @abstractmethod
    def count(self, batch: Batch) -> Rows:
        """One row per segment; no row depends on its neighbours."""

    def counter(self, batch: Batch) -> Counter:
        """What counts against any set of the references of ``batch``: for those who try many sets.

        It gives what ``count`` gives, and looks at text as rarely as the metric allows.
        """
        return lambda references: self.count(batch.against(references))

    @abstractmethod
    def score(self, rows: Rows) -> Scores:
        """A number per row, or per sum of rows."""

    def for_segments(self) -> Metric:
        """The metric that scores single segments, from the same rows; most need no other than for a corpus."""
        return self

    def segment_scoring(self) -> str | None:
        """How single segments are scored where that is not as a corpus is: what stands behind "are scored"."""
        single = self.for_segments()
        return None if single == self else f"by {single}"

    def missing(self, rows: Rows) -> NDArray[np.bool_]:
        """Which single segments have no score: they are no part of sums, and two systems are compared without them."""
        return np.zeros(len(rows), dtype=np.bool_)

    def sizes(self, rows: Rows) -> Scores | None:
        """How many scores rows are the mean of; None where a score is something else than a mean."""
        return None

    def zeros(self, rows: Rows) -> Mapping[str, NDArray[np.bool_]]:
        """Which single segments score 0 though something matches, by the reason: what stands behind "are 0"."""
        return {}

    @property
    def tunables(self) -> tuple[Tunable, ...]:
        """The numbers that ``assay tune`` may choose."""
        return ()

    def tuned(self, values: Mapping[str, float]) -> Self:
        """This metric with other values of its tunables, by name."""
        return replace(self, **options_of(self.tunables, values))

    def candidates(self, batch: Batch) -> Candidates:
        """The rows among which the formula chooses: all that ``choose`` needs under any value of the tunables.

        ``BestReference`` gives rows against each; the others have nothing to choose.
        """
        return Candidates(self.count(batch)[None], np.ones((1, len(batch)), dtype=np.bool_))

    def compared_by(self, each: Rows) -> Scores:
        """What the rows against each reference are compared by: better is what is better in the score."""
        return self.score(each)

    def choose(self, scores: Scores, present: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Which candidate counts in each segment, by their scores: candidates by segments."""
        return best_of(scores if self.higher_is_better else -scores, present)

    @property
    def plain(self) -> Metric:
        """This metric without its ``average``: the score of a corpus comes from all its counts."""
        return self

    def in_documents(self, rows: Rows, documents: Sequence[str] | None, named: NDArray[np.bool_] | None = None) -> Rows:
        """Rows once documents are known, and which segments are ``named`` one: averages over documents wait for it."""
        return rows

    def chooser(self, compared: Scores, eligible: NDArray[np.bool_]) -> Callable[[Sequence[int]], NDArray[np.intp]]:
        """What tells which of some references counts in each segment, by what all are compared by."""

        def best_among(references: Sequence[int]) -> NDArray[np.intp]:
            chosen = np.asarray(references, dtype=np.intp)
            return chosen[self.choose(compared[chosen], eligible[chosen])]

        return best_among

    def parts(self, rows: Rows) -> Mapping[str, Scores]:
        """The components of a score, by name; as pure as ``score``."""
        return {}

    def decompose(self, first: Rows, second: Rows) -> Mapping[str, float]:
        """Where the difference of two scores comes from: contributions that add up to it; none where nobody can say."""
        return {}

    def remarks(self, rows: Rows) -> Sequence[str]:
        """What the user should know about the rows of a whole corpus: sentences, each of which becomes a warning."""
        return ()

    def bounded(self, rows: Rows) -> Sequence[int]:
        """The segments in which counting ended at a bound, so that other programs may give more: signatures say it."""
        return ()

    @property
    def resolved(self) -> Metric:
        """This metric with nothing left to defaults that depend on other options: what a signature prints."""
        return self

    def refuse_endless(self, batch: Batch, largest: float, *others: Scores) -> None:
        """Refuse segments whose two lengths multiply to more than ``largest``: whole files whose line ends are missing.

        ``others`` are lengths to be held against the translations', each reference's own unless they are given.
        """
        lengths = batch.translations.lengths()
        for other in others or [reference.lengths() for reference in batch.references]:
            sizes = lengths * other
            if sizes.size and sizes.max() > largest:
                worst = int(sizes.argmax())
                counted = "words" if self.unit == "word" else "characters"
                raise InputError(
                    f"{self.name}: a segment has {int(lengths[worst]):,} {counted} in the translation and "
                    f"{int(other[worst]):,} in the reference, too many to compare each with each. "
                    "Is the file missing its line ends? Every segment is a line of its own."
                )

    def picture(self, batch: Batch) -> Picture | None:
        """What the score of the first segment of ``batch`` is made of; None if there is nothing to show but parts."""
        return None

    def resources(self) -> Mapping[str, str]:
        """Digests of the files that the score depends on, by option: part of the signature."""
        return self.recipe.resources()

    @property
    def needs_survey(self) -> bool:
        """Whether ``fit`` has to come before ``count``."""
        return False

    def survey(self, batch: Batch) -> Any:
        """What one shard contributes to ``fit``; surveys add up with ``+``, and ``*`` repeats one."""
        raise ParameterError(f"{self.name} counts without a survey.")

    #: Digests of the texts that a metric was fitted on, where it was.
    fitted_on: ClassVar[tuple[str, ...] | None] = None

    def fit(self, survey: Any, fitted_on: tuple[str, ...]) -> Self:
        """This metric with what the survey of all shards taught it; ``fitted_on`` digests the texts."""
        raise ParameterError(f"{self.name} counts without a survey.")

    def refit(self, surveys: Sequence[Any], weights: Sequence[int], fitted_on: tuple[str, ...]) -> Self:
        """This metric fitted under weights: to parts of the texts, each with its survey and how often it counts."""
        total = None
        for survey, weight in zip(surveys, weights, strict=True):
            if total is None and weight:
                total = survey * int(weight)
            elif weight:
                total += survey if weight == 1 else survey * int(weight)
        if total is None:
            raise ParameterError(f"{self.name}: no part of the texts has a weight, so there is nothing to fit it to.")
        return self.fit(total, fitted_on)

    def influence(self, batch: Batch, members: Codes, units: int) -> Influence | None:
        """What tells how much each unit, such as a document, brings to the sum of a system's rows, the fit included.

        That is what the sum loses if the unit is left out and the metric is fitted to the others: its own rows, and
        what its references change in the rows of all others. ``batch`` has the references that the metric was fitted to
        and ``members`` the unit of each of its segments. None where there is too much to count again.
        """
        if len(batch) * units > MOST_RECOUNTED:
            return None
        surveys = [self.survey(batch.only(members == unit)) for unit in range(units)]

        def brought(rows: Rows, part: Batch, of: Codes) -> Rows:
            left = np.zeros((units, rows.shape[1]))
            for unit in range(units):
                others = self.refit(surveys, [int(other != unit) for other in range(units)], ("all others",))
                if (of != unit).any():
                    left[unit] = others.count(part.only(of != unit)).sum(axis=0)
            return np.asarray(rows.sum(axis=0) - left)

        return brought

    def evaluate(self, corpus: Corpus, *, threads: int | None = None) -> Statistics:
        """Count a corpus: one row per segment, from which every score comes."""
        # Upwards, against the contract, for the sake of bleu.evaluate(corpus).
        from assay.scoring.evaluate import evaluate

        return evaluate(self, corpus, threads=threads)

    def sacrebleu_signature(self, references: int) -> str | None:
        """sacreBLEU's line, where sacreBLEU computes the same number."""
        return None

    #: What one would type to get this metric; tables ask for it in every row.
    _spelling = cached_property(spell)

    def __repr__(self) -> str:
        return self._spelling

    __str__ = __repr__

    def __init_subclass__(cls) -> None:
        # A dataclass writes its own unless there is one: a metric prints as it is typed, everywhere.
        cls.__repr__ = Metric.__repr__  # type: ignore[method-assign]
        if "name" in cls.__dict__:
            cls.label = cls.__dict__.get("label", cls.name)
            cls.summary = cls.__dict__.get("summary", next(iter((cls.__doc__ or "").strip().splitlines()), ""))


@dataclass(frozen=True, kw_only=True)
class BestReference(Metric):
    """A metric that holds each segment against one reference at a time, and counts the best of them.

    Such a metric says in ``count_each`` what it counts against each reference. The best is the one with the best score
    of the segment, unless ``compared_by`` says otherwise.
    """

    @abstractmethod
    def count_each(self, batch: Batch) -> Sequence[Rows]:
        """Rows against each reference alone."""

    def eligible(self, batch: Batch) -> NDArray[np.bool_]:
        """Which references may count: references by segments."""
        return batch.present

    def complete(self, rows: Rows, each: Rows, batch: Batch, references: Sequence[int]) -> Rows:
        """The rows that count against some references, with what they take from all of these; ``each`` has theirs."""
        return rows

    def count(self, batch: Batch) -> Rows:
        return self.counter(batch)(range(len(batch.reference_texts)))

    def counter(self, batch: Batch) -> Counter:
        each, segments = np.stack(self.count_each(batch)), np.arange(len(batch))
        best_among = self.chooser(self.compared_by(each), self.eligible(batch))

        def count(references: Sequence[int]) -> Rows:
            rows = each[best_among(references), segments]
            return self.complete(rows, each[list(references)], batch, references)

        return count

    def candidates(self, batch: Batch) -> Candidates:
        return Candidates(np.stack(self.count_each(batch)), self.eligible(batch))

    def best(self, batch: Batch) -> NDArray[np.intp]:
        """Which reference counts in each segment, from 0."""
        return self.choose(self.compared_by(np.stack(self.count_each(batch))), self.eligible(batch))


def best_of(merits: Scores, present: NDArray[np.bool_], *, tolerance: float = 1e-12) -> NDArray[np.intp]:
    """Which reference has the largest merit, segment by segment; absent ones never win.

    The first of several wins whose merits differ by no more than rounding, a share of ``tolerance``.
    """
    kept = np.where(present, merits, -np.inf)
    best = kept.max(axis=0)
    first: NDArray[np.intp] = (kept >= best - tolerance * np.abs(best)).argmax(axis=0)
    return first


def sums_of_units(rows: Rows, members: Codes, units: int) -> Rows:
    """The sum of the rows of each unit, of which ``members`` has the number for each segment."""
    sums = np.zeros((units, rows.shape[1]))
    np.add.at(sums, members, rows)
    return sums


def ratio(numerator: Rows, denominator: Rows) -> Scores:
    """The quotient, and 0 where the denominator is 0."""
    return np.divide(
        numerator, denominator, out=np.zeros(np.broadcast(numerator, denominator).shape), where=denominator != 0
    )
