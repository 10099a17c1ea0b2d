"""``assay store``: make one, look for damage, remove what nobody wants any more, put two together."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, ClassVar

from assay.errors import InputError, ParameterError, counted
from assay.questions.asked import Asked
from assay.questions.base import Question, option, path_option
from assay.questions.kept.base import OfStore
from assay.results.result import Column, Result, Table, View
from assay.store.folder import KINDS, Store
from assay.store.upkeep import Finding, findings, is_young, merge, removed


@dataclass(frozen=True, kw_only=True)
class Create(Question):
    """Make a store: `.assay` in a campaign's folder, where from then on every command keeps its answer; or a folder
    of its own, which `--store` names.
    """

    name: ClassVar[str] = "create"
    command: ClassVar[str] = "store"
    question: ClassVar[str] = "Make a store: in a campaign, or a folder of its own."
    takes: ClassVar[tuple[str, ...]] = ()
    arguments: ClassVar[tuple[str, ...]] = ("folder",)

    folder: Any = path_option("A campaign's folder, or one to be made.", needed=True, metavar="CAMPAIGN | FOLDER")

    def answer(self, asked: Asked) -> Result:
        store = Store.create(self.folder)
        said = f"{store.path} is a store now. See what is in it: assay history --store {store.path}"
        return Result("create", {"table": [{"store": str(store.path)}]}, (), (said,))


@dataclass(frozen=True, kw_only=True)
class Check(OfStore):
    """Look for damage: files that cannot be read, that runs rest on and are gone, or that do not hold what their names
    say. And for what only takes room: what no run rests on, and what a writer that was stopped has left. Where a run
    cannot be read nothing is called unused, for nobody knows what it rests on.

    Exit code 1 if anything is damaged, missing, of a newer version, or not to be read.
    """

    name: ClassVar[str] = "check"
    command: ClassVar[str] = "store"
    question: ClassVar[str] = "Is anything damaged, or unused?"
    is_drawn: ClassVar[bool] = False
    arguments: ClassVar[tuple[str, ...]] = ("store",)
    working: ClassVar[str] = "Checking"

    store: Any = path_option("The store, or a folder that has it as .assay (default: this folder).", metavar="[STORE]")

    def answer(self, asked: Asked) -> Result:
        store = self.opened()
        found = list(findings(store))
        counts = Counter(one.state for one in found)
        wrong = any(one.is_wrong for one in found)
        runs = len(store.run_folders())
        said = [f"{store.path}: {counted(runs, 'run')}. {'Sound.' if not wrong else 'Not sound.'}"]
        if counts:
            said.append(f"{', '.join(f'{count:,} {state}' for state, count in counts.items())}.")
        if not counts.keys().isdisjoint(("damaged", "unused", "unfinished")):
            said.append("What is damaged or takes room only can be removed: assay store remove --damaged, --unused.")
        view = View("", "problems", (Column("file"), Column("said", "what is wrong")), (Column("state"),))
        return Result(
            "check", {"problems": _rows(store, found)}, (view,), tuple(said),
            setup={"runs": runs, "sound": not wrong, **counts}, failed=wrong,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Remove(OfStore):
    """Remove runs that are named; what no run rests on (--unused); what cannot be read (--damaged).

    What runs rest on stays until --unused: other runs may rest on it. Files that are younger than an hour stay in any
    case, for a command that is at work may be about to use them.
    """

    name: ClassVar[str] = "remove"
    command: ClassVar[str] = "store"
    question: ClassVar[str] = "Remove runs, and what is unused or damaged."
    is_drawn: ClassVar[bool] = False
    arguments: ClassVar[tuple[str, ...]] = ("runs",)

    runs: tuple[str, ...] = option((), "Runs, by their names or parts of them.", metavar="[RUN]...", repeat=True)
    unused: bool = option(False, "What no run rests on, and what stopped writers have left.")
    damaged: bool = option(False, "What cannot be read, runs among it.")

    def check(self) -> None:
        if not (self.runs or self.unused or self.damaged):
            raise ParameterError("Nothing to remove. Name runs (assay history lists them), or --unused, or --damaged.")

    def answer(self, asked: Asked) -> Result:
        store = self.opened()
        if not store.writable:
            raise InputError(f"{store.path} cannot be written to, so nothing can be removed.")
        # All names are looked up before anything is removed.
        runs = {run.id: run for run in map(store.run, self.runs)}
        rows: Table = []
        for run in runs.values():
            removed(store, run.folder)
            rows.append({"what": "run", "file": run.id})
        states = {"damaged"} if self.damaged else set()
        states |= {"unused", "unfinished"} if self.unused else set()
        young = 0
        for one in list(findings(store)) if states else ():
            if one.state not in states:
                continue
            if one.state == "unused" and is_young(one.path):
                young += 1
                continue
            removed(store, one.path)
            rows.append({"what": one.state, "file": _within(store, one)})
        said = [f"{counted(len(rows), 'thing')} removed from {store.path}."]
        if young:
            said.append(
                f"{counted(young, 'unused file')} younger than an hour stay: a command may be about to use them."
            )
        return Result(
            "remove", {"removed": rows}, (View("", "removed", (Column("what"), Column("file"))),), tuple(said)
        )


@dataclass(frozen=True, kw_only=True)
class Merge(OfStore):
    """Add everything that other stores have to this one: runs, and what they rest on. The others stay as they are."""

    name: ClassVar[str] = "merge"
    command: ClassVar[str] = "store"
    question: ClassVar[str] = "Add what other stores have to one."
    is_drawn: ClassVar[bool] = False
    arguments: ClassVar[tuple[str, ...]] = ("others",)
    working: ClassVar[str] = "Merging"

    others: tuple[str, ...] = option((), "Stores, or folders that have one as .assay.", metavar="OTHER...", repeat=True)

    def check(self) -> None:
        if not self.others:
            raise ParameterError("Nothing to merge. Name other stores: assay store merge OTHER... --store DIR")

    def answer(self, asked: Asked) -> Result:
        store, others = self.opened(), [Store(other) for other in self.others]
        for other in others:
            if other.path.resolve() == store.path.resolve():
                raise ParameterError(f"{other.path} is the store itself.")
        if not store.writable:
            raise InputError(f"{store.path} cannot be written to.")
        rows: Table = []
        lost: Table = []
        for other in others:
            try:
                done = merge(store, other)
            except OSError as error:
                what = f"{store.path}: not all of {other.path} was added ({error.strerror or error})."
                raise InputError(what, "What is there is whole. Make room and merge again.") from None
            rows += [
                {"store": str(other.path), "what": kind, "added": done.added[kind], "known": done.known[kind]}
                for kind in ("runs", "rows", *KINDS)
            ]
            lost += [{"file": str(path), "why": why} for path, why in done.left_out]
        columns = (Column("what"), Column("added", format=",d"), Column("known", "there already", ",d"))
        views = (
            View("", "merged", columns, (Column("store"),)),
            View("Left out, for it cannot be read", "left_out", (Column("file"), Column("why"))),
        )
        added = sum(row["added"] for row in rows if row["what"] == "runs")
        said = f"{store.path}: {counted(added, 'run')} added."
        return Result("merge", {"merged": rows, "left_out": lost}, views, (said,), failed=bool(lost))


def _rows(store: Store, found: list[Finding]) -> Table:
    return [{"state": one.state, "file": _within(store, one), "said": one.said} for one in found]


def _within(store: Store, one: Finding) -> str:
    return str(one.path.relative_to(store.path))
