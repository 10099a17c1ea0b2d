"""What a store gives an explorer, and what is written into it: campaigns, notes on segments, and named slices."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.data.external import ExternalScores
from assay.data.formats.judgements import read_judgements
from assay.data.texts import Texts
from assay.errors import AssayError, InputError, ParameterError, shown
from assay.results.result import spell_json
from assay.store.folder import Run, Store, now

#: So many letters a note has at most, so many notes or slices there are, and so many bytes one takes.
_LONGEST, _MOST, _LARGEST = 20_000, 20_000, 200_000
#: So many bytes all of them take.
_ALL = 64_000_000
_ID = re.compile("[0-9a-f]{16}")


def campaigns_of(store: Store) -> Iterator[Campaign]:
    """The campaigns whose texts a store keeps: of several runs about one, the texts and judgements of all."""
    parts: dict[tuple[str, str], dict[str, Any]] = {}
    for run in store.runs():
        for part in run.kept["campaigns"]:
            if not part.get("whole", True) or not (part["texts"] or part["judgements"]):
                continue
            key = (part["name"], part["segments"])
            known = parts.setdefault(key, {"texts": {}, "scores": {}, "judgements": None})
            known["texts"] |= part["texts"]
            known["scores"] |= part["scores"]
            known["judgements"] = part["judgements"] or known["judgements"]
    for (name, segments), part in parts.items():
        yield _campaign(store, name, segments, part)


def _campaign(store: Store, name: str, segments: str, part: Mapping[str, Any]) -> Campaign:
    """A campaign out of what a store keeps under digests."""
    texts = {
        named: Texts.of(store.get("texts", digest).column("text").to_pylist(), named)
        for named, digest in part["texts"].items()
    }
    table = store.get("segments", segments) if segments else None
    columns = {} if table is None else {one: table.column(one).to_pylist() for one in table.column_names}
    labels: dict[str, Any] = {kind: tuple(columns[one]) for kind, one in _LABELS.items() if one in columns}
    campaign = Campaign(
        name,
        {named.removeprefix("sys."): one for named, one in texts.items() if named.startswith("sys.")},
        {named.removeprefix("ref."): one for named, one in texts.items() if named.startswith("ref.")},
        texts.get("src"),
        columns={
            one.removeprefix("column."): Texts.of(values, one)
            for one, values in columns.items()
            if one.startswith("column.")
        },
        human=read_judgements(store.place_of("judgements", part["judgements"])) if part["judgements"] else None,
        **labels,
    )
    scores = {one: _scores(store, one, digest, len(campaign)) for one, digest in part["scores"].items()}
    return Campaign(**{**vars(campaign), "scores": scores}) if scores else campaign


_LABELS = {"segments": "name", "documents": "document", "domains": "domain"}


def _scores(store: Store, name: str, digest: str, count: int) -> ExternalScores:
    """What another program scored, as a store keeps it."""
    table = store.get("scores", digest)
    by_system: dict[str, Any] = {}
    whole: dict[str, float] = {}
    for row in table.to_pylist():
        if row["level"] == "segment":
            of_system = by_system.setdefault(row["system"], np.full(count, np.nan))
            of_system[row["segment"]] = np.nan if row["score"] is None else row["score"]
        elif row["level"] == "system" and row["score"] is not None:
            whole[row["system"]] = row["score"]
    is_lower = (table.schema.metadata or {}).get(b"better") == b"lower"
    return ExternalScores(name, by_system or None, systems=whole or None, higher_is_better=not is_lower)


@dataclass(eq=False)
class Small:
    """What people make in a page, a file each in a store; without a store it lives as long as the explorer."""

    #: What they are called, and by what one is found.
    kind: str
    key: str
    store: Store | None = None
    _kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def folder(self) -> Path | None:
        """Where they are, if anywhere."""
        return None if self.store is None else self.store.path / self.kind

    def listed(self) -> list[dict[str, Any]]:
        """All of them, by the time when they were made."""
        known = dict(self._kept)
        for path in self._files():
            try:
                one = json.loads(path.read_bytes())
            except (OSError, ValueError, RecursionError):
                continue
            if isinstance(one, dict) and isinstance(one.get(self.key), str):
                known[one[self.key]] = one
        return sorted(known.values(), key=lambda one: (str(one.get("time")), str(one[self.key])))

    def _files(self) -> list[Path]:
        """The files of all of them: a store may come from anybody, and links in it may lead anywhere."""
        folder = self.folder
        if folder is None or folder.is_symlink() or not folder.is_dir():
            return []
        found = sorted(path for path in folder.glob("*.json") if path.is_file() and not path.is_symlink())
        return [path for path in found if _size(path) <= _LARGEST][:_MOST]

    def put(self, given: Any, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Keep one; ``fields`` are what it holds, each with what it has to be."""
        if not isinstance(given, Mapping):
            raise ParameterError(f"{self.kind}: {shown(given)} is none of them, but an object is.")
        for name in given:
            if name not in (*fields, self.key, "time"):
                raise ParameterError(f"{self.kind}: there is no {shown(name)} in one; there are {', '.join(fields)}.")
        one = {name: given.get(name) for name in fields}
        for name, kind in fields.items():
            if not isinstance(one[name], kind) or isinstance(one[name], bool):
                raise ParameterError(f"{self.kind}: {name} is {shown(one[name])}, which it cannot be.")
        name = given.get(self.key)
        if self.key == "id":
            name = name or secrets.token_hex(8)
            if not isinstance(name, str) or not _ID.fullmatch(name):
                raise ParameterError(f"{self.kind}: the id {shown(name)} is none of ours. Leave it out.")
        if not isinstance(name, str) or not name.strip() or len(name) > 200:
            raise ParameterError(f"{self.kind}: the name {shown(name)} is none. Give up to 200 characters.")
        one = {self.key: name, **one, "time": now()}
        if any(isinstance(value, str) and len(value) > _LONGEST for value in one.values()):
            raise ParameterError(f"{self.kind}: a text is longer than {_LONGEST:,} characters.")
        with self._lock:
            others = [*self._kept, *self._files()]
            taken = sum(map(_size, self._files())) + sum(len(spell_json(kept)) for kept in self._kept.values())
            if len(others) >= _MOST or taken >= _ALL:
                raise ParameterError(f"There are {len(others):,} {self.kind} already, too many for more. Remove some.")
            self._write(name, one)
        return one

    def remove(self, name: str) -> None:
        """Forget one."""
        with self._lock:
            self._kept.pop(name, None)
            if self.folder is not None and not self.folder.is_symlink():
                self._path(name).unlink(missing_ok=True)

    def _path(self, name: str) -> Path:
        """Where one is, or would be; nothing in a name leads elsewhere."""
        if self.folder is None:
            raise InputError(f"There is no store for {self.kind}.")
        return self.folder / f"{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.json"

    def _write(self, name: str, one: dict[str, Any]) -> None:
        content = spell_json(one).encode()
        if len(content) > _LARGEST:
            raise ParameterError(f"{self.kind}: this one takes {len(content):,} bytes, and {_LARGEST:,} are enough.")
        if self.store is None or not self.store.writable:
            self._kept[name] = one
            return
        if self.folder is not None and self.folder.is_symlink():
            raise InputError(f"{self.folder} is a link, and nothing is written where it leads.")
        try:
            with self.store.drafted(self._path(name)) as draft:
                draft.write_bytes(content)
        except OSError as error:
            raise InputError(f"{self.store.path}: this cannot be kept ({error.strerror or error}).") from None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def described_run(run: Run, title: str) -> dict[str, Any]:
    """A run as a list of them has it."""
    document, asked = run.record["result"], run.record.get("asked") or {}
    return {
        "id": f"run-{run.id}",
        "name": run.id,
        "time": datetime.fromisoformat(run.time).timestamp(),
        "question": run.question,
        "command": document["command"],
        "campaign": document.get("campaign"),
        "seconds": run.record.get("seconds"),
        "version": document.get("assay"),
        "slice": asked.get("slice"),
        "title": title,
    }


def runs_of(store: Store) -> list[Run]:
    """All runs that can be read, the newest first."""
    try:
        return store.runs()[::-1]
    except AssayError:
        return []
