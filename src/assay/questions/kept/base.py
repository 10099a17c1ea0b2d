"""What questions about a store share: where it is, how runs are named, and what it takes to ask again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from assay.data.files import read_bytes
from assay.errors import AssayError, InputError, shown
from assay.metrics.options import spell_value
from assay.questions.asked import Data
from assay.questions.base import Question, option, path_option, recorded
from assay.questions.papers.registry import paper_class
from assay.questions.registry import QUESTIONS
from assay.questions.studies.registry import study_class
from assay.results.result import Result
from assay.store.differences import Side
from assay.store.folder import Run, Store

#: What a file is called that every run has.
_RECORD = "run.json"
#: Commands with a name behind them, and what has the questions behind it.
_NAMED = {"study": study_class, "paper": paper_class}


def run_option(help: str = "A run: its name or a part of it, last, last~1, its folder; or FILE.json.") -> Any:  # noqa: A002
    """A run that has to be named, or a result file."""

    def parse(given: Any) -> str:
        if not isinstance(given, (str, Path)) or not str(given):
            raise TypeError(f"{shown(given)} is no run.")
        return str(given)

    return option(MISSING, help, metavar="RUN | FILE", parse=parse)


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

    def found(self, name: str) -> Side:
        """The run of that name, or in that folder; or the result in a file."""
        path = Path(name)
        if (path / _RECORD).is_file():
            store = Store(path.absolute().parents[1])
            return _side(store, store.read_run(path.absolute()))
        if path.is_file() or path.suffix == ".json":
            # Somebody means a file.
            return Side(Result.from_json(read_bytes(path), name))
        store = self.opened()
        return _side(store, store.run(name))


def _side(store: Store, run: Run) -> Side:
    return Side(run.result, store, run)


def question_class(document: Mapping[str, Any]) -> type[Question]:
    """The class of the question behind a record, or behind a result as a dictionary."""
    command = document["command"]
    find = _NAMED.get(command)
    return QUESTIONS[command] if find is None else find(document[command])


def chosen_options(options: Mapping[str, Any], asked: type[Question]) -> dict[type[Any], dict[str, Any]]:
    """The recorded options of an answer that are not as usual: those of the question, and those that choose data."""
    chosen: dict[type[Any], dict[str, Any]] = {asked: {}, Data: {}}
    own = fields(asked)
    names = {part.name for part in own}
    data = [part for part in asked.data_fields(Data) if part.name not in names]
    for given, parts in zip(chosen.values(), (own, data), strict=True):
        given |= {
            part.name: options[part.name]
            for part in parts
            if part.name in options and options[part.name] != _usual(part)
        }
    return chosen


def _usual(part: Field[Any]) -> Any:
    """What is recorded of an option that nobody chose; MISSING for one that has to be named."""
    parse = part.metadata.get("parse")
    return MISSING if part.default is MISSING else recorded(part.default if parse is None else parse(part.default))


def typed_again(document: Mapping[str, Any], inputs: Mapping[str, Any]) -> str:
    """The command line that asks the same as a record: the campaigns, and what is not as usual."""
    command, options = document["command"], document["options"]
    words = ["assay", command, *([document[command]] if command in _NAMED else [])]
    words += [word for file in inputs.get("reference_files", ()) for word in ("-r", file)]
    try:
        asked = question_class(document)
    except AssayError:
        # The package that brought it is gone.
        return shlex.join([*words, *inputs.get("inputs", ())])
    by_name: dict[str, Field[Any]] = {part.name: part for cls in (Data, asked) for part in fields(cls)}
    words += [str(options[name]) for name in asked.arguments if options.get(name)]
    words += inputs.get("inputs", ())
    chosen = {name: value for values in chosen_options(options, asked).values() for name, value in values.items()}
    return shlex.join(
        [
            *words,
            *(word for name in chosen if name not in asked.arguments for word in _option(by_name[name], chosen[name])),
        ]
    )


def _option(part: Field[Any], value: Any) -> list[str]:
    """An option as one types it."""
    flag = (part.metadata.get("flag") or f"--{part.name.replace('_', '-')}").split(", ")[0]
    if isinstance(value, bool):
        return [flag if value else f"--no-{flag.removeprefix('--')}"]
    if isinstance(value, list):
        if part.metadata.get("repeat") and flag != "-m":
            return [word for one in value for word in (flag, str(one))]
        return [flag, ",".join(map(str, value))]
    return [flag, str(value) if isinstance(value, str) else spell_value(value)]
