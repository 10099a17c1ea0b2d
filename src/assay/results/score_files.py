"""Score files as mt-metrics-eval reads them: ``SYSTEM<tab>SCORE``, a block per system in the order of the test set.

A file holds one metric at one level, which its name says: ``bleu-refA.seg.score`` are scores of segments against refA.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path

from assay.errors import AssayWarning, InputError, ParameterError
from assay.results.rendering import Look, Style
from assay.results.result import Result

#: Levels as names of files have them, their tables, and the options that ask for these.
_LEVELS = {
    "seg": ("segments", "--segments"),
    "doc": ("documents", "--documents"),
    "domain": ("domains", "--domains"),
    "sys": ("scores", ""),
}


def _one(result: Result, look: Look) -> str:
    """The file that was named, or without a name that of the main table; of one metric."""
    files = _files(result, look)
    metrics = {row["metric"] for row in result.tables["scores"]}
    by_table = {table: level for level, (table, _) in _LEVELS.items()}
    level = by_table[result.main] if look.file is None else Path(look.file).stem.rpartition(".")[2]
    if level not in _LEVELS:
        raise ParameterError(
            f"{look.file}: a score file is called NAME.seg.score, .doc.score, .domain.score or .sys.score."
        )
    if len(metrics) > 1:
        raise ParameterError(
            f"A score file holds one metric, and there are {len(metrics)}. All of them: -o FOLDER/ --format mtme-score."
        )
    fitting = [text for name, text in files.items() if name.endswith(f".{level}.score")]
    if not fitting:
        raise ParameterError(f"{look.file} takes {_LEVELS[level][0]}: add {_LEVELS[level][1]}.")
    return fitting[0]


def _files(result: Result, _look: Look) -> Mapping[str, str]:
    """A file per metric and level, named after both and the references."""
    if result.question != "score":
        raise ParameterError("--format mtme-score is for assay score; convert --to mtme-score writes judgements.")
    references = ".".join(name.removeprefix("ref.") for name in result.digests if name.startswith("ref.")) or "src"
    lower = [metric for metric, better in result.setup.get("better", {}).items() if better == "lower"]
    if lower:
        message = f"Higher is better in score files: those of {', '.join(lower)} are written with a minus."
        warnings.warn(AssayWarning(message), stacklevel=1)
    files: dict[str, list[str]] = {}
    for level, (table, _) in _LEVELS.items():
        for row in result.tables.get(table, ()):
            metric, system, score = row["metric"], row["system"], row["score"]
            if score is None or re.search(r"\s", system):
                reason = "has no score" if score is None else "has a blank in its name"
                raise InputError(
                    f"{system!r} {reason} ({metric}), and mt-metrics-eval refuses files with such a system."
                )
            cells = [row["domain"]] if level == "domain" else []
            cells += [system, repr(-score if metric in lower else score)]
            name = re.sub(r"[/\\]", "_", metric)
            files.setdefault(f"{name}-{references}.{level}.score", []).append("\t".join(cells))
    chosen = result.options.get("where") or result.options.get("skip_empty_references")
    if chosen and any(table in result.tables for table in ("segments", "documents")):
        raise ParameterError("A score file has a line for every segment or document, so that none can be left out.")
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in files.items()}


STYLE = Style("mtme-score", (".score",), _one, files=_files)
