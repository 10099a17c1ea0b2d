"""The drawing of an explanation as a file of its own."""

from __future__ import annotations

from assay.errors import ParameterError
from assay.results.rendering import Look, Style
from assay.results.result import Result


def _render(result: Result, _look: Look) -> str:
    """The one drawing that the result has."""
    for figure in result.figures:
        if figure.svg is not None:
            return figure.to_svg()
    raise ParameterError("SVG is what assay explain writes; other pictures have a file of their own: --figure x.svg.")


STYLE = Style("svg", (".svg",), _render)
