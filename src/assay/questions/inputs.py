"""What is named to work on, as it was typed: campaigns by their paths, or files one by one."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.data.campaign import Campaign
from assay.data.files import is_folder, read_lines
from assay.data.formats import CAMPAIGN_FORMATS, guess_format, read, read_all
from assay.errors import AssayWarning, InputError
from assay.metrics.registry import ALSO, metric_names
from assay.properties import cached_property
from assay.questions.base import Question, option

if TYPE_CHECKING:
    from assay.questions.asked import Data


@dataclass(frozen=True)
class Inputs:
    """What is named to work on: a campaign, several, or files one by one. It can be kept, and opened again."""

    reference_files: tuple[str, ...] = option(
        (), "A reference file; repeat it.", flag="-r, --reference", metavar="FILE", repeat=True, group="texts"
    )
    source: str | None = option(
        None, "The source, one segment per line.", flag="-s, --source", metavar="FILE", group="texts"
    )
    input_format: str | None = option(
        None,
        "Of the campaign, if its name does not tell: folder, tsv, csv, jsonl, parquet, sgml, wmt-xml, mt-metrics-eval, "
        "or a format of scores.",
        metavar="FORMAT",
        choices=CAMPAIGN_FORMATS,
        group="texts",
    )
    pair: str | None = option(
        None, "The languages, in a folder of mt-metrics-eval that has several.", metavar="en-de", group="texts"
    )
    inputs: tuple[str, ...] = ()
    targeted: tuple[str, ...] = ()
    #: Whether judgements are named, which may do without texts.
    is_judged: bool = False

    @cached_property
    def is_campaign(self) -> bool:
        """Whether the arguments hold references of their own."""
        if self.reference_files or not self.inputs:
            return False
        return self.input_format is not None or all(guess_format(path) != "lines" for path in self.inputs)

    @classmethod
    def of(cls, given: Any) -> Inputs | None:
        """What a Python caller names by paths; None for what is in memory alone."""
        if isinstance(given, Inputs):
            return given
        paths = given if isinstance(given, (list, tuple)) else [given]
        return cls(inputs=tuple(map(str, paths))) if all(isinstance(path, (str, Path)) for path in paths) else None

    @property
    def record(self) -> dict[str, Any]:
        """All that is not as usual, as JSON can hold it."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        usual = {part.name: part.default for part in fields(self)}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in values.items()
            if value != usual[name]
        }

    @classmethod
    def recorded(cls, record: Mapping[str, Any]) -> Inputs:
        """What ``record`` gave."""
        given: dict[str, Any] = {name: tuple(part) if isinstance(part, list) else part for name, part in record.items()}
        return cls(**given)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The campaign folders among them."""
        return () if self.reference_files else tuple(Path(path) for path in self.inputs if is_folder(path))

    def campaign(self, asked: Question, data: Data) -> Campaign | list[Campaign]:
        """What the options give themselves, or the campaigns that are named, with all their segments."""
        given = asked.own_campaign(data)
        if given is not None:
            if self.inputs or self.reference_files or self.source:
                raise InputError("--translation and --against take the place of a campaign; give the one or the other.")
            return given
        if self.is_campaign:
            if self.source is not None:
                raise InputError("-s goes with -r; a campaign folder has its source in src.txt.")
            several = read_all(self.inputs, input_format=self.input_format, pair=self.pair)
            return several if len(several) > 1 else several[0]
        self._refuse_metrics()
        if self.pair is not None:
            raise InputError("--pair is for a folder of mt-metrics-eval, and none is named.")
        if self.reference_files or (self.targeted and self.inputs):
            if self.input_format is not None:
                raise InputError("--input-format is for a campaign; with -r every file has one segment per line.")
            from assay.data.formats.named_files import read_files

            self._mention_references()
            return read_files(self.inputs, self.reference_files, self.source, self.targeted)
        if not self.inputs and self.is_judged and not asked.needs_texts:
            return Campaign("judgements", {}, {})
        raise self._advice(asked)

    def _refuse_metrics(self) -> None:
        """Who types -m bleu chrf, as sacreBLEU has it, has a metric where a file should be."""
        absent = [word for word in self.inputs if word != "-" and not Path(word).exists()]
        metrics = [word for word in absent if word.casefold() in (*metric_names(), *ALSO)]
        if metrics:
            what = f"There is no file {metrics[0]!r}, which is the name of a metric."
            raise InputError(what, f"Several metrics have commas between them: -m METRIC,{','.join(metrics)}")

    def _mention_references(self) -> None:
        """Who types -r A B C may mean three references, and has two of them scored."""
        seeming = [file for file in self.inputs if Path(file).name.casefold().startswith("ref")]
        others = [file for file in self.inputs if file not in seeming]
        if not seeming or not self.reference_files:
            return
        meant = " ".join([*(f"-r {file}" for file in (*self.reference_files, *seeming)), *(others or ["TRANSLATION"])])
        said = f"{seeming[0]} is scored as a translation, for -r takes one file. If it is a reference, type: {meant}"
        warnings.warn(AssayWarning(said, level="warning"), stacklevel=2)

    def _advice(self, asked: Question) -> InputError:
        """What is missing, where no campaign is named."""
        command = " ".join(filter(None, ["assay", asked.command, asked.name, *map(str.upper, asked.arguments)]))
        if not self.inputs:
            wanted = (
                f"Nothing to {command.split()[1]}. Give a campaign folder, or -r REFERENCE TRANSLATION."
                if asked.needs_texts
                else "No judgements. Give a campaign folder that has them, or a file of them."
            )
            return InputError(f"{wanted} See: {command} --help")
        if len(self.inputs) > 1:
            return InputError(
                f"{len(self.inputs)} arguments but no reference. Give one campaign folder, or name the references with "
                f"-r: {command} -r REFERENCE {' '.join(self.inputs)}"
            )
        file = self.inputs[0]
        # A wrong path deserves a better answer than a wrong format.
        read(file, input_format=self.input_format) if file == "-" else read_lines(file)
        return InputError(f"No reference was given for {file}. Name at least one: {command} -r REFERENCE {file}")
