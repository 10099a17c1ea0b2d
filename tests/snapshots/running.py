"""Runs a case in a folder of its own and spells what came of it as one readable text."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import unquote

from assay.cli.main import run
from assay.demo import CAMPAIGN
from assay.results import figure
from assay.results.figure import Figure

HERE = Path(__file__).parent
EXPECTED = HERE / "expected"

#: What a section of a snapshot begins with.
MARK = "===="
UNENDED = "\\ no line end\n"

#: How commands print JSON. What is printed so is kept with less space: one line for what holds no further lists.
INDENT = 2
WIDTH = 120

#: What is another on every machine or in every release, and no business of a snapshot.
MASKS = (
    (re.compile(r'(version:|assay, version |Assay |"assay": ?")\d+\.\d+[\w.]*'), r"\g<1>VERSION"),
    # The digest of a short signature is of the version, too; the whole one stands in JSON.
    (re.compile(r" v\d+\.\d+[\w.]* #[0-9a-f]{6}\b"), " vVERSION #DIGEST"),
    (re.compile(r"(vega-lite/)v[\d.]+json"), r"\g<1>VERSION.json"),
    (re.compile(r'("digest": ")[0-9a-f]{64}'), r"\g<1>DIGEST"),
    (re.compile(r'("(?:numpy|python|scikit-learn|scipy)": ?")[\d.]+'), r"\g<1>VERSION"),
)


def lay_out(folder: Path) -> None:
    """The campaigns and other files that cases name, side by side; names are quoted in the repository for Windows."""
    shutil.copytree(CAMPAIGN, folder / "demo")
    shutil.copytree(HERE.parent / "store" / "version-1", folder / "kept")
    for kind in ("campaigns", "inputs"):
        for file in sorted((HERE / kind).rglob("*")):
            if file.is_file():
                home = HERE if kind == "inputs" else HERE / kind
                target = folder / file.relative_to(home).with_name(unquote(file.name))
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


def snapshot(arguments: list[str], folder: Path) -> str:
    """What a command line does in ``folder``: its exit code, both outputs, and files, which are removed."""
    before = set(folder.rglob("*"))
    with _surroundings(folder) as (out, err):
        code = run(arguments)
    parts = {"standard output": out.getvalue().decode(), "standard error": err.getvalue().decode()}
    for file in sorted(set(folder.rglob("*")) - before):
        if file.is_file():
            parts[f"file {file.relative_to(folder)}"] = file.read_bytes().decode()
            file.unlink()
    if "Traceback" in parts["standard error"]:
        raise AssertionError(parts["standard error"])
    return _spelled(arguments, code, dict(folded(name, _masked(text, folder)) for name, text in parts.items() if text))


def sections(text: str) -> dict[str, str]:
    """The parts of a snapshot by name; what stands before the first of them is called ``command``."""
    found = re.split(rf"^{MARK} (.*) {MARK}\n", text, flags=re.MULTILINE)
    return {"command": found[0], **dict(zip(found[1::2], found[2::2], strict=True))}


def folded(name: str, text: str) -> tuple[str, str]:
    """JSON with less space, if it is printed as all of it is; the name of the section says so."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return name, text
    if text != json.dumps(value, ensure_ascii=False, indent=INDENT) + "\n":
        return name, text
    return f"{name} (folded)", _fold(value, "") + "\n"


def _spelled(arguments: list[str], code: int, parts: Mapping[str, str]) -> str:
    spelled = [f"$ {shlex.join(['assay', *arguments])}\nexit code {code}\n"]
    for name, text in parts.items():
        spelled.append(f"{MARK} {name} {MARK}\n{text}" + ("" if text.endswith("\n") else f"\n{UNENDED}"))
    return "".join(spelled)


def _fold(value: Any, indent: str) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list):
        return line
    inside = list(value.values()) if isinstance(value, dict) else value
    if len(indent + line) <= WIDTH or not any(isinstance(one, dict | list) and one for one in inside):
        return line
    keys = (
        [f"{json.dumps(key, ensure_ascii=False)}: " for key in value] if isinstance(value, dict) else [""] * len(value)
    )
    lines = [f"{indent} {key}{_fold(one, indent + ' ')}" for key, one in zip(keys, inside, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return "\n".join([opening, ",\n".join(lines), indent + closing])


def _masked(text: str, folder: Path) -> str:
    for home in {str(folder), str(folder.resolve())}:
        text = text.replace(f"{home}/", "").replace(home, ".")
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


@contextmanager
def _surroundings(folder: Path) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """The same everywhere: 80 columns, no terminal, nothing on standard input, warnings as errors."""
    out, err = io.BytesIO(), io.BytesIO()
    home = Path.cwd()
    os.chdir(folder)
    try:
        with (
            patch.dict(os.environ, {"COLUMNS": "80", "LINES": "24"}),
            patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(), encoding="utf-8")),
            patch.object(sys, "stdout", io.TextIOWrapper(out, encoding="utf-8", write_through=True)),
            patch.object(sys, "stderr", io.TextIOWrapper(err, encoding="utf-8", write_through=True)),
            patch("assay.results.figure._page", _specification),
            # Pages hold figures as SVG; each has a snapshot of its own.
            patch("assay.results.figure._converted", lambda *_: "<svg/>"),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error")
            yield out, err
            sys.stdout.flush()
            sys.stderr.flush()
            # Otherwise the wrappers close what was written when they go.
            sys.stdout.detach()
            sys.stderr.detach()
    finally:
        os.chdir(home)


def _specification(drawn: Figure, page: Callable[[Figure], str] = figure._page) -> str:
    """A figure as what it is drawn from: drawing is slow, and depends on the fonts of the machine."""
    return page(drawn) if drawn.spec is None else json.dumps(drawn.data, ensure_ascii=False, indent=INDENT) + "\n"
