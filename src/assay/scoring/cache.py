"""What was counted before: rows by metric and texts, so that nothing is counted twice."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from assay.data.corpus import Corpus
from assay.metrics.base import Counter, Metric, Rows
from assay.metrics.options import spell

#: Bytes of rows that a memory holds; what comes later is counted again when it is needed.
_LIMIT = 128 << 20


class _RowCache(Protocol):
    """Keeps rows under a key, for one question or between runs; it may forget."""

    def get(self, key: str, /) -> Rows | None:
        """The rows of a key, if they are there; nobody changes them."""

    def put(self, key: str, rows: Rows) -> None:
        """Keep rows."""


@dataclass(eq=False)
class RowMemory(dict[str, Rows]):
    """Rows of this process, as many as fit into so many bytes; they cannot be changed."""

    limit: int = _LIMIT
    held: int = 0

    def put(self, key: str, rows: Rows) -> None:
        """Keep rows, if there is room."""
        if key not in self and self.held + rows.nbytes <= self.limit:
            rows.setflags(write=False)
            self[key] = rows
            self.held += rows.nbytes


@dataclass(frozen=True, eq=False)
class Counted:
    """All that was counted for one question: rows, and what metrics made of the references on the way."""

    rows: _RowCache = field(default_factory=RowMemory)
    #: Metrics that were fitted, what counts against any set of references, and surveys of single ones; each by its key.
    fitted: dict[str, Metric] = field(default_factory=dict, repr=False)
    counters: dict[str, Counter] = field(default_factory=dict, repr=False)
    surveys: dict[str, Any] = field(default_factory=dict, repr=False)


def corpus_keys(metric: Metric, corpus: Corpus) -> tuple[str, str]:
    """What a fit depends on, and what the rows of a corpus do.

    That is the metric with its fields, files, earlier fit and version, the references in their order, which of them are
    missing where and which are targeted, the source where it is looked at; and, for rows, the translations.
    """
    texts = [column.digest for column in corpus.references]
    if not corpus.present.all():
        texts.append(f"present:{hashlib.sha256(np.packbits(corpus.present).tobytes()).hexdigest()[:16]}")
    if corpus.targeted:
        texts.append("targeted:" + "".join("x" if targeted else "-" for targeted in corpus.targeted_flags()))
    if metric.sees_source and corpus.source is not None:
        texts.append(f"source:{corpus.source.digest}")
    files = [f"{option}:{digest}" for option, digest in metric.resources().items()]
    fit = ["fitted", *metric.fitted_on] if metric.fitted_on else []
    spelled = spell(metric.resolved, all_fields=True)
    known = "|".join([spelled, f"rows:{metric.rows_version}", *files, *fit, *texts])
    return known, f"{known}|translation:{corpus.translations.digest}"
