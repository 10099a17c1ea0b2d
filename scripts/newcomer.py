"""What a newcomer types: every command that README and getting started show, as it stands; fails where one does.

``make newcomer`` clones the last commit into a temporary folder, runs ``make demo`` there and types the commands.
``make test`` is typed in a second clone, and takes its minutes; ``--without-tests`` leaves it out. ``--here`` types
commands with the environment of this Python instead, beside the demonstration campaign, and leaves ``make`` alone.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "guides" / "getting-started.md")
DEMO = ROOT / "src" / "assay" / "demo" / "campaign"
#: What pages call the reader's own files, and which texts of the demonstration stand for them.
PLACEHOLDERS = {
    "reference.txt": "ref.A.txt",
    "translation.txt": "sys.compass.txt",
    "ref1.txt": "ref.A.txt",
    "ref2.txt": "ref.B.txt",
    "systemA.txt": "sys.compass.txt",
    "systemB.txt": "sys.gravel.txt",
    "my-campaign": ".",
    "my-campaign/sys.online-A.txt": "sys.lantern.txt",
    "my-campaign/sys.online-B.txt": "sys.compass.txt",
}
#: A block, from its opening line to the closing one; these are what shows a terminal.
_BLOCK = re.compile(r"^```(.*)\n((?:(?!```).*\n)*)```$", re.MULTILINE)
_TERMINALS = ("", "sh", "bash", "console")
#: Commands that say by exit code 1 that a gate has failed, or a file is not sound.
_GATE = re.compile(r"--fail-if-worse|--not-worse-than|--fail-under|\bassay validate\b")


def commands(page: str) -> list[str]:
    """The lines that a page tells its reader to type, without comments; behind ``$`` where output is shown, too."""
    typed = []
    for language, block in _BLOCK.findall(page):
        if language not in _TERMINALS:
            continue
        lines = block.replace("\\\n", " ").splitlines()
        shown = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        typed += [re.sub(r"(^|\s+)# .*", "", line) for line in shown or lines]
    return list(filter(None, typed))


def lay_out(folder: Path, *, demo: bool = True) -> None:
    """Put what stands for the reader's own files into a folder, and the campaign that ``make demo`` lays out."""
    for name, text in (PLACEHOLDERS | ({"demo-campaign": "."} if demo else {})).items():
        if (DEMO / text).is_dir():
            shutil.copytree(DEMO / text, folder / name, dirs_exist_ok=True)
        else:
            shutil.copyfile(DEMO / text, folder / name)


def problem(command: str, folder: Path, *before: str) -> str | None:
    """Type a command in a folder, in a shell that was told something ``before``: how it ended, if not well."""
    # Of several commands in a line none may fail.
    typed = ["bash", "-e", "-o", "pipefail", "-c", "\n".join([*before, command])]
    done = subprocess.run(typed, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode == 0 or (done.returncode == 1 and _GATE.search(command)):
        return None
    last = "\n".join((done.stderr or done.stdout).strip().splitlines()[-20:])
    return f"exit code {done.returncode}\n{last}"


def places(folder: Path, *, here: bool, tests: bool) -> Iterator[tuple[str, Path | str]]:
    """Every command with the folder that it is typed in, or the reason why it is not."""
    typed = dict.fromkeys(line for page in PAGES for line in commands(page.read_text(encoding="utf-8")))
    # The first table of the README stands above what one does first: make demo, and put assay on the path.
    for command in sorted(typed, key=lambda command: not command.startswith(("make demo", "export "))):
        if command.startswith("make test") and not here:
            yield command, folder / "second" if tests else "left out by --without-tests"
        elif command.startswith("make ") and here:
            yield command, "it sets up an environment, and --here takes the one that there is"
        else:
            yield command, folder if here else folder / "first"


def clone(folder: Path) -> None:
    """The last commit of this repository, as a stranger gets it."""
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(folder)], check=True)


def main(arguments: Iterable[str]) -> int:
    given = set(arguments)
    if given - {"--here", "--without-tests"}:
        sys.exit(__doc__)
    here, failed, untried = "--here" in given, 0, 0
    # What a shell is told stays for what is typed behind it.
    told = [f"export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH"] if here else []
    with TemporaryDirectory() as made:
        folder = Path(made)
        if not here:
            for name in ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL"):
                os.environ.pop(name, None)
            for name in ("first", "second"):
                clone(folder / name)
        lay_out(folder if here else folder / "first", demo=here)
        for command, place in places(folder, here=here, tests="--without-tests" not in given):
            if isinstance(place, str):
                untried += 1
                print(f"not tried: {command}\n  {place}", flush=True)
                continue
            print(f"$ {command}", flush=True)
            wrong = problem(command, place, *told)
            told += [command] if command.startswith("export ") else []
            failed += wrong is not None
            if wrong:
                print(f"failed: {wrong}", flush=True)
    print(f"{failed} failed, {untried} not tried.")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
