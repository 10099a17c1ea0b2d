"""What a package of somebody else's brings: a question, an output format, a format of judgements, a statistic."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

import assay
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.judgements import Judgement, Judgements
from assay.questions.base import Question, option
from assay.results.rendering import Style, grids
from assay.results.result import Column, Result, View


@dataclass(frozen=True, kw_only=True)
class Length(Question):
    """How long are the translations?"""

    name: ClassVar[str] = "length"
    question: ClassVar[str] = "How long are the translations?"
    unit: str = option("words", "What to count: words or characters.")

    def answer(self, asked):
        texts = asked.chosen.systems
        count = len if self.unit == "characters" else lambda text: len(text.split())
        rows = [{"system": name, "length": sum(map(count, column))} for name, column in texts.items()]
        view = View("Lengths", "lengths", (Column("length", self.unit, ","),), (Column("system"),))
        return Result("length", {"lengths": rows}, (view,), ("Counted by a guest.",))


def org(result, _look):
    lines = [row for grid in grids(result) for row in (grid.headings, *grid.rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


ORG = Style("org", (".org",), org)


def read(path, _campaign, _problems):
    cells = [line.split() for line in Path(path).read_text().splitlines()[1:]]
    return Judgements.of((Judgement(s, int(n), {"up": 1.0, "down": 0.0}[v], "thumb") for s, n, v in cells), path)


THUMBS = JudgementFormat(lambda _name, head: head.startswith("thumbs"), read, lambda *_: {})


class Cosine(assay.Statistic):
    """The cosine of the angle between both sides."""

    name = "cosine"
    label = "the cosine"
    summary = "the cosine of the angle between both sides"
    source = "a guest"
    fewest = 2

    def compute(self, human, metric, weights):
        with np.errstate(invalid="ignore", divide="ignore"):
            across = (weights * human * metric).sum(axis=-1)
            return across / np.sqrt((weights * human**2).sum(axis=-1) * (weights * metric**2).sum(axis=-1))
