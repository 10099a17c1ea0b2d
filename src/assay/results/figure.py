"""A figure as data: Vega-Lite, or the SVG of an explanation; drawn by whoever shows it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from assay.errors import AssayError, MissingExtra, ParameterError
from assay.properties import cached_property
from assay.results.visible import html, page, plain, script, visible

#: Endings of files that a figure can be written to.
_KINDS = ("svg", "png", "html", "pdf")

#: What makes the converter stop the whole process, or breaks what it writes.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
#: What a dot says that leads to a row of a page, and how a part of a drawing is moved.
_ROW = re.compile("(segment-[0-9a-f]{12}): (.*)", re.DOTALL)
_MOVED = re.compile(r"translate\(([-+.e0-9]+),([-+.e0-9]+)\)$")
#: Widths of Helvetica's letters from blank to tilde, as its makers publish them, in thousandths of the size; the
#: converter measures with a font that has the same.
_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 "
    "278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 "
    "667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 "
    "556 333 500 278 556 500 722 500 500 500 334 260 334 584"
)
_BOLD_WIDTHS = (
    "278 333 474 556 556 889 722 238 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 "
    "333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 "
    "667 944 667 667 611 333 278 333 584 556 333 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 "
    "611 389 556 333 611 556 778 556 556 500 389 280 389 584"
)
_WRITTEN = re.compile("<text([^>]*)(?<!/)>(.*?)</text>", re.DOTALL)
_WRITTEN_LINE = re.compile("<tspan([^>]*)(?<!/)>([^<]*)</tspan>")
_INSIDE_LINE = re.compile("<tspan[^>]*(?<!/)>([^<]*)</tspan>")
#: Names of areas beyond which nothing is drawn; the converter numbers those of all that a process draws.
_CLIP = re.compile(r'(<(?:clipPath id="|[^<>]*clip-path="url\(#))clip(\d+)')
_FONT_SIZE = re.compile('font-size="([0-9.]+)px"')
#: A line of text, its size in pixels, and whether it is bold.
_Line = tuple[str, float, bool]
_LINK_STYLE = """
.assay .linked { position: relative; display: inline-block } .assay .linked img { display: block }
.assay .linked a { position: absolute; width: 6px; height: 6px; margin: -3px 0 0 -3px; border-radius: 50% }
.assay .linked a:hover, .assay .linked a:focus { outline: 2px solid #D55E00 }
.assay tr:target { background: #FFE9A8; color: #222 }
"""


@dataclass(frozen=True)
class Figure:
    """A picture of a result; ``spec`` is Vega-Lite, ``svg`` a drawing of ours, or what makes it when needed."""

    name: str
    spec: Mapping[str, Any] | None = field(default=None, repr=False)
    svg: str | Callable[[], str] | None = field(default=None, repr=False)
    #: What it shows, in a few words.
    title: str = ""
    #: The same in characters, for terminals; what draws it is told whether in colour, and how wide.
    text: str | Callable[[bool, int | None], str] | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        drawn = {"spec": self.data} if self.svg is None else {"svg": self.to_svg()}
        characters = {} if self.text is None else {"text": self.to_text()}
        return {"name": self.name, "title": self.title, **drawn, **characters}

    def to_text(self, *, color: bool = False, width: int | None = None) -> str:
        """The picture in characters."""
        return self.text(color, width) if callable(self.text) else self.text or ""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Figure:
        """What ``to_dict`` gave."""
        return cls(data["name"], data.get("spec"), data.get("svg"), data.get("title", ""), data.get("text"))

    @property
    def data(self) -> Mapping[str, Any]:
        """The specification; a drawing has none."""
        return self.spec or {}

    def to_svg(self) -> str:
        """The drawing."""
        if callable(self.svg):
            object.__setattr__(self, "svg", self.svg())
        return _as_ever(_as_wide_as_measured(str(_converted(self.data, "svg")))) if self.svg is None else str(self.svg)

    def to_image(self) -> str:
        """An element of a page. A picture of its own: names inside one figure do not meet those of another."""
        drawn = self.to_svg()
        picture = base64.b64encode(drawn.encode()).decode()
        image = f'<img alt="{html(self.title or self.name)}" src="data:image/svg+xml;base64,{picture}">'
        # A drawing may come from a file of strangers, and is not looked into.
        links = "" if self.spec is None else _links(drawn)
        return f'<style>{_LINK_STYLE}</style><div class="linked">{image}{links}</div>' if links else image

    def to_bytes(self, kind: str) -> bytes:
        """The content of a file."""
        if kind == "svg":
            return self.to_svg().encode()
        if kind == "html":
            return _page(self).encode()
        if self.spec is None:
            raise ParameterError(f"The figure {self.name!r} is a drawing: write it as .svg or .html.")
        return bytes(_converted(self.data, kind))

    def save(self, path: str | Path) -> None:
        """Write it to a file that ends in .svg, .png, .html or .pdf."""
        Path(path).write_bytes(self.to_bytes(figure_kind(str(path))))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """For notebooks: the drawing itself, so that it needs no network when it is read again."""
        return {"image/svg+xml": self.to_svg(), "text/plain": repr(self)}


@dataclass(eq=False)
class Figures(Sequence[Figure]):
    """The figures of a result, made when somebody looks at one of them; printed tables need none.

    ``Result(..., figures=Figures(lambda: draw(rows)))``
    """

    make: Callable[[], Iterable[Figure]] = field(repr=False)

    @cached_property
    def _made(self) -> tuple[Figure, ...]:
        return tuple(self.make())

    def __getitem__(self, place: Any) -> Any:
        return self._made[place]

    def __len__(self) -> int:
        return len(self._made)

    def __eq__(self, other: object) -> bool:
        return self._made == tuple(other) if isinstance(other, (tuple, Figures)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[tuple[Any, ...]], tuple[tuple[Figure, ...]]]:
        """Copied or sent elsewhere, they are plain figures."""
        return tuple, (self._made,)


def _as_wide_as_measured(drawn: str) -> str:
    """A drawing whose texts say how wide they are: in another font, where Helvetica and Arial are missing, they would
    be cut off at the edge, and cover what stands beside them.
    """
    lines = [
        (line, float(size[1]), 'font-weight="bold"' in text[1])
        for text in _WRITTEN.finditer(drawn)
        if (size := _FONT_SIZE.search(text[1]))
        for line in _lines_of(text[2])
    ]
    # Widths of most letters are known; whatever else people write is measured as the converter measures it.
    known = _letter_widths()
    strange = {line for line in lines if not known[line[2]].keys() >= set(line[0])}
    widths = _measured(sorted(strange)) if strange else {}
    for line in lines:
        if line not in widths:
            widths[line] = line[1] * sum(map(known[line[2]].__getitem__, line[0])) / 1000
    return _WRITTEN.sub(lambda text: _with_widths(text, widths), drawn)


def _lines_of(inside: str) -> list[str]:
    """The lines of a text of a drawing."""
    return list(map(unescape, _INSIDE_LINE.findall(inside) if "<tspan" in inside else [inside]))


def _as_ever(drawn: str) -> str:
    """A drawing in which areas are numbered from one, whatever was drawn before it."""
    numbers: dict[str, int] = {}
    return _CLIP.sub(lambda area: f"{area[1]}clip{numbers.setdefault(area[2], len(numbers) + 1)}", drawn)


def _with_widths(text: re.Match[str], widths: Mapping[_Line, float]) -> str:
    size, bold = _FONT_SIZE.search(text[1]), 'font-weight="bold"' in text[1]

    def length(line: str) -> str:
        width = widths.get((unescape(line), float(size[1]), bold)) if size and line else None
        return f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if width else ""

    if "<tspan" in text[2]:
        lines = _WRITTEN_LINE.sub(lambda line: f"<tspan{line[1]}{length(line[2])}>{line[2]}</tspan>", text[2])
        return f"<text{text[1]}>{lines}</text>"
    return f"<text{text[1]}{length(text[2])}>{text[2]}</text>"


def _measured(lines: Sequence[_Line]) -> dict[_Line, float]:
    """How wide the converter takes lines to be: texts of a picture, and texts that say how wide those are."""
    font = {"value": "Helvetica, Arial, sans-serif"}
    said = {"text": {"field": "text"}, "fontSize": {"field": "size"}, "fontWeight": {"field": "weight"}, "font": font}
    values = [{"text": line, "size": size, "weight": "bold" if bold else "normal"} for line, size, bold in lines]
    told = {"text": {"signal": "'width ' + (datum.bounds.x2 - datum.bounds.x1)"}}
    marks = [
        {"type": "text", "name": "said", "from": {"data": "lines"}, "encode": {"enter": said}},
        {"type": "text", "from": {"data": "said"}, "encode": {"update": told}},
    ]
    schema = "https://vega.github.io/schema/vega/v5.json"
    spec = {"$schema": schema, "width": 1, "height": 1, "data": [{"name": "lines", "values": values}], "marks": marks}
    drawn = load_converter().vega_to_svg(spec)
    return dict(zip(lines, map(float, re.findall(">width ([-+.e0-9]+)<", drawn)), strict=True))


@lru_cache(maxsize=1)
def _letter_widths() -> tuple[dict[str, int], dict[str, int]]:
    """How wide letters are, and bold ones; the dash and the minus that figures have are as in both tables."""
    return tuple(  # type: ignore[return-value]
        dict(zip(map(chr, range(32, 127)), map(int, widths.split()), strict=True)) | {"–": 556, "−": 584}
        for widths in (_WIDTHS, _BOLD_WIDTHS)
    )


def _links(drawn: str) -> str:
    """Links to rows of the page that lie over those dots of a drawing that name one: ``segment-0f3a...: what it is``.

    The drawing is an image, in which nothing can be followed; so it is read where its dots are.
    """
    if "segment-" not in drawn:
        return ""
    whole = ElementTree.fromstring(drawn)
    _, _, width, height = map(float, whole.attrib["viewBox"].split())
    found: list[str] = []

    def look(node: ElementTree.Element, x: float, y: float) -> None:
        moved = _MOVED.match(node.get("transform", ""))
        x, y = (x + float(moved[1]), y + float(moved[2])) if moved else (x, y)
        named = _ROW.fullmatch(node.get("aria-label", ""))
        if named:
            place = f"left:{100 * x / width:.2f}%;top:{100 * y / height:.2f}%"
            found.append(f'<a href="#{named[1]}" title="{html(named[2])}" style="{place}"></a>')
        for child in node:
            look(child, x, y)

    look(whole, 0.0, 0.0)
    return "".join(found)


def figure_kind(path: str) -> str:
    """The kind of a figure by how its file is called."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in _KINDS:
        endings = ", ".join(f".{known}" for known in _KINDS)
        raise ParameterError(f"{path}: a figure is written to a file that ends in {endings}.")
    return kind


def load_converter() -> Any:
    """The program that draws, imported where something is drawn."""
    try:
        import vl_convert
    except ImportError as error:
        raise MissingExtra.of("A figure", "plots") from error
    return vl_convert


def drawable(text: str) -> str:
    """``text`` without what stops the converter's whole process; control characters are made visible.

    >>> drawable("x\\x9by"), drawable("x\\ny")
    ('x\\\\x9by', 'x\\ny')
    """
    return _HARMFUL.sub("\ufffd", visible(text).replace("\ufeff", "")) if _HARMFUL.search(text) else text


def _converted(spec: Mapping[str, Any], kind: str) -> Any:
    converter = load_converter()
    options = {"png": {"scale": 2.0}}.get(kind, {})
    try:
        return getattr(converter, f"vegalite_to_{kind}")(plain(spec, drawable), **options)
    except Exception as error:
        raise AssayError(f"The figure cannot be drawn: {str(error).splitlines()[0]}") from error


def _page(figure: Figure) -> str:
    """A page of its own with the picture; what is data stays data in it."""
    title = figure.title or figure.name
    if figure.spec is None:
        return page(title, f'<div class="assay"><figure>{figure.to_image()}</figure></div>')
    data = script(plain(figure.data, drawable))
    body = f'<div id="figure"></div>\n<script type="application/json" id="spec">{data}</script>'
    return page(title, f"{body}\n<script>{_program()}</script>")


@lru_cache(maxsize=1)
def _program() -> str:
    """Vega, Vega-Lite and what draws the figure of a page."""
    program: str = load_converter().javascript_bundle(_DRAW)
    return program.replace("</script", "<\\/script")


#: What a page does with the figure's data.
_DRAW = """
const spec = JSON.parse(document.getElementById("spec").textContent);
vegaEmbed("#figure", spec, {mode: "vega-lite", actions: false, renderer: "svg"});
"""
