"""What could be had from references that are made out of the given ones? After Lavie et al. (2004), section 5.

Pang, Knight & Marcu (2003) merge translations of one sentence into a word lattice, whose paths are new sentences. Here
references are aligned word by word and merged where they share words. The path that a metric likes best, out of all of
them, bounds what any such reference could do for a system.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import accumulate, product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array
from assay.data.campaign import Campaign
from assay.data.texts import Texts
from assay.errors import InputError
from assay.metrics.base import Metric, Rows
from assay.people.scores import scores_of
from assay.properties import cached_property
from assay.questions.asked import Asked
from assay.questions.base import metrics_option, option
from assay.questions.studies.base import SENTENCE_BLEU, different, grouped, usable_references, watched
from assay.questions.studies.judged import JudgedStudy, JudgedSystems, gained
from assay.results import charts
from assay.results.charts import Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.scoring.evaluate import thread_count
from assay.scoring.statistics import Statistics
from assay.significance.draws import NOTHING, Estimate
from assay.text.batch import batch_of
from assay.text.recipe import Recipe
from assay.threads import interruptible

#: What a translation is held against, as tables and pictures call it.
_BEST, _ALL, _PATH = "best reference", "all references", "best path"
#: The columns of corpus scores, and what they are called.
_SCORES = {"best_reference": _BEST, "all_references": _ALL, "best_path": _PATH}
#: Merits that differ by less are equal, but for rounding.
_DIGITS = 9
#: So many segments are searched at a time, and so many paths are scored at once: memory holds no more of them.
_SEGMENTS, _AT_ONCE = 32, 20_000
#: Words of all references of a segment above this take longer than anybody waits; such a segment is a text without
#: line ends.
_MOST_WORDS = 20_000
#: Examples of one metric.
_EXAMPLES = 3

_Words = tuple[str, ...]
#: The nodes along a path, a character each: nothing is cut and joined as fast as strings are.
_Nodes = str
_START, _END = "\0", "\1"


class Lattice:
    """References of one segment, merged word by word: a node per word that they share or one of them has.

    Each reference is merged along the path through the others that has most words in common with it, in the same order.
    The longest goes first, and of equally long ones that which comes first by its words, so that the order in which
    they are given does not matter. Every reference is a path, and all others switch between references where they share
    a word.

    >>> lattice = Lattice([("the", "cat", "sat"), ("a", "cat", "slept")])
    >>> sorted(map(lattice.text_of, lattice.paths()))
    ['a cat sat', 'a cat slept', 'the cat sat', 'the cat slept']
    """

    def __init__(self, references: Iterable[_Words]) -> None:
        # By node: its word, and the nodes before it. All paths begin at one and end at one that have none.
        self._words = {_START: "", _END: ""}
        self._before: dict[str, list[str]] = {_START: [], _END: []}
        # All nodes, each behind those before it.
        self._order = [_START, _END]
        # The neighbours of paths that somebody asked for: systems and metrics ask for many of the same.
        self._near: dict[_Nodes, list[tuple[str, _Nodes]]] = {}
        #: The path of each reference.
        self.references = [self._merged(words) for words in sorted(set(references), key=lambda one: (-len(one), one))]

    def text_of(self, path: _Nodes) -> str:
        """The words along a path."""
        return " ".join([self._words[node] for node in path])

    def count(self) -> int:
        """How many paths there are."""
        ways = {_START: 1}
        for node in self._order[1:]:
            ways[node] = sum(ways[before] for before in self._before[node])
        return ways[_END]

    def paths(self) -> Iterator[_Nodes]:
        """All paths."""
        after: dict[str, list[str]] = {node: [] for node in self._before}
        for node, earlier in self._before.items():
            for before in earlier:
                after[before].append(node)
        open_paths = [_START]
        while open_paths:
            path = open_paths.pop()
            if path[-1] == _END:
                yield path[1:-1]
            else:
                open_paths += [path + node for node in after[path[-1]]]

    def neighbours(self, path: _Nodes) -> list[tuple[str, _Nodes]]:
        """The paths that take one stretch between two shared words from a reference, and are else as this one."""
        if path not in self._near:
            self._near[path] = list(self._changed(path))
        return self._near[path]

    def _changed(self, path: _Nodes) -> Iterator[tuple[str, _Nodes]]:
        flat, nodes, other, starts = self._flat
        text, begins = self._spaced(path)
        # Where stretches end in the path, from 1 on: at words that both have, and at the end.
        places = np.zeros(len(self._words), dtype=np.int64)
        places[_numbers(path + _END)] = np.arange(1, len(path) + 2)
        (stops,) = places[nodes].nonzero()
        ends = places[nodes[stops]]
        # They begin behind the one before; behind the end of a reference begins the next one.
        begin, start = np.zeros((2, len(ends)), dtype=np.int64)
        begin[1:], start[1:] = np.where(ends[:-1] > len(path), 0, ends[:-1]), stops[:-1] + 1
        changed = (ends - begin > 1) | (stops > start)
        for ours, end, theirs, stop in np.array([begin, ends - 1, start, stops])[:, changed].T.tolist():
            near = f"{text[: begins[ours]]}{other[starts[theirs] : starts[stop]]}{text[begins[end] :]}"
            yield near[:-1], path[:ours] + flat[theirs:stop] + path[end:]

    @cached_property
    def _flat(self) -> tuple[_Nodes, NDArray[np.uint32], str, list[int]]:
        """All references one behind the other, each with the end behind it: their nodes, and their words."""
        flat = "".join(reference + _END for reference in self.references)
        return flat, _numbers(flat), *self._spaced(flat)

    def _spaced(self, path: _Nodes) -> tuple[str, list[int]]:
        """The words along a path with a space behind each, and where each begins and the last one ends."""
        words = [self._words[node] + " " for node in path]
        return "".join(words), list(accumulate(map(len, words), initial=0))

    def _merged(self, words: _Words) -> _Nodes:
        """Merge one reference; its path."""
        shared = self._aligned(words) if len(self._words) > 2 else {}
        path, last, behind = "", _START, 1
        for place, word in enumerate(words):
            node = shared.get(place)
            if node is None:
                node = chr(len(self._words))
                self._words[node], self._before[node] = word, []
                self._order.insert(behind, node)
            behind = self._order.index(node, behind) + 1
            if last not in self._before[node]:
                self._before[node].append(last)
            path, last = path + node, node
        if last not in self._before[_END]:
            self._before[_END].append(last)
        return path

    def _aligned(self, words: _Words) -> dict[int, str]:
        """The node that each word of a reference is merged with, if any: most of them on one path, in their order."""
        matches = {word: np.array([word == other for other in words], dtype=np.int64) for word in set(words)}
        # By node: how many of the first words can be matched on a path that ends there, and on those that lead to it.
        here = {_START: np.zeros(len(words) + 1, dtype=np.int64)}
        ahead: dict[str, NDArray[np.int64]] = {}
        for node in self._order[1:]:
            here[node] = ahead[node] = reduce(np.maximum, [here[before] for before in self._before[node]])
            if node != _END and (match := matches.get(self._words[node])) is not None:
                # One more than before each word that it matches; where it matches none that is no more.
                reached = ahead[node].copy()
                np.maximum(reached[1:], reached[:-1] + match, out=reached[1:])
                here[node] = np.maximum.accumulate(reached)
        shared: dict[int, str] = {}
        node, place = _END, len(words)
        while node != _START:
            value = here[node][place]
            word = self._words[node]
            if place and node != _END and words[place - 1] == word and ahead[node][place - 1] + 1 == value:
                shared[place - 1] = node
                place, value = place - 1, value - 1
            elif ahead[node][place] != value:
                place -= 1
                continue
            node = next(before for before in self._before[node] if here[before][place] == value)
        return shared


def _numbers(nodes: _Nodes) -> NDArray[np.uint32]:
    """Nodes as numbers, which count them from 0."""
    return np.frombuffer(nodes.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


#: A path that was scored: how far below 0 its merit is, its text, its nodes and its row. The best is the least.
_Scored = tuple[float, str, _Nodes, Rows]


@dataclass(frozen=True, eq=False)
class _Found:
    """The best path of each segment for one system, and the best of its references."""

    rows: Rows
    texts: Sequence[str]
    best_rows: Rows
    best_texts: Sequence[str]

    @classmethod
    def of(cls, found: Sequence[tuple[_Scored, _Scored]]) -> _Found:
        """A path and a reference for each segment."""
        rows, best_rows = (np.stack([row for *_, row in side]) for side in zip(*found, strict=True))
        return cls(rows, [path[1] for path, _ in found], best_rows, [reference[1] for _, reference in found])


@dataclass(frozen=True, eq=False)
class _Search:
    """The search for the best path of each of some segments by one metric, which is given words as they are."""

    metric: Metric
    lattices: Sequence[Lattice]
    #: How many paths each lattice has.
    paths: Sequence[int]
    exhaustive: int
    beam: int
    threads: int

    def run(self, translations: Sequence[str]) -> Iterator[tuple[_Scored, _Scored]]:
        """The best path of each segment, and the best reference."""
        asking = {
            segment: _next_paths(lattice, paths <= self.exhaustive)
            for segment, (lattice, paths) in enumerate(zip(self.lattices, self.paths, strict=True))
        }
        best: dict[int, list[_Scored]] = {segment: [] for segment in asking}
        alone: dict[int, _Scored] = {}
        fresh = {segment: next(asked) for segment, asked in asking.items()}
        while fresh:
            self._score(fresh, best, translations)
            # References come first.
            alone = alone or {segment: several[0] for segment, several in best.items()}
            fresh = {segment: more for segment in fresh if (more := asking[segment].send(best[segment]))}
        yield from ((best[segment][0], alone[segment]) for segment in asking)

    def _score(
        self, fresh: Mapping[int, Mapping[str, _Nodes]], best: dict[int, list[_Scored]], translations: Sequence[str]
    ) -> None:
        """Give fresh paths of some segments a place among the best, if they are."""
        single, sign = self.metric.for_segments(), -1.0 if self.metric.higher_is_better else 1.0
        paths = [(segment, *one) for segment, several in fresh.items() for one in several.items()]
        for start in range(0, len(paths), _AT_ONCE):
            part = paths[start : start + _AT_ONCE]
            ours, theirs = [translations[segment] for segment, _, _ in part], [text for _, text, _ in part]
            batch = replace(batch_of(ours, [theirs], self.metric.recipe), threads=self.threads)
            rows = interruptible(partial(self.metric.count, batch))
            merits = np.nan_to_num(np.round(sign * single.score(rows), _DIGITS), nan=np.inf)
            bars = {
                segment: several[-1][0] if len(several := best[segment]) == self.beam else np.inf for segment in fresh
            }
            for place in np.flatnonzero(merits <= [bars[segment] for segment, _, _ in part]).tolist():
                segment, text, nodes = part[place]
                best[segment].append((float(merits[place]), text, nodes, rows[place]))
            for segment in fresh:
                # Copies: what is a part of all rows holds all of them in memory.
                best[segment] = [
                    (merit, text, nodes, row.copy()) for merit, text, nodes, row in sorted(best[segment])[: self.beam]
                ]


def _next_paths(lattice: Lattice, every: bool) -> Generator[dict[str, _Nodes], list[_Scored], None]:
    """The paths of a segment to score next, by their texts; it is sent the best so far. None at the end."""
    known = {lattice.text_of(path) for path in lattice.references}
    best = yield {lattice.text_of(path): path for path in lattice.references}
    if every:
        yield {text: path for path in lattice.paths() if (text := lattice.text_of(path)) not in known}
        best = []
    expanded: set[str] = set()
    while True:
        fresh: dict[str, _Nodes] = {}
        for _, text, path, _ in best:
            if text not in expanded:
                expanded.add(text)
                for near, nodes in lattice.neighbours(path):
                    if near not in known:
                        known.add(near)
                        fresh[near] = nodes
        best = yield fresh


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
        # What is missing there is said before long work.
        judged, said = self._judged(asked)
        counted = asked.count(self.metrics, campaign)
        names = campaign.segment_names()
        tables: dict[str, Table] = {"table": [], "correlations": [], "examples": [], "texts": []}
        held: dict[str, dict[str, dict[str, Statistics]]] = {}
        found, sizes = self._found(asked, campaign, counted)
        for metric, system in product(self.metrics, campaign.systems):
            whole, name = counted[system, str(metric)], asked.name_of(metric)
            best, paths = found[system, str(metric)], sizes[_cut(metric)]
            sides = {_BEST: _with(whole, best.best_rows), _ALL: whole, _PATH: _with(whole, best.rows)}
            for against, statistics in sides.items():
                held.setdefault(name, {}).setdefault(against, {})[system] = statistics
            scored = {against: statistics.segment_scores() for against, statistics in sides.items()}
            named = {"metric": name, "system": system}
            summary = self._summary(metric, sides, scored, paths)
            tables["table"].append(named | {"segments": len(campaign)} | summary)
            texts = list(_texts(named, names, best, scored, paths))
            tables["texts"] += texts if self.texts else []
            tables["examples"] += _examples(metric, texts, campaign.systems[system])
        tables["examples"] = [
            {column: cell for column, cell in row.items() if column != "gain"}
            for _, rows in grouped(tables["examples"], "metric")
            for row in _largest(rows)
        ]
        kind = None if judged is None else judged.people.name
        if judged is not None:
            tables["correlations"] = list(self._correlations(judged, held))
        findings = [*_findings(tables["table"]), self._searched(tables["table"]), *said]
        if not self.texts:
            del tables["texts"]
        return self.result(asked, tables, findings, self.metrics, usage=said[:1] if kind else (), kind=kind)

    def _found(
        self, asked: Asked, campaign: Campaign, counted: Mapping[tuple[str, str], Statistics]
    ) -> tuple[dict[tuple[str, str], _Found], dict[Recipe | None, list[int]]]:
        """The best paths for each system and metric; and how many paths segments have, by what cuts words."""
        tasks = list(product(self.metrics, campaign.systems.items()))
        found: dict[tuple[str, str], list[tuple[_Scored, _Scored]]]
        found = {(system, str(metric)): [] for metric, (system, _) in tasks}
        sizes: dict[Recipe | None, list[int]] = {_cut(metric): [] for metric in self.metrics}
        threads = thread_count(asked.threads)
        # Lattices of some segments at a time, for all systems and metrics.
        for start in watched(range(0, len(campaign), _SEGMENTS), asked, 0.05):
            segments = range(start, min(start + _SEGMENTS, len(campaign)))
            lattices = {cut: _lattices(cut, campaign.references, segments) for cut in sizes}
            for cut, several in lattices.items():
                sizes[cut] += [lattice.count() for lattice in several]
            for metric, (system, texts) in tasks:
                cut, key = _cut(metric), (system, str(metric))
                about = lattices[cut], sizes[cut][start:], self.exhaustive, self.beam, threads
                search = _Search(_on_words(counted[key].metric), *about)
                found[key] += search.run([" ".join(_words(cut, texts[segment])) for segment in segments])
        return {key: _Found.of(several) for key, several in found.items()}, sizes

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

    def _judged(self, asked: Asked) -> tuple[JudgedSystems | None, list[str]]:
        """What people say of the systems, and what became of it; or why nothing is held against people."""
        judgements = asked.chosen.judgements
        if judgements is None or not len(judgements):
            return None, ["No correlations: nobody judged these systems."]
        try:
            judged = self.judged(asked)
        except InputError as error:
            # Judgements that somebody chose have to be there.
            if self.kind:
                raise
            return None, [f"No correlations: {error}"]
        return judged, [judged.used("system"), *([judged.drawn()] if self.samples else [])]

    def _correlations(
        self, judged: JudgedSystems, held: Mapping[str, Mapping[str, Mapping[str, Statistics]]]
    ) -> Iterator[dict[str, Any]]:
        """Pearson over systems against each."""
        mask = judged.people.mask if judged.people.mask.any() else ~judged.people.mask
        draws = judged.draws(self.samples)
        for metric in self.metrics:
            name = judged.asked.name_of(metric)
            base: Estimate | None = None
            for against in (_ALL, _BEST, _PATH):
                counted = held[name][against]
                source = scores_of(metric, [counted[system] for system in judged.people.systems], judged.people, mask)
                (measured,) = judged.measure("system", "pearson", [source], draws)
                row = {"metric": name, "against": against, "systems": len(judged.people.systems)}
                gain = gained(measured, base) if base else NOTHING.row("gain", "gain_low", "gain_high")
                yield row | measured.row("pearson") | gain
                base = base or measured

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
        bound = "The best path through a lattice of the references bounds what one reference made of them can bring."
        title = "What could be had from combined references?"
        return charts.figure("figure", whole, title, [f"{campaign}: {systems} systems. {bound}"])


def _size(paths: int) -> float:
    """A number of paths as tables hold it: there may be more than a number can say."""
    return float(min(paths, 10**300))


def _cut(metric: Metric) -> Recipe | None:
    """What cuts texts into words: the metric's recipe, or spaces where it counts characters."""
    return metric.recipe if metric.cuts_words else None


def _words(cut: Recipe | None, text: str) -> _Words:
    """The words of a text."""
    return tuple(text.split() if cut is None else cut.tokens(text))


def _lattices(cut: Recipe | None, references: Mapping[str, Texts], segments: Iterable[int]) -> list[Lattice]:
    """The lattice of each of some segments."""
    lattices = []
    for segment in segments:
        words = [_words(cut, texts[segment]) for texts in references.values()]
        if (size := sum(map(len, words))) > _MOST_WORDS:
            raise InputError(
                f"A segment has {size:,} words in its references, and more than {_MOST_WORDS:,} are too many to align. "
                "Is the file missing its line ends? Every segment is a line of its own."
            )
        lattices.append(Lattice(words))
    return lattices


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
            "score": float(scored[_PATH][place]), "synthetic": found.texts[place],
            "reference_score": float(scored[_BEST][place]), "reference": found.best_texts[place],
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
