"""Whole commands, timed from outside: start-up, reading and writing included."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

#: Campaigns beside the repository on the developers' machines.
CAMPAIGNS = Path(__file__).parents[1].parent / "shared" / "data"


def command_seconds(words: Sequence[str]) -> float:
    """What ``assay WORDS`` takes."""
    program = "from assay.__main__ import main; main()"
    # Modules are compiled once, as those of an installed package are.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", program, *words], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - started


def processor_seconds(words: Sequence[str]) -> float:
    """What ``assay WORDS`` takes of all processors together: on a busy machine it says more than the clock."""
    before = os.times()
    command_seconds(words)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
