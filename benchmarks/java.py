"""Java programs as peers: run from a jar that the user names, with the start-up of the machine taken off."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

#: Jars by the program's name, as given on the command line: --jar gtm=gtm.jar.
JARS: dict[str, str] = {}

Command = Callable[[Path, Path], list[str]]


def missing(program: str) -> str | None:
    """Why the program cannot be run, if it cannot."""
    if program not in JARS:
        hint = " or pip install pycocoevalcap" if program == "meteor" else ""
        return f"no jar of {program} was given (--jar {program}=FILE{hint})"
    if not Path(JARS[program]).is_file():
        return f"there is no file {JARS[program]}"
    return None if shutil.which("java") else "there is no Java on this machine"


def gtm_command(exponent: float) -> Command:
    """GTM 1.4 in text mode, with every segment's score."""

    def command(translation: Path, reference: Path) -> list[str]:
        files = [str(translation), str(reference)]
        return ["java", "-Dfile.encoding=UTF-8", "-jar", JARS["gtm"], "-t", "+s", "+d", "-e", str(exponent), *files]

    return command


def meteor_command(translation: Path, reference: Path) -> list[str]:
    """METEOR 1.5 with the modules that need no further table."""
    options = ["-l", "en", "-norm", "-m", "exact stem synonym"]
    return [
        "java",
        "-Xmx2G",
        "-Dfile.encoding=UTF-8",
        "-jar",
        JARS["meteor"],
        str(translation),
        str(reference),
        *options,
    ]


def find_meteor() -> None:
    """METEOR's jar out of PyPI's pycocoevalcap, where that is installed and no other was given."""
    package = importlib.util.find_spec("pycocoevalcap")
    if package is not None and package.submodule_search_locations:
        JARS.setdefault("meteor", str(Path(package.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar"))


def java_time(command: Command, translations: list[str], reference: list[str], rounds: int) -> tuple[float, float]:
    """Seconds for all segments less those for one, best of the rounds, and the last number that is printed."""
    with tempfile.TemporaryDirectory() as folder:
        best = []
        printed = ""
        for count in (len(translations), 1):
            paths = [Path(folder) / name for name in (f"translation.{count}", f"reference.{count}")]
            for path, lines in zip(paths, (translations, reference), strict=True):
                path.write_text("\n".join(lines[:count]) + "\n", encoding="utf-8")
            times = []
            for _ in range(rounds):
                started = time.perf_counter()
                ran = subprocess.run(command(*paths), capture_output=True, check=True)
                times.append(time.perf_counter() - started)
            best.append(min(times))
            printed = printed or ran.stdout.decode()
        return best[0] - best[1], float(re.findall(r"[\d.]+", printed)[-1])
