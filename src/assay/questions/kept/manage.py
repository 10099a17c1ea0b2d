"""``assay store``: make one, look for damage, remove what nobody wants any more, put two together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from assay.questions.asked import Asked
from assay.questions.base import Question, path_option
from assay.results.result import Column, Result, View
from assay.store.folder import Store


@dataclass(frozen=True, kw_only=True)
class Create(Question):
    """Make a store: `.assay` in a campaign's folder, where from then on every command keeps its answer; or a folder
    of its own, which `--store` names.
    """

    name: ClassVar[str] = "create"
    command: ClassVar[str] = "store"
    question: ClassVar[str] = "Make a store."
    takes: ClassVar[tuple[str, ...]] = ()
    leading: ClassVar[str] = "folder"
    argument: ClassVar[str | None] = "folder"

    folder: Any = path_option("A campaign's folder, or one to be made.", needed=True, metavar="CAMPAIGN | FOLDER")

    def answer(self, asked: Asked) -> Result:
        store = Store.create(self.folder)
        row = {"store": str(store.path)}
        said = f"{store.path} is a store now."
        return Result("create", {"table": [row]}, (View("", "table", (Column("store"),), line=""),), (said,))
