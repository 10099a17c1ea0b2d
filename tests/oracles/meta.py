"""Statistics of meta-evaluation by their definitions, pair by pair and item by item, on data without weights."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
from scipy import stats


def repeated(values, counts):
    """Each item as often as it was drawn."""
    return np.repeat(values, np.asarray(counts).astype(int))


def scipy_value(name, x, y):
    """scipy's statistic; NaN where one side is constant or fewer than two items are there."""
    if len(x) < 2 or len(set(x)) < 2 or len(set(y)) < 2:
        return math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "kendall-c":
            return stats.kendalltau(x, y, variant="c").statistic
        function = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}[name]
        return float(function(x, y).statistic)


def groups_of(metric, human, draw, grouping):
    """Lists of (cell, metric, human), and how often each group was drawn."""
    segments, systems = draw
    missing = np.isnan(metric) | np.isnan(human)
    rows, columns = range(metric.shape[0]), range(metric.shape[1])
    if grouping == "none":
        plan = [([(r, c, systems[r] * segments[c]) for r in rows for c in columns], 1)]
    elif grouping == "item":
        plan = [([(r, c, systems[r]) for r in rows], segments[c]) for c in columns]
    else:
        plan = [([(r, c, segments[c]) for c in columns], systems[r]) for r in rows]
    for cells, times in plan:
        group = []
        for r, c, weight in cells:
            if not missing[r, c]:
                group += [((r, c), metric[r, c], human[r, c])] * int(weight)
        yield group, int(times)


def mean_of_groups(values):
    """The mean of (value, times) over those that are defined."""
    defined = [(value, times) for value, times in values if not math.isnan(value) and times]
    total = sum(times for _, times in defined)
    return sum(value * times for value, times in defined) / total if total else math.nan


def on_grid(name, metric, human, draw, grouping):
    """A correlation from scipy, group by group."""
    values = []
    for group, times in groups_of(metric, human, draw, grouping):
        values.append((scipy_value(name, [m for _, m, _ in group], [h for _, _, h in group]), times))
    return mean_of_groups(values)


def acc23_of_group(group, epsilon):
    """(Concordant + tied on both sides) by all pairs of different cells, where the metric ties up to epsilon."""
    right = total = 0
    for (cell, m, h), (other, n, g) in itertools.combinations(group, 2):
        if cell == other:
            continue
        total += 1
        if abs(m - n) <= epsilon:
            right += h == g
        else:
            right += (m - n) * (h - g) > 0
    return right / total if total else math.nan


def acc23(metric, human, draw, grouping, epsilon):
    """The mean over groups of acc23 at one threshold."""
    groups = groups_of(metric, human, draw, grouping)
    return mean_of_groups([(acc23_of_group(group, epsilon), times) for group, times in groups])


def candidates(metric, human, draw, grouping):
    """0 and every distance between two cells of a group."""
    found = {0.0}
    for group, _ in groups_of(metric, human, draw, grouping):
        found |= {abs(m - n) for (_, m, _), (_, n, _) in itertools.combinations(group, 2)}
    return sorted(found)


def calibrated(metric, human, draw, grouping):
    """The best acc23 over all candidate thresholds by direct search, and the smallest threshold that reaches it."""
    best, chosen = math.nan, math.nan
    for epsilon in candidates(metric, human, draw, grouping):
        value = acc23(metric, human, draw, grouping, epsilon)
        if not math.isnan(value) and (math.isnan(best) or value > best + 1e-12):
            best, chosen = value, epsilon
    return best, chosen


def kendall_like(metric, human, draw, threshold):
    """WMT's: pairs of a segment that people set apart by the threshold; a metric tie is discordant; all pooled."""
    concordant = discordant = 0
    for group, times in groups_of(metric, human, draw, "item"):
        for (_, m, h), (_, n, g) in itertools.combinations(group, 2):
            if abs(h - g) >= threshold:
                if (m - n) * (h - g) > 0:
                    concordant += times
                else:
                    discordant += times
    total = concordant + discordant
    return (concordant - discordant) / total if total else 0.0


def accuracy(x, y):
    """The share of pairs with equal signs of their differences."""
    pairs = list(itertools.combinations(zip(x, y, strict=True), 2))
    return sum(np.sign(a - c) == np.sign(b - d) for (a, b), (c, d) in pairs) / len(pairs) if pairs else math.nan


def permutation_p(first, second, signs):
    """The share of sign flips under which the first leads by as much as it did; ties count by half."""
    differences = np.array([a - b for a, b in zip(first, second, strict=True) if not math.isnan(a - b)])
    kept = [index for index, (a, b) in enumerate(zip(first, second, strict=True)) if not math.isnan(a - b)]
    outcomes = [float(np.dot(row[kept], differences)) for row in signs]
    observed = float(differences.sum())
    above = sum(outcome > observed + 1e-9 for outcome in outcomes)
    equal = sum(abs(outcome - observed) <= 1e-9 for outcome in outcomes)
    return (above + 0.5 * equal) / len(outcomes)


def disattenuated(human, metric):
    """Pearson's r of systems corrected for noise, and both reliabilities, from grids without gaps, cell by cell.

    The noise of a mean is that of what system and segment together do not explain.
    """
    systems, segments = len(human), len(human[0])

    def mean(values):
        return sum(values) / len(values)

    def residual(grid, system, segment):
        of_segment = mean([row[segment] for row in grid])
        return grid[system][segment] - mean(grid[system]) - of_segment + mean([mean(row) for row in grid])

    def covariance(one, other):
        first, second = [mean(row) for row in one], [mean(row) for row in other]
        total = sum((a - mean(first)) * (b - mean(second)) for a, b in zip(first, second, strict=True)) / (systems - 1)
        noise = sum(
            residual(one, system, segment) * residual(other, system, segment)
            for system in range(systems)
            for segment in range(segments)
        ) / ((systems - 1) * (segments - 1) * segments)
        return total, total - noise

    (v, true_v), (w, true_w), (_, true_c) = (
        covariance(*pair) for pair in ((human, human), (metric, metric), (human, metric))
    )
    return true_c / math.sqrt(true_v * true_w), (true_v / v, true_w / w)
