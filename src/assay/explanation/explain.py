"""``assay.explain``: why did this translation get this score?"""

from __future__ import annotations

from collections.abc import Sequence

from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.errors import InputError, UnknownName
from assay.explanation.explanation import Explanation
from assay.metrics.base import Metric
from assay.metrics.registry import metric as named_metric
from assay.scoring.evaluate import Shard, fit
from assay.scoring.statistics import finite_or_none


def explain(
    metric: Metric | str,
    *,
    translation: str,
    references: Sequence[str] = (),
    targeted: Sequence[str] = (),
    source: str | None = None,
    reference_names: Sequence[str] | None = None,
) -> Explanation:
    """What one translation's score is made of; ``targeted`` are post-edits of it, for HTER.

    A metric that is fitted to a test set (NIST) takes these references for the whole of it; for a segment of a
    campaign see ``explain_segment``.

    >>> print(explain("wer", translation="the cat sat", references=["the black cat sat"]).title)
    WER 25.00
    """
    chosen = named_metric(metric) if isinstance(metric, str) else metric
    for name, text in (("translation", translation), ("source", source)):
        if not isinstance(text, str) and not (name == "source" and text is None):
            raise InputError(f"{name} is {text!r}, but a string is needed: one segment is explained at a time.")
    for name, texts in (("references", references), ("targeted", targeted)):
        if isinstance(texts, str):
            raise InputError(f"{name} is one string, but a list is needed: {name}=[text].")
    if not references and not targeted:
        raise InputError("There is no reference to explain the score by: references=[text].")
    corpus = Corpus(
        translations=[translation],
        references_by_segment=[list(references)] if references else None,
        targeted=[[text] for text in targeted] if targeted else None,
        source=None if source is None else [source],
        reference_names=reference_names,
    )
    return _explain(fit(chosen, corpus.untargeted), corpus)


def explain_segment(
    metric: Metric | str, campaign: Campaign, *, system: str | None = None, segment: int | str = 0
) -> Explanation:
    """What the score of one segment of a campaign is made of.

    ``segment`` is its number from 0, or its name. ``system`` may be left out where there is but one.
    """
    chosen = named_metric(metric) if isinstance(metric, str) else metric
    name = _the_system(campaign, system)
    index = _segment_index(campaign, segment)
    corpus = campaign.corpus(name)
    if chosen.sees_targeted:
        corpus.require_targeted(f"{campaign.name}: {chosen.name} of {name!r}", campaign.segment_names())
    fitted = fit(chosen, corpus.untargeted)
    return _explain(fitted, corpus.only(index), system=name, segment=campaign.segment_names()[index])


def _explain(metric: Metric, corpus: Corpus, *, system: str | None = None, segment: str | None = None) -> Explanation:
    """The explanation of a corpus of one segment."""
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
        score=finite_or_none(float(metric.score(rows)[0])),
        parts={name: finite_or_none(float(value[0])) for name, value in metric.parts(rows).items()},
        picture=metric.picture(batch),
        remarks=tuple(metric.remarks(rows)),
        source=None if corpus.source is None else corpus.source[0],
        system=system,
        segment=segment,
    )


def _the_system(campaign: Campaign, system: str | None) -> str:
    if system is not None:
        return system
    if len(campaign.systems) != 1:
        names = ", ".join(campaign.systems) or "none"
        raise InputError(f"{campaign.name} has {len(campaign.systems)} systems ({names}). Say which with --system.")
    return next(iter(campaign.systems))


def _segment_index(campaign: Campaign, segment: int | str) -> int:
    """A segment by its name, where segments have names, or by its number from 0."""
    names = campaign.segments
    if names is not None and str(segment) in names:
        if names.count(str(segment)) > 1:
            raise InputError(
                f"{campaign.name} has {names.count(str(segment))} segments named {segment}. "
                "Make their names different in segments.txt, or leave it out and give the number."
            )
        return names.index(str(segment))
    if names is not None and not str(segment).isdecimal():
        raise UnknownName.of("segment", str(segment), names)
    if not str(segment).isdecimal() or int(segment) >= len(campaign):
        raise InputError(
            f"Segment {segment} is not there: {campaign.name} has {len(campaign)} segments, 0 to {len(campaign) - 1}."
        )
    return int(segment)
