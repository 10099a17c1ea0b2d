"""The tables of ``assay compare``, row by row, from systems that share their draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from string import ascii_lowercase
from typing import Any

import numpy as np

from assay.data.campaign import Campaign
from assay.errors import InputError
from assay.metrics.base import Metric
from assay.questions.asked import Asked
from assay.results.result import Table
from assay.scoring.statistics import Statistics
from assay.significance.calibration import Rate, calibrate_intervals, calibrate_tests
from assay.significance.clusters import Better, clusters, rank_range
from assay.significance.corrections import adjust
from assay.significance.intervals import influence_of, percentile_interval
from assay.significance.pairs import Key, PairedTest, Sampled, in_threads, resample
from assay.significance.tests import TESTS

#: Segment scores that differ by less are equal: rounding decides no win.
EQUAL = 1e-9
#: Upper ends of the length buckets, in words of the first reference.
LENGTHS = (9, 19, 29, 39, 49)
#: Draws within a simulation of the calibration.
SIMULATED_DRAWS = 500

Row = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Compared:
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

    def pairs(self, metric: Metric, wanted: Sequence[tuple[str, str]]) -> Table:
        """Tested pairs, corrected for the number of a metric's; ``delta`` is the first's score minus the second's."""
        test, systems = self.test, self.ranked(metric)
        tested = in_threads(lambda pair: test.p_value(systems[pair[0]], systems[pair[1]]), wanted, self.threads)
        adjusted = adjust([p.value for p in tested], test.correction)
        sign = 1.0 if metric.higher_is_better else -1.0
        by_segment = {
            system: sign * np.mean([self.counted[run, str(metric)].segment_scores() for run in self.runs[system]], 0)
            for system in systems
        }
        table = []
        for (a, b), p, p_adjusted in zip(wanted, tested, adjusted, strict=True):
            first, second = systems[a], systems[b]
            delta, error = first.value - second.value, test.error(first, second).error
            low, high = test.interval_between(first, second)
            power, gain = test.power(delta, error), by_segment[a] - by_segment[b]
            table.append({
                "metric": str(metric), "a": a, "b": b, "delta": delta, "low": low, "high": high,
                "p": p.value, "p_adjusted": p_adjusted, "significant": test.is_significant(p_adjusted),
                "exact": p.exact, "effect": test.effect(delta, error), "wins": (gain > EQUAL).sum(),
                "losses": (gain < -EQUAL).sum(), "ties": (np.abs(gain) <= EQUAL).sum(),
                "detectable_delta": power.detectable, "needed_units": power.needed,
            })  # fmt: skip
        return table

    def scores(self, metric: Metric, better: Better) -> Table:
        """The systems, the best first, with the ranks that the tests leave open and the letters of those they beat."""
        systems = self.ranked(metric)
        letters = {system: _letter(place) for place, system in enumerate(systems)}
        table = []
        for system, sampled in systems.items():
            low, high = self.test.interval_of(sampled)
            best, worst = rank_range(system, list(systems), better)
            table.append({
                "system": system, "metric": str(metric), "score": sampled.value, "low": low, "high": high,
                "best_rank": best, "worst_rank": worst, "sigma_selection": sampled.selection,
                "sigma_training": sampled.training, "runs": len(sampled.rows), "letter": letters[system],
                "beats": "".join(letters[other] for other in systems if better(system, other)),
            })  # fmt: skip
        return table

    def clusters(self, metric: Metric, better: Better) -> Table:
        """Systems by cluster."""
        found = clusters(list(self.ranked(metric)), better)
        return [{"metric": str(metric), "rank": one.rank, "system": system} for one in found for system in one.systems]

    def decomposition(self, metric: Metric, pairs: Table) -> Table:
        """Where differences come from, for metrics that can tell, between systems of one run."""
        table = []
        for pair in pairs:
            first, second = (self.drawn[pair[side], str(metric)] for side in "ab")
            if len(first.rows) == len(second.rows) == 1:
                keys = {name: pair[name] for name in ("metric", "a", "b", "delta")}
                parts = metric.decompose(first.totals[0], second.totals[0])
                table += [keys | {"part": part, "value": value} for part, value in parts.items()]
        return table

    def segments(self, pairs: Table, count: int) -> tuple[Table, Table]:
        """The ``count`` segments on which the first system of a pair gains most, and loses most; and all their texts.

        Segments on which the two have the same score are not among them. Of several runs the first is shown.
        """
        campaign, names = self.campaign, self.campaign.segment_names()
        segments: Table = []
        texts: Table = []
        for pair in pairs:
            runs = [self.runs[pair[side]][0] for side in "ab"]
            first, second = (self.counted[run, pair["metric"]] for run in runs)
            scores = first.segment_scores(), second.segment_scores()
            delta, total = scores[0] - scores[1], first.total()
            gain = delta if first.metric.higher_is_better else -delta
            # How far the corpus score of the first would move if the segment were the second's.
            influence = first.metric.score(total) - first.metric.score(total - first.rows + second.rows)
            order = np.argsort(-gain, kind="stable")
            moved = [at for at in order[:count] if gain[at] > 0] + [at for at in order[::-1][:count] if gain[at] < 0]
            for at in map(int, moved):
                ours, theirs = (" ".join(campaign.systems[run][at].split()) for run in runs)
                row = {
                    "metric": pair["metric"], "segment": names[at], "a": pair["a"], "b": pair["b"],
                    "score_a": scores[0][at], "score_b": scores[1][at], "delta": delta[at], "influence": influence[at],
                    "source": None if campaign.source is None else campaign.source[at],
                    "translation_a": ours, "translation_b": theirs,
                }  # fmt: skip
                segments.append(row)
                references = [column[at] for column in campaign.references.values()]
                texts += _texts(row, references, better=bool(gain[at] > 0))
        return segments, texts

    def buckets(self, pairs: Table, by: str) -> Table:
        """Every pair within every group of segments, with a bootstrap interval of the difference."""
        labels = np.array(labels_by(self.campaign, by))
        names = list(dict.fromkeys(labels.tolist()))
        if by == "length":
            names.sort(key=[_length_name(place) for place in range(len(LENGTHS) + 1)].index)
        scorers = {metric: sampled.score for (_, metric), sampled in self.drawn.items()}
        table = []
        for name in names:
            there = labels == name
            rows = {key: statistics.rows[there] for key, statistics in self.counted.items()}
            drawn = resample(rows, scorers, self.runs, samples=self.test.samples, seed=self.test.seed)
            for pair in pairs:
                first, second = (drawn[pair[side], pair["metric"]] for side in "ab")
                influence = influence_of(first.jackknife - second.jackknife)
                low, high = percentile_interval(first.resampled - second.resampled, influence=influence)
                table.append({
                    "by": by, "bucket": name, "segments": there.sum(), "metric": pair["metric"], "a": pair["a"],
                    "b": pair["b"], "score_a": first.value, "score_b": second.value,
                    "delta": first.value - second.value, "low": low, "high": high,
                })  # fmt: skip
        return table

    def calibration(self, pairs: Table, metrics: Sequence[Metric], simulations: int, asked: Asked) -> Table:
        """False alarms, discoveries and coverage as shares, simulated from the rows of the first pair of a metric."""
        alpha, units = self.test.alpha, self.test.units
        drawn: Row = {"units": units, "simulations": simulations, "samples": SIMULATED_DRAWS, "seed": self.test.seed}
        table: Table = []
        for number, metric in enumerate(metrics):
            pair = next(pair for pair in pairs if pair["metric"] == str(metric))
            first, second = (self.drawn[pair[side], str(metric)].rows[0] for side in "ab")
            start, middle, stop = ((number + share) / len(metrics) for share in (0.0, 0.8, 1.0))
            rates = calibrate_tests(
                (first, second), metric.score, TESTS, alpha=alpha, progress=asked.part(start, middle), **drawn
            )
            covered = calibrate_intervals(first, metric.score, progress=asked.part(middle, stop), **drawn)
            measured: list[tuple[str, str, float | None, Rate]] = []
            for rate in rates:
                measured.append(("false positives", rate.test, alpha, rate.false_positives))
                measured += [("power", rate.test, None, rate.power)] if rate.power is not None else []
            measured += [("coverage", name, 0.95, rate) for name, rate in covered.items()]
            table += [
                {
                    "metric": str(metric), "what": what, "method": method, "promised": promised,
                    "measured": rate.share, "low": rate.interval.low, "high": rate.interval.high,
                    "simulations": rate.of, "units": units,
                }
                for what, method, promised, rate in measured
            ]  # fmt: skip
        return table


def winners(pairs: Table, metric: Metric) -> Better:
    """Whether the pairs say that one system is significantly better than another."""
    won = set()
    for pair in pairs:
        ahead = pair["delta"] > 0 if metric.higher_is_better else pair["delta"] < 0
        if pair["significant"]:
            won.add((pair["a"], pair["b"]) if ahead else (pair["b"], pair["a"]))
    return lambda one, other: (one, other) in won


def verdict(pair: Row, metric: Metric, alpha: float, min_delta: float) -> Row:
    """A system against the baseline: it fails if it is significantly worse, by at least ``min_delta`` points."""
    loss = -pair["delta"] if metric.higher_is_better else pair["delta"]
    worse = loss > 0 and pair["significant"]
    failed = worse and loss >= min_delta
    if worse:
        said = f"significantly worse at {alpha:g}" if failed else f"worse, but by less than {min_delta:g}"
    else:
        said = "no evidence that it is worse" if loss > 0 else "not worse"
    reason = (
        f"{metric}: {pair['a']} {pair['delta']:+.2f} against {pair['b']} "
        f"[{pair['low']:+.2f}, {pair['high']:+.2f}], adjusted p = {pair['p_adjusted']:.4g}: {said}"
    )
    case = f"{pair['a']} vs {pair['b']}"
    return {"metric": str(metric), "system": pair["a"], "case": case, "failed": failed, "reason": reason}


def labels_by(campaign: Campaign, by: str) -> list[str]:
    """The group of each segment: by ``length``, ``document``, ``domain`` or a column of the campaign."""
    if by == "length":
        reference = next(iter(campaign.references.values()))
        return [_length_name(int(np.searchsorted(LENGTHS, len(text.split())))) for text in reference]
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
        for side, own, (start, stop) in zip(sides, words, (spans[:2], spans[2:]), strict=True):
            text = " ".join(own[start:stop])
            if text:
                side.append(text if kind == "equal" else f"[{text}]")
    return " ".join(sides[0]), " ".join(sides[1])


def _texts(row: Row, references: Sequence[str], *, better: bool) -> Table:
    """A segment as people read it: each text in a row of its own, with what differs in brackets."""
    keys = {name: row[name] for name in ("metric", "a", "b")}
    keys |= {"better": better, "segment": row["segment"], "delta": row["delta"]}
    ours, theirs = marked(row["translation_a"], row["translation_b"])
    said = [(row["score_a"], row["a"], ours), (row["score_b"], row["b"], theirs)]
    said += [(None, "reference", text) for text in references]
    said += [] if row["source"] is None else [(None, "source", row["source"])]
    return [keys | {"score": score, "who": who, "text": text} for score, who, text in said]


def _letter(place: int) -> str:
    """a to z, then a1, b1 ..."""
    return ascii_lowercase[place % 26] + (str(place // 26) if place >= 26 else "")


def _length_name(place: int) -> str:
    low = 0 if place == 0 else LENGTHS[place - 1] + 1
    return f"{low}–{LENGTHS[place]} words" if place < len(LENGTHS) else f"{low}+ words"
