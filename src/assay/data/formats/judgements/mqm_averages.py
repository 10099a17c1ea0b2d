"""Google's averages over raters: ``system mqm_avg_score seg_id``, with blanks or tabs between, segments from 1."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from assay.data.campaign import Campaign
from assay.data.formats.judgements.base import JudgementFormat
from assay.data.formats.judgements.parts.cells import Row, lines_of
from assay.data.formats.judgements.parts.means import means
from assay.data.formats.judgements.parts.notes import say_losses, without_other_levels
from assay.data.formats.judgements.parts.unjudged import judged_alone
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError

HEADER = ("system", "mqm_avg_score", "seg_id")
KIND = "mqm-avg"


def recognises(_name: str, head: str) -> bool:
    """The three names in the first line."""
    return tuple(head.split("\n", 1)[0].split()) == HEADER


def read(path: str, campaign: Campaign | None = None) -> Judgements:  # noqa: ARG001 - segments have numbers
    """One judgement per line, of no rater; ``None`` stands where nobody judged."""
    lines = lines_of(path)
    if tuple(next(lines, "").split()) != HEADER:
        raise InputError(f"{path}, line 1: the header {' '.join(HEADER)} is needed.")
    columns = {name: index for index, name in enumerate(HEADER)}
    found: dict[tuple[str, int], Judgement] = {}
    for number, line in enumerate(lines, start=2):
        cells = line.split()
        if len(cells) != len(HEADER):
            raise InputError(f"{path}, line {number}: {len(cells)} fields, but system, score and segment are needed.")
        row = Row(path, number, cells, columns)
        segment = row.integer("seg_id", "segment", least=1) - 1
        if (cells[0], segment) in found:
            raise InputError(f"{path}, line {number}: a second average of {cells[0]!r} on segment {segment + 1}.")
        score = row.number("mqm_avg_score", "score")
        # The file says -0.0 for no errors.
        found[cells[0], segment] = Judgement(cells[0], segment, score + 0.0, KIND, line=number)
    if not found:
        raise InputError(f"{path}: a header but no judgements.")
    return judged_alone(Judgements.of(found.values(), path))


def write(judgements: Judgements, campaign: Campaign | None = None) -> Mapping[str, bytes]:  # noqa: ARG001
    """Means over raters and repeats."""
    kept = without_other_levels(judgements, "mqm-averages")
    say_losses(kept, "mqm-averages", (), own_kinds=(KIND, "mqm"))
    if len(kept.kinds) > 1:
        raise InputError(
            f"{kept.origin}: judgements of several kinds ({', '.join(kept.kinds)}). Choose one to average."
        )
    lines = [" ".join(HEADER)]
    for (system, segment), score in means(kept, "mqm-averages").items():
        if len(system.split()) != 1:
            raise InputError(
                f"The system {system!r} has a blank in its name, and mqm-averages has blanks between fields."
            )
        lines.append(f"{system} {'None' if np.isnan(score) else repr(score)} {segment + 1}")
    return {"": ("\n".join(lines) + "\n").encode()}


FORMAT = JudgementFormat("mqm-averages", "Google's table of MQM averages per segment", recognises, read, write)
