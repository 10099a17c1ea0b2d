"""What becomes of a store over time: what is damaged or unused in it, what is removed, and how two become one."""

from __future__ import annotations

import contextlib
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from assay.data.texts import Texts
from assay.errors import AssayError, InputError
from assay.store.folder import KINDS, Run, Store, read_table
from assay.store.rows import keys_in

#: What is younger than so many seconds is left alone: a command may be about to use it.
_YOUNG = 3600.0
#: A draft that is older was left by a writer that was killed.
_ABANDONED = 24 * 3600.0


class Finding(NamedTuple):
    """Something in a store that is not as it should be, or that nobody uses."""

    #: damaged, unreadable, missing, newer, unused or unfinished.
    state: str
    path: Path
    said: str

    @property
    def is_wrong(self) -> bool:
        """Whether something is lost, or cannot be read; else it only takes room."""
        return self.state not in ("unused", "unfinished")


def findings(store: Store) -> Iterator[Finding]:
    """Everything that is damaged, missing, of a newer version, unused, or left unfinished.

    Where a run cannot be read, nobody knows what it rests on, and nothing is called unused.
    """
    used: dict[str, set[str]] = {kind: set() for kind in (*KINDS, "rows")}
    whose: dict[str, str] = {}
    unknown = False
    for folder in store.run_folders():
        try:
            run = store.read_run(folder)
        except FileNotFoundError:
            # Somebody has removed it since.
            continue
        except InputError as error:
            unknown = True
            yield Finding("newer" if "newer Assay" in error.what else _state(error), folder, str(error))
            continue
        for name, digests in _rests_on(run).items():
            used[name] |= digests
        whose |= dict.fromkeys(_rests_on(run)["rows"], run.id)
        yield from _missing(store, run)
        try:
            _ = run.result
        except FileNotFoundError:
            continue
        except InputError as error:
            yield Finding(_state(error), folder, str(error))
    for one in (*_of_contents(store, used), *_of_rows(store, whose)):
        if one.state != "unused" or not unknown:
            yield one
    for path in sorted((store.path / "tmp").glob("*")):
        if _age(path) > _ABANDONED:
            yield Finding("unfinished", path, "left by a writer that was stopped")


def _state(error: InputError) -> str:
    """What the system refuses to read may be whole."""
    return "unreadable" if isinstance(error.__cause__, OSError) else "damaged"


def _rests_on(run: Run) -> dict[str, set[str]]:
    """What a run rests on, by kind: digests, and the keys of rows."""
    campaigns = run.kept["campaigns"]
    rows = {f"{link['folder']}/{link['key']}" for link in run.kept["rows"]} | set(run.kept.get("further", ()))
    return {
        "texts": {digest for part in campaigns for digest in part["texts"].values()},
        "segments": {part["segments"] for part in campaigns if part["segments"]},
        "judgements": {part["judgements"] for part in campaigns if part["judgements"]},
        "scores": {digest for part in campaigns for digest in part["scores"].values()},
        "rows": rows,
    }


def _missing(store: Store, run: Run) -> Iterator[Finding]:
    for kind, digests in _rests_on(run).items():
        for digest in sorted(digests) if kind != "rows" else ():
            path = store.place_of(kind, digest)
            if not path.is_file():
                yield Finding("missing", path, f"{run.id} rests on it")


def _of_contents(store: Store, used: Mapping[str, set[str]]) -> Iterator[Finding]:
    for kind in KINDS:
        for path in sorted((store.path / kind).glob("*.parquet")):
            try:
                table = read_table(path)
            except InputError as error:
                yield Finding(_state(error), path, error.what)
                continue
            # The name of a text is the digest of what it says.
            if kind == "texts" and Texts.of(table["text"].to_pylist()).digest != path.stem:
                yield Finding("damaged", path, "it does not hold the text that it is named after")
            elif path.stem not in used[kind]:
                yield Finding("unused", path, "no run rests on it")


def _of_rows(store: Store, whose: Mapping[str, str]) -> Iterator[Finding]:
    """``whose`` says of rows, by folder and key, which run rests on them."""
    there, wrong = set[str](), set[str]()
    for path in sorted((store.path / "rows").glob("*/*.parquet")):
        try:
            read_table(path)
            keys = {f"{path.parent.name}/{key}" for key in keys_in(path)}
        except InputError as error:
            wrong.add(path.parent.name)
            yield Finding(_state(error), path, error.what)
            continue
        there |= keys
        if whose.keys().isdisjoint(keys):
            yield Finding("unused", path, "no run rests on it")
    gone = {key.partition("/")[0]: run for key, run in whose.items() if key not in there}
    for folder in sorted(gone.keys() - wrong):
        yield Finding("missing", store.path / "rows" / folder, f"{gone[folder]} rests on rows that were in it")


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


def removed(store: Store, path: Path) -> None:
    """Take a run, or a file, out of a store: readers see all of it, or nothing."""
    away = store.path / "tmp" / f"{secrets.token_hex(8)}-{path.name}"
    try:
        away.parent.mkdir(exist_ok=True)
        path.rename(away)
    except FileNotFoundError:
        # Somebody else was quicker.
        return
    except OSError as error:
        raise InputError(f"{path} cannot be removed ({error.strerror or error}).") from None
    if away.is_dir():
        shutil.rmtree(away, ignore_errors=True)
    else:
        away.unlink(missing_ok=True)


def is_young(path: Path) -> bool:
    """Whether a command that is at work may be about to use a file."""
    return _age(path) < _YOUNG


class _Merged(NamedTuple):
    """What became of what another store has: numbers by kind."""

    added: Counter[str]
    known: Counter[str]
    left_out: list[tuple[Path, str]]


def merge(store: Store, other: Store) -> _Merged:
    """Add everything that another store has and this one has not: what runs rest on first, runs last."""
    done = _Merged(Counter(), Counter(), [])
    for kind in KINDS:
        for path in sorted((other.path / kind).glob("*.parquet")):
            _copy(store, path, store.place_of(kind, path.stem), kind, done)
    for path in sorted((other.path / "rows").glob("*/*.parquet")):
        _copy(store, path, store.path / "rows" / path.parent.name / path.name, "rows", done)
    for folder in other.run_folders():
        _copy_run(store, other, folder, done)
    return done


def _copy(store: Store, path: Path, target: Path, kind: str, done: _Merged) -> None:
    """Copy a file, if it is sound and not there; what is damaged here is replaced."""
    try:
        read_table(path)
    except AssayError as error:
        done.left_out.append((path, str(error)))
        return
    if target.exists():
        with contextlib.suppress(AssayError):
            read_table(target)
            done.known[kind] += 1
            return
    with store.drafted(target) as draft:
        shutil.copyfile(path, draft)
    done.added[kind] += 1


def _copy_run(store: Store, other: Store, folder: Path, done: _Merged) -> None:
    """Copy a run, if it is sound and not there; two runs of one name that differ are both kept."""
    try:
        run = other.read_run(folder)
        _ = run.result
    except (AssayError, FileNotFoundError) as error:
        done.left_out.append((folder, str(error)))
        return
    target = store.path / "runs" / folder.name
    while target.exists():
        if _content(target) == _content(folder):
            done.known["runs"] += 1
            return
        target = target.with_name(f"{folder.name.rpartition('-')[0]}-{secrets.token_hex(2)}")
    with store.drafted(target) as draft:
        shutil.copytree(folder, draft)
    done.added["runs"] += 1


def _content(folder: Path) -> dict[str, Any]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}
