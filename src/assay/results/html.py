"""A result as a page that needs nothing from elsewhere, and as a fragment for notebooks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from assay.errors import AssayError
from assay.results.figure import Figure
from assay.results.rendering import Cell, Grid, Look, Style, grids
from assay.results.result import Result
from assay.results.visible import html

#: Longer tables are folded away until somebody opens them.
_OPEN_ROWS = 60

_PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #222; --quiet: #666; --rule: #ccc; --link: #0072b2; --paper: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --quiet: #999; --rule: #444; --link: #56b4e9; --paper: #181818 }
}
body { font: 15px/1.5 Helvetica, Arial, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 1080px; margin: 2.5em auto; padding: 0 1.2em; overflow-wrap: anywhere }
h1 { font-size: 1.6em; margin-bottom: .2em } h2 { font-size: 1.1em; margin: 2em 0 .3em }
section.answer { margin-top: 3em; border-top: 1px solid var(--rule) } a { color: var(--link) }
"""
_TABLE_STYLE = """
.assay table { border-collapse: collapse; font-size: 13px; margin: .6em 0; display: block; overflow-x: auto }
.assay th { font-weight: normal; border-bottom: 1px solid #999; opacity: .75; text-align: left }
.assay th, .assay td { padding: .18em .9em .18em 0; vertical-align: top }
.assay .number { text-align: right; white-space: nowrap } .assay .head { padding-top: .6em; opacity: .75 }
.assay .quiet { opacity: .7; font-size: 13px; margin: .2em 0; overflow-wrap: anywhere }
.assay figure { margin: 1em 0; background: #fff; overflow-x: auto } .assay summary { cursor: pointer }
.assay figure img { max-width: 100%; height: auto }
"""


def _render(result: Result, _look: Look) -> str:
    """A whole page."""
    asked = " ".join(filter(None, ["assay", result.command, result.question]))
    title = f"{asked} – {result.campaign}" if result.campaign else asked
    return page(title, f"<h1>{html(title)}</h1>\n{fragment(result)}")


def page(title: str, body: str) -> str:
    """An HTML file with a title."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{html(title)}</title>'
        f"<style>{_PAGE_STYLE}{_TABLE_STYLE}</style></head><body>\n{body}\n</body></html>\n"
    )


def fragment(result: Result) -> str:
    """Tables, sentences and figures, for a page or a notebook."""
    remarks = "".join(f'<p class="quiet">{remark.level.capitalize()}: {html(remark)}</p>' for remark in result.notes)
    listed = grids(result)
    sections = list(dict.fromkeys(grid.section for grid in listed))
    anchors = {section for section in sections if section}
    drawn: dict[str, str] = {}
    for figure in result.figures:
        section = figure.name.partition(".")[0]
        section = section if section in anchors else ""
        drawn[section] = drawn.get(section, "") + _figure(figure)
    body = drawn.pop("", "")
    for section in sections:
        tables = "".join(_table(grid, set() if section else anchors) for grid in listed if grid.section == section)
        inside = drawn.get(section, "") + tables
        body += f'<section class="answer" id="{html(section)}">{inside}</section>\n' if section else inside
    return f'<style>{_TABLE_STYLE}</style><div class="assay">{body}{remarks}</div>'


def _figure(figure: Figure) -> str:
    """A picture; where it cannot be drawn, the tables say everything."""
    try:
        return f"<figure>{figure.to_image()}</figure>"
    except AssayError:
        return ""


def _table(grid: Grid, anchors: Collection[str] = ()) -> str:
    """One table; cells that name a part of the page lead there."""
    notes = "".join(f'<p class="quiet">{html(note)}</p>' for note in grid.notes)
    if not grid.headings:
        return notes
    kinds = ['class="number"' if right else 'class="text" dir="auto"' for right in grid.right]

    def line(cells: Sequence[str], tag: str) -> str:
        if isinstance(cells[0], Cell) and cells[0].head:
            return f'<tr><td class="head" colspan="{len(cells)}">{html(cells[0])}</td></tr>'
        inside = "".join(
            f"<{tag} {kind}>{_linked(cell, anchors)}{_raised(cell)}</{tag}>"
            for kind, cell in zip(kinds, cells, strict=True)
        )
        return f"<tr>{inside}</tr>"

    table = f"<table>{line(grid.headings, 'th')}{''.join(line(row, 'td') for row in grid.rows)}</table>"
    title = f"<h2>{html(grid.title)}</h2>" if grid.title else ""
    if len(grid.rows) > _OPEN_ROWS:
        return f"{title}<details><summary>{len(grid.rows):,} rows</summary>{table}</details>{notes}"
    return f"{title}{table}{notes}"


def _linked(cell: str, anchors: Collection[str]) -> str:
    return f'<a href="#{html(cell)}">{html(cell)}</a>' if cell in anchors else html(cell)


def _raised(cell: str) -> str:
    return f"<sup>{html(cell.mark)}</sup>" if isinstance(cell, Cell) and cell.mark else ""


STYLE = Style("html", (".html", ".htm"), _render)
