"""Rankings, pair by pair, with loops that cannot be misread."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

from assay.data.judgements import Judgement


def outcomes(judgements: list[Judgement]) -> list[tuple[int, str, str, int]]:
    """Segment, better-or-first system, other system and 1, 0 or -1, for each pair within each ranking."""
    rankings: dict[str, list[Judgement]] = defaultdict(list)
    for one in judgements:
        if one.ranking is not None and one.segment is not None and one.score == one.score:
            rankings[one.ranking].append(one)
    found = []
    for ones in rankings.values():
        for first, second in combinations(ones, 2):
            sign = (first.score > second.score) - (first.score < second.score)
            found.append((first.segment or 0, first.system, second.system, sign))
    return found


def kendall(metric: list[tuple[float, float]], signs: list[int], weights: list[float], variant: str) -> float:
    """Concordant, discordant and tied pairs, counted one by one."""
    concordant = discordant = tied = 0.0
    for (first, second), sign, weight in zip(metric, signs, weights, strict=True):
        if sign == 0:
            continue
        if first == second:
            tied += weight
        elif (first > second) == (sign > 0):
            concordant += weight
        else:
            discordant += weight
    if variant == "wmt12":
        return (concordant - discordant - tied) / (concordant + discordant + tied)
    if variant == "wmt13":
        return (concordant - discordant) / (concordant + discordant)
    return (concordant - discordant) / (concordant + discordant + tied)
