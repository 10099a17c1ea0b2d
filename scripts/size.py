"""How large the house is, and how long the road from a file to a printed number: ``make size``.

Lines and files per room; then two commands on the demo campaign, traced: how many named functions of Assay they call,
in how many files. Lambdas, comprehensions and module bodies are not counted.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import statistics
import subprocess
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

SOURCE = Path(__file__).parents[1] / "src" / "assay"
CAMPAIGN = SOURCE / "demo" / "campaign"
ROADS = (["meta", "-m", "bleu,chrf", "--kind", "adequacy"], ["score", "-m", "bleu"])


def rooms() -> dict[str, list[Path]]:
    """The files of each room."""
    found: dict[str, list[Path]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).parts
        found.setdefault(parts[0] if len(parts) > 1 else "(top)", []).append(path)
    return found


def function_lengths() -> list[int]:
    """Lines of every function, its docstring included."""
    return [
        (node.end_lineno or node.lineno) - node.lineno + 1
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def road(arguments: list[str]) -> set[CodeType]:
    """The functions of Assay that a command calls."""
    from assay.cli.main import run

    called: set[CodeType] = set()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<")
        if event == "call" and is_function and code.co_filename.startswith(str(SOURCE)):
            called.add(code)

    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            run([*arguments, str(CAMPAIGN)])
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    return called


def main(arguments: list[str]) -> None:
    """Print all of it, or how long the road of one command is."""
    if arguments:
        called = road(arguments)
        places = {code.co_filename for code in called}
        print(f"assay {' '.join(arguments)}: {len(called)} functions in {len(places)} files")
        return
    total_lines = total_files = 0
    for name, files in rooms().items():
        lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
        total_lines, total_files = total_lines + lines, total_files + len(files)
        print(f"{name:14} {len(files):4} files {lines:7,} lines")
    print(f"{'all':14} {total_files:4} files {total_lines:7,} lines")
    lengths = function_lengths()
    print(f"{len(lengths):,} functions, the median is {statistics.median(lengths):g} lines long", flush=True)
    for command in ROADS:
        # In a process of its own, so that what is imported on the way counts for every command.
        subprocess.run([sys.executable, __file__, *command], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
