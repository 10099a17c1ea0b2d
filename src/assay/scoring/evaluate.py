"""Counting: every system under every metric, and nothing twice.

One loop over shards serves whatever is counted, wherever that happens.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from typing import Any, Protocol, TypeVar

import numpy as np

from assay.arguments import fits
from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.data.texts import Texts
from assay.errors import AssayWarning, InputError, ParameterError, shown
from assay.metrics.base import Counter, Metric, Rows
from assay.metrics.options import spell
from assay.scoring.statistics import Provenance, Statistics, attempt, misshapen
from assay.significance.draws import Units
from assay.text.batch import Batch
from assay.text.languages import Sample, uncut
from assay.text.recipe import Cooked
from assay.text.tables import tables_digest
from assay.threads import interruptible

#: What can be done where metrics of a saved model are not made for the texts.
_LEARNT = "The model counts as it did when it learnt. Learn one for such texts: assay learn --language CODE."
#: A shard ends at so many segments or, if that comes first, so many bytes of translations.
#: Its size is fixed: results are the same on any number of threads.
SHARD_SEGMENTS = 4096
SHARD_BYTES = 8_000_000
_MOST_THREADS = 1024

#: Told which share of the work is done, from 0 to 1.
Progress = Callable[[float], None]
#: Rows by system and metric, as they are typed: indexed, never searched. Systems stand outside, metrics inside.
_Grid = Mapping[tuple[str, str], Statistics]

T = TypeVar("T")


class _RowCache(Protocol):
    """Keeps rows under the keys of tasks, for one question or between runs; it may forget."""

    def get(self, task: Task, /) -> Rows | None:
        """The rows of a task, if they are there; nobody changes them."""

    def put(self, task: Task, rows: Rows, /) -> None:
        """Keep rows."""


@dataclass(eq=False)
class RowMemory:
    """Rows of this process, as many as fit into so many bytes; they cannot be changed."""

    #: What comes later is counted again when it is needed.
    limit: int = 128 << 20
    rows: dict[str, Rows] = field(default_factory=dict, repr=False)
    held: int = 0

    def get(self, task: Task) -> Rows | None:
        """The rows of a task, if there was room for them."""
        return self.rows.get(task.key)

    def put(self, task: Task, rows: Rows) -> None:
        """Keep rows, if there is room."""
        if task.key not in self.rows and self.held + rows.nbytes <= self.limit:
            rows.setflags(write=False)
            self.rows[task.key] = rows
            self.held += rows.nbytes


@dataclass(frozen=True, eq=False)
class Counted:
    """All that was counted for one question: rows, and what metrics made of the references on the way."""

    rows: _RowCache = field(default_factory=RowMemory)
    #: Metrics that were fitted, what counts against any set of references, and surveys of single ones; each by its key.
    fitted: dict[str, Metric] = field(default_factory=dict, repr=False)
    counters: dict[str, Counter] = field(default_factory=dict, repr=False)
    surveys: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(eq=False)
class Shard:
    """A run of segments, in which each column is read once and cooked once per recipe."""

    start: int
    stop: int
    threads: int
    _slices: dict[int, Texts] = field(default_factory=dict, repr=False)
    _cooked: Cooked = field(default_factory=dict, repr=False)

    def batch(self, corpus: Corpus, metric: Metric) -> Batch:
        """This run of a corpus as ``metric`` sees it."""
        source = corpus.source if metric.sees_source else None
        given = {name: corpus.scores[name] for name in metric.sees_scores if name in corpus.scores}
        for column in (corpus.translations, *corpus.references, *([] if source is None else [source])):
            if id(column) not in self._slices:
                self._slices[id(column)] = column.slice(self.start, self.stop)
        return Batch(
            self._slices[id(corpus.translations)],
            tuple(self._slices[id(column)] for column in corpus.references),
            np.ascontiguousarray(corpus.present[:, self.start : self.stop]),
            metric.recipe,
            self.threads,
            self._cooked,
            corpus.targeted_flags(),
            None if source is None else self._slices[id(source)],
            cut_from=(corpus, np.arange(self.start, self.stop)) if metric.sees_documents else None,
            scores={name: values[self.start : self.stop] for name, values in given.items()},
        )

    def forget(self) -> None:
        """Let go of the texts, so that memory holds one shard at a time."""
        self._slices.clear()
        self._cooked.clear()


@dataclass(frozen=True)
class Engine:
    """Where shards are worked on: in this process, one after the other, each by all threads of the kernels.

    An engine of another kind works on several at once, elsewhere. Results come in the order of the shards, and shards
    are a matter of the texts alone, so that numbers are the same on all engines.
    """

    #: Whether Control-C is heard within a shard, too, which costs a thread for each.
    heard: bool = True

    def map(self, work: Callable[[Shard], T], shards: Sequence[Shard], progress: Progress | None = None) -> Iterator[T]:
        """What ``work`` makes of each shard, in their order."""
        for done, shard in enumerate(shards, start=1):
            yield interruptible(partial(work, shard)) if self.heard else work(shard)
            if len(shards) > 1:
                shard.forget()
            if progress is not None:
                progress(done / len(shards))


@dataclass(frozen=True, eq=False)
class Fit:
    """A metric that was fitted for a question, and the texts that it was fitted to."""

    metric: Metric
    corpus: Corpus
    threads: int

    def influence(self, counted: Sequence[Statistics], units: Units) -> list[Rows]:
        """What each unit brings to the sum of each system's rows, the fit included: see ``Metric.influence``."""
        whole, everything = units.whole or units, Shard(0, len(self.corpus), self.threads)
        members, count = whole.codes.astype(np.int64), len(whole)
        if len(members) != len(self.corpus):
            raise ParameterError(
                f"Units of {len(members)} segments, but {self.metric} was fitted to {len(self.corpus)}."
            )
        brought = attempt(
            self.metric,
            "being fitted anew",
            lambda batch: self.metric.influence(batch, members, count),
            everything.batch(self.corpus, self.metric),
        )
        if brought is None:
            return [np.full((count, one.rows.shape[1]), np.nan) for one in counted]
        tables, shards = [], {len(self.corpus): everything}
        for one in counted:
            corpus = one.corpus or self.corpus
            shard = shards.setdefault(len(corpus), Shard(0, len(corpus), self.threads))
            batch = shard.batch(corpus, self.metric)
            batch = batch if one.segments is None else batch.only(one.segments)
            tables.append(brought(one.rows, batch, units.codes.astype(np.int64)))
        return tables


@dataclass(frozen=True, eq=False)
class Task:
    """One system under one metric, which is fitted; the corpus has the references that it is to see."""

    system: str
    metric: Metric
    corpus: Corpus
    #: What its rows are kept under.
    key: str
    #: Where the metric was fitted for it.
    fit: Fit | None = None

    def rows(self, shard: Shard) -> Rows:
        """The rows of one shard, checked: a metric of a user's own may be wrong."""
        batch = shard.batch(self.corpus, self.metric)
        rows = np.asarray(attempt(self.metric, "counting", self.metric.count, batch), dtype=np.float64)
        if rows.shape != (shard.stop - shard.start, len(self.metric.columns)):
            raise misshapen(self.metric, rows, len(batch))
        return rows


def evaluate(metric: Metric, corpus: Corpus, *, threads: int | None = None) -> Statistics:
    """Count one system with one metric."""
    if not isinstance(corpus, Corpus):
        raise InputError(
            f"evaluate takes a corpus, not a {type(corpus).__name__}. "
            "For a campaign use assay.score(campaign, metrics), or campaign.corpus(system)."
        )
    (statistics,) = evaluate_all([metric], {"": corpus}, threads=threads, engine=Engine(heard=False)).values()
    return statistics


def evaluate_all(
    metrics: Sequence[Metric],
    systems: Campaign | Mapping[str, Corpus],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    known: Counted | None = None,
    engine: Engine | None = None,
    of_model: bool = False,
) -> _Grid:
    """Count every system of a campaign, or every corpus, with every metric.

    Corpora that share their reference columns share the work on them; what is ``known`` is not counted again. Metrics
    ``of_model`` are those of a saved model, which nobody can change.
    """
    known, engine = known or Counted(RowMemory(limit=0)), engine or Engine()
    corpora = systems.corpora() if isinstance(systems, Campaign) else systems
    if isinstance(systems, Campaign):
        for metric in metrics:
            if metric.sees_targeted:
                systems.require_targeted(metric.name)
    shards = shards_of(corpora, threads)
    tasks = tasks_of(metrics, corpora, shards, known, engine)
    rows = {task.key: kept for task in tasks if (kept := known.rows.get(task)) is not None}
    missing = {task.key: task for task in tasks if task.key not in rows}
    for key, task in missing.items():
        rows[key] = np.empty((len(task.corpus), len(task.metric.columns)))
    pieces, finished = len(shards) * max(len(missing), 1), count(1)

    def rows_of(task: Task, shard: Shard) -> Rows:
        made = task.rows(shard)
        # One shard may be all there is, and take long: each metric of each system is told.
        if progress is not None:
            progress(next(finished) / pieces)
        return made

    counted = engine.map(lambda shard: [rows_of(task, shard) for task in missing.values()], shards)
    for shard, parts in zip(shards, counted, strict=True):
        for key, part in zip(missing, parts, strict=True):
            rows[key][shard.start : shard.stop] = part
    for key, task in missing.items():
        known.rows.put(task, rows[key])
    look_at_texts(metrics, [column for task in tasks for column in task.corpus.references], of_model=of_model)
    grid = {
        (task.system, str(task.metric)): Statistics(
            task.metric,
            rows[task.key],
            Provenance.of(task.corpus, task.metric.bounded(rows[task.key]), referenced=task.metric.sees_references),
            corpora[task.system].documents,
            corpora[task.system].domains,
            corpora[task.system].places,
            task.fit,
            None if task.fit is None else task.corpus,
        )
        for task in tasks
    }
    said = {task: task.metric.remarks(grid[task.system, str(task.metric)].rows) for task in tasks}
    if any(said.values()):
        warn_of_remarks({task: remarks for task, remarks in said.items() if remarks})
    return grid


def tasks_of(
    metrics: Sequence[Metric], corpora: Mapping[str, Corpus], shards: Sequence[Shard], known: Counted, engine: Engine
) -> list[Task]:
    """Every system under every metric, each fitted where it asks for it: once for all that share their references."""
    if any(corpus.targeted for corpus in corpora.values()):
        _mention_post_edits([metric for metric in metrics if not metric.sees_targeted], corpora)
    tasks: list[Task] = []
    fits: dict[str, Fit] = {}
    for name, whole in corpora.items():
        for metric in metrics:
            if metric.sees_targeted:
                whole.require_targeted(f"{name}: {metric.name}" if name else metric.name)
            corpus = whole if metric.sees_targeted else whole.untargeted
            require_references(metric, corpus, name)
            # What is chosen of a campaign is scored as it is in the whole.
            fit_key, key = corpus_keys(metric, corpus.whole or corpus)
            if corpus.whole is not None:
                key = corpus_keys(metric, corpus)[1]
                if metric.needs_survey:
                    key += f"|fitted on the whole:{hashlib.sha256(fit_key.encode()).hexdigest()[:16]}"
            if metric.needs_survey and fit_key not in known.fitted:
                known.fitted[fit_key] = fit(metric, corpus, shards, engine)
            fitted = known.fitted.get(fit_key, metric)
            if metric.needs_survey and fit_key not in fits:
                fits[fit_key] = Fit(fitted, corpus.whole or corpus, shards[0].threads)
            tasks.append(Task(name, fitted, corpus, key, fits.get(fit_key)))
    return tasks


def require_references(metric: Metric, corpus: Corpus, system: str) -> None:
    """Refuse a corpus without any reference, if the metric looks at them."""
    if metric.sees_references and not corpus.references:
        raise InputError(
            f"{metric} compares translations with references, and there is none for {system!r}. Put one beside them "
            "(ref.<id>.txt in a campaign's folder), or name scores alone: -m NAME."
        )


def corpus_keys(metric: Metric, corpus: Corpus) -> tuple[str, str]:
    """What a fit depends on, and what the rows of a corpus do.

    That is the metric with its fields, files, earlier fit and version, word lists and what cuts words; the references
    in their order, which of them are missing where and which are targeted, the source where it is looked at; and, for
    rows, the translations. Parts are called by what they are, so that two keys can be told apart in words.
    """
    texts = [f"reference {number}:{column.digest}" for number, column in enumerate(corpus.references, start=1)]
    if not corpus.present.all():
        texts.append(f"present:{hashlib.sha256(np.packbits(corpus.present).tobytes()).hexdigest()[:16]}")
    if corpus.targeted:
        texts.append("targeted:" + "".join("x" if targeted else "-" for targeted in corpus.targeted_flags()))
    if metric.sees_source and corpus.source is not None:
        texts.append(f"source:{corpus.source.digest}")
    if metric.sees_documents and corpus.documents is not None:
        texts.append(f"documents:{Texts.of(corpus.documents).digest}")
    for name in metric.sees_scores:
        scores = corpus.scores[name].tobytes() if name in corpus.scores else b""
        texts.append(f"scores:{name}:{hashlib.sha256(scores).hexdigest()[:16]}")
    files = [f"file {option}:{digest}" for option, digest in metric.resources().items()]
    readers = (*metric.readers, *metric.parts_of_model)
    programs = {name: version for one in readers for name, version in one.recipe.programs().items()}
    programs |= {f"code of {part.__name__}": code for part in type(metric).__mro__ if (code := _foreign_code(part))}
    files += [f"{name}:{version}" for name, version in {"word lists": tables_digest(), **programs}.items()]
    fit = [f"fit:{'+'.join(metric.fitted_on)}"] if metric.fitted_on else []
    spelled = spell(metric.resolved, all_fields=True)
    known = "|".join([f"metric:{spelled}", f"version of rows:{metric.rows_version}", *files, *fit, *texts])
    return known, f"{known}|translation:{corpus.translations.digest}"


@lru_cache(maxsize=256)
def _foreign_code(part: type) -> str:
    """What stands for the code of a class that is not of this package, whose author may change it at any time."""
    home, _, _ = __name__.partition(".")
    if part.__module__.partition(".")[0] in (home, "builtins", "abc"):
        return ""
    try:
        code = inspect.getsource(part)
    except (OSError, TypeError):
        # Typed into a session that nobody can read again: it is the same as itself alone.
        code = f"{os.getpid()} {id(part)}"
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def _mention_post_edits(readers: Sequence[Metric], corpora: Mapping[str, Corpus]) -> None:
    """Say which references most metrics leave aside, and which they see instead."""
    others = [corpus for corpus in corpora.values() if corpus.untargeted is not corpus]
    aside = dict.fromkeys(name for corpus in others for name in corpus.reference_names if name in corpus.targeted)
    used = dict.fromkeys(
        name for corpus in others for name in corpus.untargeted.reference_names if name not in corpus.targeted
    )
    if readers and aside:
        warnings.warn(
            f"Post-edits are left aside by {', '.join(map(str, readers))}: {', '.join(aside)}. They were made from the "
            f"translations, so the other references are used where there are any: {', '.join(used)}. To compare with "
            "post-edits, choose them alone (--refs).",
            AssayWarning,
            stacklevel=4,
        )


def fit(metric: Metric, corpus: Corpus, shards: Sequence[Shard] | None = None, engine: Engine | None = None) -> Metric:
    """The metric with what it has to know of all references; itself, unless it asks for a survey."""
    if not metric.needs_survey:
        return metric
    if shards is None or corpus.whole is not None:
        corpus = corpus.whole or corpus
        shards = shards_of({"": corpus}, 1)
    engine = engine or Engine()
    surveys = engine.map(lambda shard: metric.survey(shard.batch(corpus, metric)), shards)
    total = next(surveys)
    for survey in surveys:
        total += survey
    return metric.fit(total, tuple(column.digest for column in corpus.references))


def look_at_texts(metrics: Iterable[Metric], references: Iterable[Texts], *, of_model: bool = False) -> None:
    """Warn of metrics that are not made for the language of the references, judged by some of their segments."""
    sample, metrics = Sample.of(references), list(metrics)
    learnt = [part for metric in metrics for part in metric.parts_of_model]
    chosen = [reader for metric in metrics if not metric.parts_of_model for reader in metric.readers]
    said = dict.fromkeys(_language_doubts([] if of_model else chosen, sample, None))
    said |= dict.fromkeys(_language_doubts(chosen if of_model else learnt, sample, _LEARNT))
    for text in said:
        warnings.warn(AssayWarning(text, level="warning"), stacklevel=4)


def _language_doubts(metrics: Iterable[Metric], sample: Sample, remedy: str | None) -> Iterator[str]:
    """What speaks against metrics for texts in this language, and what to do: ``remedy``, or what each knows itself."""
    metrics = list(metrics)
    clauses = uncut(sample, [(str(metric), metric.recipe) for metric in metrics])
    if clauses:
        yield f"{clauses[0]} {remedy or clauses[1]}"
    for metric in metrics:
        for doubt in metric.doubts(sample):
            yield f"{doubt} {remedy or metric.remedy(sample)}".rstrip()


def warn_of_remarks(remarks: Mapping[Task, Sequence[str]]) -> None:
    """What metrics remark on systems: once where they remark the same on several."""
    whose: dict[str, list[str]] = {}
    for task, said in remarks.items():
        for remark in said:
            whose.setdefault(remark, []).append(task.system)
    for remark, names in whose.items():
        some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        warnings.warn(f"{some}: {remark}" if some else remark, AssayWarning, stacklevel=3)


def shards_of(corpora: Mapping[str, Corpus], threads: int | None) -> list[Shard]:
    """The shards of all corpora, whose segments are the same; where they end is a matter of the texts alone."""
    if not corpora:
        raise InputError("There is no system to score.")
    shards, workers = [], thread_count(threads)
    ends = np.cumsum(next(iter(corpora.values())).translations.lengths())
    start = 0
    while start < len(ends):
        limit = (ends[start - 1] if start else 0) + SHARD_BYTES
        stop = min(start + SHARD_SEGMENTS, int(np.searchsorted(ends, limit, side="right")), len(ends))
        shards.append(Shard(start, max(stop, start + 1), workers))
        start = shards[-1].stop
    return shards


def thread_count(threads: int | None) -> int:
    """The number asked for, or as many as this process may run on."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if not fits(threads, int) or not 1 <= threads <= _MOST_THREADS:
        raise ParameterError(f"threads is {shown(threads)}, but it takes a whole number from 1 to {_MOST_THREADS}.")
    return int(threads)


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Linear algebra on one thread, while several multiply small matrices: theirs would only wait for each other.

    It needs threadpoolctl, which comes with the extra ``learn``; without it nothing changes but the time.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        yield
        return
    with threadpool_limits(limits=1, user_api="blas"):
        yield
