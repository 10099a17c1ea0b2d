"""Google's averages over raters: ``system mqm_avg_score seg_id``, with blanks or tabs between, segments from 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.data.campaign import Campaign
from assay.data.files import read_bytes
from assay.data.formats.judgements.base import JudgementFormat, judged_alone, means, say_losses, without_other_levels
from assay.data.judgements import Judgement, Judgements
from assay.data.lines import texts_of
from assay.data.problems import Problems
from assay.data.tables import Row
from assay.errors import InputError, Place

HEADER = ("system", "mqm_avg_score", "seg_id")
COLUMNS = {name: index for index, name in enumerate(HEADER)}
KIND = "mqm-avg"


def recognises(_name: str, head: str) -> bool:
    """The three names in the first line."""
    return tuple(head.split("\n", 1)[0].split()) == HEADER


def read(path: str, _campaign: Campaign | None, problems: Problems) -> Judgements:
    """One judgement per line, of no rater; ``None`` stands where nobody judged."""
    lines = enumerate(texts_of(read_bytes(path), path, problems), start=1)
    if not recognises(path, next(lines, (1, ""))[1]):
        raise InputError(f"the header {' '.join(HEADER)} is needed.", place=Place(path, 1))
    found: dict[tuple[str, int], Judgement] = {}

    def take(numbered: tuple[int, str]) -> None:
        number, line = numbered
        cells = line.split()
        place = Place(path, number)
        if len(cells) != len(HEADER):
            raise InputError(f"{len(cells)} fields, but system, score and segment are needed.", place=place)
        row = Row(path, number, cells, COLUMNS)
        segment = row.integer("seg_id", "segment", least=1) - 1
        if (cells[0], segment) in found:
            raise InputError(f"a second average of {cells[0]!r} on segment {segment + 1}.", place=place)
        score = row.number("mqm_avg_score", "score")
        # The file says -0.0 for no errors.
        found[cells[0], segment] = Judgement(cells[0], segment, score + 0.0, KIND, line=number)

    problems.every(lines, take)
    if not found:
        raise InputError("a header but no judgements.", place=Place(path))
    return judged_alone(Judgements.of(found.values(), path))


def write(judgements: Judgements, _campaign: Campaign | None) -> Mapping[str, bytes]:
    """Means over raters and repeats."""
    kept = without_other_levels(judgements, "mqm-averages")
    say_losses(kept, "mqm-averages", (), own_kinds=(KIND, "mqm"))
    if len(kept.kinds) > 1:
        what = f"judgements of several kinds ({', '.join(kept.kinds)})."
        raise InputError(what, "Choose one to average.", Place(kept.origin))
    lines = [" ".join(HEADER)]
    for (system, segment), score in means(kept, "mqm-averages").items():
        if len(system.split()) != 1:
            raise InputError(
                f"The system {system!r} has a blank in its name, and mqm-averages has blanks between fields."
            )
        lines.append(f"{system} {'None' if np.isnan(score) else repr(score)} {segment + 1}")
    return {"": ("\n".join(lines) + "\n").encode()}


FORMAT = JudgementFormat("mqm-averages", "Google's table of MQM averages per segment", recognises, read, write)
