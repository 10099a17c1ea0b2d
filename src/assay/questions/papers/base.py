"""A paper, exhibit by exhibit, on one's own data: ``assay paper NAME CAMPAIGN``.

An exhibit is a table, figure or claim of the paper: the question that answers it here, the numbers that the paper
printed (``published.tsv``), and whether what the paper says of them holds for the campaign.
"""

from __future__ import annotations

import csv
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, NamedTuple, Self

from assay.errors import counted
from assay.metrics.registry import metric as named_metric
from assay.people.usage import listed_kinds
from assay.questions.asked import Asked, Data, ask
from assay.questions.base import KIND, Campaigns, Question, option
from assay.questions.explain import Explain
from assay.questions.studies.base import different
from assay.questions.studies.everything import Part, add_signatures, ask_part, named_figures
from assay.questions.studies.registry import study_class
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.result import AVERAGE, Column, Result, Table, View
from assay.results.visible import html
from assay.text.recipe import Recipe

#: Tables of an answer, by name; and whether a finding holds there (None where nobody can say), with what is seen.
Tables = Mapping[str, Table]
Verdict = tuple[bool | None, str]
#: Keys and numbers of exhibits that are single numbers, each in a unit of its own: no picture holds them together.
WHAT, VALUE = (Column("what", ""),), (Column("value", "value", ".4g"),)
#: A table of synonyms for the example of Lavie's lecture.
_SYNONYMS = "iraq.tsv"
#: What rows of the campaign are called beside those of the paper.
HERE = "here"
#: More rows than these are too many for a picture of published numbers beside one's own.
_DRAWN = 40


class _Published(NamedTuple):
    """One printed number."""

    paper: str
    exhibit: str
    page: str
    #: The data that it is about.
    data: str
    #: The cells that say which row it is, and the column.
    row: Mapping[str, Any]
    column: str
    #: As it was printed, and on the scale of Assay.
    printed: float
    value: float
    #: What was printed behind ±, on the scale of Assay.
    plus_minus: float | None


@cache
def published() -> tuple[_Published, ...]:
    """Every number of the papers that something here is set beside."""
    text = files("assay.questions.papers").joinpath("published.tsv").read_text(encoding="utf-8")
    return tuple(map(_read, csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)))


def _read(row: dict[str, str]) -> _Published:
    cells = dict(cell.split("=", 1) for cell in row.pop("row").split("; "))
    printed, times, ends = float(row.pop("printed")), float(row.pop("times") or 1), row.pop("plus_minus")
    return _Published(
        **row,
        row={name: int(text) if name == "k" else text for name, text in cells.items()},
        printed=printed,
        value=printed * times,
        plus_minus=float(ends) * times if ends else None,
    )


@dataclass(frozen=True)
class Exhibit:
    """A table, figure or claim of a paper."""

    paper: str
    #: As the paper calls it: Table 1, Figure 3, Section 4.
    name: str
    #: Of the paper, or the slide of a lecture.
    page: str
    #: What it shows, and what the paper says of it.
    title: str
    says: str
    #: The question that answers it here, for judgements of these kinds.
    ask: Callable[[Paper, Here], Question]
    #: The rows that it shows, out of the tables of the answer; the keys tell them apart.
    rows: Callable[[Tables], Table]
    keys: tuple[Column, ...]
    numbers: tuple[Column, ...]
    #: Whether the finding holds, by these rows.
    holds: Callable[[Table], Verdict]
    #: Why there may be no row.
    nothing: str = "There is nothing to look at."

    @property
    def published(self) -> list[_Published]:
        """What was printed."""
        return [one for one in published() if (one.paper, one.exhibit) == (self.paper, self.name)]


class Here(NamedTuple):
    """What a campaign has for a paper: how many references, and kinds of judgement that stand for the paper's.

    The kinds are given each apart, and all as one score.
    """

    apart: tuple[str, ...]
    total: tuple[str, ...]
    references: int

    @classmethod
    def of(cls, named: Sequence[str], asked: Asked) -> Here:
        """The kinds that are named; else adequacy and fluency, where there are both, as in the papers; else all."""
        judgements = asked.campaign.judgements
        there = () if judgements is None else judgements.kinds
        usual = tuple(kind for kind in ("acceptability", "adequacy", "fluency") if kind in there)
        chosen = tuple(named) or (usual if len(usual) > 1 else ())
        plain = len(chosen) > 1 and not any(set(name) & set("+/*?[!") for name in chosen)
        pair = tuple(kind for kind in chosen if kind in ("adequacy", "fluency"))
        summed = pair if len(pair) == 2 else chosen
        texts = asked.campaign.choose(references=asked.data.references or None)
        count = sum(name not in texts.targeted for name in texts.references)
        return cls(chosen, ("+".join(summed),) if plain else chosen, count)


@dataclass(frozen=True, kw_only=True)
class Paper(Question):
    """Every exhibit of a paper on your data, in the paper's order, with the printed numbers beside yours.

    A sentence says whether what the paper found holds here. What the campaign cannot answer stands there with the
    reason. -o page.html is a page with all tables and figures.
    """

    command = "paper"
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "recipes", "judgements", "units")
    working = "Reading and reckoning"
    needs: ClassVar[Mapping[str, int]] = {"references": 1}
    leading: ClassVar[str] = "kind"
    # Each exhibit has kinds of its own, and is asked of every campaign.
    kinds_apart = False
    campaigns: ClassVar[Campaigns] = "together"
    #: The papers, and their exhibits in the papers' order.
    papers: ClassVar[tuple[str, ...]]

    kind: tuple[str, ...] = option((), KIND, metavar="KIND,...")
    others: tuple[str, ...] = option(
        (), "Other texts, for what asks whether a true translation is known from them.", metavar="PATH,..."
    )
    samples: int | None = option(None, "Bootstrap samples (default: each exhibit's own).", metavar="N", least=2)

    def exhibits(self) -> list[Exhibit]:
        """All of them."""
        from assay.questions.papers.registry import exhibits_of

        return [exhibit for name in self.papers for exhibit in exhibits_of(name)]

    def study(self, name: str, **options: Any) -> Question:
        """A study with these options, and as many samples as were asked for, if it takes them."""
        cls = study_class(name)
        if self.samples is not None and "samples" in {part.name for part in fields(cls)}:
            options["samples"] = self.samples
        return cls(**options)

    def on_texts(self, recipe: Recipe | None, language: str | None) -> Self:
        """Itself: each exhibit is put on the texts by itself."""
        return self

    def answer(self, asked: Asked) -> Result:
        here = Here.of(self.kind, asked)
        exhibits = self.exhibits()
        answers: dict[Question, tuple[Part, str]] = {}
        listed: Table = []
        tables: dict[str, Table] = {"exhibits": listed}
        views: list[View] = []
        pictures: dict[str, Callable[[], Sequence[Figure]]] = {}
        signatures: dict[str, str] = {}
        setup: dict[str, Any] = {}
        for done, exhibit in enumerate(exhibits):
            question, section = exhibit.ask(self, here), self._section(exhibit)
            # Several exhibits may be parts of one answer, which stands in full at the first of them.
            if question not in answers:
                asking = ask_part(question, asked, done / len(exhibits), (done + 1) / len(exhibits))
                answers[question] = asking, section
            part, first = answers[question]
            shown = {"paper": exhibit.paper, "exhibit": exhibit.name, "page": exhibit.page, "shows": exhibit.title}
            shown |= {"says": exhibit.says}
            if part.result is None:
                listed.append({**shown, "campaign": None, "kind": None, "holds": None, "here": part.reason})
                continue
            rows, seen = _looked_at(exhibit, part.result, question)
            listed += [shown | verdict for verdict in seen]
            tables[section] = rows
            more = [*part.notes, *part.result.findings] if first == section else [f"More on this answer: see {first}."]
            notes = [f"The paper: {exhibit.says}", *map(_said, seen), *filter(None, [part.reason]), *more]
            views += _views(exhibit, rows, section, [*notes, f"By: {typed(question)}"])
            pictures[section] = _pictures(exhibit, rows, part.result if first == section else None)
            for view in part.result.views if first == section else ():
                # What dots of a picture lead to.
                if view.anchor is not None:
                    tables[name := f"{section}, {view.table}"] = part.result.tables[view.table]
                    views.append(replace(view, table=name, section=section))
            add_signatures(signatures, part.result, section)
            setup[section] = {"options": question.options(asked.data), **part.result.setup}
        tables["published"] = [_printed(one) for exhibit in exhibits for one in exhibit.published]
        return Result(
            self.name,
            tables,
            (self._contents(listed, asked), *views),
            tuple(self._findings(listed, len(exhibits) - len(setup), here, asked)),
            setup=setup,
            signatures=signatures,
            figures=named_figures(pictures),
        )

    def _section(self, exhibit: Exhibit) -> str:
        return exhibit.name if len(self.papers) == 1 else f"{exhibit.paper} {exhibit.name}"

    def _contents(self, listed: Table, asked: Asked) -> View:
        # The page stands in the heading of each exhibit.
        columns = [Column("exhibit"), Column("shows"), Column("holds", format="yes|no")]
        columns += [Column("kind")] if len({row["kind"] for row in listed}) > 1 else []
        columns += [Column("campaign")] if asked.several else []
        columns = [Column("paper"), *columns] if len(self.papers) > 1 else columns
        return View(f"{asked.name}: {self.question}", "exhibits", (*columns, Column("here", "what is seen here")))

    def _findings(self, listed: Table, unanswered: int, here: Here, asked: Asked) -> Iterator[str]:
        told = [row for row in listed if row["holds"] is not None]
        held = sum(row["holds"] for row in told)
        yield (
            f"Of {counted(len(told), 'finding')} that can be looked at here, {held} hold and {len(told) - held} do not."
            + (f" {counted(unanswered, 'exhibit')} without an answer: the reason stands there." if unanswered else "")
        )
        judgements = asked.campaign.judgements
        if judgements is not None and not here.apart and len(judgements.kinds) > 1:
            yield f"There are several kinds of judgement: {listed_kinds(judgements)}. Choose with --kind A,B."
        yield (
            "Whether a finding holds goes by the values; intervals, where there are any, say how sure they are. "
            "Printed numbers are of other texts, systems and judges: they are there to be looked at, not to be met. "
            "Scores are on the scale of Assay, 0 to 100; the table published has them as they were printed."
        )


def _looked_at(exhibit: Exhibit, result: Result, question: Question) -> tuple[Table, list[dict[str, Any]]]:
    """The rows of the campaign and of the paper, and whether the finding holds: by campaign and kind of judgement.

    ``source`` says whose a row is.
    """
    rows: Table = []
    verdicts: list[dict[str, Any]] = []
    everything = [row for table in result.tables.values() for row in table]
    campaigns = list(dict.fromkeys(row.get("campaign") for row in everything)) or [None]
    kinds = list(dict.fromkeys(row.get("kind") for row in everything if row.get("kind") is not None)) or [None]
    # Elsewhere a column of that name says something else.
    apart = len(kinds) > 1 and question.kinds_apart and hasattr(question, "kind")
    for campaign in campaigns:
        for kind in kinds if apart else [None]:
            named = {"campaign": campaign} | ({"kind": kind} if apart else {})
            part = {
                name: [row for row in table if all(row.get(key) in (cell, None) for key, cell in named.items())]
                for name, table in result.tables.items()
            }
            source = ", ".join(filter(None, [campaign or HERE, kind]))
            own = exhibit.rows(part)
            rows += [{"source": source} | row for row in own]
            if campaign != AVERAGE:
                holds, seen = exhibit.holds(own) if own else (None, exhibit.nothing)
                verdicts.append({"campaign": campaign, "kind": kind, "holds": holds, "here": seen})
    return [*rows, *_printed_rows(exhibit)], verdicts


def _printed_rows(exhibit: Exhibit) -> Table:
    """The paper's rows, as those of the campaign are."""
    names = [column.name for column in exhibit.keys]
    ends = {column.name: (column.low, column.high) for column in exhibit.numbers}
    printed: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in exhibit.published:
        cells = tuple(one.row.get(name) for name in names)
        row = printed.setdefault((one.data, *cells), {"source": one.data, **dict(zip(names, cells, strict=True))})
        row[one.column] = one.value
        low, high = ends.get(one.column, (None, None))
        if one.plus_minus is not None and low and high:
            row |= {low: one.value - one.plus_minus, high: one.value + one.plus_minus}
    return list(printed.values())


def _said(verdict: Mapping[str, Any]) -> str:
    whose = ", ".join(filter(None, [verdict["campaign"], verdict["kind"]]))
    word = {True: "It holds here", False: "It does not hold here", None: "Here"}[verdict["holds"]]
    return f"{word}{f' ({whose})' if whose else ''}: {verdict['here']}"


def _views(exhibit: Exhibit, rows: Table, section: str, notes: Sequence[str]) -> list[View]:
    """The exhibit's own rows beside those of the paper; without the latter, as a plain table."""
    title = f"{_place(exhibit, section)}: {exhibit.title}"
    if len({row["source"] for row in rows}) < 2:
        columns = (*exhibit.keys, *exhibit.numbers)
        return [View(title, section, columns, notes=tuple(notes), section=section)]
    several = len(exhibit.numbers) > 1
    numbers = tuple(
        replace(column, heading=f"{column.heading or column.name}, {{}}" if several else "{}")
        for column in exhibit.numbers
    )
    return [View(title, section, numbers, exhibit.keys, over="source", notes=tuple(notes), section=section)]


def _place(exhibit: Exhibit, section: str) -> str:
    """Where an exhibit is found: what it is called, and its page; slides are called by theirs."""
    return section if exhibit.page == exhibit.name.lower() else f"{section}, {exhibit.page}"


def _pictures(exhibit: Exhibit, rows: Table, result: Result | None) -> Callable[[], list[Figure]]:
    """The pictures of the answer, once for all exhibits that it answers, and printed numbers beside one's own."""

    def made() -> list[Figure]:
        drawn = [] if result is None else list(result.figures)
        return [*drawn, *(figure for column in exhibit.numbers for figure in _beside(exhibit, rows, column))]

    return made


def _beside(exhibit: Exhibit, rows: Table, column: Column) -> Iterator[Figure]:
    """Printed numbers and those of the campaign as dots."""
    if column in VALUE or column.name not in {one.column for one in exhibit.published}:
        return
    there = [row for row in rows if row.get(column.name) is not None]
    sources = different(there, "source")
    named = [
        row
        | {"said": f"{row[column.name]:{column.format or 'g'}}"}
        | {"row": ", ".join(_cell(key, row[key.name]) for key in exhibit.keys if row.get(key.name) is not None)}
        for row in there
    ]
    labels = different(named, "row")
    # Printed numbers alone are beside nothing.
    if not set(sources) - {one.data for one in exhibit.published} or not 0 < len(labels) <= _DRAWN:
        return
    ends = (column.low or column.name, column.high or column.name)
    colors = charts.palette(sources)
    dots = charts.interval_dots(
        [{ends[0]: None, ends[1]: None} | row for row in named] if column.low else named,
        name="row", value=column.name, ends=ends if column.low else None, label="said", group="source", colors=colors,
        order=labels, step=15, heading=column.heading or column.name, axis=Axis(zero=column.format.startswith("+")),
    )  # fmt: skip
    whose = f"{exhibit.paper}, {_place(exhibit, exhibit.name)}"
    yield charts.figure(f"beside-{column.name}", charts.above(charts.key(colors), dots), exhibit.title, [whose])


def _cell(key: Column, value: Any) -> str:
    """What tells a row apart; a number says what it counts."""
    return str(value) if isinstance(value, str) else f"{value:g} {key.heading or key.name}"


def _printed(one: _Published) -> dict[str, Any]:
    return one._asdict() | {"row": ", ".join(f"{name} {cell}" for name, cell in one.row.items())}


def typed(question: Question) -> str:
    """What one would type to ask a question alone, the campaign aside: options that are not as usual."""
    if hasattr(question, "typed"):
        return str(question.typed)
    words = ["assay", question.command, question.name]
    usual = type(question)()
    for part in fields(question):
        value = getattr(question, part.name)
        if value == getattr(usual, part.name):
            continue
        flag = (part.metadata["flag"] or f"--{part.name.replace('_', '-')}").split(", ")[0]
        texts = value if isinstance(value, tuple) else (value,)
        texts = tuple(map(str, texts)) if part.metadata["repeat"] and flag != "-m" else (",".join(map(str, texts)),)
        words += [flag if value is True else f"{flag} {shlex.quote(text)}" for text in texts]
    return " ".join(filter(None, words))


@dataclass(frozen=True, kw_only=True)
class Example(Question):
    """A worked example of a paper, counted here: the campaign plays no part in it."""

    name = "explain"
    question = "What does a worked example come to?"
    takes: ClassVar[tuple[str, ...]] = ()
    campaigns: ClassVar[Campaigns] = "together"

    translation: str = option("", "The translation.")
    against: tuple[str, ...] = option((), "The references.", repeat=True)
    metrics: tuple[str, ...] = option((), "The metrics, spelled.", flag="-m, --metric")

    def answer(self, asked: Asked) -> Result:
        # The one word list that an example needs is in the package.
        synonyms = str(files("assay.questions.papers").joinpath(_SYNONYMS))
        metrics = tuple(named_metric(spelled.replace(_SYNONYMS, synonyms)) for spelled in self.metrics)
        explain = Explain(translation=self.translation, against=self.against, metrics=metrics)
        explained = ask(explain, explain.own_campaign(Data()) or asked.campaign, Data())
        rows = [
            {"metric": spelled, "part": part, "value": value}
            for spelled, one in zip(self.metrics, explained.made, strict=True)
            for part, value in {"score": one.score, **one.parts}.items()
        ]
        return Result(self.name, {"table": rows}, figures=tuple(_without(synonyms, one) for one in explained.figures))


def _without(path: str, figure: Figure) -> Figure:
    """A drawing with the name of the example's word list alone: where it lies on this machine is nobody's business."""
    drawn = figure.to_svg().replace(html(path), _SYNONYMS)
    return replace(figure, svg=drawn, text=figure.to_text().replace(path, _SYNONYMS))


def parts_of(names: Mapping[tuple[str, str], str]) -> Callable[[Tables], Table]:
    """Rows of a worked example: what parts of metrics are called there."""
    return lambda tables: [
        {"what": what, "value": cell(tables["table"], "value", metric=metric, part=part)}
        for (metric, part), what in names.items()
    ]


def as_printed(paper: str, name: str, digits: int) -> Callable[[Table], Verdict]:
    """Whether a worked example comes out as it was printed, to so many digits."""

    def holds(rows: Table) -> Verdict:
        printed = {one.row["what"]: one.value for one in published() if (one.paper, one.exhibit) == (paper, name)}
        off = [row["what"] for row in rows if abs(row["value"] - printed[row["what"]]) > 0.5 * 10.0**-digits]
        return (
            not off,
            f"{', '.join(off)} come out differently." if off else "Every number comes out as it was printed.",
        )

    return holds


def table(tables: Tables) -> Table:
    """The first table of an answer, as it is."""
    return next(iter(tables.values()))


def what(*pairs: tuple[str, float | None]) -> Table:
    """Rows of single numbers: what each is, and its value."""
    return [{"what": name, "value": value} for name, value in pairs]


def values_seen(rows: Table) -> Verdict:
    """What single numbers come to, where a paper only shows its own."""
    return None, "; ".join(f"{row['what']} {row['value']:.4g}" for row in rows) + "."


def cell(rows: Table, column: str, **named: Any) -> float | None:
    """The number in the row that has these cells; None where there is none."""
    return next((row[column] for row in rows if named.items() <= row.items()), None)


def pairs(rows: Table, column: str, by: str, ends: tuple[Any, Any], *same: str) -> list[tuple[float, float]]:
    """The numbers of rows that differ in ``by`` alone, which is the first of the ``ends`` here and the other there.

    ``same`` are the columns that say which rows belong together; what is not defined at both ends is left out.
    """
    found = [
        (row[column], cell(rows, column, **{by: ends[1]}, **{name: row[name] for name in same}))
        for row in rows
        if row[by] == ends[0]
    ]
    return [(one, other) for one, other in found if one is not None and other is not None]


def with_more_references(
    column: str, by: str, *same: str, numbers: str = "correlations", grow: bool = True
) -> Callable[[Table], Verdict]:
    """Whether most of these numbers grow, or else shrink, from the fewest references to the most."""

    def holds(rows: Table) -> Verdict:
        sizes = sorted({row[by] for row in rows if row[by] is not None and row[column] is not None})
        able = pairs(rows, column, by, (sizes[0], sizes[-1]), *same) if len(sizes) > 1 else []
        if not able:
            return None, "There are no numbers for fewer and for more references."
        count = sum(more > few if grow else more < few for few, more in able)
        said = f"From {sizes[0]} to {sizes[-1]} references {count} of {len(able)} {numbers}"
        return count > len(able) / 2, f"{said} {'grow' if grow else 'shrink'}."

    return holds


def above(column: str, first: str, second: str, *, asked: bool = False, **named: Any) -> Callable[[Table], Verdict]:
    """Whether one metric has more than another; where the paper only ``asked``, nobody says."""

    def holds(rows: Table) -> Verdict:
        one, other = (cell(rows, column, metric=name, **named) for name in (first, second))
        if one is None or other is None:
            return None, f"{first} or {second} has no correlation here."
        return None if asked else one > other, f"{first} {one:.3f}, {second} {other:.3f}."

    return holds


def correlation(name: str) -> Column:
    """Pearson's correlation with its interval."""
    return Column(name, "Pearson", ".3f", low=f"{name}_low", high=f"{name}_high")


#: Over systems, and over differences between pairs of them.
PEARSON, DIFFERENCES = correlation("pearson"), correlation("differences")
