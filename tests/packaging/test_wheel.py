"""What ``make wheel`` builds is whole, and works where there is no Rust and no checkout."""

from __future__ import annotations

import os
import re
import subprocess
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from assay.version import __version__

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "package.md"

pytestmark = pytest.mark.wheel


def built(pattern):
    found = sorted((ROOT / "dist").glob(pattern))
    if not found:
        pytest.skip(f"no dist/{pattern}: make wheel builds it")
    (file,) = found
    return file


@pytest.fixture(scope="module")
def wheel():
    return built("*.whl")


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """An environment with the wheel and what it needs, and nothing else; a shell there knows no Rust."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    strange = ("PYTHON", "VIRTUAL_ENV", "CARGO", "RUST")
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(strange)}
    surroundings |= {"PATH": f"{python.parent}:/usr/bin:/bin", "HOME": str(folder)}

    def call(*words):
        return subprocess.run(words, cwd=folder, env=surroundings, capture_output=True, text=True, check=False)

    done = call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    assert done.returncode == 0, done.stderr
    assert call("sh", "-c", "command -v cargo rustc").returncode != 0
    return call


def test_one_wheel_serves_every_python_from_3_11_on(wheel):
    assert wheel.name.startswith(f"assay_mt-{__version__}-cp311-abi3-")


def test_the_demo_runs_without_rust_and_away_from_the_checkout(installed):
    where = installed("python", "-c", "import assay; print(assay.__file__)").stdout
    assert "site-packages" in where
    assert str(ROOT) not in where
    demo = installed("assay", "demo")
    assert demo.returncode == 0, demo.stderr
    assert "rosetta    69.17" in demo.stdout
    assert demo.stderr == ""
    # Nothing but what was asked for is needed, and what is missing says how to get it.
    copied = installed("assay", "demo", "--copy", "texts")
    assert copied.returncode == 0
    refused = installed("assay", "study", "references", "texts", "--figure", "x.svg")
    assert refused.returncode == 2
    assert "-m pip install vl-convert-python" in refused.stderr


def test_what_is_in_it_is_on_a_page(wheel):
    with zipfile.ZipFile(wheel) as archive:
        members = archive.infolist()
    names = [member.filename for member in members]
    assert {name.split("/")[0] for name in names} == {"assay", f"assay_mt-{__version__}.dist-info"}
    assert not [name for name in names if Path(name).name.startswith(("test_", "conftest"))]
    for needed in (
        "assay/py.typed",
        "assay/demo/campaign/human.tsv",
        "assay/results/sources.bib",
        "assay/explorer/static/app/main.js",
        "assay/kernels/_compiled.abi3.so",
    ):
        assert needed in names
    parts = {
        "compiled kernels": sum(member.compress_size for member in members if member.filename.endswith(".so")),
        "word lists": sum(member.compress_size for member in members if "assay/text/tables/" in member.filename),
        "the demo": sum(member.compress_size for member in members if "assay/demo/" in member.filename),
    }
    front = (".js", ".css")
    parts["JavaScript and styles"] = sum(member.compress_size for member in members if member.filename.endswith(front))
    parts["Python"] = sum(member.compress_size for member in members if member.filename.endswith((".py", ".pyi")))
    parts["the whole wheel"] = wheel.stat().st_size
    shown = dict(re.findall(r"^\| ([^|]+?) \| ([\d.]+) MB \|", PAGE.read_text(), re.MULTILINE))
    for name, size in parts.items():
        assert float(shown[name]) == pytest.approx(size / 1e6, rel=0.15, abs=0.03), (name, size / 1e6)


def test_the_source_can_be_built_from():
    with tarfile.open(built("*.tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for needed in ("Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "pyproject.toml", "src/assay/__init__.py"):
        assert needed in names
    assert any(name.startswith("crates/kernels/src/") for name in names)
