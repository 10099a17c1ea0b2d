"""``assay explain``: why did this translation get this score?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from assay.arguments import checked
from assay.data.campaign import Campaign
from assay.data.texts import Texts
from assay.errors import InputError, UnknownName
from assay.explanation.explanation import Explanation, to_svg
from assay.metrics.base import Metric
from assay.questions.asked import Asked, Data, ask, segment_remarks
from assay.questions.base import Campaigns, Question, metrics_option, option
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import Shard, fit, look_at_texts, require_references
from assay.scoring.statistics import finite_or_none

#: The name of a system that was typed rather than read.
_TYPED = "translation"

_KEYS = (Column("metric"),)
_SCORE = (Column("score", format=".2f"), Column("source"), Column("translation"), Column("remarks"))
_NGRAM = (Column("order", "n", "d"), Column("ngram", "n-gram"))
_COUNTS = (Column("matched", "counts", "d"), Column("translation_count", "of", "d"))
_VIEWS = (
    View("Why this score?", "explanations", _SCORE, _KEYS),
    View("References", "references", (Column("reference"), Column("text")), _KEYS),
    View("What it is made of", "parts", (Column("part"), Column("value", format=".4g")), _KEYS),
    View("N-grams that count", "ngrams", _NGRAM + _COUNTS, _KEYS),
)


@dataclass(frozen=True, kw_only=True)
class Explain(Question):
    """Why this score? One segment: its alignment, edits and shifts, n-grams, or GTM's grid.

    assay explain campaign/ --system A --segment 17 -m gtm

    assay explain --translation "the cat sat" --against "a cat sat" -m meteor -o picture.svg
    """

    name: ClassVar[str] = "explain"
    campaigns: ClassVar[Campaigns] = "one"
    question: ClassVar[str] = "Why this score?"

    metrics: tuple[Metric, ...] = metrics_option(("bleu",), "As in assay score.")
    system: str | None = option(None, "Which system; may be left out if there is but one.", metavar="NAME")
    segment: str | None = option(None, "Which segment: its number from 0, or its name.", metavar="N")
    translation: str | None = option(None, "Explain this text instead of a campaign's segment ...", metavar="TEXT")
    against: tuple[str, ...] = option((), "... against this reference; repeat it.", metavar="TEXT", repeat=True)

    def own_campaign(self, data: Data) -> Campaign | None:
        if self.translation is None and not self.against:
            if self.segment is None:
                raise InputError("Which segment? Say --segment with its number from 0, or its name.")
            return None
        if self.segment is not None or self.system is not None:
            raise InputError("--translation and --against take the place of a campaign; give the one or the other.")
        if self.translation is None or not (self.against or data.targeted):
            raise InputError("--translation and --against go together: a text, and at least one reference for it.")
        return _typed_campaign(self.translation, self.against, data.targeted)

    def scores_all(self, data: Data) -> bool:
        return False

    def answer(self, asked: Asked) -> Result:
        typed = self.translation is not None
        campaign = asked.campaign if typed else asked.chosen
        if self.system is not None:
            campaign = campaign.choose(systems=[self.system])
        look_at_texts(self.metrics, campaign.references.values())
        segment = self.segment or 0
        return explained([_explain(metric, campaign, segment, typed=typed) for metric in self.metrics])


def _typed_campaign(
    translation: str,
    references: Sequence[str],
    targeted: Sequence[str] = (),
    source: str | None = None,
    names: Sequence[str] | None = None,
) -> Campaign:
    """One segment, with references that are named by their numbers unless they have names; post-edits come last."""
    texts = (*references, *targeted)
    named = tuple(names or (str(number) for number in range(1, len(texts) + 1)))
    if not len(set(named)) == len(named) == len(texts):
        raise InputError(
            f"reference_names has {len(set(named))} different names for {len(texts)} references. Give one for each."
        )
    return Campaign(
        "typed",
        systems={_TYPED: Texts.of([translation])},
        references={name: Texts.of([text]) for name, text in zip(named, texts, strict=True)},
        source=None if source is None else Texts.of([source]),
        targeted=frozenset(named[len(references) :]),
    )


def _explain(metric: Metric, campaign: Campaign, segment: int | str, *, typed: bool) -> Explanation:
    """Why a segment of the only system has its score; of one segment there is no average."""
    metric = metric.plain
    if len(campaign.systems) != 1:
        known = ", ".join(campaign.systems) or "none"
        raise InputError(f"{campaign.name} has {len(campaign.systems)} systems ({known}). Say which with --system.")
    (name,), index = campaign.systems, _segment_index(campaign, segment)
    corpus, names = campaign.corpus(name), campaign.segment_names()
    if metric.sees_targeted:
        corpus.require_targeted(metric.name if typed else f"{campaign.name}: {metric.name} of {name!r}", names)
    require_references(metric, corpus, name)
    fitted = fit(metric, corpus.untargeted)
    seen = corpus.only(index) if metric.sees_targeted else corpus.only(index).untargeted
    batch = Shard(0, 1, 1).batch(seen, fitted)
    rows = fitted.count(batch)
    return Explanation(
        metric=fitted,
        translation=seen.translations[0],
        references=tuple(column[0] for column in seen.references),
        reference_names=seen.reference_names,
        score=finite_or_none(float(fitted.for_segments().score(rows)[0])),
        parts={part: finite_or_none(float(value[0])) for part, value in fitted.parts(rows).items()},
        picture=fitted.picture(batch),
        remarks=(
            *fitted.remarks(rows),
            *segment_remarks([fitted]),
            *(f"The score is 0 {reason}." for reason, segments in fitted.zeros(rows).items() if segments[0]),
        ),
        source=None if seen.source is None else seen.source[0],
        system=None if typed else name,
        segment=None if typed else names[index],
    )


@checked
def explain(
    metric: Metric | str,
    *,
    translation: str,
    references: Sequence[str] = (),
    targeted: Sequence[str] = (),
    source: str | None = None,
    reference_names: Sequence[str] | None = None,
    language: str | None = None,
) -> Result:
    """What one translation's score is made of; ``targeted`` are post-edits of it, for HTER.

    A metric that is fitted to a test set (NIST) takes these references for the whole of it; for a segment of a
    campaign see ``explain_segment``. ``language`` is that of the texts, as in all questions.

    >>> explain("wer", translation="the cat sat", references=["the black cat sat"]).of("wer").score
    25.0
    """
    if not references and not targeted:
        raise InputError("There is no reference to explain the score by: references=[text].")
    question = Explain(metrics=metric, translation=translation, against=tuple(references))  # type: ignore[arg-type]
    campaign = _typed_campaign(translation, references, targeted, source, reference_names)
    return ask(question, campaign, Data(language=language))


@checked
def explain_segment(
    metric: Metric | str,
    campaign: Campaign,
    *,
    system: str | None = None,
    segment: int | str = 0,
    language: str | None = None,
) -> Result:
    """What the score of one segment of a campaign is made of.

    ``segment`` is its number from 0, or its name. ``system`` may be left out where there is but one.
    """
    question = Explain(metrics=metric, system=system, segment=str(segment))  # type: ignore[arg-type]
    return ask(question, campaign, Data(language=language))


def explained(explanations: Sequence[Explanation]) -> Result:
    """Explanations as tables, and one drawing of all of them."""
    tables: dict[str, Table] = {"explanations": [], "parts": [], "references": []}
    for each in explanations:
        metric, about = {"metric": str(each.metric)}, {"system": each.system, "segment": each.segment}
        scored = {"score": each.score, "source": each.source, "translation": each.translation}
        tables["explanations"].append(metric | about | scored | {"remarks": " ".join(each.remarks) or None})
        tables["parts"] += [metric | {"part": name, "value": value} for name, value in each.parts.items()]
        references = zip(each.reference_names, each.references, strict=True)
        tables["references"] += [metric | {"reference": name, "text": text} for name, text in references]
        for name, row in each.shown_by.rows(each.picture) if each.shown_by else ():
            tables.setdefault(name, []).append(metric | row)
    figure = Figure(
        "explanation",
        svg=lambda: to_svg(explanations),
        title="; ".join(each.title for each in explanations),
        text=lambda color, width: "\n".join(each.to_text(color=color, width=width) for each in explanations),
    )
    return Result("explain", tables, _VIEWS, figures=(figure,), made=tuple(explanations))


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
