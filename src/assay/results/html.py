"""A result as a page that needs nothing from elsewhere, and as a fragment for notebooks."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from assay.errors import AssayError
from assay.results.figure import Figure
from assay.results.rendering import Cell, Grid, Look, Style, grids, signed
from assay.results.result import Result
from assay.results.visible import TABLE_STYLE, html, page

#: Longer tables are folded away until somebody opens them.
_OPEN_ROWS = 60
#: The space in Figure 3, and in Tables 2, 3.
_NUMBERED = re.compile(" (?=[0-9])")


def _render(result: Result, look: Look) -> str:
    """A whole page, or its content."""
    if look.page and result.page is not None:
        return result.page()
    content = f'<style>{TABLE_STYLE}</style><div class="assay">{_content(result, look)}</div>'
    if not look.page:
        return content
    asked = " ".join(filter(None, ["assay", result.command, result.question]))
    title = f"{asked} – {result.campaign}" if result.campaign else asked
    return page(title, f"<h1>{html(title)}</h1>\n{content}")


def fragment(result: Result) -> str:
    """The same as a part of a page that has its own styles and a policy; pictures have to be drawings already."""
    return _content(result, Look())


def _content(result: Result, look: Look) -> str:
    """Tables, sentences and figures."""
    remarks = "".join(f'<p class="quiet">{remark.level.capitalize()}: {html(remark)}</p>' for remark in result.notes)
    listed = grids(result, page=look.page)
    sections = list(dict.fromkeys(grid.section for grid in listed))
    anchors = {section for section in sections if section}
    drawn: dict[str, str] = {}
    for figure in result.figures:
        # A section may have a dot in its name: Section 2.2.
        section = next((name for name in anchors if figure.name.startswith(f"{name}.")), "")
        drawn[section] = drawn.get(section, "") + _figure(figure)
    body = drawn.pop("", "")
    for section in sections:
        first, *others = (grid for grid in listed if grid.section == section)
        # Pictures stand below the heading of their section.
        inside = _table(first, set() if section else anchors, drawn.get(section, ""))
        inside += "".join(_table(grid, set() if section else anchors) for grid in others)
        body += f'<section class="answer" id="{html(section)}">{inside}</section>\n' if section else inside
    return f"{body}{remarks}{''.join(map(_table, signed(result, look)))}"


def _figure(figure: Figure) -> str:
    """A picture; where it cannot be drawn, the tables say everything."""
    try:
        return f"<figure>{figure.to_image()}</figure>"
    except AssayError:
        return ""


def _table(grid: Grid, anchors: Collection[str] = (), drawn: str = "") -> str:
    """One table, with pictures below its heading; cells that name a part of the page lead there."""
    notes = "".join(f'<p class="quiet">{html(note)}</p>' for note in grid.notes)
    if not grid.headings:
        return drawn + notes
    kinds = ['class="number"' if right else 'class="text" dir="auto"' for right in grid.right]
    marked = grid.marked

    def line(cells: Sequence[str], tag: str, anchor: str = "") -> str:
        if isinstance(cells[0], Cell) and cells[0].head:
            return f'<tr><td class="head" colspan="{len(cells) + sum(marked)}">{html(cells[0])}</td></tr>'
        inside = ""
        for kind, cell, has_marks in zip(kinds, cells, marked, strict=True):
            text, mark = (cell.text, cell.mark) if isinstance(cell, Cell) else (cell, "")
            if has_marks:
                # Marks have a column of their own right behind the numbers, which thus line up.
                kind = kind.replace("number", "number marked")  # noqa: PLW2901
            inside += f"<{tag} {kind}>{_cell(text, anchors)}</{tag}>"
            inside += f"<{tag}><sup>{html(mark)}</sup></{tag}>" if has_marks else ""
        return f'<tr id="{html(anchor)}">{inside}</tr>' if anchor else f"<tr>{inside}</tr>"

    known = grid.anchors or [""] * len(grid.rows)
    rows = "".join(line(row, "td", anchor) for row, anchor in zip(grid.rows, known, strict=True))
    table = f"<table>{line(grid.headings, 'th')}{rows}</table>"
    title = f"<h2>{html(grid.title)}</h2>{drawn}" if grid.title else drawn
    if len(grid.rows) > _OPEN_ROWS:
        # Rows that pictures lead to are there to be seen.
        opened = " open" if grid.anchors else ""
        return f"{title}<details{opened}><summary>{len(grid.rows):,} rows</summary>{table}</details>{notes}"
    return f"{title}{table}{notes}"


def _cell(cell: str, anchors: Collection[str]) -> str:
    """The content of a cell: a link where it names a part of the page. A number stays beside what it numbers."""
    return f'<a href="#{html(cell)}">{_NUMBERED.sub("&nbsp;", html(cell))}</a>' if cell in anchors else html(cell)


STYLE = Style("html", (".html", ".htm"), _render)
