"""Defaults of one's own: ``assay.toml`` in a campaign folder, or the file that ``--config`` names, and nothing else.

Options stand by their names, above all sections for every command that has them, in a section for one command::

    metrics = ["bleu", "chrf"]
    language = "ja"

    [compare]
    baseline = "production"

    [study.pseudo-documents]
    lengths = [1, 10, 100]
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, get_args

from assay.arguments import describe_type
from assay.data.files import read_bytes
from assay.data.problems import note
from assay.errors import InputError, ParameterError, UnknownName
from assay.metrics.options import Options, declared_types
from assay.questions.base import Question
from assay.questions.registry import QUESTIONS

_NAME = "assay.toml"
#: Commands with a name behind them, and so sections within sections.
_NAMED = ("study", "paper")


@dataclass(frozen=True)
class Settings:
    """What a file of defaults says for one question; without a file, nothing."""

    path: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls, question: type[Question], given: Any, config: str | Path | None, others: Iterable[type] = ()
    ) -> Settings:
        """Those in a campaign's folder, or in the file that is named instead; ``others`` have further options."""
        several = given if isinstance(given, (list, tuple)) else ()
        for other in (Path(path) / _NAME for path in several if isinstance(path, (str, Path)) and config is None):
            if other.exists():
                note(f"{other} is not read, for there are several campaigns. --config FILE names one for all of them.")
        beside = Path(given) / _NAME if isinstance(given, (str, Path)) and str(given) != "-" else None
        path = Path(config) if config is not None else beside
        # Whatever is called so has to be readable: defaults of a gate must not get lost.
        if path is None or (config is None and not path.is_symlink() and not path.exists()):
            return cls()
        content = _read(path)
        sections = {name: part for name, part in content.items() if isinstance(part, dict)}
        for name in sections.keys() - {*QUESTIONS, *_NAMED}:
            raise UnknownName.of(f"command for a section of {path}:", name, [*QUESTIONS, *_NAMED])
        known = _options((question, *others))
        common = {name: value for name, value in content.items() if name not in sections}
        if any(_plain(name) not in known for name in common):
            _refuse_unknown(common, _options((*(QUESTIONS[name] for name in QUESTIONS), *others)), path)
        own = sections.get(question.command or question.name, {})
        if question.command:
            _refuse_unknown([name for name, part in own.items() if not isinstance(part, dict)], {}, path)
            own = own.get(question.name, {})
        _refuse_unknown(own, known, path)
        values = {known[_plain(name)]: value for name, value in (common | own).items() if _plain(name) in known}
        return cls(str(path), values)

    def made(self, cls: type[Any], chosen: Mapping[str, Any]) -> Any:
        """The question, or the choice of data; a default that is none of its values is blamed on the file."""
        own = {part.name for part in fields(cls)}
        options = {name: value for name, value in self.values.items() if name in own} | dict(chosen)
        try:
            for name in options.keys() - chosen.keys() if not issubclass(cls, Options) else ():
                _check_type(name, options[name], declared_types(cls)[name])
            return cls(**options)
        except ParameterError as error:
            if options.keys() == chosen.keys():
                raise
            what = str(error).removeprefix("assay: ")
            raise ParameterError(f"{what} (Options that were not given come from {self.path}.)") from None


def _check_type(name: str, value: Any, hint: Any) -> None:
    """Refuse what a class that checks no types itself could not work with."""
    types = get_args(hint) or (hint,)
    if not isinstance(value, types) or isinstance(value, bool) is not (bool in types):
        raise ParameterError(f"{name} is {value!r}, but it takes {describe_type(hint)}.")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bytes(path).decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path} is no TOML: {error}.", 'Write one option in a line: language = "ja".') from None


def _options(classes: Iterable[type[Any]]) -> dict[str, str]:
    """Fields by all that one may call them: their names, and what one types."""
    options = (part for cls in classes for part in fields(cls) if "help" in part.metadata)
    return {name: part.name for part in options for name in _names(part)}


def _names(part: Field[Any]) -> list[str]:
    flags = (part.metadata.get("flag") or "").split(", ")
    return [part.name, *(_plain(flag[2:]) for flag in flags if flag.startswith("--"))]


def _plain(name: str) -> str:
    return name.replace("-", "_")


def _refuse_unknown(names: Iterable[str], known: Mapping[str, str], path: Path) -> None:
    for name in names:
        if _plain(name) not in known:
            raise UnknownName.of(f"such option for {path}:", name, known)
