"""Tables as text, TSV, CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.errors import UnknownName

#: Columns between two cells.
GAP = 3

FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex")

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "↑": r"$\uparrow$",
        "↓": r"$\downarrow$",
    }
)


@dataclass(frozen=True)
class Look:
    """Where a table will be seen: colours or none, and how wide the terminal is, if it is one."""

    color: bool = False
    width: int | None = None


PLAIN = Look()


@dataclass(frozen=True)
class Table:
    """Cells that are ready to be read, under their headings; numbers stand right."""

    title: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Sequence[bool]
    notes: Sequence[str] = ()
    #: How many columns belong together, the first aside: a score and its interval.
    group: int = 1

    def without_notes(self) -> Table:
        """The same cells, with nothing below them."""
        return replace(self, notes=())

    def render(self, style: str, look: Look = PLAIN) -> str:
        """The table as text, Markdown or LaTeX; as text it becomes several where the terminal is too narrow."""
        if style == "text":
            return "\n".join(table._text(look) for table in self.split(look.width))
        if style == "markdown":
            return self._markdown()
        if style == "latex":
            return self._latex()
        raise UnknownName.of("format", style, FORMATS)

    def split(self, width: int | None) -> list[Table]:
        """Tables that fit into ``width``, each with the first column; the first has the title, the last the notes."""
        from rich.cells import cell_len

        def needed(column: int) -> int:
            return GAP + max(cell_len(cells[column]) for cells in (self.headings, *self.rows))

        blocks = [range(start, start + self.group) for start in range(1, len(self.headings), self.group)]
        groups: list[list[int]] = [[0]]
        for block in blocks:
            used = sum(map(needed, [*groups[-1], *block])) - GAP
            if width is not None and len(groups[-1]) > 1 and used > width:
                groups.append([0])
            groups[-1] += block
        tables = [
            replace(
                self,
                title="",
                notes=(),
                headings=[self.headings[column] for column in columns],
                rows=[[row[column] for column in columns] for row in self.rows],
                right=[self.right[column] for column in columns],
            )
            for columns in groups
        ]
        tables[0] = replace(tables[0], title=self.title)
        tables[-1] = replace(tables[-1], notes=self.notes)
        return tables

    def _text(self, look: Look) -> str:
        return self._unfolded() if look == PLAIN else self._folded(look)

    def _unfolded(self) -> str:
        """As ``_folded`` where there is room for everything: files and pipes need not load rich's console."""
        from rich.cells import cell_len

        lines = [self.headings, *self.rows]
        widths = [max(cell_len(cells[column]) for cells in lines) for column in range(len(self.headings))]

        def line(cells: Sequence[str]) -> str:
            padded = []
            for cell, width, right in zip(cells, widths, self.right, strict=True):
                space = " " * (width - cell_len(cell))
                padded.append(space + cell if right else cell + space)
            return (" " * GAP).join(padded).rstrip()

        rule = "─" * (sum(widths) + GAP * (len(widths) - 1))
        title = [self.title, ""] if self.title else []
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([*title, line(self.headings), rule, *map(line, self.rows), *notes, ""])

    def _folded(self, look: Look) -> str:
        """By rich, which folds long cells to the width of a terminal."""
        from rich.box import SIMPLE_HEAD
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(box=SIMPLE_HEAD, pad_edge=False, title=None, show_edge=False)
        for heading, right in zip(self.headings, self.right, strict=True):
            table.add_column(Text(heading), justify="right" if right else "left", no_wrap=right, overflow="fold")
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in row))
        out = io.StringIO()
        console = Console(
            file=out,
            width=look.width or 10_000,
            force_terminal=look.color,
            no_color=not look.color,
            highlight=False,
        )
        if self.title:
            console.print(Text(self.title, style="bold"))
            console.print()
        console.print(table)
        if self.notes:
            console.print()
        for note in self.notes:
            console.print(Text(note, style="dim"), soft_wrap=True)
        return "\n".join(line.rstrip() for line in out.getvalue().split("\n"))

    def _markdown(self) -> str:
        rules = ["---:" if right else "---" for right in self.right]
        escaped = [[cell.replace("|", "\\|") for cell in row] for row in (self.headings, *self.rows)]
        lines = [escaped[0], rules, *escaped[1:]]
        table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
        notes = "".join(f"\n`{note}`\n" for note in self.notes)
        title = f"**{self.title}**\n\n" if self.title else ""
        return f"{title}{table}\n{notes}"

    def _latex(self) -> str:
        layout = "".join("r" if right else "l" for right in self.right)
        lines = [" & ".join(cell.translate(_LATEX) for cell in row) + r" \\" for row in (self.headings, *self.rows)]
        notes = "".join(f"% {note}\n" for note in (self.title, *self.notes) if note)
        body = "\n".join(["\\toprule", lines[0], "\\midrule", *lines[1:], "\\bottomrule"])
        return f"{notes}\\begin{{tabular}}{{{layout}}}\n{body}\n\\end{{tabular}}\n"


def separated(rows: Sequence[Mapping[str, Any]], separator: str) -> str:
    """Rows as TSV or CSV with a header, numbers in full precision, nothing as an empty field."""
    out = io.StringIO()
    if rows:
        writer = csv.writer(out, lineterminator="\n") if separator == "," else _TsvWriter(out)
        writer.writerow(list(rows[0]))
        for row in rows:
            writer.writerow([_cell(value) for value in row.values()])
    return out.getvalue()


class _TsvWriter:
    """Quotes are text in TSV; a tab or line end inside a field becomes a space."""

    def __init__(self, out: io.StringIO) -> None:
        self._out = out

    def writerow(self, cells: Sequence[str]) -> None:
        self._out.write("\t".join(" ".join(re.split(r"[\t\r\n]", cell)) for cell in cells) + "\n")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value) if isinstance(value, float) else str(value)
