"""What can be looked up: metrics, their options and recipes, and what is wrong with a file or folder."""

from __future__ import annotations

from collections import Counter
from dataclasses import MISSING, dataclass
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar

from assay.data.campaign import Campaign
from assay.data.conversion import FORMATS
from assay.data.files import LARGEST_HELP, byte_count, reading_up_to
from assay.data.formats import read
from assay.data.validation import check_path
from assay.errors import AssayError, counted, shown
from assay.metrics.options import TEXT_OPTIONS, declared_types, describe_option, is_required, option_fields, spell_value
from assay.metrics.registry import metric_class, metric_names
from assay.questions.asked import Asked, Data, several
from assay.questions.base import Question, option
from assay.results.result import Column, Result, Table, View
from assay.text.recipe import NORMAL_FORMS, TOKENIZERS, Recipe, stemmers

#: What recipes take; names come from where they are registered.
STEPS = {
    "normalize": f"Unicode normal form: {', '.join(NORMAL_FORMS)}",
    "lowercase": "true (Unicode), ascii (A to Z alone) or false",
    "tokenize": f"{', '.join(known.name for known in TOKENIZERS)}; some with options behind it: none:ascii, spm:FILE",
    "remove_punctuation": "true deletes punctuation characters, and tokens with nothing left",
    "stem": f"{', '.join(stemmers())} or none; wordnet:FOLDER with your own dictionary",
}
#: What is said of a problem in a file: to people, and to programs.
_PROBLEM = (
    Column("file"), Column("line", format="d"), Column("column", format="d"), Column("severity"), Column("message")
)  # fmt: skip
_CELLS = (*(column.name for column in _PROBLEM), "place")


@dataclass(frozen=True, kw_only=True)
class Metrics(Question):
    """The metrics there are; with a NAME, all options of that one."""

    name: ClassVar[str] = "metrics"
    question: ClassVar[str] = "Which metrics are there, and which options do they have?"
    takes: ClassVar[tuple[str, ...]] = ()
    arguments: ClassVar[tuple[str, ...]] = ("metric",)

    metric: str | None = option(None, "Whose options to show.", metavar="[NAME]")

    def options(self, data: Data) -> dict[str, Any]:
        # The field is not called so because ``name`` is the question's own.
        return {"name": self.metric}

    def answer(self, asked: Asked) -> Result:
        if self.metric is not None:
            return _options_of(self.metric)
        rows = []
        for name in metric_names():
            try:
                metric = metric_class(name)
            except AssayError as error:
                # A broken plug-in must not hide the other metrics.
                rows.append({"metric": name, "better": "", "measures": str(error), "options": ""})
                continue
            shared = (*TEXT_OPTIONS, "average")
            options = [field.name for field in option_fields(metric) if field.name not in shared]
            better = "higher" if metric.higher_is_better else "lower"
            rows.append({"metric": name, "better": better, "measures": metric.summary, "options": ", ".join(options)})
        return _listed(
            "metrics",
            rows,
            f"Every metric also takes {', '.join(TEXT_OPTIONS)}: see assay recipes.",
            "average=segments and average=documents are means of the scores of segments or documents.",
            "All options of one metric: assay metrics NAME.",
        )


@dataclass(frozen=True, kw_only=True)
class Recipes(Question):
    """The tokenizers, stemmers and other steps that every metric takes as options."""

    name: ClassVar[str] = "recipes"
    question: ClassVar[str] = "What can be done to texts before they are counted?"
    takes: ClassVar[tuple[str, ...]] = ()

    text: str | None = option(None, "Show what every built-in tokenizer makes of a text.", metavar="TEXT")

    def answer(self, asked: Asked) -> Result:
        if self.text is not None:
            return _tokens_of(self.text)
        rows = [
            {"tokenizer": known.name, "options": ", ".join(known.options), "what it does": known.summary}
            for known in TOKENIZERS
        ]
        return _listed(
            "recipes",
            rows,
            *(f"{name}={what}" for name, what in STEPS.items()),
            "Steps come in this order. Try one: assay recipes --text TEXT.",
        )


def _campaign(given: Any) -> Any:
    if not isinstance(given, (str, Path, Campaign, NoneType)):
        raise TypeError(f"{shown(given)} is no campaign.")
    return given


@dataclass(frozen=True, kw_only=True)
class Validate(Question):
    """Is this file or folder sound? Everything that is wrong, as file:line:column, and what should be looked at.

    Campaigns and judgements of any format. Exit code 0 if nothing was found, 1 if something was.
    """

    name: ClassVar[str] = "validate"
    question: ClassVar[str] = "Is this file or folder sound?"
    takes: ClassVar[tuple[str, ...]] = ()
    arguments: ClassVar[tuple[str, ...]] = ("paths",)

    paths: tuple[str, ...] = option(
        MISSING,
        "What to check.",
        metavar="FILE | FOLDER...",
        repeat=True,
        parse=lambda given: tuple(map(str, several(given))),
    )
    input_format: str | None = option(None, "If names do not tell.", choices=(*FORMATS, "lines"))
    campaign: Any = option(
        None,
        "What judgements are about: systems, segments and documents are checked.",
        metavar="CAMPAIGN",
        parse=_campaign,
    )
    pair: str | None = option(None, "The languages, in a folder of mt-metrics-eval that has several.", metavar="en-de")
    errors_only: bool = option(False, "Leave out warnings; they do not count, either.")
    largest: Any = option(None, LARGEST_HELP, metavar="SIZE", parse=byte_count, group="run")

    def check(self) -> None:
        self.require(len(self.paths) > 0, "paths", "at least one file or folder")

    def answer(self, asked: Asked) -> Result:
        with reading_up_to(self.largest):
            return self._checked()

    def _checked(self) -> Result:
        campaign = read(self.campaign) if isinstance(self.campaign, (str, Path)) else self.campaign
        tables: dict[str, Table] = {"problems": [], "checked": [], "verdicts": []}
        for path in self.paths:
            kind, findings = check_path(path, input_format=self.input_format, campaign=campaign, pair=self.pair)
            counting = [finding for finding in findings if finding.severity == "error" or not self.errors_only]
            reason = "\n".join(f"{each.where}: {each.severity}: {each.message}" for each in counting)
            cells = [(*each.place[:3], each.severity, each.message, each.where) for each in counting]
            tables["problems"] += [dict(zip(_CELLS, row, strict=True)) for row in cells]
            tables["checked"].append({"path": path, "format": kind, "sound": not counting})
            verdict = {"failed": bool(counting), "reason": reason or "sound"}
            tables["verdicts"].append({"format": kind, "case": path} | verdict)
        counts = Counter(row["severity"] for row in tables["problems"])
        listed = " and ".join(counted(counts[name], name) for name in ("error", "warning") if counts[name])
        named = ", ".join(f"{row['path']} ({row['format']})" for row in tables["checked"])
        return Result(
            "validate",
            tables,
            (View("", "problems", _PROBLEM, line="{place}: {severity}: {message}"),),
            (f"{listed or 'Sound'}: {named}.",),
            setup={"errors": counts["error"], "warnings": counts["warning"]},
            failed=bool(tables["problems"]),
        )


def _options_of(name: str) -> Result:
    """One metric's options with their defaults."""
    metric = metric_class(name)
    types = declared_types(metric)
    rows = [
        {
            "option": field.name,
            "default": "(needed)" if is_required(field) else spell_value(field.default),
            "takes": STEPS.get(field.name) or describe_option(field, types[field.name]),
        }
        for field in option_fields(metric)
    ]
    documentation = " ".join((metric.__doc__ or "").split())
    return _listed("parameters", rows, f"{metric.label}: {metric.summary}.", documentation, question="metrics", keys=2)


def _tokens_of(text: str) -> Result:
    """One text under every built-in tokenizer."""
    rows: Table = []
    for known in TOKENIZERS:
        if known.load is None:
            tokens = Recipe(tokenize=known.name).tokens(text)
            rows.append({"tokenizer": known.name, "count": len(tokens), "tokens": " ".join(tokens)})
    return _listed("tokens", rows, question="recipes")


def _listed(table: str, rows: Table, *notes: str, question: str = "", keys: int = 0) -> Result:
    """A table as it is; where a page is narrow the first ``keys`` columns stay beside the others."""
    columns = tuple(Column(name, format="d" if isinstance(value, int) else "") for name, value in rows[0].items())
    return Result(question or table, {table: rows}, (View("", table, columns[keys:], columns[:keys]),), notes)
