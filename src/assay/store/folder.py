"""A store: a folder to which runs are added, and in which none is changed.

::

    store.json                     what this folder is, and the version of its layout
    runs/<run>/run.json            what was asked, of what, by which version, when; what it rests on
    runs/<run>/<table>.parquet     the tables of the answer
    runs/<run>/views.json          sentences, notes, and how people see the tables
    runs/<run>/figures.json        figures as data
    rows/<key>/<systems>.parquet   what was counted: a row per segment, under everything that counting read
    texts/<digest>.parquet         columns of texts
    segments/<digest>.parquet      where each segment stands: its place, name, document, domain, further columns
    judgements/<digest>.parquet    what people said
    scores/<digest>.parquet        what other programs scored

Everything is written under a name in ``tmp``, flushed to the disk and then renamed: it is there whole, or not at all.
What a file is called stands for what is in it, so that nobody ever changes what somebody else reads, and there are no
locks. Runs are written last, when all that they rest on is there.
"""

from __future__ import annotations

import json
import os
import platform
import re
import secrets
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from assay.arguments import checked
from assay.errors import AssayError, AssayWarning, InputError, MissingExtra, ParameterError, Place, UnknownName
from assay.properties import cached_property
from assay.results.arrow import from_arrow, to_arrow
from assay.results.result import Result
from assay.threads import in_threads
from assay.version import __version__

#: The version of the layout; a folder with a higher one comes from a newer Assay.
_SCHEMA = 1
#: What a store is called in the folder of a campaign.
NAME = ".assay"
_MARK = "store.json"
_RUN, _VIEWS, _FIGURES = "run.json", "views.json", "figures.json"
#: What is kept under the digest of its content, beside the rows.
KINDS = ("texts", "segments", "judgements", "scores")
_FOLDERS = ("runs", "rows", *KINDS, "tmp")
#: The parts of a result that stand in files of their own.
_SHOWN = ("findings", "notes", "views")
#: Libraries that numbers come from; a run names those that it used.
_LIBRARIES = ("numpy", "scipy", "sklearn")
#: What names of files that stand for their content are made of.
_DIGEST = re.compile("[0-9a-f]{8,64}")
#: The run that was added last, or so many before it.
_LAST = re.compile(r"last(?:~([0-9]{1,9}))?")


@dataclass(frozen=True)
class Run:
    """One run of a store: what ``run.json`` says of it, and where its tables are."""

    folder: Path
    record: Mapping[str, Any] = field(repr=False)

    @property
    def id(self) -> str:
        """What it is called: when, what, and four digits of its own."""
        return self.folder.name

    @property
    def time(self) -> str:
        """When it was answered, in UTC as ISO 8601 has it."""
        return str(self.record["time"])

    @property
    def moment(self) -> float:
        """The same in seconds since 1970."""
        return datetime.fromisoformat(self.time).timestamp()

    @property
    def question(self) -> str:
        """What was asked."""
        document = self.record["result"]
        return str(document.get(document["command"], document["command"]))

    def table_file(self, name: str) -> Path:
        """Where a table is that has rows; it may be called in any way."""
        return self.folder / f"{quote(name, safe='')}.parquet"

    @property
    def kept(self) -> Mapping[str, Any]:
        """The campaigns and rows that it rests on, by their digests and keys."""
        kept: Mapping[str, Any] = self.record["kept"]
        return kept

    @cached_property
    def result(self) -> Result:
        """The answer, as it was given."""
        tables = {
            name: from_arrow(read_table(self.table_file(name))) if rows else []
            for name, rows in self.record["tables"].items()
        }
        shown = {**_read_json(self.folder / _VIEWS), "figures": _read_json(self.folder / _FIGURES)}
        document = {**self.record["result"], **tables, **shown}
        return replace(Result.from_dict(document, str(self.folder)), time=self.moment)


class Store:
    """A folder of kept runs, at ``path`` or as ``.assay`` in it.

    ``Store.create(path)`` makes one. ``readable`` says whether it can be written to, too.
    """

    @checked
    def __init__(self, path: str | Path) -> None:
        given = Path(path)
        self.path = next((one for one in (given, given / NAME) if is_store(one)), given)
        if not is_store(self.path):
            if given.is_file():
                raise InputError("this is a file, and a store is a folder.", place=Place(str(given)))
            what = "there is no such folder." if not given.exists() else f"this is no store, for it has no {_MARK}."
            raise InputError(what, f"Make one: assay store create {given}", Place(str(given)))
        mark = _read_json(self.path / _MARK)
        schema = mark.get("store") if isinstance(mark, dict) else None
        if not isinstance(schema, int) or isinstance(schema, bool):
            raise InputError("this is no store, or its mark is damaged.", place=Place(str(self.path / _MARK)))
        if schema > _SCHEMA:
            what = f"the store comes from a newer Assay (layout {schema}; this one reads up to {_SCHEMA})."
            raise InputError(what, "Install that version.", Place(str(self.path)))

    @classmethod
    @checked
    def create(cls, path: str | Path) -> Store:
        """A new store: ``.assay`` in a folder that has files, such as a campaign; else the folder itself."""
        given = Path(path)
        if given.exists() and not given.is_dir():
            raise InputError("this is a file.", "Name a campaign's folder, or one to be made.", Place(str(given)))
        target = given / NAME if _has_others(given) else given
        if is_store(given) or is_store(target):
            raise InputError("there is a store already.", "It can be used as it is.", Place(str(target)))
        if _has_others(target):
            raise InputError("this folder has other files in it.", "Name another folder.", Place(str(target)))
        draft = target / f"tmp/{secrets.token_hex(8)}-{_MARK}"
        try:
            for name in _FOLDERS:
                (target / name).mkdir(parents=True, exist_ok=True)
            draft.write_bytes(_json({"store": _SCHEMA, "assay": __version__, "made": now()}))
            _flush(draft)
            # Last: what has it is a store.
            draft.replace(target / _MARK)
        except (OSError, ValueError) as error:
            with suppress(OSError, ValueError):
                draft.unlink()
            for name in (*_FOLDERS, "."):
                # What is not empty is somebody else's.
                with suppress(OSError, ValueError):
                    (target / name).rmdir()
            # A name may have what no file system takes.
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"a store cannot be made there ({reason}).", place=Place(str(target))) from None
        return cls(target)

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    @property
    def writable(self) -> bool:
        """Whether anything can be kept in it."""
        return all(os.access(self.path / name, os.W_OK | os.X_OK) for name in _FOLDERS if (self.path / name).exists())

    # Runs

    def runs(self) -> list[Run]:
        """All runs, the oldest first; those that cannot be read are left out, with a warning."""
        found, damaged = [], []
        for folder in self.run_folders():
            try:
                found.append(self.read_run(folder))
            except FileNotFoundError:
                # Somebody has removed it since.
                continue
            except InputError as error:
                damaged.append(error)
        if damaged:
            said = f"{len(damaged)} of the runs in {self.path} cannot be read, and are left out: {damaged[0]}"
            warnings.warn(AssayWarning(f"{said} All of them: assay store check.", level="warning"), stacklevel=2)
        return sorted(found, key=lambda run: (run.time, run.id))

    def run_folders(self) -> list[Path]:
        """The folders of all runs."""
        return sorted(entry for entry in _entries(self.path / "runs") if entry.is_dir())

    def read_run(self, folder: Path) -> Run:
        """The run in a folder, without its tables."""
        record = _read_json(folder / _RUN)
        if not _is_record(record):
            raise InputError("this is no record of a run.", place=Place(str(folder / _RUN)))
        if not isinstance(record["store"], int) or record["store"] > _SCHEMA:
            raise InputError("the run comes from a newer Assay.", "Install that.", Place(str(folder / _RUN)))
        return Run(folder, record)

    @checked
    def run(self, name: str) -> Run:
        """The run of that name, or of the only one whose name has it as a part; ``last``, ``last~1`` before it."""
        if (self.path / "runs" / name / _RUN).is_file() and name == Path(name).name:
            return self.read_run(self.path / "runs" / name)
        last = _LAST.fullmatch(name)
        if last is not None:
            runs, back = self.runs(), int(last[1] or 0)
            if back < len(runs):
                return runs[-1 - back]
            raise UnknownName(f"There is no run {name!r}: {self.path} has {len(runs)}. See: assay history")
        fitting = [folder for folder in self.run_folders() if name and name in folder.name]
        if len(fitting) > 1:
            more = f" and {len(fitting) - 5:,} more" if len(fitting) > 5 else ""
            listed = ", ".join(folder.name for folder in fitting[:5]) + more
            raise ParameterError(f"{name!r} is part of the names of {len(fitting)} runs: {listed}. Give more of one.")
        if not fitting:
            raise UnknownName.of("run", name, [folder.name for folder in self.run_folders()], most=5)
        return self.read_run(fitting[0])

    def add(
        self,
        result: Result,
        *,
        seconds: float | None = None,
        asked: Mapping[str, Any] | None = None,
        kept: Mapping[str, Any] | None = None,
    ) -> Run:
        """Keep a result as a run of its own.

        ``asked`` is how to ask again; ``kept`` names the texts, judgements, scores and rows that it rests on, which are
        there already.
        """
        document = result.to_dict()
        tables = {name: document.pop(name) for name in result.tables}
        figures, views = document.pop("figures"), {name: document.pop(name) for name in _SHOWN}
        moment = now()
        record = {
            "store": _SCHEMA,
            "time": moment,
            "seconds": seconds,
            "tables": {name: len(rows) for name, rows in tables.items()},
            "asked": asked,
            "kept": kept or {"campaigns": [], "rows": []},
            "versions": _versions(),
            "result": document,
        }
        stamp = re.sub(r"[-:]", "", moment[:19]).replace("T", "-")
        while True:
            folder = (
                self.path / "runs" / f"{stamp}-{re.sub(r'[^a-z0-9-]', '_', result.question)}-{secrets.token_hex(2)}"
            )
            if folder.exists():
                continue
            with self.drafted(folder) as draft:
                draft.mkdir()
                for name, rows in tables.items():
                    if rows:
                        write_table(to_arrow(rows), Run(draft, record).table_file(name))
                for name, content in {_VIEWS: views, _FIGURES: figures, _RUN: record}.items():
                    (draft / name).write_bytes(_json(content))
            return Run(folder, record)

    # What runs rest on

    def place_of(self, kind: str, digest: str) -> Path:
        """Where something is kept under the digest of its content."""
        return self.path / kind / f"{digest}.parquet"

    def put(self, kind: str, digest: str, make: Callable[[], Any]) -> None:
        """Keep a table under the digest of its content, which is made only if it is not there."""
        target = self.place_of(kind, digest)
        try:
            # What nothing rests on is removed only if it is old: from now on something may.
            os.utime(target)
        except FileNotFoundError:
            table = make()
            with self.drafted(target) as draft:
                write_table(table, draft)

    def get(self, kind: str, digest: str) -> Any:
        """The table under a digest, as Arrow has it."""
        return read_table(self.place_of(kind, digest))

    @contextmanager
    def drafted(self, target: Path) -> Iterator[Path]:
        """A path to write a file or a folder to; in the end it is flushed to the disk, and is ``target``."""
        draft = self.path / "tmp" / f"{secrets.token_hex(8)}-{target.name}"
        draft.parent.mkdir(exist_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield draft
            files = [*draft.iterdir(), draft] if draft.is_dir() else [draft]
            # The disk takes them together in the time of one.
            in_threads(_flush, files, len(files))
            draft.rename(target) if draft.is_dir() else draft.replace(target)
            _flush(target.parent)
        finally:
            if draft.is_dir():
                shutil.rmtree(draft, ignore_errors=True)
            else:
                draft.unlink(missing_ok=True)


def _is_record(record: Any) -> bool:
    """Whether this is what a run says of itself. A store may come from anybody: digests are parts of paths."""
    try:
        kept, result, asked = record["kept"], record["result"], record.get("asked") or {}
        campaigns, rows = kept.get("campaigns", []), kept.get("rows", [])
        digests = [digest for part in campaigns for kind in ("texts", "scores") for digest in part[kind].values()]
        digests += [part[kind] for part in campaigns for kind in ("segments", "judgements") if part.get(kind)]
        digests += [row[name] for row in rows for name in ("folder", "key") if name in row]
        texts = [record["time"], result["command"], result.get(result["command"], ""), asked.get("folder", "")]
        texts += [part["name"] for part in campaigns]
        texts += [result.get("campaign") or "", result.get("assay") or "", asked.get("slice") or ""]
        inputs = asked.get("inputs", {}).values()
        texts += [one for given in inputs for one in (given if isinstance(given, list) else [given or ""])]
        return (
            all(isinstance(digest, str) and _DIGEST.fullmatch(digest) for digest in digests)
            and all(isinstance(one, (str, bool)) for one in texts)
            and all(isinstance(count, int) for count in record["tables"].values())
            and isinstance(result.get("options", {}), dict)
            and isinstance(record.get("seconds") or 0, (int, float))
            and isinstance(record["store"], int)
            and datetime.fromisoformat(record["time"]).tzinfo is not None
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return False


def is_store(path: Path) -> bool:
    """Whether a folder says that it is a store, or does not let itself be asked: who opens it is told."""
    try:
        return (path / _MARK).is_file()
    except PermissionError:
        return True
    except OSError:
        return False


def _has_others(path: Path) -> bool:
    """Whether a folder has more than what was made of a store by somebody who was stopped."""
    return path.is_dir() and any(entry.name not in _FOLDERS for entry in path.iterdir())


def write_table(table: Any, path: Path) -> None:
    """Write an Arrow table as Parquet whose pages have checksums."""
    _parquet().write_table(table, path, compression="zstd", write_page_checksum=True)


def read_table(path: Path, columns: list[str] | None = None) -> Any:
    """An Arrow table; a file that is damaged is named."""
    try:
        if not path.is_file():
            raise InputError("the file is gone.", "See: assay store check", Place(str(path)))
        with _parquet().ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(columns)
        table.validate(full=True)
    except AssayError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise unreadable(path, error) from error
        reason = str(error).strip().partition("\n")[0][:200].rstrip(".")
        raise InputError(f"the file is damaged ({reason}).", "See: assay store check", Place(str(path))) from None
    return table


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra.of("A store", "store") from error
    return pyarrow.parquet


def now() -> str:
    """This moment, to the microsecond."""
    return datetime.fromtimestamp(time.time(), UTC).isoformat(timespec="microseconds")


def _versions() -> dict[str, str]:
    """What numbers may hang on beside Assay: the last bits of sums differ between machines and libraries."""
    libraries = {name: str(sys.modules[name].__version__) for name in _LIBRARIES if name in sys.modules}
    return {"python": platform.python_version(), "machine": f"{platform.system()} {platform.machine()}", **libraries}


def _json(content: Any) -> bytes:
    # Half of a character, which UTF-8 does not have, is an escape in JSON.
    return (json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode(errors="backslashreplace")


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except FileNotFoundError:
        if path.parent.exists():
            raise InputError("the file is gone.", "See: assay store check", Place(str(path))) from None
        raise
    except OSError as error:
        raise unreadable(path, error) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"the file is damaged ({error}).", "See: assay store check", Place(str(path))) from None


def unreadable(path: Path, error: OSError) -> InputError:
    """What the system does not let anybody read: it may be whole."""
    reason = os.strerror(error.errno) if error.errno else error
    return InputError(f"cannot be read ({reason}).", place=Place(str(path)))


def _entries(folder: Path) -> list[Path]:
    return [*folder.iterdir()] if folder.is_dir() else []


def _flush(path: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    if os.name == "nt" and path.is_dir():
        # Windows has no such thing for folders.
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
