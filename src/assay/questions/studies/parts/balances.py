"""Fmean under many weights of recall, from one count of the text."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError
from assay.meta.sources import RowSource
from assay.metrics.unigrams import Fmean
from assay.questions.studies.parts.judged import Judged
from assay.scoring.candidates import chosen_rows, evaluate_candidates
from assay.scoring.signature import Provenance
from assay.scoring.statistics import Statistics


def balances(metric: Fmean, alphas: Sequence[float], found: Judged) -> list[RowSource]:
    """A source per weight of recall.

    With several references each segment counts against the one that scores best, and which one that is hangs on the
    weight. So the rows against every reference are kept, and the choice is made anew for every weight.
    """
    if all(name in found.campaign.post_edits for name in found.campaign.references):
        raise InputError(f"{found.study}: {found.campaign.name} has post-edits only, and no other reference.")
    corpora = found.campaign.corpora()
    _, candidates = evaluate_candidates(metric, corpora, threads=found.threads)
    provenance = {name: Provenance.of(one.translations, one.untargeted.references) for name, one in corpora.items()}
    sources = []
    for alpha in alphas:
        balanced = metric.tuned({"alpha": alpha})
        statistics = [
            Statistics(balanced, chosen_rows(balanced, candidates[name]), provenance[name]) for name in corpora
        ]
        sources.append(RowSource(str(balanced), found.people.judged, statistics))
    return sources
