"""Who rated which item, who rated it too, and who rated it again; and each rater alone: severity, drift, controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.arrays import Array, Codes, Flags
from assay.data.judgements import Judgements
from assay.errors import InputError
from assay.people.rankings import equal_pairs
from assay.people.severity import fit_severities
from assay.properties import cached_property
from assay.results.result import Table
from assay.significance.draws import NOTHING, Draws, Estimate, Keys, Units, named
from assay.significance.tests import above_zero, adjust, is_significant

#: Fewer ratings say little of a rater.
_FEW_RATINGS = 10
#: One score in so large a share of the ratings is odd, where it is that of the usual rater less half of what is left.
_ODD_SHARE = 0.9
#: Items shared with others, below which nothing is said of agreement with them.
_ENOUGH_ITEMS = 20
#: Neighbours are taken to be alike by no more than that.
_MOST_ALIKE = 0.99
#: Up to this p-value, adjusted for the number of raters, one drifts, or tells control items from the originals.
_ALPHA = 0.05


@dataclass(frozen=True, eq=False)
class Paired:
    """Two ratings of each of some items, in groups (a pair of raters, or one rater)."""

    x: Array
    y: Array
    group: Codes
    #: What is drawn as a whole, and which one each pair is of.
    units: Units
    unit: Codes
    item: Codes
    #: What the groups are called, each a tuple of raters.
    names: tuple[tuple[str, ...], ...]
    #: Rows of the ratings behind ``x`` and ``y``; behind a mean there is none.
    rows: tuple[Codes, Codes]

    def __len__(self) -> int:
        return len(self.x)


class RatedItems:
    """Judgements that have a score and a rater, in the order of the file; raters in the order of their names.

    ``units`` are what segments are drawn with; without them each is drawn by itself.
    """

    def __init__(self, judgements: Judgements, units: Units | None = None) -> None:
        judgements = judgements.only(~np.isnan(judgements.score) & (judgements.rater.codes >= 0))
        self.judgements = judgements = replace(judgements, rater=judgements.rater.alphabetic())
        self.score, self.system = judgements.score, judgements.system.codes
        self.rater, self.raters = judgements.rater.codes, judgements.rater.names
        self.unit = judgements.parts
        self.units = units
        #: The key of what each judgement is drawn with.
        self.drawn = drawn_with(judgements, units)
        items = self.unit * (len(judgements.system.names) + 1) + self.system
        self.item: Codes = np.unique(items, return_inverse=True)[1].astype(np.int64)
        self._rater_items: Codes = self.item * (len(self.raters) + 1) + self.rater

    def __len__(self) -> int:
        return len(self.score)

    @cached_property
    def _first(self) -> Flags:
        """Whether a rating is its rater's first one of the item: of the first kind, then in the file."""
        order = np.argsort(self.judgements.kind.codes, kind="stable")
        flags = np.zeros(len(self), dtype=np.bool_)
        flags[order[np.unique(self._rater_items[order], return_index=True)[1]]] = True
        return flags

    @cached_property
    def shared(self) -> Codes:
        """Rows of first ratings of items that at least two raters rated, sorted by item and rater."""
        rows = np.flatnonzero(self._first)
        rows = rows[np.bincount(self.item[rows])[self.item[rows]] > 1]
        return rows[np.lexsort((self.rater[rows], self.item[rows]))]

    def used(self, *, ranked: bool) -> dict[str, int]:
        """How many judgements serve what: between raters, as repeats, in rankings, not at all."""
        if ranked:
            alone = int((np.bincount(self.judgements.ranking.codes) == 1).sum())
            return {"ranked": len(self) - alone, "alone_in_ranking": alone}
        first, shared = int(self._first.sum()), len(self.shared)
        return {"between_raters": shared, "repeats": len(self) - first, "one_rater": first - shared}

    def between(self) -> Paired:
        """Every two raters of an item: groups are pairs of raters."""
        first, second = (self.shared[places] for places in equal_pairs(self.item[self.shared]))
        return self._paired(first, second, self.score[second], self.rater[first], self.rater[second])

    def repeated(self) -> Paired:
        """Every two ratings of an item by the same rater, the earlier one first: groups are raters."""
        first, second = equal_pairs(self._rater_items, then=self.judgements.kind.codes)
        return self._paired(first, second, self.score[second], self.rater[first])

    def against_others(self) -> Paired:
        """Each rater beside the mean of the others of the item: groups are raters."""
        rows = self.shared
        place = np.unique(self.item[rows], return_inverse=True)[1]
        total, count = np.bincount(place, weights=self.score[rows]), np.bincount(place)
        others = (total[place] - self.score[rows]) / (count[place] - 1)
        return self._paired(rows, rows[:0], others, self.rater[rows])

    def _paired(self, first: Codes, second: Codes, y: Array, *raters: Codes) -> Paired:
        """Ratings beside ``y``, in groups of the same raters."""
        shape = (max(len(self.raters), 1),) * len(raters)
        keys, group = np.unique(np.ravel_multi_index(raters, shape), return_inverse=True)
        named = ([self.raters[code] for code in codes] for codes in np.unravel_index(keys, shape))
        names = tuple(zip(*named, strict=True))
        return Paired(
            self.score[first], y, group, *judged_units(self.drawn[first]), self.item[first], names, (first, second)
        )


def drawn_with(judgements: Judgements, units: Units | None) -> Keys:
    """The key of what each judgement is drawn with: its document, or what else ``units`` are; else what was judged."""
    keys = judgements.parts.astype(np.uint64)
    if units is None:
        return keys
    of_segment = judgements.segment >= 0
    keys[of_segment] = units.spread(units.keys)[judgements.segment[of_segment]]
    if units.members is not None:
        of_document = ~of_segment & (judgements.document.codes >= 0)
        keys[of_document] = named(judgements.document.names)[judgements.document.codes[of_document]]
    return keys


def judged_units(keys: Keys) -> tuple[Units, Codes]:
    """What is drawn of judgements, by their keys, and which one of them each judgement is of."""
    numbers, codes = np.unique(keys, return_inverse=True)
    return Units("judged", numbers), codes


def statistic_rows(
    draws: Draws, values: Mapping[str, Array], *, raters: int, items: int, prefix: str = "", centred: bool = False
) -> Table:
    """A row per statistic: its value, its interval, and how many raters and items are behind it."""
    return [
        {
            "statistic": f"{prefix}{name}",
            **draws.estimate(drawn, centred=centred).row(),
            "raters": raters,
            "items": items,
        }
        for name, drawn in values.items()
    ]


def rater_rows(ratings: RatedItems, others: Table) -> tuple[Table, Mapping[str, float]]:
    """All raters, the most severe first, and the variances of the model behind their severities.

    Severity is in points below the average rater on the same work, drift in points from the first rating to the last.
    ``others`` says how far each goes with the mean of the others.
    """
    model = fit_severities(ratings.judgements)
    low, high = model.interval()
    beside = {row["a"]: row for row in others if row["statistic"] == "pearson"}
    by_rater = [np.flatnonzero(ratings.rater == code) for code in range(len(ratings.raters))]
    usual = float(np.median([_favourite(ratings.score[rows]) for rows in by_rater]))
    drifts, drift_p = _drifts([model.residual[rows] for rows in by_rater])
    table: Table = []
    for code, (name, rows) in enumerate(zip(ratings.raters, by_rater, strict=True)):
        severity = Estimate(float(model.severity[code]), float(low[code]), float(high[code]))
        near = beside.get(name, {"items": 0, **NOTHING.row()})
        row = {
            "rater": name,
            "ratings": len(rows),
            **_scores(ratings.score[rows], ratings.score),
            **(severity if model.variances else NOTHING).row("severity", "severity_low", "severity_high"),
            **drifts[code].row("drift", "drift_low", "drift_high"),
            "drift_p": drift_p.get(code),
            "others_pearson": near["value"],
            "others_low": near["low"],
            "others_high": near["high"],
            "shared_items": near["items"],
        }
        table.append(row | {"flags": ", ".join(_flags(row, usual))})
    return sorted(table, key=lambda row: (-(row["severity"] or 0.0), row["rater"])), model.variances


def _scores(scores: Array, everybody: Array) -> dict[str, Any]:
    """What a rater gives; shares are of the lowest and the highest score that anybody gave, and of the favourite."""
    return {
        "mean": float(scores.mean()),
        "sd": float(scores.std(ddof=1)) if len(scores) > 1 else None,
        "median": float(np.median(scores)),
        "share_lowest": float((scores == everybody.min()).mean()),
        "share_highest": float((scores == everybody.max()).mean()),
        "share_favourite": _favourite(scores),
    }


def _favourite(scores: Array) -> float:
    """The share of the score that comes most often."""
    return float(np.unique(scores, return_counts=True)[1].max() / len(scores))


def _flags(row: Mapping[str, Any], usual_favourite: float) -> Iterator[str]:
    """What looks odd in a rater."""
    if row["ratings"] < _FEW_RATINGS:
        yield "few ratings"
    if row["ratings"] > 1 and row["share_favourite"] == 1.0:
        yield "constant"
    elif row["ratings"] >= _FEW_RATINGS and row["share_favourite"] >= max(_ODD_SHARE, (1.0 + usual_favourite) / 2.0):
        yield "nearly constant"
    if row["shared_items"] >= _ENOUGH_ITEMS and row["others_low"] is not None and row["others_low"] <= 0.0:
        yield "unlike the others"
    if row["drift_p"] is not None and is_significant(row["drift_p"], _ALPHA):
        yield "drifts"


def _drifts(residuals: Sequence[Array]) -> tuple[list[Estimate], dict[int, float]]:
    """The drift of each rater, and its p-value, adjusted for their number (Holm); raters are known by their place."""
    found = [drift(each) for each in residuals]
    known = [place for place, (estimate, _) in enumerate(found) if estimate.value is not None]
    return [estimate for estimate, _ in found], dict(
        zip(known, adjust([found[place][1] for place in known], "holm"), strict=True)
    )


def drift(residuals: Array) -> tuple[Estimate, float]:
    """How far a straight line through the residuals, in the order of the file, goes from the first to the last one.

    And its p-value. Ratings that follow each other are alike (a document, a mood), so that n of them are worth n (1 -
    r)/(1 + r) independent ones, with r the correlation of neighbours, corrected for its bias beside a trend.
    """
    from scipy.special import stdtr, stdtrit

    count = len(residuals)
    if count < _FEW_RATINGS or np.ptp(residuals) < 1e-12:
        return NOTHING, 1.0
    time = np.linspace(-0.5, 0.5, count)
    slope = float(time @ residuals / (time @ time))
    left = residuals - residuals.mean() - slope * time
    square = float(left @ left)
    if square < 1e-12 * float(residuals @ residuals):
        return Estimate(slope, slope, slope), above_zero(0.0)
    alike = (count * float(left[1:] @ left[:-1]) / square + 2.0) / (count - 4.0)
    worth = (1.0 - min(max(alike, 0.0), _MOST_ALIKE)) / (1.0 + min(max(alike, 0.0), _MOST_ALIKE))
    freedom = max(count * worth - 2.0, 1.0)
    error = float(np.sqrt(square / (count - 2) / (time @ time) / worth))
    half = float(stdtrit(freedom, 0.975)) * error
    return Estimate(slope, slope - half, slope + half), above_zero(2.0 * float(stdtr(freedom, -abs(slope) / error)))


def control_rows(originals: RatedItems, controls: Judgements) -> Table:
    """Does a rater tell control items, such as degraded translations, from the same rater's ratings of the originals?

    The difference is the control's mean less the original's, tested by Wilcoxon's signed ranks, two-sided; there is no
    p-value where all differences are 0. Of the raters of a control p-values are adjusted for their number (Holm), and
    ``smallest_p`` is the smallest that a rater could have reached with so many items.
    """
    from scipy.stats import wilcoxon

    table: Table = []
    original = _means(originals)
    for kind in controls.kinds:
        if kind in originals.judgements.kinds:
            origin = originals.judgements.origin
            raise InputError(f"{origin}: {kind} is chosen as --kind and as --control. Choose it for one.")
        differences: dict[str, list[float]] = {}
        for item, score in _means(RatedItems(controls.of_kind(kind))).items():
            if item in original:
                differences.setdefault(item[0], []).append(score - original[item])
        p_values = {rater: float(wilcoxon(given).pvalue) for rater, given in differences.items() if any(given)}
        adjusted = dict(zip(p_values, adjust([*p_values.values()], "holm"), strict=True))
        for rater, given in sorted(differences.items()):
            row = {"rater": rater, "control": kind, "items": len(given), "difference": float(np.mean(given))}
            row |= {"p": p_values.get(rater), "p_adjusted": adjusted.get(rater)}
            # Of all ways that the differences may point, two are the most extreme.
            least = adjust([*(p_values | {rater: 2.0 ** (1 - len(given))}).values()], "holm")
            row["smallest_p"] = dict(zip(p_values | {rater: 0.0}, least, strict=True))[rater]
            table.append(row | {"told_apart": rater in adjusted and is_significant(adjusted[rater], _ALPHA)})
    return table


def _means(ratings: RatedItems) -> dict[tuple[str, str, int], float]:
    """The mean score by rater, system and segment."""
    names, scores = ratings.judgements.system.names, dict[tuple[str, str, int], list[float]]()
    columns = (ratings.score, ratings.rater, ratings.system, ratings.unit)
    for score, rater, system, unit in zip(*(column.tolist() for column in columns), strict=True):
        scores.setdefault((ratings.raters[rater], names[system], unit), []).append(score)
    return {key: sum(given) / len(given) for key, given in scores.items()}
