"""METEOR word by word: candidates, its aligner with all quirks, brute force without them, and the formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

Words = Sequence[str]


class Link(NamedTuple):
    """Words of the reference from ``reference`` on, matched with words of the translation."""

    reference: int
    reference_length: int
    translation: int
    translation_length: int
    #: Its place in the list of modules.
    module: int


@dataclass(frozen=True)
class Lexicon:
    """What the modules look words up in; paraphrases are pairs of phrases in the order of their table."""

    stem: Callable[[str], str] = lambda word: word
    senses: Callable[[str], frozenset[int]] = lambda _: frozenset()
    paraphrases: Sequence[tuple[tuple[str, ...], tuple[str, ...]]] = ()


def candidates(translation: Words, reference: Words, modules: Sequence[str], lexicon: Lexicon) -> list[list[Link]]:
    """All matches of each module, by the position in the reference at which they begin.

    >>> [len(found) for found in candidates("the the".split(), "the cat".split(), ["exact"], Lexicon())]
    [2, 0]
    """
    found: list[list[Link]] = [[] for _ in reference]
    if list(translation) == list(reference):
        modules = modules[:1]
    for place, module in enumerate(modules):
        if module == "paraphrase":
            for link in phrases(translation, reference, lexicon, place):
                found[link.reference].append(link)
            continue
        for there, theirs in enumerate(reference):
            for here, ours in enumerate(translation):
                if matches(ours, theirs, module, lexicon):
                    found[there].append(Link(there, 1, here, 1, place))
    return found


def matches(ours: str, theirs: str, module: str, lexicon: Lexicon) -> bool:
    """Whether one word matches another by one module; what is exact is nothing else."""
    if module == "exact" or ours == theirs:
        return module == "exact" and ours == theirs
    if module == "stem":
        return lexicon.stem(ours) == lexicon.stem(theirs)
    return bool(lexicon.senses(ours) & lexicon.senses(theirs))


def phrases(translation: Words, reference: Words, lexicon: Lexicon, place: int) -> list[Link]:
    """Paraphrases of what the reference says, then of what the translation says."""

    def found(source: Words, target: Words) -> list[tuple[int, int, int, int]]:
        hits = []
        longest = max((len(phrase) for phrase, _ in lexicon.paraphrases), default=0)
        for start in range(len(source)):
            for length in range(1, min(longest, len(source) - start) + 1):
                for phrase, other in lexicon.paraphrases:
                    if tuple(source[start : start + length]) == phrase:
                        hits += [
                            (start, length, at, len(other))
                            for at in range(len(target) - len(other) + 1)
                            if tuple(target[at : at + len(other)]) == other
                        ]
        return hits

    forth = [Link(*hit, place) for hit in found(reference, translation)]
    back = [Link(at, size, start, length, place) for start, length, at, size in found(translation, reference)]
    return forth + back


@dataclass
class Path:
    """A way through the reference, as METEOR's beam knows it."""

    weight: int = 0
    closed: int = 0
    distance: int = 0
    links: tuple[Link, ...] = ()
    #: Where in the translation the open chunk would go on; None if no chunk is open.
    expected: int | None = None
    used: frozenset[int] = field(default_factory=frozenset)
    #: Up to where the reference is covered by the last link.
    reached: int = 0

    def key(self) -> tuple[int, int, int]:
        return -self.weight, self.closed, self.distance

    def add(self, link: Link) -> None:
        # Whole numbers: half a match for a stem is no match at all (the first quirk).
        share = 2 if link.module else 1
        self.weight += link.translation_length // share + link.reference_length // share
        if self.expected is not None and self.expected != link.translation:
            self.closed += 1
        self.expected = link.translation + link.translation_length
        self.used |= set(range(link.translation, self.expected))
        self.reached = link.reference + link.reference_length
        self.links += (link,)

    def close(self) -> None:
        self.closed += self.expected is not None
        self.expected = None


def align(translation: Words, reference: Words, modules: Sequence[str], lexicon: Lexicon, beam: int = 40) -> Path:
    """The links that METEOR 1.5 chooses, with its quirks.

    >>> [link[:3:2] for link in align("b a".split(), "a b".split(), ["exact"], Lexicon()).links]
    [(0, 1), (1, 0)]
    """
    found = candidates(translation, reference, modules, lexicon)
    fixed = settled(found, len(translation), len(reference))
    spoken_for = {at for link in fixed.values() for at in range(link.reference, link.reference + link.reference_length)}
    paths = [Path()]
    for position in range(len(reference)):
        paths = sorted(paths, key=Path.key)[:beam]
        grown = []
        for path in paths:
            if position in fixed:
                link = fixed[position]
                path.add(link)
                path.distance += abs(link.reference - link.translation)
            elif position >= path.reached:
                for link in found[position]:
                    ours = range(link.translation, link.translation + link.translation_length)
                    theirs = range(position, position + link.reference_length)
                    if path.used.isdisjoint(ours) and spoken_for.isdisjoint(theirs):
                        child = replace(path)
                        child.add(link)
                        grown.append(child)
                        # The parent pays for its child (the second quirk).
                        path.distance += abs(link.reference - link.translation)
                path.close()
            grown.append(path)
        paths = grown
    paths = sorted(paths, key=Path.key)[:beam]
    for path in paths:
        path.close()
    return min(paths, key=Path.key)


def settled(found: Sequence[Sequence[Link]], translation_length: int, reference_length: int) -> dict[int, Link]:
    """Links that stand before the search: the only ones at all their words."""
    ours, theirs = [0] * translation_length, [0] * reference_length
    for link in (link for links in found for link in links):
        for at in range(link.translation, link.translation + link.translation_length):
            ours[at] += 1
        for at in range(link.reference, link.reference + link.reference_length):
            theirs[at] += 1
    return {
        links[0].reference: links[0]
        for links in found
        if len(links) == 1
        and all(ours[links[0].translation + step] == 1 for step in range(links[0].translation_length))
        and all(theirs[links[0].reference + step] == 1 for step in range(links[0].reference_length))
    }


def chunks(links: Sequence[Link]) -> int:
    """Runs of links that are next to each other on both sides.

    >>> chunks([Link(0, 1, 1, 1, 0), Link(1, 1, 2, 1, 0), Link(3, 1, 3, 1, 0)])
    2
    """
    links = sorted(links)
    apart = [
        (left.reference + left.reference_length, left.translation + left.translation_length) != (right[0], right[2])
        for left, right in pairwise(links)
    ]
    return sum(apart) + bool(links)


def crossings(links: Sequence[Link]) -> int:
    """Pairs of links whose order differs on the two sides."""
    return sum(left[0] < right[0] and left[2] > right[2] for left in links for right in links)


def alignments(found: Sequence[Sequence[Link]]) -> list[tuple[Link, ...]]:
    """Every way to choose links so that no word has two: for very few words."""
    ways: list[tuple[Link, ...]] = [()]
    for links in found:
        ways += [(*way, link) for way in ways for link in links if not any(overlap(link, other) for other in way)]
    return ways


def overlap(left: Link, right: Link) -> bool:
    """Whether two links share a word on one side."""
    ours = left[2] < right[2] + right[3] and right[2] < left[2] + left[3]
    return ours or (left[0] < right[0] + right[1] and right[0] < left[0] + left[1])


def weight(links: Sequence[Link], weights: Sequence[float]) -> float:
    """Words covered on both sides, each worth what its module is."""
    return sum(weights[link.module] * (link.reference_length + link.translation_length) for link in links)


def best(found: Sequence[Sequence[Link]], weights: Sequence[float]) -> tuple[float, int]:
    """The largest weight that an alignment can have, and the fewest chunks with it."""
    ways = alignments(found)
    largest = max(weight(way, weights) for way in ways)
    return largest, min(chunks(way) for way in ways if weight(way, weights) > largest - 1e-9)


def stage(found: Sequence[Sequence[Link]], earlier: Sequence[Link]) -> tuple[int, int]:
    """The most links that a stage can add, and the fewest crossings of all links with them."""
    free = [[link for link in links if not any(overlap(link, other) for other in earlier)] for links in found]
    ways = alignments(free)
    most = max(map(len, ways))
    return most, min(crossings([*earlier, *way]) for way in ways if len(way) == most)


@dataclass(frozen=True)
class Parameters:
    """Numbers of the formula, and function words."""

    alpha: float = 0.85
    beta: float = 0.2
    gamma: float = 0.6
    delta: float = 0.75
    weights: Sequence[float] = (1.0, 0.6, 0.8, 0.6)
    function_words: frozenset[str] = frozenset()


def score(
    translation: Words, reference: Words, links: Sequence[Link], parameters: Parameters, size: Callable[[str], int]
) -> Mapping[str, float]:
    """Precision, recall, penalty and score of an alignment; ``size`` is 1 per word, or its length."""

    def worth(words: Words) -> float:
        function = sum(size(word) for word in words if word.lower() in parameters.function_words)
        content = sum(size(word) for word in words) - function
        return parameters.delta * content + (1 - parameters.delta) * function

    ours = sum(parameters.weights[link.module] * worth(translation[link[2] : link[2] + link[3]]) for link in links)
    theirs = sum(parameters.weights[link.module] * worth(reference[link[0] : link[0] + link[1]]) for link in links)
    matched = sum(link[1] for link in links), sum(link[3] for link in links)
    if not ours or not theirs:
        return {"precision": 0.0, "recall": 0.0, "penalty": 0.0, "score": 0.0}
    precision, recall = ours / worth(translation), theirs / worth(reference)
    whole = matched == (len(reference), len(translation)) and chunks(links) == 1
    fragmentation = 0.0 if whole else 2 * chunks(links) / sum(matched)
    penalty = parameters.gamma * fragmentation**parameters.beta
    mean = 1 / ((1 - parameters.alpha) / precision + parameters.alpha / recall)
    return {"precision": precision, "recall": recall, "penalty": penalty, "score": max(0.0, mean * (1 - penalty))}
