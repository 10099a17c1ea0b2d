"""A judge beside people, such as a language model: what it calls wrongly, how far it agrees, what it goes by, what it
is worth. Each function gives the rows of one table, and what is to be said of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.judgements import Judgements
from assay.errors import AssayWarning
from assay.people.agreement.measures import SharedItems, coefficients, measure
from assay.people.agreement.ratings import Paired, RatedItems, drawn_with, judged_units
from assay.people.judge_bias import Bias, on_one_scale, slope, trait_bias
from assay.people.levels import Resampling, SystemLevel, level_of
from assay.people.ratings import People, rows_of
from assay.people.scores import Scores
from assay.people.statistics.system_pairs import pair_p_values
from assay.results.result import Table
from assay.significance.draws import FEWEST_UNITS, Draws, Estimate, Units
from assay.significance.prediction_powered import PredictionPowered, Tested
from assay.significance.tests import adjust, draws_for, is_significant

#: Swaps behind each p-value of people's for two systems, at least.
_SWAPS = 1000
#: How two raters agree, and how a judge agrees with one.
_AGREEMENT = ("pearson", "spearman", "kendall")
#: How runs of a judge agree.
_CONSISTENCY = ("icc-2-1", "alpha-interval")
#: Fewer items that were judged several times say little.
_FEWEST_ITEMS = 20
#: Judged items that differ from the others by so small a p-value are said to be no random sample.
_DOUBT = 0.05
#: What the rows of the table of biases are called.
_LEVEL, _LENGTH, _SEGMENT_LENGTH, _POSITION, _FAMILY = (
    "score level", "length of output", "length of segment", "position in file", "family {}",
)  # fmt: skip
#: How a bias is said, and what it is measured by.
_SAID = {
    _LENGTH: ("outputs longer than other systems' of the segment", "outputs shorter than other systems'"),
    _SEGMENT_LENGTH: ("long segments", "short segments"),
    _POSITION: ("segments late in the file", "segments early in the file"),
}


class Answer(NamedTuple):
    """The rows of a table, and what is to be said of them."""

    rows: Table
    said: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class JudgeTest:
    """How a judge is held against people: what is drawn, how often, and at which level something is significant."""

    units: Units
    samples: int = 1000
    seed: int = 1
    correction: str = "holm"
    alpha: float = 0.05

    def calls(self, people: People, judge: Scores) -> Answer:
        """Of how many pairs of systems the judge says otherwise than people which one is better.

        Of all pairs it is their number times 1 less pairwise accuracy. Intervals are about these systems on other
        segments.
        """
        resampling = Resampling(resample="segments", units=self.units, samples=self.samples, seed=self.seed)
        level = level_of("system", people, None, resampling)
        if not isinstance(level, SystemLevel):
            return Answer([], (f"{judge.name}: no pair of systems is called rightly or wrongly: {level}",))
        of_people, of_judge = level.human, level.scores(judge)
        known = np.flatnonzero(np.isfinite(of_people[0]) & np.isfinite(of_judge[0]))
        pairs = np.array([*combinations(known.tolist(), 2)], dtype=np.int64).reshape(-1, 2)
        apart, wrong = pairs[self._told_apart(people, pairs)], np.empty(0)
        rows: Table = []
        for name, some in (("all pairs of systems", pairs), ("pairs that people tell apart", apart)):
            if not len(some):
                continue
            sides = [scores[:, some[:, 0]] - scores[:, some[:, 1]] for scores in (of_people, of_judge)]
            there = np.isfinite(sides[0]) & np.isfinite(sides[1])
            signs = [np.sign(np.where(there, side, 0.0)) for side in sides]
            with np.errstate(invalid="ignore"):
                wrong = len(some) * (signs[0] != signs[1]).sum(axis=1) / there.sum(axis=1)
            rows.append(_row("wrong calls", name, level.draws.estimate(wrong), len(some)))
        return Answer(rows, tuple(_said_of_calls(judge.name, rows)))

    def _told_apart(self, people: Scores, pairs: Codes) -> Flags:
        """Which pairs of systems differ significantly in people's eyes, by swaps of what is drawn."""
        values = np.where(people.mask, people.contributions(), np.nan)
        judged = self.units.count(np.asarray(np.isfinite(values).any(axis=0)))
        if judged < FEWEST_UNITS or not len(pairs):
            return np.zeros(len(pairs), dtype=np.bool_)
        samples = draws_for(len(pairs), self.alpha, _SWAPS)
        p = pair_p_values(values, self.units, samples=samples, seed=self.seed)[pairs[:, 0], pairs[:, 1]]
        p = np.where(np.isfinite(p), np.minimum(2.0 * np.minimum(p, 1.0 - p), 1.0), 1.0)
        return np.array([is_significant(each, self.alpha) for each in adjust(p.tolist(), self.correction)])

    def agreement(self, people: People, judge: Scores) -> Answer:
        """How far the judge agrees with a single rater, beside how far two raters agree with each other.

        Where several raters judged some items, it is about these.
        """
        judgements = people.judgements
        rated = RatedItems(judgements, self.units)
        between = rated.between()
        system, segment = rows_of(judgements, people.systems), judgements.segment
        scores = np.where(segment >= 0, judge.grid[system, segment], np.nan)
        there = np.flatnonzero(np.isfinite(scores) & np.isfinite(judgements.score) & (judgements.ranking.codes < 0))
        cell = system * (people.mask.shape[1] + 1) + segment
        if len(between):
            shared = rated.judgements
            cells = rows_of(shared, people.systems) * (people.mask.shape[1] + 1) + shared.segment
            there = there[np.isin(cell[there], cells[rated.shared])]
        if not len(there):
            return Answer([])
        codes, group = np.unique(judgements.rater.codes[there], return_inverse=True)
        names = tuple(("" if code < 0 else judgements.rater.names[code],) for code in codes.tolist())
        units, unit = judged_units(drawn_with(judgements, self.units)[there])
        items = np.unique(cell[there], return_inverse=True)[1]
        with_one = Paired(judgements.score[there], scores[there], group, units, unit, items, names, (there, there[:0]))
        of_judge = _by_name(measure(with_one, None, samples=self.samples, seed=self.seed).pooled)
        of_people = (
            _by_name(measure(between, None, samples=self.samples, seed=self.seed).pooled) if len(between) else {}
        )
        rows: Table = []
        for name in _AGREEMENT:
            if of_judge.get(name, {}).get("value") is None:
                continue
            found, theirs = of_judge[name], of_people.get(name, {})
            estimate = Estimate(found["value"], found["low"], found["high"])
            rows.append(
                _row("agreement", name, estimate, found["items"])
                | {f"people{end}": theirs.get(key) for end, key in (("", "value"), ("_low", "low"), ("_high", "high"))}
            )
        return Answer(rows, tuple(_said_of_agreement(judge.name, rows)))

    def consistency(self, judge: str, runs: Judgements) -> Answer:
        """How far the judge agrees with itself, where it judged an item several times: runs are raters, or repeats."""
        rated = RatedItems(runs, self.units)
        samples, seed = self.samples, self.seed
        rows: Table = []
        if len(rated.shared):
            found = coefficients(SharedItems(rated), None, samples=samples, seed=seed)
            rows += [row for row in found if row["statistic"] in _CONSISTENCY]
        repeated = rated.repeated()
        again = measure(repeated, None, "repeat-", samples=samples, seed=seed).pooled if len(repeated) else []
        rows += [row for row in again if row["statistic"] == "repeat-pearson"]
        rows = [
            _row("consistency", row["statistic"], Estimate(row["value"], row["low"], row["high"]), row["items"])
            for row in rows
            if row["items"] >= _FEWEST_ITEMS and row["value"] is not None
        ]
        said = f"{judge} with itself, where several of its runs scored an item: {_estimates(rows)}."
        return Answer(rows, (said,) if rows else ())

    def biases(
        self,
        people: Scores,
        judge: Scores,
        *,
        lengths: Array | None = None,
        families: Mapping[str, Sequence[str]] | None = None,
    ) -> Answer:
        """What the judge goes by beside quality, as far as people's scores tell: see ``judge_bias``.

        ``lengths`` are of translations, systems by segments; ``families`` name the systems of each. All p-values are
        corrected for how many biases were looked at.
        """
        both = np.isfinite(people.grid) & np.isfinite(judge.grid)
        if not both.any():
            return Answer([])
        draws = Draws.of(self.units, self.samples, self.seed, among=np.asarray(both.any(axis=0)))
        found = dict(self._biases(people, judge, draws, lengths, families or {}))
        p_values = {name: bias.p for name, bias in found.items() if bias.p is not None}
        adjusted = dict(zip(p_values, adjust([*p_values.values()], self.correction), strict=True))
        rows: Table = [
            {
                "bias": name, **bias.estimate.row(), "neutral": 1.0 if name == _LEVEL else 0.0, "p": bias.p,
                "p_adjusted": adjusted.get(name), "n": bias.n,
            }
            for name, bias in found.items()
        ]  # fmt: skip
        return Answer(rows, tuple(self._said_of_biases(judge.name, rows)))

    @staticmethod
    def _biases(
        people: Scores, judge: Scores, draws: Draws, lengths: Array | None, families: Mapping[str, Sequence[str]]
    ) -> Iterator[tuple[str, Bias]]:
        if on_one_scale(judge.grid, people.grid):
            yield _LEVEL, slope(judge.grid, people.grid, draws)
        if lengths is not None:
            logarithms = np.log1p(lengths)
            of_segment = np.broadcast_to(logarithms.mean(axis=0), logarithms.shape)
            if len(logarithms) > 1:
                yield _LENGTH, trait_bias(judge.grid, people.grid, logarithms - of_segment, draws)
            yield _SEGMENT_LENGTH, trait_bias(judge.grid, people.grid, of_segment, draws)
        positions = np.broadcast_to(np.arange(judge.grid.shape[1], dtype=np.float64), judge.grid.shape)
        yield _POSITION, trait_bias(judge.grid, people.grid, positions, draws)
        for name, systems in families.items():
            member = np.array([[float(system in systems)] for system in judge.systems])
            member = np.broadcast_to(member, judge.grid.shape)
            yield _FAMILY.format(name), trait_bias(judge.grid, people.grid, member, draws, in_deviations=False)

    def _said_of_biases(self, judge: str, rows: Table) -> Iterator[str]:
        unknown = [row["bias"] for row in rows if row["value"] is None]
        if unknown:
            yield (
                f"{judge}: nothing is said of {', '.join(unknown)}: it does not vary, or people's scores of other "
                "systems and segments say too little of how good an output is."
            )
        for row in rows:
            if row["p_adjusted"] is None or not is_significant(row["p_adjusted"], self.alpha):
                continue
            if row["bias"] == _LEVEL:
                what = "shrinks" if row["value"] < 1.0 else "stretches"
                yield f"{judge} {what} differences: {row['value']:.2f} of its points for one of people's."
                continue
            family = row["bias"].removeprefix(_FAMILY.format(""))
            more, fewer = _SAID.get(row["bias"], (f"systems of {family}", f"other systems to those of {family}"))
            yield f"{judge} prefers {more if row['value'] > 0.0 else fewer}, beside people's scores."
        if len(unknown) < len(rows):
            yield (
                "Biases are about outputs that these people would find equally good, as far as their scores of "
                "the system's other segments, and of other systems on the segment, tell. They are in the judge's "
                "standard deviations, by a standard deviation of the trait (of a family: beside other systems); the "
                "score level is a slope, 1 where differences are as large as people's. p-values are corrected for the "
                f"number of biases, {len(rows)} ({self.correction})."
            )

    def corrected(self, people: Scores, judge: Scores) -> tuple[Answer, Table]:
        """Means of systems by what people said of few items and the judge of all; and every two systems' difference."""
        powered = PredictionPowered(people.grid, judge.grid, self.units)
        if not powered.judged.any():
            return Answer([], (f"{judge.name}: no segment was judged by people and scored by it, too.",)), []
        rows: Table = []
        for place, system in enumerate(people.systems):
            if not powered.items[place]:
                continue
            rows.append(
                {
                    "system": system,
                    **powered.people_mean(place).row("people", "people_low", "people_high"),
                    "judge_mean": judge.sign * float(powered.judge_means[place]),
                    **powered.corrected_mean(place).row("corrected"),
                    "judged": int(powered.judged[place]),
                    "items": int(powered.items[place]),
                    "slope": _number(judge.sign * float(powered.slopes[place])),
                    **self._worth(powered, place).row("worth", "worth_low", "worth_high"),
                }
            )
        rows.sort(key=lambda row: (row["corrected"] is None, -(row["corrected"] or 0.0)))
        return Answer(rows, tuple(self._said_of_means(judge.name, people.systems, powered))), self._pairs(
            people, powered, rows
        )

    def _worth(self, powered: PredictionPowered, *systems: int) -> Estimate:
        return powered.worth(*systems, samples=self.samples, seed=self.seed)

    def worth(self, people: Scores, judge: Scores) -> Answer:
        """How many judged items of a system people alone would need to know as much as with the judge."""
        powered = PredictionPowered(people.grid, judge.grid, self.units)
        estimate, judged = self._worth(powered), powered.judged[powered.judged > 0]
        if estimate.value is None or (powered.judged == powered.items)[powered.judged > 0].all():
            return Answer([])
        said = (
            f"With {judge.name}, {judged.mean():,.0f} judged items of a system tell as much of its mean as "
            f"{estimate.value:,.0f}{_ends(estimate, ',.0f')} would alone."
        )
        return Answer([_row("worth", "judged items of a system", estimate, round(float(judged.mean())))], (said,))

    def _pairs(self, people: Scores, powered: PredictionPowered, rows: Table) -> Table:
        """Every two systems, the better one first."""
        places = [people.systems.index(row["system"]) for row in rows if row["corrected"] is not None]
        tested = {pair: powered.difference(*pair) for pair in combinations(places, 2)}
        known = {pair: test.p for pair, test in tested.items() if test.p is not None}
        adjusted = dict(zip(known, adjust([*known.values()], self.correction), strict=True))
        return [
            {
                "system_a": people.systems[pair[0]], "system_b": people.systems[pair[1]],
                **test.estimate.row("delta"), "p": test.p, "p_adjusted": adjusted.get(pair),
                "significant": pair in adjusted and is_significant(adjusted[pair], self.alpha),
            }
            for pair, test in tested.items()
        ]  # fmt: skip

    @staticmethod
    def _said_of_means(judge: str, systems: Sequence[str], powered: PredictionPowered) -> Iterator[str]:
        if (powered.judged == powered.items)[powered.judged > 0].all():
            yield (
                f"{judge} scores nothing that people did not judge, so it corrects nothing. Corrected means take a "
                "judge of all segments, of which people judged some."
            )
            return
        yield (
            f"Corrected means: people's over judged items, plus λ times how much higher {judge}'s mean is over all "
            "items than over these. They take judged items as a random sample of all, and are about items like these."
        )
        tests = {"": powered.selection()}
        tests |= {
            f" for {systems[place]}": powered.selection(place) for place in np.flatnonzero(powered.judged).tolist()
        }
        known = {name: test.p for name, test in tests.items() if test.p is not None}
        adjusted = dict(zip(known, adjust([*known.values()], "holm"), strict=True))
        doubted = [name for name, p in adjusted.items() if is_significant(p, _DOUBT)]
        if not doubted:
            if known:
                yield (
                    f"Nothing in {judge}'s scores says that judged items are no random sample: it scores them by "
                    f"{_selected(tests[''])} of its standard deviations otherwise than the others, which may be chance."
                )
            return
        # What holds of most is said of all.
        of_systems = [name for name in doubted if name]
        if not of_systems or 2 * len(of_systems) > len(tests) - 1:
            of_systems = [""]
        said = ", ".join(f"{_selected(tests[name])}{name}" for name in of_systems)
        warnings.warn(
            AssayWarning(
                f"Judged items are no random sample of all: {judge} scores them otherwise than the others, by {said} "
                "of its standard deviations. Corrected means allow for what the judge sees of this, and for nothing "
                "else by which items were chosen.",
                level="warning",
            ),
            stacklevel=4,
        )


def _selected(test: Tested) -> str:
    return "–" if test.estimate.value is None else f"{test.estimate.value:+.2f}{_ends(test.estimate, '+.2f')}"


def _row(measured: str, of: str, estimate: Estimate, n: int) -> dict[str, Any]:
    people = dict.fromkeys(("people", "people_low", "people_high"))
    return {"measure": measured, "of": of, **estimate.row(), "n": n, **people}


def _by_name(rows: Table) -> dict[str, dict[str, Any]]:
    return {row["statistic"]: row for row in rows}


def _number(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _ends(estimate: Estimate, form: str) -> str:
    """The interval behind a value, if there is one."""
    return "" if estimate.low is None else f" ({estimate.low:{form}} – {estimate.high:{form}})"


def _estimates(rows: Table) -> str:
    return ", ".join(
        f"{row['of']} {row['value']:.2f}{_ends(Estimate(row['value'], row['low'], row['high']), '.2f')}" for row in rows
    )


def _said_of_calls(judge: str, rows: Table) -> Iterator[str]:
    counts = [f"{row['value']:.0f}{_ends(Estimate(row['value'], row['low'], row['high']), '.0f')}" for row in rows]
    if rows:
        said = f"{judge} would have called {counts[0]} of {rows[0]['n']:,} pairs of systems wrongly"
        apart = f", {counts[1]} of the {rows[1]['n']:,} that people tell apart" if len(rows) > 1 else ""
        yield f"{said}{apart}."


def _said_of_agreement(judge: str, rows: Table) -> Iterator[str]:
    for row in rows[:1]:
        ends = _ends(Estimate(row["value"], row["low"], row["high"]), ".2f")
        said = f"{judge} agrees with a single rater by a {row['of']} correlation of {row['value']:.2f}{ends}"
        theirs = _ends(Estimate(row["people"], row["people_low"], row["people_high"]), ".2f")
        yield (
            f"{said}."
            if row["people"] is None
            else f"{said}, two raters with each other by {row['people']:.2f}{theirs}."
        )
