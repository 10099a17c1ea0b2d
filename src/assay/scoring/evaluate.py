"""Counting: survey and fit where a metric asks for it, then count shard by shard."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from assay.data.corpus import Corpus
from assay.data.texts import Column, Texts
from assay.errors import AssayError, AssayWarning, InputError, ParameterError
from assay.metrics.base import Metric, Rows
from assay.scoring.cache import Counted, corpus_keys
from assay.scoring.signature import Provenance
from assay.scoring.statistics import Statistics
from assay.text.batch import Batch, Pantry

#: A shard ends at so many segments or, if that comes first, so many bytes of translations.
#: Its size is fixed: results are the same on any number of threads.
SHARD_SEGMENTS = 4096
SHARD_BYTES = 8_000_000

#: Told which share of the work is done, from 0 to 1.
Progress = Callable[[float], None]


def evaluate(metric: Metric, corpus: Corpus, *, threads: int | None = None) -> Statistics:
    """Count one system with one metric."""
    if not isinstance(corpus, Corpus):
        raise InputError(
            f"evaluate takes a corpus, not a {type(corpus).__name__}. "
            "For a campaign use assay.score(campaign, metrics), or campaign.corpus(system)."
        )
    return evaluate_all([metric], {"": corpus}, threads=threads)[0]


def evaluate_all(
    metrics: Sequence[Metric],
    corpora: Mapping[str, Corpus],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    known: Counted | None = None,
) -> list[Statistics]:
    """Count every system with every metric: systems outside, metrics inside.

    Corpora that share their reference columns share the work on them; what is ``known`` is not counted again.
    """
    workers = thread_count(threads)
    if not corpora:
        raise InputError("There is no system to score.")
    names = list(corpora)
    seen = seen_by(metrics, corpora)
    keys = _keys(metrics, seen, known)
    shards = [Shard(start, stop, workers) for start, stop in shard_bounds(corpora[names[0]].translations)]
    fitted = fit_all(metrics, seen, shards, known, keys)
    rows: dict[Any, Rows] = {}
    missing: dict[Any, tuple[str, int]] = {}
    for place, (_, key) in keys.items():
        kept = None if known is None else known.rows.get(key)
        if kept is None:
            missing.setdefault(key, place)
        else:
            rows[key] = kept
    for done, shard in enumerate(shards, start=1):
        for key, (name, index) in missing.items():
            metric = fitted[name][index]
            counted = _count(metric, shard.batch(seen[name, index], metric))
            if len(shards) == 1:
                rows[key] = counted
                continue
            if key not in rows:
                rows[key] = np.empty((len(corpora[name]), counted.shape[1]))
            rows[key][shard.start : shard.stop] = counted
        shard.forget()
        if progress is not None:
            progress(done / len(shards))
    if known is not None:
        for key in missing:
            known.rows.put(key, rows[key])
    found = {place: rows[key] for place, (_, key) in keys.items()}
    _warn_of_remarks((name, fitted[name][index].remarks(counted)) for (name, index), counted in found.items())
    return [
        Statistics(
            metric,
            found[name, index],
            _provenance(seen[name, index]),
            corpora[name].documents,
            corpora[name].domains,
        )
        for name in names
        for index, metric in enumerate(fitted[name])
    ]


def _warn_of_remarks(remarks: Iterable[tuple[str, Sequence[str]]]) -> None:
    """What metrics remark on systems: once where they remark the same on several."""
    whose: dict[str, list[str]] = {}
    for name, said in remarks:
        for remark in said:
            whose.setdefault(remark, []).append(name)
    for remark, names in whose.items():
        some = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        warnings.warn(f"{some}: {remark}" if some else remark, AssayWarning, stacklevel=3)


def _provenance(corpus: Corpus) -> Provenance:
    flags = corpus.targeted_flags() if corpus.targeted else ()
    return Provenance.of(corpus.translations, corpus.references, flags, corpus.source)


#: Corpora by system and metric, with the references that the metric is to see.
Seen = dict[tuple[str, int], Corpus]


#: What fits and rows depend on, by system and metric: texts that are known are known by their content.
Keys = dict[tuple[str, int], tuple[Any, Any]]


def _keys(metrics: Sequence[Metric], seen: Seen, known: Counted | None) -> Keys:
    if known is None:
        return {
            place: ((place[1], tuple(id(column) for column in corpus.references)), place)
            for place, corpus in seen.items()
        }
    return {place: corpus_keys(metrics[place[1]], corpus) for place, corpus in seen.items()}


def seen_by(metrics: Sequence[Metric], corpora: Mapping[str, Corpus]) -> Seen:
    """What each metric sees of each corpus; post-edits that most metrics leave aside are mentioned."""
    seen: Seen = {}
    aside: dict[str, None] = {}
    used: dict[str, None] = {}
    for name, corpus in corpora.items():
        for index, metric in enumerate(metrics):
            if metric.sees_targeted:
                corpus.require_targeted(f"{name}: {metric.name}" if name else metric.name)
            seen[name, index] = corpus if metric.sees_targeted else corpus.untargeted
            if not metric.sees_targeted and corpus.untargeted is not corpus:
                aside |= dict.fromkeys(one for one in corpus.reference_names if one in corpus.targeted)
                used |= dict.fromkeys(one for one in corpus.untargeted.reference_names if one not in corpus.targeted)
    if aside:
        readers = ", ".join(str(metric) for metric in metrics if not metric.sees_targeted)
        warnings.warn(
            f"Post-edits are left aside by {readers}: {', '.join(aside)}. They were made from the translations, so the "
            f"other references are used where there are any: {', '.join(used)}. To compare with post-edits, choose "
            "them alone (--refs).",
            AssayWarning,
            stacklevel=3,
        )
    return seen


class Shard:
    """A run of segments, in which each column is read once and cooked once per recipe."""

    def __init__(self, start: int, stop: int, threads: int) -> None:
        self.start, self.stop, self.threads = start, stop, threads
        self._slices: dict[int, Texts] = {}
        self._pantry: Pantry = {}

    def batch(self, corpus: Corpus, metric: Metric) -> Batch:
        """This run of a corpus as ``metric`` sees it."""
        return Batch(
            self._slice(corpus.translations),
            tuple(self._slice(column) for column in corpus.references),
            np.ascontiguousarray(corpus.present[:, self.start : self.stop]),
            metric.recipe,
            self.threads,
            self._pantry,
            corpus.targeted_flags(),
            self._slice(corpus.source) if metric.sees_source and corpus.source is not None else None,
        )

    def forget(self) -> None:
        """Let go of the texts, so that memory holds one shard at a time."""
        self._slices.clear()
        self._pantry.clear()

    def _slice(self, column: Column) -> Texts:
        if id(column) not in self._slices:
            self._slices[id(column)] = column.slice(self.start, self.stop)
        return self._slices[id(column)]


def thread_count(threads: int | None) -> int:
    """The number asked for, or as many as this process may run on."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)
    if threads < 1:
        raise ParameterError(f"threads is {threads}, but at least 1 is needed.")
    return threads


def shard_bounds(column: Column) -> Iterator[tuple[int, int]]:
    """Where shards begin and end: a matter of the texts alone."""
    ends = np.cumsum(column.lengths())
    start = 0
    while start < len(column):
        limit = (ends[start - 1] if start else 0) + SHARD_BYTES
        stop = min(start + SHARD_SEGMENTS, int(np.searchsorted(ends, limit, side="right")), len(column))
        stop = max(stop, start + 1)
        yield start, stop
        start = stop


def fit(metric: Metric, corpus: Corpus) -> Metric:
    """The metric with what it has to know of all references; itself, unless it asks for a survey."""
    if not metric.needs_survey:
        return metric
    return _fit(metric, corpus, [Shard(start, stop, 1) for start, stop in shard_bounds(corpus.translations)])


def fit_all(
    metrics: Sequence[Metric],
    seen: Seen,
    shards: Sequence[Shard],
    known: Counted | None = None,
    keys: Keys | None = None,
) -> dict[str, list[Metric]]:
    """The metrics for each system, fitted where they ask for it: once for all systems with the same references."""
    found: dict[Any, Metric] = {} if known is None else known.fitted
    keys = _keys(metrics, seen, known) if keys is None else keys
    fitted: dict[str, list[Metric]] = {}
    for (name, index), corpus in seen.items():
        metric = metrics[index]
        if metric.needs_survey:
            key, _ = keys[name, index]
            if key not in found:
                found[key] = _fit(metric, corpus, shards)
            metric = found[key]
        fitted.setdefault(name, []).append(metric)
    return fitted


def _fit(metric: Metric, corpus: Corpus, shards: Sequence[Shard]) -> Metric:
    total = None
    for shard in shards:
        survey = metric.survey(shard.batch(corpus, metric))
        if total is None:
            total = survey
        else:
            total += survey
        if len(shards) > 1:
            shard.forget()
    return metric.fit(total, tuple(column.digest for column in corpus.references))


def _count(metric: Metric, batch: Batch) -> Rows:
    """The rows of one shard, checked: a metric of a user's own may be wrong."""
    try:
        rows = np.asarray(metric.count(batch), dtype=np.float64)
    except AssayError:
        raise
    except Exception as error:
        raise AssayError(f"{metric} failed while counting: {type(error).__name__}: {error}") from error
    if rows.shape != (len(batch), len(metric.columns)):
        raise AssayError(
            f"{metric} gave rows of shape {rows.shape} for {len(batch)} segments and {len(metric.columns)} columns."
        )
    return rows
