"""Explanations as one HTML page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from assay.explanation.svg import picture_svg
from assay.explanation.words import joined, uncontrolled
from assay.metrics.pictures import NgramMatches

if TYPE_CHECKING:
    from assay.explanation.explanation import Explanation

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a202c;
  background: #fff; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
code { font-size: .85rem; color: #4a5568; overflow-wrap: anywhere; }
.assay-scroll { overflow-x: auto; border: 1px solid #e2e8f0; border-radius: 6px; }
.assay-scroll svg { display: block; }
dl.assay-texts { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; }
dl.assay-texts dt { color: #4a5568; } dl.assay-texts dd { margin: 0; }
table.assay-parts { border-collapse: collapse; margin: 1rem 0; }
table.assay-parts td { padding: .1rem 1.2rem .1rem 0; } table.assay-parts td + td { text-align: right; }
details { margin: .5rem 0; }
"""


def page(explanations: Sequence[Explanation]) -> str:
    """A whole HTML file."""
    title = escape("; ".join(explanation.title for explanation in explanations))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Why this score?</h1>\n{_texts(explanations)}\n"
        + "\n".join(section(explanation) for explanation in explanations)
        + "\n</body>\n</html>\n"
    )


def section(explanation: Explanation) -> str:
    """One metric: title, picture, numbers."""
    rows = "".join(
        f"<tr><td>{escape(name.replace('_', ' '))}</td><td>{'–' if value is None else f'{value:.4g}'}</td></tr>"
        for name, value in explanation.parts.items()
    )
    picture = ""
    if explanation.picture is not None:
        drawing = picture_svg(explanation.picture, explanation.reference_names, explanation.title)
        picture = f'<div class="assay-scroll">{drawing}</div>'
    return (
        f"<section>\n<h2>{escape(explanation.title)}</h2>\n<p><code>{escape(str(explanation.metric))}</code></p>\n"
        + "".join(f"<p>⚠ {escape(remark)}</p>\n" for remark in explanation.remarks)
        + f'{picture}\n<table class="assay-parts">{rows}</table>\n{"".join(_matches(explanation))}</section>'
    )


def _texts(explanations: Sequence[Explanation]) -> str:
    """The segment's texts; metrics may look at different references, and all of them are shown."""
    first = explanations[0]
    named = {"source": first.source} if first.source is not None else {}
    named["translation"] = first.translation
    for explanation in explanations:
        names = (f"reference {name}" for name in explanation.reference_names)
        named |= dict(zip(names, explanation.references, strict=True))
    inside = "".join(
        f'<dt>{escape(name)}</dt><dd dir="auto">{escape(uncontrolled(text))}</dd>' for name, text in named.items()
    )
    return f'<dl class="assay-texts">{inside}</dl>'


def _matches(explanation: Explanation) -> Iterator[str]:
    """The n-grams that count, to be unfolded."""
    if not isinstance(explanation.picture, NgramMatches):
        return
    for order in explanation.picture.orders:
        if not order.matches:
            continue
        items = "".join(
            f"<li>{escape(joined(match.words, order.unit))}: {match.matched} of {match.translation_count}"
            f"{f', worth {match.weight:.3f} bits each' if match.weight != 1.0 else ''}</li>"
            for match in order.matches
        )
        summary = f"{order.order}-grams ({order.unit}s): {len(order.matches)}"
        yield f"<details><summary>{summary}</summary><ul>{items}</ul></details>\n"
