"""What there is: metrics, their options, and recipes."""

from __future__ import annotations

from assay.errors import AssayError
from assay.metrics.options import (
    TEXT_OPTIONS,
    declared_types,
    describe_type,
    is_required,
    option_fields,
    spell_value,
)
from assay.metrics.registry import metric_class, metric_names
from assay.results.result import Column, Result, Table, View
from assay.text.recipe import NORMAL_FORMS, Recipe
from assay.text.stems import stemmers
from assay.text.tokenizers import PUBLIC

STEPS = {
    "normalize": f"Unicode normal form: {', '.join(NORMAL_FORMS)}",
    "lowercase": "true (Unicode), ascii (A to Z alone) or false",
    "tokenize": "a tokenizer, name or name:option+option",
    "remove_punctuation": "true deletes punctuation characters, and tokens with nothing left",
    "stem": "a Snowball stemmer by language, porter, wordnet (English lemmas) or none",
}


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
        for known in PUBLIC
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
    for known in PUBLIC:
        if known.load is None:
            tokens = Recipe(tokenize=known.name).tokens(text)
            rows.append({"tokenizer": known.name, "count": len(tokens), "tokens": " ".join(tokens)})
    return _listed("tokens", rows, question="recipes")


def _listed(table: str, rows: Table, *notes: str, question: str = "") -> Result:
    columns = tuple(Column(name, format="d" if isinstance(value, int) else "") for name, value in rows[0].items())
    return Result(question or table, {table: rows}, (View("", table, columns),), notes)
