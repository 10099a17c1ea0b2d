"""The front end as one script and one page: modules joined without a build step, under a strict policy.

Modules import ``import { a, b as c } from "./x.js";`` and export ``export function``, ``const`` and ``class`` alone;
whatever else a file does is an error that says where.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from assay.errors import AssayError
from assay.results.html import fragment
from assay.results.result import Result
from assay.results.visible import TABLE_STYLE, html, script

#: Modules, styles and nothing else.
STATIC = Path(__file__).parent / "static"
#: What a page runs, and what its worker runs.
MAIN, WORKER = "app/main.js", "data/worker.js"

_IMPORT = re.compile(r'^import\s*\{([^{}"]*)\}\s*from\s*"([^"\n]+)"\s*;[ \t]*$', re.MULTILINE)
_NAME = re.compile(r"([A-Za-z_$][\w$]*)(?:\s+as\s+([A-Za-z_$][\w$]*))?")
_EXPORT = re.compile(r"^export\s+(?=(?:(?:async\s+)?function\s*\*?|const|class)\s*([A-Za-z_$][\w$]*))", re.MULTILINE)
#: What begins a line, or calls for a module, in a form that is not known here.
_UNKNOWN = re.compile(r"^\s*(?:import\b(?!\.)|export\b)|\bimport\s*\(|\bimport\.meta\b|^await\b", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)


class ProgramError(AssayError):
    """A module that cannot be joined with the others."""


@cache
def program(entry: str, folder: Path = STATIC) -> str:
    """A module and all that it imports as one classic script."""
    order: dict[str, str] = {}
    _visit(entry, folder, order, ())
    numbers = {path: f"$module{number}" for number, path in enumerate(order)}
    joined = "".join(_wrapped(path, text, numbers) for path, text in order.items())
    return f'"use strict";\n(() => {{\n{joined}}})();\n'


def _visit(path: str, folder: Path, order: dict[str, str], above: tuple[str, ...]) -> None:
    """Put a module behind all that it imports."""
    if path in above:
        raise ProgramError(f"{path}: modules import each other in a circle: {' > '.join((*above, path))}.")
    if path in order:
        return
    try:
        text = (folder / path).read_text(encoding="utf-8")
    except OSError:
        raise ProgramError(f"{above[-1] if above else 'The page'} imports {path}, and there is no such file.") from None
    for imported in _IMPORT.finditer(text):
        _visit(_resolved(path, imported[2], _line(text, imported.start())), folder, order, (*above, path))
    order[path] = text


def _resolved(path: str, named: str, line: int) -> str:
    """Where an imported module lies below the folder."""
    if not named.startswith("."):
        raise ProgramError(f"{path}, line {line}: {named!r} is no path of a module here. Write ./{named}.")
    parts: list[str] = []
    for part in (PurePosixPath(path).parent / named).parts:
        if part == ".." and not parts:
            raise ProgramError(f"{path}, line {line}: {named!r} leads out of the folder.")
        parts = parts[:-1] if part == ".." else [*parts, part]
    return "/".join(parts)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _wrapped(path: str, text: str, numbers: Mapping[str, str]) -> str:
    """A module as a function of its own that is called at once; what it exports is what that gives back."""
    exported: list[str] = []

    def imports(found: re.Match[str]) -> str:
        line = _line(text, found.start())
        parts = [part.strip() for part in found[1].split(",") if part.strip()]
        names = [_NAME.fullmatch(part) for part in parts]
        if not names or None in names:
            raise ProgramError(f"{path}, line {line}: names to import are a, b as c; not {found[1].strip()!r}.")
        listed = ", ".join(name[1] if name[2] is None else f"{name[1]}: {name[2]}" for name in names if name)
        # Lines stay where they are.
        below = "\n" * found[0].count("\n")
        return f"const {{ {listed} }} = {numbers[_resolved(path, found[2], line)]};{below}"

    def exports(found: re.Match[str]) -> str:
        exported.append(found[1])
        return ""

    body = _EXPORT.sub(exports, _IMPORT.sub(imports, text))
    blank = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), body)
    unknown = _UNKNOWN.search(blank)
    if unknown is not None:
        place = unknown.start() + len(unknown[0]) - len(unknown[0].lstrip())
        line = _line(blank, place)
        raise ProgramError(
            f"{path}, line {line}: {body.splitlines()[line - 1].strip()!r} is no import or export of a known form."
        )
    if "<!--" in body:
        raise ProgramError(f"{path}, line {_line(body, body.index('<!--'))}: <!-- would end the script of a page.")
    body = re.sub(r"</(?=script)", r"<\\/", body, flags=re.IGNORECASE)
    return f"// {path}\nconst {numbers[path]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();\n"


@cache
def style() -> str:
    """The styles of the page, those of tables without a program among them."""
    sheets = sorted((STATIC / "app").glob("*.css"))
    return TABLE_STYLE + "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)


def _digest(text: str) -> str:
    """What a policy knows an inline script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _policy(text: str, styles: str, *, files: bool = False) -> str:
    """What a page may do that is a file: run this script and this style, show drawings; nothing else.

    With ``files`` its data lie beside it, as scripts.
    """
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {_digest(text)}{' ' + _BESIDE if files else ''}",
            f"style-src {_digest(styles)}",
            "img-src data: blob:",
            "worker-src blob:",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


#: Scripts beside a page, whether it is served or lies on a disk.
_BESIDE = "'self' file:"


def page(
    manifest: Mapping[str, Any], boot: Mapping[str, Any], *, body: str = "", blobs: Mapping[str, bytes] | None = None
) -> str:
    """A page that needs nothing from elsewhere; without ``blobs`` its data lie in files beside it."""
    text, styles = program(MAIN), style()
    inside = "".join(
        f'<script type="text/plain" id="blob:{html(name)}">{base64.b64encode(content).decode()}</script>\n'
        for name, content in (blobs or {}).items()
    )
    rule = _policy(text, styles, files=blobs is None)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{rule}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html(manifest['title'])}</title><style>{styles}</style></head><body>\n"
        f'<main id="app">{body}</main>\n'
        f'<script type="application/json" id="boot">{script(dict(boot))}</script>\n'
        f'<script type="application/json" id="manifest">{script(dict(manifest))}</script>\n'
        f"{inside}"
        f'<script type="text/plain" id="worker">{program(WORKER)}</script>\n'
        f"<script>{text}</script></body></html>\n"
    )


def plain_content(results: Iterable[tuple[str, Result]]) -> str:
    """Findings, tables and pictures of results, each under its heading: what a page has without a program."""
    parts = "".join(
        f'<section class="answer"><h2>{html(heading)}</h2>{fragment(result)}</section>\n' for heading, result in results
    )
    return f'<div class="assay">{parts}</div>'
