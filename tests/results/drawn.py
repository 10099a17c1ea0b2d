"""What is in a figure: its layers by kind of mark, wherever they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from assay.results.figure import Figure

#: Names that break pages, terminals and converters.
HOSTILE = ("</script><script>alert(1)</script>", "\x9b31m", "a\u0085b", "two\nlines", "\u2028", "both\"'", "\ud800")


def layers(spec: Any, kind: str) -> list[dict[str, Any]]:
    """Every layer with this mark, in the order in which they are drawn."""
    return [layer for layer in _all_layers(spec) if layer["mark"]["type"] == kind]


def values(spec: Any, kind: str) -> list[dict[str, Any]]:
    """The rows of all layers with this mark."""
    return [row for layer in layers(spec, kind) for row in layer["data"]["values"]]


def texts(spec: Any) -> list[str]:
    """All that is written into the picture, but for axes and titles."""
    return [
        row[layer["encoding"]["text"]["field"]] for layer in layers(spec, "text") for row in layer["data"]["values"]
    ]


def is_drawn(figure: Figure) -> bool:
    """Whether the converter makes a picture of it, and its JSON is plain."""
    json.dumps(figure.to_dict(), allow_nan=False)
    return figure.to_svg().startswith("<svg")


def _all_layers(spec: Any) -> Iterator[dict[str, Any]]:
    for inner in (*spec.get("hconcat", ()), *spec.get("vconcat", ()), *spec.get("layer", ())):
        yield from _all_layers(inner)
    if "mark" in spec:
        yield spec


def hostile(rows: Any, *columns: str) -> list[dict[str, Any]]:
    """The rows with hostile names instead of those in these columns; the same name stays the same."""
    names = dict.fromkeys(str(row[column]) for column in columns for row in rows)
    renamed = {name: f"{HOSTILE[place % len(HOSTILE)]}{place}" for place, name in enumerate(names)}
    return [{key: renamed[str(value)] if key in columns else value for key, value in row.items()} for row in rows]
