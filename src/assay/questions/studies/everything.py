"""All studies of one campaign as one answer; what it cannot answer says why."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, ClassVar, Self

from assay.data.problems import note
from assay.errors import AssayError, AssayWarning
from assay.metrics.base import Metric
from assay.people.usage import listed_kinds
from assay.questions.asked import REFUSALS, Asked, answer, remarks
from assay.questions.base import KIND, Campaigns, Question, metrics_option, option
from assay.questions.studies.registry import STUDIES, study_class
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Table, View
from assay.text.recipe import Recipe


@dataclass(frozen=True, kw_only=True)
class Everything(Question):
    """Every study of a campaign in one answer; -o page.html is a page with all tables and figures.

    Options go to the studies that have them. Of several kinds of judgement each is taken in turn, unless --kind says
    which. A study that the campaign cannot answer is listed with the reason.
    """

    name = "all"
    question = "What do all studies say?"
    command = "study"
    takes = ("texts", "metrics", "recipes", "judgements", "units")
    working = "Studying"
    # Each study is asked of every kind, and of every campaign.
    kinds_apart = False
    campaigns: ClassVar[Campaigns] = "together"

    metrics: tuple[Metric, ...] = metrics_option((), "Of studies about several metrics.")
    kind: tuple[str, ...] = option((), KIND, metavar="KIND,...")
    normalise: str | None = option(None, "Raters against each other: none, z, robust-z, quantile.", metavar="NAME")
    missing: float | None = option(None, "A score that stands for no judgement.", metavar="SCORE")
    k: tuple[int, ...] = option((), "How many references at a time.", metavar="2,4", least=1)
    others: tuple[str, ...] = option((), "Other texts, for foreign-texts.", metavar="PATH,...")

    def check(self) -> None:
        self.studies()

    def on_texts(self, recipe: Recipe | None, language: str | None) -> Self:
        """Itself: each study is put on the texts by itself."""
        return self

    def studies(self) -> list[Question]:
        """All of them, with the options that they have: what is wrong with one is no matter of the campaign."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        given = {name: value for name, value in given.items() if value not in ((), None)}
        studies = []
        for study in map(study_class, STUDIES):
            known = {field.name for field in fields(study)}
            studies.append(study(**{option: value for option, value in given.items() if option in known}))
        return studies

    def answer(self, asked: Asked) -> Result:
        judgements, everything = asked.campaign.judgements, self
        if judgements is not None and not self.kind and len(judgements.kinds) > 1 and not asked.several:
            everything = replace(self, kind=judgements.kinds)
            note(f"Several kinds of judgement, each in turn: {listed_kinds(judgements)}. Choose with --kind A,B.")
        studies = everything.studies()
        listed: Table = []
        tables: dict[str, Table] = {"studies": listed}
        views: list[View] = []
        drawn: dict[str, Callable[[], Sequence[Figure]]] = {}
        signatures: dict[str, str] = {}
        setup: dict[str, Any] = {}
        for done, study in enumerate(studies):
            part = ask_part(study, asked, done / len(studies), (done + 1) / len(studies))
            result = part.result
            listed.append({"study": study.name, "question": study.question, "answered": result is not None})
            listed[-1]["reason"] = part.reason
            if result is None:
                continue
            options = study.options(asked.data)
            tables |= {f"{study.name}.{name}": rows for name, rows in result.tables.items()}
            views += _section(study, result, part.notes, options)
            drawn[study.name] = partial(tuple, result.figures)
            add_signatures(signatures, result, study.name)
            setup[study.name] = {"options": options, **result.setup}
        answered = sum(row["answered"] for row in listed)
        title = f"{asked.name}: {answered} of {len(listed)} studies have an answer"
        columns = (Column("study"), Column("question"), Column("answered", format="yes|no"), Column("reason"))
        contents = View(title, "studies", columns)
        figures = named_figures(drawn)
        return Result(self.name, tables, (contents, *views), setup=setup, signatures=signatures, figures=figures)


def add_signatures(signatures: dict[str, str], result: Result, part: str) -> None:
    """Add those of one part of an answer: a metric may have other tokens there than in the parts before."""
    for name, line in result.signatures.items():
        signatures[name if signatures.get(name, line) == line else f"{name}, {part}"] = line


def named_figures(drawn: Mapping[str, Callable[[], Sequence[Figure]]]) -> Figures:
    """The figures of all parts, each by the names of its part and its own."""
    return Figures(
        lambda: (replace(one, name=f"{part}.{one.name}") for part, figures in drawn.items() for one in figures())
    )


@dataclass(frozen=True)
class Part:
    """What became of one question among several: its answer, or why there is none, and what was remarked."""

    result: Result | None
    reason: str | None
    notes: tuple[str, ...]


def ask_part(question: Question, asked: Asked, start: float, stop: float) -> Part:
    """Ask one question of several; ``start`` and ``stop`` are its share of all work.

    What a campaign, or a kind of judgement, cannot answer is no end of the others: a warning says it.
    """
    recipe = asked.data.recipe_for(question)
    part = replace(asked.with_recipe(recipe), progress=asked.part(start, stop))
    refused: dict[str, AssayError] = {}
    result, reason = None, None
    with remarks(again=False) as said:
        try:
            result = answer(question.on_texts(recipe, asked.data.language), part, refused)
            reason = " ".join(f"{name}: {error}" for name, error in refused.items()) or None
        except REFUSALS as error:
            # What is the same for all kinds is said once.
            reason = " ".join({str(each): 0 for each in (*refused.values(), error)})
    if reason:
        warnings.warn(f"no answer to {question.name}: {reason}", AssayWarning, stacklevel=2)
    part.report(1.0)
    return Part(result, reason, tuple(f"{remark.level.capitalize()}: {remark}" for remark in said))


def _section(study: Question, result: Result, notes: Iterable[str], options: Mapping[str, Any]) -> list[View]:
    """The views of one study, the last of them that is printed with all that the study says."""
    shown = [view for view in result.views if result.tables.get(view.table)]
    views = [
        replace(view, title=_title(study, view), table=f"{study.name}.{view.table}", section=study.name)
        for view in shown
    ]
    below = (*result.findings, f"Source: {study.source}.", *notes, f"Options: {_spelled(options)}.")
    last = max(place for place, view in enumerate(views) if not view.on_page)
    views[last] = replace(views[last], notes=(*views[last].notes, *below))
    return views


def _title(study: Question, view: View) -> str:
    """A view that says what is asked says which study asks, and of which kind where there are several."""
    _, asked, further = view.title.partition(study.question)
    return f"{', '.join(filter(None, (study.name, view.section)))}: {asked}{further}" if asked else view.title


def _spelled(options: Mapping[str, Any]) -> str:
    """Options that are set, as people read them."""
    texts = {name: value if isinstance(value, list) else [value] for name, value in options.items()}
    return "; ".join(
        f"{name} = {', '.join(map(str, value))}"
        for name, value in texts.items()
        if value not in ([], [None], [""], [False])
    )
