"""Writes the snapshots anew and shows what changed: ``make snapshots``, or with names for some: ``score/demo``."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from snapshots.cases import ALL
from snapshots.comparing import differences
from snapshots.running import EXPECTED, lay_out, snapshot

#: Lines of difference that are shown of one snapshot.
SHOWN = 40


def main(chosen: list[str]) -> None:
    """Write what has changed; what differs in the tenth digit only stays as it is."""
    names = [name for name in ALL if not chosen or name.startswith(tuple(chosen))]
    counts = {"unchanged": 0, "changed": 0, "new": 0, "vanished": 0}
    with TemporaryDirectory() as made:
        folder = Path(made)
        lay_out(folder)
        for name in names:
            counts[_write(name, snapshot(ALL[name].arguments, folder))] += 1
    for file in sorted(EXPECTED.rglob("*.txt")) if not chosen else ():
        if str(file.relative_to(EXPECTED)).removesuffix(".txt") not in ALL:
            _say(f"vanished: {file.relative_to(EXPECTED)}")
            file.unlink()
            counts["vanished"] += 1
    _say(", ".join(f"{count} {what}" for what, count in counts.items()))


def _write(name: str, found: str) -> str:
    file = EXPECTED / f"{name}.txt"
    if not file.exists():
        _say(f"new: {name}")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(found.encode())
        return "new"
    changed = differences(file.read_bytes().decode(), found, ALL[name].style, SHOWN)
    if not changed:
        return "unchanged"
    _say("\n".join([f"changed: {name}", *changed, ""]))
    file.write_bytes(found.encode())
    return "changed"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
