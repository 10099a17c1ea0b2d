"""What can be looked up: metrics, their options and recipes, and what is wrong with a file or folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from assay.data.formats import read
from assay.data.problems import Finding
from assay.data.validation import validate
from assay.errors import AssayError, counted
from assay.metrics.options import TEXT_OPTIONS, declared_types, describe_type, is_required, option_fields, spell_value
from assay.metrics.registry import metric_class, metric_names
from assay.results.result import Column, Result, Table, View
from assay.text.recipe import NORMAL_FORMS, TOKENIZERS, Recipe, stemmers

STEPS = {
    "normalize": f"Unicode normal form: {', '.join(NORMAL_FORMS)}",
    "lowercase": "true (Unicode), ascii (A to Z alone) or false",
    "tokenize": "a tokenizer, name or name:option+option",
    "remove_punctuation": "true deletes punctuation characters, and tokens with nothing left",
    "stem": "a Snowball stemmer by language, porter, wordnet (English lemmas) or none",
}
#: What is said of a problem in a file.
_PROBLEM = (
    Column("file"), Column("line", format="d"), Column("column", format="d"), Column("severity"), Column("message")
)  # fmt: skip


def list_metrics() -> Result:
    """All metrics, a row each."""
    rows = []
    for name in metric_names():
        try:
            metric = metric_class(name)
        except AssayError as error:
            # A broken plug-in must not hide the other metrics.
            rows.append({"metric": name, "better": "", "measures": str(error), "options": ""})
            continue
        options = [field.name for field in option_fields(metric) if field.name not in TEXT_OPTIONS]
        better = "higher" if metric.higher_is_better else "lower"
        rows.append({"metric": name, "better": better, "measures": metric.summary, "options": ", ".join(options)})
    return _listed(
        "metrics",
        rows,
        f"Every metric also takes {', '.join(TEXT_OPTIONS)}: see assay recipes.",
        "All options of one metric: assay metrics NAME.",
    )


def list_options(name: str) -> Result:
    """One metric's options with their defaults."""
    metric = metric_class(name)
    types = declared_types(metric)
    rows = [
        {
            "option": field.name,
            "default": "(needed)" if is_required(field) else spell_value(field.default),
            "takes": STEPS.get(field.name) or describe_type(types[field.name]),
        }
        for field in option_fields(metric)
    ]
    documentation = " ".join((metric.__doc__ or "").split())
    return _listed("parameters", rows, f"{metric.label}: {metric.summary}.", documentation, question="metrics")


def list_recipes() -> Result:
    """Tokenizers, and below them the other steps."""
    rows = [
        {"tokenizer": known.name, "options": ", ".join(known.options), "what it does": known.summary}
        for known in TOKENIZERS
    ]
    return _listed(
        "recipes",
        rows,
        *(f"{name}={what}" for name, what in STEPS.items()),
        f"Stemmers: {', '.join(stemmers())}.",
        "Steps come in this order. Try one: assay recipes --text TEXT.",
    )


def list_tokens(text: str) -> Result:
    """One text under every built-in tokenizer."""
    rows: Table = []
    for known in TOKENIZERS:
        if known.load is None:
            tokens = Recipe(tokenize=known.name).tokens(text)
            rows.append({"tokenizer": known.name, "count": len(tokens), "tokens": " ".join(tokens)})
    return _listed("tokens", rows, question="recipes")


def _listed(table: str, rows: Table, *notes: str, question: str = "") -> Result:
    columns = tuple(Column(name, format="d" if isinstance(value, int) else "") for name, value in rows[0].items())
    return Result(question or table, {table: rows}, (View("", table, columns),), notes)


def validation(
    paths: Sequence[str],
    *,
    input_format: str | None = None,
    campaign: str | None = None,
    pair: str | None = None,
    errors_only: bool = False,
) -> Result:
    """Everything that is wrong with files and folders; the result has failed if something is."""
    context = None if campaign is None else read(campaign)
    tables: dict[str, Table] = {"problems": [], "checked": [], "verdicts": []}
    for path in paths:
        report = validate(path, input_format=input_format, campaign=context, pair=pair)
        findings = [finding for finding in report.findings if finding.severity == "error" or not errors_only]
        reason = "\n".join(f"{each.where}: {each.severity}: {each.message}" for each in findings)
        tables["problems"] += map(_row, findings)
        tables["checked"].append({"path": report.path, "format": report.input_format, "sound": not findings})
        verdict = {"failed": bool(findings), "reason": reason or "sound"}
        tables["verdicts"].append({"format": report.input_format, "case": report.path} | verdict)
    counts = Counter(row["severity"] for row in tables["problems"])
    listed = " and ".join(counted(counts[name], name) for name in ("error", "warning") if counts[name])
    named = ", ".join(f"{row['path']} ({row['format']})" for row in tables["checked"])
    return Result(
        "validate",
        tables,
        (View("", "problems", _PROBLEM, line="{place}: {severity}: {message}"),),
        (f"{listed}: {named}." if tables["problems"] else f"Sound: {named}.",),
        setup={"errors": counts["error"], "warnings": counts["warning"]},
        failed=bool(tables["problems"]),
    )


def _row(finding: Finding) -> dict[str, object]:
    cells = finding.place._asdict() | {"severity": finding.severity, "message": finding.message}
    return {column.name: cells[column.name] for column in _PROBLEM} | {"place": finding.where}
