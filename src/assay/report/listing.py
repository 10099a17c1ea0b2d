"""What there is: metrics, their options, and recipes, as tables."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assay.errors import AssayError
from assay.metrics.options import declared_types, describe_type
from assay.metrics.registry import metric_class, metric_names
from assay.metrics.spelling import TEXT_OPTIONS, is_required, option_fields, spell_value
from assay.report.tables import PLAIN, Look, Table, separated
from assay.text.recipe import NORMAL_FORMS, Recipe
from assay.text.stems import stemmers
from assay.text.tokenizers import PUBLIC
from assay.version import __version__

STEPS = {
    "normalize": f"Unicode normal form: {', '.join(NORMAL_FORMS)}",
    "lowercase": "true (Unicode), ascii (A to Z alone) or false",
    "tokenize": "a tokenizer, name or name:option+option",
    "remove_punctuation": "true deletes punctuation characters, and tokens with nothing left",
    "stem": "a Snowball stemmer by language, porter, wordnet (English lemmas) or none",
}


def render_metrics(style: str, look: Look = PLAIN) -> str:
    """All metrics, a line each."""
    rows = []
    for name in metric_names():
        try:
            metric = metric_class(name)
        except AssayError as error:
            # A broken plug-in must not hide the other metrics.
            rows.append({"metric": name, "better": "", "measures": str(error), "options": ""})
            continue
        own = [field.name for field in option_fields(metric) if field.name not in TEXT_OPTIONS]
        better = "higher" if metric.higher_is_better else "lower"
        rows.append({"metric": name, "better": better, "measures": metric.summary, "options": ", ".join(own)})
    notes = [
        f"Every metric also takes {', '.join(TEXT_OPTIONS)}: see assay recipes.",
        "All options of one metric: assay metrics NAME.",
    ]
    return _render("metrics", rows, notes, style, look)


def render_metric(name: str, style: str, look: Look = PLAIN) -> str:
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
    notes = [f"{metric.label}: {metric.summary}.", documentation]
    return _render("options", rows, notes, style, look)


def render_recipes(style: str, look: Look = PLAIN) -> str:
    """Tokenizers, and below them the other steps."""
    rows = [
        {"tokenizer": known.name, "options": ", ".join(known.options), "what it does": known.summary}
        for known in PUBLIC
    ]
    notes = [f"{name}={what}" for name, what in STEPS.items()]
    notes += [
        f"Stemmers: {', '.join(stemmers())}.",
        "Steps come in this order. Try one: assay recipes --text TEXT.",
    ]
    return _render("recipes", rows, notes, style, look)


def render_tokens(text: str, style: str, look: Look = PLAIN) -> str:
    """One text under every built-in tokenizer."""
    rows = []
    for known in PUBLIC:
        if known.module is None:
            tokens = Recipe(tokenize=known.name).tokens(text)
            rows.append({"tokenizer": known.name, "count": len(tokens), "tokens": " ".join(tokens)})
    return _render("tokens", rows, [], style, look)


def _render(name: str, rows: Sequence[dict[str, Any]], notes: Sequence[str], style: str, look: Look) -> str:
    if style == "json":
        return json.dumps({"assay": __version__, name: list(rows)}, ensure_ascii=False, indent=2) + "\n"
    if style in ("tsv", "csv"):
        return separated(rows, "\t" if style == "tsv" else ",")
    cells = [[str(value) for value in row.values()] for row in rows]
    right = [isinstance(value, int) for value in rows[0].values()]
    return Table("", list(rows[0]), cells, right, tuple(notes)).render(style, look)
