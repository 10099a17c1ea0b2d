"""What questions about a store share: where it is, and how runs are named."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from assay.data.files import read_bytes
from assay.errors import InputError
from assay.questions.base import Question, path_option
from assay.results.result import Result
from assay.store.folder import Run, Store

#: What a file is called that every run has.
_RECORD = "run.json"


@dataclass(frozen=True, kw_only=True)
class OfStore(Question):
    """A question about a store, which is asked of no campaign."""

    takes: ClassVar[tuple[str, ...]] = ()
    is_drawn: ClassVar[bool] = True

    store: Any = path_option("The store, or a folder that has it as .assay (default: this folder).")

    def opened(self) -> Store:
        """The store that is named; without a name, the one that is here."""
        if self.store is not None:
            return Store(self.store)
        try:
            return Store(".")
        except InputError as error:
            if error.place is None or error.place.file != ".":
                raise
            remedy = "Name one: --store DIR. Make one: assay store create CAMPAIGN."
            raise InputError("There is no store in this folder.", remedy) from None

    def found(self, name: str) -> Run | Result:
        """The run of that name, or in that folder; or the result in a file."""
        path = Path(name)
        if path.is_file():
            return Result.from_json(read_bytes(path), name)
        if (path / _RECORD).is_file():
            return Store(path.absolute().parents[1]).read_run(path.absolute())
        if path.suffix == ".json":
            # Somebody means a file.
            return Result.from_json(read_bytes(path), name)
        return self.opened().run(name)

    def result_of(self, name: str) -> Result:
        """The answer of the run of that name, or in a file."""
        found = self.found(name)
        return found.result if isinstance(found, Run) else found
