"""Post-edits as judgements: the fewer edits a translation needed, the better it was."""

from __future__ import annotations

import numpy as np

from assay.data.campaign import Campaign
from assay.data.judgements import Judgement, Judgements
from assay.errors import InputError
from assay.metrics.hter import Hter
from assay.scoring.evaluate import evaluate_all

#: The kind of judgement that post-edits make.
HTER = "hter"


def with_hter(campaign: Campaign, *, threads: int | None = None) -> Campaign:
    """The campaign with a judgement of kind ``hter`` per segment: minus HTER, so that higher is better.

    Systems without a post-edit of their own get none. A kind of that name in the campaign's own judgements stays.
    """
    given = campaign.judgements
    if given is not None and HTER in given.kinds:
        return campaign
    if not campaign.targeted:
        raise InputError(
            f"{campaign.name} has no judgements of kind {HTER!r} and no post-edits to make them from: ref.pe.txt or "
            "ref.pe.<system>.txt in a campaign folder, or --targeted."
        )
    corpora = {name: corpus for name, corpus in campaign.corpora().items() if corpus.targeted}
    counted = evaluate_all([Hter()], corpora, threads=threads)
    made = [
        Judgement(system, segment, -score, HTER)
        for (system, _), statistics in counted.items()
        for segment, score in enumerate(np.asarray(statistics.segment_scores()).tolist())
    ]
    judgements = Judgements.of(made, "post-edits")
    return campaign.with_judgements(judgements if given is None else given.joined(judgements))
