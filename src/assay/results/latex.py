"""Tables in LaTeX with booktabs; whatever names hold, pdflatex goes through."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from assay.results.rendering import Cell, Grid, Look, Style, grids, signed
from assay.results.result import Result

#: Characters that LaTeX knows by another name.
_COMMANDS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "''", "'": "'", "`": r"\textasciigrave{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "→": r"$\rightarrow$", "←": r"$\leftarrow$", "≈": r"$\approx$",
    "≤": r"$\le$", "≥": r"$\ge$", "≠": r"$\ne$", "±": r"$\pm$", "×": r"$\times$", "·": r"$\cdot$", "−": "$-$",
    "√": r"$\surd$", "∞": r"$\infty$", "–": "--", "—": "---", "…": r"\ldots{}", "‘": "`", "’": "'", "“": "``",
    "”": "''", "„": ",,", "«": r"$\ll$", "»": r"$\gg$", "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}", "¶": r"\P{}",
    "©": r"\copyright{}", "°": r"$^\circ$", "²": "$^2$", "³": "$^3$", "¹": "$^1$", "½": r"$\frac12$", "µ": r"$\mu$",
    "\u00a0": "~", "\u202f": r"\,", "\u2009": r"\,", "\u200b": "", "¿": "?`", "¡": "!`", "•": r"\textbullet{}",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "å": r"\aa{}", "Å": r"\AA{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "£": r"\pounds{}",
    "Δ": r"$\Delta$", "Σ": r"$\Sigma$", "Ω": r"$\Omega$", "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$",
    "δ": r"$\delta$", "ε": r"$\epsilon$", "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$",
    "ρ": r"$\rho$", "σ": r"$\sigma$", "τ": r"$\tau$", "φ": r"$\phi$", "χ": r"$\chi$", "ω": r"$\omega$",
}  # fmt: skip

#: Combining marks and the accents of LaTeX.
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u", "\u0307": ".",
    "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d", "\u0327": "c", "\u0331": "b",
}  # fmt: skip

#: Shows what pdflatex has no letter for by its number, and the letter itself elsewhere.
_HELPER = "\\providecommand{\\assayletter}[2]{\\ifdefined\\pdftexversion\\texttt{#1}\\else#2\\fi}\n"


def _render(result: Result, look: Look) -> str:
    return "\n".join(map(_table, [*grids(result), *signed(result, look)]))


def _table(grid: Grid) -> str:
    """A table; what is no table stands there as comments."""
    comments = "".join(f"% {note}\n" for note in (grid.title, *grid.notes) if note)
    if not grid.headings:
        return comments
    # Marks have a column of their own right behind the numbers, which thus line up.
    marked = grid.marked
    layout = "".join(("r" if right else "l") + "@{}l" * mark for right, mark in zip(grid.right, marked, strict=True))
    lines = [" & ".join(_cells(row, marked)) + r" \\" for row in (grid.headings, *grid.rows)]
    body = "\n".join(["\\toprule", lines[0], "\\midrule", *lines[1:], "\\bottomrule"])
    helper = _HELPER if "\\assayletter" in body else ""
    return f"{comments}{helper}\\begin{{tabular}}{{{layout}}}\n{body}\n\\end{{tabular}}\n"


def _cells(row: Sequence[str], marked: Sequence[bool]) -> Iterator[str]:
    for cell, has_marks in zip(row, marked, strict=True):
        text, mark = (cell.text, cell.mark) if isinstance(cell, Cell) else (cell, "")
        yield (r"\quad " if cell.startswith("  ") else "") + latex(text.strip())
        if has_marks:
            yield f"\\textsuperscript{{{latex(mark)}}}" if mark else ""


def latex(text: str) -> str:
    """``text`` as LaTeX prints it.

    >>> print(latex("50 % of naïve_α ≈ 訳"))
    50 \\% of na\\"{\\i}ve\\_$\\alpha$ $\\approx$ \\assayletter{[U+8A33]}{訳}
    """
    return "".join(map(_letter, text))


def _letter(character: str) -> str:
    if character in _COMMANDS:
        return _COMMANDS[character]
    if " " <= character <= "~":
        return character
    base, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) == 1 and marks[0] in _ACCENTS and base.isascii():
        under = {"i": r"\i", "j": r"\j"}.get(base, base) if marks[0] not in "\u0323\u0327\u0331" else base
        return f"\\{_ACCENTS[marks[0]]}{{{under}}}"
    return f"\\assayletter{{[U+{ord(character):04X}]}}{{{character}}}"


STYLE = Style("latex", (".tex",), _render)
