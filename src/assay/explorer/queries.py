"""What a page asks of a campaign under a filter: scores, intervals, segments, words, judgements.

Each question takes and gives plain values, and is answered from rows that were counted once. The page has the same
questions in JavaScript, over the same rows, for where there is no server.
"""

from __future__ import annotations

import json
import math
import re
import threading
import time
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import count, pairwise
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.arrays import Array, Codes, Flags
from assay.data.texts import Texts
from assay.errors import AssayWarning, InputError, MissingExtra, ParameterError, UnknownName, shown
from assay.explorer.packing import Shown
from assay.explorer.rows import Grid
from assay.metrics.base import Metric, sums_of_units
from assay.people.scores import adjusted_means
from assay.properties import cached_property
from assay.scoring.evaluate import Progress
from assay.scoring.statistics import NO_DOCUMENT, Statistics, drawn_rows, finite_or_none
from assay.significance.association import kendall_b, pearson
from assay.significance.draws import (
    NO_INTERVAL,
    Interval,
    Units,
    bootstrap_counts,
    named,
    resampled_scores,
    weighted_sums,
)
from assay.significance.pairs import PairedTest, Sampled
from assay.threads import in_threads

_Filter = Mapping[str, Any]
_Key = tuple[str, str]
T = TypeVar("T")

#: So many texts, rows of a list, or points are given at once.
_MOST_TEXTS, _MOST_ROWS, _MOST_POINTS = 5_000, 1_000, 50_000
#: So many segments are looked at for n-grams, and so many are named of each.
_MOST_LOOKED, _MOST_NAMED = 20_000, 100
#: So many segments a command names one by one.
_MOST_SAID = 200
#: Scores of single segments have so many decimals here and in the page: formulas differ in their last digits.
_ROUNDED = 9
#: Upper ends of the groups by length, in words.
_LENGTHS = (9, 19, 29, 39, 49)
#: Tables with more cells are drawn from piece by piece.
_LARGE = 8_000_000
#: Segments that are drawn at a time there.
_DRAWN = 16_384
#: Texts that are searched at a time; with an expression fewer, so that it is noticed when that takes longer than so
#: many seconds.
_SEARCHED, _SEARCHED_BY_EXPRESSION, _SEARCHING = 32_768, 2_048, 20.0
#: Filters, and orders and scores of segments, that are remembered.
_FILTERS, _BYTES, _BYTES_OF_ORDERS = 6, 128 << 20, 64 << 20
#: So many conditions, ranges and patterns a filter has at most, and so many letters its conditions.
_MOST_CONDITIONS, _MOST_PATTERNS, _LONGEST = 100, 1_000, 100_000
#: Texts are compared with so many patterns that have a star or a bracket: each is looked for in every text.
_MOST_OPEN = 200
#: What a filter may hold.
_PARTS = {"where", "ranges", "search", "segments"}
#: What counts as a word, or else as one character, where n-grams are counted.
_TOKENS = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\uaa60-\uaa7f\ua9e0-\ua9ff\u3005\u3007\u3021-\u3029\u3038-\u303b"
    "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\uff66-\uff6f\uff71-\uff9d\u2e80-\u2fd5\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]|\\w+|\\S"
)


class _Recent(Generic[T]):
    """Values that take long to make, each made once, though many ask at the same time; the oldest are forgotten."""

    def __init__(self, most: int, size: Callable[[T], int] = lambda _: 1) -> None:
        self._most, self._size = most, size
        self._lock = threading.Lock()
        self._kept: OrderedDict[Any, _Made[T]] = OrderedDict()

    def has(self, key: Any) -> bool:
        """Whether the value under a key is there."""
        with self._lock:
            return key in self._kept and self._kept[key].there

    def of(self, key: Any, make: Callable[[], T]) -> T:
        """The value under a key."""
        with self._lock:
            entry = self._kept.setdefault(key, _Made())
            self._kept.move_to_end(key)
        with entry.lock:
            if not entry.there:
                try:
                    entry.value, entry.there = make(), True
                except BaseException:
                    # What cannot be made takes no place, however often it is asked for.
                    self._drop(key, entry)
                    raise
        with self._lock:
            held = sum(self._size(one.value) for one in self._kept.values() if one.there)
            while held > self._most and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                held -= self._size(oldest.value) if oldest.there else 0
        value: T = entry.value
        return value

    def _drop(self, key: Any, entry: _Made[T]) -> None:
        with self._lock:
            if self._kept.get(key) is entry:
                del self._kept[key]


@dataclass(eq=False)
class _Made(Generic[T]):
    lock: threading.Lock = field(default_factory=threading.Lock)
    there: bool = False
    value: Any = None


@dataclass(eq=False)
class _Kept:
    """What a filter keeps, and what was computed of it."""

    places: Codes = field(repr=False)
    #: Whether it keeps all.
    everything: bool
    #: No two have the same.
    number: int = field(default_factory=count().__next__)
    #: Sums of rows, counts of units and the like, by what they are of.
    made: _Recent[Any] = field(default_factory=lambda: _Recent(1_000), repr=False)
    #: What samples made of its scores, by one who draws at a time.
    drawn: dict[_Key, Sampled] = field(default_factory=dict, repr=False)
    drawing: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __len__(self) -> int:
        return len(self.places)


class Queries:
    """All that can be asked of one campaign; see ``ANSWERED``."""

    #: What can be asked by name, and the options of each.
    ANSWERED: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "scores": ("filter", "systems", "metrics"),
        "intervals": ("filter", "of"),
        "deltas": ("filter", "against", "metrics", "systems", "intervals"),
        "groups": ("filter", "by", "systems", "metrics", "bins"),
        "segments": ("filter", "sort", "descending", "from", "count", "systems", "metrics", "kind"),
        "texts": ("segments", "columns"),
        "segment": ("segment",),
        "ngrams": ("filter", "a", "b", "reference", "most", "limit"),
        "points": ("filter", "level", "x", "y", "systems", "most"),
        "distribution": ("filter", "metric", "a", "b", "bins"),
        "raters": ("filter", "kind"),
    }

    def __init__(self, campaign: Shown) -> None:
        self.shown = campaign
        self.campaign = campaign.campaign
        self.metrics = {str(metric): metric for metric in campaign.metrics}
        self.systems = list(campaign.systems)
        counted = campaign.counted
        self.grid = counted if isinstance(counted, Grid) else Grid(counted)
        self._filters: _Recent[_Kept] = _Recent(_FILTERS)
        self._scores: _Recent[Array] = _Recent(_BYTES, lambda scores: int(scores.nbytes))
        self._orders: _Recent[tuple[NDArray[np.int32], Array]] = _Recent(
            _BYTES_OF_ORDERS, lambda made: int(made[0].nbytes + made[1].nbytes)
        )

    def __len__(self) -> int:
        return len(self.campaign)

    def prepare(self, progress: Progress | None = None) -> None:
        """Make what all filters need, and the scores of segments as far as they are remembered."""
        _ = self.shown.labels, self.shown.columns, self.shown.lengths, self._documents
        size, keys = 8 * len(self), list(self.grid)
        for done, (system, metric) in enumerate(keys[: max(_BYTES // 2 // max(size, 1), 1)]):
            if progress is not None:
                progress(done / len(keys))
            self.segment_scores(metric, system)

    def ask(self, name: str, options: Mapping[str, Any], progress: Progress | None = None) -> dict[str, Any]:
        """The answer to a question by its name."""
        if name not in self.ANSWERED:
            raise UnknownName.of("query", name, self.ANSWERED)
        for option in options:
            if option not in self.ANSWERED[name]:
                raise UnknownName.of(f"option of the query {name}", option, self.ANSWERED[name])
        given = {"start" if option == "from" else option: value for option, value in options.items()}
        if name in ("intervals", "deltas"):
            given["progress"] = progress
        try:
            answer: dict[str, Any] = getattr(self, name)(**given)
        except TypeError as error:
            if "argument" not in str(error):
                raise
            raise ParameterError(f"The query {name}: {str(error).partition(') ')[2] or error}.") from None
        return answer

    # Filters

    def has_searched(self, given: _Filter | None) -> bool:
        """Whether nothing has to be searched for a filter, for nothing is looked for or that was done."""
        chosen = _filter(given)
        return not _mapping(chosen.get("search"), "search").get("text") or self._filters.has(_spelled(chosen))

    def kept(self, given: _Filter | None) -> _Kept:
        """What a filter keeps."""
        chosen = _filter(given)
        return self._filters.of(_spelled(chosen), lambda: self._choose(chosen))

    def conditions(self, given: _Filter | None) -> tuple[str, ...] | None:
        """What ``--where`` says for a filter, if need be by the names of few segments; None where it cannot say it."""
        chosen = _filter(given)
        if not chosen.keys() - {"where"}:
            return tuple(chosen.get("where", ()))
        kept = self.kept(chosen)
        if not 0 < len(kept) <= _MOST_SAID:
            return None
        names = self.campaign.segments
        listed = [str(place) if names is None else names[place] for place in kept.places.tolist()]
        condition = f"segment={','.join(map(_pattern, listed))}"
        return (condition,) if np.array_equal(self.kept({"where": [condition]}).places, kept.places) else None

    def _choose(self, chosen: _Filter) -> _Kept:
        flags = np.ones(len(self), dtype=np.bool_)
        conditions, ranges = _list(chosen.get("where"), str, "where"), _list(chosen.get("ranges"), dict, "ranges")
        _check_work(conditions, ranges)
        for condition in conditions:
            flags &= self._fulfilled(condition)
        for one in ranges:
            flags &= self._within(one)
        if chosen.get("segments") is not None:
            flags &= self._named_segments(chosen["segments"])
        search = chosen.get("search")
        if search is not None:
            flags &= self._found(search, flags)
        places = np.flatnonzero(flags)
        return _Kept(places, len(places) == len(flags))

    def _fulfilled(self, condition: str) -> Flags:
        """Which segments a condition of ``--where`` holds for."""
        name, equals, value = condition.partition("=")
        if not equals or not name.rstrip("!"):
            raise ParameterError(f"--where {condition!r}: write NAME=VALUE or NAME!=VALUE.")
        column, patterns = name.removesuffix("!").strip(), [pattern.strip() for pattern in value.split(",")]
        fit = _fitting(patterns)
        if column in self.shown.labels:
            codes, values = self.shown.labels[column]
            fits = np.array([fit(text) for text in values], dtype=np.bool_)[codes]
        else:
            fits = np.array([fit(text) for text in self._text_column(column)], dtype=np.bool_)
        return ~fits if name.endswith("!") else fits

    def _text_column(self, name: str) -> Iterable[str]:
        """A column that is no label, by its name in conditions."""
        campaign = self.campaign
        known: dict[str, Iterable[str]] = {**self.shown.columns, **self._texts}
        if name == "segment":
            return campaign.segment_names()
        if name not in known:
            raise UnknownName.of("column to choose segments by", name, ["segment", *self.shown.labels, *known])
        return known[name]

    @cached_property
    def _texts(self) -> dict[str, Texts]:
        """The texts by name: source, ref.X, sys.X."""
        campaign = self.campaign
        source = {} if campaign.source is None else {"source": campaign.source}
        references = {f"ref.{name}": texts for name, texts in campaign.references.items()}
        systems = campaign.systems if campaign.has_texts else {}
        return source | references | {f"sys.{name}": texts for name, texts in systems.items()}

    def _within(self, given: Mapping[str, Any]) -> Flags:
        """Which segments have a value in a range, its ends included; a missing one is never inside."""
        values = self._values(given)
        least, most = (_number(given.get(end), end) for end in ("least", "most"))
        flags = ~np.isnan(values)
        flags &= True if least is None else values >= least
        flags &= True if most is None else values <= most
        return flags

    def _values(self, given: Mapping[str, Any]) -> Array:
        """The numbers that a range is about, of all segments."""
        of = given.get("of")
        if of == "length":
            return np.asarray(self.shown.lengths, dtype=np.float64)
        if of == "score":
            return self.segment_scores(self._metric(given.get("metric")), self._system(given.get("system")))
        if of == "delta":
            metric = self._metric(given.get("metric"))
            return self._less(metric, self._system(given.get("a")), self._system(given.get("b")))
        if of == "human":
            system, rater = given.get("system"), given.get("rater")
            of_system = None if system is None else self._system(system)
            return self.human(self._kind(given.get("kind")), of_system, None if rater is None else self._rater(rater))
        if of == "column":
            return self._numbers(_text(given.get("name"), "name"))
        raise ParameterError(f"A range is of length, score, delta, human or column, not {shown(of)}.")

    def _numbers(self, name: str) -> Array:
        """A column as numbers; NaN where it has something else."""
        if name in self.shown.labels:
            codes, values = self.shown.labels[name]
            return np.array([_as_number(text) for text in values])[codes]
        return self._scores.of(
            ("column", name), lambda: np.array([_as_number(text) for text in self._text_column(name)], dtype=np.float64)
        )

    def _named_segments(self, given: Any) -> Flags:
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[self._positions(given)] = True
        return flags

    def _positions(self, given: Any, most: int | None = None) -> Codes:
        """Segments by their positions."""
        listed = _list(given, int, "segments")
        if most is not None and len(listed) > most:
            raise ParameterError(f"{len(listed):,} segments at once, but at most {most:,} are given.")
        wrong = next((place for place in listed if not 0 <= place < len(self)), None)
        if wrong is not None:
            raise InputError(f"Segment {wrong} is not there: {self.campaign.name} has {len(self):,}, from 0 on.")
        return np.array(listed, dtype=np.int64)

    def _found(self, search: Any, among: Flags) -> Flags:
        """Which of some segments have a text that is searched for."""
        if not isinstance(search, Mapping):
            raise ParameterError(f"search is {shown(search)}, but it takes what is searched for, and where.")
        text, where = _text(search.get("text", ""), "search"), _text(search.get("in", "all"), "in")
        if not text:
            return among
        columns = self._searched(where)
        regex = bool(search.get("regex"))
        find = _finder(text, regex=regex, case=bool(search.get("case")))
        found = np.zeros(len(self), dtype=np.bool_)
        size, end = _SEARCHED_BY_EXPRESSION if regex else _SEARCHED, time.monotonic() + _SEARCHING
        pieces = [(column, start) for start in range(0, len(self), size) for column in columns]

        def look(piece: tuple[Texts | list[str], int]) -> tuple[int, Flags] | None:
            column, start = piece
            wanted = among[start : start + size]
            if time.monotonic() > end:
                what = f"Searching for {shown(text)} takes longer than {_SEARCHING:g} seconds."
                raise ParameterError(f"{what} Search for something simpler, or in one column.")
            return (start, find(column, start, start + len(wanted))) if wanted.any() else None

        for one in in_threads(look, pieces, 2):
            if one is not None:
                found[one[0] : one[0] + len(one[1])] |= one[1]
        _release()
        return found & among

    def _searched(self, where: str) -> list[Texts | list[str]]:
        """The columns in which is searched."""
        texts, columns = self._texts, {f"column.{name}": values for name, values in self.shown.columns.items()}
        known: dict[str, list[Any]] = {name: [one] for name, one in {**texts, **columns}.items()}
        known |= {f"column.{name}": [[values[code] for code in codes.tolist()]] for name, (codes, values) in
                  self.shown.labels.items() if where == f"column.{name}"}  # fmt: skip
        groups = {"source": "source", "references": "ref.", "systems": "sys."}
        known |= {name: [one for key, one in texts.items() if key.startswith(start)] for name, start in groups.items()}
        known["all"] = [*texts.values(), *columns.values()]
        if where not in known:
            raise UnknownName.of("texts to search in", where, known)
        return known[where]

    # Names

    def _metric(self, name: Any) -> str:
        if not isinstance(name, str) or name not in self.metrics:
            raise UnknownName.of("metric", str(name), self.metrics)
        return name

    def _system(self, name: Any) -> str:
        if not isinstance(name, str) or name not in self.systems:
            raise UnknownName.of("system", str(name), self.systems)
        return name

    def _kind(self, name: Any) -> str:
        kinds = () if self.shown.judgements is None else self.shown.judgements.kinds
        if not isinstance(name, str) or name not in kinds:
            raise UnknownName.of("kind of judgement", str(name), kinds)
        return name

    def _pick_systems(self, names: Any) -> list[str]:
        return self.systems if names is None else [self._system(name) for name in _distinct(names, "systems")]

    def _pick_metrics(self, names: Any) -> list[str]:
        return [*self.metrics] if names is None else [self._metric(name) for name in _distinct(names, "metrics")]

    # Scores

    def _fitted(self, key: _Key) -> Metric:
        metric: Metric = self.grid.about(key, "metric")
        return metric

    def _is_fitted(self, key: _Key) -> bool:
        """Whether draws change the metric itself, which was fitted to the references."""
        return self.grid.about(key, "fit") is not None

    def _needs_whole(self, key: _Key) -> bool:
        """Whether the rows of some segments are others than they are among all: shares of documents."""
        return self._fitted(key).average == "documents"

    def _some(self, key: _Key, kept: _Kept) -> Statistics:
        """The statistics of what is kept."""
        statistics = self.grid[key]
        if kept.everything:
            return statistics
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[kept.places] = True
        return statistics.only(flags)

    def _total(self, key: _Key, kept: _Kept) -> Array:
        """The sum of the rows that are kept."""

        def add() -> Array:
            if self._needs_whole(key):
                return np.asarray(self._some(key, kept).rows.sum(axis=0))
            return self.grid.packed[key].total(None if kept.everything else kept.places)

        total: Array = kept.made.of(("total", key), add) if len(kept) > _SEARCHED else add()
        return total

    def _score(self, key: _Key, rows: Array) -> Array:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self._fitted(key).score(rows), dtype=np.float64)

    def corpus_score(self, metric: str, system: str, kept: _Kept) -> float | None:
        """The score of what is kept; None where that has none."""
        key = (system, metric)
        if not len(kept) or key not in self.grid.packed:
            return None
        return finite_or_none(float(self._score(key, self._total(key, kept))))

    def segment_scores(self, metric: str, system: str) -> Array:
        """A score for each segment of the campaign; NaN where there is none."""
        key = (system, metric)
        if key not in self.grid.packed:
            return np.full(len(self), np.nan)

        def scores() -> Array:
            single, packed = self._fitted(key).for_segments(), self.grid.packed[key]
            with np.errstate(invalid="ignore", divide="ignore"):
                parts = [np.asarray(single.score(rows)) for rows in packed.blocks(np.arange(len(packed)))]
            whole = np.concatenate(parts) if parts else np.empty(0)
            # So that what is equal is equal, whoever computed it; scores of files are as they are written.
            return whole if single.sees_scores else np.round(whole, _ROUNDED)

        return self._scores.of(("scores", key), scores)

    def _less(self, metric: str, a: str, b: str) -> Array:
        return self._scores.of(
            ("less", metric, a, b), lambda: self.segment_scores(metric, a) - self.segment_scores(metric, b)
        )

    def scores(self, *, filter: Any = None, systems: Any = None, metrics: Any = None) -> dict[str, Any]:
        """The scores of systems, and what would be drawn."""
        kept = self.kept(filter)
        name, count = self._units_of(kept)
        where = self.conditions(filter)
        return {
            "n": len(kept), "unit": name, "units": count, "scores": self._scores_of(kept, systems, metrics),
            "where": None if where is None else list(where),
        }  # fmt: skip

    def _scores_of(self, kept: _Kept, systems: Any, metrics: Any) -> dict[str, dict[str, float | None]]:
        named = self._pick_systems(systems)
        return {
            metric: {system: self.corpus_score(metric, system, kept) for system in named}
            for metric in self._pick_metrics(metrics)
        }

    def groups(
        self,
        *,
        filter: Any = None,
        by: Any,
        systems: Any = None,
        metrics: Any = None,
        bins: Any = None,
    ) -> dict[str, Any]:
        """The scores of each document, domain, value of a column, or length."""
        kept = self.kept(filter)
        if by == "length":
            names, codes = self._lengths(bins)
        elif isinstance(by, str) and by in self.shown.labels:
            codes, values = self.shown.labels[by]
            names = [(value, {"where": [f"{by}={_pattern(value)}"]}) for value in values]
        else:
            raise UnknownName.of("label to group by", str(by), [*self.shown.labels, "length"])
        there, first, members, counts = np.unique(
            codes[kept.places], return_index=True, return_inverse=True, return_counts=True
        )
        members = members.reshape(-1)
        named = self._pick_systems(systems)
        scores = {
            metric: {system: self._of_groups((system, metric), kept, members, len(there)) for system in named}
            for metric in self._pick_metrics(metrics)
        }
        # By length as they rise, others as they first come.
        order = range(len(there)) if by == "length" else np.argsort(first).tolist()
        return {
            "groups": [
                {
                    "value": names[there[place]][0],
                    "n": int(counts[place]),
                    **names[there[place]][1],
                    "scores": {
                        metric: {system: finite_or_none(float(of[place])) for system, of in of_metric.items()}
                        for metric, of_metric in scores.items()
                    },
                }
                for place in order
            ]
        }

    def _of_groups(self, key: _Key, kept: _Kept, members: Codes, count: int) -> Array:
        """The score of each group of what is kept."""
        if key not in self.grid.packed or not count:
            return np.full(count, np.nan)
        if self._needs_whole(key) and self._documents is not None:
            # Of a document that lies in several groups each part is a document there.
            codes, _, named_ones = self._documents
            parts = members * (int(codes.max(initial=0)) + 1) + codes[kept.places]
            whole = self.grid.packed[key].rows(kept.places)
            rows = self._fitted(key).in_documents(whole, [*map(str, parts.tolist())], named_ones[kept.places])
            sums = sums_of_units(rows, members, count)
            # What names no document has no part of the mean.
            return np.where(sums[:, -1] > 0.0, self._score(key, sums), np.nan)
        return self._score(key, self.grid.packed[key].sums(members, count, None if kept.everything else kept.places))

    def _lengths(self, bins: Any) -> tuple[list[tuple[str, dict[str, Any]]], Codes]:
        """The groups by length, and the number of that of each segment."""
        uppers = list(_LENGTHS) if bins is None else _list(bins, int, "bins")
        if len(uppers) > _MOST_ROWS or uppers != sorted(set(uppers)) or not all(0 <= one < 2**53 for one in uppers):
            raise ParameterError(f"bins is {shown(uppers)}, but it takes rising whole numbers: upper ends.")
        names = [
            (
                f"{least}+ words" if upper is None else f"{least}–{upper} words",
                {"range": {"of": "length", "least": least, "most": upper}},
            )
            for least, upper in zip([0, *(upper + 1 for upper in uppers)], [*uppers, None], strict=True)
        ]
        return names, np.searchsorted(np.array(uppers, dtype=np.int64), self.shown.lengths)

    # Intervals

    @cached_property
    def _documents(self) -> tuple[Codes, NDArray[np.uint64], Flags] | None:
        """The number of the document of each segment, the keys of documents, and which segments name one."""
        names = self.campaign.documents
        if names is None:
            return None
        numbers: dict[str, int] = {}
        places = self.shown.places.tolist()
        there = [name not in NO_DOCUMENT for name in names]
        labels = (name if known else f"\n{place}" for name, known, place in zip(names, there, places, strict=True))
        codes = np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.int64)
        return codes, named([*numbers]), np.array(there, dtype=np.bool_)

    def _units_of(self, kept: _Kept) -> tuple[str, int]:
        """What is drawn of what is kept, and how many of them there are."""
        unit, documents = self.shown.asked.data.unit, self._documents
        if documents is None:
            if unit == "document":
                raise InputError(
                    "unit=document needs the document of each segment: docs.txt of a folder, one per line."
                )
            return "segment", len(kept)
        if unit == "segment" or not len(kept):
            return "segment" if unit is None else unit, len(kept)

        def count() -> tuple[int, int]:
            codes, _, there = documents
            chosen = codes[kept.places]
            return len(np.unique(chosen)), len(np.unique(chosen[there[kept.places]]))

        units, known = kept.made.of("documents", count)
        return ("document", units) if unit == "document" or 1 < known < len(kept) else ("segment", len(kept))

    def units(self, kept: _Kept) -> Units:
        """What is drawn of what is kept."""
        name, _ = self._units_of(kept)
        if name == "segment" or self._documents is None:
            return Units.segments(self.shown.places[kept.places].astype(np.uint64))
        codes, keys, _ = self._documents
        there, members = np.unique(codes[kept.places], return_inverse=True)
        return Units("document", keys[there], members.reshape(-1))

    def is_long(self, options: Mapping[str, Any]) -> bool:
        """Whether intervals under a filter take so long that nobody waits for them."""
        kept = self.kept(options.get("filter"))
        fitted = any(self._is_fitted(key) for key in self.grid)
        return self._units_of(kept)[1] * self.shown.samples > 20_000_000 or (fitted and len(kept) > 2_000)

    def intervals(
        self,
        *,
        filter: Any = None,
        of: Any,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """Intervals of scores, as ``assay score --where`` has them."""
        wanted = [self._named_score(one) for one in _list(of, list, "of")]
        kept = self.kept(filter)
        keys = list(dict.fromkeys(wanted))
        found = dict(zip(keys, self._intervals(kept, [(key,) for key in keys], progress), strict=True))
        return {"intervals": [[metric, system, *found[system, metric]] for system, metric in wanted]}

    def _named_score(self, one: Any) -> _Key:
        if not isinstance(one, (list, tuple)) or len(one) != 2:
            raise ParameterError(f"of has {shown(one)}, but it takes pairs of a metric and a system.")
        return self._system(one[1]), self._metric(one[0])

    def deltas(
        self,
        *,
        filter: Any = None,
        against: Any,
        metrics: Any = None,
        systems: Any = None,
        intervals: Any = False,
        progress: Progress | None = None,
    ) -> dict[str, Any]:
        """How far each system is above another, with intervals as ``assay compare --where`` has them."""
        kept, other = self.kept(filter), self._system(against)
        pairs = [
            ((system, metric), (other, metric))
            for metric in self._pick_metrics(metrics)
            for system in self._pick_systems(systems)
            if system != other
        ]
        ends = self._intervals(kept, pairs, progress) if intervals else [NO_INTERVAL] * len(pairs)
        return {
            "deltas": [
                [first[1], first[0], self._delta(kept, first, second), *span]
                for (first, second), span in zip(pairs, ends, strict=True)
            ]
        }

    def _delta(self, kept: _Kept, first: _Key, second: _Key) -> float | None:
        common = self._common(kept, (first, second))
        scores = [self.corpus_score(metric, system, common) for system, metric in (first, second)]
        return None if None in scores else finite_or_none(float(scores[0]) - float(scores[1]))  # type: ignore[arg-type]

    def _common(self, kept: _Kept, keys: Sequence[_Key]) -> _Kept:
        """What is kept and has a score under each of these."""
        lacking = np.zeros(len(kept), dtype=np.bool_)
        for key in keys:
            if key in self.grid.packed:
                missing = self._missing(key)
                if missing is not None:
                    lacking |= missing[kept.places]
        return kept if not lacking.any() else _Kept(kept.places[~lacking], everything=False)

    def _missing(self, key: _Key) -> Flags | None:
        """Which segments have no score; None where all have one."""

        def look() -> Array:
            metric, packed = self._fitted(key), self.grid.packed[key]
            parts = [metric.missing(rows) for rows in packed.blocks(np.arange(len(packed)))]
            return np.concatenate([np.empty(0), *parts])

        if type(self._fitted(key)).missing is Metric.missing:
            return None
        flags = self._scores.of(("missing", key), look)
        return np.asarray(flags, dtype=np.bool_)

    def _intervals(
        self, kept: _Kept, wanted: Sequence[tuple[_Key, ...]], progress: Progress | None = None
    ) -> list[Interval]:
        """The intervals of scores, or of differences of two, all from the same samples."""
        found: dict[int, Interval] = {}
        alike: dict[bytes, tuple[_Kept, list[int]]] = {}
        for number, keys in enumerate(wanted):
            if not len(kept) or any(key not in self.grid.packed for key in keys):
                found[number] = NO_INTERVAL
                continue
            common = self._common(kept, keys)
            same = b"" if common is kept else common.places.tobytes()
            alike.setdefault(same, (common, []))[1].append(number)
        for done, (common, numbers) in enumerate(alike.values()):
            share = _part_of(progress, done / len(alike), (done + 1) / len(alike))
            listed = self._of_same_segments(common, [wanted[number] for number in numbers], share)
            found |= dict(zip(numbers, listed, strict=True))
        return [found[number] for number in range(len(wanted))]

    def _of_same_segments(
        self, kept: _Kept, wanted: Sequence[tuple[_Key, ...]], progress: Progress | None
    ) -> list[Interval]:
        if not len(kept) or not self.shown.samples:
            return [NO_INTERVAL] * len(wanted)
        units = self.units(kept)
        keys = list(dict.fromkeys(key for keys in wanted for key in keys))
        failed = {key for key in keys if np.isnan(self._total(key, kept)).any()}
        # Draws are the same whoever asks, so that what some asked for is there for the others.
        with kept.drawing:
            lacking = [key for key in keys if key not in kept.drawn and key not in failed]
            kept.drawn.update(self._draw(kept, units, lacking, progress) if lacking else {})
        test = PairedTest(
            test="randomisation", correction="holm", alpha=0.05, units=units, interval="percentile",
            seed=self.shown.asked.seed, samples=self.shown.samples,
        )  # fmt: skip
        return [
            NO_INTERVAL if failed.intersection(keys) else test.interval_of(*(kept.drawn[key] for key in keys))
            for keys in wanted
        ]

    def _draw(self, kept: _Kept, units: Units, keys: Sequence[_Key], progress: Progress | None) -> dict[_Key, Sampled]:
        """What samples make of scores."""
        special = [key for key in keys if self._needs_whole(key) or self._is_fitted(key)]
        plain = [key for key in keys if key not in special]
        drawn: dict[_Key, Sampled] = {}
        if special:
            units_of_all = units.within(self._all_units(units.name))
            statistics = [self._some(key, kept) for key in special]
            with warnings.catch_warnings():
                # Where there is no interval, the page shows none.
                warnings.simplefilter("ignore", AssayWarning)
                tables = drawn_rows(statistics, units_of_all)
            rows = [units.sums(one.rows) for one in statistics]
            drawn |= self._sampled(special, rows, tables, units_of_all, _part_of(progress, 0.0, 0.5 if plain else 1.0))
        if plain:
            share = _part_of(progress, 0.5 if special else 0.0, 1.0)
            width = sum(len(self.grid.packed[key].columns) for key in plain)
            if units.members is None and len(units) * width > _LARGE:
                return drawn | self._drawn_by_piece(kept, units, plain, share)
            places = None if kept.everything else kept.places
            rows = [
                self.grid.packed[key].rows(slice(None) if places is None else places) if units.members is None
                else self.grid.packed[key].sums(units.codes.astype(np.int64), len(units), places)
                for key in plain
            ]  # fmt: skip
            drawn |= self._sampled(plain, rows, rows, units, share)
        return drawn

    def _all_units(self, name: str) -> Units:
        """The same units of all segments that metrics were fitted to."""
        whole = self.campaign.whole or self.campaign
        if name == "segment" or whole.documents is None:
            return Units.segments(len(whole))
        return Units.documents(
            [f"\n{place}" if label in NO_DOCUMENT else label for place, label in enumerate(whole.documents)]
        )

    def _sampled(
        self, keys: Sequence[_Key], rows: Sequence[Array], tables: Sequence[Array], units: Units,
        progress: Progress | None,
    ) -> dict[_Key, Sampled]:  # fmt: skip
        metrics = [self._fitted(key) for key in keys]
        jobs = [(metric.score, table) for metric, table in zip(metrics, tables, strict=True)]
        seed, samples = self.shown.asked.seed, self.shown.samples
        scores = resampled_scores(jobs, units, samples=samples, seed=seed, progress=progress)
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                key: _Drawn.of(Sampled(metric.score, (own,), (of_draws,), (table,), size=metric.sizes))
                for key, metric, own, of_draws, table in zip(keys, metrics, rows, scores, tables, strict=True)
            }

    def _drawn_by_piece(
        self, kept: _Kept, units: Units, keys: Sequence[_Key], progress: Progress | None
    ) -> dict[_Key, Sampled]:
        """The same of more segments than there is room for as numbers of eight bytes: sums of counts are exact."""
        packed = [self.grid.packed[key] for key in keys]
        ends = np.cumsum([len(one.columns) for one in packed])
        samples, seed = self.shown.samples, self.shown.asked.seed
        sums = np.zeros((samples, int(ends[-1])))
        for start in range(0, len(kept), _DRAWN):
            table = np.hstack([one.rows(kept.places[start : start + _DRAWN]) for one in packed])
            counts = bootstrap_counts(units.keys[start : start + _DRAWN], samples, seed)
            sums += weighted_sums([table], counts, samples)[0]
            if progress is not None:
                progress(min((start + _DRAWN) / len(kept), 1.0))
        drawn: dict[_Key, Sampled] = {}
        for key, part, one in zip(keys, np.split(sums, ends[:-1], axis=1), packed, strict=True):
            metric, total = self._fitted(key), self._total(key, kept)
            scores = np.asarray(metric.score(part))
            if metric.sizes(one.rows(kept.places[:1])) is None:
                left_out = np.concatenate([metric.score(total - rows) for rows in one.blocks(kept.places)])
                drawn[key] = _Drawn(
                    metric.score, (), (scores,), all_of_it=float(metric.score(total)), left_out=left_out
                )
            else:
                drawn[key] = _Drawn.of(Sampled(metric.score, (one.rows(kept.places),), (scores,), size=metric.sizes))
        return drawn

    # Segments

    def human(self, kind: str, system: str | None, rater: str | None = None) -> Array:
        """What people say of each segment of a system, or of all: the mean of all judgements, or of one rater's; NaN
        where there is none.
        """
        judgements = self.shown.judgements
        if judgements is None:
            return np.full(len(self), np.nan)

        def mean() -> Array:
            rows = judgements.kind.holds([kind]) & ~np.isnan(judgements.score)
            rows &= True if system is None else judgements.system.holds([system])
            rows &= True if rater is None else judgements.rater.holds([rater])
            places = judgements.segment[rows]
            counts = np.bincount(places, minlength=len(self))
            with np.errstate(invalid="ignore"):
                return np.asarray(np.bincount(places, judgements.score[rows], len(self)) / counts)

        return self._scores.of(("human", kind, system, rater), mean)

    def _rater(self, given: Any) -> str:
        """The name of somebody who judged."""
        name, judgements = _text(given, "rater"), self.shown.judgements
        known = () if judgements is None else judgements.rater.names
        if name not in known:
            raise UnknownName.of("rater", name, known)
        return name

    def _turned(self, metric: str, values: Array) -> Array:
        return values if self.metrics[metric].higher_is_better else -values

    def _sort_keys(self, sort: Mapping[str, Any], kept: _Kept) -> Array:
        """What segments are sorted by; NaN where there is nothing."""
        by, places = sort.get("by", "position"), kept.places
        if by == "position":
            return places.astype(np.float64)
        if by == "length":
            return np.asarray(self.shown.lengths[places], dtype=np.float64)
        a = self._system(sort.get("a", self.systems[0] if self.systems else None))
        if by == "human":
            return self.human(self._kind(sort.get("kind")), a)[places]
        metric = self._metric(sort.get("metric", next(iter(self.metrics), None)))
        if by == "score":
            return self.segment_scores(metric, a)[places]
        if by == "delta":
            return self._less(metric, a, self._system(sort.get("b")))[places]
        if by == "gap":
            people = ranks(self.human(self._kind(sort.get("kind")), a)[places])
            return people - ranks(self._turned(metric, self.segment_scores(metric, a)[places]))
        if by == "disagreement":
            b = sort.get("b")

            def rank(one: str) -> Array:
                scores = self.segment_scores(one, a) if b is None else self._less(one, a, self._system(b))
                return ranks(self._turned(one, scores[places]))

            first, second = in_threads(rank, [metric, self._metric(sort.get("other"))], 2)
            return np.abs(first - second)
        raise UnknownName.of("order of segments", str(by), _ORDERS)

    def segments(
        self,
        *,
        filter: Any = None,
        sort: Any = None,
        descending: Any = False,
        start: Any = 0,
        count: Any = 50,
        systems: Any = None,
        metrics: Any = None,
        kind: Any = None,
    ) -> dict[str, Any]:
        """Segments in an order, from one place up to another."""
        kept, chosen = self.kept(filter), _mapping(sort, "sort")
        first, most = _whole(start, "from", 0, 10**9), _whole(count, "count", 0, _MOST_ROWS)
        named, scored = self._pick_systems(systems), self._pick_metrics(metrics)

        def order() -> tuple[NDArray[np.int32], Array]:
            keys = self._sort_keys(chosen, kept)
            return ordered(keys, descending=bool(descending)).astype(np.int32), keys

        spelled = _spelled([chosen, bool(descending)])
        places, keys = self._orders.of((kept.number, spelled), order) if len(kept) > _SEARCHED else order()
        some = places[first : first + most]
        positions = kept.places[some]
        by_metric = {
            metric: {system: self.segment_scores(metric, system)[positions] for system in named} for metric in scored
        }
        people = {} if kind is None else {system: self.human(self._kind(kind), system)[positions] for system in named}
        names = self.campaign.segments
        rows = [
            {
                "segment": position,
                "name": str(position) if names is None else names[position],
                "labels": {name: values[codes[position]] for name, (codes, values) in self.shown.labels.items()},
                "scores": {
                    metric: {system: finite_or_none(float(scores[row])) for system, scores in of_metric.items()}
                    for metric, of_metric in by_metric.items()
                },
                "human": {system: finite_or_none(float(scores[row])) for system, scores in people.items()},
                "key": finite_or_none(float(keys[some[row]])),
            }
            for row, position in enumerate(positions.tolist())
        ]
        return {"n": len(kept), "rows": rows}

    def texts(self, *, segments: Any, columns: Any) -> dict[str, Any]:
        """Texts of some segments, by their columns."""
        positions = self._positions(segments, _MOST_TEXTS)
        return {name: self._column(name, positions) for name in _distinct(columns, "columns")}

    def _column(self, name: str, positions: Codes) -> list[str | None]:
        """The texts of one column; None where a segment has none."""
        column = name.removeprefix("column.")
        if name == "segment":
            names = self.campaign.segments
            return [str(place) if names is None else names[place] for place in positions.tolist()]
        if name.startswith("column.") and column in self.shown.labels:
            codes, values = self.shown.labels[column]
            return [values[code] for code in codes[positions].tolist()]
        if name.startswith("column.") and column in self.shown.columns:
            return [self.shown.columns[column][place] for place in positions.tolist()]
        if name not in self._texts:
            raise UnknownName.of("column", name, [*self._texts, *(f"column.{one}" for one in self.shown.columns)])
        texts = self._texts[name]
        there = self.campaign.present.get(name.removeprefix("ref.")) if name.startswith("ref.") else None
        return [texts[place] if there is None or there[place] else None for place in positions.tolist()]

    def segment(self, *, segment: Any) -> dict[str, Any]:
        """All about one segment."""
        (place,) = positions = self._positions([segment])
        place = int(place)
        labels = {name: values[codes[place]] for name, (codes, values) in self.shown.labels.items()}
        texts = {name: self._column(name, positions)[0] for name in self._texts}
        names, rows = self.campaign.segments, dict[str, dict[str, list[float | None]]]()
        for (system, metric), packed in self.grid.packed.items():
            rows.setdefault(metric, {})[system] = [finite_or_none(one) for one in packed.rows(positions)[0].tolist()]
        return {
            "segment": place,
            "name": str(place) if names is None else names[place],
            "labels": labels,
            "source": texts.get("source"),
            "references": {name[4:]: text for name, text in texts.items() if name.startswith("ref.")},
            "systems": {name[4:]: text for name, text in texts.items() if name.startswith("sys.")},
            "columns": {name: values[place] for name, values in self.shown.columns.items()},
            "scores": {
                metric: {
                    system: finite_or_none(float(self.segment_scores(metric, system)[place])) for system in self.systems
                }
                for metric in self.metrics
            },
            "rows": rows,
            "judgements": list(self._judged(place)),
            "document": self._document(place),
        }

    def _judged(self, place: int) -> Iterator[dict[str, Any]]:
        judgements = self.shown.judgements
        for one in judgements.only(judgements.segment == place) if judgements is not None else ():
            yield {
                "system": one.system,
                "rater": one.rater,
                "kind": one.kind,
                "score": finite_or_none(one.score),
                "spans": [
                    [span.start, span.end, span.severity, span.category, span.in_source] for span in one.spans or ()
                ],
            }

    def _document(self, place: int) -> dict[str, Any] | None:
        names = self.campaign.documents
        if names is None or names[place] in NO_DOCUMENT or self._documents is None:
            return None
        codes = self._documents[0]
        members = np.flatnonzero(codes == codes[place]).tolist()
        return {"name": names[place], "segments": members, "place": members.index(place)}

    # Words

    def ngrams(
        self,
        *,
        filter: Any = None,
        a: Any,
        b: Any,
        reference: Any = None,
        most: Any = 4,
        limit: Any = 30,
    ) -> dict[str, Any]:
        """What of the references one system has more often than another."""
        kept, systems = self.kept(filter), [self._system(a), self._system(b)]
        longest, listed = _whole(most, "most", 1, 8), _whole(limit, "limit", 1, 1_000)
        campaign = self.campaign
        if reference is not None and (not isinstance(reference, str) or reference not in campaign.references):
            raise UnknownName.of("reference", str(reference), campaign.references)
        references = [*campaign.references] if reference is None else [reference]
        looked = kept.places[:_MOST_LOOKED]
        names = [*(f"ref.{name}" for name in references), *(f"sys.{name}" for name in systems)]
        if not references or not campaign.has_texts:
            return {"over": len(kept), "looked": 0, "a": [], "b": []}
        words: dict[str, int] = {}
        columns = [self._tokens(name, looked, words) for name in names]
        spelled, sides = [*words], dict[int, list[dict[str, Any]]]()
        for grams in _orders(columns, len(looked), longest, len(words)):
            for sign in (1, -1):
                sides.setdefault(sign, []).extend(
                    {"ngram": " ".join(spelled[word] for word in one), "order": grams.order, "a": one_a, "b": one_b,
                     "segments": looked[segments[:_MOST_NAMED]].tolist()}
                    for one, one_a, one_b, segments in grams.won(sign, listed)
                )  # fmt: skip
        for sign, side in sides.items():
            side.sort(key=lambda row: (-abs(row["a"] - row["b"]), -row["order"], row["ngram"]))
            sides[sign] = side[:listed]
        return {"over": len(kept), "looked": len(looked), "a": sides.get(1, []), "b": sides.get(-1, [])}

    def _tokens(self, column: str, places: Codes, words: dict[str, int]) -> tuple[Codes, Codes]:
        """The words of a column as numbers, one segment behind the other, and the segment of each."""
        tokens: list[int] = []
        counts = []
        for text in self._column(column, places):
            before = len(tokens)
            tokens += [words.setdefault(word, len(words)) for word in _TOKENS.findall(text or "")]
            counts.append(len(tokens) - before)
        return np.array(tokens, dtype=np.int32), np.repeat(np.arange(len(counts), dtype=np.int32), counts)

    # Points

    def points(
        self,
        *,
        filter: Any = None,
        level: Any = "segment",
        x: Any,
        y: Any,
        systems: Any = None,
        most: Any = 5000,
    ) -> dict[str, Any]:
        """Two metrics, or a metric and people, of systems or segments, and how far they go together."""
        kept, named = self.kept(filter), self._pick_systems(systems)
        limit = _whole(most, "most", 0, _MOST_POINTS)
        numbers = np.array([self.systems.index(system) for system in named], dtype=np.int64)
        if level == "system":
            table = np.array([self._of_systems(one, other, named, kept) for one, other in ((x, y), (y, x))])
            segments, of = np.full(len(named), -1), numbers
        elif level == "segment":
            sides = [
                [self._of_segments(one, system)[kept.places] for system in named] or [np.empty(0)] for one in (x, y)
            ]
            table = np.array([np.concatenate(side) for side in sides])
            segments, of = np.tile(kept.places, len(named)), np.repeat(numbers, len(kept))
        else:
            raise ParameterError(f"level is {shown(level)}, but it takes system or segment.")
        there = np.isfinite(table).all(axis=0) if table.size else np.zeros(len(of), dtype=np.bool_)
        table, segments, of = table[:, there], segments[there], of[there]
        together = [finite_or_none(float(measure(*table))) if len(of) else None for measure in (pearson, kendall_b)]
        shown_ones = _first_by_hash(segments, of, limit)
        listed = zip(
            *table[:, shown_ones].tolist(), of[shown_ones].tolist(), segments[shown_ones].tolist(), strict=True
        )
        return {"n": len(of), "pearson": together[0], "kendall": together[1], "points": [list(one) for one in listed]}

    def _of_segments(self, given: Any, system: str) -> Array:
        side = _mapping(given, "x and y")
        if "kind" in side:
            return self.human(self._kind(side["kind"]), system)
        return self.segment_scores(self._metric(side.get("metric")), system)

    def _of_systems(self, given: Any, beside: Any, systems: Sequence[str], kept: _Kept) -> Array:
        """Scores of systems as ``meta`` has them: people's are adjusted for the segments that a system lacks, and
        beside people metrics score the segments that were judged.
        """
        side, other = _mapping(given, "x and y"), _mapping(beside, "x and y")
        if not len(kept):
            return np.full(len(systems), math.nan)
        if "kind" in side:
            means: Array = adjusted_means(self._cells(side, systems, kept), np.ones((1, len(kept))))[0]
            return means
        if "kind" in other:
            judged = np.isfinite(self._cells(other, systems, kept)).any(axis=0)
            kept = kept if judged.all() else _Kept(kept.places[judged], everything=False)
        metric = self._metric(side.get("metric"))
        scores = [self.corpus_score(metric, system, kept) for system in systems]
        return np.array([math.nan if score is None else score for score in scores])

    def _cells(self, side: Mapping[str, Any], systems: Sequence[str], kept: _Kept) -> Array:
        """What people say of systems by segments that are kept."""
        values = [self.human(self._kind(side["kind"]), system)[kept.places] for system in systems]
        return np.array(values).reshape(len(systems), len(kept))

    def distribution(
        self,
        *,
        filter: Any = None,
        metric: Any,
        a: Any,
        b: Any = None,
        bins: Any = 40,
    ) -> dict[str, Any]:
        """How the scores of segments are spread, or their differences."""
        kept, count = self.kept(filter), _whole(bins, "bins", 1, 1_000)
        name, first = self._metric(metric), self._system(a)
        values = self.segment_scores(name, first) if b is None else self._less(name, first, self._system(b))
        values = values[kept.places]
        values = values[np.isfinite(values)]
        if not len(values):
            return {"edges": [], "counts": [], "n": 0, "mean": None}
        least, most = float(values.min()), float(values.max())
        if least == most:
            least, most = least - 0.5, most + 0.5
        places = np.minimum(((values - least) / (most - least) * count).astype(np.int64), count - 1)
        return {
            "edges": [least + (most - least) * place / count for place in range(count + 1)],
            "counts": np.bincount(places, minlength=count).tolist(),
            "n": len(values),
            "mean": float(values.mean()),
        }

    # People

    def raters(self, *, filter: Any = None, kind: Any) -> dict[str, Any]:
        """What each rater gives, and how far that is from what others give the same translations."""
        kept, name = self.kept(filter), self._kind(kind)
        judgements = self.shown.judgements
        if judgements is None:
            return {"raters": []}
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[kept.places] = True
        rows = judgements.kind.holds([name]) & flags[judgements.segment] & ~np.isnan(judgements.score)
        rows &= judgements.rater.codes >= 0
        rater, score = judgements.rater.codes[rows], judgements.score[rows]
        items = judgements.system.codes[rows] * len(self) + judgements.segment[rows]
        _, item = np.unique(items, return_inverse=True)
        means = np.bincount(item, score) / np.maximum(np.bincount(item), 1)
        pairs = np.unique(np.stack([item, rater]), axis=1)
        several = np.bincount(pairs[0], minlength=len(means)) >= 2
        severity = np.where(several[item], score - means[item], np.nan)
        listed = []
        for code, rater_name in enumerate(judgements.rater.names):
            own = rater == code
            if own.any():
                given, apart = score[own], severity[own]
                ends = [part * len(given) // 10 for part in range(11)]
                listed.append(
                    {
                        "rater": rater_name,
                        "n": len(given),
                        "mean": float(given.mean()),
                        "sd": float(given.std(ddof=1)) if len(given) > 1 else None,
                        "severity": _mean(apart),
                        "drift": [_mean(apart[start:stop]) for start, stop in pairwise(ends)],
                    }
                )
        return {"raters": listed}


@dataclass(frozen=True, eq=False)
class _Drawn(Sampled):
    """What samples made of a score, without the rows that it came from."""

    all_of_it: float = math.nan
    left_out: Array = field(default_factory=lambda: np.empty(0), repr=False)
    shares: tuple[Array, Array] | None = field(default=None, repr=False)
    is_blind: bool = False

    @classmethod
    def of(cls, sampled: Sampled) -> _Drawn:
        """The same of what has its rows."""
        return cls(
            sampled.score, (), sampled.scores, all_of_it=sampled.value, left_out=sampled.jackknife,
            shares=sampled.summands, is_blind=sampled.blind,
        )  # fmt: skip

    @property
    def value(self) -> float:
        return self.all_of_it

    @property
    def jackknife(self) -> Array:
        return self.left_out

    @property
    def summands(self) -> tuple[Array, Array] | None:
        return self.shares

    @property
    def blind(self) -> bool:
        return self.is_blind


@dataclass(frozen=True, eq=False)
class _Ngrams:
    """N-grams of one order that references have: how often each of two systems has them, segment by segment."""

    order: int
    #: The words of each n-gram.
    words: Codes
    #: Cells: an n-gram and a segment; and how often either system has it there, as often as a reference at most.
    gram: Codes
    segment: Codes
    counts: tuple[Codes, Codes]

    def won(self, sign: int, most: int) -> Iterator[tuple[list[int], int, int, Codes]]:
        """Those that the first system has more often (``sign`` 1), or the second, those that differ most first."""
        totals = [np.bincount(self.gram, column, len(self.words)).astype(np.int64) for column in self.counts]
        apart = sign * (totals[0] - totals[1])
        ahead = apart[apart > 0]
        # With all that are as far apart as the last one: how they are spelled decides among these.
        least = int(np.partition(ahead, len(ahead) - most)[len(ahead) - most]) if len(ahead) > most else 1
        for one in np.flatnonzero(apart >= least).tolist():
            cells = np.flatnonzero(self.gram == one) if len(ahead) < most else self._cells(one)
            here = cells[sign * (self.counts[0][cells] - self.counts[1][cells]) > 0]
            yield self.words[one].tolist(), int(totals[0][one]), int(totals[1][one]), np.sort(self.segment[here])

    @cached_property
    def _by_gram(self) -> tuple[Codes, Codes]:
        order = np.argsort(self.gram, kind="stable")
        return order, self.gram[order]

    def _cells(self, one: int) -> Codes:
        order, grams = self._by_gram
        return order[np.searchsorted(grams, one) : np.searchsorted(grams, one, side="right")]


def _orders(columns: Sequence[tuple[Codes, Codes]], segments: int, longest: int, words: int) -> Iterator[_Ngrams]:
    """The n-grams of every order; the last two columns are systems, those before them references."""
    stream = np.concatenate([tokens for tokens, _ in columns])
    owner = np.concatenate([number * segments + of.astype(np.int64) for number, (_, of) in enumerate(columns)])
    starts, ids = np.arange(len(stream)), stream.astype(np.int64)
    for order in range(1, longest + 1):
        if order > 1:
            inside = starts + order <= len(stream)
            inside[inside] = owner[starts[inside] + order - 1] == owner[starts[inside]]
            starts, ids = starts[inside], ids[inside] * words + stream[starts[inside] + order - 1]
        distinct, first, ids = np.unique(ids, return_index=True, return_inverse=True)
        ids, count = ids.reshape(-1), max(len(distinct), 1)
        cells, times = np.unique(owner[starts] * count + ids, return_counts=True)
        column, cells = np.divmod(cells, segments * count)
        of_references = column < len(columns) - 2
        keys, place = np.unique(cells[of_references], return_inverse=True)
        most = np.zeros(len(keys), dtype=np.int64)
        np.maximum.at(most, place.reshape(-1), times[of_references])
        sides = []
        for number in (len(columns) - 2, len(columns) - 1):
            own, side = column == number, np.zeros(len(keys), dtype=np.int64)
            known = np.isin(cells[own], keys, assume_unique=True)
            places = np.searchsorted(keys, cells[own][known])
            side[places] = np.minimum(times[own][known], most[places])
            sides.append(side)
        spelled = stream[starts[first][:, None] + np.arange(order)]
        yield _Ngrams(order, spelled, keys % count, keys // count, (sides[0], sides[1]))


def ranks(values: Array) -> Array:
    """Percentile ranks from 0 to 1, the mean rank of those that are alike; NaN stays.

    >>> ranks(np.array([3.0, 1.0, np.nan, 3.0, 5.0])).round(3).tolist()
    [0.5, 0.0, nan, 0.5, 1.0]
    """
    found = np.full(len(values), np.nan)
    there = np.flatnonzero(~np.isnan(values))
    if len(there) < 2:
        found[there] = 0.5
        return found
    order = there[np.argsort(values[there])]
    rising = values[order]
    starts = np.flatnonzero(np.concatenate([[True], rising[1:] != rising[:-1]]))
    sizes = np.diff(np.append(starts, len(rising)))
    found[order] = np.repeat(starts + (sizes - 1) / 2.0, sizes) / (len(rising) - 1)
    return found


def ordered(keys: Array, *, descending: bool = False) -> Codes:
    """The places of values in order; those that are alike as they come, missing ones last.

    >>> values = np.array([2.0, np.nan, 1.0, 2.0])
    >>> ordered(values).tolist(), ordered(values, descending=True).tolist()
    ([2, 0, 3, 1], [0, 3, 2, 1])
    """
    values = -keys if descending else keys
    if not len(values):
        return np.empty(0, dtype=np.int64)
    # Quick sorting is not stable, and stable sorting of as many is six times slower than sorting twice.
    order = np.argsort(values)
    rising = values[order]
    same = (rising[1:] == rising[:-1]) | (np.isnan(rising[1:]) & np.isnan(rising[:-1]))
    runs = np.concatenate([[0], np.cumsum(~same)])
    both = np.sort(runs * len(values) + order)
    return np.asarray(both % len(values), dtype=np.int64)


def _first_by_hash(segments: Codes, systems: Codes, most: int) -> Codes:
    """At most so many points, always the same ones: those with the smallest hashes, as they stand."""
    if len(segments) <= most:
        return np.arange(len(segments))
    mixed = ((segments + 1) * 2654435761 & 0xFFFFFFFF) ^ ((systems + 1) * 2246822519 & 0xFFFFFFFF)
    chosen = np.lexsort((segments, systems, mixed))[:most]
    return np.sort(chosen)


def _finder(text: str, *, regex: bool, case: bool) -> Callable[[Texts | list[str], int, int], Flags]:
    """What tells which texts of a piece of a column match; by RE2, which takes no longer than texts are long."""
    try:
        import pyarrow
        from pyarrow import compute
    except ImportError as error:
        raise MissingExtra.of("Searching", "explore") from error
    match = compute.match_substring_regex if regex else compute.match_substring
    if len(text) > 1_000:
        raise ParameterError(f"What is searched for has {len(text):,} characters, and 1,000 are enough.")

    def find(column: Texts | list[str], start: int, stop: int) -> Flags:
        texts, step = _arrow(pyarrow, column, start, stop)
        found = match(texts, text, ignore_case=not case)
        return np.asarray(found.to_numpy(zero_copy_only=False)[::step], dtype=np.bool_)

    try:
        find([""], 0, 1)
    except (pyarrow.ArrowInvalid, UnicodeError) as error:
        what = str(error).partition("\n")[0].removeprefix("Invalid regular expression: ")
        raise ParameterError(f"{shown(text)} is no regular expression that can be searched for: {what}.") from None
    return find


def _arrow(pyarrow: Any, column: Texts | list[str], start: int, stop: int) -> tuple[Any, int]:
    """A piece of a column as an Arrow array whose every text, or every second one, is of the column.

    The bytes of texts that follow each other are not copied: what stands between two of them is a text, too.
    """
    if not isinstance(column, Texts):
        return pyarrow.array([_sound(text) for text in column[start:stop]], pyarrow.large_string()), 1
    piece = column.slice(start, stop)
    starts, ends = piece.starts, piece.ends
    if not len(starts) or (starts[1:] < ends[:-1]).any():
        return pyarrow.array([*piece], pyarrow.large_string()), 1
    offsets = np.empty(2 * len(starts), dtype=np.int64)
    offsets[::2], offsets[1::2] = starts, ends
    buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(piece.buffer)]
    return pyarrow.Array.from_buffers(pyarrow.large_string(), len(offsets) - 1, buffers), 2


def _release() -> None:
    """Give back the memory that searching took: the next search may be long in coming."""
    import pyarrow

    pyarrow.default_memory_pool().release_unused()


def _sound(text: str) -> str:
    """A text without halves of characters, which Arrow does not take."""
    return text.encode("utf-8", "replace").decode()


#: By what segments can be sorted.
_ORDERS = ("position", "length", "score", "delta", "disagreement", "human", "gap")


def _part_of(progress: Progress | None, start: float, stop: float) -> Progress | None:
    """A progress that fills a part of another."""
    return None if progress is None else lambda share: progress(start + (stop - start) * share)


def _mean(values: Array) -> float | None:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else None


def _check_work(conditions: Sequence[str], ranges: Sequence[Any]) -> None:
    """Refuse filters that nobody makes by hand, and that would take long."""
    open_ones = sum(_OPEN.search(pattern) is not None for one in conditions for pattern in one.split(","))
    for there, most, what in (
        (len(conditions), _MOST_CONDITIONS, "conditions"),
        (len(ranges), _MOST_CONDITIONS, "ranges"),
        (sum(one.count(",") + 1 for one in conditions), _MOST_PATTERNS, "values in conditions"),
        (sum(map(len, conditions)), _LONGEST, "characters in conditions"),
        (open_ones, _MOST_OPEN, "patterns in conditions"),
    ):
        if there > most:
            raise ParameterError(f"A filter has {there:,} {what}, and {most:,} are enough.")


def _fitting(patterns: Iterable[str]) -> Callable[[str], bool]:
    """What says whether a text is one of these, or fits one that is open."""
    exact = frozenset(patterns)
    open_ones = [pattern for pattern in exact if _OPEN.search(pattern)]
    return lambda text: text in exact or any(fnmatchcase(text, pattern) for pattern in open_ones)


#: What makes a pattern of a text.
_OPEN = re.compile(r"[*?\[]")


def _pattern(value: str) -> str:
    """A condition's pattern that a value fits; commas, and blanks at its ends, are left open."""
    escaped = re.sub(r"[*?\[]", r"[\g<0>]", value).replace(",", "?")
    ends = len(escaped) - len(escaped.lstrip()), len(escaped.rstrip())
    return "?" * len(escaped) if ends[0] == len(escaped) else (
        "?" * ends[0] + escaped[ends[0] : ends[1]] + "?" * (len(escaped) - ends[1])
    )  # fmt: skip


def _as_number(text: str) -> float:
    """A text as a number; NaN if it is none."""
    if not _NUMBER.fullmatch(text.strip()):
        return math.nan
    number = float(text)
    return number if math.isfinite(number) else math.nan


_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def _filter(given: Any) -> _Filter:
    chosen = _mapping(given, "filter")
    for name in chosen:
        if name not in _PARTS:
            raise UnknownName.of("part of a filter", str(name), _PARTS)
    return {name: value for name, value in chosen.items() if value not in (None, []) or name == "segments"}


def _spelled(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _mapping(given: Any, name: str) -> Mapping[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"{name} is {shown(given)}, but it takes an object.")
    return given or {}


def _list(given: Any, kind: type[Any], name: str) -> list[Any]:
    listed = [] if given is None else given
    if not isinstance(listed, (list, tuple)) or not all(type(one) is kind for one in listed):
        raise ParameterError(f"{name} is {shown(given)}, but it takes a list of {_KINDS[kind]}.")
    return list(listed)


def _distinct(given: Any, name: str) -> list[str]:
    """Names, each once: who says one a million times gets it once."""
    return list(dict.fromkeys(_list(given, str, name)))


_KINDS = {str: "texts", int: "whole numbers", dict: "objects", list: "lists"}


def _text(given: Any, name: str) -> str:
    if not isinstance(given, str):
        raise ParameterError(f"{name} is {shown(given)}, but it takes a text.")
    return given


def _number(given: Any, name: str) -> float | None:
    if given is None:
        return None
    if not isinstance(given, (int, float)) or isinstance(given, bool) or not math.isfinite(given):
        raise ParameterError(f"{name} is {shown(given)}, but it takes a number.")
    return float(given)


def _whole(given: Any, name: str, least: int, most: int) -> int:
    if type(given) is not int or not least <= given <= max(most, least):
        raise ParameterError(f"{name} is {shown(given)}, but it takes a whole number from {least} to {most:,}.")
    return given
