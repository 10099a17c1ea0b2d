"""Questions about metrics, each answered by a table and a figure: ``assay study NAME``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np

from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.data.texts import Texts
from assay.errors import AssayWarning, InputError, counted
from assay.metrics.base import Metric
from assay.metrics.options import TEXT_OPTIONS
from assay.people.pictures import drawn
from assay.questions.asked import Asked
from assay.questions.base import Question
from assay.results import charts
from assay.results.figure import Figure, Figures
from assay.results.result import Column, Result, Table, View
from assay.significance.draws import wilson_interval

#: BLEU as scores of segments need it: without it, whatever has fewer than four words is worth 0. Scores of whole
#: texts are the same.
SENTENCE_BLEU = "bleu(effective_order=true)"

#: What a study takes that is about one metric, which stays on its own tokens: there are no others to compare it with.
ONE_METRIC = ("texts", "metrics", "judgements", "units")
#: What a study takes whose metrics may be scores of other programs.
WITH_SCORES = ("texts", "metrics", "scores", "recipes", "judgements", "units")
#: The row of all systems together.
ALL_SYSTEMS = "all systems"

Rows = Iterable[Mapping[str, Any]]
T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class Study(Question):
    """Base class of all studies; subclasses add their options as fields."""

    command = "study"
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "recipes", "judgements", "units")
    working = "Studying"
    renamed: ClassVar[Mapping[str, str]] = {
        "--save": "A result is kept by -o FILE.json.",
        "metric": "Several metrics are metrics=['bleu', 'chrf'].",
    }
    #: What a printed table shows; JSON, TSV and CSV have every column.
    columns: ClassVar[tuple[Column, ...]]
    #: Further tables that are printed below, by name: those that people read rather than programs.
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {}
    #: Options of metrics' recipes that it varies itself.
    varies: ClassVar[tuple[str, ...]] = ()

    def require_different(self, option: str, wanted: str) -> None:
        """Raise unless an option has values, each of them once: for use in ``check``."""
        values = getattr(self, option)
        self.require(len(set(values)) == len(values) > 0, option, wanted)

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """The figure, out of the tables; an ``InputError`` where they have nothing to draw."""
        raise InputError(f"{self.name} has no figure.")

    def drawings(self, campaign: str, tables: Mapping[str, Table]) -> Sequence[Callable[[], Figure]]:
        """What draws each of its figures; where there are several, ``pictures`` has their names in this order."""
        return (lambda: self.picture(campaign, tables),)

    def _recipe(self, asked: Asked) -> tuple[str, str]:
        """On which tokens word metrics are compared: in a few words, and as a sentence; nothing where none is."""
        words = [metric.recipe for metric in self.named_metrics() if metric.cuts_words]
        if "recipes" not in self.takes or not words:
            return "", ""
        if asked.recipe is None:
            return "own", "Each metric on its own tokens."
        steps = asked.recipe.steps()
        said = ", ".join(steps[option] for option in steps if option not in self.varies)
        fixed = [option for option in TEXT_OPTIONS if option not in self.varies]
        alike = all(getattr(recipe, option) == getattr(asked.recipe, option) for recipe in words for option in fixed)
        return said, f"Word metrics on the same tokens ({said}){'' if alike else ' unless a name says otherwise'}."

    def result(
        self,
        asked: Asked,
        tables: Mapping[str, Rows],
        findings: Iterable[str],
        metrics: Iterable[Metric],
        *,
        usage: Sequence[str] = (),
        kind: str | None = None,
        hidden: Iterable[str] = (),
        notes: Mapping[str, Sequence[str]] | None = None,
    ) -> Result:
        """The answer: its ``table``, further ones by name, what they say in sentences, and a picture of them.

        ``metrics`` are those that were computed, ``usage`` says what became of the judgements, which is the last of
        the ``findings`` unless it is among them, ``kind`` is theirs where it is the same in all rows, ``hidden`` are
        columns that people need not see, and ``notes`` stand right below a table.
        """
        kinds = {} if kind is None else {"kind": kind}
        long = {name: [{**kinds, **row} for row in rows] for name, rows in tables.items()}
        recipe, sentence = self._recipe(asked)
        views = {"table": (f"{asked.name}: {self.question} {sentence}".rstrip(), self.columns)}
        views |= {name: (name.replace("_", " ").capitalize(), columns) for name, columns in self.further.items()}
        draw = self.drawings(asked.name, long)
        return Result(
            self.name,
            long,
            tuple(
                View(
                    title,
                    name,
                    tuple(column for column in columns if column.name not in set(hidden)),
                    notes=tuple((notes or {}).get(name, ())),
                )
                for name, (title, columns) in views.items()
            ),
            tuple(dict.fromkeys([*findings, *usage])),
            setup=({"usage": " ".join(usage)} if usage else {}) | ({"recipe": recipe} if recipe else {}),
            signatures=asked.signatures(metrics),
            # Where nothing is defined, as the table says, there is nothing to draw.
            figures=Figures(lambda: (charts.with_line(figure, sentence) for figure in drawn(*draw))),
        )


def usable_references(campaign: Campaign, study: str, *, fewest: int = 1) -> dict[str, Texts]:
    """References that all segments have; post-edits were made from one system's words, and are none."""
    usable = {name: texts for name, texts in campaign.references.items() if name not in campaign.targeted}
    for name in usable:
        _require_whole(campaign, name, f"and {study} needs references for all segments")
    if not usable:
        raise InputError(f"{campaign.name} has no reference that {study} could use.")
    empty = {name: texts.lengths() == 0 for name, texts in usable.items()}
    everywhere = np.logical_and.reduce(list(empty.values()))
    for name, lines in empty.items():
        # As a candidate or alone it would be no translation.
        count = int((lines & ~everywhere).sum())
        if count:
            others = ",".join(other for other in usable if not empty[other].all())
            remedy = f"it out: --refs {others}" if lines.all() else f"them out: --where 'ref.{name}!='"
            warn(
                f"Reference {name!r} is empty in {counted(count, 'segment')} where others have words, and scores there "
                f"say nothing. Leave {remedy}."
            )
    if len(usable) < fewest:
        raise InputError(
            f"{study} compares sets of references, and {campaign.name} has {len(usable)} in use. It needs at least two."
        )
    return usable


def _require_whole(campaign: Campaign, name: str, why: str) -> None:
    """Refuse a reference that some segment lacks."""
    present = campaign.present.get(name)
    if present is not None and not present.all():
        missing = campaign.segment_names()[int((~present).argmax())]
        raise InputError(
            f"{campaign.name}: reference {name!r} has no segment {missing}, {why}. Choose others with --refs."
        )


def candidates(asked: Asked) -> dict[str, Corpus]:
    """A corpus per system or, where there are references alone, per reference beside the others."""
    if asked.campaign.systems:
        return asked.chosen.corpora()
    chosen = asked.campaign.choose(references=asked.data.references or None)
    # A post-edit was made from one system's words, and is no translation of its own.
    people = {name: texts for name, texts in chosen.references.items() if name not in chosen.targeted}
    if len(people) < 2:
        raise InputError(
            f"{chosen.name} has no system, and {len(people)} of its references in use. "
            "Without systems each reference is compared with the others, so at least two are needed."
        )
    chosen = replace(chosen, references=people, systems=people, targeted=frozenset(), leaves_references_out=False)
    everyone = chosen.choose(systems=asked.data.chosen_systems or None)
    corpora = {}
    for name in everyone.systems:
        _require_whole(everyone, name, "so it cannot be a candidate")
        others = {other: texts for other, texts in everyone.references.items() if other != name}
        corpora[name] = replace(everyone, references=others).corpus(name)
    return corpora


def share_of(count: int, total: int) -> dict[str, float | None]:
    """A share in percent with Wilson's interval, as cells of a table; None of nothing."""
    if total == 0:
        return {"share": None, "low": None, "high": None}
    low, high = wilson_interval(count, total)
    return {"share": 100.0 * count / total, "low": 100.0 * low, "high": 100.0 * high}


def those(rows: Iterable[dict[str, Any]], **cells: Any) -> Table:
    """The rows that have these cells.

    >>> those([{"metric": "bleu", "k": 1}, {"metric": "bleu", "k": 2}], k=2)
    [{'metric': 'bleu', 'k': 2}]
    """
    return [row for row in rows if cells.items() <= row.items()]


def different(rows: Rows, column: str) -> list[Any]:
    """The different values of a column, as they come."""
    return list(dict.fromkeys(row[column] for row in rows))


def grouped(rows: Iterable[dict[str, Any]], *columns: str) -> Iterator[tuple[Any, Table]]:
    """The different values of a column, or of several, as they come, and the rows that have them.

    >>> dict(grouped([{"k": 1, "n": 5}, {"k": 2, "n": 6}, {"k": 1, "n": 7}], "k"))
    {1: [{'k': 1, 'n': 5}, {'k': 1, 'n': 7}], 2: [{'k': 2, 'n': 6}]}
    """
    groups: dict[tuple[Any, ...], Table] = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    for values, members in groups.items():
        yield values if len(columns) > 1 else values[0], members


def watched(items: Sequence[T], asked: Asked, start: float = 0.0, stop: float = 1.0) -> Iterator[T]:
    """The items, one after the other; whoever waits is told how many are done, from the share ``start`` to ``stop``."""
    for done, item in enumerate(items, start=1):
        yield item
        asked.report(start + (stop - start) * done / len(items))


def warn(text: str) -> None:
    """Tell whoever asks."""
    warnings.warn(text, AssayWarning, stacklevel=4)


def defined(rows: Iterable[dict[str, Any]], *columns: str) -> Table:
    """The rows in which these are numbers; there has to be one."""
    numbers = [row for row in rows if all(row[column] is not None for column in columns)]
    if not numbers:
        raise InputError(
            "No correlation is defined, so there is nothing to draw: the people, or every metric, give all the same "
            "score. Without --figure the table is printed."
        )
    return numbers
