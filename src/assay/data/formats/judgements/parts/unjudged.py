"""Files with a line for every item, judged or not: ``None`` is no judgement, and is counted instead of kept."""

from __future__ import annotations

import warnings

import numpy as np

from assay.data.judgements import Judgements
from assay.errors import AssayWarning, InputError


class NoJudgements(InputError):
    """A sound file in which nobody judged anything: no harm among others."""


class NobodyJudged(AssayWarning):
    """Lines that stand for no judgement, as such files have to have them: nothing is wrong with that."""


def judged_alone(judgements: Judgements) -> Judgements:
    """The judgements that have a score; how many lines have none is said."""
    there = ~np.isnan(judgements.score)
    if not there.any():
        raise NoJudgements(f"{judgements.origin}: no judgements in it, only None.")
    if not there.all():
        message = f"{judgements.origin}: left out were {int((~there).sum())} lines with None, where nobody judged."
        warnings.warn(message, NobodyJudged, stacklevel=3)
    return judgements.only(there)
