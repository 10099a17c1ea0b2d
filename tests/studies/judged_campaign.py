"""A small campaign that people judged, made from a seed: words get lost, and judges see roughly how many."""

from __future__ import annotations

import numpy as np

from assay import Campaign
from assay.data.judgements import Judgement, Judgements

WORDS = "The house Houses walked walking quickly quick a dog Dogs cat cats ran runs over under red Blue tree .".split()  # noqa: SIM905 - a list is no easier to read


def campaign(
    *,
    systems: int = 5,
    segments: int = 12,
    raters: str = "ab",
    kinds: tuple[str, ...] = ("adequacy",),
    references: int = 1,
    seed: int = 3,
    judged: bool = True,
) -> Campaign:
    """Systems get worse from first to last; every rater scores every translation, with a severity of his own."""
    generator = np.random.default_rng(seed)
    sources = [[WORDS[one] for one in generator.integers(len(WORDS), size=8 + index % 5)] for index in range(segments)]
    texts = {f"s{number}": [_spoil(line, number, generator) for line in sources] for number in range(systems)}
    hands = {f"r{number}": [_spoil(line, number, generator) for line in sources] for number in range(references)}
    rows = [
        Judgement(
            system=name,
            segment=segment,
            rater=rater,
            score=float(np.round(5.0 - number - 0.7 * severity + generator.normal(), 2)),
            kind=kind,
        )
        for kind in kinds
        for number, name in enumerate(texts)
        for segment in range(segments)
        for severity, rater in enumerate(raters)
    ]
    documents = tuple(f"d{index // 2}" for index in range(segments))
    made = Campaign(name="small", systems=texts, references=hands, documents=documents)
    return made.with_judgements(Judgements.of(rows, "inline")) if judged else made


def without(campaign: Campaign, keep) -> Campaign:
    """The campaign with the judgements for which ``keep`` holds."""
    return campaign.with_judgements(Judgements.of([one for one in campaign.judgements if keep(one)], "inline"))


def _spoil(line: list[str], times: int, generator: np.random.Generator) -> str:
    line = list(line)
    for _ in range(times):
        place = int(generator.integers(len(line)))
        if generator.random() < 0.4 and len(line) > 4:
            del line[place]
        else:
            line[place] = WORDS[int(generator.integers(len(WORDS)))]
    return " ".join(line)
