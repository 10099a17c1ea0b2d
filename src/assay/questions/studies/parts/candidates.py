"""Whom a study looks at: systems or, where there are references alone, each reference beside the others."""

from __future__ import annotations

from dataclasses import replace

from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.errors import InputError
from assay.questions.asked import Asked


def candidates(asked: Asked) -> dict[str, Corpus]:
    """A corpus per candidate, by its name; the choice of systems is one among candidates, whatever they are."""
    if asked.campaign.systems:
        return asked.chosen.corpora()
    chosen = asked.campaign.choose(references=asked.data.references or None)
    # A post-edit was made from one system's words, and is no translation of its own.
    own = {name: texts for name, texts in chosen.references.items() if name not in chosen.post_edits}
    chosen = replace(chosen, references=own, targeted=frozenset())
    if len(chosen.references) < 2:
        raise InputError(
            f"{chosen.name} has no system, and {len(chosen.references)} of its references in use. "
            "Without systems each reference is compared with the others, so at least two are needed."
        )
    everyone = replace(chosen, systems=chosen.references, leaves_references_out=False).choose(
        systems=asked.data.systems or None
    )
    return {name: _beside_the_others(everyone, name) for name in everyone.systems}


def _beside_the_others(campaign: Campaign, name: str) -> Corpus:
    present = campaign.present.get(name)
    if present is not None and not present.all():
        missing = campaign.segment_names()[int((~present).argmax())]
        raise InputError(
            f"{campaign.name}: reference {name!r} has no segment {missing}, so it cannot be a candidate. "
            "Choose others with --refs."
        )
    others = {other: texts for other, texts in campaign.references.items() if other != name}
    flags = {other: there for other, there in campaign.present.items() if other != name}
    return replace(campaign, references=others, present=flags).corpus(name)
