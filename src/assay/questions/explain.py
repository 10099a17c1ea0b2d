"""``assay explain``: why did this translation get this score?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.data.campaign import Campaign
from assay.data.texts import Texts
from assay.errors import InputError, UnknownName
from assay.explanation.explain import explain_corpus
from assay.explanation.explanation import Explanation
from assay.explanation.svg import draw
from assay.metrics.base import Metric
from assay.metrics.pictures import Alignment, BitextGrid, EditScript, NgramMatches, Picture
from assay.questions.asked import Asked, Data, ask
from assay.questions.base import Question, metrics_option, option
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import fit

#: The name of a system that was typed rather than read.
TYPED = "translation"

_KEYS = (Column("metric"),)
VIEWS = (
    View(
        "Why this score?",
        "explanations",
        (Column("score", format=".2f"), Column("source"), Column("translation"), Column("remarks")),
        _KEYS,
    ),
    View("References", "references", (Column("reference"), Column("text")), _KEYS),
    View("What it is made of", "parts", (Column("part"), Column("value", format=".4g")), _KEYS),
    View(
        "N-grams that count",
        "ngrams",
        (
            Column("order", "n", "d"),
            Column("ngram", "n-gram"),
            Column("matched", "counts", "d"),
            Column("translation_count", "of", "d"),
        ),
        _KEYS,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Explain(Question):
    """Why this score? One segment: its alignment, edits and shifts, n-grams, or GTM's grid.

    assay explain campaign/ --system A --segment 17 -m gtm

    assay explain --translation "the cat sat" --against "a cat sat" -m meteor -o picture.svg
    """

    name: ClassVar[str] = "explain"
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
        return typed_campaign(self.translation, self.against, data.targeted)

    def answer(self, asked: Asked) -> Result:
        typed = self.translation is not None
        campaign = asked.campaign if typed else asked.chosen
        if self.system is not None:
            campaign = campaign.choose(systems=[self.system])
        found = [_explain(metric, campaign, self.system, self.segment or 0, typed=typed) for metric in self.metrics]
        return explained(found)


def typed_campaign(
    translation: str,
    references: Sequence[str],
    targeted: Sequence[str] = (),
    source: str | None = None,
    names: Sequence[str] | None = None,
) -> Campaign:
    """One segment, with references that are named by their numbers unless they have names; post-edits come last."""
    texts = (*references, *targeted)
    named = tuple(names or (str(number) for number in range(1, len(texts) + 1)))
    if len(set(named)) != len(texts):
        raise InputError(
            f"{len(texts)} references have {len(set(named))} different names. Give one name per reference."
        )
    return Campaign(
        "typed",
        systems={TYPED: Texts.of([translation])},
        references={name: Texts.of([text]) for name, text in zip(named, texts, strict=True)},
        source=None if source is None else Texts.of([source]),
        targeted=frozenset(named[len(references) :]),
    )


def _explain(
    metric: Metric, campaign: Campaign, system: str | None, segment: int | str, *, typed: bool = False
) -> Explanation:
    name = _the_system(campaign, system)
    index = _segment_index(campaign, segment)
    corpus = campaign.corpus(name)
    if metric.sees_targeted:
        corpus.require_targeted(
            metric.name if typed else f"{campaign.name}: {metric.name} of {name!r}", campaign.segment_names()
        )
    fitted = fit(metric, corpus.untargeted)
    where = {} if typed else {"system": name, "segment": campaign.segment_names()[index]}
    return explain_corpus(fitted, corpus.only(index), **where)


def explain(
    metric: Metric | str,
    *,
    translation: str,
    references: Sequence[str] = (),
    targeted: Sequence[str] = (),
    source: str | None = None,
    reference_names: Sequence[str] | None = None,
) -> Result:
    """What one translation's score is made of; ``targeted`` are post-edits of it, for HTER.

    A metric that is fitted to a test set (NIST) takes these references for the whole of it; for a segment of a
    campaign see ``explain_segment``.

    >>> explain("wer", translation="the cat sat", references=["the black cat sat"]).of("wer").score
    25.0
    """
    for name, text in (("translation", translation), ("source", source)):
        if not isinstance(text, str) and not (name == "source" and text is None):
            raise InputError(f"{name} is {text!r}, but a string is needed: one segment is explained at a time.")
    for name, texts in (("references", references), ("targeted", targeted)):
        if isinstance(texts, str):
            raise InputError(f"{name} is one string, but a list is needed: {name}=[text].")
    if not references and not targeted:
        raise InputError("There is no reference to explain the score by: references=[text].")
    question = Explain(metrics=metric, translation=translation, against=tuple(references))  # type: ignore[arg-type]
    return ask(question, typed_campaign(translation, references, targeted, source, reference_names))


def explain_segment(
    metric: Metric | str, campaign: Campaign, *, system: str | None = None, segment: int | str = 0
) -> Result:
    """What the score of one segment of a campaign is made of.

    ``segment`` is its number from 0, or its name. ``system`` may be left out where there is but one.
    """
    return ask(Explain(metrics=metric, system=system, segment=str(segment)), campaign)  # type: ignore[arg-type]


def explained(found: Sequence[Explanation]) -> Result:
    """Explanations as tables, and one drawing of all of them."""
    tables: dict[str, Table] = {
        "explanations": [
            {
                "metric": str(one.metric),
                "system": one.system,
                "segment": one.segment,
                "score": one.score,
                "source": one.source,
                "translation": one.translation,
                "remarks": " ".join(one.remarks) or None,
            }
            for one in found
        ],
        "parts": [
            {"metric": str(one.metric), "part": name, "value": value}
            for one in found
            for name, value in one.parts.items()
        ],
        "references": [
            {"metric": str(one.metric), "reference": name, "text": text}
            for one in found
            for name, text in zip(one.reference_names, one.references, strict=True)
        ],
    }
    for one in found:
        for name, row in picture_rows(one.picture):
            tables.setdefault(name, []).append({"metric": str(one.metric), **row})
    title = "; ".join(one.title for one in found)
    figure = Figure(
        "explanation",
        svg=lambda: draw(found),
        title=title,
        text=lambda color, width: "\n".join(one.to_text(color=color, width=width) for one in found),
    )
    return Result("explain", tables, VIEWS, figures=(figure,), made=tuple(found))


def picture_rows(picture: Picture | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a picture shows, as rows of tables: each with the table's name."""
    if isinstance(picture, Alignment):
        for link in picture.links:
            yield (
                "links",
                {
                    "kind": link.kind,
                    "chunk": link.chunk,
                    "translation_start": link.translation[0],
                    "translation_end": link.translation[1],
                    "translation": " ".join(picture.translation[slice(*link.translation)]),
                    "reference_start": link.reference[0],
                    "reference_end": link.reference[1],
                    "reference": " ".join(picture.reference[slice(*link.reference)]),
                },
            )
    elif isinstance(picture, EditScript):
        for edit in picture.edits:
            yield (
                "edits",
                {
                    "operation": edit.operation,
                    "translation_position": edit.translation,
                    "translation": None if edit.translation is None else picture.translation[edit.translation],
                    "reference_position": edit.reference,
                    "reference": None if edit.reference is None else picture.reference[edit.reference],
                },
            )
        for number, shift in enumerate(picture.shifts, start=1):
            words = " ".join(picture.translation[word] for word in shift.words)
            yield "shifts", {"shift": number, "words": words, "source": shift.source, "target": shift.target}
    elif isinstance(picture, NgramMatches):
        for order in picture.orders:
            for match in order.matches:
                yield (
                    "ngrams",
                    {
                        "order": order.order,
                        "unit": order.unit,
                        "ngram": ("" if order.unit == "character" else " ").join(match.words),
                        "matched": match.matched,
                        "translation_count": match.translation_count,
                        "reference_count": match.reference_count,
                        "weight": match.weight,
                    },
                )
    elif isinstance(picture, BitextGrid):
        capped = set(picture.capped)
        for row, column in picture.hits:
            yield "hits", {"row": row, "column": column, "capped": (row, column) in capped}
        for run in picture.runs:
            yield "runs", {"row": run.row, "column": run.column, "length": run.length, "counted": run.counted}


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
