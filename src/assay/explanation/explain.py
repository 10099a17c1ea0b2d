"""Why did this translation get this score?"""

from __future__ import annotations

from assay.data.corpus import Corpus
from assay.explanation.explanation import Explanation
from assay.metrics.base import Metric
from assay.scoring.evaluate import Shard
from assay.scoring.statistics import finite_or_none


def explain_corpus(
    metric: Metric, corpus: Corpus, *, system: str | None = None, segment: str | None = None
) -> Explanation:
    """What the score of a corpus of one segment is made of."""
    if metric.sees_targeted:
        corpus.require_targeted(metric.name)
    else:
        corpus = corpus.untargeted
    batch = Shard(0, 1, 1).batch(corpus, metric)
    rows = metric.count(batch)
    return Explanation(
        metric=metric,
        translation=corpus.translations[0],
        references=tuple(column[0] for column in corpus.references),
        reference_names=corpus.reference_names,
        score=finite_or_none(float(metric.for_segments().score(rows)[0])),
        parts={name: finite_or_none(float(value[0])) for name, value in metric.parts(rows).items()},
        picture=metric.picture(batch),
        remarks=tuple(metric.remarks(rows)),
        source=None if corpus.source is None else corpus.source[0],
        system=system,
        segment=segment,
    )
