"""The public names: sorted, complete, documented."""

import ast
import importlib
import re
import tomllib
from pathlib import Path

import pytest

import assay
from assay.metrics.registry import BUILT_IN

ROOT = Path(__file__).parents[1]


def test_names_are_sorted_and_there():
    assert assay.__all__ == sorted(assay.__all__)
    assert set(assay._HOMES) == set(assay.__all__) - {"__version__"}
    for name in assay.__all__:
        assert getattr(assay, name) is not None
    assert dir(assay) == assay.__all__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'blue'"):
        _ = assay.blue


def test_every_public_name_has_a_docstring():
    for name in assay.__all__:
        if name != "__version__":
            assert getattr(assay, name).__doc__, name


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_metric_has_a_page_with_the_same_headings(name):
    page = ROOT / "docs" / "metrics" / f"{name}.md"
    headings = [line[3:] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("## ")]
    assert headings == [
        "What it measures",
        "How to read it",
        "A worked example",
        "Row and formula",
        "Conventions we chose, and whose",
        "Known weaknesses",
        "Agreement with other tools",
        "Source",
    ]


def test_every_dependency_is_justified():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = (ROOT / "docs" / "decisions" / "dependencies.md").read_text(encoding="utf-8")
    # The extra ``all`` names the others.
    extras = [
        name
        for group in project["optional-dependencies"].values()
        for name in group
        if not name.startswith(project["name"])
    ]
    crates = tomllib.loads((ROOT / "crates/kernels/Cargo.toml").read_text(encoding="utf-8"))["dependencies"]
    for requirement in [*project["dependencies"], *extras, *crates]:
        name = requirement.split(">")[0].split("=")[0]
        assert f"`{name}`" in page, name


def test_versions_agree():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert cargo["workspace"]["package"]["version"] == assay.__version__


def test_an_installed_package_brings_its_own_metrics(monkeypatch):
    registry = importlib.import_module("assay.metrics.registry")

    class Entry:
        name = "always-fifty"
        value = "somewhere:Fifty"

        @staticmethod
        def load():
            class Fifty(assay.Recall):
                name = "always-fifty"

                def score(self, rows):
                    return rows[..., 0] * 0.0 + 50.0

            return Fifty

    monkeypatch.setattr(registry.METRICS, "_announced", {"always-fifty": Entry})
    corpus = assay.Corpus(translations=["a"], references=[["b"]])
    assert assay.metric("always-fifty").evaluate(corpus).corpus_score() == 50.0
    assert "always-fifty" in assay.metric_names()


def test_two_metrics_of_one_name_are_an_error():
    class Imposter(assay.Recall):
        name = "bleu"

    with pytest.raises(assay.ParameterError, match="Two metrics are called 'bleu'"):
        assay.register(Imposter)


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))], ids=lambda page: page.stem)
def test_a_page_needs_nothing_but_public_names(page):
    code = "".join(re.findall(r"^```python.*?^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
    # An error prints with its room.
    code = re.sub(r"^assay\.errors\.", "", code, flags=re.MULTILINE)
    names = re.findall(r"\bassay\.(\w+)", code)
    names += re.findall(r"\w+", " ".join(re.findall(r"\bfrom assay import (.*)", code)))
    # The demo's texts, and laws for metrics of one's own, are rooms that everybody may enter.
    assert {*names} <= {*assay.__all__, "demo", "testing"}


def _top_level(tree):
    """The names that a module defines."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def _used_elsewhere(tree):
    """Modules and names that a file takes from others: by import, as attributes of what it imports."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield node.module, name.name
                known[name.asname or name.name] = f"{node.module}.{name.name}"
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known:
            yield known[node.value.id], node.attr


def test_what_only_its_own_module_uses_begins_with_an_underscore():
    files = [path for room in ("src", "tests", "scripts", "benchmarks", "docs") for path in (ROOT / room).rglob("*.py")]
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in files}
    used = {pair for tree in trees.values() for pair in _used_elsewhere(tree)}
    texts = [node.value for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    # Loaded by its name, imported by an example in a guide, or shown in the reference of the public interface.
    named = {word for text in texts if isinstance(text, str) for word in re.findall(r"(?:^|[:.])([A-Za-z]\w*)$", text)}
    pages = {path: path.read_text(encoding="utf-8") for path in ROOT.glob("docs/**/*.md")}
    named |= set(re.findall(r"\w+", pages[ROOT / "docs" / "reference" / "python.md"]))
    imports = [line for text in pages.values() for line in re.findall(r"^>>> from .*", text, re.M)]
    named |= set(re.findall(r"\w+", " ".join(imports)))
    for path in (path for path in files if path.is_relative_to(ROOT / "src")):
        module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
        names = {name for name in _top_level(trees[path]) if not name.startswith("_")}
        alone = {name for name in names if (module, name) not in used} - named - set(assay.__all__)
        # Laws are public by their names.
        assert not alone or module == "assay.testing", f"{module}: {', '.join(sorted(alone))}"
