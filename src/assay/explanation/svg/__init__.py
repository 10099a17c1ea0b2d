"""Explanations as SVG: one drawing that stands alone, several explanations below each other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from assay.explanation.svg.alignment import draw_alignment
from assay.explanation.svg.canvas import MARGIN, STYLE, Canvas
from assay.explanation.svg.edits import draw_edits
from assay.explanation.svg.grid import draw_grid
from assay.explanation.svg.ngrams import draw_ngrams
from assay.metrics.pictures import Alignment, BitextGrid, EditScript, NgramMatches, Picture

if TYPE_CHECKING:
    from assay.explanation.explanation import Explanation


def draw(explanations: Sequence[Explanation]) -> str:
    """A whole SVG file."""
    parts: list[str] = []
    across, down = 0.0, MARGIN
    for explanation in explanations:
        canvas = Canvas()
        canvas.text(0, 16, explanation.title, "title")
        canvas.text(0, 33, str(explanation.metric), "small")
        for number, remark in enumerate(explanation.remarks):
            canvas.text(0, 50 + 16 * number, f"! {remark}", "small")
        top = 48 + 16 * len(explanation.remarks)
        body = picture_canvas(explanation.picture, explanation.reference_names)
        canvas.reach(body.width, top + body.height)
        parts.append(
            f'<g transform="translate({MARGIN:g} {down:g})">\n{canvas.content()}\n'
            f'<g transform="translate(0 {top:g})">\n{body.content()}\n</g>\n</g>'
        )
        across = max(across, canvas.width)
        down += canvas.height + 2 * MARGIN
    title = escape("; ".join(explanation.title for explanation in explanations))
    return _wrap("\n".join(parts), across + 2 * MARGIN, down, title, header='<?xml version="1.0" encoding="UTF-8"?>\n')


def picture_svg(picture: Picture | None, names: Sequence[str], title: str) -> str:
    """The picture alone, to be set into a page."""
    canvas = picture_canvas(picture, names)
    inside = f'<g transform="translate({MARGIN:g} {MARGIN:g})">\n{canvas.content()}\n</g>'
    return _wrap(inside, canvas.width + 2 * MARGIN, canvas.height + 2 * MARGIN, escape(title))


def picture_canvas(picture: Picture | None, names: Sequence[str]) -> Canvas:
    """The shapes of a picture; none for a metric that has no picture."""
    canvas = Canvas()
    if isinstance(picture, Alignment):
        draw_alignment(canvas, picture, names)
    elif isinstance(picture, EditScript):
        draw_edits(canvas, picture, names)
    elif isinstance(picture, NgramMatches):
        draw_ngrams(canvas, picture, names)
    elif isinstance(picture, BitextGrid):
        draw_grid(canvas, picture, names)
    return canvas


def _wrap(content: str, across: float, down: float, title: str, header: str = "") -> str:
    return (
        f'{header}<svg xmlns="http://www.w3.org/2000/svg" class="assay" width="{across:g}" height="{down:g}" '
        f'viewBox="0 0 {across:g} {down:g}" role="img">\n<title>{title}</title>\n<style>{STYLE}</style>\n'
        f'<rect class="sheet" width="{across:g}" height="{down:g}"/>\n{content}\n</svg>\n'
    )
