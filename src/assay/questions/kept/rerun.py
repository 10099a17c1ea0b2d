"""``assay rerun``: a question that was asked before, asked again of the same files."""

from __future__ import annotations

from contextlib import chdir
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from assay.errors import InputError, ParameterError
from assay.questions.asked import Asked, Data, ask, remarks
from assay.questions.base import option, path_option
from assay.questions.inputs import Inputs
from assay.questions.kept.base import OfStore, chosen_options, question_class, run_option
from assay.questions.kept.diff import compared
from assay.results.result import Result
from assay.store.differences import Side
from assay.store.folder import NAME, Store


@dataclass(frozen=True, kw_only=True)
class Rerun(OfStore):
    """Ask the question of a run again, of the same files, and say whether the answer is the same, or what differs.

    Everything is counted anew, and nothing is kept. Exit code 1 if any number differs.
    """

    name: ClassVar[str] = "rerun"
    question: ClassVar[str] = "Is the answer still the same?"
    arguments: ClassVar[tuple[str, ...]] = ("run",)
    working: ClassVar[str] = "Asking again"

    run: str = run_option("A run: its name or a part of it, last, last~1, or its folder.")
    campaign: Any = path_option("Where the campaign is now, if not where it was.", metavar="CAMPAIGN")
    limit: int = option(20, "Print so many numbers of each table; other formats have all.", metavar="N", least=1)

    def answer(self, asked: Asked) -> Result:
        before = self.found(self.run)
        if before.run is None:
            raise ParameterError(f"{self.run} is a result file, which does not say of which files it was asked.")
        # A store for the time being: what is not the same is found by what both rest on.
        with TemporaryDirectory() as folder:
            apart = Store.create(folder)
            again = self._again(before, asked, apart)
            after = Side(again, apart, next(iter(apart.runs()), None), label=again.question)
            found = compared(before, after, limit=self.limit)
        return replace(found, question="rerun", failed=not found.setup["same"])

    def _again(self, before: Side, asked: Asked, apart: Store) -> Result:
        """The answer as it is today."""
        question = question_class(before.result.to_dict())
        chosen = chosen_options(before.result.options, question)
        how = before.run.record["asked"] if before.run is not None else None
        if how is None and self.campaign is None:
            what = f"{before.label} was asked of texts in memory, which no path leads to."
            raise InputError(what, "Say where they are: --campaign CAMPAIGN.")
        how = how or {"inputs": {}, "folder": ".", "config": None, "largest": None}
        inputs, folder = self._inputs(before, how)
        data: Data = Data(**chosen[Data])
        data = replace(data, config=how["config"], largest=how["largest"], threads=asked.threads, store=str(apart.path))
        with chdir(folder), remarks(again=False):
            return ask(question(**chosen[question]), inputs, data, asked.progress)

    def _inputs(self, before: Side, how: dict[str, Any]) -> tuple[Inputs, Path]:
        """What to ask of, and the folder in which its paths begin."""
        inputs, folder = Inputs.recorded(how["inputs"]), Path(how["folder"])
        if self.campaign is not None:
            return Inputs(
                inputs=(str(Path(self.campaign).absolute()),), input_format=inputs.input_format, pair=inputs.pair
            ), Path.cwd()
        files = (*inputs.inputs, *inputs.reference_files, *filter(None, [inputs.source]))
        missing = [path for path in files if path == "-" or not (folder / path).exists()]
        # A campaign that was moved has its store with it.
        store = before.store.path if before.store is not None else None
        if (
            missing == list(inputs.inputs) == list(files)
            and len(missing) == 1
            and store is not None
            and store.name == NAME
        ):
            return replace(inputs, inputs=(str(store.parent.absolute()),)), Path.cwd()
        if "-" in missing:
            raise InputError(f"{before.label} was asked of standard input, which is gone.")
        if missing:
            what = f"{before.label} was asked of {', '.join(missing)} in {folder}, and that is not there any more."
            raise InputError(what, "Say where the campaign is now: --campaign CAMPAIGN.")
        return inputs, folder
