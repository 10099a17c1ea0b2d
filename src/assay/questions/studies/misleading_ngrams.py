"""Which n-grams pull a metric away from the judges? After Turian et al. (2003), section 4: "of the" and the like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.campaign import Campaign
from assay.data.corpus import Corpus
from assay.errors import InputError, counted
from assay.metrics.base import Metric
from assay.metrics.gtm import Gtm
from assay.metrics.ngrams import NgramRows
from assay.metrics.pictures import Words
from assay.metrics.unigrams import WordMatches
from assay.people.levels import FEWEST_SYSTEMS
from assay.questions.asked import Asked
from assay.questions.base import SCORED, metrics_option, option
from assay.questions.studies.base import different, those, warn, watched
from assay.questions.studies.judged import JudgedStudy
from assay.results import charts
from assay.results.charts import COLORS, Axis
from assay.results.figure import Figure
from assay.results.result import Column, Result, Table
from assay.significance.draws import FEWEST_UNITS, number_or_none, summed_interval
from assay.significance.tests import adjust
from assay.text.recipe import Recipe

#: Scores that differ by less, as a share of their size, are the same.
_ROUNDING = 1e-9
#: Means of segments and of systems are taken off in turn, so often at most.
_TURNS = 200
#: Words before and behind an n-gram in an example.
_AROUND = 4
#: N-grams that a sentence names.
_NAMED = 6
#: N-grams that have examples where none is sure.
_NEAREST = 3
_ABOVE, _BELOW = "above people", "below people"

#: How n-grams that are sure and others are drawn.
_LOOKS = {"sure": (COLORS[1], "circle"), "may be chance": (charts.MUTED, "diamond")}

#: How often each n-gram matches in each cell, a cell being a translation: cells in rising order, and counts.
_Matches = Mapping[Words, tuple[Codes, Array]]


@dataclass(frozen=True, kw_only=True)
class MisleadingNgrams(JudgedStudy):
    """Whether people think less, or more, of translations that match an n-gram than the metric's score lets expect."""

    name = "misleading-ngrams"
    question = "Which n-grams pull a metric away from the judges?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 1, "references": 1, SCORED: 3}
    source = 'Turian, Shen & Melamed (2003), section 4: common n-grams such as "of the"'
    columns = (
        Column("metric"), Column("ngram", "n-gram"), Column("direction", "pulls it"),
        Column("pull", "SDs per match", "+.3f", low="low", high="high"), Column("matches", "matches", ",d"),
        Column("segments", "segments", ",d"), Column("p", "p", "p"), Column("q", "q", "p"),
        Column("found", "sure", "yes|no"), Column("also", "as often as"),
    )  # fmt: skip
    further: ClassVar[Mapping[str, tuple[Column, ...]]] = {
        "examples": (
            Column("ngram", "n-gram"), Column("system"), Column("segment"), Column("metric_z", "metric", "+.2f"),
            Column("people_z", "people", "+.2f"), Column("text"),
        )
    }  # fmt: skip

    metrics: tuple[Metric, ...] = metrics_option(
        ("bleu",), "Metrics that count n-grams of words: bleu, modbleu, nist, gtm, precision, recall, f1, fmean, per."
    )
    least: int = option(
        20, "Segments in which systems differ in an n-gram's matches, for it to be tested.", metavar="N", least=2
    )
    most: int = option(20, "N-grams that are shown, those that stand out most; --table ngrams has all.", least=1)
    examples: int = option(2, "Translations that are shown of each.", metavar="N", least=0)
    rate: float = option(0.05, "The false discovery rate.", metavar="SHARE", least=0.0001, most=0.5)

    def answer(self, asked: Asked) -> Result:
        judged = self.judged(asked)
        human, units = judged.ratings().grid, judged.units
        orders = {metric: order for metric in self.metrics if (order := _ngram_order(metric)) is not None}
        left = [asked.name_of(metric) for metric in self.metrics if metric not in orders]
        if not orders:
            raise InputError(
                f"{self.name} looks at metrics that count n-grams of words, and {', '.join(left)} "
                f"{'does' if len(left) == 1 else 'do'} not. Take bleu, modbleu, nist, gtm, precision, recall, f1, "
                "fmean or per."
            )
        if left:
            warn(f"Left out of {self.name}, for they do not count n-grams of words: {', '.join(left)}.")
        if len(units) < FEWEST_UNITS:
            raise InputError(
                f"{self.name} tests whether what it sees holds for other {units.name}s. That takes {FEWEST_UNITS}, and "
                f"{judged.campaign.name} has {counted(len(units), units.name)}."
            )
        sources = judged.sources([*orders])
        tables: dict[str, Table] = {"table": [], "examples": [], "ngrams": []}
        said, untested = list[str](), list[str]()
        read = _Reader(judged.campaign, judged.people.systems)
        for metric, source in zip(watched([*orders], asked, 0.4), sources, strict=True):
            compared = Compared.of(source.grid, human)
            if not compared.cells.any():
                untested.append(
                    f"{source.name}: no segment has {FEWEST_SYSTEMS} systems that both people and metric tell apart."
                )
                continue
            matches = read.matches(metric.recipe, orders[metric], compared.cells)
            rows = _tested(matches, compared, units.codes, self.least)
            if not rows:
                untested.append(
                    f"{source.name}: no n-gram's matches differ between systems in {self.least:,} segments and "
                    f"{FEWEST_UNITS} {units.name}s. A smaller --least tests rarer ones."
                )
                continue
            for row, q in zip(rows, adjust([row["p"] for row in rows], "benjamini-hochberg"), strict=True):
                row |= {"metric": source.name, "q": q, "found": q <= self.rate}
            rows.sort(key=lambda row: (row["p"], row["ngram"]))
            tables["ngrams"] += rows
            shown = rows[: self.most]
            tables["table"] += shown
            # Where none is sure, those that come nearest show at least what was looked at.
            for row in [row for row in shown if row["found"]] or shown[:_NEAREST]:
                tables["examples"] += self._examples(row, matches, compared, read, metric)
            said += self._findings(source.name, rows, compared, units.name, orders[metric])
        if not tables["ngrams"]:
            raise InputError(f"{self.name} has no n-gram to test. {' '.join(untested)}")
        for row in (row for table in ("ngrams", "examples") for row in tables[table]):
            row.pop("words", None)
        said += [*untested, judged.drawn()]
        hidden = () if any(row["also"] for row in tables["table"]) else ("also",)
        return self.result(
            asked, tables, said, [*orders], usage=[judged.used("segment")], kind=judged.people.name, hidden=hidden,
            notes={"table": _about(self.rate)},
        )  # fmt: skip

    def _examples(
        self, row: Mapping[str, Any], matches: _Matches, compared: Compared, read: _Reader, metric: Metric
    ) -> Iterator[dict[str, Any]]:
        """The translations with the n-gram in which metric and people are furthest apart, the way that it pulls."""
        cells, _ = matches[row["words"]]
        sign = 1.0 if row["pull"] > 0 else -1.0
        apart = sign * (compared.metric.flat[cells] - compared.human.flat[cells])
        for place in np.lexsort((cells, -apart))[: self.examples].tolist():
            system, segment = divmod(int(cells[place]), compared.human.shape[1])
            yield {
                "metric": row["metric"], "ngram": row["ngram"], "system": read.systems[system],
                "segment": read.segments[segment], "metric_z": float(compared.metric[system, segment]),
                "people_z": float(compared.human[system, segment]),
                "text": _excerpt(read.words(metric.recipe, system, segment), row["words"]),
            }  # fmt: skip

    def _findings(self, name: str, rows: Table, compared: Compared, unit: str, order: int) -> Iterator[str]:
        lengths = "single words" if order == 1 else f"n-grams of 1 to {order} words"
        yield (
            f"{name} and people have a correlation of {compared.correlation:.2f} within segments and systems, over "
            f"{counted(int(compared.cells.sum()), 'translation')} of {compared.segments:,} segments. Tested is what "
            "people say beyond what the metric's score tells."
        )
        tested = (
            f"{name}: {counted(len(rows), 'test')} of {lengths} whose matches differ between systems in "
            f"{self.least:,} segments and {FEWEST_UNITS} {unit}s or more."
        )
        found = [row for row in rows if row["found"]]
        chance, looking = 0.05 * len(rows), sum(row["p"] <= 0.05 for row in rows)
        yield (
            f"{tested} {looking:,} have p ≤ 0.05, where {chance:.1f} would by chance alone if no n-gram misled; "
            + (
                f"{len(found):,} stand{'s' if len(found) == 1 else ''} out at a false discovery rate of "
                f"{100 * self.rate:g} %: of such findings about 1 in {1 / self.rate:.0f} is chance."
                if found
                else f"none stands out at a false discovery rate of {100 * self.rate:g} %."
            )
        )
        for direction in (_ABOVE, _BELOW):
            here = those(found, direction=direction)
            listed = ", ".join(f"“{row['ngram']}” ({row['pull']:+.2f})" for row in here[:_NAMED])
            more = f" and {len(here) - _NAMED:,} more" if len(here) > _NAMED else ""
            if here:
                yield f"{name} is pulled {direction} by {listed}{more}."

    def picture(self, campaign: str, tables: Mapping[str, Table]) -> Figure:
        """A dot with its interval for each n-gram that is shown, a panel per metric."""
        rows, panels = tables["table"], []
        colors, shapes = ({kind: look[place] for kind, look in _LOOKS.items()} for place in (0, 1))
        for name in different(rows, "metric"):
            here = [row | {"sure": "sure" if row["found"] else "may be chance"} for row in those(rows, metric=name)]
            panels.append(
                charts.interval_dots(
                    sorted(here, key=lambda row: -row["pull"]), name="ngram", value="pull", ends=("low", "high"),
                    kind="sure", colors=colors, shapes=shapes, heading=name, width=320, step=20,
                    axis=Axis(title="how far each match pulls the metric above people, in SDs", zero=True),
                )
            )  # fmt: skip
        key = charts.key(colors, shapes=shapes)
        said = f"{campaign}: the n-grams that stand out most, {self.most} at most; bars: 95 %, each for itself"
        return charts.figure("figure", charts.above(key, charts.beside(*panels)), self.question, [said])


def _ngram_order(metric: Metric) -> int | None:
    """Up to which length a metric counts n-grams of words; None where it counts none."""
    if isinstance(metric, NgramRows):
        return metric.order
    return 1 if isinstance(metric, (WordMatches, Gtm)) else None


def _about(rate: float) -> list[str]:
    return [
        "SDs per match: how far people place a translation below what the metric's score lets expect, for each match "
        "of the n-gram, in standard deviations of the scores of a segment; negative where they place it above. The "
        "interval, 95 %, is each n-gram's for itself.",
        f"q: p corrected for the number of n-grams (Benjamini and Hochberg); sure where it is {rate:g} or less. "
        "N-grams that match in the very same translations are one test.",
    ]


@dataclass(frozen=True, eq=False)
class Compared:
    """Scores of a metric and of people in the same cells, made comparable within segments: systems by segments.

    Cells are those of segments on which people and metric tell at least three systems apart.
    """

    cells: Flags
    #: Standardised within each segment, and 0 where there is no cell.
    metric: Array
    human: Array
    #: What people say beyond what the metric's score tells, and beyond what they say of systems on the whole.
    residual: Array
    #: How far metric and people go together, means of segments and systems aside.
    correlation: float

    @property
    def segments(self) -> int:
        """How many segments take part."""
        return int(self.cells.any(axis=0).sum())

    @classmethod
    def of(cls, metric: Array, human: Array) -> Compared:
        """Scores less the means of their segments, by their deviation there; then less those of systems.

        What a metric thinks of a whole system more than people do is no n-gram's fault, so means of systems are taken
        off both. Residuals are those of people's scores on the metric's, one slope for all.
        """
        cells = np.isfinite(metric) & np.isfinite(human)
        cells &= cells.sum(axis=0) >= FEWEST_SYSTEMS
        (x, told), (y, telling) = (_standardised(values, cells) for values in (metric, human))
        cells &= told & telling
        x, y = np.where(cells, x, 0.0), np.where(cells, y, 0.0)
        across, up = _centred(x, cells), _centred(y, cells)
        product, squares = float((across * up).sum()), float((across**2).sum())
        slope = product / squares if squares > _ROUNDING else 0.0
        both = np.sqrt(squares * float((up**2).sum()))
        return cls(cells, x, y, up - slope * across, product / both if both > _ROUNDING else 0.0)


def _standardised(values: Array, cells: Flags) -> tuple[Array, Flags]:
    """Scores less the mean of their segment, by their deviation there; and the segments that have one."""
    count, known = np.maximum(cells.sum(axis=0), 1), np.where(cells, values, 0.0)
    apart = np.where(cells, known - known.sum(axis=0) / count, 0.0)
    deviation = np.sqrt((apart**2).sum(axis=0) / count)
    told = deviation > _ROUNDING * np.abs(known).max(axis=0, initial=0.0)
    return apart / np.where(told, deviation, 1.0), told


def _centred(values: Array, cells: Flags) -> Array:
    """Less the means of systems and of segments: those of either are 0 behind it."""
    by_system, by_segment = (np.maximum(cells.sum(axis=axis), 1) for axis in (1, 0))
    for _ in range(_TURNS):
        off = values.sum(axis=1) / by_system
        values = np.where(cells, values - off[:, None], 0.0)
        values = np.where(cells, values - values.sum(axis=0) / by_segment, 0.0)
        if np.abs(off).max(initial=0.0) < _ROUNDING:
            break
    return values


def _tested(matches: _Matches, compared: Compared, units: Codes, least: int) -> Table:
    """A row for each n-gram whose matches differ between systems in enough segments and units.

    Residuals times matches, summed over each unit, are 0 in the mean where the n-gram tells nothing beyond the score:
    Student's t over the units in which matches differ. N-grams that match in the very same cells are one row, of the
    longest of them.
    """
    from scipy.special import stdtr

    segments = compared.cells.shape[1]
    size, residual = compared.cells.sum(axis=0), compared.residual.ravel()
    rows: Table = []
    known: dict[tuple[bytes, bytes], dict[str, Any]] = {}
    for words in sorted(matches, key=lambda words: (-len(words), words)):
        cells, counts = matches[words]
        segment = cells % segments
        here, place = np.unique(segment, return_inverse=True)
        if len(here) < least:
            continue
        total, squares = np.bincount(place, counts), np.bincount(place, counts**2)
        spread = squares - total**2 / size[here]
        differs = spread > _ROUNDING
        unit, member = np.unique(units[here[differs]], return_inverse=True)
        if differs.sum() < least or len(unit) < FEWEST_UNITS:
            continue
        key = cells.tobytes(), counts.tobytes()
        if key in known:
            known[key]["also"] = ", ".join(filter(None, (known[key]["also"], " ".join(words))))
            continue
        sums = np.bincount(place, counts * residual[cells])[differs]
        by_unit = np.bincount(member, sums)
        whole, deviation = float(spread[differs].sum()), float(by_unit.std(ddof=1))
        pull, error = -float(by_unit.sum()) / whole, np.sqrt(len(unit)) * deviation / whole
        if not error > 0.0:
            continue
        low, high = summed_interval(pull, [(error**2, len(unit) - 1.0)])
        row = {
            "metric": None, "ngram": " ".join(words), "order": len(words), "words": words,
            "direction": _ABOVE if pull > 0 else _BELOW, "pull": pull, "low": low, "high": high,
            "matches": int(counts.sum()), "translations": len(cells), "segments": int(differs.sum()),
            "units": len(unit), "p": number_or_none(2.0 * float(stdtr(len(unit) - 1, -abs(pull / error)))),
            "q": None, "found": None, "also": "",
        }  # fmt: skip
        known[key] = row
        rows.append(row)
    return rows


class _Reader:
    """Words of translations and references, cut once for each recipe."""

    def __init__(self, campaign: Campaign, systems: Sequence[str]) -> None:
        self.systems = tuple(systems)
        self.segments = campaign.segment_names()
        self._corpora: list[Corpus] = [campaign.corpus(name) for name in systems]

    def words(self, recipe: Recipe, system: int, segment: int) -> Words:
        """The words of one translation."""
        return tuple(recipe.tokens(self._corpora[system].translations[segment]))

    def matches(self, recipe: Recipe, order: int, cells: Flags) -> _Matches:
        """How often each n-gram up to ``order`` matches: as often as the reference has it that has it most often."""
        found: dict[Words, tuple[list[int], list[int]]] = {}
        for segment in np.flatnonzero(cells.any(axis=0)).tolist():
            theirs: dict[tuple[str, ...], Counter[Words]] = {}
            for system in np.flatnonzero(cells[:, segment]).tolist():
                texts = self._corpora[system].untargeted[segment].references
                if texts not in theirs:
                    most: Counter[Words] = Counter()
                    for text in texts:
                        most |= _ngrams(recipe.tokens(text), order)
                    theirs[texts] = most
                most = theirs[texts]
                for words, count in _ngrams(recipe.tokens(self._corpora[system].translations[segment]), order).items():
                    if words in most:
                        there = found.setdefault(words, ([], []))
                        there[0].append(system * cells.shape[1] + segment)
                        there[1].append(min(count, most[words]))
        listed = {}
        for words, (places, counts) in found.items():
            order_of = np.argsort(places)
            listed[words] = np.array(places, dtype=np.int64)[order_of], np.array(counts, dtype=np.float64)[order_of]
        return listed


def _ngrams(words: Sequence[str], order: int) -> Counter[Words]:
    """How often each n-gram of 1 to ``order`` words stands in a text.

    >>> _ngrams(["a", "b", "a"], 2) == Counter({("a",): 2, ("b",): 1, ("a", "b"): 1, ("b", "a"): 1})
    True
    """
    return Counter(tuple(words[start : start + n]) for n in range(1, order + 1) for start in range(len(words) - n + 1))


def _excerpt(words: Words, ngram: Words) -> str:
    """An n-gram where it stands first, with some words before and behind it.

    >>> _excerpt(("a", "b", "c", "d", "e", "of", "the", "f"), ("of", "the"))
    '… b c d e [of the] f'
    """
    size = len(ngram)
    start = next(place for place in range(len(words)) if words[place : place + size] == ngram)
    first, last = max(start - _AROUND, 0), min(start + size + _AROUND, len(words))
    parts = [
        "…" if first > 0 else "", " ".join(words[first:start]), f"[{' '.join(ngram)}]",
        " ".join(words[start + size : last]), "…" if last < len(words) else "",
    ]  # fmt: skip
    return " ".join(filter(None, parts))
