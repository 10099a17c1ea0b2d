"""How figures look, and how they become files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from assay.errors import MissingExtra, ParameterError

#: Endings of files that a figure can be written to.
KINDS = ("svg", "png", "html")

#: Colours that differ in lightness too, so that they survive a grey printer (Okabe & Ito).
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
INK, MUTED, RULE = "#222222", "#666666", "#DDDDDD"


def load_altair() -> Any:
    """Altair, imported where something is drawn."""
    try:
        import altair
        import vl_convert  # noqa: F401 - without it no file can be written
    except ImportError as error:
        raise MissingExtra.of("A figure", "plots") from error
    return altair


def dress(chart: Any, title: str, subtitle: list[str]) -> Any:
    """The look that all figures share."""
    axis = {"labelColor": INK, "titleColor": MUTED, "titleFontWeight": "normal", "gridColor": RULE, "domain": False}
    return (
        chart.properties(
            title={
                "text": title,
                "subtitle": subtitle,
                "anchor": "start",
                "offset": 16,
                "fontSize": 15,
                "subtitleColor": MUTED,
                "subtitleFontSize": 12,
                "subtitlePadding": 6,
                "color": INK,
            },
            padding=16,
            background="white",
        )
        .configure(font="Helvetica, Arial, sans-serif")
        .configure_axis(labelFontSize=12, titleFontSize=12, ticks=False, labelPadding=8, **axis)
        .configure_view(stroke=None)
        .configure_legend(
            titleColor=MUTED, titleFontWeight="normal", labelColor=INK, labelFontSize=12, titleFontSize=12
        )
    )


def figure_kind(path: str) -> str:
    """The kind of a figure by how its file is called."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in KINDS:
        endings = ", ".join(f".{known}" for known in KINDS)
        raise ParameterError(f"{path}: a figure is written to a file that ends in {endings}.")
    return kind


def figure_bytes(chart: Any, kind: str) -> bytes:
    """The content of a file with the figure; an HTML file needs nothing from elsewhere."""
    if kind == "png":
        binary = io.BytesIO()
        chart.save(binary, format="png", scale_factor=2)
        return binary.getvalue()
    text = io.StringIO()
    chart.save(text, format=kind, **({"inline": True} if kind == "html" else {}))
    return text.getvalue().encode()
