"""How far each word of a translation is matched."""

from __future__ import annotations

from assay.metrics.pictures import NgramMatches


def longest_matches(picture: NgramMatches, unit: str) -> list[int]:
    """For each word (or character) the length of the longest n-gram through it that counts; 0 for none.

    An n-gram that counts less often than it occurs counts where it comes first.
    """
    words = picture.translation if unit == "word" else picture.translation_characters
    longest = [0] * len(words)
    for order in picture.orders:
        if order.unit != unit:
            continue
        left = {match.words: match.matched for match in order.matches}
        for start in range(len(words) - order.order + 1):
            ngram = words[start : start + order.order]
            if left.get(ngram, 0) > 0:
                left[ngram] -= 1
                for position in range(start, start + order.order):
                    longest[position] = max(longest[position], order.order)
    return longest
