"""Folders of text files that belong together: the same number of lines, each thing once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from assay.data.campaign import Campaign
from assay.data.formats.compression import plain_name
from assay.data.formats.folder import LAYOUT, OWN
from assay.data.formats.lines import REMEDY, read_bytes, read_lines
from assay.data.validation.encoding import encoding_findings
from assay.data.validation.finding import Finding, warning
from assay.errors import AssayError


@dataclass
class Folder:
    """The text files of a folder by what they are, and what was found in them."""

    path: Path
    files: dict[tuple[str, str], Path] = field(default_factory=dict)
    #: Files with any name of their own, which are columns if they have as many lines.
    others: dict[str, Path] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    #: Those that have nothing wrong with them.
    sound: dict[tuple[str, str], Path] = field(default_factory=dict)

    @property
    def systems(self) -> list[str]:
        """The names of the systems, whether their files are sound or not."""
        return [name for kind, name in self.files if kind == "system"]

    def campaign(self) -> Campaign | None:
        """What can be looked at further: the campaign of the sound files, if there is one."""
        files = {key: file for key, file in self.sound.items() if not plain_name(file).endswith(".jsonl")}
        columns = {key: read_lines(file) for key, file in files.items()}
        of_kind = {
            wanted: {name: column for (kind, name), column in columns.items() if kind == wanted}
            for wanted in ("system", "reference")
        }
        labels = {key: tuple(columns[key, ""]) for key in ("docs", "segments") if (key, "") in columns}
        if not any(of_kind.values()):
            return None
        return Campaign(
            self.path.name,
            systems=of_kind["system"],
            references=of_kind["reference"],
            source=columns.get(("src", ""), columns.get(("source", ""))),
            documents=labels.get("docs"),
            segments=labels.get("segments"),
        )

    def add(self, kind: str, name: str, file: Path) -> None:
        """One more file; the same thing twice is an error."""
        if (kind, name) in self.files:
            told = f"{kind} {name!r}" if name else kind
            message = f"{told} is in {self.files[kind, name].name} as well. Keep one of them."
            self.findings.append(Finding(str(file), message))
            return
        self.files[kind, name] = file

    def check(self) -> list[Finding]:
        """Everything wrong with bytes and numbers of lines."""
        counts = {file: self._lines(file) for file in self.files.values()}
        known = {file: count for file, count in counts.items() if count is not None}
        if known:
            self._check_counts(known)
        return self.findings

    def _lines(self, file: Path) -> int | None:
        """How many lines a file has, if it can be read."""
        try:
            content = read_bytes(file)
        except AssayError as error:
            self.findings.append(Finding.of_error(error, str(file)))
            return None
        found = encoding_findings(content, str(file))
        self.findings += found
        return None if any(one.severity == "error" for one in found) else _count(content)

    def _check_counts(self, known: Mapping[Path, int]) -> None:
        # What most files have is right; the one that differs is named, even if it is the first.
        expected = Counter(known.values()).most_common(1)[0][0]
        other = next(file for file, count in known.items() if count == expected)
        self.sound = {key: file for key, file in self.files.items() if known.get(file) == expected}
        if expected == 0:
            self.findings.append(Finding(str(other), "the file is empty, so there are no segments."))
        for file, count in known.items():
            if count != expected:
                message = f"{count} lines, but {other.name} has {expected}. {REMEDY}"
                self.findings.append(Finding(str(file), message, "error", min(count, expected) + 1))
        for file in self.others.values():
            try:
                count = _count(read_bytes(file))
            except AssayError:
                continue
            if count != expected and abs(count - expected) <= max(2, expected // 100):
                message = f"{count} lines, but {other.name} has {expected}, so it is not used as a column."
                self.findings.append(warning(str(file), message))


def _count(content: bytes) -> int:
    return content.count(b"\n") + (not content.endswith(b"\n") and bool(content))


def campaign_folder(path: Path) -> Folder:
    """A campaign folder."""
    folder = Folder(path)
    for file in sorted(path.iterdir()):
        name = plain_name(file.name)
        if not file.is_file() or not name.endswith(".txt") or name.startswith("."):
            continue
        stem = name.removesuffix(".txt")
        head, dot, tail = stem.partition(".")
        kinds = {"ref": "reference", "sys": "system"}
        if dot and tail and head in kinds:
            folder.add(kinds[head], tail, file)
        elif stem in OWN:
            folder.add(stem, "", file)
        else:
            folder.others[stem] = file
    if not any(kind == "reference" for kind, _ in folder.files):
        folder.findings.append(Finding(str(path), f"no file called ref.<id>.txt. {LAYOUT}"))
    return folder


def mt_metrics_eval_folder(path: Path, pair: str) -> Folder:
    """One language pair of a folder of mt-metrics-eval."""
    folder = Folder(path)
    places = {
        "source": (path / "sources", pair),
        "reference": (path / "references", f"{pair}."),
        "system": (path / "system-outputs" / pair, ""),
        "documents": (path / "documents", pair),
    }
    for kind, (below, prefix) in places.items():
        for file in sorted(below.iterdir()) if below.is_dir() else []:
            name, dot, ending = plain_name(file.name).removeprefix(prefix).rpartition(".")
            fits = file.name.startswith(prefix) and dot and ending in ("txt", "jsonl", "docs")
            if fits and file.is_file() and (kind in ("reference", "system")) == bool(name):
                folder.add(kind, name, file)
    return folder
