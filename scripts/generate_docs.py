"""Writes what the code itself can tell: ``docs/reference/`` and the agreement section of every metric's page.

``python scripts/generate_docs.py`` writes, ``--check`` only says which files are stale. It needs the extra ``peers``.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from generate_agreement import agreement

import assay
from assay.cli.main import COMMANDS, cli
from assay.metrics.options import (
    TEXT_OPTIONS,
    Options,
    declared_types,
    describe_option,
    is_required,
    option_fields,
    spell_value,
)
from assay.metrics.registry import BUILT_IN, metric_class
from assay.people.statistics.registry import BUILT_IN as STATISTICS
from assay.people.statistics.registry import statistic
from assay.properties import cached_property
from assay.questions.calls import CALLS, call_of
from assay.questions.lookup import STEPS

DOCS = Path(__file__).parents[1] / "docs"
WRITTEN = "<!-- Written by scripts/generate_docs.py; do not edit by hand. -->"
OPEN, CLOSE = "<!-- generated:agreement -->", "<!-- /generated:agreement -->"
#: Columns of help pages and code, whatever the terminal.
WIDTH = 100


def pages() -> dict[Path, str]:
    """Every file that is generated, in whole or in part, with what it should hold."""
    metrics = {DOCS / "metrics" / f"{name}.md": name for name in BUILT_IN}
    return {
        DOCS / "reference" / "cli.md": cli_page(),
        DOCS / "reference" / "metrics.md": metrics_page(),
        DOCS / "reference" / "python.md": python_page(),
        DOCS.parent / "src" / "assay" / "__init__.pyi": public_names(),
        DOCS.parent / "src" / "assay" / "questions" / "calls.pyi": stubs(),
        DOCS / "reference" / "statistics.md": statistics_page(),
    } | {path: with_agreement(path, name) for path, name in metrics.items()}


def with_agreement(path: Path, name: str) -> str:
    """A metric's page with what stands between the markers brought up to date."""
    text = path.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(OPEN)}.*?{re.escape(CLOSE)}", re.DOTALL)
    if len(pattern.findall(text)) != 1:
        raise SystemExit(f"{path.name}: the markers {OPEN} and {CLOSE} must stand there once each.")
    section = f"{OPEN}\n\n{agreement(name)}\n\n{CLOSE}"
    return pattern.sub(lambda _: section, text)


def page(title: str, *parts: str) -> str:
    """A whole generated page."""
    return "\n\n".join([WRITTEN, f"# {title}", *parts]) + "\n"


def table(headings: tuple[str, ...], rows: list[list[str]]) -> str:
    """Cells as a Markdown table."""
    lines = [list(headings), ["---"] * len(headings), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def fenced(code: str, language: str = "text") -> str:
    """Code between fences."""
    return f"```{language}\n{code}\n```"


def cli_page() -> str:
    """The help page of every command."""
    root = click.Context(cli, info_name="assay", terminal_width=WIDTH, **cli.context_settings)
    parts = ["What `assay --help` and the help of each command print.", "## assay", fenced(cli.get_help(root))]
    for name in COMMANDS:
        command = cli.get_command(root, name)
        if command is None:
            raise SystemExit(f"assay.cli.main.COMMANDS names {name!r}, but there is no such command.")
        context = click.Context(command, parent=root, info_name=name, terminal_width=WIDTH)
        parts += [f"## assay {name}", fenced(command.get_help(context))]
        if isinstance(command, click.Group):
            for below in command.list_commands(context):
                inner = command.get_command(context, below)
                if inner is not None:
                    inner_context = click.Context(inner, parent=context, info_name=below, terminal_width=WIDTH)
                    parts += [f"### assay {name} {below}", fenced(inner.get_help(inner_context))]
    return page("Command line", *parts)


def metrics_page() -> str:
    """Every built-in metric with its options; those of other packages depend on what is installed."""
    steps = [[f"`{name}`", STEPS[name]] for name in TEXT_OPTIONS]
    parts = [
        "Every metric takes the options of a [recipe](../concepts/recipes.md), which say what is done to a text before "
        "counting:",
        table(("option", "takes"), steps),
        "Below, each metric's own options come first.",
    ]
    for name in BUILT_IN:
        metric = metric_class(name)
        types = declared_types(metric)
        rows = []
        for field in option_fields(metric):
            takes = "see above" if field.name in TEXT_OPTIONS else describe_option(field, types[field.name])
            default = "needed" if is_required(field) else f"`{spell_value(field.default)}`"
            rows.append([f"`{field.name}`", default, takes])
        better = "higher" if metric.higher_is_better else "lower"
        parts += [
            f"## {name}",
            f"[{metric.label}](../metrics/{name}.md): {metric.summary}. Better is {better}.",
            prose(inspect.getdoc(metric) or ""),
            table(("option", "default", "takes"), rows),
        ]
    return page("Metrics and their options", *parts)


def statistics_page() -> str:
    """Every built-in statistic of ``assay meta``; those of other packages depend on what is installed."""
    rows = []
    for name in STATISTICS:
        found = statistic(name)
        where = "ranked pairs" if found.ranked else ", ".join(found.levels)
        needs = f"{found.fewest} {'pair' if found.ranked else 'points'}"
        rows.append([f"`{name}`", found.label, found.summary, where, ", ".join(found.groupings), needs, found.source])
    headings = ("`--statistic`", "name", "what it is", "levels", "`--grouping`", "needs", "source")
    return page(
        "Statistics of `assay meta`",
        "[Meta-evaluation](../concepts/meta-evaluation.md) has their formulas, and says how ties count and when to use "
        "which. [Can I trust the metric?](../guides/meta.md#a-statistic-of-your-own) shows how to add one.",
        table(headings, rows),
    )


def python_page() -> str:
    """The public names with their signatures."""
    parts = ["The public names: `import assay`, then `assay.<name>`. Methods stand below their class."]
    for name in sorted(assay.__all__, key=str.lower):
        value = getattr(assay, name)
        parts.append(f"## {name}")
        if isinstance(value, str):
            parts.append("The version, as text; it is part of every signature.")
            continue
        if not (isinstance(value, type) and issubclass(value, Exception)):
            parts.append(fenced(name + signature(value), "python"))
        parts.append(first_line(value))
        rows = [[f"`{member}`", line] for member, line in members(value)]
        if rows:
            parts.append(table(("member", "what it is"), rows))
    return page("Python", *parts)


def public_names() -> str:
    """Where each public name comes from, for editors and type checkers."""
    imports = [f"from {home} import {name} as {name}" for name, home in assay._HOMES.items()]
    return "\n".join(
        [
            "# Written by scripts/generate_docs.py; do not edit by hand.",
            *sorted(imports),
            "from assay.version import __version__ as __version__",
            "",
            "_HOMES: dict[str, str]",
            "__all__: list[str]",
            "",
        ]
    )


def stubs() -> str:
    """The signatures of the calls that ask questions, for editors and type checkers."""
    signatures = " ".join(str(inspect.signature(call_of(name))) for name in CALLS)
    typed = [name for name in ("Any", "Literal") if re.search(rf"\b{name}\b", signatures)]
    lines = [
        "# Written by scripts/generate_docs.py; do not edit by hand.",
        "from collections.abc import Callable, Iterable, Sequence",
        "from pathlib import Path",
        *([f"from typing import {', '.join(typed)}"] if typed else []),
        "",
        "from assay.data.campaign import Campaign",
        "from assay.data.judgements import Judgements",
        "from assay.metrics.base import Metric",
        "from assay.results.result import Result",
        "",
        "CALLS: dict[str, str]",
        "",
        "def call_of(name: str) -> Callable[..., Result]: ...",
    ]
    for name in CALLS:
        call = call_of(name)
        parameters = [
            str(
                one.replace(
                    annotation=Bare(one.annotation), default=one.empty if one.default is one.empty else Ellipsis
                )
            )
            for one in inspect.signature(call).parameters.values()
        ]
        leading = sum(one.kind is one.POSITIONAL_OR_KEYWORD for one in inspect.signature(call).parameters.values())
        lines += ["", f"def {name}("]
        lines += [f"    {one}," for one in [*parameters[:leading], "*", *parameters[leading:]]]
        lines.append(") -> Result: ...")
    return "\n".join(lines).replace("Ellipsis", "...") + "\n"


def members(value: Any) -> Iterator[tuple[str, str]]:
    """Public methods and properties that a class itself documents."""
    if not isinstance(value, type):
        return
    inherited = dict(vars(Options)) if Options in value.__bases__ else {}
    for name, member in (inherited | vars(value)).items():
        method = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        documented = not name.startswith("_") and method.__doc__
        if documented and inspect.isfunction(method):
            bound = not isinstance(member, staticmethod)
            yield name + str(bare_signature(method, skip=int(bound))), first_line(method)
        elif documented and isinstance(method, (property, cached_property)):
            yield name, first_line(method)


class Bare:
    """An annotation that prints without quotation marks."""

    def __init__(self, annotation: Any) -> None:
        # Named tuples keep the text of their annotations in an object.
        text = getattr(annotation, "__forward_arg__", annotation)
        self._text = text if isinstance(text, str) else inspect.formatannotation(annotation)

    def __repr__(self) -> str:
        return self._text


def bare_signature(value: Any, skip: int = 0) -> inspect.Signature:
    """Parameters and result as they are declared, without the first ``skip``."""
    found = inspect.signature(value)
    parameters = [
        one if one.annotation is one.empty else one.replace(annotation=Bare(one.annotation))
        for one in list(found.parameters.values())[skip:]
    ]
    result = found.empty if isinstance(value, type) else Bare(found.return_annotation)
    return inspect.Signature(parameters, return_annotation=result)


def signature(value: Any) -> str:
    """The signature on one line, or on a line per parameter where one is too short."""
    text = str(bare_signature(value))
    if len(text) <= WIDTH:
        return text
    parameters, _, result = text[1:].rpartition(")")
    return "\n".join(["(", *(f"    {one}," for one in split_parameters(parameters)), f"){result}"])


def split_parameters(text: str) -> list[str]:
    """Cut at the commas outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def first_line(value: Any) -> str:
    """The first line of a docstring."""
    return prose((inspect.getdoc(value) or "").partition("\n")[0])


def prose(text: str) -> str:
    """A docstring as Markdown."""
    return text.replace("``", "`")


def main(arguments: list[str]) -> int:
    """0 if all is well; 1 if ``--check`` found something stale; 2 for anything else on the line."""
    if arguments not in ([], ["--check"]):
        print("usage: python scripts/generate_docs.py [--check]", file=sys.stderr)
        return 2
    stale = [
        (path, text) for path, text in pages().items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        if arguments:
            print(f"{path.relative_to(DOCS.parent)} is stale: run python scripts/generate_docs.py", file=sys.stderr)
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(DOCS.parent)}")
    return 1 if arguments and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
