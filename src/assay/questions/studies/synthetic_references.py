"""What could be had from references that are made out of the given ones? After Lavie et al. (2004), section 5.

Pang, Knight & Marcu (2003) merge translations of one sentence into a word lattice, whose paths are new sentences. Here
references are aligned word by word and merged where they share words. The path that a metric likes best, out of all of
them, bounds what any such reference could do for a system.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import TopologicalSorter
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array
from assay.data.campaign import Campaign
from assay.data.texts import Texts
from assay.errors import InputError
from assay.metrics.base import Metric, Rows
from assay.people.scores import scores_of
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, different, grouped, usable_references, watched
from assay.questions.studies.judged import JudgedStudy, gained
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import thread_count
from assay.scoring.statistics import Statistics
from assay.significance.draws import NOTHING, Estimate
from assay.text.batch import batch_of
from assay.threads import interruptible

#: What a translation is held against, as tables and pictures call it.
_BEST, _ALL, _PATH = "best reference", "all references", "best path"
#: The columns of corpus scores, and what they are called.
_SCORES = {"best_reference": _BEST, "all_references": _ALL, "best_path": _PATH}
#: Merits that differ by less are equal, but for rounding.
_DIGITS = 9
#: So many segments are searched at a time, and so many paths are scored at once: memory holds no more of them.
_SEGMENTS, _AT_ONCE = 64, 20_000
#: Words of all references of a segment above this take longer than anybody waits; such a segment is a text without
#: line ends.
_MOST_WORDS = 20_000
#: Examples of one metric.
_EXAMPLES = 3

_Words = tuple[str, ...]
_Nodes = tuple[int, ...]


class Lattice:
    """References of one segment, merged word by word: a node per word that they share or one of them has.

    Each reference is merged along the path through the others that has most words in common with it, in the same order.
    The longest goes first, and of equally long ones that which comes first by its words, so that the order in which
    they are given does not matter. Every reference is a path, and all others switch between references where they share
    a word.

    >>> lattice = Lattice([("the", "cat", "sat"), ("a", "cat", "slept")])
    >>> sorted(" ".join(lattice.words_of(path)) for path in lattice.paths())
    ['a cat sat', 'a cat slept', 'the cat sat', 'the cat slept']
    """

    def __init__(self, references: Iterable[_Words]) -> None:
        # Nodes 0 and 1 are where all paths begin and end.
        self._words: list[str | None] = [None, None]
        self._before: dict[int, list[int]] = {0: [], 1: []}
        #: The path of each reference.
        self.references = [self._merged(words) for words in sorted(set(references), key=lambda one: (-len(one), one))]

    def words_of(self, path: _Nodes) -> _Words:
        """The words along a path."""
        return tuple(word for node in path if (word := self._words[node]) is not None)

    def count(self) -> int:
        """How many paths there are."""
        ways = {0: 1}
        for node in self._order()[1:]:
            ways[node] = sum(ways[before] for before in self._before[node])
        return ways[1]

    def paths(self) -> Iterator[_Nodes]:
        """All paths."""
        after: dict[int, list[int]] = {node: [] for node in self._before}
        for node, earlier in self._before.items():
            for before in earlier:
                after[before].append(node)
        open_paths: list[_Nodes] = [(0,)]
        while open_paths:
            path = open_paths.pop()
            if path[-1] == 1:
                yield path[1:-1]
            else:
                open_paths += [(*path, node) for node in after[path[-1]]]

    def neighbours(self, path: _Nodes) -> Iterator[_Nodes]:
        """The paths that take one stretch between two shared words from a reference, and are else as this one."""
        places = {node: place for place, node in enumerate(path)}
        for reference in self.references:
            ours = theirs = 0
            # Between words that both have, and before the first and behind the last.
            for at, node in enumerate((*reference, 1)):
                place = len(path) if node == 1 else places.get(node)
                if place is None:
                    continue
                if path[ours:place] != reference[theirs:at]:
                    yield (*path[:ours], *reference[theirs:at], *path[place:])
                ours, theirs = place + 1, at + 1

    def _order(self) -> list[int]:
        """All nodes, each behind those before it."""
        return list(TopologicalSorter(self._before).static_order())

    def _merged(self, words: _Words) -> _Nodes:
        """Merge one reference; its path."""
        shared = self._aligned(words) if len(self._words) > 2 else {}
        path, last = [], 0
        for place, word in enumerate(words):
            node = shared.get(place)
            if node is None:
                node = len(self._words)
                self._words.append(word)
                self._before[node] = []
            if last not in self._before[node]:
                self._before[node].append(last)
            path.append(node)
            last = node
        if last not in self._before[1]:
            self._before[1].append(last)
        return tuple(path)

    def _aligned(self, words: _Words) -> dict[int, int]:
        """The node that each word of a reference is merged with, if any: most of them on one path, in their order."""
        matches = {word: np.array([word == other for other in words], dtype=np.bool_) for word in set(words)}
        # By node: how many of the first words can be matched on a path that ends there, and on those that lead to it.
        here: dict[int, np.ndarray[Any, np.dtype[np.int64]]] = {0: np.zeros(len(words) + 1, dtype=np.int64)}
        ahead: dict[int, np.ndarray[Any, np.dtype[np.int64]]] = {}
        for node in self._order()[1:]:
            ahead[node] = np.max([here[before] for before in self._before[node]], axis=0)
            reached, match = ahead[node].copy(), matches.get(self._words[node] or "")
            if match is not None and self._words[node] is not None:
                reached[1:] = np.where(match, np.maximum(reached[1:], ahead[node][:-1] + 1), reached[1:])
                reached = np.maximum.accumulate(reached)
            here[node] = reached
        shared: dict[int, int] = {}
        node, place = 1, len(words)
        while node != 0:
            value = here[node][place]
            word = self._words[node]
            if place and word is not None and words[place - 1] == word and ahead[node][place - 1] + 1 == value:
                shared[place - 1] = node
                place, value = place - 1, value - 1
            elif ahead[node][place] != value:
                place -= 1
                continue
            node = next(before for before in self._before[node] if here[before][place] == value)
        return shared


@dataclass(frozen=True, eq=False)
class _Found:
    """The best path of each segment for one system, and the best of its references."""

    rows: Rows
    texts: list[_Words]
    best_rows: Rows
    best_texts: list[_Words]


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the best path of each segment by one metric, which is given words as they are."""

    metric: Metric
    lattices: Sequence[Lattice]
    #: How many paths each lattice has.
    paths: Sequence[int]
    exhaustive: int
    beam: int
    threads: int
    #: What a segment is scored by.
    single: Metric = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "single", self.metric.for_segments())

    def run(self, translations: Sequence[_Words]) -> _Found:
        """The best paths for one system."""
        found: list[tuple[Rows, _Words, Rows, _Words]] = []
        for start in range(0, len(translations), _SEGMENTS):
            found += self._searched(range(start, min(start + _SEGMENTS, len(translations))), translations)
        rows, texts, best_rows, best_texts = zip(*found, strict=True)
        return _Found(np.stack(rows), list(texts), np.stack(best_rows), list(best_texts))

    def _searched(
        self, segments: Iterable[int], translations: Sequence[_Words]
    ) -> Iterator[tuple[Rows, _Words, Rows, _Words]]:
        """The best path of each of some segments with its words, and the best reference."""
        # What is scored, by segment and words: merit, row and path; whose neighbours were looked at; what is to do.
        scored: dict[int, dict[_Words, tuple[float, Rows, _Nodes]]] = {segment: {} for segment in segments}
        expanded: dict[int, set[_Words]] = {segment: set() for segment in scored}
        waiting: list[tuple[int, _Words, _Nodes]] = []
        for segment in scored:
            lattice = self.lattices[segment]
            known = lattice.paths() if self.paths[segment] <= self.exhaustive else lattice.references
            waiting += [(segment, *one) for one in {lattice.words_of(path): path for path in known}.items()]
        while waiting:
            for start in range(0, len(waiting), _AT_ONCE):
                part = waiting[start : start + _AT_ONCE]
                rows = self._rows([translations[segment] for segment, _, _ in part], [words for _, words, _ in part])
                merits = self.single.score(rows) * (1.0 if self.metric.higher_is_better else -1.0)
                for (segment, words, path), row, merit in zip(part, rows, merits.tolist(), strict=True):
                    scored[segment][words] = (merit, row, path)
            waiting = []
            for segment, known_paths in scored.items():
                if self.paths[segment] <= self.exhaustive:
                    continue
                lattice, fresh = self.lattices[segment], dict[_Words, _Nodes]()
                for words in sorted(known_paths, key=lambda one: _rank(known_paths, one))[: self.beam]:
                    if words not in expanded[segment]:
                        expanded[segment].add(words)
                        for path in lattice.neighbours(known_paths[words][2]):
                            fresh.setdefault(lattice.words_of(path), path)
                waiting += [(segment, words, path) for words, path in fresh.items() if words not in known_paths]
        for segment, known_paths in scored.items():
            lattice = self.lattices[segment]
            references = [lattice.words_of(path) for path in lattice.references]
            best, alone = (min(some, key=lambda one: _rank(known_paths, one)) for some in (known_paths, references))
            yield known_paths[best][1], best, known_paths[alone][1], alone

    def _rows(self, translations: Sequence[_Words], references: Sequence[_Words]) -> Rows:
        ours, theirs = ([" ".join(words) for words in side] for side in (translations, references))
        batch = replace(batch_of(ours, [theirs], self.metric.recipe), threads=self.threads)
        return interruptible(lambda: self.metric.count(batch))


def _rank(scored: Mapping[_Words, tuple[float, Rows, _Nodes]], words: _Words) -> tuple[float, _Words]:
    """The best first, and of equally good ones that which comes first by its words."""
    return -round(scored[words][0], _DIGITS), words


@dataclass(frozen=True, kw_only=True)
class SyntheticReferences(JudgedStudy):
    """Scores against the best path through a word lattice of the references, beside those against the references."""

    name = "synthetic-references"
    question = "How much could references gain that are combined out of the given ones?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 2}
    source = "Lavie, Sagae & Jayaraman (2004), section 5, after Pang, Knight & Marcu (2003)"
    columns = (
        Column("metric"), Column("system"), Column("segments", "segments", ","),
        Column("best_reference", _BEST, ".2f"), Column("all_references", _ALL, ".2f"),
        Column("best_path", "best path (bound)", ".2f"), Column("better", "better path %", ".1f"),
        Column("paths", "paths (median)", ",.0f"), Column("exact", "all paths tried %", ".1f"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "correlations": (
            Column("metric"), Column("against"), Column("systems", "systems", "d"),
            Column("pearson", "Pearson", ".3f", low="low", high="high"),
            Column("gain", "gain", "+.3f", low="gain_low", high="gain_high"),
        ),
        "examples": (
            Column("metric"), Column("system"), Column("segment"), Column("who"), Column("score", "score", ".2f"),
            Column("text"),
        ),
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option((SENTENCE_BLEU, "fmean", "wer"), "Metrics, with their recipes.")
    exhaustive: int = option(100, "Lattices of up to so many paths are searched whole.", metavar="N", least=1)
    beam: int = option(4, "Of larger ones, how many paths are changed further in each round.", metavar="N", least=1)
    texts: bool = option(False, "Also a table of all synthetic references.")
    samples: int = option(200, "Bootstrap samples, for intervals of correlations; 0 for none.", metavar="N", least=0)

    def answer(self, asked: Asked) -> Result:
        """The seed is that of the intervals."""
        chosen = asked.chosen
        references = usable_references(chosen, self.name, fewest=2)
        if not chosen.systems:
            raise InputError(f"{chosen.name} has no system. {self.name} combines references for translations.")
        campaign = replace(chosen, references=references, present={}, targeted=frozenset())
        counted = asked.count(self.metrics, campaign)
        names = campaign.segment_names()
        tables: dict[str, Table] = {"table": [], "correlations": [], "examples": [], "texts": []}
        held: dict[str, dict[str, dict[str, Statistics]]] = {}
        cooked: dict[Any, tuple[list[Lattice], list[int]]] = {}
        work = [(metric, system) for metric in self.metrics for system in campaign.systems]
        for metric, system in watched(work, asked, 0.05):
            whole, name = counted[system, str(metric)], asked.name_of(metric)
            key = metric.recipe if metric.cuts_words else None
            if key not in cooked:
                cooked[key] = _lattices(metric, references)
            lattices, paths = cooked[key]
            search = _Search(
                _on_words(whole.metric), lattices, paths, self.exhaustive, self.beam, thread_count(asked.threads)
            )
            found = search.run([_words(metric, text) for text in campaign.systems[system]])
            sides = {_BEST: _with(whole, found.best_rows), _ALL: whole, _PATH: _with(whole, found.rows)}
            for against, statistics in sides.items():
                held.setdefault(name, {}).setdefault(against, {})[system] = statistics
            scored = {against: statistics.segment_scores() for against, statistics in sides.items()}
            named = {"metric": name, "system": system}
            summary = self._summary(metric, sides, scored, paths)
            tables["table"].append(named | {"segments": len(campaign)} | summary)
            texts = list(_texts(named, names, found, scored, paths))
            tables["texts"] += texts if self.texts else []
            tables["examples"] += _examples(metric, texts, campaign.systems[system])
        tables["examples"] = [
            {column: cell for column, cell in row.items() if column != "gain"}
            for _, rows in grouped(tables["examples"], "metric")
            for row in _largest(rows)
        ]
        tables["correlations"], said, kind = self._correlations(asked, campaign, held)
        findings = [*_findings(tables["table"]), self._searched(tables["table"]), *said]
        if not self.texts:
            del tables["texts"]
        return self.result(asked, tables, findings, self.metrics, usage=said[:1] if kind else (), kind=kind)

    def _summary(
        self, metric: Metric, sides: Mapping[str, Statistics], scored: Mapping[str, Array], paths: Sequence[int]
    ) -> dict[str, Any]:
        """The numbers of one system."""
        gain = (scored[_PATH] - scored[_BEST]) * (1.0 if metric.higher_is_better else -1.0)
        scores = {column: sides[against].corpus_score() for column, against in _SCORES.items()}
        means = {f"mean_{column}": float(scored[against].mean()) for column, against in _SCORES.items()}
        exact = sum(count <= self.exhaustive for count in paths)
        return (
            scores
            | {
                "better": 100.0 * float((gain > 10.0**-_DIGITS).mean()),
                "paths": float(np.median(list(map(_size, paths)))),
            }
            | {"most_paths": _size(max(paths)), "exact": 100.0 * exact / len(paths)}
            | means
        )

    def _searched(self, rows: Table) -> str:
        """How paths were looked for, and how sure it is that they are the best."""
        share = min(row["exact"] for row in rows)
        bound = (
            "The best path is chosen for each system and segment by the metric itself: an upper bound on what one "
            "synthetic reference could do, and no reference that one could know beforehand."
        )
        if share == 100.0:
            return f"{bound} All paths of all segments were tried."
        return (
            f"{bound} All paths were tried in {share:.0f} % of the segments, those with up to {self.exhaustive:,}; in "
            f"the others the {self.beam} best were changed a stretch at a time until nothing got better, so that a "
            "better path may exist."
        )

    def _correlations(
        self, asked: Asked, campaign: Campaign, held: Mapping[str, Mapping[str, Mapping[str, Statistics]]]
    ) -> tuple[Table, list[str], str | None]:
        """Pearson over systems against each; what became of the judgements, or why there is none; and their kind."""
        if campaign.judgements is None or not len(campaign.judgements):
            return [], ["No correlations: nobody judged these systems."], None
        try:
            judged = self.judged(asked)
        except InputError as error:
            # Judgements that somebody chose have to be there.
            if self.kind:
                raise
            return [], [f"No correlations: {error}"], None
        mask = judged.people.mask if judged.people.mask.any() else ~judged.people.mask
        draws = judged.draws(self.samples)
        rows: Table = []
        for metric in self.metrics:
            base: Estimate | None = None
            for against in (_ALL, _BEST, _PATH):
                counted = held[asked.name_of(metric)][against]
                source = scores_of(metric, [counted[system] for system in judged.people.systems], judged.people, mask)
                (measured,) = judged.measure("system", "pearson", [source], draws)
                row = {"metric": asked.name_of(metric), "against": against, "systems": len(judged.people.systems)}
                gain = gained(measured, base) if base else NOTHING.row("gain", "gain_low", "gain_high")
                rows.append(row | measured.row("pearson") | gain)
                base = base or measured
        return rows, [judged.used("system"), *([judged.drawn()] if self.samples else [])], judged.people.name

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """Each system against the best reference, all references and the best path, a panel per metric."""
        colors = charts.palette(_SCORES.values())
        panels = []
        for metric, rows in grouped(tables["table"], "metric"):
            long = [
                {"system": row["system"], "against": against, "value": row[column]}
                for row in rows
                for column, against in _SCORES.items()
            ]
            # The best system first: of error rates that with the lowest, which a path lowers further.
            falls = sum(row["best_path"] - row["best_reference"] for row in rows) < 0
            by_name = sorted(rows, key=lambda row: str(row["system"]))
            ordered = sorted(by_name, key=lambda row: float(row["all_references"]), reverse=not falls)
            panels.append(
                charts.interval_dots(
                    long, name="system", value="value", group="against", order=[row["system"] for row in ordered],
                    colors=colors, step=12, axis=Axis(title=metric), width=260,
                )
            )  # fmt: skip
        whole = charts.above(charts.panels(panels), charts.key(colors))
        systems = len(different(tables["table"], "system"))
        said = f"{campaign}: {systems} systems. The best path through a lattice of the references is an upper bound."
        return charts.figure("figure", whole, "What could be had from combined references?", [said])


def _size(paths: int) -> float:
    """A number of paths as tables hold it: there may be more than a number can say."""
    return float(min(paths, 10**300))


def _words(metric: Metric, text: str) -> _Words:
    """The words of a text as a metric sees them; those between spaces where it counts characters."""
    return tuple(metric.recipe.tokens(text) if metric.cuts_words else text.split())


def _lattices(metric: Metric, references: Mapping[str, Texts]) -> tuple[list[Lattice], list[int]]:
    """The lattice of each segment, and how many paths it has."""
    lattices = []
    for texts in zip(*references.values(), strict=True):
        words = [_words(metric, text) for text in texts]
        if (size := sum(map(len, words))) > _MOST_WORDS:
            raise InputError(
                f"A segment has {size:,} words in its references, and more than {_MOST_WORDS:,} are too many to align. "
                "Is the file missing its line ends? Every segment is a line of its own."
            )
        lattices.append(Lattice(words))
    return lattices, [lattice.count() for lattice in lattices]


def _on_words(metric: Metric) -> Metric:
    """The same metric for texts that are cut, and stemmed where it stems all words, already."""
    if not metric.cuts_words:
        return metric
    return replace(metric, tokenize="none:ascii", stem=None if metric.recipe.stem else metric.stem)


def _with(whole: Statistics, rows: Rows) -> Statistics:
    """The same with other rows, for which nothing is fitted anew."""
    return replace(whole, rows=rows, fit=None, corpus=None)


def _texts(
    named: Mapping[str, str], names: Sequence[str], found: _Found, scored: Mapping[str, Array], paths: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """The synthetic reference of each segment, beside the best of the given ones."""
    for place, name in enumerate(names):
        yield {
            **named, "segment": name, "paths": _size(paths[place]),
            "score": float(scored[_PATH][place]), "synthetic": " ".join(found.texts[place]),
            "reference_score": float(scored[_BEST][place]), "reference": " ".join(found.best_texts[place]),
        }  # fmt: skip


def _examples(metric: Metric, texts: Sequence[Mapping[str, Any]], translations: Texts) -> Iterator[dict[str, Any]]:
    """Where a path gains most for a system: the translation, the best reference and the best path."""
    sign = 1.0 if metric.higher_is_better else -1.0
    gains = {place: sign * (row["score"] - row["reference_score"]) for place, row in enumerate(texts)}
    for place in sorted(gains, key=lambda one: (-round(gains[one], _DIGITS), texts[one]["synthetic"]))[:_EXAMPLES]:
        row = texts[place]
        shown = {column: row[column] for column in ("metric", "system", "segment")} | {"gain": gains[place]}
        yield shown | {"who": "translation", "score": None, "text": translations[place]}
        yield shown | {"who": _BEST, "score": row["reference_score"], "text": row["reference"]}
        yield shown | {"who": _PATH, "score": row["score"], "text": row["synthetic"]}


def _largest(rows: Table) -> Iterator[dict[str, Any]]:
    """The examples of one metric with the largest gains, no segment twice."""
    ranked = sorted(grouped(rows, "system", "segment"), key=lambda one: (-round(one[1][0]["gain"], _DIGITS), one[0]))
    seen: list[str] = []
    for (_, segment), several in ranked:
        if segment not in seen and len(seen) < _EXAMPLES and several[0]["gain"] > 10.0**-_DIGITS:
            seen.append(segment)
            yield from several


def _findings(rows: Table) -> Iterator[str]:
    """What the bound leaves to gain, and whether systems change places."""
    for metric, here in grouped(rows, "metric"):
        if len(here) < 2:
            continue
        gains = [row["best_path"] - row["best_reference"] for row in here]
        low, high = min(gains, key=abs), max(gains, key=abs)
        before, behind = (_ordered(here, column) for column in ("all_references", "best_path"))
        moved = sum(one != other for one, other in zip(before, behind, strict=True))
        ranks = "no system changes its place" if not moved else f"{moved} of {len(here)} systems change their places"
        yield (
            f"{metric}: the best path is {low:+.2f} to {high:+.2f} from the best reference; against it instead of all "
            f"references {ranks}."
        )


def _ordered(rows: Table, column: str) -> list[str]:
    """The systems in the order of a column."""
    return [row["system"] for row in sorted(rows, key=lambda row: (row[column], row["system"]))]
