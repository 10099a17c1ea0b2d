"""An interpolated Witten-Bell model of words, written out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

BEGIN, END = "<s>", "</s>"
History = tuple[str, ...]


def events(text: Sequence[str], order: int) -> Iterator[tuple[History, str]]:
    """Every word of a text and its end, each with the ``order`` - 1 words before it.

    >>> list(events(["a", "b"], 2))
    [(('<s>',), 'a'), (('a',), 'b'), (('b',), '</s>')]
    """
    words = [*([BEGIN] * (order - 1)), *text, END]
    for place in range(order - 1, len(words)):
        yield tuple(words[place - order + 1 : place]), words[place]


class WittenBell:
    """What follows histories of every length in some texts.

    >>> model = WittenBell([["a", "b"]], 2)
    >>> round(model.probability((), "a"), 6), round(model.probability(("<s>",), "a"), 6), model.probability((), "x")
    (0.291667, 0.645833, 0.125)
    """

    def __init__(self, texts: Sequence[Sequence[str]], order: int, words: int | None = None) -> None:
        self.order = order
        self.after: dict[History, Counter[str]] = {}
        for text in texts:
            for history, word in events(text, order):
                for start in range(order):
                    self.after.setdefault(history[start:], Counter())[word] += 1
        #: How many words are known, where that is not those of these texts.
        self.words = len(self.after.get((), ())) if words is None else words

    def probability(self, history: History, word: str) -> float:
        shorter = self.probability(history[1:], word) if history else 1 / (self.words + 1)
        follow = self.after.get(history, Counter())
        types, total = len(follow), follow.total()
        return (follow[word] + types * shorter) / (total + types) if total else shorter

    def bits(self, text: Sequence[str]) -> float:
        return -sum(math.log2(self.probability(history, word)) for history, word in events(text, self.order))
