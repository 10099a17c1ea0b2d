"""``assay compare``: every pair of systems, tested on the same draws, and where their difference comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import combinations, groupby, product
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from assay.arrays import Flags
from assay.data.campaign import Campaign
from assay.errors import InputError, ParameterError, UnknownName
from assay.errors import counted as number_of
from assay.metrics.base import Metric
from assay.metrics.registry import DEFAULT_METRICS, heading
from assay.questions.asked import Asked, mention_means, segment_remarks
from assay.questions.base import Question, metrics_option, option
from assay.questions.gates import (
    fail_under_option,
    gate_findings,
    maybe_worse,
    read_limits,
    surely_worse,
    under_limits,
)
from assay.results import charts
from assay.results.figure import Figure, Figures
from assay.results.rendering import RAISED
from assay.results.result import Column, Result, Table, View
from assay.scoring.evaluate import Progress, thread_count
from assay.scoring.statistics import Statistics, drawn_rows, units_of
from assay.significance.calibration import COVERAGE, COVERAGE_OF_DELTA, FALSE_POSITIVES, POWER, calibrate
from assay.significance.draws import FEWEST_UNITS, design_effect
from assay.significance.pairs import IntervalName, Key, PairedTest, Sampled, borrowing, runs_of
from assay.significance.tests import (
    Better,
    Correction,
    PValue,
    TestName,
    adjust,
    clusters,
    draws_for,
    is_significant,
    rank_range,
)

#: Segment scores that differ by less are equal: rounding decides no win.
_EQUAL = 1e-9
#: Upper ends of the length buckets, in words of the first reference, and what they are called.
_LENGTHS = (9, 19, 29, 39, 49)
_LENGTH_NAMES = [*(f"{last // 10 * 10}–{last} words" for last in _LENGTHS), "50+ words"]
#: Draws within a simulation of the calibration.
_SIMULATED_DRAWS = 500
_Row = dict[str, Any]
_Pair = tuple[str, str]

#: Who writes so much more than another is not to be exchanged with it; then p-values may be off by such a factor: of
#: equally good systems those that are smaller still are at most 5 % in docs/concepts/significance.md.
_MUCH_LONGER, _OFF = 0.1, 20
#: Of so many documents the bootstrap test called up to 8 % different at 5 % in docs/concepts/significance.md and in
#: docs/concepts/scores-of-files.md, where documents are of unequal size.
_TOO_SURE = range(12, 301)
#: So many pairs of a metric are listed, and drawn, without being asked for.
_FEW_PAIRS = 10

_PAIR = (Column("a", "A"), Column("b", "B"))
_DELTA, _DELTA_ENDS = Column("delta", "Δ", "+.2f"), Column("low", "95 % interval", "+.2f", high="high")
_RANK = (Column("best_rank", "rank", "d", high="worst_rank"), Column("letter", ""), Column("system"))
_CHANCE = (
    Column("runs", None, "d"), Column("sigma_selection", "σ selection", ".2f"),
    Column("sigma_training", "σ training", ".2f"),
)  # fmt: skip
_TESTED = (
    _DELTA, _DELTA_ENDS, Column("p", None, "p"), Column("p_adjusted", "adjusted", "p"), Column("significant", "", "*|"),
    Column("effect", None, "+.3f"), *(Column(name, None, ",d") for name in ("wins", "losses", "ties")),
)  # fmt: skip
_IN_BUCKETS = (Column("score_a", "score A", ".2f"), Column("score_b", "score B", ".2f"), _DELTA, _DELTA_ENDS)
_TEXTS = (_DELTA, Column("score", None, ".2f"), Column("text"))
_METHOD = (Column("metric"), Column("what"), Column("method"))
_CALIBRATED = (
    Column("promised", "promised %", "g", unit="%"),
    Column("measured", "measured %", ".1f", unit="%"), Column("low", "99 % interval", ".1f", unit="%", high="high"),
)  # fmt: skip

#: Of differences in a picture.
_COLORS = {"significant": charts.COLORS[0], "not significant": charts.GREY}


@dataclass(frozen=True, eq=False)
class _Compared:
    """The systems of a campaign: what was counted, and what the draws that all of them share make of it."""

    campaign: Campaign
    #: The names of each system's runs.
    runs: Mapping[str, tuple[str, ...]]
    #: By run and metric.
    counted: Mapping[Key, Statistics]
    test: PairedTest
    #: By system and metric.
    drawn: Mapping[Key, Sampled]
    threads: int

    def ranked(self, metric: Metric) -> dict[str, Sampled]:
        """The systems under a metric, the best first; equal ones by name."""
        sign = -1.0 if metric.higher_is_better else 1.0
        systems = {system: self.drawn[system, str(metric)] for system in self.runs}
        return dict(sorted(systems.items(), key=lambda item: (sign * item[1].value, item[0])))

    def pairs(
        self, metric: Metric, baseline: str | None, progress: Progress | None = None, *, simultaneous: bool = False
    ) -> Iterator[_Row]:
        """All pairs, the better system first, or each against the baseline: tested, and corrected for their number.

        ``delta`` is the first's score minus the second's.
        """
        ranked = self.ranked(metric)
        wanted = list(combinations(ranked, 2))
        if baseline is not None:
            wanted = [(system, baseline) for system in ranked if system != baseline]
        tested: dict[_Pair, tuple[int, PairedTest, Sampled, Sampled, PValue | None]] = {}
        for there, pairs in self.in_common(metric, wanted):
            part = self if there.all() else self.only(metric, there, pairs)
            systems = {system: part.drawn[system, str(metric)] for pair in pairs for system in pair}
            values = part.test.p_values(systems, pairs, self.threads, progress)
            for (a, b), p in zip(pairs, values, strict=True):
                tested[a, b] = int(there.sum()), part.test, systems[a], systems[b], p
        listed = [tested[pair] for pair in wanted]
        known = [p.value for *_, p in listed if p is not None]
        corrected = iter(adjust(known, self.test.correction) if known else ())
        adjusted = [None if p is None else next(corrected) for *_, p in listed]
        found = [p is not None and is_significant(p, self.test.alpha) for p in adjusted]
        together = self.test.simultaneous([(first, second) for *_, first, second, _ in listed]) if simultaneous else []
        sign = 1.0 if metric.higher_is_better else -1.0
        by_segment = {
            system: sign * np.mean([self.counted[run, str(metric)].segment_scores() for run in self.runs[system]], 0)
            for system in ranked
        }
        for number, ((a, b), p_adjusted) in enumerate(zip(wanted, adjusted, strict=True)):
            segments, test, first, second, p = listed[number]
            delta, error = first.value - second.value, test.error(first, second).error
            ends = test.interval_of(first, second)
            low, high = together[number] if together else ends
            significant, gain = found[number], by_segment[a] - by_segment[b]
            detectable, fewest, most = test.power(error, ends, sum(found) - significant)
            yield {
                "metric": str(metric), "a": a, "b": b, "delta": delta, "low": low, "high": high,
                "p": None if p is None else p.value, "p_adjusted": p_adjusted, "significant": significant,
                "exact": p is not None and p.exact, "effect": test.effect(delta, error), "wins": (gain > _EQUAL).sum(),
                "losses": (gain < -_EQUAL).sum(), "ties": (np.abs(gain) <= _EQUAL).sum(),
                "detectable_delta": detectable, "needed_units_low": fewest, "needed_units_high": most,
                "segments": segments,
            }  # fmt: skip

    def in_common(self, metric: Metric, pairs: Sequence[_Pair]) -> Iterator[tuple[Flags, list[_Pair]]]:
        """Pairs by the segments that both systems have scores of: two systems are held against each other on these."""
        lacking = {
            system: np.any([self.counted[run, str(metric)].missing for run in runs], axis=0)
            for system, runs in self.runs.items()
        }
        groups: dict[bytes, list[_Pair]] = {}
        for a, b in pairs:
            groups.setdefault((lacking[a] | lacking[b]).tobytes(), []).append((a, b))
        for flags, alike in groups.items():
            yield ~np.frombuffer(flags, dtype=np.bool_), alike

    def only(self, metric: Metric, there: Flags, pairs: Sequence[_Pair]) -> _Compared:
        """The systems of some pairs on some segments, under one metric and the same draws."""
        runs = {system: self.runs[system] for system in dict.fromkeys(name for pair in pairs for name in pair)}
        keys = [(run, str(metric)) for names in runs.values() for run in names]
        counted = {key: self.counted[key].only(there) for key in keys}
        test = replace(self.test, units=self.test.units.only(there))
        return _Compared(self.campaign, runs, counted, test, {}, self.threads).draw([metric])

    def draw(self, metrics: Sequence[Metric], progress: Progress | None = None) -> _Compared:
        """The same with the rows of all systems added up under the same draws."""
        units, by_name = self.test.units, {str(metric): metric for metric in metrics}
        rows = {key: units.sums(statistics.rows) for key, statistics in self.counted.items()}
        tables = dict(zip(self.counted, drawn_rows(self.counted.values(), units), strict=True))
        scorers = {name: metric.score for name, metric in by_name.items()}
        drawn = self.test.resample(rows, scorers, self.runs, units, tables, threads=self.threads, progress=progress)
        drawn = borrowing(drawn) if self.test.several_runs else drawn
        alone = units.members is None
        single = {name: metric.for_segments().score if alone else None for name, metric in by_name.items()}
        sampled = {
            key: replace(one, unit_score=single[key[1]], size=by_name[key[1]].sizes) for key, one in drawn.items()
        }
        return replace(self, drawn=sampled)

    def design_effect(self, metric: Metric, pairs: Table) -> float:
        """Of the differences of a metric's pairs, in the median; of several runs the first counts."""
        influence = {}
        for system, runs in self.runs.items():
            counted = self.counted[runs[0], str(metric)]
            influence[system] = -metric.score(counted.total() - counted.rows)
        effects = [design_effect(influence[pair["a"]] - influence[pair["b"]], self.test.units) for pair in pairs]
        return float(np.median(effects))

    def fewer(self, metric: Metric, pairs: Table) -> Iterator[str]:
        """Pairs that have scores of so few units in common that they are tested otherwise than the others, or not."""
        t_taken, untold, test = list[int](), list[int](), self.test
        for there, some in self.in_common(metric, [(pair["a"], pair["b"]) for pair in _of(metric, pairs)]):
            units = test.units.count(there)
            if units < min(FEWEST_UNITS, len(test.units)):
                untold += [units] * len(some)
            elif not test.few and replace(test, units=test.units.only(there)).few:
                t_taken += [units] * len(some)
        for counts, what in (
            (untold, "too few to say anything: there are no p-values and no intervals"),
            (
                t_taken,
                "too few to change places: their p-values are those of Student's t, its error from leaving out each",
            ),
        ):
            if counts:
                least, most = f"{min(counts):,}", number_of(max(counts), test.units.name)
                yield (
                    f"{number_of(len(counts), 'pair')} of systems under {metric} "
                    f"{'has' if len(counts) == 1 else 'have'} scores of "
                    f"{most if min(counts) == max(counts) else f'{least} to {most}'} in common, {what}."
                )

    def longer(self, pairs: Table) -> Iterator[str]:
        """Differences that randomisation may call significant because one system writes much more than the other."""
        lengths = {name: float(self.campaign.systems[runs[0]].lengths().sum()) for name, runs in self.runs.items()}
        for pair in pairs:
            short, long = sorted((pair["a"], pair["b"]), key=lengths.__getitem__)
            more = lengths[long] / max(lengths[short], 1.0) - 1.0
            if more > _MUCH_LONGER and pair["significant"] and pair["p_adjusted"] > self.test.alpha / _OFF:
                yield (
                    f"{long} is {100 * more:.0f} % longer than {short}. Randomisation asks whether outputs could "
                    f"change places: of so different lengths the p-value of {pair['metric']} "
                    f"({pair['p_adjusted']:.2g}) may be too small. --test bootstrap looks at the scores alone."
                )

    def scores(self, metric: Metric, better: Better, *, ranks: bool) -> Iterator[_Row]:
        """The systems, the best first, with the letters of those they beat and the ranks that the tests leave open.

        Ranks take tests of all pairs.
        """
        systems = self.ranked(metric)
        # a to z without q, then a1, b1 ...
        rounds = ((system, *divmod(place, len(RAISED))) for place, system in enumerate(systems))
        letters = {system: f"{RAISED[letter]}{number or ''}" for system, number, letter in rounds}
        for system, sampled in systems.items():
            there = ~np.any([self.counted[run, str(metric)].missing for run in self.runs[system]], axis=0)
            part = self if there.all() else self.only(metric, there, [(system, system)])
            low, high = part.test.interval_of(part.drawn[system, str(metric)])
            best, worst = rank_range(system, list(systems), better) if ranks else (None, None)
            yield {
                "system": system, "metric": str(metric), "score": sampled.value, "low": low, "high": high,
                "best_rank": best, "worst_rank": worst, "sigma_selection": sampled.selection,
                "sigma_training": sampled.training, "runs": len(sampled.rows), "letter": letters[system],
                "beats": "".join(letters[other] for other in systems if better(system, other)),
            }  # fmt: skip

    def decomposition(self, metric: Metric, pairs: Table) -> Iterator[_Row]:
        """Where differences come from, for metrics that can tell, between systems of one run."""
        for pair in pairs:
            first, second = (self.drawn[pair[side], str(metric)] for side in "ab")
            if len(first.rows) == len(second.rows) == 1:
                keys = {name: pair[name] for name in ("metric", "a", "b", "delta")}
                for part, value in metric.decompose(first.totals[0], second.totals[0]).items():
                    yield keys | {"part": part, "value": value}

    def segments(self, pairs: Table, count: int) -> tuple[Table, Table]:
        """The ``count`` segments on which the first system of a pair gains most, and loses most; and all their texts.

        Segments on which the two have the same score are not among them. Of several runs the first is shown.
        """
        campaign, names = self.campaign, self.campaign.segment_names()
        segments, texts = list[_Row](), list[_Row]()
        for pair in pairs:
            runs = [self.runs[pair[side]][0] for side in "ab"]
            first, second = (self.counted[run, pair["metric"]] for run in runs)
            metric, total = first.metric, first.total()
            score_a, score_b = first.segment_scores(), second.segment_scores()
            delta = score_a - score_b
            gain = np.nan_to_num(delta if metric.higher_is_better else -delta)
            # How far the corpus score of the first would move if the segment were the second's.
            influence = metric.score(total) - metric.score(total - first.rows + second.rows)
            order = np.argsort(-gain, kind="stable")
            moved = [at for at in order[:count] if gain[at] > 0] + [at for at in order[::-1][:count] if gain[at] < 0]
            for at in map(int, moved):
                ours, theirs = (" ".join(campaign.systems[run][at].split()) for run in runs)
                row = {
                    "metric": pair["metric"], "segment": names[at], "a": pair["a"], "b": pair["b"],
                    "score_a": score_a[at], "score_b": score_b[at], "delta": delta[at], "influence": influence[at],
                    "source": None if campaign.source is None else campaign.source[at],
                    "translation_a": ours, "translation_b": theirs,
                }  # fmt: skip
                segments.append(row)
                references = [column[at] for column in campaign.references.values()]
                texts += _texts(row, references, better=bool(gain[at] > 0))
        return segments, texts

    def buckets(self, pairs: Table, metrics: Sequence[Metric], by: str) -> Iterator[_Row]:
        """Every pair within every group of segments, with a bootstrap interval of the difference."""
        labels = np.array(_labels_by(self.campaign, by))
        names = [name for name in _LENGTH_NAMES if name in labels] if by == "length" else dict.fromkeys(labels.tolist())
        plain = replace(self, test=replace(self.test, interval="percentile", several_runs=False))
        for name, metric in product(names, metrics):
            wanted = [(pair["a"], pair["b"]) for pair in _of(metric, pairs)]
            for common, some in self.in_common(metric, wanted):
                there = common & (labels == name)
                if not there.any():
                    continue
                part = plain.only(metric, there, some)
                for a, b in some:
                    first, second = (part.drawn[system, str(metric)] for system in (a, b))
                    low, high = part.test.interval_of(first, second)
                    yield {
                        "by": by, "bucket": name, "segments": there.sum(), "metric": str(metric), "a": a, "b": b,
                        "score_a": first.value, "score_b": second.value, "delta": first.value - second.value,
                        "low": low, "high": high,
                    }  # fmt: skip

    def calibration(self, pairs: Table, metrics: Sequence[Metric], simulations: int, asked: Asked) -> Iterator[_Row]:
        """False alarms, discoveries and coverage as shares, simulated from the rows of the first pair of a metric.

        Scores of files may be missing: pairs are drawn from what both systems have, as they are compared.
        """
        alpha, campaign, units = self.test.alpha, self.campaign, self.test.units
        # A new test set brings new documents, whatever the test takes as its unit.
        brought = units
        if units.members is None:
            brought = units_of(campaign.documents, len(campaign), None, campaign.places)
        drawn: _Row = {
            "simulations": simulations, "samples": _SIMULATED_DRAWS, "permutations": _SIMULATED_DRAWS, "alpha": alpha,
            "seed": self.test.seed,
        }  # fmt: skip
        promises = {FALSE_POSITIVES: alpha, POWER: None, COVERAGE: 0.95, COVERAGE_OF_DELTA: 0.95}
        for number, metric in enumerate(metrics):
            # Of too few units that both have scores of nothing is promised.
            listed = _of(metric, pairs)
            tested = next((pair for pair in listed if pair["p"] is not None), listed[0])
            ((there, wanted),) = self.in_common(metric, [(tested["a"], tested["b"])])
            compared = self if there.all() else self.only(metric, there, wanted)
            if len(compared.test.units) < FEWEST_UNITS:
                continue
            sampled = [compared.drawn[system, str(metric)] for system in wanted[0]]
            first, second = (system.rows[0] for system in sampled)
            apart = np.arange(len(first)) if brought is units else brought.only(there).codes
            blocks = np.split(np.argsort(apart, kind="stable"), np.cumsum(np.bincount(apart))[:-1])
            part = asked.part(number / len(metrics), (number + 1) / len(metrics))
            rates = calibrate(
                (first, second), metric.score, units=len(blocks), blocks=blocks, unit_score=sampled[0].unit_score,
                size=metric.sizes, progress=part, **drawn,
            )  # fmt: skip
            if sampled[0].blind:
                rates = {(what, how): rate for (what, how), rate in rates.items() if what in (FALSE_POSITIVES, POWER)}
            for (what, method), rate in rates.items():
                yield {
                    "metric": str(metric), "what": what, "method": method, "promised": promises[what],
                    "measured": rate.share, "low": rate.interval[0], "high": rate.interval[1],
                    "simulations": rate.of, "units": len(blocks), "unit": brought.name,
                }  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Compare(Question):
    """Is A really better than B? All pairs of systems, paired tests, corrected p-values, clusters.

      assay compare campaign/ -m bleu,chrf

      assay compare -r reference.txt old.txt new.txt --segments 5

      assay compare campaign/ --baseline production --fail-if-worse --min-delta 0.3

    Files sys.<name>@<run>.txt are runs of one system. Where there are several, the test is Welch's t over both sources
    of chance, whatever --test says.
    """

    name: ClassVar[str] = "compare"
    question: ClassVar[str] = "Is A really better than B?"
    needs: ClassVar[Mapping[str, int]] = {"systems": 2, "references": 1}
    takes: ClassVar[tuple[str, ...]] = ("texts", "metrics", "scores", "units")
    working: ClassVar[str] = "Comparing"
    renamed: ClassVar[Mapping[str, str]] = {
        "--bootstrap-samples": "Bootstrap samples are --samples N, draws of the test --permutations N."
    }

    metrics: tuple[Metric, ...] = metrics_option(
        DEFAULT_METRICS, "bleu, 'bleu(order=2)', bleu,chrf ...; see assay metrics.", scores=True
    )
    baseline: str | None = option(None, "Compare every system with this one instead of all pairs.", metavar="NAME")
    test: TestName = option("randomisation", "Which paired test.")
    correction: Correction = option("holm", "For the number of pairs.")
    alpha: float = option(0.05, "The level of significance.", metavar="SHARE")
    interval: IntervalName = option("percentile", "Which bootstrap interval.")
    pairs: bool = option(False, "List every pair, however many there are.")
    segments: int | None = option(None, "The N segments that differ most, either way.", metavar="N", least=1)
    by: str | None = option(
        None, "Differences by length, document, domain or a column of the campaign.", metavar="NAME"
    )
    calibrate: bool = option(False, "Measure false positives and coverage on these texts.")
    simulations: int = option(1000, "For --calibrate.", metavar="N", least=1)
    fail_if_worse: bool = option(False, "With --baseline: exit 1 if a system is significantly worse.")
    min_delta: float = option(0.0, "Smaller losses pass the gate.", metavar="POINTS")
    not_worse_than: float | None = option(
        None, "With --baseline: exit 1 unless every system is surely less than POINTS worse.", metavar="POINTS"
    )
    fail_under: tuple[str, ...] = fail_under_option()
    samples: int = option(1000, "Bootstrap samples, for intervals.", metavar="N", least=2, most=1_000_000)
    permutations: int | None = option(
        None, "Draws of the test (default: 10,000, more for many pairs).", metavar="N", least=1, most=10_000_000
    )
    simultaneous: bool = option(False, "Intervals of differences that hold for all pairs together.")

    def check(self) -> None:
        self.require(0.0 < self.alpha < 1.0, "alpha", "a number between 0 and 1")
        self.require(self.min_delta >= 0.0, "min_delta", "a number of at least 0")
        margin = self.not_worse_than
        self.require(margin is None or margin > 0.0, "not_worse_than", "a number above 0")
        read_limits(self.fail_under)
        if self._gates and self.baseline is None:
            raise ParameterError(f"{self._gates[0]} needs --baseline NAME: worse than which system?")

    @property
    def _gates(self) -> list[str]:
        """The gates that take a comparison, as they are typed."""
        there = {"--fail-if-worse": self.fail_if_worse, "--not-worse-than": self.not_worse_than is not None}
        return [name for name, asked in there.items() if asked]

    def answer(self, asked: Asked) -> Result:
        campaign = asked.chosen
        runs = runs_of(campaign.systems)
        self._check_campaign(campaign, runs)
        first = 0.3 if self.calibrate else 1.0
        compared = self._draw(campaign, runs, replace(asked, progress=asked.part(0.0, 0.6 * first)))
        tables = self._tables(compared, replace(asked, progress=asked.part(0.6 * first, 1.0)))
        draws = compared.test.simulates and len(compared.test.units) >= FEWEST_UNITS
        if not draws and "calibration" not in tables:
            asked.report(1.0)
        verdicts = tables.get("verdicts", [])
        failed = any(row["failed"] for row in verdicts)
        effects = {str(metric): compared.design_effect(metric, _of(metric, tables["pairs"])) for metric in self.metrics}
        setup = compared.test.settings() | {
            "baseline": self.baseline,
            "simultaneous": self.simultaneous,
            "design_effect": effects,
        }
        special = [name for name in ("segments", "buckets", "calibration") if tables.get(name)]
        return Result(
            "compare",
            tables,
            self._views(tables, compared.test.units.name),
            (
                _sentence(setup),
                asked.about_units(compared.test.units, effects, of="For differences between systems"),
                *self._doubts(compared, tables),
                *segment_remarks(self.metrics),
                *gate_findings(verdicts),
            ),
            setup=setup | ({"failed": failed} if verdicts else {}),
            signatures={str(metric): asked.signature(metric) for metric in self.metrics},
            figures=Figures(lambda: self._figures(tables)),
            main=special[0] if len(special) == 1 else "pairs",
            failed=failed,
        )

    def _doubts(self, compared: _Compared, tables: Mapping[str, Table]) -> Iterator[str]:
        """What the test cannot promise here, and which pairs are told apart on some segments alone."""
        test, whole = compared.test, len(compared.campaign)
        for metric in self.metrics:
            fewer = [pair["segments"] for pair in _of(metric, tables["pairs"]) if pair["segments"] < whole]
            if fewer:
                least, most = f"{min(fewer):,}", f"{max(fewer):,}"
                yield (
                    f"{number_of(len(fewer), 'pair')} of systems under {metric} {'is' if len(fewer) == 1 else 'are'} "
                    f"compared on {least if least == most else f'{least} to {most}'} of {whole:,} segments: those that "
                    "both have scores of."
                )
            yield from compared.fewer(metric, tables["pairs"])
        if test.few:
            yield (
                f"So few {test.units.name}s can change places in {2 ** len(test.units)} ways, too few for p-values of "
                f"{number_of(test.comparisons, 'comparison')}. So p-values are those of Student's t, its error from "
                "leaving out each of them in turn, its degrees of freedom from their sizes."
            )
        if (
            test.test == "bootstrap"
            and test.simulates
            and test.units.name == "document"
            and len(test.units) in _TOO_SURE
        ):
            yield (
                "Of so many documents, if they are of unequal size, the bootstrap test called up to 8 % of equally "
                "good systems different in simulations at 5 %; --test randomisation keeps to 5 %."
            )
        if not test.can_tell and len(test.units) >= FEWEST_UNITS:
            remedy = "" if test.exact else f" Take --permutations {draws_for(test.comparisons, self.alpha, 1)}."
            yield (
                f"Nothing can be significant here: the smallest p-value of {test.draws:,} draws over "
                f"{number_of(test.comparisons, 'comparison')} is {test.smallest:.2g}.{remedy}"
            )
        if test.randomises:
            yield from compared.longer(tables["pairs"])

    def _check_campaign(self, campaign: Campaign, runs: Mapping[str, tuple[str, ...]]) -> None:
        """Fail before the work."""
        if len(runs) < 2:
            names = ", ".join(runs) or "none"
            raise InputError(f"A comparison needs two systems, but {campaign.name} has {len(runs)} ({names}).")
        if self.baseline is not None and self.baseline not in runs:
            raise UnknownName.of("system", self.baseline, runs)
        if self.by is not None:
            _labels_by(campaign, self.by)

    def _draw(self, campaign: Campaign, runs: Mapping[str, tuple[str, ...]], asked: Asked) -> _Compared:
        """Count, and add up the rows of all systems under the same draws."""
        counted = asked.count(self.metrics, campaign, asked.part(0.0, 0.5))
        for (run, _), statistics in counted.items():
            failed = int(statistics.failed.sum())
            if statistics.missing.all():
                raise InputError(
                    f"{run!r} has no score of {statistics.metric}, so that nothing can be compared with it.",
                    f"Give scores of it, or leave it out: --without {run}",
                )
            if failed:
                raise InputError(
                    f"{statistics.metric} gave {failed} of {len(statistics)} segments of {run!r} no score. A "
                    "comparison needs a score of every segment from both systems; leave the metric or the system out."
                )
        mention_means(counted, campaign)
        units = asked.units(campaign)
        if self._gates and len(units) < FEWEST_UNITS:
            raise InputError(
                f"{self._gates[0]} needs a test, and {number_of(len(units), units.name)} "
                f"{'is' if len(units) == 1 else 'are'} too few for one: it takes {FEWEST_UNITS}. "
                + (
                    "Take segments as independent: --unit segment."
                    if units.name == "document"
                    else "Give more segments."
                )
            )
        test = PairedTest(
            test=self.test, correction=self.correction, alpha=self.alpha, units=units, interval=self.interval,
            seed=asked.seed, samples=self.samples, permutations=self.permutations,
            comparisons=len(runs) - 1 if self.baseline is not None else len(runs) * (len(runs) - 1) // 2,
            several_runs=any(len(names) > 1 for names in runs.values()),
        )  # fmt: skip
        threads = thread_count(asked.threads)
        compared = _Compared(campaign, runs, counted, test, {}, threads).draw(self.metrics, asked.part(0.5, 1.0))
        blind = any(sampled.blind for sampled in compared.drawn.values())
        if blind and (self.not_worse_than is not None or (self.fail_if_worse and test.draws_units)):
            raise InputError(
                f"{self._gates[-1]} needs a test, and a metric that is fitted to so many segments has none that draws "
                "them. Take --test randomisation, or --unit document."
            )
        return compared

    def _tables(self, compared: _Compared, asked: Asked) -> dict[str, Table]:
        """Every table; what was not asked for is left out."""
        tables: dict[str, Table] = {name: [] for name in ("pairs", "scores", "clusters", "decomposition", "verdicts")}
        for number, metric in enumerate(self.metrics):
            share = (0.25 if self.calibrate else 1.0) / len(self.metrics)
            part = asked.part(share * number, share * (number + 1))
            pairs = list(compared.pairs(metric, self.baseline, part, simultaneous=self.simultaneous))
            better = _winners(pairs, metric)
            tables["pairs"] += pairs
            tables["scores"] += compared.scores(metric, better, ranks=self.baseline is None)
            tables["decomposition"] += compared.decomposition(metric, pairs)
            for cluster in clusters(list(compared.ranked(metric)), better) if self.baseline is None else ():
                row = {"metric": str(metric), "rank": cluster.rank}
                tables["clusters"] += [row | {"system": system} for system in cluster.systems]
            if self.fail_if_worse:
                tables["verdicts"] += [surely_worse(pair, metric, self.alpha, self.min_delta) for pair in pairs]
            if self.not_worse_than is not None:
                tables["verdicts"] += [maybe_worse(pair, metric, self.not_worse_than) for pair in pairs]
        tables["verdicts"] += under_limits(read_limits(self.fail_under), self.metrics, tables["scores"])
        tables = {name: rows for name, rows in tables.items() if rows or name not in ("decomposition", "verdicts")}
        if self.by is not None:
            tables["buckets"] = list(compared.buckets(tables["pairs"], self.metrics, self.by))
        if self.segments is not None:
            tables["segments"], tables["texts"] = compared.segments(tables["pairs"], self.segments)
        # Of too few units nothing is promised.
        if self.calibrate and len(compared.test.units) >= FEWEST_UNITS:
            rest = replace(asked, progress=asked.part(0.25, 1.0))
            rows = list(compared.calibration(tables["pairs"], self.metrics, self.simulations, rest))
            tables |= {"calibration": rows} if rows else {}
        return tables

    def _views(self, tables: Mapping[str, Table], unit: str) -> tuple[View, ...]:
        """The tables as people read them, each metric by metric."""
        views = [self._score_view(metric, tables, unit) for metric in self.metrics]
        if self._lists_pairs(tables):
            views += [_view("Pairs", metric, "pairs", _PAIR, _TESTED) for metric in self.metrics]
        views += [view for metric in self.metrics for view in _decomposition_views(metric, tables)]
        if "buckets" in tables:
            keys = (Column("bucket", self.by), Column("segments", None, ",d"), *_PAIR)
            views += [_view(f"By {self.by}", metric, "buckets", keys, _IN_BUCKETS) for metric in self.metrics]
        views += _text_views(tables.get("texts", []))
        if "calibration" in tables:
            note = (
                f"{self.simulations:,} simulations of "
                f"{number_of(tables['calibration'][0]['units'], tables['calibration'][0]['unit'])} each, drawn from "
                "these texts; for false positives the two systems' outputs change places in them at random"
            )
            fitted = ", ".join(str(metric) for metric in self.metrics if metric.needs_survey)
            kept = f"{fitted}: fitted to all of these texts, where a new test set would bring a fit of its own"
            notes = (note, kept) if fitted else (note,)
            views.append(View("Calibration on these texts", "calibration", _CALIBRATED, keys=_METHOD, notes=notes))
        return tuple(views)

    def _score_view(self, metric: Metric, tables: Mapping[str, Table], unit: str) -> View:
        """Systems, the best first; raised letters name those that one significantly beats."""
        score = Column("score", heading(metric, self.metrics), ".2f", mark="beats")
        several_runs = any(row["runs"] > 1 for row in tables["scores"])
        columns = (score, Column("low", "95 % interval", ".2f", high="high"), *(_CHANCE if several_runs else ()))
        ranks = "ranks are those that the tests leave open; " if self.baseline is None else ""
        # How to read them stands below the last one.
        notes = [f"{ranks}superscripts name the systems that one beats"] if metric == self.metrics[-1] else []
        cut = groupby(_of(metric, tables["clusters"]), lambda row: row["rank"])
        names = ["{" + ", ".join(row["system"] for row in cluster) + "}" for _, cluster in cut]
        if 0 < len(names) < len(_of(metric, tables["scores"])):
            notes.append(f"clusters: {' > '.join(names)}")
        notes += _power_note(_of(metric, tables["pairs"]), unit, metric.decimals)
        keys = _RANK if self.baseline is None else _RANK[1:]
        shown = tuple(column.with_decimals(metric.decimals) for column in columns)
        return View(str(metric), "scores", shown, keys=keys, where={"metric": str(metric)}, notes=tuple(notes))

    def _lists_pairs(self, tables: Mapping[str, Table]) -> bool:
        return self.pairs or len(tables["pairs"]) <= _FEW_PAIRS * len(self.metrics)

    def _figures(self, tables: Mapping[str, Table]) -> tuple[Figure, ...]:
        """Differences with their intervals or, where there are many pairs, scores with theirs."""
        few = self._lists_pairs(tables)
        table, value = ("pairs", "delta") if few else ("scores", "score")
        panels = []
        for metric in self.metrics:
            rows = [row for row in _of(metric, tables[table]) if isfinite(row[value])]
            if few:
                kinds = {True: "significant", False: "not significant"}
                rows = [row | {"system": f"{row['a']} – {row['b']}", "kind": kinds[row["significant"]]} for row in rows]
            if rows:
                panels.append(charts.interval_dots(
                    rows, name="system", value=value, ends=("low", "high"), kind="kind" if few else None,
                    colors=_COLORS, axis=charts.Axis(zero=few), heading=heading(metric, self.metrics),
                ))  # fmt: skip
        if not panels:
            return ()
        title = "Difference of each pair of systems" if few else "Score of each system"
        key = ("grey: not significant",) if few else ()
        return (charts.figure(table, charts.panels(panels, columns=2), f"{title}, with 95 % intervals", key),)


def _of(metric: Metric, table: Table) -> Table:
    return [row for row in table if row["metric"] == str(metric)]


def _sentence(setup: Mapping[str, Any]) -> str:
    """How it was tested."""
    if setup["units"] < FEWEST_UNITS:
        return f"Nothing is tested, and there are no intervals; seed {setup['seed']}."
    intervals = f"intervals: {setup['interval']}, {setup['samples']:,} samples"
    against = f" against {setup['baseline']}" if setup["baseline"] else ""
    drawn = "swaps" if setup["test"] == "randomisation" else "draws"
    most = "up to " if setup["stops"] else ""
    swaps = f", {most}{setup['permutations']:,} {drawn}" if setup["permutations"] else ""
    together = "of differences for all pairs together" if setup["simultaneous"] else "each for itself"
    return (
        f"Test: paired {setup['test']}{against} over {setup['unit']}s{swaps}, two-sided, "
        f"{setup['correction']} over all pairs of a metric, alpha {setup['alpha']:g}; {intervals}, {together}; "
        f"seed {setup['seed']}."
    )


def _power_note(pairs: Table, unit: str, decimals: int) -> Iterator[str]:
    """What this test set can show, and what its closest pair would need."""
    reach = [row["detectable_delta"] for row in pairs if row["detectable_delta"] is not None]
    if not reach:
        return
    low, high = (f"{end:.{decimals}f}" for end in (min(reach), max(reach)))
    note = (
        f"a true difference of {low if low == high else f'{low} to {high}'} is found in 80 % of such test sets or more"
    )
    closest = min(pairs, key=lambda row: abs(row["delta"]))
    fewest, most = closest["needed_units_low"], closest["needed_units_high"]
    if fewest is None or closest["significant"]:
        yield note
        return
    needed = f"{fewest:,} {unit}s or more" if most is None else f"{fewest:,} to {number_of(most, unit)}"
    pair = f"the {abs(closest['delta']):.{decimals}f} between {closest['a']} and {closest['b']}"
    yield f"{note}; to show {pair} it would take {needed}"


def _view(title: str, metric: Metric, table: str, keys: tuple[Column, ...], columns: tuple[Column, ...]) -> View:
    shown = tuple(column.with_decimals(metric.decimals) for column in columns)
    return View(f"{title}: {metric}", table, shown, keys=keys, where={"metric": str(metric)})


def _decomposition_views(metric: Metric, tables: Mapping[str, Table]) -> Iterator[View]:
    """Where a difference comes from, part beside part; only of few pairs."""
    rows = _of(metric, tables.get("decomposition", []))
    labels = {row["part"]: row["part"].replace("_", " ") for row in rows}
    if 0 < len(rows) <= _FEW_PAIRS * len(labels):
        columns = (Column("value", "{}", "+.2f"),)
        view = _view("Where the difference comes from", metric, "decomposition", (*_PAIR, _DELTA), columns)
        yield replace(view, over="part", labels=labels)


def _text_views(texts: Table) -> Iterator[View]:
    """The segments on which the first system of a pair is better, and those on which it is worse."""
    for where, _ in groupby(texts, lambda row: {name: row[name] for name in ("metric", "a", "b", "better")}):
        word = "better" if where["better"] else "worse"
        title = f"Where {where['a']} is {word} than {where['b']}: {where['metric']}"
        yield View(title, "texts", _TEXTS, keys=(Column("segment"), Column("who", "")), where=where)


def _winners(pairs: Table, metric: Metric) -> Better:
    """Whether the pairs say that one system is significantly better than another."""
    sign = 1.0 if metric.higher_is_better else -1.0
    won = {
        (pair["a"], pair["b"]) if sign * pair["delta"] > 0 else (pair["b"], pair["a"])
        for pair in pairs
        if pair["significant"]
    }
    return lambda first, second: (first, second) in won


def _labels_by(campaign: Campaign, by: str) -> list[str]:
    """The group of each segment: by ``length``, ``document``, ``domain`` or a column of the campaign."""
    if by == "length":
        reference = next(iter(campaign.references.values()))
        return [_LENGTH_NAMES[np.searchsorted(_LENGTHS, len(text.split()))] for text in reference]
    named = {"document": campaign.documents, "domain": campaign.domains}
    labels = named[by] if by in named else campaign.columns.get(by)
    if labels is None:
        known = ["length", *(name for name, there in named.items() if there is not None), *campaign.columns]
        raise InputError(f"{campaign.name} has no {by} of the segments. It can be cut by {', '.join(known)}.")
    return list(labels)


def marked(first: str, second: str) -> tuple[str, str]:
    """Both texts with brackets round what the other does not have.

    >>> marked("the cat sat down", "the dog sat down today")
    ('the [cat] sat down', 'the [dog] sat down [today]')
    """
    words = first.split(), second.split()
    sides: tuple[list[str], list[str]] = ([], [])
    for kind, *spans in SequenceMatcher(None, *words, autojunk=False).get_opcodes():
        for side, tokens, (start, stop) in zip(sides, words, (spans[:2], spans[2:]), strict=True):
            text = " ".join(tokens[start:stop])
            if text:
                side.append(text if kind == "equal" else f"[{text}]")
    return " ".join(sides[0]), " ".join(sides[1])


def _texts(row: _Row, references: Sequence[str], *, better: bool) -> Table:
    """A segment as people read it: each text in a row of its own, with what differs in brackets."""
    keys = {name: row[name] for name in ("metric", "a", "b")}
    keys |= {"better": better, "segment": row["segment"], "delta": row["delta"]}
    ours, theirs = marked(row["translation_a"], row["translation_b"])
    texts = [(row["score_a"], row["a"], ours), (row["score_b"], row["b"], theirs)]
    texts += [(None, "reference", text) for text in references]
    texts += [] if row["source"] is None else [(None, "source", row["source"])]
    return [keys | {"score": score, "who": who, "text": text} for score, who, text in texts]
